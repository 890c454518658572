/* device: programs built and runs made on a device, through its worker. */
#include "device_private.h"

#include <stdlib.h>
#include <string.h>

enum { BATCH_MS = 200, BATCH_MAX = 64 };           /* repetitions asked for at once: about so long, at most so many */

/* ---- building ---- */

void build_report_free(BuildReport *r)
{
    free(r->log);
    free(r->kernels);
    *r = (BuildReport){0};
}

/* report may be NULL: a program that had been built is built again after the worker was replaced. */
static bool build(Device *d, Program *p, BuildReport *report, Outcome *o)
{
    Frame reply;
    Blob source = {p->source, strlen(p->source)};
    json_t *names = JSON_LIST(i, p->kernel_count, json_string(p->kernels[i]));
    json_t *head = json_pack("{s:s,s:i,s:o}", "op", "build", "program", p->id, "kernels", names);
    json_object_set_new(head, "options", json_string(p->options));
    p->built = worker_ask(d, DO_BUILD, head, &source, &reply, o);
    const json_t *list = json_object_get(reply.head, "kernels");
    if (report && reply.head) {
        report->ms = json_number_value(json_object_get(reply.head, "ms"));
        report->kernel_count = (int)json_array_size(list);
        report->kernels = mem_alloc(sizeof *report->kernels * (size_t)report->kernel_count);
    }
    for (int i = 0; report && i < report->kernel_count; i++) {
        const json_t *k = json_array_get(list, (size_t)i);
        report->kernels[i] = (KernelReport){json_integer_value(json_array_get(k, 0)), json_integer_value(json_array_get(k, 1)),
                                            json_integer_value(json_array_get(k, 2))};
    }
    frame_free(&reply);
    return p->built;
}

bool device_build(Device *d, const char *source, const char *options, const char **kernels, int kernel_count,
                  int *program, BuildReport *report, Diag *diag)
{
    Outcome o = {0};
    Buf subject = {0};
    *report = (BuildReport){0};
    Program p = {.id = d->next_program++, .source = device_text(source), .options = device_text(options),
                 .kernel_count = kernel_count, .kernels = mem_alloc(sizeof *p.kernels * (size_t)kernel_count)};
    for (int i = 0; i < kernel_count; i++) p.kernels[i] = device_text(kernels[i]);
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
        worker_tell(d, DO_MOVE, json_pack("{s:s,s:i}", "op", "forget", "program", program), &o);
    buf_free(&o.log);
    program_free(p);
    *p = d->programs.v[--d->programs.n];
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
        for (int i = 0; i < at->arg_count; i++) {
            const LaunchArg *a = &at->args[i];
            if (a->kind == ARG_BUFFER && (a->buffer < 0 || a->buffer >= r->buffer_count))
                return refuse(o, "launch %d, argument %d: there is no buffer %d", l, i, a->buffer);
            if (a->kind == ARG_VALUE && (a->bytes < 1 || a->bytes > sizeof a->value))
                return refuse(o, "launch %d, argument %d: a value of %zu bytes", l, i, a->bytes);
        }
    }
    return true;
}

static json_t *buffer_request(const RunBuffer *b, const char *key)
{
    if (b->role == BUF_IMAGE)
        return json_pack("{s:s,s:I,s:i,s:I,s:I,s:i,s:b}", "role", "image", "bytes", (json_int_t)b->bytes, "of", b->of, "width",
                         (json_int_t)b->width, "height", (json_int_t)b->height, "texels", (int)b->texels, "written", b->written);
    if (b->role == BUF_INPUT)
        return json_pack("{s:s,s:I,s:s}", "role", "input", "bytes", (json_int_t)b->bytes, "key", key);
    const char *role = b->role == BUF_OUTPUT ? "output" : b->role == BUF_STATE ? "state" : "temp";
    return json_pack("{s:s,s:I,s:i}", "role", role, "bytes", (json_int_t)b->bytes, "fill", (int)b->fill);
}

static json_t *arg_request(const LaunchArg *a)
{
    char hex[2 * sizeof a->value + 1] = "";
    if (a->kind == ARG_BUFFER) return json_pack("[s,i]", a->written ? "w" : "b", a->buffer);
    if (a->kind == ARG_LOCAL) return json_pack("[s,I]", "l", (json_int_t)a->bytes);
    if (a->kind == ARG_ROUND) return json_pack("[s,i,I]", "r", a->loop, (json_int_t)a->bytes);
    for (size_t i = 0; i < a->bytes; i++) {
        hex[2 * i] = "0123456789abcdef"[a->value[i] >> 4];
        hex[2 * i + 1] = "0123456789abcdef"[a->value[i] & 15];
    }
    return json_pack("[s,s]", "v", hex);
}

