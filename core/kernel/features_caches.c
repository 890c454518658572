/* features_caches: what caches have to fetch for the accesses of a kernel (reuse over a tree of loops). */
#include "features_private.h"

#include <math.h>
#include <stdlib.h>

/* The loops of a kernel as a tree: outermost the work-groups, then the work-items of one, dimension 0 going round fastest, then
 * the loops of the code. An access moves with some of those around it; what it touches in one of them is a few runs of equal steps. */

enum { IDS = 3, OUTER = 2 * IDS, AXES_MAX = 24 };

typedef struct Touch Touch;              /* the footprint of an access */
typedef struct Level Level;              /* of the loop nest */
struct Level {
    Level *up;
    int depth;
    const NatAtom *var;                  /* of a loop; NULL: ids */
    double rounds, step;
    VEC(Touch *) touches;                /* in its body, but in no loop there */
    VEC(Level *) inner;
};

struct Touch {                           /* accesses that differ by a constant */
    const Buffer *buf;
    const Nat *at;
    Level *in;
    uint64_t key;
    int width, axis_count;
    double share;                        /* of the rounds of its loop */
    double visit;                        /* touch_visit */
    uint64_t moves;                      /* the depths of the loops that it moves with, a bit each */
    bool read;
    Axis axes[AXES_MAX];                 /* of the constants */
    VEC(double) offsets;
};

struct Caches {
    Numbers *in;
    const Cache *cache;
    Level *root, *level;                 /* level: during the walk */
    VEC(Touch *) all;
    Fetched *of_buffer;                  /* by id of the buffer; 0 outside of bytes_in */
};

/* ---- the tree ---- */

static Level *level_open(Caches *c, const NatAtom *var, double rounds, double step)
{
    Level *l = NEW(c->in->b->arena, Level);
    *l = (Level){.up = c->level, .depth = c->level ? c->level->depth + 1 : 0, .var = var, .rounds = rounds, .step = step};
    if (c->level) vec_push(&c->level->inner, l);
    return c->level = l;
}

Caches *caches_new(Numbers *in)
{
    Caches *c = MAKE(in->b->arena, Caches, .in = in, .of_buffer = NEW_ARRAY(in->b->arena, Fetched, in->b->buffer_ids));
    for (int i = 0; i < OUTER; i++) {
        int d = (OUTER - 1 - i) % IDS;
        Level *l = level_open(c, NULL, i < IDS ? (double)in->groups[d] : in->k->local[d], 1);
        if (!c->root) c->root = l;
    }
    return c;
}

void caches_enter(Caches *c, const Stmt *loop, double rounds) { level_open(c, nat_atom(loop->var), rounds, numbers_mean(c->in, loop->step)); }
void caches_leave(Caches *c) { c->level = c->level->up; }

static void level_free(Level *l)
{
    for (int i = 0; i < l->inner.n; i++) level_free(l->inner.v[i]);
    free(l->inner.v);
    free(l->touches.v);
}

void caches_touch(Caches *c, const Place *p, bool read, double share)
{
    if (p->buf->space == SPACE_PRIVATE) return;
    uint64_t key = hash_pair((uint64_t)p->width, (uint64_t)p->buf->id);
    double constant = 0;
    for (int i = 0; i < p->at->term_count; i++) {
        const NatTerm *m = &p->at->terms[i];
        if (m->factor_count) key = hash_mix(numbers_term_hash(m), key);
        else constant = (double)m->num / (double)m->den;
    }
    Touch *t = NULL;
    for (int i = 0; i < c->level->touches.n && !t; i++)
        if (c->level->touches.v[i]->key == key) t = c->level->touches.v[i];
    if (!t) {
        t = NEW(c->in->b->arena, Touch);
        *t = (Touch){.buf = p->buf, .at = p->at, .in = c->level, .key = key, .width = p->width, .share = share};
        vec_push(&c->level->touches, t);
        vec_push(&c->all, t);
    }
    t->share = fmax(t->share, share);
    t->read |= read;
    if (!t->offsets.n || t->offsets.v[t->offsets.n - 1] != constant) vec_push(&t->offsets, constant);
}

/* ---- what an access touches while all from one depth on go round ---- */

static double nat_values(Caches *c, const Touch *t, const Nat *n, int depth);

static double atom_step(const Caches *c, const NatAtom *a, const Level *l);

static bool nat_moves(const Caches *c, const Nat *n, const Level *l);

