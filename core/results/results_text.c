/* results_text: results as CSV (RFC 4180), TSV, JSON and T4 1.0.0 (shared by KTT and Kernel Tuner); TSV and T4 read back, and Kernel Tuner's cache. */
#include "file.h"
#include "results_private.h"
#include "statistics.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

/* ---- fields ---- */

void results_field(const char *text, ResultFormat format, bool first, Buf *out)
{
    bool csv = format == FORMAT_CSV, quoted = csv && strpbrk(text, ",\"\r\n");
    if (!first) buf_putc(out, csv ? ',' : '\t');
    if (quoted) buf_putc(out, '"');
    for (; *text; text++) {
        const char *escaped = csv ? (*text == '"' ? "\"\"" : NULL) : *text == '\t' ? "\\t" : *text == '\n' ? "\\n" : *text == '\\' ? "\\\\"
                              : *text == '\r' ? "" : NULL;
        if (escaped) buf_puts(out, escaped);
        else buf_putc(out, *text);
    }
    if (quoted) buf_putc(out, '"');
}

void results_line_end(ResultFormat format, Buf *out) { buf_puts(out, format == FORMAT_CSV ? "\r\n" : "\n"); }

/* ---- CSV and TSV: every column, then sizes, then parameters ---- */

/* The fields of a line: columns, then sizes and parameters. */
typedef struct Shape {
    struct { const char **v; int n; } names[2];      /* of parameters, sizes */
    ResultFormat format;
    bool times;
    Arena *arena;
} Shape;

/* r NULL: the names of the fields. */
static void write_line(const Shape *s, const Result *r, Buf *out)
{
    for (int i = 0; i < result_column_count(); i++) {
        const ResultColumn *c = result_column(i);
        bool left_out = c->measured && !s->times;
        const char *text = !r ? c->name : left_out ? "-" : result_text(r, c->name, s->arena);
        results_field(text, s->format, i == 0, out);
    }
    for (int sizes = 1; sizes >= 0; sizes--)
        for (int i = 0; i < s->names[sizes].n; i++) {
            int64_t value;
            const char *name = s->names[sizes].v[i], *text = "";
            if (r && result_binding(sizes ? r->key.sizes : r->key.params, name, &value)) text = arena_printf(s->arena, "%lld", (long long)value);
            results_field(r ? text : name, s->format, false, out);
        }
    results_line_end(s->format, out);
}

/* ---- JSON ---- */

static json_t *bindings_json(const char *bindings)
{
    json_t *o = json_object();
    const char **names;
    LOCAL(drop_arena) Arena *arena = arena_new();
    Result one = {.key = {.params = bindings}};
    const Result *ref = &one;
    int n = result_names(&ref, 1, false, arena, &names);
    for (int i = 0; i < n; i++) {
        int64_t value;
        if (result_binding(bindings, names[i], &value)) json_object_set_new(o, names[i], json_integer(value));
    }
    return o;
}

json_t *number_json(double v)
{
    if (!isfinite(v)) return json_null();
    return v == floor(v) && fabs(v) < 1e15 ? json_integer((json_int_t)v) : json_real(v);
}

static json_t *text_json(const char *text)
{
    json_t *j = json_string(text);
    return j ? j : json_string("");
}

/* Each execution's time by so many nanoseconds; of those who did not keep them the median alone. */
static json_t *times_json(const Result *r, double unit)
{
    json_t *list = json_array();
    char *end;
    for (const char *p = r->times ? r->times : ""; *p; p = end) {
        double ns = strtod(p, &end);
        if (end == p) break;
        json_array_append_new(list, json_real(ns / unit));
    }
    if (json_array_size(list) == 0 && r->ns > 0) json_array_append_new(list, json_real(r->ns / unit));
    return list;
}

