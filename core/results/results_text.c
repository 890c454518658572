/* results_text: results as CSV (RFC 4180), TSV, JSON and T4 1.0.0 (shared by KTT and Kernel Tuner), and TSV read back. */
#include "file.h"
#include "results_private.h"

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

static const char *bound(const char *bindings, const char *name, Arena *arena)
{
    int64_t value;
    return result_binding(bindings, name, &value) ? arena_printf(arena, "%lld", (long long)value) : "";
}

/* The fields of a line: columns, then sizes and parameters. */
typedef struct Shape {
    const char **sizes, **params;
    int size_count, param_count;
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
    for (int i = 0; i < s->size_count; i++)
        results_field(r ? bound(r->key.sizes, s->sizes[i], s->arena) : s->sizes[i], s->format, false, out);
    for (int i = 0; i < s->param_count; i++)
        results_field(r ? bound(r->key.params, s->params[i], s->arena) : s->params[i], s->format, false, out);
    results_line_end(s->format, out);
}

/* ---- JSON ---- */

static json_t *bindings_json(const char *bindings)
{
    json_t *o = json_object();
    const char **names;
    Arena *arena = arena_new();
    Result one = {.key = {.params = bindings}};
    const Result *ref = &one;
    int n = result_names(&ref, 1, false, arena, &names);
    for (int i = 0; i < n; i++) {
        int64_t value;
        if (result_binding(bindings, names[i], &value)) json_object_set_new(o, names[i], json_integer(value));
    }
    arena_free(arena);
    return o;
}

json_t *number_json(double v)
{
    if (isnan(v)) return json_null();
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
    Arena *arena = arena_new();
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
    arena_free(arena);
    return o;
}

static void write_json(const json_t *j, Buf *out)
{
    char *text = json_dumps(j, JSON_INDENT(1) | JSON_REAL_PRECISION(12));
    if (text) buf_printf(out, "%s\n", text);
    free(text);
}

/* ---- T4 ---- */

static void add_measurement(json_t *list, const char *name, double value, const char *unit)
{
    if (value > 0) json_array_append_new(list, json_pack("{s:s, s:f, s:s}", "name", name, "value", value, "unit", unit));
}

/* Milliseconds; what was not measured is not there. */
static void add_time(json_t *spent, const char *name, double ms)
{
    if (ms > 0) json_object_set_new(spent, name, json_real(ms));
}

int results_t4_count(const Result *list, int n)
{
    int count = 0;
    for (int i = 0; i < n; i++) count += result_invalidity(list[i].state) != NULL;
    return count;
}

/* What a T4 file is about, as it is one program's with one size on one device elsewhere. */
static const char *const about[] = {"program", "sizes", "device"};

static json_t *t4_result(const Result *r, bool times, const bool *shared)
{
    Arena *arena = arena_new();
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
                          "configuration", configuration, "times", spent, "invalidity", result_invalidity(r->state), "correctness",
                          r->state == RESULT_OK ? 1.0 : 0.0, "measurements", measurements, "objectives", result_objective(r));
    arena_free(arena);
    return o;
}

static void write_t4(const Result *list, int n, bool times, Buf *out)
{
    Arena *arena = arena_new();
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
        if (result_invalidity(list[i].state)) json_array_append_new(results, t4_result(&list[i], times, shared));
    json_t *all = json_pack("{s:s, s:o, s:o}", "schema_version", "1.0.0", "metadata", metadata, "results", results);
    arena_free(arena);
    write_json(all, out);
    json_decref(all);
}

void results_write_metadata(const Result *list, int n, Buf *out)
{
    struct utsname os = {0};
    uname(&os);
    Buf name = {0};
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
    buf_free(&name);
    write_json(all, out);
    json_decref(all);
}

void results_write(const Result *list, int n, ResultFormat format, bool times, Buf *out)
{
    Arena *arena = arena_new();
    if (format == FORMAT_T4) write_t4(list, n, times, out);
    else if (format != FORMAT_JSON) {
        Shape s = {.format = format, .times = times, .arena = arena};
        const Result **refs = NEW_ARRAY(arena, const Result *, n);
        for (int i = 0; i < n; i++) refs[i] = &list[i];
        s.size_count = result_names(refs, n, true, arena, &s.sizes);
        s.param_count = result_names(refs, n, false, arena, &s.params);
        write_line(&s, NULL, out);
        for (int i = 0; i < n; i++) write_line(&s, &list[i], out);
    } else {
        json_t *all = JSON_LIST(i, n, result_json(&list[i], times));
        write_json(all, out);
        json_decref(all);
    }
    arena_free(arena);
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

static bool read_line(Results *r, const Fields *names, Fields *values, char *line, const char *file, int number, Diag *diag)
{
    cut_fields(line, values);
    Result one = {0};
    for (int i = 0; i < result_column_count(); i++) {
        const ResultColumn *c = result_column(i);
        result_field_parse(&one, c, field(names, values, c->name));
    }
    if (!*one.key.transfer) one.key.transfer = transfer_name(TRANSFER_NONE);     /* a table that says nothing of them */
    if (!*one.features) one.features = "{}";
    if (values->n != names->n)
        return diag_error(diag, E03, "%s:%d: %d columns, the first line has %d", file, number, values->n, names->n), false;
    if (one.state == RESULT_STATES)
        return diag_error(diag, E03, "%s:%d: no state \"%.40s\"", file, number, field(names, values, "state")), false;
    int64_t id = results_begin(r, &one);
    return id && results_end(r, id, &one);
}

/* The text of that file, which is cut up. E03; E25: *stop was raised (NULL: never). */
static bool read_tsv(Results *r, char *text, const char *file, const volatile int *stop, Diag *diag)
{
    static const char *const needed[] = {"state", "ns", "params"};
    char *head = NULL;
    Fields names = {0}, values = {0};
    bool ok = true;
    for (int number = 1; ok && *text; number++) {
        char *line = text;
        text += strcspn(text, "\n");
        if (*text) *text++ = 0;
        line[strcspn(line, "\r")] = 0;
        if (stop && *stop) ok = (diag_error(diag, E25, "interrupted while %s was read", file), false);
        else if (head) ok = !*line || read_line(r, &names, &values, line, file, number, diag);
        else {
            cut_fields(head = line, &names);
            for (int i = 0; ok && i < COUNT(needed); i++) {
                ok = text_index((const char *const *)names.v, names.n, needed[i]) >= 0;
                if (!ok && diag_error(diag, E03, "%s: its first line has no column \"%s\"", file, needed[i]))
                    diag_note(diag, "needs", "what `results --format tsv -o FILE` writes, or a result store");
            }
        }
    }
    if (ok && !head) ok = (diag_error(diag, E03, "%s is empty", file), false);
    free(names.v);
    free(values.v);
    return ok;
}

Results *results_read(const char *file, const volatile int *stop, Diag *diag)
{
    Arena *arena = arena_new();
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
        json_error_t why;
        bool is_json = text[strspn(text, " \t\r\n")] == '{';
        json_t *all = is_json ? json_loads(text, 0, &why) : NULL;
        sqlite3_exec(r->db, "BEGIN", NULL, NULL, NULL);
        if (all) ok = results_t4_read(r, all, file, diag);
        else ok = is_json ? (diag_error(diag, E03, "%s:%d: %s", file, why.line, why.text), false) : read_tsv(r, text, file, stop, diag);
        sqlite3_exec(r->db, ok ? "COMMIT" : "ROLLBACK", NULL, NULL, NULL);
        json_decref(all);
    }
    arena_free(arena);
    if (ok) return r;
    results_close(r);
    return NULL;
}
