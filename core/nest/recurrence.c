/* recurrence: a loop whose steps are linear in its state is a scan, or a reduction, of its steps (Kogge and Stone 1973; Blelloch 1990). */
#include "elements.h"

#include <string.h>

/* a (x) state (+) b, by the operations of a semiring; the neutral elements of both. */
typedef struct Semiring {
    Ctx *c;
    const Type *type;
    PrimId plus, times;
    const Term *zero, *one;
    int state;                           /* its variable in the step */
} Semiring;

/* A step as such a sum; NULL: that part is left out. */
typedef struct Linear { const Term *a, *b; } Linear;

static const Term *combined(const Semiring *s, PrimId op, const Term *x, const Term *y) { return !x ? y : !y ? x : term_prim2(s->c, op, x, y); }

/* Both parts of v, where there are any, by op beside e. */
static Linear each(const Semiring *s, PrimId op, Linear v, const Term *e)
{
    const Term *a = v.a == s->one && op == s->times ? e : v.a ? term_prim2(s->c, op, v.a, e) : NULL;
    return (Linear){a, v.b ? term_prim2(s->c, op, v.b, e) : NULL};
}

static const Term *minus(const Semiring *s, const Term *x) { return !x ? NULL : term_is(x, PRIM_NEG) ? x->args[0] : term_prim1(s->c, PRIM_NEG, x); }
static Linear negative(const Semiring *s, Linear v) { return (Linear){minus(s, v.a), minus(s, v.b)}; }

static const Term *chosen(const Semiring *s, const Term *cond, const Term *x, const Term *y)
{
    const Term *args[3] = {cond, x ? x : s->zero, y ? y : s->zero};
    return x || y ? term_prim(s->c, PRIM_IF, NULL, 0, args, 3) : NULL;
}

static bool is_free(const Semiring *s, const Term *t) { return !term_mentions(t, s->state, 1); }

/* t as a sum in the state; false: it is none that its operations show. */
static bool linear(const Semiring *s, const Term *t, Linear *out)
{
    enum { NODES = 1000 };
    while (term_is(t, PRIM_LET) && t->size <= NODES) t = term_inline(s->c, t->args[1], t->args[0]);
    if (t->size > NODES || t->type != s->type) return false;
    if (is_free(s, t)) return *out = (Linear){NULL, t}, true;
    if (t->kind == T_VAR) return *out = (Linear){s->one, NULL}, true;
    if (t->kind != T_PRIM) return false;
    bool ring = s->plus == PRIM_ADD;
    Linear x, y;
    switch ((PrimId)t->prim) {
    case PRIM_NEG:
        if (!ring || !linear(s, t->args[0], &x)) return false;
        return *out = negative(s, x), true;
    case PRIM_IF:
        if (!is_free(s, t->args[0]) || !linear(s, t->args[1], &x) || !linear(s, t->args[2], &y)) return false;
        return *out = (Linear){chosen(s, t->args[0], x.a, y.a), chosen(s, t->args[0], x.b, y.b)}, true;
    case PRIM_SUB:
        if (!linear(s, t->args[0], &x)) return false;
        if (!ring) return is_free(s, t->args[1]) && (*out = each(s, PRIM_SUB, x, t->args[1]), true);
        if (!linear(s, t->args[1], &y)) return false;
        y = negative(s, y);
        return *out = (Linear){combined(s, PRIM_ADD, x.a, y.a), combined(s, PRIM_ADD, x.b, y.b)}, true;
    case PRIM_DIV:
        return ring && scalar_is_float(s->type->scalar) && is_free(s, t->args[1]) && linear(s, t->args[0], &x) && (*out = each(s, PRIM_DIV, x, t->args[1]), true);
    default: break;
    }
    if (t->prim == s->plus) {
        if (!linear(s, t->args[0], &x) || !linear(s, t->args[1], &y)) return false;
        return *out = (Linear){combined(s, s->plus, x.a, y.a), combined(s, s->plus, x.b, y.b)}, true;
    }
    for (int i = 0; i < 2 && t->prim == s->times; i++)
        if (is_free(s, t->args[i])) return linear(s, t->args[1 - i], &x) && (*out = each(s, s->times, x, t->args[i]), true);
    return false;
}

