/* verify: what a run says of rewrites, wrong and right, as one table. No device: each kernel computes what the language says
 * of its version. */
#include <math.h>

#include "unit.h"
#include "run_private.h"
#include "verifier_private.h"

typedef struct Verdict {
    VerifyStatus status;
    int64_t hanging, inaccurate, looked, unlooked;
    double power;
} Verdict;

/* The verdict on a version by its source, over all sets of inputs; fill: of each input. got: NULL, or instead of every value
 * that the version gives, of the last set; late: the time is over as soon as there is a result. */
static Verdict judge_by(double oracle_work, bool late, const char *source, const char *version, FillSpec fill, const double *got)
{
    enum { INPUTS = 4 };
    Ctx *c = ctx_new();
    Defs *defs = defs_new(c);
    const Program *p = program_defined(c, defs, source);
    const Term *from = p->body, *to = program_defined(c, defs, version)->body;
    RunInput inputs[INPUTS];
    for (int i = 0; i < p->input_count; i++)
        inputs[i] = (RunInput){.name = p->inputs[i].name, .type = p->inputs[i].type, .spec = fill};
    RunSettings settings = run_settings();
    settings.oracle_work = oracle_work;
    Arena *arena = arena_new();
    VerifyOutcome out = {0};
    Diag diag = diag_new();
    Verifier *v = verifier_new(c, to, from, inputs, p->input_count, &settings, NULL, &diag);
    assert_non_null(v);
    for (int sets = verifier_input_count(v), set = got ? sets - 1 : 0; set < sets; set++) {
        const EvalInput *values = verifier_input(v, set, 0, &diag);
        if (!values) fail_msg("%s: %s", version, diag.message);
        Data *result = data_new(c, to->type);
        Eval *e = eval_new(c, to, values, p->input_count, EVAL_EXACT);
        assert_true(eval_full(e, result, &diag));
        for (int64_t i = 0; got && i < result->parts[0].count; i++) data_set(result, 0, i, *got);
        if (late) verifier_set_deadline(v, 1);
        verifier_compare(v, result, NULL, 0x5a, 0, arena, &out);
        eval_free(e);
        data_free(result);
    }
    verifier_finish(v, arena, &out);
    Verdict found = {out.status, out.hanging, out.inaccurate, out.looked, out.unlooked, out.power};
    verifier_free(v);
    diag_free(&diag);
    arena_free(arena);
    defs_free(defs);
    ctx_free(c);
    return found;
}

static Verdict judge_within(double oracle_work, const char *source, const char *version, FillSpec fill, const double *got)
{
    return judge_by(oracle_work, false, source, version, fill, got);
}

static Verdict judge(const char *source, const char *version, FillSpec fill, const double *got)
{
    return judge_within(run_settings().oracle_work, source, version, fill, got);
}

static void expect(const char *source, const char *version, VerifyStatus want, Verdict found)
{
    if (found.status != want)
        fail_msg("%s\n%s\nis %s, not %s (%lld hanging, %lld inaccurate)", source, version, verify_status_name(found.status),
                 verify_status_name(want), (long long)found.hanging, (long long)found.inaccurate);
}

#define X "(x:[64]f32) = map "
#define XY "(x:[64]f32) (y:[64]f32) = map "

