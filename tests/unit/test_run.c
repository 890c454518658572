/* run, verify, sample, bindings, fill, launch: from a term and inputs to a report. The first half needs no device; the second is
 * skipped without an OpenCL platform, and its checking part without Oclgrind. LATHE_TEST_DEVICE names another device than pocl0. */
#include <math.h>
#include <pthread.h>

#include "unit.h"
#include "extremes.h"
#include "run_private.h"
#include "verifier.h"

typedef struct Fixture {
    Ctx *c;
    Defs *defs;
    Devices *devices;
    Device *main, *checker;              /* NULL: there is none */
} Fixture;

static Device *open_device(Devices *devices, const char *name)
{
    const DeviceInfo *info = devices_find(devices, name, NULL);
    return info ? device_open(info) : NULL;
}

static int set_up(void **state)
{
    Fixture *f = calloc(1, sizeof *f);
    const char *name = getenv("LATHE_TEST_DEVICE");
    f->c = ctx_new();
    f->defs = defs_new(f->c);
    f->devices = devices_new();
    f->main = open_device(f->devices, name ? name : "pocl0");
    f->checker = open_device(f->devices, "oclgrind");
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    Fixture *f = *state;
    if (f->main) device_close(f->main);
    if (f->checker) device_close(f->checker);
    devices_free(f->devices);
    defs_free(f->defs);
    ctx_free(f->c);
    free(f);
    return 0;
}

/* ---- helpers ---- */

static const Program *define(Fixture *f, const char *text)
{
    return program_defined(f->c, f->defs, text);
}

enum { INPUTS = 8 };
typedef struct Case {
    RunSpec spec;
    RunInput inputs[INPUTS];
    Binding bindings[INPUTS];
} Case;

/* sizes: in the order of the program's, 0 ends them. */
static void make_case(Case *k, const Program *p, const int64_t *sizes)
{
    *k = (Case){.spec = {.name = p->name, .term = p->body, .inputs = k->inputs, .input_count = p->input_count,
                         .bindings = k->bindings, .binding_count = p->size_count, .settings = run_settings()}};
    for (int i = 0; i < p->input_count; i++) k->inputs[i] = (RunInput){.name = p->inputs[i].name, .type = p->inputs[i].type};
    for (int i = 0; i < p->size_count; i++)
        k->bindings[i] = (Binding){p->sizes[i]->terms[0].factors[0].atom->name, VAR_SIZE, true, sizes[i]};
    k->spec.settings.trials = 3;
    k->spec.settings.warmup = 1;
}

static const char *text_of(const RunOutcome *o)
{
    static char text[4096];
    Buf b = {0};
    diag_render(&o->diag, &b);
    snprintf(text, sizeof text, "%s | %s | %s", run_state_name(o->state), o->summary, buf_text(&b));
    buf_free(&b);
    return text;
}

static void expect_state(const RunOutcome *o, RunState state)
{
    if (o->state != state) fail_msg("expected %s: %s\n%s", run_state_name(state), text_of(o), o->source);
}

static void expect_note(const Diag *d, const char *label, const char *part)
{
    for (int i = 0; i < d->note_count; i++)
        if (!strcmp(d->notes[i].label, label) && strstr(d->notes[i].text, part)) return;
    fail_msg("no note %s with \"%s\"", label, part);
}

#define SIZES(...) ((const int64_t[]){__VA_ARGS__})

static const char scal_text[] =
    "scal (alpha: f32) (xs: [N]f32) = join . mapWorkgroup 0 (mapLocal 0 (\\x -> alpha * x)) . split 64 $ xs";
static const char asum_text[] =
    "asum (xs: [N]f32) = reduceSeq (+) 0 (toGlobal (mapGlobal 0 (\\c -> reduceSeq (\\(a, x) -> a + abs x) 0 c) (split 128 xs)))";

/* ---- bindings ---- */

static void test_facts(void **state)
{
    Fixture *f = *state;
    Case k;
    Diag diag = diag_new();
    make_case(&k, define(f, scal_text), SIZES(1000));
    assert_false(bindings_check(f->c, k.spec.term, k.bindings, 1, &diag));
    assert_int_equal(diag.id, E36);
    assert_non_null(strstr(diag.message, "N = 1000"));
    assert_non_null(strstr(diag.message, "64 must divide N"));
    expect_note(&diag, "near", "N = 960, N = 1024");
    diag_clear(&diag);
    k.bindings[0].value = 1024;
    assert_true(bindings_check(f->c, k.spec.term, k.bindings, 1, &diag));
    k.bindings[0].set = false;
    assert_true(bindings_check(f->c, k.spec.term, k.bindings, 1, &diag));
    assert_false(bindings_complete(k.bindings, 1, &diag));
    assert_int_equal(diag.id, E37);
    diag_free(&diag);
}

static int64_t smallest(Fixture *f, const char *text, int which, int64_t at_least)
{
    Case k;
    Diag diag = diag_new();
    const Program *p = define(f, text);
    make_case(&k, p, SIZES(0, 0, 0, 0));
    for (int i = 0; i < p->size_count; i++) k.bindings[i].set = false;
    if (!bindings_fill(f->c, k.spec.term, k.bindings, p->size_count, at_least, &diag)) fail_msg("%s", diag.message);
    assert_true(bindings_check(f->c, k.spec.term, k.bindings, p->size_count, &diag));
    diag_free(&diag);
    return k.bindings[which].value;
}

static void test_smallest(void **state)
{
    Fixture *f = *state;
    assert_int_equal(smallest(f, scal_text, 0, 1), 64);
    assert_int_equal(smallest(f, scal_text, 0, 256), 256);
    assert_int_equal(smallest(f, scal_text, 0, 257), 320);
    assert_int_equal(smallest(f, "p (x: [N]f32) = map (map abs) (split 96 (join (map id (split 128 x))))", 0, 256), 384);
    assert_int_equal(smallest(f, "q (x: [N]f32) = map (reduce (+) 0) (slide 18 16 x)", 0, 1), 18);
    assert_int_equal(smallest(f, "q (x: [N]f32) = map (reduce (+) 0) (slide 18 16 x)", 0, 256), 258);
    assert_int_equal(smallest(f, "r (x: [N]f32) (y: [M]f32) = (split 7 x, split 65536 y)", 1, 256), 65536);
    assert_int_equal(smallest(f, "s (x: [N]f32) (y: [M]f32) = (split M x, y)", 0, 256), 256);
    assert_int_equal(smallest(f, "s (x: [N]f32) (y: [M]f32) = (x, take (N + 3) y)", 1, 1), 4);
}

static void test_no_sizes(void **state)
{
    Fixture *f = *state;
    Case k;
    Diag diag = diag_new();
    make_case(&k, define(f, "t (x: [N]f32) = (split 2 x, split 2 (drop 1 x))"), SIZES(0));
    k.bindings[0].set = false;
    assert_false(bindings_fill(f->c, k.spec.term, k.bindings, 1, 1, &diag));
    assert_int_equal(diag.id, E36);
    diag_free(&diag);
}

