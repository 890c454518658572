/* statistics: what a search may expect of a space whose performances are all known: exact formulas for
 * drawing without replacement, no resampling. */
#ifndef STATISTICS_H
#define STATISTICS_H

#include "base.h"

/* Linear between the two nearest, 0 <= q <= 1; v ascending, n >= 1. */
double stats_quantile(const double *ascending, int n, double q);
/* Of total candidates good ones are good enough: how many draws find one with that confidence, the least n with
 * 1 - C(total - good, n) / C(total, n) >= confidence. 0: none is good. */
int stats_draws_needed(int total, int good, double confidence);
/* What "within so many percent of the best" means wherever it is said: at least that share of the best performance, so that
 * 10 are times of up to 1 / 0.9 of the shortest. */
double stats_share_within(int percent);
/* How many of the values are at least that. */
int stats_at_least(const double *ascending, int n, double limit);

typedef struct BestOf {                  /* the best of that many draws */
    int draws;
    double expected;
    double low, high;                    /* with 95 % confidence it is at least low; and at most high */
} BestOf;
/* 1 <= draws <= n. Larger is better; a candidate that fails has value 0. */
BestOf stats_best_of(const double *ascending, int n, int draws);
void stats_sort(double *v, int n);       /* ascending */
double stats_quantile_of(double *v, int n, double q);           /* of values in any order, which it sorts; 0: there are none */

/* Bins of equal width over [0, 1]; a value at an edge belongs to the upper bin, 1 to the last. */
void stats_bins(const double *v, int n, int *counts, int bins);

#endif
