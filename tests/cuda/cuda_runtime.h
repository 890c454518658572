/* cuda_runtime: as much of CUDA as exported programs use, on this processor, for who has no GPU: work-items are fibers that
 * change places at barriers, a work-group after the other. tests/cuda.sh turns k<<<...>>>(...) into launch(...). */
#ifndef CUDA_RUNTIME_H
#define CUDA_RUNTIME_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>

#define __global__
#define __device__
#define __host__
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))
#define __shared__ static
#define __restrict__ __restrict

struct dim3 {
    unsigned x, y, z;
    dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
};
struct alignas(16) int4 { int x, y, z, w; };

static dim3 blockIdx, threadIdx;
alignas(64) static unsigned char lathe_local[228 << 10];
static long long shared_allowed = 48 << 10;

/* ---- updates in one step: fibers change places at barriers alone. The types are those of CUDA ---- */

#define UPDATE(name, T, what) static inline T name(T *p, T x) { T old = *p; *p = what; return old; }
#define UPDATES(T) \
    UPDATE(atomicMin, T, x < old ? x : old) UPDATE(atomicMax, T, x > old ? x : old) UPDATE(atomicAnd, T, old & x) \
    UPDATE(atomicOr, T, old | x) UPDATE(atomicXor, T, old ^ x)
#define EXCHANGE(T) static inline T atomicCAS(T *p, T was, T x) { T old = *p; if (old == was) *p = x; return old; }
UPDATES(int) UPDATES(unsigned) UPDATES(long long) UPDATES(unsigned long long)
EXCHANGE(int) EXCHANGE(unsigned) EXCHANGE(unsigned long long)
UPDATE(atomicAdd, unsigned, old + x) UPDATE(atomicAdd, unsigned long long, old + x)
UPDATE(atomicAdd, float, old + x) UPDATE(atomicAdd, double, old + x)
static inline int atomicAdd(int *p, int x) { return (int)atomicAdd((unsigned *)p, (unsigned)x); }

template <class To, class From> static inline To same_bits(From x) { To r; memcpy(&r, &x, sizeof r); return r; }
static inline unsigned __float_as_uint(float x) { return same_bits<unsigned>(x); }
static inline float __uint_as_float(unsigned x) { return same_bits<float>(x); }
static inline long long __double_as_longlong(double x) { return same_bits<long long>(x); }
static inline double __longlong_as_double(long long x) { return same_bits<double>(x); }
static inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
static inline int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }

/* ---- fibers ---- */

enum { STACK = 256 << 10 };
struct Fiber { ucontext_t context; dim3 id; bool done; };
static Fiber fibers[1024];
static ucontext_t scheduler;
static size_t running;
static void (*body)(void *);
static void *body_data;

static void __syncthreads() { swapcontext(&fibers[running].context, &scheduler); }
static void __syncwarp() { __syncthreads(); }        /* where all warps come to it */

static void fiber_main()
{
    body(body_data);
    fibers[running].done = true;
    swapcontext(&fibers[running].context, &scheduler);
}

/* Every work-item up to its next barrier, until all have ended; they come to each barrier together or not at all. */
static void run_group(dim3 block)
{
    static char *stacks = (char *)malloc((size_t)1024 * STACK);
    size_t n = (size_t)block.x * block.y * block.z, waiting = n;
    for (size_t i = 0; i < n; i++) {
        Fiber &f = fibers[i];
        f.done = false;
        f.id = dim3(i % block.x, i / block.x % block.y, i / block.x / block.y);
        getcontext(&f.context);
        f.context.uc_stack.ss_sp = stacks + i * STACK;
        f.context.uc_stack.ss_size = STACK;
        f.context.uc_link = NULL;
        makecontext(&f.context, fiber_main, 0);
    }
    while (waiting) {
        waiting = 0;
        for (running = 0; running < n; running++) {
            threadIdx = fibers[running].id;
            swapcontext(&scheduler, &fibers[running].context);
            waiting += !fibers[running].done;
        }
        if (waiting && waiting < n) {
            fprintf(stderr, "%zu of %zu work-items come to a barrier\n", waiting, n);
            exit(3);
        }
    }
}

