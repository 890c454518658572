/* generate: random types, inputs, expressions and functions for instances of rules. */
#include "check_private.h"

#include <string.h>

enum { SCOPE_MAX = 48, NEST = 3 };

/* What a generated expression may use: terms, each at the depth it was bound. */
typedef struct Gen {
    Generator *g;
    int depth;
    int count;
    struct { const Term *term; int depth; } scope[SCOPE_MAX];
    int computes;              /* as for generate_function */
} Gen;

static int below(Gen *e, int n) { return (int)rng_below(&e->g->rng, n); }
static const Type *scalar_type(const Gen *e, Scalar s) { return type_scalar(e->g->c, s); }
static const Nat *number(Ctx *c, int64_t v) { return nat_const(c->nats, v); }

/* ---- types ---- */

static Scalar random_scalar(Generator *g, IClass cls)
{
    static const Scalar all[] = {SC_F32, SC_I32, SC_F32, SC_I32, SC_F32, SC_I32, SC_BOOL, SC_F64, SC_I64, SC_U32, SC_I8, SC_U8, SC_I16,
                                 SC_U16, SC_U64};
    for (;;) {
        Scalar s = all[rng_below(&g->rng, g->level < 2 ? 6 : COUNT(all))];
        if (cls == IC_INT && !scalar_is_int(s)) continue;
        if (cls == IC_FLOAT && !scalar_is_float(s)) continue;
        if (cls != IC_NUMERIC || scalar_is_numeric(s)) return s;
    }
}

const Type *generate_type(Generator *g, IClass cls)
{
    const Type *s = type_scalar(g->c, random_scalar(g, cls));
    int k = (int)rng_below(&g->rng, 12);
    if (cls > IC_SCALARS || g->level < 1 || k < 8) return s;
    if (k < 10 || cls == IC_SCALARS) {
        const Type *parts[3] = {s, generate_type(g, IC_SCALAR), type_scalar(g->c, SC_I32)};
        return type_tuple(g->c, parts, k == 9 ? 3 : 2);
    }
    return type_array(g->c, number(g->c, 1 + rng_below(&g->rng, 3)),
                      k == 10 || g->level < 3 ? s : generate_type(g, IC_SCALARS));
}

/* ---- text ---- */

static Source source_of(const char *text) { return (Source){"property", text, strlen(text)}; }

static const Term *function_of_text(Ctx *c, Arena *arena, const Defs *d, const char *text, const Type *from, const Type *to)
{
    Source *s = NEW(arena, Source);
    *s = source_of(text);
    Parser parser = {.arena = arena, .names = c->names, .diag = &c->diag};
    const Ast *a = parse_expr(&parser, s);
    Elab e = elab_start(c, arena, d);
    return a ? elab_function(&e, (Scope){NULL, 0, s}, a, from, to) : NULL;
}

/* ---- scope ---- */

static void put(Gen *e, const Term *t)
{
    if (!t || e->count == SCOPE_MAX) return;
    e->scope[e->count].term = t;
    e->scope[e->count++].depth = e->depth;
    for (int i = 0; t->type->kind == TY_TUPLE && i < t->type->count; i++) put(e, term_proj(e->g->c, t, i));
}

typedef bool Wanted(const Type *t, const void *data);

/* A random term of the scope whose type is wanted, later ones preferred; NULL: none. */
static const Term *pick(Gen *e, Wanted *wanted, const void *data)
{
    int found = -1, n = 0;
    for (int i = 0; i < e->count; i++)
        if (wanted(e->scope[i].term->type, data) && below(e, ++n) == 0) found = i;
    return found < 0 ? NULL : term_shift(e->g->c, e->scope[found].term, e->depth - e->scope[found].depth, 0);
}

static bool same_type(const Type *t, const void *data) { return t == data; }
static bool array_like(const Type *t, const void *data)
{
    return t->kind == TY_ARRAY && t->size == ((const Type *)data)->size;
}
static bool array_of(const Type *t, const void *data) { return t->kind == TY_ARRAY && t->elems[0] == data; }
static bool any_scalar(const Type *t, const void *data) { return t->kind == TY_SCALAR && t != data; }
static bool vector_like(const Type *t, const void *data)
{
    return t->kind == TY_VECTOR && t->width == ((const Type *)data)->width;
}

/* ---- expressions ---- */

