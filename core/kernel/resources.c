/* resources: what a kernel needs of a device (memory, work-items, groups) as sizes over the parameters of its term. */
#include "translate_emit.h"

#include <stdlib.h>

/* The walk goes as translate.c goes: into a destination, or to a value that is read. */
typedef enum Dest { TO_PRIVATE = SPACE_PRIVATE, TO_LOCAL = SPACE_LOCAL, TO_GLOBAL = SPACE_GLOBAL, TO_READER } Dest;

enum { STEPS_MAX = 256 };

typedef struct Walk {
    Build *b;
    PlanResources *r;
    bool ahead;                          /* directly in a step that reduceSeqPrefetch pipelines */
} Walk;

static const Nat *num(const Walk *w, int64_t v) { return nat_const(w->b->n, v); }

static const Nat *bytes_of(Walk *w, const Type *t)
{
    Nats *n = w->b->n;
    if (t->kind == TY_ARRAY) return nat_mul(n, t->size, bytes_of(w, t->elems[0]));
    if (t->kind != TY_TUPLE) return num(w, (int64_t)scalar_bytes(t->scalar) * (t->kind == TY_VECTOR ? t->width : 1));
    const Nat *sum = num(w, 0);
    for (int i = 0; i < t->count; i++) sum = nat_add(n, sum, bytes_of(w, t->elems[i]));
    return sum;
}

/* ---- memory ---- */

typedef struct Spread { const Nat *length[3]; } Spread;       /* of the mapLocals that write an array (its distribution) */

static void find_spread(const Term *e, Spread *out)
{
    if (!(e->flags & TF_MAPPED) || emit_is_small(e->type)) return;
    if (e->kind == T_PRIM && e->prim == PRIM_MAP_LOCAL) {
        int d = (int)e->statics[0]->value;
        if (!out->length[d]) out->length[d] = e->type->size;
    }
    if (is_space(e)) return;
    bool mapped = e->kind == T_PRIM && prim_is_map((PrimId)e->prim);      /* what it reads is another array */
    for (int i = 0; i < (mapped ? 1 : e->arg_count); i++)
        find_spread(e->args[i]->kind == T_LAM ? e->args[i]->args[0] : e->args[i], out);
}

/* What one work-item has of an array that mapLocals write: with as many rounds as its length takes. */
static const Nat *own_part(Walk *w, const Nat *bytes, const Spread *spread)
{
    Nats *n = w->b->n;
    for (int d = 0; d < 3; d++) {
        const Nat *length = spread->length[d], *items = w->r->items[d];
        if (!length || !items) continue;
        const Nat *part = nat_exact(n, bytes, length);
        if (part && length == items) bytes = part;
        else if (part) bytes = nat_mul(n, part, nat_div(n, nat_add(n, length, nat_sub(n, items, num(w, 1))), items, NULL));
    }
    return bytes;
}

/* ---- the walk ---- */

static const Nat *walk(Walk *w, const Term *e, Dest to);

static const Nat *walk_children(Walk *w, const Term *e)
{
    const Nat *sum = num(w, 0);
    for (int i = 0; i < e->arg_count; i++) sum = nat_add(w->b->n, sum, walk(w, e->args[i], TO_READER));
    return sum;
}

static Dest space_of(const Term *e) { return is_space(e) ? (Dest)emit_space(e) : TO_READER; }

static void allocate(Walk *w, const Term *writer, const Type *type, Dest space)
{
    Nats *n = w->b->n;
    PlanResources *r = w->r;
    const Nat *bytes = bytes_of(w, type);
    Spread spread = {0};
    if (space == TO_LOCAL) r->local_bytes = nat_add(n, r->local_bytes, w->ahead ? nat_mul(n, bytes, num(w, 2)) : bytes);
    if (space != TO_PRIVATE) return;
    find_spread(writer, &spread);
    r->private_bytes = nat_add(n, r->private_bytes, own_part(w, bytes, &spread));
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
    return nat_mul(w->b->n, length, inner->term_count ? inner : num(w, 1));
}

static const Nat *walk_map(Walk *w, const Term *e, Dest to)
{
    bool ahead = w->ahead;
    w->ahead = ahead && prim_is_parallel((PrimId)e->prim);
    const Nat *inner = times(w, e, e->type->size, walk(w, e->args[0]->args[0], to));
    w->ahead = ahead;
    return nat_add(w->b->n, inner, walk(w, e->args[1], TO_READER));
}