json_t *result_json(const Result *r, bool times)
{
    json_t *o = json_object();
    LOCAL(drop_arena) Arena *arena = arena_new();
    for (int i = 0; i < result_column_count(); i++) {
        const ResultColumn *c = result_column(i);
        json_t *j = c->kind == COLUMN_TEXT || c->kind == COLUMN_STATE ? text_json(result_text(r, c->name, arena))
                                                                      : number_json(result_number(r, c->name));
        if (!times && c->measured) json_decref(j), j = json_string("-");
        json_object_set_new(o, c->name, j);
    }
    if (times) json_object_set_new(o, "times", times_json(r, 1));
    json_object_set_new(o, "params", bindings_json(r->key.params));
    json_object_set_new(o, "sizes", bindings_json(r->key.sizes));
    json_t *features = json_loads(r->features, 0, NULL);
    json_object_set_new(o, "features", json_is_object(features) ? json_incref(features) : json_object());
    json_decref(features);
    return o;
}

static void write_json(const json_t *j, Buf *out)
{
    LOCAL(drop) char *text = json_dumps(j, JSON_INDENT(1) | JSON_REAL_PRECISION(12));
    if (text) buf_printf(out, "%s\n", text);
}

/* ---- T4 ---- */

/* T4's word for it; NULL: no result yet. */
static const char *invalidity(ResultState s)
{
    static const char *const names[RESULT_STATES] = {
        [RESULT_OK] = "correct", [RESULT_WRONG] = "correctness", [RESULT_REFUSED] = "constraints",
        [RESULT_BUILD_FAILED] = "compile", [RESULT_FAILED] = "runtime", [RESULT_DIED] = "runtime",
        [RESULT_TIMED_OUT] = "timeout",
    };
    return names[s];
}

/* The words behind the label of a search. */
static const struct { const char *option, *measurement; } objectives[] = {
    {" -o min", "time_min"}, {" -o gflops", "GFLOP/s"}, {" -o gbps", "GB/s"}};

/* T4's measurement that its search was for. */
static const char *objective(const Result *r)
{
    for (int i = 0; r->search && i < COUNT(objectives); i++)
        if (strstr(r->search, objectives[i].option)) return objectives[i].measurement;
    return "time";
}

static void add_measurement(json_t *list, const char *name, double value, const char *unit)
{
    if (value > 0 && isfinite(value)) json_array_append_new(list, json_pack("{s:s, s:f, s:s}", "name", name, "value", value, "unit", unit));
}

/* Milliseconds; what was not measured is not there. */
static void add_time(json_t *spent, const char *name, double ms)
{
    if (ms > 0) json_object_set_new(spent, name, json_real(ms));
}

/* What a T4 file is about, as it is one program's with one size on one device elsewhere. */
static const char *const about[] = {"program", "sizes", "device"};

static json_t *t4_result(const Result *r, bool times, const bool *shared)
{
    LOCAL(drop_arena) Arena *arena = arena_new();
    json_t *configuration = bindings_json(r->key.params), *measurements = json_array(), *spent = json_object();
    for (int i = 0; i < COUNT(about); i++)
        if (!shared[i]) json_object_set_new(configuration, about[i], text_json(result_text(r, about[i], arena)));
    if (*r->derivation) json_object_set_new(configuration, "derivation", text_json(r->derivation));
    double ns = times ? r->ns : 0;
    add_time(spent, "compilation_time", times ? r->build_ms : 0);
    add_time(spent, "validation", times ? r->verify_ms : 0);
    json_object_set_new(spent, "runtimes", times ? times_json(r, 1e6) : json_array());
    add_measurement(measurements, "time", ns / 1e6, "ms");
    add_measurement(measurements, "time_min", times ? r->min_ns / 1e6 : 0, "ms");
    add_measurement(measurements, "time_iqr", times ? r->iqr_ns / 1e6 : 0, "ms");
    if (ns > 0) add_measurement(measurements, "GFLOP/s", r->flops / ns, "GFLOP/s");
    if (ns > 0) add_measurement(measurements, "GB/s", r->bytes / ns, "GB/s");
    json_t *o = json_pack("{s:s, s:o, s:o, s:s, s:f, s:o, s:[s]}", "timestamp", times ? result_text(r, "when", arena) : "-",
                          "configuration", configuration, "times", spent, "invalidity", invalidity(r->state), "correctness",
                          r->state == RESULT_OK ? 1.0 : 0.0, "measurements", measurements, "objectives", objective(r));
    return o;
}

