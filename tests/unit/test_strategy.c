/* Strategies: every combinator in success and failure, reasons and places, fuel, names, macros, Lua, the default lowering. */
#include "lua_host.h"
#include "names.h"
#include "unit.h"
#include "plan.h"
#include "strategy.h"

typedef struct World {
    Ctx *c;
    Defs *defs;
    Rules *rules;
    Strategies *s;
    Arena *arena;
    const Program *program;
    RewriteEnv env;
    LangScope scope;
    StrategyResult result;
    Buf text;
} World;

static const char chain[] = "let f (A: [N][M]f32) = map (\\row -> map (\\x -> x + 1) (map (\\y -> y * 2) row)) A";
static const char mm[] = "let mm (A: [N][K]f32) (B: [K][M]f32) = "
                         "map (\\row -> map (\\col -> reduce (+) 0 (map (*) (zip row col))) (transpose B)) A";

static void use(World *w, const char *text)
{
    w->program = program_defined(w->c, w->defs, text);
    w->scope = (LangScope){.defs = w->defs, .program = w->program};
    w->env = (RewriteEnv){.c = w->c, .defs = w->defs, .scope = &w->scope};
}

static int set_up(void **state)
{
    World *w = mem_alloc(sizeof *w);
    w->c = ctx_new();
    w->defs = defs_new(w->c);
    w->rules = rules_new(w->c);
    w->s = strategies_new(w->c, w->rules, w->defs);
    w->arena = arena_new();
    assert_non_null(w->s);
    use(w, chain);
    *state = w;
    return 0;
}

static int tear_down(void **state)
{
    World *w = *state;
    strategies_free(w->s);
    rules_free(w->rules);
    defs_free(w->defs);
    ctx_free(w->c);
    arena_free(w->arena);
    buf_free(&w->text);
    free(w);
    return 0;
}

static const char *rendered(World *w)
{
    buf_clear(&w->text);
    diag_render(&w->c->diag, &w->text);
    return buf_text(&w->text);
}

static void run_at(World *w, const char *strategy, const char *place)
{
    Path root = {0}, at;
    assert_true(path_parse(w->c, w->program->body, &root, place, &at));
    if (!strategy_run(w->s, &w->env, w->arena, strategy, NULL, w->program->body, &at, &w->result)) {
        fail_msg("%s: %s", strategy, rendered(w));
    }
}

/* The steps as "rule at place" joined by "; ". */
static void expect_steps(World *w, const char *want)
{
    Buf got = {0};
    const Term *root = w->program->body;
    for (int i = 0; i < w->result.step_count; i++) {
        const SubStep *step = &w->result.steps[i];
        buf_printf(&got, "%s%s at %s", i ? "; " : "", step->call, place_text(w->c, root, step->at));
        root = step->root;
    }
    assert_ptr_equal(root, w->result.root);
    assert_string_equal(buf_text(&got), want);
    buf_free(&got);
}

static void gives(World *w, const char *strategy, const char *steps)
{
    run_at(w, strategy, "/");
    expect_steps(w, steps);
}

/* Fails with that id, all of the texts in the rendered error, and nothing changed. */
static void fails_with(World *w, const char *strategy, ErrorId id, const char *a, const char *b)
{
    Path root = {0};
    StrategyResult untouched = w->result;
    int next = w->env.next_param;
    assert_false(strategy_run(w->s, &w->env, w->arena, strategy, NULL, w->program->body, &root, &w->result));
    if (w->c->diag.id != id) fail_msg("%s: not %s but %s", strategy, error_name(id), rendered(w));
    if (a && !strstr(rendered(w), a)) fail_msg("%s: no \"%s\" in %s", strategy, a, rendered(w));
    if (b && !strstr(rendered(w), b)) fail_msg("%s: no \"%s\" in %s", strategy, b, rendered(w));
    assert_int_equal(next, w->env.next_param);
    assert_memory_equal(&untouched, &w->result, sizeof untouched);
}

/* ---- rules ---- */

