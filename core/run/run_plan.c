/* run_plan: sizes bound, facts checked, kernels planned; how a run ends. */
#include "run_job.h"

#include <string.h>

void job_tell(const Job *j, const char *doing, int done, int of)
{
    if (j->spec->progress) j->spec->progress(j->spec->progress_data, doing, done, of);
}

void job_enter(Job *j, RunPhase phase)
{
    if (phase == PHASE_BUILDING && j->phase != phase) job_tell(j, "build", 0, 0);
    if (j->spec->watch && j->phase != phase) j->spec->watch(j->spec->watch_data, phase, j->out);
    j->phase = phase;
}

const char *source_body(const char *source)
{
    const char *end = strncmp(source, "/*", 2) ? NULL : strstr(source, "*/");
    return end ? end + 2 + strspn(end + 2, "\n") : source;
}

bool edited_fits(const EditedCode *e, const char *generated, const char *sizes, Diag *diag)
{
    if (source_hash(generated) == e->replaces) return true;
    const char *then = *e->sizes ? e->sizes : "sizes as arguments";
    bool same = !strcmp(e->sizes, sizes) || (!*e->sizes && e->arguments);
    if (same) diag_error(diag, E55, "other kernels are generated here than those that were edited");
    else diag_error(diag, E55, "the kernels were edited for %s, and with %s others are generated", then,
                    *sizes ? sizes : "no sizes");
    /* "N=64 K=8" as commands. */
    if (*e->sizes && !same) {
        Buf b = {0};
        for (const char *p = e->sizes; *p; p += strspn(p, " ")) {
            size_t n = strcspn(p, " "), name = strcspn(p, "=");
            buf_printf(&b, "%sdata %.*s = %.*s", b.len ? " ; " : "", (int)name, p, (int)(n - name - 1), p + name + 1);
            p += n;
        }
        diag_note(diag, "try", "%s", buf_text(&b));
        buf_free(&b);
    }
    diag_note(diag, "hint", "edit the kernels of now: code --edit at the parent");
    return false;
}

uint64_t source_hash(const char *source)
{
    const char *body = source_body(source);
    return hash_bytes(1, body, strlen(body));
}

/* ---- endings ---- */

bool job_stop(Job *j)
{
    j->out->state = STATE_STOPPED;
    j->out->summary = "STOPPED";
    return false;
}

bool job_refuse(Job *j)
{
    run_take_error(j->c, &j->out->diag);
    if (j->out->diag.id == E25 && job_is_stopped(j)) return job_stop(j);
    if (!diag_failed(&j->out->diag)) diag_error(&j->out->diag, E70, "a run was refused without a reason");
    j->out->state = STATE_REFUSED;
    j->out->summary = arena_strdup(j->out->arena, j->out->diag.message);
    return false;
}

bool job_device_failed(Job *j, RunStatus status, int opencl_code, int signal, const char *doing)
{
    if (job_is_stopped(j) && status == RUN_DIED) return job_stop(j);
    RunOutcome *o = j->out;
    const RunSettings *s = &j->spec->settings;
    bool build = *doing == 'b';
    const char *what = build ? "BUILD" : "RUN";
    o->state = STATE_FAILED;
    o->device_status = status;
    o->opencl_code = opencl_code;
    o->signal = signal;
    switch (status) {
    case RUN_OK: break;
    case RUN_BUILD_FAILED: o->summary = "BUILD FAILED"; break;
    case RUN_BAD_LAUNCH:
        o->summary = opencl_code ? arena_printf(o->arena, "LAUNCH REFUSED   OpenCL error %d", opencl_code) : "LAUNCH REFUSED";
        break;
    case RUN_FAILED: o->summary = arena_printf(o->arena, "%s FAILED   OpenCL error %d", what, opencl_code); break;
    case RUN_TIMED_OUT:
        o->summary = arena_printf(o->arena, "%s TIMED OUT after %.1f s (limit: %s)   worker killed and restarted", what,
                                  (build ? s->build_ms : s->run_ms) / 1e3,
                                  build ? "build_timeout" : s->hurried ? "far slower than the best" : "run_timeout");
        break;
    case RUN_DIED:
        o->summary = signal ? arena_printf(o->arena, "WORKER DIED  signal %d while %s", signal, doing)
                            : arena_printf(o->arena, "WORKER DIED while %s", doing);     /* elsewhere: a launcher tells no signal */
        break;
    case RUN_LOST: o->summary = arena_printf(o->arena, "DEVICE LOST while %s", doing); break;
    case RUN_FINDING: o->summary = "RACE OR FORBIDDEN ACCESS"; break;
    }
    if (!diag_failed(&o->diag)) diag_error(&o->diag, status == RUN_BUILD_FAILED ? E61 : E62, "%s", o->summary);
    return false;
}

