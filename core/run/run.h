/* run: one version on one device, from a term and inputs to a report: bind, check facts, plan, build, launch, verify, time
 * (stages.md; decisions.md: Verification, Sizes, Kernels). Nothing here prints.
 *
 * A wrong result, a failed build or a dead worker is an outcome with a Diag of its own, not a failure of the call. */
#ifndef RUN_H
#define RUN_H

#include "device.h"
#include "inputs.h"
#include "plan.h"

/* ---- what to run ---- */

typedef struct RunSettings {
    bool verify;
    int seeds, repeats;                  /* 3 inputs, 2 repeats each */
    double tol_bf16, tol_f16, tol_f32, tol_f64;    /* 8e-2 1e-2 1e-5 1e-12: a relative error up to that is never inaccurate */
    double oracle_work;                  /* 5e7: above it single elements are verified */
    int samples;                         /* 4096: how many of them */
    int trials, warmup;                  /* 20, 2; trials 0: no timing */
    int build_ms, run_ms;                /* 60000, 10000 */
    bool hurried;                        /* run_ms is less than was set: a search has a far better version */
    double verify_ms;                    /* all verification of one version; 0: 5 * run_ms */
    uint64_t seed;                       /* varies sample positions and exact inputs; 1 */
    bool keep_result;                    /* RunOutcome.result */
    bool canaries;                       /* guard bytes around arrays; true */
    bool paranoid;                       /* set sync paranoid: PlanOptions.paranoid, and each kernel ends before the next starts */
    Transfer transfer;                   /* timed with the launches; none */
    bool by_kernel;                      /* KernelOutcome.ns */
    double give_up_ns;                   /* > 0: a version whose first timed run takes longer is not timed again */
} RunSettings;
RunSettings run_settings(void);          /* the defaults */

typedef struct RunInput {
    const char *name;
    const Type *type;                    /* may mention sizes and parameters */
    FillSpec spec;
} RunInput;

/* Kernels edited by hand, and what they replace: they are launched as those were planned, and hold for no others. */
typedef struct EditedCode {
    const char *source;                  /* without our comment at its head: same kernel names and arguments */
    const char *dialect;                 /* its name: "opencl" */
    uint64_t replaces;                   /* source_hash of what was generated */
    bool single, gpu, paranoid;          /* PlanOptions.prefer_single, on_gpu, paranoid of then */
    int local[3], max_group;             /* ... and local, max_group, max_local */
    int64_t max_local[3];
    bool arguments;                      /* sizes reach the kernels as arguments */
    const char *sizes;                   /* for which it was generated: "N=1024"; "" with arguments */
} EditedCode;
void plan_for_device(const DeviceInfo *d, PlanOptions *o);      /* what a run on it plans with; NULL: on none */
void plan_as_edited(const EditedCode *e, PlanOptions *o);
/* A generated source behind the comment that says where it comes from. */
const char *source_body(const char *source);
uint64_t source_hash(const char *source);            /* of its body */
/* Is this what they replace? False + E55. sizes: for which it was generated, "N=64". */
bool edited_fits(const EditedCode *e, const char *generated, const char *sizes, Diag *diag);

struct RunOutcome;
typedef enum RunPhase { PHASE_NONE, PHASE_BUILDING, PHASE_WAITING, PHASE_RUNNING } RunPhase;
/* Asked once a version is planned (out: plan, source, kernels), before anything is built. False: it is
 * not wanted (STATE_SKIPPED). */
typedef bool RunPlanned(void *data, const struct RunOutcome *out);

/* Inputs and reference values, kept between runs: those of versions of one program with the same sizes,
 * inputs and settings are made once. Runs that go on at the same time (device_set_wait) are of one program, and so on. */
typedef struct References References;
References *references_new(void);
void references_free(References *r);     /* NULL is fine; after all runs that had it */

