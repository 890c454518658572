#include "strategy.h"

#include <ctype.h>
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "embedded.h"
#include "plan.h"

enum { HOOK_INSTRUCTIONS = 10000, FAILED_ARGUMENT = 1000 };

/* ---- state ---- */

typedef struct Fresh {                   /* tuning parameters made on the way to a cursor, newest first */
    const char *name;
    const struct Fresh *before;
    int count;
} Fresh;

typedef struct Done {                    /* steps on the way to a cursor, newest first */
    StrategyStep step;
    int fact_count;
    const Fact *facts;
    const struct Done *before;
    int count, all_facts;
} Done;

/* A place in a term, with the steps that made the term. Immutable. */
typedef struct Cursor {
    const Term *root;
    const Done *last;
    const Fresh *fresh;
    int next_param;
    uint64_t run;                        /* serial number: a cursor must not be used after its run */
    Path at;
} Cursor;

typedef struct Run {                     /* what the code being run may use; saved and restored when runs nest */
    Arena *arena;
    RewriteEnv *env;                     /* NULL outside strategy_run */
    const LowerHints *hints;
    Buf *out;
    uint64_t serial;
    int64_t instructions;                /* left; negative: no limit */
    int attempts, steps;
    const char *exhausted;               /* why no more may be spent; NULL: go on */
} Run;

struct Strategies {
    Ctx *c;
    Rules *rules;
    const Defs *defs;
    lua_State *lua, *current;
    Arena *arena;
    VEC(StrategyName *) names;
    StrategyLimits limits;
    size_t memory;
    bool restricted;
    StrategyHost *host;
    void *host_data;
    uint64_t serial;
    Run run;
};

static const char failed_key, cache_key, patterns_key;       /* addresses only: registry keys and the error sentinel */

static Strategies *self(lua_State *L) { return *(Strategies **)lua_getextraspace(L); }

/* Raise the error that is in the diag. */
static int raise(lua_State *L)
{
    lua_pushlightuserdata(L, (void *)(uintptr_t)&failed_key);
    return lua_error(L);
}

static bool is_failed_key(lua_State *L, int i) { return lua_touserdata(L, i) == &failed_key; }

static void *allocate(void *data, void *old, size_t old_size, size_t size)
{
    Strategies *s = data;
    size_t before = old ? old_size : 0;
    if (!size) {
        s->memory -= before;
        free(old);
        return NULL;
    }
    if (size > before && s->memory + (size - before) > s->limits.memory) return NULL;
    void *p = realloc(old, size);
    if (p) s->memory += size - before;
    return p;
}

/* ---- fuel ---- */

/* Once fuel is gone every further attempt to go on ends here, so no handler in Lua can swallow it. */
static void check_fuel(lua_State *L)
{
    Strategies *s = self(L);
    if (!s->run.exhausted) return;
    diag_clear(&s->c->diag);
    diag_error(&s->c->diag, E25, "%s", s->run.exhausted);
    raise(L);
}

static void exhaust(lua_State *L, const char *what)
{
    self(L)->run.exhausted = what;
    check_fuel(L);
}

static void check_stop(lua_State *L)
{
    Strategies *s = self(L);
    if (s->limits.stop && *s->limits.stop) exhaust(L, "interrupted");
}

static void hook(lua_State *L, lua_Debug *where)
{
    (void)where;
    Strategies *s = self(L);
    check_stop(L);
    check_fuel(L);
    if (s->run.instructions < 0) return;
    s->run.instructions -= HOOK_INSTRUCTIONS;
    if (s->run.instructions < 0) {
        s->run.instructions = 0;
        exhaust(L, "the strategy ran out of fuel: too many Lua instructions; is there an endless loop?");
    }
}

static void spend_attempt(lua_State *L)
{
    Strategies *s = self(L);
    check_stop(L);
    if (--s->run.attempts < 0) exhaust(L, "the strategy ran out of fuel: too many rule applications were tried");
}

static void spend_step(lua_State *L)
{
    Strategies *s = self(L);
    if (--s->run.steps < 0) {
        exhaust(L, "the strategy ran out of fuel: too many rewrites; does a repetition undo its own work?");
    }
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
    for (int e = E_NONE + 1; e < ERROR_COUNT; e++) {
        if (!strcmp(error_name((ErrorId)e), name)) id = (ErrorId)e;
    }
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

/* Push the diag as such a table, and clear it. */
static void push_diag(lua_State *L)
{
    Diag *d = &self(L)->c->diag;
    lua_newtable(L);
    lua_pushstring(L, error_name(d->id));
    lua_setfield(L, -2, "id");
    lua_pushstring(L, d->message ? d->message : "");
    lua_setfield(L, -2, "message");
    lua_newtable(L);
    for (int i = 0; i < d->note_count; i++) {
        lua_createtable(L, 2, 0);
        lua_pushstring(L, d->notes[i].label);
        lua_rawseti(L, -2, 1);
        lua_pushstring(L, d->notes[i].text);
        lua_rawseti(L, -2, 2);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, "notes");
    diag_clear(d);
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
    return raise(L);
}

/* ---- userdata: one pointer each, one userdata a pointer, so equal values are equal in Lua ---- */

static void push_ref(lua_State *L, const void *p, const char *type)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, &cache_key);
    if (lua_rawgetp(L, -1, p) == LUA_TNIL) {
        lua_pop(L, 1);
        *(const void **)lua_newuserdatauv(L, sizeof p, 0) = p;
        luaL_setmetatable(L, type);
        lua_pushvalue(L, -1);
        lua_rawsetp(L, -3, p);
    }
    lua_remove(L, -2);
}

static const void *check_ref(lua_State *L, int i, const char *type)
{
    return *(const void **)luaL_checkudata(L, i, type);
}

static void push_term(lua_State *L, const Term *t) { push_ref(L, t, "lathe.term"); }
static const Term *check_term(lua_State *L, int i) { return check_ref(L, i, "lathe.term"); }
static void push_nat(lua_State *L, const Nat *n) { push_ref(L, n, "lathe.size"); }

/* ---- sizes ---- */

/* The scope of the run with the parameters made so far. */
static LangScope run_scope(Strategies *s, const Fresh *fresh)
{
    const LangScope *base = s->run.env ? s->run.env->scope : NULL;
    LangScope scope = base ? *base : (LangScope){.defs = s->defs};
    if (!fresh) return scope;
    int n = scope.param_count;
    const char **names = NEW_ARRAY(s->run.arena, const char *, n + fresh->count);
    for (int i = 0; i < n; i++) names[i] = scope.params[i];
    scope.param_count = n + fresh->count;
    for (; fresh; fresh = fresh->before) names[n++] = fresh->name;
    scope.params = names;
    return scope;
}

static const Source *text_source(Strategies *s, const char *name, const char *text)
{
    Source *source = NEW(s->run.arena, Source);
    *source = (Source){name, arena_strdup(s->run.arena, text), strlen(text)};
    return source;
}

/* A size from a Lua value: an integer, a size, or text such as "N / 4". NULL: the error is in the diag. */
static const Nat *to_size(lua_State *L, int i, const Fresh *fresh)
{
    Strategies *s = self(L);
    if (lua_isinteger(L, i)) return nat_const(s->c->nats, lua_tointeger(L, i));
    const void **ref = luaL_testudata(L, i, "lathe.size");
    if (ref) return *ref;
    if (lua_type(L, i) == LUA_TSTRING && s->run.arena) {
        LangScope scope = run_scope(s, fresh);
        return lang_size(s->c, &scope, text_source(s, "size", lua_tostring(L, i)));
    }
    diag_error(&s->c->diag, E22, "a size is an integer or text such as \"N/4\", not %s", luaL_typename(L, i));
    return NULL;
}

