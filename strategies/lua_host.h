/* lua_host: Lua for users: the `lua` and `=` commands, scripts, the session API `t` (scripts.md). */
#ifndef LUA_HOST_H
#define LUA_HOST_H

#include "strategy.h"

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
