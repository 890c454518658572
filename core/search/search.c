/* search: candidates built, verified, timed and recorded, each source at most once. */
#include "search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    BATCH_MAX = 8,                       /* candidates in one program */
    SLOW = 20,                           /* a run may take so many times the best ... */
    SLOW_CPU_MS = 4000, SLOW_GPU_MS = 500,       /* ... and this at least: a driver may compile at the first launch */
    HOPELESS = 3,                        /* one run that takes so many times the best ends the timing */
};

typedef struct Done {                    /* a trial that is over, found by its source */
    uint64_t source;
    int number;
    Trial trial;                         /* its message in the search's arena */
} Done;

struct Search {
    Session *session;
    Device *device;
    Results *results;
    SearchOptions options;
    RunSettings settings;
    Arena *arena, *scratch;              /* as long as the search; one search_try */
    PtrTable by_source;
    References *references;
    double best_ns;
    int count, fixed;
};

typedef struct Candidate {               /* one of those evaluated together */
    Search *x;
    const Version *version;
    Values values;
    RunSpec spec;
    ResultRecord record;                 /* store NULL: there is none */
    bool ready, answered;                /* ready: spec can be run; answered: out is set without a run */
    struct Candidate *first, *twin;      /* the first of those together; twin: one before this with the same source */
    Trial *out;
} Candidate;

/* ---- a search ---- */

Search *search_new(Session *s, Device *d, Results *results, const SearchOptions *options)
{
    Search *x = mem_alloc(sizeof *x);
    *x = (Search){.session = s, .device = d, .results = results, .options = *options, .arena = arena_new(),
                  .scratch = arena_new(), .best_ns = options->best_ns};
    x->references = references_new();
    x->options.label = arena_strdup(x->arena, options->label ? options->label : "");
    x->settings = session_run_settings(s);
    x->settings.transfer = options->transfer;
    x->settings.verify_ms = 5.0 * x->settings.run_ms;
    return x;
}

void search_fixed(Search *x, int choices) { x->fixed = choices; }

void search_free(Search *x)
{
    if (!x) return;
    ptr_table_free(&x->by_source);
    references_free(x->references);
    arena_free(x->scratch);
    arena_free(x->arena);
    free(x);
}

static bool same_source(const void *key, const void *item) { return *(const uint64_t *)key == ((const Done *)item)->source; }

static const Done *done_with(const Search *x, uint64_t source)
{
    return ptr_table_find(&x->by_source, source, same_source, &source);
}

/* The trial has ended: it has a number, and later ones with its source share its result. */
static void finish(Search *x, Trial *t)
{
    x->count++;
    if (t->state == RESULT_OK && t->ns > 0 && (x->best_ns <= 0 || t->ns < x->best_ns)) x->best_ns = t->ns;
    if (!t->source || done_with(x, t->source)) return;
    Done *d = NEW(x->arena, Done);
    *d = (Done){t->source, x->count, *t};
    d->trial.message = arena_strdup(x->arena, t->message);
    d->trial.times = arena_strdup(x->arena, t->times ? t->times : "");
    ptr_table_add(&x->by_source, d->source, d);
}

/* ---- what the store knows of a candidate ---- */

static void describe(Candidate *k)
{
    Search *x = k->x;
    k->record = (ResultRecord){.store = x->results, .arena = x->scratch};
    Result *row = &k->record.planned;
    row->key.program = session_current(x->session)->program->name;
    row->key.origin = session_current(x->session)->versions.v[0]->hash;
    row->key.version = k->version->hash;
    result_key(&k->spec, device_info(x->device), x->scratch, &row->key);
    row->derivation = session_derivation(x->session, k->version, x->scratch);
    row->search = x->options.label;
    row->sequence = x->count + 1 + (k - k->first);
    row->fixed = x->fixed;
    row->version_number = k->version->number > 0 ? k->version->number : 0;
    row->message = "";
    row->features = "{}";
}

