/* judge: kernels in the place of generated ones, run and verified as those that a user edits; and, by itself, how far their values are from
 * those of the kernels as they were. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mutants.h"

#include "run_private.h"

#define SEEN_NAME(id, name) [SEEN_##id] = name,
const char *const seen_names[SEEN_COUNT] = {SEEN_KINDS(SEEN_NAME)};

enum {
    RUN_MS = 3000,                       /* of what runs in microseconds, and three times what verification took without the edit */
    FILL = 0x5a,                         /* of results before a run */
    POSITIVE_SET = SETS - 1,             /* small positive integers, as where programs divide */
    MAGNITUDE = 8,
};
static const int variants[SETS] = {0, 1, 7, 0};          /* of the inputs as the session has them */

/* ---- verdicts ---- */

static Seen seen_of(const RunOutcome *o)
{
    if (o->state == STATE_WRONG) return SEEN_WRONG;
    if (o->state == STATE_OK)
        return o->verify.status == VERIFY_INACCURATE ? SEEN_INACCURATE : o->verify.status == VERIFY_ILL_CONDITIONED ? SEEN_ILL : SEEN_OK;
    if (o->state != STATE_FAILED) return SEEN_REFUSED;
    switch (o->device_status) {
    case RUN_BUILD_FAILED: return SEEN_NOT_BUILT;
    case RUN_FINDING: return SEEN_FINDING;
    case RUN_TIMED_OUT: return SEEN_TIMED_OUT;
    default: return SEEN_DIED;
    }
}

static bool has_run(Seen seen) { return seen <= SEEN_WRONG; }

static void take_verdict(const RunOutcome *o, Judged *out)
{
    *out = (Judged){.seen = seen_of(o), .error = o->verify.error, .own = o->verify.own, .power = o->verify.power, .culprit = (int)o->verify.culprit};
    const char *text = diag_failed(&o->diag) ? o->diag.message : o->verify.lost.where ? o->verify.lost.inputs : "";
    if (o->verify.undecided && !*text) snprintf(out->why, sizeof out->why, "%lld undecided", (long long)o->verify.undecided);
    else snprintf(out->why, sizeof out->why, "%s", o->verify.left_out && !*text ? o->verify.left_out : text);
    for (char *p = out->why; *p; p++)
        if (*p == '\n' || *p == '\t') *p = ' ';
}

static void run(Subject *s, const RunSpec *spec, RunOutcome *o)
{
    device_set_paused(s->device, false);
    run_version(s->sh->c, s->device, spec, o);
    diag_clear(&s->sh->c->diag);
    /* what wrote where it should not may have left anything in its process */
    if (o->state == STATE_FAILED && o->device_status != RUN_BUILD_FAILED) subject_restart(s);
}

void subject_restart(Subject *s)
{
    DeviceInfo info = device_info_copy(s->arena, device_info(s->device));
    device_close(s->device);
    s->device = s->sh->device = device_open(&info);
}

/* ---- inputs and values ---- */

static bool make_set(Subject *s, int set, EvalInput *out)
{
    Diag diag = diag_new();
    for (int i = 0; i < s->spec.input_count; i++) {
        RunInput in = s->spec.inputs[i];
        const Type *type = session_bound_type(s->sh->session, &s->values, in.type);
        Data *d = type ? fill_data(s->sh->c, type, &in.spec, i, variants[set], &diag) : NULL;
        out[i] = (EvalInput){in.name, d, false};
        if (!d) return diag_free(&diag), false;
        for (int p = 0; p < d->part_count && set == POSITIVE_SET; p++) {
            Data one = {d->type, 1, &d->parts[p], d->stop};
            if (scalar_is_float(d->parts[p].scalar)) data_fill_thinned(&one, hash_mix((uint64_t)i, (uint64_t)p), MAGNITUDE, SIGN_POSITIVE, 1);
        }
        data_seal(d);
    }
    diag_free(&diag);
    return true;
}

static const Type *result_type(Subject *s) { return session_bound_type(s->sh->session, &s->values, s->spec.term->type); }

/* What built kernels give for a set. NULL: they have no result. */
static Data *values_of_program(Subject *s, const RunSpec *spec, const Plan *plan, int program, int set)
{
    LOCAL(drop_arena) Arena *arena = arena_new();
    Valuation sizes = {spec->bindings, spec->binding_count};
    Data *result = data_new(s->sh->c, result_type(s));
    RunRequest q;
    RunReport r = {0};
    Diag diag = diag_new();
    bool ok = result && launch_make(arena, plan, &sizes, s->inputs[set], result, 0, &q, &diag);
    if (ok) {
        launch_fill(&q, FILL);
        q.program = program;
        q.trials = 1;
        q.canaries = true;
        ok = device_run(s->device, &q, &r, &diag);
    }
    diag_free(&diag);
    if (ok) return result;
    data_free(result);
    return NULL;
}

