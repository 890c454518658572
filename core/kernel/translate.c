/* translate: terms written into destinations (acceptor-passing translation): maps, folds, scans, iterations. */
#include "translate_emit.h"

#include <string.h>

/* Acceptor style (stages.md): translate_write makes code that computes a term into a destination view; its
 * counterpart translate_read (read.c) makes the code that a value needs and returns a view of the value. */

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
        b->in.par_local[b->in.par_count] = m->e->prim == PRIM_MAP_LOCAL;
        b->in.par_extent[b->in.par_count++] = m->e->type->size;
    }
    Env *env = translate_bind_at(b, m->env, f, m->xs, i);
    translate_write(b, f->args[0], view_at(b, m->dst, i), env);
    b->in.par_count = outer;
}

/* The id variable seen where it is known to lie below n. */
static const Nat *id_below(Build *b, IdKind kind, int d, const Nat *n)
{
    static const char *const names[ID_KINDS][3] = {{"gid0", "gid1", "gid2"}, {"wg0", "wg1", "wg2"}, {"l0", "l1", "l2"}};
    return kernel_index(b, (VarInfo){.kind = VAR_ID, .id = kind, .dim = d}, names[kind][d], n);
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
                     (b->in.ahead && view_in_space(m->dst, SPACE_LOCAL));
    bool unroll = registers && size->value > 1 && rounds->is_const && rounds->value <= LOCAL_UNROLL_MAX;
    VarInfo info = {.kind = VAR_LOOP, .id = ID_LOCAL, .dim = d, .rounds = true};
    if (unroll) emit_times(b, m->e, rounds, true, local_body, &q);
    else emit_for(b, (EmitRange){nat_const(b->n, 0), rounds, nat_const(b->n, 1), rounds, true, info}, local_body, &q);
}

/* ---- reductions and scans ---- */

static void write_update(Build *b, View *dst, View *pair);

static void write_small_reduce(Build *b, const Term *e, View *dst, Env *env)
{
    const Term *z = without_space(e->args[1]);
    bool others = !view_is_private(dst) || view_is_update(dst) || term_reads(b, e->args[0], env, dst) || term_reads(b, e->args[2], env, dst);
    if (others) {
        if (view_is_update(dst)) write_update(b, dst, read_reduce(b, e, env));
        else emit_assign(b, e, dst, read_reduce(b, e, env));
        return;
    }
    emit_assign(b, e, dst, translate_read(b, z, env));
    read_fold(b, e, dst, NULL, env);
}

static void copy_or_fail(Build *b, const Term *e, View *v, View *dst)
{
    if (b->failed || view_same(b, v, dst)) return;
    diag_error(&b->c->diag, E52, "the array %s at %s has to be copied to its place: write mapSeq id (or another mapped copy) "
               "around it", e->kind == T_PRIM ? prim(prim_of(e))->name : "value", build_path(b, e));
    diag_note(&b->c->diag, "producer", "%s : %s", build_path(b, e), type_text(b->c, e->type));
    diag_note(&b->c->diag, "choose", "mapSeq, mapSeqUnroll, mapLocal or mapGlobal of id, or another memory for it");
    b->failed = true;
}

/* Does the fold accumulate in the destination itself? */
static bool into_destination(const Term *z, const View *dst)
{
    return is_space(z) && view_in_space(dst, emit_space(z)) && (emit_space(z) == SPACE_GLOBAL || !view_is_private(dst));
}

/* A fold of one round is its step from the start as it is, which is not stored first. False: it is no such fold. */
static bool write_one_round(Build *b, const Term *e, View *dst, Env *env)
{
    const Term *start = emit_unstored_start(e);
    if (!start || !into_destination(e->args[1], dst) || term_reads(b, start, env, dst)) return false;
    read_one_step(b, e, translate_read(b, start, env), dst, env);
    return true;
}

