/* Features of plans against counts by hand. */
#include "unit.h"
#include "plan.h"

typedef struct Size { const char *name; int64_t value; } Size;
typedef struct Want { Feature feature; double value; } Want;

typedef struct Case {
    const char *text;
    bool single;                         /* one work-item a group where the term leaves it open */
    Size sizes[4];
    Want want[40];
} Case;

static void check(const Case *k)
{
    Ctx *c = ctx_new();
    Defs *defs = defs_new(c);
    Arena *arena = arena_new();
    const Program *program = program_loaded(c, defs, golden_text(c, k->text));
    NatBinding map[4];
    int n = 0;
    for (; n < 4 && k->sizes[n].name; n++) {
        map[n].var = nat_var(c->nats, k->sizes[n].name, VAR_SIZE, NULL, NULL)->terms[0].factors[0].atom;
        map[n].value = nat_const(c->nats, k->sizes[n].value);
    }
    PlanInput inputs[8];
    for (int i = 0; i < program->input_count; i++)
        inputs[i] = (PlanInput){program->inputs[i].name, type_subst(c, program->inputs[i].type, map, n)};
    PlanOptions o = {.program = program->name, .inputs = inputs, .input_count = program->input_count, .features = true,
                     .prefer_single = k->single};
    Plan *p = plan_make(c, arena, term_subst_nats(c, program->body, map, n), &o);
    assert_non_null(p);
    PlanFeatures f;
    plan_features(p, &f);
    bool bad = false;
    for (int i = 0; i < 40 && (k->want[i].feature || k->want[i].value); i++) {
        double got = f.v[k->want[i].feature];
        if (got == k->want[i].value) continue;
        print_error("%.30s: %s is %g, by hand %g\n", k->text, plan_feature_name(k->want[i].feature), got, k->want[i].value);
        bad = true;
    }
    if (bad) print_error("%s\n", p->source);
    assert_false(bad);
    arena_free(arena);
    defs_free(defs);
    ctx_free(c);
}

#define F(name, value) {FEATURE_##name, value}

