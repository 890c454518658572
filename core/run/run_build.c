/* run_build: the kernels of runs built, many in one program where that is cheaper. */
#include "run_job.h"

#include <stdlib.h>

/* ---- building ---- */

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

typedef struct Batch {
    Buf source;
    VEC(const char *) names;
    int live;
    bool same_options;
    const Job *any;                      /* the first live one */
} Batch;

static Batch batch_collect(const Job *jobs, int count)
{
    Batch b = {.same_options = true};
    for (int i = 0; i < count; i++) {
        const Job *j = &jobs[i];
        if (!job_is_live(j)) continue;
        if (!b.any) b.any = j;
        b.same_options = b.same_options && job_same_text(b.any->spec->options, j->spec->options);
        /* Helper functions that several sources may define are renamed in each. */
        for (int m = 0; m < HELPER_COUNT; m++)
            buf_printf(&b.source, "#define %s v%d_%s\n", plan_helpers[m], i, plan_helpers[m]);
        buf_puts(&b.source, j->out->source);
        buf_putc(&b.source, '\n');
        for (int m = 0; m < HELPER_COUNT; m++) buf_printf(&b.source, "#undef %s\n", plan_helpers[m]);
        for (int k = 0; k < j->out->kernel_count; k++) vec_push(&b.names, j->out->kernels[k].name);
        b.live++;
    }
    return b;
}

/* One program for all live jobs. False: build them alone. */
static bool build_together(Job *jobs, int count)
{
    Batch b = batch_collect(jobs, count);
    BuildReport r = {0};
    Diag diag;
    int program = -1;
    diag_init(&diag);
    bool ok = b.live > 1 && b.same_options;
    if (ok) job_set_limits(b.any);
    for (int i = 0; ok && i < count; i++)
        if (job_is_live(&jobs[i])) job_enter(&jobs[i], PHASE_BUILDING);
    ok = ok && device_build(b.any->d, buf_text(&b.source), b.any->spec->options, b.names.v, b.names.n,
                            &program, &r, &diag);
    if (ok) {
        for (int i = 0, first = 0; i < count; i++) {
            if (!job_is_live(&jobs[i])) continue;
            job_enter(&jobs[i], PHASE_WAITING);
            take_build(&jobs[i], &r, program, first, b.live);
            first += jobs[i].out->kernel_count;
        }
    }
    build_report_free(&r);
    diag_free(&diag);
    free(b.names.v);
    buf_free(&b.source);
    return ok;
}

void jobs_build(Job *jobs, int count, bool batch)
{
    if (batch && build_together(jobs, count)) return;
    for (int i = 0; i < count; i++)
        if (job_is_live(&jobs[i]) && (!job_is_over(&jobs[i]) || job_stop(&jobs[i]))) build_alone(&jobs[i]);
}
