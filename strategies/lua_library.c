/* lua_library: lathe's own Lua files, each run when something of it is first asked for. */
#include "lua_private.h"

#include <string.h>

/* A file of lathe's as a function: its bytes, or its text: where that is asked for, and where another liblua than that of the build is
 * used, which may not know them. */
void push_file(lua_State *L, const EmbeddedText *e, bool text)
{
    const EmbeddedCode *code = &compiled_lua[e - embedded_lua];
    text = text || strcmp(lua_ident, compiled_lua_by);
    lua_pushfstring(L, OUR_CHUNK_OF, e->name);
    if (luaL_loadbufferx(L, text ? e->text : code->bytes, text ? strlen(e->text) : code->size, lua_tostring(L, -1), text ? "t" : "b") != LUA_OK)
        lua_error(L);
    lua_remove(L, -2);
}

static const char library_key, globals_key;      /* where the registry keeps what the files return, by name; the globals that they see */

/* require(name), in lathe's own files: what another one returns, which is run when it is first asked for: as a whole, and free. */
static int library_require(lua_State *L)
{
    const char *name = luaL_checkstring(L, 1);
    const EmbeddedText *e = embedded_lua;
    lua_settop(L, 1);
    lua_rawgetp(L, LUA_REGISTRYINDEX, &library_key);
    if (lua_getfield(L, 2, name) != LUA_TNIL) return 1;
    while (e->name && strcmp(e->name, name)) e++;
    if (!e->name) return luaL_error(L, "lathe has no file %s", name);
    Run *run = &self(L)->run, before = *run;
    lua_Hook hook = lua_gethook(L);
    int mask = lua_gethookmask(L), count = lua_gethookcount(L);
    run->instructions = -1;
    run->exhausted = NULL;
    lua_sethook(L, NULL, 0, 0);
    lua_pushboolean(L, true);            /* while it is run: what it names is asked for there */
    lua_setfield(L, 2, name);
    push_file(L, e, false);
    lua_rawgetp(L, LUA_REGISTRYINDEX, &globals_key);
    lua_setupvalue(L, -2, 1);
    int status = lua_pcall(L, 0, 1, 0);
    if (status != LUA_OK) lua_pushnil(L);
    else if (!lua_toboolean(L, -1)) lua_pushboolean(L, true);
    else lua_pushvalue(L, -1);
    lua_setfield(L, 2, name);
    lua_sethook(L, hook, mask, count);
    run->instructions = before.instructions;
    run->exhausted = before.exhausted;
    return status == LUA_OK ? 1 : lua_error(L);
}

void push_library(lua_State *L, const char *file, const char *name)
{
    lua_pushcfunction(L, library_require);
    lua_pushstring(L, file);
    lua_call(L, 1, 1);
    lua_getfield(L, -1, name);
    lua_remove(L, -2);
}

void open_library(lua_State *L)
{
    lua_newtable(L);                     /* the files' globals: Lua's, but for require */
    lua_pushglobaltable(L);
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
        lua_pushvalue(L, -2);
        lua_pushvalue(L, -2);
        lua_rawset(L, -6);
    }
    lua_pop(L, 1);
    lua_pushcfunction(L, library_require);
    lua_setfield(L, -2, "require");
    lua_rawsetp(L, LUA_REGISTRYINDEX, &globals_key);
    lua_getglobal(L, "require");
    lua_setfield(L, -2, "require");
    lua_newtable(L);
    lua_insert(L, -2);
    lua_setfield(L, -2, "engine");
    lua_rawsetp(L, LUA_REGISTRYINDEX, &library_key);
}

const char *next_name(const char *at, StrategyName *out, const char **file)
{
    if (!*at) return NULL;
    *out = (StrategyName){.kind = (StrategyNameKind)(*at - '0'), .name = at + 1};
    out->params = at += strlen(at) + 1;
    out->doc = at += strlen(at) + 1;
    *file = at += strlen(at) + 1;
    return at + strlen(at) + 1;
}

/* file_of(name): of the library, in which that is; nil: it has none */
static int engine_file_of(lua_State *L)
{
    const char *name = lua_type(L, 1) == LUA_TSTRING ? lua_tostring(L, 1) : "", *file;
    StrategyName n;
    for (const char *at = library_names; (at = next_name(at, &n, &file));)
        if (!strcmp(n.name, name)) return push_string(L, file);
    return push_string(L, NULL);
}

/* library_names(): what the library has, as keys */
static int engine_library_names(lua_State *L)
{
    const char *file;
    StrategyName n;
    lua_newtable(L);
    for (const char *at = library_names; (at = next_name(at, &n, &file));) set_bool(L, n.name, true);
    return 1;
}

const luaL_Reg library_functions[] = {{"file_of", engine_file_of}, {"library_names", engine_library_names}, {NULL, NULL}};
