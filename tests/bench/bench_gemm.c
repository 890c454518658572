/* SGEMM: the naive program, derived to kernels by macro rules, beside OpenBLAS, CLBlast and cuBLAS.
 * bench_gemm cpu|gpu N 'apply ...' tries one version of one's own. */
#include "blas_bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOAD "load tests/programs/mm.fun; "
/* Found by trying in turns: blocks that fit the caches at each size; one tile along the reduction. */
#define CPU512 LOAD "apply gemmCpu{mb=256, nb=64, kb=512, mr=4, nr=64, w=16}"
#define CPU1024 LOAD "apply gemmCpu{mb=1024, nb=128, kb=1024, mr=4, nr=64, w=16}"
#define CPU2048 LOAD "apply gemmCpu{mb=2048, nb=128, kb=2048, mr=4, nr=64, w=16}"
#define GPU LOAD "apply gemmGpu"

static const BlasCase cases[] = {
    {"gemm", BLAS_GEMM, false, 512, 512, 512, CPU512},    {"gemm", BLAS_GEMM, false, 1024, 1024, 1024, CPU1024},
    {"gemm", BLAS_GEMM, false, 2048, 2048, 2048, CPU2048}, {"gemm", BLAS_GEMM, true, 4096, 4096, 4096, GPU},
    {"gemm", BLAS_GEMM, true, 8192, 8192, 8192, GPU},
};

int main(int argc, char **argv)
{
    if (argc != 4) return blas_bench(cases, (int)(sizeof cases / sizeof *cases));
    char script[1024];
    size_t n = strtoull(argv[2], NULL, 10);
    snprintf(script, sizeof script, "%s%s", LOAD, argv[3]);
    return blas_bench(&(BlasCase){"gemm", BLAS_GEMM, strcmp(argv[1], "gpu") == 0, n, n, n, script}, 1);
}
