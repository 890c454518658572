/* constraint: size facts as tests over parameter values, with bounds that rule out whole ranges. */
#include "tune_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LIMIT_DEFAULT = 4096, DIVISORS_MAX = 1 << 16 };

/* ---- from sizes to polynomials over indices ---- */

typedef struct Making {
    Arena *arena;
    const TuneSpec *spec;
    Diag *diag;
    bool *used;                          /* by parameter */
    bool failed;
} Making;

static const Poly *make_poly(Making *m, const Nat *n)
{
    Poly *p = NEW(m->arena, Poly);
    PolyTerm *terms = NEW_ARRAY(m->arena, PolyTerm, n->term_count);
    for (int i = 0; i < n->term_count; i++) {
        const NatTerm *t = &n->terms[i];
        PolyFactor *factors = NEW_ARRAY(m->arena, PolyFactor, t->factor_count);
        for (int k = 0; k < t->factor_count; k++) {
            const NatAtom *atom = t->factors[k].atom;
            PolyFactor *r = &factors[k];
            *r = (PolyFactor){.var = -1, .kind = atom->kind, .exp = t->factors[k].exp};
            if (atom->kind != ATOM_VAR) {
                r->a = make_poly(m, atom->a);
                r->b = make_poly(m, atom->b);
                continue;
            }
            for (int v = 0; v < m->spec->var_count && r->var < 0; v++)
                if (!strcmp(m->spec->vars[v].name, atom->name)) m->used[r->var = v] = true;
            if (r->var >= 0) continue;
            m->failed = true;
            if (diag_error(m->diag, E34, "%s in a constraint is no parameter of the space", atom->name))
                diag_note(m->diag, "hint", "give it a value first, or leave the constraint out");
        }
        terms[i] = (PolyTerm){t->num, t->den, t->factor_count, factors};
    }
    *p = (Poly){n->term_count, terms};
    return p;
}

bool test_make(Arena *arena, const TuneSpec *spec, const Constraint *con, Test *out, Diag *diag)
{
    Making m = {arena, spec, diag, mem_alloc((size_t)spec->var_count + 1), false};
    *out = (Test){.con = *con, .last = -1};
    out->con.reason = arena_strdup(arena, con->reason ? con->reason : "constraint");
    out->con.text = arena_strdup(arena, con->text ? con->text : "");
    out->con.from = con->from ? arena_strdup(arena, con->from) : NULL;
    out->con.a = out->con.b = NULL;      /* they may be released before the space is */
    if (con->kind == CON_CALL) {
        int *vars = NEW_ARRAY(arena, int, con->var_count);
        for (int i = 0; i < con->var_count; i++) m.used[vars[i] = con->vars[i]] = true;
        out->con.vars = vars;
    } else {
        out->a = make_poly(&m, con->a);
        out->b = make_poly(&m, con->b);
    }
    int *vars = NEW_ARRAY(arena, int, spec->var_count);
    for (int i = 0; i < spec->var_count; i++)
        if (m.used[i]) vars[out->var_count++] = out->last = i;
    out->vars = vars;
    free(m.used);
    return !m.failed;
}

/* ---- values ---- */

typedef __int128 Wide;
typedef struct Fraction { Wide num, den; } Fraction;

static bool fits(Wide v) { return v <= INT64_MAX && v >= -INT64_MAX; }

static Wide wide_gcd(Wide a, Wide b)
{
    while (b) {
        Wide t = a % b;
        a = b;
        b = t;
    }
    return a < 0 ? -a : a;
}

static bool reduce(Fraction *f)
{
    if (f->den != 1) {
        Wide g = wide_gcd(f->num, f->den);
        if (f->den < 0) g = -g;
        f->num /= g;
        f->den /= g;
    }
    return fits(f->num) && fits(f->den);
}

