> # few long columns on a GPU: in tiles of rows, each reduction by itself
> device oclgrind
oclgrind    Oclgrind Simulator
> load tests/programs/zcols.fun
zcols : [N][M]f32 -> [N][M]f32
> data N = 16384 M = 64
> lower --explain
#1 /in/value map (\a -> reduce (+) 0 a / N) . transpose $ X
  columns    19.4 us   0.17 of the bound
             reduceOut
             zipDrop
             reduceColumnTiles{n=32, m=32}
             mapWorkgroup(2)
             mapWorkgroup(1)
             rowsInGroups{dim=1, items=32, rounds=0, side=32}
             rowsInGroups{dim=1, items=N/512, rounds=0, side=32}
  takes      start 9.9 us, chain 5.57 us, arithmetic 3.77 us, accesses 3.06 us
  bound      3.3 us   launches
  or         169 us    elements    lower lowerAs("elements")
  or         323 us    rows        lower lowerAs("rows")
  or         2.56 ms   plain       lower lowerAs("plain")
  helps      2 groups for 132 units
  helps      sums side by side: each step waits for the one before
#2 /in/body/value map (\(m, c) -> ..) (zip v ..)
  columns    16 us   0.21 of the bound
             reduceFission
             mapInterchangeZipOut
             transposeTranspose
             reduceColumnTiles{n=32, m=32}
             splitMap
             mapFusion
             splitMap
             splitZip
             mapFusion
             transposeMapOut
             zipDrop
             transposeMapZip
             mapFusion
             transposeMapOut
             zipDrop
             transposeMapZip
             mapFusion
             mapId
             mapWorkgroup(2)
             mapWorkgroup(1)
             rowsInGroups{dim=1, items=32, rounds=0, side=32}
             rowsInGroups{dim=1, items=N/512, rounds=0, side=32}
  takes      start 6.6 us, chain 5.57 us, arithmetic 3.86 us, accesses 3.19 us
  bound      3.3 us   launches
  or         170 us    elements    lower lowerAs("", "elements")
  or         324 us    rows        lower lowerAs("", "rows")
  or         2.57 ms   plain       lower lowerAs("", "plain")
  helps      2 groups for 132 units
  helps      sums side by side: each step waits for the one before
#3 /in/body/body/in map (\y -> map (\(s, m, x) -> .. / ..) (zip v1 v y)) X
  long map   5.78 us   0.57 of the bound
             mapRowsGpu{w=4}
  takes      start 3.3 us, memory 2.02 us, arithmetic 1.8 us, accesses 430 ns
  bound      3.3 us   launches
  or         5.95 us   elements    lower lowerAs("", "", "elements")
  or         6.47 us   plain       lower lowerAs("", "", "plain")
in all       41.2 us on a GPU   0.08 of the bound: 3.3 us, launches
> # rows that no tiles divide are reduced apart
> set repeats 1
> set seeds 1
> set run_timeout 60
> data N = 32771 M = 1
> lower
@1  lower                               builtin    from @0
  - map (λc → let m = reduce (+) 0 c / N in let v = (reduce (+) 0 ∘ map (λx → (..) * (..)) $ c) /...
  + let v = mapGlobal 0 (λs → s / N) (mapGlobal 0 (+) (zip (mapWorkgroup 0 (reduceSeq (+) 0 ∘ joi...
  type   [M][N]f32                    unchanged
  inner  109 steps        log --expand
  focus  /  ->  /                     12 moves here
> run -n 1
@1  oclgrind Oclgrind Simulator   N=32771  M=1   WG 1x32x1 x 1x1x1024   WG 1x32 x 1x1   WG 1 x 1   WG 1 x 1   WG 1 x 1   WG 1x32x1 x 1x1x1024   WG 1x32 x 1x1   WG 1 x 1   WG 1 x 1   WG 1x64 x 1x513
  build   - ms        10 kernels   local 132 B/WG   private 0 B
  verify  OK   1 input x 1 repeat
          error 1.3e-07, 0.029 x the source's own; sees changes of 6e-08
          every element
