/* eval_value: values not yet evaluated, and paths to the scalars in them. */
#include "eval_compile.h"

#include <string.h>

/* ---- paths ---- */

static bool same_path(const void *key, const void *item)
{
    const Path *a = key, *b = item;
    if (a->n != b->n) return false;
    for (int i = 0; i < a->n; i++)
        if (a->s[i].index != b->s[i].index || a->s[i].proj != b->s[i].proj) return false;
    return true;
}

const Path *path_make(Eval *e, const Step *s, int n)
{
    if (n > PATH_MAX_STEPS) {
        eval_refuse(e, E08, "an array has too many dimensions for the interpreter");
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

const Path *path_after(Eval *e, const Path *p, int drop, const Step *head, int n)
{
    Step s[2 * PATH_MAX_STEPS + 4];
    if (n) memcpy(s, head, sizeof *s * (size_t)n);
    memcpy(s + n, p->s + drop, sizeof *s * (size_t)(p->n - drop));
    return path_make(e, s, n + p->n - drop);
}

static const Path *path_concat(Eval *e, const Path *a, const Path *b) { return path_after(e, b, 0, a->s, a->n); }
const Path *path_append(Eval *e, const Path *a, Step s) { return path_concat(e, a, path_make(e, &s, 1)); }
const Path *path_empty(Eval *e) { return path_make(e, NULL, 0); }

/* ---- types: sizes are constant here ---- */

int64_t eval_size(Eval *e, const Nat *n)
{
    if (n && n->is_const) return n->value;
    Buf b = {0};
    if (n) nat_print(n, 0, &b);
    if (diag_error(&e->diag, E35, "the size %s is not bound to a number", buf_text(&b)))
        diag_note(&e->diag, "needs", "sizes and parameters bound before evaluation");
    buf_free(&b);
    return 1;
}

int64_t eval_length(Eval *e, const Type *t) { return t->kind == TY_VECTOR ? t->width : eval_size(e, t->size); }

const Type *path_type(Eval *e, const Type *t, const Path *p)
{
    for (int i = 0; i < p->n; i++) {
        if (t->kind == TY_VECTOR) t = type_scalar(e->ctx, t->scalar);
        else t = t->elems[t->kind == TY_ARRAY ? 0 : p->s[i].proj];
    }
    return t;
}

int part_steps(Eval *e, const Type *t, int part, Step *steps, int64_t *sizes, Scalar *scalar)
{
    int n = 0;
    while (t->kind != TY_SCALAR && n < PATH_MAX_STEPS) {
        int i = 0;
        if (t->kind == TY_TUPLE) {
            for (; part >= data_parts(t->elems[i]); i++) part -= data_parts(t->elems[i]);
            steps[n++] = step_proj(i);
            t = t->elems[i];
            continue;
        }
        sizes[n] = eval_length(e, t);
        steps[n++] = step_proj(-1);
        t = t->kind == TY_VECTOR ? type_scalar(e->ctx, t->scalar) : t->elems[0];
    }
    *scalar = t->scalar;
    return n;
}

const Index *part_locate(Eval *e, const Type *t, const Path *p, int *part)
{
    const Index *at = index_const(e, 0);
    *part = 0;
    for (int i = 0; i < p->n; i++) {
        if (t->kind == TY_TUPLE) {
            for (int k = 0; k < p->s[i].proj; k++) *part += data_parts(t->elems[k]);
            t = t->elems[p->s[i].proj];
            continue;
        }
        at = index_pair(e, at, eval_length(e, t), p->s[i].index);
        t = t->kind == TY_VECTOR ? type_scalar(e->ctx, t->scalar) : t->elems[0];
    }
    return at;
}

Buffer *buffer_make(Eval *e, Scalar s, int64_t count)
{
    Buffer *b = NEW(e->arena, Buffer);
    b->count = count;
    b->is_float = scalar_is_float(s);
    b->shadows = b->is_float && e->run.reference;
    b->next = e->buffers;
    e->buffers = b;
    return b;
}

Buffer **buffers_new(Eval *e, const Type *t, int64_t copies)
{
    int parts = data_parts(t);
    Buffer **b = NEW_ARRAY(e->arena, Buffer *, parts);
    for (int p = 0; p < parts; p++) {
        Step steps[PATH_MAX_STEPS];
        int64_t sizes[PATH_MAX_STEPS], count = copies;
        Scalar scalar;
        int n = part_steps(e, t, p, steps, sizes, &scalar);
        for (int i = 0; i < n; i++)
            if (step_is_open(steps[i]) && !mul_ok(count, sizes[i], &count)) count = INT64_MAX;
        if (count > (int64_t)1 << 36) {
            eval_refuse(e, E08, "an intermediate array is too large for the interpreter");
            count = 1;
        }
        b[p] = buffer_make(e, scalar, count);
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

Value *value_index(Eval *e, const Index *x)
{
    return value_intern(e, (Value){.kind = V_INDEX, .index = x, .path = path_empty(e), .deps = x->deps});
}

Value *value_buffers(Eval *e, Buffer *const *b, const Type *t, const Path *p, Deps deps)
{
    return value_intern(e, (Value){.kind = V_BUFFER, .buffers = b, .type = t, .path = p, .deps = deps});
}

static Value *value_shared(Eval *e, Value *base, const Path *p)
{
    return value_intern(e, (Value){.kind = V_SHARED, .base = base, .path = p, .deps = base->deps});
}

Value *value_inside(Eval *e, Value *v, const Path *p)
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

const Type *value_type(Eval *e, const Value *v)
{
    switch (v->kind) {
    case V_TERM: return path_type(e, v->term->type, v->path);
    case V_BUFFER: return path_type(e, v->type, v->path);
    case V_SHARED: return path_type(e, value_type(e, v->base), v->path);
    default: return type_scalar(e->ctx, SC_I32);
    }
}

/* ---- binding the leaves of a lambda's parameter ---- */

Binder binder_new(Eval *e, const Term *lambda, const Env *env)
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

void binder_bind(Binder *b, Value *v, const Type *t, const Index *lane)
{
    if (t->kind != TY_TUPLE) {
        Step s = step_index(lane);
        bind_leaf(b, lane ? value_inside(b->e, v, path_make(b->e, &s, 1)) : v);
        return;
    }
    for (int i = 0; i < t->count; i++) {
        Step s = step_proj(i);
        binder_bind(b, value_inside(b->e, v, path_make(b->e, &s, 1)), t->elems[i], lane);
    }
}

Value *value_apply(Eval *e, const Term *lambda, const Env *env, Value *arg, const Path *path)
{
    Binder b = binder_new(e, lambda, env);
    binder_bind(&b, arg, lambda->type->elems[0], NULL);
    return value_term(e, lambda->args[0], b.env, path);
}

Value *value_term(Eval *e, const Term *t, const Env *env, const Path *p)
{
    Step s;
    if (t->kind == T_VAR) {
        const Env *entry = env_at(env, t->u.index);
        return entry->shared ? value_shared(e, entry->value, p) : value_inside(e, entry->value, p);
    }
    if (t->kind == T_PRIM) {
        switch (t->prim) {
        case PRIM_TO_GLOBAL: case PRIM_TO_GLOBAL_STREAM: case PRIM_TO_LOCAL: case PRIM_TO_PRIVATE:
            return value_term(e, t->args[0], env, p);
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

Value *value_arg(Eval *e, const Value *v, int i, int drop, const Step *head, int n)
{
    return value_term(e, v->term->args[i], v->env, path_after(e, v->path, drop, head, n));
}

const Code *code_arg(Eval *e, const Value *v, int i, int drop, const Step *head, int n)
{
    return code_of(e, value_arg(e, v, i, drop, head, n));
}
