/* device: one open device: its worker, started when it is needed, and what that is asked within a time limit; programs built, inputs
 * held by their content, so that each is sent once, and runs. */
#include "device.h"
#include "process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPEN_MS = 60000, MOVE_MS = 60000, PING_MS = 5000 };
enum { BATCH_MS = 200, BATCH_MAX = 64 };           /* repetitions asked for at once: about so long, at most so many */

typedef struct Program {
    int id;
    bool built;                /* in the present worker */
    Arena *arena;              /* of its texts */
    char *source, **kernels;
    int kernel_count;
} Program;

typedef char Key[33];
typedef struct Cached {        /* an input the present worker holds */
    Key key;
    size_t bytes;
    int64_t used;              /* number of the request that used it last */
} Cached;

struct Device {
    Arena *arena, *report;     /* of the texts of info; of the last report */
    DeviceInfo info;
    DeviceLimits limits;
    const volatile sig_atomic_t *stop;
    void (*waits)(void *data);
    void *waits_data;
    Process *process;
    bool opening;              /* it was asked to open the device, and the reply has not been waited for */
    VEC(Program) programs;
    VEC(Cached) inputs;
    int next_program, deaths;
    int64_t requests, uploaded;
    void (*wait)(void *data, bool on);   /* NULL: nobody is told */
    void *wait_data;
    int asides;                /* device_aside(true) so many times more than (false) */
    int texels[2];             /* kinds of images that are read, and written, as bits, 1 << Texels; -1: it was not opened yet */
};

Device *device_open(const DeviceInfo *info)
{
    Device *d = mem_alloc(sizeof *d);
    d->arena = arena_new();
    d->report = arena_new();
    d->info = device_info_copy(d->arena, info);
    d->limits = (DeviceLimits){60000, 10000};
    d->next_program = 1;
    d->texels[0] = d->texels[1] = -1;
    return d;
}

void device_aside(Device *d, bool on)
{
    if (!d) return;
    bool changes = on ? d->asides++ == 0 : --d->asides == 0;
    if (changes && d->wait) d->wait(d->wait_data, on);
}

/* The worker is gone, and what it held. */
static void drop_worker(Device *d)
{
    device_aside(d, true);
    process_stop(d->process);
    device_aside(d, false);
    d->process = NULL;
    d->opening = false;
    d->inputs.n = 0;
    for (int i = 0; i < d->programs.n; i++) d->programs.v[i].built = false;
}

void device_close(Device *d)
{
    if (!d) return;
    drop_worker(d);
    for (int i = 0; i < d->programs.n; i++) arena_free(d->programs.v[i].arena);
    free(d->programs.v);
    free(d->inputs.v);
    arena_free(d->arena);
    arena_free(d->report);
    free(d);
}

const DeviceInfo *device_info(const Device *d) { return &d->info; }
void device_set_limits(Device *d, DeviceLimits limits) { d->limits = limits; }
int device_worker_id(const Device *d) { return d->process ? process_id(d->process) : 0; }
int64_t device_uploaded(const Device *d) { return d->uploaded; }

void device_set_stop(Device *d, const volatile sig_atomic_t *stop, void (*waits)(void *data), void *data)
{
    d->stop = stop;
    d->waits = waits;
    d->waits_data = data;
    if (d->process) process_set_stop(d->process, stop, waits, data);
}

void device_set_wait(Device *d, void (*wait)(void *data, bool on), void *data)
{
    d->wait = wait;
    d->wait_data = data;
}

bool devices_alike(const DeviceInfo *a, const DeviceInfo *b)
{
    return !strcmp(a->name, b->name) && !strcmp(a->driver, b->driver) && a->compute_units == b->compute_units
           && a->is_gpu == b->is_gpu && a->is_checker == b->is_checker;
}

/* ---- asking the worker ---- */

/* What a reply, or a missing one, comes to. */
typedef struct Outcome {
    RunStatus status;
    int code, signal;
    int limit_ms;              /* RUN_TIMED_OUT: which limit */
    bool is_building;          /* it happened in a build */
    Buf log;
} Outcome;

typedef enum { DO_OPEN, DO_PING, DO_BUILD, DO_MOVE, DO_RUN } Phase;

