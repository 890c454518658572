#include "eval_private.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what compilation works with; all of it interned, so that equal questions get one answer ---- */

enum { PATH_MAX_STEPS = 32, NEST_MAX = 12000, CODE_DEPTH_MAX = 24000, CODE_MAX = 4000000 };

/* Into an array or vector (index) or a tuple (proj). */
typedef struct Step { const Index *index; int proj; } Step;
typedef struct Path {
    uint32_t id;
    int n;
    Deps deps;
    const Step *s;
} Path;

typedef struct Env Env;
typedef struct Value Value;

/* A value of a data type, or what lies at path inside it. */
typedef enum ValueKind { V_TERM, V_INDEX, V_BUFFER, V_SHARED } ValueKind;
struct Value {
    uint32_t id;
    ValueKind kind;
    const Term *term;                    /* TERM: the term under env */
    const Env *env;
    const Path *path;
    const Index *index;                  /* INDEX: an i32 */
    Buffer *const *buffers;              /* BUFFER: one a part of type */
    const Type *type;
    Value *base;                         /* SHARED: in memo or unit of base */
    Deps deps;
    bool computes;                       /* an element costs more than finding it */
    bool opening;                        /* the code of its elements is being made: do not share it with itself */
    const Code *code;                    /* once made */
    Memo *memo;                          /* elements kept one by one */
    Unit *unit;                          /* made as a whole: shared, fold, scan, scatter, perm */
    Loop *loop;                          /* entered at this index (see enter_index) */
    Code *reg;
    Value *last;                         /* iterate: the last step */
};

struct Env {
    uint32_t id;
    const Env *up;
    Value *value;
    bool shared;
};

typedef struct RootDim {
    struct RootDim *next;
    Loop *loop;
    Code *reg;
    int64_t n;
} RootDim;

typedef struct RootPart {
    const Code *code;
    int rank;
    RootDim **dims;
    int64_t *sizes, count;
} RootPart;

struct Eval {
    Ctx *ctx;
    const Term *term;
    const EvalInput *inputs;
    int input_count;
    EvalMode mode;
    Arena *arena;
    PtrTable values, envs, paths, indices, atoms;
    uint32_t ids, codes, nest, deepest;
    Loop ground;
    Buffer *buffers;
    Diag diag;                           /* of compilation */
    Run run;
    RootDim *dims;
    RootPart *parts;
    int part_count;
    Unit *whole;
};

static const Path *path_make(Eval *e, const Step *s, int n);
static const Code *code_of(Eval *e, Value *v);
typedef struct Dest Dest;
static Stmt *fill(Eval *e, Value *v, const Dest *to, Loop *outer);

/* ---- loops and dependencies ---- */

static Deps deps_none(Eval *e) { return (Deps){.n = 1, .loops = {&e->ground}}; }
static bool only_ground(const Deps *d) { return d->loops[0]->depth == 0; }

static bool is_above(const Loop *l, const Deps *d)
{
    for (int i = 0; i < d->n && i < DEPS_ROOM; i++)
        if (d->loops[i] == l || (d->loops[i]->depth > l->depth && is_above(l, &d->loops[i]->above))) return true;
    return false;
}

/* Adds a loop and drops what it is below of. */
static void deps_add(Deps *d, Loop *l)
{
    if (is_above(l, d)) return;
    int n = 0;
    for (int i = 0; i < d->n && i < DEPS_ROOM; i++)
        if (d->loops[i]->depth >= l->depth || !is_above(d->loops[i], &l->above)) d->loops[n++] = d->loops[i];
    if (n < DEPS_ROOM) d->loops[n] = l;
    d->n = d->n > DEPS_ROOM ? d->n : n + 1;
}

static Deps deps_join(Deps a, Deps b)
{
    for (int i = 0; i < b.n && i < DEPS_ROOM; i++) deps_add(&a, b.loops[i]);
    if (b.n > a.n) a.n = b.n > DEPS_ROOM ? b.n : a.n;
    a.mask |= b.mask;
    return a;
}

static bool deps_same(const Deps *a, const Deps *b)
{
    if (a->n != b->n) return false;
    for (int i = 0; i < a->n && i < DEPS_ROOM; i++)
        if (a->loops[i] != b->loops[i]) return false;
    return true;
}

static uint64_t depth_bit(const Loop *l) { return (uint64_t)1 << (l->depth & 63); }

static uint64_t deps_chain(const Deps *d)
{
    uint64_t chain = 0;
    for (int i = 0; i < d->n && i < DEPS_ROOM; i++) chain |= d->loops[i]->chain;
    return chain;
}

static Loop *loop_new(Eval *e, Deps above)
{
    Loop *l = NEW(e->arena, Loop);
    l->above = above;
    for (int i = 0; i < above.n && i < DEPS_ROOM; i++)
        if (above.loops[i]->depth >= l->depth) l->depth = above.loops[i]->depth + 1;
    l->chain = deps_chain(&above) | depth_bit(l);
    return l;
}

static Deps loop_deps(Loop *l) { return (Deps){.n = 1, .loops = {l}, .mask = l->depth ? depth_bit(l) : 0}; }

/* ---- codes ---- */

/* Any failure to compile: reported once, and harmless code in its place. */
static void refuse(Eval *e, ErrorId id, const char *text) { diag_error(&e->diag, id, "%s", text); }

static Code *code_blank(Eval *e, Scalar s)
{
    Code *k = NEW(e->arena, Code);
    k->id = ++e->ids;
    k->scalar = s;
    k->deps = deps_none(e);
    k->lo = INT64_MIN / 4;
    k->hi = INT64_MAX / 4;
    if (++e->codes > CODE_MAX) refuse(e, E08, "the program is too large for the interpreter");
    return k;
}

static void code_use(Code *k, const Code *kid)
{
    k->deps = deps_join(k->deps, kid->deps);
    if (kid->depth >= k->depth) k->depth = kid->depth + 1;
    k->weight = k->weight + kid->weight > 1000000 ? 1000000 : k->weight + kid->weight;
}

static void code_use_index(Code *k, const Index *x)
{
    k->index = x;
    k->deps = deps_join(k->deps, x->deps);
    if (x->depth >= k->depth) k->depth = x->depth + 1;
}

/* Called when a node is complete: parts of it that change less often keep their values. */
static const Code *code_done(Eval *e, Code *k)
{
    for (int i = 0; i < COUNT(k->kids); i++)
        if (k->kids[i] && !deps_same(&k->kids[i]->deps, &k->deps)) code_keep(k->kids[i]);
    if (k->depth > CODE_DEPTH_MAX) refuse(e, E08, "the program nests too deep for the interpreter");
    return k;
}

static const Code *code_kids(Eval *e, Scalar s, Fn run, const Code *a, const Code *b, const Code *c, const Term *t)
{
    Code *k = code_blank(e, s);
    k->run = run;
    k->heavy = true;
    k->term = t;
    k->weight = 1;
    k->kids[0] = a, k->kids[1] = b, k->kids[2] = c;
    for (int i = 0; i < 3; i++)
        if (k->kids[i]) code_use(k, k->kids[i]);
    return code_done(e, k);
}

static const Code *code_literal(Eval *e, Scalar s, LitValue v)
{
    Code *k = code_blank(e, s);
    if (scalar_is_float(s)) {
        k->run.f = run_flt;
        k->f = (Flt){v.f, e->run.reference ? fabs(v.f) : 0};
    } else {
        k->run.i = run_int;
        k->i = k->lo = k->hi = v.i;
    }
    return k;
}

/* A variable of loop l with 0 <= v < n. */
static Code *code_reg(Eval *e, Loop *l, int64_t n)
{
    Code *k = code_blank(e, SC_I32);
    k->run.i = run_reg;
    k->deps = loop_deps(l);
    k->loop = l;
    k->lo = 0;
    k->hi = n - 1;
    return k;
}

/* ---- indices ---- */

static bool same_index(const void *key, const void *item)
{
    const Index *a = key, *b = item;
    if (a->c != b->c || a->n != b->n) return false;
    for (int i = 0; i < a->n; i++)
        if (a->terms[i].atom != b->terms[i].atom || a->terms[i].coef != b->terms[i].coef) return false;
    return true;
}

static void index_measure(Eval *e, Index *x)
{
    x->deps = deps_none(e);
    x->lo = x->hi = x->c;
    for (int i = 0; i < x->n; i++) {
        const IndexTerm *t = &x->terms[i];
        x->lo += t->coef * (t->coef > 0 ? t->atom->lo : t->atom->hi);
        x->hi += t->coef * (t->coef > 0 ? t->atom->hi : t->atom->lo);
        x->deps = deps_join(x->deps, t->atom->deps);
        if (t->atom->depth >= x->depth) x->depth = t->atom->depth + 1;
    }
    for (int i = 0; i < x->n; i++)
        if (!deps_same(&x->terms[i].atom->deps, &x->deps)) code_keep(x->terms[i].atom);
}

static const Index *index_intern(Eval *e, int64_t c, const IndexTerm *terms, int n)
{
    Index key = {.c = c, .n = n, .terms = terms};
    uint64_t h = hash_mix((uint64_t)n, (uint64_t)c);
    for (int i = 0; i < n; i++) h = hash_mix(hash_mix(h, terms[i].atom->id), (uint64_t)terms[i].coef);
    Index *x = ptr_table_find(&e->indices, h, same_index, &key);
    if (x) return x;
    x = NEW(e->arena, Index);
    *x = key;
    IndexTerm *copy = NEW_ARRAY(e->arena, IndexTerm, n);
    if (n) memcpy(copy, terms, sizeof *copy * (size_t)n);
    x->terms = copy;
    x->id = ++e->ids;
    index_measure(e, x);
    ptr_table_add(&e->indices, h, x);
    return x;
}

static const Index *index_const(Eval *e, int64_t c) { return index_intern(e, c, NULL, 0); }

static const Index *index_of_code(Eval *e, const Code *k)
{
    if (k->as_index) return k->as_index;
    if (k->run.i == run_int) return index_const(e, k->i);
    return index_intern(e, 0, &(IndexTerm){1, k}, 1);
}

/* a + scale * b, terms in order of their atoms' ids */
static const Index *index_sum(Eval *e, const Index *a, const Index *b, int64_t scale)
{
    IndexTerm small[32], *out = a->n + b->n > COUNT(small) ? NEW_ARRAY(e->arena, IndexTerm, a->n + b->n) : small;
    int n = 0, i = 0, j = 0;
    while (i < a->n || j < b->n) {
        IndexTerm t;
        if (j == b->n || (i < a->n && a->terms[i].atom->id < b->terms[j].atom->id)) t = a->terms[i++];
        else if (i == a->n || b->terms[j].atom->id < a->terms[i].atom->id)
            t = (IndexTerm){scale * b->terms[j].coef, b->terms[j].atom}, j++;
        else t = (IndexTerm){a->terms[i].coef + scale * b->terms[j].coef, a->terms[i].atom}, i++, j++;
        if (t.coef) out[n++] = t;
    }
    return index_intern(e, a->c + scale * b->c, out, n);
}

