/* results: what was measured, as a table, for other programs, or drawn. */
#include "commands.h"
#include "figures.h"
#include "file.h"
#include "show.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TABLE_LINES = 40 };

typedef struct Query {
    Results *store;
    bool own;                            /* the store was read from a file (--from) */
    bool here;                           /* narrowed to the current program, unasked */
    Texts filters;
    ResultQuery q;
} Query;

static bool read_query(Shell *sh, const Args *a, Query *q)
{
    const Derivation *d = session_current(sh->session);
    bool narrow = d && !q->own && !arg_flag(a, "all");
    for (int i = 0; i < a->count; i++) {
        const char *filter = a->words[i];
        if (*filter == '@') {            /* a version of this session */
            const Version *v = session_ref(sh->session, filter);
            if (!v) return false;
            filter = arena_printf(sh->scratch, "version=%s", hash_text(sh, v->hash));
        }
        vec_push(&q->filters, filter);
        narrow = narrow && strncmp(filter, "program", 7) && strncmp(filter, "version", 7);
    }
    if (narrow) vec_push(&q->filters, arena_printf(sh->scratch, "program=%s", d->program->name));
    if (narrow) vec_push(&q->filters, arena_printf(sh->scratch, "origin=%s", hash_text(sh, d->versions.v[0]->hash)));
    q->here = narrow;
    q->q = (ResultQuery){.filters = q->filters.v, .filter_count = q->filters.n, .sort = arg_flag(a, "sort")};
    return !arg_flag(a, "limit") || arg_int(sh, "--limit", arg_flag(a, "limit"), 0, INT64_MAX, &q->q.limit);
}

/* ---- a table ---- */

static const char *cell(Shell *sh, const Result *r, const char *name)
{
    bool times = show_times(sh);
    const ResultColumn *c = result_column_find(name);
    if (c && c->measured && c->kind != COLUMN_TEXT) {
        double v = result_number(r, name);
        return isnan(v) ? "" : times ? show_figure(sh, v) : "-";
    }
    if (!times && (!strcmp(name, "when") || !strcmp(name, "session") || !strcmp(name, "times"))) return "-";
    /* The version of the session that was measured, if it has it by now: a search keeps versions after it has tried
     * them. */
    if (!strcmp(name, "at")) {
        const Derivation *d = session_current(sh->session);
        const Version *v = d ? derivation_next(d, NULL) : NULL;
        int number = r->version_number;
        while (v && v->hash != r->key.version) v = derivation_next(d, v);
        if (v) number = v->number;
        return number ? arena_printf(sh->scratch, "@%d", number) : "";
    }
    return result_text(r, name, sh->scratch);
}

static bool varies(Shell *sh, const Result *list, int n, const char *name)
{
    const char *first = n ? result_text(&list[0], name, sh->scratch) : "";
    return ANY(i, n, strcmp(first, result_text(&list[i], name, sh->scratch)));
}

static bool any(Shell *sh, const Result *list, int n, const char *name) { return ANY(i, n, *cell(sh, &list[i], name)); }

/* "mm  N=1024  pocl0": what all have in common. */
static void put_common(Shell *sh, const Result *list, int n, const char *name, Texts *columns)
{
    const char *text = result_text(&list[0], name, sh->scratch);
    if (varies(sh, list, n, name)) vec_push(columns, name);
    else if (*text) print(sh, "%s%s", sh->out.len ? "   " : "", show_cut(sh, text, show_left(sh, text_width(buf_text(&sh->out)) + 3)));
}

static void choose_parameters(Shell *sh, const Result *list, int n, bool sizes, Texts *columns)
{
    const Result **refs = NEW_ARRAY(sh->scratch, const Result *, n);
    const char **names;
    for (int i = 0; i < n; i++) refs[i] = &list[i];
    int count = result_names(refs, n, sizes, sh->scratch, &names);
    for (int i = 0; i < count; i++) vec_push(columns, names[i]);
}

