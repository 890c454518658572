/* shell: the prompt: command table, command lines, printing, line input. Layer 10, the top. */
#ifndef SHELL_H
#define SHELL_H

#include <jansson.h>

#include "device.h"
#include "file.h"
#include "results.h"
#include "session.h"
#include "strategy.h"

typedef struct Shell Shell;
typedef struct Guide Guide;
typedef struct Reader Reader;
typedef struct Args Args;

/* ---- the command table (commands.def) ---- */

typedef enum Tail {
    TAIL_WORDS,                          /* ; | > # are shell syntax outside quotes and brackets */
    TAIL_STRATEGY,                       /* the same without # (Lua text) */
    TAIL_RAW,                            /* the rest of the line as it is */
    TAIL_DECLARATION,                    /* raw, and read on while its language wants more: let, rule, macro, lua */
} Tail;

typedef struct Command {
    const char *name;
    char letter;                         /* fixed one-letter form, 0: none */
    const char *group;
    const char *form;                    /* "show [PLACE] [--as ...]" */
    const char *args;                    /* kinds of arguments by position, for completion */
    const char *flags;                   /* "as=expr|tree depth= full": = takes a value */
    Tail tail;
    const char *help, *more;             /* one line; the rest */
} Command;

int command_count(void);
const Command *command_get(int i);
/* By name, one-letter form or unique prefix; with a guide a prefix means what is there for the user, if anything is.
 * NULL + E01 with candidates. sh NULL: without one; diag NULL: no error. */
const Command *command_find(const Shell *sh, const char *name, Diag *diag);

/* ---- one command line ---- */

enum { FLAG_MAX = 16 };
struct Args {
    const Command *command;
    const char *text;                    /* as typed, blanks trimmed */
    const char *rest;                    /* behind the verb, trimmed */
    int count;
    char **words;                        /* the rest without flags, outer quotes taken off; NULL at the end */
    int flag_count;
    struct { const char *name, *value; } flags[FLAG_MAX];    /* value "" for a plain flag */
};
const char *arg(const Args *a, int i);                       /* NULL: not given */
const char *arg_flag(const Args *a, const char *name);       /* NULL: not given */
bool arg_limit(Shell *sh, const Args *a, int most);          /* E05 when there are more words */
bool arg_error(Shell *sh, const Args *a, const char *what);  /* E05 with the form of the command; false */
/* A whole number in [lo, hi]; E05. */
bool arg_int(Shell *sh, const char *what, const char *text, int64_t lo, int64_t hi, int64_t *out);
char *text_trimmed(Arena *arena, const char *from, const char *end);     /* without blanks at its ends */
/* The first "NAME = VALUE" of *text, taken apart; *text goes behind it and a comma. False: there is none. */
bool arg_assignment(Shell *sh, const char **text, char **name, char **value);
const char *assignment_last(const char *text);           /* where the last of several begins, complete or not */

typedef enum Redirect { TO_STDOUT, TO_FILE, TO_APPEND, TO_PIPE } Redirect;
typedef struct Piece {                   /* one command of a line */
    const Command *command;              /* NULL: no such command */
    const char *verb, *text, *rest;      /* in the arena */
    Redirect redirect;
    const char *target;
    const char *open;                    /* the bracket or quote in the line that is not closed (E03); NULL: none */
} Piece;
/* The verb at `at` and its tail up to the next `;` or comment; *end is behind them. NULL: there is
 * no command. In the arena. */
const char *line_verb(Arena *arena, const char *line, size_t at, const char **tail, size_t *end);
/* The command at *at, which moves behind it and its `;`. False: nothing is left. What is wrong (E01, E03) is in diag. */
bool line_next(const Shell *sh, Arena *arena, const char *line, size_t *at, Piece *out, Diag *diag);
/* Does the text want another line: open brackets or quotes, or a declaration that ends too early? */
bool line_incomplete(Shell *sh, const char *text);
/* Does a line of a script begin a command, its name in full in the first column? It then ends whatever was left open. */
bool line_begins_command(const char *line);
/* Words outside brackets and quotes, with their positions. Returns the number; ends[i] is behind the word. */
int line_words(Arena *arena, const char *text, int **starts, int **ends);
/* Where the end of a text that is being typed is. */
typedef struct LineCursor {
    int rest;        /* start of what it belongs to: the verb, the arguments, or a redirection's target */
    const Command *command;              /* whose arguments; NULL: none */
    bool in_verb, lua;
    char redirect;                       /* > or | when it is behind one, else 0 */
} LineCursor;
void line_cursor(const char *text, LineCursor *out);
/* Outer double quotes taken off, \" and \\ in them read. */
char *line_word(Arena *arena, const char *text, int from, int to);

/* ---- the shell ---- */

typedef struct Move { const char *text; PlaceRef *at; } Move;

typedef struct Warning { WarningId id; const char *message, *hint; } Warning;      /* texts in the scratch arena */