static void test_wrong(void **state)
{
    (void)state;
    static const struct { const char *source, *version; double at; } table[] = {      /* at: of all inputs, 0: random */
        {"f " X "(\\a -> sqrt (abs a)) x", "g " X "(\\a -> abs a * 1000 + 7) x", 0},
        {"f " X "(\\a -> floor (a * 3)) x", "g " X "(\\a -> ceil (a * 3)) x", 0},
        {"f " X "(\\a -> floor a) x", "g " X "(\\a -> round a) x", 0},
        {"f " X "(\\a -> exp a) x", "g " X "(\\a -> exp a * 2) x", 0},
        {"f " X "(\\a -> if a > 0.3 then a * 2 else a) x", "g " X "(\\a -> a) x", 0},
        {"f " X "(\\a -> if a > 0.3 then 1 else 0) x", "g " X "(\\a -> if a >= 0.31 then 1 else 0) x", 0.305},
        {"f " X "(\\a -> a * a) x", "g " X "(\\a -> if a == 0.5 then 99 else a * a) x", 0.5},
        {"f " X "(\\a -> a + 1) x", "g " X "(\\a -> a + 1.00001) x", 0},
        {"f " X "(\\a -> a * 3 - a) x", "g " X "(\\a -> a) x", 0},
        {"f " X "(\\a -> 1 / a) x", "g " X "(\\a -> 1 / abs a) x", -0.0001},
        {"f " XY "(\\(a, b) -> a - b) (zip x y)", "g " XY "(\\(a, b) -> b - a) (zip x y)", 0},
        {"f (x:[4096]f32) = reduce (+) 0 x", "g (x:[4096]f32) = reduce (+) 0 (take 4095 x)", 0},
        {"f (x:[4096]f32) = reduce (+) 0 x", "g (x:[4096]f32) = reduce (+) 1 x", 0},
        {"f (x:[64][64]f32) = map (reduce (+) 0) x", "g (x:[64][64]f32) = map (reduce (+) 0) (transpose x)", 0},
        {"f (x:[64]i32) = map (\\a -> a * 2) x", "g (x:[64]i32) = map (\\a -> a * 2 + 1) x", 0},
        {"f (x:[64]i32) = map (\\a -> a / 2) x", "g (x:[64]i32) = map (\\a -> quot a 2) x", 0},
        {"f " X "(\\a -> a > 0) x", "g " X "(\\a -> !(a > 0)) x", 0},
        {"f " X "(\\a -> i32 (a * 100)) x", "g " X "(\\a -> i32 (a * 100) + 1) x", 0},
        {"f (x:[64]f64) = map (\\a -> a + 1) x", "g (x:[64]f64) = map (\\a -> a + 1.0000001) x", 0},
        /* what only a literal of either tells from the other */
        {"f " X "(\\a -> if a == 77 then 1 else 0) x", "g " X "(\\a -> 0) x", 0},
        {"f " X "(\\a -> min a 1000) x", "g " X "(\\a -> a) x", 0},
        {"f " X "(\\a -> exp (if a == 0 then 5 else a)) x", "g " X "(\\a -> exp a) x", 0},
        {"f " X "(\\a -> a + 1) x", "g " X "(\\a -> if a == 43.5 then 0 else a + 1) x", 0},
        {"f (x:[4096]f32) = map (\\a -> if a * 2 == 34.5 then 1 else 0) x", "g (x:[4096]f32) = map (\\a -> 0) x", 0},
        {"f " X "(\\a -> round (a * 3)) x", "g " X "(\\a -> floor (a * 3 + 0.5)) x", 0},
        {"f " X "(\\a -> sign a) x", "g " X "(\\a -> if a < 0 then -1.0 else 1.0) x", 0},
        {"f (x:[64]i32) = map (\\a -> if a == -12345 then 1 else 0) x", "g (x:[64]i32) = map (\\a -> 0) x", 0},
        {"f (x:[64]i64) = map (\\a -> if a == 20000000000 then 1 else 0) x", "g (x:[64]i64) = map (\\a -> 0) x", 0},
        {"f (x:[64]i32) (y:[64]f32) = map (\\(a, b) -> if a == 99 then b else 1) (zip x y)",
         "g (x:[64]i32) (y:[64]f32) = map (\\(a, b) -> 1.0) (zip x y)", 0},
        {"f (k:f32) (x:[64]f32) = map (\\a -> if k == 77 then 1 else a) x", "g (k:f32) (x:[64]f32) = map (\\a -> a) x", 0},
    };
    for (int i = 0; i < COUNT(table); i++) {
        FillSpec fill = table[i].at != 0 ? (FillSpec){.kind = FILL_CONST, .value = table[i].at} : (FillSpec){0};
        expect(table[i].source, table[i].version, VERIFY_WRONG, judge(table[i].source, table[i].version, fill, NULL));
    }
}

