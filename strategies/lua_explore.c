/* lua_explore: what the exploration of structures needs of terms (search/structures.lua): equality up to the names of
 * parameters, the depth of nests, how far a reduction is from what feeds it, and structures as versions beside the tree. */
#include "lua_private.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "egraph.h"
#include "plan.h"
#include "values.h"

static const Term *check_term(lua_State *L, int i) { return check_ref(L, i, CLASS_TERM); }

/* ---- equality up to the names of parameters ---- */

/* canonical(term): the term with its parameters called p0 p1 ... in order of appearance. */
static int engine_canonical(lua_State *L)
{
    Ctx *c = self(L)->c;
    const Term *t = check_term(L, 1);
    LOCAL(drop) NatAtomVec vars = term_vars_in(t, VAR_PARAM);
    NatBinding *map = lua_newuserdatauv(L, sizeof *map * (size_t)(vars.n + 1), 0);
    for (int i = 0; i < vars.n; i++) {
        char name[24];
        snprintf(name, sizeof name, "p%d", i);
        map[i] = (NatBinding){vars.v[i], nat_var(c->nats, name, VAR_PARAM, NULL, NULL)};
    }
    const Term *r = vars.n ? term_subst_nats(c, t, map, vars.n) : t;
    diag_clear(&c->diag);
    push_term(L, r ? r : t);
    return 1;
}

/* ---- variants by equality saturation ---- */

static bool may_use(void *s, const char *rule) { return strategies_allowed(s, rule, true); }

