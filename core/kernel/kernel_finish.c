/* kernel_finish: private buffers given their final shape: a share for each work-item, scalars where indices are constant. */
#include "kernel.h"

#include <stdlib.h>

/* The form of private buffers: what of them each work-item holds, and whether that is one variable an element. */

typedef struct Indexed { Buffer *buf; Stmt *loop; } Indexed;

typedef struct Finish {
    Build *b;
    Kernel *k;
    VEC(const Place *) places;           /* of private arrays and lanes, in program order, an element once */
    bool *kept;                          /* by element: it is among them */
    VEC(Buffer *) made;                  /* in program order */
    const Nat *culprit;                  /* the last index that is not constant for a work-item */
    VEC(Stmt *) loops;                   /* short ones */
    VEC(Indexed) indexed;                /* private arrays, and short loops that index them */
} Finish;

static bool is_own(const void *key, const void *item) { return ((const OwnIndex *)item)->index == key; }

const OwnIndex *kernel_own(Build *b, Kernel *k, const Nat *index)
{
    const OwnIndex **recent = &k->recent[index->id % COUNT(k->recent)];
    if (*recent && (*recent)->index == index) return *recent;
    uint64_t h = hash_mix(3, index->id);
    const OwnIndex *known = ptr_table_find(&k->own, h, is_own, index);
    if (known) return *recent = known;
    OwnIndex *o = MAKE(b->arena, OwnIndex, .index = index, .rest = index, .dim = -1);
    if (!index->is_const) {
        NatAtomVec vars = {0};
        const VarInfo *found = NULL;
        nat_vars(o->index, &vars);
        for (int i = 0; i < vars.n; i++) {
            const VarInfo *v = kernel_var(k, vars.v[i]);
            if (!v) continue;
            o->by_group = o->by_group || (v->kind == VAR_ID && v->id != ID_LOCAL);
            if (!(v->kind == VAR_ID && v->id == ID_LOCAL) && v->kind != VAR_STRIDED) continue;
            o->dim = o->dim == -1 ? v->dim : -2;
            found = v;
        }
        free(vars.v);
        if (o->dim >= 0) {
            Nats *n = b->n;
            NatBinding zero = {found->atom, nat_const(n, 0)}, one = {found->atom, nat_const(n, 1)};
            const Nat *at0 = nat_subst(n, o->index, &zero, 1, b->facts), *at1 = nat_subst(n, o->index, &one, 1, b->facts);
            const Nat *step = nat_sub(n, at1, at0), *size = nat_const(n, k->local[o->dim]);
            bool own = step && step->is_const && step->value == 1 && nat_divides(n, size, at0, b->facts);
            if (own) o->rest = found->kind == VAR_STRIDED ? nat_div(n, o->index, size, b->facts) : nat_exact(n, at0, size);
            else o->dim = -2;
        }
    }
    ptr_table_add(&k->own, h, o);
    return *recent = o;
}

/* The index of p in dimension d as a work-item has it, where that is not constant; else NULL. */
static const Nat *varying_in(const Finish *f, const Place *p, int d)
{
    if (p->element->idx[d]->is_const) return NULL;
    const OwnIndex *o = kernel_own(f->b, f->k, p->element->idx[d]);
    return !o->rest->is_const && (p->buf->spread[d] < 0 || o->dim >= 0) ? o->rest : NULL;
}

/* Is every index constant for a work-item? NULL; else the last one that is not. */
static const Nat *varying_index(const Finish *f, const Place *p)
{
    const Nat *found = NULL;
    for (int d = 0; d < p->buf->rank; d++) {
        const Nat *varying = varying_in(f, p, d);
        if (varying) found = varying;
    }
    return found;
}

static bool see_culprit(void *data, const Place *p, bool write)
{
    Finish *f = data;
    (void)write;
    const Nat *varying = varying_index(f, p);
    if (varying) f->culprit = varying;
    return false;
}

