/* resources: what a kernel needs of a device (memory, work-items, groups) as sizes over the parameters of its term. */
#include "plan_private.h"
#include "translate_emit.h"

#include <stdlib.h>

/* The walk goes as translate.c goes: into a destination, or to a value that is read. */
typedef enum Dest { TO_PRIVATE = SPACE_PRIVATE, TO_LOCAL = SPACE_LOCAL, TO_GLOBAL = SPACE_GLOBAL, TO_READER } Dest;

/* A local array, as kernel_share.c will find it: alive from one statement to another, counted on the way. */
typedef struct Local {
    const Nat *bytes;
    Scalar scalar;
    int from, to, slot;
    bool own;                            /* shares with none */
} Local;

typedef uint64_t Locals;                 /* a set; what is beyond its 64 shares with none */

typedef struct To { Dest space; Locals lies; } To;           /* where a value is written, and what that lies in */
static const To reader = {TO_READER, 0};

typedef struct Walk {
    Build *b;
    PlanResources *r;
    const Nat *ahead;                    /* directly in a step that reduceSeqPrefetch or reduceSeqPipe pipelines: the rounds that local memory holds */
    VEC(Local) locals;
    VEC(Locals) vars;                    /* what the variables bound on the way lie in */
    Locals lies;                         /* what the value walked last lies in */
    const Nat *items;                    /* of the mapLocals around, each of which has its own; NULL: there is none */
    int time;
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
    if (e->kind == T_PRIM && prim_is_map_local((PrimId)e->prim)) {
        int d = term_map_dim(e);
        if (!out->length[d]) out->length[d] = e->type->size;
    }
    if (is_space(e)) return;
    bool mapped = e->kind == T_PRIM && prim_is_map((PrimId)e->prim);      /* what it reads is another array */
    for (int i = 0; i < (mapped ? 1 : e->arg_count); i++)
        find_spread(e->args[i]->kind == T_LAM ? e->args[i]->args[0] : e->args[i], out);
}

/* ---- local memory ---- */

/* padding: of each row, the last dimension; NULL: none. swizzled: shares with none, as what has padding does */
static void add_locals(Walk *w, const Type *t, const Nat *padding, bool swizzled, const Nat *count, Locals *out)
{
    if (t->kind == TY_ARRAY) {
        const Nat *row = padding && t->elems[0]->kind != TY_ARRAY ? nat_add(w->b->n, t->size, padding) : t->size;
        return add_locals(w, t->elems[0], padding, swizzled, nat_mul(w->b->n, count, row), out);
    }
    for (int i = 0; t->kind == TY_TUPLE && i < t->count; i++) add_locals(w, t->elems[i], padding, swizzled, count, out);
    if (t->kind == TY_TUPLE) return;
    bool many = w->locals.n >= 64;
    if (!many) *out |= (Locals)1 << w->locals.n;
    const Nat *bytes = nat_mul(w->b->n, count, bytes_of(w, t));
    if (w->ahead) bytes = nat_mul(w->b->n, bytes, w->ahead);
    vec_push(&w->locals, ((Local){.bytes = bytes, .scalar = t->scalar, .from = -1, .own = many || w->ahead != NULL || w->items || padding || swizzled}));
}

/* What was made before a loop that began then, and is touched in it, lives until now. */
static void touch_loop(Walk *w, Locals set, int from, int before)
{
    w->time++;
    for (int i = 0; i < before; i++)
        if (w->locals.v[i].to >= from) w->locals.v[i].to = w->time;
    /* A statement from that time on until now touches them. */
    for (int i = 0; i < w->locals.n && i < 64; i++) {
        Local *l = &w->locals.v[i];
        if (!(set >> i & 1)) continue;
        if (l->from < 0) l->from = from;
        l->to = w->time;
    }
}

static bool can_share(const Local *x, const Local *y)
{
    return !x->own && !y->own && x->scalar == y->scalar && (x->to < y->from || y->to < x->from);
}

static int by_start(const void *x, const void *y) { return ((const Local *)x)->from - ((const Local *)y)->from; }

/* ---- the walk ---- */

static const Nat *walk(Walk *w, const Term *e, To to);

/* The body of a function whose parameter lies in that. */
static const Nat *walk_body(Walk *w, const Term *lambda, Locals lies, To to)
{
    int before = w->vars.n;
    for (int i = 0; i < lambda->type->elems[0]->leaf_count; i++) vec_push(&w->vars, lies);
    const Nat *sum = walk(w, lambda->args[0], to);
    w->vars.n = before;
    return sum;
}