static bool term_value(const PolyTerm *t, const int64_t *values, Fraction *out)
{
    Fraction r = {t->num, t->den};
    for (const PolyFactor *f = t->factors; f < t->factors + t->factor_count; f++) {
        int64_t v = f->var >= 0 ? values[f->var] : 0, a, b;
        if (f->var < 0) {
            if (!f->a || !poly_value(f->a, values, &a) || !poly_value(f->b, values, &b)) return false;
            bool divides = f->kind != ATOM_MIN && f->kind != ATOM_MAX;
            if (divides && b == 0) return false;
            v = f->kind == ATOM_MIN ? (a < b ? a : b) : f->kind == ATOM_MAX ? (a > b ? a : b)
                : f->kind == ATOM_DIV ? floor_div(a, b) : floor_mod(a, b);
        }
        if (f->exp < 0 && v == 0) return false;
        for (int e = abs(f->exp); e > 0; e--) {
            Wide *part = f->exp > 0 ? &r.num : &r.den;
            *part *= v;
            if (!fits(*part) && !reduce(&r)) return false;
        }
    }
    *out = r;
    return reduce(out);
}

typedef enum Quick { QUICK_YES, QUICK_NO, QUICK_UNKNOWN } Quick;

/* Without fractions and wide numbers where that suffices, which is nearly always. UNKNOWN: it does not; NO: it is no whole number. */
static Quick term_quick(const PolyTerm *t, const int64_t *values, int64_t *out)
{
    int64_t num = t->num, den = t->den;
    for (int i = 0; i < t->factor_count; i++) {
        const PolyFactor *f = &t->factors[i];
        if (f->var < 0) return QUICK_UNKNOWN;
        for (int e = f->exp; e > 0; e--)
            if (!mul_ok(num, values[f->var], &num)) return QUICK_UNKNOWN;
        for (int e = f->exp; e < 0; e++)
            if (!mul_ok(den, values[f->var], &den)) return QUICK_UNKNOWN;
    }
    if (den == 1) return *out = num, QUICK_YES;
    if (den <= 0) return QUICK_UNKNOWN;
    *out = num / den;
    return num % den ? QUICK_NO : QUICK_YES;
}

bool poly_value(const Poly *p, const int64_t *values, int64_t *out)
{
    Fraction sum = {0, 1}, t;
    Quick quick = QUICK_YES;
    int64_t v;
    *out = 0;
    for (int i = 0; i < p->term_count && quick == QUICK_YES; i++) {
        quick = term_quick(&p->terms[i], values, &v);
        if (quick == QUICK_NO && p->term_count > 1) quick = QUICK_UNKNOWN;
        if (quick == QUICK_YES && !add_ok(*out, v, out)) quick = QUICK_UNKNOWN;
    }
    if (*out == INT64_MIN) quick = QUICK_UNKNOWN;
    if (quick != QUICK_UNKNOWN) return quick == QUICK_YES;
    for (int i = 0; i < p->term_count; i++) {
        if (!term_value(&p->terms[i], values, &t)) return false;
        sum = (Fraction){sum.num * t.den + t.num * sum.den, sum.den * t.den};
        if (!reduce(&sum)) return false;
    }
    *out = (int64_t)sum.num;
    return sum.den == 1;
}

bool test_holds(const Test *t, const int64_t *values)
{
    int64_t a, b;
    if (t->con.kind == CON_CALL) {
        int64_t few[16] = {0},
                *own = t->con.var_count > COUNT(few) ? mem_alloc(sizeof *own * (size_t)t->con.var_count) : few;
        for (int i = 0; i < t->con.var_count; i++) own[i] = values[t->con.vars[i]];
        bool ok = t->con.holds(t->con.data, own);
        if (own != few) free(own);
        return ok;
    }
    if (!poly_value(t->a, values, &a) || !poly_value(t->b, values, &b)) return false;
    if (t->con.kind == CON_DIVIDES) return a > 0 && b % a == 0;
    return t->con.kind == CON_LE ? a <= b : a < b;
}

static bool reads_from(const Poly *p, int var)
{
    for (int i = 0; i < p->term_count; i++)
        for (int k = 0; k < p->terms[i].factor_count; k++) {
            const PolyFactor *f = &p->terms[i].factors[k];
            if (f->var >= 0 ? f->var >= var : reads_from(f->a, var) || reads_from(f->b, var)) return true;
        }
    return false;
}

