#include "device.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "process.h"

enum { HELLO_MS = 60000, OPEN_MS = 60000, MOVE_MS = 60000, PING_MS = 5000 };
enum { BATCH_MS = 200, BATCH_MAX = 64 };           /* repetitions asked for at once: about so long, at most so many */

static char *copy_text(const char *s) { return strcpy(mem_alloc(strlen(s ? s : "") + 1), s ? s : ""); }

const char *run_status_name(RunStatus s)
{
    static const char *const names[] = {
        [RUN_OK] = "ok",               [RUN_BUILD_FAILED] = "build_failed", [RUN_BAD_LAUNCH] = "bad_launch",
        [RUN_FAILED] = "run_failed",   [RUN_TIMED_OUT] = "timed_out",       [RUN_DIED] = "died",
        [RUN_LOST] = "device_lost",    [RUN_FINDING] = "finding"};
    return (int)s >= 0 && (int)s < COUNT(names) ? names[s] : "unknown";
}

/* What a worker may answer; anything else is not our worker. */
static bool status_from(const char *name, RunStatus *out)
{
    for (RunStatus s = RUN_OK; name && s <= RUN_FINDING; s++)
        if (!strcmp(name, run_status_name(s))) return *out = s, true;
    return false;
}

/* ---- the list ---- */

struct Devices {
    bool listed;
    VEC(DeviceInfo) list;
    Buf problem;               /* why a list came out empty, when it was not just empty */
};

static void info_free(DeviceInfo *i)
{
    free(i->id);
    free(i->name);
    free(i->vendor);
    free(i->platform);
    free(i->version);
    free(i->driver);
}

static DeviceInfo info_copy(const DeviceInfo *i)
{
    DeviceInfo c = *i;
    c.id = copy_text(i->id);
    c.name = copy_text(i->name);
    c.vendor = copy_text(i->vendor);
    c.platform = copy_text(i->platform);
    c.version = copy_text(i->version);
    c.driver = copy_text(i->driver);
    return c;
}

static char *text_of(const json_t *o, const char *key) { return copy_text(json_string_value(json_object_get(o, key))); }
static int64_t number_of(const json_t *o, const char *key) { return json_integer_value(json_object_get(o, key)); }
static bool flag_of(const json_t *o, const char *key) { return json_is_true(json_object_get(o, key)); }

static DeviceInfo info_from(const json_t *o, Loader loader)
{
    DeviceInfo i = {
        .name = text_of(o, "name"),       .vendor = text_of(o, "vendor"),
        .platform = text_of(o, "platform"), .version = text_of(o, "version"),
        .driver = text_of(o, "driver"),   .is_gpu = flag_of(o, "gpu"),
        .is_checker = loader == LOADER_CHECKER,
        .has_f64 = flag_of(o, "f64"),     .has_f16 = flag_of(o, "f16"),
        .compute_units = number_of(o, "units"), .max_group = number_of(o, "group"),
        .local_bytes = number_of(o, "local"), .global_bytes = number_of(o, "global"),
        .max_alloc = number_of(o, "alloc"),
        .platform_index = number_of(o, "platform_index"), .device_index = number_of(o, "device_index")};
    for (size_t k = 0; k < 3; k++) i.max_local[k] = json_integer_value(json_array_get(json_object_get(o, "items"), k));
    return i;
}

/* The first word of a platform's name in lower case, for platforms we do not know. */
static void first_word(const char *s, Buf *out)
{
    while (*s && !isalpha((unsigned char)*s)) s++;
    for (; isalpha((unsigned char)*s); s++) buf_putc(out, (char)tolower((unsigned char)*s));
    if (!out->len) buf_puts(out, "device");
}

static void vendor_word(const char *platform, Buf *out)
{
    static const struct { const char *part, *word; } known[] = {
        {"portable computing", "pocl"}, {"pocl", "pocl"},     {"nvidia", "nvidia"}, {"intel", "intel"},
        {"oclgrind", "oclgrind"},       {"amd", "amd"},       {"advanced micro", "amd"}, {"rusticl", "rusticl"},
        {"clover", "clover"},           {"apple", "apple"}};
    for (int i = 0; i < COUNT(known); i++)
        if (strcasestr(platform, known[i].part)) {
            buf_puts(out, known[i].word);
            return;
        }
    first_word(platform, out);
}

static const DeviceInfo *by_id(const Devices *d, const char *id)
{
    for (int i = 0; i < d->list.n; i++)
        if (!strcasecmp(d->list.v[i].id, id)) return &d->list.v[i];
    return NULL;
}

/* "pocl0", or "oclgrind" for the checker: the word and the first free number. */
static char *new_id(const Devices *d, const DeviceInfo *info)
{
    Buf word = {0}, id = {0};
    vendor_word(info->platform, &word);
    if (info->is_checker) buf_puts(&id, "oclgrind");
    for (int n = 0; !id.len || by_id(d, buf_text(&id)); n++) {
        buf_clear(&id);
        buf_printf(&id, "%s%d", buf_text(&word), n);
    }
    buf_free(&word);
    return id.data;
}

