/* plan_shape: the shape of a launch: extents of its ids, the size of a group. */
#include "plan_private.h"
#include "translate_view.h"

#include <stdlib.h>
#include <string.h>

typedef VEC(const Nat *) Lengths;

typedef struct Maps {
    Build *b;
    Extents *out;
    Lengths lengths[3];                  /* of mapLocal */
    bool joined;                         /* as Kernel's */
} Maps;

bool plan_is_placed(const Build *b, const Term *e) { return ANY(i, b->placed.n, b->placed.v[i].e == e); }

/* Is it what kernels before this one made, and nothing that is computed where it is read? */
static bool is_made(const Build *b, const Term *e)
{
    return ANY(i, b->placed.n, b->placed.v[i].e == e && view_is_pure(b->placed.v[i].v));
}

static void see_maps(Maps *m, const Term *e);

/* Those of scanGroups are in the kernel that reads what is placed. */
static void see_groups(Maps *m, const Term *e)
{
    if (!(e->flags & TF_REDUCES)) return;
    bool groups = e->kind == T_PRIM && e->prim == PRIM_SCAN_GROUPS;
    if (groups) see_maps(m, e->args[2]);
    for (int i = 0; i < e->arg_count && !groups; i++) see_groups(m, e->args[i]);
}

static void see_maps(Maps *m, const Term *e)
{
    if (!(e->flags & TF_MAPPED)) return;
    if (e->kind == T_PRIM && prim_is_parallel((PrimId)e->prim)) {
        int d = term_map_dim(e);
        IdKind kind = m->joined && e->prim == PRIM_MAP_GLOBAL ? ID_LOCAL : id_of_map(e);
        const Nat **most = &m->out->most[kind][d], *n = kernel_upper_bound(m->b, e->type->size);
        *most = *most ? nat_max(m->b->n, *most, n) : n;
        if (kind == ID_LOCAL && (n->is_const || m->b->resources)) vec_push(&m->lengths[d], n);
    }
    for (int i = 0; i < e->arg_count; i++) {
        const Term *a = e->args[i];
        if (is_made(m->b, a)) {
            see_groups(m, a);
            continue;
        }
        if (e->kind == T_PRIM && e->prim == PRIM_ITERATE && i == 0) a = iterate_step(m->b, e, e->args[1]->type->size);
        if (a) see_maps(m, a);
    }
}

const Nat *plan_usual_length(Nats *nats, const Nat *const *lengths, int count, bool on_gpu)
{
    const Nat *best = NULL;
    int most = 0;
    for (int i = 0; i < count; i++) {
        const Nat *n = lengths[i];
        int times = 0;
        for (int j = 0; j < count; j++) times += lengths[j] == n;
        if (times > most) best = n;
        else if (times == most) {
            /* Of two lengths that are as common the larger, as of a tile with its border; on a GPU the tile without it, since items that
             * only copy the border would leave the others in groups of odd sizes. */
            const Nat *low = nat_min(nats, best, n), *high = nat_max(nats, best, n), *one = nat_const(nats, 1);
            best = high;
            if (on_gpu) {
                const Nat *twice = nat_min(nats, one, nat_sub(nats, nat_div(nats, high, low, NULL), one));
                best = nat_add(nats, low, nat_mul(nats, nat_sub(nats, high, low), twice));
            }
        }
        if (times > most) most = times;
    }
    return best;
}

/* The kernel of n of them. */
static void extents_of(Build *b, const Launch *launches, int n, Extents *out)
{
    Maps m = {.b = b, .out = out, .joined = n > 1};
    int placed = b->placed.n;
    *out = (Extents){0};
    for (int i = 0; i < n; i++) {
        b->placed.n = launches[i].placed;
        see_maps(&m, launches[i].e);
    }
    b->placed.n = placed;
    for (int d = 0; d < 3; d++) {
        out->usual[d] = plan_usual_length(b->n, m.lengths[d].v, m.lengths[d].n, b->options->on_gpu);
        free(m.lengths[d].v);
    }
}

void plan_extents(Build *b, const Term *root, Extents *out) { extents_of(b, &(Launch){.e = root, .placed = b->placed.n}, 1, out); }

enum { GROUP_CPU = 64, GROUP_GPU = 256 };                /* small groups keep a GPU busy starting them */

static int64_t warp(const PlanOptions *o) { return (int64_t)target_number(o->target, TARGET_GPU, TARGET_WARP); }

static int64_t largest_divisor(int64_t n, int64_t most)
{
    for (int64_t k = n < most ? n : most; k > 1; k--)
        if (n % k == 0) return k;
    return 1;
}

/* A divisor of n, how many elements most mapLocals have, so that all have as much to do; some that are more, where it is a small one. single: one where the
 * term leaves it open. */
static int64_t local_for_groups(const PlanOptions *o, const Extents *x, int d, const Nat *n, int64_t room, bool single)
{
    if (!x->most[ID_LOCAL][d]) return 1;
    if (o->local[d] > 0) return o->local[d];
    if (single) return 1;
    int64_t best = n ? largest_divisor(n->value, room) : room < 64 ? room : 64;
    return n && n->value > room && best < warp(o) && room >= GROUP_GPU ? GROUP_GPU : best;
}