typedef struct Retired { Session *session; Strategies *strategies; } Retired;

typedef enum StopReason {                /* from 2 on the device's worker is killed at once (device_set_stop) */
    STOP_NONE, STOP_INTERRUPT, STOP_TERMINATE, STOP_INSIST       /* INSIST: Ctrl-C twice */
} StopReason;

typedef struct Alias { char *name, *line; } Alias;      /* malloc */

typedef struct FileStamp {               /* a file as it was at some time */
    bool there;
    uint64_t device, inode;
    int64_t size, time;
} FileStamp;

/* The session as a document: its file, whether it has unsaved changes, its autosave (keep.c). */
typedef struct Keep {
    char *file;                          /* malloc; where the session came from or was saved last; NULL: nowhere yet */
    bool fresh;                          /* the file does not exist yet */
    bool damaged;                        /* it was when it was opened */
    bool always;                         /* --session: save there at the end */
    FileStamp stamp;                     /* of the file when it was opened or saved */
    uint64_t saved;                      /* session_work then */
    int versions;                        /* and how many versions there were */
    Journal *journal;                    /* autosave; NULL: none yet */
    char *adopted;  /* malloc; the autosave of another process that was opened; it goes once this one's has it */
    bool warned;                         /* that autosave does not work */
    bool kept;                           /* the journal is the session's own file: it is always written, and stays */
} Keep;

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

typedef VEC(Alias) Aliases;

/* A suspended session: what a shell has of it, while another one is in its place (shell_put_aside). */
typedef struct Aside {
    Session *session;
    Strategies *strategies;
    Keep keep;
    MoveList moves;
    LabelList labels;
    Aliases aliases;
    int chunks;
    char *device_wanted;                 /* malloc or NULL */
    bool device;                         /* one was open */
    Results *results;
    const char *results_file;
    bool results_fleeting;
} Aside;

struct Shell {
    Session *session;
    Ctx *c;                              /* the session's */
    Strategies *strategies;              /* NULL until used: shell_strategies */
    StrategyHost host;                   /* what Lua gets of the shell */
    Devices *devices;                    /* NULL until used */
    Device *device;                      /* NULL until used: shell_device */
    const char *device_wanted;           /* malloc; NULL: the first */
    Results *results;                    /* NULL until used: shell_results */
    const char *results_file;            /* --results, or a guide's; NULL: the default */
    bool results_fleeting;               /* in memory, and nobody is told so */
    bool interactive, json, keep_going, quiet, echo, restricted;
    bool continued;                      /* the line being read continues a command */
    bool utf8, terminal;                 /* of the locale; stdout is one */
    volatile int *stop;                  /* raised by signals: StopReason */
    bool quit;
    int exit_code;
    int depth, seq;                      /* nested scripts; JSON sequence number */
    Reader *reader;                      /* where lines come from now */
    const char *script;                  /* absolute name of the innermost script being run; NULL: none */
    int first_line;                      /* of the command being run, in what the reader reads */
    int cut;                             /* the line whose command ended this one, left open; 0: none did */
    char *again;                         /* malloc; what an empty line repeats (set repeat on), NULL: nothing */

    /* of the running command */
    Arena *scratch;
    Buf out;                             /* what it prints */
    json_t *data;                        /* what it reports with --json; NULL: {"text": out} */
    int status;                          /* exit code of a failure that was reported already */
    VEC(Warning) warnings;               /* shown behind the output: shell_warn */
    int traced;                          /* attempts told: set trace RULE */
    int chunks;                          /* Lua texts that had run when trust was reviewed last */
    bool color;
    bool streams;                        /* what it prints may go to standard output at once */
    int progress_to;                     /* in a process that searches for this one: where it says how far it is; 0 */
    Buf *captured;                       /* where commands that Lua runs print; NULL: not within one */

    int (*run_text)(Shell *sh, const char *text, const char *name, int line);      /* shell_text, for modules before it */
    Buf *errors;                         /* where errors and warnings go; NULL: standard error */

    /* of the session, as are session, c and strategies: an Aside */
    MoveList moves;
    LabelList labels;
    Aliases aliases;
    Keep keep;

    VEC(Retired) retired;                /* sessions that were left; freed when no command runs */
    const Guide *guide;
    void *guided;                        /* what the guide has on; NULL: nothing */
};

static inline Diag *diag(const Shell *sh) { return &sh->c->diag; }

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
/* The one that `run` would take; it is not opened for this. NULL, and no error: there is none. */
const DeviceInfo *shell_run_device(Shell *sh);
const DeviceInfo *shell_chosen_device(Shell *sh);            /* the same where `device`, --device or a run has chosen it, else NULL */
Device *shell_device(Shell *sh);                             /* NULL + E60 */
Devices *shell_devices(Shell *sh);
void shell_watch(const Shell *sh, Device *d);                /* Ctrl-C ends what runs on it */
const DeviceInfo *shell_find_device(Shell *sh, const char *text);        /* as devices_find */
const Version *shell_version(Shell *sh);                     /* NULL + E10 */
/* Go on with another session. Settings of the display stay; the old one is freed by shell_settle,
 * when no command runs any more. */