static const Nat *check_size(lua_State *L, int i)
{
    const Nat *n = to_size(L, i, NULL);
    if (!n) raise(L);
    return n;
}

static int push_size_or_nil(lua_State *L, const Nat *n)
{
    if (n) push_nat(L, n);
    else lua_pushnil(L);
    return 1;
}

typedef const Nat *SizeOperator(Nats *s, const Nat *a, const Nat *b);
static int size_binary(lua_State *L, SizeOperator *f)
{
    const Nat *a = check_size(L, 1), *b = check_size(L, 2);
    return push_size_or_nil(L, f(self(L)->c->nats, a, b));
}
static const Nat *div_floor(Nats *s, const Nat *a, const Nat *b) { return nat_div(s, a, b, NULL); }
static const Nat *mod_floor(Nats *s, const Nat *a, const Nat *b) { return nat_mod(s, a, b, NULL); }
static int size_add(lua_State *L) { return size_binary(L, nat_add); }
static int size_sub(lua_State *L) { return size_binary(L, nat_sub); }
static int size_mul(lua_State *L) { return size_binary(L, nat_mul); }
static int size_exact(lua_State *L) { return size_binary(L, nat_exact); }
static int size_idiv(lua_State *L) { return size_binary(L, div_floor); }
static int size_mod(lua_State *L) { return size_binary(L, mod_floor); }

static int size_text(lua_State *L)
{
    Buf b = {0};
    nat_print(check_size(L, 1), 0, &b);
    lua_pushstring(L, buf_text(&b));
    buf_free(&b);
    return 1;
}

/* Its number where it is one; with the sizes that the session knows when called as n:known(). */
static int size_known(lua_State *L)
{
    const Nat *n = check_size(L, 1);
    const LowerHints *hints = self(L)->run.hints;
    int64_t v;
    if (n->is_const) lua_pushinteger(L, n->value);
    else if (hints && hints->value && nat_eval(n, hints->value, hints->value_data, &v)) lua_pushinteger(L, v);
    else lua_pushnil(L);
    return 1;
}

/* d:divides(n): true when proved, false when refuted, nil when it depends on the sizes. */
static int size_divides(lua_State *L)
{
    const Nat *d = check_size(L, 1), *n = check_size(L, 2);
    Nats *nats = self(L)->c->nats;
    if (nat_divides(nats, d, n, NULL)) lua_pushboolean(L, true);
    else if (nat_refuted_divides(nats, d, n)) lua_pushboolean(L, false);
    else lua_pushnil(L);
    return 1;
}

static int size_index(lua_State *L)
{
    const Nat *n = check_size(L, 1);
    const char *key = luaL_checkstring(L, 2);
    if (!strcmp(key, "value")) {
        if (n->is_const) lua_pushinteger(L, n->value);
        else lua_pushnil(L);
        return 1;
    }
    if (luaL_getmetafield(L, 1, key) == LUA_TNIL) return luaL_error(L, "a size has no field '%s'", key);
    return 1;
}

static const luaL_Reg size_methods[] = {
    {"__add", size_add}, {"__sub", size_sub}, {"__mul", size_mul}, {"__div", size_exact}, {"__idiv", size_idiv},
    {"__mod", size_mod}, {"__tostring", size_text}, {"__index", size_index}, {"known", size_known},
    {"divides", size_divides}, {NULL, NULL},
};

/* ---- terms ---- */

static const char *const kind_names[] = {
    [T_VAR] = "var", [T_INPUT] = "input", [T_LIT] = "literal", [T_SIZE] = "size", [T_LAM] = "lambda", [T_PRIM] = "prim",
};

static bool contains(const Term *t, PrimId id)
{
    if (t->kind == T_PRIM && t->prim == id) return true;
    for (int i = 0; i < t->arg_count; i++) {
        if (contains(t->args[i], id)) return true;
    }
    return false;
}

static PrimId check_prim(lua_State *L, int i)
{
    PrimId id = prim_from_name(luaL_checkstring(L, i));
    if (id == PRIM_COUNT) luaL_argerror(L, i, "the name of a primitive");
    return id;
}

static int term_contains(lua_State *L)
{
    const Term *t = check_term(L, 1);
    lua_pushboolean(L, contains(t, check_prim(L, 2)));
    return 1;
}

static const Term *first_lambda(const Term *t)
{
    if (t->kind == T_LAM) return t;
    for (int i = 0; i < t->arg_count; i++) {
        if (t->args[i]->kind == T_LAM) return t->args[i];
    }
    return NULL;
}

/* Number of the child in a slot, given by name or by 1-based number; -1: none. */
static int find_slot(lua_State *L, const Term *t, int i)
{
    if (lua_isinteger(L, i)) {
        lua_Integer k = lua_tointeger(L, i);
        return k >= 1 && k <= term_slot_count(t) ? (int)k - 1 : -1;
    }
    const char *name = luaL_checkstring(L, i);
    for (int k = 0; k < term_slot_count(t); k++) {
        if (!strcmp(term_slot_name(self(L)->c, t, k), name)) return k;
    }
    return -1;
}

/* t:slot(name or number): the child, for a function its body; nil when there is none. */
static int term_get_slot(lua_State *L)
{
    const Term *t = check_term(L, 1);
    int k = find_slot(L, t, 2);
    const Term *child = k < 0 ? NULL : term_slot(t, k);
    if (child && child->kind == T_LAM) child = child->args[0];
    if (child) push_term(L, child);
    else lua_pushnil(L);
    return 1;
}

static int term_static(lua_State *L)
{
    const Term *t = check_term(L, 1);
    lua_Integer k = luaL_optinteger(L, 2, 1);
    return push_size_or_nil(L, k >= 1 && k <= t->static_count ? t->statics[k - 1] : NULL);
}

static int push_slots(lua_State *L, const Term *t)
{
    lua_newtable(L);
    for (int k = 0; k < term_slot_count(t); k++) {
        lua_pushstring(L, term_slot_name(self(L)->c, t, k));
        lua_rawseti(L, -2, k + 1);
    }
    return 1;
}

static const Nat *type_scalars(Ctx *c, const Type *t)
{
    if (t->kind == TY_VECTOR) return nat_const(c->nats, t->width);
    if (t->kind == TY_ARRAY) return nat_mul(c->nats, t->size, type_scalars(c, t->elems[0]));
    const Nat *sum = nat_const(c->nats, t->kind == TY_TUPLE ? 0 : 1);
    for (int i = 0; t->kind == TY_TUPLE && i < t->count; i++) sum = nat_add(c->nats, sum, type_scalars(c, t->elems[i]));
    return sum;
}

static bool type_has_array(const Type *t)
{
    if (t->kind == TY_ARRAY) return true;
    for (int i = 0; t->kind == TY_TUPLE && i < t->count; i++) {
        if (type_has_array(t->elems[i])) return true;
    }
    return false;
}

static int push_binder(lua_State *L, const Term *t)
{
    const Term *lambda = first_lambda(t);
    const char *name = lambda && lambda->u.hints ? lambda->u.hints[0] : NULL;
    if (name) lua_pushstring(L, name);
    else lua_pushnil(L);
    return 1;
}

static int push_binders(lua_State *L, const Term *t)
{
    const Term *lambda = first_lambda(t);
    lua_newtable(L);
    int n = lambda && lambda->u.hints ? hint_count(lambda->type->elems[0]) : 0;
    for (int i = 0, k = 0; i < n; i++) {
        if (!lambda->u.hints[i]) continue;
        lua_pushstring(L, lambda->u.hints[i]);
        lua_rawseti(L, -2, ++k);
    }
    return 1;
}

static int push_string(lua_State *L, const char *text)
{
    lua_pushstring(L, text);
    return 1;
}

