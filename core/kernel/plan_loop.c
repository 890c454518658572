/* plan_loop: loops of launches (plan.h: PlanLoop). A round makes a state from the one before: in global buffers that are exchanged from round to
 * round, or where it lies, if it is what it was but for elements that are scattered. */
#include "plan_dest.h"
#include "plan_private.h"
#include "translate_emit.h"

#include <stdlib.h>

typedef VEC(Buffer *) Buffers;

/* What is done to a state where it lies, when nothing of the round reads it any more. */
typedef struct Change {
    const Term *e;                       /* a loop on it; what is scattered, made where it goes; NULL: the value is there */
    Env *env;
    View *index, *value, *dst;
    const Arm *arm;
} Change;

typedef struct Loop {
    Build *b;
    const Term *step;                    /* the lambda */
    PlanLoop plan;
    VEC(bool) counted;                   /* of each variable bound since the state's: may it differ from round to round though the state does not? */
    bool *stays;                         /* of each leaf of the state: is it changed where it lies? */
    bool any_stays;
    View **lies;                         /* where those lie */
    int change_count;                    /* places in the step that change some */
    VEC(Change) changes;
    Buffers from, to, init, out, spare;  /* of each component of the leaves that are exchanged */
} Loop;

/* ---- which leaves stay ---- */

static bool is_copy(const Term *f);

/* Is e a value of type t that is bound, as it is or copied, part by part? inner: of its leaves and of what is bound within it, so many are not t's. */
static bool copies(const Term *e, const Type *t, int inner)
{
    if (term_is_param(e, t, inner)) return true;
    if (e->kind == T_PRIM && prim_is_map((PrimId)e->prim)) return copies(e->args[1], t, inner) && is_copy(e->args[0]);
    if (t->kind != TY_TUPLE || !term_is(e, PRIM_TUPLE) || e->arg_count != t->count) return false;
    for (int i = t->count - 1; i >= 0; inner += t->elems[i--]->leaf_count)
        if (!copies(e->args[i], t->elems[i], inner)) return false;
    return true;
}

/* Does the function only copy its argument? */
static bool is_copy(const Term *f) { return copies(f->args[0], f->type->elems[0], 0); }

static const Term *uncopied(const Term *e)
{
    while (term_is(e, PRIM_TO_GLOBAL) || (e->kind == T_PRIM && prim_is_map((PrimId)e->prim) && is_copy(e->args[0]))) e = e->args[e->arg_count - 1];
    return e;
}

/* Where a leaf of the state is among the variables in scope. */
typedef struct Where { int base, count, var; } Where;     /* all leaves: [base, base + count) */

static Where below_let(Where at, const Term *let)
{
    int n = let->args[1]->type->elems[0]->leaf_count;
    return (Where){at.base + n, at.count, at.var + n};
}

static bool is_changed(const Term *e, Where at, int *changes)
{
    e = uncopied(e);
    if (e->kind == T_VAR) return e->u.index == at.var;
    const Term *f = e->arg_count ? e->args[0] : NULL;
    if (term_is(e, PRIM_LET)) return is_changed(e->args[1]->args[0], below_let(at, e), changes);
    if (term_is(e, PRIM_IF)) return is_changed(e->args[1], at, changes) && is_changed(e->args[2], at, changes);
    if (term_is(e, PRIM_SCATTER)) ++*changes;
    if (term_is(e, PRIM_SCATTER)) return is_changed(e->args[0], at, changes);
    if (!term_is(e, PRIM_REDUCE_HOST) || e->type->kind != TY_ARRAY) return false;
    int below = f->type->elems[0]->elems[1]->leaf_count;
    ++*changes;
    return !term_mentions(f, at.base, at.count) && !term_mentions(e->args[2], at.base, at.count) && is_changed(e->args[1], at, changes)
        && is_changed(f->args[0], (Where){below, 1, below}, changes);
}

