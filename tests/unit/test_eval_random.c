/* test_eval_random: random typed terms, evaluated by the interpreter (whole, and element by element) and by a second
 * one that is as plain as can be: every value is a flat row of scalars, everything is computed at once, nothing is
 * shared. */
#include <math.h>

#include "unit.h"
#include "eval.h"

/* ---- the plain interpreter: an array is its elements one after another, a tuple its components ---- */

typedef struct Row { double *v; int n; } Row;

typedef struct Scope {
    const struct Scope *up;
    Row row;
} Scope;

typedef struct Plain {
    Ctx *c;
    Arena *arena;
    const Term *input[2];
    Row values[2];
} Plain;

static Row row_new(Plain *p, int n) { return (Row){NEW_ARRAY(p->arena, double, n), n}; }
static Row part(Row r, int from, int n) { return (Row){r.v + from, n}; }

static int width(const Type *t)
{
    if (t->kind == TY_SCALAR) return 1;
    if (t->kind == TY_VECTOR) return t->width;
    if (t->kind == TY_ARRAY) return (int)t->size->value * width(t->elems[0]);
    int n = 0;
    for (int i = 0; i < t->count; i++) n += width(t->elems[i]);
    return n;
}

static int length(const Type *t) { return t->kind == TY_VECTOR ? t->width : (int)t->size->value; }

static Row run(Plain *p, const Term *t, const Scope *s);

/* Binds the leaves of a parameter of type t, left to right, then runs the body. */
static Row call_leaves(Plain *p, const Term *body, const Scope *s, const Type *const *types, const Row *rows, int n)
{
    if (n == 0) return run(p, body, s);
    if (types[0]->kind != TY_TUPLE) {
        Scope inner = {s, rows[0]};
        return call_leaves(p, body, &inner, types + 1, rows + 1, n - 1);
    }
    const Type *t2[64];
    Row r2[64];
    int k = types[0]->count, from = 0;
    for (int i = 0; i < k; i++) {
        t2[i] = types[0]->elems[i];
        r2[i] = part(rows[0], from, width(t2[i]));
        from += width(t2[i]);
    }
    for (int i = 1; i < n; i++) t2[k + i - 1] = types[i], r2[k + i - 1] = rows[i];
    return call_leaves(p, body, s, t2, r2, k + n - 1);
}

static Row call(Plain *p, const Term *lambda, const Scope *s, Row arg)
{
    return call_leaves(p, lambda->args[0], s, &lambda->type->elems[0], &arg, 1);
}

static Row call2(Plain *p, const Term *lambda, const Scope *s, Row a, Row b)
{
    Row both = row_new(p, a.n + b.n);
    memcpy(both.v, a.v, sizeof(double) * (size_t)a.n);
    memcpy(both.v + a.n, b.v, sizeof(double) * (size_t)b.n);
    return call(p, lambda, s, both);
}

static void put(Row to, int at, Row from) { memcpy(to.v + at, from.v, sizeof(double) * (size_t)from.n); }

static Row scalar(Plain *p, double v)
{
    Row r = row_new(p, 1);
    r.v[0] = v;
    return r;
}

static double as(const Type *t, double v)
{
    if (t->scalar == SC_F32) return (double)(float)v;
    return t->scalar == SC_I32 ? (double)(int32_t)(uint32_t)(int64_t)v : v;
}

static double operate(const Term *t, double a, double b)
{
    switch (t->prim) {
    case PRIM_ADD: return as(t->type, a + b);
    case PRIM_SUB: return as(t->type, a - b);
    case PRIM_MUL: return as(t->type, a * b);
    case PRIM_MIN: return fmin(a, b);
    case PRIM_MAX: return fmax(a, b);
    case PRIM_LT: return a < b;
    case PRIM_MOD: return (double)floor_mod((int64_t)a, (int64_t)b);
    case PRIM_TO_F32: return as(t->type, a);
    default: abort();
    }
}

static Row fold(Plain *p, const Term *t, const Scope *s, Row x, int from, int n, Row *steps)
{
    Row acc = run(p, t->args[1], s);
    int e = width(t->args[2]->type->elems[0]);
    for (int i = 0; i < n; i++) {
        acc = call2(p, t->args[0], s, acc, part(x, (from + i) * e, e));
        if (steps) put(*steps, i * acc.n, acc);
    }
    return acc;
}

