/* device_list: the devices of the machine, and one found by what the user typed. */
#include "device_private.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { HELLO_MS = 60000 };

char *device_text(const char *s) { return mem_strdup(s ? s : ""); }

/* ---- the list ---- */

struct Devices {
    bool listed;
    VEC(DeviceInfo) list;
    Buf problem;               /* why a list came out empty, when it was not just empty */
};

void device_info_free(DeviceInfo *i)
{
    free(i->id);
    free(i->name);
    free(i->vendor);
    free(i->platform);
    free(i->version);
    free(i->driver);
}

DeviceInfo device_info_copy(const DeviceInfo *i)
{
    DeviceInfo c = *i;
    c.id = device_text(i->id);
    c.name = device_text(i->name);
    c.vendor = device_text(i->vendor);
    c.platform = device_text(i->platform);
    c.version = device_text(i->version);
    c.driver = device_text(i->driver);
    return c;
}

static char *text_of(const json_t *o,
                     const char *key) { return device_text(json_string_value(json_object_get(o, key))); }
int64_t device_number(const json_t *o, const char *key) { return json_integer_value(json_object_get(o, key)); }
static bool flag_of(const json_t *o, const char *key) { return json_is_true(json_object_get(o, key)); }

static DeviceInfo info_from(const json_t *o, Loader loader)
{
    DeviceInfo i = {
        .name = text_of(o, "name"),       .vendor = text_of(o, "vendor"),
        .platform = text_of(o, "platform"), .version = text_of(o, "version"),
        .driver = text_of(o, "driver"),   .is_gpu = flag_of(o, "gpu"),
        .is_checker = loader == LOADER_CHECKER,
        .has_f64 = flag_of(o, "f64"),     .has_f16 = flag_of(o, "f16"), .has_i64 = flag_of(o, "i64"),
        .has_atomics64 = flag_of(o, "atomics64"),
        .image_width = device_number(o, "image_width"), .image_height = device_number(o, "image_height"),
        .compute_units = device_number(o, "units"), .max_group = device_number(o, "group"),
        .local_bytes = device_number(o, "local"), .global_bytes = device_number(o, "global"),
        .max_alloc = device_number(o, "alloc"),
        .platform_index = device_number(o, "platform_index"), .device_index = device_number(o, "device_index")};
    for (size_t k = 0; k < 3; k++)
        i.max_local[k] = json_integer_value(json_array_get(json_object_get(o, "items"), k));
    return i;
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
    const char *s = platform;            /* not known: its first word, in lower case */
    while (*s && !isalpha((unsigned char)*s)) s++;
    for (; isalpha((unsigned char)*s); s++) buf_putc(out, (char)tolower((unsigned char)*s));
    if (!out->len) buf_puts(out, "device");
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

static void add_devices(Devices *d, const json_t *head, Loader loader)
{
    const json_t *list = json_object_get(head, "devices");
    if (device_number(head, "protocol") != PROTOCOL_VERSION) {
        buf_puts(&d->problem, "lathe-worker belongs to another version of lathe");
        return;
    }
    for (size_t i = 0; i < json_array_size(list); i++) {
        DeviceInfo info = info_from(json_array_get(list, i), loader);
        /* Oclgrind in the machine's own environment would lack its settings; it has an environment of its own. */
        bool stray = loader == LOADER_SYSTEM && strcasestr(info.platform, "oclgrind");
        info.id = stray ? NULL : new_id(d, &info);
        if (stray) device_info_free(&info);
        else vec_push(&d->list, info);
    }
}

void device_describe_end(Process *p, ExchangeStatus s, Buf *out)
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
    else device_describe_end(p, s, &d->problem);
    json_decref(head);
    frame_free(&reply);
    process_stop(p);
}

Devices *devices_new(void) { return mem_alloc(sizeof(Devices)); }

void devices_free(Devices *d)
{
    if (!d) return;
    for (int i = 0; i < d->list.n; i++) device_info_free(&d->list.v[i]);
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

static void report_none(const Devices *d, const char *text, int matches, Diag *diag)
{
    bool said;
    if (!d->list.n)
        said = diag_error(diag, E60, "no OpenCL platform was found; everything but running works without");
    else if (!text || !*text) said = diag_error(diag, E60, "no device but the checking one was found");
    else if (matches > 1) said = diag_error(diag, E60, "%d devices match \"%s\"", matches, text);
    else said = diag_error(diag, E60, "no device matches \"%s\"", text);
    if (!said) return;
    for (int i = 0; i < d->list.n && i < DIAG_NOTES - 2; i++)
        diag_note(diag, i ? "" : "devices", "%-9s %s", d->list.v[i].id, d->list.v[i].name);
    if (d->problem.len) diag_note(diag, "found", "%s", buf_text(&d->problem));
}

const DeviceInfo *devices_find(Devices *d, const char *text, Diag *diag)
{
    int matches = 0, n = devices_list(d, NULL);
    bool named = text && *text;
    const DeviceInfo *found = named ? by_id(d, text) : NULL, *part = NULL;
    if (found) return found;
    char *end = NULL;
    long index = named && isdigit((unsigned char)*text) ? strtol(text, &end, 10) : n;
    if (end && !*end && index < n) return &d->list.v[index];
    for (int i = 0; i < n; i++) {
        const DeviceInfo *at = &d->list.v[i];
        if (!at->is_checker && (!named || !strcasecmp(text, at->is_gpu ? "gpu" : "cpu"))) return at;
        if (!named || (!strcasestr(at->name, text) && !strcasestr(at->id, text))) continue;
        part = at;
        matches++;
    }
    if (matches == 1) return part;
    report_none(d, text, matches, diag);
    return NULL;
}
