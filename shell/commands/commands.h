/* commands: what commands share, and the functions of all of them. */
#ifndef COMMANDS_H
#define COMMANDS_H

#include "check.h"
#include "names.h"
#include "pattern.h"
#include "shell.h"

/* ---- devices (devices.c) ---- */

/* The one that kernels are chosen and made for: what `set target` says, else the one that `run` would take; it is not opened for this. NULL,
 * and no error: there is none. */
const DeviceInfo *shell_run_device(Shell *sh);
const DeviceInfo *shell_chosen_device(Shell *sh);            /* the same where it was chosen, set, or ran; else NULL */
Device *shell_device(Shell *sh);                             /* NULL + E60 */
Devices *shell_devices(Shell *sh);
void shell_watch(Shell *sh, Device *d);                      /* Ctrl-C ends what runs on it */
const DeviceInfo *shell_find_device(Shell *sh, const char *text);        /* as devices_find */
void shell_limit_to(Shell *sh, const DeviceInfo *info);      /* legal values keep those of that device */
void shell_note_limits(Shell *sh);                           /* legal values keep those of a device chosen by --device */
bool shell_on_gpu(Shell *sh);                                /* is the device that kernels are made for a GPU? */
bool shell_take_target(Shell *sh);                           /* what `set target` says; false + error, and it is auto again */

/* ---- session files (store.c) ---- */

/* Read a session file with its Lua and macros, over which *strategies is then (NULL: it has none); what its Lua was kept for
 * is appended to lua (NULL: nowhere). NULL + E06 E41. */
Session *shell_read_session(Shell *sh, const char *file, ReadReport *report, Strategies **strategies, Buf *lua);
void shell_take_aliases(Shell *sh, const ReadReport *report);
/* Print what a session that takes the present one's place brings along: settings that weaken verdicts or limits, declarations. */
void shell_announce(Shell *sh, const Session *read);
/* The Lua and the macros of a file that was read, over s, in a state of their own without commands; what fails is one more
 * loss. What the Lua was kept for, "small, tiled", is appended to lua (NULL: nowhere). The caller's. NULL: the file has none. */
Strategies *shell_define_items(Shell *sh, Session *s, ReadReport *report, Buf *lua);

const char *program_type(Shell *sh, const Program *p);         /* "[N]f32 -> f32"; in scratch (program.c) */
const char *input_spec_text(Shell *sh, const RunInput *in);  /* "random(7,-2,2)", NULL: the default; in scratch (program.c) */
bool shell_use(Shell *sh, const char *text);      /* PROG, PROG@V or @V is current then (program.c); E02 E13 */

/* ---- places (place.c) ---- */

typedef VEC(Path) Paths;
/* Every place at or below top that matches a pattern in quotes, top-down; never none. NULL + E02 E11: it is no pattern, or
 * there is no match. */
SearchPattern *places_matching(Shell *sh, const Version *v, const char *quoted, const Path *top, Paths *out);
bool place_is_below(const Path *p, const Path *top);         /* or the same */
/* To an error: the first n of the places with their terms, behind "[1]" "[2]" or ":1" ":2", the labels of labels_begin. */
void note_places(Shell *sh, const Version *v, const Path *places, int n, bool labels);
/* The place that an argument names (NULL: the focus), in the current term: a path, :LABEL, $MARK or
 * 'PATTERN'[K], each but the first with a path behind it (:3/in). E02 E03 E11 E12 E14 E19. */
bool shell_place(Shell *sh, const char *text, Path *out);
/* The same in another version of the current program; paths without a leading / start at `from`. */
bool shell_place_in(Shell *sh, const Version *v, const Path *from, const char *text, Path *out);
/* Labels :1 :2 ... of the last display of the current program; a new display forgets the old ones. */
void labels_begin(Shell *sh, const Version *v);
int labels_add(Shell *sh, const Path *p);                    /* its number */
int labels_count(const Shell *sh);                           /* 0 when the display was of another version */
/* ":3  /f/body    map ..": the next label, and its place; appended to items unless they are NULL. */
void label_row(Shell *sh, const Version *v, const Path *p, json_t *items);
void show_tree(Shell *sh, const Version *v, const Path *p, PrintOptions *o, bool types);     /* with labels */
void show_labels(Shell *sh, const Version *v, const Path *top);      /* labels of what works on arrays there, a line each */
/* Where the mark is in v: "/in  map f x", or what became of it. In scratch. */
const char *mark_text(Shell *sh, const Mark *m, const Version *v);

/* ---- rewriting (request.c) ---- */