/* strategies over s, or NULL: made when needed */
void shell_take_session(Shell *sh, Session *s, Strategies *strategies);
/* An empty session takes the place of the present one, with the settings of its display, its aliases and the limits of
 * the device, and a store of results in memory; and back: what was aside is as it was, and the other session is freed by
 * shell_settle. */
void shell_put_aside(Shell *sh, Aside *out);
void shell_take_back(Shell *sh, Aside *from);
void shell_copy_display(const Session *from, Session *to);               /* settings of the display, and how wide it is */
void shell_forget(Shell *sh);            /* free aliases, moves and labels of the present session */
/* Strategies over another session, limited as the shell's own; they know nothing of the shell. NULL + E24 in its diag. */
Strategies *shell_strategies_over(Shell *sh, Session *s);
void shell_settle(Shell *sh);
/* $XDG_STATE_HOME/lathe/NAME, make: with the folders above it; malloc. NULL: there is no place for it. */
char *shell_state_path(const char *name, bool make);
void shell_prompt(Shell *sh, Buf *out);
/* As session_env, with Lua functions as conditions of rules. */
void shell_env(Shell *sh, const Version *v, const Scope *scope, RewriteEnv *env);
void shell_limit_to(Shell *sh, const DeviceInfo *info);      /* legal values keep those of that device */
void shell_note_limits(Shell *sh);                           /* legal values keep those of a device chosen by --device */
bool shell_on_gpu(Shell *sh);                                /* is the device that a run would take a GPU? */
/* Does the rule apply at a place? Leaves no error behind. */
bool rule_fits(RewriteEnv *env, const Rule *rule, const Term *root, const Path *at);

/* ---- what is around the user's session (guide.c): a lesson ----
 *
 * A guide puts a session of its own in the place of the user's, decides what is there in it, and sees every command. The shell
 * knows it by these functions alone; host.c names it. All from `allows` on are called only while sh->guided is set. */

typedef enum NamedKind { NAMED_RULE, NAMED_MACRO, NAMED_COMMAND } NamedKind;

typedef struct Unsaved {                 /* work of the user's that is in no file */
    bool any;
    bool lost;                           /* nor does autosave have it */
    bool always;                         /* it is saved at the end without a question */
    const char *work;                    /* "3 versions" */
} Unsaved;

struct Guide {
    const char *later;                   /* of what is not there: "in this lesson yet" */
    /* A session file that was read holds the progress of a lesson: the user's session is put aside for it. *what: which; NULL:
     * none. False: there is none, or the lesson is not found. */
    bool (*adopt)(Shell *sh, Session *read, const ReadReport *report, const char **what);
    /* What can be begun: how many; names, and what is said of each, in scratch. */
    int (*list)(Shell *sh, const char ***names, const char ***texts);
    /* Arguments of its command behind the word `previous`; `one` returns false when there is no time for more. */
    void (*offer)(Shell *sh, Arena *arena, const char *previous, bool (*one)(void *to, const char *text, const char *gloss),
                  void *to);
    bool (*allows)(const Shell *sh, NamedKind kind, const char *name);   /* is it there for who gives commands now? */
    bool (*refuse)(Shell *sh, const char *name);                         /* E83: it is not there yet; false */
    bool (*own)(const Shell *sh);        /* is it the guide itself that gives the command? */
    bool (*may)(Shell *sh, const Piece *p);                              /* E83: the command is not there yet */
    bool (*may_repeat)(Shell *sh, const PastStep *step);                 /* E83 */
    void (*after)(Shell *sh, const Piece *p, ErrorId id, int code);      /* a command has been shown */
    void (*prompt)(const Shell *sh, Buf *out);                           /* "lesson 3/7  " */
    int (*items)(const Shell *sh, Arena *arena, StoreItem **out);        /* progress, for a session file */
    const char *(*folder)(const Shell *sh);                              /* whose files are found first */
    Unsaved (*waiting)(const Shell *sh);                                 /* of the user's own session */
    void (*end)(Shell *sh);                                              /* the shell ends: the user's session is back */
};

/* Is that rule, macro or command there for the user now? Without a guide everything is. */
bool guide_allows(const Shell *sh, NamedKind kind, const char *name);
bool guide_allows_name(const Shell *sh, const StrategyName *n);          /* the same; what is no macro is always there */
bool guide_may_name(Shell *sh, NamedKind kind, const char *name);        /* E83 */
bool guide_may_advise(void *sh, const char *rule);                       /* a RuleFilter */
void guide_say_later(Shell *sh, int n);                                  /* of a list: so many are left out; 0: nothing */
/* A file as a user names it: with a guide one of its own files, unless the name begins with / or a dot; else one of the current
 * directory; else, within a script, one of the script's folder or of the nearest above it (those not for names with a dot). In scratch. */
