> # few rows times many: a group's work-items each have their part of the sums of some rows and columns, which go through local memory
> set repeats 1
> set seeds 1
> let linear (x: [N][K]f32) (w: [M][K]f32) (b: [M]f32) = generate N (\i -> generate M (\j -> reduce (+) 0 (map (*) (zip x[i] w[j])) + b[j]))
linear : [N][K]f32 -> [M][K]f32 -> [M]f32 -> [N][M]f32
> set target h200
> data N = 4; data M = 8192; data K = 8192
> lower --explain | head -5
#1           generate N (\i -> generate M (\j -> .. + ..))
  sliced product 85.1 us   0.76 of the bound: blocks of a product of few rows, or columns, by groups: each work-item has every so many-th number of all sums of a block (sliced k)
             items=64, n=32
  takes      memory 75.5 us, accesses 53.1 us, chain 21.4 us, arithmetic 20.9 us
  bound      64.8 us   memory
> lower lowerNests("sliced product n=16 items=64")
E23 lowerNests('sliced product n=8 items=32') failed: lowerNests fails at /
  needs   an array that sliced product n=8 items=32 makes
  found   generate N (\i -> generate M (\j -> .. + ..))
> code
E51 not runnable yet: 2 nodes are still high-level
  /f/body/f/body/0    reduce   as reduceSeq        moves /f/body/f/body/0
  /f/body/f/body/0/in map      as mapGlobal, mapWorkgroup, mapLocal, mapSeq        moves /f/body/f/body/0/in
  try     apply reduceSeq at /f/body/f/body/0
  or      lower
> # any number of rows up to eight, of columns, and of what is summed
> goto @0
@0  source
    generate N (λi → generate M (λj → reduce (+) 0 (map (*) (zip x[i] w[j])) + b[j]))
> data N = 5; data M = 37; data K = 101
> lower lowerNests("sliced product n=20 items=32")
@1  lowerNests("sliced product n=20 items=32")  builtin    from @0
  - generate N (λi → generate M (λj → reduce (+) 0 (map (*) (zip x[i] w[j])) + b[j]))
  + transpose (split N (take (M*N) (join (mapWorkgroup 0 (λis → mapLocal 0 (λ(y, cs) → reduceSeq ...
  type   [N][M]f32                    unchanged
  inner  26 steps        log --expand
  focus  /  ->  /                     10 moves here
> device 1
oclgrind    Oclgrind Simulator
  kernels are made for h200: set target
> run
@1  oclgrind Oclgrind Simulator   N=5  K=101  M=37   WG 32 x 10
  build   - ms        local 2.5 KiB/WG   private 0 B
  verify  OK   1 input x 1 repeat; input 1 exact
          exact; sees changes of 6e-08
          every element
> goto @0
@0  source
    generate N (λi → generate M (λj → reduce (+) 0 (map (*) (zip x[i] w[j])) + b[j]))
> data N = 1; data M = 9; data K = 259
> lower lowerNests("sliced product n=8 items=64")
@2  lowerNests("sliced product n=8 items=64")  builtin    from @0
  - generate N (λi → generate M (λj → reduce (+) 0 (map (*) (zip x[i] w[j])) + b[j]))
  + transpose (split N (take (M*N) (join (mapWorkgroup 0 (λis → mapLocal 0 (λ(y, cs) → reduceSeq ...
  type   [N][M]f32                    unchanged
  inner  26 steps        log --expand
  focus  /  ->  /                     10 moves here
> run
@2  oclgrind Oclgrind Simulator   N=1  K=259  M=9   WG 64 x 2
  build   - ms        local 2.0 KiB/WG   private 0 B
  verify  OK   1 input x 1 repeat; input 1 exact
          exact; sees changes of 6e-08
          every element
> # columns that are few: what is read along the sum, and across it
> let tall (a: [M][K]f32) (b: [K][N]f32) = map (\r -> map (\c -> reduce (+) 0 (map (*) (zip r c))) (transpose b)) a
tall : [M][K]f32 -> [K][N]f32 -> [M][N]f32
> data N = 3; data M = 21; data K = 130
> lower lowerNests("sliced product items=64")
@1  lowerNests("sliced product items=64")  builtin    from @0
  - map (λr → map (λr1 → reduce (+) 0 (map (*) (zip r r1))) ∘ transpose $ b) a
  + split N (take (M*N) (join (mapWorkgroup 0 (λis → mapLocal 0 (reduceSeq (+) 0) (transpose (toL...
  type   [M][N]f32                    unchanged
  inner  23 steps        log --expand
  focus  /  ->  /                     10 moves here
> run
@1  oclgrind Oclgrind Simulator   M=21  K=130  N=3   WG 64 x 6
  build   - ms        local 3.0 KiB/WG   private 0 B
  verify  OK   1 input x 1 repeat; input 1 exact
          exact; sees changes of 6e-08
          every element
> # more rows than that are a product
> data N = 9
> lower lowerNests("sliced product")
E23 lowerNests('sliced product') failed: lowerNests fails at /
  needs   an array that sliced product makes
  found   split N (take (M*N) (join (mapWorkgroup 0 (\is -> ..) ..)))