/* Does the value change with l? It may, if it is what code computed before. */
static bool moves_with(const Caches *c, const Expr *e, const Level *l)
{
    bool unknown = e->kind == X_LOAD && (e->place.buf->space == SPACE_PRIVATE || !e->place.at);
    return unknown || (e->kind == X_NAT && nat_moves(c, e->nat, l)) || (e->kind == X_LOAD && nat_moves(c, e->place.at, l))
           || ANY(i, e->arg_count, moves_with(c, e->args[i], l));
}

static bool nat_moves(const Caches *c, const Nat *n, const Level *l)
{
    bool moves = false;
    LOCAL(drop) NatAtomVec vars = nat_vars_in(n);
    for (int i = 0; i < vars.n && !moves; i++) {
        const VarInfo *v = kernel_var(c->in->k, vars.v[i]);
        if (v && v->kind == VAR_OPAQUE) moves = !v->loaded || moves_with(c, v->loaded, l);
        else moves = (v && v->kind == VAR_STRIDED) || atom_step(c, vars.v[i], l) != 0;
    }
    return moves;
}

/* How many values an atom takes. */
static double atom_values(Caches *c, const Touch *t, const NatAtom *a, int depth)
{
    if (a->kind != ATOM_VAR) {
        double x = nat_values(c, t, a->a, depth), by = numbers_mean(c->in, a->b);
        if (a->kind == ATOM_DIV) return by > 1 ? ceil(x / by) : x;
        if (a->kind == ATOM_MOD) return fmin(x, fmax(1, by));
        return fmax(x, nat_values(c, t, a->b, depth));
    }
    const VarInfo *v = kernel_var(c->in->k, a);
    if (v && v->kind == VAR_ID) {
        int group = IDS - 1 - v->dim, local = IDS + group;
        double groups = (double)c->in->groups[v->dim], items = c->in->k->local[v->dim];
        switch (v->id) {
        case ID_GROUP: return depth <= group ? groups : 1;
        case ID_LOCAL: return depth <= local ? items : 1;
        default: return depth <= group ? groups * items : depth <= local ? items : 1;
        }
    }
    if (v && v->kind == VAR_OPAQUE && !v->shared) {         /* that is loaded: another one each time, until it has been all */
        double rounds = 1;
        for (const Level *l = t->in; l && l->depth >= depth; l = l->up) rounds *= !v->loaded || moves_with(c, v->loaded, l) ? l->rounds : 1;
        return fmin(rounds, numbers_mean(c->in, t->buf->count));
    }
    if (v && v->kind == VAR_STRIDED) return depth < OUTER ? numbers_use(c->in, a)->hi + 1 : 1;
    for (const Level *l = t->in; l && l->depth >= depth; l = l->up)
        if (l->var == a) return l->rounds;
    return 1;
}

static double nat_values(Caches *c, const Touch *t, const Nat *n, int depth)
{
    double values = 1;
    for (int i = 0; i < n->term_count; i++) {
        double step = fabs((double)n->terms[i].num / (double)n->terms[i].den), moving = 1;
        for (int f = 0; f < n->terms[i].factor_count; f++) {
            double x = atom_values(c, t, n->terms[i].factors[f].atom, depth);
            if (x > 1) moving *= x;
            else step *= numbers_power(numbers_use(c->in, n->terms[i].factors[f].atom)->mean, n->terms[i].factors[f].exp);
        }
        values += fmax(1, step) * (moving - 1);
    }
    return values;
}

static double loop_step(const Touch *t, const NatAtom *a)
{
    for (const Level *l = t->in; l; l = l->up)
        if (l->var == a) return l->step;
    return 1;
}

static int touch_axes(Caches *c, const Touch *t, int depth, Axis *axes)
{
    int n = t->axis_count;
    for (int i = 0; i < n; i++) axes[i] = t->axes[i];
    for (int i = 0; i < t->at->term_count && n < AXES_MAX; i++) {
        const NatTerm *m = &t->at->terms[i];
        double step = fabs((double)m->num / (double)m->den), count = 1;
        for (int f = 0; f < m->factor_count; f++) {
            const NatAtom *a = m->factors[f].atom;
            double x = atom_values(c, t, a, depth);
            if (x > 1) step *= loop_step(t, a), count *= x;
            else step *= numbers_power(numbers_use(c->in, a)->mean, m->factors[f].exp);
        }
        if (count > 1 && step > 0) axes[n++] = (Axis){step, count};
    }
    numbers_sort_axes(axes, n);
    return n;
}

