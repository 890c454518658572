/* device_list: the devices of the machine, and one found by what the user typed. */
#include "device.h"
#include "file.h"
#include "process.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { HELLO_MS = 60000 };

/* ---- the list ---- */

struct Devices {
    bool listed, checked;      /* those of the machine; the checker, behind them */
    char *launcher;            /* malloc; "": none */
    Arena *arena;              /* of what is in the list */
    char *records;             /* malloc; folder of what was measured; NULL: none */
    VEC(char *) places;        /* names behind an @ whose devices are in the list */
    VEC(DeviceInfo) list;
    const volatile sig_atomic_t *stop;
    Buf problem;               /* why a list came out empty, when it was not just empty */
};

DeviceInfo device_info_copy(Arena *arena, const DeviceInfo *i)
{
    DeviceInfo c = *i;
    char **const texts[] = {&c.id, &c.api, &c.name, &c.platform, &c.version, &c.driver, &c.launcher};
    for (int k = 0; k < COUNT(texts); k++) *texts[k] = arena_strdup(arena, *texts[k]);
    if (i->target) c.target = target_copy(arena, i->target);
    return c;
}

DeviceInfo device_of_target(const Target *t)
{
    const double *v = t->v;
    return (DeviceInfo){
        .id = (char *)t->name, .api = "opencl", .name = "a record", .platform = "", .version = "", .driver = "", .launcher = "", .is_gpu = t->kind == TARGET_GPU,
        .has_f64 = v[TARGET_F64] > 0, .has_f16 = v[TARGET_F16] > 0, .has_i64 = true, .has_atomics64 = v[TARGET_ATOMICS64] > 0, .has_matrix = v[TARGET_MATRIX] > 0,
        .vector_f32 = (int64_t)v[TARGET_LANES], .compute_units = (int64_t)v[TARGET_UNITS], .max_group = (int64_t)v[TARGET_MAX_GROUP],
        .max_local = {(int64_t)v[TARGET_MAX_LOCAL0], (int64_t)v[TARGET_MAX_LOCAL1], (int64_t)v[TARGET_MAX_LOCAL2]},
        .local_bytes = (int64_t)v[TARGET_GROUP_LOCAL], .platform_index = -1, .device_index = -1, .target = t, .is_record = true};
}

/* Where what was measured on such a device is kept: "NVIDIA-H200.target". */
static char *record_file(const Devices *d, const DeviceInfo *info, Arena *arena)
{
    char *name = arena_strdup(arena, info->name);
    for (char *p = name; *p; p++)
        if (!isalnum((unsigned char)*p)) *p = '-';
    return d->records ? arena_printf(arena, "%s/%s.target", d->records, name) : NULL;
}

/* What was measured on it, else the record of its kind; with the limits that it says itself: they allow no more than those that the record's
 * numbers go with. */
static const Target *own_target(const Devices *d, const DeviceInfo *info)
{
    Arena *arena = d->arena;
    Target *t = target_copy(arena, target_of_kind(info->is_gpu)), kept;
    Diag none = diag_new();
    const char *file = record_file(d, info, arena), *text = file ? text_read(&none, arena, file, NULL, NULL) : NULL;
    if (text && target_read(text, file, info->id, arena, &kept, &none) && kept.kind == t->kind) *t = kept;
    diag_free(&none);
    const struct { TargetField field; int64_t most; } limits[] = {
        {TARGET_MAX_GROUP, info->max_group}, {TARGET_MAX_LOCAL0, info->max_local[0]}, {TARGET_MAX_LOCAL1, info->max_local[1]},
        {TARGET_MAX_LOCAL2, info->max_local[2]}, {TARGET_GROUP_LOCAL, info->local_bytes}};
    for (int i = 0; i < COUNT(limits); i++)
        if (limits[i].most > 0 && limits[i].most < (int64_t)t->v[limits[i].field]) t->v[limits[i].field] = (double)limits[i].most;
    if (device_by_cuda(info) && info->local_bytes > 0) t->v[TARGET_GROUP_LOCAL] = (double)info->local_bytes;          /* OpenCL gives 48 KiB of it */
    if (info->global_bytes > 0) t->v[TARGET_MEMORY] = (double)info->global_bytes;
    if (info->max_alloc > 0) t->v[TARGET_MAX_BUFFER] = (double)info->max_alloc;
    t->v[TARGET_F64] = info->has_f64;
    t->v[TARGET_F16] = info->has_f16;
    t->v[TARGET_ATOMICS64] = info->has_atomics64;
    if (!info->has_matrix) t->v[TARGET_MATRIX] = 0;
    t->name = info->id;
    return t;
}

