/* shell: what all rooms share: the command table, arguments, and a Shell: a session with what is made of it and for it. */
#ifndef SHELL_H
#define SHELL_H

#include <jansson.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>

#include "command.h"
#include "device.h"
#include "file.h"
#include "lua_host.h"
#include "results.h"
#include "schema.h"
#include "session.h"
#include "setting.h"
#include "strategy.h"
#include "values.h"

typedef struct Guide Guide;
typedef struct Guided Guided;
typedef struct Reader Reader;
typedef struct Piece Piece;              /* one command of a line: cmdline.h */

/* ---- the shell ---- */

typedef struct Move { const char *text; PlaceRef *at; } Move;

typedef struct Warning { WarningId id; const char *message, *hint; } Warning;      /* texts in the scratch arena */

typedef struct Retired { Session *session; Strategies *strategies; } Retired;

/* Who looks on while commands are carried out (serve); NULL in a Shell: nobody. */
typedef struct Observer {
    void (*after)(Shell *sh);                            /* a command has been shown */
    void (*waiting)(Shell *sh);                          /* a line is about to be read */
    void (*called)(Shell *sh);                           /* Shell.watch_calls is readable, and no command runs */
    void (*progress)(Shell *sh, const char *text);       /* how far a search is, as show_progress */
    void (*trial)(Shell *sh, const json_t *event);       /* an event of a search */
    void (*leave)(Shell *sh);                            /* this is a process forked from the one that is watched */
    void (*end)(Shell *sh);                              /* the shell ends */
} Observer;

typedef enum DisplayKind { DISPLAY_HTML = 1, DISPLAY_SVG = 2 } DisplayKind;      /* of answers to requests, beside their text */

typedef enum StopReason {                /* from 2 on the device's worker is killed at once (device_set_stop) */
    STOP_NONE, STOP_INTERRUPT, STOP_TERMINATE, STOP_INSIST       /* INSIST: Ctrl-C twice */
} StopReason;

typedef struct Alias { char *name, *line; } Alias;      /* malloc */

/* The session as a document: its file, whether it has unsaved changes, its autosave (keep.c). */
typedef struct SessionFile {
    char *file;                          /* malloc; where the session came from or was saved last; NULL: nowhere yet */
    bool fresh;                          /* the file does not exist yet */
    bool damaged;                        /* it was when it was opened */
    bool always;                         /* --session: save there at the end */
    struct stat stamp;                   /* of the file when it was opened or saved; 0 everywhere: it was not there */
    uint64_t saved;                      /* session_work then */
    int versions;                        /* and how many versions there were */
    Journal *journal;                    /* autosave; NULL: none yet */
    char *adopted;  /* malloc; the autosave of another process that was opened; it goes once this one's has it */
    bool warned;                         /* that autosave does not work */
    bool kept;                           /* the journal is the session's own file: it is always written, and stays */
} SessionFile;

typedef struct MoveList {                /* of the last `moves` */
    const Derivation *derivation;
    int version, count;
    PlaceRef *focus;
    Move *moves;
    Arena *arena;
} MoveList;

typedef struct LabelList {                  /* of the last display */
    const Derivation *derivation;
    const Version *version;
    Arena *arena;
    VEC(PlaceRef *) places;
} LabelList;

typedef VEC(const char *) Texts;
typedef VEC(Alias) Aliases;
typedef VEC(Warning) Warnings;
typedef VEC(StoreItem) StoreItems;

/* What a Shell has of the running command, and of its session: the members stand in it by name, and all are put aside at once. */
#define COMMAND_STATE \
    Arena *scratch; \
    Buf out;                             /* what it prints */ \
    size_t below;                        /* where in out begins what a pager is not given, but the terminal after it; 0: nothing */ \
    json_t *data;                        /* what it reports with --json; NULL: {"text": out} */ \
    json_t *shown;                       /* the same as pictures, for --display; NULL: there are none */ \
    int status;                          /* exit code of a failure that was reported already */ \
    Warnings warnings;                   /* shown behind the output: shell_warn */ \
    bool color; \
    bool streams;                        /* what it prints may go to standard output at once */
#define SESSION_STATE \
    Session *session; \
    Ctx *c;                              /* the session's */ \
    Strategies *strategies;              /* NULL until used: shell_strategies */ \
    MoveList moves; \
    LabelList labels; \
    Aliases aliases; \
    SessionFile keep; \
    int chunks;                          /* Lua texts that had run when trust was reviewed last */ \
    Results *results;                    /* NULL until used: shell_results */ \
    const char *results_file;            /* --results, or a guide's; NULL: the default */ \
    bool results_fleeting;               /* in memory, and nobody is told so */
typedef struct CommandState { COMMAND_STATE } CommandState;
typedef struct SessionState { SESSION_STATE } SessionState;