/* Oclgrind in the machine's own environment would lack its settings; it has an environment of its own. */
static void add_device(Devices *d, const json_t *o, Loader loader)
{
    DeviceInfo info = info_from(o, loader);
    if (loader == LOADER_SYSTEM && strcasestr(info.platform, "oclgrind")) {
        info_free(&info);
        return;
    }
    info.id = new_id(d, &info);
    vec_push(&d->list, info);
}

static void add_devices(Devices *d, const json_t *head, Loader loader)
{
    const json_t *list = json_object_get(head, "devices");
    if (number_of(head, "protocol") != PROTOCOL_VERSION) {
        buf_puts(&d->problem, "lathe-worker belongs to another version of lathe");
        return;
    }
    for (size_t i = 0; i < json_array_size(list); i++) add_device(d, json_array_get(list, i), loader);
}

static void describe_end(Process *p, ExchangeStatus s, Buf *out)
{
    int signal = process_signal(p), code = process_exit_code(p);
    if (s == EXCHANGE_TIMEOUT) buf_puts(out, "the worker does not answer");
    else if (s == EXCHANGE_STOPPED) buf_puts(out, "interrupted");
    else if (s == EXCHANGE_NONSENSE) buf_puts(out, "the worker's answer cannot be read");
    else if (signal) buf_printf(out, "the worker ended with signal %d (%s)", signal, strsignal(signal));
    else buf_printf(out, "the worker ended with code %d", code);
}

static void list_loader(Devices *d, Loader loader)
{
    Process *p = process_start(loader, &d->problem);
    if (!p) return;
    Frame reply;
    json_t *head = json_pack("{s:s}", "op", "hello");
    ExchangeStatus s = process_exchange(p, head, NULL, 0, HELLO_MS, &reply);
    if (s == EXCHANGE_OK) add_devices(d, reply.head, loader);
    else describe_end(p, s, &d->problem);
    json_decref(head);
    frame_free(&reply);
    process_stop(p);
}

Devices *devices_new(void) { return mem_alloc(sizeof(Devices)); }

void devices_free(Devices *d)
{
    if (!d) return;
    for (int i = 0; i < d->list.n; i++) info_free(&d->list.v[i]);
    free(d->list.v);
    buf_free(&d->problem);
    free(d);
}

int devices_list(Devices *d, const DeviceInfo **out)
{
    if (!d->listed) {
        d->listed = true;
        list_loader(d, LOADER_SYSTEM);
        if (process_checker_path()) list_loader(d, LOADER_CHECKER);
    }
    if (out) *out = d->list.v;
    return d->list.n;
}

/* ---- finding one ---- */

static const DeviceInfo *by_index(const Devices *d, const char *text)
{
    char *end;
    long n = strtol(text, &end, 10);
    return isdigit((unsigned char)*text) && !*end && n < d->list.n ? &d->list.v[n] : NULL;
}

static bool is_kind(const DeviceInfo *i, const char *text)
{
    if (i->is_checker) return false;
    if (!text || !*text) return true;
    return !strcasecmp(text, i->is_gpu ? "gpu" : "cpu");
}

static const DeviceInfo *by_kind(const Devices *d, const char *text)
{
    for (int i = 0; i < d->list.n; i++)
        if (is_kind(&d->list.v[i], text)) return &d->list.v[i];
    return NULL;
}

static const DeviceInfo *by_part(const Devices *d, const char *text, int *matches)
{
    const DeviceInfo *found = NULL;
    *matches = 0;
    for (int i = 0; i < d->list.n; i++) {
        const DeviceInfo *at = &d->list.v[i];
        if (!strcasestr(at->name, text) && !strcasestr(at->id, text)) continue;
        found = at;
        ++*matches;
    }
    return *matches == 1 ? found : NULL;
}

static void note_candidates(const Devices *d, Diag *diag)
{
    for (int i = 0; i < d->list.n && i < DIAG_NOTES - 2; i++)
        diag_note(diag, i ? "" : "devices", "%-9s %s", d->list.v[i].id, d->list.v[i].name);
    if (d->problem.len) diag_note(diag, "found", "%s", buf_text(&d->problem));
}

static void report_none(const Devices *d, const char *text, int matches, Diag *diag)
{
    bool said;
    if (!d->list.n) said = diag_error(diag, E60, "no OpenCL platform was found; everything but running works without");
    else if (!text || !*text) said = diag_error(diag, E60, "no device but the checking one was found");
    else if (matches > 1) said = diag_error(diag, E60, "%d devices match \"%s\"", matches, text);
    else said = diag_error(diag, E60, "no device matches \"%s\"", text);
    if (said) note_candidates(d, diag);
}

const DeviceInfo *devices_find(Devices *d, const char *text, Diag *diag)
{
    int matches = 0;
    devices_list(d, NULL);
    bool named = text && *text;
    const DeviceInfo *i = named ? by_id(d, text) : NULL;
    if (!i && named) i = by_index(d, text);
    if (!i) i = by_kind(d, text);
    if (!i && named) i = by_part(d, text, &matches);
    if (!i) report_none(d, text, matches, diag);
    return i;
}

