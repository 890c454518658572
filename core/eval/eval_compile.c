/* eval_compile: the code of terms, in reading order: paths and places in their values; what is made as a whole, or kept;
 * what every primitive means; an Eval's code. */
#include "eval_compile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
typedef struct Cells Cells;

/* A value of a data type, or what lies at path inside it. */
typedef enum ValueKind { V_TERM, V_INDEX, V_BUFFER, V_CELLS, V_SHARED, V_SLICE } ValueKind;
struct Value {
    uint32_t id;
    ValueKind kind;
    const Term *term;                    /* TERM: the term under env */
    const Env *env;
    const Path *path;
    const Index *index;                  /* INDEX: an i32; SLICE: where in base it begins */
    Buffer *const *buffers;              /* BUFFER: one a part of type */
    Cells *cells;                        /* CELLS: what they are of */
    const Type *type;                    /* BUFFER, CELLS, SLICE */
    Value *base;                         /* SHARED: in memo or unit of base; SLICE: every step-th element of it */
    int64_t step;
    Deps deps;
    bool computes;                       /* an element costs more than finding it */
    bool opening;                        /* the code of its elements is being made: do not share it with itself */
    const Code *code;                    /* once made */
    Memo *memo;                          /* elements kept one by one */
    Unit *unit;                          /* made as a whole: shared, fold, scan, scatter, perm */
    Loop *loop;                          /* entered at this index (at_MAP) */
    Code *reg;
    Value *last;                         /* iterate: the last step */
};

/* What the variables of a term stand for, innermost first. shared: elements of the value are kept. */
struct Env {
    uint32_t id;
    const Env *up;
    Value *value;
    bool shared;
};

/* The leaves of a lambda's parameter, bound one after the other. */
typedef struct Binder {
    Eval *e;
    const Env *env;
    const Term *body;
    int left;                            /* leaves to come */
} Binder;

/* A place inside the value of a term; variables, tuples, projections and lets at the head are looked through. */
static Value *value_term(Eval *e, const Term *t, const Env *env, const Path *p);
/* The code of a scalar: made once, and keeping its value once several ask for it. */
static const Code *code_of(Eval *e, Value *v);

/* ---- paths ---- */

static Step step_index(const Index *x) { return (Step){x, 0}; }
static Step step_proj(int i) { return (Step){NULL, i}; }

static bool same_path(const void *key, const void *item)
{
    const Path *a = key, *b = item;
    if (a->n != b->n) return false;
    return ALL(i, a->n, a->s[i].index == b->s[i].index && a->s[i].proj == b->s[i].proj);
}

static const Path *path_make(Eval *e, const Step *s, int n)
{
    if (n > PATH_MAX_STEPS) {
        diag_error(&e->diag, E08, "an array has more than %d dimensions, too many for the interpreter", PATH_MAX_STEPS);
        n = PATH_MAX_STEPS;
    }
    Path key = {.n = n, .s = s};
    uint64_t h = (uint64_t)n;
    for (int i = 0; i < n; i++) h = hash_mix(h, s[i].index ? s[i].index->id : (uint64_t)s[i].proj << 32);
    Path *p = ptr_table_find(&e->paths, h, same_path, &key);
    if (p) return p;
    p = NEW(e->arena, Path);
    Step *copy = MAKE_LIST(e->arena, Step, i, n, s[i]);
    *p = (Path){++e->ids, n, deps_none(e), copy};
    for (int i = 0; i < n; i++)
        if (s[i].index) p->deps = deps_join(p->deps, s[i].index->deps);
    ptr_table_add(&e->paths, h, p);
    return p;
}

/* head[0..n), then p without `drop` steps */
static const Path *path_after(Eval *e, const Path *p, int drop, const Step *head, int n)
{
    Step s[2 * PATH_MAX_STEPS + 4];
    if (n) memcpy(s, head, sizeof *s * (size_t)n);
    memcpy(s + n, p->s + drop, sizeof *s * (size_t)(p->n - drop));
    return path_make(e, s, n + p->n - drop);
}

static const Path *path_concat(Eval *e, const Path *a, const Path *b) { return path_after(e, b, 0, a->s, a->n); }
static const Path *path_empty(Eval *e) { return path_make(e, NULL, 0); }

/* ---- types: sizes are constant here ---- */

static int64_t eval_size(Eval *e, const Nat *n)
{
    if (n && n->is_const) return n->value;
    LOCAL(buf_free) Buf b = {0};
    if (n) nat_print(n, 0, &b);
    if (diag_error(&e->diag, E35, "the size %s is not bound to a number", buf_text(&b)))
        diag_note(&e->diag, "needs", "sizes and parameters bound before evaluation");
    return 1;
}

/* Of an array or a vector. */
static int64_t eval_length(Eval *e, const Type *t) { return t->kind == TY_VECTOR ? t->width : eval_size(e, t->size); }

/* Of what lies there in a t. */
static const Type *path_type(Eval *e, const Type *t, const Path *p)
{
    for (int i = 0; i < p->n; i++) {
        if (t->kind == TY_VECTOR) t = type_scalar(e->ctx, t->scalar);
        else t = t->elems[t->kind == TY_ARRAY ? 0 : p->s[i].proj];
    }
    return t;
}

/* The steps to a scalar of that part: n, of which open[d], into dimension d < rank of that size, waits for its index. */
typedef struct PartSteps {
    Scalar scalar;
    int n, rank, open[PATH_MAX_STEPS];
    int64_t sizes[PATH_MAX_STEPS];
    Step s[PATH_MAX_STEPS];
} PartSteps;

static void part_steps(Eval *e, const Type *t, int part, PartSteps *out)
{
    out->n = out->rank = 0;
    while (t->kind != TY_SCALAR && out->n < PATH_MAX_STEPS) {
        int i = 0;
        if (t->kind == TY_TUPLE) {
            for (; part >= type_components(t->elems[i]); i++) part -= type_components(t->elems[i]);
            out->s[out->n++] = step_proj(i);
            t = t->elems[i];
            continue;
        }
        out->sizes[out->rank] = eval_length(e, t);
        out->open[out->rank++] = out->n;
        out->s[out->n++] = step_index(NULL);
        t = t->kind == TY_VECTOR ? type_scalar(e->ctx, t->scalar) : t->elems[0];
    }
    out->scalar = t->scalar;
}

/* Where the scalar at a full path lies. */
static const Index *part_locate(Eval *e, const Type *t, const Path *p, int *part)
{
    const Index *at = index_const(e, 0);
    *part = 0;
    for (int i = 0; i < p->n; i++) {
        if (t->kind == TY_TUPLE) {
            for (int k = 0; k < p->s[i].proj; k++) *part += type_components(t->elems[k]);
            t = t->elems[p->s[i].proj];
            continue;
        }
        at = index_pair(e, at, eval_length(e, t), p->s[i].index);
        t = t->kind == TY_VECTOR ? type_scalar(e->ctx, t->scalar) : t->elems[0];
    }
    return at;
}

static Buffer *buffer_make(Eval *e, Scalar s, int64_t count)
{
    return MAKE(e->arena, Buffer, .count = count, .is_float = scalar_is_float(s));
}

/* One a part, times `copies`. */
static Buffer **buffers_new(Eval *e, const Type *t, int64_t copies)
{
    int parts = type_components(t);
    Buffer **b = NEW_ARRAY(e->arena, Buffer *, parts);
    for (int p = 0; p < parts; p++) {
        PartSteps at;
        int64_t count = copies;
        part_steps(e, t, p, &at);
        for (int d = 0; d < at.rank; d++)
            if (!mul_ok(count, at.sizes[d], &count)) count = INT64_MAX;
        if (count > (int64_t)1 << 36) {
            diag_error(&e->diag, E08, "an intermediate array has %lld elements, and the interpreter takes 2^36 at most", (long long)count);
            count = 1;
        }
        b[p] = buffer_make(e, at.scalar, count);
    }
    return b;
}

