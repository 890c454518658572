/* eval_unit: what is made as a whole (accumulators, scans) or kept element by element (memoised). */
#include "eval_compile.h"

typedef struct Dest Dest;
static Stmt *fill(Eval *e, Value *v, const Dest *to, Loop *outer);

/* ---- statements: filling buffers. Where the parts of a value go is given by a path transformer, so that layout at the
 * head of a term moves the destination instead of the elements, and everything is computed once, in its order. ---- */

struct Dest {
    enum { TO_BUFFERS, TO_STEP, TO_JOINED, TO_SPLIT, TO_TRANSPOSED, TO_ZIPPED, TO_UNZIPPED, TO_SHIFTED } kind;
    const struct Dest *next;
    int64_t k;
    Step step;
    const Type *type;
    Buffer *const *buffers;
};

static const Index *destination(Eval *e, const Dest *d, const Path *p, Buffer **buffer)
{
    Step h[3];
    int part, drop = 0, n = 0;
    if (d->kind == TO_BUFFERS) {
        const Index *at = part_locate(e, d->type, p, &part);
        *buffer = d->buffers[part];
        return at;
    }
    const Step *s = p->s;
    switch (d->kind) {
    case TO_STEP: h[n++] = d->step; break;
    case TO_JOINED: h[n++] = step_index(index_pair(e, s[0].index, d->k, s[1].index)), drop = 2; break;
    case TO_SPLIT:
        h[n++] = step_index(index_div(e, s[0].index, d->k));
        h[n++] = step_index(index_mod(e, s[0].index, d->k)), drop = 1;
        break;
    case TO_TRANSPOSED: h[n++] = s[1], h[n++] = s[0], drop = 2; break;
    case TO_ZIPPED: h[n++] = s[0], h[n++] = d->step, drop = 1; break;
    case TO_UNZIPPED: h[n++] = s[1], h[n++] = s[0], drop = 2; break;
    default: h[n++] = step_index(index_shift(e, s[0].index, d->k)), drop = 1; break;
    }
    return destination(e, d->next, path_after(e, p, drop, h, n), buffer);
}

static Stmt *stmt_new(Eval *e, StmtFn *run, uint32_t weight)
{
    Stmt *s = NEW(e->arena, Stmt);
    s->run = run;
    s->weight = weight;
    return s;
}

static Stmt *stmt_append(Stmt *a, Stmt *b)
{
    Stmt *s = a;
    if (!a) return b;
    a->weight += b->weight;
    while (s->next) s = s->next;
    s->next = b;
    return a;
}

static void deepen(Eval *e, uint32_t depth)
{
    if (depth > e->deepest) e->deepest = depth;
}

static Stmt *fill_scalar(Eval *e, Value *v, const Dest *to)
{
    const Code *k = code_of(e, v);
    Stmt *s = stmt_new(e, stmt_store, k->weight ? k->weight : 1);
    s->code = k;
    s->index = destination(e, to, path_empty(e), &s->buffer);
    deepen(e, k->depth + 1);
    deepen(e, s->index->depth + 1);
    return s;
}

/* A loop around the filling of what body makes at the loop's index. */
typedef struct Around { const Index *index; Stmt *loop; Loop *inner; } Around;

static Around around(Eval *e, Deps deps, Loop *outer, int64_t n)
{
    if (n == 1) return (Around){index_const(e, 0), NULL, outer};
    Stmt *s = stmt_new(e, stmt_loop, 0);
    s->n = n;
    s->loop = loop_new(e, deps_join(deps, loop_deps(outer)));
    s->reg = code_reg(e, s->loop, n);
    return (Around){index_of_code(e, s->reg), s, s->loop};
}

static Stmt *enclose(Eval *e, Around a, Stmt *body)
{
    if (!a.loop) return body;
    a.loop->body = body;
    a.loop->weight = body->weight;
    e->deepest += 2;
    return a.loop;
}

