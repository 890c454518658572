/* plot: pictures of results through gnuplot: distribution (GPGPU'16 figure 10), best-so-far of a search (ICFP'15 figure 12),
 * what random search may expect (GPGPU'16 figure 11), portability (GPGPU'16 figure 12). */
#include "shell.h"
#include "statistics.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static Diag *diag(Shell *sh) { return &sh->c->diag; }

enum { BINS = 20, CURVE_POINTS = 160, PANELS_MAX = 6, MARKS_MAX = 24 };

/* Colours that those who see fewer of them can tell apart (Okabe and Ito). */
#define BLUE "#0072B2"
#define ORANGE "#E69F00"
#define RED "#D55E00"
#define GREEN "#009E73"
#define GREY "#777777"

/* ---- scripts ---- */

static void put_quoted(Buf *out, const char *text)
{
    buf_putc(out, '\'');
    for (; *text; text++) {
        if (*text == '\'') buf_putc(out, '\'');
        buf_putc(out, *text == '\n' ? ' ' : *text);
    }
    buf_putc(out, '\'');
}

static void put_command(Buf *out, const char *command, const char *text)
{
    buf_printf(out, "%s ", command);
    put_quoted(out, text);
    buf_putc(out, '\n');
}

/* What a kernel's share of the best is multiplied with, and what that is. */
typedef struct Unit { double best; const char *name; } Unit;

static Unit unit_of(const ResultGroup *g)
{
    const Result *r = g->best;
    if (r->flops > 0) return (Unit){r->flops / r->ns, "GFLOP/s"};
    if (r->bytes > 0) return (Unit){r->bytes / r->ns, "GB/s"};
    return (Unit){100, "% of the best"};
}

static void put_title(Shell *sh, const ResultGroup *g, const char *what, Buf *out)
{
    const char *text = *g->sizes ? arena_printf(sh->scratch, "%s, %s, %s", g->program, g->sizes, g->device)
                                 : arena_printf(sh->scratch, "%s, %s", g->program, g->device);
    put_command(out, "set title", *what ? arena_printf(sh->scratch, "%s: %s", what, text) : text);
}

/* ---- distribution ---- */

static void put_line(Buf *out, double x, const char *style)
{
    buf_printf(out, "set arrow from %g, graph 0 to %g, graph 1 nohead front %s lc rgb '" RED "'\n", x, x, style);
}

static void distribution(Shell *sh, const ResultGroup *g, Buf *out)
{
    int bins[BINS];
    const double *valid = g->ascending + (g->count - g->valid);
    stats_bins(valid, g->valid, bins, BINS);
    Unit unit = unit_of(g);
    put_title(sh, g, "", out);
    put_command(out, "set xlabel",
                *unit.name == '%' ? "performance, % of the best"
                                  : arena_printf(sh->scratch, "performance, %% of the best (%s %s)",
                                                 show_figure(sh, unit.best), unit.name));
    put_command(out, "set ylabel", arena_printf(sh->scratch, "kernels (%d valid of %d)", g->valid, g->count));
    buf_puts(
        out,
        "unset label\nunset arrow\nset key off\nset xrange [0:100]\nset xtics 20\nset yrange [0:*]\n"
        "set offsets 0, 0, graph 0.22, 0\nset boxwidth 4.4\n");
    double low = stats_quantile(valid, g->valid, 0.25) * 100, median = stats_quantile(valid, g->valid, 0.5) * 100,
           high = stats_quantile(valid, g->valid, 0.75) * 100;
    put_line(out, low, "lw 1.5 dashtype 2");
    put_line(out, median, "lw 2.5");
    put_line(out, high, "lw 1.5 dashtype 2");
    buf_puts(out, "set label front right textcolor rgb '" RED "' at graph 0.98, graph 0.95 ");
    put_quoted(out, arena_printf(sh->scratch, "median %.1f %%, quartiles %.1f %% and %.1f %%", median, low, high));
    buf_putc(out, '\n');
    buf_puts(out, "$bins << EOD\n");
    for (int i = 0; i < BINS; i++) buf_printf(out, "%g %d\n", (i + 0.5) * 100 / BINS, bins[i]);
    buf_puts(
        out,
        "EOD\nplot $bins using 1:2 with boxes fs solid 0.85 noborder lc rgb '" BLUE "', "
        "$bins using 1:($2 > 0 ? $2 : NaN):(sprintf('%d', $2)) with labels offset 0,0.6 font ',10'"
        " textcolor rgb '#333333'\n");
}