/* A divisor of n near usual; usual itself (with a guard) when n has none worth having: none of whole warps on a GPU. */
static int64_t local_for_global(const PlanOptions *o, const Nat *n, int64_t room, int64_t usual)
{
    if (usual > room) usual = room;
    if (!n->is_const) return usual;
    if (n->value <= usual) return n->value;
    if (n->value % usual == 0) return usual;
    int64_t high = largest_divisor(n->value, room < 256 ? room : 256), low = largest_divisor(n->value, usual);
    int64_t best = low >= warp(o) ? low : high;
    return o->on_gpu && best % warp(o) ? usual : best >= 16 ? best : usual;
}

/* Work-items wanted of a group of mapGlobals on a GPU: fewer where there are so few that they would not reach all its units, but whole warps. */
static int64_t group_for_units(const PlanOptions *o, const Extents *x)
{
    double items = 1, units = target_number(o->target, TARGET_GPU, TARGET_UNITS);
    int64_t group = GROUP_GPU;
    for (int d = 0; d < 3; d++) {
        const Nat *n = x->most[ID_GLOBAL][d];
        if (n && !n->is_const) return group;
        items *= n ? (double)n->value : 1;
    }
    while (group / 2 >= warp(o) && items < units * (double)group) group /= 2;
    return group;
}

/* Work-items wanted of a group in dimension d of mapGlobals, after `taken` in those before: all in the first on a CPU; on a
 * GPU rows of a warp where there is a second one, so that what neighbours in either direction read is near. */
static int64_t usual_items(const PlanOptions *o, const Extents *x, int d, int64_t taken)
{
    bool more = false;
    for (int i = d + 1; i < 3; i++) more |= x->most[ID_GLOBAL][i] != NULL;
    int64_t group = o->on_gpu ? group_for_units(o, x) / taken : taken == 1 ? GROUP_CPU : 1;
    return o->on_gpu && taken == 1 && more ? warp(o) : group > 1 ? group : 1;
}

/* Work-items of a group, at most. */
static int64_t most_items(const PlanOptions *o)
{
    int64_t most = o->max_group > 0 ? o->max_group : GROUP_GPU, allowed = o->target ? (int64_t)o->target->v[TARGET_MAX_GROUP] : most;
    return most < allowed ? most : allowed;
}

static bool has_warps(const Term *root) { return term_contains(root, PRIM_MAP_WARP, -1); }

/* Of so many work-items that a group may have, as many as it may have in dimension d. */
static int64_t room_in(const PlanOptions *o, int d, int64_t room)
{
    int64_t here = o->max_local[d] > 0 ? o->max_local[d] : d == 2 ? (int64_t)target_number(o->target, TARGET_GPU, TARGET_MAX_LOCAL2) : room;
    return here < room ? here : room;
}

/* Work-items of a group of the kernel of root, by dimension. */
static void shape_group(Build *b, const Term *root, const Extents *x, int *local)
{
    const PlanOptions *o = b->options;
    bool global = x->most[ID_GLOBAL][0] || x->most[ID_GLOBAL][1] || x->most[ID_GLOBAL][2];
    int64_t most = most_items(o), room = most, items = 1;
    bool units = units_in(b, root), warps = !o->prefer_single && has_warps(root);
    for (int d = 0; d < 3; d++) {
        const Nat *n = x->most[ID_GLOBAL][d];
        int asked = o->local[d];
        int64_t here = room_in(o, d, room);
        local[d] = 1;
        if (units && !asked && d < 2) local[d] = d ? UNIT_ITEMS1 : UNIT_ITEMS0;
        else if (warps && !asked && d == 0 && warp(o) <= here) local[d] = (int)warp(o);
        else if (!global) local[d] = (int)local_for_groups(o, x, d, x->usual[d], here, o->prefer_single && !units);
        else if (asked > 0 && n) local[d] = asked;
        else if (n) local[d] = (int)local_for_global(o, n, here, usual_items(o, x, d, items));
        items *= local[d];
        room = items < most ? most / items : 1;
    }
    /* Most are short, as the last sums of many parts: a group of less than a warp would do the long one with idle lanes. */
    const Nat *longest = x->most[ID_LOCAL][0];
    if (!o->on_gpu || global || units || items >= warp(o) || !longest || !longest->is_const) return;
    int64_t more = local_for_groups(o, x, 0, longest, room_in(o, 0, most / (items / local[0])), o->prefer_single);
    if (more > local[0]) local[0] = (int)more;
}

/* Rounds in which a group makes what has no reductions and would take some groups a round: the next kernel takes longer to start. On a CPU only what
 * one work-item does is joined: there work-items would become the rounds of a loop. */
enum { JOINED_ROUNDS = 4 };

