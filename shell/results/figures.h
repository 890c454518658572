/* figures: the ways to show results. */
#ifndef FIGURES_H
#define FIGURES_H

#include "shell.h"

/* What is tabulated: "device,N,transfer": a column across, and one or more down (none: the sizes, or the device); of what; the
 * value of the column that the others are compared with. NULL: of gflops or ms; with none. */
typedef struct PivotAsked { const char *columns, *value, *baseline; } PivotAsked;
/* The fastest of each row and column. */
typedef struct Pivot {
    const char *column, *row, *value;    /* row: "N,transfer" */
    int rows, columns, baseline;         /* baseline: of the columns; -1: none */
    const char **row_names, **column_names;
    const Result **best;                 /* row by row; NULL: none is valid ... */
    bool *tried;                         /* ... of those that were tried */
} Pivot;
bool pivot_make(Shell *sh, const PivotAsked *asked, const Result *list, int n, Pivot *out);    /* in the arena; E05 */
double pivot_number(const Pivot *p, int row, int column);        /* with a baseline: how many times as good; NAN: none */
const char *pivot_title(Shell *sh, const Pivot *p);              /* of its numbers */

/* Ways to show results: each prints, or writes a file, and reports. E05 E06 */
bool results_pivot(Shell *sh, const PivotAsked *asked, ResultFormat format, const char *file, const Result *list, int n);
bool results_matrix(Shell *sh, ResultFormat format, const char *file, const Result *list, int n);
bool results_histogram(Shell *sh, const Result *list, int n);
/* Of bars and lines pivot says what is drawn, and logarithmic how. */
typedef struct PlotAsked { const char *kind, *file; PivotAsked pivot; bool logarithmic; } PlotAsked;
bool results_plot(Shell *sh, const PlotAsked *asked, const Result *list, int n);
/* Pictures of a pivot (series.c): bars in groups, and lines. */
typedef struct SeriesSize { int width, height; } SeriesSize;
SeriesSize series_size(Shell *sh, const Pivot *p, const PlotAsked *asked);         /* of the picture */
void series_put(Shell *sh, const Pivot *p, const PlotAsked *asked, const Result *list, int n, Buf *out);
/* For a matrix: the groups of one program that have a best kernel; 0 + E05. How each is called beside the others.
 * The share of the best that a kernel reaches in a group: 0 where it fails, NAN where it was not tried. */
int results_portable_groups(Shell *sh, const Result *list, int n, ResultGroup **out);
const char *results_group_name(Shell *sh, const ResultGroup *groups, int n, int i);
double results_portability(const ResultGroup *on, const Result *kernel);

/* ---- pieces of scripts for gnuplot, and gnuplot run on one (gnuplot.c) ---- */

/* Colours that those who see fewer of them can tell apart (Okabe and Ito). */
#define BLUE "#0072B2"
#define RED "#D55E00"
#define GREY "#777777"
#define SKY "#56B4E9"

void gnuplot_quoted(Buf *out, const char *text);                         /* 'text' */
void gnuplot_command(Buf *out, const char *command, const char *text);   /* command 'text' */
void gnuplot_x_axis(Buf *out, const char *what);         /* its name, with an empty line below it, as the legend would touch it */
void gnuplot_tics(Buf *out, const char *command, const char *const *names, int n);      /* command ('NAME' 0, ...) */
/* What a script begins with, by what the file's name ends in; E05: it is no picture. */
bool gnuplot_terminal(Shell *sh, const char *file, int width, int height, Buf *out);
/* gnuplot reads the script and writes the file; E06. */
bool gnuplot_draw(Shell *sh, const char *file, const Buf *script);

#endif