/* ---- samples and patterns ---- */

static bool has_sample(const int64_t *v, int64_t n, int64_t x)
{
    for (int64_t i = 0; i < n; i++)
        if (v[i] == x) return true;
    return false;
}

static void test_samples(void **state)
{
    (void)state;
    Shape s = {.scalar = SC_F32, .rank = 2, .dims = {1000, 777}};
    static int64_t out[4096];
    int64_t tiles[] = {64};
    int64_t n = samples_choose(&s, tiles, 1, 7, NULL, out, 4096);
    assert_int_equal(n, 4096);
    assert_true(has_sample(out, 4, 0) && has_sample(out, 4, 776) && has_sample(out, 4, 999 * 777) && has_sample(out, 4, 776999));
    bool row_edge = false;
    for (int64_t i = 0; i < n; i++) {
        assert_in_range(out[i], 0, 776999);
        row_edge = row_edge || out[i] / 777 == 960;
    }
    assert_true(row_edge);
    Shape small = {.scalar = SC_F32, .rank = 1, .dims = {10}};
    assert_int_equal(samples_choose(&small, tiles, 1, 7, NULL, out, 4096), 10);
    Shape one = {.scalar = SC_F32};
    assert_int_equal(samples_choose(&one, NULL, 0, 7, NULL, out, 4096), 1);
}

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static int64_t choose_sorted(const Shape *s, const int64_t *tiles, int tile_count, int64_t *out)
{
    int64_t n = samples_choose(s, tiles, tile_count, 7, NULL, out, 4096);
    qsort(out, (size_t)n, sizeof *out, by_value);
    for (int64_t i = 1; i < n; i++) assert_true(out[i - 1] < out[i]);
    return n;
}

/* Versions whose tiles differ look at the same elements where they can: their references are computed once. */
static void test_samples_are_shared(void **state)
{
    (void)state;
    Shape s = {.scalar = SC_F32, .rank = 2, .dims = {2048, 1536}};
    static const int64_t tiles[][3] = {{64, 8, 32}, {16, 64, 128}, {32, 128, 16}, {8, 256, 64}, {8, 16, 32}};
    static int64_t seen[COUNT(tiles) * 4096], one[4096];
    int64_t known = 0, fresh = 0;
    for (int i = 0; i < COUNT(tiles); i++) {
        int64_t n = choose_sorted(&s, tiles[i], 3, one), before = known;
        fresh = 0;
        for (int64_t k = 0; k < n; k++) {
            if (bsearch(&one[k], seen, (size_t)before, sizeof *seen, by_value)) continue;
            seen[known++] = one[k];
            fresh++;
        }
        qsort(seen, (size_t)known, sizeof *seen, by_value);
    }
    assert_in_range(fresh, 0, 4096 / 8);                        /* of the last, whose tiles others had */
}

/* Above each edge of each tile there is a sample and below it, in both dimensions. */
static void test_samples_at_edges(void **state)
{
    (void)state;
    Shape s = {.scalar = SC_F32, .rank = 2, .dims = {1920, 960}};
    static const int64_t tiles[] = {48, 96};
    static int64_t out[4096];
    int64_t n = choose_sorted(&s, tiles, 2, out);
    for (int64_t edge = 48; edge < 1920; edge += 48) {
        int rows = 0, columns = 0;
        for (int64_t i = 0; i < n; i++) {
            rows |= 1 * (out[i] / 960 == edge - 1) | 2 * (out[i] / 960 == edge);
            columns |= 1 * (out[i] % 960 == edge - 1) | 2 * (out[i] % 960 == edge);
        }
        assert_int_equal(rows, 3);
        if (edge < 960) assert_int_equal(columns, 3);
    }
}

/* In groups: few rows (or columns), all corners, edges inside them kept, as many elements as asked for. */
static void test_samples_in_groups(void **state)
{
    (void)state;
    Shape s = {.scalar = SC_F32, .rank = 2, .dims = {4096, 1536}};
    static const int64_t tiles[] = {48, 64};
    static int64_t out[4096];
    for (unsigned inner = 1; inner <= 2; inner++) {
        int64_t n = samples_choose(&s, tiles, 2, 7, &(Grouping){inner, 100}, out, 4096), groups = 0, last = -1;
        static bool seen[4096], edges[1536 / 48];
        memset(seen, 0, sizeof seen);
        memset(edges, 0, sizeof edges);
        assert_int_equal(n, 4096);
        assert_true(has_sample(out, 4, 0) && has_sample(out, 4, 4096 * 1536 - 1));
        int64_t turns = 0;
        for (int64_t i = 0; i < n; i++) {
            int64_t group = inner == 2 ? out[i] / 1536 : out[i] % 1536, inside = inner == 2 ? out[i] % 1536 : out[i] / 1536;
            groups += !seen[group];
            seen[group] = true;
            turns += group != last;
            last = group;
            if (inside && inside % 48 == 0 && inside < 1536) edges[inside / 48] = true;
        }
        assert_in_range(groups, 90, 100);
        assert_in_range(turns, groups, groups + 4);
        for (int i = 1; i < COUNT(edges); i++) assert_true(edges[i]);
        qsort(out, (size_t)n, sizeof *out, by_value);
        for (int64_t i = 1; i < n; i++) assert_true(out[i - 1] < out[i]);
    }
    s.dims[1] = 64;
    int64_t n = samples_choose(&s, tiles, 2, 7, &(Grouping){2, 20}, out, 20 * 64);
    assert_int_equal(n, 20 * 64);                               /* whole rows, where these are all */
}

typedef bool IsBad(int64_t i);
static bool bad_step(int64_t i) { return i % 256 == 0; }
static bool bad_step_from(int64_t i) { return i % 16 == 3; }
static bool bad_tail(int64_t i) { return i >= 4000; }
static bool bad_head(int64_t i) { return i < 7; }
static bool bad_all(int64_t i) { return i >= 0; }
static bool bad_column(int64_t i) { return i % 64 >= 60; }
static bool bad_none(int64_t i) { return i < 0; }
static bool bad_mixed(int64_t i) { return (i * 7919) % 11 < 5; }

static const char *pattern(Arena *arena, IsBad *is_bad)
{
    static Looked l[4096];
    Shape s = {.scalar = SC_F32, .rank = 2, .dims = {64, 64}};
    for (int64_t i = 0; i < 4096; i++) l[i] = (Looked){i, is_bad(i)};
    const char *found = samples_pattern(arena, &s, NULL, 0, l, 4096);
    return found ? found : "none";
}

static void test_patterns(void **state)
{
    (void)state;
    Arena *a = arena_new();
    assert_string_equal(pattern(a, bad_step), "every 256th element");
    assert_string_equal(pattern(a, bad_step_from), "every 16th element from [0][3]");
    assert_string_equal(pattern(a, bad_tail), "everything from [62][32] on");
    assert_string_equal(pattern(a, bad_head), "everything up to [0][6]");
    assert_string_equal(pattern(a, bad_all), "every element");
    assert_string_equal(pattern(a, bad_column), "numbers 60 to 63 of every 64 in dimension 1");
    assert_string_equal(pattern(a, bad_none), "none");
    assert_string_equal(pattern(a, bad_mixed), "none");
    arena_free(a);
}

