/* translate_read: the code that a value needs, and a view of the value (continuation-passing translation). */
#include "translate_emit.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- binding ---- */

typedef struct Binder {
    Build *b;
    const Term *body;
    const char *const *hint;             /* next in preorder; NULL: none */
    const char *outer;                   /* the name of the tuple around */
    int index;                           /* de Bruijn index of the next leaf, counting down */
} Binder;

/* Unrolled bodies are bound again and again. */
static const VarUse *var_use(Build *b, const Term *body, int index)
{
    VarUse *u = &b->uses[(body->id * 5 + (unsigned)index) % VAR_USES];
    if (u->body == body && u->index == index) return u;
    int uses = term_uses(body, index, 1);
    *u = (VarUse){body, index, uses, uses && term_demands(body, index, 1)};
    return u;
}

/* A value used more than once gets a name, unless repeating it costs nothing. What may go wrong is evaluated here only
 * if the body needs it in any case. */
static View *bind_leaf(Binder *k, View *v, const char *hint)
{
    Build *b = k->b;
    if (!b->k) return v;
    const VarUse *u = var_use(b, k->body, k->index);
    bool lazy = view_is_lazy(v), named = u->uses > 1 && view_type(v)->kind != TY_ARRAY, needed = u->needed;
    if (!u->uses || (!lazy && !named)) return v;
    if (lazy && !needed) return named ? view_lazy(b, v, hint) : v;
    v = view_force(b, v);
    if (!named) return v;
    return needed || expr_is_total(b, view_value(b, v)) ? view_named(b, v, hint) : view_lazy(b, v, hint);
}

static Env *bind_leaves(Binder *k, Env *env, const Type *type, View *v);

static const char *next_hint(Binder *k)
{
    const char *hint = k->hint ? *k->hint++ : NULL;
    return hint ? hint : k->outer;
}

static Env *bind_leaves(Binder *k, Env *env, const Type *type, View *v)
{
    const char *hint = next_hint(k);
    if (type->kind == TY_TUPLE) {
        const char *outer = k->outer;
        k->outer = hint;
        int first = k->index - type->leaf_count + 1;
        if (view_is_lazy(v) && term_demands(k->body, first, type->leaf_count)) v = view_force(k->b, v);
        for (int i = 0; i < type->count; i++) env = bind_leaves(k, env, type->elems[i], view_lazy_field(k->b, v, i));
        k->outer = outer;
        return env;
    }
    Env *r = MAKE(k->b->arena, Env, bind_leaf(k, v, hint), env);
    k->index--;
    return r;
}

Env *translate_bind(Build *b, Env *env, const Term *lambda, View *arg)
{
    const Type *param = lambda->type->elems[0];
    Binder k = {b, lambda->args[0], lambda->u.hints, NULL, param->leaf_count - 1};
    return bind_leaves(&k, env, param, arg);
}

/* Element i of every array that is zipped, in order. */
static void zipped_elements(Build *b, View *array, const Nat *i, View ***next)
{
    View *const *parts = view_zipped(array);
    int n = view_type(array)->elems[0]->count;
    for (int k = 0; parts && k < n; k++) zipped_elements(b, parts[k], i, next);
    if (!parts) *(*next)++ = view_at(b, array, i);
}

/* As bind_leaves, the components of a zip's element each by itself. */
static Env *bind_zipped(Binder *k, Env *env, const Type *type, View *array, View ***next)
{
    View *const *parts = view_zipped(array);
    if (!parts) return bind_leaves(k, env, type, *(*next)++);
    const char *outer = k->outer;
    k->outer = next_hint(k);
    for (int i = 0; i < type->count; i++) env = bind_zipped(k, env, type->elems[i], parts[i], next);
    k->outer = outer;
    return env;
}

