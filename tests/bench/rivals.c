/* rivals: BLAS problems, and OpenBLAS, CLBlast and cuBLAS solving them. */
#include "rivals.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cblas.h>

/* ---- problems ---- */

static float *random_floats(size_t n, uint64_t seed)
{
    float *v = aligned_alloc(64, (n * sizeof *v + 63) / 64 * 64);
    for (size_t i = 0; v && i < n; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        v[i] = (float)((double)(seed >> 40) / (double)(1 << 23) - 1.0);
    }
    return v;
}

bool problem_open(BlasProblem *p, BlasOp op, size_t n, size_t m, size_t k)
{
    *p = (BlasProblem){.op = op, .n = n, .m = m, .k = k, .alpha = 1.25f, .beta = 0.75f};
    p->a_count = op == BLAS_GEMM ? n * k : op == BLAS_GEMV ? n * m : n;
    p->b_count = op == BLAS_GEMM ? k * m : op == BLAS_GEMV ? m : op == BLAS_DOT ? n : 0;
    p->c_count = op == BLAS_GEMV ? n : 0;
    p->out_count = op == BLAS_GEMM ? n * m : op == BLAS_GEMV || op == BLAS_SCAL ? n : 1;
    p->a = random_floats(p->a_count, 1);
    p->b = p->b_count ? random_floats(p->b_count, 2) : NULL;
    p->c = p->c_count ? random_floats(p->c_count, 3) : NULL;
    p->out = random_floats(p->out_count, 4);
    return p->a && p->out;
}

void problem_close(BlasProblem *p)
{
    free(p->a);
    free(p->b);
    free(p->c);
    free(p->out);
}

double problem_flops(const BlasProblem *p)
{
    double n = (double)p->n, m = (double)p->m;
    return p->op == BLAS_GEMM ? 2 * n * m * (double)p->k : p->op == BLAS_GEMV ? 2 * n * m : 2 * n;
}

double problem_bytes(const BlasProblem *p)
{
    return 4.0 * (double)(p->a_count + p->b_count + p->c_count + p->out_count);
}

static void blas(BlasProblem *p, float *out)
{
    int n = (int)p->n, m = (int)p->m, k = (int)p->k;
    switch (p->op) {
    case BLAS_SCAL: cblas_sscal(n, p->alpha, out, 1); break;
    case BLAS_ASUM: *out = cblas_sasum(n, p->a, 1); break;
    case BLAS_DOT: *out = cblas_sdot(n, p->a, 1, p->b, 1); break;
    case BLAS_GEMV: cblas_sgemv(CblasRowMajor, CblasNoTrans, n, m, p->alpha, p->a, m, p->b, 1, p->beta, out, 1); break;
    case BLAS_GEMM: cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, m, k, 1, p->a, k, p->b, m, 0, out, m); break;
    }
}

void problem_reference(BlasProblem *p)
{
    if (p->op == BLAS_SCAL) memcpy(p->out, p->a, p->out_count * sizeof *p->out);
    if (p->op == BLAS_GEMV) memcpy(p->out, p->c, p->out_count * sizeof *p->out);
    blas(p, p->out);
    if (p->op != BLAS_ASUM && p->op != BLAS_DOT) return;
    double sum = 0;                        /* a sum of millions wants more than the library's f32 */
    for (size_t i = 0; i < p->n; i++) sum += p->op == BLAS_ASUM ? fabs((double)p->a[i]) : (double)p->a[i] * p->b[i];
    *p->out = (float)sum;
}

double problem_error(const BlasProblem *p, const float *got)
{
    double worst = 0, scale = sqrt((double)(p->op == BLAS_DOT ? p->n : p->op == BLAS_GEMM ? p->k : p->op == BLAS_GEMV ? p->m : 1));
    for (size_t i = 0; i < p->out_count; i++) {
        double e = fabs((double)got[i] - p->out[i]) / fmax(fabs((double)p->out[i]), scale);
        if (!(e <= worst)) worst = e;
    }
    return worst;
}

/* ---- OpenBLAS ---- */

typedef struct OpenBlas { BlasProblem *p; float *out; } OpenBlas;

static void openblas_run(void *data)
{
    OpenBlas *o = data;
    blas(o->p, o->out);
}

