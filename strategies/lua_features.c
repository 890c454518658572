/* lua_features: what a version does on a device, counted without running it (plan.h, Feature). */
#include "factors.h"
#include "lua_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plan.h"

typedef struct Request {
    Strategies *s;
    Arena *arena;
    Values values;                       /* sizes; parameters as the version has them */
    PlanOptions how;
} Request;

/* For the device as named ("cpu", "gpu") at that place on the stack, else the selected one, else none. */
static PlanOptions check_kind(lua_State *L, int i)
{
    static const char *const kinds[] = {"", "cpu", "gpu", NULL};
    int kind = luaL_checkoption(L, i, "", kinds);
    Strategies *s = self(L);
    PlanOptions how = {.features = true, .on_gpu = kind == 2, .prefer_single = kind == 1};
    const DeviceInfo *d = chosen_target(s);
    if (kind == 0) plan_for_device(d, &how);
    else if (d && d->is_gpu == (kind == 2)) how.target = d->target;
    if (s->session) session_local(s->session, how.local);
    return how;
}

/* Parameters from the table at i. */
static bool take_values(lua_State *L, int i, Values *values, Diag *d)
{
    for (lua_pushnil(L); lua_next(L, i); lua_pop(L, 1)) {
        const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "";
        Binding *found = NULL;
        int whole = 1;
        for (int k = 0; k < values->count; k++)
            if (values->b[k].kind == VAR_PARAM && !strcmp(values->b[k].name, name)) found = &values->b[k];
        if (found) found->set = lua_toboolean(L, -1);
        if (found) found->value = found->set ? lua_tointegerx(L, -1, &whole) : 0;
        if (found && whole && found->value >= 0) continue;
        if (found) diag_error(d, E05, "%s must be a positive integer", found->name);
        else diag_error(d, E02, "this version has no parameter %s", *name ? name : "of that name");
        return lua_pop(L, 2), false;
    }
    return true;
}

static void push_features(lua_State *L, const PlanFeatures *f)
{
    lua_createtable(L, 0, FEATURE_COUNT);
    for (int i = 0; i < FEATURE_COUNT; i++) set_number(L, plan_feature_name((Feature)i), f->v[i]);
}

static void push_kernels(lua_State *L, const Plan *p)
{
    PUSH_LIST(L, i, p->kernel_count, push_features(L, p->kernels[i].features); set_number(L, "rounds", plan_rounds(p, i)));
}

/* Pushes the features of all kernels together, and a list of those of each. False: there is no plan, and the diag says why. */
static bool push_point(lua_State *L, Request *r, int params)
{
    LOCAL(drop_arena) Arena *arena = arena_new();
    CtxMark mark = ctx_mark(r->s->c);                /* nothing of the plan is kept */
    Values values = r->values;
    values.b = NEW_ARRAY(arena, Binding, values.count);
    memcpy(values.b, r->values.b, sizeof *values.b * (size_t)values.count);
    diag_clear(&r->s->c->diag);
    bool ok = !params || take_values(L, params, &values, &r->s->c->diag);
    const Plan *p = ok ? session_plan(r->s->session, &values, true, arena, r->how) : NULL;
    if (p) {
        PlanFeatures all;
        plan_features(p, &all);
        push_features(L, &all);
        push_kernels(L, p);
    }
    ctx_release(r->s->c, &mark);
    return p;
}

static Request begin_request(lua_State *L)
{
    const Version *v = check_current(L, 1);
    Request r = {.s = self(L), .how = check_kind(L, 3), .arena = arena_new()};
    trial_values(r.s, v, r.arena, &r.values);
    return r;
}

/* features(v, params or nil, kind or nil): the features, and a list of those of each kernel; nil and a failure. */
static int engine_features(lua_State *L)
{
    bool given = !lua_isnoneornil(L, 2);
    if (given) luaL_checktype(L, 2, LUA_TTABLE);
    Request r = begin_request(L);
    if (!push_point(L, &r, given ? 2 : 0)) push_failure(L);
    arena_free(r.arena);
    return 2;
}

/* features_of(v, list of params, kind or nil): for each point the list of its kernels' features;
 * false where it has no plan. */
static int engine_features_of(lua_State *L)
{
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_settop(L, 3);
    Request r = begin_request(L);
    const volatile int *stop = r.s->limits.stop;
    lua_newtable(L);
    for (int i = 1; lua_rawgeti(L, 2, i) != LUA_TNIL && !(stop && *stop); i++) {
        if (!push_point(L, &r, 5)) lua_pushboolean(L, false);
        lua_rawseti(L, 4, i);
        lua_settop(L, 4);
    }
    lua_settop(L, 4);
    diag_clear(&r.s->c->diag);
    arena_free(r.arena);
    check_stop(L);
    return 1;
}

