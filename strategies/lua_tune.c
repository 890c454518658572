/* lua_tune: parameter spaces as Lua values. */
#include "lua_private.h"
#include "values.h"

#include <stdlib.h>
#include <string.h>

typedef struct Asker {                   /* who asks functions of the user's */
    Arena *arena;
    const void *key;                     /* they are in a table that the registry has under it */
    Strategies *outside;                 /* asked by C, not by Lua: what fails goes to the diag; else NULL */
    lua_State *L;                        /* where they run now */
    bool failed;                         /* one of them raised an error, which is on L's stack, or in the diag */
    volatile int stop;
    int64_t fuel;                        /* outside: instructions that are left */
} Asker;
typedef struct Where {                   /* a constraint of the user's */
    Asker *asker;
    int index, vars;                     /* of its function; parameters it takes */
} Where;
typedef struct Space {
    Asker asker;                         /* whose arena is that of all here */
    TuneSpace *s;
} Space;

static Space *check_space(lua_State *L)
{
    Space *s = check_class(L, 1, CLASS_SPACE);
    if (!s->s) luaL_error(L, "this space was closed");
    s->asker.L = L;
    s->asker.failed = false;
    return s;
}

/* Raise what a constraint's function raised. */
static void check_where(lua_State *L, const Space *s) { if (s->asker.failed) lua_error(L); }

static int space_gc(lua_State *L)
{
    Space *s = check_class(L, 1, CLASS_SPACE);
    tune_free(s->s);
    arena_free(s->asker.arena);
    *s = (Space){0};
    lua_pushnil(L);
    lua_rawsetp(L, LUA_REGISTRYINDEX, s);
    return 0;
}

/* ---- constraints of the user's ---- */

static bool where_holds(void *data, const int64_t *values)
{
    Where *w = data;
    Asker *a = w->asker;
    lua_State *L = a->L;
    if (a->failed || !lua_checkstack(L, w->vars + 4)) return false;
    lua_rawgetp(L, LUA_REGISTRYINDEX, a->key);
    lua_rawgeti(L, -1, w->index);
    lua_remove(L, -2);
    for (int i = 0; i < w->vars; i++) lua_pushinteger(L, values[i]);
    if (lua_pcall(L, w->vars, 1, 0) != LUA_OK) {
        a->failed = true;
        a->stop = 1;
        return false;                    /* the error stays on the stack */
    }
    bool holds = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return holds;
}

/* Asked by C: with fuel of its own where nothing of Lua runs, and what fails goes to the diag. */
static bool asked_holds(void *data, const int64_t *values)
{
    Where *w = data;
    Asker *a = w->asker;
    Strategies *s = a->outside;
    Run before = s->run;
    if (a->failed) return false;
    a->L = s->current;
    int top = lua_gettop(a->L);
    if (!before.env) s->run.instructions = a->fuel;
    bool holds = where_holds(data, values);
    a->fuel = s->run.instructions;
    if (a->failed && !diag_failed(&s->c->diag)) to_diag(s, a->L, LUA_ERRRUN);
    lua_settop(a->L, top);
    if (!before.env) s->run = before;
    return holds;
}

typedef struct Options {
    SpaceOptions o;
    TuneLimits limits;
    const char **names;
    int name_count;
} Options;

/* An error with the names that there are: "s0 s1"; of none "none". */
static int not_among(lua_State *L, const char *message, const char *name, const char *const *names, int n)
{
    luaL_Buffer b;
    luaL_buffinit(L, &b);
    for (int i = 0; i < n; i++) {
        if (i) luaL_addchar(&b, ' ');
        luaL_addstring(&b, names[i]);
    }
    if (!n) luaL_addstring(&b, "none");
    luaL_pushresult(&b);
    return luaL_error(L, message, name, lua_tostring(L, -1));
}

static int check_name(lua_State *L, const char *name, const char *const *names, int n)
{
    int i = text_index(names, n, name);
    return i >= 0 ? i : not_among(L, "the space has no parameter '%s'; it has: %s", name, names, n);
}

