/* rule: rules as data, matching with explanations, places, and rewriting at a place (rules.md). */
#ifndef RULE_H
#define RULE_H

#include "lang.h"

/* ---- places ---- */

enum { PATH_MAX_LENGTH = 250 };
typedef struct Path {                    /* slot numbers from the root (term_slot) */
    uint8_t length;
    uint8_t slots[PATH_MAX_LENGTH];
} Path;

const Term *path_term(const Term *root, const Path *p);                     /* NULL: leaves the tree */
/* "/in/f/body", "..", "./in", "in/f" relative to `from`. A lambda is a place (/in/f); its body is
 * /in/f/body. E11 with near slots. */
bool path_parse(Ctx *c, const Term *root, const Path *from, const char *text, Path *out);
void path_print(Ctx *c, const Term *root, const Path *p, Buf *out);         /* "/" for the root */
const char *path_text(Ctx *c, const Term *root, const Path *p);             /* in the diag arena */
bool path_equal(const Path *a, const Path *b);
bool path_is_below(const Path *p, const Path *top);          /* or the same */
/* Pre-order successor of p among data-typed places (lambdas are passed through); false at the end. Start: length 0. */
bool path_next(const Term *root, Path *p);
/* The same for many in a row: terms[i] is what the first i slots of the place lead to. */
typedef struct PathWalk {
    Path at;
    const Term *terms[PATH_MAX_LENGTH + 1];
} PathWalk;
void path_walk(PathWalk *w, const Term *root, const Path *at);
const Term *path_walk_next(PathWalk *w);          /* the term at the next place, which is w->at now; NULL at the end */
/* The place p of the term `was` in `now`, which was made of it. A name that was left with one use on the way is gone, and its body in its
 * place: these names, "x, y", are added to gone unless it is NULL. False: the place is gone, *out the deepest on the way to it. */
bool path_carried(const Term *was, const Path *p, const Term *now, Path *out, Buf *gone);
/* Replace the node at p; NULL + E04 when the whole no longer types. */
const Term *path_replace(Ctx *c, const Term *root, const Path *p, const Term *with);
/* The same at n places side by side, in pre-order, all at once: a let whose name has one use left is gone, and places in it with it. */
const Term *path_replace_all(Ctx *c, const Term *root, const Path *p, int n, const Term *const *with);
int path_binders(const Term *root, const Path *p);                          /* number of indices bound above p */

/* ---- rules ---- */

typedef enum Trust { TRUST_BUILTIN, TRUST_PROVED, TRUST_CHECKED, TRUST_ASSUMED } Trust;

const char *trust_name(Trust t);                                           /* "builtin", "proved", "checked", "assumed" */

/* given: not found by matching the left side. list: a left side that divides a list, as `zip as.. (map g b) cs..` does, may
 * match in several ways, and has a parameter PART_PARAM for which: so many elements stand for `list`, the first that is so
 * divided (counted from 0, as slots are; left out: the first way that applies). Else NULL. */
#define PART_PARAM "part"
typedef struct RuleParam { const char *name; StaticKind kind; bool given; const char *list; } RuleParam;

typedef struct Rule {
    const char *name;
    const char *text;                    /* "map f (map g x)  =>  map (f . g) x  when ..." as defined, without the name */
    const char *doc, *origin;            /* one line; paper and figure */
    /* "fusion" "simplify" "split" "reduce" "interchange" "layout" "vector" "memory" "lower" "unit" "approximate" "user" */
    const char *kind;
    Trust trust;
    int param_count;
    RuleParam params[6];
    const AstRule *ast;
    bool reversed;                       /* the NAME.rev of a <=> rule */
    uint64_t check_seed;
    int check_count;
    uint64_t asked;                      /* of a checked one: the Lua text its conditions rested on (hash), 0: not known */
    bool refuted;                        /* the latest check found a counterexample; check_seed makes it again */
    bool warned;                         /* the user has been told that it is only assumed (W08) */
    const Ast *pattern;                  /* the left side as it is matched (match.h), and what it begins with; PRIM_COUNT: not one primitive */
    PrimId head;
    enum { LEFT_NOT_ASKED, LEFT_MAY_LACK, LEFT_HAS } left;       /* has the left side a value wherever the right one has? (egraph) */
} Rule;

/* Does it make the result less accurate than the source is, by roundings that the source has not? */
static inline bool rule_is_approximate(const Rule *r) { return !strcmp(r->kind, "approximate"); }
/* Does it apply nearly anywhere, so that it is asked for by name? One whose right side a function of the engine works out, `elements x`, one
 * that cuts any function in two, `f . g`, and an approximate one. */
static inline bool rule_is_asked_for(const Rule *r) { return r->ast->elements || r->ast->cuts || rule_is_approximate(r); }
static inline const Ast *rule_side(const Rule *r, bool right) { return right != r->reversed ? r->ast->rhs : r->ast->lhs; }

