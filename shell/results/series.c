/* series: pictures of a pivot: bars in groups, a group a row (ICFP'15 figures 1, 14 and 15), and lines over the rows (GATLAS' charts). */
#include "figures.h"
#include "gnuplot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LABELS_MAX = 40, WIDTH_LEAST = 560, WIDTH_MOST = 1400, WIDTH_LINES = 800, HEIGHT = 460 };

static const char *const colours[] = {BLUE, "#E69F00", "#009E73", RED, "#CC79A7", SKY, "#F0E442", "#000000"};
static const char *colour_of(int series) { return colours[series % COUNT(colours)]; }

/* Is a column drawn? What others are compared with is the line at 1. */
static bool is_drawn(const Pivot *p, int column)
{
    return column != p->baseline && ANY(r, p->rows, !isnan(pivot_number(p, r, column)));
}

static int drawn_count(const Pivot *p)
{
    int n = 0;
    for (int c = 0; c < p->columns; c++) n += is_drawn(p, c);
    return n;
}

static int longest(const Pivot *p)
{
    int most = 0;
    for (int r = 0; r < p->rows; r++) most = (int)strlen(p->row_names[r]) > most ? (int)strlen(p->row_names[r]) : most;
    return most;
}

static int group_width(const Pivot *p)
{
    int width = 30 * drawn_count(p) + 24;
    return width < 70 ? 70 : width;
}

static int plain_width(const Pivot *p)
{
    int width = 150 + p->rows * group_width(p);
    return width < WIDTH_LEAST ? WIDTH_LEAST : width > WIDTH_MOST ? WIDTH_MOST : width;
}

/* Do the names of the groups fit below them side by side, some seven pixels a letter? */
static bool names_fit(const Pivot *p) { return longest(p) * 8 <= (plain_width(p) - 110) / (p->rows > 0 ? p->rows : 1); }

static bool is_bars(const PlotAsked *asked) { return !strcmp(asked->kind, "bars"); }

/* The rows as numbers; false: they are names. */
static bool row_number(const Pivot *p, int row, double *out)
{
    char *end;
    *out = strtod(p->row_names[row], &end);
    return *p->row_names[row] && !*end;
}

static bool rows_are_numbers(const Pivot *p)
{
    double v;
    return ALL(r, p->rows, row_number(p, r, &v));
}

SeriesSize series_size(const Pivot *p, const PlotAsked *asked)
{
    if (!is_bars(asked) && rows_are_numbers(p)) return (SeriesSize){WIDTH_LINES, HEIGHT};
    return (SeriesSize){plain_width(p), HEIGHT + (names_fit(p) ? 0 : 4 * longest(p))};
}

typedef struct Range { double low, high; } Range;