static int padded(int i, int n, int mode)
{
    if (mode == PAD_WRAP) return (int)floor_mod(i, n);
    if (mode == PAD_MIRROR) return i < 0 ? -1 - i : i >= n ? 2 * n - 1 - i : i;
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}

static int permuted(Plain *p, const Term *t, const Scope *s, int i)
{
    int n = length(t->type), k = t->static_count > 1 ? (int)t->statics[1]->value : 0;
    switch (t->statics[0]->value) {
    case PERM_REVERSE: return n - 1 - i;
    case PERM_ROTATE: return (i + k) % n;
    case PERM_STRIDE: return i / (n / k) + k * (i % (n / k));
    default: return (int)call(p, t->args[0], s, scalar(p, i)).v[0];
    }
}

/* Element i of a layout primitive, as an element of its last argument. */
static int source(Plain *p, const Term *t, const Scope *s, int i)
{
    switch (t->prim) {
    case PRIM_DROP: return i + (int)t->statics[0]->value;
    case PRIM_PAD: return padded(i - (int)t->statics[0]->value, length(t->args[0]->type), (int)t->statics[2]->value);
    case PRIM_REORDER: return permuted(p, t, s, i);
    case PRIM_GATHER: return (int)run(p, t->args[0], s).v[i];
    default: return i;
    }
}

static Row move(Plain *p, const Term *t, const Scope *s)
{
    Row x = run(p, t->args[t->arg_count - 1], s), r = row_new(p, width(t->type));
    int e = width(t->type->elems[0]);
    for (int i = 0; i < length(t->type); i++) put(r, i * e, part(x, source(p, t, s, i) * e, e));
    return r;
}

static Row transposed(Plain *p, const Term *t, const Scope *s)
{
    Row x = run(p, t->args[0], s), r = row_new(p, x.n);
    int n = length(t->type), m = length(t->type->elems[0]), e = width(t->type->elems[0]->elems[0]);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) put(r, (i * m + j) * e, part(x, (j * n + i) * e, e));
    return r;
}

static Row antidiagonals(Plain *p, const Term *t, const Scope *s)
{
    Row x = run(p, t->args[0], s), r = row_new(p, x.n);
    int n = length(t->type), e = width(t->type->elems[0]->elems[0]);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) put(r, (i * n + j) * e, part(x, ((n - 1 - (i + j) % n) * n + j) * e, e));
    return r;
}

static Row windows(Plain *p, const Term *t, const Scope *s)
{
    Row x = run(p, t->args[0], s), r = row_new(p, width(t->type));
    int e = width(t->type->elems[0]), step = (int)t->statics[1]->value * width(t->type->elems[0]->elems[0]);
    for (int i = 0; i < length(t->type); i++) put(r, i * e, part(x, i * step, e));
    return r;
}

static Row zipped(Plain *p, const Term *t, const Scope *s)
{
    Row r = row_new(p, width(t->type));
    int from = 0, whole = width(t->type->elems[0]);
    for (int k = 0; k < t->arg_count; k++) {
        Row x = run(p, t->args[k], s);
        int e = width(t->args[k]->type->elems[0]);
        for (int i = 0; i < length(t->type); i++) put(r, i * whole + from, part(x, i * e, e));
        from += e;
    }
    return r;
}

static Row unzipped(Plain *p, const Term *t, const Scope *s)
{
    Row x = run(p, t->args[0], s), r = row_new(p, x.n);
    int n = length(t->args[0]->type), whole = width(t->args[0]->type->elems[0]), from = 0;
    for (int k = 0; k < t->type->count; k++) {
        int e = width(t->type->elems[k]->elems[0]);
        for (int i = 0; i < n; i++) put(r, n * from + i * e, part(x, i * whole + from, e));
        from += e;
    }
    return r;
}

static Row joined(Plain *p, const Term *t, const Scope *s)
{
    Row r = row_new(p, width(t->type));
    for (int k = 0, at = 0; k < t->arg_count; k++) {
        Row x = run(p, t->args[k], s);
        put(r, at, x);
        at += x.n;
    }
    return r;
}

static Row padded_const(Plain *p, const Term *t, const Scope *s)
{
    Row v = run(p, t->args[0], s), x = run(p, t->args[1], s), r = row_new(p, width(t->type));
    for (int i = 0; i < r.n / v.n; i++) {
        int from = (i - (int)t->statics[0]->value) * v.n;
        put(r, i * v.n, from < 0 || from >= x.n ? v : part(x, from, v.n));
    }
    return r;
}

