/* verifier_private: a Verifier from inside: verify.c makes inputs and references, and asks what is asked in any case; verify_compare.c compares. */
#ifndef VERIFIER_PRIVATE_H
#define VERIFIER_PRIVATE_H

#include <math.h>

#include "run_private.h"
#include "verifier.h"

enum {
    PROBES = 32,                         /* elements that speak for many */
    RULES_MOST = 256,                    /* elements at which the version's meaning is compared with its source's */
    OWN_DRAWS = 3,                       /* of the source, to know how accurate it is */
};
#define WITHIN 8                         /* a value so many times the source's median spread away is looked at */
#define POWER_LEAST 1e-3                 /* a check that sees no smaller change is none */
#define POWER_APPROXIMATE 1e-2           /* of an approximate version: TF32 has three digits, and sums fewer */

typedef struct Part {                    /* one component of the result */
    Scalar scalar;
    Shape shape;
    int64_t count;                       /* elements it has */
    int64_t n, known;                    /* elements to look at, and how many of those have a reference */
    int64_t *at;                         /* NULL: element i is number i; parts of one shape have the same */
    unsigned inner;                      /* dimensions, as Grouping.inner */
    bool chosen;                         /* n, at and what follows are there */
    double shared, fresh;                /* scalar steps of the source: what all elements share, and each takes */
    double *want, *shadow;               /* n each, of the current set; whole ones may be those that are shared */
    int64_t *whole;                      /* integers wider than a double, else NULL */
    bool *bad;                           /* in the comparison under way */
    OwnSpread own;                       /* of the source, on the current set */
    /* Elements of which is known what the version says in its own types: all when term_at is NULL, else those among the n; for sampled
     * ones whole numbers, too. */
    int64_t term_n, *term_at;
    double *term;
    EvalScalar *terms;
    /* Elements at which the version's meaning was compared with the source's. */
    int64_t rules_n;
    Suspect *rules;
    double rules_tol;                    /* what differences were pooled to; 0: there were none; NAN: not all were found out */
} Part;

struct Verifier {
    Ctx *c;
    const Term *t, *version;             /* the reference; the term that was run */
    const RunInput *inputs;
    int input_count;
    RunSettings s;
    const volatile int *stop;
    Device *device;                      /* told of what takes a while; NULL: none is */
    Arena *arena;
    bool all, exact_program;             /* level a; exact comparison is possible */
    bool any_integer;                    /* unset integers may be anything */
    Literals literals;                   /* of both terms; among the values of varied inputs */
    uint64_t mixed;                      /* 0: they are not among those of the current set; else which */
    double steps;                        /* scalar steps to one element of the longest component, on the average, */
    bool terms_dear;
    double term_shared, term_fresh;      /* steps of the version, as of a part: at most */
    double tol[SC_COUNT];                /* an error up to that is never called inaccurate */
    bool any_order;
    bool approximate;                    /* the version's own roundings say how wrong it may be */
    int set_count, set;                  /* input sets; the current one, -1 none */
    int more_from;                       /* from there on they differ in where the extremes are */
    bool varies;                         /* there is something to vary in them */
    double folds;                        /* extremes_folds of the source */
    bool multiplies, is_product;         /* fold_multiplies, fold_is_product of it */
    double centre;                       /* of inputs of products (products_stay); NAN: not looked for yet */
    bool set_exact;                      /* the current set is the exact one */
    int64_t tiles[TILES_MAX];
    int tile_count, part_count;
    Part *parts;
    EvalInput *values;
    References *shared;                  /* may be NULL */
    ReferenceSet *known;                 /* of the current set; NULL: nothing is shared */
    Eval *reference;                     /* of the current set, made when needed */
    Judge *judge;
    double deadline, last;               /* nothing is begun, and what was begun ends; 0: never */
    const char *cut;                     /* what the time limit left out */
    int64_t special;                     /* references that are inf or NaN, of all inputs so far */
    bool told;                           /* some were neither, nor 0 */
};

bool verifier_is_late(const void *verifier);                    /* nothing more is to be begun */
void verifier_set_deadline(Verifier *v, double ms);
bool verifier_open_reference(Verifier *v);
Judge *verifier_judge(Verifier *v);
Suspect verifier_suspect(const Verifier *v, const Part *p, int64_t i);

static inline int64_t element(const Part *p, int64_t i) { return p->at ? p->at[i] : i; }
/* What the errors of an element are measured by. */
static inline double magnitude(double want, double shadow) { return fmax(fabs(want), isfinite(shadow) ? shadow : 0); }
static inline Effort effort(const Verifier *v, double work, bool strict) { return (Effort){work, strict, v->last}; }
/* Does rounding say too much for a comparison with the source? Then the questions get more work. */
static inline bool verifier_is_vague(const Part *p) { return p->own.known && WITHIN * p->own.median > POWER_LEAST / 10; }
static inline double share(const Verifier *v, double of) { return of * v->s.oracle_work / v->part_count; }

#endif
