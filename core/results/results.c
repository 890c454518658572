/* results: the database: opened, upgraded; states of trials and who left them behind; searches that were begun; columns, filters and
 * order of queries as SQL; what another store holds copied into this one. */
#include "results_private.h"
#include "text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { APPLICATION = 0x6c617468, BUSY_MS = 5000 };

/* What versions of the store brought beside the columns of results. */
static const struct { int since; const char *sql; } schema[] = {
    {1, "CREATE INDEX result_identity ON result(identity, id);"
        "CREATE INDEX result_version ON result(version, id);"
        "CREATE INDEX result_search ON result(search, sequence);"
        "CREATE INDEX result_under_way ON result(id) WHERE state IN ('building','built','running');"},
    {2, "CREATE TABLE search (id INTEGER PRIMARY KEY, program TEXT NOT NULL, version INTEGER NOT NULL, sizes TEXT NOT NULL,"
        " inputs TEXT NOT NULL,"
        " derivation TEXT NOT NULL, spec TEXT NOT NULL, since INTEGER NOT NULL, at INTEGER NOT NULL, session TEXT NOT NULL);"
        "CREATE INDEX search_program ON search(program, id);"},
};

static int newest_version(void)
{
    int version = 0;
    for (int i = 0; i < RESULT_FIELDS; i++)
        if (result_fields[i].since > version) version = result_fields[i].since;
    for (int i = 0; i < COUNT(schema); i++)
        if (schema[i].since > version) version = schema[i].since;
    return version;
}

/* ---- processes ---- */

/* When a process started, in ticks since the machine did; false: there is none, or nobody has yet taken note of its end. */
static bool process_started(long pid, char out[32])
{
    char path[64], line[1024];
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    FILE *f = fopen(path, "r");
    char *p = f && fgets(line, sizeof line, f) ? strrchr(line, ')') : NULL;      /* its name may hold blanks */
    if (f) fclose(f);
    if (p && (p[2] == 'Z' || p[2] == 'X')) return false;
    for (int field = 2; p && field < 22; field++) p = strchr(p + 1, ' ');
    return p && sscanf(p, " %31s", out) == 1;
}

static void boot_id(char out[64])
{
    FILE *f = fopen("/proc/sys/kernel/random/boot_id", "r");
    if (!f || fscanf(f, "%63s", out) != 1) strcpy(out, "-");
    if (f) fclose(f);
}

/* ---- the database ---- */

/* Remember sqlite's message as trouble. */
static void failed(Results *r, const char *what)
{
    buf_clear(&r->trouble);
    buf_printf(&r->trouble, "%s: %s", what, sqlite3_errmsg(r->db));
    r->troubled = true;
}

const char *results_trouble(Results *r)
{
    bool told = !r->troubled;
    r->troubled = false;
    return told ? NULL : buf_text(&r->trouble);
}

const char *results_path(const Results *r) { return r->path; }
const char *results_session(const Results *r) { return r->session; }

static bool run_sql(sqlite3 *db, const char *sql) { return sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK; }

/* A statement, made once for its text, with its values: s a text, NULL is "", i an int64_t, d a double. It is stepped, and reset.
 * NULL: it cannot be made. */
static sqlite3_stmt *ask(sqlite3 *db, const char *sql, const char *types, ...)
{
    va_list ap;
    sqlite3_stmt *s = NULL;
    while ((s = sqlite3_next_stmt(db, s)) && strcmp(sqlite3_sql(s), sql)) continue;
    if (!s && sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, &s, NULL) != SQLITE_OK) return NULL;
    sqlite3_reset(s);
    va_start(ap, types);
    for (int i = 1; *types; types++, i++) {
        if (*types == 'i') sqlite3_bind_int64(s, i, va_arg(ap, int64_t));
        else if (*types == 'd') sqlite3_bind_double(s, i, va_arg(ap, double));
        else results_bind_text(s, i, va_arg(ap, const char *));
    }
    va_end(ap);
    return s;
}

/* Its next row; false: there is none, and it is reset; NULL is fine. */
static bool next_row(sqlite3_stmt *s)
{
    bool row = s && sqlite3_step(s) == SQLITE_ROW;
    if (s && !row) sqlite3_reset(s);
    return row;
}

