/* lua_compile: a program of the build: writes lathe's own Lua files, compiled, as a C file. A process whose liblua is
 * the one that compiled them need not read their text, which is most of the time that opening the library takes.
 * Usage: lua_compile OUT.c */
#include <lauxlib.h>
#include <lua.h>
#include <stdio.h>
#include <string.h>

#include "embedded.h"

static int write_bytes(lua_State *L, const void *data, size_t n, void *total)
{
    enum { LINE = 64 };
    const unsigned char *bytes = data;
    size_t *written = total;
    (void)L;
    for (size_t i = 0; i < n; i++) {
        if (*written && *written % LINE == 0) fputs("\"\n\"", stdout);
        printf("\\%03o", bytes[i]);
        ++*written;
    }
    return ferror(stdout);
}

int main(int argc, char **argv)
{
    lua_State *L = luaL_newstate();
    if (argc != 2 || !freopen(argv[1], "w", stdout)) return perror("lua_compile"), 1;
    printf("/* made by lua_compile */\n#include \"embedded.h\"\n\nconst EmbeddedCode compiled_lua[] = {\n");
    for (const EmbeddedText *e = embedded_lua; e->name; e++) {
        size_t size = 0;
        lua_pushfstring(L, OUR_CHUNK_OF, e->name);
        if (luaL_loadbuffer(L, e->text, strlen(e->text), lua_tostring(L, -1)) != LUA_OK)
            return fprintf(stderr, "%s\n", lua_tostring(L, -1)), 1;
        printf("{\n\"");
        if (lua_dump(L, write_bytes, &size, 0)) return perror("lua_compile"), 1;
        printf("\", %zu},\n", size);
        lua_settop(L, 0);
    }
    printf("};\nconst char compiled_lua_by[] = {");
    for (const char *c = lua_ident; *c; c++) printf("%d,", *c);
    printf("0};\n");
    lua_close(L);
    return fclose(stdout) != 0;
}