/* ---- binding ---- */

static bool bind(Job *j)
{
    const RunSpec *s = j->spec;
    const Binding *b = s->bindings;
    int n = s->binding_count;
    j->sizes = (Valuation){b, n};
    if (!bindings_complete(b, n, &j->out->diag) || !bindings_check(j->c, s->term, b, n, &j->out->diag)) return false;
    j->bound = bindings_term(j->c, s->term, b, n, true);
    j->source = s->reference ? bindings_term(j->c, s->reference, b, n, true) : NULL;
    if (!j->bound || (s->reference && !j->source)) return false;
    j->inputs = NEW_ARRAY(j->out->arena, RunInput, s->input_count);
    for (int i = 0; i < s->input_count; i++) {
        j->inputs[i] = s->inputs[i];
        j->inputs[i].type = bindings_type(j->c, s->inputs[i].type, b, n, true);
        const FillNames names = {j->c, b, n, s->inputs, s->input_count, 0};
        if (!j->inputs[i].type || !fill_bind(&names, &j->inputs[i].spec, &j->out->diag)) return false;
    }
    return true;
}

/* ---- planning ---- */

void plan_for_device(const DeviceInfo *d, PlanOptions *o)
{
    if (!d) return;
    o->dialect = dialect_find(d->api);
    o->target = d->target;
    o->max_group = d->max_group > 0 && d->max_group < 1 << 20 ? (int)d->max_group : 0;
    memcpy(o->max_local, d->max_local, sizeof o->max_local);
    o->prefer_single = !d->is_gpu && !d->is_checker;
    o->on_gpu = d->is_gpu && !d->is_checker;
}

/* As it was planned when the kernels were edited; the device has no say in it. */
void plan_as_edited(const EditedCode *e, PlanOptions *o)
{
    o->dialect = dialect_find(e->dialect);
    memcpy(o->local, e->local, sizeof o->local);
    o->max_group = e->max_group;
    memcpy(o->max_local, e->max_local, sizeof o->max_local);
    o->prefer_single = e->single;
    o->on_gpu = e->gpu;
    o->paranoid = e->paranoid;
}

static Plan *make_plan(Job *j, int batch_number)
{
    const RunSpec *s = j->spec;
    bool sizes = !s->sizes_as_arguments;
    const Term *t = sizes ? j->bound : bindings_term(j->c, s->term, s->bindings, s->binding_count, false);
    if (!t) return NULL;
    PlanInput *in = NEW_ARRAY(j->out->arena, PlanInput, s->input_count);
    for (int i = 0; i < s->input_count; i++) {
        const Type *type = sizes ? j->inputs[i].type : bindings_type(j->c, s->inputs[i].type, s->bindings, s->binding_count, false);
        in[i] = (PlanInput){j->inputs[i].name, type};
    }
    PlanOptions o = {
        .program = batch_number < 0 ? s->name : arena_printf(j->out->arena, "%s_v%d", s->name, batch_number),
        .inputs = in, .input_count = s->input_count, .local = {s->local[0], s->local[1], s->local[2]},
        .header = s->header, .features = sizes, .paranoid = s->settings.paranoid,
    };
    const char *api = device_info(j->d)->api;
    if (s->edited && strcmp(s->edited->dialect, api))
        return diag_error(&j->out->diag, E55, "the kernels were edited in %s; %s takes %s", dialect_title(dialect_find(s->edited->dialect)),
                          device_info(j->d)->id, dialect_title(dialect_find(api))), NULL;
    if (s->edited) plan_as_edited(s->edited, &o);
    else plan_for_device(device_info(j->d), &o);
    return plan_make(j->c, j->out->arena, t, &o);
}

