/* test_eval: every primitive and operation against values worked out by hand, the defined errors and what laziness
 * hides of them, rounding, shadows, and that one element asked for alone is the one of the whole. */
#include <math.h>
#include <sched.h>

#include "eval_compile.h"
#include "unit.h"
#include "eval.h"
#include "team.h"

/* ---- a program with sizes and inputs ---- */

enum { INPUTS = 12 };

typedef struct Case {
    Ctx *c;
    Defs *defs;
    Diag diag;
    const Term *term;
    EvalInput in[INPUTS];
    Data *data[INPUTS];
    int input_count;
} Case;

/* "N=4 M=3" */
static int bindings(Ctx *c, const char *sizes, NatBinding *out)
{
    int n = 0;
    char name[8];
    long value;
    int used;
    for (; sscanf(sizes, " %7[A-Za-z0-9]=%ld%n", name, &value, &used) == 2; sizes += used) {
        const Nat *v = nat_var(c->nats, name, VAR_SIZE, NULL, NULL);
        out[n++] = (NatBinding){v->terms[0].factors[0].atom, nat_const(c->nats, value)};
    }
    return n;
}

static void open_case(Case *k, const char *text, const char *sizes)
{
    *k = (Case){.c = ctx_new()};
    k->diag = diag_new();
    k->defs = defs_new(k->c);
    const Program *p = program_loaded(k->c, k->defs, text);
    NatBinding map[16];
    int n = bindings(k->c, sizes, map);
    k->term = term_subst_nats(k->c, p->body, map, n);
    if (!k->term) fail_with(&k->c->diag, text);
    k->input_count = p->input_count;
    for (int i = 0; i < p->input_count; i++) {
        k->data[i] = data_new(k->c, type_subst(k->c, p->inputs[i].type, map, n));
        k->in[i] = (EvalInput){p->inputs[i].name, k->data[i], false};
    }
}

static void close_case(Case *k)
{
    for (int i = 0; i < k->input_count; i++) data_free(k->data[i]);
    defs_free(k->defs);
    diag_free(&k->diag);
    ctx_free(k->c);
}

/* Numbers for all components in turn, as often as needed; none: 1 2 3 ... in each input. */
static void give(Case *k, const char *numbers)
{
    for (int i = 0; i < k->input_count; i++) {
        Data *d = k->data[i];
        for (int p = 0; p < d->part_count; p++) {
            for (int64_t j = 0; j < d->parts[p].count; j++) {
                char *end;
                double v = strtod(numbers, &end);
                if (end == numbers) v = (double)(j + 1);
                numbers = end;
                data_set(d, p, j, v);
            }
        }
    }
}

static Eval *start(Case *k, EvalMode mode)
{
    Eval *e = eval_new(k->c, k->term, k->in, k->input_count, mode);
    if (!e) fail_with(&k->c->diag, "eval_new");
    return e;
}

/* ---- checks ---- */

