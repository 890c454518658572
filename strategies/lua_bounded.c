/* lua_bounded: functions of Lua's library that loop in C, over texts and tables of any length, charged to the fuel. */
#include "lua_private.h"

#include <limits.h>
#include <math.h>

enum {
    LARGE_SORT = 10000,                  /* elements */
    ELEMENT = 8,                         /* units of work for one that is moved */
    MOST_ELEMENTS = 1 << 28,             /* more than the memory limit lets a table have */
};
static const double SHORT = 0.1, INSTRUCTION = 5e-6, FRESH = 1;      /* ms: a call that is not charged for its time; a unit of work */

/* What this function is in the place of (wrap), with its arguments: called, or in its frame, so that errors name it as it is called. */
static void call_wrapped(lua_State *L, int results)
{
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, results);
}
static int wrapped(lua_State *L) { return lua_tocfunction(L, lua_upvalueindex(1))(L); }

/* So many elements are looked at or moved, which takes a time that nothing ends. */
static void charge_elements(lua_State *L, lua_Integer from, lua_Integer to)
{
    double n = (double)to - (double)from;
    if (n <= 0) return;
    spend_work(L, n < MOST_ELEMENTS ? ELEMENT * (int64_t)n : INT64_MAX);
    if (n >= MOST_ELEMENTS) luaL_error(L, "too many elements");
}

static lua_Integer length_of(lua_State *L) { return lua_istable(L, 1) ? luaL_len(L, 1) : 0; }

static int table_insert(lua_State *L)
{
    if (lua_gettop(L) == 3) charge_elements(L, lua_tointeger(L, 2), length_of(L));
    return wrapped(L);
}

static int table_remove(lua_State *L)
{
    if (lua_gettop(L) > 1) charge_elements(L, lua_tointeger(L, 2), length_of(L));
    return wrapped(L);
}

static int table_move(lua_State *L)
{
    lua_Integer from = luaL_checkinteger(L, 2), to = luaL_checkinteger(L, 3), at = luaL_checkinteger(L, 4);
    bool refused = to >= from && ((from <= 0 && to >= LUA_MAXINTEGER + from) || at > LUA_MAXINTEGER - (to - from));      /* by Lua's own, at once */
    if (!refused) charge_elements(L, from, to);
    return wrapped(L);
}

/* concat(t[, between[, from[, to]]]): an element may be worked out by a function in C, without an instruction. */
static int table_concat(lua_State *L)
{
    charge_elements(L, luaL_optinteger(L, 3, 1), lua_isnoneornil(L, 4) ? length_of(L) : luaL_checkinteger(L, 4));
    return wrapped(L);
}

static int less_than(lua_State *L)
{
    spend_work(L, 4);
    return lua_pushboolean(L, lua_compare(L, 1, 2, LUA_OPLT)), 1;
}

/* An order that is a function in C. */
static int before(lua_State *L)
{
    spend_work(L, 4);
    return call_wrapped(L, 1), 1;
}

/* Lua's own; an order that costs no instruction becomes one that is charged. */
static int table_sort(lua_State *L)
{
    lua_settop(L, 2);
    if (lua_isnil(L, 2) && luaL_len(L, 1) > LARGE_SORT) {
        lua_pushcfunction(L, less_than);
        lua_replace(L, 2);
    } else if (lua_iscfunction(L, 2)) {
        lua_pushvalue(L, 2);
        lua_pushcclosure(L, before, 1);
        lua_replace(L, 2);
    }
    return call_wrapped(L, 0), 0;
}

/* Lua's own; it copies nothing as often as it is told to. */
static int string_rep(lua_State *L)
{
    size_t length, between = 0;
    luaL_checklstring(L, 1, &length);
    lua_Integer n = luaL_checkinteger(L, 2);
    if (!lua_isnoneornil(L, 3)) luaL_checklstring(L, 3, &between);
    if (length + between == 0) return lua_pushliteral(L, ""), 1;
    lua_Integer units = n > INT_MAX ? INT_MAX : n;
    spend_work(L, units > 0 ? units * (lua_Integer)(1 + (length + between) / 64) / 8 : 0);
    return call_wrapped(L, 1), 1;
}

/* Charged is what this thread worked, not what it waited on a busy machine; its own clock is dear, and looked at once a FRESH. */
static int charged_call(lua_State *L)
{
    Strategies *s = self(L);
    double begun = clock_exact_ms();
    if (begun - s->run.looked > FRESH) s->run.looked = begun, s->run.worked = clock_thread_ms();
    call_wrapped(L, LUA_MULTRET);
    double took = clock_exact_ms() - begun;
    if (took > SHORT) spend_work(L, (int64_t)(fmax(0, fmin(took, clock_thread_ms() - s->run.worked)) / INSTRUCTION));
    return lua_gettop(L);
}

/* charged(f): a function of Lua's library that does what f does. Where one call takes long, over a text of megabytes, the
 * time is charged. */
int engine_charged(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TFUNCTION);
    lua_settop(L, 1);
    lua_pushcclosure(L, charged_call, 1);
    return 1;
}

/* The field of the table on the stack becomes f with what it was as an upvalue. */
static void wrap(lua_State *L, const char *name, lua_CFunction f)
{
    lua_getfield(L, -1, name);
    lua_pushcclosure(L, f, 1);
    lua_setfield(L, -2, name);
}

void open_bounded(lua_State *L)
{
    static const char *const timed[] = {"byte", "format", "lower", "pack", "packsize", "reverse", "unpack", "upper"};
    static const char *const timed_utf8[] = {"codepoint", "codes", "len", "offset"};
    lua_getglobal(L, "utf8");
    for (int i = 0; i < COUNT(timed_utf8); i++) wrap(L, timed_utf8[i], charged_call);
    lua_pop(L, 1);
    lua_getglobal(L, "string");
    luaL_setfuncs(L, pattern_functions, 0);
    for (int i = 0; i < COUNT(timed); i++) wrap(L, timed[i], charged_call);
    wrap(L, "rep", string_rep);
    lua_getglobal(L, "table");
    wrap(L, "insert", table_insert);
    wrap(L, "remove", table_remove);
    wrap(L, "move", table_move);
    wrap(L, "concat", table_concat);
    wrap(L, "sort", table_sort);
    lua_pop(L, 2);
}
