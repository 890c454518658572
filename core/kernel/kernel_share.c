/* kernel_share: local arrays that are never alive together share memory. */
#include "kernel.h"

#include <stdlib.h>

/* Of one scalar, for compilers take stores and loads of two types to be of different cells.
 *
 * An array lives in the innermost block that has all accesses to it, from the first statement there with one to the last: what a block
 * makes of an array it writes before it reads it, in every round anew. Barriers that sharing needs are the dependence analysis' business
 * (barrier.c: arrays with one room are one), which finds a place for them where all work-items of a group come. */

enum { DEPTH_MAX = 64 };

typedef struct Life {
    Buffer *buf;
    const Block *path[DEPTH_MAX];        /* the blocks around, from the outermost */
    int depth, even;                     /* that many of them are entered by all work-items of a group or none */
    int from, to;                        /* numbers of statements */
    int room;
    bool known;
} Life;

static int number(Block *blk, int n)
{
    for (Stmt *s = blk->first; s; s = s->next) {
        s->first_access = n++;
        if (stmt_has_bodies(s)) n = number(&s->other, number(&s->body, n));
        s->end_access = n;
    }
    return n;
}

typedef struct First { const Buffer *buf; bool seen, write; } First;

static void see_first(void *data, const Place *p, bool write, const Stmt *s)
{
    First *f = data;
    (void)s;
    if (p->buf != f->buf || f->seen) return;
    f->seen = true;
    f->write = write;
}

static bool block_mentions(const Block *blk, const Buffer *buf)
{
    First f = {.buf = buf};
    block_places(blk, see_first, &f);
    return f.seen;
}

static bool itself_mentions(const Stmt *s, const Buffer *buf)
{
    First f = {.buf = buf};
    stmt_places(s, see_first, &f);
    return f.seen;
}

static Life life_of(const Kernel *k, Buffer *buf)
{
    Life l = {.buf = buf, .path = {&k->body}, .depth = 1, .even = 1};
    for (;;) {
        const Block *blk = l.path[l.depth - 1], *inner = NULL;
        const Stmt *first = NULL, *last = NULL;
        for (const Stmt *s = blk->first; s; s = s->next) {
            if (!stmt_mentions(s, buf)) continue;
            if (!first) first = s;
            last = s;
        }
        if (!first) return l;
        if (first == last && l.depth < DEPTH_MAX) {
            /* The block within s that has all accesses of it; NULL: there is none. */
            bool either = first->kind == S_IF && first->other.first && !first->uniform; /* work-items are in both at a time */
            inner = NULL;
            if ((first->kind == S_FOR || first->kind == S_IF) && !either && !itself_mentions(first, buf)) {
                bool body = block_mentions(&first->body, buf), other = block_mentions(&first->other, buf);
                inner = body && other ? NULL : body ? &first->body : &first->other;
            }
        }
        if (!inner) {
            First f = {.buf = buf};
            block_places(blk, see_first, &f);
            l.from = first->first_access;
            l.to = last->end_access;
            l.known = f.write && !buf->turn;
            return l;
        }
        l.even += l.even == l.depth && first->uniform;
        l.path[l.depth++] = inner;
    }
}

static bool can_share(const Life *x, const Life *y)
{
    int common = 0;
    while (common < x->depth && common < y->depth && x->path[common] == y->path[common]) common++;
    if (x->buf->padding || y->buf->padding) return false;       /* barrier.c compares places without the padding */
    return x->known && y->known && x->buf->scalar == y->buf->scalar && common <= x->even && (x->to <= y->from || y->to <= x->from);
}

static int by_start(const void *x, const void *y)
{
    const Life *a = *(Life *const *)x, *b = *(Life *const *)y;
    return a->from != b->from ? a->from - b->from : a->buf->id - b->buf->id;
}

/* Each goes to the first room that is free for it, in the order in which they begin to live; the largest of a room declares it. */
void kernel_share(Build *b, Kernel *k)
{
    int n = k->locals.n;
    Life **lives = NEW_ARRAY(b->arena, Life *, n);
    number(&k->body, 0);
    for (int i = 0; i < n; i++) {
        lives[i] = NEW(b->arena, Life);
        *lives[i] = life_of(k, k->locals.v[i]);
    }
    qsort(lives, (size_t)n, sizeof *lives, by_start);
    for (int i = 0; i < n; i++) {
        for (bool fits = false; !fits; lives[i]->room += !fits) {
            fits = true;
            for (int j = 0; j < i; j++) fits = fits && (lives[j]->room != lives[i]->room || can_share(lives[i], lives[j]));
        }
    }
    for (int i = 0; i < n; i++) {
        Buffer *most = NULL;
        for (int j = 0; j < n; j++)
            if (lives[j]->room == lives[i]->room && (!most || lives[j]->buf->count->value > most->count->value)) most = lives[j]->buf;
        lives[i]->buf->room = most == lives[i]->buf ? NULL : most;
    }
}

int64_t kernel_local_bytes(const Kernel *k, bool shared)
{
    int64_t sum = 0;
    for (int i = 0; i < k->locals.n; i++) sum += shared && k->locals.v[i]->room ? 0 : k->locals.v[i]->count->value * scalar_bytes(k->locals.v[i]->scalar);
    return sum;
}
