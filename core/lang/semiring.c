/* semiring: are two scalars the same by the laws of a semiring, one operation distributing over the other? */
#include "elab.h"

#include <stdlib.h>
#include <string.h>

/* Sums of products of what is neither. Exact in integers modulo a power of 2, in comparisons and choices; of floats up to rounding, as reductions of sums are. */
static const struct Semiring {
    PrimId plus, times;
    bool counts;                         /* a + a is 2 a: a ring; else a + a = a */
    bool lattice;                        /* a * a = a, a + a * b = a */
    bool floats;                         /* of floats alone: integers wrap, so that max (a + c, b + c) need not be max (a, b) + c */
} semirings[] = {
    {PRIM_ADD, PRIM_MUL, true, false, false},
    {PRIM_MAX, PRIM_ADD, false, false, true},
    {PRIM_MIN, PRIM_ADD, false, false, true},
    {PRIM_MAX, PRIM_MIN, false, true, false},
    {PRIM_OR, PRIM_AND, false, true, false},
};

enum { FACTORS = 8, PRODUCTS = 24, NODES = 1000 };       /* more are not compared */

typedef struct Factor { const Term *atom; int power; } Factor;
typedef struct Product { int64_t times; int count; Factor factors[FACTORS]; } Product;
typedef struct Sum { int count; Product products[PRODUCTS]; } Sum;
typedef struct Calc { Ctx *c; const struct Semiring *s; bool failed; } Calc;

static int by_atom(const void *a, const void *b)
{
    const Factor *x = a, *y = b;
    return x->atom->id != y->atom->id ? (x->atom->id < y->atom->id ? -1 : 1) : (x->power > y->power) - (x->power < y->power);
}

static int by_factors(const void *a, const void *b)
{
    const Product *x = a, *y = b;
    for (int i = 0; i < x->count && i < y->count; i++) {
        int order = by_atom(&x->factors[i], &y->factors[i]);
        if (order) return order;
    }
    return x->count - y->count;
}

static Product product(Calc *k, const Product *a, const Product *b, int sign)
{
    Product p = *a;
    p.times = (int64_t)((uint64_t)a->times * (uint64_t)b->times);
    for (int i = 0; i < b->count; i++) {
        int j = 0;
        while (j < p.count && p.factors[j].atom != b->factors[i].atom) j++;
        if (j == FACTORS) return k->failed = true, p;
        if (j == p.count) p.factors[p.count++] = (Factor){b->factors[i].atom, 0};
        p.factors[j].power = k->s->lattice ? 1 : p.factors[j].power + sign * b->factors[i].power;
        if (!p.factors[j].power) p.factors[j] = p.factors[--p.count];
    }
    qsort(p.factors, (size_t)p.count, sizeof *p.factors, by_atom);
    return p;
}

/* Has b all factors of a, so that a + b = a in a lattice? */
static bool absorbs(const Product *a, const Product *b)
{
    for (int i = 0; i < a->count; i++) {
        int j = 0;
        while (j < b->count && b->factors[j].atom != a->factors[i].atom) j++;
        if (j == b->count) return false;
    }
    return true;
}

static void add(Calc *k, Sum *s, const Product *p)
{
    for (int i = 0; i < s->count; i++) {
        Product *q = &s->products[i];
        if (k->s->lattice && absorbs(q, p)) return;
        if (k->s->lattice && absorbs(p, q)) *q-- = s->products[--s->count], i--;
        else if (!by_factors(p, q)) {
            if (k->s->counts) q->times = (int64_t)((uint64_t)q->times + (uint64_t)p->times);
            if (!q->times) *q = s->products[--s->count];
            return;
        }
    }
    if (s->count == PRODUCTS) k->failed = true;
    else if (p->times) s->products[s->count++] = *p;
}

static Sum *sum_of(Calc *k, const Term *t);