/* Those that are functions last, of elements of the others. */
static const Nat *walk_args(Walk *w, const Term *e, To to)
{
    const Nat *sum = num(w, 0);
    Locals lies = 0;
    for (int i = 0; i < e->arg_count; i++) {
        if (e->args[i]->kind == T_LAM) continue;
        sum = nat_add(w->b->n, sum, walk(w, e->args[i], to.space == TO_READER ? reader : to));
        lies |= w->lies;
    }
    for (int i = 0; i < e->arg_count; i++) {
        if (e->args[i]->kind != T_LAM) continue;
        sum = nat_add(w->b->n, sum, walk_body(w, e->args[i], lies, reader));
        lies |= w->lies;
    }
    w->lies = lies;
    return sum;
}

static Dest space_of(const Term *e) { return is_space(e) ? (Dest)emit_space(e) : TO_READER; }

/* What of it is local. at: what asks for it, NULL: nothing that has padding. */
static Locals allocate(Walk *w, const Term *writer, const Type *type, Dest space, const Term *at)
{
    Locals made = 0;
    Spread spread = {0};
    if (space == TO_LOCAL) add_locals(w, type, at ? row_padding(at) : NULL, at && at->prim == PRIM_TO_LOCAL_SWIZZLED, w->items ? w->items : num(w, 1), &made);
    if (space != TO_PRIVATE) return made;
    find_spread(writer, &spread);
    /* What one work-item has of an array that mapLocals write: with as many rounds as its length takes. */
    const Nat *bytes = bytes_of(w, type);
    Nats *n = w->b->n;
    for (int d = 0; d < 3; d++) {
        const Nat *length = spread.length[d], *items = w->r->items[d];
        if (!length || !items) continue;
        const Nat *part = nat_exact(n, bytes, length);
        if (part && length == items) bytes = part;
        else if (part) bytes = nat_mul(n, part, nat_div(n, nat_add(n, length, nat_sub(n, items, num(w, 1))), items, NULL));
    }
    w->r->private_bytes = nat_add(w->b->n, w->r->private_bytes, bytes);
    return made;
}

/* How often an unrolled loop makes what stands in it. */
static const Nat *times(Walk *w, const Term *e, const Nat *length, const Nat *inner)
{
    if (!(prim((PrimId)e->prim)->traits & PT_UNROLLED) || !inner) return inner;
    return nat_mul(w->b->n, length, inner->term_count ? inner : num(w, 1));
}

static const Nat *walk_fold(Walk *w, const Term *e, To to)
{
    const Term *z = e->args[1];
    const Nat *ahead = w->ahead;
    bool small = emit_is_small(e->type);
    Dest space = small ? TO_READER : space_of(z) != TO_READER ? space_of(z) : to.space;
    bool there = !small && space == to.space && space != TO_PRIVATE;
    const Nat *sum = walk(w, z, there ? to : reader);
    Locals acc = space_of(z) == TO_LOCAL && !there ? w->lies : to.lies;
    sum = nat_add(w->b->n, sum, walk(w, e->args[2], reader));
    Locals in = w->lies;
    int start = ++w->time, before = w->locals.n;
    w->ahead = e->prim == PRIM_REDUCE_SEQ_PREFETCH ? num(w, 2) : e->prim == PRIM_REDUCE_SEQ_PIPE ? e->statics[0] : NULL;
    const Nat *step = walk_body(w, e->args[0], in | acc, (To){space, small ? 0 : acc});
    sum = nat_add(w->b->n, sum, times(w, e, e->args[2]->type->size, step));
    w->ahead = ahead;
    touch_loop(w, w->lies | in | acc | to.lies, start, before);
    w->lies = small ? 0 : acc;
    return sum;
}

/* Steps but the last go to memory of the destination's space. */
static const Nat *walk_iterate(Walk *w, const Term *e, To to)
{
    const Nat *count = e->statics[0], *length = e->args[1]->type->size, *sum = walk(w, e->args[1], reader);
    int64_t steps = count->is_const && count->value <= ITERATE_MAX ? count->value : 0;
    for (int64_t i = 0; i < steps; i++) {
        const Term *f = iterate_step(w->b, e, length);
        if (!f) return NULL;
        Locals from = w->lies, made = i + 1 < steps && to.space != TO_READER ? allocate(w, f->args[0], f->type->elems[1], to.space, NULL) : to.lies;
        int start = ++w->time;
        sum = nat_add(w->b->n, sum, walk_body(w, f, from, (To){to.space, made}));
        touch_loop(w, from | made, start, 0);
        w->lies = made;
        length = f->type->elems[1]->size;
    }
    return count->is_const ? sum : NULL;
}