/* ---- best so far ---- */

static bool is_valid(const Result *r) { return r->state == RESULT_OK && r->ns > 0; }

/* Where the structure changes, if it does so rarely. */
static void put_structures(const ResultGroup *g, Buf *out)
{
    int changes = 0;
    for (int i = 1; i < g->count; i++) changes += strcmp(g->kernels[i]->derivation, g->kernels[i - 1]->derivation) != 0;
    if (changes == 0 || changes > MARKS_MAX) return;
    for (int i = 1; i < g->count; i++)
        if (strcmp(g->kernels[i]->derivation, g->kernels[i - 1]->derivation))
            buf_printf(out, "set arrow from %g, graph 0 to %g, graph 1 nohead back lw 1 dashtype 3 lc rgb '" GREY "'\n",
                       i + 0.5, i + 0.5);
}

static void progress(Shell *sh, const ResultGroup *g, Buf *out)
{
    Unit unit = unit_of(g);
    double best = 0;
    int failed = 0;
    put_title(sh, g, "best so far", out);
    buf_puts(
        out,
        "unset label\nunset arrow\nset key tmargin center horizontal Left reverse samplen 2\nset xlabel 'evaluations'\n");
    put_command(out, "set ylabel",
                *unit.name == '%' ? "performance, % of the best"
                                  : arena_printf(sh->scratch, "performance, %s", unit.name));
    buf_printf(out, "set xrange [0:%d]\nset yrange [0:%g]\n", g->count + 1, unit.best * 1.08);
    put_structures(g, out);
    buf_puts(out, "$trials << EOD\n");
    for (int i = 0; i < g->count; i++) {
        if (g->performance[i] > best) best = g->performance[i];
        failed += !is_valid(g->kernels[i]);
        buf_printf(out, "%d %g %g %d\n", i + 1, g->performance[i] * unit.best, best * unit.best, is_valid(g->kernels[i]));
    }
    buf_printf(
        out, "EOD\nplot $trials using 1:($4 == 1 ? $2 : NaN) with points pt 7 ps %s lc rgb '" BLUE "' title 'a kernel', ",
        g->count > 500 ? "0.3" : "0.6");
    if (failed)
        buf_printf(out,
                   "$trials using 1:($4 == 0 ? 0 : NaN) with points pt 2 ps 0.8 lw 1.5 lc rgb '" GREY
                   "' title 'failed (%d)', ",
                   failed);
    buf_puts(out, "$trials using 1:3 with steps lw 2.5 lc rgb '" RED "' title 'best so far'\n");
}

/* ---- what random search may expect ---- */

/* Draws after which that share of the best is reached with 95 % confidence, as a dot on its line. */
static int put_needed(const ResultGroup *g, double share, const Unit *unit, Buf *out)
{
    int needed = stats_draws_needed(g->count, stats_at_least(g->ascending, g->count, share), 0.95);
    double at = share * unit->best;
    buf_printf(out,
               "set arrow from graph 0, first %g to graph 1, first %g nohead front lw 1.5 dashtype 3 lc rgb '#333333'\n",
               at, at);
    buf_printf(out, "set label '' front point pt 7 ps 1.2 lc rgb '" RED "' at %d, %g\n", needed, at);
    return needed;
}

static int curve_draws(int i, int count) { return (int)lround(exp(log(count) * i / (CURVE_POINTS - 1))); }