static Row scattered(Plain *p, const Term *t, const Scope *s)
{
    Row d = run(p, t->args[0], s), is = run(p, t->args[1], s), x = run(p, t->args[2], s), r = row_new(p, d.n);
    int e = width(t->type->elems[0]);
    put(r, 0, d);
    for (int i = 0; i < is.n; i++) put(r, (int)is.v[i] * e, part(x, i * e, e));
    return r;
}

static Row by_index(Plain *p, const Term *t, const Scope *s)
{
    Row z = run(p, t->args[1], s), x = run(p, t->args[2], s), r = row_new(p, z.n);
    int e = width(t->type->elems[0]), k = length(t->type);
    put(r, 0, z);
    for (int i = 0; i < length(t->args[2]->type); i++) {
        double at = x.v[i * (e + 1)];
        if (at < 0 || at >= k) continue;
        Row old = row_new(p, e);
        put(old, 0, part(r, (int)at * e, e));
        put(r, (int)at * e, call2(p, t->args[0], s, old, part(x, i * (e + 1) + 1, e)));
    }
    return r;
}

static Row each(Plain *p, const Term *t, const Scope *s)
{
    Row x = t->prim == PRIM_GENERATE ? (Row){NULL, 0} : run(p, t->args[1], s), r = row_new(p, width(t->type));
    int n = length(t->type), e = n ? x.n / n : 0;
    for (int i = 0; i < n; i++) put(r, i * (r.n / n), call(p, t->args[0], s, x.v ? part(x, i * e, e) : scalar(p, i)));
    return r;
}

static Row reductions(Plain *p, const Term *t, const Scope *s)
{
    Row x = run(p, t->args[2], s), r = row_new(p, width(t->type));
    int n = length(t->args[2]->type);
    if (t->prim == PRIM_SCAN || t->prim == PRIM_SCAN_SEQ) {
        fold(p, t, s, x, 0, n, &r);
        return r;
    }
    if (t->prim != PRIM_REDUCE_PART) return fold(p, t, s, x, 0, n, NULL);
    int m = length(t->type);
    for (int i = 0; i < m; i++) put(r, i * (r.n / m), fold(p, t, s, x, i * (n / m), n / m, NULL));
    return r;
}

static Row projected(Plain *p, const Term *t, const Scope *s)
{
    Row x = run(p, t->args[0], s);
    int from = 0;
    for (int i = 0; i < t->u.proj; i++) from += width(t->args[0]->type->elems[i]);
    return part(x, from, width(t->type));
}

static Row iterated(Plain *p, const Term *t, const Scope *s)
{
    Row x = run(p, t->args[1], s);
    const Nat *any = t->args[0]->type->elems[0]->size;
    NatBinding bind = {any->terms[0].factors[0].atom, t->type->size};
    const Term *f = term_subst_nats(p->c, t->args[0], &bind, 1);
    for (int i = 0; i < (int)t->statics[0]->value; i++) x = call(p, f, s, x);
    return x;
}

static Row sliced(Plain *p, const Term *t, const Scope *s)
{
    Row x = run(p, t->args[3], s);
    int from = (int)run(p, t->args[1], s).v[0], to = (int)run(p, t->args[2], s).v[0], step = (int)t->statics[0]->value, n = 0;
    int e = width(t->args[3]->type->elems[0]);
    Row r = row_new(p, x.n);
    for (int i = from; i < to; i += step) put(r, e * n++, part(x, i * e, e));
    return call(p, slice_function(p->c, t, nat_const(p->c->nats, n)), s, part(r, 0, e * n));
}

