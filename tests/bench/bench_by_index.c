/* Reductions by index as lower makes them beside plain loops in C with OpenMP, each thread with elements of its own. On a GPU beside a
 * copy of as many bytes as are read. */
#include "cl_case.h"
#include "duel.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BINS = 256, CLUSTERS = 64, FEATURES = 16, NUMBERS = 10, INTERVALS = 100 };

typedef struct Problem {
    size_t n, count;               /* pairs; of the floats */
    int *is;
    float *xs, *old;               /* old: what is left where nothing was added */
    void *out;
    size_t out_bytes;
} Problem;

/* ---- the loops ---- */

static void histogram(void *data)
{
    Problem *p = data;
    int *out = p->out;
    memset(out, 0, sizeof *out * BINS);
#pragma omp parallel
    {
        int own[BINS] = {0};
#pragma omp for nowait
        for (size_t i = 0; i < p->n; i++) own[p->is[i] & 255]++;
#pragma omp critical
        for (int k = 0; k < BINS; k++) out[k] += own[k];
    }
}

static void bins(void *data)
{
    Problem *p = data;
    int *out = p->out;
    memset(out, 0, sizeof *out * INTERVALS);
#pragma omp parallel
    {
        int own[INTERVALS] = {0};
#pragma omp for nowait
        for (size_t i = 0; i < p->n; i++) {
            int k = (int)floorf(p->xs[i] * 100);
            if (k >= 0 && k < INTERVALS) own[k]++;
        }
#pragma omp critical
        for (int k = 0; k < INTERVALS; k++) out[k] += own[k];
    }
}

static void weighted(void *data)
{
    Problem *p = data;
    float *out = p->out;
    memset(out, 0, sizeof *out * NUMBERS);
#pragma omp parallel
    {
        float own[NUMBERS] = {0};
#pragma omp for nowait
        for (size_t i = 0; i < p->n; i++)
            if (p->is[i] >= 0 && p->is[i] < NUMBERS) own[p->is[i]] += p->xs[i];
#pragma omp critical
        for (int k = 0; k < NUMBERS; k++) out[k] += own[k];
    }
}

static void centroids(void *data)
{
    Problem *p = data;
    float *out = p->out, sum[CLUSTERS][FEATURES] = {{0}};
    int count[CLUSTERS] = {0};
#pragma omp parallel
    {
        float own[CLUSTERS][FEATURES] = {{0}};
        int points[CLUSTERS] = {0};
#pragma omp for nowait
        for (size_t i = 0; i < p->n; i++) {
            int k = p->is[i];
            if (k < 0 || k >= CLUSTERS) continue;
            for (int j = 0; j < FEATURES; j++) own[k][j] += p->xs[i * FEATURES + j];
            points[k]++;
        }
#pragma omp critical
        for (int k = 0; k < CLUSTERS; k++) {
            for (int j = 0; j < FEATURES; j++) sum[k][j] += own[k][j];
            count[k] += points[k];
        }
    }
    for (int k = 0; k < CLUSTERS; k++)
        for (int j = 0; j < FEATURES; j++)
            out[k * FEATURES + j] = count[k] ? sum[k][j] / (float)count[k] : p->old[k * FEATURES + j];
}

/* ---- the cases ---- */

typedef struct Case {
    const char *what, *program, *sizes;    /* with the number of pairs as %zu */
    size_t n;
    int below, alike;                      /* indices; of ten so many are the same one */
    int floats;                            /* for each pair */
    int outputs;
    bool whole;                            /* the result is integers */
    void (*loop)(void *data);
    const char *names[3];                  /* of inputs: indices, floats, old */
} Case;

static const Case cases[] = {
    {"histogram", "histogram", "-e 'data N = %zu'", 1 << 26, BINS, 0, 0, BINS, true, histogram, {"xs"}},
    {"histogram, 9 of 10 alike", "histogram", "-e 'data N = %zu'", 1 << 26, BINS, 9, 0, BINS, true, histogram, {"xs"}},
    {"bins", "bins", "-e 'data N = %zu'", 1 << 24, 0, 0, 1, INTERVALS, true, bins, {NULL, "xs"}},
    {"weighted", "weighted", "-e 'data N = %zu'", 1 << 24, NUMBERS, 0, 1, NUMBERS, false, weighted, {"is", "ws"}},
    {"centroids", "centroids", "-e 'data P = %zu' -e 'data F = 16' -e 'data C = 64'", 1 << 20, CLUSTERS, 0, FEATURES,
     CLUSTERS * FEATURES, false, centroids, {"of", "points", "old"}},
};

static uint64_t next(uint64_t *seed) { return (*seed = *seed * 6364136223846793005u + 1442695040888963407u) >> 33; }

static bool problem_open(Problem *p, const Case *c)
{
    uint64_t seed = 1;
    *p = (Problem){.n = c->n, .count = c->n * (size_t)c->floats, .out_bytes = 4 * (size_t)c->outputs};
    p->is = malloc(4 * p->n);
    p->xs = malloc(4 * p->count + 4);
    p->old = calloc((size_t)c->outputs, 4);
    p->out = calloc((size_t)c->outputs, 4);
    if (!p->is || !p->xs || !p->old || !p->out) return false;
    for (size_t i = 0; i < p->n; i++) p->is[i] = c->below && (int)(next(&seed) % 10) >= c->alike ? (int)(next(&seed) % (uint64_t)c->below) : 7;
    for (size_t i = 0; i < p->count; i++) p->xs[i] = (float)next(&seed) / (float)(1u << 31);
    return true;
}

