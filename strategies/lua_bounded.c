/* lua_bounded: functions of Lua's library that loop in C, over texts and tables of any length, charged to the fuel. */
#include "lua_private.h"

#include <limits.h>

enum {
    LARGE_SORT = 10000,                  /* elements */
    ELEMENT = 8,                         /* units of work for one that is moved */
};
static const double SHORT = 0.1, INSTRUCTION = 5e-6;     /* ms: a call that is not charged for its time; a unit of work */

/* Calls what this function is in the place of (wrap) with its arguments. */
static void call_wrapped(lua_State *L, int results)
{
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, results);
}

/* Charges the elements moved, once there are many; what is not charged yet is returned. */
static lua_Integer moved(lua_State *L, lua_Integer count)
{
    if (count < HOOK_INSTRUCTIONS) return count;
    spend_work(L, ELEMENT * count);
    return 0;
}

/* n elements of the table at `from`, from the i-th on, to that at `to`, from the k-th on; the last first where they would be in each
 * other's way. */
static void move_all(lua_State *L, int from, lua_Integer i, lua_Integer n, int to, lua_Integer k)
{
    bool last_first = k > i && k <= i + (n - 1) && (from == to || lua_compare(L, from, to, LUA_OPEQ));
    lua_Integer count = 0;
    for (lua_Integer at = 0; at < n; at++) {
        lua_Integer one = last_first ? n - 1 - at : at;
        lua_geti(L, from, i + one);
        lua_seti(L, to, k + one);
        count = moved(L, count + 1);
    }
    spend_work(L, ELEMENT * count);
}

static void check_table(lua_State *L, int i)
{
    if (lua_istable(L, i)) return;
    if (!lua_getmetatable(L, i)) luaL_checktype(L, i, LUA_TTABLE);
    lua_pop(L, 1);
}

static int table_insert(lua_State *L)
{
    int n = lua_gettop(L);
    check_table(L, 1);
    lua_Integer length = luaL_len(L, 1);
    if (n != 2 && n != 3) return luaL_error(L, "wrong number of arguments to 'insert'");
    lua_Integer end = (lua_Integer)((lua_Unsigned)length + 1), at = n == 2 ? end : luaL_checkinteger(L, 2);
    if (n == 3) luaL_argcheck(L, (lua_Unsigned)at - 1 < (lua_Unsigned)end, 2, "position out of bounds");
    if (n == 3 && end > at) move_all(L, 1, at, end - at, 1, at + 1);
    lua_pushvalue(L, n);
    lua_seti(L, 1, at);
    return 0;
}

static int table_remove(lua_State *L)
{
    bool given = lua_gettop(L) > 1;
    check_table(L, 1);
    lua_Integer length = luaL_len(L, 1), at = given ? luaL_checkinteger(L, 2) : length;
    if (at != length) luaL_argcheck(L, (lua_Unsigned)at - 1 <= (lua_Unsigned)length, 2, "position out of bounds");
    lua_geti(L, 1, at);
    if (at < length) move_all(L, 1, at + 1, length - at, 1, at);
    lua_pushnil(L);
    lua_seti(L, 1, at < length ? length : at);
    return 1;
}

static int table_move(lua_State *L)
{
    lua_Integer from = luaL_checkinteger(L, 2), to = luaL_checkinteger(L, 3), at = luaL_checkinteger(L, 4);
    int target = lua_isnoneornil(L, 5) ? 1 : 5;
    check_table(L, 1);
    check_table(L, target);
    if (to >= from) {
        luaL_argcheck(L, from > 0 || to < LUA_MAXINTEGER + from, 3, "too many elements to move");
        lua_Integer n = to - from + 1;
        luaL_argcheck(L, at <= LUA_MAXINTEGER - n + 1, 4, "destination wrap around");
        move_all(L, 1, from, n, target, at);
    }
    lua_pushvalue(L, target);
    return 1;
}

/* concat(t[, between[, from[, to]]]): an element may be worked out by a function in C, without an instruction. */
static int table_concat(lua_State *L)
{
    size_t length;
    luaL_Buffer b;
    const char *between = luaL_optlstring(L, 2, "", &length);
    lua_Integer i = luaL_optinteger(L, 3, 1), to = lua_isnoneornil(L, 4) ? luaL_len(L, 1) : luaL_checkinteger(L, 4), count = 0;
    check_table(L, 1);
    luaL_buffinit(L, &b);
    for (bool more = i <= to; more; i++) {
        count = moved(L, count + 1);
        lua_geti(L, 1, i);
        if (!lua_isstring(L, -1))
            return luaL_error(L, "invalid value (at index %I) in table for 'concat'", (LUAI_UACINT)i);
        luaL_addvalue(&b);
        more = i < to;
        if (more) luaL_addlstring(&b, between, length);
    }
    luaL_pushresult(&b);
    spend_work(L, count);
    return 1;
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
    call_wrapped(L, 1);
    return 1;
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
    call_wrapped(L, 0);
    return 0;
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
    call_wrapped(L, 1);
    return 1;
}

static int charged_call(lua_State *L)
{
    double begun = clock_exact_ms();
    call_wrapped(L, LUA_MULTRET);
    double took = clock_exact_ms() - begun;
    if (took > SHORT) spend_work(L, (int64_t)(took / INSTRUCTION));
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

static const luaL_Reg table_functions[] = {
    {"concat", table_concat}, {"insert", table_insert}, {"remove", table_remove}, {"move", table_move}, {NULL, NULL},
};

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
    luaL_setfuncs(L, table_functions, 0);
    wrap(L, "sort", table_sort);
    lua_pop(L, 2);
}