const char *shell_path(Shell *sh, const char *file);

/* ---- aliases (alias.c) ---- */

const Alias *alias_find(const Shell *sh, const char *name);              /* NULL: none */
void alias_set(Shell *sh, const char *name, const char *line);           /* texts are copied */
bool alias_take(Shell *sh, const char *name, const char *line);          /* from a file; E05: it is a command, or no name */
/* Its line with $1 ... replaced by words of the tail; words that no $ takes follow. NULL + E05: words are missing. */
char *alias_expand(Shell *sh, Arena *arena, const Alias *a, const char *tail);

/* ---- what is kept of a session (keep.c) ---- */

typedef VEC(StoreItem) StoreItems;
/* Lua chunks, macros and aliases for a session file. */
int keep_items(Shell *sh, Arena *arena, StoreItem **out);
void put_lua(Shell *sh, const Rule *only, Buf *out);  /* the Lua chunks, or those that a rule needs, as commands */
/* Is there work that is not in the session's file? What was merely loaded is none as long as there is no such file. */
bool keep_unsaved(Shell *sh);
Unsaved keep_users_unsaved(Shell *sh);                                /* of the user's own session, which may wait behind a guide */
const char *keep_work_text(Shell *sh);                                   /* "3 versions" */
void keep_start(Shell *sh);                                              /* what is there now is no unsaved work */
void keep_settled(Shell *sh);                                            /* the same, unless all of it is unsaved */
/* The session is as in that file (fresh: which does not exist yet). */
void keep_file(Shell *sh, const char *file, bool fresh);
const char *keep_name(Shell *sh);                                        /* of the file there is, short where possible */
bool keep_may_write(Shell *sh, const char *file);                        /* without --force; E17 */
bool keep_save(Shell *sh, const char *file, bool terms);                 /* terms: as text, too. E06 */
bool shell_may_ask(const Shell *sh);                                     /* a user is there to answer */
bool shell_ask(const char *question, bool at_end);                       /* yes? at_end: the answer when input has ended */
bool keep_autosaves(const Shell *sh);
void keep_autosave(Shell *sh);                                           /* before each prompt */
void keep_leave_journal(Shell *sh);
void keep_offer(Shell *sh);                                              /* print what sessions that are gone left behind */
bool keep_is_autosave(const char *file);
void keep_adopt(Shell *sh, const char *file);                            /* the session was read from an autosave */
int keep_end(Shell *sh);        /* save, or keep the autosave, as it was asked for. An exit code */

/* Read a session file with its Lua and macros, over which *strategies is then (NULL: it has none); what its Lua was kept for
 * is appended to lua. NULL + E06 E41. */
Session *shell_read_session(Shell *sh, const char *file, ReadReport *report, Strategies **strategies, Buf *lua);
void shell_take_aliases(Shell *sh, const ReadReport *report);
/* The Lua and the macros of a file that was read, over the present session, in a state of their own without commands; what fails is
 * one more loss. The caller's. NULL: the file has none. */
Strategies *shell_define_items(Shell *sh, ReadReport *report);

/* ---- places (commands/place.c) ---- */

typedef VEC(Path) Paths;
/* Every place at or below top that matches a pattern in quotes, top-down; never none. NULL + E02 E11: it is none, or there is no
 * match. */
SearchPattern *places_matching(Shell *sh, const Version *v, const char *quoted, const Path *top, Paths *out);
bool place_is_below(const Path *p, const Path *top);         /* or the same */

/* The place that an argument names (NULL: the focus), in the current term: a path, :LABEL, $MARK or
 * 'PATTERN'[K], each but the first with a path behind it (:3/in). E02 E03 E11 E12 E14 E19. */
bool shell_place(Shell *sh, const char *text, Path *out);
/* The same in another version of the current program; paths without a leading / start at `from`. */
bool shell_place_in(Shell *sh, const Version *v, const Path *from, const char *text, Path *out);
/* Labels :1 :2 ... of the last display of the current program; a new display forgets the old ones. */
void labels_begin(Shell *sh, const Version *v);
int labels_add(Shell *sh, const Path *p);                    /* its number */
int labels_count(const Shell *sh);                           /* 0 when the display was of another version */
void label_path(const Shell *sh, int n, Path *out);          /* 1 <= n <= labels_count */
/* ":3  /f/body    map ..": the next label, and its place; appended to items unless they are NULL. */
void label_row(Shell *sh, const Version *v, const Path *p, json_t *items);
void show_tree(Shell *sh, const Version *v, const Path *p, PrintOptions *o, bool types);     /* with labels */
void show_labels(Shell *sh, const Version *v, const Path *top);      /* labels of what works on arrays there, a line each */
/* Where the mark is in v: "/in  map f x", or what became of it. In scratch. */
const char *mark_text(Shell *sh, const Mark *m, const Version *v);

