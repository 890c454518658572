/* rule_private: what a rule is matched and rebuilt with, and one attempt to apply it. Private to
 * rule.c, condition.c, apply.c. */
#ifndef RULE_PRIVATE_H
#define RULE_PRIVATE_H

#include "match.h"

typedef struct RuleCode {                         /* what a rule is matched and rebuilt with */
    const Source *source;
    const Ast *lhs, *rhs;                    /* lhs in normal form */
    const AstCond *const *conds;
    int cond_count;
    PrimId head;                             /* primitive that the left side starts with; PRIM_COUNT: none */
} RuleCode;

typedef struct Attempt {
    RewriteEnv *env;
    Ctx *c;
    Arena *arena;                            /* of the attempt: scratch of the context from `mark` on */
    ArenaMark mark;
    const Rule *rule;
    const RuleCode *code;
    const Term *root, *place;
    const Path *at;
    bool quiet;                              /* no messages: rule_applies */
    RuleArg args[6];
    int next_param;
    RuleResult *out;
    const Term *after;
    const AstCond *failed;                   /* the condition that did not hold last; NULL: all held */
    unsigned matters;                        /* of which parameters failures so far hang: a bit each */
    const char *needs, *why;  /* a match was not taken: the condition and what is known; NULL: there was none */
    Matcher matcher;
} Attempt;

/* Part of a source without the blanks around it. */
const char *source_part(Arena *arena, const Source *s, uint32_t from, uint32_t to);

/* Do the conditions of the rule hold in the environment of a match? The first that does not is in needs and
 * why; the facts that are to be assumed are in out. all: every one is tried and reported in out. */
bool condition_all(Attempt *a, const Env *env, bool all);

#endif