static void evolution(Shell *sh, const ResultGroup *g, Buf *out)
{
    Unit unit = unit_of(g);
    put_title(sh, g, "random search", out);
    buf_puts(
        out,
        "unset label\nunset arrow\nset key tmargin center horizontal Left reverse samplen 2\nset xlabel 'kernels tested'\n");
    put_command(out, "set ylabel",
                *unit.name == '%' ? "best so far, % of the best"
                                  : arena_printf(sh->scratch, "best so far, %s", unit.name));
    buf_printf(out, "set logscale x\nset xrange [1:%d]\nset yrange [0:%g]\n", g->count > 1 ? g->count : 2, unit.best * 1.08);
    int n90 = put_needed(g, stats_share_within(10), &unit, out), n95 = put_needed(g, stats_share_within(5), &unit, out);
    buf_puts(out, "$curve << EOD\n");
    for (int i = 0, last = 0; i < CURVE_POINTS; i++) {
        int draws = curve_draws(i, g->count);
        if (draws == last) continue;
        BestOf best = stats_best_of(g->ascending, g->count, last = draws);
        buf_printf(out, "%d %g %g %g\n", draws, best.expected * unit.best, best.low * unit.best, best.high * unit.best);
    }
    buf_puts(out, "EOD\nplot $curve using 1:3:4 with filledcurves fs solid 0.25 noborder lc rgb '" BLUE
                  "' title 'range of 95 % of searches', "
                  "$curve using 1:2 with lines lw 2.5 lc rgb '" BLUE "' title 'expected best', "
                  "NaN with points pt 7 ps 1.2 lc rgb '" RED "' title ");
    put_quoted(out, arena_printf(sh->scratch, "95 %% confidence: 90 %% of the best in %d, 95 %% in %d", n90, n95));
    buf_puts(out, "\nunset logscale x\n");
}

/* ---- portability ---- */

static void put_cells(Shell *sh, const ResultGroup *groups, int n, Buf *out)
{
    buf_puts(out, "$cells << EOD\n");
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
}

static void put_tics(Shell *sh, const ResultGroup *groups, int n, const char *command, Buf *out)
{
    buf_printf(out, "%s (", command);
    for (int i = 0; i < n; i++) {
        buf_puts(out, i ? ", " : "");
        put_quoted(out, results_group_name(sh, groups, n, i));
        buf_printf(out, " %d", i);
    }
    buf_puts(out, ")\n");
}

static void matrix(Shell *sh, const ResultGroup *groups, int n, Buf *out)
{
    put_command(out, "set title", arena_printf(sh->scratch, "%s: share of the best performance there", groups[0].program));
    buf_puts(out, "unset key\nset xlabel 'run on'\nset ylabel 'kernel that is the best on'\n");
    put_tics(sh, groups, n, "set xtics rotate by 25 right", out);
    put_tics(sh, groups, n, "set ytics", out);
    buf_printf(
        out,
        "set xrange [-0.5:%d.5]\nset yrange [%d.5:-0.5]\nset cbrange [0:100]\nset cblabel '%% of the best'\n"
        "set tics scale 0\nset border 0\nunset grid\n",
        n - 1, n - 1);
    buf_puts(out, "set palette defined (0 '#f7fbff', 25 '#c6dbef', 50 '#6baed6', 75 '#2171b5', 100 '#08306b')\n");
    put_cells(sh, groups, n, out);
    /* an image needs two cells in each direction */
    buf_puts(out, "plot $cells matrix using 1:($3 <= 0 ? NaN : $2):(0.5):(0.5):3 with boxxyerror fs solid noborder lc palette\n");
}

/* ---- gnuplot ---- */

static const char *suffix_of(const char *file)
{
    const char *dot = strrchr(file, '.');
    return dot ? dot + 1 : "";
}

static bool put_terminal(Shell *sh, const char *file, int width, int height, Buf *out)
{
    const char *kind = suffix_of(file);
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
    else {
        diag_error(diag(sh), E05, "a plot is written to a .svg, .png or .pdf file, not to %s", file);
        return false;
    }
    put_command(out, "set output", file);
    buf_puts(
        out,
        "set encoding utf8\nset border 3 lc rgb '#333333'\nset tics nomirror out\nset grid ytics lw 0.5 lc rgb '#dddddd'\n");
    return true;
}