/* A warning of the running command, unless it is silenced. hint: what to type about it, or NULL. */
void shell_warn(Shell *sh, WarningId id, const char *hint, const char *fmt, ...) PRINTF_LIKE(4, 5);

/* ---- rewriting (commands/request.c) ---- */

/* "STRATEGY at PLACE as TAG" */
typedef struct Request {
    const char *strategy;
    Path at;
    const char *tag;                     /* NULL: none */
} Request;
bool parse_request(Shell *sh, const Args *a, bool tags, Request *r);         /* E05 and those of shell_place */
bool parse_move(Shell *sh, const Version *v, Request *q);    /* a bare number is the move of that number; E14 */
void trace_start(Shell *sh);             /* before a run of strategies: `set trace RULE`; they exist */
/* As shell_env, with the present sizes for explanations. Lives as long as the command and scope. */
void present_env(Shell *sh, const Version *v, const Scope *scope, RewriteEnv *env);

/* ---- rules (commands/rules.c, commands/trust.c, commands/request.c) ---- */

enum { TRUST_TRIALS = 500 };             /* of a rule, unless `check` says otherwise */
/* Why a rule that has passed is not checked for all that: its conditions may answer otherwise tomorrow. NULL: it is. */
const char *trust_only_now(Shell *sh, Strategies *s, Rule *r);

void show_rule(Shell *sh, const Rule *r);                    /* as `help RULE` */
const char *rule_param_word(const RuleParam *p);              /* "a size" */
void show_example(Shell *sh, const Rule *r);                 /* "  for example ..." where there is one */
void show_macro(Shell *sh, const StrategyName *n);           /* as `help MACRO` */
bool rule_unknown(Shell *sh, const char *name);              /* E02 with a suggestion, false */
Rule *rule_named(Shell *sh, const char *name);   /* NULL + E02 with a suggestion, or E83: it is not in this lesson yet */
void trust_text(const Rule *r, Buf *out);                    /* "checked by 250 instances, seed 1" */
/* After a step: E26 when `set strict on` refuses one of its rules; else W08 for each that is assumed, once a rule. */
bool trust_allows(Shell *sh, const StrategyResult *r);
bool trust_allows_code(Shell *sh);                           /* the same for kernels edited by hand */
void trust_warn(Shell *sh, const StrategyResult *r);
/* Rules that a session file calls checked are checked, for seconds at most: a file may say anything. Says which are not. */
void trust_again(Shell *sh, const ReadReport *report);
/* After a command: checked rules whose Lua conditions are not what they were then are assumed again, W12. */
void trust_review(Shell *sh);

/* ---- Lua (commands/lua.c) ---- */

bool script_expression(Shell *sh, const char *text);         /* `=TEXT` */
bool script_lua(Shell *sh, const char *file, const char *const *args);   /* a .lua file; args end with NULL */

/* ---- kernels (code_map.c, code_host.c) ---- */

/* Print the source of a plan (made with origins) behind labels of the places that its lines were made for,
 * and what these are. They are the labels of the last display. With --json {"KERNEL": [{line, label, place},
 * ...]}, a new reference, else NULL. */
json_t *code_map(Shell *sh, const Version *v, const Plan *plan);
/* A C program that fills the inputs as the session does, runs the kernels of v's plan, and prints the result.
 * In scratch. NULL + E37 or those of session_values, session_input_data. */
const char *code_host(Shell *sh, const Version *v, const Plan *plan);
/* The source that is generated for v as `code` says (commands/plan.c), and the sizes for which. NULL: it is
 * not, and why is in the diag. */
const char *code_replaced(Shell *sh, const Version *v, const EditedCode *code, const char **sizes);

/* ---- searches (commands/search.c): StrategyHost ---- */

void search_progress(void *sh, const char *text);
void search_event(void *sh, json_t *event);
void search_begun(void *sh, const Version *v, const json_t *spec);

/* ---- printing (show.c) ---- */