/* The whole number on top of the stack, no less than that; else an error with that message. */
static int64_t check_whole(lua_State *L, int64_t least, const char *message, const char *name, int i)
{
    int whole;
    int64_t value = lua_tointegerx(L, -1, &whole);
    if (!whole || value < least) luaL_error(L, message, name, i);
    return value;
}

/* {"s0", "s1", function(s0, s1) ... end, "reason", text =, from =} on top of the stack. functions: where their table is. */
static Constraint check_where_entry(lua_State *L, Asker *asker, const Options *o, int index, int functions)
{
    int n = 0, *vars = NEW_ARRAY(asker->arena, int, lua_rawlen(L, -1));
    Constraint con = {.kind = CON_CALL, .reason = "where", .holds = asker->outside ? asked_holds : where_holds, .vars = vars};
    for (; lua_rawgeti(L, -1, n + 1) == LUA_TSTRING; n++) {
        vars[n] = check_name(L, lua_tostring(L, -1), o->names, o->name_count);
        con.text = n ? arena_printf(asker->arena, "%s, %s", con.text, lua_tostring(L, -1)) : arena_strdup(asker->arena, lua_tostring(L, -1));
        lua_pop(L, 1);
    }
    if (!lua_isfunction(L, -1)) luaL_error(L, "where[%d] is not {\"s0\", ..., function(s0, ...) ... end, \"reason\"}", index);
    lua_rawseti(L, functions, index);
    if (lua_rawgeti(L, -1, n + 2) == LUA_TSTRING) con.reason = arena_strdup(asker->arena, lua_tostring(L, -1));
    lua_pop(L, 1);
    Where *w = NEW(asker->arena, Where);
    *w = (Where){asker, index, con.var_count = n};
    con.data = w;
    const char *given = field_text(L, asker->arena, "text");
    con.text = given ? given : arena_printf(asker->arena, "%s of %s", con.reason, n ? con.text : "");
    con.from = field_text(L, asker->arena, "from");
    return con;
}

static void check_wheres(lua_State *L, int table, Asker *asker, Options *o)
{
    if (lua_getfield(L, table, "where") == LUA_TNIL) return lua_pop(L, 1);
    luaL_argcheck(L, lua_istable(L, -1), 2, "where is a list of {\"s0\", ..., function(s0, ...) ... end, \"reason\"}");
    int n = (int)lua_rawlen(L, -1);
    Constraint *cons = NEW_ARRAY(asker->arena, Constraint, n);
    lua_createtable(L, n, 0);
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, asker->key);
    int functions = lua_gettop(L);
    for (int i = 1; i <= n; i++) {
        if (lua_rawgeti(L, functions - 1, i) != LUA_TTABLE)
            luaL_error(L, "where[%d] is not {\"s0\", ..., function(s0, ...) ... end, \"reason\"}", i);
        cons[i - 1] = check_where_entry(L, asker, o, i, functions);
        lua_pop(L, 1);
    }
    o->o.constraints = cons;
    o->o.constraint_count = n;
    lua_pop(L, 2);
}

/* The field of the table at that place on the stack: a table, or an error that says what it is. False: it is not there. */
static bool check_table_field(lua_State *L, int table, const char *name, const char *what)
{
    if (lua_getfield(L, table, name) == LUA_TNIL) return lua_pop(L, 1), false;
    luaL_argcheck(L, lua_istable(L, -1), 2, what);
    lua_pushnil(L);
    return true;
}

/* The next field of the table below the key on top of the stack; its key as a text. NULL: that was the last, and both are gone. */
static const char *next_field(lua_State *L)
{
    if (!lua_next(L, -2)) return lua_pop(L, 1), NULL;
    return lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "?";
}

