/* lua_rule: rules for Lua: their arguments, applying them, and how near a failure is to a success. */
#include "advice.h"
#include "lua_private.h"

#include <string.h>

enum { FAILED_ARGUMENT = 1000 };         /* a failure for its argument says more than any mismatch */

/* ---- how alike a left side and a term are, to tell which of many failures says most ---- */

static int likeness(const Ast *pattern, const Term *t)
{
    if (pattern->kind == AST_LAMBDA) return t->kind == T_LAM ? likeness(pattern->kids[0], t->args[0]) : 0;
    const Ast *head = pattern->kind == AST_APP ? pattern->kids[0] : pattern;
    PrimId id = head->kind != AST_UNARY ? ast_prim(head) : *head->name == '-' ? PRIM_NEG : PRIM_NOT;
    if (id == PRIM_COUNT) return 0;
    if (t->kind == T_LAM) t = t->args[0];
    if (t->kind != T_PRIM || t->prim != id) return 0;
    /* The last arguments of both, pairwise: statics come first in the text and are no arguments of the term. */
    int first = pattern->kind == AST_APP ? 1 : 0, sum = 0;
    for (int p = pattern->kid_count - 1, k = t->arg_count - 1; p >= first && k >= 0; p--, k--) {
        sum += likeness(pattern->kids[p], t->args[k]);
    }
    return 1 + sum;
}

/* ---- rule arguments ---- */

