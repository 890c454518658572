/* lua: Lua at the prompt and in scripts. */
#include "commands.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- running chunks ---- */

static bool run_chunk(Shell *sh, const LuaChunk *chunk)
{
    Strategies *s = shell_strategies(sh);
    return s && strategies_lua(s, chunk);
}

bool cmd_lua(Shell *sh, Args *a)
{
    if (!*a->rest) return shell_error(sh, E05, "lua needs a chunk; `help lua`");
    size_t n = strlen(a->rest);
    if (n > 4 && !strcmp(a->rest + n - 4, ".lua") && !strpbrk(a->rest, " \t\n(=") && !access(a->rest, F_OK))
        return shell_error(sh, E05, "lua takes a chunk, %s is a file\ntry source %s", a->rest, a->rest);
    LuaChunk chunk = {.text = a->rest, .name = "=lua", .out = &sh->out};
    return run_chunk(sh, &chunk);
}

bool script_expression(Shell *sh, const char *text)
{
    json_t *values = NULL;
    LuaChunk chunk = {.text = text, .name = "=lua", .expression = true, .out = &sh->out, .values = sh->json ? &values : NULL};
    if (!run_chunk(sh, &chunk)) return false;
    if (values) sh->data = json_of("{text:o values:o}", json_text(buf_text(&sh->out), sh->out.len), values);
    return true;
}

bool script_lua(Shell *sh, const char *file, const char *const *args)
{
    json_auto_t *values = NULL;
    LuaChunk chunk = {.name = arena_printf(sh->scratch, "@%s", file), .args = args, .out = &sh->out,
                      .values = sh->json ? &values : NULL};
    chunk.text = text_read(diag(sh), sh->scratch, file, sh->stop, NULL);
    bool ok = chunk.text && run_chunk(sh, &chunk);
    if (json_is_object(values)) sh->data = json_incref(values);
    return ok;
}
