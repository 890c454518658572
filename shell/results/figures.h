/* figures: the ways to show results. */
#ifndef FIGURES_H
#define FIGURES_H

#include "shell.h"

/* ---- texts in columns, each as wide as its widest (table.c) ---- */

typedef struct Table {
    const char *title;                   /* what the cells are */
    int rows, columns;                   /* the first row has the heads */
    const char **cells;                  /* row by row */
    bool *right;                         /* by column: figures */
    int *width;                          /* by column, of table_measure */
} Table;
enum { TABLE_GAP = 3 };
Table table_new(Shell *sh, const char *title, int rows, int columns);    /* in scratch, cells NULL */
static inline const char **table_cell(const Table *t, int row, int column) { return &t->cells[row * t->columns + column]; }
int table_measure(Table *t);                                 /* how wide it is with its indent of two */
/* below: columns that the line has no room for continue below the first; else the last is cut. */
void table_put(Shell *sh, const Table *t, int line, bool below, Buf *out);

/* ---- ways to show results ---- */

/* The next of names as in "s0,ns,device"; *list moves behind it, "" at its end. In scratch. */
const char *results_next_name(Shell *sh, const char **list);
bool results_know_columns(Shell *sh, const Result *list, int n, const char *names);      /* E05: one is none, and no result has it */
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
/* Of bars, lines and dots pivot says what is drawn, and logarithmic how. */
typedef struct PlotAsked { const char *kind, *file; PivotAsked pivot; bool logarithmic; } PlotAsked;
bool results_plot(Shell *sh, const PlotAsked *asked, const Result *list, int n);
/* For a matrix: the groups of one program that have a best kernel; 0 + E05. How each is called beside the others.
 * The share of the best that a kernel reaches in a group: 0 where it fails, NAN where it was not tried. */
int results_portable_groups(Shell *sh, const Result *list, int n, ResultGroup **out);
const char *results_group_name(Shell *sh, const ResultGroup *groups, int n, int i);
double results_portability(const ResultGroup *on, const Result *kernel);

#endif
