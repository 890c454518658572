/* Elaboration and printing: what types, what does not and why, and the printed forms of language.md. */
#include "unit.h"

/* The first program of the text: its type and its printed body. */
static void expect(const char *text, const char *type, const char *printed)
{
    Ctx *c = ctx_new();
    Defs *d = defs_new(c);
    const Program *p = program_loaded(c, d, text);
    if (type) assert_string_equal(type_text(c, p->body->type), type);
    Buf b = {0};
    lang_print(c, p->body, &(PrintOptions){0}, &b);
    if (printed) assert_string_equal(buf_text(&b), printed);
    LangScope scope = {.defs = d, .program = p};
    Source s = {"printed", buf_text(&b), b.len};
    if (lang_expr(c, &scope, &s, NULL) != p->body) fail_with(&c->diag, buf_text(&b));
    buf_free(&b);
    defs_free(d);
    ctx_free(c);
}

static void refuse(const char *text, ErrorId id, const char *message)
{
    Ctx *c = ctx_new();
    Defs *d = defs_new(c);
    Source s = source_of(text);
    const Program *p;
    if (defs_load(c, d, &s, &p)) fail_msg("accepted: %s", text);
    Buf b = {0};
    diag_render(&c->diag, &b);
    if (c->diag.id != id || !strstr(buf_text(&b), message)) fail_with(&c->diag, message);
    assert_int_equal(defs_count(d), 0);                 /* all or nothing */
    buf_free(&b);
    defs_free(d);
    ctx_free(c);
}

static void test_printed_forms(void **state)
{
    (void)state;
    expect("let f (xs: [N]f32) = xs |> map abs |> reduce (+) 0", "f32", "reduce (+) 0 . map abs $ xs");
    expect("let f (xs: [N]f32) = map (\\x -> x) xs", "[N]f32", "map id xs");
    expect("let f (xs: [N]f32) (a: f32) = map (* a) xs", "[N]f32", "map (\\x -> x * a) xs");
    expect("let f (xs: [N](f32, f32)) = map (\\p -> p) xs", "[N](f32, f32)", "map id xs");
    expect("let f (xs: [N](f32, f32)) = map (\\p -> (p.1, p)) xs", "[N](f32, (f32, f32))", NULL);
    expect("let f (xs: [N]f32) = map (\\x -> let y = x * x in y + y) xs", "[N]f32", "map (\\x -> let y = x * x in y + y) xs");
    expect("let f (xs: [N]f32) = map (\\x -> let y = x * x in y + 1) xs", "[N]f32", "map (\\x -> x * x + 1) xs");
    expect("let f (xs: [N]i32) = reduce max (-5) xs", "i32", "reduce max (-5) xs");
    expect("let f (xs: [N]f32) = map (\\x -> if x < 0 && x > -10 then -x else x) xs", "[N]f32", NULL);
    expect("let f (xs: [N]f64) = map (\\x -> x + 0.1) xs", "[N]f64", "map (\\x -> x + 0.1) xs");
    expect("let f (xs: [N]f32) = (reduce (\\((a, b), (c, d)) -> (a + c, b + d)) (0, 0) (zip xs xs)).1", "f32", NULL);
    expect("let f (xs: [N]f32) = generate N (\\i -> xs[i] + xs[N - 1 - i])", "[N]f32", NULL);
    expect("let f (xs: [N]f32) = reorder (stride 4) . reorder (rotate 1) . reorder reverse $ xs", "[N]f32",
           "reorder (stride 4) . reorder (rotate 1) . reorder reverse $ xs");
    expect("let f (xs: [N]f32) = reorder (perm (\\i -> N - 1 - i) (\\i -> N - 1 - i)) xs", "[N]f32", NULL);
    expect("let f (x: [N]f32) (y: [M]f32) = slice 1 (\\r -> slice 2 (\\s -> slice 3 (\\t -> reduce (+) 0 (map (\\a -> a + f32 (length r * "
           "length s)) t)) 0 (length s) r) 0 2 y) 0 3 x", "f32", NULL);
    expect("let f (x: [N]f32) = slice 1 (\\r -> reduce (+) 0 (map (\\q -> q + slice 1 (reduce (+) 0) 0 (length r) r) r)) 0 3 x", "f32", NULL);
    expect("let f (xs: [8]f32) = iterate 3 (\\(v: [P]f32) -> map (\\p -> p[0] + p[1]) (split 2 v)) xs", "[1]f32", NULL);
    expect("let f (xs: [N]f32) = asScalar (map (mapVec (\\x -> x * 2)) (asVector 4 xs))", "[N]f32",
           "asScalar . map (mapVec (\\x -> x * 2)) . asVector 4 $ xs");
    expect("let f (v: <4>f32) = v[2] + vdot v (vec (1, 2, 3, 4))", "f32", NULL);
    expect("let f (xs: [N]f32) = padConst 1 2 0 xs", "[N + 3]f32", "padConst 1 2 0 xs");
    expect("let f (xs: [N]f32) = slide 3 1 (pad 1 1 mirror xs)", "[N][3]f32", "slide 3 1 . pad 1 1 mirror $ xs");
    expect("let f (xs: [N]f32) (ys: [N]i64) = unzip (map (\\(x, y) -> (y, x)) (zip xs ys))", "([N]i64, [N]f32)", NULL);
    expect("let f (xs: [N]u32) = map (\\x -> band x 255 + 7u32) xs", "[N]u32", NULL);
}

