/* match: higher-order matching of a rule's left side against a term (rules.md). For layer 4, and
 * the e-graph over it.
 *
 * Patterns are syntax trees in which function positions hold only metavariables and lambdas
 * (pattern_normalise). A match is an environment of elab.h in which metavariables stand for terms at the
 * depth of the place; the right side is elaborated in it. */
#ifndef MATCH_H
#define MATCH_H

#include "elab.h"
#include "pattern.h"

const char *source_part(Arena *arena, const Source *s, Span span);      /* without the blanks around it */

/* Names bound by the left side's lambdas, with where their leaves are. */
typedef struct Bound {
    const char *name;
    const Type *type;                      /* of the one value; a list's element: see types */
    int level;                             /* leaves bound before it, counted from the place */
    bool is_list;
    int count;
    const Type *const *types;
    const int *levels;
    const struct Bound *next;
} Bound;

/* Where a metavariable of the pattern matched (all its occurrences; of a list each element): kept with Matcher.trace. */
typedef struct MetaPlace {
    const char *name;
    int index;                             /* in a list, else 0 */
    bool applied;                          /* `e a b`: the place is the body of the lambda that e stands for */
    int length;
    const uint8_t *slots;                  /* from the place */
    const struct MetaPlace *next;
} MetaPlace;

/* A size expression of the pattern whose names nothing binds yet, and what was found: compared when all else matches. */
typedef struct OpenSize {
    const Ast *size;
    const Nat *found;
    const struct Goal *goal;               /* where */
    const struct OpenSize *next;
} OpenSize;

typedef struct Step {                      /* slots from the place, last first */
    uint8_t slot;
    int length;
    const struct Step *up;
} Step;

/* Where a term equal to the one that is there was matched in place of it (Matcher.equal); what is chosen deeper comes later. */
typedef struct Choice {
    const Step *where;                     /* NULL: at the place itself */
    const Term *term;
    const struct Choice *before;
} Choice;

typedef struct MatchState {
    const Env *env;
    const UserHint *hints;
    const MetaPlace *metas;
    const OpenSize *open;
    const Choice *choices;
    bool around;                           /* a metavariable stands for what is around a part */
} MatchState;

/* Where matching first went wrong, furthest attempt wins. */
typedef struct Mismatch {
    int progress;                          /* 0: none recorded */
    const char *needs;                     /* text; arena of the matcher */
    int path_length;
    uint8_t path[64];                      /* slots relative to the place */
    const char *detail;                    /* "z would mention c", or NULL */
} Mismatch;

typedef struct Matcher {
    Ctx *c;
    Arena *arena;
    const Source *source;                  /* of the pattern, for needs */
    bool explain, trace;
    Mismatch mismatch;
    int fuel;                              /* steps; 0: enough for a term of its own */
    const struct Names *names;             /* search patterns: those of the term, which stand for themselves; NULL: a rule */
    bool (*found)(void *data, const MatchState *s);      /* a match; true stops the search; NULL: the first one does */
    void *data;
    const Term *root;                      /* the place is there in it: what its variables count is known then; NULL: not known */
    const struct Path *at;
    const struct MatchEqual *equal;        /* matching modulo equations (egraph.h); NULL: a term equals itself alone */
} Matcher;

/* Where a pattern asks for a node, every term that is equal to the one there is tried; metavariables stand for what is there. */
typedef struct EqualTerm { const Term *term; int node, head; } EqualTerm;       /* node: the graph's; head: its primitive; PRIM_COUNT: it is no primitive */
typedef struct MatchEqual {
    void *data;
    /* Those that begin with that primitive (PRIM_COUNT: with any), *n of them. */
    const EqualTerm *(*all)(void *data, const Term *t, PrimId head, int *n);
    uint64_t (*heads)(void *data, const Term *t);        /* pattern_bit of what each of them begins with */
    /* One equal to t (a function may be one) with a match of p somewhere in it; NULL: none. */
    const Term *(*containing)(void *data, const Ast *p, const Term *t);
    /* NULL in rules. Has p no metavariables, so that whether it matches hangs on nothing else? Of all ways in which it does the smallest
     * term is taken then, which is remembered: by a key (false: not yet). */
    bool (*is_apart)(void *data, const Ast *p);
    bool (*known)(void *data, uint64_t key, const Term **smallest);
    void (*remember)(void *data, uint64_t key, const Term *smallest);
    const Term *(*chosen)(void *data, const Term *t, const Choice *choices);     /* t with what was chosen; NULL: it does not type */
} MatchEqual;

/* Try to match pattern p against term t, starting from bindings start; calls found for each match until it returns true. */
bool match_term(Matcher *m, const Ast *p, const Term *t, const Env *start);

/* The pattern in normal form: `$ |>` applied, functions as metavariables or lambdas. NULL + E30 when it is no pattern
 * (a metavariable applied to something that is no bound variable). names: for interning. */
const Ast *pattern_normalise(Ctx *c, Arena *arena, const Source *s, const Ast *a);
const Ast *pattern_ast(const SearchPattern *p, const Source **source);      /* of a search pattern, and its text */
PrimId pattern_begins(const Ast *p);        /* what all terms begin with that it matches; PRIM_COUNT: not one primitive */
bool pattern_binds_name(const Ast *p, const char *name);         /* some function in it does */
PrimId pattern_inner(const Ast *p);         /* in normal form: what p, or the body of a function, begins with where it is no name; PRIM_COUNT: who knows */
static inline uint64_t pattern_bit(PrimId head) { return (uint64_t)1 << head % 64; }

/* ---- apply.c: the two halves of applying a rule: match, conditions aside, and right side ---- */

/* rule_apply_open, of that match, which was found before; NULL: of all that there are. */
bool rule_apply_match(RewriteEnv *env, const Rule *rule, const MatchState *match, const Term *root, const Path *at, RuleArg args[RULE_ARGS],
                      RuleResult *out);
MatchState match_kept(Arena *arena, const MatchState *s);        /* what a rule is applied with, in that memory */
void rule_bind_arg(Ctx *c, Arena *arena, const Env **env, const RuleParam *p, const RuleArg *arg);
/* Match the left side, with the arguments that are set, tracing metavariables. each: returns true to stop. Did it? */
typedef bool MatchEach(void *data, const MatchState *s);
bool rule_each_match(Ctx *c, Arena *arena, const Rule *rule, const RuleArg *args, const Term *root, const Path *at,
                     MatchEach *each, void *data);
/* What the rule makes of the place when its metavariables stand for these, whether or not its left side matches what
 * became of it: conditions, right side, failures as rule_apply has them. */
bool rule_instantiate(RewriteEnv *env, const Rule *rule, const Env *metas, const Term *root, const Path *at, bool explain,
                      RuleResult *out);
/* The right side in such an environment; NULL, without an error, when it does not type. */
const Term *rule_right_side(Ctx *c, Arena *arena, const Rule *rule, const Env *env, const UserHint *hints, const Type *type);

#endif