/* The same of leaf k of e. */
static bool leaf_is_changed(const Term *e, const Type *t, int k, Where at, int *changes)
{
    if (t->kind != TY_TUPLE) return t->kind == TY_ARRAY && is_changed(e, at, changes);
    if (term_is(e, PRIM_LET)) return leaf_is_changed(e->args[1]->args[0], t, k, below_let(at, e), changes);
    if (term_is(e, PRIM_IF)) return leaf_is_changed(e->args[1], t, k, at, changes) && leaf_is_changed(e->args[2], t, k, at, changes);
    if (!term_is(e, PRIM_TUPLE)) return false;
    int i = 0;
    for (; k >= t->elems[i]->leaf_count; i++) k -= t->elems[i]->leaf_count;
    return leaf_is_changed(e->args[i], t->elems[i], k, at, changes);
}

static void find_stays(Loop *l, const Type *state)
{
    int n = state->leaf_count, base = l->step->type->elems[0]->elems[1]->leaf_count;
    l->stays = NEW_ARRAY(l->b->arena, bool, n);
    l->lies = NEW_ARRAY(l->b->arena, View *, n);
    for (int k = 0; k < n; k++) {
        int changes = 0;
        l->stays[k] = leaf_is_changed(l->step->args[0], state, k, (Where){base, n, base + n - 1 - k}, &changes);
        if (l->stays[k]) l->change_count += changes;
        l->any_stays = l->any_stays || l->stays[k];
    }
}

/* ---- buffers ---- */

/* Does v fill its buffers from end to end? They are appended to out, one a component. */
static bool lies_whole(Build *b, View *v, Buffers *out)
{
    View **cells = dest_components(b, v);
    int before = out->n, n = type_components(v->type);
    for (int k = 0; k < n; k++) {
        Buffer *buf = dest_buffer(b, cells[k]);
        if (!buf) out->n = before;
        if (!buf) return false;
        vec_push(out, buf);
    }
    return true;
}

/* New ones, appended to out. */
static View *new_buffers(Build *b, PlanBufferKind kind, const char *name, const Type *t, Buffers *out)
{
    View *v = top_buffers(b, kind, -1, name, t);
    b->failed = b->failed || !lies_whole(b, v, out);
    return v;
}

/* The buffers of v as they are, of each component that does not fill its own those of a copy. */
static void whole_buffers(Build *b, View *v, const char *name, Buffers *out)
{
    if (view_type(v)->kind == TY_TUPLE) {
        for (int i = 0; i < view_type(v)->count; i++) whole_buffers(b, view_field(b, v, i), name, out);
    } else if (!b->failed && !lies_whole(b, v, out)) {
        top_copy(b, v, new_buffers(b, PLAN_TEMP, name, view_type(v), out));
    }
}

/* Buffers for the leaves of a state of type t, from leaf k on: those that stay have theirs. */
static View *state_buffers(Loop *l, PlanBufferKind kind, const char *name, const Type *t, int k, Buffers *out)
{
    Build *b = l->b;
    View *parts[ARG_MAX];
    if (!l->any_stays) return new_buffers(b, kind, name, t, out);
    if (t->kind != TY_TUPLE) return l->stays[k] ? l->lies[k] : new_buffers(b, kind, kernel_numbered(b->arena, name, "_", k), t, out);
    for (int i = 0; i < t->count; k += t->elems[i++]->leaf_count) parts[i] = state_buffers(l, kind, name, t->elems[i], k, out);
    return view_tuple(b, t, parts);
}

static const char *leaf_name(const Loop *l, const char *role, int k)
{
    const char *name = loop_name(l->b, l->step, role);
    return l->step->type->elems[1]->kind == TY_TUPLE ? kernel_numbered(l->b->arena, name, "_", k) : name;
}