static int push_bool(lua_State *L, bool b)
{
    lua_pushboolean(L, b);
    return 1;
}

static int push_type(lua_State *L, const Type *t)
{
    Buf b = {0};
    type_print(t, &b);
    push_string(L, buf_text(&b));
    buf_free(&b);
    return 1;
}

static int push_name(lua_State *L, const Term *t)
{
    if (t->kind == T_INPUT) return push_string(L, t->u.name);
    if (t->kind == T_PRIM) return push_string(L, prim((PrimId)t->prim)->name);
    lua_pushnil(L);
    return 1;
}

static int kind_of(lua_State *L, const Term *t) { return push_string(L, kind_names[t->kind]); }
static int prim_of(lua_State *L, const Term *t)
{
    return push_string(L, t->kind == T_PRIM ? prim((PrimId)t->prim)->name : NULL);
}
static int type_of(lua_State *L, const Term *t) { return push_type(L, t->type); }
static int length_of(lua_State *L, const Term *t)
{
    return push_size_or_nil(L, t->type->kind == TY_ARRAY ? t->type->size : NULL);
}
static int scalars_of(lua_State *L, const Term *t)
{
    return push_size_or_nil(L, type_is_data(t->type) ? type_scalars(self(L)->c, t->type) : NULL);
}
static int rank_of(lua_State *L, const Term *t)
{
    int rank = 0;
    for (const Type *type = t->type; type->kind == TY_ARRAY; type = type->elems[0]) rank++;
    lua_pushinteger(L, rank);
    return 1;
}
static int size_of(lua_State *L, const Term *t) { lua_pushinteger(L, t->size); return 1; }
static int depth_of(lua_State *L, const Term *t) { lua_pushinteger(L, t->depth); return 1; }
static int layout_of(lua_State *L, const Term *t) { return push_bool(L, term_is_layout(t)); }
static int computing_of(lua_State *L, const Term *t) { return push_bool(L, !term_is_layout(t)); }
static int array_of(lua_State *L, const Term *t) { return push_bool(L, type_has_array(t->type)); }
static int atom_of(lua_State *L, const Term *t) { return push_bool(L, term_is_atom(t)); }
static int function_layout_of(lua_State *L, const Term *t)
{
    const Term *f = first_lambda(t);
    return push_bool(L, f && term_is_layout(f));
}
static int family_layout_of(lua_State *L, const Term *t)
{
    return push_bool(L, t->kind == T_PRIM && prim((PrimId)t->prim)->family == FAM_LAYOUT);
}

/* Fields of a term; scripts/embed's Lua files and users read these. */
static const struct { const char *name; int (*push)(lua_State *L, const Term *t); } term_fields[] = {
    {"kind", kind_of}, {"prim", prim_of}, {"name", push_name}, {"type", type_of}, {"length", length_of},
    {"scalars", scalars_of}, {"size", size_of}, {"depth", depth_of}, {"rank", rank_of}, {"is_layout", layout_of},
    {"is_computing", computing_of}, {"is_array", array_of}, {"is_atom", atom_of}, {"binder", push_binder},
    {"binders", push_binders}, {"slots", push_slots}, {"layout_function", function_layout_of},
    {"layout_node", family_layout_of},
};

static int term_index(lua_State *L)
{
    const Term *t = check_term(L, 1);
    const char *key = luaL_checkstring(L, 2);
    for (int i = 0; i < COUNT(term_fields); i++) {
        if (!strcmp(term_fields[i].name, key)) return term_fields[i].push(L, t);
    }
    if (luaL_getmetafield(L, 1, key) == LUA_TNIL) return luaL_error(L, "a term has no field '%s'", key);
    return 1;
}

static int term_tostring(lua_State *L)
{
    const Term *t = check_term(L, 1);
    push_name(L, t);
    if (lua_isnil(L, -1)) {
        lua_pop(L, 1);
        kind_of(L, t);
    }
    lua_pushliteral(L, ": ");
    type_of(L, t);
    lua_concat(L, 3);
    return 1;
}

static const luaL_Reg term_methods[] = {
    {"__index", term_index}, {"__tostring", term_tostring}, {"contains", term_contains}, {"slot", term_get_slot},
    {"static", term_static}, {NULL, NULL},
};

/* ---- cursors ---- */

static Cursor *check_cursor(lua_State *L, int i)
{
    Cursor *k = luaL_checkudata(L, i, "lathe.cursor");
    if (k->run != self(L)->run.serial) luaL_argerror(L, i, "a cursor cannot be kept after its run");
    return k;
}

static Cursor *push_cursor(lua_State *L, const Cursor *from)
{
    Cursor *k = lua_newuserdatauv(L, sizeof *k, 0);
    if (from) *k = *from;
    else memset(k, 0, sizeof *k);
    luaL_setmetatable(L, "lathe.cursor");
    return k;
}

static const Term *cursor_term(const Cursor *k) { return path_term(k->root, &k->at); }

static bool path_under(const Path *p, const Path *top)
{
    return p->length >= top->length && !memcmp(p->slots, top->slots, top->length);
}

/* Move p to the next data-typed place under top; skip: not into p's own subterm. */
static bool advance(const Term *root, const Path *top, Path *p, bool skip)
{
    Path from = *p;
    do {
        if (!path_next(root, p) || !path_under(p, top)) return false;
    } while (skip && path_under(p, &from));
    return true;
}

/* k:next(top): the following place in pre-order inside the place of top, nil at the end. */
static int cursor_next(lua_State *L)
{
    const Cursor *k = check_cursor(L, 1), *top = check_cursor(L, 2);
    Path p = k->at;
    if (advance(k->root, &top->at, &p, false)) push_cursor(L, k)->at = p;
    else lua_pushnil(L);
    return 1;
}

/* k:children(): the data-typed places directly below (bodies of functions included), in pre-order. */
static int cursor_children(lua_State *L)
{
    const Cursor *k = check_cursor(L, 1);
    Path p = k->at;
    lua_newtable(L);
    for (int i = 1; advance(k->root, &k->at, &p, i > 1); i++) {
        push_cursor(L, k)->at = p;
        lua_rawseti(L, -2, i);
    }
    return 1;
}

/* Shorten p by one node: past the lambda too when it is a body. False at the root. */
static bool path_up(const Term *root, Path *p)
{
    if (!p->length) return false;
    do p->length--; while (p->length && path_term(root, p)->kind == T_LAM);
    return true;
}

static int cursor_up(lua_State *L)
{
    const Cursor *k = check_cursor(L, 1);
    Path p = k->at;
    if (path_up(k->root, &p)) push_cursor(L, k)->at = p;
    else lua_pushnil(L);
    return 1;
}

static int push_cursor_slot(lua_State *L, const Cursor *k)
{
    Path p = k->at;
    if (!path_up(k->root, &p)) return push_string(L, NULL);
    return push_string(L, term_slot_name(self(L)->c, path_term(k->root, &p), k->at.slots[p.length]));
}

/* k:at(other): other's place in k's term; nil when it is no longer there. */
static int cursor_at(lua_State *L)
{
    const Cursor *k = check_cursor(L, 1), *other = check_cursor(L, 2);
    const Term *t = path_term(k->root, &other->at);
    if (t && t->kind != T_LAM) push_cursor(L, k)->at = other->at;
    else lua_pushnil(L);
    return 1;
}

/* k:go(slot, ...): down by slot names or numbers, into the bodies of functions; nil when there is no such slot. */
static int cursor_go(lua_State *L)
{
    const Cursor *k = check_cursor(L, 1);
    Path p = k->at;
    const Term *t = cursor_term(k);
    for (int i = 2; i <= lua_gettop(L); i++) {
        int slot = find_slot(L, t, i);
        if (slot < 0 || p.length + 2 > PATH_MAX_LENGTH) return push_string(L, NULL);
        p.slots[p.length++] = (uint8_t)slot;
        t = term_slot(t, slot);
        if (t->kind != T_LAM) continue;
        p.slots[p.length++] = 0;
        t = t->args[0];
    }
    push_cursor(L, k)->at = p;
    return 1;
}

