/* session: programs, their versions and histories, tuning parameters, sizes, inputs and settings (versions.md).
 *
 * A session has no terminal, no Lua and no OpenCL. A version is immutable but for where the user last was in it, its tag
 * and its links to children. Pointers to derivations and versions live as long as the session: a version that was dropped is
 * no longer in the tree and keeps its number, which no other version gets. Failing calls leave their
 * error in the Ctx's diag and change nothing. */
#ifndef SESSION_H
#define SESSION_H

#include "rule.h"
#include "run.h"
#include "tune.h"

/* E10 with what to type. */
#define NO_PROGRAM "no program is loaded\ntry load tests/programs/dot.fun        or a file .fun of your own"

typedef struct Session Session;
typedef struct StoreItem StoreItem;      /* store.h */
typedef struct Journal Journal;
typedef struct ReadReport ReadReport;
typedef struct ChainStep ChainStep;      /* compare.h */

/* ---- versions ---- */

typedef struct PlaceRef {                /* a Path kept as long as the session */
    uint8_t length;
    uint8_t slots[];
} PlaceRef;

typedef struct TuneParam {
    const char *name;
    int64_t value;                       /* 0: unbound */
} TuneParam;

/* As a value to bind: a 0 that was asked for, which is not legal; 0 itself unbinds. */
#define PARAM_ZERO INT64_MIN

typedef enum StepKind { STEP_SOURCE, STEP_RULE, STEP_MACRO, STEP_PARAM, STEP_LOWER, STEP_CODE, STEP_KINDS } StepKind;

const char *step_kind_name(StepKind k);                                     /* "source", "rule", .. */

typedef struct MacroUse {                /* a macro that was being applied when a rewrite was made */
    const char *call, *place;            /* tile(4), /in */
    const struct MacroUse *outer;        /* NULL: none */
    int depth;                           /* 0 for the outermost */
} MacroUse;
/* The same in an arena. last, made: what was copied before, and as what (or NULL): of one use there is one copy. */
const MacroUse *macro_use_copy(Arena *arena, const MacroUse *use, const MacroUse *last, const MacroUse *made);
/* The macro at that level among those round a rewrite, NULL: none; how many levels a rewrite shares with the one before it. */
const MacroUse *use_at(const MacroUse *use, int depth);
int use_shared(const MacroUse *before, const MacroUse *now);

typedef struct SubStep {                 /* one elementary rewrite inside a step */
    const char *call;                    /* splitJoin{n=s0} */
    const PlaceRef *at;
    const Term *root;                    /* the whole term after it */
    const MacroUse *within;              /* the innermost; NULL: none. Rewrites of one use have the same pointer */
    const Rule *rule;                    /* NULL: found by its name in call when places are forwarded */
    const RuleArg *args;                 /* actual arguments, one a parameter of rule; NULL: places inside what they changed may be lost */
    Trust trust;
    const char *assumes;                 /* as RuleResult's */
    int fact_count;                      /* of the step's facts (in a Version: of all its facts), those known after it */
    int next_param;                      /* number of the next fresh parameter after it */
} SubStep;

typedef struct RunNote {                 /* what is known of the runs of a version, in this session */
    const char *device;
    RunState state;                      /* of the last run */
    bool verified;                       /* its result was, and is right */
    uint64_t sizes;                      /* of those that were set, as a hash; what follows is of runs with these */
    double best_ns;                      /* the smallest median of those on this device; 0: none was timed */
    int turns;                           /* number of the last `run` that timed it in turns with others; 0: none did */
    double turns_ns;                     /* its median there */
} RunNote;

enum { AS_WRITTEN = -1 };

