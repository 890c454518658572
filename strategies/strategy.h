/* strategy: rules and macros as Lua values, run on a term; the default lowering (strategies.md, scripts.md). Layer 9.
 *
 * A strategy text is a Lua expression ("topdown(mapFusion) * splitJoin(4)^-1"). Running one either yields a new root with
 * the elementary rewrites that led there, in order, or fails, leaves everything as it was and says where and why. */
#ifndef STRATEGY_H
#define STRATEGY_H

#include <jansson.h>

#include "check.h"
#include "rule.h"
#include "search.h"

typedef struct Strategies Strategies;    /* a Lua state with the macro library over one rule table */

/* The arguments must outlive the result. defs may be NULL. NULL + E24 when the embedded library does not load (our bug). */
Strategies *strategies_new(Ctx *c, Rules *rules, const Defs *defs);
void strategies_free(Strategies *s);     /* NULL is fine */
/* Is all that the library's Lua files name there, rules above all? No: E02 with file and line. name, text: one more file, as if it
 * were one of them; NULL: none. The build asks (lua_check.c); it takes as long as opening does. */
bool strategies_check(Strategies *s, const char *name, const char *text);

/* Limits of one run; zero fields keep the defaults. *stop != 0 ends a run with E25 "interrupted"
 * (set by a signal handler). */
typedef struct StrategyLimits {
    int64_t instructions;                /* Lua instructions; default 200 million */
    int attempts;                        /* rule applications tried; default 1 million */
    int steps;                           /* rewrites done, undone branches included; default 10 thousand */
    size_t memory;                       /* bytes of the Lua state; default 256 MiB */
    const volatile int *stop;            /* may be NULL */
} StrategyLimits;
void strategies_limit(Strategies *s, const StrategyLimits *limits);

/* From now on every attempt of that rule in a run is told: where, and with what result (misfit NULL: it
 * applied). rule NULL: none. */
typedef void StrategyTrace(void *data, const Rule *rule, const Term *root, const Path *at, const RuleMisfit *misfit);
void strategies_trace(Strategies *s, const char *rule, StrategyTrace *trace, void *data);

/* ---- running ---- */

typedef struct StrategyStep {            /* one elementary rewrite */
    const Rule *rule;
    RuleArg args[6];                     /* actual arguments, fresh parameters included */
    Path at;
    const Term *before, *after;          /* at the place */
    const Term *root;                    /* the whole term after this step */
    const char *call_text;               /* splitJoin{n=s0} */
    /* the innermost macro it was made in, without the one that is the whole text; NULL: none */
    const MacroUse *within;
    int fact_count;                      /* of the result's facts, those named up to this step */
    int next_param;                      /* number of the next fresh parameter after it */
} StrategyStep;

typedef struct StrategyResult {
    const Term *root;                    /* the same pointer as before: succeeded and changed nothing */
    Path focus;                          /* the starting place, shortened when it is gone */
    int step_count;
    StrategyStep *steps;
    int new_param_count;
    const char **new_params;             /* fresh tuning parameters that occur in root */
    int fact_count;
    Fact *facts;                         /* size facts named in the `when` of the rules applied */
    const char *call_text;               /* splitJoin{n=s0} for a single rule, else the text as given, blanks trimmed */
    const char *macro;                   /* the name, when the whole text is one macro (call), else NULL */
    Trust trust;                         /* weakest among the rules applied */
} StrategyResult;

/* What lowerings may know. Zeroed, or NULL in place of it: a CPU, no sizes known. */
typedef struct LowerHints {
    bool gpu;                            /* more and smaller partial reductions */
    int parallelism;                     /* work-items wanted at least for a reduction; 0: 64, on a GPU 1024 */
    bool constants;                      /* kernels are made for the sizes that are set, not for any (set sizes) */
    NatValue *value;       /* current sizes and parameters where set, so that chunks divide them; may be NULL */
    void *value_data;
} LowerHints;

/* Run lua_text at a place. Results (texts included) live in `arena`. env->next_param is advanced on success only;
 * env->call is set during the run when NULL. False, nothing changed, and in c->diag:
 *   E02 unknown name, with a suggestion         E03 a search pattern does not parse
 *   E21 E22 the one rule given does not apply   E23 a compound strategy failed (notes: place, after, rule, needs,
 *   found; with env->advise, which costs some hundred rewrites, also near, instead and try)
 *   E24 Lua error                               E25 out of fuel, or interrupted */