/* ---- of a part of a term ---- */

typedef VEC(PlanInput) Inputs;

/* The inputs that a term reads, each once. */
static void find_inputs(const Term *t, Inputs *out)
{
    for (int i = 0; i < t->arg_count; i++) find_inputs(t->args[i], out);
    if (t->kind != T_INPUT) return;
    if (ANY(i, out->n, out->v[i].name == t->u.name)) return;
    vec_push(out, ((PlanInput){t->u.name, t->type}));
}

/* What inputs and the result hold. */
static double buffer_bytes(const Plan *p)
{
    double bytes = 0;
    for (const PlanBuffer *b = p->buffers; b < p->buffers + p->buffer_count; b++)
        if ((b->kind == PLAN_INPUT || b->kind == PLAN_OUTPUT) && b->count->is_const) bytes += (double)b->count->value * scalar_bytes(b->scalar);
    return bytes;
}

/* The term for the sizes of version v, or, while a strategy runs, those that lowerings know. NULL + E34/E36. */
static const Term *for_sizes(Request *r, Version *v, const Term *t)
{
    if (v) {
        v->root = t;
        r->values.version = v;
        return session_bound_term(r->s->session, &r->values, true);
    }
    const LowerHints *hints = r->s->run.hints;
    int n = 0;
    LOCAL(drop) NatAtomVec vars = term_vars_in(t, VAR_SIZE);
    NatBinding *map = NEW_ARRAY(r->arena, NatBinding, vars.n);
    for (int64_t i = 0, value; i < vars.n; i++)
        if (hints && hints->value && hints->value(hints->value_data, vars.v[i], &value))
            map[n++] = (NatBinding){vars.v[i], nat_const(r->s->c->nats, value)};
    return term_subst_nats(r->s->c, t, map, n);
}

/* The plan of a term that stands for no version. */
static const Plan *plan_alone(const Request *r, const Term *t)
{
    Inputs inputs = {0};
    PlanOptions how = r->how;
    if (t) find_inputs(t, &inputs);
    how.program = "nest";
    how.inputs = inputs.v;
    how.input_count = inputs.n;
    const Plan *plan = t ? plan_make(r->s->c, r->arena, t, &how) : NULL;
    free(inputs.v);
    return plan;
}

/* What a group may have of local memory where kernels are made so. */
static double group_local(const PlanOptions *how) { return (how->target ? how->target : target_of_kind(how->on_gpu))->v[TARGET_GROUP_LOCAL]; }

/* The plan of a term whose groups have more local memory than the device gives them is none, and the diag says why. */
static const Plan *plan_within(const Request *r, const Term *t)
{
    const Plan *plan = plan_alone(r, t);
    for (int i = 0; plan && i < plan->kernel_count; i++) {
        if ((double)plan->kernels[i].local_bytes <= group_local(&r->how)) continue;
        diag_error(&r->s->c->diag, E54, "a group would have %lld bytes of local memory; the device has %.0f", (long long)plan->kernels[i].local_bytes,
                   group_local(&r->how));
        return NULL;
    }
    return plan;
}

/* fits(cursor, kind): have the groups of the kernels of the cursor's whole term (k:alone), for the sizes that lowerings know, as far as they
 * are made, no more local memory than the device gives them? */
static int engine_fits(lua_State *L)
{
    const Term *root = check_cursor(L, 1)->root;
    Request r = {.s = self(L), .how = check_kind(L, 2), .arena = arena_new()};
    PlanResources *list;
    bool fits = true;
    diag_clear(&r.s->c->diag);
    CtxMark mark = ctx_mark(r.s->c);
    const Term *t = for_sizes(&r, NULL, root);
    int n = t ? plan_resources(r.s->c, r.arena, t, r.how.on_gpu, &list) : 0;
    for (int i = 0; i < n; i++)
        fits = fits && !(list[i].local_bytes && list[i].local_bytes->is_const && (double)list[i].local_bytes->value > group_local(&r.how));
    diag_clear(&r.s->c->diag);
    ctx_release(r.s->c, &mark);
    arena_free(r.arena);
    return push_bool(L, fits);
}