/* "STRATEGY at PLACE as TAG" */
typedef struct Request {
    const char *strategy;
    Path at;
    bool placed;                         /* a place was given; else `at` is the focus */
    const char *tag;                     /* NULL: none */
} Request;
const char *take_tagged(Shell *sh, const char *text, const char **tag);          /* "STRATEGY as TAG": the strategy; no tag: NULL. In scratch */
bool parse_request(Shell *sh, const Args *a, bool tags, Request *r);         /* E05 and those of shell_place */
bool parse_move(Shell *sh, const Version *v, Request *q);    /* a bare number is the move of that number; E14 */
void trace_start(Shell *sh);             /* before a run of strategies: `set trace RULE`; they exist */
/* As shell_env, with the present sizes for explanations. Lives as long as the command and scope. */
void present_env(Shell *sh, const Version *v, Scope *scope, RewriteEnv *env);

/* False, E36: what the step from v asks of sizes is not so for those that are set, as `param` refuses a value. (rewrite.c) */
bool sizes_allow(Shell *sh, const Version *v, const StrategyResult *r);
const Fact *sizes_broken(Shell *sh, const Version *v, const StrategyResult *r, Values *values);         /* which; NULL: none */
const char *sizes_remedy(Shell *sh, const Version *v, const StrategyResult *r);          /* what is typed then */

/* ---- where a rule or macro applies (where.c) ---- */

bool is_named_alone(Shell *sh, const char *strategy);        /* is it one rule or macro, with arguments or without? */
/* q->strategy, of that kind, does not apply at q->at: the only place below where it does. It stays when there is none. E12:
 * several, with labels. */
bool place_below(Shell *sh, const Version *v, const RewriteEnv *env, Request *q);

/* ---- the numbers of a macro (fit.c) ---- */

/* After E36, or E23 of a macro whose numbers were given: the legal values of those that are to blame, and `try`, the call with the
 * nearest that fit; nothing where none are found. */
void note_fitting(Shell *sh, const Version *v, const char *call, const Path *at);

/* ---- what a call makes of a term (where.c) ---- */

/* What the strategy makes of the term there, *next_param: the next parameter's number after it. False: it does not apply, or is not there for
 * the user. result_of: the term alone; NULL. */
bool call_result(Shell *sh, const Version *v, const char *call, const Path *at, StrategyResult *r, int *next_param);
const Term *result_of(Shell *sh, const Version *v, const char *call, const Path *at);
/* The macro by which what loops read by their numbers is what they are over, and what it makes at and below a place; NULL: nothing, or
 * something longer. *shorter: it has fewer nodes, or what is printed of it is shorter. */
extern const char by_elements[];
const Term *shorter_form(Shell *sh, const Version *v, const Path *at, bool *shorter);

/* ---- whole commands for errors (suggest.c) ---- */

/* For the sizes that are set, kernels of v cannot be made: the way to such that can, "goto @0 ; lower"; in scratch. NULL: it is not
 * lowered, or there is none. */
const char *lower_again(Shell *sh, const Version *v);
bool lower_works(Shell *sh, const Version *v);       /* would `lower` make a version of it? (rewrite.c) */
/* After a command that failed with E12, E21, E23, E36, E51, E52 or E53: `try` with a rule and a place that were tried, where there is one. */
void suggest_whole(Shell *sh, const Piece *p);

/* ---- rules (rules.c, trust.c, request.c) ---- */

enum { TRUST_TRIALS = 500 };             /* of a rule, unless `check` says otherwise */
/* Why a rule that has passed is not checked for all that: its conditions may answer otherwise tomorrow. NULL: it is. */
const char *trust_only_now(Shell *sh, Strategies *s, Rule *r);
void show_rule(Shell *sh, const Rule *r);                    /* as `help RULE` */
const char *rule_param_word(const RuleParam *p);              /* "a size" */
const char *rule_param_more(const RuleParam *p);              /* "; left out: a fresh parameter" */
void show_example(Shell *sh, const Rule *r);                 /* "  for example ..." where there is one */
void show_macro(Shell *sh, const StrategyName *n);           /* as `help MACRO` */
bool rule_unknown(Shell *sh, const char *name);              /* E02 with a suggestion, false */
Rule *rule_named(Shell *sh, const char *name);   /* NULL + E02 with a suggestion, or E83: it is not in this lesson yet */
CheckResult source_check(Shell *sh, const Version *v, int trials, uint64_t seed);          /* v against the @0 of the current program */
void trust_text(const Rule *r, Buf *out);                    /* "checked by 250 instances, seed 1" */
/* After a step: E26 when `set strict on` refuses one of its rules; else W08 for each that is assumed, once a rule. */
bool trust_allows(Shell *sh, const StrategyResult *r);
bool trust_allows_code(Shell *sh);                           /* the same for kernels edited by hand */
void trust_warn(Shell *sh, const StrategyResult *r);
/* Rules that a session file calls checked are checked, for seconds at most: a file may say anything. Says which are not. */
void trust_again(Shell *sh, const ReadReport *report);
/* After a command: checked rules whose Lua conditions are not what they were then are assumed again, W12. */
void trust_review(Shell *sh);