bool plan_is_one_group(Build *b, Launch *l)
{
    Extents x;
    bool single = b->options->prefer_single;
    int64_t rounds = l->e->flags & TF_REDUCES ? 1 : JOINED_ROUNDS;
    if (b->options->paranoid || units_in(b, l->e) || has_warps(l->e)) return false;
    extents_of(b, l, 1, &x);
    shape_group(b, l->e, &x, l->local);
    for (int d = 0; d < 3; d++) {
        const Nat *global = x.most[ID_GLOBAL][d], *groups = x.most[ID_GROUP][d];
        if (global && !(global->is_const && global->value <= (single ? 1 : rounds * l->local[d]))) return false;
        if (global) rounds /= (global->value + l->local[d] - 1) / l->local[d];
        if (groups && !(groups->is_const && groups->value == 1)) return false;
    }
    return true;
}

/* Of a group that has the work-items of each; how many these are together. */
static int64_t joined_group(const Launch *launches, int n, int *local)
{
    for (int d = 0; d < 3; d++) {
        local[d] = 1;
        for (int i = 0; i < n; i++)
            if (launches[i].local[d] > local[d]) local[d] = launches[i].local[d];
    }
    return (int64_t)local[0] * local[1] * local[2];
}

bool plan_fit(const Build *b, const Launch *launches, int n)
{
    int local[3];
    return joined_group(launches, n, local) <= most_items(b->options);
}

void plan_shape(Build *b, const Launch *launches, int count)
{
    Extents x;
    Kernel *k = b->k;
    const PlanOptions *o = b->options;
    extents_of(b, launches, count, &x);
    if (count == 1) shape_group(b, k->root, &x, k->local);
    else joined_group(launches, count, k->local);
    k->warps = has_warps(k->root) && k->local[0] == warp(o);
    /* What was asked for may be more than the device takes. */
    int64_t most = most_items(o);
    if ((int64_t)k->local[0] * k->local[1] * k->local[2] > most && o->max_group > 0)
        build_fail(b, E53, k->root, "a group of %d x %d x %d work-items is more than the %lld that the device takes: set local auto",
                   k->local[0], k->local[1], k->local[2], (long long)most);
    for (int d = 0; d < 3 && !b->failed; d++)
        if (o->max_local[d] > 0 && k->local[d] > o->max_local[d])
            build_fail(b, E53, k->root, "a group of %d x %d x %d work-items has more in dimension %d than the %lld that the "
                       "device takes: set local auto", k->local[0], k->local[1], k->local[2], d, (long long)o->max_local[d]);
    memcpy(k->extent, x.most, sizeof x.most);
    for (int d = 0; d < 3; d++) {
        const Nat *local = nat_const(b->n, k->local[d]), *one = nat_const(b->n, 1);
        const Nat *n = x.most[ID_GLOBAL][d], *up = n ? nat_add(b->n, n, nat_const(b->n, k->local[d] - 1)) : NULL;
        const Nat *groups = x.most[ID_GROUP][d] ? x.most[ID_GROUP][d] : one;
        k->global[d] = n ? nat_mul(b->n, nat_div(b->n, up, local, b->facts), local) : nat_mul(b->n, groups, local);
        if (n && nat_divides(b->n, local, n, b->facts)) k->global[d] = n;
        const Nat *range[ID_KINDS] = {n ? k->global[d] : one, n ? one : groups, n ? one : local};
        for (int kind = 0; kind < ID_KINDS; kind++) {
            VarInfo info = {.kind = VAR_ID, .id = (IdKind)kind, .dim = d};
            k->id[kind][d] = kernel_index(b, info, kernel_ids[kind][d], range[kind]);
        }
    }
}

const char *plan_looped(Build *b, const Kernel *k)
{
    Buf out = {0};
    const PlanOptions *o = b->options;
    int64_t most = most_items(o);
    for (int d = 0; d < 3; d++) {
        const Nat *n = k->extent[ID_LOCAL][d] ? build_plain(b, k->extent[ID_LOCAL][d]) : NULL;
        int local = k->local[d];
        if (!n || (n->is_const && n->value <= local)) continue;
        buf_printf(&out, "%smapLocal %d is a loop over %s elements", out.len ? "\n" : "", d, nat_text(n, 0, b->arena));
        if (local > 1) buf_printf(&out, " in steps of %d", local);
        if (o->local[d] > 0) buf_puts(&out, ": `set local` asks for that many work-items");
        else if (o->prefer_single) {
            int64_t room = most < GROUP_CPU ? most : GROUP_CPU;
            buf_puts(&out, ": a group is one work-item on a CPU");
            if (d == 0) buf_printf(&out, "        set local %lld", (long long)(n->is_const ? largest_divisor(n->value, room) : room));
        } else if (!n->is_const) buf_puts(&out, ": how many there are is not known before it is launched");
        else if (n->value > most) buf_printf(&out, ": a group has at most %lld work-items", (long long)most);
        else buf_printf(&out, ": the other mapLocals have %d", local);
    }
    return out.len ? buf_take(&out, b->arena) : (buf_free(&out), NULL);
}
