/* lua_class: classes of userdata: told apart and indexed without a name being looked up. */
#include "lua_private.h"

static const char *const names[] = {
    [CLASS_TERM] = "lathe.term", [CLASS_SIZE] = "lathe.size", [CLASS_CURSOR] = "lathe.cursor", [CLASS_VERSION] = "lathe.version",
    [CLASS_SPACE] = "lathe.space",
};

static const struct { Class class; const char *name; } fields[] = {
#define LUA_FIELD(of, name, ...) {CLASS_##of, #name},
#include "lua_api.def"
};

void make_class(lua_State *L, Class class, const luaL_Reg *methods)
{
    luaL_newmetatable(L, names[class]);
    luaL_setfuncs(L, methods, 0);
    set_bool(L, "__metatable", false);
    for (int i = 0; i < COUNT(fields); i++)
        if (fields[i].class == class) set_integer(L, fields[i].name, i);
    self(L)->classes[class] = lua_topointer(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, lua_topointer(L, -1));
}

void set_class(lua_State *L, Class class)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, self(L)->classes[class]);
    lua_setmetatable(L, -2);
}

void *test_class(lua_State *L, int i, Class class)
{
    void *p = lua_touserdata(L, i);
    if (!p || !lua_getmetatable(L, i)) return NULL;
    bool same = lua_topointer(L, -1) == self(L)->classes[class];
    lua_pop(L, 1);
    return same ? p : NULL;
}

void *check_class(lua_State *L, int i, Class class)
{
    void *p = test_class(L, i, class);
    if (!p) luaL_typeerror(L, i, names[class]);
    return p;
}

int class_field(lua_State *L, Class class)
{
    if (!lua_getmetatable(L, 1) || lua_topointer(L, -1) != self(L)->classes[class]) luaL_typeerror(L, 1, names[class]);
    lua_pushvalue(L, 2);
    int type = lua_rawget(L, -2);
    if (type == LUA_TNIL && class == CLASS_VERSION) {        /* methods in Lua come with their file */
        push_library(L, "session", "failed");
        lua_pop(L, 2);
        lua_pushvalue(L, 2);
        type = lua_rawget(L, -2);
    }
    if (type == LUA_TNIL) return luaL_error(L, "a %s has no field '%s'", names[class] + sizeof "lathe." - 1, luaL_tolstring(L, 2, NULL));
    return type == LUA_TNUMBER ? (int)lua_tointeger(L, -1) : -1;
}