static json_t *sizes_request(const size_t n[3])
{
    return json_pack("[I,I,I]", (json_int_t)n[0], (json_int_t)n[1], (json_int_t)n[2]);
}

static json_t *loop_request(const LaunchLoop *l)
{
    json_t *states = json_array();
    for (int i = 0; i < l->state_count; i++) {
        const LaunchState *s = &l->states[i];
        json_array_append_new(states, json_pack("[i,i,i,i,i]", s->from, s->to, s->init, s->out, s->spare));
    }
    return json_pack("{s:i,s:i,s:i,s:i,s:I,s:i,s:o}", "around", l->around, "first", l->first, "step", l->step, "end", l->end,
                     "rounds", (json_int_t)l->rounds, "test", l->test, "states", states);
}

static json_t *run_request(const RunRequest *r, const Key *keys)
{
    json_t *launches = json_array(), *loops = JSON_LIST(i, r->loop_count, loop_request(&r->loops[i])),
           *buffers = JSON_LIST(i, r->buffer_count, buffer_request(&r->buffers[i], keys[i]));
    for (int i = 0; i < r->launch_count; i++) {
        const Launch *l = &r->launches[i];
        json_t *args = JSON_LIST(k, l->arg_count, arg_request(&l->args[k]));
        json_array_append_new(launches, json_pack("{s:i,s:o,s:o,s:o}", "kernel", l->kernel, "global", sizes_request(l->global),
                                                  "local", sizes_request(l->local), "args", args));
    }
    return json_pack("{s:s,s:i,s:b,s:i,s:b,s:b,s:o,s:o,s:o}", "op", "run", "program", r->program, "canaries", r->canaries, "transfer",
                     (int)r->transfer, "finish", r->finish, "by_kernel", r->by_kernel, "buffers", buffers, "launches", launches, "loops", loops);
}

/* ---- images ---- */

