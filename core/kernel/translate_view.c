#include "kernel.h"

#include <stdlib.h>
#include <string.h>

typedef enum ViewKind {
    V_EXPR, V_PLACE, V_TUPLE, V_LANES, V_DELAYED, V_LAZY, V_POISON,
    V_MEMORY, V_SPLIT, V_JOIN, V_PART, V_TRANSPOSE, V_COLUMN, V_ZIP, V_FIELD, V_SLIDE, V_PAD, V_PAD_CONST, V_CONCAT,
    V_REORDER, V_GATHER, V_SCATTER, V_GENERATE, V_MAP, V_UNMAP, V_AS_VECTOR, V_AS_SCALAR, V_CHOICE, V_TAG,
} ViewKind;

struct View {
    ViewKind kind;
    const Type *type;
    const Expr *expr;                    /* EXPR; PLACE: its value, once asked for; CHOICE: the condition */
    View *x, *y;                         /* what it is a view of */
    View *const *parts;                  /* TUPLE LANES ZIP */
    const Nat *n, *m;                    /* sizes, offsets, columns */
    View **elements;                     /* fixed, short: those asked for by number */
    const Term *term;                    /* MAP UNMAP GENERATE DELAYED LAZY REORDER (a lambda or a term) */
    Env *env;
    int8_t value_total, build_total, fixed; /* 0 unknown, 1 yes, 2 no */
    int k;                               /* FIELD, REORDER kind, PAD mode, TAG, LANES count */
    int mark;
    union {
        Place place;                     /* PLACE */
        struct {                         /* MEMORY */
            Buffer *const *bufs;
            const Nat *const *idx;
            int rank;
        };
        struct {                         /* LAZY */
            View *value;                 /* as evaluated in `block` */
            const char *hint;            /* name of the value, or NULL */
            int block, lanes;
        };
    };
};

static View *view_new(Build *b, ViewKind kind, const Type *type)
{
    View *v = NEW(b->arena, View);
    v->kind = kind;
    v->type = type;
    return v;
}

static View *view_of(Build *b, ViewKind kind, const Type *type, View *x)
{
    View *v = view_new(b, kind, type);
    v->x = x;
    return v;
}

const Type *view_type(const View *v) { return v->type; }

View *view_poison(Build *b, const Type *type)
{
    if (type->kind != TY_TUPLE) return view_new(b, V_POISON, type);
    View *parts[ARG_MAX];
    for (int i = 0; i < type->count; i++) parts[i] = view_poison(b, type->elems[i]);
    return view_tuple(b, type, parts);
}

View *view_expr(Build *b, const Type *type, const Expr *e)
{
    View *v = view_new(b, V_EXPR, type);
    v->expr = e;
    return v;
}

View *view_tuple(Build *b, const Type *type, View *const *parts)
{
    View *v = view_new(b, V_TUPLE, type);
    View **copy = NEW_ARRAY(b->arena, View *, type->count);
    memcpy(copy, parts, sizeof *copy * (size_t)type->count);
    v->parts = copy;
    return v;
}

View *view_zip(Build *b, const Type *type, View *const *parts)
{
    View *v = view_new(b, V_ZIP, type);
    int n = type->elems[0]->count;
    View **copy = NEW_ARRAY(b->arena, View *, n);
    memcpy(copy, parts, sizeof *copy * (size_t)n);
    v->parts = copy;
    return v;
}

View *view_delayed(Build *b, const Term *e, Env *env)
{
    View *v = view_new(b, V_DELAYED, e->type);
    v->term = e;
    v->env = env;
    return v;
}

/* ---- what may go wrong is evaluated only where it is asked for ---- */

bool view_is_lazy(const View *v) { return v->kind == V_LAZY; }

static View *lazy_new(Build *b, const Type *type, View *x)
{
    View *v = view_of(b, V_LAZY, type, x);
    build_one_round(b);
    v->k = -1;
    v->lanes = b->lanes;
    return v;
}

View *view_lazy(Build *b, View *x, const char *hint)
{
    View *v = lazy_new(b, x->type, x);
    v->hint = hint;
    return v;
}

View *view_named(Build *b, View *v, const char *hint)
{
    const Type *t = v->type;
    if (t->kind == TY_ARRAY || t->kind == TY_TUPLE || v->kind == V_POISON) return v;
    const Expr *e = view_value(b, v);
    if (expr_is_atom(e)) return v;
    Place p = place_of(b, stmt_value(b, hint, e));
    return view_expr(b, t, expr_load(b, &p));
}

static bool is_total(Build *b, View *v);

static bool env_is_total(Build *b, const Term *e, const Env *env)
{
    int i = 0;
    for (; env && i < e->free_limit; env = env->up, i++)
        if (term_mentions(e, i, 1) && !is_total(b, env->v)) return false;
    return true;
}

View *view_suspend(Build *b, const Term *e, Env *env)
{
    if (e->kind == T_PRIM && e->prim == PRIM_TUPLE) {
        View *parts[ARG_MAX];
        for (int i = 0; i < e->arg_count; i++) parts[i] = view_suspend(b, e->args[i], env);
        return view_tuple(b, e->type, parts);
    }
    bool now = !b->k || (e->flags & (TF_MEMORY | TF_MAPPED)) || (term_is_total(e) && env_is_total(b, e, env));
    if (now) return translate_read(b, e, env);
    View *v = lazy_new(b, e->type, NULL);
    v->term = e;
    v->env = env;
    return v;
}