static void test_right(void **state)
{
    (void)state;
    static const struct { const char *source, *version; VerifyStatus want; double lo, hi; } table[] = {
        {"f (x:[4096]f32) = reduce (+) 0 x", "g (x:[4096]f32) = reduce (+) 0 (map (reduce (+) 0) (split 64 x))", VERIFY_OK, -1, 1},
        {"f (x:[4096]f32) = reduce (+) 0 x", "g (x:[4096]f32) = reduce (+) 0 (reorder reverse x)", VERIFY_OK, 0, 1e30},
        {"f " XY "(\\(a, b) -> a * b + a) (zip x y)", "g " XY "(\\(a, b) -> fma a b a) (zip x y)", VERIFY_OK, -1, 1},
        {"f " XY "(\\(a, b) -> a * a - b * b) (zip x y)", "g " XY "(\\(a, b) -> (a - b) * (a + b)) (zip x y)", VERIFY_OK, -1, 1},
        {"f " X "(\\a -> a / 3) x", "g " X "(\\a -> a * (1 / 3)) x", VERIFY_OK, -1, 1},
        {"f " X "(\\a -> 1 / sqrt a) x", "g " X "(\\a -> rsqrt a) x", VERIFY_OK, 0, 1},
        {"f " XY "(\\(a, b) -> exp (a + b)) (zip x y)", "g " XY "(\\(a, b) -> exp a * exp b) (zip x y)", VERIFY_OK, -9, 9},
        {"f " X "(\\a -> a * a * a + 2 * a * a - a) x", "g " X "(\\a -> a * (a * (a + 2) - 1)) x", VERIFY_OK, -1, 1},
        {"f " X "(\\a -> if a > 0.3 then a else 1) x", "g " X "(\\a -> if a <= 0.3 then 1 else a) x", VERIFY_OK, 0, 1},
        {"f " X "(\\a -> sqrt (a * a)) x", "g " X "(\\a -> abs a) x", VERIFY_OK, -1, 1},
        {"f " X "(\\a -> floor (a * 10)) x", "g " X "(\\a -> floor (a * 5 + a * 5)) x", VERIFY_OK, -1, 1},
        {"f (x:[64]i32) = map (\\a -> a * 6) x", "g (x:[64]i32) = map (\\a -> a * 2 + a * 4) x", VERIFY_OK, -9, 9},
        {"f " X "(\\a -> !(a > 0 && a < 0.5)) x", "g " X "(\\a -> a <= 0 || a >= 0.5) x", VERIFY_OK, -1, 1},
        /* a serial sum of what is too small for it: the rewrite is right, the order is not good */
        {"f (x:[20000001]f32) = reduce (+) 0 x", "g (x:[20000001]f32) = reduceSeq (+) 0 x", VERIFY_INACCURATE, 1, 1},
    };
    for (int i = 0; i < COUNT(table); i++) {
        FillSpec fill = {.kind = FILL_RANDOM, .seed = 3, .lo = table[i].lo, .hi = table[i].hi};
        expect(table[i].source, table[i].version, table[i].want, judge(table[i].source, table[i].version, fill, NULL));
    }
}

/* Literals among the inputs make nothing wrong that is right: what has no value there, what leaves its type. */
static void test_right_at_literals(void **state)
{
    (void)state;
    static const char *const table[][2] = {
        {"f " X "(\\a -> i32 (min a 2000000 * 3000)) x", "g " X "(\\a -> i32 (3000 * min 2000000 a)) x"},
        {"f (x:[64]i32) (y:[9]f32) = map (\\i -> if i < 1000 then y[abs i] else 0) x",
         "g (x:[64]i32) (y:[9]f32) = map (\\i -> if i >= 1000 then 0 else y[abs i]) x"},
        {"f (x:[64]i32) = map (\\a -> if a > 100 then a // (a - 5) else 1) x",
         "g (x:[64]i32) = map (\\a -> if a <= 100 then 1 else a // (a - 5)) x"},
        {"f " X "(\\a -> if a < 600 then exp a * exp (-a) else 1) x",
         "g " X "(\\a -> if a >= 600 then 1 else exp (-a) * exp a) x"},
        {"f (x:[64]f32) = reduce (+) 0 (map (\\a -> max a 300000) x)",
         "g (x:[64]f32) = reduce (+) 0 (reorder reverse (map (\\a -> max 300000 a) x))"},
        {"f " X "(\\a -> if a > 0.1 then floor (a * 10) else 0) x",
         "g " X "(\\a -> if a > 0.1 then floor (a * 5 + a * 5) else 0) x"},
        {"f (x:[64]f16) = map (\\a -> max a 60000 + a) x", "g (x:[64]f16) = map (\\a -> a + max 60000 a) x"},
    };
    for (int i = 0; i < COUNT(table); i++)
        expect(table[i][0], table[i][1], VERIFY_OK, judge(table[i][0], table[i][1], (FillSpec){0}, NULL));
}

/* A wrong rewrite does not hide behind an order that loses accuracy. */
static void test_wrong_and_inaccurate(void **state)
{
    (void)state;
    FillSpec ones = {.kind = FILL_CONST, .value = 1};
    const char *source = "f (x:[20000001]f32) = reduce (+) 0 x";
    const char *version = "g (x:[20000001]f32) = reduceSeq (+) 0 (map (\\a -> a * 1.01) x)";
    expect(source, version, VERIFY_WRONG, judge(source, version, ones, NULL));
}