/* ---- one device ---- */

typedef struct Program {
    int id;
    bool built;                /* in the present worker */
    char *source, *options, **kernels;
    int kernel_count;
} Program;

typedef struct Cached {        /* an input the present worker holds */
    char key[33];
    size_t bytes;
    int64_t used;              /* number of the request that used it last */
} Cached;

struct Device {
    DeviceInfo info;
    DeviceLimits limits;
    const volatile sig_atomic_t *stop;
    Process *process;
    VEC(Program) programs;
    VEC(Cached) inputs;
    int next_program, deaths;
    int64_t requests, uploaded;
};

Device *device_open(const DeviceInfo *info, Diag *diag)
{
    (void)diag;
    Device *d = mem_alloc(sizeof *d);
    d->info = info_copy(info);
    d->limits = (DeviceLimits){60000, 10000};
    d->next_program = 1;
    return d;
}

/* The worker is gone, and what it held. */
static void drop_worker(Device *d)
{
    process_stop(d->process);
    d->process = NULL;
    d->inputs.n = 0;
    for (int i = 0; i < d->programs.n; i++) d->programs.v[i].built = false;
}

static void program_free(Program *p)
{
    for (int i = 0; i < p->kernel_count; i++) free(p->kernels[i]);
    free(p->kernels);
    free(p->source);
    free(p->options);
}

void device_close(Device *d)
{
    if (!d) return;
    drop_worker(d);
    for (int i = 0; i < d->programs.n; i++) program_free(&d->programs.v[i]);
    free(d->programs.v);
    free(d->inputs.v);
    info_free(&d->info);
    free(d);
}

const DeviceInfo *device_info(const Device *d) { return &d->info; }
void device_set_limits(Device *d, DeviceLimits limits) { d->limits = limits; }
int device_worker_id(const Device *d) { return d->process ? process_id(d->process) : 0; }
int64_t device_uploaded(const Device *d) { return d->uploaded; }

void device_set_stop(Device *d, const volatile sig_atomic_t *stop)
{
    d->stop = stop;
    if (d->process) process_set_stop(d->process, stop);
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
    switch (phase) {
    case DO_OPEN: return OPEN_MS;
    case DO_PING: return PING_MS;
    case DO_BUILD: return d->limits.build_ms;
    case DO_MOVE: return MOVE_MS;
    case DO_RUN: return d->limits.run_ms;
    }
    return MOVE_MS;
}

static RunStatus status_of_end(ExchangeStatus s, Phase phase)
{
    bool kernel = phase == DO_BUILD || phase == DO_RUN;
    if (s == EXCHANGE_STOPPED) return RUN_DIED;
    if (s == EXCHANGE_NONSENSE || !kernel) return RUN_LOST;
    return s == EXCHANGE_TIMEOUT ? RUN_TIMED_OUT : RUN_DIED;
}

static void set_end(Device *d, ExchangeStatus s, Phase phase, Outcome *o)
{
    o->status = status_of_end(s, phase);
    o->signal = s == EXCHANGE_STOPPED ? SIGINT : s == EXCHANGE_DIED ? process_signal(d->process) : 0;
    o->limit_ms = phase_limit(d, phase);
    o->is_building = phase == DO_BUILD;
    describe_end(d->process, s, &o->log);
    const char *text = process_output(d->process);
    if (*text) buf_printf(&o->log, "\n%s", text);
    drop_worker(d);
}

static bool read_reply(Device *d, const Frame *reply, Phase phase, Outcome *o)
{
    if (!status_from(json_string_value(json_object_get(reply->head, "status")), &o->status)) {
        set_end(d, EXCHANGE_NONSENSE, phase, o);
        return false;
    }
    o->code = (int)number_of(reply->head, "code");
    o->is_building = phase == DO_BUILD;
    if (reply->blob_count) buf_write(&o->log, reply->blobs[0].data, reply->blobs[0].bytes);
    if (o->status == RUN_LOST) drop_worker(d);
    return o->status == RUN_OK;
}

/* One request; takes head. True: RUN_OK. The caller frees the reply always. */
static bool ask(Device *d, Phase phase, json_t *head, const Blob *blob, Frame *reply, Outcome *o)
{
    ExchangeStatus s = process_exchange(d->process, head, blob, blob ? 1 : 0, phase_limit(d, phase), reply);
    json_decref(head);
    if (s == EXCHANGE_OK) return read_reply(d, reply, phase, o);
    set_end(d, s, phase, o);
    return false;
}

/* A request whose reply holds nothing more. */
static bool tell(Device *d, Phase phase, json_t *head, const Blob *blob, Outcome *o)
{
    Frame reply;
    bool ok = ask(d, phase, head, blob, &reply, o);
    frame_free(&reply);
    return ok;
}

/* A worker that died or hung while idle is replaced, and nobody is blamed. */
static void drop_dead_worker(Device *d)
{
    Outcome o = {0};
    if (d->process) tell(d, DO_PING, json_pack("{s:s}", "op", "ping"), NULL, &o);
    buf_free(&o.log);
}

