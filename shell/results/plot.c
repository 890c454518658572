/* plot: pictures of results through gnuplot, by scripts of its own beside this file (*.gp), which say what they are given: distribution,
 * best-so-far of a search, what random search may expect, portability; of pivots bars in groups, a group a row, and lines or dots over the rows. */
#include "child.h"
#include "embedded.h"
#include "figures.h"
#include "statistics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    BINS = 20, CURVE_POINTS = 160, PANELS_MAX = 6, MARKS_MAX = 60,
    LABELS_MAX = 40, WIDTH_LEAST = 560, WIDTH_MOST = 1400, WIDTH_LINES = 800, HEIGHT = 460,      /* of pivots */
};

/* ---- pieces of scripts, and gnuplot run on one ---- */

/* 'text' */
static void quoted(Buf *out, const char *text)
{
    buf_putc(out, '\'');
    for (; *text; text++) {
        if (*text == '\'') buf_putc(out, '\'');
        buf_putc(out, *text == '\n' ? ' ' : *text);
    }
    buf_putc(out, '\'');
}

/* name = 'text' */
static void put_text(Buf *out, const char *name, const char *text)
{
    buf_printf(out, "%s = ", name);
    quoted(out, text);
    buf_putc(out, '\n');
}

static void put_script(Buf *out, const char *name)
{
    const EmbeddedText *e = embedded_plots;
    while (strcmp(e->name, name)) e++;
    buf_puts(out, e->text);
}

/* command ('NAME' 0, ...) */
static void put_tics(Buf *out, const char *command, const char *const *names, int n)
{
    for (int i = 0; i < n; i++) {
        buf_printf(out, "%s", i ? ", " : command);
        quoted(out, names[i]);
        buf_printf(out, " %d", i);
    }
    buf_puts(out, ")\n");
}

/* E05: the file is no picture. */
static bool begin(Shell *sh, const char *file, int width, int height, Buf *out)
{
    static const char *const kinds[] = {"svg", "png", "pdf"};
    const char *dot = strrchr(file, '.');
    if (!dot || text_index(kinds, COUNT(kinds), dot + 1) < 0)
        return shell_error(sh, E05, "a plot is written to a .svg, .png or .pdf file, not to %s", file);
    put_text(out, "kind", dot + 1);
    put_text(out, "output", file);
    buf_printf(out, "width = %d\nheight = %d\n", width, height);
    put_script(out, "start.gp");
    return true;
}

/* gnuplot reads the script and writes the file; E06. */
static bool draw(Shell *sh, const char *file, const Buf *script)
{
    if (!file_write(diag(sh), file, "", 0)) return false;            /* gnuplot would go on to standard output */
    fflush(stdout);
    int code = child_feed((const char *const[]){"gnuplot", NULL}, -1, script, sh->stop);
    if (code == 0) return true;
    remove(file);
    bool missing = code == CHILD_NOT_STARTED;
    return shell_error(sh, E06, "%s was not drawn: gnuplot %s\ntry %s", file, missing ? "was not found" : "failed",
                       missing ? "install the package gnuplot-nox; results --histogram needs nothing" : "another file: -o FILE.svg");
}

/* ---- groups of results ---- */

/* What a kernel's share of the best is multiplied with, and what that is. */
typedef struct Unit { double best; const char *name; } Unit;

static Unit unit_of(const ResultGroup *g)
{
    const Result *r = g->best;
    bool operations = r->flops > 0;
    double best = operations ? r->flops / r->ns : r->bytes / r->ns;
    if (best <= 0) return (Unit){100, NULL};
    if (best >= 1e4) return (Unit){best / 1e3, operations ? "TFLOP/s" : "TB/s"};
    return (Unit){best, operations ? "GFLOP/s" : "GB/s"};
}

