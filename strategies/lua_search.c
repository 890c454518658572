/* lua_search: what searches in Lua (strategies/search) need of C: evaluating candidates, clocks, Ctrl-C, progress. */
#include "lua_private.h"

#include <string.h>

#include "plan.h"
#include "statistics.h"

Device *chosen_device(Strategies *s)
{
    diag_clear(&s->c->diag);
    return s->host.device ? s->host.device(s->host.data) : NULL;
}

const DeviceInfo *chosen_target(const Strategies *s) { return s->host.target ? s->host.target(s->host.data) : NULL; }

/* ---- Ctrl-C: held back while the engine works, so that what was found is still reported ---- */

static void hold_back(Strategies *s, bool on)
{
    const volatile int **from = on ? &s->limits.stop : &s->stop, **to = on ? &s->stop : &s->limits.stop;
    if (*from) *to = *from, *from = NULL;
    if (on) s->run.exhausted = NULL;
}

/* hold(on) */
static int engine_hold(lua_State *L) { return hold_back(self(L), lua_toboolean(L, 1)), 0; }

static int engine_stopping(lua_State *L) { return push_bool(L, stop_of(self(L)) && *stop_of(self(L))); }

/* clock(): seconds that only go forward */
static int engine_clock(lua_State *L) { return push_number(L, clock_exact_ms() / 1e3); }

/* ---- evaluating ---- */

static int engine_search_close(lua_State *L) { return search_free(self(L)->search), self(L)->search = NULL, 0; }

/* search_fixed(n): so many choices are settled on from now on */
static int engine_search_fixed(lua_State *L)
{
    if (self(L)->search) search_fixed(self(L)->search, (int)luaL_checkinteger(L, 1));
    return 0;
}

/* search_over(): nothing, or the failure that says why no device is left */
static int engine_search_over(lua_State *L)
{
    Strategies *s = check_host(L);
    if (!s->search || !search_is_over(s->search, &s->c->diag)) return 0;
    return push_failure(L), 1;
}

/* search_lost(): a device that was lost since the last call, and why; or nothing */
static int engine_search_lost(lua_State *L)
{
    const char *why;
    const DeviceInfo *d = self(L)->search ? search_lost(self(L)->search, &why) : NULL;
    if (!d) return 0;
    push_string(L, d->id);
    push_string(L, why);
    return 2;
}

/* Those that a search is spread over, or *one alone. */
static Device *const *chosen_devices(Strategies *s, Device *const *one, int *count)
{
    *count = 0;
    Device *const *devices = s->host.devices ? s->host.devices(s->host.data, count) : NULL;
    return *count ? devices : (*count = *one != NULL, one);
}

/* search_begin(): workers of the devices start, while what is to be searched is found out */
static int engine_search_begin(lua_State *L)
{
    Strategies *s = check_host(L);
    Device *d = chosen_device(s);
    int count;
    Device *const *devices = chosen_devices(s, &d, &count);
    diag_clear(&s->c->diag);
    for (int i = 0; i < count; i++) device_begin(devices[i]);
    return 0;
}

/* search_open{label =, since =, replay =, force =, transfer =, ...}, version: the devices, separated by commas, and how many; nil and a failure. */
static int engine_search_open(lua_State *L)
{
    Strategies *s = check_host(L);
    luaL_checktype(L, 1, LUA_TTABLE);
    if (s->search) return luaL_error(L, "a search is running already");
    const Version *v = check_current(L, 2);
    static const char *const fields[] = {"label", "since", "replay", "force", "transfer"};
    lua_settop(L, 1);
    for (int i = 0; i < COUNT(fields); i++) lua_getfield(L, 1, fields[i]);
    Device *d = chosen_device(s);
    if (!d && !diag_failed(&s->c->diag)) diag_error(&s->c->diag, E60, "there are no devices here");
    if (!d) return push_failure(L);
    SearchOptions o = {.label = lua_tostring(L, 2), .since = lua_tointeger(L, 3), .batch = !s->host.source,
                       .replay = lua_toboolean(L, 4), .force = lua_toboolean(L, 5),
                       .stop = stop_of(s), .source = s->host.source, .source_data = s->host.data};
    const char *transfer = lua_tostring(L, 6);
    if (transfer && !transfer_named(transfer, &o.transfer))
        return luaL_error(L, "transfer is none, to, from or both, not %s", transfer);
    int count;
    Device *const *devices = chosen_devices(s, &d, &count);
    for (int i = 0; i < count; i++)
        if (!lua_toboolean(L, 4) && device_paused(devices[i], &s->c->diag)) return push_failure(L);
    s->search = search_new(s->session, devices, count, s->host.results ? s->host.results(s->host.data) : NULL, &o);
    json_t *spec = s->host.begun ? to_json(L, 1) : NULL;
    if (spec) s->host.begun(s->host.data, v, spec);
    json_decref(spec);
    Buf names = {0};
    for (int i = 0; i < count; i++) buf_printf(&names, "%s%s", i ? "," : "", device_info(devices[i])->id);
    push_buf(L, &names);
    lua_pushinteger(L, count);
    return 2;
}

