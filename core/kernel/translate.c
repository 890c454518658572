/* translate: terms to the statements of one kernel: read, as a view of the value with the code it needs (by continuations),
 * or written into a destination. */
#include "dialect.h"
#include "translate_emit.h"
#include "translate_view.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ==== reading ==== */

/* The value of e, under a toX, to its place: what cannot be written there as it stands is read, and copied. */
static void write_or_copy(Build *b, const Term *e, View *dst, Env *env)
{
    bool outer = b->in.copies;
    b->in.copies = true;
    translate_write(b, e, dst, env);
    b->in.copies = outer;
}

/* The value of e to its place, which is no longer what a toX around it stands for. */
static void write_inside(Build *b, const Term *e, View *dst, Env *env)
{
    bool outer = b->in.copies;
    b->in.copies = false;
    translate_write(b, e, dst, env);
    b->in.copies = outer;
}

View *read_memory(Build *b, const Term *e, Env *env)
{
    /* A tile is named after the one buffer in global memory that it is copied from. */
    bool copied = emit_space(e) == SPACE_LOCAL && !(e->flags & (TF_COMPUTES | TF_REDUCES));
    const char *from = copied ? term_source(b, e->args[0], env) : NULL;
    if (from && (!b->in.hint || strcmp(b->in.hint, "tile") == 0))
        b->in.hint = arena_printf(b->arena, isupper((unsigned char)*from) ? "tile%s" : "tile_%s", from);
    if (e->prim == PRIM_TO_PRIVATE && emit_is_small(e->type) && !(e->args[0]->flags & TF_MAPPED))
        return translate_read(b, e->args[0], env);
    View *v = translate_alloc(b, e->type, emit_space(e), e);
    write_or_copy(b, e->args[0], v, env);
    if (e->prim == PRIM_TO_LOCAL || e->prim == PRIM_TO_LANES) b->in.closed = b->block->last;      /* who reads it may have to wait for it */
    return v;
}

/* ---- reductions and scans ---- */

typedef struct Fold {
    const Term *e;
    Env *env;
    View *acc, *xs, *out;                /* out: scanSeq's destination */
    View *seen;                          /* acc as the step reads it */
    int tag;
    const Term *made;                    /* a map of what is scanned: what goes there; NULL: acc */
    View **beside;                       /* the arrays that it is zipped with, NULL: itself; NULL: it is not */
} Fold;

/* What a fold, or an update by index, makes of the value at acc, which it reads as `seen`, and of element i of xs, or x. */
typedef struct Step {
    const Term *e;
    Env *env;
    View *seen, *acc, *xs, *x;
    const Nat *i;
    int tag;
} Step;

static void step_into(Build *b, const Step *s, View *dst)
{
    const Term *lambda = s->e->args[0];
    View *parts[2] = {s->seen, s->xs ? view_at(b, s->xs, s->i) : s->x};
    Env *env = translate_bind(b, s->env, lambda, view_tuple(b, lambda->type->elems[0], parts));
    write_inside(b, lambda->args[0], dst, env);
}

static Step step_of(const Fold *f, const Nat *i) { return (Step){f->e, f->env, f->seen, f->acc, f->xs, NULL, i, f->tag}; }

typedef struct Copy { const Term *e; View *from, *to; bool unroll; } Copy;

static void copy_view(Build *b, const Copy *c);

static void copy_element(Build *b, void *data, const Nat *i)
{
    Copy c = *(Copy *)data;
    c.from = view_at(b, c.from, i);
    c.to = view_at(b, c.to, i);
    copy_view(b, &c);
}

static void copy_view(Build *b, const Copy *c)
{
    const Type *t = view_type(c->to);
    if (emit_is_small(t)) {
        emit_assign(b, c->e, c->to, c->from);
    } else if (t->kind == TY_ARRAY) {
        emit_times(b, c->e, t->size, c->unroll, copy_element, (void *)c);
    } else {
        for (int k = 0; k < t->count; k++)
            copy_view(b, &(Copy){c->e, view_field(b, c->from, k), view_field(b, c->to, k), c->unroll});
    }
}

/* How far a block has come, and the memory that was made until then. */
typedef struct Before { Stmt *last; int locals, globals; } Before;

static Before before_now(const Build *b) { return (Before){b->block->last, b->k->locals.n, b->globals.n}; }

/* The first statement of this block since then. */
static Stmt *first_since(const Build *b, const Before *before) { return before->last ? before->last->next : b->block->first; }

/* v, which is read through an accumulation, lies at dst already: the step must not have written there before (Stmt.kept). */
static void keep(Build *b, const Term *e, View *v, View *dst)
{
    int tag = view_tag(v);
    if (!tag || b->failed) return;
    Before before = before_now(b);
    copy_view(b, &(Copy){e, v, dst, false});
    for (Stmt *s = first_since(b, &before); s; s = s->next) s->kept = tag;
}

/* Remove what says so of that accumulation, and loops and choices of nothing else. */
static void drop_kept(Block *blk, Stmt *before, int tag)
{
    for (Stmt *s = before ? before->next : blk->first; s; s = s->next) {
        bool bodies = (s->kind == S_FOR || s->kind == S_IF) && (s->body.first || s->other.first);
        if (stmt_has_bodies(s)) drop_kept(&s->body, NULL, tag), drop_kept(&s->other, NULL, tag);
        if (s->kept == tag || (bodies && !s->body.first && !s->other.first)) {
            if (before) before->next = s->next;
            else blk->first = s->next;
            if (blk->last == s) blk->last = before;
            continue;
        }
        before = s;
    }
}

/* Remove what was emitted in this block since then. */
static void undo(Build *b, const Before *since)
{
    Block *blk = b->block;
    Stmt *before = since->last;
    if (before) before->next = NULL;
    else blk->first = NULL;
    blk->last = before;
    blk->id = ++b->block_ids;                          /* values named in the undone part are gone */
    b->k->locals.n = since->locals;
    while (b->globals.n > since->globals && b->plan_buffers.v[b->globals.n - 1].kind == PLAN_TEMP) b->plan_buffers.n = --b->globals.n;
}

/* Memory for new values of what lies at v, until they go there. */
static View *next_of(Build *b, const Type *type, View *v, const Term *e)
{
    b->in.hint = "next";
    Space space = view_in_space(v, SPACE_PRIVATE) ? SPACE_PRIVATE : view_in_space(v, SPACE_LOCAL) ? SPACE_LOCAL : SPACE_GLOBAL;
    return translate_alloc(b, type, space, e);
}

/* What is scattered to dst, by way of memory of its own if it must not lie there before all of it is made. */
static void write_scattered(Build *b, const Term *e, View *dst, Env *env)
{
    View *to = view_scatter(b, translate_read(b, e->args[1], env), dst), *next = NULL;
    if (b->in.apart) next = next_of(b, e->args[2]->type, dst, e);
    translate_write(b, e->args[2], next ? next : to, env);
    if (next) copy_view(b, &(Copy){e, next, to, false});
}

/* The step cannot update in place: undo what it emitted, write the new values to a second array and copy them back. */
static void step_by_copy(Build *b, const Step *s, const Before *before)
{
    undo(b, before);
    const Term *start = s->e->args[1];
    View *next = next_of(b, view_type(s->acc), s->acc, is_space(start) && emit_space(start) == SPACE_GLOBAL ? start : s->e);
    step_into(b, s, next);
    copy_view(b, &(Copy){s->e, next, s->acc, view_in_space(s->acc, SPACE_PRIVATE) && s->e->prim == PRIM_REDUCE_SEQ_UNROLL});
}

