> # a product that no block divides is padded by lower, where that is little more work, and what padNest has made is blocked
> set times off; set trials 1; set run_timeout 60
> load tests/programs/mm.fun
mm : [N][K]f32 -> [K][M]f32 -> [N][M]f32
> data N = 100
> data K = 77
> data M = 333
> lower
@1  lower                               builtin    from @0
  - map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) A
  + mapGlobal 1 (mapGlobal 0 id) ∘ take N ∘ map (take M) ∘ join ∘ mapWorkgroup 1 (λxss → transpos...
  type   [N][M]f32                    unchanged
  inner  76 steps        log --expand
  focus  /  ->  /                     4 moves here
> log --expand | grep 'padNest\|padDots\|mapWorkgroup'
      padNest(16, 64, 16)  at /
> run
@1  pocl0 **
  build   - ms        3 kernels   local 40.0 KiB/WG   private 1.0 KiB
  verify  OK   3 inputs x 2 repeats   max rel * (tol 1e-05 of the shadow; input 1 exact)
          every element
  time    - ms median of 1  (IQR -, min -)    - GFLOP/s   - GB/s
> goto @0
@0  source
    map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) A
> apply padNest
@2  padNest  at /                       builtin    from @0
  - map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) A
  + take N ∘ map (take M) ∘ map (λr → map (λc → reduce (+) 0 (map (*) (zip r c))) ∘ pad 0 ((-(M %...
  type   [N][M]f32                    unchanged
  inner  8 steps        log --expand
  focus  /  ->  /                     4 moves here
> lower
@3  lower                               builtin    from @2
  - take N ∘ map (take M) ∘ map (λr → map (λc → reduce (+) 0 (map (*) (zip r c))) ∘ pad 0 ((-(M %...
  + mapGlobal 1 (mapGlobal 0 id) ∘ take N ∘ map (take M) ∘ join ∘ mapWorkgroup 1 (λxss → transpos...
  type   [N][M]f32                    unchanged
  inner  68 steps        log --expand
  focus  /  ->  /                     4 moves here
> run
@3  pocl0 **
  build   - ms        3 kernels   local 40.0 KiB/WG   private 1.0 KiB
  verify  OK   3 inputs x 2 repeats   max rel * (tol 1e-05 of the shadow; input 1 exact)
          every element
  time    - ms median of 1  (IQR -, min -)    - GFLOP/s   - GB/s
> # nor is a map over the product in its way
> load tests/programs/gemm.fun
gemm : [N][K]f32 -> [K][M]f32 -> [N][M]f32 -> f32 -> f32 -> [N][M]f32
> data N = 97
> data K = 101
> data M = 113
> lower
@1  lower                               builtin    from @0
  - map (λ(ps, cs) → map (λ(p, c) → alpha * p + beta * c) (zip ps cs)) (zip (map (λrow → map (λco...
  + mapGlobal 1 (λ(ps, cs) → mapGlobal 0 (λ(p, c) → fma beta c (alpha * p)) (zip ps cs)) (zip (ta...
  type   [N][M]f32                    unchanged
  inner  81 steps        log --expand
  focus  /  ->  /                     4 moves here
> log --expand | grep 'padDots\|mapWorkgroup'
> run
@1  pocl0 **
  build   - ms        3 kernels   local 56.0 KiB/WG   private 1.0 KiB
  verify  OK   3 inputs x 2 repeats   max rel * (tol 1e-05 of the shadow; input 1 exact)
          every element
  time    - ms median of 1  (IQR -, min -)    - GFLOP/s   - GB/s
> # a small product, or one that would become much larger, stays as it is
> let small (A: [N][K]f32) (B: [K][M]f32) = map (\row -> map (\col -> reduce (+) 0 (map (*) (zip row col))) (transpose B)) A
small : [N][K]f32 -> [K][M]f32 -> [N][M]f32
> data N = 30
> data K = 31
> data M = 33
> lower
@1  lower                               builtin    from @0
  - map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) A
  + mapGlobal 1 (λrow → mapGlobal 0 (λcol → reduceSeq (λ(acc, (y0, y1)) → fma y0 y1 acc) 0 (zip r...
  type   [N][M]f32                    unchanged
  inner  5 steps        log --expand
  focus  /  ->  /                     4 moves here
> log --expand | grep -c padDots
0
> # what casts make of 0 is 0
> let quantised (A: [N][K]i8) (B: [M][K]i8) = map (\a -> map (\b -> reduce (+) 0 (map (\(x, y) -> i32 x * i32 y) (zip a b))) B) A
quantised : [N][K]i8 -> [M][K]i8 -> [N][M]i32
> data N = 131, M = 133, K = 67
> lower --explain | grep 'product\|pad'
  product    **
             padNest(16, 16, 16)
