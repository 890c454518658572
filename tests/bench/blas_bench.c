/* blas_bench: derived kernels beside the libraries, case by case. */
#include "blas_bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -e 'line' for every line of the script, then the sizes and code. */
static char *command_words(const BlasCase *c)
{
    char *words = calloc(1, strlen(c->script) * 2 + 512), *w = words;
    char *script = strdup(c->script), *rest = script;
    bool first = true;
    for (char *line; (line = strsep(&rest, ";"));) {
        while (*line == ' ') line++;
        w += sprintf(w, "-e '%s' ", line);
        if (!first) continue;                  /* sizes follow the load: what is derived may depend on them */
        first = false;
        w += sprintf(w, "-e 'data N = %zu' ", c->n);
        if (c->m) w += sprintf(w, "-e 'data M = %zu' ", c->m);
        if (c->k) w += sprintf(w, "-e 'data K = %zu' ", c->k);
    }
    sprintf(w, "%s-e code", c->gpu ? "-e 'device gpu' " : "");
    free(script);
    return words;
}

static cl_mem upload(ClHost *h, const float *data, size_t count)
{
    return count ? clCreateBuffer(h->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, count * 4, (void *)data, NULL) : NULL;
}

/* The names of the programs in tests/programs. */
static void name_inputs(const BlasProblem *p, ClHost *h, ClInput in[4])
{
    static const char *const names[][3] = {[BLAS_SCAL] = {"xs"}, [BLAS_ASUM] = {"xs"}, [BLAS_DOT] = {"xs", "ys"},
                                           [BLAS_GEMV] = {"A", "x", "y"}, [BLAS_GEMM] = {"A", "B"}};
    const float *data[3] = {p->a, p->b, p->c};
    size_t counts[3] = {p->a_count, p->b_count, p->c_count};
    int k = 0;
    for (int i = 0; i < 3; i++)
        if (names[p->op][i]) in[k++] = (ClInput){names[p->op][i], upload(h, data[i], counts[i])};
    in[k] = (ClInput){NULL, NULL};
}

static void our_run(void *data) { cl_case_run(data, false); }
static void our_finish(void *data) { clFinish(((ClCase *)data)->host->queue); }

static bool right(const BlasProblem *p, ClCase *c)
{
    size_t bytes;
    cl_mem out = cl_case_output(c, &bytes);
    float *got = malloc(p->out_count * 4);
    bool ok = out && bytes == p->out_count * 4 && cl_case_run(c, true) &&
              clEnqueueReadBuffer(c->host->queue, out, CL_TRUE, 0, bytes, got, 0, NULL, NULL) == CL_SUCCESS;
    double error = ok ? problem_error(p, got) : 1;
    free(got);
    if (error < 2e-5) return true;
    fprintf(stderr, "bench: the result is wrong by %.1e\n", error);
    return false;
}

static void report(const BlasCase *c, const ClHost *h, const BlasProblem *p, const char *rival, double ours, double theirs)
{
    char what[96], device[64];
    if (c->op == BLAS_GEMM || c->op == BLAS_GEMV) snprintf(what, sizeof what, "%s n=%zu m=%zu", c->bench, c->n, c->m ? c->m : c->n);
    else snprintf(what, sizeof what, "%s n=%zu", c->op == BLAS_SCAL ? "scal" : c->op == BLAS_ASUM ? "asum" : "dot", c->n);
    snprintf(device, sizeof device, "%.40s", h->name);
    double work = c->op == BLAS_GEMM ? problem_flops(p) : problem_bytes(p);
    bench_print(&(BenchLine){c->bench, device, what, rival, work / ours * 1e-9, rival ? work / theirs * 1e-9 : 0,
                             c->op == BLAS_GEMM ? "GF/s" : "GB/s", true});
}

static void race(const BlasCase *c, const ClHost *h, const BlasProblem *p, ClCase *ours, Racer *theirs, const char *rival)
{
    Racer us = {our_run, our_finish, ours};
    double a, b;
    duel(&us, theirs, &a, &b);
    report(c, h, p, rival, a, b);
    if (theirs) rival_close(theirs);
}

/* A device to device copy of the same number of bytes: the ceiling of what only moves data. */
typedef struct Copy { ClHost *h; cl_mem from, to; size_t bytes; } Copy;
static void copy_run(void *data)
{
    Copy *c = data;
    clEnqueueCopyBuffer(c->h->queue, c->from, c->to, 0, 0, c->bytes, 0, NULL, NULL);
}
static void copy_finish(void *data) { clFinish(((Copy *)data)->h->queue); }

static void race_copy(const BlasCase *c, ClHost *h, const BlasProblem *p, ClCase *ours)
{
    size_t half = (size_t)problem_bytes(p) / 2;
    Copy *copy = malloc(sizeof *copy);
    *copy = (Copy){h, clCreateBuffer(h->context, CL_MEM_READ_WRITE, half, NULL, NULL),
                   clCreateBuffer(h->context, CL_MEM_READ_WRITE, half, NULL, NULL), half};
    cl_mem from = copy->from, to = copy->to;
    race(c, h, p, ours, &(Racer){copy_run, copy_finish, copy}, "copy");
    clReleaseMemObject(from);
    clReleaseMemObject(to);
}

static bool run_case(const BlasCase *c, ClHost *h)
{
    BlasProblem p;
    ClCase ours;
    ClInput in[4];
    Racer r;
    if (!problem_open(&p, c->op, c->n, c->m, c->k)) return false;
    name_inputs(&p, h, in);
    char *words = command_words(c);
    const ClScalar scalars[] = {{"alpha", p.alpha}, {"beta", p.beta}, {NULL, 0}};
    bool ok = cl_case_open(&ours, h, words, in, scalars);
    if (ok) {
        problem_reference(&p);
        ok = right(&p, &ours);
        if (ok && !c->gpu && rival_openblas(&p, &r)) race(c, h, &p, &ours, &r, rival_openblas_name());
        if (ok && rival_clblast(&p, h, &r)) race(c, h, &p, &ours, &r, "clblast");
        if (ok && c->gpu && rival_cublas(&p, &r)) race(c, h, &p, &ours, &r, "cublas");
        if (ok && c->gpu && c->op != BLAS_GEMM) race_copy(c, h, &p, &ours);
    }
    cl_case_close(&ours);
    for (int i = 0; in[i].name; i++)
        if (in[i].mem) clReleaseMemObject(in[i].mem);
    free(words);
    problem_close(&p);
    return ok;
}

int blas_bench(const BlasCase *cases, int count)
{
    const char *only = getenv("LATHE_BENCH_DEVICE");
    int failed = 0, ran = 0;
    for (int gpu = 0; gpu < 2; gpu++) {
        ClHost h;
        if (!cl_host_open(&h, only ? only : gpu ? "nvidia" : "portable") || h.is_gpu != (gpu == 1)) continue;
        for (int i = 0; i < count; i++) {
            if (cases[i].gpu != h.is_gpu) continue;
            ran++;
            failed |= !run_case(&cases[i], &h);
        }
        cl_host_close(&h);
    }
    if (!ran) fprintf(stderr, "bench: there is no device for these cases\n");
    return failed;
}