/* The step in place, from `before` on; what it reads there too late, NULL: nothing. */
static const Place *step_in_place(Build *b, const Step *s, const Before *before, bool apart)
{
    b->in.closed = before->last;
    b->in.apart = apart;
    step_into(b, s, s->acc);
    b->in.apart = false;
    return emit_is_small(view_type(s->acc)) || b->failed ? NULL : barrier_in_place(b, first_since(b, before), s->tag);
}

/* The step, in place where that is right, by way of as little memory as may be where it is not. */
static void take_step(Build *b, const Step *s)
{
    const Term *step = s->e->args[0];
    Before before = before_now(b);
    bool arrays = !emit_is_small(view_type(s->acc)) && !b->failed;
    bool alone = !term_contains(step, PRIM_MAP_LOCAL, -1) && !term_contains(step, PRIM_MAP_GLOBAL, -1) && !term_contains(step, PRIM_MAP_WORKGROUP, -1);
    const Place *bad = step_in_place(b, s, &before, false);
    if (bad && build_one_round(b)) return;
    if (bad && alone && term_contains(step, PRIM_SCATTER, -1)) {
        undo(b, &before);
        bad = step_in_place(b, s, &before, true);
    }
    if (bad && alone)
        step_by_copy(b, s, &before);
    else if (bad)
        build_fail(b, E53, s->e, "%s updates its accumulator %s in place, but a step reads cells that it has not written "
                   "itself yet; write the step's result toLocal or toGlobal and copy it back", prim(prim_of(s->e))->name,
                   bad->buf->name);
    if (arrays) drop_kept(b->block, before.last, s->tag);
}

/* acc as steps read it: only where there are arrays can they come too late. */
static View *seen_through(Build *b, View *acc, int *tag)
{
    if (emit_is_small(view_type(acc))) return acc;
    vec_push(&b->tags, 0);
    *tag = b->tags.n;
    return view_tagged(b, acc, *tag);
}

/* What is made of the accumulator, or it, goes to its place. */
static void write_scanned(Build *b, const Fold *f, const Nat *i)
{
    View *dst = view_at(b, f->out, i), *parts[ARG_MAX];
    if (!f->made) {
        copy_view(b, &(Copy){f->e, f->acc, dst, false});
        return;
    }
    const Term *lambda = f->made->args[0];
    const Type *t = lambda->type->elems[0];
    for (int k = 0; f->beside && k < t->count; k++) parts[k] = f->beside[k] ? view_at(b, f->beside[k], i) : f->acc;
    write_inside(b, lambda->args[0], dst, translate_bind(b, f->env, lambda, f->beside ? view_tuple(b, t, parts) : f->acc));
}

static void fold_step(Build *b, void *data, const Nat *i)
{
    Fold *f = data;
    Step s = step_of(f, i);
    take_step(b, &s);
    if (f->out) write_scanned(b, f, i);
}

/* The step of a fold of one round, from z to dst; z lies elsewhere. */
static void read_one_step(Build *b, const Term *e, View *z, View *dst, Env *env)
{
    const Term *reader = b->in.reader;
    b->in.reader = e;
    Fold f = {.e = e, .env = env, .xs = translate_read(b, e->args[2], env), .seen = z};
    Step s = step_of(&f, nat_const(b->n, 0));
    step_into(b, &s, dst);
    b->in.reader = reader;
}

/* The loop of a fold, of which acc and out are known. */
static void run_fold(Build *b, Fold f)
{
    const Term *e = f.e, *reader = b->in.reader;
    b->in.reader = e;
    f.xs = translate_read(b, e->args[2], f.env);
    f.seen = seen_through(b, f.acc, &f.tag);
    Stmt *before = b->block->last;
    int locals = b->k->locals.n;
    bool prefetched = b->in.prefetched;
    b->in.prefetched = prefetched || prim_is_ahead((PrimId)e->prim);
    emit_times(b, e, e->args[2]->type->size, prim((PrimId)e->prim)->traits & PT_UNROLLED, fold_step, &f);
    b->in.prefetched = prefetched;
    b->in.reader = reader;
    Stmt *loop = b->block->last;
    bool looped = loop != before && loop->kind == S_FOR && (before ? before->next : b->block->first) == loop;
    if (prim_is_ahead((PrimId)e->prim) && looped && !b->failed) pipeline_loop(b, e, before, loop, locals);
}

/* The loop of a reduction or scan. */
static void read_fold(Build *b, const Term *e, View *acc, View *out, Env *env) { run_fold(b, (Fold){.e = e, .env = env, .acc = acc, .out = out}); }

/* A private accumulator of scalars or vectors, initialised. */
static View *read_accumulator(Build *b, const Term *e, Env *env)
{
    View *z = translate_read(b, without_space(e->args[1]), env);
    const char *hint = read_hint(e->args[0]);
    b->in.hint = hint ? hint : "acc";
    View *acc = translate_alloc(b, e->args[1]->type, SPACE_PRIVATE, e);
    emit_assign(b, e, acc, z);
    return acc;
}

/* E52. */
static void read_needs_place(Build *b, const Term *e)
{
    if (b->failed) return;
    const char *producer = build_path(b, e);
    const char *reader = b->in.reader ? build_path(b, b->in.reader) : "/";
    const char *who = b->in.reader ? prim(prim_of(b->in.reader))->name : "the result";
    diag_error(&b->c->diag, E52, "%s at %s makes an array that %s at %s reads: it needs toPrivate, toLocal or toGlobal",
               prim(prim_of(e))->name, producer, who, reader);
    diag_note(&b->c->diag, "producer", "%s  %s : %s", producer, prim(prim_of(e))->name, type_text(b->c, e->type));
    diag_note(&b->c->diag, "reader", "%s  %s", reader, who);
    diag_note(&b->c->diag, "choose", "toPrivate (one work-item), toLocal (a work-group), toGlobal (all)");
    diag_note(&b->c->diag, "try", "lower");
    b->failed = true;
}

static View *read_reduce(Build *b, const Term *e, Env *env)
{
    const Term *z = e->args[1];
    View *acc;
    if (emit_is_small(e->type)) {
        acc = read_accumulator(b, e, env);
    } else if (z->kind == T_PRIM && z->prim == PRIM_TO_LOCAL && emit_unstored_start(e) && !read_placed(b, z, env)) {
        b->in.hint = read_hint(e->args[0]);
        acc = translate_alloc(b, z->type, SPACE_LOCAL, z);
        read_one_step(b, e, translate_read(b, emit_unstored_start(e), env), acc, env);
        return acc;
    } else if (is_space(z)) {
        b->in.hint = read_hint(e->args[0]);
        acc = translate_read(b, z, env);
        b->in.hint = NULL;
    } else {
        read_needs_place(b, z->kind == T_PRIM ? z : e);
        return view_poison(b, e->type);
    }
    read_fold(b, e, acc, NULL, env);
    return acc;
}

/* Every pair of e updates cells. */
static void read_pairs(Build *b, const Term *e, View *cells, Env *env)
{
    const Term *reader = b->in.reader;
    b->in.reader = e;
    write_inside(b, e->args[2], view_updates(b, e, cells, env), env);
    b->in.reader = reader;
}

static View *read_by_index(Build *b, const Term *e, Env *env)
{
    const Term *z = e->args[1];
    if (!is_space(z)) {
        read_needs_place(b, z->kind == T_PRIM ? z : e);
        return view_poison(b, e->type);
    }
    b->in.hint = read_hint(e->args[0]);
    View *cells = translate_read(b, z, env);
    b->in.hint = NULL;
    read_pairs(b, e, cells, env);
    return cells;
}

