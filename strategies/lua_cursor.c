/* lua_cursor: places in a term as Lua values: what a strategy gets and gives. */
#include "lua_private.h"
#include "pattern.h"

#include <stdio.h>
#include <string.h>

static const char patterns_key;          /* its address: where the registry keeps the patterns of this run */

static Cursor *of_this_run(lua_State *L, int i, Cursor *k)
{
    if (k->run != self(L)->run.serial) luaL_argerror(L, i, "a cursor cannot be kept after its run");
    return k;
}

Cursor *check_cursor(lua_State *L, int i) { return of_this_run(L, i, check_class(L, i, CLASS_CURSOR)); }

Cursor *push_cursor(lua_State *L, const Cursor *from)
{
    Cursor *k = lua_newuserdatauv(L, sizeof *k, 0);
    if (from) *k = *from;
    else memset(k, 0, sizeof *k);
    set_class(L, CLASS_CURSOR);
    return k;
}

/* k moved to p; nil for NULL. Returns 1. */
static int push_moved(lua_State *L, const Cursor *k, const Path *p)
{
    if (p) push_cursor(L, k)->at = *p;
    else lua_pushnil(L);
    return 1;
}

const Term *cursor_term(const Cursor *k) { return path_term(k->root, &k->at); }

const Use *outermost(const Use *use)
{
    while (use && use->outer) use = use->outer;
    return use;
}

Fact *all_facts(const Cursor *k, Arena *arena, int *count)
{
    int n = *count = k->last ? k->last->step.fact_count : 0;
    Fact *facts = NEW_ARRAY(arena, Fact, n);
    for (const Done *d = k->last; d; d = d->before) {
        n -= d->fact_count;
        memcpy(facts + n, d->facts, (size_t)d->fact_count * sizeof *facts);
    }
    return facts;
}

bool next_place(const Term *root, const Path *top, Path *p, bool skip)
{
    Path from = *p;
    do {
        if (!path_next(root, p) || !path_is_below(p, top)) return false;
    } while (skip && path_is_below(p, &from));
    return true;
}

const Path *value_place(const Term *root, Path *p)
{
    const Term *t = path_term(root, p);
    if (t->kind == T_LAM && p->length < PATH_MAX_LENGTH) p->slots[p->length++] = 0;
    return p;
}

/* k:next(top[, {primitive = true, ...}]): the following place in pre-order inside the place of top, of those primitives; nil at the end. */
static int cursor_next(lua_State *L)
{
    const Cursor *k = check_cursor(L, 1), *top = check_cursor(L, 2);
    PathWalk w;
    bool all = lua_isnoneornil(L, 3), wanted = false;
    if (!all) luaL_checktype(L, 3, LUA_TTABLE);
    path_walk(&w, k->root, &k->at);
    for (const Term *t; !wanted && (t = path_walk_next(&w)) && path_is_below(&w.at, &top->at);) {
        wanted = all || (t->kind == T_PRIM && lua_getfield(L, 3, prim((PrimId)t->prim)->name) != LUA_TNIL);
        lua_settop(L, 3);
    }
    return push_moved(L, k, wanted ? &w.at : NULL);
}

/* k:children(): the data-typed places directly below (bodies of functions included), in pre-order. */
static int cursor_children(lua_State *L)
{
    const Cursor *k = check_cursor(L, 1);
    Path p = k->at;
    lua_newtable(L);
    for (int i = 1; next_place(k->root, &k->at, &p, i > 1); i++) {
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
    return push_moved(L, k, path_up(k->root, &p) ? &p : NULL);
}

/* k:at(other): other's place in k's term; nil when it is no longer there. */
static int cursor_at(lua_State *L)
{
    const Cursor *k = check_cursor(L, 1), *other = check_cursor(L, 2);
    Path p;
    return push_moved(L, k, path_carried(other->root, &other->at, k->root, &p, NULL) ? &p : NULL);
}

/* k:go(slot, ...): down by slot names or numbers, into the bodies of functions; nil when there is no such slot. */
static int cursor_go(lua_State *L)
{
    const Cursor *k = check_cursor(L, 1);
    Path p = k->at;
    const Term *t = cursor_term(k);
    for (int i = 2; i <= lua_gettop(L); i++) {
        int slot = find_slot(L, t, i);
        if (slot < 0 || p.length + 2 > PATH_MAX_LENGTH) return push_moved(L, k, NULL);
        p.slots[p.length++] = (uint8_t)slot;
        t = term_slot(t, slot);
        if (t->kind != T_LAM) continue;
        p.slots[p.length++] = 0;
        t = t->args[0];
    }
    return push_moved(L, k, &p);
}

/* k:path(text): the place that a path names, relative to k; nil when there is none. */
static int cursor_path(lua_State *L)
{
    const Cursor *k = check_cursor(L, 1);
    Path p;
    if (!path_parse(self(L)->c, k->root, &k->at, luaL_checkstring(L, 2), &p)) {
        diag_clear(&self(L)->c->diag);
        return push_moved(L, k, NULL);
    }
    return push_moved(L, k, value_place(k->root, &p));
}

bool in_scope(const LangScope *scope, const char *name)
{
    return scope && text_index(scope->params, scope->param_count, name) >= 0;
}

const Fresh *add_fresh(Strategies *s, const Fresh *before, const char *name)
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

void forget_patterns(lua_State *L)
{
    lua_newtable(L);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &patterns_key);
}

