/* eval_prim: what every primitive means. */
#include "eval_compile.h"

#include <stdio.h>
#include <string.h>

/* ---- the semantics of every primitive: the code of the scalar at v's path ---- */

typedef const Code *Semantics(Eval *e, Value *v);

#define HEAD(...) (const Step[]){__VA_ARGS__}, COUNT(((const Step[]){__VA_ARGS__}))

static const Index *first_index(const Value *v) { return v->path->s[0].index; }
static int64_t length_arg(Eval *e, const Value *v, int i) { return eval_length(e, v->term->args[i]->type); }
static int64_t static_of(Eval *e, const Value *v, int i) { return eval_size(e, v->term->statics[i]); }

static Value *whole_of(Eval *e, const Value *v) { return value_term(e, v->term, v->env, path_empty(e)); }

/* The body of f for element i of the node, f's parameter being that element of the argument, or i itself. */
static const Code *element(Eval *e, Value *v, const Index *i)
{
    Step s = step_index(i);
    bool generates = v->term->prim == PRIM_GENERATE;
    Value *arg = generates ? value_index(e, i) : value_term(e, v->term->args[1], v->env, path_make(e, &s, 1));
    return code_of(e, value_apply(e, v->term->args[0], v->env, arg, path_after(e, v->path, 1, NULL, 0)));
}

/* The same for an index that changes less often than its loop (i / k): what the body keeps stays until it changes. */
static const Code *element_entered(Eval *e, Value *v)
{
    const Index *i = first_index(v);
    Value *at = value_term(e, v->term, v->env, path_make(e, v->path->s, 1));
    if (!at->loop) {
        at->loop = loop_new(e, whole_of(e, v)->deps);
        at->reg = code_reg(e, at->loop, eval_length(e, v->term->type));
    }
    const Code *body = element(e, v, index_of_code(e, at->reg));
    Code *k = code_blank(e, body->scalar);
    k->run = run_enter(body->scalar);
    k->heavy = true;
    k->kids[0] = body;
    k->loop = at->loop;
    k->reg = at->reg;
    k->weight = body->weight;
    k->depth = body->depth + 1;
    code_use_index(k, i);
    k->deps = deps_join(i->deps, whole_of(e, v)->deps);
    k->deps = deps_join(k->deps, v->path->deps);
    return k;
}

static const Code *at_MAP(Eval *e, Value *v)
{
    Value *whole = whole_of(e, v);
    if (value_worth_sharing(whole, v->path)) return code_shared(e, whole, v->path);
    if ((v->term->args[0]->flags & TF_REDUCES) && !index_is_atomic(first_index(v))) return element_entered(e, v);
    return element(e, v, first_index(v));
}

static void check_i32(Eval *e, const Value *v, int64_t n)
{
    if (n <= INT32_MAX) return;
    const char *who = prim((PrimId)v->term->prim)->name;
    diag_error(&e->diag, E38, "%s: the length %lld does not fit an i32 index", who, (long long)n);
}

static const Code *at_GENERATE(Eval *e, Value *v)
{
    check_i32(e, v, eval_length(e, v->term->type));
    return at_MAP(e, v);
}

static const Code *at_REDUCE(Eval *e, Value *v)
{
    Unit *u = unit_of_fold(e, whole_of(e, v), length_arg(e, v, 2), index_const(e, 0), false);
    return code_load_unit(e, u, v->term->type, v->path, false);
}

static const Code *at_SCAN(Eval *e, Value *v)
{
    Unit *u = unit_of_fold(e, whole_of(e, v), length_arg(e, v, 2), index_const(e, 0), true);
    return code_load_unit(e, u, v->term->type, v->path, true);
}

static const Code *at_REDUCE_PART(Eval *e, Value *v)
{
    int64_t n = length_arg(e, v, 2) / static_of(e, v, 0);
    Value *one = value_term(e, v->term, v->env, path_make(e, v->path->s, 1));
    Unit *u = unit_of_fold(e, one, n, index_scale(e, first_index(v), n), false);
    return code_load_unit(e, u, v->term->args[1]->type, path_after(e, v->path, 1, NULL, 0), false);
}

