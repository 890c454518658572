#include "eval_private.h"

#include <math.h>

/* ---- failing: a flag, not a jump; what still runs works with harmless values until a loop or a store looks ---- */

void run_fail(Run *m, int kind, const Term *t, int64_t a, int64_t b)
{
    if (m->failed) return;
    m->failed = true;
    m->why = (Failure){.kind = kind, .term = t, .a = a, .b = b};
    m->hard = kind == FAIL_FUEL || kind == FAIL_STOP;
}

/* ---- scalar operations ----
 * Each is written once as an expression over a, b, c and expanded for every type: the exact forms round the
 * result to their own type (f32 operands make f32 arithmetic; a function computed in double is rounded once), the
 * reference form computes in double and adds the shadow. An operation without a row below does not compile. */

static double half(double v) { return (double)(_Float16)v; }
static double single(double v) { return (double)(float)v; }

static inline Flt flt(const Code *k, int i, Run *m) { return k->kids[i]->run.f(k->kids[i], m); }
static inline int64_t num(const Code *k, int i, Run *m) { return k->kids[i]->run.i(k->kids[i], m); }

static double larger(double a, double b) { return a > b || isnan(a) ? a : b; }

/* ---- floats: NAME_f16 _f32 _f64 _ref; in SHADOW r is the result, x y z the operands with their shadows ---- */

#define FLOAT1_AS(SUFFIX, T, ROUND, NAME, EXPR) \
    static Flt NAME##_##SUFFIX(const Code *k, Run *m) \
    { \
        T a = (T)flt(k, 0, m).v; \
        return (Flt){ROUND(EXPR), 0}; \
    }
#define FLOAT1(NAME, EXPR, SHADOW) \
    FLOAT1_AS(f16, double, half, NAME, EXPR) \
    FLOAT1_AS(f32, float, single, NAME, EXPR) \
    FLOAT1_AS(f64, double, (double), NAME, EXPR) \
    static Flt NAME##_ref(const Code *k, Run *m) \
    { \
        Flt x = flt(k, 0, m); \
        double a = x.v, r = EXPR; \
        return (Flt){r, SHADOW}; \
    }

#define FLOAT2_AS(SUFFIX, T, ROUND, NAME, EXPR) \
    static Flt NAME##_##SUFFIX(const Code *k, Run *m) \
    { \
        T a = (T)flt(k, 0, m).v, b = (T)flt(k, 1, m).v; \
        return (Flt){ROUND(EXPR), 0}; \
    }
#define FLOAT2(NAME, EXPR, SHADOW) \
    FLOAT2_AS(f16, double, half, NAME, EXPR) \
    FLOAT2_AS(f32, float, single, NAME, EXPR) \
    FLOAT2_AS(f64, double, (double), NAME, EXPR) \
    static Flt NAME##_ref(const Code *k, Run *m) \
    { \
        Flt x = flt(k, 0, m), y = flt(k, 1, m); \
        double a = x.v, b = y.v, r = EXPR; \
        return (Flt){r, SHADOW}; \
    }

static double sign_of(double a) { return a > 0 ? 1 : a < 0 ? -1 : isnan(a) ? 0 : a; }

/* How steep tanh gets near a, when a itself is uncertain by a small part of its shadow. */
static double tanh_slope(Flt x)
{
    double t = tanh(fmax(0, fabs(x.v) - 1e-4 * x.shadow));
    return 1 - t * t;
}

static double pow_shadow(Flt x, Flt y, double r)
{
    double by_x = y.v == 0 ? 0 : fabs(r * y.v / x.v) * x.shadow;
    double by_y = x.v == 0 ? 0 : fabs(r * log(fabs(x.v))) * y.shadow;
    return larger(fabs(r), by_x + by_y);
}

/* The larger shadow, unless one side is out of reach of the other (inf as a neutral element is). */
static double extreme_shadow(Flt x, Flt y, double r)
{
    bool apart = isinf(x.v) != isinf(y.v) || fabs(x.v - y.v) > 1e-3 * (x.shadow + y.shadow);
    return !apart ? larger(x.shadow, y.shadow) : r == x.v ? x.shadow : y.shadow;
}

