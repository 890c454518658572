/* test_rules: every rule of figures 6 and 7 of the ICFP'15 paper, listed with our form of it and shown to do what the
 * figure says (decisions.md: Reductions), and the rules of rules.md. Differences from the paper: reduce returns an
 * element, so reducePart m stands for map (reduce f z) . split (n/m); a reorder names its permutation; data arguments
 * are written out. */
#include "unit.h"
#include "check.h"

typedef struct FigureRule {
    const char *figure, *paper;              /* as the paper writes it */
    const char *rule;                        /* ours */
    const char *inputs, *before, *place, *after;
    int64_t args[2]; /* of its parameters in order; 0 for the rest; -1: the permutation reverse */
} FigureRule;

static const FigureRule figure_rules[] = {
    {"6a",
     "iterate (m + n) f -> iterate m f . iterate n f",
     "iterateSplit",
     "(x: [16]f32)",
     "iterate 3 (map (* 2)) x",
     "/",
     "iterate 1 (map (* 2)) (iterate 2 (map (* 2)) x)",
     {1}},
    {"6b",
     "map f . reorder -> reorder . map f",
     "mapReorder",
     "(x: [16]f32)",
     "map abs (reorder (stride 4) x)",
     "/",
     "reorder (stride 4) (map abs x)",
     {0}},
    {"6b",
     "reorder . map f -> map f . reorder",
     "mapReorder.rev",
     "(x: [16]f32)",
     "reorder (rotate 3) (map abs x)",
     "/",
     "map abs (reorder (rotate 3) x)",
     {0}},
    {"6c",
     "map f -> join . map (map f) . split n",
     "splitJoin",
     "(x: [16]f32)",
     "map abs x",
     "/",
     "join (map (map abs) (split 4 x))",
     {4}},
    {"6d",
     "reduce f z -> reduce f z . reducePart f z m",
     "reducePartIntro",
     "(x: [16]f32)",
     "reduce (+) 0 x",
     "/",
     "reduce (+) 0 (reducePart 4 (+) 0 x)",
     {4}},
    {"6d",
     "reducePart f z m -> reduce f z",
     "reducePartFull",
     "(x: [16]f32)",
     "reducePart 1 (+) 0 x",
     "/",
     "map (reduce (+) 0) (split 16 x)",
     {0}},
    {"6d",
     "reducePart f z m -> reducePart f z m . reorder",
     "reducePartReorder",
     "(x: [16]f32)",
     "reducePart 1 (+) 0 x",
     "/",
     "reducePart 1 (+) 0 (reorder reverse x)",
     {-1}},
    {"6d",
     "reducePart f z m -> join . map (reducePart f z m) . split n",
     "reducePartSplit",
     "(x: [16]f32)",
     "reducePart 8 (+) 0 x",
     "/",
     "join (map (reducePart 2 (+) 0) (split 4 x))",
     {4}},
    {"6d",
     "reducePart f z m -> iterate n (reducePart f z)",
     "reducePartIterate",
     "(x: [16]f32)",
     "reducePart 4 (+) 0 x",
     "/",
     "iterate 2 (\\v -> reducePart (length v / 2) (+) 0 v) x",
     {2, 2}},
    {"6e", "join . split n -> id", "joinSplit", "(x: [16]f32)", "join (split 4 x)", "/", "x", {0}},
    {"6e", "joinVec . splitVec n -> id", "asScalarAsVector", "(x: [16]f32)", "asScalar (asVector 4 x)", "/", "x", {0}},
    {"6f",
     "map f . map g -> map (f . g)",
     "mapFusion",
     "(x: [16]f32)",
     "map abs (map sqrt x)",
     "/",
     "map (\\v -> abs (sqrt v)) x",
     {0}},
    {"6f",
     "reduceSeq f z . mapSeq g -> reduceSeq (\\acc, x. f acc (g x)) z",
     "reduceSeqMapSeqFusion",
     "(x: [16]f32)",
     "reduceSeq (+) 0 (mapSeq abs x)",
     "/",
     "reduceSeq (\\(a, v) -> a + abs v) 0 x",
     {0}},
    {"7a", "map f -> mapWorkgroup f", "mapWorkgroup", "(x: [16]f32)", "map abs x", "/", "mapWorkgroup 1 abs x", {1}},
    {"7a", "map f -> mapGlobal f", "mapGlobal", "(x: [16]f32)", "map abs x", "/", "mapGlobal 0 abs x", {0}},
    {"7a",
     "map f -> mapLocal f",
     "mapLocal",
     "(x: [4][16]f32)",
     "mapWorkgroup 0 (map abs) x",
     "/f/body",
     "mapWorkgroup 0 (mapLocal 0 abs) x",
     {0}},
    {"7a", "map f -> mapSeq f", "mapSeq", "(x: [16]f32)", "map abs x", "/", "mapSeq abs x", {0}},
    {"7b", "reduce f z -> reduceSeq f z", "reduceSeq", "(x: [16]f32)", "reduce (+) 0 x", "/", "reduceSeq (+) 0 x", {0}},
    {"7c",
     "reorder -> reorderStride n",
     "reduceReorderStride",
     "(x: [16]f32)",
     "reduce (+) 0 (reorder reverse x)",
     "/",
     "reduce (+) 0 (reorder (stride 4) x)",
     {4}},
    {"7c",
     "reorder -> id",
     "reduceReorderId",
     "(x: [16]f32)",
     "reduce (+) 0 (reorder reverse x)",
     "/",
     "reduce (+) 0 x",
     {0}},
    {"7c",
     "reorder -> reorderStride n, under a map",
     "mapStride",
     "(x: [16]f32)",
     "map abs x",
     "/",
     "reorder (stride 8) (map abs (reorder (stride 2) x))",
     {2}},
    {"7d",
     "mapLocal f -> toGlobal (mapLocal f)",
     "mapLocalToGlobal",
     "(x: [4][16]f32)",
     "mapWorkgroup 0 (mapLocal 0 abs) x",
     "/f/body",
     "mapWorkgroup 0 (\\r -> toGlobal (mapLocal 0 abs r)) x",
     {0}},
    {"7d",
     "mapLocal f -> toLocal (mapLocal f)",
     "mapLocalToLocal",
     "(x: [4][16]f32)",
     "mapWorkgroup 0 (mapLocal 0 abs) x",
     "/f/body",
     "mapWorkgroup 0 (\\r -> toLocal (mapLocal 0 abs r)) x",
     {0}},
    {"7e",
     "map f -> joinVec . map (mapVec f) . splitVec n",
     "mapVectorise",
     "(x: [16]f32)",
     "map abs x",
     "/",
     "asScalar (map (mapVec abs) (asVector 4 x))",
     {4}},
};

