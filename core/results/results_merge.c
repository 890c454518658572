/* results_merge: what another store holds, copied into this one, each result once. */
#include "results_private.h"

/* A table may say nothing of the moment, and its times have passed through text. */
static const char same_sql[] = "SELECT 1 FROM result WHERE identity=?1 AND source=?2 AND state=?3 AND sequence=?4"
                               " AND (?5=0 OR at=?5) AND session=?6 AND abs(ns-?7)<=1e-9*ns";

static bool is_there(sqlite3_stmt *same, const Result *v)
{
    sqlite3_bind_int64(same, 1, result_identity(&v->key));
    sqlite3_bind_int64(same, 2, (int64_t)v->key.source);
    sqlite3_bind_text(same, 3, result_state_name(v->state), -1, SQLITE_STATIC);
    sqlite3_bind_int64(same, 4, v->sequence);
    sqlite3_bind_int64(same, 5, v->when);
    sqlite3_bind_text(same, 6, v->session ? v->session : "", -1, SQLITE_STATIC);
    sqlite3_bind_double(same, 7, v->ns);
    bool is = sqlite3_step(same) == SQLITE_ROW;
    sqlite3_reset(same);
    return is;
}

static bool copy_rows(Results *r, const Result *list, int n, const volatile int *stop, int64_t *copied, int64_t *known, Diag *diag)
{
    sqlite3_stmt *same = NULL;
    bool ok = sqlite3_prepare_v2(r->db, same_sql, -1, &same, NULL) == SQLITE_OK;
    for (int i = 0; ok && i < n; i++) {
        bool there = result_ended(list[i].state) && is_there(same, &list[i]);
        *known += there;
        if (!result_ended(list[i].state) || there) continue;
        if (stop && *stop) break;
        int64_t id = results_begin(r, &list[i]);
        ok = id && results_end(r, id, &list[i]);
        *copied += ok;
    }
    sqlite3_finalize(same);
    if (stop && *stop) return diag_error(diag, E25, "interrupted: nothing was imported"), false;
    return ok || (diag_error(diag, E06, "nothing was imported: %s", sqlite3_errmsg(r->db)), false);
}

int64_t results_merge(Results *r, Results *from, const volatile int *stop, int64_t *known, Diag *diag)
{
    Arena *arena = arena_new();
    Result *list;
    int64_t copied = 0;
    int n = results_query(from, &(ResultQuery){.sort = "id"}, arena, &list, diag);
    *known = 0;
    bool ok = n >= 0;
    if (ok && sqlite3_exec(r->db, "BEGIN IMMEDIATE", NULL, NULL, NULL) != SQLITE_OK)
        ok = (diag_error(diag, E06, "nothing was imported: %s", sqlite3_errmsg(r->db)), false);
    else if (ok) {
        ok = copy_rows(r, list, n, stop, &copied, known, diag);
        sqlite3_exec(r->db, ok ? "COMMIT" : "ROLLBACK", NULL, NULL, NULL);
    }
    arena_free(arena);
    return ok ? copied : -1;
}