/* ---- iterate ---- */

const Term *iterate_step(Build *b, const Term *e, const Nat *length)
{
    const Term *f = e->args[0];
    const Nat *own = f->type->elems[0]->size;
    if (own->is_const) return f;
    NatBinding p = {nat_atom(own), length};
    const Term *r = term_subst_nats(b->c, f, &p, 1);
    if (!r) b->failed = true;
    return r;
}

/* Steps that are written but the last go to memory of the destination's space; the last goes to the destination. NULL: all are read. */
static View *run_iterate(Build *b, const Term *e, View *dst, Env *env)
{
    const Nat *k = e->statics[0], *length = e->args[1]->type->size;
    bool known = k->is_const && k->value <= ITERATE_MAX;
    if (!known) build_fail(b, E53, e, "iterate needs a constant count of at most %d", ITERATE_MAX);
    View *v = translate_read(b, e->args[1], env);
    Space space = !dst || view_is_private(dst) ? SPACE_PRIVATE : view_in_space(dst, SPACE_LOCAL) ? SPACE_LOCAL : SPACE_GLOBAL;
    for (int64_t i = 0; known && i < k->value && !b->failed; i++) {
        const Term *f = iterate_step(b, e, length);
        if (!f) break;
        if (!dst) {
            v = translate_apply(b, f, v, env);
        } else {
            View *to = i + 1 == k->value ? dst : translate_alloc(b, f->type->elems[1], space, e);
            write_inside(b, f->args[0], to, translate_bind(b, env, f, v));
            v = to;
        }
        length = f->type->elems[1]->size;
    }
    return v;
}

static View *read_iterate(Build *b, const Term *e, Env *env) { return run_iterate(b, e, NULL, env); }

/* ---- slices ---- */

/* e with a name, as an index variable below that. plain: sizes and variables need none. */
static const Nat *named_index(Build *b, const Expr *e, bool plain, const char *hint, const Nat *extent, VarInfo info)
{
    if (e->kind == X_LIT) return nat_const(b->n, e->lit.i);
    if (e->kind == X_NAT && (plain || e->nat->is_const)) return e->nat;
    if (build_one_round(b)) return nat_const(b->n, 0);
    Buffer *buf = stmt_value(b, hint, e);
    info.kind = VAR_OPAQUE, info.loaded = e;
    return buf->as_index = kernel_index(b, info, buf->name, extent);
}

/* All ids and loop variables that e changes with: the product of their extents, each once. */
static const Nat *extents_of(Build *b, const Expr *e, NatAtomVec *seen, const Nat *product)
{
    NatAtomVec vars = {0};
    if (e->kind == X_NAT) nat_vars(e->nat, &vars);
    else if (e->kind == X_LOAD && e->place.at) nat_vars(e->place.at, &vars);
    for (int i = 0; i < vars.n; i++) {
        bool old = vars.v[i]->var != VAR_INDEX || !vars.v[i]->hi;
        for (int j = 0; j < seen->n; j++) old |= seen->v[j] == vars.v[i];
        if (old) continue;
        vec_push(seen, vars.v[i]);
        product = nat_mul(b->n, product, vars.v[i]->hi);
    }
    free(vars.v);
    for (int i = 0; i < e->arg_count; i++) product = extents_of(b, e->args[i], seen, product);
    return product;
}

static const Expr *bounded(Build *b, PrimId op, const Expr *e, const Nat *by)
{
    bool inside = e->kind == X_NAT && (op == PRIM_MAX ? nat_less_eq(b->n, by, e->nat) : nat_less_eq(b->n, e->nat, by));
    return inside ? e : expr_binary(b, op, SC_I32, e, expr_nat(b, SC_I32, by));
}

/* The body of e's function, with the elements of the slice in *env. NULL: failed. */
static const Term *read_slice_open(Build *b, const Term *e, Env **env)
{
    const Term *in = e->args[3];
    const Nat *step = e->statics[0], *zero = nat_const(b->n, 0), *one = nat_const(b->n, 1), *length = in->type->size;
    View *x = translate_read(b, in, *env);
    const Expr *from = bounded(b, PRIM_MAX, view_value(b, translate_read(b, e->args[1], *env)), zero);
    const Expr *to = bounded(b, PRIM_MIN, view_value(b, translate_read(b, e->args[2], *env)), length);
    if (from->width > 1 || to->width > 1) {
        build_fail(b, E54, e, "a slice differs from lane to lane of a vector");
        return NULL;
    }
    NatAtomVec seen = {0};
    VarInfo count = {.whole = length, .among = extents_of(b, to, &seen, extents_of(b, from, &seen, one))};
    free(seen.v);
    const Nat *first = named_index(b, from, true, "from", nat_add(b->n, length, one), (VarInfo){.kind = VAR_OPAQUE});
    /* How many elements there are, 0 where from >= to. */
    const Expr *n = bounded(b, PRIM_MAX, expr_binary(b, PRIM_SUB, SC_I32, to, expr_nat(b, SC_I32, first)), zero);
    if (step != one) {
        n = expr_binary(b, PRIM_ADD, SC_I32, n, expr_nat(b, SC_I32, nat_sub(b->n, step, one)));
        n = expr_binary(b, PRIM_QUOT, SC_I32, n, expr_nat(b, SC_I32, step));
    }
    const Nat *own = named_index(b, n, false, "n", slice_length(e)->hi, count);
    const Term *f = b->failed ? NULL : slice_function(b->c, e, own);
    if (!f) {
        b->failed = true;
        return NULL;
    }
    *env = translate_bind(b, *env, f, view_slice(b, x, first, own, step));
    return f->args[0];
}

static View *read_slice(Build *b, const Term *e, Env *env)
{
    const Term *body = read_slice_open(b, e, &env);
    return body ? translate_read(b, body, env) : view_poison(b, e->type);
}

/* ---- vectors ---- */

static bool lifts(const Term *e);

/* An array that is the same for all lanes, or whose elements are computed where they are read. */
static bool array_lifts(const Term *e)
{
    if (e->kind != T_PRIM) return e->kind == T_VAR || e->kind == T_INPUT;
    if (e->prim == PRIM_MAP) return lifts(e->args[0]->args[0]) && array_lifts(e->args[1]);
    if (e->prim == PRIM_GENERATE) return lifts(e->args[0]->args[0]);
    if (prim((PrimId)e->prim)->family != FAM_LAYOUT && e->prim != PRIM_PROJ) return false;
    return ALL(i, e->arg_count, lifts(e->args[i]));
}

/* Code for one lane that works on all of a vector as it stands: straight lines, and folds, which have as many steps in every
 * lane. */
static bool lifts(const Term *e)
{
    if (e->type->kind == TY_ARRAY) return array_lifts(e);
    if (e->kind != T_PRIM) return e->kind != T_LAM;
    switch (e->prim) {
    case PRIM_LET: return lifts(e->args[0]) && lifts(e->args[1]->args[0]);
    case PRIM_REDUCE_SEQ: case PRIM_REDUCE_SEQ_UNROLL:
        return emit_is_small(e->type) && lifts(e->args[0]->args[0]) && lifts(e->args[1]) && array_lifts(e->args[2]);
    case PRIM_IF:
        if (!emit_is_small(e->type)) return false;
        break;
    case PRIM_AT: case PRIM_TUPLE: case PRIM_PROJ: case PRIM_TO_PRIVATE: break;
    default:
        if (prim((PrimId)e->prim)->family != FAM_SCALAR) return false;
    }
    return ALL(i, e->arg_count, lifts(e->args[i]));
}