/* Are there two programs of one name? */
static bool share_a_name(Shell *sh, const Result *list, int n)
{
    const ResultKey **first = NEW_ARRAY(sh->scratch, const ResultKey *, n);        /* of each name */
    int names = 0;
    for (int i = 0; i < n; i++) {
        int k = 0;
        while (k < names && strcmp(first[k]->program, list[i].key.program)) k++;
        if (k == names) first[names++] = &list[i].key;
        else if (first[k]->origin != list[i].key.origin) return true;
    }
    return false;
}

/* The columns that tell these results apart; what they share is printed above the table. */
static void choose_columns(Shell *sh, const Result *list, int n, Texts *columns)
{
    static const char *const measured[] = {"state", "ms", "gflops", "gbps"};
    put_common(sh, list, n, "program", columns);
    if (share_a_name(sh, list, n)) vec_push(columns, "origin");
    if (varies(sh, list, n, "transfer")) vec_push(columns, "transfer");
    if (varies(sh, list, n, "sizes")) choose_parameters(sh, list, n, true, columns);
    else put_common(sh, list, n, "sizes", columns);
    put_common(sh, list, n, "device", columns);
    /* Of which search: said once, where all trials are of one; runs, among them those that measure the best again, are
     * of none. */
    Result *trials = NEW_ARRAY(sh->scratch, Result, n);
    int count = 0;
    for (int i = 0; i < n; i++)
        if (*result_text(&list[i], "search", sh->scratch)) trials[count++] = list[i];
    if (count) put_common(sh, trials, count, "search", columns);
    if (any(sh, list, n, "trial")) vec_push(columns, "trial");
    choose_parameters(sh, list, n, false, columns);
    for (int i = 0; i < COUNT(measured); i++)
        if (i < 2 || any(sh, list, n, measured[i])) vec_push(columns, measured[i]);
    if (any(sh, list, n, "at")) vec_push(columns, "at");
    if (any(sh, list, n, "message")) vec_push(columns, "message");
    if (varies(sh, list, n, "derivation")) vec_push(columns, "derivation");
    else put_common(sh, list, n, "derivation", columns);
}

/* "s0,ns,device" */
static bool given_columns(Shell *sh, const Result *list, int n, const char *text, Texts *columns)
{
    bool ok = results_know_columns(sh, list, n, text);
    while (ok && *text) vec_push(columns, results_next_name(sh, &text));
    return ok;
}

/* Says why there are none; false: one of the columns that are asked for (or NULL) is in no result of the store. */
static bool put_none(Shell *sh, const Query *q, const char *asked)
{
    Result *all;
    Texts columns = {0};
    const ResultQuery every = {.limit = 0};
    int n = results_query(q->store, &every, sh->scratch, &all, diag(sh));
    bool ok = n >= 0 && (!asked || given_columns(sh, all, n, asked, &columns));
    free(columns.v);
    if (!ok) return false;
    if (n == 0) print(sh, "no results yet: run and search record them\n");
    else if (q->here && q->filters.n == 2)
        print(sh, "no results of %s; %d of other programs        results --all\n", session_current(sh->session)->program->name, n);
    else print(sh, "none of %d results\n", n);
    return true;
}