bool device_has_texels(Device *d, Texels kind, bool written, Diag *diag)
{
    if (d->texels[written] < 0) {
        Frame reply = {0};
        Outcome o = {0};
        bool ok = worker_need(d, &o) && worker_ask(d, DO_MOVE, json_pack("{s:s,s:b}", "op", "texels", "written", written), NULL, &reply, &o);
        const json_t *kinds = json_object_get(reply.head, "kinds");
        if (ok) d->texels[written] = 0;
        for (size_t i = 0; ok && i < json_array_size(kinds); i++) d->texels[written] |= 1 << json_integer_value(json_array_get(kinds, i));
        if (!ok) outcome_explain(d, &o, "images", diag);
        buf_free(&o.log);
        frame_free(&reply);
    }
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

void run_report_free(RunReport *r)
{
    free(r->log);
    free(r->times_ns);
    free(r->kernels_ns);
    *r = (RunReport){0};
}

/* The times of the launches of one execution are those of the next trial. */
static void note_kernels(const RunRequest *r, const json_t *list, RunReport *report)
{
    for (int i = 0; r->by_kernel && i < r->launch_count; i++)
        report->kernels_ns[report->trial_count * r->launch_count + i] = json_number_value(json_array_get(list, (size_t)i));
}

/* The first execution; *ns is its device time. */
static bool run_first(Device *d, const RunRequest *r, const Key *keys, double *ns, RunReport *report, Outcome *o)
{
    Frame reply;
    int trials = r->trials > 1 ? r->trials : 1;
    if (r->by_kernel) report->kernels_ns = mem_alloc(sizeof *report->kernels_ns * (size_t)trials * (size_t)r->launch_count);
    double start = clock_exact_ms();
    bool ok = worker_ask(d, DO_RUN, run_request(r, keys), NULL, &reply, o);
    *ns = json_number_value(json_object_get(reply.head, "ns"));
    note_kernels(r, json_object_get(reply.head, "kernels_ns"), report);
    report->wall_ms = clock_exact_ms() - start;
    frame_free(&reply);
    return ok;
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

/* The first byte that is not as it was sent; all of them: none. */
static size_t changed_byte(Device *d, const RunBuffer *b, int index, Outcome *o)
{
    for (size_t at = 0; at < b->bytes; at += WINDOW_BYTES) {
        size_t n = piece_at(b, at), i = 0;
        const char *sent = (const char *)b->input + at;
        if (!read_piece(d, b, index, at, o)) return b->bytes;
        const char *held = process_window(d->process);
        if (!memcmp(held, sent, n)) continue;
        while (held[i] == sent[i]) i++;
        return at + i;
    }
    return b->bytes;
}

/* Other runs would start from what was written there. */
static void check_inputs(Device *d, const RunRequest *r, const Key *keys, Outcome *o)
{
    for (int i = 0; r->check_inputs && d->process && i < r->buffer_count; i++) {
        const RunBuffer *b = &r->buffers[i];
        Outcome reading = {0};
        size_t at = b->role == BUF_INPUT ? changed_byte(d, b, i, &reading) : b->bytes;
        bool unknown = reading.status != RUN_OK;
        buf_free(&reading.log);
        if (at == b->bytes && !unknown) continue;
        input_forget(d, keys[i]);
        if (unknown) continue;
        o->status = RUN_FINDING;
        buf_printf(&o->log, "writes to input %s, first at byte %zu of %zu\n", b->name ? b->name : "", at, b->bytes);
    }
}

typedef struct Trials {
    int skip, want;            /* still to warm up; still to be timed */
    double each_ms;            /* wall time of one execution, lately; 0: not known */
} Trials;

/* Ends early, with the trials made so far, when the user asks. */
static bool run_trials(Device *d, const RunRequest *r, double first_ns, RunReport *report, Outcome *o)
{
    Trials t = {r->warmup > 0 ? r->warmup : 0, r->trials > 1 ? r->trials : 1, 0};
    report->times_ns = mem_alloc(sizeof *report->times_ns * (size_t)t.want);
    bool once = t.want == 1 && t.skip == 0;
    while (!once && t.skip + t.want && !(d->stop && *d->stop)) {
        Frame reply;
        int left = t.skip + t.want, target = d->limits.run_ms / 8 < BATCH_MS ? d->limits.run_ms / 8 : BATCH_MS;
        double fit = t.each_ms > 0 ? target / t.each_ms : 1, start = clock_exact_ms();
        int most = fit < 1 ? 1 : fit > BATCH_MAX ? BATCH_MAX : (int)fit, n = most < left ? most : left;
        bool ok = worker_ask(d, DO_RUN, json_pack("{s:s,s:i}", "op", "again", "count", n), NULL, &reply, o);
        double ms = clock_exact_ms() - start;
        const json_t *times = json_object_get(reply.head, "times_ns"), *kernels = json_object_get(reply.head, "kernels_ns");
        if (ok && json_array_size(times) != (size_t)n) {
            worker_end(d, EXCHANGE_NONSENSE, DO_RUN, o);
            ok = false;
        }
        for (int i = 0; ok && i < n; i++) {
            if (t.skip) {
                t.skip--;
                continue;
            }
            note_kernels(r, json_array_get(kernels, (size_t)i), report);
            report->times_ns[report->trial_count++] = json_number_value(json_array_get(times, (size_t)i));
            t.want--;
        }
        t.each_ms = ms / n;
        report->wall_ms += ms;
        frame_free(&reply);
        if (!ok) return false;
    }
    if (!report->trial_count) report->times_ns[report->trial_count++] = first_ns;
    return true;
}

static void run(Device *d, const RunRequest *r, Program *p, RunReport *report, Outcome *o)
{
    double ns = 0;
    if (!check_request(p, r, o) || !worker_need(d, o)) return;
    if (!p->built) {
        if (!build(d, p, NULL, o)) return;
        buf_clear(&o->log);
    }
    Key *keys = input_keys(d, r);
    if (inputs_need(d, r, keys, o)) {
        bool ok = run_first(d, r, keys, &ns, report, o);
        if (ok && read_outputs(d, r, o)) run_trials(d, r, ns, report, o);
        else if (o->status == RUN_FINDING) {
            Outcome reading = {0};       /* the finding stays the outcome, even when the outputs cannot be read */
            read_outputs(d, r, &reading);
            buf_free(&reading.log);
        }
        check_inputs(d, r, keys, o);
    }
    free(keys);
}

bool device_run(Device *d, const RunRequest *r, RunReport *report, Diag *diag)
{
    Outcome o = {0};
    Buf subject = {0};
    *report = (RunReport){0};
    Program *p = find_program(d, r->program);
    device_aside(d, true);
    run(d, r, p, report, &o);
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
