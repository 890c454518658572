/* device_ask: one open device: its worker, started when it is needed, and what that is asked within a time limit. */
#include "device_private.h"

#include <stdlib.h>
#include <string.h>

enum { OPEN_MS = 60000, MOVE_MS = 60000, PING_MS = 5000 };

const char *run_status_name(RunStatus s)
{
    static const char *const names[] = {
        [RUN_OK] = "ok",               [RUN_BUILD_FAILED] = "build_failed", [RUN_BAD_LAUNCH] = "bad_launch",
        [RUN_FAILED] = "run_failed",   [RUN_TIMED_OUT] = "timed_out",       [RUN_DIED] = "died",
        [RUN_LOST] = "device_lost",    [RUN_FINDING] = "finding"};
    return (int)s >= 0 && (int)s < COUNT(names) ? names[s] : "unknown";
}

Device *device_open(const DeviceInfo *info)
{
    Device *d = mem_alloc(sizeof *d);
    d->info = device_info_copy(info);
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

void program_free(Program *p)
{
    for (int i = 0; i < p->kernel_count; i++) free(p->kernels[i]);
    free(p->kernels);
    free(p->source);
}

void device_close(Device *d)
{
    if (!d) return;
    drop_worker(d);
    for (int i = 0; i < d->programs.n; i++) program_free(&d->programs.v[i]);
    free(d->programs.v);
    free(d->inputs.v);
    device_info_free(&d->info);
    free(d);
}

const DeviceInfo *device_info(const Device *d) { return &d->info; }
void device_set_limits(Device *d, DeviceLimits limits) { d->limits = limits; }
int device_worker_id(const Device *d) { return d->process ? process_id(d->process) : 0; }
int64_t device_uploaded(const Device *d) { return d->uploaded; }

void device_set_stop(Device *d, const volatile sig_atomic_t *stop, void (*waits)(void))
{
    d->stop = stop;
    d->waits = waits;
    if (d->process) process_set_stop(d->process, stop, waits);
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

void worker_end(Device *d, ExchangeStatus s, Phase phase, Outcome *o)
{
    bool kernel = phase == DO_BUILD || phase == DO_RUN;
    o->status = s == EXCHANGE_STOPPED ? RUN_DIED : s == EXCHANGE_NONSENSE || !kernel ? RUN_LOST
                : s == EXCHANGE_TIMEOUT ? RUN_TIMED_OUT : RUN_DIED;
    o->signal = s == EXCHANGE_STOPPED ? SIGINT : s == EXCHANGE_DIED ? process_signal(d->process) : 0;
    o->limit_ms = phase_limit(d, phase);
    o->is_building = phase == DO_BUILD;
    device_describe_end(d->process, s, &o->log);
    const char *text = process_output(d->process);
    if (*text) buf_printf(&o->log, "\n%s", text);
    drop_worker(d);
}

/* What came of a request whose exchange ended so. A status that no worker answers is not from our worker. */
static bool take_reply(Device *d, ExchangeStatus s, const Frame *reply, Phase phase, Outcome *o)
{
    const char *name = json_string_value(json_object_get(reply->head, "status"));
    RunStatus status = RUN_OK;
    while (s == EXCHANGE_OK && name && status <= RUN_FINDING && strcmp(name, run_status_name(status)) != 0) status++;
    if (s != EXCHANGE_OK || !name || status > RUN_FINDING) {
        worker_end(d, s == EXCHANGE_OK ? EXCHANGE_NONSENSE : s, phase, o);
        return false;
    }
    o->status = status;
    o->code = (int)device_number(reply->head, "code");
    o->is_building = phase == DO_BUILD;
    if (reply->blob_count) buf_write(&o->log, reply->blobs[0].data, reply->blobs[0].bytes);
    if (o->status == RUN_LOST) drop_worker(d);
    return o->status == RUN_OK;
}

bool worker_ask(Device *d, Phase phase, json_t *head, const Blob *blob, Frame *reply, Outcome *o)
{
    device_aside(d, true);
    ExchangeStatus s = process_exchange(d->process, head, blob, blob ? 1 : 0, phase_limit(d, phase), reply);
    device_aside(d, false);
    json_decref(head);
    return take_reply(d, s, reply, phase, o);
}

bool worker_tell(Device *d, Phase phase, json_t *head, Outcome *o)
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
    process_set_stop(d->process, d->stop, d->waits);
    json_t *head = json_pack("{s:s,s:I,s:I,s:b}", "op", "open", "platform",
                             (json_int_t)d->info.platform_index, "device",
                             (json_int_t)d->info.device_index, "checker", d->info.is_checker);
    process_send(d->process, head, NULL, 0);
    json_decref(head);
    d->opening = true;
    return true;
}

bool worker_need(Device *d, Outcome *o)
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