void job_count_launches(Job *j, int kernel, double launches)
{
    KernelOutcome *out = &j->out->kernels[kernel];
    const PlanKernel *k = &j->out->plan->kernels[kernel];
    out->launches = launches;
    out->at_most = false;
    out->read_bytes = launches * k->read_bytes;
    out->written_bytes = launches * k->written_bytes;
}

static bool describe_plan(Job *j)
{
    RunOutcome *o = j->out;
    const Plan *plan = o->plan;
    o->kernel_count = plan->kernel_count;
    o->kernels = NEW_ARRAY(o->arena, KernelOutcome, o->kernel_count);
    for (int n = 0; n < o->kernel_count; n++) {
        const PlanKernel *k = &plan->kernels[n];
        KernelOutcome *out = &o->kernels[n];
        *out = (KernelOutcome){
            .name = k->name, .local_bytes = k->local_bytes, .barriers = k->barriers};
        job_count_launches(j, n, plan_rounds(plan, n));
        out->at_most = ANY(i, plan->loop_count, plan->loops[i].test >= 0 && n >= plan->loops[i].first && n < plan->loops[i].end);
        for (int d = 0; d < 3; d++) {
            out->local[d] = k->local[d];
            out->global[d] = 1;
            if (k->global[d] && !nat_eval(k->global[d], valuation_value, &j->sizes, &out->global[d])) return false;
        }
    }
    o->warning_count = plan->warning_count;
    o->warnings = plan->warnings;
    o->source = j->spec->source_override ? arena_strdup(o->arena, j->spec->source_override) : plan->source;
    if (j->spec->pads) o->source = source_padded(o->arena, o->source);
    return true;
}

static bool mentions(const Type *t, Scalar s)
{
    bool found = (t->kind == TY_SCALAR || t->kind == TY_VECTOR) && t->scalar == s;
    int parts = t->kind == TY_TUPLE || t->kind == TY_FUN ? t->count : t->kind == TY_ARRAY;
    for (int i = 0; i < parts && !found; i++) found = mentions(t->elems[i], s);
    return found;
}

/* Are values of that type there; halves are loaded, stored, cast and chosen everywhere: are they computed? */
static bool needs_type(void *scalar, const Term *t)
{
    Scalar s = *(const Scalar *)scalar;
    return (s != SC_F16 || (t->kind == T_PRIM && prim_rounds((PrimId)t->prim))) && mentions(t->type, s);
}

static bool lacks(const Job *j, Scalar s, const char *needs)
{
    const Term *found = term_find(j->spec->term, needs_type, &s);
    const char *what = s == SC_F16 ? "%s computes in %s, which %s does not" : "%s has values of %s, which %s has not";
    if (found && diag_error(&j->c->diag, E56, what, j->spec->name, scalar_name(s), device_info(j->d)->id)) {
        if (found->kind == T_PRIM) diag_note(&j->c->diag, "found", "%s of %s", prim((PrimId)found->prim)->name, type_text(j->c, found->type));
        diag_note(&j->c->diag, "needs", "%s", needs);
        diag_note(&j->c->diag, "try", "list devices -v     says which have it");
    }
    return found;
}

/* Said before anything is compiled, for compilers say it in pages. */
static bool device_has_types(Job *j)
{
    const DeviceInfo *d = device_info(j->d);
    if (!d->has_f16 && lacks(j, SC_F16, "halves that are only loaded, stored, cast, compared and chosen: f16 (f32 x * f32 y)")) return false;
    if (!d->has_f64 && lacks(j, SC_F64, "f32, or a device with f64")) return false;
    return d->has_i64 || (!lacks(j, SC_I64, "i32, or a device with i64") && !lacks(j, SC_U64, "u32, or a device with u64"));
}