static const Term *expression(Gen *e, const Type *t, int fuel);

static const Term *lambda(Gen *e, const Type *param, const Type *result, int fuel)
{
    Gen saved = *e;
    e->depth += param->leaf_count;
    put(e, term_param(e->g->c, param, 0));
    const Term *body = expression(e, result, fuel);
    for (int k = 0; k < 4 && body && !term_mentions(body, 0, param->leaf_count); k++)
        body = expression(e, result, fuel + k % 2);
    *e = saved;
    return body ? term_lam(e->g->c, param, body, NULL) : NULL;
}

static const Term *literal(Gen *e, const Type *t)
{
    if (t->scalar == SC_BOOL) return term_int(e->g->c, t, below(e, 2));
    return term_int(e->g->c, t, scalar_is_unsigned(t->scalar) ? below(e, 5) : below(e, 9) - 3);
}

/* A scalar of another type, converted where that cannot fail. */
static const Term *converted(Gen *e, const Type *t)
{
    const Term *x = pick(e, any_scalar, t);
    if (!x || e->computes < 0) return NULL;
    Scalar from = x->type->scalar, to = t->scalar;
    return scalar_widens(from, to) ? term_prim1(e->g->c, prim_cast(to), x) : NULL;
}

static const Term *operator_of(Gen *e, const Type *t, PrimId op)
{
    Ctx *c = e->g->c;
    const Type *both[2] = {t, t};
    return term_lam(c, type_tuple(c, both, 2), term_prim2(c, op, term_var(c, 1, t), term_var(c, 0, t)), NULL);
}

static const Term *fold(Gen *e, const Type *t, const Term *x)
{
    static const PrimId ops[] = {PRIM_ADD, PRIM_MIN, PRIM_SUB};
    PrimId op = t->scalar == SC_BOOL ? PRIM_NE : ops[below(e, COUNT(ops))];
    const Term *args[3] = {operator_of(e, t, op), literal(e, t), x};
    return term_prim(e->g->c, PRIM_REDUCE_SEQ, NULL, 0, args, 3);
}

/* Something of every so-maniest element from one place to another, or of none. */
static const Term *slice(Gen *e, const Type *t, const Term *from, const Term *to, const Term *x)
{
    Ctx *c = e->g->c;
    const Nat *step = number(c, 1 + below(e, 2));
    const Term *args[4] = {NULL, from, to, x};
    const Type *part = prim_param_type(c, PRIM_SLICE, &step, args, 4, 0);
    args[0] = term_lam(c, part, fold(e, t, term_var(c, 0, part)), NULL);
    return term_prim(c, PRIM_SLICE, &step, 1, args, 4);
}

/* One of the places 0 .. n - 1 of an array. */
static const Term *place_below(Gen *e, int n) { return term_int(e->g->c, scalar_type(e, SC_I32), below(e, n)); }

static const Term *scalar_leaf(Gen *e, const Type *t)
{
    const Term *x = below(e, 8) ? pick(e, same_type, t) : NULL;
    if (!x && below(e, 2)) x = converted(e, t);
    if (x) return x;
    const Term *xs = pick(e, array_of, t);
    int n = xs && xs->type->size->is_const ? (int)xs->type->size->value : 0;
    if (xs && e->computes >= 0 && below(e, 2))
        return n && below(e, 3) == 0 ? slice(e, t, place_below(e, n + 1), place_below(e, n + 1), xs) : fold(e, t, xs);
    if (n) x = term_prim2(e->g->c, PRIM_AT, place_below(e, n), xs);
    if (!x) x = converted(e, t);
    return x ? x : literal(e, t);
}

static const Term *boolean(Gen *e, const Type *t, int fuel)
{
    static const PrimId compare[] = {PRIM_LT, PRIM_LE, PRIM_EQ, PRIM_GT},
                        logic[] = {PRIM_AND, PRIM_OR, PRIM_NE, PRIM_EQ};
    Ctx *c = e->g->c;
    int k = below(e, 3);
    if (k == 0) return term_prim1(c, PRIM_NOT, expression(e, t, fuel));
    if (k == 1) return term_prim2(c, logic[below(e, COUNT(logic))], expression(e, t, fuel), expression(e, t, fuel));
    const Term *x = pick(e, any_scalar, t);
    const Type *s = x && x->type->scalar != SC_BOOL ? x->type : scalar_type(e, SC_I32);
    return term_prim2(c, compare[below(e, COUNT(compare))], expression(e, s, 0), expression(e, s, 0));
}

