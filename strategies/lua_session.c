/* lua_session: the session for Lua: its commands, and versions as values that strategies run from. */
#include "lua_private.h"
#include "values.h"
#include "pattern.h"

#include <string.h>

Strategies *check_host(lua_State *L)
{
    Strategies *s = self(L);
    if (!s->session) luaL_error(L, "there is no session here");
    s->current = L;
    diag_clear(&s->c->diag);
    return s;
}

static Strategies *check_session(lua_State *L)
{
    Strategies *s = check_host(L);
    if (s->run.env) luaL_error(L, "a strategy cannot use the session");
    return s;
}

/* ---- commands ---- */

/* Pushes what the command printed and what it reported (nil: nothing); or nil and a failure, with `report` and `text` where a command
 * that fails has these. */
static int run_command(lua_State *L, const char *verb, const StrategyWord *words, int count)
{
    Strategies *s = check_session(L);
    if (!s->host.run) return diag_error(&s->c->diag, E05, "there are no commands here"), push_failure(L);
    Buf out = {0};
    json_t *report = NULL;
    bool ok = s->host.run(s->host.data, verb, words, count, &out, &report);
    lua_pushlstring(L, buf_text(&out), out.len);
    buf_free(&out);
    if (report) push_json(L, report);
    else lua_pushnil(L);
    json_decref(report);
    check_stop(L);
    if (ok) return 2;
    if (!diag_failed(&s->c->diag)) diag_error(&s->c->diag, E05, "%s failed; what it ran has said why", verb);
    push_failure(L);
    lua_pushvalue(L, -3);
    lua_setfield(L, -2, "report");
    lua_pushvalue(L, -4);
    lua_setfield(L, -2, "text");
    return 2;
}

/* command(verb, {{text = ...}, {flag = "deep", text = ""}, ...}): see run_command */
static int engine_command(lua_State *L)
{
    luaL_checktype(L, 2, LUA_TTABLE);
    int count = (int)lua_rawlen(L, 2);
    StrategyWord *words = lua_newuserdatauv(L, sizeof *words * (size_t)(count + 1), 0);
    for (int k = 0; k < count; k++) {
        lua_rawgeti(L, 2, k + 1);
        lua_getfield(L, -1, "flag");
        lua_getfield(L, -2, "text");
        const char *text = lua_tostring(L, -1);                          /* the table keeps them alive */
        words[k] = (StrategyWord){lua_tostring(L, -2), text ? text : ""};
        lua_pop(L, 3);
    }
    return run_command(L, luaL_checkstring(L, 1), words, count);
}

/* ---- versions ---- */

int push_version(lua_State *L, const Version *v)
{
    if (v) push_ref(L, v, CLASS_VERSION);
    else lua_pushnil(L);
    return 1;
}

static const Version *kept_ancestor(const Version *v)
{
    while (v->number < 0) v = v->from;
    return v;
}

static const Derivation *home(Strategies *s, const Version *v)
{
    const Version *kept = kept_ancestor(v);
    for (int i = 0; i < session_count(s->session); i++) {
        const Derivation *d = session_get(s->session, i);
        if (kept->number < d->versions.n && d->versions.v[kept->number] == kept) return d;
    }
    return NULL;
}

/* A version of the current program: what is done with it needs the program's sizes and definitions. */
const Version *check_current(lua_State *L, int i)
{
    Strategies *s = check_session(L);
    const Version *v = check_ref(L, i, CLASS_VERSION);
    const Derivation *d = home(s, v);
    if (!d) luaL_error(L, "@%d is no longer in its program's tree", kept_ancestor(v)->number);
    if (d != session_current(s->session)) {
        luaL_error(L, "@%d is a version of %s, which is not the current program; t.use(\"%s\") first",
                   kept_ancestor(v)->number, d->name, d->name);
    }
    return v;
}

