> set trials 1
> let tile (A: [16][8]f16) (B: [4][2][8]f16) (c: [16][4][2]f32) = mma A B c
tile : [16][8]f16 -> [4][2][8]f16 -> [16][4][2]f32 -> [16][4][2]f32
> eval mma (generate 16 (\i -> generate 8 (\k -> f16 i))) (generate 4 (\j -> generate 2 (\p -> generate 8 (\k -> f16 (2 * j + p))))) (generate 16 (\i -> generate 4 (\j -> generate 2 (\p -> 0.5f32))))
[16][4][2]f32
  [[[0.5, 0.5], [0.5, 0.5], [0.5, 0.5], [0.5, 0.5]], ...]
  hash 9946858dfb0e49dc
> load tests/programs/mm_f16.fun
mm_f16 : [N][K]f16 -> [K][M]f16 -> [N][M]f32
> data N = 64, K = 96, M = 64
> apply gemmUnits{mb=32, nb=32, kb=32, mw=16, nw=16}
@1  gemmUnits{mb=32, nb=32, kb=32, mw=16, nw=16}  at /  builtin    from @0
  - map (λrow → map (λcol → reduce (+) 0 (map (λ(a, b) → f32 a * f32 b) (zip row col))) ∘ transpo...
  + join ∘ mapWorkgroup 1 (λxss → transpose ∘ join ∘ mapWorkgroup 0 (λxss1 → transpose (join (map...
  type   [N][M]f32                    unchanged
  inner  60 steps        log --expand
  focus  /  ->  /                     12 moves here
> show
join ∘
  mapWorkgroup 1
    (λxss →
      transpose ∘
        join ∘
        mapWorkgroup 0
          (λxss1 →
            transpose
              (join
                (map
                  transpose
                  (map
                    join
                    (map
                      (map transpose)
                      (map
                        (map (map join))
                        (split 2
                          (mapLocal 2
                            (mapLocal 1 (mapLocal 0 (asScalar ∘ mapSeqUnroll id ∘ asVector 2)))
                            (reduceSeqPipe 3
                              (λ(acc, (xss2, xss3)) →
                                let tile = toLocalSwizzled 8 ∘
                                  split 32 ∘
                                  asScalar ∘
                                  join ∘
                                  join ∘
                                  mapLocal 2 (mapLocal 1 (mapLocal 0 id)) ∘
                                  split 8 ∘
                                  split 4 ∘
                                  asVector 8 ∘
                                  join $ xss3
                                in mapLocal 2
                                  (λ(as, (y, y1)) → mma y (split 2 ∘ transpose $ y1) as)
                                  (zip
                                    acc
                                    (join ∘
                                      map
                                        (λy →
                                          map (λy1 → (y, y1)) ∘ transpose ∘ map (split 16) $ tile) ∘
                                      split 16 ∘
                                      toLocalSwizzled 8 ∘
                                      split 32 ∘
                                      asScalar ∘
                                      join ∘
                                      join ∘
                                      mapLocal 2 (mapLocal 1 (mapLocal 0 id)) ∘
                                      split 8 ∘
                                      split 4 ∘
                                      asVector 8 ∘
                                      join $ xss2)))
                              (toPrivate
                                (mapLocal 2
                                  (mapLocal 1 (mapLocal 0 (mapSeqUnroll id)))
                                  (join
                                    (map
                                      (map (map (split 2)))
                                      (generate 2
                                        (λi →
                                          generate 2
                                            (λi1 → generate 16 (λi2 → generate 16 (λi3 → 0.0)))))))))
                              (zip (transpose ∘ map (split 32) $ xss) (split 32 ∘ transpose $ xss1))))))))))) ∘
        split 32 ∘
        transpose $ B) ∘
  split 32 $ A
> run
@1  pocl0 **
  build   - ms        local 12.0 KiB/WG   private 1.0 KiB
  verify  OK   3 inputs x 2 repeats
          error 6.1e-07, 0.59 x the source's own; sees changes of 2.3e-06
          every element
  time    - ms median of 1  (IQR -, min -)    - GFLOP/s   - GB/s
> set target h200
> run
@1  pocl0 **
  build   - ms        local 12.0 KiB/WG   private 1.0 KiB
  verify  OK   3 inputs x 2 repeats
          error 6.1e-07, 0.59 x the source's own; sees changes of 2.3e-06
          every element
  time    - ms median of 1  (IQR -, min -)    - GFLOP/s   - GB/s
> code
/* mm_f16@1  cedbc0613c5bcf50
 *   @1 gemmUnits{mb=32, nb=32, kb=32, mw=16, nw=16} at /
 * N=64  K=96  M=64
 */

#pragma OPENCL FP_CONTRACT OFF

static int lathe_swizzled(int i, int over, int mask, int piece) { return i ^ (i >> over & mask) << piece; }

#ifndef LATHE_COPIES
#define LATHE_COPIES
#if defined(__NV_CL_C_VERSION)
static void lathe_copy16(local void *to, const global void *from)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" : : "r"((uint)(ulong)to), "l"((ulong)from) : "memory");
}
#define lathe_copies_sent() asm volatile("cp.async.commit_group;" : : : "memory")
#define lathe_copies_wait(n) asm volatile("cp.async.commit_group; cp.async.wait_group %0;" : : "n"(n) : "memory")
#else
static void lathe_copy16(local void *to, const global void *from) { *(local uint4 *)to = *(const global uint4 *)from; }
#define lathe_copies_sent()
#define lathe_copies_wait(n)
#endif
#endif

#if defined(__NV_CL_C_VERSION) && !defined(LATHE_UNITS)
#define LATHE_UNITS
static void lathe_pieces(uint *r, const local void *at)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"((uint)(ulong)at) : "memory");
}
static void lathe_pieces_turned(uint *r, const local void *at)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"((uint)(ulong)at) : "memory");
}
#endif
#if defined(__NV_CL_C_VERSION) && !defined(LATHE_MMA_f16)
#define LATHE_MMA_f16
static void lathe_mma_f16(float *c0, float *c1, float *c2, float *c3, const uint *a, const uint *b)
{
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(*c0), "+f"(*c1), "+f"(*c2), "+f"(*c3)
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
#endif

__attribute__((reqd_work_group_size(4, 8, 4)))
kernel void mm_f16_k0(const global half *restrict A,
                      const global half *restrict B, global float *restrict out)
{
    local ushort lathe_bits_tileB[3072] __attribute__((aligned(64)));
    local half *tileB = (local half *)lathe_bits_tileB;
    local ushort lathe_bits_tileA[3072] __attribute__((aligned(64)));
    local half *tileA = (local half *)lathe_bits_tileA;
    int wg1 = get_group_id(1);
    int wg0 = get_group_id(0);
    int l2 = get_local_id(2);
    int l1 = get_local_id(1);
    int l0 = get_local_id(0);
    float acc_0 = 0.0f, acc_1 = 0.0f, acc_2 = 0.0f, acc_3 = 0.0f, acc_4 = 0.0f, acc_5 = 0.0f,
        acc_6 = 0.0f, acc_7 = 0.0f;
    lathe_copy16(tileB + lathe_swizzled(8*(l0 + 4*l1), 6, 3, 3) + 256*l2,
            B + 64*(l1 + 8*l2) + 8*(l0 + 4*wg0));
    lathe_copy16(tileA + lathe_swizzled(8*(l0 + 4*l1), 6, 3, 3) + 256*l2,
            A + 96*(8*(l2 + 4*wg1) + l1) + 8*l0);
    lathe_copies_sent();
    lathe_copy16(tileB + lathe_swizzled(8*(l0 + 4*l1), 6, 3, 3) + 256*l2 + 1024,
            B + 64*(l1 + 8*l2 + 32) + 8*(l0 + 4*wg0));
    lathe_copy16(tileA + lathe_swizzled(8*(l0 + 4*l1), 6, 3, 3) + 256*l2 + 1024,
            A + 96*(8*(l2 + 4*wg1) + l1) + 8*l0 + 32);
    lathe_copies_wait(1);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 3; i++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i + 2 < 3) {
            lathe_copy16(tileB + lathe_swizzled(8*(l0 + 4*l1), 6, 3, 3) + 256*(l2 + 4*((i + 2)%3)),
                    B + 64*(32*i + l1 + 8*l2 + 64) + 8*(l0 + 4*wg0));
            lathe_copy16(tileA + lathe_swizzled(8*(l0 + 4*l1), 6, 3, 3) + 256*(l2 + 4*((i + 2)%3)),
                    A + 768*(l2 + 4*wg1) + 32*i + 8*l0 + 96*l1 + 64);
        }
#if defined(__NV_CL_C_VERSION)
        {
            uint lathe_a[4], lathe_b[4];
            lathe_pieces(lathe_a + 0, tileA + lathe_swizzled(2*(16*l0 + l1 + 63*(l1%4)), 6, 3, 3) + 512*(2*i + l2/2));
            lathe_pieces_turned(lathe_b + 0, tileB + lathe_swizzled(16*(2*l0 + l2%2) + 2*(l1 + 63*(l1%4)), 6, 3, 3) + 1024*i);
            lathe_mma_f16(&acc_0, &acc_1, &acc_4, &acc_5, lathe_a + 0, lathe_b + 0);
            lathe_mma_f16(&acc_2, &acc_3, &acc_6, &acc_7, lathe_a + 0, lathe_b + 2);
            lathe_pieces(lathe_a + 0, tileA + lathe_swizzled(32*l0 + 2*l1 + 126*(l1%4) + 16, 6, 3, 3) + 512*(2*i + l2/2));
            lathe_pieces_turned(lathe_b + 0, tileB + lathe_swizzled(16*(2*l0 + l2%2) + 2*(l1 + 63*(l1%4)), 6, 3, 3) + 1024*i + 512);
            lathe_mma_f16(&acc_0, &acc_1, &acc_4, &acc_5, lathe_a + 0, lathe_b + 0);
            lathe_mma_f16(&acc_2, &acc_3, &acc_6, &acc_7, lathe_a + 0, lathe_b + 2);
        }
#else
        for (int j = 0; j < 32; j++) {
            float t = vload_half(0, tileA + lathe_swizzled(j + 32*l1, 6, 3, 3) + 512*(2*i + l2/2));
            acc_0 += t * vload_half(0, tileB + lathe_swizzled(16*(2*j + l2%2) + 2*l0, 6, 3, 3) + 1024*i);
            acc_1 += t * vload_half(0, tileB + lathe_swizzled(16*(2*j + l2%2) + 2*l0 + 1, 6, 3, 3) + 1024*i);
            acc_2 += t * vload_half(0, tileB + lathe_swizzled(16*(2*j + l2%2) + 2*l0 + 8, 6, 3, 3) + 1024*i);
            acc_3 += t * vload_half(0, tileB + lathe_swizzled(16*(2*j + l2%2) + 2*l0 + 9, 6, 3, 3) + 1024*i);
            float t2 = vload_half(0, tileA + lathe_swizzled(j + 32*l1, 6, 3, 3) + 512*(2*i + l2/2) + 256);
            acc_4 += t2 * vload_half(0, tileB + lathe_swizzled(16*(2*j + l2%2) + 2*l0, 6, 3, 3) + 1024*i);
            acc_5 += t2
                    * vload_half(0, tileB + lathe_swizzled(16*(2*j + l2%2) + 2*l0 + 1, 6, 3, 3) + 1024*i);
            acc_6 += t2
                    * vload_half(0, tileB + lathe_swizzled(16*(2*j + l2%2) + 2*l0 + 8, 6, 3, 3) + 1024*i);
            acc_7 += t2
                    * vload_half(0, tileB + lathe_swizzled(16*(2*j + l2%2) + 2*l0 + 9, 6, 3, 3) + 1024*i);
        }
#endif
        lathe_copies_wait(1);
    }
    ((global float2 *)out)[32*(l1 + 32*wg1) + 16*(wg0 + 31*(l2/2)) + l0 + 8*l2] = (float2)(acc_0, acc_1);
    ((global float2 *)out)[32*(l1 + 32*wg1) + 16*(wg0 + 31*(l2/2)) + l0 + 8*l2 + 4] = (float2)(acc_2, acc_3);
    ((global float2 *)out)[l0 + 32*l1 + 8*l2 + 16*wg0 + 1024*wg1 + 496*(l2/2)
            + 256] = (float2)(acc_4, acc_5);
    ((global float2 *)out)[32*(l1 + 32*wg1) + 16*(wg0 + 31*(l2/2)) + l0 + 8*l2
            + 260] = (float2)(acc_6, acc_7);
}
> set target auto
> goto @0
@0  source
    map (λrow → map (λcol → reduce (+) 0 (map (λ(a, b) → f32 a * f32 b) (zip row col))) ∘ transpo...
> apply gemmUnits{mb=64, nb=32, kb=16, mw=32, nw=32, stages=2, pad=8}
@2  gemmUnits{mb=64, nb=32, kb=16, mw=32, nw=32, stages=2, pad=8}  at /  builtin    from @0
  - map (λrow → map (λcol → reduce (+) 0 (map (λ(a, b) → f32 a * f32 b) (zip row col))) ∘ transpo...
  + join ∘ mapWorkgroup 1 (λxss → transpose ∘ join ∘ mapWorkgroup 0 (λxss1 → transpose (join (map...
  type   [N][M]f32                    unchanged
  inner  60 steps        log --expand
  focus  /  ->  /                     12 moves here
> run
@2  pocl0 **
  build   - ms        local 8.5 KiB/WG   private 1.0 KiB
  verify  OK   3 inputs x 2 repeats
          error 6.3e-07, 0.61 x the source's own; sees changes of 2.3e-06
          every element
  time    - ms median of 1  (IQR -, min -)    - GFLOP/s   - GB/s
> load tests/programs/linear_f16.fun
linear_f16 : [N][K]f16 -> [M][K]f16 -> [M]f32 -> [N][M]f32
> data N = 130, K = 99, M = 70
> set target h200
> lower lowerNests("product")
@1  lowerNests("product")               builtin    from @0
  - map (λx → map (λ(w, b) → max 0 (reduce (+) 0 (map (λ(a, b1) → f32 a * f32 b1) (zip x w)) + b)...
  + map (take M) (take N (join (mapWorkgroup 1 (λ(y, cs) → transpose (join (mapWorkgroup 0 (λ(y1,...
  type   [N][M]f32                    unchanged
  inner  103 steps        log --expand
  focus  /  ->  /                     22 moves here
> set target auto
> run
@1  pocl0 **
  build   - ms        local 32.0 KiB/WG   private 1.0 KiB
  verify  OK   3 inputs x 2 repeats
          error 2.3e-07, 0.56 x the source's own; sees changes of 5.4e-06
          every element
  time    - ms median of 1  (IQR -, min -)    - GFLOP/s   - GB/s
> load tests/programs/mm_bf16.fun
mm_bf16 : [N][K]bf16 -> [K][M]bf16 -> [N][M]f32
> data N = 64, K = 96, M = 64
> apply gemmUnits{mb=32, nb=32, kb=32, mw=16, nw=16}
@1  gemmUnits{mb=32, nb=32, kb=32, mw=16, nw=16}  at /  builtin    from @0
  - map (λrow → map (λcol → reduce (+) 0 (map (λ(a, b) → f32 a * f32 b) (zip row col))) ∘ transpo...
  + join ∘ mapWorkgroup 1 (λxss → transpose ∘ join ∘ mapWorkgroup 0 (λxss1 → transpose (join (map...
  type   [N][M]f32                    unchanged
  inner  60 steps        log --expand
  focus  /  ->  /                     12 moves here
> set target h200
> code | grep -A 6 "^static void lathe_mma"
static void lathe_mma_bf16(float *c0, float *c1, float *c2, float *c3, const uint *a, const uint *b)
{
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(*c0), "+f"(*c1), "+f"(*c2), "+f"(*c3)
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
#endif
> code | grep lathe_pieces
static void lathe_pieces(uint *r, const local void *at)
static void lathe_pieces_turned(uint *r, const local void *at)
            lathe_pieces(lathe_a + 0, tileA + lathe_swizzled(2*(16*l0 + l1 + 63*(l1%4)), 6, 3, 3) + 512*(2*i + l2/2));
            lathe_pieces_turned(lathe_b + 0, tileB + lathe_swizzled(16*(2*l0 + l2%2) + 2*(l1 + 63*(l1%4)), 6, 3, 3) + 1024*i);
            lathe_pieces(lathe_a + 0, tileA + lathe_swizzled(32*l0 + 2*l1 + 126*(l1%4) + 16, 6, 3, 3) + 512*(2*i + l2/2));
            lathe_pieces_turned(lathe_b + 0, tileB + lathe_swizzled(16*(2*l0 + l2%2) + 2*(l1 + 63*(l1%4)), 6, 3, 3) + 1024*i + 512);
> set target auto
> run
@1  pocl0 **
  build   - ms        local 12.0 KiB/WG   private 1.0 KiB
  verify  OK   3 inputs x 2 repeats
          error 2.7e-07, 0.77 x the source's own; sees changes of 8.1e-07
          every element
  time    - ms median of 1  (IQR -, min -)    - GFLOP/s   - GB/s
> let sums (x: [N]bf16) (y: [N]bf16) = map (\(a, b) -> (a * b + 1, sqrt (abs a), f32 a - f32 b)) (zip x y)
sums : [N]bf16 -> [N]bf16 -> [N](bf16, bf16, f32)
> lower
@1  lower                               builtin    from @0
  - map (λ(a, b) → (a * b + 1, sqrt ∘ abs $ a, f32 a - f32 b)) (zip x y)
  + mapGlobal 0 (λ(a, b) → (a * b + 1, sqrt ∘ abs $ a, f32 a - f32 b)) (zip x y)
  type   [N](bf16, bf16, f32)         unchanged
  focus  /  ->  /                     6 moves here
> run
@1  pocl0 **
  build   - ms        local 0 B/WG   private 1.0 KiB
  verify  OK   3 inputs x 2 repeats
          error 0.0033, 0.55 x the source's own; sees changes of 0.0039
          every element
  time    - ms median of 1  (IQR -, min -)    - GB/s
> code
/* sums@1  4ebed0f12d101edd
 *   @1 lower
 */

#pragma OPENCL FP_CONTRACT OFF

static float __attribute__((overloadable)) lathe_bf16(float x)
{
    uint u = as_uint(x);
    return as_float(select((u + 0x7fffu + (u >> 16 & 1u)) & 0xffff0000u, (u & 0xffff0000u) | 0x400000u, isnan(x)));
}

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void sums_k0(const global ushort *restrict x,
                    const global ushort *restrict y,
                    global ushort *restrict out_0,
                    global ushort *restrict out_1, global float *restrict out_2,
                    int N)
{
    int gid0 = get_global_id(0);
    if (gid0 < N) {
        float a = as_float((uint)x[gid0] << 16u);
        float b = as_float((uint)y[gid0] << 16u);
        out_0[gid0] = (ushort)(as_uint(lathe_bf16(lathe_bf16(a * b) + 1.0f)) >> 16u);
        out_1[gid0] = (ushort)(as_uint(lathe_bf16(sqrt(fabs(a)))) >> 16u);
        out_2[gid0] = a - b;
    }
}
> let mm16 (A: [N][K]bf16) (B: [K][M]bf16) = map (\row -> map (\col -> bf16 (reduce (+) 0 (map (\(a, b) -> f32 a * f32 b) (zip row col)))) (transpose B)) A
mm16 : [N][K]bf16 -> [K][M]bf16 -> [N][M]bf16
> data N = 65, M = 70, K = 99
> lower | head -1
@1  lower                               builtin    from @0
> run
@1  pocl0 **
  build   - ms        local 42.0 KiB/WG   private 1.0 KiB
  verify  OK   3 inputs x 2 repeats
          exact; sees changes of 0.0039
          every element
  time    - ms median of 1  (IQR -, min -)    - GFLOP/s   - GB/s
