/* results: the database: opened, upgraded, asked; states of trials and who left them behind. */
#include "file.h"
#include "results_private.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { SCHEMA = 4, APPLICATION = 0x6c617468, BUSY_MS = 5000 };

/* What makes a store of version i + 1 out of one of version i. */
static const char *const schema[SCHEMA] = {
    "CREATE TABLE result (id INTEGER PRIMARY KEY, identity INTEGER NOT NULL, process TEXT NOT NULL,"
    " version INTEGER NOT NULL, params TEXT NOT NULL, sizes TEXT NOT NULL, inputs TEXT NOT NULL, options TEXT NOT NULL,"
    " device TEXT NOT NULL, device_name TEXT NOT NULL, driver TEXT NOT NULL, transfer TEXT NOT NULL, tool TEXT NOT NULL,"
    " source INTEGER NOT NULL, program TEXT NOT NULL, state TEXT NOT NULL, ns REAL NOT NULL, min_ns REAL NOT NULL,"
    " iqr_ns REAL NOT NULL, limit_ms REAL NOT NULL, trials INTEGER NOT NULL, build_ms REAL NOT NULL,"
    " flops REAL NOT NULL, bytes REAL NOT NULL,"
    " message TEXT NOT NULL, derivation TEXT NOT NULL, search TEXT NOT NULL, sequence INTEGER NOT NULL,"
    " features TEXT NOT NULL,"
    " at INTEGER NOT NULL, number INTEGER NOT NULL, session TEXT NOT NULL);"
    "CREATE INDEX result_identity ON result(identity, id);"
    "CREATE INDEX result_version ON result(version, id);"
    "CREATE INDEX result_search ON result(search, sequence);"
    "CREATE INDEX result_under_way ON result(id) WHERE state IN ('building','built','running');",
    "ALTER TABLE result ADD COLUMN times TEXT NOT NULL DEFAULT '';"
    "ALTER TABLE result ADD COLUMN verify_ms REAL NOT NULL DEFAULT 0;"
    "CREATE TABLE search (id INTEGER PRIMARY KEY, program TEXT NOT NULL, version INTEGER NOT NULL, sizes TEXT NOT NULL,"
    " inputs TEXT NOT NULL,"
    " derivation TEXT NOT NULL, spec TEXT NOT NULL, since INTEGER NOT NULL, at INTEGER NOT NULL, session TEXT NOT NULL);"
    "CREATE INDEX search_program ON search(program, id);",
    "ALTER TABLE result ADD COLUMN fixed INTEGER NOT NULL DEFAULT 0;",
    "ALTER TABLE result ADD COLUMN origin INTEGER NOT NULL DEFAULT 0;",
};

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

