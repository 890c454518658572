/* lua_error: fuel, and errors on their way between Lua and the diag. */
#include "lua_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char failed_key;            /* its address is the error value that stands for what is in the diag ... */
static const char leave_key;             /* ... and that of a script that ends the session, which is no error */

int raise_diag(lua_State *L)
{
    lua_pushlightuserdata(L, (void *)(uintptr_t)&failed_key);
    return lua_error(L);
}

static bool is_failed_key(lua_State *L, int i) { return lua_touserdata(L, i) == &failed_key; }

static const char interrupted[] = "interrupted";
static const char large_text[] = "where Lua from a session file was run, no text may have more than a MiB";

enum {
    LARGE = 1 << 20, BYTES_OF_WORK = 16,
    LARGEST_TEXT = 1 << 20,              /* bytes; to compare two is a single instruction */
    SHORT_TEXT = 64,                     /* bytes, Lua's header included */
    RESERVE = 8,                         /* the share of the memory that a run with fuel leaves to what cleans up behind it */
};

/* Filling and searching so much memory takes long without an instruction. False: the run ends here, which check_fuel says. */
static bool may_fill(Strategies *s, size_t size)
{
    Run *run = &s->run;
    if (size < LARGE || (run->instructions < 0 && !run->arena)) return true;
    if (s->limits.stop && *s->limits.stop) run->exhausted = interrupted;
    if (run->instructions < 0) return !run->exhausted;
    run->instructions -= (int64_t)(size / BYTES_OF_WORK);
    if (run->instructions < 0) {
        run->instructions = 0;
        run->exhausted = "the strategy ran out of fuel: too many large texts and tables were made";
    }
    return !run->exhausted;
}

/* Where there is no room Lua looks through all that it has for what is of no use any more. A run that has ended may still make
 * short texts in the reserve: lua_pcall makes "error in error handling" of the error of a stack that overflows twice, and what
 * it throws for want of room for it goes past the caller of lua_pcall. */
static bool has_room(Strategies *s, size_t more, bool text)
{
    bool fuelled = s->run.instructions >= 0;
    size_t limit = s->limits.memory - (fuelled ? s->limits.memory / RESERVE : 0);
    if (fuelled && s->foreign && text && more > LARGEST_TEXT && !s->run.exhausted) s->run.exhausted = large_text;
    if (s->run.exhausted) return text && more <= SHORT_TEXT && s->memory + more <= s->limits.memory;
    return s->memory + more <= limit || (may_fill(s, s->memory), false);
}

void *fuel_allocate(void *data, void *old, size_t old_size, size_t size)
{
    Strategies *s = data;
    size_t before = old ? old_size : 0;
    if (!size) {
        s->memory -= before;
        free(old);
        return NULL;
    }
    bool text = !old && old_size == LUA_TSTRING;
    if (size > before && (!may_fill(s, size) || !has_room(s, size - before, text))) return NULL;
    void *p = realloc(old, size);
    if (p) s->memory += size - before;
    return p;
}

/* ---- fuel ---- */

static void note_place(Strategies *s)
{
    Diag *d = &s->c->diag;
    const Run *run = &s->run;
    int attempts = s->limits.attempts - (run->attempts > 0 ? run->attempts : 0);
    int steps = s->limits.steps - (run->steps > 0 ? run->steps : 0);
    enum { SHOWN = 60 };                 /* who goes round goes deep, too */
    const char *place = run->rule ? path_text(s->c, run->root, &run->at) : "";
    if (run->rule) diag_note(d, "last", "%s at %.*s%s", run->rule->name, SHOWN, place, strlen(place) > SHOWN ? ".." : "");
    if (run->env) diag_note(d, "spent", "%d rule applications tried, %d rewrites done", attempts, steps);
}

static void say_exhausted(Strategies *s)
{
    diag_clear(&s->c->diag);
    diag_error(&s->c->diag, E25, "%s", s->run.exhausted);
    note_place(s);
    if (s->run.exhausted != interrupted && s->run.exhausted != large_text)
        diag_note(&s->c->diag, "try", "set fuel %lld", 10LL * s->limits.attempts);
}

static void fuel_hook(lua_State *L, lua_Debug *where);

void watch(lua_State *L) { lua_sethook(L, fuel_hook, LUA_MASKCOUNT, HOOK_INSTRUCTIONS); }

void check_fuel(lua_State *L)
{
    Strategies *s = self(L);
    if (!s->run.exhausted) return;
    say_exhausted(s);
    /* From now on every instruction and call there ends it at once: not even what closes variables on the way out can
     * go on. */
    lua_sethook(L, fuel_hook, LUA_MASKCALL | LUA_MASKCOUNT, 1);
    raise_diag(L);
}

static void exhaust(lua_State *L, const char *what)
{
    self(L)->run.exhausted = what;
    check_fuel(L);
}