static void single_rules(void **state)
{
    World *w = *state;
    gives(w, "mapSeq", "mapSeq at /");
    assert_string_equal(w->result.call_text, "mapSeq");
    assert_null(w->result.macro);
    gives(w, "mapGlobal(1)", "mapGlobal(1) at /");
    gives(w, "mapGlobal{d=1}", "mapGlobal(1) at /");
    gives(w, "splitJoin(4)", "splitJoin(4) at /");
    assert_int_equal(w->result.fact_count, 1);
    gives(w, "splitJoin('N/2')", "splitJoin{n=N/2} at /");
    run_at(w, "mapFusion", "/f/body");
    expect_steps(w, "mapFusion at /f/body");
    assert_int_equal(w->result.focus.length, 2);
    fails_with(w, "mapFusion", E21, "mapFusion does not apply at /", "rule");
    fails_with(w, "mapGlobal", E22, "d", NULL);
}

static void fresh_parameters(void **state)
{
    World *w = *state;
    gives(w, "splitJoin", "splitJoin{n=s0} at /");
    assert_int_equal(w->result.new_param_count, 1);
    assert_string_equal(w->result.new_params[0], "s0");
    assert_int_equal(w->env.next_param, 1);
    w->env.next_param = 0;
    gives(w, "splitJoin * body(splitJoin) + splitJoin * topdown(mapFusion)",
          "splitJoin{n=s0} at /; mapFusion at /in/f/body/f/body");
    assert_int_equal(w->env.next_param, 1);
    fails_with(w, "splitJoin * fail", E23, NULL, NULL);
}

static void bad_arguments(void **state)
{
    World *w = *state;
    fails_with(w, "splitJoin{m=3}", E22, "no argument \"m\"", "takes n");
    fails_with(w, "splitJoin(1, 2)", E22, "number 2", NULL);
    fails_with(w, "mapSeq(1)", E22, "takes none", NULL);
    fails_with(w, "splitJoin(true)", E22, "a size is", NULL);
    fails_with(w, "splitJoin('Q')", E02, NULL, NULL);
}

/* ---- combinators ---- */

static void sequence_and_choice(void **state)
{
    World *w = *state;
    gives(w, "id", "");
    assert_ptr_equal(w->result.root, w->program->body);
    gives(w, "mapSeq * body(mapSeq)", "mapSeq at /; mapSeq at /f/body");
    gives(w, "seq(mapSeq, body(mapSeq), id)", "mapSeq at /; mapSeq at /f/body");
    gives(w, "mapFusion + mapSeq", "mapSeq at /");
    gives(w, "alt(mapFusion, fail, mapGlobal(0))", "mapGlobal(0) at /");
    gives(w, "try(mapFusion)", "");
    gives(w, "mapFusion^-1 * mapSeq", "mapSeq at /");
    fails_with(w, "fail", E23, "fail fails at /", NULL);
    fails_with(w, "mapSeq * mapSeq", E23, "mapSeq does not apply at /", "found");
    fails_with(w, "mapFusion + reduceSeq", E23, "mapFusion does not apply", "place");
}

static void repetition(void **state)
{
    World *w = *state;
    const char *all = "mapSeq at /; mapSeq at /f/body; mapSeq at /f/body/in";
    gives(w, "rep(topdown(mapSeq))", all);
    gives(w, "topdown(mapSeq)^0", all);
    gives(w, "normalize(mapSeq)", all);
    gives(w, "everywhere(mapSeq)", all);
    gives(w, "rep(topdown(mapSeq), 2)", "mapSeq at /; mapSeq at /f/body");
    gives(w, "topdown(mapSeq)^-2", "mapSeq at /; mapSeq at /f/body");
    gives(w, "topdown(mapSeq)^3", all);
    gives(w, "repeatNTimes(2, topdown(mapSeq))", "mapSeq at /; mapSeq at /f/body");
    gives(w, "rep(id)", "");
    gives(w, "rep(try(fail))", "");
    fails_with(w, "topdown(mapSeq)^4", E23, "mapSeq does not apply", NULL);
    fails_with(w, "repeatNTimes(4, topdown(mapSeq))", E23, "mapSeq does not apply", NULL);
}