/* version([ref]): the current one, or @12, @TAG ...; nil and a failure. */
static int engine_version(lua_State *L)
{
    Strategies *s = check_session(L);
    const Version *v = session_version(s->session);
    if (v && !lua_isnoneornil(L, 1)) v = session_ref(s->session, luaL_checkstring(L, 1));
    else if (!v) diag_error(&s->c->diag, E10, "no program is loaded");
    return v ? push_version(L, v) : push_failure(L);
}

/* ---- fields ---- */

static int push_path(lua_State *L, const Term *root, const PlaceRef *at) { return push_string(L, at ? place_text(self(L)->c, root, at) : NULL); }
static int push_place(lua_State *L, const Version *v) { return push_path(L, (v->from ? v->from : v)->root, v->at); }

/* The elementary rewrites inside the step that made it. */
static int push_steps(lua_State *L, const Version *v)
{
    const Term *before = v->from ? v->from->root : v->root;
    lua_newtable(L);
    for (int i = 0; i < v->sub_count; i++) {
        lua_newtable(L);
        set_text(L, "step", v->subs[i].call);
        push_path(L, before, v->subs[i].at);
        lua_setfield(L, -2, "place");
        set_text(L, "trust", trust_name(v->subs[i].trust));
        push_term(L, v->subs[i].root);
        lua_setfield(L, -2, "term");
        lua_newtable(L);
        for (const MacroUse *use = v->subs[i].within; use; use = use->outer) {
            lua_pushfstring(L, "%s at %s", use->call, use->place);
            lua_rawseti(L, -2, use->depth + 1);
        }
        lua_setfield(L, -2, "within");
        before = v->subs[i].root;
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

/* What the store holds of it, in order of time: a list of tables. */
static int push_results(lua_State *L, const Version *v)
{
    char text[32];
    snprintf(text, sizeof text, "version=%016llx", (unsigned long long)v->hash);
    const StrategyWord words[] = {{NULL, text}, {"sort", "id"}, {"limit", "0"}};
    run_command(L, "results", words, COUNT(words));
    if (lua_isnil(L, -2)) lua_newtable(L);
    else lua_getfield(L, -1, "items");
    return 1;
}

static int version_index(lua_State *L)
{
    const Version *v = check_ref(L, 1, CLASS_VERSION);
    Strategies *s = self(L);
    const Derivation *d;
    PrintOptions plain = {0};
    Buf b = {0};
    int n = 0;
    switch (class_field(L, CLASS_VERSION)) {
    case FIELD_VERSION_n: return push_integer(L, v->number >= 0, v->number);
    case FIELD_VERSION_hash: return buf_printf(&b, "%016llx", (unsigned long long)v->hash), push_buf(L, &b);
    case FIELD_VERSION_parent: return push_version(L, v->from);
    case FIELD_VERSION_children:
        d = home(s, v);
        lua_newtable(L);
        for (int i = v->number < 0 || !d ? -1 : v->first_child; i >= 0; i = d->versions.v[i]->next_sibling)
            push_version(L, d->versions.v[i]), lua_rawseti(L, -2, ++n);
        return 1;
    case FIELD_VERSION_step: return push_string(L, v->call);
    case FIELD_VERSION_kind: return push_string(L, step_kind_name(v->kind));
    case FIELD_VERSION_place: return push_place(L, v);
    case FIELD_VERSION_focus: return v->focus ? push_path(L, v->root, v->focus) : push_string(L, "/");
    case FIELD_VERSION_params:
        lua_createtable(L, 0, v->param_count);
        for (int i = 0; i < v->param_count; i++) {
            if (v->params[i].value) set_integer(L, v->params[i].name, v->params[i].value);
            else set_bool(L, v->params[i].name, false);
        }
        return 1;
    case FIELD_VERSION_trust: return push_string(L, trust_name(v->trust));
    case FIELD_VERSION_tag: return push_string(L, v->tag);
    case FIELD_VERSION_program: return push_string(L, (d = home(s, v)) ? d->name : NULL);
    case FIELD_VERSION_facts:
        PUSH_LIST(L, i, v->fact_count, fact_print(&v->facts[i], &b); push_buf(L, &b));
        return 1;
    case FIELD_VERSION_steps: return push_steps(L, v);
    case FIELD_VERSION_text: return lang_print(s->c, v->root, &plain, &b), push_buf(L, &b);
    case FIELD_VERSION_type: return push_string(L, type_text(s->c, v->root->type));
    case FIELD_VERSION_results: return push_results(L, v);
    }
    return 1;
}

static int version_tostring(lua_State *L)
{
    const Version *v = check_ref(L, 1, CLASS_VERSION);
    if (v->number >= 0) lua_pushfstring(L, "@%d  %s", v->number, v->call);
    else lua_pushfstring(L, "(not kept)  %s", v->call);
    push_place(L, v);
    if (lua_isnil(L, -1)) return lua_pop(L, 1), 1;
    lua_pushfstring(L, "%s  at %s", lua_tostring(L, -2), lua_tostring(L, -1));
    return 1;
}

/* ---- places ---- */

static bool to_place(lua_State *L, const Version *v, int i, Path *out)
{
    Strategies *s = self(L);
    const char *text = luaL_optstring(L, i, NULL);
    Path focus = place_path(v->focus);
    *out = focus;
    if (s->host.place) return s->host.place(s->host.data, v, text, out);
    return !text || path_parse(s->c, v->root, &focus, text, out);
}

/* v:term([place]): the subterm, of a function its body. */
static int version_term(lua_State *L)
{
    const Version *v = check_current(L, 1);
    Path p = {0};
    if (!lua_isnoneornil(L, 2) && !to_place(L, v, 2, &p)) return push_failure(L);
    push_term(L, path_term(v->root, value_place(v->root, &p)));
    return 1;
}

/* v:show([place]): the term there as text, at the session's width. */
static int version_show(lua_State *L)
{
    Strategies *s = self(L);
    const Version *v = check_current(L, 1);
    PrintOptions o = {.width = (int)session_setting_int(s->session, SET_WIDTH)};
    Path p = {0};
    Buf b = {0};
    if (!lua_isnoneornil(L, 2) && !to_place(L, v, 2, &p)) return push_failure(L);
    lang_print_at(s->c, v->root, p.slots, p.length, &o, &b);
    return push_buf(L, &b);
}

/* v:places(pattern[, under]): the places that match, as paths in pre-order; or nil and a failure. */
static int version_places(lua_State *L)
{
    Strategies *s = self(L);
    const Version *v = check_current(L, 1);
    const char *text = luaL_checkstring(L, 2);
    Path top = {0};
    int found = 0;
    if (!lua_isnoneornil(L, 3) && !to_place(L, v, 3, &top)) return push_failure(L);
    Source source = {"pattern", text, strlen(text)};
    LOCAL(drop_arena) Arena *arena = arena_new();
    SearchPattern *pattern = pattern_parse(s->c, arena, &source);
    Path p = *value_place(v->root, &top);
    lua_newtable(L);
    do
        if (pattern && pattern_matches(s->c, pattern, v->root, &p))
            push_string(L, path_text(s->c, v->root, &p)), lua_rawseti(L, -2, ++found);
    while (pattern && next_place(v->root, &top, &p, false));
    return pattern ? 1 : push_failure(L);
}

/* moves(v, [place[, deep]]): {{rule =, place =}, ...} for the rules that apply there, with deep also below. */
static int engine_moves(lua_State *L)
{
    Strategies *s = self(L);
    const Version *v = check_current(L, 1);
    LOCAL(scope_free) Scope scope = {0};
    RewriteEnv env;
    Path top;
    int found = 0;
    if (!to_place(L, v, 2, &top)) return push_failure(L);
    session_env(s->session, v, &scope, &env);
    strategies_serve_conditions(s, &env);
    LOCAL(drop_arena) Arena *arena = arena_new();
    Values values;
    session_given_values(s->session, v, arena, &values);
    env.value = values_of;
    env.value_data = &values;
    Path p = *value_place(v->root, &top);
    lua_newtable(L);
    do {
        for (int i = 0; i < rules_count(s->rules); i++) {
            const Rule *rule = rules_get(s->rules, i);
            if (rule_is_asked_for(rule) || !strategies_allowed(s, rule->name, true) || !rule_applies_now(&env, rule, v->root, &p)) continue;
            lua_createtable(L, 0, 2);
            set_text(L, "rule", rule->name);
            set_text(L, "place", path_text(s->c, v->root, &p));
            lua_rawseti(L, -2, ++found);
        }
        diag_clear(&s->c->diag);
    } while (lua_toboolean(L, 3) && next_place(v->root, &top, &p, false));
    return 1;
}

/* ---- making versions ---- */

/* rewritten(v, strategy or nil, place or nil, lowering, advise): a version that is not kept; v
 * itself when nothing changed. */
static int engine_rewritten(lua_State *L)
{
    Strategies *s = self(L);
    const Version *v = check_current(L, 1), *made = NULL;
    bool lowering = lua_toboolean(L, 4);
    Scope scope;
    RewriteEnv env;
    LowerHints hints = {0};
    StrategyResult result;
    Task task = {.function = lowering ? "lower" : "run", .value = lua_isnoneornil(L, 2) ? 0 : 2, .start.root = v->root, .out = &result};
    if (!session_may_step(s->session, v)) return push_failure(L);
    if (!lowering && !to_place(L, v, 3, &task.start.at)) return push_failure(L);
    task.arena = arena_new();
    session_env(s->session, v, &scope, &env);
    env.advise = lua_toboolean(L, 5);
    if (s->host.hints) s->host.hints(s->host.data, v, task.arena, &hints);
    bool ok = lowering ? perform_lowering(s, &env, &hints, &task) : perform(s, &env, &hints, &task);
    bool same = ok && result.root == v->root;          /* lowered it may be, and still make no kernels */
    ok = ok && ((same && !lowering) || !s->host.accept || s->host.accept(s->host.data, v, &result, lowering));
    if (ok && same) made = v;
    else if (ok) {
        NewStep step;
        strategy_new_step(&result, lowering, &task.start.at, env.next_param, task.arena, &step);
        made = session_make(s->session, v, &step);
    }
    scope_free(&scope);
    arena_free(task.arena);
    check_stop(L);
    return made ? push_version(L, made) : push_failure(L);
}

/* bound(v, {{name, value or false}, ...}, deep): v with these parameters bound or unbound, as one step, not kept. deep:
 * as in session_params_check */
static int engine_bound(lua_State *L)
{
    Strategies *s = self(L);
    const Version *v = check_current(L, 1);
    luaL_checktype(L, 2, LUA_TTABLE);
    int n = (int)lua_rawlen(L, 2);
    TuneParam *b = lua_newuserdatauv(L, sizeof *b * (size_t)(n + 1), 0);
    for (int i = 0; i < n; i++, lua_pop(L, 3)) {                                 /* the table keeps the name */
        lua_rawgeti(L, 2, i + 1);
        lua_rawgeti(L, -1, 1);
        lua_rawgeti(L, -2, 2);
        b[i] = (TuneParam){luaL_checkstring(L, -2), lua_toboolean(L, -1) ? luaL_checkinteger(L, -1) : 0};
        if (lua_toboolean(L, -1) && b[i].value == 0) b[i].value = PARAM_ZERO;
    }
    if (n == 0) return push_version(L, v);
    LOCAL(drop_arena) Arena *arena = arena_new();
    bool ok = session_may_step(s->session, v) && session_params_check(s->session, v, b, n, lua_toboolean(L, 3), arena);
    return ok ? push_version(L, session_make_params(s->session, v, b, n)) : push_failure(L);
}

void trial_values(Strategies *s, const Version *v, Arena *arena, Values *out)
{
    diag_clear(&s->c->diag);
    session_trial_values(s->session, v, arena, out);
    diag_clear(&s->c->diag);
}

/* v:legal(name): the legal values of a parameter, nil where they depend on sizes that are not set. */
static int version_legal(lua_State *L)
{
    Strategies *s = self(L);
    const Version *v = check_current(L, 1);
    const char *name = luaL_checkstring(L, 2);
    LOCAL(drop_arena) Arena *arena = arena_new();
    Values values;
    LegalValues legal = {0};
    trial_values(s, v, arena, &values);
    bool ok = session_legal(s->session, &values, name, arena, &legal);
    if (ok && legal.known) PUSH_LIST(L, i, legal.count, lua_pushinteger(L, legal.values[i]));
    else lua_pushnil(L);
    return ok ? 1 : push_failure(L);
}

static void keep_path(Session *s, const Version *v)
{
    if (v->number >= 0) return;
    keep_path(s, v->from);
    session_keep(s, (Version *)(uintptr_t)v);
}

/* v:keep([tag]): v, now in the tree, as are the versions it was made from. The current version stays. */
static int version_keep(lua_State *L)
{
    Strategies *s = self(L);
    const Version *v = check_current(L, 1);
    const char *tag = luaL_optstring(L, 2, NULL);
    if (tag && !session_tag_check(s->session, v->number, tag)) return push_failure(L);
    keep_path(s->session, v);
    if (tag) session_tag(s->session, v->number, tag);
    return push_version(L, v);
}

/* v:go(): v is the current version. It is kept if it was not. */
static int version_go(lua_State *L)
{
    Strategies *s = self(L);
    const Version *v = check_current(L, 1);
    keep_path(s->session, v);
    return session_goto(s->session, v->number) ? push_version(L, v) : push_failure(L);
}

/* v:best(ns): a search found it best, which took so long. */
static int version_best(lua_State *L)
{
    const Version *v = check_current(L, 1);
    session_note_best(self(L)->session, v, luaL_checknumber(L, 2));
    return 0;
}

const luaL_Reg version_methods[] = {
    {"__index", version_index}, {"__tostring", version_tostring}, {"term", version_term}, {"places", version_places},
    {"show", version_show}, {"legal", version_legal}, {"keep", version_keep}, {"go", version_go}, {"best", version_best}, {NULL, NULL},
};

/* methods(table): more methods of versions, written in Lua. */
static int engine_methods(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_getmetatable(L, "lathe.version");
    for (lua_pushnil(L); lua_next(L, 1);) {
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, -4);
    }
    return 0;
}

static int engine_is_version(lua_State *L) { return push_bool(L, test_class(L, 1, CLASS_VERSION)); }

/* verb(i): the i-th command's name, nil behind the last. */
static int engine_verb(lua_State *L)
{
    const StrategyHost *host = &self(L)->host;
    return push_string(L, host->verb ? host->verb((int)luaL_checkinteger(L, 1)) : NULL);
}

/* file(name): where it is */
static int engine_file(lua_State *L)
{
    const StrategyHost *host = &self(L)->host;
    const char *name = luaL_checkstring(L, 1);
    return push_string(L, host->file ? host->file(host->data, name) : name);
}

/* fields(value): the names of the fields and methods of a version, term, size or cursor. */
static int engine_fields(lua_State *L)
{
    lua_newtable(L);
    if (!lua_getmetatable(L, 1)) return 1;
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
        const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "_";
        if (*name == '_') continue;
        push_string(L, name);
        lua_rawseti(L, -5, (lua_Integer)lua_rawlen(L, -5) + 1);
    }
    return lua_pop(L, 1), 1;
}

const luaL_Reg session_functions[] = {
    {"command", engine_command}, {"version", engine_version}, {"rewritten", engine_rewritten}, {"bound", engine_bound},
    {"moves", engine_moves}, {"methods", engine_methods}, {"is_version", engine_is_version}, {"verb", engine_verb},
    {"file", engine_file},
    {"fields", engine_fields}, {NULL, NULL},
};
