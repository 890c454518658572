/* instance: random well-typed instances of a rule, in reading order: random types, inputs, expressions and functions; functions with
 * properties; sizes and metavariables; the left side in its context. */
#include "check_private.h"

#include <stdlib.h>
#include <string.h>

enum { SCOPE_MAX = 48, NEST = 3, LOOPS = 3 };

/* What a generated expression may use: terms, each at the depth it was bound. */
typedef struct Gen {
    Generator *g;
    int depth;
    int count;
    struct { const Term *term; int depth; } scope[SCOPE_MAX];
    int computes;              /* as for generate_function */
    int loops;                 /* so many are around: their states grow, and without an end to that fuel alone would not end it */
} Gen;

static int below(Gen *e, int n) { return (int)rng_below(&e->g->rng, n); }
static const Type *scalar_type(const Gen *e, Scalar s) { return type_scalar(e->g->c, s); }
static const Nat *number(Ctx *c, int64_t v) { return nat_const(c->nats, v); }

/* ---- types ---- */

static Scalar random_scalar(Generator *g, IClass cls)
{
    static const Scalar all[] = {SC_F32, SC_I32, SC_F32, SC_I32, SC_F32, SC_I32, SC_BOOL, SC_F64, SC_I64, SC_U32, SC_I8, SC_U8, SC_I16,
                                 SC_U16, SC_U64, SC_F16};
    for (;;) {
        Scalar s = all[rng_below(&g->rng, g->level < 2 ? 6 : COUNT(all))];
        if (s == SC_F16 && rng_below(&g->rng, 2)) s = SC_BF16;
        if (cls == IC_INT && !scalar_is_int(s)) continue;
        if (cls == IC_FLOAT && !scalar_is_float(s)) continue;
        if (cls != IC_NUMERIC || scalar_is_numeric(s)) return s;
    }
}

static const Type *generate_type(Generator *g, IClass cls)
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
static bool array_like(const Type *t, const void *data) { return t->kind == TY_ARRAY && t->size == ((const Type *)data)->size; }
static bool array_of(const Type *t, const void *data) { return t->kind == TY_ARRAY && t->elems[0] == data; }
static bool any_scalar(const Type *t, const void *data) { return t->kind == TY_SCALAR && t != data; }
static bool vector_of(const Type *t, const void *data) { return t->kind == TY_VECTOR && t->scalar == ((const Type *)data)->scalar; }
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
    const Term *lanes = x ? NULL : pick(e, vector_of, t);
    if (lanes) {
        const Nat *lane = number(e->g->c, below(e, lanes->type->width));
        x = term_prim(e->g->c, PRIM_LANE, &lane, 1, &lanes, 1);
    }
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
    if (wild && t->kind != TY_VECTOR && e->loops < LOOPS && below(e, 8) == 0) {
        e->loops++;
        const Term *x = looped(e, t, fuel - 1);
        e->loops--;
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

/* A new input named after name. */
static const Term *generate_input(Generator *g, const char *name, const Type *type)
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

/* A closed total function; a parameter [p]a with open p gives [p/c]a. computes: 1 it has a scalar operation, -1 it is a
 * layout. */
static const Term *generate_function(Generator *g, const Type *param, const Type *result, int computes)
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

/* A function of the argument and of a reduction, `reduce` or `reduceSeq`, of something that is made of it; NULL: what was drawn has none. */
static const Term *generate_folding(Generator *g, const Type *param, const Type *result, PrimId reduction)
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

/* A known operator or a declared function. */
typedef struct Property {
    const char *text;          /* an operator, or the name of a declaration */
    char type;                 /* n number, i integer, b bool, p (f32, i32), q (i32, i32), a anything */
    unsigned props;
    const char *neutral;       /* language text; "least" "most" of the type; "ones": all bits */
} Property;

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
    {"leading", 'q', AR, "(0, 0)"}, {"max", 'i', AR, "3"},
};

/* affine composes x * a + b: associative, not commutative, as is leading, of integers (NaN is neither more nor less than another), where z may be
 * anything. bent is commutative, not associative. */
const char *property_declarations(void)
{
    return "let pairSum ((a, b), (c, d)) = (a + c, b + d) with associative commutative neutral (0, 0)\n"
           "let affine ((a, b), (c, d)) = (a * c, b * c + d) with associative neutral (1, 0)\n"
           "let later (a, b) = b with associative\n"
           "let leading ((a, b), (c, d)) = if c > a then (c, d) else (a, b)\n"
           "let bent (a, b) = a + b + a * a * b * b with commutative neutral 0\n";
}

