/* lua_run: running strategies, conditions, user macros and Lua text. */
#include "lua_private.h"

#include <ctype.h>
#include <string.h>

#include "plan.h"

/* ---- running ---- */

static char *trimmed(Arena *a, const char *text)
{
    size_t n = strlen(text);
    while (n && isspace((unsigned char)*text)) text++, n--;
    while (n && isspace((unsigned char)text[n - 1])) n--;
    return arena_strndup(a, text, n);
}

static void collect_steps(Arena *arena, const Cursor *k, StrategyResult *out)
{
    out->step_count = k->last ? k->last->count : 0;
    out->fact_count = k->last ? k->last->all_facts : 0;
    out->steps = NEW_ARRAY(arena, StrategyStep, out->step_count);
    out->facts = NEW_ARRAY(arena, Fact, out->fact_count);
    int facts = out->fact_count;
    for (const Done *d = k->last; d; d = d->before) {
        out->steps[d->count - 1] = d->step;
        if (d->step.rule->trust > out->trust) out->trust = d->step.rule->trust;
        facts -= d->fact_count;
        memcpy(out->facts + facts, d->facts, (size_t)d->fact_count * sizeof *d->facts);
    }
}

static void collect_params(Arena *arena, const Fresh *f, StrategyResult *out)
{
    out->new_param_count = f ? f->count : 0;
    out->new_params = NEW_ARRAY(arena, const char *, out->new_param_count);
    for (; f; f = f->before) out->new_params[f->count - 1] = f->name;
}

/* The starting place, or the nearest one above that is still a place. */
static Path surviving_place(const Term *root, const Path *at)
{
    Path p = *at;
    for (;; p.length--) {
        const Term *t = path_term(root, &p);
        if (t && t->kind != T_LAM) return p;
    }
}

static void collect(Arena *arena, const char *text, const Cursor *start, const Cursor *end, StrategyResult *out)
{
    *out = (StrategyResult){.root = end->root, .focus = surviving_place(end->root, &start->at)};
    collect_steps(arena, end, out);
    collect_params(arena, end->fresh, out);
    out->call_text = trimmed(arena, text);
}

typedef struct Task {                    /* arguments of run_task, which runs protected */
    const char *function;                /* of the library: run or lower */
    const char *text;                    /* may be NULL */
    Arena *arena;
    Cursor start;
    StrategyResult *out;
} Task;

/* Calls engine.FUNCTION(text, cursor), which returns cursor, is_rule, macro name; or nil with the error in the diag. */
static int run_task(lua_State *L)
{
    Task *task = lua_touserdata(L, 1);
    push_library(L, task->function);
    lua_pushstring(L, task->text);
    push_cursor(L, &task->start);
    lua_call(L, 2, 3);
    if (lua_isnil(L, -3)) return 0;
    const Cursor *end = check_cursor(L, -3);
    const char *macro = lua_tostring(L, -1);
    collect(task->arena, task->text ? task->text : "lower", &task->start, end, task->out);
    if (macro) task->out->macro = arena_strdup(task->arena, macro);
    if (lua_toboolean(L, -2) && task->out->step_count == 1) task->out->call_text = task->out->steps[0].call_text;
    task->start.next_param = end->next_param;
    return 0;
}

static bool perform(Strategies *s, RewriteEnv *env, const LowerHints *hints, Task *task)
{
    RewriteEnv inner = *env;
    strategies_serve_conditions(s, &inner);
    Call call = begin_call(s, task->arena, &inner, hints, NULL);
    task->start.run = s->run.serial;
    task->start.next_param = env->next_param;
    forget_patterns(call.L);
    lua_pushcfunction(call.L, run_task);
    lua_pushlightuserdata(call.L, task);
    if (!end_call(&call, lua_pcall(call.L, 1, 0, 0))) return false;
    env->next_param = task->start.next_param;
    return true;
}

bool strategy_run(Strategies *s, RewriteEnv *env, Arena *arena, const char *lua_text,
                  const Term *root, const Path *at, StrategyResult *out)
{
    Task task = {"run", lua_text, arena, {.root = root, .at = *at}, out};
    const Term *t = path_term(root, at);
    if (!t || t->kind == T_LAM) {
        diag_clear(&s->c->diag);
        diag_error(&s->c->diag, E11, "rules apply to values, not to a function; add /body to the path");
        return false;
    }
    return perform(s, env, NULL, &task);
}

/* E51 says what a term lacks that is not kept: the places are not the user's, and `lower` is no advice. */
static void lowering_failed(Strategies *s, const char *lua_text)
{
    Diag *d = &s->c->diag, e;
    diag_init(&e);
    int nodes = d->note_count - (d->note_count && !strcmp(d->notes[d->note_count - 1].label, "or"));
    diag_error(&e, E51, "%s leaves high-level nodes; nothing was kept", lua_text ? lua_text : "lower");
    for (int i = 0; i < nodes; i++) {
        const char *text = d->notes[i].text, *moves = strstr(text, "      moves /");
        diag_note(&e, d->notes[i].label, "%.*s", moves ? (int)(moves - text) : (int)strlen(text), text);
    }
    if (lua_text) diag_note(&e, "try", "lower (%s) * lower", lua_text);
    else diag_note(&e, "try", "map them by hand, then lower: the places are those of the term that lower reached");
    diag_copy(d, &e);
    diag_free(&e);
}

bool strategy_lower(Strategies *s, RewriteEnv *env, Arena *arena, const char *lua_text, const LowerHints *hints,
                    const Term *root, StrategyResult *out)
{
    Task task = {"lower", lua_text, arena, {.root = root}, out};
    int next_param = env->next_param;
    if (!perform(s, env, hints, &task)) return false;
    if (plan_is_lowered(s->c, out->root)) return true;
    lowering_failed(s, lua_text);
    env->next_param = next_param;
    return false;
}

