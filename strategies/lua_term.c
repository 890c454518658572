/* lua_term: sizes and terms as Lua values. */
#include "lua_private.h"
#include "plan.h"

#include <string.h>

static const char cache_key;             /* its address: where the registry keeps the userdata made so far */

/* ---- userdata of one pointer ---- */

void make_cache(lua_State *L)
{
    lua_newtable(L);
    lua_newtable(L);
    lua_pushliteral(L, "v");
    lua_setfield(L, -2, "__mode");
    lua_setmetatable(L, -2);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &cache_key);
}

typedef struct Ref { const void *p; unsigned epoch; } Ref;       /* epoch 0: for good; else of use while Strategies.epoch is the same */

static bool is_gone(lua_State *L, const Ref *ref) { return ref->epoch && ref->epoch != self(L)->epoch; }

void push_ref(lua_State *L, const void *p, Class class)
{
    const Strategies *s = self(L);
    lua_rawgetp(L, LUA_REGISTRYINDEX, &cache_key);
    if (lua_rawgetp(L, -1, p) == LUA_TNIL || is_gone(L, lua_touserdata(L, -1))) {
        lua_pop(L, 1);
        *(Ref *)lua_newuserdatauv(L, sizeof(Ref), 0) = (Ref){p, s->own ? s->epoch : 0};
        set_class(L, class);
        lua_pushvalue(L, -1);
        lua_rawsetp(L, -3, p);
    }
    lua_remove(L, -2);
}

static const void *of_ref(lua_State *L, const Ref *ref)
{
    if (is_gone(L, ref)) luaL_error(L, "this was part of a term that was only tried, and is gone");
    return ref->p;
}

const void *check_ref(lua_State *L, int i, Class class) { return of_ref(L, check_class(L, i, class)); }

void push_term(lua_State *L, const Term *t) { push_ref(L, t, CLASS_TERM); }
static const Term *check_term(lua_State *L, int i) { return check_ref(L, i, CLASS_TERM); }
void push_nat(lua_State *L, const Nat *n) { push_ref(L, n, CLASS_SIZE); }

/* ---- sizes ---- */

LangScope run_scope(Strategies *s, const Fresh *fresh)
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

const Source *text_source(Strategies *s, const char *name, const char *text)
{
    Source *source = NEW(s->run.arena, Source);
    *source = (Source){name, arena_strdup(s->run.arena, text), strlen(text)};
    return source;
}

const Nat *to_size(lua_State *L, int i, const Fresh *fresh)
{
    Strategies *s = self(L);
    if (lua_isinteger(L, i)) return nat_const(s->c->nats, lua_tointeger(L, i));
    if (test_class(L, i, CLASS_SIZE)) return check_ref(L, i, CLASS_SIZE);
    if (lua_type(L, i) == LUA_TSTRING && s->run.arena) {
        LangScope scope = run_scope(s, fresh);
        return lang_size(s->c, &scope, text_source(s, "size", lua_tostring(L, i)));
    }
    diag_error(&s->c->diag, E22, "a size is an integer or text such as \"N/4\", not %s", luaL_typename(L, i));
    return NULL;
}

const Nat *check_size(lua_State *L, int i)
{
    const Nat *n = to_size(L, i, NULL);
    if (!n) raise_diag(L);
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
    return push_buf(L, &b);
}

/* Its number where it is one; with the sizes that the session knows when called as n:known(). */
static int size_known(lua_State *L)
{
    const Nat *n = check_size(L, 1);
    const LowerHints *hints = self(L)->run.hints;
    int64_t v;
    if (n->is_const) return push_integer(L, true, n->value);
    bool known = hints && hints->value && nat_eval(n, hints->value, hints->value_data, &v);
    return push_integer(L, known, known ? v : 0);
}

/* d:divides(n): true when proved, false when refuted, nil when it depends on the sizes. */
static int size_divides(lua_State *L)
{
    const Nat *d = check_size(L, 1), *n = check_size(L, 2);
    Nats *nats = self(L)->c->nats;
    if (nat_divides(nats, d, n, NULL)) return push_bool(L, true);
    return nat_refuted_divides(nats, d, n) ? push_bool(L, false) : push_string(L, NULL);
}