static int phase_limit(const Device *d, Phase phase)
{
    const int ms[] = {[DO_OPEN] = OPEN_MS, [DO_PING] = PING_MS, [DO_BUILD] = d->limits.build_ms, [DO_MOVE] = MOVE_MS, [DO_RUN] = d->limits.run_ms};
    return ms[phase];
}

/* The exchange ended so: the outcome, and the worker is dropped. */
static void worker_end(Device *d, ExchangeStatus s, Phase phase, Outcome *o)
{
    bool kernel = phase == DO_BUILD || phase == DO_RUN;
    o->status = s == EXCHANGE_STOPPED ? RUN_DIED : s == EXCHANGE_NONSENSE || !kernel ? RUN_LOST
                : s == EXCHANGE_TIMEOUT ? RUN_TIMED_OUT : RUN_DIED;
    o->signal = s == EXCHANGE_STOPPED ? SIGINT : s == EXCHANGE_DIED ? process_signal(d->process) : 0;
    o->limit_ms = phase_limit(d, phase);
    o->is_building = phase == DO_BUILD;
    process_describe_end(d->process, s, &o->log);
    const char *text = process_output(d->process);
    if (*text) buf_printf(&o->log, "\n%s", text);
    drop_worker(d);
}

/* What came of a request whose exchange ended so. A status that no worker answers is not from our worker. */
static bool take_reply(Device *d, ExchangeStatus s, const Frame *reply, Phase phase, Outcome *o)
{
    static const char *const names[] = {
        [RUN_OK] = "ok", [RUN_BUILD_FAILED] = "build_failed", [RUN_BAD_LAUNCH] = "bad_launch", [RUN_FAILED] = "run_failed",
        [RUN_TIMED_OUT] = "timed_out", [RUN_DIED] = "died", [RUN_LOST] = "device_lost", [RUN_FINDING] = "finding"};
    const char *name = get_text(reply->head, "status");
    int status = s == EXCHANGE_OK && name ? text_index(names, COUNT(names), name) : -1;
    if (status < 0) {
        worker_end(d, s == EXCHANGE_OK ? EXCHANGE_NONSENSE : s, phase, o);
        return false;
    }
    o->status = (RunStatus)status;
    o->code = (int)get_int(reply->head, "code");
    o->is_building = phase == DO_BUILD;
    if (reply->blob_count) buf_write(&o->log, reply->blobs[0].data, reply->blobs[0].bytes);
    if (o->status == RUN_LOST) drop_worker(d);
    return o->status == RUN_OK;
}

/* One request; takes head. True: RUN_OK. The caller frees the reply always. */
static bool worker_ask(Device *d, Phase phase, json_t *head, const Blob *blob, Frame *reply, Outcome *o)
{
    device_aside(d, true);
    ExchangeStatus s = process_exchange(d->process, head, blob, phase_limit(d, phase), reply);
    device_aside(d, false);
    json_decref(head);
    return take_reply(d, s, reply, phase, o);
}

/* A request whose reply holds nothing more; o NULL: what comes of it is no matter. */
static bool worker_tell(Device *d, Phase phase, json_t *head, Outcome *o)
{
    Frame reply;
    Outcome own = {0};
    bool ok = worker_ask(d, phase, head, NULL, &reply, o ? o : &own);
    frame_free(&reply);
    buf_free(&own.log);
    return ok;
}

/* It is asked to open the device; whether it could is heard later. */
static bool start_worker(Device *d, Buf *problem)
{
    d->process = process_start(d->info.is_checker ? LOADER_CHECKER : LOADER_SYSTEM, d->info.launcher, problem);
    if (!d->process) return false;
    process_set_stop(d->process, d->stop, d->waits, d->waits_data);
    json_t *head = json_pack("{s:s,s:s,s:I,s:I,s:b}", "op", "open", "api", d->info.api, "platform",
                             (json_int_t)d->info.platform_index, "device",
                             (json_int_t)d->info.device_index, "checker", d->info.is_checker);
    process_send(d->process, head, NULL);
    json_decref(head);
    d->opening = true;
    return true;
}