static void test_literals(void **state)
{
    (void)state;
    expect("let w = 1 / - -0", "i32", "1 / -(0)");             /* an operation; found by fuzzing */
    expect("let w = 1.5 - -inf", "f32", "1.5 - -inf");
    expect("let w = 1.5 - -(inf)", "f32", "1.5 - -(inf)");
    expect("let w = 1.5 - -nan", "f32", NULL);
    expect("let w = 1.5 - -pi", "f32", NULL);
    expect("let w = - - -5", "i32", "--(-5)");
    expect("let w = - -2147483648", "i32", "-(-2147483648)");
    expect("let f (xs: [N]f32) = reduceSeq (\\(acc, x) -> acc + abs x) 0 xs", "f32", "reduceSeq (\\(acc, x) -> acc + abs x) 0 xs");
    expect("let f (xs: [N]f32) = reduceSeq (\\(acc, x) -> acc + 1) 0 xs", "i32", NULL);
    expect("let f (xs: [N]f32) : f32 = reduceSeq (\\(acc, x) -> acc + 1) 0 xs", "f32", NULL);
    expect("let f (xs: [N]f32) = map (\\x -> (1, 1.5, 2i64, true)) xs", "[N](i32, f32, i64, bool)", NULL);
    expect("let f (xs: [N]f32) = map (\\x -> f32 1 / 3) xs", "[N]f32", NULL);
    expect("let f (xs: [N]f32) = map (\\x -> x + N) xs", "[N]f32", "map (\\x -> x + N) xs");
    expect("let f (xs: [N]f32) = generate 4 (\\i -> length xs)", "[4]i32", NULL);
    expect("let f (xs: [N]f32) = reduce min inf xs", "f32", "reduce min inf xs");
    expect("let f (xs: [N]f64) = map (\\x -> (inf : f64)) xs", "[N]f64", NULL);
    expect("let f (xs: [N]f32) = map (\\x -> 1e-3 * x + 2.0e6) xs", "[N]f32", NULL);
    expect("let f (xs: [N]f64) = concat [0] xs", "[N + 1]f64", NULL);
    expect("let f (v: [N]f64) = map (\\x -> if x > 0 then (x, 0) else (0, x)) v", "[N](f64, f64)", NULL);
    expect("let f (v: f64) = iterate 3 (\\s -> s * v) 1", "f64", NULL);
    expect("let f (v: [N]f64) = (loop N (\\(i, x) k -> (i + 1, x + v[k])) (0, 0)).1", "f64", NULL);
    expect("let f (v: [N]u8) = zipWith (+) v (replicate N 200)", "[N]u8", NULL);
    expect("let f (v: [N]f64) = let m = 2.0 * N / 5 in map (\\x -> x - m) v", "[N]f64", NULL);
    expect("let f (v: [N]f64) = let dx = 2.0 / 1000 in map (\\x -> x / dx) v", "[N]f64", NULL);
    expect("let g a b = a / b\nlet f (v: f64) = g 1 2 + g (-1) v", "f64", NULL);
    expect("let f (v: [N]f64) = scanGroups (+) 0 (\\x -> (x, 0)) v", "[N](f64, i32)", NULL);
    expect("let f (v: [N]i64) = let big = 3000000000 in map (\\x -> x + big) v", "[N]i64", NULL);
    expect("let f (v: [N]f32) = map (\\x -> sqrt 2 * x) v", "[N]f32", NULL);
    expect("let f = vdot (vec (1, 2)) (vec (0.5, 1))", "f32", NULL);
}

