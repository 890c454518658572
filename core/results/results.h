/* results: what was measured, in one SQLite database (WAL), written ahead: a trial is recorded as `building`
 * or `running` before it happens, so that after a crash the row left there names the culprit (measurements.md).
 *
 * The key of a result is everything that may change it. A database that cannot be opened or written is one
 * warning and a store in memory: nothing else changes. Several processes may use one file; a Results belongs
 * to one thread at a time. */
#ifndef RESULTS_H
#define RESULTS_H

#include <jansson.h>

#include "run.h"

typedef struct Results Results;
/* path NULL: in memory. Its folder is made. NULL never; results_trouble says why when it fell back to memory. Of a file that can be
 * read and not written, memory holds a copy. */
Results *results_open(const char *path);
void results_close(Results *r);          /* NULL is fine */
typedef struct ResultNames { const char *program, *device; } ResultNames;        /* NULL: what the file says */
/* What a file holds, in memory: a store, TSV or T4 as results_write makes it, or other tuners', or Kernel Tuner's cache. as, NULL: of a file
 * that does not call them so. NULL + E06, E05, E03 with the line, E25 when *stop was raised (NULL: never) on the way. */
Results *results_read(const char *file, const ResultNames *as, const volatile int *stop, Diag *diag);
const char *results_path(const Results *r);      /* NULL: in memory */
const char *results_session(const Results *r);   /* identifies this process: Result.session of what it records */
/* What went wrong in opening it or in a write since this was asked last (disk full, file locked for long); NULL: nothing. The
 * store's, until something goes wrong again. */
const char *results_trouble(Results *r);

typedef enum ResultState {
    /* begun and not ended: under way, or the culprit of a crash (BUILT is none) */
    RESULT_BUILDING, RESULT_BUILT, RESULT_RUNNING,
    RESULT_OK, RESULT_WRONG, RESULT_REFUSED, RESULT_BUILD_FAILED, RESULT_FAILED, RESULT_TIMED_OUT,
    RESULT_DIED, RESULT_STOPPED, RESULT_STATES
} ResultState;
const char *result_state_name(ResultState s);    /* "building" "ok" "wrong" "refused" "build failed" ... */
bool result_ended(ResultState s);

/* The C type of each kind of value in columns.def. */
typedef const char *ResultTEXT;
typedef uint64_t ResultHASH;
typedef ResultState ResultSTATE;
typedef int64_t ResultDATE, ResultLONG;
typedef int ResultINT;
typedef double ResultNUMBER, ResultTIME;

/* Everything that may change a result: fields of columns.def. Texts are the caller's; NULL is "". */
typedef struct ResultKey {
#define KEY(value, field, ...) Result##value field;
#include "columns.def"
} ResultKey;

typedef struct Result {
    int64_t id;
    ResultKey key;
#define FIELD(value, field, ...) Result##value field;
#define HIDDEN FIELD
#include "columns.def"
} Result;
/* In the options of results made with every barrier (RunSettings.paranoid). */
#define RESULT_PARANOID "sync=paranoid"
Result result_copy(const Result *r, Arena *arena);       /* with its texts */
static inline bool result_is_timed(const Result *r) { return r->state == RESULT_OK && r->ns > 0; }
bool result_is_apart(const Result *r);   /* made with every barrier, or timed with transfers: not compared with others */

/* Write ahead; returns the row's id, 0 when it could not be written (results_trouble). when 0: now;
 * session NULL: results_session. */
int64_t results_begin(Results *r, const Result *planned);
bool results_state(Results *r, int64_t id, ResultState state);           /* building -> built -> running */
bool results_end(Results *r, int64_t id, const Result *done);            /* everything but the identity is replaced */
bool results_drop(Results *r, int64_t id);                               /* as if it had not been begun */
/* Begins the message of what results_recover found building or running; its trials then say how often that
 * had happened to it before. */
#define RESULT_LEFT "lathe ended while it was "
/* Rows left by processes that are gone: building and running ones become DIED with a message that says so,
 * built ones STOPPED. Returns how many. */
int results_recover(Results *r);
/* The newest ended result with that identity (a stopped one is none); false: there is none. Texts live in the arena. */
bool results_find(Results *r, const ResultKey *key, Arena *arena, Result *out);
/* Of the results of that version at those sizes, on whatever device, the fastest; when none was
 * timed the newest that ended. No paranoid one. */
bool results_best(Results *r, uint64_t version, const char *sizes, Arena *arena, Result *out);
/* How many versions of that program (name and origin) were timed at those sizes on that device, and the place of that time
 * among the best ones of the others, from 1. */
int results_rank(Results *r, const ResultKey *key, double ns, int *place);
/* Of a result that ended so, is it pointless and dangerous to try again with that limit? It DIED, or it
 * TIMED_OUT under none smaller. What result_interrupted says comes first. */
bool result_is_culprit(const Result *r, double limit_ms);

/* ---- one run, recorded while it happens ---- */

typedef struct ResultRecord {
    Results *store;
    Result planned;      /* what the caller knows: version, derivation, search, sequence, features, flops ... */
    int64_t id;                          /* of its row, once there is one */
    Arena *arena;                        /* the caller's: texts of the key */
} ResultRecord;
/* Fill in the rest of the key (all but version and program) from what will be run; source stays 0.
 * device NULL: none is known. */
void result_key(const RunSpec *spec, const DeviceInfo *device, Arena *arena, ResultKey *key);
/* spec->watch becomes a function that writes ahead; record must live as long as the run. */
void result_watch(ResultRecord *record, RunSpec *spec);
/* Was the newest result (of results_find) under way when lathe was ended from outside? Kernels run in another
 * process, so that is tried once more: not a second time, and not where the whole machine went down. The
 * record notes it, so that a second end counts. */