static void distribution(Shell *sh, const ResultGroup *g, const Unit *unit, bool alone, Buf *out)
{
    int bins[BINS], most = 1, letters = 1;
    const double *valid = g->ascending + (g->count - g->valid);
    stats_bins(valid, g->valid, bins, BINS);
    for (int i = 0; i < BINS; i++) most = bins[i] > most ? bins[i] : most;
    for (int rest = most; rest >= 10; rest /= 10) letters++;
    put_text(out, "shown", arena_printf(sh->scratch, "%s %s", show_figure(sh, unit->name ? unit->best : g->best->ns / 1e6),
                                        unit->name ? unit->name : "ms"));
    buf_printf(out, "most = %d\ndigits = %d\nlow = %g\nmedian = %g\nhigh = %g\n$bins << EOD\n", most,
               letters > (alone ? 5 : 3) ? 0 : letters > (alone ? 3 : 2) ? 8 : 10, stats_quantile(valid, g->valid, 0.25) * 100,
               stats_quantile(valid, g->valid, 0.5) * 100, stats_quantile(valid, g->valid, 0.75) * 100);
    for (int i = 0; i < BINS; i++) buf_printf(out, "%g %d\n", (i + 0.5) * 100 / BINS, bins[i]);
    buf_puts(out, "EOD\n");
}

/* Where the next structure begins, of those that were searched through one after another, if they are few. */
static void put_structures(const ResultGroup *g, Buf *marks)
{
    int changes[MARKS_MAX], n = 0;
    for (int i = 1; i < g->count; i++) {
        if (!strcmp(g->kernels[i]->derivation, g->kernels[i - 1]->derivation)) continue;
        if (ANY(k, i, !strcmp(g->kernels[i]->derivation, g->kernels[k]->derivation))) return;
        if (n == MARKS_MAX) return;
        changes[n++] = i;
    }
    for (int k = 0; k < n && n * 3 <= g->count; k++) buf_printf(marks, " %d", changes[k]);
}

static void progress(Shell *sh, const ResultGroup *g, const Unit *unit, bool alone, Buf *out)
{
    LOCAL(buf_free) Buf marks = {0}, anew = {0};
    double best = 0;
    int changes = 0;                     /* where a search settled on a choice: on one more, or on none again */
    (void)sh, (void)alone;
    for (int i = 1; i < g->count; i++) changes += g->kernels[i]->fixed != g->kernels[i - 1]->fixed;
    for (int i = 1; i < g->count; i++) {
        int step = g->kernels[i]->fixed - g->kernels[i - 1]->fixed;
        if (step < 0 || (step > 0 && changes <= MARKS_MAX)) buf_printf(step < 0 ? &anew : &marks, " %d", i);
    }
    if (!changes) put_structures(g, &marks);
    put_text(out, "marks", buf_text(&marks));
    put_text(out, "anew", buf_text(&anew));
    buf_printf(out, "fixed = %d\nagain = %d\n$trials << EOD\n", changes > 0, anew.len > 0);
    for (int i = 0; i < g->count; i++) {
        bool timed = result_is_timed(g->kernels[i]);
        buf_printf(out, "%d %g %d\n", i + 1, (timed ? g->performance[i] : -0.035) * unit->best, timed);
    }
    buf_puts(out, "EOD\n$best << EOD\n");
    for (int i = 0; i < g->count; i++)
        if (g->performance[i] > best) buf_printf(out, "%d %g\n", i + 1, (best = g->performance[i]) * unit->best);
    buf_printf(out, "%d %g\nEOD\n", g->count, best * unit->best);
}

/* Draws after which that share of the best is reached with 95 % confidence. */
static int needed(const ResultGroup *g, double share)
{
    return stats_draws_needed(g->count, stats_at_least(g->ascending, g->count, share), 0.95);
}

static void evolution(Shell *sh, const ResultGroup *g, const Unit *unit, bool alone, Buf *out)
{
    double share90 = stats_share_within(10), share95 = stats_share_within(5);
    (void)sh, (void)alone;
    buf_printf(out, "share90 = %g\nneeded90 = %d\nshare95 = %g\nneeded95 = %d\n$curve << EOD\n", share90, needed(g, share90), share95,
               needed(g, share95));
    /* The range goes in steps: what was reached holds until the next draw. */
    BestOf best = {0}, before;
    for (int i = 0; i < CURVE_POINTS; i++) {
        int draws = (int)lround(exp(log(g->count) * i / (CURVE_POINTS - 1)));
        if (draws == best.draws) continue;
        before = best;
        best = stats_best_of(g->ascending, g->count, draws);
        for (int k = before.draws ? 0 : 1; k < 2; k++) {
            const BestOf *range = k ? &best : &before;
            buf_printf(out, "%d %g %g %g\n", draws, best.expected * unit->best, range->low * unit->best, range->high * unit->best);
        }
    }
    buf_puts(out, "EOD\n");
}