/* Any value: element by element, component by component. */
static Stmt *fill_plain(Eval *e, Value *v, const Type *t, const Dest *to, Loop *outer)
{
    if (t->kind == TY_TUPLE) {
        Stmt *all = NULL;
        for (int i = 0; i < t->count; i++) {
            Step s = step_proj(i);
            Dest d = {.kind = TO_STEP, .next = to, .step = s};
            all = stmt_append(all, fill(e, value_inside(e, v, path_make(e, &s, 1)), &d, outer));
        }
        return all;
    }
    Around a = around(e, v->deps, outer, eval_length(e, t));
    Step s = step_index(a.index);
    Dest d = {.kind = TO_STEP, .next = to, .step = s};
    return enclose(e, a, fill(e, value_inside(e, v, path_make(e, &s, 1)), &d, a.inner));
}

static Stmt *fill_map(Eval *e, Value *v, const Dest *to, Loop *outer)
{
    const Term *t = v->term;
    Around a = around(e, v->deps, outer, eval_length(e, t->type));
    Step s = step_index(a.index);
    Dest d = {.kind = TO_STEP, .next = to, .step = s};
    Value *arg = t->prim == PRIM_GENERATE ? value_index(e, a.index) : value_arg(e, v, 1, 0, &s, 1);
    return enclose(e, a, fill(e, value_apply(e, t->args[0], v->env, arg, path_empty(e)), &d, a.inner));
}

static Stmt *fill_if(Eval *e, Value *v, const Dest *to, Loop *outer)
{
    Stmt *s = stmt_new(e, stmt_if, 0);
    s->code = code_arg(e, v, 0, 0, NULL, 0);
    s->body = fill(e, value_arg(e, v, 1, 0, NULL, 0), to, outer);
    s->other = fill(e, value_arg(e, v, 2, 0, NULL, 0), to, outer);
    s->weight = s->body->weight > s->other->weight ? s->body->weight : s->other->weight;
    deepen(e, s->code->depth);
    e->deepest += 2;
    return s;
}

static Stmt *fill_under(Eval *e, Value *v, Dest d, Loop *outer)
{
    return fill(e, value_arg(e, v, 0, 0, NULL, 0), &d, outer);
}

static Stmt *fill_pieces(Eval *e, Value *v, const Dest *to, Loop *outer)
{
    Stmt *all = NULL;
    int64_t before = 0;
    for (int i = 0; i < v->term->arg_count; i++) {
        Dest d = {.kind = TO_ZIPPED, .next = to, .k = before, .step = step_proj(i)};
        if (v->term->prim == PRIM_CONCAT) d.kind = TO_SHIFTED;
        Value *piece = value_arg(e, v, i, 0, NULL, 0);
        all = stmt_append(all, fill(e, piece, &d, outer));
        before += eval_length(e, v->term->args[i]->type);
    }
    return all;
}

static Stmt *fill(Eval *e, Value *v, const Dest *to, Loop *outer)
{
    const Type *t = value_type(e, v);
    if (t->kind == TY_SCALAR) return fill_scalar(e, v, to);
    if (v->kind != V_TERM || v->path->n || v->term->kind != T_PRIM) return fill_plain(e, v, t, to, outer);
    switch (v->term->prim) {
    case PRIM_MAP: case PRIM_MAP_SEQ: case PRIM_MAP_SEQ_UNROLL: case PRIM_MAP_GLOBAL: case PRIM_MAP_WORKGROUP:
    case PRIM_MAP_LOCAL: case PRIM_GENERATE: return fill_map(e, v, to, outer);
    case PRIM_IF: return fill_if(e, v, to, outer);
    case PRIM_ZIP: case PRIM_CONCAT: return fill_pieces(e, v, to, outer);
    case PRIM_UNZIP: return fill_under(e, v, (Dest){.kind = TO_UNZIPPED, .next = to}, outer);
    case PRIM_TRANSPOSE: return fill_under(e, v, (Dest){.kind = TO_TRANSPOSED, .next = to}, outer);
    case PRIM_SPLIT:
        return fill_under(e, v, (Dest){.kind = TO_SPLIT, .next = to, .k = eval_length(e, t->elems[0])}, outer);
    case PRIM_JOIN: {
        int64_t k = eval_length(e, v->term->args[0]->type->elems[0]);
        return fill_under(e, v, (Dest){.kind = TO_JOINED, .next = to, .k = k}, outer);
    }
    default: return fill_plain(e, v, t, to, outer);
    }
}

/* ---- units ---- */

