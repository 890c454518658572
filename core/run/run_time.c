/* run_time: executions timed, those of several versions in turns. */
#include "run_job.h"
#include "statistics.h"

#include <stdlib.h>

enum { ROUND = 5 };                      /* trials of one version before the next has its turn */

/* ---- timing ---- */

static bool same_inputs(const Job *a, const Job *b)
{
    if (a->spec->input_count != b->spec->input_count) return false;
    for (int i = 0; i < a->spec->input_count; i++) {
        const FillSpec *x = &a->inputs[i].spec, *y = &b->inputs[i].spec;
        if (a->inputs[i].type != b->inputs[i].type || x->kind != y->kind || x->seed != y->seed || x->lo != y->lo
            || x->hi != y->hi || x->value != y->value || x->data != y->data || !job_same_text(x->path, y->path))
            return false;
    }
    return true;
}

/* The inputs as specified; versions of one program share them. */
static bool need_values(Job *jobs, Job *j)
{
    for (Job *other = jobs; other < j; other++)
        if (other->owns_values && job_is_live(other) && same_inputs(other, j)) {
            j->values = other->values;
            return true;
        }
    /* The specification as it is made for verification, or was for an earlier run. */
    References *all = j->spec->references;
    const Term *t = j->source ? j->source : j->bound;
    ReferenceSet *kept = all ? references_set(all, j->c, t, j->inputs, j->spec->input_count, &j->spec->settings, 1, 0, false) : NULL;
    const EvalInput *known = kept ? reference_values(kept) : NULL;
    if (known) {
        j->values = (EvalInput *)(uintptr_t)known;
        return true;
    }
    j->values = NEW_ARRAY(j->out->arena, EvalInput, j->spec->input_count);
    j->owns_values = true;
    for (int i = 0; i < j->spec->input_count; i++) {
        const RunInput *in = &j->inputs[i];
        j->values[i] = (EvalInput){in->name, fill_data(j->c, in->type, &in->spec, i, 0, &j->out->diag)};
        if (!j->values[i].data) return job_refuse(j);
        data_seal((Data *)j->values[i].data);
    }
    if (kept) reference_keep_values(kept, j->values);
    j->owns_values = !kept;
    return true;
}

static double median_of(double *v, int n)
{
    stats_sort(v, n);
    return stats_quantile(v, n, 0.5);
}

static bool time_round(Job *jobs, Job *j)
{
    const RunSettings *s = &j->spec->settings;
    bool checker = device_info(j->d)->is_checker;
    int left = s->trials - j->ns.n, trials = left < ROUND ? left : ROUND, before = j->ns.n;
    if (j->out->time.gave_up || j->spec->pads || checker || left <= 0 || (before && j->spent_ms > job_verify_limit(s))) return false;
    if (!job_is_live(j) || !job_open_result(j, &j->result) || (!j->values && !need_values(jobs, j))) return false;
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

/* In turns, so that drift of the machine hits all alike. */
void jobs_time(Job *jobs, int count)
{
    for (int i = 0; i < count; i++) jobs[i].spent_ms = 0;
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < count; i++) {
            more = time_round(jobs, &jobs[i]) || more;
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
        t->median_ns = median_of(sorted, n);
        t->iqr_ns = stats_quantile(sorted, n, 0.75) - stats_quantile(sorted, n, 0.25);
        t->min_ns = sorted[0];
        t->bytes = (int64_t)data_bytes(j->result ? j->result : j->out->result);
        for (int i = 0; i < j->spec->input_count; i++) t->bytes += (int64_t)data_bytes(j->values[i].data);
        t->transfer = j->spec->settings.transfer;
        t->flops = eval_work(j->source ? j->source : j->bound).flops;
        t->gb_per_s = t->median_ns > 0 ? (double)t->bytes / t->median_ns : 0;
        for (int k = 0; rounds && k < kernels; k++) {
            for (int m = 0; m < rounds; m++) sorted[m] = j->kernels_ns.v[m * kernels + k];
            j->out->kernels[k].ns = median_of(sorted, rounds);
        }
    }
}

void job_time_pads(Job *jobs, Job *j)
{
    const RunSpec *s = j->spec;
    j->out->pad_ns = NEW_ARRAY(j->out->arena, double, s->pad_count);
    memset(j->out->pad_ns, 0, sizeof *j->out->pad_ns * (size_t)s->pad_count);
    int64_t used = 0;
    for (int i = 0; i < j->out->kernel_count; i++)
        if (j->out->kernels[i].local_bytes > used) used = j->out->kernels[i].local_bytes;
    bool ready = s->pad_count && job_is_live(j) && job_open_result(j, &j->result) && (j->values || need_values(jobs, j));
    for (int i = 0; ready && i < s->pad_count; i++) {
        if (used + s->pads[i] > device_info(j->d)->local_bytes) continue;
        if (job_is_over(j)) return (void)job_stop(j);
        j->ns.n = 0;
        j->pad = s->pads[i];
        if (!job_execute(j, j->values, j->result, job_sentinel(0), 1, s->settings.trials, true)) return;
        if (j->ns.n) j->out->pad_ns[i] = median_of(j->ns.v, j->ns.n);
    }
}

void job_launch_once(Job *jobs, Job *j)
{
    bool wanted = device_info(j->d)->is_checker && !j->spec->settings.verify && job_is_live(j);
    if (wanted && job_open_result(j, &j->result) && (j->values || need_values(jobs, j)))
        job_execute(j, j->values, j->result, job_sentinel(0), 0, 1, false);
}

void job_need_result(Job *jobs, Job *j)
{
    if (!job_is_live(j) || !j->spec->settings.keep_result || j->out->result || !job_open_result(j, &j->result)) return;
    bool have = j->ns.n > 0;
    if (!have && (j->values || need_values(jobs, j))) have = job_execute(j, j->values, j->result, job_sentinel(0), 0, 1, false);
    if (have) job_keep_result(j, 1);
}