static Row run_prim(Plain *p, const Term *t, const Scope *s)
{
    switch (t->prim) {
    case PRIM_MAP: case PRIM_MAP_SEQ: case PRIM_MAP_GLOBAL: case PRIM_GENERATE: return each(p, t, s);
    case PRIM_REDUCE: case PRIM_REDUCE_SEQ: case PRIM_REDUCE_PART: case PRIM_SCAN: case PRIM_SCAN_SEQ:
        return reductions(p, t, s);
    case PRIM_ITERATE: return iterated(p, t, s);
    case PRIM_SLICE: return sliced(p, t, s);
    case PRIM_ZIP: return zipped(p, t, s);
    case PRIM_UNZIP: return unzipped(p, t, s);
    case PRIM_TUPLE: case PRIM_CONCAT: return joined(p, t, s);
    case PRIM_PROJ: return projected(p, t, s);
    case PRIM_LET: return call(p, t->args[1], s, run(p, t->args[0], s));
    case PRIM_SPLIT: case PRIM_JOIN: case PRIM_TO_LOCAL: case PRIM_AS_SCALAR: case PRIM_AS_VECTOR:
        return run(p, t->args[0], s);
    case PRIM_TRANSPOSE: return transposed(p, t, s);
    case PRIM_ANTIDIAGONALS: return antidiagonals(p, t, s);
    case PRIM_SLIDE: return windows(p, t, s);
    case PRIM_PAD_CONST: return padded_const(p, t, s);
    case PRIM_SCATTER: return scattered(p, t, s);
    case PRIM_REDUCE_BY_INDEX: case PRIM_REDUCE_BY_INDEX_SEQ: case PRIM_REDUCE_BY_INDEX_ATOMIC: return by_index(p, t, s);
    case PRIM_AT: {
        int e = width(t->type), i = (int)run(p, t->args[0], s).v[0];
        return part(run(p, t->args[1], s), i * e, e);
    }
    case PRIM_IF: return run(p, t->args[run(p, t->args[0], s).v[0] != 0 ? 1 : 2], s);
    case PRIM_TAKE: case PRIM_DROP: case PRIM_PAD: case PRIM_REORDER: case PRIM_GATHER: return move(p, t, s);
    default: {
        double a = run(p, t->args[0], s).v[0], b = t->arg_count > 1 ? run(p, t->args[1], s).v[0] : 0;
        return scalar(p, operate(t, a, b));
    }
    }
}

static Row run(Plain *p, const Term *t, const Scope *s)
{
    switch (t->kind) {
    case T_VAR:
        for (int i = t->u.index; i > 0; i--) s = s->up;
        return s->row;
    case T_INPUT: return p->values[t == p->input[1]];
    case T_LIT: return scalar(p, scalar_is_float(t->type->scalar) ? t->u.lit.f : (double)t->u.lit.i);
    default: return run_prim(p, t, s);
    }
}

/* Scalar `flat` of part `which` of a value in a row: rows keep tuples together, Data keeps components apart. */
static double pick(const Type *t, Row r, int which, int64_t flat)
{
    if (t->kind == TY_SCALAR || t->kind == TY_VECTOR) return r.v[flat];
    if (t->kind == TY_TUPLE) {
        int from = 0, i = 0;
        for (; which >= t->elems[i]->leaf_count; i++) {      /* no arrays of tuples of arrays here */
            which -= t->elems[i]->leaf_count;
            from += width(t->elems[i]);
        }
        return pick(t->elems[i], part(r, from, width(t->elems[i])), which, flat);
    }
    const Type *e = t->elems[0];
    int64_t inner = e->kind == TY_TUPLE ? 1 : width(e);
    for (const Type *x = e; x->kind == TY_ARRAY; x = x->elems[0])
        if (x->elems[0]->kind == TY_TUPLE) inner = width(e) / width(x->elems[0]);
    return pick(e, part(r, (int)(flat / inner) * width(e), width(e)), which, flat % inner);
}

/* ---- random terms ---- */

typedef struct Maker {
    Ctx *c;
    Rng rng;
    int depth;                           /* binders: leaves in scope */
    bool iterating;                      /* inside the function of an iterate */
    const Type *scope[256];              /* innermost last */
    const Term *input[2];
} Maker;

static int below(Maker *m, int n) { return (int)rng_below(&m->rng, n); }
static const Type *f32(Maker *m) { return type_scalar(m->c, SC_F32); }
static const Type *i32(Maker *m) { return type_scalar(m->c, SC_I32); }
static const Nat *size(Maker *m, int n) { return nat_const(m->c->nats, n); }
static const Type *array(Maker *m, int n, const Type *t) { return type_array(m->c, size(m, n), t); }

static const Type *pair_type(Maker *m, const Type *a, const Type *b)
{
    const Type *both[2] = {a, b};
    return type_tuple(m->c, both, 2);
}

static const Type *some_type(Maker *m, int depth)
{
    int k = below(m, depth > 0 ? 5 : 2);
    if (k == 2) return pair_type(m, f32(m), i32(m));
    if (k >= 3) return array(m, 1 + below(m, 4), some_type(m, depth - 1));
    return k ? f32(m) : i32(m);
}

static const Term *make(Maker *m, const Type *t, int fuel);