static void from_row(const Result *r, Trial *t)
{
    t->state = r->state;
    t->ns = r->ns;
    t->min_ns = r->min_ns;
    t->iqr_ns = r->iqr_ns;
    t->flops = r->flops;
    t->bytes = r->bytes;
    t->build_ms = r->build_ms;
    t->runs = r->trials;
    t->times = r->times;
    t->verify_ms = r->verify_ms;
    t->message = r->message ? r->message : "";
}

static bool look_up(Candidate *k)
{
    Result found;
    Search *x = k->x;
    if (!x->results || !results_find(x->results, &k->record.planned.key, x->scratch, &found)) return false;
    if (found.id <= x->options.since) return false;
    if (result_interrupted(&k->record, &found)) return false;
    if (x->options.force && (found.state == RESULT_FAILED || result_is_culprit(&found, x->settings.run_ms))) return false;
    from_row(&found, k->out);
    k->out->known = true;
    k->out->when = found.when;
    return true;
}

/* A trial whose result is another's, or that never came to be built, has a row of its own. */
static void record(Candidate *k)
{
    Result *row = &k->record.planned;
    const Trial *t = k->out;
    if (!k->x->results || t->known || k->record.id) return;
    row->state = t->state;
    row->ns = t->ns;
    row->min_ns = t->min_ns;
    row->iqr_ns = t->iqr_ns;
    row->flops = t->flops;
    row->bytes = t->bytes;
    row->build_ms = t->build_ms;
    row->trials = t->runs;
    row->times = t->times;
    row->verify_ms = t->verify_ms;
    row->message = t->message;
    results_begin(k->x->results, row);
}

/* ---- between planning and building ---- */

static Candidate *twin_of(const Candidate *k)
{
    for (Candidate *other = k->first; other < k; other++)
        if (other->out->source == k->out->source && !other->twin) return other;
    return NULL;
}

/* RunPlanned: is this source new? */
static bool planned(void *data, const RunOutcome *o)
{
    Candidate *k = data;
    Search *x = k->x;
    k->out->source = k->record.planned.key.source = result_source_hash(o);
    const Done *d = done_with(x, k->out->source);
    if (d) {
        *k->out = d->trial;
        k->out->same_as = d->number;
        k->out->known = false;
    }
    k->twin = d ? NULL : twin_of(k);
    k->answered = d || (!k->twin && look_up(k));
    return !k->answered && !k->twin && !x->options.replay;
}

/* ---- evaluating ---- */

static void take_outcome(Candidate *k, const RunOutcome *o)
{
    Trial *t = k->out;
    const TimeOutcome *time = &o->time;
    const char *message = diag_failed(&o->diag) && o->state != STATE_FAILED ? o->diag.message : o->summary;
    t->state = result_state_of(o);
    t->message = arena_strndup(k->x->scratch, message, strcspn(message, "\n"));
    t->build_ms = o->build_ms;
    t->runs = time->trials;
    t->times = result_times(time, k->x->scratch);
    t->verify_ms = o->verify.ms;
    t->gave_up = time->gave_up;
    if (t->state != RESULT_OK || !time->trials) return;
    t->ns = time->median_ns;
    t->min_ns = time->min_ns;
    t->iqr_ns = time->iqr_ns;
    t->flops = time->flops;
    t->bytes = (double)time->bytes;
}

static bool is_stopped(const Search *x) { return x->options.stop && *x->options.stop; }

