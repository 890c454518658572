/* check: rules typed when they are defined, and tried on random well-typed instances against the interpreter
 * (decisions.md: Rules on trial). */
#ifndef CHECK_H
#define CHECK_H

#include "eval.h"
#include "rule.h"

/* ---- typing (infer.c) ---- */

/* Both sides typed together, types and sizes inferred. False + E30 with both types when they cannot have one type. */
bool rule_typecheck(Ctx *c, const Rule *r);
/* Facts that the right side needs and that neither the left side nor `when` implies, as conditions:
 * "n divides (length x)". Texts in the diag arena; at most max. Call it after rule_typecheck. */
int rule_missing_facts(Ctx *c, const Rule *r, const char **out, int max);

/* ---- checking (check.c) ---- */

typedef enum CheckVerdict {
    CHECK_PASSED,
    CHECK_REFUTED,             /* replay and difference say how */
    CHECK_IMPOSSIBLE,          /* no instance can be made, or it was stopped: reason says why */
} CheckVerdict;

typedef struct CheckResult {
    CheckVerdict verdict;
    int passed;                /* instances on which both sides agree */
    int rounded;               /* of these, on some inputs equal only up to rounding: re-associated, or rounded once */
    int applied;               /* of these, the rule applied by itself; else its right side was made of the same values */
    int skipped;               /* draws that gave no instance, or whose left side has no value */
    int incomparable;          /* of these, with an element that differs but cannot be compared, on all inputs tried */
    uint64_t seed;             /* of the refuting instance, else the one given */
    const char *difference;    /* in a line: "element [0] is 4 on the left and 2 on the right" */
    const char *replay;        /* command lines that show it at the prompt, each ended by a newline; verbatim */
    const char *reason;        /* IMPOSSIBLE */
} CheckResult;

/* Who answers conditions that are functions from elsewhere. Terms and sizes that they are asked about belong
 * to a context that `begin` names and that is freed after the next call of it (NULL: no more are asked). */
typedef struct CheckOracle {
    ConditionCall *call;
    void (*begin)(void *data, Ctx *c);
    void *data;
} CheckOracle;
/* Try the rule on `trials` random instances in all, those that have passed so far among them: to begin with, .seed is the seed, and
 * a check in pieces has the instances of one that is not. All work happens in a context of its own: nothing is left in c but texts
 * in its diag arena. A rule that passes and was assumed becomes checked, with seed and count; one that is refuted is marked, and
 * assumed again if it was checked. Conditions that the oracle (or NULL) answers are tried on every draw: those where one does not
 * hold are no instances. stop: as for eval_limit, or NULL. */
CheckResult rule_check(Ctx *c, Rule *r, const CheckResult *passed, int trials, const CheckOracle *oracle, const volatile int *stop);

/* Try the properties that the i-th definition declares, as rules are tried but on finite values, at every type of a list that it
 * takes: what does not hold is refuted there (defs_refute), and it is tested if anything could be. */
void properties_check(Ctx *c, Defs *d, int i, const volatile int *stop);

/* A small instance of the rule and what it becomes: "join . split 2 $ x  =>  x      x: [4]f32"; NULL: none was hit
 * upon. In the diag arena of c. */
const char *rule_example(Ctx *c, const Rule *r);

/* Are two terms over the same inputs equal? Their size variables and parameters are bound to small random values that
 * meet the facts of both and those given besides, the inputs to random, exact and adversarial ones. The terms that this
 * makes stay in c. approximate: one adds roundings to the other, or moves them. replay: "data NAME = VALUE" for sizes and inputs, "param NAME = VALUE" for parameters. */
CheckResult terms_check(Ctx *c, const Input *inputs, int input_count, const Term *a, const Term *b, const Fact *facts,
                        int fact_count, bool approximate, int trials, uint64_t seed, const volatile int *stop);

#endif