static const Index *index_add(Eval *e, const Index *a, const Index *b) { return index_sum(e, a, b, 1); }
static const Index *index_shift(Eval *e, const Index *a, int64_t c) { return index_sum(e, a, index_const(e, c), 1); }
static const Index *index_scale(Eval *e, const Index *a, int64_t k) { return index_sum(e, index_const(e, 0), a, k); }
/* a * k + b */
static const Index *index_pair(Eval *e, const Index *a, int64_t k, const Index *b) { return index_sum(e, b, a, k); }

/* Integer codes over an index or a code, one each: div, mod, clamp, check ... */
static bool same_atom(const void *key, const void *item)
{
    const Code *a = key, *b = item;
    return a->impl.i == b->impl.i && a->index == b->index && a->kids[0] == b->kids[0] && a->n == b->n
        && a->term == b->term;
}

static const Code *code_atom(Eval *e, IntFn *run, const Index *x, const Code *kid, int64_t n, const Term *t)
{
    Code key = {.impl.i = run, .index = x, .kids = {kid}, .n = n, .term = t};
    uint64_t h = hash_mix(hash_mix((uint64_t)n, x ? x->id : 0), kid ? kid->id : 0);
    Code *k = ptr_table_find(&e->atoms, h, same_atom, &key);
    if (k) return k;
    k = code_blank(e, SC_I32);
    k->run.i = k->impl.i = run;
    k->n = n;
    k->term = t;
    k->heavy = true;
    k->lo = 0;
    k->hi = n - 1;
    k->weight = 1;
    if (x) code_use_index(k, x);
    k->kids[0] = kid;
    if (kid) code_use(k, kid);
    code_done(e, k);
    ptr_table_add(&e->atoms, h, k);
    return k;
}

/* x = k * quotient + rest, by the terms that k divides; true when 0 <= rest < k. */
static bool index_parts(Eval *e, const Index *x, int64_t k, const Index **quotient, const Index **rest)
{
    IndexTerm *q = NEW_ARRAY(e->arena, IndexTerm, x->n), *r = NEW_ARRAY(e->arena, IndexTerm, x->n);
    int nq = 0, nr = 0;
    for (int i = 0; i < x->n; i++) {
        if (x->terms[i].coef % k) r[nr++] = x->terms[i];
        else q[nq++] = (IndexTerm){x->terms[i].coef / k, x->terms[i].atom};
    }
    *quotient = index_intern(e, floor_div(x->c, k), q, nq);
    *rest = index_intern(e, floor_mod(x->c, k), r, nr);
    return (*rest)->lo >= 0 && (*rest)->hi < k;
}

static const Index *index_div(Eval *e, const Index *x, int64_t k)
{
    const Index *q, *r;
    if (k == 1 || index_parts(e, x, k, &q, &r)) return k == 1 ? x : q;
    Code *d = (Code *)code_atom(e, run_div, r, NULL, k, NULL);
    d->lo = floor_div(r->lo, k);
    d->hi = floor_div(r->hi, k);
    return index_add(e, q, index_of_code(e, d));
}

static const Index *index_mod(Eval *e, const Index *x, int64_t k)
{
    const Index *q, *r;
    if (k == 1) return index_const(e, 0);
    if (index_parts(e, x, k, &q, &r)) return r;
    return index_of_code(e, code_atom(e, run_mod, r, NULL, k, NULL));
}

static const Code *code_index(Eval *e, const Index *x, Scalar s)
{
    if (x->n == 0) return code_literal(e, s, (LitValue){.i = x->c});
    if (x->n == 1 && x->c == 0 && x->terms[0].coef == 1) return x->terms[0].atom;
    Code *k = (Code *)code_atom(e, run_index, x, NULL, 0, NULL);
    k->lo = x->lo;
    k->hi = x->hi;
    k->as_index = x;
    return k;
}

static bool is_atomic(const Index *x)
{
    for (int i = 0; i < x->n; i++)
        if (x->terms[i].atom->run.i != run_reg) return false;
    return true;
}

static bool is_injective(const Index *x);

/* Loop variables, and quotients and rests of what is injective itself (the other of the two stands elsewhere). */
static bool is_distinct(const Code *atom)
{
    if (!atom->index) return !atom->kids[0];
    bool bends = atom->impl.i == run_clamp || atom->impl.i == run_mirror;
    return is_injective(atom->index) && !(bends && atom->index->n > 1);
}

/* Different loop variables give different values, as far as the form shows: mixed radix. */
static bool is_injective(const Index *x)
{
    int64_t reach = 0;
    bool done[PATH_MAX_STEPS] = {false};
    if (x->n > PATH_MAX_STEPS) return false;
    for (int round = 0; round < x->n; round++) {
        int least = -1;
        for (int i = 0; i < x->n; i++)
            if (!done[i] && (least < 0 || llabs(x->terms[i].coef) < llabs(x->terms[least].coef))) least = i;
        const IndexTerm *t = &x->terms[least];
        done[least] = true;
        if (llabs(t->coef) <= reach || !is_distinct(t->atom)) return false;
        reach += llabs(t->coef) * (t->atom->hi - t->atom->lo);
    }
    return true;
}

/* ---- paths ---- */

static bool same_path(const void *key, const void *item)
{
    const Path *a = key, *b = item;
    if (a->n != b->n) return false;
    for (int i = 0; i < a->n; i++)
        if (a->s[i].index != b->s[i].index || a->s[i].proj != b->s[i].proj) return false;
    return true;
}

static const Path *path_make(Eval *e, const Step *s, int n)
{
    if (n > PATH_MAX_STEPS) {
        refuse(e, E08, "an array has too many dimensions for the interpreter");
        n = PATH_MAX_STEPS;
    }
    Path key = {.n = n, .s = s};
    uint64_t h = (uint64_t)n;
    for (int i = 0; i < n; i++) h = hash_mix(h, s[i].index ? s[i].index->id : (uint64_t)s[i].proj << 32);
    Path *p = ptr_table_find(&e->paths, h, same_path, &key);
    if (p) return p;
    p = NEW(e->arena, Path);
    Step *copy = NEW_ARRAY(e->arena, Step, n);
    for (int i = 0; i < n; i++) copy[i] = s[i];
    *p = (Path){++e->ids, n, deps_none(e), copy};
    for (int i = 0; i < n; i++)
        if (s[i].index) p->deps = deps_join(p->deps, s[i].index->deps);
    ptr_table_add(&e->paths, h, p);
    return p;
}

static Step step_index(const Index *x) { return (Step){x, 0}; }
static Step step_proj(int i) { return (Step){NULL, i}; }

/* head[0..n), then p without its first `drop` steps */
static const Path *path_after(Eval *e, const Path *p, int drop, const Step *head, int n)
{
    Step s[2 * PATH_MAX_STEPS + 4];
    if (n) memcpy(s, head, sizeof *s * (size_t)n);
    memcpy(s + n, p->s + drop, sizeof *s * (size_t)(p->n - drop));
    return path_make(e, s, n + p->n - drop);
}

static const Path *path_concat(Eval *e, const Path *a, const Path *b) { return path_after(e, b, 0, a->s, a->n); }
static const Path *path_append(Eval *e, const Path *a, Step s) { return path_concat(e, a, path_make(e, &s, 1)); }
static const Path *path_empty(Eval *e) { return path_make(e, NULL, 0); }

/* ---- types: sizes are constant here ---- */

static int64_t size_of(Eval *e, const Nat *n)
{
    if (n && n->is_const) return n->value;
    Buf b = {0};
    if (n) nat_print(n, 0, &b);
    if (diag_error(&e->diag, E35, "the size %s is not bound to a number", buf_text(&b)))
        diag_note(&e->diag, "needs", "sizes and parameters bound before evaluation");
    buf_free(&b);
    return 1;
}

static int64_t length_of(Eval *e, const Type *t) { return t->kind == TY_VECTOR ? t->width : size_of(e, t->size); }

static const Type *type_inside(Eval *e, const Type *t, const Path *p)
{
    for (int i = 0; i < p->n; i++) {
        if (t->kind == TY_VECTOR) t = type_scalar(e->ctx, t->scalar);
        else t = t->elems[t->kind == TY_ARRAY ? 0 : p->s[i].proj];
    }
    return t;
}

static int part_count(const Type *t)
{
    if (t->kind == TY_ARRAY) return part_count(t->elems[0]);
    int n = t->kind != TY_TUPLE;
    for (int i = 0; t->kind == TY_TUPLE && i < t->count; i++) n += part_count(t->elems[i]);
    return n;
}

/* The steps to a scalar of that part, dimensions left open (index NULL, proj -1) with their lengths. */
static int part_steps(Eval *e, const Type *t, int part, Step *steps, int64_t *sizes, Scalar *scalar)
{
    int n = 0;
    while (t->kind != TY_SCALAR && n < PATH_MAX_STEPS) {
        int i = 0;
        if (t->kind == TY_TUPLE) {
            for (; part >= part_count(t->elems[i]); i++) part -= part_count(t->elems[i]);
            steps[n++] = step_proj(i);
            t = t->elems[i];
            continue;
        }
        sizes[n] = length_of(e, t);
        steps[n++] = step_proj(-1);
        t = t->kind == TY_VECTOR ? type_scalar(e->ctx, t->scalar) : t->elems[0];
    }
    *scalar = t->scalar;
    return n;
}

static bool is_open(Step s) { return !s.index && s.proj < 0; }

/* Where the scalar at a full path lies in the parts of t. */
static const Index *locate(Eval *e, const Type *t, const Path *p, int *part)
{
    const Index *at = index_const(e, 0);
    *part = 0;
    for (int i = 0; i < p->n; i++) {
        if (t->kind == TY_TUPLE) {
            for (int k = 0; k < p->s[i].proj; k++) *part += part_count(t->elems[k]);
            t = t->elems[p->s[i].proj];
            continue;
        }
        at = index_pair(e, at, length_of(e, t), p->s[i].index);
        t = t->kind == TY_VECTOR ? type_scalar(e->ctx, t->scalar) : t->elems[0];
    }
    return at;
}

