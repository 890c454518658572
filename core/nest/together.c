/* together: sums over the same numbers in one pass. */
#include "elements.h"
#include "lang.h"
#include "nest_private.h"

#include <stdlib.h>
#include <string.h>

enum { RANK_MAX = 16, SIZE_MOST = 2000 };

/* An array of a program in element form whose elements take one sum over numbers, generate n1 (\i -> ... e (reduce f z (generate k (\j -> x)))). */
typedef struct Nest {
    const char *name;                    /* NULL: the program's result, or a component of it */
    const Term *value, *element, *sum;   /* sum: NULL, there is not just one; element and sum have no names of their own */
    const Nat *extents[RANK_MAX];
    const Term *lambdas[RANK_MAX];       /* for hints */
    int rank;
} Nest;
typedef struct Arrays {
    Ctx *c;
    VEC(Nest) nests;                     /* what has a name before what reads it, then the results */
    int names, results;
} Arrays;

/* ---- reading ---- */

/* The sums in t that are in no other one, outside all functions and choices. False: there is more than one, or one that is not so. */
static bool find_sum(const Term *t, const Term **sum)
{
    if (!(t->flags & TF_REDUCES)) return true;
    if (t->kind == T_LAM || term_is(t, PRIM_REDUCE_SEQ)) return false;
    if (!term_is(t, PRIM_REDUCE)) return ALL(i, t->arg_count, term_guards(t, i) ? !(t->args[i]->flags & TF_REDUCES) : find_sum(t->args[i], sum));
    if (*sum && *sum != t) return false;
    *sum = t;
    return term_is(t->args[2], PRIM_GENERATE) && type_is_scalar_like(t->type) && !t->args[0]->free_limit && !t->args[1]->free_limit;
}

/* t without names in it; NULL: it would be too large. */
static const Term *unnamed(Ctx *c, const Term *t)
{
    while (term_is(t, PRIM_LET) && t->size <= SIZE_MOST) t = term_inline(c, t->args[1], t->args[0]);
    if (t->size > SIZE_MOST) return NULL;
    return t->arg_count ? TERM_MAP(c, t, i, unnamed(c, t->args[i])) : t;
}

static Nest nest_of(Ctx *c, const char *name, const Term *value)
{
    Nest n = {.name = name, .value = value, .element = value};
    while (term_is(n.element, PRIM_GENERATE) && n.rank < RANK_MAX) {
        n.extents[n.rank] = n.element->statics[0];
        n.lambdas[n.rank++] = n.element->args[0];
        n.element = n.element->args[0]->args[0];
    }
    n.element = type_is_scalar_like(n.element->type) ? unnamed(c, n.element) : NULL;
    if (!n.element || !find_sum(n.element, &n.sum)) n.sum = NULL;
    return n;
}

static const char *new_name(Arrays *p) { return intern(p->c->names, arena_printf(p->c->scratch, "@%d", p->names++)); }

static void read_arrays(Arrays *p, const Term *t)
{
    Ctx *c = p->c;
    while (term_is(t, PRIM_LET)) {
        const char *name = new_name(p);
        vec_push(&p->nests, nest_of(c, name, t->args[0]));
        t = term_beta(c, t->args[1], term_input(c, name, t->args[0]->type));
    }
    p->results = term_is(t, PRIM_TUPLE) ? t->arg_count : 1;
    for (int i = 0; i < p->results; i++) vec_push(&p->nests, nest_of(c, NULL, term_is(t, PRIM_TUPLE) ? t->args[i] : t));
}

static bool reads(const Term *t, const char *name)
{
    return t->kind == T_INPUT ? t->u.name == name : ANY(i, t->arg_count, reads(t->args[i], name));
}

/* ---- writing ---- */

static const Term *replaced(Ctx *c, const Term *t, const Term *part, const Term *with)
{
    if (t == part) return with;
    if (!t->arg_count) return t;
    return TERM_MAP(c, t, i, t->args[i]->kind == T_LAM ? t->args[i] : replaced(c, t->args[i], part, with));
}