static bool same(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

/* Each element alone, from the last to the first, is the element of the whole. */
static void check_alone(Case *k, EvalMode mode, const Data *whole)
{
    Eval *e = start(k, mode);
    for (int p = 0; p < whole->part_count; p++) {
        for (int64_t i = whole->parts[p].count - 1; i >= 0; i--) {
            EvalScalar v;
            if (!eval_at(e, p, i, &v, &k->diag)) fail_with(&k->diag, "one element");
            if (scalar_is_float(whole->parts[p].scalar)) assert_true(same(data_get(whole, p, i), v.f));
            else assert_int_equal(data_get_int(whole, p, i), v.i);
        }
    }
    eval_free(e);
}

static void expect(const char *text, const char *sizes, const char *numbers, const char *want)
{
    Case k;
    Buf got = {0};
    open_case(&k, text, sizes);
    give(&k, numbers);
    Eval *e = start(&k, EVAL_EXACT);
    Data *out = data_new(k.c, k.term->type);
    if (!eval_full(e, out, &k.diag)) fail_with(&k.diag, text);
    data_print_head(out, 100, &got);
    assert_string_equal(buf_text(&got), want);
    check_alone(&k, EVAL_EXACT, out);
    buf_free(&got);
    data_free(out);
    eval_free(e);
    close_case(&k);
}

/* An expression without inputs */
static void value(const char *expression, const char *want)
{
    char text[400];
    snprintf(text, sizeof text, "let t (unused: f32) = %s", expression);
    expect(text, "", "", want);
}

/* The element fails with that text, and with those notes */
static void fails_at(const char *text, const char *sizes, const char *numbers, int64_t element, const char *message)
{
    Case k;
    Buf got = {0};
    EvalScalar v;
    open_case(&k, text, sizes);
    give(&k, numbers);
    Eval *e = start(&k, EVAL_EXACT);
    Data *out = data_new(k.c, k.term->type);
    assert_false(eval_at(e, 0, element, &v, &k.diag));
    assert_int_equal(k.diag.id, E38);
    diag_render(&k.diag, &got);
    if (!strstr(buf_text(&got), message)) assert_string_equal(buf_text(&got), message);
    diag_clear(&k.diag);
    assert_false(eval_full(e, out, &k.diag));
    assert_int_equal(k.diag.id, E38);
    buf_free(&got);
    data_free(out);
    eval_free(e);
    close_case(&k);
}

static void gives_at(const char *text, const char *sizes, const char *numbers, int64_t element, double want)
{
    Case k;
    EvalScalar v;
    open_case(&k, text, sizes);
    give(&k, numbers);
    Eval *e = start(&k, EVAL_EXACT);
    if (!eval_at(e, 0, element, &v, &k.diag)) fail_with(&k.diag, text);
    assert_true(same(v.f, want));
    eval_free(e);
    close_case(&k);
}

static EvalScalar reference(const char *text, const char *sizes, const char *numbers)
{
    Case k;
    EvalScalar v;
    double want, shadow;
    open_case(&k, text, sizes);
    give(&k, numbers);
    Eval *e = start(&k, EVAL_REFERENCE);
    if (!eval_at(e, 0, 0, &v, &k.diag)) fail_with(&k.diag, text);
    if (!eval_reference(e, 0, &want, &shadow, 1, &k.diag)) fail_with(&k.diag, text);
    assert_true(same(v.f, want) && same(v.shadow, shadow));
    eval_free(e);
    close_case(&k);
    return v;
}

/* ---- primitives ---- */

static void test_maps(void **state)
{
    (void)state;
    expect("let t (x: [N]f32) = map (\\v -> v * v) x", "N=3", "", "[1, 4, 9]");
    expect("let t (x: [N][M]f32) = map (map (\\v -> v + 1)) x", "N=2 M=2", "", "[[2, 3], [4, 5]]");
    expect("let t (x: [N]f32) = mapSeq (\\v -> -v) x", "N=2", "", "[-1, -2]");
    expect("let t (x: [N]f32) = mapSeqUnroll (\\v -> (v, v + v)) x", "N=2", "", "[(1, 2), (2, 4)]");
    expect("let t (x: [N]f32) = mapGlobal 0 (\\v -> -v) x", "N=2", "", "[-1, -2]");
    expect("let t (x: [4]f32) = join (mapWorkgroup 0 (mapLocal 0 (\\v -> -v)) (split 2 x))", "", "",
           "[-1, -2, -3, -4]");
    expect("let t (x: [N](f32, i32)) = map (\\(a, b) -> (b + 1, a)) x", "N=2", "", "[(2, 1), (3, 2)]");
}

static void test_reductions(void **state)
{
    (void)state;
    expect("let t (x: [N]f32) = reduce (+) 10 x", "N=4", "", "20");
    expect("let t (x: [N]f32) = reduceSeq (\\(a, v) -> a - v) 10 x", "N=4", "", "0");
    expect("let t (x: [N]f32) = reduceSeqUnroll (\\(a, v) -> 2 * a + v) 0 x", "N=3", "", "11");
    expect("let t (x: [N]i32) = reduceSeq (\\((s, m), v) -> (s + v, max m v)) (0, 0) x", "N=4", "3 9 2 5", "(19, 9)");
    expect("let t (x: [N]f32) = reducePart 2 (+) 0 x", "N=6", "", "[6, 15]");
    expect("let t (x: [N]f32) = scan (+) 100 x", "N=4", "", "[101, 103, 106, 110]");
    expect("let t (x: [N]i32) = scanSeq (\\((n, s), v) -> (n + 1, s + f32 v)) (0, 0.5) x", "N=2", "",
           "[(1, 1.5), (2, 3.5)]");
    expect("let t (x: [N][2]f32) = reduceSeq (\\(acc, r) -> map (+) (zip acc r)) (generate 2 (\\i -> 0)) x", "N=3",
           "", "[9, 12]");
    expect("let t (x: [N][2]f32) = scanSeq (\\(acc, r) -> map (+) (zip acc r)) (generate 2 (\\i -> 0)) x", "N=3", "",
           "[[1, 2], [4, 6], [9, 12]]");
    expect("let t (x: [N][2]f32) = reduceSeq (\\((n, acc), r) -> (n + 1, map (+) (zip (reorder reverse acc) r))) "
           "(0, generate 2 (\\i -> 0)) x", "N=3", "", "(3, [10, 11])");
    expect("let t (x: [N][4]f32) = reduceSeq (\\(acc, v) -> mapVec (+) (acc, v)) (vec (0, 0, 0, 0)) (map (\\r -> at 0 "
           "(asVector 4 r)) x)",
           "N=2", "", "<6, 8, 10, 12>");
}

/* Of lengths that follow from numbers: none, some, all; every other one; one in another; sizes as values. */
static void test_slices(void **state)
{
    (void)state;
    expect("let t (o: [M+1]i32) (x: [N]f32) = mapSegments (reduce (+) 0) o x", "M=4 N=6", "0 2 2 5 6 1 2 3 4 5 6", "[3, 0, 12, 6]");
    expect("let t (o: [M+1]i32) (x: [N]f32) = mapSegments (\\r -> (length r, reduce max (-inf) r)) o x", "M=3 N=4", "0 0 3 4",
           "[(0, -inf), (3, 3), (1, 4)]");
    expect("let t (x: [N]f32) = generate 4 (\\i -> slice 2 (reduce (+) 0) i (i + i) x)", "N=6", "", "[0, 2, 3, 10]");
    expect("let t (x: [N]f32) = slice 1 (\\r -> slice 1 (\\s -> reduce (+) 0 (map (\\a -> a * f32 (length r)) s)) 1 3 r) 2 6 x", "N=6", "",
           "36");
    expect("let t (o: [M+1]i32) (x: [N][2]f32) = mapSegments (\\r -> map (reduce (+) 0) (transpose r)) o x", "M=3 N=3", "0 1 1 3",
           "[[1, 2], [0, 0], [8, 10]]");
    expect("let t (o: [M+1]i32) (x: [N]f32) = mapSegments (\\r -> reduce (+) 0 (scan (+) 0 (reorder (rotate 1) r))) o x", "M=3 N=4",
           "0 0 3 4", "[0, 13, 4]");
    fails_at("let t (o: [M+1]i32) (x: [N]f32) = mapSegments (reduce (+) 0) o x", "M=3 N=4", "0 2 5 4", 1, "elements 2 to 5 of an array of 4");
}

/* From 0 to n in order, at random or evenly. */
static void test_offsets(void **state)
{
    (void)state;
    Ctx *c = ctx_new();
    Data *d = data_new(c, type_array(c, nat_const(c->nats, 101), type_scalar(c, SC_I32)));
    for (uint64_t seed = 0; seed < 4; seed++) {
        data_fill_offsets(d, seed, 950);
        assert_int_equal(data_get_int(d, 0, 0), 0);
        assert_int_equal(data_get_int(d, 0, 100), 950);
        for (int i = 0; i < 100; i++) {
            int64_t n = data_get_int(d, 0, i + 1) - data_get_int(d, 0, i);
            assert_true(seed ? n >= 0 : n == 9 || n == 10);
        }
    }
    data_free(d);
    ctx_free(c);
}

static void test_iterate(void **state)
{
    (void)state;
    expect("let t (x: [N]f32) = iterate 3 (\\v -> map (reduce (+) 0) (split 2 v)) x", "N=8", "", "[36]");
    expect("let t (x: [N]f32) = iterate 2 (\\v -> map (\\w -> at 0 w - at 1 w) (split 2 v)) x", "N=8",
           "1 2 4 8 16 32 64 128", "[3, 48]");
    expect("let t (x: [N]f32) = iterate 100 (map (\\v -> v + 1)) x", "N=2", "", "[101, 102]");
    expect("let t (x: [N]f32) = iterate 3 (\\v -> map (+) (zip v (reorder (rotate 1) v))) x", "N=3", "",
           "[17, 16, 15]");
    expect("let t (x: [N]f32) (y: [M]f32) = iterate 2 (\\v -> map (\\e -> e + reduce (+) 0 (iterate 3 (map (\\q -> q "
           "* 2)) y)) v) x",
           "N=2 M=3", "", "[97, 98]");
    expect("let t (x: [N]f32) = iterate 2 (\\v -> map (\\e -> reduce (+) 0 (iterate 2 (\\w -> map (reduce (+) 0) "
           "(split 2 w)) e)) "
           "(split 4 v)) x", "N=16", "", "[136]");
}

static void test_layout(void **state)
{
    (void)state;
    expect("let t (x: [N]f32) (y: [N]i32) = zip x y", "N=2", "1 2 3 4", "[(1, 3), (2, 4)]");
    expect("let t (x: [N]f32) (y: [N]f32) (z: [N]f32) = zip3 x y z", "N=1", "1 2 3", "[(1, 2, 3)]");
    expect("let t (x: [N](f32, [2]i32)) = unzip x", "N=2", "1 2 3 4 5 6", "([1, 2], [[3, 4], [5, 6]])");
    expect("let t (x: [N]f32) = split 2 x", "N=4", "", "[[1, 2], [3, 4]]");
    expect("let t (x: [N][M]f32) = join x", "N=2 M=3", "", "[1, 2, 3, 4, 5, 6]");
    expect("let t (x: [N][M]f32) = transpose x", "N=2 M=3", "", "[[1, 4], [2, 5], [3, 6]]");
    expect("let t (x: [N][N]f32) = antidiagonals x", "N=3", "", "[[7, 5, 3], [4, 2, 9], [1, 8, 6]]");
    expect("let t (x: [2][2][2]f32) = map transpose (transpose x)", "", "", "[[[1, 5], [2, 6]], [[3, 7], [4, 8]]]");
    expect("let t (x: [N]f32) = slide 3 1 x", "N=5", "", "[[1, 2, 3], [2, 3, 4], [3, 4, 5]]");
    expect("let t (x: [N]f32) = slide 2 2 x", "N=4", "", "[[1, 2], [3, 4]]");
    expect("let t (x: [N]f32) = pad 2 1 clamp x", "N=3", "", "[1, 1, 1, 2, 3, 3]");
    expect("let t (x: [N]f32) = pad 2 3 mirror x", "N=3", "", "[2, 1, 1, 2, 3, 3, 2, 1]");
    expect("let t (x: [N]f32) = pad 2 1 wrap x", "N=3", "", "[2, 3, 1, 2, 3, 1]");
    expect("let t (x: [N]f32) = padConst 1 2 9 x", "N=2", "", "[9, 1, 2, 9, 9]");
    expect("let t (x: [N][2]f32) (v: [2]f32) = padConst 0 1 v x", "N=1", "1 2 3 4", "[[1, 2], [3, 4]]");
    expect("let t (x: [N]f32) = take 2 x", "N=3", "", "[1, 2]");
    expect("let t (x: [N]f32) = drop 2 x", "N=3", "", "[3]");
    expect("let t (x: [N]f32) (y: [M]f32) = concat x y", "N=2 M=1", "1 2 3", "[1, 2, 3]");
    expect("let t (x: [N]f32) = reorder reverse x", "N=3", "", "[3, 2, 1]");
    expect("let t (x: [N]f32) = reorder (rotate 1) x", "N=3", "", "[2, 3, 1]");
    expect("let t (x: [N]f32) = reorder (stride 2) x", "N=6", "", "[1, 3, 5, 2, 4, 6]");
    expect("let t (x: [N]f32) = (join . transpose . split 2) x", "N=6", "", "[1, 3, 5, 2, 4, 6]");
    expect("let t (x: [4]f32) = reorder (perm (\\i -> 3 - i) (\\i -> 3 - i)) x", "", "", "[4, 3, 2, 1]");
    expect("let t (x: [5]f32) = reorder (perm (\\i -> (i + 2) % 5) (\\i -> (i + 3) % 5)) x", "", "", "[3, 4, 5, 1, 2]");
}

static void test_by_index(void **state)
{
    (void)state;
    expect("let t (x: [N]i32) = reduceByIndex (+) (replicate 4 0) (map (\\i -> (i, 1)) x)", "N=7", "3 1 1 -1 9 1 0", "[1, 3, 0, 1]");
    expect("let t (x: [N]i32) = reduceByIndexSeq (\\(a, b) -> 10 * a + b) (iota 3) (zip x (iota N))", "N=5", "2 0 2 0 7", "[13, 1, 202]");
    expect("let t (x: [N]i32) = reduceByIndexAtomic max (replicate 2 (-inf)) (map (\\i -> (i % 2, f32 i)) x)", "N=4", "2 5 6 1", "[6, 5]");
    expect("let t (x: [N][2]f32) = reduceByIndex (\\(a, b) -> map (+) (zip a b)) (replicate 2 (replicate 2 1)) (zip (iota N) x)", "N=3",
           "1 2 3 4 5 6", "[[2, 3], [4, 5]]");
    expect("let t (x: [N][2]i32) = map (\\r -> reduceByIndex (+) (replicate 3 0) (zip r r)) x", "N=2", "1 1 2 0", "[[0, 2, 0], [0, 0, 2]]");
    expect("let t (x: [N]i32) = reduceByIndex (\\((a, n), (b, m)) -> (a + b, n * m)) (replicate 2 (0.5, 1)) (map (\\i -> (i, (f32 i, 2))) x)", "N=3",
           "1 1 0", "[(0.5, 2), (2.5, 4)]");
    fails_at("let t (x: [N]i32) = reduceByIndex (\\(a, b) -> a / b) (replicate 2 7) (zip x x)", "N=2", "0 1", 0, "integer division of 7 by zero");
    expect("let t (x: [N]i32) = at 1 (reduceByIndex (\\(a, b) -> a / b) (replicate 2 7) (zip x x))", "N=2", "0 1", "7");
}

static void test_access(void **state)
{
    (void)state;
    expect("let t (is: [M]i32) (x: [N]f32) = gather is x", "M=2 N=3", "2 0 5 6 7", "[7, 5]");
    expect("let t (d: [N]f32) (is: [M]i32) (x: [M]f32) = scatter d is x", "M=2 N=3", "5 6 7 2 0 8 9", "[9, 6, 8]");
    expect("let t (is: [N]i32) (x: [N][2]f32) = scatter x is (map (map (\\v -> -v)) x)", "N=2", "1 0 1 2 3 4",
           "[[-3, -4], [-1, -2]]");
    expect("let t (x: [N]f32) = generate 3 (\\i -> at i x + f32 i)", "N=3", "", "[1, 3, 5]");
    expect("let t (x: [N]f32) = generate 2 (\\i -> at (2 * i + 1) x)", "N=4", "", "[2, 4]");
    expect("let t (x: [N][M]f32) (i: i32) = at i x", "N=2 M=2", "1 2 3 4 1", "[3, 4]");
    expect("let t (x: [N]f32) = toGlobal (map (\\v -> v + 1) (toLocal (toPrivate x)))", "N=2", "", "[2, 3]");
    expect("let t (x: [N]f32) = let y = map (\\v -> v * 2) x in (reduce (+) 0 y, map (\\v -> v / reduce max 0 y) y)",
           "N=2", "",
           "(6, [0.5, 1])");
    expect("let t (x: (f32, (i32, [2]f32))) = (x.1.1, x.0, x.1)", "", "1 2 3 4", "([3, 4], 1, (2, [3, 4]))");
}

static void test_vectors(void **state)
{
    (void)state;
    expect("let t (x: [N]f32) = asVector 2 x", "N=4", "", "[<1, 2>, <3, 4>]");
    expect("let t (x: [N]<2>f32) = asScalar x", "N=2", "", "[1, 2, 3, 4]");
    expect("let t (x: [N](f32, i32)) = asVector 2 x", "N=4", "1 2 3 4 5 6 7 8", "[(<1, 2>, <5, 6>), (<3, 4>, <7, 8>)]");
    expect("let t (x: [N](<2>f32, <2>i32)) = asScalar x", "N=2", "1 2 3 4 5 6 7 8", "[(1, 5), (2, 6), (3, 7), (4, 8)]");
    expect("let t (x: [N]f32) (c: f32) = asScalar (map (mapVec (\\v -> v * c)) (asVector 4 x))", "N=4", "1 2 3 4 10",
           "[10, 20, 30, 40]");
    expect("let t (a: <2>f32) (b: <2>f32) = mapVec (\\(x, y) -> (x - y, x < y)) (a, b)", "", "1 5 3 4",
           "(<-2, 1>, <true, false>)");
    expect("let t (a: f32) = vec (a, a + 1, 5, a)", "", "2", "<2, 3, 5, 2>");
    expect("let t (a: <4>f32) = a[2] - a[0]", "", "", "2");
    expect("let t (a: <3>i32) (b: <3>i32) = vdot a b", "", "1 2 3 4 5 6", "32");
}

static void test_choice(void **state)
{
    (void)state;
    expect("let t (x: [N]f32) (c: bool) = if c then x else map (\\v -> -v) x", "N=2", "1 2 0", "[-1, -2]");
    expect("let t (x: [N]f32) = map (\\v -> if v < 2 then (v, 0.0) else (0, v)) x", "N=3", "",
           "[(1, 0), (0, 2), (0, 3)]");
    expect("let t (x: [N]i32) = map (\\v -> select (v < 2) (-v) v) x", "N=3", "", "[-1, 2, 3]");
    expect("let t (x: [N]i32) = map (\\v -> v == 0 || 12 // v > 5) x", "N=3", "0 2 3", "[true, true, false]");
    expect("let t (x: [N]i32) = map (\\v -> v != 0 && 12 // v > 5) x", "N=3", "0 2 3", "[false, true, false]");
}

/* ---- scalar operations ---- */

static void test_integers(void **state)
{
    (void)state;
    value("((-7) / 2, (-7) // 2, (-7) % 3, 7 % (-3))", "(-4, -4, 2, -2)");
    value("(quot (-7) 2, rem (-7) 3, quot 7 (-2), rem 7 (-3))", "(-3, -1, -3, 1)");
    value("(2147483647 + 1, (-2147483647 - 1) - 1, 65536 * 65536, abs (-2147483647 - 1))",
          "(-2147483648, 2147483647, 0, -2147483648)");
    value("((-2147483647 - 1) // (-1), (-2147483647 - 1) % (-1))", "(-2147483648, 0)");
    value("(0u32 - 1u32, 7u32 / 2u32, 4294967295u32 * 2u32, max 1u32 (0u32 - 1u32))",
          "(4294967295, 3, 4294967294, 4294967295)");
    value("9223372036854775807i64 + 1i64", "-9223372036854775808");
    value("(band 12 10, bor 12 10, bxor 12 10)", "(8, 14, 6)");
    value("(shl 1 31, shl 1 33, shr (-8) 1, shr (0u32 - 1u32) 31u32, shl 1i64 33i64)",
          "(-2147483648, 2, -4, 1, 8589934592)");
    value("(min 2 (-3), max 2 (-3), -(5), abs (-5), !(1 < 2))", "(-3, 2, -5, 5, false)");
    value("(1 == 1, 1 != 1, 1 < 2, 2 <= 1, 2 > 1, 1 >= 2, (1 < 2) == (2 < 1))",
          "(true, false, true, false, true, false, false)");
}

static void test_floats(void **state)
{
    (void)state;
    value("(7.0 / 2.0, 1.0 / 0.0, sqrt 9.0, rsqrt 4.0, abs (-1.5), -(2.5))", "(3.5, inf, 3, 0.5, 1.5, -2.5)");
    value("(exp 0.0, exp2 3.0, log 1.0, log2 8.0, sin 0.0, cos 0.0, tan 0.0, tanh 0.0, pow 2.0 10.0)",
          "(1, 8, 0, 3, 0, 1, 0, 0, 1024)");
    value("(asin 0.0, acos 1.0, atan 0.0, atan2 0.0 1.0, sinh 0.0, cosh 0.0, erf 0.0, erf 8.0)", "(0, 0, 0, 0, 0, 1, 0, 1)");
    value("(expm1 1e-7, log1p 1e-7, expm1 (-inf), lgamma 1.0, lgamma 5.0f64, lgamma (-2.0), trunc (-1.5), trunc 1.5)",
          "(1.0000001e-07, 9.9999994e-08, -1, 0, 3.1780538303479458, inf, -1, 1)");
    value("(popcount 255, popcount (-1i8), popcount 0u64, clz 1, clz 1i8, clz 0u16, clz (-1i64))", "(8, 8, 0, 31, 7, 16, 0)");
    value("(asI32 1.0, asU32 (-0.0), asF32 1065353216, asU32 (-1), asI64 1.0f64, asF64 1i64, asF32 (asU32 nan) == 1.0)",
          "(1065353216, 2147483648, 1, 4294967295, 4607182418800017408, 5e-324, false)");
    value("(0x1F, 0xffu8, bxor 0x9e3779b97f4a7c15u64 0u64)", "(31, 255, 11400714819323198485)");
    value("(maxNaN nan 1.0, maxNaN 1.0 nan, minNaN nan 1.0, maxNaN 1.0 2.0, minNaN 1 2, relu nan, relu 2)", "(nan, nan, nan, 2, 1, nan, 2)");
    value("(floor (-1.5), ceil (-1.5), round 2.5, round 3.5, sign (-3.0), sign 0.0, fma 2.0 3.0 4.0)",
          "(-2, -1, 2, 4, -1, 0, 10)");
    value("(min nan 1.0, max 2.0 nan, nan == nan, nan != nan, nan < 1.0, min 1.0 inf)",
          "(1, 2, false, true, false, 1)");
    value("(exp 1.0f64, pi)", "(2.718281828459045, 3.1415927)");
    value("(i32 (-1.9), u32 3.9, i64 1e10, bool 0.5, bool 0, f32 16777217, f64 (f32 0.1f64), i32 (1 < 2))",
          "(-1, 3, 10000000000, true, false, 16777216, 0.10000000149011612, 1)");
}

/* Where the type decides: each result differs from what f64 would give. */
static void test_rounding(void **state)
{
    (void)state;
    expect("let t (a: f32) (b: f32) = (a + b) - a", "", "16777216 1", "0");
    expect("let t (a: f64) (b: f64) = (a + b) - a", "", "16777216 1", "1");
    expect("let t (a: f32) = a * a", "", "0.1", "0.010000001");
    expect("let t (a: f32) (b: f32) = a / b", "", "1 3", "0.33333334");
    expect("let t (a: f32) (b: f32) = (a * a - b, fma a a (-b))", "", "1.0001220703125 1.000244140625",
           "(0, 1.4901161e-08)");
    expect("let t (x: [N]f32) = reduce (+) 16777216 x", "N=3", "1 1 1", "16777216");
    expect("let t (a: f16) (b: f16) = (a + b, a * b)", "", "2048 1", "(2048, 2048)");
    expect("let t (a: f16) = a * a", "", "300", "inf");
    expect("let t (a: f32) = f32 (f16 a)", "", "0.1", "0.099975586");
    expect("let t (a: f32) = exp a", "", "1", "2.7182817");
}

static void test_shadows(void **state)
{
    (void)state;
    EvalScalar v = reference("let t (x: [N]f32) = reduce (+) 0 x", "N=3", "5 -3 1");
    assert_true(v.f == 3 && v.shadow == 9);
    v = reference("let t (a: f32) (b: f32) = (a - b) * (a + b)", "", "5 3");
    assert_true(v.f == 16 && v.shadow == 64);
    v = reference("let t (a: f32) (b: f32) = (a - b) / a", "", "4 3");
    assert_true(v.f == 0.25 && v.shadow == 1.75);
    v = reference("let t (a: f32) (b: f32) = sqrt (a - b)", "", "20 4");
    assert_true(v.f == 4 && v.shadow == 4);
    v = reference("let t (a: f32) (b: f32) = max (-a) (abs (a - b))", "", "4 3");
    assert_true(v.f == 1 && v.shadow == 7);
    v = reference("let t (a: f32) = min a inf", "", "4");
    assert_true(v.f == 4 && v.shadow == 4);
    v = reference("let t (a: f32) (b: f32) = (a + b) - a", "", "16777216 1");
    assert_true(v.f == 1 && v.shadow == 33554433);
    v = reference("let t (a: f32) (b: f32) = if a - b > 0 then a - b else 0", "", "3 2");
    assert_true(v.f == 1 && v.shadow == 5);
    v = reference("let t (a: f32) = f32 (f16 a) * 0.1", "", "0.1");
    assert_true(v.f == (double)(_Float16)0.1f * (double)0.1f);         /* to a narrower type is no rounding, but a function */
    v = reference("let t (a: f32) = a * 1e30 * 1e30 * 1e30 * 1e30 * 1e30 * 1e30 * 1e30 * 1e30 * 1e30 * 1e30", "", "1e38");
    assert_false(isfinite(v.shadow));
    v = reference("let t (a: i32) = f32 (a - 7)", "", "3");
    assert_true(v.f == -4 && v.shadow == 4);
}

/* ---- defined errors ---- */

static void test_errors(void **state)
{
    (void)state;
    fails_at("let t (x: [N]f32) (i: i32) = at i x", "N=2", "1 2 2", 0,
             "E38 x[i] in /: index 2 is out of range\n  needs   0 <= index < 2\n  found   2");
    fails_at("let t (x: [N]f32) = generate 2 (\\i -> at (i - 1) x)", "N=2", "", 0,
             "x[i] in /f/body: index -1 is out of range");
    fails_at("let t (is: [M]i32) (x: [N]f32) = gather is x", "M=2 N=2", "0 5 1 1", 1, "gather in /: index 5");
    fails_at("let t (d: [N]f32) (is: [M]i32) = map (\\v -> v + 1) (scatter d is (map (\\i -> 0.0) is))", "M=2 N=2",
             "0 0 0 2", 0,
             "scatter in /in: index 2 is out of range");
    fails_at("let t (d: [N]f32) (is: [M]i32) = scatter d is (map (\\i -> 0.0) is)", "M=2 N=3", "0 0 0 2 2", 0,
             "index 2 is written twice");
    fails_at("let t (x: [4]f32) = reorder (perm (\\i -> i // 2) (\\i -> i)) x", "", "", 3, "perm is no bijection");
    fails_at("let t (x: [4]f32) = reorder (perm (\\i -> i + 1) (\\i -> i - 1)) x", "", "", 0, "perm is no bijection");
    fails_at("let t (x: [N]i32) = map (\\v -> 7 / v) x", "N=2", "1 0", 1, "integer division of 7 by zero");
    fails_at("let t (x: [N]i32) = map (\\v -> rem 7 v + quot 7 v) x", "N=2", "1 0", 1, "rem in /f/body/0");
    fails_at("let t (x: [N]i32) = map (\\v -> 7 % v) x", "N=2", "1 0", 1, "division of 7 by zero");
    fails_at("let t (x: f32) = i32 x", "", "3e9", 0, "E38 i32 in /: 3e+09 is out of range\n  needs   a value that i32 "
             "can hold");
    fails_at("let t (x: f32) = u32 x", "", "-1", 0, "-1 is out of range");
    fails_at("let t (x: f32) = i64 (x - x)", "", "inf", 0, "nan is out of range");
    fails_at("let t (x: i32) = u32 x", "", "-1", 0, "-1 is out of range");
    fails_at("let t (x: [N]i32) = reduce (+) 0 (map (\\v -> 7 / v) x)", "N=3", "1 0 1", 0, "division of 7 by zero");
    fails_at("let t (x: [N]i32) = select (1 < 2) 1 (7 / at 0 x)", "N=1", "0", 0, "division of 7 by zero");
    fails_at("let t (x: [N]i32) = if 7 / at 0 x > 1 then x else map (\\v -> -v) x", "N=2", "0", 0,
             "division of 7 by zero");
}

static void test_laziness(void **state)
{
    (void)state;
    const char *divide = "let t (x: [N]i32) = map (\\v -> 7 / v) x";
    gives_at(divide, "N=3", "1 0 7", 0, 7);
    gives_at(divide, "N=3", "1 0 7", 2, 1);
    expect("let t (x: [N]i32) = take 1 (map (\\v -> 7 / v) x)", "N=2", "1 0", "[7]");
    expect("let t (x: [N]i32) = at 0 (scan (+) 0 (map (\\v -> 7 / v) x))", "N=3", "1 0 1", "7");
    expect("let t (x: [N]i32) = let y = toGlobal (map (\\v -> 7 / v) x) in at 0 y + at 0 (reorder (rotate 1) (reorder "
           "(rotate 1) y))", "N=3",
           "1 0 7", "8");
    expect("let t (x: [N]i32) = take 1 (reduceSeq (\\(acc, r) -> map (\\(a, v) -> a + 7 / v) (zip acc r)) (generate 2 "
           "(\\i -> 0)) (split 2 x))",
           "N=4", "1 0 7 0", "[8]");
    expect("let t (x: [N]i32) = let d = 7 / at 0 x in map (\\v -> if v > 0 then d else v) x", "N=2", "0 -1", "[0, -1]");
    expect("let t (x: [N]i32) (i: i32) = map (\\v -> if v < 2 then at v x else -1) x", "N=3", "0 1 5 9", "[0, 1, -1]");
    expect("let t (x: [N]i32) = map (\\p -> p.0) (zip x (map (\\v -> 7 / v) x))", "N=2", "0 1", "[0, 1]");
}

static void test_limits(void **state)
{
    (void)state;
    Case k;
    EvalScalar v;
    open_case(&k, "let t (x: [N]f32) = reduce (+) 0 (map (\\v -> v * v) x)", "N=100000");
    Eval *e = start(&k, EVAL_EXACT);
    eval_limit(e, 1000, NULL);
    assert_false(eval_at(e, 0, 0, &v, &k.diag));
    assert_int_equal(k.diag.id, E25);
    diag_clear(&k.diag);
    volatile int stop = 1;
    eval_limit(e, 0, &stop);
    assert_false(eval_at(e, 0, 0, &v, &k.diag));
    assert_int_equal(k.diag.id, E25);
    diag_clear(&k.diag);
    stop = 0;
    give(&k, "");
    assert_true(eval_at(e, 0, 0, &v, &k.diag));
    assert_true(v.f > 3.3e14 && v.f < 3.4e14);
    eval_free(e);
    assert_null(eval_new(k.c, k.term, NULL, 0, EVAL_EXACT));
    assert_int_equal(k.c->diag.id, E37);
    close_case(&k);
}

static void test_estimates(void **state)
{
    (void)state;
    Case k;
    open_case(&k, "let t (A: [N][K]f32) (B: [K][M]f32) = map (\\r -> map (\\c -> reduce (+) 0 (map (*) (zip r c))) "
              "(transpose B)) A",
              "N=10 K=20 M=30");
    assert_true(eval_work(k.term, NAN).steps == 12000 && eval_work(k.term, NAN).flops == 12000);
    assert_true(eval_is_exact_program(k.term));
    close_case(&k);
    open_case(&k, "let t (x: [N]f32) = iterate 3 (\\v -> map (reduce (+) 0) (split 2 v)) x", "N=16");
    assert_true(eval_work(k.term, NAN).steps >= 14 && eval_work(k.term, NAN).steps <= 100);
    assert_true(eval_work(k.term, NAN).flops == 0);                   /* its lengths change from round to round */
    close_case(&k);
    open_case(&k, "let t (x: [N]f32) = map (\\v -> if v < 0 then fma v 2 1 * v else select (v < 1) v (f32 (i32 v))) x", "N=16");
    assert_true(eval_work(k.term, NAN).flops == 16 * 3);              /* the side that works most; choices and casts do not */
    close_case(&k);
    open_case(&k, "let t (x: [N]f32) = loopWhile 1000000 (\\(y, s) -> s > 1) (\\(y, s) -> (map (\\v -> v * 0.5) y, s - 1)) (x, 3.0f32)", "N=16");
    assert_true(eval_work(k.term, 2).flops == 2 * 17);                /* the rounds that were made */
    assert_true(eval_work(k.term, NAN).flops == 0);                   /* how many is not known */
    close_case(&k);
    open_case(&k, "let t (x: [N]f32) = map (\\v -> loopWhile 1000000 (\\y -> y > 1) (\\y -> y * 0.5) v) x", "N=16");
    assert_true(eval_work(k.term, 2).flops == 0);                     /* each element has its own */
    close_case(&k);
    open_case(&k, "let t (x: [N]f32) = map (\\v -> sqrt v) x", "N=16");
    assert_false(eval_is_exact_program(k.term));
    close_case(&k);
    open_case(&k, "let t (x: [N]f32) = map (\\v -> v * 0.1) x", "N=16");
    assert_false(eval_is_exact_program(k.term));
    close_case(&k);
    open_case(&k, "let t (x: [N]f32) (y: [N]i32) = map (\\(v, i) -> if i // 2 == 0 then max v (f32 i) else abs v) "
              "(zip x y)", "N=16");
    assert_true(eval_is_exact_program(k.term));
    close_case(&k);
}

/* ---- derived forms of one program agree with it (walkthrough of matrix multiplication) ---- */

static const char mm_naive[] =
    "let mm (A: [N][K]f32) (B: [K][M]f32) = "
    "map (\\row -> map (\\col -> reduce (+) 0 (map (*) (zip row col))) (transpose B)) A";

static const char *const mm_derived[] = {
    "let mm (A: [N][K]f32) (B: [K][M]f32) = join (mapGlobal 1 (\\c -> transpose (mapGlobal 0 (\\col -> "
    "mapSeqUnroll (\\v -> v) (reduceSeq (\\(acc, (a, b)) -> mapSeqUnroll (\\(v, w) -> fma w b v) (zip acc a)) "
    "(toPrivate (mapSeqUnroll id (generate 4 (\\i -> 0)))) (zip (transpose c) col))) (transpose B))) (split 4 A))",

    "let mm (A: [N][K]f32) (B: [K][M]f32) = join (map (\\c -> transpose (join (map (\\c1 -> transpose (join (map "
    "(\\c2 -> "
    "reduceSeq (\\(acc, (a, b)) -> map (\\(v0, v1) -> map (\\(v, w) -> v + v1 * w) (zip v0 b)) (zip acc a)) "
    "(generate 2 (\\i -> generate 4 (\\j -> 0))) (zip (transpose c2) (transpose c1))) (split 2 c)))) "
    "(split 4 (transpose B))))) (split 8 A))",

    "let mm (A: [N][K]f32) (B: [K][M]f32) = join (map (\\c -> transpose (join (map (\\c1 -> transpose (join "
    "(reduceSeq (\\(acc, (y0, y1)) -> "
    "map (\\(v0, v1) -> reduceSeq (\\(acc1, (z0, z1)) -> map (\\(w0, w1) -> map (\\(a, b) -> a + w1 * b) (zip w0 z1)) "
    "(zip acc1 z0)) v0 (zip v1 y1)) (zip acc y0)) (generate 4 (\\i -> generate 2 (\\j -> generate 4 (\\k -> 0)))) "
    "(zip (transpose (map (\\c2 -> split 4 (transpose c2)) (split 2 c))) (split 4 (transpose c1)))))) "
    "(split 4 (transpose B))))) (split 8 A))",

    "let mm (A: [N][K]f32) (B: [K][M]f32) = map (\\row -> asScalar (reduceSeq (\\(acc, (a, r)) -> "
    "let t = toLocal (asVector 4 r) in map (\\(u, v) -> mapVec (\\(p, q) -> p + a * q) (u, v)) (zip acc t)) "
    "(asVector 4 (generate M (\\i -> 0))) (zip row B))) A",
};

static void test_derivations(void **state)
{
    (void)state;
    Case naive, derived;
    open_case(&naive, mm_naive, "N=16 K=8 M=12");
    for (int i = 0; i < naive.input_count; i++) data_fill_exact(naive.data[i], (uint64_t)i + 3, 9);
    Data *want = data_new(naive.c, naive.term->type);
    Eval *e = start(&naive, EVAL_EXACT);
    assert_true(eval_full(e, want, &naive.diag));
    check_alone(&naive, EVAL_EXACT, want);
    check_alone(&naive, EVAL_REFERENCE, want);
    for (int d = 0; d < COUNT(mm_derived); d++) {
        open_case(&derived, mm_derived[d], "N=16 K=8 M=12");
        for (int i = 0; i < 2; i++) memcpy(derived.data[i]->parts[0].values, naive.data[i]->parts[0].values,
                                           data_bytes(naive.data[i]));
        Data *got = data_new(derived.c, derived.term->type);
        Eval *other = start(&derived, EVAL_EXACT);
        assert_true(eval_full(other, got, &derived.diag));
        assert_memory_equal(got->parts[0].values, want->parts[0].values, data_bytes(want));
        check_alone(&derived, EVAL_EXACT, want);
        check_alone(&derived, EVAL_REFERENCE, want);
        data_free(got);
        eval_free(other);
        close_case(&derived);
    }
    data_free(want);
    eval_free(e);
    close_case(&naive);
}

/* ---- sharing: what is computed once per change, however it is read ---- */

static void test_sharing(void **state)
{
    (void)state;
    expect("let t (x: [N]f32) = join (map (\\c -> map (\\v -> v * reduce (+) 0 c) c) (split 2 x))", "N=6", "",
           "[3, 6, 21, 28, 55, 66]");
    expect("let t (x: [N]f32) = map (\\i -> at (i // 2) (map (\\c -> reduce (+) 0 c) (split 2 x)) * f32 (i % 2 + 1)) "
           "(generate N (\\i -> i))",
           "N=4", "", "[3, 6, 7, 14]");
    expect("let t (x: [N][M]f32) = map (\\i -> map (\\j -> at (j % 2) (at (i // 2) (map (\\r -> scan (+) 0 r) x)) + "
           "f32 (i + j)) "
           "(generate 3 (\\j -> j))) (generate 4 (\\i -> i))", "N=2 M=2", "", "[[1, 4, 3], [2, 5, 4], [5, 10, 7], [6, "
           "11, 8]]");
    expect("let t (x: [N]f32) = map (\\v -> reduce (+) 0 (map (\\w -> w * v) (map (\\u -> reduce (+) u x) x))) x",
           "N=3", "", "[24, 48, 72]");
    expect("let f w = at 0 w + at 1 w + at 2 w  let t (x: [N]f32) = (map f . slide 3 1 . map f . slide 3 1 . map f . "
           "slide 3 1) x", "N=8",
           "", "[108, 135]");
    expect("let t (x: [N]f32) = let a = map (\\v -> v + 1) x let b = map (+) (zip a (reorder reverse a)) "
           "let c = map (+) (zip b (reorder (rotate 1) b)) in map (+) (zip c (reorder reverse c))", "N=4", "", "[28, "
           "28, 28, 28]");
}

/* 40 stages, each reading the one before twice: 2^40 steps if anything were computed again. */
static void test_no_explosion(void **state)
{
    (void)state;
    Buf text = {0};
    buf_puts(&text, "let t (x: [N]f32) = let a0 = x ");
    for (int i = 1; i <= 40; i++)
        buf_printf(&text, "let a%d = map (\\(u, v) -> (u + v) / 2) (zip a%d (reorder (rotate 1) a%d)) ", i, i - 1,
                   i - 1);
    buf_puts(&text, "in a40");
    expect(buf_text(&text), "N=4", "7 7 7 7", "[7, 7, 7, 7]");
    buf_clear(&text);
    buf_puts(&text, "let f r = map (\\w -> (reduce (+) 0 w) / 3) (slide 3 1 (pad 1 1 clamp r)) let t (x: [N]f32) = ");
    for (int i = 0; i < 40; i++) buf_puts(&text, "f (");
    buf_puts(&text, "x");
    for (int i = 0; i < 40; i++) buf_puts(&text, ")");
    expect(buf_text(&text), "N=4", "7 7 7 7", "[7, 7, 7, 7]");
    buf_free(&text);
}

static void expect_third(Ctx *c, const Term *x, const Term *t, double want)
{
    if (!t) fail_with(&c->diag, "the third");
    Data *in = data_new(c, x->type), *out = data_new(c, t->type);
    Eval *e = eval_new(c, t, &(EvalInput){"x", in, false}, 1, EVAL_EXACT);
    EvalScalar v;
    if (!eval_at(e, 0, 2, &v, &c->diag) || !eval_full(e, out, &c->diag)) fail_with(&c->diag, "the third");
    assert_true(v.f == want && data_get(out, 0, 2) == want);
    eval_free(e);
    data_free(in);
    data_free(out);
}

/* As deep as terms get, in three ways: the C stack holds it. */
static void test_depth(void **state)
{
    (void)state;
    Ctx *c = ctx_new();
    const Type *f32 = type_scalar(c, SC_F32), *row = type_array(c, nat_const(c->nats, 3), f32);
    const Term *x = term_input(c, "x", row), *v = term_var(c, 0, f32), *one = term_float(c, f32, 1), *t = x;
    const Term *plus = term_lam(c, f32, term_prim2(c, PRIM_ADD, v, one), NULL);
    enum { MAPS = 1990, SUMS = 1990, LETS = 650 };
    for (int n = 0; n < MAPS; n++) t = term_prim2(c, n % 2 ? PRIM_MAP_SEQ : PRIM_MAP, plus, t);
    expect_third(c, x, t, MAPS);
    t = v;
    for (int n = 0; n < SUMS; n++) t = term_prim2(c, PRIM_ADD, t, n % 2 ? one : v);
    expect_third(c, x, term_prim2(c, PRIM_MAP, term_lam(c, f32, t, NULL), x), SUMS / 2);
    const Term *inner = term_var(c, 0, row), *sum = term_lam(c, type_tuple(c, (const Type *[]){f32, f32}, 2),
        term_prim2(c, PRIM_ADD, term_prim2(c, PRIM_ADD, term_var(c, 1, f32), v), one), NULL);
    const Term *twice = term_prim2(c, PRIM_MAP, sum, term_prim2(c, PRIM_ZIP, inner,
                                                                term_prim1(c, PRIM_TO_LOCAL, inner)));
    t = inner;
    for (int n = 0; n < LETS; n++) t = term_let(c, twice, term_lam(c, row, t, NULL));
    t = term_let(c, term_prim2(c, PRIM_MAP, plus, x), term_lam(c, row, t, NULL));
    expect_third(c, x, t, INFINITY);
    ctx_free(c);
}

/* ---- the ten programs of the language against plain C ---- */

static void fill_inputs(Case *k, double lo, double hi)
{
    for (int i = 0; i < k->input_count; i++) data_fill_random(k->data[i], (uint64_t)i + 1, lo, hi);
}

static const float *in_f32(const Case *k, int input, int part) { return k->data[input]->parts[part].values; }
static const int32_t *in_i32(const Case *k, int input, int part) { return k->data[input]->parts[part].values; }

static Data *whole(Case *k)
{
    Data *out = data_new(k->c, k->term->type);
    Eval *e = start(k, EVAL_EXACT);
    if (!eval_full(e, out, &k->diag)) fail_with(&k->diag, "the whole");
    check_alone(k, EVAL_EXACT, out);
    eval_free(e);
    return out;
}

static void near(double got, double want) { assert_true(fabs(got - want) <= 2e-5 * (1 + fabs(want))); }

static void finish(Case *k, Data *out)
{
    data_free(out);
    close_case(k);
}

static void test_scal_asum_gemv(void **state)
{
    (void)state;
    Case k;
    open_case(&k, "let scal (alpha: f32) (xs: [N]f32) = map (\\x -> alpha * x) xs", "N=9");
    fill_inputs(&k, -1, 1);
    Data *out = whole(&k);
    for (int i = 0; i < 9; i++) assert_true(data_get(out, 0, i) == (double)(in_f32(&k, 0, 0)[0] * in_f32(&k, 1, 0)[i]));
    finish(&k, out);
    open_case(&k, "let asum (xs: [N]f32) = xs |> map abs |> reduce (+) 0", "N=50");
    fill_inputs(&k, -1, 1);
    out = whole(&k);
    float sum = 0;
    for (int i = 0; i < 50; i++) sum += fabsf(in_f32(&k, 0, 0)[i]);
    assert_true(data_get(out, 0, 0) == (double)sum);
    finish(&k, out);
    open_case(&k, "let dot (xs: [N]f32) (ys: [N]f32) = reduce (+) 0 . map (*) $ zip xs ys "
              "let gemv (A: [N][M]f32) (x: [M]f32) (y: [N]f32) (alpha: f32) (beta: f32) = "
              "map (\\(row, yi) -> alpha * dot row x + beta * yi) (zip A y)", "N=4 M=5");
    fill_inputs(&k, -1, 1);
    out = whole(&k);
    for (int i = 0; i < 4; i++) {
        float dot = 0;
        for (int j = 0; j < 5; j++) dot += in_f32(&k, 0, 0)[5 * i + j] * in_f32(&k, 1, 0)[j];
        assert_true(data_get(out, 0, i) == (double)(in_f32(&k, 3, 0)[0] * dot + in_f32(&k, 4, 0)[0] * in_f32(&k, 2,
            0)[i]));
    }
    finish(&k, out);
}

static const char add3[] =
    "let add3 ((ax, ay, az), (bx, by, bz)) = (ax + bx, ay + by, az + bz) with associative commutative neutral (0, 0, "
    "0) ";

static void md_force(const Case *k, int i, int j, float *f)
{
    float d[3], r2 = 0;
    for (int a = 0; a < 3; a++) d[a] = in_f32(k, 0, a)[i] - in_f32(k, 0, a)[j];
    r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    float i2 = 1 / r2, i6 = i2 * i2 * i2, s = i2 * i6 * (in_f32(k, 3, 0)[0] * i6 - in_f32(k, 4, 0)[0]);
    for (int a = 0; a < 3; a++) f[a] += r2 < in_f32(k, 2, 0)[0] ? s * d[a] : 0;
}

static void test_md(void **state)
{
    (void)state;
    Case k;
    char text[1200];
    snprintf(text, sizeof text, "%s%s", add3,
             "let force (px, py, pz) cut lj1 lj2 (qx, qy, qz) = let dx = px - qx let dy = py - qy let dz = pz - qz "
             "let r2 = dx*dx + dy*dy + dz*dz let i2 = 1 / r2 let i6 = i2 * i2 * i2 let f = i2 * i6 * (lj1 * i6 - lj2) "
             "in if r2 < cut then (f*dx, f*dy, f*dz) else (0, 0, 0) "
             "let md (ps: [N](f32, f32, f32)) (near: [J][N]i32) (cut: f32) (lj1: f32) (lj2: f32) = "
             "map (\\(p, is) -> gather is ps |> map (force p cut lj1 lj2) |> reduce add3 (0, 0, 0)) (zip ps "
             "(transpose near))");
    open_case(&k, text, "N=8 J=3");
    fill_inputs(&k, 0.5, 3);
    for (int i = 0; i < 24; i++) data_set_int(k.data[1], 0, i, (i % 8 + 1 + i / 8) % 8);
    Data *out = whole(&k);
    for (int i = 0; i < 8; i++) {
        float f[3] = {0, 0, 0};
        for (int j = 0; j < 3; j++) md_force(&k, i, in_i32(&k, 1, 0)[8 * j + i], f);
        for (int a = 0; a < 3; a++) near(data_get(out, a, i), (double)f[a]);
    }
    finish(&k, out);
}

static double phi(double x)
{
    double l = fabs(x), k = 1 / (1 + 0.2316419 * l);
    double poly = k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))));
    double w = 1 - 0.39894228 * exp(-l * l / 2) * poly;
    return x < 0 ? 1 - w : w;
}