static bool need_worker(Device *d, Outcome *o)
{
    drop_dead_worker(d);
    if (d->process) return true;
    d->process = process_start(d->info.is_checker ? LOADER_CHECKER : LOADER_SYSTEM, &o->log);
    if (!d->process) {
        o->status = RUN_LOST;
        return false;
    }
    process_set_stop(d->process, d->stop);
    json_t *head = json_pack("{s:s,s:I,s:I,s:b}", "op", "open", "platform", (json_int_t)d->info.platform_index, "device",
                             (json_int_t)d->info.device_index, "checker", d->info.is_checker);
    if (tell(d, DO_OPEN, head, NULL, o)) return true;
    if (d->process) drop_worker(d);
    return false;
}

/* ---- what to say ---- */

/* The next non-blank line of *text without its indentation, at most 200 bytes of it. NULL: no more. */
static const char *next_line(const char **text, int *len)
{
    while (**text) {
        const char *line = *text;
        size_t n = strcspn(line, "\n");
        *text = line + n + (line[n] == '\n');
        size_t indent = strspn(line, " \t\r");
        if (indent >= n) continue;
        line += indent;
        n -= indent;
        *len = n > 200 ? 200 : (int)n;
        return line;
    }
    return NULL;
}

static void note_lines(Diag *diag, const char *text, int most)
{
    int len;
    const char *label = "log", *line;
    while (most-- > 0 && (line = next_line(&text, &len)) != NULL) {
        diag_note(diag, label, "%.*s", len, line);
        label = "";
    }
}

static void note_rest(Diag *diag, const char *text, int most)
{
    int len;
    next_line(&text, &len);
    note_lines(diag, text, most);
}

static const char *first_line(const Outcome *o, int *len)
{
    const char *text = buf_text(&o->log), *line = next_line(&text, len);
    if (!line) *len = 0;
    return line ? line : "";
}

/* The line of a compiler's log that names the first error, or else the first line. */
static const char *error_line(const Outcome *o, int *len)
{
    const char *text = buf_text(&o->log), *line;
    while ((line = next_line(&text, len)) != NULL)
        if (memmem(line, (size_t)*len, "error", 5)) return line;
    return first_line(o, len);
}

static void explain_build(const Outcome *o, const char *subject, Diag *diag)
{
    int len;
    const char *line = error_line(o, &len);
    if (diag_error(diag, E61, "%s does not build: %.*s", subject, len, line)) note_lines(diag, buf_text(&o->log), 8);
}

static void explain_timeout(const Outcome *o, const char *subject, Diag *diag)
{
    const char *limit = o->is_building ? "build_timeout" : "run_timeout", *what = o->is_building ? " (being built)" : "";
    if (!diag_error(diag, E62, "%s%s timed out after %.1f s (limit: %s)", subject, what, o->limit_ms / 1000.0, limit)) return;
    diag_note(diag, "worker", "killed; the next run starts a new one");
    diag_note(diag, "next", "set %s %d", limit, (o->limit_ms * 4 + 999) / 1000);
}

static void explain_death(const Device *d, const Outcome *o, const char *subject, Diag *diag)
{
    const char *doing = o->is_building ? "building" : "running";
    int len;
    const char *line = first_line(o, &len);
    if (o->signal == SIGINT) {
        diag_error(diag, E62, "interrupted; the worker was killed while %s %s", doing, subject);
        return;
    }
    if (!diag_error(diag, E62, "%.*s while %s %s", len, line, doing, subject)) return;
    note_rest(diag, buf_text(&o->log), 4);
    diag_note(diag, "worker", "the next run starts a new one");
    if (!d->info.is_checker && !o->is_building) diag_note(diag, "next", "check it on the device oclgrind, at small sizes");
}

static void explain_finding(const Outcome *o, const char *subject, Diag *diag)
{
    int len;
    const char *line = first_line(o, &len);
    if (diag_error(diag, E64, "%s: %.*s", subject, len, line)) note_rest(diag, buf_text(&o->log), 9);
}

static void explain_plain(ErrorId id, const char *what, const Outcome *o, Diag *diag)
{
    int len;
    const char *line = first_line(o, &len);
    if (diag_error(diag, id, "%s%s%.*s", what, *what && len ? ": " : "", len, line)) note_rest(diag, buf_text(&o->log), 4);
}

static void explain(const Device *d, const Outcome *o, const char *subject, Diag *diag)
{
    Buf lost = {0};
    switch (o->status) {
    case RUN_OK: break;
    case RUN_BUILD_FAILED: explain_build(o, subject, diag); break;
    case RUN_BAD_LAUNCH: explain_plain(E65, "", o, diag); break;
    case RUN_FAILED: explain_plain(E62, "", o, diag); break;
    case RUN_TIMED_OUT: explain_timeout(o, subject, diag); break;
    case RUN_DIED: explain_death(d, o, subject, diag); break;
    case RUN_FINDING: explain_finding(o, subject, diag); break;
    case RUN_LOST:
        buf_printf(&lost, "device %s failed with %s", d->info.id, subject);
        explain_plain(E62, buf_text(&lost), o, diag);
        buf_free(&lost);
        break;
    }
}