/* ---- Lua (lua.c) ---- */

bool script_expression(Shell *sh, const char *text);         /* `=TEXT` */
bool script_lua(Shell *sh, const char *file, const char *const *args);   /* a .lua file; args end with NULL */

/* ---- kernels (plan.c, code_host.c) ---- */

/* The kernels of a version for the sizes that are set; in scratch. NULL + E34 to E54. */
Plan *shell_plan(Shell *sh, const Version *v);
Plan *shell_plan_in(Shell *sh, const Version *v, const Dialect *dialect);         /* in that dialect, NULL: as above; E18 */
Plan *shell_plan_mapped(Shell *sh, const Version *v);        /* the same, with origins where they are known */
/* Of what is edited next: the kernels that v has, and how they were made. NULL + as shell_plan, or E55: sizes are half set, and
 * run would have the others as numbers too. */
Plan *shell_plan_edit(Shell *sh, const Version *v, EditedCode *code);
const char *kernel_header(Shell *sh, const Version *v, const Values *values);     /* where a kernel comes from; in scratch */

/* Can kernels be made of root, a successor of v, at the smallest sizes that its facts allow? True also where
 * that cannot be tried yet (an unbound parameter). False: E51 to E54 say why. */
bool shell_plannable(Shell *sh, const Version *v, const Term *root);
/* StrategyHost.hints of a shell: the device chosen, and the sizes that are set. */
void lower_hints(void *shell, const Version *v, Arena *arena, LowerHints *out);
/* The lines of a plan's source, one after the other, with the kernel whose body they are in and the place that they were made for.
 * Start from {.at = the source}. False at the end. */
typedef struct CodeLine {
    const char *at, *text;               /* where the next begins; this one */
    int n, number;                       /* its length; in the kernel, from 1 */
    const PlanKernel *kernel;            /* NULL: none ... */
    const char *end;                     /* ... of its body */
    const char *place;                   /* NULL: it is for none */
    int kernels, origins;                /* that have begun */
} CodeLine;
bool code_line(const Plan *plan, CodeLine *l);
const char *kernel_local(Shell *sh, const PlanKernel *k);    /* "64, 1, 1"; in scratch */
const char *kernel_global(Shell *sh, const PlanKernel *k);   /* "N, 1, 1" */
const char *buffer_role(PlanBufferKind kind);                /* "input" "temporary" */
/* A C program that fills the inputs as the session does, runs the kernels of v's plan, and prints the result.
 * In scratch. NULL + E37 or those of session_values, session_input_data. */
const char *code_host(Shell *sh, const Version *v, const Plan *plan);
/* The source that is generated for v as `code` says (plan.c), and the sizes for which. NULL: it is
 * not, and why is in the diag. */
const char *code_replaced(Shell *sh, const Version *v, const EditedCode *code, const char **sizes);

/* ---- results in files and to look at (outputs.c) ---- */

typedef struct Outputs {
    bool shown, full;                    /* --show: the first elements; --full: all */
    int count;
    struct { int part; const char *file; } v[64];            /* part: a component of the result, -1 all of it */
} Outputs;
/* Of --save, which may be given several times, --show and --full. E05 */
bool outputs_read(Shell *sh, const Args *a, Outputs *out);
/* The value on a line, "[1, 2, ...]", its first elements; where all are asked for every one, a row of a matrix a line.
 * In scratch. */
const char *outputs_text(Shell *sh, const Outputs *o, const Data *d);
bool outputs_fit(Shell *sh, const Outputs *o, const Type *t);        /* a result of that type, sizes bound. E05 */
/* Write them and say so, in a report as "saved" (NULL: none). E05 E06. */
bool outputs_write(Shell *sh, const Outputs *o, const Data *d, json_t *report);

/* ---- searches (search.c): StrategyHost ---- */

void search_progress(void *sh, const char *text);
void search_event(void *sh, json_t *event);
void search_begun(void *sh, const Version *v, const json_t *spec);

/* ---- settings and lists (session.c) ---- */

void show_setting(Shell *sh, SettingId id);                              /* as `set NAME` */
json_t *setting_json(Shell *sh, SettingId id);
/* Print the lines of all lists that hold the word, or that none does; as [{kind, name, text}] too, a new reference. */
json_t *list_mentions(Shell *sh, const char *word);
const char *list_kind(int i);                                            /* what `list` lists; NULL behind the last */

/* ---- all of them ---- */

/* Every command is a function cmd_NAME. False: the error is in the Ctx's diag, or sh->status is its code. */
typedef bool CommandFn(Shell *sh, Args *a);
#define COMMAND(name, letter, group, form, args, flags, tail, help, more, report, examples) CommandFn cmd_##name;
#include "commands.def"
#undef COMMAND

#endif
