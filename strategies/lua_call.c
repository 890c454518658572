/* lua_call: calls into the library: what runs meanwhile, and what is left of it. */
#include "lua_private.h"

#include <stdarg.h>

Call begin_call(Strategies *s, Arena *arena, RewriteEnv *env, const LowerHints *hints, Buf *out)
{
    Call k = {s, s->current, s->run, lua_gettop(s->current)};
    diag_clear(&s->c->diag);
    s->run = (Run){.arena = arena, .env = env, .hints = hints, .out = out, .serial = ++s->serial,
                   .instructions = env ? s->limits.instructions : -1, .attempts = s->limits.attempts,
                   .steps = s->limits.steps, .nested = k.before.serial > 0};
    return k;
}

void shed_foreign(Strategies *s, lua_State *L)
{
    size_t enough = s->limits.memory / 2;
    if (!s->foreign || s->memory < enough) return;
    lua_gc(L, LUA_GCCOLLECT);
    if (s->memory < enough) return;
    s->run = (Run){.serial = s->run.serial, .instructions = -1};
    if (call_library(L, 0, "sandbox", "drop", "") != LUA_OK) lua_pop(L, 1);
    lua_gc(L, LUA_GCCOLLECT);
}

int call_with(lua_State *L, lua_CFunction f, void *data, int results)
{
    lua_pushcfunction(L, f);
    lua_pushlightuserdata(L, data);
    return lua_pcall(L, 1, results, 0);
}

typedef struct LibraryCall { const char *module, *function, *format; int results; va_list args; } LibraryCall;

static int run_library(lua_State *L)
{
    LibraryCall *k = lua_touserdata(L, 1);
    int n = 0;
    push_library(L, k->module, k->function);
    for (const char *f = k->format; *f; f++, n++) {
        if (*f == 's') push_string(L, va_arg(k->args, const char *));
        else if (*f == 'v') push_ref(L, va_arg(k->args, const Version *), CLASS_VERSION);
        else if (*f == 'l') {
            const char *const *list = va_arg(k->args, const char *const *);
            push_texts(L, list, va_arg(k->args, int));
        } else if (*f == 'i') lua_pushinteger(L, va_arg(k->args, int));
        else lua_pushboolean(L, va_arg(k->args, int));
    }
    lua_call(L, n, k->results);
    return k->results;
}

int call_library(lua_State *L, int results, const char *module, const char *function, const char *format, ...)
{
    LibraryCall k = {.module = module, .function = function, .format = format, .results = results};
    va_start(k.args, format);
    int status = call_with(L, run_library, &k, results);
    va_end(k.args);
    return status;
}

bool call_text(Strategies *s, bool fuelled, Buf *out, const char *module, const char *function, const char *format, ...)
{
    LOCAL(drop_arena) Arena *scratch = arena_new();
    Call call = begin_call(s, scratch, NULL, NULL, NULL);
    LibraryCall k = {.module = module, .function = function, .format = format, .results = 1};
    if (fuelled) s->run.instructions = s->limits.instructions;
    va_start(k.args, format);
    int status = call_with(call.L, run_library, &k, 1);
    va_end(k.args);
    if (status == LUA_OK && out && lua_isstring(call.L, -1)) buf_puts(out, lua_tostring(call.L, -1));
    return end_call(&call, status);
}

bool end_call(const Call *k, int status)
{
    if (status != LUA_OK) to_diag(k->s, k->L, status);
    lua_settop(k->L, k->top);
    watch(k->L);
    if (status != LUA_OK) shed_foreign(k->s, k->L);
    k->s->run = k->before;
    k->s->current = k->L;
    return status == LUA_OK && !diag_failed(&k->s->c->diag);
}