bool rival_openblas(BlasProblem *p, Racer *r)
{
    OpenBlas *o = malloc(sizeof *o);
    *o = (OpenBlas){p, random_floats(p->out_count, 5)};
    *r = (Racer){openblas_run, NULL, o};
    return true;
}

char *openblas_get_corename(void);
int openblas_get_num_threads(void);

const char *rival_openblas_name(void)
{
    static char name[64];
    snprintf(name, sizeof name, "openblas %s %d threads", openblas_get_corename(), openblas_get_num_threads());
    return name;
}

/* ---- CLBlast: C interface, row major = 101, no transposition = 111 ---- */

typedef void ClBlastFunction(void);         /* cast to what it is at each call */
typedef struct ClBlast {
    BlasProblem *p;
    ClHost *h;
    ClBlastFunction *f;
    cl_mem a, b, out;
} ClBlast;

static cl_mem device_copy(ClHost *h, const float *data, size_t count)
{
    cl_mem_flags copy = data ? CL_MEM_COPY_HOST_PTR : 0;
    return clCreateBuffer(h->context, CL_MEM_READ_WRITE | copy, (count ? count : 1) * sizeof *data, (void *)data, NULL);
}

static void clblast_run(void *data)
{
    ClBlast *c = data;
    BlasProblem *p = c->p;
    size_t zero = 0, one = 1;
    typedef int Scal(size_t, float, cl_mem, size_t, size_t, cl_command_queue *, cl_event *);
    typedef int Asum(size_t, cl_mem, size_t, cl_mem, size_t, size_t, cl_command_queue *, cl_event *);
    typedef int Dot(size_t, cl_mem, size_t, cl_mem, size_t, size_t, cl_mem, size_t, size_t, cl_command_queue *, cl_event *);
    typedef int Gemv(int, int, size_t, size_t, float, cl_mem, size_t, size_t, cl_mem, size_t, size_t, float, cl_mem, size_t, size_t,
                     cl_command_queue *, cl_event *);
    typedef int Gemm(int, int, int, size_t, size_t, size_t, float, cl_mem, size_t, size_t, cl_mem, size_t, size_t, float, cl_mem, size_t,
                     size_t, cl_command_queue *, cl_event *);
    cl_command_queue *q = &c->h->queue;
    switch (p->op) {
    case BLAS_SCAL: ((Scal *)c->f)(p->n, p->alpha, c->out, zero, one, q, NULL); break;
    case BLAS_ASUM: ((Asum *)c->f)(p->n, c->out, zero, c->a, zero, one, q, NULL); break;
    case BLAS_DOT: ((Dot *)c->f)(p->n, c->out, zero, c->a, zero, one, c->b, zero, one, q, NULL); break;
    case BLAS_GEMV:
        ((Gemv *)c->f)(101, 111, p->n, p->m, p->alpha, c->a, zero, p->m, c->b, zero, one, p->beta, c->out, zero, one, q, NULL);
        break;
    case BLAS_GEMM:
        ((Gemm *)c->f)(101, 111, 111, p->n, p->m, p->k, 1, c->a, zero, p->k, c->b, zero, p->m, 0, c->out, zero, p->m, q, NULL);
        break;
    }
}

static void clblast_finish(void *data) { clFinish(((ClBlast *)data)->h->queue); }

bool rival_clblast(BlasProblem *p, ClHost *h, Racer *r)
{
    static const char *const libraries[] = {"libclblast.so.1", "libclblast.so", NULL};
    static const char *const functions[] = {[BLAS_SCAL] = "CLBlastSscal", [BLAS_ASUM] = "CLBlastSasum", [BLAS_DOT] = "CLBlastSdot",
                                            [BLAS_GEMV] = "CLBlastSgemv", [BLAS_GEMM] = "CLBlastSgemm"};
    void *library = library_open(libraries, "CLBlast");
    ClBlastFunction *f = (ClBlastFunction *)library_function(library, functions[p->op]);
    if (!f) return false;
    ClBlast *c = malloc(sizeof *c);
    *c = (ClBlast){p, h, f, device_copy(h, p->a, p->a_count), device_copy(h, p->b, p->b_count), device_copy(h, NULL, p->out_count)};
    *r = (Racer){clblast_run, clblast_finish, c};
    return true;
}