Unit *unit_new(Eval *e, void (*run)(Unit *, Run *), Deps deps, const Term *t, int pairs)
{
    Unit *u = NEW(e->arena, Unit);
    u->fill = run;
    u->deps = deps;
    u->term = t;
    u->pair_count = pairs;
    u->pairs = NEW_ARRAY(e->arena, Pair, pairs);
    return u;
}

void unit_loop(Eval *e, Unit *u, int64_t n)
{
    u->n = n;
    u->loop = loop_new(e, u->deps);
    u->reg = code_reg(e, u->loop, n);
}

Stmt *stmt_fill(Eval *e, Value *v, const Type *t, Buffer *const *b, Loop *outer)
{
    Dest d = {.kind = TO_BUFFERS, .type = t, .buffers = b};
    return fill(e, v, &d, outer);
}

/* The whole of v, made when first needed. */
static Unit *unit_of_value(Eval *e, Value *v)
{
    if (v->unit) return v->unit;
    const Type *t = value_type(e, v);
    Buffer **b = buffers_new(e, t, 1);
    Unit *u = unit_new(e, fill_once, v->deps, v->term, data_parts(t));
    for (int i = 0; i < u->pair_count; i++) u->pairs[i].now = b[i];
    uint32_t saved = e->deepest;
    e->deepest = 0;
    v->opening = true;
    u->init = stmt_fill(e, v, t, b, &e->ground);
    v->opening = false;
    u->depth = e->deepest + 4;
    e->deepest = saved;
    return v->unit = u;
}

Accumulator accumulator_new(Eval *e, const Type *t, int64_t recorded)
{
    Accumulator a = {.type = t, .parts = data_parts(t)};
    a.now = buffers_new(e, t, 1);
    a.next = buffers_new(e, t, 1);
    if (recorded) a.record = buffers_new(e, t, recorded);
    return a;
}

Unit *unit_fold(Eval *e, Deps deps, const Term *t, const Accumulator *a, int64_t n)
{
    Unit *u = unit_new(e, fill_fold, deps, t, a->parts);
    for (int i = 0; i < a->parts; i++) u->pairs[i] = (Pair){a->now[i], a->next[i], a->record ? a->record[i] : NULL};
    unit_loop(e, u, n);
    return u;
}

static bool steps_scalars(const Unit *u)
{
    const Stmt *s = u->step;
    if (u->pair_count > SCALARS_MAX) return false;
    for (int i = 0; i < u->pair_count; i++, s = s->next)
        if (!s || s->run != stmt_store || s->buffer != u->pairs[i].next || s->buffer->count != 1 || u->pairs[i].record)
            return false;
    return !s;
}

void unit_fold_body(Eval *e, Unit *u, const Accumulator *a, const Term *f, const Env *env, Value *z, Value *element)
{
    uint32_t saved = e->deepest;
    e->deepest = 0;
    u->init = stmt_fill(e, z, a->type, a->now, &e->ground);
    Binder b = binder_new(e, f, env);
    Value *acc = value_buffers(e, a->now, a->type, path_empty(e), loop_deps(u->loop));
    binder_bind(&b, acc, a->type, NULL);
    if (element) binder_bind(&b, element, f->type->elems[0]->elems[1], NULL);
    Value *result = value_term(e, f->args[0], b.env, path_empty(e));
    u->step = stmt_fill(e, result, a->type, a->next, u->loop);
    u->scalars = steps_scalars(u);
    u->depth = e->deepest + 4;
    e->deepest = saved;
}

Unit *unit_of_fold(Eval *e, Value *whole, int64_t n, const Index *first, bool scan)
{
    if (whole->unit) return whole->unit;
    const Term *t = whole->term;
    Accumulator a = accumulator_new(e, t->args[1]->type, scan ? n : 0);
    Unit *u = unit_fold(e, whole->deps, t, &a, n);
    Step s = step_index(index_add(e, first, index_of_code(e, u->reg)));
    const Path *nowhere = path_empty(e);
    Value *element = value_term(e, t->args[2], whole->env, path_make(e, &s, 1));
    unit_fold_body(e, u, &a, t->args[0], whole->env, value_term(e, t->args[1], whole->env, nowhere), element);
    return whole->unit = u;
}

