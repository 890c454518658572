/* run_private: what input, sample, verify and run share. */
#ifndef RUN_PRIVATE_H
#define RUN_PRIVATE_H

#include "run.h"

enum { TILES_MAX = 32 };

typedef PartShape Shape;

/* Of all components in the order of Data.parts; sizes are constants. Returns their number (at most max are written). */
int shapes_of(const Type *t, Shape *out, int max);
int64_t shape_count(const Shape *s);
int64_t shape_flat(const Shape *s, const int64_t at[SHAPE_RANK]);
int64_t shape_group(const Shape *s, unsigned inner, int64_t flat);   /* the first of those that differ from it in these dimensions, as bits */
void shape_print_index(const Shape *s, int64_t flat, Buf *out);      /* "[3][17]", "" for a scalar */

/* Constants above 1 among the static arguments of a term: where tiles may end. Returns how many (at most TILES_MAX). */
int tiles_of(const Term *t, int64_t out[TILES_MAX]);
/* Elements that differ in inner dimensions only are a group, for they share what is dear. */
typedef struct Grouping {
    unsigned inner;                      /* dimensions, as bits; 0: no groups */
    int64_t groups;                      /* not more of them; at least as many as the other dimensions have corners */
} Grouping;
/* At most max different elements: all corners first, then both sides of tile edges and random ones, in an order that is kind to
 * caches while its beginning is from everywhere. Versions with other tiles share most of them: what lies beside an edge
 * depends on the seed and that edge alone. grouping: NULL, or the elements come group by group, corners first; what lies beside an
 * edge inside a group does so in one of those chosen. */
int64_t samples_choose(const Shape *s, const int64_t *tiles, int tile_count, uint64_t seed, const Grouping *grouping,
                       int64_t *out, int64_t max);

/* ---- what elements cost (cost.c) ---- */

/* Scalar steps of the interpreter, as measured. */
typedef struct ElementCost {
    double shared;                       /* of what all elements share, computed with the first */
    double fresh;                        /* of an element that shares nothing else with the one before it */
    double next;                         /* of one that differs from it in inner dimensions only; else fresh */
    unsigned inner;                      /* as Grouping.inner */
} ElementCost;
/* Of an element of these components, which have that shape, all of them. False + error as eval_at. */
bool cost_measure(Eval *e, const int *parts, int part_count, const Shape *s, ElementCost *out, Diag *diag);
/* How many elements, at most `most`, in which groups, take that many steps or less; a few, and half of what can be had for
 * them where what all share takes more than half, are afforded in any case. */
int64_t cost_afford(const ElementCost *c, const Shape *s, double work, int64_t most, Grouping *out);

/* What do the bad ones among n elements, which are put in order, have in common? NULL: nothing seen. In the arena. */
typedef struct Looked { int64_t at; bool bad; } Looked;
const char *samples_pattern(Arena *arena, const Shape *s, const int64_t *tiles, int tile_count, Looked *l, int64_t n);

/* Move the error of making terms and data, if any, from the context to where it belongs. */
void run_take_error(Ctx *c, Diag *to);

/* Marshal one execution of a plan (ABI: decisions.md, Kernels) into a request for device_run, in the arena. Inputs
 * in declared order; outputs go to result. first_kernel: of the plan within the program. False + E70 when
 * plan and data do not agree. */
bool launch_make(Arena *arena, const Plan *plan, const Valuation *sizes, const EvalInput *inputs, Data *result,
                 int first_kernel, RunRequest *out, Diag *diag);
void launch_fill(RunRequest *r, uint8_t sentinel);                   /* what outputs and temporaries hold before */
/* The source with a first parameter more in each kernel, local memory that is not used; and so many bytes of it in every launch. */
const char *source_padded(Arena *arena, const char *source);
void launch_pad(Arena *arena, RunRequest *r, size_t bytes, bool given);

/* The i-th of n that speak for all: one in each n-th part, anywhere, since steps of one length may meet a single column of rows. */
static inline int64_t evenly(int64_t i, int64_t n, int64_t of)
{
    int64_t from = (int64_t)((double)i * (double)of / (double)n), to = (int64_t)((double)(i + 1) * (double)of / (double)n);
    return to > from ? from + (int64_t)(hash_mix((uint64_t)i, (uint64_t)of) % (uint64_t)(to - from)) : from;
}

/* ---- comparing floats (judge.c) ---- */

double scalar_ulps(Scalar k, double got, double want);           /* distance in units of the last place of want */
double float_distance(double got, double want);                  /* relative to want; INFINITY: one of them is not finite */
/* NaN is NaN, and what is below full precision is 0. */
bool float_is_same(Scalar k, double a, double b);

