/* lua_call: calls into the library: what runs meanwhile, and what is left of it. */
#include "lua_private.h"

Call begin_call(Strategies *s, Arena *arena, RewriteEnv *env, const LowerHints *hints, Buf *out)
{
    Call k = {s, s->current, s->run, lua_gettop(s->current)};
    diag_clear(&s->c->diag);
    s->run = (Run){.arena = arena, .env = env, .hints = hints, .out = out, .serial = ++s->serial,
                   .instructions = env ? s->limits.instructions : -1, .attempts = s->limits.attempts,
                   .steps = s->limits.steps, .nested = k.before.serial > 0};
    return k;
}

static int shed(lua_State *L)
{
    push_library(L, "foreign", "drop");
    lua_call(L, 0, 0);
    return 0;
}

void shed_foreign(Strategies *s, lua_State *L)
{
    size_t enough = s->limits.memory / 2;
    if (!s->foreign || s->memory < enough) return;
    lua_gc(L, LUA_GCCOLLECT);
    if (s->memory < enough) return;
    s->run = (Run){.serial = s->run.serial, .instructions = -1};
    lua_pushcfunction(L, shed);
    if (lua_pcall(L, 0, 0, 0) != LUA_OK) lua_pop(L, 1);
    lua_gc(L, LUA_GCCOLLECT);
}

bool call_function(Strategies *s, Arena *arena, Buf *out, lua_CFunction f, void *data)
{
    Call call = begin_call(s, arena, NULL, NULL, out);
    lua_pushcfunction(call.L, f);
    lua_pushlightuserdata(call.L, data);
    return end_call(&call, lua_pcall(call.L, 1, 0, 0));
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
