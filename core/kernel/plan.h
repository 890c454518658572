/* plan: from a lowered term to kernels as text: buffers between them, launches, preconditions (stages.md).
 *
 * Nothing here makes an optimisation decision: all decisions are in the term. */
#ifndef PLAN_H
#define PLAN_H

#include "ir.h"
#include "target.h"

typedef struct PlanInput { const char *name; const Type *type; } PlanInput;

typedef struct PlanTimes { double check, translate, emit; } PlanTimes;    /* milliseconds of the processor, added up over plans */

/* A language that kernels are printed in (dialect.h). NULL for the name: OpenCL C, which is taken where nobody says more. NULL: there is none of that name. */
typedef struct Dialect Dialect;
#define DIALECTS(D, AND) D(opencl) AND() D(cuda) AND() D(c)                        /* all of them; dialect_opencl is opencl.c's */
const Dialect *dialect_find(const char *name);
const char *dialect_name(const Dialect *d);                          /* "opencl" */
const char *dialect_title(const Dialect *d);                         /* "OpenCL C" */

typedef struct PlanOptions {
    const Dialect *dialect;              /* NULL: OpenCL C */
    const char *program;                 /* kernels are PROGRAM_k0 ... */
    const PlanInput *inputs;             /* declared order */
    int input_count;
    int local[3];                        /* requested local size per dimension; 0: chosen (the mapLocal length where constant and legal, else as documented) */
    int max_group;                       /* device limit on work-items per group; 0: 256 */
    int64_t max_local[3];                /* the same in one dimension; 0: as many as a group may have, in dimension 2 64 */
    bool prefer_single;                  /* one work-item a group where the term leaves it open (CPU) */
    bool on_gpu;                         /* larger groups for mapGlobal */
    const Target *target;                /* NULL: that of the kind (target_number) */
    bool paranoid;                       /* keep every barrier that may stand behind what touches shared memory, needed or not */
    PlanTimes *times;                    /* may be NULL */
    const char *header;                  /* text for the comment at the head of the source, may be NULL */
    bool features;                       /* count PlanKernel.features */
    bool origins;                        /* fill PlanKernel.origins */
    bool unread;                         /* nobody reads the text: offsets in it are not split into rows and columns, which takes long */
} PlanOptions;

/* STATE: see PlanLoop. IMAGE: a second form of the content of another buffer, which a host copies to it after that was written and
 * before a kernel reads it: two-dimensional, RGBA, of floats for f32, of 32-bit integers for those, and of unsigned ones, two an
 * element, for what has 8 bytes. One that a kernel writes has what the other buffer is to have: a host copies it there before that is read. */
typedef enum PlanBufferKind { PLAN_INPUT, PLAN_OUTPUT, PLAN_TEMP, PLAN_STATE, PLAN_IMAGE } PlanBufferKind;
typedef struct PlanBuffer {              /* one component */
    PlanBufferKind kind;
    const char *name;                    /* as in the kernel */
    int input, part;                     /* PLAN_INPUT: which input, which component; PLAN_OUTPUT: component of the result */
    Scalar scalar;
    const Nat *count;                    /* scalars */
    bool written;                        /* PLAN_IMAGE: some kernel writes it */
    int of;                              /* PLAN_IMAGE: of which buffer, and its size in texels of 16 bytes */
    const Nat *width, *height;
} PlanBuffer;

typedef enum PlanArgKind { PLAN_ARG_BUFFER, PLAN_ARG_SCALAR, PLAN_ARG_SIZE, PLAN_ARG_ROUND } PlanArgKind;
typedef struct PlanArg {
    PlanArgKind kind;
    const char *name;
    int buffer;                          /* ARG_BUFFER: index into Plan.buffers */
    bool written;                        /* ARG_BUFFER: the kernel writes it */
    int input, part;                     /* ARG_SCALAR: input passed by value, and which component of its tuple type */
    Scalar scalar;
    const Nat *size;                     /* ARG_SIZE: the size variable; passed as int, or long when Plan.long_index */
    int loop;                            /* ARG_ROUND: the number of the round, from 0, of that loop; passed as a size is */
} PlanArg;

