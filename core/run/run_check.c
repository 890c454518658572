/* run_check: one execution, and its results verified. */
#include "run_job.h"
#include "verifier.h"

/* Large in every float type, so that no tolerance lets one pass; no bool. Each differs between repeats. */
static const uint8_t sentinels[] = {0x5a, 0xda, 0x6b, 0xeb};

/* ---- one execution ---- */

uint8_t job_sentinel(int repeat) { return sentinels[repeat % COUNT(sentinels)]; }

void job_set_limits(const Job *j)
{
    device_set_limits(j->d, (DeviceLimits){j->spec->settings.build_ms, j->spec->settings.run_ms});
}

bool job_execute(Job *j, const EvalInput *values, Data *result, uint8_t sentinel, int warmup, int trials, bool timed)
{
    LOCAL(drop_arena) Arena *arena = arena_new();
    RunRequest q;
    RunReport r = {0};
    if (!launch_make(arena, j->out->plan, &j->sizes, values, result, j->first_kernel, &q, &j->out->diag)) return job_refuse(j);
    launch_fill(&q, sentinel);
    if (j->spec->pads) launch_pad(arena, &q, (size_t)j->pad, device_by_cuda(device_info(j->d)));
    bool wanted = !timed || (j->spec->settings.keep_result && !j->out->result);
    for (int i = 0; i < q.buffer_count && !wanted; i++) q.buffers[i].output = NULL;
    q.program = j->program;
    q.warmup = warmup;
    q.trials = trials;
    q.canaries = j->spec->settings.canaries;
    q.check_inputs = j->spec->source_override;
    q.transfer = timed ? j->spec->settings.transfer : TRANSFER_NONE;
    q.finish = j->spec->settings.paranoid;
    q.by_kernel = timed && j->spec->settings.by_kernel;
    job_set_limits(j);
    job_enter(j, PHASE_RUNNING);
    bool ok = device_run(j->d, &q, &r, &j->out->diag);
    for (int i = 0; ok && timed && i < r.trial_count; i++) vec_push(&j->ns, r.times_ns[i]);
    for (int i = 0; ok && timed && q.by_kernel && i < r.trial_count * q.launch_count; i++) vec_push(&j->kernels_ns, r.kernels_ns[i]);
    for (int i = 0; ok && timed && i < j->out->kernel_count; i++) job_count_launches(j, i, (double)r.launches[i]);
    j->spent_ms += r.wall_ms;
    if (!ok) job_device_failed(j, r.status, r.opencl_code, r.signal, "running");
    return ok;
}

bool job_open_result(Job *j, Data **result)
{
    if (!*result) *result = data_new(j->c, j->bound->type);
    return *result || job_refuse(j);
}

/* ---- verification ---- */

static void leave_out(Job *j, const char *text)
{
    const char *old = j->out->verify.left_out;
    j->out->verify.left_out = old ? arena_printf(j->out->arena, "%s; %s", old, text) : text;
}

/* All repeats with the current inputs. False: the run is over, or something is wrong. */
static bool verify_set(Job *j, Verifier *v, const EvalInput *values)
{
    bool once = device_info(j->d)->is_checker || j->spec->settings.repeats < 1 || !verifier_repeats(v);
    int repeats = once ? 1 : j->spec->settings.repeats;
    bool ok = job_open_result(j, &j->result) && (repeats < 2 || job_open_result(j, &j->again));
    if (!ok) return false;
    for (int r = 0; r < repeats; r++) {
        uint8_t sentinel = job_sentinel(r);
        const Data *first = r ? j->result : NULL;
        Data *got = r ? j->again : j->result;
        if (job_is_over(j)) return job_stop(j);
        if (!job_execute(j, values, got, sentinel, 0, 1, false)) return false;
        ok = verifier_compare(v, got, first, sentinel, r, j->out->arena, &j->out->verify) && ok;
    }
    return ok;
}

void job_keep_result(Job *j, int set)
{
    if (set != 1 || !j->spec->settings.keep_result || !job_is_live(j)) return;
    j->out->result = j->result;
    j->result = NULL;
}