/* How many parents each term in t has there, outside functions and choices. */
typedef struct Uses { const Term *t; int count; } Uses;
typedef VEC(Uses) UsesVec;
static void count_uses(UsesVec *uses, const Term *t)
{
    if (term_is_atom(t) || t->kind == T_LAM) return;
    for (int i = 0; i < uses->n; i++)
        if (uses->v[i].t == t && ++uses->v[i].count) return;
    vec_push(uses, ((Uses){t, 1}));
    for (int i = 0; i < t->arg_count; i++)
        if (!term_guards(t, i)) count_uses(uses, t->args[i]);
}

/* t, a scalar or a tuple, with names for what is computed in it more than once, the largest first. */
static const Term *shared(Ctx *c, const Term *t)
{
    UsesVec uses = {0};
    count_uses(&uses, t);
    const Term *most = NULL;
    for (int i = 0; i < uses.n; i++) {
        const Term *u = uses.v[i].t;
        if (uses.v[i].count > 1 && u != t && type_is_scalar_like(u->type) && (!most || u->size > most->size)) most = u;
    }
    free(uses.v);
    if (!most) return t;
    int leaves = most->type->leaf_count;
    const Term *body = replaced(c, term_shift(c, t, leaves, 0), term_shift(c, most, leaves, 0), term_param(c, most->type, 0));
    return term_let_written(c, shared(c, most), term_lam(c, most->type, shared(c, body), NULL));
}

/* An array by its elements, at the numbers of n. */
static const Term *array_of(Ctx *c, const Nest *n, const Term *element)
{
    element = shared(c, element);
    for (int i = n->rank - 1; i >= 0; i--) {
        const Term *lambda = term_lam(c, n->lambdas[i]->type->elems[0], element, n->lambdas[i]->u.hints);
        element = term_prim(c, PRIM_GENERATE, &n->extents[i], 1, &lambda, 1);
    }
    return element;
}

/* The element of the array called so at the numbers around an element of n. */
static const Term *read_at(Ctx *c, const Nest *n, const char *name, const Type *array)
{
    const Term *t = term_input(c, name, array);
    for (int i = 0; i < n->rank; i++) t = term_prim2(c, PRIM_AT, term_var(c, n->rank - 1 - i, n->lambdas[i]->type->elems[0]), t);
    return t;
}

static const Term *reduced(Ctx *c, const Term *f, const Term *z, const Nest *n, const Term *summand)
{
    const Term *elements = n->sum->args[2], *counter = elements->args[0];
    const Term *lambda = term_lam(c, counter->type->elems[0], shared(c, summand), counter->u.hints);
    const Term *args[3] = {f, z, term_prim(c, PRIM_GENERATE, elements->statics, 1, &lambda, 1)};
    return term_prim(c, PRIM_REDUCE, NULL, 0, args, 3);
}

/* ---- which go together, and how ---- */

static const Term *summand_of(const Nest *n) { return n->sum->args[2]->args[0]->args[0]; }

static bool holds(const Term *t, const Term *part)
{
    return t == part || (t->kind != T_LAM && ANY(i, t->arg_count, holds(t->args[i], part)));
}

/* Does t read an element of an array, at the innermost number among others, that u reads, too? */
static bool share_reads(const Term *t, const Term *u)
{
    if (term_is(t, PRIM_AT) && t->type->kind != TY_ARRAY && term_mentions(t, 0, 1)) return holds(u, t);
    return t->kind != T_LAM && ANY(i, t->arg_count, share_reads(t->args[i], u));
}

/* f (s, u), g (t, v) of ((s, t), (u, v)). */
static const Term *pair_function(Ctx *c, const Term *f, const Term *g)
{
    const Type *parts[2] = {f->type->elems[1], g->type->elems[1]}, *pair = type_tuple(c, parts, 2), *both[2] = {pair, pair};
    const Type *type = type_tuple(c, both, 2);
    const Term *p = term_param(c, type, 0), *made[2];
    for (int i = 0; i < 2; i++) {
        const Term *operands[2] = {term_proj(c, term_proj(c, p, 0), i), term_proj(c, term_proj(c, p, 1), i)};
        made[i] = term_inline(c, i ? g : f, term_tuple(c, operands, 2));
    }
    return term_lam(c, type, term_tuple(c, made, 2), NULL);
}

