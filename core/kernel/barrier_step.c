/* barrier_step: may a step of a fold update its accumulator in place? */
#include "barrier.h"

#include <stdlib.h>

/* Reads of the accumulator in one place and the same loops, of which the last decides; or writes, of which the first does. */
typedef struct Access {
    const Place *p;
    bool write;
    int position;                        /* statement, in program order */
    const Loops *loops;
    const Linear *linear;                /* the cell, over these loops; NULL: not asked yet */
} Access;

typedef struct Step {
    Meets meets;
    int tag;
    int position;
    const Loops *loops;
    VEC(Access *) of[2];                 /* reads, writes */
    PtrTable seen;
} Step;

/* ---- collecting ---- */

static bool same_access(const void *key, const void *item)
{
    const Access *x = key, *y = item;
    return x->write == y->write && x->loops == y->loops && place_same(x->p, y->p);
}

static bool see(void *data, const Place *p, bool write)
{
    Step *s = data;
    if (!write && p->tag != s->tag) return false;
    Access key = {p, write, s->position, s->loops, NULL};
    uint64_t h = hash_mix((uint64_t)p->buf->id * 2 + write, p->at ? p->at->id : p->element ? (uint64_t)p->element->id : 0);
    Access *a = ptr_table_find(&s->seen, h, same_access, &key);
    if (a && !write) a->position = s->position;
    if (a) return false;
    a = arena_copy(s->meets.b->arena, &key, sizeof key);
    ptr_table_add(&s->seen, h, a);
    vec_push(&s->of[write], a);
    return false;
}

static void collect(Step *s, const Stmt *st)
{
    const Loops *outer = s->loops;
    for (; st; st = st->next) {
        s->position++;
        stmt_places(st, EVERY_SPACE, false, see, s);
        if (st->kind == S_FOR && atom_of(st->var)) s->loops = MAKE(s->meets.b->arena, Loops, atom_of(st->var), outer);
        collect(s, st->body.first);
        collect(s, st->other.first);
        s->loops = outer;
    }
}

/* ---- pairs ---- */

/* The cell of a private or memory place as one number of scalars. */
static const Nat *cell(Nats *n, const Place *p)
{
    const Nat *at = nat_const(n, 0);
    if (p->buf->space != SPACE_PRIVATE) return p->at;
    for (int d = 0; d < p->buf->rank; d++) at = nat_add(n, nat_mul(n, at, p->buf->dims[d]), p->element->idx[d]);
    at = nat_mul(n, at, nat_const(n, p->buf->width));
    return p->lane ? nat_add(n, at, p->lane) : at;
}

static int cell_width(const Place *p) { return p->buf->space == SPACE_PRIVATE && p->lane ? 1 : p->width; }

static Term1 *term_of_loop(const Step *s, Linear *l, const NatAtom *var)
{
    for (int i = 0; i < l->n; i++)
        if (l->terms[i].var == kernel_var(s->meets.k, var)) return &l->terms[i];
    return NULL;
}

static const Linear *linear_of(Step *s, Access *a)
{
    if (a->linear) return a->linear;
    Scope inside = {.m = &s->meets, .inside = a->loops, .step = true};
    const Nat *at = cell(s->meets.b->n, a->p);
    Linear *made = NEW(s->meets.b->arena, Linear);
    if (at) linearise(&inside, at, made);
    return a->linear = made;
}

/* Does the read come before the write whenever both touch one cell? */
static bool reads_first(Step *s, Access *r, Access *w)
{
    bool ahead = r->position <= w->position, common = false;
    for (const Loops *l = r->loops; l; l = l->up) common = common || is_loop_of(w->loops, l->var);
    if (r->p->buf != w->p->buf || (ahead && !common)) return true;
    /* Where do a read and a write of a step meet: never, in one iteration of their common loops, or in several? */
    Digits q;
    Linear x = *linear_of(s, r), y = *linear_of(s, w);
    if (!x.ok || !y.ok) return false;
    digits_start(&q, s->meets.b->n, s->meets.b->facts);
    for (const Loops *l = r->loops; l; l = l->up)
        if (is_loop_of(w->loops, l->var)) digits_key(&q, term_of_loop(s, &x, l->var), term_of_loop(s, &y, l->var));
    digits_rest(&q, &x, &y);
    Meet m = digits_meet(&q, 0, cell_width(r->p), cell_width(w->p));
    return m == MEET_NEVER || (m == MEET_SAME && ahead);
}

/* ---- straight-line steps, at a glance ---- */