/* k:path(text): the place that a path names, relative to k; nil when there is none. */
static int cursor_path(lua_State *L)
{
    const Cursor *k = check_cursor(L, 1);
    Path p;
    if (!path_parse(self(L)->c, k->root, &k->at, luaL_checkstring(L, 2), &p)) {
        diag_clear(&self(L)->c->diag);
        return push_string(L, NULL);
    }
    const Term *t = path_term(k->root, &p);
    if (t->kind == T_LAM && p.length < PATH_MAX_LENGTH) p.slots[p.length++] = 0;
    push_cursor(L, k)->at = p;
    return 1;
}

static bool in_scope(const LangScope *scope, const char *name)
{
    for (int i = 0; scope && i < scope->param_count; i++) {
        if (!strcmp(scope->params[i], name)) return true;
    }
    return false;
}

static const Fresh *add_fresh(Strategies *s, const Fresh *before, const char *name)
{
    Fresh *f = NEW(s->run.arena, Fresh);
    *f = (Fresh){intern(s->c->names, name), before, before ? before->count + 1 : 1};
    return f;
}

/* k:fresh(): a new tuning parameter; returns the cursor to go on with and the size. */
static int cursor_fresh(lua_State *L)
{
    Strategies *s = self(L);
    Cursor *k = push_cursor(L, check_cursor(L, 1));
    char name[24];
    do snprintf(name, sizeof name, "s%d", k->next_param++); while (in_scope(s->run.env->scope, name));
    k->fresh = add_fresh(s, k->fresh, name);
    push_nat(L, nat_var(s->c->nats, k->fresh->name, VAR_PARAM, NULL, NULL));
    return 2;
}

static SearchPattern *find_pattern(lua_State *L, int i)
{
    Strategies *s = self(L);
    lua_rawgetp(L, LUA_REGISTRYINDEX, &patterns_key);
    lua_pushvalue(L, i);
    if (lua_rawget(L, -2) == LUA_TNIL) {
        SearchPattern *p = pattern_parse(s->c, s->run.arena, text_source(s, "pattern", lua_tostring(L, i)));
        if (!p) raise(L);
        lua_pushvalue(L, i);
        lua_pushlightuserdata(L, p);
        lua_rawset(L, -4);
        lua_pop(L, 2);
        return p;
    }
    SearchPattern *p = lua_touserdata(L, -1);
    lua_pop(L, 2);
    return p;
}

static int cursor_matches(lua_State *L)
{
    const Cursor *k = check_cursor(L, 1);
    luaL_checktype(L, 2, LUA_TSTRING);
    const SearchPattern *p = find_pattern(L, 2);
    lua_pushboolean(L, pattern_matches(self(L)->c, p, k->root, &k->at));
    return 1;
}

static int push_place(lua_State *L, const Cursor *k)
{
    Buf b = {0};
    path_print(self(L)->c, k->root, &k->at, &b);
    push_string(L, buf_text(&b));
    buf_free(&b);
    return 1;
}

static int push_cursor_text(lua_State *L, const Cursor *k)
{
    return push_string(L, lang_text(self(L)->c, k->root, k->at.slots, k->at.length, 60));
}

static int push_cursor_term(lua_State *L, const Cursor *k) { push_term(L, cursor_term(k)); return 1; }
static int push_cursor_root(lua_State *L, const Cursor *k) { push_term(L, k->root); return 1; }
static int push_cursor_steps(lua_State *L, const Cursor *k)
{
    lua_pushinteger(L, k->last ? k->last->count : 0);
    return 1;
}
static int push_cursor_level(lua_State *L, const Cursor *k) { lua_pushinteger(L, k->at.length); return 1; }

static const struct { const char *name; int (*push)(lua_State *L, const Cursor *k); } cursor_fields[] = {
    {"term", push_cursor_term}, {"root", push_cursor_root}, {"place", push_place}, {"slot", push_cursor_slot},
    {"text", push_cursor_text}, {"steps", push_cursor_steps}, {"level", push_cursor_level},
};

static int cursor_index(lua_State *L)
{
    const Cursor *k = check_cursor(L, 1);
    const char *key = luaL_checkstring(L, 2);
    for (int i = 0; i < COUNT(cursor_fields); i++) {
        if (!strcmp(cursor_fields[i].name, key)) return cursor_fields[i].push(L, k);
    }
    if (luaL_getmetafield(L, 1, key) == LUA_TNIL) return luaL_error(L, "a cursor has no field '%s'", key);
    return 1;
}

static int cursor_tostring(lua_State *L) { return push_place(L, check_cursor(L, 1)); }

static const luaL_Reg cursor_methods[] = {
    {"__index", cursor_index}, {"__tostring", cursor_tostring}, {"next", cursor_next}, {"children", cursor_children},
    {"up", cursor_up}, {"at", cursor_at}, {"go", cursor_go}, {"path", cursor_path}, {"fresh", cursor_fresh},
    {"matches", cursor_matches}, {NULL, NULL},
};

/* ---- how alike a left side and a term are, to tell which of many failures says most ---- */

static PrimId ast_prim(const Ast *a)
{
    bool named = a->kind == AST_NAME || a->kind == AST_BINARY || a->kind == AST_UNARY || a->kind == AST_OP;
    if (!named || !a->name) return PRIM_COUNT;
    if (a->kind == AST_UNARY) return strcmp(a->name, "-") ? prim_from_name(a->name) : PRIM_NEG;
    return prim_from_name(a->name);
}

static const Ast *ast_head(const Ast *a) { return a->kind == AST_APP ? a->kids[0] : a; }

static int likeness(const Ast *pattern, const Term *t);

/* The last arguments of both, pairwise: statics come first in the text and are no arguments of the term. */
static int likeness_args(const Ast *pattern, const Term *t)
{
    int first = pattern->kind == AST_APP ? 1 : 0, sum = 0;
    for (int p = pattern->kid_count - 1, k = t->arg_count - 1; p >= first && k >= 0; p--, k--) {
        sum += likeness(pattern->kids[p], t->args[k]);
    }
    return sum;
}

static int likeness(const Ast *pattern, const Term *t)
{
    if (pattern->kind == AST_LAMBDA) return t->kind == T_LAM ? likeness(pattern->kids[0], t->args[0]) : 0;
    PrimId id = ast_prim(ast_head(pattern));
    if (id == PRIM_COUNT) return 0;
    if (t->kind == T_LAM) t = t->args[0];
    if (t->kind != T_PRIM || t->prim != id) return 0;
    return 1 + likeness_args(pattern, t);
}

/* May the left side match a node like t at all? Only ever "no" when its head is another primitive. */
static bool head_fits(const Rule *rule, const Term *t)
{
    if (!rule->ast) return true;
    const Ast *lhs = rule->reversed ? rule->ast->rhs : rule->ast->lhs;
    if (lhs->kind != AST_APP || lhs->kids[0]->kind != AST_NAME) return true;
    PrimId id = prim_from_name(lhs->kids[0]->name);
    if (id == PRIM_COUNT || prim(id)->family == FAM_SCALAR) return true;
    return t->kind == T_PRIM && t->prim == id;
}

static int rule_likeness(const Rule *rule, const Term *t)
{
    if (!rule->ast) return 0;
    return likeness(rule->reversed ? rule->ast->rhs : rule->ast->lhs, t);
}

/* ---- rule arguments ---- */

static const Rule *check_rule(lua_State *L, int i)
{
    luaL_checktype(L, i, LUA_TLIGHTUSERDATA);
    return lua_touserdata(L, i);
}

