/* scal, asum and dot beside OpenBLAS, CLBlast and cuBLAS; alpha is never 1. bench_blas1 cpu|gpu scal|asum|dot N 'apply ...' tries one of one's own. */
#include "blas_bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCAL "load tests/programs/scal.fun; "
#define ASUM "load tests/programs/asum.fun; "
#define DOT "load tests/programs/dot.fun; "
enum { SMALL = 1 << 24, FAR = 1 << 26, LARGE = 1 << 27 };      /* FAR: beyond the last cache of any processor */

static const BlasCase cases[] = {
    {"blas1", BLAS_SCAL, false, SMALL, 0, 0, SCAL "lower"},   {"blas1", BLAS_SCAL, false, FAR, 0, 0, SCAL "lower"},
    {"blas1", BLAS_ASUM, false, SMALL, 0, 0, ASUM "apply reduceCpuRows{n=8192, r=8, u=2}"},
    {"blas1", BLAS_DOT, false, SMALL, 0, 0, DOT "apply reduceCpuRows{n=8192, r=8}"},  {"blas1", BLAS_SCAL, true, SMALL, 0, 0, SCAL "apply mapGpu"},
    {"blas1", BLAS_SCAL, true, LARGE, 0, 0, SCAL "apply mapGpu"},    {"blas1", BLAS_ASUM, true, SMALL, 0, 0, ASUM "apply reduceGpu"},
    {"blas1", BLAS_ASUM, true, LARGE, 0, 0, ASUM "apply reduceGpu"}, {"blas1", BLAS_DOT, true, SMALL, 0, 0, DOT "apply reduceGpu"},
    {"blas1", BLAS_DOT, true, LARGE, 0, 0, DOT "apply reduceGpu{chunk=32768, l=256, w=4, again=true}"},
};

int main(int argc, char **argv)
{
    if (argc != 5) return blas_bench(cases, (int)(sizeof cases / sizeof *cases));
    BlasOp op = strcmp(argv[2], "scal") == 0 ? BLAS_SCAL : strcmp(argv[2], "asum") == 0 ? BLAS_ASUM : BLAS_DOT;
    char script[1024];
    snprintf(script, sizeof script, "load tests/programs/%s.fun; %s", argv[2], argv[4]);
    return blas_bench(&(BlasCase){"blas1", op, strcmp(argv[1], "gpu") == 0, strtoull(argv[3], NULL, 10), 0, 0, script}, 1);
}