/* What a pair of sums becomes: the reduction that makes both, and which components of its result they are. count: how many the first one is a mean of, is_mean: as
 * the elements of the first array are. */
typedef struct Both { const Term *f, *z, *summand; int first, second; const Nat *count; bool is_mean; } Both;

static bool independent(Ctx *c, const Nest *a, const Nest *b, Both *out)
{
    const Term *x[2] = {summand_of(a), summand_of(b)}, *z[2] = {a->sum->args[1], b->sum->args[1]};
    if ((a->name && reads(b->sum, a->name)) || !share_reads(x[0], x[1])) return false;
    *out = (Both){pair_function(c, a->sum->args[0], b->sum->args[0]), term_tuple(c, z, 2), term_tuple(c, x, 2), 0, 1, NULL, false};
    return true;
}

static bool is_sum(const Term *sum)
{
    const Term *f = sum->args[0]->args[0], *z = sum->args[1];
    return term_is(f, PRIM_ADD) && f->args[0]->kind == T_VAR && f->args[1]->kind == T_VAR && f->args[0] != f->args[1]
        && z->kind == T_LIT && type_is_scalar_like(z->type) && scalar_is_float(z->type->scalar) && z->u.lit.f == 0;
}

/* Is it a type of which sizes are numbers? */
static bool is_wide(const Type *t) { return t->scalar == SC_I32 || t->scalar == SC_I64 || t->scalar == SC_F32 || t->scalar == SC_F64; }

/* The size that a number is, however it is written; NULL: it is none. */
static const Nat *size_in(Ctx *c, const Term *t)
{
    while (t->kind == T_PRIM && prim_is_cast((PrimId)t->prim) && is_wide(t->type)) t = t->args[0];
    if (t->kind == T_SIZE) return t->u.nat;
    bool whole = t->kind == T_LIT && type_is_scalar_like(t->type);
    if (whole && !scalar_is_float(t->type->scalar)) return nat_const(c->nats, t->u.lit.i);
    if (whole && t->u.lit.f >= 1 && t->u.lit.f < INT32_MAX && t->u.lit.f == (double)(int64_t)t->u.lit.f) return nat_const(c->nats, (int64_t)t->u.lit.f);
    const Nat *a = term_is(t, PRIM_MUL) ? size_in(c, t->args[0]) : NULL, *b = a ? size_in(c, t->args[1]) : NULL;
    return b ? nat_mul(c->nats, a, b) : NULL;
}

/* The mean m of a sum's elements, as that or as sum / n, and the sum of their squared differences to it: moments of the prelude. */
static bool moments(Ctx *c, const Nest *a, const Nest *b, Both *out)
{
    const Nat *n = a->sum->args[2]->statics[0];
    const Term *e = a->element, *x = summand_of(a), *square = summand_of(b);
    if (!a->name || !is_wide(a->sum->type) || !is_sum(a->sum) || !is_sum(b->sum) || !term_is(square, PRIM_MUL) || square->args[0] != square->args[1]) return false;
    const Term *d = square->args[0], *read = term_shift(c, read_at(c, a, a->name, a->value->type), 1, 0);
    if (!term_is(d, PRIM_SUB) || (d->args[0] != x && d->args[1] != x)) return false;
    const Term *m = d->args[d->args[0] == x];
    bool is_mean = term_is(e, PRIM_DIV) && e->args[0] == a->sum && size_in(c, e->args[1]) == n && m == read;
    if (!is_mean && !(e == a->sum && term_is(m, PRIM_DIV) && m->args[0] == read && size_in(c, m->args[1]) == n)) return false;
    const Type *type = a->sum->type, *three[3] = {type, type, type};
    const Term *zero = term_float(c, type, 0), *z[3] = {zero, zero, zero}, *one[3] = {term_float(c, type, 1), x, zero};
    const Type *value = type_tuple(c, three, 3), *both[2] = {value, value};
    *out = (Both){prelude_function(c, "moments", type_tuple(c, both, 2), value), term_tuple(c, z, 3), term_tuple(c, one, 3), 1, 2,
                  is_mean ? NULL : n, is_mean};
    return out->f != NULL;
}