static View *at_now(Build *b, View *v, const Nat *i);

static View *evaluate(Build *b, View *v)
{
    if (v->term) return translate_read(b, v->term, v->env);
    if (v->n) return at_now(b, v->x, v->n);
    return v->k >= 0 ? view_field(b, v->x, v->k) : v->x;
}

static View *force_lazy(Build *b, View *v)
{
    if (v->value && block_is_open(b, v->block)) return v->value;
    if (build_one_round(b)) return view_poison(b, v->type);
    int lanes = b->lanes;
    b->lanes = v->lanes;
    View *r = view_force(b, evaluate(b, v));
    if (v->hint && b->k) r = view_named(b, r, v->hint);
    b->lanes = lanes;
    v->value = b->k ? r : NULL;
    v->block = b->k ? b->block->id : 0;
    return r;
}

static inline View *force(Build *b, View *v)
{
    if (v->kind != V_LAZY && v->kind != V_DELAYED) return v;
    return v->kind == V_LAZY ? force_lazy(b, v) : translate_read(b, v->term, v->env);
}

View *view_force(Build *b, View *v) { return force(b, v); }

static int part_count(const View *v)
{
    if (v->kind == V_TUPLE) return v->type->count;
    if (v->kind == V_ZIP) return v->type->elems[0]->count;
    return v->kind == V_LANES ? v->k : 0;
}

static bool parts_are_total(Build *b, const View *v)
{
    for (int i = 0; i < part_count(v); i++)
        if (!is_total(b, v->parts[i])) return false;
    return (!v->x || is_total(b, v->x)) && (!v->y || is_total(b, v->y));
}

static bool find_total(Build *b, View *v)
{
    switch (v->kind) {
    case V_GATHER: case V_SCATTER: return false;
    case V_EXPR: return !b->k || expr_is_total(b, v->expr);
    case V_PLACE: return !b->k || expr_is_total(b, &(Expr){.kind = X_LOAD, .place = v->place});
    default: break;
    }
    if (v->term && !(term_is_total(v->term) && env_is_total(b, v->term, v->env))) return false;
    return parts_are_total(b, v);
}

/* Can every element be read, asked for or not? */
static bool is_total(Build *b, View *v)
{
    if (!v->value_total) v->value_total = find_total(b, v) ? 1 : 2;
    return v->value_total == 1;
}

static bool find_build_total(Build *b, View *v);

/* Can the view of every element be made, asked for or not? */
static bool builds(Build *b, View *v)
{
    if (!v->build_total) v->build_total = find_build_total(b, v) ? 1 : 2;
    return v->build_total == 1;
}

static bool find_build_total(Build *b, View *v)
{
    switch (v->kind) {
    case V_MEMORY: case V_PLACE: case V_EXPR: return true;
    case V_GATHER: case V_SCATTER: return is_total(b, v->y) && builds(b, v->x);
    case V_MAP: case V_GENERATE: case V_CHOICE: case V_CONCAT: case V_PAD_CONST: return is_total(b, v);
    case V_ZIP:
        for (int i = 0; i < v->type->elems[0]->count; i++)
            if (!builds(b, v->parts[i])) return false;
        return true;
    case V_REORDER: return (!v->term || is_total(b, v)) && builds(b, v->x);
    default: return !v->x || builds(b, v->x);
    }
}

/* ---- memory ---- */

static int component_count(const Type *t)
{
    if (t->kind == TY_ARRAY) return component_count(t->elems[0]);
    int n = t->kind != TY_TUPLE;
    for (int i = 0; t->kind == TY_TUPLE && i < t->count; i++) n += component_count(t->elems[i]);
    return n;
}

static View *memory_leaf(Build *b, const Type *type, Buffer *buf, const Nat *const *idx, int rank)
{
    View *v = view_new(b, V_PLACE, type);
    int width = type->kind == TY_VECTOR ? type->width : 1;
    v->place = (Place){.buf = buf, .width = width};
    if (buf->space == SPACE_PRIVATE) {
        v->place.element = rank ? element_of(b, buf, idx) : NULL;
        v->place.width = buf->width;
        return v;
    }
    const Nat *at = nat_add(b->n, nat_const(b->n, 0), rank ? idx[0] : nat_const(b->n, 0));
    for (int d = 1; d < rank; d++) at = nat_add(b->n, nat_mul(b->n, at, buf->dims[d]), idx[d]);
    v->place.at = width == 1 ? at : nat_mul(b->n, at, nat_const(b->n, width));
    if (!v->place.at) build_fail(b, E54, b->reader, "an index of %s is too large", buf->name);
    return v;
}

View *view_memory(Build *b, const Type *type, Buffer *const *parts, const Nat *const *lead, int lead_count)
{
    if (type->kind == TY_SCALAR || type->kind == TY_VECTOR) return memory_leaf(b, type, parts[0], lead, lead_count);
    if (type->kind == TY_ARRAY) {
        View *v = view_new(b, V_MEMORY, type);
        v->bufs = parts;
        v->idx = lead;
        v->rank = lead_count;
        return v;
    }
    View *fields[ARG_MAX];
    for (int i = 0, first = 0; i < type->count; i++) {
        fields[i] = view_memory(b, type->elems[i], parts + first, lead, lead_count);
        first += component_count(type->elems[i]);
    }
    return view_tuple(b, type, fields);
}