/* t where the iterates inside have length variables other than p, so that p can be bound. */
static const Term *free_length(Eval *e, const Term *t, const Nat *p)
{
    const Term *args[ARG_MAX];
    for (int i = 0; i < t->arg_count; i++) {
        args[i] = free_length(e, t->args[i], p);
        if (!args[i]) return NULL;
    }
    if (t->kind == T_PRIM && t->prim == PRIM_ITERATE && args[0]->type->elems[0]->size == p) {
        char name[24];
        snprintf(name, sizeof name, "length %u", ++e->ids);
        NatBinding bind = {p->terms[0].factors[0].atom, nat_var(e->ctx->nats, name, VAR_SIZE, NULL, NULL)};
        args[0] = term_subst_nats(e->ctx, args[0], &bind, 1);
    }
    return t->arg_count ? term_with_args(e->ctx, t, args) : t;
}

/* The function of an iterate for arrays of length n: its own length is a variable. */
static const Term *at_length(Eval *e, const Term *lambda, int64_t n)
{
    const Nat *p = lambda->type->elems[0]->size;
    if (p->is_const) return lambda;
    NatBinding bind = {p->terms[0].factors[0].atom, nat_const(e->ctx->nats, n)};
    const Term *t = term_subst_nats(e->ctx, free_length(e, lambda, p), &bind, 1);
    if (t) return t;
    eval_refuse(e, E36, "iterate: a size does not come out even at some step");
    return NULL;
}

static Value *iterate_last(Eval *e, Value *whole)
{
    if (whole->last) return whole->last;
    const Term *t = whole->term;
    int64_t k = eval_size(e, t->statics[0]);
    Value *x = value_term(e, t->args[1], whole->env, path_empty(e));
    for (int64_t i = 0; i < k; i++) {
        const Term *f = at_length(e, t->args[0], eval_length(e, value_type(e, x)));
        if (!f) return NULL;
        x = value_apply(e, f, whole->env, x, path_empty(e));
    }
    return whole->last = x;
}

static Unit *iterate_unit(Eval *e, Value *whole)
{
    if (whole->unit) return whole->unit;
    const Term *t = whole->term, *f = at_length(e, t->args[0], eval_length(e, t->type));
    if (!f) return NULL;
    Accumulator a = accumulator_new(e, t->type, 0);
    Unit *u = unit_fold(e, whole->deps, t, &a, eval_size(e, t->statics[0]));
    unit_fold_body(e, u, &a, f, whole->env, value_term(e, t->args[1], whole->env, path_empty(e)), NULL);
    return whole->unit = u;
}

static const Code *nothing(Eval *e, Value *v) { return code_literal(e, value_type(e, v)->scalar, (LitValue){0}); }

static const Code *at_ITERATE(Eval *e, Value *v)
{
    Value *whole = whole_of(e, v);
    if (v->term->type != v->term->args[1]->type) {
        Value *last = iterate_last(e, whole);
        return last ? code_of(e, value_inside(e, last, v->path)) : nothing(e, v);
    }
    Unit *u = iterate_unit(e, whole);
    return u ? code_load_unit(e, u, v->term->type, v->path, false) : nothing(e, v);
}

static const Code *at_ZIP(Eval *e, Value *v)
{
    return code_arg(e, v, v->path->s[1].proj, 2, HEAD(v->path->s[0]));
}

static const Code *at_UNZIP(Eval *e, Value *v) { return code_arg(e, v, 0, 2, HEAD(v->path->s[1], v->path->s[0])); }

/* Looked through by value_term; they never stand at the head of a scalar. */
static const Code *at_TUPLE(Eval *e, Value *v) { return nothing(e, v); }
#define at_PROJ at_TUPLE
#define at_LET at_TUPLE
#define at_TO_GLOBAL at_TUPLE
#define at_TO_GLOBAL_STREAM at_TUPLE
#define at_TO_LOCAL at_TUPLE
#define at_TO_PRIVATE at_TUPLE

static const Code *at_SPLIT(Eval *e, Value *v)
{
    const Step *s = v->path->s;
    return code_arg(e, v, 0, 2, HEAD(step_index(index_pair(e, s[0].index, static_of(e, v, 0), s[1].index))));
}

