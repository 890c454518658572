/* lua_private: what the lua_*.c files share: the state behind Strategies, cursors, and the run in progress. */
#ifndef LUA_PRIVATE_H
#define LUA_PRIVATE_H

#include <lauxlib.h>
#include <lua.h>

#include "embedded.h"
#include "lua_host.h"
#include "names.h"
#include "setting.h"
#include "strategy.h"
#include "values.h"

enum { HOOK_INSTRUCTIONS = 10000 };

typedef struct Fresh {                   /* tuning parameters made on the way to a cursor, newest first */
    const char *name;
    const struct Fresh *before;
    int count;
} Fresh;

typedef struct Done {                    /* steps on the way to a cursor, newest first */
    SubStep step;                        /* its fact_count: with those of the steps before */
    struct Use *within;
    int fact_count;
    const Fact *facts;
    const struct Done *before;
    int count;
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

typedef struct Use {                     /* a macro that is being run */
    const char *label;
    const Term *root;                    /* where it began */
    const PlaceRef *at;
    struct Use *outer;
    const MacroUse *made;                /* as the result has it; NULL: not yet */
} Use;

typedef struct Run {                     /* what the code being run may use; saved and restored when runs nest */
    Arena *arena;
    RewriteEnv *env;                     /* NULL outside strategy_run */
    const LowerHints *hints;
    Buf *out;
    uint64_t serial;
    int64_t instructions;                /* left; negative: no limit */
    int attempts, steps;
    Use *within;                         /* NULL: none is being run */
    const char *where;                   /* FILE:LINE of an error */
    bool nested;                         /* in another one */
    const char *exhausted;               /* why no more may be spent; NULL: go on */
    int64_t clock;                       /* ns of CPU time up to which it is charged; 0: not begun */
    double looked, worked;      /* when charged_call looked at this thread's own clock, and what that said; ms */
    const Rule *rule;                    /* the rule tried last, and where */
    const Term *root;
    Path at;
} Run;

typedef enum Class { CLASS_TERM, CLASS_SIZE, CLASS_CURSOR, CLASS_VERSION, CLASS_SPACE, CLASS_COUNT } Class;

struct Strategies {
    Ctx *c;
    Rules *rules;
    const Defs *defs;
    lua_State *lua, *current;
    const void *classes[CLASS_COUNT];    /* the address of each metatable, by which the registry has it */
    Arena *arena;
    Arena *plan;                         /* of the plan last made by generate; NULL: none was yet */
    VEC(StrategyName *) names;
    StrategyLimits limits;
    size_t memory;
    bool foreign;                        /* Lua from a session file was run in it */
    const char *traced;                  /* name of a rule, malloc; NULL: none */
    StrategyTrace *trace;
    void *trace_data;
    StrategyHost host;
    Target told[2];                      /* the records that Lua has tables of: of a CPU, of a GPU */
    Session *session;                    /* NULL: none */
    bool recording;
    Search *search;                      /* the one that is running; NULL: none */
    const volatile int *stop;            /* while Ctrl-C is held back (lua_search.c); else NULL */
    uint64_t serial;
    Run run;
    unsigned epoch;                      /* another one: what Lua was given while `own` was set is of no use from now on */
    Ctx *own;  /* while terms are at hand that will go: the session's context; c is theirs (a check's, or the same) */
    CheckOracle oracle;
    Strategies *other;                   /* strategies_ask_other; NULL: none */
};

static inline Strategies *self(lua_State *L) { return *(Strategies **)lua_getextraspace(L); }

/* ---- lua_values: plain values, fields ---- */

int push_string(lua_State *L, const char *text);     /* these five return 1 */
int push_bool(lua_State *L, bool b);
int push_integer(lua_State *L, bool there, int64_t n);           /* nil where it is not there */
int push_number(lua_State *L, double v);
int push_buf(lua_State *L, Buf *text);               /* and frees it */
void push_texts(lua_State *L, const char *const *list, int n);   /* a list */
/* A list of n, of which `push`, which may name i, pushes one. */
#define PUSH_LIST(L, i, n, push) \
    do { \
        lua_createtable((L), (n), 0); \
        for (int i = 0; i < (n); i++) { push; lua_rawseti((L), -2, i + 1); } \
    } while (0)
/* A field of the table on top of the stack. */
void set_text(lua_State *L, const char *key, const char *text);
void set_bool(lua_State *L, const char *key, bool b);
void set_integer(lua_State *L, const char *key, int64_t n);
void set_number(lua_State *L, const char *key, double v);
int64_t item_integer(lua_State *L, int table, int i);            /* of a list; 0: it is none */
const char *field_text(lua_State *L, Arena *arena, const char *key);         /* in the arena; NULL: it is no text */

/* ---- lua_library: lathe's own Lua files ---- */

void open_library(lua_State *L);         /* with the engine, which is popped */
/* A function of one of the files, which is run when it is first asked for. */
void push_library(lua_State *L, const char *file, const char *name);
void push_file(lua_State *L, const EmbeddedText *e, bool text);          /* as a function; text: of its text, even where it is compiled */
/* Of library_names, at first, or from what it returned on; NULL: that was the last. */
const char *next_name(const char *at, StrategyName *out, const char **file);
extern const luaL_Reg library_functions[];

/* ---- lua_error: fuel and errors ---- */

extern const StrategyLimits default_limits;
/* A lua_Alloc within the memory limit. */
void *fuel_allocate(void *strategies, void *old, size_t old_size, size_t size);
void watch(lua_State *L);                /* its fuel is looked at from now on, also where it ran out before */
/* Once fuel is gone every further attempt to go on ends here, so no handler in Lua can swallow it. */
void check_fuel(lua_State *L);
const volatile int *stop_of(const Strategies *s);   /* Ctrl-C, held back or not; may be NULL */
void check_stop(lua_State *L);
void spend_attempt(lua_State *L, const Rule *rule, const Cursor *k);
void spend_step(lua_State *L);
/* What a function in C did, in units of about a Lua instruction. Functions that may loop for long call it every
 * HOOK_INSTRUCTIONS units or sooner: Ctrl-C is looked at here, too. */
void spend_work(lua_State *L, int64_t units);
void skip_time(Strategies *s);           /* what was done up to now is not charged for its time */
int raise_diag(lua_State *L);            /* raise the error that is in the diag */
void push_diag(lua_State *L);            /* the diag as a table {id=, message=, notes={{label, text}, ...}}, and clear it */
int push_failure(lua_State *L);          /* nil and the diag as a failure object, and clear it; returns 2 */
/* The error value on the stack goes to the diag, unless it is there already. Pops it. */
void to_diag(Strategies *s, lua_State *L, int status);
extern const luaL_Reg error_functions[];

Strategies *check_host(lua_State *L);                /* an error: there is no session; else what is called in Lua runs in L, and the diag is clear */
Device *chosen_device(Strategies *s);                /* NULL: none; why may be in the diag */
const DeviceInfo *chosen_target(const Strategies *s);            /* of the device that is selected; NULL: none is */
/* Sizes and parameters of v, as for a trial where that has them all. */
void trial_values(Strategies *s, const Version *v, Arena *arena, Values *out);

/* ---- lua_class: userdata of this program's ---- */

enum {
#define LUA_FIELD(of, name, ...) FIELD_##of##_##name,
#include "lua_api.def"
};
/* The class's metatable has its methods, and the numbers of its fields (lua_api.def) by their names. */
void make_class(lua_State *L, Class class, const luaL_Reg *methods);
void set_class(lua_State *L, Class class);           /* of the userdata on top */
void *test_class(lua_State *L, int i, Class class);  /* NULL: not of that class */
void *check_class(lua_State *L, int i, Class class);
/* For __index of the userdata at 1: the number of the field that the key at 2 names; -1: a method, which is pushed. An error where it names
 * neither, or that is not of the class. */
int class_field(lua_State *L, Class class);

/* ---- lua_pattern, lua_bounded: what takes the place of functions of Lua's library ---- */

extern const luaL_Reg pattern_functions[];
void open_bounded(lua_State *L);         /* string.find, match, gmatch, gsub, rep; table.concat, insert, remove, move, sort */
int engine_charged(lua_State *L);

/* ---- lua_program: programs that Lua starts ---- */

void open_programs(lua_State *L);        /* os.execute, io.popen */

/* ---- lua_term: sizes, terms ---- */

void make_cache(lua_State *L);
/* One pointer as a userdata of that class; one userdata a pointer while it is in use, so equal values are equal in Lua. */
void push_ref(lua_State *L, const void *p, Class class);
/* After a failure for want of memory: Lua from files gives up what it holds, which would be missing for the user's own. */
void shed_foreign(Strategies *s, lua_State *L);
const void *check_ref(lua_State *L, int i, Class class);
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
/* Moves p to the next data-typed place under top; skip: not into p's own subterm. False: there is none. */
bool next_place(const Term *root, const Path *top, Path *p, bool skip);
const Path *value_place(const Term *root, Path *p);              /* of a function its body */
Fact *all_facts(const Cursor *k, Arena *arena, int *count);      /* of the steps on the way there */
const Use *outermost(const Use *use);                /* the macro around all; NULL: none */
bool in_scope(const LangScope *scope, const char *name);         /* is it a parameter there? scope: may be NULL */
const Fresh *add_fresh(Strategies *s, const Fresh *before, const char *name);
void forget_patterns(lua_State *L);
extern const luaL_Reg cursor_methods[];

/* ---- lua_rule, lua_names, lua_session, lua_search, lua_features, lua_explore ---- */

extern const luaL_Reg rule_functions[], name_functions[], session_functions[], version_methods[], search_functions[],
    feature_functions[], explore_functions[];
const Version *check_current(lua_State *L, int i);               /* of the current program */
int push_version(lua_State *L, const Version *v);

void name_library(Strategies *s);        /* s->names of what the library's files name */

/* ---- lua_tune ---- */

extern const luaL_Reg tune_functions[], space_methods[];
void strategies_ask_session(Strategies *s, Session *session);    /* search.constraints, for the session (session_ask) */

/* ---- lua_json ---- */

void push_json(lua_State *L, const json_t *v);                   /* null inside an array or object: false */
json_t *to_json(lua_State *L, int i);    /* a new reference; what JSON has no form for as its text */

/* ---- lua_run ---- */

typedef struct Task {                    /* one run of a strategy */
    const char *function;                /* of the library: run or lower */
    const char *text;                    /* NULL: the value at that index of the stack, or the default lowering */
    int value;
    Arena *arena;
    Cursor start;
    StrategyResult *out;
    int attempts;                        /* rule applications that were tried: set by perform */
} Task;
/* strategy_run and strategy_lower, with the strategy as text or as a value. */
bool perform(Strategies *s, RewriteEnv *env, const LowerHints *hints, Task *task);
/* Conditions that are Lua functions, for all that it rewrites. */
void strategies_serve_session(Strategies *s, Session *session);
bool perform_lowering(Strategies *s, RewriteEnv *env, const LowerHints *hints, Task *task);

/* ---- lua_call, lua_error: calls into the library ---- */

typedef struct Call {
    Strategies *s;
    lua_State *L;
    Run before;
    int top;
} Call;
/* Start a run; end_call must follow. The stack of L grows by what the caller pushes. */
Call begin_call(Strategies *s, Arena *arena, RewriteEnv *env, const LowerHints *hints, Buf *out);
bool end_call(const Call *k, int status);
/* lua_pcall of a function that is given data; of one of the library, with an argument for each letter: s a text or NULL, l a list of texts
 * and its length, v a version, i an int, b a bool. Both give its status. */
int call_with(lua_State *L, lua_CFunction f, void *data, int results);
int call_library(lua_State *L, int results, const char *module, const char *function, const char *format, ...);
/* A run of its own for call_library, with the fuel of a strategy or none; the text that it gives goes to out, unless NULL. */
bool call_text(Strategies *s, bool fuelled, Buf *out, const char *module, const char *function, const char *format, ...);

#endif