bool test_divides_earlier(const Test *t, int var)
{
    bool has = false;
    if (t->con.kind != CON_DIVIDES || t->a->term_count != 1 || t->a->terms->den != 1) return false;
    for (int k = 0; k < t->a->terms->factor_count; k++) {
        const PolyFactor *f = &t->a->terms->factors[k];
        if (f->var < 0 || f->exp < 0) return false;
        has = has || f->var == var;
    }
    return has && !reads_from(t->b, var);
}

/* ---- intervals ---- */

static const Range all_numbers = {-INFINITY, INFINITY};

static Range poly_range(const Poly *p, const Range *ranges);

static Range range_mul(Range a, Range b)
{
    if (a.lo > 0 && b.lo > 0) return (Range){a.lo * b.lo, a.hi * b.hi};     /* as sizes are */
    double v[4] = {a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi};
    Range r = {v[0], v[0]};
    for (int i = 0; i < 4; i++) {
        if (isnan(v[i])) return all_numbers;
        r.lo = fmin(r.lo, v[i]);
        r.hi = fmax(r.hi, v[i]);
    }
    return r;
}

static Range range_inverse(Range a) { return a.lo > 0 ? (Range){1 / a.hi, 1 / a.lo} : all_numbers; }

static Range factor_range(const PolyFactor *f, const Range *ranges)
{
    if (f->var >= 0) return ranges[f->var];
    Range a = poly_range(f->a, ranges), b = poly_range(f->b, ranges);
    switch (f->kind) {
    case ATOM_MIN: return (Range){fmin(a.lo, b.lo), fmin(a.hi, b.hi)};
    case ATOM_MAX: return (Range){fmax(a.lo, b.lo), fmax(a.hi, b.hi)};
    case ATOM_MOD: return b.lo > 0 ? (Range){0, b.hi} : all_numbers;
    default: break;
    }
    if (b.lo <= 0) return all_numbers;
    Range q = range_mul(a, range_inverse(b));
    return (Range){q.lo - 1, q.hi};
}

static Range poly_range(const Poly *p, const Range *ranges)
{
    Range sum = {0, 0};
    for (int i = 0; i < p->term_count; i++) {
        const PolyTerm *t = &p->terms[i];
        double coef = (double)t->num / (double)t->den;
        Range r = {coef, coef};
        for (int k = 0; k < t->factor_count; k++) {
            Range f = factor_range(&t->factors[k], ranges);
            if (t->factors[k].exp < 0) f = range_inverse(f);
            for (int e = abs(t->factors[k].exp); e > 0; e--) r = range_mul(r, f);
        }
        sum = (Range){sum.lo + r.lo, sum.hi + r.hi};
    }
    return isnan(sum.lo) || isnan(sum.hi) ? all_numbers : sum;
}

bool test_possible(const Test *t, const Range *ranges)
{
    if (t->con.kind == CON_CALL) return true;
    Range a = poly_range(t->a, ranges), b = poly_range(t->b, ranges);
    double slack = 1e-6 + 1e-9 * (fabs(a.lo) + fabs(b.hi));          /* of rounding */
    if (isinf(a.lo) || isinf(b.hi)) return true;
    return t->con.kind != CON_DIVIDES ? a.lo <= b.hi + slack : b.lo <= 0 || a.lo <= b.hi + slack;
}

/* ---- numbers that bound parameters by divisibility: of each one that it divides; 0, as all do, where none is known ---- */

static Wide magnitude(int64_t n) { return n < 0 ? -(Wide)n : n; }

/* Times b so often; 0 where that is too large. */
static Wide times(Wide a, Wide b, int exp)
{
    for (; a && exp > 0; exp--)
        if (__builtin_mul_overflow(a, b, &a)) a = 0;
    return a;
}

/* It divides q, too. True: that is news. */
static bool divides_too(Wide *p, Wide q)
{
    Wide before = *p;
    *p = wide_gcd(before, q);
    return *p != before;
}

/* n times a multiple of a term's positive (sign 1) or negative (-1) powers, given what each parameter divides. */
static Wide powers(Wide n, const PolyTerm *t, int sign, const Wide *of)
{
    for (const PolyFactor *f = t->factors; f < t->factors + t->factor_count; f++) n = times(n, f->var < 0 ? 0 : of[f->var], f->exp * sign);
    return n;
}