/* The line of that text which declares it, NULL for an operator. */
static const char *property_declaration(Arena *arena, const Property *p)
{
    const char *start = arena_printf(arena, "let %s ", p->text), *line = strstr(property_declarations(), start);
    return line ? arena_strndup(arena, line, strcspn(line, "\n")) : NULL;
}

/* Of its values; random where it is free. */
static const Type *property_type(Generator *g, const Property *p)
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

/* The value of that type that language text stands for; NULL: it has another. */
static const Term *value_of_text(Ctx *c, const Defs *d, const char *text, const Type *type)
{
    Source s = source_of(text);
    LangScope scope = {.defs = d};
    return lang_expr(c, &scope, &s, type);
}

static const Term *property_function(Ctx *c, Arena *arena, const Defs *d, const Property *p, const Type *value)
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

static const Term *property_neutral(Ctx *c, const Defs *d, const Property *p, const Type *value)
{
    if (!p->neutral) return NULL;
    if (strcmp(p->neutral, "most") == 0) return extreme(c, value, true);
    if (strcmp(p->neutral, "least") == 0) return extreme(c, value, false);
    if (strcmp(p->neutral, "ones") == 0) return term_integer(c, value, scalar_wrapped(value->scalar, -1));
    return value_of_text(c, d, p->neutral, value);
}

/* ---- sums that are brought from one key to another ---- */

static const Rescaling rescalings[] = {
    {"max", "f32", "f32", "\\(k, s, m) -> exp (k - m) * s", "(+)", "0", "\\(k, m) -> exp (k - m)"},
    {"max", "f32", "f32", "\\(k, s, m) -> s * exp2 ((k - m) * 0.5)", "(+)", "0", "\\(k, m) -> exp2 ((k - m) * 0.5)"},
    {"min", "f64", "f64", "\\(k, s, m) -> exp (m - k) * s", "(+)", "0", "\\(k, m) -> exp (m - k)"},
    {"max", "f32", "(f32, f32)", "\\(k, (s, t), m) -> (exp (k - m) * s, exp2 (-(m - k)) * t)", "\\((s, t), (u, v)) -> (s + u, t + v)",
     "(0, 0)", NULL},
    {"max", "f32", "[3]f32", "\\(k, s, m) -> map (\\x -> x * exp (k - m)) s", "\\(s, t) -> map (+) (zip s t)", "generate 3 (\\i -> 0)", NULL},
    {"max", "f32", "(f32, [2]f32)", "\\(k, (s, o), m) -> (exp (k - m) * s, map (\\x -> exp (k - m) * x) o)",
     "\\((s, o), (t, p)) -> (s + t, map (+) (zip o p))", "(0, generate 2 (\\i -> 0))", NULL},
};


enum { SIZE_DRAWS = 3000, SIZE_SMALL = 16, ELEMENTS_MAX = 300, FAR_ELEMENTS_MAX = 1 << 17, FUNCTION_DRAWS = 200 };

static bool fail(Instance *i, const char *problem)
{
    if (!i->problem) i->problem = problem;
    return false;
}

/* ---- types: every variable gets a type, every size a number ---- */

static const Nat *as_number(Instance *i, const Nat *n)
{
    const Nat *v = size_now(&i->infer, n);
    return v ? nat_subst(i->g.c->nats, v, i->numbers.v, i->numbers.n, NULL) : NULL;
}

static bool give_types(Instance *i, IType *t)
{
    t = itype_now(&i->infer, t);
    if (t->kind == I_VAR) return itype_unify(&i->infer, t, itype_of(&i->infer, generate_type(&i->g, t->cls)));
    return ALL(k, t->count, give_types(i, t->kids[k]));
}

static const Type *concrete(Instance *i, IType *t)
{
    Ctx *c = i->g.c;
    const Type *kids[ARG_MAX];
    t = itype_now(&i->infer, t);
    for (int k = 0; k < t->count; k++)
        if (!(kids[k] = concrete(i, t->kids[k]))) return NULL;
    const Nat *n = t->size ? as_number(i, t->size) : NULL;
    if (n && n->is_const && n->value < 1) return NULL;
    switch (t->kind) {
    case I_SCALAR: return type_scalar(c, t->scalar);
    case I_ARRAY: return type_array(c, n, kids[0]);
    case I_VECTOR: return n && n->is_const && n->value <= 16 ? type_vector(c, (int)n->value, kids[0]) : NULL;
    case I_TUPLE: return type_tuple(c, kids, t->count);
    case I_FUN: return type_fun(c, kids[0], kids[1]);
    default: return NULL;
    }
}

