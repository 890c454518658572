/* constraint: size facts as tests over parameter values, with bounds that rule out whole ranges. */
#include "tune_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LIMIT_DEFAULT = 4096, DIVISORS_MAX = 1 << 16 };

bool test_make(Arena *arena, const TuneSpec *spec, const Constraint *con, Test *out, Diag *diag)
{
    bool *used = mem_alloc((size_t)spec->var_count + 1), good = true;
    LOCAL(drop) NatAtomVec atoms = {0};
    *out = (Test){.con = *con, .last = -1};
    out->con.reason = arena_strdup(arena, con->reason ? con->reason : "constraint");
    out->con.text = arena_strdup(arena, con->text ? con->text : "");
    out->con.from = con->from ? arena_strdup(arena, con->from) : NULL;
    if (con->kind == CON_CALL) {
        int *own = NEW_ARRAY(arena, int, con->var_count);
        for (int i = 0; i < con->var_count; i++) used[own[i] = con->vars[i]] = true;
        out->con.vars = own;
    } else {
        nat_vars(con->a, &atoms);
        nat_vars(con->b, &atoms);
    }
    Read *reads = NEW_ARRAY(arena, Read, atoms.n);
    for (int i = 0; i < atoms.n; i++) {
        int var = 0;
        while (var < spec->var_count && strcmp(spec->vars[var].name, atoms.v[i]->name) != 0) var++;
        reads[i] = (Read){atoms.v[i], var};
        used[var] = true;
        if (var < spec->var_count) continue;
        good = false;
        if (diag_error(diag, E34, "%s in a constraint is no parameter of the space", atoms.v[i]->name))
            diag_note(diag, "hint", "give it a value first, or leave the constraint out");
    }
    out->reads = reads;
    int *vars = NEW_ARRAY(arena, int, spec->var_count);
    for (int i = 0; i < spec->var_count; i++)
        if (used[i]) vars[out->var_count++] = out->last = i;
    out->vars = vars;
    free(used);
    return good;
}

static int var_of(const Test *t, const NatAtom *atom)
{
    const Read *r = t->reads;
    while (r->atom != atom) r++;
    return r->var;
}

/* ---- values ---- */

typedef struct At { const Test *t; const int64_t *values; } At;

static bool value_at(void *at, const NatAtom *atom, int64_t *out)
{
    const At *a = at;
    *out = a->values[var_of(a->t, atom)];
    return true;
}

/* A term of variables to the first power or below the line, as nearly all are: num / den. False: another form, or too large. */
static inline bool plain_term(const Test *t, const NatTerm *term, const int64_t *values, int64_t *num, int64_t *den)
{
    *num = term->num, *den = term->den;
    for (const NatFactor *f = term->factors; f < term->factors + term->factor_count; f++) {
        int64_t *part = f->exp > 0 ? num : den;
        if (f->atom->kind != ATOM_VAR || abs(f->exp) != 1 || !mul_ok(*part, values[var_of(t, f->atom)], part)) return false;
    }
    return *den > 0;
}

bool test_value(const Test *t, const Nat *n, const int64_t *values, int64_t *out)
{
    int64_t num, den;
    if (n->is_const) return *out = n->value, true;
    if (n->term_count != 1 || !plain_term(t, n->terms, values, &num, &den)) return nat_eval(n, value_at, &(At){t, values}, out);
    *out = den == 1 ? num : num / den;
    return *out * den == num;
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
    return test_value(t, t->con.a, values, &a) && test_value(t, t->con.b, values, &b) && fact_holds((FactKind)t->con.kind, a, b);
}

bool test_divides_earlier(const Test *t, int var)
{
    bool has = false;
    if (t->con.kind != CON_DIVIDES || t->con.a->term_count != 1 || t->con.a->terms->den != 1) return false;
    for (int k = 0; k < t->con.a->terms->factor_count; k++) {
        const NatFactor *f = &t->con.a->terms->factors[k];
        if (f->atom->kind != ATOM_VAR || f->exp < 0) return false;
        has = has || var_of(t, f->atom) == var;
    }
    LOCAL(drop) NatAtomVec read = nat_vars_in(t->con.b);
    bool earlier = ALL(i, read.n, var_of(t, read.v[i]) < var);
    return has && earlier;
}

/* ---- intervals ---- */

static const Range all_numbers = {-INFINITY, INFINITY};

static Range nat_range(const Test *t, const Nat *n, const Range *ranges);

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

static Range atom_range(const Test *t, const NatAtom *x, const Range *ranges)
{
    if (x->kind == ATOM_VAR) return ranges[var_of(t, x)];
    Range a = nat_range(t, x->a, ranges), b = nat_range(t, x->b, ranges);
    switch (x->kind) {
    case ATOM_MIN: return (Range){fmin(a.lo, b.lo), fmin(a.hi, b.hi)};
    case ATOM_MAX: return (Range){fmax(a.lo, b.lo), fmax(a.hi, b.hi)};
    case ATOM_MOD: return b.lo > 0 ? (Range){0, b.hi} : all_numbers;
    default: break;
    }
    if (b.lo <= 0) return all_numbers;
    Range q = range_mul(a, range_inverse(b));
    return (Range){q.lo - 1, q.hi};
}

