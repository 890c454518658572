/* egraph_private: the graph, for the files of this folder. */
#ifndef EGRAPH_PRIVATE_H
#define EGRAPH_PRIVATE_H

#include "egraph.h"
#include "check_private.h"
#include "match.h"

typedef VEC(int) Ints;

typedef VEC(EqualTerm) Members;          /* what the matcher asks of an e-node stands with its class: all else lies far apart in memory */

/* What bounds what has no end: dimensions of the arrays in a term, how often the length of one is divided, N/4/4 twice, and how often elements
 * are reordered on the way to one. */
typedef struct Extent { int rank, cuts, reordered; } Extent;
Extent extent_larger(Extent a, Extent b);        /* of each the larger */
bool extent_within(Extent a, Extent b);

typedef struct Node {                    /* a term; what stands below its class is of use at the root of the union-find alone */
    const Term *term;
    int up;                              /* union-find; itself at the root */
    int proof, why;                      /* the next node in the proof forest, -1 at a root; the reason, -1: they differ in equal children */
    bool stale;                          /* one of its children is no representative any more: it is no e-node, but a term of the class */
    Extent extent;
    int age;                             /* when it came: a child is older; as an e-node, when the term came that it is the e-node of */
    int best;                            /* the class: its representative */
    uint64_t heads;                      /* the class: pattern_bit of the head of each member */
    uint64_t inner;                      /* the class, at the last rebuild: the same for children, or their bodies, of members */
    Members members;                     /* e-nodes of it; stale ones among them; both in Egraph.arena */
    Ints parents;                        /* e-nodes that have it as a child; stale ones among them */
} Node;

typedef struct Reason {                  /* why two are equal */
    int from, to, rule, args;            /* rule < 0: that of ~rule taken back, if a rule does that; args: which of Egraph.args */
    bool united;                         /* it made one class of two; else there were reasons already */
} Reason;

typedef struct Assumed { PropKind kind; const Term *f, *e; } Assumed;

typedef struct Indexes { const Term *index; const Nat *length; } Indexes;

/* solver.c: by an SMT solver, where the system has one and it is sure; after so many questions nothing follows any more. */
typedef struct Solver Solver;
Solver *solver_new(void);
void solver_free(Solver *s);             /* NULL: nothing */
bool solver_follows(Solver *s, const Fact *known, int n, const Fact *goal);      /* the same facts each time */
int solver_used(const Solver *s);        /* how often it was sure; NULL: never */

/* An equation to prove, and what may be taken for granted. */
typedef struct Claim {
    const Term *left, *right;
    const Rule *except;                  /* what it says; NULL: it is of two versions */
    const NatFacts *divides;
    VEC(Fact) known;
    VEC(Assumed) assumed;
    VEC(const Term *) tables;            /* inputs that stand for unknown functions */
    VEC(const Term *) ways;              /* those of permutations, each beside its inverse */
    VEC(Indexes) indexes;                /* what is an index of arrays of that length */
    bool total;                          /* all that stands in its terms has a value */
    bool short_lists;                    /* it has a list of less than LIST_PROVED */
    Solver *solver;
    const char *why_not;
} Claim;
typedef enum ClaimEnd { CLAIM_MADE, CLAIM_NONE, CLAIM_REFUSED } ClaimEnd;       /* NONE: what was chosen fits no instance; REFUSED: why_not says why */
enum { LIST_PROVED = 2 };                /* what holds of lists of none, one and two holds of all: rules do not tell elements of a list apart */
ClaimEnd claim_of_rule(Ctx *c, Arena *arena, const Rule *rule, Choices *choices, Claim *out);   /* claim_free in any case */
/* Of two terms that are there, where these facts hold. */
void claim_of_terms(Ctx *c, Arena *arena, const Term *a, const Term *b, const Fact *facts, int n, Claim *out);
void claim_free(Claim *k);
bool claim_knows(const Claim *k, Nats *n, const Fact *f);
bool claim_says(const Claim *k, Nats *n, const Fact *f);        /* the same, without the solver */
/* meaning.c: the normal form of a closed term of a claim; NULL: it has none, or too large a one. strict: it has a value only where t has one;
 * else it may have one where t has none. text, in texts: "element [i] is x[i]"; texts NULL: it is not asked for. */
const Term *meaning_of(Ctx *c, const Claim *k, const Term *t, bool strict, Arena *texts, const char **text);
bool meaning_is_total(Ctx *c, const Claim *k, const Term *t);    /* has it a value, whatever values have what it is made of? */
bool meaning_needs_no_more(Ctx *c, const Claim *k, const Term *t, const Term *than);     /* has it one wherever the other has? false: who knows */
/* What a form says of its indices where it has a value: those of what is read for certain are within. */
void meaning_know_reads(Ctx *c, Claim *k, const Term *t);
bool claim_assumes(void *claim, PropKind kind, const Term *f, const Term *e);