Env *translate_bind_at(Build *b, Env *env, const Term *lambda, View *array, const Nat *i)
{
    const Type *param = lambda->type->elems[0];
    Binder k = {b, lambda->args[0], lambda->u.hints, NULL, param->leaf_count - 1};
    View *elements[ARG_MAX], **next = elements;
    if (!view_zipped(array) || param->leaf_count > ARG_MAX) return bind_leaves(&k, env, param, view_at(b, array, i));
    zipped_elements(b, array, i, &next);
    next = elements;
    return bind_zipped(&k, env, param, array, &next);
}

/* The first name in a lambda's parameter. */
const char *read_hint(const Term *lambda)
{
    const Type *t = lambda->type->elems[0];
    const char *const *h = lambda->u.hints;
    for (; h; h++, t = t->elems[0]) {
        if (*h) return *h;
        if (t->kind != TY_TUPLE) return NULL;
    }
    return NULL;
}

View *translate_apply(Build *b, const Term *lambda, View *arg, Env *env)
{
    return translate_read(b, lambda->args[0], translate_bind(b, env, lambda, arg));
}

/* A variable that holds the loaded index; elements of inputs are loaded once a block. */
static Buffer *index_value(Build *b, const Expr *e)
{
    if (e->kind == X_LOAD && e->place.buf->once && !e->place.lane) return e->place.buf;
    bool input = e->kind == X_LOAD && e->place.buf->read_only;
    for (int i = 0; i < b->indices.n && input; i++) {
        const IndexUse *u = &b->indices.v[i];
        if (place_same(&u->place, &e->place) && block_is_open(b, u->block)) return u->value;
    }
    IndexUse made = {e->place, b->block->id, stmt_value(b, "at", e)};
    if (input) vec_push(&b->indices, made);
    return made.value;
}

const Nat *translate_index(Build *b, View *v, const Nat *extent)
{
    const Expr *e = view_value(b, v);
    if (e->kind == X_NAT) return e->nat;
    if (e->kind == X_LIT) return nat_const(b->n, e->lit.i);
    if (e->width > 1) {
        build_fail(b, E54, b->in.reader, "an index differs from lane to lane of a vector");
        return nat_const(b->n, 0);
    }
    if (build_one_round(b)) return nat_const(b->n, 0);
    Buffer *buf = index_value(b, e);
    if (!buf->as_index) {
        VarInfo info = {.kind = VAR_OPAQUE, .value = buf, .place = place_of(b, buf)};
        buf->as_index = kernel_index(b, info, buf->name, extent);
    }
    return buf->as_index;
}

/* A tile is named after the one buffer in global memory that it is copied from. */
static const char *tile_name(Build *b, const Term *e, const Env *env)
{
    bool copied = is_local_space(e) && !(e->flags & (TF_COMPUTES | TF_REDUCES));
    const char *from = copied ? term_source(b, e->args[0], env) : NULL;
    if (!from || (b->in.hint && strcmp(b->in.hint, "tile") != 0)) return b->in.hint;
    return arena_printf(b->arena, isupper((unsigned char)*from) ? "tile%s" : "tile_%s", from);
}

View *read_memory(Build *b, const Term *e, Env *env)
{
    b->in.hint = tile_name(b, e, env);
    if (e->prim == PRIM_TO_PRIVATE && emit_is_small(e->type) && !(e->args[0]->flags & TF_MAPPED))
        return translate_read(b, e->args[0], env);
    View *v = translate_alloc(b, e->type, emit_space(e), e);
    translate_write(b, e->args[0], v, env);
    if (e->prim == PRIM_TO_LOCAL) b->in.seal = b->block->last;      /* who reads it may have to wait for it */
    return v;
}

/* ---- choices ---- */

typedef struct Side { View *v; Block block; Leaves leaves; bool plain; } Side;

static void leaf_values(Build *b, View *v, Leaves *out, bool *plain)
{
    v = view_force(b, v);
    const Type *t = view_type(v);
    for (int i = 0; t->kind == TY_TUPLE && i < t->count; i++) leaf_values(b, view_field(b, v, i), out, plain);
    if (t->kind == TY_TUPLE) return;
    Leaf leaf = {v, view_value(b, v)};
    *plain = *plain && (leaf.value->kind == X_LOAD || expr_is_atom(leaf.value));
    vec_push(out, leaf);
}