static Buffer *buffer_new(Eval *e, Scalar s, int64_t count)
{
    Buffer *b = NEW(e->arena, Buffer);
    b->count = count;
    b->is_float = scalar_is_float(s);
    b->shadows = b->is_float && e->run.reference;
    b->next = e->buffers;
    e->buffers = b;
    return b;
}

/* One buffer a part, times `copies`. */
static Buffer **buffers_new(Eval *e, const Type *t, int64_t copies)
{
    int parts = part_count(t);
    Buffer **b = NEW_ARRAY(e->arena, Buffer *, parts);
    for (int p = 0; p < parts; p++) {
        Step steps[PATH_MAX_STEPS];
        int64_t sizes[PATH_MAX_STEPS], count = copies;
        Scalar scalar;
        int n = part_steps(e, t, p, steps, sizes, &scalar);
        for (int i = 0; i < n; i++)
            if (is_open(steps[i]) && !mul_ok(count, sizes[i], &count)) count = INT64_MAX;
        if (count > (int64_t)1 << 36) {
            refuse(e, E08, "an intermediate array is too large for the interpreter");
            count = 1;
        }
        b[p] = buffer_new(e, scalar, count);
    }
    return b;
}

/* ---- values ---- */

static bool same_env(const void *key, const void *item)
{
    const Env *a = key, *b = item;
    return a->up == b->up && a->value == b->value && a->shared == b->shared;
}

static const Env *env_push(Eval *e, const Env *up, Value *v, bool shared)
{
    Env key = {.up = up, .value = v, .shared = shared};
    uint64_t h = hash_mix(hash_mix(up ? up->id : 0, v->id), shared);
    Env *env = ptr_table_find(&e->envs, h, same_env, &key);
    if (env) return env;
    env = NEW(e->arena, Env);
    *env = key;
    env->id = ++e->ids;
    ptr_table_add(&e->envs, h, env);
    return env;
}

static const Env *env_at(const Env *env, int index)
{
    for (; index > 0; index--) env = env->up;
    return env;
}

/* What the free variables of t depend on, and whether an element of t costs anything. A fold at the top keeps its
 * result; under a lambda there is one for every element. */
static void survey(const Term *t, const Env *env, int bound, bool kept, Value *out)
{
    if (t->kind == T_VAR && t->u.index >= bound) {
        const Env *entry = env_at(env, t->u.index - bound);
        out->deps = deps_join(out->deps, entry->value->deps);
        if (!entry->shared && !kept) out->computes |= entry->value->computes;
    }
    if (t->kind == T_PRIM) {
        PrimFamily family = prim((PrimId)t->prim)->family;
        bool folds = family == FAM_SCAN || prim_is_reduce((PrimId)t->prim) || t->prim == PRIM_ITERATE;
        if ((folds && bound > 0) || family == FAM_SCALAR || t->prim == PRIM_VDOT) out->computes |= !kept;
        kept |= folds;
    }
    if (t->kind == T_LAM) bound += t->type->elems[0]->leaf_count;
    for (int i = 0; i < t->arg_count; i++)
        if (t->args[i]->free_limit > bound || !(kept || out->computes)) survey(t->args[i], env, bound, kept, out);
}

static bool same_value(const void *key, const void *item)
{
    const Value *a = key, *b = item;
    return a->kind == b->kind && a->term == b->term && a->env == b->env && a->path == b->path && a->index == b->index
        && a->buffers == b->buffers && a->base == b->base;
}

static Value *value_intern(Eval *e, Value key)
{
    uint64_t h = hash_mix(key.kind, key.path->id);
    h = hash_mix(h, key.kind == V_TERM ? key.term->id : key.kind == V_INDEX ? key.index->id : 0);
    h = hash_mix(h, key.kind == V_SHARED ? key.base->id : key.env ? key.env->id : 0);
    Value *v = ptr_table_find(&e->values, h, same_value, &key);
    if (v) return v;
    v = NEW(e->arena, Value);
    *v = key;
    v->id = ++e->ids;
    if (v->kind == V_TERM) survey(v->term, v->env, 0, false, v);
    v->deps = deps_join(v->deps, v->path->deps);
    ptr_table_add(&e->values, h, v);
    return v;
}

static Value *value_index(Eval *e, const Index *x)
{
    return value_intern(e, (Value){.kind = V_INDEX, .index = x, .path = path_empty(e), .deps = x->deps});
}

static Value *value_buffers(Eval *e, Buffer *const *b, const Type *t, const Path *p, Deps deps)
{
    return value_intern(e, (Value){.kind = V_BUFFER, .buffers = b, .type = t, .path = p, .deps = deps});
}

static Value *value_shared(Eval *e, Value *base, const Path *p)
{
    return value_intern(e, (Value){.kind = V_SHARED, .base = base, .path = p, .deps = base->deps});
}

static Value *value_term(Eval *e, const Term *t, const Env *env, const Path *p);

static Value *value_inside(Eval *e, Value *v, const Path *p)
{
    if (p->n == 0) return v;
    const Path *all = path_concat(e, v->path, p);
    switch (v->kind) {
    case V_TERM: return value_term(e, v->term, v->env, all);
    case V_BUFFER: return value_buffers(e, v->buffers, v->type, all, v->deps);
    case V_SHARED: return value_shared(e, v->base, all);
    default: return v;
    }
}

static const Type *value_type(Eval *e, const Value *v)
{
    switch (v->kind) {
    case V_TERM: return type_inside(e, v->term->type, v->path);
    case V_BUFFER: return type_inside(e, v->type, v->path);
    case V_SHARED: return type_inside(e, value_type(e, v->base), v->path);
    default: return type_scalar(e->ctx, SC_I32);
    }
}

/* ---- binding the leaves of a lambda's parameter ---- */

typedef struct Binder {
    Eval *e;
    const Env *env;
    const Term *body;
    int left;                            /* leaves to come */
} Binder;

static Binder binder_new(Eval *e, const Term *lambda, const Env *env)
{
    return (Binder){e, env, lambda->args[0], lambda->type->elems[0]->leaf_count};
}

/* An array that computes and is read several times is kept. */
static void bind_leaf(Binder *b, Value *v)
{
    b->left--;
    bool shared = v->kind == V_TERM && v->computes && value_type(b->e, v)->kind == TY_ARRAY
        && term_uses(b->body, b->left, 1) > 1;
    b->env = env_push(b->e, b->env, v, shared);
}

/* The leaves of v, whose type is t; lane: a last step into each leaf, or NULL. */
static void bind_value(Binder *b, Value *v, const Type *t, const Index *lane)
{
    if (t->kind != TY_TUPLE) {
        Step s = step_index(lane);
        bind_leaf(b, lane ? value_inside(b->e, v, path_make(b->e, &s, 1)) : v);
        return;
    }
    for (int i = 0; i < t->count; i++) {
        Step s = step_proj(i);
        bind_value(b, value_inside(b->e, v, path_make(b->e, &s, 1)), t->elems[i], lane);
    }
}

static Value *apply(Eval *e, const Term *lambda, const Env *env, Value *arg, const Path *path)
{
    Binder b = binder_new(e, lambda, env);
    bind_value(&b, arg, lambda->type->elems[0], NULL);
    return value_term(e, lambda->args[0], b.env, path);
}

/* A place inside the value of a term; variables, tuples, projections and lets at the head are looked through. */
static Value *value_term(Eval *e, const Term *t, const Env *env, const Path *p)
{
    Step s;
    if (t->kind == T_VAR) {
        const Env *entry = env_at(env, t->u.index);
        return entry->shared ? value_shared(e, entry->value, p) : value_inside(e, entry->value, p);
    }
    if (t->kind == T_PRIM) {
        switch (t->prim) {
        case PRIM_TO_GLOBAL: case PRIM_TO_GLOBAL_STREAM: case PRIM_TO_LOCAL: case PRIM_TO_PRIVATE: return value_term(e, t->args[0], env, p);
        case PRIM_PROJ:
            s = step_proj(t->u.proj);
            return value_term(e, t->args[0], env, path_after(e, p, 0, &s, 1));
        case PRIM_TUPLE:
            if (p->n == 0) break;
            return value_term(e, t->args[p->s[0].proj], env, path_after(e, p, 1, NULL, 0));
        case PRIM_LET: return apply(e, t->args[1], env, value_term(e, t->args[0], env, path_empty(e)), p);
        default: break;
        }
    }
    return value_intern(e, (Value){.kind = V_TERM, .term = t, .env = t->free_limit ? env : NULL, .path = p,
                                   .deps = deps_none(e)});
}

/* Argument i of v's term at the path head ++ v's path without its first `drop` steps. */
static Value *value_arg(Eval *e, const Value *v, int i, int drop, const Step *head, int n)
{
    return value_term(e, v->term->args[i], v->env, path_after(e, v->path, drop, head, n));
}

static const Code *code_arg(Eval *e, const Value *v, int i, int drop, const Step *head, int n)
{
    return code_of(e, value_arg(e, v, i, drop, head, n));
}

/* ---- statements: filling buffers. Where the parts of a value go is given by a path transformer, so that layout at the
 * head of a term moves the destination instead of the elements, and everything is computed once, in its order. ---- */

struct Dest {
    enum { TO_BUFFERS, TO_STEP, TO_JOINED, TO_SPLIT, TO_TRANSPOSED, TO_ZIPPED, TO_UNZIPPED, TO_SHIFTED } kind;
    const struct Dest *next;
    int64_t k;
    Step step;
    const Type *type;
    Buffer *const *buffers;
};

static const Index *destination(Eval *e, const Dest *d, const Path *p, Buffer **buffer)
{
    Step h[3];
    int part, drop = 0, n = 0;
    if (d->kind == TO_BUFFERS) {
        const Index *at = locate(e, d->type, p, &part);
        *buffer = d->buffers[part];
        return at;
    }
    const Step *s = p->s;
    switch (d->kind) {
    case TO_STEP: h[n++] = d->step; break;
    case TO_JOINED: h[n++] = step_index(index_pair(e, s[0].index, d->k, s[1].index)), drop = 2; break;
    case TO_SPLIT:
        h[n++] = step_index(index_div(e, s[0].index, d->k));
        h[n++] = step_index(index_mod(e, s[0].index, d->k)), drop = 1;
        break;
    case TO_TRANSPOSED: h[n++] = s[1], h[n++] = s[0], drop = 2; break;
    case TO_ZIPPED: h[n++] = s[0], h[n++] = d->step, drop = 1; break;
    case TO_UNZIPPED: h[n++] = s[1], h[n++] = s[0], drop = 2; break;
    default: h[n++] = step_index(index_shift(e, s[0].index, d->k)), drop = 1; break;
    }
    return destination(e, d->next, path_after(e, p, drop, h, n), buffer);
}