/* The number that a question answers; -1: none. */
static int64_t sql_number(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *s = ask(db, sql, "");
    int64_t n = next_row(s) ? sqlite3_column_int64(s, 0) : -1;
    sqlite3_finalize(s);                 /* the database may be closed without close_database */
    return n;
}

/* What keeps the database from being a store of ours; NULL: nothing. */
static const char *foreign(sqlite3 *db)
{
    int64_t version = sql_number(db, "PRAGMA user_version"), tables = sql_number(db, "SELECT count(*) FROM sqlite_schema");
    if (version < 0 || tables < 0) return sqlite3_errmsg(db);
    if (tables > 0 && sql_number(db, "PRAGMA application_id") != APPLICATION) return "it is no result store of lathe";
    return version > newest_version() ? "it was made by a newer lathe" : NULL;
}

/* Under the write lock, so that of several processes one makes the tables. */
static bool make_tables(sqlite3 *db)
{
    LOCAL(buf_free) Buf sql = {0};
    if (!run_sql(db, "BEGIN IMMEDIATE")) return false;
    int newest = newest_version(), version = (int)sql_number(db, "PRAGMA user_version");
    bool made = version >= 0;
    if (version == 0) buf_puts(&sql, "CREATE TABLE result (id INTEGER PRIMARY KEY, identity INTEGER NOT NULL, process TEXT NOT NULL);");
    while (made && ++version <= newest) {
        for (int i = 0; i < RESULT_FIELDS; i++)
            if (result_fields[i].since == version)
                buf_printf(&sql, "ALTER TABLE result ADD COLUMN %s %s;", result_fields[i].stored, result_field_type(i));
        for (int i = 0; i < COUNT(schema); i++)
            if (schema[i].since == version) buf_puts(&sql, schema[i].sql);
    }
    buf_printf(&sql, "PRAGMA application_id=%d; PRAGMA user_version=%d;", APPLICATION, newest);
    made = made && run_sql(db, buf_text(&sql));
    return run_sql(db, made ? "COMMIT" : "ROLLBACK") && made;
}

static void called(sqlite3_context *c, int n, sqlite3_value **values)
{
    int64_t value;
    const char *name = (const char *)sqlite3_value_text(values[n - 1]);
    if (name && result_called((const char *)sqlite3_value_text(values[0]), name, &value)) sqlite3_result_int64(c, value);
}

/* Of a text of times; 0: none is known. */
static void spread_of(sqlite3_context *c, int n, sqlite3_value **values)
{
    ResultSpread spread = result_spread((const char *)sqlite3_value_text(values[n - 1]));
    sqlite3_result_double(c, sqlite3_user_data(c) ? spread.deviation : spread.mean);
}

/* What columns.def asks of SQL. */
static void teach(sqlite3 *db)
{
    int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC;
    sqlite3_create_function(db, "called", 2, flags, NULL, called, NULL, NULL);
    sqlite3_create_function(db, "mean_of", 1, flags, NULL, spread_of, NULL, NULL);
    sqlite3_create_function(db, "deviation_of", 1, flags, db, spread_of, NULL, NULL);
}

/* Schema and log. NULL: ready; else why not. */
static const char *make_ready(Results *r)
{
    sqlite3_busy_timeout(r->db, BUSY_MS);
    teach(r->db);
    const char *why = foreign(r->db);
    if (why) return why;
    if (sqlite3_db_readonly(r->db, "main") == 1) return "it is read-only";
    for (int i = 0; !run_sql(r->db, "PRAGMA journal_mode=WAL"); i++) {
        if (i == 49) return sqlite3_errmsg(r->db);
        usleep(20000);                               /* others are switching it, which no busy timeout covers */
    }
    if (!make_tables(r->db)) return sqlite3_errmsg(r->db);
    run_sql(r->db, "PRAGMA synchronous=NORMAL");     /* survives the end of any process; not every power cut */
    return NULL;
}

/* What a file that cannot be written holds: with its log where that can be read, else as it is without, for a folder that cannot be
 * written has no place for the log's index. */