/* An input that is as long as only a slice around it knows. */
static bool is_of_slice(void *unused, const Term *t)
{
    LOCAL(drop) NatAtomVec vars = {0};
    (void)unused;
    if (t->kind == T_INPUT) type_vars(t->type, VAR_INDEX, &vars);
    return vars.n > 0;
}

/* With the smallest legal values of the sizes that are not known, as a trial has them; as it is where there are none. */
static const Term *with_least_sizes(Request *r, const Term *t)
{
    Ctx *c = r->s->c;
    LOCAL(drop) NatAtomVec vars = term_vars_in(t, VAR_SIZE);
    Binding *b = MAKE_LIST(r->arena, Binding, i, vars.n, (Binding){.name = vars.v[i]->name, .kind = VAR_SIZE});
    bool filled = vars.n && bindings_fill(c, t, b, vars.n, SIZE_DEFAULT, &c->diag);
    diag_clear(&c->diag);
    return filled ? bindings_term(c, t, b, vars.n, true) : t;
}

/* What kernels_of has said while this run goes on: its terms stay as long, and lowerings ask about the same one again and again. */

enum { ANSWERS = 3 };

/* Pushes {[term] = its answers} of that kind of device. */
static void push_planned(lua_State *L, const Request *r)
{
    static const char keys[2];
    const char *key = &keys[r->how.on_gpu];
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, key) == LUA_TTABLE) {
        lua_getfield(L, -1, "run");
        bool still = (uint64_t)lua_tointeger(L, -1) == r->s->run.serial;
        lua_pop(L, 1);
        if (still) return;
    }
    lua_pop(L, 1);
    lua_newtable(L);
    set_number(L, "run", (double)r->s->run.serial);
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, key);
}

static int push_answers(lua_State *L, int list)
{
    for (int i = 1; i <= ANSWERS; i++) lua_rawgeti(L, list, i);
    return ANSWERS;
}

/* Those on top of the stack, for the next time. */
static void keep_answers(lua_State *L, int planned, const Term *root)
{
    int first = lua_gettop(L) - ANSWERS + 1;
    PUSH_LIST(L, i, ANSWERS, lua_pushvalue(L, first + i));
    lua_rawsetp(L, planned, root);
}

/* kernels_of(version or nil, cursor, kind): the features of each kernel of a lowered term, which stands for no version (k:alone), for
 * the sizes of that version, or those that lowerings know; and the bytes of what it reads and makes. nil, 0 and why: it gives no kernels,
 * or while a strategy runs for sizes that are arguments, none for any. */
static int engine_kernels_of(lua_State *L)
{
    const Term *root = check_cursor(L, 2)->root;
    Request r = {.s = self(L), .how = check_kind(L, 3)};
    Version v;
    bool given = !lua_isnoneornil(L, 1);
    lua_settop(L, 3);
    push_planned(L, &r);
    if (!given && lua_rawgetp(L, 4, root) == LUA_TTABLE) return push_answers(L, 5);
    r.arena = arena_new();
    r.how.unread = true;
    if (given) {
        v = *(const Version *)check_ref(L, 1, CLASS_VERSION);
        trial_values(r.s, &v, r.arena, &r.values);
    }
    diag_clear(&r.s->c->diag);
    CtxMark mark = ctx_mark(r.s->c);     /* nothing of the plan is kept */
    const LowerHints *hints = r.s->run.hints;
    const Term *t = for_sizes(&r, given ? &v : NULL, root);
    if (t && !given) t = with_least_sizes(&r, t);      /* NULL: a fact does not hold */
    bool sliced = term_find(root, is_of_slice, NULL) && diag_error(&r.s->c->diag, E53, "its length is known only where it is sliced");
    bool for_any = !sliced && (!hints || hints->constants || plan_alone(&r, given ? session_bound_term(r.s->session, &r.values, false) : root));
    const Plan *plan = for_any ? plan_within(&r, t) : NULL;
    if (plan) push_kernels(L, plan);
    else lua_pushnil(L);
    lua_pushnumber(L, plan ? buffer_bytes(plan) : 0);
    if (plan) lua_pushnil(L);
    else lua_pushstring(L, r.s->c->diag.message);
    diag_clear(&r.s->c->diag);
    ctx_release(r.s->c, &mark);
    arena_free(r.arena);
    check_stop(L);
    if (!given) keep_answers(L, 4, root);
    return ANSWERS;
}