static bool are_total(Build *b, const Leaves *l)
{
    for (int i = 0; i < l->n; i++)
        if (!expr_is_total(b, l->v[i].value)) return false;
    return true;
}

static View *leaf_tree(Build *b, const Type *type, const Expr *const *values, int *next)
{
    if (type->kind != TY_TUPLE) return view_expr(b, type, values[(*next)++]);
    View *parts[ARG_MAX];
    for (int i = 0; i < type->count; i++) parts[i] = leaf_tree(b, type->elems[i], values, next);
    return view_tuple(b, type, parts);
}

static View *choose_array(Build *b, const Expr *cond, View *x, View *y)
{
    const Type *t = view_type(x);
    View *parts[ARG_MAX];
    if (t->kind == TY_ARRAY) return view_choice(b, cond, x, y);
    if (t->kind != TY_TUPLE) {
        const Expr *args[3] = {cond, view_value(b, x), view_value(b, y)};
        return view_expr(b, t, expr_op(b, PRIM_IF, t->scalar, args, 3));
    }
    for (int i = 0; i < t->count; i++) parts[i] = choose_array(b, cond, view_field(b, x, i), view_field(b, y, i));
    return view_tuple(b, t, parts);
}

static void open_side(Build *b, Side *s, View *(*side)(Build *, void *, int), void *data, int which)
{
    EmitScope scope = emit_enter(b, &s->block);
    s->plain = true;
    leaf_values(b, side(b, data, which), &s->leaves, &s->plain);
    emit_leave(b, scope);
}

/* Both sides as statements of an if, into fresh variables. */
static void choose_by_if(Build *b, const Expr *cond, Side s[2], const Expr **values)
{
    int n = s[0].leaves.n;
    Buffer **vars = NEW_ARRAY(b->arena, Buffer *, n);
    for (int i = 0; i < n; i++) {
        const Expr *x = s[0].leaves.v[i].value, *y = s[1].leaves.v[i].value;
        int width = x->width > y->width ? x->width : y->width;
        vars[i] = buffer_new(b, SPACE_PRIVATE, x->scalar, width, kernel_name(b, "t"));
        stmt_new(b, S_ALLOC)->buf = vars[i];
    }
    Stmt *branch = stmt_new(b, S_IF);
    branch->value = cond;
    branch->uniform = emit_is_uniform(b, cond);
    for (int side = 0; side < 2; side++) {
        *(side ? &branch->other : &branch->body) = s[side].block;
        EmitScope scope = emit_enter(b, side ? &branch->other : &branch->body);
        for (int i = 0; i < n; i++) {
            Place p = place_of(b, vars[i]);
            stmt_assign(b, &p, s[side].leaves.v[i].value);
        }
        emit_leave(b, scope);
    }
    for (int i = 0; i < n; i++) {
        Place p = place_of(b, vars[i]);
        values[i] = expr_load(b, &p);
    }
}

View *translate_choice(Build *b, const Expr *cond, View *(*side)(Build *, void *, int), void *data, const Type *type)
{
    if (cond->kind == X_LIT) return side(b, data, cond->lit.i ? 0 : 1);
    if (build_one_round(b)) return view_poison(b, type);
    if (!emit_is_small(type)) return choose_array(b, cond, side(b, data, 0), side(b, data, 1));
    Side s[2] = {0};
    for (int i = 0; i < 2; i++) open_side(b, &s[i], side, data, i);
    int n = s[0].leaves.n;
    const Expr **values = NEW_ARRAY(b->arena, const Expr *, n);
    bool empty = !s[0].block.first && !s[1].block.first;
    if (cond->width > 1 && !(empty && are_total(b, &s[0].leaves) && are_total(b, &s[1].leaves))) b->in.risky = true;
    if (empty && (n == 1 || cond->width > 1 || (s[0].plain && s[1].plain))) {
        for (int i = 0; i < n; i++) {
            const Expr *args[3] = {cond, s[0].leaves.v[i].value, s[1].leaves.v[i].value};
            values[i] = expr_op(b, cond->width > 1 ? PRIM_SELECT : PRIM_IF, args[1]->scalar, args, 3);
        }
    } else {
        choose_by_if(b, cond, s, values);
    }
    free(s[0].leaves.v);
    free(s[1].leaves.v);
    int next = 0;
    return leaf_tree(b, type, values, &next);
}