/* ---- the verifier alone ---- */

typedef struct Bench {
    Verifier *v;
    const EvalInput *values;
    Data *got, *first;                   /* first: as the first repeat had it */
    VerifyOutcome out;
    Arena *arena;
    Diag diag;
} Bench;

static void open_bench_with(Fixture *f, Bench *b, const Case *k, int set, References *shared)
{
    *b = (Bench){.arena = arena_new()};
    b->diag = diag_new();
    b->v = verifier_new(f->c, k->spec.term, NULL, k->inputs, k->spec.input_count, &k->spec.settings, NULL, &b->diag);
    assert_non_null(b->v);
    verifier_share(b->v, shared);
    b->values = verifier_input(b->v, set, 0, &b->diag);
    if (!b->values) fail_msg("%s", b->diag.message);
    b->got = data_new(f->c, k->spec.term->type);
    b->first = data_new(f->c, k->spec.term->type);
    assert_non_null(b->got);
    Eval *e = eval_new(f->c, k->spec.term, b->values, k->spec.input_count, EVAL_EXACT);
    assert_true(eval_full(e, b->got, &b->diag));
    eval_free(e);
}

static void open_bench(Fixture *f, Bench *b, const Case *k, int set) { open_bench_with(f, b, k, set, NULL); }

static void close_bench(Bench *b)
{
    verifier_free(b->v);
    data_free(b->got);
    data_free(b->first);
    diag_free(&b->diag);
    arena_free(b->arena);
}

static bool compare(Bench *b, int sentinel, int repeat)
{
    bool ok = verifier_compare(b->v, b->got, repeat ? b->first : NULL, sentinel, repeat, b->arena, &b->out);
    for (int p = 0; !repeat && p < b->got->part_count; p++)
        memcpy(b->first->parts[p].values, b->got->parts[p].values,
               (size_t)b->got->parts[p].count * (size_t)scalar_bytes(b->got->parts[p].scalar));
    verifier_finish(b->v, b->arena, &b->out);
    return ok;
}

static void test_verifier(void **state)
{
    Fixture *f = *state;
    Case k;
    Bench b;
    make_case(&k, define(f, "sums (x: [512][100]f32) = map (reduce (+) 0) x"), SIZES(0));
    for (int set = 0; set < 3; set++) {
        open_bench(f, &b, &k, set);
        assert_true(compare(&b, 0x5a, 0));
        assert_int_equal(b.out.level, 'a');
        assert_int_equal(b.out.compared, 512);
        assert_int_equal(b.out.exact_first, set == 0);
        data_set(b.got, 0, 256, data_get(b.got, 0, 256) + 1);
        assert_false(compare(&b, 0xda, 1));
        assert_int_equal(b.out.wrong, 1);
        assert_int_equal(b.out.wrong_input, set + 1);
        assert_int_equal(b.out.wrong_repeat, 2);
        assert_int_equal(b.out.repeat_differs, 1);
        assert_string_equal(b.out.first.where, "[256]");
        close_bench(&b);
    }
}

/* A lost element among 65,536 is within the tolerance, but not within exactness. */
static void test_lost_element(void **state)
{
    Fixture *f = *state;
    Case k;
    Bench b;
    make_case(&k, define(f, "sum1 (x: [65536]f32) = reduce (+) 0 x"), SIZES(0));
    open_bench(f, &b, &k, 0);
    assert_true(compare(&b, 0x5a, 0));
    assert_true(b.out.exact_first);
    data_set(b.got, 0, 0, data_get(b.got, 0, 0) + 1);
    assert_false(compare(&b, 0x5a, 1));
    close_bench(&b);
}

/* Serial f32 sums of many values are far from the f64 reference, but they are what the language says. */
static void test_serial_sum(void **state)
{
    Fixture *f = *state;
    Case k;
    Bench b;
    make_case(&k, define(f, "sum2 (x: [2097152]f32) = reduce (+) 0 x"), SIZES(0));
    k.inputs[0].spec = (FillSpec){.kind = FILL_RANDOM, .seed = 1, .lo = 0, .hi = 1};
    open_bench(f, &b, &k, 1);
    assert_true(compare(&b, 0x5a, 0));
    data_set(b.got, 0, 0, data_get(b.got, 0, 0) * 1.0005);
    assert_false(compare(&b, 0x5a, 1));
    close_bench(&b);
}

/* Above oracle_work: samples, and every unwritten element. */
static void test_level_b(void **state)
{
    Fixture *f = *state;
    Case k;
    Bench b;
    make_case(&k, define(f, "twice (x: [1000000]f32) = map (\\v -> v + v) x"), SIZES(0));
    k.spec.settings.oracle_work = 1e5;
    open_bench(f, &b, &k, 1);
    assert_true(compare(&b, 0x5a, 0));
    assert_int_equal(b.out.level, 'b');
    assert_in_range(b.out.compared, 1000, 4096);
    memset((char *)b.got->parts[0].values + 4 * 777777, 0x5a, 4);
    b.out = (VerifyOutcome){0};
    assert_false(compare(&b, 0x5a, 1));
    assert_int_equal(b.out.unwritten, 1);
    assert_string_equal(b.out.first.where, "[777777]");
    close_bench(&b);
}

/* What a row, or a column, shares is computed once for it; components share; the budget counts what is computed. */
static void test_costs(void **state)
{
    Fixture *f = *state;
    static const struct { const char *text; unsigned inner; } cases[] = {
        {"rows1 (x: [300][400]f32) = map (\\r -> map (\\v -> v / reduce (+) 0 (map exp r)) r) x", 2},
        {"columns1 (x: [300][400]f32) = "
         "transpose (map (\\c -> map (\\v -> v / reduce (+) 0 (map exp c)) c) (transpose x))", 1},
        {"product1 (x: [300][400]f32) (y: [400][200]f32) = "
         "map (\\r -> map (\\c -> reduce (+) 0 (map (*) (zip r c))) (transpose y)) x", 0},
        {"pairs1 (x: [300][400]f32) = map (\\r -> let s = reduce (+) 0 r in map (\\v -> (v * s, v - s)) r) x", 2},
    };
    for (int i = 0; i < COUNT(cases); i++) {
        Case k;
        Bench b;
        make_case(&k, define(f, cases[i].text), SIZES(0));
        open_bench(f, &b, &k, 1);
        Eval *e = eval_new(f->c, k.spec.term, b.values, k.spec.input_count, EVAL_REFERENCE);
        Shape shapes[2];
        ElementCost cost;
        Grouping g;
        int parts[] = {0, 1}, n = shapes_of(k.spec.term->type, shapes, 2);
        assert_true(cost_measure(e, parts, n, shapes, &cost, &b.diag));
        assert_int_equal(cost.inner, cases[i].inner);
        int64_t most = shape_count(&shapes[0]), afford = cost_afford(&cost, &shapes[0], 40000, 2000, &g);
        assert_in_range(afford, 16, most);
        if (cost.inner) assert_true(afford == 2000 && (double)g.groups * cost.fresh <= 40000);
        else assert_true((double)afford * cost.fresh <= 40000);
        eval_free(e);
        close_bench(&b);
    }
}

