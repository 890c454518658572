/* rivals: the libraries that benchmarks compare with: OpenBLAS (linked), CLBlast and cuBLAS (looked for at run time). Row-major data.
 * An absent library leaves the function that makes its racer returning false. */
#ifndef RIVALS_H
#define RIVALS_H

#include "cl_case.h"
#include "duel.h"

typedef enum BlasOp { BLAS_SCAL, BLAS_ASUM, BLAS_DOT, BLAS_GEMV, BLAS_GEMM } BlasOp;

/* One problem: op over n, m, k (scal asum dot: n elements; gemv: n x m matrix; gemm: n x k times k x m), with its data on the host. */
typedef struct BlasProblem {
    BlasOp op;
    size_t n, m, k;
    float alpha, beta;
    float *a, *b, *c;              /* a: matrix or xs; b: matrix, x or ys; c: y of gemv */
    size_t a_count, b_count, c_count, out_count;
    float *out;                    /* the result of reference(), out_count elements */
} BlasProblem;

bool problem_open(BlasProblem *p, BlasOp op, size_t n, size_t m, size_t k);   /* random data */
void problem_close(BlasProblem *p);
double problem_flops(const BlasProblem *p);
double problem_bytes(const BlasProblem *p);
/* Reference result by OpenBLAS into p->out. */
void problem_reference(BlasProblem *p);
/* Largest |got - out| / max(|out|, 1) over the result. */
double problem_error(const BlasProblem *p, const float *got);

bool rival_openblas(BlasProblem *p, Racer *r);
const char *rival_openblas_name(void);      /* "openblas SkylakeX 2 threads" */
/* CLBlast on the host's queue; buffers are made from the problem. */
bool rival_clblast(BlasProblem *p, ClHost *h, Racer *r);
/* cuBLAS on its own copies of the data. */
bool rival_cublas(BlasProblem *p, Racer *r);
void rival_close(Racer *r);

#endif
