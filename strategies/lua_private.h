/* lua_private: what the lua_*.c files share: the state behind Strategies, cursors, and the run in progress. */
#ifndef LUA_PRIVATE_H
#define LUA_PRIVATE_H

#include <lauxlib.h>
#include <lua.h>

#include "strategy.h"

enum { HOOK_INSTRUCTIONS = 10000 };

typedef struct Fresh {                   /* tuning parameters made on the way to a cursor, newest first */
    const char *name;
    const struct Fresh *before;
    int count;
} Fresh;

typedef struct Done {                    /* steps on the way to a cursor, newest first */
    StrategyStep step;
    int fact_count;
    const Fact *facts;
    const struct Done *before;
    int count, all_facts;
} Done;

/* A place in a term, with the steps that made the term. Immutable. */
typedef struct Cursor {
    const Term *root;
    const Done *last;
    const Fresh *fresh;
    int next_param;
    uint64_t run;                        /* serial number: a cursor must not be used after its run */
    Path at;
} Cursor;

typedef struct Run {                     /* what the code being run may use; saved and restored when runs nest */
    Arena *arena;
    RewriteEnv *env;                     /* NULL outside strategy_run */
    const LowerHints *hints;
    Buf *out;
    uint64_t serial;
    int64_t instructions;                /* left; negative: no limit */
    int attempts, steps;
    const char *exhausted;               /* why no more may be spent; NULL: go on */
} Run;

struct Strategies {
    Ctx *c;
    Rules *rules;
    const Defs *defs;
    lua_State *lua, *current;
    Arena *arena;
    VEC(StrategyName *) names;
    StrategyLimits limits;
    size_t memory;
    bool restricted;
    StrategyHost *host;
    void *host_data;
    const char *traced;                  /* name of a rule, malloc; NULL: none */
    StrategyTrace *trace;
    void *trace_data;
    uint64_t serial;
    Run run;
};

static inline Strategies *self(lua_State *L) { return *(Strategies **)lua_getextraspace(L); }

/* ---- lua_error: fuel and errors ---- */

extern const StrategyLimits default_limits;
void *fuel_allocate(void *strategies, void *old, size_t old_size, size_t size);      /* a lua_Alloc within the memory limit */
void fuel_hook(lua_State *L, lua_Debug *where);
/* Once fuel is gone every further attempt to go on ends here, so no handler in Lua can swallow it. */
void check_fuel(lua_State *L);
void spend_attempt(lua_State *L);
void spend_step(lua_State *L);
int raise_diag(lua_State *L);            /* raise the error that is in the diag */
void push_diag(lua_State *L);            /* the diag as a table {id=, message=, notes={{label, text}, ...}}, and clear it */
/* The error value on the stack goes to the diag, unless it is there already. Pops it. */
void to_diag(Strategies *s, lua_State *L, int status);
extern const luaL_Reg error_functions[];

/* ---- lua_term: plain values, sizes, terms ---- */

int push_string(lua_State *L, const char *text);     /* these two return 1 */
int push_bool(lua_State *L, bool b);
void make_cache(lua_State *L);
void push_nat(lua_State *L, const Nat *n);
void push_term(lua_State *L, const Term *t);
/* The scope of the run with the parameters made so far. */
LangScope run_scope(Strategies *s, const Fresh *fresh);
const Source *text_source(Strategies *s, const char *name, const char *text);
/* A size from a Lua value: an integer, a size, or text such as "N / 4". NULL: the error is in the diag. */
const Nat *to_size(lua_State *L, int i, const Fresh *fresh);
const Nat *check_size(lua_State *L, int i);
/* Number of the child in a slot, given by name or by 1-based number; -1: none. */
int find_slot(lua_State *L, const Term *t, int i);
extern const luaL_Reg size_methods[], term_methods[];

/* ---- lua_cursor ---- */

Cursor *check_cursor(lua_State *L, int i);
Cursor *push_cursor(lua_State *L, const Cursor *from);           /* a copy */
const Term *cursor_term(const Cursor *k);
const Fresh *add_fresh(Strategies *s, const Fresh *before, const char *name);
void forget_patterns(lua_State *L);
extern const luaL_Reg cursor_methods[];

/* ---- lua_rule, lua_names ---- */

extern const luaL_Reg rule_functions[], name_functions[];

/* ---- lua_state: calls into the library (the global `engine` that init.lua fills) ---- */

typedef struct Call {
    Strategies *s;
    lua_State *L;
    Run before;
    int top;
} Call;
void push_library(lua_State *L, const char *name);
/* Start a run; end_call must follow. The stack of L grows by what the caller pushes. */
Call begin_call(Strategies *s, Arena *arena, RewriteEnv *env, const LowerHints *hints, Buf *out);
bool end_call(const Call *k, int status);

#endif
