/* look: a second look at an element that is not what the reference says: is the program wrong there, or is it rounding?
 *
 * The source in f64 with its shadow is the truth. A wrong program differs from it in f64 too; one that was only re-ordered
 * does not. So a difference is excused only where the version in f64 equals its source in f64, and the kernel computed what
 * the language says of the version, or of the source, in the types of the program. Where a float is compared or cut to an
 * integer, an error within the tolerance may choose the other side: there the source itself, with such a decision turned
 * round, says what else is right. Layer 8. */
#include "run_private.h"

#include <math.h>

enum {
    TURNS_MAX = 32,                      /* decisions that are turned round, one at a time */
    UNITS_ALIKE = 16,                    /* roundings of literals that two ways to write one program may differ by */
};

struct Look {
    LookTerms of;
    Eval *decisions, *source_literal;    /* the source; each of these is made when it is first asked */
    Eval *shadow, *literal;              /* the version */
    double steps, limit;                 /* taken since look_limit; 0: none */
};

/* ---- comparing floats ---- */

double scalar_ulps(Scalar k, double got, double want)
{
    int exponent;
    if (got == want) return 0;
    frexp(fmax(fabs(want), float_ranges[k].least), &exponent);
    return fabs(got - want) / ldexp(1 / float_ranges[k].exact, exponent);
}

double float_distance(double got, double want, double shadow)
{
    if (got == want || (isnan(got) && isnan(want))) return 0;
    double scale = fmax(fabs(want), isfinite(shadow) ? shadow : 0);
    return isfinite(got) && isfinite(want) ? fabs(got - want) / scale : INFINITY;
}

bool float_is_close(Scalar k, double tol, double got, double want, double shadow)
{
    double most = float_ranges[k].most, rounded = scalar_rounded(k, want);
    if (isnan(got) || isnan(want)) return isnan(got) && isnan(want);
    if (got == want || got == rounded) return true;
    if (isinf(got)) return (got > 0) == (want > 0) && fabs(want) >= most * (1 - tol);
    if (isinf(want) || (isinf(rounded) && fabs(want) > most * (1 + tol))) return false;
    double scale = fmax(fabs(want), isfinite(shadow) ? shadow : 0);
    return fabs(got - want) <= tol * scale + float_ranges[k].least;
}

void float_bounds(Scalar k, double tol, double want, double shadow, double *lo, double *hi)
{
    double most = float_ranges[k].most, rounded = scalar_rounded(k, want), scale = fmax(fabs(want), isfinite(shadow) ? shadow : 0);
    double off = isfinite(want) ? tol * scale + float_ranges[k].least : 0;
    *lo = fmin(want - off, rounded);
    *hi = fmax(want + off, rounded);
    if (isnan(want)) *lo = *hi = NAN;
    if (want >= most * (1 - tol)) *hi = INFINITY;
    if (want <= -most * (1 - tol)) *lo = -INFINITY;
}

bool float_is_near(Scalar k, double got, double want)
{
    return float_is_close(k, UNITS_ALIKE / float_ranges[k].exact, got, want, 0);
}

/* ---- values of the two terms ---- */

Look *look_new(Arena *arena, const LookTerms *of)
{
    Look *l = NEW(arena, Look);
    l->of = *of;
    return l;
}

void look_close(Look *l)
{
    if (!l) return;
    eval_free(l->decisions);
    eval_free(l->source_literal);
    eval_free(l->shadow);
    eval_free(l->literal);
}

void look_limit(Look *l, double steps)
{
    l->steps = 0;
    l->limit = steps;
}

bool look_ended(const Look *l) { return l->limit > 0 && l->steps >= l->limit; }

/* That element of a term, as a mode has it; with EVAL_DECISIONS with the turn-th of them turned round, and how many there are. 0: it has
 * no value. */
static int value_of(Look *l, Eval **e, const Term *t, EvalMode mode, const Element *at, int turn, EvalScalar *out)
{
    Diag none;
    if (look_ended(l)) return 0;
    if (!*e) {
        device_aside(l->of.device, false);
        *e = eval_new(l->of.c, t, l->of.values, l->of.value_count, mode);
        if (!*e) diag_clear(&l->of.c->diag);
        device_aside(l->of.device, true);
    }
    if (!*e) return 0;
    eval_limit(*e, l->limit > 0 ? (int64_t)ceil(l->limit - l->steps) : 0, l->of.stop);
    diag_init(&none);
    int n = mode == EVAL_DECISIONS ? eval_decisions(*e, at->part, at->flat, l->of.tol, turn, out, &none)
                                   : eval_at(*e, at->part, at->flat, out, &none);
    l->steps += (double)eval_steps(*e);
    diag_free(&none);
    return n < 0 ? 0 : n;
}