/* What a kernel does, counted without running it (features.def, features.c): exact where sizes are numbers and no choice depends on
 * data (such a choice goes either way half the time); a size that is an argument counts as 1024. */
typedef enum Feature {
#define FEATURE(id, name, combine, text) FEATURE_##id,
#include "features.def"
    FEATURE_COUNT
} Feature;
typedef struct PlanFeatures { double v[FEATURE_COUNT]; } PlanFeatures;
const char *plan_feature_name(Feature f);                            /* "global_load_bytes" */
const char *plan_feature_text(Feature f);

typedef struct PlanOrigin {              /* lines of a body from this one on, up to the next origin */
    int line;                            /* 0: the first */
    const char *place;                   /* what they were made for: "/in/f/body"; NULL: no place in particular */
} PlanOrigin;

typedef struct PlanKernel {
    const char *name;
    int arg_count;
    PlanArg *args;
    const Nat *global[3];                /* work-items; constants when all sizes are */
    int local[3];
    int64_t local_bytes, private_scalars;
    int64_t private_array;               /* bytes that a work-item has of the largest array that did not become variables */
    int64_t local_apart;                 /* what local_bytes would be if no two arrays shared memory */
    int64_t launch_bytes;                /* of the local memory: what the launch has to give, in dialects where it must (CUDA C); 0: nothing */
    int barriers;
    const char *copies;                  /* "out_0 to out_1", "within out_0", where no term says so: one value in two places; NULL */
    bool joined;                         /* of launches of one group, one after the other, with barriers between them */
    const char *loops;                   /* "mapLocal 0 is a loop of 64: ...", why its work-items have several elements each, a line a dimension; NULL */
    const char *body;                    /* this kernel's text alone */
    const PlanFeatures *features;        /* NULL unless asked for */
    double read_bytes, written_bytes;    /* with features: different bytes of global memory that one launch reads and writes */
    int origin_count;                    /* 0 unless asked for */
    const PlanOrigin *origins;           /* by line; lines before the first have no place */
} PlanKernel;

/* A component of a loop's state. A round reads `from` and writes `to`; these are names without memory (PLAN_STATE), and stand for
 * other buffers in each round: from is `init` in the first and afterwards what the one before wrote; to is `out` and `spare` in
 * turn, so that the last round of all writes `out`. Those may be names of the loop around. */
typedef struct PlanState { int from, to, init, out, spare; } PlanState;
/* Kernels [first, end) are launched `rounds` times over, other loops among them as often in each round. With a test, kernels
 * [first, step) make one bool: the rounds end, `from` being the result, when it is false. */
typedef struct PlanLoop {
    int around;                          /* the loop it stands in, of a smaller number; -1 */
    int first, step, end;
    const Nat *rounds;                   /* at least 1 */
    int test;                            /* buffer of the bool; -1: there is none */
    int state_count;
    const PlanState *states;
} PlanLoop;
/* The loop directly in `around` (-1: in none) that begins with that kernel; -1: there is none. */
int plan_loop_at(const PlanLoop *loops, int count, int around, int kernel);

typedef struct PlanFact { Fact fact; const Term *node; const char *who; } PlanFact;   /* who: "split 32 at /in" */

typedef struct Plan {                    /* lives in the arena given */
    int kernel_count, loop_count, buffer_count, fact_count, warning_count;
    PlanKernel *kernels;                 /* launched in this order, those of loops again and again */
    PlanLoop *loops;
    PlanBuffer *buffers;
    PlanFact *facts;                     /* to be checked before every launch; empty when all sizes are constants */
    const char **warnings;               /* "a virtual array is read twice ...", "private array r stays an array because of loop ..." */
    const Nat *temp_bytes, *temp_apart;  /* of all PLAN_TEMP together; if no two shared a buffer. NULL: too large a number */
    const char *source;                  /* the complete program */
    bool long_index;                     /* some linear index may reach 2^31 */
    bool atomics64;                      /* numbers of 64 bits are updated in one step */
    bool any_order;                      /* floats are combined in the order in which groups or work-items come: runs may differ by roundings */
} Plan;

