/* barrier_step: may a step of a fold update its accumulator in place? */
#include "barrier.h"

#include <stdlib.h>

/* Whether a step of a fold may update its accumulator in place. */

typedef struct Branch { const Stmt *choice; bool other; const struct Branch *up; } Branch;

typedef struct Access {
    const Place *p;
    bool write;
    int position;                        /* statement, in program order */
    const Loops *loops;
    const Branch *arm;                      /* the innermost that it stands in; NULL: none */
} Access;

/* What the places of unrolled code have in common (uniformly generated references): the buffer, and its indices but for a
 * number each. */
typedef struct Stem {
    int id;
    const Buffer *buf;
    const Form *forms[RANK_MAX + 1];
    int count;
    int first, end;                      /* of the writes */
    enum { UNASKED, STANDS, MOVES } moves;    /* STANDS: no loop around moves it, so that numbers decide */
} Stem;

/* Reads of the accumulator in one cell and the same loops, of which the last decides; or writes, of which the first does. */
typedef struct Touch {
    Access a;
    Stem *stem;                          /* NULL: the cell is no number away from others */
    int64_t number;
    const Linear *linear;                /* over a's loops; NULL: not asked yet */
} Touch;

typedef struct Step {
    DependenceTests meets;
    int tag;
    int position;
    const Loops *loops;
    const Branch *arm;
    VEC(const Buffer *) buffers;         /* that are read */
    VEC(Access) stores;
    VEC(Touch *) reads, writes;
    PtrTable stems, seen;
    Stem *last;                          /* stem asked for */
    int widest;                          /* of the writes */
    bool keeps;                          /* the statement at hand only says that cells keep their values */
} Step;

/* ---- cells ---- */

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

static bool add_form(Step *s, Stem *stem, const Nat *index, int64_t *number)
{
    const Form *f = form_of(&s->meets.k->forms, index, number);
    stem->forms[stem->count++] = f;
    return f->rest && *number >= -INT16_MAX && *number <= INT16_MAX;
}

/* The stem of a place, and the number beside it. False: it has none. */
static bool take_apart(Step *s, const Place *p, Stem *stem, int64_t *number)
{
    int64_t at = 0, own = 0;
    stem->buf = p->buf;
    stem->count = stem->first = stem->end = 0;
    stem->moves = UNASKED;
    if (p->buf->space != SPACE_PRIVATE) return add_form(s, stem, p->at, number);
    for (int d = 0; d < p->buf->rank; d++) {
        const Nat *dim = p->buf->dims[d];
        if (!dim->is_const || dim->value > INT16_MAX || !add_form(s, stem, p->element->idx[d], &own)) return false;
        at = at * dim->value + own;
        if (at > INT32_MAX || at < -INT32_MAX) return false;
    }
    own = 0;
    if (p->lane && !add_form(s, stem, p->lane, &own)) return false;
    *number = at * p->buf->width + own;
    return true;
}

static bool same_stem(const void *key, const void *item)
{
    const Stem *x = key, *y = item;
    bool same = x->buf == y->buf && x->count == y->count;
    for (int i = 0; same && i < x->count; i++) same = x->forms[i] == y->forms[i];
    return same;
}

static Stem *stem_of(Step *s, const Place *p, int64_t *number)
{
    Stem key;
    if (!take_apart(s, p, &key, number)) return NULL;
    if (s->last && same_stem(&key, s->last)) return s->last;
    uint64_t h = (uint64_t)key.buf->id;
    for (int i = 0; i < key.count; i++) h = hash_mix(h, (uint64_t)key.forms[i]->id);
    Stem *stem = ptr_table_find(&s->stems, h, same_stem, &key);
    if (stem) return s->last = stem;
    key.id = (int)s->stems.used;
    stem = NEW(s->meets.b->arena, Stem);
    *stem = key;
    ptr_table_add(&s->stems, h, stem);
    return s->last = stem;
}

/* ---- collecting ---- */