bool shell_unicode(const Shell *sh);
PrintOptions show_options(const Shell *sh);
/* Text in an ANSI colour when it is on. Red and green (31, 32: what is gone, what is new) are others in lectures. */
void show_color(Shell *sh, const char *code, const char *text);
/* What `set view lecture` changes; each does nothing otherwise. */
bool shell_lecture(const Shell *sh);
void show_gap(Shell *sh);                /* an empty line, but none behind another or at the beginning */
/* The equations of the rules that a step names, or what its macro does, on lines of their own. */
void show_equations(Shell *sh, const char *indent, const char *call);
/* The next name in the text of a step, places and patterns in quotes apart; *n: its length. NULL: there is none. */
const char *call_name(const char *p, size_t *n);
bool call_is_single(const char *call);   /* one name with its arguments, nothing beside it */
/* The hash behind a label, and a text to end it; nothing in lectures. */
void show_hash(const Shell *sh, Buf *out, const char *before, uint64_t hash, const char *after);
const char *hash_text(Shell *sh, uint64_t hash);                         /* 16 hex digits */
const char *version_name(Shell *sh, const Version *v);                   /* "@7", "@7.3"; in scratch */
const char *version_marked(Shell *sh, const Version *v);  /* the same, with ? when it rests on an assumed rule */
/* "assumed rules half, double" "hand-edited kernel"; NULL: none */
const char *version_assumed(Shell *sh, const Version *v);
void show_trust(Shell *sh, const Version *v);                            /* a line that says so, if it does */
const char *show_short(Shell *sh, const Term *root, const Path *p, int max);     /* one line, in scratch */
const char *show_cut(Shell *sh, const char *text, int max);              /* a text cut to that many characters, in scratch */
/* A text in lines of at most the width, cut at blanks; indent stands before the first, further before the others. */
void show_wrapped(Shell *sh, const char *indent, const char *further, const char *text);
/* Pad with blanks up to a column of the line being printed, at least two. */
void show_column(Shell *sh, size_t line_start, int column);
/* What a step did. head: "@4" or "try". */
typedef struct StepReport {
    const char *head, *call;
    const Path *at;                      /* NULL: none */
    Trust trust;
    int from;                            /* parent */
    const Term *before, *after;          /* roots */
    const Version *made;                 /* NULL: not kept */
    int old_params;                      /* parameters there before */
    const char *const *new_params;       /* for a step that is not kept */
    int new_param_count, sub_count;
    Path focus_before;
} StepReport;
void show_step(Shell *sh, const StepReport *r);
void param_values(Shell *sh, const Version *v, Values *out);             /* with which legal values are listed */
void show_param(Shell *sh, const Values *values, const TuneParam *p, const char *indent);        /* of param_values */
int count_moves(Shell *sh, const Version *v, const Path *at);

/* Two forms of a subterm as text (change.c). Where a line would be too long, what both share has a name. In scratch. */
typedef struct ChangeText {
    const char *before, *after;          /* with lines of at most the width, as far as possible */
    int count;
    const char **names, **texts;         /* what the names stand for */
} ChangeText;
void change_make(Shell *sh, const Term *before, const Term *after, const Path *at, int width, ChangeText *out);
/* A text of one or several lines behind a sign; in a colour unless it is NULL. */
void change_put(Shell *sh, const char *indent, const char *sign, const char *color, const char *text);
void change_put_names(Shell *sh, const char *indent, const ChangeText *t);

/* A step of a chain (change.c): its ends as they are named; where it changed the term, which is the redex of an elementary
 * step; and which way the rule rewrote: => <= =. */
void chain_ends(Shell *sh, const ChainStep *k, const char **from, const char **to);
void chain_place(const ChainStep *k, Path *out);
const char *chain_arrow(const ChainStep *k);
const Rule *chain_rule(Shell *sh, const ChainStep *k);       /* of an elementary step; NULL: it is none, or the rule is gone */

/* The derivation tree (log.c). */
typedef struct LogOptions {
    const Version *only;  /* its subtree, with path the way to it; NULL: everything, the way to the current version */
    int depth;                           /* levels of macros that are opened with expand */
    /* expand: inner steps too; full: without gaps; results: how runs ended, the best time */
    bool path, expand, full, results;
} LogOptions;
void show_log(Shell *sh, const LogOptions *o);
/* The macro at that level among those round a rewrite, NULL: none; how many levels a rewrite shares with the one before it. */
const MacroUse *use_at(const MacroUse *use, int depth);
int use_shared(const MacroUse *before, const MacroUse *now);
json_t *version_json(Shell *sh, const Version *v);

/* ---- completion (complete.c) ----
 *
 * By the kinds of arguments in commands.def, one for each word, the last for all further ones; "a|b" is one of two kinds:
 *   command topic kind setting value program data param device strategy searcher rule macro place pattern mark
 *   version tag lua lesson
 *   file:.fun,.lathe (no suffix: every file)      words:a|b|c (last, when there are several)
 * Words that begin with @ $ ' are versions, marks and patterns wherever they stand, and what follows `at` or `in` is
 * a place. */

typedef struct Candidate {
    const char *text, *shown, *gloss;    /* what replaces the word; as listed; what it is, or "" */
    bool fits;                           /* false: does not apply here */
    bool more;                           /* no space follows */
} Candidate;
typedef struct Completion {
    Arena *arena;
    int from;                            /* where the word under construction starts */
    VEC(Candidate) items;                /* as they are to be listed */
} Completion;
enum { COMPLETION_MS = 50 };
/* What may stand at line[from..point). rest: also what does not apply here (a second Tab). Nothing after budget_ms; never
 * prints, runs anything on a device or leaves an error. Release with completion_free. */
