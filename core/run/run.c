/* run: build, launch, verify and time versions on a device. Layer 8. */
#include "run_private.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { ROUND = 5 };                      /* trials of one version before the next has its turn */

/* Large in every float type, so that no tolerance lets one pass; no bool. Each differs between repeats. */
static const uint8_t sentinels[] = {0x5a, 0xda, 0x6b, 0xeb};

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
    EvalInput *values;                   /* as specified, for timing; made when needed */
    bool owns_values;
    Data *result;
    VEC(double) ns;
    double spent_ms;
} Job;

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

static bool is_stopped(const Job *j) { return j->spec->stop && *j->spec->stop; }
/* Nothing more is to be begun: it was stopped, or the device is paused. */
static bool is_over(const Job *j) { return is_stopped(j) || device_paused(j->d, NULL); }
static bool is_live(const Job *j) { return j->out->state == STATE_OK; }

static void enter(Job *j, RunPhase phase)
{
    if (j->spec->watch && j->phase != phase) j->spec->watch(j->spec->watch_data, phase, j->out);
    j->phase = phase;
}

const char *source_body(const char *source)
{
    const char *end = strncmp(source, "/*", 2) ? NULL : strstr(source, "*/");
    return end ? end + 2 + strspn(end + 2, "\n") : source;
}

/* "N=64 K=8" as commands. */
static void note_sizes(const char *sizes, Diag *diag)
{
    Buf b = {0};
    for (const char *p = sizes; *p; p += strspn(p, " ")) {
        size_t n = strcspn(p, " "), name = strcspn(p, "=");
        buf_printf(&b, "%sdata %.*s = %.*s", b.len ? " ; " : "", (int)name, p, (int)(n - name - 1), p + name + 1);
        p += n;
    }
    diag_note(diag, "try", "%s", buf_text(&b));
    buf_free(&b);
}

bool edited_fits(const EditedCode *e, const char *generated, const char *sizes, Diag *diag)
{
    if (source_hash(generated) == e->replaces) return true;
    const char *then = *e->sizes ? e->sizes : "sizes as arguments";
    diag_error(diag, E55, "the kernels were edited for %s, and with %s others are generated", then,
               *sizes ? sizes : "no sizes");
    if (*e->sizes) note_sizes(e->sizes, diag);
    diag_note(diag, "or", "edit the kernels of now: code --edit at the parent");
    return false;
}

uint64_t source_hash(const char *source)
{
    const char *body = source_body(source);
    return hash_bytes(1, body, strlen(body));
}

/* ---- endings ---- */

static bool refuse(Job *j)
{
    run_take_error(j->c, &j->out->diag);
    if (!diag_failed(&j->out->diag)) diag_error(&j->out->diag, E70, "a run was refused without a reason");
    j->out->state = STATE_REFUSED;
    j->out->summary = arena_strdup(j->out->arena, j->out->diag.message);
    return false;
}

static bool stop(Job *j)
{
    j->out->state = STATE_STOPPED;
    j->out->summary = "STOPPED";
    return false;
}

static const char *failure_text(Job *j, const char *doing)
{
    RunOutcome *o = j->out;
    bool build = *doing == 'b';
    double limit = (build ? j->spec->settings.build_ms : j->spec->settings.run_ms) / 1e3;
    switch (o->device_status) {
    case RUN_BUILD_FAILED: return "BUILD FAILED";
    case RUN_BAD_LAUNCH:
        return o->opencl_code ? arena_printf(o->arena, "LAUNCH REFUSED   OpenCL error %d", o->opencl_code)
                              : "LAUNCH REFUSED";
    case RUN_FAILED:
        return arena_printf(o->arena, "%s FAILED   OpenCL error %d", build ? "BUILD" : "RUN", o->opencl_code);
    case RUN_TIMED_OUT:
        return arena_printf(o->arena, "%s TIMED OUT after %.1f s (limit: %s)   worker killed and restarted",
                            build ? "BUILD" : "RUN", limit, build ? "build_timeout" : "run_timeout");
    case RUN_DIED: return arena_printf(o->arena, "WORKER DIED  signal %d while %s", o->signal, doing);
    case RUN_LOST: return arena_printf(o->arena, "DEVICE LOST while %s", doing);
    case RUN_FINDING: return "RACE OR ACCESS OUT OF BOUNDS";
    case RUN_OK: break;
    }
    return "";
}