/* A version that cannot even be bound is refused with the session's error. */
static void prepare(Candidate *k, Search *x, const Version *v, Trial *out)
{
    const Derivation *d = session_current(x->session);
    Diag *diag = &session_ctx(x->session)->diag;
    *out = (Trial){.state = RESULT_REFUSED, .message = ""};
    k->x = x;
    k->version = v;
    k->out = out;
    diag_clear(diag);
    k->ready = session_values(x->session, v, x->scratch, &k->values);
    if (!k->ready) {
        if (diag->id == E25 && is_stopped(x)) out->state = RESULT_STOPPED;
        out->message = arena_strdup(x->scratch, diag->message ? diag->message : "");
        diag_clear(diag);
        session_given_values(x->session, v, x->scratch, &k->values);
    }
    k->spec = (RunSpec){
        .name = d->program->name, .term = v->root, .reference = d->program->body, .bindings = k->values.b,
        .binding_count = k->values.count,
        .sizes_as_arguments = session_setting_is(x->session, SET_SIZES, "argument"), .inputs = d->inputs,
        .input_count = d->program->input_count, .settings = x->settings, .stop = x->options.stop,
        .references = x->references, .planned = planned, .planned_data = k,
    };
    session_local(x->session, k->spec.local);
    if (x->options.source) k->spec.source_override = x->options.source(x->options.source_data, v);
    describe(k);
}

/* What is slower than the best by far need not be measured well, nor waited for. */
static void set_limits(Search *x, RunSettings *settings)
{
    if (x->best_ns <= 0) return;
    double least = device_info(x->device)->is_gpu ? SLOW_GPU_MS : SLOW_CPU_MS, limit = SLOW * x->best_ns * 1e-6;
    if (limit < least) limit = least;
    settings->hurried = limit < settings->run_ms;
    if (settings->hurried) settings->run_ms = (int)ceil(limit);
    settings->give_up_ns = HOPELESS * x->best_ns;
}

/* True: it was ended, not stopped. */
static bool conclude(Candidate *k, const RunOutcome *o)
{
    Trial *t = k->out;
    if (k->twin) {
        const Done *d = done_with(k->x, t->source);
        *t = *k->twin->out;
        t->known = false;
        t->same_as = d ? d->number : 0;
    } else if (o && !k->answered) {
        take_outcome(k, o);
        if (k->record.id) result_record(&k->record, o);
    }
    if (t->state == RESULT_STOPPED) return false;
    if (t->state == RESULT_REFUSED && !k->answered && !k->record.id) look_up(k);
    record(k);
    finish(k->x, t);
    return true;
}

static bool evaluate(Search *x, const Version *const *versions, const char *const *derivations, int count, Trial *out)
{
    Candidate *all = NEW_ARRAY(x->scratch, Candidate, count);
    RunSpec *specs = NEW_ARRAY(x->scratch, RunSpec, count);
    RunOutcome *outcomes = NEW_ARRAY(x->scratch, RunOutcome, count);
    int n = 0, at = 0;
    bool ok = true;
    for (int i = 0; i < count; i++) {
        all[i].first = all;
        prepare(&all[i], x, versions[i], &out[i]);
        if (derivations && derivations[i]) all[i].record.planned.derivation = derivations[i];
        set_limits(x, &all[i].spec.settings);
        if (x->results) result_watch(&all[i].record, &all[i].spec);
        if (all[i].ready) specs[n++] = all[i].spec;
    }
    run_versions(session_ctx(x->session), x->device, specs, n, x->options.batch && n > 1, outcomes);
    for (int i = 0; i < count; i++) ok = conclude(&all[i], all[i].ready ? &outcomes[at++] : NULL) && ok;
    for (int i = 0; i < n; i++) run_outcome_free(&outcomes[i]);
    diag_clear(&session_ctx(x->session)->diag);
    return ok;
}

/* Building several at once pays where the compiler's start costs much: not on a GPU's. */
int search_batch(const Search *x)
{
    const DeviceInfo *info = device_info(x->device);
    return x->options.batch && !info->is_gpu && !info->is_checker ? BATCH_MAX : 1;
}

bool search_try(Search *x, const Version *const *versions, const char *const *derivations, int count, Trial *out)
{
    bool going = true;
    arena_reset(x->scratch);
    for (int i = 0; i < count; i++) out[i] = (Trial){.state = RESULT_STOPPED, .message = ""};
    for (int i = 0, n; i < count && going; i += n) {
        n = count - i < search_batch(x) ? count - i : search_batch(x);
        going = !is_stopped(x) && evaluate(x, versions + i, derivations ? derivations + i : NULL, n, out + i);
    }
    return going;
}
