/* egraph: equality saturation (Willsey et al., egg, POPL 2021), guided by sketches (Koehler et al., 2021).
 *
 * An e-node is a hash-consed Term whose children are the representatives of their classes, so that the table of terms is the
 * hash-cons; the representative of a class is its oldest term, so that what a rewrite leaves alone stays as it was, and rules lead
 * forwards. A union makes the younger of two representatives give way, and `rebuild` makes the terms above it anew, which unites those that have become equal (congruence). Rules are matched modulo the
 * classes by the same matcher that applies them (MatchEqual in match.h), and what matched is a term by itself, to which rule_apply is
 * then applied: there is no second meaning of a rule, and a term has its type.
 *
 * Bindings are de Bruijn's, and what goes through a binder (a metavariable that is shifted, `e a b` that is substituted into) is the
 * class's representative, as in Koehler's thesis. On paper, before choosing:
 *   mapFusion     map f (map g x): f and g are lambdas as wholes; f . g is beta of two representatives. Both ways alike.
 *   beta          substitution into a class needs a term of it (extraction), or rules for substitution that walk through e-nodes, each of
 *                 which is a node more. Slotted e-graphs make renaming free, but substitution of terms stays a walk.
 *   interchange   map (\a. map (\b. e a b) ys) xs: ys must not mention a. De Bruijn asks the representative of ys, and misses where
 *                 another term of the class is free of a; slots know what all of a class have. What came first is what the program
 *                 has, and no rule of ours lets a term that it makes mention less.
 *   splitJoin     its n is no binding: a static of the node, a parameter s0 or a size that the sketch names. Both ways alike.
 * What decides: a slotted class is no Term. Each use of the matcher, the types, the conditions and `elab` would need a twin that knows
 * slots. What it would save, that equal bodies under other binders are one class, is had within one depth already: free indices
 * count from inside, so that `_0 + 1` is one term wherever it stands.
 *
 * Every rewrite between terms is kept as a reason. What they make of a way from one term to another is a plan; the
 * derivation is what rule_apply makes of its steps on whole terms, so that a fault here gives none, never a wrong one. */
#ifndef EGRAPH_H
#define EGRAPH_H

#include "pattern.h"

typedef struct ReachGoal {
    const Term *from;
    const SearchPattern *sketch;         /* NULL: the smallest term there is */
    const Program *program;              /* its inputs and sizes are names in the sketch; NULL: none */
    const char *const *rules;            /* names and kinds; NULL: those that the sketch and the term call for */
    int rule_count;
    double seconds;                      /* of the processor */
    int nodes;
    RuleFilter *may;                     /* those rules alone; NULL: all */
    void *may_data;
} ReachGoal;

/* call: as rule_call_parse takes it; a size that is open is a parameter REACH_PARAM0, REACH_PARAM1 ..., which the step that is the first to
 * name it makes, under whatever name. */
#define REACH_PARAM "open"
typedef struct ReachStep { const char *call, *place; Path at; } ReachStep;        /* place: at, as text */

typedef enum ReachEnd { REACH_FOUND, REACH_SATURATED, REACH_NODES, REACH_TIME, REACH_STOPPED, REACH_NO_PATH } ReachEnd;

/* Texts and steps are in the arena that was given. */
typedef struct ReachResult {
    ReachEnd end;
    int step_count;
    ReachStep *steps;
    int nodes, classes, rounds, rules;
    double seconds;
    const char *busiest;                 /* the rule with the most rewrites; NULL: none has any */
    int busiest_count;
    int held_count, missing_count;       /* parts of the sketch that a term of the graph has, and that none has */
    const char *held[8], *missing[8];
} ReachResult;

/* Grow a graph from a term until it holds one that the sketch describes, and derive it; without a sketch as far as the budget goes, and derive
 * the smallest (REACH_FOUND in any case but Ctrl-C). What is made on the way is taken back.
 * The same goal has the same result, unless time ends it. False + E02: no such rule. */
bool egraph_reach(RewriteEnv *env, const Rules *rules, const ReachGoal *goal, Arena *arena, ReachResult *out);

/* A shape to be reached before that one, from which fewer terms lead nowhere: work-items of a group, and its memory, stand in a group. NULL: none. */
const char *egraph_reach_first(Ctx *c, const SearchPattern *sketch, const Term *from);

/* Terms of the graph that are apart from each other: no two have the same primitives equally often. Drawn from those that are at most `wide`
 * nodes larger than the smallest; only those that have a derivation. Rules may leave one size open. Returns how many, at most `most`; -1 +
 * E02. */
typedef struct Variant { int step_count; const ReachStep *steps; } Variant;
int egraph_variants(RewriteEnv *env, const Rules *rules, const ReachGoal *goal, int most, int wide, Arena *arena, Variant *out);

/* ---- proofs ---- */

typedef struct ProofStep {
    const char *call, *place, *term;     /* a rule, where, and the whole term after it */
    bool back;                           /* the rule leads from that term to the one before */
} ProofStep;

typedef struct ProofResult {
    bool proved;
    ReachEnd end;
    const char *why_not;                 /* nothing was tried: what the rule has that no equation of two terms has; NULL */
    const char *meaning;                 /* what both sides are, "element [i] is f[x[i]]"; NULL: it is not known */
    int equations;                       /* cases of a rule with lists and kinds */
    bool by_solver;                      /* what it needs to know of sizes, the SMT solver is sure of in part */
    const char *left;                    /* the term that it begins with */
    int step_count;
    ProofStep *steps;                    /* NULL: what both sides are is the proof */
    int nodes, rounds, rules;
    double seconds;
} ProofResult;

/* From other rules that are built in, proved or checked. What they assume of sizes must follow from `when`. */
void egraph_prove(RewriteEnv *env, const Rules *rules, const Rule *rule, double seconds, int nodes, Arena *arena, ProofResult *out);
/* Two terms, where these facts hold. */
void egraph_prove_equal(RewriteEnv *env, const Rules *rules, const Term *a, const Term *b, const Fact *facts, int fact_count, double seconds,
                        int nodes, Arena *arena, ProofResult *out);

#endif