static void predicates(void **state)
{
    World *w = *state;
    gives(w, "-mapFusion * mapSeq", "mapSeq at /");
    gives(w, "#mapSeq", "");
    gives(w, "fails(reduceSeq)", "");
    gives(w, "holds(mapSeq)", "");
    gives(w, "ifThenElse('map', mapSeq, fail)", "mapSeq at /");
    gives(w, "ifThenElse(is('reduce'), fail, mapGlobal(2))", "mapGlobal(2) at /");
    gives(w, "where('map _ _', mapSeq)", "mapSeq at /");
    gives(w, "where(function(t, c) return t.prim == 'map' and c.place == '/' end, mapSeq)", "mapSeq at /");
    gives(w, "outermost(over('x'), mapSeq)", "mapSeq at /f/body");
    gives(w, "outermost(yields('+'), mapSeq)", "mapSeq at /f/body");
    gives(w, "outermost(computes * -has('+'), mapSeq)", "mapSeq at /f/body/in");
    gives(w, "outermost(under('map') * computes, mapSeq)", "mapSeq at /f/body");
    fails_with(w, "-mapSeq", E23, "fails(mapSeq)", NULL);
    fails_with(w, "#reduceSeq", E23, "reduceSeq does not apply", NULL);
    fails_with(w, "where('reduce', mapSeq)", E23, "'reduce'", "found");
}

static void children(void **state)
{
    World *w = *state;
    gives(w, "one(mapSeq)", "mapSeq at /f/body");
    gives(w, "some(mapSeq)", "mapSeq at /f/body");
    gives(w, "all(try(mapSeq))", "mapSeq at /f/body");
    gives(w, "oneUsingState(mapSeq)", "mapSeq at /f/body");
    gives(w, "body(mapFusion)", "mapFusion at /f/body");
    gives(w, "fmap(mapFusion)", "mapFusion at /f/body");
    gives(w, "applyNTimes(1, fmap, mapFusion)", "mapFusion at /f/body");
    gives(w, "fmap(argument(mapSeq))", "mapSeq at /f/body/in");
    gives(w, "fmap(argument(1, mapSeq))", "mapSeq at /f/body/in");
    gives(w, "slot('f', slot(2, mapSeq))", "mapSeq at /f/body/in");
    gives(w, "at('f/body/in', mapSeq)", "mapSeq at /f/body/in");
    fails_with(w, "all(mapSeq)", E23, "mapSeq does not apply at /in", NULL);
    fails_with(w, "one(reduceSeq)", E23, "reduceSeq does not apply", NULL);
    fails_with(w, "some(reduceSeq)", E23, "reduceSeq does not apply", NULL);
    fails_with(w, "argument(body(id))", E23, "/in", "a function");
    fails_with(w, "at('init', id)", E23, "the place init", NULL);
    fails_with(w, "slot('init', id)", E23, "a slot init", NULL);
}

static void traversals(void **state)
{
    World *w = *state;
    const char *all = "mapSeq at /; mapSeq at /f/body; mapSeq at /f/body/in";
    gives(w, "topdown(mapFusion)", "mapFusion at /f/body");
    gives(w, "bottomup(mapSeq)", "mapSeq at /f/body/in");
    gives(w, "innermost(mapSeq)", "mapSeq at /f/body/in");
    gives(w, "innermost('map _ (map _ _)', mapSeq)", "mapSeq at /f/body");
    gives(w, "outermost('map _ (map _ _)', mapSeq)", "mapSeq at /f/body");
    gives(w, "alltd(mapSeq)", "mapSeq at /");
    gives(w, "sometd(mapFusion)", "mapFusion at /f/body");
    gives(w, "somebu(mapSeq)", "mapSeq at /f/body/in");
    gives(w, "downup(try(mapSeq))", all);
    gives(w, "allTopdown(try(mapSeq))", all);
    gives(w, "allBottomup(try(mapSeq))", "mapSeq at /f/body/in; mapSeq at /f/body; mapSeq at /");
    gives(w, "tryAll(mapSeq)", all);
    gives(w, "position(1, mapSeq)", "mapSeq at /");
    gives(w, "position(2, mapSeq)", "mapSeq at /f/body");
    gives(w, "nth(3, mapSeq)", "mapSeq at /f/body/in");
    gives(w, "skip(1, mapSeq)", "mapSeq at /f/body");
    gives(w, "alltd(reduceSeq)", "");
    fails_with(w, "sometd(reduceSeq)", E23, "reduceSeq does not apply", NULL);
    fails_with(w, "nth(4, mapSeq)", E23, "4 places", "3 places");
    fails_with(w, "position(99, id)", E23, "99 places", NULL);
    fails_with(w, "outermost('reduce', id)", E23, "no place at or under /", "'reduce'");
}

