> let index (A: [N][M]f32) = generate M (\i -> generate N (\j -> A[j, i] + 1))
index : [N][M]f32 -> [M][N]f32
> show
generate M (λi → generate N (λj → A[j][i] + 1))
  shorter  map (map (λr → r + 1)) ∘ transpose $ A        apply indicesToElements
> moves | head -1
  1  indicesToElements      map (map (λr → r + 1)) ∘ transpose $ A
> apply 1
@1  indicesToElements  at /             builtin    from @0
  - generate M (λi → generate N (λj → A[j][i] + 1))
  + map (map (λr → r + 1)) ∘ transpose $ A
  type   [M][N]f32                    unchanged
  inner  9 steps        log --expand
  focus  /  ->  /                     28 moves here
> show
map (map (λr → r + 1)) ∘ transpose $ A
> let layout (A: [N][M]f32) = map (map (\v -> v + 1)) (transpose A)
layout : [N][M]f32 -> [M][N]f32
> show
map (map (λr → r + 1)) ∘ transpose $ A
> let windows (x: [N]f32) = generate (N - 2) (\i -> sum (generate 3 (\j -> x[i + j])))
windows : [N]f32 -> [N - 2]f32
> why indicesToElements | head -3
indicesToElements applies at /: 8 steps
      1   generateMap at /
      2   generateMap at /f/body/in
> show
generate (N - 2) (λi → reduce (+) 0 (generate 3 (λj → x[i + j])))
  shorter  map (reduce (+) 0) ∘ slide 3 1 $ x        apply indicesToElements
> show /f/body
reduce (+) 0 (generate 3 (λj → x[i + j]))
  shorter  reduce (+) 0 (at i (slide 3 1 x))        apply indicesToElements at /f/body
> moves --from mine
no rule of your own applies at /
> let plain (x: [N]f32) = generate N (\i -> x[max 0 (i - 1)] + f32 i)
plain : [N]f32 -> [N]f32
> show
generate N (λi → x[max 0 (i - 1)] + f32 i)
> # arrays joined, padded, repeated, read from some element on
> let joined (A: [N]f32) (B: [M]f32) = generate (N + M) (\i -> if i < N then A[i] else B[i - N])
joined : [N]f32 -> [M]f32 -> [M + N]f32
> show
generate (M + N) (λi → if i < N then A[i] else B[i - N])
  shorter  concat A B        apply indicesToElements
> why indicesToElements | tail -1
  try     apply indicesToElements at /
> let behind (A: [N]f32) (B: [M]f32) = generate (N + M) (\i -> 2 * (if i >= N then B[i - N] else A[i]))
behind : [N]f32 -> [M]f32 -> [M + N]f32
> show
generate (M + N) (λi → 2 * (if i >= N then B[i - N] else A[i]))
  shorter  map (λr → 2 * r) (concat A B)        apply indicesToElements
> let rows (A: [N][K]f32) (B: [M][K]f32) = generate (N + M) (\i -> generate K (\j -> if i < N then A[i, j] else B[i - N, j]))
rows : [N][K]f32 -> [M][K]f32 -> [M + N][K]f32
> show
generate (M + N) (λi → generate K (λj → if i < N then A[i][j] else B[i - N][j]))
  shorter  concat A B        apply indicesToElements
> let columns (A: [N][K]f32) (B: [N][M]f32) = generate N (\i -> generate (K + M) (\j -> if j < K then A[i, j] else B[i, j - K]))
columns : [N][K]f32 -> [N][M]f32 -> [N][K + M]f32
> show
generate N (λi → generate (K + M) (λj → if j < K then A[i][j] else B[i][j - K]))
  shorter  map (λ(r, r1) → concat r r1) (zip A B)        apply indicesToElements
> let ends (x: [N]f32) = generate (N + 4) (\i -> if i < 2 then 0 else if i < N + 2 then x[i - 2] else 0)
ends : [N]f32 -> [N + 4]f32
> show
generate (N + 4) (λi → if i < 2 then 0 else if i < N + 2 then x[i - 2] else 0)
  shorter  padConst 2 2 0 x        apply indicesToElements
