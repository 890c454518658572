/* features: what a kernel does, counted without running it. Parts: features_numbers.c (what indices and loops are on average),
 * features_caches.c (what caches have to fetch), features.c (the rest, and the table). */
#ifndef LATHE_FEATURES_PRIVATE_H
#define LATHE_FEATURES_PRIVATE_H

#include "kernel.h"

typedef struct Numbers {                 /* of one kernel and its launch */
    Build *b;
    const Kernel *k;
    int64_t groups[3];
    PtrTable atoms;                      /* AtomUse; free it */
} Numbers;

typedef struct AtomUse {                 /* of an atom in an index */
    const NatAtom *atom;
    bool lane;                           /* differs between the work-items of a group */
    bool moves;                          /* ... or in the course of one */
    bool loaded;
    double mean;
    double lo, hi;                       /* over all work-items */
    double span;                         /* how many values it takes within a group */
} AtomUse;

const AtomUse *numbers_use(Numbers *in, const NatAtom *a);           /* lives as long as the build */
double numbers_mean(Numbers *in, const Nat *n);
double numbers_rounds(Numbers *in, const Stmt *loop);                /* each time it is reached */
double numbers_single(const Numbers *in, unsigned pinned);           /* the part of the work-items that an IF lets through (Stmt.single) */
double numbers_share(Numbers *in, const Expr *condition);            /* how often it holds: 0..1 */

double numbers_power(double x, int e);

typedef struct Axis { double step, count; } Axis;        /* count numbers, step apart */

int numbers_different(double *v, int n);                             /* sorts them, drops those that repeat; their number */
int numbers_axes(double *v, int n, Axis *axes, int most);            /* as sums of few axes; spoils v; the number of axes */
void numbers_sort_axes(Axis *axes, int n);                           /* the smallest step first */
uint64_t numbers_term_hash(const NatTerm *m);

typedef struct Cache { double bytes, ways, line; } Cache;            /* line: the same in all of them */
typedef struct Fetched { double bytes, jumps, jumped; } Fetched; /* whole lines; the places that no prefetcher is at before; their bytes */

/* What the walk over a kernel meets of memory: its loops, which go round so often each time they are reached, and its accesses, each in
 * that share of the rounds of the loop around it. */
typedef struct Caches Caches;
Caches *caches_new(Numbers *in);
void caches_enter(Caches *c, const Stmt *loop, double rounds);
void caches_leave(Caches *c);
void caches_touch(Caches *c, const Place *p, bool read, double share);
/* Bytes, whole lines, that each cache fetches of global and local memory while one core goes through all groups in their order: what the
 * largest loop bodies that fit into it touch counts once for each time they are reached (the footprints of Wolf and Lam, PLDI 1991,
 * with the sets that steps of powers of two leave unused). Returns how many streams a work-item reads global memory in: places
 * a page or more apart that it goes on from side by side, on average over the bytes; 0 where it reads none. c is released. */
double caches_fetched(Caches *c, const Cache *caches, int n, Fetched *out);

#endif
