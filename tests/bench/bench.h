/* bench: what the benchmark programs share: clocks, medians and the lines that scripts/bench prints. */
#ifndef BENCH_H
#define BENCH_H

#include <stdbool.h>

double bench_seconds(void);              /* a monotonic clock */
double bench_median(double *v, int n);   /* sorts v; n >= 1 */

typedef struct BenchLine {
    const char *bench, *device, *what;   /* "gemm" "pocl0" "n=1024" */
    const char *rival;                   /* NULL: there is none, theirs is then ignored */
    double ours, theirs;
    const char *unit;                    /* "ms" "GB/s" */
    bool more_is_better;
} BenchLine;
/* One line on stdout; the ratio is above 1 where ours is better. */
void bench_print(const BenchLine *l);

#endif
