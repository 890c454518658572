/* tune: the legal values of all tuning parameters of a term together: which points there are, how many, which
 * is the k-th, and why a point is none. Constraints come from the term's size facts, from what a device
 * allows, and from the user.
 *
 * The points are held as a decision diagram over the parameters in a fixed order (equal remainders are
 * shared, each node knows how many points are below it): counting is exact, the k-th point and the number of
 * a point take time in the number of parameters, and the product of all values is never walked (method:
 * multi-valued decision diagrams; ATF's chained groups are the case without sharing). */
#ifndef TUNE_H
#define TUNE_H

#include "device.h"
#include "plan.h"

/* Limits a point must keep; 0: none. Those of a device are its own, the rest are thresholds for users. */
typedef struct TuneLimits {
    int64_t max_group, max_local[3], local_bytes;            /* of the device: work-items of a group, in one dimension; local memory */
    int64_t private_bytes, unrolled;                         /* registers and code size that are still reasonable */
    /* parallelism that is still reasonable; items: in all groups together */
    int64_t min_group, min_groups, max_groups, min_items;
    bool on_gpu;                         /* as in PlanOptions */
} TuneLimits;
typedef struct LimitName {
    const char *name, *reason;           /* "local_bytes", "local memory" */
    size_t offset;                       /* in TuneLimits, an int64_t */
} LimitName;
const LimitName *tune_limit(int i);      /* NULL behind the last */
void tune_device_limits(const DeviceInfo *device, TuneLimits *out);  /* fills in its own */

/* ---- constraints ---- */

typedef enum ConstraintKind { CON_DIVIDES = FACT_DIVIDES, CON_LE = FACT_LE, CON_LT = FACT_LT, CON_CALL } ConstraintKind;      /* facts; or a function */
typedef struct Constraint {
    ConstraintKind kind;
    const Nat *a, *b;                    /* a divides b, a <= b, a < b: over the parameters, sizes being numbers */
    /* CALL: */
    bool (*holds)(void *data, const int64_t *values);        /* the values of vars, in that order */
    void *data;
    int var_count;
    const int *vars;                     /* indices of the parameters it reads */
    /* what a rejection is counted under: "divides" "group size" "local memory" "private memory" "code size"
     * "too few groups" "too many groups" "too few items" "fact" or the user's word */
    const char *reason;
    const char *text;                    /* "s2 divides s0", "4*s0*s4 + 4*s1*s4 <= 49152 bytes of local memory" */
    const char *from;                    /* of the user's: where it is set, "search.constraints[1]"; NULL: nobody's choice */
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
    int edges;                           /* most that the diagram may have, and an eighth of the candidates tried; 0: 8 million */
    const volatile int *stop, *interrupt;  /* may be NULL; one is raised: NULL and E25 */
} TuneSpec;

typedef struct TuneSpace TuneSpace;
/* NULL with E34 (a constraint reads what is no parameter), E08 when the diagram would exceed its memory or a
 * count 64 bits, E25 when stopped. A constraint that no point meets is no error: such a space has count 0.
 * Copies spec; the Nats of constraints and CALL data must outlive it.
 *
 * The points: every parameter has a value of its own candidates, and all constraints hold. Candidates are the
 * user's list, else all divisors of a number when facts bound the parameter by divisibility (also through
 * others: s2 divides s0, s0 divides 1024), else 1 .. limit. */
TuneSpace *tune_space(const TuneSpec *spec, Diag *diag);
void tune_free(TuneSpace *s);            /* NULL is fine */
int tune_var_count(const TuneSpace *s);
const char *tune_name(const TuneSpace *s, int var);
int tune_find(const TuneSpace *s, const char *name);                 /* -1: none */
int64_t tune_count(const TuneSpace *s);
int tune_nodes(const TuneSpace *s);      /* of the diagram */
/* 0 <= k < count; in lexicographic order of the spec's variables */
bool tune_at(const TuneSpace *s, int64_t k, int64_t *values);
int64_t tune_index(const TuneSpace *s, const int64_t *values);       /* -1: no point of the space */
/* The values that var takes in points where every fixed[i] > 0 is as given (fixed[var] is not looked at;
 * fixed NULL: nothing is). Ascending; in the arena; returns how many. */
int tune_values(const TuneSpace *s, int var, const int64_t *fixed, Arena *arena, int64_t **out);
/* What a parameter may be at all, before the constraints. Ascending, as long as the space; returns how many. */
int tune_candidates(const TuneSpace *s, int var, const int64_t **out);
/* The first constraint that the values violate; a value 0 is open: then only what no value of the open ones
 * can mend. NULL: none, but the values need not be a point's. */
const Constraint *tune_violated(const TuneSpace *s, const int64_t *values);
/* Neighbours: for every parameter the point with its next smaller, and with its next larger value. Where the
 * others as they are allow neither, that with the fewest others changed (then by the least steps, then the
 * first). values need not be a point. In the order of parameters, smaller first, each once, none equal to
 * values; (*out)[i] holds tune_var_count numbers; in the arena. */
int tune_near(const TuneSpace *s, const int64_t *values, Arena *arena, int64_t ***out);

/* How many points each reason rejects of those that the reasons before it let through, in order of the
 * constraints; neighbours with equal reasons are one. Exact: the diagram is counted again for each. */
typedef struct Rejection {
    const char *reason;
    int from, to;                        /* its constraints */
    int64_t before, after;               /* points; -1: more than 64 bits count */
} Rejection;
/* In the arena; returns how many. The first one's before: all candidates together. -1: stopped, E25. */
int tune_funnel(const TuneSpace *s, Arena *arena, const Rejection **out, Diag *diag);
int tune_constraint_count(const TuneSpace *s);
const Constraint *tune_constraint(const TuneSpace *s, int i);            /* its texts are the space's */

/* The constraints of a term with numbers for sizes: its facts (given: those of `when` too), reasons "divides"
 * and "fact"; then what limits allow its kernels (of a term that is not lowered: what is known so far). In
 * the arena; returns how many. */
int tune_constraints(Ctx *c, Arena *arena, const Term *t, const PlanFact *facts, int fact_count,
                     const TuneLimits *limits, Constraint **out);

#endif
