/* results_run: a run of core/run written down while it happens. */
#include "results_private.h"
#include "text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

ResultState result_state_of(const RunOutcome *o)
{
    static const ResultState states[] = {[STATE_OK] = RESULT_OK, [STATE_REFUSED] = RESULT_REFUSED, [STATE_WRONG] = RESULT_WRONG,
                                         [STATE_STOPPED] = RESULT_STOPPED, [STATE_SKIPPED] = RESULT_STOPPED};
    if (o->state != STATE_FAILED) return states[o->state];
    switch (o->device_status) {
    case RUN_BUILD_FAILED: return RESULT_BUILD_FAILED;
    case RUN_TIMED_OUT: return RESULT_TIMED_OUT;
    case RUN_DIED: return RESULT_DIED;
    case RUN_LOST: return o->opencl_code ? RESULT_DIED : RESULT_FAILED;      /* a GPU on which a kernel faulted; no worker */
    default: return RESULT_FAILED;
    }
}

/* ---- the source ---- */

uint64_t result_source_hash(const RunOutcome *o)
{
    uint64_t h = 1;
    if (!o->source || !*o->source) return 0;
    for (const char *s = o->source; *s;) {
        size_t n = name_length(s);
        if (s[0] == '/' && (s[1] == '*' || s[1] == '/')) {
            const char *end = s[1] == '*' ? strstr(s + 2, "*/") : strchr(s, '\n');
            s = !end ? s + strlen(s) : s[1] == '*' ? end + 2 : end;
            continue;
        }
        int kernel = 0;
        while (n && kernel < o->kernel_count && !(strlen(o->kernels[kernel].name) == n && !strncmp(o->kernels[kernel].name, s, n))) kernel++;
        if (n) h = kernel < o->kernel_count ? hash_mix(h, ~(uint64_t)kernel) : hash_mix(hash_bytes(h, s, n), n);
        else if (!isspace((unsigned char)*s)) h = hash_mix(h, (unsigned char)*s);
        s += n ? n : 1;
    }
    return h ? h : 1;
}

/* ---- the key ---- */

static const char *inputs_text(const RunSpec *spec, Arena *arena)
{
    Buf b = {0};
    for (int i = 0; i < spec->input_count; i++) {
        const RunInput *in = &spec->inputs[i];
        struct stat st;
        buf_printf(&b, "%s%s=", i ? " " : "", in->name);
        if (in->spec.kind == FILL_DEFAULT) buf_puts(&b, "default");
        else fill_print(&in->spec, &b);
        if (in->spec.kind == FILL_FILE && in->spec.path && !stat(in->spec.path, &st))
            buf_printf(&b, "#%lld.%lld", (long long)st.st_size, (long long)st.st_mtime);
        if (in->spec.kind == FILL_DATA && in->spec.data) {
            /* What the caller hands over is known by what it holds. */
            uint8_t digest[32];
            data_hash(in->spec.data, digest);
            for (int j = 0; j < 8; j++) buf_printf(&b, "%s%02x", j ? "" : "#", digest[j]);
        }
    }
    return buf_take(&b, arena);
}

void result_key(const RunSpec *spec, const DeviceInfo *device, Arena *arena, ResultKey *key)
{
    key->params = bindings_text(spec->bindings, spec->binding_count, VAR_PARAM, arena);
    key->sizes = bindings_text(spec->bindings, spec->binding_count, VAR_SIZE, arena);
    key->inputs = inputs_text(spec, arena);
    /* What changes the kernels beside the term, or what a result is worth, is of the options. */
    Buf b = {0};
    if (spec->sizes_as_arguments) buf_puts(&b, "sizes=argument");
    if (spec->local[0] || spec->local[1] || spec->local[2])
        buf_printf(&b, "%slocal=%dx%dx%d", b.len ? " " : "", spec->local[0], spec->local[1], spec->local[2]);
    if (spec->settings.paranoid) buf_printf(&b, "%s" RESULT_PARANOID, b.len ? " " : "");
    if (!spec->settings.verify) buf_printf(&b, "%sverify=off", b.len ? " " : "");
    if (spec->source_override)
        buf_printf(&b, "%scode=%016llx", b.len ? " " : "",
                   (unsigned long long)hash_bytes(1, spec->source_override, strlen(spec->source_override)));
    key->options = buf_take(&b, arena);
    key->transfer = transfer_name(spec->settings.transfer);
    key->tool = LATHE_VERSION;
    if (!device) return;
    key->device = device->id;
    key->device_name = device->name;
    key->driver = device->driver;
}