typedef struct IfTerm { const Term *e; Env *env; } IfTerm;

static View *if_side(Build *b, void *data, int which)
{
    IfTerm *t = data;
    const Term *side = t->e->args[1 + which];
    return emit_is_small(side->type) ? translate_read(b, side, t->env) : view_suspend(b, side, t->env);
}

static View *truth_side(Build *b, void *data, int which)
{
    IfTerm *t = data;
    bool right = (which == 0) == (t->e->prim == PRIM_AND);
    if (right) return translate_read(b, t->e->args[1], t->env);
    return view_expr(b, t->e->type, expr_lit(b, SC_BOOL, (LitValue){.i = t->e->prim == PRIM_OR}));
}

/* && and ||: statements that the right side needs stand under an if. */
static View *read_truth(Build *b, const Term *e, Env *env)
{
    IfTerm t = {e, env};
    const Expr *args[2] = {view_value(b, translate_read(b, e->args[0], env))};
    Side s = {0};
    if (args[0]->kind == X_LIT) return truth_side(b, &t, args[0]->lit.i ? 0 : 1);
    if (build_one_round(b)) return view_poison(b, e->type);
    open_side(b, &s, truth_side, &t, e->prim == PRIM_AND ? 0 : 1);
    args[1] = s.leaves.v[0].value;
    free(s.leaves.v);
    bool wide = args[0]->width > 1 || args[1]->width > 1;
    if (wide && (s.block.first || !expr_is_total(b, args[1]))) b->in.risky = true;
    if (!s.block.first || wide) {
        const Block *blk = &s.block;
        if (blk->first) {
            if (b->block->last) b->block->last->next = blk->first;
            else b->block->first = blk->first;
            b->block->last = blk->last;
        }
        return view_expr(b, e->type, expr_op(b, prim_of(e), SC_BOOL, args, 2));
    }
    return translate_choice(b, args[0], truth_side, &t, e->type);
}

/* ---- reductions and scans ---- */

typedef struct Fold {
    const Term *e;
    Env *env;
    View *acc, *xs, *out;                /* out: scanSeq's destination */
    View *seen;                          /* acc as the step reads it */
    int tag;
} Fold;

static void step_into(Build *b, Fold *f, const Nat *i, View *dst)
{
    const Term *lambda = f->e->args[0];
    View *parts[2] = {f->seen, view_at(b, f->xs, i)};
    Env *env = translate_bind(b, f->env, lambda, view_tuple(b, lambda->type->elems[0], parts));
    translate_write(b, lambda->args[0], dst, env);
}

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

static bool maps_in_parallel(const Term *e)
{
    return term_contains(e, PRIM_MAP_LOCAL, -1) || term_contains(e, PRIM_MAP_GLOBAL, -1) ||
           term_contains(e, PRIM_MAP_WORKGROUP, -1);
}

/* Remove what was emitted in this block behind `before`. */
static void undo(Build *b, Stmt *before, int locals)
{
    Block *blk = b->block;
    if (before) before->next = NULL;
    else blk->first = NULL;
    blk->last = before;
    blk->id = ++b->block_ids;                          /* values named in the undone part are gone */
    b->k->locals.n = locals;
}

/* The step cannot update in place: undo what it emitted, write the new values to a second array and copy them back. */
static bool step_by_copy(Build *b, Fold *f, const Nat *i, Stmt *before, int locals)
{
    if (maps_in_parallel(f->e->args[0]) || f->out) return false;
    undo(b, before, locals);
    b->in.hint = "next";
    bool private = view_in_space(f->acc, SPACE_PRIVATE);
    Space space = private ? SPACE_PRIVATE : view_in_space(f->acc, SPACE_LOCAL) ? SPACE_LOCAL : SPACE_GLOBAL;
    View *next = translate_alloc(b, f->e->type, space, f->e);
    step_into(b, f, i, next);
    copy_view(b, &(Copy){f->e, next, f->acc, private && f->e->prim == PRIM_REDUCE_SEQ_UNROLL});
    return true;
}