static void test_definitions(void **state)
{
    (void)state;
    expect("let main (xs: [N]f32) = twice (\\x -> x + 1) xs\nlet twice f x = map (f . f) x", "[N]f32", "map (\\x -> x + 1 + 1) xs");
    expect("param s\nlet f (xs: [N]f32) = join (map (map abs) (split s xs))", "[N]f32", "join . map (map abs) . split s $ xs");
    expect("let f (A: [N][M]f32) = g A\nlet g (B: [K][L]f32) = transpose B", "[M][N]f32", "transpose A");
    expect("let f (xs: [N]f32) = chunk 4 xs\nlet chunk (k: size) x = split k x", "[N/4][4]f32", "split 4 xs");
    expect("let f (xs: [N]f32) = zipWith (+) xs (map abs xs)", "[N]f32", "map (+) (zip xs (map abs xs))");
    expect("let f (xs: [N]f32) = map (scale 2) xs\nlet scale a x = a * x", "[N]f32", "map (\\x -> 2 * x) xs");
    expect("let f (xs: [N]f32) = let g = \\x -> x * x in map g xs", "[N]f32", "map (\\x -> x * x) xs");
    expect("let add (a, b) = a + b with associative commutative neutral 0\nlet f (xs: [N]f32) = reduce add 0 xs", "f32", "reduce (+) 0 xs");
}

static void test_functions(void **state)
{
    (void)state;
    expect("let f (xs: [N]f32) = let sq x = x * x in map sq xs", "[N]f32", "map (\\x -> x * x) xs");
    expect("let f (xs: [N]f32) = let p (x: f32) : f32 = x + 1 let q a b = a - b in zipWith q (map p xs) xs", "[N]f32",
           "map (-) (zip (map (\\x -> x + 1) xs) xs)");
    expect("let f (xs: [N](u8, u8)) = map (\\(a: u8, b: u8) -> a + b) xs", "[N]u8", "map (+) xs");
    expect("let f (x: [N]f64) = let (a: f64, b: f64) = (0, x[0]) in a + b", "f64", "0 + x[0]");
    expect("let f (A: [N][M]f32) (B: [N][M]f32) = map2 (\\a b -> a - b) A B", "[N][M]f32", NULL);
    expect("let f (A: [N][M]f32) (B: [N][M]f32) = zipWith2 (-) A B", "[N][M]f32", NULL);
    expect("let f (A: [N][M]f32) (B: [N][M]f32) = zipWith (zipWith (-)) A B", "[N][M]f32", NULL);
    expect("let f (A: [N][M][K]f32) (B: [N][M][K]f32) = zipWith (zipWith (zipWith (\\a b -> a * b))) A B", "[N][M][K]f32", NULL);
    expect("let f (xs: [N]f32) (ys: [N]f32) = map (\\x y -> x / y) xs ys", "[N]f32", "map (/) (zip xs ys)");
    expect("let diff (e: [K+1]f32) = map (\\(a, b) -> b - a) (zip (take K e) (drop 1 e))\nlet f (x: [N]f32) = diff x", "[N - 1]f32", NULL);
    expect("let rows (y: [R*Q]f32) = split Q y\nlet f (x: [R*Q]f32) = rows x", "[R][Q]f32", "split Q x");
    expect("let f (B: size) (xs: [N]i32) = reduceByIndex (+) (replicate B 0) (map (\\x -> (x, 1)) xs)", "[B]i32", NULL);
    refuse("let rows (y: [R*Q]f32) = split Q y\nlet f (x: [N]f32) = rows x", E02, "do not follow from [N]");
    refuse("let g x = sqrt x\nlet f (xs: [N]i32) = map g xs", E04, "call    g at test:2:26, x: i32");
}

