/* eval_ops: the scalar operations in every type and mode, and what goes wrong in them. */
#define __STDC_WANT_IEC_60559_TYPES_EXT__ 1
#define __STDC_WANT_IEC_60559_FUNCS_EXT__ 1
#include "eval_private.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "double_double.h"

/* ---- failing: a flag, not a jump; what still runs works with harmless values until a loop or a store looks ---- */

void run_fail(Run *m, int kind, const Term *t, int64_t a, int64_t b)
{
    if (m->failed) return;
    m->failed = true;
    m->why = (Failure){.kind = kind, .term = t, .a = a, .b = b};
    m->hard = kind == FAIL_FUEL || kind == FAIL_STOP || kind == FAIL_LATE || kind == FAIL_REFUSED || kind == FAIL_MEMORY;
}

/* ---- scalar operations ----
 * Each is written once as an expression over a, b, c and expanded for every type: the exact forms round the
 * result to their own type (f32 operands make f32 arithmetic; a function computed in double is rounded once), the
 * reference form computes in double and adds the shadow, the wide form in double-double, and the drawn form rounds what the
 * wide one, or of functions the reference form, makes. An operation without a row below does not compile. */

static double brain(double v) { return scalar_rounded(SC_BF16, v); }
static double half(double v) { return (double)(_Float16)v; }
static double single(double v) { return (double)(float)v; }

static inline Flt flt(const Code *k, int i, Run *m) { return k->kids[i]->run.f(k->kids[i], m); }
static inline int64_t num(const Code *k, int i, Run *m) { return k->kids[i]->run.i(k->kids[i], m); }

/* What NAME_of makes of values becomes code for one element, and, in NAME_wide, for a strip of them (eval_wide.c). Of kids of
 * the class OF (flt, num), to one of the class TO. */