/* ---- cuBLAS: column major, so C^T = B^T A^T; pointers of the CUDA runtime ---- */

typedef struct CuBlas {
    BlasProblem *p;
    void *handle, *a, *b, *out;
    int (*sync)(void);
    int (*scal)(void *, int, const float *, float *, int);
    int (*asum)(void *, int, const float *, int, float *);
    int (*dot)(void *, int, const float *, int, const float *, int, float *);
    int (*gemv)(void *, int, int, int, const float *, const float *, int, const float *, int, const float *, float *, int);
    int (*gemm)(void *, int, int, int, int, int, const float *, const float *, int, const float *, int, const float *, float *, int);
} CuBlas;

static void cublas_run(void *data)
{
    CuBlas *c = data;
    BlasProblem *p = c->p;
    int n = (int)p->n, m = (int)p->m, k = (int)p->k;
    const float one = 1, zero = 0;
    switch (p->op) {
    case BLAS_SCAL: c->scal(c->handle, n, &p->alpha, c->out, 1); break;
    case BLAS_ASUM: c->asum(c->handle, n, c->a, 1, c->out); break;
    case BLAS_DOT: c->dot(c->handle, n, c->a, 1, c->b, 1, c->out); break;
    case BLAS_GEMV: c->gemv(c->handle, 1, m, n, &p->alpha, c->a, m, c->b, 1, &p->beta, c->out, 1); break;
    case BLAS_GEMM: c->gemm(c->handle, 0, 0, m, n, k, &one, c->b, m, c->a, k, &zero, c->out, m); break;
    }
}

static void cublas_finish(void *data) { ((CuBlas *)data)->sync(); }

bool rival_cublas(BlasProblem *p, Racer *r)
{
    static const char *const runtimes[] = {"libcudart.so.13", "libcudart.so.12", "libcudart.so", NULL};
    static const char *const libraries[] = {"libcublas.so.13", "libcublas.so.12", "libcublas.so", NULL};
    void *runtime = library_open(runtimes, "the CUDA runtime"), *library = runtime ? library_open(libraries, "cuBLAS") : NULL;
    if (!library) return false;
    int (*make)(void **, size_t) = (int (*)(void **, size_t))library_function(runtime, "cudaMalloc");
    int (*copy)(void *, const void *, size_t, int) = (int (*)(void *, const void *, size_t, int))library_function(runtime, "cudaMemcpy");
    int (*create)(void **) = (int (*)(void **))library_function(library, "cublasCreate_v2");
    int (*mode)(void *, int) = (int (*)(void *, int))library_function(library, "cublasSetPointerMode_v2");
    CuBlas *c = calloc(1, sizeof *c);
    c->p = p;
    *(void **)&c->sync = library_function(runtime, "cudaDeviceSynchronize");
    *(void **)&c->scal = library_function(library, "cublasSscal_v2");
    *(void **)&c->asum = library_function(library, "cublasSasum_v2");
    *(void **)&c->dot = library_function(library, "cublasSdot_v2");
    *(void **)&c->gemv = library_function(library, "cublasSgemv_v2");
    *(void **)&c->gemm = library_function(library, "cublasSgemm_v2");
    if (!make || !copy || !create || create(&c->handle) != 0) {
        fprintf(stderr, "bench: cuBLAS does not start; its lines are left out\n");
        free(c);
        return false;
    }
    make(&c->a, p->a_count * 4);
    make(&c->b, (p->b_count + 1) * 4);
    make(&c->out, p->out_count * 4);
    copy(c->a, p->a, p->a_count * 4, 1);
    if (p->b_count) copy(c->b, p->b, p->b_count * 4, 1);
    if (p->op == BLAS_ASUM || p->op == BLAS_DOT) mode(c->handle, 1);       /* results stay on the device: nothing waits */
    *r = (Racer){cublas_run, cublas_finish, c};
    return true;
}

void rival_close(Racer *r)
{
    if (r->run == clblast_run) {
        ClBlast *c = r->data;
        clReleaseMemObject(c->a);
        clReleaseMemObject(c->b);
        clReleaseMemObject(c->out);
    }
    free(r->data);
}