/* What is right on either side of a decision that rounding makes is counted, and only there: where a device may round a function. */
static void test_decisions(void **state)
{
    (void)state;
    bool hanging = false;
    FillSpec fill = {.kind = FILL_CONST, .value = -1.20397280433};       /* log 0.3 */
    static const struct { const char *version; int from, to; } table[] = {
        {"f " X "(\\a -> floor (exp a * 10)) x", 2, 3}, {"f " X "(\\a -> floor (a * 10)) x", -13, -13},
    };
    for (int i = 0; i < COUNT(table); i++)
        for (int got = -15; got < 5; got++) {
            double value = got;
            bool right = got >= table[i].from && got <= table[i].to;
            Verdict found = judge(table[i].version, table[i].version, fill, &value);
            if (!right) expect(table[i].version, table[i].version, VERIFY_WRONG, found);
            else assert_true(found.status != VERIFY_WRONG);
            hanging |= found.hanging > 0;
        }
    assert_true(hanging);
}

/* What is not finite is compared as what it is. */
static void test_not_finite(void **state)
{
    (void)state;
    static const struct { const char *version; double at, want; } table[] = {
        {"f " X "(\\a -> 1 / a) x", 0, INFINITY}, {"f " X "(\\a -> -1 / a) x", 0, -INFINITY},
        {"f " X "(\\a -> a + 1) x", NAN, NAN}, {"f " X "(\\a -> a * 2) x", INFINITY, INFINITY},
        {"f " X "(\\a -> a * 2) x", -INFINITY, -INFINITY}, {"f " X "(\\a -> a - a) x", INFINITY, NAN},
        {"f " X "(\\a -> sqrt a) x", -1, NAN}, {"f " X "(\\a -> a * a) x", 1e30, INFINITY},
        {"f " X "(\\a -> log a) x", 0, -INFINITY},
    };
    static const double values[] = {INFINITY, -INFINITY, NAN, 0, 3, 3e38};
    for (int i = 0; i < COUNT(table); i++)
        for (int k = 0; k < COUNT(values); k++) {
            FillSpec fill = {.kind = FILL_CONST, .value = table[i].at};
            bool same = values[k] == table[i].want || (isnan(values[k]) && isnan(table[i].want));
            expect(table[i].version, table[i].version, same ? VERIFY_OK : VERIFY_WRONG,
                   judge(table[i].version, table[i].version, fill, &values[k]));
        }
}

/* Elements for which steps ran out before anybody knew whether the rules are right were not compared. */
static void test_undecided(void **state)
{
    (void)state;
    static const char source[] = "f (x:[64][1024]f32) = map (\\r -> reduce (+) 0 (map exp r)) x";
    static const char version[] = "g (x:[64][1024]f32) = map (\\r -> reduce (+) 0 (map (\\s -> reduce (+) 0 (map exp s)) (split 32 r))) x";
    FillSpec fill = {.kind = FILL_RANDOM, .seed = 3, .lo = -1, .hi = 1};
    static const double dear[] = {1.55e6, 2.62e6, 4.43e6, 7.48e6};
    for (int i = 0; i < COUNT(dear); i++) assert_true(judge_within(dear[i], source, version, fill, NULL).power > 1e-6);
    assert_true(judge(source, version, fill, NULL).power < 1e-7);
}

/* A version of which an element costs all of it is asked about every doubt, or what the source's own rounding explains is none: cubes of
 * sums in another order, of which few are many times as far away as most. What is wrong stays so. */
static void test_dear_version(void **state)
{
    (void)state;
    static const char source[] = "f (x:[1024][64]f32) = map (\\r -> let v = reduce (+) 0 r in v * v * v * v * v) x";
    static const char version[] = "g (x:[1024][64]f32) = map (\\v -> v * v * v * v * v * %s) (reduce (\\(a, b) -> map (+) (zip a b)) (generate 1024 (\\i -> 0)) "
                                  "(reorder reverse (transpose x)))";
    static const struct { double work; const char *factor; VerifyStatus want; } table[] = {
        {2e4, "1", VERIFY_OK}, {6e4, "1", VERIFY_OK}, {2e4, "1.0001", VERIFY_WRONG}, {6e4, "1.0001", VERIFY_WRONG},
    };
    FillSpec fill = {.kind = FILL_RANDOM, .seed = 3, .lo = -1, .hi = 1};
    for (int i = 0; i < COUNT(table); i++) {
        char text[400];
        snprintf(text, sizeof text, version, table[i].factor);
        expect(source, text, table[i].want, judge_within(table[i].work, source, text, fill, NULL));
    }
}