template <class Call> static void launch(dim3 grid, dim3 block, long long bytes, Call call)
{
    unsigned threads = block.x * block.y * block.z;
    if (!threads || threads > 1024 || block.z > 64 || grid.y > 65535 || grid.z > 65535 || bytes > shared_allowed) {
        fprintf(stderr, "a launch that CUDA refuses\n");
        exit(3);
    }
    memset(lathe_local, 0xff, sizeof lathe_local);
    body = [](void *data) { (*(Call *)data)(); };
    body_data = &call;
    for (blockIdx.z = 0; blockIdx.z < grid.z; blockIdx.z++)
        for (blockIdx.y = 0; blockIdx.y < grid.y; blockIdx.y++)
            for (blockIdx.x = 0; blockIdx.x < grid.x; blockIdx.x++) run_group(block);
}

/* ---- the host's functions ---- */

typedef int cudaError_t;
enum { cudaSuccess, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice, cudaFuncAttributeMaxDynamicSharedMemorySize, cudaErrorMemoryAllocation,
       cudaDevAttrMaxSharedMemoryPerBlockOptin };
static const char *cudaGetErrorString(cudaError_t) { return "failed"; }
static cudaError_t cudaGetLastError() { return cudaSuccess; }
static cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
static cudaError_t cudaMalloc(void **p, size_t n) { return (*p = aligned_alloc(256, (n + 255) / 256 * 256)) ? cudaSuccess : 1; }
static cudaError_t cudaMemcpy(void *to, const void *from, size_t n, int) { return memcpy(to, from, n), cudaSuccess; }
static cudaError_t cudaMemset(void *p, int v, size_t n) { return memset(p, v, n), cudaSuccess; }
static cudaError_t cudaFree(void *p) { return free(p), cudaSuccess; }
template <class F> static cudaError_t cudaFuncSetAttribute(F, int, long long n) { return shared_allowed = n, n <= 227 << 10 ? cudaSuccess : 1; }
typedef timespec *cudaEvent_t;
typedef struct Stream *cudaStream_t;
static cudaError_t cudaEventCreate(cudaEvent_t *t) { static timespec all[16]; static int n; return *t = &all[n++ % 16], cudaSuccess; }
static cudaError_t cudaEventRecord(cudaEvent_t t, cudaStream_t = nullptr) { return clock_gettime(CLOCK_MONOTONIC, t), cudaSuccess; }
static cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t n, int, cudaStream_t) { return memcpy(to, from, n), cudaSuccess; }
static cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
static cudaError_t cudaGetDevice(int *device) { return *device = 0, cudaSuccess; }
static cudaError_t cudaDeviceGetAttribute(int *value, int, int) { return *value = 227 << 10, cudaSuccess; }
static cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaSuccess; }
static cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t a, cudaEvent_t b)
{
    return *ms = (float)(b->tv_sec - a->tv_sec) * 1e3f + (float)(b->tv_nsec - a->tv_nsec) * 1e-6f, cudaSuccess;
}

/* ---- the device's functions that C has not ---- */

template <class T> static T least(T a, T b) { return b < a ? b : a; }
template <class T> static T most(T a, T b) { return a < b ? b : a; }
static int min(int a, int b) { return least(a, b); }
static unsigned min(unsigned a, unsigned b) { return least(a, b); }
static long long min(long long a, long long b) { return least(a, b); }
static unsigned long long min(unsigned long long a, unsigned long long b) { return least(a, b); }
static int max(int a, int b) { return most(a, b); }
static unsigned max(unsigned a, unsigned b) { return most(a, b); }
static long long max(long long a, long long b) { return most(a, b); }
static unsigned long long max(unsigned long long a, unsigned long long b) { return most(a, b); }
static float rsqrtf(float x) { return 1 / sqrtf(x); }
static double rsqrt(double x) { return 1 / sqrt(x); }
static void __stcs(int4 *p, int4 v) { *p = v; }

#endif
