/* results_query: columns, filters and order, as SQL over what is stored; what another store holds copied into this one. */
#include "results_private.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- columns, and names that are none: parameters, sizes, numbers of calls ---- */

/* The SQL of a column or parameter. False + E05. */
static bool column_sql(Results *r, const char *name, Buf *out, ColumnKind *kind, Diag *diag)
{
    /* Is there a result that has it? An empty store may yet get one. */
    static const char bound[] = "SELECT NOT EXISTS (SELECT 1 FROM result) OR EXISTS"
                                " (SELECT 1 FROM result WHERE instr(' '||params||' '||sizes, ' '||?1||'=')"
                                " OR called(derivation,?1) IS NOT NULL)";
    static const char *const in[] = {"params", "sizes"};
    const ResultColumn *c = result_column_find(name);
    *kind = c ? c->kind : COLUMN_NUMBER;
    if (c) return result_column_sql(c, out), true;
    bool is_name = !isdigit((unsigned char)*name) && *name && name_length(name) == strlen(name);
    sqlite3_stmt *s = is_name ? results_ask(r->db, bound, "s", name) : NULL;
    bool found = results_row(s) && sqlite3_column_int(s, 0);
    sqlite3_reset(s);
    if (found) {                         /* the number behind " NAME=" in params, else in sizes, else in a call; NULL without it */
        buf_puts(out, "(CASE");
        for (int i = 0; i < COUNT(in); i++)
            buf_printf(out, " WHEN instr(' '||%s,' %s=') THEN CAST(substr(%s,instr(' '||%s,' %s=')+%d) AS INTEGER)",
                       in[i], name, in[i], in[i], name, (int)strlen(name) + 1);
        buf_printf(out, " ELSE called(derivation,'%s') END)", name);
        return true;
    }
    NearName near = {.typed = name};
    for (int i = 0; i < result_column_count(); i++) near_try(&near, result_column(i)->name);
    diag_error(diag, E05, "results have no column \"%.60s\", and none has a parameter of that name", name);
    if (near.name) diag_note(diag, "near", "%s", near.name);
    diag_note(diag, "try", "list columns");
    return false;
}

/* ---- filters ---- */

typedef struct Filters {
    Buf where;
    VEC(const char *) texts;             /* values, in order; in the arena */
    Arena *arena;
} Filters;

static void add_value(Filters *f, const char *text)
{
    vec_push(&f->texts, text);
    buf_printf(&f->where, "?%d", f->texts.n);
}

/* Holds the column that text, in any case? */
static void add_search(Filters *f, const char *before, const char *column, const char *text)
{
    buf_printf(&f->where, "%sinstr(lower(%s),lower(", before, column);
    add_value(f, text);
    buf_puts(&f->where, "))");
}