static bool device_failed(Job *j, RunStatus status, int opencl_code, int signal, const char *doing)
{
    if (is_stopped(j) && status == RUN_DIED) return stop(j);
    RunOutcome *o = j->out;
    o->state = STATE_FAILED;
    o->device_status = status;
    o->opencl_code = opencl_code;
    o->signal = signal;
    o->summary = failure_text(j, doing);
    if (!diag_failed(&o->diag)) diag_error(&o->diag, status == RUN_BUILD_FAILED ? E61 : E62, "%s", o->summary);
    return false;
}

/* ---- binding ---- */

static const char *bindings_text(Arena *arena, const RunSpec *s, VarKind kind)
{
    Buf b = {0};
    for (int i = 0; i < s->binding_count; i++)
        if (s->bindings[i].kind == kind && s->bindings[i].set)
            buf_printf(&b, "%s%s=%lld", b.len ? " " : "", s->bindings[i].name, (long long)s->bindings[i].value);
    const char *text = arena_strdup(arena, buf_text(&b));
    buf_free(&b);
    return text;
}

static void open_outcome(Job *j)
{
    RunOutcome *o = j->out;
    *o = (RunOutcome){.arena = arena_new(), .summary = "", .source = "", .build_log = "", .batch = 1};
    diag_init(&o->diag);
    const DeviceInfo *info = device_info(j->d);
    o->device_id = arena_strdup(o->arena, info->id);
    o->device_name = arena_strdup(o->arena, info->name);
    o->sizes = bindings_text(o->arena, j->spec, VAR_SIZE);
    o->params = bindings_text(o->arena, j->spec, VAR_PARAM);
    o->verify.level_text = "";
}

/* The substitution of all bindings, or of the parameters alone. */
static NatBinding *substitution(const Job *j, bool sizes_too, int *count)
{
    const RunSpec *s = j->spec;
    NatBinding *map = NEW_ARRAY(j->out->arena, NatBinding, s->binding_count);
    *count = 0;
    for (int i = 0; i < s->binding_count; i++) {
        const Binding *b = &s->bindings[i];
        if (b->kind == VAR_SIZE && !sizes_too) continue;
        const Nat *var = nat_var(j->c->nats, b->name, b->kind, NULL, NULL);
        map[(*count)++] = (NatBinding){var->terms[0].factors[0].atom, nat_const(j->c->nats, b->value)};
    }
    return map;
}

static const Term *bind_term(Job *j, const Term *t, bool sizes_too)
{
    int count;
    NatBinding *map = substitution(j, sizes_too, &count);
    return t && count ? term_subst_nats(j->c, t, map, count) : t;
}

static bool bind_inputs(Job *j)
{
    int count;
    NatBinding *map = substitution(j, true, &count);
    j->inputs = NEW_ARRAY(j->out->arena, RunInput, j->spec->input_count);
    for (int i = 0; i < j->spec->input_count; i++) {
        j->inputs[i] = j->spec->inputs[i];
        if (count) j->inputs[i].type = type_subst(j->c, j->spec->inputs[i].type, map, count);
        if (!j->inputs[i].type) return false;
    }
    return true;
}

static bool bind(Job *j)
{
    const RunSpec *s = j->spec;
    Diag *diag = &j->out->diag;
    j->sizes = (Valuation){s->bindings, s->binding_count};
    if (!bindings_complete(j->c, s->term, s->bindings, s->binding_count, diag)) return false;
    if (!bindings_check(j->c, s->term, s->bindings, s->binding_count, diag)) return false;
    j->bound = bind_term(j, s->term, true);
    j->source = bind_term(j, s->reference, true);
    return j->bound && (j->source || !s->reference) && bind_inputs(j);
}