static const Term *arithmetic(Gen *e, const Type *t, int fuel)
{
    static const PrimId two[] = {PRIM_ADD, PRIM_SUB, PRIM_MUL, PRIM_ADD, PRIM_SUB, PRIM_MIN, PRIM_MAX},
                        bits[] = {PRIM_BAND, PRIM_BOR, PRIM_BXOR, PRIM_SHL, PRIM_SHR};
    Ctx *c = e->g->c;
    int k = below(e, 10);
    if (k < 7) return term_prim2(c, two[k], expression(e, t, fuel), expression(e, t, fuel));
    if (k == 7 && scalar_is_unsigned(t->scalar))
        return term_prim2(c, bits[below(e, COUNT(bits))], expression(e, t, fuel), expression(e, t, fuel));
    if (k == 7) return term_prim1(c, below(e, 2) ? PRIM_NEG : PRIM_ABS, expression(e, t, fuel));
    if (k != 8) return scalar_leaf(e, t);
    const Term *args[3] = {expression(e, scalar_type(e, SC_BOOL), 0), expression(e, t, fuel), expression(e, t, fuel)};
    return term_prim(e->g->c, below(e, 2) ? PRIM_SELECT : PRIM_IF, NULL, 0, args, 3);
}

static const Term *mapped(Gen *e, const Type *t, const Term *x, int fuel)
{
    return term_prim2(e->g->c, PRIM_MAP, lambda(e, x->type->elems[0], t->elems[0], fuel), x);
}

static const Term *array(Gen *e, const Type *t, int fuel)
{
    Ctx *c = e->g->c;
    const Term *x = below(e, 3) || fuel <= 0 ? pick(e, same_type, t) : NULL;
    if (x && (fuel <= 0 || below(e, 3) == 0)) return x;
    const Nat *statics[2] = {number(c, PERM_REVERSE), number(c, 0)};
    if (x && below(e, 4) == 0) return term_prim(c, PRIM_REORDER, statics, 2, &x, 1);
    if (!x) x = pick(e, array_like, t);
    if (x) return mapped(e, t, x, fuel - 1);
    const Term *f = lambda(e, scalar_type(e, SC_I32), t->elems[0], fuel - 1);
    return f ? term_prim(c, PRIM_GENERATE, &t->size, 1, &f, 1) : NULL;
}

/* ---- loops, reductions by index, segments ---- */

/* A few steps of a state of that type, alone or with a number beside it; every other such loop only goes on while it may. */
static const Term *looped(Gen *e, const Type *t, int fuel)
{
    Ctx *c = e->g->c;
    const Type *i32 = scalar_type(e, SC_I32), *parts[2] = {t, i32};
    int count = 1 + below(e, 2);
    const Type *state = count > 1 ? type_tuple(c, parts, 2) : t, *given[2] = {state, i32}, *param = type_tuple(c, given, 2);
    const Nat *steps = number(c, 1 + below(e, 4));
    const Term *init = expression(e, state, 0), *f = init ? lambda(e, param, state, fuel) : NULL;
    if (!f) return NULL;
    if (below(e, 2)) {
        const Term *on = lambda(e, param, scalar_type(e, SC_BOOL), 1);
        const Term *choice[3] = {on ? on->args[0] : NULL, f->args[0], term_proj(c, term_param(c, param, 0), 0)};
        if (on) f = term_lam(c, param, term_prim(c, PRIM_IF, NULL, 0, choice, 3), NULL);
    }
    const Term *same = term_lam(c, i32, term_var(c, 0, i32), NULL);
    const Term *args[3] = {f, init, term_prim(c, PRIM_GENERATE, &steps, 1, &same, 1)};
    const Term *loop = term_prim(c, PRIM_REDUCE_SEQ, NULL, 0, args, 3);
    return count > 1 ? term_proj(c, loop, 0) : loop;
}

static bool any_array(const Type *t, const void *data) { return t->kind == TY_ARRAY && !data; }