typedef struct Version {
    int number, parent;                  /* parent: -1 for @0; number: -1 for one that is not kept */
    const struct Version *from;          /* the parent, kept or not; NULL for @0 */
    int inner;                           /* k: not in the tree, but what the first k inner steps of `number` made; AS_WRITTEN: @0.0; else 0 */
    bool dropped;
    const Term *root;                    /* parameters stay symbolic; their values are in params */
    uint64_t hash;                       /* content: term, bindings, facts */
    StepKind kind;
    Trust trust;                         /* the weakest on the path from @0 */
    Trust own;                           /* of the step itself */
    int next_param;                      /* number of the next fresh parameter s0 s1 ... on this path */
    const char *call;                    /* the step as it would be typed; "source" for @0 */
    const PlaceRef *at;                  /* where; NULL for source and param */
    int param_count, fact_count, sub_count;
    const TuneParam *params;             /* in order of creation along the path */
    const Fact *facts;                   /* size facts that `when` named */
    const SubStep *subs;
    const char *tag, *note;              /* NULL: none; note: what the user says of it, a line */
    const PlaceRef *focus, *focus_before;      /* where the user last was in it, and before that (NULL: nowhere else) */
    int first_child, last_child, next_sibling, visited_child;      /* -1: none; never dropped ones */
    const RunNote *run;                  /* NULL: it was not run */
    const EditedCode *code;              /* STEP_CODE: its kernels, edited by hand; the term is the parent's. Else NULL */
} Version;

/* ---- derivations: a program with its tree of versions ---- */

typedef struct Mark {                    /* a named place; see session_forward for where it is in another version */
    const char *name;
    int version;                         /* where it was set */
    const PlaceRef *at;
} Mark;

typedef struct Derivation {
    const char *name;                    /* unique among derivations */
    const Program *program;
    uint64_t properties;                 /* private: what was known of the program's functions when it was loaded */
    VEC(Version *) versions;             /* by number, dropped ones too */
    /* How names that are used once were inlined, as a version by itself: from `from`, the program as it is written, to @0; NULL: none were. */
    const Version *names;
    int live;                            /* of them, those that were not dropped */
    PtrTable by_hash;                    /* private: session_same */
    int current, previous;               /* version numbers; previous: the last visited before, -1 none */
    int searched;                        /* what a search last called best, with its time and its sizes as in RunNote; 0: none did */
    double searched_ns;
    uint64_t searched_sizes;
    int64_t *sizes;                      /* by Program.sizes; 0: unset */
    RunInput *inputs;                    /* by Program.inputs */
    VEC(Mark) marks;                     /* in order of definition */
} Derivation;

Session *session_new(void);
void session_free(Session *s);           /* NULL is fine */
Ctx *session_ctx(const Session *s);
Defs *session_defs(const Session *s);
Rules *session_rules(const Session *s);

int session_count(const Session *s);
const Derivation *session_get(const Session *s, int i);              /* in order of loading */
const Derivation *session_current(const Session *s);                 /* NULL: no program is loaded */

/* What a load or definition did; texts live as long as the session. */
typedef struct Loaded {
    int count;                           /* programs now there */
    int defs;                            /* the first definition of them, of which those that declare properties are tested */
    const Derivation *first;             /* the one made current; NULL: only helpers were defined */
    const char *kept;                    /* a changed program of that name had versions: they are kept under this name */
} Loaded;
/* Read a program file. as: another name for the program that becomes current, or NULL. E06 E03 E04 E07. */
bool session_load(Session *s, const char *file, const char *as, Loaded *out);
bool session_define(Session *s, const Source *text, Loaded *out);
bool session_use(Session *s, const char *name);                      /* E02 with near names */

/* ---- the current derivation; E10 when there is none ---- */

const Version *session_version(const Session *s);                    /* NULL: no program */
Path session_focus(const Session *s);                                /* the root when there is no program */
bool session_set_focus(Session *s, const Path *p);                   /* p must be in the current term */
bool session_focus_back(Session *s);                                 /* to where it was before; false: nowhere */
const Version *derivation_version(const Derivation *d, int number);  /* NULL: none, or dropped */
/* The next version of the tree behind v in order of numbers, NULL at the end. v NULL: the first. */
const Version *derivation_next(const Derivation *d, const Version *v);
/* @12 @TAG @ @^ @0 @- (also without the @); @7.3 is what the first 3 inner steps of @7 made, which
 * is not in the tree; @0.0 is the source as it is written, @0.3 that with the first 3 of the names inlined that are used once. E13. */
const Version *session_ref(Session *s, const char *text);
/* The steps from the source to v, "; " between: "splitJoin{n=s0} at /in; lowerGpu". Bindings of
 * parameters are none. In the arena. */
const char *session_derivation(const Session *s, const Version *v, Arena *arena);
void version_print(const Version *v, Buf *out);                      /* "@7", "@7.3" */
bool version_has_param(const Version *v, const char *name);
bool version_is_approximate(const Version *v);                       /* did a step to it add roundings, or move them? */
int64_t version_param(const Version *v, const char *name);           /* its value; 0: it is open, or v has none of that name */
bool session_goto(Session *s, int number);
/* Go to a version of session_ref, but for those before @0 (E15, NULL). An inner step becomes a version: a child of the step's parent with the
 * first inner steps as its own, or the child that is that already. The version that is current then. */