static View *memory_at(Build *b, View *v, const Nat *i)
{
    const Nat **idx = NEW_ARRAY(b->arena, const Nat *, v->rank + 1);
    if (v->rank) memcpy(idx, v->idx, sizeof *idx * (size_t)v->rank);
    idx[v->rank] = i;
    return view_memory(b, v->type->elems[0], v->bufs, idx, v->rank + 1);
}

/* ---- making views of layouts ---- */

View *view_fields(Build *b, View *array, int k)
{
    View *v = view_of(b, V_FIELD, type_array(b->c, array->type->size, array->type->elems[0]->elems[k]), array);
    v->k = k;
    return v;
}

View *view_part(Build *b, View *array, const Nat *base, const Nat *count)
{
    View *v = view_of(b, V_PART, type_array(b->c, count, array->type->elems[0]), array);
    v->n = base;
    return v;
}

View *view_scatter(Build *b, View *index, View *dst)
{
    View *v = view_of(b, V_SCATTER, type_array(b->c, index->type->size, dst->type->elems[0]), dst);
    v->y = index;
    return v;
}

View *view_map(Build *b, const Term *e, View *in, Env *env)
{
    View *v = view_of(b, V_MAP, e->type, in);
    v->term = e->args[0];
    v->env = env;
    return v;
}

View *view_generate(Build *b, const Term *e, Env *env)
{
    View *v = view_new(b, V_GENERATE, e->type);
    v->term = e->args[0];
    v->env = env;
    return v;
}

static View *unzipped(Build *b, const Term *e, View *in)
{
    View *parts[ARG_MAX];
    for (int i = 0; i < e->type->count; i++) parts[i] = view_fields(b, in, i);
    return view_tuple(b, e->type, parts);
}

static View *reordered(Build *b, const Type *type, PermKind kind, const Nat *k, const Term *f, View *in, Env *env)
{
    View *v = view_of(b, V_REORDER, type, in);
    v->k = (int)kind;
    v->n = k;
    v->term = f;
    v->env = env;
    return v;
}

static View *sized(Build *b, ViewKind kind, const Type *type, View *in, const Nat *n, const Nat *m)
{
    View *v = view_of(b, kind, type, in);
    v->n = n;
    v->m = m;
    return v;
}

static View *padded(Build *b, const Term *e, View *const *args)
{
    bool constant = e->prim == PRIM_PAD_CONST;
    View *in = args[constant], *v = sized(b, constant ? V_PAD_CONST : V_PAD, e->type, in, e->statics[0], in->type->size);
    v->y = constant ? args[0] : NULL;
    v->k = constant ? 0 : (int)e->statics[2]->value;
    return v;
}

View *view_layout(Build *b, const Term *e, View *const *args, Env *env)
{
    const Nat *k = e->static_count ? e->statics[0] : NULL;
    View *in = args[e->arg_count - 1];
    View *v;
    switch (e->prim) {
    case PRIM_ZIP: return view_zip(b, e->type, args);
    case PRIM_UNZIP: return unzipped(b, e, in);
    case PRIM_SPLIT: return sized(b, V_SPLIT, e->type, in, k, NULL);
    case PRIM_JOIN: return sized(b, V_JOIN, e->type, in, in->type->elems[0]->size, NULL);
    case PRIM_TRANSPOSE: return view_of(b, V_TRANSPOSE, e->type, in);
    case PRIM_SLIDE: return sized(b, V_SLIDE, e->type, in, e->statics[1], k);
    case PRIM_PAD: case PRIM_PAD_CONST: return padded(b, e, args);
    case PRIM_TAKE: return view_part(b, in, nat_const(b->n, 0), k);
    case PRIM_DROP: return view_part(b, in, k, e->type->size);
    case PRIM_CONCAT:
        v = sized(b, V_CONCAT, e->type, args[0], args[0]->type->size, NULL);
        v->y = args[1];
        return v;
    case PRIM_REORDER:
        return reordered(b, e->type, (PermKind)k->value, e->statics[1], e->arg_count == 3 ? e->args[0] : NULL, in, env);
    case PRIM_GATHER:
        v = view_of(b, V_GATHER, e->type, in);
        v->y = args[0];
        return v;
    case PRIM_AS_VECTOR: return sized(b, V_AS_VECTOR, e->type, in, k, NULL);
    case PRIM_AS_SCALAR: {
        const Type *t = in->type->elems[0];
        while (t->kind == TY_TUPLE) t = t->elems[0];
        return sized(b, V_AS_SCALAR, e->type, in, nat_const(b->n, t->width), NULL);
    }
    default:
        build_fail(b, E54, e, "%s is not a layout", prim((PrimId)e->prim)->name);
        return view_poison(b, e->type);
    }
}

/* ---- indexing ---- */