static int write_t4(const Result *list, int n, bool times, Buf *out)
{
    LOCAL(drop_arena) Arena *arena = arena_new();
    bool shared[COUNT(about)];
    json_t *results = json_array(),
           *metadata = json_pack("{s:s, s:s, s:s, s:s}", "compute_api", "OpenCL", "autotuner", "lathe", "autotuner_version",
                                 LATHE_VERSION, "timeunit", "milliseconds");
    for (int i = 0; i < COUNT(about); i++) {
        const char *first = n ? result_text(&list[0], about[i], arena) : NULL;
        shared[i] = n && ALL(k, n, !strcmp(first, result_text(&list[k], about[i], arena)));
        if (shared[i]) json_object_set_new(metadata, about[i], text_json(first));
    }
    for (int i = 0; i < n; i++)
        if (invalidity(list[i].state)) json_array_append_new(results, t4_result(&list[i], times, shared));
    int count = (int)json_array_size(results);
    json_t *all = json_pack("{s:s, s:o, s:o}", "schema_version", "1.0.0", "metadata", metadata, "results", results);
    write_json(all, out);
    json_decref(all);
    return count;
}

void results_write_metadata(const Result *list, int n, Buf *out)
{
    struct utsname os = {0};
    uname(&os);
    LOCAL(buf_free) Buf name = {0};
    buf_printf(&name, "%s %s", os.sysname, os.release);
    /* Each device once, by its short name. */
    json_t *devices = json_object();
    for (int i = 0; i < n; i++) {
        json_t *one = json_pack("{s:s, s:s}", "name", list[i].key.device_name, "driver", list[i].key.driver);
        json_object_set_new(devices, list[i].key.device, one);
    }
    json_t *all = json_pack("{s:s, s:{s:{s:[{s:s, s:i}], s:s}, s:{s:o, s:[s]}}}", "schema_version", "1.0.0", "metadata",
                            "hardware", "hardware_description", "machine", os.machine, "processors",
                            (int)sysconf(_SC_NPROCESSORS_ONLN), "operating_system", buf_text(&name), "environment",
                            "device_query", devices, "requirements", "lathe " LATHE_VERSION);
    write_json(all, out);
    json_decref(all);
}

int results_write(const Result *list, int n, ResultFormat format, bool times, Buf *out)
{
    LOCAL(drop_arena) Arena *arena = arena_new();
    if (format == FORMAT_T4) n = write_t4(list, n, times, out);
    else if (format != FORMAT_JSON) {
        Shape s = {.format = format, .times = times, .arena = arena};
        const Result **refs = MAKE_LIST(arena, const Result *, i, n, &list[i]);
        for (int sizes = 0; sizes < 2; sizes++) s.names[sizes].n = result_names(refs, n, sizes, arena, &s.names[sizes].v);
        write_line(&s, NULL, out);
        for (int i = 0; i < n; i++) write_line(&s, &list[i], out);
    } else {
        json_t *all = JSON_LIST(i, n, result_json(&list[i], times));
        write_json(all, out);
        json_decref(all);
    }
    return n;
}

/* ---- reading TSV ---- */

typedef VEC(char *) Fields;

/* Cut a line in place. */
static void cut_fields(char *line, Fields *out)
{
    char *to = line, *from = line, *start = line;
    out->n = 0;
    for (;; from++) {
        if (*from == '\t' || !*from) {
            bool last = !*from;
            *to++ = 0;
            vec_push(out, start);
            if (last) return;
            start = to = from + 1;
        } else if (*from == '\\' && from[1]) {
            from++;
            *to++ = *from == 't' ? '\t' : *from == 'n' ? '\n' : *from;
        } else *to++ = *from;
    }
}

static const char *field(const Fields *names, const Fields *values, const char *name)
{
    int i = text_index((const char *const *)names->v, names->n, name);
    return i >= 0 && i < values->n ? values->v[i] : "";
}

