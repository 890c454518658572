> # few long columns on a GPU: in tiles of rows, each reduction by itself
> device oclgrind
oclgrind    Oclgrind Simulator
> load tests/programs/zcols.fun
zcols : [N][M]f32 -> [N][M]f32
> data N = 16384 M = 64
> lower --explain
#1           generate M (\j -> reduce (+) 0 (generate N (\r -> X[r][j])))
  parts      9.68 us   0.34 of the bound: long sums that are few, in parts that are sums of their own
             k=4
  takes      start 6.6 us, chain 2.32 us, memory 1.26 us, arithmetic 1.23 us
  bound      3.3 us   launches
  or         13.4 us   group       items=512, side=1
  or         2.56 ms   items
#2           generate M (\j -> let t1 = .. / N in reduce (+) 0 ..)
  parts      11.8 us   0.28 of the bound: long sums that are few, in parts that are sums of their own
             k=16
  takes      start 6.6 us, chain 3.51 us, arithmetic 2.62 us, memory 1.85 us
  bound      3.3 us   launches
  or         18.4 us   group       items=256, side=1
  or         2.57 ms   items
#3           generate N (\i -> generate M (\j -> .. / ..))
  shape      6.25 us   0.53 of the bound: the shape that `lower` gives it, of those without sums
  takes      start 3.3 us, arithmetic 2.37 us, memory 2.02 us, accesses 1.61 us
  bound      3.3 us   launches
  or         6.77 us   items
in all       27.8 us on a GPU   0.12 of the bound: 3.3 us, launches
> # rows that no tiles divide are reduced apart
> set repeats 1
> set seeds 1
> set run_timeout 60
> data N = 32771 M = 1
> lower
@1  lower                               builtin    from @0
  - transpose ∘ map (λc → let m = reduce (+) 0 c / N in let v = (reduce (+) 0 ∘ map (λx → (x - m)...
  + let w = split 32 (mapWorkgroup 0 (λi → reduceSeq (+) 0 (toLocal (mapLocal 0 (reduceSeq (+) 0)...
  type   [N][M]f32                    unchanged
  inner  44 steps        log --expand
  focus  /  ->  /                     12 moves here
> run -n 1
@1  oclgrind Oclgrind Simulator   N=32771  M=1   WG 256 x 32   WG 1 x 1   WG 256 x 32   WG 1 x 1   WG 64 x 513
  build   - ms        10 kernels   local 132 B/WG   private 0 B
  verify  OK   1 input x 1 repeat
          error 1.3e-07, 0.029 x the source's own; sees changes of 6e-08
          every element