const volatile int *stop_of(const Strategies *s) { return s->stop ? s->stop : s->limits.stop; }

void check_stop(lua_State *L)
{
    const volatile int *stop = self(L)->limits.stop;
    if (stop && *stop) exhaust(L, interrupted);
}

static int64_t cpu_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

void skip_time(Strategies *s) { s->run.clock = s->foreign ? cpu_time() : 0; }

/* What passed since the last charge, as instructions of SLOWEST each: who wants to can make them last, with the comparison of
 * large texts, with errors deep down in calls. Charged where Lua from files was run; elsewhere fuel does not depend on time. */
static int64_t time_units(Strategies *s)
{
    enum { SLOWEST = 20 };               /* ns */
    int64_t before = s->run.clock;
    skip_time(s);
    return before && s->run.clock ? (s->run.clock - before) / SLOWEST : 0;
}

static void spend(lua_State *L, int64_t units, const char *what)
{
    Strategies *s = self(L);
    check_stop(L);
    check_fuel(L);
    if (s->run.instructions < 0) return;
    int64_t timed = time_units(s);
    s->run.instructions -= timed > units ? timed : units;
    if (s->run.instructions >= 0) return;
    s->run.instructions = 0;
    exhaust(L, what);
}

static void fuel_hook(lua_State *L, lua_Debug *where)
{
    if (where->event == LUA_HOOKCALL || where->event == LUA_HOOKTAILCALL) {          /* of a run that has ended (check_fuel) */
        check_fuel(L);
        watch(L);
        return;
    }
    spend(L, HOOK_INSTRUCTIONS, "the strategy ran out of fuel: too many Lua instructions; is there an endless loop?");
}

void spend_work(lua_State *L, int64_t units)
{
    spend(L, units, "the strategy ran out of fuel: too much work in a pattern of text, or in moving elements of a table");
}

void spend_attempt(lua_State *L, const Rule *rule, const Cursor *k)
{
    Strategies *s = self(L);
    check_stop(L);
    s->run.rule = rule;
    s->run.root = k->root;
    s->run.at = k->at;
    if (s->foreign) spend_work(L, 0);
    if (--s->run.attempts < 0) exhaust(L, "the strategy ran out of fuel: too many rule applications were tried");
}

void spend_step(lua_State *L)
{
    if (--self(L)->run.steps < 0) exhaust(L, "the strategy ran out of fuel: too many rewrites; does a repetition undo its own work?");
}

/* ---- errors as tables ---- */

