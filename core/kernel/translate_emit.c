/* translate_emit: statements added to the current kernel: loops, guards, allocations, stores. */
#include "translate_emit.h"

#include <stdlib.h>
#include <string.h>

bool emit_is_small(const Type *t)
{
    for (int i = 0; t->kind == TY_TUPLE && i < t->count; i++)
        if (!emit_is_small(t->elems[i])) return false;
    return t->kind != TY_ARRAY;
}

/* ---- control flow ---- */

/* Loops side by side share names; a loop never takes the name of a value, nor a value that of a loop. */
static const char *loop_name(Build *b, int depth)
{
    static const char *const names[] = {"i", "j", "k", "m", "n", "p", "q", "r", "s", "t", "u", "v"};
    for (int i = depth; i < COUNT(names); i++) {
        if (!kernel_loop_name(b, names[i])) continue;
        b->k->loop_depth += i - depth;
        return names[i];
    }
    return kernel_name(b, "i");
}

EmitScope emit_enter(Build *b, Block *inner)
{
    EmitScope s = {b->block, b->k->loop_depth};
    block_open(b, inner);
    return s;
}

void emit_leave(Build *b, EmitScope s)
{
    b->block = s.block;
    b->k->loop_depth = s.depth;
}

void emit_for(Build *b, EmitRange r, EmitBody *body, void *data)
{
    if (build_one_round(b)) return;
    Stmt *s = stmt_new(b, S_FOR);
    EmitScope scope = emit_enter(b, &s->body);
    s->var = kernel_index(b, r.info, loop_name(b, b->k->loop_depth), r.extent);
    b->k->loop_depth++;
    s->from = r.from;
    s->limit = r.limit;
    s->step = r.step;
    s->uniform = r.uniform;
    body(b, data, s->var);
    emit_leave(b, scope);
}

static bool nat_is_uniform(const Build *b, const Nat *n)
{
    NatAtomVec vars = {0};
    nat_vars(n, &vars);
    bool ok = true;
    for (int i = 0; i < vars.n; i++) {
        const VarInfo *v = kernel_var(b->k, vars.v[i]);
        ok = ok && (!v || v->kind == VAR_LOOP || (v->kind == VAR_ID && v->id == ID_GROUP));
    }
    free(vars.v);
    return ok;
}

enum { UNROLL_MAX = 4096, ROUNDS_MIN = 3 };          /* rounds that are worth translating the body for any of them */

void emit_times(Build *b, const Term *e, const Nat *n, bool unroll, EmitBody *body, void *data)
{
    if (unroll && (!n->is_const || n->value > UNROLL_MAX)) {
        build_fail(b, E53, e, "%s needs a constant length of at most %d", prim(prim_of(e))->name, UNROLL_MAX);
    } else if (n->is_const && !n->value) {
        return;
    } else if (n->is_const && (unroll || n->value == 1)) {
        bool plain = e->kind == T_PRIM && !(e->args[0]->flags & (TF_MEMORY | TF_REDUCES));
        if (n->value >= ROUNDS_MIN && plain && unroll_rounds(b, n, body, data)) return;
        for (int64_t i = 0; i < n->value && !b->failed; i++) body(b, data, nat_const(b->n, i));
    } else {
        bool uniform = nat_is_uniform(b, n);
        emit_for(b, (EmitRange){nat_const(b->n, 0), n, nat_const(b->n, 1), n, uniform, {.kind = VAR_LOOP}}, body, data);
    }
}

const Expr *emit_compare(Build *b, PrimId op, const Nat *x, const Nat *y)
{
    const Expr *args[2] = {expr_nat(b, SC_I32, x), expr_nat(b, SC_I32, y)};
    return expr_op(b, op, SC_BOOL, args, 2);
}

