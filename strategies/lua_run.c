/* lua_run: running strategies, conditions, user macros and Lua text. */
#include "lua_private.h"
#include "store.h"

#include <string.h>

#include "plan.h"

/* ---- running ---- */

/* A use for the result, with those around it but `whole`; the same for all steps that are made in it. */
static const MacroUse *macro_use(Ctx *c, Arena *arena, Use *use, const Use *whole)
{
    if (!use || use == whole) return NULL;
    if (use->made) return use->made;
    MacroUse *made = NEW(arena, MacroUse);
    *made = (MacroUse){.call = arena_strdup(arena, use->label), .place = arena_strdup(arena, place_text(c, use->root, use->at)),
                       .outer = macro_use(c, arena, use->outer, whole)};
    made->depth = made->outer ? made->outer->depth + 1 : 0;
    return use->made = made;
}

/* The macro that all steps lie in, if it is the whole text. */
static const Use *whole_use(const Cursor *k, const char *macro)
{
    size_t n = macro ? strlen(macro) : 0;
    const Use *whole = k->last ? outermost(k->last->within) : NULL;
    for (const Done *d = k->last; d; d = d->before)
        if (outermost(d->within) != whole) return NULL;
    return whole && macro && !strncmp(whole->label, macro, n) && (!whole->label[n] || strchr("({", whole->label[n])) ? whole : NULL;
}

/* Calls FUNCTION of texts.lua (strategy, cursor), which returns cursor, is_rule, macro name, label; or nil
 * with the error in the diag. */
static int run_task(lua_State *L)
{
    Task *task = lua_touserdata(L, 1);
    forget_patterns(L);
    push_library(L, "texts", task->function);
    if (task->text) lua_pushstring(L, task->text);
    else lua_pushvalue(L, 2);
    push_cursor(L, &task->start);
    lua_call(L, 2, 4);
    if (lua_isnil(L, -4)) return 0;
    const Cursor *end = check_cursor(L, -4);
    const char *macro = lua_tostring(L, -2);
    const char *text = task->text ? task->text : lua_tostring(L, -1);
    const Use *whole = whole_use(end, macro);
    StrategyResult *out = task->out;
    *out = (StrategyResult){.root = end->root, .focus = task->start.at, .step_count = end->last ? end->last->count : 0,
                            .call_text = arena_trimmed(task->arena, text, text + strlen(text)), .macro = macro ? arena_strdup(task->arena, macro) : NULL};
    for (const Term *t; !(t = path_term(out->root, &out->focus)) || t->kind == T_LAM;) out->focus.length--;
    out->steps = NEW_ARRAY(task->arena, SubStep, out->step_count);
    for (const Done *d = end->last; d; d = d->before) {
        SubStep *step = &out->steps[d->count - 1];
        *step = d->step;
        step->within = macro_use(self(L)->c, task->arena, d->within, whole);
        if (step->trust > out->trust) out->trust = step->trust;
    }
    out->facts = all_facts(end, task->arena, &out->fact_count);
    const Fresh *f = end->fresh;
    out->new_param_count = f ? f->count : 0;
    out->new_params = NEW_ARRAY(task->arena, const char *, out->new_param_count);
    for (; f; f = f->before) out->new_params[f->count - 1] = f->name;
    if (lua_toboolean(L, -3) && out->step_count == 1) out->call_text = out->steps[0].call;
    task->start.next_param = end->next_param;
    return 0;
}

bool perform(Strategies *s, RewriteEnv *env, const LowerHints *hints, Task *task)
{
    RewriteEnv inner = *env;
    Diag *d = &s->c->diag;
    const Term *t = path_term(task->start.root, &task->start.at);
    if (!t || t->kind == T_LAM) {
        diag_clear(d);
        const char *place = path_text(s->c, task->start.root, &task->start.at);
        diag_error(d, E11, "rules apply to values; %s is a function", place);
        diag_note(d, "hint", "what it computes is at %s/body", place);
        return false;
    }
    strategies_serve_conditions(s, &inner);
    Call call = begin_call(s, task->arena, &inner, hints, NULL);
    task->start.run = s->run.serial;
    task->start.next_param = env->next_param;
    lua_pushcfunction(call.L, run_task);
    lua_pushlightuserdata(call.L, task);
    if (task->value) lua_pushvalue(call.L, task->value);
    else lua_pushnil(call.L);
    int status = lua_pcall(call.L, 2, 0, 0);
    task->attempts = s->limits.attempts - s->run.attempts;
    /* The recorded run is closed while its places can still be asked about, which costs no fuel. */
    if (s->recording) {
        Diag kept = diag_aside(d);
        s->run.exhausted = NULL;
        s->run.instructions = -1;
        if (call_library(call.L, 0, "trace", "trace_end", "") != LUA_OK) lua_pop(call.L, 1);
        diag_back(d, kept);
    }
    if (!end_call(&call, status)) return false;
    env->next_param = task->start.next_param;
    return true;
}

