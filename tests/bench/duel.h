/* duel: ours against a library, in one process, in alternating blocks (a threaded library keeps its threads spinning after a call,
 * so single calls in turn would time its neighbour's waiting); the first third of a block is dropped. */
#ifndef DUEL_H
#define DUEL_H

#include <stdbool.h>

#include "bench.h"

/* One competitor: run does the work once (enqueues it, when finish exists); finish waits for all that was enqueued. */
typedef struct Racer {
    void (*run)(void *data);
    void (*finish)(void *data);            /* NULL: run itself is synchronous */
    void *data;
} Racer;

/* Median seconds of one run of each; theirs may be NULL (then *their_seconds is 0). */
void duel(const Racer *ours, const Racer *theirs, double *our_seconds, double *their_seconds);

/* Functions of a library that may be absent. NULL when it is not found; a line on stderr says so, once a library. */
void *library_open(const char *const *names, const char *what);
void *library_function(void *library, const char *name);

#endif
