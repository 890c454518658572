/* resources: what a lowered term needs of a device (memory, work-items, groups) as sizes over its parameters: what plans of it
 * at every point of a space would say, without making them. */
#include "translate_emit.h"

#include <stdlib.h>
#include <string.h>

/* The walk goes as plan.c and translate.c go: into a destination, or to a value that is read. */
typedef enum Dest { TO_PRIVATE = SPACE_PRIVATE, TO_LOCAL = SPACE_LOCAL, TO_GLOBAL = SPACE_GLOBAL, TO_READER } Dest;

enum { STEPS_MAX = 256 };

typedef struct Kernels {
    Ctx *c;
    Arena *arena;
    VEC(PlanResources) made;
    VEC(const Nat *) lengths[3];         /* of mapLocal in the kernel under way */
    PlanResources *r;                        /* it; NULL outside */
    bool on_gpu;
    bool ahead;                          /* directly in a step that reduceSeqPrefetch pipelines */
} Kernels;

static const Nat *num(const Kernels *k, int64_t v) { return nat_const(k->c->nats, v); }
static bool is_prim(const Term *e, PrimId p) { return e->kind == T_PRIM && e->prim == p; }

static const Nat *bytes_of(Kernels *k, const Type *t)
{
    Nats *n = k->c->nats;
    if (t->kind == TY_ARRAY) return nat_mul(n, t->size, bytes_of(k, t->elems[0]));
    if (t->kind != TY_TUPLE) return num(k, (int64_t)scalar_bytes(t->scalar) * (t->kind == TY_VECTOR ? t->width : 1));
    const Nat *sum = num(k, 0);
    for (int i = 0; i < t->count; i++) sum = nat_add(n, sum, bytes_of(k, t->elems[i]));
    return sum;
}

/* ---- memory ---- */

typedef struct Spread { const Nat *length[3]; } Spread;       /* of the mapLocals that write an array (its distribution) */

static void find_spread(const Term *e, Spread *out)
{
    if (!(e->flags & TF_MAPPED) || emit_is_small(e->type)) return;
    if (is_prim(e, PRIM_MAP_LOCAL)) {
        int d = (int)e->statics[0]->value;
        if (!out->length[d]) out->length[d] = e->type->size;
    }
    if (is_space(e)) return;
    bool mapped = e->kind == T_PRIM && prim_is_map((PrimId)e->prim);      /* what it reads is another array */
    for (int i = 0; i < (mapped ? 1 : e->arg_count); i++)
        find_spread(e->args[i]->kind == T_LAM ? e->args[i]->args[0] : e->args[i], out);
}

/* What one work-item has of an array that mapLocals write: with as many rounds as its length takes. Called
 * when all mapLocals of the kernel were seen. */
static const Nat *own_part(Kernels *k, const Nat *bytes, const Spread *spread)
{
    Nats *n = k->c->nats;
    for (int d = 0; d < 3; d++) {
        const Nat *length = spread->length[d], *items = k->r->items[d];
        if (!length || !items) continue;
        const Nat *part = nat_exact(n, bytes, length);
        if (part && length == items) bytes = part;
        else if (part) bytes = nat_mul(n, part, nat_div(n, nat_add(n, length, nat_sub(n, items, num(k, 1))), items, NULL));
    }
    return bytes;
}

static void add_to(Kernels *k, const Nat **sum, const Nat *more) { *sum = nat_add(k->c->nats, *sum, more); }

/* ---- the walk inside a kernel ---- */

typedef struct Held { const Nat *bytes; Spread spread; } Held;          /* a private array */
typedef VEC(Held) HeldVec;

typedef struct Walk {
    Kernels *k;
    const Term *root;
    HeldVec private;
} Walk;

static const Nat *walk(Walk *w, const Term *e, Dest to);
static bool is_made_before(const Term *nest, int arg);

static const Nat *walk_data(Walk *w, const Term *e, int arg)
{
    return e == w->root && is_made_before(e, arg) ? num(w->k, 0) : walk(w, e->args[arg], TO_READER);
}

static const Nat *walk_children(Walk *w, const Term *e)
{
    const Nat *sum = num(w->k, 0);
    for (int i = 0; i < e->arg_count; i++) sum = nat_add(w->k->c->nats, sum, walk(w, e->args[i], TO_READER));
    return sum;
}

static Dest space_of(const Term *e) { return is_space(e) ? (Dest)emit_space(e) : TO_READER; }

static void allocate(Walk *w, const Term *writer, const Type *type, Dest space)
{
    Kernels *k = w->k;
    const Nat *bytes = bytes_of(k, type);
    if (space == TO_LOCAL) add_to(k, &k->r->local_bytes, k->ahead ? nat_mul(k->c->nats, bytes, num(k, 2)) : bytes);
    if (space != TO_PRIVATE) return;
    Held h = {.bytes = bytes};
    if (writer) find_spread(writer, &h.spread);
    vec_push(&w->private, h);
}