static void test_updates(void **state)
{
    (void)state;
    expect("let f (x: [N]f32) (i: i32) = x with [i] = 0", "[N]f32", "x with [i] = 0");
    expect("let f (A: [N][M]f32) (i: i32) (r: [M]f32) = A with [i, :] = r", "[N][M]f32", "A with [i] = r");
    expect("let f (A: [N][M]f32) (i: i32) (c: [N]f32) = A with [:, i] = c", "[N][M]f32", "A with [:, i] = c");
    expect("let f (A: [N][M][K]f32) = (A[:, 0, :], A[:, :, 1], A[0, :, 1])", "([N][K]f32, [N][M]f32, [M]f32)", NULL);
    expect("let f (A: [N][M]f32) (i: i32) (j: i32) = A with [i + 1, j] = A[j, i]", "[N][M]f32", "let t = i + 1 in A with [t, j] = A[j][i]");
    expect("let f (A: [N][M][K]f32) (j: i32) = A with [:, 0, j] = map (\\r -> 1) A", "[N][M][K]f32", NULL);
    expect("let f (A: [N][M][K]f32) (c: [N][M]f32) = A with [:, :, 0] = c", "[N][M][K]f32", NULL);
    expect("let f (x: [N]f32) = loop N (\\s i -> s with [i] = s[i] + 1) x", "[N]f32",
           "loop N (\\s i -> s with [i] = s[i] + 1) x");
    expect("let f (x: [N]f32) = x with [1] = 2 + (x with [0] = 1)[3]", "[N]f32", NULL);
    refuse("let f (A: [N][M]f32) = A with [0] = 7", E04, "\"7\" is a number, where [M]f32 is needed");
    refuse("let f (x: [N]i32) = x with [0] = 1.5", E04, "\"1.5\" is a float, where i32 is needed");
}

/* What is typed in other words than it is printed in. */
static void test_spellings(void **state)
{
    (void)state;
    expect("let f (xs: [N]f32) = map (-) xs", "[N]f32", "map (\\x -> -x) xs");
    expect("let f (xs: [N]f32) = map neg xs", "[N]f32", "map (\\x -> -x) xs");
    expect("let f (xs: [N]f32) = map (subtract 1) xs", "[N]f32", "map (\\x -> x - 1) xs");
    expect("let f (xs: [N]f32) = reduce max -1 xs", "f32", "reduce max (-1) xs");
    expect("let f (xs: [N]f32) (k: f32) = padConst 1 1 -k xs", "[N + 2]f32", "padConst 1 1 (-k) xs");
    expect("let f (x: f32) (g: f32) = g -1 - x", "f32", "g - 1 - x");
    expect("let f (xs: [N]f32) = zipWith5 (\\(a, b, c, d, e) -> a + e) xs xs xs xs xs", "[N]f32", NULL);
    expect("let f (xs: [N]f32) = zip5 xs xs xs xs xs", "[N](f32, f32, f32, f32, f32)", "zip xs xs xs xs xs");
    expect("let f (x: [A][B][C]f32) = map3 abs x", "[A][B][C]f32", "map3 abs x");
    expect("let f (x: [A][B][C]f32) = map (map (map abs)) x", "[A][B][C]f32", NULL);
    expect("let f (x: [A][B]f32) (y: [A][B]f32) = zipWith2 (+) x y", "[A][B]f32", "map2 (+) (zip x y)");
    expect("let map2 f x = map f x\nlet f (x: [A][B]f32) = map (map abs) x", "[A][B]f32", "map (map abs) x");
    expect("let f (x: [A]f32) = iterate 3 (\\s -> zipWith (+) s x) x", "[A]f32", "loop 3 (\\s _ -> map (+) (zip s x)) x");
    expect("let f (x: [A]f32) = loop A (\\(s, t) i -> (s + x[i], t)) (0, 1)", "(f32, i32)", "loop A (\\(s, t) i -> (s + x[i], t)) (0, 1)");
    expect("let f (z: [A]{re: f32, im: f32}) = map (\\w -> w.im) z", "[A]f32", "map (\\(w0, w1) -> w1) z");
    expect("let f (z: {b: f32, a: i32}) = {a = z.a, b = z.b}", "(f32, i32)", "z");
    expect("let f (x: [A][B][C]f32) = pad3 1 2 wrap x", "[A + 3][B + 3][C + 3]f32", NULL);
    expect("let f (x: [A][B][C]f32) = slide3 3 1 x", "[A - 2][B - 2][C - 2][3][3][3]f32", NULL);
    expect("let slide2 k s x = slide k s (map (slide k s) x)\nlet f (x: [A][B]f32) = map transpose (slide 3 1 (map (slide 3 1) x))", "[A - 2][B - 2][3][3]f32",
           "map transpose . slide 3 1 . map (slide 3 1) $ x");
    expect("let f (iota: [N]i32) = map (+) iota (generate N (\\i -> i))", "[N]i32", NULL);
    expect("let f (x: [A][B][C]f32) = map (slide2 3 1 . pad2 1 1 clamp) x", "[A][B][C][3][3]f32", "map (slide2 3 1 . pad2 1 1 clamp) x");
    expect("let f (x: [A][B]f32) = slide 3 1 (map (slide 3 1) x)", "[A - 2][3][B - 2][3]f32", "slide 3 1 . map (slide 3 1) $ x");
    expect("let f (x: [A][B]f32) = pad 1 2 clamp (map (pad 1 1 clamp) x)", "[A + 3][B + 2]f32", "pad 1 2 clamp . map (pad 1 1 clamp) $ x");
    expect("let f (x: [A][B]f32) = slide2 3 1 x", "[A - 2][B - 2][3][3]f32", "slide2 3 1 x");
    expect("let f (x: [A][B][C][D]f32) = slide4 2 1 x", "[A - 1][B - 1][C - 1][D - 1][2][2][2][2]f32", NULL);
}

