/* translate_by_index: reductions by index. The pairs are written where they are made; a write there updates an element. */
#include "dialect.h"
#include "translate_emit.h"
#include "translate_view.h"

/* The destination of the pairs is a view of the elements (V_UPDATES): what is written to it is an index and a value, wherever it
 * comes from in the layouts and maps that make the pairs, and f of the element there and the value goes to that element. So the
 * maps over the pairs say who updates. reduceByIndexSeq updates with plain reads and writes; reduceByIndexAtomic with one indivisible
 * step for each scalar of the element, which asks that f makes each from the same scalar of both. */

/* ---- one scalar, at once ---- */

/* Where the parts of an element are while its update is made: the part's own leaves are the variables from `last` on, `leaves` of them. */
typedef struct Part {
    const Term *e, *body;                /* the node, for messages; what becomes of the part */
    Env *env;
    View *cell;
    int last, leaves, turn;
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
    if (t->kind != T_PRIM || t->arg_count != 2 || !b->dialect->atomic((PrimId)t->prim, t->type->scalar)) return NULL;
    for (int i = 0; i < 2; i++) {
        const Term *acc = t->args[i], *x = t->args[1 - i];
        if (acc->kind == T_VAR && acc->u.index == p->last && !term_mentions(x, p->last, 1)) return x;
    }
    return NULL;
}

static Stmt *update_stmt(Build *b, const Place *at, PrimId op, int turn)
{
    Stmt *s = stmt_new(b, S_ATOMIC);
    Atomic *a = MAKE(b->arena, Atomic, .op = op, .turn = turn);
    s->atomic = a;
    s->place = *at;
    at->buf->written = true;
    b->uses_atomics64 |= scalar_bytes(at->buf->scalar) == 8;
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
        else if (!b->dialect->atomic(PRIM_COUNT, t->scalar)) refuse(b, p, "no type but i32, u32, f32, i64 and f64 has atomic operations");
        else if (operand(b, p)) {
            const Expr *value = view_value(b, translate_read(b, operand(b, p), p->env));
            update_stmt(b, &at, (PrimId)p->body->prim, p->turn)->value = value;
        } else {
            /* By exchanging what was seen for what it becomes, until nobody came between. */
            Buffer *old = buffer_new(b, SPACE_PRIVATE, at.buf->scalar, 1, kernel_name(b, "old"));
            stmt_new(b, S_ALLOC)->buf = old;
            Stmt *s = update_stmt(b, &at, PRIM_COUNT, p->turn);
            Place seen = place_of(b, old);
            *s->atomic = (Atomic){PRIM_COUNT, p->turn, old, kernel_name(b, "held"), kernel_name(b, "next"), kernel_name(b, "seen")};
            EmitScope scope = emit_enter(b, &s->body);
            Env *env = with_value(b, p->env, p->last, view_expr(b, p->body->type, expr_load(b, &seen)));
            s->value = view_value(b, translate_read(b, p->body, env));
            emit_leave(b, scope);
        }
    }
}

void update_at_once(Build *b, const Update *u, View *cell)
{
    const Term *f = u->e->args[0];
    View *parts[2] = {cell, u->value};
    int leaves = f->type->elems[1]->leaf_count;
    if (view_is_private(cell)) {
        build_fail(b, E53, u->e, "reduceByIndexAtomic works on what work-items share: toLocal or toGlobal around its start, or reduceByIndexSeq");
        return;
    }
    Env *env = translate_bind(b, u->env, f, view_tuple(b, f->type->elems[0], parts));
    update_part(b, &(Part){u->e, f->args[0], env, cell, leaves, leaves, u->turn});
}

/* ---- pairs ---- */

typedef struct Range { int64_t lo, hi; } Range;

static bool number_of(const Expr *e, int64_t *n)
{
    if (e->kind == X_NAT && e->nat->is_const) return *n = e->nat->value, true;
    return e->kind == X_LIT && scalar_is_int(e->scalar) && (*n = e->lit.i, true);
}