static const Rule *check_rule(lua_State *L, int i)
{
    luaL_checktype(L, i, LUA_TLIGHTUSERDATA);
    return lua_touserdata(L, i);
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

static bool to_arg(lua_State *L, int i, StaticKind kind, const Fresh *fresh, RuleArg *out)
{
    i = lua_absindex(L, i);
    *out = (RuleArg){.set = true};
    if (kind == STATIC_PERM) {
        /* A table {perm = kind, size = n, fwd =, inv =}, as made by reverse, rotate(k), stride(s), perm(f, g). */
        Strategies *s = self(L);
        out->perm = PERM_KINDS;
        if (lua_istable(L, i)) {
            lua_getfield(L, i, "perm");
            out->perm = perm_kind_from_name(luaL_optstring(L, -1, ""));
            lua_pop(L, 1);
        }
        if (out->perm == PERM_KINDS)
            return diag_error(&s->c->diag, E22, "a permutation is reverse, rotate(k), stride(s) or perm(f, g)"), false;
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
    if (kind == STATIC_MODE) {
        const char *name = lua_tostring(L, i);
        PadMode mode = name ? pad_mode_from_name(name) : PAD_MODES;
        out->size = nat_const(self(L)->c->nats, mode);
        if (mode != PAD_MODES) return true;
        diag_error(&self(L)->c->diag, E22, "a mode is \"clamp\", \"mirror\" or \"wrap\"");
        return false;
    }
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

static void push_applied(lua_State *L, const Cursor *k, const Rule *rule, const RuleResult *r)
{
    Strategies *s = self(L);
    Cursor *next = push_cursor(L, k);
    next->root = r->root;
    path_carried(k->root, &k->at, r->root, &next->at, NULL);
    Done *d = NEW(s->run.arena, Done);
    *d = (Done){.within = s->run.within, .before = k->last, .count = k->last ? k->last->count + 1 : 1, .fact_count = r->fact_count,
                .facts = arena_copy(s->run.arena, r->facts, (size_t)r->fact_count * sizeof *r->facts)};
    d->step = (SubStep){.call = arena_strdup(s->run.arena, rule_call_text(s->c, rule, r->args)), .at = place_ref(s->run.arena, &k->at),
                        .root = r->root, .rule = rule, .args = arena_copy(s->run.arena, r->args, sizeof r->args), .trust = rule_trust(rule, r), .assumes = r->assumes,
                        .fact_count = r->fact_count + (k->last ? k->last->step.fact_count : 0), .next_param = s->run.env->next_param};
    next->last = d;
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
    bool may = explain || (any ? rule_may_apply(rule, cursor_term(k)) : rule_applies(s->run.env, rule, NULL, k->root, &k->at));
    if (!may) return -1;
    return rule_apply(s->run.env, rule, args, k->root, &k->at, explain, out);
}

static void trace(lua_State *L, const Cursor *k, const Rule *rule, bool applied)
{
    Strategies *s = self(L);
    RuleArg args[6];
    RuleMisfit misfit;
    bool any;
    if (!s->traced || strcmp(s->traced, rule->name)) return;
    Diag saved = diag_aside(&s->c->diag);
    bool known = !applied && to_args(L, 3, rule, k->fresh, args, &any)
        && rule_misfit(s->run.env, rule, args, k->root, &k->at, false, &misfit);
    if (applied || known) s->trace(s->trace_data, rule, k->root, &k->at, applied ? NULL : &misfit);
    diag_back(&s->c->diag, saved);
}

/* apply(cursor, rule, args): a cursor; or nil, how near the failure is to a success. */
static int engine_apply(lua_State *L)
{
    Strategies *s = self(L);
    const Cursor *k = check_cursor(L, 1);
    const Rule *rule = check_rule(L, 2);
    RuleResult result;
    spend_attempt(L, rule, k);
    int verdict = try_rule(L, k, rule, 3, false, &result);
    check_fuel(L);
    skip_time(s);
    trace(L, k, rule, verdict == 1);
    if (verdict == 1) {
        spend_step(L);
        push_applied(L, k, rule, &result);
        diag_clear(&s->c->diag);
        return 1;
    }
    const Term *t = cursor_term(k);
    int near = likeness(rule_side(rule, false), t)
             + (s->c->diag.id == E22 ? FAILED_ARGUMENT : 0);
    diag_clear(&s->c->diag);
    lua_pushnil(L);
    lua_pushinteger(L, near);
    return 2;
}

/* "splitJoin(4) at / ; mapFusion at /in": the steps on the way to a cursor, the last few of them. */
static const char *trail(Arena *arena, Ctx *c, const Cursor *k)
{
    enum { SHOWN = 4 };
    const Done *last[SHOWN];
    int n = 0;
    for (const Done *d = k->last; d && n < SHOWN; d = d->before) last[n++] = d;
    Buf b = {0};
    if (n < k->last->count) buf_printf(&b, "%d steps, then ", k->last->count - n);
    for (int i = n - 1; i >= 0; i--)
        buf_printf(&b, "%s at %s%s", last[i]->step.call, place_text(c, last[i]->step.root, last[i]->step.at), i ? " ; " : "");
    return buf_take(&b, arena);
}

/* ---- why a rule fails ---- */

enum { MACRO_ATTEMPTS = 2000, MACRO_STEPS = 40, MACRO_INSTRUCTIONS = 2000000,    /* of one macro that is tried as advice */
       MACROS_ATTEMPTS = 20000,                                                  /* of all together */
       MACROS_NODES = 800 };             /* of all that could take arguments: each looks at every node, in some 20 us */

typedef struct Macros {                  /* behind AdviceMacros */
    Strategies *s;
    RewriteEnv env;                      /* in which they fail without more advice */
    const char **names;
    int plain;                           /* so many of them never take arguments: these are tried at other places, too */
    const Path *asked;
    int attempts, nodes;                 /* left; nodes: of the terms that the others are tried on */
} Macros;

static const Rewrite *rewrites_of(Strategies *s, const Term *root, const StrategyResult *r)
{
    Rewrite *out = NEW_ARRAY(s->run.arena, Rewrite, r->step_count);
    for (int i = 0; i < r->step_count; i++) {
        const SubStep *step = &r->steps[i];
        out[i] = (Rewrite){step->rule, step->args, root, step->root, {0}};
        out[i].at = place_path(step->at);
        root = step->root;
    }
    return out;
}

/* Is a macro that could take arguments worth what it takes there? */
static bool may_try(Macros *m, const Term *root, const Path *at)
{
    const Term *t = path_term(root, at);
    bool wanted = t && (at->length == 0 || path_equal(at, m->asked));
    if (!wanted || t->size > (uint32_t)m->nodes) return false;
    m->nodes -= (int)t->size;
    return true;
}

static const Rewrite *try_macro(void *data, int i, const Term *root, const Path *at, int *count, const char **name)
{
    Macros *m = data;
    Strategies *s = m->s;
    StrategyResult r = {0};
    StrategyLimits limits = s->limits;
    RewriteEnv env = m->env;
    Task task = {.function = "try", .text = m->names[i], .arena = s->run.arena,
                 .start = {.root = root, .at = *at}, .out = &r};
    if (m->attempts <= 0 || (i >= m->plain && !may_try(m, root, at))) return NULL;
    s->limits.attempts = MACRO_ATTEMPTS;
    s->limits.steps = MACRO_STEPS;
    s->limits.instructions = MACRO_INSTRUCTIONS;
    bool ok = perform(s, &env, NULL, &task);
    s->limits = limits;
    m->attempts -= task.attempts;
    diag_clear(&s->c->diag);
    *name = m->names[i];
    *count = r.step_count;
    return ok && r.root && r.root != root && r.trust != TRUST_ASSUMED ? rewrites_of(s, root, &r) : NULL;
}

typedef enum Needs { NEEDS_NONE, NEEDS_SIZE, NEEDS_DEFAULTS, NEEDS_ARGUMENTS } Needs;

/* What a macro takes: nothing; one size, "(n)" or "([w])", in whose place a rule makes a parameter of its own or takes its
 * default, as in `moves`; "{w=4, u=2}" what has a default; or what must be given. */
static Needs macro_needs(const char *params)
{
    if (!*params) return NEEDS_NONE;
    if (*params == '{') return NEEDS_DEFAULTS;
    bool optional = params[1] == '[';
    return optional || !strpbrk(params, ",[.") ? NEEDS_SIZE : NEEDS_ARGUMENTS;
}

/* The macros that can do without arguments, those first that never take any. The others are tried at the asked place and at
 * the top alone: most of them look for their place below, and all together take as long as the rest of the advice. */
static AdviceMacros macros_of(Strategies *s, const Path *asked, Macros *m)
{
    *m = (Macros){s, *s->run.env, NEW_ARRAY(s->run.arena, const char *, s->names.n), 0, asked, MACROS_ATTEMPTS, MACROS_NODES};
    m->env.advise = false;
    int n = 0;
    for (Needs needs = NEEDS_NONE; needs < NEEDS_ARGUMENTS; needs++) {
        for (int i = 0; i < s->names.n; i++)
            if (s->names.v[i]->kind == NAME_MACRO && macro_needs(s->names.v[i]->params) == needs)
                m->names[n++] = s->names.v[i]->name;
        if (needs == NEEDS_NONE) m->plain = n;
    }
    return (AdviceMacros){m, n, try_macro, s->limits.stop};
}

/* What a person may do; nothing of it is traced. */
static void advise(lua_State *L, const Cursor *k, const Rule *rule, const RuleArg *args)
{
    Strategies *s = self(L);
    Macros m;
    Ctx *own = s->own;
    const char *traced = s->traced;
    bool recording = s->recording;
    AdviceMacros macros = macros_of(s, &k->at, &m);
    s->traced = NULL;
    s->recording = false;
    s->own = s->c;
    RuleAdvice advice = rule_advise(s->run.env, s->rules, own ? NULL : &macros, rule, args, k->root, &k->at);
    s->own = own;
    s->traced = traced;
    s->recording = recording;
    /* What Lua was given of terms that are taken back is of no use from now on, nor is what macros made of them. */
    if (!own) {
        s->epoch++;
        forget_patterns(L);
        push_library(L, "base", "make_macros_again");
        lua_call(L, 0, 0);
    }
    rule_advice_notes(s->c, &advice, !k->last);
    bool helps = advice.near_try || advice.step_try || advice.instead;
    if (!helps && !k->last) diag_note(&s->c->diag, "try", "moves %s", path_text(s->c, k->root, &k->at));        /* what does apply there */
}

/* explain(cursor, rule, args, advise): why it fails there, as a table for fail(); advise: with what would help, which takes
 * some hundred rewrites. */
static int engine_explain(lua_State *L)
{
    Strategies *s = self(L);
    RuleResult result;
    RuleArg args[6];
    bool any;
    const Cursor *k = check_cursor(L, 1);
    const Rule *rule = check_rule(L, 2);
    diag_clear(&s->c->diag);
    if (try_rule(L, k, rule, 3, true, &result) == 1)
        diag_error(&s->c->diag, rule_asks(rule) ? E24 : E70, "%s applies although it failed before%s", rule->name,
                   rule_asks(rule) ? ": a condition in Lua answers the same question in two ways" : "");
    if (lua_toboolean(L, 4) && s->c->diag.id == E21 && to_args(L, 3, rule, k->fresh, args, &any)) {
        advise(L, k, rule, args);
        check_stop(L);
    }
    push_diag(L);
    return 1;
}

/* advised(): is a failure for a person to read? */
static int engine_advised(lua_State *L)
{
    Strategies *s = self(L);
    return push_bool(L, s->run.env && s->run.env->advise);
}

/* trail(cursor): the steps that led there as a text, nil when there are none. */
static int engine_trail(lua_State *L)
{
    Strategies *s = self(L);
    const Cursor *k = check_cursor(L, 1);
    return push_string(L, k->last ? trail(s->run.arena, s->c, k) : NULL);
}

static const char *const static_kinds[] = {
    [STATIC_SIZE] = "size", [STATIC_DIM] = "dim", [STATIC_WIDTH] = "width", [STATIC_MODE] = "mode", [STATIC_PERM] = "perm",
};

/* rule(name): the rule, its parameters as {{name=, given=, kind=}, ...}, the primitive that its left side begins with; nil when there is none. */
static int engine_rule(lua_State *L)
{
    const Rule *rule = rules_find(self(L)->rules, luaL_checkstring(L, 1));
    if (!rule) return push_string(L, NULL);
    lua_pushlightuserdata(L, (void *)(uintptr_t)rule);
    PUSH_LIST(L, i, rule->param_count, lua_createtable(L, 0, 3); set_text(L, "name", rule->params[i].name);
              set_bool(L, "given", rule->params[i].given); set_text(L, "kind", static_kinds[rule->params[i].kind]));
    push_string(L, rule->head == PRIM_COUNT ? NULL : prim(rule->head)->name);
    push_string(L, rule->doc);
    return 4;
}

/* parameter(name): the size of that name, of the program at hand; else the tuning parameter, which may be a new one. Nothing for one of the
 * names that rules give, where there is none. */
static int engine_parameter(lua_State *L)
{
    Strategies *s = self(L);
    const char *name = luaL_checkstring(L, 1);
    const LangScope *scope = s->run.env ? s->run.env->scope : NULL;
    const Program *p = scope ? scope->program : NULL;
    bool numbered = name[0] == 's' && name[1] && !name[1 + strspn(name + 1, "0123456789")];
    for (int i = 0; p && i < p->size_count; i++)
        if (!strcmp(nat_atom(p->sizes[i])->name, name)) return push_nat(L, p->sizes[i]), 1;
    if (numbered && !in_scope(scope, name)) return 0;
    push_nat(L, nat_var(s->c->nats, intern(s->c->names, name), VAR_PARAM, NULL, NULL));
    return 1;
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
    if (!strcmp(key, "constants")) return push_bool(L, hints && hints->constants);
    return push_integer(L, true, hints && hints->parallelism > 0 ? hints->parallelism : hints && hints->gpu ? 1024 : 64);
}

/* enter_macro(label, cursor): a macro begins; what leave_macro(...) takes at its end. */
static int engine_enter_macro(lua_State *L)
{
    Strategies *s = self(L);
    const Cursor *k = check_cursor(L, 2);
    lua_pushlightuserdata(L, (void *)(uintptr_t)s->run.within);
    if (!s->run.arena) return 1;
    Use *use = NEW(s->run.arena, Use);
    *use = (Use){arena_strdup(s->run.arena, luaL_checkstring(L, 1)), k->root, place_ref(s->run.arena, &k->at), s->run.within, NULL};
    s->run.within = use;
    return 1;
}

static int engine_leave_macro(lua_State *L)
{
    self(L)->run.within = lua_touserdata(L, 1);
    return 0;
}

/* generation(): another number whenever the table of rules has changed. */
static int engine_generation(lua_State *L) { return push_integer(L, true, rules_generation(self(L)->rules)); }

/* reassociates(cursor): a reduction there whose function is known to be associative, its initial value neutral? */
static int engine_reassociates(lua_State *L)
{
    Strategies *s = self(L);
    const Term *t = cursor_term(check_cursor(L, 1));
    const char *why;
    bool ok = t->kind == T_PRIM && t->prim == PRIM_REDUCE && t->args[0]->free_limit == 0 &&
              lang_property(s->c, s->defs, PROP_ASSOCIATIVE, t->args[0], NULL, &why) &&
              lang_property(s->c, s->defs, PROP_RESTARTS, t->args[0], t->args[1], &why);
    diag_clear(&s->c->diag);
    return push_bool(L, ok);
}

const luaL_Reg rule_functions[] = {
    {"apply", engine_apply}, {"explain", engine_explain}, {"rule", engine_rule}, {"size", engine_size}, {"parameter", engine_parameter},
    {"hint", engine_hint}, {"reassociates", engine_reassociates},
    {"enter_macro", engine_enter_macro}, {"leave_macro", engine_leave_macro},
    {"generation", engine_generation}, {"trail", engine_trail}, {"advised", engine_advised}, {NULL, NULL},
};