static View *lane_view(Build *b, const Type *type, View *v, int lane)
{
    if (type->kind != TY_TUPLE) return view_expr(b, type, expr_lane(b, view_value(b, v), lane));
    return VIEW_TUPLE(b, type, i, lane_view(b, type->elems[i], view_field(b, v, i), lane));
}

static View *from_lanes(Build *b, const Type *type, View *const *lanes, int w)
{
    View *parts[ARG_MAX];
    if (type->kind != TY_TUPLE) {
        const Expr *values[16];
        for (int i = 0; i < w; i++) values[i] = view_value(b, lanes[i]);
        return view_expr(b, type, expr_vec(b, type->scalar, values, w));
    }
    for (int k = 0; k < type->count; k++) {
        View *fields[16];
        for (int i = 0; i < w; i++) fields[i] = view_field(b, lanes[i], k);
        parts[k] = from_lanes(b, type->elems[k], fields, w);
    }
    return view_tuple(b, type, parts);
}

/* The same values under the vector type. */
static View *as_type(Build *b, const Type *type, View *v)
{
    if (type->kind != TY_TUPLE) return view_expr(b, type, view_value(b, v));
    return VIEW_TUPLE(b, type, i, as_type(b, type->elems[i], view_field(b, v, i)));
}

/* All lanes at once. NULL: one that chooses would evaluate both sides, in which something may go wrong. */
static View *read_abreast(Build *b, const Term *e, View *in, Env *env)
{
    Before before = b->k ? before_now(b) : (Before){0};
    int outer = b->in.lanes;
    bool risky = b->in.risky;
    b->in.lanes = type_leaf(e->type, 0)->width;
    b->in.risky = false;
    View *v = as_type(b, e->type, translate_apply(b, e->args[0], in, env));
    if (b->in.risky && b->k) undo(b, &before);
    if (b->in.risky) v = NULL;
    b->in.lanes = outer;
    b->in.risky = risky;
    return v;
}

static View *read_map_vec(Build *b, const Term *e, Env *env)
{
    int w = type_leaf(e->type, 0)->width, outer = b->in.lanes;
    const Term *f = e->args[0];
    View *in = view_force(b, translate_read(b, e->args[1], env));
    View *all = lifts(f->args[0]) ? read_abreast(b, e, in, env) : NULL;
    if (all) return all;
    View *lanes[16];
    b->in.lanes = 1;
    for (int i = 0; i < w; i++) lanes[i] = translate_apply(b, f, lane_view(b, f->type->elems[0], in, i), env);
    b->in.lanes = outer;
    return from_lanes(b, e->type, lanes, w);
}

/* ---- reading ---- */

static View *read_leaf(Build *b, const Term *e, Env *env)
{
    switch (e->kind) {
    case T_VAR:
        for (int i = e->u.index; env && i > 0; i--) env = env->up;
        if (env) return view_force(b, env->v);
        build_fail(b, E54, b->root, "an unbound variable");
        return view_poison(b, e->type);
    case T_INPUT:
        for (int i = 0; i < b->options->input_count; i++)
            if (strcmp(b->options->inputs[i].name, e->u.name) == 0) return b->inputs[i];
        if (!b->resources) build_fail(b, E54, e, "%s is not an input of the program", e->u.name);
        return view_poison(b, e->type);
    case T_LIT:
        if (e->type->scalar == SC_I32) return view_expr(b, e->type, expr_nat(b, SC_I32, nat_const(b->n, e->u.lit.i)));
        return view_expr(b, e->type, expr_lit(b, e->type->scalar, e->u.lit));
    case T_SIZE: return view_expr(b, e->type, expr_nat(b, e->type->scalar, e->u.nat));
    default:
        build_fail(b, E54, e, "a function is used as a value");
        return view_poison(b, e->type);
    }
}

static View *read_scalar(Build *b, const Term *e, Env *env)
{
    const Expr *args[16];
    if (e->prim == PRIM_AND || e->prim == PRIM_OR) return read_truth(b, e, env);
    bool round = false;
    for (int i = 0; i < e->arg_count; i++) {
        args[i] = view_index(b, translate_read(b, e->args[i], env));
        round |= build_is_round(b, args[i]);
    }
    const Expr *r = e->prim == PRIM_VEC    ? expr_vec(b, e->type->scalar, args, e->arg_count)
                    : e->prim == PRIM_LANE ? expr_lane(b, args[0], (int)e->statics[0]->value)
                                           : expr_op(b, prim_of(e), e->type->scalar, args, e->arg_count);
    if (round && r->kind != X_NAT) build_one_round(b);                   /* in some round it may be a number, and fold */
    return view_expr(b, e->type, r);
}

static View *read_proj(Build *b, const Term *e, Env *env) { return view_field(b, translate_read(b, e->args[0], env), e->u.proj); }

static View *read_element(Build *b, const Term *e, Env *env)
{
    View *index = translate_read(b, e->args[0], env), *array = translate_read(b, e->args[1], env);
    const Expr *i = view_index(b, index);
    const Nat *extent = e->args[1]->type->size, *first = expr_counts_from(b, i);
    int w = i->width;
    if (first && e->type->kind == TY_SCALAR) return view_vector(b, array, first, type_vector(b->c, w, e->type));
    if (w == 1 || !emit_is_small(e->type)) return view_at(b, array, translate_index(b, index, extent));
    View *lanes[16], *all = view_named(b, index, "at");                  /* it differs from lane to lane: an element for each */
    for (int k = 0; k < w; k++)
        lanes[k] = view_force(b, view_at(b, array, translate_index(b, lane_view(b, e->args[0]->type, all, k), extent)));
    return from_lanes(b, e->type, lanes, w);
}

static View *read_layout(Build *b, const Term *e, Env *env)
{
    View *args[ARG_MAX] = {0};
    for (int i = 0; i < e->arg_count; i++)
        if (e->args[i]->kind != T_LAM) args[i] = translate_read(b, e->args[i], env);
    return view_layout(b, e, args, env);
}

/* The environment of a let's body. */
static Env *bind_let(Build *b, const Term *e, Env *env)
{
    const Term *value = e->args[0], *f = e->args[1];
    const char *name = read_hint(f);
    /* A named array that is computed where it is read is computed at every use (decisions.md: Lowering). */
    bool unplaced = (value->flags & TF_COMPUTES) && !(value->flags & (TF_MAPPED | TF_REDUCES | TF_MEMORY));
    int uses = value->type->kind == TY_ARRAY && unplaced ? term_uses(f->args[0], 0, value->type->leaf_count) : 0;
    if (uses > 1)
        build_warn(b, "%s is computed again at each of its %d uses; let %s = toPrivate (mapSeq id ...) computes it once",
                   name ? name : "an array", uses, name ? name : "x");
    if (is_space(value)) b->in.hint = name;
    View *v = view_suspend(b, value, env);
    b->in.hint = NULL;
    return translate_bind(b, env, f, v);
}

static View *read_let(Build *b, const Term *e, Env *env) { return translate_read(b, e->args[1]->args[0], bind_let(b, e, env)); }

static View *read_map(Build *b, const Term *e, Env *env) { return view_map(b, e, translate_read(b, e->args[1], env), env); }

