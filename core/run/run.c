/* run: versions on a device: their kernels built, many in one program where that is cheaper; executions timed, those of several versions in
 * turns; all of it in order. */
#include "run_job.h"
#include "statistics.h"

#include <math.h>
#include <stdlib.h>

enum { ROUND = 5 };                      /* trials of one version before the next has its turn */

RunSettings run_settings(void)
{
    return (RunSettings){
        .verify = true, .seeds = 3, .repeats = 2, .tol_bf16 = 8e-2, .tol_f16 = 1e-2, .tol_f32 = 1e-5, .tol_f64 = 1e-12,
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
    for (int i = 0; i < o->kernel_count && first_kernel + i < r->kernel_count; i++) {
        const KernelReport *k = &r->kernels[first_kernel + i];
        o->kernels[i].private_bytes = k->private_bytes;
        if (k->local_bytes > 0) o->kernels[i].local_bytes = k->local_bytes;
    }
}

/* One program for so many live jobs. False: it failed, and that of a single one is over; several are built alone then. */
static bool build(Job *const *jobs, int n)
{
    LOCAL(buf_free) Buf source = {0};
    LOCAL(drop) VEC(const char *) names = {0};
    int program = -1;
    BuildReport r = {0};
    Diag several = diag_new();
    for (int i = 0; i < n; i++) {
        const RunOutcome *o = jobs[i]->out;
        /* Helper functions that several sources may define are renamed in each. */
        for (int m = 0; n > 1 && m < HELPER_COUNT; m++) buf_printf(&source, "#define %s v%d_%s\n", plan_helpers[m], i, plan_helpers[m]);
        buf_puts(&source, o->source);
        for (int m = 0; n > 1 && m < HELPER_COUNT; m++) buf_printf(&source, "\n#undef %s", plan_helpers[m]);
        if (n > 1) buf_putc(&source, '\n');
        for (int k = 0; k < o->kernel_count; k++) vec_push(&names, o->kernels[k].name);
        job_enter(jobs[i], PHASE_BUILDING);
    }
    job_set_limits(jobs[0]);
    bool ok = device_build(jobs[0]->d, buf_text(&source), names.v, names.n, &program, &r, n > 1 ? &several : &jobs[0]->out->diag);
    for (int i = 0, first = 0; i < n && (ok || n == 1); i++) {
        if (n > 1) job_enter(jobs[i], PHASE_WAITING);
        take_build(jobs[i], &r, program, first, n);
        first += jobs[i]->out->kernel_count;
    }
    if (!ok && n == 1) job_device_failed(jobs[0], r.status, r.opencl_code, r.signal, "building");
    diag_free(&several);
    return ok;
}

/* ---- timing ---- */

/* Room for a result, and the inputs as specified: as they are made for verification, or were for an earlier run. */
static bool need_data(Job *j)
{
    const RunSpec *s = j->spec;
    if (!job_open_result(j, &j->result)) return false;
    if (j->values) return true;
    if (!s->references && !j->own) j->own = references_new();
    ReferenceSet *set = references_set(s->references ? s->references : j->own, j->c, j->source ? j->source : j->bound, j->inputs, s->input_count,
                                       &s->settings, 1, 0, false);
    j->values = reference_values(set);
    if (j->values) return true;
    EvalInput *made = NEW_ARRAY(j->out->arena, EvalInput, s->input_count);
    bool ok = true;
    for (int i = 0; i < s->input_count && ok; i++) {
        Data *d = fill_data(j->c, j->inputs[i].type, &j->inputs[i].spec, i, 0, &j->out->diag);
        made[i] = (EvalInput){j->inputs[i].name, d, fill_is_given(&j->inputs[i].spec)};
        ok = d != NULL;
        if (ok) data_seal(d);
    }
    if (ok) reference_keep_values(set, made);
    for (int i = 0; i < s->input_count && !ok; i++) data_free((Data *)made[i].data);
    j->values = reference_values(set);
    return ok || job_refuse(j);
}

static bool time_round(Job *j)
{
    const RunSettings *s = &j->spec->settings;
    bool checker = device_info(j->d)->is_checker;
    int left = s->trials - j->ns.n, trials = left < ROUND ? left : ROUND, before = j->ns.n;
    if (j->out->time.gave_up || j->spec->pads || checker || left <= 0 || (before && j->spent_ms > job_verify_limit(s))) return false;
    if (!job_is_live(j) || !need_data(j)) return false;
    if (job_is_over(j)) return job_stop(j);
    if (s->give_up_ns > 0 && !before) {      /* one run, to see whether the rest is worth its time */
        if (!job_execute(j, j->values, j->result, job_sentinel(0), 0, 1, true)) return false;
        j->out->time.gave_up = j->ns.n && j->ns.v[0] > s->give_up_ns;
        if (j->out->time.gave_up) return false;
        j->ns.n = j->kernels_ns.n = 0;
    }
    job_tell(j, "time trial", before + 1, s->trials);
    bool ok = job_execute(j, j->values, j->result, job_sentinel(0), before ? 0 : s->warmup, trials, true);
    return ok && j->ns.n > before;
}

/* Of the one loop of launches that may end early, outside of the others; NaN: there is none, or there are several. */
static double rounds_made(const RunOutcome *o)
{
    double made = NAN;
    int found = 0;
    for (const PlanLoop *l = o->plan->loops; l < o->plan->loops + o->plan->loop_count; l++) {
        if (l->test < 0) continue;
        found++;
        made = l->around < 0 && l->step < l->end ? o->kernels[l->step].launches : NAN;
    }
    return found == 1 ? made : NAN;
}

/* In turns, so that drift of the machine hits all alike. */
static void jobs_time(Job *jobs, int count)
{
    for (int i = 0; i < count; i++) jobs[i].spent_ms = 0;
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < count; i++) {
            more = time_round(&jobs[i]) || more;
            if (count > 1 && job_is_live(&jobs[i])) job_enter(&jobs[i], PHASE_WAITING);
        }
    }
    for (Job *j = jobs; j < jobs + count; j++) {
        TimeOutcome *t = &j->out->time;
        int n = j->ns.n, kernels = j->out->kernel_count, rounds = kernels ? j->kernels_ns.n / kernels : 0;
        if (!n || !job_is_live(j)) continue;
        double *sorted = NEW_ARRAY(j->out->arena, double, n);
        t->trials = n;
        t->ns = arena_copy(j->out->arena, j->ns.v, sizeof *t->ns * (size_t)n);
        memcpy(sorted, t->ns, sizeof *sorted * (size_t)n);
        t->median_ns = stats_quantile_of(sorted, n, 0.5);
        t->iqr_ns = stats_quantile(sorted, n, 0.75) - stats_quantile(sorted, n, 0.25);
        t->min_ns = sorted[0];
        t->bytes = (int64_t)data_bytes(j->result ? j->result : j->out->result);
        for (int i = 0; i < j->spec->input_count; i++) t->bytes += (int64_t)data_bytes(j->values[i].data);
        t->transfer = j->spec->settings.transfer;
        t->flops = eval_work(j->source ? j->source : j->bound, rounds_made(j->out)).flops;
        t->gb_per_s = t->median_ns > 0 ? (double)t->bytes / t->median_ns : 0;
        for (int k = 0; rounds && k < kernels; k++) {
            for (int m = 0; m < rounds; m++) sorted[m] = j->kernels_ns.v[m * kernels + k];
            j->out->kernels[k].ns = stats_quantile_of(sorted, rounds, 0.5);
        }
    }
}

