/* lua_compile: a program of the build: writes lathe's own Lua files, compiled, as a C file, and what they name. A process whose liblua
 * is the one that compiled them need not read their text, and none of a file before something of it is asked for.
 * Usage: lua_compile OUT.c */
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <stdio.h>

#include "embedded.h"

/* files: {{name, text}, ...}. They are read with an engine whose functions give nothing but what declare is told. */
static const char program[] =
    "local files = ...\n"
    "local function quoted(text)\n"
    "    return '\"' .. text:gsub('.', function(c) return ('\\\\%03o'):format(c:byte()) end):gsub(('.'):rep(256), '%0\"\\n\"') .. '\"'\n"
    "end\n"
    "print('/* made by lua_compile */\\n#include \"embedded.h\"\\n\\nconst EmbeddedCode compiled_lua[] = {')\n"
    "local chunks, loaded, file = {}, {}, nil\n"
    "for _, f in ipairs(files) do\n"
    "    chunks[f[1]] = assert(load(f[2], ('" OUR_CHUNK_OF "'):format(f[1])))\n"
    "    local code = string.dump(chunks[f[1]])\n"
    "    print('{' .. quoted(code) .. ', ' .. #code .. '},')\n"
    "end\n"
    "print('};\\nconst char compiled_lua_by[] = ' .. quoted(LUA) .. ';\\nconst char library_names[] =')\n"
    "loaded.engine = setmetatable({declare = function(kind, ...)\n"
    "    print(quoted(kind .. table.concat({...}, '\\0') .. '\\0' .. file .. '\\0'))\n"
    "end, rule = function() return {}, {} end}, {__index = function(_, name)\n"
    "    return function() return not name:find('^is_') and {} end\n"
    "end})\n"
    "function require(name)\n"
    "    local outer = file\n"
    "    if not loaded[name] then\n"
    "        file = name\n"
    "        loaded[name] = chunks[name]() or true\n"
    "        file = outer\n"
    "    end\n"
    "    return loaded[name]\n"
    "end\n"
    "require 'library'\n"
    "print('\"\";')\n";

int main(int argc, char **argv)
{
    lua_State *L = luaL_newstate();
    if (argc != 2 || !freopen(argv[1], "w", stdout)) return perror("lua_compile"), 1;
    luaL_openlibs(L);
    lua_pushstring(L, lua_ident);
    lua_setglobal(L, "LUA");
    luaL_loadbuffer(L, program, sizeof program - 1, "=lua_compile");
    lua_newtable(L);
    for (const EmbeddedText *e = embedded_lua; e->name; e++) {
        lua_createtable(L, 2, 0);
        lua_pushstring(L, e->name);
        lua_rawseti(L, -2, 1);
        lua_pushstring(L, e->text);
        lua_rawseti(L, -2, 2);
        lua_rawseti(L, -2, e - embedded_lua + 1);
    }
    if (lua_pcall(L, 1, 0, 0) != LUA_OK) return fprintf(stderr, "%s\n", lua_tostring(L, -1)), 1;
    lua_close(L);
    return fclose(stdout) != 0;
}