static void fold_step(Build *b, void *data, const Nat *i)
{
    Fold *f = data;
    Stmt *before = b->block->last;
    int locals = b->k->locals.n;
    b->in.seal = before;
    step_into(b, f, i, f->acc);
    if (f->out) emit_assign(b, f->e, view_at(b, f->out, i), f->acc);
    if (emit_is_small(f->e->type) || f->out || b->failed) return;
    const Place *bad = barrier_in_place(b, before ? before->next : b->block->first, f->tag);
    if (bad && build_one_round(b)) return;
    if (bad && !step_by_copy(b, f, i, before, locals))
        build_fail(b, E53, f->e, "%s updates its accumulator %s in place, but a step reads cells that it has not written "
                   "itself yet; write the step's result toLocal or toGlobal and copy it back", prim(prim_of(f->e))->name,
                   bad->buf->name);
}

void read_one_step(Build *b, const Term *e, View *z, View *dst, Env *env)
{
    Fold f = {.e = e, .env = env, .xs = translate_read(b, e->args[2], env), .seen = z};
    const Term *reader = b->in.reader;
    b->in.reader = e;
    step_into(b, &f, nat_const(b->n, 0), dst);
    b->in.reader = reader;
}

void read_fold(Build *b, const Term *e, View *acc, View *out, Env *env)
{
    View *xs = translate_read(b, e->args[2], env);
    vec_push(&b->tags, 0);
    int tag = b->tags.n;
    Fold f = {e, env, acc, xs, out, view_tagged(b, acc, tag), tag};
    const Term *reader = b->in.reader;
    Stmt *before = b->block->last;
    int locals = b->k->locals.n;
    bool ahead = b->in.ahead;
    b->in.reader = e;
    b->in.ahead = ahead || e->prim == PRIM_REDUCE_SEQ_PREFETCH;
    emit_times(b, e, e->args[2]->type->size, prim((PrimId)e->prim)->traits & PT_UNROLLED, fold_step, &f);
    b->in.ahead = ahead;
    b->in.reader = reader;
    Stmt *loop = b->block->last;
    bool looped = loop != before && loop->kind == S_FOR && (before ? before->next : b->block->first) == loop;
    if (e->prim == PRIM_REDUCE_SEQ_PREFETCH && looped && !b->failed) pipeline_loop(b, e, before, loop, locals);
}

/* A private accumulator of scalars or vectors, initialised. */
View *read_accumulator(Build *b, const Term *e, Env *env)
{
    View *z = translate_read(b, without_space(e->args[1]), env);
    const char *hint = read_hint(e->args[0]);
    b->in.hint = hint ? hint : "acc";
    View *acc = translate_alloc(b, e->args[1]->type, SPACE_PRIVATE, e);
    emit_assign(b, e, acc, z);
    return acc;
}

void read_needs_place(Build *b, const Term *e)
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
    b->failed = true;
}

View *read_reduce(Build *b, const Term *e, Env *env)
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

void read_pairs(Build *b, const Term *e, View *cells, Env *env)
{
    const Term *reader = b->in.reader;
    b->in.reader = e;
    translate_write(b, e->args[2], view_updates(b, e, cells, env), env);
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
    NatBinding p = {own->terms[0].factors[0].atom, length};
    const Term *r = term_subst_nats(b->c, f, &p, 1);
    if (!r) b->failed = true;
    return r;
}

enum { ITERATE_MAX = 256 };

int64_t read_iterate_count(Build *b, const Term *e)
{
    const Nat *k = e->statics[0];
    if (k->is_const && k->value <= ITERATE_MAX) return k->value;
    build_fail(b, E53, e, "iterate needs a constant count of at most %d", ITERATE_MAX);
    return 0;
}

