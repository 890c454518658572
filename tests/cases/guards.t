> # What an arm of a choice reads may be nowhere else: a reduction comes out of it only where its reads are in range, and many elements ask for it.
> set target h200
> set repeats 1
> let border (x: [N][M]f32) (w: [3][3]f32) = generate N (\i -> generate M (\j -> if i == 0 || j == 0 || i == N - 1 || j == M - 1 then x[i][j] else sum (join (generate 3 (\a -> generate 3 (\b -> w[a][b] * x[i + a - 1][j + b - 1]))))))
border : [N][M]f32 -> [3][3]f32 -> [N][M]f32
> apply generateMap at / ; apply generateMap at /f/body
@1  generateMap  at /                   builtin    from @0
  - generate N (λi → generate M (..))
  + map (λi → generate M (..)) (iota N)
  type   [N][M]f32                    unchanged
  focus  /  ->  /                     22 moves here
@2  generateMap  at /f/body             builtin    from @1
  - generate M (..)
  + map (..) (iota M)
  type   [M]f32                       unchanged
  focus  /  ->  /                     23 moves here
> why reduceOut at /f/body
reduceOut does not apply at /f/body
  rule    map (\x -> e (reduce f z (g x)) x) xs  =>  map (\(s, x) -> e s x) (zip (map (\x -> reduce f z (g x)) xs) xs)
  needs   reduce f z (g x) at /f/body/f/body/else
  found   reduce (+) 0 (join (generate 3 (\a -> generate 3 (\b -> .. * ..))))
  because only an arm of a choice asks for it; elsewhere an index may be out of range, or a divisor 0
  try     moves /f/body
> use border@0
> data N = 5, M = 7
> lower
@3  lower                               builtin    from @0
  - generate N (λi → generate M .. reduce (+) 0 (..))
  + mapGlobal 1 (λi → mapGlobal 0 .. reduceSeqUnroll (+) 0 (..) (iota M)) (iota N)
  type   [N][M]f32                    unchanged
  inner  6 steps        log --expand
  focus  /  ->  /                     10 moves here
> show
mapGlobal 1
  (λi →
    mapGlobal 0
      (λj →
        if i == 0 || j == 0 || i == N - 1 || j == M - 1
          then x[i][j]
          else reduceSeqUnroll
            (+)
            0
            (join (generate 3 (λa → generate 3 (λb → w[a][b] * x[i + a - 1][j + b - 1])))))
      (iota M))
  (iota N)
> run | grep verify
  verify  OK   3 inputs x 1 repeat; input 1 exact
> # of a row that is named by data
> let rows (A: [N][M]f32) (s: [K]i32) = map (\j -> if j >= 0 && j < N then sum A[j] / sum (map square A[j]) else 0) s
rows : [N][M]f32 -> [K]i32 -> [K]f32
> why reduceOut
reduceOut does not apply at /
  rule    map (\x -> e (reduce f z (g x)) x) xs  =>  map (\(s, x) -> e s x) (zip (map (\x -> reduce f z (g x)) xs) xs)
  needs   reduce f z (g x) at /f/body/then/0
  found   reduce (+) 0 A[j]
  because only an arm of a choice asks for it; elsewhere an index may be out of range, or a divisor 0
  try     moves /
> let quotients (x: [N][M]i32) (d: [N]i32) = map (\(r, k) -> if k == 0 then 0 else sum (map (\v -> v / k) r)) (zip x d)
quotients : [N][M]i32 -> [N]i32 -> [N]i32
> why reduceZipOut
reduceZipOut does not apply at /
  rule    map (\(xs..) -> e (reduce f z (g xs..)) xs..) (zip ys..)  =>  map (\(s, xs..) -> e s xs..) (zip (map (\(xs..) -> reduce f z (g xs..)) (zip ys..)) ys..)
  needs   reduce f z (g xs..) at /f/body/else
  found   reduce (+) 0 . map (\v -> v / k) $ r
  because only an arm of a choice asks for it; elsewhere an index may be out of range, or a divisor 0
  try     moves /
> # a triangle of a product: numbers are in range
> let lower_half (A: [N][K]f32) = generate N (\i -> generate N (\j -> if j <= i then sum (generate K (\q -> A[i, q] * A[j, q])) else 0))
lower_half : [N][K]f32 -> [N][N]f32
> data N = 6, K = 5
> lower
@1  lower                               builtin    from @0
  - generate N (λi → generate N (λj → if j <= i then reduce (+) 0 (generate K (λq → A[i][q] * A[j...
  + split N (mapGlobal 0 (λi → if i % N <= i // N then reduceSeq (λ(acc, y) → fma A[i // N][y] A[...
  type   [N][N]f32                    unchanged
  inner  8 steps        log --expand
  focus  /  ->  /                     10 moves here
> show
split N
  (mapGlobal 0
    (λi →
      if i % N <= i // N
        then reduceSeq (λ(acc, y) → fma A[i // N][y] A[i % N][y] acc) 0 (iota K)
        else 0)
    (iota (N*N)))
> run | grep verify
  verify  OK   3 inputs x 1 repeat; input 1 exact
> # one of each row is asked for: made for all it would be made N times too often
> let chosen (m: [N][N]f32) (l: i32) = generate N (\i -> generate N (\j -> if j == i + l then reduce min inf (generate N (\q -> m[i][q] + m[q][j])) else m[i][j]))
chosen : [N][N]f32 -> i32 -> [N][N]f32
> data N = 6, l = 2
> lower
@1  lower                               builtin    from @0
  - generate N (λi → generate N (λj → if j == i + l then reduce min inf (generate N (λq → m[i][q]...
  + mapGlobal 1 (λ(r, i) → mapGlobal 0 (λ(r1, j, r2) → if j == i + l then reduceSeq (λ(acc, (y0, ...
  type   [N][N]f32                    unchanged
  inner  19 steps        log --expand
  focus  /  ->  /                     10 moves here
> show
mapGlobal 1
  (λ(r, i) →
    mapGlobal 0
      (λ(r1, j, r2) →
        if j == i + l then reduceSeq (λ(acc, (y0, y1)) → min acc (y0 + y1)) inf (zip r r1) else r2)
      (zip (transpose m) (iota N) r))
  (zip m (iota N))
> run | grep verify
  verify  OK   3 inputs x 1 repeat, 5 x 1; input 1 exact
> # a number that is at most a constant
> let ends (x: [N]f32) (b: [N]f32) = generate N (\j -> if j < 4 then x[min j 3] else b[j])
ends : [N]f32 -> [N]f32 -> [N]f32
> data N = 9
> apply indicesToElements
E23 indicesToElements fails at /
  needs   arrays that are read by the numbers of loops
  found   generate N (\j -> if j < 4 then x[min j 3] else b[j])
> lower | head -1
@1  lower                               builtin    from @0
> run | grep verify
  verify  OK   3 inputs x 1 repeat; input 1 exact
