> # a loop over an array by the work-items of one group: its state in local memory, sums of a step in parts, rows that are scanned by all
> set target h200
> let settle (x: [N]f32) = loop 9 (\y i -> let n = sqrt (reduce (+) 0 (map (\v -> v * v) y)) in map (\w -> (w[1] + 0.25 * (w[0] - 2 * w[1] + w[2])) / n + 1) (slide 3 1 (pad 1 1 clamp y))) x
settle : [N]f32 -> [N]f32
> data N = 700
> lower
@1  lower                               builtin    from @0
  - loop 9 (λy _ → let n = sqrt ∘ reduce (+) 0 ∘ map (λv → v * v) $ y in map (λw → (w[1] + 0.25 *...
  + join (mapWorkgroup 0 (λi → mapLocal 0 id (loop 9 (λy _ → let t = toLocal (mapLocal 0 (λi1 → r...
  type   [N]f32                       unchanged
  inner  33 steps        log --expand
  focus  /  ->  /                     8 moves here
> code
/* settle@1  db2f1903eab1018c
 *   @1 lower
 * N=700
 */

#pragma OPENCL FP_CONTRACT OFF

__attribute__((reqd_work_group_size(700, 1, 1)))
kernel void settle_k0(const global float *restrict x,
                      global float *restrict out)
{
    local float y[700] __attribute__((aligned(64)));
    local float tile2[16] __attribute__((aligned(64)));
    local float tile3[700] __attribute__((aligned(64)));
    local float *tile = tile3;
    int l0 = get_local_id(0);
    y[l0] = x[l0];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 9; i++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l0 < 128) {
            float acc = 0.0f;
            #pragma unroll
            for (int j = 0; j < 6; j++) {
                acc += j + 6*l0 < 700 ? y[j + 6*l0] * y[j + 6*l0] : 0.0f;
            }
            tile[l0] = acc;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l0 < 16) {
            float acc2 = 0.0f;
            acc2 += tile[8*l0];
            acc2 += tile[8*l0 + 1];
            acc2 += tile[8*l0 + 2];
            acc2 += tile[8*l0 + 3];
            acc2 += tile[8*l0 + 4];
            acc2 += tile[8*l0 + 5];
            acc2 += tile[8*l0 + 6];
            acc2 += tile[8*l0 + 7];
            tile2[l0] = acc2;
        }
        float acc3 = 0.0f;
        barrier(CLK_LOCAL_MEM_FENCE);
        #pragma unroll
        for (int j = 0; j < 16; j++) {
            acc3 += tile2[j];
        }
        tile3[l0] = fma(0.25f, y[max(0, l0 - 1)] - 2.0f * y[l0] + y[min(699, l0 + 1)],
                y[l0]) / sqrt(acc3) + 1.0f;
        barrier(CLK_LOCAL_MEM_FENCE);
        y[l0] = tile3[l0];
    }
    out[l0] = y[l0];
}
> run
@1  pocl0 **
  build   - ms        local 5.5 KiB/WG   private 1.0 KiB
  verify  OK   3 inputs x 2 repeats
          error 4.8e-08, 0.17 x the source's own; sees changes of 6e-08
          every element
  time    - ms median of 20  (IQR -, min -)    - GFLOP/s   - GB/s
> let align (penalty: i32) (top: [M+1]i32) (left: [N]i32) (ref: [N][M]i32) = scanSeq (\(above, (first, r)) -> let from = zipWith3 (\(diag, up, x) -> max (diag + x) (up - penalty)) (take M above) (drop 1 above) r in zipWith (\(best, j) -> best - j * penalty) (scan max (-1000000000) (zipWith (\(v, j) -> v + j * penalty) (concat [first] from) (iota (M + 1)))) (iota (M + 1))) top (zip left ref)
align : i32 -> [M + 1]i32 -> [N]i32 -> [N][M]i32 -> [N][M + 1]i32
  inlined  from: used once (letDuplicate)
> data N = 7, M = 150
> lower
@1  lower                               builtin    from @0
  - scanSeq (λ(..) → map (λ(best, j) → best - j * penalty) (zip (scan max (..) (map (λ(v, j) → v ...
  + join (mapWorkgroup 0 (λi → mapSeq (mapLocal 0 id) (scanSeq (λ(..) → let t = toLocal (mapLocal...
  type   [N][M + 1]i32                unchanged
  inner  50 steps        log --expand
  focus  /  ->  /                     12 moves here
> show
join
  (mapWorkgroup 0
    (λi →
      mapSeq
        (mapLocal 0 id)
        (scanSeq
          (λ(above, (first, r)) →
            let t = toLocal
              (mapLocal 0
                id
                (take (M + 1)
                  (let p = toPrivate
                    (mapLocal 0
                      (scanSeqUnroll
                        (λ(acc, y) →
                          max
                            acc
                            (if y < (M + 1 : size)
                              then (if y < 1
                                then first
                                else max (above[y - 1] + r[y - 1]) (above[y] - penalty)) +
                                y * penalty
                              else -1000000000))
                        (-1000000000) ∘
                      asScalar ∘
                      toPrivate ∘
                      mapSeqUnroll id ∘
                      asVector 4)
                      (split 4 (iota (M + (-((M + 1) % 128)) % 128 + 1))))
                  in join
                    (toLocal
                      (mapLocal 0
                        (λ(c, o) → asScalar ∘ mapSeqUnroll (mapVec (λv → max o v)) ∘ asVector 4 $ c)
                        (zip
                          p
                          (take ((M + (-((M + 1) % 128)) % 128 + 1)/4)
                            (padConst 1 0
                              (-1000000000)
                              (let p1 = toPrivate ∘
                                mapLocal 0
                                  (scanSeqUnroll max (-1000000000) ∘
                                  asScalar ∘
                                  toPrivate ∘
                                  mapSeqUnroll id ∘
                                  asVector 4) ∘
                                split 16 ∘
                                toLocal ∘
                                mapLocal 0 (λc → c[4 - 1]) $ p
                              in join
                                (toLocal
                                  (mapLocal 0
                                    (λ(c, o) →
                                      asScalar ∘
                                        mapSeqUnroll (mapVec (λv → max o v)) ∘
                                        asVector 4 $ c)
                                    (zip
                                      p1
                                      (take ((M + (-((M + 1) % 128)) % 128 + 1)/64) ∘
                                        padConst 1 0 (-1000000000) ∘
                                        join ∘
                                        toLocal ∘
                                        mapLocal 0 (scanSeq max (-1000000000)) ∘
                                        split ((M + (-((M + 1) % 128)) % 128 + 1)/64) ∘
                                        toLocal ∘
                                        mapLocal 0 (λc → c[16 - 1]) $ p1)))))))))))))
            in mapLocal 0 (λi1 → t[i1] - i1 * penalty) (iota (M + 1)))
          (toLocal ∘ mapLocal 0 id $ top)
          (zip left ref)))
    (iota 1))
> run
@1  pocl0 **
  build   - ms        local 2.2 KiB/WG   private 1.0 KiB
  warning private array p stays an array: each work-item takes several elements of a mapLocal 0 (local size 1)
  warning private array p2 stays an array: each work-item takes several elements of a mapLocal 0 (local size 1)
  verify  OK   3 inputs x 2 repeats, 61 x 1; input 1 exact
          exact
          every element
          sees a part of 1/21 that a min, max or if leaves out
  time    - ms median of 20  (IQR -, min -)    - GB/s
> # what does not fit there lies in global memory
> let lu (A: [N][N]f64) = loop N (\a s -> map (\(r, i) -> let f = r[s] / a[s][s] in map (\(x, y, j) -> if i > s && j > s then x - f * y else if i > s && j == s then f else x) (zip r a[s] (iota N))) (zip a (iota N))) A
lu : [N][N]f64 -> [N][N]f64
> data N = 61
> apply loopInGroup at /
@1  loopInGroup  at /                   builtin    from @0
  - loop N (λa s → map (λ(r, i) → let f = r[s] / a[s][s] in map (λ(x, y, j) → if i > s && j > s t...
  + join (mapWorkgroup 0 (λi → split N (mapLocal 0 id (join (loop N (λa s → split N (mapLocal 0 i...
  type   [N][N]f64                    unchanged
  inner  19 steps        log --expand
  focus  /  ->  /                     12 moves here
> show
join
  (mapWorkgroup 0
    (λi →
      split N
        (mapLocal 0
          id
          (join
            (loop N
              (λa s →
                split N
                  (mapLocal 0
                    id
                    (join
                      (toGlobal
                        (split N
                          (take (N*N)
                            (mapLocal 0
                              (λi1 →
                                let t = a[min i1 ((N*N : size) - 1) // N][s] / a[s][s]
                                in if min i1 ((N*N : size) - 1) // N > s &&
                                    min i1 ((N*N : size) - 1) % N > s
                                  then a[min i1 ((N*N : size) - 1) // N][min i1 ((N*N : size) - 1) %
                                    N] -
                                t * a[s][min i1 ((N*N : size) - 1) % N]
                                  else if min i1 ((N*N : size) - 1) // N > s &&
                                      min i1 ((N*N : size) - 1) % N == s
                                    then t
                                    else a[min i1 ((N*N : size) - 1) // N][min i1 ((N*N : size) - 1) %
                                      N])
                              (iota (N*N + (-(N*N % 256)) % 256)))))))))
              (toGlobal ∘ split N ∘ mapLocal 0 id ∘ join $ A)))))
    (iota 1))
> run
@1  pocl0 **
  build   - ms        local 0 B/WG   private 1.0 KiB
  verify  OK   3 inputs x 2 repeats
          exact; sees changes of 3.3e-13
          every element
  time    - ms median of 20  (IQR -, min -)    - GFLOP/s   - GB/s
> apply loopInGroup at /in
E23 loopInGroup fails at /in
  found   mapWorkgroup 0 (\i -> split N (mapLocal 0 id ..)) (iota 1)
> # a group for each element of a map of loops
> let squares (A: [N][12][12]f32) = map (\a -> loop 11 (\x s -> generate 12 (\i -> generate 12 (\j -> let f = x[i][s] / x[s][s] in if i > s && j > s then x[i][j] - f * x[s][j] else if i > s && j == s then f else x[i][j]))) (map (map (\v -> v + 2)) a)) A
squares : [N][12][12]f32 -> [N][12][12]f32
> data N = 50
> lower --explain
#1 /         map (\a -> loop 11 (\x s -> ..) (map (map (\v -> ..)) a)) A
  group loops 5.86 us   0.56 of the bound
             loopInGroup
  takes      start 3.3 us, chain 2.03 us, arithmetic 1.09 us, control 150 ns
  bound      3.3 us   launches
  or         24.5 us   plain       lower lowerAs("plain")
  or         33.4 us   functions   lower lowerAs("functions")
in all       5.86 us on a GPU   0.56 of the bound: 3.3 us, launches
> lower
@1  lower                               builtin    from @0
  - map (λa → loop 11 (λx s → generate 12 (λi → generate 12 (λj → let f = x[i][s] / x[s][s] in if...
  + mapWorkgroup 0 (λa → split 12 (mapLocal 0 id (join (loop 11 (λx s → split 12 (mapLocal 0 id (...
  type   [N][12][12]f32               unchanged
  inner  30 steps        log --expand
  focus  /  ->  /                     14 moves here
> show
mapWorkgroup 0
  (λa →
    split 12
      (mapLocal 0
        id
        (join
          (loop 11
            (λx s →
              split 12
                (mapLocal 0
                  id
                  (join
                    (toLocal
                      (split 12
                        (mapLocal 0
                          (λi →
                            let t = x[i // 12][s] / x[s][s]
                            in if i // 12 > s && i % 12 > s
                              then x[i // 12][i % 12] - t * x[s][i % 12]
                              else if i // 12 > s && i % 12 == s then t else x[i // 12][i % 12])
                          (iota 144)))))))
            (toLocal (split 12 (mapLocal 0 (λi → a[i // 12][i % 12] + 2) (iota 144))))))))
  A
> run
@1  pocl0 **
  build   - ms        local 0 B/WG   private 1.0 KiB
  verify  OK   3 inputs x 2 repeats
          error 1.5e-06, 0.067 x the source's own; sees changes of 1.1e-05
          every element
          820 values are inf or NaN in the reference: no tolerance there
  time    - ms median of 20  (IQR -, min -)    - GFLOP/s   - GB/s
> # what takes a loop for each element is made in its group, too: a number of it, or an array
> let best (move: [S][S]f32) (scores: [B][T][S]f32) = map (\seq -> maximum (loop T (\v t -> map (\(col, e) -> maximum (map (+) (zip col v)) + e) (zip (transpose move) seq[t])) (replicate S 0.0))) scores
best : [S][S]f32 -> [B][T][S]f32 -> [B]f32
> data S = 37
> data B = 3
> data T = 4
> lower | head -1
@1  lower                               builtin    from @0
> code | grep -e '^kernel' -e 'for (' -e barrier
kernel void best_k0(const global float *restrict move,
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 4; i++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < 37; j++) {
        barrier(CLK_LOCAL_MEM_FENCE);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 37; i++) {
> run -n 1 | grep verify
  verify  OK   3 inputs x 2 repeats, 61 x 1; input 1 exact
> let scaled (x: [N][M]f32) = map (\r -> map (\v -> v * 2 + 1) (loop 5 (\s i -> map sum (slide 3 1 (pad 1 1 clamp s))) r)) x
scaled : [N][M]f32 -> [N][M]f32
> data N = 3
> data M = 333
> lower | head -1
@1  lower                               builtin    from @0
> code | grep -e '^kernel' -e 'for (' -e barrier -e out
kernel void scaled_k0(const global float *restrict x,
                      global float *restrict out)
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 5; i++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        barrier(CLK_LOCAL_MEM_FENCE);
    out[l0 + 333*wg0] = tile[l0] * 2.0f + 1.0f;
> run -n 1 | grep verify
  verify  OK   3 inputs x 2 repeats; input 1 exact