static const DeviceInfo *by_id(const Devices *d, const char *id)
{
    return FIRST(i, d->list.v, d->list.n, !strcasecmp(d->list.v[i].id, id));
}

/* "pocl0", or "oclgrind" for the checker: the vendor's word and the first free number; "pocl0@name" of a place. */
static char *new_id(const Devices *d, const DeviceInfo *info, const char *place)
{
    static const struct { const char *part, *word; } known[] = {
        {"portable computing", "pocl"}, {"pocl", "pocl"},     {"nvidia", "nvidia"}, {"intel", "intel"},
        {"oclgrind", "oclgrind"},       {"amd", "amd"},       {"advanced micro", "amd"}, {"rusticl", "rusticl"},
        {"clover", "clover"},           {"apple", "apple"}};
    LOCAL(buf_free) Buf word = {0};
    Buf id = {0};
    if (device_by_cuda(info)) buf_puts(&word, info->api);          /* NVIDIA's platform of OpenCL has that in its name, too */
    for (int i = 0; !word.len && i < COUNT(known); i++)
        if (strcasestr(info->platform, known[i].part)) buf_puts(&word, known[i].word);
    if (!word.len) {                     /* not known: its first word, in lower case */
        const char *s = info->platform;
        while (*s && !isalpha((unsigned char)*s)) s++;
        for (; isalpha((unsigned char)*s); s++) buf_putc(&word, (char)tolower((unsigned char)*s));
    }
    if (info->is_checker) buf_puts(&id, "oclgrind");
    for (int n = 0; !id.len || by_id(d, buf_text(&id)); n++) {
        buf_clear(&id);
        buf_printf(&id, place ? "%s%d@%s" : "%s%d", word.len ? word.data : "device", n, place);
    }
    return buf_take(&id, d->arena);
}

static void add_devices(Devices *d, const json_t *head, Loader loader, const char *launcher, const char *place)
{
    const json_t *list = json_object_get(head, "devices");
    if (get_int(head, "protocol") != PROTOCOL_VERSION) {
        buf_printf(&d->problem, "lathe-worker%s%s belongs to another version of lathe: it speaks protocol %lld, this one %d",
                   *launcher ? " by " : "", launcher, (long long)get_int(head, "protocol"), PROTOCOL_VERSION);
        return;
    }
#define TEXT(key) arena_strdup(d->arena, get_text(o, key) ? get_text(o, key) : "")
#define FLAG(key) json_is_true(json_object_get(o, key))
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *o = json_array_get(list, i);
        DeviceInfo info = {
            .api = TEXT("api"), .name = TEXT("name"), .platform = TEXT("platform"), .version = TEXT("version"), .driver = TEXT("driver"),
            .launcher = arena_strdup(d->arena, launcher), .is_gpu = FLAG("gpu"), .is_checker = loader == LOADER_CHECKER,
            .has_f64 = FLAG("f64"), .has_f16 = FLAG("f16"), .has_i64 = FLAG("i64"), .has_atomics64 = FLAG("atomics64"), .has_matrix = FLAG("matrix"),
            .image_width = get_int(o, "image_width"), .image_height = get_int(o, "image_height"),
            .vector_f32 = get_int(o, "vector_f32"), .vector_f64 = get_int(o, "vector_f64"),
            .clock = get_int(o, "clock"), .warp = get_int(o, "warp"), .compute_units = get_int(o, "units"), .max_group = get_int(o, "group"),
            .local_bytes = get_int(o, "local"), .global_bytes = get_int(o, "global"), .max_alloc = get_int(o, "alloc"),
            .platform_index = get_int(o, "platform_index"), .device_index = get_int(o, "device_index")};
        for (size_t k = 0; k < 3; k++) info.max_local[k] = json_integer_value(json_array_get(json_object_get(o, "items"), k));
        /* Oclgrind in the machine's own environment would lack its settings; it has an environment of its own. */
        bool checker = strcasestr(info.platform, "oclgrind");
        if (checker != (loader == LOADER_CHECKER)) continue;
        info.id = new_id(d, &info, place);
        info.target = own_target(d, &info);
        vec_push(&d->list, info);
    }