/* What an integer is at least and at most, as far as its last operation says. */
static Range range_of(const Expr *e)
{
    Range any = {INT64_MIN, INT64_MAX}, x, y;
    int64_t n;
    if (number_of(e, &n)) return (Range){n, n};
    if (e->kind == X_OP && prim_is_cast(e->op) && scalar_widens(e->args[0]->scalar, e->scalar)) e = e->args[0];      /* a byte */
    if (scalar_is_int(e->scalar) && scalar_bytes(e->scalar) < 4) any = (Range){scalar_least(e->scalar), scalar_most(e->scalar)};
    if (e->kind != X_OP || !scalar_is_int(e->scalar) || e->arg_count != 2) return any;
    bool number = number_of(e->args[1], &n);
    if (e->op == PRIM_MOD && number && n > 0) return (Range){0, n - 1};
    if (e->op == PRIM_BAND && (number || number_of(e->args[0], &n)) && n >= 0) return (Range){0, n};
    if (e->op != PRIM_MIN && e->op != PRIM_MAX) return any;
    x = range_of(e->args[0]);
    y = range_of(e->args[1]);
    bool least = e->op == PRIM_MIN;
    return (Range){(x.lo < y.lo) == least ? x.lo : y.lo, (x.hi < y.hi) == least ? x.hi : y.hi};
}

/* 0 <= i < n; a literal where that is known. */
static const Expr *is_within(Build *b, const Expr *i, const Nat *n)
{
    Range r = range_of(i);
    if (i->kind == X_NAT) {
        const Expr *both[2] = {emit_compare(b, PRIM_LE, nat_const(b->n, 0), i->nat), emit_compare(b, PRIM_LT, i->nat, n)};
        return expr_op(b, PRIM_AND, SC_BOOL, both, 2);
    }
    if (r.lo >= 0 && n->is_const && r.hi < n->value) return expr_lit(b, SC_BOOL, (LitValue){.i = 1});
    const Expr *word = expr_op(b, PRIM_TO_U32, SC_U32, &i, 1), *args[2] = {word, expr_nat(b, SC_I32, n)};
    return expr_op(b, PRIM_LT, SC_BOOL, args, 2);                     /* as unsigned numbers */
}

bool update_start(Build *b, View *dst, View *pair, Update *u)
{
    const Nat *n = dst->x->type->size;
    pair = view_force(b, pair);
    *u = (Update){.e = dst->term, .env = dst->env, .cells = dst->x, .value = view_field(b, pair, 1), .turn = dst->k};
    if (u->e->prim == PRIM_REDUCE_BY_INDEX_SEQ && dst->n->value != b->in.par_count)
        return build_fail(b, E53, u->e, "reduceByIndexSeq takes its pairs from one work-item, and several make them: mapSeq for them, or "
                          "reduceByIndexAtomic");
    u->index = view_value(b, view_field(b, pair, 0));
    if (b->in.lanes > 1 || u->index->width > 1) return build_fail(b, E54, u->e, "an index differs from lane to lane of a vector");
    u->within = is_within(b, u->index, n);
    if (u->index->kind == X_LIT) u->index = expr_int(b, u->index->lit.i);
    if (u->index->kind == X_NAT || (u->index->kind == X_LOAD && u->index->place.buf->once && !u->index->place.lane)) return true;
    Place at = place_of(b, stmt_value(b, "at", u->index));
    u->index = expr_load(b, &at);
    if (u->within->kind != X_LIT) u->within = is_within(b, u->index, n);
    return true;
}

/* The index is in range here alone, so that nobody else is told (translate_index). */
View *update_cell(Build *b, const Update *u)
{
    const Nat *n = u->cells->type->size;
    if (u->index->kind == X_NAT) return view_at(b, u->cells, u->index->nat);
    Buffer *at = u->index->place.buf;
    return view_at(b, u->cells, kernel_index(b, (VarInfo){.kind = VAR_OPAQUE, .value = at, .place = u->index->place}, at->name, n));
}
