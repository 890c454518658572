/* record: the result store of this process, and what runs write into it. */
#include "shell.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

Results *shell_results(Shell *sh)
{
    if (sh->results) return sh->results;
    LOCAL(drop) char *file = sh->results_fleeting ? NULL : sh->results_file ? strdup(sh->results_file)
        : shell_state_path("results.db", false);
    sh->results = results_open(file);
    const char *problem = results_trouble(sh->results);
    if (problem) shell_warn(sh, W10, NULL, "results are kept in memory only: %s", problem);
    else if (!file && !sh->results_fleeting)
        shell_warn(sh, W10, NULL, "results are kept in memory only: neither XDG_STATE_HOME nor HOME names a folder");
    int died = results_recover(sh->results);
    if (died)
        shell_warn(sh, W11, "results state=died --sort -id",
                   "lathe ended while %d result%s under way: what was running then is recorded as died; "
                   "the first time it is tried once more", died, died == 1 ? " was" : "s were");
    return sh->results;
}

void shell_clear_results(Shell *sh)
{
    static const char *const parts[] = {"", "-wal", "-shm"};
    results_close(sh->results);
    sh->results = NULL;
    for (int i = 0; sh->results_file && i < COUNT(parts); i++)
        unlink(arena_printf(sh->scratch, "%s%s", sh->results_file, parts[i]));
}

void shell_results_check(Shell *sh)
{
    const char *trouble = sh->results ? results_trouble(sh->results) : NULL;
    if (trouble) shell_warn(sh, W10, NULL, "%s", trouble);
}

void record_plan(Shell *sh, const Version *v, const RunSpec *spec, const DeviceInfo *device, ResultRecord *out)
{
    *out = (ResultRecord){.store = shell_results(sh), .arena = sh->scratch};
    Result *r = &out->planned;
    r->key.program = session_current(sh->session)->program->name;
    r->key.origin = session_current(sh->session)->versions.v[0]->hash;
    r->key.version = v->hash;
    result_key(spec, device, sh->scratch, &r->key);
    r->derivation = session_derivation(sh->session, v, sh->scratch);
    r->version_number = v->number > 0 && !v->inner ? v->number : 0;
}

const char *record_sizes(Shell *sh, const Values *values)
{
    return bindings_text(values->b, values->count, VAR_SIZE, sh->scratch);
}

const char *sizes_commands(Shell *sh, const char *sizes, const char *end)
{
    Buf b = {0};
    for (const char *p = sizes; *p; p += strspn(p, " ")) {
        int name = (int)strcspn(p, "="), all = (int)strcspn(p, " ");
        buf_printf(&b, "data %.*s = %.*s%s", name, p, all - name - 1, p + name + 1, end);
        p += all;
    }
    return buf_take(&b, sh->scratch);
}

bool record_best(Shell *sh, const Version *v, Result *out)
{
    Values values;
    bool failed = diag_failed(&sh->c->diag), known = session_values(sh->session, v, sh->scratch, &values);
    if (!known && !failed) diag_clear(&sh->c->diag);
    return known && results_best(shell_results(sh), v->hash, record_sizes(sh, &values), sh->scratch, out);
}

/* ---- what is shown of them ---- */

const char *show_figure(Shell *sh, double v) { return arena_printf(sh->scratch, v >= 1e4 && v < 1e12 ? "%.0f" : "%.4g", v); }

bool results_output(Shell *sh, const char *file, const char *text, size_t size)
{
    if (!file) return sh->exact = true, buf_write(&sh->out, text, size), true;
    if (sh->restricted) return shell_error(sh, E05, "-o is switched off by --restricted");
    return file_write(&sh->c->diag, file, text, size);
}

/* ---- as text ---- */

const char *record_text(Shell *sh, Results *r, const char *filter)
{
    Result *list;
    Buf b = {0};
    int n = results_query(r, &(ResultQuery){.filters = &filter, .filter_count = filter != NULL, .sort = "id"}, sh->scratch, &list, diag(sh));
    if (n < 0) return NULL;
    results_write(list, n, FORMAT_TSV, true, &b);
    return buf_take(&b, sh->scratch);
}

const char *record_file(Shell *sh, const char *file)
{
    const char *text = NULL;
    if (file_ends(file, ".db") || file_ends(file, ".json")) {
        Results *r = results_read(file, NULL, sh->stop, diag(sh));
        text = r ? record_text(sh, r, NULL) : NULL;
        results_close(r);
    } else text = text_read(diag(sh), sh->scratch, file, sh->stop, NULL);
    return text;
}