static char *take_log(Outcome *o)
{
    char *text = o->log.data ? o->log.data : copy_text("");
    o->log = (Buf){0};
    return text;
}

/* "kernel A", or "kernels A, B ..." of all the names. */
static void name_kernels(char *const *names, int n, Buf *out)
{
    buf_puts(out, n == 1 ? "kernel " : "kernels ");
    for (int i = 0; i < n && i < 3; i++) buf_printf(out, "%s%s", i ? ", " : "", names[i]);
    if (n > 3) buf_puts(out, " ...");
}

/* ---- building ---- */

void build_report_free(BuildReport *r)
{
    free(r->log);
    free(r->kernels);
    *r = (BuildReport){0};
}

static Program program_new(Device *d, const char *source, const char *options, const char **kernels, int n)
{
    Program p = {.id = d->next_program++, .source = copy_text(source), .options = copy_text(options), .kernel_count = n};
    p.kernels = mem_alloc(sizeof *p.kernels * (size_t)n);
    for (int i = 0; i < n; i++) p.kernels[i] = copy_text(kernels[i]);
    return p;
}

static json_t *build_request(const Program *p)
{
    json_t *names = json_array();
    for (int i = 0; i < p->kernel_count; i++) json_array_append_new(names, json_string(p->kernels[i]));
    json_t *head = json_pack("{s:s,s:i,s:o}", "op", "build", "program", p->id, "kernels", names);
    json_object_set_new(head, "options", json_string(p->options));
    return head;
}

static void read_kernels(const json_t *list, BuildReport *r)
{
    r->kernel_count = (int)json_array_size(list);
    r->kernels = mem_alloc(sizeof *r->kernels * (size_t)r->kernel_count);
    for (int i = 0; i < r->kernel_count; i++) {
        const json_t *k = json_array_get(list, (size_t)i);
        r->kernels[i] = (KernelReport){json_integer_value(json_array_get(k, 0)), json_integer_value(json_array_get(k, 1)),
                                       json_integer_value(json_array_get(k, 2))};
    }
}

/* report may be NULL: a program that had been built is built again after the worker was replaced. */
static bool build(Device *d, Program *p, BuildReport *report, Outcome *o)
{
    Frame reply;
    Blob source = {p->source, strlen(p->source)};
    p->built = ask(d, DO_BUILD, build_request(p), &source, &reply, o);
    if (report && reply.head) {
        report->ms = json_number_value(json_object_get(reply.head, "ms"));
        read_kernels(json_object_get(reply.head, "kernels"), report);
    }
    frame_free(&reply);
    return p->built;
}

/* Deaths in a row. That something was built shows nothing of the device. */
static void count_death(Device *d, const Outcome *o, bool ran)
{
    bool interrupted = o->status == RUN_DIED && o->signal == SIGINT;
    if (o->status == RUN_LOST || (o->status == RUN_DIED && !interrupted)) d->deaths++;
    else if (ran && o->status != RUN_TIMED_OUT && !interrupted) d->deaths = 0;
}

bool device_paused(const Device *d, Diag *diag)
{
    if (d->deaths < DEVICE_DEATHS) return false;
    if (diag && diag_error(diag, E62, "%s is paused: its worker died %d times in a row", d->info.id, DEVICE_DEATHS)) {
        diag_note(diag, "try", "device %s        takes it up again; search then goes on behind them", d->info.id);
        if (!d->info.is_checker) diag_note(diag, "or", "device oclgrind        says what a kernel does wrong, at small sizes");
    }
    return true;
}

void device_set_paused(Device *d, bool paused) { d->deaths = paused ? DEVICE_DEATHS : 0; }

static void finish_build(Device *d, const Program *p, Outcome *o, BuildReport *report, Diag *diag)
{
    Buf subject = {0};
    name_kernels(p->kernels, p->kernel_count, &subject);
    explain(d, o, buf_text(&subject), diag);
    count_death(d, o, false);
    buf_free(&subject);
    report->status = o->status;
    report->opencl_code = o->code;
    report->signal = o->signal;
    report->log = take_log(o);
}

bool device_build(Device *d, const char *source, const char *options, const char **kernels, int kernel_count,
                  int *program, BuildReport *report, Diag *diag)
{
    Outcome o = {0};
    *report = (BuildReport){0};
    Program p = program_new(d, source, options, kernels, kernel_count);
    bool ok = need_worker(d, &o) && build(d, &p, report, &o);
    finish_build(d, &p, &o, report, diag);
    if (ok) {
        *program = p.id;
        vec_push(&d->programs, p);
    } else program_free(&p);
    return ok;
}

static Program *find_program(Device *d, int id)
{
    for (int i = 0; i < d->programs.n; i++)
        if (d->programs.v[i].id == id) return &d->programs.v[i];
    return NULL;
}

void device_forget(Device *d, int program)
{
    Outcome o = {0};
    Program *p = find_program(d, program);
    if (!p) return;
    if (p->built && process_alive(d->process))
        tell(d, DO_MOVE, json_pack("{s:s,s:i}", "op", "forget", "program", program), NULL, &o);
    buf_free(&o.log);
    program_free(p);
    *p = d->programs.v[--d->programs.n];
}

