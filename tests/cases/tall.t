> # few long columns on a GPU: in tiles of rows, each reduction by itself
> device oclgrind
oclgrind    Oclgrind Simulator
> load tests/programs/zcols.fun
zcols : [N][M]f32 -> [N][M]f32
> data N = 16384 M = 64
> lower --explain
#1 /value    map (reduce (\((n, a, s), (k, b, t)) -> ..) .. . map (\r -..
  columns    26.7 us   0.12 of the bound
             reduceFission
             mapInterchangeInner
             transposeTranspose
             reduceColumnTiles{n=32, m=32}
             splitMap
             mapFusion
             splitMap
             transposeMapOut
             zipDrop
             mapFusion
             transposeMapOut
             zipDrop
             mapFusion
             mapId
             mapWorkgroup(2)
             mapWorkgroup(1)
             rowsInGroups{dim=1, items=32, rounds=0, side=32}
             rowsInGroups{dim=1, items=N/512, rounds=0, side=32}
  takes      arithmetic 15.8 us, accesses 8.12 us, start 6.6 us, memory 5.83 us
  bound      3.3 us   launches
  or         188 us    elements    lower lowerAs("elements")
  or         360 us    rows        lower lowerAs("rows")
  or         2.73 ms   plain       lower lowerAs("plain")
  helps      more of it at once: blocks in registers, more groups
#2 /body     map (\r -> map (\(r1, (r0, r11, r2)) -> ..) (zip r t)) X
  long map   5.78 us   0.57 of the bound
             mapRowsGpu{w=4}
  takes      start 3.3 us, memory 2.02 us, arithmetic 1.8 us, accesses 430 ns
  bound      3.3 us   launches
  or         5.78 us   elements    lower lowerAs("", "elements")
  or         6.47 us   plain       lower lowerAs("", "plain")
in all       32.5 us on a GPU   0.10 of the bound: 3.3 us, launches
> # rows that no tiles divide are reduced apart
> set repeats 1
> set seeds 1
> set run_timeout 60
> data N = 32771 M = 1
> lower
@1  lower                               builtin    from @0
  - transpose ∘ map (λc → let m = reduce (+) 0 c / N in let v = (reduce (+) 0 ∘ map (λx → (x - m)...
  + let t = mapGlobal 0 (λ((n, a, s), (k, b, t)) → let m = n + k in let w = if m == 0 then 0 else...
  type   [N][M]f32                    unchanged
  inner  75 steps        log --expand
  focus  /  ->  /                     12 moves here
> run -n 1
@1  oclgrind Oclgrind Simulator   N=32771  M=1   WG 1x32x1 x 1x1x1024   WG 1x32 x 1x1   WG 1 x 1   WG 1 x 1   WG 1x64 x 1x513
  build   - ms        10 kernels   local 132 B/WG   private 0 B
  verify  OK   1 input x 1 repeat
          error 1.3e-07, 0.029 x the source's own; sees changes of 6e-08
          every element
