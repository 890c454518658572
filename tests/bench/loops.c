/* loops: plain loops in C with OpenMP for what bench_loops.sh measures `lower` against. Usage: loops NAME SIZE...; prints the median of
 * 11 runs in ms. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static float *numbers(size_t n)
{
    float *x = malloc(n * sizeof *x);
    for (size_t i = 0; i < n; i++) x[i] = (float)(i * 2654435761u % 1000) / 500 - 1;
    return x;
}

static int least(int a, int b) { return a < b ? a : b; }
static int most(int a, int b) { return a > b ? a : b; }

/* 100 steps of Jacobi's iteration, clamped at the edges, as heat.fun. */
static void heat(float *from, float *to, int n, int m)
{
    for (int step = 0; step < 100; step++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            const float *up = from + (size_t)most(i - 1, 0) * m, *row = from + (size_t)i * m, *down = from + (size_t)least(i + 1, n - 1) * m;
            float *out = to + (size_t)i * m;
            out[0] = 0.2f * (row[0] + up[0] + down[0] + row[0] + row[most(0, least(1, m - 1))]);
            for (int j = 1; j < m - 1; j++) out[j] = 0.2f * (row[j] + up[j] + down[j] + row[j - 1] + row[j + 1]);
            out[m - 1] = 0.2f * (row[m - 1] + up[m - 1] + down[m - 1] + row[most(m - 2, 0)] + row[m - 1]);
        }
        float *swap = from;
        from = to, to = swap;
    }
}

static float phi(float x)
{
    float l = fabsf(x), k = 1 / (1 + 0.2316419f * l);
    float w = 1 - 0.3989422804f * expf(-l * l / 2) *
                  (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
    return x < 0 ? 1 - w : w;
}

static void blackscholes(const float *s, const float *x, const float *t, float *call, float *put, int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float a = 1 + fabsf(s[i]), b = 1 + fabsf(x[i]), c = 1 + fabsf(t[i]), v = 0.3f, r = 0.02f;
        float d1 = (logf(a / b) + (r + v * v / 2) * c) / (v * sqrtf(c)), d2 = d1 - v * sqrtf(c), e = b * expf(-r * c);
        call[i] = a * phi(d1) - e * phi(d2);
        put[i] = call[i] - a + e;
    }
}

static void md(const float *p, const int *near, float *force, int n, int m)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float f[3] = {0, 0, 0};
        for (int k = 0; k < m; k++) {
            const float *q = p + (size_t)3 * near[(size_t)i * m + k];
            float dx = p[3 * i] - q[0], dy = p[3 * i + 1] - q[1], dz = p[3 * i + 2] - q[2], r2 = dx * dx + dy * dy + dz * dz;
            float i2 = r2 < 16 ? 1 / (r2 + 0.1f) : 0, i6 = i2 * i2 * i2, g = i2 * i6 * (1.5f * i6 - 2);
            f[0] += dx * g, f[1] += dy * g, f[2] += dz * g;
        }
        memcpy(force + (size_t)3 * i, f, sizeof f);
    }
}

static int by_size(const void *a, const void *b) { return *(const double *)a < *(const double *)b ? -1 : *(const double *)a > *(const double *)b; }

int main(int argc, char **argv)
{
    enum { RUNS = 11 };
    double ms[RUNS];
    if (argc < 3) return 2;
    int n = atoi(argv[2]), m = argc > 3 ? atoi(argv[3]) : 1;
    size_t cells = (size_t)n * (size_t)m;
    float *a = numbers(3 * cells), *b = numbers(3 * cells), *c = numbers(cells), *d = numbers(cells);
    int *near = malloc(cells * sizeof *near);
    for (size_t i = 0; i < cells; i++) near[i] = (int)(i * 2654435761u % (size_t)n);
    for (int i = 0; i < RUNS; i++) {
        struct timespec from, to;
        clock_gettime(CLOCK_MONOTONIC, &from);
        if (!strcmp(argv[1], "heat")) heat(a, b, n, m);
        else if (!strcmp(argv[1], "blackscholes")) blackscholes(a, b, c, d, b + cells, n);
        else if (!strcmp(argv[1], "md")) md(a, near, b, n, m);
        else return 2;
        clock_gettime(CLOCK_MONOTONIC, &to);
        ms[i] = (double)(to.tv_sec - from.tv_sec) * 1e3 + (double)(to.tv_nsec - from.tv_nsec) * 1e-6;
    }
    qsort(ms, RUNS, sizeof *ms, by_size);
    printf("%.4f\n", ms[RUNS / 2]);
    free(a), free(b), free(c), free(d), free(near);
    return 0;
}
