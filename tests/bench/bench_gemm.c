/* SGEMM: the naive program, derived to kernels by macro rules, beside OpenBLAS, CLBlast and cuBLAS. */
#include "blas_bench.h"

#define CPU "load tests/programs/mm.fun; apply gemmCpu{mb=256, nb=32, kb=256, mr=8, w=16}"
#define GPU "load tests/programs/mm.fun; apply gemmGpu{}"

static const BlasCase cases[] = {
    {"gemm", BLAS_GEMM, false, 512, 512, 512, CPU},    {"gemm", BLAS_GEMM, false, 1024, 1024, 1024, CPU},
    {"gemm", BLAS_GEMM, false, 2048, 2048, 2048, CPU}, {"gemm", BLAS_GEMM, true, 4096, 4096, 4096, GPU},
    {"gemm", BLAS_GEMM, true, 8192, 8192, 8192, GPU},
};

int main(void) { return blas_bench(cases, (int)(sizeof cases / sizeof *cases)); }