static Stmt *stmt_new(Eval *e, StmtFn *run, uint32_t weight)
{
    Stmt *s = NEW(e->arena, Stmt);
    s->run = run;
    s->weight = weight;
    return s;
}

static Stmt *stmt_append(Stmt *a, Stmt *b)
{
    Stmt *s = a;
    if (!a) return b;
    a->weight += b->weight;
    while (s->next) s = s->next;
    s->next = b;
    return a;
}

static void deepen(Eval *e, uint32_t depth)
{
    if (depth > e->deepest) e->deepest = depth;
}

static Stmt *fill_scalar(Eval *e, Value *v, const Dest *to)
{
    const Code *k = code_of(e, v);
    Stmt *s = stmt_new(e, stmt_store, k->weight + 1);
    s->code = k;
    s->index = destination(e, to, path_empty(e), &s->buffer);
    deepen(e, k->depth + 1);
    deepen(e, s->index->depth + 1);
    return s;
}

/* A loop around the filling of what body makes at the loop's index. */
typedef struct Around { const Index *index; Stmt *loop; Loop *inner; } Around;

static Around around(Eval *e, Deps deps, Loop *outer, int64_t n)
{
    if (n == 1) return (Around){index_const(e, 0), NULL, outer};
    Stmt *s = stmt_new(e, stmt_loop, 0);
    s->n = n;
    s->loop = loop_new(e, deps_join(deps, loop_deps(outer)));
    s->reg = code_reg(e, s->loop, n);
    return (Around){index_of_code(e, s->reg), s, s->loop};
}

static Stmt *enclose(Eval *e, Around a, Stmt *body)
{
    if (!a.loop) return body;
    a.loop->body = body;
    a.loop->weight = body->weight;
    e->deepest += 2;
    return a.loop;
}

/* Any value: element by element, component by component. */
static Stmt *fill_plain(Eval *e, Value *v, const Type *t, const Dest *to, Loop *outer)
{
    if (t->kind == TY_TUPLE) {
        Stmt *all = NULL;
        for (int i = 0; i < t->count; i++) {
            Step s = step_proj(i);
            Dest d = {.kind = TO_STEP, .next = to, .step = s};
            all = stmt_append(all, fill(e, value_inside(e, v, path_make(e, &s, 1)), &d, outer));
        }
        return all;
    }
    Around a = around(e, v->deps, outer, length_of(e, t));
    Step s = step_index(a.index);
    Dest d = {.kind = TO_STEP, .next = to, .step = s};
    return enclose(e, a, fill(e, value_inside(e, v, path_make(e, &s, 1)), &d, a.inner));
}

static Stmt *fill_map(Eval *e, Value *v, const Dest *to, Loop *outer)
{
    const Term *t = v->term;
    Around a = around(e, v->deps, outer, length_of(e, t->type));
    Step s = step_index(a.index);
    Dest d = {.kind = TO_STEP, .next = to, .step = s};
    Value *arg = t->prim == PRIM_GENERATE ? value_index(e, a.index) : value_arg(e, v, 1, 0, &s, 1);
    return enclose(e, a, fill(e, apply(e, t->args[0], v->env, arg, path_empty(e)), &d, a.inner));
}

static Stmt *fill_if(Eval *e, Value *v, const Dest *to, Loop *outer)
{
    Stmt *s = stmt_new(e, stmt_if, 0);
    s->code = code_arg(e, v, 0, 0, NULL, 0);
    s->body = fill(e, value_arg(e, v, 1, 0, NULL, 0), to, outer);
    s->other = fill(e, value_arg(e, v, 2, 0, NULL, 0), to, outer);
    s->weight = s->body->weight > s->other->weight ? s->body->weight : s->other->weight;
    deepen(e, s->code->depth);
    e->deepest += 2;
    return s;
}

static Stmt *fill_under(Eval *e, Value *v, Dest d, Loop *outer)
{
    return fill(e, value_arg(e, v, 0, 0, NULL, 0), &d, outer);
}

static Stmt *fill_pieces(Eval *e, Value *v, const Dest *to, Loop *outer)
{
    Stmt *all = NULL;
    int64_t before = 0;
    for (int i = 0; i < v->term->arg_count; i++) {
        Dest d = {.kind = TO_ZIPPED, .next = to, .k = before, .step = step_proj(i)};
        if (v->term->prim == PRIM_CONCAT) d.kind = TO_SHIFTED;
        Value *piece = value_arg(e, v, i, 0, NULL, 0);
        all = stmt_append(all, fill(e, piece, &d, outer));
        before += length_of(e, v->term->args[i]->type);
    }
    return all;
}

static Stmt *fill(Eval *e, Value *v, const Dest *to, Loop *outer)
{
    const Type *t = value_type(e, v);
    if (t->kind == TY_SCALAR) return fill_scalar(e, v, to);
    if (v->kind != V_TERM || v->path->n || v->term->kind != T_PRIM) return fill_plain(e, v, t, to, outer);
    switch (v->term->prim) {
    case PRIM_MAP: case PRIM_MAP_SEQ: case PRIM_MAP_SEQ_UNROLL: case PRIM_MAP_GLOBAL: case PRIM_MAP_WORKGROUP:
    case PRIM_MAP_LOCAL: case PRIM_GENERATE: return fill_map(e, v, to, outer);
    case PRIM_IF: return fill_if(e, v, to, outer);
    case PRIM_ZIP: case PRIM_CONCAT: return fill_pieces(e, v, to, outer);
    case PRIM_UNZIP: return fill_under(e, v, (Dest){.kind = TO_UNZIPPED, .next = to}, outer);
    case PRIM_TRANSPOSE: return fill_under(e, v, (Dest){.kind = TO_TRANSPOSED, .next = to}, outer);
    case PRIM_SPLIT:
        return fill_under(e, v, (Dest){.kind = TO_SPLIT, .next = to, .k = length_of(e, t->elems[0])}, outer);
    case PRIM_JOIN: {
        int64_t k = length_of(e, v->term->args[0]->type->elems[0]);
        return fill_under(e, v, (Dest){.kind = TO_JOINED, .next = to, .k = k}, outer);
    }
    default: return fill_plain(e, v, t, to, outer);
    }
}

/* ---- units ---- */

static Unit *unit_new(Eval *e, void (*run)(Unit *, Run *), Deps deps, const Term *t, int pairs)
{
    Unit *u = NEW(e->arena, Unit);
    u->fill = run;
    u->deps = deps;
    u->term = t;
    u->pair_count = pairs;
    u->pairs = NEW_ARRAY(e->arena, Pair, pairs);
    return u;
}

static void unit_loop(Eval *e, Unit *u, int64_t n)
{
    u->n = n;
    u->loop = loop_new(e, u->deps);
    u->reg = code_reg(e, u->loop, n);
}

static Stmt *fill_into(Eval *e, Value *v, const Type *t, Buffer *const *b, Loop *outer)
{
    Dest d = {.kind = TO_BUFFERS, .type = t, .buffers = b};
    return fill(e, v, &d, outer);
}

/* The whole of v, made when first needed. */
static Unit *unit_of_value(Eval *e, Value *v)
{
    if (v->unit) return v->unit;
    const Type *t = value_type(e, v);
    Buffer **b = buffers_new(e, t, 1);
    Unit *u = unit_new(e, fill_once, v->deps, v->term, part_count(t));
    for (int i = 0; i < u->pair_count; i++) u->pairs[i].now = b[i];
    uint32_t saved = e->deepest;
    e->deepest = 0;
    v->opening = true;
    u->init = fill_into(e, v, t, b, &e->ground);
    v->opening = false;
    u->depth = e->deepest + 4;
    e->deepest = saved;
    return v->unit = u;
}

typedef struct Accumulator {
    const Type *type;
    Buffer **now, **next, **record;
    int parts;
} Accumulator;

static Accumulator accumulator_new(Eval *e, const Type *t, int64_t recorded)
{
    Accumulator a = {.type = t, .parts = part_count(t)};
    a.now = buffers_new(e, t, 1);
    a.next = buffers_new(e, t, 1);
    if (recorded) a.record = buffers_new(e, t, recorded);
    return a;
}

static Unit *fold_unit(Eval *e, Deps deps, const Term *t, const Accumulator *a, int64_t n)
{
    Unit *u = unit_new(e, fill_fold, deps, t, a->parts);
    for (int i = 0; i < a->parts; i++) u->pairs[i] = (Pair){a->now[i], a->next[i], a->record ? a->record[i] : NULL};
    unit_loop(e, u, n);
    return u;
}

/* Fills init and step of u: f over (accumulator, element), or over the accumulator alone; element may be NULL. */
static void fold_body(Eval *e, Unit *u, const Accumulator *a, const Term *f, const Env *env, Value *z, Value *element)
{
    uint32_t saved = e->deepest;
    e->deepest = 0;
    u->init = fill_into(e, z, a->type, a->now, &e->ground);
    Binder b = binder_new(e, f, env);
    Value *acc = value_buffers(e, a->now, a->type, path_empty(e), loop_deps(u->loop));
    bind_value(&b, acc, a->type, NULL);
    if (element) bind_value(&b, element, f->type->elems[0]->elems[1], NULL);
    Value *result = value_term(e, f->args[0], b.env, path_empty(e));
    u->step = fill_into(e, result, a->type, a->next, u->loop);
    u->depth = e->deepest + 4;
    e->deepest = saved;
}

/* reduce..., scan...: elements [first, first + n) of the argument, where first is an index. whole: the node's value. */
static Unit *fold_of(Eval *e, Value *whole, int64_t n, const Index *first, bool scan)
{
    if (whole->unit) return whole->unit;
    const Term *t = whole->term;
    Accumulator a = accumulator_new(e, t->args[1]->type, scan ? n : 0);
    Unit *u = fold_unit(e, whole->deps, t, &a, n);
    Step s = step_index(index_add(e, first, index_of_code(e, u->reg)));
    const Path *nowhere = path_empty(e);
    Value *element = value_term(e, t->args[2], whole->env, path_make(e, &s, 1));
    fold_body(e, u, &a, t->args[0], whole->env, value_term(e, t->args[1], whole->env, nowhere), element);
    return whole->unit = u;
}

static const Code *code_load(Eval *e, Scalar s, Fn run, const Index *at)
{
    Code *k = code_blank(e, s);
    k->run = run;
    k->heavy = true;
    code_use_index(k, at);
    return k;
}