static const Nat *walk_fold(Walk *w, const Term *e, Dest to)
{
    const Term *z = e->args[1];
    bool ahead = w->ahead, small = emit_is_small(e->type);
    Dest space = small ? TO_READER : space_of(z) != TO_READER ? space_of(z) : to;
    const Nat *sum = walk(w, z, !small && space == to && to != TO_PRIVATE ? to : TO_READER);
    w->ahead = e->prim == PRIM_REDUCE_SEQ_PREFETCH;
    sum = nat_add(w->b->n, sum, times(w, e, e->args[2]->type->size, walk(w, e->args[0]->args[0], space)));
    w->ahead = ahead;
    return nat_add(w->b->n, sum, walk(w, e->args[2], TO_READER));
}

/* Steps but the last go to memory of the destination's space. */
static const Nat *walk_iterate(Walk *w, const Term *e, Dest to)
{
    const Nat *count = e->statics[0], *length = e->args[1]->type->size, *sum = walk(w, e->args[1], TO_READER);
    int64_t steps = count->is_const && count->value < STEPS_MAX ? count->value : 0;
    for (int64_t i = 0; i < steps; i++) {
        const Term *f = iterate_step(w->b, e, length);
        if (!f) return NULL;
        if (i + 1 < steps && to != TO_READER) allocate(w, f->args[0], f->type->elems[1], to);
        sum = nat_add(w->b->n, sum, walk(w, f->args[0], to));
        length = f->type->elems[1]->size;
    }
    return count->is_const ? sum : NULL;
}

static const Nat *walk_through(Walk *w, const Term *e, Dest to)
{
    const Nat *sum = num(w, 0);
    for (int i = 0; i < e->arg_count; i++)
        sum = nat_add(w->b->n, sum, walk(w, e->args[i], e->args[i]->kind == T_LAM ? TO_READER : to));
    return sum;
}

/* Statements that unrolled loops make of e; NULL: not known. */
static const Nat *walk(Walk *w, const Term *e, Dest to)
{
    if (!(e->flags & (TF_MAPPED | TF_MEMORY | TF_REDUCES)) || plan_is_placed(w->b, e)) return num(w, 0);
    if (e->kind != T_PRIM) return walk_children(w, e);
    if (space_of(e) != TO_READER) return walk_space(w, e, to);
    if (e->prim == PRIM_LET)
        return nat_add(w->b->n, walk(w, e->args[0], TO_READER), walk(w, e->args[1]->args[0], to));
    if (prim_is_mapped((PrimId)e->prim)) return walk_map(w, e, to);
    if (prim_is_reduce((PrimId)e->prim) && e->arg_count == 3) return walk_fold(w, e, to);
    if (e->prim == PRIM_ITERATE) return walk_iterate(w, e, to);
    const Prim *p = prim((PrimId)e->prim);       /* what a layout stands on is written where it can be written through */
    bool through = p->traits & PT_INVERSE || p->write == WRITE_TUPLE || p->write == WRITE_ZIP || p->write == WRITE_CONCAT;
    return through ? walk_through(w, e, to) : walk_children(w, e);
}

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

void plan_measure(Build *b, const Term *root)
{
    const Nat *one = nat_const(b->n, 1), *none = nat_const(b->n, 0);
    PlanResources r = {.local_bytes = none, .private_bytes = none};
    Walk w = {.b = b, .r = &r};
    Extents x;
    plan_extents(b, root, &x);
    bool global = x.most[ID_GLOBAL][0] || x.most[ID_GLOBAL][1] || x.most[ID_GLOBAL][2];
    for (int d = 0; d < 3; d++) {
        r.groups[d] = x.most[ID_GROUP][d] ? known(x.most[ID_GROUP][d]) : one;
        r.items[d] = x.usual[d] && !global ? known(x.usual[d]) : one;
        r.global[d] = known(x.most[ID_GLOBAL][d]);
    }
    r.unrolled = known(walk(&w, root, TO_GLOBAL));
    r.local_bytes = known(r.local_bytes);
    r.private_bytes = known(r.private_bytes);
    vec_push(b->resources, r);
}