static const Term *by_places(Gen *e, const Type *t, int fuel)
{
    if (!t->size->is_const || t->elems[0]->kind != TY_SCALAR) return NULL;
    int k = below(e, 3);
    if (k == 2) {
        if (!scalar_is_numeric(t->elems[0]->scalar)) return NULL;
        /* What the prelude makes of an array of numbers. */
        static const char *const texts[] = {
            "\\xs -> fst (filter (\\x -> x < 2) 1 xs)",
            "\\xs -> scanSegments (+) 0 (map (\\x -> x < 1) xs) xs",
            "\\xs -> scanSegments max 1 (map (\\i -> i % 3 == 1) (iota (length xs))) xs",
        };
        const Term *x = pick(e, same_type, t);
        const Term *f = x ? function_of_text(e->g->c, e->g->arena, NULL, texts[below(e, COUNT(texts))], t, t) : NULL;
        return f ? term_beta(e->g->c, f, x) : NULL;
    }
    if (!k) {
        /* mapSegments: of each two offsets that follow each other, in order or not. */
        Ctx *c = e->g->c;
        const Type *i32 = scalar_type(e, SC_I32);
        const Nat *ends = nat_add(c->nats, t->size, number(c, 1)), *by[2] = {number(c, 2), number(c, 1)};
        const Term *x = pick(e, array_of, t->elems[0]), *f = x && x->type->size->is_const ? lambda(e, i32, i32, fuel) : NULL;
        if (!f) return NULL;
        const Term *most = term_int(c, i32, x->type->size->value), *zero = term_int(c, i32, 0);
        f = term_lam(c, i32, term_prim2(c, PRIM_MAX, zero, term_prim2(c, PRIM_MIN, most, f->args[0])), NULL);
        const Term *offsets = term_prim(c, PRIM_GENERATE, &ends, 1, &f, 1), *rows = term_prim(c, PRIM_SLIDE, by, 2, &offsets, 1);
        const Term *w = term_var(c, 0, rows->type->elems[0]), *one = term_int(c, i32, 1);
        const Term *part = slice(e, t->elems[0], term_prim2(c, PRIM_AT, zero, w), term_prim2(c, PRIM_AT, one, w),
                                 term_shift(c, x, 1, 0));
        return part ? term_prim2(c, PRIM_MAP, term_lam(c, w->type, part, NULL), rows) : NULL;
    }
    /* With an operator of which the order does not matter: elements of an array to places that are computed, some of them outside. */
    Ctx *c = e->g->c;
    const Type *s = t->elems[0], *parts[2] = {scalar_type(e, SC_I32), s};
    const PrimId ops[] = {PRIM_MIN, PRIM_MAX, scalar_is_int(s->scalar) ? PRIM_ADD : PRIM_MAX};
    const Term *xs = pick(e, any_array, NULL), *init = array(e, t, fuel - 1);
    if (!xs || !init) return NULL;
    const Term *pairs = mapped(e, type_array(c, xs->type->size, type_tuple(c, parts, 2)), xs, fuel);
    const Term *args[3] = {operator_of(e, s, s->scalar == SC_BOOL ? PRIM_NE : ops[below(e, COUNT(ops))]), init, pairs};
    return term_prim(c, PRIM_REDUCE_BY_INDEX, NULL, 0, args, 3);
}

static const Term *expression(Gen *e, const Type *t, int fuel)
{
    bool wild = fuel > 0 && e->computes >= 0 && e->g->level >= 2;
    if (wild && t->kind != TY_VECTOR && below(e, 8) == 0) {
        const Term *x = looped(e, t, fuel - 1);
        if (x) return x;
    }
    if (t->kind == TY_TUPLE) {
        const Term *parts[ARG_MAX], *x = below(e, 4) == 0 ? pick(e, same_type, t) : NULL;
        for (int i = 0; i < t->count && !x; i++) parts[i] = expression(e, t->elems[i], fuel - (i > 0));
        return x ? x : term_tuple(e->g->c, parts, t->count);
    }
    if (t->kind == TY_ARRAY) {
        const Term *x = wild && below(e, 4) == 0 ? by_places(e, t, fuel - 1) : NULL;
        return x ? x : array(e, t, fuel);
    }
    if (t->kind == TY_VECTOR) {
        Ctx *c = e->g->c;
        const Type *s = scalar_type(e, t->scalar);
        const Term *x = fuel <= 0 || below(e, 3) == 0 ? pick(e, same_type, t) : pick(e, vector_like, t);
        if (x && x->type == t && fuel <= 0) return x;
        if (x) return term_prim2(c, PRIM_MAP_VEC, lambda(e, scalar_type(e, x->type->scalar), s, fuel - 1), x);
        const Term *lanes[16];
        for (int i = 0; i < t->width; i++) lanes[i] = expression(e, s, i < 2 ? fuel - 1 : 0);
        return term_prim(c, PRIM_VEC, NULL, 0, lanes, t->width);
    }
    if (fuel <= 0 || e->computes < 0) return scalar_leaf(e, t);
    return t->scalar == SC_BOOL ? boolean(e, t, fuel - 1) : arithmetic(e, t, fuel - 1);
}

