/* duel: two programs timed in alternating blocks; libraries opened while it runs. */
#include "duel.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { ROUNDS = 4, SAMPLES = 4096 };
static const double BLOCK = 0.3, BATCH = 0.004;         /* seconds */

typedef struct Times {
    double v[SAMPLES];
    int n, batch;
} Times;

/* Seconds of one run, averaged over a batch of them. */
static double once(const Racer *r, int batch)
{
    double start = bench_seconds();
    for (int i = 0; i < batch; i++) r->run(r->data);
    if (r->finish) r->finish(r->data);
    return (bench_seconds() - start) / batch;
}

static void block(const Racer *r, Times *t)
{
    double start = bench_seconds(), now = start;
    if (r->finish) r->finish(r->data);
    if (!t->batch) {
        double one = once(r, 1);
        one = once(r, 1);
        t->batch = r->finish && one < BATCH ? (int)(BATCH / one) + 1 : 1;
    }
    while ((now = bench_seconds()) - start < BLOCK || t->n == 0) {
        double s = once(r, t->batch);
        if ((now - start > BLOCK / 3 || s > BLOCK) && t->n < SAMPLES) t->v[t->n++] = s;
    }
}

void duel(const Racer *ours, const Racer *theirs, double *our_seconds, double *their_seconds)
{
    Times *a = calloc(1, sizeof *a), *b = calloc(1, sizeof *b);
    for (int i = 0; i < ROUNDS; i++) {
        usleep(20000);
        block(ours, a);
        usleep(20000);
        if (theirs) block(theirs, b);
    }
    *our_seconds = bench_median(a->v, a->n);
    *their_seconds = theirs ? bench_median(b->v, b->n) : 0;
    free(a);
    free(b);
}

void *library_open(const char *const *names, const char *what)
{
    for (; *names; names++) {
        void *library = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
        if (library) return library;
    }
    fprintf(stderr, "bench: %s is not installed; its lines are left out\n", what);
    return NULL;
}

void *library_function(void *library, const char *name) { return library ? dlsym(library, name) : NULL; }