static const Code *load_unit(Eval *e, Unit *u, const Type *t, const Path *p, bool recorded)
{
    int part;
    const Index *at = locate(e, t, p, &part);
    Buffer *b = recorded ? u->pairs[part].record : u->pairs[part].now;
    Scalar s = type_inside(e, t, p)->scalar;
    Code *k = (Code *)code_load(e, s, run_load_unit(s), at);
    k->unit = u;
    k->buffer = b;
    k->deps = deps_join(k->deps, u->deps);
    if (u->depth >= k->depth) k->depth = u->depth + 1;
    return code_done(e, k);
}

/* ---- arrays kept element by element ---- */

static bool has_fold(const Term *t)
{
    if (t->kind == T_PRIM) {
        PrimId p = (PrimId)t->prim;
        if (p == PRIM_SCATTER || p == PRIM_ITERATE || prim(p)->family == FAM_SCAN) return true;
        if (prim(p)->family == FAM_REDUCE && !type_is_scalar_like(t->args[1]->type)) return true;
    }
    for (int i = 0; i < t->arg_count; i++)
        if (has_fold(t->args[i])) return true;
    return false;
}

static void memo_part(Eval *e, Value *v, const Type *t, Memo *memo, int part)
{
    MemoPart *p = &memo->parts[part];
    Step steps[PATH_MAX_STEPS];
    int64_t sizes[PATH_MAX_STEPS];
    Scalar scalar;
    int n = part_steps(e, t, part, steps, sizes, &scalar);
    p->regs = NEW_ARRAY(e->arena, Code *, n);
    p->sizes = NEW_ARRAY(e->arena, int64_t, n);
    p->loop = loop_new(e, v->deps);
    for (int i = 0; i < n; i++) {
        if (!is_open(steps[i])) continue;
        p->sizes[p->rank] = sizes[i];
        p->regs[p->rank] = code_reg(e, p->loop, sizes[i]);
        steps[i] = step_index(index_of_code(e, p->regs[p->rank++]));
    }
    p->body = code_of(e, value_inside(e, v, path_make(e, steps, n)));
}

static Memo *memo_of(Eval *e, Value *v)
{
    if (v->memo) return v->memo;
    const Type *t = value_type(e, v);
    Buffer **b = buffers_new(e, t, 1);
    Memo *memo = NEW(e->arena, Memo);
    memo->deps = v->deps;
    memo->part_count = part_count(t);
    memo->parts = NEW_ARRAY(e->arena, MemoPart, memo->part_count);
    v->opening = true;
    for (int i = 0; i < memo->part_count; i++) {
        memo->parts[i].values = b[i];
        memo_part(e, v, t, memo, i);
    }
    v->opening = false;
    return v->memo = memo;
}

static const Code *load_memo(Eval *e, Memo *memo, const Type *t, const Path *p)
{
    int part;
    const Index *at = locate(e, t, p, &part);
    Scalar s = type_inside(e, t, p)->scalar;
    Code *k = (Code *)code_load(e, s, run_load_memo(s), at);
    k->memo = memo;
    k->part = part;
    k->deps = deps_join(k->deps, memo->deps);
    uint32_t below = memo->parts[part].body->depth;
    if (below >= k->depth) k->depth = below + 1;
    return code_done(e, k);
}

static const Code *code_shared(Eval *e, Value *base, const Path *p)
{
    const Type *t = value_type(e, base);
    if (has_fold(base->term)) return load_unit(e, unit_of_value(e, base), t, p, false);
    return load_memo(e, memo_of(e, base), t, p);
}

/* Would elements of a map, asked for at p, be computed again and again: because loops run that p does not mention, or
 * because different values of the loops that it mentions ask for the same element? */
static bool worth_sharing(const Value *whole, const Path *p)
{
    const Term *t = whole->term;
    if (whole->opening || !(t->flags & (TF_COMPUTES | TF_REDUCES))) return false;
    if (!(t->flags & TF_REDUCES) && t->size <= 12) return false;
    Deps d = deps_join(p->deps, whole->deps);
    if (only_ground(&d)) return false;
    return (deps_chain(&d) & ~d.mask) || !is_injective(p->s[0].index);
}

/* ---- the semantics of every primitive: the code of the scalar at v's path ---- */

typedef const Code *Semantics(Eval *e, Value *v);

#define HEAD(...) (const Step[]){__VA_ARGS__}, COUNT(((const Step[]){__VA_ARGS__}))

static const Index *first_index(const Value *v) { return v->path->s[0].index; }
static int64_t length_arg(Eval *e, const Value *v, int i) { return length_of(e, v->term->args[i]->type); }
static int64_t static_of(Eval *e, const Value *v, int i) { return size_of(e, v->term->statics[i]); }

static Value *whole_of(Eval *e, const Value *v) { return value_term(e, v->term, v->env, path_empty(e)); }

/* The body of f for element i of the node, f's parameter being that element of the argument, or i itself. */
static const Code *element(Eval *e, Value *v, const Index *i)
{
    Step s = step_index(i);
    bool generates = v->term->prim == PRIM_GENERATE;
    Value *arg = generates ? value_index(e, i) : value_term(e, v->term->args[1], v->env, path_make(e, &s, 1));
    return code_of(e, apply(e, v->term->args[0], v->env, arg, path_after(e, v->path, 1, NULL, 0)));
}

/* The same for an index that changes less often than its loop (i / k): what the body keeps stays until it changes. */
static const Code *element_entered(Eval *e, Value *v)
{
    const Index *i = first_index(v);
    Value *at = value_term(e, v->term, v->env, path_make(e, v->path->s, 1));
    if (!at->loop) {
        at->loop = loop_new(e, whole_of(e, v)->deps);
        at->reg = code_reg(e, at->loop, length_of(e, v->term->type));
    }
    const Code *body = element(e, v, index_of_code(e, at->reg));
    Code *k = code_blank(e, body->scalar);
    k->run = run_enter(body->scalar);
    k->heavy = true;
    k->kids[0] = body;
    k->loop = at->loop;
    k->reg = at->reg;
    k->weight = body->weight;
    k->depth = body->depth + 1;
    code_use_index(k, i);
    k->deps = deps_join(i->deps, whole_of(e, v)->deps);
    k->deps = deps_join(k->deps, v->path->deps);
    return k;
}

static const Code *at_MAP(Eval *e, Value *v)
{
    Value *whole = whole_of(e, v);
    if (worth_sharing(whole, v->path)) return code_shared(e, whole, v->path);
    if ((v->term->args[0]->flags & TF_REDUCES) && !is_atomic(first_index(v))) return element_entered(e, v);
    return element(e, v, first_index(v));
}

static void check_i32(Eval *e, const Value *v, int64_t n)
{
    if (n <= INT32_MAX) return;
    const char *who = prim((PrimId)v->term->prim)->name;
    diag_error(&e->diag, E38, "%s: the length %lld does not fit an i32 index", who, (long long)n);
}

static const Code *at_GENERATE(Eval *e, Value *v)
{
    check_i32(e, v, length_of(e, v->term->type));
    return at_MAP(e, v);
}

static const Code *at_REDUCE(Eval *e, Value *v)
{
    Unit *u = fold_of(e, whole_of(e, v), length_arg(e, v, 2), index_const(e, 0), false);
    return load_unit(e, u, v->term->type, v->path, false);
}

static const Code *at_SCAN(Eval *e, Value *v)
{
    Unit *u = fold_of(e, whole_of(e, v), length_arg(e, v, 2), index_const(e, 0), true);
    return load_unit(e, u, v->term->type, v->path, true);
}

static const Code *at_REDUCE_PART(Eval *e, Value *v)
{
    int64_t n = length_arg(e, v, 2) / static_of(e, v, 0);
    Value *one = value_term(e, v->term, v->env, path_make(e, v->path->s, 1));
    Unit *u = fold_of(e, one, n, index_scale(e, first_index(v), n), false);
    return load_unit(e, u, v->term->args[1]->type, path_after(e, v->path, 1, NULL, 0), false);
}

/* t where the iterates inside have length variables other than p, so that p can be bound. */
static const Term *free_length(Eval *e, const Term *t, const Nat *p)
{
    const Term *args[ARG_MAX];
    for (int i = 0; i < t->arg_count; i++) {
        args[i] = free_length(e, t->args[i], p);
        if (!args[i]) return NULL;
    }
    if (t->kind == T_PRIM && t->prim == PRIM_ITERATE && args[0]->type->elems[0]->size == p) {
        char name[24];
        snprintf(name, sizeof name, "length %u", ++e->ids);
        NatBinding bind = {p->terms[0].factors[0].atom, nat_var(e->ctx->nats, name, VAR_SIZE, NULL, NULL)};
        args[0] = term_subst_nats(e->ctx, args[0], &bind, 1);
    }
    return t->arg_count ? term_with_args(e->ctx, t, args) : t;
}

/* The function of an iterate for arrays of length n: its own length is a variable. */
static const Term *at_length(Eval *e, const Term *lambda, int64_t n)
{
    const Nat *p = lambda->type->elems[0]->size;
    if (p->is_const) return lambda;
    NatBinding bind = {p->terms[0].factors[0].atom, nat_const(e->ctx->nats, n)};
    const Term *t = term_subst_nats(e->ctx, free_length(e, lambda, p), &bind, 1);
    if (t) return t;
    refuse(e, E36, "iterate: a size does not come out even at some step");
    return NULL;
}

static Value *iterate_last(Eval *e, Value *whole)
{
    if (whole->last) return whole->last;
    const Term *t = whole->term;
    int64_t k = size_of(e, t->statics[0]);
    Value *x = value_term(e, t->args[1], whole->env, path_empty(e));
    for (int64_t i = 0; i < k; i++) {
        const Term *f = at_length(e, t->args[0], length_of(e, value_type(e, x)));
        if (!f) return NULL;
        x = apply(e, f, whole->env, x, path_empty(e));
    }
    return whole->last = x;
}

static Unit *iterate_unit(Eval *e, Value *whole)
{
    if (whole->unit) return whole->unit;
    const Term *t = whole->term, *f = at_length(e, t->args[0], length_of(e, t->type));
    if (!f) return NULL;
    Accumulator a = accumulator_new(e, t->type, 0);
    Unit *u = fold_unit(e, whole->deps, t, &a, size_of(e, t->statics[0]));
    fold_body(e, u, &a, f, whole->env, value_term(e, t->args[1], whole->env, path_empty(e)), NULL);
    return whole->unit = u;
}

static const Code *nothing(Eval *e, Value *v) { return code_literal(e, value_type(e, v)->scalar, (LitValue){0}); }

static const Code *at_ITERATE(Eval *e, Value *v)
{
    Value *whole = whole_of(e, v);
    if (v->term->type != v->term->args[1]->type) {
        Value *last = iterate_last(e, whole);
        return last ? code_of(e, value_inside(e, last, v->path)) : nothing(e, v);
    }
    Unit *u = iterate_unit(e, whole);
    return u ? load_unit(e, u, v->term->type, v->path, false) : nothing(e, v);
}