static void maps(void **state)
{
    (void)state;
    static const Case cases[] = {
        /* 1000 of 1024 work-items multiply */
        {"scal", false, {{"N", 1000}},
         {F(LAUNCHES, 1), F(MUL, 1000), F(FLOPS, 1000), F(VECTOR_FLOPS, 0), F(GLOBAL_LOAD_BYTES, 4000), F(GLOBAL_LOAD_W1, 4000),
          F(GLOBAL_LOAD_COALESCED, 4000), F(GLOBAL_STORE_BYTES, 4000), F(GLOBAL_STORE_COALESCED, 4000), F(BARRIERS, 0),
          F(LOOPS, 0)}},
        /* vectors of 4: 16 bytes a work-item, side by side */
        {"let scal (alpha: f32) (xs: [N]f32) = asScalar (mapGlobal 0 (mapVec (\\x -> alpha * x)) (asVector 4 xs))", false,
         {{"N", 4096}},
         {F(MUL, 4096), F(INSTRUCTIONS, 1024), F(VECTOR_FLOPS, 4096), F(GLOBAL_LOAD_W4, 16384), F(GLOBAL_LOAD_ACCESSES, 1024),
          F(GLOBAL_LOAD_COALESCED, 16384), F(GLOBAL_LOAD_MOVED, 16384), F(GLOBAL_STORE_W4, 16384)}},
        /* the same alone in a group: nothing beside it, no loop */
        {"let scal (alpha: f32) (xs: [N]f32) = join (mapWorkgroup 0 (mapSeq (\\x -> alpha * x)) (split 64 xs))", true,
         {{"N", 4096}},
         {F(GROUPS, 64), F(ITEMS, 64), F(GROUP_SIZE, 1), F(LOOPS, 4096), F(GLOBAL_LOAD_COALESCED, 16384), F(FOOTPRINT, 256)}},
        /* every work-item takes a row of 64: strided, a sector each; 63 of 64 comparisons of the edge go one way */
        {"let rows (xs: [N]f32) = join (mapGlobal 0 (\\r -> mapSeq (\\x -> 2 * x) r) (split 64 xs))", false, {{"N", 65536}},
         {F(ITEMS, 1024), F(GLOBAL_LOAD_STRIDED, 262144), F(GLOBAL_LOAD_MOVED, 65536 * 32), F(LOOPS, 65536)}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check(&cases[i]);
}

static void sums(void **state)
{
    (void)state;
    static const Case cases[] = {
        /* 64 work-items with 64 elements each, then all of them with these 64 */
        {"asum", false, {{"N", 4096}},
         {F(LAUNCHES, 1), F(ITEMS, 64), F(ADD, 2 * 4096), F(OTHER, 4096), F(FLOPS, 2 * 4096), F(LOOPS, 2 * 4096), F(CHAIN, 64), F(BARRIERS, 1),
          F(GLOBAL_LOAD_BYTES, 2 * 16384), F(GLOBAL_STORE_BYTES, 260), F(GLOBAL_LOAD_STRIDED, 16384), F(FOOTPRINT, 16384 + 256)}},
        /* a group of 64 over 4096 elements in 4 rows of 1024; the lanes' sums in local memory, added by one of them */
        {"let asum (xs: [N]f32) = join (mapWorkgroup 0 (\\c -> let t = toLocal (mapLocal 0 (\\l -> reduceSeq (\\(a, x) -> a + abs x) 0 l)"
         " (transpose (split 64 c))) in mapLocal 0 (\\g -> reduceSeq (+) 0 g) (split 64 t)) (split 1024 xs))", false, {{"N", 4096}},
         {F(GROUPS, 4), F(GROUP_SIZE, 64), F(ITEMS, 256), F(ADD, 4096 + 256), F(GLOBAL_LOAD_BYTES, 16384),
          F(GLOBAL_LOAD_COALESCED, 16384), F(GLOBAL_LOAD_MOVED, 16384), F(FOOTPRINT, 4096), F(LOCAL_SIZE, 256),
          F(LOCAL_STORE_BYTES, 1024), F(LOCAL_LOAD_BYTES, 1024), F(BARRIERS, 1), F(LOOPS, 256 * 16 + 4 * 64)}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check(&cases[i]);
}

static void products(void **state)
{
    (void)state;
    static const Case cases[] = {
        /* 2 by 2 groups of 4 by 4 work-items, each 4 by 4 sums; 2 rounds of tiles 16 by 8 and 8 by 16 */
        {"mm_local", false, {{"N", 32}, {"M", 32}, {"K", 16}},
         {F(GROUPS, 4), F(GROUP_SIZE, 16), F(FMA, 16384), F(FLOPS, 32768), F(ADD, 0), F(MUL, 0), F(GLOBAL_LOAD_BYTES, 8192),
          F(GLOBAL_LOAD_W4, 8192), F(GLOBAL_LOAD_COALESCED, 8192), F(GLOBAL_STORE_BYTES, 4096), F(GLOBAL_STORE_W4, 4096),
          F(LOCAL_STORE_BYTES, 8192), F(LOCAL_LOAD_BYTES, 81920), F(LOCAL_LOAD_UNIFORM, 16384), F(LOCAL_LOAD_STRIDED, 65536),
          F(BARRIERS, 4), F(LOOPS, 640), F(OWN_LOOPS, 512), F(LONG_LOOPS, 0), F(LOCAL_SIZE, 1024), F(FOOTPRINT, 2048), F(CHAIN, 16), F(STAGES, 1), F(DISTINCT, 2 * 2048 + 4096), F(PRIVATE_ARRAYS, 16), F(PRIVATE_ELEMENTS, 16),
          /* what a work-item reads again in straight-line code it keeps: 4 of A and 4 of B for 16 products */
          F(LOADS, 512 + 64 * 16 * 8), F(GLOBAL_LOADS, 512), F(GLOBAL_LOADS_MOVED, 8192)}},
        /* naive: each work-item reads a row of A (the same as its neighbour) and a column of B */
        {"let mm (A: [N][K]f32) (B: [K][M]f32) = mapGlobal 1 (\\a -> mapGlobal 0 (\\b -> reduceSeq (\\(s, (x, y)) -> s + x * y) 0 "
         "(zip a b)) (transpose B)) A", false, {{"N", 64}, {"M", 64}, {"K", 32}},
         {F(ITEMS, 4096), F(FMA, 131072), F(GLOBAL_LOAD_BYTES, 1048576), F(GLOBAL_LOAD_UNIFORM, 524288),
          F(GLOBAL_LOAD_COALESCED, 524288), F(CHAIN, 32), F(LOOPS, 131072), F(OWN_LOOPS, 131072), F(LONG_LOOPS, 131072)}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check(&cases[i]);
}

/* The first cache has 32 KiB in 8 ways, the second 1 MiB in 16. */
static void caches(void **state)
{
    (void)state;
    static const char columns[] = "let f (B: [K][M]f32) = mapWorkgroup 0 (\\c -> reduceSeq (+) 0 c) (transpose B)";
    static const Case cases[] = {
        /* nothing is used again: all of it once */
        {"let scal (alpha: f32) (xs: [N]f32) = join (mapWorkgroup 0 (mapSeq (\\x -> alpha * x)) (split 64 xs))", true,
         {{"N", 4096}}, {F(BEYOND_L1, 32768), F(BEYOND_L2, 32768)}},
        /* a row and the vector are 64 KiB each: the first cache has lost the vector when the next row comes, the second has not */
        {"let f (A: [N][K]f32) (x: [K]f32) = mapWorkgroup 0 (\\r -> reduceSeq (\\(s, (a, b)) -> s + a * b) 0 (zip r x)) A", true,
         {{"N", 64}, {"K", 16384}}, {F(BEYOND_L1, 64 * (2 * 65536 + 64)), F(BEYOND_L2, 64 * 65536 + 65536 + 256)}},
        /* columns 4 KiB apart: all 128 lines are in one set of the first cache, and in 16 of the second, which has room for 16 in each */
        {columns, true, {{"K", 128}, {"M", 1024}}, {F(BEYOND_L1, 1024 * (128 * 64 + 64)), F(BEYOND_L2, 128 * 1024 * 4 + 4096),
          /* each line is another place, and no prefetcher follows so many */
          F(JUMPS, 128 * 64), F(JUMPED, 128 * 1024 * 4)}},
        {columns, true, {{"K", 16}, {"M", 1024}}, {F(BEYOND_L2, 16 * 1024 * 4 + 4096), F(JUMPS, 0)}},
        /* 64 columns at once: 256 bytes at a place */
        {"let f (B: [K][M]f32) = mapWorkgroup 0 (\\cs -> reduceSeq (\\(s, r) -> reduceSeq (+) s r) 0.0 (transpose cs)) (split 64 (transpose B))", true,
         {{"K", 128}, {"M", 1024}}, {F(JUMPS, 128 * 16), F(JUMPED, 128 * 1024 * 4)}},
        /* indices that are parts of one counter go to no more places than it has rounds: 576 lines, and the 8 results */
        {"let f (x: [B][N]f32) = mapWorkgroup 0 (\\b -> reduceSeq (\\(s, i) -> s + b[i + 5000 * (i / 3) + 100000 * (i / 9)]) 0.0 (iota 576)) x", true,
         {{"B", 8}, {"N", 8000000}}, {F(BEYOND_L2, 8 * 576 * 64 + 64)}},
        /* a little farther apart they are in different sets: the next 15 columns find the lines */
        {columns, true, {{"K", 128}, {"M", 1040}}, {F(BEYOND_L1, 128 * 1040 * 4 + 4160), F(BEYOND_L2, 128 * 1040 * 4 + 4160)}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check(&cases[i]);
}

static void streams(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"let scal (alpha: f32) (xs: [N]f32) = join (mapWorkgroup 0 (mapSeq (\\x -> alpha * x)) (split 64 xs))", true,
         {{"N", 4096}}, {F(STREAMS, 1)}},
        /* a row and the vector */
        {"let f (A: [N][K]f32) (x: [K]f32) = mapWorkgroup 0 (\\r -> reduceSeq (\\(s, (a, b)) -> s + a * b) 0 (zip r x)) A", true,
         {{"N", 64}, {"K", 16384}}, {F(STREAMS, 2)}},
        /* eight chunks of 8 KiB side by side, then the next element of each */
        {"let f (xs: [N]f32) = mapWorkgroup 0 (\\c -> reduceSeq (\\(s, p) -> reduceSeq (+) s p) 0 (transpose (split 2048 c))) (split 16384 xs)",
         true, {{"N", 65536}}, {F(STREAMS, 8)}},
        /* the same on one page */
        {"let f (xs: [N]f32) = mapWorkgroup 0 (\\c -> reduceSeq (\\(s, p) -> reduceSeq (+) s p) 0 (transpose (split 128 c))) (split 1024 xs)",
         true, {{"N", 65536}}, {F(STREAMS, 1)}},
        /* a page a round, all of it: one */
        {"let f (xs: [N]f32) = mapWorkgroup 0 (\\c -> reduceSeq (\\(s, p) -> reduceSeq (+) s p) 0 (split 1024 c)) (split 16384 xs)",
         true, {{"N", 65536}}, {F(STREAMS, 1)}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check(&cases[i]);
}

/* What a work-item takes of one texel in straight-line code is one load. */
static void images(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"let f (A: [N][M]f32) = mapGlobal 0 (\\r -> reduceSeqUnroll (+) 0 r) (toImage A)", false, {{"N", 64}, {"M", 8}},
         {F(GLOBAL_LOAD_BYTES, 2048), F(LOADS, 128), F(GLOBAL_LOADS, 128), F(IMAGE_LOADS, 128), F(IMAGE_STORES, 0)}},
        {"let f (A: [N][M]f32) = toGlobalImage (mapGlobal 1 (\\r -> asScalar (mapGlobal 0 (mapVec (\\x -> x + 1)) (asVector 4 r))) A)",
         false, {{"N", 64}, {"M", 8}}, {F(GLOBAL_LOADS, 128), F(IMAGE_LOADS, 0), F(GLOBAL_STORE_BYTES, 2048), F(IMAGE_STORES, 2048)}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check(&cases[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(maps), cmocka_unit_test(sums), cmocka_unit_test(products), cmocka_unit_test(caches),
                                       cmocka_unit_test(streams), cmocka_unit_test(images)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