/* A worker that is alive and has the device open. */
static bool worker_need(Device *d, Outcome *o)
{
    /* One that died or hung while idle is replaced, and nobody is blamed. */
    if (d->process && !d->opening) worker_tell(d, DO_PING, json_pack("{s:s}", "op", "ping"), NULL);
    if (!d->process && !start_worker(d, &o->log)) {
        o->status = RUN_LOST;
        return false;
    }
    if (!d->opening) return true;
    Frame reply;
    device_aside(d, true);
    ExchangeStatus s = process_receive(d->process, phase_limit(d, DO_OPEN), &reply);
    device_aside(d, false);
    d->opening = false;
    bool ok = take_reply(d, s, &reply, DO_OPEN, o);
    const json_t *texels = json_object_get(reply.head, "texels");
    for (size_t i = 0; ok && i < json_array_size(texels) && i < 2; i++) d->texels[i] = (int)json_integer_value(json_array_get(texels, i));
    frame_free(&reply);
    if (!ok && d->process) drop_worker(d);
    return ok;
}

void device_begin(Device *d)
{
    LOCAL(buf_free) Buf problem = {0};
    if (!d->process) start_worker(d, &problem);
}

bool device_answers(Device *d, Buf *why)
{
    Outcome o = {0};
    bool ok = worker_need(d, &o);
    const char *text = buf_text(&o.log), *rest = text + strcspn(text, "\n");
    if (!ok) buf_printf(why, "%.*s", (int)(rest - text), text);
    rest += strspn(rest, "\n");                             /* the first thing that it, or what launches it, had to say */
    if (!ok && *rest) buf_printf(why, ": %.*s", (int)strcspn(rest, "\n"), rest);
    buf_free(&o.log);
    return ok;
}

/* ---- inputs that the worker holds ---- */

static Cached *find_input(Device *d, const char *key)
{
    return FIRST(i, d->inputs.v, d->inputs.n, !strcmp(d->inputs.v[i].key, key));
}

static bool free_input(Device *d, Cached *c, Outcome *o)
{
    json_t *head = json_pack("{s:s,s:s}", "op", "free", "key", c->key);
    *c = d->inputs.v[--d->inputs.n];
    return worker_tell(d, DO_MOVE, head, o);
}

/* The worker holds that one no more, if it lives. */
static void input_forget(Device *d, const char *key)
{
    Cached *c = find_input(d, key);
    if (c) free_input(d, c, NULL);
}

/* A quarter of the device's memory, at most 4 GiB, is for inputs that might come again: those go that were not used the longest, but
 * for what the present request needs. */
static bool make_room(Device *d, size_t bytes, Outcome *o)
{
    int64_t quarter = d->info.global_bytes / 4, most = (int64_t)4 << 30;
    for (;;) {
        Cached *oldest = NULL;
        size_t held = 0;
        for (Cached *c = d->inputs.v; c < d->inputs.v + d->inputs.n; c++) {
            held += c->bytes;
            if (c->used < d->requests && (!oldest || c->used < oldest->used)) oldest = c;
        }
        if (!oldest || held + bytes <= (size_t)(quarter < most ? quarter : most)) return true;
        if (!free_input(d, oldest, o)) return false;
    }
}

/* The keys of the inputs, one a buffer, all marked as used now, so that making room spares them. malloc. */
static Key *input_keys(Device *d, const RunRequest *r)
{
    Key *keys = mem_alloc(sizeof *keys * (size_t)r->buffer_count);
    d->requests++;
    for (int i = 0; i < r->buffer_count; i++) {
        if (r->buffers[i].role != BUF_INPUT) continue;
        const RunBuffer *b = &r->buffers[i];
        ContentKey k = content_key_known(b->key) ? b->key : content_key(b->input, b->bytes);
        snprintf(keys[i], sizeof(Key), "%016llx%016llx", (unsigned long long)k.a, (unsigned long long)k.b);
        Cached *c = find_input(d, keys[i]);
        if (c) c->used = d->requests;
    }
    return keys;
}

