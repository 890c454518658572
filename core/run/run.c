/* run: build, launch, verify and time versions on a device. Layer 8. */
#include "run_job.h"

#include <stdlib.h>

RunSettings run_settings(void)
{
    return (RunSettings){
        .verify = true, .seeds = 3, .repeats = 2, .tol_f16 = 1e-2, .tol_f32 = 1e-5, .tol_f64 = 1e-12,
        .oracle_work = 5e7, .samples = 4096, .trials = 20, .warmup = 2, .build_ms = 60000, .run_ms = 10000,
        .seed = 1, .canaries = true,
    };
}

const char *run_state_name(RunState s)
{
    static const char *const names[] = {
        [STATE_OK] = "ok", [STATE_REFUSED] = "refused", [STATE_FAILED] = "failed", [STATE_WRONG] = "wrong",
        [STATE_STOPPED] = "stopped", [STATE_SKIPPED] = "skipped",
    };
    return names[s];
}

int run_exit_code(const RunOutcome *o) { return o->state == STATE_STOPPED ? 130 : error_code(o->diag.id); }

void run_outcome_free(RunOutcome *o)
{
    if (o->result) data_free(o->result);
    diag_free(&o->diag);
    arena_free(o->arena);
    *o = (RunOutcome){0};
}
/* ---- versions ---- */

int run_versions(Ctx *c, Device *d, const RunSpec *specs, int count, bool batch, RunOutcome *out)
{
    Job *jobs = mem_alloc(sizeof *jobs * (size_t)(count + 1));
    int good = 0;
    diag_clear(&c->diag);
    for (int i = 0; i < count; i++) {
        jobs[i] = (Job){.c = c, .d = d, .spec = &specs[i], .out = &out[i]};
        job_prepare(&jobs[i], batch && count > 1 && !specs[i].source_override ? i : -1);
    }
    jobs_build(jobs, count, batch);
    for (int i = 0; i < count; i++) {
        if (!job_is_live(&jobs[i]) || !jobs[i].spec->settings.verify) continue;
        job_verify(&jobs[i]);
        if (count > 1) job_enter(&jobs[i], PHASE_WAITING);
    }
    jobs_time(jobs, count);
    for (int i = 0; i < count; i++) job_time_pads(jobs, &jobs[i]);
    for (int i = 0; i < count; i++) job_launch_once(jobs, &jobs[i]);
    for (int i = 0; i < count; i++) job_need_result(jobs, &jobs[i]);
    /* A program of a batch belongs to several. */
    for (int i = 0; i < count; i++) {
        bool seen = !jobs[i].built;
        for (int k = 0; k < i; k++) seen = seen || (jobs[k].built && jobs[k].program == jobs[i].program);
        if (!seen) device_forget(jobs[i].d, jobs[i].program);
    }
    for (int i = 0; i < count; i++) {
        for (int m = 0; jobs[i].owns_values && m < jobs[i].spec->input_count; m++)
            if (jobs[i].values[m].data) data_free((Data *)jobs[i].values[m].data);
        data_free(jobs[i].result);
        free(jobs[i].ns.v);
        free(jobs[i].kernels_ns.v);
    }
    for (int i = 0; i < count; i++) good += out[i].state == STATE_OK;
    free(jobs);
    return good;
}

bool run_version(Ctx *c, Device *d, const RunSpec *spec, RunOutcome *out)
{
    return run_versions(c, d, spec, 1, false, out) == 1;
}