/* How often it is done while all from that depth on go round: indices that are parts of one counter, i / 9 and i % 9, go to no more places. */
static double touch_times(const Touch *t, int depth)
{
    double times = 1;
    for (const Level *l = t->in; l && l->depth >= depth; l = l->up) times *= t->moves >> l->depth & 1 ? l->rounds : 1;
    for (int i = 0; i < t->axis_count; i++) times *= t->axes[i].count;
    return times;
}

typedef struct Lines { double bytes, room; } Lines;     /* whole lines; what they take of the cache, sets that stay empty included */

/* Runs of bytes without a gap of a line, and how many: their sets are few where the step between runs is a power of two. */
static Lines touch_lines(Caches *c, const Touch *t, int depth)
{
    Axis axes[AXES_MAX];
    double size = scalar_bytes(t->buf->scalar), run = t->width * size, runs = 1, step = 0;
    int n = touch_axes(c, t, depth, axes);
    for (int i = 0; i < n; i++) {
        double by = axes[i].step * size;
        if (runs == 1 && by <= fmax(run, c->cache->line)) {
            run += by * (axes[i].count - 1);
        } else {
            runs *= axes[i].count;
            if (step == 0) step = by;
        }
    }
    double lines = fmax(1, run / c->cache->line), way = c->cache->bytes / c->cache->ways;
    double most = touch_times(t, depth) * fmax(1, t->width * size / c->cache->line);
    if (lines * runs > most) runs = most, lines = 1;
    double all = lines * runs * c->cache->line;
    if (runs == 1) return (Lines){all, all};
    double places = 1;                   /* within a way at which runs begin */
    for (double rest = step; places < way / c->cache->line && fmod(rest, way) != 0; rest += step) places++;
    double ways = ceil(runs * lines * c->cache->line / fmin(way, places * lines * c->cache->line));
    return (Lines){all, ways > 1 ? fmax(all, ways * way) : all};
}

/* ---- what is fetched ---- */

static void add(Fetched *sum, const Touch *t, double bytes)
{
    sum->bytes += bytes;
    if (t->visit > 0) sum->jumps += bytes / t->visit, sum->jumped += bytes;
}

static void add_part(Fetched *sum, const Fetched *x, double part)
{
    sum->bytes += part * x->bytes;
    sum->jumps += part * x->jumps;
    sum->jumped += part * x->jumped;
}

static void add_bytes(Caches *c, const Level *l, int depth, bool room)
{
    for (int i = 0; i < l->touches.n; i++) {
        const Touch *t = l->touches.v[i];
        Lines x = touch_lines(c, t, depth);
        add(&c->of_buffer[t->buf->id], t, room ? x.room : x.bytes * fmin(1, t->share));
    }
    for (int i = 0; i < l->inner.n; i++) add_bytes(c, l->inner.v[i], depth, room);
}

static Fetched bytes_in(Caches *c, const Level *l, int depth, bool room)
{
    add_bytes(c, l, depth, room);
    /* No buffer more often than once, unless its lines collide. */
    Fetched sum = {0};
    for (int i = 0; i < c->all.n; i++) {
        const Buffer *b = c->all.v[i]->buf;
        Fetched *of = &c->of_buffer[b->id];
        double whole = numbers_mean(c->in, b->count) * scalar_bytes(b->scalar);
        if (of->bytes > 0) add_part(&sum, of, room ? 1 : fmin(1, fmax(whole, c->cache->line) / of->bytes));
        *of = (Fetched){0};
    }
    return sum;
}

static void fetched_in(Caches *c, const Level *l, double reached, Fetched *sum)
{
    if (bytes_in(c, l, l->depth + 1, true).bytes <= c->cache->bytes) {
        Fetched all = bytes_in(c, l, l->depth, false);
        add_part(sum, &all, reached);
        return;
    }
    for (int i = 0; i < l->touches.n; i++) {
        const Touch *t = l->touches.v[i];
        add(sum, t, reached * l->rounds * t->share * touch_lines(c, t, l->depth + 1).bytes);
    }
    for (int i = 0; i < l->inner.n; i++) fetched_in(c, l->inner.v[i], reached * l->rounds, sum);
}

/* ---- streams ---- */

enum { PAGE = 4096, FOLLOWED = 32 };     /* what a prefetcher follows does not cross one; how many it follows at once */