static bool to_mode(lua_State *L, int i, RuleArg *out)
{
    const char *name = lua_tostring(L, i);
    for (int m = 0; name && m < PAD_MODES; m++) {
        if (strcmp(pad_mode_name((PadMode)m), name)) continue;
        out->size = nat_const(self(L)->c->nats, m);
        return true;
    }
    diag_error(&self(L)->c->diag, E22, "a mode is \"clamp\", \"mirror\" or \"wrap\"");
    return false;
}

/* The text of a function i32 -> i32; read as the function of a `generate`, where it has that type. */
static const Term *index_function(lua_State *L, int i, const char *field, const Fresh *fresh)
{
    Strategies *s = self(L);
    lua_getfield(L, i, field);
    const char *text = arena_printf(s->run.arena, "generate 1 (%s)", luaL_optstring(L, -1, ""));
    lua_pop(L, 1);
    LangScope scope = run_scope(s, fresh);
    const Type *array = type_array(s->c, nat_const(s->c->nats, 1), type_scalar(s->c, SC_I32));
    const Term *t = lang_expr(s->c, &scope, text_source(s, "perm", text), array);
    if (t && t->kind == T_PRIM && t->prim == PRIM_GENERATE && t->type == array) return t->args[0];
    diag_error(&s->c->diag, E22, "perm needs the texts of two functions of an i32 with i32 results");
    return NULL;
}

/* A table {perm = kind, size = n, fwd =, inv =}, as made by reverse, rotate(k), stride(s), perm(f, g). */
static bool to_perm(lua_State *L, int i, const Fresh *fresh, RuleArg *out)
{
    Strategies *s = self(L);
    out->perm = PERM_KINDS;
    if (lua_istable(L, i)) {
        lua_getfield(L, i, "perm");
        const char *name = luaL_optstring(L, -1, "");
        for (int k = 0; k < PERM_KINDS; k++) {
            if (!strcmp(perm_kind_name((PermKind)k), name)) out->perm = (PermKind)k;
        }
        lua_pop(L, 1);
    }
    if (out->perm == PERM_KINDS) {
        diag_error(&s->c->diag, E22, "a permutation is reverse, rotate(k), stride(s) or perm(f, g)");
        return false;
    }
    out->size = nat_const(s->c->nats, 0);
    if (out->perm == PERM_FUN) {
        out->fwd = index_function(L, i, "fwd", fresh);
        out->inv = index_function(L, i, "inv", fresh);
        return out->fwd && out->inv;
    }
    if (out->perm == PERM_REVERSE) return true;
    lua_getfield(L, i, "size");
    out->size = to_size(L, -1, fresh);
    lua_pop(L, 1);
    return out->size;
}

static bool to_arg(lua_State *L, int i, StaticKind kind, const Fresh *fresh, RuleArg *out)
{
    i = lua_absindex(L, i);
    *out = (RuleArg){.set = true};
    if (kind == STATIC_PERM) return to_perm(L, i, fresh, out);
    if (kind == STATIC_MODE) return to_mode(L, i, out);
    out->size = to_size(L, i, fresh);
    return out->size;
}

/* The arguments in a table keyed by parameter name. False: in the diag. Unset ones stay unset. */
static bool to_args(lua_State *L, int i, const Rule *rule, const Fresh *fresh, RuleArg args[6], bool *any)
{
    *any = false;
    memset(args, 0, 6 * sizeof *args);
    if (!lua_istable(L, i)) return true;
    for (int p = 0; p < rule->param_count; p++) {
        bool ok = true;
        if (lua_getfield(L, i, rule->params[p].name) != LUA_TNIL) {
            ok = to_arg(L, -1, rule->params[p].kind, fresh, &args[p]);
            *any = true;
        }
        lua_pop(L, 1);
        if (!ok) return false;
    }
    return true;
}

/* ---- applying rules ---- */

static const Done *add_done(Strategies *s, const Cursor *k, const Rule *rule, const RuleResult *r)
{
    Done *d = NEW(s->run.arena, Done);
    d->step = (StrategyStep){.rule = rule, .at = k->at, .before = r->before, .after = r->after, .root = r->root};
    memcpy(d->step.args, r->args, sizeof d->step.args);
    d->step.call_text = arena_strdup(s->run.arena, rule_call_text(s->c, rule, r->args));
    Fact *facts = NEW_ARRAY(s->run.arena, Fact, r->fact_count);
    memcpy(facts, r->facts, (size_t)r->fact_count * sizeof *facts);
    d->facts = facts;
    d->fact_count = r->fact_count;
    d->before = k->last;
    d->count = k->last ? k->last->count + 1 : 1;
    d->all_facts = d->fact_count + (k->last ? k->last->all_facts : 0);
    return d;
}

static void push_applied(lua_State *L, const Cursor *k, const Rule *rule, const RuleResult *r)
{
    Strategies *s = self(L);
    Cursor *next = push_cursor(L, k);
    next->root = r->root;
    next->last = add_done(s, k, rule, r);
    next->next_param = s->run.env->next_param;
    for (int i = 0; i < r->new_param_count; i++) next->fresh = add_fresh(s, next->fresh, r->new_params[i]);
}

/* rule_apply at a cursor with the Lua arguments at index i. 1 done, 0 failed (in the diag), -1 not even tried. */
static int try_rule(lua_State *L, const Cursor *k, const Rule *rule, int i, bool explain, RuleResult *out)
{
    Strategies *s = self(L);
    RuleArg args[6];
    bool any;
    if (!to_args(L, i, rule, k->fresh, args, &any)) return 0;
    s->run.env->next_param = k->next_param;
    s->current = L;
    if (!explain && !head_fits(rule, cursor_term(k))) return -1;
    if (!explain && !any && !rule_applies(s->run.env, rule, k->root, &k->at)) return -1;
    return rule_apply(s->run.env, rule, args, k->root, &k->at, explain, out);
}

/* apply(cursor, rule, args): a cursor; or nil, how near the failure is to a success. */
static int engine_apply(lua_State *L)
{
    Strategies *s = self(L);
    const Cursor *k = check_cursor(L, 1);
    const Rule *rule = check_rule(L, 2);
    RuleResult result;
    spend_attempt(L);
    int verdict = try_rule(L, k, rule, 3, false, &result);
    check_fuel(L);
    if (verdict == 1) {
        spend_step(L);
        push_applied(L, k, rule, &result);
        diag_clear(&s->c->diag);
        return 1;
    }
    int near = rule_likeness(rule, cursor_term(k)) + (s->c->diag.id == E22 ? FAILED_ARGUMENT : 0);
    diag_clear(&s->c->diag);
    lua_pushnil(L);
    lua_pushinteger(L, near);
    return 2;
}

/* explain(cursor, rule, args): why it fails there, as a table for fail(). */
static int engine_explain(lua_State *L)
{
    RuleResult result;
    const Cursor *k = check_cursor(L, 1);
    const Rule *rule = check_rule(L, 2);
    diag_clear(&self(L)->c->diag);
    if (try_rule(L, k, rule, 3, true, &result) == 1) {
        diag_error(&self(L)->c->diag, E70, "%s applies although it failed before", rule->name);
    }
    push_diag(L);
    return 1;
}

/* rule(name): the rule, its parameters as {{name=, given=}, ...}, its name; nil when there is none. */
static int engine_rule(lua_State *L)
{
    const Rule *rule = rules_find(self(L)->rules, luaL_checkstring(L, 1));
    if (!rule) return push_string(L, NULL);
    lua_pushlightuserdata(L, (void *)(uintptr_t)rule);
    lua_createtable(L, rule->param_count, 0);
    for (int i = 0; i < rule->param_count; i++) {
        lua_createtable(L, 0, 2);
        lua_pushstring(L, rule->params[i].name);
        lua_setfield(L, -2, "name");
        lua_pushboolean(L, rule->params[i].given);
        lua_setfield(L, -2, "given");
        lua_rawseti(L, -2, i + 1);
    }
    return 2;
}