/* Set the diag from a table {id=, message=, notes={{label, text}, ...}} at index i. */
static void set_diag(lua_State *L, int i)
{
    Diag *d = &self(L)->c->diag;
    diag_clear(d);
    lua_getfield(L, i, "id");
    lua_getfield(L, i, "message");
    const char *name = luaL_optstring(L, -2, "E23");
    ErrorId id = E23;
    for (int e = E_NONE + 1; e < ERROR_COUNT; e++)
        if (!strcmp(error_name((ErrorId)e), name)) id = (ErrorId)e;
    diag_error(d, id, "%s", luaL_optstring(L, -1, "the strategy failed"));
    lua_pop(L, 2);
    if (lua_getfield(L, i, "notes") == LUA_TTABLE) {
        for (int n = 1; lua_rawgeti(L, -1, n) == LUA_TTABLE; n++) {
            lua_rawgeti(L, -1, 1);
            lua_rawgeti(L, -2, 2);
            diag_note(d, luaL_optstring(L, -2, "note"), "%s", luaL_optstring(L, -1, ""));
            lua_pop(L, 3);
        }
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

void push_diag(lua_State *L)
{
    Diag *d = &self(L)->c->diag;
    lua_newtable(L);
    set_text(L, "id", error_name(d->id));
    set_text(L, "message", d->message ? d->message : "");
    PUSH_LIST(L, i, d->note_count, push_texts(L, (const char *const[]){d->notes[i].label, d->notes[i].text}, 2));
    lua_setfield(L, -2, "notes");
    diag_clear(d);
}

int push_failure(lua_State *L)
{
    lua_pushnil(L);
    push_library(L, "session", "failed");
    push_diag(L);
    lua_call(L, 1, 1);
    return 2;
}

static int engine_fail(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    set_diag(L, 1);
    return 0;
}

static int engine_raise(lua_State *L)
{
    engine_fail(L);
    return raise_diag(L);
}

/* ---- protected calls from Lua: fuel errors pass through ---- */

/* leave(): end the chunk, without an error. */
static int engine_leave(lua_State *L)
{
    lua_pushlightuserdata(L, (void *)(uintptr_t)&leave_key);
    return lua_error(L);
}

static int engine_pcall(lua_State *L)
{
    luaL_checkany(L, 1);
    int status = lua_pcall(L, lua_gettop(L) - 1, LUA_MULTRET, 0);
    check_fuel(L);
    if (status != LUA_OK && lua_touserdata(L, -1) == &leave_key) return lua_error(L);
    if (status != LUA_OK && is_failed_key(L, -1)) {
        lua_pop(L, 1);
        push_diag(L);
    }
    lua_pushboolean(L, status == LUA_OK);
    lua_insert(L, 1);
    return lua_gettop(L);
}

/* After a coroutine gave control back: pass a fuel error on. Returns its arguments. */
static int engine_pass(lua_State *L)
{
    check_fuel(L);
    if (lua_gettop(L) == 2 && lua_touserdata(L, 2) == &leave_key) return lua_error(L);
    return lua_gettop(L);
}

/* A message without the position when that is in strategy text (one line) or in a file of ours. */
static const char *without_position(const char *text)
{
    int n = 0;
    if (sscanf(text, "strategy:%*d:%n", &n) < 0 || !n) sscanf(text, OUR_CHUNK "%*[a-z_].lua:%*d:%n", &n);
    return text + n + (n && text[n] == ' ');
}

/* Of an error value that is a table, a failure, raised with error() or assert(): its fields may be worked out by functions of whoever
 * raised it. */
static int diag_of_failure(lua_State *L)
{
    if (lua_getfield(L, 1, "message") == LUA_TSTRING) set_diag(L, 1);
    else diag_error(&self(L)->c->diag, E24, "the error is not a text");
    return 0;
}

void to_diag(Strategies *s, lua_State *L, int status)
{
    Diag *d = &s->c->diag;
    if (s->run.exhausted && !is_failed_key(L, -1)) status = LUA_ERRMEM;
    if (status == LUA_ERRMEM && s->run.exhausted) {
        say_exhausted(s);
    } else if (status == LUA_ERRMEM) {
        diag_clear(d);
        diag_error(d, E25, "Lua ran out of memory: %zu MiB are its limit", s->limits.memory >> 20);
        note_place(s);
        diag_note(d, "try", "set lua_memory %zu", s->limits.memory >> 18);
    } else if (lua_istable(L, -1)) {
        diag_clear(d);
        watch(L);
        lua_pushcfunction(L, diag_of_failure);
        lua_insert(L, -2);
        if (lua_pcall(L, 1, 0, 0) == LUA_OK) return;
        if (!is_failed_key(L, -1)) diag_clear(d), diag_error(d, E24, "the error is not a text");
    } else if (lua_touserdata(L, -1) != &leave_key && !is_failed_key(L, -1)) {
        diag_clear(d);
        size_t length = 0;
        const char *text = lua_tolstring(L, -1, &length);
        LOCAL(buf_free) Buf whole = {0};
        for (size_t i = 0; text && i < length; i += strlen(text + i) + 1)      /* a NUL in it ends no message */
            buf_printf(&whole, "%s%s", i ? "\\0" : "", text + i);
        diag_error(d, E24, "%s", text ? without_position(buf_text(&whole)) : "the error is not a text");
        if (text && strstr(buf_text(&whole), "near 'goto'")) diag_note(d, "hint", "goto is a word of Lua's own: t.goto_(\"@1\")");
    }
    lua_pop(L, 1);
}

const StrategyLimits default_limits = {
    .instructions = 200000000, .attempts = 1000000, .steps = 50000, .memory = (size_t)256 << 20,
};

void strategies_limit(Strategies *s, const StrategyLimits *limits)
{
    s->limits = *limits;
    if (s->limits.instructions <= 0) s->limits.instructions = default_limits.instructions;
    if (s->limits.attempts <= 0) s->limits.attempts = default_limits.attempts;
    if (s->limits.steps <= 0) s->limits.steps = default_limits.steps;
    if (!s->limits.memory) s->limits.memory = default_limits.memory;
}

/* locate(error), a message handler: where one that is no text arose: the innermost line of the user's. */
static int locate_error(lua_State *L)
{
    Strategies *s = self(L);
    lua_Debug at;
    for (int level = 1; lua_type(L, 1) != LUA_TSTRING && lua_getstack(L, level, &at); level++) {
        lua_getinfo(L, "Sl", &at);
        if (at.currentline <= 0 || !strncmp(at.short_src, OUR_CHUNK, strlen(OUR_CHUNK))) continue;
        if (s->run.arena) s->run.where = arena_printf(s->run.arena, "%s:%d", at.short_src, at.currentline);
        break;
    }
    return 1;
}

const luaL_Reg error_functions[] = {
    {"locate", locate_error},
    {"fail", engine_fail}, {"raise", engine_raise}, {"pcall", engine_pcall}, {"pass", engine_pass}, {"leave", engine_leave},
    {NULL, NULL},
};
