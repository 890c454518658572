/* results_merge: what another store holds, copied into this one, each result once. */
#include "results_private.h"

/* A table may say nothing of the moment, and its times have passed through text. */
static const char same_sql[] = "SELECT 1 FROM result WHERE identity=?1 AND source=?2 AND state=?3 AND sequence=?4"
                               " AND (?5=0 OR at=?5) AND session=?6 AND abs(ns-?7)<=1e-9*ns";

int64_t results_merge(Results *r, Results *from, const volatile int *stop, int64_t *known, Diag *diag)
{
    Arena *arena = arena_new();
    Result *list;
    sqlite3_stmt *same = NULL;
    int64_t copied = 0;
    int n = results_query(from, &(ResultQuery){.sort = "id"}, arena, &list, diag);
    bool begun = n >= 0 && sqlite3_exec(r->db, "BEGIN IMMEDIATE", NULL, NULL, NULL) == SQLITE_OK,
         ok = begun && sqlite3_prepare_v2(r->db, same_sql, -1, &same, NULL) == SQLITE_OK;
    *known = 0;
    for (int i = 0; ok && i < n && !(stop && *stop); i++) {
        const Result *v = &list[i];
        if (!result_ended(v->state)) continue;
        sqlite3_bind_int64(same, 1, result_identity(&v->key));
        sqlite3_bind_int64(same, 2, (int64_t)v->key.source);
        sqlite3_bind_text(same, 3, result_state_name(v->state), -1, SQLITE_STATIC);
        sqlite3_bind_int64(same, 4, v->sequence);
        sqlite3_bind_int64(same, 5, v->when);
        sqlite3_bind_text(same, 6, v->session ? v->session : "", -1, SQLITE_STATIC);
        sqlite3_bind_double(same, 7, v->ns);
        bool there = sqlite3_step(same) == SQLITE_ROW;
        sqlite3_reset(same);
        *known += there;
        if (there) continue;
        int64_t id = results_begin(r, v);
        ok = id && results_end(r, id, v);
        copied += ok;
    }
    sqlite3_finalize(same);
    bool stopped = begun && stop && *stop;
    if (stopped) diag_error(diag, E25, "interrupted: nothing was imported");
    else if (!ok) diag_error(diag, E06, "nothing was imported: %s", sqlite3_errmsg(r->db));      /* unless the query told */
    ok = ok && !stopped;
    if (begun) sqlite3_exec(r->db, ok ? "COMMIT" : "ROLLBACK", NULL, NULL, NULL);
    arena_free(arena);
    return ok ? copied : -1;
}