static const Nat *walk_space(Walk *w, const Term *e, Dest to)
{
    Dest space = space_of(e);
    /* is named, not stored */
    bool value = space == TO_PRIVATE && emit_is_small(e->type) && !(e->args[0]->flags & TF_MAPPED);
    if (space != to && !value) allocate(w, e->args[0], e->type, space);
    return walk(w, e->args[0], value ? TO_READER : space);
}

/* How often an unrolled loop makes what stands in it. */
static const Nat *times(Walk *w, const Term *e, const Nat *length, const Nat *inner)
{
    if (!(prim((PrimId)e->prim)->traits & PT_UNROLLED) || !inner) return inner;
    return nat_mul(w->k->c->nats, length, inner->term_count ? inner : num(w->k, 1));
}

static const Nat *walk_map(Walk *w, const Term *e, Dest to)
{
    bool ahead = w->k->ahead;
    if (is_prim(e, PRIM_MAP_LOCAL)) vec_push(&w->k->lengths[e->statics[0]->value], e->type->size);
    if (is_prim(e, PRIM_MAP_WORKGROUP)) {
        const Nat **groups = &w->k->r->groups[e->statics[0]->value];
        *groups = *groups == num(w->k, 1) ? e->type->size : nat_max(w->k->c->nats, *groups, e->type->size);
    }
    if (is_prim(e, PRIM_MAP_GLOBAL)) {
        const Nat **items = &w->k->r->global[e->statics[0]->value];
        *items = *items ? nat_max(w->k->c->nats, *items, e->type->size) : e->type->size;
    }
    w->k->ahead = ahead && prim_is_parallel((PrimId)e->prim);
    const Nat *inner = times(w, e, e->type->size, walk(w, e->args[0]->args[0], to));
    w->k->ahead = ahead;
    return nat_add(w->k->c->nats, inner, walk_data(w, e, 1));
}

static const Nat *walk_fold(Walk *w, const Term *e, Dest to)
{
    const Term *z = e->args[1];
    Nats *n = w->k->c->nats;
    bool ahead = w->k->ahead, small = emit_is_small(e->type);
    Dest space = small ? TO_READER : space_of(z) != TO_READER ? space_of(z) : to;
    const Nat *sum = num(w->k, 0);
    if (!(e == w->root && is_made_before(e, 1)))
        sum = walk(w, z, !small && space == to && to != TO_PRIVATE ? to : TO_READER);
    w->k->ahead = e->prim == PRIM_REDUCE_SEQ_PREFETCH;
    sum = nat_add(n, sum, times(w, e, e->args[2]->type->size, walk(w, e->args[0]->args[0], space)));
    w->k->ahead = ahead;
    return nat_add(n, sum, walk_data(w, e, 2));
}

static const Term *step_at(Kernels *k, const Term *e, const Nat *length)
{
    const Nat *own = e->args[0]->type->elems[0]->size;
    if (own->is_const) return e->args[0];
    NatBinding b = {own->terms[0].factors[0].atom, length};
    return term_subst_nats(k->c, e->args[0], &b, 1);
}

/* Steps but the last go to memory of the destination's space. The work-items of a group are chosen by the first. */
static const Nat *walk_iterate(Walk *w, const Term *e, Dest to)
{
    const Nat *count = e->statics[0], *length = e->args[1]->type->size, *sum = walk(w, e->args[1], TO_READER);
    int64_t steps = count->is_const && count->value < STEPS_MAX ? count->value : 0;
    int seen[3] = {0};
    for (int64_t i = 0; i < steps; i++) {
        const Term *f = step_at(w->k, e, length);
        if (!f) return NULL;
        for (int d = 0; d < 3 && i == 1; d++) seen[d] = w->k->lengths[d].n;
        bool last = i + 1 == steps;
        if (!last && to != TO_READER) allocate(w, f->args[0], f->type->elems[1], to);
        sum = nat_add(w->k->c->nats, sum, walk(w, f->args[0], to));
        length = f->type->elems[1]->size;
    }
    for (int d = 0; d < 3 && steps > 1; d++) w->k->lengths[d].n = seen[d];
    return count->is_const ? sum : NULL;
}

static const Nat *walk_through(Walk *w, const Term *e, Dest to)
{
    const Nat *sum = num(w->k, 0);
    for (int i = 0; i < e->arg_count; i++)
        sum = nat_add(w->k->c->nats, sum, walk(w, e->args[i], e->args[i]->kind == T_LAM ? TO_READER : to));
    return sum;
}

