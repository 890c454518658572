/* Forwarding of places through every built-in rule, on random instances of its left side. */
#include "unit.h"
#include "check_private.h"

#ifdef __SANITIZE_ADDRESS__              /* a part of what the release build does */
enum { INSTANCES = 2, SEEDS = 96, RARE = 4096, LARGEST = 6, LARGEST_RARE = 16 };
#else
enum { INSTANCES = 12, SEEDS = 96, RARE = 4096, LARGEST = 6, LARGEST_RARE = 16 };
#endif

typedef struct World {
    Ctx *c;
    Defs *defs;
    Rules *rules;
    int places, forwarded, copied;           /* strictly inside a redex, of the present rule */
} World;

static World world(void)
{
    World w = {.c = ctx_new()};
    w.defs = defs_new(w.c);
    w.rules = rules_new(w.c);
    Source s = source_of(property_declarations());
    const Program *none;
    assert_true(defs_load(w.c, w.defs, &s, &none));
    return w;
}

static void world_free(World *w)
{
    rules_free(w->rules);
    defs_free(w->defs);
    ctx_free(w->c);
}

/* Of an array that is a variable. */
static bool is_element(const Term *t)
{
    return t->kind == T_PRIM && t->prim == PRIM_AT && ANY(i, t->arg_count, t->args[i]->kind == T_VAR || is_element(t->args[i]));
}

/* The same term up to what its variables stand for: beta-reduction may have put anything in their places, and a variable, or a
 * component of what one stands for, may have come into the hole of a context. */
static bool alike(const Term *a, const Term *b)
{
    if (a->kind == T_VAR || b->kind == T_VAR) return true;
    if (a->kind == T_PRIM && a->prim == PRIM_TUPLE) return true;             /* of all projections: the whole */
    if (a->kind == T_PRIM && a->prim == PRIM_PROJ) return true;              /* of a tuple: the part */
    if (b->kind == T_PRIM && b->prim == PRIM_PROJ) return true;
    if (is_element(a) || is_element(b)) return true;                         /* of what has a name: what it is */
    if (a->kind == T_PRIM && a->prim == PRIM_LET && alike(a->args[1]->args[0], b)) return true;     /* whose name has come out */
    if (a->kind != b->kind || a->prim != b->prim || a->arg_count != b->arg_count || a->static_count != b->static_count) return false;
    if (a->kind == T_INPUT || a->kind == T_LIT || a->kind == T_SIZE) return a == b;
    for (int i = 0; i < a->arg_count; i++)
        if (!alike(a->args[i], b->args[i])) return false;
    return true;
}

static void fails(const World *w, const Rewrite *r, const Path *p, const char *what)
{
    print_error("%s: %s\n  place  %s\n  before %s\n  after  %s\n", r->rule->name, what, path_text(w->c, r->before, p),
                lang_text(w->c, r->before, NULL, 0, 400), lang_text(w->c, r->after, NULL, 0, 400));
    fail();
}

static bool is_below(const Path *p, const Path *top)
{
    return p->length > top->length && !memcmp(p->slots, top->slots, top->length);
}

/* How often `want`, as seen from the root of t, occurs in t; more than one counts as two. */
static int occurrences(const World *w, const Term *t, int levels, const Term *want)
{
    int n = term_shift(w->c, t, -levels, 0) == want;
    if (t->kind == T_LAM) levels += t->type->elems[0]->leaf_count;
    for (int i = 0; i < t->arg_count && n < 2; i++) n += occurrences(w, t->args[i], levels, want);
    diag_clear(&w->c->diag);
    return n;
}

/* What stands once in the redex and once in what the rule made of it cannot be lost. */
static void check_lost(const World *w, const Rewrite *r, const Path *p)
{
    const Term *redex = path_term(r->before, &r->at), *made = path_term(r->after, &r->at), *t = path_term(r->before, p);
    Path inside = {.length = (uint8_t)(p->length - r->at.length)};
    memcpy(inside.slots, p->slots + r->at.length, inside.length);
    const Term *outside = term_shift(w->c, t, -path_binders(redex, &inside), 0);
    if (t->kind == T_LAM || t->size < 2 || !outside) return;
    if (occurrences(w, redex, 0, outside) == 1 && occurrences(w, made, 0, outside) == 1) fails(w, r, p, "is lost, but there");
}