/* What the caller calls them goes before what the file does. */
static void rename_result(Result *r, const ResultNames *as)
{
    if (as && as->program) r->key.program = as->program;
    if (as && as->device) r->key.device = r->key.device_name = as->device;
}

static bool read_line(Results *r, const Fields *names, Fields *values, char *line, const char *file, int number, const ResultNames *as, Diag *diag)
{
    cut_fields(line, values);
    Result one = {0};
    for (int i = 0; i < result_column_count(); i++) {
        const ResultColumn *c = result_column(i);
        result_field_parse(&one, c, field(names, values, c->name));
    }
    if (!*one.key.transfer) one.key.transfer = transfer_name(TRANSFER_NONE);     /* a table that says nothing of them */
    if (!*one.features) one.features = "{}";
    rename_result(&one, as);
    if (values->n != names->n)
        return diag_fail(diag, E03, "%s:%d: %d columns, the first line has %d", file, number, values->n, names->n);
    if (one.state == RESULT_STATES)
        return diag_fail(diag, E03, "%s:%d: no state \"%.40s\"", file, number, field(names, values, "state"));
    return results_begin(r, &one) > 0;
}

/* The text of that file, which is cut up. E03; E25: *stop was raised (NULL: never). */
static bool read_tsv(Results *r, char *text, const char *file, const ResultNames *as, const volatile int *stop, Diag *diag)
{
    static const char *const needed[] = {"state", "ns", "params"};
    char *head = NULL;
    LOCAL(drop) Fields names = {0}, values = {0};
    bool ok = true;
    for (int number = 1; ok && *text; number++) {
        char *line = text;
        text += strcspn(text, "\n");
        if (*text) *text++ = 0;
        line[strcspn(line, "\r")] = 0;
        if (stop && *stop) ok = diag_fail(diag, E25, "interrupted while %s was read", file);
        else if (head) ok = !*line || read_line(r, &names, &values, line, file, number, as, diag);
        else {
            cut_fields(head = line, &names);
            for (int i = 0; ok && i < COUNT(needed); i++) {
                ok = text_index((const char *const *)names.v, names.n, needed[i]) >= 0
                     || diag_fail(diag, E03, "%s: its first line has no column \"%s\"\n"
                                  "needs what `results --format tsv -o FILE` writes, or a result store", file, needed[i]);
            }
        }
    }
    if (ok && !head) ok = diag_fail(diag, E03, "%s is empty", file);
    return ok;
}

/* ---- reading T4, which lathe, Kernel Tuner and KTT write: what others tuned beside one's own ---- */

typedef struct T4File {
    Arena *arena;
    const json_t *metadata;
    const char *name;                    /* of the file, without folder and ending */
    double ns;                           /* of its unit of time */
} T4File;

static const char *text_of(const json_t *o, const char *key)
{
    const char *text = json_string_value(json_object_get(o, key));
    return text ? text : "";
}

static double unit_ns(const char *unit)
{
    static const struct { const char *name; double ns; } units[] = {
        {"nanoseconds", 1}, {"ns", 1}, {"microseconds", 1e3}, {"us", 1e3}, {"seconds", 1e9}, {"s", 1e9}};
    for (int i = 0; i < COUNT(units); i++)
        if (!strcasecmp(unit, units[i].name)) return units[i].ns;
    return 1e6;                          /* the schema's, as where nothing is said */
}

/* "2026-11-25 10:44:42.236642+00:00", "2026-11-25T10:44:42Z"; 0: it is none. */
static int64_t date_of(const char *text)
{
    struct tm tm = {0};
    char between, sign;
    int hours, minutes;                  /* two digits each, as all below: what they add up to is some day */
    const char *zone = text + strcspn(text, ".Z+") + strspn(text + strcspn(text, ".Z+"), ".0123456789");
    if (sscanf(text, "%4d-%2d-%2d%c%2d:%2d:%2d", &tm.tm_year, &tm.tm_mon, &tm.tm_mday, &between, &tm.tm_hour, &tm.tm_min, &tm.tm_sec) != 7) return 0;
    tm.tm_year -= 1900;
    tm.tm_mon--;
    int64_t at = (int64_t)timegm(&tm);
    if (sscanf(zone, "%c%2d:%2d", &sign, &hours, &minutes) == 3) at -= (sign == '-' ? -60 : 60) * (60 * hours + minutes);
    return at;
}