/* "0.4ms" of a column in ns or ms. */
static bool read_number(const char *text, const ResultColumn *column, double *out)
{
    static const struct { const char *unit; double ns; }
        units[] = {{"", 0}, {"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
    char *end;
    *out = strtod(text, &end);
    bool time = column && column->kind == COLUMN_TIME;
    for (int i = 0; end > text && i < (time ? COUNT(units) : 1); i++) {
        if (strcmp(units[i].unit, end)) continue;
        if (i) *out *= units[i].ns / (!strcmp(column->name, "ms") ? 1e6 : 1);
        return true;
    }
    return false;
}

/* A word with - or _ for the blanks of a state. */
static const char *state_value(Filters *f, const char *value, Diag *diag)
{
    char *copy = arena_strdup(f->arena, value);
    LOCAL(buf_free) Buf all = {0};
    for (char *p = copy; *p; p++)
        if (*p == '-' || *p == '_') *p = ' ';
    for (int i = 0; i < RESULT_STATES; i++) {
        if (!strcmp(copy, result_state_name((ResultState)i))) return buf_free(&all), copy;
        buf_printf(&all, "%s%s", i ? ", " : "", result_state_name((ResultState)i));
    }
    diag_fail(diag, E05, "no state \"%.60s\"\nneeds %s", value, buf_text(&all));
    return NULL;
}

static bool add_filter(Results *r, Filters *f, const char *filter, Diag *diag)
{
    ColumnKind kind;
    Buf sql = {0};
    /* The operator of "ns<=5". */
    const char *at = filter + strcspn(filter, "=<>!~");
    bool two = *at && ((at[1] == '=' && strchr("<>!=", *at)) || (at[0] == '!' && at[1] == '~'));
    if (!*at || (*at == '!' && !two)) {
        static const char *const in[] = {"program", "params",     "sizes",  "device", "device_name",
                                         "state",   "derivation", "search", "message"};
        buf_putc(&f->where, '(');
        for (int i = 0; i < COUNT(in); i++) add_search(f, i ? " OR " : "", in[i], filter);
        buf_putc(&f->where, ')');
        return true;
    }
    char op[3] = {at[0], two && strncmp(at, "==", 2) ? at[1] : 0};
    const char *name = arena_strndup(f->arena, filter, (size_t)(at - filter)), *value = at + 1 + two, *column;
    bool ok = column_sql(r, name, &sql, &kind, diag);
    column = buf_take(&sql, f->arena);
    if (!ok) return false;
    if (strchr(op, '~')) return add_search(f, *op == '!' ? "NOT " : "", column, value), true;
    if (kind == COLUMN_NUMBER || kind == COLUMN_TIME) {
        double v;
        if (!read_number(value, result_column_find(name), &v))
            return diag_fail(diag, E05, "%s is a number: \"%.60s\" is none", name, value);
        buf_printf(&f->where, "%s%s%.17g", column, op, v);
        return true;
    }
    if (kind == COLUMN_STATE && !(value = state_value(f, value, diag))) return false;
    buf_printf(&f->where, "%s%s", column, op);
    add_value(f, value);
    return true;
}

/* ---- queries ---- */

static bool add_order(Results *r, const ResultQuery *q, Arena *arena, Buf *sql, Diag *diag)
{
    if (!q->sort) return buf_puts(sql, " ORDER BY ns<=0, ns, id"), true;
    buf_puts(sql, " ORDER BY ");
    for (const char *p = q->sort;;) {
        const char *end = p + strcspn(p, ",");
        /* What has no value in that column comes last. */
        const char *key = arena_strndup(arena, p, (size_t)(end - p));
        ColumnKind kind;
        Buf column = {0};
        bool down = *key == '-', ok = column_sql(r, key + down, &column, &kind, diag);
        bool times = ok && (kind == COLUMN_TIME || !strcmp(key + down, "gflops") || !strcmp(key + down, "gbps"));
        if (times) buf_printf(sql, "ns<=0, %s%s, ", buf_text(&column), down ? " DESC" : "");
        else if (ok) buf_printf(sql, "%s IS NULL, %s%s, ", buf_text(&column), buf_text(&column), down ? " DESC" : "");
        buf_free(&column);
        if (!ok) return false;
        if (!*end) break;
        p = end + 1;
    }
    return buf_puts(sql, "id"), true;
}

static sqlite3_stmt *statement(Results *r, const char *head, const ResultQuery *q, bool ordered, Arena *arena, Diag *diag)
{
    Filters f = {.arena = arena};
    LOCAL(buf_free) Buf sql = {0};
    sqlite3_stmt *s = NULL;
    bool ok = true;
    for (int i = 0; ok && i < q->filter_count; i++) {
        if (i) buf_puts(&f.where, " AND ");
        ok = add_filter(r, &f, q->filters[i], diag);
    }
    buf_printf(&sql, "%s WHERE %s", head, f.where.len ? buf_text(&f.where) : "1");
    ok = ok && (!ordered || add_order(r, q, arena, &sql, diag));
    if (ordered && q->limit > 0) buf_printf(&sql, " LIMIT %lld", (long long)q->limit);
    if (ok && sqlite3_prepare_v2(r->db, buf_text(&sql), -1, &s, NULL) != SQLITE_OK)
        diag_error(diag, E06, "the result store cannot be read: %s", sqlite3_errmsg(r->db));
    for (int i = 0; s && i < f.texts.n; i++) sqlite3_bind_text(s, i + 1, f.texts.v[i], -1, SQLITE_TRANSIENT);
    buf_free(&f.where);
    free(f.texts.v);
    return s;
}

int results_query(Results *r, const ResultQuery *q, Arena *arena, Result **out, Diag *diag)
{
    VEC(Result) list = {0};
    sqlite3_stmt *s = statement(r, results_select, q, true, arena, diag);
    if (!s) return -1;
    int rc;
    while ((rc = sqlite3_step(s)) == SQLITE_ROW) {
        Result one;
        results_row_read(s, arena, &one);
        vec_push(&list, one);
    }
    if (rc != SQLITE_DONE) diag_error(diag, E06, "the result store cannot be read: %s", sqlite3_errmsg(r->db));
    sqlite3_finalize(s);
    *out = vec_take(&list, arena);
    return rc == SQLITE_DONE ? list.n : -1;
}

int64_t results_forget(Results *r, const ResultQuery *q, Diag *diag)
{
    LOCAL(drop_arena) Arena *arena = arena_new();
    sqlite3_stmt *s = statement(r, "DELETE FROM result", q, false, arena, diag);
    bool ok = s && sqlite3_step(s) == SQLITE_DONE;
    if (s && !ok) diag_error(diag, E06, "the results stay: %s", sqlite3_errmsg(r->db));
    sqlite3_finalize(s);
    return ok ? sqlite3_changes(r->db) : -1;
}

/* ---- what another store holds ---- */

int64_t results_merge(Results *r, Results *from, const volatile int *stop, int64_t *known, Diag *diag)
{
    /* A table may say nothing of the moment, and its times have passed through text. */
    static const char same[] = "SELECT 1 FROM result WHERE identity=?1 AND source=?2 AND state=?3 AND sequence=?4"
                               " AND (?5=0 OR at=?5) AND session=?6 AND abs(ns-?7)<=1e-9*ns";
    LOCAL(drop_arena) Arena *arena = arena_new();
    Result *list;
    int64_t copied = 0;
    int n = results_query(from, &(ResultQuery){.sort = "id"}, arena, &list, diag);
    bool begun = n >= 0 && sqlite3_exec(r->db, "BEGIN IMMEDIATE", NULL, NULL, NULL) == SQLITE_OK, ok = begun;
    *known = 0;
    for (const Result *v = list; ok && v < list + n && !(stop && *stop); v++) {
        if (!result_ended(v->state)) continue;
        sqlite3_stmt *s = results_ask(r->db, same, "iisiisd", result_identity(&v->key), (int64_t)v->key.source, result_state_name(v->state), v->sequence,
                                      v->when, v->session, v->ns);
        bool there = results_row(s);
        sqlite3_reset(s);
        *known += there;
        if (!there) ok = s && results_begin(r, v), copied += ok;
    }
    bool stopped = begun && stop && *stop;
    if (stopped) diag_error(diag, E25, "interrupted: nothing was imported");
    else if (!ok) diag_error(diag, E06, "nothing was imported: %s", sqlite3_errmsg(r->db));      /* unless the query told */
    ok = ok && !stopped;
    if (begun) sqlite3_exec(r->db, ok ? "COMMIT" : "ROLLBACK", NULL, NULL, NULL);
    return ok ? copied : -1;
}
