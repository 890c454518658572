/* results_t4: T4 1.0.0 read, which lathe (results_text), Kernel Tuner and KTT write: what others tuned beside one's own. */
#include "results_private.h"
#include "statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- words, read and written ---- */

const char *result_invalidity(ResultState s)
{
    static const char *const names[RESULT_STATES] = {
        [RESULT_OK] = "correct", [RESULT_WRONG] = "correctness", [RESULT_REFUSED] = "constraints",
        [RESULT_BUILD_FAILED] = "compile", [RESULT_FAILED] = "runtime", [RESULT_DIED] = "runtime",
        [RESULT_TIMED_OUT] = "timeout",
    };
    return names[s];
}

static const struct { const char *option, *measurement; } objectives[] = {
    {" -o min", "time_min"}, {" -o gflops", "GFLOP/s"}, {" -o gbps", "GB/s"}};

const char *result_objective(const Result *r)
{
    for (int i = 0; r->search && i < COUNT(objectives); i++)
        if (strstr(r->search, objectives[i].option)) return objectives[i].measurement;
    return "time";
}

/* ---- reading ---- */

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
    int hours, minutes;
    const char *zone = text + strcspn(text, ".Z+") + strspn(text + strcspn(text, ".Z+"), ".0123456789");
    if (sscanf(text, "%d-%d-%d%c%d:%d:%d", &tm.tm_year, &tm.tm_mon, &tm.tm_mday, &between, &tm.tm_hour, &tm.tm_min, &tm.tm_sec) != 7) return 0;
    tm.tm_year -= 1900;
    tm.tm_mon--;
    int64_t at = (int64_t)timegm(&tm);
    if (sscanf(zone, "%c%d:%d", &sign, &hours, &minutes) == 3) at -= (sign == '-' ? -60 : 60) * (60 * hours + minutes);
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
    const char *objective = json_string_value(json_array_get(json_object_get(one, "objectives"), 0)), *option = "";
    int state = RESULT_OK;
    for (; state < RESULT_STATES; state++) {
        const char *word = result_invalidity((ResultState)state);
        if (word && !strcmp(text_of(one, "invalidity"), word)) break;
    }
    for (int i = 0; objective && i < COUNT(objectives); i++)
        if (!strcmp(objective, objectives[i].measurement)) option = objectives[i].option;
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
            char *text = json_is_string(value) ? strdup(json_string_value(value))
                                               : json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
            if (!strcmp(text, "true") || !strcmp(text, "false")) strcpy(text, *text == 't' ? "1" : "0");
            for (char *p = text; *p; p++)
                if (*p == ' ') *p = '_';
            buf_printf(&params, "%s%s=%s", params.len ? " " : "", name, text);
            free(text);
        }
    }
    r.key.params = buf_take(&params, s->arena);
    r.key.device_name = r.key.device;
    r.key.version = hash_bytes(hash_bytes(1, r.key.params, strlen(r.key.params)), r.derivation, strlen(r.derivation));
    r.search = arena_printf(s->arena, "%s%s", s->name, option);
    read_times(s, one, &r);
    return r;
}

bool results_t4_read(Results *r, const json_t *all, const char *file, Diag *diag)
{
    const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file, *dot = strrchr(base, '.');
    const json_t *results = json_object_get(all, "results");
    T4File s = {.arena = arena_new(), .metadata = json_object_get(all, "metadata")};
    bool ok = json_is_array(results);
    s.name = arena_strndup(s.arena, base, dot ? (size_t)(dot - base) : strlen(base));
    s.ns = unit_ns(text_of(s.metadata, "timeunit"));
    if (!ok && json_object_get(all, "ConfigurationSpace")) {
        diag_error(diag, E03, "%s is T1: it says what is to be tuned, and has no results", file);
        diag_note(diag, "needs", "what a tuner wrote of them (T4), a result store or TSV");
        diag_note(diag, "try", "search params --from %s", file);
    } else if (!ok) diag_error(diag, E03, "%s is no T4: it has no list \"results\"", file);
    for (size_t i = 0; ok && i < json_array_size(results); i++) {
        const json_t *one = json_array_get(results, i);
        Result row = read_result(&s, one, (int)i + 1);
        ok = json_is_object(json_object_get(one, "configuration")) && row.state != RESULT_STATES;
        if (!ok) {
            diag_error(diag, E03, "%s: result %d has no %s", file, (int)i + 1, row.state == RESULT_STATES ? "known \"invalidity\"" : "\"configuration\"");
            diag_note(diag, "needs", "T4 1.0.0, as lathe, Kernel Tuner and KTT write it");
            break;
        }
        int64_t id = results_begin(r, &row);
        ok = id && results_end(r, id, &row);
    }
    arena_free(s.arena);
    return ok;
}