ResultState result_state_named(const char *name)
{
    int i = 0;
    while (i < RESULT_STATES && strcmp(state_names[i], name)) i++;
    return (ResultState)i;
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

static char *this_process(void)
{
    char boot[64], start[32] = "0";
    Buf b = {0};
    boot_id(boot);
    process_started((long)getpid(), start);
    buf_printf(&b, "%s %ld %s", boot, (long)getpid(), start);
    return b.data;
}

static bool process_lives(const char *process)
{
    char boot[64], then[64], start[32], now[32];
    long pid;
    boot_id(boot);
    if (sscanf(process, "%63s %ld %31s", then, &pid, start) != 3) return false;
    return !strcmp(boot, then) && process_started(pid, now) && !strcmp(start, now);
}

static char *session_name(void)
{
    Buf b = {0};
    time_t now = time(NULL);
    struct tm tm;
    char text[32];
    gmtime_r(&now, &tm);
    strftime(text, sizeof text, "%Y%m%dT%H%M%S", &tm);
    buf_printf(&b, "%s-%ld", text, (long)getpid());
    return b.data;
}

/* ---- the database ---- */

void results_failed(Results *r, const char *what)
{
    Buf b = {0};
    buf_printf(&b, "%s: %s", what, sqlite3_errmsg(r->db));
    free(r->trouble);
    r->trouble = b.data;
}

const char *results_trouble(Results *r)
{
    free(r->told);
    r->told = r->trouble;
    r->trouble = NULL;
    return r->told;
}

const char *results_path(const Results *r) { return r->path; }
const char *results_session(const Results *r) { return r->session; }

static bool run_sql(sqlite3 *db, const char *sql) { return sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK; }

static int64_t sql_number(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *s = NULL;
    int64_t n = -1;
    if (sqlite3_prepare_v2(db, sql, -1, &s, NULL) == SQLITE_OK && sqlite3_step(s) == SQLITE_ROW)
        n = sqlite3_column_int64(s, 0);
    sqlite3_finalize(s);
    return n;
}

/* What keeps the database from being a store of ours; NULL: nothing. */
static const char *foreign(sqlite3 *db)
{
    int64_t version = sql_number(db, "PRAGMA user_version"), tables = sql_number(db, "SELECT count(*) FROM sqlite_schema");
    if (version < 0 || tables < 0) return sqlite3_errmsg(db);
    if (tables > 0 && sql_number(db, "PRAGMA application_id") != APPLICATION) return "it is no result store of lathe";
    return version > SCHEMA ? "it was made by a newer lathe" : NULL;
}

/* Under the write lock, so that of several processes one makes the tables. */
static bool make_tables(sqlite3 *db)
{
    char stamp[96];
    snprintf(stamp, sizeof stamp, "PRAGMA application_id=%d; PRAGMA user_version=%d;", APPLICATION, SCHEMA);
    if (!run_sql(db, "BEGIN IMMEDIATE")) return false;
    bool made = true;
    for (int64_t i = sql_number(db, "PRAGMA user_version"); made && i < SCHEMA; i++) made = i >= 0 && run_sql(db, schema[i]);
    made = made && run_sql(db, stamp);
    return run_sql(db, made ? "COMMIT" : "ROLLBACK") && made;
}

/* Others may be switching it at this moment, which no busy timeout covers. */
static bool write_ahead_log(sqlite3 *db)
{
    for (int i = 0; i < 50; i++) {
        if (run_sql(db, "PRAGMA journal_mode=WAL")) return true;
        usleep(20000);
    }
    return false;
}

static bool prepare(Results *r)
{
    const struct { sqlite3_stmt **to; const char *sql; } table[] = {
        {&r->begin, "INSERT INTO result (" RESULT_STORED ",identity,process) VALUES"
                    " (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16,?17,?18,?19,?20,?21,?22,?23,?24,?25,"
                    "?26,?27,?28,?29,?30,?31,?32,?33,?34,?35)"},
        {&r->state, "UPDATE result SET state=?1 WHERE id=?2"},
        {&r->end, "UPDATE result SET (" RESULT_STORED ") ="
                  " (version,params,sizes,inputs,options,device,device_name,driver,transfer,tool,"
                  "?11,?12,?13,?14,?15,?16,?17,?18,?19,?20,?21,?22,?23,?24,?25,?26,?27,?28,?29,?30,?31,?32,?33) WHERE id=?1"},
        {&r->find, "SELECT id," RESULT_STORED " FROM result WHERE identity=?1 AND (?2=0 OR source=0 OR source=?2)"
                   " AND state NOT IN ('building','built','running','stopped') ORDER BY id DESC LIMIT 1"},
        {&r->best, "SELECT id," RESULT_STORED " FROM result WHERE version=?1 AND sizes=?2 AND " COMPARED
                   " AND state NOT IN ('building','built','running','stopped')"
                   " ORDER BY state<>'ok' OR ns<=0, ns, id DESC LIMIT 1"},
    };
    for (int i = 0; i < COUNT(table); i++)
        if (sqlite3_prepare_v3(r->db, table[i].sql, -1, SQLITE_PREPARE_PERSISTENT, table[i].to, NULL) != SQLITE_OK)
            return false;
    return true;
}

/* Schema, log, statements. NULL: ready; else why not. */
static const char *make_ready(Results *r)
{
    sqlite3_busy_timeout(r->db, BUSY_MS);
    const char *why = foreign(r->db);
    if (why) return why;
    if (sqlite3_db_readonly(r->db, "main") == 1) return "it is read-only";
    if (!write_ahead_log(r->db) || !make_tables(r->db)) return sqlite3_errmsg(r->db);
    run_sql(r->db, "PRAGMA synchronous=NORMAL");     /* survives the end of any process; not every power cut */
    return prepare(r) ? NULL : sqlite3_errmsg(r->db);
}

static void make_folders(const char *path)
{
    char *copy = strdup(path);
    for (char *p = copy + 1; (p = strchr(p, '/')); p++) {
        *p = 0;
        mkdir(copy, 0700);
        *p = '/';
    }
    free(copy);
}

/* With its log where that can be read, else as it is without: a folder that cannot be written has no
 * place for the log's index. */
static sqlite3 *open_to_read(const char *path)
{
    for (int i = 0; i < 2; i++) {
        sqlite3 *from = NULL;
        Buf uri = {0};
        buf_puts(&uri, "file:");
        for (const char *p = path; *p; p++) buf_printf(&uri, strchr("?#%", *p) ? "%%%02X" : "%c", (unsigned char)*p);
        buf_puts(&uri, i ? "?immutable=1" : "");
        int rc = sqlite3_open_v2(uri.data, &from, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL);
        buf_free(&uri);
        if (rc == SQLITE_OK && !foreign(from) && sql_number(from, "SELECT count(*) FROM result") >= 0) return from;
        sqlite3_close(from);
    }
    return NULL;
}

/* What a file that cannot be written holds. */
static bool copy_from(sqlite3 *db, const char *path)
{
    sqlite3 *from = open_to_read(path);
    sqlite3_backup *b = from ? sqlite3_backup_init(db, "main", from, "main") : NULL;
    if (b) sqlite3_backup_step(b, -1);
    bool ok = b && sqlite3_backup_finish(b) == SQLITE_OK;
    sqlite3_close(from);
    return ok;
}

static bool open_memory(Results *r, const char *copied)
{
    sqlite3_open(":memory:", &r->db);
    bool ok = !copied || copy_from(r->db, copied);
    make_tables(r->db);
    prepare(r);
    return ok;
}

static void close_database(Results *r)
{
    sqlite3_stmt **all[] = {&r->begin, &r->state, &r->end, &r->find, &r->best};
    for (int i = 0; i < COUNT(all); i++) {
        sqlite3_finalize(*all[i]);
        *all[i] = NULL;
    }
    sqlite3_close(r->db);
    r->db = NULL;
}

static Results *store_new(void)
{
    Results *r = mem_alloc(sizeof *r);
    r->process = this_process();
    r->session = session_name();
    return r;
}

Results *results_open(const char *path, char **problem)
{
    Results *r = store_new();
    *problem = NULL;
    if (!path) return open_memory(r, NULL), r;
    make_folders(path);
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    const char *why = sqlite3_open_v2(path, &r->db, flags, NULL) == SQLITE_OK ? make_ready(r) : sqlite3_errmsg(r->db);
    if (!why) return r->path = strdup(path), r;
    Buf b = {0};
    buf_printf(&b, "%s: %s", path, why);
    *problem = b.data;
    close_database(r);
    open_memory(r, path);
    return r;
}

static bool is_database(const char *file)
{
    static const char magic[16] = "SQLite format 3";
    struct stat st;
    char head[sizeof magic];
    FILE *f = stat(file, &st) == 0 && S_ISREG(st.st_mode) ? fopen(file, "r") : NULL;
    bool is = f && fread(head, 1, sizeof head, f) == sizeof head && !memcmp(head, magic, sizeof magic);
    if (f) fclose(f);
    return is;
}

Results *results_read(const char *file, const volatile int *stop, Diag *diag)
{
    Arena *arena = arena_new();
    bool database = is_database(file);
    char *text = database ? NULL : text_read(diag, arena, file, stop, NULL);
    Results *r = database || text ? store_new() : NULL;
    bool ok = r && open_memory(r, database ? file : NULL);
    if (r && !ok) diag_error(diag, E06, "%s is no result store of lathe", file);
    if (text && ok) ok = results_read_tsv(r, text, file, stop, diag);
    arena_free(arena);
    if (ok) return r;
    results_close(r);
    return NULL;
}

void results_close(Results *r)
{
    if (!r) return;
    close_database(r);
    free(r->path);
    free(r->process);
    free(r->session);
    free(r->trouble);
    free(r->told);
    free(r);
}

/* ---- rows ---- */

static const char *text_or_empty(const char *s) { return s ? s : ""; }

static uint64_t add_text(uint64_t h, const char *s)
{
    s = text_or_empty(s);
    return hash_mix(hash_bytes(h, s, strlen(s)), strlen(s));
}

static int64_t identity(const ResultKey *k)
{
    const char *const texts[] = {k->params, k->sizes, k->inputs, k->options, k->device, k->device_name,
                                 k->driver, k->transfer, k->tool};
    uint64_t h = hash_mix(1, k->version);
    for (int i = 0; i < COUNT(texts); i++) h = add_text(h, texts[i]);
    return (int64_t)h;
}

static void bind_text(sqlite3_stmt *s, int i, const char *text)
{
    sqlite3_bind_text(s, i, text_or_empty(text), -1, SQLITE_TRANSIENT);
}

static void bind_key(sqlite3_stmt *s, const ResultKey *k)
{
    const char *const texts[] = {k->params, k->sizes, k->inputs, k->options, k->device, k->device_name,
                                 k->driver, k->transfer, k->tool};
    sqlite3_bind_int64(s, 1, (int64_t)k->version);
    for (int i = 0; i < COUNT(texts); i++) bind_text(s, 2 + i, texts[i]);
}

static void bind_rest(const Results *r, sqlite3_stmt *s, const Result *v)
{
    const double numbers[] = {v->ns, v->min_ns, v->iqr_ns, v->limit_ms, v->trials, v->build_ms, v->flops, v->bytes};
    sqlite3_bind_int64(s, 11, (int64_t)v->key.source);
    bind_text(s, 12, v->key.program);
    bind_text(s, 13, state_names[v->state]);
    for (int i = 0; i < COUNT(numbers); i++) sqlite3_bind_double(s, 14 + i, numbers[i]);
    bind_text(s, 22, v->message);
    bind_text(s, 23, v->derivation);
    bind_text(s, 24, v->search);
    sqlite3_bind_int64(s, 25, v->sequence);
    bind_text(s, 26, v->features ? v->features : "{}");
    sqlite3_bind_int64(s, 27, v->when ? v->when : (int64_t)time(NULL));
    sqlite3_bind_int(s, 28, v->version_number);
    bind_text(s, 29, v->session ? v->session : r->session);
    bind_text(s, 30, v->times);
    sqlite3_bind_double(s, 31, v->verify_ms);
    sqlite3_bind_int(s, 32, v->fixed);
    sqlite3_bind_int64(s, 33, (int64_t)v->key.origin);
}

static const char *read_text(sqlite3_stmt *s, int *i, Arena *arena)
{
    const char *text = (const char *)sqlite3_column_text(s, (*i)++);
    return arena_strdup(arena, text_or_empty(text));
}

static void read_key(sqlite3_stmt *s, int *i, Arena *arena, ResultKey *k)
{
    const char **texts[] = {&k->params, &k->sizes, &k->inputs, &k->options, &k->device, &k->device_name,
                            &k->driver, &k->transfer, &k->tool};
    k->version = (uint64_t)sqlite3_column_int64(s, (*i)++);
    for (int t = 0; t < COUNT(texts); t++) *texts[t] = read_text(s, i, arena);
    k->source = (uint64_t)sqlite3_column_int64(s, (*i)++);
    k->program = read_text(s, i, arena);
}

void results_row_read(sqlite3_stmt *s, int first, Arena *arena, Result *out)
{
    int i = first;
    *out = (Result){0};
    read_key(s, &i, arena, &out->key);
    out->state = result_state_named(text_or_empty((const char *)sqlite3_column_text(s, i++)));
    if (out->state == RESULT_STATES) out->state = RESULT_STOPPED;        /* of somebody who wrote there by hand */
    double *const numbers[] = {&out->ns, &out->min_ns, &out->iqr_ns, &out->limit_ms};
    for (int n = 0; n < COUNT(numbers); n++) *numbers[n] = sqlite3_column_double(s, i++);
    out->trials = sqlite3_column_int(s, i++);
    double *const more[] = {&out->build_ms, &out->flops, &out->bytes};
    for (int n = 0; n < COUNT(more); n++) *more[n] = sqlite3_column_double(s, i++);
    const char **const texts[] = {&out->message, &out->derivation, &out->search};
    for (int n = 0; n < COUNT(texts); n++) *texts[n] = read_text(s, &i, arena);
    out->sequence = sqlite3_column_int64(s, i++);
    out->features = read_text(s, &i, arena);
    out->when = sqlite3_column_int64(s, i++);
    out->version_number = sqlite3_column_int(s, i++);
    out->session = read_text(s, &i, arena);
    out->times = read_text(s, &i, arena);
    out->verify_ms = sqlite3_column_double(s, i++);
    out->fixed = sqlite3_column_int(s, i++);
    out->key.origin = (uint64_t)sqlite3_column_int64(s, i++);
}

static bool finish(Results *r, sqlite3_stmt *s, const char *what)
{
    bool ok = sqlite3_step(s) == SQLITE_DONE;
    if (!ok) results_failed(r, what);
    sqlite3_reset(s);
    return ok;
}

int64_t results_begin(Results *r, const Result *planned)
{
    if (!r->begin) return 0;
    bind_key(r->begin, &planned->key);
    bind_rest(r, r->begin, planned);
    sqlite3_bind_int64(r->begin, 34, identity(&planned->key));
    bind_text(r->begin, 35, r->process);
    return finish(r, r->begin, "a result was not recorded") ? sqlite3_last_insert_rowid(r->db) : 0;
}

bool results_state(Results *r, int64_t id, ResultState state)
{
    if (!r->state || !id) return false;
    bind_text(r->state, 1, state_names[state]);
    sqlite3_bind_int64(r->state, 2, id);
    return finish(r, r->state, "a result was not recorded");
}

bool results_end(Results *r, int64_t id, const Result *done)
{
    if (!r->end || !id) return false;
    sqlite3_bind_int64(r->end, 1, id);
    bind_rest(r, r->end, done);
    return finish(r, r->end, "a result was not recorded");
}

static bool first_row(sqlite3_stmt *s, Arena *arena, Result *out)
{
    bool found = sqlite3_step(s) == SQLITE_ROW;
    if (found) results_row_read(s, 1, arena, out);
    if (found) out->id = sqlite3_column_int64(s, 0);
    sqlite3_reset(s);
    return found;
}

bool results_find(Results *r, const ResultKey *key, Arena *arena, Result *out)
{
    if (!r->find) return false;
    sqlite3_bind_int64(r->find, 1, identity(key));
    sqlite3_bind_int64(r->find, 2, (int64_t)key->source);
    return first_row(r->find, arena, out);
}

bool results_best(Results *r, uint64_t version, const char *sizes, Arena *arena, Result *out)
{
    if (!r->best) return false;
    sqlite3_bind_int64(r->best, 1, (int64_t)version);
    bind_text(r->best, 2, sizes);
    return first_row(r->best, arena, out);
}

/* ---- what processes that are gone left ---- */

static int left_behind(Results *r, int64_t **ids)
{
    VEC(int64_t) list = {0};
    sqlite3_stmt *s = NULL;
    sqlite3_prepare_v2(r->db, "SELECT id,process FROM result WHERE state IN ('building','built','running')", -1, &s, NULL);
    while (s && sqlite3_step(s) == SQLITE_ROW)
        if (!process_lives((const char *)sqlite3_column_text(s, 1))) vec_push(&list, sqlite3_column_int64(s, 0));
    sqlite3_finalize(s);
    *ids = list.v;
    return list.n;
}

int results_recover(Results *r)
{
    int64_t *ids;
    sqlite3_stmt *s = NULL;
    int n = left_behind(r, &ids), done = 0;
    if (n)
        sqlite3_prepare_v2(r->db, "UPDATE result SET message=CASE state WHEN 'built' THEN 'lathe ended before it ran' ELSE"
                                  " '" RESULT_LEFT "'||state||CASE WHEN trials>0 THEN ', once more' ELSE '' END END,"
                                  " state=CASE state WHEN 'built' THEN 'stopped' ELSE 'died' END"
                                  " WHERE id=?1 AND state IN ('building','built','running')", -1, &s, NULL);
    if (n) run_sql(r->db, "BEGIN IMMEDIATE");
    for (int i = 0; s && i < n; i++) {
        sqlite3_bind_int64(s, 1, ids[i]);
        done += finish(r, s, "results that a crash left behind stay as they are") && sqlite3_changes(r->db) == 1;
    }
    if (n) run_sql(r->db, "COMMIT");
    sqlite3_finalize(s);
    free(ids);
    return done;
}