/* ---- values ---- */

static bool same_env(const void *key, const void *item)
{
    const Env *a = key, *b = item;
    return a->up == b->up && a->value == b->value && a->shared == b->shared;
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
        if ((folds && bound > 0) || prim_computes((PrimId)t->prim)) out->computes |= !kept;
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
        && a->buffers == b->buffers && a->cells == b->cells && a->base == b->base && a->type == b->type && a->step == b->step;
}

static Value *value_intern(Eval *e, Value key)
{
    uint64_t h = hash_mix(key.kind, key.path->id);
    h = hash_mix(h, key.kind == V_TERM ? key.term->id : key.index ? key.index->id : 0);
    h = hash_mix(h, key.base ? key.base->id : key.env ? key.env->id : 0);
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

static Value *value_cells(Eval *e, Cells *cells, const Type *t, const Path *p, Deps deps)
{
    return value_intern(e, (Value){.kind = V_CELLS, .cells = cells, .type = t, .path = p, .deps = deps});
}

static Value *value_shared(Eval *e, Value *base, const Path *p)
{
    return value_intern(e, (Value){.kind = V_SHARED, .base = base, .path = p, .deps = base->deps});
}

static Value *value_inside(Eval *e, Value *v, const Path *p)
{
    if (p->n == 0) return v;
    const Path *all = path_concat(e, v->path, p);
    switch (v->kind) {
    case V_TERM: return value_term(e, v->term, v->env, all);
    case V_BUFFER: return value_buffers(e, v->buffers, v->type, all, v->deps);
    case V_CELLS: return value_cells(e, v->cells, v->type, all, v->deps);
    case V_SHARED: return value_shared(e, v->base, all);
    case V_SLICE: {
        Step s = step_index(index_add(e, v->index, index_scale(e, p->s[0].index, v->step)));
        return value_inside(e, v->base, path_after(e, p, 1, &s, 1));
    }
    default: return v;
    }
}

static const Type *value_type(Eval *e, const Value *v)
{
    switch (v->kind) {
    case V_TERM: return path_type(e, v->term->type, v->path);
    case V_BUFFER: case V_CELLS: return path_type(e, v->type, v->path);
    case V_SHARED: return path_type(e, value_type(e, v->base), v->path);
    case V_SLICE: return v->type;
    default: return type_scalar(e->ctx, SC_I32);
    }
}

/* ---- binding the leaves of a lambda's parameter ---- */

static Binder binder_new(Eval *e, const Term *lambda, const Env *env)
{
    return (Binder){e, env, lambda->args[0], lambda->type->elems[0]->leaf_count};
}

/* The leaves of v, whose type is t; lane: a last step into each leaf, or NULL. An array that computes and is
 * read several times is kept. */
static void binder_bind(Binder *b, Value *v, const Type *t, const Index *lane)
{
    Eval *e = b->e;
    if (t->kind == TY_TUPLE) {
        for (int i = 0; i < t->count; i++) {
            Step s = step_proj(i);
            binder_bind(b, value_inside(e, v, path_make(e, &s, 1)), t->elems[i], lane);
        }
        return;
    }
    Step s = step_index(lane);
    if (lane) v = value_inside(e, v, path_make(e, &s, 1));
    b->left--;
    bool shared = v->kind == V_TERM && v->computes && value_type(e, v)->kind == TY_ARRAY && term_uses(b->body, b->left, 1) > 1;
    Env key = {.up = b->env, .value = v, .shared = shared};
    uint64_t h = hash_mix(hash_mix(b->env ? b->env->id : 0, v->id), shared);
    Env *env = ptr_table_find(&e->envs, h, same_env, &key);
    if (!env) {
        key.id = ++e->ids;
        env = arena_copy(e->arena, &key, sizeof key);
        ptr_table_add(&e->envs, h, env);
    }
    b->env = env;
}

static Value *value_apply(Eval *e, const Term *lambda, const Env *env, Value *arg, const Path *path)
{
    Binder b = binder_new(e, lambda, env);
    binder_bind(&b, arg, lambda->type->elems[0], NULL);
    return value_term(e, lambda->args[0], b.env, path);
}

static Value *value_term(Eval *e, const Term *t, const Env *env, const Path *p)
{
    Step s;
    if (t->kind == T_VAR) {
        const Env *entry = env_at(env, t->u.index);
        return entry->shared ? value_shared(e, entry->value, p) : value_inside(e, entry->value, p);
    }
    if (t->kind == T_PRIM) {
        if (prim((PrimId)t->prim)->family == FAM_MEMORY || t->prim == PRIM_TO_IMAGE) return value_term(e, t->args[0], env, p);
        switch (t->prim) {
        case PRIM_PROJ:
            s = step_proj(t->u.proj);
            return value_term(e, t->args[0], env, path_after(e, p, 0, &s, 1));
        case PRIM_TUPLE:
            if (p->n == 0) break;
            return value_term(e, t->args[p->s[0].proj], env, path_after(e, p, 1, NULL, 0));
        case PRIM_LET: return value_apply(e, t->args[1], env, value_term(e, t->args[0], env, path_empty(e)), p);
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

typedef struct Dest Dest;
static Stmt *fill(Eval *e, Value *v, const Dest *to, Loop *outer);

/* ---- statements: filling buffers. Where the parts of a value go is given by a path transformer, so that layout at the
 * head of a term moves the destination instead of the elements, and everything is computed once, in its order. ---- */

struct Dest {
    enum { TO_BUFFERS, TO_STEP, TO_JOINED, TO_SPLIT, TO_TRANSPOSED, TO_ANTIDIAGONALS, TO_ZIPPED, TO_SHIFTED } kind;
    const struct Dest *next;
    int64_t k;
    Step step;
    const Type *type;
    Buffer *const *buffers;
};

/* In which row element s[1] of antidiagonal s[0] of an n by n matrix lies, and the other way round. */
static Step along_antidiagonals(Eval *e, const Step *s, int64_t n)
{
    return step_index(index_sum(e, index_const(e, n - 1), index_mod(e, index_add(e, s[0].index, s[1].index), n), -1));
}

static const Index *destination(Eval *e, const Dest *d, const Path *p, Buffer **buffer)
{
    Step h[3];
    int part, drop = 0, n = 0;
    if (d->kind == TO_BUFFERS) {
        const Index *at = part_locate(e, d->type, p, &part);
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
    case TO_ANTIDIAGONALS: h[n++] = along_antidiagonals(e, s, d->k), h[n++] = s[1], drop = 2; break;
    case TO_ZIPPED: h[n++] = s[0], h[n++] = d->step, drop = 1; break;
    default: h[n++] = step_index(index_shift(e, s[0].index, d->k)), drop = 1; break;
    }
    return destination(e, d->next, path_after(e, p, drop, h, n), buffer);
}

static Stmt *stmt_new(Eval *e, StmtFn *run, uint32_t weight) { return MAKE(e->arena, Stmt, .run = run, .weight = weight); }

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

/* Any value: element by element, component by component; map: the map or generate that it is, of which each element is made whole. */
static Stmt *fill_plain(Eval *e, Value *v, const Type *t, const Term *map, const Dest *to, Loop *outer)
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
    int64_t n = eval_length(e, t);
    Stmt *loop = n == 1 ? NULL : stmt_new(e, stmt_loop, 0);
    if (loop) {
        loop->n = n;
        loop->loop = loop_new(e, deps_join(v->deps, loop_deps(outer)));
        loop->reg = code_reg(e, loop->loop, n);
    }
    const Index *i = loop ? index_of_code(e, loop->reg) : index_const(e, 0);
    Step s = step_index(i);
    Dest d = {.kind = TO_STEP, .next = to, .step = s};
    Value *arg = !map ? NULL : map->prim == PRIM_GENERATE ? value_index(e, i) : value_arg(e, v, 1, 0, &s, 1);
    Value *at = map ? value_apply(e, map->args[0], v->env, arg, path_empty(e)) : value_inside(e, v, path_make(e, &s, 1));
    Stmt *body = fill(e, at, &d, loop ? loop->loop : outer);
    if (!loop) return body;
    loop->body = body;
    loop->weight = body->weight;
    e->deepest += 2;
    return loop;
}

static Stmt *fill_under(Eval *e, Value *v, Dest d, Loop *outer) { return fill(e, value_arg(e, v, 0, 0, NULL, 0), &d, outer); }

static bool is_of_scalars(const Type *t)
{
    bool all = t->kind == TY_SCALAR || t->kind == TY_TUPLE;
    for (int i = 0; all && t->kind == TY_TUPLE && i < t->count; i++) all = is_of_scalars(t->elems[i]);
    return all;
}

static Stmt *fill(Eval *e, Value *v, const Dest *to, Loop *outer)
{
    const Type *t = value_type(e, v);
    if (t->kind == TY_SCALAR) {
        const Code *k = code_of(e, v);
        Stmt *s = stmt_new(e, stmt_store, k->weight ? k->weight : 1);
        s->code = k;
        s->index = destination(e, to, path_empty(e), &s->buffer);
        deepen(e, k->depth + 1);
        deepen(e, s->index->depth + 1);
        return s;
    }
    if (v->kind != V_TERM || v->path->n || v->term->kind != T_PRIM) return fill_plain(e, v, t, NULL, to, outer);
    switch (v->term->prim) {
    case PRIM_MAP: case PRIM_MAP_SEQ: case PRIM_MAP_SEQ_UNROLL: case PRIM_MAP_GLOBAL: case PRIM_MAP_WORKGROUP:
    case PRIM_MAP_LOCAL: case PRIM_MAP_WARP: case PRIM_MAP_LANE: case PRIM_GENERATE: return fill_plain(e, v, t, v->term, to, outer);
    case PRIM_IF: {
        if (is_of_scalars(t)) return fill_plain(e, v, t, NULL, to, outer);
        Stmt *s = stmt_new(e, stmt_if, 0);
        s->code = code_arg(e, v, 0, 0, NULL, 0);
        s->body = fill(e, value_arg(e, v, 1, 0, NULL, 0), to, outer);
        s->other = fill(e, value_arg(e, v, 2, 0, NULL, 0), to, outer);
        s->weight = s->body->weight > s->other->weight ? s->body->weight : s->other->weight;
        deepen(e, s->code->depth);
        e->deepest += 2;
        return s;
    }
    case PRIM_ZIP: case PRIM_CONCAT: {
        Stmt *all = NULL;
        int64_t before = 0;
        for (int i = 0; i < v->term->arg_count; i++) {
            Dest d = {.kind = TO_ZIPPED, .next = to, .k = before, .step = step_proj(i)};
            if (v->term->prim == PRIM_CONCAT) d.kind = TO_SHIFTED;
            Value *piece = value_arg(e, v, i, 0, NULL, 0);
            all = stmt_append(all, fill(e, piece, &d, outer));
            before += eval_length(e, v->term->args[i]->type);
        }
        return all;
    }
    case PRIM_UNZIP: case PRIM_TRANSPOSE: return fill_under(e, v, (Dest){.kind = TO_TRANSPOSED, .next = to}, outer);
    case PRIM_ANTIDIAGONALS: return fill_under(e, v, (Dest){.kind = TO_ANTIDIAGONALS, .next = to, .k = eval_length(e, t)}, outer);
    case PRIM_SPLIT:
        return fill_under(e, v, (Dest){.kind = TO_SPLIT, .next = to, .k = eval_length(e, t->elems[0])}, outer);
    case PRIM_JOIN: {
        int64_t k = eval_length(e, v->term->args[0]->type->elems[0]);
        return fill_under(e, v, (Dest){.kind = TO_JOINED, .next = to, .k = k}, outer);
    }
    default: return fill_plain(e, v, t, NULL, to, outer);
    }
}

/* ---- units ---- */

static Unit *unit_new(Eval *e, void (*run)(Unit *, Run *), Deps deps, const Term *t, int pairs)
{
    Unit *u = MAKE(e->arena, Unit, .fill = run, .deps = deps, .term = t, .pair_count = pairs,
                   .pairs = NEW_ARRAY(e->arena, Pair, pairs), .number = e->units.n);
    vec_push(&e->units, u);
    return u;
}

/* Gives it a loop of n steps and its variable. */
static void unit_loop(Eval *e, Unit *u, int64_t n)
{
    u->n = n;
    u->loop = loop_new(e, u->deps);
    u->reg = code_reg(e, u->loop, n);
}

static Stmt *stmt_fill(Eval *e, Value *v, const Type *t, Buffer *const *b, Loop *outer)
{
    Dest d = {.kind = TO_BUFFERS, .type = t, .buffers = b};
    return fill(e, v, &d, outer);
}

/* The whole of v, made when first needed. */
static Unit *unit_of_value(Eval *e, Value *v)
{
    const Type *t = value_type(e, v);
    Buffer **b = buffers_new(e, t, 1);
    Unit *u = unit_new(e, fill_once, v->deps, v->term, type_components(t));
    for (int i = 0; i < u->pair_count; i++) u->pairs[i].now = b[i];
    uint32_t saved = e->deepest;
    e->deepest = 0;
    u->init = stmt_fill(e, v, t, b, &e->ground);
    u->depth = e->deepest + 4;
    e->deepest = saved;
    return u;
}

/* The whole of a fold of n steps over what `now` holds, a t, of which each makes a `made`; recorded: steps to keep, or 0. */
static Unit *unit_fold(Eval *e, const Value *whole, const Type *t, Buffer *const *now, const Type *made, int64_t n, int64_t recorded)
{
    Unit *u = unit_new(e, fill_fold, whole->deps, whole->term, type_components(t));
    Buffer **next = buffers_new(e, made, 1), **record = recorded ? buffers_new(e, t, recorded) : NULL;
    for (int i = 0; i < u->pair_count; i++) u->pairs[i] = (Pair){now[i], next[i], record ? record[i] : NULL};
    unit_loop(e, u, n);
    return u;
}

/* Does the step of a fold look at nothing but its state? element: it is given one besides. */
static bool looks_at_state(const Term *f, bool element)
{
    return !element || !term_uses(f->args[0], 0, f->type->elems[0]->elems[1]->leaf_count);
}

static bool steps_scalars(const Unit *u)
{
    const Stmt *s = u->step;
    if (u->pair_count > SCALARS_MAX) return false;
    for (int i = 0; i < u->pair_count; i++, s = s->next)
        if (!s || s->run != stmt_store || s->buffer != u->pairs[i].next || s->buffer->count != 1) return false;
    return !s;
}

/* Fills init and step of u: f over (what lies at `cell` of the accumulator, element), or over the accumulator alone, element being NULL. */
static void unit_fold_body(Eval *e, Unit *u, const Type *t, Buffer *const *now, const Path *cell, const Term *f, const Env *env, Value *z,
                           Value *element)
{
    uint32_t saved = e->deepest;
    const Type *made = path_type(e, t, cell);
    Buffer **next = MAKE_LIST(e->arena, Buffer *, i, u->pair_count, u->pairs[i].next);
    e->deepest = u->forth ? u->forth->depth + 1 : 0;
    u->init = stmt_fill(e, z, t, now, &e->ground);
    Binder b = binder_new(e, f, env);
    binder_bind(&b, value_buffers(e, now, t, cell, loop_deps(u->loop)), made, NULL);
    if (element) binder_bind(&b, element, f->type->elems[0]->elems[1], NULL);
    u->step = stmt_fill(e, value_term(e, f->args[0], b.env, path_empty(e)), made, next, u->loop);
    u->scalars = !cell->n && steps_scalars(u);
    u->may_rest = !u->forth && !u->pairs[0].record && looks_at_state(f, element != NULL);
    u->depth = e->deepest + 4;
    e->deepest = saved;
}

/* The caller says from where. */
static Code *code_load(Eval *e, Scalar s, Fn run, const Index *at)
{
    Code *k = code_blank(e, s);
    k->run = run;
    k->heavy = true;
    code_use_index(k, at);
    return k;
}

/* It makes, when first read, what depends on that and is so deep. */
static void code_needs(Code *k, Deps deps, uint32_t depth)
{
    k->deps = deps_join(k->deps, deps);
    if (depth >= k->depth) k->depth = depth + 1;
}

static const Code *code_load_unit(Eval *e, Unit *u, const Type *t, const Path *p, bool recorded)
{
    int part;
    const Index *at = part_locate(e, t, p, &part);
    Buffer *b = recorded ? u->pairs[part].record : u->pairs[part].now;
    Scalar s = path_type(e, t, p)->scalar;
    Code *k = code_load(e, s, run_load_unit(s), at);
    k->unit = u;
    k->buffer = b;
    code_needs(k, u->deps, u->depth);
    return code_done(e, k);
}

/* ---- a fold for the sake of one element ----
 *
 * A tile of sums is folded as a whole, though each sum needs nothing of the others. Whoever asks for a few elements of many tiles
 * gets a fold over those cells of the state that his element needs, of each step: mostly the one that lies at its place. */

struct Cells {
    int n;
    bool failed;                         /* it needs more than a few, or others in every step */
    const Path *at[SCALARS_MAX];
    Buffer *now[SCALARS_MAX], *next[SCALARS_MAX];
};

/* Of one element's question, none of a loop on the way to it. */
static bool deps_asked(const Deps *d) { return d->n <= DEPS_ROOM && ALL(i, d->n, d->loops[i]->asked || !d->loops[i]->depth); }

/* Is all that one depends on what the other does? */
static bool stands_still(const Deps *one, const Deps *other)
{
    return one->n <= DEPS_ROOM && ALL(i, one->n, !one->loops[i]->depth || deps_on(other, one->loops[i]));
}

/* Which of them lies at p; 0 where there is no room for it, or it is another one while one element is made, and then they have failed. */
static int cell_at(Eval *e, Cells *cells, const Type *state, const Path *p)
{
    int k = 0;
    while (k < cells->n && cells->at[k] != p) k++;
    if (k < cells->n) return k;
    cells->failed |= k == SCALARS_MAX || (k && !stands_still(&p->deps, &cells->at[0]->deps));
    if (cells->failed) return 0;
    Scalar s = path_type(e, state, p)->scalar;
    cells->at[k] = p;
    cells->now[k] = buffer_make(e, s, 1), cells->next[k] = buffer_make(e, s, 1);
    return cells->n++;
}

/* Is t so large that to make it as a whole, many elements at a time and for all questions near by, takes more than to make what lies at p by
 * itself, in each of some thousand questions if it is the same in all of them? */
static bool is_large(Eval *e, const Type *t, const Deps *made_for, const Path *p)
{
    enum { OF_ONE = 1024, OF_ALL = 1 << 16 };
    double count = 0, read = 1;
    for (int part = 0; part < type_components(t); part++) {
        PartSteps at;
        double n = 1;
        part_steps(e, t, part, &at);
        for (int d = 0; d < at.rank; d++) n *= (double)at.sizes[d];
        count += n;
    }
    for (int i = 0; i < p->n; i++) {
        const Index *x = p->s[i].index;
        if (x && !deps_asked(&x->deps)) read *= (double)(x->hi - x->lo + 1);
    }
    return count >= read * (deps_only_ground(made_for) ? OF_ALL : OF_ONE);
}

/* Would units that were made since then be made anew for each element, though they are the same for all of them? */
static bool is_shared_since(const Eval *e, int units, const Unit *of, const Path *p)
{
    for (int i = units; i < e->units.n; i++) {
        const Deps *d = &e->units.v[i]->deps;
        if (deps_on(d, of->loop) && !(deps_chain(d) & p->deps.mask)) return true;
    }
    return false;
}

/* What lies at p after n steps of f over (state, element), or over the state alone, element giving none. NULL: it takes the whole state. */
static const Code *code_of_cells(Eval *e, const Value *whole, const Type *state, const Path *p, const Term *f, Value *z, int64_t n,
                                 Value *(*element)(Eval *, const Value *, const Index *), const Index *first)
{
    if (!e->by_cells || !deps_asked(&p->deps) || !(e->in_cells || is_large(e, state, &whole->deps, p))) return NULL;
    int units = e->units.n;
    uint32_t saved = e->deepest;
    Cells *cells = NEW(e->arena, Cells);
    *cells = (Cells){0};
    cell_at(e, cells, state, p);
    Unit *u = unit_new(e, fill_fold, deps_join(whole->deps, p->deps), whole->term, 0);
    unit_loop(e, u, n);
    u->loop->asked = true;
    Binder b = binder_new(e, f, whole->env);
    binder_bind(&b, value_cells(e, cells, state, path_empty(e), loop_deps(u->loop)), state, NULL);
    if (element) binder_bind(&b, element(e, whole, index_add(e, first, index_of_code(e, u->reg))), f->type->elems[0]->elems[1], NULL);
    e->deepest = 0;
    e->in_cells++;
    for (int k = 0; k < cells->n && !cells->failed; k++) {         /* there may be more of them after each */
        const Type *t = path_type(e, state, cells->at[k]);
        u->init = stmt_append(u->init, stmt_fill(e, value_inside(e, z, cells->at[k]), t, &cells->now[k], &e->ground));
        u->step = stmt_append(u->step, stmt_fill(e, value_term(e, f->args[0], b.env, cells->at[k]), t, &cells->next[k], u->loop));
    }
    e->in_cells--;
    u->depth = e->deepest + 4;
    e->deepest = saved;
    if (cells->failed || is_shared_since(e, units + 1, u, p)) return NULL;
    u->pair_count = cells->n;
    u->pairs = NEW_ARRAY(e->arena, Pair, cells->n);
    for (int k = 0; k < cells->n; k++) u->pairs[k] = (Pair){cells->now[k], cells->next[k], NULL};
    u->scalars = steps_scalars(u);
    u->may_rest = looks_at_state(f, element != NULL);
    return code_load_unit(e, u, path_type(e, state, p), path_empty(e), false);
}

/* reduce..., scan...: elements [first, first + n) of the argument, where first is an index. whole: the node's
 * value. */
static Unit *unit_of_fold(Eval *e, Value *whole, int64_t n, const Index *first, bool scan)
{
    if (whole->unit) return whole->unit;
    const Term *t = whole->term;
    const Type *state = t->args[1]->type;
    Buffer **now = buffers_new(e, state, 1);
    Unit *u = unit_fold(e, whole, state, now, state, n, scan ? n : 0);
    Step s = step_index(index_add(e, first, index_of_code(e, u->reg)));
    Value *element = value_term(e, t->args[2], whole->env, path_make(e, &s, 1));
    Value *z = value_term(e, t->args[1], whole->env, path_empty(e));
    unit_fold_body(e, u, state, now, path_empty(e), t->args[0], whole->env, z, element);
    return whole->unit = u;
}

/* ---- arrays kept element by element ---- */

static bool has_fold(const Term *t)
{
    if (t->kind == T_PRIM) {
        PrimId p = (PrimId)t->prim;
        if (p == PRIM_SCATTER || p == PRIM_ITERATE || prim(p)->family == FAM_SCAN) return true;
        if (prim(p)->family == FAM_REDUCE && !type_is_scalar_like(t->args[1]->type)) return true;
    }
    return ANY(i, t->arg_count, has_fold(t->args[i]));
}

static Memo *memo_of(Eval *e, Value *v)
{
    if (v->memo) return v->memo;
    const Type *t = value_type(e, v);
    Buffer **b = buffers_new(e, t, 1);
    Memo *memo = MAKE(e->arena, Memo, .deps = v->deps, .number = e->memos.n);
    vec_push(&e->memos, memo);
    memo->part_count = type_components(t);
    memo->parts = NEW_ARRAY(e->arena, MemoPart, memo->part_count);
    v->opening = true;
    for (int i = 0; i < memo->part_count; i++) {
        memo->parts[i].values = b[i];
        MemoPart *p = &memo->parts[i];
        PartSteps at;
        part_steps(e, t, i, &at);
        p->rank = at.rank;
        p->regs = NEW_ARRAY(e->arena, Code *, at.rank);
        p->sizes = arena_copy(e->arena, at.sizes, sizeof *at.sizes * (size_t)at.rank);
        Loop *above = NULL;
        for (int d = 0; d < at.rank; d++) {
            above = loop_new(e, above ? loop_deps(above) : v->deps);
        above->asked = true;
            p->regs[d] = code_reg(e, above, at.sizes[d]);
            at.s[at.open[d]] = step_index(index_of_code(e, p->regs[d]));
        }
        p->body = code_of(e, value_inside(e, v, path_make(e, at.s, at.n)));
    }
    v->opening = false;
    return v->memo = memo;
}

/* What lies at p in base, of which nothing is computed twice: the whole is made if it folds and more than a few of its elements are
 * asked for, else each element is kept. */
static const Code *code_shared(Eval *e, Value *base, const Path *p)
{
    const Type *t = value_type(e, base);
    if (has_fold(base->term) && !(e->by_cells && deps_asked(&base->deps) && is_large(e, t, &base->deps, p))) {
        base->opening = true;
        if (!base->unit) base->unit = unit_of_value(e, base);
        base->opening = false;
        return code_load_unit(e, base->unit, t, p, false);
    }
    Memo *memo = memo_of(e, base);
    int part;
    const Index *at = part_locate(e, t, p, &part);
    Scalar s = path_type(e, t, p)->scalar;
    Code *k = code_load(e, s, run_load_memo(s), at);
    k->memo = memo;
    k->part = part;
    code_needs(k, memo->deps, memo->parts[part].body->depth);
    return code_done(e, k);
}

/* Does the first index of p step inside a loop that only the later ones mention? Then what a row's elements have in common would be
 * computed for each of them. */
static bool steps_across(const Path *p)
{
    const Deps *first = &p->s[0].index->deps;
    for (int i = 1; i < p->n; i++) {
        const Deps *d = p->s[i].index ? &p->s[i].index->deps : NULL;
        for (int k = 0; d && k < d->n && k < DEPS_ROOM; k++)
            if (!(loop_deps(d->loops[k]).mask & first->mask) && d->loops[k]->depth && deps_on(first, d->loops[k])) return true;
    }
    return false;
}

/* Would elements of a map, asked for at p, be computed again and again: because loops run that p does not
 * mention, or because different values of the loops that it mentions ask for the same element? */
static bool value_worth_sharing(const Value *whole, const Path *p)
{
    const Term *t = whole->term;
    if (whole->opening || !(t->flags & (TF_COMPUTES | TF_REDUCES))) return false;
    if (!(t->flags & TF_REDUCES) && t->size <= 12) return false;
    Deps d = deps_join(p->deps, whole->deps);
    if (deps_only_ground(&d)) return false;
    return (deps_chain(&d) & ~d.mask) || !index_is_injective(p->s[0].index) || (t->flags & TF_REDUCES && steps_across(p));
}

/* ---- the semantics of every primitive: the code of the scalar at v's path ---- */

typedef const Code *Semantics(Eval *e, Value *v);

#define HEAD(...) (const Step[]){__VA_ARGS__}, COUNT(((const Step[]){__VA_ARGS__}))

static const Index *first_index(const Value *v) { return v->path->s[0].index; }
static int64_t length_arg(Eval *e, const Value *v, int i) { return eval_length(e, v->term->args[i]->type); }
static int64_t length_of_rows(Eval *e, const Value *v) { return eval_length(e, v->term->args[0]->type->elems[0]); }
static int64_t static_of(Eval *e, const Value *v, int i) { return eval_size(e, v->term->statics[i]); }

static Value *whole_of(Eval *e, const Value *v) { return value_term(e, v->term, v->env, path_empty(e)); }

/* The body of f for element i of the node, f's parameter being that element of the argument, or i itself. */
static const Code *element(Eval *e, Value *v, const Index *i)
{
    Step s = step_index(i);
    bool generates = v->term->prim == PRIM_GENERATE;
    Value *arg = generates ? value_index(e, i) : value_term(e, v->term->args[1], v->env, path_make(e, &s, 1));
    return code_of(e, value_apply(e, v->term->args[0], v->env, arg, path_after(e, v->path, 1, NULL, 0)));
}

static const Code *at_MAP(Eval *e, Value *v)
{
    Value *whole = whole_of(e, v);
    if (value_worth_sharing(whole, v->path)) return code_shared(e, whole, v->path);
    if ((v->term->args[0]->flags & TF_REDUCES) && !index_is_atomic(first_index(v)) && !e->in_cells) {
        /* The same for an index that changes less often than its loop (i / k): what the body keeps stays till it changes. Not where the
         * state of a fold is looked for at that very index. */
        const Index *i = first_index(v);
        Value *at = value_term(e, v->term, v->env, path_make(e, v->path->s, 1));
        if (!at->loop) {
            at->loop = loop_new(e, whole_of(e, v)->deps);
            at->loop->asked = deps_asked(&i->deps);
            at->reg = code_reg(e, at->loop, eval_length(e, v->term->type));
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
    check_i32(e, v, eval_length(e, v->term->type));
    return at_MAP(e, v);
}

static const Code *code_fold(Eval *e, Value *v, bool scan)
{
    Unit *u = unit_of_fold(e, whole_of(e, v), length_arg(e, v, 2), index_const(e, 0), scan);
    return code_load_unit(e, u, v->term->type, v->path, scan);
}

static Value *folded_at(Eval *e, const Value *whole, const Index *i)
{
    Step s = step_index(i);
    return value_term(e, whole->term->args[2], whole->env, path_make(e, &s, 1));
}

static const Code *at_REDUCE(Eval *e, Value *v)
{
    Value *z = value_term(e, v->term->args[1], v->env, path_empty(e));
    const Code *cell = code_of_cells(e, whole_of(e, v), v->term->type, v->path, v->term->args[0], z, length_arg(e, v, 2), folded_at, index_const(e, 0));
    return cell ? cell : code_fold(e, v, false);
}
static const Code *at_SCAN(Eval *e, Value *v) { return code_fold(e, v, true); }

/* Component k of the elements of ys. */
static const Term *components(Ctx *c, const Term *ys, int k)
{
    const Type *t = ys->type->elems[0];
    const Term *f = term_lam(c, t, term_proj(c, term_param(c, t, 0), k), NULL);
    return f ? term_prim(c, PRIM_MAP, NULL, 0, (const Term *[]){f, ys}, 2) : NULL;
}

/* As what it stands for: zip (take n (padConst 1 0 z (scan f z (map (.0) ys)))) (map (.1) ys), ys being map g xs. */
static const Code *at_SCAN_GROUPS(Eval *e, Value *v)
{
    Ctx *c = e->ctx;
    const Term *t = v->term, *z = t->args[1];
    const Nat *n = t->type->size, *ends[2] = {nat_const(c->nats, 1), nat_const(c->nats, 0)};
    const Term *made = term_prim(c, PRIM_MAP, NULL, 0, (const Term *[]){t->args[2], t->args[3]}, 2);
    const Term *sums = made ? components(c, made, 0) : NULL, *kept = made ? components(c, made, 1) : NULL;
    const Term *all = sums ? term_prim(c, PRIM_SCAN, NULL, 0, (const Term *[]){t->args[0], z, sums}, 3) : NULL;
    const Term *padded = all ? term_prim(c, PRIM_PAD_CONST, ends, 2, (const Term *[]){z, all}, 2) : NULL;
    const Term *before = padded ? term_prim(c, PRIM_TAKE, &n, 1, &padded, 1) : NULL;
    const Term *whole = before && kept ? term_prim(c, PRIM_ZIP, NULL, 0, (const Term *[]){before, kept}, 2) : NULL;
    return whole ? code_of(e, value_term(e, whole, v->env, v->path)) : code_literal(e, SC_I32, (LitValue){0});
}

/* The step of a pair works on the element that its index says. */
static const Code *at_REDUCE_BY_INDEX(Eval *e, Value *v)
{
    Value *whole = whole_of(e, v);
    if (!whole->unit) {
        const Term *t = whole->term;
        int64_t k = eval_length(e, t->type);
        check_i32(e, whole, k);
        Buffer **now = buffers_new(e, t->type, 1);
        Unit *u = unit_fold(e, whole, t->type, now, t->type->elems[0], length_arg(e, whole, 2), 0);
        u->arg = code_reg(e, u->loop, k);
        Step pair = step_index(index_of_code(e, u->reg)), cell = step_index(index_of_code(e, u->arg));
        u->forth = code_of(e, value_term(e, t->args[2], whole->env, path_make(e, (Step[]){pair, step_proj(0)}, 2)));
        Value *element = value_term(e, t->args[2], whole->env, path_make(e, (Step[]){pair, step_proj(1)}, 2));
        Value *z = value_term(e, t->args[1], whole->env, path_empty(e));
        unit_fold_body(e, u, t->type, now, path_make(e, &cell, 1), t->args[0], whole->env, z, element);
        whole->unit = u;
    }
    return code_load_unit(e, whole->unit, v->term->type, v->path, false);
}

static const Code *at_REDUCE_PART(Eval *e, Value *v)
{
    int64_t n = length_arg(e, v, 2) / static_of(e, v, 0);
    Value *one = value_term(e, v->term, v->env, path_make(e, v->path->s, 1));
    Unit *u = unit_of_fold(e, one, n, index_scale(e, first_index(v), n), false);
    return code_load_unit(e, u, v->term->args[1]->type, path_after(e, v->path, 1, NULL, 0), false);
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
        NatBinding bind = {nat_atom(p), nat_var(e->ctx->nats, name, VAR_SIZE, NULL, NULL)};
        args[0] = term_subst_nats(e->ctx, args[0], &bind, 1);
    }
    return t->arg_count ? term_with_args(e->ctx, t, args) : t;
}

/* The function of an iterate for arrays of length n: its own length is a variable. */
static const Term *at_length(Eval *e, const Term *lambda, int64_t n)
{
    const Nat *p = lambda->type->elems[0]->size;
    if (p->is_const) return lambda;
    NatBinding bind = {nat_atom(p), nat_const(e->ctx->nats, n)};
    const Term *t = term_subst_nats(e->ctx, free_length(e, lambda, p), &bind, 1);
    if (t) return t;
    diag_error(&e->diag, E36, "iterate: a size does not come out even at some step");
    return NULL;
}

static const Code *nothing(Eval *e, Value *v) { return code_literal(e, value_type(e, v)->scalar, (LitValue){0}); }

static const Code *at_ITERATE(Eval *e, Value *v)
{
    Value *whole = whole_of(e, v);
    const Term *t = whole->term;
    int64_t k = eval_size(e, t->statics[0]);
    Value *x = value_term(e, t->args[1], whole->env, path_empty(e));
    if (t->type != t->args[1]->type) {           /* one step after the other, each of another length */
        for (int64_t i = 0; i < k && !whole->last; i++) {
            const Term *f = at_length(e, t->args[0], eval_length(e, value_type(e, x)));
            if (!f) return nothing(e, v);
            x = value_apply(e, f, whole->env, x, path_empty(e));
        }
        if (!whole->last) whole->last = x;
        return code_of(e, value_inside(e, whole->last, v->path));
    }
    const Term *f = at_length(e, t->args[0], eval_length(e, t->type));
    if (!f) return nothing(e, v);
    const Code *cell = code_of_cells(e, whole, t->type, v->path, f, x, k, NULL, NULL);
    if (cell) return cell;
    if (!whole->unit) {
        Buffer **now = buffers_new(e, t->type, 1);
        Unit *u = unit_fold(e, whole, t->type, now, t->type, k, 0);
        unit_fold_body(e, u, t->type, now, path_empty(e), f, whole->env, x, NULL);
        whole->unit = u;
    }
    return code_load_unit(e, whole->unit, t->type, v->path, false);
}

/* Looked through by value_term; they never stand at the head of a scalar. */
static const Code *at_TUPLE(Eval *e, Value *v) { return nothing(e, v); }

static const Index *padded(Eval *e, const Index *i, int64_t n, PadMode mode)
{
    if (i->lo >= 0 && i->hi < n) return i;
    if (mode == PAD_WRAP) return index_mod(e, i, n);
    return index_of_code(e, code_atom(e, mode == PAD_CLAMP ? run_clamp : run_mirror, i, NULL, n, NULL));
}

/* Layout: code for the same element of argument ARG, which lies at HEAD(...) in place of the first DROP steps s of the path. */
#define STEPS(NAME, ARG, DROP, ...) \
    static const Code *at_##NAME(Eval *e, Value *v) \
    { \
        const Step *s = v->path->s; \
        return code_arg(e, v, ARG, DROP, HEAD(__VA_ARGS__)); \
    }
STEPS(ZIP, s[1].proj, 2, s[0])
STEPS(SPLIT, 0, 2, step_index(index_pair(e, s[0].index, static_of(e, v, 0), s[1].index)))
STEPS(SLIDE, 0, 2, step_index(index_pair(e, s[0].index, static_of(e, v, 1), s[1].index)))
STEPS(JOIN, 0, 1, step_index(index_div(e, s[0].index, length_of_rows(e, v))), step_index(index_mod(e, s[0].index, length_of_rows(e, v))))
STEPS(TRANSPOSE, 0, 2, s[1], s[0])
STEPS(ANTIDIAGONALS, 0, 2, along_antidiagonals(e, s, eval_length(e, v->term->type)), s[1])
STEPS(DROP, 0, 1, step_index(index_shift(e, s[0].index, static_of(e, v, 0))))
STEPS(PAD, 0, 1, step_index(padded(e, index_shift(e, s[0].index, -static_of(e, v, 0)), length_arg(e, v, 0), (PadMode)static_of(e, v, 2))))

static const Code *code_if(Eval *e, Value *v, const Code *cond, const Code *yes, const Code *no)
{
    Scalar s = value_type(e, v)->scalar;
    return code_kids(e, s, run_if(s), cond, yes, no, v->term);
}

/* lo <= i < hi */
static const Code *in_bounds(Eval *e, const Index *i, int64_t lo, int64_t hi)
{
    Code *k = (Code *)code_atom(e, run_in_range, index_shift(e, i, -lo), NULL, hi - lo, NULL);
    k->lo = 0;
    k->hi = 1;
    return k;
}

/* The scalar v: `yes` where it is, else `no`. */
static const Code *code_within(Eval *e, Value *v, const Index *i, int64_t lo, int64_t hi, Value *yes, Value *no)
{
    if (i->lo >= lo && i->hi < hi) return code_of(e, yes);
    if (i->hi < lo || i->lo >= hi) return code_of(e, no);
    return code_if(e, v, in_bounds(e, i, lo, hi), code_of(e, yes), code_of(e, no));
}

static const Code *at_PAD_CONST(Eval *e, Value *v)
{
    int64_t l = static_of(e, v, 0), n = length_arg(e, v, 1);
    Value *in = value_arg(e, v, 1, 1, HEAD(step_index(index_shift(e, first_index(v), -l))));
    return code_within(e, v, first_index(v), l, l + n, in, value_arg(e, v, 0, 1, NULL, 0));
}

static const Code *at_TAKE(Eval *e, Value *v) { return code_arg(e, v, 0, 0, NULL, 0); }

static const Code *at_CONCAT(Eval *e, Value *v)
{
    int64_t n = length_arg(e, v, 0);
    Value *beyond = value_arg(e, v, 1, 1, HEAD(step_index(index_shift(e, first_index(v), -n))));
    return code_within(e, v, first_index(v), 0, n, value_arg(e, v, 0, 0, NULL, 0), beyond);
}

/* Both functions of a perm are tried on every index before one is used. */
static const Index *permuted(Eval *e, Value *v, const Index *i, int64_t n)
{
    Value *whole = whole_of(e, v);
    const Term *t = v->term;
    const Path *here = path_empty(e);
    if (!whole->unit) {
        Unit *u = unit_new(e, fill_perm, whole->deps, t, 0);
        unit_loop(e, u, eval_length(e, t->type));
        u->arg = code_reg(e, u->loop, u->n);
        u->forth = code_of(e, value_apply(e, t->args[0], whole->env, value_index(e, index_of_code(e, u->reg)), here));
        u->back = code_of(e, value_apply(e, t->args[1], whole->env, value_index(e, index_of_code(e, u->arg)), here));
        u->depth = (u->forth->depth > u->back->depth ? u->forth->depth : u->back->depth) + 2;
        whole->unit = u;
    }
    const Code *to = code_of(e, value_apply(e, t->args[0], v->env, value_index(e, i), here));
    Code *k = (Code *)code_atom(e, run_perm, NULL, to, n, t);
    k->unit = whole->unit;
    code_needs(k, whole->unit->deps, whole->unit->depth);
    return index_of_code(e, k);
}

static const Code *at_REORDER(Eval *e, Value *v)
{
    const Term *t = v->term;
    const Index *i = first_index(v);
    int64_t n = eval_length(e, t->type), k = t->static_count > 1 ? static_of(e, v, 1) : 0;
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

STEPS(GATHER, 1, 1, step_index(checked(e, v, code_arg(e, v, 0, v->path->n, HEAD(s[0])), length_arg(e, v, 1))))
STEPS(AT, 1, 0, step_index(checked(e, v, code_arg(e, v, 0, v->path->n, s, 0), length_arg(e, v, 1))))

/* The slices that a node makes: the code of its element for each length that was met. */
typedef struct SliceCode { int64_t length; const Code *code; } SliceCode;
struct Slices {
    Eval *e;
    Value *v;
    const Code *from;
    PtrTable lengths;
};

static bool same_length(const void *key, const void *item) { return ((const SliceCode *)item)->length == *(const int64_t *)key; }

/* Where there is an element, that is checked before. */
static int64_t run_inside(const Code *k, Run *m)
{
    int64_t i = k->kids[0]->run.i(k->kids[0], m);
    return i < 0 ? 0 : i < k->n ? i : k->n - 1;
}

/* A length is a number when code runs, so that this is when the function is compiled for it. */
static const Code *slice_code(Slices *s, int64_t n)
{
    uint64_t h = hash_mix(5, (uint64_t)n);
    SliceCode *known = ptr_table_find(&s->lengths, h, same_length, &n);
    if (known) return known->code;
    Eval *e = s->e;
    const Value *v = s->v;
    const Term *f = slice_function(e->ctx, v->term, nat_const(e->ctx->nats, n));
    if (!f) {
        diag_error(&e->diag, E36, "slice: a size in the function does not come out even");
        return nothing(e, s->v);
    }
    Value *in = value_term(e, v->term->args[3], v->env, path_empty(e));
    const Index *first = index_of_code(e, code_atom(e, run_inside, NULL, s->from, v->term->args[3]->type->size->value, v->term));
    Value *part = value_intern(e, (Value){.kind = V_SLICE, .base = in, .index = first, .step = static_of(e, v, 0), .path = path_empty(e),
                                          .type = f->type->elems[0], .deps = deps_join(in->deps, first->deps), .computes = in->computes});
    known = MAKE(e->arena, SliceCode, n, code_of(e, value_apply(e, f, v->env, part, v->path)));
    ptr_table_add(&s->lengths, h, known);
    return known->code;
}

static const Code *sliced(const Code *k, Run *m)
{
    int64_t from = k->kids[0]->run.i(k->kids[0], m), to = k->kids[1]->run.i(k->kids[1], m);
    if (from < to && (from < 0 || to > k->n)) run_fail(m, FAIL_SLICE, k->term, from, to);
    if (m->failed) return NULL;
    int64_t step = k->slices->v->term->statics[0]->value;
    const Code *code = slice_code(k->slices, from < to ? (to - from + step - 1) / step : 0);
    if (diag_failed(&k->slices->e->diag)) run_fail(m, FAIL_REFUSED, k->term, 0, 0);
    return m->failed ? NULL : code;
}

THROUGH(slice, sliced)

enum { SLICE_DEPTH = 16 };               /* of the code for any length, beyond that for two elements */

static const Code *at_SLICE(Eval *e, Value *v)
{
    const Term *t = v->term;
    Scalar scalar = value_type(e, v)->scalar;
    Slices *s = MAKE(e->arena, Slices, .e = e, .v = v, .from = code_arg(e, v, 1, v->path->n, NULL, 0));
    s->lengths.arena = e->arena;
    check_i32(e, v, length_arg(e, v, 3));
    const Code *two = slice_code(s, 2);
    Code *k = (Code *)code_kids(e, scalar, fn_of(scalar, slice_int, slice_flt), s->from,
                                code_arg(e, v, 2, v->path->n, NULL, 0), NULL, t);
    k->slices = s;
    k->n = length_arg(e, v, 3);
    k->deps = deps_join(k->deps, v->deps);
    if (two->depth + SLICE_DEPTH > k->depth) k->depth = two->depth + SLICE_DEPTH;
    return code_done(e, k);
}

static const Code *at_SCATTER(Eval *e, Value *v)
{
    Value *whole = whole_of(e, v), *table = value_term(e, v->term, v->env, path_make(e, v->path->s, 1));
    int64_t pairs = length_arg(e, v, 1);
    if (!whole->unit) {
        int64_t n = length_arg(e, v, 0);
        check_i32(e, whole, n);
        Unit *u = unit_new(e, fill_scatter, whole->deps, v->term, 1);
        u->pairs[0].now = buffer_make(e, SC_I64, n);
        unit_loop(e, u, pairs);
        Step s = step_index(index_of_code(e, u->reg));
        u->forth = code_of(e, value_term(e, v->term->args[1], whole->env, path_make(e, &s, 1)));
        u->depth = u->forth->depth + 2;
        whole->unit = u;
    }
    if (!table->reg) {
        Code *k = code_load(e, SC_I64, run_load_unit(SC_I64), first_index(v));
        k->unit = whole->unit;
        k->buffer = whole->unit->pairs[0].now;
        code_needs(k, whole->unit->deps, whole->unit->depth);
        k->lo = -1;
        k->hi = pairs - 1;
        table->reg = k;
    }
    const Index *from = index_of_code(e, table->reg);
    return code_within(e, v, from, 0, pairs, value_arg(e, v, 2, 1, HEAD(step_index(from))), value_arg(e, v, 0, 0, NULL, 0));
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

static const Code *at_AS_SCALAR(Eval *e, Value *v)
{
    int64_t w = type_leaf(v->term->args[0]->type->elems[0], 0)->width;
    Step s = step_index(index_div(e, first_index(v), w)), lane = step_index(index_mod(e, first_index(v), w));
    const Path *p = path_concat(e, path_after(e, v->path, 1, &s, 1), path_make(e, &lane, 1));
    return code_of(e, value_term(e, v->term->args[0], v->env, p));
}

static const Code *at_MAP_VEC(Eval *e, Value *v)
{
    const Term *f = v->term->args[0];
    Binder b = binder_new(e, f, v->env);
    binder_bind(&b, value_term(e, v->term->args[1], v->env, path_empty(e)), f->type->elems[0], last_index(v));
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
    return code_kids(e, t->type->scalar, op_function(op, operand, e->mode), kids[0], b, c, t);
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

static const Code *at_MMA(Eval *e, Value *v)
{
    const Term *meaning = term_meaning(e->ctx, v->term);
    return meaning ? code_of(e, value_term(e, meaning, v->env, v->path)) : nothing(e, v);
}

static const Code *at_LANE(Eval *e, Value *v)
{
    int64_t i = static_of(e, v, 0), w = v->term->args[0]->type->width;
    if (i < 0 || i >= w) diag_error(&e->diag, E38, "a vector has no such lane");
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

static Semantics *const semantics[PRIM_COUNT] = {
#define PRIM(id, name, family, scheme, slots, meaning, ...) at_##meaning,
#define OP(id, ...) at_OP,
#include "prims.def"
};

static const Code *code_new(Eval *e, Value *v)
{
    switch (v->kind) {
    case V_INDEX: return code_index(e, v->index, SC_I32);
    case V_BUFFER: {
        int part;
        const Index *at = part_locate(e, v->type, v->path, &part);
        Scalar s = value_type(e, v)->scalar;
        Code *k = code_load(e, s, run_load_buffer(s), at);
        k->buffer = v->buffers[part];
        k->heavy = !index_is_atomic(at);
        k->deps = deps_join(k->deps, v->deps);
        return k;
    }
    case V_CELLS: {
        Code *k = code_load(e, value_type(e, v)->scalar, run_load_buffer(value_type(e, v)->scalar), index_const(e, 0));
        k->buffer = v->cells->now[cell_at(e, v->cells, v->type, v->path)];
        k->heavy = false;
        k->deps = deps_join(k->deps, v->deps);
        return k;
    }
    case V_SHARED: return code_shared(e, v->base, v->path);
    default: break;
    }
    switch (v->term->kind) {
    case T_INPUT: {
        int part, i = 0;
        const Index *at = part_locate(e, v->term->type, v->path, &part);
        while (i < e->input_count && strcmp(e->inputs[i].name, v->term->u.name) != 0) i++;
        const DataPart *p = &e->inputs[i].data->parts[part];
        Code *k = code_load(e, p->scalar, run_load(p->scalar, e->mode), at);
        k->heavy = !index_is_atomic(at);
        k->exact = true;
        k->base = p->values;
        k->n = p->count;
        return k;
    }
    case T_LIT: return code_literal(e, v->term->type->scalar, v->term->u.lit);
    case T_SIZE: {
        int64_t n = eval_size(e, v->term->u.nat);
        Scalar s = v->term->type->scalar;
        return code_literal(e, s, scalar_is_float(s) ? (LitValue){.f = (double)n} : (LitValue){.i = n});
    }
    default: return semantics[v->term->prim](e, v);
    }
}

static const Code *code_of(Eval *e, Value *v)
{
    if (v->code) {
        code_keep(v->code);
        return v->code;
    }
    if (e->nest > NEST_MAX) diag_error(&e->diag, E08, "the program nests more than %d deep, too deep for the interpreter", NEST_MAX);
    if (diag_failed(&e->diag)) return nothing(e, v);
    e->nest++;
    const Code *k = code_new(e, v);
    e->nest--;
    return v->code = k;
}

/* ---- all of the result, and one element at a time ---- */

void eval_whole(Eval *e)
{
    if (!e->whole) e->whole = unit_of_value(e, value_term(e, e->term, NULL, path_empty(e)));
}

/* The last two dimensions step each for itself, so that what is computed for a row is kept along the row and what is
 * computed for a column along the column; in estimates they are inside one another, as loops that fill are. */
static RootDim *root_dim(Eval *e, int dim, Loop *above, const Loop *around, int64_t n)
{
    for (RootDim *d = e->dims; d; d = d->next)
        if (d->loop->above.loops[0] == above && d->loop->depth == dim + 1 && d->n == n) return d;
    RootDim *d = MAKE(e->arena, RootDim, .next = e->dims, .loop = loop_new(e, loop_deps(above)), .n = n);
    d->loop->depth = dim + 1;
    d->loop->asked = true;
    d->loop->chain = around->chain | loop_deps(d->loop).mask;
    d->reg = code_reg(e, d->loop, n);
    return e->dims = d;
}

void eval_root(Eval *e)
{
    if (e->rooted) return;
    for (int i = 0; i < e->part_count; i++) {
        RootPart *p = &e->parts[i];
        PartSteps at;
        part_steps(e, e->term->type, i, &at);
        p->rank = at.rank;
        p->dims = NEW_ARRAY(e->arena, RootDim *, at.rank);
        Loop *outer = &e->ground, *inner = &e->ground;
        for (int d = 0; d < at.rank; d++) {
            p->dims[d] = root_dim(e, d, d + 1 == at.rank ? outer : inner, inner, at.sizes[d]);
            outer = inner, inner = p->dims[d]->loop;
            at.s[at.open[d]] = step_index(index_of_code(e, p->dims[d]->reg));
        }
        p->code = code_of(e, value_term(e, e->term, NULL, path_make(e, at.s, at.n)));
    }
    e->rooted = true;
    e->rooted_first = !e->whole;
}