typedef struct Fixture {
    Ctx *c;
    Rules *rules;
    Defs *defs;
} Fixture;

static int setup(void **state)
{
    Fixture *f = mem_alloc(sizeof *f);
    f->c = ctx_new();
    f->rules = rules_new(f->c);
    f->defs = defs_new(f->c);
    *state = f;
    return diag_failed(&f->c->diag);
}

static int teardown(void **state)
{
    Fixture *f = *state;
    rules_free(f->rules);
    defs_free(f->defs);
    ctx_free(f->c);
    free(f);
    return 0;
}

static void show_error(Fixture *f, const char *what)
{
    Buf b = {0};
    diag_render(&f->c->diag, &b);
    print_message("%s: %s\n", what, buf_text(&b));
    buf_free(&b);
}

static const Term *term_of(Fixture *f, const char *inputs, const char *body)
{
    Buf b = {0};
    const Program *p = NULL;
    buf_printf(&b, "let program %s = %s", inputs, body);
    Source s = {"program", buf_text(&b), b.len};
    if (!defs_define(f->c, f->defs, &s, &p)) show_error(f, body);
    buf_free(&b);
    assert_non_null(p);
    return p->body;
}

static void set_args(Fixture *f, const FigureRule *row, const Rule *r, RuleArg *args)
{
    for (int i = 0, k = 0; i < r->param_count; i++) {
        if (!r->params[i].given) continue;
        int64_t v = row->args[k++];
        args[i] = (RuleArg){.set = true, .size = nat_const(f->c->nats, v < 0 ? 0 : v), .perm = PERM_REVERSE};
    }
}

static void apply_row(Fixture *f, const FigureRule *row)
{
    const Rule *r = rules_find(f->rules, row->rule);
    if (!r) print_message("figure %s has no rule %s\n", row->figure, row->rule);
    assert_non_null(r);
    const Term *before = term_of(f, row->inputs, row->before), *after = term_of(f, row->inputs, row->after);
    RuleArg args[6] = {{0}};
    RuleResult result;
    Path at;
    RewriteEnv env = {.c = f->c};
    set_args(f, row, r, args);
    assert_true(path_parse(f->c, before, NULL, row->place, &at));
    bool ok = rule_apply(&env, r, args, before, &at, true, &result);
    if (!ok) show_error(f, row->rule);
    assert_true(ok);
    if (result.root != after) print_message("%s: %s\n", row->rule, lang_text(f->c, result.root, NULL, 0, 200));
    assert_ptr_equal(result.root, after);
    assert_int_equal(result.new_param_count, 0);
    assert_int_equal(result.fact_count, 0);
}

static void figure_rules_do_what_the_figure_says(void **state)
{
    Fixture *f = *state;
    for (int i = 0; i < COUNT(figure_rules); i++) {
        const FigureRule *row = &figure_rules[i];
        apply_row(f, row);
        print_message("%s  %-66s %s\n", row->figure, row->paper, row->rule);
    }
}

static void figure_rules_name_their_figure(void **state)
{
    Fixture *f = *state;
    for (int i = 0; i < COUNT(figure_rules); i++) {
        const FigureRule *row = &figure_rules[i];
        const Rule *r = rules_find(f->rules, row->rule);
        if (!strstr(r->origin, row->figure))
            print_message("%s: origin \"%s\", figure %s\n", r->name, r->origin, row->figure);
        assert_non_null(strstr(r->origin, row->figure));
    }
}