static double root_shadow(Flt x, double r) { return x.shadow == 0 ? 0 : larger(r, x.shadow / (2 * r)); }

FLOAT2(add, a + b, x.shadow + y.shadow)
FLOAT2(sub, a - b, x.shadow + y.shadow)
FLOAT2(mul, a * b, x.shadow * y.shadow)
FLOAT2(quotient, a / b, x.shadow * y.shadow / (b * b))
FLOAT2(least, fmin(a, b), extreme_shadow(x, y, r))
FLOAT2(most, fmax(a, b), extreme_shadow(x, y, r))
FLOAT2(power, pow(a, b), pow_shadow(x, y, r))
FLOAT1(minus, -a, x.shadow)
FLOAT1(magnitude, fabs(a), x.shadow)
FLOAT1(root, sqrt(a), root_shadow(x, r))
FLOAT1(inverse_root, 1 / sqrt((double)a), larger(r, r * r * r * x.shadow / 2))
FLOAT1(exponential, exp(a), r * larger(1, x.shadow))
FLOAT1(exponential2, exp2(a), r * larger(1, x.shadow))
FLOAT1(logarithm, log(a), larger(fabs(r), x.shadow / fabs(a)))
FLOAT1(logarithm2, log2(a), larger(fabs(r), x.shadow / fabs(a) * 1.4426950408889634))
FLOAT1(sine, sin(a), larger(fabs(r), x.shadow))
FLOAT1(cosine, cos(a), larger(fabs(r), x.shadow))
FLOAT1(tangent, tan(a), larger(fabs(r), (1 + r * r) * x.shadow))
FLOAT1(tangens_h, tanh(a), larger(fabs(r), tanh_slope(x) * x.shadow))
FLOAT1(round_down, floor(a), larger(fabs(r), x.shadow))
FLOAT1(round_up, ceil(a), larger(fabs(r), x.shadow))
FLOAT1(round_even, rint(a), larger(fabs(r), x.shadow))
FLOAT1(sign, sign_of(a), fabs(r))

#define FMA_AS(SUFFIX, FN, ROUND) \
    static Flt fused_##SUFFIX(const Code *k, Run *m) \
    { \
        double a = flt(k, 0, m).v, b = flt(k, 1, m).v, c = flt(k, 2, m).v; \
        return (Flt){ROUND(FN), 0}; \
    }
FMA_AS(f16, (long double)a * b + c, (double)(_Float16)(double))
FMA_AS(f32, fmaf((float)a, (float)b, (float)c), single)
FMA_AS(f64, fma(a, b, c), (double))

static Flt fused_ref(const Code *k, Run *m)
{
    Flt x = flt(k, 0, m), y = flt(k, 1, m), z = flt(k, 2, m);
    return (Flt){fma(x.v, y.v, z.v), x.shadow * y.shadow + z.shadow};
}

/* ---- integers: computed in 64 bits, wrapped to the type ---- */

#define WRAP(a, op, b) (int64_t)((uint64_t)(a) op (uint64_t)(b))

#define INT1_AS(SUFFIX, T, NAME, EXPR) \
    static int64_t NAME##_##SUFFIX(const Code *k, Run *m) \
    { \
        int64_t a = num(k, 0, m); \
        return (int64_t)(T)(EXPR); \
    }
#define INT1(NAME, EXPR) \
    INT1_AS(i32, int32_t, NAME, EXPR) INT1_AS(i64, int64_t, NAME, EXPR) INT1_AS(u32, uint32_t, NAME, EXPR)

#define INT2_AS(SUFFIX, T, NAME, EXPR) \
    static int64_t NAME##_##SUFFIX(const Code *k, Run *m) \
    { \
        const int bits = 8 * (int)sizeof(T); \
        int64_t a = num(k, 0, m), b = num(k, 1, m); \
        (void)bits; \
        return (int64_t)(T)(EXPR); \
    }