static const Code *at_ZIP(Eval *e, Value *v)
{
    return code_arg(e, v, v->path->s[1].proj, 2, HEAD(v->path->s[0]));
}

static const Code *at_UNZIP(Eval *e, Value *v) { return code_arg(e, v, 0, 2, HEAD(v->path->s[1], v->path->s[0])); }

/* Looked through by value_term; they never stand at the head of a scalar. */
static const Code *at_TUPLE(Eval *e, Value *v) { return nothing(e, v); }
#define at_PROJ at_TUPLE
#define at_LET at_TUPLE
#define at_TO_GLOBAL at_TUPLE
#define at_TO_GLOBAL_STREAM at_TUPLE
#define at_TO_LOCAL at_TUPLE
#define at_TO_PRIVATE at_TUPLE

static const Code *at_SPLIT(Eval *e, Value *v)
{
    const Step *s = v->path->s;
    return code_arg(e, v, 0, 2, HEAD(step_index(index_pair(e, s[0].index, static_of(e, v, 0), s[1].index))));
}

static const Code *at_JOIN(Eval *e, Value *v)
{
    int64_t k = length_of(e, v->term->args[0]->type->elems[0]);
    const Index *i = first_index(v);
    return code_arg(e, v, 0, 1, HEAD(step_index(index_div(e, i, k)), step_index(index_mod(e, i, k))));
}

static const Code *at_TRANSPOSE(Eval *e, Value *v) { return code_arg(e, v, 0, 2, HEAD(v->path->s[1], v->path->s[0])); }

static const Code *at_SLIDE(Eval *e, Value *v)
{
    const Step *s = v->path->s;
    return code_arg(e, v, 0, 2, HEAD(step_index(index_pair(e, s[0].index, static_of(e, v, 1), s[1].index))));
}

static const Index *padded(Eval *e, const Index *i, int64_t n, PadMode mode)
{
    if (i->lo >= 0 && i->hi < n) return i;
    if (mode == PAD_WRAP) return index_mod(e, i, n);
    return index_of_code(e, code_atom(e, mode == PAD_CLAMP ? run_clamp : run_mirror, i, NULL, n, NULL));
}

static const Code *at_PAD(Eval *e, Value *v)
{
    const Index *i = index_shift(e, first_index(v), -static_of(e, v, 0));
    return code_arg(e, v, 0, 1, HEAD(step_index(padded(e, i, length_arg(e, v, 0), (PadMode)static_of(e, v, 2)))));
}

static const Code *code_if(Eval *e, Value *v, const Code *cond, const Code *yes, const Code *no)
{
    Scalar s = value_type(e, v)->scalar;
    return code_kids(e, s, run_if(s), cond, yes, no, v->term);
}

/* lo <= i < hi */
static const Code *in_bounds(Eval *e, const Index *i, int64_t lo, int64_t hi)
{
    const Index *from = index_shift(e, i, -lo);
    Code *k = (Code *)code_atom(e, run_in_range, from, NULL, hi - lo, NULL);
    k->lo = 0;
    k->hi = 1;
    return k;
}

static const Code *at_PAD_CONST(Eval *e, Value *v)
{
    int64_t l = static_of(e, v, 0), n = length_arg(e, v, 1);
    const Index *i = first_index(v);
    Step inside = step_index(index_shift(e, i, -l));
    if (i->lo >= l && i->hi < l + n) return code_arg(e, v, 1, 1, &inside, 1);
    if (i->hi < l || i->lo >= l + n) return code_arg(e, v, 0, 1, NULL, 0);
    return code_if(e, v, in_bounds(e, i, l, l + n), code_arg(e, v, 1, 1, &inside, 1), code_arg(e, v, 0, 1, NULL, 0));
}

static const Code *at_TAKE(Eval *e, Value *v) { return code_arg(e, v, 0, 0, NULL, 0); }

static const Code *at_DROP(Eval *e, Value *v)
{
    return code_arg(e, v, 0, 1, HEAD(step_index(index_shift(e, first_index(v), static_of(e, v, 0)))));
}

static const Code *at_CONCAT(Eval *e, Value *v)
{
    int64_t n = length_arg(e, v, 0);
    const Index *i = first_index(v);
    Step beyond = step_index(index_shift(e, i, -n));
    if (i->hi < n) return code_arg(e, v, 0, 0, NULL, 0);
    if (i->lo >= n) return code_arg(e, v, 1, 1, &beyond, 1);
    return code_if(e, v, in_bounds(e, i, 0, n), code_arg(e, v, 0, 0, NULL, 0), code_arg(e, v, 1, 1, &beyond, 1));
}

/* Both functions of a perm are tried on every index before one is used. */
static Unit *perm_unit(Eval *e, Value *whole)
{
    if (whole->unit) return whole->unit;
    const Term *t = whole->term;
    Unit *u = unit_new(e, fill_perm, whole->deps, t, 0);
    unit_loop(e, u, length_of(e, t->type));
    u->arg = code_reg(e, u->loop, u->n);
    const Path *here = path_empty(e);
    u->forth = code_of(e, apply(e, t->args[0], whole->env, value_index(e, index_of_code(e, u->reg)), here));
    u->back = code_of(e, apply(e, t->args[1], whole->env, value_index(e, index_of_code(e, u->arg)), here));
    u->depth = (u->forth->depth > u->back->depth ? u->forth->depth : u->back->depth) + 2;
    return whole->unit = u;
}

static const Index *permuted(Eval *e, Value *v, const Index *i, int64_t n)
{
    Unit *u = perm_unit(e, whole_of(e, v));
    const Code *to = code_of(e, apply(e, v->term->args[0], v->env, value_index(e, i), path_empty(e)));
    Code *k = (Code *)code_atom(e, run_perm, NULL, to, n, v->term);
    k->unit = u;
    k->deps = deps_join(k->deps, u->deps);
    if (u->depth >= k->depth) k->depth = u->depth + 1;
    return index_of_code(e, k);
}

static const Code *at_REORDER(Eval *e, Value *v)
{
    const Term *t = v->term;
    const Index *i = first_index(v);
    int64_t n = length_of(e, t->type), k = t->static_count > 1 ? static_of(e, v, 1) : 0;
    switch (static_of(e, v, 0)) {
    case PERM_REVERSE: i = index_sum(e, index_const(e, n - 1), i, -1); break;
    case PERM_ROTATE: i = index_mod(e, index_shift(e, i, k), n); break;
    case PERM_STRIDE: i = index_pair(e, index_mod(e, i, n / k), k, index_div(e, i, n / k)); break;
    default: i = permuted(e, v, i, n);
    }
    return code_arg(e, v, t->arg_count - 1, 1, HEAD(step_index(i)));
}

static const Index *checked(Eval *e, const Value *v, const Code *i, int64_t n)
{
    const Index *x = index_of_code(e, i);
    check_i32(e, v, n);
    if (x->lo >= 0 && x->hi < n) return x;
    return index_of_code(e, code_atom(e, run_check, NULL, i, n, v->term));
}

static const Code *at_GATHER(Eval *e, Value *v)
{
    const Code *i = code_arg(e, v, 0, v->path->n, HEAD(v->path->s[0]));
    return code_arg(e, v, 1, 1, HEAD(step_index(checked(e, v, i, length_arg(e, v, 1)))));
}

static Unit *scatter_unit(Eval *e, Value *whole)
{
    if (whole->unit) return whole->unit;
    const Term *t = whole->term;
    int64_t n = length_of(e, t->args[0]->type);
    check_i32(e, whole, n);
    Unit *u = unit_new(e, fill_scatter, whole->deps, t, 1);
    u->pairs[0].now = buffer_new(e, SC_I64, n);
    unit_loop(e, u, length_of(e, t->args[1]->type));
    Step s = step_index(index_of_code(e, u->reg));
    u->forth = code_of(e, value_term(e, t->args[1], whole->env, path_make(e, &s, 1)));
    u->depth = u->forth->depth + 2;
    return whole->unit = u;
}

static const Code *at_SCATTER(Eval *e, Value *v)
{
    Unit *u = scatter_unit(e, whole_of(e, v));
    Value *table = value_term(e, v->term, v->env, path_make(e, v->path->s, 1));
    if (!table->reg) {
        Code *k = (Code *)code_load(e, SC_I64, run_load_unit(SC_I64), first_index(v));
        k->unit = u;
        k->buffer = u->pairs[0].now;
        k->deps = deps_join(k->deps, u->deps);
        if (u->depth >= k->depth) k->depth = u->depth + 1;
        k->lo = -1;
        k->hi = length_arg(e, v, 1) - 1;
        table->reg = k;
    }
    const Index *from = index_of_code(e, table->reg);
    const Code *written = in_bounds(e, from, 0, length_arg(e, v, 1));
    return code_if(e, v, written, code_arg(e, v, 2, 1, HEAD(step_index(from))), code_arg(e, v, 0, 0, NULL, 0));
}

static const Code *at_AT(Eval *e, Value *v)
{
    const Code *i = code_arg(e, v, 0, v->path->n, NULL, 0);
    Step s = step_index(checked(e, v, i, length_arg(e, v, 1)));
    return code_arg(e, v, 1, 0, &s, 1);
}

/* ---- vectors: a vector of tuples is a tuple of vectors, so projections come before the lane ---- */

static const Index *last_index(const Value *v) { return v->path->s[v->path->n - 1].index; }

/* v's path from step `from` without the lane */
static const Path *before_lane(Eval *e, const Value *v, int from, const Step *head, int n)
{
    return path_after(e, path_make(e, v->path->s, v->path->n - 1), from, head, n);
}

static const Code *at_AS_VECTOR(Eval *e, Value *v)
{
    Step s = step_index(index_pair(e, first_index(v), static_of(e, v, 0), last_index(v)));
    return code_of(e, value_term(e, v->term->args[0], v->env, before_lane(e, v, 1, &s, 1)));
}

static int64_t width_of(const Type *t) { return type_leaf(t, 0)->width; }

static const Code *at_AS_SCALAR(Eval *e, Value *v)
{
    int64_t w = width_of(v->term->args[0]->type->elems[0]);
    Step s = step_index(index_div(e, first_index(v), w)), lane = step_index(index_mod(e, first_index(v), w));
    const Path *p = path_append(e, path_after(e, v->path, 1, &s, 1), lane);
    return code_of(e, value_term(e, v->term->args[0], v->env, p));
}