/* What is computed all at once into memory, and has none here. */
static View *read_computed(Build *b, const Term *e, Env *env)
{
    (void)env;
    read_needs_place(b, e);
    return view_poison(b, e->type);
}

/* scanGroups inside a kernel, of which plan_top.c made no view. */
static View *read_groups(Build *b, const Term *e, Env *env)
{
    (void)env;
    build_fail(b, E53, e, "scanGroups is read by the map over work-groups that stands outside all others");
    return view_poison(b, e->type);
}

typedef View *Reading(Build *b, const Term *e, Env *env);

static Reading *const readings[PRIM_COUNT] = {
#define PRIM(id, name, family, scheme, slots, meaning, read, ...) read,
#define OP(id, ...) read_scalar,
#include "prims.def"
};

View *read_placed(const Build *b, const Term *e, const Env *env)
{
    for (int i = b->placed.n - 1; i >= 0; i--)
        if (b->placed.v[i].e == e && b->placed.v[i].env == env) return b->placed.v[i].v;
    return NULL;
}

View *translate_read(Build *b, const Term *e, Env *env)
{
    if (!build_goes_on(b, e)) return view_poison(b, e->type);
    View *made = read_placed(b, e, env);
    if (made) return view_force(b, made);
    if (e->kind != T_PRIM) return read_leaf(b, e, env);
    const Term *origin = b->origin;
    b->origin = e;
    View *v = readings[e->prim](b, e, env);
    b->origin = origin;
    return v;
}

/* ==== reductions by index: updates of one element each ==== */

/* The destination of the pairs is a view of the elements (V_UPDATES): what is written to it is an index and a value, wherever it
 * comes from in the layouts and maps that make the pairs, and f of the element there and the value goes to that element. So the
 * maps over the pairs say who updates. reduceByIndexSeq updates with plain reads and writes; reduceByIndexAtomic with one indivisible
 * step for each scalar of the element, which asks that f makes each from the same scalar of both. */

/* A pair that is to update the cells of e. */
typedef struct Update {
    const Term *e;
    Env *env;
    View *cells, *value;
    const Expr *index;                   /* a named value or a Nat */
    int order;                           /* Atomic.order */
} Update;

/* ---- one scalar, at once ---- */

/* Where the parts of an element are while its update is made: the part's own leaves are the variables from `last` on, `leaves` of them. */
typedef struct Part {
    const Term *e, *body;                /* the node, for messages; what becomes of the part */
    Env *env;
    View *cell;
    int last, leaves, order;
} Part;

static bool refuse(Build *b, const Part *p, const char *what)
{
    return build_fail(b, E53, p->e, "reduceByIndexAtomic cannot make this update in one step: %s; use reduceByIndexSeq, with parts of "
                      "the pairs for each work-item (reduceByIndexParts)", what);
}

static Env *with_value(Build *b, Env *env, int index, View *v)
{
    Env *r = NEW(b->arena, Env);
    *r = index ? (Env){env->v, with_value(b, env->up, index - 1, v)} : (Env){v, env->up};
    return r;
}

/* The operand x of body = op x acc that the dialect has a function for, in either order; NULL: it is no such body. */
static const Term *operand(const Build *b, const Part *p)
{
    const Term *t = p->body;
    if (t->kind != T_PRIM || t->arg_count != 2 || !b->dialect->atomic((PrimId)t->prim, t->type->scalar, SPACE_GLOBAL)) return NULL;
    for (int i = 0; i < 2; i++) {
        const Term *acc = t->args[i], *x = t->args[1 - i];
        if (acc->kind == T_VAR && acc->u.index == p->last && !term_mentions(x, p->last, 1)) return x;
    }
    return NULL;
}

static Stmt *update_stmt(Build *b, const Place *at, PrimId op, int order)
{
    Stmt *s = stmt_new(b, S_ATOMIC);
    Atomic *a = MAKE(b->arena, Atomic, .op = op, .order = order);
    s->atomic = a;
    s->place = *at;
    at->buf->written = true;
    b->needs.uses_atomics64 |= scalar_bytes(at->buf->scalar) == 8;
    return s;
}

static void update_part(Build *b, const Part *p);

typedef struct Elements { const Part *p; View *args[ARG_MAX]; int own; } Elements;

static void update_element(Build *b, void *data, const Nat *i)
{
    Elements *q = data;
    Part part = *q->p;
    const Term *map = q->p->body, *f = map->args[0];
    const Type *param = f->type->elems[0];
    View *parts[ARG_MAX];
    part.cell = view_at(b, q->p->cell, i);
    for (int k = 0; k < param->count; k++) parts[k] = k == q->own ? part.cell : view_at(b, q->args[k], i);
    part.env = translate_bind(b, q->p->env, f, view_tuple(b, param, parts));
    part.body = f->args[0];
    part.leaves = param->elems[q->own]->leaf_count;
    part.last = 0;
    for (int k = q->own + 1; k < param->count; k++) part.last += param->elems[k]->leaf_count;
    update_part(b, &part);
}

/* map f (zip acc x): element by element. */
static void update_elements(Build *b, const Part *p)
{
    const Term *t = p->body, *zip = t->kind == T_PRIM && prim_is_map((PrimId)t->prim) ? t->args[1] : NULL;
    Elements q = {.p = p, .own = -1};
    if (!zip || zip->kind != T_PRIM || zip->prim != PRIM_ZIP || term_mentions(t->args[0], p->last, 1)) {
        refuse(b, p, "an array is not made element by element: map f (zip a b)");
        return;
    }
    for (int k = 0; k < zip->arg_count; k++) {
        const Term *x = zip->args[k];
        if (x->kind == T_VAR && x->u.index == p->last && q.own < 0) q.own = k;
        else if (term_mentions(x, p->last, 1)) refuse(b, p, "an element is made of several");
        else q.args[k] = translate_read(b, x, p->env);
    }
    if (q.own < 0) refuse(b, p, "the array is not the one that is updated");
    if (!b->failed) emit_times(b, t, t->type->size, prim(prim_of(t))->traits & PT_UNROLLED, update_element, &q);
}

static void update_part(Build *b, const Part *p)
{
    if (b->failed) return;
    if (p->body->type->kind == TY_TUPLE) {
        const Type *t = p->body->type;
        bool tuple = p->body->kind == T_PRIM && p->body->prim == PRIM_TUPLE;
        int first = p->last + p->leaves;                                  /* one behind the first leaf: they count down */
        for (int i = 0; i < t->count && tuple; i++) {
            Part q = *p;
            q.body = p->body->args[i];
            q.leaves = t->elems[i]->leaf_count;
            q.last = first -= q.leaves;
            q.cell = view_field(b, p->cell, i);
            if (term_mentions(q.body, q.last + q.leaves, p->last + p->leaves - q.last - q.leaves) || term_mentions(q.body, p->last, q.last - p->last))
                tuple = false;
            else update_part(b, &q);
        }
        if (!tuple) refuse(b, p, "a component is made of several");
    } else if (p->body->type->kind == TY_ARRAY) update_elements(b, p);
    else {
        Place at;
        const Type *t = p->body->type;
        if (!view_place(p->cell, &at) || at.width != 1) refuse(b, p, "it is no scalar in memory");
        else if (!b->dialect->atomic(PRIM_COUNT, t->scalar, SPACE_GLOBAL)) refuse(b, p, "no type but i32, u32, f32, i64 and f64 has atomic operations");
        else if (operand(b, p)) {
            const Expr *value = view_value(b, translate_read(b, operand(b, p), p->env));
            update_stmt(b, &at, (PrimId)p->body->prim, p->order)->value = value;
        } else {
            /* By exchanging what was seen for what it becomes, until nobody came between. */
            Buffer *old = stmt_declare(b, "old", at.buf->scalar, 1, false);
            Stmt *s = update_stmt(b, &at, PRIM_COUNT, p->order);
            Place seen = place_of(old);
            *s->atomic = (Atomic){PRIM_COUNT, p->order, old, kernel_name(b, "held"), kernel_name(b, "next"), kernel_name(b, "seen")};
            EmitScope scope = emit_enter(b, &s->body);
            Env *env = with_value(b, p->env, p->last, view_expr(b, p->body->type, expr_load(b, &seen)));
            s->value = view_value(b, translate_read(b, p->body, env));
            emit_leave(b, scope);
        }
    }
}