/* rigid: the length inside an iterate counts as one element, else a type that mentions it as too many */
static int64_t elements(const Type *t, bool rigid)
{
    int64_t n = t->kind != TY_ARRAY ? 1 : t->size->is_const ? t->size->value : rigid ? 1 : FAR_ELEMENTS_MAX + 1, sum = 0;
    for (int k = 0; k < t->count; k++) sum += elements(t->elems[k], rigid);
    return t->kind == TY_SCALAR ? 1 : n * (sum ? sum : 1);
}

/* ---- functions whose properties are demanded ---- */

typedef struct Chosen { const Meta *meta; const Property *property; } Chosen;

/* A function over a pair of values of the type that it gives. */
static bool over_pairs(Instance *i, const Meta *m, IType *t)
{
    Infer *in = &i->infer;
    if (m->arity != 1 || !itype_unify(in, itype_now(in, m->type->kids[1]), t))
        return fail(i, "no function with these properties has the type of the rule's");
    IType *both = MAKE(i->g.arena, IType, .kind = I_TUPLE, .count = 2, .kids = NEW_ARRAY(i->g.arena, IType *, 2));
    both->kids[0] = both->kids[1] = t;
    return itype_unify(in, m->type->kids[0], both) || fail(i, "properties are of functions over a pair");
}

const Type *type_of_text(Ctx *c, const Defs *d, const char *text)
{
    return lang_type(c, &(LangScope){.defs = d}, &(Source){"type", text, strlen(text)});
}

/* ---- sizes ---- */

static bool choose_sizes(Instance *i, const Reach *reach, const Draw *d)
{
    Valuation *v = &i->sizes;
    Rng *rng = &i->g.rng;
    valuation_start(v, &i->infer);
    uint64_t which = d->far ? rng_next(rng) : 0;
    for (int k = 0; k < SIZE_DRAWS; k++) {
        bool more = k >= SIZE_DRAWS / 2;         /* small ones meet no facts */
        valuation_draw(v, rng, more && d->largest >= 12 ? SIZE_SMALL : d->largest);
        if (d->far || more) reach_place(reach, d->far, which, k, rng, v->values, v->count);
        if (!valuation_legal(v)) continue;
        i->largest = ELEMENTS_MAX;
        for (int j = 0; j < v->count; j++) {
            NatBinding b = {v->atoms[j], nat_const(i->g.c->nats, v->values[j])};
            vec_push(&i->numbers, b);
            if (v->values[j] > SIZE_SMALL) i->largest = FAR_ELEMENTS_MAX;
        }
        return true;
    }
    return fail(i, "no small sizes meet the facts of the left side and of `when`");
}

/* ---- metavariables ---- */

/* A value of that type, which is drawn: an input, or a small term over inputs; NULL: it is too large, or there is none. */
static const Term *value(Instance *i, const char *name, IType *drawn)
{
    Generator *g = &i->g;
    int before = g->input_count;
    const Type *t = concrete(i, drawn);
    if (!t || !type_is_data(t) || elements(t, false) > i->largest) return NULL;
    if (g->computes && rng_below(&g->rng, 3)) return computed(g, name, t);
    if (t->kind == TY_SCALAR && g->level >= 2 && rng_below(&g->rng, 3) == 0) return computed(g, name, t);
    if (t->kind == TY_ARRAY && g->level >= 2 && rng_below(&g->rng, 3) == 0) {
        const Term *x = structured(g, name, t);
        if (x && x->type == t) return x;
        g->input_count = before;
    }
    return generate_input(g, name, t);
}

/* A number from 0 to 3 that no size expression is, so that it stays what it is beside others. */
static const Term *small_number(Instance *i)
{
    const Type *t = type_scalar(i->g.c, SC_I32);
    return term_prim2(i->g.c, PRIM_MAX, term_int(i->g.c, t, 0), term_int(i->g.c, t, (int64_t)rng_below(&i->g.rng, 4)));
}