/* From where bars and lines begin to where they end. */
static Range axis_of(const Pivot *p, bool logarithmic)
{
    Range range = {INFINITY, p->baseline >= 0 ? 1 : 0};
    for (int i = 0; i < p->rows * p->columns; i++) {
        double v = pivot_number(p, i / p->columns, i % p->columns);
        if (isnan(v) || v <= 0) continue;
        range.low = v < range.low ? v : range.low;
        range.high = v > range.high ? v : range.high;
    }
    if (p->baseline >= 0 && range.low > 1) range.low = 1;
    if (!isfinite(range.low)) return (Range){logarithmic ? 0.1 : 0, 1};
    return logarithmic ? (Range){range.low / 2, range.high * 1.6} : (Range){0, range.high * 1.12};
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
static void put_log_tics(Shell *sh, const Range *axis, Buf *out)
{
    int from = (int)floor(log10(axis->low)), to = (int)floor(log10(axis->high));
    const char *before = "set ytics (";
    for (int k = from; k <= to; k++)
        for (int i = 0; i < (to - from < 3 ? 3 : 1); i++) {
            double v = (i == 0 ? 1 : i == 1 ? 2 : 5) * pow(10, k);
            if (v < axis->low || v > axis->high) continue;
            buf_printf(out, "%s'%s' %g", before, bar_label(sh, v), v);
            before = ", ";
        }
    if (*before == ',') buf_puts(out, ")\n");
}

static void put_axes(Shell *sh, const Pivot *p, const PlotAsked *asked, const Result *list, int n, const Range *axis, Buf *out)
{
    /* "mm, N=1024, pocl0": what all have in common, and is not said by the axes. */
    static const char *const names[] = {"program", "sizes", "device"};
    const char *title = "";
    for (int k = 0; k < COUNT(names); k++) {
        const char *text = result_text(&list[0], names[k], sh->scratch);
        bool same = *text && strcmp(names[k], p->column) != 0 && strcmp(names[k], p->row) != 0;
        for (int i = 1; i < n && same; i++) same = !strcmp(text, result_text(&list[i], names[k], sh->scratch));
        if (same) title = *title ? arena_printf(sh->scratch, "%s, %s", title, text) : text;
    }
    gnuplot_command(out, "set title", title);
    gnuplot_command(out, "set ylabel", pivot_title(sh, p));
    gnuplot_x_axis(out, with_blanks(sh, p->row));
    buf_puts(out, "set key bmargin center horizontal Left reverse samplen 2 maxcols 4\n");
    if (asked->logarithmic) buf_puts(out, "set logscale y\n"), put_log_tics(sh, axis, out);
    buf_printf(out, "set yrange [%g:%g]\n", axis->low, axis->high);
    if (p->baseline >= 0)
        buf_puts(out, "set arrow from graph 0, first 1 to graph 1, first 1 nohead front lw 1.5 dashtype 2 lc rgb '#333333'\n");
}

static void put_key_of_baseline(Shell *sh, const Pivot *p, Buf *out)
{
    if (p->baseline < 0) return;
    buf_puts(out, ", NaN with lines lw 1.5 dashtype 2 lc rgb '#333333' title ");
    gnuplot_quoted(out, arena_printf(sh->scratch, "%s = 1", p->column_names[p->baseline]));
}

static void put_row_names(const Pivot *p, Buf *out)
{
    buf_puts(out, names_fit(p) ? "set xtics scale 0 (" : "set xtics scale 0 rotate by 25 right (");
    for (int r = 0; r < p->rows; r++) {
        buf_puts(out, r ? ", " : "");
        gnuplot_quoted(out, p->row_names[r]);
        buf_printf(out, " %d", r);
    }
    buf_puts(out, ")\n");
}

/* Where the bar of a series stands in its group, and how wide it is. */
typedef struct Place { double x, width; } Place;
static Place place_in_group(int drawn, int k)
{
    double width = 0.8 / drawn;
    return (Place){-0.4 + width * (k + 0.5), width};
}

static void put_bars(Shell *sh, const Pivot *p, const Range *axis, Buf *out)
{
    int drawn = drawn_count(p), k = 0;
    bool labels = drawn * p->rows <= LABELS_MAX;
    put_row_names(p, out);
    /* Room on the left for the first of names that lean. */
    int letters = longest(p) - group_width(p) / 14;
    if (!names_fit(p) && letters > 8) buf_printf(out, "set lmargin %d\n", letters);
    buf_printf(out, "set xrange [-0.6:%g]\nset boxwidth %g\n", p->rows - 0.4, drawn ? 0.92 * place_in_group(drawn, 0).width : 1);
    for (int c = 0; c < p->columns; c++)
        if (is_drawn(p, c)) {
            /* A series of bars: x, height, the number above it. A cross is what was tried and did not run. */
            double x = place_in_group(drawn, k++).x;
            buf_printf(out, "$s%d << EOD\n", c);
            for (int r = 0; r < p->rows; r++) {
                double v = pivot_number(p, r, c);
                if (!isnan(v)) buf_printf(out, "%g %g \"%s\"\n", r + x, v, labels ? bar_label(sh, v) : "");
                else if (p->tried[r * p->columns + c] && !p->best[r * p->columns + c])
                    buf_printf(out, "%g %g \"×\"\n", r + x, axis->low);
            }
            buf_puts(out, "EOD\n");
        }
    buf_puts(out, "plot NaN notitle");
    for (int c = 0; c < p->columns; c++) {
        if (!is_drawn(p, c)) continue;
        buf_printf(out, ", $s%d using 1:2 with boxes fs solid 0.9 noborder lc rgb '%s' title ", c, colour_of(c));
        gnuplot_quoted(out, p->column_names[c]);
        buf_printf(out, ", $s%d using 1:2:3 with labels offset 0,0.6 font ',10' textcolor rgb '#333333' notitle", c);
    }
    put_key_of_baseline(sh, p, out);
    buf_putc(out, '\n');
}

void series_put(Shell *sh, const Pivot *p, const PlotAsked *asked, const Result *list, int n, Buf *out)
{
    Range axis = axis_of(p, asked->logarithmic);
    put_axes(sh, p, asked, list, n, &axis, out);
    if (is_bars(asked)) put_bars(sh, p, &axis, out);
    else {
        bool numbers = rows_are_numbers(p);
        double first = 0, last = p->rows - 1;
        if (numbers) {
            /* Ticks where the rows are, if they are not too close to each other. */
            enum { TICS = 18 };          /* side by side */
            bool close = false;
            double x = 0, before = -INFINITY;
            row_number(p, 0, &first);
            row_number(p, p->rows - 1, &last);
            for (int r = 0; r < p->rows; r++, before = x) close = close || (row_number(p, r, &x) && x - before < (last - first) / TICS);
            for (int r = 0; r < p->rows && !close; r++) buf_printf(out, r ? ", %s" : "set xtics (%s", p->row_names[r]);
            if (!close) buf_puts(out, ")\n");
        } else put_row_names(p, out);
        double room = (last - first) * 0.02;
        buf_printf(out, "set xrange [%g:%g]\n", first - (room > 0 ? room : 0.5), last + (room > 0 ? room : 0.5));
        for (int c = 0; c < p->columns; c++) {
            buf_printf(out, "$s%d << EOD\n", c);
            for (int r = 0; r < p->rows; r++) {
                double x = r, v = pivot_number(p, r, c);
                if (numbers) row_number(p, r, &x);
                if (!isnan(v)) buf_printf(out, "%.12g %g\n", x, v);
            }
            buf_puts(out, "EOD\n");
        }
        buf_puts(out, "plot NaN notitle");
        for (int c = 0; c < p->columns; c++) {
            if (!is_drawn(p, c)) continue;
            buf_printf(out, ", $s%d using 1:2 with linespoints lw 2 pt 7 ps %g lc rgb '%s' title ", c,
                       p->rows > 60 ? 0.3 : 0.6, colour_of(c));
            gnuplot_quoted(out, p->column_names[c]);
        }
        put_key_of_baseline(sh, p, out);
        buf_putc(out, '\n');
    }
}