/* What stays begins where it lies, in `to`; the other leaves of v, and of `to`, are whole buffers. */
static void begin(Loop *l, View *v, View *to, int k)
{
    Build *b = l->b;
    const Type *t = view_type(to);
    if (t->kind == TY_TUPLE) {
        for (int i = 0; i < t->count; k += t->elems[i++]->leaf_count) begin(l, view_field(b, v, i), view_field(b, to, i), k);
    } else if (l->stays[k]) {
        l->lies[k] = to;
        if (v) top_copy(b, v, to);
    } else {
        whole_buffers(b, v, leaf_name(l, "start", k), &l->init);
        whole_buffers(b, to, leaf_name(l, "end", k), &l->out);
    }
}

/* ---- a round ---- */

static bool reads_lying(Loop *l, const Term *e, Env *env)
{
    return ANY(k, l->step->type->elems[1]->leaf_count, l->stays[k] && term_reads(l->b, e, env, l->lies[k]));
}

/* The value of e, which stays what it is while the state changes. */
static View *settled(Loop *l, const Term *e, Env *env)
{
    Build *b = l->b;
    e = uncopied(e);
    if (!top_works(e) && !reads_lying(l, e, env)) return top_read(b, e, env);
    View *v = top_buffers(b, PLAN_TEMP, -1, loop_name(b, l->step, "new"), e->type);
    top_write_or_copy(b, e, v, env);
    return v;
}

/* The bool that the host asks: false where the loop stands in an arm that is not taken. */
static void write_flag(Build *b, const Term *e, View *dst, Env *env)
{
    const Arm *arm = b->out.arm;
    b->out.arm = NULL;
    if (arm) top_kernel(b, term_int(b->c, e->type, 0), dst, env, NULL);
    b->out.arm = arm;
    top_write(b, e, dst, env);
}

static bool is_counted(const Loop *l, const Term *e)
{
    return ANY(i, l->counted.n, l->counted.v[i] && term_mentions(e, l->counted.n - 1 - i, 1));
}

static void bind_counted(Loop *l, const Type *t, bool counted)
{
    for (int i = 0; i < t->leaf_count; i++) vec_push(&l->counted, counted);
}

typedef void WriteArm(Loop *l, const Term *e, Env *env, int k, View *to);

static void write_arms(Loop *l, const Term *e, Env *env, int k, View *to, WriteArm *write)
{
    Build *b = l->b;
    View *cond = settled(l, e->args[0], env);
    const Arm *around = b->out.arm;
    for (int i = 0; i < 2; i++) {
        int placed = b->placed.n;
        b->out.arm = MAKE(b->arena, Arm, cond, i == 1, around);
        write(l, e->args[1 + i], env, k, to);
        b->out.arm = around;
        top_kernels(b);
        b->placed.n = placed;
    }
}

/* Leaf k, which stays: what it reads is made now, and it is changed when all is read. */
static void write_lying(Loop *l, const Term *e, Env *env, int k, View *to)
{
    Build *b = l->b;
    e = uncopied(e);
    if (b->failed || e->kind != T_PRIM) return;
    if (e->prim == PRIM_LET) {
        write_lying(l, e->args[1]->args[0], top_bind(b, e, env, NULL), k, to);
    } else if (e->prim == PRIM_IF) {
        write_arms(l, e, env, k, to, write_lying);
    } else if (e->prim == PRIM_REDUCE_HOST) {
        write_lying(l, e->args[1], env, k, to);
        vec_push(&l->changes, ((Change){.e = e, .env = env, .dst = to, .arm = b->out.arm}));
    } else {
        const Term *x = e->args[2];
        bool one = l->change_count == 1 && x->type->size->is_const && x->type->size->value == 1 && x->type->elems[0]->kind == TY_SCALAR;
        View *index = one ? top_read(b, e->args[1], env) : settled(l, e->args[1], env);
        View *value = one ? NULL : settled(l, x, env);
        write_lying(l, e->args[0], env, k, to);
        vec_push(&l->changes, ((Change){.e = one ? x : NULL, .env = env, .index = index, .value = value, .dst = to, .arm = b->out.arm}));
    }
}