/* Pairs whose index is a sum of the numbers of what is joined, some of them outside; i->solved: those that it can be solved for. */
static const Term *pairs_by_numbers(Instance *i, const char *name, const Type *t)
{
    Generator *g = &i->g;
    const Nat *size = t && t->kind == TY_ARRAY && t->elems[0]->kind == TY_TUPLE && t->size->is_const ? t->size : NULL;
    if (!size || size->value < 1 || elements(t, false) > i->largest) return NULL;
    static const int codes[] = {1, 2, 12};
    i->solved = codes[rng_below(&g->rng, COUNT(codes))];
    int64_t columns = 1 + (int64_t)rng_below(&g->rng, (uint64_t)size->value), steps[2], from = (int64_t)rng_below(&g->rng, 3) - 1;
    while (size->value % columns) columns--;
    for (int k = 0; k < COUNT(steps); k++) steps[k] = ((int64_t)rng_below(&g->rng, 3) + 1) * (rng_below(&g->rng, 3) ? 1 : -1);
    if (i->solved == 12) steps[0] = columns + 1, steps[1] = 1, from = llabs(from);         /* rows of columns, and one more */
    const Type *values = type_array(g->c, size, t->elems[0]->elems[1]);
    const char *text = arena_printf(g->arena, "\\y -> join (generate %lld (\\i -> generate %lld (\\j -> (%lld * i + %lld * j + %lld, y[i * %lld + j]))))",
                                    (long long)(size->value / columns), (long long)columns, (long long)steps[0], (long long)steps[1], (long long)from,
                                    (long long)columns);
    const Term *f = function_of_text(g->c, g->arena, NULL, text, values, t), *y = f ? generate_input(g, name, values) : NULL;
    return y ? term_beta(g->c, f, y) : NULL;
}

static bool bind_data(Instance *i, const Meta *m, const Chosen *chosen, int n)
{
    const Env *same = m->same_as ? env_find(i->env, m->same_as->name) : NULL;
    const Property *p = NULL;
    for (int k = n - 1; k >= 0; k--)
        if (m->neutral_of && chosen[k].meta == m->neutral_of) p = chosen[k].property;
    const Type *t = m->rescaled || p ? concrete(i, m->type) : NULL;
    const Term *x = m->rescaled ? value_of_text(i->g.c, NULL, i->rescaling->w, t)
                  : p ? t ? property_neutral(i->g.c, i->defs, p, t) : NULL : same ? same->term
                  : m->indexes ? small_number(i) : i->infer.rule->ast->elements == ELEMENTS_GATHERED ? pairs_by_numbers(i, m->name, concrete(i, m->type))
                  : value(i, m->name, m->type);
    BIND(i->g.arena, &i->env, m->name, BIND_TERM, .term = x);
    return x != NULL;
}

static bool bind_list(Instance *i, const Meta *m)
{
    const Term **terms = NEW_ARRAY(i->g.arena, const Term *, m->count);
    for (int k = 0; k < m->count; k++)
        if (!(terms[k] = value(i, m->name, m->list[k]))) return false;
    BIND(i->g.arena, &i->env, m->name, BIND_LIST, .terms = terms, .count = m->count);
    return true;
}

/* Does what e makes of zeros, or of neutral elements, change nothing for the function that was chosen for its fold? */
static bool makes_neutral(Instance *i, const Meta *m, const Term *e, const Chosen *chosen, int n)
{
    Ctx *c = i->g.c;
    const Type *from = e->type->elems[0], *to = e->type->elems[1];
    const Property *p = NULL;
    for (int k = 0; k < n; k++)
        if (chosen[k].meta == m->neutral_for) p = chosen[k].property;
    const Term *args[ARG_MAX], *f = p ? property_function(c, i->g.arena, i->defs, p, to) : NULL;
    for (int k = 0; f && k < m->arity; k++) {
        const Type *t = m->arity == 1 ? from : from->elems[k];
        args[k] = m->from_neutral ? property_neutral(c, i->defs, p, t) : value_of_text(c, i->defs, "0", t);
        if (!args[k]) return false;
    }
    return f && lang_property(c, i->defs, PROP_NEUTRAL, f, term_beta(c, e, m->arity == 1 ? args[0] : term_tuple(c, args, m->arity)), NULL);
}