static bool same_touch(const void *key, const void *item)
{
    const Touch *x = key, *y = item;
    if (x->a.write != y->a.write || x->a.loops != y->a.loops || x->a.arm != y->a.arm || x->stem != y->stem) return false;
    if (!x->stem) return place_same(x->a.p, y->a.p);
    return x->number == y->number && cell_width(x->a.p) == cell_width(y->a.p);
}

static void note(Step *s, const Access *a)
{
    Touch key = {.a = *a};
    key.stem = stem_of(s, a->p, &key.number);
    uint64_t h = hash_mix((uint64_t)a->p->buf->id * 2 + a->write, key.stem ? (uint64_t)key.number * 16 + (uint64_t)key.stem->id : 7);
    Touch *t = ptr_table_find(&s->seen, h, same_touch, &key);
    if (t && !a->write) t->a.position = a->position;
    if (t) return;
    t = NEW(s->meets.b->arena, Touch);
    *t = key;
    ptr_table_add(&s->seen, h, t);
    if (a->write) vec_push(&s->writes, t);
    else vec_push(&s->reads, t);
    if (a->write && cell_width(a->p) > s->widest) s->widest = cell_width(a->p);
}

static bool is_read(const Step *s, const Buffer *buf) { return ANY(i, s->buffers.n, s->buffers.v[i] == buf); }

static bool see(void *data, const Place *p, bool write)
{
    Step *s = data;
    Access a = {p, write, s->position, s->loops, s->arm};
    if (write && s->keeps) return false;
    if (write) vec_push(&s->stores, a);
    if (write || p->tag != s->tag) return false;
    note(s, &a);
    if (!is_read(s, p->buf)) vec_push(&s->buffers, p->buf);
    return false;
}

static void collect(Step *s, const Stmt *st)
{
    const Loops *outer = s->loops;
    const Branch *arm = s->arm;
    for (; st; st = st->next) {
        s->position++;
        s->keeps = st->kept != 0;
        stmt_places(st, EVERY_SPACE, false, see, s);
        if (st->kind == S_FOR && nat_atom(st->var)) {
            Loops *l = MAKE(s->meets.b->arena, Loops, nat_atom(st->var), outer);
            s->loops = l;
        }
        bool chooses = st->kind == S_IF && st->other.first;
        if (chooses) s->arm = MAKE(s->meets.b->arena, Branch, st, false, arm);
        collect(s, st->body.first);
        if (chooses) s->arm = MAKE(s->meets.b->arena, Branch, st, true, arm);
        collect(s, st->other.first);
        s->loops = outer;
        s->arm = arm;
    }
}

/* By stem and number, those without a stem first. */
static int by_cell(const void *x, const void *y)
{
    const Touch *a = *(Touch *const *)x, *b = *(Touch *const *)y;
    int i = a->stem ? a->stem->id : -1, j = b->stem ? b->stem->id : -1;
    if (i != j) return i < j ? -1 : 1;
    if (a->number != b->number) return a->number < b->number ? -1 : 1;
    return (a->a.position > b->a.position) - (a->a.position < b->a.position);
}

static bool is_sorted(const Step *s)
{
    for (int i = 1; i < s->writes.n; i++)
        if (by_cell(&s->writes.v[i - 1], &s->writes.v[i]) > 0) return false;
    return true;
}

/* ---- pairs ---- */

static Term1 *term_of_loop(const Step *s, Linear *l, const NatAtom *var)
{
    return FIRST(i, l->terms, l->n, l->terms[i].var == kernel_var(s->meets.k, var));
}

static const Linear *linear_of(Step *s, Touch *t)
{
    if (t->linear) return t->linear;
    Scope inside = {.m = &s->meets, .inside = t->a.loops, .step = true};
    const Nat *at = cell(s->meets.b->n, t->a.p);
    Linear *made = NEW(s->meets.b->arena, Linear);
    if (at) linearise(&inside, at, made);
    return t->linear = made;
}

static bool common_loop(const Access *x, const Access *y)
{
    for (const Loops *l = x->loops; l; l = l->up)
        if (is_loop_of(y->loops, l->var)) return true;
    return false;
}

