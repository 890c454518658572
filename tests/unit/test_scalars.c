/* test_scalars: the table of scalar types, its integers, and what the interpreter makes of each at the ends of its type. */
#include "unit.h"
#include "eval.h"

#include <math.h>

/* ---- the table ---- */

static void each_row_is_one_of_a_kind(void **state)
{
    (void)state;
    for (Scalar s = 0; s < SC_COUNT; s++) {
        Scalar found;
        assert_true(scalar_from_name(scalar_name(s), &found) && found == s);
        assert_non_null(strstr(scalar_names(), scalar_name(s)));
        assert_int_equal(scalar_is_float(s) + scalar_is_int(s) + (s == SC_BOOL), 1);
        assert_int_equal(scalar_is_signed(s) + scalar_is_unsigned(s), scalar_is_int(s));
        assert_string_equal(prim(prim_cast(s))->name, scalar_name(s));
        assert_int_equal(scalar_npy(s)[2] - '0', scalar_bytes(s));
        for (Scalar t = 0; t < s; t++) {
            assert_int_not_equal(scalar_key(s), scalar_key(t));
            assert_string_not_equal(scalar_npy(s), scalar_npy(t));
        }
    }
    assert_int_equal(prim_cast(SC_COUNT - 1), PRIM_TO_F64);
}

/* Hashes of programs that were kept before there were other types. */
static void keys_stay(void **state)
{
    static const Scalar first[] = {SC_BOOL, SC_I32, SC_I64, SC_U32, SC_F16, SC_F32, SC_F64, SC_I8, SC_I16, SC_U8, SC_U16, SC_U64, SC_BF16};
    (void)state;
    assert_int_equal(COUNT(first), SC_COUNT);
    for (int i = 0; i < COUNT(first); i++) assert_int_equal(scalar_key(first[i]), i);
}

static void integers_have_ends(void **state)
{
    static const struct { Scalar s; int64_t least, most; } ends[] = {
        {SC_I8, INT8_MIN, INT8_MAX},    {SC_I16, INT16_MIN, INT16_MAX}, {SC_I32, INT32_MIN, INT32_MAX}, {SC_I64, INT64_MIN, INT64_MAX},
        {SC_U8, 0, UINT8_MAX},          {SC_U16, 0, UINT16_MAX},        {SC_U32, 0, UINT32_MAX},        {SC_U64, 0, -1},
        {SC_BOOL, 0, 1},
    };
    (void)state;
    for (int i = 0; i < COUNT(ends); i++) {
        Scalar s = ends[i].s;
        assert_true(scalar_least(s) == ends[i].least && scalar_most(s) == ends[i].most);
        assert_true(scalar_order(s, ends[i].least, ends[i].most) < 0);
        if (s == SC_BOOL) continue;
        assert_true(scalar_wrapped(s, (int64_t)((uint64_t)ends[i].most + 1)) == ends[i].least);
        assert_true(scalar_holds(s, ends[i].least) && scalar_holds(s, ends[i].most) == (s != SC_U64));
        if (scalar_bytes(s) < 8) assert_false(scalar_holds(s, ends[i].most + 1) || scalar_holds(s, ends[i].least - 1));
    }
    assert_true(scalar_number(SC_U64, -1) == 0x1p64);
    assert_false(scalar_holds(SC_U64, -1));
    assert_true(scalar_widens(SC_U8, SC_I16) && scalar_widens(SC_U32, SC_I64) && scalar_widens(SC_I8, SC_F16) && scalar_widens(SC_U8, SC_U64));
    assert_false(scalar_widens(SC_I8, SC_U64) || scalar_widens(SC_U64, SC_I64) || scalar_widens(SC_U16, SC_I16) || scalar_widens(SC_F32, SC_I64));
}

/* Each is itself as a float, half of the way to the next one goes to the even side, and what is beside that to the nearer one. */
static void bf16_is_rounded_to_even(void **state)
{
    (void)state;
    for (uint32_t bits = 0; bits < 0x7f80; bits++) {
        double here = double_of_bf16((Bf16){(uint16_t)bits}), next = bits == 0x7f7f ? 0x1p128 : double_of_bf16((Bf16){(uint16_t)(bits + 1)});
        double half = here + (next - here) / 2;
        assert_int_equal(bf16_of_double(here).bits, bits);
        assert_int_equal(bf16_of_double(-here).bits, bits | 0x8000);
        assert_int_equal(bf16_of_double(half).bits, bits + (bits & 1));
        assert_int_equal(bf16_of_double((double)nextafterf((float)half, 0)).bits, bits);
        assert_int_equal(bf16_of_double((double)nextafterf((float)half, INFINITY)).bits, bits + 1);
    }
    assert_true(isinf(scalar_rounded(SC_BF16, INFINITY)) && isnan(scalar_rounded(SC_BF16, NAN)));
    assert_true(isnan(double_of_bf16(bf16_of_double((double)float_of_bits(0x7f800001)))));
    assert_true(scalar_narrows(SC_F32, SC_BF16) && scalar_narrows(SC_F16, SC_BF16) && scalar_narrows(SC_BF16, SC_F16));
    assert_false(scalar_narrows(SC_BF16, SC_F32) || scalar_narrows(SC_F16, SC_F32) || scalar_narrows(SC_BF16, SC_BF16));
}