#define OPERATION1(NAME, T, OF, TO) \
    static T NAME(const Code *k, Run *m) { return NAME##_of(k, m, OF(k, 0, m)); } \
    static void NAME##_wide(const Code *k, const Strip *of, const Strip *to, int n, Run *m) \
    { \
        for (int j = 0; j < n; j++) strip_put_##TO(to, j, NAME##_of(k, m, strip_##OF(&of[0], j))); \
    }
#define OPERATION3(NAME, T, OF, TO) \
    static T NAME(const Code *k, Run *m) \
    { \
        __typeof__(OF(k, 0, m)) x = OF(k, 0, m), y = OF(k, 1, m), z = OF(k, 2, m); \
        return NAME##_of(k, m, x, y, z); \
    } \
    static void NAME##_wide(const Code *k, const Strip *of, const Strip *to, int n, Run *m) \
    { \
        for (int j = 0; j < n; j++) \
            strip_put_##TO(to, j, NAME##_of(k, m, strip_##OF(&of[0], j), strip_##OF(&of[1], j), strip_##OF(&of[2], j))); \
    }
#define OPERATION2(NAME, T, OF, TO) \
    static T NAME(const Code *k, Run *m) \
    { \
        __typeof__(OF(k, 0, m)) x = OF(k, 0, m), y = OF(k, 1, m); \
        return NAME##_of(k, m, x, y); \
    } \
    static void NAME##_wide(const Code *k, const Strip *of, const Strip *to, int n, Run *m) \
    { \
        for (int j = 0; j < n; j++) strip_put_##TO(to, j, NAME##_of(k, m, strip_##OF(&of[0], j), strip_##OF(&of[1], j))); \
    }
/* The same, of what it makes itself one element before: that is in registers. */
#define FOLDED2(NAME, T, OF) \
    static T NAME(const Code *k, Run *m) \
    { \
        T x = OF(k, 0, m), y = OF(k, 1, m); \
        return NAME##_of(k, m, x, y); \
    } \
    static void NAME##_wide(const Code *k, const Strip *of, const Strip *to, int n, Run *m) \
    { \
        bool folds = strip_folds(&of[0], to); \
        T x = strip_##OF(&of[0], 0); \
        if (folds) for (int j = 0; j < n; j++) strip_put_##OF(to, j, x = NAME##_of(k, m, x, strip_##OF(&of[1], j))); \
        else for (int j = 0; j < n; j++) strip_put_##OF(to, j, NAME##_of(k, m, strip_##OF(&of[0], j), strip_##OF(&of[1], j))); \
    }

static double larger(double a, double b) { return a > b || isnan(a) ? a : b; }

/* ---- draws ---- */

/* The largest magnitude that OpenCL C 1.2 (7.4) lets a device be wrong by, in ulp: of f32, and of f64. f16 is taken as f32; bf16 is what f32 gives. */
typedef struct Ulps { double single, twice; } Ulps;

static double ulps_of(Ulps u, Scalar s) { return s == SC_F64 ? u.twice : u.single; }

static double ulp(Scalar s, double v)
{
    int exponent;
    frexp(fmax(fabs(v), float_ranges[s].least), &exponent);
    return ldexp(1 / float_ranges[s].exact, exponent);
}

/* The value of that type next to one of it. */
static double beside(Scalar s, double v, bool above)
{
    if (s == SC_F64) return nextafter(v, above ? INFINITY : -INFINITY);
    if (s == SC_F32) return (double)nextafterf((float)v, above ? INFINITY : -INFINITY);
    double step = ulp(s, above == (v > 0) ? v : v * (1 - 0x1p-12));
    return scalar_rounded(s, above ? v + step : v - step);
}

static uint64_t bits_of(double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

/* What a function makes, with few bits: is that its value? What would be the same for arguments beside those, as exp 1e-40 is 1, is none. */
static bool is_short(const Run *m, Flt r)
{
    enum { ZEROS = 24 };                 /* bits at the end */
    return mode_is_wide(m->mode) ? r.shadow == 0 : !(bits_of(r.v) & ((1u << ZEROS) - 1));
}

static Flt argument_beside(Flt x) { return (Flt){x.v * (1 + 0x1p-40), 0}; }
static bool is_end(Flt x) { return x.v == 0 || !isfinite(x.v); }

/* From -1 to 1. */
static double fraction(uint64_t hash) { return (double)(hash >> 11) * 0x1p-52 - 1; }

void run_draw(Run *m, uint64_t draw)
{
    m->draw = draw;
    for (int i = 0; i < PRIM_COUNT; i++) m->lean[i] = fraction(hash_mix(draw, (uint64_t)i));
}

/* A sum that is exact here for want of magnitude is not in another order, where some of its terms are more together; of whole numbers it is in any. */
static bool is_full(Scalar s, double v)
{
    enum { ROOM = 8 };                   /* times as much */
    return fmod(v, ROOM * ulp(s, v)) != 0;
}

/* r is what an operation makes: of arithmetic with what is left of it, of functions in double, and no more than `most` if r is none;
 * key: says of which operands. */
static Flt drawn(const Code *k, const Run *m, Flt r, bool exact, uint64_t key, Ulps ulps, double most)
{
    Scalar s = m->mode == EVAL_RANDOM_F64 ? SC_F64 : k->scalar;
    bool function = ulps.twice > 0, up;
    uint64_t h = hash_mix(m->draw, key);
    double u = fraction(h), v = r.v;
    if (!isfinite(v) || v == 0) return (Flt){v, 0};
    if (m->mode == EVAL_RANDOM_WIDE) {
        if (exact) return r;
        DoubleDouble moved = dd_of(v, r.shadow + u * 0x1p-100 * fabs(v));
        return (Flt){moved.hi, moved.lo};
    }
    bool kernel = m->mode == EVAL_MOVED || m->mode == EVAL_ANY_ORDER;
    if (ulps_of(ulps, s) > 0 && (kernel || (m->mode == EVAL_RANDOM && !exact))) {
        /* Each result by itself; in every other draw all of a function by as much, as those of a device that is always a little low, or
         * a little too near 0, which sums do not average away. */
        Scalar held = s == SC_BF16 ? SC_F32 : s;
        double unit = m->draw & 2 ? v / float_ranges[held].exact : ulp(held, v);
        double by = ulps_of(ulps, s) * (m->draw & 1 ? u * ulp(held, v) : m->lean[k->term->prim] * unit);
        v = fabs(v) <= most ? fmin(most, fmax(-most, v + by)) : v + by;
        if (m->mode == EVAL_MOVED) return (Flt){scalar_rounded(s, v), 0};
    }
    double near = scalar_rounded(s, v);
    bool rounds_elsewhere = m->mode == EVAL_ANY_ORDER && k->term->prim == PRIM_ADD && is_full(s, v);
    if (near == v && exact && !rounds_elsewhere) return (Flt){v, 0};
    up = near == v && !function && !exact ? r.shadow > 0 : near == v ? h & 2 : v > near;
    return (Flt){h & 1 ? near : beside(s, near, up), 0};
}

static Flt drawn_arithmetic(const Code *k, const Run *m, Flt r, Ulps ulps)
{
    return drawn(k, m, r, r.shadow == 0, bits_of(r.v), ulps, INFINITY);
}

/* ---- floats: NAME_bf16 _f16 _f32 _f64 _ref; in SHADOW r is the result, x y z the operands with their shadows, ERR what the function's
 * argument may be wrong by, as a shadow ---- */

#define ERR (k->kids[0]->exact ? 0 : x.shadow)

#define FLOAT1_AS(SUFFIX, T, ROUND, NAME, EXPR) \
    static inline Flt NAME##_##SUFFIX##_of(const Code *k, Run *m, Flt x) \
    { \
        (void)k, (void)m; \
        T a = (T)x.v; \
        return (Flt){ROUND(EXPR), 0}; \
    } \
    OPERATION1(NAME##_##SUFFIX, Flt, flt, flt)
#define FLOAT1(NAME, EXPR, SHADOW) \
    FLOAT1_AS(bf16, float, brain, NAME, EXPR) \
    FLOAT1_AS(f16, double, half, NAME, EXPR) \
    FLOAT1_AS(f32, float, single, NAME, EXPR) \
    FLOAT1_AS(f64, double, (double), NAME, EXPR) \
    static inline Flt NAME##_ref_of(const Code *k, Run *m, Flt x) \
    { \
        (void)k, (void)m; \
        double a = x.v, r = EXPR; \
        return (Flt){r, SHADOW}; \
    } \
    OPERATION1(NAME##_ref, Flt, flt, flt)

#define FLOAT2_AS(SUFFIX, T, ROUND, NAME, EXPR) \
    static inline Flt NAME##_##SUFFIX##_of(const Code *k, Run *m, Flt x, Flt y) \
    { \
        (void)k, (void)m; \
        T a = (T)x.v, b = (T)y.v; \
        return (Flt){ROUND(EXPR), 0}; \
    } \
    FOLDED2(NAME##_##SUFFIX, Flt, flt)
#define FLOAT2(NAME, EXPR, SHADOW) \
    FLOAT2_AS(bf16, float, brain, NAME, EXPR) \
    FLOAT2_AS(f16, double, half, NAME, EXPR) \
    FLOAT2_AS(f32, float, single, NAME, EXPR) \
    FLOAT2_AS(f64, double, (double), NAME, EXPR) \
    static inline Flt NAME##_ref_of(const Code *k, Run *m, Flt x, Flt y) \
    { \
        (void)k, (void)m; \
        double a = x.v, b = y.v, r = EXPR; \
        return (Flt){r, SHADOW}; \
    } \
    FOLDED2(NAME##_ref, Flt, flt)

static double sign_of(double a) { return a > 0 ? 1 : a < 0 ? -1 : isnan(a) ? 0 : a; }

/* How steep tanh gets near a, when a itself is uncertain by a small part of its shadow. */
static double tanh_slope(double a, double shadow)
{
    double t = tanh(fmax(0, fabs(a) - 1e-4 * shadow));
    return 1 - t * t;
}

/* How steep asin and acos get near a, likewise: at -1 and 1 they have no slope. */
static double arc_slope(double a, double shadow)
{
    double b = fmax(0, fabs(a) - 1e-4 * shadow);
    return 1 / sqrt(1 - b * b);
}

/* lgamma without its global variable. */
static double log_gamma_of(double a)
{
    int sign;
    return lgamma_r(a, &sign);
}

#define REENTRANT_NAME(function) function##_r
#define REENTRANT(function) REENTRANT_NAME(function)
static Widest log_gamma_widest(Widest a)
{
    int sign;
    return REENTRANT(WIDEST(lgamma))(a, &sign);
}

/* How steep it is near a: the difference of two values. */
static double gamma_slope(double a)
{
    double h = 1e-4 * fmax(1e-4, fabs(a));
    return fabs(log_gamma_of(a + h) - log_gamma_of(a - h)) / (2 * h);
}

static double pow_shadow(Flt x, Flt y, double r)
{
    double by_x = y.v == 0 ? 0 : fabs(r * y.v / x.v) * x.shadow;
    double by_y = x.v == 0 ? 0 : fabs(r * log(fabs(x.v))) * y.shadow;
    return larger(fabs(r), by_x + by_y);
}

/* The larger shadow, unless one side is out of reach of the other (inf as a neutral element is, and NaN). */
static double extreme_shadow(Flt x, Flt y, double r)
{
    if (isnan(x.v) || isnan(y.v)) return isnan(x.v) ? y.shadow : x.shadow;
    bool apart = isinf(x.v) != isinf(y.v) || fabs(x.v - y.v) > 1e-3 * (x.shadow + y.shadow);
    return !apart ? larger(x.shadow, y.shadow) : r == x.v ? x.shadow : y.shadow;
}

/* Of a power r whose exponent has that shadow: 0, as of what is masked by -inf, is exact. */
static double power_shadow(double r, double shadow) { return r == 0 ? 0 : r * larger(1, shadow); }

static double root_shadow(double shadow, double r) { return shadow == 0 ? r : larger(r, shadow / (2 * r)); }

FLOAT2(add, a + b, x.shadow + y.shadow)
FLOAT2(sub, a - b, x.shadow + y.shadow)
FLOAT2(mul, a * b, x.shadow * y.shadow)
FLOAT2(quotient, a / b, x.shadow * y.shadow / (b * b))
FLOAT2(least, fmin(a, b), extreme_shadow(x, y, r))
FLOAT2(most, fmax(a, b), extreme_shadow(x, y, r))
FLOAT2(power, pow(a, b), pow_shadow(x, y, r))
FLOAT1(minus, -a, x.shadow)
FLOAT1(magnitude, fabs(a), x.shadow)
FLOAT1(root, sqrt(a), root_shadow(ERR, r))
FLOAT1(inverse_root, 1 / sqrt((double)a), larger(r, r * r * r * ERR / 2))
FLOAT1(exponential, exp(a), power_shadow(r, ERR))
FLOAT1(exponential2, exp2(a), power_shadow(r, ERR))
FLOAT1(exponential_m1, expm1(a), r == -1 ? 1 : larger(fabs(r), (1 + r) * ERR))
FLOAT1(logarithm, log(a), larger(fabs(r), ERR / fabs(a)))
FLOAT1(logarithm2, log2(a), larger(fabs(r), ERR / fabs(a) * 1.4426950408889634))
FLOAT1(logarithm_1p, log1p(a), larger(fabs(r), ERR / fabs(1 + a)))
FLOAT1(sine, sin(a), larger(fabs(r), ERR))
FLOAT1(cosine, cos(a), larger(fabs(r), ERR))
FLOAT1(tangent, tan(a), larger(fabs(r), (1 + r * r) * ERR))
FLOAT1(tangens_h, tanh(a), larger(fabs(r), tanh_slope(a, ERR) * ERR))
FLOAT1(arc_sine, asin(a), larger(fabs(r), arc_slope(a, ERR) * ERR))
FLOAT1(arc_cosine, acos(a), larger(fabs(r), arc_slope(a, ERR) * ERR))
FLOAT1(arc_tangent, atan(a), larger(fabs(r), ERR / (1 + a * a)))
FLOAT2(angle, atan2(a, b), larger(fabs(r), (fabs(b) * x.shadow + fabs(a) * y.shadow) / (a * a + b * b)))
FLOAT1(sine_h, sinh(a), larger(fabs(r), cosh(a) * ERR))
FLOAT1(cosine_h, cosh(a), larger(fabs(r), fabs(sinh(a)) * ERR))
FLOAT1(error_function, erf(a), larger(fabs(r), 1.1283791670955126 * exp(-a * a) * ERR))
FLOAT1(log_gamma, log_gamma_of(a), larger(fmax(1, fabs(r)), gamma_slope(a) * ERR))
FLOAT1(cut, trunc(a), larger(fabs(r), ERR))
FLOAT1(round_down, floor(a), larger(fabs(r), ERR))
FLOAT1(round_up, ceil(a), larger(fabs(r), ERR))
FLOAT1(round_even, rint(a), larger(fabs(r), ERR))
FLOAT1(sign, sign_of(a), fabs(r))

#define FMA_AS(SUFFIX, FN, ROUND) \
    static inline Flt fused_##SUFFIX##_of(const Code *k, Run *m, Flt x, Flt y, Flt z) \
    { \
        (void)k, (void)m; \
        double a = x.v, b = y.v, c = z.v; \
        return (Flt){ROUND(FN), 0}; \
    } \
    OPERATION3(fused_##SUFFIX, Flt, flt, flt)
FMA_AS(bf16, fmaf((float)a, (float)b, (float)c), brain)
FMA_AS(f16, (long double)a * b + c, (double)(_Float16)(double))
FMA_AS(f32, fmaf((float)a, (float)b, (float)c), single)
FMA_AS(f64, fma(a, b, c), (double))

static inline Flt fused_ref_of(const Code *k, Run *m, Flt x, Flt y, Flt z)
{
    (void)k, (void)m;
    return (Flt){fma(x.v, y.v, z.v), x.shadow * y.shadow + z.shadow};
}
OPERATION3(fused_ref, Flt, flt, flt)

/* ---- floats, wide and drawn: NAME_dd, and NAME_draw where anything is rounded ---- */

static inline DoubleDouble dd_from(Flt x) { return (DoubleDouble){x.v, x.shadow}; }
static inline Flt dd_to(DoubleDouble x) { return (Flt){x.hi, x.lo}; }

#define WIDE1(NAME, EXPR) \
    static inline Flt NAME##_dd_of(const Code *k, Run *m, Flt x) \
    { \
        (void)k, (void)m; \
        DoubleDouble a = dd_from(x); \
        return dd_to(EXPR); \
    } \
    OPERATION1(NAME##_dd, Flt, flt, flt)
#define WIDE2(NAME, EXPR) \
    static inline Flt NAME##_dd_of(const Code *k, Run *m, Flt x, Flt y) \
    { \
        (void)k, (void)m; \
        DoubleDouble a = dd_from(x), b = dd_from(y); \
        return dd_to(EXPR); \
    } \
    OPERATION2(NAME##_dd, Flt, flt, flt)

#define DRAW(NAME, OPERATION, KIDS, GIVEN, SINGLE) \
    static const Ulps NAME##_ulps = {SINGLE, 0}; \
    static inline Flt NAME##_draw_of(const Code *k, Run *m, UNPACK KIDS) { return drawn_arithmetic(k, m, NAME##_dd_of GIVEN, NAME##_ulps); } \
    OPERATION(NAME##_draw, Flt, flt, flt)
#define DRAW1(NAME, SINGLE) DRAW(NAME, OPERATION1, (Flt x), (k, m, x), SINGLE)
#define DRAW2(NAME, SINGLE) DRAW(NAME, OPERATION2, (Flt x, Flt y), (k, m, x, y), SINGLE)
/* A function, by a form of one or two arguments. */
#define DRAW_OF1(NAME, FORM, ULPS, MOST) \
    static const Ulps NAME##_ulps = {ULPS, ULPS}; \
    static inline Flt NAME##_draw_of(const Code *k, Run *m, Flt x) \
    { \
        Flt r = FORM(k, m, x); \
        bool exact = is_short(m, r) && (is_end(x) || FORM(k, m, argument_beside(x)).v != r.v); \
        return drawn(k, m, r, exact, hash_mix(bits_of(r.v), bits_of(x.v)), NAME##_ulps, MOST); \
    } \
    OPERATION1(NAME##_draw, Flt, flt, flt)
#define DRAW_OF2(NAME, FORM, ULPS, MOST) \
    static const Ulps NAME##_ulps = {ULPS, ULPS}; \
    static inline Flt NAME##_draw_of(const Code *k, Run *m, Flt x, Flt y) \
    { \
        Flt r = FORM(k, m, x, y); \
        bool exact = is_short(m, r) && (is_end(x) || is_end(y) || FORM(k, m, argument_beside(x), argument_beside(y)).v != r.v); \
        uint64_t key = hash_mix(hash_mix(bits_of(r.v), bits_of(x.v)), bits_of(y.v)); \
        return drawn(k, m, r, exact, key, NAME##_ulps, MOST); \
    } \
    OPERATION2(NAME##_draw, Flt, flt, flt)
/* A function of the machine's, which costs far more in the wide form. */
#define FUNCTION1(NAME, FN, ULPS, MOST) \
    WIDE1(NAME, dd_narrowed(WIDEST(FN)(dd_widest(a)))) \
    DRAW_OF1(NAME, (m->mode == EVAL_RANDOM_WIDE ? NAME##_dd_of : NAME##_ref_of), ULPS, MOST)
#define FUNCTION2(NAME, FN, ULPS) \
    WIDE2(NAME, dd_narrowed(WIDEST(FN)(dd_widest(a), dd_widest(b)))) \
    DRAW_OF2(NAME, (m->mode == EVAL_RANDOM_WIDE ? NAME##_dd_of : NAME##_ref_of), ULPS, INFINITY)

#define UNPACK(...) __VA_ARGS__

WIDE2(add, dd_add(a, b))
WIDE2(sub, dd_add(a, dd_neg(b)))
WIDE2(mul, dd_mul(a, b))
WIDE2(quotient, dd_div(a, b))
WIDE2(least, isnan(a.hi) || (!isnan(b.hi) && dd_order(b, a) < 0) ? b : a)
WIDE2(most, isnan(a.hi) || (!isnan(b.hi) && dd_order(b, a) > 0) ? b : a)
WIDE1(minus, dd_neg(a))
WIDE1(magnitude, signbit(a.hi) ? dd_neg(a) : a)
WIDE1(root, dd_sqrt(a))
WIDE1(inverse_root, dd_div((DoubleDouble){1, 0}, dd_sqrt(a)))
WIDE1(round_down, dd_rounded(a, floor))
WIDE1(round_up, dd_rounded(a, ceil))
WIDE1(cut, dd_rounded(a, trunc))
WIDE1(round_even, dd_rounded(a, rint))
WIDE1(sign, ((DoubleDouble){sign_of(a.hi), 0}))
static inline Flt fused_dd_of(const Code *k, Run *m, Flt x, Flt y, Flt z) { return add_dd_of(k, m, mul_dd_of(k, m, x, y), z); }
OPERATION3(fused_dd, Flt, flt, flt)

DRAW2(add, 0)
DRAW2(sub, 0)
DRAW2(mul, 0)
DRAW2(quotient, 2.5)
DRAW1(root, 3)
DRAW_OF1(inverse_root, inverse_root_dd_of, 2, INFINITY)
DRAW(fused, OPERATION3, (Flt x, Flt y, Flt z), (k, m, x, y, z), 0)
FUNCTION1(exponential, exp, 3, INFINITY)
FUNCTION1(exponential2, exp2, 3, INFINITY)
FUNCTION1(exponential_m1, expm1, 3, INFINITY)
FUNCTION1(logarithm, log, 3, INFINITY)
FUNCTION1(logarithm2, log2, 3, INFINITY)
FUNCTION1(logarithm_1p, log1p, 2, INFINITY)
FUNCTION1(sine, sin, 4, 1)
FUNCTION1(cosine, cos, 4, 1)
FUNCTION1(tangent, tan, 5, INFINITY)
FUNCTION1(tangens_h, tanh, 5, 1)
FUNCTION1(arc_sine, asin, 4, INFINITY)
FUNCTION1(arc_cosine, acos, 4, INFINITY)
FUNCTION1(arc_tangent, atan, 5, INFINITY)
FUNCTION1(sine_h, sinh, 4, INFINITY)
FUNCTION1(cosine_h, cosh, 4, INFINITY)
FUNCTION1(error_function, erf, 16, 1)
WIDE1(log_gamma, dd_narrowed(log_gamma_widest(dd_widest(a))))
/* What a device may be wrong by is left open: by ulps, of 1 near the zeros, where logarithms cancel. */
static const Ulps log_gamma_ulps = {16, 16};
static inline Flt log_gamma_form(const Code *k, Run *m, Flt x) { return m->mode == EVAL_RANDOM_WIDE ? log_gamma_dd_of(k, m, x) : log_gamma_ref_of(k, m, x); }
static inline Flt log_gamma_draw_of(const Code *k, Run *m, Flt x)
{
    Flt r = log_gamma_form(k, m, x);
    bool exact = is_short(m, r) && (is_end(x) || log_gamma_form(k, m, argument_beside(x)).v != r.v);
    double away = m->mode != EVAL_RANDOM_WIDE && fabs(r.v) < 1 ? copysign(1, r.v) : 0;
    r.v += away;
    r = drawn(k, m, r, exact, hash_mix(bits_of(r.v), bits_of(x.v)), log_gamma_ulps, INFINITY);
    return (Flt){r.v - away, r.shadow};
}
OPERATION1(log_gamma_draw, Flt, flt, flt)
FUNCTION2(power, pow, 16)
FUNCTION2(angle, atan2, 6)

/* ---- integers: NAME_i8 ... _u64, computed in 64 bits, and wrapped to the type ---- */

#define WRAP(a, op, b) (int64_t)((uint64_t)(a) op (uint64_t)(b))
#define WIDE(T) __typeof__((T)0 + (int64_t)0)        /* uint64_t of u64, int64_t of all others */

#define APPLY(M, ...) M(__VA_ARGS__)
#define INT1_ROW(A, id, name, class, key, T, ...) APPLY(INT1_AS, name, T, UNPACK A)
#define INT2_ROW(A, id, name, class, key, T, ...) APPLY(INT2_AS, name, T, UNPACK A)

#define INT1_AS(SUFFIX, T, NAME, EXPR) \
    static inline int64_t NAME##_##SUFFIX##_of(const Code *k, Run *m, int64_t x) \
    { \
        (void)k, (void)m; \
        const int bits = 8 * (int)sizeof(T); \
        WIDE(T) a = (WIDE(T))x; \
        (void)bits; \
        return (int64_t)(T)EXPR; \
    } \
    OPERATION1(NAME##_##SUFFIX, int64_t, num, num)
#define INT2_AS(SUFFIX, T, NAME, EXPR) \
    static inline int64_t NAME##_##SUFFIX##_of(const Code *k, Run *m, int64_t x, int64_t y) \
    { \
        const int bits = 8 * (int)sizeof(T); \
        WIDE(T) a = (WIDE(T))x, b = (WIDE(T))y; \
        (void)k, (void)m, (void)bits; \
        return (int64_t)(T)EXPR; \
    } \
    FOLDED2(NAME##_##SUFFIX, int64_t, num)
#define INT1(NAME, EXPR) SCALARS_INT(INT1_ROW, (NAME, (EXPR)))
#define INT2(NAME, EXPR) SCALARS_INT(INT2_ROW, (NAME, (EXPR)))

typedef enum Rounding { FLOOR_QUOTIENT, FLOOR_REST, QUOTIENT, REST } Rounding;

static uint64_t divide_unsigned(const Code *k, Run *m, uint64_t a, uint64_t b, Rounding how)
{
    if (b != 0) return how == FLOOR_QUOTIENT || how == QUOTIENT ? a / b : a % b;
    run_fail(m, FAIL_DIVISION, k->term, (int64_t)a, 0);
    return 0;
}

static int64_t divide_signed(const Code *k, Run *m, int64_t a, int64_t b, Rounding how)
{
    if (b == 0) {
        run_fail(m, FAIL_DIVISION, k->term, a, 0);
        return 0;
    }
    if (b == -1) return how == FLOOR_QUOTIENT || how == QUOTIENT ? WRAP(0, -, a) : 0;
    switch (how) {
    case FLOOR_QUOTIENT: return floor_div(a, b);
    case FLOOR_REST: return floor_mod(a, b);
    case QUOTIENT: return a / b;
    default: return a % b;
    }
}

#define DIVIDE(how) _Generic(a, uint64_t: divide_unsigned, default: divide_signed)(k, m, a, b, how)

INT2(add, WRAP(a, +, b))
INT2(sub, WRAP(a, -, b))
INT2(mul, WRAP(a, *, b))
INT2(floor_quotient, DIVIDE(FLOOR_QUOTIENT))
INT2(floor_rest, DIVIDE(FLOOR_REST))
INT2(quotient, DIVIDE(QUOTIENT))
INT2(rest, DIVIDE(REST))
INT2(least, a < b ? a : b)
INT2(most, a > b ? a : b)
INT2(bit_and, a & b)
INT2(bit_or, a | b)
INT2(bit_xor, a ^ b)
INT2(shift_left, (uint64_t)a << (b & (bits - 1)))
INT2(shift_right, a >> (b & (bits - 1)))
INT1(bits_set, __builtin_popcountll((uint64_t)a << (64 - bits)))
INT1(zeros_before, a ? __builtin_clzll((uint64_t)a << (64 - bits)) : bits)
INT1(minus, WRAP(0, -, a))
INT1(magnitude, a > 0 ? (int64_t)a : WRAP(0, -, a))

static inline int64_t negation_of(const Code *k, Run *m, int64_t x) { return (void)k, (void)m, !x; }
OPERATION1(negation, int64_t, num, num)

/* The second one only where the first does not say it; of strips both are there. */
#define LOGIC(NAME, OP) \
    static int64_t NAME(const Code *k, Run *m) { return num(k, 0, m) OP num(k, 1, m); } \
    static void NAME##_wide(const Code *k, const Strip *of, const Strip *to, int n, Run *m) \
    { \
        (void)k, (void)m; \
        for (int j = 0; j < n; j++) to->i[j] = of[0].i[j] OP of[1].i[j]; \
    }
LOGIC(both, &&)
LOGIC(either, ||)

/* ---- comparisons ---- */

#define COMPARE_AS(NAME, V, OF, EXPR) \
    static inline int64_t NAME##_of(const Code *k, Run *m, V a, V b) \
    { \
        (void)k, (void)m; \
        return EXPR; \
    } \
    OPERATION2(NAME, int64_t, OF, num)
#define COMPARE(NAME, OP) \
    COMPARE_AS(NAME##_dd, Flt, flt, a.v == b.v ? a.shadow OP b.shadow : a.v OP b.v) \
    COMPARE_AS(NAME##_int, int64_t, num, a OP b) \
    COMPARE_AS(NAME##_u64, int64_t, num, (uint64_t)a OP (uint64_t)b) \
    COMPARE_AS(NAME##_flt, Flt, flt, a.v OP b.v)
COMPARE(equal, ==)
COMPARE(different, !=)
COMPARE(less, <)
COMPARE(less_equal, <=)
COMPARE(greater, >)
COMPARE(greater_equal, >=)

/* ---- select: both sides are evaluated ---- */

#define CHOOSE(NAME, T, OF) \
    static T NAME(const Code *k, Run *m) \
    { \
        int64_t c = num(k, 0, m); \
        T a = OF(k, 1, m), b = OF(k, 2, m); \
        return c ? a : b; \
    } \
    static void NAME##_wide(const Code *k, const Strip *of, const Strip *to, int n, Run *m) \
    { \
        (void)k, (void)m; \
        for (int j = 0; j < n; j++) strip_put_##OF(to, j, of[0].i[j] ? strip_##OF(&of[1], j) : strip_##OF(&of[2], j)); \
    }
CHOOSE(choose_int, int64_t, num)
CHOOSE(choose_flt, Flt, flt)

WideFn *op_wide_choice(Scalar s) { return scalar_is_float(s) ? choose_flt_wide : choose_int_wide; }

/* ---- casts ---- */

/* The number that is kept so. */
static inline double number_of(const Code *k, int64_t v) { return scalar_number(k->kids[0]->scalar, v); }
static inline double number(const Code *k, Run *m) { return number_of(k, num(k, 0, m)); }

static int64_t to_int(const Code *k, Run *m, int64_t v, Scalar to)
{
    Scalar from = k->kids[0]->scalar;
    bool fits = from == SC_U64 && v < 0 ? to == SC_U64 : scalar_holds(to, v);
    if (fits) return v;
    run_fail(m, FAIL_CAST, k->term, v, 0);
    m->why.d = scalar_number(from, v);
    return 0;
}

/* Towards zero; the least and the most + 1 are exact in double. NaN is out of range. */
static int64_t truncated(const Code *k, Run *m, double v, Scalar to)
{
    double t = trunc(v), past = (double)(uint64_t)scalar_most(to) + 1;
    if (t >= (double)scalar_least(to) && t < past) return t < 0x1p63 ? (int64_t)t : (int64_t)(uint64_t)t;
    run_fail(m, FAIL_CAST, k->term, 0, 0);
    m->why.d = v;
    return 0;
}

static inline int64_t bool_of_int_of(const Code *k, Run *m, int64_t x) { return (void)k, (void)m, x != 0; }
static inline int64_t bool_of_flt_of(const Code *k, Run *m, Flt x) { return (void)k, (void)m, x.v != 0; }
OPERATION1(bool_of_int, int64_t, num, num)
OPERATION1(bool_of_flt, int64_t, flt, num)
#define CASTS_TO_INT(A, id, name, ...) \
    static int64_t name##_of_int_of(const Code *k, Run *m, int64_t x) { return to_int(k, m, x, SC_##id); } \
    static int64_t name##_of_flt_of(const Code *k, Run *m, Flt x) { return truncated(k, m, x.v, SC_##id); } \
    OPERATION1(name##_of_int, int64_t, num, num) \
    OPERATION1(name##_of_flt, int64_t, flt, num)
SCALARS_INT(CASTS_TO_INT, )

static int64_t to_int_dd_of(const Code *k, Run *m, Flt x)
{
    bool below = x.v == trunc(x.v) && x.shadow != 0 && (x.shadow < 0) == (x.v > 0);       /* towards zero of an integer */
    return truncated(k, m, below && x.v != 0 ? x.v - copysign(1, x.v) : x.v, k->scalar);
}
OPERATION1(to_int_dd, int64_t, flt, num)

/* An integer becomes an f32 by one rounding. */
static double single_of(Scalar s, int64_t v) { return s == SC_U64 ? (double)(float)(uint64_t)v : (double)(float)v; }

#define FLT_CAST(NAME, V, OF, EXPR) \
    static inline Flt NAME##_of(const Code *k, Run *m, V x) \
    { \
        (void)k, (void)m; \
        return (Flt){EXPR, 0}; \
    } \
    OPERATION1(NAME, Flt, OF, flt)
FLT_CAST(bf16_of_int, int64_t, num, brain(single_of(k->kids[0]->scalar, x)))
FLT_CAST(bf16_of_flt, Flt, flt, brain(x.v))
FLT_CAST(f16_of_int, int64_t, num, half(number_of(k, x)))
FLT_CAST(f16_of_flt, Flt, flt, half(x.v))
FLT_CAST(f32_of_int, int64_t, num, single_of(k->kids[0]->scalar, x))
FLT_CAST(f32_of_flt, Flt, flt, single(x.v))
FLT_CAST(f64_of_int, int64_t, num, number_of(k, x))
FLT_CAST(f64_of_flt, Flt, flt, x.v)

/* ---- roundings that are part of how something is computed: the meaning is x ---- */

static inline Flt tf32_own_of(const Code *k, Run *m, Flt x) { return (void)k, (void)m, (Flt){tf32_of_double(x.v), 0}; }
static inline Flt tf32_meant_of(const Code *k, Run *m, Flt x) { return (void)k, (void)m, x; }
static inline Flt tf32_draw_of(const Code *k, Run *m, Flt x)
{
    if (m->mode == EVAL_ANY_ORDER) return tf32_own_of(k, m, x);
    if (m->mode != EVAL_RANDOM || !isfinite(x.v)) return x;
    uint32_t bits = bits_of_float((float)x.v), below = bits & 0xffffe000;
    return (Flt){(double)float_of_bits(bits > below && hash_mix(m->draw, bits) & 1 ? below + 0x2000 : below), 0};
}
OPERATION1(tf32_own, Flt, flt, flt)
OPERATION1(tf32_meant, Flt, flt, flt)
OPERATION1(tf32_draw, Flt, flt, flt)

/* ---- the same bits as another type: NAME_bits_OF ---- */

#define BITS_AS(TO, TO_T, V, MADE, MADE_CLASS, OF, OF_T, X, OF_CLASS, VALUE) \
    static inline V TO##_bits_##OF##_of(const Code *k, Run *m, X x) \
    { \
        (void)k, (void)m; \
        union { OF_T from; TO_T to; } same = {.from = (OF_T)VALUE}; \
        return MADE; \
    } \
    OPERATION1(TO##_bits_##OF, V, OF_CLASS, MADE_CLASS)
#define BITS_INT(TO, TO_T, OF, OF_T, X, OF_CLASS, VALUE) BITS_AS(TO, TO_T, int64_t, (int64_t)same.to, num, OF, OF_T, X, OF_CLASS, VALUE)
#define BITS_FLT(TO, TO_T, OF, OF_T, X, OF_CLASS, VALUE) BITS_AS(TO, TO_T, Flt, ((Flt){(double)same.to, 0}), flt, OF, OF_T, X, OF_CLASS, VALUE)
#define BITS_OF(MAKE_OF, TO, TO_T, I, I_T, U, U_T, F, F_T) \
    MAKE_OF(TO, TO_T, I, I_T, int64_t, num, x) \
    MAKE_OF(TO, TO_T, U, U_T, int64_t, num, x) \
    MAKE_OF(TO, TO_T, F, F_T, Flt, flt, x.v)
#define WORD32(MAKE_OF, TO, TO_T) BITS_OF(MAKE_OF, TO, TO_T, i32, int32_t, u32, uint32_t, f32, float)
#define WORD64(MAKE_OF, TO, TO_T) BITS_OF(MAKE_OF, TO, TO_T, i64, int64_t, u64, uint64_t, f64, double)
WORD32(BITS_INT, i32, int32_t)
WORD32(BITS_INT, u32, uint32_t)
WORD32(BITS_FLT, f32, float)
WORD64(BITS_INT, i64, int64_t)
WORD64(BITS_INT, u64, uint64_t)
WORD64(BITS_FLT, f64, double)

static inline Flt flt_of_int_ref_of(const Code *k, Run *m, int64_t x)
{
    (void)m;
    double v = number_of(k, x);
    return (Flt){v, fabs(v)};
}

/* To a narrower type is a function like others, unless it was asked for as a rounding: it is none that a better machine would not do. */
static inline bool narrows(const Code *k, const Run *m) { return !m->rounds_casts && scalar_narrows(k->kids[0]->scalar, k->scalar); }
static inline Flt flt_of_flt_ref_of(const Code *k, Run *m, Flt x)
{
    return narrows(k, m) ? (Flt){scalar_rounded(k->scalar, x.v), x.shadow} : x;
}
static inline Flt flt_of_flt_dd_of(const Code *k, Run *m, Flt x)
{
    return narrows(k, m) ? (Flt){scalar_rounded(k->scalar, x.v), 0} : x;
}
static inline Flt flt_of_int_dd_of(const Code *k, Run *m, int64_t x)
{
    (void)m;
    return dd_to(dd_narrowed(k->kids[0]->scalar == SC_U64 ? (Widest)(uint64_t)x : (Widest)x));
}
OPERATION1(flt_of_int_ref, Flt, num, flt)
OPERATION1(flt_of_flt_ref, Flt, flt, flt)
OPERATION1(flt_of_int_dd, Flt, num, flt)
OPERATION1(flt_of_flt_dd, Flt, flt, flt)

static inline Flt flt_of_int_draw_of(const Code *k, Run *m, int64_t x)
{
    return m->mode == EVAL_RANDOM_F64 ? flt_of_int_dd_of(k, m, x) : drawn_arithmetic(k, m, flt_of_int_dd_of(k, m, x), (Ulps){0, 0});
}
static inline Flt flt_of_flt_draw_of(const Code *k, Run *m, Flt x)
{
    return m->mode == EVAL_RANDOM || m->mode == EVAL_ANY_ORDER ? drawn_arithmetic(k, m, x, (Ulps){0, 0}) : flt_of_flt_dd_of(k, m, x);
}
OPERATION1(flt_of_int_draw, Flt, num, flt)
OPERATION1(flt_of_flt_draw, Flt, flt, flt)

/* ---- the table: by the type of the operand (the last one); what follows replaces it in other modes, of operands that are floats and
 * integers: ref in f64, dd in double-double, draw where draws round ---- */

typedef struct Form { Fn run; WideFn *wide; } Form;              /* wide: of strips */
typedef struct Op {
    Form by[SC_COUNT], ref, ref_int, dd, dd_int, draw, draw_int;
    const Ulps *ulps;
} Op;

#define BOTH(T, F) {{T = F}, F##_wide}
#define OWN_INT(N, id, name, ...) [SC_##id] = BOTH(.i, N##_##name),
#define OWN_FLT(N, id, name, ...) [SC_##id] = BOTH(.f, N##_##name),
#define INTS(N) SCALARS_INT(OWN_INT, N)
#define FLTS(N) SCALARS_FLOAT(OWN_FLT, N)
#define REFERENCE(N) .ref = BOTH(.f, N##_ref), .dd = BOTH(.f, N##_dd)
#define DRAWN(N) .draw = BOTH(.f, N##_draw), .ulps = &N##_ulps
#define OF_NUM(N) {.by = {INTS(N) FLTS(N)}, REFERENCE(N), DRAWN(N)}
#define OF_NUM_EXACT(N) {.by = {INTS(N) FLTS(N)}, REFERENCE(N)}
#define OF_FLT(N) {.by = {FLTS(N)}, REFERENCE(N), DRAWN(N)}
#define OF_FLT_EXACT(N) {.by = {FLTS(N)}, REFERENCE(N)}
#define OF_INT(N) {.by = {INTS(N)}}
#define OF_BOOL(N) {.by = {[SC_BOOL] = BOTH(.i, N)}}
#define OF_ALL(T, INT, FLT) .by = {[SC_BOOL ... SC_U64] = BOTH(T, INT), [SC_BF16 ... SC_F64] = BOTH(T, FLT)}
#define OF_COMPARE(N) {.by = {[SC_BOOL ... SC_U32] = BOTH(.i, N##_int), [SC_U64] = BOTH(.i, N##_u64), \
                              [SC_BF16 ... SC_F64] = BOTH(.i, N##_flt)}, .dd = BOTH(.i, N##_dd)}
#define BITS32(T, N) {.by = {[SC_I32] = BOTH(T, N##_bits_i32), [SC_U32] = BOTH(T, N##_bits_u32), [SC_F32] = BOTH(T, N##_bits_f32)}}
#define BITS64(T, N) {.by = {[SC_I64] = BOTH(T, N##_bits_i64), [SC_U64] = BOTH(T, N##_bits_u64), [SC_F64] = BOTH(T, N##_bits_f64)}}
#define TO_INT(N) {OF_ALL(.i, N##_of_int, N##_of_flt), .dd = BOTH(.i, to_int_dd)}
#define TO_FLT(N) {OF_ALL(.f, N##_of_int, N##_of_flt), \
                   .ref = BOTH(.f, flt_of_flt_ref), .ref_int = BOTH(.f, flt_of_int_ref), \
                   .dd = BOTH(.f, flt_of_flt_dd), .dd_int = BOTH(.f, flt_of_int_dd), \
                   .draw = BOTH(.f, flt_of_flt_draw), .draw_int = BOTH(.f, flt_of_int_draw)}

static const Op
    op_ADD = OF_NUM(add), op_SUB = OF_NUM(sub), op_MUL = OF_NUM(mul),
    op_DIV = {.by = {INTS(floor_quotient) FLTS(quotient)}, REFERENCE(quotient), DRAWN(quotient)},
    op_FLOOR_DIV = OF_INT(floor_quotient), op_MOD = OF_INT(floor_rest),
    op_QUOT = OF_INT(quotient), op_REM = OF_INT(rest),
    op_NEG = OF_NUM_EXACT(minus), op_MIN = OF_NUM_EXACT(least), op_MAX = OF_NUM_EXACT(most), op_ABS = OF_NUM_EXACT(magnitude),
    op_EQ = OF_COMPARE(equal), op_NE = OF_COMPARE(different), op_LT = OF_COMPARE(less), op_LE = OF_COMPARE(less_equal),
    op_GT = OF_COMPARE(greater), op_GE = OF_COMPARE(greater_equal),
    op_AND = OF_BOOL(both), op_OR = OF_BOOL(either), op_NOT = OF_BOOL(negation),
    op_SELECT = {.by = {[SC_BOOL ... SC_U64] = BOTH(.i, choose_int), [SC_BF16 ... SC_F64] = BOTH(.f, choose_flt)}},
    op_SQRT = OF_FLT(root), op_RSQRT = OF_FLT(inverse_root),
    op_EXP = OF_FLT(exponential), op_EXP2 = OF_FLT(exponential2),
    op_LOG = OF_FLT(logarithm), op_LOG2 = OF_FLT(logarithm2), op_SIN = OF_FLT(sine), op_COS = OF_FLT(cosine),
    op_TAN = OF_FLT(tangent), op_TANH = OF_FLT(tangens_h),
    op_ASIN = OF_FLT(arc_sine), op_ACOS = OF_FLT(arc_cosine), op_ATAN = OF_FLT(arc_tangent), op_ATAN2 = OF_FLT(angle),
    op_SINH = OF_FLT(sine_h), op_COSH = OF_FLT(cosine_h), op_ERF = OF_FLT(error_function), op_POW = OF_FLT(power),
    op_EXPM1 = OF_FLT(exponential_m1), op_LOG1P = OF_FLT(logarithm_1p), op_LGAMMA = OF_FLT(log_gamma), op_TRUNC = OF_FLT_EXACT(cut),
    op_POPCOUNT = OF_INT(bits_set), op_CLZ = OF_INT(zeros_before),
    op_AS_I32 = BITS32(.i, i32), op_AS_U32 = BITS32(.i, u32), op_AS_F32 = BITS32(.f, f32),
    op_AS_I64 = BITS64(.i, i64), op_AS_U64 = BITS64(.i, u64), op_AS_F64 = BITS64(.f, f64),
    op_FLOOR = OF_FLT_EXACT(round_down),
    op_CEIL = OF_FLT_EXACT(round_up), op_ROUND = OF_FLT_EXACT(round_even), op_FMA = OF_FLT(fused), op_SIGN = OF_FLT_EXACT(sign),
    op_BAND = OF_INT(bit_and), op_BOR = OF_INT(bit_or), op_BXOR = OF_INT(bit_xor), op_SHL = OF_INT(shift_left),
    op_SHR = OF_INT(shift_right),
    op_TF32 = {.by = {[SC_F32] = BOTH(.f, tf32_own)}, .ref = BOTH(.f, tf32_meant), .dd = BOTH(.f, tf32_meant), .draw = BOTH(.f, tf32_draw)},
#define TO(A, id, name, ...) op_TO_##id = A(name),
    SCALARS_INT(TO, TO_INT) SCALARS_FLOAT(TO, TO_FLT) op_TO_BOOL = {OF_ALL(.i, bool_of_int, bool_of_flt)};
#undef TO

static const Op *const ops[PRIM_COUNT] = {
#define OP(id, ...) [PRIM_##id] = &op_##id,
#include "prims.def"
};

static bool is_moved(const Op *o, Scalar operand) { return o->ulps && scalar_is_float(operand) && ulps_of(*o->ulps, operand) > 0; }

Fn op_function(PrimId op, Scalar operand, EvalMode mode)
{
    const Op *o = ops[op];
    bool is_float = scalar_is_float(operand);
    Fn own = o->by[operand].run, ref = is_float ? o->ref.run : o->ref_int.run, wide = is_float ? o->dd.run : o->dd_int.run;
    Fn draw = is_float ? o->draw.run : o->draw_int.run;
    if (!ref.f) ref = own;
    if (!wide.f) wide = ref;
    switch (mode) {
    case EVAL_EXACT: return own;
    case EVAL_MOVED: return is_moved(o, operand) ? draw : own;
    case EVAL_ANY_ORDER: case EVAL_RANDOM: return draw.f ? draw : own;
    case EVAL_REFERENCE: return ref;
    case EVAL_RANDOM_F64: return draw.f ? draw : ref;
    case EVAL_WIDE: return wide;
    case EVAL_RANDOM_WIDE: return draw.f ? draw : wide;
    default: return ref;
    }
}

WideFn *op_wide(Fn run)
{
    enum { FORMS = offsetof(Op, ulps) / sizeof(Form) };
    for (int p = 0; p < PRIM_COUNT; p++) {
        const Form *forms = (const Form *)ops[p];
        for (int i = 0; forms && i < FORMS; i++)
            if (forms[i].wide && forms[i].run.i == run.i) return forms[i].wide;
    }
    return NULL;
}

bool eval_has_functions(const Term *t)
{
    bool op = t->kind == T_PRIM && ops[t->prim] && t->args[0]->type->kind == TY_SCALAR;
    return (op && is_moved(ops[t->prim], t->args[t->arg_count - 1]->type->scalar)) || ANY(i, t->arg_count, eval_has_functions(t->args[i]));
}

/* ---- programs that are exact on small integers ---- */

bool eval_is_exact_program(const Term *t)
{
    bool scalar = t->type->kind == TY_SCALAR, is_float = scalar && scalar_is_float(t->type->scalar);
    if (is_float && t->type->scalar < SC_F32) return false;                         /* 11 bits are too few */
    if (t->kind == T_LIT && is_float && !isinf(t->u.lit.f) && !(t->u.lit.f == rint(t->u.lit.f) && fabs(t->u.lit.f) <= 0x1p20)) return false;
    bool function = t->kind == T_PRIM && is_float && prim((PrimId)t->prim)->family == FAM_SCALAR;
    bool cast = t->kind == T_PRIM && (t->prim == PRIM_TO_F32 || t->prim == PRIM_TO_F64);
    if (function && !cast && !(prim((PrimId)t->prim)->traits & PT_EXACT)) return false;
    return ALL(i, t->arg_count, eval_is_exact_program(t->args[i]));
}

bool eval_takes_any_integer(const Term *t)
{
    PrimId p = (PrimId)t->prim;
    bool ok = t->type->kind != TY_SCALAR || !scalar_is_float(t->type->scalar);
    if (ok && t->kind == T_PRIM) {
        int traits = prim(p)->traits;
        if (traits & PT_DIVIDES) ok = t->args[1]->kind == T_LIT && t->args[1]->u.lit.i != 0;
        else if (p == PRIM_REORDER) ok = t->statics[0]->value != PERM_FUN;
        else if (prim_is_cast(p)) ok = scalar_widens(t->args[0]->type->scalar, t->type->scalar);
        else ok = !(traits & PT_INDEXED) && !prim_is_by_index(p);
    }
    return ok && ALL(i, t->arg_count, eval_takes_any_integer(t->args[i]));
}

bool eval_has_indices(const Term *t)
{
    bool here = t->kind == T_PRIM
        && (t->prim == PRIM_GATHER || t->prim == PRIM_SCATTER || t->prim == PRIM_SLICE || prim_is_by_index((PrimId)t->prim)
            || (t->prim == PRIM_AT && t->args[0]->kind != T_LIT)
            || (t->prim == PRIM_REORDER && t->statics[0]->value == PERM_FUN));
    return here || ANY(i, t->arg_count, eval_has_indices(t->args[i]));
}