static void test_black_scholes(void **state)
{
    (void)state;
    Case k;
    open_case(&k,
              "let phi x = let l = abs x let k = 1 / (1 + 0.2316419 * l) "
              "let poly = k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * "
              "1.330274429)))) "
              "let w = 1 - 0.39894228 * exp (-l * l / 2) * poly in select (x < 0) (1 - w) w "
              "let option r v (s, x, t) = let d1 = (log (s / x) + (r + v * v / 2) * t) / (v * sqrt t) "
              "let d2 = d1 - v * sqrt t let e = x * exp (-r * t) in (s * phi d1 - e * phi d2, e * phi (-d2) - s * phi "
              "(-d1)) "
              "let blackScholes (s: [N]f32) (x: [N]f32) (t: [N]f32) (r: f32) (v: f32) = map (option r v) (zip3 s x "
              "t)", "N=16");
    fill_inputs(&k, 0.5, 2);
    Data *out = whole(&k);
    double r = (double)*in_f32(&k, 3, 0), v = (double)*in_f32(&k, 4, 0);
    for (int i = 0; i < 16; i++) {
        double s = (double)in_f32(&k, 0, 0)[i], x = (double)in_f32(&k, 1, 0)[i], t = (double)in_f32(&k, 2, 0)[i];
        double d1 = (log(s / x) + (r + v * v / 2) * t) / (v * sqrt(t)), d2 = d1 - v * sqrt(t), e = x * exp(-r * t);
        near(data_get(out, 0, i), s * phi(d1) - e * phi(d2));
        near(data_get(out, 1, i), e * phi(-d2) - s * phi(-d1));
    }
    finish(&k, out);
}