static View *read_iterate(Build *b, const Term *e, Env *env)
{
    int64_t steps = read_iterate_count(b, e);
    const Nat *length = e->args[1]->type->size;
    View *v = translate_read(b, e->args[1], env);
    for (int64_t i = 0; i < steps && !b->failed; i++) {
        const Term *f = iterate_step(b, e, length);
        if (!f) break;
        v = translate_apply(b, f, v, env);
        length = f->type->elems[1]->size;
    }
    return v;
}

/* ---- slices ---- */

/* e with a name, as an index variable below that. plain: sizes and variables need none. */
static const Nat *named_index(Build *b, const Expr *e, bool plain, const char *hint, const Nat *extent, VarInfo info)
{
    if (e->kind == X_LIT) return nat_const(b->n, e->lit.i);
    if (e->kind == X_NAT && (plain || e->nat->is_const)) return e->nat;
    if (build_one_round(b)) return nat_const(b->n, 0);
    Buffer *buf = stmt_value(b, hint, e);
    info.kind = VAR_OPAQUE;
    info.value = buf;
    info.place = place_of(b, buf);
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
    const Expr *args[2] = {e, expr_nat(b, SC_I32, by)};
    bool inside = e->kind == X_NAT && (op == PRIM_MAX ? nat_less_eq(b->n, by, e->nat) : nat_less_eq(b->n, e->nat, by));
    return inside ? e : expr_op(b, op, SC_I32, args, 2);
}

/* How many elements a slice has, 0 where from >= to. */
static const Expr *slice_count(Build *b, const Expr *from, const Expr *to, const Nat *step)
{
    const Nat *zero = nat_const(b->n, 0), *one = nat_const(b->n, 1);
    const Expr *ends[2] = {to, from}, *rounded[2];
    const Expr *n = bounded(b, PRIM_MAX, expr_op(b, PRIM_SUB, SC_I32, ends, 2), zero);
    if (step == one) return n;
    rounded[0] = n, rounded[1] = expr_nat(b, SC_I32, nat_sub(b->n, step, one));
    rounded[0] = expr_op(b, PRIM_ADD, SC_I32, rounded, 2), rounded[1] = expr_nat(b, SC_I32, step);
    return expr_op(b, PRIM_QUOT, SC_I32, rounded, 2);
}

const Term *read_slice_open(Build *b, const Term *e, Env **env)
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
    const Expr *n = slice_count(b, expr_nat(b, SC_I32, first), to, step);
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
    for (int i = 0; i < e->arg_count; i++)
        if (!lifts(e->args[i])) return false;
    return true;
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
    for (int i = 0; i < e->arg_count; i++)
        if (!lifts(e->args[i])) return false;
    return true;
}

