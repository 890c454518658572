/* search: candidates built, verified, timed and recorded, each source at most once. */
#include "search.h"
#include "setting.h"
#include "values.h"

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    BATCH_MAX = 8,                       /* candidates in one program */
    ASKED_EACH = 1024,                   /* of several devices: candidates worth asking for at a time */
    SLOW = 20,                           /* a run may take so many times the best ... */
    SLOW_CPU = 40, SLOW_GPU = 5,         /* ... and so many hundredths of run_timeout at least: a driver may compile at the first launch */
    HOPELESS = 3,                        /* one run that takes so many times the best ends the timing */
    BLAMED = 2,                          /* so many workers ended elsewhere, or devices lost, at a candidate: it is the cause */
    LOOK_MS = 50,                        /* how often a raised stop is looked for */
    GIVE_WAY_MS = 1,                     /* who makes candidates lets those go first who have a device at work */
};

typedef struct Done {                    /* a trial that is over, found by its source */
    uint64_t source;
    int number;
    Trial trial;                         /* its message in the search's arena */
} Done;

typedef struct Member {                  /* one device, and who works for it */
    Search *x;
    Device *device;
    pthread_t thread;
    bool has_thread, busy;
    const char *lost;                    /* why; NULL: it goes on */
    bool told;                           /* of its loss (search_lost) */
} Member;

typedef struct Candidate {               /* of the present search_try */
    Search *x;
    const Member *member;                /* whose device it is for, once taken */
    const Version *version;
    const char *derivation;              /* NULL: the session's */
    Values values;
    RunSpec spec;
    ResultRecord record;                 /* store NULL: there is none */
    enum { UNMADE, OPEN, TAKEN, ENDED } at;
    bool ready, answered;                /* ready: spec can be run; answered: trial is set without a run */
    const struct Candidate *twin;        /* another one, with the same source, that is run */
    int losses;                          /* devices that were lost, or workers elsewhere that ended, while it ran */
    Trial trial;
} Candidate;

struct Search {
    Session *session;
    Results *results;
    SearchOptions options;
    RunSettings settings;
    Arena *arena, *scratch;              /* as long as the search; one search_try */
    PtrTable by_source;
    References *references;
    double best_ns;
    int count, fixed;                    /* count: trials that have a number */
    const SearchQueue *queue;            /* of the present search_try ... */
    Candidate *all;
    int total, made, begun;              /* made: the first so many have been; begun: count when it began */
    bool ending;                         /* no more of them are taken */
    int member_count;
    Member *members;
    bool threads, closing;               /* threads: each member has one, and the lock is in use */
    pthread_mutex_t lock;
    pthread_cond_t changed;              /* something to do, or done */
    atomic_int wanting;                  /* members that wait for the lock */
};

static bool is_stopped(const Search *x) { return x->options.stop && *x->options.stop; }

/* ---- a search ---- */

static void *serve(void *member);

static void wait_apart(void *data, bool on)
{
    Search *x = data;
    if (on) pthread_mutex_unlock(&x->lock);
    else {
        atomic_fetch_add(&x->wanting, 1);
        pthread_mutex_lock(&x->lock);
        atomic_fetch_sub(&x->wanting, 1);
    }
}

/* Until something has changed, or so many milliseconds have passed. */
static void wait_for_change(Search *x, int ms)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += ms * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&x->changed, &x->lock, &until);
}