> let within (x: [N]f32) = generate (N + 5) (\i -> if i >= 2 && i < N + 2 then x[i - 2] else 7)
within : [N]f32 -> [N + 5]f32
> show
generate (N + 5) (λi → if i >= 2 && i < N + 2 then x[i - 2] else 7)
  shorter  padConst 2 3 7 x        apply indicesToElements
> let without (x: [N]f32) = generate (N + 5) (\i -> if i < 1 || i >= 1 + N then 0 else x[i - 1])
without : [N]f32 -> [N + 5]f32
> show
generate (N + 5) (λi → if i < 1 || i >= 1 + N then 0 else x[i - 1])
  shorter  padConst 1 4 0 x        apply indicesToElements
> let change (x: [N]f32) = generate N (\i -> x[i] - (if i == 0 then 0 else x[i - 1]))
change : [N]f32 -> [N]f32
> show
generate N (λi → x[i] - (if i == 0 then 0 else x[i - 1]))
  shorter  map (-) (zip x (take N ∘ padConst 1 0 0 $ x))        apply indicesToElements
> let halo (A: [N][M]f32) = generate (N + 2) (\i -> generate (M + 2) (\j -> A[max 0 (min (N - 1) (i - 1)), min (M - 1) (max 0 (j - 1))]))
halo : [N][M]f32 -> [N + 2][M + 2]f32
> show
generate (N + 2)
  (λi → generate (M + 2) (λj → A[max 0 (min (N - 1) (i - 1))][min (M - 1) (max 0 (j - 1))]))
  shorter  pad2 1 1 clamp A        apply indicesToElements
