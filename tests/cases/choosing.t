> # the better of two, whichever of them is asked about; the start may be better than all
> let nearest (x: [N]f32) = reduce (\(a, i) (b, j) -> if a < b || a == b && i < j then (a, i) else (b, j)) (1, N) (zip x (iota N))
nearest : [N]f32 -> (f32, i32)
> data N = 16384
> apply chosenLessThenLess
@1  chosenLessThenLess  at /            builtin    from @0
  - reduce (λ(..) → if a < b || a == b && i < j then (a, i) else (b, j)) (1, N) (zip x (iota N))
  + reduce (λ(..) → if b < a || b == a && j <= i then (b, j) else (a, i)) (1, N) (zip x (iota N))
  type   (f32, i32)                   unchanged
  focus  /  ->  /                     13 moves here
> why reduceSplit(64)
reduceSplit applies at /
  rule    reduce f z x  =>  reduce f z (map (reduce f z) (split n x))  when associative f and restarts z f and n divides (length x)
  where   n = 64
          z = (1.0, N)
          x = zip x (iota N)
          f = \((a, i), (b, j)) -> if b < a || .. && .. then (b, j) else (a, i)
  when    associative f: yes, known by its form
  when    restarts z f: yes, known by its form
  when    n divides (length x): yes, 64 divides N is a fact from now on; at present 16384 mod 64 = 0
  gives   reduce (\((a, i), (b, j)) -> if b < a || b == a && j <= i then (b, j) else (a, i)) (1, ...
  try     apply reduceSplit(64) at /
> lower
@2  lower                               builtin    from @1
  - reduce (λ(..) → if b < a || b == a && j <= i then (b, j) else (a, i)) (1, N) (zip x (iota N))
  + reduceSeq (..) (..) (mapWorkgroup 0 (λ(ys, ys1) → reduceSeqUnroll (..) (..) (asScalar (reduce...
  type   (f32, i32)                   unchanged
  inner  18 steps        log --expand
  focus  /  ->  /                     4 moves here
> set repeats 1
> set trials 1
> run
@2  pocl0 **
  build   - ms        2 kernels   local 0 B/WG   private 1.0 KiB
  verify  OK   3 inputs x 1 repeat, 50 x 1; input 1 exact
          exact; sees changes of 6e-08
          every element
          sees a part of 1/18 that a min, max or if leaves out
  time    - ms median of 1  (IQR -, min -)    - GB/s
> let least (x: [N]f32) = reduce (\a b -> if a <= b then a else b) inf x
least : [N]f32 -> f32
> lower
@1  lower                               builtin    from @0
  - reduce (λ(a, b) → if a <= b then a else b) inf x
  + reduceSeq (λ(..) → if b < a then b else a) inf (mapGlobal 0 (λi → slice 1 (reduceSeq (λ(..) →...
  type   f32                          unchanged
  inner  5 steps        log --expand
  focus  /  ->  /                     5 moves here
> run
@1  pocl0 **
  build   - ms        2 kernels   local 0 B/WG   private 1.0 KiB
  verify  OK   3 inputs x 1 repeat, 61 x 1; input 1 exact
          exact; sees changes of 6e-08
          every element
          sees a part of 1/21 that a min, max or if leaves out
  time    - ms median of 1  (IQR -, min -)    - GB/s
> # a function that is associative, from a start that is no neutral element
> let joined (m, p, s, t) (n, q, u, v) = (max (max m n) (s + q), max p (t + q), max u (s + v), t + v) with assumed associative
joined : helper, typed where it is used
> let best (x: [N]f32) = (reduce joined (0, 0, 0, 0) (map (\v -> (max v 0, max v 0, max v 0, v)) x)).0
best : [N]f32 -> f32
> lower
@1  lower                               builtin    from @0
  - reduce (λ((m, p, s, t), (n, q, u, v)) → (max (max m n) (s + q), max p (t + q), max u (s + v),...
  + let (r0, (r1, x1, x2, x3)) = reduceSeq (λ((p, (a0, a1, a2, a3)), (q, (b0, b1, b2, b3))) → (p ...
  type   (f32, f32, f32, f32)         unchanged
  inner  7 steps        log --expand
  focus  /  ->  /                     3 moves here
> run
@1  pocl0 **
  build   - ms        4 kernels   local 0 B/WG   private 1.0 KiB
  verify  OK   3 inputs x 1 repeat, 61 x 1; input 1 exact
          error 8.9e-08, 0.17 x the source's own; sees changes of 6e-08
          every element
          sees a part of 1/21 that a min, max or if leaves out
  time    - ms median of 1  (IQR -, min -)    - GFLOP/s   - GB/s
> # rows that are added element by element, within a map
> let sums (x: [B][M][N]f32) = map (\rows -> reduce (zipWith (+)) (replicate N 0) rows) x
sums : [B][M][N]f32 -> [B][N]f32
> data N = 7 M = 5 B = 3
> lower
@1  lower                               builtin    from @0
  - map (reduce (λ(xs, ys) → map (+) (zip xs ys)) (generate N (λi → 0))) x
  + mapGlobal 1 (mapGlobal 0 (reduceSeq (+) 0) ∘ transpose) x
  type   [B][N]f32                    unchanged
  inner  6 steps        log --expand
  focus  /  ->  /                     10 moves here
> log --expand
  @0  source
* @1  lower
      .1  reduceByColumns  at /f/body
      .2  zipConstant  at /f/body/in
      .3  mapFusion  at /f/body
      .4  reduceSeq  at /f/body/f/body
      .5  mapGlobal(1)  at /
      .6  mapGlobal(0)  at /f/body
6 rewrites in 1 step to @1
> run
@1  pocl0 **
  build   - ms        local 0 B/WG   private 1.0 KiB
  verify  OK   3 inputs x 1 repeat; input 1 exact
          error 8.4e-08, 0.64 x the source's own; sees changes of 6e-08
          every element
  time    - ms median of 1  (IQR -, min -)    - GB/s
> # what makes the one element that is changed is a nest of its own where it reduces many
> set target h200
> let forward (L: [N][N]f32) (b: [N]f32) = loop N (\x i -> x with [i] = (b[i] - dot L[i] x) / (L[i, i] + 2)) (replicate N 0)
forward : [N][N]f32 -> [N]f32 -> [N]f32
> data N = 2000
> lower
@1  lower                               builtin    from @0
  - loop N (λx i → x with [i] = (b[i] - reduce (+) 0 (map (*) (zip L[i] x))) / (L[i][i] + 2)) (..)
  + reduceHost (λ(x, i) → let s = at 0 (mapWorkgroup 0 (λ(ys, ys1) → reduceSeq (+) 0 (toLocal (ma...
  type   [N]f32                       unchanged
  inner  51 steps        log --expand
  focus  /  ->  /                     7 moves here
> # a name that is gone, in whose body another one is made
> set target pocl
> let k (h: [A][B][D][M][M](f32, f32)) (G: [E][A][M][M](f32, f32)) (d: [A][B](f32, f32)) = generate E (\e -> generate A (\a -> generate M (\r -> generate M (\c -> csum (join (generate D (\i -> generate B (\b -> if e < 1 then (0, 0) else let g = G[e - 1, b] let w = h[a, b, i] let gh = csum (generate M (\m -> cmul g[r, m] w[m, c])) in cmul gh (cmul h[a, b, i, r, c] d[a, b]))))))))) 
k : [A][B][D][M][M](f32, f32) -> [E][A][M][M](f32, f32) -> [A][B](f32, f32) -> [E][A][M][M](f32, f32)
> data A = 3 B = 3 E = 3 D = 2 M = 3
> lower
@1  lower                               builtin    from @0
  - generate E (λe → generate A (λa → generate M (λr → generate M (λc → reduce (..) (..) (join (g...
  + mapGlobal 2 (λe → mapGlobal 1 (λa → mapGlobal 0 (λr → mapSeq (λc → reduceSeq (..) (..) (join ...
  type   [E][A][M][M](f32, f32)       unchanged
  inner  72 steps        log --expand
  focus  /  ->  /                     12 moves here
> # a shape of lower --explain is for its nest alone: memory between nests, and plain ones of which nothing was asked, where there are no kernels else
> device cpu | head -0
> set target pocl
> let sinkhorn (C: [N][M]f32) = let k = map2 (\c -> exp (-c)) C in loop 5 (\(u, v) i -> let a = map (\r -> 1 / (dot r v + 1e-6)) k in (a, map (\c -> 1 / (dot c a + 1e-6)) (transpose k))) (replicate N 1, replicate M 1)
sinkhorn : [N][M]f32 -> ([N]f32, [M]f32)
> data N = 37; data M = 21
> lower --explain | grep elements
  or         2.29 us   elements    lower lowerAs("elements")
  near       no long map: 777 elements are fewer than 4096
> lower lowerAs("elements") | head -1
@1  lowerAs("elements")                 builtin    from @0
> run | grep verify
  verify  OK   3 inputs x 1 repeat
> let steps (x: [N][M]f32) = scanSeq (\(a, r) -> map (\(p, j) -> max a[j] (if j > 0 then a[max (j - 1) 0] else 0) + p) (zip r (iota M))) (map (\j -> if j == 0 then 0 else 1) (iota M)) x
steps : [N][M]f32 -> [N][M]f32
> data N = 37; data M = 21
> lower lowerAs("elements") | head -1
@1  lowerAs("elements")                 builtin    from @0
> run | grep verify
  verify  OK   3 inputs x 1 repeat; input 1 exact
> let positives (x: [N][M]f32) = let (v, n) = filter (\v -> v > 0) 0 (join x) in (map (map (\a -> a / (f32 n + 1))) x, sum v, n)
positives : [N][M]f32 -> ([N][M]f32, f32, i32)
> data N = 70; data M = 66
> lower lowerAs("", "elements") | head -1
@1  lowerAs("", "elements")             builtin    from @0
> run | grep verify
  verify  OK   3 inputs x 1 repeat