static bool show_table(Shell *sh, const Args *a, const Query *q, const Result *list, int n)
{
    typedef struct Head { const char *name, *head; } Head;
    static const Head heads[] = {
        {"gflops", "GFLOP/s"}, {"gbps", "GB/s"}, {"at", "@"}, {"trial", "#"}, {"build", "build ms"}, {"verify", "verify ms"},
        {"min", "min ns"}, {"iqr", "IQR ns"}};
    Texts columns = {0};
    int lines = arg_flag(a, "limit") || n <= TABLE_LINES ? n : TABLE_LINES;
    if (n == 0) return put_none(sh, q, arg_flag(a, "columns"));
    bool ok = true;
    if (arg_flag(a, "columns")) ok = given_columns(sh, list, n, arg_flag(a, "columns"), &columns);
    else choose_columns(sh, list, n, &columns);
    if (sh->out.len) buf_putc(&sh->out, '\n');
    if (ok) {
        Table t = table_new(sh, NULL, lines + 1, columns.n);
        for (int i = 0; i < t.columns; i++) {
            const char *name = columns.v[i];
            const ResultColumn *c = result_column_find(name);
            t.right[i] = !c || c->kind == COLUMN_NUMBER || c->kind == COLUMN_TIME;
            const Head *h = FIND(heads, COUNT(heads), name, name);
            t.cells[i] = h ? h->head : name;
            for (int r = 0; r < lines; r++) *table_cell(&t, r + 1, i) = cell(sh, &list[r], name);
        }
        /* Messages and searches are cut where the columns behind them would leave the line. */
        enum { LEAST = 24 };
        int k = t.columns, total = table_measure(&t), end = t.width[k - 1] < LEAST ? t.width[k - 1] : LEAST;
        for (int i = 0; i < k - 1; i++) {
            int left = show_width(sh) - (total - t.width[i] - t.width[k - 1] + end);
            bool text = !strcmp(columns.v[i], "message") || !strcmp(columns.v[i], "search");
            if (!text || t.width[i] <= left) continue;
            t.width[i] = left > LEAST ? left : LEAST;
            for (int r = 1; r < t.rows; r++) *table_cell(&t, r, i) = show_cut(sh, *table_cell(&t, r, i), t.width[i]);
        }
        table_put(sh, &t, show_width(sh), false, &sh->out);
    }
    if (ok && lines < n) print(sh, "  %d more        results --limit 0\n", n - lines);
    free(columns.v);
    return ok;
}

static const char *const formats[] = {
    [FORMAT_TABLE] = "table", [FORMAT_CSV] = "csv", [FORMAT_TSV] = "tsv", [FORMAT_JSON] = "json", [FORMAT_T4] = "t4"};

static bool show_results(Shell *sh, const Args *a, Query *q, const Result *list, int n)
{
    const char *file = arg_flag(a, "o"), *dot = file ? strrchr(file, '.') : NULL, *named = arg_flag(a, "format");
    bool ends = dot && !strchr(dot, '/');
    int known = text_index(formats, COUNT(formats), named ? named : ends && strcmp(dot, ".txt") ? dot + 1 : "table");     /* else what the file's name ends in */
    ResultFormat format = known < 0 ? FORMAT_TABLE : (ResultFormat)known;
    const PivotAsked pivot = {arg_flag(a, "pivot"), arg_flag(a, "value"), arg_flag(a, "baseline")};
    if (!pivot.columns && (pivot.value || pivot.baseline))
        return arg_error(sh, a, pivot.value ? "--value is what --pivot shows" : "--baseline is a column of --pivot");
    if (known < 0 && !arg_flag(a, "plot"))
        return shell_error(sh, E05, "results are not written as %.20s: .csv, .tsv, .json, .t4, or .txt for the table\n"
                           "try results -o %.*s.csv", dot, (int)(dot - file), file);
    for (int i = 0; i < a->count && arg_flag(a, "plot") && !file; i++)           /* the file without its flag */
        if (file_ends(a->words[i], ".svg") || file_ends(a->words[i], ".pdf") || file_ends(a->words[i], ".png"))
            return shell_error(sh, E05, "\"%.60s\" is no filter of results\ntry %.*s-o %s", a->words[i],
                               (int)(strstr(a->text, a->words[i]) - a->text), a->text, strstr(a->text, a->words[i]));
    if (arg_flag(a, "plot")) {
        const PlotAsked plot = {arg_flag(a, "plot"), file, pivot, arg_flag(a, "log") != NULL};
        return results_plot(sh, &plot, list, n);
    }
    if (arg_flag(a, "histogram")) return results_histogram(sh, list, n);
    if (arg_flag(a, "matrix")) return results_matrix(sh, format, file, list, n);
    if (pivot.columns) return results_pivot(sh, &pivot, format, file, list, n);
    if (format != FORMAT_TABLE) {
        Buf b = {0};
        int written = results_write(list, n, format, show_times(sh), &b);
        bool ok = results_output(sh, file, buf_text(&b), b.len);
        if (ok && file && format == FORMAT_T4) {        /* beside FILE.json: FILE-metadata.json */
            const char *slash = strrchr(file, '/');
            int stem = dot && (!slash || dot > slash) ? (int)(dot - file) : (int)strlen(file);
            buf_clear(&b);
            results_write_metadata(list, n, &b);
            ok = results_output(sh, arena_printf(sh->scratch, "%.*s-metadata.json", stem, file), buf_text(&b), b.len);
        }
        if (ok && file) print(sh, "%s: %d result%s\n", file, written, plural(written));
        buf_free(&b);
        return ok;
    }
    if (!file) return show_table(sh, a, q, list, n);
    size_t before = sh->out.len;
    bool ok = show_table(sh, a, q, list, n) && results_output(sh, file, sh->out.data + before, sh->out.len - before);
    sh->out.len = before;
    if (ok) print(sh, "%s: %d result%s\n", file, n, plural(n));
    return ok;
}