static bool copy_from(sqlite3 *db, const char *path)
{
    bool copied = false;
    for (int i = 0; i < 2 && !copied; i++) {
        sqlite3 *from = NULL;
        LOCAL(buf_free) Buf uri = {0};
        buf_puts(&uri, "file:");
        for (const char *p = path; *p; p++) buf_printf(&uri, strchr("?#%", *p) ? "%%%02X" : "%c", (unsigned char)*p);
        buf_puts(&uri, i ? "?immutable=1" : "");
        bool opens = sqlite3_open_v2(uri.data, &from, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL) == SQLITE_OK && !foreign(from)
                     && sql_number(from, "SELECT count(*) FROM result") >= 0;
        sqlite3_backup *b = opens ? sqlite3_backup_init(db, "main", from, "main") : NULL;
        if (b) sqlite3_backup_step(b, -1);
        copied = b && sqlite3_backup_finish(b) == SQLITE_OK;
        sqlite3_close(from);
    }
    return copied;
}

static bool open_memory(Results *r, const char *copied)
{
    sqlite3_open(":memory:", &r->db);
    teach(r->db);
    bool ok = !copied || copy_from(r->db, copied);
    make_tables(r->db);
    return ok;
}

static void close_database(Results *r)
{
    for (sqlite3_stmt *s; (s = sqlite3_next_stmt(r->db, NULL));) sqlite3_finalize(s);
    sqlite3_close(r->db);
    r->db = NULL;
}

static Results *store_new(void)
{
    Results *r = mem_alloc(sizeof *r);
    char boot[64], start[32] = "0";
    r->arena = arena_new();
    boot_id(boot);
    process_started((long)getpid(), start);
    r->process = arena_printf(r->arena, "%s %ld %s", boot, (long)getpid(), start);
    r->session = arena_printf(r->arena, "%s-%ld", arena_date(r->arena, "%Y%m%dT%H%M%S", (int64_t)time(NULL), false), (long)getpid());
    return r;
}

Results *results_open(const char *path)
{
    Results *r = store_new();
    if (!path) return open_memory(r, NULL), r;
    for (const char *p = path + 1; (p = strchr(p, '/')); p++) mkdir(arena_strndup(r->arena, path, (size_t)(p - path)), 0700);
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    const char *why = sqlite3_open_v2(path, &r->db, flags, NULL) == SQLITE_OK ? make_ready(r) : sqlite3_errmsg(r->db);
    if (!why) return r->path = arena_strdup(r->arena, path), r;
    buf_printf(&r->trouble, "%s: %s", path, why);
    r->troubled = true;
    close_database(r);
    open_memory(r, path);
    return r;
}

Results *results_memory(const char *copied)
{
    Results *r = store_new();
    if (open_memory(r, copied)) return r;
    results_close(r);
    return NULL;
}

void results_close(Results *r)
{
    if (!r) return;
    close_database(r);
    buf_free(&r->trouble);
    arena_free(r->arena);
    free(r);
}

/* ---- rows ---- */

#define NAME(value, field, stored, ...) "," stored
#define KEY NAME
#define FIELD NAME
#define HIDDEN NAME
/* The id and all fields, up to WHERE. */
static const char select_sql[] = "SELECT id"
#include "columns.def"
    " FROM result ";

/* The columns of a row in their order, then what keep() adds. */
#define KEY NAME
#define FIELD NAME
#define HIDDEN NAME
static const char keep_sql[] = "INSERT OR REPLACE INTO result (id"
#include "columns.def"
    ",identity,process) VALUES (nullif(?,0)"
#define VALUE(value, field, stored, ...) ",?"
#define KEY VALUE
#define FIELD VALUE
#define HIDDEN VALUE
#include "columns.def"
    ",?,?)";

/* A hash of all that tells results apart but the source. */
static int64_t identity(const ResultKey *k)
{
    /* Beside the version, in the order in which stores have hashed it. */
    const char *const texts[] = {k->params, k->sizes, k->inputs, k->options, k->device, k->device_name, k->driver, k->transfer, k->tool};
    uint64_t h = hash_mix(1, k->version);
    for (int i = 0; i < COUNT(texts); i++) {
        const char *s = texts[i] ? texts[i] : "";
        h = hash_mix(hash_bytes(h, s, strlen(s)), strlen(s));
    }
    return (int64_t)h;
}