typedef struct RunSpec {
    const char *name;                    /* of the program: kernels are NAME_k0 ... */
    const Term *term;                    /* sizes and parameters free or already constant */
    const Term *reference;               /* what results are compared with, of the same type: the program's source, so that a
                                            false rule is noticed too. NULL: the term itself */
    bool approximate;                    /* a step that led to the term added or moved roundings */
    const Binding *bindings;             /* of all free ones; every one must be set */
    int binding_count;
    bool sizes_as_arguments;             /* set sizes argument: sizes reach the kernels as arguments; parameters never do */
    const RunInput *inputs;              /* declared order */
    int input_count;
    RunSettings settings;
    int local[3];                        /* as PlanOptions */
    const char *header;                  /* as PlanOptions */
    const char *source_override;         /* replaces the generated source: same kernel names and arguments */
    const EditedCode *edited;  /* NULL: none; else source_override is its source, and E55 where it does not belong */
    const volatile int *stop;            /* may be NULL; raised: stop after the current trial */
    References *references;              /* may be NULL */
    /* May be NULL. Told before it is built, before it is executed, and when others have their turn: whoever
     * hears nothing afterwards knows what it was. so_far has the source and its kernels. */
    void (*watch)(void *data, RunPhase phase, const struct RunOutcome *so_far);
    void *watch_data;
    /* May be NULL. Told how far a run is: that it builds (of: 0), which input is verified, how many trials were timed. */
    void (*progress)(void *data, const char *doing, int done, int of);
    void *progress_data;
    RunPlanned *planned;                 /* may be NULL */
    void *planned_data;
    /* Timed with so many more bytes of local memory a group than the kernels use, without another build (RunOutcome.pad_ns); 0: not. */
    const int64_t *pads;
    int pad_count;
} RunSpec;

/* ---- what came out ---- */

typedef enum RunState {
    STATE_OK,                            /* ran; verified unless verification is off */
    STATE_REFUSED,                       /* never launched: facts, unbound names, plan, inputs, the interpreter's E38 */
    STATE_FAILED,                        /* build, launch, death, time-out, finding: device_status says which */
    STATE_WRONG,                         /* E63 */
    STATE_STOPPED,  /* *stop was raised, or the device was paused (device_paused); what is filled in is valid */
    STATE_SKIPPED,                       /* RunSpec.planned said no */
} RunState;
const char *run_state_name(RunState s);  /* "ok" "refused" "failed" "wrong" "stopped" "skipped" */

typedef struct KernelOutcome {
    const char *name;
    int64_t global[3], local[3];
    int64_t local_bytes, private_bytes;  /* as the device says, else as planned */
    int barriers;
    double launches;                     /* in one run */
    bool at_most;                        /* that many, where a loop's test ends it before */
    double read_bytes, written_bytes;    /* in all of them, as the plan counts them (PlanKernel); 0: not counted */
    double ns;                           /* median of the trials, all launches of a run together; 0: not timed */
} KernelOutcome;

typedef enum VerifyStatus {
    VERIFY_OFF, VERIFY_OK,
    VERIFY_INACCURATE,                   /* the right program, but far less accurate than its source is */
    VERIFY_ILL_CONDITIONED,              /* rounding decides about the values on these inputs: nothing is wrong that could be seen */
    VERIFY_WRONG,
} VerifyStatus;
const char *verify_status_name(VerifyStatus s);          /* "off" "ok" "inaccurate" "ill-conditioned" "wrong" */

typedef struct Difference {              /* an element that is not what it should be */
    const char *where;                   /* "[4096]" "[3][17]" ".1[3]"; "" for a scalar */
    const char *inputs;                  /* "exact small integers" "random(2,-1,1)": of that set */
    const char *got, *want;              /* texts */
    double relative;                     /* to the value; INFINITY: one of them is not finite */
} Difference;

