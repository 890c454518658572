/* spmv: y = A x with A in CSR, 32 entries a row, beside a plain OpenMP loop on a CPU and cuSPARSE on a GPU. bench_spmv cpu|gpu ROWS
 * ENTRIES 'apply ...' tries one version of one's own. */
#include "cl_case.h"
#include "duel.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Matrix {
    size_t rows, entries;                /* all of them; as many columns as rows */
    int *offsets, *columns;
    float *values, *x, *y;
} Matrix;

static bool matrix_open(Matrix *a, size_t rows, size_t entries)
{
    uint64_t state = 1;
    *a = (Matrix){rows, entries, malloc((rows + 1) * sizeof(int)), malloc(entries * sizeof(int)), malloc(entries * sizeof(float)),
                  malloc(rows * sizeof(float)), malloc(rows * sizeof(float))};
    if (!a->offsets || !a->columns || !a->values || !a->x || !a->y) return false;
    for (size_t i = 0; i <= rows; i++) a->offsets[i] = (int)(entries / rows * i);
    a->offsets[rows] = (int)entries;
    for (size_t i = 0; i < entries; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        a->columns[i] = (int)((state >> 33) % rows);
        a->values[i] = (float)(state >> 40) * 0x1p-24f - 0.5f;
    }
    for (size_t i = 0; i < rows; i++) a->x[i] = (float)(i % 17) / 17 - 0.5f;
    return true;
}

static void matrix_close(Matrix *a)
{
    free(a->offsets), free(a->columns), free(a->values), free(a->x), free(a->y);
}

static void loop(void *data)
{
    Matrix *a = data;
    const int *offsets = a->offsets, *columns = a->columns;
    const float *values = a->values, *x = a->x;
    float *y = a->y;
    int rows = (int)a->rows;
#ifdef _OPENMP
#pragma omp parallel for
#endif
    for (int i = 0; i < rows; i++) {
        float sum = 0;
        for (int k = offsets[i]; k < offsets[i + 1]; k++) sum += values[k] * x[columns[k]];
        y[i] = sum;
    }
}

/* ---- cuSPARSE ---- */

typedef struct CuSparse {
    void *handle, *matrix, *x, *y, *buffer;
    int (*spmv)(void *, int, const void *, void *, void *, const void *, void *, int, int, void *);
    int (*sync)(void);
} CuSparse;

static const float one = 1, zero = 0;

static void cusparse_run(void *data)
{
    CuSparse *c = data;
    c->spmv(c->handle, 0, &one, c->matrix, c->x, &zero, c->y, 0, 0, c->buffer);
}

static void cusparse_finish(void *data) { ((CuSparse *)data)->sync(); }

static bool cusparse_open(const Matrix *a, CuSparse *c)
{
    enum { TO_DEVICE = 1, INDEX_32 = 2, FLOAT_32 = 0 };
    static const char *const runtimes[] = {"libcudart.so.13", "libcudart.so.12", "libcudart.so", NULL};
    static const char *const libraries[] = {"libcusparse.so.12", "libcusparse.so.11", "libcusparse.so", NULL};
    void *runtime = library_open(runtimes, "the CUDA runtime"), *library = runtime ? library_open(libraries, "cuSPARSE") : NULL;
    if (!library) return false;
    int (*make)(void **, size_t) = (int (*)(void **, size_t))library_function(runtime, "cudaMalloc");
    int (*copy)(void *, const void *, size_t, int) = (int (*)(void *, const void *, size_t, int))library_function(runtime, "cudaMemcpy");
    int (*create)(void **) = (int (*)(void **))library_function(library, "cusparseCreate");
    int (*csr)(void **, int64_t, int64_t, int64_t, void *, void *, void *, int, int, int, int) =
        (int (*)(void **, int64_t, int64_t, int64_t, void *, void *, void *, int, int, int, int))library_function(library, "cusparseCreateCsr");
    int (*vector)(void **, int64_t, void *, int) = (int (*)(void **, int64_t, void *, int))library_function(library, "cusparseCreateDnVec");
    int (*room)(void *, int, const void *, void *, void *, const void *, void *, int, int, size_t *) =
        (int (*)(void *, int, const void *, void *, void *, const void *, void *, int, int, size_t *))library_function(
            library, "cusparseSpMV_bufferSize");
    *(void **)&c->spmv = library_function(library, "cusparseSpMV");
    *(void **)&c->sync = library_function(runtime, "cudaDeviceSynchronize");
    if (!make || !copy || !create || !csr || !vector || !room || !c->spmv || !c->sync) return false;
    const void *from[4] = {a->offsets, a->columns, a->values, a->x};
    size_t bytes[5] = {(a->rows + 1) * 4, a->entries * 4, a->entries * 4, a->rows * 4, a->rows * 4}, more = 0;
    void *on[5];
    int64_t rows = (int64_t)a->rows;
    bool ok = true;
    for (int i = 0; i < 5; i++) ok = ok && !make(&on[i], bytes[i]) && (i == 4 || !copy(on[i], from[i], bytes[i], TO_DEVICE));
    ok = ok && !create(&c->handle);
    ok = ok && !csr(&c->matrix, rows, rows, (int64_t)a->entries, on[0], on[1], on[2], INDEX_32, INDEX_32, 0, FLOAT_32);
    ok = ok && !vector(&c->x, rows, on[3], FLOAT_32) && !vector(&c->y, rows, on[4], FLOAT_32);
    ok = ok && !room(c->handle, 0, &one, c->matrix, c->x, &zero, c->y, FLOAT_32, 0, &more) && !make(&c->buffer, more + 4);
    if (!ok) fprintf(stderr, "bench: cuSPARSE does not start; its lines are left out\n");
    return ok;
}