#define MEAN "@mean"

/* t with the elements of the array called so, over n, as those of MEAN. */
static const Term *means_named(Ctx *c, const Term *t, const char *name, const Nat *n)
{
    if (!t->arg_count || !reads(t, name)) return t;
    if (term_is(t, PRIM_DIV) && size_in(c, t->args[1]) == n) {
        const Term *read = t->args[0];
        while (term_is(read, PRIM_AT)) read = read->args[1];
        if (read->kind == T_INPUT && read->u.name == name) return term_subst_input(c, t->args[0], name, term_input(c, intern(c->names, MEAN), read->type));
    }
    return TERM_MAP(c, t, i, means_named(c, t->args[i], name, n));
}

/* The i-th array and a later one, the k-th, by one that makes the sums of both. */
static bool put_together(Arrays *p, int i, int k)
{
    Ctx *c = p->c;
    const Nest a = p->nests.v[i], b = p->nests.v[k];
    Both both;
    if (!a.sum || !b.sum || a.rank != b.rank || a.sum->args[2]->statics[0] != b.sum->args[2]->statics[0]) return false;
    if (!ALL(d, a.rank, a.extents[d] == b.extents[d]) || ANY(j, k - i - 1, reads(b.sum, p->nests.v[i + 1 + j].name))) return false;
    if (!independent(c, &a, &b, &both) && !moments(c, &a, &b, &both)) return false;
    const char *name = new_name(p);
    const Term *value = array_of(c, &a, reduced(c, both.f, both.z, &a, both.summand)), *r = value ? read_at(c, &a, name, value->type) : NULL;
    if (!r) return false;
    const Term *first = term_proj(c, r, both.first);
    const Term *sum = both.count ? term_prim2(c, PRIM_MUL, first, term_size(c, first->type, both.count)) : first;
    const Term *of_a = both.is_mean ? first : replaced(c, a.element, a.sum, sum);
    const Term *of_b = replaced(c, b.element, b.sum, term_proj(c, r, both.second));
    p->nests.v[i] = nest_of(c, a.name, array_of(c, &a, of_a));
    p->nests.v[k] = nest_of(c, b.name, array_of(c, &b, of_b));
    const Term *means = array_of(c, &a, first);
    for (int j = i + 1; j < p->nests.n && both.count; j++) {
        Nest *n = &p->nests.v[j];
        *n = nest_of(c, n->name, term_subst_input(c, means_named(c, n->value, a.name, both.count), MEAN, means));
    }
    /* in front of what reads it, and of the results, which have no names */
    int results = p->nests.n - p->results, at = i < results ? i : results;
    const Nest last = p->nests.v[p->nests.n - 1];
    vec_push(&p->nests, last);
    for (int j = p->nests.n - 2; j > at; j--) p->nests.v[j] = p->nests.v[j - 1];
    p->nests.v[at] = nest_of(c, name, value);
    return true;
}

/* The program with its names again. */
static const Term *written(Arrays *p)
{
    int n = p->nests.n - p->results;
    const Term **parts = MAKE_LIST(p->c->scratch, const Term *, i, p->results, p->nests.v[n + i].value);
    const Term *t = term_tuple(p->c, parts, p->results);
    for (int i = n - 1; i >= 0 && t; i--) t = nest_let(p->c, p->nests.v[i].name, p->nests.v[i].value, t, true);
    return t;
}

const Term *elements_together(Ctx *c, const Term *t)
{
    Arrays p = {.c = c};
    t = elements_of(c, t);
    if (!t) return NULL;
    ArenaMark mark = arena_mark(c->scratch);
    read_arrays(&p, t);
    bool any = false;
    for (int i = 0; i < p.nests.n; i++)
        for (int k = i + 1; k < p.nests.n; k++) any |= put_together(&p, i, k);
    const Term *together = any ? written(&p) : NULL;
    free(p.nests.v);
    arena_release(c->scratch, mark);
    return any ? elements_of(c, together) : t;
}