bool perform_lowering(Strategies *s, RewriteEnv *env, const LowerHints *hints, Task *task)
{
    int next_param = env->next_param;
    if (!perform(s, env, hints, task)) return false;
    if (plan_is_lowered(s->c, task->out->root)) return true;
    /* E51 says what a term lacks that is not kept: the places are not the user's, and `lower` is no advice. */
    const char *lua_text = task->text || task->value ? task->out->call_text : NULL;
    Diag *d = &s->c->diag, e;
    e = diag_new();
    int nodes = d->note_count - (d->note_count && !strcmp(d->notes[d->note_count - 1].label, "or"));
    diag_error(&e, E51, "%s leaves high-level nodes; nothing was kept", lua_text ? lua_text : "lower");
    for (int i = 0; i < nodes; i++) {
        const char *text = d->notes[i].text, *moves = strstr(text, "      moves /");
        diag_note(&e, d->notes[i].label, "%.*s", moves ? (int)(moves - text) : (int)strlen(text), text);
    }
    if (lua_text) diag_note(&e, "try", "lower (%s) * lower", lua_text);
    else diag_note(&e, "hint", "map them by hand, then lower: the places are those of the term that lower reached");
    diag_copy(d, &e);
    diag_free(&e);
    env->next_param = next_param;
    return false;
}

bool strategy_run(Strategies *s, RewriteEnv *env, Arena *arena, const char *lua_text, const LowerHints *hints,
                  const Term *root, const Path *at, StrategyResult *out)
{
    Task task = {.function = "run", .text = lua_text, .arena = arena, .start = {.root = root, .at = *at}, .out = out};
    return perform(s, env, hints, &task);
}

bool strategy_lower(Strategies *s, RewriteEnv *env, Arena *arena, const char *lua_text, const LowerHints *hints,
                    const Term *root, StrategyResult *out)
{
    Task task = {.function = "lower", .text = lua_text, .arena = arena, .start = {.root = root}, .out = out};
    return perform_lowering(s, env, hints, &task);
}

/* A call beside whatever is under way: an error of its own is dropped. end_aside must follow. */
static Call begin_aside(Strategies *s, Diag *saved)
{
    *saved = diag_aside(&s->c->diag);
    return begin_call(s, arena_new(), NULL, NULL, NULL);
}

static void end_aside(Call *call, int status, Diag saved)
{
    Arena *scratch = call->s->run.arena;
    end_call(call, status);
    arena_free(scratch);
    diag_back(&call->s->c->diag, saved);
}

/* ---- traces: kept by the library ---- */

void strategies_record(Strategies *s, bool on) { call_text(s, false, NULL, "trace", "record", "b", on); }

bool strategies_recorded(Strategies *s, int depth, bool unicode, Buf *out, json_t **json)
{
    Diag saved;
    Call call = begin_aside(s, &saved);          /* a failed run is printed too, before its error */
    int status = call_library(call.L, 2, "trace", "trace_text", "ib", depth, unicode);
    bool ok = status == LUA_OK && lua_isstring(call.L, -2);
    if (ok && out) buf_puts(out, lua_tostring(call.L, -2));
    if (ok && json) *json = to_json(call.L, -1);
    end_aside(&call, status, saved);
    return ok;
}

/* ---- a result as a step of the session ---- */

void strategy_new_step(const StrategyResult *r, bool lowering, const Path *asked, int next_param, Arena *arena, NewStep *out)
{
    bool single = r->step_count == 1;
    Path *own = single ? NEW(arena, Path) : NULL;
    if (single) *own = place_path(r->steps[0].at);
    *out = (NewStep){
        .kind = lowering ? STEP_LOWER : r->macro || !single ? STEP_MACRO : STEP_RULE, .root = r->root, .call = r->call_text,
        .at = lowering ? NULL : single ? own : asked, .trust = r->trust, .next_param = next_param, .fact_count = r->fact_count,
        .facts = r->facts, .sub_count = r->step_count, .subs = r->steps,
    };
}

