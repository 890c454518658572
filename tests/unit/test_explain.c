/* Advice where a rule fails: every command it names is done, and must work; over all programs, after random steps. */
#include "advice.h"
#include "unit.h"
#include "strategy.h"

#ifdef __SANITIZE_ADDRESS__              /* a part of what the release build does */
enum { PART = 5 };
#else
enum { PART = 1 };
#endif
enum { STEPS = 6, ASKED = 14 / PART, ROUNDS = 20 };

typedef struct World {
    Ctx *c;
    Defs *defs;
    Rules *rules;
    Strategies *s;
    Arena *arena;
    LangScope scope;
    RewriteEnv env;
    Rng rng;
    int asked, near, misses, steps, pairs;
} World;

static int set_up(void **state)
{
    World *w = mem_alloc(sizeof *w);
    w->c = ctx_new();
    w->defs = defs_new(w->c);
    w->rules = rules_new(w->c);
    w->s = strategies_new(w->c, w->rules, w->defs);
    w->arena = arena_new();
    w->rng = (Rng){1};
    program_loaded(w->c, w->defs, file_text(w->c, TEST_DIR "/ten.fun"));
    *state = w;
    return w->s == NULL;
}

static int tear_down(void **state)
{
    World *w = *state;
    strategies_free(w->s);
    rules_free(w->rules);
    defs_free(w->defs);
    ctx_free(w->c);
    arena_free(w->arena);
    free(w);
    return 0;
}

static Path random_place(World *w, const Term *root)
{
    Path p = {0}, out = {0};
    int n = 0;
    do {
        if (rng_below(&w->rng, ++n) == 0) out = p;
    } while (path_next(root, &p));
    return out;
}

/* "apply STRATEGY at PLACE" done on a term; NULL when it fails. */
static const Term *done(World *w, RewriteEnv *env, const char *command, const Term *root)
{
    StrategyResult r;
    Path top = {0}, at;
    assert_int_equal(strncmp(command, "apply ", 6), 0);
    const char *place = strstr(command, " at ");
    assert_non_null(place);
    const char *text = arena_strndup(w->arena, command + 6, (size_t)(place - command - 6));
    diag_clear(&w->c->diag);
    bool ok = path_parse(w->c, root, &top, place + 4, &at) && strategy_run(w->s, env, w->arena, text, NULL, root, &at, &r);
    if (!ok) print_message("%s: %s\n", command, w->c->diag.message);
    return ok && r.root != root ? r.root : NULL;
}

static void commands_work(World *w, const char *commands, const Term *root)
{
    RewriteEnv env = w->env;
    for (char *at = arena_strdup(w->arena, commands); at;) {
        char *next = strstr(at, " ; ");
        if (next) *next = 0;
        root = done(w, &env, at, root);
        if (!root) print_message("does not work: %s\n", commands);
        assert_non_null(root);
        at = next ? next + 3 : NULL;
    }
}

static int commands(const char *text)
{
    int n = 1;
    for (; (text = strstr(text, " ; ")); text += 3) n++;
    return n;
}

/* As a user asks: with macros, which the rules do not know of. */
static void ask(World *w, const Rule *rule, const Term *root, const Path *at)
{
    RewriteEnv env = w->env;
    StrategyResult r;
    env.advise = true;
    bool ok = strategy_run(w->s, &env, w->arena, rule->name, NULL, root, at, &r);
    Diag d = diag_new();
    diag_copy(&d, &w->c->diag);
    diag_clear(&w->c->diag);
    w->asked++;
    for (int i = 0; !ok && i < d.note_count; i++) {
        const char *label = d.notes[i].label, *text = d.notes[i].text;
        w->misses += !strcmp(label, "near") && strstr(text, "but it needs");
        if (strcmp(label, "try")) continue;
        if (!strncmp(text, "moves ", 6)) {                       /* nothing helps there: what does apply */
            assert_string_equal(text + 6, path_text(w->c, root, at));
            continue;
        }
        if (commands(text) == 1) w->near++;
        else if (commands(text) == 2) w->steps++;
        else w->pairs++;
        if (getenv("SHOW")) print_message("%s at %s: %s\n", rule->name, path_text(w->c, root, at), text);
        commands_work(w, text, root);
    }
    diag_free(&d);
}

/* What was asked leaves nothing behind. */
static void ask_alone(World *w, const Rule *rule, const Term *root, const Path *at)
{
    RuleArg args[RULE_ARGS] = {{0}};
    size_t terms = terms_made(w->c);
    rule_advise(&w->env, w->rules, NULL, rule, args, root, at);
    assert_false(diag_failed(&w->c->diag));
    assert_int_equal(terms_made(w->c), terms);
    diag_clear(&w->c->diag);
}

/* Dimensions and the like must be given where a rule is asked for by name. */
static bool takes_only_sizes(const Rule *r)
{
    for (int i = 0; i < r->param_count; i++)
        if (r->params[i].given && r->params[i].kind != STATIC_SIZE) return false;
    return true;
}

static void ask_at_random(World *w, const Term *root)
{
    for (int i = 0; i < ASKED; i++) {
        const Rule *rule = rules_get(w->rules, (int)rng_below(&w->rng, rules_count(w->rules)));
        Path at = random_place(w, root);
        if (!takes_only_sizes(rule) || rule_applies(&w->env, rule, NULL, root, &at)) continue;
        ask(w, rule, root, &at);
        if (i == 0) ask_alone(w, rule, root, &at);
    }
}

