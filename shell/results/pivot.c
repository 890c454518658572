/* pivot: results across: the best of each row and column, or how much better than one of the columns it is; and how portable
 * kernels are (GPGPU'16 figure 12). */
#include "figures.h"
#include "show.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- tables whose first row and column have the names ---- */

static Table grid_new(Shell *sh, const char *title, const char *corner, int rows, int columns)
{
    Table t = table_new(sh, title, rows + 1, columns + 1);
    t.cells[0] = corner;
    for (int c = 1; c <= columns; c++) t.right[c] = true;
    return t;
}

/* As text, or in a format of which there is one grid behind the other, a blank line between. */
static bool deliver(Shell *sh, Table *grids, int n, ResultFormat format, const char *file)
{
    if (format == FORMAT_T4)
        return shell_error(sh, E05, "t4 is a list of results, not of what is made of them\n"
                           "hint --format json or csv here; t4 lists the results themselves, without --pivot and --matrix");
    LOCAL(buf_free) Buf b = {0};
    json_t *all = json_array();
    for (Table *g = grids; g < grids + n; g++) {
        json_t *rows = JSON_LIST(r, g->rows - 1, json_string(*table_cell(g, r + 1, 0))),
               *columns = JSON_LIST(c, g->columns - 1, json_string(*table_cell(g, 0, c + 1))), *cells = json_array();
        for (int r = 1; r < g->rows; r++) {
            json_t *row = JSON_LIST(c, g->columns - 1, json_string(*table_cell(g, r, c + 1)));
            json_array_append_new(cells, row);
        }
        json_add(all, "{title:s rows:o columns:o cells:o}", g->title, rows, columns, cells);
        if (format == FORMAT_JSON) continue;
        if (g > grids) results_line_end(format, &b);
        if (format == FORMAT_TABLE) {
            table_measure(g);
            buf_printf(&b, "%s\n", g->title);
            table_put(sh, g, file ? INT_MAX / 2 : show_width(sh), true, &b);
            continue;
        }
        for (int r = 0; r < g->rows; r++) {
            for (int c = 0; c < g->columns; c++) results_field(r || c ? *table_cell(g, r, c) : g->title, format, c == 0, &b);
            results_line_end(format, &b);
        }
    }
    if (format == FORMAT_JSON) json_put(json_incref(all), JSON_INDENT(1), &b);
    bool ok = results_output(sh, file, buf_text(&b), b.len);
    if (ok && file) print(sh, "%s: %d table%s\n", file, n, plural(n));
    shell_report(sh, "{tables:o}", all);
    return ok;
}

static bool nothing(Shell *sh, const char *what)
{
    return shell_error(sh, E05, "there is no result to %s\ntry results --all", what);
}

/* ---- pivot ---- */

/* Transfers in their own order, numbers by size. */
static int by_text(const void *a, const void *b)
{
    const char *x = *(const char *const *)a, *y = *(const char *const *)b;
    Transfer s, t;
    return transfer_named(x, &s) && transfer_named(y, &t) ? (int)s - (int)t : strverscmp(x, y);
}

const char *results_next_name(Shell *sh, const char **list)
{
    size_t n = strcspn(*list, ", ");
    const char *name = arena_strndup(sh->scratch, *list, n);
    *list += n + strspn(*list + n, ", ");
    return name;
}

static bool names_hold(Shell *sh, const char *list, const char *name)
{
    while (*list)
        if (!strcmp(results_next_name(sh, &list), name)) return true;
    return false;
}

/* What a result has in columns "N,transfer": "512 none". */
static const char *values_text(Shell *sh, const Result *r, const char *names)
{
    const char *text = NULL;
    while (*names) {
        const char *value = result_text(r, results_next_name(sh, &names), sh->scratch);
        text = text ? arena_printf(sh->scratch, "%s %s", text, value) : value;
    }
    return text ? text : "";
}

/* The different values of columns, those of numbers in order of size. */
static int column_values(Shell *sh, const Result *list, int n, const char *columns, const char ***out)
{
    Texts seen = {0};
    for (int i = 0; i < n; i++) {
        const char *text = values_text(sh, &list[i], columns);
        if (text_index(seen.v, seen.n, text) < 0) vec_push(&seen, text);
    }
    if (seen.n > 1) qsort(seen.v, (size_t)seen.n, sizeof *seen.v, by_text);
    *out = vec_take(&seen, sh->scratch);
    return seen.n;
}

double pivot_number(const Pivot *p, int row, int column)
{
    const Result *r = p->best[row * p->columns + column];
    double v = r ? result_number(r, p->value) : NAN;
    if (p->baseline < 0) return v;
    const Result *base = p->best[row * p->columns + p->baseline];
    double b = base ? result_number(base, p->value) : NAN;
    return !strcmp(p->value, "gflops") || !strcmp(p->value, "gbps") ? v / b : b / v;
}

const char *pivot_title(Shell *sh, const Pivot *p)
{
    if (p->baseline >= 0) return arena_printf(sh->scratch, "speedup over %s", p->column_names[p->baseline]);
    return !strcmp(p->value, "gflops") ? "GFLOP/s" : !strcmp(p->value, "gbps") ? "GB/s" : p->value;
}

