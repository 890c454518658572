/* series: pictures of a pivot: bars in groups, a group a row (ICFP'15 figures 1, 14 and 15), and lines over the rows (GATLAS' charts). */
#include "figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LABELS_MAX = 40, WIDTH_LEAST = 560, WIDTH_MOST = 1400, WIDTH_LINES = 800, HEIGHT = 460 };

static const char *const colours[] = {BLUE, "#E69F00", "#009E73", RED, "#CC79A7", SKY, "#F0E442", "#000000"};
static const char *colour_of(int series) { return colours[series % COUNT(colours)]; }

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

SeriesSize series_size(Shell *sh, const Pivot *p, const PlotAsked *asked)
{
    const Drawing d = drawing(sh, p, asked, NULL);
    if (!d.bars && d.numbers) return (SeriesSize){WIDTH_LINES, HEIGHT};
    return (SeriesSize){d.width, HEIGHT + (d.fit ? 0 : 4 * d.longest)};
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
    gnuplot_command(d->out, "set title", title);
    gnuplot_command(d->out, "set ylabel", pivot_title(sh, p));
    gnuplot_x_axis(d->out, with_blanks(sh, p->row));
    buf_puts(d->out, "set key bmargin center horizontal Left reverse samplen 2 maxcols 4\n");
    if (logarithmic) buf_puts(d->out, "set logscale y\n"), put_log_tics(d);
    buf_printf(d->out, "set yrange [%g:%g]\n", d->low, d->high);
    if (p->baseline >= 0)
        buf_puts(d->out, "set arrow from graph 0, first 1 to graph 1, first 1 nohead front lw 1.5 dashtype 2 lc rgb '#333333'\n");
}

static void put_row_names(const Drawing *d)
{
    gnuplot_tics(d->out, d->fit ? "set xtics scale 0 (" : "set xtics scale 0 rotate by 25 right (", d->p->row_names, d->p->rows);
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

void series_put(Shell *sh, const Pivot *p, const PlotAsked *asked, const Result *list, int n, Buf *out)
{
    const Drawing d = drawing(sh, p, asked, out);
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
        if (d.bars) buf_printf(out, ", $s%d using 1:2 with boxes fs solid 0.9 noborder lc rgb '%s' title ", c, colour_of(c));
        else
            buf_printf(out, ", $s%d using 1:2 with linespoints lw 2 pt 7 ps %g lc rgb '%s' title ", c, p->rows > 60 ? 0.3 : 0.6,
                       colour_of(c));
        gnuplot_quoted(out, p->column_names[c]);
        if (d.bars) buf_printf(out, ", $s%d using 1:2:3 with labels offset 0,0.6 font ',10' textcolor rgb '#333333' notitle", c);
    }
    if (p->baseline >= 0) {
        buf_puts(out, ", NaN with lines lw 1.5 dashtype 2 lc rgb '#333333' title ");
        gnuplot_quoted(out, arena_printf(sh->scratch, "%s = 1", p->column_names[p->baseline]));
    }
    buf_putc(out, '\n');
}