#define INT2(NAME, EXPR) \
    INT2_AS(i32, int32_t, NAME, EXPR) INT2_AS(i64, int64_t, NAME, EXPR) INT2_AS(u32, uint32_t, NAME, EXPR)

typedef enum Rounding { FLOOR_QUOTIENT, FLOOR_REST, QUOTIENT, REST } Rounding;

static int64_t divide(const Code *k, Run *m, int64_t a, int64_t b, Rounding how)
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

INT2(add, WRAP(a, +, b))
INT2(sub, WRAP(a, -, b))
INT2(mul, WRAP(a, *, b))
INT2(floor_quotient, divide(k, m, a, b, FLOOR_QUOTIENT))
INT2(floor_rest, divide(k, m, a, b, FLOOR_REST))
INT2(quotient, divide(k, m, a, b, QUOTIENT))
INT2(rest, divide(k, m, a, b, REST))
INT2(least, a < b ? a : b)
INT2(most, a > b ? a : b)
INT2(bit_and, a & b)
INT2(bit_or, a | b)
INT2(bit_xor, a ^ b)
INT2(shift_left, (uint64_t)a << (b & (bits - 1)))
INT2(shift_right, a >> (b & (bits - 1)))
INT1(minus, WRAP(0, -, a))
INT1(magnitude, a < 0 ? WRAP(0, -, a) : a)

static int64_t negation(const Code *k, Run *m) { return !num(k, 0, m); }

static int64_t both(const Code *k, Run *m) { return num(k, 0, m) && num(k, 1, m); }
static int64_t either(const Code *k, Run *m) { return num(k, 0, m) || num(k, 1, m); }

/* ---- comparisons ---- */

#define COMPARE(NAME, OP) \
    static int64_t NAME##_int(const Code *k, Run *m) \
    { \
        int64_t a = num(k, 0, m), b = num(k, 1, m); \
        return a OP b; \
    } \
    static int64_t NAME##_flt(const Code *k, Run *m) \
    { \
        double a = flt(k, 0, m).v, b = flt(k, 1, m).v; \
        return a OP b; \
    }
COMPARE(equal, ==)
COMPARE(different, !=)
COMPARE(less, <)
COMPARE(less_equal, <=)
COMPARE(greater, >)
COMPARE(greater_equal, >=)

/* ---- select: both sides are evaluated ---- */

static int64_t choose_int(const Code *k, Run *m)
{
    int64_t c = num(k, 0, m), a = num(k, 1, m), b = num(k, 2, m);
    return c ? a : b;
}

static Flt choose_flt(const Code *k, Run *m)
{
    int64_t c = num(k, 0, m);
    Flt a = flt(k, 1, m), b = flt(k, 2, m);
    return c ? a : b;
}

/* ---- casts ---- */

static int64_t in_range(const Code *k, Run *m, int64_t v, int64_t lo, int64_t hi)
{
    if (lo <= v && v <= hi) return v;
    run_fail(m, FAIL_CAST, k->term, v, 0);
    m->why.d = (double)v;
    return 0;
}

/* Towards zero; lo and hi1 = hi + 1 are exact in double. NaN is out of range. */
static int64_t truncated(const Code *k, Run *m, double lo, double hi1)
{
    double v = flt(k, 0, m).v, t = trunc(v);
    if (t >= lo && t < hi1) return (int64_t)t;
    run_fail(m, FAIL_CAST, k->term, 0, 0);
    m->why.d = v;
    return 0;
}