/* Sampled in rows, one wrong lane of every group of 64 is found, and what is right is right. */
static void test_verify_in_groups(void **state)
{
    Fixture *f = *state;
    Case k;
    Bench b;
    make_case(&k, define(f, "rows2 (x: [200][4096]f32) = "
                            "map (\\r -> let s = reduce (+) 0 (map exp r) in map (\\v -> v / s) r) x"),
              SIZES(0));
    k.spec.settings.oracle_work = 5e5;
    for (int set = 0; set < 2; set++) {
        open_bench(f, &b, &k, set);
        assert_true(compare(&b, 0x5a, 0));
        assert_int_equal(b.out.compared, 4096);
        for (int64_t i = 5; i < 200 * 4096; i += 64) data_set(b.got, 0, i, 3);
        assert_false(compare(&b, 0xda, 1));
        close_bench(&b);
    }
}

/* Nothing is left to compute where runs share references, yet an element that was never written is found. */
static void test_unwritten_with_shared_references(void **state)
{
    Fixture *f = *state;
    Case k;
    make_case(&k, define(f, "twice (x: [1000000]f32) = map (\\v -> v + v) x"), SIZES(0));
    k.spec.settings.oracle_work = 1e5;
    References *shared = references_new();
    for (int run = 0; run < 2; run++) {
        Bench b;
        open_bench_with(f, &b, &k, 1, shared);
        assert_true(compare(&b, 0x5a, 0));
        memset((char *)b.got->parts[0].values + 4 * 777777, 0x5a, 4);
        b.out = (VerifyOutcome){0};
        assert_false(compare(&b, 0x5a, 1));
        assert_int_equal(b.out.unwritten, 1);
        close_bench(&b);
    }
    references_free(shared);
}

/* What overflows in the type of the result is that infinity, and nothing else. */
static void test_overflow(void **state)
{
    Fixture *f = *state;
    Case k;
    Bench b;
    make_case(&k, define(f, "cube (x: [100]f32) = map (\\v -> v * v * v) x"), SIZES(0));
    k.inputs[0].spec = (FillSpec){.kind = FILL_CONST, .value = 1e15};
    open_bench(f, &b, &k, 1);
    assert_int_equal(verifier_input_count(b.v), 2);
    for (int i = 0; i < 100; i++) data_set(b.got, 0, i, INFINITY);
    assert_true(compare(&b, 0x5a, 0));
    assert_int_equal(b.out.inaccurate, 0);
    static const double wrong[] = {-INFINITY, NAN, 3, 0};
    for (int i = 0; i < COUNT(wrong); i++) {
        data_set(b.got, 0, 7, wrong[i]);
        b.out = (VerifyOutcome){0};
        assert_false(compare(&b, 0x5a, i + 1));
        assert_int_equal(b.out.wrong, 1);
    }
    close_bench(&b);
}

static void test_integers(void **state)
{
    Fixture *f = *state;
    Case k;
    Bench b;
    make_case(&k, define(f, "both (x: [64]i32) (y: [64]i64) = map (\\(a, c) -> (a * 3, c < 0i64)) (zip x y)"), SIZES(0));
    open_bench(f, &b, &k, 2);
    assert_true(compare(&b, 0x5a, 0));
    ((uint8_t *)b.got->parts[1].values)[63] = 0x5a;
    assert_false(compare(&b, 0x5a, 1));
    assert_string_equal(b.out.first.where, ".1[63]");
    assert_int_equal(b.out.unwritten, 1);
    close_bench(&b);
}

/* ---- on a device ---- */

static bool skip_without(const Device *d)
{
    if (!d) print_message("no device, skipped\n");
    return !d;
}

static void run_ok(Fixture *f, Device *d, Case *k, RunOutcome *o)
{
    run_version(f->c, d, &k->spec, o);
    expect_state(o, STATE_OK);
    assert_int_equal(o->verify.status, k->spec.settings.verify ? VERIFY_OK : VERIFY_OFF);
    assert_int_equal(o->diag.id, E_NONE);
    assert_null(o->verify.left_out);
}

/* A step that cannot update its accumulator in place stores it elsewhere, in another order than it is copied back in. */
static void test_shuffled_temporary(void **state)
{
    Fixture *f = *state;
    Case k;
    RunOutcome o;
    if (skip_without(f->main)) return;
    make_case(&k, define(f, "shuffled (xs: [8]f32) = reduceSeqUnroll (+) 0 . mapGlobal 0 (reduceSeqUnroll (+) 0) . split 2 . "
                            "reduceSeq (\\(acc, c) -> reorder (stride 2) (mapSeq (+) (reorder (stride 2) (zip acc c)))) "
                            "(toGlobal (mapSeq (\\v -> v) (generate 4 (\\i -> 0.0)))) . split 4 . mapGlobal 0 abs $ xs"), SIZES(0));
    run_ok(f, f->main, &k, &o);
    run_outcome_free(&o);
}

static void test_scal(void **state)
{
    Fixture *f = *state;
    Case k;
    RunOutcome o;
    if (skip_without(f->main)) return;
    for (int arguments = 0; arguments < 2; arguments++) {
        make_case(&k, define(f, scal_text), SIZES(65536));
        k.spec.sizes_as_arguments = arguments;
        k.spec.settings.keep_result = true;
        k.inputs[0].spec = (FillSpec){.kind = FILL_CONST, .value = 2.5};
        k.inputs[1].spec = (FillSpec){.kind = FILL_IOTA};
        run_ok(f, f->main, &k, &o);
        assert_string_equal(o.sizes, "N=65536");
        assert_int_equal(o.time.trials, 3);
        assert_true(o.time.min_ns > 0 && o.time.median_ns >= o.time.min_ns);
        assert_int_equal(o.time.bytes, 2 * 4 * 65536 + 4);
        assert_true(o.verify.exact_first);
        assert_int_equal(o.verify.repeats, 2);
        assert_non_null(o.result);
        assert_true(data_get(o.result, 0, 1001) == 2502.5);
        run_outcome_free(&o);
    }
}

static void test_asum(void **state)
{
    Fixture *f = *state;
    Case k;
    RunOutcome o;
    if (skip_without(f->main)) return;
    make_case(&k, define(f, asum_text), SIZES(1 << 20));
    run_ok(f, f->main, &k, &o);
    assert_true(o.verify.exact_first);
    assert_int_equal(o.verify.inputs, 3);
    run_outcome_free(&o);
}