static void problem_close(Problem *p)
{
    free(p->is);
    free(p->xs);
    free(p->old);
    free(p->out);
}

/* A sum of floats in another order, of up to so many. */
static bool right(const Case *c, const Problem *p, ClCase *ours)
{
    size_t bytes;
    cl_mem out = cl_case_output(ours, &bytes);
    int *got = malloc(p->out_bytes);
    bool ok = out && bytes == p->out_bytes && cl_case_run(ours, true) &&
              clEnqueueReadBuffer(ours->host->queue, out, CL_TRUE, 0, bytes, got, 0, NULL, NULL) == CL_SUCCESS;
    for (int i = 0; i < c->outputs && ok; i++) {
        double a = c->whole ? got[i] : ((float *)(void *)got)[i], b = c->whole ? ((int *)p->out)[i] : ((float *)p->out)[i];
        ok = c->whole ? a == b : fabs(a - b) <= 2e-3 * fmax(fabs(b), 1);
    }
    free(got);
    if (!ok) fprintf(stderr, "bench: %s: the result is wrong\n", c->what);
    return ok;
}

typedef struct Copy { ClHost *h; cl_mem from, to; size_t bytes; } Copy;
static void copy_run(void *data)
{
    Copy *c = data;
    clEnqueueCopyBuffer(c->h->queue, c->from, c->to, 0, 0, c->bytes, 0, NULL, NULL);
}
static void copy_finish(void *data) { clFinish(((Copy *)data)->h->queue); }
static void our_run(void *data) { cl_case_run(data, false); }
static void our_finish(void *data) { clFinish(((ClCase *)data)->host->queue); }

static void race(const Case *c, Problem *p, ClCase *ours)
{
    ClHost *h = ours->host;
    size_t bytes = (c->below ? 4 * p->n : 0) + 4 * p->count;
    Copy copy = {h, NULL, NULL, bytes / 2};
    Racer us = {our_run, our_finish, ours}, them = {c->loop, NULL, p};
    char device[64], what[96];
    double a, b;
    if (h->is_gpu) {
        copy.from = clCreateBuffer(h->context, CL_MEM_READ_WRITE, copy.bytes, NULL, NULL);
        copy.to = clCreateBuffer(h->context, CL_MEM_READ_WRITE, copy.bytes, NULL, NULL);
        them = (Racer){copy_run, copy_finish, &copy};
    }
    duel(&us, &them, &a, &b);
    snprintf(device, sizeof device, "%.40s", h->name);
    snprintf(what, sizeof what, "%s n=%zu", c->what, c->n);
    bench_print(&(BenchLine){"by_index", device, what, h->is_gpu ? "copy" : "openmp", (double)bytes / a * 1e-9, (double)bytes / b * 1e-9, "GB/s", true});
    if (copy.from) clReleaseMemObject(copy.from);
    if (copy.to) clReleaseMemObject(copy.to);
}

static cl_mem upload(ClHost *h, const void *data, size_t bytes)
{
    return clCreateBuffer(h->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, (void *)data, NULL);
}

static bool run_case(const Case *c, ClHost *h)
{
    Problem p;
    ClCase ours;
    ClInput in[4] = {{NULL, NULL}};
    char words[512], sizes[256];
    int k = 0;
    bool ok = problem_open(&p, c);
    if (ok && c->names[0]) in[k++] = (ClInput){c->names[0], upload(h, p.is, 4 * p.n)};
    if (ok && c->names[1]) in[k++] = (ClInput){c->names[1], upload(h, p.xs, 4 * p.count)};
    if (ok && c->names[2]) in[k++] = (ClInput){c->names[2], upload(h, p.old, p.out_bytes)};
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(sizes, sizeof sizes, c->sizes, c->n);
#pragma GCC diagnostic pop
    snprintf(words, sizeof words, "%s -e 'load tests/programs/%s.fun' %s -e lower -e code", h->is_gpu ? "-e 'device gpu'" : "", c->program, sizes);
    ok = ok && cl_case_open(&ours, h, words, in, &(ClScalar){NULL, 0});
    if (ok) c->loop(&p);
    ok = ok && right(c, &p, &ours);
    if (ok) race(c, &p, &ours);
    if (ok) cl_case_close(&ours);
    for (int i = 0; i < k; i++)
        if (in[i].mem) clReleaseMemObject(in[i].mem);
    problem_close(&p);
    return ok;
}

int main(void)
{
    const char *only = getenv("LATHE_BENCH_DEVICE");
    int failed = 0, ran = 0;
    for (int gpu = 0; gpu < 2; gpu++) {
        ClHost h;
        if (!cl_host_open(&h, only ? only : gpu ? "nvidia" : "portable") || h.is_gpu != (gpu == 1)) continue;
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++, ran++) failed |= !run_case(&cases[i], &h);
        cl_host_close(&h);
    }
    if (!ran) fprintf(stderr, "bench: there is no device for these cases\n");
    return failed;
}