/* variants(v, most, wide, nodes, seconds): what rules make of a version, apart from each other: lists of steps {call =, place =}. */
static int engine_variants(lua_State *L)
{
    Strategies *s = self(L);
    const Version *v = check_current(L, 1);
    int most = (int)luaL_checkinteger(L, 2), wide = (int)luaL_checkinteger(L, 3), nodes = (int)luaL_checkinteger(L, 4);
    luaL_argcheck(L, most > 0 && most <= 1000, 2, "from 1 to 1000");
    LOCAL(scope_free) Scope scope = {0};
    RewriteEnv env;
    session_env(s->session, v, &scope, &env);
    LOCAL(drop_arena) Arena *arena = arena_new();
    Variant *list = NEW_ARRAY(arena, Variant, most);
    ReachGoal goal = {.from = v->root, .seconds = luaL_checknumber(L, 5), .nodes = nodes, .may = may_use, .may_data = s};
    int n = egraph_variants(&env, s->rules, &goal, most, wide, arena, list);
    if (n < 0) return push_failure(L);
    lua_createtable(L, n, 0);
    for (int i = 0; i < n; i++) {
        lua_createtable(L, list[i].step_count, 0);
        for (int k = 0; k < list[i].step_count; k++) {
            lua_createtable(L, 0, 2);
            set_text(L, "call", list[i].steps[k].call);
            set_text(L, "place", list[i].steps[k].place);
            lua_rawseti(L, -2, k + 1);
        }
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

/* ---- measures ---- */

typedef struct Measures {
    int depth;                           /* of the deepest nest of computing maps and reductions */
    bool reduces;                        /* is a reduction in it? */
    /* how many views and maps lie between a reduction of this and the map whose results it adds, that map included; 0: none is
     * there, or what is there reduces itself */
    int feed;
    int distance;                        /* the largest of a reduction from what it adds: 0 when every product is added where it is made */
    int accumulators;                    /* the least rank of those of an innermost reduction: 0 where it keeps a single value; -1: none */
} Measures;

static int larger(int a, int b) { return a > b ? a : b; }
static int least_of(int a, int b) { return a < 0 || (b >= 0 && b < a) ? b : a; }         /* of those that are there */

static Measures measures(const Term *t)
{
    Measures m = {.accumulators = -1}, first = {0}, last = {0};
    bool is_prim = t->kind == T_PRIM, reduces = is_prim && prim_is_reduce((PrimId)t->prim);
    PrimFamily family = is_prim ? prim((PrimId)t->prim)->family : FAM_SCALAR;
    bool loop = family == FAM_REDUCE || family == FAM_SCAN || (family == FAM_MAP && t->arg_count && !term_is_layout(t->args[0]));
    for (int i = 0; i < t->arg_count; i++) {
        bool function = t->args[i]->kind == T_LAM;
        last = measures(t->args[i]);
        if (i == 0) first = last;
        if (t->kind == T_LAM || type_is_data(t->type)) m.depth = larger(m.depth, last.depth + (function && loop));
        if (!function) m.feed = larger(m.feed, last.feed);
        m.reduces |= last.reduces;
        m.distance = larger(m.distance, last.distance);
        m.accumulators = least_of(m.accumulators, last.accumulators);
    }
    if (reduces && !first.reduces) {
        m.distance = larger(m.distance, last.feed);
        m.accumulators = least_of(m.accumulators, first.depth);
    }
    m.reduces |= reduces;
    if (!is_prim || term_is_layout(t)) m.feed = 0;
    else if (loop) m.feed = !m.reduces;
    else m.feed += m.feed > 0;
    return m;
}

/* measures(term): its depth, distance and accumulators; the last nil: it has none. */
static int engine_measures(lua_State *L)
{
    Measures m = measures(check_term(L, 1));
    lua_pushinteger(L, m.depth);
    lua_pushinteger(L, m.distance);
    return push_integer(L, m.accumulators >= 0, m.accumulators), 3;
}

/* ---- runs that try very much ---- */

/* unfuelled(): the run in progress may take as long as it takes; it still stops when it is told to. */
static int engine_unfuelled(lua_State *L)
{
    Run *run = &self(L)->run;
    run->instructions = -1;
    run->attempts = run->steps = INT_MAX;
    return 0;
}

/* unwatched(f, ...): f(...), whose instructions are not counted, so that they take half of their time. Nothing ends f before it does. */
static int engine_unwatched(lua_State *L)
{
    lua_sethook(L, NULL, 0, 0);
    int status = lua_pcall(L, lua_gettop(L) - 1, LUA_MULTRET, 0);
    watch(L);
    if (status != LUA_OK) return lua_error(L);
    check_stop(L);
    return lua_gettop(L);
}

/* ---- structures as versions beside the tree ---- */

/* beside(version, cursor, text): a version with the cursor's term, made from that version by one step without
 * inner ones. Good for asking, not for keeping: what it was made by is the text. */
static int engine_beside(lua_State *L)
{
    Strategies *s = check_host(L);
    const Version *from = check_ref(L, 1, CLASS_VERSION);
    const Cursor *k = check_cursor(L, 2);
    NewStep step = {.kind = STEP_MACRO, .root = k->root, .call = luaL_checkstring(L, 3), .next_param = k->next_param};
    step.facts = all_facts(k, s->run.arena, &step.fact_count);
    for (const Done *d = k->last; d; d = d->before)
        if (d->step.trust > step.trust) step.trust = d->step.trust;
    push_ref(L, session_make(s->session, from, &step), CLASS_VERSION);
    return 1;
}

/* lowered(term): is every node mapped? */
static int engine_is_lowered(lua_State *L)
{
    Ctx *c = self(L)->c;
    lua_pushboolean(L, plan_is_lowered(c, check_term(L, 1)));
    diag_clear(&c->diag);
    return 1;
}

/* ---- kernels ---- */

/* default_sizes(version): "N = 256, M = 256" where sizes are not set; nil: all are. */
static int engine_default_sizes(lua_State *L)
{
    Strategies *s = check_host(L);
    Values values;
    LOCAL(buf_free) Buf b = {0};
    LOCAL(drop_arena) Arena *arena = arena_new();
    session_space_values(s->session, check_ref(L, 1, CLASS_VERSION), arena, &values);
    for (int i = 0; i < values.count; i++) {
        if (values.b[i].kind != VAR_SIZE || !values.chosen[i]) continue;
        buf_printf(&b, "%s%s = %lld", b.len ? ", " : "", values.b[i].name, (long long)values.b[i].value);
    }
    return push_string(L, b.len ? buf_text(&b) : NULL);
}

/* generate(version, values, gpu, max_group, text): the kernels of a version with these values for its
 * parameters as {digest =, bytes =, kernels =}, with text also source; or nil and a failure. */
static int engine_generate(lua_State *L)
{
    Strategies *s = check_host(L);
    const Version *v = check_ref(L, 1, CLASS_VERSION);
    bool gpu = lua_toboolean(L, 3);
    PlanOptions how = {.max_group = (int)luaL_optinteger(L, 4, 0), .prefer_single = !gpu, .on_gpu = gpu};
    Values values;
    luaL_checktype(L, 2, LUA_TTABLE);
    if (!s->plan) s->plan = arena_new();
    arena_reset(s->plan);                /* of what the last one left */
    session_space_values(s->session, v, s->plan, &values);
    for (int k = 0; k < values.count; k++) {
        Binding *b = &values.b[k];
        if (b->kind != VAR_PARAM || b->set) continue;
        b->set = lua_getfield(L, 2, b->name) == LUA_TNUMBER;
        if (b->set) b->value = lua_tointeger(L, -1);
        lua_pop(L, 1);
    }
    CtxMark mark = ctx_mark(s->c);       /* nothing of the plan is kept */
    const Plan *plan = session_plan(s->session, &values, true, s->plan, how);
    if (plan) {
        size_t n = strlen(plan->source);
        char hex[17];                    /* that tell the sources of a search apart: there are too many for SHA-256 */
        snprintf(hex, sizeof hex, "%016llx", (unsigned long long)content_key(plan->source, n).a);
        lua_createtable(L, 0, 4);
        set_text(L, "digest", hex);
        set_integer(L, "bytes", (lua_Integer)n);
        set_integer(L, "kernels", plan->kernel_count);
        if (lua_toboolean(L, 5)) set_text(L, "source", plan->source);
    }
    ctx_release(s->c, &mark);
    check_stop(L);
    return plan ? 1 : push_failure(L);
}

/* digest(text): 16 hexadecimal digits of its SHA-256. */
static int engine_digest(lua_State *L)
{
    size_t n;
    const char *text = luaL_checklstring(L, 1, &n);
    uint8_t digest[32];
    Buf b = {0};
    sha256(text, n, digest);
    for (int i = 0; i < 8; i++) buf_printf(&b, "%02x", digest[i]);
    return push_buf(L, &b);
}

const luaL_Reg explore_functions[] = {
    {"variants", engine_variants}, {"canonical", engine_canonical}, {"measures", engine_measures}, {"unfuelled", engine_unfuelled}, {"unwatched", engine_unwatched}, {"beside", engine_beside},
    {"is_lowered", engine_is_lowered}, {"default_sizes", engine_default_sizes}, {"generate", engine_generate},
    {"digest", engine_digest}, {NULL, NULL},
};