static void matrix(Shell *sh, const ResultGroup *groups, int n, Buf *out)
{
    bool failed = false, missing = false;
    const char **names = MAKE_LIST(sh->scratch, const char *, i, n, results_group_name(sh, groups, n, i));
    put_tics(out, ANY(i, n, strlen(names[i]) > 12) ? "set xtics rotate by 25 right (" : "set xtics (", names, n);
    put_tics(out, "set ytics (", names, n);
    buf_printf(out, "n = %d\n$cells << EOD\n", n);
    for (int i = 0; i < n * n; i++) {
        double share = results_portability(&groups[i % n], groups[i / n].best);
        failed = failed || share == 0;
        missing = missing || isnan(share);
        buf_printf(out, "%g%s", isnan(share) ? -1 : share * 100, (i + 1) % n ? " " : "\n");
    }
    buf_puts(out, "EOD\n");
    put_text(out, "title", groups[0].program);
    put_text(out, "note", arena_printf(sh->scratch, "%s%s%s", failed ? "×: does not run there" : "", failed && missing ? ",  " : "",
                                       missing ? "empty: was not run there" : ""));
    put_script(out, "matrix.gp");
}

/* ---- pivots ---- */

typedef struct Drawing {
    Shell *sh;
    const Pivot *p;
    Buf *out;
    bool bars, numbers, fit;             /* the rows are numbers; their names stand below the groups side by side */
    int drawn, longest;                  /* series; letters of a row's name */
    int group, width;                    /* pixels of a group of bars, and of all */
    double low, high;                    /* from where bars and lines begin to where they end */
} Drawing;

/* Is a column drawn? What others are compared with is the line at 1. */
static bool is_drawn(const Pivot *p, int column)
{
    return column != p->baseline && ANY(r, p->rows, !isnan(pivot_number(p, r, column)));
}

/* The rows as numbers; false: they are names. */
static bool row_number(const Pivot *p, int row, double *out)
{
    char *end;
    *out = strtod(p->row_names[row], &end);
    return *p->row_names[row] && !*end;
}

/* What the values ask of the picture. */
static Drawing drawing(Shell *sh, const Pivot *p, const PlotAsked *asked, Buf *out)
{
    double v, low = INFINITY, high = p->baseline >= 0 ? 1 : 0;
    Drawing d = {.sh = sh, .p = p, .out = out, .bars = !strcmp(asked->kind, "bars"), .numbers = ALL(r, p->rows, row_number(p, r, &v))};
    for (int c = 0; c < p->columns; c++) d.drawn += is_drawn(p, c);
    for (int r = 0; r < p->rows; r++) d.longest = (int)strlen(p->row_names[r]) > d.longest ? (int)strlen(p->row_names[r]) : d.longest;
    d.group = 30 * d.drawn + 24 < 70 ? 70 : 30 * d.drawn + 24;
    d.width = 150 + p->rows * d.group;
    d.width = d.width < WIDTH_LEAST ? WIDTH_LEAST : d.width > WIDTH_MOST ? WIDTH_MOST : d.width;
    d.fit = d.longest * 8 <= (d.width - 110) / (p->rows > 0 ? p->rows : 1);        /* some seven pixels a letter */
    for (int i = 0; i < p->rows * p->columns; i++) {
        v = pivot_number(p, i / p->columns, i % p->columns);
        if (isnan(v) || v <= 0) continue;
        low = v < low ? v : low;
        high = v > high ? v : high;
    }
    if (p->baseline >= 0 && low > 1) low = 1;
    bool logarithmic = asked->logarithmic, any = isfinite(low);
    d.low = !logarithmic ? 0 : any ? low / 2 : 0.1;
    d.high = !any ? 1 : high * (logarithmic ? 1.6 : 1.12);
    return d;
}

