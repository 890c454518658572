/* lua_names: the names that strategy text may use. */
#include "lua_private.h"

#include <ctype.h>
#include <string.h>

/* define(name, params, doc, text): a macro of the user's, for listings and completion; an older one of that name goes. */
static int engine_define(lua_State *L)
{
    Strategies *s = self(L);
    StrategyName *n = NEW(s->arena, StrategyName);
    const char *text = luaL_optstring(L, 4, NULL);
    *n = (StrategyName){NAME_MACRO, arena_strdup(s->arena, luaL_checkstring(L, 1)), arena_strdup(s->arena, luaL_checkstring(L, 2)),
                        arena_strdup(s->arena, luaL_checkstring(L, 3)), text ? arena_strdup(s->arena, text) : NULL, true};
    for (int i = 0; i < s->names.n; i++)
        if (!strcmp(s->names.v[i]->name, n->name)) return s->names.v[i] = n, 0;
    vec_push(&s->names, n);
    return 0;
}

void name_library(Strategies *s)
{
    StrategyName name, *n;
    const char *file;
    for (const char *at = library_names; (at = next_name(at, &name, &file));) {
        *(n = NEW(s->arena, StrategyName)) = name;
        vec_push(&s->names, n);
    }
}

/* undefine(name): a user's */
static int engine_undefine(lua_State *L)
{
    Strategies *s = self(L);
    const char *name = luaL_checkstring(L, 1);
    for (int i = 0; i < s->names.n; i++) {
        if (strcmp(s->names.v[i]->name, name) || !s->names.v[i]->user) continue;
        memmove(s->names.v + i, s->names.v + i + 1, (size_t)(s->names.n - i - 1) * sizeof *s->names.v);
        s->names.n--;
        break;
    }
    return 0;
}

static int engine_suggest(lua_State *L) { return push_string(L, strategies_suggest(self(L), luaL_checkstring(L, 1))); }
static int engine_is_primitive(lua_State *L) { return push_bool(L, prim_from_name(luaL_checkstring(L, 1)) != PRIM_COUNT); }

/* primitives(): of each what prims.def says: its name, its words in the columns write and dims, the memory that it fills, and what it is. */
static int engine_primitives(lua_State *L)
{
    static const char *const words[][2] = {
#define PRIM(id, name, family, scheme, slots, meaning, read, write, ...) {#write},
#define LAYOUT(id, name, family, scheme, slots, meaning, write, dims, ...) {#write, #dims},
#define OP(id, ...) {"VALUE"},
#include "prims.def"
    };
    lua_newtable(L);
    for (PrimId id = 0; id < PRIM_COUNT; id++) {
        lua_newtable(L);
        set_text(L, "name", prim(id)->name);
        set_text(L, "write", words[id][0]);
        set_text(L, "dims", words[id][1]);
        set_text(L, "memory", prim_memory(id));
        set_bool(L, "mapped", prim_is_mapped(id));
        set_bool(L, "parallel", prim_is_parallel(id));
        set_bool(L, "by_index", prim_is_by_index(id));
        set_bool(L, "repeats", prim_repeats(id));
        lua_rawseti(L, -2, (int)id + 1);
    }
    return 1;
}

/* rules_like(name): a blank and the word that name begins with, if rules begin so too: " transpose" of transposeAgain; else
 * "" */
static int engine_rules_like(lua_State *L)
{
    const char *name = luaL_checkstring(L, 1);
    size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyz");
    const Rules *rules = self(L)->rules;
    for (int i = 0; n > 2 && i < rules_count(rules); i++)
        if (!strncmp(rules_name(rules, i), name, n)) return lua_pushfstring(L, " %s", lua_pushlstring(L, name, n)), 1;
    lua_pushstring(L, "");
    return 1;
}

int strategies_name_count(const Strategies *s) { return s->names.n; }
const StrategyName *strategies_name(const Strategies *s, int i) { return s->names.v[i]; }