/* Sends what the worker does not hold. */
static bool inputs_need(Device *d, const RunRequest *r, const Key *keys, Outcome *o)
{
    for (int i = 0; i < r->buffer_count; i++) {
        const RunBuffer *b = &r->buffers[i];
        if (b->role != BUF_INPUT || find_input(d, keys[i])) continue;
        if (!make_room(d, b->bytes, o)) return false;
        for (size_t at = 0; at < b->bytes; at += WINDOW_BYTES) {
            size_t left = b->bytes - at, bytes = left < WINDOW_BYTES ? left : WINDOW_BYTES;
            json_t *head = json_pack("{s:s,s:s,s:I,s:I,s:I}", "op", "upload", "key", keys[i], "offset", (json_int_t)at, "bytes",
                                     (json_int_t)bytes, "total", (json_int_t)b->bytes);
            memcpy(process_window(d->process), (const char *)b->input + at, bytes);
            d->uploaded += (int64_t)bytes;
            if (!worker_tell(d, DO_MOVE, head, o)) return false;
        }
        Cached c = {.bytes = b->bytes, .used = d->requests};
        memcpy(c.key, keys[i], sizeof c.key);
        vec_push(&d->inputs, c);
    }
    return true;
}

/* ---- how builds and runs that failed are explained; when a device is paused ---- */

/* The k-th non-blank line of a text without its indentation, at most 200 bytes of it. NULL: it has not so many. */
static const char *log_line(const char *text, int k, int *len)
{
    for (size_t n; *text; text += n + (text[n] == '\n')) {
        n = strcspn(text, "\n");
        size_t indent = strspn(text, " \t\r");
        if (indent >= n || k-- > 0) continue;
        *len = n - indent > 200 ? 200 : (int)(n - indent);
        return text + indent;
    }
    *len = 0;
    return NULL;
}

/* At most so many of its lines from the k-th on. */
static void note_lines(Diag *diag, const char *text, int k, int most)
{
    int len;
    const char *line;
    for (int i = 0; i < most && (line = log_line(text, k + i, &len)); i++) diag_note(diag, i ? "" : "log", "%.*s", len, line);
}

static void explain_plain(ErrorId id, const char *what, const Outcome *o, int most, Diag *diag)
{
    int len;
    const char *text = buf_text(&o->log), *line = log_line(text, 0, &len);
    if (diag_error(diag, id, "%s%s%.*s", what, *what && len ? ": " : "", len, line ? line : "")) note_lines(diag, text, 1, most);
}

/* Reports every status but RUN_OK; subject: "kernel mm_k0". */
static void outcome_explain(const Device *d, const Outcome *o, const char *subject, Diag *diag)
{
    const char *text = buf_text(&o->log), *doing = o->is_building ? "building" : "running",
               *limit = o->is_building ? "build_timeout" : "run_timeout";
    enum { LINES = 1000 };               /* of a log, that are looked through */
    int len, k = 0;
    const char *line;
    LOCAL(buf_free) Buf lost = {0};
    switch (o->status) {
    case RUN_OK: break;
    case RUN_BUILD_FAILED:               /* the line of the log that names the first error, or else its first */
        while (k < LINES && (line = log_line(text, k, &len)) && !memmem(line, (size_t)len, "error", 5)) k++;
        if (k == LINES || !line) line = log_line(text, 0, &len);
        if (diag_error(diag, E61, "%s does not build: %.*s", subject, len, line ? line : "")) note_lines(diag, text, 0, 8);
        break;
    case RUN_BAD_LAUNCH: explain_plain(E65, "", o, 4, diag); break;
    case RUN_FAILED:
        explain_plain(E62, "", o, 4, diag);
        if (strstr(text, "no room on the device")) diag_note(diag, "try", "data    for smaller sizes");
        break;
    case RUN_FINDING: explain_plain(E64, subject, o, 9, diag); break;
    case RUN_LOST:
        buf_printf(&lost, "device %s failed with %s", d->info.id, subject);
        explain_plain(E62, buf_text(&lost), o, 4, diag);
        break;
    case RUN_TIMED_OUT:
        diag_fail(diag, E62, "%s%s timed out after %.1f s (limit: %s)\nworker killed; the next run starts a new one\nnext set %s %d", subject,
                  o->is_building ? " (being built)" : "", o->limit_ms / 1000.0, limit, limit, (o->limit_ms * 4 + 999) / 1000);
        break;
    case RUN_DIED:
        if (o->signal == SIGINT) {
            diag_error(diag, E62, "interrupted; the worker was killed while %s %s", doing, subject);
            break;
        }
        line = log_line(text, 0, &len);
        if (!diag_error(diag, E62, "%.*s while %s %s", len, line ? line : "", doing, subject)) break;
        note_lines(diag, text, 1, 4);
        /* Which worker the next run gets. The death has been counted. */
        if (!device_paused(d, NULL)) diag_note(diag, "worker", "the next run starts a new one");
        else diag_note(diag, "worker", "died %d times in a row: %s is paused until `device %s`", d->deaths, d->info.id, d->info.id);
        if (!d->info.is_checker && !o->is_building)
            diag_note(diag, "next", "device oclgrind ; run        at small sizes: it says what a kernel does wrong");
        break;
    }
}