static const Nat *nat_sum(Build *b, const Nat *x, const Nat *y) { return nat_add(b->n, x, y); }
static const Nat *nat_scaled(Build *b, const Nat *i, const Nat *k) { return nat_mul(b->n, i, k); }

static View *column(Build *b, View *v, const Nat *j)
{
    const Type *outer = v->x->type;
    return sized(b, V_COLUMN, type_array(b->c, outer->size, outer->elems[0]->elems[0]), v->x, j, NULL);
}

static const Nat *pad_index(Build *b, const View *v, const Nat *i)
{
    Nats *n = b->n;
    const Nat *j = nat_sub(n, i, v->n), *one = nat_const(n, 1), *t;
    switch (v->k) {
    case PAD_CLAMP:
        return nat_min(n, nat_max(n, j, nat_const(n, 0)), nat_sub(n, v->m, one));
    case PAD_MIRROR:
        t = nat_max(n, j, nat_sub(n, nat_const(n, -1), j));
        return nat_min(n, t, nat_sub(n, nat_sub(n, nat_add(n, v->m, v->m), one), t));
    default:
        return nat_mod(n, nat_add(n, j, v->m), v->m, b->facts);
    }
}

static const Nat *perm_index(Build *b, const View *v, const Nat *i)
{
    Nats *n = b->n;
    const Nat *size = v->type->size, *chunk;
    switch (v->k) {
    case PERM_REVERSE: return nat_sub(n, nat_sub(n, size, nat_const(n, 1)), i);
    case PERM_ROTATE: return nat_mod(n, nat_add(n, i, v->n), size, b->facts);
    case PERM_STRIDE:
        chunk = nat_exact(n, size, v->n);
        return nat_add(n, nat_div(n, i, chunk, b->facts), nat_mul(n, v->n, nat_mod(n, i, chunk, b->facts)));
    default: {
        View *arg = view_expr(b, v->term->type->elems[0], expr_nat(b, SC_I32, i));
        return translate_index(b, translate_apply(b, v->term, arg, v->env), size);
    }
    }
}

typedef struct Sides { View *side[2]; const Nat *i[2]; bool whole[2]; } Sides;

static View *side_of(Build *b, void *data, int which)
{
    Sides *s = data;
    return s->whole[which] ? s->side[which] : view_at(b, s->side[which], s->i[which]);
}

static const Expr *compare(Build *b, PrimId op, const Nat *x, const Nat *y)
{
    const Expr *args[2] = {expr_nat(b, SC_I32, x), expr_nat(b, SC_I32, y)};
    return expr_op(b, op, SC_BOOL, args, 2);
}

static View *pad_const_at(Build *b, View *v, const Nat *i)
{
    const Nat *end = nat_add(b->n, v->n, v->m);
    const Expr *both[2] = {compare(b, PRIM_GE, i, v->n), compare(b, PRIM_LT, i, end)};
    Sides s = {{v->x, v->y}, {nat_sub(b->n, i, v->n), NULL}, {false, true}};
    return translate_choice(b, expr_op(b, PRIM_AND, SC_BOOL, both, 2), side_of, &s, v->type->elems[0]);
}

static View *concat_at(Build *b, View *v, const Nat *i)
{
    Sides s = {{v->x, v->y}, {i, nat_sub(b->n, i, v->n)}, {false, false}};
    return translate_choice(b, compare(b, PRIM_LT, i, v->n), side_of, &s, v->type->elems[0]);
}

static View *choice_at(Build *b, View *v, const Nat *i)
{
    Sides s = {{v->x, v->y}, {i, i}, {false, false}};
    return translate_choice(b, v->expr, side_of, &s, v->type->elems[0]);
}

/* An array that is x when cond holds and y otherwise; made by translate_choice. */
View *view_choice(Build *b, const Expr *cond, View *x, View *y)
{
    View *v = view_of(b, V_CHOICE, x->type, x);
    v->y = y;
    v->expr = cond;
    return v;
}

static View *zip_at(Build *b, View *v, const Nat *i)
{
    View *parts[ARG_MAX];
    for (int k = 0; k < v->type->elems[0]->count; k++) parts[k] = view_at(b, v->parts[k], i);
    return view_tuple(b, v->type->elems[0], parts);
}

/* ---- vectors ---- */

/* Does indexing emit no code and reach a place? Then an index variable may stand for any element. */
static bool pure_term(const Term *e)
{
    if (e->kind == T_VAR) return true;
    if (e->kind == T_LAM) return pure_term(e->args[0]);
    if (e->kind != T_PRIM) return false;
    switch (e->prim) {
    case PRIM_SPLIT: case PRIM_JOIN: case PRIM_TRANSPOSE: case PRIM_ZIP: case PRIM_TUPLE: case PRIM_PROJ: case PRIM_UNZIP:
    case PRIM_AS_VECTOR: case PRIM_AS_SCALAR: case PRIM_MAP: case PRIM_TAKE: case PRIM_DROP: case PRIM_SLIDE: break;
    case PRIM_REORDER: if (e->statics[0]->value == PERM_FUN) return false; break;
    default: return false;
    }
    for (int i = 0; i < e->arg_count; i++)
        if (!pure_term(e->args[i])) return false;
    return true;
}