const StrategyName *strategies_find(const Strategies *s, const char *name)
{
    for (int i = 0; i < s->names.n; i++)
        if (!strcmp(s->names.v[i]->name, name)) return s->names.v[i];
    const StrategyName *n = s->other ? strategies_find(s->other, name) : NULL;
    return n && n->user ? n : NULL;
}

bool strategies_remove(Strategies *s, const char *name)
{
    const StrategyName *n = strategies_find(s, name);
    return n && n->user && call_text(s, false, NULL, "texts", "remove_macro", "s", name);
}

/* allowed(name, rule): may the user name that rule, else macro, now? */
static int engine_allowed(lua_State *L) { return push_bool(L, strategies_allowed(self(L), luaL_checkstring(L, 1), lua_toboolean(L, 2))); }

static const char *const lua_words[] = {
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in", "local", "nil", "not",
    "or", "repeat", "return", "then", "true", "until", "while",
};

static const char *const lua_names[] = {
    "assert", "error", "ipairs", "math", "next", "pairs", "print", "select", "string", "table", "tonumber", "tostring",
    "type", "t", "arg", "collectgarbage", "coroutine", "dofile", "getmetatable", "io", "load", "loadfile", "os", "package",
    "pcall", "rawequal", "rawget", "rawlen", "rawset", "register", "require", "setmetatable", "utf8",
};

static const char *const name_kinds[] = {
    [NAME_MACRO] = "a macro", [NAME_LOWERING] = "a lowering", [NAME_COMBINATOR] = "a combinator",
    [NAME_PREDICATE] = "a predicate", [NAME_VALUE] = "a Lua value",
};

const char *strategies_name_taken(const Strategies *s, const char *name, bool for_rule)
{
    if (text_index(lua_words, COUNT(lua_words), name) >= 0) return "a Lua keyword";
    const Rule *rule = rules_find(s->rules, name);
    if (rule && !(for_rule && rule->trust != TRUST_BUILTIN)) return "a rule";
    const StrategyName *n = strategies_find(s, name);
    if (n && !(n->user && !for_rule)) return name_kinds[n->kind];
    return text_index(lua_names, COUNT(lua_names), name) >= 0 ? "a Lua name" : NULL;
}

bool strategies_allowed(const Strategies *s, const char *name, bool rule)
{
    return !s->host.allowed || s->host.allowed(s->host.data, name, rule);
}

const char *strategies_suggest(const Strategies *s, const char *name)
{
    NearName near = {.typed = name};
    for (int i = 0; i < rules_count(s->rules); i++) {
        const char *rule = rules_name(s->rules, i);
        if (strategies_allowed(s, rule, true)) near_try(&near, rule);
    }
    for (int i = 0; i < s->names.n; i++) {
        const StrategyName *n = s->names.v[i];
        if (n->kind > NAME_LOWERING || strategies_allowed(s, n->name, false)) near_try(&near, n->name);
    }
    for (int i = 0; i < COUNT(lua_names); i++) near_try(&near, lua_names[i]);
    return near.name ? arena_strdup(s->c->diag.arena, near.name) : NULL;
}

/* taken(name): what the name of a new macro is already, nil when it is free. */
static int engine_taken(lua_State *L) { return push_string(L, strategies_name_taken(self(L), luaL_checkstring(L, 1), false)); }

/* whole_types(): the names of the scalar types that are no floats, which are those of the casts to them */
static int engine_whole_types(lua_State *L)
{
    int n = 0;
    lua_newtable(L);
    for (Scalar s = 0; s < SC_COUNT; s++)
        if (!scalar_is_float(s)) lua_pushstring(L, scalar_name(s)), lua_rawseti(L, -2, ++n);
    return 1;
}

const luaL_Reg name_functions[] = {
    {"define", engine_define}, {"undefine", engine_undefine}, {"suggest", engine_suggest}, {"is_primitive", engine_is_primitive},
    {"primitives", engine_primitives},
    {"rules_like", engine_rules_like}, {"taken", engine_taken}, {"whole_types", engine_whole_types},
    {"allowed", engine_allowed}, {NULL, NULL},
};