struct Shell {
    union { CommandState running; struct { COMMAND_STATE }; };
    union { SessionState now; struct { SESSION_STATE }; };
    StrategyHost host;                   /* what Lua gets of the shell */
    Devices *devices;                    /* NULL until used */
    Device *device;                      /* NULL until used: shell_device */
    Device *const *team;                 /* what a search is spread over, the device first; NULL: it alone */
    int team_count;
    const char *device_wanted;           /* malloc; NULL: the first */
    Arena *target_arena;                 /* of the record that `set target` names; NULL: none is */
    DeviceInfo target;                   /* as a device */
    bool interactive, json, keep_going, quiet, echo, restricted;
    bool converses;                      /* Ctrl-C is for a command: at the prompt, and where a program sends commands and reads objects */
    FILE *objects;                       /* of --json; else standard output */
    unsigned display;                    /* --display: DisplayKind bits */
    json_t *request;                     /* the id of the request that is being answered (remote.h); NULL: none */
    pthread_mutex_t asking;              /* around changes of request, which a thread of line.c reads */
    json_t *held;                        /* its answer so far: what the last command said, which is the answer if no other comes */
    bool continued;                      /* the line being read continues a command */
    bool utf8, terminal;                 /* of the locale; stdout is one */
    char ink[24];                        /* what our own escape sequences begin with, and no text from elsewhere: text_shown */
    volatile int *stop;                  /* raised by signals: StopReason */
    bool quit;
    int exit_code;
    int depth, seq;                      /* nested scripts; JSON sequence number */
    Reader *reader;                      /* where lines come from now */
    const char *script;                  /* absolute name of the innermost script being run; NULL: none */
    int first_line;                      /* of the command being run, in what the reader reads */
    int cut;                             /* the line whose command ended this one, left open; 0: none did */
    char *again;                         /* malloc; what an empty line repeats (set repeat on), NULL: nothing */

    char *enters;                        /* malloc; what an empty line does right behind the last command, NULL: nothing: shell_offer_enter */
    char *suggested;                     /* malloc; what the first `try` says that the last command printed, NULL: none */

    int turns;                           /* runs of several versions in turns so far */
    int traced;                          /* attempts told of the running command: set trace RULE */
    bool exact;                          /* it is text of another language: a terminal's width breaks no line of it */
    int progress_to;                     /* in a process that searches for this one: where it says how far it is; 0 */
    int progress_lines;                  /* that stand on the terminal (show_progress) */
    Buf *captured;                       /* where commands that Lua runs print; NULL: not within one */

    int (*run_text)(Shell *sh, const char *text, const char *name, int line);      /* shell_text, for modules before it */
    Buf *errors;                         /* where errors and warnings go; NULL: standard error */

    VEC(Retired) retired;                /* sessions that were left; freed when no command runs */
    const Observer *watch;                  /* NULL: none */
    void *watched;                       /* what it has */
    int watch_calls;                     /* a descriptor that is readable when it wants to be called; -1: none */
    const Guide *guide;
    Guided *guided;                      /* what the guide has on; NULL: nothing */
};