/* ---- planning ---- */

static const PlanInput *plan_inputs(Job *j)
{
    int count;
    NatBinding *map = substitution(j, false, &count);
    PlanInput *in = NEW_ARRAY(j->out->arena, PlanInput, j->spec->input_count);
    for (int i = 0; i < j->spec->input_count; i++) {
        const Type *t = j->spec->sizes_as_arguments ? j->spec->inputs[i].type : j->inputs[i].type;
        bool symbolic = count && j->spec->sizes_as_arguments;
        in[i] = (PlanInput){j->inputs[i].name, symbolic ? type_subst(j->c, t, map, count) : t};
    }
    return in;
}

/* As it was planned when the kernels were edited; the device has no say in it. */
static void plan_as_edited(const EditedCode *e, PlanOptions *o)
{
    memcpy(o->local, e->local, sizeof o->local);
    o->max_group = 0;
    o->prefer_single = e->single;
    o->on_gpu = e->gpu;
}

static Plan *make_plan(Job *j, int batch_number)
{
    const RunSpec *s = j->spec;
    const DeviceInfo *info = device_info(j->d);
    const Term *t = s->sizes_as_arguments ? bind_term(j, s->term, false) : j->bound;
    if (!t) return NULL;
    PlanOptions o = {
        .program = batch_number < 0 ? s->name : arena_printf(j->out->arena, "%s_v%d", s->name, batch_number),
        .inputs = plan_inputs(j), .input_count = s->input_count, .local = {s->local[0], s->local[1], s->local[2]},
        .max_group = info->max_group > 0 && info->max_group < 1 << 20 ? (int)info->max_group : 0,
        .prefer_single = !info->is_gpu && !info->is_checker, .on_gpu = info->is_gpu && !info->is_checker,
        .header = s->header, .features = !s->sizes_as_arguments,
    };
    if (s->edited) plan_as_edited(s->edited, &o);
    return plan_make(j->c, j->out->arena, t, &o);
}

static bool describe_kernel(Job *j, const PlanKernel *k, KernelOutcome *out)
{
    *out = (KernelOutcome){.name = k->name, .local_bytes = k->local_bytes, .barriers = k->barriers};
    for (int d = 0; d < 3; d++) {
        out->local[d] = k->local[d];
        out->global[d] = 1;
        if (k->global[d] && !nat_eval(k->global[d], valuation_value, &j->sizes, &out->global[d])) return false;
    }
    return true;
}

static bool describe_plan(Job *j)
{
    RunOutcome *o = j->out;
    o->kernel_count = o->plan->kernel_count;
    o->kernels = NEW_ARRAY(o->arena, KernelOutcome, o->kernel_count);
    for (int i = 0; i < o->kernel_count; i++)
        if (!describe_kernel(j, &o->plan->kernels[i], &o->kernels[i])) return false;
    o->warning_count = o->plan->warning_count;
    o->warnings = o->plan->warnings;
    o->source = j->spec->source_override ? arena_strdup(o->arena, j->spec->source_override) : o->plan->source;
    return true;
}

static bool is_wanted(Job *j)
{
    const RunSpec *s = j->spec;
    if (!s->planned || s->planned(s->planned_data, j->out)) return true;
    j->out->state = STATE_SKIPPED;
    return false;
}