/* Of all places the one that comes nearest is reported. */
static void reasons(void **state)
{
    World *w = *state;
    use(w, mm);
    fails_with(w, "topdown(reduceMapFusion)", E23, "reduceMapFusion does not apply", "place");
    fails_with(w, "topdown(reduceSeq) * topdown(splitReduce(4) * mapSeq)", E23, "mapSeq does not apply at /f/body/f/body",
               NULL);
    fails_with(w, "topdown(mapSeq * reduceSeq)", E23, "reduceSeq does not apply at /", NULL);
    fails_with(w, "topdown(mapWorkgroup)", E22, "needs its argument d", "place");
}

/* ---- text ---- */

static void wrong_text(void **state)
{
    World *w = *state;
    fails_with(w, "splitjion(4)", E02, "\"splitjion\"", "splitJoin?");
    fails_with(w, "topdwon(mapSeq)", E02, "topdown?", NULL);
    fails_with(w, "rep(", E24, "ends where more is expected", NULL);
    fails_with(w, "", E24, "missing", NULL);
    fails_with(w, "3", E24, "number", NULL);
    fails_with(w, "rep(3)", E24, "rep needs a strategy", NULL);
    fails_with(w, "rep()", E24, "nothing", NULL);
    fails_with(w, "mapSeq ^ 'a'", E24, "integer", NULL);
    fails_with(w, "error('boom')", E24, "boom", NULL);
    fails_with(w, "function() return 7 end", E24, "must return a cursor", NULL);
    fails_with(w, "outermost('map (', id)", E03, NULL, NULL);
    fails_with(w, "io.open('x')", E02, "\"io\"", NULL);
    fails_with(w, "require('x')", E02, "\"require\"", NULL);
    fails_with(w, "load('x')", E02, "\"load\"", NULL);
    fails_with(w, "(function() string.len = 1 end)()", E24, "cannot be changed", NULL);
    assert_true(strategies_text_incomplete(w->s, "rep(", true));
    assert_false(strategies_text_incomplete(w->s, "rep)", true));
    assert_false(strategies_text_incomplete(w->s, "rep(mapSeq)", true));
    assert_true(strategies_text_incomplete(w->s, "function f()", false));
}

static void fuel(void **state)
{
    World *w = *state;
    StrategyLimits limits = {.instructions = 1000000, .attempts = 1000, .steps = 50};
    strategies_limit(w->s, &limits);
    fails_with(w, "(function() while true do end end)()", E25, "out of fuel", NULL);
    fails_with(w, "function(c) while true do c = splitJoin(2)(c) or c end end", E25, "fuel", NULL);
    fails_with(w, "rep(splitJoin(1) * topdown(joinMap) + mapSeq)", E25, "too many rewrites", NULL);
    volatile int stop = 1;
    limits.stop = &stop;
    strategies_limit(w->s, &limits);
    fails_with(w, "topdown(mapSeq)", E25, "interrupted", NULL);
    stop = 0;
    gives(w, "mapSeq", "mapSeq at /");
    limits = (StrategyLimits){.memory = (size_t)8 << 20};
    strategies_limit(w->s, &limits);
    fails_with(w, "(function() local t = {} for i = 1, 1e9 do t[i] = i end end)()", E25, "memory", NULL);
    gives(w, "mapSeq", "mapSeq at /");
}

static void circles(void **state)
{
    World *w = *state;
    Source s = source_of("unSeq: mapSeq f x => map f x");
    Rule *reverse;
    assert_non_null(rules_define(w->c, w->rules, &s, &reverse));
    fails_with(w, "rep(mapSeq + unSeq)", E25, "circles", "2 rounds");
    gives(w, "rep(mapSeq + unSeq, 3)", "mapSeq at /; unSeq at /; mapSeq at /");
    assert_int_equal(w->result.trust, TRUST_ASSUMED);
}

/* ---- names and macros ---- */

static void names(void **state)
{
    World *w = *state;
    for (int i = 0; i < strategies_name_count(w->s); i++) {
        const StrategyName *n = strategies_name(w->s, i);
        assert_true(n->doc[0] != 0 && n->name[0] != 0);
        assert_ptr_equal(strategies_find(w->s, n->name), n);
        assert_null(rules_find(w->rules, n->name));
    }
    assert_int_equal(strategies_find(w->s, "lower")->kind, NAME_LOWERING);
    assert_int_equal(strategies_find(w->s, "tile")->kind, NAME_MACRO);
    assert_string_equal(strategies_find(w->s, "tile")->params, "(m, n, ...)");
    assert_string_equal(strategies_name_taken(w->s, "repeat", true), "a Lua keyword");
    assert_string_equal(strategies_name_taken(w->s, "mapSeq", true), "a rule");
    assert_string_equal(strategies_name_taken(w->s, "topdown", false), "a combinator");
    assert_null(strategies_name_taken(w->s, "mine", true));
}