static void bind_leaves(Maker *m, const Type *t)
{
    for (int i = 0; i < t->leaf_count; i++) m->scope[m->depth++] = type_leaf(t, i);
}

static const Term *lambda(Maker *m, const Type *param, const Type *result, int fuel)
{
    int before = m->depth;
    bind_leaves(m, param);
    const Term *body = make(m, result, fuel);
    m->depth = before;
    return term_lam(m->c, param, body, NULL);
}

static const Term *node(Maker *m, PrimId p, int n_statics, const int *statics, int n, const Term *const *args)
{
    const Nat *s[3];
    for (int i = 0; i < n_statics; i++) s[i] = size(m, statics[i]);
    return term_prim(m->c, p, s, n_statics, args, n);
}

#define ARGS(...) COUNT(((const Term *const[]){__VA_ARGS__})), (const Term *const[]){__VA_ARGS__}
#define STATICS(...) COUNT(((const int[]){__VA_ARGS__})), (const int[]){__VA_ARGS__}
#define NO_STATICS 0, NULL

/* A variable of that type, if there is one. */
static const Term *variable(Maker *m, const Type *t)
{
    int found[256], n = 0;
    for (int i = 0; i < m->depth; i++)
        if (m->scope[i] == t) found[n++] = i;
    if (n == 0) return NULL;
    return term_var(m->c, m->depth - 1 - found[below(m, n)], t);
}

static const Term *smallest(Maker *m, const Type *t)
{
    const Term *v = variable(m, t);
    if (v && below(m, 8)) return v;
    for (int i = 0; i < 2; i++)
        if (m->input[i]->type == t) return m->input[i];
    if (t->kind == TY_TUPLE) {
        const Term *parts[8];
        for (int i = 0; i < t->count; i++) parts[i] = smallest(m, t->elems[i]);
        return term_tuple(m->c, parts, t->count);
    }
    if (t->kind == TY_ARRAY) return node(m, PRIM_GENERATE, STATICS(length(t)), ARGS(lambda(m, i32(m), t->elems[0], 0)));
    return term_int(m->c, t, below(m, 5));
}

/* An index below n from any integer */
static const Term *index_below(Maker *m, int n, int fuel)
{
    const Term *i = make(m, i32(m), fuel);
    return term_prim2(m->c, PRIM_MOD, i, term_int(m->c, i32(m), n));
}

static const Term *make_reduction(Maker *m, const Type *acc, int fuel)
{
    const Type *e = below(m, 2) ? acc : some_type(m, 1);
    const Term *f = lambda(m, pair_type(m, acc, e), acc, fuel / 2);
    return node(m, PRIM_REDUCE_SEQ, NO_STATICS, ARGS(f, make(m, acc, fuel / 3),
                                                     make(m, array(m, 1 + below(m, 5), e), fuel / 2)));
}

/* Of what a map makes of a slice, of as many elements as numbers say that are computed. */
static const Term *make_slice(Maker *m, const Type *acc, int fuel)
{
    int n = 1 + below(m, 5);
    const Type *e = some_type(m, 1), *x = some_type(m, 1);
    const Nat *step = size(m, 1 + below(m, 2));
    const Term *args[4] = {NULL, index_below(m, n + 1, fuel / 3), index_below(m, n + 1, fuel / 3), make(m, array(m, n, e), fuel / 2)};
    if (!args[1] || !args[2] || !args[3]) return NULL;
    const Type *part = prim_param_type(m->c, PRIM_SLICE, &step, args, 4, 0);
    m->scope[m->depth++] = part;
    const Term *xs = node(m, PRIM_MAP, NO_STATICS, ARGS(lambda(m, e, x, fuel / 3), term_var(m->c, 0, part)));
    if (below(m, 3) == 0) xs = node(m, PRIM_REORDER, STATICS(below(m, 2), 1), ARGS(xs));
    const Term *f = lambda(m, pair_type(m, acc, x), acc, fuel / 2), *z = make(m, acc, fuel / 3);
    m->depth--;
    args[0] = term_lam(m->c, part, node(m, PRIM_REDUCE_SEQ, NO_STATICS, ARGS(f, z, xs)), NULL);
    return term_prim(m->c, PRIM_SLICE, &step, 1, args, 4);
}

