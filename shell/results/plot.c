/* plot: pictures of results through gnuplot: distribution (GPGPU'16 figure 10), best-so-far of a search (ICFP'15 figure 12),
 * what random search may expect (GPGPU'16 figure 11), portability (GPGPU'16 figure 12); of pivots bars in groups, a group a row
 * (ICFP'15 figures 1, 14 and 15), and lines over the rows (GATLAS' charts). */
#include "child.h"
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

/* Colours that those who see fewer of them can tell apart (Okabe and Ito). */
#define BLUE "#0072B2"
#define RED "#D55E00"
#define GREY "#777777"
#define SKY "#56B4E9"
static const char *const colours[] = {BLUE, "#E69F00", "#009E73", RED, "#CC79A7", SKY, "#F0E442", "#000000"};

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

/* command 'text' */
static void command(Buf *out, const char *name, const char *text)
{
    buf_printf(out, "%s ", name);
    quoted(out, text);
    buf_putc(out, '\n');
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

/* Its name, with an empty line below it, as the legend would touch it. */
static void x_axis(Buf *out, const char *what)
{
    buf_puts(out, "set xlabel ");
    quoted(out, what);
    buf_puts(out, ".\"\\n \"\n");
}

/* What a script begins with, by what the file's name ends in; E05: it is no picture. */
static bool terminal(Shell *sh, const char *file, int width, int height, Buf *out)
{
    const char *dot = strrchr(file, '.');
    const char *kind = dot ? dot + 1 : "";
    if (!strcmp(kind, "svg"))
        buf_printf(out,
                   "set terminal svg noenhanced size %d,%d font 'Helvetica,Arial,sans-serif,14' background rgb 'white'\n",
                   width, height);
    else if (!strcmp(kind, "png"))
        buf_printf(out, "set terminal pngcairo noenhanced size %d,%d font 'Sans,14' background rgb 'white'\n",
                   width * 3 / 2, height * 3 / 2);
    else if (!strcmp(kind, "pdf"))
        buf_printf(out, "set terminal pdfcairo noenhanced size %g,%g font 'Sans,10' background rgb 'white'\n",
                   width / 120.0, height / 120.0);
    else return shell_error(sh, E05, "a plot is written to a .svg, .png or .pdf file, not to %s", file);
    command(out, "set output", file);
    buf_puts(
        out,
        "set encoding utf8\nset border 3 lc rgb '#333333'\nset tics nomirror out\nset style textbox opaque noborder fillcolor rgb 'white' margins 0.2,0.2\nset grid ytics lw 0.5 lc rgb '#dddddd'\n");
    return true;
}

/* gnuplot reads the script and writes the file; E06. */
static bool draw(Shell *sh, const char *file, const Buf *script)
{
    if (!file_write(diag(sh), file, "", 0)) return false;            /* gnuplot would go on to standard output */
    fflush(stdout);
    int code = child_feed((const char *const[]){"gnuplot", NULL}, -1, script);
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

static void put_y_axis(Shell *sh, const char *what, const Unit *unit, Buf *out)
{
    command(out, "set ylabel", unit->name ? arena_printf(sh->scratch, "%s (%s)", what, unit->name)
                                              : arena_printf(sh->scratch, "%s (%% of the best)", what));
}

/* Ticks at whole numbers, six or so up to most. */
static void put_whole_tics(const char *axis, int most, Buf *out)
{
    double raw = most / 6.0, power = pow(10, floor(log10(raw > 1 ? raw : 1))), step = power;
    if (raw > power) step = raw > 5 * power ? 10 * power : raw > 2 * power ? 5 * power : 2 * power;
    buf_printf(out, "set %stics 0,%.0f\n", axis, step);
}

/* What every panel begins with: its title, and the legend below the picture. */
static void put_head(Shell *sh, const ResultGroup *g, const char *what, Buf *out)
{
    const char *text = *g->sizes ? arena_printf(sh->scratch, "%s, %s, %s", g->program, g->sizes, g->device)
                                 : arena_printf(sh->scratch, "%s, %s", g->program, g->device);
    command(out, "set title", *what ? arena_printf(sh->scratch, "%s: %s", what, text) : text);
    buf_puts(out, "unset label\nunset arrow\nset xtics autofreq\nset ytics autofreq\n"
                  "set key bmargin center horizontal Left reverse samplen 2 maxcols 4\n");
}

static void distribution(Shell *sh, const ResultGroup *g, bool alone, Buf *out)
{
    int bins[BINS], most = 1;
    const double *valid = g->ascending + (g->count - g->valid);
    stats_bins(valid, g->valid, bins, BINS);
    for (int i = 0; i < BINS; i++) most = bins[i] > most ? bins[i] : most;
    Unit unit = unit_of(g);
    put_head(sh, g, "", out);
    double best = unit.name ? unit.best : g->best->ns / 1e6;
    x_axis(out, arena_printf(sh->scratch, "performance (%% of the best, %s %s)", show_figure(sh, best),
                                  unit.name ? unit.name : "ms"));
    command(out, "set ylabel", g->valid == g->count
                                       ? arena_printf(sh->scratch, "kernels (%d)", g->count)
                                       : arena_printf(sh->scratch, "kernels (%d valid of %d)", g->valid, g->count));
    put_whole_tics("y", most, out);
    buf_printf(out, "set xrange [0:100]\nset xtics 20\nset yrange [0:%g]\nset boxwidth 4.4\n", most * 1.1);
    double quartiles[3];
    for (int i = 0; i < 3; i++) {
        quartiles[i] = stats_quantile(valid, g->valid, (i + 1) / 4.0) * 100;
        /* An upright line at x, behind the bars, which let it through. */
        double x = quartiles[i];
        const char *style = i == 1 ? "lw 2.5" : "lw 1.5 dashtype 2";
        buf_printf(out, "set arrow from %g, graph 0 to %g, graph 1 nohead back %s lc rgb '" RED "'\n", x, x, style);
    }
    buf_puts(out, "$bins << EOD\n");
    for (int i = 0; i < BINS; i++) buf_printf(out, "%g %d\n", (i + 0.5) * 100 / BINS, bins[i]);
    buf_puts(out, "EOD\nplot $bins using 1:2 with boxes fs transparent solid 0.8 noborder lc rgb '" BLUE "' notitle, "
                  "NaN with lines lw 2.5 lc rgb '" RED "' title ");
    quoted(out, arena_printf(sh->scratch, "median %.1f %%", quartiles[1]));
    buf_puts(out, ", NaN with lines lw 1.5 dashtype 2 lc rgb '" RED "' title ");
    quoted(out, arena_printf(sh->scratch, "quartiles %.1f %% and %.1f %%", quartiles[0], quartiles[2]));
    /* How many there are above each bar: as large as its width allows. */
    int digits = 1;
    for (int rest = most; rest >= 10; rest /= 10) digits++;
    if (digits <= (alone ? 5 : 3))
        buf_printf(out, ", $bins using 1:($2 > 0 ? $2 : NaN):(sprintf('%%d', $2)) with labels boxed offset 0,0.6 font ',%d'"
                        " textcolor rgb '#333333' notitle", digits > (alone ? 3 : 2) ? 8 : 10);
    buf_putc(out, '\n');
}

/* ---- best so far ---- */

static void put_mark(int i, const char *style, Buf *out)
{
    buf_printf(out, "set arrow from %g, graph 0 to %g, graph 1 nohead back %s lc rgb '" GREY "'\n", i + 0.5, i + 0.5, style);
}

/* Where the next structure begins, of those that were searched through one after another, if they are few. */
static void put_structures(const ResultGroup *g, Buf *out)
{
    int changes[MARKS_MAX], n = 0;
    for (int i = 1; i < g->count; i++) {
        if (!strcmp(g->kernels[i]->derivation, g->kernels[i - 1]->derivation)) continue;
        if (ANY(k, i, !strcmp(g->kernels[i]->derivation, g->kernels[k]->derivation))) return;
        if (n == MARKS_MAX) return;
        changes[n++] = i;
    }
    if (n * 3 > g->count) return;
    for (int k = 0; k < n; k++) put_mark(changes[k], "lw 1 dashtype 3", out);
}

static void progress(Shell *sh, const ResultGroup *g, bool alone, Buf *out)
{
    Unit unit = unit_of(g);
    int failed = g->count - g->valid;
    double size = g->count > 2000 ? 0.2 : g->count > 300 ? 0.35 : 0.8;
    const char *colour = g->count > 300 ? SKY : BLUE;
    (void)alone;
    put_head(sh, g, "best so far", out);
    x_axis(out, "evaluations");
    put_y_axis(sh, "performance", &unit, out);
    put_whole_tics("x", g->count, out);
    buf_printf(out, "set xrange [0:%g]\nset yrange [%g:%g]\n", g->count * 1.01 + 0.5, failed ? -0.07 * unit.best : 0,
               unit.best * 1.05);
    if (failed) buf_puts(out, "set arrow from graph 0, first 0 to graph 1, first 0 nohead back lw 1 lc rgb '#333333'\n");
    /* Where a search settled on a choice: on one more, or on none again, which is drawn stronger. */
    int changes = 0;
    bool again = false;
    for (int i = 1; i < g->count; i++) changes += g->kernels[i]->fixed != g->kernels[i - 1]->fixed;
    for (int i = 1; i < g->count; i++) {
        int step = g->kernels[i]->fixed - g->kernels[i - 1]->fixed;
        again = again || step < 0;
        if (step < 0 || (step > 0 && changes <= MARKS_MAX)) put_mark(i, step < 0 ? "lw 1.5" : "lw 1 dashtype 3", out);
    }
    bool fixed = changes > 0;
    if (!fixed) put_structures(g, out);
    /* What failed stands in a strip below zero. */
    buf_puts(out, "$trials << EOD\n");
    for (int i = 0; i < g->count; i++)
        buf_printf(out, "%d %g %d\n", i + 1,
                   result_is_timed(g->kernels[i]) ? g->performance[i] * unit.best : -0.035 * unit.best, result_is_timed(g->kernels[i]));
    buf_puts(out, "EOD\n");
    /* The corners of the staircase: a line of them looks the same however many trials there are. */
    double best = 0;
    buf_puts(out, "$best << EOD\n");
    for (int i = 0; i < g->count; i++) {
        if (g->performance[i] > best) buf_printf(out, "%d %g\n", i + 1, (best = g->performance[i]) * unit.best);
    }
    buf_printf(out, "%d %g\nEOD\n", g->count, best * unit.best);
    buf_printf(out, "plot $trials using 1:($3 == 1 ? $2 : NaN) with points pt 7 ps %g lc rgb '%s' notitle, ", size, colour);
    if (failed)
        buf_printf(out, "$trials using 1:($3 == 0 ? $2 : NaN) with points pt 2 ps %g lw 1 lc rgb '" GREY "' notitle, ", size);
    buf_printf(out, "$best using 1:2 with steps lw 2.5 lc rgb '" RED "' title 'best so far', "
                    "NaN with points pt 7 ps 0.8 lc rgb '%s' title 'a kernel'", colour);
    if (failed)
        buf_printf(out, ", NaN with points pt 2 ps 0.8 lw 1 lc rgb '" GREY "' title 'failed (%d of %d)'", failed, g->count);
    if (fixed) buf_puts(out, ", NaN with lines lw 1 dashtype 3 lc rgb '" GREY "' title 'a choice is fixed'");
    if (again) buf_puts(out, ", NaN with lines lw 1.5 lc rgb '" GREY "' title 'all are open again'");
    buf_putc(out, '\n');
}

/* ---- what random search may expect ---- */

/* Draws after which that share of the best is reached with 95 % confidence, as a dot on its line. */
static int put_needed(const ResultGroup *g, double share, const Unit *unit, Buf *out)
{
    int needed = stats_draws_needed(g->count, stats_at_least(g->ascending, g->count, share), 0.95);
    double at = share * unit->best;
    buf_printf(out, "set arrow from graph 0, first %g to graph 1, first %g nohead front lw 1 dashtype 3 lc rgb '#333333'\n",
               at, at);
    buf_printf(out, "set label '' front point pt 7 ps 1.2 lc rgb '" RED "' at %d, %g\n", needed, at);
    return needed;
}

static void evolution(Shell *sh, const ResultGroup *g, bool alone, Buf *out)
{
    Unit unit = unit_of(g);
    (void)alone;
    put_head(sh, g, "random search", out);
    x_axis(out, "kernels tested");
    put_y_axis(sh, "best so far", &unit, out);
    if (g->count > 100) buf_puts(out, "set logscale x\n");
    else put_whole_tics("x", g->count, out);
    buf_printf(out, "set xrange [1:%d]\nset yrange [0:%g]\n", g->count > 1 ? g->count : 2, unit.best * 1.05);
    int n90 = put_needed(g, stats_share_within(10), &unit, out), n95 = put_needed(g, stats_share_within(5), &unit, out);
    /* The range goes in steps: what was reached holds until the next draw. */
    BestOf best = {0}, before;
    buf_puts(out, "$curve << EOD\n");
    for (int i = 0; i < CURVE_POINTS; i++) {
        int draws = (int)lround(exp(log(g->count) * i / (CURVE_POINTS - 1)));
        if (draws == best.draws) continue;
        before = best;
        best = stats_best_of(g->ascending, g->count, draws);
        for (int k = before.draws ? 0 : 1; k < 2; k++) {
            const BestOf *range = k ? &best : &before;
            buf_printf(out, "%d %g %g %g\n", draws, best.expected * unit.best, range->low * unit.best, range->high * unit.best);
        }
    }
    buf_puts(out, "EOD\n");
    buf_puts(out, "plot $curve using 1:3:4 with filledcurves fs solid 0.25 noborder lc rgb '" BLUE
                  "' title '5 % to 95 % of the searches', "
                  "$curve using 1:2 with lines lw 2.5 lc rgb '" BLUE "' title 'expected best', "
                  "NaN with points pt 7 ps 1.2 lc rgb '" RED "' title ");
    quoted(out, arena_printf(sh->scratch, "95 %% confidence: 90 %% of the best in %d, 95 %% in %d", n90, n95));
    buf_puts(out, "\nunset logscale x\n");
}

static void matrix(Shell *sh, const ResultGroup *groups, int n, Buf *out)
{
    command(out, "set title", arena_printf(sh->scratch, "%s: share of the best performance there", groups[0].program));
    /* What crosses and gaps mean stands below, where there are some. */
    bool failed = false, missing = false;
    for (int i = 0; i < n * n; i++) {
        double share = results_portability(&groups[i % n], groups[i / n].best);
        failed = failed || share == 0;
        missing = missing || isnan(share);
    }
    buf_printf(out, "unset key\nset xlabel 'run on'.\"%s%s%s%s\"\nset ylabel 'kernel that is the best on'\n",
               failed || missing ? "\\n" : "", failed ? "×: does not run there" : "", failed && missing ? ",  " : "",
               missing ? "empty: was not run there" : "");
    const char **names = NEW_ARRAY(sh->scratch, const char *, n);
    for (int i = 0; i < n; i++) names[i] = results_group_name(sh, groups, n, i);
    put_tics(out, ANY(i, n, strlen(names[i]) > 12) ? "set xtics rotate by 25 right (" : "set xtics (", names, n);
    put_tics(out, "set ytics (", names, n);
    buf_printf(out, "set xrange [-0.5:%d.5]\nset yrange [%d.5:-0.5]\nset cbrange [0:100]\nset cblabel '%% of the best'\n"
                    "set tics scale 0\nset border 0\nunset grid\n", n - 1, n - 1);
    buf_puts(out, "set palette defined (0 '#f7fbff', 25 '#c6dbef', 50 '#6baed6', 75 '#2171b5', 100 '#08306b')\n$cells << EOD\n");
    for (int r = 0; r < n; r++) {
        for (int c = 0; c < n; c++) {
            double share = results_portability(&groups[c], groups[r].best);
            buf_printf(out, "%s%g", c ? " " : "", isnan(share) ? -1 : share * 100);
        }
        buf_putc(out, '\n');
    }
    buf_puts(out, "EOD\n");
    for (int r = 0; r < n; r++)
        for (int c = 0; c < n; c++) {
            double share = results_portability(&groups[c], groups[r].best);
            const char *text = isnan(share) ? "" : share == 0 ? "×" : arena_printf(sh->scratch, "%.0f", share * 100);
            buf_printf(out, "set label '%s' at %d, %d center front textcolor rgb '%s'\n", text, c, r,
                       share > 0.55 ? "white" : "black");
        }
    /* an image needs two cells in each direction */
    buf_puts(out, "plot $cells matrix using 1:($3 <= 0 ? NaN : $2):(0.49):(0.49):3 with boxxyerror fs solid noborder lc palette\n");
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

/* "N,transfer": "N, transfer" */
static const char *with_blanks(Shell *sh, const char *names)
{
    const char *comma = strchr(names, ',');
    return comma ? arena_printf(sh->scratch, "%.*s, %s", (int)(comma - names), names, with_blanks(sh, comma + 1)) : names;
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
    command(d->out, "set title", title);
    command(d->out, "set ylabel", pivot_title(sh, p));
    x_axis(d->out, with_blanks(sh, p->row));
    buf_puts(d->out, "set key bmargin center horizontal Left reverse samplen 2 maxcols 4\n");
    if (logarithmic) buf_puts(d->out, "set logscale y\n"), put_log_tics(d);
    buf_printf(d->out, "set yrange [%g:%g]\n", d->low, d->high);
    if (p->baseline >= 0)
        buf_puts(d->out, "set arrow from graph 0, first 1 to graph 1, first 1 nohead front lw 1.5 dashtype 2 lc rgb '#333333'\n");
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

static bool series(Shell *sh, const PlotAsked *asked, const Result *list, int n, Buf *out)
{
    Pivot pivot, *p = &pivot;
    if (!pivot_make(sh, &asked->pivot, list, n, p)) return false;
    const Drawing d = drawing(sh, p, asked, out);
    bool lines = !d.bars && d.numbers;
    if (!terminal(sh, asked->file, lines ? WIDTH_LINES : d.width, HEIGHT + (lines || d.fit ? 0 : 4 * d.longest), out)) return false;
    double width = d.drawn ? 0.8 / d.drawn : 0;
    bool labels = d.drawn * p->rows <= LABELS_MAX;
    put_axes(&d, asked->logarithmic, list, n);
    if (d.bars) {
        put_row_names(&d);
        /* Room on the left for the first of names that lean. */
        int letters = d.longest - d.group / 14;
        if (!d.fit && letters > 8) buf_printf(out, "set lmargin %d\n", letters);
        buf_printf(out, "set xrange [-0.6:%g]\nset boxwidth %g\n", p->rows - 0.4, d.drawn ? 0.92 * width : 1);
    } else put_row_range(&d);
    for (int c = 0, k = 0; c < p->columns; c++) {
        /* A series: x and height; of bars the number above it, and a cross for what was tried and did not run. */
        bool drawn = is_drawn(p, c);
        double middle = -0.4 + width * (k + 0.5);
        if (d.bars && !drawn) continue;
        buf_printf(out, "$s%d << EOD\n", c);
        for (int r = 0; r < p->rows; r++) {
            double x = r, v = pivot_number(p, r, c);
            if (!d.bars && d.numbers) row_number(p, r, &x);
            if (!d.bars && !isnan(v)) buf_printf(out, "%.12g %g\n", x, v);
            else if (!isnan(v)) buf_printf(out, "%g %g \"%s\"\n", r + middle, v, labels ? bar_label(sh, v) : "");
            else if (d.bars && p->tried[r * p->columns + c] && !p->best[r * p->columns + c])
                buf_printf(out, "%g %g \"×\"\n", r + middle, d.low);
        }
        buf_puts(out, "EOD\n");
        k += drawn;
    }
    buf_puts(out, "plot NaN notitle");
    for (int c = 0; c < p->columns; c++) {
        if (!is_drawn(p, c)) continue;
        if (d.bars) buf_printf(out, ", $s%d using 1:2 with boxes fs solid 0.9 noborder lc rgb '%s' title ", c, colours[c % COUNT(colours)]);
        else
            buf_printf(out, ", $s%d using 1:2 with linespoints lw 2 pt 7 ps %g lc rgb '%s' title ", c, p->rows > 60 ? 0.3 : 0.6,
                       colours[c % COUNT(colours)]);
        quoted(out, p->column_names[c]);
        if (d.bars) buf_printf(out, ", $s%d using 1:2:3 with labels offset 0,0.6 font ',10' textcolor rgb '#333333' notitle", c);
    }
    if (p->baseline >= 0) {
        buf_puts(out, ", NaN with lines lw 1.5 dashtype 2 lc rgb '#333333' title ");
        quoted(out, arena_printf(sh->scratch, "%s = 1", p->column_names[p->baseline]));
    }
    buf_putc(out, '\n');
    return true;
}

/* ---- panels ---- */

typedef void Panel(Shell *sh, const ResultGroup *g, bool alone, Buf *out);

/* Made of panels, one a group of results; of all groups; or of a pivot. */
static const struct { const char *name; Panel *panel; bool pivot; } plots[] = {
    {"distribution", distribution, false}, {"progress", progress, false}, {"evolution", evolution, false},
    {"matrix", NULL, false},               {"bars", NULL, true},          {"lines", NULL, true}};

static bool put_plot(Shell *sh, Panel *panel, const char *file, const Result *list, int n, Buf *out)
{
    ResultGroup *groups;
    int count = panel ? results_group(list, n, sh->scratch, &groups) : results_portable_groups(sh, list, n, &groups);
    if (!panel) {
        int side = 240 + 90 * count;
        if (count == 0 || !terminal(sh, file, side + 260, side + 80, out)) return false;
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
    if (!terminal(sh, file, kept == 1 ? 800 : 520 * across, kept == 1 ? 500 : 400 * down, out)) return false;
    if (kept > 1) buf_printf(out, "set multiplot layout %d,%d\n", down, across);
    for (int i = 0; i < kept; i++) panel(sh, &groups[i], kept == 1, out);
    if (kept > 1) buf_puts(out, "unset multiplot\n");
    return true;
}

bool results_plot(Shell *sh, const PlotAsked *asked, const Result *list, int n)
{
    const char *name = asked->kind;      /* commands.def allows these alone */
    int i = 0;
    while (i + 1 < COUNT(plots) && strcmp(plots[i].name, name)) i++;
    if (!asked->file) return shell_error(sh, E05, "--plot needs a file to write\ntry results --plot %s -o %s.svg", name, name);
    if (plots[i].pivot && !asked->pivot.columns)
        return shell_error(sh, E05, "--plot %s needs --pivot, which says what is drawn\n"
                           "try results --pivot device,sizes --plot %s -o %s", name, name, asked->file);
    if (sh->restricted) return shell_error(sh, E05, "-o is switched off by --restricted");
    Buf script = {0};
    bool ok = plots[i].pivot ? series(sh, asked, list, n, &script) : put_plot(sh, plots[i].panel, asked->file, list, n, &script);
    ok = ok && draw(sh, asked->file, &script);
    buf_free(&script);
    if (ok) print(sh, "%s written\n", asked->file);
    if (ok && sh->json) sh->data = json_pack("{s:s, s:s}", "plot", name, "file", asked->file);
    return ok;
}