static const Code *at_JOIN(Eval *e, Value *v)
{
    int64_t k = eval_length(e, v->term->args[0]->type->elems[0]);
    const Index *i = first_index(v);
    return code_arg(e, v, 0, 1, HEAD(step_index(index_div(e, i, k)), step_index(index_mod(e, i, k))));
}

static const Code *at_TRANSPOSE(Eval *e, Value *v) { return code_arg(e, v, 0, 2, HEAD(v->path->s[1], v->path->s[0])); }

static const Code *at_SLIDE(Eval *e, Value *v)
{
    const Step *s = v->path->s;
    return code_arg(e, v, 0, 2, HEAD(step_index(index_pair(e, s[0].index, static_of(e, v, 1), s[1].index))));
}

static const Index *padded(Eval *e, const Index *i, int64_t n, PadMode mode)
{
    if (i->lo >= 0 && i->hi < n) return i;
    if (mode == PAD_WRAP) return index_mod(e, i, n);
    return index_of_code(e, code_atom(e, mode == PAD_CLAMP ? run_clamp : run_mirror, i, NULL, n, NULL));
}

static const Code *at_PAD(Eval *e, Value *v)
{
    const Index *i = index_shift(e, first_index(v), -static_of(e, v, 0));
    return code_arg(e, v, 0, 1, HEAD(step_index(padded(e, i, length_arg(e, v, 0), (PadMode)static_of(e, v, 2)))));
}

static const Code *code_if(Eval *e, Value *v, const Code *cond, const Code *yes, const Code *no)
{
    Scalar s = value_type(e, v)->scalar;
    return code_kids(e, s, run_if(s), cond, yes, no, v->term);
}

/* lo <= i < hi */
static const Code *in_bounds(Eval *e, const Index *i, int64_t lo, int64_t hi)
{
    const Index *from = index_shift(e, i, -lo);
    Code *k = (Code *)code_atom(e, run_in_range, from, NULL, hi - lo, NULL);
    k->lo = 0;
    k->hi = 1;
    return k;
}

static const Code *at_PAD_CONST(Eval *e, Value *v)
{
    int64_t l = static_of(e, v, 0), n = length_arg(e, v, 1);
    const Index *i = first_index(v);
    Step inside = step_index(index_shift(e, i, -l));
    if (i->lo >= l && i->hi < l + n) return code_arg(e, v, 1, 1, &inside, 1);
    if (i->hi < l || i->lo >= l + n) return code_arg(e, v, 0, 1, NULL, 0);
    return code_if(e, v, in_bounds(e, i, l, l + n), code_arg(e, v, 1, 1, &inside, 1), code_arg(e, v, 0, 1, NULL, 0));
}

static const Code *at_TAKE(Eval *e, Value *v) { return code_arg(e, v, 0, 0, NULL, 0); }

static const Code *at_DROP(Eval *e, Value *v)
{
    return code_arg(e, v, 0, 1, HEAD(step_index(index_shift(e, first_index(v), static_of(e, v, 0)))));
}

static const Code *at_CONCAT(Eval *e, Value *v)
{
    int64_t n = length_arg(e, v, 0);
    const Index *i = first_index(v);
    Step beyond = step_index(index_shift(e, i, -n));
    if (i->hi < n) return code_arg(e, v, 0, 0, NULL, 0);
    if (i->lo >= n) return code_arg(e, v, 1, 1, &beyond, 1);
    return code_if(e, v, in_bounds(e, i, 0, n), code_arg(e, v, 0, 0, NULL, 0), code_arg(e, v, 1, 1, &beyond, 1));
}

/* Both functions of a perm are tried on every index before one is used. */
static Unit *perm_unit(Eval *e, Value *whole)
{
    if (whole->unit) return whole->unit;
    const Term *t = whole->term;
    Unit *u = unit_new(e, fill_perm, whole->deps, t, 0);
    unit_loop(e, u, eval_length(e, t->type));
    u->arg = code_reg(e, u->loop, u->n);
    const Path *here = path_empty(e);
    u->forth = code_of(e, value_apply(e, t->args[0], whole->env, value_index(e, index_of_code(e, u->reg)), here));
    u->back = code_of(e, value_apply(e, t->args[1], whole->env, value_index(e, index_of_code(e, u->arg)), here));
    u->depth = (u->forth->depth > u->back->depth ? u->forth->depth : u->back->depth) + 2;
    return whole->unit = u;
}

