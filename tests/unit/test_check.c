/* test_check: every built-in rule on random well-typed instances against the interpreter, and rules that are false. The
 * machinery itself is tried by mutants: each built-in rule with its result turned round must be refuted. */
#include <time.h>

#include "unit.h"
#include "check.h"

#ifdef __SANITIZE_ADDRESS__              /* a part of what the release build does */
enum { OF_BUILTIN = 25, MUTANTS_OF = 5 };
#else
enum { OF_BUILTIN = 250, MUTANTS_OF = 1 };           /* instances of each rule of rules.def; mutants of every n-th rule */
#endif
enum { TRIALS = 250, SEED = 20240229 };

typedef struct Fixture {
    Ctx *c;
    Rules *rules;
} Fixture;

static int setup(void **state)
{
    Fixture *f = mem_alloc(sizeof *f);
    f->c = ctx_new();
    f->rules = rules_new(f->c);
    *state = f;
    return diag_failed(&f->c->diag);
}

static int teardown(void **state)
{
    Fixture *f = *state;
    rules_free(f->rules);
    ctx_free(f->c);
    free(f);
    return 0;
}

static Rule *define(Fixture *f, const char *text)
{
    Source s = source_of(text);
    Rule *reverse;
    diag_clear(&f->c->diag);
    return rules_define(f->c, f->rules, &s, &reverse);
}