typedef struct Rules Rules;              /* a table of rules by name; lives as long as its Ctx is alive */
Rules *rules_new(Ctx *c);                /* with every built-in rule of rules.def */
Rules *rules_alone(Ctx *c, const Rule *r);   /* with that rule alone, of any Ctx, read again */
void rules_free(Rules *r);
int rules_count(const Rules *r);
/* In order of definition. A built-in rule is read when it is first asked for; its name alone does not ask. */
Rule *rules_get(const Rules *r, int i);
const char *rules_name(const Rules *r, int i);
Rule *rules_user(const Rules *r, int i);     /* the user's own, reverses among them; NULL behind the last */
uint64_t rules_hash(void);                   /* of all built-in rules: whether a file was written with the same */
Rule *rules_find(const Rules *r, const char *name);
Rule *rules_called(const Rules *r, const char *call);                        /* half.rev of "half.rev{n=s0}" */
/* A name near a misspelt one, of those that may be named (NULL: all). In the diag arena; NULL: none is near. */
typedef bool RuleFilter(void *data, const char *rule);
const char *rules_suggest(Ctx *c, const Rules *r, const char *name, RuleFilter *may, void *data);
/* Read "NAME(params): lhs => rhs when ..." without defining it (E03, E30). *reverse: NAME.rev for <=>, else NULL. */
Rule *rules_read(Ctx *c, Rules *r, const Source *s, Rule **reverse);
/* Define (or replace a user rule) from such a text. */
Rule *rules_define(Ctx *c, Rules *r, const Source *s, Rule **reverse);
/* Put a rule that was read into the table, with its reverse (or NULL), in the place of the user rule of that
 * name; a reverse that the replaced rule had and this one has not goes. False: a built-in rule has that name. */
bool rules_put(Rules *r, Rule *rule, Rule *reverse);
bool rules_remove(Rules *r, const char *name);                               /* user rules only; with its reverse */
bool rule_is_user(const Rule *r);
/* The text on one line that defines a rule (both directions of a <=>), as rules_define reads it. */
const char *rule_definition(const Rule *r);
/* The conditions behind its `when` as texts, in the arena. Returns the number. */
int rule_conditions(const Rule *r, Arena *arena, const char ***out);
bool rule_asks(const Rule *r);           /* is one of them a function from elsewhere? */
bool rule_takes_finite(const Rule *r);   /* does it take for granted that something is neither infinite nor NaN? */
/* The table has changed since that number was the same: what was looked up by name must be looked up again. */
unsigned rules_generation(const Rules *r);

/* Argument values of a rule application, in the order of Rule.params. */
enum { RULE_ARGS = 6 };
typedef struct RuleArg {
    bool set;
    const Nat *size;                     /* SIZE, DIM, WIDTH, MODE (PadMode as a constant); PERM: k or s */
    PermKind perm;
    const Term *fwd, *inv;               /* PERM_FUN: closed lambdas i32 -> i32 */
} RuleArg;

/* An argument of a condition that is a function from elsewhere: a term (a function's is a lambda), or a size. */
typedef struct ConditionArg {
    const Term *term;                    /* NULL: it is a size */
    const Nat *size;
} ConditionArg;
/* The verdict of the condition `name(args)`; *why may be set to a reason, which lives until the next call. */
typedef bool ConditionCall(void *data, const char *name, const ConditionArg *args, int n, const char **why);

/* Everything a rule may look at besides the term. */
typedef struct RewriteEnv {
    Ctx *c;
    const Defs *defs;
    const LangScope *scope;              /* parameters already in use (fresh ones avoid them) */
    int next_param;                      /* number of the next fresh tuning parameter s0 s1 ...; advanced by use */
    /* A condition `name(args)` that is a Lua function; NULL: none. */
    ConditionCall *call;
    void *call_data;
    /* What a claim takes for granted of a function that is not known (egraph); NULL: nothing. e: a neutral element, or NULL. */
    bool (*assumes)(void *data, PropKind kind, const Term *f, const Term *e);
    void *assumes_data;
    bool anywhere;                       /* what is said of what stands around the place holds: the term may stand anywhere (egraph) */
    bool advise;                         /* the error of a failed strategy is for a person: say what would help */
    NatValue *value;      /* what sizes and parameters are at present, for explanations and rule_applies_now; NULL: not known */
    void *value_data;
    /* May advice name that rule? NULL: every one. */
    RuleFilter *advisable;
    void *advisable_data;
} RewriteEnv;