void emit_guarded(Build *b, const Expr *cond, bool uniform, unsigned pinned, EmitBody *body, void *data, const Nat *i)
{
    Stmt *s = stmt_new(b, S_IF);
    s->single = pinned != 0;
    s->limit = nat_const(b->n, pinned);
    s->value = cond;
    s->uniform = uniform;
    EmitScope scope = emit_enter(b, &s->body);
    body(b, data, i);
    emit_leave(b, scope);
}

/* Does every work-item of a group see the same value? */
bool emit_is_uniform(const Build *b, const Expr *e)
{
    if (e->kind == X_NAT) return nat_is_uniform(b, e->nat);
    if (e->kind == X_LOAD && !(e->place.buf->read_only && nat_is_uniform(b, e->place.at))) return false;
    for (int i = 0; i < e->arg_count; i++)
        if (!emit_is_uniform(b, e->args[i])) return false;
    return true;
}

/* ---- storing ---- */

/* Ids of a dimension that runs but is not bound here: without a guard every work-item of it would store. */
static bool is_loose(const Build *b, IdKind kind, int d)
{
    const Kernel *k = b->k;
    if (b->in.bound[kind] & 1u << d) return false;
    return !k->id[kind][d]->is_const;
}

static const Expr *loose_guard(Build *b, unsigned loose[ID_KINDS])
{
    const Expr *cond = NULL;
    for (int kind = 0; kind < ID_KINDS; kind++) {
        for (int d = 0; d < 3; d++) {
            if (!(loose[kind] & 1u << d)) continue;
            const Expr *one = emit_compare(b, PRIM_EQ, b->k->id[kind][d], nat_const(b->n, 0));
            const Expr *both[2] = {cond, one};
            cond = cond ? expr_op(b, PRIM_AND, SC_BOOL, both, 2) : one;
        }
    }
    return cond;
}

bool emit_loose(const Build *b, unsigned loose[ID_KINDS])
{
    bool any = false;
    for (int kind = 0; kind < ID_KINDS; kind++) {
        loose[kind] = 0;
        for (int d = 0; d < 3; d++)
            if (is_loose(b, (IdKind)kind, d)) loose[kind] |= 1u << d;
        any |= loose[kind] != 0;
    }
    return any;
}

/* Adjacent guards of the same ids are one. */
bool emit_guard(Build *b, unsigned loose[ID_KINDS], EmitScope *scope)
{
    const Expr *cond = loose_guard(b, loose);
    if (!cond) return false;
    Stmt *last = b->block->last;
    const Nat *dims = nat_const(b->n, (int64_t)(loose[0] | loose[1] << 3 | loose[2] << 6));
    if (!last || last == b->in.seal || last->kind != S_IF || !last->single || last->limit != dims) {
        last = stmt_new(b, S_IF);
        last->value = cond;
        last->single = true;
        last->uniform = !loose[ID_LOCAL] && !loose[ID_GLOBAL];
        last->limit = dims;
    }
    *scope = emit_enter(b, &last->body);
    return true;
}

static void assign(Build *b, const Term *e, View *dst, const Expr *value)
{
    Place p;
    View *const *lanes;
    int n;
    if (view_place(dst, &p)) {
        unsigned loose[ID_KINDS];
        EmitScope scope;
        if (value->kind != X_LOAD || !place_same(&value->place, &p)) {
            bool open = p.buf->space != SPACE_PRIVATE && emit_loose(b, loose) && emit_guard(b, loose, &scope);
            stmt_assign(b, &p, value);
            if (open) emit_leave(b, scope);
        }
    } else if (view_lanes(dst, &lanes, &n)) {
        if (value->kind != X_VEC && !expr_is_atom(value)) {
            Place v = place_of(b, stmt_value(b, "v", value));
            value = expr_load(b, &v);
        }
        for (int i = 0; i < n; i++) assign(b, e, lanes[i], expr_lane(b, value, i));
    } else if (!b->failed) {
        build_fail(b, E53, e, "this value cannot be written where it has to go");
    }
}