/* Does only one of them happen in one iteration of their common loops? */
static bool exclude(const Access *x, const Access *y)
{
    for (const Branch *a = x->arm; a; a = a->up)
        for (const Branch *b = y->arm; b; b = b->up)
            if (a->choice == b->choice) return a->other != b->other;
    return false;
}

static bool stands(Step *s, Touch *t)
{
    if (!t->stem) return false;
    if (t->stem->moves == UNASKED) {
        const Linear *l = linear_of(s, t);
        t->stem->moves = l->ok && !l->n ? STANDS : MOVES;
    }
    return t->stem->moves == STANDS;
}

/* Does the read come before the write whenever both touch one cell? */
static bool reads_first(Step *s, Touch *r, Touch *w)
{
    bool ahead = r->a.position <= w->a.position || exclude(&r->a, &w->a);
    if (r->a.p->buf != w->a.p->buf || (ahead && !common_loop(&r->a, &w->a))) return true;
    if (r->stem == w->stem && stands(s, r))
        return r->number + cell_width(r->a.p) <= w->number || w->number + cell_width(w->a.p) <= r->number;
    /* Where do a read and a write of a step meet: never, in one iteration of their common loops, or in several? */
    Digits q;
    Linear x = *linear_of(s, r), y = *linear_of(s, w);
    Dependence m = DEPENDENCE_APART;
    if (x.ok && y.ok) {
        digits_start(&q, s->meets.b->n, s->meets.b->facts);
        for (const Loops *l = r->a.loops; l; l = l->up)
            if (is_loop_of(w->a.loops, l->var)) digits_key(&q, term_of_loop(s, &x, l->var), term_of_loop(s, &y, l->var));
        digits_rest(&q, &x, &y);
        m = digits_meet(&q, 0, cell_width(r->a.p), cell_width(w->a.p));
    }
    return m == DEPENDENCE_NEVER || (m == DEPENDENCE_SAME && ahead);
}

/* The first write of r's stem that may reach r's cell. */
static int first_near(const Step *s, const Touch *r)
{
    int lo = r->stem->first, hi = r->stem->end;
    while (lo < hi) {
        int mid = (lo + hi) / 2;
        if (s->writes.v[mid]->number + s->widest <= r->number) lo = mid + 1;
        else hi = mid;
    }
    return lo;
}

static bool is_safe(Step *s, Touch *r)
{
    bool fixed = stands(s, r);
    int64_t end = r->number + cell_width(r->a.p);
    for (int i = fixed ? first_near(s, r) : 0; fixed && i < r->stem->end && s->writes.v[i]->number < end; i++)
        if (!reads_first(s, r, s->writes.v[i])) return false;
    for (int i = 0; i < s->writes.n; i++) {
        if (fixed && i == r->stem->first) i = r->stem->end;
        if (i < s->writes.n && !reads_first(s, r, s->writes.v[i])) return false;
    }
    return true;
}

const Place *barrier_in_place(Build *b, const Stmt *from, int tag)
{
    if (!b->tags.v[tag - 1]) return NULL;
    Step s = {.tag = tag};
    const Place *bad = NULL;
    dependence_tests_start(&s.meets, b, b->k);
    s.stems.arena = s.seen.arena = b->arena;
    collect(&s, from);
    for (int i = 0; i < s.stores.n; i++)
        if (is_read(&s, s.stores.v[i].p->buf)) note(&s, &s.stores.v[i]);
    if (!is_sorted(&s)) qsort(s.writes.v, (size_t)s.writes.n, sizeof *s.writes.v, by_cell);
    for (int i = 0; i < s.writes.n; i++) {
        Stem *stem = s.writes.v[i]->stem;
        if (!stem) continue;
        if (!stem->end) stem->first = i;
        stem->end = i + 1;
    }
    for (int i = 0; i < s.reads.n && !bad; i++)
        if (!is_safe(&s, s.reads.v[i])) bad = s.reads.v[i]->a.p;
    free(s.buffers.v);
    free(s.stores.v);
    free(s.reads.v);
    free(s.writes.v);
    return bad;
}