/* ---- inputs ---- */

/* 128 bits of the contents. Inputs are large, and nobody forges them: words go in turns into sums that do not wait for one another. */
static void content_key(const void *data, size_t bytes, char key[33])
{
    enum { SUMS = 8 };
    uint64_t sums[SUMS], words[SUMS], a = bytes, b = ~(uint64_t)bytes;
    const char *p = data;
    for (int i = 0; i < SUMS; i++) sums[i] = hash_mix(bytes, (uint64_t)i);
    for (size_t left = bytes; left; p += sizeof words) {
        size_t n = left < sizeof words ? left : sizeof words;
        memset(words, 0, n < sizeof words ? sizeof words : 0);
        memcpy(words, p, n);
        for (int i = 0; i < SUMS; i++) {
            uint64_t h = (sums[i] ^ words[i]) * 0x9e3779b97f4a7c15u;
            sums[i] = h ^ h >> 32;
        }
        left -= n;
    }
    for (int i = 0; i < SUMS; i++) {
        a = hash_mix(a, sums[i]);
        b = hash_mix(sums[i], b);
    }
    for (int i = 0; i < 16; i++) key[i] = "0123456789abcdef"[a >> (4 * i) & 15];
    for (int i = 0; i < 16; i++) key[16 + i] = "0123456789abcdef"[b >> (4 * i) & 15];
    key[32] = '\0';
}

static Cached *find_input(Device *d, const char *key)
{
    for (int i = 0; i < d->inputs.n; i++)
        if (!strcmp(d->inputs.v[i].key, key)) return &d->inputs.v[i];
    return NULL;
}

/* The longest unused input that the present request does not need. */
static Cached *oldest_input(Device *d)
{
    Cached *oldest = NULL;
    for (int i = 0; i < d->inputs.n; i++) {
        Cached *c = &d->inputs.v[i];
        if (c->used < d->requests && (!oldest || c->used < oldest->used)) oldest = c;
    }
    return oldest;
}

static size_t held_bytes(const Device *d)
{
    size_t sum = 0;
    for (int i = 0; i < d->inputs.n; i++) sum += d->inputs.v[i].bytes;
    return sum;
}

/* A quarter of the device's memory, at most 4 GiB, is for inputs that might come again. */
static size_t input_limit(const Device *d)
{
    int64_t quarter = d->info.global_bytes / 4, most = (int64_t)4 << 30;
    return (size_t)(quarter < most ? quarter : most);
}

static bool make_room(Device *d, size_t bytes, Outcome *o)
{
    Cached *c;
    while (held_bytes(d) + bytes > input_limit(d) && (c = oldest_input(d)) != NULL) {
        json_t *head = json_pack("{s:s,s:s}", "op", "free", "key", c->key);
        *c = d->inputs.v[--d->inputs.n];
        if (!tell(d, DO_MOVE, head, NULL, o)) return false;
    }
    return true;
}

static bool upload_piece(Device *d, const char *key, const RunBuffer *b, size_t offset, Outcome *o)
{
    size_t left = b->bytes - offset;
    Blob piece = {(char *)b->input + offset, left < PIECE_BYTES ? left : PIECE_BYTES};
    json_t *head = json_pack("{s:s,s:s,s:I,s:I}", "op", "upload", "key", key, "offset", (json_int_t)offset, "total",
                             (json_int_t)b->bytes);
    d->uploaded += (int64_t)piece.bytes;
    return tell(d, DO_MOVE, head, &piece, o);
}

static bool upload(Device *d, const char *key, const RunBuffer *b, Outcome *o)
{
    if (!make_room(d, b->bytes, o)) return false;
    for (size_t at = 0; at < b->bytes; at += PIECE_BYTES)
        if (!upload_piece(d, key, b, at, o)) return false;
    Cached c = {.bytes = b->bytes, .used = d->requests};
    memcpy(c.key, key, sizeof c.key);
    vec_push(&d->inputs, c);
    return true;
}

typedef char Key[33];

/* The keys of the inputs, all marked as used now, so that making room spares them. */
static Key *input_keys(Device *d, const RunRequest *r)
{
    Key *keys = mem_alloc(sizeof *keys * (size_t)r->buffer_count);
    d->requests++;
    for (int i = 0; i < r->buffer_count; i++) {
        if (r->buffers[i].role != BUF_INPUT) continue;
        content_key(r->buffers[i].input, r->buffers[i].bytes, keys[i]);
        Cached *c = find_input(d, keys[i]);
        if (c) c->used = d->requests;
    }
    return keys;
}

static bool need_inputs(Device *d, const RunRequest *r, const Key *keys, Outcome *o)
{
    for (int i = 0; i < r->buffer_count; i++) {
        const RunBuffer *b = &r->buffers[i];
        if (b->role == BUF_INPUT && !find_input(d, keys[i]) && !upload(d, keys[i], b, o)) return false;
    }
    return true;
}

/* ---- the run request ---- */

