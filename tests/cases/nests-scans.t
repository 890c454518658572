> # scans in element form: each is an array of its own, of all rows, in which what is the same for all of them is made once
> set silence W16
> let affine ((a, b), (c, d)) = (c + d * a, b * d) with associative neutral (0, 1)
affine : helper, typed where it is used
> let solve (A: [S][R][N]f32) (w: [R][N]f32) = map (\g -> map (\(r, c) -> let d = map (\v -> 1 / v) (scan (+) 1 (map (\v -> v * v) c)) in let f = map (\(p, q) -> p + q * r[0]) (scan affine (0, 1) (map (\i -> if i > 0 then (r[i], -(c[i] * d[i - 1])) else (0, 1)) (iota N))) in reorder reverse f) (zip g w)) A
solve : [S][R][N]f32 -> [R][N]f32 -> [S][R][N]f32
  inlined  f: used once (letDuplicate)
> data S = 3, R = 5, N = 13
> apply elementForm
@1  elementForm  at /                   builtin    from @0
  - map (λg → map (λ(r, c) → let d = map (..) ∘ scan (+) 1 ∘ map (λv → v * v) $ c in reorder reve...
  + let t = generate R (λi → map (..) (scan (+) 1 (generate N (λr → w[i][r] * w[i][r])))) in let ...
  type   [S][R][N]f32                 unchanged
  focus  /  ->  /                     16 moves here
> show
let t = generate R (λi → map (λv → 1 / v) (scan (+) 1 (generate N (λr → w[i][r] * w[i][r]))))
in let v = generate S
  (λi →
    generate R
      (λi1 →
        map
          (λ(p, q) → p + q * A[i][i1][0])
          (scan
            (λ((a, b), (c, d)) → (c + d * a, b * d))
            (0, 1)
            (generate N (λr → if r > 0 then (A[i][i1][r], -(w[i1][r] * t[i1][r - 1])) else (0, 1))))))
in generate S (λi → generate R (λj → generate N (λk → v[i][j][N - k - 1])))
  shorter  let t = map (map (λv → 1 / v) ∘ scan (+) 1 ∘ ma...        apply indicesToElements
> lower lowerNests
@2  lowerNests                          builtin    from @1
  - let t = generate R (λi → map (..) (scan (+) 1 (..))) in let v = generate S (λi → generate R (...
  + let t = mapWorkgroup 0 (λi → mapSeq (..) (scanSeq (+) 1 (..))) (iota R) in let v = mapWorkgro...
  type   [S][R][N]f32                 unchanged
  inner  18 steps        log --expand
  focus  /  ->  /                     15 moves here
> device pocl0
pocl0    **
> run -n 1 | grep verify
  verify  OK   3 inputs x 2 repeats
> set target h200
> goto @0
@0  source
    map (λg → map (λ(r, c) → let d = map (λv → 1 / v) ∘ scan (+) 1 ∘ map (λv → v * v) $ c in reor...
> lower lowerNests
@3  lowerNests                          builtin    from @0
  - map (λg → map (λ(r, c) → let d = map (..) ∘ scan (+) 1 ∘ map (λv → v * v) $ c in reorder reve...
  + let t = mapGlobal 0 (λi → mapSeq (..) (scanSeq (+) 1 (generate N (λr → w[i][r] * w[i][r])))) ...
  type   [S][R][N]f32                 unchanged
  inner  47 steps        log --expand
  focus  /  ->  /                     15 moves here
> plan | grep work-items
solve_k0   5 work-items, groups of 5
solve_k1   160 x 3 work-items, groups of 32x1, 3 barriers
solve_k2   13 x 6 x 3 work-items, groups of 13x2x1
> set target pocl
> run -n 1 | grep verify
  verify  OK   3 inputs x 2 repeats
> # rows that are read at other places, in arms of a choice, and by the groups of a GPU
> let shifted (A: [R][N]f32) = map (\w -> map (\(a, b) -> a + b) (zip w[0] w[1])) (slide 2 1 (padConst 1 0 (replicate N 0) (map (\r -> reorder reverse (scan (+) 0 r)) A)))
shifted : [R][N]f32 -> [R][N]f32
> data R = 40, N = 256
> lower lowerNests
@1  lowerNests                          builtin    from @0
  - map (λw → map (+) (zip w[0] w[1])) ∘ slide 2 1 ∘ padConst 1 0 (generate N (λi → 0)) ∘ map (re...
  + let t = mapWorkgroup 0 (λi → scanSeq (+) 0 (generate N (λr → A[i][r]))) (iota R) in mapWorkgr...
  type   [R][N]f32                    unchanged
  inner  9 steps        log --expand
  focus  /  ->  /                     12 moves here
> show
let t = mapWorkgroup 0 (λi → scanSeq (+) 0 (generate N (λr → A[i][r]))) (iota R)
in mapWorkgroup 0
  (λi → mapSeq (λj → (if i >= 1 then t[i - 1][N - j - 1] else 0) + t[i][N - j - 1]) (iota N))
  (iota R)
> run -n 1 | grep verify
  verify  OK   3 inputs x 2 repeats; input 1 exact
> set target h200
> goto @0
@0  source
    map (λw → map (+) (zip w[0] w[1])) ∘ slide 2 1 ∘ padConst 1 0 (generate N (λi → 0)) ∘ map (re...
> lower lowerNests
@2  lowerNests                          builtin    from @0
  - map (λw → map (+) (zip w[0] w[1])) ∘ slide 2 1 ∘ padConst 1 0 (generate N (λi → 0)) ∘ map (re...
  + let t = mapWorkgroup 0 (λi → let p = toPrivate (mapLocal 0 (scanSeqUnroll (λ(acc, y) → acc + ...
  type   [R][N]f32                    unchanged
  inner  37 steps        log --expand
  focus  /  ->  /                     13 moves here
> plan | grep work-items
shifted_k0   2560 work-items, groups of 64, 5 barriers
shifted_k1   10240 work-items, groups of 64
> set target pocl
> data R = 3, N = 256
> device oclgrind
oclgrind    Oclgrind Simulator
  kernels are made for pocl: set target
> run -n 1 | grep verify
  verify  OK   3 inputs x 1 repeat; input 1 exact
> device pocl0
pocl0    **
  kernels are made for pocl: set target
> # one long scan, as lower has it; what has no element form stays
> let running (x: [N]f32) = let s = scan (+) 0 (map (\v -> v * 2) x) in map (\i -> s[i] / s[N - 1]) (iota N)
running : [N]f32 -> [N]f32
> data N = 10000
> lower lowerNests
@1  lowerNests                          builtin    from @0
  - let s = scan (+) 0 ∘ map (λv → v * 2) $ x in map (λi → s[i] / s[N - 1]) (iota N)
  + let t = join (mapWorkgroup 0 (λ(y, cs) → scanSeq (λ(as, y1) → fma x[y1] 2 as) cs y) (zip (spl...
  type   [N]f32                       unchanged
  inner  35 steps        log --expand
  focus  /  ->  /                     9 moves here
> run -n 1 | grep verify
  verify  OK   3 inputs x 2 repeats
> let rows (A: [R][N]f32) = scanSeq (\(s, r) -> map (+) (zip s r)) A[0] A
rows : [R][N]f32 -> [R][N]f32
> why elementForm | grep found
  found   a scan of arrays has no element form
> # rows of a length that nothing divides, by the groups of a GPU: as many as 128 divides, of which those behind the last are not taken
> let odd (A: [R][N]f32) = map (\r -> map (\(p, q) -> p + q * r[0]) (scan affine (0, 1) (map (\i -> if i > 0 then (r[i], 0.5) else (0, 1)) (iota N)))) A
odd : [R][N]f32 -> [R][N]f32
> data R = 60, N = 1023
> set target h200
> lower lowerNests
@1  lowerNests                          builtin    from @0
  - map (λr → map (λ(p, q) → p + q * r[0]) (scan (λ(..) → (c + d * a, b * d)) (..) (map (λi → if ...
  + mapWorkgroup 0 (λi → mapLocal 0 id (take N (let p = toPrivate (mapSeqUnroll (mapLocal 0 (scan...
  type   [R][N]f32                    unchanged
  inner  62 steps        log --expand
  focus  /  ->  /                     11 moves here
> plan | grep work-items
odd_k0   3840 work-items, groups of 64, 6 barriers
> set target pocl
> run -n 1 | grep verify
  verify  OK   3 inputs x 2 repeats
> # few long rows in chunks: their sums, the scan of these, and each chunk from what is before it; of lengths that nothing divides
> let cdf (X: [N][M]f32) = map (\x -> let t = reduce (+) 0 x in map (\v -> v / t) (scan (+) 0 x)) X
cdf : [N][M]f32 -> [N][M]f32
> data N = 2, M = 40001
> set target h200
> lower lowerNests
@1  lowerNests                          builtin    from @0
  - map (λx → let t = reduce (+) 0 x in map (λv → v / t) ∘ scan (+) 0 $ x) X
  + let w = split 39 (mapWorkgroup 0 (λi → reduceSeq (+) 0 (toLocal (mapLocal 0 (reduceSeq (+) 0)...
  type   [N][M]f32                    unchanged
  inner  120 steps        log --expand
  focus  /  ->  /                     15 moves here
> plan | grep work-items
cdf_k0   19968 work-items, groups of 256, 2 barriers
cdf_k1   2 work-items, groups of 2
cdf_k2   20480 work-items, groups of 256, 2 barriers
cdf_k3   64 work-items, groups of 32, 3 barriers
cdf_k4   2560 x 2 work-items, groups of 64x1, 5 barriers
cdf_k5   80128 work-items, groups of 256
   8 groups a unit at once: their work-items are as many as it takes
> set target pocl
> run -n 1 | grep verify
  verify  OK   3 inputs x 2 repeats
> goto @0
@0  source
    map (λx → let t = reduce (+) 0 x in map (λv → v / t) ∘ scan (+) 0 $ x) X
> data N = 1, M = 300007
> lower lowerNests
@2  lowerNests                          builtin    from @0
  - map (λx → let t = reduce (+) 0 x in map (λv → v / t) ∘ scan (+) 0 $ x) X
  + let w = split 4 (mapWorkgroup 0 (λi → mapSeq (λj → reduceSeq (+) 0 (reduceSeq (λ(acc, y) → ma...
  type   [N][M]f32                    unchanged
  inner  78 steps        log --expand
  focus  /  ->  /                     15 moves here
> plan | grep work-items
cdf_k0   4 work-items, groups of 1
cdf_k1   4 work-items, groups of 4
cdf_k3   8 work-items, groups of 1
cdf_k4   8 work-items, groups of 8
cdf_k6   8 work-items, groups of 1
cdf_k7   74 work-items, groups of 1
> run -n 1 | grep verify
  verify  OK   3 inputs x 2 repeats
