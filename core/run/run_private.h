/* run_private: what input, sample, verify and run share. */
#ifndef RUN_PRIVATE_H
#define RUN_PRIVATE_H

#include "run.h"

enum { SHAPE_RANK = 16, TILES_MAX = 32 };

/* The lengths around one component of a value, outermost first; lanes of a vector last. */
typedef struct Shape {
    Scalar scalar;
    int rank;
    int64_t dims[SHAPE_RANK];
} Shape;

/* Shapes of all components in the order of Data.parts; sizes are constants. Returns their number
 * (at most max are written). */
int shapes_of(const Type *t, Shape *out, int max);
int64_t shape_count(const Shape *s);
void shape_print_index(const Shape *s, int64_t flat, Buf *out);      /* "[3][17]", "" for a scalar */

/* Constants above 1 among the static arguments of a term: where tiles may end. Returns how many (at most TILES_MAX). */
int tiles_of(const Term *t, int64_t out[TILES_MAX]);
/* At most max different elements: all corners first, then both sides of tile edges and random ones, in an order that is kind to
 * caches while its beginning is from everywhere. Versions with other tiles share most of them: what lies beside an edge
 * depends on the seed and that edge alone. */
int64_t samples_choose(const Shape *s, const int64_t *tiles, int tile_count, uint64_t seed, int64_t *out, int64_t max);

/* What do the bad ones among the elements at[0..n), ascending, have in common? NULL: nothing seen. In the arena. */
const char *samples_pattern(Arena *arena, const Shape *s, const int64_t *tiles, int tile_count,
                          const int64_t *at, const bool *bad, int64_t n);

/* As bindings_check, of given facts. */
bool bindings_check_facts(Ctx *c, const PlanFact *facts, int fact_count, const Binding *b, int count, Diag *diag);
/* A NatValue over an array of bindings. */
typedef struct Valuation { const Binding *b; int count; } Valuation;
bool valuation_value(void *valuation, const NatAtom *var, int64_t *out);
/* Move the error of making terms and data, if any, from the context to where it belongs. */
void run_take_error(Ctx *c, Diag *to);

/* Marshal one execution of a plan (ABI: decisions.md 51) into a request for device_run, in the arena. Inputs
 * in declared order; outputs go to result. first_kernel: of the plan within the program. False + E70 when
 * plan and data do not agree. */
bool launch_make(Arena *arena, const Plan *plan, const Valuation *sizes, const EvalInput *inputs, Data *result,
                 int first_kernel, RunRequest *out, Diag *diag);
void launch_fill(RunRequest *r, uint8_t sentinel);                   /* what outputs and temporaries hold before */

/* ---- references: see run.h ---- */

typedef struct ReferenceSet ReferenceSet;        /* one set of inputs, with what is known of its results */
/* The k-th set for that program (bound), inputs and settings; what was known of others is forgotten when
 * these are not the last ones'. */
ReferenceSet *references_set(References *r, Ctx *c, const Term *t, const RunInput *inputs, int count,
                             const RunSettings *s, int k, bool exact_program);
const EvalInput *reference_values(const ReferenceSet *s);           /* NULL: not made yet; the set's */
void reference_keep_values(ReferenceSet *s, const EvalInput *values);         /* takes the data */
bool reference_element(const ReferenceSet *s, int part, int64_t flat, EvalScalar *out);        /* false: not known */
void reference_keep_element(ReferenceSet *s, int part, int64_t flat, EvalScalar x);            /* must not be known */
bool reference_part_values(const ReferenceSet *s, int part, double *want, double *shadow, int64_t n);
void reference_keep_part(ReferenceSet *s, int part, const double *want, const double *shadow, int64_t n);

#endif