#undef TEXT
#undef FLAG
}

/* False: it was stopped. */
static bool ask_loader(Devices *d, Loader loader, const char *launcher, const char *place)
{
    Process *p = process_start(loader, launcher, &d->problem);
    if (!p) return true;
    Frame reply;
    process_set_stop(p, d->stop, NULL, NULL);
    json_t *head = json_pack("{s:s}", "op", "hello");
    ExchangeStatus s = process_exchange(p, head, NULL, HELLO_MS, &reply);
    if (s == EXCHANGE_OK) add_devices(d, reply.head, loader, launcher, place);
    else {
        process_describe_end(p, s, &d->problem);
        /* One elsewhere says why itself: what the launcher wrote, or an older lathe-worker. */
        const char *text = process_output(p);
        size_t n = strcspn(text, "\n");
        if (*launcher && n) buf_printf(&d->problem, ": %.*s", (int)n, text);
        if (strstr(text, "it has no use of its own"))
            buf_puts(&d->problem, " (an older one, which works on its own machine only)");
    }
    json_decref(head);
    frame_free(&reply);
    process_stop(p);
    return s != EXCHANGE_STOPPED;
}

/* What keeps all loaders from their devices is said once. False: it was stopped. */
static bool list_loader(Devices *d, Loader loader, const char *launcher, const char *place)
{
    LOCAL(buf_free) Buf before = d->problem;
    d->problem = (Buf){0};
    bool asked = ask_loader(d, loader, launcher, place);
    if (!before.len || (d->problem.len && !strcmp(buf_text(&before), buf_text(&d->problem)))) return asked;
    LOCAL(buf_free) Buf now = d->problem;
    d->problem = (Buf){0};
    buf_printf(&d->problem, "%s%s%s", buf_text(&before), now.len ? "; " : "", buf_text(&now));
    return asked;
}

Devices *devices_new(void)
{
    Devices *d = mem_alloc(sizeof *d);
    d->launcher = mem_strdup("");
    d->arena = arena_new();
    return d;
}

void devices_free(Devices *d)
{
    if (!d) return;
    arena_free(d->arena);
    free(d->list.v);
    free(d->places.v);
    free(d->launcher);
    free(d->records);
    buf_free(&d->problem);
    free(d);
}

void devices_set_stop(Devices *d, const volatile sig_atomic_t *stop) { d->stop = stop; }

bool devices_set_launcher(Devices *d, const char *launcher)
{
    if (!launcher || !strcmp(launcher, "none")) launcher = "";
    if (!strcmp(launcher, d->launcher)) return false;
    free(d->launcher);
    d->launcher = mem_strdup(launcher);
    arena_reset(d->arena);
    d->list.n = d->places.n = 0;
    d->listed = d->checked = false;
    buf_clear(&d->problem);
    return true;
}

/* The devices of a place, once, by the launcher with its name for %h. */
static void list_place(Devices *d, const char *place)
{
    LOCAL(buf_free) Buf launcher = {0};
    int before = d->list.n;
    if (text_index((const char *const *)d->places.v, d->places.n, place) >= 0) return;
    for (const char *p = d->launcher; *p; p++) {
        bool here = p[0] == '%' && p[1] == 'h';
        if (here) buf_puts(&launcher, place), p++;
        else buf_putc(&launcher, *p);
    }
    buf_clear(&d->problem);
    list_loader(d, LOADER_SYSTEM, buf_text(&launcher), place);
    if (d->list.n > before) vec_push(&d->places, arena_strdup(d->arena, place));
    else if (!d->problem.len) buf_printf(&d->problem, "there is no OpenCL device by %s", launcher.data);
}

/* Where the devices that no place is named for are. */
static const char *own_launcher(const Devices *d) { return strstr(d->launcher, "%h") ? "" : d->launcher; }

static void list_machine(Devices *d)
{
    if (d->listed) return;
    d->listed = list_loader(d, LOADER_SYSTEM, own_launcher(d), NULL);
    if (!d->listed) buf_clear(&d->problem);
}