static void update_at_once(Build *b, const Update *u, View *cell)
{
    const Term *f = u->e->args[0];
    View *parts[2] = {cell, u->value};
    int leaves = f->type->elems[1]->leaf_count;
    if (view_is_private(cell)) {
        build_fail(b, E53, u->e, "reduceByIndexAtomic works on what work-items share: toLocal or toGlobal around its start, or reduceByIndexSeq");
        return;
    }
    Env *env = translate_bind(b, u->env, f, view_tuple(b, f->type->elems[0], parts));
    update_part(b, &(Part){u->e, f->args[0], env, cell, leaves, leaves, u->order});
}

/* ---- pairs ---- */

/* 0 <= i < n; a literal where that is known. */
static const Expr *is_within(Build *b, const Expr *i, const Nat *n)
{
    Bounds r = expr_bounds(b, i);
    if (i->kind == X_NAT) {
        const Expr *from = emit_compare(b, PRIM_LE, nat_const(b->n, 0), i->nat);
        return expr_binary(b, PRIM_AND, SC_BOOL, from, emit_compare(b, PRIM_LT, i->nat, n));
    }
    if (r.lo >= 0 && n->is_const && r.hi < n->value) return expr_lit(b, SC_BOOL, (LitValue){.i = 1});
    const Expr *word = expr_op(b, PRIM_TO_U32, SC_U32, &i, 1);
    return expr_binary(b, PRIM_LT, SC_BOOL, word, expr_nat(b, SC_I32, n));       /* as unsigned numbers */
}

/* ==== writing ==== */

/* Acceptor style (stages.md): translate_write makes code that computes a term into a destination view; its
 * counterpart translate_read makes the code that a value needs and returns a view of the value. */

/* ---- maps ---- */

typedef struct Mapped {
    const Term *e;
    Env *env;
    View *xs, *dst;
} Mapped;

static void map_body(Build *b, void *data, const Nat *i)
{
    Mapped *m = data;
    const Term *f = m->e->args[0];
    int outer = b->in.par_count;
    if (prim_is_parallel((PrimId)m->e->prim) && b->in.par_count < RANK_MAX) {
        b->in.par[b->in.par_count] = i;
        b->in.par_local[b->in.par_count] = kernel_id_of_map(b, m->e) == ID_LOCAL;
        b->in.par_lane[b->in.par_count] = m->e->prim != PRIM_MAP_WORKGROUP && term_map_dim(m->e) == 0;
        b->in.par_extent[b->in.par_count++] = m->e->type->size;
    }
    Env *env = translate_bind(b, m->env, f, view_at(b, m->xs, i));
    write_inside(b, f->args[0], view_at(b, m->dst, i), env);
    b->in.par_count = outer;
}

/* The id variable seen where it is known to lie below n. */
static const Nat *id_below(Build *b, IdKind kind, int d, const Nat *n)
{
    return kernel_index(b, (VarInfo){.kind = VAR_ID, .id = kind, .dim = d}, kernel_ids[kind][d], n);
}

static void map_ids(Build *b, Mapped *m, IdKind kind, int d, const Nat *range)
{
    const Nat *n = m->e->type->size, *id = b->k->id[kind][d];
    if (n == range) {
        map_body(b, m, id);
        return;
    }
    bool one = n->is_const && n->value == 1;
    const Expr *cond = one ? emit_compare(b, PRIM_EQ, id, nat_const(b->n, 0)) : emit_compare(b, PRIM_LT, id, n);
    if (cond->kind == X_LIT) {
        map_body(b, m, id_below(b, kind, d, n));
        return;
    }
    unsigned pinned = one ? 1u << (3 * (int)kind + d) : 0;
    emit_guarded(b, cond, kind == ID_GROUP, pinned, map_body, m, id_below(b, kind, d, n));
}

typedef struct LocalMap { Mapped *m; const Nat *l, *size; } LocalMap;

static void local_body(Build *b, void *data, const Nat *j)
{
    LocalMap *q = data;
    map_body(b, q->m, nat_add(b->n, q->l, nat_mul(b->n, q->size, j)));
}

/* Element l + L*j. The loop over j is unrolled where private data is indexed by it, and where a pipeline will hold the elements. */
static void map_local(Build *b, Mapped *m, int d)
{
    const Nat *n = m->e->type->size, *size = nat_const(b->n, b->k->local[d]), *l = b->k->id[ID_LOCAL][d];
    if (n == size || (n->is_const && n->value < size->value)) {
        map_ids(b, m, ID_LOCAL, d, size);
        return;
    }
    if (!nat_divides(b->n, size, n, b->facts)) {
        VarInfo info = {.kind = VAR_STRIDED, .id = ID_LOCAL, .dim = d};
        emit_for(b, (EmitRange){l, n, size, n, false, info}, map_body, m);
        return;
    }
    LocalMap q = {m, l, size};
    const Nat *rounds = nat_div(b->n, n, size, b->facts);
    bool registers = view_in_space(m->dst, SPACE_PRIVATE) || view_in_space(m->xs, SPACE_PRIVATE) ||
                     (b->in.prefetched && view_in_space(m->dst, SPACE_LOCAL));
    bool few = size->value > 1 && rounds->is_const && rounds->value <= LOCAL_UNROLL_MAX;
    bool unroll = few && (registers || term_reads_registers(b, m->e, m->env));
    VarInfo info = {.kind = VAR_LOOP, .id = ID_LOCAL, .dim = d, .rounds = true};
    if (unroll) emit_times(b, m->e, rounds, true, local_body, &q);
    else emit_for(b, (EmitRange){nat_const(b->n, 0), rounds, nat_const(b->n, 1), rounds, true, info}, local_body, &q);
}

/* ---- reductions and scans ---- */

static void write_update(Build *b, View *dst, View *pair);

static void copy_or_fail(Build *b, const Term *e, View *v, View *dst)
{
    if (b->failed) return;
    if (view_same(b, v, dst)) {
        keep(b, e, v, dst);
        return;
    }
    if (b->in.copies) {
        copy_view(b, &(Copy){e, v, dst, false});
        return;
    }
    diag_error(&b->c->diag, E52, "the array %s at %s has to be copied to its place: write mapSeq id (or another mapped copy) "
               "around it", e->kind == T_PRIM ? prim(prim_of(e))->name : "value", build_path(b, e));
    diag_note(&b->c->diag, "producer", "%s : %s", build_path(b, e), type_text(b->c, e->type));
    diag_note(&b->c->diag, "choose", "mapSeq, mapSeqUnroll, mapLocal or mapGlobal of id, or another memory for it");
    diag_note(&b->c->diag, "try", "lower");
    b->failed = true;
}