typedef struct Egraph {
    Ctx *c;
    RewriteEnv env;
    Arena *arena;
    VEC(Node) nodes;
    Ints of;                             /* by the id of a term: its node + 1 */
    Ints pending;                        /* e-nodes whose children may have changed */
    VEC(Reason) reasons;
    VEC(const RuleArg *) args;
    VEC(Rule *) rules;
    int live;                            /* e-nodes that are not stale */
    double deadline;                     /* of the processor's time, so that what else runs changes no result */
    unsigned asked;
    bool late;
    int most;                            /* e-nodes */
    Extent widest;
    int64_t largest_cut;                 /* of the numbers that lengths are divided by; before the first term is added */
    bool held_back;                      /* a rewrite was not taken for its arrays */
    const Claim *claim;                  /* facts that it does not know are none; NULL: they are facts from then on */
    const volatile int *stop;
} Egraph;

int egraph_find(Egraph *g, int n);
int egraph_node(const Egraph *g, const Term *t);                 /* -1: it is not in the graph */
int egraph_add(Egraph *g, const Term *t);
void egraph_union(Egraph *g, int a, int b, int why);              /* why: the reason, from one to the other; -1: equal children */
void egraph_rebuild(Egraph *g);
const Term *egraph_best(Egraph *g, const Term *t);               /* the representative; t itself where it is not in the graph */
const Term *egraph_canonical(Egraph *g, const Term *t);          /* the e-node that t is */
/* The node with these arguments; NULL: it would be another one (a name left with one use, a part of a tuple), which is no congruence. */
const Term *egraph_with_args(Egraph *g, const Term *t, const Term *const *args);
MatchEqual egraph_equal(Egraph *g);      /* without `containing` */
const Term *egraph_chosen(Egraph *g, const Term *t, const Choice *choices);      /* NULL: it does not type */
Extent egraph_extent(const Egraph *g, const Term *t);
const Term **egraph_smallest(Egraph *g);                         /* by root of a class the smallest term; of equal ones the oldest; malloc */
void egraph_free(Egraph *g);
void egraph_mark_term(const Term *t, bool *prims);               /* its primitives; prims[PRIM_COUNT + 1] */
void egraph_mark_pattern(Ctx *c, const Ast *a, bool *prims);
/* Does it match something certain, and make of it nothing but these, and layouts? around: and asks nothing of what is around its place;
 * narrow: of layouts, only chunks. */
bool egraph_wants_rule(Ctx *c, const Rule *r, bool around, bool narrow, const bool *prims);
bool egraph_over(Egraph *g);             /* nodes, time or Ctrl-C */

/* saturate.c: one round of rules. False: nothing new came of it, and no rule waits. */
typedef struct Chosen { int count; RuleArg v[6]; } Chosen;
typedef struct Saturation {
    Egraph *g;
    Chosen chosen[STATIC_PERM + 1];      /* by StaticKind: what open sizes of rules may be, widths of vectors ... */
    int round;
    struct Schedule { int waits, bans, made; } *schedule;        /* by rule */
    uint64_t *seen;                      /* a hash table of what was applied */
    size_t seen_slots, seen_count;
} Saturation;
void chosen_add(Chosen *list, RuleArg what);         /* as long as there is room, and once */
bool saturate_round(Saturation *s);
int64_t saturate_largest_cut(const Saturation *s);
void saturate_widen(Saturation *s);      /* by one more: what was held back is tried again */

/* sketch.c */
typedef struct Sketch {
    Egraph *g;
    const Ast *ast;
    const Source *source;
    const Env *names;
    VEC(struct Holding) holdings;        /* of `contains` */
    PtrTable smallest, parts;            /* of parts without metavariables: struct Known by key; which parts are: struct Part */
} Sketch;
const Term *sketch_best(Sketch *s, int root);    /* the smallest term of the class that it describes; NULL: none */
bool sketch_describes(void *sketch, const Term *t);
void sketch_parts(Sketch *s, const SearchPattern *sketch, int root, Arena *arena, ReachResult *out);

/* same.c: may the right side stand for the left one, by what both are? both: and the other way round. out: meaning, equations, why_not. */
bool same_by_claim(Ctx *c, Claim *k, bool both, Arena *arena, ProofResult *out);
bool same_by_rule(Ctx *c, const Rule *rule, bool both, Arena *arena, ProofResult *out);
/* Has the term a value wherever what the rule made of it has one? A rule keeps values from left to right alone. */
bool same_leads_back(Egraph *g, Rule *rule, const Term *t, const Term *made);

/* derive.c */
typedef struct Derivable {
    const Term *from, *to;               /* of one class */
    const Rules *rules;                  /* all, for what is to be taken back */
    bool (*is_goal)(void *goal, const Term *t);      /* is that as good as `to`? */
    void *goal;
} Derivable;
/* The whole way in both directions, each rewrite made again; false: one was not what the graph has it to be. */
bool explain(Egraph *g, const Term *from, const Term *to, Arena *arena, ProofResult *out);
bool derive(Egraph *g, const Derivable *of, Arena *arena, ReachResult *out);

#endif
