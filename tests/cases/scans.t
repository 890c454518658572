> # scans as users write them
> device oclgrind
oclgrind    Oclgrind Simulator
> # what is before each element of a row, in plain form: a guard says that no row reads its neighbour's
> let before (A: [N][M]f32) = map (\r -> take M (padConst 1 0 0 (scan (+) 0 r))) A
before : [N][M]f32 -> [N][M]f32
> data N = 9, M = 37
> lower lowerAs("plain")
@1  lowerAs("plain")                    builtin    from @0
  - map (take M ∘ padConst 1 0 0 ∘ scan (+) 0) A
  + mapGlobal 0 (mapSeq id ∘ take M ∘ padConst 1 0 0 ∘ toGlobal ∘ scanSeq (+) 0) A
  type   [N][M]f32                    unchanged
  inner  4 steps        log --expand
  focus  /  ->  /                     9 moves here
> run -n 1 | grep verify
  verify  OK   3 inputs x 1 repeat   max 120 ulp, max rel 9.1e-08 (tol 1e-05 of the shadow; input 1 exact)
> let behind (A: [N][M]f32) = map (\r -> drop 1 (padConst 0 1 0 (scan (+) 0 r))) A
behind : [N][M]f32 -> [N][M]f32
> lower lowerAs("plain")
@1  lowerAs("plain")                    builtin    from @0
  - map (drop 1 ∘ padConst 0 1 0 ∘ scan (+) 0) A
  + mapGlobal 0 (mapSeq id ∘ drop 1 ∘ padConst 0 1 0 ∘ toGlobal ∘ scanSeq (+) 0) A
  type   [N][M]f32                    unchanged
  inner  4 steps        log --expand
  focus  /  ->  /                     9 moves here
> run -n 1 | grep verify
  verify  OK   3 inputs x 1 repeat   max rel 1.4e-07 (tol 1e-05 of the shadow; input 1 exact)
