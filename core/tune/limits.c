/* limits: what a version needs of a device and what its sizes ask for, as constraints on its parameters. */
#include "tune.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_GROUP, MAX_LOCAL, LOCAL_BYTES = MAX_LOCAL + 3, PRIVATE_BYTES, UNROLLED, MIN_GROUP, MIN_GROUPS, MAX_GROUPS, MIN_ITEMS };

static const LimitName limit_names[] = {
    {"max_group", "group size", offsetof(TuneLimits, max_group)},
    {"max_local0", "group size", offsetof(TuneLimits, max_local[0])},
    {"max_local1", "group size", offsetof(TuneLimits, max_local[1])},
    {"max_local2", "group size", offsetof(TuneLimits, max_local[2])},
    {"local_bytes", "local memory", offsetof(TuneLimits, local_bytes)},
    {"private_bytes", "private memory", offsetof(TuneLimits, private_bytes)},
    {"unrolled", "code size", offsetof(TuneLimits, unrolled)},
    {"min_group", "small groups", offsetof(TuneLimits, min_group)},
    {"min_groups", "too few groups", offsetof(TuneLimits, min_groups)},
    {"max_groups", "too many groups", offsetof(TuneLimits, max_groups)},
    {"min_items", "too few items", offsetof(TuneLimits, min_items)},
};

const LimitName *tune_limit(int i) { return i >= 0 && i < COUNT(limit_names) ? &limit_names[i] : NULL; }

void tune_device_limits(const DeviceInfo *device, TuneLimits *out)
{
    out->max_group = device->max_group;
    memcpy(out->max_local, device->max_local, sizeof out->max_local);
    out->local_bytes = device->local_bytes;
    out->on_gpu = device->is_gpu;
}

typedef struct Making {
    Ctx *c;
    Arena *arena;
    const TuneLimits *limits;
    const PlanResources *r;
    int count;                           /* of kernels */
    VEC(Constraint) made;
} Making;

static void add_constraint(Making *m, Constraint con, const char *unit)
{
    Buf text = {0};
    if (!con.a || !con.b) return;
    for (int i = 0; i < m->made.n; i++) {
        const Constraint *x = &m->made.v[i];
        if (x->kind == con.kind && x->a == con.a && x->b == con.b) return;
    }
    fact_print(&(Fact){(FactKind)con.kind, con.a, con.b}, &text);
    buf_puts(&text, unit);
    con.text = buf_take(&text, m->arena);
    vec_push(&m->made, con);
}

static void add_facts(Making *m, const PlanFact *facts, int n, bool divides)
{
    for (int i = 0; i < n; i++) {
        const Fact *f = &facts[i].fact;
        if ((f->kind == FACT_DIVIDES) != divides || !plan_is_known(f->a) || !plan_is_known(f->b)) continue;
        add_constraint(m, (Constraint){.kind = (ConstraintKind)f->kind, .a = f->a, .b = f->b, .reason = divides ? "divides" : "fact"}, "");
    }
}

/* limit's row is about n <= limit, or limit <= n. What holds for every point is no constraint. */
static void add_limit(Making *m, int row, const Nat *n, bool at_most, const char *unit)
{
    Nats *nats = m->c->nats;
    int64_t value = *(const int64_t *)(const void *)((const char *)m->limits + limit_names[row].offset);
    if (value <= 0 || !n) return;
    const Nat *limit = nat_const(nats, value), *a = at_most ? n : limit, *b = at_most ? limit : n;
    if (nat_less_eq(nats, a, b)) return;
    add_constraint(m, (Constraint){.kind = CON_LE, .a = a, .b = b, .reason = limit_names[row].reason}, unit);
}

static const Nat *product(Nats *n, const Nat *const v[3])
{
    return v[0] && v[1] && v[2] ? nat_mul(n, v[0], nat_mul(n, v[1], v[2])) : NULL;
}

/* Parallelism is asked of the kernel that has most; a second stage of a reduction may be small. */
static void add_parallelism(Making *m)
{
    Nats *n = m->c->nats;
    const Nat *groups = NULL, *group = NULL, *items = NULL;
    bool all_known = true, any_global = false;
    for (int i = 0; i < m->count; i++) {
        const PlanResources *r = &m->r[i];
        const Nat *g = product(n, r->groups), *in = product(n, r->items), *all = nat_mul(n, g, in);
        for (int d = 0; d < 3; d++) all = r->global[d] ? nat_mul(n, all, r->global[d]) : all;        /* groups and items are 1 then */
        any_global |= r->global[0] || r->global[1] || r->global[2];
        all_known = all_known && g && in;
        groups = groups ? nat_max(n, groups, g) : g;
        group = group ? nat_max(n, group, in) : in;
        items = items ? nat_max(n, items, all) : all;
    }
    if (!all_known) return;
    if (!any_global) {
        add_limit(m, MIN_GROUP, group, false, " work-items of a group");
        add_limit(m, MIN_GROUPS, groups, false, " groups");
        add_limit(m, MAX_GROUPS, groups, true, " groups");
    }
    add_limit(m, MIN_ITEMS, items, false, " work-items");
}

int tune_constraints(Ctx *c, Arena *arena, const Term *t, const PlanFact *facts, int fact_count,
                     const TuneLimits *limits, Constraint **out)
{
    Making m = {.c = c, .arena = arena, .limits = limits};
    PlanResources *r;
    add_facts(&m, facts, fact_count, true);
    add_facts(&m, facts, fact_count, false);
    m.count = limits ? plan_resources(c, arena, t, limits->on_gpu, &r) : 0;
    m.r = m.count ? r : NULL;
    for (int i = 0; i < m.count; i++) {
        static const char *const units[] = {" work-items of a group in dimension 0", " work-items of a group in dimension 1",
                                            " work-items of a group in dimension 2"};
        add_limit(&m, MAX_GROUP, product(m.c->nats, r[i].items), true, " work-items of a group");
        for (int d = 0; d < 3; d++)
            if (m.limits->max_local[d] < m.limits->max_group || !m.limits->max_group)
                add_limit(&m, MAX_LOCAL + d, r[i].items[d], true, units[d]);
    }
    for (int i = 0; i < m.count; i++) add_limit(&m, LOCAL_BYTES, r[i].local_bytes, true, " bytes of local memory");
    for (int i = 0; i < m.count; i++) add_limit(&m, PRIVATE_BYTES, r[i].private_bytes, true, " bytes of private memory");
    for (int i = 0; i < m.count; i++) add_limit(&m, UNROLLED, r[i].unrolled, true, " unrolled statements");
    if (m.count) add_parallelism(&m);
    *out = vec_take(&m.made, arena);
    return m.made.n;
}