static int clamped(int i, int n) { return i < 0 ? 0 : i >= n ? n - 1 : i; }

static void test_blur(void **state)
{
    (void)state;
    Case k;
    open_case(&k,
              "let dot (xs: [N]f32) (ys: [N]f32) = reduce (+) 0 . map (*) $ zip xs ys "
              "let around x = map transpose . slide 3 1 . map (slide 3 1) $ x "
              "let edges x = pad 1 1 clamp (map (pad 1 1 clamp) x) "
              "let blur (img: [N][M]f32) (w: [3][3]f32) = map (map (\\nb -> dot (join nb) (join w))) . around . edges "
              "$ img", "N=5 M=6");
    fill_inputs(&k, -1, 1);
    Data *out = whole(&k);
    for (int i = 0; i < 5; i++) {
        for (int j = 0; j < 6; j++) {
            float sum = 0;
            for (int a = 0; a < 9; a++)
                sum += in_f32(&k, 0, 0)[6 * clamped(i + a / 3 - 1, 5) + clamped(j + a % 3 - 1, 6)] * in_f32(&k, 1,
                    0)[a];
            assert_true(data_get(out, 0, 6 * i + j) == (double)sum);
        }
    }
    finish(&k, out);
}

static void test_kmeans(void **state)
{
    (void)state;
    Case k;
    open_case(&k,
              "let dist p c = reduce (+) 0 (map (\\(x, y) -> (x - y) * (x - y)) (zip p c)) "
              "let nearer ((d, i), (e, j)) = if e < d then (e, j) else (d, i) "
              "let kmeans (features: [F][P]f32) (clusters: [C][F]f32) = "
              "map (\\p -> (reduce nearer (inf, 0) (zip (map (dist p) clusters) (iota C))).1) (transpose "
              "features)", "F=3 P=10 C=4");
    fill_inputs(&k, -1, 1);
    Data *out = whole(&k);
    for (int p = 0; p < 10; p++) {
        float best = INFINITY;
        int at = 0;
        for (int c = 0; c < 4; c++) {
            float d = 0;
            for (int f = 0; f < 3; f++) {
                float x = in_f32(&k, 0, 0)[10 * f + p] - in_f32(&k, 1, 0)[3 * c + f];
                d += x * x;
            }
            if (d < best) best = d, at = c;
        }
        assert_int_equal(data_get_int(out, 0, p), at);
    }
    finish(&k, out);
}