static void macros(void **state)
{
    World *w = *state;
    assert_true(strategies_define(w->s, "macro both(n) = splitJoin(n) * topdown(mapFusion) -- split and fuse"));
    gives(w, "both(4)", "splitJoin(4) at /; mapFusion at /in/f/body/f/body");
    assert_string_equal(w->result.macro, "both");
    assert_string_equal(w->result.call_text, "both(4)");
    gives(w, " both ", "splitJoin{n=s0} at /; mapFusion at /in/f/body/f/body");
    assert_string_equal(w->result.call_text, "both");
    assert_string_equal(strategies_find(w->s, "both")->doc, "split and fuse");
    assert_true(strategies_find(w->s, "both")->user);
    assert_true(strategies_define(w->s, "both = mapSeq"));
    gives(w, "both", "mapSeq at /");
    assert_false(strategies_define(w->s, "bad = splitjion(2)"));
    assert_int_equal(w->c->diag.id, E02);
    assert_false(strategies_define(w->s, "topdown = id"));
    assert_int_equal(w->c->diag.id, E05);
    assert_false(strategies_define(w->s, "what"));
    assert_int_equal(w->c->diag.id, E05);
    assert_false(strategies_define(w->s, "x = ("));
    assert_int_equal(w->c->diag.id, E24);
    assert_true(strategies_remove(w->s, "both"));
    fails_with(w, "both", E02, "both", NULL);
    assert_false(strategies_remove(w->s, "tile"));
    use(w, mm);
    gives(w, "tile(4, 8)", "splitJoin(4) at /; mapInterchange at /in/f/body; splitJoin(8) at /in/f/body/in; "
                           "mapInterchange at /in/f/body/in/in/f/body");
    run_at(w, "registerBlock(4)", "/");
    assert_int_equal(w->result.step_count, 10);
}

/* ---- Lua ---- */

/* A shell that prints what it is asked to run, and reports how many words that were. */
static bool host_run(void *data, const char *verb, const StrategyWord *words, int count, Buf *out, json_t **report)
{
    Ctx *c = data;
    buf_printf(out, "<%s", verb);
    for (int i = 0; i < count; i++) {
        if (words[i].flag) buf_printf(out, " --%s=%s", words[i].flag, words[i].text);
        else buf_printf(out, " [%s]", words[i].text);
    }
    buf_puts(out, ">");
    *report = json_pack("{s:i, s:[n, b, s, f]}", "words", count, "list", true, "x", 0.5);
    if (strcmp(verb, "undo")) return true;
    diag_error(&c->diag, E15, "nothing to undo");
    return false;
}

static void lua_says(World *w, const char *text, bool expression, const char *want)
{
    Buf out = {0};
    LuaChunk chunk = {.text = text, .name = "=lua", .expression = expression, .out = &out};
    if (!strategies_lua(w->s, &chunk)) fail_msg("%s: %s", text, rendered(w));
    assert_string_equal(buf_text(&out), want);
    buf_free(&out);
}

static void lua_fails(World *w, const char *text, ErrorId id, const char *part)
{
    Buf out = {0};
    LuaChunk chunk = {.text = text, .name = "=lua", .out = &out};
    assert_false(strategies_lua(w->s, &chunk));
    assert_int_equal(w->c->diag.id, id);
    if (!strstr(rendered(w), part)) fail_msg("%s: no \"%s\" in %s", text, part, rendered(w));
    buf_free(&out);
}

