/* measure: what of a device OpenCL tells, and what only kernels do that are timed on it. */
#include "device.h"

#include <math.h>
#include <string.h>

/* All take the same: two large buffers, which hold zeros, a small one, and how often. */
#define TAKES "(global float *a, global float *b, global float *out, int n)\n"
static const char of_all[] =
    "kernel void start" TAKES "{ if (n) out[get_global_id(0)] = n; }\n"
    "kernel void copied" TAKES "{ size_t i = get_global_id(0); vstore4(vload4(i, a), i, b); }\n"
    /* the first n vectors of 4, a power of two, by all work-items again and again */
    "kernel void again" TAKES
    "{\n"
    "    size_t i = get_global_id(0);\n"
    "    float4 x = vload4(i & (n - 1), a);\n"
    "    for (int r = 1; r < 64; r++) i += get_global_size(0), x += vload4(i & (n - 1), a);\n"
    "    if (x.x + x.y + x.z + x.w != 0.0f) out[get_global_id(0) & 255] = 1.0f;\n"
    "}\n"
    "kernel void chained" TAKES
    "{\n"
    "    float x = a[0], k = a[1] + 0.5f;\n"
    "    for (int i = 0; i < n; i += 16) {\n"
    "        x = fma(x, k, k); x = fma(x, k, k); x = fma(x, k, k); x = fma(x, k, k);\n"
    "        x = fma(x, k, k); x = fma(x, k, k); x = fma(x, k, k); x = fma(x, k, k);\n"
    "        x = fma(x, k, k); x = fma(x, k, k); x = fma(x, k, k); x = fma(x, k, k);\n"
    "        x = fma(x, k, k); x = fma(x, k, k); x = fma(x, k, k); x = fma(x, k, k);\n"
    "    }\n"
    "    out[get_global_id(0)] = x;\n"
    "}\n"
    "kernel void met" TAKES
    "{\n"
    "    local float t[256];\n"
    "    float x = a[0];\n"
    "    for (int i = 0; i < n; i++) {\n"
    "        t[get_local_id(0)] = x;\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "        x += t[(get_local_id(0) + 1) & 31];\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    }\n"
    "    out[get_global_id(0)] = x;\n"
    "}\n", of_processors[] =
    /* a work-item for a part of n vectors */
    "kernel void summed" TAKES
    "{\n"
    "    size_t from = get_global_id(0) * n;\n"
    "    float16 x = 0.0f, y = 0.0f, z = 0.0f, w = 0.0f;\n"
    "    for (int i = 0; i < n; i += 4) {\n"
    "        x += vload16(from + i, a); y += vload16(from + i + 1, a); z += vload16(from + i + 2, a); w += vload16(from + i + 3, a);\n"
    "    }\n"
    "    x += y + z + w;\n"
    "    out[get_global_id(0)] = x.s0 + x.s1 + x.s2 + x.s3 + x.s4 + x.s5 + x.s6 + x.s7 + x.s8 + x.s9 + x.sa + x.sb + x.sc + x.sd + x.se + x.sf;\n"
    "}\n"
    /* eight vectors side by side, 128 updates a round */
    "kernel void vectors" TAKES
    "{\n"
    "    float16 k = a[0] + 0.5f, x0 = k, x1 = k + 1, x2 = k + 2, x3 = k + 3, x4 = k + 4, x5 = k + 5, x6 = k + 6, x7 = k + 7;\n"
    "    for (int i = 0; i < n; i++) {\n"
    "        x0 = fma(x0, k, k); x1 = fma(x1, k, k); x2 = fma(x2, k, k); x3 = fma(x3, k, k);\n"
    "        x4 = fma(x4, k, k); x5 = fma(x5, k, k); x6 = fma(x6, k, k); x7 = fma(x7, k, k);\n"
    "    }\n"
    "    x0 += x1 + x2 + x3 + x4 + x5 + x6 + x7;\n"
    "    out[get_global_id(0)] = x0.s0 + x0.s1 + x0.s2 + x0.s3 + x0.s4 + x0.s5 + x0.s6 + x0.s7 + x0.s8 + x0.s9 + x0.sa + x0.sb + x0.sc + x0.sd + x0.se + x0.sf;\n"
    "}\n";

/* The words above that CUDA C has not. */
static const char as_cuda[] =
    "#define kernel extern \"C\" __global__\n#define global\n#define local __shared__\n"
    "#define get_global_id(d) ((size_t)blockIdx.x * blockDim.x + threadIdx.x)\n#define get_global_size(d) ((size_t)gridDim.x * blockDim.x)\n"
    "#define get_local_id(d) threadIdx.x\n#define barrier(fence) __syncthreads()\n"
    "#define vload4(i, p) (((const float4 *)(p))[i])\n#define vstore4(v, i, p) (((float4 *)(p))[i] = (v))\n"
    "static __device__ void operator+=(float4 &a, float4 b) { a.x += b.x; a.y += b.y; a.z += b.z; a.w += b.w; }\n";

enum { START, COPIED, AGAIN, CHAINED, MET, SHARED, SUMMED = SHARED, VECTORS, KERNELS };            /* the last two are not for GPUs */
static const char *const names[KERNELS] = {"start", "copied", "again", "chained", "met", "summed", "vectors"};

enum { ROUNDS = 64, CHAIN = 1 << 14, MEETINGS = 1 << 10, UPDATES = 1 << 14, A_ROUND = 128, PARTS = 8, TRIALS = 9, OUT_BYTES = 1 << 20, WORD = 4 };

typedef struct Launched { int kernel; size_t groups; int n; } Launched;

