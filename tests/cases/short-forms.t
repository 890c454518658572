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