/* What goes forward comes back: to a place that goes to the same. */
static void check_back(const World *w, const Rewrite *r, const Path *p, const Path *to)
{
    Path back, again;
    if (!place_backward(w->c, r, to, &back)) fails(w, r, p, "does not come back");
    if (place_forward(w->c, r, &back, &again) < 1) fails(w, r, p, "comes back to a place that is lost");
}

static void check_place(World *w, const Rewrite *r, const Path *p)
{
    Path to;
    const Term *old = path_term(r->before, p);
    int n = place_forward(w->c, r, p, &to);
    assert_false(diag_failed(&w->c->diag));
    const Term *new = path_term(r->after, &to);
    assert_non_null(new);
    if (!is_below(p, &r->at)) {
        if (n != 1 || !path_equal(p, &to)) fails(w, r, p, "moves, though it is not inside the redex");
        return;
    }
    w->places++;
    if (n == 0) {
        if (path_equal(p, &to) && old == new) fails(w, r, p, "is lost and found at once");     /* the slots alone may be those of another place */
        check_lost(w, r, p);
        return;
    }
    w->forwarded++;
    w->copied += n > 1;
    if (old->kind == T_LAM && new->kind != T_LAM) old = old->args[0];
    bool refilled = !strncmp(r->rule->name, "onlineTiles", strlen("onlineTiles"));      /* its contexts have another sum in their holes */
    if (!refilled && !alike(old, new)) fails(w, r, p, "goes to something else");
    check_back(w, r, p, &to);
}

static void check_places(World *w, const Rewrite *r, const Path *p)
{
    const Term *t = path_term(r->before, p);
    check_place(w, r, p);
    for (int i = 0; i < term_slot_count(t); i++) {
        Path under = *p;
        under.slots[under.length++] = (uint8_t)i;
        check_places(w, r, &under);
    }
}

static bool check_instance(World *w, const Rule *rule, uint64_t seed)
{
    Arena *arena = arena_new();
    CtxMark mark = ctx_mark(w->c);           /* of each instance only what it is made of: tables stay small enough to be quick */
    Instance i;
    RuleResult result;
    RewriteEnv env = {.c = w->c, .defs = w->defs};
    bool made = instance_make(&i, w->c, arena, w->defs, rule, &(Reach){0}, &(Draw){.seed = seed, .level = (int)(seed % 3), .largest = seed < SEEDS ? LARGEST : LARGEST_RARE});
    if (made && !rule_apply(&env, rule, i.args, i.root, &i.at, false, &result)) made = false;
    diag_clear(&w->c->diag);
    if (made) {
        Rewrite r = {rule, result.args, i.root, result.root, i.at};
        check_places(w, &r, &(Path){0});
    }
    instance_free(&i);
    ctx_release(w->c, &mark);
    arena_free(arena);
    return made;
}

/* Rules of which nothing that the left side matched stands on the right: none but those that only name nodes. */
static void test_every_rule(void **state)
{
    (void)state;
    World w = world();
    int rules = 0, copying = 0;
    for (int i = 0; i < rules_count(w.rules); i++) {
        const Rule *rule = rules_get(w.rules, i);
        int made = 0;
        w.places = w.forwarded = w.copied = 0;
        for (uint64_t seed = 1; made < INSTANCES && (seed < SEEDS || (!made && seed < RARE)); seed++) made += check_instance(&w, rule, seed);
        if (getenv("FORWARD_TABLE")) print_message("%-28s %3d instances %5d of %5d places, %d copied\n", rule->name, made, w.forwarded, w.places, w.copied);
        if (made == 0) print_error("%s: no instance\n", rule->name);
        assert_true(made > 0);
        if (w.places > 0 && w.forwarded == 0) print_error("%s: nothing is forwarded\n", rule->name);
        assert_true(w.places == 0 || w.forwarded > 0);
        rules++;
        copying += w.copied > 0;
    }
    assert_true(rules > 90);
    assert_true(copying > 5);
    world_free(&w);
}

/* ---- what places become, by hand ---- */