static int engine_size(lua_State *L)
{
    push_nat(L, check_size(L, 1));
    return 1;
}

static int engine_hint(lua_State *L)
{
    const LowerHints *hints = self(L)->run.hints;
    const char *key = luaL_checkstring(L, 1);
    if (!strcmp(key, "gpu")) return push_bool(L, hints && hints->gpu);
    int wanted = hints && hints->parallelism > 0 ? hints->parallelism : hints && hints->gpu ? 1024 : 64;
    lua_pushinteger(L, wanted);
    return 1;
}

/* reassociates(cursor): a reduction there whose function is known to be associative, its initial value neutral? */
static int engine_reassociates(lua_State *L)
{
    Strategies *s = self(L);
    const Term *t = cursor_term(check_cursor(L, 1));
    const char *why;
    bool ok = t->kind == T_PRIM && t->prim == PRIM_REDUCE && t->args[0]->free_limit == 0 &&
              lang_property(s->c, s->defs, PROP_ASSOCIATIVE, t->args[0], NULL, &why) &&
              lang_property(s->c, s->defs, PROP_NEUTRAL, t->args[0], t->args[1], &why);
    diag_clear(&s->c->diag);
    return push_bool(L, ok);
}

/* ---- names ---- */

/* define(kind, name, params, doc, user, text): for listings and completion; an older one of that name goes. */
static int engine_define(lua_State *L)
{
    Strategies *s = self(L);
    StrategyName *n = NEW(s->arena, StrategyName);
    n->kind = (StrategyNameKind)luaL_checkinteger(L, 1);
    n->name = arena_strdup(s->arena, luaL_checkstring(L, 2));
    n->params = arena_strdup(s->arena, luaL_checkstring(L, 3));
    n->doc = arena_strdup(s->arena, luaL_checkstring(L, 4));
    n->user = lua_toboolean(L, 5);
    n->text = lua_isstring(L, 6) ? arena_strdup(s->arena, lua_tostring(L, 6)) : NULL;
    for (int i = 0; i < s->names.n; i++) {
        if (strcmp(s->names.v[i]->name, n->name)) continue;
        s->names.v[i] = n;
        return 0;
    }
    vec_push(&s->names, n);
    return 0;
}

static int engine_suggest(lua_State *L)
{
    const char *near = strategies_suggest(self(L), luaL_checkstring(L, 1));
    return push_string(L, near);
}

int strategies_name_count(const Strategies *s) { return s->names.n; }
const StrategyName *strategies_name(const Strategies *s, int i) { return s->names.v[i]; }

const StrategyName *strategies_find(const Strategies *s, const char *name)
{
    for (int i = 0; i < s->names.n; i++) {
        if (!strcmp(s->names.v[i]->name, name)) return s->names.v[i];
    }
    return NULL;
}

static const char *const lua_words[] = {
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in", "local", "nil", "not",
    "or", "repeat", "return", "then", "true", "until", "while",
};

static const char *const lua_names[] = {
    "assert", "error", "ipairs", "math", "next", "pairs", "print", "select", "string", "table", "tonumber", "tostring",
    "type", "t",
};

static bool among(const char *name, const char *const *list, int n)
{
    for (int i = 0; i < n; i++) {
        if (!strcmp(name, list[i])) return true;
    }
    return false;
}

static const char *const name_kinds[] = {
    [NAME_MACRO] = "a macro", [NAME_LOWERING] = "a lowering", [NAME_COMBINATOR] = "a combinator",
    [NAME_PREDICATE] = "a predicate", [NAME_VALUE] = "a Lua value",
};

const char *strategies_name_taken(const Strategies *s, const char *name, bool for_rule)
{
    if (among(name, lua_words, COUNT(lua_words))) return "a Lua keyword";
    const Rule *rule = rules_find(s->rules, name);
    if (rule && !(for_rule && rule->trust != TRUST_BUILTIN)) return "a rule";
    const StrategyName *n = strategies_find(s, name);
    if (n && !(n->user && !for_rule)) return name_kinds[n->kind];
    return among(name, lua_names, COUNT(lua_names)) ? "a Lua name" : NULL;
}

static int distance_folded(const char *a, const char *b)
{
    char x[64], y[64];
    size_t i = 0, j = 0;
    for (; a[i] && i < sizeof x - 1; i++) x[i] = (char)tolower((unsigned char)a[i]);
    for (; b[j] && j < sizeof y - 1; j++) y[j] = (char)tolower((unsigned char)b[j]);
    x[i] = y[j] = 0;
    return edit_distance(x, y);
}

typedef struct Nearest { const char *name; int distance; } Nearest;

static void consider(Nearest *best, const char *wanted, const char *name)
{
    int d = distance_folded(wanted, name);
    if (d < best->distance) *best = (Nearest){name, d};
}

const char *strategies_suggest(const Strategies *s, const char *name)
{
    Nearest best = {NULL, 2 + (int)strlen(name) / 4};
    for (int i = 0; i < rules_count(s->rules); i++) consider(&best, name, rules_get(s->rules, i)->name);
    for (int i = 0; i < s->names.n; i++) consider(&best, name, s->names.v[i]->name);
    for (int i = 0; i < COUNT(lua_names); i++) consider(&best, name, lua_names[i]);
    return best.name ? arena_strdup(s->c->diag.arena, best.name) : NULL;
}

/* ---- protected calls from Lua: fuel errors pass through ---- */

static int engine_pcall(lua_State *L)
{
    luaL_checkany(L, 1);
    int status = lua_pcall(L, lua_gettop(L) - 1, LUA_MULTRET, 0);
    check_fuel(L);
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
    return lua_gettop(L);
}

/* ---- output and the session's verbs ---- */

/* tostring without addresses: two runs print the same. */
static const char *stable_text(lua_State *L, int i, size_t *length)
{
    int type = lua_type(L, i);
    bool address = type == LUA_TTABLE || type == LUA_TFUNCTION || type == LUA_TUSERDATA || type == LUA_TTHREAD;
    if (!address || luaL_getmetafield(L, i, "__tostring") != LUA_TNIL) {
        if (address) lua_pop(L, 1);
        return luaL_tolstring(L, i, length);
    }
    lua_pushfstring(L, "(%s)", lua_typename(L, type));
    return lua_tolstring(L, -1, length);
}

static int engine_tostring(lua_State *L)
{
    luaL_checkany(L, 1);
    stable_text(L, 1, NULL);
    return 1;
}

static int engine_print(lua_State *L)
{
    Buf *out = self(L)->run.out;
    int n = lua_gettop(L);
    for (int i = 1; out && i <= n; i++) {
        size_t length;
        const char *text = stable_text(L, i, &length);
        if (i > 1) buf_putc(out, '\t');
        buf_write(out, text, length);
        lua_pop(L, 1);
    }
    if (out) buf_putc(out, '\n');
    return 0;
}

/* host(line): the text that the command printed; nil and the failure as a table. */
static int engine_host(lua_State *L)
{
    Strategies *s = self(L);
    const char *line = luaL_checkstring(L, 1);
    if (!s->host) return luaL_error(L, "there is no session here");
    if (s->run.env) return luaL_error(L, "a strategy cannot run commands of the session");
    Buf out = {0};
    lua_State *before = s->current;
    s->current = L;
    bool ok = s->host(s->host_data, line, &out);
    s->current = before;
    lua_pushlstring(L, buf_text(&out), out.len);
    buf_free(&out);
    if (ok) return 1;
    lua_pushnil(L);
    push_diag(L);
    return 2;
}