/* Statements that unrolled loops make of e; NULL: not known. */
static const Nat *walk(Walk *w, const Term *e, Dest to)
{
    if (!(e->flags & (TF_MAPPED | TF_MEMORY | TF_REDUCES))) return num(w->k, 0);
    if (e->kind != T_PRIM) return walk_children(w, e);
    if (space_of(e) != TO_READER) return walk_space(w, e, to);
    if (e->prim == PRIM_LET)
        return nat_add(w->k->c->nats, walk(w, e->args[0], TO_READER), walk(w, e->args[1]->args[0], to));
    if (prim_is_mapped((PrimId)e->prim)) return walk_map(w, e, to);
    if (prim_is_reduce((PrimId)e->prim) && e->arg_count == 3) return walk_fold(w, e, to);
    if (e->prim == PRIM_ITERATE) return walk_iterate(w, e, to);
    const Prim *p = prim((PrimId)e->prim);       /* what a layout stands on is written where it can be written through */
    bool through = p->traits & PT_INVERSE || p->write == WRITE_TUPLE || p->write == WRITE_ZIP || p->write == WRITE_CONCAT;
    return through ? walk_through(w, e, to) : walk_children(w, e);
}

/* ---- kernels ---- */

bool plan_is_known(const Nat *n)
{
    NatAtomVec vars = {0};
    bool ok = n != NULL;
    if (n) nat_vars(n, &vars);
    for (int i = 0; i < vars.n; i++) ok = ok && vars.v[i]->var == VAR_PARAM;
    free(vars.v);
    return ok;
}

static const Nat *known(const Nat *n) { return plan_is_known(n) ? n : NULL; }

static void finish_kernel(Walk *w)
{
    Kernels *k = w->k;
    PlanResources *r = k->r;
    bool global = r->global[0] || r->global[1] || r->global[2];
    for (int d = 0; d < 3; d++)
        if (k->lengths[d].n && !global) r->items[d] = plan_usual_length(k->c->nats, k->lengths[d].v, k->lengths[d].n, k->on_gpu);
    for (int i = 0; i < w->private.n; i++)
        add_to(k, &r->private_bytes, own_part(k, w->private.v[i].bytes, &w->private.v[i].spread));
    for (int d = 0; d < 3; d++) {
        r->groups[d] = known(r->groups[d]);
        r->items[d] = known(r->items[d]);
        r->global[d] = known(r->global[d]);
    }
    r->local_bytes = known(r->local_bytes);
    r->private_bytes = known(r->private_bytes);
    r->unrolled = known(r->unrolled);
}

static void make_kernel(Kernels *k, const Term *e)
{
    PlanResources r = {.local_bytes = num(k, 0), .private_bytes = num(k, 0)};
    Walk w = {.k = k, .root = e};
    for (int d = 0; d < 3; d++) {
        r.groups[d] = r.items[d] = num(k, 1);
        k->lengths[d].n = 0;
    }
    k->r = &r;
    r.unrolled = walk(&w, e, TO_GLOBAL);
    finish_kernel(&w);
    vec_push(&k->made, r);
    k->r = NULL;
    free(w.private.v);
}

static bool has_parallel(const Term *e)
{
    if (!(e->flags & TF_MAPPED)) return false;
    if (e->kind == T_PRIM && prim_is_parallel((PrimId)e->prim)) return true;
    for (int i = 0; i < e->arg_count; i++)
        if (has_parallel(e->args[i])) return true;
    return false;
}

static bool is_loop(const Term *e)
{
    return e->kind == T_PRIM && (prim_is_mapped((PrimId)e->prim) || prim_is_fold((PrimId)e->prim));
}

/* What a kernel's outermost loop reads comes from kernels before it where that is parallel itself; but the
 * accumulator of a fold is made by the work-items that update it. */
static bool is_made_before(const Term *nest, int arg)
{
    if (nest->args[arg]->kind == T_LAM || !has_parallel(nest->args[arg])) return false;
    return !(prim_is_fold((PrimId)nest->prim) && arg == 1 && has_parallel(nest->args[0]));
}

static void find_kernels(Kernels *k, const Term *e)
{
    bool loop = is_loop(e);
    if (!has_parallel(e)) return;
    for (int i = 0; i < e->arg_count; i++)
        if (!loop || is_made_before(e, i)) find_kernels(k, e->args[i]);
    if (loop) make_kernel(k, e);
}

int plan_resources(Ctx *c, Arena *arena, const Term *lowered, bool on_gpu, PlanResources **out)
{
    Kernels k = {.c = c, .arena = arena, .on_gpu = on_gpu};
    find_kernels(&k, lowered);
    if (k.made.n == 0) make_kernel(&k, lowered);
    *out = NEW_ARRAY(arena, PlanResources, k.made.n);
    memcpy(*out, k.made.v, sizeof **out * (size_t)k.made.n);
    int n = k.made.n;
    free(k.made.v);
    for (int d = 0; d < 3; d++) free(k.lengths[d].v);
    return n;
}