/* batch_number: >= 0 keeps kernel names of one program apart; -1: alone. */
static bool prepare(Job *j, int batch_number)
{
    const EditedCode *edited = j->spec->edited;
    RunOutcome *o = j->out;
    open_outcome(j);
    if (!bind(j)) return refuse(j);
    o->plan = make_plan(j, batch_number);
    if (!o->plan || (edited && !edited_fits(edited, o->plan->source, o->sizes, &o->diag)) || !describe_plan(j))
        return refuse(j);
    bool ok = bindings_check_facts(j->c, o->plan->facts, o->plan->fact_count, j->spec->bindings, j->spec->binding_count,
                                   &o->diag);
    if (!ok) return refuse(j);
    return is_wanted(j);
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
    o->build_log = arena_strdup(o->arena, r->log ? r->log : "");
    for (int i = 0; i < o->kernel_count && first_kernel + i < r->kernel_count; i++) {
        const KernelReport *k = &r->kernels[first_kernel + i];
        o->kernels[i].private_bytes = k->private_bytes;
        if (k->local_bytes > 0) o->kernels[i].local_bytes = k->local_bytes;
    }
}

static void set_limits(const Job *j)
{
    device_set_limits(j->d, (DeviceLimits){j->spec->settings.build_ms, j->spec->settings.run_ms});
}

static bool build_alone(Job *j)
{
    RunOutcome *o = j->out;
    BuildReport r = {0};
    const char **names = NEW_ARRAY(o->arena, const char *, o->kernel_count);
    for (int i = 0; i < o->kernel_count; i++) names[i] = o->kernels[i].name;
    set_limits(j);
    int program = -1;
    enter(j, PHASE_BUILDING);
    bool ok = device_build(j->d, o->source, j->spec->options, names, o->kernel_count, &program, &r, &o->diag);
    take_build(j, &r, program, 0, 1);
    if (!ok) device_failed(j, r.status, r.opencl_code, r.signal, "building");
    build_report_free(&r);
    return ok;
}

/* Helper functions that several sources may define are renamed in each. */
static void add_source(Buf *all, const Job *j, int number)
{
    static const char *const helpers[] = {NAT_C_DIV, NAT_C_MOD};
    for (int i = 0; i < COUNT(helpers); i++) buf_printf(all, "#define %s v%d_%s\n", helpers[i], number, helpers[i]);
    buf_puts(all, j->out->source);
    buf_putc(all, '\n');
    for (int i = 0; i < COUNT(helpers); i++) buf_printf(all, "#undef %s\n", helpers[i]);
}

static bool same_text(const char *a, const char *b) { return !strcmp(a ? a : "", b ? b : ""); }

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
        if (!is_live(j)) continue;
        if (!b.any) b.any = j;
        b.same_options = b.same_options && same_text(b.any->spec->options, j->spec->options);
        add_source(&b.source, j, i);
        for (int k = 0; k < j->out->kernel_count; k++) vec_push(&b.names, j->out->kernels[k].name);
        b.live++;
    }
    return b;
}

static void share_build(Job *jobs, int count, int live, const BuildReport *r, int program)
{
    for (int i = 0, first = 0; i < count; i++) {
        if (!is_live(&jobs[i])) continue;
        enter(&jobs[i], PHASE_WAITING);
        take_build(&jobs[i], r, program, first, live);
        first += jobs[i].out->kernel_count;
    }
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
    if (ok) set_limits(b.any);
    for (int i = 0; ok && i < count; i++)
        if (is_live(&jobs[i])) enter(&jobs[i], PHASE_BUILDING);
    ok = ok && device_build(b.any->d, buf_text(&b.source), b.any->spec->options, b.names.v, b.names.n,
                            &program, &r, &diag);
    if (ok) share_build(jobs, count, b.live, &r, program);
    build_report_free(&r);
    diag_free(&diag);
    free(b.names.v);
    buf_free(&b.source);
    return ok;
}

static void build(Job *jobs, int count, bool batch)
{
    if (batch && build_together(jobs, count)) return;
    for (int i = 0; i < count; i++)
        if (is_live(&jobs[i]) && (!is_over(&jobs[i]) || stop(&jobs[i]))) build_alone(&jobs[i]);
}

/* ---- one execution ---- */