static void test_nbody(void **state)
{
    (void)state;
    Case k;
    char text[1500];
    snprintf(text, sizeof text, "%s%s", add3,
             "let pull eps (px, py, pz, pm) (qx, qy, qz, qm) = let dx = qx - px let dy = qy - py let dz = qz - pz "
             "let i = rsqrt (dx*dx + dy*dy + dz*dz + eps) let s = qm * i * i * i in (dx * s, dy * s, dz * s) "
             "let move dt (px, py, pz, pm) (vx, vy, vz) (ax, ay, az) = "
             "((px + vx*dt + ax*dt*dt/2, py + vy*dt + ay*dt*dt/2, pz + vz*dt + az*dt*dt/2, pm), (vx + ax*dt, vy + "
             "ay*dt, vz + az*dt)) "
             "let nbody (pos: [N](f32, f32, f32, f32)) (vel: [N](f32, f32, f32)) (eps: f32) (dt: f32) = "
             "map (\\(p, v) -> move dt p v (reduce add3 (0, 0, 0) (map (pull eps p) pos))) (zip pos vel)");
    open_case(&k, text, "N=7");
    fill_inputs(&k, 0.1, 1);
    Data *out = whole(&k);
    double eps = (double)*in_f32(&k, 2, 0), dt = (double)*in_f32(&k, 3, 0);
    for (int i = 0; i < 7; i++) {
        double a[3] = {0, 0, 0};
        for (int j = 0; j < 7; j++) {
            double d[3], r2 = eps;
            for (int x = 0; x < 3; x++) {
                d[x] = (double)in_f32(&k, 0, x)[j] - (double)in_f32(&k, 0, x)[i];
                r2 += d[x] * d[x];
            }
            for (int x = 0; x < 3; x++) a[x] += d[x] * (double)in_f32(&k, 0, 3)[j] / (sqrt(r2) * r2);
        }
        for (int x = 0; x < 3; x++) {
            double p = (double)in_f32(&k, 0, x)[i], v = (double)in_f32(&k, 1, x)[i];
            near(data_get(out, x, i), p + v * dt + a[x] * dt * dt / 2);
            near(data_get(out, 4 + x, i), v + a[x] * dt);
        }
        assert_true(data_get(out, 3, i) == (double)in_f32(&k, 0, 3)[i]);
    }
    finish(&k, out);
}