Search *search_new(Session *s, Device *const *devices, int device_count, Results *results, const SearchOptions *options)
{
    Search *x = mem_alloc(sizeof *x);
    *x = (Search){.session = s, .results = results, .options = *options, .arena = arena_new(),
                  .scratch = arena_new(), .best_ns = options->best_ns, .member_count = device_count};
    x->references = references_new();
    x->options.label = arena_strdup(x->arena, options->label ? options->label : "");
    x->settings = session_run_settings(s);
    x->settings.transfer = options->transfer;
    x->settings.verify_ms = 5.0 * x->settings.run_ms;
    x->members = NEW_ARRAY(x->arena, Member, device_count);
    for (int i = 0; i < device_count; i++) x->members[i] = (Member){.x = x, .device = devices[i]};
    if (device_count > 1 && !options->replay) {
        /* Signals go to who called. */
        sigset_t all, before;
        x->threads = true;
        pthread_mutex_init(&x->lock, NULL);
        pthread_cond_init(&x->changed, NULL);
        pthread_mutex_lock(&x->lock);
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        for (int i = 0; i < x->member_count; i++) {
            Member *m = &x->members[i];
            device_set_wait(m->device, wait_apart, x);
            m->has_thread = !pthread_create(&m->thread, NULL, serve, m);
            if (!m->has_thread) m->lost = "there is no thread for it";
        }
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
    return x;
}

void search_fixed(Search *x, int choices) { x->fixed = choices; }

void search_free(Search *x)
{
    if (!x) return;
    if (x->threads) {
        x->closing = true;
        pthread_cond_broadcast(&x->changed);
        pthread_mutex_unlock(&x->lock);
        for (int i = 0; i < x->member_count; i++) {
            if (x->members[i].has_thread) pthread_join(x->members[i].thread, NULL);
            device_set_wait(x->members[i].device, NULL, NULL);
        }
        pthread_cond_destroy(&x->changed);
        pthread_mutex_destroy(&x->lock);
    }
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

/* ---- what the store knows of a candidate ---- */

/* What is known of one device is known of all, for they are alike. */
static bool look_up(Candidate *k)
{
    Search *x = k->x;
    for (int i = 0; x->results && i < x->member_count; i++) {
        Result found;
        ResultKey key = k->record.planned.key;
        key.device = device_info(x->members[i].device)->id;
        if (!results_find(x->results, &key, x->scratch, &found) || found.id <= x->options.since || result_interrupted(&k->record, &found)) continue;
        if (x->options.force && (found.state == RESULT_FAILED || result_is_culprit(&found, x->settings.run_ms))) continue;
        found.key.source = k->trial.result.key.source;
        k->trial = (Trial){.result = found, .known = true};
        return true;
    }
    return false;
}

/* A trial whose result is another's, or that never came to be built, has a row of its own. */
static void record(Candidate *k)
{
    const Result *mine = &k->record.planned;
    Result row = k->trial.result;
    if (!k->x->results || k->trial.known || k->record.id) return;
    row.id = row.when = 0;
    row.key = mine->key;
    row.session = mine->session;
    row.version_number = mine->version_number;
    row.derivation = mine->derivation;
    row.search = mine->search;
    row.sequence = mine->sequence;
    row.fixed = mine->fixed;
    row.limit_ms = mine->limit_ms;
    results_begin(k->x->results, &row);
}

/* ---- between planning and building ---- */

/* RunPlanned: is this source new? */
static bool planned(void *data, const RunOutcome *o)
{
    Candidate *k = data;
    Search *x = k->x;
    k->trial.result.key.source = k->record.planned.key.source = result_source_hash(o);
    const Done *d = done_with(x, k->record.planned.key.source);
    if (d) {
        k->trial = d->trial;
        k->trial.same_as = d->number;
        k->trial.known = false;
    }
    k->twin = NULL;
    for (const Candidate *other = x->all; !d && !k->twin && other < x->all + x->total; other++)
        if (other != k && other->trial.result.key.source == k->trial.result.key.source && !other->twin) k->twin = other;
    k->answered = d || (!k->twin && look_up(k));
    return !k->answered && !k->twin && !x->options.replay;
}

/* ---- evaluating ---- */

/* A version that cannot even be bound is refused with the session's error. */
static void prepare(Candidate *k, const Member *m)
{
    Search *x = k->x;
    const Derivation *d = session_current(x->session);
    Diag *diag = &session_ctx(x->session)->diag;
    k->member = m;
    k->twin = NULL;
    k->answered = false;
    k->trial = (Trial){.result = {.state = RESULT_REFUSED, .message = "", .key.device = device_info(m->device)->id}};
    diag_clear(diag);
    k->ready = session_values(x->session, k->version, x->scratch, &k->values);
    if (!k->ready) {
        if (diag->id == E25 && is_stopped(x)) k->trial.result.state = RESULT_STOPPED;
        k->trial.result.message = arena_strdup(x->scratch, diag->message ? diag->message : "");
        diag_clear(diag);
        session_given_values(x->session, k->version, x->scratch, &k->values);
    }
    k->spec = (RunSpec){
        .name = d->program->name, .term = k->version->root, .reference = d->program->body, .approximate = version_is_approximate(k->version), .bindings = k->values.b,
        .binding_count = k->values.count,
        .sizes_as_arguments = session_setting_is(x->session, SET_SIZES, "argument"), .inputs = d->inputs,
        .input_count = d->program->input_count, .settings = x->settings, .stop = x->options.stop,
        .references = x->references, .planned = planned, .planned_data = k,
    };
    session_local(x->session, k->spec.local);
    if (x->options.source) k->spec.source_override = x->options.source(x->options.source_data, k->version);
    k->record = (ResultRecord){.store = x->results, .arena = x->scratch};
    Result *row = &k->record.planned;
    row->key.program = session_current(x->session)->program->name;
    row->key.origin = session_current(x->session)->versions.v[0]->hash;
    row->key.version = k->version->hash;
    result_key(&k->spec, device_info(k->member->device), x->scratch, &row->key);
    row->derivation = k->derivation ? k->derivation : session_derivation(x->session, k->version, x->scratch);
    row->search = x->options.label;
    row->sequence = x->begun + 1 + (k - x->all);
    row->fixed = x->fixed;
    row->version_number = k->version->number > 0 ? k->version->number : 0;
    row->message = "";
    row->features = "{}";
}

static bool left_by_worker(const RunOutcome *o)
{
    return o->state == STATE_FAILED && (o->device_status == RUN_DIED || o->device_status == RUN_TIMED_OUT || o->device_status == RUN_LOST);
}

/* It was run, or need not be. lost: the device takes no more, so that what was under way there goes to another. A worker elsewhere may end
 * for reasons of its machine's, of which a launcher tells nothing. */
static void end(Candidate *k, RunOutcome *o, bool lost)
{
    k->at = ENDED;
    if (!o || k->answered || k->twin) return;
    bool elsewhere = *device_info(k->member->device)->launcher, died = o->state == STATE_FAILED && o->device_status == RUN_DIED;
    bool again = (lost && (left_by_worker(o) || o->state == STATE_STOPPED)) || (elsewhere && died);
    if (again && o->state == STATE_FAILED && o->device_status != RUN_LOST) again = ++k->losses < BLAMED;
    if (again) {
        o->state = STATE_STOPPED;
        k->at = OPEN;
    }
    Result *r = &k->trial.result;
    const char *message = diag_failed(&o->diag) && o->state != STATE_FAILED ? o->diag.message : o->summary;
    if (k->record.id) result_record(&k->record, o);
    if (k->record.id) *r = k->record.planned;
    else result_outcome(r, o, k->x->scratch);
    r->message = arena_strndup(k->x->scratch, message, strcspn(message, "\n"));
    r->build_ms = o->build_ms;
    k->trial.gave_up = o->time.gave_up;
}

static void evaluate(Member *m, Candidate *const *some, int count)
{
    Search *x = m->x;
    RunSpec specs[BATCH_MAX];
    RunOutcome outcomes[BATCH_MAX];
    int n = 0, at = 0;
    m->busy = true;
    for (int i = 0; i < count; i++) {
        Candidate *k = some[i];
        prepare(k, m);
        /* What is slower than the best by far need not be measured well, nor waited for. */
        RunSettings *settings = &k->spec.settings;
        double limit = fmax(SLOW * x->best_ns * 1e-6, settings->run_ms * (device_info(m->device)->is_gpu ? SLOW_GPU : SLOW_CPU) / 100.0);
        settings->hurried = x->best_ns > 0 && limit < settings->run_ms;
        if (settings->hurried) settings->run_ms = (int)ceil(limit);
        if (x->best_ns > 0) settings->give_up_ns = HOPELESS * x->best_ns;
        if (x->results) result_watch(&k->record, &k->spec);
        if (k->ready) specs[n++] = k->spec;
    }
    run_versions(session_ctx(x->session), m->device, specs, n, x->options.batch && n > 1, outcomes);
    /* Does the device take no more? One that alone is left is kept: there is no other. */
    Buf why = {0};
    bool asked = false, lost = false;
    if (m->x->threads && !is_stopped(m->x)) {
        for (int i = 0; i < n; i++) asked = asked || left_by_worker(&outcomes[i]);
        bool answers = !asked || device_answers(m->device, &why);
        if (answers && device_paused(m->device, NULL)) buf_printf(&why, "its worker died or was lost %d times in a row", DEVICE_DEATHS);
        if (why.len) {
            m->lost = arena_strdup(x->arena, buf_text(&why));
            device_set_paused(m->device, true);                  /* for who uses it afterwards */
        }
        buf_free(&why);
        lost = m->lost;
    }
    for (int i = 0; i < count; i++) end(some[i], some[i]->ready ? &outcomes[at++] : NULL, lost);
    for (int i = 0; i < n; i++) run_outcome_free(&outcomes[i]);
    diag_clear(&session_ctx(x->session)->diag);
    m->busy = false;
}

/* Building several at once pays where the compiler's start costs much: not on a GPU's. */
static int built_together(const Search *x)
{
    const DeviceInfo *info = device_info(x->members[0].device);
    return x->options.batch && !info->is_gpu && !info->is_checker ? BATCH_MAX : 1;
}

int search_batch(const Search *x) { return x->threads ? x->member_count * ASKED_EACH : built_together(x); }

/* The next ones, in their order; towards the end of several devices' work fewer, so that all end at about the same time. */
static int take(Search *x, const Member *m, Candidate **out)
{
    int n = 0, open = 0, unmade = x->total - x->made, most = built_together(x);
    if (m->lost || x->ending || is_stopped(x)) return 0;
    for (int i = 0; i < x->made; i++) open += x->all[i].at == OPEN;
    int share = (open + unmade + 2 * x->member_count - 1) / (2 * x->member_count);
    if (x->threads && share < most) most = share;
    if (open < most && unmade) return 0;                     /* they are being made */
    for (int i = 0; i < x->total && n < most; i++) {
        if (x->all[i].at != OPEN) continue;
        x->all[i].at = TAKEN;
        out[n++] = &x->all[i];
    }
    return n;
}

static void *serve(void *member)
{
    Member *m = member;
    Search *x = m->x;
    Candidate *some[BATCH_MAX];
    wait_apart(x, false);
    while (!x->closing) {
        int n = take(x, m, some);
        if (n) evaluate(m, some, n);
        if (n) pthread_cond_broadcast(&x->changed);
        else pthread_cond_wait(&x->changed, &x->lock);
    }
    wait_apart(x, true);
    return NULL;
}

/* ---- what came out, in the order asked for ---- */

/* True: it was ended, not stopped. */
static bool conclude(Candidate *k)
{
    static const Trial stopped = {.result = {.state = RESULT_STOPPED, .message = ""}};
    Search *x = k->x;
    Trial *t = &k->trial;
    Result *r = &t->result;
    if (k->at != ENDED) *t = stopped;
    else if (k->twin) {
        const uint64_t source = r->key.source;
        const Done *d = done_with(x, source);
        *t = k->twin->at == ENDED ? k->twin->trial : stopped;
        r->key.source = source;
        t->known = false;
        t->same_as = d ? d->number : x->begun + 1 + (int)(k->twin - x->all);
    }
    if (r->state == RESULT_STOPPED) return false;
    if (r->state == RESULT_REFUSED && !k->answered && !k->record.id) look_up(k);
    record(k);
    /* The trial has ended: it has a number, and later ones with its source share its result. */
    x->count++;
    if (r->state == RESULT_OK && r->ns > 0 && (x->best_ns <= 0 || r->ns < x->best_ns)) x->best_ns = r->ns;
    if (r->key.source && !done_with(x, r->key.source)) {
        Done *d = MAKE(x->arena, Done, r->key.source, x->count, *t);
        d->trial.result = result_copy(r, x->arena);
        ptr_table_add(&x->by_source, d->source, d);
    }
    return true;
}

/* Those that can be told of, from `at` on; all: the others were stopped. Returns where the first is that is still waited for. */
static int tell_ended(Search *x, int at, bool all)
{
    const SearchQueue *q = x->queue;
    for (; at < x->total; at++) {
        Candidate *k = &x->all[at];
        if (!all && (k->at != ENDED || (k->twin && k->twin->at != ENDED))) return at;
        bool absent = at < x->made && !k->version, ended = absent || conclude(k);
        if (!q->ended(q->data, at, absent ? NULL : &k->trial) || !ended) x->ending = true;
    }
    return at;
}

/* The next candidate, unless so many wait for a device already. */
static bool make_one(Search *x)
{
    int open = 0, enough = built_together(x) * (x->threads ? 2 * x->member_count : 1);
    if (x->made == x->total || x->ending || is_stopped(x)) return false;
    for (int i = 0; i < x->made; i++) open += x->all[i].at == OPEN;
    if (open >= enough) return false;
    Candidate *k = &x->all[x->made];
    k->version = x->queue->make(x->queue->data, x->made, &k->derivation);
    k->at = k->version ? OPEN : ENDED;
    x->made++;
    return true;
}

static bool is_idle(const Search *x)
{
    bool busy = false, left = false, open = false;
    for (int i = 0; i < x->member_count; i++) busy = busy || x->members[i].busy, left = left || !x->members[i].lost;
    for (int i = 0; i < x->total; i++) open = open || x->all[i].at == OPEN || x->all[i].at == UNMADE;
    return !busy && (!left || !open || x->ending || is_stopped(x));
}

void search_try(Search *x, const SearchQueue *queue)
{
    arena_reset(x->scratch);
    x->queue = queue;
    x->all = NEW_ARRAY(x->scratch, Candidate, queue->count);
    x->total = queue->count;
    x->made = 0;
    x->begun = x->count;
    x->ending = false;
    for (int i = 0; i < queue->count; i++) x->all[i] = (Candidate){.x = x, .at = UNMADE};
    for (int at = 0; (at = tell_ended(x, at, is_idle(x))) < x->total;) {
        Candidate *some[BATCH_MAX];
        bool made = make_one(x);
        int n = made || x->threads ? 0 : take(x, &x->members[0], some);
        if (n) evaluate(&x->members[0], some, n);
        if (made && x->threads) pthread_cond_broadcast(&x->changed);
        if (!made && x->threads) wait_for_change(x, LOOK_MS);
        else if (atomic_load(&x->wanting)) wait_for_change(x, GIVE_WAY_MS);    /* a mutex would come back here at once */
    }
    x->total = 0;
}

/* ---- devices that are left ---- */

const DeviceInfo *search_lost(Search *x, const char **why)
{
    for (int i = 0; i < x->member_count; i++) {
        Member *m = &x->members[i];
        if (!m->lost || m->told) continue;
        m->told = true;
        *why = m->lost;
        return device_info(m->device);
    }
    return NULL;
}

bool search_is_over(const Search *x, Diag *diag)
{
    if (!x->threads) return device_paused(x->members[0].device, diag);
    if (ANY(i, x->member_count, !x->members[i].lost)) return false;
    if (diag && diag_error(diag, E62, "no device is left of %d", x->member_count))
        for (int i = 0; i < x->member_count && i < 4; i++)
            diag_note(diag, "lost", "%s: %s", device_info(x->members[i].device)->id, x->members[i].lost);
    return true;
}