/* taken(name): what the name of a new macro is already, nil when it is free. */
static int engine_taken(lua_State *L)
{
    return push_string(L, strategies_name_taken(self(L), luaL_checkstring(L, 1), false));
}

static int engine_is_cursor(lua_State *L) { return push_bool(L, luaL_testudata(L, 1, "lathe.cursor")); }
static int engine_running(lua_State *L) { return push_bool(L, self(L)->run.env); }

static const luaL_Reg engine_functions[] = {
    {"apply", engine_apply}, {"explain", engine_explain}, {"rule", engine_rule}, {"size", engine_size},
    {"hint", engine_hint}, {"reassociates", engine_reassociates}, {"define", engine_define},
    {"suggest", engine_suggest}, {"taken", engine_taken}, {"fail", engine_fail}, {"raise", engine_raise},
    {"pcall", engine_pcall}, {"pass", engine_pass}, {"print", engine_print}, {"tostring", engine_tostring},
    {"host", engine_host}, {"is_cursor", engine_is_cursor}, {"running", engine_running}, {NULL, NULL},
};

/* ---- making the state ---- */

static void make_class(lua_State *L, const char *name, const luaL_Reg *methods)
{
    luaL_newmetatable(L, name);
    luaL_setfuncs(L, methods, 0);
    lua_pushboolean(L, false);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
}

static void make_cache(lua_State *L)
{
    lua_newtable(L);
    lua_newtable(L);
    lua_pushliteral(L, "v");
    lua_setfield(L, -2, "__mode");
    lua_setmetatable(L, -2);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &cache_key);
}

static void forget_patterns(lua_State *L)
{
    lua_newtable(L);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &patterns_key);
}

static int open_state(lua_State *L)
{
    luaL_openlibs(L);
    make_cache(L);
    forget_patterns(L);
    make_class(L, "lathe.term", term_methods);
    make_class(L, "lathe.size", size_methods);
    make_class(L, "lathe.cursor", cursor_methods);
    luaL_newlib(L, engine_functions);
    lua_setglobal(L, "engine");
    for (const EmbeddedLua *e = embedded_lua; e->name; e++) {
        lua_pushfstring(L, "@%s", e->name);
        if (luaL_loadbuffer(L, e->text, strlen(e->text), lua_tostring(L, -1)) != LUA_OK) return lua_error(L);
        lua_call(L, 0, 0);
        lua_pop(L, 1);
    }
    return 0;
}

static const char *skip_prefix(const char *text, const char *name)
{
    size_t n = strlen(name);
    if (strncmp(text, name, n) || text[n] != ':') return text;
    const char *p = text + n + 1;
    while (isdigit((unsigned char)*p)) p++;
    return p > text + n + 1 && *p == ':' ? p + 1 + (p[1] == ' ') : text;
}

/* A message without the position when that is in strategy text (one line) or in a file of ours. */
static const char *without_position(const char *text)
{
    const char *rest = skip_prefix(text, "strategy");
    for (const EmbeddedLua *e = embedded_lua; e->name && rest == text; e++) rest = skip_prefix(text, e->name);
    return rest;
}

/* The error value on the stack goes to the diag, unless it is there already. Pops it. */
static void to_diag(Strategies *s, lua_State *L, int status)
{
    Diag *d = &s->c->diag;
    if (status == LUA_ERRMEM) {
        diag_clear(d);
        diag_error(d, E25, "the strategy ran out of memory");
    } else if (!is_failed_key(L, -1)) {
        diag_clear(d);
        const char *text = lua_tostring(L, -1);
        diag_error(d, E24, "%s", text ? without_position(text) : "the error is not a text");
    }
    lua_pop(L, 1);
}

static const StrategyLimits default_limits = {
    .instructions = 200000000, .attempts = 1000000, .steps = 10000, .memory = (size_t)256 << 20,
};

void strategies_limit(Strategies *s, const StrategyLimits *limits)
{
    s->limits = *limits;
    if (s->limits.instructions <= 0) s->limits.instructions = default_limits.instructions;
    if (s->limits.attempts <= 0) s->limits.attempts = default_limits.attempts;
    if (s->limits.steps <= 0) s->limits.steps = default_limits.steps;
    if (!s->limits.memory) s->limits.memory = default_limits.memory;
}

Strategies *strategies_new(Ctx *c, Rules *rules, const Defs *defs)
{
    Strategies *s = mem_alloc(sizeof *s);
    *s = (Strategies){.c = c, .rules = rules, .defs = defs, .arena = arena_new(), .limits = default_limits};
    s->lua = s->current = lua_newstate(allocate, s);
    if (!s->lua) {
        diag_error(&c->diag, E25, "no memory for Lua");
        strategies_free(s);
        return NULL;
    }
    *(Strategies **)lua_getextraspace(s->lua) = s;
    lua_pushcfunction(s->lua, open_state);
    int status = lua_pcall(s->lua, 0, 0, 0);
    if (status != LUA_OK) {
        to_diag(s, s->lua, status);
        strategies_free(s);
        return NULL;
    }
    lua_sethook(s->lua, hook, LUA_MASKCOUNT, HOOK_INSTRUCTIONS);
    return s;
}

void strategies_free(Strategies *s)
{
    if (!s) return;
    if (s->lua) lua_close(s->lua);
    free(s->names.v);
    arena_free(s->arena);
    free(s);
}

void strategies_host(Strategies *s, StrategyHost *run, void *data)
{
    s->host = run;
    s->host_data = data;
}

/* ---- calls into the library: functions of the global `engine` that init.lua adds ---- */

static void push_library(lua_State *L, const char *name)
{
    lua_getglobal(L, "engine");
    lua_getfield(L, -1, name);
    lua_remove(L, -2);
}

typedef struct Call {
    Strategies *s;
    lua_State *L;
    Run before;
    int top;
} Call;

/* Start a run; end_call must follow. The stack of L grows by what the caller pushes. */
static Call begin_call(Strategies *s, Arena *arena, RewriteEnv *env, const LowerHints *hints, Buf *out)
{
    Call k = {s, s->current, s->run, lua_gettop(s->current)};
    diag_clear(&s->c->diag);
    s->run = (Run){.arena = arena, .env = env, .hints = hints, .out = out, .serial = ++s->serial,
                   .instructions = env ? s->limits.instructions : -1, .attempts = s->limits.attempts,
                   .steps = s->limits.steps};
    return k;
}

static bool end_call(const Call *k, int status)
{
    if (status != LUA_OK) to_diag(k->s, k->L, status);
    lua_settop(k->L, k->top);
    k->s->run = k->before;
    k->s->current = k->L;
    return status == LUA_OK && !diag_failed(&k->s->c->diag);
}

/* ---- running ---- */

static char *trimmed(Arena *a, const char *text)
{
    size_t n = strlen(text);
    while (n && isspace((unsigned char)*text)) text++, n--;
    while (n && isspace((unsigned char)text[n - 1])) n--;
    return arena_strndup(a, text, n);
}

static void collect_steps(Arena *arena, const Cursor *k, StrategyResult *out)
{
    out->step_count = k->last ? k->last->count : 0;
    out->fact_count = k->last ? k->last->all_facts : 0;
    out->steps = NEW_ARRAY(arena, StrategyStep, out->step_count);
    out->facts = NEW_ARRAY(arena, Fact, out->fact_count);
    int facts = out->fact_count;
    for (const Done *d = k->last; d; d = d->before) {
        out->steps[d->count - 1] = d->step;
        if (d->step.rule->trust > out->trust) out->trust = d->step.rule->trust;
        facts -= d->fact_count;
        memcpy(out->facts + facts, d->facts, (size_t)d->fact_count * sizeof *d->facts);
    }
}