/* ---- inputs and values ---- */

const Term *generate_input(Generator *g, const char *name, const Type *type)
{
    bool taken = ANY(i, g->input_count, !strcmp(g->inputs[i].name, name));
    if (g->input_count == INPUTS_MAX) return NULL;
    if (taken) name = arena_printf(g->arena, "%s_%d", name, g->input_count);
    name = intern(g->c->names, name);
    g->inputs[g->input_count++] = (Input){name, type};
    return term_input(g->c, name, type);
}

static Gen start(Generator *g, int computes) { return (Gen){.g = g, .computes = computes}; }

/* A small term over inputs: rules must not only hold for inputs, and matching must look past them. */
static const Term *structured(Generator *g, const char *name, const Type *t)
{
    Gen e = start(g, 0);
    const Nat *reverse[2] = {number(g->c, PERM_REVERSE), number(g->c, 0)}, *n = t->size;
    const Term *x, *f;
    switch (rng_below(&g->rng, 6)) {
    case 0:
        x = generate_input(g, name, type_array(g->c, n, generate_type(g, IC_SCALARS)));
        return x ? mapped(&e, t, x, 1) : NULL;
    case 1: {
        int64_t m = t->size->value, k = 1 + rng_below(&g->rng, m);
        if (m % k) return NULL;
        const Type *rows = type_array(g->c, number(g->c, m / k), type_array(g->c, number(g->c, k), t->elems[0]));
        return term_prim1(g->c, PRIM_JOIN, generate_input(g, name, rows));
    }
    case 2:
        x = generate_input(g, name, t);
        return x ? term_prim(g->c, PRIM_REORDER, reverse, 2, &x, 1) : NULL;
    case 3:
        f = lambda(&e, type_scalar(g->c, SC_I32), t->elems[0], 2);
        return f ? term_prim(g->c, PRIM_GENERATE, &n, 1, &f, 1) : NULL;
    case 4:
        x = generate_input(g, name, type_array(g->c, nat_add(g->c->nats, n, number(g->c, 1)), t->elems[0]));
        return x ? term_prim(g->c, PRIM_DROP, (const Nat *[]){number(g->c, 1)}, 1, &x, 1) : NULL;
    default:
        if (t->elems[0]->kind != TY_ARRAY) return NULL;
        x = generate_input(g, name, type_array(g->c, t->elems[0]->size, type_array(g->c, n, t->elems[0]->elems[0])));
        return x ? term_prim1(g->c, PRIM_TRANSPOSE, x) : NULL;
    }
}

static const Term *computed(Generator *g, const char *name, const Type *t)
{
    Gen e = start(g, 0);
    put(&e, generate_input(g, name, t));
    return e.count ? expression(&e, t, 2) : NULL;
}

const Term *generate_value(Generator *g, const char *name, const Type *t)
{
    int before = g->input_count;
    if (g->computes && rng_below(&g->rng, 3)) return computed(g, name, t);
    if (t->kind == TY_SCALAR && g->level >= 2 && rng_below(&g->rng, 3) == 0) return computed(g, name, t);
    if (t->kind == TY_ARRAY && g->level >= 2 && rng_below(&g->rng, 3) == 0) {
        const Term *x = structured(g, name, t);
        if (x && x->type == t) return x;
        g->input_count = before;
    }
    return generate_input(g, name, t);
}

/* ---- functions ---- */

/* \v -> map g (split c v): the only way down to [p/c]a. */
static const Term *shrinking_body(Gen *e, const Type *param, const Type *result)
{
    Ctx *c = e->g->c;
    const Nat *by = nat_exact(c->nats, param->size, result->size);
    const Term *v = term_var(c, 0, param);
    if (!by || !by->is_const) return NULL;
    if (by->value == 1) return mapped(e, result, v, 1 + below(e, 2));
    return mapped(e, result, term_prim(c, PRIM_SPLIT, &by, 1, &v, 1), 2);
}

