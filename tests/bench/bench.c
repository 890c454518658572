/* bench: clocks, medians and the lines that benchmarks print. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

double bench_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(double *v, int n)
{
    qsort(v, (size_t)n, sizeof *v, compare);
    return n % 2 ? v[n / 2] : 0.5 * (v[n / 2 - 1] + v[n / 2]);
}

void bench_print(const BenchLine *l)
{
    printf("%s\t%s\t%s\t%s\t%.4g\t", l->bench, l->device, l->what, l->rival ? l->rival : "-", l->ours);
    if (l->rival) {
        double ratio = l->more_is_better ? l->ours / l->theirs : l->theirs / l->ours;
        printf("%.4g\t%s\t%.3f\n", l->theirs, l->unit, ratio);
    } else {
        printf("-\t%s\t-\n", l->unit);
    }
    fflush(stdout);
}