static int size_index(lua_State *L)
{
    const Nat *n = check_size(L, 1);
    if (class_field(L, CLASS_SIZE) < 0) return 1;
    return push_integer(L, n->is_const, n->value);
}

const luaL_Reg size_methods[] = {
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
    return ANY(i, t->arg_count, contains(t->args[i], id));
}

/* What arrays of it are of in the end. */
static const Type *element(const Type *t)
{
    while (t->kind == TY_ARRAY) t = t->elems[0];
    return t;
}

/* Words of 32 bits of a scalar, or of the scalars of a tuple, at least one for each; 0: it has vectors or arrays. */
static int type_words(const Type *t)
{
    if (t->kind == TY_SCALAR) return (scalar_bytes(t->scalar) + 3) / 4;
    int sum = 0;
    for (int i = 0; t->kind == TY_TUPLE && i < t->count; i++) {
        int words = type_words(t->elems[i]);
        if (!words) return 0;
        sum += words;
    }
    return sum;
}

static bool has_parallel(const Term *t)
{
    return (t->flags & TF_MAPPED) && ((t->kind == T_PRIM && prim_is_parallel((PrimId)t->prim)) || ANY(i, t->arg_count, has_parallel(t->args[i])));
}

static int term_contains(lua_State *L)
{
    const Term *t = check_term(L, 1);
    PrimId id = prim_from_name(luaL_checkstring(L, 2));
    if (id == PRIM_COUNT) luaL_argerror(L, 2, "the name of a primitive");
    return push_bool(L, contains(t, id));
}

static const Term *first_lambda(const Term *t)
{
    if (t->kind == T_LAM) return t;
    for (int i = 0; i < t->arg_count; i++) {
        if (t->args[i]->kind == T_LAM) return t->args[i];
    }
    return NULL;
}

static int dimensions(const Type *t)
{
    int n = t->kind == TY_ARRAY;
    for (int i = 0; i < t->count; i++) n += dimensions(t->elems[i]);
    return n;
}

static const Term *without_lambda(const Term *t) { return t->kind == T_LAM ? t->args[0] : t; }

int find_slot(lua_State *L, const Term *t, int i)
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
    if (k < 0) return push_string(L, NULL);
    push_term(L, without_lambda(term_slot(t, k)));
    return 1;
}

static int term_static(lua_State *L)
{
    const Term *t = check_term(L, 1);
    lua_Integer k = luaL_optinteger(L, 2, 1);
    return push_size_or_nil(L, k >= 1 && k <= t->static_count ? t->statics[k - 1] : NULL);
}

/* Scalars, or their bytes. */
static const Nat *type_scalars(Ctx *c, const Type *t, bool bytes)
{
    if (t->kind == TY_SCALAR) return nat_const(c->nats, bytes ? scalar_bytes(t->scalar) : 1);
    if (t->kind == TY_VECTOR) return nat_const(c->nats, t->width * (bytes ? scalar_bytes(t->scalar) : 1));
    if (t->kind == TY_ARRAY) return nat_mul(c->nats, t->size, type_scalars(c, t->elems[0], bytes));
    const Nat *sum = nat_const(c->nats, 0);
    for (int i = 0; i < t->count; i++) sum = nat_add(c->nats, sum, type_scalars(c, t->elems[i], bytes));
    return sum;
}

static bool has_parameters(const Term *t)
{
    LOCAL(drop) NatAtomVec vars = term_vars_in(t, VAR_PARAM);
    return vars.n;
}

static bool type_has_array(const Type *t)
{
    return t->kind == TY_ARRAY || (t->kind == TY_TUPLE && ANY(i, t->count, type_has_array(t->elems[i])));
}

static int push_text(lua_State *L, const Term *t)
{
    PrintOptions plain = {0};
    Buf b = {0};
    lang_print(self(L)->c, t, &plain, &b);
    return push_buf(L, &b);
}