bool results_know_columns(Shell *sh, const Result *list, int n, const char *names)
{
    while (*names) {
        const char *name = results_next_name(sh, &names);
        if (!result_column_find(name) && !ANY(i, n, *result_text(&list[i], name, sh->scratch)))
            return shell_error(sh, E05, "results have no column \"%.60s\"\ntry list columns", name);
    }
    return true;
}

bool pivot_make(Shell *sh, const PivotAsked *asked, const Result *list, int n, Pivot *p)
{
    const char *rest = asked->columns;
    bool flops = ANY(i, n, !isnan(result_number(&list[i], "gflops")));
    int64_t size;
    *p = (Pivot){.column = results_next_name(sh, &rest), .value = asked->value ? asked->value : flops ? "gflops" : "ms"};
    bool sizes = ANY(i, n, result_binding(list[i].key.sizes, p->column, &size)) || !strcmp(p->column, "sizes");
    p->row = *rest ? rest : sizes ? "device" : "sizes";
    if (n == 0) return nothing(sh, "tabulate");
    if (!results_know_columns(sh, list, n, arena_printf(sh->scratch, "%s,%s,%s", p->column, p->row, p->value))) return false;
    p->rows = column_values(sh, list, n, p->row, &p->row_names);
    p->columns = column_values(sh, list, n, p->column, &p->column_names);
    p->best = NEW_ARRAY(sh->scratch, const Result *, p->rows * p->columns);
    p->tried = NEW_ARRAY(sh->scratch, bool, p->rows * p->columns);
    /* The fastest of each cell. What is not to be compared is left out, unless it is what is asked about. */
    const char *all = arena_printf(sh->scratch, "%s,%s", p->column, p->row);
    bool apart = names_hold(sh, all, "transfer") || names_hold(sh, all, "options");
    for (int i = 0; i < n; i++) {
        if (!apart && result_is_apart(&list[i])) continue;
        int r = text_index(p->row_names, p->rows, values_text(sh, &list[i], p->row));
        int c = text_index(p->column_names, p->columns, values_text(sh, &list[i], p->column));
        const Result **at = &p->best[r * p->columns + c];
        p->tried[r * p->columns + c] = true;
        if (list[i].state == RESULT_OK && list[i].ns > 0 && (!*at || list[i].ns < (*at)->ns)) *at = &list[i];
    }
    /* The column that others are compared with: by its name. */
    const char *name = asked->baseline;
    p->baseline = name ? text_index(p->column_names, p->columns, name) : -1;
    if (!name || p->baseline >= 0) return true;
    Buf b = {0};
    for (int i = 0; i < p->columns; i++) buf_printf(&b, "%s%s", i ? ", " : "", p->column_names[i]);
    return shell_error(sh, E05, "--baseline: no %s is \"%.60s\"\nfound %s", p->column, name, buf_take(&b, sh->scratch));
}

static Table pivot_grid(Shell *sh, const Pivot *p, const char *value, bool across)
{
    bool measure = !strcmp(value, p->value), compared = measure && p->baseline >= 0, column = result_column_find(value);
    const char *title = measure ? pivot_title(sh, p) : value;
    Table g = grid_new(sh, across ? arena_printf(sh->scratch, "%s by %s", title, p->column) : title, p->row, p->rows, p->columns);
    for (int c = 0; c < p->columns; c++) *table_cell(&g, 0, c + 1) = p->column_names[c];
    for (int row = 0; row < p->rows; row++) {
        *table_cell(&g, row + 1, 0) = p->row_names[row];
        for (int c = 0; c < p->columns; c++) {
            const Result *r = p->best[row * p->columns + c];
            double v = !r ? NAN : measure ? pivot_number(p, row, c) : result_number(r, value);
            bool shown = (!column && !compared) || show_times(sh);
            *table_cell(&g, row + 1, c + 1) = !isnan(v) ? shown ? show_figure(sh, v) : "-"
                                             : r && column && !compared ? result_text(r, value, sh->scratch) : "";
        }
    }
    return g;
}

/* The measure, then each parameter of the fastest, as in GATLAS' charts. */
bool results_pivot(Shell *sh, const PivotAsked *asked, ResultFormat format, const char *file, const Result *list, int n)
{
    Pivot p;
    if (!pivot_make(sh, asked, list, n, &p)) return false;
    const Result **found = NEW_ARRAY(sh->scratch, const Result *, p.rows * p.columns);
    int found_count = 0;
    for (int i = 0; i < p.rows * p.columns; i++)
        if (p.best[i]) found[found_count++] = p.best[i];
    const char **params;
    int param_count = result_names(found, found_count, false, sh->scratch, &params), count = 0;
    Table *grids = NEW_ARRAY(sh->scratch, Table, param_count + 1);
    bool across = format == FORMAT_TABLE;
    grids[count++] = pivot_grid(sh, &p, p.value, across);
    for (int i = 0; i < param_count; i++)
        if (!names_hold(sh, p.row, params[i]) && strcmp(params[i], p.column) && strcmp(params[i], p.value))
            grids[count++] = pivot_grid(sh, &p, params[i], across);
    return deliver(sh, grids, count, format, file);
}