static void read_times(const T4File *s, const json_t *one, Result *out)
{
    const json_t *times = json_object_get(one, "times"), *runs = json_object_get(times, "runtimes"), *compile = json_object_get(times, "compilation_time");
    const json_t *measurements = json_object_get(one, "measurements");
    int n = 0, most = (int)json_array_size(runs);
    double *ns = NEW_ARRAY(s->arena, double, most + 1);
    Buf text = {0};
    if (!compile) compile = json_object_get(times, "compilation");
    out->build_ms = json_number_value(compile) * s->ns / 1e6;
    out->verify_ms = json_number_value(json_object_get(times, "validation")) * s->ns / 1e6;
    for (int i = 0; i < most; i++) {
        double t = json_number_value(json_array_get(runs, (size_t)i)) * s->ns;
        if (t > 0) buf_printf(&text, "%s%.8g", n ? " " : "", ns[n] = t), n++;
    }
    for (size_t i = 0; !n && i < json_array_size(measurements); i++) {
        const json_t *m = json_array_get(measurements, i);
        double t = json_number_value(json_object_get(m, "value")) * (*text_of(m, "unit") ? unit_ns(text_of(m, "unit")) : s->ns);
        if (!strcmp(text_of(m, "name"), "time") && t > 0) ns[n++] = t;
    }
    out->times = buf_take(&text, s->arena);
    if (!n || out->state != RESULT_OK) return;
    stats_sort(ns, n);
    out->ns = stats_quantile(ns, n, 0.5);
    out->min_ns = ns[0];
    out->iqr_ns = stats_quantile(ns, n, 0.75) - stats_quantile(ns, n, 0.25);
    out->trials = n;
    for (size_t i = 0; i < json_array_size(measurements); i++) {         /* rates at that time */
        const json_t *m = json_array_get(measurements, i);
        double rate = json_number_value(json_object_get(m, "value"));
        if (!strcmp(text_of(m, "name"), "GFLOP/s")) out->flops = rate * out->ns;
        if (!strcmp(text_of(m, "name"), "GB/s")) out->bytes = rate * out->ns;
    }
}

static Result read_result(const T4File *s, const json_t *one, int number)
{
    const char *wanted = json_string_value(json_array_get(json_object_get(one, "objectives"), 0)), *option = "";
    int state = RESULT_OK;
    for (; state < RESULT_STATES; state++) {
        const char *word = invalidity((ResultState)state);
        if (word && !strcmp(text_of(one, "invalidity"), word)) break;
    }
    for (int i = 0; wanted && i < COUNT(objectives); i++)
        if (!strcmp(wanted, objectives[i].measurement)) option = objectives[i].option;
    Result r = {.state = (ResultState)state, .when = date_of(text_of(one, "timestamp")), .sequence = number,
                .message = "", .derivation = "", .features = "{}", .session = "", .times = ""};
    r.key = (ResultKey){.device = "", .sizes = "", .inputs = "", .options = "", .driver = "", .tool = text_of(s->metadata, "autotuner"),
                        .transfer = transfer_name(TRANSFER_NONE)};
    /* What lathe's own files say of themselves, once or in each configuration, is no parameter. */
    const json_t *configuration = json_object_get(one, "configuration");
    const struct { const char *name, **field; } own[] = {
        {"program", &r.key.program}, {"sizes", &r.key.sizes}, {"device", &r.key.device}, {"derivation", &r.derivation}};
    const char *name;
    json_t *value;
    Buf params = {0};
    r.key.program = s->name;
    for (int i = 0; i < COUNT(own); i++)
        if (*text_of(s->metadata, own[i].name)) *own[i].field = text_of(s->metadata, own[i].name);
    json_object_foreach((json_t *)configuration, name, value) {
        int i = 0;
        while (i < COUNT(own) && strcmp(name, own[i].name)) i++;
        if (i < COUNT(own) && json_is_string(value)) *own[i].field = json_string_value(value);
        else {
            /* A parameter's value in one word; KTT writes numbers as texts. */
            LOCAL(drop) char *text = json_is_string(value) ? strdup(json_string_value(value))
                                               : json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
            if (!strcmp(text, "true") || !strcmp(text, "false")) strcpy(text, *text == 't' ? "1" : "0");
            for (char *p = text; *p; p++)
                if (*p == ' ') *p = '_';
            buf_printf(&params, "%s%s=%s", params.len ? " " : "", name, text);
        }
    }
    r.key.params = buf_take(&params, s->arena);
    r.key.device_name = r.key.device;
    r.key.version = hash_bytes(hash_bytes(1, r.key.params, strlen(r.key.params)), r.derivation, strlen(r.derivation));
    r.search = arena_printf(s->arena, "%s%s", s->name, option);
    read_times(s, one, &r);
    return r;
}