/* Leaves from k on. */
static void write_leaves(Loop *l, const Term *e, Env *env, int k, View *to)
{
    Build *b = l->b;
    const Type *t = e->type;
    if (b->failed) return;
    if (!ANY(i, t->leaf_count, l->stays[k + i])) top_write(b, e, to, env);
    else if (t->kind != TY_TUPLE) write_lying(l, e, env, k, to);
    else if (e->prim == PRIM_LET) write_leaves(l, e->args[1]->args[0], top_bind(b, e, env, NULL), k, to);
    else if (e->prim == PRIM_IF) write_arms(l, e, env, k, to, write_leaves);
    else
        for (int i = 0; i < t->count; k += t->elems[i++]->leaf_count) write_leaves(l, e->args[i], env, k, view_field(b, to, i));
}

static void make_changes(Loop *l)
{
    Build *b = l->b;
    const Arm *arm = b->out.arm;
    for (int i = 0; i < l->changes.n && !b->failed; i++) {
        Change *c = &l->changes.v[i];
        b->out.arm = c->arm;
        if (c->value) top_copy_value(b, view_type(c->value), c->value, view_scatter(b, c->index, c->dst));
        else if (c->index) top_write(b, c->e, view_scatter(b, c->index, c->dst), c->env);
        else top_loop(b, c->e, c->dst, c->env, true);
    }
    b->out.arm = arm;
}

/* The places of a state of which those that stay are none for what is named on the way. */
static View **state_dests(Loop *l, View *to)
{
    const Type *state = l->step->type->elems[1];
    View **dests = dest_components(l->b, to);
    for (int k = 0, at = 0; k < state->leaf_count; k++) {
        const Type *leaf = type_leaf(state, k);
        for (int i = 0; i < type_components(leaf); i++, at++)
            if (l->stays[k]) dests[at] = NULL;
    }
    return dests;
}

/* What a round makes of the state. `if c then e else s`, s being the state as the round found it, ends the rounds where c is false, if only the
 * state says so: then it would be false in all that follow. */
static void write_step(Loop *l, const Term *e, Env *env, View *to)
{
    Build *b = l->b;
    const Type *state = l->step->type->elems[1];
    if (b->failed) return;
    if (term_is(e, PRIM_LET)) {
        const Term *f = e->args[1];
        env = top_bind(b, e, env, dest_of_let(b, e, state_dests(l, to), state, l->counted.n));
        bind_counted(l, f->type->elems[0], is_counted(l, e->args[0]));
        write_step(l, f->args[0], env, to);
        return;
    }
    if (term_is(e, PRIM_IF) && l->plan.test < 0 && term_is_param(e->args[2], state, l->counted.n) && !is_counted(l, e->args[0])) {
        Buffers flag = {0};
        write_flag(b, e->args[0], new_buffers(b, PLAN_TEMP, "goes_on", e->args[0]->type, &flag), env);
        l->plan.test = b->failed ? -1 : flag.v[0]->plan;
        l->plan.step = top_kernels(b);
        free(flag.v);
        e = e->args[1];
    }
    write_leaves(l, e, env, 0, to);
    make_changes(l);
}

/* Can element i of the array be made outside a kernel? */
static bool is_plain(const View *v)
{
    bool ok = true;
    if (v->kind == V_GENERATE) return v->term->args[0]->kind == T_VAR && v->term->args[0]->u.index == 0;   /* its number */
    if (v->kind != V_ZIP) return view_is_pure(v);
    for (int i = 0; i < view_part_count(v); i++) ok = ok && is_plain(v->parts[i]);
    return ok;
}