/* In one go, without an oracle. */
static CheckResult check_rule(Fixture *f, Rule *r, int trials, uint64_t seed, const volatile int *stop)
{
    return rule_check(f->c, r, &(CheckResult){.seed = seed}, trials, NULL, stop);
}

static void figure_rules_hold(void **state)
{
    Fixture *f = *state;
    for (int i = 0; i < COUNT(figure_rules); i++) {
        Rule *r = rules_find(f->rules, figure_rules[i].rule);
        assert_true(rule_typecheck(f->c, r));
        CheckResult k = check_rule(f, r, 200, 6 + (uint64_t)i, NULL);
        if (k.verdict != CHECK_PASSED) print_message("%s\n", k.replay ? k.replay : k.reason);
        assert_int_equal(k.verdict, CHECK_PASSED);
    }
}

/* What the figures leave to the reader, and our forms state: without it the rule is false. */
static const struct { const char *figure, *text;
} without_conditions[] = {
    {"6c", "w1(n): map f x => join (map (map f) (split n x))"},
    {"6d", "w2(m): reduce f z x => reduce f z (reducePart m f z x) when associative f and m divides (length x)"},
    {"6d", "w3(m): reduce f z x => reduce f z (reducePart m f z x) when neutral z f and m divides (length x)"},
    {"6d", "w4(p): reducePart m f z x => reducePart m f z (reorder p x) when associative f and commutative f and "
           "neutral z f"},
    {"6d", "w5(p): reducePart m f z x => reducePart m f z (reorder p x) when associative f and neutral z f and m == 1"},
    {"6d", "w6(k, c): reducePart m f z x => iterate k (\\v -> reducePart ((length v)/c) f z v) x when associative f"},
    {"7c", "w7(s): reduce f z (reorder p x) => reduce f z (reorder (stride s) x) when s divides (length x)"},
    {"7c", "w8: reduce f z (reorder p x) => reduce f z x when associative f"},
};

static void conditions_are_needed(void **state)
{
    Fixture *f = *state;
    for (int i = 0; i < COUNT(without_conditions); i++) {
        const char *text = without_conditions[i].text;
        Source s = source_of(text);
        Rule *reverse, *r = rules_define(f->c, f->rules, &s, &reverse);
        if (!r) show_error(f, text);
        assert_non_null(r);
        CheckResult k = check_rule(f, r, 2000, 1, NULL);
        if (k.verdict != CHECK_REFUTED) print_message("not refuted: %s %s\n", text, k.reason ? k.reason : "");
        assert_int_equal(k.verdict, CHECK_REFUTED);
    }
}

/* ---- rules.md ---- */

static const char *const page_rules[] = {
    "mapFusion: map f (map g x) => map (f . g) x",
    "splitJoin(n): map f x => join (map (map f) (split n x)) when n divides (length x)",
    "mapInterchange: map (\\a -> map (\\b -> e a b) ys) xs => transpose (map (\\b -> map (\\a -> e a b) xs) ys)",
    "reducePartIntro(m): reduce f z x => reduce f z (reducePart m f z x) when associative f and neutral z f and m "
    "divides (length x)",
    "reducePartFull: reducePart 1 f z x => map (reduce f z) (split (length x) x)",
    "reducePartSplit(n): reducePart m f z x => join (map (reducePart (n*m/(length x)) f z) (split n x)) "
    "when (length x)/m divides n and n divides (length x)",
    "mapReduceInterchange: map (reduce f z) x => reduce (\\(acc, r) -> map f (zip acc r)) (generate (length x) (\\i -> "
    "z)) (transpose x)",
    "splitOfJoin: join (split k x) => x",
    "transposeMaps: transpose (map (map f) x) <=> map (map f) (transpose x)",
    "mapVectorise(w): map f x => asScalar (map (mapVec f) (asVector w x)) when w divides (length x) and scalar (f _)",
};

static void rules_of_the_page_hold(void **state)
{
    Fixture *f = *state;
    for (int i = 0; i < COUNT(page_rules); i++) {
        char name[16];
        Buf b = {0};
        snprintf(name, sizeof name, "page%d", i);
        buf_printf(&b, "%s%s", name, page_rules[i] + strcspn(page_rules[i], "(:"));
        Source s = {"rules.md", buf_text(&b), b.len};
        Rule *reverse, *r = rules_define(f->c, f->rules, &s, &reverse);
        if (!r || !rule_typecheck(f->c, r)) show_error(f, name);
        assert_non_null(r);
        assert_int_equal(check_rule(f, r, 200, 1, NULL).verdict, CHECK_PASSED);
        if (reverse) assert_int_equal(check_rule(f, reverse, 200, 1, NULL).verdict, CHECK_PASSED);
        assert_int_equal(r->trust, TRUST_CHECKED);
        buf_free(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figure_rules_do_what_the_figure_says),
        cmocka_unit_test(figure_rules_name_their_figure),
        cmocka_unit_test(figure_rules_hold),
        cmocka_unit_test(conditions_are_needed),
        cmocka_unit_test(rules_of_the_page_hold),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