/* Does the fold accumulate in the destination itself? */
static bool into_destination(const Term *z, const View *dst)
{
    return is_space(z) && view_in_space(dst, emit_space(z)) && (emit_space(z) == SPACE_GLOBAL || !view_is_private(dst));
}

static void write_reduce(Build *b, const Term *e, View *dst, Env *env)
{
    const Term *z = e->args[1], *start = emit_is_small(e->type) ? NULL : emit_unstored_start(e);
    bool placed = read_placed(b, z, env);
    if (view_is_update(dst) && emit_is_small(e->type)) {
        write_update(b, dst, read_reduce(b, e, env));
    } else if (emit_is_small(e->type)) {
        bool alone = view_is_private(dst) && !term_reads(b, e->args[0], env, dst) && !term_reads(b, e->args[2], env, dst);
        emit_assign(b, e, dst, alone ? translate_read(b, without_space(z), env) : read_reduce(b, e, env));
        if (alone) read_fold(b, e, dst, NULL, env);
    } else if (start && !placed && into_destination(z, dst) && !term_reads(b, start, env, dst)) {
        /* A fold of one round is its step from the start as it is, which is not stored first. */
        read_one_step(b, e, translate_read(b, start, env), dst, env);
    } else if (!placed && into_destination(z, dst)) {
        write_or_copy(b, z->args[0], dst, env);        /* accumulate in the destination */
        read_fold(b, e, dst, NULL, env);
    } else if (placed && into_destination(z, dst)) {
        View *v = translate_read(b, z, env);           /* it begins with what an earlier kernel made elsewhere */
        if (view_same(b, v, dst)) keep(b, e, v, dst);
        else copy_view(b, &(Copy){e, v, dst, false});
        read_fold(b, e, dst, NULL, env);
    } else if (!is_space(z) || placed) {
        View *v = translate_read(b, z, env);
        if (!view_same(b, v, dst)) {
            read_needs_place(b, z->kind == T_PRIM ? z : e);
            return;
        }
        keep(b, e, v, dst);
        read_fold(b, e, dst, NULL, env);
    } else {
        copy_or_fail(b, e, read_reduce(b, e, env), dst);
    }
}

/* ---- scans ---- */

static bool is_scan(const Build *b, const Term *e, const Env *env)
{
    return e->kind == T_PRIM && prim_is_scan_seq((PrimId)e->prim) && !read_placed(b, e, env);
}

/* The one scan that a map in one work-item, by a loop, reads element by element; NULL: there is none. */
static const Term *scan_of(const Build *b, const Term *e, const Env *env)
{
    const Term *x = e->args[1], *found = NULL;
    if (prim_is_parallel((PrimId)e->prim) || x->kind != T_PRIM) return NULL;
    if (is_scan(b, x, env)) return x;
    for (int i = 0; i < x->arg_count && x->prim == PRIM_ZIP; i++) {
        if (!is_scan(b, x->args[i], env)) continue;
        if (found) return NULL;
        found = x->args[i];
    }
    return found;
}

/* What a scan accumulates in: private scalars, or the memory that its start is put in; NULL: E52, there is none. */
static View *scan_accumulator(Build *b, const Term *e, Env *env)
{
    if (emit_is_small(e->type->elems[0])) return read_accumulator(b, e, env);
    if (is_space(e->args[1])) return translate_read(b, e->args[1], env);
    read_needs_place(b, e->args[1]->kind == T_PRIM ? e->args[1] : e);
    return NULL;
}

/* A map of what is scanned, in the loop of the scan. */
static void write_map_of_scan(Build *b, const Term *e, const Term *scan, View *dst, Env *env)
{
    const Term *x = e->args[1];
    Fold f = {.e = scan, .env = env, .out = dst, .made = e};
    if (x != scan) f.beside = NEW_ARRAY(b->arena, View *, x->arg_count);
    for (int i = 0; f.beside && i < x->arg_count; i++) f.beside[i] = x->args[i] == scan ? NULL : translate_read(b, x->args[i], env);
    f.acc = scan_accumulator(b, scan, env);
    if (f.acc) run_fold(b, f);
}

/* ---- reductions by index ---- */

static void update_body(Build *b, void *data, const Nat *none)
{
    const Update *u = data;
    const Nat *i = u->index->kind == X_NAT ? u->index->nat : NULL;
    (void)none;
    if (!i) {       /* it is in range here alone, so that nobody else is told (translate_index) */
        i = kernel_index(b, (VarInfo){.kind = VAR_OPAQUE}, u->index->place.buf->name, u->cells->type->size);
    }
    View *cell = view_at(b, u->cells, i);
    if (u->e->prim == PRIM_REDUCE_BY_INDEX_ATOMIC) update_at_once(b, u, cell);
    else {
        Step s = {.e = u->e, .env = u->env, .acc = cell, .x = u->value};
        s.seen = seen_through(b, cell, &s.tag);
        take_step(b, &s);
    }
}

/* The pair goes to the cell that its index says, if there is one. dst: the place of a pair (view_is_update). */
static void write_update(Build *b, View *dst, View *pair)
{
    const Nat *n = dst->x->type->size;
    EmitScope scope;
    if (build_one_round(b)) return;
    bool open = emit_alone(b, dst, NULL, &scope);
    pair = view_force(b, pair);
    Update u = {.e = dst->term, .env = dst->env, .cells = dst->x, .value = view_field(b, pair, 1), .order = dst->k};
    if (u.e->prim == PRIM_REDUCE_BY_INDEX_SEQ && dst->n->value != b->in.par_count)
        build_fail(b, E53, u.e, "reduceByIndexSeq takes its pairs from one work-item, and several make them: mapSeq for them, or "
                   "reduceByIndexAtomic");
    else {
        u.index = view_value(b, view_field(b, pair, 0));
        const Expr *within = is_within(b, u.index, n);        /* is there a cell? A literal: that is known */
        if (b->in.lanes > 1 || u.index->width > 1) build_fail(b, E54, u.e, "an index differs from lane to lane of a vector");
        if (u.index->kind == X_LIT) u.index = expr_nat(b, SC_I32, nat_const(b->n, u.index->lit.i));
        if (u.index->kind != X_NAT && !(u.index->kind == X_LOAD && u.index->place.buf->once && !u.index->place.lane)) {
            u.index = expr_named(b, "at", u.index);
            if (within->kind != X_LIT) within = is_within(b, u.index, n);
        }
        if (within->kind != X_LIT) emit_guarded(b, within, emit_is_uniform(b, within), 0, update_body, &u, NULL);
        else if (within->lit.i && !b->failed) update_body(b, &u, NULL);
    }
    if (open) emit_leave(b, scope);
}

/* ---- writing ---- */

static void write_if(Build *b, const Term *e, View *dst, Env *env)
{
    const Expr *cond = view_value(b, translate_read(b, e->args[0], env));
    if (cond->kind == X_LIT) {
        translate_write(b, e->args[cond->lit.i ? 1 : 2], dst, env);
        return;
    }
    Stmt *s = stmt_new(b, S_IF);
    s->value = cond;
    s->uniform = emit_is_uniform(b, cond);
    for (int side = 0; side < 2; side++) {
        EmitScope scope = emit_enter(b, side ? &s->other : &s->body);
        translate_write(b, e->args[1 + side], dst, env);
        emit_leave(b, scope);
    }
}

