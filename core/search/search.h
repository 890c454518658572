/* search: candidates of a search evaluated on a device, or on several alike at the same time: planned, built, verified, timed and
 * recorded, each source at most once (exploration.md, searching.md). Which candidates, and in
 * which order, is decided elsewhere (strategies/search).
 *
 * Several devices have a thread each, and one lock: whoever has it works on terms, references and the store, and lets go of it while a
 * worker builds or runs (device_set_wait). The caller has it but inside search_try, so that nothing else need know of threads. */
#ifndef SEARCH_H
#define SEARCH_H

#include "results.h"
#include "session.h"

typedef struct SearchOptions {
    const char *label;                   /* of the search, as results keep it */
    int64_t since;  /* results up to this one are not known: measured anew (results_newest); 0: all are known */
    bool force;                          /* of known ones those that died, failed or timed out are */
    bool batch;                          /* several candidates are built as one program */
    bool replay;                         /* nothing is run: what the store does not know is RESULT_STOPPED */
    double best_ns;                      /* > 0: known to be reached; limits follow from it */
    Transfer transfer;                   /* what else the times hold */
    const volatile int *stop;            /* may be NULL; raised: the trial under way is the last */
    /* may be NULL. A source in place of the generated one; NULL: that */
    const char *(*source)(void *data, const Version *v);
    void *source_data;
} SearchOptions;

typedef struct Trial {                   /* texts live until the next search_try */
    /* As it is recorded: ns 0: not timed; key.source 0: nothing was generated; key.device: where it was run, or was once where it is known;
     * message: one line. Never BUILDING or RUNNING. */
    Result result;
    bool known;                          /* answered by the result store, where it is since result.when */
    bool gave_up;                        /* its first run was hopeless: one run is all there is */
    int same_as;      /* number of the trial of this search with the same source, whose result it is; 0: none */
} Trial;

typedef struct Search Search;
/* Of the session's current program, on one device or more, alike ones (devices_alike). results may be NULL. The arguments must outlive
 * it; options are copied. */
enum { SEARCH_DEVICES_MAX = 64 };
Search *search_new(Session *s, Device *const *devices, int device_count, Results *results, const SearchOptions *options);
void search_free(Search *x);             /* NULL is fine */
/* So many choices are settled on from now on: what is evaluated is recorded with it (Result.fixed). */
void search_fixed(Search *x, int choices);
/* Candidates worth asking for at a time: those that are built as one program; on several devices so many that none is idle for long. */
int search_batch(const Search *x);
/* Where candidates come from and go to. Both are called by who called search_try, each once for every candidate, in their order. */
typedef struct SearchQueue {
    int count;
    /* The i-th, a version of the current program, kept or not, which must live until search_try returns: asked for when a device will soon
     * be free, so that making it takes no time of theirs. NULL: there is none. *derivation: how it was made, as results keep it;
     * as it is, NULL: session_derivation. */
    const Version *(*make)(void *data, int i, const char **derivation);
    bool (*ended)(void *data, int i, const Trial *t);        /* t NULL: there was none; false: no more are begun */
    void *data;
} SearchQueue;
/* Evaluate candidates. Trials are numbered on from 1 in the order given, whichever ends first; those
 * that were not ended, for stop was raised, `ended` said so or no device is left, are RESULT_STOPPED and have no number.
 *
 * With several devices: a candidate goes to whichever is free. One whose worker ends and starts no more is lost, and one that is
 * paused is left out; what was under way there goes to another, but a candidate at which a second one is lost is to blame itself. So is
 * one at which a worker here ends; one elsewhere (launcher) may have ended for another reason, and the candidate is tried once more. */
void search_try(Search *x, const SearchQueue *queue);
/* A device that was lost, or left out, since the last call, and why; NULL: none. */
const DeviceInfo *search_lost(Search *x, const char **why);
/* Is there no device left? Then why is in diag (may be NULL): E62. */
bool search_is_over(const Search *x, Diag *diag);

#endif