/* Components, scalars by value, small and wide types; sizes as constants and as arguments. */
static void test_marshalling(void **state)
{
    Fixture *f = *state;
    static const char *const texts[] = {
        "m1 (flag: bool) (v: [N](f32, i32)) = mapGlobal 0 (\\(a, i) -> if flag then (i, a < 0.0, a) else (0, true, a)) v",
        "m2 (a: i64) (p: (f32, u32)) (v: [N][M]i64) = mapGlobal 1 (\\r -> mapGlobal 0 (\\x -> (x * a, u32 3 + p.1)) r) v",
        "m3 (v: [N]f64) = asScalar . mapGlobal 0 (\\x -> mapVec (\\y -> y * y) x) . asVector 4 $ v",
        "m5 (a: i8) (b: u16) (v: [N](u8, i16)) (w: [M]u64) = (mapGlobal 0 (\\(x, y) -> (x + 200, y * i16 a, b + u16 x)) v, "
        "mapGlobal 0 (\\x -> x * 18446744073709551557u64) w)",
        "m4 (v: [N][M]f32) = transpose (mapGlobal 1 (\\r -> mapGlobal 0 (\\x -> -x) r) v)",
    };
    if (skip_without(f->main)) return;
    for (int i = 0; i < 2 * COUNT(texts); i++) {
        Case k;
        RunOutcome o;
        make_case(&k, define(f, texts[i / 2]), SIZES(24, 36));
        k.spec.sizes_as_arguments = i % 2;
        k.spec.settings.trials = 1;
        run_ok(f, f->main, &k, &o);
        run_outcome_free(&o);
        if (!f->checker) continue;
        run_ok(f, f->checker, &k, &o);
        run_outcome_free(&o);
    }
}

/* Are the bits the same, or both NaN? */
static void expect_bits(const char *text, const Data *got, const Data *want)
{
    for (int p = 0; p < got->part_count; p++) {
        int bytes = scalar_bytes(got->parts[p].scalar);
        for (int64_t i = 0; i < got->parts[p].count; i++) {
            const char *a = (const char *)got->parts[p].values + i * bytes, *b = (const char *)want->parts[p].values + i * bytes;
            if (memcmp(a, b, (size_t)bytes) == 0 || (isnan(data_get(got, p, i)) && isnan(data_get(want, p, i)))) continue;
            fail_msg("%s: component %d of %lld is %.17g, not %.17g", text, p, (long long)i, data_get(got, p, i), data_get(want, p, i));
        }
    }
}

/* Every number of 16 bits, stored and loaded by a device that may not compute with them, and rounded to: the interpreter's bits. */
static void run_halves(Fixture *f, Device *d, Scalar s, const char *text, int64_t n)
{
    Case k;
    RunOutcome o;
    make_case(&k, define(f, text), SIZES(n));
    const Term *t = term_subst_nats(f->c, k.spec.term, &(NatBinding){nat_var(f->c->nats, "N", VAR_SIZE, NULL, NULL)->terms[0].factors[0].atom,
                                                                       nat_const(f->c->nats, n)}, 1);
    Data *xs = data_new(f->c, type_array(f->c, nat_const(f->c->nats, n), type_scalar(f->c, s))), *want = data_new(f->c, t->type);
    for (int64_t i = 0; i < n; i++) ((uint16_t *)xs->parts[0].values)[i] = (uint16_t)(i * (65536 / n));
    Eval *e = eval_new(f->c, t, &(EvalInput){"xs", xs, false}, 1, EVAL_EXACT);
    assert_true(eval_full(e, want, &f->c->diag));
    eval_free(e);
    k.inputs[0].spec = (FillSpec){.kind = FILL_DATA, .data = xs};
    k.spec.settings.keep_result = true;
    run_version(f->c, d, &k.spec, &o);
    if (!o.result) fail_msg("%s\n%s", text_of(&o), o.source);
    expect_bits(text, o.result, want);
    run_outcome_free(&o);
    data_free(xs);
    data_free(want);
}

static void test_halves(void **state)
{
    Fixture *f = *state;
    static const char *const of_f16[] = {
        "h1 (xs: [N]f16) = mapGlobal 0 (\\x -> (x, f32 x, -x, abs x, max x 0.5, x < 0.25, if x > 1 then x else 3, f16 (f32 x * 1.37 + 0.1))) xs",
        "h2 (xs: [N]f16) = mapGlobal 0 (\\x -> (f32 (f16 (f32 x * 1.37)), f16 (f64 x * 1.00048828125001), f64 (f16 (f64 x * 0.3)))) xs",
        "h3 (xs: [N]f16) = asScalar (mapGlobal 0 (mapVec (\\x -> (min x 0.5, f16 (f32 x * 1.37 + 0.1), select (x < 0.25) x (-x), "
        "f32 (f16 (f32 x * 3.7)), f64 (f16 (f64 x * 0.3))))) (asVector 8 xs))",
        "h4 (xs: [N]f16) = join (mapWorkgroup 0 (\\p -> mapLocal 0 (\\x -> f16 (f32 x * 3)) (toLocal (mapLocal 0 (\\x -> -x) p))) (split 16 xs))",
        "h5 (xs: [N]f16) = join (mapGlobal 0 (\\p -> mapSeq (\\x -> max x 0.1) (toPrivate (mapSeq (\\x -> f16 (f32 x * 0.1)) p))) (split 4 xs))",
    };
    static const char *const of_bf16[] = {
        "b1 (xs: [N]bf16) = mapGlobal 0 (\\x -> (x, f32 x, -x, max x 0.5, x < 0.25, if x > 1 then x else 3, bf16 (f32 x * 1.37 + 0.1), i32 (min 9 (max 0 x)))) xs",
        "b2 (xs: [N]bf16) = mapGlobal 0 (\\x -> (x + 1, x * x - 3, bf16 (f64 x * 1.0048828125001), f64 x, bf16 (i32 (min 900 (max 0 x))))) xs",
        "b3 (xs: [N]bf16) = asScalar (mapGlobal 0 (mapVec (\\x -> (min x 0.5, x * 1.37 + 0.1, select (x < 0.25) x (-x), "
        "f32 (bf16 (f32 x * 3.7)), x))) (asVector 8 xs))",
        "b4 (xs: [N]bf16) = join (mapWorkgroup 0 (\\p -> mapLocal 0 (\\x -> x * 3) (toLocal (mapLocal 0 (\\x -> -x) p))) (split 16 xs))",
        "b5 (xs: [N]bf16) = join (mapGlobal 0 (\\p -> mapSeq (\\x -> max x 0.1) (toPrivate (mapSeq (\\x -> x * 0.1) p))) (split 4 xs))",
        "b6 (xs: [N]bf16) = mapGlobal 0 (reduceSeq (+) 0) (split 16 xs)",
        "b7 (xs: [N]bf16) = mapGlobal 0 (\\x -> f32 (f16 x)) xs",
    };
    if (skip_without(f->main)) return;
    for (int i = 0; i < COUNT(of_f16) + COUNT(of_bf16); i++) {
        bool half = i < COUNT(of_f16);
        const char *text = half ? of_f16[i] : of_bf16[i - COUNT(of_f16)];
        run_halves(f, f->main, half ? SC_F16 : SC_BF16, text, 65536);
        if (f->checker) run_halves(f, f->checker, half ? SC_F16 : SC_BF16, text, 512);
    }
}

