/* tune: the legal values of all tuning parameters of a term together: which points there are, how many, which is the k-th, and
 * why a point is none. Constraints come from the term's size facts, from what a device allows, and from the user. Layer 8,
 * below session; no device is asked anything here.
 *
 * The points are held as a decision diagram over the parameters in a fixed order (equal remainders are shared, each node
 * knows how many points are below it): counting is exact, the k-th point and the number of a point take time in the number of parameters, and
 * the product of all values is never walked (method: multi-valued decision diagrams; ATF's chained groups are the case
 * without sharing). */
#ifndef TUNE_H
#define TUNE_H

#include "plan.h"

/* ---- what a lowered term needs, as sizes over its parameters ---- */

typedef struct Resources {               /* of the kernel that needs most, where there are several; NULL: not known before planning */
    const Nat *groups[3];                /* lengths of mapWorkgroup 0 1 2, of mapGlobal over the group where that is used; 1 */
    const Nat *items[3];                 /* work-items of a group: lengths of mapLocal 0 1 2; 1 */
    const Nat *global[3];                /* lengths of mapGlobal 0 1 2; NULL: none */
    const Nat *local_bytes;              /* all toLocal of a group */
    const Nat *private_bytes;            /* all toPrivate of one work-item, spread over the mapLocal they lie under */
    const Nat *unrolled;                 /* statements that mapSeqUnroll and reduceSeqUnroll make of the innermost body */
} Resources;
/* Sizes of the program must be numbers already (term_subst_nats); parameters are free. */
void tune_resources(Ctx *c, Arena *arena, const Term *lowered, Resources *out);

/* Limits a point must keep; 0: none. What a device has is filled in by tune_device_limits, the rest are thresholds that a user can set. */
typedef struct TuneLimits {
    int64_t max_group, max_items[3], local_bytes;            /* of the device */
    int64_t private_bytes, unrolled;                         /* registers and code size that are still reasonable */
    int64_t min_group, min_groups, max_groups;               /* parallelism that is still reasonable */
} TuneLimits;

/* ---- constraints ---- */

typedef enum ConstraintKind { CON_DIVIDES, CON_LE, CON_LT, CON_CALL } ConstraintKind;
typedef struct Constraint {
    ConstraintKind kind;
    const Nat *a, *b;                    /* a divides b, a <= b, a < b: over the parameters, sizes being numbers */
    /* CALL: */
    bool (*holds)(void *data, const int64_t *values);        /* the values of vars, in that order */
    void *data;
    int var_count;
    const int *vars;                     /* indices of the parameters it reads */
    const char *reason;                  /* what a rejection is counted under: "divides" "group size" "local memory" "private memory"
                                            "code size" "too few groups" "too many groups" "too few items" "fact" or the user's word */
    const char *text;                    /* "s2 divides s0", "4*s0*s4 + 4*s1*s4 <= 49152 bytes of local memory" */
} Constraint;

/* ---- spaces ---- */

typedef struct TuneVar {
    const char *name;
    int value_count;                     /* 0: what the facts allow: divisors, or 1 .. limit */
    const int64_t *values;               /* ascending candidates given by the user */
} TuneVar;

typedef struct TuneSpec {
    const TuneVar *vars;
    int var_count;
    const Constraint *constraints;       /* in the order in which rejections are counted */
    int constraint_count;
    int64_t limit;                       /* largest value of a parameter that nothing bounds; 0: 4096 */
    const volatile int *stop;            /* may be NULL; raised: NULL and E25 */
} TuneSpec;

typedef struct TuneSpace TuneSpace;
/* NULL with E34 (a constraint that no point meets is no error: such a space has count 0), E38 when the diagram would exceed its memory. */
TuneSpace *tune_space(Ctx *c, const TuneSpec *spec, Diag *diag);     /* copies spec; CALL data must outlive it */
void tune_free(TuneSpace *s);            /* NULL is fine */
int64_t tune_count(const TuneSpace *s);
bool tune_at(const TuneSpace *s, int64_t k, int64_t *values);        /* 0 <= k < count; in lexicographic order of the spec's variables */
int64_t tune_index(const TuneSpace *s, const int64_t *values);       /* -1: no point of the space */
/* The values that var takes in points where every fixed[i] > 0 is as given. Ascending; in the arena; returns how many. */
int tune_values(const TuneSpace *s, int var, const int64_t *fixed, Arena *arena, int64_t **out);
/* The first constraint that the values violate; NULL: none (then it is a point, or a value is no candidate). */
const Constraint *tune_violated(const TuneSpace *s, const int64_t *values);
/* How many points remain when only the first k constraints hold, k = 0 .. constraint_count: the funnel of a space. counts has
 * constraint_count + 1 places; -1 where the number does not fit or nothing bounds a parameter yet. */
void tune_funnel(const TuneSpace *s, int64_t *counts);

/* The constraints of a lowered term with numbers for sizes: its facts (given: those of `when` too), then what limits allow. In the arena. */
int tune_constraints(Ctx *c, Arena *arena, const Term *lowered, const PlanFact *facts, int fact_count, const TuneLimits *limits,
                     Constraint **out);

#endif