static const struct { const char *rule, *term, *at, *from, *to; int count; } steps[] = {
    {"mapFusion", "map (\\x -> x + 1) (map (\\y -> y * 2) xs)", "/", "/f/body/1", "/f/body/1", 1},
    {"mapFusion", "map (\\x -> x + 1) (map (\\y -> y * 2) xs)", "/", "/f", "/f", 1},
    {"mapFusion", "map (\\x -> x + 1) (map (\\y -> y * 2) xs)", "/", "/in/f/body", "/f/body/0", 1},
    {"mapFusion", "map (\\x -> x + 1) (map (\\y -> y * 2) xs)", "/", "/in/f", "/f/body/0", 1},        /* no lambda of its own now */
    {"mapFusion", "map (\\x -> x + 1) (map (\\y -> y * 2) xs)", "/", "/in/in", "/in", 1},
    {"mapFusion", "map (\\x -> x + 1) (map (\\y -> y * 2) xs)", "/", "/in", "/", 0},                   /* consumed */
    {"mapFusion", "map (\\x -> x * x) (map (\\y -> sqrt y) xs)", "/", "/in/f/body", "/f/body/value", 1},
    {"mapFusion", "map (\\x -> x * x) (map (\\y -> sqrt y) xs)", "/", "/f/body", "/f/body/body", 1},
    {"mapFusion", "reduce (+) 0 (map (\\x -> x + 1) (map (\\y -> y * 2) xs))", "/in", "/f/body", "/f/body", 1},
    {"mapFusion", "reduce (+) 0 (map (\\x -> x + 1) (map (\\y -> y * 2) xs))", "/in", "/in", "/in", 1},
    {"mapFusion", "reduce (+) 0 (map (\\x -> x + 1) (map (\\y -> y * 2) xs))", "/in", "/in/in", "/in", 0},
    {"splitMap", "split 4 (map (\\x -> x + 1) xs)", "/", "/in/f/body/1", "/f/body/f/body/1", 1},
    {"joinSplit", "join (split 4 (map (\\x -> x + 1) xs))", "/", "/in/in/f", "/f", 1},
    {"joinSplit", "join (split 4 (map (\\x -> x + 1) xs))", "/", "/in", "/", 0},
    {"toGlobal", "map (\\x -> x + 1) xs", "/", "/", "/", 1},
    {"toGlobal", "map (\\x -> x + 1) xs", "/", "/in", "/in/in", 1},
    {"reduceReduce", "reduce (+) 0 (map (reduce (+) 0) (split 4 xs))", "/", "/in/in", "/in/in", 1},
    {"reduceReduce", "reduce (+) 0 (map (reduce (+) 0) (split 4 xs))", "/", "/in/f/body/f/body/0", "/f/body/0", 1},   /* f stands twice */
};

static void check_step(World *w, const Program *p, int i, bool known)
{
    RuleResult result;
    LangScope scope = {.defs = w->defs, .program = p};
    RewriteEnv env = {.c = w->c, .defs = w->defs, .scope = &scope};
    Source s = source_of(steps[i].term);
    const Term *t = lang_expr(w->c, &scope, &s, NULL);
    Rewrite r = {.rule = rules_find(w->rules, steps[i].rule), .before = t};
    Path from, to;
    assert_non_null(t);
    assert_true(path_parse(w->c, t, NULL, steps[i].at, &r.at));
    assert_true(path_parse(w->c, t, NULL, steps[i].from, &from));
    assert_true(rule_apply(&env, r.rule, NULL, t, &r.at, false, &result));
    r.args = result.args;
    r.after = result.root;
    if (!known) r.rule = NULL;
    int n = place_forward(w->c, &r, &from, &to);
    const char *got = path_text(w->c, r.after, &to);
    if (known && (n != steps[i].count || strcmp(got, steps[i].to)))
        print_error("row %d: %s goes to %s (%d)\n", i, steps[i].from, got, n);
    if (known) assert_int_equal(n, steps[i].count);
    if (known) assert_string_equal(got, steps[i].to);
    /* Without its rule a place is found by an equal subterm or not at all, never somewhere else. */
    if (!known && n && path_term(t, &from)->kind != T_LAM) assert_true(alike(path_term(t, &from), path_term(r.after, &to)) || from.length <= r.at.length);
}

static void test_steps(void **state)
{
    (void)state;
    World w = world();
    const Program *p = program_defined(w.c, w.defs, "let p (xs: [64]f32) = map (\\x -> x) xs");
    for (int i = 0; i < COUNT(steps); i++) {
        check_step(&w, p, i, true);
        check_step(&w, p, i, false);
    }
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_rule),
        cmocka_unit_test(test_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