static const Index *permuted(Eval *e, Value *v, const Index *i, int64_t n)
{
    Unit *u = perm_unit(e, whole_of(e, v));
    const Code *to = code_of(e, value_apply(e, v->term->args[0], v->env, value_index(e, i), path_empty(e)));
    Code *k = (Code *)code_atom(e, run_perm, NULL, to, n, v->term);
    k->unit = u;
    k->deps = deps_join(k->deps, u->deps);
    if (u->depth >= k->depth) k->depth = u->depth + 1;
    return index_of_code(e, k);
}

static const Code *at_REORDER(Eval *e, Value *v)
{
    const Term *t = v->term;
    const Index *i = first_index(v);
    int64_t n = eval_length(e, t->type), k = t->static_count > 1 ? static_of(e, v, 1) : 0;
    switch (static_of(e, v, 0)) {
    case PERM_REVERSE: i = index_sum(e, index_const(e, n - 1), i, -1); break;
    case PERM_ROTATE: i = index_mod(e, index_shift(e, i, k), n); break;
    case PERM_STRIDE: i = index_pair(e, index_mod(e, i, n / k), k, index_div(e, i, n / k)); break;
    default: i = permuted(e, v, i, n);
    }
    return code_arg(e, v, t->arg_count - 1, 1, HEAD(step_index(i)));
}

static const Index *checked(Eval *e, const Value *v, const Code *i, int64_t n)
{
    const Index *x = index_of_code(e, i);
    check_i32(e, v, n);
    if (x->lo >= 0 && x->hi < n) return x;
    return index_of_code(e, code_atom(e, run_check, NULL, i, n, v->term));
}

static const Code *at_GATHER(Eval *e, Value *v)
{
    const Code *i = code_arg(e, v, 0, v->path->n, HEAD(v->path->s[0]));
    return code_arg(e, v, 1, 1, HEAD(step_index(checked(e, v, i, length_arg(e, v, 1)))));
}

static Unit *scatter_unit(Eval *e, Value *whole)
{
    if (whole->unit) return whole->unit;
    const Term *t = whole->term;
    int64_t n = eval_length(e, t->args[0]->type);
    check_i32(e, whole, n);
    Unit *u = unit_new(e, fill_scatter, whole->deps, t, 1);
    u->pairs[0].now = buffer_make(e, SC_I64, n);
    unit_loop(e, u, eval_length(e, t->args[1]->type));
    Step s = step_index(index_of_code(e, u->reg));
    u->forth = code_of(e, value_term(e, t->args[1], whole->env, path_make(e, &s, 1)));
    u->depth = u->forth->depth + 2;
    return whole->unit = u;
}

static const Code *at_SCATTER(Eval *e, Value *v)
{
    Unit *u = scatter_unit(e, whole_of(e, v));
    Value *table = value_term(e, v->term, v->env, path_make(e, v->path->s, 1));
    if (!table->reg) {
        Code *k = (Code *)code_load(e, SC_I64, run_load_unit(SC_I64), first_index(v));
        k->unit = u;
        k->buffer = u->pairs[0].now;
        k->deps = deps_join(k->deps, u->deps);
        if (u->depth >= k->depth) k->depth = u->depth + 1;
        k->lo = -1;
        k->hi = length_arg(e, v, 1) - 1;
        table->reg = k;
    }
    const Index *from = index_of_code(e, table->reg);
    const Code *written = in_bounds(e, from, 0, length_arg(e, v, 1));
    return code_if(e, v, written, code_arg(e, v, 2, 1, HEAD(step_index(from))), code_arg(e, v, 0, 0, NULL, 0));
}

static const Code *at_AT(Eval *e, Value *v)
{
    const Code *i = code_arg(e, v, 0, v->path->n, NULL, 0);
    Step s = step_index(checked(e, v, i, length_arg(e, v, 1)));
    return code_arg(e, v, 1, 0, &s, 1);
}