static Range nat_range(const Test *t, const Nat *n, const Range *ranges)
{
    Range sum = {0, 0};
    for (const NatTerm *x = n->terms; x < n->terms + n->term_count; x++) {
        double coef = (double)x->num / (double)x->den;
        Range r = {coef, coef};
        for (const NatFactor *f = x->factors; f < x->factors + x->factor_count; f++) {
            Range each = atom_range(t, f->atom, ranges);
            if (f->exp < 0) each = range_inverse(each);
            for (int e = abs(f->exp); e > 0; e--) r = range_mul(r, each);
        }
        sum = (Range){sum.lo + r.lo, sum.hi + r.hi};
    }
    return isnan(sum.lo) || isnan(sum.hi) ? all_numbers : sum;
}

bool test_possible(const Test *t, const Range *ranges)
{
    if (t->con.kind == CON_CALL) return true;
    Range a = nat_range(t, t->con.a, ranges), b = nat_range(t, t->con.b, ranges);
    double slack = 1e-6 + 1e-9 * (fabs(a.lo) + fabs(b.hi));          /* of rounding */
    if (isinf(a.lo) || isinf(b.hi)) return true;
    return t->con.kind != CON_DIVIDES ? a.lo <= b.hi + slack : b.lo <= 0 || a.lo <= b.hi + slack;
}

/* ---- numbers that bound parameters by divisibility: of each one that it divides; 0, as all do, where none is known ---- */

typedef __int128 Wide;

static Wide wide_gcd(Wide a, Wide b)
{
    while (b) {
        Wide t = a % b;
        a = b;
        b = t;
    }
    return a < 0 ? -a : a;
}

static Wide magnitude(int64_t n) { return n < 0 ? -(Wide)n : n; }

/* Times b so often; 0 where that is too large. */
static Wide times(Wide a, Wide b, int exp)
{
    for (; a && exp > 0; exp--)
        if (__builtin_mul_overflow(a, b, &a)) a = 0;
    return a;
}

/* n times a multiple of a term's positive (sign 1) or negative (-1) powers, given what each parameter divides. */
static Wide powers(const Test *t, const NatTerm *x, int sign, Wide n, const Wide *of)
{
    for (const NatFactor *f = x->factors; f < x->factors + x->factor_count; f++)
        n = times(n, f->atom->kind == ATOM_VAR ? of[var_of(t, f->atom)] : 0, f->exp * sign);
    return n;
}

/* The term's parameters of that sign divide n, too. True: that is news. */
static bool bound_powers(const Test *t, const NatTerm *x, int sign, Wide n, Wide *of)
{
    bool changed = false;
    for (const NatFactor *f = x->factors; f < x->factors + x->factor_count; f++)
        if (f->exp * sign > 0 && f->atom->kind == ATOM_VAR) {
            Wide *all = &of[var_of(t, f->atom)], before = *all;
            *all = wide_gcd(before, n);
            changed |= *all != before;
        }
    return changed;
}

static bool bound_by(const Test *t, Wide *of)
{
    bool changed = false;
    const NatTerm *a = t->con.kind != CON_CALL && t->con.a->term_count == 1 ? t->con.a->terms : NULL;
    const NatTerm *b = t->con.kind != CON_CALL && t->con.b->term_count == 1 ? t->con.b->terms : NULL;
    /* A term is a whole number: what it is divided by divides the rest. */
    if (a) changed |= bound_powers(t, a, -1, powers(t, a, 1, magnitude(a->num), of), of);
    if (b) changed |= bound_powers(t, b, -1, powers(t, b, 1, magnitude(b->num), of), of);
    if (t->con.kind != CON_DIVIDES || !a || !b) return changed;
    /* x*v*p/q divides y*s/r: v divides y * s * (what v is divided by). */
    Wide all = powers(t, a, -1, powers(t, b, 1, times(magnitude(b->num), magnitude(a->den), 1), of), of);
    return bound_powers(t, a, 1, all, of) || changed;
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
            small = small && d <= INT64_MAX && mul_ok(power, (int64_t)d, &power);
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
        int64_t *v = MAKE_LIST(arena, int64_t, k, all, var->value_count ? var->values[k] : k + 1);
        qsort(v, (size_t)all, sizeof *v, compare_int64);
        for (int k = 0; k < all; k++)
            if (v[k] > 0 && (n == 0 || v[n - 1] != v[k])) v[n++] = v[k];
        values[i] = v;
        counts[i] = n;
    }
    free(of);
    return failed || !diag_failed(diag);
}