static const Code *at_MAP_VEC(Eval *e, Value *v)
{
    const Term *f = v->term->args[0];
    Binder b = binder_new(e, f, v->env);
    bind_value(&b, value_term(e, v->term->args[1], v->env, path_empty(e)), f->type->elems[0], last_index(v));
    return code_of(e, value_term(e, f->args[0], b.env, before_lane(e, v, 0, NULL, 0)));
}

/* Lane i of the arguments from `lane` on: a choice where i is not constant. */
static const Code *choose_lane(Eval *e, Value *v, const Index *i, int lane)
{
    const Code *here = code_of(e, value_term(e, v->term->args[lane], v->env, before_lane(e, v, 0, NULL, 0)));
    if (lane + 1 == v->term->arg_count || i->hi <= lane) return here;
    return code_if(e, v, in_bounds(e, i, lane, lane + 1), here, choose_lane(e, v, i, lane + 1));
}

static const Code *at_VEC(Eval *e, Value *v)
{
    const Index *i = last_index(v);
    return choose_lane(e, v, i, i->n == 0 ? (int)i->c : 0);
}

static const Code *code_op(Eval *e, PrimId op, Scalar operand, const Term *t, const Code *const *kids, int n)
{
    const Code *b = n > 1 ? kids[1] : NULL, *c = n > 2 ? kids[2] : NULL;
    return code_kids(e, t->type->scalar, op_function(op, operand, e->run.reference), kids[0], b, c, t);
}

static const Code *at_VDOT(Eval *e, Value *v)
{
    const Code *sum = NULL;
    for (int i = 0; i < v->term->args[0]->type->width; i++) {
        Step s = step_index(index_const(e, i));
        const Code *ab[2] = {code_arg(e, v, 0, 0, &s, 1), code_arg(e, v, 1, 0, &s, 1)};
        const Code *both[2] = {sum, code_op(e, PRIM_MUL, v->term->type->scalar, v->term, ab, 2)};
        sum = sum ? code_op(e, PRIM_ADD, v->term->type->scalar, v->term, both, 2) : both[1];
    }
    return sum;
}

static const Code *at_LANE(Eval *e, Value *v)
{
    int64_t i = static_of(e, v, 0), w = v->term->args[0]->type->width;
    if (i < 0 || i >= w) refuse(e, E38, "a vector has no such lane");
    return code_arg(e, v, 0, 0, HEAD(step_index(index_const(e, i < 0 || i >= w ? 0 : i))));
}

/* ---- scalar operations ---- */

static const Code *at_IF(Eval *e, Value *v)
{
    const Code *cond = code_arg(e, v, 0, v->path->n, NULL, 0);
    return code_if(e, v, cond, code_arg(e, v, 1, 0, NULL, 0), code_arg(e, v, 2, 0, NULL, 0));
}

/* + - * of indices that cannot wrap stay indices, so that what is known of them is not lost. */
static const Index *folded(Eval *e, PrimId op, const Code *a, const Code *b)
{
    const int64_t far = INT32_MAX;
    if (!a->as_index && a->run.i != run_reg && a->run.i != run_int) return NULL;
    if (!b->as_index && b->run.i != run_reg && b->run.i != run_int) return NULL;
    const Index *x = index_of_code(e, a), *y = index_of_code(e, b), *r = NULL;
    if (x->lo < -far || x->hi > far || y->lo < -far || y->hi > far) return NULL;
    if (op == PRIM_ADD) r = index_add(e, x, y);
    if (op == PRIM_SUB) r = index_sum(e, x, y, -1);
    if (op == PRIM_MUL && (x->n == 0 || y->n == 0)) r = x->n == 0 ? index_scale(e, y, x->c) : index_scale(e, x, y->c);
    return r && r->lo >= -far && r->hi <= far ? r : NULL;
}

static const Code *at_OP(Eval *e, Value *v)
{
    const Term *t = v->term;
    const Code *kids[3] = {NULL};
    for (int i = 0; i < t->arg_count; i++) kids[i] = code_arg(e, v, i, 0, NULL, 0);
    bool folds = t->prim == PRIM_ADD || t->prim == PRIM_SUB || t->prim == PRIM_MUL;
    if (folds && t->type->scalar == SC_I32) {
        const Index *x = folded(e, (PrimId)t->prim, kids[0], kids[1]);
        if (x) return code_index(e, x, SC_I32);
    }
    return code_op(e, (PrimId)t->prim, t->args[t->arg_count - 1]->type->scalar, t, kids, t->arg_count);
}

#define at_MAP_SEQ at_MAP
#define at_MAP_SEQ_UNROLL at_MAP
#define at_MAP_GLOBAL at_MAP
#define at_MAP_WORKGROUP at_MAP
#define at_MAP_LOCAL at_MAP
#define at_REDUCE_SEQ at_REDUCE
#define at_REDUCE_SEQ_UNROLL at_REDUCE
#define at_REDUCE_SEQ_PREFETCH at_REDUCE
#define at_SCAN_SEQ at_SCAN

static Semantics *const semantics[PRIM_COUNT] = {
#define PRIM(id, name, family, scheme, slots, help) [PRIM_##id] = at_##id,
#define OP(id, name, scheme, slots, template, help) [PRIM_##id] = at_OP,
#include "prims.def"
#undef PRIM
#undef OP
};

/* ---- scalars that are no primitive ---- */

static const Code *code_input(Eval *e, Value *v)
{
    int part, i = 0;
    const Index *at = locate(e, v->term->type, v->path, &part);
    while (i < e->input_count && strcmp(e->inputs[i].name, v->term->u.name) != 0) i++;
    const DataPart *p = &e->inputs[i].data->parts[part];
    Code *k = (Code *)code_load(e, p->scalar, run_load(p->scalar), at);
    k->heavy = !is_atomic(at);
    k->base = p->values;
    return k;
}

static const Code *code_buffer(Eval *e, Value *v)
{
    int part;
    const Index *at = locate(e, v->type, v->path, &part);
    Scalar s = value_type(e, v)->scalar;
    Code *k = (Code *)code_load(e, s, run_load_buffer(s), at);
    k->buffer = v->buffers[part];
    k->heavy = !is_atomic(at);
    k->deps = deps_join(k->deps, v->deps);
    return k;
}

static const Code *code_size(Eval *e, const Term *t)
{
    int64_t n = size_of(e, t->u.nat);
    LitValue v = {.i = n};
    if (scalar_is_float(t->type->scalar)) v.f = (double)n;
    return code_literal(e, t->type->scalar, v);
}

static const Code *code_new(Eval *e, Value *v)
{
    switch (v->kind) {
    case V_INDEX: return code_index(e, v->index, SC_I32);
    case V_BUFFER: return code_buffer(e, v);
    case V_SHARED: return code_shared(e, v->base, v->path);
    default: break;
    }
    switch (v->term->kind) {
    case T_INPUT: return code_input(e, v);
    case T_LIT: return code_literal(e, v->term->type->scalar, v->term->u.lit);
    case T_SIZE: return code_size(e, v->term);
    default: return semantics[v->term->prim](e, v);
    }
}

/* The code of a scalar: made once, and keeping its value once several ask for it. */
static const Code *code_of(Eval *e, Value *v)
{
    if (v->code) {
        code_keep(v->code);
        return v->code;
    }
    if (e->nest > NEST_MAX) refuse(e, E08, "the program nests too deep for the interpreter");
    if (diag_failed(&e->diag)) return nothing(e, v);
    e->nest++;
    const Code *k = code_new(e, v);
    e->nest--;
    return v->code = k;
}

/* ---- the interface ---- */

static bool check_input(Eval *e, Ctx *c, const Term *t)
{
    for (int i = 0; i < e->input_count; i++) {
        const EvalInput *in = &e->inputs[i];
        if (strcmp(in->name, t->u.name) != 0) continue;
        if (in->data && in->data->type == t->type) return true;
        diag_error(&c->diag, E37, "the input %s is %s, the program needs %s", in->name,
                   in->data ? type_text(c, in->data->type) : "not given", type_text(c, t->type));
        return false;
    }
    diag_error(&c->diag, E37, "the input %s is not given", t->u.name);
    return false;
}

static bool check_inputs(Eval *e, Ctx *c, const Term *t)
{
    if (t->kind == T_INPUT) return check_input(e, c, t);
    for (int i = 0; i < t->arg_count; i++)
        if (!check_inputs(e, c, t->args[i])) return false;
    return true;
}

Eval *eval_new(Ctx *c, const Term *t, const EvalInput *inputs, int input_count, EvalMode mode)
{
    if (!t) return NULL;
    Eval *e = mem_alloc(sizeof *e);
    *e = (Eval){.ctx = c, .term = t, .inputs = inputs, .input_count = input_count, .mode = mode};
    e->arena = arena_new();
    diag_init(&e->diag);
    e->run.reference = mode == EVAL_REFERENCE;
    e->ground.tick = e->run.clock = 1;
    e->part_count = part_count(t->type);
    e->parts = NEW_ARRAY(e->arena, RootPart, e->part_count);
    if (check_inputs(e, c, t)) return e;
    eval_free(e);
    return NULL;
}

static void free_memo_stamps(const Eval *e)
{
    for (size_t i = 0; i < e->values.used; i++) {
        const Value *v = e->values.items[i];
        if (!v->memo) continue;
        for (int k = 0; k < v->memo->part_count; k++) free(v->memo->parts[k].stamps);
    }
}

void eval_free(Eval *e)
{
    if (!e) return;
    free_memo_stamps(e);
    for (Buffer *b = e->buffers; b; b = b->next) {
        free(b->v);
        free(b->i);
        free(b->shadow);
        free(b->bad);
    }
    ptr_table_free(&e->values);
    ptr_table_free(&e->envs);
    ptr_table_free(&e->paths);
    ptr_table_free(&e->indices);
    ptr_table_free(&e->atoms);
    diag_free(&e->diag);
    arena_free(e->arena);
    free(e);
}

void eval_limit(Eval *e, int64_t steps, const volatile int *stop)
{
    e->run.limit = steps;
    e->run.steps = 0;
    e->run.stop = stop;
}

/* The path of slots to the first occurrence of a node, if it is in the program as given. */
static bool find_place(Ctx *c, const Term *t, const Term *want, Buf *out)
{
    if (t == want) return true;
    size_t before = out->len;
    for (int i = 0; t->kind != T_VAR && i < term_slot_count(t); i++) {
        buf_printf(out, "/%s", term_slot_name(c, t, i));
        if (find_place(c, term_slot(t, i), want, out)) return true;
        out->len = before;
        if (out->data) out->data[before] = '\0';
    }
    return false;
}

