/* kernel_share: local arrays that are never alive together share memory. */
#include "kernel.h"

#include <stdlib.h>
#include <string.h>

/* Of one scalar, for compilers take stores and loads of two types to be of different cells.
 *
 * An array lives in the innermost block that has all accesses to it, from the first statement there with one to the last: what a block
 * makes of an array it writes before it reads it, in every round anew. Barriers that sharing needs are the dependence analysis' business
 * (barrier.c: arrays with one storage are one), which finds a place for them where all work-items of a group come. */

enum { DEPTH_MAX = 64 };

typedef struct LiveRange {
    Buffer *buf;
    const Block *path[DEPTH_MAX];        /* the blocks around, from the outermost; of the first access, then those that it shares with all */
    const Stmt *at[DEPTH_MAX];           /* the statements with the first access in them, */
    int number[DEPTH_MAX];               /* and their numbers, in program order */
    int depth, even;                     /* that many of them are entered by all work-items of a group or none */
    int from, to;                        /* numbers of statements, as far as it is known */
    bool *meets;                         /* by life: it is alive with that one */
    int slot;
    bool known;
} LiveRange;

typedef VEC(int) Ends;                   /* by the number of a statement: that of the first one behind it */

static void find_ends(Ends *ends, const Block *blk)
{
    for (const Stmt *s = blk->first; s; s = s->next) {
        int n = ends->n;
        vec_push(ends, 0);
        if (stmt_has_bodies(s)) find_ends(ends, &s->body), find_ends(ends, &s->other);
        ends->v[n] = ends->n;
    }
}

typedef struct Walk {
    Ends ends;
    int next;                            /* the number of the next statement */
    LiveRange **lives;
    int count;
    const Block *path[DEPTH_MAX];        /* where it is, as in a LiveRange */
    const Stmt *at[DEPTH_MAX];
    int number[DEPTH_MAX];
    int depth, apart;                    /* pairs that are not alive together */
} Walk;

static bool see(void *data, const Place *p, bool write)
{
    Walk *w = data;
    int own = 0;
    while (own < w->count && w->lives[own]->buf != p->buf) own++;
    if (own == w->count) return false;
    LiveRange *l = w->lives[own];
    if (!l->depth) {
        memcpy(l->path, w->path, sizeof *w->path * (size_t)w->depth);
        memcpy(l->at, w->at, sizeof *w->at * (size_t)w->depth);
        memcpy(l->number, w->number, sizeof *w->number * (size_t)w->depth);
        l->depth = w->depth;
        l->known = write && !p->buf->phase;
    }
    while (l->depth > w->depth || l->path[l->depth - 1] != w->path[l->depth - 1]) l->depth--;      /* a block has one path */
    l->from = l->number[l->depth - 1];
    l->to = w->ends.v[w->number[l->depth - 1]];
    for (int i = 0; i < w->count; i++) {
        LiveRange *m = w->lives[i];
        if (m == l || !m->depth || l->meets[i] || l->to <= m->from || m->to <= l->from) continue;
        l->meets[i] = m->meets[own] = true;
        w->apart--;
    }
    return false;
}

/* Up to where all are known to be alive together. whole: what is in blk is taken for the statement around it. */
static void walk(Walk *w, const Block *blk, bool whole)
{
    int depth = w->depth;
    if (!whole) w->path[w->depth++] = blk;
    for (const Stmt *s = blk->first; s && w->apart; s = s->next) {
        int number = w->next++;
        if (!whole) w->at[depth] = s, w->number[depth] = number;
        stmt_places(s, 1 << SPACE_LOCAL, false, see, w);
        if (!stmt_has_bodies(s)) continue;
        bool either = s->kind == S_IF && s->other.first && !s->uniform;          /* work-items are in both at a time */
        bool inside = (s->kind == S_FOR || s->kind == S_IF || s->kind == S_UNIT) && !either && !whole && w->depth < DEPTH_MAX;
        walk(w, &s->body, !inside);
        walk(w, &s->other, !inside);
    }
    w->depth = depth;
}

static bool can_share(const LiveRange *x, const LiveRange *y)
{
    int common = 0;
    while (common < x->depth && common < y->depth && x->path[common] == y->path[common]) common++;
    if (x->buf->lane || y->buf->lane) return false;
    if (x->buf->padding || y->buf->padding || x->buf->swizzle.piece || y->buf->swizzle.piece) return false;       /* barrier.c compares places as if all lay at their offsets */
    return x->known && y->known && x->buf->scalar == y->buf->scalar && common <= x->even && (x->to <= y->from || y->to <= x->from);
}

static int by_start(const void *x, const void *y)
{
    const LiveRange *a = *(LiveRange *const *)x, *b = *(LiveRange *const *)y;
    return a->from != b->from ? a->from - b->from : a->buf->id - b->buf->id;
}

/* Each goes to the first slot that is free for it, in the order in which they begin to live; the largest of a slot declares it. */
void kernel_share(Build *b, Kernel *k)
{
    int n = k->locals.n;
    if (n < 2) return;
    LiveRange **lives = NEW_ARRAY(b->arena, LiveRange *, n);
    for (int i = 0; i < n; i++) lives[i] = MAKE(b->arena, LiveRange, .buf = k->locals.v[i], .even = 1, .meets = NEW_ARRAY(b->arena, bool, n));
    Walk w = {.lives = lives, .count = n, .apart = n * (n - 1) / 2};
    find_ends(&w.ends, &k->body);
    walk(&w, &k->body, false);
    free(w.ends.v);
    if (!w.apart) return;
    for (int i = 0; i < n; i++) {
        LiveRange *l = lives[i];
        for (int d = 1; d < l->depth; d++) l->even += l->even == d && l->at[d - 1]->uniform;
    }
    qsort(lives, (size_t)n, sizeof *lives, by_start);
    for (int i = 0; i < n; i++) {
        for (bool fits = false; !fits; lives[i]->slot += !fits) {
            fits = true;
            for (int j = 0; j < i; j++) fits = fits && (lives[j]->slot != lives[i]->slot || can_share(lives[i], lives[j]));
        }
    }
    for (int i = 0; i < n; i++) {
        Buffer *most = NULL;
        for (int j = 0; j < n; j++)
            if (lives[j]->slot == lives[i]->slot && (!most || lives[j]->buf->count->value > most->count->value)) most = lives[j]->buf;
        lives[i]->buf->storage = most == lives[i]->buf ? NULL : most;
    }
}

int64_t kernel_local_bytes(const Kernel *k, bool shared)
{
    int64_t sum = 0;
    for (int i = 0; i < k->locals.n; i++) sum += shared && k->locals.v[i]->storage ? 0 : k->locals.v[i]->count->value * scalar_bytes(k->locals.v[i]->scalar);
    return sum;
}