static SearchPattern *find_pattern(lua_State *L, int i)
{
    Strategies *s = self(L);
    lua_rawgetp(L, LUA_REGISTRYINDEX, &patterns_key);
    lua_pushvalue(L, i);
    SearchPattern *p = lua_rawget(L, -2) == LUA_TNIL ? NULL : lua_touserdata(L, -1);
    if (!p) {
        p = pattern_parse(s->c, s->run.arena, text_source(s, "pattern", lua_tostring(L, i)));
        if (!p) raise_diag(L);
        lua_pushvalue(L, i);
        lua_pushlightuserdata(L, p);
        lua_rawset(L, -4);
    }
    lua_pop(L, 2);
    return p;
}

static int cursor_matches(lua_State *L)
{
    const Cursor *k = check_cursor(L, 1);
    luaL_checktype(L, 2, LUA_TSTRING);
    return push_bool(L, pattern_matches(self(L)->c, find_pattern(L, 2), k->root, &k->at));
}

/* k:holds(): no size that the session knows contradicts a fact of the term. */
static int cursor_holds(lua_State *L)
{
    const Cursor *k = check_cursor(L, 1);
    const LowerHints *hints = self(L)->run.hints;
    bool holds = true;
    if (hints && hints->value) {
        LOCAL(drop_arena) Arena *arena = arena_new();
        PlanFact *facts;
        int n = plan_facts(self(L)->c, arena, k->root, &facts);
        for (int i = 0; i < n && holds; i++) {
            const Fact *f = &facts[i].fact;
            int64_t a, b;
            if (nat_eval(f->a, hints->value, hints->value_data, &a) && nat_eval(f->b, hints->value, hints->value_data, &b))
                holds = fact_holds(f->kind, a, b);
        }
    }
    return push_bool(L, holds);
}

static int push_place(lua_State *L, const Cursor *k)
{
    Buf b = {0};
    path_print(self(L)->c, k->root, &k->at, &b);
    return push_buf(L, &b);
}

static int cursor_index(lua_State *L)
{
    int field = class_field(L, CLASS_CURSOR);
    if (field < 0) return 1;
    const Cursor *k = of_this_run(L, 1, lua_touserdata(L, 1));
    Ctx *c = self(L)->c;
    Path up = k->at;
    switch (field) {
    case FIELD_CURSOR_term: return push_term(L, cursor_term(k)), 1;
    case FIELD_CURSOR_root: return push_term(L, k->root), 1;
    case FIELD_CURSOR_place: return push_place(L, k);
    case FIELD_CURSOR_slot:
        if (!path_up(k->root, &up)) return push_string(L, NULL);
        return push_string(L, term_slot_name(c, path_term(k->root, &up), k->at.slots[up.length]));
    case FIELD_CURSOR_text: return push_string(L, lang_text(c, k->root, k->at.slots, k->at.length, 60));
    case FIELD_CURSOR_steps: return push_integer(L, true, k->last ? k->last->count : 0);
    case FIELD_CURSOR_level: return push_integer(L, true, k->at.length);
    }
    return 0;
}

static int cursor_tostring(lua_State *L) { return push_place(L, check_cursor(L, 1)); }

/* ---- a part of a term as a program of its own ---- */

/* The types of the indices that are bound above p, that of index 0 first. */
static const Type **bound_types(Arena *arena, const Term *root, const Path *p, int *count)
{
    int n = *count = path_binders(root, p);
    const Type **types = NEW_ARRAY(arena, const Type *, n);
    for (int i = 0; i < p->length; i++) {
        int leaves = term_slot_binds(root, p->slots[i]);
        const Term *lambda = leaves == 0 || root->kind == T_LAM ? root : root->args[1];      /* of a let */
        for (int leaf = 0; leaf < leaves; leaf++) types[--n] = type_leaf(lambda->type->elems[0], leaf);
        root = term_slot(root, p->slots[i]);
    }
    return types;
}

static bool reads_input(const Term *t, const char *name)
{
    if (t->kind == T_INPUT) return strcmp(t->u.name, name) == 0;
    return ANY(i, t->arg_count, reads_input(t->args[i], name));
}

/* k:alone(places, names): the term at k as a program of its own, at its root. Its parts at those places below k (in pre-order) are
 * inputs of these names, and so is what is bound around it, by its name there, or one that is no input's yet. */
