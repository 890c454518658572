/* walk: random derivations, lowered, run and compared with the interpreter. derive makes and repeats them, check finds out
 * whether one of them is right, walk.c is the program. */
#ifndef WALK_H
#define WALK_H

#include "run.h"
#include "strategy.h"

enum { STEPS_MAX = 20, PARAMS_MAX = 24, SIZES_MAX = 8, TEXT_MAX = 6000, NODES_MAX = 400 };

/* ---- walks: plain data, shared between processes ---- */

typedef struct StepArg {
    bool set;
    int64_t value;                       /* of a size, dimension, width or mode; k or s of a permutation */
    int perm;
} StepArg;

typedef struct Step {
    int rule;                            /* number in the table */
    Path at;
    StepArg args[RULE_ARGS];
} Step;

typedef struct Walk {
    int program, length;                 /* length: steps wanted */
    int recipe;                          /* rules to put at its end */
    bool checker;                        /* run it on the checking device, at the smallest sizes */
    bool sizes_known;                    /* lower it with sizes and parameters set */
    bool sizes_as_arguments;
    bool local_sizes;                    /* launch it with local sizes of our own */
    int64_t at_least;                    /* smallest size on the device */
    uint64_t seed;                       /* of its steps and parameters */
    int step_count;
    Step steps[STEPS_MAX];
} Walk;

typedef enum Verdict {
    WALK_OK, WALK_REFUSED,               /* refused: E51 to E54 */
    WALK_NO_SIZES,                       /* no small sizes meet its facts */
    WALK_LONG,                           /* too much work for the interpreter, or too many kernels */
    WALK_FAILED,
} Verdict;

typedef enum Stage {
    STAGE_DERIVE, STAGE_BIND, STAGE_PRINT, STAGE_RULES, STAGE_LOWER, STAGE_LOWERED, STAGE_PLAN, STAGE_RUN,
    STAGES
} Stage;
extern const char *const stage_names[STAGES];

typedef struct Finding {                 /* what became of a walk */
    Verdict verdict;
    Stage stage;                         /* reached, or where it failed */
    int error;                           /* ErrorId, 0: none */
    int signal;                          /* of the process; 0: it lived */
    int kernels, group;                  /* launched; the most work-items in a group */
    double ms;                           /* up to the device */
    char script[TEXT_MAX];               /* the derivation, to be typed; grows with the stages */
    char text[TEXT_MAX];                 /* the error */
} Finding;

/* ---- programs ---- */

enum { PROGRAMS = 22 };
typedef struct World {                   /* one process's context, programs and devices */
    Ctx *c;
    Rules *rules;
    struct { Defs *defs; const Program *program; Strategies *strategies; } programs[PROGRAMS];
    Devices *devices;
    Device *device, *checker;            /* NULL: there is none */
} World;
const char *program_file(int program);   /* "tests/programs/mm.fun" */
void world_open(World *w);               /* dies of a program that does not load */
bool world_devices(World *w, const char *device);
void world_close(World *w);

/* ---- deriving ---- */

typedef struct Derived {                 /* a walk at work; lives as long as its World */
    World *w;
    Walk *walk;
    Finding *out;
    const Program *program;
    const Term *walked, *lowered;
    const char *params[PARAMS_MAX];
    int param_count, next_param;
    VEC(PlanFact) facts;                 /* that conditions of rules named */
    Arena *arena;
    Binding bindings[SIZES_MAX + PARAMS_MAX];      /* sizes, then parameters: as on the device */
    int binding_count;
} Derived;

void walk_choose(Walk *walk, uint64_t seed, int number);      /* all but the steps */
Derived *derived_new(World *w, Walk *walk, Finding *out);
void derived_free(Derived *d);
/* Take random steps; they are kept in the walk, the one at work included. */
void derive(Derived *d);
/* Take the walk's steps again, those that apply; the others are dropped from it. */
void derive_again(Derived *d);
void derived_scope(const Derived *d, LangScope *scope, RewriteEnv *env);
void derived_note(Derived *d, const char *format, ...) PRINTF_LIKE(2, 3);      /* a line of the script */

/* ---- checking ---- */

bool walk_fail(Derived *d, Verdict verdict, ErrorId id, const char *format, ...) PRINTF_LIKE(4, 5);
/* Everything up to the device: print, bind, interpret, lower, interpret again, plan. True: *spec is to be run. */
bool walk_prepare(Derived *d, RunSpec *spec);
void walk_take(Derived *d, const RunOutcome *o);

#endif