static inline void keep(Finish *f, const Place *p)
{
    if (p->buf->space != SPACE_PRIVATE) return;
    bool known = p->element ? f->kept[p->element->id] : !p->lane;
    p->buf->split = true;
    if (known && (!p->lane || p->lane->is_const)) return;
    for (int d = 0; d < p->buf->rank; d++) p->buf->spread[d] = -1;
    if (p->element) f->kept[p->element->id] = true;
    vec_push(&f->places, p);
}

static void keep_loads(Finish *f, const Expr *e)
{
    if (e->kind == X_LOAD) keep(f, &e->place);
    for (int i = 0; i < e->arg_count; i++) keep_loads(f, e->args[i]);
}

static void find_places(Finish *f, const Block *blk)
{
    for (const Stmt *s = blk->first; s; s = s->next) {
        if (s->value) keep_loads(f, s->value);
        if (stmt_writes(s)) keep(f, &s->place);
        if (s->kind == S_ALLOC) vec_push(&f->made, s->buf);
        if (!stmt_has_bodies(s)) continue;
        find_places(f, &s->body);
        find_places(f, &s->other);
    }
}

/* Extent per work-item of every dimension; false: another work-item's data would be read. */
static bool own_extents(Finish *f, Buffer *buf)
{
    Build *b = f->b;
    int64_t count = 1;
    for (int d = 0; d < buf->rank; d++) {
        if (buf->spread[d] == -2)
            return build_fail(b, E53, f->k->root, "%s is private to a work-item but is indexed by another mapLocal than "
                              "the one that made it; use toLocal", buf->name);
        int dim = buf->spread[d];                    /* -3 and lower: no local id in it */
        const Nat *size = dim >= 0 ? nat_const(b->n, f->k->local[dim]) : NULL;
        const Nat *up = size ? nat_add(b->n, buf->dims[d], nat_const(b->n, size->value - 1)) : NULL;
        buf->own[d] = size ? nat_div(b->n, up, size, b->facts) : buf->dims[d];
        if (!buf->own[d] || !buf->own[d]->is_const)
            return build_needs_constant(b, f->k->root, arena_printf(b->c->diag.arena, "the private array %s", buf->name), buf->own[d], NULL);
        count *= buf->own[d]->value;
    }
    buf->own_count = count;
    return true;
}

/* One variable an element, or an array, with the reason for it. */
static void settle(Finish *f, Buffer *buf)
{
    if (buf->split) {
        buf->elements = NEW_ARRAY(f->b->arena, const char *, buf->own_count);
        for (int64_t i = 0; i < buf->own_count; i++)
            buf->elements[i] = buf->own_count == 1 ? buf->name : kernel_name(f->b, kernel_numbered(f->b->arena, buf->name, "_", (int)i));
    } else if (buf->rank && !buf->unrolled) {
        NatAtomVec vars = {0};
        if (f->culprit) nat_vars(f->culprit, &vars);
        const VarInfo *v = vars.n ? kernel_var(f->k, vars.v[0]) : NULL;
        if (v && v->rounds)
            build_warn(f->b, "private array %s stays an array: each work-item takes several elements of a mapLocal %d (local size %d)",
                       buf->name, v->dim, f->k->local[v->dim]);
        else
            build_warn(f->b, "private array %s stays an array because of loop %s; use the unrolled form for registers",
                       buf->name, vars.n ? vars.v[0]->name : "an index");
        free(vars.v);
    }
}

/* ---- short loops ---- */

enum { SHORT = 32, SHORT_TOGETHER = 1024 };      /* rounds of a loop, and of such loops in each other, that a compiler may write out */

/* 0: it is not known. */
static int64_t rounds_of(const Stmt *loop)
{
    if (!loop->from->is_const || !loop->limit->is_const || !loop->step->is_const) return 0;
    return (loop->limit->value - loop->from->value + loop->step->value - 1) / loop->step->value;
}

