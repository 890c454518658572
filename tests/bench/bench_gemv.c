/* gemv beside OpenBLAS, CLBlast and cuBLAS. bench_gemv cpu|gpu N M 'apply ...' tries one version of one's own. */
#include "blas_bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PARTS "load tests/programs/gemv_parts.fun; "

static const BlasCase cases[] = {
    {"gemv", BLAS_GEMV, false, 4096, 4096, 0, PARTS "apply gemvCpuRows"}, {"gemv", BLAS_GEMV, false, 8192, 16384, 0, PARTS "apply gemvCpuRows"},
    {"gemv", BLAS_GEMV, true, 4096, 4096, 0, PARTS "apply gemvGpu"},  {"gemv", BLAS_GEMV, true, 16384, 8192, 0, PARTS "apply gemvGpu"},
};

int main(int argc, char **argv)
{
    if (argc != 5) return blas_bench(cases, (int)(sizeof cases / sizeof *cases));
    char script[1024];
    size_t n = strtoull(argv[2], NULL, 10), m = strtoull(argv[3], NULL, 10);
    snprintf(script, sizeof script, "%s%s", PARTS, argv[4]);
    return blas_bench(&(BlasCase){"gemv", BLAS_GEMV, strcmp(argv[1], "gpu") == 0, n, m, 0, script}, 1);
}