/* In one go, without an oracle. */
static CheckResult check_rule(Fixture *f, Rule *r, int trials, uint64_t seed, const volatile int *stop)
{
    return rule_check(f->c, r, &(CheckResult){.seed = seed}, trials, NULL, stop);
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void show_error(Fixture *f)
{
    Buf b = {0};
    diag_render(&f->c->diag, &b);
    print_message("%s\n", buf_text(&b));
    buf_free(&b);
}

/* ---- the built-in rules ---- */

/* May the sides differ in the last bits? Only where a float reduction or sum is re-associated, rescaled or divided as a whole, or rounds
 * once instead of twice, or a power is a product; or the rule says so. */
static bool may_round(const Rule *r)
{
    return strstr(r->text, "associative") || strstr(r->text, "recurrence") || strstr(r->text, "rescales") || strstr(r->text, "fma") || !strcmp(r->origin, "distributivity")
        || !strcmp(r->origin, "re-association") || !strncmp(r->origin, "strength reduction", 18) || !strcmp(r->origin, "CUTLASS 3xTF32") || rule_is_approximate(r);
}

/* To the interpreter these are identities: the check says that they type, apply and keep the value. What they promise
 * about work-items and memory is only meaningful by running kernels (decisions.md: Rules on trial): the random walks do. */
static bool only_kernels_tell(const Rule *r) { return strcmp(r->kind, "memory") == 0 || strcmp(r->kind, "lower") == 0; }

static void check_builtin(Fixture *f, Rule *r)
{
    int instances = only_kernels_tell(r) ? OF_BUILTIN / 10 + 10 : OF_BUILTIN;
    CheckResult k = check_rule(f, r, instances, SEED, NULL);
    if (k.verdict != CHECK_PASSED) print_message("%s: %s\n", r->name, k.replay ? k.replay : k.reason);
    assert_int_equal(k.verdict, CHECK_PASSED);
    assert_int_equal(k.passed, instances);
    if (k.rounded && !may_round(r)) print_message("%s: %d instances equal only up to rounding\n", r->name, k.rounded);
    assert_true(!k.rounded || may_round(r));
    assert_true(k.incomparable < instances / 4);
    assert_int_equal(r->trust, TRUST_BUILTIN);
    assert_int_equal(r->check_count, instances);
    diag_clear(&f->c->diag);
}

static void every_builtin_rule_holds(void **state)
{
    Fixture *f = *state;
    int kernels = 0;
    for (int i = 0; i < rules_count(f->rules); i++) {
        Rule *r = rules_get(f->rules, i);
        check_builtin(f, r);
        kernels += only_kernels_tell(r);
        if (only_kernels_tell(r))
            print_message("%s: an identity to the interpreter; checked further only by running kernels\n", r->name);
    }
    print_message("%d rules, %d of them identities to the interpreter, %d instances of each other\n", rules_count(f->rules),
                  kernels, OF_BUILTIN);
}

static void every_builtin_rule_types(void **state)
{
    Fixture *f = *state;
    for (int i = 0; i < rules_count(f->rules); i++) {
        const char *missing[4];
        const Rule *r = rules_get(f->rules, i);
        if (!rule_typecheck(f->c, r)) show_error(f);
        assert_false(diag_failed(&f->c->diag));
        int n = rule_missing_facts(f->c, r, missing, 4);
        if (n) print_message("%s needs when: %s\n", r->name, missing[0]);
        assert_int_equal(n, 0);
    }
}

/* ---- mutants ---- */

/* The rule with `after (right side)` for its right side, under another name; only for rules written left to right. */
static Rule *mutant(Fixture *f, const Rule *r, const char *after)
{
    const AstRule *a = r->ast;
    const char *text = a->source->text;
    Buf b = {0};
    buf_puts(&b, "mutant");
    size_t from = strcspn(text, "(:");
    const char *arrow = strstr(text, "=>");
    if (arrow[-1] == '<') arrow--;
    buf_write(&b, text + from, (size_t)(arrow - text) - from);
    buf_printf(&b, "=> %s (", after);
    buf_write(&b, text + a->rhs->span.from, a->rhs->span.to - a->rhs->span.from);
    buf_puts(&b, ") ");
    buf_write(&b, text + a->cond_text.from, a->cond_text.to - a->cond_text.from);
    Rule *m = define(f, buf_text(&b));
    if (m && !rule_typecheck(f->c, m)) m = NULL;
    diag_clear(&f->c->diag);
    buf_free(&b);
    return m;
}

/* Is there such a mutant, and was it refuted? An array of one element turned round is no mutant. */
static bool refute_mutant(Fixture *f, const Rule *r, const char *after)
{
    Rule *m = mutant(f, r, after);
    if (!m) return false;
    CheckResult k = check_rule(f, m, TRIALS, SEED, NULL);
    if (k.verdict == CHECK_IMPOSSIBLE)
        return false; /* its result would be an array where only scalars have the properties */
    bool alone = !strcmp(r->name, "reducePartFull") || !strcmp(r->name, "generateOne") || strstr(r->text, "m == 1");
    bool one = alone && strcmp(after, "reorder reverse") == 0;
    if (k.verdict != CHECK_REFUTED && !one) print_message("not refuted: %s\n", m->text);
    assert_int_equal(k.verdict, one ? CHECK_PASSED : CHECK_REFUTED);
    assert_int_equal(m->trust, one ? TRUST_CHECKED : TRUST_ASSUMED);
    return !one;
}

static void every_mutant_is_refuted(void **state)
{
    static const char *const afters[] = {"reorder reverse", "map (\\q -> q + 1)", "1 +"};
    Fixture *f = *state;
    int refuted = 0, rules = 0, mutants = 0;
    for (int i = 0; i < rules_count(f->rules); i++) {
        const Rule *r = rules_get(f->rules, i);
        int mine = 0;
        if (r->reversed || r->trust != TRUST_BUILTIN || i % MUTANTS_OF) continue;
        for (int k = 0; k < COUNT(afters); k++) mine += refute_mutant(f, r, afters[k]);
        if (!mine) print_message("no mutant of %s types\n", r->name);
        rules++;
        refuted += mine > 0;
        mutants += mine;
    }
    print_message("%d mutants of %d of %d rules, all refuted\n", mutants, refuted, rules);
    assert_true(refuted > rules * 9 / 10);
}

/* ---- false rules ---- */

static const struct { const char *name, *text;
} false_rules[] = {
    {"join and split swapped", "f1: join (transpose (split k x)) => x"},
    {"split twice", "f2(n): split n x => map (reorder reverse) (split n x) when n divides (length x)"},
    {"chunks of a length that need not divide", "f3(n): map f x => join (map (map f) (split n x))"},
    {"stride without divisibility", "f4(s): map f x => reorder (stride ((length x)/s)) (map f (reorder (stride s) x))"},
    {"stride is not its own inverse",
     "f5(s): map f x => reorder (stride s) (map f (reorder (stride s) x)) when s divides (length x)"},
    {"reduce of a function that is not associative",
     "f6(n): reduce f z x => reduce f z (map (reduce f z) (split n x)) when n divides (length x)"},
    {"z is not neutral",
     "f7(n): reduce f z x => reduce f z (map (reduce f z) (split n x)) when associative f and n divides (length x)"},
    {"not commutative", "f8(p): reduce f z x => reduce f z (reorder p x) when associative f"},
    {"interchange without transposition",
     "f9: map (\\a -> map (\\b -> e a b) ys) xs => map (\\b -> map (\\a -> e a b) xs) ys"},
    {"interchange with a captured start", "f10: map (\\c -> reduceSeq (\\(acc, x) -> e acc x) (z c) (xs c)) cs => "
                                          "reduceSeq (\\(accs, ys) -> map (\\(acc, x) -> e acc x) (zip accs ys)) (map "
                                          "(\\c -> z (cs[0])) cs) (transpose (map (\\c -> xs c) cs))"},
    {"slide off by one", "f11: slide k 1 x => slide k 1 (drop 1 (pad 0 1 clamp x))"},
    {"windows read backwards", "f12: slide k s x => reorder reverse (slide k s (reorder reverse x))"},
    {"gather and scatter with the same index", "f13: gather is x => scatter x is x"},
    {"fission over a shared variable",
     "f14: map (\\x -> map (\\y -> e x y) (g x)) xs => map (\\w -> map (\\y -> e y y) w) (map (\\x -> g x) xs)"},
    {"fusion in the wrong order", "f15: map f (map g x) => map (g . f) x"},
    {"fold fusion with f on the wrong side",
     "f16: reduceSeq f z (map g x) => reduceSeq (\\(acc, y) -> g (f (acc, y))) z x"},
    {"padding twice", "f17: pad 1 1 m x => pad 1 0 clamp (pad 0 1 clamp x)"},
    {"scan fusion after the scan", "f18: scanSeq f z (map g x) => map g (scanSeq f z x)"},
    {"subtraction commutes", "f19: a - b => b - a"},
    {"min distributes over product", "f20: min a b * c => min (a * c) (b * c)"},
    {"vectors of the wrong lanes",
     "f21(w): map f x => reorder reverse (asScalar (map (mapVec f) (asVector w x))) when w divides (length x)"},
    {"partial reductions of other chunks",
     "f22(m): reducePart m f z x => map (reduce f z) (transpose (split m x)) when m divides (length x)"},
    {"rotation is not its own inverse", "f23(k): map f x => reorder (rotate k) (map f (reorder (rotate k) x))"},
    {"iterate once more", "f24: iterate k f x => iterate (k + 1) f x"},
};

static void every_false_rule_is_refuted(void **state)
{
    Fixture *f = *state;
    double slowest = 0;
    for (int i = 0; i < COUNT(false_rules); i++) {
        Rule *r = define(f, false_rules[i].text);
        if (!r || !rule_typecheck(f->c, r)) show_error(f);
        assert_non_null(r);
        assert_false(diag_failed(&f->c->diag));
        double start = seconds();
        CheckResult k = check_rule(f, r, 1000, SEED, NULL);
        double took = seconds() - start;
        slowest = took > slowest ? took : slowest;
        if (k.verdict != CHECK_REFUTED)
            print_message("not refuted: %s: %s (%s)\n", false_rules[i].name, r->text, k.reason ? k.reason : "");
        assert_int_equal(k.verdict, CHECK_REFUTED);
        assert_non_null(k.replay);
        assert_int_equal(r->trust, TRUST_ASSUMED);
    }
    print_message("%d false rules refuted, the slowest in %.3f s\n", COUNT(false_rules), slowest);
}

static const struct { const char *text, *message;
} ill_typed[] = {
    {"t1: slide k s x => slide (k + 1) s x",
     "the sides have different types: [(N - k)/s + 1][k]a0 and [(N - k - 1)/s + 1][k + 1]a"},
    {"t2: map f x => reduce f z x", NULL},
    {"t3: split k x => x + 1", "+ needs num"},
    {"t4: map f x => toLocal f", "\"f\" is used as two different things"},
    {"t5(n): reduceSeq f z x => reduceSeq f z (split n x)", "f needs"},
    {"t6: map f x => map f (take 0 x)", NULL},
    {"t7: x => concat x x", "the sides have different types"},
};

static void ill_typed_rules_say_why(void **state)
{
    Fixture *f = *state;
    for (int i = 0; i < COUNT(ill_typed); i++) {
        Rule *r = define(f, ill_typed[i].text);
        bool ok = r && rule_typecheck(f->c, r);
        if (ok) print_message("typed: %s\n", ill_typed[i].text);
        assert_false(ok);
        assert_int_equal(f->c->diag.id, E30);
        if (ill_typed[i].message &&
            strncmp(f->c->diag.message, ill_typed[i].message, strlen(ill_typed[i].message)) != 0)
            print_message("%s\n", f->c->diag.message);
        if (ill_typed[i].message)
            assert_int_equal(strncmp(f->c->diag.message, ill_typed[i].message, strlen(ill_typed[i].message)), 0);
        diag_clear(&f->c->diag);
    }
}

static const struct { const char *text, *missing;
} incomplete[] = {
    {"m1(n): map f x => join (map (map f) (split n x))", "n divides (length x)"},
    {"m2(s): map f x => reorder (stride ((length x)/s)) (map f (reorder (stride s) x))", "s divides (length x)"},
    {"m3(m): reduce f z x => reduce f z (reducePart m f z x) when associative f and neutral z f",
     "m divides (length x)"},
    {"m4(w): map f x => asScalar (map (mapVec f) (asVector w x)) when scalar (f _)", NULL},
    {"m5(k): map f x => concat (map f (take k x)) (map f (drop k x))", "k <= (length x)"},
};

static void missing_conditions_are_said(void **state)
{
    Fixture *f = *state;
    for (int i = 0; i < COUNT(incomplete); i++) {
        const char *out[4];
        Rule *r = define(f, incomplete[i].text);
        assert_non_null(r);
        assert_true(rule_typecheck(f->c, r));
        int n = rule_missing_facts(f->c, r, out, 4);
        assert_true(n >= 1);
        if (incomplete[i].missing && strcmp(out[0], incomplete[i].missing) != 0)
            print_message("%s: %s\n", incomplete[i].text, out[0]);
        if (incomplete[i].missing) assert_string_equal(out[0], incomplete[i].missing);
        assert_int_equal(check_rule(f, r, TRIALS, SEED, NULL).verdict, CHECK_REFUTED);
    }
}

/* ---- results ---- */

static const char *const true_rules[] = {
    "u1: map f (concat x y) => concat (map f x) (map f y)",
    "u2: reduceSeq f z (concat x y) => reduceSeq f (reduceSeq f z x) y",
    "u3: gather is (map f x) => map f (gather is x)",
    "u4: gather is (gather js x) => gather (gather is js) x",
    "u5: reorder (rotate k) (reorder reverse x) => reorder reverse (reorder (rotate ((length x) - k)) x) when k < "
    "(length x)",
    "u6: x * 2 => x + x",
    "u7: a * b + a * c => a * (b + c)",
    "u8: map (\\(a, b) -> e a b) (zip xs ys) => map (\\(b, a) -> e a b) (zip ys xs)",
    "u9: if c then map f x else map f y => map f (if c then x else y)",
    "u10: let t = v in e t => e v",
    "u11: take k (map f x) => map f (take k x)",
    "u12: slide k 1 (map f x) => map (map f) (slide k 1 x)",
    "u13: unzip (map (\\x -> (f x, g x)) xs) => (map (\\x -> f x) xs, map (\\x -> g x) xs)",
    "u14(n): scanSeq f z x => join (scanSeq (\\(acc, c) -> scanSeq f (acc[n - 1]) c) (generate n (\\i -> z)) (split n "
    "x)) when n divides (length x)",
    "u15: asScalar (mapSeq (mapVec f) x) => mapSeq f (asScalar x)",
};

static void true_rules_are_promoted(void **state)
{
    Fixture *f = *state;
    for (int i = 0; i < COUNT(true_rules); i++) {
        Rule *r = define(f, true_rules[i]);
        if (!r || !rule_typecheck(f->c, r)) show_error(f);
        assert_non_null(r);
        assert_false(diag_failed(&f->c->diag));
        assert_int_equal(r->trust, TRUST_ASSUMED);
        CheckResult k = check_rule(f, r, TRIALS, SEED + (uint64_t)i, NULL);
        if (k.verdict != CHECK_PASSED)
            print_message("%s: %s\n", r->name, k.replay ? k.replay : k.reason);
        assert_int_equal(k.verdict, CHECK_PASSED);
        assert_int_equal(r->trust, TRUST_CHECKED);
        assert_int_equal(r->check_count, TRIALS);
        assert_true(r->check_seed == SEED + (uint64_t)i);
    }
}

/* The declarations that a replay begins with. */
static bool reads_as_program(const char *replay)
{
    const char *end = strstr(replay, "\ndata "), *text;
    Ctx *c = ctx_new();
    if (!end) end = strstr(replay, "\neval\n");
    text = arena_strndup(c->arena, replay, (size_t)(end - replay));
    Defs *d = defs_new(c);
    Source s = source_of(text);
    const Program *first;
    bool ok = defs_load(c, d, &s, &first);
    if (!ok) print_message("%s\n%s\n", c->diag.message, text);
    ok = ok && defs_program(d, "counterexample");
    defs_free(d);
    ctx_free(c);
    return ok;
}

static void counterexamples_replay(void **state)
{
    Fixture *f = *state;
    for (int i = 0; i < COUNT(false_rules); i++) {
        Rule *r = define(f, false_rules[i].text);
        CheckResult k = check_rule(f, r, 1000, SEED, NULL), again = check_rule(f, r, 1000, SEED, NULL);
        assert_string_equal(k.replay, again.replay);
        assert_true(reads_as_program(k.replay));
        assert_true(strlen(k.replay) < 2000);
    }
}

static void a_counterexample_is_small(void **state)
{
    Fixture *f = *state;
    Rule *r = define(f, "small: map f (map g x) => map (g . f) x");
    CheckResult k = check_rule(f, r, 1000, SEED, NULL);
    print_message("%s", k.replay);
    assert_non_null(strstr(k.replay, "[1]"));
    assert_non_null(strstr(k.replay, "\napply small at /"));
}

static void what_cannot_be_checked_says_why(void **state)
{
    Fixture *f = *state;
    Rule *r = define(f, "lua: map f x => map f x when nice(f)");
    assert_non_null(r);
    CheckResult k = check_rule(f, r, TRIALS, SEED, NULL);
    assert_int_equal(k.verdict, CHECK_IMPOSSIBLE);
    assert_string_equal(k.reason, "a condition is a Lua function");
    assert_int_equal(r->trust, TRUST_ASSUMED);
    r = define(f, "none: split 5 (take 3 x) => split 5 (take 3 x)");
    k = check_rule(f, r, TRIALS, SEED, NULL);
    assert_int_equal(k.verdict, CHECK_IMPOSSIBLE);
    int stop = 1;
    r = define(f, "stopped: map f x => map f x");
    k = check_rule(f, r, TRIALS, SEED, &stop);
    assert_string_equal(k.reason, "interrupted");
}

static void nothing_is_left_behind(void **state)
{
    Fixture *f = *state;
    size_t before = terms_made(f->c);
    check_rule(f, rules_find(f->rules, "mapFusion"), 500, SEED, NULL);
    assert_int_equal(terms_made(f->c), before);
}

/* ---- two terms ---- */

static CheckResult check_programs(Ctx *c, const char *text)
{
    Defs *d = defs_new(c);
    program_loaded(c, d, text);
    const Program *a = defs_program(d, "a"), *b = defs_program(d, "b");
    CheckResult r = terms_check(c, a->inputs, a->input_count, a->body, b->body, NULL, 0, false, 60, SEED, NULL);
    defs_free(d);
    return r;
}

static void terms_are_compared(void **state)
{
    Ctx *c = ((Fixture *)*state)->c;
    CheckResult r = check_programs(c, "param s\nlet a (x: [N]f32) = map (\\v -> v * 2) x\n"
                                      "let b (x: [N]f32) = join (map (map (\\v -> v * 2)) (split s x))\n");
    assert_int_equal(r.verdict, CHECK_PASSED);
    assert_int_equal(r.rounded, 0);
    r = check_programs(c, "let a (x: [N]f32) (y: [N]f32) = reduce (+) 0 (map (*) (zip x y))\n"
                          "let b (x: [N]f32) (y: [N]f32) = reduce (+) 0 (reorder reverse (map (*) (zip x y)))\n");
    assert_int_equal(r.verdict, CHECK_PASSED);
    r = check_programs(c, "let a (A: [N][K]f32) (B: [K][M]f32) = map (\\r -> map (\\q -> reduce (+) 0 (map (*) (zip r "
                          "q))) (transpose B)) A\n"
                          "let b (A: [N][K]f32) (B: [K][M]f32) = "
                          "transpose (map (\\q -> map (\\r -> reduce (+) 0 (map (*) (zip r q))) A) (transpose B))\n");
    assert_int_equal(r.verdict, CHECK_PASSED);
}

static void terms_that_differ_are_told_apart(void **state)
{
    Ctx *c = ((Fixture *)*state)->c;
    CheckResult r = check_programs(
        c,
        "let a (x: [N]f32) = scanSeq (+) 0 x\nlet b (x: [N]f32) = scanSeq (\\(s, v) -> if v == 0 then s else v) 0 x\n");
    assert_int_equal(r.verdict, CHECK_REFUTED);
    assert_non_null(strstr(r.replay, "N = "));
    assert_non_null(strstr(r.difference, "left"));
    r = check_programs(c, "let a (x: [N]i32) = map (\\v -> v + 1) x\nlet b (x: [N]i32) = map (\\v -> 8 // v + 1) x\n");
    assert_int_equal(r.verdict, CHECK_REFUTED);
    r = check_programs(c, "let a (x: [N]i32) = split 5 (take 5 x)\nlet b (x: [N]i32) = split 5 (take 5 x)\n");
    assert_int_equal(r.verdict, CHECK_PASSED);
}

/* A check in pieces draws what it draws in one. */
static void a_check_goes_on(void **state)
{
    Fixture *f = *state;
    static const char *const texts[] = {
        "rare: if a * b == 391 then c else d => d", "sums: (a + b) + c => a + (b + c)", "casts: i32 (i64 a) => a",
        "halves: join (split 2 x) => x", "swapped: max (min a b) c => min (max a c) b",
    };
    for (int i = 0; i < COUNT(texts); i++) {
        Rule *r = define(f, texts[i]);
        assert_non_null(r);
        CheckResult whole = check_rule(f, r, 230, 5, NULL), pieces = {.seed = 5};
        for (int n = 50; pieces.verdict == CHECK_PASSED && pieces.passed < 230; n = n + 50 < 230 ? n + 50 : 230)
            pieces = rule_check(f->c, r, &pieces, n, NULL, NULL);
        assert_int_equal(pieces.verdict, whole.verdict);
        assert_int_equal(pieces.seed, whole.seed);
        assert_int_equal(pieces.passed, whole.passed);
        assert_int_equal(pieces.rounded, whole.rounded);
        assert_int_equal(pieces.skipped, whole.skipped);
        assert_int_equal(pieces.applied, whole.applied);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_builtin_rule_types),
        cmocka_unit_test(every_builtin_rule_holds),
        cmocka_unit_test(every_mutant_is_refuted),
        cmocka_unit_test(every_false_rule_is_refuted),
        cmocka_unit_test(ill_typed_rules_say_why),
        cmocka_unit_test(missing_conditions_are_said),
        cmocka_unit_test(true_rules_are_promoted),
        cmocka_unit_test(counterexamples_replay),
        cmocka_unit_test(a_counterexample_is_small),
        cmocka_unit_test(what_cannot_be_checked_says_why),
        cmocka_unit_test(nothing_is_left_behind),
        cmocka_unit_test(a_check_goes_on),
        cmocka_unit_test(terms_are_compared),
        cmocka_unit_test(terms_that_differ_are_told_apart),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
