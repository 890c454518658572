/* strategy: rules and macros as Lua values, run on a term; the default lowering (strategies.md, scripts.md).
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
    int steps;                           /* rewrites done, undone branches included; default 50 thousand */
    size_t memory;                       /* bytes of the Lua state; default 256 MiB */
    const volatile int *stop;            /* may be NULL */
} StrategyLimits;
void strategies_limit(Strategies *s, const StrategyLimits *limits);

/* From now on every attempt of that rule in a run is told: where, and with what result (misfit NULL: it
 * applied). rule NULL: none. */
typedef void StrategyTrace(void *data, const Rule *rule, const Term *root, const Path *at, const RuleMisfit *misfit);
void strategies_trace(Strategies *s, const char *rule, StrategyTrace *trace, void *data);

/* ---- running ---- */

typedef struct StrategyResult {
    const Term *root;                    /* the same pointer as before: succeeded and changed nothing */
    Path focus;                          /* the starting place, shortened when it is gone */
    int step_count;
    SubStep *steps;                      /* within is the innermost macro without the one that is the whole text */
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
 * found below it has its own. Points into r, which must live as long as `out`, as must the arena. */
void strategy_new_step(const StrategyResult *r, bool lowering, const Path *asked, int next_param,
                       Arena *arena, NewStep *out);

/* Let env call Lua functions named in rule conditions (`when divisible(n)`); strategy_run does this by itself. */
void strategies_serve_conditions(Strategies *s, RewriteEnv *env);

/* Answers conditions during a check with the session's Lua functions. What they keep of the terms they are
 * asked about is of no use afterwards. The result lives as long as s. */
const CheckOracle *strategies_oracle(Strategies *s);

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
/* Define such an item of kind "lua" or "macro" again: in the environment of Lua from files (sandbox.lua), with the fuel of a
 * strategy. What it made for all to use is appended to `made`: "limit, short". False: E24, E25 ... */
bool strategies_reopen(Strategies *s, const StoreItem *item, Buf *made);
/* Conditions that s has no function for are asked of another one, and macros of users' are looked up there, too. It must
 * outlive s, or NULL be given. */
void strategies_ask_other(Strategies *s, Strategies *other);

/* ---- what Lua gets of a session (lua_api.def), for help ---- */

typedef enum LuaApiOf { API_SESSION, API_VERSION, API_TERM, API_CURSOR, API_SIZE, API_SPACE, API_OF_COUNT } LuaApiOf;
typedef struct LuaApi { LuaApiOf of; const char *name, *form, *about; } LuaApi;
const LuaApi *api_entry(int i);            /* NULL behind the last */
const char *api_title(LuaApiOf of);

#endif
