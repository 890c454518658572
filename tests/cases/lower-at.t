> let parts (xs: [N]f32) (A: [M][K]f32) (B: [K][L]f32) = (reduce (+) 0 xs, map (\row -> map (\col -> reduce (+) 0 (map (*) (zip row col))) (transpose B)) A)
parts : [N]f32 -> [M][K]f32 -> [K][L]f32 -> (f32, [M][L]f32)
> data N = 65536 M = 128 K = 128 L = 128
> apply lower at /1
@1  lower  at /1                        builtin    from @0
  - map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) A
  + join (mapWorkgroup 1 (λxss → transpose (join (mapWorkgroup 0 (λxss1 → transpose (join (reduce...
  type   [M][L]f32                    unchanged
  inner  47 steps        log --expand
  focus  /  ->  /                     2 moves here
> lower
@2  lower                               builtin    from @1
  - reduce (+) 0 xs
  + reduceSeq (+) 0 ∘ mapWorkgroup 0 (reduceSeqUnroll (+) 0 ∘ asScalar ∘ reduceSeq (λ(acc, c) → m...
  type   f32                          unchanged
  inner  12 steps        log --expand
  focus  /  ->  /                     2 moves here
> run
@2  pocl0 **
  build   - ms        3 kernels   local 64.0 KiB/WG   private 1.0 KiB
  verify  OK   3 inputs x 2 repeats; input 1 exact
          error 8.8e-07, 0.049 x the source's own; sees changes of 6e-06
          every element
  time    - ms median of 20  (IQR -, min -)    - GFLOP/s   - GB/s
> log
  @0  source
  @1  lower  at /1  (47 inner steps)
* @2  lower  (12 inner steps)
> goto @0
@0  source
    (reduce (+) 0 xs, map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $...
> lower
@3  lower                               builtin    from @0
  - (reduce (+) 0 xs, map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $...
  + (reduceSeq (+) 0 ∘ mapWorkgroup 0 (reduceSeqUnroll (+) 0 ∘ asScalar ∘ reduceSeq (λ(acc, c) → ...
  type   (f32, [M][L]f32)             unchanged
  inner  59 steps        log --expand
  same   term as @2        goto @2
  focus  /  ->  /                     2 moves here
> let batched (As: [S][N][K]f32) (Bs: [S][K][M]f32) = map (\(A, B) -> map (\row -> map (\col -> reduce (+) 0 (map (*) (zip row col))) (transpose B)) A) (zip As Bs)
batched : [S][N][K]f32 -> [S][K][M]f32 -> [S][N][M]f32
> data S = 4 N = 32 K = 32 M = 32
> lower
@1  lower                               builtin    from @0
  - map (λ(A, B) → map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B)...
  + mapWorkgroup 2 (λi → join (mapWorkgroup 1 (λxss → transpose (join (mapWorkgroup 0 (λxss1 → tr...
  type   [S][N][M]f32                 unchanged
  inner  49 steps        log --expand
  focus  /  ->  /                     4 moves here
> goto @0
@0  source
    map (λ(A, B) → map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B)...
> apply mapWorkgroup(2) * slot("f", lower)
@2  mapWorkgroup(2) * slot("f", lower)  at /  builtin    from @0
  - map (λ(..) → map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) A...
  + mapWorkgroup 2 (λ(..) → join ∘ mapWorkgroup 1 (λxss → transpose ∘ join ∘ mapWorkgroup 0 (λxss...
  type   [S][N][M]f32                 unchanged
  inner  44 steps        log --expand
  focus  /  ->  /                     4 moves here
> goto @0
@0  source
    map (λ(A, B) → map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B)...
> apply lower at /f/body
@3  lower  at /f/body                   builtin    from @0
  - map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) A
  + mapSeq (λrow → mapSeq (λcol → reduceSeq (λ(acc, (y0, y1)) → fma y0 y1 acc) 0 (..)) ..) A
  type   [N][M]f32                    unchanged
  inner  5 steps        log --expand
  focus  /  ->  /                     15 moves here
> lower
@4  lower                               builtin    from @3
  - map (λ(A, B) → mapSeq (λrow → mapSeq (..) ∘ transpose $ B) A) (zip As Bs)
  + mapGlobal 0 (λ(A, B) → mapSeq (λrow → mapSeq (..) ∘ transpose $ B) A) (zip As Bs)
  type   [S][N][M]f32                 unchanged
  focus  /  ->  /                     4 moves here
> run
@4  pocl0 **
  build   - ms        local 0 B/WG   private 1.0 KiB
  verify  OK   3 inputs x 2 repeats; input 1 exact
          error 4.2e-07, 0.4 x the source's own; sees changes of 6e-08
          every element
  time    - ms median of 20  (IQR -, min -)    - GFLOP/s   - GB/s