/* search_batch(): so many candidates are worth asking for at a time */
static int engine_search_batch(lua_State *L) { return push_integer(L, true, self(L)->search ? search_batch(self(L)->search) : 1); }

/* {ok =, status =, ns =, min_ns =, iqr_ns =, flops =, bytes =, build_ms =, runs =, known =, gave_up =,
 * same_as =, source =, message =, device =} */
static void push_trial(lua_State *L, const Trial *t)
{
    char source[20];
    const Result *r = &t->result;
    lua_createtable(L, 0, 15);
    set_bool(L, "ok", r->state == RESULT_OK);
    set_text(L, "status", result_state_name(r->state));
    if (r->ns > 0) set_number(L, "ns", r->ns), set_number(L, "min_ns", r->min_ns), set_number(L, "iqr_ns", r->iqr_ns);
    if (r->flops > 0) set_number(L, "flops", r->flops);
    if (r->bytes > 0) set_number(L, "bytes", r->bytes);
    set_number(L, "build_ms", r->build_ms);
    set_integer(L, "runs", r->trials);
    set_bool(L, "known", t->known);
    set_integer(L, "since", r->when);
    set_bool(L, "gave_up", t->gave_up);
    if (t->same_as) set_integer(L, "same_as", t->same_as);
    snprintf(source, sizeof source, "%016llx", (unsigned long long)r->key.source);
    set_text(L, "source", r->key.source ? source : NULL);
    set_text(L, "message", r->message);
    set_text(L, "device", r->key.device);
}

typedef struct Queue { lua_State *L; int make, ended, kept; bool failed; } Queue;        /* stack places of the functions, and of a table */

/* An error of Lua's waits until the search has come to rest. */
static bool call(Queue *q, int arguments, int results)
{
    if (!q->failed) q->failed = lua_pcall(q->L, arguments, results, 0);
    return !q->failed;
}

static int check_made(lua_State *L)
{
    if (!lua_isnil(L, 1)) check_current(L, 1);
    return 0;
}

static const Version *make_candidate(void *data, int i, const char **derivation)
{
    Queue *q = data;
    lua_State *L = q->L;
    if (q->failed) return NULL;
    lua_pushvalue(L, q->make);
    lua_pushinteger(L, i + 1);
    if (!call(q, 1, 2)) return NULL;
    lua_pushcfunction(L, check_made);
    lua_pushvalue(L, -3);
    if (!call(q, 1, 0)) return NULL;
    const Version *v = lua_isnil(L, -2) ? NULL : check_current(L, -2);
    *derivation = lua_type(L, -1) == LUA_TSTRING && lua_rawlen(L, -1) ? lua_tostring(L, -1) : NULL;
    lua_rawseti(L, q->kept, 2 * i + 2);
    lua_rawseti(L, q->kept, 2 * i + 1);
    return v;
}

static bool tell_trial(void *data, int i, const Trial *t)
{
    Queue *q = data;
    lua_State *L = q->L;
    if (q->failed) return false;
    lua_pushvalue(L, q->ended);
    lua_pushinteger(L, i + 1);
    if (t) push_trial(L, t);
    else lua_pushnil(L);
    if (!call(q, 2, 1)) return false;
    bool go_on = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return go_on;
}

/* search_try(count, make, ended): make(k) gives a version and its derivation ("": the version's own), or nil where there is none;
 * ended(k, trial), trial nil then, is called for each in order, and says whether to go on */
static int engine_search_try(lua_State *L)
{
    Strategies *s = check_host(L);
    Queue of = {L, 2, 3, 4, false};
    luaL_checktype(L, 2, LUA_TFUNCTION);
    luaL_checktype(L, 3, LUA_TFUNCTION);
    lua_settop(L, 3);
    lua_newtable(L);
    luaL_checkstack(L, 10, NULL);
    if (!s->search) return luaL_error(L, "no search is running");
    const SearchQueue queue = {(int)luaL_checkinteger(L, 1), make_candidate, tell_trial, &of};
    search_try(s->search, &queue);
    return of.failed ? lua_error(L) : 0;
}

/* derivation(v): the steps from the source, without bindings of parameters */
static int engine_derivation(lua_State *L)
{
    Strategies *s = check_host(L);
    const Version *v = check_current(L, 1);
    LOCAL(drop_arena) Arena *arena = arena_new();
    return push_string(L, session_derivation(s->session, v, arena));
}

/* lowered(v): true; or nil and E51 with what is still high-level */
static int engine_lowered(lua_State *L)
{
    Ctx *c = check_host(L)->c;
    return plan_is_lowered(c, check_current(L, 1)->root) ? push_bool(L, true) : push_failure(L);
}