static bool finish(Results *r, sqlite3_stmt *s, const char *what)
{
    bool ok = s && sqlite3_step(s) == SQLITE_DONE;
    if (!ok) failed(r, what);
    sqlite3_reset(s);
    return ok;
}

static const char unrecorded[] = "a result was not recorded";

/* id 0: as a new one. */
static bool keep(Results *r, int64_t id, const Result *v)
{
    Result row = *v;
    if (!row.features) row.features = "{}";
    if (!row.when) row.when = (int64_t)time(NULL);
    if (!row.session) row.session = r->session;
    sqlite3_stmt *s = ask(r->db, keep_sql, "i", id);
    if (s) {
        results_row_bind(s, &row);
        sqlite3_bind_int64(s, RESULT_FIELDS + 2, identity(&row.key));
        results_bind_text(s, RESULT_FIELDS + 3, r->process);
    }
    return finish(r, s, unrecorded);
}

int64_t results_begin(Results *r, const Result *planned) { return keep(r, 0, planned) ? sqlite3_last_insert_rowid(r->db) : 0; }
bool results_end(Results *r, int64_t id, const Result *done) { return id && keep(r, id, done); }

bool results_drop(Results *r, int64_t id) { return id && finish(r, ask(r->db, "DELETE FROM result WHERE id=?1", "i", id), unrecorded); }

bool results_state(Results *r, int64_t id, ResultState state)
{
    return id && finish(r, ask(r->db, "UPDATE result SET state=?1 WHERE id=?2", "si", result_state_name(state), id), unrecorded);
}

static bool first_row(sqlite3_stmt *s, Arena *arena, Result *out)
{
    bool found = next_row(s);
    if (found) results_row_read(s, arena, out);
    sqlite3_reset(s);
    return found;
}

#define COMPARED "instr(' '||options||' ',' " RESULT_PARANOID " ')=0 AND transfer='none'"      /* !result_is_apart */
#define ENDED " AND state NOT IN ('building','built','running','stopped')"

bool results_find(Results *r, const ResultKey *key, Arena *arena, Result *out)
{
    const char *sql = arena_printf(arena, "%sWHERE identity=?1 AND (?2=0 OR source=0 OR source=?2)" ENDED " ORDER BY id DESC LIMIT 1", select_sql);
    return first_row(ask(r->db, sql, "ii", identity(key), (int64_t)key->source), arena, out);
}

bool results_best(Results *r, uint64_t version, const char *sizes, Arena *arena, Result *out)
{
    const char *sql = arena_printf(arena, "%sWHERE version=?1 AND sizes=?2 AND " COMPARED ENDED
                                   " ORDER BY state<>'ok' OR ns<=0, ns, id DESC LIMIT 1", select_sql);
    return first_row(ask(r->db, sql, "is", (int64_t)version, sizes), arena, out);
}

int results_rank(Results *r, const ResultKey *key, double ns, int *place)
{
    static const char sql[] =
        "SELECT count(*), coalesce(sum(best<?4 AND version<>?5),0) FROM"
        " (SELECT version, min(ns) best FROM result WHERE program=?1 AND sizes=?2 AND device=?3 AND origin=?6 AND state='ok'"
        " AND ns>0 AND " COMPARED " GROUP BY version)";
    sqlite3_stmt *s = ask(r->db, sql, "sssdii", key->program, key->sizes, key->device, ns, (int64_t)key->version, (int64_t)key->origin);
    bool row = next_row(s);
    int count = row ? sqlite3_column_int(s, 0) : 0;
    *place = row ? sqlite3_column_int(s, 1) + 1 : 1;
    sqlite3_reset(s);
    return count;
}

/* ---- what processes that are gone left ---- */