static bool verify_sets(Job *j, Verifier *v, double deadline)
{
    int sets = verifier_input_count(v);
    bool ok = true;
    for (int k = 0; k < sets && ok; k++) {
        if (job_is_over(j)) return job_stop(j);
        job_tell(j, "verify input", k + 1, sets);
        bool some = j->out->verify.inputs > 0, late = some && clock_exact_ms() > deadline;
        const EvalInput *values = late ? NULL : verifier_input(v, k, deadline, &j->out->diag);
        if (!values && job_is_stopped(j)) return job_stop(j);
        if (late || (!values && some && j->out->diag.id == E25)) {
            leave_out(j, arena_printf(j->out->arena, "%d of %d inputs (time limit)", sets - k, sets));
            diag_clear(&j->out->diag);
            break;
        }
        /* Inputs that nobody asked for may not suit a program (a cast out of range, an index); then the others must do. */
        bool own = (k == 0 && sets >= 2) || !verifier_repeats(v);
        if (!values && own && j->out->diag.id == E38) {
            leave_out(j, arena_printf(j->out->arena, "input %d: %s", k + 1, j->out->diag.message));
            diag_clear(&j->out->diag);
            continue;
        }
        if (!values) return job_refuse(j);
        ok = verify_set(j, v, values);
        job_keep_result(j, k);
    }
    return ok;
}

double job_verify_limit(const RunSettings *s) { return s->verify_ms > 0 ? s->verify_ms : 5.0 * s->run_ms; }

void job_verify(Job *j)
{
    RunOutcome *o = j->out;
    VerifyOutcome *w = &o->verify;
    const RunSettings *s = &j->spec->settings;
    double start = clock_exact_ms(), deadline = start + job_verify_limit(s);
    Verifier *v = verifier_new(j->c, j->bound, j->source, j->inputs, j->spec->input_count, s, j->spec->stop, &o->diag);
    if (!v) {
        job_refuse(j);
        return;
    }
    verifier_share(v, j->spec->references);
    if (o->plan->any_order) verifier_any_order(v);
    if (j->spec->approximate) verifier_approximate(v);
    verifier_aside(v, j->d);
    if (device_info(j->d)->is_checker) verifier_no_more(v);
    verify_sets(j, v, deadline);
    verifier_finish(v, o->arena, w);
    long long differs = (long long)w->repeat_differs;
    if (job_is_live(j) && w->status == VERIFY_WRONG) {
        o->state = STATE_WRONG;
        o->summary = "WRONG RESULT";
        diag_error(&o->diag, E63, "%lld of %lld elements differ; first at %s: got %s, want %s (rel %.2g)",
                   (long long)w->wrong, (long long)w->wrong_of, *w->first.where ? w->first.where : "the result", w->first.got,
                   w->first.want, w->first.relative);
        if (w->culprit != CULPRIT_UNKNOWN)
            diag_note(&o->diag, "cause", "%s", w->culprit == CULPRIT_KERNEL ? "the kernel does not compute what the version says"
                      : "the version does not mean what its source means");
        diag_note(&o->diag, "inputs", "input %d, repeat %d: %s", w->wrong_input, w->wrong_repeat, w->first.inputs);
        if (w->pattern) diag_note(&o->diag, "pattern", "%s", w->pattern);
        if (w->unwritten) diag_note(&o->diag, "unwritten", "%lld elements were never written", (long long)w->unwritten);
        if (differs) diag_note(&o->diag, "race", "repeats with the same input differ in %lld elements: a missing barrier?", differs);
    } else if (job_is_live(j) && differs) {          /* the same input must give the same bits, unless floats come in any order */
        const char **warnings = NEW_ARRAY(o->arena, const char *, o->warning_count + 1);
        for (int i = 0; i < o->warning_count; i++) warnings[i] = o->warnings[i];
        warnings[o->warning_count++] =
            arena_printf(o->arena, "repeats with the same input differ in %lld elements (within the tolerance): %s", differs,
                         o->plan->any_order ? "floats are added in the order in which work-items come" : "a race?");
        o->warnings = warnings;
    }
    verifier_free(v);
    data_free(j->again);
    j->again = NULL;
    w->ms = clock_exact_ms() - start;
}
