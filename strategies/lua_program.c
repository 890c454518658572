/* lua_program: os.execute and io.popen, in whose place these are: what they start ends when a command is interrupted. */
#include "lua_private.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "child.h"

static Child start(lua_State *L, const char *line, int piped)
{
    fflush(stdout);
    return child_start((const char *const[]){"sh", "-c", line, NULL}, piped, STDOUT_FILENO, stop_of(self(L)));
}

/* What Lua says of how a program ended: true or nil, "exit" or "signal", and the code or which. */
static int push_end(lua_State *L, Child *child)
{
    int code = child_wait(child);
    bool exits = code < CHILD_SIGNALLED;
    if (code) luaL_pushfail(L);
    else lua_pushboolean(L, true);
    lua_pushstring(L, exits ? "exit" : "signal");
    lua_pushinteger(L, exits ? code : code - CHILD_SIGNALLED);
    return 3;
}

static int os_execute(lua_State *L)
{
    const char *line = luaL_optstring(L, 1, NULL);
    if (!line) return push_bool(L, true);            /* is there a shell? */
    Child child = start(L, line, -1);
    int results = push_end(L, &child);
    check_stop(L);
    return results;
}

typedef struct PipeFile { luaL_Stream stream; Child child; } PipeFile;      /* a file of Lua's, with what it comes from */

static int close_program(lua_State *L)
{
    PipeFile *p = luaL_checkudata(L, 1, LUA_FILEHANDLE);
    fclose(p->stream.f);
    return push_end(L, &p->child);
}

static int io_popen(lua_State *L)
{
    const char *line = luaL_checkstring(L, 1), *mode = luaL_optstring(L, 2, "r");
    luaL_argcheck(L, !strcmp(mode, "r") || !strcmp(mode, "w"), 2, "invalid mode");
    PipeFile *p = lua_newuserdatauv(L, sizeof *p, 0);
    *p = (PipeFile){0};                  /* closed, if what follows fails */
    luaL_setmetatable(L, LUA_FILEHANDLE);
    check_stop(L);
    p->child = start(L, line, *mode == 'r' ? STDOUT_FILENO : STDIN_FILENO);
    if (!p->child.pid || !(p->stream.f = fdopen(p->child.ours, mode))) return luaL_fileresult(L, 0, line);
    p->stream.closef = close_program;
    return 1;
}

void open_programs(lua_State *L)
{
    lua_getglobal(L, "os");
    lua_pushcfunction(L, os_execute);
    lua_setfield(L, -2, "execute");
    lua_getglobal(L, "io");
    lua_pushcfunction(L, io_popen);
    lua_setfield(L, -2, "popen");
    lua_pop(L, 2);
}
