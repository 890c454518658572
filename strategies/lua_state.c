/* lua_state: the Lua state, made of the functions that all other lua_*.c have for it; its output. */
#include "lua_private.h"

#include <lualib.h>
#include <stdlib.h>
#include <string.h>

/* ---- output and the session's verbs ---- */

/* tostring without addresses: two runs print the same. */
static const char *stable_text(lua_State *L, int i, size_t *length)
{
    int type = lua_type(L, i);
    bool address = type == LUA_TTABLE || type == LUA_TFUNCTION || type == LUA_TUSERDATA || type == LUA_TTHREAD;
    if (!address || luaL_getmetafield(L, i, "__tostring") != LUA_TNIL) {
        if (address) lua_pop(L, 1);
        return luaL_tolstring(L, i, length);
    }
    lua_pushfstring(L, "(%s)", lua_typename(L, type));
    return lua_tolstring(L, -1, length);
}

static int engine_tostring(lua_State *L) { return luaL_checkany(L, 1), stable_text(L, 1, NULL), 1; }

static int engine_print(lua_State *L)
{
    Strategies *s = self(L);
    Buf *out = s->run.out;
    int n = lua_gettop(L);
    for (int i = 1; out && i <= n; i++) {
        size_t length;
        const char *text = stable_text(L, i, &length);
        if (i > 1) buf_putc(out, '\t');
        buf_write(out, text, length);
        lua_pop(L, 1);
    }
    if (out) buf_putc(out, '\n');
    if (out && s->host.printed) s->host.printed(s->host.data);
    return 0;
}

/* io.write, in whose place it is: to standard output it is print without what that puts between and behind. */
static int io_write(lua_State *L)
{
    Strategies *s = self(L);
    Buf *out = s->run.out;
    lua_pushvalue(L, lua_upvalueindex(2));
    lua_call(L, 0, 1);
    bool here = out && lua_rawequal(L, -1, lua_upvalueindex(3));
    lua_pop(L, 1);
    if (!here) return lua_tocfunction(L, lua_upvalueindex(1))(L);
    for (int i = 1; i <= lua_gettop(L); i++) {
        size_t length;
        const char *text = luaL_checklstring(L, i, &length);
        buf_write(out, text, length);
    }
    if (s->host.printed) s->host.printed(s->host.data);
    lua_pushvalue(L, lua_upvalueindex(3));
    return 1;
}

static void open_output(lua_State *L)
{
    static const char *const upvalues[] = {"write", "output", "stdout"};
    lua_getglobal(L, "io");
    for (int i = 0; i < COUNT(upvalues); i++) lua_getfield(L, -1 - i, upvalues[i]);
    lua_pushcclosure(L, io_write, COUNT(upvalues));
    lua_setfield(L, -2, "write");
    lua_pop(L, 1);
}

static int engine_is_cursor(lua_State *L) { return push_bool(L, test_class(L, 1, CLASS_CURSOR)); }
static int engine_nested(lua_State *L) { return push_bool(L, self(L)->run.nested); }

/* recording(on): whether the runs that follow are recorded (trace.lua). */
static int engine_recording(lua_State *L) { return self(L)->recording = lua_toboolean(L, 1), 0; }

/* told(): is every attempt recorded or told of, also one that can only fail? */
static int engine_told(lua_State *L) { return push_bool(L, self(L)->recording || self(L)->traced); }

static const luaL_Reg state_functions[] = {
    {"print", engine_print}, {"tostring", engine_tostring}, {"is_cursor", engine_is_cursor},
    {"nested", engine_nested}, {"charged", engine_charged}, {"recording", engine_recording}, {"told", engine_told}, {NULL, NULL},
};

/* ---- making the state ---- */

static void push_engine(lua_State *L)
{
    const luaL_Reg *const tables[] = {error_functions, rule_functions, name_functions, session_functions, search_functions, tune_functions,
                                      feature_functions, explore_functions, library_functions, state_functions};
    lua_newtable(L);
    for (int i = 0; i < COUNT(tables); i++) luaL_setfuncs(L, tables[i], 0);
}

static int open_state(lua_State *L)
{
    luaL_openlibs(L);
    open_bounded(L);
    open_output(L);
    open_programs(L);
    make_cache(L);
    forget_patterns(L);
    make_class(L, CLASS_TERM, term_methods);
    make_class(L, CLASS_SIZE, size_methods);
    make_class(L, CLASS_CURSOR, cursor_methods);
    make_class(L, CLASS_VERSION, version_methods);
    make_class(L, CLASS_SPACE, space_methods);
    push_engine(L);
    open_library(L);
    name_library(self(L));
    return 0;
}

/* check_library(name, text): the library's files, and one more as if it were of them */
static int check_library(lua_State *L)
{
    int n = 0;
    push_library(L, "library", "check");
    lua_newtable(L);
    for (const EmbeddedText *e = embedded_lua; e->name; e++) {
        push_file(L, e, true);
        lua_rawseti(L, -2, ++n);
    }
    if (!lua_isnoneornil(L, 2)) {
        const char *text = lua_tostring(L, 2);
        if (luaL_loadbufferx(L, text, strlen(text), lua_pushfstring(L, "=%s", lua_tostring(L, 1)), "t") != LUA_OK) lua_error(L);
        lua_rawseti(L, -3, ++n);
        lua_pop(L, 1);
    }
    lua_call(L, 1, 0);
    return 0;
}

/* A function of C called with two texts: false and an error of Lua's, or of what it called. */
static bool call_plainly(Strategies *s, lua_CFunction f, const char *one, const char *two)
{
    lua_pushcfunction(s->lua, f);
    lua_pushstring(s->lua, one);
    lua_pushstring(s->lua, two);
    int status = lua_pcall(s->lua, 2, 0, 0);
    if (status != LUA_OK) to_diag(s, s->lua, status);
    return status == LUA_OK;
}

bool strategies_check(Strategies *s, const char *name, const char *text) { return call_plainly(s, check_library, name, text); }

Strategies *strategies_new(Ctx *c, Rules *rules, const Defs *defs)
{
    Strategies *s = mem_alloc(sizeof *s);
    *s = (Strategies){.c = c, .rules = rules, .defs = defs, .arena = arena_new(), .limits = default_limits,
                      .run.instructions = -1, .epoch = 1};
    s->lua = s->current = lua_newstate(fuel_allocate, s);
    if (!s->lua) {
        diag_error(&c->diag, E25, "no memory for Lua");
        strategies_free(s);
        return NULL;
    }
    *(Strategies **)lua_getextraspace(s->lua) = s;
    if (!call_plainly(s, open_state, NULL, NULL)) {
        strategies_free(s);
        return NULL;
    }
    watch(s->lua);
    return s;
}

void strategies_free(Strategies *s)
{
    if (!s) return;
    if (s->lua) lua_close(s->lua);
    free(s->names.v);
    free((char *)s->traced);
    arena_free(s->arena);
    arena_free(s->plan);
    free(s);
}

void strategies_trace(Strategies *s, const char *rule, StrategyTrace *trace, void *data)
{
    free((char *)s->traced);
    s->traced = rule ? strdup(rule) : NULL;
    s->trace = trace;
    s->trace_data = data;
}

void strategies_host(Strategies *s, const StrategyHost *host, Session *session)
{
    s->host = *host;
    s->session = session;
    strategies_serve_session(s, session);
    strategies_ask_session(s, session);
}