bool strategy_run(Strategies *s, RewriteEnv *env, Arena *arena, const char *lua_text, const LowerHints *hints,
                  const Term *root, const Path *at, StrategyResult *out);

/* ---- traces ---- */

/* Record how the following runs go (until it is switched off): which strategy was tried where, and why it failed. */
void strategies_record(Strategies *s, bool on);
/* The recorded run, the last one, as an indented tree down to `depth` levels, and as JSON; out and *json
 * may be NULL. False: none. */
bool strategies_recorded(Strategies *s, int depth, bool unicode, Buf *out, json_t **json);

/* `lower`: the default lowering (lua_text NULL) or another strategy, at the root. All or nothing: true when the result is in
 * lowered form (plan_is_lowered; E52 to E54 are found by plan_make, which the caller runs). Else false, and E51 lists what
 * could not be mapped, or the errors of strategy_run. macro is "lower" for the default. */
bool strategy_lower(Strategies *s, RewriteEnv *env, Arena *arena, const char *lua_text, const LowerHints *hints,
                    const Term *root, StrategyResult *out);

/* The result as a step to keep (session_add, session_make). asked: the place it was run at; a single rewrite
 * found below it has its own. Points into r, which must live as long as `out`. */
void strategy_new_step(const StrategyResult *r, bool lowering, const Path *asked, int next_param,
                       Arena *arena, NewStep *out);

/* Let env call Lua functions named in rule conditions (`when divisible(n)`); strategy_run does this by itself. */
void strategies_serve_conditions(Strategies *s, RewriteEnv *env);

/* Answers conditions during a check with the session's Lua functions. What they keep of the terms they are
 * asked about is of no use afterwards. The result lives as long as s. */
const CheckOracle *strategies_oracle(Strategies *s);

/* ---- names ---- */

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

/* What a session file keeps of Lua: the chunks that made the functions which rules name as conditions and the
 * macros made in Lua, and what those use; in the order in which they ran, of kind "lua". only: what the
 * conditions of that rule need; NULL: of all, and macros. In the arena. Leaves the diag as it is. */
int strategies_kept(Strategies *s, const Rule *only, Arena *arena, StoreItem **out);
/* What the Lua functions that a rule's conditions name rest on: their text with all that they use, and the values that they
 * reach, in tables too. */
typedef struct Asked {
    uint64_t hash;                       /* of all that; another one where they might answer otherwise */
    int chunks;                          /* how often Lua of the user's has run so far, conditions apart */
    const char *unseen;                  /* "io": what they read that can change without a trace; in the arena; NULL: nothing */
} Asked;
Asked strategies_asked(Strategies *s, const Rule *rule, Arena *arena);           /* leaves the diag as it is */
/* Define such an item of kind "lua" or "macro" again: in the environment of Lua from files (foreign.lua), with the fuel of a
 * strategy. What it made for all to use is appended to `made`: "limit, short". False: E24, E25 ... */
bool strategies_reopen(Strategies *s, const StoreItem *item, Buf *made);
/* Conditions that s has no function for are asked of another one, and macros of users' are looked up there, too. It must
 * outlive s, or NULL be given. */
void strategies_ask_other(Strategies *s, Strategies *other);

/* ---- Lua for users: the `lua` and `=` commands, scripts, the session API `t` (scripts.md) ---- */

typedef struct StrategyWord {            /* an argument of a command, or a flag */
    const char *flag;                    /* NULL: an argument */
    const char *text;                    /* of a flag: its value, "" for a plain one */
} StrategyWord;