bool cmd_results(Shell *sh, Args *a)
{
    Query q = {0};
    Result *list = NULL;
    const char *imported = arg_flag(a, "import"), *from = arg_flag(a, "from");
    const ResultNames as = {arg_flag(a, "program"), arg_flag(a, "device")};
    if ((as.program || as.device) && !imported && !from)
        return arg_error(sh, a, "--program and --device are what results of --import or --from are of; of one's own: results device=NAME --all");
    if (imported) {
        if (a->count || from)
            return shell_error(sh, E05, "--import takes all results of a file, without filters\n"
                               "try results --import %s", imported);
        Results *other = results_read(shell_path(sh, imported), &as, sh->stop, diag(sh));
        int64_t known = 0, n = other ? results_merge(shell_results(sh), other, sh->stop, &known, diag(sh)) : -1;
        results_close(other);
        shell_results_check(sh);
        if (n < 0) return false;
        print(sh, known ? "%lld result%s imported, %lld known before\n" : "%lld result%s imported\n", (long long)n, plural(n), (long long)known);
        return shell_report(sh, "{count:l items:[]}", (int64_t)n);
    }
    q.own = from != NULL;
    q.store = from ? results_read(shell_path(sh, from), &as, sh->stop, diag(sh)) : shell_results(sh);
    bool ok = q.store != NULL && read_query(sh, a, &q);
    if (ok && arg_flag(a, "forget") && a->count == 0 && !arg_flag(a, "all"))
        ok = shell_error(sh, E05, "--forget needs filters that say which results, or --all\ntry results state=died --forget");
    else if (ok && arg_flag(a, "forget")) {
        int64_t n = results_forget(q.store, &q.q, diag(sh));
        ok = n >= 0;
        if (ok) print(sh, "%lld result%s forgotten\n", (long long)n, plural(n));
        if (ok) shell_report(sh, "{count:l items:[]}", (int64_t)n);
    } else if (ok) {
        int n = results_query(q.store, &q.q, sh->scratch, &list, diag(sh));
        ok = n >= 0 && show_results(sh, a, &q, list, n);
        if (ok && sh->json && !sh->data) {
            json_t *items = JSON_LIST(i, n, result_json(&list[i], show_times(sh)));
            shell_report(sh, "{count:i items:o}", n, items);
        }
    }
    if (q.own) results_close(q.store);
    free(q.filters.v);
    shell_results_check(sh);
    return ok;
}