static void write_space(Build *b, const Term *e, View *dst, Env *env)
{
    bool stream = b->stream;
    if (e->prim == PRIM_TO_GLOBAL_IMAGE && view_in_space(dst, SPACE_GLOBAL)) dst = view_image_written(b, e, dst);
    b->stream = stream || e->prim == PRIM_TO_GLOBAL_STREAM;
    if (emit_is_small(e->type) || view_in_space(dst, emit_space(e))) write_or_copy(b, e->args[0], dst, env);
    else {
        View *v = read_memory(b, e, env);
        bool outer = b->in.copies;
        b->in.copies = outer || view_is_private(v);
        copy_or_fail(b, e, v, dst);
        b->in.copies = outer;
    }
    b->stream = stream;
}

static void write_layout(Build *b, const Term *e, View *dst, Env *env)
{
    const Term *updated = view_updated(dst);
    if (updated && updated->prim == PRIM_REDUCE_BY_INDEX_SEQ && e->prim != PRIM_JOIN && e->prim != PRIM_SPLIT && !term_is_layout(e)) {
        build_fail(b, E53, e, "reduceByIndexSeq takes the pairs in their order, and %s has them made in another: move it to what "
                   "they are made of", prim(prim_of(e))->name);
        diag_note(&b->c->diag, "try", "lower");
        return;
    }
    View *in = view_inverse(b, e, dst, env);
    if (in) {
        translate_write(b, e->args[e->arg_count - 1], in, env);
        return;
    }
    View *v = translate_read(b, e, env);
    if (!b->failed && view_same(b, v, dst)) {
        keep(b, e, v, dst);
        return;
    }
    if (b->failed) return;
    if (b->in.copies || !(e->flags & (TF_MAPPED | TF_REDUCES))) {
        copy_or_fail(b, e, v, dst);
        return;
    }
    build_fail(b, E53, e, "%s has no inverse, so what is computed under it cannot be written through it: put toPrivate, toLocal or "
               "toGlobal under it and a mapped copy (mapSeq id) around it", prim(prim_of(e))->name);
    diag_note(&b->c->diag, "try", "lower");
}

/* True when the term was handled by its head. */
static bool write_head(Build *b, const Term *e, View *dst, Env *env)
{
    const Nat *n;
    if (e->kind != T_PRIM) return false;
    switch (prim((PrimId)e->prim)->write) {
    case WRITE_VALUE: return false;
    case WRITE_IF:
        if (b->in.lanes > 1 || (e->type->leaf_count == 1 && emit_is_small(e->type))) return false;      /* lanes choose for themselves */
        write_if(b, e, dst, env);
        break;
    case WRITE_TUPLE:
        if (emit_is_small(e->type) || view_is_update(dst)) return false;
        for (int i = 0; i < e->arg_count; i++) translate_write(b, e->args[i], view_field(b, dst, i), env);
        break;
    case WRITE_ZIP:
        if (view_updated(dst)) return false;
        for (int i = 0; i < e->arg_count; i++) translate_write(b, e->args[i], view_fields(b, dst, i), env);
        break;
    case WRITE_CONCAT:
        n = e->args[0]->type->size;
        translate_write(b, e->args[0], view_part(b, dst, nat_const(b->n, 0), n), env);
        translate_write(b, e->args[1], view_part(b, dst, n, e->args[1]->type->size), env);
        break;
    case WRITE_SCATTER:
        translate_write(b, e->args[0], dst, env);
        write_scattered(b, e, dst, env);
        break;
    case WRITE_BY_INDEX: {
        const Term *z = e->args[1];
        if (is_space(z) && (!view_in_space(dst, emit_space(z)) || read_placed(b, z, env))) {
            copy_or_fail(b, e, translate_read(b, e, env), dst);
            break;
        }
        if (is_space(z)) write_or_copy(b, z->args[0], dst, env);
        else translate_write(b, z, dst, env);
        read_pairs(b, e, dst, env);
        break;
    }
    case WRITE_SCAN: {
        View *acc = scan_accumulator(b, e, env);
        if (acc) read_fold(b, e, acc, dst, env);
        break;
    }
    case WRITE_LET: translate_write(b, e->args[1]->args[0], dst, bind_let(b, e, env)); break;
    case WRITE_SLICE: {
        const Term *body = read_slice_open(b, e, &env);
        if (body) translate_write(b, body, dst, env);
        break;
    }
    case WRITE_ITERATE: run_iterate(b, e, dst, env); break;
    case WRITE_REDUCE: write_reduce(b, e, dst, env); break;
    case WRITE_GLOBAL: case WRITE_LOCAL: case WRITE_PRIVATE: write_space(b, e, dst, env); break;
    case WRITE_LAYOUT: case WRITE_INVERSE: write_layout(b, e, dst, env); break;
    case WRITE_MAPPED: {
        Mapped m = {e, env, NULL, dst};
        const Term *reader = b->in.reader, *scan = scan_of(b, e, env);
        b->in.reader = e;
        if (scan) {
            write_map_of_scan(b, e, scan, dst, env);
            b->in.reader = reader;
            break;
        }
        m.xs = translate_read(b, e->args[1], env);
        if (prim_is_parallel((PrimId)e->prim)) {
            int d = term_map_dim(e);
            IdKind kind = kernel_id_of_map(b, e);
            unsigned before = b->in.bound[kind];
            unsigned mapped = b->in.mapped[kind];
            b->in.bound[kind] |= 1u << d;
            b->in.mapped[kind] |= 1u << d;
            if (kind == ID_LOCAL) map_local(b, &m, d);
            else map_ids(b, &m, kind, d, kind == ID_GLOBAL ? b->k->global[d] : b->k->extent[kind][d]);
            b->in.bound[kind] = before;
            b->in.mapped[kind] = mapped;
        } else emit_times(b, e, e->type->size, prim((PrimId)e->prim)->traits & PT_UNROLLED, map_body, &m);
        b->in.reader = reader;
        break;
    }
    }
    return true;
}

/* What it means, and beside it how a matrix unit makes it. Sums that begin with what is made for them begin so in their own place. */
static void write_unit(Build *b, const Term *e, const Term *mma, View *dst, Env *env)
{
    View *args[3];
    const Term *start = e->args[1];
    bool made = is_space(start) && !read_placed(b, start, env) && view_in_space(dst, emit_space(start));
    if (made) write_or_copy(b, start->args[0], dst, env);
    Stmt *s = stmt_new(b, S_UNIT);
    EmitScope scope = emit_enter(b, &s->body);
    if (made) read_fold(b, e, dst, NULL, env);
    else write_head(b, e, dst, env);
    emit_leave(b, scope);
    for (int i = 0; i < 3; i++) args[i] = made && i == 2 ? dst : translate_read(b, mma->args[i], env);
    s->unit = b->failed ? NULL : unit_of(b, args, dst);
    if (s->unit) b->needs.uses_units |= 1u << s->unit->scalar;
}

void translate_write(Build *b, const Term *e, View *dst, Env *env)
{
    EmitScope scope;
    const Term *origin = b->origin;
    if (!build_goes_on(b, e)) return;
    b->origin = e;
    bool open = emit_alone(b, dst, e, &scope);
    const Term *mma = unit_mma(b, e);
    if (mma) write_unit(b, e, mma, dst, env);
    else if (!write_head(b, e, dst, env)) {
        View *v = translate_read(b, e, env);
        if (view_is_update(dst)) write_update(b, dst, v);
        else if (emit_is_small(e->type)) emit_assign(b, e, dst, v);
        else copy_or_fail(b, e, v, dst);
    }
    b->origin = origin;
    if (open) emit_leave(b, scope);
}