/* A step that is linear in its state, exact whatever the order; NULL: that type has none. */
static const Term *linear_step(Instance *i, const Type *t)
{
    static const char *const steps[] = {"\\(s, x) -> x - s", "\\(s, x) -> if x > 1 then s + x else 2 - s", "\\(s, x) -> 1 - (s - x)", "\\(s, x) -> 3 - s"};
    const Type *state = t->elems[1], *element = t->elems[0]->elems[1];
    if (state->kind != TY_SCALAR || state->scalar == SC_BOOL) return NULL;
    int64_t k = element == state ? rng_below(&i->g.rng, COUNT(steps)) : COUNT(steps) - 1;
    return function_of_text(i->g.c, i->g.arena, NULL, steps[k], t->elems[0], state);
}

static bool bind_function(Instance *i, const Meta *m, const Chosen *chosen, int n)
{
    const Type *t = concrete(i, m->type);
    const Term *f = NULL;
    if (!t || elements(t->elems[0], true) > i->largest || elements(t->elems[1], true) > i->largest) return false;
    if (m->rescaled) {
        const char *e = m->rescaled->g ? i->rescaling->e : i->rescaling->factor;
        const char *text = m == m->rescaled->e ? e : m == m->rescaled->g ? i->rescaling->g : i->rescaling->f;
        f = function_of_text(i->g.c, i->g.arena, NULL, text, t->elems[0], t->elems[1]);
    }
    if (i->infer.rule->ast->elements == ELEMENTS_RECURRENCE && !(f = linear_step(i, t))) return false;
    for (int k = 0; k < n && !f; k++) {
        if (chosen[k].meta != m) continue;
        const char *declared = property_declaration(i->g.arena, chosen[k].property);
        f = property_function(i->g.c, i->g.arena, i->defs, chosen[k].property, t->elems[1]);
        if (declared && i->declared_count < COUNT(i->declared)) i->declared[i->declared_count++] = declared;
    }
    int computes = m->wants_layout > 0 || m->wants_computes < 0 ? -1 : m->wants_layout < 0 || m->wants_computes > 0;
    if (!f && m->wants_prim == PRIM_TO_GLOBAL) {
        f = generate_function(&i->g, t->elems[0], t->elems[1], 0);
        f = f ? term_lam(i->g.c, t->elems[0], term_prim1(i->g.c, PRIM_TO_GLOBAL, f->args[0]), NULL) : NULL;
    } else if (!f && m->wants_prim) f = generate_folding(&i->g, t->elems[0], t->elems[1], m->wants_prim);
    for (int tries = m->neutral_for ? FUNCTION_DRAWS : 1; tries > 0 && !f; tries--) {
        f = generate_function(&i->g, t->elems[0], t->elems[1], computes);
        if (m->neutral_for && f && !makes_neutral(i, m, f, chosen, n)) f = NULL;
    }
    BIND(i->g.arena, &i->env, m->name, BIND_FUN, .term = f, .arity = m->arity);
    return f && f->type == t;
}

/* Index functions inverse to each other on 0..n-1: turned round, or turned by k. */
static void index_functions(Instance *i, const Nat *n, RuleArg *out)
{
    Ctx *c = i->g.c;
    Arena *arena = i->g.arena;
    const Type *t = type_scalar(c, SC_I32);
    long long length = n->value, k = rng_below(&i->g.rng, length);
    const char *turned = arena_printf(arena, "\\x -> %lld - x", length - 1), *forth = turned, *back = turned;
    if (!rng_below(&i->g.rng, 2)) {
        forth = arena_printf(arena, "\\x -> (x + %lld) %% %lld", k, length);
        back = arena_printf(arena, "\\x -> (x + %lld) %% %lld", length - k, length);
    }
    out->fwd = function_of_text(c, arena, NULL, forth, t, t);
    out->inv = function_of_text(c, arena, NULL, back, t, t);
}

static bool bind_static(Instance *i, const Meta *m)
{
    const Rule *r = i->infer.rule;
    RuleArg a = {.set = true, .size = as_number(i, m->nat), .perm = m->perm};
    if (!a.size || !a.size->is_const) return false;
    if (m->skind == STATIC_PERM && m->perm == PERM_FUN) {
        const Nat *n = m->perm_length ? as_number(i, m->perm_length) : NULL;
        if (!n || !n->is_const) return false;
        index_functions(i, n, &a);
        if (!a.fwd || !a.inv) return false;
    }
    for (int k = 0; k < r->param_count; k++)
        if (strcmp(r->params[k].name, m->name) == 0 && r->params[k].given) i->args[k] = a;
    rule_bind_arg(i->g.c, i->g.arena, &i->env, &(RuleParam){.name = m->name, .kind = m->skind}, &a);
    return true;
}