PRINTF_LIKE(2, 3) static bool refuse(Outcome *o, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    o->status = RUN_BAD_LAUNCH;
    buf_vprintf(&o->log, fmt, ap);
    va_end(ap);
    return false;
}

static bool check_arg(const RunRequest *r, int launch, int i, const LaunchArg *a, Outcome *o)
{
    if (a->kind == ARG_BUFFER && (a->buffer < 0 || a->buffer >= r->buffer_count))
        return refuse(o, "launch %d, argument %d: there is no buffer %d", launch, i, a->buffer);
    if (a->kind == ARG_VALUE && (a->bytes < 1 || a->bytes > sizeof a->value))
        return refuse(o, "launch %d, argument %d: a value of %zu bytes", launch, i, a->bytes);
    return true;
}

/* What the worker has no words for; the rest it checks against the device. */
static bool check_request(const Program *p, const RunRequest *r, Outcome *o)
{
    if (!p) return refuse(o, "there is no program %d on this device", r->program);
    if (r->launch_count < 1) return refuse(o, "nothing to launch");
    for (int i = 0; i < r->buffer_count; i++)
        if (!r->buffers[i].bytes) return refuse(o, "buffer %d has no bytes", i);
    for (int l = 0; l < r->launch_count; l++) {
        const Launch *at = &r->launches[l];
        if (at->kernel < 0 || at->kernel >= p->kernel_count)
            return refuse(o, "launch %d: the program has no kernel %d", l, at->kernel);
        for (int i = 0; i < at->arg_count; i++)
            if (!check_arg(r, l, i, &at->args[i], o)) return false;
    }
    return true;
}

static json_t *buffer_request(const RunBuffer *b, const char *key)
{
    if (b->role == BUF_INPUT) return json_pack("{s:s,s:I,s:s}", "role", "input", "bytes", (json_int_t)b->bytes, "key", key);
    const char *role = b->role == BUF_OUTPUT ? "output" : "temp";
    return json_pack("{s:s,s:I,s:i}", "role", role, "bytes", (json_int_t)b->bytes, "fill", (int)b->fill);
}

static json_t *value_request(const LaunchArg *a)
{
    char hex[2 * sizeof a->value + 1] = "";
    for (size_t i = 0; i < a->bytes; i++) {
        hex[2 * i] = "0123456789abcdef"[a->value[i] >> 4];
        hex[2 * i + 1] = "0123456789abcdef"[a->value[i] & 15];
    }
    return json_pack("[s,s]", "v", hex);
}

static json_t *arg_request(const LaunchArg *a)
{
    if (a->kind == ARG_BUFFER) return json_pack("[s,i]", "b", a->buffer);
    if (a->kind == ARG_LOCAL) return json_pack("[s,I]", "l", (json_int_t)a->bytes);
    return value_request(a);
}

static json_t *sizes_request(const size_t n[3])
{
    return json_pack("[I,I,I]", (json_int_t)n[0], (json_int_t)n[1], (json_int_t)n[2]);
}

static json_t *launch_request(const Launch *l)
{
    json_t *args = json_array();
    for (int i = 0; i < l->arg_count; i++) json_array_append_new(args, arg_request(&l->args[i]));
    return json_pack("{s:i,s:o,s:o,s:o}", "kernel", l->kernel, "global", sizes_request(l->global), "local",
                     sizes_request(l->local), "args", args);
}

static json_t *run_request(const RunRequest *r, const Key *keys)
{
    json_t *buffers = json_array(), *launches = json_array();
    for (int i = 0; i < r->buffer_count; i++) json_array_append_new(buffers, buffer_request(&r->buffers[i], keys[i]));
    for (int i = 0; i < r->launch_count; i++) json_array_append_new(launches, launch_request(&r->launches[i]));
    return json_pack("{s:s,s:i,s:b,s:o,s:o}", "op", "run", "program", r->program, "canaries", r->canaries, "buffers", buffers,
                     "launches", launches);
}

/* ---- running ---- */

void run_report_free(RunReport *r)
{
    free(r->log);
    free(r->times_ns);
    *r = (RunReport){0};
}

/* The first execution; *ns is its device time, *ms its wall time. */
static bool run_first(Device *d, const RunRequest *r, const Key *keys, double *ns, double *ms, Outcome *o)
{
    Frame reply;
    double start = clock_exact_ms();
    bool ok = ask(d, DO_RUN, run_request(r, keys), NULL, &reply, o);
    *ns = json_number_value(json_object_get(reply.head, "ns"));
    *ms = clock_exact_ms() - start;
    frame_free(&reply);
    return ok;
}

static bool read_piece(Device *d, const RunBuffer *b, int index, size_t offset, Outcome *o)
{
    Frame reply;
    size_t left = b->bytes - offset, bytes = left < PIECE_BYTES ? left : PIECE_BYTES;
    json_t *head = json_pack("{s:s,s:i,s:I,s:I}", "op", "read", "buffer", index, "offset", (json_int_t)offset, "bytes",
                             (json_int_t)bytes);
    bool ok = ask(d, DO_MOVE, head, NULL, &reply, o);
    if (ok && (reply.blob_count != 2 || reply.blobs[1].bytes != bytes)) {
        set_end(d, EXCHANGE_NONSENSE, DO_MOVE, o);
        ok = false;
    }
    if (ok) memcpy((char *)b->output + offset, reply.blobs[1].data, bytes);
    frame_free(&reply);
    return ok;
}