static bool run_gnuplot(Shell *sh, const char *file, const Buf *script)
{
    FILE *made = fopen(file, "wb");      /* gnuplot would go on to standard output */
    if (!made) return diag_error(diag(sh), E06, "cannot write %s: %s", file, strerror(errno)), false;
    fclose(made);
    fflush(stdout);
    FILE *f = popen("command -v gnuplot >/dev/null || exit 127; exec gnuplot >/dev/null", "w");
    bool ok = f && fwrite(buf_text(script), 1, script->len, f) == script->len;
    int status = f ? pclose(f) : -1;
    if (ok && status == 0) return true;
    remove(file);
    bool missing = status != -1 && WIFEXITED(status) && WEXITSTATUS(status) == 127;
    diag_error(diag(sh), E06, "%s was not drawn: gnuplot %s", file, missing ? "was not found" : "failed");
    diag_note(diag(sh), "try",
              missing ? "install the package gnuplot-nox; results --histogram needs nothing"
                      : "another file: -o FILE.svg");
    return false;
}

typedef void Panel(Shell *sh, const ResultGroup *g, Buf *out);

static void put_panels(Shell *sh, Panel *panel, const ResultGroup *groups, int n, Buf *out)
{
    int across = n < 3 ? n : n == 4 ? 2 : 3;
    if (n > 1) buf_printf(out, "set multiplot layout %d,%d\n", (n + across - 1) / across, across);
    for (int i = 0; i < n; i++) panel(sh, &groups[i], out);
    if (n > 1) buf_puts(out, "unset multiplot\n");
}

static const struct { const char *name; Panel *panel; } plots[] = {
    {"distribution", distribution}, {"progress", progress}, {"evolution", evolution}, {"matrix", NULL}};

static int find_plot(Shell *sh, const char *name)
{
    for (int i = 0; i < COUNT(plots); i++)
        if (!strcmp(plots[i].name, name)) return i;
    diag_error(diag(sh), E05, "no plot \"%.60s\"", name);
    diag_note(diag(sh), "needs", "distribution, progress, evolution or matrix");
    return -1;
}

static int timed_groups(Shell *sh, const Result *list, int n, ResultGroup **out)
{
    int count = results_group(list, n, sh->scratch, out), kept = 0;
    for (int i = 0; i < count; i++)
        if ((*out)[i].best) (*out)[kept++] = (*out)[i];
    if (kept == 0) diag_error(diag(sh), E05, "there is nothing to plot: none of these results was timed");
    if (kept <= PANELS_MAX) return kept;
    diag_error(diag(sh), E05, "results of %d programs, sizes and devices are too many for one picture, which takes %d",
               kept, PANELS_MAX);
    diag_note(diag(sh), "try", "results program=%s device=%s ...", (*out)[0].program, (*out)[0].device);
    return 0;
}

static bool write_plot(Shell *sh, int kind, const char *file, const Result *list, int n, Buf *script)
{
    ResultGroup *groups;
    Panel *panel = plots[kind].panel;
    int count = panel ? timed_groups(sh, list, n, &groups) : results_portable_groups(sh, list, n, &groups);
    if (count == 0) return false;
    int across = count < 3 ? count : count == 4 ? 2 : 3, down = (count + across - 1) / across;
    int side = 240 + 90 * count;
    bool ok = panel ? put_terminal(sh, file, count == 1 ? 800 : 520 * across, count == 1 ? 500 : 400 * down, script)
                    : put_terminal(sh, file, side + 260, side + 80, script);
    if (!ok) return false;
    if (panel) put_panels(sh, panel, groups, count, script);
    else matrix(sh, groups, count, script);
    return run_gnuplot(sh, file, script);
}

bool results_plot(Shell *sh, const char *name, const char *file, const Result *list, int n)
{
    int kind = find_plot(sh, name);
    if (kind < 0) return false;
    if (!file) {
        diag_error(diag(sh), E05, "--plot needs a file to write");
        diag_note(diag(sh), "try", "results --plot %s -o %s.svg", name, name);
        return false;
    }
    if (sh->restricted) return diag_error(diag(sh), E05, "-o is switched off by --restricted"), false;
    Buf script = {0};
    bool ok = write_plot(sh, kind, file, list, n, &script);
    buf_free(&script);
    if (ok) buf_printf(&sh->out, "%s written\n", file);
    if (ok && sh->json) sh->data = json_pack("{s:s, s:s}", "plot", name, "file", file);
    return ok;
}