static int64_t bool_of_int(const Code *k, Run *m) { return num(k, 0, m) != 0; }
static int64_t bool_of_flt(const Code *k, Run *m) { return flt(k, 0, m).v != 0; }
static int64_t i32_of_int(const Code *k, Run *m) { return in_range(k, m, num(k, 0, m), INT32_MIN, INT32_MAX); }
static int64_t i32_of_flt(const Code *k, Run *m) { return truncated(k, m, -0x1p31, 0x1p31); }
static int64_t i64_of_int(const Code *k, Run *m) { return num(k, 0, m); }
static int64_t i64_of_flt(const Code *k, Run *m) { return truncated(k, m, -0x1p63, 0x1p63); }
static int64_t u32_of_int(const Code *k, Run *m) { return in_range(k, m, num(k, 0, m), 0, UINT32_MAX); }
static int64_t u32_of_flt(const Code *k, Run *m) { return truncated(k, m, 0, 0x1p32); }
static Flt f16_of_int(const Code *k, Run *m) { return (Flt){half((double)num(k, 0, m)), 0}; }
static Flt f16_of_flt(const Code *k, Run *m) { return (Flt){half(flt(k, 0, m).v), 0}; }
static Flt f32_of_int(const Code *k, Run *m) { return (Flt){(double)(float)num(k, 0, m), 0}; }
static Flt f32_of_flt(const Code *k, Run *m) { return (Flt){single(flt(k, 0, m).v), 0}; }
static Flt f64_of_int(const Code *k, Run *m) { return (Flt){(double)num(k, 0, m), 0}; }
static Flt f64_of_flt(const Code *k, Run *m) { return (Flt){flt(k, 0, m).v, 0}; }

static Flt flt_of_int_ref(const Code *k, Run *m)
{
    double v = (double)num(k, 0, m);
    return (Flt){v, fabs(v)};
}

static Flt flt_of_flt_ref(const Code *k, Run *m) { return flt(k, 0, m); }

/* ---- the table: by the type of the operand (the last one); ref and ref_int replace it in reference mode ---- */

typedef struct Op {
    Fn by[SC_COUNT];
    Fn ref, ref_int;
} Op;

#define INTS(N) [SC_I32] = {.i = N##_i32}, [SC_I64] = {.i = N##_i64}, [SC_U32] = {.i = N##_u32}
#define FLTS(N) [SC_F16] = {.f = N##_f16}, [SC_F32] = {.f = N##_f32}, [SC_F64] = {.f = N##_f64}
#define ALL_INTS(T, F) [SC_BOOL] = {T = F}, [SC_I32] = {T = F}, [SC_I64] = {T = F}, [SC_U32] = {T = F}
#define ALL_FLTS(T, F) [SC_F16] = {T = F}, [SC_F32] = {T = F}, [SC_F64] = {T = F}
#define OF_NUM(N) {.by = {INTS(N), FLTS(N)}, .ref = {.f = N##_ref}}
#define OF_FLT(N) {.by = {FLTS(N)}, .ref = {.f = N##_ref}}
#define OF_INT(N) {.by = {INTS(N)}}
#define OF_COMPARE(N) {.by = {ALL_INTS(.i, N##_int), ALL_FLTS(.i, N##_flt)}}
#define TO_INT(N) {.by = {ALL_INTS(.i, N##_of_int), ALL_FLTS(.i, N##_of_flt)}}
#define TO_FLT(N) {.by = {ALL_INTS(.f, N##_of_int), ALL_FLTS(.f, N##_of_flt)}, .ref = {.f = flt_of_flt_ref}, \
                   .ref_int = {.f = flt_of_int_ref}}