/* T4's results into the store. False + E03: it is none. */
static bool read_t4(Results *r, const json_t *all, const char *file, const ResultNames *as, Diag *diag)
{
    const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file, *dot = strrchr(base, '.');
    const json_t *results = json_object_get(all, "results");
    T4File s = {.arena = arena_new(), .metadata = json_object_get(all, "metadata")};
    bool ok = json_is_array(results);
    s.name = arena_strndup(s.arena, base, dot ? (size_t)(dot - base) : strlen(base));
    s.ns = unit_ns(text_of(s.metadata, "timeunit"));
    if (!ok && json_object_get(all, "ConfigurationSpace"))
        diag_fail(diag, E03, "%s is T1: it says what is to be tuned, and has no results\n"
                  "needs what a tuner wrote of them (T4), a result store or TSV\ntry search params --from %s", file, file);
    else if (!ok) diag_fail(diag, E03, "%s is no T4: it has no list \"results\"", file);
    for (size_t i = 0; ok && i < json_array_size(results); i++) {
        const json_t *one = json_array_get(results, i);
        Result row = read_result(&s, one, (int)i + 1);
        bool known = row.state != RESULT_STATES;
        if (!known || !json_is_object(json_object_get(one, "configuration")))
            ok = diag_fail(diag, E03, "%s: result %d has no %s\nneeds T4 1.0.0, as lathe, Kernel Tuner and KTT write it", file, (int)i + 1,
                           known ? "\"configuration\"" : "known \"invalidity\"");
        else rename_result(&row, as), ok = results_begin(r, &row) > 0;
    }
    arena_free(s.arena);
    return ok;
}

/* ---- reading Kernel Tuner's cache: {"device_name", "kernel_name", "tune_params_keys", "cache": {"32,1": {...}}} ---- */

/* Its times, and words for the time of what has none. */
static json_t *t4_of_cached(const json_t *keys, const json_t *one)
{
    static const struct { const char *time, *invalidity; } failed[] = {
        {"InvalidConfig", "constraints"}, {"CompilationFailedConfig", "compile"}, {"RuntimeFailedConfig", "runtime"}};
    static const struct { const char *cached, *t4; } spent[] = {{"compile_time", "compilation"}, {"verification_time", "validation"}, {"times", "runtimes"}};
    static const struct { const char *name, *unit; } measured[] = {{"time", "ms"}, {"GFLOP/s", ""}, {"GB/s", ""}};
    const char *word = text_of(one, "time"), *invalidity = "correct";
    json_t *configuration = json_object(), *times = json_object(), *measurements = json_array();
    for (int i = 0; i < COUNT(failed); i++)
        if (!strcmp(word, failed[i].time)) invalidity = failed[i].invalidity;
    for (size_t i = 0; i < json_array_size(keys); i++) {
        const char *name = json_string_value(json_array_get(keys, i));
        if (name) json_object_set(configuration, name, json_object_get(one, name));
    }
    for (int i = 0; i < COUNT(spent); i++)
        if (json_object_get(one, spent[i].cached)) json_object_set(times, spent[i].t4, json_object_get(one, spent[i].cached));
    for (int i = 0; i < COUNT(measured); i++)
        add_measurement(measurements, measured[i].name, json_number_value(json_object_get(one, measured[i].name)), measured[i].unit);
    return json_pack("{s:s, s:o, s:o, s:s, s:o}", "timestamp", text_of(one, "timestamp"), "configuration", configuration, "times", times, "invalidity",
                     invalidity, "measurements", measurements);
}