static void job_time_pads(Job *j)
{
    const RunSpec *s = j->spec;
    j->out->pad_ns = NEW_ARRAY(j->out->arena, double, s->pad_count);
    memset(j->out->pad_ns, 0, sizeof *j->out->pad_ns * (size_t)s->pad_count);
    int64_t used = 0;
    for (int i = 0; i < j->out->kernel_count; i++)
        if (j->out->kernels[i].local_bytes > used) used = j->out->kernels[i].local_bytes;
    bool ready = s->pad_count && job_is_live(j) && need_data(j);
    for (int i = 0; ready && i < s->pad_count; i++) {
        if (used + s->pads[i] > device_info(j->d)->local_bytes) continue;
        if (job_is_over(j)) return (void)job_stop(j);
        j->ns.n = 0;
        j->pad = s->pads[i];
        if (!job_execute(j, j->values, j->result, job_sentinel(0), 1, s->settings.trials, true)) return;
        if (j->ns.n) j->out->pad_ns[i] = stats_quantile_of(j->ns.v, j->ns.n, 0.5);
    }
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
    VEC(Job *) live = {0};
    for (int i = 0; i < count; i++)
        if (job_is_live(&jobs[i])) vec_push(&live, &jobs[i]);
    bool together = batch && live.n > 1 && build(live.v, live.n);
    for (int i = 0; i < live.n && !together; i++)
        if (!job_is_over(live.v[i]) || job_stop(live.v[i])) build(&live.v[i], 1);
    free(live.v);
    for (int i = 0; i < count; i++) {
        if (!job_is_live(&jobs[i]) || !jobs[i].spec->settings.verify) continue;
        job_verify(&jobs[i]);
        if (count > 1) job_enter(&jobs[i], PHASE_WAITING);
    }
    jobs_time(jobs, count);
    for (int i = 0; i < count; i++) job_time_pads(&jobs[i]);
    for (Job *j = jobs; j < jobs + count; j++) {
        /* The checking device is not timed; what is not verified is launched once all the same, for its findings. */
        if (device_info(d)->is_checker && !j->spec->settings.verify && job_is_live(j) && need_data(j))
            job_execute(j, j->values, j->result, job_sentinel(0), 0, 1, false);
    }
    for (Job *j = jobs; j < jobs + count; j++) {
        /* The result for the inputs as specified, when no other step left it. */
        if (!job_is_live(j) || !j->spec->settings.keep_result || j->out->result || !need_data(j)) continue;
        if (j->ns.n || job_execute(j, j->values, j->result, job_sentinel(0), 0, 1, false)) job_keep_result(j, 1);
    }
    /* A program of a batch belongs to several. */
    for (int i = 0; i < count; i++) {
        bool seen = !jobs[i].built;
        for (int k = 0; k < i; k++) seen = seen || (jobs[k].built && jobs[k].program == jobs[i].program);
        if (!seen) device_forget(jobs[i].d, jobs[i].program);
    }
    for (int i = 0; i < count; i++) {
        references_free(jobs[i].own);
        data_free(jobs[i].result);
        free(jobs[i].ns.v);
        free(jobs[i].kernels_ns.v);
    }
    for (int i = 0; i < count; i++) good += out[i].state == STATE_OK;
    free(jobs);
    return good;
}

bool run_version(Ctx *c, Device *d, const RunSpec *spec, RunOutcome *out) { return run_versions(c, d, spec, 1, false, out) == 1; }