/* Run with these inputs into j->result; times are appended to ns when asked for. */
static bool execute(Job *j, const EvalInput *values, uint8_t sentinel, int warmup, int trials, bool timed)
{
    Arena *arena = arena_new();
    RunRequest q;
    RunReport r = {0};
    bool made = launch_make(arena, j->out->plan, &j->sizes, values, j->result, j->first_kernel, &q, &j->out->diag);
    if (!made) {
        arena_free(arena);
        return refuse(j);
    }
    launch_fill(&q, sentinel);
    q.program = j->program;
    q.warmup = warmup;
    q.trials = trials;
    q.canaries = j->spec->settings.canaries;
    set_limits(j);
    enter(j, PHASE_RUNNING);
    bool ok = device_run(j->d, &q, &r, &j->out->diag);
    for (int i = 0; ok && timed && i < r.trial_count; i++) vec_push(&j->ns, r.times_ns[i]);
    j->spent_ms += r.wall_ms;
    if (!ok) device_failed(j, r.status, r.opencl_code, r.signal, "running");
    run_report_free(&r);
    arena_free(arena);
    return ok;
}

static bool open_result(Job *j)
{
    if (!j->result) j->result = data_new(j->c, j->bound->type);
    return j->result || refuse(j);
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
    int repeats = device_info(j->d)->is_checker || j->spec->settings.repeats < 1 ? 1 : j->spec->settings.repeats;
    bool ok = true;
    for (int r = 0; r < repeats; r++) {
        uint8_t sentinel = sentinels[r % COUNT(sentinels)];
        if (is_over(j)) return stop(j);
        if (!execute(j, values, sentinel, 0, 1, false)) return false;
        ok = verifier_compare(v, j->result, sentinel, r, j->out->arena, &j->out->verify) && ok;
    }
    return ok;
}

static void keep_result(Job *j, int set)
{
    if (set != 1 || !j->spec->settings.keep_result || !is_live(j)) return;
    j->out->result = j->result;
    j->result = NULL;
}

/* The exact inputs may not suit a program (a cast out of range, an index); then the others must do. */
static bool skip_exact(Job *j, int set, int sets)
{
    if (set != 0 || sets < 2 || j->out->diag.id != E38) return false;
    leave_out(j, arena_printf(j->out->arena, "input 1: %s", j->out->diag.message));
    diag_clear(&j->out->diag);
    return true;
}

static bool verify_sets(Job *j, Verifier *v, double deadline)
{
    int sets = verifier_input_count(v);
    bool ok = true;
    for (int k = 0; k < sets && ok; k++) {
        if (is_over(j)) return stop(j);
        if (k && clock_exact_ms() > deadline) {
            leave_out(j, arena_printf(j->out->arena, "%d of %d inputs (time limit)", sets - k, sets));
            break;
        }
        if (!open_result(j)) return false;
        const EvalInput *values = verifier_input(v, k, deadline, &j->out->diag);
        if (!values && is_stopped(j)) return stop(j);
        if (!values && skip_exact(j, k, sets)) continue;
        if (!values) return refuse(j);
        ok = verify_set(j, v, values);
        keep_result(j, k);
    }
    return ok;
}

static void report_wrong(Job *j)
{
    RunOutcome *o = j->out;
    VerifyOutcome *v = &o->verify;
    o->state = STATE_WRONG;
    o->summary = "WRONG RESULT";
    diag_error(&o->diag, E63, "%lld of %lld elements differ; first at %s: got %s, want %s (rel %.2g)",
               (long long)v->wrong, (long long)v->wrong_of, *v->first_where ? v->first_where : "the result",
               v->got, v->want, v->relative);
    diag_note(&o->diag, "inputs", "input %d, repeat %d: %s", v->wrong_input, v->wrong_repeat, v->wrong_what);
    if (v->pattern) diag_note(&o->diag, "pattern", "%s", v->pattern);
    if (v->unwritten) diag_note(&o->diag, "unwritten", "%lld elements were never written", (long long)v->unwritten);
    if (v->repeat_differs)
        diag_note(&o->diag, "race", "repeats with the same input differ in %lld elements: a missing barrier?",
                  (long long)v->repeat_differs);
}