> let twice (x: [N]f32) = generate (2 * N) (\i -> x[i // 2])
twice : [N]f32 -> [2*N]f32
> moves | head -1
  1  indicesToElements      join ∘ map (λr → generate 2 (λl → r)) $ x
> let around (x: [N]f32) = generate (3 * N) (\i -> x[i % N])
around : [N]f32 -> [3*N]f32
> show
generate (3*N) (λi → x[i % N])
  shorter  join (generate 3 (λl → x))        apply indicesToElements
> let last (x: [N]f32) = generate 4 (\i -> x[N - 4 + i])
last : [N]f32 -> [4]f32
> show
generate 4 (λi → x[N - 4 + i])
  shorter  drop (N - 4) x        apply indicesToElements
> # lower takes kernels that choose, not arrays that are joined
> use joined
> data N = 67, M = 5
> lower
@1  lower                               builtin    from @0
  - generate (M + N) (λi → if i < N then A[i] else B[i - N])
  + mapGlobal 0 (λi → if i < N then A[i] else B[i - N]) (iota (M + N))
  type   [M + N]f32                   unchanged
  inner  2 steps        log --expand
  focus  /  ->  /                     7 moves here
> run -n 1
**
  build   **
  verify  OK **
          exact; sees changes of 6e-08
          every element
  time    **
> # arrays one behind the other, in whatever order they are asked for
> let four (x: [N]f32) (y: [N]f32) (z: [N]f32) (w: [N]f32) = generate (4*N) (\i -> if i < N then x[i] else if i < 2*N then y[i-N] else if i < 3*N then z[i-2*N] else w[i-3*N])
four : [N]f32 -> [N]f32 -> [N]f32 -> [N]f32 -> [4*N]f32
> show | tail -1
  shorter  concat (concat (concat x y) z) w        apply indicesToElements
> let last (x: [N]f32) (y: [M]f32) (z: [K]f32) = generate (N+M+K) (\i -> if i >= N+M then z[i-N-M] else if i < N then x[i] else y[i-N])
last : [N]f32 -> [M]f32 -> [K]f32 -> [K + M + N]f32
> show | tail -1
  shorter  concat (concat x y) z        apply indicesToElements
> let middle (x: [N]f32) (y: [N]f32) (z: [N]f32) = generate (3*N) (\i -> if i >= N && i < 2*N then y[i-N] else if i >= 2*N then z[i-2*N] else x[i])
middle : [N]f32 -> [N]f32 -> [N]f32 -> [3*N]f32
> show | tail -1
  shorter  concat (concat x y) z        apply indicesToElements
> eval
@0  [768]f32    N=256 (default; data N = ...)
  [-0.64912224, 0.18101203, -0.88867086, -0.5085838, 0.157309, 0.9625242, 0.044096235, -0.6274365, ...]
  hash 44c6e53187fc383c
> apply indicesToElements ; eval
@1  indicesToElements  at /             builtin    from @0
  - generate (3*N) (λi → if i >= N && i < 2 * N then y[i - N] else if i >= 2 * N then z[i - 2 * N...
  + concat (concat x y) z
  type   [3*N]f32                     unchanged
  inner  11 steps        log --expand
  focus  /  ->  /                     7 moves here
@1  [768]f32    N=256 (default; data N = ...)
  [-0.64912224, 0.18101203, -0.88867086, -0.5085838, 0.157309, 0.9625242, 0.044096235, -0.6274365, ...]
  hash 44c6e53187fc383c
> # windows and borders by a function for each dimension: by index, as layouts, by their names
> let index (x: [H][W]f32) = generate (H-1) (\i -> generate (W-2) (\j -> generate 2 (\k -> generate 3 (\l -> x[i+k][j+l]))))
index changed; its earlier derivation is kept as index.1
index : [H][W]f32 -> [H - 1][W - 2][2][3]f32
> show | tail -1
  shorter  windows2 (slide 2 1) (slide 3 1) x        apply indicesToElements
> let layout (x: [H][W]f32) = map transpose (slide 2 1 (map (slide 3 1) x))
layout : [H][W]f32 -> [H - 1][W - 2][2][3]f32
> show
windows2 (slide 2 1) (slide 3 1) x
> let derived (x: [H][W]f32) = windows2 (slide 2 1) (slide 3 1) x
derived : [H][W]f32 -> [H - 1][W - 2][2][3]f32
> show
windows2 (slide 2 1) (slide 3 1) x
> let three (x: [H][W][D]f32) = windows3 (slideFloor 2 2) (slide 3 1) (slideDilated 3 2 1) x
three : [H][W][D]f32 -> [H // 2][W - 2][D - 4][2][3][3]f32
> show
windows3 (slideFloor 2 2) (slide 3 1) (slideDilated 3 2 1) x
> let edges (x: [H][W]f32) = generate (H+2) (\i -> generate (W+4) (\j -> if j >= 2 && j < W+2 then x[max 0 (min (H-1) (i-1))][j-2] else 0))
edges : [H][W]f32 -> [H + 2][W + 4]f32
> show | tail -1
  shorter  dims2 (pad 1 1 clamp) (padConst 2 2 0) x        apply indicesToElements
> let edges3 (x: [H][W][D]f32) (v: f32) = dims3 (spread 3 0) (padConst 1 1 v) (pad 2 2 wrap) x
edges3 : [H][W][D]f32 -> f32 -> [3*H - 2][W + 2][D + 4]f32
> show
dims3 (spread 3 0) (padConst 1 1 v) (pad 2 2 wrap) x
> let each (x: [H][W]f32) = dims2 (padConst 1 1 0) (padConst 1 1 0) x
each : [H][W]f32 -> [H + 2][W + 2]f32
> show
padConst2 1 1 0 x
> let ring (x: [N]f32) = generate (N + 3) (\i -> x[(i - 1) % N])
ring : [N]f32 -> [N + 3]f32
> show
generate (N + 3) (λi → x[(i - 1) % N])
  shorter  pad 1 2 wrap x        apply indicesToElements
> let pool (x: [H][W]f32) = generate (H//2) (\i -> generate (W//2) (\j -> maximum (join (generate 2 (\a -> generate 2 (\b -> x[i*2+a][j*2+b]))))))
pool : [H][W]f32 -> [H // 2][W // 2]f32
> apply indicesToElements ; show | tail -1
@1  indicesToElements  at /             builtin    from @0
  - generate (H // 2) (λi → generate (W // 2) (λj → reduce max (..) (join (generate 2 (λa → gener...
  + map (map (reduce max (-inf) ∘ join)) ∘ slideFloor2 2 2 $ x
  type   [H // 2][W // 2]f32          unchanged
  inner  28 steps        log --expand
  focus  /  ->  /                     26 moves here
map (map (reduce max (-inf) ∘ join)) ∘ slideFloor2 2 2 $ x