/* Statements that unrolled loops make of e; NULL: not known. */
static const Nat *walk(Walk *w, const Term *e, To to)
{
    bool placed = plan_is_placed(w->b, e);
    w->lies = 0;
    if (!(e->flags & (TF_MAPPED | TF_MEMORY | TF_REDUCES)) || placed) {
        for (int i = 0; i < w->vars.n && i < e->free_limit && !placed; i++)
            if (w->vars.v[w->vars.n - 1 - i] && term_mentions(e, i, 1)) w->lies |= w->vars.v[w->vars.n - 1 - i];
        return num(w, 0);
    }
    if (e->kind != T_PRIM) return walk_args(w, e, reader);
    if (space_of(e) != TO_READER) {
        Dest space = space_of(e);
        /* is named, not stored */
        bool value = space == TO_PRIVATE && emit_is_small(e->type) && !(e->args[0]->flags & TF_MAPPED);
        To in = {value ? TO_READER : space, to.lies};
        if (space != to.space && !value) in.lies = allocate(w, e->args[0], e->type, space, e);
        int start = ++w->time;
        const Nat *sum = walk(w, e->args[0], in);
        touch_loop(w, value ? w->lies : w->lies | in.lies, start, 0);
        if (!value) w->lies = in.lies;
        return sum;
    }
    if (e->prim == PRIM_LET) {
        const Nat *sum = walk(w, e->args[0], reader);
        return nat_add(w->b->n, sum, walk_body(w, e->args[1], w->lies, to));
    }
    if (prim_is_mapped((PrimId)e->prim)) {
        const Nat *ahead = w->ahead, *items = w->items, *sum = walk(w, e->args[1], reader);
        Locals in = w->lies;
        int start = ++w->time, before = w->locals.n;
        w->ahead = prim_is_parallel((PrimId)e->prim) ? ahead : NULL;
        if (prim_is_map_local((PrimId)e->prim)) w->items = items ? nat_mul(w->b->n, items, e->type->size) : e->type->size;
        sum = nat_add(w->b->n, sum, times(w, e, e->type->size, walk_body(w, e->args[0], in, to)));
        w->items = items;
        w->ahead = ahead;
        w->lies |= in;
        touch_loop(w, w->lies | to.lies, start, before);
        return sum;
    }
    if (prim_is_reduce((PrimId)e->prim) && e->arg_count == 3) return walk_fold(w, e, to);
    if (e->prim == PRIM_ITERATE) return walk_iterate(w, e, to);
    const Prim *p = prim((PrimId)e->prim);       /* what a layout stands on is written where it can be written through */
    bool through = p->write == WRITE_INVERSE || p->write == WRITE_TUPLE || p->write == WRITE_ZIP || p->write == WRITE_CONCAT;
    return walk_args(w, e, through ? to : reader);
}

bool plan_is_known(const Nat *n) { return n && !nat_var_of(n, VAR_SIZE, NULL) && !nat_var_of(n, VAR_INDEX, NULL); }

static const Nat *known(const Nat *n) { return plan_is_known(n) ? n : NULL; }

void plan_measure(Build *b, const Term *root)
{
    const Nat *one = nat_const(b->n, 1), *none = nat_const(b->n, 0);
    PlanResources r = {.private_bytes = none};
    Walk w = {.b = b, .r = &r};
    Extents x;
    plan_extents(b, root, &x);
    bool global = x.most[ID_GLOBAL][0] || x.most[ID_GLOBAL][1] || x.most[ID_GLOBAL][2];
    for (int d = 0; d < 3; d++) {
        r.groups[d] = x.most[ID_GROUP][d] ? known(x.most[ID_GROUP][d]) : one;
        r.items[d] = x.usual[d] && !global ? known(x.usual[d]) : one;
        r.global[d] = known(x.most[ID_GLOBAL][d]);
    }
    r.unrolled = known(walk(&w, root, (To){TO_GLOBAL, 0}));
    /* All together, as they share rooms. */
    int n = w.locals.n;
    Local *v = w.locals.v;
    const Nat *sum = num(&w, 0);
    if (n) qsort(v, (size_t)n, sizeof *v, by_start);
    for (int i = 0; i < n; i++) {
        for (bool fits = false; !fits; v[i].slot += !fits) {
            fits = true;
            for (int j = 0; j < i; j++) fits = fits && (v[j].slot != v[i].slot || can_share(&v[i], &v[j]));
        }
    }
    for (int slot = 0; slot < n; slot++) {
        const Nat *most = num(&w, 0);
        for (int i = 0; i < n; i++)
            if (v[i].slot == slot) most = nat_max(w.b->n, most, v[i].bytes);
        sum = nat_add(w.b->n, sum, most);
    }
    r.local_bytes = known(sum);
    free(w.locals.v);
    free(w.vars.v);
    r.private_bytes = known(r.private_bytes);
    vec_push(b->resources, r);
}
