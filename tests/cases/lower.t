> lower
E10 no program is loaded
  try     load tests/programs/dot.fun        or a file .fun of your own
> code
E10 no program is loaded
  try     load tests/programs/dot.fun        or a file .fun of your own
> load tests/programs/asum.fun
asum : [N]f32 -> f32
> code
E51 not runnable yet: 2 nodes are still high-level
  /       reduce   as reduceSeq        moves /
  /in     map      as mapGlobal, mapWorkgroup, mapLocal, mapSeq        moves /in
  try     apply reduceSeq at /
  or      lower
> lower
@1  lower                               builtin    from @0
  - reduce (+) 0 ∘ map abs $ xs
  + reduceSeq (+) 0 (mapGlobal 0 (λi → slice 1 (reduceSeq (λ(acc, y) → acc + abs y) 0) (min N (i ...
  type   f32                          unchanged
  inner  6 steps        log --expand
  focus  /  ->  /                     4 moves here
> show
reduceSeq
  (+)
  0
  (mapGlobal 0
    (λi →
      slice 1
        (reduceSeq (λ(acc, y) → acc + abs y) 0)
        (min N (i * ((N + 64 - 1) / 64)))
        (min N ((i + 1) * ((N + 64 - 1) / 64)))
        xs)
    (iota 64))
> lower
@1 is in lowered form already
> code
/* asum@1  121c3504702355ff
 *   @1 lower
 * needs N + 127*((N + 63) // 64) + 127 < 2147483648  (int indices)
 */

#pragma OPENCL FP_CONTRACT OFF

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void asum_k0(const global float *restrict xs, global float *restrict tmp,
                    int N)
{
    int gid0 = get_global_id(0);
    int n = max(0, min(N, gid0*((N + 63)/64) + (N + 63)/64) - min(gid0*((N + 63)/64), N));
    float acc = 0.0f;
    for (int i = 0; i < n; i++) {
        acc += fabs(xs[i + min(gid0*((N + 63)/64), N)]);
    }
    tmp[gid0] = acc;
}

__attribute__((reqd_work_group_size(1, 1, 1)))
kernel void asum_k1(global float *restrict out,
                    const global float *restrict tmp)
{
    float acc = 0.0f;
    for (int i = 0; i < 64; i++) {
        acc += tmp[i];
    }
    out[0] = acc;
}
> data N = 1024
> set sizes argument
> code
/* asum@1  121c3504702355ff
 *   @1 lower
 * N=1024
 * needs N + 127*((N + 63) // 64) + 127 < 2147483648  (int indices)
 */

#pragma OPENCL FP_CONTRACT OFF

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void asum_k0(const global float *restrict xs, global float *restrict tmp,
                    int N)
{
    int gid0 = get_global_id(0);
    int n = max(0, min(N, gid0*((N + 63)/64) + (N + 63)/64) - min(gid0*((N + 63)/64), N));
    float acc = 0.0f;
    for (int i = 0; i < n; i++) {
        acc += fabs(xs[i + min(gid0*((N + 63)/64), N)]);
    }
    tmp[gid0] = acc;
}

__attribute__((reqd_work_group_size(1, 1, 1)))
kernel void asum_k1(global float *restrict out,
                    const global float *restrict tmp)
{
    float acc = 0.0f;
    for (int i = 0; i < 64; i++) {
        acc += tmp[i];
    }
    out[0] = acc;
}
> code @0
E51 not runnable yet: 2 nodes are still high-level
  /       reduce   as reduceSeq        moves /
  /in     map      as mapGlobal, mapWorkgroup, mapLocal, mapSeq        moves /in
  or      lower
> code @7
E13 asum has no version @7; the newest is @1
  try     log
> code -o
E05 -o needs a value
  form    code [@VERSION] [--host | --dialect NAME] [-o FILE] | [@VERSION] --map | [@VERSION] --edit [FILE] | --source TEXT
> code --hosts
E05 code has no flag "--hosts"
  form    code [@VERSION] [--host | --dialect NAME] [-o FILE] | [@VERSION] --map | [@VERSION] --edit [FILE] | --source TEXT
> run -n many
E05 -n must be a whole number from 0 to 100000, not "many"
> run @9
E13 asum has no version @9; the newest is @1
  try     log
> load tests/programs/dot.fun
dot : [N]f32 -> [N]f32 -> f32
> data N = 1048576
> lower
@1  lower                               builtin    from @0
  - reduce (+) 0 (map (*) (zip xs ys))
  + reduceSeq (+) 0 (mapWorkgroup 0 (λ(ys1, ys2) → reduceSeqUnroll (+) 0 (asScalar (reduceSeq (λ(...
  type   f32                          unchanged
  inner  25 steps        log --expand
  focus  /  ->  /                     3 moves here
> show
reduceSeq
  (+)
  0
  (mapWorkgroup 0
    (λ(ys1, ys2) →
      reduceSeqUnroll
        (+)
        0
        (asScalar
          (reduceSeq
            (λ(acc, (y0, y1)) →
              mapSeqUnroll
                (mapVec (λ(as, bs, bs1) → fma bs bs1 as))
                (zip acc (asVector 16 y0) (asVector 16 y1)))
            (toPrivate (mapSeqUnroll id (asVector 16 (generate 64 (λi → 0.0)))))
            (zip (split 64 ys1) (split 64 ys2)))))
    (zip (split 16384 xs) (split 16384 ys)))
> undo
@0  source
    reduce (+) 0 (map (*) (zip xs ys))
> lower lowerPlain
@2  lowerPlain                          builtin    from @0
  - reduce (+) 0 (map (*) (zip xs ys))
  + reduceSeq (+) 0 (mapGlobal 0 (reduceSeq (λ(as, (y0, y1)) → as + y0 * y1) 0) (split (N/64) (..)))
  type   f32                          unchanged
  inner  8 steps        log --expand
  focus  /  ->  /                     4 moves here
> show
reduceSeq
  (+)
  0
  (mapGlobal 0 (reduceSeq (λ(as, (y0, y1)) → as + y0 * y1) 0) (split (N/64) (zip xs ys)))
> load tests/programs/gemm_nt.fun
gemm_nt : [N][K]f32 -> [M][K]f32 -> [N][M]f32 -> f32 -> f32 -> [N][M]f32
> data N = 96
> data M = 128
> data K = 64
> lower
@1  lower                               builtin    from @0
  - map (λ(ps, cs) → map (λ(p, c) → alpha * p + beta * c) (zip ps cs)) (zip (map (λrow → map (λco...
  + join (mapWorkgroup 1 (λ(y, cs) → transpose (join (mapWorkgroup 0 (λ(y1, cs1) → transpose (joi...
  type   [N][M]f32                    unchanged
  inner  63 steps        log --expand
  focus  /  ->  /                     4 moves here
> log
  @0  source
* @1  lower  (63 inner steps)
> load tests/programs/mm.fun
mm : [N][K]f32 -> [K][M]f32 -> [N][M]f32
> data N = 7
> data M = 5
> data K = 3
> lower
@1  lower                               builtin    from @0
  - map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) A
  + mapGlobal 1 (λrow → mapGlobal 0 (λcol → reduceSeq (λ(as, (y0, y1)) → fma y0 y1 as) 0 (..)) ..) A
  type   [N][M]f32                    unchanged
  inner  5 steps        log --expand
  focus  /  ->  /                     4 moves here
> show
mapGlobal 1
  (λrow →
    mapGlobal 0 (λcol → reduceSeq (λ(as, (y0, y1)) → fma y0 y1 as) 0 (zip row col)) ∘ transpose $ B)
  A
> set local 4x2
> code
/* mm@1  9fbf59355e3a2bf7
 *   @1 lower
 * N=7  K=3  M=5
 * needs K*N, K*M, M*N < 2147483648  (int indices)
 */

#pragma OPENCL FP_CONTRACT OFF

__attribute__((reqd_work_group_size(4, 2, 1)))
kernel void mm_k0(const global float *restrict A,
                  const global float *restrict B, global float *restrict out,
                  int N, int K, int M)
{
    int gid1 = get_global_id(1);
    int gid0 = get_global_id(0);
    if (gid1 < N && gid0 < M) {
        float as = 0.0f;
        for (int i = 0; i < K; i++) {
            as = fma(A[K*gid1 + i], B[M*i + gid0], as);
        }
        out[M*gid1 + gid0] = as;
    }
}
> set local 4x
E05 "4x" is not a value of local
  needs   auto, or the work-items in up to three dimensions: 64, 32x8, 8x8x4
> set local auto
> # so long an array is in no cache of a core's own: it is read in several places at once, and written past the caches
> load tests/programs/scal.fun ; data N = 2097152 ; lower ; show
scal : f32 -> [N]f32 -> [N]f32
@1  lower                               builtin    from @0
  - map (λx → alpha * x) xs
  + toGlobalStream ∘ join ∘ mapWorkgroup 0 (asScalar ∘ join ∘ transpose ∘ mapSeq (mapSeqUnroll (m...
  type   [N]f32                       unchanged
  inner  8 steps        log --expand
  focus  /  ->  /                     4 moves here
toGlobalStream ∘
  join ∘
  mapWorkgroup 0
    (asScalar ∘
    join ∘
    transpose ∘
    mapSeq (mapSeqUnroll (mapVec (λx → alpha * x))) ∘
    transpose ∘
    split 512 ∘
    asVector 16) ∘
  split 32768 $ xs
> load tests/programs/asum.fun as far ; data N=2097152 ; lower ; show
far : [N]f32 -> f32
@1  lower                               builtin    from @0
  - reduce (+) 0 ∘ map abs $ xs
  + reduceSeq (+) 0 ∘ join ∘ mapWorkgroup 0 (mapSeqUnroll id ∘ toPrivate ∘ mapSeqUnroll (reduceSe...
  type   f32                          unchanged
  inner  27 steps        log --expand
  focus  /  ->  /                     4 moves here
reduceSeq (+) 0 ∘
  join ∘
  mapWorkgroup 0
    (mapSeqUnroll id ∘
    toPrivate ∘
    mapSeqUnroll (reduceSeqUnroll (+) 0 ∘ asScalar) ∘
    reduceSeq
      (λ(accs, ys) →
        mapSeqUnroll
          (λ(acc, y) → mapSeqUnroll (mapVec (λ(acc1, y1) → acc1 + abs y1)) (zip acc (asVector 16 y)))
          (zip accs ys))
      (toPrivate
        (mapSeqUnroll (mapSeqUnroll id) (generate 8 (λi → asVector 16 (generate 16 (λi1 → 0.0)))))) ∘
    transpose ∘
    map (split 16)) ∘
  split 8 ∘
  split 8192 $ xs
> # sizes as arguments: what lower makes generates for any; local arrays have constant lengths, or lie in global memory
> device pocl
**
> set sizes argument
> load tests/programs/softmax.fun
softmax : [N][M]f32 -> [N][M]f32        2 programs; list programs
> data N = 64 M = 1024
> lower
@1  lower                               builtin    from @0
  - map (λx → let m = reduce max (..) x in let e = map (..) x in let s = reduce (+) 0 e in map (....
  + join ∘ mapWorkgroup 0 (mapSeq (λx → let m = reduceSeqUnroll max (..) ∘ asScalar ∘ reduceSeq (...
  type   [N][M]f32                    unchanged
  inner  27 steps        log --expand
  focus  /  ->  /                     11 moves here
> code | grep -c '^kernel'
1
> load tests/programs/mm_nt.fun
mm_nt : [N][K]f32 -> [M][K]f32 -> [N][M]f32
> data N = 1000 M = 1000 K = 1000
> lower
@1  lower                               builtin    from @0
  - map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) Bt) A
  + transpose (concat (transpose (let t = toGlobal ∘ mapGlobal 1 (mapGlobal 0 id) ∘ transpose ∘ t...
  type   [N][M]f32                    unchanged
  inner  90 steps        log --expand
  focus  /  ->  /                     11 moves here
> code | grep -c '^kernel'
4
> load tests/programs/blur.fun
blur : [N][M]f32 -> [3][3]f32 -> [N][M]f32        2 programs; list programs
> data N = 1000 M = 1000
> lower
@1  lower                               builtin    from @0
  - map (map (λnb → reduce (+) 0 (map (*) (zip (..) (join w))))) ∘ slide2 3 1 ∘ pad2 1 1 clamp $ img
  + join ∘ mapWorkgroup 0 (mapSeq (λxss → concat (mapSeq (λnb → reduceSeqUnroll (λ(as, (y0, y1)) ...
  type   [N][M]f32                    unchanged
  inner  14 steps        log --expand
  focus  /  ->  /                     11 moves here
> code | grep -c '^kernel'
1
> load tests/programs/volume.fun
volume : [R][N]f32 -> [R][N](f32, f32, f32) -> [R](f32, f32, f32)
  inlined  t, w: used once (letDuplicate)
> lower
@1  lower                               builtin    from @0
  - map (λ(..) → let a = map (..) s in reduce (λ((a1, b, c1), (d, e, f)) → (a1 + d, b + e, c1 + f...
  + mapGlobal 0 (λ(..) → let a = toGlobal ∘ mapSeq (..) $ s in reduceSeq (λ((acc0, acc1, acc2), (...
  type   [R](f32, f32, f32)           unchanged
  inner  15 steps        log --expand
  focus  /  ->  /                     6 moves here
> code | grep -c '^kernel'
1
> device oclgrind
oclgrind    Oclgrind Simulator
> load tests/programs/attention.fun
attention changed; its earlier derivation is kept as dot.1
attention : [N][D]f32 -> [M][D]f32 -> [M][D]f32 -> [N][D]f32        3 programs; list programs
> data N = 64 M = 64 D = 32
> lower
@1  lower                               builtin    from @0
  - map (λq → let p = let x = map (λk → 0.125 * reduce (+) 0 (map (*) (zip q k))) Kt in let m = r...
  + join (mapWorkgroup 1 (λxss → transpose ∘ join ∘ mapWorkgroup 0 (λxss1 → transpose (join (map ...
  type   [N][D]f32                    unchanged
  inner  183 steps        log --expand
  focus  /  ->  /                     12 moves here
> run -n 1
@1 **
  build **
  verify  OK **
          error 6.5e-07, 0.39 x the source's own; sees changes of 5.9e-06
          every element
          does not see which part a min, max or if leaves out
> load tests/programs/prefix.fun
prefix : [N]f32 -> [N]f32
> data N = 2000
> lower
@1  lower                               builtin    from @0
  - scan (+) 0 x
  + let p = join (mapWorkgroup 0 (λ(o, (p, s)) → join (join (mapSeqUnroll (λ(ys, ys1) → mapLocal ...
  type   [N]f32                       unchanged
  inner  53 steps        log --expand
  focus  /  ->  /                     9 moves here
> run -n 1
@1 **
  build **
  verify  OK **
          error 2.2e-06, 0.11 x the source's own; sees changes of 6e-08
          every element
> set sizes constant
> # what asks of sizes what those that are set do not fulfil is no lowering
> load tests/programs/gemm.fun
gemm : [N][K]f32 -> [K][M]f32 -> [N][M]f32 -> f32 -> f32 -> [N][M]f32
> data N = 100 M = 100 K = 100
> lower gemmCpu
E36 256 divides N does not hold for N=100  K=100  M=100
  from    gemmCpu
  legal   mb = 10, 20, 50, 100
  legal   nb = 4, 20, 100
  legal   kb = 1, 2, 4, 5, 10, 20, 25, 50, 100
  legal   mr = 1, 2, 4, 5, 10, 20, 25, 50, 100
  try     apply gemmCpu{mb=100, nb=20, kb=100, mr=10, w=4} at /
> lower gemmCpu{mb = 100, nb = 20, kb = 100, mr = 10, w = 4}
@1  gemmCpu{mb = 100, nb = 20, kb = 100, mr = 10, w = 4}  builtin    from @0
  - map (λ(..) → map (λ(..) → alpha * p + beta * c) (zip ps cs)) (zip (map (λrow → map (λcol → re...
  + join (mapWorkgroup 1 (λ(y, cs) → transpose (join (mapWorkgroup 0 (λ(y1, cs1) → transpose (joi...
  type   [N][M]f32                    unchanged
  inner  59 steps        log --expand
  focus  /  ->  /                     11 moves here
> let most (xs: [N](i32, f32)) = reduce max (-inf) (map (\(i, x) -> x) xs)
most : [N](i32, f32) -> f32
> lower
@1  lower                               builtin    from @0
  - reduce max (-inf) ∘ map (λ(i, x) → x) $ xs
  + reduceSeq max (..) (mapGlobal 0 (λi → slice 1024 (reduceSeq max (..)) i N ∘ map (λ(i1, x) → x...
  type   f32                          unchanged
  inner  4 steps        log --expand
  focus  /  ->  /                     6 moves here
> export library most
most/most.h written
most/most.c written
most/most.json written
most/CMakeLists.txt written
most/most_test.c written
