> # few long columns on a GPU: in tiles of rows, each reduction by itself
> device oclgrind
oclgrind    Oclgrind Simulator
> load tests/programs/zcols.fun
zcols : [N][M]f32 -> [N][M]f32
> data N = 16384 M = 64
> lower --explain
#1           generate M (\j -> ..)
  parts      13.8 us   0.24 of the bound: long sums that are few, in parts that are sums of their own
             k=64
  takes      arithmetic 6.75 us, start 6.6 us, memory 2.64 us, accesses 1.15 us
  bound      3.3 us   launches
  or         360 us    group       lower lowerNests("group")
  or         2.72 ms   items       lower lowerNests("items")
#2           generate N (\i -> generate M (\j -> .. / ..))
  shape      5.78 us   0.57 of the bound: the shape that `lower` gives it, of those without sums or of one sum in all
             maps=true
  takes      start 3.3 us, memory 2.02 us, arithmetic 1.8 us, accesses 430 ns
  bound      3.3 us   launches
  or         6.47 us   items       lower lowerNests("", "items")
in all       19.6 us on a GPU   0.17 of the bound: 3.3 us, launches
> # rows that no tiles divide are reduced apart
> set repeats 1
> set seeds 1
> data N = 32771 M = 1
> lower
@1  lower                               builtin    from @0
  - transpose ∘ map (λc → let m = reduce (+) 0 c / N in let v = (reduce (+) 0 ∘ map (λx → (x - m)...
  + let w = transpose (split M (join (mapWorkgroup 0 (mapLocal 0 (λi → reduceSeqUnroll (λ((n, a, ...
  type   [N][M]f32                    unchanged
  inner  25 steps        log --expand
  focus  /  ->  /                     12 moves here
> run -n 1
@1  oclgrind Oclgrind Simulator   N=32771  M=1   WG 32x8 x 4x1   WG 1 x 1   WG 64 x 513
  build   - ms        10 kernels   local 132 B/WG   private 0 B
  verify  OK   1 input x 1 repeat
          error 1.3e-07, 0.029 x the source's own; sees changes of 6e-08
          every element