/* Borders, holes and windows print as their definitions are called, in as many dimensions as do the same; and no others do. */
static void test_derived_forms(void **state)
{
    (void)state;
    expect("let f (x: [A][B]f32) = padConst2 1 2 0 x", "[A + 3][B + 3]f32", "padConst2 1 2 0 x");
    expect("let f (x: [A][B][C]i32) (v: i32) = map (map3 (\\e -> e) . padConst3 1 1 v) (split 1 x)", "[A][3][B + 2][C + 2]i32", NULL);
    expect("let f (x: [A][B][C][D]f64) = padConst4 1 2 (-1) x", "[A + 3][B + 3][C + 3][D + 3]f64", "padConst4 1 2 (-1) x");
    expect("let f (x: [A][B]f32) (v: f32) = padConst2 0 1 (v * v) x", "[A + 1][B + 1]f32", "let v1 = v * v in padConst2 0 1 v1 x");
    expect("let f (x: [A][B]f32) = map (padConst 1 1 0) (padConst2 1 1 0 x)", "[A + 2][B + 4]f32", "map (padConst 1 1 0) . padConst2 1 1 0 $ x");
    expect("let f (x: [A][B]f32) = transpose (map (padConst 1 1 1) (transpose (map (padConst 1 1 0) x)))", "[A + 2][B + 2]f32",
           "dims2 (padConst 1 1 1) (padConst 1 1 0) x");
    expect("let f (x: [A][B][C]f32) (v: f32) = dims3 (spread 2 v) (pad 1 1 clamp) (padConst 0 1 v) x", "[2*A - 1][B + 2][C + 1]f32",
           "dims3 (spread 2 v) (pad 1 1 clamp) (padConst 0 1 v) x");
    expect("let f (x: [A][B][C]f32) = dims3 (padConst 1 1 0) (padConst 1 1 0) (padConst 1 1 0) x", NULL, "padConst3 1 1 0 x");
    expect("let f (x: [A][B]f32) = transpose (map (pad 1 1 clamp) (transpose x))", NULL, "transpose . map (pad 1 1 clamp) . transpose $ x");
    expect("let f (x: [A][B]f32) = transpose (map (slide 2 1) (transpose (map (slide 3 1) x)))", NULL,
           "transpose . map (slide 2 1) . transpose . map (slide 3 1) $ x");
    expect("let dims2 f g x = x\nlet f (x: [A][B]f32) = transpose (map (pad 1 1 clamp) (transpose (map (pad 2 2 clamp) x)))", NULL,
           "transpose . map (pad 1 1 clamp) . transpose . map (pad 2 2 clamp) $ x");
    expect("let f (x: [A][B]f32) (v: [B + 2]f32) = transpose (map (\\(r, e) -> padConst 1 1 e r) (zip (transpose (map (padConst 1 1 0) x)) v))",
           "[A + 2][B + 2]f32", NULL);
    expect("let f (x: [A]f32) = spread 3 0 x", "[3*A - 2]f32", "spread 3 0 x");
    expect("let f (x: [A][B][C]f32) (v: f32) = spread3 2 v x", "[2*A - 1][2*B - 1][2*C - 1]f32", "spread3 2 v x");
    expect("let f (x: [A]f32) = take (2 * A) (join (map (padConst 0 2 0) (split 1 x)))", "[2*A]f32", "take (2*A) . join . map (padConst 0 2 0) . split 1 $ x");
    expect("let f (x: [A]f32) = slideDilated 3 2 1 x", "[A - 4][3]f32", "slideDilated 3 2 1 x");
    expect("let f (x: [A][B]f32) = slideDilated2 3 4 2 x", NULL, "slideDilated2 3 4 2 x");
    expect("let f (x: [2*A + 5]f32) = map (every 2) (slide 5 2 x)", "[A + 1][3]f32", "slideDilated 3 2 2 x");
    expect("let f (x: [A]f32) = map (every 2) (slide 5 2 x)", "[(A - 3)/2][3]f32", "map (every 2) . slide 5 2 $ x");
    expect("let f (x: [A]f32) = map (every 2) (slide 6 1 x)", "[A - 5][3]f32", "map (every 2) . slide 6 1 $ x");
    expect("let f (x: [A][B][C]f32) = slideFloor3 3 2 x", NULL, "slideFloor3 3 2 x");
    expect("let f (x: [A][B]f32) = windows2 (slideFloor 3 2) (slide 2 1) x", NULL, "windows2 (slideFloor 3 2) (slide 2 1) x");
    expect("let f (x: [A][B][C]f32) = windows3 (slide 2 1) (slideDilated 3 2 1) (slide 2 1) x", NULL, "windows3 (slide 2 1) (slideDilated 3 2 1) (slide 2 1) x");
    expect("let f (x: [A][B][C]f32) = every3 3 x", NULL, "every3 3 x");
    expect("let f (x: [A][B]f32) = every 3 (map (every 2) x)", NULL, "every 3 . map (every 2) $ x");
    expect("let padConst2 l r v x = x\nlet f (x: [A][B]f32) = transpose (map (padConst 1 1 0) (transpose (map (padConst 1 1 0) x)))", NULL,
           "transpose . map (padConst 1 1 0) . transpose . map (padConst 1 1 0) $ x");
}