/* ---- vectors: a vector of tuples is a tuple of vectors, so projections come before the lane ---- */

static const Index *last_index(const Value *v) { return v->path->s[v->path->n - 1].index; }

/* v's path from step `from` without the lane */
static const Path *before_lane(Eval *e, const Value *v, int from, const Step *head, int n)
{
    return path_after(e, path_make(e, v->path->s, v->path->n - 1), from, head, n);
}

static const Code *at_AS_VECTOR(Eval *e, Value *v)
{
    Step s = step_index(index_pair(e, first_index(v), static_of(e, v, 0), last_index(v)));
    return code_of(e, value_term(e, v->term->args[0], v->env, before_lane(e, v, 1, &s, 1)));
}

static int64_t width_of(const Type *t) { return type_leaf(t, 0)->width; }

static const Code *at_AS_SCALAR(Eval *e, Value *v)
{
    int64_t w = width_of(v->term->args[0]->type->elems[0]);
    Step s = step_index(index_div(e, first_index(v), w)), lane = step_index(index_mod(e, first_index(v), w));
    const Path *p = path_append(e, path_after(e, v->path, 1, &s, 1), lane);
    return code_of(e, value_term(e, v->term->args[0], v->env, p));
}

static const Code *at_MAP_VEC(Eval *e, Value *v)
{
    const Term *f = v->term->args[0];
    Binder b = binder_new(e, f, v->env);
    binder_bind(&b, value_term(e, v->term->args[1], v->env, path_empty(e)), f->type->elems[0], last_index(v));
    return code_of(e, value_term(e, f->args[0], b.env, before_lane(e, v, 0, NULL, 0)));
}

/* Lane i of the arguments from `lane` on: a choice where i is not constant. */
static const Code *choose_lane(Eval *e, Value *v, const Index *i, int lane)
{
    const Code *here = code_of(e, value_term(e, v->term->args[lane], v->env, before_lane(e, v, 0, NULL, 0)));
    if (lane + 1 == v->term->arg_count || i->hi <= lane) return here;
    return code_if(e, v, in_bounds(e, i, lane, lane + 1), here, choose_lane(e, v, i, lane + 1));
}

static const Code *at_VEC(Eval *e, Value *v)
{
    const Index *i = last_index(v);
    return choose_lane(e, v, i, i->n == 0 ? (int)i->c : 0);
}

static const Code *code_op(Eval *e, PrimId op, Scalar operand, const Term *t, const Code *const *kids, int n)
{
    const Code *b = n > 1 ? kids[1] : NULL, *c = n > 2 ? kids[2] : NULL;
    return code_kids(e, t->type->scalar, op_function(op, operand, e->mode), kids[0], b, c, t);
}

static const Code *at_VDOT(Eval *e, Value *v)
{
    const Code *sum = NULL;
    for (int i = 0; i < v->term->args[0]->type->width; i++) {
        Step s = step_index(index_const(e, i));
        const Code *ab[2] = {code_arg(e, v, 0, 0, &s, 1), code_arg(e, v, 1, 0, &s, 1)};
        const Code *both[2] = {sum, code_op(e, PRIM_MUL, v->term->type->scalar, v->term, ab, 2)};
        sum = sum ? code_op(e, PRIM_ADD, v->term->type->scalar, v->term, both, 2) : both[1];
    }
    return sum;
}

static const Code *at_LANE(Eval *e, Value *v)
{
    int64_t i = static_of(e, v, 0), w = v->term->args[0]->type->width;
    if (i < 0 || i >= w) eval_refuse(e, E38, "a vector has no such lane");
    return code_arg(e, v, 0, 0, HEAD(step_index(index_const(e, i < 0 || i >= w ? 0 : i))));
}

/* ---- scalar operations ---- */

static const Code *at_IF(Eval *e, Value *v)
{
    const Code *cond = code_arg(e, v, 0, v->path->n, NULL, 0);
    return code_if(e, v, cond, code_arg(e, v, 1, 0, NULL, 0), code_arg(e, v, 2, 0, NULL, 0));
}