/* What the rules productTf32 and product3xTf32 say of their errors. */
static void products_of_tf32(void **state)
{
    Rng r = {1};
    (void)state;
    for (int i = 0; i < 1000000; i++) {
        float x = (float)(1 + (double)rng_below(&r, 1 << 23) * 0x1p-23), y = (float)(1 + (double)rng_below(&r, 1 << 23) * 0x1p-23);
        float a = (float)tf32_of_double((double)x), b = (float)tf32_of_double((double)y);
        float c = (float)tf32_of_double((double)(x - a)), d = (float)tf32_of_double((double)(y - b));
        double truth = (double)x * (double)y;
        assert_true(fabs((double)(a * b) - truth) <= 0x1p-10 * truth);
        assert_true(fabs((double)(a * b + (a * d + c * b)) - truth) <= 0x1p-20 * truth);
    }
}

/* ---- expressions at the ends ---- */

typedef struct Case { const char *text, *value; } Case;        /* value: as printed; NULL: E38 */

static const Case cases[] = {
    /* each wraps at its own ends, whatever C would make of it */
    {"(100i8 + 100, -128i8 - 1, (-128i8) * (-1), -(-128i8), abs (-128i8))", "(-56, 127, -128, -128, -128)"},
    {"(200u8 + 100, 3u8 - 5, 16u8 * 17, -(1u8), abs 200u8)", "(44, 254, 16, 255, 200)"},
    {"(30000i16 + 30000, 300i16 * 300, 60000u16 + 60000, 65535u16 * 65535)", "(-5536, 24464, 54464, 1)"},
    {"(18446744073709551615u64 + 2, 3u64 - 5, 4294967296u64 * 4294967297, -(1u64))",
     "(1, 18446744073709551614, 4294967296, 18446744073709551615)"},
    /* division and order of those without a sign */
    {"(18446744073709551615u64 / 10, 18446744073709551615u64 % 10, quot 18446744073709551615u64 3, rem 9223372036854775808u64 7)",
     "(1844674407370955161, 5, 6148914691236517205, 1)"},
    {"(9223372036854775808u64 > 1, 18446744073709551615u64 >= 9223372036854775808u64, min 9223372036854775808u64 3, max 1u64 18446744073709551615u64)",
     "(true, true, 3, 18446744073709551615)"},
    {"((-7i8) / 2, (-7i8) % 3, quot (-7i8) 2, rem (-7i8) 3, (-128i8) / (-1), 200u8 / 7, 200u8 % 7)", "(-4, 2, -3, -1, -128, 28, 4)"},
    /* shifts take their count modulo the width */
    {"(shl 1i8 7, shl 3i8 9, shr (-128i8) 1, shr (-128i8) 15, shl 255u8 1, shr 255u8 9)", "(-128, 6, -64, -1, 254, 127)"},
    {"(shl 1u16 31, shr 32768u16 15, shr 18446744073709551615u64 63, shl 1u64 127)", "(32768, 1, 1, 9223372036854775808)"},
    {"(band 240u8 60, bor 240u8 15, bxor 255u8 170, band (-1i8) 127)", "(48, 255, 85, 127)"},
    /* casts */
    {"(i32 (-5i8), u64 255u8, i8 127u64, f32 18446744073709551615u64, f64 255u8, f16 200u8)",
     "(-5, 255, 127, 1.8446744e+19, 255, 200)"},
    {"(u8 255.9, i8 (-128.9), u64 18446742974197923840.0, u16 65535i32, bool 256u16)", "(255, -128, 18446742974197923840, 65535, true)"},
    {"(bf16 257.0, bf16 259.0, 256bf16 + 1, 256bf16 * 3, bf16 3.4e38, -1.5bf16, bf16 16842753i32, f32 (bf16 0.1))",
     "(256, 260, 256, 768, inf, -1.5, 16777216, 0.100097656)"},
    {"(tf32 0.1, tf32 1.0005, tf32 1.00048828125, tf32 (-1.00048828125), tf32 3.4028e38, tf32 (-inf), tf32 1.0)",
     "(0.099975586, 1.0009766, 1.0009766, -1.0009766, inf, -inf, 1)"},
    {"u8 256i32", NULL}, {"u8 (-1i8)", NULL}, {"i8 128u8", NULL}, {"i64 9223372036854775808u64", NULL}, {"u64 (-1i64)", NULL},
    {"u8 256.0", NULL}, {"u8 (-1.0)", NULL}, {"u64 18446744073709551616.0", NULL}, {"3u8 / 0", NULL}, {"3u64 % 0", NULL},
};