/* twin(v): the version of the tree with the same content; nil: there is none */
static int engine_twin(lua_State *L) { return push_version(L, session_same(check_host(L)->session, check_current(L, 1))); }

/* ---- saying how far it is ---- */

static int engine_progress(lua_State *L)
{
    const StrategyHost *host = &self(L)->host;
    if (host->progress) host->progress(host->data, luaL_checkstring(L, 1));
    return 0;
}

/* event{...}: an object for who reads JSON */
static int engine_event(lua_State *L)
{
    const StrategyHost *host = &self(L)->host;
    luaL_checktype(L, 1, LUA_TTABLE);
    if (host->event) host->event(host->data, to_json(L, 1));
    return 0;
}

/* nearest(typed, {names}): the one most like it, or nil (near_try) */
static int engine_nearest(lua_State *L)
{
    NearName near = {.typed = luaL_checkstring(L, 1)};
    luaL_checktype(L, 2, LUA_TTABLE);
    for (lua_Integer i = 1; lua_rawgeti(L, 2, i) == LUA_TSTRING; i++, lua_pop(L, 1)) near_try(&near, lua_tostring(L, -1));
    lua_pushstring(L, near.name);
    return 1;
}

/* on_gpu(): is the device that is chosen a GPU? */
static int engine_on_gpu(lua_State *L)
{
    Strategies *s = check_host(L);
    const DeviceInfo *target = chosen_target(s);
    Device *d = target && target->is_record ? NULL : chosen_device(s);
    diag_clear(&s->c->diag);
    return push_bool(L, d ? device_info(d)->is_gpu : target && target->is_gpu);
}

/* share_within(percent): of the best performance, what is that close to it */
static int engine_share_within(lua_State *L) { return push_number(L, stats_share_within((int)luaL_checkinteger(L, 1))); }

/* draws_needed(total, good, confidence); nil: none is good */
static int engine_draws_needed(lua_State *L)
{
    int total = (int)luaL_checkinteger(L, 1), good = (int)luaL_checkinteger(L, 2);
    int n = stats_draws_needed(total, good, luaL_checknumber(L, 3));
    return push_integer(L, n > 0, n);
}

/* setting(NAME): its value as text */
static int engine_setting(lua_State *L)
{
    const Session *s = self(L)->session;
    SettingId id = setting_from_name(luaL_checkstring(L, 1));
    if (id == SETTING_COUNT) return luaL_error(L, "there is no setting %s", lua_tostring(L, 1));
    return push_string(L, s ? session_setting(s, id) : setting(id)->initial);
}

const luaL_Reg search_functions[] = {
    {"hold", engine_hold}, {"stopping", engine_stopping}, {"clock", engine_clock}, {"search_begin", engine_search_begin}, {"search_open", engine_search_open},
    {"search_batch", engine_search_batch}, {"search_close", engine_search_close}, {"search_fixed", engine_search_fixed},
    {"search_over", engine_search_over}, {"search_lost", engine_search_lost},
    {"search_try", engine_search_try}, {"derivation", engine_derivation},
    {"twin", engine_twin}, {"lowered", engine_lowered}, {"progress", engine_progress},
    {"event", engine_event}, {"setting", engine_setting}, {"on_gpu", engine_on_gpu},
    {"share_within", engine_share_within}, {"draws_needed", engine_draws_needed},
    {"nearest", engine_nearest}, {NULL, NULL},
};

/* ---- called by the shell ---- */

typedef struct Order { const char *module; const json_t *spec; json_t **report; } Order;

static int run_order(lua_State *L)
{
    Order *o = lua_touserdata(L, 1);
    push_library(L, o->module, "command");
    push_json(L, o->spec);
    lua_call(L, 1, 1);
    if (o->report && !lua_isnil(L, -1)) *o->report = to_json(L, -1);
    return 0;
}

bool strategies_command(Strategies *s, const char *module, const json_t *spec, Buf *out, json_t **report)
{
    LOCAL(drop_arena) Arena *scratch = arena_new();
    Order order = {module, spec, report};
    Call call = begin_call(s, scratch, NULL, NULL, out);
    Search *outer = s->search;
    int status = call_with(call.L, run_order, &order, 0);
    hold_back(s, false);
    if (s->search != outer) search_free(s->search);
    s->search = outer;
    return end_call(&call, status);
}

bool strategies_search_strategy(Strategies *s, int i, Arena *arena, SearchStrategy *out)
{
    Call call = begin_call(s, NULL, NULL, NULL, NULL);
    int status = call_library(call.L, 1, "command", "listed", "i", i + 1);
    bool found = status == LUA_OK && lua_istable(call.L, -1);
    if (found) {
        *out = (SearchStrategy){field_text(call.L, arena, "name"), field_text(call.L, arena, "doc"), field_text(call.L, arena, "options"), false};
        out->user = lua_getfield(call.L, -1, "user") == LUA_TBOOLEAN && lua_toboolean(call.L, -1);
    }
    return end_call(&call, status) && found;
}
