> # arrays that are read by the numbers of loops, as what the loops are over
> load tests/programs/byindex.fun
product : [N][K]f32 -> [K][M]f32 -> [N][M]f32        12 programs; list programs
> use product
> show
generate N (λi → generate M (λj → reduce (+) 0 (generate K (λk → A[i][k] * B[k][j]))))
  shorter  map (λr → map (λr1 → reduce (+) 0 (map (*) (zip...        apply indicesToElements
> use convolution
> apply indicesToElements
@1  indicesToElements  at /             builtin    from @0
  - generate O (λo → generate (H - 2) (λy → generate (W - 2) (λx → reduce (+) 0 (generate C (λc →...
  + map (λr → map (map (λr1 → reduce (+) 0 (map (λ(r2, r3) → reduce (+) 0 (map (λ(r4, r5) → reduc...
  type   [O][H - 2][W - 2]f32         unchanged
  inner  45 steps        log --expand
  focus  /  ->  /                     28 moves here
> show
map
  (λr →
    map
        (map
          (λr1 →
            reduce
              (+)
              0
              (map
                (λ(r2, r3) →
                  reduce (+) 0 (map (λ(r4, r5) → reduce (+) 0 (map (*) (zip r4 r5))) (zip r2 r3)))
                (zip r1 r)))) ∘
      map transpose ∘
      transpose ∘
      map (slide2 3 1) $ X)
  F
> use relaxed
> apply indicesToElements
@1  indicesToElements  at /             builtin    from @0
  - generate N (λi → generate M (λj → if i > 0 && i < N - 1 && j > 0 && j < M - 1 then 0.25 * (A[...
  + map (λ(r, i) → map (λ(r1, j) → if i > 0 && i < N - 1 && j > 0 && j < M - 1 then 0.25 * (r1[0]...
  type   [N][M]f32                    unchanged
  inner  49 steps        log --expand
  focus  /  ->  /                     25 moves here
> show
map
  (λ(r, i) →
    map
      (λ(r1, j) →
        if i > 0 && i < N - 1 && j > 0 && j < M - 1
          then 0.25 * (r1[0][1] + r1[2][1] + r1[1][0] + r1[1][2])
          else r1[1][1])
      (zip r (iota M)))
  (zip (slide2 3 1 ∘ pad2 1 1 clamp $ A) (iota N))
> use inner
> apply indicesToElements
@1  indicesToElements  at /             builtin    from @0
  - generate (N - 2) (λi → generate (M - 2) (λj → A[i][j + 1] + A[i + 2][j + 1] + A[i + 1][j] + A...
  + map (map (λr → r[0][1] + r[2][1] + r[1][0] + r[1][2] - 4 * r[1][1])) ∘ slide2 3 1 $ A
  type   [N - 2][M - 2]f32            unchanged
  inner  39 steps        log --expand
  focus  /  ->  /                     26 moves here
> show
map (map (λr → r[0][1] + r[2][1] + r[1][0] + r[1][2] - 4 * r[1][1])) ∘ slide2 3 1 $ A
> use smoothed
> apply indicesToElements
@1  indicesToElements  at /             builtin    from @0
  - generate N (λi → x[max 0 (i - 1)] + 2 * x[i] + x[min (N - 1) (i + 1)])
  + map (λr → r[0] + 2 * r[1] + r[2]) ∘ slide 3 1 ∘ pad 1 1 clamp $ x
  type   [N]f32                       unchanged
  inner  7 steps        log --expand
  focus  /  ->  /                     18 moves here
> show
map (λr → r[0] + 2 * r[1] + r[2]) ∘ slide 3 1 ∘ pad 1 1 clamp $ x
> use flat
> apply indicesToElements
@1  indicesToElements  at /             builtin    from @0
  - generate N (λi → generate M (λj → reduce (+) 0 (generate K (λk → A[i * K + k] * B[M * k + j]))))
  + map (λr → map (λr1 → reduce (+) 0 (map (*) (zip r r1))) ∘ transpose ∘ split M $ B) ∘ split K $ A
  type   [N][M]f32                    unchanged
  inner  20 steps        log --expand
  focus  /  ->  /                     25 moves here
> show
map (λr → map (λr1 → reduce (+) 0 (map (*) (zip r r1))) ∘ transpose ∘ split M $ B) ∘ split K $ A
> use pairs
> apply indicesToElements
@1  indicesToElements  at /             builtin    from @0
  - generate N (λi → x[2 * i] * x[1 + i * 2])
  + map (λr → r[0] * r[1]) ∘ split 2 $ x
  type   [N]f32                       unchanged
  inner  9 steps        log --expand
  focus  /  ->  /                     18 moves here
> show
map (λr → r[0] * r[1]) ∘ split 2 $ x
> use around
> apply indicesToElements
@1  indicesToElements  at /             builtin    from @0
  - generate N (λi → x[(i + 1) % N] - x[(i + N - 1) % N] + x[N - 1 - i] + x[(i - 2) % N])
  + map (λ(r, r1, r2, r3) → r - r1 + r2 + r3) (zip (reorder (rotate 1) x) (reorder (rotate (..)) ...
  type   [N]f32                       unchanged
  inner  15 steps        log --expand
  focus  /  ->  /                     22 moves here
> show
map
  (λ(r, r1, r2, r3) → r - r1 + r2 + r3)
  (zip
    (reorder (rotate 1) x)
    (reorder (rotate (N - 1)) x)
    (reorder reverse x)
    (reorder (rotate (2*N - 2)) x))
> use beside
> apply indicesToElements
@1  indicesToElements  at /             builtin    from @0
  - map (λ(i, s) → s + reduce (+) 0 A[i]) (zip (iota N) b)
  + map (λ(s, r) → s + reduce (+) 0 r) (zip b A)
  type   [N]f32                       unchanged
  inner  3 steps        log --expand
  focus  /  ->  /                     20 moves here
> show
map (λ(s, r) → s + reduce (+) 0 r) (zip b A)
> use filtered
> apply indicesToElements
@1  indicesToElements  at /             builtin    from @0
  - generate N (λi → reduce (+) 0 (generate 8 (λt → x[t + i] * h[t])))
  + map (λr → reduce (+) 0 (map (*) (zip r h))) ∘ slide 8 1 $ x
  type   [N]f32                       unchanged
  inner  12 steps        log --expand
  focus  /  ->  /                     22 moves here
> show
map (λr → reduce (+) 0 (map (*) (zip r h))) ∘ slide 8 1 $ x
> use weighed
> apply indicesToElements
@1  indicesToElements  at /             builtin    from @0
  - generate M (λj → reduce (+) 0 (map (λ(r, s) → s * r[j]) (zip A b)))
  + map (λr → reduce (+) 0 (map (λ(r1, r2) → r2 * r1) (zip r b))) ∘ transpose $ A
  type   [M]f32                       unchanged
  inner  5 steps        log --expand
  focus  /  ->  /                     25 moves here
> show
map (λr → reduce (+) 0 (map (λ(r1, r2) → r2 * r1) (zip r b))) ∘ transpose $ A
> # an index that is computed otherwise stays one
> use exchanged
> apply indicesToElements
E23 indicesToElements fails at /
  needs   arrays that are read by the numbers of loops
  found   generate N (\i -> x[bxor i d])
> # lower does it first; sizes that nothing divides
> use product
> goto @0
@0  source
    generate N (λi → generate M (λj → reduce (+) 0 (generate K (λk → A[i][k] * B[k][j]))))
> data N = 67, K = 45, M = 33
> lower
@1  lower                               builtin    from @0
  - generate N (λi → generate M (λj → reduce (+) 0 (generate K (λk → A[i][k] * B[k][j]))))
  + transpose (concat (transpose (concat (join ∘ mapWorkgroup 1 (λxss → transpose ∘ join ∘ mapWor...
  type   [N][M]f32                    unchanged
  inner  111 steps        log --expand
  focus  /  ->  /                     12 moves here
> run -n 1
**
  build   **
  verify  OK **
          error 5.3e-07, 0.19 x the source's own; sees changes of 6e-08
          every element
  time    **
> use convolution
> goto @0
@0  source
    generate O (λo → generate (H - 2) (λy → generate (W - 2) (λx → reduce (+) 0 (generate C (λc →...
> data C = 3, O = 5, H = 19, W = 23
> lower
@2  lower                               builtin    from @0
  - generate O (λo → generate (..) (λy → generate (..) (λx → reduce (+) 0 (generate C (λc → reduc...
  + map (split (..)) (mapGlobal 1 (mapGlobal 0 id) (map (take (H*W + 4 - 2*H - 2*W)) (join (mapWo...
  type   [O][H - 2][W - 2]f32         unchanged
  inner  51 steps        log --expand
  focus  /  ->  /                     13 moves here
> run -n 1
**
  build   **
  verify  OK **
          error 3.4e-07, 0.39 x the source's own; sees changes of 6e-08
          every element
  time    **
> use relaxed
> goto @0
@0  source
    generate N (λi → generate M (λj → if i > 0 && i < N - 1 && j > 0 && j < M - 1 then 0.25 * (A[...
> data N = 37, M = 61
> lower
@2  lower                               builtin    from @0
  - generate N (λi → generate M (λj → if i > 0 && i < N - 1 && j > 0 && j < M - 1 then 0.25 * (A[...
  + mapGlobal 1 (λ(r, i) → mapGlobal 0 (λ(r1, j) → if i > 0 && i < N - 1 && j > 0 && j < M - 1 th...
  type   [N][M]f32                    unchanged
  inner  51 steps        log --expand
  focus  /  ->  /                     11 moves here
> run -n 1
**
  build   **
  verify  OK **
          error 8.4e-08, 0.61 x the source's own; sees changes of 6e-08
          every element
  time    **
> use smoothed
> goto @0
@0  source
    generate N (λi → x[max 0 (i - 1)] + 2 * x[i] + x[min (N - 1) (i + 1)])
> data N = 1001
> lower
@2  lower                               builtin    from @0
  - generate N (λi → x[max 0 (i - 1)] + 2 * x[i] + x[min (N - 1) (i + 1)])
  + mapGlobal 0 (λr → fma 2 r[1] r[0] + r[2]) ∘ slide 3 1 ∘ pad 1 1 clamp $ x
  type   [N]f32                       unchanged
  inner  9 steps        log --expand
  focus  /  ->  /                     7 moves here
> run -n 1
**
  build   **
  verify  OK **
          error 7.2e-08, 0.55 x the source's own; sees changes of 6e-08
          every element
  time    **
> use around
> goto @0
@0  source
    generate N (λi → x[(i + 1) % N] - x[(i + N - 1) % N] + x[N - 1 - i] + x[(i - 2) % N])
> data N = 1001
> lower
@2  lower                               builtin    from @0
  - generate N (λi → x[(i + 1) % N] - x[(i + N - 1) % N] + x[N - 1 - i] + x[(i - 2) % N])
  + mapGlobal 0 (λ(r, r1) → r[3] - r[1] + r1[2] + r[0]) (zip (slide 4 1 ∘ pad 2 1 wrap $ x) (slid...
  type   [N]f32                       unchanged
  inner  13 steps        log --expand
  focus  /  ->  /                     7 moves here
> run -n 1
**
  build   **
  verify  OK **
          error 1.1e-07, 0.83 x the source's own; sees changes of 6e-08
          every element
  time    **
> # whatever the length
> goto @0
@0  source
    generate N (λi → x[(i + 1) % N] - x[(i + N - 1) % N] + x[N - 1 - i] + x[(i - 2) % N])
> data N = 1
> lower
@3  lower                               builtin    from @0
  - generate N (λi → x[(i + 1) % N] - x[(i + N - 1) % N] + x[N - 1 - i] + x[(i - 2) % N])
  + mapGlobal 0 (λ(r, r1, r2, r3) → r - r1 + r2 + r3) (zip (reorder (rotate 1) x) (reorder (rotat...
  type   [N]f32                       unchanged
  inner  16 steps        log --expand
  focus  /  ->  /                     7 moves here
> run -n 1
**
  build   **
  verify  OK **
          exact; sees changes of 6e-08
          every element
  time    **
> device oclgrind
oclgrind    Oclgrind Simulator
> use flat
> goto @0
@0  source
    generate N (λi → generate M (λj → reduce (+) 0 (generate K (λk → A[i * K + k] * B[M * k + j]))))
> data N = 33, K = 17, M = 31
> lower
@2  lower                               builtin    from @0
  - generate N (λi → generate M (λj → reduce (+) 0 (generate K (λk → A[i * K + k] * B[M * k + j]))))
  + mapWorkgroup 1 (λr → join ∘ mapWorkgroup 0 (mapLocal 0 (λr1 → reduceSeq (+) 0 (join (toLocalP...
  type   [N][M]f32                    unchanged
  inner  43 steps        log --expand
  focus  /  ->  /                     11 moves here
> run -n 1
**
  build   **
  verify  OK **
          error 2.1e-07, 0.47 x the source's own; sees changes of 6e-08
          every element
> use inner
> goto @0
@0  source
    generate (N - 2) (λi → generate (M - 2) (λj → A[i][j + 1] + A[i + 2][j + 1] + A[i + 1][j] + A...
> data N = 37, M = 61
> lower
@2  lower                               builtin    from @0
  - generate (N - 2) (λi → generate (M - 2) (λj → A[i][j + 1] + A[i + 2][j + 1] + A[i + 1][j] + A...
  + mapGlobal 1 (mapGlobal 0 (λr → r[0][1] + r[2][1] + r[1][0] + r.. r[1][1])) ∘ slide2 3 1 $ A
  type   [N - 2][M - 2]f32            unchanged
  inner  41 steps        log --expand
  focus  /  ->  /                     11 moves here
> run -n 1
**
  build   **
  verify  OK **
          error 9.1e-08, 0.29 x the source's own; sees changes of 6e-08
          every element
> use filtered
> goto @0
@0  source
    generate N (λi → reduce (+) 0 (generate 8 (λt → x[t + i] * h[t])))
> data N = 1001
> lower
@2  lower                               builtin    from @0
  - generate N (λi → reduce (+) 0 (generate 8 (λt → x[t + i] * h[t])))
  + mapGlobal 0 (λr → reduceSeqUnroll (λ(acc, (y0, y1)) → fma y0 y1 acc) 0 (zip r h)) ∘ slide 8 1...
  type   [N]f32                       unchanged
  inner  17 steps        log --expand
  focus  /  ->  /                     7 moves here
> run -n 1
**
  build   **
  verify  OK **
          error 1.8e-07, 0.36 x the source's own; sees changes of 6e-08
          every element
> # rows one after another, chunks of which the last may not be whole
> let flat (x: [N][M]f32) = map (\k -> x[k // M, k % M]) (iota (N * M))
flat changed; its earlier derivation is kept as flat.1
flat : [N][M]f32 -> [M*N]f32
> apply indicesToElements
@1  indicesToElements  at /             builtin    from @0
  - map (λk → x[k // M][k % M]) (iota (M*N))
  + join x
  type   [M*N]f32                     unchanged
  inner  3 steps        log --expand
  focus  /  ->  /                     8 moves here
> let pairs (x: [N]f32) = map (\i -> x[2 * i] + x[2 * i + 1]) (iota (N // 2))
pairs changed; its earlier derivation is kept as pairs.1
pairs : [N]f32 -> [N // 2]f32
> apply indicesToElements
@1  indicesToElements  at /             builtin    from @0
  - map (λi → x[2 * i] + x[2 * i + 1]) (iota (N // 2))
  + map (λr → r[0] + r[1]) ∘ split 2 ∘ take (2*(N // 2)) $ x
  type   [N // 2]f32                  unchanged
  inner  7 steps        log --expand
  focus  /  ->  /                     18 moves here
> let pairs (x: [2*N]f32) = map (\i -> x[i * 2]) (iota N)
pairs changed; its earlier derivation is kept as pairs.2
pairs : [2*N]f32 -> [N]f32
> why atStride at /f/body
atStride applies at /f/body
  rule    x[i * s]  =>  (split s x)[i][0]  when s divides (length x) and indexes i (split s x)
  where   s = 2
          x = x
          i = i
  when    s divides (length x): yes, 2 divides 2*N
  when    indexes i (split s x): yes, i is below N
  gives   (at i (split 2 x))[0]
  try     apply atStride at /f/body
> apply atStride at /f/body
@1  atStride(2)  at /f/body             builtin    from @0
  - x[i * 2]
  + (at i (split 2 x))[0]
  type   f32                          unchanged
  focus  /  ->  /                     19 moves here
> # the smallest equal term of what is read by numbers
> let back (x: [N][M]f32) = map (\j -> map (\i -> x[N - 1 - i][j]) (iota N)) (iota M)
back : [N][M]f32 -> [M][N]f32
> simplify
@1    indicesToElements  at /
3 nodes, 19 before
> show
transpose ∘ reorder reverse $ x
> # random programs that read arrays by the numbers of loops
> lua dofile("tests/indices.lua")
> =agree(100, 1)
equal
> # what is shorter is said of loops however they are written, wherever they stand
> let behind (x: [N]f32) = generate (N - 3) (\i -> x[i + 3])
behind : [N]f32 -> [N - 3]f32
> show
generate (N - 3) (λi → x[i + 3])
  shorter  drop 3 x        apply indicesToElements
> apply indicesToElements
@1  indicesToElements  at /             builtin    from @0
  - generate (N - 3) (λi → x[i + 3])
  + drop 3 x
  type   [N - 3]f32                   unchanged
  inner  4 steps        log --expand
  focus  /  ->  /                     7 moves here
> check atDrop
atDrop holds on 500 instances, seed 1
> let far (x: [N]f32) (y: [N]f32) = map (\i -> x[i + 100] - y[i]) (iota (N - 100))
far : [N]f32 -> [N]f32 -> [N - 100]f32
> show
map (λi → x[i + 100] - y[i]) (iota (N - 100))
  shorter  map (-) (zip (drop 100 x) (take (N - 100) y))        apply indicesToElements
> let turned (A: [N][M]f32) = map (\i -> map (\j -> A[j, i]) (iota N)) (iota M)
turned : [N][M]f32 -> [M][N]f32
> show
map (λi → map (λj → A[j][i]) (iota N)) (iota M)
  shorter  transpose A        apply indicesToElements
> let middle (A: [N][M]f32) = generate (N - 2) (\i -> generate (M - 2) (\j -> A[i + 1, j + 1]))
middle : [N][M]f32 -> [N - 2][M - 2]f32
> apply indicesToElements
@1  indicesToElements  at /             builtin    from @0
  - generate (N - 2) (λi → generate (M - 2) (λj → A[i + 1][j + 1]))
  + map (take (M - 2)) ∘ take (N - 2) ∘ map (drop 1) ∘ drop 1 $ A
  type   [N - 2][M - 2]f32            unchanged
  inner  8 steps        log --expand
  focus  /  ->  /                     23 moves here
> show
map (take (M - 2)) ∘ take (N - 2) ∘ map (drop 1) ∘ drop 1 $ A
> let norm (x: [N]f32) (y: [N]f32) = sqrt (sum (generate N (\i -> x[i] * y[i])))
norm : [N]f32 -> [N]f32 -> f32
> show
sqrt (reduce (+) 0 (generate N (λi → x[i] * y[i])))
  shorter  sqrt (reduce (+) 0 (map (*) (zip x y)))        apply indicesToElements
> moves | head -2
  1  indicesToElements      sqrt (reduce (+) 0 (map (*) (zip x y)))
  2  toGlobal               toGlobal (sqrt (reduce (+) 0 (generate N (λi → x[i] * y[i]))))
> why atDrop at /0/in/f/body
atDrop does not apply at /0/in/f/body
  rule    x[i + c]  =>  (drop c x)[i]  when c < length x and indexes i (drop c x)
  needs   x[i + c]
  found   x[i] * y[i]
  near    /0/in/f/body/0: x[i], but it needs i + c at /0/in/f/body/0/index
  try     moves /0/in/f/body
> help atDrop
rule atDrop(c)
  x[i + c]  =>  (drop c x)[i]  when c < length x and indexes i (drop c x)
  an element so far on is one of those from there on
  c: a size; left out: a fresh parameter
  index; builtin; checked by 500 instances, seed 1; from array combinators
  for example  x[max 0 0 + 2]  =>  at (max 0 0) (drop 2 x)      x: [6]i32
> let both (x: [N]f32) = generate (N - 1) (\i -> x[i + 1] - x[i])
both : [N]f32 -> [N - 1]f32
> show
generate (N - 1) (λi → x[i + 1] - x[i])
  shorter  map (λr → r[1] - r[0]) ∘ slide 2 1 $ x        apply indicesToElements
> # the eight corners of a cell, of three arrays: each read is on its way after the one before, not from the beginning
> let volume (x: [N+1][N+1][N+1]f64) (y: [N+1][N+1][N+1]f64) (z: [N+1][N+1][N+1]f64) = generate N (\i -> generate N (\j -> generate N (\k -> let p = \a -> (a[i][j][k], a[i][j][k + 1], a[i][j + 1][k], a[i][j + 1][k + 1], a[i + 1][j][k], a[i + 1][j][k + 1], a[i + 1][j + 1][k], a[i + 1][j + 1][k + 1]) let (x0, x1, x2, x3, x4, x5, x6, x7) = p x let (y0, y1, y2, y3, y4, y5, y6, y7) = p y let (z0, z1, z2, z3, z4, z5, z6, z7) = p z in (x7 - x0) * (y3 - y4) * (z1 - z6) + (x1 - x6) * (y7 - y0) * (z2 - z5) + (x2 - x5) * (y1 - y6) * (z7 - z0) + (x3 - x4) * (y2 - y5) * (z3 - z4))))
volume : [N + 1][N + 1][N + 1]f64 -> [N + 1][N + 1][N + 1]f64 -> [N + 1][N + 1][N + 1]f64 -> [N][N][N]f64
  inlined  x1, x2, x3, x4, x5, x6, x7, y1, y2, y3, y4, y5, y6, y7, z1, z2, z3, z4, z5, z6, z7: used once (letDuplicate)
> set fuel 100000
> apply indicesToElements
@1  indicesToElements  at /             builtin    from @0
  - generate N (λi → generate N (λj → generate N (λk → (x[i + 1][j + 1][k + 1] - x[i][j][k]) * (y...
  + map (λ(r, r1, r2) → map (λ(r3, r4, r5) → map (λ(r6, r7, r8) → (r6[1][1][1] - r6[0][0][0]) * (...
  type   [N][N][N]f64                 unchanged
  inner  477 steps        log --expand
  focus  /  ->  /                     28 moves here
> show
map
  (λ(r, r1, r2) →
    map
      (λ(r3, r4, r5) →
        map
          (λ(r6, r7, r8) →
            (r6[1][1][1] - r6[0][0][0]) * (r7[0][1][1] - r7[1][0][0]) * (r8[0][0][1] - r8[1][1][0]) +
              (r6[0][0][1] - r6[1][1][0]) * (r7[1][1][1] - r7[0][0][0]) *
                (r8[0][1][0] - r8[1][0][1]) +
              (r6[0][1][0] - r6[1][0][1]) * (r7[0][0][1] - r7[1][1][0]) *
                (r8[1][1][1] - r8[0][0][0]) +
              (r6[0][1][1] - r6[1][0][0]) * (r7[0][1][0] - r7[1][0][1]) *
                (r8[0][1][1] - r8[1][0][0]))
          (zip r3 r4 r5))
      (zip r r1 r2))
  (zip (slide3 2 1 x) (slide3 2 1 y) (slide3 2 1 z))
> # every s-th window, elements d apart, diagonals, two arrays in turn, one of three: layouts, which print as what makes them
> let steps (x: [N]f32) (w: [K]f32) = generate ((N - K) // 2 + 1) (\i -> sum (generate K (\k -> x[2 * i + k] * w[k])))
steps : [N]f32 -> [K]f32 -> [(N - K) // 2 + 1]f32
> apply indicesToElements ; show
@1  indicesToElements  at /             builtin    from @0
  - generate ((N - K) // 2 + 1) (λi → reduce (+) 0 (generate K (λk → x[2 * i + k] * w[k])))
  + map (λr → reduce (+) 0 (map (*) (zip r w))) ∘ slideFloor K 2 $ x
  type   [(N - K) // 2 + 1]f32        unchanged
  inner  12 steps        log --expand
  focus  /  ->  /                     21 moves here
map (λr → reduce (+) 0 (map (*) (zip r w))) ∘ slideFloor K 2 $ x
> let apart (x: [N]f32) = generate (N - 4) (\i -> sum (generate 3 (\k -> x[i + 2 * k])))
apart : [N]f32 -> [N - 4]f32
> apply indicesToElements ; show
@1  indicesToElements  at /             builtin    from @0
  - generate (N - 4) (λi → reduce (+) 0 (generate 3 (λk → x[i + 2 * k])))
  + map (reduce (+) 0) ∘ slideDilated 3 2 1 $ x
  type   [N - 4]f32                   unchanged
  inner  16 steps        log --expand
  focus  /  ->  /                     22 moves here
map (reduce (+) 0) ∘ slideDilated 3 2 1 $ x
> let third (x: [N]f32) = generate ((N + 2) // 3) (\i -> x[3 * i])
third : [N]f32 -> [(N + 2) // 3]f32
> apply indicesToElements ; show
@1  indicesToElements  at /             builtin    from @0
  - generate ((N + 2) // 3) (λi → x[3 * i])
  + every 3 x
  type   [(N + 2) // 3]f32            unchanged
  inner  5 steps        log --expand
  focus  /  ->  /                     7 moves here
every 3 x
> let trace (A: [N][N]f32) = sum (generate N (\i -> A[i, i]))
trace : [N][N]f32 -> f32
> apply indicesToElements ; show
@1  indicesToElements  at /in           builtin    from @0
  - generate N (λi → A[i][i])
  + every (N + 1) ∘ join $ A
  type   [N]f32                       unchanged
  inner  5 steps        log --expand
  focus  /  ->  /                     15 moves here
reduce (+) 0 ∘ every (N + 1) ∘ join $ A
> let other (A: [N][N]f32) = generate N (\i -> A[i][N - 1 - i])
other : [N][N]f32 -> [N]f32
> apply indicesToElements ; show
@1  indicesToElements  at /             builtin    from @0
  - generate N (λi → A[i][N - 1 - i])
  + every (N + 1) ∘ join ∘ map (reorder reverse) $ A
  type   [N]f32                       unchanged
  inner  7 steps        log --expand
  focus  /  ->  /                     7 moves here
every (N + 1) ∘ join ∘ map (reorder reverse) $ A
> let turns (x: [N]f32) (y: [N]f32) = generate (2 * N) (\i -> if i % 2 == 0 then x[i // 2] else y[i / 2])
turns : [N]f32 -> [N]f32 -> [2*N]f32
> apply indicesToElements ; show
@1  indicesToElements  at /             builtin    from @0
  - generate (2*N) (λi → if i % 2 == 0 then x[i // 2] else y[i / 2])
  + join (transpose (split N (concat x y)))
  type   [2*N]f32                     unchanged
  inner  11 steps        log --expand
  focus  /  ->  /                     7 moves here
join (transpose (split N (concat x y)))
> let one (x: [N]f32) (y: [M]f32) (z: [K]f32) = generate (N + M + K) (\i -> if i < N then x[i] else if i < N + M then y[i - N] else z[i - N - M])
one : [N]f32 -> [M]f32 -> [K]f32 -> [K + M + N]f32
> apply indicesToElements ; show
@1  indicesToElements  at /             builtin    from @0
  - generate (K + M + N) (λi → if i < N then x[i] else if i < N + M then y[i - N] else z[i - N - M])
  + concat (concat x y) z
  type   [K + M + N]f32               unchanged
  inner  6 steps        log --expand
  focus  /  ->  /                     7 moves here
concat (concat x y) z
> let sobel (A: [H][W]f32) = generate H (\i -> generate W (\j -> A[min (H - 1) (i + 1), j] - A[max 0 (i - 1), j]))
sobel : [H][W]f32 -> [H][W]f32
> apply indicesToElements ; show
@1  indicesToElements  at /             builtin    from @0
  - generate H (λi → generate W (λj → A[min (H - 1) (i + 1)][j] - A[max 0 (i - 1)][j]))
  + map (map (λr → r[2] - r[0])) ∘ map transpose ∘ slide 3 1 ∘ pad 1 1 clamp $ A
  type   [H][W]f32                    unchanged
  inner  14 steps        log --expand
  focus  /  ->  /                     26 moves here
map (map (λr → r[2] - r[0])) ∘ map transpose ∘ slide 3 1 ∘ pad 1 1 clamp $ A
> # the same of what is written with these layouts
> let every3 (x: [N]f32) = every 3 x
every3 : [N]f32 -> [(N + 2) // 3]f32
> show
every 3 x
> let floored (x: [N]f32) = map sum (slideFloor 3 2 x)
floored : [N]f32 -> [(N + 1) // 2 - 1]f32
> show
map (reduce (+) 0) ∘ slideFloor 3 2 $ x
> let dilated (x: [N]f32) = map sum (slideDilated 3 2 1 x)
dilated : [N]f32 -> [N - 4]f32
> show
map (reduce (+) 0) ∘ slideDilated 3 2 1 $ x
> # a value round an array: asked in any order, of any side, by any comparison
> let inside (x: [N][M]f32) = generate (N + 2) (\i -> generate (M + 2) (\j -> if i >= 1 && i <= N && j >= 1 && j <= M then x[i - 1, j - 1] else 0))
inside : [N][M]f32 -> [N + 2][M + 2]f32
> apply indicesToElements ; show
@1  indicesToElements  at /             builtin    from @0
  - generate (N + 2) (λi → generate (M + 2) (λj → if i >= 1 && i <= N && j >= 1 && j <= M then x[...
  + padConst2 1 1 0 x
  type   [N + 2][M + 2]f32            unchanged
  inner  19 steps        log --expand
  focus  /  ->  /                     11 moves here
padConst2 1 1 0 x
> let around (x: [N][M]f32) = padConst2 1 1 0 x
around changed; its earlier derivation is kept as around.1
around : [N][M]f32 -> [N + 2][M + 2]f32
> show
padConst2 1 1 0 x
> let outside (x: [N][M]f32) = generate (N + 2) (\i -> generate (M + 2) (\j -> if i < 1 || i > N || j < 1 || j > M then 0 else x[i - 1, j - 1]))
outside : [N][M]f32 -> [N + 2][M + 2]f32
> data N = 5 ; data M = 4
> eval
@0  [7][6]f32    N=5  M=4
  [[0, 0, 0, 0, 0, 0], [0, -0.64912224, ...], ...]
  hash aa3a82e092e1236b
> apply indicesToElements ; show
@1  indicesToElements  at /             builtin    from @0
  - generate (N + 2) (λi → generate (M + 2) (λj → if i < 1 || i > N || j < 1 || j > M then 0 else...
  + padConst2 1 1 0 x
  type   [N + 2][M + 2]f32            unchanged
  inner  23 steps        log --expand
  focus  /  ->  /                     10 moves here
padConst2 1 1 0 x
> eval
@1  [7][6]f32    N=5  M=4
  [[0, 0, 0, 0, 0, 0], [0, -0.64912224, ...], ...]
  hash aa3a82e092e1236b
> let mixed (x: [N][M]f32) = generate (N + 3) (\i -> generate (M + 4) (\j -> if M + 1 > j && i - 2 >= 0 && j != 0 && i - 2 < N then x[i - 2, j - 1] else -1))
mixed : [N][M]f32 -> [N + 3][M + 4]f32
> eval
@0  [259][260]f32    N=256 (default; data N = ...)  M=256 (default; data M = ...)
  [[-1, -1, -1, -1, -1, -1, -1, -1, ...], ...]
  hash eb034a3afbc34e93
> apply indicesToElements ; show
@1  indicesToElements  at /             builtin    from @0
  - generate (N + 3) (λi → generate (M + 4) (λj → if M + 1 > j && i - 2 >= 0 && j != 0 && i - 2 <...
  + dims2 (padConst 2 1 (-1)) (padConst 1 3 (-1)) x
  type   [N + 3][M + 4]f32            unchanged
  inner  28 steps        log --expand
  focus  /  ->  /                     11 moves here
dims2 (padConst 2 1 (-1)) (padConst 1 3 (-1)) x
> eval
@1  [259][260]f32    N=256 (default; data N = ...)  M=256 (default; data M = ...)
  [[-1, -1, -1, -1, -1, -1, -1, -1, ...], ...]
  hash eb034a3afbc34e93
> let corner (x: [N][M]f32) = generate (N + 1) (\i -> generate (M + 1) (\j -> if i == 0 || j == 0 then 0 else x[i - 1, j - 1]))
corner : [N][M]f32 -> [N + 1][M + 1]f32
> apply indicesToElements ; show
@1  indicesToElements  at /             builtin    from @0
  - generate (N + 1) (λi → generate (M + 1) (λj → if i == 0 || j == 0 then 0 else x[i - 1][j - 1]))
  + padConst2 1 0 0 x
  type   [N + 1][M + 1]f32            unchanged
  inner  19 steps        log --expand
  focus  /  ->  /                     11 moves here
padConst2 1 0 0 x
> let rows (x: [N][M]f32) = generate (N + 2) (\i -> generate M (\j -> if i == 0 || i == N + 1 then 0 else x[i - 1, j]))
rows : [N][M]f32 -> [N + 2][M]f32
> apply indicesToElements ; show
@1  indicesToElements  at /             builtin    from @0
  - generate (N + 2) (λi → generate M (λj → if i == 0 || i == N + 1 then 0 else x[i - 1][j]))
  + transpose ∘ map (padConst 1 1 0) ∘ transpose $ x
  type   [N + 2][M]f32                unchanged
  inner  17 steps        log --expand
  focus  /  ->  /                     11 moves here
transpose ∘ map (padConst 1 1 0) ∘ transpose $ x
> let cube (x: [N][M][K]f32) = generate (N + 2) (\i -> generate (M + 2) (\j -> generate (K + 2) (\k -> if i == 0 || j == 0 || k == 0 || i == N + 1 || j == M + 1 || k == K + 1 then 0 else x[i - 1, j - 1, k - 1])))
cube : [N][M][K]f32 -> [N + 2][M + 2][K + 2]f32
> data K = 3
> eval
@0  [258][258][5]f32    N=256 (default; data N = ...)  M=256 (default; data M = ...)  K=3
  [[[0, 0, 0, 0, 0], [0, 0, 0, ...], ...], ...]
  hash 7a254919dfc49c32
> apply indicesToElements
@1  indicesToElements  at /             builtin    from @0
  - generate (N + 2) (λi → generate (M + 2) (λj → generate (K + 2) (λk → if i == 0 || j == 0 || k...
  + padConst3 1 1 0 x
  type   [N + 2][M + 2][K + 2]f32     unchanged
  inner  51 steps        log --expand
  focus  /  ->  /                     23 moves here
> eval
@1  [258][258][5]f32    N=256 (default; data N = ...)  M=256 (default; data M = ...)  K=3
  [[[0, 0, 0, 0, 0], [0, 0, 0, ...], ...], ...]
  hash 7a254919dfc49c32
> # a value between elements
> let apart (x: [N]f32) = generate (2 * N - 1) (\i -> if i % 2 == 0 then x[i / 2] else 0)
apart changed; its earlier derivation is kept as apart.1
apart : [N]f32 -> [2*N - 1]f32
> apply indicesToElements ; show
@1  indicesToElements  at /             builtin    from @0
  - generate (2*N - 1) (λi → if i % 2 == 0 then x[i / 2] else 0)
  + spread 2 0 x
  type   [2*N - 1]f32                 unchanged
  inner  6 steps        log --expand
  focus  /  ->  /                     7 moves here
spread 2 0 x
> let spreads (x: [N]f32) = spread 2 0 x
spreads : [N]f32 -> [2*N - 1]f32
> show
spread 2 0 x
> let odd (x: [N]f32) = generate (2 * N) (\i -> if i % 2 == 1 then 0 else x[i / 2])
odd : [N]f32 -> [2*N]f32
> apply indicesToElements ; show
@1  indicesToElements  at /             builtin    from @0
  - generate (2*N) (λi → if i % 2 == 1 then 0 else x[i / 2])
  + join ∘ map (padConst 0 1 0) ∘ split 1 $ x
  type   [2*N]f32                     unchanged
  inner  8 steps        log --expand
  focus  /  ->  /                     7 moves here
join ∘ map (padConst 0 1 0) ∘ split 1 $ x
> let many (x: [N]f32) = generate (S * N) (\i -> if i % S != 0 then 0 else x[i // S])
many : [N]f32 -> [N*S]f32
  size     S, which is the length of no input: data S = ...
> apply indicesToElements ; show
@1  indicesToElements  at /             builtin    from @0
  - generate (N*S) (λi → if i % S != 0 then 0 else x[i // S])
  + join ∘ map (padConst 0 (S - 1) 0) ∘ split 1 $ x
  type   [N*S]f32                     unchanged
  inner  6 steps        log --expand
  focus  /  ->  /                     7 moves here
join ∘ map (padConst 0 (S - 1) 0) ∘ split 1 $ x
> let holes (x: [N][M]f32) = generate (2 * N - 1) (\i -> generate (2 * M - 1) (\j -> if i % 2 == 0 && j % 2 == 0 then x[i // 2, j // 2] else 0))
holes : [N][M]f32 -> [2*N - 1][2*M - 1]f32
> eval
@0  [511][511]f32    N=256 (default; data N = ...)  M=256 (default; data M = ...)
  [[-0.64912224, 0, 0.18101203, 0, -0.88867086, 0, -0.5085838, 0, ...], ...]
  hash 859a73897eb1a836
> apply indicesToElements ; show
@1  indicesToElements  at /             builtin    from @0
  - generate (2*N - 1) (λi → generate (2*M - 1) (λj → if i % 2 == 0 && j % 2 == 0 then x[i // 2][...
  + spread2 2 0 x
  type   [2*N - 1][2*M - 1]f32        unchanged
  inner  23 steps        log --expand
  focus  /  ->  /                     23 moves here
spread2 2 0 x
> eval
@1  [511][511]f32    N=256 (default; data N = ...)  M=256 (default; data M = ...)
  [[-0.64912224, 0, 0.18101203, 0, -0.88867086, 0, -0.5085838, 0, ...], ...]
  hash 859a73897eb1a836
> # beside the diagonal
> let above (A: [N][N]f32) = generate (N - 1) (\i -> A[i, i + 1])
above : [N][N]f32 -> [N - 1]f32
> apply indicesToElements ; show
@1  indicesToElements  at /             builtin    from @0
  - generate (N - 1) (λi → A[i][i + 1])
  + every N ∘ join ∘ take (N - 1) ∘ map (drop 1) $ A
  type   [N - 1]f32                   unchanged
  inner  8 steps        log --expand
  focus  /  ->  /                     7 moves here
every N ∘ join ∘ take (N - 1) ∘ map (drop 1) $ A
> let below (A: [N][N]f32) = generate (N - 2) (\i -> A[i + 2, i])
below : [N][N]f32 -> [N - 2]f32
> eval
@0  [254]f32    N=256 (default; data N = ...)
  [0.9270933, 0.7762613, -0.40716195, -0.49809027, 0.55589175, -0.48517433, -0.33490688, 0.2637895, ...]
  hash 188d919ae113e2f5
> apply indicesToElements ; show
@1  indicesToElements  at /             builtin    from @0
  - generate (N - 2) (λi → A[i + 2][i])
  + every (N - 1) ∘ join ∘ map (take (N - 2)) ∘ drop 2 $ A
  type   [N - 2]f32                   unchanged
  inner  8 steps        log --expand
  focus  /  ->  /                     7 moves here
every (N - 1) ∘ join ∘ map (take (N - 2)) ∘ drop 2 $ A
> eval
@1  [254]f32    N=256 (default; data N = ...)
  [0.9270933, 0.7762613, -0.40716195, -0.49809027, 0.55589175, -0.48517433, -0.33490688, 0.2637895, ...]
  hash 188d919ae113e2f5
> let further (A: [N][N]f32) = generate (N - K) (\i -> A[i, i + K])
further : [N][N]f32 -> [N - K]f32
  size     K, which is the length of no input: data K = ...
> data N = 11 ; data K = 3
> eval
@0  [8]f32    N=11  K=3
  [-0.5085838, 0.8191365, -0.42605317, 0.9405908, 0.35371876, 0.16703857, 0.5640013, 0.38751602]
  hash d6f49b49ebecc04a
> apply indicesToElements ; show
@1  indicesToElements  at /             builtin    from @0
  - generate (N - K) (λi → A[i][i + K])
  + every (N + 1 - K) ∘ join ∘ take (N - K) ∘ map (drop K) $ A
  type   [N - K]f32                   unchanged
  inner  8 steps        log --expand
  focus  /  ->  /                     7 moves here
every (N + 1 - K) ∘ join ∘ take (N - K) ∘ map (drop K) $ A
> eval
@1  [8]f32    N=11  K=3
  [-0.5085838, 0.8191365, -0.42605317, 0.9405908, 0.35371876, 0.16703857, 0.5640013, 0.38751602]
  hash d6f49b49ebecc04a
> # the second of three arrays, by what its number is
> let three (x: [N]f32) (y: [M]f32) (z: [K]f32) = generate (N + M + K) (\i -> if i < N then x[i] else if i - N < M then y[i - N] else z[i - N - M])
three : [N]f32 -> [M]f32 -> [K]f32 -> [K + M + N]f32
> apply indicesToElements ; show
@1  indicesToElements  at /             builtin    from @0
  - generate (K + M + N) (λi → if i < N then x[i] else if i - N < M then y[i - N] else z[i - N - M])
  + concat (concat x y) z
  type   [K + M + N]f32               unchanged
  inner  7 steps        log --expand
  focus  /  ->  /                     7 moves here
concat (concat x y) z
> let two (x: [N]f32) (y: [M]f32) = generate (N + M) (\i -> if N <= i then y[i - N] else x[i])
two : [N]f32 -> [M]f32 -> [M + N]f32
> apply indicesToElements ; show
@1  indicesToElements  at /             builtin    from @0
  - generate (M + N) (λi → if N <= i then y[i - N] else x[i])
  + concat x y
  type   [M + N]f32                   unchanged
  inner  6 steps        log --expand
  focus  /  ->  /                     7 moves here
concat x y
> # a torus: neighbours round the end, however that is spelt, are those of a window of an array that goes on at the other end
> let torus (s: [H][W]i32) = generate H (\y -> generate W (\x -> s[(y - 1 + H) % H][x] + s[(y + 1) % H][x] + s[y][(x + W - 1) % W] + s[y][(x + 1 + W) % W] - 4 * s[y][x]))
torus : [H][W]i32 -> [H][W]i32
> data H = 1, W = 1
> apply indicesToElements
@1  indicesToElements  at /             builtin    from @0
  - generate H (λy → generate W (λx → s[(y - 1 + H) % H][x] + s[(y + 1) % H][x] + s[y][(x + W - 1...
  + map (map (λr → r[0][1] + r[2][1] + r[1][0] + r[1][2] - 4 * r[1][1])) ∘ slide2 3 1 ∘ pad2 1 1 ...
  type   [H][W]i32                    unchanged
  inner  54 steps        log --expand
  focus  /  ->  /                     25 moves here
> lower | head -1
@2  lower                               builtin    from @1
> run | grep verify
  verify  OK   3 inputs x 1 repeat; input 1 exact
> let behind (x: [N]f32) = generate N (\i -> x[(i + 3) % N] - x[i])
behind changed; its earlier derivation is kept as behind.1
behind : [N]f32 -> [N]f32
> apply indicesToElements
@1  indicesToElements  at /             builtin    from @0
  - generate N (λi → x[(i + 3) % N] - x[i])
  + map (-) (zip (reorder (rotate 3) x) x)
  type   [N]f32                       unchanged
  inner  7 steps        log --expand
  focus  /  ->  /                     20 moves here
> data N = 5
> use behind@0
> apply indicesToElements
@2  indicesToElements  at /             builtin    from @0
  - generate N (λi → x[(i + 3) % N] - x[i])
  + map (λr → r[3] - r[0]) ∘ slide 4 1 ∘ pad 0 3 wrap $ x
  type   [N]f32                       unchanged
  inner  6 steps        log --expand
  focus  /  ->  /                     16 moves here
> # both sides of && bound a counter where it holds, and of || where it does not
> let between (x: [2*N]f32) = map (\i -> if i >= 2 && i < N + 2 then x[(i - 2) * 2] else 0.0) (iota (N + 5))
between : [2*N]f32 -> [N + 5]f32
> apply atStride at /f/body/then
@1  atStride(2)  at /f/body/then        builtin    from @0
  - x[(i - 2) * 2]
  + (at (i - 2) (split 2 x))[0]
  type   f32                          unchanged
  focus  /  ->  /                     18 moves here
> let outer (x: [2*N]f32) = map (\i -> if i < 2 || i >= N + 2 then 0.0 else x[(i - 2) * 2]) (iota (N + 5))
outer : [2*N]f32 -> [N + 5]f32
> apply atStride at /f/body/else
@1  atStride(2)  at /f/body/else        builtin    from @0
  - x[(i - 2) * 2]
  + (at (i - 2) (split 2 x))[0]
  type   f32                          unchanged
  focus  /  ->  /                     18 moves here
> let either (x: [2*N]f32) = map (\i -> if i < 2 && i >= N + 2 then 0.0 else x[(i - 2) * 2]) (iota (N + 5))
either : [2*N]f32 -> [N + 5]f32
> why atStride at /f/body/else | grep indexes
  rule    x[i * s]  =>  (split s x)[i][0]  when s divides (length x) and indexes i (split s x)
  needs   indexes i (split s x)
  when    indexes i (split s x): no, i - 2 is not known to be below N
> # windows and elements some apart, in two and three dimensions: slideFloor2, every3
> let pool (A: [H][W]f32) = generate ((H - 3) // 2 + 1) (\i -> generate ((W - 3) // 2 + 1) (\j -> sum (generate 3 (\k -> sum (generate 3 (\l -> A[2 * i + k, 2 * j + l]))))))
pool : [H][W]f32 -> [(H + 1) // 2 - 1][(W + 1) // 2 - 1]f32
> data H = 9 W = 11
> eval
@0  [4][5]f32    H=9  W=11
  [[-1.684236, 1.8344117, 1.9746649, 1.0331724, 1.5345981], [2.128629, 1.6284578, 0.47330296, ...], ...]
  hash ab143fb7030b4c3b
> apply indicesToElements ; show ; eval
@1  indicesToElements  at /             builtin    from @0
  - generate ((H + 1) // 2 - 1) (λi → generate ((W + 1) // 2 - 1) (λj → reduce (+) 0 (generate 3 ...
  + map (map (reduce (+) 0 ∘ map (reduce (+) 0))) ∘ slideFloor2 3 2 $ A
  type   [(H + 1) // 2 - 1][(W + 1) // 2 - 1]f32  unchanged
  inner  29 steps        log --expand
  focus  /  ->  /                     25 moves here
map (map (reduce (+) 0 ∘ map (reduce (+) 0))) ∘ slideFloor2 3 2 $ A
@1  [4][5]f32    H=9  W=11
  [[-1.684236, 1.8344117, 1.9746649, 1.0331724, 1.5345981], [2.128629, 1.6284578, 0.47330296, ...], ...]
  hash ab143fb7030b4c3b
> let thirds (A: [H][W][D]f32) = generate ((H + 2) // 3) (\i -> generate ((W + 2) // 3) (\j -> generate ((D + 2) // 3) (\k -> A[3 * i, 3 * j, 3 * k])))
thirds : [H][W][D]f32 -> [(H + 2) // 3][(W + 2) // 3][(D + 2) // 3]f32
> data H = 7 W = 5 D = 8
> eval
@0  [3][2][3]f32    H=7  W=5  D=8
  [[[-0.64912224, -0.5085838, 0.044096235], [-0.4770449, -0.42605317, 0.24841997]], [[0.7949733, 0.5705586, ...], ...], ...]
  hash 62bcd07b06487fd0
> apply indicesToElements ; show ; eval
@1  indicesToElements  at /             builtin    from @0
  - generate ((H + 2) // 3) (λi → generate ((W + 2) // 3) (λj → generate ((D + 2) // 3) (λk → A[3...
  + every 3 ∘ map (every2 3) $ A
  type   [(H + 2) // 3][(W + 2) // 3][(D + 2) // 3]f32  unchanged
  inner  55 steps        log --expand
  focus  /  ->  /                     11 moves here
every 3 ∘ map (every2 3) $ A
@1  [3][2][3]f32    H=7  W=5  D=8
  [[[-0.64912224, -0.5085838, 0.044096235], [-0.4770449, -0.42605317, 0.24841997]], [[0.7949733, 0.5705586, ...], ...], ...]
  hash 62bcd07b06487fd0
> # windows of elements some apart in each of two or three dimensions
> let apart2 (A: [H][W]f32) = generate ((H - 5) // 2 + 1) (\i -> generate ((W - 5) // 2 + 1) (\j -> generate 3 (\k -> generate 3 (\l -> A[2 * i + 2 * k, 2 * j + 2 * l]))))
apart2 : [H][W]f32 -> [(H + 1) // 2 - 2][(W + 1) // 2 - 2][3][3]f32
> data H = 9, W = 12
> eval
@0  [3][4][3][3]f32    H=9  W=12
  [[[[-0.64912224, -0.88867086, 0.157309], [-0.4770449, 0.9885343, 0.019874768], [-0.53080785, 0.3468498, ...]], ...], ...]
  hash 3a521f2c0234ba47
> show
generate ((H + 1) // 2 - 2)
  (λi →
    generate ((W + 1) // 2 - 2)
      (λj → generate 3 (λk → generate 3 (λl → A[2 * i + 2 * k][2 * j + 2 * l]))))
  shorter  slideDilated2 3 2 2 A        apply indicesToElements
> apply indicesToElements ; show ; eval
@1  indicesToElements  at /             builtin    from @0
  - generate ((H + 1) // 2 - 2) (λi → generate ((W + 1) // 2 - 2) (λj → generate 3 (λk → generate...
  + slideDilated2 3 2 2 A
  type   [(H + 1) // 2 - 2][(W + 1) // 2 - 2][3][3]f32  unchanged
  inner  71 steps        log --expand
  focus  /  ->  /                     24 moves here
slideDilated2 3 2 2 A
@1  [3][4][3][3]f32    H=9  W=12
  [[[[-0.64912224, -0.88867086, 0.157309], [-0.4770449, 0.9885343, 0.019874768], [-0.53080785, 0.3468498, ...]], ...], ...]
  hash 3a521f2c0234ba47
> let apart3 (A: [H][W][D]f32) = generate (H - 4) (\i -> generate (W - 4) (\j -> generate (D - 4) (\k -> generate 3 (\a -> generate 3 (\b -> generate 3 (\c -> A[i + 2 * a, j + 2 * b, k + 2 * c]))))))
apart3 : [H][W][D]f32 -> [H - 4][W - 4][D - 4][3][3][3]f32
> data H = 7, W = 6, D = 8
> eval
@0  [3][2][4][3][3][3]f32    H=7  W=6  D=8
  [[[[[[-0.64912224, -0.88867086, 0.157309], [-0.50836915, 0.08392025, 0.46186745], [-0.36153397, 0.10964202, ...]], ...], ...], ...], ...]
  hash 6f09b34cae16d765
> apply indicesToElements ; show ; eval
@1  indicesToElements  at /             builtin    from @0
  - generate (H - 4) (λi → generate (W - 4) (λj → generate (D - 4) (λk → generate 3 (λa → generat...
  + slideDilated3 3 2 1 A
  type   [H - 4][W - 4][D - 4][3][3][3]f32  unchanged
  inner  141 steps        log --expand
  focus  /  ->  /                     24 moves here
slideDilated3 3 2 1 A
@1  [3][2][4][3][3][3]f32    H=7  W=6  D=8
  [[[[[[-0.64912224, -0.88867086, 0.157309], [-0.50836915, 0.08392025, 0.46186745], [-0.36153397, 0.10964202, ...]], ...], ...], ...], ...]
  hash 6f09b34cae16d765
> # arrays in turn, and rounds of which each takes one of several
> let turns (x: [N]f32) (y: [N]f32) (z: [N]f32) = generate (3 * N) (\i -> if 0 == i % 3 then x[i // 3] else if i % 3 == 1 then y[i / 3] else z[i // 3])
turns changed; its earlier derivation is kept as turns.1
turns : [N]f32 -> [N]f32 -> [N]f32 -> [3*N]f32
> data N = 7
> eval
@0  [21]f32    N=7
  [-0.64912224, -0.9859986, -0.7276524, 0.18101203, -0.98220867, 0.55675465, -0.88867086, -0.7280371, ...]
  hash 88b3a9e2fe8a855c
> show
generate (3*N) (λi → if 0 == i % 3 then x[i // 3] else if i % 3 == 1 then y[i / 3] else z[i // 3])
  shorter  join (transpose (split N (concat (concat x y) z)))        apply indicesToElements
> apply indicesToElements ; show ; eval
@1  indicesToElements  at /             builtin    from @0
  - generate (3*N) (λi → if 0 == i % 3 then x[i // 3] else if i % 3 == 1 then y[i / 3] else z[i /...
  + join (transpose (split N (concat (concat x y) z)))
  type   [3*N]f32                     unchanged
  inner  16 steps        log --expand
  focus  /  ->  /                     5 moves here
join (transpose (split N (concat (concat x y) z)))
@1  [21]f32    N=7
  [-0.64912224, -0.9859986, -0.7276524, 0.18101203, -0.98220867, 0.55675465, -0.88867086, -0.7280371, ...]
  hash 88b3a9e2fe8a855c
> let rows (x: [N][M]f32) (y: [N][M]f32) = generate (2 * N) (\i -> generate M (\j -> if i % 2 == 0 then x[i // 2, j] else y[i // 2, j]))
rows changed; its earlier derivation is kept as rows.1
rows : [N][M]f32 -> [N][M]f32 -> [2*N][M]f32
> data N = 7, M = 5
> eval
@0  [14][5]f32    N=7  M=5
  [[-0.64912224, 0.18101203, -0.88867086, -0.5085838, 0.157309], [-0.9859986, -0.98220867, -0.7280371, ...], ...]
  hash f329a6662377f324
> apply indicesToElements ; show ; eval
@1  indicesToElements  at /             builtin    from @0
  - generate (2*N) (λi → generate M (λj → if i % 2 == 0 then x[i // 2][j] else y[i // 2][j]))
  + join (transpose (split N (concat x y)))
  type   [2*N][M]f32                  unchanged
  inner  16 steps        log --expand
  focus  /  ->  /                     10 moves here
join (transpose (split N (concat x y)))
@1  [14][5]f32    N=7  M=5
  [[-0.64912224, 0.18101203, -0.88867086, -0.5085838, 0.157309], [-0.9859986, -0.98220867, -0.7280371, ...], ...]
  hash f329a6662377f324
> let chosen (x: [N]f32) (y: [N]f32) (z: [N]f32) (w: [4]f32) = generate N (\i -> sum (generate 4 (\k -> w[k] * (if k == 0 then x else if k < 2 then y else if k <= 2 then z else x)[i])))
chosen : [N]f32 -> [N]f32 -> [N]f32 -> [4]f32 -> [N]f32
> data N = 7
> eval
@0  [7]f32    N=7
  [0.2057639, -0.04952601, -0.51073146, -0.90587234, -0.30768213, 0.026418954, -0.37388113]
  hash cb5739dce6dcbbf5
> apply indicesToElements ; show ; eval
@1  indicesToElements  at /             builtin    from @0
  - generate N (λi → reduce (+) 0 (generate 4 (λk → w[k] * at i (if k == 0 then x else if k < 2 t...
  + map (λr .. (map (*) (zip w r))) (transpose (split N (concat (concat (concat x y) z) x)))
  type   [N]f32                       unchanged
  inner  20 steps        log --expand
  focus  /  ->  /                     19 moves here
map (λr → reduce (+) 0 (map (*) (zip w r))) (transpose (split N (concat (concat (concat x y) z) x)))
@1  [7]f32    N=7
  [0.2057639, -0.04952601, -0.51073146, -0.90587234, -0.30768213, 0.026418954, -0.37388113]
  hash cb5739dce6dcbbf5
> lower
@2  lower                               builtin    from @1
  - map (λr → reduce (+) 0 (map (*) (zip w r))) (transpose (split N (concat (concat (..) z) x)))
  + join (mapWorkgroup 0 (mapLocal 0 (λr → reduceSeqUnroll (+) 0 (join (toLocalPadded 1 (split 4 ...
  type   [N]f32                       unchanged
  inner  23 steps        log --expand
  focus  /  ->  /                     5 moves here
> run -n 1
@2  oclgrind Oclgrind Simulator   N=7   WG 7x4 x 1x1
  build   - ms        local 140 B/WG   private 0 B
  verify  OK   3 inputs x 1 repeat; input 1 exact
          error 3e-07, 0.42 x the source's own; sees changes of 6e-08
          every element
> let pair (x: [N]f32) (y: [N]f32) = generate 2 (\k -> generate N (\i -> if k != 0 then y[i] else x[i]))
pair : [N]f32 -> [N]f32 -> [2][N]f32
> apply indicesToElements ; show
@1  indicesToElements  at /             builtin    from @0
  - generate 2 (λk → generate N (λi → if k != 0 then y[i] else x[i]))
  + split N (concat x y)
  type   [2][N]f32                    unchanged
  inner  15 steps        log --expand
  focus  /  ->  /                     12 moves here
split N (concat x y)
> help rowsNext
rule rowsNext(n, c, d, m)
  if k < c then x[k] else (if k < d then y else z)  =>  if k < d then (concat x (split n y))[k] else z  when c == length x and d == c + 1 and n == length y and indexes k (generate m (\l -> l))
  the next of them is a row behind those
  n: a size; left out: a fresh parameter
  c: a size; left out: a fresh parameter
  d: a size; left out: a fresh parameter
  m: a size; left out: a fresh parameter
  index; builtin; from array combinators
  for example  if max 0 0 < 2 then x[max 0 0] else if max 0 0 < 3 then y else z  =>  if max 0 0 < 3 then at (max 0 0) (concat x (split 6 y)) else z      x: [2][6]i32, y: [6]i32, z: [6]i32
> check rowsNext
rowsNext holds on 500 instances, seed 1
> # a choice between an array and itself
> let same (x: [N][M]f32) (t: bool) = generate N (\i -> generate M (\j -> if t then x[i, j] else x[i, j]))
same : [N][M]f32 -> bool -> [N][M]f32
> apply indicesToElements ; show
@1  indicesToElements  at /             builtin    from @0
  - generate N (λi → generate M (λj → if t then x[i][j] else x[i][j]))
  + map (map (λr → if t then r else r)) x
  type   [N][M]f32                    unchanged
  inner  8 steps        log --expand
  focus  /  ->  /                     25 moves here
map (map (λr → if t then r else r)) x