static bool bind_metas(Instance *i, const Reach *reach, const Draw *d)
{
    Infer *in = &i->infer;
    Chosen chosen[8];
    int n = 0;
    for (int k = 0; k < in->metas.n; k++) {
        /* The row for functions that rescale; types of e follow from those of f and g. */
        const Meta *m = in->metas.v[k];
        const Rescaled *r = m->rescaled && m == m->rescaled->e ? m->rescaled : NULL;
        if (!r) continue;
        do i->rescaling = &rescalings[rng_below(&i->g.rng, COUNT(rescalings))];
        while (!r->g && !i->rescaling->factor);
        IType *key = itype_of(in, type_of_text(i->g.c, i->defs, i->rescaling->key));
        IType *sum = itype_of(in, type_of_text(i->g.c, i->defs, i->rescaling->sum));
        if (!over_pairs(i, r->f, key) || (r->g && !over_pairs(i, r->g, sum))) return false;
        if (r->w && !itype_unify(in, r->w->type, sum)) return fail(i, "the start of the sums has another type");
    }
    for (int k = 0; k < in->metas.n && n < COUNT(chosen); k++) {
        const Meta *m = in->metas.v[k];
        if (m->kind != META_FUN || !m->props) continue;
        bool key = m->rescaled && m == m->rescaled->f;
        const Property *p;
        do p = &properties[rng_below(&i->g.rng, COUNT(properties))];
        while ((p->props & m->props) != m->props || (key && strcmp(p->text, i->rescaling->f)));
        chosen[n++] = (Chosen){m, p};
        if (!key && !over_pairs(i, m, itype_of(in, property_type(&i->g, p)))) return false;
    }
    for (int k = 0; k < in->metas.n; k++) {
        const Meta *m = in->metas.v[k];
        if (!ALL(j, m->count, give_types(i, m->list[j]))) return fail(i, "the types do not fit");
        if (m->type && !give_types(i, m->type)) return fail(i, "the types do not fit");
    }
    if (!choose_sizes(i, reach, d)) return false;
    for (int k = 0; k < in->metas.n; k++) {
        const Meta *m = in->metas.v[k];
        switch (m->kind) {
        case META_DATA: if (!bind_data(i, m, chosen, n)) return fail(i, "a value is too large or cannot be made"); break;
        case META_LIST: if (!bind_list(i, m)) return fail(i, "a value is too large or cannot be made"); break;
        case META_FUN: if (!bind_function(i, m, chosen, n)) return fail(i, "no function of the type demanded"); break;
        case META_STATIC: if (!bind_static(i, m)) return fail(i, "an argument is no number"); break;
        }
    }
    return true;
}

/* ---- the left side in its context ---- */

bool facts_hold(Ctx *c, const Term *t)
{
    Fact facts[8];
    int n = term_own_facts(c, t, facts);                                  /* what holds is not listed */
    return !ANY(k, n, facts[k].a->is_const && facts[k].b->is_const) && ALL(k, t->arg_count, facts_hold(c, t->args[k]));
}

static const Term *left_side(Instance *i)
{
    const Rule *r = i->infer.rule;
    Ctx *c = i->g.c;
    Elab e = elab_start(c, i->g.arena, NULL);
    const Term *t = elab_whole(&e, (Scope){i->env, 0, r->ast->source}, rule_side(r, false), NULL);
    if (!t) fail(i, arena_printf(i->g.arena, "the left side does not type: %s", c->diag.message));
    else if (!facts_hold(c, t)) fail(i, "the left side breaks a fact");
    diag_clear(&c->diag);
    return i->problem ? NULL : t;
}

/* t, which is under so many binders, under one more around them: what it captured as u1 is that one's element. */
static const Term *under_binder(Ctx *c, const Term *t, int inside)
{
    const Type *elem = type_scalar(c, SC_I32);
    return term_subst_input(c, term_shift(c, t, 1, inside), "u1", term_var(c, inside, elem));
}