/* A false rule: the version is right by itself and wrong by its source. */
static void test_reference(void **state)
{
    Fixture *f = *state;
    Case k;
    RunOutcome o;
    if (skip_without(f->main)) return;
    const Program *source = define(f, "before (x: [N]f32) = map (\\v -> v + 1) x");
    make_case(&k, define(f, "after (x: [N]f32) = mapGlobal 0 (\\v -> v + 2) x"), SIZES(100));
    k.spec.reference = source->body;
    assert_false(run_version(f->c, f->main, &k.spec, &o));
    expect_state(&o, STATE_WRONG);
    run_outcome_free(&o);
}

/* Where the greatest is, and that it is so alone. */
static int64_t greatest_of(const Data *d)
{
    int64_t at = 0, equal = 0;
    for (int64_t i = 1; i < d->parts[0].count; i++)
        if (data_get(d, 0, i) > data_get(d, 0, at)) at = i;
    for (int64_t i = 0; i < d->parts[0].count; i++) equal += data_get(d, 0, i) == data_get(d, 0, at);
    assert_int_equal(equal, 1);
    return at;
}

/* Every turn has it elsewhere, in another block and another lane of 64, and nothing that there was not. */
static void test_extremes_move(void **state)
{
    Fixture *f = *state;
    static const int64_t lengths[] = {20, 64, 1000, 4096, 100003};
    static const Scalar scalars[] = {SC_I32, SC_F32, SC_I64};
    for (int k = 0; k < COUNT(lengths) * COUNT(scalars); k++) {
        int64_t n = lengths[k / COUNT(scalars)];
        Data *d = data_new(f->c, type_array(f->c, nat_const(f->c->nats, n), type_scalar(f->c, scalars[k % COUNT(scalars)])));
        bool block[EXTREMES_TURNS] = {false}, lane[EXTREMES_TURNS] = {false};
        int blocks = 0, lanes = 0;
        for (int turn = 0; turn < 4 + EXTREMES_TURNS; turn++) {
            data_fill_random(d, 3, -8, 8);
            extremes_move(d, turn, false);
            bool in_order = (turn == 2 || turn == 3) && scalars[k % COUNT(scalars)] != SC_I64;
            if (in_order) {
                for (int64_t i = 1; i < n; i++) assert_true(turn == 2 ? data_get(d, 0, i - 1) <= data_get(d, 0, i) : data_get(d, 0, i - 1) >= data_get(d, 0, i));
                continue;
            }
            int64_t at = greatest_of(d), b = (at * EXTREMES_TURNS + EXTREMES_TURNS - 1) / n, l = at % EXTREMES_TURNS;
            if (turn < 2) assert_int_equal(at, turn ? 0 : n - 1);
            if (turn < 4) continue;
            blocks += !block[b % EXTREMES_TURNS], lanes += !lane[l];
            block[b % EXTREMES_TURNS] = lane[l] = true;
        }
        if (n >= EXTREMES_TURNS) assert_int_equal(lanes, EXTREMES_TURNS);
        if (n > EXTREMES_TURNS * EXTREMES_TURNS) assert_true(blocks > EXTREMES_TURNS * 3 / 4);
        data_free(d);
    }
}

/* How often a fold that chooses stands there with other elements. */
static void test_extremes_folds(void **state)
{
    Fixture *f = *state;
    static const struct { const char *text; int sizes; double folds; } cases[] = {
        {"ex1 (x: [N]f32) = reduce max 0 x", 1, 1},
        {"ex2 (x: [N]f32) = reduce (+) 0 (map (\\a -> max a 0) x)", 1, 0},
        {"ex3 (x: [N][M]f32) = map (reduce min 0) x", 2, 5},
        {"ex4 (x: [N]f32) = map (\\a -> a / reduce max 0 x) x", 1, 1},
        {"ex5 (x: [N]f32) = reduce (\\(a, i) (b, j) -> if a < b then (a, i) else (b, j)) (inf, 0) (zip x (iota N))", 1, 1},
        {"ex6 (x: [N][M]f32) = reduce (zipWith max) (generate M (\\i -> 0)) x", 2, 7},
    };
    for (int i = 0; i < COUNT(cases); i++) {
        Case k;
        make_case(&k, define(f, cases[i].text), SIZES(5, 7));
        const Term *t = bindings_term(f->c, k.spec.term, k.bindings, cases[i].sizes, true);
        if (extremes_folds(t) != cases[i].folds) fail_msg("%s: %g", cases[i].text, extremes_folds(t));
    }
}

/* Huge values: where the result is known in f64 alone, as the source's own would be, the verdict says so. */
static void test_adversarial(void **state)
{
    Fixture *f = *state;
    Case k;
    RunOutcome o;
    if (skip_without(f->main)) return;
    make_case(&k, define(f, "huge (x: [N]f32) = mapGlobal 0 (\\v -> v * v * v - v * v * v) x"), SIZES(4096));
    k.inputs[0].spec = (FillSpec){.kind = FILL_ADVERSARIAL, .seed = 3};
    assert_true(run_version(f->c, f->main, &k.spec, &o));
    assert_int_equal(o.verify.status, VERIFY_OK);
    assert_true(o.verify.overflown > 0);
    run_outcome_free(&o);
}

/* Where most values are 0 or inf, the source's own error is that of the others. */
static void test_few_are_rounded(void **state)
{
    Fixture *f = *state;
    Case k;
    RunOutcome o;
    if (skip_without(f->main)) return;
    make_case(&k, define(f, "runs (x: [N]f32) = scanSeq (*) 1 x"), SIZES(20000));
    k.spec.settings.trials = 0;
    assert_true(run_version(f->c, f->main, &k.spec, &o));
    assert_int_equal(o.verify.status, VERIFY_OK);
    assert_true(o.verify.own > 0 && o.verify.own < 1e-4);
    run_outcome_free(&o);
}

/* Inputs without end do not make a run without end. */
static void test_time_limit(void **state)
{
    Fixture *f = *state;
    Case k;
    RunOutcome o;
    if (skip_without(f->main)) return;
    make_case(&k, define(f, "sums2 (x: [N][N]f32) = mapGlobal 0 (\\r -> reduceSeq (+) 0 r) x"), SIZES(4096));
    k.spec.settings.verify_ms = 1;
    k.spec.settings.trials = 0;
    assert_true(run_version(f->c, f->main, &k.spec, &o));
    assert_non_null(o.verify.left_out);
    assert_int_equal(o.verify.inputs, 1);
    run_outcome_free(&o);
}

/* An element that never ends is none: nothing was compared, and that is no verdict. */
static void test_endless_element(void **state)
{
    Fixture *f = *state;
    Case k;
    RunOutcome o;
    if (skip_without(f->main)) return;
    make_case(&k, define(f, "grow (x: [N]f32) = mapGlobal 0 (\\a -> reduceSeq (\\(z, i) -> reduceSeq (\\(y, j) -> y * 0.5 + f32 ((i + j) % 7)) z (generate 1000000 id)) a "
                            "(generate 1000000 id)) x"), SIZES(33));
    k.spec.settings.run_ms = 50;
    k.spec.settings.trials = 0;
    assert_false(run_version(f->c, f->main, &k.spec, &o));
    expect_state(&o, STATE_REFUSED);
    assert_int_equal(o.diag.id, E25);
    run_outcome_free(&o);
}