static bool build(Subject *s, const Plan *plan, const char *source, int *program)
{
    const char **names = NEW_ARRAY(s->arena, const char *, plan->kernel_count);
    BuildReport r = {0};
    Diag diag = diag_new();
    device_set_paused(s->device, false);
    for (int i = 0; i < plan->kernel_count; i++) names[i] = plan->kernels[i].name;
    bool ok = device_build(s->device, source, names, plan->kernel_count, program, &r, &diag);
    diag_free(&diag);
    return ok;
}

/* Relative to what it was. */
static double change_of(const Data *was, const Data *is, int part, int64_t i)
{
    Scalar k = was->parts[part].scalar;
    if (!scalar_is_float(k)) {
        int64_t x = data_get_int(was, part, i), y = data_get_int(is, part, i);
        return x == y ? 0 : x ? fabs((double)y - (double)x) / fabs((double)x) : INFINITY;
    }
    double x = data_get(was, part, i), y = data_get(is, part, i);
    if (x == y || (isnan(x) && isnan(y))) return 0;
    return isfinite(x) && isfinite(y) && x != 0 ? fabs(y - x) / fabs(x) : INFINITY;
}

static void measure_set(const Data *was, const Data *is, Judged *out, double *changed, double *differ, double *all)
{
    for (int p = 0; p < was->part_count; p++) {
        for (int64_t i = 0; i < was->parts[p].count; i++) {
            double x = change_of(was, is, p, i);
            out->change = fmax(out->change, x);
            *changed += x > CHANGED;
            *differ += x > 0;
        }
        *all += (double)was->parts[p].count;
    }
}

static void measure(Subject *s, const RunSpec *spec, const Plan *plan, const char *source, Judged *out)
{
    double changed = 0, differ = 0, all = 0;
    int program;
    if (!build(s, plan, source, &program)) return;
    for (int set = 0; set < SETS; set++) {
        if (!s->results[set]) continue;
        Data *got = values_of_program(s, spec, plan, program, set);
        if (!got) {
            subject_restart(s);
            if (!build(s, plan, source, &program)) return;
            continue;
        }
        double before = changed;
        measure_set(s->results[set], got, out, &changed, &differ, &all);
        out->sets |= (unsigned)(changed > before) << set;
        data_free(got);
    }
    device_forget(s->device, program);
    out->measured = all > 0;
    out->share = all > 0 ? changed / all : 0;
    out->any = all > 0 ? differ / all : 0;
}

/* ---- subjects ---- */

static bool describe(Subject *s, char *why, size_t n)
{
    Shell *sh = s->sh;
    const Version *v = session_version(sh->session);
    const Derivation *d = session_current(sh->session);
    if (!v || !session_values(sh->session, v, s->arena, &s->values)) {
        snprintf(why, n, "%s", v ? diag(sh)->message : "no program");
        diag_clear(diag(sh));
        return false;
    }
    s->spec = (RunSpec){
        .name = d->program->name, .term = v->root, .reference = d->program->body, .bindings = s->values.b, .binding_count = s->values.count,
        .inputs = d->inputs, .input_count = d->program->input_count, .settings = session_run_settings(sh->session), .header = "",
        .sizes_as_arguments = session_setting_is(sh->session, SET_SIZES, "argument"), .references = s->references,
    };
    session_local(sh->session, s->spec.local);
    s->spec.settings.trials = 0;
    s->spec.settings.warmup = 0;
    return true;
}

/* How the generated kernels were planned, so that edited ones may take their place. */
static void describe_code(Subject *s)
{
    PlanOptions o = {0};
    plan_for_device(device_info(s->device), &o);
    s->code = (EditedCode){.dialect = dialect_name(o.dialect), .single = o.prefer_single, .gpu = o.on_gpu, .max_group = o.max_group, .sizes = "",
                           .arguments = s->spec.sizes_as_arguments, .replaces = source_hash(s->plain.source), .source = ""};
    memcpy(s->code.max_local, o.max_local, sizeof s->code.max_local);
    memcpy(s->code.local, s->spec.local, sizeof s->code.local);
}