static void collect_leaves(Build *b, View *dst, View *v, Leaves *out)
{
    const Type *t = view_type(dst);
    if (t->kind == TY_TUPLE) {
        v = view_force(b, v);
        for (int i = 0; i < t->count; i++) collect_leaves(b, view_field(b, dst, i), view_field(b, v, i), out);
        return;
    }
    Leaf leaf = {dst, view_value(b, v)};
    vec_push(out, leaf);
}

static bool reads_buffer(const Expr *e, const View *dst)
{
    Place p;
    if (!view_place(dst, &p)) return true;
    if (e->kind == X_LOAD && e->place.buf == p.buf) return true;
    for (int i = 0; i < e->arg_count; i++)
        if (reads_buffer(e->args[i], dst)) return true;
    return false;
}

/* All components are computed before the first is stored, as far as it matters. */
void emit_assign(Build *b, const Term *e, View *dst, View *v)
{
    if (view_type(dst)->kind != TY_TUPLE) {
        assign(b, e, dst, view_value(b, v));
        return;
    }
    Leaves l = {0};
    collect_leaves(b, dst, v, &l);
    for (int i = 1; i < l.n; i++) {
        bool hazard = false;
        for (int j = 0; j < i; j++) hazard |= reads_buffer(l.v[i].value, l.v[j].dst);
        if (!hazard || build_one_round(b)) continue;
        Place p;
        const Expr *value = l.v[i].value;
        if (view_place(l.v[i].dst, &p) && value->kind == X_LOAD && place_same(&p, &value->place)) continue;
        p = place_of(b, stmt_value(b, "next", l.v[i].value));
        l.v[i].value = expr_load(b, &p);
    }
    for (int i = 0; i < l.n; i++) assign(b, e, l.v[i].dst, l.v[i].value);
    free(l.v);
}

/* ---- memory ---- */

typedef struct Alloc {
    Build *b;
    const Term *at;
    Space space;
    const char *name;
    const Nat *dims[RANK_MAX];
    int rank;
    int lead;
    VEC(Buffer *) made;
} Alloc;

static void alloc_leaf(Alloc *a, const Type *t)
{
    Build *b = a->b;
    int width = t->kind == TY_VECTOR ? t->width : a->space == SPACE_PRIVATE ? b->in.lanes : 1;
    Buffer *buf = buffer_new(b, a->space, t->scalar, a->space == SPACE_PRIVATE ? width : 1, a->name);
    buf->rank = a->rank;
    buf->count = nat_const(b->n, width);
    buf->padding = row_padding(a->at);
    for (int d = 0; d < a->rank; d++) {
        buf->dims[d] = d + 1 == a->rank && buf->padding ? nat_add(b->n, a->dims[d], buf->padding) : a->dims[d];
        buf->count = nat_mul(b->n, buf->count, buf->dims[d]);
    }
    vec_push(&a->made, buf);
    if (a->space == SPACE_GLOBAL) {
        buf->plan = b->plan_buffers.n;
        buf->name = kernel_temp_name(b);
        vec_push(&b->plan_buffers, ((PlanBuffer){.kind = PLAN_TEMP, .name = buf->name, .input = -1, .scalar = buf->scalar, .count = buf->count}));
        vec_push(&b->globals, buf);
        return;
    }
    buf->name = kernel_name(b, a->name);
    if (a->space == SPACE_PRIVATE) {
        stmt_new(b, S_ALLOC)->buf = buf;
        return;
    }
    vec_push(&b->k->locals, buf);
    if (!buf->count || !buf->count->is_const)
        build_fail(b, E53, a->at, "a local array needs a constant size: bind the sizes or parameters in %s",
                   type_text(b->c, a->at->type));
}