/* flops_of(version, cursor): the operations on floats that such a term asks for, for the sizes of that version; 0: none, or not known */
static int engine_flops_of(lua_State *L)
{
    Request r = {.s = self(L), .arena = arena_new()};
    Version v = *(const Version *)check_ref(L, 1, CLASS_VERSION);
    const Term *root = check_cursor(L, 2)->root;
    diag_clear(&r.s->c->diag);
    CtxMark mark = ctx_mark(r.s->c);
    trial_values(r.s, &v, r.arena, &r.values);
    lua_pushnumber(L, eval_work(for_sizes(&r, &v, root), NAN).flops);
    diag_clear(&r.s->c->diag);
    ctx_release(r.s->c, &mark);
    arena_free(r.arena);
    return 1;
}

/* {[i] = true, own = true} of a set of numbers */
static void push_numbers(lua_State *L, uint64_t set)
{
    lua_newtable(L);
    for (int bit = 0; bit < FACTOR_OWN; bit++) {
        if (!(set >> bit & 1)) continue;
        lua_pushboolean(L, true);
        lua_rawseti(L, -2, bit + 1);
    }
    if (set >> FACTOR_OWN & 1) set_bool(L, "own", true);
}

/* factors(k): for each argument of the operation that makes an element of the reduction at k the numbers it depends on: {[i] = true, own = true}, i of the
 * i-th generate around it, from the outermost on, own of the reduction itself; and in .near those in the last index of what it reads. A list of .of, the same
 * for what each choice there asks, the outermost first (.split: the first side of an &&, whose second is the next); of the last indices of all that an element reads. nil: no reduction of a generate */
static int engine_factors(lua_State *L)
{
    const Cursor *k = check_cursor(L, 1);
    Factors f;
    if (!nest_factors(k->root, k->at.slots, k->at.length, &f)) return push_string(L, NULL);
    PUSH_LIST(L, i, f.count, push_numbers(L, f.each[i].set); push_numbers(L, f.each[i].near); lua_setfield(L, -2, "near"));
    PUSH_LIST(L, i, f.guard_count, lua_newtable(L); push_numbers(L, f.guards[i].set); lua_setfield(L, -2, "of"); set_bool(L, "split", f.guards[i].split));
    push_numbers(L, f.near);
    return 3;
}

/* content(k): a text that tells the term at k from every other one, whatever its names, and those of what it reads */
static int engine_content(lua_State *L)
{
    Ctx *c = self(L)->c;
    const Term *t = cursor_term(check_cursor(L, 1));
    uint8_t bytes[32];
    LOCAL(buf_free) Buf types = {0};     /* of what it reads: its elements may be of any */
    Inputs inputs = {0};
    find_inputs(t, &inputs);
    for (int i = 0; i < inputs.n; i++) {
        char number[16];
        snprintf(number, sizeof number, "?%d", i);
        type_print(inputs.v[i].type, &types);
        t = term_subst_input(c, t, inputs.v[i].name, term_input(c, intern(c->names, number), inputs.v[i].type));
    }
    free(inputs.v);
    if (!t) return raise_diag(L);
    term_digest(c, t, bytes);
    lua_pushlstring(L, (const char *)bytes, sizeof bytes);
    lua_pushlstring(L, buf_text(&types), types.len);
    lua_concat(L, 2);
    return 1;
}

/* usual_length(lengths): of a group's work-items in a dimension on a GPU, where maps over its work-items have those lengths there */
static int engine_usual_length(lua_State *L)
{
    enum { MOST = 64 };
    const Nat *lengths[MOST];
    Nats *nats = self(L)->c->nats;
    luaL_checktype(L, 1, LUA_TTABLE);
    int n = (int)lua_rawlen(L, 1);
    if (n < 1 || n > MOST) return luaL_argerror(L, 1, "1 to 64 lengths");
    for (int i = 0; i < n; i++) {
        int64_t length = item_integer(L, 1, i + 1);
        if (length < 1) return luaL_argerror(L, 1, "lengths are positive");
        lengths[i] = nat_const(nats, length);
    }
    lua_pushinteger(L, plan_usual_length(nats, lengths, n, true)->value);
    return 1;
}

/* least_local(needs, touches, bytes): the fewest bytes of local memory at a time, over all orders of stages, of which the i-th needs the set
 * needs[i] before it, and arrays, each alive from the first to the last of the stages touches[j]; nil: these are too many stages */
