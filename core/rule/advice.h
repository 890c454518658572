/* advice: what helps where a rule fails (explain.c), for people; not for search loops: some hundred rewrites, thousands where
 * nothing helps. */
#ifndef ADVICE_H
#define ADVICE_H

#include "rule.h"

/* Macros as steps, from who knows them. */
typedef struct AdviceMacros {
    void *data;
    int count;
    /* The i-th at a place of root, with little fuel: its rewrites in order and what to type; they live as long
     * as the question is asked. NULL: it fails, changes nothing, or may not be advised. Leaves no error. */
    const Rewrite *(*run)(void *data, int i, const Term *root, const Path *at, int *count, const char **name);
    const volatile int *stop;            /* != 0: give up; may be NULL */
} AdviceMacros;

/* A rule fails at a place: what helps? Every command named has been tried. Terms made on the way are taken
 * back (ctx_release), so that what is asked does not change what follows. */
typedef struct RuleAdvice {
    const char *near_place, *near_text;  /* the nearest place where it applies, else where it nearly does; NULL: none */
    const char *near_needs;              /* what is missing there; NULL: it applies */
    const char *near_try;                /* "apply mapFusion at /in"; NULL: it does not apply there */
    /* "apply reduceSeq at / ; apply reduceMapFusion at /": steps before it, two at most; NULL: none */
    const char *step_try;
    const char *instead;                 /* "mapInterchangeZipOut at /": rules of its kind that do apply; NULL: none */
} RuleAdvice;
RuleAdvice rule_advise(RewriteEnv *env, const Rules *rules, const AdviceMacros *macros, const Rule *rule,
                       const RuleArg *args, const Term *root, const Path *at);
/* As notes near and try of the error in the diag. tries false: `root` is no version of the session,
 * so nothing can be typed. */
void rule_advice_notes(Ctx *c, const RuleAdvice *a, bool tries);

#endif