static void check_options(lua_State *L, int table, Space *space, const Version *v, Options *o)
{
    o->o.limits = &o->limits;
    o->o.stop = &space->asker.stop;
    const DeviceInfo *device = chosen_target(self(L));
    if (device) tune_device_limits(device, &o->limits);
    if (lua_isnoneornil(L, table)) lua_newtable(L), lua_replace(L, table);
    luaL_checktype(L, table, LUA_TTABLE);
    lua_getfield(L, table, "bound");
    o->o.bound = lua_toboolean(L, -1);
    lua_getfield(L, table, "largest");
    o->o.limit = lua_tointeger(L, -1);
    lua_getfield(L, table, "edges");
    o->o.edges = (int)lua_tointeger(L, -1);
    lua_pop(L, 3);
    o->name_count = session_space_names(v, o->o.bound, space->asker.arena, &o->names);
    const char *name, *limit_names[16];
    if (check_table_field(L, table, "limits", "limits is a table {local_bytes = 32768, ...}"))
        for (; (name = next_field(L)); lua_pop(L, 1)) {
            int n = 0;
            for (const LimitName *l; n < COUNT(limit_names) && (l = tune_limit(n)); n++) limit_names[n] = l->name;
            int i = text_index(limit_names, n, name);
            if (i < 0) not_among(L, "there is no limit '%s'; there are: %s", name, limit_names, n);
            *(int64_t *)(void *)((char *)&o->limits + tune_limit(i)->offset) =
                lua_toboolean(L, -1) ? check_whole(L, 0, "limits.%s is not a whole number (0 or false: no limit)", name, 0) : 0;
        }
    if (check_table_field(L, table, "values", "values is a table {s0 = {1, 2, 4}, ...}")) {
        TuneVar *vars = NEW_ARRAY(space->asker.arena, TuneVar, o->name_count);
        for (; (name = next_field(L)); lua_pop(L, 1)) {
            check_name(L, name, o->names, o->name_count);
            int count = lua_istable(L, -1) ? (int)lua_rawlen(L, -1) : 0;
            if (!count) luaL_error(L, "values.%s is not a list of numbers", name);
            int64_t *list = NEW_ARRAY(space->asker.arena, int64_t, count);
            for (int i = 0; i < count; i++) {
                lua_rawgeti(L, -1, i + 1);
                list[i] = check_whole(L, 1, "values.%s[%d] is not a whole number >= 1", name, i + 1);
                lua_pop(L, 1);
            }
            vars[o->o.value_count++] = (TuneVar){arena_strdup(space->asker.arena, name), count, list};
        }
        o->o.values = vars;
    }
    check_wheres(L, table, &space->asker, o);
}

/* space(v, {limits =, values =, where =, bound =, largest =, edges =}): the parameter space of a version; or nil and a failure. */
static int engine_space(lua_State *L)
{
    Strategies *s = self(L);
    const Version *v = check_current(L, 1);
    Options o = {0};
    lua_settop(L, 2);
    Space *space = lua_newuserdatauv(L, sizeof *space, 0);
    *space = (Space){.asker = {.arena = arena_new(), .key = space, .L = L}};
    set_class(L, CLASS_SPACE);
    check_options(L, 2, space, v, &o);
    space->s = session_space(s->session, v, &o.o, space->asker.arena, &(Values){0});
    if (space->asker.failed) diag_clear(&s->c->diag);
    check_where(L, space);
    check_stop(L);
    if (!space->s) return push_failure(L);
    space->asker.stop = 0;
    return 1;
}

/* ---- points as tables ---- */

static void push_point(lua_State *L, const Space *s, const int64_t *values)
{
    lua_createtable(L, 0, tune_var_count(s->s));
    for (int i = 0; i < tune_var_count(s->s); i++) set_integer(L, tune_name(s->s, i), values[i]);
}

static int check_var(lua_State *L, const Space *s, const char *name)
{
    int var = tune_find(s->s, name), n = tune_var_count(s->s);
    if (var >= 0) return var;
    return check_name(L, name, MAKE_LIST(s->asker.arena, const char *, i, n, tune_name(s->s, i)), n);
}