const Code *code_load(Eval *e, Scalar s, Fn run, const Index *at)
{
    Code *k = code_blank(e, s);
    k->run = run;
    k->heavy = true;
    code_use_index(k, at);
    return k;
}

const Code *code_load_unit(Eval *e, Unit *u, const Type *t, const Path *p, bool recorded)
{
    int part;
    const Index *at = part_locate(e, t, p, &part);
    Buffer *b = recorded ? u->pairs[part].record : u->pairs[part].now;
    Scalar s = path_type(e, t, p)->scalar;
    Code *k = (Code *)code_load(e, s, run_load_unit(s), at);
    k->unit = u;
    k->buffer = b;
    k->deps = deps_join(k->deps, u->deps);
    if (u->depth >= k->depth) k->depth = u->depth + 1;
    return code_done(e, k);
}

/* ---- arrays kept element by element ---- */

static bool has_fold(const Term *t)
{
    if (t->kind == T_PRIM) {
        PrimId p = (PrimId)t->prim;
        if (p == PRIM_SCATTER || p == PRIM_ITERATE || prim(p)->family == FAM_SCAN) return true;
        if (prim(p)->family == FAM_REDUCE && !type_is_scalar_like(t->args[1]->type)) return true;
    }
    for (int i = 0; i < t->arg_count; i++)
        if (has_fold(t->args[i])) return true;
    return false;
}

static void memo_part(Eval *e, Value *v, const Type *t, Memo *memo, int part)
{
    MemoPart *p = &memo->parts[part];
    Step steps[PATH_MAX_STEPS];
    int64_t sizes[PATH_MAX_STEPS];
    Scalar scalar;
    int n = part_steps(e, t, part, steps, sizes, &scalar);
    p->regs = NEW_ARRAY(e->arena, Code *, n);
    p->sizes = NEW_ARRAY(e->arena, int64_t, n);
    p->loop = loop_new(e, v->deps);
    for (int i = 0; i < n; i++) {
        if (!step_is_open(steps[i])) continue;
        p->sizes[p->rank] = sizes[i];
        p->regs[p->rank] = code_reg(e, p->loop, sizes[i]);
        steps[i] = step_index(index_of_code(e, p->regs[p->rank++]));
    }
    p->body = code_of(e, value_inside(e, v, path_make(e, steps, n)));
}

static Memo *memo_of(Eval *e, Value *v)
{
    if (v->memo) return v->memo;
    const Type *t = value_type(e, v);
    Buffer **b = buffers_new(e, t, 1);
    Memo *memo = NEW(e->arena, Memo);
    memo->deps = v->deps;
    memo->part_count = data_parts(t);
    memo->parts = NEW_ARRAY(e->arena, MemoPart, memo->part_count);
    v->opening = true;
    for (int i = 0; i < memo->part_count; i++) {
        memo->parts[i].values = b[i];
        memo_part(e, v, t, memo, i);
    }
    v->opening = false;
    return v->memo = memo;
}

static const Code *load_memo(Eval *e, Memo *memo, const Type *t, const Path *p)
{
    int part;
    const Index *at = part_locate(e, t, p, &part);
    Scalar s = path_type(e, t, p)->scalar;
    Code *k = (Code *)code_load(e, s, run_load_memo(s), at);
    k->memo = memo;
    k->part = part;
    k->deps = deps_join(k->deps, memo->deps);
    uint32_t below = memo->parts[part].body->depth;
    if (below >= k->depth) k->depth = below + 1;
    return code_done(e, k);
}

const Code *code_shared(Eval *e, Value *base, const Path *p)
{
    const Type *t = value_type(e, base);
    if (has_fold(base->term)) return code_load_unit(e, unit_of_value(e, base), t, p, false);
    return load_memo(e, memo_of(e, base), t, p);
}

bool value_worth_sharing(const Value *whole, const Path *p)
{
    const Term *t = whole->term;
    if (whole->opening || !(t->flags & (TF_COMPUTES | TF_REDUCES))) return false;
    if (!(t->flags & TF_REDUCES) && t->size <= 12) return false;
    Deps d = deps_join(p->deps, whole->deps);
    if (deps_only_ground(&d)) return false;
    return (deps_chain(&d) & ~d.mask) || !index_is_injective(p->s[0].index);
}
