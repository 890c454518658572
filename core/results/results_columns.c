/* results_columns: the columns of columns.def: a value bound and read as SQL, shown as text and number, read from text; the
 * parameters and sizes that texts of bindings hold; numbers of calls. */
#include "results_private.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

const ResultField result_fields[RESULT_FIELDS] = {
#define KEY(value, field, stored, since, ...) {stored, VALUE_##value, offsetof(Result, key.field), since},
#define FIELD(value, field, stored, since, ...) {stored, VALUE_##value, offsetof(Result, field), since},
#define HIDDEN FIELD
#include "columns.def"
};

/* What filters take a value for. */
enum {
    SHOWN_TEXT = COLUMN_TEXT, SHOWN_HASH = COLUMN_TEXT, SHOWN_DATE = COLUMN_TEXT, SHOWN_STATE = COLUMN_STATE,
    SHOWN_LONG = COLUMN_NUMBER, SHOWN_INT = COLUMN_NUMBER, SHOWN_NUMBER = COLUMN_NUMBER, SHOWN_TIME = COLUMN_TIME,
};
enum { GIVEN, MEASURED };

static const ResultColumn columns[] = {
#define KEY(value, field, stored, since, name, when, help) \
    {name, (ColumnKind)SHOWN_##value, when, help, &result_fields[FIELD_##field], NULL},
#define FIELD KEY
#define VIEW(name, sql, kind, when, known, expression, help) {name, COLUMN_##kind, when, help, NULL, sql},
#include "columns.def"
};

Result result_copy(const Result *r, Arena *arena)
{
    Result copy = *r;
    for (int i = 0; i < RESULT_FIELDS; i++) {
        if (result_fields[i].value != VALUE_TEXT) continue;
        const char **text = (const char **)(void *)((char *)&copy + result_fields[i].at);
        if (*text) *text = arena_strdup(arena, *text);
    }
    return copy;
}

int result_column_count(void) { return COUNT(columns); }
const ResultColumn *result_column(int i) { return &columns[i]; }

const ResultColumn *result_column_find(const char *name) { return FIND(columns, COUNT(columns), name, name); }

void result_column_sql(const ResultColumn *c, Buf *out)
{
    const char *form = c->view ? "(%s)" : c->field->value == VALUE_HASH ? "(printf('%%016x',%s))"
                     : c->field->value == VALUE_DATE ? "(strftime('%%Y-%%m-%%dT%%H:%%M:%%SZ',%s,'unixepoch'))" : "(%s)";
    buf_printf(out, form, c->view ? c->view : c->field->stored);
}

ResultSpread result_spread(const char *times)
{
    ResultSpread s = {0};
    double squares = 0;                  /* of the distances from the average so far (Welford) */
    char *end;
    for (const char *p = times ? times : ""; *p; p = end) {
        double ns = strtod(p, &end), before = ns - s.mean;
        if (end == p) break;
        s.mean += before / ++s.n;
        squares += before * (ns - s.mean);
    }
    if (s.n > 1) s.deviation = sqrt(squares / (s.n - 1));
    return s;
}

/* ---- states ---- */

static const char *const state_names[RESULT_STATES] = {
    "building", "built", "running", "ok", "wrong", "refused", "build failed", "failed", "timed out", "died", "stopped",
};

const char *result_state_name(ResultState s) { return state_names[s]; }
bool result_ended(ResultState s) { return s > RESULT_RUNNING; }

bool result_is_apart(const Result *r)
{
    if (r->key.transfer && strcmp(r->key.transfer, transfer_name(TRANSFER_NONE))) return true;
    const char *at = r->key.options ? strstr(r->key.options, RESULT_PARANOID) : NULL;
    return at && (at == r->key.options || at[-1] == ' ');
}

bool result_is_culprit(const Result *r, double limit_ms)
{
    return r->state == RESULT_DIED || (r->state == RESULT_TIMED_OUT && r->limit_ms >= limit_ms);
}

/* RESULT_STATES: none */
static ResultState result_state_named(const char *name)
{
    int i = 0;
    while (i < RESULT_STATES && strcmp(state_names[i], name)) i++;
    return (ResultState)i;
}

/* ---- the table ---- */

#define AT(type, r, f) (*(type *)((char *)(r) + (f)->at))
#define SEEN(type, r, f) (*(type const *)((const char *)(r) + (f)->at))

const char *result_field_type(int field)
{
    ResultValue v = result_fields[field].value;
    return v == VALUE_TEXT || v == VALUE_STATE ? "TEXT NOT NULL DEFAULT ''" : v == VALUE_NUMBER || v == VALUE_TIME ? "REAL NOT NULL DEFAULT 0"
         : "INTEGER NOT NULL DEFAULT 0";
}

void results_bind_text(sqlite3_stmt *s, int i, const char *text) { sqlite3_bind_text(s, i, text ? text : "", -1, SQLITE_TRANSIENT); }

/* inf and NaN, which files can hold, are no measurements. */
static double known(double v) { return isfinite(v) ? v : 0; }

void results_row_bind(sqlite3_stmt *s, const Result *r)
{
    for (int i = 0; i < RESULT_FIELDS; i++) {
        const ResultField *f = &result_fields[i];
        switch (f->value) {
        case VALUE_TEXT: results_bind_text(s, i + 2, SEEN(ResultTEXT, r, f)); break;
        case VALUE_STATE: results_bind_text(s, i + 2, result_state_name(r->state)); break;
        case VALUE_HASH: case VALUE_DATE: case VALUE_LONG: sqlite3_bind_int64(s, i + 2, SEEN(ResultLONG, r, f)); break;
        case VALUE_INT: sqlite3_bind_int(s, i + 2, SEEN(ResultINT, r, f)); break;
        case VALUE_NUMBER: case VALUE_TIME: sqlite3_bind_double(s, i + 2, known(SEEN(ResultNUMBER, r, f))); break;
        }
    }
}

void results_row_read(sqlite3_stmt *s, Arena *arena, Result *out)
{
    *out = (Result){.id = sqlite3_column_int64(s, 0)};
    for (int i = 0; i < RESULT_FIELDS; i++) {
        const ResultField *f = &result_fields[i];
        switch (f->value) {
        case VALUE_TEXT: AT(ResultTEXT, out, f) = arena_strdup(arena, (const char *)sqlite3_column_text(s, 1 + i)); break;
        case VALUE_STATE: out->state = result_state_named((const char *)sqlite3_column_text(s, 1 + i)); break;
        case VALUE_HASH: case VALUE_DATE: case VALUE_LONG: AT(ResultLONG, out, f) = sqlite3_column_int64(s, 1 + i); break;
        case VALUE_INT: AT(ResultINT, out, f) = sqlite3_column_int(s, 1 + i); break;
        case VALUE_NUMBER: case VALUE_TIME: AT(ResultNUMBER, out, f) = known(sqlite3_column_double(s, 1 + i)); break;
        }
    }
    if (out->state == RESULT_STATES) out->state = RESULT_STOPPED;        /* of somebody who wrote there by hand */
}

/* ---- bindings: "s0=32 s1=64" ---- */

static const char *binding_next(const char *p, const char **name, size_t *n, int64_t *value)
{
    p += strspn(p, " ");
    *n = strcspn(p, "= ");
    if (p[*n] != '=') return NULL;
    char *end;
    *name = p;
    *value = strtoll(p + *n + 1, &end, 10);
    return end + strcspn(end, " ");
}

bool result_binding(const char *bindings, const char *name, int64_t *out)
{
    const char *at;
    size_t n;
    int64_t value;
    for (const char *p = bindings; (p = binding_next(p, &at, &n, &value));)
        if (n == strlen(name) && !strncmp(at, name, n)) return *out = value, true;
    return false;
}

bool result_called(const char *derivation, const char *name, int64_t *out)
{
    size_t n = strlen(name);
    bool found = false;
    for (const char *p = derivation ? derivation : ""; *name && (p = strstr(p, name)); p += n) {
        const char *value = p + n + strspn(p + n, " ");
        if (p == derivation || !strchr("{, ", p[-1]) || *value != '=') continue;
        char *end;
        long long number = strtoll(value + 1, &end, 10);
        if (end > value + 1 && strchr(",} ", *end)) *out = number, found = true;
    }
    return found;
}

int result_names(const Result *const *list, int count, bool sizes, Arena *arena, const char ***out)
{
    VEC(const char *) names = {0};
    for (int i = 0; i < count; i++) {
        const char *at;
        size_t n;
        int64_t value;
        for (const char *p = sizes ? list[i]->key.sizes : list[i]->key.params; (p = binding_next(p, &at, &n, &value));) {
            int k = 0;
            while (k < names.n && (strlen(names.v[k]) != n || strncmp(names.v[k], at, n))) k++;
            if (k == names.n) vec_push(&names, arena_strndup(arena, at, n));
        }
    }
    *out = vec_take(&names, arena);
    /* The parameters s0, s1 ... that rules make, by their number: what comes first in a term says nothing to a reader. */
    const char *const *all = *out;
    if (ALL(i, names.n, all[i][0] == 's' && all[i][1] && !all[i][1 + strspn(all[i] + 1, "0123456789")]))
        qsort(*out, (size_t)names.n, sizeof **out, compare_numbered);
    return names.n;
}

/* ---- values as text and numbers ---- */

static double number_of(const Result *r, const char *column)
{
    const ResultColumn *c = result_column_find(column);
    double v = 0;
    int64_t bound;
    if (!c) {
        bool found = result_binding(r->key.params, column, &bound) || result_binding(r->key.sizes, column, &bound) ||
                     result_called(r->derivation, column, &bound);
        return found ? (double)bound : NAN;
    }
#define VIEW(name, sql, kind, when, known, expression, help) \
    if (!strcmp(column, name)) return (known) ? (double)(expression) : NAN;
#include "columns.def"
    switch (c->field->value) {
    case VALUE_TEXT: case VALUE_STATE: case VALUE_HASH: case VALUE_DATE: return NAN;
    case VALUE_LONG: v = (double)SEEN(ResultLONG, r, c->field); break;
    case VALUE_INT: v = SEEN(ResultINT, r, c->field); break;
    case VALUE_TIME: return r->ns > 0 ? SEEN(ResultTIME, r, c->field) : NAN;
    case VALUE_NUMBER: v = SEEN(ResultNUMBER, r, c->field); break;
    }
    return v > 0 ? v : NAN;
}

double result_number(const Result *r, const char *column)
{
    double v = number_of(r, column);
    return isfinite(v) ? v : NAN;        /* a rate may be beyond all numbers where its parts are not */
}

#define DATE_FORM "%Y-%m-%dT%H:%M:%SZ"

const char *result_text(const Result *r, const char *column, Arena *arena)
{
    const ResultColumn *c = result_column_find(column);
    const ResultField *f = c ? c->field : NULL;
    if (f && f->value == VALUE_TEXT) return SEEN(ResultTEXT, r, f) ? SEEN(ResultTEXT, r, f) : "";
    if (f && f->value == VALUE_STATE) return result_state_name(r->state);
    if (f && f->value == VALUE_HASH) return arena_printf(arena, "%016llx", (unsigned long long)SEEN(ResultHASH, r, f));
    if (!f || f->value != VALUE_DATE) {
        double v = result_number(r, column);
        if (isnan(v)) return "";
        return arena_printf(arena, v == floor(v) && fabs(v) < 1e15 ? "%.0f" : "%.10g", v);
    }
    return arena_date(arena, DATE_FORM, SEEN(ResultDATE, r, f), false);
}

void result_field_parse(Result *out, const ResultColumn *c, const char *text)
{
    const ResultField *f = c->field;
    struct tm tm = {0};
    if (!f) return;
    switch (f->value) {
    case VALUE_TEXT: AT(ResultTEXT, out, f) = text; break;
    case VALUE_STATE: out->state = result_state_named(text); break;
    case VALUE_HASH: AT(ResultHASH, out, f) = strtoull(text, NULL, 16); break;
    case VALUE_DATE: AT(ResultDATE, out, f) = strptime(text, DATE_FORM, &tm) ? (int64_t)timegm(&tm) : 1; break;
    case VALUE_LONG: AT(ResultLONG, out, f) = int64_from(strtod(text, NULL)); break;
    case VALUE_INT: AT(ResultINT, out, f) = int_from(strtod(text, NULL)); break;
    case VALUE_NUMBER: case VALUE_TIME: AT(ResultNUMBER, out, f) = strtod(text, NULL); break;
    }
}