void complete(Shell *sh, const char *line, int point, bool rest, double budget_ms, Completion *out);
void completion_free(Completion *c);
bool completion_knows(const char *kind);                                 /* is it a kind (with its detail)? */

/* JSON (json.c) */
json_t *json_tree(Shell *sh, const Term *t);
void json_term(Shell *sh, const Version *v, const Term *root, const Path *p);    /* sets sh->data */
/* Of the facts of a version (whole), or of those of t alone; a tuning parameter with its legal values. */
json_t *json_facts(Shell *sh, const Version *v, const Term *t, bool whole);
json_t *json_param(Shell *sh, const Values *values, const TuneParam *p);
/* verb: the command's name in full, = or !; NULL when there is none. */
json_t *json_line(Shell *sh, const char *text, const char *verb, bool ok, int code, double ms);

/* ---- what commands report: shapes of their JSON, and examples (reports.def, schema.c) ---- */

typedef struct Report {
    const char *command, *type;          /* type: see reports.def */
    const char *examples;                /* one a line */
} Report;
const Report *report_get(int i);                             /* NULL behind the last */
const Report *report_find(const char *command);              /* NULL: none */
json_t *schema_of(const char *type);                         /* a type text as JSON Schema; NULL: it does not parse */
json_t *schema_all(void);                                    /* of a line of --json */

/* ---- prose: Markdown as it is printed, in pages of help and in lessons (prose.c) ---- */

typedef enum ProseKind {
    PROSE_GAP, PROSE_HEADING, PROSE_PARAGRAPH, PROSE_ITEM, PROSE_CODE,
    PROSE_LINE,                          /* one that stands as it is: indented, or behind | or > */
    PROSE_MARK,                          /* <!-- WORD -->: a table that is made when the text is shown */
} ProseKind;
typedef struct Prose { ProseKind kind; const char *text; size_t n; } Prose;      /* a piece without its marks */
/* The next piece of *text, which moves behind it; false at the end. */
bool prose_next(const char **text, Prose *out);
/* Appended to out, indented; paragraphs and items that have a line wider than the width are filled anew. Code in
 * sentences is in a colour where there are any; a mark is nothing here. */
void prose_put(Shell *sh, const Prose *piece, int indent, Buf *out);
const char *prose_shown(Shell *sh, const char *text);         /* all of it, not indented; in scratch */

/* ---- the manual (manual.c): the pages of help, options.def, and all other tables ---- */

typedef struct Topic { const char *name, *title, *text; } Topic;         /* text: behind the line of the title */
bool topic_get(Arena *arena, int i, Topic *out);             /* false behind the last */
/* Of the program, or a unique prefix of one; NULL: none. */
const char *option_find(const char *name, bool *takes_value);
void options_print(Buf *out);
void manual_print(const char *version, Buf *out);            /* roff, for man */

/* ---- line input (line.c) ---- */

Reader *reader_terminal(Shell *sh);
Reader *reader_file(FILE *f);            /* standard input; it stays open */
Reader *reader_text(const char *text, const char *name, int line);      /* line: the number of its first */
void reader_free(Reader *r);
/* Did standard output fail since this was last asked? errno says why. A reader that has gone is no failure. */
bool output_failed(void);
/* Abandoned: Ctrl-C at a prompt. Long: longer than LINE_BYTES_MAX, of which that much was read. */
typedef enum LineStatus { LINE_READ, LINE_END, LINE_ABANDONED, LINE_LONG } LineStatus;
enum { LINE_BYTES_MAX = 16 << 20 };
/* The next line without its end. prompt is for a terminal. */
LineStatus reader_next(Reader *r, const char *prompt, Buf *line);
void reader_again(Reader *r, const Buf *line);                           /* give the last line back: it is the next */
int reader_line_number(const Reader *r);
const char *reader_name(const Reader *r);
bool reader_is_terminal(const Reader *r);

/* The terminal (terminal.c, history.c): one a process. */
void terminal_open(Shell *sh);           /* before the first line: Readline, history, size */
void terminal_close(void);
LineStatus terminal_line(Shell *sh, const char *prompt, Buf *line);
bool terminal_pasted_more(void);          /* is the next line one that was pasted too, and indented? */
/* Behind empty lines, is there a line that is indented (anything: or any line)? */
bool terminal_pasted_past_gap(bool anything);
void terminal_forget(void);              /* lines that were pasted and not read yet */
int terminal_rows(void);                 /* 0: standard output is no terminal */
bool terminal_color(const Shell *sh);    /* may colours be used (setting, NO_COLOR, TERM, terminal)? */
void history_open(const Shell *sh);
/* Kept at once; not one that begins with a space, unless it continues another. */
void history_add(const char *line, bool first);
void history_close(void);

