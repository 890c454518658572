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

bool device_build(Device *d, const char *source, const char **kernels, int kernel_count, int *program,
                  BuildReport *report, Diag *diag)
{
    Outcome o = {0};
    Buf subject = {0};
    *report = (BuildReport){0};
    Program p = {.id = d->next_program++, .source = device_text(source),
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
    Program *p = find_program(d, program);
    if (!p) return;
    if (p->built && process_alive(d->process)) worker_tell(d, DO_MOVE, json_pack("{s:s,s:i}", "op", "forget", "program", program), NULL);
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
        json_t *buffer = b->role == BUF_INPUT ? json_pack("{s:s}", "key", keys[i]) : b->role != BUF_IMAGE ? json_pack("{s:i}", "fill", (int)b->fill)
            : json_pack("{s:i,s:I,s:I,s:i,s:b}", "of", b->of, "width", (json_int_t)b->width, "height", (json_int_t)b->height,
                        "texels", (int)b->texels, "written", b->written);
        json_object_set_new(buffer, "role", json_string(roles[b->role]));
        json_object_set_new(buffer, "bytes", json_integer((json_int_t)b->bytes));
        json_array_append_new(buffers, buffer);
    }
    for (int i = 0; i < r->launch_count; i++) {
        const Launch *l = &r->launches[i];
        json_t *args = json_array();
        for (int k = 0; k < l->arg_count; k++) {
            const LaunchArg *a = &l->args[k];
            Buf hex = {0};
            for (size_t at = 0; a->kind == ARG_VALUE && at < a->bytes; at++) buf_printf(&hex, "%02x", a->value[at]);
            json_array_append_new(args, a->kind == ARG_BUFFER ? json_pack("[s,i]", a->written ? "w" : "b", a->buffer)
                                        : a->kind == ARG_LOCAL ? json_pack("[s,I]", "l", (json_int_t)a->bytes)
                                        : a->kind == ARG_ROUND ? json_pack("[s,i,I]", "r", a->loop, (json_int_t)a->bytes)
                                                               : json_pack("[s,s]", "v", buf_text(&hex)));
            buf_free(&hex);
        }
        json_array_append_new(launches, json_pack("{s:i,s:o,s:o,s:o}", "kernel", l->kernel,
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
    report->times_ns = mem_alloc(sizeof *report->times_ns * (size_t)want);
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
    Program *p = find_program(d, r->program);
    device_aside(d, true);
    bool ready = check_request(p, r, &o) && worker_need(d, &o);
    if (ready && !p->built) {
        ready = build(d, p, NULL, &o);
        if (ready) buf_clear(&o.log);
    }
    Key *keys = ready ? input_keys(d, r) : NULL;
    if (ready && inputs_need(d, r, keys, &o)) {
        Frame reply;
        int trials = r->trials > 1 ? r->trials : 1;
        if (r->by_kernel) report->kernels_ns = mem_alloc(sizeof *report->kernels_ns * (size_t)trials * (size_t)r->launch_count);
        double start = clock_exact_ms();
        bool ok = worker_ask(d, DO_RUN, run_request(r, keys), NULL, &reply, &o);
        double ns = json_number_value(json_object_get(reply.head, "ns"));
        note_kernels(r, json_object_get(reply.head, "kernels_ns"), report);
        report->wall_ms = clock_exact_ms() - start;
        frame_free(&reply);
        if (ok && read_outputs(d, r, &o)) run_trials(d, r, ns, report, &o);
        else if (o.status == RUN_FINDING) read_outputs(d, r, NULL);          /* it stays the outcome, even when they cannot be read */
        check_inputs(d, r, keys, &o);
    }
    free(keys);
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
