> # what lower makes of reductions by index on a CPU and on a GPU
> load tests/programs/histogram.fun
histogram : [N]i32 -> [256]i32
> data N = 8192
> device cpu
**
> lower
@1  lower                               builtin    from @0
  - reduceByIndex (+) (generate 256 (λi → 0)) ∘ map (λx → (band x 255, 1)) $ xs
  + join ∘ mapWorkgroup 0 (asScalar ∘ mapSeqUnroll id ∘ reduceSeq (λ(accs, ys) → mapSeqUnroll (ma...
  type   [256]i32                     unchanged
  inner  20 steps        log --expand
  focus  /  ->  /                     6 moves here
> show
join ∘
  mapWorkgroup 0
    (asScalar ∘
    mapSeqUnroll id ∘
    reduceSeq
      (λ(accs, ys) → mapSeqUnroll (mapVec (+)) (zip accs (asVector 16 ys)))
      (toPrivate (mapSeqUnroll id (asVector 16 (generate 32 (λi → 0))))) ∘
    transpose) ∘
  split 32 ∘
  transpose ∘
  mapWorkgroup 0
    (reduceByIndexSeq (+) (toGlobal (mapSeq id (generate 256 (λi → 0)))) ∘
    mapSeq (λx → (band x 255, 1))) ∘
  split 1024 $ xs
> goto @0
@0  source
    reduceByIndex (+) (generate 256 (λi → 0)) ∘ map (λx → (band x 255, 1)) $ xs
> device oclgrind
oclgrind    Oclgrind Simulator
> lower
@2  lower                               builtin    from @0
  - reduceByIndex (+) (generate 256 (λi → 0)) ∘ map (λx → (band x 255, 1)) $ xs
  + join ∘ mapWorkgroup 0 (mapLocal 0 (reduceSeq (+) 0 ∘ join ∘ toLocalPadded 1 ∘ split (N/1024) ...
  type   [256]i32                     unchanged
  inner  35 steps        log --expand
  focus  /  ->  /                     6 moves here
> show
join ∘
  mapWorkgroup 0
    (mapLocal 0
      (reduceSeq (+) 0 ∘
      join ∘
      toLocalPadded 1 ∘
      split (N/1024) ∘
      mapLocal 1 (reduceSeqUnroll (+) 0 ∘ toPrivate ∘ mapSeqUnroll id) ∘
      transpose ∘
      split (N/1024))) ∘
  split 32 ∘
  transpose ∘
  mapWorkgroup 0
    (join ∘
    mapLocal 1 (mapLocal 0 (reduceSeqUnroll (+) 0)) ∘
    split 32 ∘
    transpose ∘
    toLocal ∘
    mapLocal 1
      (reduceByIndexAtomic
        (+)
        (toLocal
          (join (transpose (mapLocal 0 (mapSeq id) (transpose (split 32 (generate 256 (λi → 0)))))))) ∘
      join ∘
      join ∘
      transpose ∘
      mapLocal 0
        (mapSeq
          (mapSeqUnroll (λx → (band x 255, 1)) ∘ asScalar ∘ toPrivate ∘ mapSeqUnroll id ∘ asVector 4)) ∘
      transpose ∘
      split 32 ∘
      split 4) ∘
    split 128) ∘
  split 1024 $ xs
> code
/* histogram@2  75c1a7b2a15ad06d
 *   @2 lower
 * N=8192
 */

__attribute__((reqd_work_group_size(32, 8, 1)))
kernel void histogram_k0(const global int *restrict xs,
                         global int *restrict tmp)
{
    local int tile[2048] __attribute__((aligned(64)));
    int wg0 = get_group_id(0);
    int l1 = get_local_id(1);
    int l0 = get_local_id(0);
    for (int i = 0; i < 8; i++) {
        tile[32*(i + 8*l1) + l0] = 0;
    }
    int4 r = vload4(32*(l1 + 8*wg0) + l0, xs);
    int at = r.s0 & 255;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&tile[at + 256*l1], 1);
    int at2 = r.s1 & 255;
    atomic_add(&tile[at2 + 256*l1], 1);
    int at3 = r.s2 & 255;
    atomic_add(&tile[at3 + 256*l1], 1);
    int at4 = r.s3 & 255;
    atomic_add(&tile[at4 + 256*l1], 1);
    int acc = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    acc += (uint)tile[l0 + 32*l1];
    acc += (uint)tile[l0 + 32*l1 + 256];
    acc += (uint)tile[l0 + 32*l1 + 512];
    acc += (uint)tile[l0 + 32*l1 + 768];
    acc += (uint)tile[l0 + 32*l1 + 1024];
    acc += (uint)tile[l0 + 32*l1 + 1280];
    acc += (uint)tile[l0 + 32*l1 + 1536];
    acc += (uint)tile[l0 + 32*l1 + 1792];
    tmp[32*(l1 + 8*wg0) + l0] = acc;
}

__attribute__((reqd_work_group_size(32, 8, 1)))
kernel void histogram_k1(global int *restrict out,
                         const global int *restrict tmp)
{
    local int tile[288] __attribute__((aligned(64)));
    int wg0 = get_group_id(0);
    int l1 = get_local_id(1);
    int l0 = get_local_id(0);
    int acc = 0;
    int acc2 = 0;
    int r = tmp[32*(8*l1 + wg0) + l0];
    acc2 += (uint)r;
    tile[9*l0 + l1] = acc2;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 8; i++) {
        acc += (uint)tile[i + 9*l0];
    }
    if (l1 == 0) {
        out[l0 + 32*wg0] = acc;
    }
}
> load tests/programs/centroids.fun
centroids : [P][F]f32 -> [P]i32 -> [C][F]f32 -> [C][F]f32
> data P = 8192 F = 4 C = 10
> lower
@1  lower                               builtin    from @0
  - map (λ(..) → map (..) (..)) (zip (reduceByIndex (λ(..) → (map ..)) (..) (map ..)) old)
  + mapGlobal 1 (λ(..) → mapGlobal 0 (..) (..)) (zip (reduceByIndexAtomic (λ(..) → (mapSeq (+) (....
  type   [C][F]f32                    unchanged
  inner  23 steps        log --expand
  focus  /  ->  /                     4 moves here
> show
mapGlobal 1
  (λ((s, n), o) → mapGlobal 0 (λ(x, y) → if n > 0 then x / f32 n else y) (zip s o))
  (zip
    (reduceByIndexAtomic
      (λ((a, n), (b, m)) → (mapSeq (+) (zip a b), n + m))
      (toGlobal
        (mapGlobal 0
          (λ(v0, v1) → (mapSeq id v0, v1))
          (generate C (λi → (generate F (λi1 → 0.0), 0)))))
      (join
        (mapWorkgroup 0
          (λ(ys, ys1) →
            join
              (transpose
                (mapLocal 0
                  (mapSeq id)
                  (transpose
                    (split 32
                      (zip
                        (iota 32)
                        (reduceByIndexAtomic
                          (λ((a, n), (b, m)) → (mapSeq (+) (zip a b), n + m))
                          (toLocal
                            (join
                              (transpose
                                (mapLocal 0
                                  (mapSeq (λ(v0, v1) → (mapSeq id v0, v1)))
                                  (transpose
                                    (split 32 (generate 32 (λi → (generate F (λi1 → 0.0), 0)))))))))
                          (join
                            (transpose
                              (mapLocal 0
                                (mapSeq (λ(i, p) → (i, (p, 1))))
                                (transpose (split 32 (zip ys ys1)))))))))))))
          (zip (split 128 of) (split 128 points)))))
    old)
> device cpu
**
> goto @0
@0  source
    map (λ((s, n), o) → map (λ(x, y) → if n > 0 then x / f32 n else y) (zip s o)) (zip (reduceByI...
> lower
@2  lower                               builtin    from @0
  - map (λ(..) → map (..) (..)) (zip (reduceByIndex (λ(..) → (map ..)) (..) (map ..)) old)
  + mapGlobal 1 (λ(..) → mapGlobal 0 (..) (..)) (zip (reduceByIndexSeq (λ(..) → (mapSeq (+) (..),...
  type   [C][F]f32                    unchanged
  inner  21 steps        log --expand
  focus  /  ->  /                     4 moves here
> show
mapGlobal 1
  (λ((s, n), o) → mapGlobal 0 (λ(x, y) → if n > 0 then x / f32 n else y) (zip s o))
  (zip
    (reduceByIndexSeq
      (λ((a, n), (b, m)) → (mapSeq (+) (zip a b), n + m))
      (toGlobal
        (mapSeq (λ(v0, v1) → (mapSeq id v0, v1)) (generate C (λi → (generate F (λi1 → 0.0), 0)))))
      (mapSeq
        id
        (join
          (mapWorkgroup 0
            (λ(ys, ys1) →
              zip
                (mapSeq id (iota C))
                (reduceByIndexSeq
                  (λ((a, n), (b, m)) → (mapSeq (+) (zip a b), n + m))
                  (toGlobal
                    (mapSeq
                      (λ(v0, v1) → (mapSeq id v0, v1))
                      (generate C (λi → (generate F (λi1 → 0.0), 0)))))
                  (mapSeq (λ(i, p) → (i, (p, 1))) (zip ys ys1))))
            (zip (split 128 of) (split 128 points))))))
    old)
> load tests/programs/scatter_add.fun
scatter_add : [K]f32 -> [N]i32 -> [N]f32 -> [K]f32
> data N = 8192 K = 100000
> device oclgrind
oclgrind    Oclgrind Simulator
> lower
@1  lower                               builtin    from @0
  - reduceByIndex (+) d (zip is xs)
  + reduceByIndexAtomic (+) (toGlobal ∘ mapGlobal 0 id $ d) (join (mapGlobal 0 (mapSeqUnroll id ∘...
  type   [K]f32                       unchanged
  inner  8 steps        log --expand
  focus  /  ->  /                     4 moves here
> show
reduceByIndexAtomic
  (+)
  (toGlobal ∘ mapGlobal 0 id $ d)
  (join
    (mapGlobal 0
      (mapSeqUnroll id ∘ asScalar ∘ toPrivate ∘ mapSeqUnroll id ∘ asVector 4)
      (split 4 (zip is xs))))
> load tests/programs/row_histograms.fun
row_histograms : [H][W]i32 -> [H][16]i32
> data H = 7 W = 512
> lower
@1  lower                               builtin    from @0
  - map (reduceByIndex (+) (generate 16 (λi → 0)) ∘ map (λx → (x + 8, 1))) rows
  + mapWorkgroup 0 (join ∘ mapLocal 1 (mapLocal 0 (reduceSeqUnroll (+) 0)) ∘ split 4 ∘ take 16 ∘ ...
  type   [H][16]i32                   unchanged
  inner  23 steps        log --expand
  focus  /  ->  /                     4 moves here
> show
mapWorkgroup 0
  (join ∘
  mapLocal 1 (mapLocal 0 (reduceSeqUnroll (+) 0)) ∘
  split 4 ∘
  take 16 ∘
  transpose ∘
  toLocal ∘
  mapLocal 1
    (reduceByIndexAtomic
      (+)
      (toLocal
        (join (transpose (mapLocal 0 (mapSeq id) (transpose (split 32 (generate 32 (λi → 0)))))))) ∘
    join ∘
    join ∘
    transpose ∘
    mapLocal 0
      (mapSeq (mapSeqUnroll (λx → (x + 8, 1)) ∘ asScalar ∘ toPrivate ∘ mapSeqUnroll id ∘ asVector 4)) ∘
    transpose ∘
    split 32 ∘
    split 4) ∘
  split (W/4))
  rows
> load tests/programs/latest.fun
latest : [N]i32 -> [N]f32 -> [7](f32, i32)
> data N = 8192
> lower
@1  lower                               builtin    from @0
  - reduceByIndex (..) (generate 7 (λi → (-inf, -1))) (zip is (zip xs (iota N)))
  + join (mapWorkgroup 0 (mapLocal 0 (reduceSeq (..) (..) ∘ join ∘ toLocalPadded 1 ∘ split (N/256...
  type   [7](f32, i32)                unchanged
  inner  26 steps        log --expand
  focus  /  ->  /                     5 moves here
> show
join
  (mapWorkgroup 0
    (mapLocal 0
      (reduceSeq (λ((x, i), (y, j)) → if y > x then (y, j) else (x, i)) (-inf, -1) ∘
      join ∘
      toLocalPadded 1 ∘
      split (N/256) ∘
      mapLocal 1
        (reduceSeqUnroll (λ((x, i), (y, j)) → if y > x then (y, j) else (x, i)) (-inf, -1) ∘
        asScalar ∘
        toPrivate ∘
        mapSeqUnroll id ∘
        asVector 4) ∘
      split 8))
    (toGlobal
      (split 7
        (transpose
          (mapGlobal 0
            (λ(as, bs, bs1) →
              reduceByIndexSeq
                (λ((x, i), (y, j)) → if y > x then (y, j) else (x, i))
                (toGlobal (mapSeq id (generate 7 (λi → (-inf, -1)))))
                (mapSeq (λ(as1, bs2, bs3) → (as1, (bs2, bs3))) (zip as bs bs1)))
            (zip (split 32 is) (split 32 xs) (split 32 (iota N))))))))
> # arrays that no group has room for: scalar by scalar, so that neighbours update neighbours
> let gradient (at: [N]i32) (g: [N][D]f32) = reduceByIndex (\a b -> zipWith (+) a b) (replicate V (replicate D 0.0)) (zip at g)
gradient : [N]i32 -> [N][D]f32 -> [V][D]f32
  size     V, which is the length of no input: data V = ...
> data N = 1003, V = 4099, D = 5, at = random(1, -2, 4100)
> set target h200
> lower --explain | grep byIndex
             byIndexFlat()
> lower | head -1
@1  lower                               builtin    from @0
> code | grep ") : -1"
        int at2 = i >= 0 && (i < 4099) ? (int)((uint)5 * i + gid0) : -1;
> run -n 1
@1  oclgrind Oclgrind Simulator   N=1003  D=5  V=4099   WG 64 x 321   WG 5x1 x 1x1003
  build   - ms        2 kernels   local 0 B/WG   private 0 B
  verify  OK   3 inputs x 1 repeat; input 1 exact
          exact; sees changes of 6e-08
          every element
> goto @0
@0  source
    reduceByIndex (λ(a, b) → map (+) (zip a b)) (generate V (λi → generate D (λi1 → 0.0))) (zip a...
> set sizes argument
> lower | head -1
@2  lower                               builtin    from @0
> run -n 1 | grep verify
  verify  OK   3 inputs x 1 repeat; input 1 exact
