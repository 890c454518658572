/* verifier: verification alone, without a device (verify.c). */
#ifndef VERIFIER_H
#define VERIFIER_H

#include "run.h"

/* The inputs and the reference of one bound term. */
typedef struct Verifier Verifier;
/* t and the types of inputs are bound. source: NULL, or the term whose meaning t should have. NULL + error in diag. */
Verifier *verifier_new(Ctx *c, const Term *t, const Term *source, const RunInput *inputs, int input_count,
                       const RunSettings *settings, const volatile int *stop, Diag *diag);
void verifier_aside(Verifier *v, Device *d);           /* what takes a while is told it: device_aside */
void verifier_approximate(Verifier *v);                /* roundings were added to t, or moved: its own say how wrong it may be */
void verifier_any_order(Verifier *v);                  /* the device chooses in which order floats are added */
void verifier_share(Verifier *v, References *r);       /* look there first, and keep there; before the first input */
void verifier_free(Verifier *v);
int verifier_input_count(const Verifier *v);           /* seeds; fewer where nothing varies, more where a fold chooses (extremes.h) */
void verifier_no_more(Verifier *v);                    /* none of the latter: each launch is dear */
bool verifier_repeats(const Verifier *v);              /* is the current one run several times? */
/* The k-th set of inputs and its reference, k from 0: 0 is exact small integers, 1 the specification, then variants. The
 * sets before it are forgotten. NULL + E38 ... in diag. deadline_ms: clock_exact_ms at which to stop evaluating, 0: none; where not one
 * element is known by then, E25. */
const EvalInput *verifier_input(Verifier *v, int k, double deadline_ms, Diag *diag);
/* Compare a result of the current inputs, and with what it was the first time (NULL: this is the first); sentinel: the byte the
 * outputs were filled with, -1: none. Adds to *out; the first difference of the first bad call is kept, texts in the arena.
 * True: nothing wrong. */
bool verifier_compare(Verifier *v, const Data *got, const Data *first, int sentinel, int repeat, Arena *arena, VerifyOutcome *out);
/* What a result of the current inputs must be to pass, for who compares it elsewhere. */
typedef struct VerifierBound {
    int64_t at, whole;                   /* which element of its component; the value of an integer or bool */
    double lo, hi;                       /* ends of a float, NAN for a NaN; what hangs on a decision that rounding may turn: infinities; other integers: 0 */
} VerifierBound;
/* At most so many elements of a component that have a reference, evenly chosen; *n of them. In the arena. */
const VerifierBound *verifier_bounds(Verifier *v, int part, int64_t most, Arena *arena, int64_t *n);
/* Fill in level, counts and texts at the end. */
void verifier_finish(const Verifier *v, Arena *arena, VerifyOutcome *out);

#endif