/* How far an atom goes from one round of a loop, or one group or work-item, to the next. */
static double atom_step(const Caches *c, const NatAtom *a, const Level *l)
{
    if (l->depth >= OUTER) return a == l->var ? l->step : 0;
    const VarInfo *v = kernel_var(c->in->k, a);
    int dim = (OUTER - 1 - l->depth) % IDS;
    if (!v || v->kind != VAR_ID || v->dim != dim) return 0;
    if (l->depth >= IDS) return v->id != ID_GROUP;
    return v->id == ID_GROUP ? 1 : v->id == ID_GLOBAL ? c->in->k->local[dim] : 0;
}

/* How far an access goes then; 0: it does not move with it. */
static double touch_step(const Caches *c, const Touch *t, const Level *l)
{
    double step = 0;
    for (int i = 0; i < t->at->term_count; i++)
        for (int f = 0; f < t->at->terms[i].factor_count; f++)
            step += atom_step(c, t->at->terms[i].factors[f].atom, l) * (double)t->at->terms[i].num / (double)t->at->terms[i].den;
    return fabs(step) * scalar_bytes(t->buf->scalar);
}

/* Places a page or more apart that an access is to by its constants; *run: bytes without a gap at each. */
static double touch_places(const Caches *c, const Touch *t, double *run)
{
    double size = scalar_bytes(t->buf->scalar), places = 1;
    *run = t->width * size;
    for (int i = 0; i < t->axis_count; i++) {
        double by = t->axes[i].step * size;
        if (by <= fmax(*run, c->cache->line)) *run += by * (t->axes[i].count - 1);
        else if (by >= PAGE) places *= t->axes[i].count;
    }
    return places;
}

/* Places a page or more apart that are read before the innermost loop that goes on from where it was comes round. */
static double touch_streams(const Caches *c, const Touch *t)
{
    double run, streams = touch_places(c, t, &run);
    for (const Level *l = t->in; l->depth >= OUTER; l = l->up) {
        double step = touch_step(c, t, l);
        if (step > 0 && (step < PAGE || step <= run)) break;
        if (step > 0) streams *= l->rounds;
    }
    return streams;
}

/* What is touched at one place, in whole lines, before the next one a page or more away, where there are more such places than a prefetcher
 * follows before the neighbours of the first come: each then waits for memory; 0: there are not. */
static double touch_visit(const Caches *c, const Touch *t)
{
    double run, places = touch_places(c, t, &run);
    for (const Level *l = t->in; l; l = l->up) {
        double step = touch_step(c, t, l);
        if (step == 0 || l->rounds <= 1) continue;
        if (step >= PAGE && step > run) places *= l->rounds;
        else if (places > 1 || step > fmax(run, c->cache->line)) break;
        else run += step * (l->rounds - 1);
    }
    return places > FOLLOWED ? ceil(run / c->cache->line) * c->cache->line : 0;
}

typedef struct Streams { double read, weighted; } Streams;       /* bytes; the same, each times the streams beside it */

static void add_streams(const Caches *c, const Level *l, double reached, Streams *sum)
{
    double streams = 0, read = 0;
    for (int i = 0; i < l->touches.n; i++) {
        const Touch *t = l->touches.v[i];
        if (t->buf->space != SPACE_GLOBAL || !t->read) continue;
        streams += touch_streams(c, t);
        double n = 1;
        for (int j = 0; j < t->axis_count; j++) n *= t->axes[j].count;
        read += reached * l->rounds * t->share * n * t->width * scalar_bytes(t->buf->scalar);
    }
    sum->read += read;
    sum->weighted += read * streams;
    for (int i = 0; i < l->inner.n; i++) add_streams(c, l->inner.v[i], reached * l->rounds, sum);
}

double caches_fetched(Caches *c, const Cache *caches, int n, Fetched *out)
{
    c->cache = caches;
    for (int i = 0; i < c->all.n; i++) {
        Touch *t = c->all.v[i];
        t->axis_count = numbers_axes(t->offsets.v, t->offsets.n, t->axes, AXES_MAX / 2);
        free(t->offsets.v);
        t->visit = t->buf->space == SPACE_GLOBAL ? touch_visit(c, t) : 0;
        for (const Level *l = t->in; l; l = l->up) t->moves |= (uint64_t)nat_moves(c, t->at, l) << l->depth;
    }
    for (int i = 0; i < n; i++) {
        c->cache = &caches[i];
        out[i] = (Fetched){0};
        fetched_in(c, c->root, 1, &out[i]);
    }
    Streams streams = {0};
    add_streams(c, c->root, 1, &streams);
    level_free(c->root);
    free(c->all.v);
    return streams.read > 0 ? streams.weighted / streams.read : 0;
}