/* ---- bounded memory, speed of single elements ---- */

static long resident_pages(void)
{
    long all = 0, resident = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (f && fscanf(f, "%ld %ld", &all, &resident) != 2) resident = 0;
    if (f) fclose(f);
    return resident;
}

static void test_long_loop(void **state)
{
    (void)state;
    Case k;
    EvalScalar v;
    open_case(&k, "let t (x: f32) = reduceSeq (\\((s, a), i) -> (s + 1, map (\\u -> u + x) a)) (0, generate 2 (\\j -> "
              "x)) (iota 1000000)", "");
    give(&k, "1");
    long more = 256;
    for (int i = 0; i < 3 && more >= 256; i++) {         /* pages that the system took away from other parts may come back meanwhile */
        Eval *e = start(&k, EVAL_EXACT);
        long before = resident_pages();
        assert_true(eval_at(e, 0, 0, &v, &k.diag) && v.i == 1000000);
        assert_true(eval_at(e, 1, 1, &v, &k.diag) && v.f == 1000001);
        more = resident_pages() - before;
        eval_free(e);
    }
    assert_true(more < 256);
    close_case(&k);
}

/* One element of a 4096 cubed product costs its row and column only. */
static void test_single_element(void **state)
{
    (void)state;
    Case k;
    EvalScalar v;
    open_case(&k, mm_naive, "N=2000 K=2000 M=2000");
    data_fill_const(k.data[0], 1);
    data_fill_const(k.data[1], 2);
    Eval *e = start(&k, EVAL_REFERENCE);
    eval_limit(e, 300000, NULL);
    for (int i = 0; i < 20; i++) assert_true(eval_at(e, 0, 199999 * i, &v, &k.diag) && v.f == 4000 && v.shadow == 4000);
    eval_free(e);
    close_case(&k);
}

/* Elements of a tiled version cost what their own sums do, not their tiles; in a state whose parts need each other, those parts. They are what
 * they are in the whole. */
static void test_single_element_of_tiles(void **state)
{
    (void)state;
    static const struct { const char *text, *sizes; int64_t steps; } cases[] = {
        {"let t (A: [N][K]f32) (B: [K][M]f32) = join (map (\\a -> transpose (join (map (\\b -> transpose (reduceSeq (\\(acc, (u, v)) -> map (\\(as, r) -> "
         "map (\\(s, (p, q)) -> s + p * q) (zip as (map (\\w -> (r, w)) v))) (zip acc u)) (generate 64 (\\i -> generate 64 (\\j -> 0))) "
         "(zip (transpose a) (transpose b)))) (split 64 (transpose B))))) (split 64 A))", "N=128 K=300 M=128", 2500},
        {"let t (A: [N][K]f32) (B: [K][M]f32) = join (map (\\a -> transpose (join (map (\\b -> transpose (map join (reduceSeq (\\(acc, (u, v)) -> "
         "mma (transpose u) (split 2 (transpose v)) acc) (generate 64 (\\i -> generate 32 (\\j -> generate 2 (\\l -> 0)))) (zip (split 16 (transpose a)) (split 16 (transpose b)))))) "
         "(split 64 (transpose B))))) (split 64 A))", "N=128 K=320 M=128", 4000},
        {"let t (x: [N]f32) (Y: [N][M]f32) = reduceSeq (\\((m, acc), (v, r)) -> let n = max m v in (n, map (\\(a, y) -> a * exp (m - n) + y * exp (v - n)) (zip acc r))) "
         "(-1, generate M (\\j -> 0)) (zip x Y)", "N=50 M=70000", 2000},
        {"let t (Y: [N][M]f32) = iterate 20 (\\z -> map (\\r -> map (\\v -> v * 0.5 + 1) r) z) Y", "N=300 M=300", 200},
        {"let t (Y: [N][M]f32) = let z = reduceSeq (\\(acc, i) -> map (\\r -> map (\\v -> v * 0.5 + f32 i) r) acc) Y (iota 20) in map (\\i -> z[i // M][i % M] + "
         "z[N - 1 - i // M][i % M]) (iota (N * M))", "N=300 M=300", 300},
        {"let t (A: [N][N]f32) = iterate 3 (\\B -> transpose (map (\\c -> let s = reduce (+) 0 c in map (\\v -> v / s) c) (transpose (map (\\r -> "
         "let s = reduce max 1 r in map (\\v -> v / s) r) B)))) A", "N=256", 0},
    };
    for (int i = 0; i < COUNT(cases); i++) {
        Case k;
        EvalScalar v;
        open_case(&k, cases[i].text, cases[i].sizes);
        for (int n = 0; n < k.input_count; n++) data_fill_random(k.data[n], (uint64_t)n + 1, -1, 1);
        Data *all = data_new(k.c, k.term->type);
        Eval *e = start(&k, EVAL_EXACT);
        assert_true(eval_full(e, all, &k.diag));
        eval_free(e);
        e = start(&k, EVAL_EXACT);
        eval_by_cells(e);
        for (int p = 0; p < all->part_count; p++)
            for (int n = 0; n < 8; n++) {
                int64_t at = all->parts[p].count * n / 8;
                eval_limit(e, cases[i].steps, NULL);
                if (!eval_at(e, p, at, &v, &k.diag)) fail_with(&k.diag, cases[i].text);
                assert_true(same(data_get(all, p, at), v.f));
            }
        eval_free(e);
        data_free(all);
        close_case(&k);
    }
}

/* A loop whose state stays as it was ends there. */
static void test_rest(void **state)
{
    (void)state;
    Case k;
    EvalScalar v;
    open_case(&k, "let t (x: [N]f32) = loopWhile 1000000 (\\y -> reduce max 0 y > 1) (\\y -> map (\\v -> v * 0.5) y) x", "N=1000");
    give(&k, "");
    Eval *e = start(&k, EVAL_EXACT);
    eval_limit(e, 100000, NULL);
    assert_true(eval_at(e, 0, 511, &v, &k.diag) && v.f == 0.5);
    eval_free(e);
    close_case(&k);
    open_case(&k, "let t (x: f32) = reduceSeq (\\(s, i) -> if i == 900 then s + 1 else s) x (iota 1000)", "");
    give(&k, "3");
    e = start(&k, EVAL_EXACT);
    assert_true(eval_at(e, 0, 0, &v, &k.diag) && v.f == 4);
    eval_free(e);
    close_case(&k);
}

/* ---- data ---- */

static void test_data(void **state)
{
    (void)state;
    Ctx *c = ctx_new();
    const Type *pair[2] = {type_scalar(c, SC_F32), type_scalar(c, SC_U32)};
    const Type *t = type_array(c, nat_const(c->nats, 500), type_tuple(c, pair, 2));
    Data *d = data_new(c, t), *other = data_new(c, t);
    assert_int_equal(d->part_count, 2);
    assert_int_equal(data_bytes(d), 4000);
    data_fill_exact(d, 1, 5);
    double lo = 0, hi = 0;
    for (int i = 0; i < 500; i++) {
        double v = data_get(d, 0, i);
        assert_true(v == rint(v) && fabs(v) <= 5 && data_get_int(d, 1, i) <= 5);
        lo = fmin(lo, v), hi = fmax(hi, v);
    }
    assert_true(lo == -5 && hi == 5);
    data_fill_random(d, 9, -8, 8);
    Rng r = {data_seed(9, 0)}, whole = {data_seed(9, 1)};
    for (int i = 0; i < 500; i++)
        assert_true(data_get(d, 0, i) == (float)(-8 + 16 * rng_unit(&r)) && data_get_int(d, 1, i) == rng_below(&whole, 9));
    int byte = 0x7d;
    assert_int_equal(data_find_filled(d, 0, 0, (uint8_t)byte), 500);
    memset((float *)d->parts[0].values + 77, byte, 4);
    memset((float *)d->parts[0].values + 499, byte, 4);
    assert_int_equal(data_find_filled(d, 0, 0, (uint8_t)byte), 77);
    assert_int_equal(data_find_filled(d, 0, 78, (uint8_t)byte), 499);
    data_fill_adversarial(d, 7, 1e15);
    int zeros = 0, tiny = 0, huge = 0;
    for (int i = 0; i < 500; i++) {
        double v = fabs(data_get(d, 0, i));
        assert_true(v <= 1.0000001e15);
        zeros += v == 0, tiny += v > 0 && v < 1e-30, huge += v > 1e14;
    }
    assert_true(zeros > 10 && tiny > 10 && huge > 10);
    uint8_t a[32], b[32];
    data_fill_random(d, 3, -1, 1);
    data_fill_random(other, 3, -1, 1);
    data_hash(d, a);
    data_hash(other, b);
    assert_memory_equal(a, b, 32);
    data_fill_random(other, 4, -1, 1);
    data_hash(other, b);
    assert_memory_not_equal(a, b, 32);
    Buf text = {0};
    data_fill_iota(d);
    data_set(d, 0, 1, 0.1);
    data_print_head(d, 5, &text);
    assert_string_equal(buf_text(&text), "[(0, 0), (0.1, 1), (2, 2), ...]");
    buf_free(&text);
    data_free(d);
    data_free(other);
    const Type *big = type_array(c, nat_const(c->nats, (int64_t)1 << 39), pair[0]);
    assert_null(data_new(c, big));
    assert_int_equal(c->diag.id, E08);
    ctx_free(c);
}

