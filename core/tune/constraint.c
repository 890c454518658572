/* constraint: size facts as tests over parameter values, with bounds that rule out whole ranges. */
#include "tune_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LIMIT_DEFAULT = 4096, DIVISORS_MAX = 1 << 16, PRIMES_MAX = 48 };

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

static bool reduce(Fraction *f)
{
    if (f->den != 1) {
        Wide a = f->num;
        Wide b = f->den;
        while (b) {
            Wide t = a % b;
            a = b;
            b = t;
        }
        Wide g = a < 0 ? -a : a;
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

/* ---- numbers that bound parameters by divisibility ---- */

typedef struct Primes {                  /* a positive number as a product; unknown: no number is known yet */
    bool unknown;
    int count;
    struct { int64_t prime; int exp; } v[PRIMES_MAX];
} Primes;

static void primes_add(Primes *p, int64_t prime, int exp)
{
    int i = 0;
    while (i < p->count && p->v[i].prime != prime) i++;
    if (i == PRIMES_MAX) {
        p->unknown = true;
        return;
    }
    if (i == p->count) p->v[p->count++].prime = prime;
    p->v[i].exp += exp;
}

static void primes_times(Primes *p, const Primes *q, int exp)
{
    p->unknown = p->unknown || q->unknown;
    for (int i = 0; i < q->count && !p->unknown; i++) primes_add(p, q->v[i].prime, q->v[i].exp * exp);
}

static void primes_of(int64_t n, Primes *out)
{
    *out = (Primes){.unknown = n == 0};
    uint64_t m = n < 0 ? 0 - (uint64_t)n : (uint64_t)n;
    for (uint64_t d = 2; m > 1 && d <= m / d; d += d == 2 ? 1 : 2)
        for (; m % d == 0; m /= d) primes_add(out, (int64_t)d, 1);
    if (m > 1) primes_add(out, (int64_t)m, 1);
}

static int primes_exp(const Primes *p, int64_t prime)
{
    for (int i = 0; i < p->count; i++)
        if (p->v[i].prime == prime) return p->v[i].exp;
    return 0;
}

/* The greatest common divisor into *p; true: it changed. */
static bool primes_gcd(Primes *p, const Primes *q)
{
    if (q->unknown) return false;
    if (p->unknown) return *p = *q, true;
    bool changed = false;
    int n = 0;
    for (int i = 0; i < p->count; i++) {
        int exp = primes_exp(q, p->v[i].prime);
        changed |= exp < p->v[i].exp;
        p->v[n] = p->v[i];
        if (exp < p->v[n].exp) p->v[n].exp = exp;
        n += p->v[n].exp > 0;
    }
    p->count = n;
    return changed;
}

/* A product that is a multiple of a term's positive (sign 1) or negative (-1) powers, given what each parameter divides. */
static void powers(const PolyTerm *t, int sign, const Primes *of, Primes *out)
{
    for (int i = 0; i < t->factor_count; i++) {
        const PolyFactor *f = &t->factors[i];
        if (f->exp * sign <= 0) continue;
        if (f->var < 0) out->unknown = true;
        else primes_times(out, &of[f->var], f->exp * sign);
    }
}

/* The term is a whole number: what it is divided by divides the rest. */
static bool bound_whole(const PolyTerm *t, Primes *of)
{
    Primes all;
    bool changed = false;
    primes_of(t->num, &all);
    powers(t, 1, of, &all);
    for (int i = 0; i < t->factor_count; i++)
        if (t->factors[i].exp < 0 && t->factors[i].var >= 0) changed |= primes_gcd(&of[t->factors[i].var], &all);
    return changed;
}

static bool bound_by(const Test *t, Primes *of)
{
    if (t->con.kind == CON_CALL) return false;
    bool changed = false;
    if (t->a->term_count == 1) changed |= bound_whole(t->a->terms, of);
    if (t->b->term_count == 1) changed |= bound_whole(t->b->terms, of);
    if (t->con.kind == CON_DIVIDES && t->a->term_count == 1 && t->b->term_count == 1) {
        /* x*v*p/q divides y*s/r: v divides y * s * (what v is divided by). */
        const PolyTerm *a = t->a->terms;
        Primes all, den;
        primes_of(t->b->terms->num, &all);
        primes_of(a->den, &den);
        primes_times(&all, &den, 1);
        powers(t->b->terms, 1, of, &all);
        powers(a, -1, of, &all);
        for (int i = 0; i < a->factor_count; i++)
            if (a->factors[i].exp > 0 && a->factors[i].var >= 0) changed |= primes_gcd(&of[a->factors[i].var], &all);
    }
    return changed;
}

static int divisors(Arena *arena, const Primes *p, const int64_t **out, Diag *diag)
{
    VEC(int64_t) v = {0};
    vec_push(&v, 1);
    for (int i = 0; i < p->count && v.n <= DIVISORS_MAX; i++) {
        int before = v.n;
        int64_t power = 1, d;
        for (int e = 0; e < p->v[i].exp && mul_ok(power, p->v[i].prime, &power); e++)
            for (int k = 0; k < before; k++)
                if (mul_ok(v.v[k], power, &d)) vec_push(&v, d);
    }
    if (v.n > DIVISORS_MAX) diag_error(diag, E08, "a parameter divides a number with more than %d divisors", DIVISORS_MAX);
    qsort(v.v, (size_t)v.n, sizeof *v.v, compare_int64);
    *out = vec_take(&v, arena);
    return v.n;
}

bool tests_candidates(Arena *arena, const TuneSpec *spec, const Test *tests, const int64_t **values, int *counts, Diag *diag)
{
    Primes *of = mem_alloc(sizeof *of * (size_t)(spec->var_count + 1));
    bool bounded = spec->limit > 0 && spec->limit <= DIVISORS_MAX;
    int64_t limit = bounded ? spec->limit : spec->limit ? DIVISORS_MAX : LIMIT_DEFAULT;
    for (int i = 0; i < spec->var_count; i++) {
        const TuneVar *var = &spec->vars[i];
        of[i].unknown = var->value_count == 0;
        for (int k = 0; k < var->value_count; k++) {
            Primes q = {0};
            if (var->values[k] > 0) primes_of(var->values[k], &q);
            for (int j = 0; j < q.count; j++) {
                int more = q.v[j].exp - primes_exp(&of[i], q.v[j].prime);
                if (more > 0) primes_add(&of[i], q.v[j].prime, more);
            }
        }
    }
    bool changed = true;
    for (int round = 0; changed && round <= 2 * spec->var_count; round++) {
        changed = false;
        for (int i = 0; i < spec->constraint_count; i++) changed |= bound_by(&tests[i], of);
    }
    bool failed = diag_failed(diag);
    for (int i = 0; i < spec->var_count; i++) {
        const TuneVar *var = &spec->vars[i];
        if (!var->value_count && !of[i].unknown) {
            counts[i] = divisors(arena, &of[i], &values[i], diag);
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