static int cursor_alone(lua_State *L)
{
    Strategies *s = self(L);
    const Cursor *k = check_cursor(L, 1);
    const Term *t = cursor_term(k);
    luaL_checktype(L, 2, LUA_TTABLE);
    luaL_checktype(L, 3, LUA_TTABLE);
    int parts = (int)lua_rawlen(L, 2), bound;
    Path *below = NEW_ARRAY(s->run.arena, Path, parts);
    const Term **inputs = NEW_ARRAY(s->run.arena, const Term *, parts);
    for (int i = 0; i < parts; i++) {
        lua_rawgeti(L, 2, i + 1);
        lua_rawgeti(L, 3, i + 1);
        const Cursor *part = check_cursor(L, -2);
        luaL_argcheck(L, part->at.length > k->at.length && path_is_below(&part->at, &k->at), 2, "a place that is not below");
        below[i].length = part->at.length - k->at.length;
        memcpy(below[i].slots, part->at.slots + k->at.length, below[i].length);
        const Term *old = path_term(t, &below[i]);
        luaL_argcheck(L, old && old->kind != T_LAM, 2, "no such place");
        inputs[i] = term_input(s->c, luaL_checkstring(L, -1), old->type);
        lua_pop(L, 2);
    }
    t = path_replace_all(s->c, t, below, parts, inputs);
    const Type **types = bound_types(s->run.arena, k->root, &k->at, &bound);
    const Term **values = NEW_ARRAY(s->run.arena, const Term *, bound);
    for (int i = bound - 1; t && i >= 0; i--) {
        const char *name = lang_text_of(s->c, k->root, k->at.slots, k->at.length, term_var(s->c, i, types[i]), 60);
        while (reads_input(t, name) || ANY(j, bound - 1 - i, !strcmp(values[bound - 1 - j]->u.name, name)))
            name = arena_printf(s->run.arena, "%s_", name);
        values[i] = term_input(s->c, name, types[i]);
    }
    if (t) t = term_subst(s->c, t, values, bound);
    if (!t) return raise_diag(L);
    *push_cursor(L, NULL) = (Cursor){.root = t, .fresh = k->fresh, .next_param = k->next_param, .run = k->run};
    return 1;
}

/* In *out the place of the node whose function, or let, binds the variable at k. False: it is none. */
static bool binder_of(const Cursor *k, Path *out)
{
    const Term *t = cursor_term(k), *at = k->root;
    int left = t->kind == T_VAR ? path_binders(k->root, &k->at) - 1 - t->u.index : -1;      /* leaves bound outside of it */
    *out = k->at;
    for (int i = 0; i < k->at.length && left >= 0; at = term_slot(at, k->at.slots[i++])) {
        if ((left -= term_slot_binds(at, k->at.slots[i])) >= 0) continue;
        out->length = (uint8_t)(at->kind == T_LAM ? i - 1 : i);
        return true;
    }
    return false;
}

/* k:binder(): the place whose function binds the variable at k; nil: it is none. */
static int cursor_binder(lua_State *L)
{
    const Cursor *k = check_cursor(L, 1);
    Path p;
    return push_moved(L, k, binder_of(k, &p) ? &p : NULL);
}

/* k:value(): the value that a let around k's place gives the name there; nil: another variable, or none. */
static int cursor_value(lua_State *L)
{
    const Cursor *k = check_cursor(L, 1);
    Path p;
    const Term *let = binder_of(k, &p) ? path_term(k->root, &p) : NULL;
    if (!let || !term_is(let, PRIM_LET) || let->args[0]->type->leaf_count > 1) return push_moved(L, k, NULL);
    p.slots[p.length++] = 0;
    return push_moved(L, k, &p);
}

/* k:made_by(from): the outermost macros, or rules by themselves, whose steps led from that cursor to k, the last first. */
static int cursor_made_by(lua_State *L)
{
    const Cursor *k = check_cursor(L, 1), *from = check_cursor(L, 2);
    const char *last = NULL;
    lua_newtable(L);
    for (const Done *d = k->last; d && d != from->last; d = d->before) {
        const Use *use = outermost(d->within);
        const char *call = use ? use->label : d->step.call;
        if (last && !strcmp(call, last)) continue;
        push_string(L, last = call);
        lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
    }
    return 1;
}

const luaL_Reg cursor_methods[] = {
    {"__index", cursor_index}, {"__tostring", cursor_tostring}, {"next", cursor_next}, {"children", cursor_children},
    {"up", cursor_up}, {"at", cursor_at}, {"go", cursor_go}, {"path", cursor_path}, {"fresh", cursor_fresh},
    {"matches", cursor_matches}, {"holds", cursor_holds}, {"alone", cursor_alone},
    {"made_by", cursor_made_by}, {"value", cursor_value}, {"binder", cursor_binder}, {NULL, NULL},
};