/* ---- the same on any number of cores ---- */

/* Everything that follows runs on one core, or again on all that there were. */
static void use_cores(const cpu_set_t *all, bool one)
{
    cpu_set_t set;
    int first = 0;
    while (!CPU_ISSET(first, all)) first++;
    CPU_ZERO(&set);
    CPU_SET(first, &set);
    assert_int_equal(sched_setaffinity(0, sizeof set, one ? &set : all), 0);
}

static void fill_somehow(Data *d, int how, const Literals *l)
{
    if (how == 0) data_fill_random(d, 5, -100, 100);
    if (how == 1) data_fill_thinned(d, 5, 8, SIGN_NOT_ZERO, 1);
    if (how == 2) data_fill_thinned(d, 5, 8, SIGN_POSITIVE, 16);
    if (how == 3) data_fill_iota(d);
    if (how == 4) data_fill_const(d, 0.5);
    if (how == 5) data_fill_adversarial(d, 5, 1e15);
    if (how == 6) data_mix_extremes(d, 5);
    if (how == 7) data_mix_literals(d, 5, l, -1e6, 1e6, INTEGERS_ANY);
}

static void test_fill_on_all_cores(void **state)
{
    (void)state;
    enum { N = 300001, WAYS = 8 };
    Ctx *c = ctx_new();
    const Type *leaves[SC_COUNT];
    for (int i = 0; i < SC_COUNT; i++) leaves[i] = type_scalar(c, (Scalar)i);
    const Type *t = type_array(c, nat_const(c->nats, N), type_tuple(c, leaves, SC_COUNT));
    Data *d = data_new(c, t), *other = data_new(c, t);
    Literals l = {.v = {{1, 1}, {2.5, 2}, {-7, -7}}, .count = 3};
    cpu_set_t all;
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    for (int how = 0; how < WAYS; how++) {
        uint8_t a[32], b[32];
        fill_somehow(d, how, &l);
        use_cores(&all, true);
        assert_int_equal(team_size(), 1);
        fill_somehow(other, how, &l);
        use_cores(&all, false);
        data_hash(d, a);
        data_hash(other, b);
        assert_memory_equal(a, b, 32);
    }
    data_fill_random(d, 9, -8, 8);       /* what exported programs compute one after the other */
    for (int p = 0; p < SC_COUNT; p++) {
        Rng r = {data_seed(9, p)};
        for (int64_t i = 0; i < N && d->parts[p].scalar == SC_F64; i++)
            assert_true(data_get(d, p, i) == -8 + 16 * rng_unit(&r));
        for (int64_t i = 0; i < N && d->parts[p].scalar == SC_I32; i++)
            assert_int_equal(data_get_int(d, p, i), rng_below(&r, 17) - 8);
    }
    data_free(d);
    data_free(other);
    ctx_free(c);
}

enum { ASKS = 700 };
static bool never_late(const void *whose) { return whose != NULL; }

/* Elements of all parts in an order that jumps. */
static void choose_asks(const Data *d, EvalAsk *asks)
{
    for (int i = 0; i < ASKS; i++) {
        int part = i % d->part_count;
        asks[i] = (EvalAsk){.part = part, .flat = (int64_t)i * 7919 % d->parts[part].count};
    }
}

static void check_asks(Case *k, const Data *d, EvalMode mode, bool alone, const EvalAsk *want, int64_t *steps)
{
    EvalAsk asks[ASKS];
    cpu_set_t all;
    sched_getaffinity(0, sizeof all, &all);
    if (alone) use_cores(&all, true);
    choose_asks(d, asks);
    Eval *e = start(k, mode);
    eval_on_all_cores(e);
    assert_true(eval_at(e, asks[0].part, asks[0].flat, &asks[0].x, &k->diag));
    *steps = eval_steps(e);
    assert_int_equal(eval_many(e, asks, ASKS, never_late, NULL, &k->diag), ASKS);
    for (int i = 0; i < ASKS; i++)
        assert_true(same(asks[i].x.f, want[i].x.f) && asks[i].x.i == want[i].x.i && same(asks[i].x.shadow, want[i].x.shadow));
    eval_free(e);
    if (alone) use_cores(&all, false);
}

static void check_whole(Case *k, const Data *d, EvalMode mode)
{
    Eval *one = start(k, mode), *all = start(k, mode);
    eval_on_all_cores(all);
    for (int p = 0; p < d->part_count; p++) {
        int64_t n = d->parts[p].count;
        double *v = malloc((size_t)n * 4 * sizeof *v);
        assert_true(eval_reference(one, p, v, v + n, n, &k->diag) && eval_reference(all, p, v + 2 * n, v + 3 * n, n, &k->diag));
        assert_memory_equal(v, v + 2 * n, 2 * (size_t)n * sizeof *v);
        free(v);
    }
    eval_free(one);
    eval_free(all);
}

/* What is asked for together, or as a whole, is what is asked for one by one, with any number of cores. */
static void test_all_cores(void **state)
{
    (void)state;
    static const struct { const char *text, *sizes; } programs[] = {
        {"let dot (a: [M]f32) (b: [M]f32) = reduce (+) 0 (map (*) (zip a b)) "
         "let atax (A: [N][M]f32) (x: [M]f32) = let y = map (\\row -> dot row x) A "
         "in map (\\col -> reduce (+) 0 (map (*) (zip col y))) (transpose A)", "N=300 M=257"},
        {"let t (X: [N][M]f32) = map (\\x -> let m = reduce max (-inf) x let e = map (\\v -> exp (v - m)) x "
         "let s = reduce (+) 0 e in map (\\v -> v / s) e) X", "N=70 M=203"},
        {"let t (x: [N]f32) = map (\\v -> v / 2) (scan (+) 0 x)", "N=70001"},
        {"let t (x: [N]f32) = let s = reduce (+) 0 x in map (\\v -> (v - s, v > s)) x", "N=30011"},
        {"let t (x: [N]f32) (i: [N]i32) = let y = map (\\v -> reduce (+) v (map (\\w -> w * v) x)) x "
         "let z = map (\\(v, w) -> v + w) (zip y (reorder reverse y)) "
         "in map (\\(a, b) -> a * b) (zip z (reorder reverse z))", "N=401"},
        {"let t (x: [N][M]f32) = map (\\r -> reduceSeq (\\(acc, v) -> map (\\a -> a + v) acc) "
         "(generate 5 (\\i -> f32 i)) r) x", "N=150 M=67"},
    };
    for (int i = 0; i < COUNT(programs); i++)
        for (EvalMode mode = EVAL_EXACT; mode <= EVAL_REFERENCE; mode++) {
            Case k;
            EvalAsk asks[ASKS];
            int64_t some, one;
            open_case(&k, programs[i].text, programs[i].sizes);
            for (int in = 0; in < k.input_count; in++) data_fill_random(k.data[in], 3 + (uint64_t)in, -1, 1);
            Data *d = data_new(k.c, k.term->type);
            choose_asks(d, asks);
            Eval *e = start(&k, mode);
            for (int a = 0; a < ASKS; a++) assert_true(eval_at(e, asks[a].part, asks[a].flat, &asks[a].x, &k.diag));
            eval_free(e);
            check_asks(&k, d, mode, false, asks, &some);
            check_asks(&k, d, mode, true, asks, &one);
            assert_int_equal(some, one);
            check_whole(&k, d, mode);
            data_free(d);
            close_case(&k);
        }
}

static void give_strips(Case *k)
{
    for (int in = 0; in < k->input_count; in++) {
        data_fill_random(k->data[in], 3 + (uint64_t)in, -3, 3);
        Scalar s = k->data[in]->parts[0].scalar;
        for (int64_t i = 0; scalar_is_int(s) && i < k->data[in]->parts[0].count; i++)
            data_set_int(k->data[in], 0, i, i * 7919 % 1000);
    }
}

/* Loops are run in strips; values are those of one after another, in every mode. */
static void test_strips(void **state)
{
    (void)state;
    static const struct { const char *text, *sizes; } programs[] = {
        {"let t (x: [N]f32) (y: [N]f32) = reduce (+) 0 (map (\\(a, b) -> let d = a - b in if abs d < 1 then d * d else abs d - 0.5) (zip x y))",
         "N=100003"},
        {"let t (x: [N]f32) = reduceSeq (\\(a, v) -> 0.5 * a - v) 0 x", "N=70001"},
        {"let t (x: [N]f32) = (reduce (\\((v, i), (w, j)) -> if w > v then (w, j) else (v, i)) (-inf, 0) (zip x (iota N)))", "N=70001"},
        {"let t (x: [N]f32) = reduceSeq (\\((n, m), v) -> let k = n + 1 in (k, m + (v - m) / k)) (0, 0) x", "N=40001"},
        {"let t (x: [N]f32) (y: [N]f32) = scan (\\((a, b), (c, d)) -> (a + c, max b d)) (0, -inf) (zip x y)", "N=1003"},
        {"let t (x: [N]f32) = scan (\\(a, b) -> if b > 0 then a + b else b) 0 x", "N=1003"},
        {"let t (x: [N]i32) = reduce (\\(a, b) -> (a * 31 + b) % 1009) 0 (map (\\v -> v / 3 - 5) x)", "N=9001"},
        {"let t (x: [N]f32) (i: [N]i32) = reduceByIndex (+) (generate 700 (\\k -> f32 k)) (zip i x)", "N=50001"},
        {"let t (x: [N]f32) (i: [N]i32) = reduceByIndex (\\((a, b), (c, d)) -> if c > a then (c, d) else (a, b)) "
         "(generate 90 (\\k -> (0.5, k))) (zip i (zip x i))", "N=2001"},
        {"let t (x: [N]f32) (i: [N]i32) = map (\\w -> reduce (+) 0 w) (slide 301 1 (map (\\(v, k) -> v * at k x) (zip x i)))", "N=1403"},
        {"let t (x: [N]f32) = map (\\w -> reduce (+) 0 (map exp w)) (slide 40 3 (padConst 7 10 0.5 x))", "N=1001"},
        {"let t (A: [N][M]f32) = iterate 3 (\\B -> transpose (map (\\c -> let s = reduce (+) 0 c in map (\\v -> v / s) c) "
         "(transpose (map (\\r -> let s = reduce max 1 r in map (\\v -> v / s) r) B)))) A", "N=33 M=41"},
        {"let t (A: [N][M]f32) = let Z = map (\\c -> let m = reduce (+) 0 c / f32 N in map (\\v -> v - m) c) (transpose A) "
         "in map (\\a -> map (\\b -> reduce (+) 0 (map (*) (zip a b))) Z) Z", "N=300 M=11"},
    };
    static const EvalMode modes[] = {EVAL_EXACT, EVAL_REFERENCE, EVAL_WIDE, EVAL_MOVED, EVAL_RANDOM, EVAL_RANDOM_F64, EVAL_RANDOM_WIDE};
    for (int i = 0; i < COUNT(programs); i++) {
        Case k;
        open_case(&k, programs[i].text, programs[i].sizes);
        give_strips(&k);
        Data *d = data_new(k.c, k.term->type);
        check_whole(&k, d, EVAL_REFERENCE);
        for (int mode = 0; mode < COUNT(modes); mode++) {
            Eval *strips = start(&k, modes[mode]), *alone = start(&k, modes[mode]);
            alone->run.wide = NULL;
            eval_draw(strips, 3);
            eval_draw(alone, 3);
            for (int a = 0; a < 20; a++) {
                int part = a % d->part_count;
                int64_t flat = (int64_t)a * 7919 % d->parts[part].count;
                EvalScalar x, y;
                assert_true(eval_at(strips, part, flat, &x, &k.diag) && eval_at(alone, part, flat, &y, &k.diag));
                if (!same(x.f, y.f) || x.i != y.i || !same(x.shadow, y.shadow) || !same(x.low, y.low))
                    fail_msg("%s, mode %d: %.17g, not %.17g", programs[i].text, modes[mode], x.f, y.f);
                if (d->parts[part].count == 1) break;
            }
            eval_free(strips);
            eval_free(alone);
        }
        data_free(d);
        close_case(&k);
    }
}

