/* literals: the numbers that a term writes out, and values on which a program that tests for them takes its other way. */
#include "eval.h"

#include <math.h>
#include <stdlib.h>

static void add_number(Literals *l, Number n, bool decisive)
{
    int i = 0;
    while (i < l->count && !(l->v[i].f == n.f && l->v[i].i == n.i)) i++;
    if (i == COUNT(l->v)) return;
    if (i == l->count) l->v[l->count++] = n;
    l->decisive |= (uint32_t)decisive << i;
}

static void add(Literals *l, const Term *t, bool decisive)
{
    if (t->kind != T_LIT || t->type->scalar == SC_BOOL) return;
    bool whole = !scalar_is_float(t->type->scalar);
    Number n = {whole ? scalar_number(t->type->scalar, t->u.lit.i) : t->u.lit.f, whole ? t->u.lit.i : 0};
    if (!whole && fabs(n.f) < 0x1p62) n.i = (int64_t)n.f;
    add_number(l, n, decisive);
}

static void collect(Literals *l, const Term *t, uint8_t *seen)
{
    if (seen[t->id]) return;
    seen[t->id] = 1;
    for (int i = 0; i < t->arg_count; i++) collect(l, t->args[i], seen);
    const Type *from = t->arg_count ? t->args[0]->type : NULL;
    bool cuts = t->kind == T_PRIM && prim_is_cast((PrimId)t->prim) && scalar_is_int(t->type->scalar) && from->kind == TY_SCALAR
                && scalar_is_float(from->scalar);
    switch (t->kind == T_PRIM ? (int)t->prim : -1) {
    case PRIM_EQ: case PRIM_NE: case PRIM_LT: case PRIM_LE: case PRIM_GT: case PRIM_GE: case PRIM_MIN: case PRIM_MAX:
        l->decides = true;
        for (int i = 0; i < t->arg_count; i++) add(l, t->args[i], true);
        break;
    case PRIM_FLOOR: case PRIM_CEIL: case PRIM_ROUND: case PRIM_TRUNC: case PRIM_SIGN: cuts = true; break;
    default: break;
    }
    if (cuts) {                          /* what rounds decides at halves and at 0 */
        l->decides = true;
        add_number(l, (Number){0.5, 0}, true);
        add_number(l, (Number){0, 0}, true);
    }
    add(l, t, false);
}

void literals_collect(Literals *l, const Term *t)
{
    uint8_t *seen = mem_alloc((size_t)t->id + 1);
    collect(l, t, seen);
    free(seen);
}

void literals_collect_lengths(Literals *l, const Type *t)
{
    if (t->kind == TY_ARRAY && t->size->is_const) {
        add_number(l, (Number){0, 0}, false);
        add_number(l, (Number){(double)t->size->value, t->size->value}, false);
        add_number(l, (Number){(double)t->size->value - 1, t->size->value - 1}, false);
    }
    for (int i = 0; i < t->count; i++) literals_collect_lengths(l, t->elems[i]);
}

static Number plus(Number a, Number b) { return (Number){a.f + b.f, (int64_t)((uint64_t)a.i + (uint64_t)b.i)}; }
static Number minus(Number a, Number b) { return (Number){a.f - b.f, (int64_t)((uint64_t)a.i - (uint64_t)b.i)}; }
static Number times(Number a, Number b) { return (Number){a.f * b.f, (int64_t)((uint64_t)a.i * (uint64_t)b.i)}; }

static double neighbour(Scalar s, double v, double towards)
{
    return s == SC_F32 ? nextafterf((float)v, (float)towards) : nextafter(v, towards);
}

Number literals_near(const Literals *l, Rng *r, Scalar s)
{
    static const Number one = {1, 1}, two = {2, 2};
    Number a = l->v[rng_below(r, l->count)], b = l->v[rng_below(r, l->count)];
    switch (rng_below(r, 16)) {
    case 0: return plus(a, one);
    case 1: return minus(a, one);
    case 2: return minus((Number){0, 0}, a);
    case 3: return (Number){neighbour(s, a.f, INFINITY), plus(a, one).i};
    case 4: return (Number){neighbour(s, a.f, -INFINITY), minus(a, one).i};
    case 5: return plus(a, b);
    case 6: return minus(a, b);
    case 7: return times(a, rng_below(r, 2) ? b : two);
    case 8: return (Number){b.f == 0 ? a.f : a.f / b.f, b.i ? floor_div(a.i, b.i == -1 ? 1 : b.i) : a.i};
    case 9: return (Number){a.f / 2, floor_div(a.i, 2)};
    default: return a;
    }
}

/* Does it fit, and is it none of those that devices may take for 0? */
static bool is_mixed_in(Number n, Scalar s, double lo, double hi, MixIntegers integers)
{
    if (scalar_is_float(s)) return n.f >= lo && n.f <= hi && (n.f == 0 || fabs(n.f) >= (s == SC_F16 ? 0x1p-14 : 0x1p-100));
    double number = scalar_number(s, n.i);
    return scalar_wrapped(s, n.i) == n.i && (integers == INTEGERS_ANY || (number >= lo && number <= hi));
}

typedef struct Mix {
    const Literals *l;
    double lo, hi;
    MixIntegers integers;
} Mix;

/* The first block has all of them in turn. */
static void mix_block(const void *how, const DataPart *p, int64_t at, int n, Rng r)
{
    enum { EVERY = 4 };
    const Mix *m = how;
    const Literals *l = m->l;
    Data one = {NULL, 1, (DataPart *)(uintptr_t)p, NULL};
    Scalar s = p->scalar;
    int64_t next = rng_below(&r, l->count), most = at ? next : next + 2 * l->count;
    while (p->count == 1 && l->decisive && !(l->decisive >> next & 1)) next = (next + 1) % l->count;
    if (s == SC_BOOL || (scalar_is_int(s) && m->integers == INTEGERS_STAY)) return;
    for (int64_t i = at; i < at + n; i++) {
        if (p->count > 1 && rng_below(&r, EVERY)) continue;
        Number v = next < most ? l->v[next % l->count] : literals_near(l, &r, s);
        next++;
        if (!is_mixed_in(v, s, m->lo, m->hi, m->integers)) continue;
        if (scalar_is_float(s)) data_set(&one, 0, i, v.f);
        else data_set_int(&one, 0, i, v.i);
    }
}

void data_mix_literals(Data *d, uint64_t seed, const Literals *l, double lo, double hi, MixIntegers integers)
{
    if (l->count) data_each_block(d, seed, 0, mix_block, &(Mix){l, lo, hi, integers});
}