/* "kernel A", or "kernels A, B ..." of all the names. */
static void kernels_name(char *const *names, int n, Buf *out)
{
    buf_puts(out, n == 1 ? "kernel " : "kernels ");
    for (int i = 0; i < n && i < 3; i++) buf_printf(out, "%s%s", i ? ", " : "", names[i]);
    if (n > 3) buf_puts(out, " ...");
}

/* A build, or a run (ran), ended so: counts deaths in a row, of which that something was built shows nothing; explains; frees the
 * subject. The log, taken out of o. */
static const char *outcome_conclude(Device *d, Outcome *o, bool ran, Buf *subject, Diag *diag)
{
    bool interrupted = o->status == RUN_DIED && o->signal == SIGINT;
    if (o->status == RUN_LOST || (o->status == RUN_DIED && !interrupted)) d->deaths++;
    else if (ran && o->status != RUN_TIMED_OUT && !interrupted) d->deaths = 0;
    outcome_explain(d, o, buf_text(subject), diag);
    buf_free(subject);
    return buf_take(&o->log, d->report);
}

bool device_paused(const Device *d, Diag *diag)
{
    if (d->deaths < DEVICE_DEATHS) return false;
    if (diag && diag_error(diag, E62, "%s is paused: its worker died %d times in a row", d->info.id, DEVICE_DEATHS)) {
        diag_note(diag, "try", "device %s        takes it up again; search then goes on behind them", d->info.id);
        if (!d->info.is_checker)
            diag_note(diag, "or", "device oclgrind        says what a kernel does wrong, at small sizes");
    }
    return true;
}

void device_set_paused(Device *d, bool paused) { d->deaths = paused ? DEVICE_DEATHS : 0; }

/* ---- building ---- */

/* report may be NULL: a program that had been built is built again after the worker was replaced. */
static bool build(Device *d, Program *p, BuildReport *report, Outcome *o)
{
    Frame reply;
    Blob source = {p->source, strlen(p->source)};
    json_t *names = JSON_LIST(i, p->kernel_count, json_string(p->kernels[i]));
    json_t *head = json_pack("{s:s,s:i,s:o}", "op", "build", "program", p->id, "kernels", names);
    p->built = worker_ask(d, DO_BUILD, head, &source, &reply, o);
    const json_t *list = json_object_get(reply.head, "kernels");
    if (report && reply.head) {
        report->ms = json_number_value(json_object_get(reply.head, "ms"));
        report->kernel_count = (int)json_array_size(list);
        report->kernels = NEW_ARRAY(d->report, KernelReport, report->kernel_count);
    }
    for (int i = 0; report && i < report->kernel_count; i++) {
        const json_t *k = json_array_get(list, (size_t)i);
        report->kernels[i] = (KernelReport){json_integer_value(json_array_get(k, 0)), json_integer_value(json_array_get(k, 1)),
                                            json_integer_value(json_array_get(k, 2))};
    }
    frame_free(&reply);
    return p->built;
}

bool device_build(Device *d, const char *source, const char **kernels, int kernel_count, int *program,
                  BuildReport *report, Diag *diag)
{
    Outcome o = {0};
    Buf subject = {0};
    *report = (BuildReport){0};
    arena_reset(d->report);
    Program p = {.id = d->next_program++, .arena = arena_new(), .kernel_count = kernel_count};
    p.source = arena_strdup(p.arena, source);
    p.kernels = NEW_ARRAY(p.arena, char *, kernel_count);
    for (int i = 0; i < kernel_count; i++) p.kernels[i] = arena_strdup(p.arena, kernels[i]);
    device_aside(d, true);
    bool ok = worker_need(d, &o) && build(d, &p, report, &o);
    device_aside(d, false);
    kernels_name(p.kernels, p.kernel_count, &subject);
    report->status = o.status;
    report->opencl_code = o.code;
    report->signal = o.signal;
    report->log = outcome_conclude(d, &o, false, &subject, diag);
    if (ok) {
        *program = p.id;
        vec_push(&d->programs, p);
    } else arena_free(p.arena);
    return ok;
}