/* The only element of a program without inputs. */
static EvalScalar answer(const char *text, EvalMode mode, uint64_t draw)
{
    Case k;
    EvalScalar v;
    open_case(&k, text, "");
    Eval *e = start(&k, mode);
    eval_draw(e, draw);
    if (!eval_at(e, 0, 0, &v, &k.diag)) fail_with(&k.diag, text);
    eval_free(e);
    close_case(&k);
    return v;
}

/* In double-double: what some 100 bits hold, and f64 does not. */
static void test_wide(void **state)
{
    (void)state;
    static const struct { const char *text; double want; } table[] = {
        {"let t = (1.0f64 + 1e25) - 1e25", 1}, {"let t = (1f64 / 3) * 3 - 1", 0}, {"let t = sqrt 2f64 * sqrt 2 - 2", 0},
        {"let t = exp (log 3f64) - 3", 0}, {"let t = sin 1f64 * sin 1 + cos 1 * cos 1 - 1", 0}, {"let t = floor (3f64 - 1e-25)", 2},
        {"let t = ceil (3f64 + 1e-25)", 4}, {"let t = round (2.5f64 - 1e-25)", 2}, {"let t = max (1f64 + 1e-25) 1 - 1", 1e-25},
        {"let t = f64 (i32 (3f64 - 1e-25))", 2}, {"let t = if 1f64 + 1e-25 > 1 then 5.0f64 else 6", 5}, {"let t = abs (-1f64 - 1e-25) - 1", 1e-25},
        {"let t = fma 1e13f64 1e13 1 - 1e13f64 * 1e13", 1}, {"let t = 1f64 / 0", INFINITY}, {"let t = sqrt (-1f64)", NAN},
        {"let t = rsqrt 4f64", 0.5}, {"let t = f32 (1f64 + 1e-9)", 1},
    };
    for (int i = 0; i < COUNT(table); i++) {
        double got = answer(table[i].text, EVAL_WIDE, 0).f, want = table[i].want;
        if (!same(got, want) && !(fabs(got - want) <= fmax(1e-28, 1e-4 * fabs(want)))) fail_msg("%s: %.17g, not %.17g", table[i].text, got, want);
    }
}

/* What is exact stays so in every draw; what is not is one of its neighbours, and both are met. */
static void test_draws(void **state)
{
    (void)state;
    static const char *const exact[] = {
        "let t = 3.0f32 + 4.5", "let t = 3f32 * 0.25", "let t = 7f32 / 4", "let t = sqrt 9f32", "let t = fma 3f32 4 5", "let t = max 0.1f32 0.2",
        "let t = floor 2.7f32", "let t = reduce (+) 0 (map f32 (iota 1000))", "let t = -0.1f32", "let t = 3.0f64 - 0.5", "let t = f32 7",
        "let t = if 0.1f32 + 0.2 > 0.1 then 1.0f32 else 2.0", "let t = exp 0f32", "let t = pow 2f64 3", "let t = pow 0.3f64 0", "let t = pow 4f64 0.5",
        "let t = log2 8f64", "let t = exp2 3f32", "let t = rsqrt 4f64", "let t = tanh (1f64 / 0)",
    };
    static const char *const flat[] = {          /* short where any argument beside it gives the same */
        "let t = exp 1e-40f64 - 1", "let t = exp 1e-40f64 - exp 1e-41", "let t = tanh 90f64 - 1", "let t = cosh 1e-40f64 - 1", "let t = pow 0.3f64 1e-40 - 1",
    };
    static const struct { const char *text; double from, to; } rounded[] = {
        {"let t = 1f32 / 3", 0.33333322, 0.33333345}, {"let t = 16777216f32 + 1", 16777216, 16777218}, {"let t = 0.1f64 + 0.2", 0.30000000000000000, 0.30000000000000005},
        {"let t = 1.1f32 * 1.1", 1.21, 1.2100002}, {"let t = f32 16777217", 16777216, 16777218}, {"let t = fma 1.1f32 1.1 1", 2.2099998, 2.2100003},
    };
    for (int i = 0; i < COUNT(exact); i++)
        for (uint64_t draw = 1; draw < 8; draw++) {
            double want = answer(exact[i], EVAL_EXACT, 0).f;
            for (EvalMode mode = EVAL_RANDOM; mode <= EVAL_RANDOM_WIDE; mode++)
                if (answer(exact[i], mode, draw).f != want) fail_msg("%s, mode %d", exact[i], mode);
        }
    for (int i = 0; i < COUNT(flat); i++) {
        bool moves = false;
        for (uint64_t draw = 1; draw < 8; draw++) moves |= answer(flat[i], EVAL_RANDOM_WIDE, draw).f != 0 && answer(flat[i], EVAL_RANDOM_F64, draw).f != 0;
        if (!moves) fail_msg("%s stays as it is", flat[i]);
    }
    for (int i = 0; i < COUNT(rounded); i++) {
        double least = INFINITY, most = -INFINITY;
        for (uint64_t draw = 1; draw < 20; draw++) {
            double got = answer(rounded[i].text, EVAL_RANDOM, draw).f;
            least = fmin(least, got), most = fmax(most, got);
            assert_true(got >= rounded[i].from && got <= rounded[i].to);
            assert_true(answer(rounded[i].text, EVAL_RANDOM, draw).f == got);
        }
        assert_true(least < most);
    }
    double one = 0;
    for (uint64_t draw = 1; draw < 50; draw++) {         /* exp may be wrong by 3 ulp, and a sum by none */
        double got = answer("let t = exp 1f32", EVAL_MOVED, draw).f;
        one = fmax(one, fabs(got - 2.71828182845905));
        assert_true(answer("let t = 0.1f32 + 0.2", EVAL_MOVED, draw).f == (double)(0.1f + 0.2f) && answer("let t = sin 1.5707963f32", EVAL_MOVED, draw).f <= 1);
    }
    assert_true(one > 2 * 0x1p-22 && one < 3.51 * 0x1p-22);
}

/* An element that fails is said, and no other; one that nobody chooses does not. */
static void test_strips_fail(void **state)
{
    (void)state;
    Case k;
    open_case(&k, "let t (x: [N]f32) (i: [N]i32) = map (\\(v, k) -> let y = if k < 3000 then at k x else 7 in y + v) (zip x i)", "N=3000");
    data_fill_const(k.data[0], 1);
    data_fill_iota(k.data[1]);
    data_set_int(k.data[1], 0, 700, 4000);
    double *want = malloc(6000 * sizeof *want);
    Eval *e = start(&k, EVAL_REFERENCE);
    assert_true(eval_reference(e, 0, want, want + 3000, 3000, &k.diag));
    assert_true(want[699] == 2 && want[700] == 8 && want[701] == 2);
    eval_free(e);
    data_set_int(k.data[1], 0, 900, -1);
    e = start(&k, EVAL_REFERENCE);
    assert_false(eval_reference(e, 0, want, want + 3000, 3000, &k.diag));
    assert_non_null(strstr(k.diag.message, "index -1 is out of range"));
    diag_clear(&k.diag);
    EvalScalar x;
    assert_true(eval_at(e, 0, 901, &x, &k.diag) && x.f == 2);
    eval_free(e);
    free(want);
    close_case(&k);
}

/* The first error in order, and what comes before it, whoever meets which one first; time and a stop. */
static void test_all_cores_end(void **state)
{
    (void)state;
    Case k;
    EvalAsk asks[ASKS];
    volatile int stop = 1;
    open_case(&k, "let t (x: [N]f32) (i: [N]i32) = map (\\j -> reduce (+) 0 (map (\\v -> v * at j x) x)) i", "N=3000");
    data_fill_random(k.data[0], 1, -1, 1);
    data_fill_iota(k.data[1]);
    for (int i = 500; i < 520; i++) data_set_int(k.data[1], 0, i, 3000 + i);
    for (int i = 0; i < ASKS; i++) asks[i] = (EvalAsk){.flat = i};
    Eval *e = start(&k, EVAL_REFERENCE);
    eval_on_all_cores(e);
    assert_int_equal(eval_many(e, asks, ASKS, never_late, NULL, &k.diag), 500);
    assert_int_equal(k.diag.id, E38);
    assert_non_null(strstr(k.diag.message, "index 3500 is out of range"));
    diag_clear(&k.diag);
    double *want = malloc(6000 * sizeof *want);
    assert_false(eval_reference(e, 0, want, want + 3000, 3000, &k.diag));
    assert_non_null(strstr(k.diag.message, "index 3500 is out of range"));
    free(want);
    diag_clear(&k.diag);
    assert_int_equal(eval_many(e, asks, ASKS, never_late, "late", &k.diag), 1);
    assert_false(diag_failed(&k.diag));
    eval_limit(e, 0, &stop);
    assert_int_equal(eval_many(e, asks + 1, ASKS - 1, never_late, NULL, &k.diag), 0);
    assert_int_equal(k.diag.id, E25);
    eval_free(e);
    close_case(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_maps), cmocka_unit_test(test_reductions), cmocka_unit_test(test_iterate), cmocka_unit_test(test_slices), cmocka_unit_test(test_offsets),
        cmocka_unit_test(test_layout), cmocka_unit_test(test_by_index), cmocka_unit_test(test_access), cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_choice), cmocka_unit_test(test_integers), cmocka_unit_test(test_floats),
        cmocka_unit_test(test_rounding), cmocka_unit_test(test_shadows), cmocka_unit_test(test_errors),
        cmocka_unit_test(test_laziness), cmocka_unit_test(test_limits), cmocka_unit_test(test_estimates),
        cmocka_unit_test(test_derivations), cmocka_unit_test(test_sharing), cmocka_unit_test(test_no_explosion),
        cmocka_unit_test(test_depth), cmocka_unit_test(test_scal_asum_gemv), cmocka_unit_test(test_md),
        cmocka_unit_test(test_black_scholes), cmocka_unit_test(test_blur), cmocka_unit_test(test_kmeans),
        cmocka_unit_test(test_nbody), cmocka_unit_test(test_long_loop), cmocka_unit_test(test_single_element), cmocka_unit_test(test_single_element_of_tiles), cmocka_unit_test(test_rest),
        cmocka_unit_test(test_data), cmocka_unit_test(test_fill_on_all_cores),
        cmocka_unit_test(test_all_cores), cmocka_unit_test(test_all_cores_end), cmocka_unit_test(test_strips), cmocka_unit_test(test_wide), cmocka_unit_test(test_draws), cmocka_unit_test(test_strips_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