/* The cells of a buffer whose indices are all numbers but for some that are always the same. */
typedef struct Cells {
    const Buffer *buf;
    const Nat *idx[RANK_MAX];            /* the same one at every access; NULL: a number */
    bool whole;                          /* cells were written that one cannot tell apart */
    int64_t count;                       /* 0: one cannot tell any apart */
    bool written[];
} Cells;

typedef struct Glance {
    Build *b;
    int tag;
    PtrTable cells;                      /* Cells by buffer */
} Glance;

enum { CELLS_MAX = 4096 };

/* Does the variable change while a step runs, by more than its loops? */
static bool is_unsettled(const VarInfo *v, const NatAtom *a) { return v ? v->kind == VAR_OPAQUE : a->var == VAR_INDEX; }

static bool same_buffer(const void *key, const void *item) { return ((const Cells *)item)->buf == key; }

/* The element of the place; -1: it is not one of them. */
static int64_t cell_at(const Cells *c, const Place *p)
{
    int64_t at = 0;
    if (!c->count) return -1;
    for (int d = 0; p->element && d < p->buf->rank; d++) {
        const Nat *i = p->element->idx[d], *n = p->buf->dims[d];
        if (c->idx[d] ? i != c->idx[d] : !i->is_const || i->value < 0 || i->value >= n->value) return -1;
        if (!c->idx[d]) at = at * n->value + i->value;
    }
    return at;
}

static Cells *cells_of(Glance *g, const Place *p)
{
    uint64_t h = hash_mix(5, (uint64_t)p->buf->id);
    Cells *c = ptr_table_find(&g->cells, h, same_buffer, p->buf);
    if (!c) {
        const Buffer *buf = p->buf;
        int64_t count = buf->space == SPACE_PRIVATE;
        for (int d = 0; d < buf->rank && count; d++) {
            const Nat *dim = buf->dims[d];
            if (p->element->idx[d]->is_const) count = dim->is_const && dim->value <= CELLS_MAX ? count * dim->value : 0;
            else if (!dim->is_const || dim->value > INT16_MAX || kernel_any_var(g->b->k, p->element->idx[d], is_unsettled)) count = 0;
            if (count > CELLS_MAX) count = 0;
        }
        Cells *k = arena_alloc(g->b->arena, sizeof *k + sizeof *k->written * (size_t)count);
        for (int d = 0; d < buf->rank && count; d++) k->idx[d] = p->element->idx[d]->is_const ? NULL : p->element->idx[d];
        k->buf = buf;
        k->count = count;
        ptr_table_add(&g->cells, h, c = k);
    }
    return c;
}

/* Is nothing that e reads through the accumulator written by then? */
static bool glance_reads(Glance *g, const Expr *e, bool looped)
{
    if (e->kind != X_LOAD) return ALL(i, e->arg_count, glance_reads(g, e->args[i], looped));
    if (e->place.tag != g->tag) return true;
    const Cells *c = cells_of(g, &e->place);
    int64_t at = cell_at(c, &e->place);
    if (looped || c->whole) return false;
    return at < 0 ? !c->count : !c->written[at];
}

/* False: it takes more than a glance. */
static bool glance(Glance *g, const Stmt *s, bool looped)
{
    for (; s; s = s->next) {
        bool inside = looped || s->kind == S_FOR;
        if (s->value && !glance_reads(g, s->value, looped)) return false;
        if (s->kind == S_STORE || s->kind == S_ATOMIC) {
            Cells *c = cells_of(g, &s->place);
            int64_t at = looped ? -1 : cell_at(c, &s->place);
            if (at < 0) c->whole = true;
            else c->written[at] = true;
        }
        if (!stmt_has_bodies(s)) continue;
        if (!glance(g, s->body.first, inside) || !glance(g, s->other.first, inside)) return false;
    }
    return true;
}

const Place *barrier_in_place(Build *b, const Stmt *from, int tag)
{
    if (!b->tags.v[tag - 1]) return NULL;
    if (glance(&(Glance){.b = b, .tag = tag, .cells.arena = b->arena}, from, false)) return NULL;
    Step s = {.tag = tag, .seen.arena = b->arena};
    const Place *bad = NULL;
    meets_start(&s.meets, b, b->k);
    collect(&s, from);
    for (int i = 0; i < s.of[0].n && !bad; i++)
        if (!ALL(k, s.of[1].n, reads_first(&s, s.of[0].v[i], s.of[1].v[k]))) bad = s.of[0].v[i]->p;
    free(s.of[0].v);
    free(s.of[1].v);
    return bad;
}
