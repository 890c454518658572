> # sums over the same numbers that read the same are one, of pairs
> set repeats 1
> set seeds 1
> let both (k: [K]f32) (x: [X]f32) = (map (\a -> reduce (+) 0 (map (\b -> cos (a * b)) k)) x, map (\a -> reduce (+) 0 (map (\b -> sin (a * b)) k)) x)
both : [K]f32 -> [X]f32 -> ([X]f32, [X]f32)
> apply sumsInOnePass
@1  sumsInOnePass  at /                 builtin    from @0
  - (map (λa → reduce (+) 0 ∘ map (λb → cos (a * b)) $ k) x, map (λa → reduce (+) 0 ∘ map (λb → s...
  + let t = generate X (λi → reduce (λ((acc, x1), (x2, x3)) → (acc + x2, x1 + x3)) (0, 0) (genera...
  type   ([X]f32, [X]f32)             unchanged
  inner  2 steps        log --expand
  focus  /  ->  /                     3 moves here
> show
let t = generate X
  (λi →
    reduce
      (λ((acc, x1), (x2, x3)) → (acc + x2, x1 + x3))
      (0, 0)
      (generate K (λr → let t = x[i] * k[r] in (cos t, sin t))))
in (generate X (λi → t[i].0), generate X (λi → t[i].1))
  shorter  let t = map (λr → reduce (λ((acc, x1), (x2, x3)...        apply indicesToElements
> # a mean and the squares about it
> let norm (x: [N][C][M]f32) = map (map (\r -> let m = reduce (+) 0 r / f32 M in let v = reduce (+) 0 (map (\a -> (m - a) * (m - a)) r) / f32 M in map (\a -> (a - m) / sqrt (v + 1e-5)) r)) x
norm : [N][C][M]f32 -> [N][C][M]f32
> apply sumsInOnePass
@1  sumsInOnePass  at /                 builtin    from @0
  - map (map (λr → let m = reduce (+) 0 r / f32 M in let v = (reduce (+) 0 ∘ map (λa → (m - a) * ...
  + let t = generate N (λi → generate C (λj → reduce (λ((n, a, s), (k, b, t)) → let m = n + k in ...
  type   [N][C][M]f32                 unchanged
  inner  2 steps        log --expand
  focus  /  ->  /                     13 moves here
> show
let t = generate N
  (λi →
    generate C
      (λj →
        reduce
          (λ((n, a, s), (k, b, t)) →
            let m = n + k
            in let w = if m == 0 then 0 else k / m
            in let d = b - a in (m, a + d * w, s + t + d * d * n * w))
          (0, 0, 0)
          (generate M (λr → (1.0, x[i][j][r], 0.0)))))
in generate N
  (λi →
    generate C (λj → generate M (λk → (x[i][j][k] - t[i][j].1) / sqrt (t[i][j].2 / f32 M + 1e-5))))
  shorter  map (λ(r, r1) → map (λ(r2, (r0, r11, r21)) → ma...        apply indicesToElements
> data N = 3
> data C = 2
> data M = 130
> lower lowerNests
@2  lowerNests                          builtin    from @1
  - let t = generate N (λi → generate C (λj → reduce (..) (..) (generate M (λr → (1.0, x[i][j][r]...
  + let t = split C (mapGlobal 0 (λi → reduceSeq (..) (..) (generate M (λr → (1.0, x[i // C][i % ...
  type   [N][C][M]f32                 unchanged
  inner  10 steps        log --expand
  focus  /  ->  /                     14 moves here
> device oclgrind
oclgrind    Oclgrind Simulator
> goto @1
@1  sumsInOnePass
    let t = generate N (λi → generate C (λj → reduce (λ((n, a, s), (k, b, t)) → let m = n + k in ...
> lower lowerNests
@3  lowerNests                          builtin    from @1
  - let t = generate N (λi → generate C (λj → reduce (..) (..) (generate M (λr → (1.0, x[i][j][r]...
  + let t = split C (take (C*N) (join (mapWorkgroup 0 (mapLocal 1 (λi → reduceSeq (..) (..) (toLo...
  type   [N][C][M]f32                 unchanged
  inner  18 steps        log --expand
  focus  /  ->  /                     14 moves here
> run
@3  oclgrind Oclgrind Simulator   N=3  C=2  M=130   WG 32x4 x 2x1   WG 130x1x1 x 1x2x3
  build   - ms        2 kernels   local 1.5 KiB/WG   private 0 B
  verify  OK   1 input x 1 repeat
          error 9e-07, 0.68 x the source's own; sees changes of 6e-08
          every element
> # about what is no mean they are not
> let about (x: [N][M]f32) = map (\r -> let m = reduce (+) 0 r / 2 in let v = reduce (+) 0 (map (\a -> (a - m) * (a - m)) r) in map (\a -> a - m * v) r) x
about : [N][M]f32 -> [N][M]f32
> apply sumsInOnePass
E23 sumsInOnePass fails at /
  after   elementForm at /
  needs   two sums over the same numbers that read the same, or a mean and the squares about it
  found   let t = generate N (\i -> ..) in let t1 = .. in ..
> # all of a matrix
> let all (x: [N][M]f32) = let m = reduce (+) 0 (join x) / f32 (N * M) in let v = reduce (+) 0 (map (\a -> (a - m) * (a - m)) (join x)) in map (map (\a -> (a - m) / sqrt (v + 1))) x
all : [N][M]f32 -> [N][M]f32
> apply sumsInOnePass
@1  sumsInOnePass  at /                 builtin    from @0
  - let m = (reduce (+) 0 ∘ join $ x) / f32 (N * M) in let v = reduce (+) 0 ∘ map (λa → (a - m) *...
  + let (t, x1, x2) = reduce (λ((n, a, s), (k, b, t)) → let m = n + k in let w = if m == 0 then 0...
  type   [N][M]f32                    unchanged
  inner  2 steps        log --expand
  focus  /  ->  /                     12 moves here
> show
let (t, x1, x2) = reduce
  (λ((n, a, s), (k, b, t)) →
    let m = n + k
    in let w = if m == 0 then 0 else k / m in let d = b - a in (m, a + d * w, s + t + d * d * n * w))
  (0, 0, 0)
  (generate (M*N) (λr → (1.0, x[r // M][r % M], 0.0)))
in generate N (λi → generate M (λj → (x[i][j] - x1) / sqrt (x2 + 1)))
  shorter  let (t, x1, x2) = reduce (λ((n, a, s), (k, b, t...        apply indicesToElements
> check elementsTogether
elementsTogether holds on 500 instances, seed 1
> # what a choice guards is not read outside of it
> let guarded (x: [N][M]f32) = map (\r -> let m = reduce (+) 0 (generate M (\i -> if i > 0 then r[i - 1] * r[i - 1] else r[i])) in let b = reduce max (-inf) (generate M (\i -> if i > 0 then r[i - 1] * r[i - 1] else 0)) in map (\a -> a * m + b) r) x
guarded : [N][M]f32 -> [N][M]f32
> apply sumsInOnePass
@1  sumsInOnePass  at /                 builtin    from @0
  - map (λr → let m = reduce (+) 0 (generate M (λi → if i > 0 then r[i - 1] * r[i - 1] else r[i])...
  + let t = generate N (λi → reduce (λ((acc, x1), (x2, x3)) → (acc + x2, max x1 x3)) (0, -inf) (g...
  type   [N][M]f32                    unchanged
  inner  2 steps        log --expand
  focus  /  ->  /                     12 moves here
> show
let t = generate N
  (λi →
    reduce
      (λ((acc, x1), (x2, x3)) → (acc + x2, max x1 x3))
      (0, -inf)
      (generate M
        (λr →
          let t = r > 0
          in (if t then x[i][r - 1] * x[i][r - 1] else x[i][r],
            if t then x[i][r - 1] * x[i][r - 1] else 0))))
in generate N (λi → generate M (λj → x[i][j] * t[i].0 + t[i].1))
  shorter  map (λ(r, (r0, r1)) → map (λa → a * r0 + r1) r)...        apply indicesToElements
> data N = 2
> data M = 5
> eval @0
@0  [2][5]f32    N=2  M=5
  [[0.2357775, 0.9442109, 0.031347573, 0.35571244, 0.9239828], [3.461762, 1.0426033, -0.7262283, ...]]
  hash 1bf072145bf8a01c
> eval @1
@1  [2][5]f32    N=2  M=5
  [[0.2357775, 0.9442109, 0.031347573, 0.35571244, 0.9239828], [3.461762, 1.0426033, -0.7262283, ...]]
  hash 1bf072145bf8a01c
> # sums that are results themselves and share what they read with another that is one
> let moments (x: [N]f32) (y: [N]f32) = let cx = sum x / f32 N in let cy = sum y / f32 N in (minimum x, sum (map (\v -> (v - cx) * (v - cx)) x) / f32 N, sum (map (\(v, w) -> (v - cx) * (w - cy)) (zip x y)) / f32 N, sum (map (\w -> (w - cy) * (w - cy)) y) / f32 N)
moments : [N]f32 -> [N]f32 -> (f32, f32, f32, f32)
> data N = 1003
> lower
@1  lower                               builtin    from @0
  - let cx = reduce (+) 0 x / f32 N in let cy = reduce (+) 0 y / f32 N in (reduce min inf x, (red...
  + let (t, x1) = at 0 (mapWorkgroup 0 (λxs → let (t, x1) = reduceSeq (λ((acc, x1), (x2, x3)) → (...
  type   (f32, f32, f32, f32)         unchanged
  inner  148 steps        log --expand
  focus  /  ->  /                     5 moves here
> run | grep verify
  verify  OK   1 input x 1 repeat
