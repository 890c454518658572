/* lua_values: plain values for Lua, and fields of tables. */
#include "lua_private.h"

int push_string(lua_State *L, const char *text)
{
    lua_pushstring(L, text);
    return 1;
}

int push_bool(lua_State *L, bool b)
{
    lua_pushboolean(L, b);
    return 1;
}

int push_integer(lua_State *L, bool there, int64_t n)
{
    if (there) lua_pushinteger(L, n);
    else lua_pushnil(L);
    return 1;
}

int push_number(lua_State *L, double v)
{
    lua_pushnumber(L, v);
    return 1;
}

int push_buf(lua_State *L, Buf *text)
{
    push_string(L, buf_text(text));
    buf_free(text);
    return 1;
}

void push_texts(lua_State *L, const char *const *list, int n)
{
    PUSH_LIST(L, i, n, push_string(L, list[i]));
}

void set_text(lua_State *L, const char *key, const char *text) { lua_pushstring(L, text), lua_setfield(L, -2, key); }
void set_bool(lua_State *L, const char *key, bool b) { lua_pushboolean(L, b), lua_setfield(L, -2, key); }
void set_integer(lua_State *L, const char *key, int64_t n) { lua_pushinteger(L, n), lua_setfield(L, -2, key); }
void set_number(lua_State *L, const char *key, double v) { lua_pushnumber(L, v), lua_setfield(L, -2, key); }

int64_t item_integer(lua_State *L, int table, int i)
{
    lua_rawgeti(L, table, i);
    int64_t n = lua_tointeger(L, -1);
    lua_pop(L, 1);
    return n;
}

const char *field_text(lua_State *L, Arena *arena, const char *key)
{
    const char *text = lua_getfield(L, -1, key) == LUA_TSTRING ? arena_strdup(arena, lua_tostring(L, -1)) : NULL;
    lua_pop(L, 1);
    return text;
}
