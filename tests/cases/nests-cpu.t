> # a CPU's templates: products in blocks, neighbours with their sums written out, side by side, and along memory
> let conv (x: [C][H][W]f32) (w: [O][C][3][3]f32) = generate O (\o -> generate H (\i -> generate W (\j -> reduce (+) 0 (generate C (\c -> reduce (+) 0 (generate 3 (\p -> reduce (+) 0 (generate 3 (\q -> let y = i + p - 1 let z = j + q - 1 in if y >= 0 && y < H && z >= 0 && z < W then x[c][y][z] * w[o][c][p][q] else 0)))))))))
conv : [C][H][W]f32 -> [O][C][3][3]f32 -> [O][H][W]f32
> data C = 5, H = 9, W = 37, O = 6
> lower --explain
#1           generate O (\i -> generate H (\j -> generate W (\k -> ..)))
  runs       5.91 us   0.53 of the bound: an item for neighbours of which a compiler makes vectors, their sums written out, `ends` of a row apart
             first=2, n=333, parts=1
  takes      control 3.56 us, chain 3.37 us, arithmetic 3.11 us, start 2.03 us
  bound      3.11 us   arithmetic
  or         12.5 us   beside      lower lowerNests("beside")
  or         15.2 us   product     lower lowerNests("product")
  or         64.8 us   items       lower lowerNests("items")
in all       5.91 us on a CPU   0.53 of the bound: 3.11 us, arithmetic
> lower lowerNests | head -1
@1  lowerNests                          builtin    from @0
> run | tail -5
  build   - ms        local 0 B/WG   private 1.0 KiB
  verify  OK   3 inputs x 2 repeats; input 1 exact
          error 4.1e-07, 0.57 x the source's own; sees changes of 1.4e-06
          every element
  time    - ms median of 20  (IQR -, min -)    - GFLOP/s   - GB/s
> let pool (x: [C][H][W]f32) = map (\image -> map2 (\w -> reduce max (-inf) (join w)) (slide2 3 2 (padConst2 1 1 (-inf) image))) x
pool : [C][H][W]f32 -> [C][(H + 1)/2][(W + 1)/2]f32
> data C = 3, H = 61, W = 1201
> lower --explain
#1           generate C (\i -> generate ((H + 1)/2) (\j -> ..))
  runs       62.6 us   0.15 of the bound: an item for neighbours of which a compiler makes vectors, their sums written out, `ends` of a row apart
             ends=1, first=3, n=601, parts=1
  takes      control 47.6 us, chain 44.2 us, accesses 22.2 us, arithmetic 12.3 us
  bound      9.37 us   memory
  or         113 us    beside      lower lowerNests("beside")
  or         152 us    items       lower lowerNests("items")
in all       62.6 us on a CPU   0.15 of the bound: 9.37 us, memory
> lower lowerNests | head -1
@1  lowerNests                          builtin    from @0
> run | tail -5
  build   - ms        local 0 B/WG   private 1.0 KiB
  verify  OK   3 inputs x 2 repeats; input 1 exact
          exact; sees changes of 6e-08
          every element
  time    - ms median of 20  (IQR -, min -)    - GB/s
> let channels (x: [N][C][W]f32) = map (\image -> map (\p -> sqrt (reduce (+) 0 (map (\v -> v * v) p) + 1)) (transpose image)) x
channels : [N][C][W]f32 -> [N][W]f32
> data N = 3, C = 130, W = 1301
> lower --explain
#1 /         map (map (\p -> sqrt (.. + 1)) . transpose) x
  plain      217 us   0.08 of the bound
  takes      chain 155 us, control 97.8 us, jumps 39 us, caches 17.2 us
  bound      16.9 us   memory
  or         218 us    elements    lower lowerAs("elements")
  near       no product: an element is more than a reduction: sqrt ((reduce (+)
             0 . map (\v -> v * v) $ _0) + 1)
  near       no rows: no step of a row is a reduction to a scalar
  helps      sums side by side: each step waits for the one before
in all       217 us on a CPU   0.08 of the bound: 16.9 us, memory
> lower lowerNests | head -1
@1  lowerNests                          builtin    from @0
> run | tail -5
  build   - ms        local 0 B/WG   private 1.0 KiB
  verify  OK   3 inputs x 2 repeats
          error 1.3e-07, 0.32 x the source's own; sees changes of 6e-08
          every element
  time    - ms median of 20  (IQR -, min -)    - GB/s