static void test_arrays(void **state)
{
    (void)state;
    expect("let f (x: f32) = [1, x, 2.5]", "[3]f32", "generate 3 (\\i -> if i < 1 then 1 else if i < 2 then x else 2.5)");
    expect("let f = [1, 2]", "[2]i32", "generate 2 (\\i -> if i < 1 then 1 else 2)");
    expect("let f = [1, 2.0, nan]", "[3]f32", NULL);
    expect("let f = [7]", "[1]i32", "generate 1 (\\i -> 7)");
    expect("let f (xs: [N]f32) = [[1, 2, 3], [4, 5, 6]]", "[2][3]i32", NULL);
    expect("let f (xs: [N]f32) = [xs, map abs xs]", "[2][N]f32", NULL);
    expect("let f (xs: [N]f32) = map (\\x -> [x, -x][1]) xs", "[N]f32", NULL);
    expect("let f (xs: [3]f32) = zip xs [(1, true), (2, false), (3, true)]", "[3](f32, (i32, bool))", NULL);
    expect("let dot (xs: [N]f32) (ys: [N]f32) = reduce (+) 0 (map (*) (zip xs ys))\nlet f (x: f32) = dot [1, 2] [x, 3]", "f32", NULL);
    refuse("let f = [1, true]", E04, "\"1\" is a number, where bool is needed");
    refuse("let f = [[1, 2], [3]]", E04, "another length");
    refuse("let f = [1, [2]]", E04, "the elements of an array have one type");
    refuse("let f = [[1], 2]", E04, "the elements of an array have one type");
    refuse("let f = [[[[[[[[[1]]]]]]]]]", E08, "at most 8 dimensions");
    refuse("let f (xs: [N]f32) = xs [1]", E04, "an index follows its array without a space: xs[0]");
    refuse("let f (xs: [N]f32) = map (-1) xs", E04, "subtract 1");
    refuse("let f (xs: [N]f32) = map2 (+) xs xs xs", E04, "zipWith");
    refuse("let f (xs: [N]f32) = reduce + 0 xs", E04, "stands in brackets: (+)");
}