static const Term *make_common(Maker *m, const Type *t, int fuel)
{
    const Type *other = some_type(m, 2);
    switch (below(m, 6)) {
    case 5: return make_slice(m, t, fuel);
    case 0: return term_let(m->c, make(m, other, fuel / 2), lambda(m, other, t, fuel / 2));
    case 1: {
        const Term *c = term_prim2(m->c, PRIM_LT, make(m, f32(m), fuel / 3), make(m, f32(m), fuel / 3));
        return node(m, PRIM_IF, NO_STATICS, ARGS(c, make(m, t, fuel / 2), make(m, t, fuel / 2)));
    }
    case 2: {
        int n = 1 + below(m, 5);
        return term_prim2(m->c, PRIM_AT, index_below(m, n, fuel / 3), make(m, array(m, n, t), fuel / 2));
    }
    case 3: return make_reduction(m, t, fuel);
    default: return term_proj(m->c, make(m, pair_type(m, t, other), fuel - 1), 0);
    }
}

static const Term *make_scalar(Maker *m, const Type *t, int fuel)
{
    static const PrimId ops[] = {PRIM_ADD, PRIM_SUB, PRIM_MUL, PRIM_MIN, PRIM_MAX};
    if (below(m, 3) == 0) return make_common(m, t, fuel);
    if (t == f32(m) && below(m, 4) == 0) return term_prim1(m->c, PRIM_TO_F32, make(m, i32(m), fuel - 1));
    if (t == i32(m)) return term_prim2(m->c, below(m, 2) ? PRIM_ADD : PRIM_MAX, index_below(m, 7, fuel / 2),
                                       index_below(m, 5, fuel / 2));
    return term_prim2(m->c, ops[below(m, 5)], make(m, t, fuel / 2), make(m, t, fuel / 2));
}

static int divisor(Maker *m, int n)
{
    int d = 1 + below(m, n);
    while (n % d) d--;
    return d;
}

static const Term *make_map(Maker *m, const Type *t, int fuel)
{
    static const PrimId maps[] = {PRIM_MAP, PRIM_MAP_SEQ, PRIM_MAP};
    const Type *e = some_type(m, 2);
    return node(m, maps[below(m, 3)], NO_STATICS, ARGS(lambda(m, e, t->elems[0], fuel / 2),
                                                       make(m, array(m, length(t), e), fuel / 2)));
}

static const Term *make_layout(Maker *m, const Type *t, int fuel)
{
    int n = length(t), d = divisor(m, n), k = 1 + below(m, 3);
    const Type *e = t->elems[0];
    switch (below(m, 14)) {
    case 0: return term_prim1(m->c, PRIM_JOIN, make(m, array(m, n / d, array(m, d, e)), fuel - 1));
    case 1: if (e->kind != TY_ARRAY) break;
        return node(m, PRIM_SPLIT, STATICS(length(e)), ARGS(make(m, array(m, n * length(e), e->elems[0]), fuel - 1)));
    case 2: if (e->kind != TY_ARRAY) break;
        if (length(e) == n && below(m, 2)) return term_prim1(m->c, PRIM_ANTIDIAGONALS, make(m, t, fuel - 1));
        return term_prim1(m->c, PRIM_TRANSPOSE, make(m, array(m, length(e), array(m, n, e->elems[0])), fuel - 1));
    case 3: if (e->kind != TY_ARRAY) break;
        return node(m, PRIM_SLIDE, STATICS(length(e), k), ARGS(make(m, array(m, (n - 1) * k + length(e), e->elems[0]),
                                                                    fuel - 1)));
    case 4: if (n < 2) break;
        return node(m, PRIM_PAD, STATICS(n / 3, n - n / 3 - (n + 2) / 3, below(m, 3)),
                    ARGS(make(m, array(m, (n + 2) / 3, e), fuel - 1)));
    case 5: if (n < 2) break;
        return node(m, PRIM_PAD_CONST, STATICS(1, 0), ARGS(make(m, e, fuel / 2),
                                                           make(m, array(m, n - 1, e), fuel / 2)));
    case 6: return node(m, PRIM_TAKE, STATICS(n), ARGS(make(m, array(m, n + k, e), fuel - 1)));
    case 7: return node(m, PRIM_DROP, STATICS(k), ARGS(make(m, array(m, n + k, e), fuel - 1)));
    case 8: if (n < 2) break;
        return term_prim2(m->c, PRIM_CONCAT, make(m, array(m, n - 1, e), fuel / 2), make(m, array(m, 1, e), fuel / 2));
    case 9: return node(m, PRIM_REORDER, STATICS(below(m, 2), k), ARGS(make(m, t, fuel - 1)));
    case 10: return node(m, PRIM_REORDER, STATICS(PERM_STRIDE, d), ARGS(make(m, t, fuel - 1)));
    case 11: if (e->kind != TY_TUPLE) break;
        return term_prim2(m->c, PRIM_ZIP, make(m, array(m, n, e->elems[0]), fuel / 2),
                          make(m, array(m, n, e->elems[1]), fuel / 2));
    case 12: {
        const Type *other = some_type(m, 1);
        return term_proj(m->c, term_prim1(m->c, PRIM_UNZIP, make(m, array(m, n, pair_type(m, other, e)), fuel - 1)), 1);
    }
    default: if (e->kind != TY_SCALAR) break;
        return term_prim1(m->c, PRIM_AS_SCALAR, node(m, PRIM_AS_VECTOR, STATICS(2),
                                                     ARGS(make(m, array(m, 2 * n, e), fuel - 1))));
    }
    return make(m, t, fuel - 1);
}

