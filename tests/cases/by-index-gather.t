> # a reduction by index whose index is a number of its pairs and others: each element takes its pairs
> let spread (x: [N]f32) (w: [K]f32) = reduceByIndex (+) (replicate (N + K - 1) 0) (join (map (\(i, a) -> map (\(j, b) -> (i + j, a * b)) (zip (iota K) w)) (zip (iota N) x)))
spread : [N]f32 -> [K]f32 -> [K + N - 1]f32
> apply reduceByIndexGather(1)
@1  reduceByIndexGather(1)  at /        builtin    from @0
  - reduceByIndex (+) (generate (..) (λi → 0.0)) (join (map (λ(i, a) → map (λ(j, b) → (i + j, a *...
  + generate (..) (λi → reduce (+) 0 (generate K (λr → if i - r >= 0 && i - r < N then x[i - r] *...
  type   [K + N - 1]f32               unchanged
  focus  /  ->  /                     10 moves here
> show
generate (K + N - 1)
  (λi → reduce (+) 0 (generate K (λr → if i - r >= 0 && i - r < N then x[i - r] * w[r] else 0)))
> set target h200
> data N = 1000000
> data K = 5
> goto @0
@0  source
    reduceByIndex (+) (generate (K + N - 1) (λi → 0.0)) (join (map (λ(i, a) → map (λ(j, b) → (i +...
> lower --explain | head -5
#1           generate (K + N - 1) (\i -> reduce (+) 0 ..)
  items      9.24 us   0.36 of the bound: a work-item for an element
  takes      accesses 5.06 us, start 3.3 us, arithmetic 2.26 us, memory 1.93 us
  bound      3.3 us   launches
in all       9.24 us on a GPU   0.36 of the bound: 3.3 us, launches
> data N = 97
> lower
@2  lower                               builtin    from @0
  - reduceByIndex (+) (generate (..) (λi → 0.0)) (join (map (λ(i, a) → map (λ(j, b) → (i + j, a *...
  + mapGlobal 0 (λi → reduceSeq (λ(acc, y) → acc + (if i - y >= 0 && i - y < N then x[i - y] * w[...
  type   [K + N - 1]f32               unchanged
  inner  7 steps        log --expand
  focus  /  ->  /                     5 moves here
> run | grep verify
  verify  OK   3 inputs x 2 repeats; input 1 exact
> # each third place, from the second number's side
> let thirds (x: [N][4]f32) = reduceByIndex (+) (replicate (3 * N + 1) 0) (join (map (\(i, r) -> map (\(j, a) -> (3 * i + j, a)) (zip (iota 4) r)) (zip (iota N) x)))
thirds : [N][4]f32 -> [3*N + 1]f32
> apply reduceByIndexGather(1)
@1  reduceByIndexGather(1)  at /        builtin    from @0
  - reduceByIndex (+) (generate (..) (λi → 0.0)) (join (map (λ(i, r) → map (λ(j, a) → (3 * i + j,...
  + generate (..) (λi → reduce (+) 0 (generate 2 (λr → if i % 3 + r * 3 < 4 then if i // 3 - r >=...
  type   [3*N + 1]f32                 unchanged
  focus  /  ->  /                     10 moves here
> show
generate (3*N + 1)
  (λi →
    reduce
      (+)
      0
      (generate 2
        (λr →
          if i % 3 + r * 3 < 4
            then if i // 3 - r >= 0 && i // 3 - r < N then x[i // 3 - r][i % 3 + r * 3] else 0
            else 0)))
> data N = 50
> eval | grep hash
  hash 133d61a4deebefd9
> goto @0
@0  source
    reduceByIndex (+) (generate (3*N + 1) (λi → 0.0)) (join (map (λ(i, r) → map (λ(j, a) → (3 * i...
> eval | grep hash
  hash 133d61a4deebefd9
> # pictures: the index counts rows of a length, and in each; each element takes those of a window
> let stamped (x: [H][W]i32) (w: [3][3]i32) = split (W + 2) (reduceByIndex (+) (replicate ((H + 2) * (W + 2)) 0) (join (join (join (map (\(i, r) -> map (\(j, a) -> map (\(u, h) -> map (\(v, b) -> ((i + u) * (W + 2) + j + v, a * b)) (zip (iota 3) h)) (zip (iota 3) w)) (zip (iota W) r)) (zip (iota H) x))))))
stamped : [H][W]i32 -> [3][3]i32 -> [H + 2][W + 2]i32
> apply reduceByIndexGather(12) at /in
@1  reduceByIndexGather(12)  at /in     builtin    from @0
  - reduceByIndex (+) (generate (..) (λi → 0)) (join (join (join (map (λ(i, r) → map (λ(j, a) → m...
  + generate (..) (λi → reduce (+) 0 (generate 3 (λr → reduce (+) 0 (generate 3 (λs → if (i // (....
  type   [H*W + 2*H + 2*W + 4]i32     unchanged
  focus  /  ->  /                     11 moves here
> show
split (W + 2)
  (generate (H*W + 2*H + 2*W + 4)
    (λi →
      reduce
        (+)
        0
        (generate 3
          (λr →
            reduce
              (+)
              0
              (generate 3
                (λs →
                  if (i // (W + 2) - r >= 0 && i // (W + 2) - r < H) &&
                      i % (W + 2) - s >= 0 && i % (W + 2) - s < W
                    then x[i // (W + 2) - r][i % (W + 2) - s] * w[r][s]
                    else 0))))))
> data H = 5
> data W = 7
> eval | grep hash
  hash e902fec6ddc3f91a
> goto @0
@0  source
    split (W + 2) (reduceByIndex (+) (generate (H*W + 2*H + 2*W + 4) (λi → 0)) (join (join (join ...
> eval | grep hash
  hash e902fec6ddc3f91a
> # an index that data say has no such form
> let counts (x: [N]i32) = reduceByIndex (+) (replicate 8 0) (map (\v -> (v, 1)) x)
counts : [N]i32 -> [8]i32
> apply reduceByIndexGather(1)
E21 reduceByIndexGather does not apply at /
  rule    reduceByIndex f (generate n (\i -> z)) x  =>  elementGather (reduceByIndex f (generate n (\i -> z)) x)  when associative f and commutative f and restarts z f
  needs   a right side that fits
  found   the index is no sum of these numbers of its 1, at most 16 times the last, and others
  when    associative f: yes, known of +
  when    commutative f: yes, known of +
  when    restarts z f: yes, known of +
  instead reduceByIndexParts, reduceByIndexTwice, reduceByIndexStrided at /
> # few rows: a group for a part of a row; few elements whose order counts: an item has its own
> load tests/programs/row_histograms.fun
row_histograms : [H][W]i32 -> [H][16]i32
> data H = 3
> data W = 4194304
> lower --explain | grep -E "rows by|in all|helps"
  rows by index 27.4 us   0.44 of the bound
  helps      vectors from memory, elements kept in registers
in all       27.4 us on a GPU   0.44 of the bound: 12.1 us, memory
> data W = 40960
> data rows = random(1, -8, 12)
> lower
@1  lower                               builtin    from @0
  - map (reduceByIndex (+) (generate 16 (λi → 0)) ∘ map (λx → (x + 8, 1))) rows
  + let t = mapWorkgroup 1 (transpose ∘ mapWorkgroup 0 (join ∘ mapLocal 1 (mapLocal 0 (reduceSeqU...
  type   [H][16]i32                   unchanged
  inner  33 steps        log --expand
  focus  /  ->  /                     13 moves here
> run | grep verify
  verify  OK   3 inputs x 2 repeats; input 1 exact
> load tests/programs/latest.fun
latest : [N]i32 -> [N]f32 -> [7](f32, i32)
> data N = 1048576
> lower --explain | grep -E "byIndex|in all"
             byIndexApartGpu{chunk=8, items=128}
in all       12.9 us on a GPU   0.26 of the bound: 3.3 us, launches