/* The same input must give the same bits: a kernel has no licence to vary. */
static void report_unstable(Job *j)
{
    VerifyOutcome *v = &j->out->verify;
    if (!v->repeat_differs || !is_live(j)) return;
    const char **warnings = NEW_ARRAY(j->out->arena, const char *, j->out->warning_count + 1);
    for (int i = 0; i < j->out->warning_count; i++) warnings[i] = j->out->warnings[i];
    warnings[j->out->warning_count++] =
        arena_printf(j->out->arena,
                     "repeats with the same input differ in %lld elements (within the tolerance): a race?",
                     (long long)v->repeat_differs);
    j->out->warnings = warnings;
}

static double verify_limit(const RunSettings *s) { return s->verify_ms > 0 ? s->verify_ms : 5.0 * s->run_ms; }

static void verify(Job *j)
{
    const RunSettings *s = &j->spec->settings;
    double start = clock_exact_ms(), deadline = start + verify_limit(s);
    Verifier *v = verifier_new(j->c, j->bound, j->source, j->inputs, j->spec->input_count,
                               s, j->spec->stop, &j->out->diag);
    if (!v) {
        refuse(j);
        return;
    }
    verifier_share(v, j->spec->references);
    verify_sets(j, v, deadline);
    verifier_finish(v, j->out->arena, &j->out->verify);
    if (is_live(j) && j->out->verify.status == VERIFY_WRONG) report_wrong(j);
    report_unstable(j);
    verifier_free(v);
    j->out->verify.ms = clock_exact_ms() - start;
}

/* ---- timing ---- */

static bool same_inputs(const Job *a, const Job *b)
{
    if (a->spec->input_count != b->spec->input_count) return false;
    for (int i = 0; i < a->spec->input_count; i++) {
        const FillSpec *x = &a->inputs[i].spec, *y = &b->inputs[i].spec;
        if (a->inputs[i].type != b->inputs[i].type || x->kind != y->kind || x->seed != y->seed || x->lo != y->lo
            || x->hi != y->hi || x->value != y->value || x->data != y->data || !same_text(x->path, y->path))
            return false;
    }
    return true;
}

/* The specification as it was made for verification. */
static const EvalInput *known_values(Job *j)
{
    if (!j->spec->references || !j->spec->settings.verify) return NULL;
    const Term *t = j->source ? j->source : j->bound;
    return reference_values(references_set(j->spec->references, j->c, t, j->inputs, j->spec->input_count,
                                           &j->spec->settings, 1, false));
}

static bool make_values(Job *j)
{
    const EvalInput *known = known_values(j);
    if (known) {
        j->values = (EvalInput *)(uintptr_t)known;
        return true;
    }
    j->values = NEW_ARRAY(j->out->arena, EvalInput, j->spec->input_count);
    j->owns_values = true;
    for (int i = 0; i < j->spec->input_count; i++) {
        const RunInput *in = &j->inputs[i];
        j->values[i] = (EvalInput){in->name, fill_data(j->c, in->type, &in->spec, i, 0, &j->out->diag)};
        if (!j->values[i].data) return refuse(j);
    }
    return true;
}

/* The inputs as specified; versions of one program share them. */
static bool need_values(Job *jobs, Job *j)
{
    for (Job *other = jobs; other < j; other++)
        if (other->owns_values && is_live(other) && same_inputs(other, j)) {
            j->values = other->values;
            return true;
        }
    return make_values(j);
}