static void write_reduce(Build *b, const Term *e, View *dst, Env *env)
{
    const Term *z = e->args[1];
    if (emit_is_small(e->type)) {
        write_small_reduce(b, e, dst, env);
    } else if (!read_placed(b, z, env) && write_one_round(b, e, dst, env)) {
        return;
    } else if (!read_placed(b, z, env) && into_destination(z, dst)) {
        translate_write(b, z->args[0], dst, env);      /* accumulate in the destination */
        read_fold(b, e, dst, NULL, env);
    } else if (!is_space(z) || read_placed(b, z, env)) {
        View *v = translate_read(b, z, env);
        if (!view_same(b, v, dst)) {
            read_needs_place(b, z->kind == T_PRIM ? z : e);
            return;
        }
        read_fold(b, e, dst, NULL, env);
    } else {
        copy_or_fail(b, e, read_reduce(b, e, env), dst);
    }
}

/* ---- reductions by index ---- */

static void write_by_index(Build *b, const Term *e, View *dst, Env *env)
{
    const Term *z = e->args[1];
    bool here = !is_space(z) || (view_in_space(dst, emit_space(z)) && !read_placed(b, z, env));
    if (!here) {
        copy_or_fail(b, e, translate_read(b, e, env), dst);
        return;
    }
    translate_write(b, without_space(z), dst, env);
    read_pairs(b, e, dst, env);
}

static void update_body(Build *b, void *data, const Nat *none)
{
    const Update *u = data;
    View *cell = update_cell(b, u);
    (void)none;
    if (u->e->prim == PRIM_REDUCE_BY_INDEX_ATOMIC) update_at_once(b, u, cell);
    else {
        const Term *f = u->e->args[0];
        Stmt *before = b->block->last;
        vec_push(&b->tags, 0);
        int tag = b->tags.n;
        View *parts[2] = {view_tagged(b, cell, tag), u->value};
        b->in.seal = before;
        translate_write(b, f->args[0], cell, translate_bind(b, u->env, f, view_tuple(b, f->type->elems[0], parts)));
        if (!b->failed && !emit_is_small(f->args[0]->type)) {
            const Place *bad = barrier_in_place(b, before ? before->next : b->block->first, tag);
            if (bad) build_fail(b, E53, u->e, "reduceByIndexSeq updates %s in place, but f reads cells that it has not written itself yet",
                                bad->buf->name);
        }
    }
}

/* The pair goes to the cell that its index says, if there is one. */
static void write_update(Build *b, View *dst, View *pair)
{
    unsigned loose[ID_KINDS], before[ID_KINDS];
    EmitScope scope;
    Update u;
    if (build_one_round(b)) return;
    bool open = !view_is_private(dst) && emit_loose(b, loose) && emit_guard(b, loose, &scope);
    memcpy(before, b->in.bound, sizeof before);
    for (int kind = 0; open && kind < ID_KINDS; kind++) b->in.bound[kind] |= loose[kind];
    if (update_start(b, dst, pair, &u)) {
        if (u.within->kind != X_LIT) emit_guarded(b, u.within, emit_is_uniform(b, u.within), 0, update_body, &u, NULL);
        else if (u.within->lit.i) update_body(b, &u, NULL);
    }
    memcpy(b->in.bound, before, sizeof before);
    if (open) emit_leave(b, scope);
}

/* ---- iterate ---- */