/* ---- recording ---- */

bool result_interrupted(ResultRecord *record, const Result *newest)
{
    struct timespec since;               /* the machine started */
    if (newest->state != RESULT_DIED || strncmp(newest->message, RESULT_LEFT, strlen(RESULT_LEFT))) return false;
    record->planned.trials = newest->trials + 1;
    clock_gettime(CLOCK_BOOTTIME, &since);
    return newest->trials == 0 && newest->when >= (int64_t)time(NULL) - since.tv_sec - 1;
}

static void watch(void *data, RunPhase phase, const RunOutcome *so_far)
{
    static const ResultState states[] = {
        [PHASE_BUILDING] = RESULT_BUILDING, [PHASE_WAITING] = RESULT_BUILT, [PHASE_RUNNING] = RESULT_RUNNING};
    ResultRecord *record = data;
    record->planned.state = states[phase];
    if (!record->planned.key.source) record->planned.key.source = result_source_hash(so_far);
    if (record->id) results_state(record->store, record->id, states[phase]);
    else record->id = results_begin(record->store, &record->planned);
}

void result_watch(ResultRecord *record, RunSpec *spec)
{
    spec->watch = watch;
    spec->watch_data = record;
    record->planned.limit_ms = spec->settings.run_ms;
}

/* What its kernels do, as they were planned. */
static const char *features_text(const RunOutcome *o, Arena *arena)
{
    if (!o->plan || o->source != o->plan->source || !o->plan->kernel_count || !o->plan->kernels->features) return NULL;
    PlanFeatures all;
    json_t *j = json_object();
    plan_features(o->plan, &all);
    for (int i = 0; i < FEATURE_COUNT; i++)
        if (all.v[i] != 0) json_object_set_new(j, plan_feature_name((Feature)i), number_json(all.v[i]));
    LOCAL(drop) char *text = json_dumps(j, JSON_REAL_PRECISION(15));
    json_decref(j);
    return arena_strdup(arena, text);
}

void result_outcome(Result *v, const RunOutcome *o, Arena *arena)
{
    v->state = result_state_of(o);
    v->ns = o->time.median_ns;
    v->min_ns = o->time.min_ns;
    v->iqr_ns = o->time.iqr_ns;
    v->trials = o->time.trials;
    Buf b = {0};
    for (int i = 0; i < o->time.trials; i++) buf_printf(&b, "%s%.8g", i ? " " : "", o->time.ns[i]);
    v->times = buf_take(&b, arena);
    /* "f_k0 1200 4096 8, f_k1 ..."; "": not timed one by one. */
    for (int i = 0; i < o->kernel_count; i++) {
        const KernelOutcome *k = &o->kernels[i];
        if (k->ns > 0)
            buf_printf(&b, "%s%s %.8g %.15g %.15g", b.len ? ", " : "", k->name, k->ns, k->read_bytes, k->written_bytes);
    }
    v->kernels = buf_take(&b, arena);
    v->verify_ms = o->verify.ms;
    v->build_ms = o->build_ms / (o->batch > 1 ? o->batch : 1);
    if (o->time.bytes) v->bytes = (double)o->time.bytes;
    if (o->time.flops > 0) v->flops = o->time.flops;
    const VerifyOutcome *w = &o->verify;
    if (v->state == RESULT_OK && w->status == VERIFY_INACCURATE)
        v->message = !w->inaccurate ? arena_printf(arena, "inaccurate: error %.2g", w->error)
            : arena_printf(arena, "inaccurate: %s for %s (%lld of %lld values)", w->lost.got, w->lost.want, (long long)w->inaccurate, (long long)w->inaccurate_of);
    if (v->state == RESULT_OK && w->status == VERIFY_ILL_CONDITIONED)
        v->message = arena_printf(arena, "ill-conditioned: a change of %.2g would not have been seen", w->power);
    else v->message = v->state == RESULT_OK ? "" : diag_failed(&o->diag) ? o->diag.message : o->summary;
    const char *features = features_text(o, arena);
    if (features) v->features = features;
}

void result_record(ResultRecord *record, const RunOutcome *o)
{
    Result *v = &record->planned;
    result_outcome(v, o, record->arena);
    if (v->state == RESULT_REFUSED && !v->search) {      /* no kernel of it was run; of a search's points one wants to know that */
        if (record->id) results_drop(record->store, record->id);
        return;
    }
    if (!v->key.source) v->key.source = result_source_hash(o);
    if (!record->id) record->id = results_begin(record->store, v);
    else results_end(record->store, record->id, v);
}
