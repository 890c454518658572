/* figures: the ways to show results. */
#ifndef FIGURES_H
#define FIGURES_H

#include "shell.h"

/* Ways to show results: each prints, or writes a file, and reports. E05 E06 */
bool results_pivot(Shell *sh, const char *columns, const char *value, ResultFormat format, const char *file,
                   const Result *list, int n);
bool results_matrix(Shell *sh, ResultFormat format, const char *file, const Result *list, int n);
bool results_histogram(Shell *sh, const Result *list, int n);
bool results_plot(Shell *sh, const char *kind, const char *file, const Result *list, int n);
/* For a matrix: the groups of one program that have a best kernel; 0 + E05. How each is called beside the others.
 * The share of the best that a kernel reaches in a group: 0 where it fails, NAN where it was not tried. */
int results_portable_groups(Shell *sh, const Result *list, int n, ResultGroup **out);
const char *results_group_name(Shell *sh, const ResultGroup *groups, int n, int i);
double results_portability(const ResultGroup *on, const Result *kernel);

#endif