/* Steps but the last go to memory of the destination's space; the last goes to the destination. */
static void write_iterate(Build *b, const Term *e, View *dst, Env *env)
{
    int64_t k = read_iterate_count(b, e);
    View *v = translate_read(b, e->args[1], env);
    const Nat *length = e->args[1]->type->size;
    Space space = view_in_space(dst, SPACE_LOCAL) ? SPACE_LOCAL : view_is_private(dst) ? SPACE_PRIVATE : SPACE_GLOBAL;
    for (int64_t i = 0; i < k && !b->failed; i++) {
        const Term *f = iterate_step(b, e, length);
        if (!f) return;
        View *to = i + 1 == k ? dst : translate_alloc(b, f->type->elems[1], space, e);
        translate_write(b, f->args[0], to, translate_bind(b, env, f, v));
        length = f->type->elems[1]->size;
        v = to;
    }
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

static void write_let(Build *b, const Term *e, View *dst, Env *env)
{
    const Term *f = e->args[1];
    read_warn_virtual(b, e);
    if (is_space(e->args[0])) b->in.hint = read_hint(f);
    View *v = view_suspend(b, e->args[0], env);
    b->in.hint = NULL;
    translate_write(b, f->args[0], dst, translate_bind(b, env, f, v));
}

static void write_slice(Build *b, const Term *e, View *dst, Env *env)
{
    const Term *body = read_slice_open(b, e, &env);
    if (body) translate_write(b, body, dst, env);
}

static void write_space(Build *b, const Term *e, View *dst, Env *env)
{
    bool stream = b->stream;
    if (e->prim == PRIM_TO_GLOBAL_IMAGE && view_in_space(dst, SPACE_GLOBAL)) dst = view_image_written(b, e, dst);
    b->stream = stream || e->prim == PRIM_TO_GLOBAL_STREAM;
    if (emit_is_small(e->type) || view_in_space(dst, emit_space(e))) translate_write(b, e->args[0], dst, env);
    else copy_or_fail(b, e, read_memory(b, e, env), dst);
    b->stream = stream;
}

static void write_layout(Build *b, const Term *e, View *dst, Env *env)
{
    const Term *updated = view_updated(dst);
    if (updated && updated->prim == PRIM_REDUCE_BY_INDEX_SEQ && e->prim != PRIM_JOIN && e->prim != PRIM_SPLIT && !term_is_layout(e)) {
        build_fail(b, E53, e, "reduceByIndexSeq takes the pairs in their order, and %s has them made in another: move it to what "
                   "they are made of", prim(prim_of(e))->name);
        return;
    }
    View *in = view_inverse(b, e, dst, env);
    if (in) {
        translate_write(b, e->args[e->arg_count - 1], in, env);
        return;
    }
    View *v = translate_read(b, e, env);
    if (b->failed || view_same(b, v, dst)) return;
    if (!(e->flags & (TF_MAPPED | TF_REDUCES))) {
        copy_or_fail(b, e, v, dst);
        return;
    }
    build_fail(b, E53, e, "%s has no inverse, so what is computed under it cannot be written through it: put toPrivate, toLocal or "
               "toGlobal under it and a mapped copy (mapSeq id) around it", prim(prim_of(e))->name);
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
        translate_write(b, e->args[2], view_scatter(b, translate_read(b, e->args[1], env), dst), env);
        break;
    case WRITE_BY_INDEX: write_by_index(b, e, dst, env); break;
    case WRITE_SCAN:
        if (emit_is_small(e->type->elems[0])) read_fold(b, e, read_accumulator(b, e, env), dst, env);
        else build_fail(b, E53, e, "%s over arrays cannot be mapped; scan scalars", prim(prim_of(e))->name);
        break;
    case WRITE_LET: write_let(b, e, dst, env); break;
    case WRITE_SLICE: write_slice(b, e, dst, env); break;
    case WRITE_ITERATE: write_iterate(b, e, dst, env); break;
    case WRITE_REDUCE: write_reduce(b, e, dst, env); break;
    case WRITE_SPACE: write_space(b, e, dst, env); break;
    case WRITE_LAYOUT: write_layout(b, e, dst, env); break;
    case WRITE_MAPPED: {
        Mapped m = {e, env, NULL, dst};
        const Term *reader = b->in.reader;
        b->in.reader = e;
        m.xs = translate_read(b, e->args[1], env);
        if (prim_is_parallel((PrimId)e->prim)) {
            int d = (int)m.e->statics[0]->value;
            IdKind kind = m.e->prim == PRIM_MAP_GLOBAL ? ID_GLOBAL : m.e->prim == PRIM_MAP_WORKGROUP ? ID_GROUP : ID_LOCAL;
            unsigned before = b->in.bound[kind];
            b->in.bound[kind] |= 1u << d;
            if (kind == ID_LOCAL) map_local(b, &m, d);
            else map_ids(b, &m, kind, d, kind == ID_GLOBAL ? b->k->global[d] : b->k->extent[kind][d]);
            b->in.bound[kind] = before;
        } else emit_times(b, e, e->type->size, prim((PrimId)e->prim)->traits & PT_UNROLLED, map_body, &m);
        b->in.reader = reader;
        break;
    }
    }
    return true;
}