static void test_violated(void **state)
{
    Fixture *f = *state;
    Case k;
    RunOutcome o;
    if (skip_without(f->main)) return;
    for (int arguments = 0; arguments < 2; arguments++) {
        make_case(&k, define(f, scal_text), SIZES(1000));
        k.spec.sizes_as_arguments = arguments;
        assert_false(run_version(f->c, f->main, &k.spec, &o));
        expect_state(&o, STATE_REFUSED);
        assert_int_equal(o.diag.id, E36);
        assert_int_equal(run_exit_code(&o), 1);
        run_outcome_free(&o);
    }
}

static void test_high_level(void **state)
{
    Fixture *f = *state;
    Case k;
    RunOutcome o;
    if (skip_without(f->main)) return;
    make_case(&k, define(f, "high (x: [N]f32) = map abs x"), SIZES(64));
    assert_false(run_version(f->c, f->main, &k.spec, &o));
    expect_state(&o, STATE_REFUSED);
    assert_int_equal(o.diag.id, E51);
    run_outcome_free(&o);
}

/* The generated source with `from` replaced by `to`. */
static char *edited(Fixture *f, Case *k, const char *from, const char *to)
{
    RunOutcome o;
    k->spec.settings.trials = 0;
    run_version(f->c, f->main, &k->spec, &o);
    expect_state(&o, STATE_OK);
    const char *at = strstr(o.source, from);
    if (!at) fail_msg("no \"%s\" in\n%s", from, o.source);
    Buf b = {0};
    buf_write(&b, o.source, (size_t)(at - o.source));
    buf_printf(&b, "%s%s", to, at + strlen(from));
    run_outcome_free(&o);
    return b.data;
}

/* A kernel of one's own under the generated name and arguments. */
static const char scal_kernel[] =
    "kernel void scal_k0(float alpha, global const float *restrict xs, global float *restrict out)\n"
    "{ size_t i = get_global_id(0); %s }\n";

/* limit: ms that it may run; ample, for a machine that is shared, where it should end. */
static void run_source_within(Fixture *f, Device *d, Case *k, const char *statement, double limit, RunOutcome *o)
{
    static char source[2048];
    snprintf(source, sizeof source, scal_kernel, statement);
    make_case(k, define(f, "scal (alpha: f32) (xs: [N]f32) = mapGlobal 0 (\\x -> alpha * x) xs"), SIZES(4096));
    k->spec.source_override = source;
    k->spec.settings.run_ms = limit;
    run_version(f->c, d, &k->spec, o);
}

static void run_source(Fixture *f, Device *d, Case *k, const char *statement, RunOutcome *o)
{
    run_source_within(f, d, k, statement, 30000, o);
}

/* Every element of the range, however the launch is cut. */
#define EACH "for (; i < 4096; i += get_global_size(0)) "

static void test_override(void **state)
{
    Fixture *f = *state;
    Case k;
    RunOutcome o;
    if (skip_without(f->main)) return;
    run_source(f, f->main, &k, EACH "out[i] = alpha * xs[i];", &o);
    expect_state(&o, STATE_OK);
    run_outcome_free(&o);
}

static void test_wrong(void **state)
{
    Fixture *f = *state;
    Case k;
    RunOutcome o;
    if (skip_without(f->main)) return;
    run_source(f, f->main, &k, EACH "out[i] = i % 256 ? alpha * xs[i] : 77.5f;", &o);
    expect_state(&o, STATE_WRONG);
    assert_int_equal(run_exit_code(&o), 3);
    assert_int_equal(o.verify.wrong, 16);
    assert_int_equal(o.verify.wrong_of, 4096);
    assert_string_equal(o.verify.pattern, "every 256th element");
    assert_string_equal(o.verify.first.got, "77.5");
    assert_int_equal(o.time.trials, 0);
    run_outcome_free(&o);
}

static void test_unwritten(void **state)
{
    Fixture *f = *state;
    Case k;
    RunOutcome o;
    if (skip_without(f->main)) return;
    run_source(f, f->main, &k, EACH "if (i != 4095) out[i] = alpha * xs[i];", &o);
    expect_state(&o, STATE_WRONG);
    assert_int_equal(o.verify.unwritten, 1);
    assert_string_equal(o.verify.first.where, "[4095]");
    run_outcome_free(&o);
}

static void test_build_error(void **state)
{
    Fixture *f = *state;
    Case k;
    RunOutcome o;
    if (skip_without(f->main)) return;
    run_source(f, f->main, &k, "out[i] = nonsense;", &o);
    expect_state(&o, STATE_FAILED);
    assert_int_equal(o.device_status, RUN_BUILD_FAILED);
    assert_int_equal(run_exit_code(&o), 4);
    assert_true(ANY(i, o.diag.note_count, strstr(o.diag.notes[i].text, "nonsense")));
    run_outcome_free(&o);
}

static void test_endless(void **state)
{
    Fixture *f = *state;
    Case k;
    RunOutcome o;
    if (skip_without(f->main)) return;
    run_source_within(f, f->main, &k, "volatile global float *v = out; while (v[0] != 3.0f) v[1] = 1.0f;", 2000, &o);
    expect_state(&o, STATE_FAILED);
    assert_int_equal(o.device_status, RUN_TIMED_OUT);
    assert_int_equal(run_exit_code(&o), 5);
    assert_non_null(strstr(o.summary, "RUN TIMED OUT after 2.0 s"));
    run_outcome_free(&o);
}

static void test_death(void **state)
{
    Fixture *f = *state;
    Case k;
    RunOutcome o;
    if (skip_without(f->main)) return;
    run_source(f, f->main, &k, "out[(i + 1) * 1000000000000l] = 1;", &o);
    expect_state(&o, STATE_FAILED);
    assert_int_equal(o.device_status, RUN_DIED);
    assert_int_equal(run_exit_code(&o), 5);
    run_outcome_free(&o);
    run_source(f, f->main, &k, EACH "out[i] = alpha * xs[i];", &o);
    expect_state(&o, STATE_OK);
    run_outcome_free(&o);
}

static void test_race(void **state)
{
    Fixture *f = *state;
    Case k;
    RunOutcome o;
    if (skip_without(f->checker)) return;
    run_source(f, f->checker, &k, EACH "{ out[i] = alpha * xs[i]; if (i) out[0] = i; }", &o);
    expect_state(&o, STATE_FAILED);
    assert_int_equal(o.device_status, RUN_FINDING);
    assert_int_equal(o.diag.id, E64);
    assert_int_equal(run_exit_code(&o), 3);
    run_outcome_free(&o);
}