/* "device,N,K": "N, K". What is a text in results says itself at the ticks, as names do. */
static const char *axis_title(Shell *sh, const char *names)
{
    const char *title = "";
    while (*names) {
        const char *name = results_next_name(sh, &names);
        const ResultColumn *column = result_column_find(name);
        if (!column || column->kind != COLUMN_TEXT) title = arena_printf(sh->scratch, "%s%s%s", title, *title ? ", " : "", name);
    }
    return title;
}

/* Three digits, counts whole. */
static const char *bar_label(Shell *sh, double v)
{
    if (v >= 1e5) return arena_printf(sh->scratch, v >= 1e6 ? "%.3gM" : "%.3gk", v / (v >= 1e6 ? 1e6 : 1e3));
    if (v >= 999.5 || v == floor(v)) return arena_printf(sh->scratch, "%.0f", v);
    return arena_printf(sh->scratch, v >= 99.5 ? "%.0f" : v >= 9.95 ? "%.1f" : v >= 0.0995 ? "%.2f" : "%.2g", v);
}

/* Ticks at powers of ten; at their doubles and fives, too, where there would be one or two. */
static void put_log_tics(const Drawing *d)
{
    int from = (int)floor(log10(d->low)), to = (int)floor(log10(d->high));
    const char *before = "set ytics (";
    for (int k = from; k <= to; k++)
        for (int i = 0; i < (to - from < 3 ? 3 : 1); i++) {
            double v = (i == 0 ? 1 : i == 1 ? 2 : 5) * pow(10, k);
            if (v < d->low || v > d->high) continue;
            buf_printf(d->out, "%s'%s' %g", before, bar_label(d->sh, v), v);
            before = ", ";
        }
    if (*before == ',') buf_puts(d->out, ")\n");
}

static void put_axes(const Drawing *d, bool logarithmic, const Result *list, int n)
{
    /* "mm, N=1024, pocl0": what all have in common, and is not said by the axes. */
    static const char *const names[] = {"program", "sizes", "device"};
    Shell *sh = d->sh;
    const Pivot *p = d->p;
    const char *title = "";
    for (int k = 0; k < COUNT(names); k++) {
        const char *text = result_text(&list[0], names[k], sh->scratch);
        bool same = *text && strcmp(names[k], p->column) != 0 && strcmp(names[k], p->row) != 0;
        for (int i = 1; i < n && same; i++) same = !strcmp(text, result_text(&list[i], names[k], sh->scratch));
        if (same) title = *title ? arena_printf(sh->scratch, "%s, %s", title, text) : text;
    }
    put_text(d->out, "title", title);
    put_text(d->out, "ylabel", pivot_title(sh, p));
    put_text(d->out, "xlabel", axis_title(sh, p->row));
    put_text(d->out, "baseline", p->baseline >= 0 ? p->column_names[p->baseline] : "");
    if (logarithmic) buf_puts(d->out, "set logscale y\n"), put_log_tics(d);
}

static void put_row_names(const Drawing *d)
{
    put_tics(d->out, d->fit ? "set xtics scale 0 (" : "set xtics scale 0 rotate by 25 right (", d->p->row_names, d->p->rows);
}

/* Ticks where the rows are, if they are not too close to each other, and the range from the first row to the last. */
static void put_row_range(const Drawing *d)
{
    enum { TICS = 18 };                  /* side by side */
    const Pivot *p = d->p;
    double first = 0, last = p->rows - 1, x = 0, before = -INFINITY;
    bool close = false;
    if (d->numbers) {
        row_number(p, 0, &first);
        row_number(p, p->rows - 1, &last);
        for (int r = 0; r < p->rows; r++, before = x) close = close || (row_number(p, r, &x) && x - before < (last - first) / TICS);
        for (int r = 0; r < p->rows && !close; r++) buf_printf(d->out, r ? ", %s" : "set xtics (%s", p->row_names[r]);
        if (!close) buf_puts(d->out, ")\n");
    } else put_row_names(d);
    double room = (last - first) * 0.02;
    buf_printf(d->out, "set xrange [%g:%g]\n", first - (room > 0 ? room : 0.5), last + (room > 0 ? room : 0.5));
}

/* Versions by what they are called: their tag in this session, else the last step that made them before `lower`; where two are called alike, with their
 * parameters, or the first digits of the hash where these are alike, too. */
