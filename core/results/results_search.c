/* results_search: the searches that were begun, so that another process can go on with the last one. */
#include "results_private.h"

#include <time.h>

int64_t results_newest(Results *r)
{
    sqlite3_stmt *s = NULL;
    int64_t id = 0;
    sqlite3_prepare_v2(r->db, "SELECT max(id) FROM result", -1, &s, NULL);
    if (s && sqlite3_step(s) == SQLITE_ROW) id = sqlite3_column_int64(s, 0);
    sqlite3_finalize(s);
    return id;
}

bool results_search_begin(Results *r, const ResultSearch *begun)
{
    static const char sql[] = "INSERT INTO search (program,version,sizes,inputs,derivation,spec,since,at,session)"
                              " VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9)";
    const struct { int at; const char *text; } texts[] = {
        {1, begun->program}, {3, begun->sizes}, {4, begun->inputs}, {5, begun->derivation}, {6, begun->spec},
        {9, r->session}};
    sqlite3_stmt *s = NULL;
    if (sqlite3_prepare_v2(r->db, sql, -1, &s, NULL) != SQLITE_OK)
        return results_failed(r, "a search was not recorded"), false;
    for (int i = 0; i < COUNT(texts); i++) sqlite3_bind_text(s, texts[i].at, texts[i].text, -1, SQLITE_TRANSIENT);
    sqlite3_bind_int64(s, 2, (int64_t)begun->version);
    sqlite3_bind_int64(s, 7, begun->since);
    sqlite3_bind_int64(s, 8, (int64_t)time(NULL));
    bool ok = sqlite3_step(s) == SQLITE_DONE;
    if (!ok) results_failed(r, "a search was not recorded");
    sqlite3_finalize(s);
    return ok;
}

static const char *text_of(sqlite3_stmt *s, int i, Arena *arena)
{
    const char *text = (const char *)sqlite3_column_text(s, i);
    return arena_strdup(arena, text ? text : "");
}

bool results_search_last(Results *r, const char *program, Arena *arena, ResultSearch *out)
{
    static const char sql[] = "SELECT program,version,sizes,inputs,derivation,spec,since FROM search WHERE program=?1"
                              " ORDER BY session=?2 DESC, id DESC LIMIT 1";
    sqlite3_stmt *s = NULL;
    if (sqlite3_prepare_v2(r->db, sql, -1, &s, NULL) != SQLITE_OK) return false;
    sqlite3_bind_text(s, 1, program, -1, SQLITE_TRANSIENT);
    sqlite3_bind_text(s, 2, r->session, -1, SQLITE_TRANSIENT);
    bool found = sqlite3_step(s) == SQLITE_ROW;
    if (found)
        *out = (ResultSearch){.program = text_of(s, 0, arena),
                              .version = (uint64_t)sqlite3_column_int64(s, 1), .sizes = text_of(s, 2, arena),
                              .inputs = text_of(s, 3, arena), .derivation = text_of(s, 4, arena),
                              .spec = text_of(s, 5, arena), .since = sqlite3_column_int64(s, 6)};
    sqlite3_finalize(s);
    return found;
}