/* Is blk worth writing out: nothing in it lasts, or waits for others? */
static bool is_short(const Block *blk)
{
    for (const Stmt *s = blk->first; s; s = s->next) {
        if (s->kind == S_FOR && (rounds_of(s) < 1 || rounds_of(s) > SHORT)) return false;
        if (s->kind != S_FOR && s->kind != S_IF && s->kind != S_STORE && s->kind != S_ALLOC) return false;
        if (stmt_has_bodies(s) && !(is_short(&s->body) && is_short(&s->other))) return false;
    }
    return true;
}

/* Short loops in blk; around: rounds of the short ones around it together. */
static void find_short(Finish *f, Block *blk, int64_t around)
{
    for (Stmt *s = blk->first; s; s = s->next) {
        if (!stmt_has_bodies(s)) continue;
        bool loops = s->kind == S_FOR && !s->var->is_const;
        int64_t n = loops ? rounds_of(s) : 0, together = n > 0 && n <= SHORT && is_short(&s->body) ? n * around : 0;
        if (together > SHORT_TOGETHER) together = 0;
        if (together) vec_push(&f->loops, s);
        find_short(f, &s->body, together ? together : loops ? 1 : around);
        find_short(f, &s->other, around);
    }
}

/* The short loops that index p. A private array that anything else indexes is not `unrolled`, the rounds of a mapLocal among it: these are large. */
static bool see_short(void *data, const Place *p, bool write)
{
    Finish *f = data;
    Buffer *buf = p->buf;
    (void)write;
    if (!buf->rank || buf->split) return false;
    NatAtomVec vars = {0};
    for (int d = 0; d < buf->rank; d++) {
        const Nat *varying = varying_in(f, p, d);
        if (varying) nat_vars(varying, &vars);
    }
    if (p->lane && !p->lane->is_const) buf->unrolled = false;
    for (int i = 0; i < vars.n; i++) {
        const VarInfo *v = kernel_var(f->k, vars.v[i]);
        int k = 0;
        while (k < f->loops.n && nat_atom(f->loops.v[k]->var) != vars.v[i]) k++;
        if (k < f->loops.n && !(v && v->rounds)) vec_push(&f->indexed, ((Indexed){buf, f->loops.v[k]}));
        else buf->unrolled = false;
    }
    free(vars.v);
    return false;
}

enum { TILE_CODE = 128 };                        /* statements that such a loop may become */

/* Statements of blk; TILE_CODE where it has loops. */
static int64_t statements_of(const Block *blk)
{
    int64_t n = 0;
    for (const Stmt *s = blk->first; s; s = s->next) {
        if (s->kind == S_FOR) return TILE_CODE;
        n += stmt_has_bodies(s) ? statements_of(&s->body) + statements_of(&s->other) : 1;
    }
    return n;
}

typedef struct Locals { bool read, written; } Locals;

static bool see_local(void *data, const Place *p, bool write)
{
    Locals *seen = data;
    (void)p;
    *(write ? &seen->written : &seen->read) = true;
    return false;
}

/* Is the round in a quotient or a rest of where memory is read? */
static bool is_bent_by(void *round, const Place *p, bool write) { return !write && nat_bends(p->at, round); }

/* Is this short loop of a GPU's work-item worth writing out? It fills or reads a local array, one of the two: its rounds do not wait for memory one by one
 * then (in rounds that do both the work-items wait for each other). Or it takes its number apart, which is done while compiling then. */
static bool gains_written_out(const Finish *f, const Stmt *loop)
{
    const NatAtom *round = nat_atom(loop->var);
    const VarInfo *v = kernel_var(f->k, round);
    Locals seen = {0};
    if (!f->b->options->on_gpu || (v && v->rounds) || rounds_of(loop) * statements_of(&loop->body) > TILE_CODE) return false;
    block_places(&loop->body, 1 << SPACE_LOCAL, see_local, &seen);
    return seen.read != seen.written || block_places(&loop->body, 1 << SPACE_GLOBAL, is_bent_by, (void *)round);
}