/* ---- the three questions (judge.c) ---- */

typedef struct JudgeTerms {
    Ctx *c;
    Device *device;                      /* told of what takes a while */
    const Term *source, *version;        /* bound; one may be the other */
    const EvalInput *values;             /* kept */
    int value_count;
    bool any_order;                      /* the device chooses the order of sums */
    bool approximate;                    /* the version may be as wrong as its own roundings make it, not the source's */
    bool has_poles;                      /* inputs that nobody chose meet poles: what is not finite by one term says nothing of another */
    const volatile int *stop;
} JudgeTerms;
typedef struct Judge Judge;              /* of one set of inputs */
Judge *judge_new(Arena *arena, const JudgeTerms *of);
void judge_close(Judge *j);              /* NULL is fine */

typedef enum Found {
    FOUND_UNKNOWN,                       /* it has no value there, or no steps were left */
    FOUND_SAME,
    FOUND_AMONG,                         /* among what draws of the term give */
    FOUND_OTHER,
} Found;
typedef struct Suspect {                 /* an element that is asked about */
    int part;
    Scalar scalar;
    int64_t flat, at;                    /* which element of its part; its place among those that are looked at */
    EvalScalar got;                      /* what the kernel computed */
    EvalScalar term, truth;              /* what the version says in its own types, and the source in the wider precision, */
    bool has_term, has_truth;            /* where they are known */
    Found kernel, rules;
    double error, own;                   /* of got, and of the source in its own types: their distances from the truth */
} Suspect;

/* What a question may take: about so many scalar steps, one element in any case; strict: not even that; and the time until then. */
typedef struct Effort {
    double work;
    bool strict;
    double deadline;                     /* as eval_deadline */
} Effort;
/* Each asks about n elements. */
/* Does the kernel compute what the version says? Looks for `term` where it is not known. Returns the tolerance that differences were
 * pooled to, relative to the value; 0: there were none; NAN: one was not found out. */
double judge_kernel(Judge *j, Suspect *s, int64_t n, Effort effort);
/* Looks for `term` alone; of how many it is found. */
int64_t judge_terms(Judge *j, Suspect *s, int64_t n, Effort effort);
/* Does the version mean what the source means? Gives `truth`; returns as judge_kernel, but for elements that there was no work left for. */
double judge_rules(Judge *j, Suspect *s, int64_t n, Effort effort);
/* How wrong is it, and how wrong is the source by so many draws, by itself for 0? truth is known. */
void judge_accuracy(Judge *j, Suspect *s, int64_t n, int draws, Effort effort);
/* All of a component of the version, in its own types, as doubles. False: some of it has no value. */
bool judge_term(Judge *j, int part, double *values, int64_t n, double deadline);

/* ---- references: see run.h ---- */

typedef struct ReferenceSet ReferenceSet;        /* one set of inputs, with what is known of its results */
/* The k-th set for that program (bound), inputs and settings; what was known of others is forgotten when
 * these are not the last ones'. mixed: 0, or what its values take from literals; of those the last one is known. */
ReferenceSet *references_set(References *r, Ctx *c, const Term *t, const RunInput *inputs, int count,
                             const RunSettings *s, int k, uint64_t mixed, bool exact_program);
/* While it is held it outlives what would follow it: others verify at the same time. NULL is fine. */
void reference_hold(ReferenceSet *s, bool on);
const EvalInput *reference_values(const ReferenceSet *s);           /* NULL: not made yet; the set's */
void reference_keep_values(ReferenceSet *s, const EvalInput *values);         /* takes the data */
bool reference_element(const ReferenceSet *s, int part, int64_t flat, EvalScalar *out);        /* false: not known */
void reference_keep_element(ReferenceSet *s, int part, int64_t flat, EvalScalar x);            /* no matter where it is known */
bool reference_cost(References *r, int part, ElementCost *out);        /* false: not known */
void reference_keep_cost(References *r, int part, ElementCost c);
/* The spread of a component in the program's own types: relative to its values what half of them and nine in ten have, and the median
 * relative to their shadows, or values where these are larger. known: false, it costs too much. */
typedef struct OwnSpread { bool asked, known; double median, most, of_shadow; } OwnSpread;
OwnSpread reference_own(const ReferenceSet *s, int part);
void reference_keep_own(ReferenceSet *s, int part, OwnSpread own);
bool reference_part_values(const ReferenceSet *s, int part, double **want, double **shadow);   /* the set's, for as long as it is held */
void reference_keep_part(ReferenceSet *s, int part, const double *want, const double *shadow, int64_t n);

#endif