/* Functions that a source in any dialect may define: quotient and remainder of indices, then floor quotient, floor remainder,
 * quotient and remainder towards zero of i32, then those of i64. */
enum { HELPER_INDEX, HELPER_INT = 2, HELPER_LONG = 6, HELPER_COUNT = 10 };
extern const char *const plan_helpers[HELPER_COUNT];

/* The name, with `_` behind it if it is a word of some dialect. */
const char *kernel_word(Arena *a, const char *name);
/* Print in that dialect. Where its kernels run on GPUs alone, or on processors alone, and o is for something else, o becomes that. */
void dialect_plan(const Dialect *d, PlanOptions *o);

/* The lowered form (stages.md): E51 lists every node that still needs a mapping (place, choices); views are not listed.
 * True if lowered. */
bool plan_is_lowered(Ctx *c, const Term *t);
/* Can the layout e be a destination, its whole array written through it? stored: each element is written once and never read; then some elements
 * need no place, and take has an inverse. plan_only_stores: is each element of e written once and never read? */
bool plan_invertible(const Term *e, bool stored);
bool plan_only_stores(const Term *e);
/* Make the plan. NULL with E35 (unbound parameter), E51, E52 (names producer, reader and the choices), E53, E54 in c->diag. */
Plan *plan_make(Ctx *c, Arena *arena, const Term *t, const PlanOptions *options);

/* Of a group's work-items in one dimension, where mapLocals have those lengths there, one or more: what most of them have. */
const Nat *plan_usual_length(Nats *nats, const Nat *const *lengths, int count, bool on_gpu);

/* Stages that need others before them, and arrays, each alive from the first to the last stage that touches it; sets as bits. */
enum { STAGES_MAX = 12, ARRAYS_MAX = 32 };
typedef struct StageGraph {
    int count, arrays;
    unsigned needs[STAGES_MAX], touches[ARRAYS_MAX];
    int64_t bytes[ARRAYS_MAX];
} StageGraph;
/* An order of the stages in which the arrays that are alive at a time have the fewest bytes at most, and so many. */
int64_t stages_least(const StageGraph *g, int *order);
double plan_rounds(const Plan *p, int kernel);                       /* how often it is launched */
/* Of all its kernels together; the plan was made with options.features. */
void plan_features(const Plan *p, PlanFeatures *out);

/* All facts of a term with the path of the node that made each; trivially true ones are left out. For info, headers and checks before a launch. */
int plan_facts(Ctx *c, Arena *arena, const Term *t, PlanFact **out);

/* ---- what the plans of a term would need, as sizes over its parameters ---- */

typedef struct PlanResources {               /* of one kernel; NULL: not known before planning */
    const Nat *groups[3];                /* lengths of mapWorkgroup 0 1 2; 1 where there is none */
    const Nat *items[3];  /* work-items of a group: the length most mapLocal 0 1 2 have; 1 where there is none */
    /* lengths of mapGlobal 0 1 2 (groups and items are 1 then: the plan chooses them); else NULL */
    const Nat *global[3];
    const Nat *local_bytes;              /* of all toLocal in a group, as they share memory; as often as rounds are there where they are fetched ahead */
    /* of all toPrivate of arrays in one work-item: of what lies under mapLocal its share */
    const Nat *private_bytes;
    /* statements that unrolled loops (mapSeqUnroll reduceSeqUnroll) make of their bodies, in all */
    const Nat *unrolled;
} PlanResources;
/* The kernels of a term, as plan_make would cut it, in their order; of one that is not lowered yet what is known so far. Sizes of
 * the program must be numbers already; parameters are free. on_gpu: as in PlanOptions. In the arena; returns how many, at least 1. */
int plan_resources(Ctx *c, Arena *arena, const Term *lowered, bool on_gpu, PlanResources **out);
bool plan_is_known(const Nat *n);        /* over parameters alone; NULL is not */

#endif