static const Term *make_access(Maker *m, const Type *t, int fuel)
{
    int n = length(t), k = 1 + below(m, 4);
    const Type *e = t->elems[0], *at = array(m, n, i32(m));
    switch (below(m, 7)) {
    case 6: {
        static const PrimId forms[] = {PRIM_REDUCE_BY_INDEX, PRIM_REDUCE_BY_INDEX_SEQ, PRIM_REDUCE_BY_INDEX_ATOMIC};
        const Term *f = lambda(m, pair_type(m, e, e), e, fuel / 3);
        return node(m, forms[below(m, 3)], NO_STATICS, ARGS(f, make(m, t, fuel / 3),
                                                            make(m, array(m, 1 + below(m, 5), pair_type(m, i32(m), e)), fuel / 2)));
    }
    case 0: {
        const Term *is = node(m, PRIM_MAP, NO_STATICS, ARGS(
            term_lam(m->c, i32(m), term_prim2(m->c, PRIM_MOD, term_var(m->c, 0, i32(m)), term_int(m->c, i32(m), k)),
                     NULL), make(m, at, fuel / 2)));
        return term_prim2(m->c, PRIM_GATHER, is, make(m, array(m, k, e), fuel / 2));
    }
    case 1: {
        const Term *iota = node(m, PRIM_GENERATE, STATICS(n), ARGS(term_lam(m->c, i32(m), term_var(m->c, 0, i32(m)),
            NULL)));
        const Term *is = node(m, PRIM_TAKE, STATICS(1 + below(m, n)), ARGS(node(m, PRIM_REORDER,
            STATICS(PERM_ROTATE, k), ARGS(iota))));
        return node(m, PRIM_SCATTER, NO_STATICS, ARGS(make(m, t, fuel / 2), is,
                                                      make(m, array(m, length(is->type), e), fuel / 2)));
    }
    case 2: return node(m, PRIM_GENERATE, STATICS(n), ARGS(lambda(m, i32(m), e, fuel - 1)));
    case 3: return term_prim1(m->c, PRIM_TO_LOCAL, make(m, t, fuel - 1));
    case 4: {
        const Type *x = some_type(m, 1);
        return node(m, PRIM_SCAN_SEQ, NO_STATICS, ARGS(lambda(m, pair_type(m, e, x), e, fuel / 2),
                                                       make(m, e, fuel / 3), make(m, array(m, n, x), fuel / 2)));
    }
    default: {
        if (m->iterating) return make(m, t, fuel - 1);
        m->iterating = true;
        const Type *any = type_array(m->c, nat_var(m->c->nats, "p", VAR_SIZE, NULL, NULL), e);
        m->scope[m->depth++] = any;
        const Term *v = term_var(m->c, 0, any), *f = lambda(m, e, e, fuel / 2);
        m->depth--;
        m->iterating = false;
        v = node(m, PRIM_MAP, NO_STATICS, ARGS(f, below(m, 2) ? v : node(m, PRIM_REORDER, STATICS(PERM_ROTATE, 1),
                                                                         ARGS(v))));
        return node(m, PRIM_ITERATE, STATICS(1 + below(m, 3)), ARGS(term_lam(m->c, any, v, NULL),
                                                                    make(m, t, fuel / 2)));
    }
    }
}

static const Term *make_part(Maker *m, const Type *t, int fuel)
{
    int n = length(t);
    const Type *e = t->elems[0];
    const Term *f = lambda(m, pair_type(m, e, e), e, fuel / 2);
    return node(m, PRIM_REDUCE_PART, STATICS(n), ARGS(f, make(m, e, fuel / 3), make(m, array(m, 2 * n, e), fuel / 2)));
}