/* What the metavariables stand for at the place of the left side, under one more binder around it. */
static const Env *values_under_binder(Instance *i, const Env *env)
{
    if (!env) return NULL;
    Ctx *c = i->g.c;
    int inside = i->at.length / 2;
    Env *b = arena_copy(i->g.arena, env, sizeof *env);
    b->next = values_under_binder(i, env->next);
    b->term = under_binder(c, env->term, inside);
    if (env->kind == BIND_PERM) {
        b->fwd = under_binder(c, env->fwd, inside);
        b->inv = under_binder(c, env->inv, inside);
    }
    if (env->kind == BIND_LIST) {
        const Term **terms = MAKE_LIST(i->g.arena, const Term *, k, env->count, under_binder(c, env->terms[k], inside));
        b->terms = terms;
    }
    return b;
}

/* prim dim (\u -> t) us */
static const Term *embed(Instance *i, const Term *t, PrimId id, const Nat *dim)
{
    Ctx *c = i->g.c;
    int n = (int)(1 + rng_below(&i->g.rng, 2));
    const Type *elem = type_scalar(c, SC_I32);
    const Term *us = generate_input(&i->g, "us", type_array(c, nat_const(c->nats, n), elem));
    const Term *args[2] = {term_lam(c, elem, under_binder(c, t, 0), NULL), us};
    i->env = values_under_binder(i, i->env);
    memmove(i->at.slots + 2, i->at.slots, i->at.length);
    i->at.slots[0] = i->at.slots[1] = 0;
    i->at.length += 2;
    return term_prim(c, id, &dim, prim_static_count(c, id), args, 2);
}

/* The code of `elements` for a group of the first dimension of t and one of all others: 1923. 0: t is no array of scalars. */
static int64_t groups_of(const Term *t)
{
    int64_t code = 0;
    const Type *type = t ? t->type : NULL;
    for (int d = 1; type && type->kind == TY_ARRAY; type = type->elems[0], d++) code = code * (d == 2 ? 100 : 10) + (d == 2 ? 90 : 0) + d;
    return type && type_is_scalar_like(type) ? code : 0;
}

static bool has_let(const Ast *a) { return a->kind == AST_LET || ANY(k, a->kid_count, has_let(a->kids[k])); }

bool instance_make(Instance *i, Ctx *c, Arena *arena, const Defs *defs, const Rule *rule, const Reach *reach, const Draw *draw)
{
    *i = (Instance){.g = {.c = c, .arena = arena, .rng = {draw->seed}, .level = draw->level}, .defs = defs};
    bool typed = infer_rule(&i->infer, c, arena, rule, draw->far, &i->g.rng);
    if (i->infer.failed) fail(i, arena_strdup(arena, c->diag.message));
    else if (!typed) fail(i, "the lists, counts and widths drawn do not fit");
    diag_clear(&c->diag);
    if (!typed) return false;
    if (i->infer.unsupported) return fail(i, i->infer.unsupported);
    i->g.computes = has_let(rule_side(rule, false));
    generate_input(&i->g, "u0", type_scalar(c, SC_F32));
    generate_input(&i->g, "u1", type_scalar(c, SC_I32));
    if (!bind_metas(i, reach, draw)) return false;
    /* A parameter that occurs in no place that fixes it (only in a condition, say) is some small number. */
    const Rule *r = i->infer.rule;
    for (int k = 0; k < r->param_count; k++) {
        const RuleParam *p = &r->params[k];
        if (!p->given || i->args[k].set || p->kind == STATIC_PERM || p->list) continue;
        int64_t groups = i->solved ? i->solved : r->ast->elements && k == 0 ? groups_of(left_side(i)) : 2;
        if (!groups) return fail(i, "only an array of scalars has groups of dimensions");
        i->args[k] = (RuleArg){.set = true, .size = nat_const(i->g.c->nats, p->kind == STATIC_DIM ? 0 : groups)};
        rule_bind_arg(c, arena, &i->env, p, &i->args[k]);
    }
    const Term *left = left_side(i);
    if (!left) return false;
    const Term *t = left;
    for (int k = i->infer.places.n - 1; k >= 0 && t; k--) {
        const Place *p = &i->infer.places.v[k];
        const Nat *d = p->dim ? as_number(i, p->dim) : NULL;
        t = embed(i, t, i->infer.places.v[k].prim, d ? d : nat_const(i->g.c->nats, rng_below(&i->g.rng, 3)));
    }
    if (t && !draw->bare && i->g.level >= 1 && rng_below(&i->g.rng, 4) == 0) t = embed(i, t, PRIM_MAP, NULL);
    i->root = t;
    return t || fail(i, "the left side does not fit its context");
}

void instance_free(Instance *i)
{
    infer_free(&i->infer);
    free(i->numbers.v);
}