static void name_versions(Shell *sh, Pivot *p, const Result *list, int n)
{
    enum { DIGITS = 4 };
    const char **by_params = NEW_ARRAY(sh->scratch, const char *, p->columns);
    const Derivation *d = session_current(sh->session);
    const char **called = NEW_ARRAY(sh->scratch, const char *, p->columns);
    for (int c = 0; c < p->columns; c++) {
        const Result *one = list;
        while (one < list + n - 1 && strcmp(result_text(one, "version", sh->scratch), p->column_names[c])) one++;
        const Version *v = NULL;
        while (d && (v = derivation_next(d, v)) && v->hash != one->key.version) {}
        static const char lower[] = "; lower";
        const char *steps = result_text(one, "derivation", sh->scratch);
        if (file_ends(steps, lower)) steps = arena_strndup(sh->scratch, steps, strlen(steps) - strlen(lower));
        const char *last = strrchr(steps, ';');
        last = last ? last + 1 + strspn(last + 1, " ") : *steps ? steps : "source";
        called[c] = v && v->tag ? v->tag : arena_strndup(sh->scratch, last, strcspn(last, "({ "));
        by_params[c] = arena_printf(sh->scratch, "%s %s", called[c], result_text(one, "params", sh->scratch));
    }
    for (int c = 0; c < p->columns; c++) {
        bool twice = ANY(k, p->columns, k != c && !strcmp(called[k], called[c]));
        bool alike = ANY(k, p->columns, k != c && !strcmp(by_params[k], by_params[c]));
        p->column_names[c] = twice && !alike ? by_params[c] : twice ? arena_printf(sh->scratch, "%s %.*s", called[c], DIGITS, p->column_names[c]) : called[c];
    }
}

static bool series(Shell *sh, const PlotAsked *asked, const Result *list, int n, Buf *out)
{
    /* Colours that those who see fewer of them can tell apart (Okabe and Ito). */
    static const char *const colours[] = {"#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#F0E442", "#000000"};
    Pivot pivot, *p = &pivot;
    if (!pivot_make(sh, &asked->pivot, list, n, p)) return false;
    if (!strcmp(p->column, "version")) name_versions(sh, p, list, n);
    const Drawing d = drawing(sh, p, asked, out);
    bool lines = !d.bars && d.numbers, labels = d.drawn * p->rows <= LABELS_MAX;
    if (!begin(sh, asked->file, lines ? WIDTH_LINES : d.width, HEIGHT + (lines || d.fit ? 0 : 4 * d.longest), out)) return false;
    double width = d.drawn ? 0.8 / d.drawn : 0;
    put_axes(&d, asked->logarithmic, list, n);
    if (d.bars) put_row_names(&d);
    else put_row_range(&d);
    buf_printf(out, "bars = %d\njoined = %d\nblocks = %d\nrows = %d\nlow = %g\nhigh = %g\ndots = %g\nleft = %d\n$series << EOD\n", d.bars, strcmp(asked->kind, "dots") != 0, d.drawn,
               p->rows, d.low, d.high, p->rows > 60 ? 0.3 : 0.6, d.fit ? 0 : d.longest - d.group / 14);
    for (int c = 0, k = 0; c < p->columns; c++) {
        double middle = -0.4 + width * (k + 0.5);
        if (!is_drawn(p, c)) continue;
        for (int r = 0; r < p->rows; r++) {
            double x = r, v = pivot_number(p, r, c);
            if (!d.bars && d.numbers) row_number(p, r, &x);
            if (!d.bars && !isnan(v)) buf_printf(out, "%.12g %g\n", x, v);
            else if (!isnan(v)) buf_printf(out, "%g %g \"%s\"\n", r + middle, v, labels ? bar_label(sh, v) : "");
            else if (d.bars && p->tried[r * p->columns + c] && !p->best[r * p->columns + c])      /* it did not run */
                buf_printf(out, "%g %g \"×\"\n", r + middle, d.low);
        }
        buf_puts(out, "\n\n");
        k++;
    }
    buf_printf(out, "EOD\narray names[%d]\narray colours[%d]\n", d.drawn + 1, d.drawn + 1);
    for (int c = 0, k = 0; c < p->columns; c++) {
        if (!is_drawn(p, c)) continue;
        put_text(out, arena_printf(sh->scratch, "names[%d]", ++k), p->column_names[c]);
        put_text(out, arena_printf(sh->scratch, "colours[%d]", k), colours[c % COUNT(colours)]);
    }
    put_script(out, "series.gp");
    return true;
}