/* Private arrays that are registers once the short loops that index them are written out: the compiler is asked to do so. */
static void unroll_short(Finish *f)
{
    for (int i = 0; i < f->made.n; i++) f->made.v[i]->unrolled = f->made.v[i]->rank && !f->made.v[i]->split;
    find_short(f, &f->k->body, 1);
    block_places(&f->k->body, 1 << SPACE_PRIVATE, see_short, f);
    for (int i = 0; i < f->indexed.n; i++) {
        Stmt *loop = f->indexed.v[i].loop;
        loop->unrolled = loop->unrolled || f->indexed.v[i].buf->unrolled;
    }
    for (int i = 0; i < f->loops.n; i++) f->loops.v[i]->unrolled = f->loops.v[i]->unrolled || gains_written_out(f, f->loops.v[i]);
    free(f->loops.v);
    free(f->indexed.v);
}

const Nat *kernel_own_rest(Build *b, Kernel *k, const Place *p, int d)
{
    const Nat *index = p->element->idx[d];
    return p->buf->spread[d] >= 0 && !index->is_const ? kernel_own(b, k, index)->rest : index;
}

const Nat *kernel_own_index(Build *b, Kernel *k, const Place *p)
{
    const Nat *at = NULL;
    for (int d = 0; d < p->buf->rank; d++) {
        const Nat *rest = kernel_own_rest(b, k, p, d);
        at = d ? nat_add(b->n, nat_mul(b->n, at, p->buf->own[d]), rest) : rest;
    }
    return at;
}

/* The statement behind which the declaration s belongs: where its array is first used. NULL: it stands there, but for other
 * declarations. */
static Stmt *place_of_declaration(Stmt *s)
{
    Stmt *last = s;
    bool moves = false;
    if (s->kind != S_ALLOC || !s->buf->rank) return NULL;
    for (; last->next && !stmt_mentions(last->next, s->buf); last = last->next) moves |= last->next->kind != S_ALLOC;
    return moves && last->next ? last : NULL;
}

static void sink_declarations(Block *blk)
{
    for (Stmt **at = &blk->first; *at;) {
        Stmt *s = *at, *last = place_of_declaration(s);
        if (!last) {
            if (stmt_has_bodies(s)) sink_declarations(&s->body), sink_declarations(&s->other);
            at = &s->next;
            continue;
        }
        *at = s->next;
        s->next = last->next;
        last->next = s;
    }
}

bool kernel_finish(Build *b, Kernel *k)
{
    Finish f = {.b = b, .k = k, .kept = NEW_ARRAY(b->arena, bool, k->element_count)};
    static const OwnIndex number = {.dim = -1};
    find_places(&f, &k->body);
    for (int i = 0; i < f.places.n; i++) {
        const Place *p = f.places.v[i];
        Buffer *buf = p->buf;
        for (int d = 0; d < buf->rank; d++) {
            /* The dimension d of buf is indexed by o: which local dimension, if any, does it lie over? */
            const OwnIndex *o = p->element->idx[d]->is_const ? &number : kernel_own(b, k, p->element->idx[d]);
            int dim = o->dim == -1 ? -3 : o->dim;
            if (o->by_group && !k->divided) k->divided = buf;
            if (buf->spread[d] == -1) buf->spread[d] = dim;
            else if (buf->spread[d] != dim) buf->spread[d] = -2;
        }
        if (p->lane && !p->lane->is_const) buf->split = false;
    }
    bool ok = ALL(i, f.made.n, own_extents(&f, f.made.v[i]));
    for (int i = 0; i < f.places.n && ok; i++) {
        const Nat *varying = varying_index(&f, f.places.v[i]);
        if (!varying) continue;
        f.places.v[i]->buf->split = false;
        f.culprit = varying;
    }
    if (ok && f.culprit) block_places(&k->body, 1 << SPACE_PRIVATE, see_culprit, &f);
    if (ok && (f.culprit || b->options->on_gpu)) unroll_short(&f);
    for (int i = 0; i < f.made.n && ok; i++) settle(&f, f.made.v[i]);
    free(f.places.v);
    free(f.made.v);
    if (ok) sink_declarations(&k->body);
    return !b->failed;
}
