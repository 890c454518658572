/* lua_api: what Lua gets of a session, as a table for the page of help. */
#include "strategy.h"

static const LuaApi table[] = {
#define LUA_METHOD(of, name, form, about) {API_##of, #name, form, about},
#include "lua_api.def"
};

const LuaApi *api_entry(int i) { return i < COUNT(table) ? &table[i] : NULL; }

const char *api_title(LuaApiOf of)
{
    static const char *const titles[] = {
        [API_SESSION] = "t, the session", [API_VERSION] = "v, a version", [API_TERM] = "x, a term", [API_CURSOR] = "k, a cursor: a place that strategies work at",
        [API_SIZE] = "n, a size: + - * / // % make others, exactly", [API_SPACE] = "space, the legal values of parameters",
    };
    return titles[of];
}
