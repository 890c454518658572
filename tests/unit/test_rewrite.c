/* Random rewriting of the sample programs: every step keeps the type, and what is printed reads back as the same term. */
#include "advice.h"
#include "unit.h"
#include "rule.h"

enum { STEPS = 14, WALKS = 12, SIZE_LIMIT = 1500 };

typedef struct World {
    Ctx *c;
    Defs *defs;
    Rules *rules;
} World;

static World world_of(const char *file, const Program **program)
{
    World w = {.c = ctx_new()};
    w.defs = defs_new(w.c);
    w.rules = rules_new(w.c);
    *program = program_loaded(w.c, w.defs, file_text(w.c, file));
    return w;
}

static void world_free(World *w)
{
    rules_free(w->rules);
    defs_free(w->defs);
    ctx_free(w->c);
}

static bool stays_let(const Term *t) { return term_let_is_written(t) || (term_is(t, PRIM_LET) && term_is_layout(t->args[0])); }
static bool has_written_let(const Term *t) { return stays_let(t) || ANY(i, t->arg_count, has_written_let(t->args[i])); }

/* But for lets that stay though their names are used once, or for what is only laid out, which are inlined where a text is read. */
static void check_reads_back(World *w, const LangScope *scope, const Term *t, int width)
{
    Buf b = {0};
    lang_print(w->c, t, &(PrintOptions){.width = width}, &b);
    Source s = {"printed", buf_text(&b), b.len};
    const Term *back = lang_expr(w->c, scope, &s, NULL);
    if (!back || (back != t && !(back->type == t->type && has_written_let(t)))) fail_with(&w->c->diag, buf_text(&b));
    buf_free(&b);
}

static Path random_place(const Term *root, Rng *r)
{
    Path p = {0};
    int n = 0;
    Path chosen = p;
    do {
        if (rng_below(r, ++n) == 0) chosen = p;
    } while (path_next(root, &p));
    return chosen;
}

/* Arguments for the parameters of a rule that cannot be left out, and small numbers for some sizes. */
static void random_args(World *w, const Rule *rule, Rng *r, RuleArg args[6])
{
    static const int widths[] = {2, 4, 8, 16}, sizes[] = {1, 2, 3, 4, 8};
    memset(args, 0, sizeof *args * 6);
    for (int i = 0; i < rule->param_count; i++) {
        const RuleParam *p = &rule->params[i];
        if (!p->given) continue;
        args[i].set = p->kind != STATIC_SIZE || rng_below(r, 2);
        int64_t v = p->kind == STATIC_DIM ? rng_below(r, 3) : p->kind == STATIC_WIDTH ? widths[rng_below(r, 4)]
                    : p->kind == STATIC_MODE ? rng_below(r, 3) : sizes[rng_below(r, 5)];
        args[i].size = nat_const(w->c->nats, v);
        args[i].perm = (PermKind)rng_below(r, 3);
    }
}

static void walk(World *w, const Program *p, Rng *r)
{
    const char *params[64];
    LangScope scope = {.defs = w->defs, .program = p, .params = params};
    RewriteEnv env = {.c = w->c, .defs = w->defs, .scope = &scope};
    const Term *t = p->body;
    for (int tries = 0, steps = 0; tries < 400 && steps < STEPS; tries++) {
        const Rule *rule = rules_get(w->rules, (int)rng_below(r, rules_count(w->rules)));
        Path at = random_place(t, r);
        RuleArg args[6];
        RuleResult result;
        random_args(w, rule, r, args);
        if (!rule_apply(&env, rule, args, t, &at, false, &result)) {
            assert_true(diag_failed(&w->c->diag));
            diag_clear(&w->c->diag);
            continue;
        }
        if (result.root->size > SIZE_LIMIT) continue;
        assert_ptr_equal(result.root->type, t->type);
        t = result.root;
        steps++;
        for (int i = 0; i < result.new_param_count && scope.param_count < COUNT(params); i++)
            params[scope.param_count++] = result.new_params[i];
        check_reads_back(w, &scope, t, 0);
    }
    check_reads_back(w, &scope, t, 100);
    check_reads_back(w, &scope, t, 20);
}

static void test_walks(void **state)
{
    (void)state;
    const Program *first;
    World w = world_of(TEST_DIR "/ten.fun", &first);
    Rng r = {2024};
    for (int i = 0; i < defs_count(w.defs); i++) {
        const Program *p;
        defs_name(w.defs, i, NULL, &p);
        for (int k = 0; p && k < WALKS; k++) walk(&w, p, &r);
    }
    world_free(&w);
}

static void test_first_program(void **state)
{
    (void)state;
    const Program *first;
    World w = world_of(TEST_DIR "/ten.fun", &first);
    assert_string_equal(first->name, "scal");
    assert_null(defs_program(w.defs, "add3"));
    assert_non_null(defs_program(w.defs, "nbody"));
    assert_true(defs_program(w.defs, "dot")->used);
    world_free(&w);
}

static void test_paths(void **state)
{
    (void)state;
    const Program *first;
    World w = world_of(TEST_DIR "/ten.fun", &first);
    const Term *mm = defs_program(w.defs, "mm")->body;
    Path p, q;
    assert_true(path_parse(w.c, mm, NULL, "/f/body/f/body/in", &p));
    assert_string_equal(path_text(w.c, mm, &p), "/f/body/f/body/in");
    assert_true(path_parse(w.c, mm, &p, "../init", &q));
    assert_string_equal(path_text(w.c, mm, &q), "/f/body/f/body/init");
    assert_false(path_parse(w.c, mm, NULL, "/in/x", &q));
    assert_int_equal(w.c->diag.id, E11);
    diag_clear(&w.c->diag);
    assert_int_equal(path_binders(mm, &p), 2);
    world_free(&w);
}

static void test_explained_failure(void **state)
{
    (void)state;
    const Program *first;
    World w = world_of(TEST_DIR "/ten.fun", &first);
    const Term *asum = defs_program(w.defs, "asum")->body;
    LangScope scope = {.defs = w.defs};
    RewriteEnv env = {.c = w.c, .defs = w.defs, .scope = &scope};
    RuleResult result;
    Path root = {0};
    assert_false(rule_apply(&env, rules_find(w.rules, "splitJoin"), NULL, asum, &root, true, &result));
    assert_int_equal(w.c->diag.id, E21);
    diag_clear(&w.c->diag);
    assert_false(rule_apply(&env, rules_find(w.rules, "splitJoin"), NULL, asum, &(Path){.length = 2, .slots = {200, 1}}, true, &result));
    assert_int_equal(w.c->diag.id, E11);             /* no way leads there */
    diag_clear(&w.c->diag);
    assert_false(rule_apply(&env, rules_find(w.rules, "splitJoin"), NULL, asum, &root, true, &result));
    RuleAdvice advice = rule_advise(&env, w.rules, NULL, rules_find(w.rules, "splitJoin"), NULL, asum, &root);
    rule_advice_notes(w.c, &advice, true);
    Buf b = {0};
    diag_render(&w.c->diag, &b);
    assert_non_null(strstr(buf_text(&b), "splitJoin does not apply at /"));
    assert_non_null(strstr(buf_text(&b), "needs   map f x"));
    assert_non_null(strstr(buf_text(&b), "near    /in: map abs xs"));
    assert_non_null(strstr(buf_text(&b), "try     apply splitJoin at /in"));
    buf_free(&b);
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_program),
        cmocka_unit_test(test_paths),
        cmocka_unit_test(test_explained_failure),
        cmocka_unit_test(test_walks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