static int engine_least_local(lua_State *L)
{
    StageGraph g = {.count = (int)luaL_len(L, 1), .arrays = (int)luaL_len(L, 2)};
    int order[STAGES_MAX];
    if (g.count > STAGES_MAX || g.arrays > ARRAYS_MAX) return lua_pushnil(L), 1;
    for (int i = 0; i < g.count; i++) g.needs[i] = (unsigned)item_integer(L, 1, i + 1);
    for (int i = 0; i < g.arrays; i++) {
        g.touches[i] = (unsigned)item_integer(L, 2, i + 1);
        g.bytes[i] = item_integer(L, 3, i + 1);
    }
    lua_pushinteger(L, stages_least(&g, order));
    return 1;
}

/* ---- kernels that stand for no version, timed ---- */

/* expression(text): a closed expression as a cursor at its root */
static int engine_expression(lua_State *L)
{
    Strategies *s = self(L);
    LangScope scope = {.defs = s->defs};
    diag_clear(&s->c->diag);
    const Term *t = lang_expr(s->c, &scope, text_source(s, "expression", luaL_checkstring(L, 1)), NULL);
    if (!t) return raise_diag(L);
    *push_cursor(L, NULL) = (Cursor){.root = t, .run = s->run.serial, .next_param = s->run.env ? s->run.env->next_param : 0};
    return 1;
}

enum { TIMED_TOGETHER = 16 };            /* terms whose kernels are built as one program */

/* The lowered terms of the cursors from the first-th on, their inputs filled with a number; times to the table on top of the stack. */
static void time_some(lua_State *L, Device *d, int first, int count, const RunSpec *how)
{
    Strategies *s = self(L);
    LOCAL(drop_arena) Arena *arena = arena_new();
    CtxMark mark = ctx_mark(s->c);
    RunSpec specs[TIMED_TOGETHER];
    RunOutcome outcomes[TIMED_TOGETHER];
    for (int i = 0; i < count; i++) {
        LOCAL(drop) Inputs inputs = {0};
        lua_rawgeti(L, 1, first + i);
        specs[i] = *how;
        specs[i].term = check_cursor(L, -1)->root;
        bool sides = lua_istable(L, 5) && lua_rawgeti(L, 5, first + i) == LUA_TTABLE;
        for (int k = 0; k < 3 && sides; k++) specs[i].local[k] = (int)item_integer(L, -1, k + 1);
        lua_pop(L, lua_istable(L, 5) ? 2 : 1);
        find_inputs(specs[i].term, &inputs);
        RunInput *in = MAKE_LIST(arena, RunInput, k, inputs.n, (RunInput){inputs.v[k].name, inputs.v[k].type, {.kind = FILL_CONST, .value = 1}});
        specs[i].inputs = in;
        specs[i].input_count = inputs.n;
    }
    run_versions(s->c, d, specs, count, count > 1, outcomes);
    for (int i = 0; i < count; i++) {
        PUSH_LIST(L, k, outcomes[i].pad_ns ? how->pad_count : 0, lua_pushnumber(L, outcomes[i].pad_ns[k]));
        set_integer(L, "local_bytes", outcomes[i].kernel_count ? outcomes[i].kernels[0].local_bytes : 0);
        set_text(L, "message", outcomes[i].state == STATE_OK ? NULL : diag_failed(&outcomes[i].diag) ? outcomes[i].diag.message : outcomes[i].summary);
        lua_rawseti(L, -2, first + i);
        run_outcome_free(&outcomes[i]);
    }
    diag_clear(&s->c->diag);
    ctx_release(s->c, &mark);
}

/* timed(cursors, pads, trials[, tell[, groups]]): for each lowered term, which stands for no version and has no sizes, its times on the
 * selected device with so many more bytes of local memory a group: {ns, ... (0: not timed), local_bytes =, message = why not}. Each is built
 * once. tell(n): n are done. groups: of each term the sides of its groups. */
static int engine_timed(lua_State *L)
{
    Strategies *s = self(L);
    lua_settop(L, 5);
    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_checktype(L, 2, LUA_TTABLE);
    if (!lua_isnoneornil(L, 5)) luaL_checktype(L, 5, LUA_TTABLE);
    int count = (int)lua_rawlen(L, 1), pads = (int)lua_rawlen(L, 2);
    for (int i = 1; i <= count; i++) {
        lua_rawgeti(L, 1, i);
        check_cursor(L, -1);
        lua_pop(L, 1);
    }
    Device *d = chosen_device(s);
    if (!d) return push_failure(L);
    int64_t *bytes = lua_newuserdatauv(L, sizeof *bytes * (size_t)(pads + 1), 0);
    for (int k = 0; k < pads; k++) bytes[k] = item_integer(L, 2, k + 1);
    RunSpec how = {.name = "routine", .settings = session_run_settings(s->session), .pads = bytes, .pad_count = pads,
                   .stop = stop_of(s)};
    how.settings.verify = false;
    how.settings.trials = (int)luaL_checkinteger(L, 3);
    lua_createtable(L, count, 0);
    for (int i = 1; i <= count; i += TIMED_TOGETHER) {
        int n = count - i + 1 < TIMED_TOGETHER ? count - i + 1 : TIMED_TOGETHER;
        time_some(L, d, i, n, &how);
        if (!lua_isnoneornil(L, 4)) {
            lua_pushvalue(L, 4);
            lua_pushinteger(L, i + n - 1);
            lua_call(L, 1, 0);
        }
        check_stop(L);
    }
    skip_time(s);
    return 1;
}