static bool value_at(Look *l, Eval **e, const Term *t, EvalMode mode, const Element *at, EvalScalar *out)
{
    return value_of(l, e, t, mode, at, -1, out);
}

static int decided(Look *l, const Element *at, int turn, EvalScalar *out)
{
    return value_of(l, &l->decisions, l->of.source, EVAL_DECISIONS, at, turn, out);
}

bool look_hangs(Look *l, const Element *at)
{
    EvalScalar x;
    return decided(l, at, -1, &x) > 0;
}

/* ---- comparing them ---- */

/* Two ways to write one program: in f64 they differ by the rounding of literals and of f64 alone. */
static bool is_alike(const Look *l, Scalar k, EvalScalar a, EvalScalar b)
{
    if (!scalar_is_float(k)) return a.i == b.i;
    return float_is_close(SC_F64, l->of.alike[k], a.f, b.f, b.shadow)
        || (fabs(a.f) <= float_ranges[k].least && fabs(b.f) <= float_ranges[k].least);
}

static bool is_result(const Look *l, Scalar k, EvalScalar got, EvalScalar of)
{
    return scalar_is_float(k) ? float_is_close(k, l->of.tol[k], got.f, of.f, of.shadow) : got.i == of.i;
}

typedef bool Same(const Look *l, Scalar k, EvalScalar x, EvalScalar of);

/* Is x what the source gives with one of its n doubtful decisions turned round? */
static bool is_turned(Look *l, const Element *at, int n, EvalScalar x, Same *same)
{
    EvalScalar other;
    return ANY(i, n < TURNS_MAX ? n : TURNS_MAX, decided(l, at, i, &other) && same(l, at->scalar, x, other));
}

bool look_alike(Look *l, const Element *at)
{
    EvalScalar version, plain;
    if (l->of.version == l->of.source) return true;
    if (!value_at(l, &l->shadow, l->of.version, EVAL_REFERENCE, at, &version)) return false;
    return is_alike(l, at->scalar, version, at->want)
        || is_turned(l, at, decided(l, at, -1, &plain), version, is_alike);
}

/* Is got what the language says of a term, of which x is that, in the types of the program? Where magnitudes overflow there,
 * an infinity of one order may have met another one in the other, which makes NaN. */
static bool is_literal(const Look *l, const Element *at, EvalScalar got, EvalScalar x)
{
    x.shadow = at->want.shadow;
    if (is_result(l, at->scalar, got, x)) return true;
    bool overflows = scalar_is_float(at->scalar) && x.shadow > float_ranges[at->scalar].most;
    return overflows && isinf(got.f) && isnan(x.f) && !isnan(at->want.f);
}

Cause look_cause(Look *l, const Element *at, EvalScalar got, bool exact)
{
    EvalScalar x;
    if (exact) {
        /* Where the reference is exact, a version may still not be: its own magnitudes are too large for that, as a
         * NaN shows, too, which f64 does not have: 0 * inf, inf - inf. */
        EvalScalar literal, version;
        bool ok = value_at(l, &l->literal, l->of.version, EVAL_EXACT, at, &literal)
               && (got.f == literal.f || (isnan(got.f) && isnan(literal.f))) && look_alike(l, at)
               && value_at(l, &l->shadow, l->of.version, EVAL_REFERENCE, at, &version)
               && (version.shadow >= float_ranges[at->scalar].exact || (isnan(literal.f) && !isnan(version.f)));
        return ok ? CAUSE_ROUNDING : CAUSE_WRONG;
    }
    int n = decided(l, at, -1, &x);
    Cause excuse = n ? CAUSE_DECISION : CAUSE_ROUNDING;
    if (value_at(l, &l->source_literal, l->of.source, EVAL_EXACT, at, &x) && is_literal(l, at, got, x)) return excuse;
    if (l->of.version != l->of.source && value_at(l, &l->literal, l->of.version, EVAL_EXACT, at, &x)
            && is_literal(l, at, got, x) && look_alike(l, at))
        return excuse;
    return is_turned(l, at, n, got, is_result) ? CAUSE_DECISION : CAUSE_WRONG;
}
