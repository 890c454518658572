/* lua_json: JSON values as Lua values and back. */
#include "lua_private.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

enum { NESTING_MAX = 100 };

/* ---- to Lua ---- */

void push_json(lua_State *L, const json_t *v)
{
    const char *key;
    json_t *item;
    luaL_checkstack(L, 4, "JSON");
    switch (json_typeof(v)) {
    case JSON_OBJECT:
        lua_createtable(L, 0, (int)json_object_size(v));
        json_object_foreach((json_t *)(uintptr_t)v, key, item) {
            push_json(L, item);
            lua_setfield(L, -2, key);
        }
        break;
    case JSON_ARRAY:
        PUSH_LIST(L, i, (int)json_array_size(v), push_json(L, json_array_get(v, (size_t)i)));
        if (json_array_size(v)) break;
        lua_createtable(L, 0, 1);        /* it stays one */
        set_bool(L, "__list", true);
        lua_setmetatable(L, -2);
        break;
    case JSON_STRING: lua_pushlstring(L, json_string_value(v), json_string_length(v)); break;
    case JSON_INTEGER: lua_pushinteger(L, json_integer_value(v)); break;
    case JSON_REAL: lua_pushnumber(L, json_real_value(v)); break;
    case JSON_TRUE: lua_pushboolean(L, true); break;
    case JSON_FALSE:
    case JSON_NULL: lua_pushboolean(L, false); break;
    }
}

/* ---- from Lua ---- */

static json_t *text_json(lua_State *L, int i)
{
    size_t n;
    const char *text = luaL_tolstring(L, i, &n);
    json_t *v = json_stringn(text, n);
    if (!v) {
        LOCAL(buf_free) Buf escaped = {0};
        text_escape(text, n, &escaped);
        v = json_stringn(buf_text(&escaped), escaped.len);
    }
    lua_pop(L, 1);
    return v;
}

/* Has the value a field of that name in its metatable? A table that is a list even while it is empty has: {__list = true}. */
static bool has_metafield(lua_State *L, int i, const char *name)
{
    if (luaL_getmetafield(L, i, name) == LUA_TNIL) return false;
    lua_pop(L, 1);
    return true;
}

static json_t *value_json(lua_State *L, int i, int depth);

/* The keys that are texts, sorted: Lua's own order differs between runs. */
static json_t *object_json(lua_State *L, int i, int depth)
{
    VEC(const char *) keys = {0};
    json_t *o = json_object();
    for (lua_pushnil(L); lua_next(L, i); lua_pop(L, 1))
        if (lua_type(L, -2) == LUA_TSTRING) vec_push(&keys, lua_tostring(L, -2));
    if (keys.n) qsort(keys.v, (size_t)keys.n, sizeof *keys.v, compare_text);
    for (int k = 0; k < keys.n; k++) {
        lua_getfield(L, i, keys.v[k]);
        json_object_set_new(o, keys.v[k], value_json(L, lua_gettop(L), depth));
        lua_pop(L, 1);
    }
    free(keys.v);
    return o;
}

static json_t *value_json(lua_State *L, int i, int depth)
{
    json_t *v = NULL;
    luaL_checkstack(L, 6, "JSON");
    switch (lua_type(L, i)) {
    case LUA_TNIL: return json_null();
    case LUA_TBOOLEAN: return json_boolean(lua_toboolean(L, i));
    case LUA_TNUMBER:
        v = lua_isinteger(L, i) ? json_integer(lua_tointeger(L, i)) : json_real(lua_tonumber(L, i));
        return v ? v : text_json(L, i);          /* infinity and NaN */
    case LUA_TTABLE:
        if (has_metafield(L, i, "__tostring")) return text_json(L, i);
        if (depth == 0) return json_string("...");
        if (!lua_rawlen(L, i) && !has_metafield(L, i, "__list")) return object_json(L, i, depth - 1);
        v = json_array();
        for (lua_Integer k = 1; k <= (lua_Integer)lua_rawlen(L, i); k++) {
            lua_rawgeti(L, i, k);
            json_array_append_new(v, value_json(L, lua_gettop(L), depth - 1));
            lua_pop(L, 1);
        }
        return v;
    case LUA_TFUNCTION:
    case LUA_TTHREAD: return json_string(luaL_typename(L, i));
    default: return text_json(L, i);
    }
}

json_t *to_json(lua_State *L, int i) { return value_json(L, lua_absindex(L, i), NESTING_MAX); }