static void lua(void **state)
{
    World *w = *state;
    Session *session = session_new();
    StrategyHost host = {.data = w->c, .run = host_run};
    strategies_host(w->s, &host, session);
    lua_says(w, "1 + 1, topdown(mapSeq)", true, "2\ttopdown(mapSeq)\n");
    lua_says(w, "function twice(a) return a * body(a) end", false, "");
    gives(w, "twice(mapSeq)", "mapSeq at /; mapSeq at /f/body");
    lua_says(w, "t.where(splitJoin(4), {in_ = '/in', v = true, n = 3, off = false})", true,
             "<where [splitJoin(4)] [in] [/in] --n=3 --v=>\n");
    lua_says(w, "t.find('map _ _').words, #t.find(1).list, t.find(1).list", true, "1\t4\t{false, true, \"x\", 0.5}\n");
    lua_says(w, "select(2, t.undo()).message, select(2, t.undo()).id", true, "nothing to undo\tE15\n");
    lua_says(w, "t.data{N = 4, A = 'iota'}", true, "<data [A] [=] [iota] [,] [N] [=] [4]>\n");
    lua_says(w, "1, t.version()", true, "1\tnil\tE10 no program is loaded\n");
    lua_fails(w, "t.version()", E10, "no program is loaded");
    lua_says(w, "local x = t.version()", false, "");
    lua_says(w, "pcall(error, 'x')", true, "false\tx\n");
    lua_says(w, "{}, {1, {a = 'b'}}", true, "{}\t{1, {a = \"b\"}}\n");
    lua_fails(w, "x = ", E24, "lua:1: ");
    lua_fails(w, "error(select(2, t.undo()))", E15, "in      lua:1");
    fails_with(w, "t.undo()", E24, "cannot use the session", NULL);
    lua_says(w, "io ~= nil", true, "true\n");
    strategies_restrict(w->s);
    lua_says(w, "io == nil and load == nil", true, "true\n");
    session_free(session);
}

static void conditions(void **state)
{
    World *w = *state;
    Source s = source_of("mine: map f x => mapSeq f x when good(x)");
    Rule *reverse;
    if (!rules_define(w->c, w->rules, &s, &reverse)) fail_msg("%s", rendered(w));
    lua_says(w, "function good(x) return x.kind == 'input', 'not an input' end", false, "");
    gives(w, "mine", "mine at /");
    fails_with(w, "body(mine)", E23, "not an input", NULL);
}

static void has_member(World *w, const char *path, const char *name, bool wanted)
{
    int n, found = 0;
    const char **names = strategies_members(w->s, path, w->arena, &n);
    for (int i = 0; i < n; i++) {
        assert_true(i == 0 || strcmp(names[i - 1], names[i]) < 0);
        found += !strcmp(names[i], name);
    }
    if (found != wanted) fail_msg("%s in %s", name, path);
}

static void members(void **state)
{
    World *w = *state;
    lua_says(w, "mine = {inner = {x = 1}, text = 'a'} setmetatable(mine, {__index = function() error('called') end})", false, "");
    has_member(w, "", "mine", true);
    has_member(w, "", "topdown", true);
    has_member(w, "", "string", true);
    has_member(w, "", "engine", false);
    has_member(w, "t", "apply", true);
    has_member(w, "mine", "inner", true);
    has_member(w, "mine.inner", "x", true);
    has_member(w, "mine.text", "upper", true);
    has_member(w, "mine.nosuch", "x", false);
}

/* Traces outlive their run, whatever ends it. */
static void traces(void **state)
{
    World *w = *state;
    Buf text = {0};
    json_t *json = NULL;
    Path root = {0};
    StrategyLimits limits = {.attempts = 1000};
    assert_false(strategies_recorded(w->s, 3, false, &text, NULL));
    strategies_record(w->s, true);
    gives(w, "topdown(mapFusion)", "mapFusion at /f/body");
    assert_true(strategies_recorded(w->s, 3, false, &text, &json));
    assert_string_equal(buf_text(&text), "  + topdown(mapFusion)  at /   1 rewrite\n"
                                         "    x mapFusion  at /   needs map g x at /in; found A\n"
                                         "    + mapFusion  at /f/body\n"
                                         "  2 rule applications tried, 1 rewrite kept\n");
    assert_int_equal(json_integer_value(json_object_get(json, "attempts")), 2);
    json_decref(json);
    fails_with(w, "mapFusion + fail", E23, NULL, NULL);
    buf_clear(&text);
    assert_true(strategies_recorded(w->s, 0, false, &text, NULL));
    assert_string_equal(buf_text(&text), "  x mapFusion + fail  at /   ... 2 steps inside\n"
                                         "  1 rule application tried, 0 rewrites kept\n");
    strategies_limit(w->s, &limits);
    assert_false(strategy_run(w->s, &w->env, w->arena, "alt(mapFusion, function(c) while true do mapFusion(c) end end)", NULL,
                              w->program->body, &root, &w->result));
    assert_int_equal(w->c->diag.id, E25);
    buf_clear(&text);
    assert_true(strategies_recorded(w->s, 1, false, &text, NULL));
    assert_non_null(strstr(buf_text(&text), "not finished"));
    assert_int_equal(w->c->diag.id, E25);
    strategies_record(w->s, false);
    buf_free(&text);
}

