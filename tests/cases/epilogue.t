> load tests/programs/gemm.fun
gemm : [N][K]f32 -> [K][M]f32 -> [N][M]f32 -> f32 -> f32 -> [N][M]f32
> apply fuseEpilogue
@1  fuseEpilogue  at /                  builtin    from @0
  - map (λ(ps, cs) → map (λ(p, c) → alpha * p + beta * c) (zip ps cs)) (zip (map (λrow → map (λco...
  + map (λ(y, cs) → map (λ(y1, cs1) .. y y1 + beta * cs1) (zip (transpose B) cs)) (zip A C)
  type   [N][M]f32                    unchanged
  inner  4 steps        log --expand
  focus  /  ->  /                     16 moves here
> apply fuseEpilogue
E23 fuseEpilogue fails at /
  needs   a map over an array that is computed under layouts
  found   map (\(y, cs) -> map (\(y1, cs1) -> ..) ..) (zip A C)
> show
map
  (λ(y, cs) →
    map (λ(y1, cs1) → alpha * reduce (+) 0 (map (*) (zip y y1)) + beta * cs1) (zip (transpose B) cs))
  (zip A C)
> goto @0
@0  source
    map (λ(ps, cs) → map (λ(p, c) → alpha * p + beta * c) (zip ps cs)) (zip (map (λrow → map (λco...
> apply gemmGpu{mb=16, nb=16, kb=8, mr=4, nr=2, w=2}
@2  gemmGpu{mb=16, nb=16, kb=8, mr=4, nr=2, w=2}  at /  builtin    from @0
  - map (λ(..) → map (λ(..) → alpha * p + beta * c) (zip ps cs)) (zip (map (λrow → map (λcol → re...
  + join (mapWorkgroup 1 (λ(y, cs) → transpose (join (mapWorkgroup 0 (λ(y1, cs1) → transpose (joi...
  type   [N][M]f32                    unchanged
  inner  92 steps        log --expand
  focus  /  ->  /                     4 moves here
> let scaled (A: [N][K]f32) (B: [K][M]f32) (a: f32) = map (map (\p -> a * p)) (map (\row -> map (\col -> reduce (+) 0 (map (*) (zip row col))) (transpose B)) A)
scaled : [N][K]f32 -> [K][M]f32 -> f32 -> [N][M]f32
> apply tile(8, 8)
@1  tile(8, 8)  at /in                  builtin    from @0
  - map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) A
  + join ∘ map (λrows → transpose ∘ join ∘ map (λcols → transpose ∘ map (λrow → map (..) cols) $ ...
  type   [N][M]f32                    unchanged
  inner  4 steps        log --expand
  focus  /  ->  /                     17 moves here
> apply fuseEpilogue
@2  fuseEpilogue  at /                  builtin    from @1
  - map (map (λp → a * p)) ∘ ..
  + .. map (λrow → map (λcol → a * reduce (+) 0 (..)) cols) $ rows) ∘ split 8 ∘ transpose $ B) ∘ ...
  type   [N][M]f32                    unchanged
  inner  8 steps        log --expand
  focus  /  ->  /                     4 moves here
> show
join ∘
  map
    (λrows →
      transpose ∘
        join ∘
        map
          (λcols →
            transpose ∘
              map (λrow → map (λcol → a * reduce (+) 0 (map (*) (zip row col))) cols) $ rows) ∘
        split 8 ∘
        transpose $ B) ∘
  split 8 $ A
> # an operand that is turned twice is read as it lies: work-items side by side read side by side
> load tests/programs/gemm_nt.fun
gemm_nt : [N][K]f32 -> [M][K]f32 -> [N][M]f32 -> f32 -> f32 -> [N][M]f32
> set verbose 0
> data N = 64, M = 64, K = 64
> apply gemmGpu{mb=32, nb=32, kb=8, mr=4, nr=4, u=4}
@1  gemmGpu{mb=32, nb=32, kb=8, mr=4, nr=4, u=4}  at /  builtin    from @0
> code | grep 'Bt + '
                float4 v = vload4(0, Bt + 8*(i + 7*(k/2)) + 256*(j + 8*wg0) + 4*k);