/* The primitive and where it stands in the program: "gather in /f/body". */
static const char *failure_place(Eval *e, const Term *t, Diag *d)
{
    Buf place = {0};
    bool found = t && find_place(e->ctx, e->term, t, &place);
    const char *path = !found ? "" : place.len ? buf_text(&place) : "/";
    const char *who = t ? prim((PrimId)t->prim)->name : "";
    const char *text = arena_printf(d->arena, "%s%s%s", who, found ? " in " : "", path);
    buf_free(&place);
    return text;
}

static void report_failure(Eval *e, Diag *d)
{
    const Failure *f = &e->run.why;
    const char *who = failure_place(e, f->term, d);
    long long a = f->a, b = f->b;
    switch (f->kind) {
    case FAIL_INDEX:
        if (!diag_error(d, E38, "%s: index %lld is out of range", who, a)) break;
        diag_note(d, "needs", "0 <= index < %lld", b);
        diag_note(d, "found", "%lld", a);
        break;
    case FAIL_DIVISION:
        if (!diag_error(d, E38, "%s: integer division of %lld by zero", who, a)) break;
        diag_note(d, "needs", "a divisor other than 0");
        diag_note(d, "found", "%lld %s 0", a, prim((PrimId)f->term->prim)->name);
        break;
    case FAIL_TWICE:
        if (!diag_error(d, E38, "%s: index %lld is written twice", who, a)) break;
        diag_note(d, "needs", "indices that differ from each other");
        diag_note(d, "found", "%lld again, at position %lld", a, b);
        break;
    case FAIL_PERM:
        if (!diag_error(d, E38, "%s: perm is no bijection with its inverse", who)) break;
        diag_note(d, "needs", "functions on the indices of the array that undo each other");
        diag_note(d, "found", "%lld goes to %lld and does not come back", a, b);
        break;
    case FAIL_CAST:
        if (!diag_error(d, E38, "%s: %g is out of range", who, f->d)) break;
        diag_note(d, "needs", "a value that %s can hold", scalar_name(f->term->type->scalar));
        diag_note(d, "found", "%.17g", f->d);
        break;
    case FAIL_STOP: diag_error(d, E25, "evaluation was interrupted"); break;
    default: diag_error(d, E25, "evaluation reached its limit of %lld steps", a);
    }
}

/* Clears what an earlier question left. */
static void begin(Eval *e)
{
    e->run.failed = e->run.hard = false;
    e->run.doomed = NULL;
}

static bool ended(Eval *e, Diag *d)
{
    if (diag_failed(&e->diag)) diag_copy(d, &e->diag);
    else if (e->run.failed) report_failure(e, d);
    else return true;
    return false;
}

static RootDim *root_dim(Eval *e, Loop *parent, int64_t n)
{
    for (RootDim *d = e->dims; d; d = d->next)
        if (d->loop->above.loops[0] == parent && d->n == n) return d;
    RootDim *d = NEW(e->arena, RootDim);
    *d = (RootDim){.next = e->dims, .loop = loop_new(e, loop_deps(parent)), .n = n};
    d->reg = code_reg(e, d->loop, n);
    return e->dims = d;
}

static RootPart *root_part(Eval *e, int part)
{
    RootPart *p = &e->parts[part];
    if (p->code) return p;
    Step steps[PATH_MAX_STEPS];
    int64_t sizes[PATH_MAX_STEPS];
    Scalar scalar;
    int n = part_steps(e, e->term->type, part, steps, sizes, &scalar);
    p->dims = NEW_ARRAY(e->arena, RootDim *, n);
    p->count = 1;
    Loop *parent = &e->ground;
    for (int i = 0; i < n; i++) {
        if (!is_open(steps[i])) continue;
        RootDim *d = root_dim(e, parent, sizes[i]);
        p->dims[p->rank++] = d;
        p->count *= sizes[i];
        parent = d->loop;
        steps[i] = step_index(index_of_code(e, d->reg));
    }
    p->code = code_of(e, value_term(e, e->term, NULL, path_make(e, steps, n)));
    return p;
}

static void root_enter(Eval *e, const RootPart *p, int64_t flat)
{
    int64_t at[PATH_MAX_STEPS];
    for (int d = p->rank - 1; d >= 0; d--) {
        at[d] = flat % p->dims[d]->n;
        flat /= p->dims[d]->n;
    }
    for (int d = 0; d < p->rank; d++) loop_enter(p->dims[d]->loop, p->dims[d]->reg, at[d], &e->run);
}

bool eval_at(Eval *e, int part, int64_t flat, EvalScalar *out, Diag *diag)
{
    begin(e);
    RootPart *p = root_part(e, part);
    if (diag_failed(&e->diag)) return ended(e, diag);
    root_enter(e, p, flat);
    e->run.steps += p->code->weight;
    *out = (EvalScalar){0};
    if (scalar_is_float(p->code->scalar)) {
        Flt v = p->code->run.f(p->code, &e->run);
        *out = (EvalScalar){.f = v.v, .shadow = v.shadow};
    } else {
        out->i = p->code->run.i(p->code, &e->run);
        out->f = (double)out->i;
    }
    return ended(e, diag);
}

/* All of the result, in the buffers of e->whole. */
static bool evaluate(Eval *e, Diag *diag)
{
    begin(e);
    Value *v = value_term(e, e->term, NULL, path_empty(e));
    if (!e->whole) {
        const Type *t = e->term->type;
        Buffer **b = buffers_new(e, t, 1);
        Unit *u = unit_new(e, fill_once, deps_none(e), e->term, e->part_count);
        for (int i = 0; i < u->pair_count; i++) u->pairs[i].now = b[i];
        u->init = fill_into(e, v, t, b, &e->ground);
        e->whole = u;
    }
    if (diag_failed(&e->diag)) return ended(e, diag);
    if (e->whole->stamp) return true;
    e->whole->fill(e->whole, &e->run);
    e->whole->stamp = !e->run.failed;
    return ended(e, diag);
}

static bool part_good(Eval *e, const Buffer *b, int64_t count, Diag *diag)
{
    if (!b->bad || !memchr(b->bad, 1, (size_t)count)) return true;
    e->run.failed = true;
    e->run.why = b->why;
    return ended(e, diag);
}

bool eval_full(Eval *e, Data *out, Diag *diag)
{
    if (!evaluate(e, diag)) return false;
    for (int p = 0; p < e->part_count; p++) {
        const Buffer *b = e->whole->pairs[p].now;
        if (!part_good(e, b, b->count, diag)) return false;
        for (int64_t i = 0; i < b->count; i++) {
            if (b->is_float) data_set(out, p, i, b->v[i]);
            else data_set_int(out, p, i, b->i[i]);
        }
    }
    return true;
}

bool eval_reference(Eval *e, int part, double *want, double *shadow, int64_t count, Diag *diag)
{
    if (!evaluate(e, diag)) return false;
    const Buffer *b = e->whole->pairs[part].now;
    if (count > b->count) count = b->count;
    if (!part_good(e, b, count, diag)) return false;
    for (int64_t i = 0; i < count; i++) {
        want[i] = b->is_float ? b->v[i] : (double)b->i[i];
        shadow[i] = b->shadow ? b->shadow[i] : fabs(want[i]);
    }
    return true;
}

/* ---- how much work a term is ---- */

typedef struct Work {
    const NatAtom *length;               /* inside an iterate: its length variable, */
    int64_t at;                          /* and a bound of it */
} Work;

static bool length_value(void *data, const NatAtom *var, int64_t *out)
{
    const Work *w = data;
    *out = var == w->length ? w->at : 1;
    return true;
}

static double work_size(Work *w, const Nat *n)
{
    int64_t v;
    return nat_eval(n, length_value, w, &v) ? (double)v : 1;
}

static double work_length(Work *w, const Type *t) { return t->kind == TY_ARRAY ? work_size(w, t->size) : 1; }

static double work_of(Work *w, const Term *t);

/* At most as much as all steps at the first length. */
static double work_iterate(Work *w, const Term *t)
{
    const Nat *p = t->args[0]->type->elems[0]->size;
    Work inner = *w;
    if (!p->is_const) {
        inner.at = (int64_t)work_length(w, t->args[1]->type);
        inner.length = p->terms[0].factors[0].atom;
    }
    return work_size(w, t->statics[0]) * work_of(&inner, t->args[0]->args[0]);
}

static double work_data(const Type *t, Work *w)
{
    double n = 0;
    if (t->kind == TY_ARRAY) return work_length(w, t) * work_data(t->elems[0], w);
    if (t->kind != TY_TUPLE) return t->kind == TY_VECTOR ? t->width : 1;
    for (int i = 0; i < t->count; i++) n += work_data(t->elems[i], w);
    return n;
}

static double work_args(Work *w, const Term *t)
{
    double n = 0;
    for (int i = 0; i < t->arg_count; i++)
        if (t->args[i]->kind != T_LAM) n += work_of(w, t->args[i]);
    return n;
}

static double work_prim(Work *w, const Term *t)
{
    const Term *f = t->arg_count && t->args[0]->kind == T_LAM ? t->args[0]->args[0] : NULL;
    PrimId p = (PrimId)t->prim;
    switch (prim(p)->family) {
    case FAM_SCALAR: return 1 + work_args(w, t);
    case FAM_MAP: return work_args(w, t) + work_length(w, t->type) * work_of(w, f);
    case FAM_REDUCE: case FAM_SCAN: {
        double step = work_of(w, f), acc = work_data(t->args[1]->type, w);
        return work_args(w, t) + work_length(w, t->args[2]->type) * (step > acc ? step : acc);
    }
    default: break;
    }
    if (p == PRIM_LET) return work_of(w, t->args[0]) + work_of(w, t->args[1]->args[0]);
    if (p == PRIM_ITERATE) return work_args(w, t) + work_iterate(w, t);
    if (p == PRIM_GENERATE) return work_length(w, t->type) * work_of(w, f);
    if (p == PRIM_MAP_VEC) return work_args(w, t) + type_leaf(t->type, 0)->width * work_of(w, f);
    if (p == PRIM_VDOT) return work_args(w, t) + 2 * t->args[0]->type->width;
    if (p == PRIM_REORDER && f)
        return work_of(w, t->args[2]) + work_length(w, t->type) * (work_of(w, f) + work_of(w, t->args[1]->args[0]));
    return work_args(w, t);
}

static double work_of(Work *w, const Term *t)
{
    double n = t->kind == T_PRIM ? work_prim(w, t) : t->kind == T_LAM ? work_of(w, t->args[0]) : 0;
    return n < 1e300 ? n : 1e300;
}

double eval_work(Ctx *c, const Term *t)
{
    (void)c;
    Work w = {NULL, 1};
    if (!t) return 0;
    double n = work_of(&w, t), all = work_data(t->type, &w);
    return n > all ? n : all;
}