static inline Diag *diag(const Shell *sh) { return &sh->c->diag; }
#define shell_error(sh, id, ...) diag_fail(diag(sh), id, __VA_ARGS__)         /* of the running command */
bool shell_report(Shell *sh, const char *type, ...);         /* what the running command reports with --json, as json_of; true */
/* Append to what the running command prints. AT(18): blanks up to that column of the line, at least two. */
void print(Shell *sh, const char *fmt, ...) PRINTF_LIKE(2, 3);
void vprint(Shell *sh, const char *fmt, va_list ap);
void show_column(Shell *sh, int column);         /* AT alone */
const char *print_taken(Shell *sh, size_t start);            /* what was printed from there on, which is taken back; in scratch */
#define AT(column) "\v" #column "\v"                       /* AT(%d): an argument says which */
static inline const char *plural(int64_t n) { return n == 1 ? "" : "s"; }
/* The one of n names that is most like what was typed; NULL: none is. */
#define NEAREST(typed_text, i, n, item) \
    __extension__({ \
        NearName near_##i = {.typed = (typed_text)}; \
        for (int i = 0; i < (n); i++) near_try(&near_##i, (item)); \
        near_##i.name; \
    })

Shell *shell_new(volatile int *stop);                        /* host.c */
void shell_free(Shell *sh);
/* Run one line (all its commands). False: one failed, and its code is in *code. */
bool shell_line(Shell *sh, const char *line, int *code);
/* Run everything a reader gives. Returns the exit code of the first failure, or the worst with --keep-going. */
int shell_read(Shell *sh, Reader *r);
/* The same with a text; line: the number of its first line in what `name` says. */
int shell_text(Shell *sh, const char *text, const char *name, int line);
/* Run one command without showing anything: what it prints is appended to out, what it reports goes to
 * *report (a new reference or NULL), its error stays in the diag. */
bool shell_call(Shell *sh, const Piece *p, Buf *out, json_t **report);
void shell_printed(void *sh);                                /* show what the running command has printed so far */
Strategies *shell_strategies(Shell *sh);                     /* NULL + E24 */
void shell_strategy_limits(Shell *sh);                       /* those of a command, after completion lowered them */
const Version *shell_version(Shell *sh);                     /* NULL + E10 */
/* Go on with another session. Settings of the display stay; the old one is freed by shell_settle,
 * when no command runs any more. strategies: over s, or NULL: made when needed. */
void shell_take_session(Shell *sh, Session *s, Strategies *strategies);
void shell_copy_display(const Session *from, Session *to);               /* settings of the display, and how wide it is */
/* At the prompt an empty line, right behind the command that is being carried out, does that. */
bool shell_offers_enter(const Shell *sh);
void shell_offer_enter(Shell *sh, const char *line);
void shell_forget(Shell *sh);            /* free aliases, moves and labels of the present session */
/* Strategies over another session, limited as the shell's own; they know nothing of the shell. NULL + E24 in its diag. */
Strategies *shell_strategies_over(Shell *sh, Session *s);
void shell_settle(Shell *sh);
/* Names in a folder, sorted, without those that begin with a dot; in the arena. Returns how many. */
int folder_names(Arena *arena, const char *folder, const char ***out);
/* $XDG_STATE_HOME/lathe/NAME, make: with the folders above it; malloc. NULL: there is no place for it. */
char *shell_state_path(const char *name, bool make);
/* A new file in $TMPDIR, whose name ends so, with that text; in scratch. NULL + E06 */
const char *shell_temporary(Shell *sh, const char *ending, const char *text);
/* As session_env, with Lua functions as conditions of rules. */
void shell_env(Shell *sh, const Version *v, Scope *scope, RewriteEnv *env);
/* The same, with the sizes and parameters that are set. */
void shell_env_now(Shell *sh, const Version *v, Scope *scope, RewriteEnv *env);
/* Does the rule apply at a place? Leaves no error behind. */
bool rule_fits(RewriteEnv *env, const Rule *rule, const Term *root, const Path *at);

/* A file as a user names it: with a guide one of its own files, unless the name begins with / or a dot; else one of the current
 * directory; else, within a script, one of the script's folder or of the nearest above it (those not for names with a dot).
 * In scratch. */
const char *shell_path(Shell *sh, const char *file);

void shell_put(const Shell *sh, FILE *to, const char *text);         /* with nothing that would command a terminal: text_shown */
void shell_complain(Shell *sh);          /* the error there is, on standard error */
/* A warning of the running command, unless it is silenced. hint: what to type about it, or NULL. */
void shell_warn(Shell *sh, WarningId id, const char *hint, const char *fmt, ...) PRINTF_LIKE(4, 5);
/* Did standard output fail since this was last asked? errno says why. A reader that has gone is no failure. */
bool output_failed(FILE *f);
/* A fault of lathe itself from now on: E70 with the session's autosave, code 70. SIGALRM, which SIGTERM sets as a limit to
 * itself: an end at once, code 143 (fault.c). Once, for one shell. */
void fault_catch(const Shell *sh);

/* ---- results (record.c) ---- */

Results *shell_results(Shell *sh);  /* the store; W10 when it is in memory, W11 when a crash left something behind */
void shell_clear_results(Shell *sh);                         /* the store goes, with its file; the next use makes a new one */
void shell_results_check(Shell *sh);                         /* W10 when writing failed since it was last asked */
/* What is known of a run of v before it: for result_watch and result_record. Lives as long as the command. */
void record_plan(Shell *sh, const Version *v, const RunSpec *spec, const DeviceInfo *device, ResultRecord *out);

const char *show_figure(Shell *sh, double v);  /* four digits, without an exponent where that can be; in scratch */
const char *record_sizes(Shell *sh, const Values *values);     /* as the store has them: "N=256 K=64"; in scratch */
const char *sizes_commands(Shell *sh, const char *sizes, const char *end);     /* of such a text "data N = 256", end, ...; in scratch */
/* The best that the store knows of v at the present sizes. Leaves no error behind. */
bool record_best(Shell *sh, const Version *v, Result *out);
/* As TSV: results of a store, of those a filter leaves (NULL: all); what a file holds, a store, TSV or T4. NULL + E03, E06 .. */
const char *record_text(Shell *sh, Results *r, const char *filter);
const char *record_file(Shell *sh, const char *file);
/* To the file, or to what the command prints (NULL). E05 E06 */
bool results_output(Shell *sh, const char *file, const char *text, size_t size);

#endif