static void test_checker(void **state)
{
    Fixture *f = *state;
    Case k;
    RunOutcome o;
    if (skip_without(f->checker)) return;
    make_case(&k, define(f, asum_text), SIZES(128));
    k.spec.settings.trials = 0;
    run_version(f->c, f->checker, &k.spec, &o);
    expect_state(&o, STATE_OK);
    assert_int_equal(o.verify.repeats, 1);
    run_outcome_free(&o);
}

static void test_batch(void **state)
{
    Fixture *f = *state;
    static const char *const texts[] = {scal_text, asum_text, "opposite (xs: [N]f32) = mapGlobal 0 (\\x -> -x) xs"};
    Case k[4];
    RunSpec specs[4];
    RunOutcome o[4];
    if (skip_without(f->main)) return;
    for (int i = 0; i < 4; i++) {
        make_case(&k[i], define(f, texts[i % 3]), SIZES(4096));
        specs[i] = k[i].spec;
    }
    assert_int_equal(run_versions(f->c, f->main, specs, 4, true, o), 4);
    for (int i = 0; i < 4; i++) {
        expect_state(&o[i], STATE_OK);
        assert_int_equal(o[i].batch, 4);
        assert_int_equal(o[i].time.trials, 3);
        run_outcome_free(&o[i]);
    }
}

static void test_generated_edit(void **state)
{
    Fixture *f = *state;
    Case k;
    RunOutcome o;
    if (skip_without(f->main)) return;
    make_case(&k, define(f, scal_text), SIZES(4096));
    char *source = edited(f, &k, "*", "* 2.0f *");
    free(source);
    source = edited(f, &k, "alpha *", "alpha + ");
    k.spec.source_override = source;
    run_version(f->c, f->main, &k.spec, &o);
    expect_state(&o, STATE_WRONG);
    run_outcome_free(&o);
    free(source);
}

static void test_stop(void **state)
{
    Fixture *f = *state;
    Case k;
    RunOutcome o;
    volatile int flag = 1;
    if (skip_without(f->main)) return;
    make_case(&k, define(f, scal_text), SIZES(4096));
    k.spec.stop = &flag;
    assert_false(run_version(f->c, f->main, &k.spec, &o));
    expect_state(&o, STATE_STOPPED);
    assert_int_equal(run_exit_code(&o), 130);
    run_outcome_free(&o);
}

static double time_fill(Ctx *c, int64_t count, FillKind kind, Diag *diag)
{
    double begin = clock_exact_ms();
    const Type *t = type_array(c, nat_const(c->nats, count), type_scalar(c, SC_F32));
    Data *d = fill_data(c, t, &(FillSpec){.kind = kind, .hi = 1}, 0, 0, diag);
    if (d) data_free(d);
    return clock_exact_ms() - begin;
}

/* Gigabytes of inputs are not made to their end for somebody who has left: it takes less than a quarter of them does. */
static void test_stop_filling(void **state)
{
    Fixture *f = *state;
    enum { MANY = 400000000 };
    static const FillKind kinds[] = {FILL_DEFAULT, FILL_RANDOM, FILL_IOTA, FILL_CONST, FILL_ADVERSARIAL};
    volatile int flag = 1;
    const volatile int *before = f->c->stop;
    for (int i = 0; i < COUNT(kinds); i++) {
        Diag diag = diag_new();
        double quarter = time_fill(f->c, MANY / 4, kinds[i], &diag), begin = clock_exact_ms();
        data_free(data_new(f->c, type_array(f->c, nat_const(f->c->nats, MANY), type_scalar(f->c, SC_F32))));
        double room = clock_exact_ms() - begin;              /* the memory alone */
        f->c->stop = &flag;
        double stopped = time_fill(f->c, MANY, kinds[i], &diag);
        f->c->stop = before;
        assert_int_equal(diag.id, E25);
        assert_true(stopped < 2 * room + quarter);
        diag_free(&diag);
    }
}

enum { KEPT = 20000 };

static void *keep_and_ask(void *set)
{
    double one = 1;
    for (int i = 0; i < KEPT; i++) {
        EvalScalar x = {.f = i}, got;
        reference_keep_element(set, 0, i, x);
        reference_keep_own(set, i, (OwnSpread){.known = true, .median = i});
        reference_keep_part(set, i % 8, &one, &one, 1);
        assert_true(reference_element(set, 0, i, &got) && got.f == i);
    }
    return NULL;
}

/* Several devices of one search verify at once (device_aside): each finds what it and the other have kept. */
static void test_references_of_threads(void **state)
{
    Fixture *f = *state;
    const Program *p = define(f, "f (x:[64]f32) = map (\\v -> v) x");
    RunInput input = {.name = p->inputs[0].name, .type = p->inputs[0].type, .spec = {.kind = FILL_CONST}};
    RunSettings settings = run_settings();
    References *r = references_new();
    ReferenceSet *set = references_set(r, f->c, p->body, &input, 1, &settings, 1, 0, false);
    pthread_t threads[4];
    for (int i = 0; i < COUNT(threads); i++) assert_int_equal(pthread_create(&threads[i], NULL, keep_and_ask, set), 0);
    for (int i = 0; i < COUNT(threads); i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < KEPT; i += 97) assert_true(reference_own(set, i).median == i);
    references_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_references_of_threads),
        cmocka_unit_test(test_facts),       cmocka_unit_test(test_smallest),       cmocka_unit_test(test_no_sizes),
        cmocka_unit_test(test_samples),        cmocka_unit_test(test_patterns),
        cmocka_unit_test(test_samples_in_groups), cmocka_unit_test(test_costs),
        cmocka_unit_test(test_verify_in_groups), cmocka_unit_test(test_samples_are_shared),
        cmocka_unit_test(test_samples_at_edges),
        cmocka_unit_test(test_unwritten_with_shared_references), cmocka_unit_test(test_shuffled_temporary),
        cmocka_unit_test(test_verifier),    cmocka_unit_test(test_lost_element),   cmocka_unit_test(test_serial_sum),
        cmocka_unit_test(test_level_b),     cmocka_unit_test(test_overflow), cmocka_unit_test(test_integers),
        cmocka_unit_test(test_scal),        cmocka_unit_test(test_asum),           cmocka_unit_test(test_violated),
        cmocka_unit_test(test_high_level),  cmocka_unit_test(test_override),       cmocka_unit_test(test_wrong),
        cmocka_unit_test(test_unwritten),   cmocka_unit_test(test_build_error),    cmocka_unit_test(test_endless),
        cmocka_unit_test(test_death),       cmocka_unit_test(test_race),           cmocka_unit_test(test_checker),
        cmocka_unit_test(test_batch),       cmocka_unit_test(test_generated_edit), cmocka_unit_test(test_stop),
        cmocka_unit_test(test_stop_filling),
        cmocka_unit_test(test_marshalling), cmocka_unit_test(test_halves), cmocka_unit_test(test_reference),      cmocka_unit_test(test_adversarial),
        cmocka_unit_test(test_time_limit), cmocka_unit_test(test_few_are_rounded), cmocka_unit_test(test_endless_element),
        cmocka_unit_test(test_extremes_move), cmocka_unit_test(test_extremes_folds)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