static Program *find_program(Device *d, int id) { return FIRST(i, d->programs.v, d->programs.n, d->programs.v[i].id == id); }

void device_forget(Device *d, int program)
{
    Program *p = find_program(d, program);
    if (!p) return;
    if (p->built && process_alive(d->process)) worker_tell(d, DO_MOVE, json_pack("{s:s,s:i}", "op", "forget", "program", program), NULL);
    arena_free(p->arena);
    *p = d->programs.v[--d->programs.n];
}

/* ---- the run request ---- */

PRINTF_LIKE(2, 3) static bool refuse(Outcome *o, const char *fmt, ...)
{
    o->status = RUN_BAD_LAUNCH;
    WITH_ARGS(fmt, ap, buf_vprintf(&o->log, fmt, ap));
    return false;
}

/* What the worker takes as it comes; the rest it checks against the device. */
static bool check_request(const Program *p, const RunRequest *r, Outcome *o)
{
    if (!p) return refuse(o, "there is no program %d on this device", r->program);
    for (const Launch *l = r->launches; l < r->launches + r->launch_count; l++) {
        int at = (int)(l - r->launches);
        if (l->kernel < 0 || l->kernel >= p->kernel_count) return refuse(o, "launch %d: the program has no kernel %d", at, l->kernel);
        for (int i = 0; i < l->arg_count; i++)
            if (l->args[i].kind == ARG_BUFFER && (l->args[i].buffer < 0 || l->args[i].buffer >= r->buffer_count))
                return refuse(o, "launch %d, argument %d: there is no buffer %d", at, i, l->args[i].buffer);
    }
    return true;
}

static json_t *run_request(const RunRequest *r, const Key *keys)
{
    static const char *const roles[] = {
        [BUF_INPUT] = "input", [BUF_OUTPUT] = "output", [BUF_TEMP] = "temp", [BUF_STATE] = "state", [BUF_IMAGE] = "image"};
    json_t *buffers = json_array(), *launches = json_array(), *loops = json_array();
    for (int i = 0; i < r->buffer_count; i++) {
        const RunBuffer *b = &r->buffers[i];
        json_t *buffer = b->role != BUF_IMAGE ? json_pack("{s:i}", "fill", (int)b->fill)
            : json_pack("{s:i,s:I,s:I,s:i,s:b}", "of", b->of, "width", (json_int_t)b->width, "height", (json_int_t)b->height,
                        "texels", (int)b->texels, "written", b->written);
        if (b->role == BUF_INPUT) json_object_set_new(buffer, "key", json_string(keys[i]));
        json_object_set_new(buffer, "role", json_string(roles[b->role]));
        json_object_set_new(buffer, "bytes", json_integer((json_int_t)b->bytes));
        json_array_append_new(buffers, buffer);
    }
    for (int i = 0; i < r->launch_count; i++) {
        const Launch *l = &r->launches[i];
        json_t *args = json_array();
        for (int k = 0; k < l->arg_count; k++) {
            const LaunchArg *a = &l->args[k];
            LOCAL(buf_free) Buf hex = {0};
            for (size_t at = 0; a->kind == ARG_VALUE && at < a->bytes; at++) buf_printf(&hex, "%02x", a->value[at]);
            json_array_append_new(args, a->kind == ARG_BUFFER ? json_pack("[s,i]", a->written ? "w" : "b", a->buffer)
                                        : a->kind == ARG_LOCAL ? json_pack("[s,I]", "l", (json_int_t)a->bytes)
                                        : a->kind == ARG_ROUND ? json_pack("[s,i,I]", "r", a->loop, (json_int_t)a->bytes)
                                                               : json_pack("[s,s]", "v", buf_text(&hex)));
        }
        json_array_append_new(launches, json_pack("{s:i,s:I,s:o,s:o,s:o}", "kernel", l->kernel, "local_bytes", (json_int_t)l->local_bytes,
                                                  "global", JSON_LIST(k, 3, json_integer((json_int_t)l->global[k])),
                                                  "local", JSON_LIST(k, 3, json_integer((json_int_t)l->local[k])), "args", args));
    }
    for (int i = 0; i < r->loop_count; i++) {
        const LaunchLoop *l = &r->loops[i];
        json_t *states = json_array();
        for (const LaunchState *s = l->states; s < l->states + l->state_count; s++)
            json_array_append_new(states, json_pack("[i,i,i,i,i]", s->from, s->to, s->init, s->out, s->spare));
        json_array_append_new(loops, json_pack("{s:i,s:i,s:i,s:i,s:I,s:i,s:o}", "around", l->around, "first", l->first, "step", l->step,
                                               "end", l->end, "rounds", (json_int_t)l->rounds, "test", l->test, "states", states));
    }
    return json_pack("{s:s,s:i,s:b,s:i,s:b,s:b,s:o,s:o,s:o}", "op", "run", "program", r->program, "canaries", r->canaries, "transfer",
                     (int)r->transfer, "finish", r->finish, "by_kernel", r->by_kernel, "buffers", buffers, "launches", launches, "loops", loops);
}

