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