static bool divides_by_zero(const Term *e)
{
    if (e->kind != T_PRIM || !(prim((PrimId)e->prim)->traits & PT_DIVIDES)) return false;
    const Term *y = e->args[1];
    bool fine = y->kind == T_SIZE || (y->kind == T_LIT && y->u.lit.i != 0);
    return !fine && (e->type->kind == TY_VECTOR || !scalar_is_float(e->type->scalar));
}

bool term_is_total(const Term *e)
{
    bool indexed = e->kind == T_PRIM && (prim((PrimId)e->prim)->traits & PT_INDEXED);
    if (indexed || divides_by_zero(e)) return false;
    for (int i = 0; i < e->arg_count; i++)
        if (!term_is_total(e->args[i])) return false;
    return true;
}

bool term_demands(const Term *e, int from, int n)
{
    if (e->free_limit <= from) return false;
    if (e->kind == T_VAR) return e->u.index >= from && e->u.index < from + n;
    switch (prim_of(e)) {
    case PRIM_IF:
        if (term_demands(e->args[0], from, n)) return true;
        return term_demands(e->args[1], from, n) && term_demands(e->args[2], from, n);
    case PRIM_AND: case PRIM_OR: return term_demands(e->args[0], from, n);
    case PRIM_LET: {
        const Term *f = e->args[1];
        int leaves = f->type->elems[0]->leaf_count;
        return term_demands(f->args[0], from + leaves, n) ||
               (term_demands(e->args[0], from, n) && term_demands(f->args[0], 0, leaves));
    }
    default: break;
    }
    for (int i = 0; i < e->arg_count; i++)
        if (e->args[i]->kind != T_LAM && term_demands(e->args[i], from, n)) return true;
    if (e->kind != T_PRIM) return false;
    /* Under the function that e applies to an element at least. */
    PrimId p = prim_of(e);
    if ((!prim_is_mapped(p) && !prim_is_reduce(p) && !prim_is_scan_seq(p)) || prim_is_by_index(p)) return false;
    return term_demands(e->args[0]->args[0], from + e->args[0]->type->elems[0]->leaf_count, n);
}

bool term_contains(const Term *e, PrimId p, int dim)
{
    if (!(e->flags & TF_MAPPED) && prim_is_mapped(p)) return false;
    if (e->kind == T_PRIM && e->prim == p && (dim < 0 || e->statics[0]->value == dim)) return true;
    for (int i = 0; i < e->arg_count; i++)
        if (term_contains(e->args[i], p, dim)) return true;
    return false;
}

/* Which loose dimensions does the whole of e run in one work-item of? Those that it does not map itself. */
static bool whole_guard(const Term *e, unsigned loose[ID_KINDS])
{
    static const PrimId prims[ID_KINDS] = {PRIM_MAP_GLOBAL, PRIM_MAP_WORKGROUP, PRIM_MAP_LOCAL};
    bool any = false;
    bool phases = (e->flags & TF_MEMORY) && term_contains(e, PRIM_MAP_LOCAL, -1);
    for (int kind = 0; kind < ID_KINDS; kind++) {
        for (int d = 0; d < 3; d++)
            if (loose[kind] & 1u << d && (phases || term_contains(e, prims[kind], d))) loose[kind] &= ~(1u << d);
        any |= loose[kind] != 0;
    }
    return any;
}

void translate_write(Build *b, const Term *e, View *dst, Env *env)
{
    unsigned loose[ID_KINDS], before[ID_KINDS];
    EmitScope scope;
    const Term *origin = b->origin;
    if (!build_goes_on(b, e)) return;
    b->origin = e;
    bool open = !view_is_private(dst) && emit_loose(b, loose) && whole_guard(e, loose) && emit_guard(b, loose, &scope);
    if (open) {
        memcpy(before, b->in.bound, sizeof before);
        for (int kind = 0; kind < ID_KINDS; kind++) b->in.bound[kind] |= loose[kind];
    }
    if (!write_head(b, e, dst, env)) {
        View *v = translate_read(b, e, env);
        if (view_is_update(dst)) write_update(b, dst, v);
        else if (emit_is_small(e->type)) emit_assign(b, e, dst, v);
        else copy_or_fail(b, e, v, dst);
    }
    b->origin = origin;
    if (!open) return;
    memcpy(b->in.bound, before, sizeof before);
    emit_leave(b, scope);
}