/* A table of values, 0 where there is none; whole: every parameter must have one. The result is on the stack. */
static int64_t *check_point(lua_State *L, int i, const Space *s, bool whole)
{
    int n = tune_var_count(s->s);
    bool given = whole || !lua_isnoneornil(L, i);
    if (given) luaL_checktype(L, i, LUA_TTABLE);
    int64_t *values = lua_newuserdatauv(L, sizeof *values * (size_t)(n + 1), 0);
    memset(values, 0, sizeof *values * (size_t)(n + 1));
    if (!given) return values;
    for (lua_pushnil(L); lua_next(L, i); lua_pop(L, 1)) {
        if (lua_type(L, -2) != LUA_TSTRING) luaL_error(L, "values are given by name, as in {s0 = 32}");
        const char *name = lua_tostring(L, -2);
        values[check_var(L, s, name)] = check_whole(L, 1, "%s must be a whole number >= 1", name, 0);
    }
    for (int k = 0; whole && k < n; k++)
        if (!values[k]) luaL_error(L, "%s has no value", tune_name(s->s, k));
    return values;
}

/* space:at(k): the k-th point, k = 1 .. count. */
static int space_at(lua_State *L)
{
    Space *s = check_space(L);
    lua_Integer k = luaL_checkinteger(L, 2);
    int64_t *values = lua_newuserdatauv(L, sizeof *values * (size_t)(tune_var_count(s->s) + 1), 0);
    if (!tune_at(s->s, k - 1, values))
        return luaL_error(L, "the space has points 1 .. %I, not %I", (lua_Integer)tune_count(s->s), k);
    push_point(L, s, values);
    return 1;
}

/* space:index(values): its number; nil: no point. */
static int space_index(lua_State *L)
{
    Space *s = check_space(L);
    int64_t k = tune_index(s->s, check_point(L, 2, s, true));
    return push_integer(L, k >= 0, k + 1);
}

/* space:values(name[, fixed]): what the parameter is in points where the others have the values of fixed. */
static int space_values(lua_State *L)
{
    Space *s = check_space(L);
    int var = check_var(L, s, luaL_checkstring(L, 2));
    const int64_t *fixed = check_point(L, 3, s, false);
    LOCAL(drop_arena) Arena *arena = arena_new();
    int64_t *list;
    int n = tune_values(s->s, var, fixed, arena, &list);
    PUSH_LIST(L, i, n, lua_pushinteger(L, list[i]));
    return 1;
}

static int push_reason(lua_State *L, const char *reason, const char *text)
{
    lua_createtable(L, 0, 2);
    set_text(L, "reason", reason);
    set_text(L, "text", text);
    return 1;
}

/* space:violated(values): {reason =, text =} of the first constraint that they break; nil: none.
 * Parameters may be left out. */
static int space_violated(lua_State *L)
{
    Space *s = check_space(L);
    const int64_t *values = check_point(L, 2, s, false);
    const Constraint *c = tune_violated(s->s, values);
    check_where(L, s);
    if (c) return push_reason(L, c->reason, c->text);
    for (int i = 0; i < tune_var_count(s->s); i++) {
        const int64_t *list;
        int n = tune_candidates(s->s, i, &list);
        if (!values[i] || ANY(k, n, list[k] == values[i])) continue;
        lua_pushfstring(L, "%s = %I is none of the values given, or larger than those looked at",
                        tune_name(s->s, i), (lua_Integer)values[i]);
        return push_reason(L, "values", lua_tostring(L, -1));
    }
    lua_pushnil(L);
    return 1;
}

/* space:near(values): neighbouring points (tune_near). */
static int space_near(lua_State *L)
{
    Space *s = check_space(L);
    const int64_t *values = check_point(L, 2, s, true);
    LOCAL(drop_arena) Arena *arena = arena_new();
    int64_t **list;
    int n = tune_near(s->s, values, arena, &list);
    PUSH_LIST(L, i, n, push_point(L, s, list[i]));
    return 1;
}

static void set_count(lua_State *L, const char *field, int64_t n)
{
    if (n >= 0) set_integer(L, field, n);
    else set_number(L, field, (lua_Number)1 / 0.0);
}

