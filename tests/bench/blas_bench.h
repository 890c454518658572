/* blas_bench: rows of a benchmark against the BLAS libraries: build our version, check its result, time it beside each rival. */
#ifndef BLAS_BENCH_H
#define BLAS_BENCH_H

#include "rivals.h"

typedef struct BlasCase {
    const char *bench;             /* "gemm" */
    BlasOp op;
    bool gpu;                      /* which kind of device the version is for */
    size_t n, m, k;
    const char *script;            /* lines for `-e`, separated by ';': from load to the last rewrite; sizes and `code` are added */
} BlasCase;

/* Run all cases whose kind of device is here (LATHE_BENCH_DEVICE narrows: part of a name). 0, or 1 when a result was wrong or a case failed. */
int blas_bench(const BlasCase *cases, int count);

#endif