static bool pure(const View *v)
{
    switch (v->kind) {
    case V_PLACE: case V_MEMORY: return true;
    case V_SPLIT: case V_JOIN: case V_PART: case V_TRANSPOSE: case V_COLUMN: case V_FIELD: case V_SLIDE: case V_AS_VECTOR:
    case V_AS_SCALAR: case V_TAG: case V_PAD: return pure(v->x);
    case V_REORDER: return v->k != PERM_FUN && pure(v->x);
    case V_UNMAP: return pure_term(v->term) && pure(v->x);
    case V_MAP: return v->term->free_limit == 0 && pure_term(v->term) && pure(v->x);
    case V_ZIP: case V_TUPLE: {
        const Type *t = v->kind == V_ZIP ? v->type->elems[0] : v->type;
        for (int i = 0; i < t->count; i++)
            if (!pure(v->parts[i])) return false;
        return true;
    }
    default: return false;
    }
}

static const Nat *lane_var(Build *b, int w)
{
    if (!b->lane_vars[w]) b->lane_vars[w] = nat_fresh_index(b->n, "lane", nat_const(b->n, w));
    return b->lane_vars[w];
}

/* The place of w consecutive elements from first on, when they lie side by side. */
static bool consecutive(Build *b, View *x, const Nat *first, int w, Place *out)
{
    if (!pure(x)) return false;
    const Nat *j = lane_var(b, w);
    View *a = view_at(b, x, first), *e = view_at(b, x, nat_add(b->n, first, j));
    if (a->kind != V_PLACE || e->kind != V_PLACE || a->place.buf != e->place.buf) return false;
    Place p = a->place, q = e->place;
    if (p.buf->space != SPACE_PRIVATE) {
        if (nat_add(b->n, p.at, j) != q.at) return false;
    } else {
        if (p.buf->width != w || !p.lane || !p.lane->is_const || p.lane->value != 0 || q.lane != j) return false;
        if (p.element != q.element) return false;
        p.lane = NULL;
    }
    p.width = w;
    *out = p;
    return true;
}

static View *vectors_at(Build *b, View *v, const Nat *i, ViewKind kind)
{
    const Type *t = v->type->elems[0];
    View *parts[ARG_MAX];
    for (int k = 0; k < t->count; k++) {
        const Type *column_type = type_array(b->c, v->type->size, t->elems[k]);
        parts[k] = view_at(b, sized(b, kind, column_type, view_fields(b, v->x, k), v->n, NULL), i);
    }
    return view_tuple(b, t, parts);
}

/* Private scalars, which never make up a vector. */
static bool are_scalars(View *const *lanes, int w)
{
    for (int i = 0; i < w; i++)
        if (lanes[i]->kind != V_PLACE || lanes[i]->place.buf->space != SPACE_PRIVATE || lanes[i]->place.buf->width > 1) return false;
    return true;
}

static View *vector_at(Build *b, View *v, const Nat *i)
{
    const Type *t = v->type->elems[0];
    if (t->kind == TY_TUPLE) return vectors_at(b, v, i, V_AS_VECTOR);
    int w = t->width;
    const Nat *first = nat_mul(b->n, i, v->n);
    Place p;
    if (consecutive(b, v->x, first, w, &p)) {
        View *r = view_new(b, V_PLACE, t);
        r->place = p;
        return r;
    }
    View **lanes = NEW_ARRAY(b->arena, View *, w);
    for (int j = 0; j < w; j++) lanes[j] = view_at(b, v->x, nat_add(b->n, first, nat_const(b->n, j)));
    if (!first->is_const && !are_scalars(lanes, w)) build_one_round(b);        /* there may be a round where they lie side by side */
    View *r = view_new(b, V_LANES, t);
    r->parts = lanes;
    r->k = w;
    return r;
}

static View *lane_of(Build *b, View *v, const Nat *lane, const Type *type)
{
    v = force(b, v);
    if (v->kind == V_POISON) return view_poison(b, type);
    if (v->kind == V_LANES && lane->is_const) return v->parts[lane->value];
    if (v->kind == V_PLACE) {
        View *r = view_new(b, V_PLACE, type);
        r->place = v->place;
        r->place.width = 1;
        if (v->place.buf->space == SPACE_PRIVATE) r->place.lane = lane;
        else r->place.at = nat_add(b->n, v->place.at, lane);
        return r;
    }
    const Expr *e = view_value(b, v);
    if (lane->is_const) return view_expr(b, type, expr_lane(b, e, (int)lane->value));
    if (build_one_round(b)) return view_poison(b, type);
    Place p = place_of(b, stmt_value(b, "v", e));
    p.lane = lane;
    p.width = 1;
    View *r = view_new(b, V_PLACE, type);
    r->place = p;
    return r;
}

static View *scalar_at(Build *b, View *v, const Nat *i)
{
    const Type *t = v->type->elems[0];
    if (t->kind == TY_TUPLE) return vectors_at(b, v, i, V_AS_SCALAR);
    View *vec = view_at(b, v->x, nat_div(b->n, i, v->n, b->facts));
    return lane_of(b, vec, nat_mod(b->n, i, v->n, b->facts), t);
}