/* What the term's parameters of that sign divide all n. */
static bool bound_powers(const PolyTerm *t, int sign, Wide n, Wide *of)
{
    bool changed = false;
    for (const PolyFactor *f = t->factors; f < t->factors + t->factor_count; f++)
        if (f->exp * sign > 0 && f->var >= 0) changed |= divides_too(&of[f->var], n);
    return changed;
}

static bool bound_by(const Test *t, Wide *of)
{
    bool changed = false;
    const PolyTerm *a = t->con.kind != CON_CALL && t->a->term_count == 1 ? t->a->terms : NULL;
    const PolyTerm *b = t->con.kind != CON_CALL && t->b->term_count == 1 ? t->b->terms : NULL;
    /* A term is a whole number: what it is divided by divides the rest. */
    if (a) changed |= bound_powers(a, -1, powers(magnitude(a->num), a, 1, of), of);
    if (b) changed |= bound_powers(b, -1, powers(magnitude(b->num), b, 1, of), of);
    if (t->con.kind != CON_DIVIDES || !a || !b) return changed;
    /* x*v*p/q divides y*s/r: v divides y * s * (what v is divided by). */
    Wide all = powers(powers(times(magnitude(b->num), magnitude(a->den), 1), b, 1, of), a, -1, of);
    return bound_powers(a, 1, all, of) || changed;
}

static int divisors(Arena *arena, Wide n, const int64_t **out, Diag *diag)
{
    VEC(int64_t) v = {0};
    vec_push(&v, 1);
    for (Wide d = 2; n > 1 && v.n <= DIVISORS_MAX; d += d == 2 ? 1 : 2) {
        int before = v.n;
        int64_t power = 1, each;
        if (d * d > n) d = n;            /* what is left is a prime */
        for (bool small = true; n % d == 0; n /= d) {
            small = small && fits(d) && mul_ok(power, (int64_t)d, &power);
            for (int k = 0; small && k < before; k++)
                if (mul_ok(v.v[k], power, &each)) vec_push(&v, each);
        }
    }
    if (v.n > DIVISORS_MAX) diag_error(diag, E08, "a parameter divides a number with more than %d divisors", DIVISORS_MAX);
    qsort(v.v, (size_t)v.n, sizeof *v.v, compare_int64);
    *out = vec_take(&v, arena);
    return v.n;
}

bool tests_candidates(Arena *arena, const TuneSpec *spec, const Test *tests, const int64_t **values, int *counts, Diag *diag)
{
    Wide *of = mem_alloc(sizeof *of * (size_t)(spec->var_count + 1));
    bool bounded = spec->limit > 0 && spec->limit <= DIVISORS_MAX;
    int64_t limit = bounded ? spec->limit : spec->limit ? DIVISORS_MAX : LIMIT_DEFAULT;
    for (int i = 0; i < spec->var_count; i++) {
        const TuneVar *var = &spec->vars[i];
        of[i] = var->value_count > 0;
        for (int k = 0; k < var->value_count; k++)       /* their least common multiple */
            if (var->values[k] > 0) of[i] = of[i] ? times(of[i], var->values[k] / wide_gcd(of[i], var->values[k]), 1) : 0;
    }
    bool changed = true;
    for (int round = 0; changed && round <= 2 * spec->var_count; round++) {
        changed = false;
        for (int i = 0; i < spec->constraint_count; i++) changed |= bound_by(&tests[i], of);
    }
    bool failed = diag_failed(diag);
    for (int i = 0; i < spec->var_count; i++) {
        const TuneVar *var = &spec->vars[i];
        if (!var->value_count && of[i]) {
            counts[i] = divisors(arena, of[i], &values[i], diag);
            continue;
        }
        int all = var->value_count ? var->value_count : (int)limit, n = 0;
        int64_t *v = NEW_ARRAY(arena, int64_t, all);
        for (int k = 0; k < all; k++) v[k] = var->value_count ? var->values[k] : k + 1;
        qsort(v, (size_t)all, sizeof *v, compare_int64);
        for (int k = 0; k < all; k++)
            if (v[k] > 0 && (n == 0 || v[n - 1] != v[k])) v[n++] = v[k];
        values[i] = v;
        counts[i] = n;
    }
    free(of);
    return failed || !diag_failed(diag);
}