static void collect_params(Arena *arena, const Fresh *f, StrategyResult *out)
{
    out->new_param_count = f ? f->count : 0;
    out->new_params = NEW_ARRAY(arena, const char *, out->new_param_count);
    for (; f; f = f->before) out->new_params[f->count - 1] = f->name;
}

/* The starting place, or the nearest one above that is still a place. */
static Path surviving_place(const Term *root, const Path *at)
{
    Path p = *at;
    for (;; p.length--) {
        const Term *t = path_term(root, &p);
        if (t && t->kind != T_LAM) return p;
    }
}

static void collect(Arena *arena, const char *text, const Cursor *start, const Cursor *end, StrategyResult *out)
{
    *out = (StrategyResult){.root = end->root, .focus = surviving_place(end->root, &start->at)};
    collect_steps(arena, end, out);
    collect_params(arena, end->fresh, out);
    out->call_text = trimmed(arena, text);
}

typedef struct Task {                    /* arguments of run_task, which runs protected */
    const char *function;                /* of the library: run or lower */
    const char *text;                    /* may be NULL */
    Arena *arena;
    Cursor start;
    StrategyResult *out;
} Task;

/* Calls engine.FUNCTION(text, cursor), which returns cursor, is_rule, macro name; or nil with the error in the diag. */
static int run_task(lua_State *L)
{
    Task *task = lua_touserdata(L, 1);
    push_library(L, task->function);
    lua_pushstring(L, task->text);
    push_cursor(L, &task->start);
    lua_call(L, 2, 3);
    if (lua_isnil(L, -3)) return 0;
    const Cursor *end = check_cursor(L, -3);
    const char *macro = lua_tostring(L, -1);
    collect(task->arena, task->text ? task->text : "lower", &task->start, end, task->out);
    if (macro) task->out->macro = arena_strdup(task->arena, macro);
    if (lua_toboolean(L, -2) && task->out->step_count == 1) task->out->call_text = task->out->steps[0].call_text;
    task->start.next_param = end->next_param;
    return 0;
}

static bool perform(Strategies *s, RewriteEnv *env, const LowerHints *hints, Task *task)
{
    RewriteEnv inner = *env;
    strategies_serve_conditions(s, &inner);
    Call call = begin_call(s, task->arena, &inner, hints, NULL);
    task->start.run = s->run.serial;
    task->start.next_param = env->next_param;
    forget_patterns(call.L);
    lua_pushcfunction(call.L, run_task);
    lua_pushlightuserdata(call.L, task);
    if (!end_call(&call, lua_pcall(call.L, 1, 0, 0))) return false;
    env->next_param = task->start.next_param;
    return true;
}

bool strategy_run(Strategies *s, RewriteEnv *env, Arena *arena, const char *lua_text,
                  const Term *root, const Path *at, StrategyResult *out)
{
    Task task = {"run", lua_text, arena, {.root = root, .at = *at}, out};
    const Term *t = path_term(root, at);
    if (!t || t->kind == T_LAM) {
        diag_clear(&s->c->diag);
        diag_error(&s->c->diag, E11, "rules apply to values, not to a function; add /body to the path");
        return false;
    }
    return perform(s, env, NULL, &task);
}

bool strategy_lower(Strategies *s, RewriteEnv *env, Arena *arena, const char *lua_text, const LowerHints *hints,
                    const Term *root, StrategyResult *out)
{
    Task task = {"lower", lua_text, arena, {.root = root}, out};
    int next_param = env->next_param;
    if (!perform(s, env, hints, &task)) return false;
    if (plan_is_lowered(s->c, out->root)) return true;
    env->next_param = next_param;
    return false;
}

/* ---- Lua functions as conditions of rules ---- */

typedef struct Condition {
    const char *name;
    const Term *const *args;
    int n;
    bool verdict;
    const char *why;
    Arena *arena;
} Condition;

static int run_condition(lua_State *L)
{
    Condition *k = lua_touserdata(L, 1);
    push_library(L, "condition");
    lua_pushstring(L, k->name);
    for (int i = 0; i < k->n; i++) push_term(L, k->args[i]);
    lua_call(L, k->n + 1, 2);
    k->verdict = lua_toboolean(L, -2);
    const char *why = lua_tostring(L, -1);
    if (why) k->why = arena_strdup(k->arena, why);
    return 0;
}

static bool condition(void *data, const char *name, const Term *const *args, int n, const char **why)
{
    Strategies *s = data;
    Condition k = {name, args, n, false, NULL, s->run.arena ? s->run.arena : s->c->diag.arena};
    lua_State *L = s->current;
    int top = lua_gettop(L);
    if (!s->run.env) s->run.instructions = s->limits.instructions;
    lua_pushcfunction(L, run_condition);
    lua_pushlightuserdata(L, &k);
    if (lua_pcall(L, 1, 0, 0) != LUA_OK) {
        const char *text = lua_tostring(L, -1);
        k.why = arena_strdup(k.arena, text ? text : "the Lua function failed");
    }
    lua_settop(L, top);
    if (why) *why = k.why;
    return k.verdict;
}

void strategies_serve_conditions(Strategies *s, RewriteEnv *env)
{
    if (env->call) return;
    env->call = condition;
    env->call_data = s;
}

/* ---- user macros ---- */

bool strategies_define(Strategies *s, const char *text)
{
    Arena *scratch = arena_new();
    Call call = begin_call(s, scratch, NULL, NULL, NULL);
    s->run.instructions = s->limits.instructions;
    push_library(call.L, "define_macro");
    lua_pushstring(call.L, text);
    bool ok = end_call(&call, lua_pcall(call.L, 1, 0, 0));
    arena_free(scratch);
    return ok;
}

bool strategies_remove(Strategies *s, const char *name)
{
    for (int i = 0; i < s->names.n; i++) {
        if (strcmp(s->names.v[i]->name, name) || !s->names.v[i]->user) continue;
        memmove(s->names.v + i, s->names.v + i + 1, (size_t)(s->names.n - i - 1) * sizeof *s->names.v);
        s->names.n--;
        Call call = begin_call(s, NULL, NULL, NULL, NULL);
        push_library(call.L, "remove_macro");
        lua_pushstring(call.L, name);
        return end_call(&call, lua_pcall(call.L, 1, 0, 0));
    }
    return false;
}

/* ---- the `lua` and `=` commands ---- */

void strategies_restrict(Strategies *s)
{
    s->restricted = true;
    Call call = begin_call(s, NULL, NULL, NULL, NULL);
    push_library(call.L, "restrict");
    end_call(&call, lua_pcall(call.L, 0, 0, 0));
}

bool strategies_lua(Strategies *s, const char *text, const char *name, bool expression, Buf *out)
{
    Arena *scratch = arena_new();
    Call call = begin_call(s, scratch, NULL, NULL, out);
    push_library(call.L, "lua");
    lua_pushstring(call.L, text);
    lua_pushstring(call.L, name);
    lua_pushboolean(call.L, expression);
    bool ok = end_call(&call, lua_pcall(call.L, 3, 0, 0));
    arena_free(scratch);
    return ok;
}

static bool ends_early(const char *message)
{
    size_t n = strlen(message);
    return n >= 5 && !strcmp(message + n - 5, "<eof>");
}

bool strategies_text_incomplete(Strategies *s, const char *text, bool expression)
{
    lua_State *L = s->current;
    int top = lua_gettop(L);
    const char *chunk = expression ? lua_pushfstring(L, "return %s", text) : lua_pushstring(L, text);
    int status = luaL_loadbufferx(L, chunk, strlen(chunk), "=text", "t");
    bool early = status == LUA_ERRSYNTAX && ends_early(lua_tostring(L, -1));
    lua_settop(L, top);
    return early;
}