View *view_tagged(Build *b, View *v, int tag)
{
    if (v->kind == V_TUPLE) {
        View *parts[ARG_MAX];
        for (int i = 0; i < v->type->count; i++) parts[i] = view_tagged(b, v->parts[i], tag);
        return view_tuple(b, v->type, parts);
    }
    View *r = view_new(b, V_TAG, v->type);
    if (v->kind == V_PLACE) {
        *r = *v;
        r->place.tag = tag;
        r->expr = NULL;
        return r;
    }
    r->x = v;
    r->k = tag;
    return r;
}

/* ---- the destination of a layout's argument ---- */

static View *inverse_perm(Build *b, const Term *e, View *dst, Env *env)
{
    PermKind kind = (PermKind)e->statics[0]->value;
    const Nat *k = e->statics[1], *size = e->type->size;
    if (kind == PERM_ROTATE) k = nat_sub(b->n, size, k);
    if (kind == PERM_STRIDE) k = nat_exact(b->n, size, k);
    return reordered(b, e->type, kind, k, kind == PERM_FUN ? e->args[1] : NULL, dst, env);
}

static bool invertible_body(const Term *e, int leaves, int *seen)
{
    if (e->kind == T_VAR) return e->u.index < leaves && !seen[e->u.index]++;
    if (e->kind != T_PRIM) return false;
    switch (e->prim) {
    case PRIM_TUPLE: case PRIM_ZIP:
        for (int i = 0; i < e->arg_count; i++)
            if (!invertible_body(e->args[i], leaves, seen)) return false;
        return true;
    case PRIM_JOIN: case PRIM_SPLIT: case PRIM_TRANSPOSE: case PRIM_AS_SCALAR: case PRIM_AS_VECTOR: case PRIM_UNZIP:
        return invertible_body(e->args[0], leaves, seen);
    case PRIM_REORDER:
        return e->arg_count == 1 && invertible_body(e->args[0], leaves, seen);
    case PRIM_MAP: {
        int inner[ARG_MAX * 4] = {0}, n = e->args[0]->type->elems[0]->leaf_count;
        if (n > COUNT(inner) || e->args[0]->free_limit || !invertible_body(e->args[0]->args[0], n, inner)) return false;
        return invertible_body(e->args[1], leaves, seen);
    }
    default: return false;
    }
}

static bool invertible_map(const Term *lambda)
{
    int seen[ARG_MAX * 4] = {0}, n = lambda->type->elems[0]->leaf_count;
    if (n > COUNT(seen) || lambda->free_limit || !invertible_body(lambda->args[0], n, seen)) return false;
    for (int i = 0; i < n; i++)
        if (!seen[i]) return false;
    return true;
}

View *view_inverse(Build *b, const Term *e, View *dst, Env *env)
{
    const Type *in = e->arg_count ? e->args[e->arg_count - 1]->type : NULL;
    View *parts[ARG_MAX];
    switch (e->prim) {
    case PRIM_JOIN: return sized(b, V_SPLIT, in, dst, in->elems[0]->size, NULL);
    case PRIM_SPLIT: return sized(b, V_JOIN, in, dst, e->statics[0], NULL);
    case PRIM_TRANSPOSE: return view_of(b, V_TRANSPOSE, in, dst);
    case PRIM_AS_SCALAR: {
        const Type *t = in->elems[0];
        while (t->kind == TY_TUPLE) t = t->elems[0];
        return sized(b, V_AS_VECTOR, in, dst, nat_const(b->n, t->width), NULL);
    }
    case PRIM_AS_VECTOR: return sized(b, V_AS_SCALAR, in, dst, e->statics[0], NULL);
    case PRIM_REORDER: return inverse_perm(b, e, dst, env);
    case PRIM_UNZIP:
        for (int i = 0; i < e->type->count; i++) parts[i] = view_field(b, dst, i);
        return view_zip(b, in, parts);
    case PRIM_MAP: {
        if (!invertible_map(e->args[0])) return NULL;
        View *v = view_of(b, V_UNMAP, in, dst);
        v->term = e->args[0];
        v->env = env;
        return v;
    }
    default: return NULL;
    }
}

/* Spread dst over the variables of an invertible body. */
static void unapply(Build *b, const Term *e, View *dst, Env *env, View **leaves)
{
    if (e->kind == T_VAR) {
        leaves[e->u.index] = dst;
    } else if (e->prim == PRIM_TUPLE) {
        for (int i = 0; i < e->arg_count; i++) unapply(b, e->args[i], view_field(b, dst, i), env, leaves);
    } else if (e->prim == PRIM_ZIP) {
        for (int i = 0; i < e->arg_count; i++) unapply(b, e->args[i], view_fields(b, dst, i), env, leaves);
    } else {
        unapply(b, e->args[e->arg_count - 1], view_inverse(b, e, dst, env), env, leaves);
    }
}

static View *tuple_tree(Build *b, const Type *type, View *const *leaves, int base)
{
    if (type->kind != TY_TUPLE) return leaves[base];
    View *parts[ARG_MAX];
    int below = base + type->leaf_count;
    for (int i = 0; i < type->count; i++) {
        below -= type->elems[i]->leaf_count;
        parts[i] = tuple_tree(b, type->elems[i], leaves, below);
    }
    return view_tuple(b, type, parts);
}