static void alloc_parts(Alloc *a, const Type *t)
{
    if (t->kind == TY_TUPLE) {
        for (int i = 0; i < t->count; i++) alloc_parts(a, t->elems[i]);
    } else if (t->kind != TY_ARRAY) {
        alloc_leaf(a, t);
    } else if (a->rank == RANK_MAX) {
        build_fail(a->b, E54, a->at, "an array has more than %d dimensions", RANK_MAX);
    } else {
        const Nat *room = kernel_room(a->b, t->size);
        if (!room) build_fail(a->b, E53, a->at, "how many elements of %s there are is known only when it runs: they need no memory "
                              "if what computes them is fused with what reads them", type_text(a->b->c, a->at->type));
        a->dims[a->rank++] = room;
        alloc_parts(a, t->elems[0]);
        a->rank--;
    }
}

View *translate_alloc(Build *b, const Type *type, Space space, const Term *at)
{
    static const char *const names[] = {"r", "tile", "tmp"};
    Alloc a = {.b = b, .at = at, .space = space, .name = b->in.hint ? b->in.hint : names[space]};
    b->in.hint = NULL;
    if (build_one_round(b)) return view_poison(b, type);
    /* one for each instance of the parallel maps around: in global memory of all, in local memory of those in a group */
    const Nat **lead = NEW_ARRAY(b->arena, const Nat *, b->in.par_count);
    for (int i = 0; space != SPACE_PRIVATE && i < b->in.par_count; i++) {
        if (space == SPACE_LOCAL && !b->in.par_local[i]) continue;
        lead[a.rank] = b->in.par[i];
        a.dims[a.rank++] = kernel_room(b, b->in.par_extent[i]);
    }
    int leading = a.rank;
    if (space == SPACE_LOCAL && !b->in.bound[ID_GROUP])
        build_fail(b, E53, at, "toLocal outside mapWorkgroup: there is no work-group to share it");
    alloc_parts(&a, type);
    Buffer **parts = NEW_ARRAY(b->arena, Buffer *, a.made.n);
    if (a.made.n) memcpy(parts, a.made.v, sizeof *parts * (size_t)a.made.n);
    free(a.made.v);
    if (b->failed) return view_poison(b, type);
    return view_memory(b, type, parts, lead, leading);
}

Space emit_space(const Term *e)
{
    bool global = e->prim == PRIM_TO_GLOBAL || e->prim == PRIM_TO_GLOBAL_STREAM || e->prim == PRIM_TO_GLOBAL_IMAGE;
    return global ? SPACE_GLOBAL : is_local_space(e) ? SPACE_LOCAL : SPACE_PRIVATE;
}

/* ---- folds of one round ---- */

/* \x -> x, or a map of that, at any depth. */
static bool is_copy(const Term *f)
{
    const Term *body = f->args[0];
    if (body->kind == T_VAR) return body->u.index == 0;
    return term_is_mapped(body) && is_copy(body->args[0]) && body->args[1]->kind == T_VAR && body->args[1]->u.index == 0;
}

static const Term *without_copies(const Term *z)
{
    for (;;) {
        if (is_space(z)) z = z->args[0];
        else if (term_is_mapped(z) && is_copy(z->args[0])) z = z->args[1];
        else return z;
    }
}

/* Does e store every element of its value, wherever it is written? Not so where it hands on an array that it was given. */
static bool stores_all(const Term *e)
{
    if (emit_is_small(e->type)) return true;
    if (e->kind != T_PRIM) return false;
    if (term_is_mapped(e)) return stores_all(e->args[0]->args[0]);
    if (prim_is_reduce((PrimId)e->prim)) return is_space(e->args[1]);
    if (e->prim == PRIM_LET) return stores_all(e->args[1]->args[0]);
    if (e->prim != PRIM_MAP && prim((PrimId)e->prim)->family != FAM_LAYOUT) return false;
    for (int i = 0; i < e->arg_count; i++)
        if (e->args[i]->kind != T_LAM && !stores_all(e->args[i])) return false;
    return true;
}

const Term *emit_unstored_start(const Term *e)
{
    const Nat *n = e->args[2]->type->size;
    const Term *z = without_copies(e->args[1]);
    bool one = n->is_const && n->value == 1 && is_space(e->args[1]) && term_is_layout(z);
    return one && stores_all(e->args[0]->args[0]) ? z : NULL;
}