static const Term *make(Maker *m, const Type *t, int fuel)
{
    if (fuel <= 0 || m->depth > 60) return smallest(m, t);
    if (t->kind == TY_SCALAR) return make_scalar(m, t, fuel);
    if (t->kind == TY_TUPLE) {
        if (below(m, 3) == 0) return make_common(m, t, fuel);
        const Term *parts[2] = {make(m, t->elems[0], fuel / 2), make(m, t->elems[1], fuel / 2)};
        return term_tuple(m->c, parts, 2);
    }
    switch (below(m, 6)) {
    case 0: return make_common(m, t, fuel);
    case 1: case 2: return make_map(m, t, fuel);
    case 3: return make_layout(m, t, fuel);
    case 4: return below(m, 3) ? make_access(m, t, fuel) : make_part(m, t, fuel);
    default: return make_layout(m, t, fuel);
    }
}

/* ---- one round ---- */

static bool same(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

static void compare(Maker *m, const Term *t, Row want, const EvalInput *in, uint64_t seed)
{
    Diag d = diag_new();
    Data *out = data_new(m->c, t->type);
    Eval *e = eval_new(m->c, t, in, 2, EVAL_EXACT);
    if (!e) fail_msg("seed %llu: %s", (unsigned long long)seed, m->c->diag.message);
    if (!eval_full(e, out, &d)) fail_msg("seed %llu: %s", (unsigned long long)seed, d.message);
    eval_free(e);
    e = eval_new(m->c, t, in, 2, EVAL_EXACT);
    int64_t longest = 0;
    for (int p = 0; p < out->part_count; p++) longest = out->parts[p].count > longest ? out->parts[p].count : longest;
    for (int64_t k = 0; k < 2 * longest; k++) {                 /* components in turns, each from everywhere, twice */
        for (int p = 0; p < out->part_count; p++) {
            EvalScalar v;
            int64_t i = k < longest ? k * 7919 % out->parts[p].count : (k * k + k) / 2 % out->parts[p].count;
            if (!eval_at(e, p, i, &v, &d)) fail_msg("seed %llu: %s", (unsigned long long)seed, d.message);
            double plain = pick(t->type, want, p, i);
            if (!same(plain, data_get(out, p, i)) || !same(plain, v.f))
                fail_msg("seed %llu: part %d element %lld: plain %g, whole %g, alone %g", (unsigned long long)seed, p,
                         (long long)i, plain, data_get(out, p, i), v.f);
        }
    }
    eval_free(e);
    data_free(out);
    diag_free(&d);
}

static void one_round(uint64_t seed, int fuel)
{
    Maker m = {.c = ctx_new(), .rng = {seed}};
    Plain p = {.c = m.c, .arena = arena_new()};
    EvalInput in[2];
    Data *data[2];
    const Type *types[2] = {array(&m, 4, f32(&m)), array(&m, 3, array(&m, 2, i32(&m)))};
    for (int i = 0; i < 2; i++) {
        const char *name = i ? "y" : "x";
        m.input[i] = p.input[i] = term_input(m.c, name, types[i]);
        data[i] = data_new(m.c, types[i]);
        data_fill_exact(data[i], seed + (uint64_t)i, 3);
        in[i] = (EvalInput){name, data[i], false};
        p.values[i] = row_new(&p, width(types[i]));
        for (int k = 0; k < p.values[i].n; k++) p.values[i].v[k] = data_get(data[i], 0, k);
    }
    const Type *type = array(&m, 1 + below(&m, 4), some_type(&m, 2));
    const Term *t = make(&m, type, fuel);
    if (t && eval_work(t, NAN).steps < 20000) compare(&m, t, run(&p, t, NULL), in, seed);
    for (int i = 0; i < 2; i++) data_free(data[i]);
    arena_free(p.arena);
    ctx_free(m.c);
}

static void test_small_terms(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 4000; seed++) one_round(seed, 6);
}

static void test_large_terms(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 1500; seed++) one_round(seed + 100000, 24);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_small_terms), cmocka_unit_test(test_large_terms)};
    if (argc > 2) {
        for (uint64_t seed = strtoull(argv[1], NULL, 10), end = strtoull(argv[2], NULL, 10); seed < end; seed++)
            one_round(seed, argc > 3 ? atoi(argv[3]) : 16);
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
