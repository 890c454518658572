> # a product whose rows or columns no block divides is made in parts by lower, and what padNest has made is blocked
> set times off; set trials 1
> load tests/programs/mm.fun
mm : [N][K]f32 -> [K][M]f32 -> [N][M]f32
> data N = 100
> data K = 77
> data M = 333
> lower
@1  lower                               builtin    from @0
  - map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) A
  + transpose (concat (transpose ∘ join ∘ mapWorkgroup 1 (λxss → transpose ∘ join ∘ mapWorkgroup ...
  type   [N][M]f32                    unchanged
  inner  187 steps        log --expand
  focus  /  ->  /                     4 moves here
> log --expand | grep 'PeelLast\|mapConcatOut\|gemmCpu'
      .1  mapPeelLast(13)  at /f/body
      .2  mapConcatOut  at /
      gemmCpu{kb=77, mb=100, mr=4, nb=64, nr=64, w=16}  at /in/0/in
> run
@1  pocl0 **
  build   - ms        4 kernels   local 28.9 KiB/WG   private 1.0 KiB
  verify  OK   3 inputs x 2 repeats; input 1 exact
          error 5.6e-07, 0.37 x the source's own; sees changes of 2.6e-06
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
  - take N ∘ map (..) ∘ map (λr → map (λc → reduce (+) 0 (map (*) (zip r c))) ∘ pad 0 (..) clamp ...
  + let t = mapGlobal 1 (..) ∘ pad 0 (..) clamp ∘ map (..) $ A in mapGlobal 1 (..) (map (..) (joi...
  type   [N][M]f32                    unchanged
  inner  49 steps        log --expand
  focus  /  ->  /                     4 moves here
> run
@3  pocl0 **
  build   - ms        3 kernels   local 40.0 KiB/WG   private 1.0 KiB
  verify  OK   3 inputs x 2 repeats; input 1 exact
          error 5.1e-07, 0.34 x the source's own; sees changes of 2.6e-06
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
  + map (take M) (take N (join (mapWorkgroup 1 (λ(y, cs) → transpose (join (mapWorkgroup 0 (λ(y1,...
  type   [N][M]f32                    unchanged
  inner  64 steps        log --expand
  focus  /  ->  /                     4 moves here
> log --expand | grep 'PeelLast\|mapConcatOut\|gemmCpu'
      gemmCpu{kb=104, mb=100, mr=4, nb=64, nr=64, w=16}  at /in/in
> run
@1  pocl0 **
  build   - ms        local 51.0 KiB/WG   private 1.0 KiB
  verify  OK   3 inputs x 2 repeats; input 1 exact
          error 5.8e-07, 0.33 x the source's own; sees changes of 6e-08
          every element
  time    - ms median of 1  (IQR -, min -)    - GFLOP/s   - GB/s
> # one whose length no tile divides is padded, where that is little more work
> let deep (A: [N][K]f32) (B: [K][M]f32) = map (\row -> map (\col -> reduce (+) 0 (map (*) (zip row col))) (transpose B)) A
deep : [N][K]f32 -> [K][M]f32 -> [N][M]f32
> data N = 100 K = 4099 M = 777
> lower --explain | grep -c padNest
1
> # a small product stays as it is
> let small (A: [N][K]f32) (B: [K][M]f32) = map (\row -> map (\col -> reduce (+) 0 (map (*) (zip row col))) (transpose B)) A
small : [N][K]f32 -> [K][M]f32 -> [N][M]f32
> data N = 20
> data K = 21
> data M = 33
> lower
@1  lower                               builtin    from @0
  - map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) A
  + mapGlobal 1 (λrow → mapGlobal 0 (λcol → reduceSeq (λ(acc, (y0, y1)) → fma y0 y1 acc) 0 (..)) ...
  type   [N][M]f32                    unchanged
  inner  5 steps        log --expand
  focus  /  ->  /                     4 moves here
> log --expand | grep -c gemmCpu
0
> # what casts make of 0 is 0
> let quantised (A: [N][K]i8) (B: [M][K]i8) = map (\a -> map (\b -> reduce (+) 0 (map (\(x, y) -> i32 x * i32 y) (zip a b))) B) A
quantised : [N][K]i8 -> [M][K]i8 -> [N][M]i32
> data N = 131, M = 133, K = 67
> lower --explain | grep -c '^  product '
2