/* A new reference. */
static json_t *t4_of_cache(const json_t *all)
{
    static const char *const axes[] = {"x", "y", "z"};
    const json_t *size = json_object_get(all, "problem_size");
    LOCAL(buf_free) Buf sizes = {0};
    json_t *results = json_array(), *one;
    const char *name;
    for (int i = 0; i < COUNT(axes); i++) {
        json_t *n = json_is_array(size) ? json_array_get(size, (size_t)i) : i == 0 ? (json_t *)size : NULL;
        if (json_is_integer(n)) buf_printf(&sizes, "%s%s=%lld", sizes.len ? " " : "", axes[i], (long long)json_integer_value(n));
    }
    json_object_foreach(json_object_get(all, "cache"), name, one)
        json_array_append_new(results, t4_of_cached(json_object_get(all, "tune_params_keys"), one));
    return json_pack("{s:{s:s, s:s, s:s, s:s}, s:o}", "metadata", "autotuner", "Kernel Tuner", "program", text_of(all, "kernel_name"), "device",
                     text_of(all, "device_name"), "sizes", buf_text(&sizes), "results", results);
}

static bool read_json(Results *r, char *text, const char *file, const ResultNames *as, Diag *diag)
{
    json_error_t why;
    json_t *all = json_loads(text, 0, &why);
    if (!all) {                          /* a cache has no end as long as something is added to it */
        size_t n = strlen(text);
        while (n && strchr(" \t\r\n,", text[n - 1])) n--;
        LOCAL(buf_free) Buf closed = {0};
        buf_write(&closed, text, n);
        buf_puts(&closed, "}}");
        all = json_loads(buf_text(&closed), 0, NULL);
    }
    if (!all) return diag_fail(diag, E03, "%s:%d: %s", file, why.line, why.text);
    json_t *t4 = json_is_object(json_object_get(all, "cache")) ? t4_of_cache(all) : json_incref(all);
    bool ok = read_t4(r, t4, file, as, diag);
    json_decref(t4);
    json_decref(all);
    return ok;
}

/* ---- reading a file ---- */

Results *results_read(const char *file, const ResultNames *as, const volatile int *stop, Diag *diag)
{
    LOCAL(drop_arena) Arena *arena = arena_new();
    static const char magic[16] = "SQLite format 3";
    struct stat st;
    char head[sizeof magic];
    FILE *f = stat(file, &st) == 0 && S_ISREG(st.st_mode) ? fopen(file, "r") : NULL;
    bool database = f && fread(head, 1, sizeof head, f) == sizeof head && !memcmp(head, magic, sizeof magic);
    if (f) fclose(f);
    char *text = database ? NULL : text_read(diag, arena, file, stop, NULL);
    Results *r = database || text ? results_memory(database ? file : NULL) : NULL;
    bool ok = r;
    if (database && !r) diag_error(diag, E06, "%s is no result store of lathe", file);
    if (r && text) {
        sqlite3_exec(r->db, "BEGIN", NULL, NULL, NULL);
        ok = text[strspn(text, " \t\r\n")] == '{' ? read_json(r, text, file, as, diag) : read_tsv(r, text, file, as, stop, diag);
        sqlite3_exec(r->db, ok ? "COMMIT" : "ROLLBACK", NULL, NULL, NULL);
    }
    if (database && r && as && (as->program || as->device)) ok = diag_fail(diag, E05, "%s is a result store, which says itself what its results are of", file);
    if (ok) return r;
    results_close(r);
    return NULL;
}