/* ---- panels ---- */

/* Made of panels, one a group of results: what is to be seen of each, before that; of all groups; or of a pivot. */
static const struct Plot {
    const char *name, *what;
    void (*panel)(Shell *sh, const ResultGroup *g, const Unit *unit, bool alone, Buf *out);
    bool pivot;
} plots[] = {
    {"distribution", "", distribution, false}, {"progress", "best so far: ", progress, false}, {"evolution", "random search: ", evolution, false},
    {"matrix", NULL, NULL, false},             {"bars", NULL, NULL, true},                     {"lines", NULL, NULL, true},
    {"dots", NULL, NULL, true}};

static void put_panel(Shell *sh, const struct Plot *plot, const ResultGroup *g, bool alone, Buf *out)
{
    const Unit unit = unit_of(g);
    put_text(out, "title", arena_printf(sh->scratch, "%s%s, %s%s%s", plot->what, g->program, g->sizes, *g->sizes ? ", " : "", g->device));
    put_text(out, "unit", unit.name ? unit.name : "");
    buf_printf(out, "count = %d\nvalid = %d\nfailed = %d\nbest = %.12g\n", g->count, g->valid, g->count - g->valid, unit.best);
    put_script(out, "panel.gp");
    plot->panel(sh, g, &unit, alone, out);
    put_script(out, arena_printf(sh->scratch, "%s.gp", plot->name));
}

static bool put_plot(Shell *sh, const struct Plot *plot, const char *file, const Result *list, int n, Buf *out)
{
    ResultGroup *groups;
    int count = plot->panel ? results_group(list, n, sh->scratch, &groups) : results_portable_groups(sh, list, n, &groups);
    if (!plot->panel) {
        int side = 240 + 90 * count;
        if (count == 0 || !begin(sh, file, side + 260, side + 80, out)) return false;
        matrix(sh, groups, count, out);
        return true;
    }
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (groups[i].best) groups[kept++] = groups[i];
    if (kept == 0) return shell_error(sh, E05, "there is nothing to plot: none of these results was timed");
    if (kept > PANELS_MAX)
        return shell_error(sh, E05, "results of %d programs, sizes and devices are too many for one picture, which takes %d\n"
                           "try results program=%s device=%s ...", kept, PANELS_MAX, groups[0].program, groups[0].device);
    int across = kept < 3 ? kept : kept == 4 ? 2 : 3, down = (kept + across - 1) / across;
    if (!begin(sh, file, kept == 1 ? 800 : 520 * across, kept == 1 ? 500 : 400 * down, out)) return false;
    if (kept > 1) buf_printf(out, "set multiplot layout %d,%d\n", down, across);
    for (int i = 0; i < kept; i++) put_panel(sh, plot, &groups[i], kept == 1, out);
    if (kept > 1) buf_puts(out, "unset multiplot\n");
    return true;
}

bool results_plot(Shell *sh, const PlotAsked *asked, const Result *list, int n)
{
    const char *name = asked->kind;      /* commands.def allows these alone */
    int i = 0;
    while (i + 1 < COUNT(plots) && strcmp(plots[i].name, name)) i++;
    if (!asked->file) return shell_error(sh, E05, "--plot needs a file to write\ntry results --plot %s -o %s.svg", name, name);
    if (sh->restricted) return shell_error(sh, E05, "-o is switched off by --restricted");
    Buf script = {0};
    PlotAsked drawn = *asked;            /* without --pivot: versions beside each other, each size apart */
    if (!drawn.pivot.columns) drawn.pivot.columns = "version,sizes";
    bool ok = plots[i].pivot ? series(sh, &drawn, list, n, &script) : put_plot(sh, &plots[i], asked->file, list, n, &script);
    ok = ok && draw(sh, asked->file, &script);
    buf_free(&script);
    if (ok) print(sh, "%s written\n", asked->file);
    return ok && shell_report(sh, "{plot:s file:s}", name, asked->file);
}
