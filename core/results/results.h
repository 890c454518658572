/* results: what was measured, in one SQLite database (WAL), written ahead: a trial is recorded as `building` or `running` before it
 * happens, so that after a crash the row left there names the culprit (shell.md 1.9; architecture.md 7). Layer 8, below session.
 *
 * The key of a result is everything that may change it. A database that cannot be opened or written is one warning and a store
 * in memory: nothing else changes. */
#ifndef RESULTS_H
#define RESULTS_H

#include <jansson.h>

#include "diag.h"

typedef struct Results Results;
/* path NULL: in memory. Several processes may use one file. NULL never; *problem: malloc text when it fell back to memory. */
Results *results_open(const char *path, char **problem);
void results_close(Results *r);          /* NULL is fine */
const char *results_path(const Results *r);      /* NULL: in memory */

typedef struct ResultKey {               /* texts are the caller's */
    const char *program;                 /* its name; not part of the identity */
    uint64_t version;                    /* content hash of the version: term, bindings, facts */
    const char *params;                  /* "s0=32 s1=64" */
    const char *sizes;                   /* "N=1024 K=1024 M=1024" */
    const char *inputs;                  /* specifications of all inputs, in order: "A=random(1,-1,1) ..." */
    uint64_t source;                     /* hash of the OpenCL source; 0: never generated */
    const char *options;                 /* build options */
    const char *device, *device_name, *driver;
    const char *transfer;                /* none to from both */
    const char *tool;                    /* version of lathe */
} ResultKey;

typedef enum ResultState {
    RESULT_BUILDING, RESULT_RUNNING,     /* begun and not ended: under way, or the culprit of a crash */
    RESULT_OK, RESULT_WRONG, RESULT_REFUSED, RESULT_BUILD_FAILED, RESULT_FAILED, RESULT_TIMED_OUT, RESULT_DIED, RESULT_STOPPED,
    RESULT_STATES
} ResultState;
const char *result_state_name(ResultState s);    /* "building" "ok" "wrong" "refused" "build failed" ... */

typedef struct Result {
    int64_t id;
    ResultKey key;
    ResultState state;
    double ns, min_ns, iqr_ns;           /* median ...; 0: not timed */
    int trials;
    double build_ms, flops, bytes;       /* flops, bytes: of the program, once each; 0: unknown */
    const char *message;                 /* one line for anything but OK; "" */
    const char *derivation;              /* the steps from the source, "; " between: names the structure across sessions */
    const char *search;                  /* label of the search it belongs to; "" for run */
    int64_t sequence;                    /* number of the trial in its search, from 1; 0 */
    const char *features;                /* JSON object of numbers; "{}" */
    int64_t when;                        /* seconds since 1970 */
    int version_number;                  /* @n in the session that made it; 0: none */
    const char *session;                 /* identifies that session */
} Result;

/* Write ahead; returns the row's id, 0 when the store is broken (a warning was given once). */
int64_t results_begin(Results *r, const Result *planned);
bool results_state(Results *r, int64_t id, ResultState state);           /* building -> running */
bool results_end(Results *r, int64_t id, const Result *done);            /* everything but the key's identity is replaced */
/* Rows left building or running by processes that are gone: they become DIED with a message that says so. Returns how many. */
int results_recover(Results *r);
/* The newest ended result with that identity; false: none. Texts live in the arena. */
bool results_find(Results *r, const ResultKey *key, Arena *arena, Result *out);

/* A query: rows that meet all of filters ("state=ok", "device~pocl", "ns<400000", "s0=32": a parameter), sorted. */
typedef struct ResultQuery {
    const char *const *filters;
    int filter_count;
    const char *sort;                    /* a column or parameter, "-" in front: descending; NULL: by time, the fastest first */
    int64_t limit;                       /* 0: all */
} ResultQuery;
/* In the arena; returns the number, -1 with E05 for a filter or column that is none (with near names). */
int results_query(Results *r, const ResultQuery *q, Arena *arena, Result **out, Diag *diag);
int64_t results_forget(Results *r, const ResultQuery *q, Diag *diag);    /* delete; returns how many */

#endif