/* The least ns of each launch. */
static bool least_times(Device *d, const Launched *wanted, int count, size_t group, size_t bytes, double *ns, Diag *diag)
{
    BuildReport built;
    RunReport report;
    int program;
    LOCAL(buf_free) Buf source = {0};
    bool gpu = device_info(d)->is_gpu;
    buf_printf(&source, "%s%s%s", device_by_cuda(device_info(d)) ? as_cuda : "", of_all, gpu ? "" : of_processors);
    if (!device_build(d, buf_text(&source), (const char **)names, gpu ? SHARED : KERNELS, &program, &built, diag)) return false;
    size_t second = gpu ? bytes : OUT_BYTES;      /* what is copied there on a GPU alone */
    RunBuffer buffers[3] = {{.role = BUF_TEMP, .bytes = bytes}, {.role = BUF_TEMP, .bytes = second}, {.role = BUF_OUTPUT, .bytes = OUT_BYTES}};
    Launch launches[KERNELS];
    LaunchArg args[KERNELS][4];
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) args[i][k] = (LaunchArg){.kind = ARG_BUFFER, .buffer = k, .written = true};
        args[i][3] = (LaunchArg){.kind = ARG_VALUE, .bytes = WORD};
        memcpy(args[i][3].value, &wanted[i].n, WORD);
        launches[i] = (Launch){.kernel = wanted[i].kernel, .arg_count = 4, .args = args[i], .global = {wanted[i].groups * group, 1, 1}, .local = {group, 1, 1}};
    }
    RunRequest r = {.program = program, .launch_count = count, .launches = launches, .buffer_count = 3, .buffers = buffers, .warmup = 2,
                    .trials = TRIALS, .by_kernel = true};
    bool ok = device_run(d, &r, &report, diag);
    for (int i = 0; ok && i < count; i++) {
        ns[i] = HUGE_VAL;
        for (int t = 0; t < report.trial_count; t++) ns[i] = fmin(ns[i], report.kernels_ns[t * count + i]);
    }
    device_forget(d, program);
    return ok;
}

static void take_told(const DeviceInfo *info, Target *t)
{
    t->v[TARGET_UNITS] = (double)info->compute_units;
    if (info->clock > 0) t->v[TARGET_CLOCK] = (double)info->clock / 1000;
    t->v[TARGET_MAX_GROUP] = (double)info->max_group;
    for (int i = 0; i < 3; i++) t->v[TARGET_MAX_LOCAL0 + i] = (double)info->max_local[i];
    t->v[TARGET_GROUP_LOCAL] = (double)info->local_bytes;
    if (info->global_bytes > 0) t->v[TARGET_MEMORY] = (double)info->global_bytes;
    if (info->max_alloc > 0) t->v[TARGET_MAX_BUFFER] = (double)info->max_alloc;
    if (info->is_gpu && info->warp > 0) t->v[TARGET_WARP] = (double)info->warp;
    if (!info->is_gpu && info->vector_f32 > 1) t->v[TARGET_LANES] = (double)info->vector_f32;
}

static bool measure_gpu(Device *d, Target *t, size_t bytes, Diag *diag)
{
    double ns[5];
    size_t group = t->v[TARGET_MAX_GROUP] < 256 ? (size_t)t->v[TARGET_MAX_GROUP] : 256, busy = (size_t)t->v[TARGET_UNITS] * 16;
    int near = 1 << 10;                  /* vectors of 16 bytes that the last cache holds, and a quarter of it */
    while (near * 2 * 16 * 4 <= t->v[TARGET_NEAR_BYTES]) near *= 2;
    const Launched wanted[] = {{START, 1, 0}, {COPIED, bytes / 16 / group, 0}, {AGAIN, busy, near}, {CHAINED, 1, CHAIN}, {MET, 1, MEETINGS}};
    if (!least_times(d, wanted, COUNT(wanted), group, bytes, ns, diag)) return false;
    t->v[TARGET_LAUNCH] = ns[0];
    t->v[TARGET_FAR] = 2 * (double)bytes / fmax(1, ns[1] - ns[0]);
    t->v[TARGET_NEAR] = (double)(busy * group) * 16 * ROUNDS / fmax(1, ns[2] - ns[0]);
    t->v[TARGET_CHAIN] = (ns[3] - ns[0]) / CHAIN * t->v[TARGET_CLOCK];
    t->v[TARGET_BARRIER] = (ns[4] - ns[0]) / (2 * MEETINGS) * t->v[TARGET_CLOCK];
    return true;
}

static bool measure_cpu(Device *d, Target *t, size_t bytes, Diag *diag)
{
    double ns[3], units = t->v[TARGET_UNITS];
    size_t parts = (size_t)units * PARTS;
    int vectors = (int)(bytes / 64 / parts) / 4 * 4;
    const Launched wanted[] = {{START, 1, 0}, {SUMMED, parts, vectors}, {VECTORS, parts, UPDATES}};
    if (!least_times(d, wanted, COUNT(wanted), 1, bytes, ns, diag)) return false;
    t->v[TARGET_LAUNCH] = ns[0];
    t->v[TARGET_FAR] = (double)parts * vectors * 64 / fmax(1, ns[1] - ns[0]);
    t->v[TARGET_LANE] = (ns[2] - ns[0]) * units / ((double)parts * UPDATES * A_ROUND);
    return true;
}

bool device_measure(Device *d, Target *t, Diag *diag)
{
    enum { LARGE = 256 << 20, LEAST = 1 << 20 };
    const DeviceInfo *info = device_info(d);
    take_told(info, t);
    size_t bytes = LARGE;                /* of each buffer: more than the last cache has */
    while (bytes > LEAST && ((int64_t)bytes > info->max_alloc || (int64_t)bytes > info->global_bytes / 8)) bytes /= 2;
    return (info->is_gpu ? measure_gpu : measure_cpu)(d, t, bytes, diag);
}
