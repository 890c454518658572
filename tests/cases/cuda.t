> load tests/programs/dot.fun
dot : [N]f32 -> [N]f32 -> f32
> data N = 4096
> apply reduceGpu{chunk=1024, l=64, w=4, again=false}
@1  reduceGpu{chunk=1024, l=64, w=4, again=false}  at /  builtin    from @0
  - reduce (+) 0 (map (*) (zip xs ys))
  + reduceSeq (+) 0 (mapWorkgroup 0 (λ(ys1, ys2) → reduceSeqUnroll (+) 0 (toLocal (mapLocal 0 (re...
  type   f32                          unchanged
  inner  35 steps        log --expand
  focus  /  ->  /                     3 moves here
> code --dialect cuda
/* dot@1  941aa77b7af2982a
 *   @1 reduceGpu{chunk=1024, l=64, w=4, again=false} at /
 * N=4096
 */

/* CUDA C, for nvcc -O3 -fmad=false -prec-div=false -prec-sqrt=false: a kernel says itself where a product and a sum are one
 * fma, and OpenCL C asks for no more of / and sqrt. */

/* N values side by side, aligned for accesses of up to 16 bytes. */
template <class T, int N> struct alignas(N == 3 ? sizeof(T) : sizeof(T) * N < 16 ? sizeof(T) * N : 16) lathe_vec {
    T s[N];
    lathe_vec() = default;
    explicit __device__ lathe_vec(T x) { for (int i = 0; i < N; i++) s[i] = x; }
    template <class... More> __device__ lathe_vec(T a, T b, More... more) : s{a, b, T(more)...} {}
};
#define LATHE_CALL_3(F) \
    template <class T, int N> static __device__ lathe_vec<T, N> F(lathe_vec<T, N> a, lathe_vec<T, N> b, lathe_vec<T, N> c) \
    { for (int i = 0; i < N; i++) a.s[i] = F(a.s[i], b.s[i], c.s[i]); return a; }
LATHE_CALL_3(fmaf)
template <int N, class T> static __device__ lathe_vec<T, N> lathe_load_aligned(const T *p) { return *(const lathe_vec<T, N> *)p; }

extern "C" __global__ __launch_bounds__(64)
void dot_k0(const float *__restrict__ xs, const float *__restrict__ ys,
            float *__restrict__ tmp)
{
    __shared__ __align__(64) float tile[4];
    __shared__ __align__(64) float tile2[64];
    int wg0 = blockIdx.x;
    int l0 = threadIdx.x;
    float acc = 0.0f;
    lathe_vec<float, 4> acc2 = lathe_vec<float, 4>(0.0f);
    for (int i = 0; i < 4; i++) {
        acc2 = fmaf(lathe_load_aligned<4>(xs + 256*(i + 4*wg0) + 4*l0),
                lathe_load_aligned<4>(ys + 256*(i + 4*wg0) + 4*l0), acc2);
    }
    float acc3 = 0.0f;
    acc3 += acc2.s[0];
    acc3 += acc2.s[1];
    acc3 += acc2.s[2];
    acc3 += acc2.s[3];
    tile2[l0] = acc3;
    __syncthreads();
    if (l0 < 4) {
        float acc4 = 0.0f;
        acc4 += tile2[16*l0];
        acc4 += tile2[16*l0 + 1];
        acc4 += tile2[16*l0 + 2];
        acc4 += tile2[16*l0 + 3];
        acc4 += tile2[16*l0 + 4];
        acc4 += tile2[16*l0 + 5];
        acc4 += tile2[16*l0 + 6];
        acc4 += tile2[16*l0 + 7];
        acc4 += tile2[16*l0 + 8];
        acc4 += tile2[16*l0 + 9];
        acc4 += tile2[16*l0 + 10];
        acc4 += tile2[16*l0 + 11];
        acc4 += tile2[16*l0 + 12];
        acc4 += tile2[16*l0 + 13];
        acc4 += tile2[16*l0 + 14];
        acc4 += tile2[16*l0 + 15];
        tile[l0] = acc4;
    }
    __syncthreads();
    acc += tile[0];
    acc += tile[1];
    acc += tile[2];
    acc += tile[3];
    if (l0 == 0) {
        tmp[wg0] = acc;
    }
}

extern "C" __global__ __launch_bounds__(1)
void dot_k1(float *__restrict__ out, const float *__restrict__ tmp)
{
    float acc = 0.0f;
    for (int i = 0; i < 4; i++) {
        acc += tmp[i];
    }
    out[0] = acc;
}
> code --dialect metal
E05 --dialect is one of opencl, cuda, c, not "metal"
> code --dialect cuda --host
E05 --host is of OpenCL C alone
  hint    export cuda FILE.cu writes a program around the kernels in CUDA C
> code --dialect cuda --edit x.cl
E05 --edit is of OpenCL C alone
  hint    export cuda FILE.cu writes a program around the kernels in CUDA C
> export cuda - | head -20
/* dot@1 on CUDA:    nvcc -O3 -fmad=false -prec-div=false -prec-sqrt=false dot.cu -o dot ; ./dot [FILE ...]
 * It fills the inputs as lathe does, runs the kernels, compares what they make with the interpreter's results in
 * dot.expected (-DEXPECTED='"..."'), and times them (-DTRIALS=N). Exit code 1: something is wrong.
 * Sizes are those of the session; with a FILE nothing is compared.
 * FILE 1   xs, 4096 f32, raw; without it random(1,-1,1)
 * FILE 2   ys, 4096 f32, raw; without it random(1,-1,1)
 */
#include <cuda_runtime.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef EXPECTED
#define EXPECTED "dot.expected"
#endif
#ifndef TRIALS
#define TRIALS 20
#endif
#define WARMUP 2
> export cuda - | tail -47
    long long wrong = 0;
    float *h_xs = (float *)room(4096 * sizeof *h_xs);
    uint64_t state = UINT64_C(6390205768586581710);
    for (size_t i = 0; i < 4096; i++) h_xs[i] = (float)(-1 + 2 * ((double)(next(&state) >> 11) * 0x1p-53));
    if (argc > 1) read_file(argv[1], 0, h_xs, 4096 * sizeof *h_xs);
    float *d_xs = (float *)buffer(4096 * sizeof(float), h_xs);

    float *h_ys = (float *)room(4096 * sizeof *h_ys);
    state = UINT64_C(4752703260041763457);
    for (size_t i = 0; i < 4096; i++) h_ys[i] = (float)(-1 + 2 * ((double)(next(&state) >> 11) * 0x1p-53));
    if (argc > 2) read_file(argv[2], 0, h_ys, 4096 * sizeof *h_ys);
    float *d_ys = (float *)buffer(4096 * sizeof(float), h_ys);

    float *d_out = (float *)buffer(1 * sizeof(float), NULL);
    float *d_tmp = (float *)buffer(4 * sizeof(float), NULL);        /* between kernels */
    auto launches = [&] {
        dot_k0<<<dim3(4, 1, 1), dim3(64, 1, 1), 0>>>(d_xs, d_ys, d_tmp);
        check(cudaGetLastError(), "dot_k0");
        dot_k1<<<dim3(1, 1, 1), dim3(1, 1, 1), 0>>>(d_out, d_tmp);
        check(cudaGetLastError(), "dot_k1");
    };
    launches();
    check(cudaDeviceSynchronize(), "the kernels");

    FILE *expected = argc > 1 ? NULL : fopen(EXPECTED, "rb");      /* other inputs have other results */
    if (argc == 1 && !expected) {
        fprintf(stderr, "%s cannot be read\n", EXPECTED);
        return 1;
    }

    float *h_out = (float *)room(1 * sizeof *h_out);
    check(cudaMemcpy(h_out, d_out, 1 * sizeof *h_out, cudaMemcpyDeviceToHost), "cudaMemcpy");
    printf("out:");
    for (size_t i = 0; i < 1; i++) printf(" %.9g", (double)h_out[i]);
    printf("\n");
    if (expected) wrong += compare(expected, "out", h_out, 1, 1);
    free(h_out);
    if (expected) fclose(expected);
    time_launches(launches);
    free(h_xs);
    cudaFree(d_xs);
    free(h_ys);
    cudaFree(d_ys);
    cudaFree(d_out);
    cudaFree(d_tmp);
    return wrong != 0;
}
> lua assert(t.code{source = (t.code().source:gsub("0%.0f", "1.0f"))})
@2?  code --edit        assumed    from @1
  next   run; diff @1 @2 --code
> code --dialect cuda
E18 the kernels of @2 were edited by hand, in OpenCL C: there are none in CUDA C
  try     code @1 --dialect cuda        those that were edited
> export cuda -
E18 the kernels of @2 were edited by hand, in OpenCL C: there are none in CUDA C
  try     code @1 --dialect cuda        those that were edited
> let half (xs: [N]f16) = asScalar (mapGlobal 0 (mapVec (\x -> if x > 0.0 then x * 2.0 else 0.5)) (asVector 4 xs))
half : [N]f16 -> [N]f16
> data N = 64
> code --dialect cuda | tail -56
};
static __device__ lathe_half operator+(lathe_half a, lathe_half b) { return __hadd_rn(a.v, b.v); }
static __device__ lathe_half operator-(lathe_half a, lathe_half b) { return __hsub_rn(a.v, b.v); }
static __device__ lathe_half operator*(lathe_half a, lathe_half b) { return __hmul_rn(a.v, b.v); }
static __device__ lathe_half operator/(lathe_half a, lathe_half b) { return (float)a / (float)b; }
static __device__ lathe_half operator-(lathe_half a) { return __hneg(a.v); }
static __device__ lathe_half &operator+=(lathe_half &a, lathe_half b) { return a = a + b; }
static __device__ lathe_half &operator-=(lathe_half &a, lathe_half b) { return a = a - b; }
static __device__ lathe_half &operator*=(lathe_half &a, lathe_half b) { return a = a * b; }

/* N values side by side, aligned for accesses of up to 16 bytes. */
template <class T, int N> struct alignas(N == 3 ? sizeof(T) : sizeof(T) * N < 16 ? sizeof(T) * N : 16) lathe_vec {
    T s[N];
    lathe_vec() = default;
    explicit __device__ lathe_vec(T x) { for (int i = 0; i < N; i++) s[i] = x; }
    template <class... More> __device__ lathe_vec(T a, T b, More... more) : s{a, b, T(more)...} {}
};
template <class T> struct lathe_same_as { typedef T type; };
template <class T> using lathe_same = typename lathe_same_as<T>::type;      /* whatever becomes a T */
template <int BYTES> struct lathe_mask_of { typedef int type; };             /* true is -1 */
template <> struct lathe_mask_of<1> { typedef signed char type; };
template <> struct lathe_mask_of<2> { typedef short type; };
template <> struct lathe_mask_of<8> { typedef long long type; };
template <class T, int N> using lathe_mask = lathe_vec<typename lathe_mask_of<sizeof(T)>::type, N>;
#define LATHE_INFIX(OP) \
    template <class T, int N> static __device__ lathe_vec<T, N> operator OP(lathe_vec<T, N> a, lathe_vec<T, N> b) \
    { for (int i = 0; i < N; i++) a.s[i] = a.s[i] OP b.s[i]; return a; } \
    template <class T, int N> static __device__ lathe_vec<T, N> operator OP(lathe_vec<T, N> a, lathe_same<T> b) \
    { for (int i = 0; i < N; i++) a.s[i] = a.s[i] OP b; return a; } \
    template <class T, int N> static __device__ lathe_vec<T, N> operator OP(lathe_same<T> a, lathe_vec<T, N> b) \
    { for (int i = 0; i < N; i++) b.s[i] = a OP b.s[i]; return b; } \
    template <class T, int N> static __device__ lathe_vec<T, N> &operator OP##=(lathe_vec<T, N> &a, lathe_vec<T, N> b) \
    { return a = a OP b; }
LATHE_INFIX(*)
#define LATHE_DECISION(OP) \
    template <class T, int N> static __device__ lathe_mask<T, N> operator OP(lathe_vec<T, N> a, lathe_vec<T, N> b) \
    { lathe_mask<T, N> m; for (int i = 0; i < N; i++) m.s[i] = -(a.s[i] OP b.s[i]); return m; } \
    template <class T, int N> static __device__ lathe_mask<T, N> operator OP(lathe_vec<T, N> a, lathe_same<T> b) \
    { return a OP lathe_vec<T, N>(b); } \
    template <class T, int N> static __device__ lathe_mask<T, N> operator OP(lathe_same<T> a, lathe_vec<T, N> b) \
    { return lathe_vec<T, N>(a) OP b; }
LATHE_DECISION(>)
template <class M, class T, int N> static __device__ lathe_vec<T, N> lathe_select(lathe_vec<M, N> c, lathe_vec<T, N> a, lathe_vec<T, N> b)
{ for (int i = 0; i < N; i++) a.s[i] = c.s[i] ? a.s[i] : b.s[i]; return a; }
template <int N, class T> static __device__ lathe_vec<T, N> lathe_load_aligned(const T *p) { return *(const lathe_vec<T, N> *)p; }
template <class T, int N> static __device__ void lathe_store_aligned(T *p, lathe_vec<T, N> v) { *(lathe_vec<T, N> *)p = v; }

extern "C" __global__ __launch_bounds__(16)
void half_k0(const lathe_half *__restrict__ xs, lathe_half *__restrict__ out)
{
    int gid0 = blockIdx.x * 16 + threadIdx.x;
    lathe_vec<lathe_half, 4> x = lathe_load_aligned<4>(xs + 4*gid0);
    lathe_store_aligned(out + 4*gid0,
            lathe_select(x > lathe_vec<lathe_half, 4>(lathe_half(0.0)), x * lathe_half(2.0),
            lathe_vec<lathe_half, 4>(lathe_half(0.5))));
}
> let new (class: [N]f32) = mapGlobal 0 (\this -> this * 2.0) class
new : [N]f32 -> [N]f32
> code --dialect cuda | tail -7
void new_k0(const float *__restrict__ class_, float *__restrict__ out, int N)
{
    int gid0 = blockIdx.x * 256 + threadIdx.x;
    if (gid0 < N) {
        out[gid0] = class_[gid0] * 2.0f;
    }
}
> let long (xs: [N]i32) = mapWorkgroup 1 (\x -> x + 1) xs
long : [N]i32 -> [N]i32
> data N = 70000
> export cuda -
E53 long_k0 has 70000 work-groups in dimension 1, and CUDA takes 65535 there
  hint    map what is long to dimension 0, which becomes x, or set local
> let large (x: [N]f64) = join (mapWorkgroup 0 (\c -> let y = toLocal (mapLocal 0 (mapSeq id) (split 64 c)) in mapLocal 0 (\i -> y[127 - i][0]) (iota 128)) (split 8192 x))
large : [N]f64 -> [N/64]f64
> data N = 16384
> code --dialect cuda | tail -12
void large_k0(const double *__restrict__ x, double *__restrict__ out)
{
    extern __shared__ __align__(64) unsigned char lathe_local[];
    double *const y = (double *)(lathe_local + 0);
    int wg0 = blockIdx.x;
    int l0 = threadIdx.x;
    for (int i = 0; i < 64; i++) {
        y[i + 64*l0] = x[64*(l0 + 128*wg0) + i];
    }
    __syncthreads();
    out[l0 + 128*wg0] = y[64*(127 - l0)];
}
> export cuda - | grep cudaFuncSetAttribute
    check(cudaFuncSetAttribute(large_k0, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536), "large_k0");
> # a GPU's language, and a lowering for the processor that is here
> let plus (xs: [N]f32) = map (\x -> x + 1) xs
plus : [N]f32 -> [N]f32
> data N = 64
> lower
@1  lower                               builtin    from @0
  - map (λx → x + 1) xs
  + mapGlobal 0 (λx → x + 1) xs
  type   [N]f32                       unchanged
  focus  /  ->  /                     7 moves here
> export cuda - | head -1
/* plus@1 on CUDA:    nvcc -O3 -fmad=false -prec-div=false -prec-sqrt=false plus.cu -o plus ; ./plus [FILE ...]
W17 @1 was lowered for a CPU: with a GPU as the device (help device), goto @0 ; lower      (silence: set silence W17)
> # elements that i32 indices do not reach: nothing is made where the sizes say so, and where they are arguments it is asked for
> let spread (x: [N][M]i8) = map (\i -> x[i / M][i % M]) (iota (N * M))
spread : [N][M]i8 -> [M*N]i8
> data N = 32768
> data M = 65536
> apply mapGlobal(0)
@1  mapGlobal(0)  at /                  builtin    from @0
  - map (λi → x[i / M][i % M]) (iota (M*N))
  + mapGlobal 0 (λi → x[i / M][i % M]) (iota (M*N))
  type   [M*N]i8                      unchanged
  focus  /  ->  /                     6 moves here
> code
E38 generate: the length 2147483648 does not fit an i32 index
  at      /in
> set sizes argument
> code | grep needs
 * needs M*N < 2147483648  (int indices)
> code --host | head -1
E36 N = 32768, M = 65536 under int indices: M*N must be at most 2147483647
  near    N = 32767
  try     data N = 32767
> export cuda - | head -1
E36 N = 32768, M = 65536 under int indices: M*N must be at most 2147483647
  near    N = 32767
  try     data N = 32767
> export cl - | grep -n 'Only\|needs'
7: * Only where M*N <= 2147483647
12: * needs M*N < 2147483648  (int indices)
> data M = 8
> code --host | head -1
/* spread@1 on OpenCL:    cc spread.c -lOpenCL -o spread ; ./spread [FILE ...]
> set sizes constant
