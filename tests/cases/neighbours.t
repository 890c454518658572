> # by indices, neighbours of several rows are read once for all: an item makes elements of rows beside each other
> set target h200
> let heat (A: [X][Y][Z]f32) = iterate 2 (\a -> generate X (\i -> generate Y (\j -> generate Z (\l -> if i == 0 || i == X - 1 || j == 0 || j == Y - 1 || l == 0 || l == Z - 1 then a[i][j][l] else (a[i][j][l+1] + a[i][j][l-1] + a[i][j-1][l] + a[i][j+1][l] + a[i-1][j][l] + a[i+1][j][l]) / 36 + a[i][j][l] / 6)))) A
heat : [X][Y][Z]f32 -> [X][Y][Z]f32
> data X = 9, Y = 184, Z = 173
> lower --explain | grep elements
  or         4.73 us   elements    lower lowerAs("elements")
> lower lowerAs("elements") | head -1
@1  lowerAs("elements")                 builtin    from @0
> run | grep verify
  verify  OK   3 inputs x 2 repeats
> code | grep "a_next\["
        a_next[346*(gid1 + 92*gid2) + gid0] = gid2 == 0
        a_next[173*(2*(gid1 + 92*gid2) + 1) + gid0] = gid2 == 0
> # a name above a nest that the nest's new form uses once is gone: the nest is found all the same
> set target pocl
> let unsharp (img: [3][H][W]f32) = let gray = generate H (\y -> generate W (\x -> 0.3 * img[0][y][x] + 0.6 * img[1][y][x] + 0.1 * img[2][y][x])) let g = \x -> map (\w -> 0.25 * w[0] + 0.5 * w[1] + 0.25 * w[2]) (slide 3 1 (pad 1 1 clamp x)) let blur = map g (transpose (map g (transpose gray))) let ratio = zipWith2 (\a b -> (2 * a - b) / (a + 0.001)) gray blur in map (\c -> zipWith2 (*) c ratio) img
unsharp : [3][H][W]f32 -> [3][H][W]f32
  inlined  blur: used once (letDuplicate)
> data H = 2560
> data W = 1536
> lower
@1  lower                               builtin    from @0
  - let gray = generate H (λy → generate W (λx → 0.3 * img[0][y][x] + 0.6 * img[1][y][x] + 0.1 * ...
  + let t = mapWorkgroup 0 (λy → mapSeq (λx → fma 0.1 img[2][y][x] (fma 0.6 img[1][y][x] (..))) (...
  type   [3][H][W]f32                 unchanged
  inner  57 steps        log --expand
  focus  /  ->  /                     16 moves here
