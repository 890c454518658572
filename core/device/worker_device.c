/* worker_device: the devices of all drivers, one of them opened; failures as replies. */
#include "worker_private.h"

#include <stdlib.h>

/* ---- failures ---- */

/* After a fault, some drivers answer every later call with an error. */
static bool is_lost(const Worker *w)
{
    int code = 0, word = 0;
    DriverMemory *m = w->driver ? w->driver->memory(w->state, sizeof word, false, false, &code) : NULL;
    if (m) code = w->driver->write(w->state, m, 0, sizeof word, &word, NULL);
    if (m) w->driver->memory_release(w->state, m);
    return !m || code;
}

static bool fail(Reply *r, const char *status, int code, const char *fmt, va_list ap)
{
    if (!r->status) {
        r->status = code && is_lost(r->w) ? "device_lost" : status;
        r->code = code;
    }
    buf_vprintf(&r->text, fmt, ap);
    if (code) buf_printf(&r->text, " (%s, %d)", r->w->driver ? r->w->driver->error(r->w->state, code) : "error", code);
    buf_putc(&r->text, '\n');
    return false;
}

bool reply_fail(Reply *r, const char *status, int code, const char *fmt, ...)
{
    WITH_ARGS(fmt, ap, fail(r, status, code, fmt, ap));
    return false;
}

bool reply_ok(Reply *r, int code, const char *fmt, ...)
{
    if (code) WITH_ARGS(fmt, ap, fail(r, "run_failed", code, fmt, ap));
    return !code;
}

bool reply_malformed(Reply *r) { return reply_fail(r, "bad_launch", 0, "the worker cannot read this request"); }

/* ---- hello, open ---- */

#define DRIVER(id) &driver_##id,
static const Driver *const drivers[] = {DRIVERS(DRIVER)};
#undef DRIVER

void op_hello(Worker *w, const json_t *q, Reply *r)
{
    (void)w, (void)q;
    json_t *list = json_array(), *o;
    size_t at = 0;
    for (int i = 0; i < COUNT(drivers); i++) {
        DriverState *state = drivers[i]->load();
        if (!state) continue;
        drivers[i]->list(state, list);
        drivers[i]->close(state);
        for (; (o = json_array_get(list, at)); at++) json_object_set_new(o, "api", json_string(drivers[i]->api));
    }
    json_object_set_new(r->head, "protocol", json_integer(PROTOCOL_VERSION));
    json_object_set_new(r->head, "devices", list);
}

void op_open(Worker *w, const json_t *q, Reply *r)
{
    int code = -1;
    const char *api = get_text(q, "api");
    const Driver *driver = NULL;
    for (int i = 0; api && i < COUNT(drivers); i++)
        if (!strcmp(drivers[i]->api, api)) driver = drivers[i];
    DriverState *state = driver && !w->driver ? driver->load() : NULL;
    bool opened = state && driver->open(state, get_int(q, "platform"), get_int(q, "device"), &w->limits, &code);
    if (!opened && code == -1) reply_fail(r, "device_lost", 0, "the device is not there any more");
    else if (!opened) reply_fail(r, "device_lost", 0, "the device cannot be opened (%s, %d)", driver->error(state, code), code);
    if (!opened && state) driver->close(state);
    if (!opened) return;
    w->driver = driver;
    w->state = state;
    w->checker = json_is_true(json_object_get(q, "checker"));
    json_object_set_new(r->head, "texels", json_pack("[i,i]", w->limits.texels[0], w->limits.texels[1]));
}