/* ---- Lua functions as conditions of rules ---- */

typedef struct Condition {
    const char *name;
    const ConditionArg *args;
    int n;
    bool verdict, missing;
    const char *why;
    Arena *arena;
} Condition;

static int run_condition(lua_State *L)
{
    Condition *k = lua_touserdata(L, 1);
    push_library(L, "texts", "condition");
    lua_pushstring(L, k->name);
    for (int i = 0; i < k->n; i++) {
        const ConditionArg *a = &k->args[i];
        if (a->term) push_term(L, a->term);
        else if (a->size->is_const) lua_pushinteger(L, a->size->value);
        else push_nat(L, a->size);
    }
    skip_time(self(L));
    lua_call(L, k->n + 1, 3);
    spend_work(L, 0);
    k->verdict = lua_toboolean(L, -3);
    k->missing = lua_toboolean(L, -1);
    const char *why = lua_tostring(L, -2);
    if (why) k->why = arena_strdup(k->arena, why);
    return 0;
}

static bool condition(void *data, const char *name, const ConditionArg *args, int n, const char **why)
{
    Strategies *s = data;
    Condition k = {name, args, n, .arena = s->run.arena ? s->run.arena : s->c->diag.arena};
    lua_State *L = s->current;
    Run outside = s->run;                /* a condition is fuelled where no strategy runs, too */
    if (!outside.env) s->run.instructions = s->limits.instructions;
    if (call_with(L, run_condition, &k, 0) != LUA_OK) {
        const char *text = lua_tostring(L, -1);
        k.why = arena_strdup(k.arena, text ? text : "the Lua function failed");
        watch(L);
        lua_pop(L, 1);
        if (!outside.env) shed_foreign(s, L);
    }
    if (!outside.env) s->run = outside;
    if (k.missing && s->other) return condition(s->other, name, args, n, why);
    if (why) *why = k.why;
    return k.verdict;
}

void strategies_ask_other(Strategies *s, Strategies *other) { s->other = other; }

void strategies_serve_session(Strategies *s, Session *session) { session_serve(session, condition, s); }

void strategies_serve_conditions(Strategies *s, RewriteEnv *env)
{
    if (env->call) return;
    env->call = condition;
    env->call_data = s;
}

/* The context of the terms that conditions are asked about, until the next call. */
static void ask_in(void *data, Ctx *c)
{
    Strategies *s = data;
    if (s->own) s->epoch++, s->c = s->own;
    s->own = c ? s->c : NULL;
    if (c) s->c = c;
    if (s->other) ask_in(s->other, c);
}

const CheckOracle *strategies_oracle(Strategies *s)
{
    s->oracle = (CheckOracle){condition, ask_in, s};
    return &s->oracle;
}

/* ---- user macros ---- */

bool strategies_define(Strategies *s, const char *text) { return call_text(s, true, NULL, "texts", "define_macro", "s", text); }

/* ---- Lua in session files (serialised.lua, sandbox.lua) ---- */

typedef VEC(const char *) Names;

/* Those of functions in the conditions of a rule. */
static void add_condition_names(const Rule *r, Names *out)
{
    for (int k = 0; k < r->ast->cond_count; k++)
        if (r->ast->conds[k]->kind == COND_CALL) vec_push(out, r->ast->conds[k]->name);
}

int strategies_kept(Strategies *s, const Rule *only, Arena *arena, StoreItem **out)
{
    LOCAL(drop) Names names = {0};
    const Rule *r = only;
    for (int i = 0; only ? i == 0 : (r = rules_user(s->rules, i)) != NULL; i++) add_condition_names(r, &names);
    Diag saved;
    Call call = begin_aside(s, &saved);
    int status = call_library(call.L, 1, "serialised", "needed", "lb", names.v, names.n, !only);
    int count = status == LUA_OK ? (int)lua_rawlen(call.L, -1) : 0;
    *out = NEW_ARRAY(arena, StoreItem, count);
    for (int i = 0; i < count; i++, lua_pop(call.L, 1)) {
        lua_rawgeti(call.L, -1, i + 1);
        (*out)[i] = (StoreItem){"lua", field_text(call.L, arena, "name"), field_text(call.L, arena, "text")};
    }
    end_aside(&call, status, saved);
    return count;
}