/* a * b; over: a / b, where b is one product. */
static Sum *times(Calc *k, const Sum *a, const Sum *b, bool over)
{
    Sum *s = NEW(k->c->scratch, Sum);
    if (over && b->count != 1) return k->failed = true, s;
    for (int i = 0; i < a->count; i++) {
        for (int j = 0; j < b->count && !k->failed; j++) {
            Product p = product(k, &a->products[i], &b->products[j], over ? -1 : 1);
            add(k, s, &p);
        }
    }
    return s;
}

static Sum *plus(Calc *k, Sum *a, const Sum *b, int64_t sign)
{
    for (int i = 0; i < b->count && !k->failed; i++) {
        Product p = b->products[i];
        p.times = (int64_t)((uint64_t)p.times * (uint64_t)sign);
        add(k, a, &p);
    }
    return a;
}

static Sum *one_product(Calc *k, Product p)
{
    Sum *s = NEW(k->c->scratch, Sum);
    add(k, s, &p);
    return s;
}

/* The number that a literal stands for where it is whole and small; *whole: it is. */
static int64_t small_number(const Term *t, bool *whole)
{
    bool is_float = t->kind == T_LIT && t->type->kind == TY_SCALAR && scalar_is_float(t->type->scalar);
    bool is_int = t->kind == T_LIT && t->type->kind == TY_SCALAR && !is_float && t->type->scalar != SC_BOOL;
    double f = is_float ? t->u.lit.f : is_int ? (double)t->u.lit.i : 0.5;
    *whole = f > -1e6 && f < 1e6 && f == (double)(int64_t)f;
    return *whole ? (int64_t)f : 0;
}

static Sum *sum_of(Calc *k, const Term *t)
{
    const struct Semiring *s = k->s;
    while (term_is(t, PRIM_LET) && t->size <= NODES) t = term_inline(k->c, t->args[1], t->args[0]);
    k->failed = k->failed || t->size > NODES;
    bool whole, difference = term_is(t, PRIM_SUB) || term_is(t, PRIM_NEG), sums = s->times == PRIM_ADD;
    int64_t number = small_number(t, &whole);
    if (k->failed) return NEW(k->c->scratch, Sum);
    if (term_is(t, s->plus)) return plus(k, sum_of(k, t->args[0]), sum_of(k, t->args[1]), 1);
    if (term_is(t, s->times)) return times(k, sum_of(k, t->args[0]), sum_of(k, t->args[1]), false);
    if (difference && (s->counts || sums)) {
        const Sum *behind = sum_of(k, t->args[t->arg_count - 1]);
        Sum *before = t->arg_count == 2 ? sum_of(k, t->args[0]) : s->counts ? NEW(k->c->scratch, Sum) : one_product(k, (Product){.times = 1});
        return s->counts ? plus(k, before, behind, -1) : times(k, before, behind, true);
    }
    if (whole && s->counts) return one_product(k, (Product){.times = number});
    if (whole && sums && number == 0) return one_product(k, (Product){.times = 1});
    return one_product(k, (Product){.times = 1, .count = 1, .factors = {{t, 1}}});
}

static bool same_in(Ctx *c, const struct Semiring *s, const Term *a, const Term *b)
{
    Calc k = {c, s, false};
    Sum *x = sum_of(&k, a), *y = sum_of(&k, b);
    if (k.failed || x->count != y->count) return false;
    qsort(x->products, (size_t)x->count, sizeof *x->products, by_factors);
    qsort(y->products, (size_t)y->count, sizeof *y->products, by_factors);
    return ALL(i, x->count, !by_factors(&x->products[i], &y->products[i]) && x->products[i].times == y->products[i].times);
}

bool semiring_same(Ctx *c, const Term *a, const Term *b)
{
    if (a == b) return true;
    if (a->type != b->type) return false;
    if (a->type->kind == TY_TUPLE) return ALL(i, a->type->count, semiring_same(c, term_proj(c, a, i), term_proj(c, b, i)));
    if (a->type->kind != TY_SCALAR) return false;
    return ANY(i, (int)COUNT(semirings), (!semirings[i].floats || scalar_is_float(a->type->scalar)) && same_in(c, &semirings[i], a, b));
}