const Term *generate_function(Generator *g, const Type *param, const Type *result, int computes)
{
    bool shrinks = param->kind == TY_ARRAY && !param->size->is_const && result->kind == TY_ARRAY && !result->size->is_const;
    for (int k = 0; k < 20; k++) {
        Gen e = start(g, computes);
        for (int i = 0; g->level >= 1 && i < g->input_count; i++)         /* values from outside that it may capture */
            if (*g->inputs[i].name == 'u') put(&e, term_input(g->c, g->inputs[i].name, g->inputs[i].type));
        int fuel = g->level < 1 ? 1 : 1 + below(&e, NEST);
        e.depth = shrinks;
        const Term *f = shrinks ? term_lam(g->c, param, shrinking_body(&e, param, result), NULL) : lambda(&e, param, result, fuel);
        if (!f || (computes > 0 && !(f->flags & TF_COMPUTES)) || (computes < 0 && !term_is_layout(f))) continue;
        return f;
    }
    return NULL;
}

/* A function of the argument and of a reduction of something that is made of it. */
const Term *generate_folding(Generator *g, const Type *param, const Type *result, PrimId reduction)
{
    Ctx *c = g->c;
    const Type *s = type_scalar(c, random_scalar(g, IC_NUMERIC)), *parts[2] = {param, s};
    const Type *xs = type_array(c, number(c, 1 + rng_below(&g->rng, 3)), s);
    const Term *made = generate_function(g, param, xs, 0), *with = NULL;
    for (int k = 0; k < 20 && !(with && term_mentions(with->args[0], 0, 1)); k++)
        with = generate_function(g, type_tuple(c, parts, 2), result, 0);
    if (!made || !with || !term_mentions(with->args[0], 0, 1)) return NULL;
    Gen e = start(g, 0);
    const PrimId ops[] = {PRIM_ADD, PRIM_MIN, PRIM_MAX};
    const Term *fold[3] = {operator_of(&e, s, ops[below(&e, COUNT(ops))]), literal(&e, s), made->args[0]};
    const Term *pair[2] = {term_param(c, param, 0), term_prim(c, reduction, NULL, 0, fold, 3)};
    return term_lam(c, param, term_beta(c, term_shift(c, with, param->leaf_count, 0), term_tuple(c, pair, 2)), NULL);
}

/* ---- functions with properties ---- */

struct Property {
    const char *text;          /* an operator, or the name of a declaration */
    char type;                 /* n number, i integer, b bool, p (f32, i32), q (i32, i32), a anything */
    unsigned props;
    const char *neutral;       /* language text; "least" "most" of the type; "ones": all bits */
};

enum {
    A = PROP_ASSOCIATIVE,
    AR = PROP_ASSOCIATIVE | PROP_RESTARTS,
    N = PROP_NEUTRAL | PROP_RESTARTS,
    AN = PROP_ASSOCIATIVE | N,
    ALL = PROP_ASSOCIATIVE | PROP_COMMUTATIVE | N
};

static const Property properties[] = {
    {"(+)", 'n', ALL, "0"},        {"(*)", 'n', ALL, "1"},          {"min", 'n', ALL, "most"},
    {"max", 'n', ALL, "least"},    {"(+)", 'i', ALL, "0"},          {"(&&)", 'b', ALL, "true"},
    {"(||)", 'b', ALL, "false"},   {"band", 'i', ALL, "ones"},      {"bor", 'i', ALL, "0"},
    {"bxor", 'i', ALL, "0"},       {"pairSum", 'p', ALL, "(0, 0)"}, {"affine", 'q', AN, "(1, 0)"},
    {"affine", 'q', AN, "(1, 0)"}, {"later", 'a', A, NULL},         {"bent", 'i', PROP_COMMUTATIVE | N, "0"},
    {"leading", 'p', AR, "(0, 0)"}, {"max", 'i', AR, "3"},
};

/* affine composes x * a + b: associative, not commutative, as is leading, where z may be anything. bent is commutative, not
 * associative. */