/* ---- portability ---- */

/* Does that size tell the groups apart, and is it in some of them another number than each size before it? */
static bool tells_apart(const ResultGroup *groups, int n, const char **names, int k)
{
    int64_t a = 0, b = 0;
    bool differs = false;
    for (int i = 0; i < n; i++) differs = differs || !result_binding(groups[i].sizes, names[k], i ? &b : &a) || (i && a != b);
    for (int other = 0; other < k && differs; other++)
        differs = !ALL(i, n, result_binding(groups[i].sizes, names[other], &a) && result_binding(groups[i].sizes, names[k], &b) && a == b);
    return differs;
}

/* "N=512": only what tells the groups apart. */
static const char *short_sizes(Shell *sh, const ResultGroup *groups, int n, int i)
{
    const char **names;
    Buf b = {0};
    int64_t value;
    int count = result_names(&groups[i].best, 1, true, sh->scratch, &names);
    for (int k = 0; k < count; k++)
        if (tells_apart(groups, n, names, k) && result_binding(groups[i].sizes, names[k], &value))
            buf_printf(&b, "%s%s=%lld", b.len ? " " : "", names[k], (long long)value);
    return buf_take(&b, sh->scratch);
}

/* The sizes that differ, and the device where there are several. */
const char *results_group_name(Shell *sh, const ResultGroup *groups, int n, int i)
{
    bool devices = ANY(k, n, strcmp(groups[0].device, groups[k].device)), sizes = ANY(k, n, strcmp(groups[0].sizes, groups[k].sizes));
    if (devices && sizes) return arena_printf(sh->scratch, "%s %s", groups[i].device, short_sizes(sh, groups, n, i));
    return sizes ? short_sizes(sh, groups, n, i) : groups[i].device;
}

double results_portability(const ResultGroup *on, const Result *kernel)
{
    for (int i = 0; i < on->count; i++)
        if (result_same_kernel(on->kernels[i], kernel)) return on->performance[i];
    return NAN;
}

int results_portable_groups(Shell *sh, const Result *list, int n, ResultGroup **out)
{
    ResultGroup *all;
    int count = results_group(list, n, sh->scratch, &all), kept = 0;
    for (int i = 0; i < count; i++)
        if (all[i].best) all[kept++] = all[i];
    *out = all;
    if (kept == 0) return nothing(sh, "compare"), 0;
    for (int i = 1; i < kept; i++) {
        const char *first = all[0].program;
        bool several = strchr(first, '#');               /* of that name */
        if (strcmp(first, all[i].program))
            return shell_error(sh, E05, "these are results of several programs, as %s and %s\ntry results %s=%s ...", first,
                               all[i].program, several ? "origin" : "program", several ? hash_text(sh, all[0].origin) : first), 0;
    }
    return kept;
}

/* Each kernel that is the best somewhere, everywhere: its share of the best performance there. */
bool results_matrix(Shell *sh, ResultFormat format, const char *file, const Result *list, int n)
{
    ResultGroup *groups;
    int count = results_portable_groups(sh, list, n, &groups);
    if (count == 0) return false;
    const char *cross = format == FORMAT_TABLE && shell_unicode(sh) ? "×" : "x";
    const char *title = arena_printf(sh->scratch, "%s: share of the best performance there, %%", groups[0].program);
    Table g = grid_new(sh, title, "best for", count, count);
    bool failed = false, missing = false;
    for (int r = 0; r < count; r++) {
        *table_cell(&g, r + 1, 0) = *table_cell(&g, 0, r + 1) = results_group_name(sh, groups, count, r);
        for (int c = 0; c < count; c++) {
            double share = results_portability(&groups[c], groups[r].best);
            failed = failed || share == 0;
            missing = missing || isnan(share);
            *table_cell(&g, r + 1, c + 1) = isnan(share) ? "" : share == 0 ? cross
                                           : show_times(sh) ? arena_printf(sh->scratch, "%.0f", share * 100) : "-";
        }
    }
    if (format != FORMAT_TABLE || file) return deliver(sh, &g, 1, format, file);
    /* Columns called as the rows: by number, which the rows have before their names. */
    for (int i = 1, wide = table_measure(&g) > show_width(sh); wide && i <= count; i++) {
        *table_cell(&g, i, 0) = arena_printf(sh->scratch, "%*d  %s", count < 10 ? 1 : 2, i, *table_cell(&g, i, 0));
        *table_cell(&g, 0, i) = arena_printf(sh->scratch, "%d", i);
    }
    bool ok = deliver(sh, &g, 1, format, file);
    /* What crosses and gaps mean, where there are some; and the kernels. */
    if (failed) print(sh, "  %s: does not run there\n", cross);
    if (missing) print(sh, "  nothing: was not run there\n");
    for (int i = 0; i < count; i++)
        print(sh, "  %s: %s%s%s\n", *table_cell(&g, i + 1, 0), groups[i].best->key.params,
              *groups[i].best->derivation ? "   " : "", show_cut(sh, groups[i].best->derivation, 60));
    return ok;
}
