/* statistics: quantiles, histograms, and what random search may expect, by exact formulas. */
#include "statistics.h"

#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void stats_sort(double *v, int n)
{
    if (n > 1) qsort(v, (size_t)n, sizeof *v, by_value);
}

double stats_quantile(const double *ascending, int n, double q)
{
    double at = q * (n - 1);
    int below = (int)at;
    return below + 1 < n ? ascending[below] + (at - below) * (ascending[below + 1] - ascending[below]) : ascending[n - 1];
}

double stats_quantile_of(double *v, int n, double q)
{
    stats_sort(v, n);
    return n ? stats_quantile(v, n, q) : 0;
}

double stats_share_within(int percent) { return (100 - percent) / 100.0; }

int stats_at_least(const double *ascending, int n, double limit)
{
    int low = 0, high = n;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (ascending[middle] < limit) low = middle + 1;
        else high = middle;
    }
    return n - low;
}

int stats_draws_needed(int total, int good, double confidence)
{
    double none = 1;                     /* probability that the draws so far were all bad */
    if (good <= 0) return 0;
    for (int n = 0; n < total - good; n++) {
        none *= (double)(total - good - n) / (total - n);
        if (none <= 1 - confidence + 1e-12) return n + 1;
    }
    return total - good + 1;
}

/* P(best <= the k-th smallest) = C(k, draws) / C(n, draws), from the largest k down. */
BestOf stats_best_of(const double *ascending, int n, int draws)
{
    BestOf best = {.draws = draws, .low = ascending[draws - 1], .high = ascending[draws - 1]};
    double below = 1;
    bool high = false, low = false;
    for (int k = n; k >= draws; k--) {
        double next = k > draws ? below * (k - draws) / k : 0;           /* of the k - 1 smallest */
        best.expected += ascending[k - 1] * (below - next);
        if (!high && next < 0.95 - 1e-12) best.high = ascending[k - 1], high = true;
        if (!low && next <= 0.05 + 1e-12) best.low = ascending[k - 1], low = true;
        below = next;
    }
    return best;
}

void stats_bins(const double *v, int n, int *counts, int bins)
{
    for (int i = 0; i < bins; i++) counts[i] = 0;
    for (int i = 0; i < n; i++) {
        int bin = (int)(v[i] * bins + 1e-9);
        counts[bin < 0 ? 0 : bin < bins ? bin : bins - 1]++;
    }
}