/* A fault of lathe itself from now on: E70 with the session's autosave, code 70. SIGALRM, which SIGTERM sets as a limit to
 * itself: an end at once, code 143 (fault.c). Once, for one shell. */
void fault_catch(const Shell *sh);

void show_setting(Shell *sh, SettingId id);                              /* as `set NAME` */
json_t *setting_json(Shell *sh, SettingId id);
/* Print the lines of all lists that hold the word, or that none does; as [{kind, name, text}] too, a new reference. */
json_t *list_mentions(Shell *sh, const char *word);
const char *list_kind(int i);                                            /* what `list` lists; NULL behind the last */
const char *prim_family_title(PrimFamily family);           /* "maps"; NULL behind the last */

/* Every command is a function cmd_NAME. False: the error is in the Ctx's diag, or sh->status is its code. */
typedef bool CommandFn(Shell *sh, Args *a);
#define COMMAND(name, letter, group, form, args, flags, tail, help, more) CommandFn cmd_##name;
#include "commands.def"
#undef COMMAND

/* The kernels of a version for the sizes that are set; in scratch. NULL + E34 to E54. */
Plan *shell_plan(Shell *sh, const Version *v);
Plan *shell_plan_mapped(Shell *sh, const Version *v);        /* the same, with origins where they are known */
/* Of what is edited next: the kernels that v has, and how they were made. NULL + as shell_plan, or E55: sizes are half set, and
 * run would have the others as numbers too. */
Plan *shell_plan_edit(Shell *sh, const Version *v, EditedCode *code);
const char *kernel_header(Shell *sh, const Version *v, const Values *values);     /* where a kernel comes from; in scratch */

/* ---- results (record.c, results/command.c) ---- */

Results *shell_results(Shell *sh);  /* the store; W10 when it is in memory, W11 when a crash left something behind */
void shell_clear_results(Shell *sh);                         /* the store goes, with its file; the next use makes a new one */
void shell_results_check(Shell *sh);                         /* W10 when writing failed since it was last asked */
/* What is known of a run of v before it: for result_watch and result_record. Lives as long as the command. */
void record_plan(Shell *sh, const Version *v, const RunSpec *spec, const DeviceInfo *device, ResultRecord *out);

const char *show_figure(Shell *sh, double v);  /* four digits, without an exponent where that can be; in scratch */
const char *record_sizes(Shell *sh, const Values *values);     /* as the store has them: "N=256 K=64"; in scratch */
/* The best that the store knows of v at the present sizes. Leaves no error behind. */
bool record_best(Shell *sh, const Version *v, Result *out);
/* To the file, or to what the command prints (NULL). E05 E06 */
bool results_output(Shell *sh, const char *file, const char *text, size_t size);
/* Ways to show results: each prints, or writes a file, and reports. E05 E06 */
bool results_pivot(Shell *sh, const char *columns, const char *value, ResultFormat format, const char *file,
                   const Result *list, int n);
bool results_matrix(Shell *sh, ResultFormat format, const char *file, const Result *list, int n);
bool results_histogram(Shell *sh, const Result *list, int n);
bool results_plot(Shell *sh, const char *kind, const char *file, const Result *list, int n);
/* For a matrix: the groups of one program that have a best kernel; 0 + E05. How each is called beside the others.
 * The share of the best that a kernel reaches in a group: 0 where it fails, NAN where it was not tried. */
int results_portable_groups(Shell *sh, const Result *list, int n, ResultGroup **out);
const char *results_group_name(Shell *sh, const ResultGroup *groups, int n, int i);
double results_portability(const ResultGroup *on, const Result *kernel);

/* ---- export ---- */

typedef struct ExportRange {
    const Version *from, *to;
    bool expand, term;                   /* elementary steps; dot: the term rather than the tree */
} ExportRange;
bool export_script(Shell *sh, const ExportRange *range, Buf *out);       /* E05 E40 */
/* The parameter space of range->to within the selected device's limits as a tuning problem; results
 * of its program. E36, E08 */
bool export_t1(Shell *sh, const ExportRange *range, Buf *out);
bool export_t4(Shell *sh, const ExportRange *range, Buf *out);
bool export_html(Shell *sh, const ExportRange *range, Buf *out);         /* E24 */
bool export_md(Shell *sh, const ExportRange *range, Buf *out);
bool export_tex(Shell *sh, const ExportRange *range, Buf *out);
bool export_dot(Shell *sh, const ExportRange *range, Buf *out);          /* E08 */
/* The subterm at a place; E08. */
bool dot_term(Shell *sh, const char *name, const Term *root, const Path *at, Buf *out);

/* Can kernels be made of root, a successor of v, at the smallest sizes that its facts allow? True also where
 * that cannot be tried yet (an unbound parameter). False: E51 to E54 say why. */
bool shell_plannable(Shell *sh, const Version *v, const Term *root);

#endif