static Data *value_of(Ctx *c, const char *text, Diag *diag)
{
    Source s = source_of(text);
    LangScope scope = {0};
    const Term *t = lang_expr(c, &scope, &s, NULL);
    if (!t) fail_with(&c->diag, text);
    Eval *e = eval_new(c, t, NULL, 0, EVAL_EXACT);
    Data *d = data_new(c, t->type);
    if (!eval_full(e, d, diag)) {
        data_free(d);
        d = NULL;
    }
    eval_free(e);
    return d;
}

static void what_expressions_are(void **state)
{
    (void)state;
    for (int i = 0; i < COUNT(cases); i++) {
        Ctx *c = ctx_new();
        Buf b = {0};
        Diag diag = diag_new();
        Data *d = value_of(c, cases[i].text, &diag);
        if (d) data_print_head(d, 20, &b);
        if (!cases[i].value) assert_int_equal(diag.id, E38);
        else if (!d) fail_msg("%s: an error", cases[i].text);
        else if (strcmp(buf_text(&b), cases[i].value)) fail_msg("%s\n  is %s\n  not %s", cases[i].text, buf_text(&b), cases[i].value);
        if (d) data_free(d);
        buf_free(&b);
        diag_free(&diag);
        ctx_free(c);
    }
}

/* ---- values in buffers ---- */

/* What was printed reads back, at both ends of each type. */
static void values_read_back(void **state)
{
    (void)state;
    for (Scalar s = 0; s < SC_COUNT; s++) {
        Ctx *c = ctx_new();
        Buf b = {0};
        Diag diag = diag_new();
        const Type *t = type_array(c, nat_const(c->nats, 3), type_scalar(c, s));
        Data *d = data_new(c, t), *back = data_new(c, t);
        data_set_int(d, 0, 0, scalar_is_float(s) ? -2048 : scalar_least(s));
        data_set_int(d, 0, 1, scalar_is_float(s) ? 2048 : scalar_most(s));
        data_set(d, 0, 2, 1);
        data_print_head(d, 3, &b);
        assert_true(data_read_text(back, buf_text(&b), &diag));
        assert_memory_equal(d->parts[0].values, back->parts[0].values, 3 * (size_t)scalar_bytes(s));
        bool narrow = scalar_is_int(s) && scalar_bytes(s) < 8;
        assert_true(!narrow || !data_read_text(back, "[0, 0, 4294967296]", &diag));
        data_free(d);
        data_free(back);
        buf_free(&b);
        diag_free(&diag);
        ctx_free(c);
    }
}

/* Random values lie in the type and reach its ends where the bounds do. */
static void random_values_fit(void **state)
{
    static const Scalar small[] = {SC_I8, SC_U8, SC_I16, SC_U16};
    (void)state;
    for (int k = 0; k < COUNT(small); k++) {
        Ctx *c = ctx_new();
        enum { N = 1 << 20 };
        Data *d = data_new(c, type_array(c, nat_const(c->nats, N), type_scalar(c, small[k])));
        int64_t lo = INT64_MAX, hi = INT64_MIN;
        data_fill_random(d, 1, -1e9, 1e9);
        for (int64_t i = 0; i < N; i++) {
            int64_t v = data_get_int(d, 0, i);
            lo = v < lo ? v : lo;
            hi = v > hi ? v : hi;
        }
        assert_int_equal(lo, scalar_least(small[k]));
        assert_int_equal(hi, scalar_most(small[k]));
        data_free(d);
        ctx_free(c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_row_is_one_of_a_kind), cmocka_unit_test(keys_stay), cmocka_unit_test(integers_have_ends), cmocka_unit_test(bf16_is_rounded_to_even), cmocka_unit_test(products_of_tf32),
        cmocka_unit_test(what_expressions_are), cmocka_unit_test(values_read_back), cmocka_unit_test(random_values_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