static View *unmap_at(Build *b, View *v, const Nat *i)
{
    View *leaves[ARG_MAX * 4] = {0};
    unapply(b, v->term->args[0], view_at(b, v->x, i), v->env, leaves);
    return tuple_tree(b, v->term->type->elems[0], leaves, 0);
}

/* ---- the walk ---- */

View *const *view_zipped(const View *v) { return v->kind == V_ZIP ? v->parts : NULL; }

static View *generate_at(Build *b, View *v, const Nat *i)
{
    View *arg = view_expr(b, v->term->type->elems[0], expr_nat(b, SC_I32, i));
    return translate_apply(b, v->term, arg, v->env);
}

/* Is the view of an element the same whenever it is made: memory, seen through layouts? */
static bool is_fixed(View *v)
{
    if (v->fixed) return v->fixed == 1;
    bool yes = false;
    switch (v->kind) {
    case V_MEMORY: yes = true; break;
    case V_SPLIT: case V_JOIN: case V_PART: case V_TRANSPOSE: case V_COLUMN: case V_FIELD: case V_SLIDE: case V_AS_VECTOR:
    case V_AS_SCALAR: case V_TAG:
        yes = is_fixed(v->x);
        break;
    default: break;
    }
    v->fixed = yes ? 1 : 2;
    return yes;
}

enum { KEPT_ELEMENTS = 128 };

/* Where element i of v is kept; NULL: it is not. */
static View **element_slot(Build *b, View *v, const Nat *i)
{
    const Nat *n = v->type->size;
    if (!i->is_const || !n->is_const || n->value > KEPT_ELEMENTS || i->value < 0 || i->value >= n->value) return NULL;
    if (!is_fixed(v)) return NULL;
    if (!v->elements) v->elements = NEW_ARRAY(b->arena, View *, n->value);
    return &v->elements[i->value];
}

static View *kept_at(Build *b, View *v, const Nat *i)
{
    View **slot = b->failed ? NULL : element_slot(b, v, i);
    if (!slot) return at_now(b, v, i);
    View *made = *slot ? *slot : at_now(b, v, i);
    if (!b->failed) *slot = made;
    return made;
}

View *view_at(Build *b, View *v, const Nat *i)
{
    v = force(b, v);
    if (!i) {
        build_fail(b, E54, b->reader, "an index is too large or does not divide evenly");
        return view_poison(b, v->type->elems[0]);
    }
    if (!b->k || v->kind == V_POISON || v->kind == V_ZIP || builds(b, v)) return kept_at(b, v, i);
    View *r = lazy_new(b, v->type->elems[0], v);
    r->n = i;
    return r;
}

static View *join_at(Build *b, View *v, const Nat *i)
{
    View *row = view_at(b, v->x, nat_div(b->n, i, v->n, b->facts));
    return view_at(b, row, nat_mod(b->n, i, v->n, b->facts));
}

static View *at_now(Build *b, View *v, const Nat *i)
{
    switch (v->kind) {
    case V_MEMORY: return memory_at(b, v, i);
    case V_SPLIT: return view_part(b, v->x, nat_scaled(b, i, v->n), v->n);
    case V_JOIN: return join_at(b, v, i);
    case V_PART: return view_at(b, v->x, nat_sum(b, v->n, i));
    case V_TRANSPOSE: return column(b, v, i);
    case V_COLUMN: return view_at(b, view_at(b, v->x, i), v->n);
    case V_ZIP: return zip_at(b, v, i);
    case V_FIELD: return view_field(b, view_at(b, v->x, i), v->k);
    case V_SLIDE: return view_part(b, v->x, nat_scaled(b, i, v->n), v->m);
    case V_PAD: return view_at(b, v->x, pad_index(b, v, i));
    case V_PAD_CONST: return pad_const_at(b, v, i);
    case V_CONCAT: return concat_at(b, v, i);
    case V_CHOICE: return choice_at(b, v, i);
    case V_REORDER: return view_at(b, v->x, perm_index(b, v, i));
    case V_GATHER: return view_at(b, v->x, translate_index(b, view_at(b, v->y, i), v->x->type->size));
    case V_SCATTER: return view_at(b, v->x, translate_index(b, view_at(b, v->y, i), v->x->type->size));
    case V_GENERATE: return generate_at(b, v, i);
    case V_MAP: return translate_apply(b, v->term, view_at(b, v->x, i), v->env);
    case V_UNMAP: return unmap_at(b, v, i);
    case V_AS_VECTOR: return vector_at(b, v, i);
    case V_AS_SCALAR: return scalar_at(b, v, i);
    case V_TAG: return view_tagged(b, view_at(b, v->x, i), v->k);
    default:
        if (v->kind != V_POISON) build_fail(b, E54, b->reader, "a value of %s is indexed", type_text(b->c, v->type));
        return view_poison(b, v->type->elems[0]);
    }
}

View *view_field(Build *b, View *v, int k)
{
    v = force(b, v);
    return v->kind == V_TUPLE ? v->parts[k] : view_poison(b, v->type->elems[k]);
}

static const Expr *zero(Build *b, const Type *t) { return expr_lit(b, t->scalar, (LitValue){0}); }