/* space:funnel(): {{reason =, count = rejected, before =, after =, text =}, ..., all = candidates together};
 * inf: more than can be counted. */
static int space_funnel(lua_State *L)
{
    Space *s = check_space(L);
    Arena *arena = arena_new();
    const Rejection *list;
    int n = tune_funnel(s->s, arena, &list, &self(L)->c->diag);
    if (s->asker.failed || n < 0) {
        arena_free(arena);
        diag_clear(&self(L)->c->diag);
        s->asker.stop = 0;
        check_where(L, s);
        check_stop(L);
        return luaL_error(L, "interrupted");
    }
    lua_createtable(L, n, 1);
    set_count(L, "all", n ? list[0].before : tune_count(s->s));
    for (int i = 0; i < n; i++) {
        LOCAL(buf_free) Buf text = {0};
        for (int j = list[i].from; j < list[i].to; j++)
            buf_printf(&text, "%s%s", j > list[i].from ? ", " : "", tune_constraint(s->s, j)->text);
        push_reason(L, list[i].reason, buf_text(&text));
        set_count(L, "before", list[i].before);
        set_count(L, "after", list[i].after);
        set_count(L, "count", list[i].before < 0 || list[i].after < 0 ? -1 : list[i].before - list[i].after);
        lua_rawseti(L, -2, i + 1);
    }
    arena_free(arena);
    return 1;
}

/* ---- fields ---- */

static int space_field(lua_State *L)
{
    Space *s = check_space(L);
    switch (class_field(L, CLASS_SPACE)) {
    case FIELD_SPACE_count: return push_integer(L, true, tune_count(s->s));
    case FIELD_SPACE_names: PUSH_LIST(L, i, tune_var_count(s->s), push_string(L, tune_name(s->s, i)));
    }
    return 1;
}

static int space_length(lua_State *L) { return push_integer(L, true, tune_count(check_space(L)->s)); }

static int space_tostring(lua_State *L)
{
    const Space *s = check_space(L);
    int n = tune_var_count(s->s);
    lua_pushfstring(L, "%I point%s of %d parameter%s", (lua_Integer)tune_count(s->s),
                    tune_count(s->s) == 1 ? "" : "s", n, n == 1 ? "" : "s");
    return 1;
}

const luaL_Reg space_methods[] = {
    {"__index", space_field}, {"__len", space_length}, {"__tostring", space_tostring}, {"__gc", space_gc}, {"at", space_at},
    {"index", space_index}, {"values", space_values}, {"violated", space_violated}, {"near", space_near}, {"funnel", space_funnel},
    {NULL, NULL},
};

/* limits(): those of the device that was chosen, by name, and its name. */
static int engine_limits(lua_State *L)
{
    TuneLimits own = {0};
    const LimitName *limit;
    const DeviceInfo *device = chosen_target(self(L));
    if (device) tune_device_limits(device, &own);
    lua_newtable(L);
    for (int i = 0; (limit = tune_limit(i)); i++) {
        int64_t value = *(const int64_t *)(const void *)((const char *)&own + limit->offset);
        if (value) set_integer(L, limit->name, value);
    }
    push_string(L, device ? device->id : NULL);
    return 2;
}

/* space_names(v): the open parameters of which its space consists. */
static int engine_space_names(lua_State *L)
{
    const char **names;
    LOCAL(drop_arena) Arena *arena = arena_new();
    int n = session_space_names(check_current(L, 1), false, arena, &names);
    push_texts(L, names, n);
    return 1;
}

static void push_sizes(lua_State *L, const Session *s, const Version *v)
{
    Values values;
    LOCAL(drop_arena) Arena *arena = arena_new();
    session_space_values(s, v, arena, &values);
    lua_newtable(L);
    for (int i = 0; i < values.count; i++) {
        if (values.b[i].kind != VAR_SIZE || !values.b[i].set) continue;
        lua_pushinteger(L, (lua_Integer)values.b[i].value);
        lua_setfield(L, -2, values.b[i].name);
    }
}