typedef struct VerifyOutcome {
    VerifyStatus status;
    char level;                          /* 'a' all elements, 'b' single elements */
    const char *level_text;              /* "every element", "4096 of 16777216 elements (corners, ...)" */
    int inputs, repeats;                 /* done */
    int once;                            /* of the inputs, those without a repeat: where a fold chooses there are more of them */
    double unseen;                       /* the part that such a fold might have left out unseen (extremes.h); 0: none chooses */
    int64_t total;                       /* scalars of the result, all components */
    int64_t compared;                    /* per input */
    int64_t special;                     /* over all inputs: the reference is inf or NaN there, and so is the result */
    bool mute;                           /* over all inputs: every value was that, or 0 */
    int64_t overflown;                   /* over all inputs, of those looked at: not finite where the true value is, and so is the source's own */
    int64_t hanging;                     /* over all inputs: right on one side of a decision that hangs on rounding */
    int64_t inaccurate, inaccurate_of;   /* over all inputs: much further from the truth than the source is; of how many compared */
    int64_t undecided;                   /* differences that the time limit left no look at, */
    int64_t looked, unlooked;            /* or for which others speak, and these */
    Difference lost;                     /* the first inaccurate one; want: the true value */
    bool exact_first;                    /* input 1 was compared exactly */
    double max_ulp;                      /* over all inputs, of finite values */
    /* On the inputs as specified, of floats, relative to the values: what nine in ten elements are wrong by at most, and what nine in
     * ten of the source would be, each of its operations rounded at random (0: nothing is rounded; NAN: not known); the smallest
     * change that would have been seen in half of the elements (decisions.md: Verification). */
    double error, own, power;
    bool approximate;                    /* own is that of the version, which rounds what its source does not */
    bool blind;                          /* a change of some type's values by more digits than it has would not be seen */
    bool coarse;                         /* values without three right digits, or without the last one of a type that has fewer, and the source has them */
    bool vague;                          /* of the source itself rounding leaves half of the values no digit */
    double ms;                           /* it took, references included */
    const char *left_out;                /* what the time limit left out; NULL: nothing */
    /* VERIFY_WRONG: */
    int wrong_input, wrong_repeat;       /* from 1 */
    int64_t wrong, wrong_of;             /* elements that differ, of how many compared */
    int64_t unwritten;                   /* elements that still hold the sentinel (counted in wrong) */
    Difference first;
    enum { CULPRIT_UNKNOWN, CULPRIT_KERNEL, CULPRIT_RULES } culprit;         /* who makes the first one wrong */
    const char *pattern;                 /* "every 256th element"; NULL: none seen */
    int64_t repeat_differs;              /* repeats with the same input differ in so many elements (0: they agree) */
} VerifyOutcome;

typedef struct TimeOutcome {
    int trials;                          /* 0: not timed */
    double *ns;                          /* per trial, in order; the outcome's */
    Transfer transfer;                   /* what of it the times hold */
    double median_ns, iqr_ns, min_ns;
    int64_t bytes;                       /* inputs and outputs once each */
    double gb_per_s;                     /* of those bytes at the median */
    double flops;                        /* eval_work of what it is compared with, else of itself */
    bool gave_up;                        /* its first run took longer than give_up_ns */
} TimeOutcome;

typedef struct RunOutcome {
    Arena *arena;                        /* owns everything below */
    RunState state;
    RunStatus device_status;             /* RUN_OK unless STATE_FAILED */
    int signal, opencl_code;
    Diag diag;                           /* E34-E38, E51-E54, E60-E65; E_NONE when STATE_OK */
    const char *device_id, *device_name;
    const char *sizes, *params;          /* "N=4096 K=64", "s0=256"; "" */
    const char *summary;                 /* "WRONG RESULT" "RUN TIMED OUT after 10.0 s ..."; "" when OK */
    const Plan *plan;                    /* NULL when refused before */
    const char *source;                  /* as built (for this version alone) */
    int kernel_count;
    KernelOutcome *kernels;
    double build_ms;                     /* in a batch: the whole build */
    int batch;                           /* versions in that build */
    VerifyOutcome verify;
    TimeOutcome time;
    double *pad_ns;                      /* medians, one for each of RunSpec.pads; 0: it was not timed, as with more than the device has */
    int warning_count;
    const char **warnings;
    Data *result;                        /* keep_result: of the inputs as specified */
} RunOutcome;
void run_outcome_free(RunOutcome *o);
int run_exit_code(const RunOutcome *o);  /* 0, or the code of its error (decisions.md: Exit codes) */

Texels launch_texels(Scalar s);          /* what an image of such elements holds (plan.h: PLAN_IMAGE) */

/* Build, launch, verify and time one version. *out is filled in always. True: STATE_OK. */
bool run_version(Ctx *c, Device *d, const RunSpec *spec, RunOutcome *out);
/* The same for several versions: verified one after another, then timed in turns so that drift hits all alike. batch: one
 * program build for all of them (when it fails, each is built alone). Returns how many are STATE_OK. */
int run_versions(Ctx *c, Device *d, const RunSpec *specs, int count, bool batch, RunOutcome *out);

#endif