> let blocks (x: [N][B][C][W]f32) (y: [B]f32) = map (\image -> map (\(block, s) -> s * reduce (+) 0 (map exp (join block))) (zip image y)) x
blocks : [N][B][C][W]f32 -> [B]f32 -> [N][B]f32
> data N = 30, B = 50, C = 7, W = 301
> lower --explain
#1           generate N (\i -> generate B (\j -> .. * ..))
  along      1.39 ms   0.57 of the bound: an item for some elements, each sum in the lanes of vectors
             first=2, lanes=64, n=50, parts=1
  takes      arithmetic 1.27 ms, control 176 us, caches 108 us, accesses 15 us
  bound      786 us   arithmetic
  or         4.43 ms   beside      lower lowerNests("beside")
  or         6.84 ms   items       lower lowerNests("items")
in all       1.39 ms on a CPU   0.56 of the bound: 773 us, arithmetic
> lower lowerNests | head -1
@1  lowerNests                          builtin    from @0
> run | tail -5
  verify  OK   3 inputs x 2 repeats
          error 1.2e-06, 0.45 x the source's own; sees changes of 1.5e-05
          every element
          1500 values are inf or NaN in the reference: no tolerance there
  time    - ms median of 20  (IQR -, min -)    - GB/s
> # what is dear in a sum and not another for each of its elements is made once, unless it is a factor of a product
> let waves (x: [W]f32) (y: [H]f32) (t: [D]f32) = map (\b -> map (\a -> reduce (+) 0 (map (\d -> sqrt (cos d * a + sin d * b + 2)) t)) x) y
waves : [W]f32 -> [H]f32 -> [D]f32 -> [H][W]f32
> data W = 30, H = 20, D = 7
> apply elementForm
@1  elementForm  at /                   builtin    from @0
  - map (λb → map (λa → reduce (+) 0 ∘ map (λd → sqrt (cos d * a + sin d * b + 2)) $ t) x) y
  + let t1 = generate D (λr → cos t[r]) in let t2 = generate D (λr → sin t[r]) in generate H (λi ...
  type   [H][W]f32                    unchanged
  focus  /  ->  /                     14 moves here
> show
let t1 = generate D (λr → cos t[r])
in let t2 = generate D (λr → sin t[r])
in generate H
  (λi → generate W (λj → reduce (+) 0 (generate D (λr → sqrt (t1[r] * x[j] + t2[r] * y[i] + 2)))))
  shorter  let t1 = map cos t in let t2 = map sin t in map...        apply indicesToElements
> lower lowerNests
@2  lowerNests                          builtin    from @1
  - let t1 = generate D (..) in let t2 = generate D (..) in generate H (λi → generate W (λj → red...
  + let t1 = mapGlobal 0 (..) (iota D) in let t2 = mapGlobal 0 (..) (iota D) in split W (join (ma...
  type   [H][W]f32                    unchanged
  inner  17 steps        log --expand
  focus  /  ->  /                     13 moves here
> run -n 1 | grep verify
  verify  OK   3 inputs x 2 repeats
> let scores (x: [N][K]f32) (y: [M][K]f32) = map (\a -> map (\b -> reduce (+) 0 (zipWith (\(p, q) -> exp p * q) a b)) y) x
scores : [N][K]f32 -> [M][K]f32 -> [N][M]f32
> apply elementForm
@1  elementForm  at /                   builtin    from @0
  - map (λa → map (λb → reduce (+) 0 (map (λ(p, q) → exp p * q) (zip a b))) y) x
  + generate N (λi → generate M (λj → reduce (+) 0 (generate K (λr → exp x[i][r] * y[j][r]))))
  type   [N][M]f32                    unchanged
  focus  /  ->  /                     18 moves here
> show
generate N (λi → generate M (λj → reduce (+) 0 (generate K (λr → exp x[i][r] * y[j][r]))))
  shorter  map (λa → map (λb → reduce (+) 0 (map (λ(p, q) ...        apply indicesToElements
> # a short sum in what is summed is written out, whether its length is a number or a size
> let nearest (x: [N][K]f32) (y: [M][K]f32) = map (\p -> reduce min inf (map (\q -> reduce (+) 0 (map (\(a, b) -> (a - b) * (a - b)) (zip p q))) y)) x
nearest : [N][K]f32 -> [M][K]f32 -> [N]f32
> data N = 512, M = 61, K = 3
> lower lowerNests("beside") | head -1
@1  lowerNests("beside")                builtin    from @0
> code | grep -c for
3
> run | grep verify
  verify  OK   3 inputs x 2 repeats; input 1 exact