int results_recover(Results *r)
{
    LOCAL(drop) VEC(int64_t) ids = {0};
    char boot[64], then[64], start[32], now[32];
    long pid;
    int done = 0;
    boot_id(boot);
    sqlite3_stmt *s = ask(r->db, "SELECT id,process FROM result WHERE state IN ('building','built','running')", "");
    while (next_row(s)) {
        bool lives = sscanf((const char *)sqlite3_column_text(s, 1), "%63s %ld %31s", then, &pid, start) == 3 && !strcmp(boot, then)
                     && process_started(pid, now) && !strcmp(start, now);
        if (!lives) vec_push(&ids, sqlite3_column_int64(s, 0));
    }
    if (ids.n) run_sql(r->db, "BEGIN IMMEDIATE");
    for (int i = 0; i < ids.n; i++) {
        s = ask(r->db, "UPDATE result SET message=CASE state WHEN 'built' THEN 'lathe ended before it ran' ELSE"
                               " '" RESULT_LEFT "'||state||CASE WHEN trials>0 THEN ', once more' ELSE '' END END,"
                               " state=CASE state WHEN 'built' THEN 'stopped' ELSE 'died' END"
                               " WHERE id=?1 AND state IN ('building','built','running')", "i", ids.v[i]);
        done += finish(r, s, "results that a crash left behind stay as they are") && sqlite3_changes(r->db) == 1;
    }
    if (ids.n) run_sql(r->db, "COMMIT");
    return done;
}

/* ---- the searches that were begun, so that another process can go on with the last one ---- */

int64_t results_newest(Results *r)
{
    int64_t id = sql_number(r->db, "SELECT coalesce(max(id),0) FROM result");
    return id > 0 ? id : 0;
}

bool results_search_begin(Results *r, const ResultSearch *b)
{
    static const char sql[] = "INSERT INTO search (program,version,sizes,inputs,derivation,spec,since,at,session) VALUES (?,?,?,?,?,?,?,?,?)";
    return finish(r, ask(r->db, sql, "sissssiis", b->program, (int64_t)b->version, b->sizes, b->inputs, b->derivation, b->spec, b->since,
                                 (int64_t)time(NULL), r->session), "a search was not recorded");
}

bool results_search_last(Results *r, const char *program, Arena *arena, ResultSearch *out)
{
    static const char sql[] = "SELECT program,sizes,inputs,derivation,spec,version,since FROM search WHERE program=?1"
                              " ORDER BY session=?2 DESC, id DESC LIMIT 1";
    sqlite3_stmt *s = ask(r->db, sql, "ss", program, r->session);
    const char **texts[] = {&out->program, &out->sizes, &out->inputs, &out->derivation, &out->spec};
    bool found = next_row(s);
    for (int i = 0; found && i < COUNT(texts); i++) *texts[i] = arena_strdup(arena, (const char *)sqlite3_column_text(s, i));
    if (found) out->version = (uint64_t)sqlite3_column_int64(s, 5), out->since = sqlite3_column_int64(s, 6);
    sqlite3_reset(s);
    return found;
}

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
    sqlite3_stmt *s = is_name ? ask(r->db, bound, "s", name) : NULL;
    bool found = next_row(s) && sqlite3_column_int(s, 0);
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
        if (!strcmp(copy, result_state_name((ResultState)i))) return copy;
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
        LOCAL(buf_free) Buf column = {0};
        bool down = *key == '-', ok = column_sql(r, key + down, &column, &kind, diag);
        bool times = ok && (kind == COLUMN_TIME || !strcmp(key + down, "gflops") || !strcmp(key + down, "gbps"));
        if (times) buf_printf(sql, "ns<=0, %s%s, ", buf_text(&column), down ? " DESC" : "");
        else if (ok) buf_printf(sql, "%s IS NULL, %s%s, ", buf_text(&column), buf_text(&column), down ? " DESC" : "");
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
    sqlite3_stmt *s = statement(r, select_sql, q, true, arena, diag);
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
        sqlite3_stmt *s = ask(r->db, same, "iisiisd", identity(&v->key), (int64_t)v->key.source, result_state_name(v->state), v->sequence,
                                      v->when, v->session, v->ns);
        bool there = next_row(s);
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