/* \((a, b), (c, d)) -> (a (x) c, (b (x) c) (+) d): one step, then the other. */
static const Term *one_after_another(const Semiring *s)
{
    const Type *t = s->type, *pair = type_tuple(s->c, (const Type *[]){t, t}, 2);
    const Term *v[4], *parts[2];
    for (int i = 0; i < 4; i++) v[i] = term_var(s->c, 3 - i, t);
    parts[0] = term_prim2(s->c, s->times, v[0], v[2]);
    parts[1] = term_prim2(s->c, s->plus, term_prim2(s->c, s->times, v[1], v[2]), v[3]);
    return term_lam(s->c, type_tuple(s->c, (const Type *[]){pair, pair}, 2), term_tuple(s->c, parts, 2), NULL);
}

/* \(a, b) -> (a (x) z) (+) b, or \b -> z (+) b; z is outside. */
static const Term *from_start(const Semiring *s, const Term *z, bool sums)
{
    const Type *t = s->type, *pair = type_tuple(s->c, (const Type *[]){t, t}, 2);
    const Term *start = term_shift(s->c, z, sums ? 1 : 2, 0), *b = term_var(s->c, 0, t);
    if (z == s->zero) return term_lam(s->c, sums ? t : pair, b, NULL);
    if (!sums) start = term_prim2(s->c, s->times, term_var(s->c, 1, t), start);
    return term_lam(s->c, sums ? t : pair, term_prim2(s->c, s->plus, start, b), NULL);
}

static const Term *in_parallel(const Semiring *s, const Term *t, Linear step)
{
    Ctx *c = s->c;
    bool sums = step.a == s->one, scans = term_is(t, PRIM_SCAN_SEQ);
    const Term *f = t->args[0], *z = t->args[1], *b = step.b ? step.b : s->zero;
    const Type *element = f->type->elems[0]->elems[1];
    const Term *parts[2] = {term_shift(c, step.a, -1, s->state), term_shift(c, b, -1, s->state)}, *none[2] = {s->one, s->zero};
    if (!parts[0] || !parts[1]) return NULL;
    const Term *lambda = term_lam(c, element, sums ? parts[1] : term_tuple(c, parts, 2), NULL);
    const Term *v[2] = {term_var(c, 1, s->type), term_var(c, 0, s->type)};
    const Type *pair = type_tuple(c, (const Type *[]){s->type, s->type}, 2);
    const Term *add = term_lam(c, pair, term_prim2(c, s->plus, v[0], v[1]), NULL);
    const Term *steps = term_prim(c, PRIM_MAP, NULL, 0, (const Term *[]){lambda, t->args[2]}, 2);
    const Term *args[3] = {sums ? add : one_after_another(s), sums ? s->zero : term_tuple(c, none, 2), steps};
    const Term *all = term_prim(c, scans ? PRIM_SCAN : PRIM_REDUCE, NULL, 0, args, 3);
    bool atom = term_is_atom(z);
    const Term *start = from_start(s, atom ? z : term_var(c, 0, s->type), sums);
    if (!atom) all = term_shift(c, all, 1, 0);
    const Term *r = scans ? term_prim(c, PRIM_MAP, NULL, 0, (const Term *[]){start, all}, 2) : term_let(c, all, start);
    return atom ? r : term_let(c, z, term_lam(c, s->type, r, NULL));
}

const Term *recurrence_of(Ctx *c, const Term *t)
{
    static const struct { PrimId plus, times; } known[] = {{PRIM_ADD, PRIM_MUL}, {PRIM_MAX, PRIM_ADD}, {PRIM_MIN, PRIM_ADD}};
    if (!term_is(t, PRIM_SCAN_SEQ) && !term_is(t, PRIM_REDUCE_SEQ)) return ctx_error(c, E52, "a recurrence is a scanSeq or a reduceSeq");
    const Type *type = t->args[1]->type;
    bool number = type->kind == TY_SCALAR && type->scalar != SC_BOOL, floats = number && scalar_is_float(type->scalar);
    for (int i = 0; i < (floats ? COUNT(known) : number ? 1 : 0); i++) {
        Semiring s = {c, type, known[i].plus, known[i].times, NULL, NULL, t->args[0]->type->elems[0]->elems[1]->leaf_count};
        s.zero = s.plus == PRIM_ADD ? term_int(c, type, 0) : term_float(c, type, s.plus == PRIM_MAX ? -__builtin_inf() : __builtin_inf());
        s.one = term_int(c, type, s.plus == PRIM_ADD ? 1 : 0);
        Linear step;
        if (linear(&s, t->args[0]->args[0], &step) && step.a) return in_parallel(&s, t, step);
    }
    return ctx_error(c, E52, "its step is not linear in its state: a * state + b, or of floats max or min (state + a) b");
}
