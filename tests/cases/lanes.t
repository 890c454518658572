> # accumulators side by side are no work of their own: they are where the fold accumulates
> let squares (xs: [N]f32) = reduce (+) 0 (map (\x -> x * x) xs)
squares : [N]f32 -> f32
> data N = 64
> apply reduceLanes(8)
@1  reduceLanes(8)  at /                builtin    from @0
  - reduce (+) 0 ∘ map (λx → x * x) $ xs
  + reduce (+) 0 ∘ reduceSeq (λ(acc, y) → map (λ(as, y1) → as + y1 * y1) (zip acc y)) (generate 8...
  type   f32                          unchanged
  inner  5 steps        log --expand
  focus  /  ->  /                     7 moves here
> lower; show; code; eval @0; eval
@2  lower                               builtin    from @1
  - reduce .. map (λ(..) → as + y1 * y1) (..) (generate 8 (..)) ∘ split 8 $ xs
  + reduceSeqUnroll (+) 0 ∘ mapGlobal 0 (reduceSeqUnroll (+) 0) ∘ split 2 ∘ reduceSeq (λ(..) → ma...
  type   f32                          unchanged
  inner  11 steps        log --expand
  focus  /  ->  /                     2 moves here
reduceSeqUnroll (+) 0 ∘
  mapGlobal 0 (reduceSeqUnroll (+) 0) ∘
  split 2 ∘
  reduceSeq
    (λ(acc, y) → mapSeq (λ(as, y1) → fma y1 y1 as) (zip acc y))
    (toGlobal (mapSeq id (generate 8 (λi → 0.0)))) ∘
  split 8 $ xs
/* squares@2  f8eb759f744bb994
 *   @1 reduceLanes(8) at /
 *   @2 lower
 * N=64
 */

#pragma OPENCL FP_CONTRACT OFF

__attribute__((reqd_work_group_size(4, 1, 1)))
kernel void squares_k0(const global float *restrict xs,
                       global float *restrict out, global float *tmp,
                       global float *tmp2)
{
    int l0 = get_local_id(0);
    if (l0 == 0) {
        for (int i = 0; i < 8; i++) {
            tmp2[i] = 0.0f;
        }
        for (int i = 0; i < 8; i++) {
            for (int j = 0; j < 8; j++) {
                float y = xs[8*i + j];
                tmp2[j] = fma(y, y, tmp2[j]);
            }
        }
    }
    float acc = 0.0f;
    barrier(CLK_GLOBAL_MEM_FENCE);
    acc += tmp2[2*l0];
    acc += tmp2[2*l0 + 1];
    tmp[l0] = acc;
    float acc2 = 0.0f;
    barrier(CLK_GLOBAL_MEM_FENCE);
    acc2 += tmp[0];
    acc2 += tmp[1];
    acc2 += tmp[2];
    acc2 += tmp[3];
    if (l0 == 0) {
        out[0] = acc2;
    }
}
@0  f32    N=64
  19.868517
  hash 68723deb0a884a2d
@2  f32    N=64
  19.868519
  hash ad50de27e4da58a1
> # what + is written for has no name: acc, not that of a rule
> goto @0; data N = 256; apply reduceGpu{chunk=256, l=16, w=4, again=false}; code
@0  source
    reduce (+) 0 ∘ map (λx → x * x) $ xs
@3  reduceGpu{chunk=256, l=16, w=4, again=false}  at /  builtin    from @0
  - reduce (+) 0 ∘ map (λx → x * x) $ xs
  + reduceSeq (+) 0 ∘ mapWorkgroup 0 (reduceSeqUnroll (+) 0 ∘ toLocal ∘ mapLocal 0 (reduceSeqUnro...
  type   f32                          unchanged
  inner  29 steps        log --expand
  focus  /  ->  /                     3 moves here
/* squares@3  2053a7778512a4fa
 *   @3 reduceGpu{chunk=256, l=16, w=4, again=false} at /
 * N=256
 */

#pragma OPENCL FP_CONTRACT OFF

__attribute__((reqd_work_group_size(16, 1, 1)))
kernel void squares_k0(const global float *restrict xs,
                       global float *restrict out, global float *tmp)
{
    local float tile[1] __attribute__((aligned(64)));
    local float tile2[16] __attribute__((aligned(64)));
    int l0 = get_local_id(0);
    float acc = 0.0f;
    float4 acc2 = (float4)(0.0f);
    for (int i = 0; i < 4; i++) {
        float4 y = vload4(16*i + l0, xs);
        acc2 = fma(y, y, acc2);
    }
    float acc3 = 0.0f;
    acc3 += acc2.s0;
    acc3 += acc2.s1;
    acc3 += acc2.s2;
    acc3 += acc2.s3;
    tile2[l0] = acc3;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (l0 == 0) {
        float acc4 = 0.0f;
        acc4 += tile2[0];
        acc4 += tile2[1];
        acc4 += tile2[2];
        acc4 += tile2[3];
        acc4 += tile2[4];
        acc4 += tile2[5];
        acc4 += tile2[6];
        acc4 += tile2[7];
        acc4 += tile2[8];
        acc4 += tile2[9];
        acc4 += tile2[10];
        acc4 += tile2[11];
        acc4 += tile2[12];
        acc4 += tile2[13];
        acc4 += tile2[14];
        acc4 += tile2[15];
        tile[0] = acc4;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    acc += tile[0];
    if (l0 == 0) {
        tmp[0] = acc;
    }
    float acc5 = 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    acc5 += tmp[0];
    if (l0 == 0) {
        out[0] = acc5;
    }
}
> # a lane of a number that all lanes share is that number
> let weighed (xs: [N]f32) = mapSeq (\(x, s) -> x * s) (asScalar (map (mapVec (\a -> (a, 1.0))) (asVector 2 xs)))
weighed : [N]f32 -> [N]f32
> data N = 8
> code | grep 'out\[i'
        out[i] = ((float *)&v)[i%2] * 1.0f;