const char *property_declarations(void)
{
    return "let pairSum ((a, b), (c, d)) = (a + c, b + d) with associative commutative neutral (0, 0)\n"
           "let affine ((a, b), (c, d)) = (a * c, b * c + d) with associative neutral (1, 0)\n"
           "let later (a, b) = b with associative\n"
           "let leading ((a, b), (c, d)) = if c > a then (c, d) else (a, b)\n"
           "let bent (a, b) = a + b + a * a * b * b with commutative neutral 0\n";
}

const char *property_declaration(Arena *arena, const Property *p)
{
    const char *start = arena_printf(arena, "let %s ", p->text), *line = strstr(property_declarations(), start);
    return line ? arena_strndup(arena, line, strcspn(line, "\n")) : NULL;
}

const Property *property_draw(Rng *r, unsigned props)
{
    for (;;) {
        const Property *p = &properties[rng_below(r, COUNT(properties))];
        if ((p->props & props) == props) return p;
    }
}

bool property_is(const Property *p, const char *text) { return strcmp(p->text, text) == 0; }

const Type *property_type(Generator *g, const Property *p)
{
    const Type *f = type_scalar(g->c, SC_F32), *i = type_scalar(g->c, SC_I32), *parts[2] = {p->type == 'p' ? f : i, i};
    switch (p->type) {
    case 'n': return generate_type(g, IC_NUMERIC);
    case 'i': return generate_type(g, IC_INT);
    case 'b': return type_scalar(g->c, SC_BOOL);
    case 'a': return generate_type(g, IC_SCALARS);
    default: return type_tuple(g->c, parts, 2);
    }
}

const Term *value_of_text(Ctx *c, const Defs *d, const char *text, const Type *type)
{
    Source s = source_of(text);
    LangScope scope = {.defs = d};
    return lang_expr(c, &scope, &s, type);
}

const Term *property_function(Ctx *c, Arena *arena, const Defs *d, const Property *p, const Type *value)
{
    const Type *both[2] = {value, value};
    return function_of_text(c, arena, d, p->text, type_tuple(c, both, 2), value);
}

static const Term *extreme(Ctx *c, const Type *t, bool most)
{
    Scalar s = t->scalar;
    if (scalar_is_float(s)) return term_float(c, t, most ? __builtin_inf() : -__builtin_inf());
    return term_integer(c, t, most ? scalar_most(s) : scalar_least(s));
}

const Term *property_neutral(Ctx *c, const Defs *d, const Property *p, const Type *value)
{
    if (!p->neutral) return NULL;
    if (strcmp(p->neutral, "most") == 0) return extreme(c, value, true);
    if (strcmp(p->neutral, "least") == 0) return extreme(c, value, false);
    if (strcmp(p->neutral, "ones") == 0) return term_integer(c, value, scalar_wrapped(value->scalar, -1));
    return value_of_text(c, d, p->neutral, value);
}

/* ---- sums that are brought from one key to another ---- */

static const Rescaling rescalings[] = {
    {"max", "f32", "f32", "\\(k, s, m) -> exp (k - m) * s", "(+)", "0"},
    {"max", "f32", "f32", "\\(k, s, m) -> s * exp2 ((k - m) * 0.5)", "(+)", "0"},
    {"min", "f64", "f64", "\\(k, s, m) -> exp (m - k) * s", "(+)", "0"},
    {"max", "f32", "(f32, f32)", "\\(k, (s, t), m) -> (exp (k - m) * s, exp2 (-(m - k)) * t)", "\\((s, t), (u, v)) -> (s + u, t + v)",
     "(0, 0)"},
    {"max", "f32", "[3]f32", "\\(k, s, m) -> map (\\x -> x * exp (k - m)) s", "\\(s, t) -> map (+) (zip s t)", "generate 3 (\\i -> 0)"},
    {"max", "f32", "(f32, [2]f32)", "\\(k, (s, o), m) -> (exp (k - m) * s, map (\\x -> exp (k - m) * x) o)",
     "\\((s, o), (t, p)) -> (s + t, map (+) (zip o p))", "(0, generate 2 (\\i -> 0))"},
};

const Rescaling *rescaling_draw(Rng *r) { return &rescalings[rng_below(r, COUNT(rescalings))]; }

const Term *rescaling_term(Ctx *c, Arena *arena, const char *text, const Type *from, const Type *to)
{
    return from ? function_of_text(c, arena, NULL, text, from, to) : value_of_text(c, NULL, text, to);
}
