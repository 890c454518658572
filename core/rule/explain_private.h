/* explain_private: a rule that fails at a place, of which something is asked. Private to explain.c and explain_steps.c. */
#ifndef EXPLAIN_PRIVATE_H
#define EXPLAIN_PRIVATE_H

#include "advice.h"
#include "rule.h"

typedef struct Question {
    RewriteEnv *env;
    Ctx *c;
    Arena *keep;                         /* of the caller's diag: texts of the advice */
    const Rules *rules;
    const Rule *rule;
    const RuleArg *args;                 /* NULL: none given */
    const AdviceMacros *macros;          /* NULL: none */
    const Term *root;
    const Path *at;
} Question;

int place_distance(const Path *a, const Path *b);            /* slots on the way from a to b */
bool question_fits(const Question *q, const Term *root, const Path *at);         /* does the rule apply there? */
/* May the rule be advised? Not itself, nor one that is only assumed, nor one that may be put anywhere. */
bool question_helper(const Question *q, const Rule *r);
/* "apply splitJoin(4) at /in" */
const char *question_command(const Question *q, const Rule *rule, const RuleArg *args, const Term *root, const Path *at);

/* "apply reduceSeq at / ; apply reduceMapFusion at /": a rule, else a macro, else two rules that make the
 * rule apply, and then the rule. there: only what makes it apply at the very place that was asked for, as
 * macros and two rules always must. NULL: none was found. What is tried is bounded by counts. */
const char *enabling_steps(const Question *q, bool there);

#endif