static bool read_outputs(Device *d, const RunRequest *r, Outcome *o)
{
    for (int i = 0; i < r->buffer_count; i++) {
        const RunBuffer *b = &r->buffers[i];
        if (b->role != BUF_OUTPUT || !b->output) continue;
        for (size_t at = 0; at < b->bytes; at += PIECE_BYTES)
            if (!read_piece(d, b, i, at, o)) return false;
    }
    return true;
}

/* A finding stays the outcome, unless the outputs cannot even be read. */
static void read_after_finding(Device *d, const RunRequest *r, Outcome *o)
{
    Outcome reading = {0};
    read_outputs(d, r, &reading);
    buf_free(&reading.log);
    o->status = RUN_FINDING;
}

typedef struct Trials {
    int skip, want;            /* still to warm up; still to be timed */
    double each_ms;            /* wall time of one execution, lately; 0: not known */
} Trials;

static int batch_size(const Device *d, const Trials *t)
{
    int left = t->skip + t->want, target = d->limits.run_ms / 8 < BATCH_MS ? d->limits.run_ms / 8 : BATCH_MS;
    double fit = t->each_ms > 0 ? target / t->each_ms : 1;
    int n = fit < 1 ? 1 : fit > BATCH_MAX ? BATCH_MAX : (int)fit;
    return n < left ? n : left;
}

static void take_time(Trials *t, double ns, RunReport *report)
{
    if (t->skip) t->skip--;
    else if (t->want) {
        report->times_ns[report->trial_count++] = ns;
        t->want--;
    }
}

static bool run_batch(Device *d, Trials *t, RunReport *report, Outcome *o)
{
    Frame reply;
    int n = batch_size(d, t);
    double start = clock_exact_ms();
    bool ok = ask(d, DO_RUN, json_pack("{s:s,s:i}", "op", "again", "count", n), NULL, &reply, o);
    double ms = clock_exact_ms() - start;
    const json_t *times = json_object_get(reply.head, "times_ns");
    if (ok && json_array_size(times) != (size_t)n) {
        set_end(d, EXCHANGE_NONSENSE, DO_RUN, o);
        ok = false;
    }
    for (int i = 0; ok && i < n; i++) take_time(t, json_number_value(json_array_get(times, (size_t)i)), report);
    t->each_ms = ms / n;
    report->wall_ms += ms;
    frame_free(&reply);
    return ok;
}

/* Ends early, with the trials made so far, when the user asks. */
static bool run_trials(Device *d, const RunRequest *r, double first_ns, RunReport *report, Outcome *o)
{
    Trials t = {r->warmup > 0 ? r->warmup : 0, r->trials > 1 ? r->trials : 1, 0};
    report->times_ns = mem_alloc(sizeof *report->times_ns * (size_t)t.want);
    bool once = t.want == 1 && t.skip == 0;
    while (!once && t.skip + t.want && !(d->stop && *d->stop))
        if (!run_batch(d, &t, report, o)) return false;
    if (!report->trial_count) report->times_ns[report->trial_count++] = first_ns;
    return true;
}

static bool need_program(Device *d, Program *p, Outcome *o)
{
    if (p->built) return true;
    bool ok = build(d, p, NULL, o);
    if (ok) buf_clear(&o->log);
    return ok;
}

static void run(Device *d, const RunRequest *r, Program *p, RunReport *report, Outcome *o)
{
    double ns = 0;
    if (!check_request(p, r, o) || !need_worker(d, o) || !need_program(d, p, o)) return;
    Key *keys = input_keys(d, r);
    if (need_inputs(d, r, keys, o)) {
        bool ok = run_first(d, r, keys, &ns, &report->wall_ms, o);
        if (ok && read_outputs(d, r, o)) run_trials(d, r, ns, report, o);
        else if (o->status == RUN_FINDING) read_after_finding(d, r, o);
    }
    free(keys);
}

static void name_launched(const Program *p, const RunRequest *r, Buf *out)
{
    bool known = p && r->launch_count == 1 && r->launches[0].kernel >= 0 && r->launches[0].kernel < p->kernel_count;
    if (known) name_kernels(&p->kernels[r->launches[0].kernel], 1, out);
    else if (p) name_kernels(p->kernels, p->kernel_count, out);
    else buf_puts(out, "no program");
}

bool device_run(Device *d, const RunRequest *r, RunReport *report, Diag *diag)
{
    Outcome o = {0};
    Buf subject = {0};
    *report = (RunReport){0};
    Program *p = find_program(d, r->program);
    run(d, r, p, report, &o);
    name_launched(p, r, &subject);
    explain(d, &o, buf_text(&subject), diag);
    count_death(d, &o, true);
    buf_free(&subject);
    report->status = o.status;
    report->opencl_code = o.code;
    report->signal = o.signal;
    report->log = take_log(&o);
    return report->status == RUN_OK;
}