static View *lane_view(Build *b, const Type *type, View *v, int lane)
{
    if (type->kind != TY_TUPLE) return view_expr(b, type, expr_lane(b, view_value(b, v), lane));
    View *parts[ARG_MAX];
    for (int i = 0; i < type->count; i++) parts[i] = lane_view(b, type->elems[i], view_field(b, v, i), lane);
    return view_tuple(b, type, parts);
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

static int width_of(const Type *t)
{
    while (t->kind == TY_TUPLE) t = t->elems[0];
    return t->width;
}

/* The same values under the vector type. */
static View *as_type(Build *b, const Type *type, View *v)
{
    if (type->kind != TY_TUPLE) return view_expr(b, type, view_value(b, v));
    View *parts[ARG_MAX];
    for (int i = 0; i < type->count; i++) parts[i] = as_type(b, type->elems[i], view_field(b, v, i));
    return view_tuple(b, type, parts);
}

/* All lanes at once. NULL: one that chooses would evaluate both sides, in which something may go wrong. */
static View *read_abreast(Build *b, const Term *e, View *in, Env *env)
{
    Stmt *before = b->k ? b->block->last : NULL;
    int outer = b->in.lanes, locals = b->k ? b->k->locals.n : 0;
    bool risky = b->in.risky;
    b->in.lanes = width_of(e->type);
    b->in.risky = false;
    View *v = as_type(b, e->type, translate_apply(b, e->args[0], in, env));
    if (b->in.risky && b->k) undo(b, before, locals);
    if (b->in.risky) v = NULL;
    b->in.lanes = outer;
    b->in.risky = risky;
    return v;
}

static View *read_map_vec(Build *b, const Term *e, Env *env)
{
    int w = width_of(e->type), outer = b->in.lanes;
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
    for (int i = 0; i < e->arg_count; i++) args[i] = view_value(b, translate_read(b, e->args[i], env));
    if (e->prim == PRIM_VEC) return view_expr(b, e->type, expr_vec(b, e->type->scalar, args, e->arg_count));
    if (e->prim == PRIM_LANE) return view_expr(b, e->type, expr_lane(b, args[0], (int)e->statics[0]->value));
    return view_expr(b, e->type, expr_op(b, prim_of(e), e->type->scalar, args, e->arg_count));
}

static View *read_if(Build *b, const Term *e, Env *env)
{
    IfTerm t = {e, env};
    return translate_choice(b, view_value(b, translate_read(b, e->args[0], env)), if_side, &t, e->type);
}

static View *read_parts(Build *b, const Term *e, Env *env)
{
    View *args[ARG_MAX] = {0};
    if (e->prim == PRIM_TUPLE) return view_suspend(b, e, env);
    for (int i = 0; i < e->arg_count; i++)
        if (e->args[i]->kind != T_LAM) args[i] = translate_read(b, e->args[i], env);
    if (e->prim == PRIM_PROJ) return view_field(b, args[0], e->u.proj);
    if (e->prim == PRIM_AT) {
        /* An index that differs from lane to lane: an element for each. */
        View *index = args[0];
        View *array = args[1];
        const Expr *i = view_value(b, index);
        const Nat *extent = e->args[1]->type->size, *first = expr_counts_from(b, i);
        int w = i->width;
        if (first && e->type->kind == TY_SCALAR) return view_vector(b, array, first, type_vector(b->c, w, e->type));
        if (w == 1 || !emit_is_small(e->type)) return view_at(b, array, translate_index(b, index, extent));
        View *lanes[16], *all = view_named(b, index, "at");
        for (int k = 0; k < w; k++)
            lanes[k] = view_force(b, view_at(b, array, translate_index(b, lane_view(b, e->args[0]->type, all, k), extent)));
        return from_lanes(b, e->type, lanes, w);
    }
    return view_layout(b, e, args, env);
}

/* A named array that is computed where it is read is computed at every use (decisions.md: Lowering). */
void read_warn_virtual(Build *b, const Term *let)
{
    const Term *value = let->args[0], *f = let->args[1];
    int uses = value->type->kind == TY_ARRAY ? term_uses(f->args[0], 0, value->type->leaf_count) : 0;
    if (uses < 2 || !(value->flags & TF_COMPUTES) || (value->flags & (TF_MAPPED | TF_REDUCES | TF_MEMORY))) return;
    const char *name = read_hint(f);
    build_warn(b, "%s is computed again at each of its %d uses; let %s = toPrivate (mapSeq id ...) computes it once", name ? name : "an array",
               uses, name ? name : "x");
}

static View *read_let(Build *b, const Term *e, Env *env)
{
    const Term *f = e->args[1];
    read_warn_virtual(b, e);
    if (is_space(e->args[0])) b->in.hint = read_hint(f);
    View *v = view_suspend(b, e->args[0], env);
    b->in.hint = NULL;
    return translate_read(b, f->args[0], translate_bind(b, env, f, v));
}

static View *read_map(Build *b, const Term *e, Env *env) { return view_map(b, e, translate_read(b, e->args[1], env), env); }

/* What is computed all at once into memory, and has none here. */
static View *read_computed(Build *b, const Term *e, Env *env)
{
    (void)env;
    read_needs_place(b, e);
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