static const Op
    op_ADD = OF_NUM(add), op_SUB = OF_NUM(sub), op_MUL = OF_NUM(mul),
    op_DIV = {.by = {INTS(floor_quotient), FLTS(quotient)}, .ref = {.f = quotient_ref}},
    op_FLOOR_DIV = OF_INT(floor_quotient), op_MOD = OF_INT(floor_rest),
    op_QUOT = OF_INT(quotient), op_REM = OF_INT(rest),
    op_NEG = OF_NUM(minus), op_MIN = OF_NUM(least), op_MAX = OF_NUM(most), op_ABS = OF_NUM(magnitude),
    op_EQ = OF_COMPARE(equal), op_NE = OF_COMPARE(different), op_LT = OF_COMPARE(less), op_LE = OF_COMPARE(less_equal),
    op_GT = OF_COMPARE(greater), op_GE = OF_COMPARE(greater_equal),
    op_AND = {.by = {[SC_BOOL] = {.i = both}}}, op_OR = {.by = {[SC_BOOL] = {.i = either}}},
    op_NOT = {.by = {[SC_BOOL] = {.i = negation}}},
    op_SELECT = {.by = {ALL_INTS(.i, choose_int), ALL_FLTS(.f, choose_flt)}},
    op_SQRT = OF_FLT(root), op_RSQRT = OF_FLT(inverse_root),
    op_EXP = OF_FLT(exponential), op_EXP2 = OF_FLT(exponential2),
    op_LOG = OF_FLT(logarithm), op_LOG2 = OF_FLT(logarithm2), op_SIN = OF_FLT(sine), op_COS = OF_FLT(cosine),
    op_TAN = OF_FLT(tangent), op_TANH = OF_FLT(tangens_h), op_POW = OF_FLT(power), op_FLOOR = OF_FLT(round_down),
    op_CEIL = OF_FLT(round_up), op_ROUND = OF_FLT(round_even), op_FMA = OF_FLT(fused), op_SIGN = OF_FLT(sign),
    op_BAND = OF_INT(bit_and), op_BOR = OF_INT(bit_or), op_BXOR = OF_INT(bit_xor), op_SHL = OF_INT(shift_left),
    op_SHR = OF_INT(shift_right),
    op_TO_BOOL = TO_INT(bool), op_TO_I32 = TO_INT(i32), op_TO_I64 = TO_INT(i64), op_TO_U32 = TO_INT(u32),
    op_TO_F16 = TO_FLT(f16), op_TO_F32 = TO_FLT(f32), op_TO_F64 = TO_FLT(f64);

static const Op *const ops[PRIM_COUNT] = {
#define PRIM(id, name, family, scheme, slots, help)
#define OP(id, name, scheme, slots, template, help) [PRIM_##id] = &op_##id,
#include "prims.def"
#undef PRIM
#undef OP
};

Fn op_function(PrimId op, Scalar operand, bool reference)
{
    const Op *o = ops[op];
    if (reference && scalar_is_float(operand) && o->ref.f) return o->ref;
    if (reference && !scalar_is_float(operand) && o->ref_int.f) return o->ref_int;
    return o->by[operand];
}

/* ---- programs that are exact on small integers ---- */

static bool exact_literal(const Term *t)
{
    double v = t->u.lit.f;
    return !scalar_is_float(t->type->scalar) || isinf(v) || (v == rint(v) && fabs(v) <= 0x1p20);
}

static bool exact_on_floats(PrimId op)
{
    switch (op) {
    case PRIM_ADD: case PRIM_SUB: case PRIM_MUL: case PRIM_NEG: case PRIM_MIN: case PRIM_MAX: case PRIM_ABS:
    case PRIM_FMA: case PRIM_SELECT: case PRIM_FLOOR: case PRIM_CEIL: case PRIM_ROUND: case PRIM_SIGN:
    case PRIM_IF: return true;
    default: return prim(op)->family != FAM_SCALAR;
    }
}

bool eval_is_exact_program(const Term *t)
{
    if (t->type->kind == TY_SCALAR && t->type->scalar == SC_F16) return false;      /* 11 bits are too few */
    if (t->kind == T_LIT && !exact_literal(t)) return false;
    bool number = t->kind == T_PRIM && t->type->kind == TY_SCALAR && scalar_is_float(t->type->scalar);
    bool cast = t->prim == PRIM_TO_F32 || t->prim == PRIM_TO_F64;
    if (number && !cast && !exact_on_floats((PrimId)t->prim)) return false;
    for (int i = 0; i < t->arg_count; i++)
        if (!eval_is_exact_program(t->args[i])) return false;
    return true;
}