static int64_t bytes_moved(const Job *j)
{
    int64_t n = (int64_t)data_bytes(j->result ? j->result : j->out->result);
    for (int i = 0; i < j->spec->input_count; i++) n += (int64_t)data_bytes(j->values[i].data);
    return n;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Linear between the two nearest; v ascending. */
static double quantile(const double *v, int n, double q)
{
    double at = q * (n - 1);
    int below = (int)at;
    return below + 1 < n ? v[below] + (at - below) * (v[below + 1] - v[below]) : v[n - 1];
}

static void summarise(Job *j)
{
    TimeOutcome *t = &j->out->time;
    t->trials = j->ns.n;
    t->ns = NEW_ARRAY(j->out->arena, double, t->trials);
    if (!t->trials) return;
    double *sorted = NEW_ARRAY(j->out->arena, double, t->trials);
    for (int i = 0; i < t->trials; i++) sorted[i] = t->ns[i] = j->ns.v[i];
    qsort(sorted, (size_t)t->trials, sizeof *sorted, by_value);
    t->median_ns = quantile(sorted, t->trials, 0.5);
    t->iqr_ns = quantile(sorted, t->trials, 0.75) - quantile(sorted, t->trials, 0.25);
    t->min_ns = sorted[0];
    t->bytes = bytes_moved(j);
    t->flops = term_flops(j->source ? j->source : j->bound);
    t->gb_per_s = t->median_ns > 0 ? (double)t->bytes / t->median_ns : 0;
}

/* One run, to see whether the rest is worth its time. */
static bool first_glance(Job *j)
{
    double limit = j->spec->settings.give_up_ns;
    if (limit <= 0 || j->ns.n || device_info(j->d)->is_checker) return true;
    if (!execute(j, j->values, sentinels[0], 0, 1, true)) return false;
    j->out->time.gave_up = j->ns.n && j->ns.v[0] > limit;
    if (!j->out->time.gave_up) j->ns.n = 0;
    return true;
}

static int trials_wanted(const Job *j)
{
    if (j->out->time.gave_up) return 0;
    bool checker = device_info(j->d)->is_checker;
    int left = j->spec->settings.trials - j->ns.n;
    if (checker || left <= 0 || (j->ns.n && j->spent_ms > verify_limit(&j->spec->settings))) return 0;
    return left < ROUND ? left : ROUND;
}

static bool time_round(Job *jobs, Job *j)
{
    int trials = trials_wanted(j);
    bool ready = is_live(j) && trials && open_result(j) && (j->values || need_values(jobs, j));
    if (!ready) return false;
    if (is_over(j)) return stop(j);
    if (!first_glance(j) || j->out->time.gave_up) return false;
    int before = j->ns.n;
    bool ok = execute(j, j->values, sentinels[0], before ? 0 : j->spec->settings.warmup, trials, true);
    return ok && j->ns.n > before;
}

/* In turns, so that drift of the machine hits all alike. */
static void time_all(Job *jobs, int count)
{
    for (int i = 0; i < count; i++) jobs[i].spent_ms = 0;
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < count; i++) {
            more = time_round(jobs, &jobs[i]) || more;
            if (count > 1 && is_live(&jobs[i])) enter(&jobs[i], PHASE_WAITING);
        }
    }
    for (int i = 0; i < count; i++)
        if (jobs[i].ns.n && is_live(&jobs[i])) summarise(&jobs[i]);
}

/* The checking device is not timed; what is not verified is launched once all the same, for its findings. */
static void launch_once(Job *jobs, Job *j)
{
    bool wanted = device_info(j->d)->is_checker && !j->spec->settings.verify && is_live(j);
    if (wanted && open_result(j) && (j->values || need_values(jobs, j))) execute(j, j->values, sentinels[0], 0, 1, false);
}

/* The result for the inputs as specified, when no other step left it. */
static void need_result(Job *jobs, Job *j)
{
    if (!is_live(j) || !j->spec->settings.keep_result || j->out->result || !open_result(j)) return;
    bool have = j->ns.n > 0;
    if (!have && (j->values || need_values(jobs, j))) have = execute(j, j->values, sentinels[0], 0, 1, false);
    if (have) keep_result(j, 1);
}

/* ---- versions ---- */