/* + - * of indices that cannot wrap stay indices, so that what is known of them is not lost. */
static const Index *folded(Eval *e, PrimId op, const Code *a, const Code *b)
{
    const int64_t far = INT32_MAX;
    if (!a->as_index && a->run.i != run_reg && a->run.i != run_int) return NULL;
    if (!b->as_index && b->run.i != run_reg && b->run.i != run_int) return NULL;
    const Index *x = index_of_code(e, a), *y = index_of_code(e, b), *r = NULL;
    if (x->lo < -far || x->hi > far || y->lo < -far || y->hi > far) return NULL;
    if (op == PRIM_ADD) r = index_add(e, x, y);
    if (op == PRIM_SUB) r = index_sum(e, x, y, -1);
    if (op == PRIM_MUL && (x->n == 0 || y->n == 0)) r = x->n == 0 ? index_scale(e, y, x->c) : index_scale(e, x, y->c);
    return r && r->lo >= -far && r->hi <= far ? r : NULL;
}

static const Code *at_OP(Eval *e, Value *v)
{
    const Term *t = v->term;
    const Code *kids[3] = {NULL};
    for (int i = 0; i < t->arg_count; i++) kids[i] = code_arg(e, v, i, 0, NULL, 0);
    bool folds = t->prim == PRIM_ADD || t->prim == PRIM_SUB || t->prim == PRIM_MUL;
    if (folds && t->type->scalar == SC_I32) {
        const Index *x = folded(e, (PrimId)t->prim, kids[0], kids[1]);
        if (x) return code_index(e, x, SC_I32);
    }
    return code_op(e, (PrimId)t->prim, t->args[t->arg_count - 1]->type->scalar, t, kids, t->arg_count);
}

static Semantics *const semantics[PRIM_COUNT] = {
#define PRIM(id, name, family, scheme, slots, meaning, ...) at_##meaning,
#define OP(id, ...) at_OP,
#include "prims.def"
};

/* ---- scalars that are no primitive ---- */

static const Code *code_input(Eval *e, Value *v)
{
    int part, i = 0;
    const Index *at = part_locate(e, v->term->type, v->path, &part);
    while (i < e->input_count && strcmp(e->inputs[i].name, v->term->u.name) != 0) i++;
    const DataPart *p = &e->inputs[i].data->parts[part];
    Code *k = (Code *)code_load(e, p->scalar, run_load(p->scalar), at);
    k->heavy = !index_is_atomic(at);
    k->exact = true;
    k->base = p->values;
    return k;
}

static const Code *code_buffer(Eval *e, Value *v)
{
    int part;
    const Index *at = part_locate(e, v->type, v->path, &part);
    Scalar s = value_type(e, v)->scalar;
    Code *k = (Code *)code_load(e, s, run_load_buffer(s), at);
    k->buffer = v->buffers[part];
    k->heavy = !index_is_atomic(at);
    k->deps = deps_join(k->deps, v->deps);
    return k;
}

static const Code *code_size(Eval *e, const Term *t)
{
    int64_t n = eval_size(e, t->u.nat);
    LitValue v = {.i = n};
    if (scalar_is_float(t->type->scalar)) v.f = (double)n;
    return code_literal(e, t->type->scalar, v);
}

static const Code *code_new(Eval *e, Value *v)
{
    switch (v->kind) {
    case V_INDEX: return code_index(e, v->index, SC_I32);
    case V_BUFFER: return code_buffer(e, v);
    case V_SHARED: return code_shared(e, v->base, v->path);
    default: break;
    }
    switch (v->term->kind) {
    case T_INPUT: return code_input(e, v);
    case T_LIT: return code_literal(e, v->term->type->scalar, v->term->u.lit);
    case T_SIZE: return code_size(e, v->term);
    default: return semantics[v->term->prim](e, v);
    }
}

const Code *code_of(Eval *e, Value *v)
{
    if (v->code) {
        code_keep(v->code);
        return v->code;
    }
    if (e->nest > NEST_MAX) eval_refuse(e, E08, "the program nests too deep for the interpreter");
    if (diag_failed(&e->diag)) return nothing(e, v);
    e->nest++;
    const Code *k = code_new(e, v);
    e->nest--;
    return v->code = k;
}