const Version *session_open(Session *s, const Version *v);
bool session_undo(Session *s, int steps);                            /* E15 */
bool session_redo(Session *s, int steps);        /* E15; ambiguous and never visited: lists the children */
/* E05 for a bad or used name; number -1: a new version */
bool session_tag_check(Session *s, int number, const char *tag);
bool session_tag(Session *s, int number, const char *tag);           /* tag NULL: takes it away */
bool session_note(Session *s, int number, const char *text);         /* NULL takes it away. E05: it has several lines */
/* Remember how a run of a version of the tree ended; runs on another device than before start afresh. turns: RunNote.turns, 0 for
 * one that ran alone. */
void session_note_best(Session *s, const Version *v, double ns);     /* a search found v best, which took so long */
void session_note_run(Session *s, const Version *v, const RunOutcome *o, int turns);
/* Take a version and all below it out of the tree; returns how many, 0: E13, or E16 for the source and,
 * unless forced, when a tag or the current version is among them. The current version is then the parent of
 * what was dropped. Marks set in dropped versions are gone. */
int session_drop(Session *s, int number, bool force);

/* A step that succeeded, to be kept as a child of the current version. Everything is copied. */
typedef struct NewStep {
    StepKind kind;
    const Term *root;
    const char *call;
    const Path *at;                      /* NULL: none */
    Trust trust;                         /* weakest of its rules */
    int next_param;
    int fact_count;                      /* facts that `when` named, in addition to the parent's */
    const Fact *facts;
    int sub_count;
    const SubStep *subs;                 /* texts and places may lie anywhere that lives as long as the call */
} NewStep;
const Version *session_add(Session *s, const NewStep *step);
/* The same without keeping it: a version beside the tree (number -1) of the current derivation, for looking
 * ahead. parent may be such a version too. session_keep makes it the newest child of `from`, which must be
 * kept, and leaves the current version. */
Version *session_make(Session *s, const Version *parent, const NewStep *step);
Version *session_make_params(Session *s, const Version *parent, const TuneParam *b, int n);          /* checked before */
void session_keep(Session *s, Version *v);
/* The same with kernels edited by hand: assumed, and without further steps but other such ones. Everything is copied. */
Version *session_make_code(Session *s, const Version *parent, const EditedCode *code);
const Version *session_code(Session *s, const EditedCode *code);     /* a child of the current version, current then */
bool session_may_step(Session *s, const Version *v);                 /* E18: its kernels were edited by hand */
/* The first version of the tree with that content hash, number < v's; NULL if v is the first. v may be beside
 * the tree. Looked up, not searched. */
const Version *session_same(const Session *s, const Version *v);
/* The nearest version that both descend from (it may be one of them). */
const Version *session_ancestor(const Version *a, const Version *b);
bool version_is_below(const Derivation *d, const Version *v, const Version *top);        /* or top itself; both of its tree */
/* The ancestor whose step made the subterm at p in v (v itself for the newest). */
const Version *version_origin(const Version *v, const Path *p);

PlaceRef *place_ref(Arena *arena, const Path *p);
const PlaceRef *session_place(Session *s, const Path *p);               /* as long as the session; of equal places there is one */
Path place_path(const PlaceRef *ref);                                /* NULL: the root */
const char *place_text(Ctx *c, const Term *root, const PlaceRef *ref);           /* as path_text */
const char *step_place(Ctx *c, const Version *parent, const Version *v);         /* of v->at, in v where the parent has no such place */

/* ---- reading text and rewriting in a version's context ---- */

typedef struct Scope {                   /* storage behind a LangScope */
    LangScope lang;
    const char **names;                  /* malloc */
} Scope;
/* For rewriting v, with its names in *scope, which is to be freed; scope NULL: none are read. */
void session_env(const Session *s, const Version *v, Scope *scope, RewriteEnv *out);
void scope_free(Scope *scope);
/* Conditions of rules that are functions from elsewhere are asked of `call` from now on (RewriteEnv),
 * which lives as long as s. */
void session_serve(Session *s, ConditionCall *call, void *data);

#endif