bool subject_open(Subject *s, Shell *sh, Judged *judged)
{
    *s = (Subject){.sh = sh, .arena = arena_new(), .references = references_new()};
    *judged = (Judged){.seen = SEEN_REFUSED};
    if (!(s->device = shell_device(sh)) || !describe(s, judged->why, sizeof judged->why)) return false;
    run(s, &s->spec, &s->plain);
    take_verdict(&s->plain, judged);
    if (s->plain.state != STATE_OK && s->plain.state != STATE_WRONG) return false;
    s->source = source_body(s->plain.source);
    describe_code(s);
    int program;
    if (!build(s, s->plain.plan, s->source, &program)) return false;
    for (int set = 0; set < SETS; set++) {
        EvalInput *in = NEW_ARRAY(s->arena, EvalInput, s->spec.input_count);
        if (!make_set(s, set, in)) continue;
        s->inputs[set] = in;
        s->results[set] = values_of_program(s, &s->spec, s->plain.plan, program, set);
        Data *again = s->results[set] ? values_of_program(s, &s->spec, s->plain.plan, program, set) : NULL;
        Judged noise = {0};
        double changed = 0, differ = 0, all = 0;
        if (again) measure_set(s->results[set], again, &noise, &changed, &differ, &all);
        data_free(again);
        if (noise.change <= CHANGED / 10) continue;
        data_free(s->results[set]);      /* the order of atomics decides */
        s->results[set] = NULL;
    }
    device_forget(s->device, program);
    return true;
}

void subject_close(Subject *s)
{
    for (int set = 0; set < SETS; set++) {
        for (int i = 0; s->inputs[set] && i < s->spec.input_count; i++) data_free((Data *)s->inputs[set][i].data);
        data_free(s->results[set]);
    }
    if (s->plain.arena) run_outcome_free(&s->plain);
    references_free(s->references);
    arena_free(s->arena);
}

void subject_judge(Subject *s, const char *source, bool always, Judged *out)
{
    RunSpec spec = s->spec;
    RunOutcome o;
    spec.source_override = source;
    spec.edited = &s->code;
    spec.settings.run_ms = RUN_MS + 3 * (int)s->plain.verify.ms;
    run(s, &spec, &o);
    take_verdict(&o, out);
    run_outcome_free(&o);
    if (has_run(out->seen) && (always || out->seen != SEEN_WRONG)) measure(s, &s->spec, s->plain.plan, source, out);
}

void subject_judge_version(Subject *s, Judged *out)
{
    RunSpec spec = s->spec;
    RunOutcome o;
    Values values;
    const Version *v = session_version(s->sh->session);
    *out = (Judged){.seen = SEEN_REFUSED};
    bool ok = v->root->type == s->spec.reference->type && session_values(s->sh->session, v, s->arena, &values);
    diag_clear(diag(s->sh));
    if (!ok) return;
    spec.term = v->root;
    spec.bindings = values.b;
    spec.binding_count = values.count;
    spec.settings.run_ms = RUN_MS + 3 * (int)s->plain.verify.ms;
    run(s, &spec, &o);
    take_verdict(&o, out);
    if (has_run(out->seen) && out->seen != SEEN_WRONG) measure(s, &spec, o.plan, o.source, out);
    run_outcome_free(&o);
}

static const FillSpec others[] = {
    {.kind = FILL_RANDOM, .seed = 11, .lo = -1, .hi = 1}, {.kind = FILL_RANDOM, .seed = 12, .lo = -1000, .hi = 1000}, {.kind = FILL_RANDOM, .seed = 13, .lo = 0, .hi = 1},
    {.kind = FILL_ADVERSARIAL, .seed = 14}, {.kind = FILL_CONST, .value = 0}, {.kind = FILL_IOTA}, {.kind = FILL_RANDOM, .seed = 15, .lo = -1e-20, .hi = 1e-20},
    {.kind = FILL_RANDOM, .seed = 16, .lo = 1000, .hi = 1001},
};

static bool is_real(Subject *s, const Type *type)
{
    const Type *bound = session_bound_type(s->sh->session, &s->values, type);
    Data *d = bound ? data_new(s->sh->c, bound) : NULL;
    bool real = d && ALL(p, d->part_count, scalar_is_float(d->parts[p].scalar));
    data_free(d);
    return real;
}

bool subject_again(Subject *s, int number, Judged *out)
{
    RunSpec spec = s->spec;
    RunOutcome o;
    bool other = false;
    Buf label = {0};
    if (number >= COUNT(others)) return false;
    RunInput *inputs = NEW_ARRAY(s->arena, RunInput, spec.input_count);
    for (int i = 0; i < spec.input_count; i++) {
        inputs[i] = spec.inputs[i];
        if (inputs[i].spec.kind != FILL_DEFAULT || !is_real(s, inputs[i].type)) continue;
        inputs[i].spec = others[number];
        inputs[i].spec.seed += 100 * (uint64_t)i;
        other = true;
    }
    spec.inputs = inputs;
    spec.settings.seed = (uint64_t)number + 2;
    spec.references = NULL;
    run(s, &spec, &o);
    take_verdict(&o, out);
    run_outcome_free(&o);
    if (other) fill_print(&others[number], &label);
    snprintf(out->inputs, sizeof out->inputs, "seed %d%s%s", number + 2, other ? ", all reals " : "", buf_text(&label));
    buf_free(&label);
    return true;
}