static void test_refused(void **state)
{
    (void)state;
    refuse("let f (xs: [N]f32) = map(abs, xs)", E04, "map a b");
    refuse("let f (xs: [N]f32) = reduce (\\a b c -> a + b) 0 xs", E04, "takes 3 arguments one by one, or the last as one tuple");
    refuse("let f (xs: [N]f32) (ys: [M]f32) = zip xs ys", E04, "the lengths differ: [N]f32 and [M]f32");
    refuse("let f (xs: [10]f32) = split 3 xs", E04, "split: 3 must divide 10");
    refuse("let f (xs: [N]f32) = xs + xs", E04, "does not lift to arrays");
    refuse("let f (z: [N](f32, f32)) = z[0].q", E04, "no part of (f32, f32) is called");
    refuse("let f (z: {a: f32, b: f32}) (y: {b: f32, a: f32}) = z.a", E04, "several records");
    refuse("let f (xs: [N]f32) = mpa abs xs", E02, "did you mean map?");
    refuse("let f (xs: [N]f32) = g xs\nlet g x = f x", E07, "recursion");
    refuse("let f (xs: [n]f32) = xs", E02, "param n");
    refuse("let f (N: [N]f32) = N", E04, "as a size and as a parameter");
    refuse("let f (xs: [N]f32) (xs: f32) = xs", E04, "two parameters");
    refuse("let map (xs: [N]f32) = xs", E04, "is a primitive");
    refuse("let f (xs: [N]f32) = xs\nlet f (xs: [N]f32) = xs", E04, "defined twice");
    refuse("let f (xs: [N]f32) : [N]i32 = xs", E04, "needs   [N]i32");
    refuse("let f (xs: [N]f32) = map (\\(a, b) -> a) xs", E04, "cannot take f32 apart");
    refuse("let f (xs: [N]f32) = take 0 xs", E04, "at least 1");
    refuse("let f (xs: [5]f32) = drop 5 xs", E04, "must be less than");
    refuse("let f (xs: [N]f32) = mapLocal 3 abs xs", E04, "0, 1 or 2");
    refuse("let f (xs: [N]f32) = asVector 5 xs", E04, "2, 3, 4, 8 or 16");
    refuse("let f (xs: [N]f32) = xs 3", E04, "cannot be applied");
    refuse("let f (xs: [N]f32) = map abs", E04, "map takes 2 arguments, it is given 1");
    refuse("let f (xs: [N]f32) = if 1 then xs else xs", E04, "must be bool");
    refuse("let f (xs: [N]f32) = xs[0.5]", E04, "must be i32");
    refuse("let f (xs: [N]i32) = map (\\x -> x + 1.5) xs", E04, "must be i32");
    refuse("let f (xs: [N]f32) = reduce (+) 0 (map (\\x -> x < 1) xs)", E04, "found [N]bool");
    refuse("let f (xs: [N]f32) = map (\\x -> 4000000000) xs", E04, "out of range");
    refuse("let f (xs: [N]f32) = map (\\x -> x - -1e39) xs", E04, "1e+39 is out of range for f32");    /* found by fuzzing: it was inf */
    refuse("let f (xs: [N]f32) = iterate 3 (\\v -> map (\\p -> p[0]) (split 2 v)) xs\nlet g (ys: [6]f32) = iterate 2 (\\v -> map (\\p -> p[0]) (split 2 v)) ys",
           E04, "must divide 6");
}

/* Doubling helpers and deep nesting end in E08, never in a crash or an endless run. */
static void test_bombs(void **state)
{
    (void)state;
    Buf b = {0};
    buf_puts(&b, "let h0 x = (x, x)\n");
    for (int i = 1; i < 60; i++) buf_printf(&b, "let h%d x = h%d (h%d x)\n", i, i - 1, i - 1);
    buf_puts(&b, "let main (x: f32) = h59 x\n");
    refuse(buf_text(&b), E08, "too large");
    buf_clear(&b);
    buf_puts(&b, "let g0 (xs: [N]f32) = map abs xs\n");
    for (int i = 1; i < 900; i++) buf_printf(&b, "let g%d x = map abs (g%d x)\n", i, i - 1);
    buf_puts(&b, "let main (xs: [N]f32) = g899 xs\n");
    refuse(buf_text(&b), E08, "");
    buf_free(&b);
    refuse("let f (xs: [9223372036854775807]f32) = concat xs xs", E08, "");
    refuse("let f (xs: [99999999999999999999]f32) = xs", E08, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_printed_forms), cmocka_unit_test(test_literals), cmocka_unit_test(test_definitions),
        cmocka_unit_test(test_functions),     cmocka_unit_test(test_updates),  cmocka_unit_test(test_spellings),
        cmocka_unit_test(test_derived_forms), cmocka_unit_test(test_arrays),
        cmocka_unit_test(test_refused),       cmocka_unit_test(test_bombs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