enum { BINDINGS_MAX = 24 };
typedef struct RuleResult {
    const Term *root;                    /* the whole term after the step */
    const Term *before, *after;          /* at the place */
    RuleArg args[6];                     /* actual arguments, fresh parameters included */
    const char *assumes;                 /* a property that a condition rests on though tests refute it, "associative f"; NULL: none */
    int new_param_count;
    const char *new_params[4];           /* names of fresh tuning parameters */
    int fact_count;                      /* size facts named in `when`, now facts of the version */
    Fact facts[8];
    int binding_count;                   /* for `why`: metavariable = text */
    struct { const char *name, *text; } bindings[BINDINGS_MAX];
    int cond_count;
    /* verdict 2 a fact from now on, 1 yes, 0 no, -1 unknown */
    struct { const char *text; int verdict; const char *why; } conds[16];
} RuleResult;
/* How far a step is trusted: one that rests on what only its program assumes no further than that. */
static inline Trust rule_trust(const Rule *rule, const RuleResult *r) { return r->assumes ? TRUST_ASSUMED : rule->trust; }

/* Apply a rule at a place. False + E21 or E22, nothing changed. explain: fill bindings and conds (those of the last
 * match tried when it fails), give E21 the notes rule, needs, found, because, when. Texts in the diag arena. */
bool rule_apply(RewriteEnv *env, const Rule *rule, const RuleArg *args, const Term *root, const Path *at,
                bool explain, RuleResult *out);
/* "associative f: yes, known of +". In the diag arena. */
const char *cond_report(Ctx *c, const RuleResult *r, int i);
/* False: it cannot apply to that term. Sees only the head: for asking every rule at every place before anything else. */
bool rule_may_apply(const Rule *rule, const Term *place);
/* Does it ask of sizes what is not so for those that env knows? */
bool rule_breaks_sizes(const RewriteEnv *env, const RuleResult *r);
/* Does it apply there with these arguments (NULL: none)? Missing dims and widths are taken as free (any legal value). No diagnostics.
 * Cheap. Now: at the sizes that env knows, too. */
bool rule_applies_now(RewriteEnv *env, const Rule *rule, const Term *root, const Path *at);
bool rule_applies(RewriteEnv *env, const Rule *rule, const RuleArg *args, const Term *root, const Path *at);
/* Apply a rule with the arguments that are set, others left open: sizes, and the first legal dimension, width, mode or permutation
 * that fits, which on success is set, too. No diagnostics; env->next_param stays. */
bool rule_apply_open(RewriteEnv *env, const Rule *rule, const Term *root, const Path *at, RuleArg args[RULE_ARGS], RuleResult *out);
int rule_part_param(const Rule *rule);   /* which parameter is PART_PARAM; -1: none */
/* Rule with its actual arguments: splitJoin{n=s0}, mapLocal(0). In the diag arena. */
const char *rule_call_text(Ctx *c, const Rule *rule, const RuleArg *args);
/* Its inverse, without Lua. The arguments are read in scope, where s0 s1 ... name tuning parameters even if
 * they are new, and so do other names of small letters in sizes that name none of the program's. NULL + E02, E03, E22; what is not given in the text stays unset. */
const Rule *rule_call_parse(Ctx *c, const Rules *rules, const LangScope *scope, const char *text, RuleArg args[RULE_ARGS]);
/* The same as strategy text that can be typed: splitJoin{n="N/4"}. */
const char *rule_typed_text(Ctx *c, const Rule *rule, const RuleArg *args);

/* How a rule fails at a place. Texts in the diag arena. */
typedef struct RuleMisfit {
    bool matched;                        /* the left side matches: a condition or the right side fails */
    int progress;                        /* how much of the left side fits; more is nearer */
    Path at;                             /* where it differs; the place itself when it matched */
    const char *needs, *found;           /* pattern text and term; or condition and what is known */
    const char *because;                 /* "z would mention c, ...", or NULL */
} RuleMisfit;
/* False: it applies. brief: without its texts and where it differs, which cost more than the match: for going over many places. */
bool rule_misfit(RewriteEnv *env, const Rule *rule, const RuleArg *args, const Term *root, const Path *at, bool brief,
                 RuleMisfit *out);

/* ---- forwarding: where a place is after a rewrite, and where it was before ---- */

typedef struct Rewrite {                 /* one elementary rewrite that was made */
    const Rule *rule;                    /* NULL: unknown */
    const RuleArg *args;                 /* its actual arguments, or NULL */
    const Term *before, *after;          /* whole terms */
    Path at;
} Rewrite;

/* Where the place p of `before` is in `after`: the number of places that hold it, the first of them in *out. Outside the
 * redex, and at the redex itself, a place stays. Inside, what a metavariable of the left side matched goes to where the
 * metavariable stands on the right (a function whose lambda is not kept: to its body); what the rule itself names is
 * consumed: 0, and *out is the nearest ancestor of p that is still there. A step whose rule is not known, or does not
 * lead from `before` to `after`, is traced by equal subterms: a place goes to the only one equal to it. */
int place_forward(Ctx *c, const Rewrite *r, const Path *p, Path *out);
/* The place of `before` that place_forward takes to p (as one of the places). False: the step made p, and *out is the
 * nearest ancestor of p that was there before. */
bool place_backward(Ctx *c, const Rewrite *r, const Path *p, Path *out);

#endif