/* ---- the default lowering ---- */

static void lowers_to(World *w, const char *program, const char *steps)
{
    use(w, program);
    if (!strategy_lower(w->s, &w->env, w->arena, NULL, NULL, w->program->body, &w->result)) fail_msg("%s", rendered(w));
    expect_steps(w, steps);
    assert_string_equal(w->result.macro, "lower");
}

static void lowering(void **state)
{
    World *w = *state;
    lowers_to(w, mm, "reduceSeq at /f/body/f/body; reduceMapFusion at /f/body/f/body; mapGlobal(1) at /; "
                     "mapGlobal(0) at /f/body; mulAdd at /f/body/f/body/f/body");
    lowers_to(w, "let asum (xs: [N]f32) = reduce (+) 0 (map abs xs)",
              "reduceRanges(64) at /; reduceSeq at /; reduceSeq at /in/f/body/f/body; sliceMap at /in/f/body; "
              "reduceMapFusion at /in/f/body/f/body; mapGlobal(0) at /in");
    lowers_to(w, "let asum (xs: [64 * N]f32) = reduce (+) 0 (map abs xs)",
              "reducePartIntro(64) at /; reducePartToReduce at /in; reduceSeq at /; splitMap at /in/in; mapFusion at /in; "
              "reduceSeq at /in/f/body; reduceMapFusion at /in/f/body; mapGlobal(0) at /in");
    lowers_to(w, "let two (xs: [N]f32) = map abs (map sqrt xs)", "mapGlobal(0) at /; mapGlobal(0) at /in");
    lowers_to(w, "let views (A: [N][M]f32) = map (\\r -> reorder reverse r) (transpose A)",
              "copyGlobal(1) at /; copyGlobal(0) at /f/body");
    lowers_to(w, "let rows (A: [N][M]f32) = map (\\r -> (map abs r, r)) A",
              "mapGlobal(0) at /; mapSeq at /f/body/0; copySeq at /f/body/1");
    lowers_to(w, "let sums (A: [N][K][M]f32) = map (\\a -> reduce (\\(p, q) -> map (+) (zip p q)) (generate M (\\i -> 0)) a) A",
              "reduceByColumns at /f/body; zipConstant at /f/body/in; mapFusion at /f/body; reduceSeq at /f/body/f/body; mapGlobal(1) at /; "
              "mapGlobal(0) at /f/body");
    lowers_to(w, "let smooth (A: [N][M]f32) = map (\\r -> map (\\v -> v[0] + v[1]) (slide 2 1 (map abs r))) A",
              "mapGlobal(0) at /; mapSeq at /f/body; mapSeq at /f/body/in/in; toGlobal at /f/body/in/in");
    lowers_to(w, "let part (xs: [N]f32) = join (mapWorkgroup 0 (\\c -> map abs c) (split 64 xs))",
              "mapLocal(0) at /in/f/body");
    lowers_to(w, "let few (xs: [1009]f32) = reduce (+) 0 xs", "reduceSeq at /");
}

static bool fixed_size(void *data, const NatAtom *var, int64_t *out)
{
    (void)var;
    *out = *(const int64_t *)data;
    return true;
}

static void lowering_hints(void **state)
{
    World *w = *state;
    int64_t n = 1000;
    LowerHints hints = {.gpu = true, .value = fixed_size, .value_data = &n};
    use(w, "let sum (xs: [N]f32) = reduce (+) 0 xs");
    assert_true(strategy_lower(w->s, &w->env, w->arena, NULL, &hints, w->program->body, &w->result));
    assert_string_equal(w->result.steps[0].call, "reduceWhole");
    assert_string_equal(w->result.steps[2].call, "reducePeelLast(232)");
    assert_false(strategy_lower(w->s, &w->env, w->arena, "reduceSplit(10)", &hints, w->program->body, &w->result));
    assert_int_equal(w->c->diag.id, E51);
    assert_true(strategy_lower(w->s, &w->env, w->arena, "lowerSeq", NULL, w->program->body, &w->result));
    assert_int_equal(w->result.step_count, 1);
}

