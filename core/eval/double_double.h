/* double_double: numbers of some 100 bits, an f64 and what is left of it, hi + lo with |lo| <= ulp(hi) / 2 (Dekker 1971; Hida, Li,
 * Bailey 2001). Sums and products are right to 2^-102 of the result. Where hi is not finite lo is 0. */
#ifndef DOUBLE_DOUBLE_H
#define DOUBLE_DOUBLE_H

#include <math.h>

typedef struct DoubleDouble { double hi, lo; } DoubleDouble;

/* Functions come from the machine's widest type of floats. */
#if defined __GNUC__ && !defined __clang__ && defined __HAVE_FLOAT128 && __HAVE_FLOAT128
typedef _Float128 Widest;
#define WIDEST(function) function##f128
#else
typedef long double Widest;
#define WIDEST(function) function##l
#endif

/* |a| >= |b|, or a is 0 */
static inline DoubleDouble dd_of(double a, double b)
{
    double s = a + b;
    return (DoubleDouble){s, isfinite(s) ? b - (s - a) : 0};
}

static inline DoubleDouble dd_sum(double a, double b)
{
    double s = a + b, t = s - a;
    return (DoubleDouble){s, isfinite(s) ? (a - (s - t)) + (b - t) : 0};
}

static inline DoubleDouble dd_product(double a, double b)
{
    double p = a * b;
    return (DoubleDouble){p, isfinite(p) ? fma(a, b, -p) : 0};
}

static inline DoubleDouble dd_neg(DoubleDouble a) { return (DoubleDouble){-a.hi, -a.lo}; }

static inline DoubleDouble dd_add(DoubleDouble a, DoubleDouble b)
{
    DoubleDouble s = dd_sum(a.hi, b.hi), t = dd_sum(a.lo, b.lo);
    s = dd_of(s.hi, s.lo + t.hi);
    return dd_of(s.hi, s.lo + t.lo);
}

static inline DoubleDouble dd_mul(DoubleDouble a, DoubleDouble b)
{
    DoubleDouble p = dd_product(a.hi, b.hi);
    return dd_of(p.hi, isfinite(p.hi) ? p.lo + (a.hi * b.lo + a.lo * b.hi) : 0);
}

static inline DoubleDouble dd_scale(DoubleDouble a, double b) { return dd_mul(a, (DoubleDouble){b, 0}); }

static inline DoubleDouble dd_div(DoubleDouble a, DoubleDouble b)
{
    double q = a.hi / b.hi;
    if (!isfinite(q) || !isfinite(b.hi) || q == 0) return (DoubleDouble){q, 0};
    DoubleDouble r = dd_add(a, dd_neg(dd_scale(b, q)));
    double q2 = r.hi / b.hi;
    r = dd_add(r, dd_neg(dd_scale(b, q2)));
    DoubleDouble sum = dd_of(q, q2);
    return dd_add(sum, (DoubleDouble){r.hi / b.hi, 0});
}

static inline DoubleDouble dd_sqrt(DoubleDouble a)
{
    double x = sqrt(a.hi);
    if (!isfinite(x) || x == 0) return (DoubleDouble){x, 0};
    DoubleDouble r = dd_add(a, dd_neg(dd_product(x, x)));
    DoubleDouble y = dd_of(x, r.hi / (2 * x));
    r = dd_add(a, dd_neg(dd_mul(y, y)));
    return dd_add(y, (DoubleDouble){r.hi / (2 * x), 0});
}

/* floor, ceil or rint of it, by that of its parts */
static inline DoubleDouble dd_rounded(DoubleDouble a, double (*part)(double))
{
    double hi = part(a.hi);
    if (hi == a.hi) return dd_of(hi, part(a.lo));
    if (part == rint && fabs(a.hi - hi) == 0.5 && a.lo != 0) hi = a.lo > 0 ? ceil(a.hi) : floor(a.hi);
    return (DoubleDouble){hi, 0};
}

/* < 0, 0, > 0; neither is NaN */
static inline int dd_order(DoubleDouble a, DoubleDouble b)
{
    if (a.hi != b.hi) return a.hi < b.hi ? -1 : 1;
    return (a.lo > b.lo) - (a.lo < b.lo);
}

static inline Widest dd_widest(DoubleDouble a) { return (Widest)a.hi + (Widest)a.lo; }

static inline DoubleDouble dd_narrowed(Widest v)
{
    double hi = (double)v;
    return (DoubleDouble){hi, isfinite(hi) ? (double)(v - (Widest)hi) : 0};
}

#endif