static void close_job(Job *j)
{
    for (int i = 0; j->owns_values && i < j->spec->input_count; i++)
        if (j->values[i].data) data_free((Data *)j->values[i].data);
    if (j->result) data_free(j->result);
    free(j->ns.v);
}

/* A program of a batch belongs to several. */
static void forget_programs(Job *jobs, int count)
{
    for (int i = 0; i < count; i++) {
        bool seen = !jobs[i].built;
        for (int k = 0; k < i; k++) seen = seen || (jobs[k].built && jobs[k].program == jobs[i].program);
        if (!seen) device_forget(jobs[i].d, jobs[i].program);
    }
}

static void execute_all(Job *jobs, int count)
{
    for (int i = 0; i < count; i++) {
        if (!is_live(&jobs[i]) || !jobs[i].spec->settings.verify) continue;
        verify(&jobs[i]);
        if (count > 1) enter(&jobs[i], PHASE_WAITING);
    }
    time_all(jobs, count);
    for (int i = 0; i < count; i++) launch_once(jobs, &jobs[i]);
    for (int i = 0; i < count; i++) need_result(jobs, &jobs[i]);
}

int run_versions(Ctx *c, Device *d, const RunSpec *specs, int count, bool batch, RunOutcome *out)
{
    Job *jobs = mem_alloc(sizeof *jobs * (size_t)(count + 1));
    int good = 0;
    diag_clear(&c->diag);
    for (int i = 0; i < count; i++) {
        jobs[i] = (Job){.c = c, .d = d, .spec = &specs[i], .out = &out[i]};
        prepare(&jobs[i], batch && count > 1 && !specs[i].source_override ? i : -1);
    }
    build(jobs, count, batch);
    execute_all(jobs, count);
    forget_programs(jobs, count);
    for (int i = 0; i < count; i++) close_job(&jobs[i]);
    for (int i = 0; i < count; i++) good += out[i].state == STATE_OK;
    free(jobs);
    return good;
}

bool run_version(Ctx *c, Device *d, const RunSpec *spec, RunOutcome *out)
{
    return run_versions(c, d, spec, 1, false, out) == 1;
}

/* ---- level c ---- */

/* Values of one length do not fit another. */
static RunInput *resizable_inputs(Arena *arena, const RunSpec *spec)
{
    RunInput *in = NEW_ARRAY(arena, RunInput, spec->input_count);
    for (int i = 0; i < spec->input_count; i++) {
        in[i] = spec->inputs[i];
        if (in[i].spec.kind == FILL_DATA || in[i].spec.kind == FILL_FILE || in[i].spec.kind == FILL_VALUES)
            in[i].spec = (FillSpec){.kind = FILL_DEFAULT};
    }
    return in;
}

static void refuse_smallest(Ctx *c, Device *d, const RunSpec *spec, const Diag *why, RunOutcome *out)
{
    Job j = {.c = c, .d = d, .spec = spec, .out = out};
    open_outcome(&j);
    diag_copy(&out->diag, why);
    refuse(&j);
}

bool run_smallest(Ctx *c, Device *d, const RunSpec *spec, int64_t at_least, RunOutcome *out)
{
    Arena *arena = arena_new();
    RunSpec small = *spec;
    Binding *b = NEW_ARRAY(arena, Binding, spec->binding_count);
    Diag diag;
    diag_init(&diag);
    for (int i = 0; i < spec->binding_count; i++) {
        b[i] = spec->bindings[i];
        if (b[i].kind == VAR_SIZE) b[i].set = false;
    }
    small.bindings = b;
    small.inputs = resizable_inputs(arena, spec);
    small.settings.trials = 0;
    small.settings.verify = true;
    small.settings.oracle_work = INFINITY;
    bool filled = bindings_fill(c, spec->term, b, spec->binding_count, at_least, &diag);
    bool ok = filled && run_version(c, d, &small, out);
    if (!filled) refuse_smallest(c, d, spec, &diag, out);
    if (filled) out->verify.level = 'c';
    diag_free(&diag);
    arena_free(arena);
    return ok;
}
