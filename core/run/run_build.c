/* run_build: the kernels of runs built, many in one program where that is cheaper. */
#include "run_job.h"

#include <stdlib.h>

/* What a build says about one version's kernels. */
static void take_build(Job *j, const BuildReport *r, int program, int first_kernel, int batch)
{
    RunOutcome *o = j->out;
    j->program = program;
    j->first_kernel = first_kernel;
    j->built = r->status == RUN_OK;
    o->build_ms = r->ms;
    o->batch = batch;
    o->build_log = arena_strdup(o->arena, r->log ? r->log : "");
    for (int i = 0; i < o->kernel_count && first_kernel + i < r->kernel_count; i++) {
        const KernelReport *k = &r->kernels[first_kernel + i];
        o->kernels[i].private_bytes = k->private_bytes;
        if (k->local_bytes > 0) o->kernels[i].local_bytes = k->local_bytes;
    }
}

void job_set_limits(const Job *j)
{
    device_set_limits(j->d, (DeviceLimits){j->spec->settings.build_ms, j->spec->settings.run_ms});
}

static bool build_alone(Job *j)
{
    RunOutcome *o = j->out;
    BuildReport r = {0};
    const char **names = NEW_ARRAY(o->arena, const char *, o->kernel_count);
    for (int i = 0; i < o->kernel_count; i++) names[i] = o->kernels[i].name;
    job_set_limits(j);
    int program = -1;
    job_enter(j, PHASE_BUILDING);
    bool ok = device_build(j->d, o->source, j->spec->options, names, o->kernel_count, &program, &r, &o->diag);
    take_build(j, &r, program, 0, 1);
    if (!ok) job_device_failed(j, r.status, r.opencl_code, r.signal, "building");
    build_report_free(&r);
    return ok;
}

/* One program for all live jobs. False: build them alone. */
static bool build_together(Job *jobs, int count)
{
    Buf source = {0};
    VEC(const char *) names = {0};
    int live = 0, program = -1;
    const Job *any = NULL;               /* the first live one */
    bool ok = true;
    BuildReport r = {0};
    Diag diag;
    for (int i = 0; i < count; i++) {
        const Job *j = &jobs[i];
        if (!job_is_live(j)) continue;
        if (!any) any = j;
        ok = ok && job_same_text(any->spec->options, j->spec->options);
        /* Helper functions that several sources may define are renamed in each. */
        for (int m = 0; m < HELPER_COUNT; m++) buf_printf(&source, "#define %s v%d_%s\n", plan_helpers[m], i, plan_helpers[m]);
        buf_printf(&source, "%s\n", j->out->source);
        for (int m = 0; m < HELPER_COUNT; m++) buf_printf(&source, "#undef %s\n", plan_helpers[m]);
        for (int k = 0; k < j->out->kernel_count; k++) vec_push(&names, j->out->kernels[k].name);
        live++;
    }
    ok = ok && live > 1;
    diag_init(&diag);
    if (ok) job_set_limits(any);
    for (int i = 0; ok && i < count; i++)
        if (job_is_live(&jobs[i])) job_enter(&jobs[i], PHASE_BUILDING);
    ok = ok && device_build(any->d, buf_text(&source), any->spec->options, names.v, names.n, &program, &r, &diag);
    for (int i = 0, first = 0; ok && i < count; i++) {
        if (!job_is_live(&jobs[i])) continue;
        job_enter(&jobs[i], PHASE_WAITING);
        take_build(&jobs[i], &r, program, first, live);
        first += jobs[i].out->kernel_count;
    }
    build_report_free(&r);
    diag_free(&diag);
    free(names.v);
    buf_free(&source);
    return ok;
}

void jobs_build(Job *jobs, int count, bool batch)
{
    if (batch && build_together(jobs, count)) return;
    for (int i = 0; i < count; i++)
        if (job_is_live(&jobs[i]) && (!job_is_over(&jobs[i]) || job_stop(&jobs[i]))) build_alone(&jobs[i]);
}