/* Some rule somewhere; the term itself when none is hit upon. */
static const Term *random_step(World *w, const Term *root)
{
    for (int i = 0; i < 400; i++) {
        RuleArg args[RULE_ARGS] = {{0}};
        RuleResult r;
        Path at = random_place(w, root);
        const Rule *rule = rules_get(w->rules, (int)rng_below(&w->rng, rules_count(w->rules)));
        if (rule_apply_open(&w->env, rule, root, &at, args, &r)) return r.root;
    }
    return root;
}

static bool saw_enough(const World *w) { return w->near > 50 / PART && w->misses > 50 / PART && w->steps > 15 / PART; }

/* Walks of all programs, until enough advice has been taken. Pairs of steps are rare in them: those of the cases are taken. */
static void advice_can_be_taken(void **state)
{
    World *w = *state;
    for (int i = 0; i < ROUNDS * defs_count(w->defs) && (i < defs_count(w->defs) || !saw_enough(w)); i++) {
        const char *text;
        const Program *p;
        defs_name(w->defs, i % defs_count(w->defs), &text, &p);
        if (!p) continue;
        w->scope = (LangScope){.defs = w->defs, .program = p};
        w->env = (RewriteEnv){.c = w->c, .defs = w->defs, .scope = &w->scope};
        const Term *root = p->body;
        for (int s = 0; s < STEPS; s++) {
            ask_at_random(w, root);
            root = random_step(w, root);
        }
    }
    print_message("asked %d times: %d near places, %d near misses, %d enabling steps, %d pairs of them, all of them done\n", w->asked,
                  w->near, w->misses, w->steps, w->pairs);
    assert_true(saw_enough(w));
}

typedef struct Case { const char *program, *rule, *at, *near, *step; } Case;

static const Case cases[] = {
    {"let f (xs: [N]f32) = reduce (+) 0 (map abs xs)", "reduceMapFusion", "/", NULL, "apply reduceSeq at / ; apply reduceMapFusion at /"},
    {"let f (xs: [N]f32) = reduce (+) 0 (map abs xs)", "splitJoin", "/", "apply splitJoin at /in", NULL},
    {"let f (xs: [N]f32) = map (\\x -> x + 1) (join (map (map (\\x -> x * 2)) (split 4 xs)))", "mapFusion", "/", NULL,
     "apply joinMap at /in ; apply mapFusion at /"},
    {"let f (xs: [N]f32) (ys: [N]f32) = map (\\(x, y) -> x + y) (zip (map abs xs) ys)", "mapFusion", "/", NULL,
     "apply zipMap at /in ; apply mapFusion at /"},
    {"let f (xs: [N]f32) = map abs xs", "transposeTranspose", "/", NULL, NULL},
    /* the place that was asked for rather than one inside it, and the number that was asked for */
    {"let f (xs: [30]f32) = map abs xs", "splitJoin(4)", "/", NULL, "apply padMap(4) at / ; apply splitJoin(4) at /in"},
    {"let f (xs: [30]f32) = map abs xs", "mapVectorise(4)", "/", NULL, "apply padMap(4) at / ; apply mapVectorise(4) at /in"},
    {"let f (xs: [N]f32) = map abs xs", "mapSeqUnroll", "/", NULL, "apply splitJoin at / ; apply mapSeqUnroll at /in/f/body"},
    {"let f (xs: [N]f32) = map abs xs", "mapJoin", "/", NULL, NULL},
    /* two steps, where one is not enough */
    {"let f (xs: [N]f32) = reduce (+) 0 (map abs xs)", "reduceSeqMapSeqFusion", "/", NULL,
     "apply reduceSeq at / ; apply mapSeq at /in ; apply reduceSeqMapSeqFusion at /"},
    {"let f (xs: [N][M]f32) = map (map abs) xs", "mapLocalToGlobal", "/f/body", NULL,
     "apply mapWorkgroup(0) at / ; apply mapLocal(0) at /f/body ; apply mapLocalToGlobal at /f/body"},
    {"let f (xs: [N][M]f32) = map (\\x -> map abs (map abs x)) xs", "toLocal", "/f/body/in", NULL,
     "apply mapWorkgroup(0) at / ; apply toLocal at /f/body/in"},
    /* going back is no advice: fission, then the fusion that was asked for */
    {"let f (xs: [N][M]f32) = map (\\x -> map abs (map abs x)) xs", "mapFusion", "/", "apply mapFusion at /f/body", NULL},
};

static void same_text(const char *got, const char *want)
{
    if (got && !want) print_message("not expected: %s\n", got);
    assert_true(!got == !want);
    if (want) assert_string_equal(got, want);
}

static void advice_is_the_expected(void **state)
{
    World *w = *state;
    for (int i = 0; i < COUNT(cases); i++) {
        const Case *k = &cases[i];
        const Program *p = program_defined(w->c, w->defs, k->program);
        Path top = {0}, at;
        w->scope = (LangScope){.defs = w->defs, .program = p};
        w->env = (RewriteEnv){.c = w->c, .defs = w->defs, .scope = &w->scope};
        assert_true(path_parse(w->c, p->body, &top, k->at, &at));
        RuleArg args[RULE_ARGS];
        const Rule *rule = rule_call_parse(w->c, w->rules, &w->scope, k->rule, args);
        assert_non_null(rule);
        RuleAdvice a = rule_advise(&w->env, w->rules, NULL, rule, args, p->body, &at);
        print_message("%s: near %s; step %s\n", k->rule, a.near_try ? a.near_try : "-", a.step_try ? a.step_try : "-");
        same_text(a.near_try, k->near);
        same_text(a.step_try, k->step);
        if (a.step_try) commands_work(w, a.step_try, p->body);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(advice_is_the_expected, set_up, tear_down),
        cmocka_unit_test_setup_teardown(advice_can_be_taken, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