/* Of differences that there is no time for the farthest speak, and others at random: here of sums that lose most of their digits, beside values
 * that lose none. */
static void test_late(void **state)
{
    (void)state;
    static const char body[] = "%s (x:[4096][32]f32) = map (\\(i, r) -> if i %% 8 < 3 then (reduce (+) 0 (map (\\a -> a + 1000) %s) - 32000)%s "
                               "else loop 40 (\\p k -> p + 0.3 * (r[k %% 32] - p)) r[0]) (zip (iota 4096) x)";
    static const struct { const char *factor; VerifyStatus want; } table[] = {
        {"", VERIFY_OK}, {" * 1.1", VERIFY_WRONG}, {" * (if i % 32 == 1 then 1.1 else 1)", VERIFY_WRONG},
    };
    FillSpec fill = {.kind = FILL_RANDOM, .seed = 3, .lo = -1, .hi = 1};
    char source[400], version[400];
    snprintf(source, sizeof source, body, "f", "r", "");
    for (int i = 0; i < COUNT(table); i++) {
        snprintf(version, sizeof version, body, "g", "(reorder reverse r)", table[i].factor);
        Verdict all = judge_by(1e8, false, source, version, fill, NULL), some = judge_by(1e8, true, source, version, fill, NULL);
        expect(source, version, table[i].want, all);
        expect(source, version, table[i].want, some);
        assert_int_equal(all.unlooked, 0);
        if (some.status == VERIFY_OK) assert_true(some.looked >= 256 && some.unlooked > 0);
    }
}

/* Where the shadows of a recurrence grow from step to step, they say nothing of its beginning: another order of it is no doubt everywhere. */
static void test_recurrence(void **state)
{
    (void)state;
    static const char source[] = "f (x:[9][600]f32) = map (\\r -> scanSeq (\\p v -> p + 0.3 * (v - p)) r[0] r) x";
    static const char version[] = "g (x:[9][600]f32) = map (\\r -> map (\\(a, b) -> a * r[0] + b%s) (scan (\\((a, b), (c, d)) -> (a * c, b * c + d)) (1, 0) "
                                  "(map (\\v -> (1 + -0.3, 0.3 * v)) r))) x";
    FillSpec fill = {.kind = FILL_RANDOM, .seed = 3, .lo = -1, .hi = 1};
    char right[400], wrong[400];
    snprintf(right, sizeof right, version, "");
    snprintf(wrong, sizeof wrong, version, " * 1.0001");
    Verdict found = judge_by(run_settings().oracle_work, true, source, right, fill, NULL);
    expect(source, right, VERIFY_OK, found);
    assert_int_equal(found.unlooked, 0);
    expect(source, wrong, VERIFY_WRONG, judge_by(run_settings().oracle_work, true, source, wrong, fill, NULL));
}

/* What speaks for all elements is in no single column of them: here the first has all digits, and the others few. */
static void test_columns(void **state)
{
    (void)state;
    static const char body[] = "%s (x:[256][32]f32) = map (\\r -> generate 24 (\\j -> if j == 0 then r[0] * 1.1 else "
                               "reduce (+) 0 (map (\\a -> a + 30000) %s) - 960000)) x";
    FillSpec fill = {.kind = FILL_RANDOM, .seed = 3, .lo = -1, .hi = 1};
    char source[300], version[300];
    snprintf(source, sizeof source, body, "f", "r");
    snprintf(version, sizeof version, body, "g", "(reorder reverse r)");
    expect(source, version, VERIFY_OK, judge(source, version, fill, NULL));
    /* Nor is what is 0 but for rounding in one of four columns less accurate than the source, which has nothing else there, either. */
    static const char circle[] = "f (x:[1000]f32) = map (\\t -> let a = sin (50 * t) let b = cos (50 * t) in [a * a + b * b - 1, a, b, a * b]) x";
    expect(circle, circle, VERIFY_OK, judge(circle, circle, fill, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong),       cmocka_unit_test(test_right), cmocka_unit_test(test_right_at_literals),
        cmocka_unit_test(test_wrong_and_inaccurate), cmocka_unit_test(test_decisions),
        cmocka_unit_test(test_not_finite), cmocka_unit_test(test_undecided), cmocka_unit_test(test_dear_version),
        cmocka_unit_test(test_late), cmocka_unit_test(test_recurrence), cmocka_unit_test(test_columns)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