/* ---- ours ---- */

static void our_run(void *data) { cl_case_run(data, false); }
static void our_finish(void *data) { clFinish(((ClCase *)data)->host->queue); }

static bool right(Matrix *a, ClCase *c)
{
    size_t bytes;
    cl_mem out = cl_case_output(c, &bytes);
    float *got = malloc(a->rows * sizeof *got);
    bool ok = out && bytes == a->rows * sizeof *got && cl_case_run(c, true) &&
              clEnqueueReadBuffer(c->host->queue, out, CL_TRUE, 0, bytes, got, 0, NULL, NULL) == CL_SUCCESS;
    loop(a);
    for (size_t i = 0; i < a->rows && ok; i++) ok = fabsf(got[i] - a->y[i]) < 1e-4f;
    if (!ok) fprintf(stderr, "bench: the result is wrong\n");
    free(got);
    return ok;
}

static void race(const char *device, const Matrix *a, ClCase *c, const Racer *theirs, const char *rival)
{
    char what[96];
    double ours, other, bytes = 8.0 * (double)a->entries + 12.0 * (double)a->rows;
    duel(&(Racer){our_run, our_finish, c}, theirs, &ours, &other);
    snprintf(what, sizeof what, "rows=%zu entries=%zu", a->rows, a->entries);
    bench_print(&(BenchLine){"spmv", device, what, rival, bytes / ours * 1e-9, rival ? bytes / other * 1e-9 : 0, "GB/s", true});
}

static cl_mem upload(ClHost *h, const void *data, size_t bytes)
{
    return clCreateBuffer(h->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, (void *)data, NULL);
}

static bool run_case(ClHost *h, size_t rows, size_t entries, const char *script)
{
    Matrix a;
    ClCase c;
    CuSparse library;
    char words[1024];
    if (!matrix_open(&a, rows, entries)) return false;
    snprintf(words, sizeof words, "-e 'load tests/programs/spmv.fun' -e 'data M = %zu, K = %zu, N = %zu' %s-e '%s' -e code", rows, rows,
             entries, h->is_gpu ? "-e 'device gpu' " : "", script);
    ClInput in[] = {{"o", upload(h, a.offsets, (rows + 1) * 4)}, {"vals", upload(h, a.values, entries * 4)},
                    {"cols", upload(h, a.columns, entries * 4)}, {"x", upload(h, a.x, rows * 4)}, {NULL, NULL}};
    bool ok = cl_case_open(&c, h, words, in, &(ClScalar){NULL, 0});
    if (ok) ok = right(&a, &c);
    if (ok && !h->is_gpu) race(h->name, &a, &c, &(Racer){loop, NULL, &a}, "openmp");
    if (ok && h->is_gpu) {
        bool there = cusparse_open(&a, &library);
        race(h->name, &a, &c, there ? &(Racer){cusparse_run, cusparse_finish, &library} : NULL, there ? "cusparse" : NULL);
    }
    cl_case_close(&c);
    for (int i = 0; in[i].name; i++)
        if (in[i].mem) clReleaseMemObject(in[i].mem);
    matrix_close(&a);
    return ok;
}

int main(int argc, char **argv)
{
    int failed = 0;
    for (int gpu = 0; gpu < 2; gpu++) {
        ClHost h;
        if ((argc == 5 && (strcmp(argv[1], "gpu") == 0) != gpu) || !cl_host_open(&h, gpu ? "nvidia" : "portable")) continue;
        size_t rows = (size_t)1 << (gpu ? 20 : 18);
        if (argc == 5) failed += !run_case(&h, strtoull(argv[2], NULL, 10), strtoull(argv[3], NULL, 10), argv[4]);
        else failed += !run_case(&h, rows, 32 * rows, "lower");
        cl_host_close(&h);
    }
    return failed ? 1 : 0;
}