/* ---- images ---- */

bool device_has_texels(Device *d, Texels kind, bool written, Diag *diag)
{
    Outcome o = {0};
    if (d->texels[written] < 0 && !worker_need(d, &o)) outcome_explain(d, &o, "images", diag);
    buf_free(&o.log);
    return d->texels[written] >= 0 && d->texels[written] >> kind & 1;
}

/* ---- transfers ---- */

static const char *const transfers[] = {"none", "to", "from", "both"};

const char *transfer_name(Transfer t) { return transfers[t]; }

bool transfer_named(const char *name, Transfer *out)
{
    int i = text_index(transfers, COUNT(transfers), name);
    if (i >= 0) *out = (Transfer)i;
    return i >= 0;
}

/* ---- running ---- */

/* The times of the launches of one execution are those of the next trial. */
static void note_kernels(const RunRequest *r, const json_t *list, RunReport *report)
{
    for (int i = 0; r->by_kernel && i < r->launch_count; i++)
        report->kernels_ns[report->trial_count * r->launch_count + i] = json_number_value(json_array_get(list, (size_t)i));
}

static size_t piece_at(const RunBuffer *b, size_t at) { return b->bytes - at < WINDOW_BYTES ? b->bytes - at : WINDOW_BYTES; }

/* The piece of a buffer of the last run that begins there, into the window. */
static bool read_piece(Device *d, const RunBuffer *b, int index, size_t at, Outcome *o)
{
    json_t *head = json_pack("{s:s,s:i,s:I,s:I}", "op", "read", "buffer", index, "offset", (json_int_t)at, "bytes",
                             (json_int_t)piece_at(b, at));
    return worker_tell(d, DO_MOVE, head, o);
}

static bool read_outputs(Device *d, const RunRequest *r, Outcome *o)
{
    bool ok = true;
    for (int i = 0; ok && i < r->buffer_count; i++) {
        const RunBuffer *b = &r->buffers[i];
        if (b->role != BUF_OUTPUT || !b->output) continue;
        for (size_t at = 0; ok && at < b->bytes; at += WINDOW_BYTES) {
            ok = read_piece(d, b, i, at, o);
            if (ok) memcpy((char *)b->output + at, process_window(d->process), piece_at(b, at));
        }
    }
    return ok;
}

/* Other runs would start from what was written there. */
static void check_inputs(Device *d, const RunRequest *r, const Key *keys, Outcome *o)
{
    for (int i = 0; r->check_inputs && d->process && i < r->buffer_count; i++) {
        const RunBuffer *b = &r->buffers[i];
        size_t at = 0;                       /* then the first byte that is not as it was sent */
        bool known = true, changed = false;
        while (b->role == BUF_INPUT && !changed && at < b->bytes && (known = read_piece(d, b, i, at, NULL))) {
            const char *sent = (const char *)b->input + at, *held = process_window(d->process);
            size_t n = piece_at(b, at), same = 0;
            changed = memcmp(held, sent, n) != 0;
            while (changed && held[same] == sent[same]) same++;
            at += changed ? same : n;
        }
        if (known && !changed) continue;
        input_forget(d, keys[i]);
        if (!known) continue;
        o->status = RUN_FINDING;
        buf_printf(&o->log, "writes to input %s, first at byte %zu of %zu\n", b->name ? b->name : "", at, b->bytes);
    }
}

