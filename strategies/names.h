/* names: what strategy text may name besides rules and the Lua library (lua_names.c). */
#ifndef NAMES_H
#define NAMES_H

#include "strategy.h"

typedef enum StrategyNameKind {
    NAME_MACRO,                          /* a strategy made of others */
    NAME_LOWERING,                       /* a macro that `lower` accepts */
    NAME_COMBINATOR,                     /* a function on strategies */
    NAME_PREDICATE,                      /* a strategy that changes nothing, for where() */
    NAME_VALUE,                          /* permutations, session API */
} StrategyNameKind;

typedef struct StrategyName {
    StrategyNameKind kind;
    const char *name;
    const char *params;                  /* "(m, n)", "(pat, a)"; "" when it takes none */
    const char *doc;                     /* one line */
    const char *text;                    /* user macros: "tile(m, n) = ..." as defined; NULL otherwise */
    bool user;
} StrategyName;

/* Every name that strategy text may use apart from rules and the Lua library, in order of definition (rules: rule.h). */
int strategies_name_count(const Strategies *s);
const StrategyName *strategies_name(const Strategies *s, int i);
const StrategyName *strategies_find(const Strategies *s, const char *name);      /* NULL: none */
/* What a new rule or macro may not be called: "a rule", "a macro", "a combinator", "a Lua keyword", ... NULL: the
 * name is free. A user's own rule or macro counts as free for its own kind; for_rule says which is being defined. */
const char *strategies_name_taken(const Strategies *s, const char *name, bool for_rule);
/* StrategyHost.allowed; without it everything is. */
bool strategies_allowed(const Strategies *s, const char *name, bool rule);
/* A known name near a misspelt one, rules included, of what is allowed; NULL: none is near. In the diag arena. */
const char *strategies_suggest(const Strategies *s, const char *name);

/* Define or replace a user macro from "NAME(P, ...) = STRAT" (the word `macro` optional, a trailing `-- text` is its doc).
 * E02 E24, or E05 when it has not that form or the name is taken. */
bool strategies_define(Strategies *s, const char *text);
bool strategies_remove(Strategies *s, const char *name);                         /* user macros only */

#endif