/* feature_names(): {{name, meaning}, ...} */
static int engine_feature_names(lua_State *L)
{
    PUSH_LIST(L, i, FEATURE_COUNT, push_texts(L, (const char *const[]){plan_feature_name((Feature)i), plan_feature_text((Feature)i)}, 2));
    return 1;
}

static const char targets_key;           /* where the registry keeps the tables of targets, by kind */

/* Whole numbers are integers in Lua. */
static void push_target(lua_State *L, const Target *t)
{
    lua_createtable(L, 0, TARGET_FIELDS + 2);
    set_text(L, "name", t->name);
    set_text(L, "kind", t->kind == TARGET_GPU ? "gpu" : "cpu");
    for (int i = 0; i < TARGET_FIELDS; i++) {
        double v = t->v[i];
        if (!target_has((TargetField)i, t->kind)) continue;
        if (v == floor(v) && fabs(v) < 1e15) set_integer(L, target_field((TargetField)i)->name, (int64_t)v);
        else set_number(L, target_field((TargetField)i)->name, v);
    }
}

/* target([kind]): what is known of the selected device, {name =, kind = "cpu" or "gpu", units =, ...} (target.def); nil: none is. Of a kind
 * ("cpu", "gpu"): the selected one where it is of that kind, else what such a device is taken for. The same table each time: a
 * number in it may be changed. */
static int engine_target(lua_State *L)
{
    static const char *const kinds[] = {"", "cpu", "gpu", NULL};
    int kind = luaL_checkoption(L, 1, "", kinds);
    Strategies *s = self(L);
    const DeviceInfo *d = chosen_target(s);
    if (!kind && !d) return push_string(L, NULL);
    const Target *t = d && (!kind || d->is_gpu == (kind == 2)) ? d->target : target_of_kind(kind == 2);
    Target *told = &s->told[t->kind == TARGET_GPU];
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &targets_key) != LUA_TTABLE) {
        lua_pop(L, 1);
        lua_newtable(L);
        lua_pushvalue(L, -1);
        lua_rawsetp(L, LUA_REGISTRYINDEX, &targets_key);
    }
    if (memcmp(told->v, t->v, sizeof t->v) || told->name != t->name) {
        *told = *t;
        push_target(L, t);
        lua_rawseti(L, -2, t->kind);
    }
    lua_rawgeti(L, -1, t->kind);
    return 1;
}

/* ---- for the shell ---- */

double strategies_estimate(Strategies *s, const Version *v, const char *text, const Path *at)
{
    LOCAL(drop_arena) Arena *scratch = arena_new();
    Call call = begin_call(s, scratch, NULL, NULL, NULL);
    int status = call_library(call.L, 1, "estimate", "estimated", "vss", v, text, path_text(s->c, v->root, at));
    double ns = status == LUA_OK ? lua_tonumber(call.L, -1) : 0;
    if (!end_call(&call, status)) diag_clear(&s->c->diag);
    return ns;
}

void strategies_draw_fusions(Strategies *s, const Version *v, const char *call_of, Buf *out)
{
    if (!call_text(s, false, out, "drawn", "drawn", "vs", v, call_of)) diag_clear(&s->c->diag);
}

const luaL_Reg feature_functions[] = {
    {"features", engine_features}, {"features_of", engine_features_of}, {"kernels_of", engine_kernels_of}, {"fits", engine_fits},
    {"flops_of", engine_flops_of}, {"factors", engine_factors}, {"content", engine_content}, {"usual_length", engine_usual_length}, {"feature_names", engine_feature_names},
    {"least_local", engine_least_local},
    {"target", engine_target}, {"expression", engine_expression}, {"timed", engine_timed}, {NULL, NULL},
};