/* Has it what the plan asks of it: updates in one step, images? Rows of an image, and rows of it, as the device takes them. */
enum { STACK_BYTES = 8 << 20 };          /* of a thread, as systems give it that were not told otherwise */

static bool device_has_features(Job *j)
{
    const DeviceInfo *d = device_info(j->d);
    const Plan *plan = j->out->plan;
    Diag *diag = &j->c->diag;
    if (plan->atomics64 && !d->has_atomics64) {
        if (diag_error(diag, E56, "%s updates numbers of 64 bits in one step, which %s cannot do", j->spec->name, d->id))
            diag_note(diag, "hint", "reduceByIndexSeq, by parts for each work-item (reduceByIndexParts), runs there; so do 32 bits");
        return false;
    }
    /* Processors keep the private arrays of a group on the stack of one thread, and die where it ends. */
    for (const PlanKernel *k = plan->kernels; k < plan->kernels + plan->kernel_count && !d->is_gpu; k++) {
        int64_t items = 1;
        for (int i = 0; i < 3; i++) items *= k->local[i] > 0 ? k->local[i] : 1;
        if (k->private_array <= STACK_BYTES / items) continue;
        if (diag_error(diag, E56, "%s has a private array of %lld bytes in each of %lld work-items a group, and %s has room for %d in all",
                       k->name, (long long)k->private_array, (long long)items, d->id, STACK_BYTES))
            diag_note(diag, "hint", "toGlobal instead of toPrivate, or a smaller piece at a time (split)");
        return false;
    }
    for (const PlanBuffer *b = plan->buffers; b < plan->buffers + plan->buffer_count; b++) {
        int64_t width, height;
        if (b->kind != PLAN_IMAGE) continue;
        if (!d->image_width) return diag_error(diag, E56, "%s has %s, and %s has no images", j->spec->name, b->name, d->id) && false;
        if (!nat_eval(b->width, valuation_value, &j->sizes, &width) || !nat_eval(b->height, valuation_value, &j->sizes, &height)) continue;
        if (width > d->image_width || height > d->image_height) {
            if (diag_error(diag, E56, "%s has %lld rows of %lld texels, and %s takes images of %lld x %lld", b->name, (long long)height,
                           (long long)width, d->id, (long long)d->image_height, (long long)d->image_width))
                diag_note(diag, "hint", "a long row becomes several: toImage (split n x)");
            return false;
        }
        if (device_has_texels(j->d, launch_texels(b->scalar), b->written, diag)) continue;
        if (!diag_failed(diag))
            diag_error(diag, E56, "%s has no images of %s that kernels %s", d->id, scalar_name(b->scalar), b->written ? "write" : "read");
        return false;
    }
    return true;
}

bool job_prepare(Job *j, int batch_number)
{
    const EditedCode *edited = j->spec->edited;
    RunOutcome *o = j->out;
    *o = (RunOutcome){.arena = arena_new(), .summary = "", .source = "", .batch = 1};
    o->diag = diag_new();
    const DeviceInfo *info = device_info(j->d);
    o->device_id = arena_strdup(o->arena, info->id);
    o->device_name = arena_strdup(o->arena, info->name);
    o->sizes = bindings_text(j->spec->bindings, j->spec->binding_count, VAR_SIZE, o->arena);
    o->params = bindings_text(j->spec->bindings, j->spec->binding_count, VAR_PARAM, o->arena);
    o->verify.level_text = "";
    if (!device_has_types(j) || !bind(j)) return job_refuse(j);
    o->plan = make_plan(j, batch_number);
    if (!o->plan || (edited && !edited_fits(edited, o->plan->source, o->sizes, &o->diag)) || !describe_plan(j))
        return job_refuse(j);
    if (!device_has_features(j) || !bindings_check_facts(o->plan->facts, o->plan->fact_count, j->spec->bindings,
                                                         j->spec->binding_count, &o->diag)) return job_refuse(j);
    if (!j->spec->planned || j->spec->planned(j->spec->planned_data, o)) return true;
    o->state = STATE_SKIPPED;
    return false;
}