/* sizes_of(version): the values of its sizes by name, as its space has them. */
static int engine_sizes_of(lua_State *L)
{
    push_sizes(L, check_host(L)->session, check_ref(L, 1, CLASS_VERSION));
    return 1;
}

/* is_variable(name): of some version of some program a parameter, or a size. */
static int engine_is_variable(lua_State *L)
{
    const Session *s = check_host(L)->session;
    const char *name = luaL_checkstring(L, 1);
    bool found = false;
    for (int i = 0; i < session_count(s) && !found; i++) {
        const Derivation *d = session_get(s, i);
        for (const Version *v = derivation_next(d, NULL); v && !found; v = derivation_next(d, v)) {
            LOCAL(drop) NatAtomVec used = term_vars_in(v->root, VAR_PARAM);
            if (v->number == 0) term_vars(v->root, VAR_SIZE, &used);
            found = version_param(v, name) || ANY(k, used.n, !strcmp(used.v[k]->name, name));
        }
    }
    lua_pushboolean(L, found);
    return 1;
}

const luaL_Reg tune_functions[] = {
    {"space", engine_space}, {"space_names", engine_space_names}, {"sizes_of", engine_sizes_of}, {"is_variable", engine_is_variable}, {"limits", engine_limits}, {NULL, NULL},
};

/* ---- what the user asks of parameters besides (constraints.lua), for the session ---- */

typedef struct Asking {
    Asker *asker;
    const Version *v;
    const char *const *names;
    int n, count;
    AskedConstraint *out;
} Asking;

static int find_all_asked(lua_State *L)
{
    Asking *a = lua_touserdata(L, 1);
    push_library(L, "constraints", "asked_of");
    push_version(L, a->v);
    push_texts(L, a->names, a->n);
    push_sizes(L, a->asker->outside->session, a->v);
    lua_call(L, 3, 1);
    int table = lua_gettop(L);
    Options o = {.names = (const char **)(uintptr_t)a->names, .name_count = a->n};
    check_wheres(L, table, a->asker, &o);
    lua_getfield(L, table, "others");
    a->out = NEW_ARRAY(a->asker->arena, AskedConstraint, o.o.constraint_count + (int)lua_rawlen(L, -1));
    for (; a->count < o.o.constraint_count; a->count++)
        a->out[a->count] = (AskedConstraint){.con = o.o.constraints[a->count]};
    /* Those that are not about the version: list on top of the stack. */
    int n = (int)lua_rawlen(L, -1);
    for (int i = 1; i <= n; i++) {
        AskedConstraint *c = &a->out[a->count++];
        lua_rawgeti(L, -1, i);
        *c = (AskedConstraint){.con = {.kind = CON_CALL, .reason = "asked", .text = field_text(L, a->asker->arena, "text")}};
        c->con.from = field_text(L, a->asker->arena, "from");
        c->missing = field_text(L, a->asker->arena, "missing");
        lua_pop(L, 1);
    }
    return 0;
}

static int asked(void *data, const Version *v, const char *const *names, int n, Arena *arena, AskedConstraint **out)
{
    Strategies *s = data;
    lua_State *L = s->current;
    int top = lua_gettop(L);
    Run before = s->run;
    Asker *asker = NEW(arena, Asker);
    *asker = (Asker){.arena = arena, .key = s, .outside = s, .L = L, .fuel = s->limits.instructions};
    Asking a = {.asker = asker, .v = v, .names = names, .n = n};
    if (!before.env) s->run.instructions = s->limits.instructions;
    int status = call_with(L, find_all_asked, &a, 0);
    if (status != LUA_OK && !diag_failed(&s->c->diag)) to_diag(s, L, status);
    lua_settop(L, top);
    if (!before.env) s->run = before;
    *out = a.out;
    return status == LUA_OK ? a.count : -1;
}

void strategies_ask_session(Strategies *s, Session *session) { session_ask(session, asked, s); }
