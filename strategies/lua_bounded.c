/* lua_bounded: functions of Lua's library that loop in C, over texts and tables of any length, charged to the fuel. */
#include "lua_private.h"

#include <limits.h>

enum {
    LARGE_SORT = 10000,                  /* elements */
    ELEMENT = 8,                         /* units of work for one that is moved */
};

/* Charges the elements moved, once there are many. */
static void moved(lua_State *L, lua_Integer *count)
{
    if (++*count < HOOK_INSTRUCTIONS) return;
    spend_work(L, ELEMENT * *count);
    *count = 0;
}

static void move_one(lua_State *L, int from, lua_Integer i, int to, lua_Integer k, lua_Integer *count)
{
    lua_geti(L, from, i);
    lua_seti(L, to, k);
    moved(L, count);
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
    lua_Integer length = luaL_len(L, 1), count = 0;
    if (n != 2 && n != 3) return luaL_error(L, "wrong number of arguments to 'insert'");
    lua_Integer end = (lua_Integer)((lua_Unsigned)length + 1), at = n == 2 ? end : luaL_checkinteger(L, 2);
    if (n == 3) luaL_argcheck(L, (lua_Unsigned)at - 1 < (lua_Unsigned)end, 2, "position out of bounds");
    for (lua_Integer i = end; n == 3 && i > at; i--) move_one(L, 1, i - 1, 1, i, &count);
    lua_pushvalue(L, n);
    lua_seti(L, 1, at);
    spend_work(L, ELEMENT * count);
    return 0;
}

static int table_remove(lua_State *L)
{
    bool given = lua_gettop(L) > 1;
    check_table(L, 1);
    lua_Integer length = luaL_len(L, 1), at = given ? luaL_checkinteger(L, 2) : length, count = 0;
    if (at != length) luaL_argcheck(L, (lua_Unsigned)at - 1 <= (lua_Unsigned)length, 2, "position out of bounds");
    lua_geti(L, 1, at);
    for (; at < length; at++) move_one(L, 1, at + 1, 1, at, &count);
    lua_pushnil(L);
    lua_seti(L, 1, at);
    spend_work(L, ELEMENT * count);
    return 1;
}

static int table_move(lua_State *L)
{
    lua_Integer from = luaL_checkinteger(L, 2), to = luaL_checkinteger(L, 3), at = luaL_checkinteger(L, 4), count = 0;
    int target = lua_isnoneornil(L, 5) ? 1 : 5;
    check_table(L, 1);
    check_table(L, target);
    if (to >= from) {
        luaL_argcheck(L, from > 0 || to < LUA_MAXINTEGER + from, 3, "too many elements to move");
        lua_Integer n = to - from + 1;
        luaL_argcheck(L, at <= LUA_MAXINTEGER - n + 1, 4, "destination wrap around");
        bool apart = at > to || at <= from || (target == 5 && !lua_compare(L, 1, 5, LUA_OPEQ));
        for (lua_Integer i = 0; apart && i < n; i++) move_one(L, 1, from + i, target, at + i, &count);
        for (lua_Integer i = n; !apart && i-- > 0;) move_one(L, 1, from + i, target, at + i, &count);
    }
    spend_work(L, ELEMENT * count);
    lua_pushvalue(L, target);
    return 1;
}

static int less_than(lua_State *L)
{
    spend_work(L, 4);
    return lua_pushboolean(L, lua_compare(L, 1, 2, LUA_OPLT)), 1;
}

/* Lua's own; a long table without an order of its own gets one that is charged. */
static int table_sort(lua_State *L)
{
    lua_settop(L, 2);
    if (lua_isnil(L, 2) && lua_istable(L, 1) && luaL_len(L, 1) > LARGE_SORT) {
        lua_pushcfunction(L, less_than);
        lua_replace(L, 2);
    }
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, 2, 0);
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
    lua_settop(L, 3);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, 3, 1);
    return 1;
}

static const luaL_Reg table_functions[] = {
    {"insert", table_insert}, {"remove", table_remove}, {"move", table_move}, {NULL, NULL},
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
    lua_getglobal(L, "string");
    luaL_setfuncs(L, pattern_functions, 0);
    wrap(L, "rep", string_rep);
    lua_getglobal(L, "table");
    luaL_setfuncs(L, table_functions, 0);
    wrap(L, "sort", table_sort);
    lua_pop(L, 2);
}