/* Ends early, with the trials made so far, when the user asks. */
static bool run_trials(Device *d, const RunRequest *r, double first_ns, RunReport *report, Outcome *o)
{
    int skip = r->warmup > 0 ? r->warmup : 0, want = r->trials > 1 ? r->trials : 1;      /* still to warm up; still to be timed */
    int target = d->limits.run_ms / 8 < BATCH_MS ? d->limits.run_ms / 8 : BATCH_MS;
    double each_ms = 0;                  /* wall time of one execution, lately; 0: not known */
    bool once = want == 1 && skip == 0;
    report->times_ns = NEW_ARRAY(d->report, double, want);
    while (!once && skip + want && !(d->stop && *d->stop)) {
        Frame reply;
        double fit = each_ms > 0 ? target / each_ms : 1, start = clock_exact_ms();
        int most = fit < 1 ? 1 : fit > BATCH_MAX ? BATCH_MAX : (int)fit, n = most < skip + want ? most : skip + want;
        bool ok = worker_ask(d, DO_RUN, json_pack("{s:s,s:i}", "op", "again", "count", n), NULL, &reply, o);
        double ms = clock_exact_ms() - start;
        const json_t *times = json_object_get(reply.head, "times_ns"), *kernels = json_object_get(reply.head, "kernels_ns");
        if (ok && json_array_size(times) != (size_t)n) {
            worker_end(d, EXCHANGE_NONSENSE, DO_RUN, o);
            ok = false;
        }
        for (int i = skip < n ? skip : n; ok && i < n; i++, want--) {
            note_kernels(r, json_array_get(kernels, (size_t)i), report);
            report->times_ns[report->trial_count++] = json_number_value(json_array_get(times, (size_t)i));
        }
        skip -= skip < n ? skip : n;
        each_ms = ms / n;
        report->wall_ms += ms;
        frame_free(&reply);
        if (!ok) return false;
    }
    if (!report->trial_count) report->times_ns[report->trial_count++] = first_ns;
    return true;
}

bool device_run(Device *d, const RunRequest *r, RunReport *report, Diag *diag)
{
    Outcome o = {0};
    Buf subject = {0};
    *report = (RunReport){0};
    arena_reset(d->report);
    Program *p = find_program(d, r->program);
    device_aside(d, true);
    bool ready = check_request(p, r, &o) && worker_need(d, &o);
    if (ready && !p->built) {
        ready = build(d, p, NULL, &o);
        if (ready) buf_clear(&o.log);
    }
    LOCAL(drop) Key *keys = ready ? input_keys(d, r) : NULL;
    if (ready && inputs_need(d, r, keys, &o)) {
        Frame reply;
        int trials = r->trials > 1 ? r->trials : 1;
        if (r->by_kernel) report->kernels_ns = NEW_ARRAY(d->report, double, (size_t)trials * (size_t)r->launch_count);
        double start = clock_exact_ms();
        bool ok = worker_ask(d, DO_RUN, run_request(r, keys), NULL, &reply, &o);
        double ns = json_number_value(json_object_get(reply.head, "ns"));
        note_kernels(r, json_object_get(reply.head, "kernels_ns"), report);
        report->launches = NEW_ARRAY(d->report, int64_t, r->launch_count);
        for (int i = 0; i < r->launch_count; i++)
            report->launches[i] = json_integer_value(json_array_get(json_object_get(reply.head, "launches"), (size_t)i));
        report->wall_ms = clock_exact_ms() - start;
        frame_free(&reply);
        if (ok && read_outputs(d, r, &o)) run_trials(d, r, ns, report, &o);
        else if (o.status == RUN_FINDING) read_outputs(d, r, NULL);          /* it stays the outcome, even when they cannot be read */
        check_inputs(d, r, keys, &o);
    }
    device_aside(d, false);
    bool one = p && r->launch_count == 1 && r->launches[0].kernel >= 0 && r->launches[0].kernel < p->kernel_count;
    if (one) kernels_name(&p->kernels[r->launches[0].kernel], 1, &subject);
    else if (p) kernels_name(p->kernels, p->kernel_count, &subject);
    else buf_puts(&subject, "no program");
    report->status = o.status;
    report->opencl_code = o.code;
    report->signal = o.signal;
    report->log = outcome_conclude(d, &o, true, &subject, diag);
    return report->status == RUN_OK;
}