/* The rounds' kernels, and the loop around them. */
static void make_rounds(Loop *l, View *xs, const Type *state, Env *env)
{
    Build *b = l->b;
    const Type *param = l->step->type->elems[0];
    const char *name = loop_name(b, l->step, NULL), *counter = NULL;
    int number = b->loops.n;
    Outside around = b->out;
    const Nat *rounds = view_type(xs)->size;
    bool one = rounds->is_const && rounds->value == 1;
    if (!one) counter = plan_name(b, "iteration");
    const Nat *round = one ? nat_const(b->n, 0) : nat_fresh_index(b->n, counter, rounds);
    const NatAtom *var = one ? NULL : nat_atom(round);
    vec_push(&b->rounds, var);
    if (var) vec_push(&b->sizes, var);
    if (var) vec_push(&b->size_names, counter);
    View *from = state_buffers(l, PLAN_STATE, name, state, 0, &l->from);
    View *to = state_buffers(l, PLAN_STATE, loop_name(b, l->step, "next"), state, 0, &l->to);
    View *given[2] = {from, view_at(b, xs, round)};
    l->plan = (PlanLoop){.around = around.loop - 1, .first = top_kernels(b), .rounds = rounds, .test = -1};
    l->plan.step = l->plan.first;
    vec_push(&b->loops, l->plan);        /* has its number before those within */
    b->out.loop = number + 1;
    b->out.copies = false;
    bind_counted(l, param->elems[1], true);
    write_step(l, l->step->args[0], translate_bind(b, env, l->step, view_tuple(b, param, given)), to);
    b->out = around;
    l->plan.end = top_kernels(b);
    if (b->failed) return;
    if (l->plan.first == l->plan.end) {  /* nothing is done in a round */
        b->loops.n--;
        b->rounds.n--;
        return;
    }
    l->plan.state_count = l->from.n;
    PlanState *s = NEW_ARRAY(l->b->arena, PlanState, l->from.n);
    for (int i = 0; i < l->from.n; i++)
        s[i] = (PlanState){l->from.v[i]->plan, l->to.v[i]->plan, l->init.v[i]->plan, l->out.v[i]->plan, l->spare.v[i]->plan};
    l->plan.states = s;
    b->loops.v[number] = l->plan;
}

/* May the rounds end early, in an arm of a choice? Where the arm is not taken they do at once, and what the state began with is not the result. */
static bool ends_in_arm(const Build *b, const Term *step)
{
    while (term_is(step, PRIM_LET)) step = step->args[1]->args[0];
    return b->out.arm && term_is(step, PRIM_IF);
}

void top_loop(Build *b, const Term *e, View *dst, Env *env, bool there)
{
    Loop l = {.b = b, .step = e->args[0]};
    const Nat *rounds = e->args[2]->type->size;
    Buffers whole = {0};
    find_stays(&l, e->type);
    bool apart = !there && ends_in_arm(b, e->args[0]->args[0]);
    View *out = (!apart && lies_whole(b, dst, &whole)) || b->failed ? dst : top_buffers(b, PLAN_TEMP, -1, loop_name(b, l.step, "end"), e->type);
    begin(&l, there ? NULL : top_read(b, e->args[1], env), out, 0);
    View *xs = top_read(b, e->args[2], env);
    if (!b->failed && !is_plain(xs)) {
        View *copy = top_buffers(b, PLAN_TEMP, -1, "tmp", view_type(xs));
        top_copy(b, xs, copy);
        xs = copy;
    }
    if (rounds->is_const && rounds->value == 1) for (int i = 0; i < l.out.n; i++) vec_push(&l.spare, l.out.v[i]);
    else if (!b->failed) state_buffers(&l, PLAN_TEMP, loop_name(b, l.step, "spare"), e->type, 0, &l.spare);
    if (!b->failed) make_rounds(&l, xs, e->type, env);
    if (!b->failed && out != dst) top_copy(b, out, dst);
    free(whole.v);
    free(l.counted.v);
    free(l.changes.v);
    free(l.from.v);
    free(l.to.v);
    free(l.init.v);
    free(l.out.v);
    free(l.spare.v);
}