int devices_list(Devices *d, const DeviceInfo **out)
{
    list_machine(d);
    if (!d->checked) d->checked = *own_launcher(d) || !process_checker_path() || list_loader(d, LOADER_CHECKER, "", NULL);
    if (out) *out = d->list.v;
    return d->list.n;
}

void devices_set_records(Devices *d, const char *folder)
{
    free(d->records);
    d->records = folder ? mem_strdup(folder) : NULL;
}

bool devices_keep_record(Devices *d, const DeviceInfo *info, const Target *t, char **file, Diag *diag)
{
    LOCAL(buf_free) Buf text = {0};
    const char *path = record_file(d, info, d->arena);
    Target *kept = target_copy(d->arena, t);
    kept->name = arena_strdup(d->arena, info->id);
    for (int i = 0; i < d->list.n; i++)
        if (!strcmp(d->list.v[i].id, info->id)) d->list.v[i].target = kept;
    buf_printf(&text, "# %s, measured\n", info->name);
    target_write(t, &text);
    *file = path ? mem_strdup(path) : NULL;
    return !path || file_write(diag, path, text.data, text.len);
}

const char *devices_problem(Devices *d) { return d->list.n || !d->problem.len ? "" : buf_text(&d->problem); }

/* ---- finding one ---- */

bool devices_stopped(const Devices *d, Diag *diag)
{
    bool stopped = d->stop && *d->stop;
    if (stopped) diag_error(diag, E25, "interrupted before the devices were listed");
    return stopped;
}

static void report_none(const Devices *d, const char *text, int matches, Diag *diag)
{
    if (devices_stopped(d, diag)) return;
    bool said, launched = d->problem.len && *d->launcher && (!d->list.n || (text && strchr(text, '@')));
    if (launched) said = diag_error(diag, E60, "no device by the launcher: %s", buf_text(&d->problem));
    else if (!d->list.n)
        said = diag_error(diag, E60, "no OpenCL platform was found; everything but running works without");
    else if (!text || !*text) said = diag_error(diag, E60, "no device but the checking one was found");
    else if (matches > 1) said = diag_error(diag, E60, "%d devices match \"%s\"", matches, text);
    else said = diag_error(diag, E60, "no device matches \"%s\"", text);
    if (!said) return;
    for (int i = 0; i < d->list.n && i < DIAG_NOTES - 2; i++)
        diag_note(diag, i ? "" : "devices", "%-9s %s", d->list.v[i].id, d->list.v[i].name);
    if (d->problem.len && !launched) diag_note(diag, "found", "%s", buf_text(&d->problem));
}

const DeviceInfo *devices_default(Devices *d)
{
    list_machine(d);
    return FIRST(i, d->list.v, d->list.n, !d->list.v[i].is_checker);
}

/* By id, or the first of its kind, of those that are listed. */
static const DeviceInfo *by_word(const Devices *d, const char *text)
{
    const DeviceInfo *found = by_id(d, text);
    for (int i = 0; !found && i < d->list.n; i++) {
        const DeviceInfo *at = &d->list.v[i];
        if (!at->is_checker && !strcasecmp(text, at->is_gpu ? "gpu" : "cpu")) found = at;
    }
    return found;
}

const DeviceInfo *devices_find(Devices *d, const char *text, Diag *diag)
{
    const char *place = text ? strchr(text, '@') : NULL;
    if (place && *d->launcher) list_place(d, place + 1);
    bool named = text && *text;
    const DeviceInfo *found = devices_default(d), *part = NULL;
    if (named) found = by_word(d, text);
    if (found) return found;             /* the checker need not be asked */
    int matches = 0, n = devices_list(d, NULL);
    if (named && (found = by_word(d, text))) return found;
    char *end = NULL;
    long index = named && isdigit((unsigned char)*text) ? strtol(text, &end, 10) : n;
    if (end && !*end && index < n) return &d->list.v[index];
    for (int i = 0; named && i < n; i++) {
        const DeviceInfo *at = &d->list.v[i];
        if (!strcasestr(at->name, text) && !strcasestr(at->id, text)) continue;
        part = at;
        matches++;
    }
    if (matches == 1) return part;
    report_none(d, text, matches, diag);
    return NULL;
}