/* What the shell does for Lua. Any function may be NULL: without it nothing can be done, or nothing is asked. */
typedef struct StrategyHost {
    void *data;
    /* t.VERB(...): run one command. What it prints is appended to out; what it reports (decisions.md: JSON) to *report as a
     * new reference, NULL for nothing. False: it failed, and the error is in the Ctx's diag. */
    bool (*run)(void *data, const char *verb, const StrategyWord *words, int count, Buf *out, json_t **report);
    const char *(*verb)(int i);          /* the names of the commands; NULL behind the last */
    /* a line was appended to the out of strategies_lua: it may be shown and taken away */
    void (*printed)(void *data);
    /* A place in any form, in v's term; NULL: v's focus. E05 E11 E12. */
    bool (*place)(void *data, const Version *v, const char *text, Path *out);
    /* May this result become a version? E51 to E54 when lowering, or what a setting forbids. */
    bool (*accept)(void *data, const Version *from, const StrategyResult *r, bool lowering);
    /* What lowering v may know; in the arena. */
    void (*hints)(void *data, const Version *v, Arena *arena, LowerHints *out);
    /* The selected device; NULL: none is. Nothing is started. */
    const DeviceInfo *(*target)(void *data);
    /* For searches: the current device (NULL + E60); those that a search is spread over, the current one first (may be NULL, and *count
     * 0: it alone); the result store (NULL: none); a line that says how far it is, in
     * place of the last one ("" takes it away); an event for who reads JSON, which is the callee's then. */
    Device *(*device)(void *data);
    Device *const *(*devices)(void *data, int *count);
    Results *(*results)(void *data);
    void (*progress)(void *data, const char *text);
    void (*event)(void *data, json_t *event);
    /* A search of v begins on the current device; spec is all that was asked for. */
    void (*begun)(void *data, const Version *v, const json_t *spec);
    const char *(*source)(void *data, const Version *v);     /* SearchOptions.source: for tests */
    /* May the user name that rule, else macro, now? What macros are made of is not asked about. */
    bool (*allowed)(void *data, const char *name, bool rule);
    /* Where a file is that the user names; NULL: where he says. */
    const char *(*file)(void *data, const char *name);
} StrategyHost;

/* Give Lua the session. Both must outlive the Strategies; *host is copied. */
void strategies_host(Strategies *s, const StrategyHost *host, Session *session);
void strategies_restrict(Strategies *s);         /* --restricted: no io os package load in the `lua` command either */

/* Run a chunk in the session's Lua state (globals persist and are visible to strategies); expression: print its values.
 * What it prints is appended to out. Only strategies are fuelled; a chunk ends when it ends, or is interrupted.
 * name: for messages, "=lua" or "@FILE" (lua_load). args: its `...` and the global `arg`, NULL at the end; NULL: none.
 * values: NULL, or takes the expression's values as a JSON array; of a script what the command reported whose result it
 * returns, or whose failure ended it. E24, E25, or the failure that was raised. */
typedef struct LuaChunk {
    const char *text, *name;
    bool expression;
    const char *const *args;
    Buf *out;
    json_t **values;
} LuaChunk;
bool strategies_lua(Strategies *s, const LuaChunk *chunk);
/* A command of the library: `command` of a module, "command" being `search`; spec and its result as JSON; what it prints is appended
 * to out. E24, E25, or the error that was raised; a search that could not go on reports all the same what it did.
 * *report is the caller's; NULL stays NULL when there is none. */
bool strategies_command(Strategies *s, const char *module, const json_t *spec, Buf *out, json_t **report);
/* The i-th strategy of `search ... using`; its options as "restarts=3 step=1". False: there is none. Texts in the arena. */
typedef struct SearchStrategy { const char *name, *doc, *options; bool user; } SearchStrategy;
bool strategies_search_strategy(Strategies *s, int i, Arena *arena, SearchStrategy *out);
/* The ns that the cost model expects of the best kernel that comes of a strategy at a place of v, lowered and
 * with parameters tried (search/estimate.lua); 0: nothing runnable comes of it. Nothing is kept. */
double strategies_estimate(Strategies *s, const Version *v, const char *text, const Path *at);
/* The functions of the version and which of them share a kernel, as a figure in HTML: those that the call of fuseAs put together
 * (NULL: what is predicted best). Nothing is added where nothing could share one. */
void strategies_draw_fusions(Strategies *s, const Version *v, const char *call, Buf *out);
/* Does the text end too early (more lines may complete it)? expression: STRAT or `=` text. */
bool strategies_text_incomplete(Strategies *s, const char *text, bool expression);
/* For completion: the fields of what a dotted path of globals leads to, "" for the globals themselves, sorted; nothing is
 * called. In the arena; *n is 0 when there is nothing. */
const char **strategies_members(Strategies *s, const char *path, Arena *arena, int *n);

#endif