Asked strategies_asked(Strategies *s, const Rule *rule, Arena *arena)
{
    LOCAL(drop) Names names = {0};
    Asked own = {.unseen = "more than can be followed"};           /* unless it is followed */
    Diag saved;
    add_condition_names(rule, &names);
    Call call = begin_aside(s, &saved);
    int status = call_library(call.L, 3, "dependencies", "text", "l", names.v, names.n);
    if (status == LUA_OK) {
        size_t n;
        const char *text = lua_tolstring(call.L, -3, &n), *unseen = lua_tostring(call.L, -1);
        own = (Asked){hash_bytes(1, text, n), (int)lua_tointeger(call.L, -2), unseen ? arena_strdup(arena, unseen) : NULL};
    }
    end_aside(&call, status, saved);
    if (!s->other) return own;
    Asked more = strategies_asked(s->other, rule, arena);
    return (Asked){hash_mix(own.hash, more.hash), own.chunks + more.chunks, own.unseen ? own.unseen : more.unseen};
}

bool strategies_reopen(Strategies *s, const StoreItem *item, Buf *made)
{
    s->foreign = true;
    if (strcmp(item->kind, "lua")) return call_text(s, true, NULL, "sandbox", "reopen_macro", "s", item->text);
    return call_text(s, true, made, "sandbox", "reopen", "ss", item->name, item->text);
}

/* ---- the `lua` and `=` commands ---- */

void strategies_restrict(Strategies *s) { call_text(s, false, NULL, "session", "restrict", ""); }

/* What the command reported whose failure is on the stack; NULL: nothing, or it is no failure. */
static json_t *report_of(lua_State *L)
{
    if (!lua_istable(L, -1)) return NULL;
    lua_pushliteral(L, "report");
    json_t *report = lua_rawget(L, -2) == LUA_TTABLE ? to_json(L, -1) : NULL;
    lua_pop(L, 1);
    return report;
}

bool strategies_lua(Strategies *s, const LuaChunk *chunk)
{
    LOCAL(drop_arena) Arena *scratch = arena_new();
    int n = 0;
    while (chunk->args && chunk->args[n]) n++;
    Call call = begin_call(s, scratch, NULL, NULL, chunk->out);
    int status = call_library(call.L, 1, "session", "lua", "ssbl", chunk->text, chunk->name, chunk->expression, chunk->args, n);
    if (status == LUA_OK && chunk->values && lua_istable(call.L, -1)) *chunk->values = to_json(call.L, -1);
    if (status != LUA_OK && chunk->values) *chunk->values = report_of(call.L);
    if (status != LUA_OK) to_diag(s, call.L, status);
    if (s->run.where) diag_note(&s->c->diag, "in", "%s", s->run.where);
    bool ok = end_call(&call, LUA_OK), stopped = stop_of(s) && *stop_of(s);
    if (stopped) lua_gc(s->current, LUA_GCCOLLECT);  /* a program that it started ends with it, where nothing has its file any more */
    return ok;
}

const char **strategies_members(Strategies *s, const char *path, Arena *arena, int *n)
{
    Call call = begin_call(s, NULL, NULL, NULL, NULL);
    s->run.instructions = s->limits.instructions;
    bool ok = call_library(call.L, 1, "session", "members", "s", path) == LUA_OK && lua_istable(call.L, -1);
    *n = ok ? (int)lua_rawlen(call.L, -1) : 0;
    const char **names = NEW_ARRAY(arena, const char *, *n);
    for (int i = 0; i < *n; i++, lua_pop(call.L, 1)) {
        lua_rawgeti(call.L, -1, i + 1);
        names[i] = arena_strdup(arena, lua_tostring(call.L, -1));
    }
    end_call(&call, LUA_OK);
    diag_clear(&s->c->diag);
    return names;
}

bool strategies_text_incomplete(Strategies *s, const char *text, bool expression)
{
    lua_State *L = s->current;
    int top = lua_gettop(L);
    const char *chunk = expression ? lua_pushfstring(L, "return %s", text) : lua_pushstring(L, text);
    int status = luaL_loadbufferx(L, chunk, strlen(chunk), "=text", "t");
    size_t n = 0;
    const char *message = status == LUA_ERRSYNTAX ? lua_tolstring(L, -1, &n) : NULL;
    bool early = n >= 5 && !strcmp(message + n - 5, "<eof>");
    lua_settop(L, top);
    return early;
}