static int term_index(lua_State *L)
{
    int field = class_field(L, CLASS_TERM), n = 0;
    if (field < 0) return 1;
    const Term *t = of_ref(L, lua_touserdata(L, 1));
    const Prim *p = t->kind == T_PRIM ? prim((PrimId)t->prim) : NULL;
    Ctx *c = self(L)->c;
    const Term *lambda;
    Buf b = {0};
    switch (field) {
    case FIELD_TERM_kind: return push_string(L, kind_names[t->kind]);
    case FIELD_TERM_prim: return push_string(L, p ? p->name : NULL);
    case FIELD_TERM_name: return push_string(L, t->kind == T_INPUT ? t->u.name : p ? p->name : NULL);
    case FIELD_TERM_type: return type_print(t->type, &b), push_buf(L, &b);
    case FIELD_TERM_length: return push_size_or_nil(L, t->type->kind == TY_ARRAY ? t->type->size : NULL);
    case FIELD_TERM_scalars: case FIELD_TERM_bytes: return push_size_or_nil(L, type_is_data(t->type) ? type_scalars(c, t->type, field == FIELD_TERM_bytes) : NULL);
    case FIELD_TERM_size: return push_integer(L, true, t->size);
    case FIELD_TERM_depth: return push_integer(L, true, t->depth);
    case FIELD_TERM_rank:
        for (const Type *type = t->type; type->kind == TY_ARRAY; type = type->elems[0]) n++;
        return push_integer(L, true, n);
    case FIELD_TERM_dimensions: return push_integer(L, true, dimensions(t->type));
    case FIELD_TERM_is_layout: return push_bool(L, term_is_layout(t));
    case FIELD_TERM_is_array: return push_bool(L, type_has_array(t->type));
    case FIELD_TERM_is_atom: return push_bool(L, term_is_atom(t));
    case FIELD_TERM_binders:
        lambda = first_lambda(t);
        lua_newtable(L);
        for (int i = 0; lambda && lambda->u.hints && i < hint_count(lambda->type->elems[0]); i++)
            if (lambda->u.hints[i]) push_string(L, lambda->u.hints[i]), lua_rawseti(L, -2, ++n);
        return 1;
    case FIELD_TERM_slots:
        PUSH_LIST(L, k, term_slot_count(t), push_string(L, term_slot_name(c, t, k)));
        return 1;
    case FIELD_TERM_layout_function: return push_bool(L, (lambda = first_lambda(t)) && term_is_layout(lambda));
    case FIELD_TERM_closed_function: return push_bool(L, (lambda = first_lambda(t)) && lambda->free_limit == 0);
    case FIELD_TERM_layout_node: return push_bool(L, p && p->family == FAM_LAYOUT);
    case FIELD_TERM_layout_map: return push_bool(L, p && p->id == PRIM_MAP && term_is_layout(t->args[0]));
    case FIELD_TERM_has_parallel: return push_bool(L, has_parallel(t));
    case FIELD_TERM_components: return push_integer(L, true, type_components(t->type));
    case FIELD_TERM_words: return n = type_words(element(t->type)), push_integer(L, n, n);
    case FIELD_TERM_element_bytes: return push_integer(L, element(t->type)->kind == TY_SCALAR, scalar_bytes(element(t->type)->scalar));
    case FIELD_TERM_is_float: return push_bool(L, t->type->kind == TY_SCALAR && scalar_is_float(t->type->scalar));
    case FIELD_TERM_children:                 /* of a function its body */
        PUSH_LIST(L, k, term_slot_count(t), push_term(L, without_lambda(term_slot(t, k))));
        return 1;
    case FIELD_TERM_text: return push_text(L, t);
    case FIELD_TERM_operands:                 /* the children that it computes with: but for the bodies of functions */
        lua_newtable(L);
        for (int k = 0; k < term_slot_count(t); k++)
            if (strcmp(term_slot_name(c, t, k), "f")) push_term(L, without_lambda(term_slot(t, k))), lua_rawseti(L, -2, ++n);
        return 1;
    case FIELD_TERM_invertible: return push_bool(L, p && plan_invertible(t, false));
    case FIELD_TERM_only_stores: return push_bool(L, plan_only_stores(t));
    case FIELD_TERM_only_read:                /* elements are read through it, and cannot be written so */
        return push_bool(L, p && (p->id == PRIM_GENERATE || p->write == WRITE_LAYOUT));
    case FIELD_TERM_has_parameters: return push_bool(L, has_parameters(t));
    }
    return 0;
}

static int term_tostring(lua_State *L) { return push_text(L, check_term(L, 1)); }

const luaL_Reg term_methods[] = {
    {"__index", term_index}, {"__tostring", term_tostring}, {"contains", term_contains}, {"slot", term_get_slot},
    {"static", term_static}, {NULL, NULL},
};