/* ---- a result as a step of the session ---- */

static SubStep sub_step(const StrategyStep *from, Arena *arena)
{
    PlaceRef *at = arena_alloc(arena, sizeof *at + from->at.length);
    at->length = from->at.length;
    memcpy(at->slots, from->at.slots, at->length);
    SubStep sub = {.call = from->call_text, .at = at, .trust = from->rule->trust, .root = from->root, .rule = from->rule,
                   .fact_count = from->fact_count, .next_param = from->next_param};
    memcpy(sub.args, from->args, sizeof sub.args);
    return sub;
}

void strategy_new_step(const StrategyResult *r, bool lowering, const Path *asked, int next_param, Arena *arena, NewStep *out)
{
    SubStep *subs = NEW_ARRAY(arena, SubStep, r->step_count);
    for (int i = 0; i < r->step_count; i++) subs[i] = sub_step(&r->steps[i], arena);
    *out = (NewStep){
        .kind = lowering ? STEP_LOWER : r->macro || r->step_count != 1 ? STEP_MACRO : STEP_RULE, .root = r->root,
        .call = r->call_text, .at = lowering ? NULL : r->step_count == 1 ? &r->steps[0].at : asked, .trust = r->trust,
        .next_param = next_param, .fact_count = r->fact_count, .facts = r->facts, .sub_count = r->step_count, .subs = subs,
    };
}

/* ---- Lua functions as conditions of rules ---- */

typedef struct Condition {
    const char *name;
    const Term *const *args;
    int n;
    bool verdict;
    const char *why;
    Arena *arena;
} Condition;

static int run_condition(lua_State *L)
{
    Condition *k = lua_touserdata(L, 1);
    push_library(L, "condition");
    lua_pushstring(L, k->name);
    for (int i = 0; i < k->n; i++) push_term(L, k->args[i]);
    lua_call(L, k->n + 1, 2);
    k->verdict = lua_toboolean(L, -2);
    const char *why = lua_tostring(L, -1);
    if (why) k->why = arena_strdup(k->arena, why);
    return 0;
}

static bool condition(void *data, const char *name, const Term *const *args, int n, const char **why)
{
    Strategies *s = data;
    Condition k = {name, args, n, false, NULL, s->run.arena ? s->run.arena : s->c->diag.arena};
    lua_State *L = s->current;
    int top = lua_gettop(L);
    if (!s->run.env) s->run.instructions = s->limits.instructions;
    lua_pushcfunction(L, run_condition);
    lua_pushlightuserdata(L, &k);
    if (lua_pcall(L, 1, 0, 0) != LUA_OK) {
        const char *text = lua_tostring(L, -1);
        k.why = arena_strdup(k.arena, text ? text : "the Lua function failed");
    }
    lua_settop(L, top);
    if (why) *why = k.why;
    return k.verdict;
}

void strategies_serve_conditions(Strategies *s, RewriteEnv *env)
{
    if (env->call) return;
    env->call = condition;
    env->call_data = s;
}

/* ---- user macros ---- */

bool strategies_define(Strategies *s, const char *text)
{
    Arena *scratch = arena_new();
    Call call = begin_call(s, scratch, NULL, NULL, NULL);
    s->run.instructions = s->limits.instructions;
    push_library(call.L, "define_macro");
    lua_pushstring(call.L, text);
    bool ok = end_call(&call, lua_pcall(call.L, 1, 0, 0));
    arena_free(scratch);
    return ok;
}

bool strategies_remove(Strategies *s, const char *name)
{
    for (int i = 0; i < s->names.n; i++) {
        if (strcmp(s->names.v[i]->name, name) || !s->names.v[i]->user) continue;
        memmove(s->names.v + i, s->names.v + i + 1, (size_t)(s->names.n - i - 1) * sizeof *s->names.v);
        s->names.n--;
        Call call = begin_call(s, NULL, NULL, NULL, NULL);
        push_library(call.L, "remove_macro");
        lua_pushstring(call.L, name);
        return end_call(&call, lua_pcall(call.L, 1, 0, 0));
    }
    return false;
}

/* ---- the `lua` and `=` commands ---- */

void strategies_restrict(Strategies *s)
{
    s->restricted = true;
    Call call = begin_call(s, NULL, NULL, NULL, NULL);
    push_library(call.L, "restrict");
    end_call(&call, lua_pcall(call.L, 0, 0, 0));
}

bool strategies_lua(Strategies *s, const char *text, const char *name, bool expression, Buf *out)
{
    Arena *scratch = arena_new();
    Call call = begin_call(s, scratch, NULL, NULL, out);
    push_library(call.L, "lua");
    lua_pushstring(call.L, text);
    lua_pushstring(call.L, name);
    lua_pushboolean(call.L, expression);
    bool ok = end_call(&call, lua_pcall(call.L, 3, 0, 0));
    arena_free(scratch);
    return ok;
}

static bool ends_early(const char *message)
{
    size_t n = strlen(message);
    return n >= 5 && !strcmp(message + n - 5, "<eof>");
}

bool strategies_text_incomplete(Strategies *s, const char *text, bool expression)
{
    lua_State *L = s->current;
    int top = lua_gettop(L);
    const char *chunk = expression ? lua_pushfstring(L, "return %s", text) : lua_pushstring(L, text);
    int status = luaL_loadbufferx(L, chunk, strlen(chunk), "=text", "t");
    bool early = status == LUA_ERRSYNTAX && ends_early(lua_tostring(L, -1));
    lua_settop(L, top);
    return early;
}