const Expr *view_value(Build *b, View *v)
{
    v = force(b, v);
    const Expr *lanes[16];
    switch (v->kind) {
    case V_EXPR: return v->expr;
    case V_PLACE: return v->expr ? v->expr : (v->expr = expr_load(b, &v->place));
    case V_LANES:
        for (int i = 0; i < v->k; i++) lanes[i] = view_value(b, v->parts[i]);
        return expr_vec(b, v->type->scalar, lanes, v->k);
    default:
        if (v->kind != V_POISON)
            build_fail(b, E54, b->reader, "a value of %s is used as a scalar", type_text(b->c, v->type));
        return zero(b, v->type);
    }
}

bool view_place(const View *v, Place *out)
{
    if (v->kind != V_PLACE) return false;
    *out = v->place;
    return true;
}

bool view_lanes(const View *v, View *const **lanes, int *n)
{
    if (v->kind != V_LANES) return false;
    *lanes = v->parts;
    *n = v->k;
    return true;
}

bool view_same(Build *b, View *a, View *d)
{
    if (a->type != d->type || !pure(a) || !pure(d)) return false;
    if (a->kind == V_PLACE && d->kind == V_PLACE) return place_same(&a->place, &d->place);
    if (a->type->kind == TY_TUPLE) {
        for (int i = 0; i < a->type->count; i++)
            if (!view_same(b, view_field(b, a, i), view_field(b, d, i))) return false;
        return true;
    }
    if (a->type->kind != TY_ARRAY) return false;
    const Nat *i = nat_fresh_index(b->n, "any", a->type->size);
    return view_same(b, view_at(b, a, i), view_at(b, d, i));
}

/* Component k of a tuple that is not evaluated yet. */
View *view_lazy_field(Build *b, View *v, int k)
{
    if (v->kind != V_LAZY) return view_field(b, v, k);
    View *r = lazy_new(b, v->type->elems[k], v);
    r->k = k;
    return r;
}

/* ---- which buffers a view may touch ---- */

typedef struct Touch {
    Build *b;
    bool (*hit)(struct Touch *t, const Buffer *buf);
    VEC(const Buffer *) found;
} Touch;

static bool touch_view(Touch *t, View *v);

static bool touch_env(Touch *t, const Term *e, const Env *env)
{
    int i = 0;
    for (; env && i < e->free_limit; env = env->up, i++)
        if (term_mentions(e, i, 1) && touch_view(t, env->v)) return true;
    return false;
}

static bool touch_expr(Touch *t, const Expr *e)
{
    if (e->kind == X_LOAD && t->hit(t, e->place.buf)) return true;
    for (int i = 0; i < e->arg_count; i++)
        if (touch_expr(t, e->args[i])) return true;
    return false;
}

static bool touch_view(Touch *t, View *v)
{
    if (v->mark == t->b->epoch) return false;
    v->mark = t->b->epoch;
    if (v->kind == V_PLACE && t->hit(t, v->place.buf)) return true;
    if (v->kind == V_MEMORY)
        for (int i = 0; i < component_count(v->type); i++)
            if (t->hit(t, v->bufs[i])) return true;
    if (v->expr && touch_expr(t, v->expr)) return true;
    if ((v->x && touch_view(t, v->x)) || (v->y && touch_view(t, v->y))) return true;
    for (int i = 0; i < part_count(v); i++)
        if (touch_view(t, v->parts[i])) return true;
    return v->term && touch_env(t, v->term, v->env);
}

bool view_in_space(const View *v, Space s)
{
    if (v->kind == V_PLACE) return v->place.buf->space == s;
    if (v->kind == V_MEMORY) return v->bufs[0]->space == s;
    for (int i = 0; i < part_count(v); i++)
        if (view_in_space(v->parts[i], s)) return true;
    return v->x && view_in_space(v->x, s);
}

bool view_is_private(const View *v)
{
    if (v->kind == V_PLACE) return v->place.buf->space == SPACE_PRIVATE;
    return view_in_space(v, SPACE_PRIVATE) && !view_in_space(v, SPACE_LOCAL) && !view_in_space(v, SPACE_GLOBAL);
}

static bool collect(Touch *t, const Buffer *buf)
{
    vec_push(&t->found, buf);
    return false;
}

static bool is_found(Touch *t, const Buffer *buf)
{
    for (int i = 0; i < t->found.n; i++)
        if (t->found.v[i] == buf) return true;
    return false;
}

static Touch cells_of(Build *b, const View *cells)
{
    Touch t = {.b = b, .hit = collect};
    b->epoch++;
    touch_view(&t, (View *)cells);
    t.hit = is_found;
    b->epoch++;
    return t;
}

bool term_reads(Build *b, const Term *e, const Env *env, const View *cells)
{
    Touch t = cells_of(b, cells);
    bool hit = touch_env(&t, e, env);
    free(t.found.v);
    return hit;
}

static bool collect_global(Touch *t, const Buffer *buf)
{
    bool seen = is_found(t, buf);
    if (buf->space == SPACE_GLOBAL && !seen) vec_push(&t->found, buf);
    return false;
}

const char *term_source(Build *b, const Term *e, const Env *env)
{
    Touch t = {.b = b, .hit = collect_global};
    b->epoch++;
    touch_env(&t, e, env);
    const char *name = t.found.n == 1 ? t.found.v[0]->name : NULL;
    free(t.found.v);
    return name;
}