static bool term_contains_prim(const Term *t, PrimId p)
{
    if (t->kind == T_PRIM && t->prim == p) return true;
    for (int i = 0; i < t->arg_count; i++)
        if (term_contains_prim(t->args[i], p)) return true;
    return false;
}

/* What a GPU gets from `lower` alone, all sizes n: its term has that primitive, and is planned with that many kernels. */
static void on_gpu(World *w, const char *program, int64_t n, PrimId has, int kernels)
{
    LowerHints hints = {.gpu = true, .value = fixed_size, .value_data = &n};
    use(w, program);
    if (!strategy_lower(w->s, &w->env, w->arena, NULL, &hints, w->program->body, &w->result)) fail_msg("%s", rendered(w));
    assert_true(term_contains_prim(w->result.root, has));
    PlanInput inputs[8];
    for (int i = 0; i < w->program->input_count; i++)
        inputs[i] = (PlanInput){w->program->inputs[i].name, w->program->inputs[i].type};
    PlanOptions options = {.inputs = inputs, .input_count = w->program->input_count, .max_group = 1024, .on_gpu = true};
    Plan *plan = plan_make(w->c, w->arena, w->result.root, &options);
    if (!plan) fail_msg("%s", rendered(w));
    assert_int_equal(plan->kernel_count, kernels);
}

static void lowering_for_a_gpu(void **state)
{
    World *w = *state;
    const char *gemm = "let gemm (A: [N][K]f32) (B: [K][M]f32) (C: [N][M]f32) (a: f32) = map (\\(ps, cs) -> map (\\(p, c) -> a * p + c) "
                       "(zip ps cs)) (zip (map (\\row -> map (\\col -> reduce (+) 0 (map (*) (zip row col))) (transpose B)) A) C)";
    const char *blur = "let blur (x: [N][M]f32) = map (map (\\w -> reduce (+) 0 (join w))) (slide2 3 1 (pad 1 1 clamp (map (pad 1 1 clamp) x)))";
    const char *asum = "let asum (xs: [N]f32) = reduce (+) 0 (map abs xs)";
    const char *gemv = "let gemv (A: [N][M]f32) (x: [M]f32) = map (\\row -> reduce (+) 0 (map (*) (zip row x))) A";
    const char *scal = "let scal (a: f32) (xs: [N]f32) = map (\\x -> a * x) xs";
    on_gpu(w, mm, 1024, PRIM_TO_LOCAL, 1);
    on_gpu(w, mm, 1021, PRIM_TO_LOCAL, 2);               /* padded: a copy, the product, of which the rest is not stored */
    on_gpu(w, mm, 61, PRIM_MAP_LOCAL, 1);
    on_gpu(w, gemm, 256, PRIM_TO_LOCAL, 1);
    on_gpu(w, blur, 2048, PRIM_MAP_SEQ_UNROLL, 1);
    on_gpu(w, asum, 1 << 20, PRIM_MAP_LOCAL, 2);
    on_gpu(w, asum, 1 << 24, PRIM_MAP_LOCAL, 2);
    on_gpu(w, asum, 12000, PRIM_MAP_LOCAL, 1);
    on_gpu(w, asum, (1 << 24) - 3, PRIM_MAP_LOCAL, 2);   /* most in chunks; their sum and what is left by a group */
    on_gpu(w, gemv, 1024, PRIM_MAP_LOCAL, 1);
    on_gpu(w, gemv, 1000, PRIM_MAP_LOCAL, 1);
    on_gpu(w, scal, 1 << 16, PRIM_AS_VECTOR, 1);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(single_rules), TEST(fresh_parameters), TEST(bad_arguments), TEST(sequence_and_choice), TEST(repetition),
        TEST(predicates), TEST(children), TEST(traversals), TEST(reasons), TEST(wrong_text), TEST(fuel), TEST(circles),
        TEST(names), TEST(macros), TEST(lua), TEST(conditions), TEST(members), TEST(traces), TEST(lowering), TEST(lowering_hints),
        TEST(lowering_for_a_gpu),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
