/* run_job: one version on its way, shared by run_plan.c (bound, planned), run_check.c (executed, verified) and run.c (built, alone or
 * with others, timed in turns; all of it). Not for anybody else.
 *
 * A step that fails has set the state, the summary and the diag of the outcome, and returns false. */
#ifndef RUN_JOB_H
#define RUN_JOB_H

#include <string.h>

#include "run_private.h"

typedef struct Job {                     /* one version on its way */
    Ctx *c;
    Device *d;
    const RunSpec *spec;
    RunOutcome *out;
    const Term *bound, *source;          /* every size and parameter replaced; source: NULL, or the bound reference */
    RunInput *inputs;                    /* with bound types */
    Valuation sizes;
    int program, first_kernel;           /* after building; first_kernel of the plan within the program */
    bool built;
    RunPhase phase;
    const EvalInput *values;             /* as specified, for timing; made when needed */
    References *own;                     /* what holds them where spec->references is NULL */
    Data *result, *again;                /* again: of repeats */
    VEC(double) ns, kernels_ns;          /* kernels_ns: of every kernel for each of ns */
    double spent_ms;
    int64_t pad;                         /* bytes of local memory that kernels get and do not use; with RunSpec.pads */
} Job;

static inline bool job_is_stopped(const Job *j) { return j->spec->stop && *j->spec->stop; }
/* Nothing more is to be begun: it was stopped, or the device is paused. */
static inline bool job_is_over(const Job *j) { return job_is_stopped(j) || device_paused(j->d, NULL); }
static inline bool job_is_live(const Job *j) { return j->out->state == STATE_OK; }
void job_enter(Job *j, RunPhase phase);          /* and tells who watches */
void job_tell(const Job *j, const char *doing, int done, int of);

/* ---- endings (run_plan.c): all return false ---- */

bool job_refuse(Job *j);                         /* for what the diags say */
bool job_stop(Job *j);
bool job_device_failed(Job *j, RunStatus status, int opencl_code, int signal, const char *doing);

/* ---- steps ---- */

/* Opens it, binds and plans. batch_number: >= 0 keeps kernel names of one program apart; -1: alone. */
bool job_prepare(Job *j, int batch_number);
void job_set_limits(const Job *j);               /* of the device */
void job_count_launches(Job *j, int kernel, double launches);            /* as planned, or as they were in a run */

/* Run with these inputs into `result`; timed: times are appended to ns, and the result is left out unless it is wanted. */
bool job_execute(Job *j, const EvalInput *values, Data *result, uint8_t sentinel, int warmup, int trials, bool timed);
uint8_t job_sentinel(int repeat);                /* what outputs are filled with before */
bool job_open_result(Job *j, Data **result);      /* one of the job's */
void job_keep_result(Job *j, int set);           /* in the outcome, if it is wanted: that of set 1 */
void job_verify(Job *j);
double job_verify_limit(const RunSettings *s);   /* ms */

#endif
