> set times off
> load tests/programs/axpydot.fun
axpydot : [N]f32 -> [N]f32 -> [N]f32 -> f32 -> ([N]f32, f32)
  inlined  r: used once (letDuplicate)
> data N = 97
> lower
@1  lower                               builtin    from @0
  - let z = map (λ(a, b) → a - alpha * b) (zip w v) in (z, reduce (+) 0 (map (*) (zip z u)))
  + let z = mapGlobal 0 (..) (zip w v) in (z, reduceSeq (+) 0 (mapGlobal 0 (*) (zip z u)))
  type   ([N]f32, f32)                unchanged
  inner  3 steps        log --expand
  focus  /  ->  /                     2 moves here
> run -n 2 --kernels --no-verify
@1  pocl0 **
  build **
  verify  off
  time    - ms median of 2  (IQR -, min -)    - GB/s
          axpydot_k0  - ms       776 B read      388 B written  - GB/s
          axpydot_k1  - ms       776 B read      388 B written  - GB/s
          axpydot_k2  - ms       388 B read        4 B written  - GB/s
> let steps (xs: [N]f32) = iterate 3 (\(ys, s) -> let z = map (\y -> y * 2) ys in (z, s + reduce (+) 0 z)) (xs, 0.0)
steps : [N]f32 -> ([N]f32, f32)
> data N = 100000
> lower
@1  lower                               builtin    from @0
  - loop 3 (λ(ys, s) _ → let z = map (λy → y * 2) ys in (z, s + reduce (+) 0 z)) (xs, 0)
  + reduceHost (λ((..), x) → let z = join ∘ mapWorkgroup 0 (asScalar ∘ mapSeq (mapVec (..)) ∘ asV...
  type   ([N]f32, f32)                unchanged
  inner  17 steps        log --expand
  focus  /  ->  /                     2 moves here
> run -n 2 --kernels --no-verify
@1  pocl0 **
  build **
  verify  off
  time    - ms median of 2  (IQR -, min -)    - GB/s
          steps_k0  - ms         0 B read        4 B written  - GB/s
          steps_k1  - ms      1.2 MB read     1.2 MB written  - GB/s  3 launches
          steps_k2  - ms      1.2 MB read      600 B written  - GB/s  3 launches
          steps_k3  - ms       624 B read       24 B written  - GB/s  3 launches
> let halves (xs: [N]f32) = loopWhile 9 (\(ys, s) -> s > 1) (\(ys, s) -> let z = map (\y -> y / 2) ys in (z, s - 1)) (xs, 3.0)
halves : [N]f32 -> ([N]f32, f32)
  inlined  z: used once (letDuplicate)
> data N = 100000
> lower
@1  lower                               builtin    from @0
  - loop 9 (λ(ys, s) _ → if s > 1 then (map (λy → y / 2) ys, s - 1) else (ys, s)) (xs, 3)
  + reduceHost (λ((..), i) → if s > 1 then (join ∘ mapWorkgroup 0 (asScalar ∘ mapSeq (mapVec (..)...
  type   ([N]f32, f32)                unchanged
  inner  5 steps        log --expand
  focus  /  ->  /                     2 moves here
> run -n 2 --kernels --no-verify
@1  pocl0 **
  build **
  verify  off
  time    - ms median of 2  (IQR -, min -)    - GB/s
          halves_k0  - ms         0 B read        4 B written  - GB/s
          halves_k1  - ms        12 B read        3 B written  - GB/s  3 launches
          halves_k2  - ms      800 kB read     800 kB written  - GB/s  2 launches
          halves_k3  - ms         8 B read        8 B written  - GB/s  2 launches
> set sizes argument
> run -n 1 --kernels --no-verify
@1  pocl0 **
  build **
  verify  off
  time    - ms median of 1  (IQR -, min -)    - GB/s
          halves_k0  - ms
          halves_k1  - ms  3 launches
          halves_k2  - ms  2 launches
          halves_k3  - ms  2 launches