bool result_interrupted(ResultRecord *record, const Result *newest);
/* What came out, as results keep it: all but the key, and whose it is. Texts are the arena's, or o's. */
void result_outcome(Result *out, const RunOutcome *o, Arena *arena);
/* How it ended, also when it was refused before anything was written ahead; of a run that was refused nothing is kept. */
void result_record(ResultRecord *record, const RunOutcome *o);
ResultState result_state_of(const RunOutcome *o);
/* Of the generated kernels alone: without comments, whatever the kernels are called. Equal for
 * equal code. 0: there is none */
uint64_t result_source_hash(const RunOutcome *o);

/* ---- searches that were begun ---- */

typedef struct ResultSearch {
    const char *program;
    uint64_t version;                    /* what was searched: its hash ... */
    const char *derivation;              /* ... and how it was made */
    const char *sizes, *inputs;          /* as in ResultKey */
    const char *spec;                    /* the caller's: all that the search was asked for */
    int64_t since;                       /* results up to this one are not known to it; 0: all are */
} ResultSearch;
bool results_search_begin(Results *r, const ResultSearch *begun);
/* The last search of that program: of this process, else of any. False: there is none. Texts live in the arena. */
bool results_search_last(Results *r, const char *program, Arena *arena, ResultSearch *out);
int64_t results_newest(Results *r);      /* id of the newest result; 0: there is none */

/* ---- queries ---- */

typedef enum ColumnKind { COLUMN_TEXT, COLUMN_NUMBER, COLUMN_TIME, COLUMN_STATE } ColumnKind;
typedef struct ResultColumn {
    const char *name;
    ColumnKind kind;
    bool measured;                       /* differs from run to run */
    const char *help;
    const struct ResultField *field;     /* as it is stored; NULL: it is computed, by ... */
    const char *view;                    /* ... this SQL */
} ResultColumn;
int result_column_count(void);
const ResultColumn *result_column(int i);
/* NULL: none; parameters and sizes are no rows of the table */
const ResultColumn *result_column_find(const char *name);
/* The value of a column, parameter or size as text without unit; "" when it has none. In the arena. */
const char *result_text(const Result *r, const char *column, Arena *arena);
double result_number(const Result *r, const char *column);       /* NAN: it has none */
/* "s0=32 s1=64": the value of a name; NULL: not in it. */
bool result_binding(const char *bindings, const char *name, int64_t *out);
/* The number of that name in the last call of a derivation that has one: image of "gemmGpu{mb=mb, image=1}". */
bool result_called(const char *derivation, const char *name, int64_t *out);
/* The names of all parameters (sizes: of all sizes) of the results, in order of appearance; s0, s1 ... by number. In the
 * arena; returns how many. */
int result_names(const Result *const *list, int count, bool sizes, Arena *arena, const char ***out);

/* A query: rows that meet all of filters ("state=ok", "device~pocl", "ns<0.4ms", "s0=32": a parameter or
 * size, "mm": a word in any text), sorted. */
typedef struct ResultQuery {
    const char *const *filters;
    int filter_count;
    const char *sort;    /* columns and parameters, "," between, "-" in front: descending; NULL: by time, the fastest first */
    int64_t limit;                       /* 0: all */
} ResultQuery;
/* In the arena; returns the number, -1 with E05 for a filter or column that is none (with near names). */
int results_query(Results *r, const ResultQuery *q, Arena *arena, Result **out, Diag *diag);
/* What has ended of that store is copied, unless it is there: of the same session and trial, with the same key, time and,
 * where it is known, moment. Returns how many were; -1 with E06 (nothing is copied), or with E25 when *stop was raised (NULL: never). */
int64_t results_merge(Results *r, Results *from, const volatile int *stop, int64_t *known, Diag *diag);
int64_t results_forget(Results *r, const ResultQuery *q, Diag *diag);    /* delete; returns how many, -1 with E05 */

/* ---- as text ---- */

typedef enum ResultFormat { FORMAT_TABLE, FORMAT_CSV, FORMAT_TSV, FORMAT_JSON, FORMAT_T4 } ResultFormat;
/* All columns, sizes and parameters: CSV after RFC 4180, TSV (\t \n \\ escaped), a JSON list, T4 1.0.0 (what
 * is under way or was stopped is no result there; program, sizes and device are metadata where all share them, else
 * part of each configuration). times false: "-" for what is measured. Not TABLE. Returns how many are written. */
int results_write(const Result *list, int n, ResultFormat format, bool times, Buf *out);
/* What T4 1.0.0 keeps in a file of its own: the machine, its devices, what made the results. */
void results_write_metadata(const Result *list, int n, Buf *out);
json_t *result_json(const Result *r, bool times);
void results_field(const char *text, ResultFormat format, bool first, Buf *out);         /* CSV, TSV: one field of a line */
void results_line_end(ResultFormat format, Buf *out);

/* ---- what can be compared ---- */

typedef struct ResultGroup {             /* results of one program at the same sizes on one device */
    const char *program, *sizes, *device;        /* program: "f#01234567" where others of its name have another origin */
    uint64_t origin;
    int count, valid;                    /* kernels; those that ran, are right and were timed */
    const Result **kernels;  /* each derivation with its parameters once, its fastest result; in order of the first */
    const Result *best;                  /* NULL: none is valid */
    double *performance;                 /* by kernel: best time / its time; 0: not valid */
    double *ascending;                   /* the same, sorted */
} ResultGroup;
/* In the arena, by program, device and sizes; results that did not end, and paranoid ones, are left out. Returns how many
 * groups. */
int results_group(const Result *list, int n, Arena *arena, ResultGroup **out);
bool result_same_kernel(const Result *a, const Result *b);

#endif
