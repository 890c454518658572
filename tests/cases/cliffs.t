> # programs that fell off a cliff, by kind: a layer behind a normalisation: names in front of a sum go into it, and what takes a division is an array of its own
> set target h200
> set repeats 1
> let layer (x: [N][D]f32) (w: [F][D]f32) (b: [F]f32) = map (\row -> let m = sum row / f32 D let v = sum (map (\e -> (e - m) * (e - m)) row) / f32 D let h = map (\e -> (e - m) / sqrt (v + 1e-5)) row in map gelu (zipWith (+) (map (\c -> sum (map (*) (zip h c))) w) b)) x
layer : [N][D]f32 -> [F][D]f32 -> [F]f32 -> [N][F]f32
> data N = 4096, D = 768, F = 3072
> lower --explain | grep "apart\|product\|in all"
  factor apart 554 us   0.60 of the bound: a factor of a product of matrices that takes a division or a function in an array of its own
  or         748 us    product     lower lowerNests("", "product")
in all       566 us on a GPU   0.59 of the bound: 333 us, arithmetic
> data N = 33, D = 17, F = 34
> apply lowerNests("", "factor apart")
@1  lowerNests("", "factor apart")  at /  builtin    from @0
  - map (λrow → let m = reduce (+) 0 row / f32 D in let v = (reduce (+) 0 ∘ map (λe → (e - m) * (...
  + let t = mapGlobal 0 (λi → reduceSeq (λ((n, a, s), (k, b1, t)) → let m = n + k in let w1 = if ...
  type   [N][F]f32                    unchanged
  inner  18 steps        log --expand
  focus  /  ->  /                     14 moves here
> run | grep verify
  verify  OK   3 inputs x 1 repeat
> goto @0
@0  source
    map (λrow → let m = reduce (+) 0 row / f32 D in let v = (reduce (+) 0 ∘ map (λe → (e - m) * (...
> lower
@2  lower                               builtin    from @0
  - map (λrow → let m = reduce (+) 0 row / f32 D in let v = (reduce (+) 0 ∘ map (λe → (e - m) * (...
  + let t = mapGlobal 0 (λi → reduceSeq (λ((n, a, s), (k, b1, t)) → let m = n + k in let w1 = if ...
  type   [N][F]f32                    unchanged
  inner  12 steps        log --expand
  focus  /  ->  /                     11 moves here
> run | grep verify
  verify  OK   3 inputs x 1 repeat
> # a name that asks for more of a number than the sum around it
> let windows (x: [C][H]f32) (start: [R]f32) = generate R (\r -> generate C (\c -> generate 7 (\i -> let y = start[r] + f32 i in reduce max (-inf) (generate 20 (\a -> x[c][a % H] * y)))))
windows : [C][H]f32 -> [R]f32 -> [R][C][7]f32
> data R = 3, C = 4, H = 5
> apply lowerNests("items")
@1  lowerNests("items")  at /           builtin    from @0
  - generate R (λr → generate C (λc → generate 7 (λi → let y = start[r] + f32 i in reduce max (.....
  + split C (split 7 (mapGlobal 0 (λi → let t = start[i // (7*C : size)] + f32 (i % 7) in reduceS...
  type   [R][C][7]f32                 unchanged
  inner  7 steps        log --expand
  focus  /  ->  /                     11 moves here
> run | grep verify
  verify  OK   3 inputs x 1 repeat, 61 x 1; input 1 exact
> # one between two sums, which are one
> let joined (x: [B][C][H][H]f32) (y: [B][K][H][H]f32) (w: [K][C+K][3][3]f32) = map (\(a, b) -> let wins = map (\p -> slide2 3 1 (padConst2 1 1 0 p)) (concat a b) in map (\f -> generate H (\i -> generate H (\j -> sum (generate (C + K) (\c -> sum (join (zipWith2 (*) wins[c][i][j] f[c]))))))) w) (zip x y)
joined : [B][C][H][H]f32 -> [B][K][H][H]f32 -> [K][C + K][3][3]f32 -> [B][K][H][H]f32
> data B = 16, C = 64, K = 32, H = 56
> lower --explain | grep "product\|in all"
  product    134 us   0.43 of the bound: blocks of sums in registers, of what rows and columns give
in all       134 us on a GPU   0.43 of the bound: 57 us, arithmetic
> data B = 2, C = 3, K = 2, H = 5
> lower
@1  lower                               builtin    from @0
  - map (λ(a, b) → map (λf → generate H (λi → generate H (λj → reduce (+) 0 (generate (C + K) (λc...
  + split K (split H (split H (mapGlobal 0 (λi → reduceSeq (λ(acc, y1) → fma (if i // H % H + y1 ...
  type   [B][K][H][H]f32              unchanged
  inner  10 steps        log --expand
  focus  /  ->  /                     11 moves here
> run | grep verify
  verify  OK   3 inputs x 1 repeat; input 1 exact
> # a sum of a few, each of which sums many
> let variation (x: [B][C][H][H]f32) = sum (map (\img -> sum (map (\p -> sum (join (generate (H - 1) (\i -> generate H (\j -> abs (p[i + 1][j] - p[i][j]))))) + sum (join (generate H (\i -> generate (H - 1) (\j -> abs (p[i][j + 1] - p[i][j])))))) img)) x)
variation : [B][C][H][H]f32 -> f32
> data B = 16, C = 3, H = 512
> lower --explain | grep "apart\|shape\|in all"
  apart      192 us   0.06 of the bound: what is summed and takes sums itself in an array of its own
  or         162 ms    shape       lower lowerNests("shape")
in all       192 us on a GPU   0.06 of the bound: 12.1 us, memory
> data H = 7
> lower
@1  lower                               builtin    from @0
  - reduce (+) 0 ∘ map (reduce (+) 0 ∘ map (λp → reduce (+) 0 (join (generate (..) (λi → generate...
  + let t = mapGlobal 0 (λi → reduceSeq (+) 0 (generate (H*H - H) (λt → abs (x[i // C][i % C][t /...
  type   f32                          unchanged
  inner  14 steps        log --expand
  focus  /  ->  /                     3 moves here
> run | grep verify
  verify  OK   3 inputs x 1 repeat; input 1 exact
> # arrays side by side that a loop in a map begins and ends with: each by itself
> let routed (x: [N]f32) (I: size) (O: size) = map (\v -> loop 3 (\(b, s) i -> (map2 (\q -> q + v) b, map (\q -> q * v) s)) (generate I (\i -> generate O (\o -> v)), generate O (\o -> 2 * v))) x
routed : [N]f32 -> [N]([I][O]f32, [O]f32)
> data N = 64, I = 1152, O = 10
> lower
@1  lower                               builtin    from @0
  - map (λv → loop 3 (λ(..) _ → (map2 (..) b, map (..) s)) .., generate O (λo → 2 * v)) x
  + reduceHost (λ(ss, i) → zip (mapGlobal 1 (λ((..), v) → split O ∘ asScalar ∘ mapGlobal 0 (mapVe...
  type   [N]([I][O]f32, [O]f32)       unchanged
  inner  15 steps        log --expand
  focus  /  ->  /                     5 moves here
> plan | grep work-items
routed_k0   10 x 64 work-items, groups of 10x64
routed_k1   10 x 1152 x 64 work-items, groups of 10x96x1
routed_k2   10 x 64 work-items, groups of 10x64
routed_k3   2880 x 64 work-items, groups of 32x8
routed_k4   10 x 64 work-items, groups of 10x64
> run | grep verify
  verify  OK   3 inputs x 1 repeat; input 1 exact
> # products one behind the other
> let branches (x: [B][C][H]f32) (w1: [K][C]f32) (w2: [2*K][C]f32) = map (\img -> concat (map (\w -> map (\p -> sum (map (*) (zip w p))) (transpose img)) w1) (map (\w -> map (\p -> relu (sum (map (*) (zip w p)))) (transpose img)) w2)) x
branches : [B][C][H]f32 -> [K][C]f32 -> [2*K][C]f32 -> [B][3*K][H]f32
> data B = 16, C = 192, H = 784, K = 64
> lower --explain | grep "index sets\|items\|in all"
  index sets 60.4 us   0.29 of the bound: sums of one kind up to some number, and of another behind it: an array for each kind
  or         561 us    items       lower lowerNests("items")
in all       60.4 us on a GPU   0.26 of the bound: 15.9 us, arithmetic
> data B = 2, C = 3, H = 5, K = 2
> apply lowerNests("index sets")
@1  lowerNests("index sets")  at /      builtin    from @0
  - map (λimg → concat (map (λw → map (λp → reduce (+) 0 (map (*) (zip w p))) ∘ transpose $ img) ...
  + let t = split (2*K) (split H (mapGlobal 0 (λi → let x1 = reduceSeq (λ(acc, y) → fma w2[i // H...
  type   [B][3*K][H]f32               unchanged
  inner  23 steps        log --expand
  focus  /  ->  /                     15 moves here
> run | grep verify
  verify  OK   3 inputs x 1 repeat; input 1 exact
> # a scan whose state is a short array: a work-item has it in registers, where the loops over it are unrolled
> let mamba (x: [D][T]f32) (A: [D][S]f32) (Bm: [T][S]f32) (Cm: [T][S]f32) = map (\(xs, a) -> let states = scanSeq (\h (v, br) -> map (\(hs, as, bs) -> exp (-(abs (v * as))) * hs + bs * v) (zip h a br)) (replicate S 0.0) (zip xs Bm) in map (\(h, c) -> sum (map (*) (zip h c))) (zip states Cm)) (zip x A)
mamba : [D][T]f32 -> [D][S]f32 -> [T][S]f32 -> [T][S]f32 -> [D][T]f32
  inlined  states: used once (letDuplicate)
> data D = 1024, T = 2048, S = 16
> lower --explain | grep "plain\|rows"
  plain      1.14 ms   0.01 of the bound
  near       no rows: it cannot be made here
> data D = 7, T = 33, S = 5
> apply lowerAs("plain")
@1  lowerAs("plain")  at /              builtin    from @0
  - map (λ(..) → map (λ(..) → reduce (+) 0 (map (*) (..))) (zip (scanSeq (λ(..) → map (λ(..) → ex...
  + mapGlobal 0 (λ(..) → mapSeq (λ(..) → reduceSeq (λ(acc, (y0, y1)) → fma y0 y1 acc) 0 (..)) (zi...
  type   [D][T]f32                    unchanged
  inner  8 steps        log --expand
  focus  /  ->  /                     10 moves here
> code | grep -A2 "float r\|unroll"
    float r[5];
    #pragma unroll
    for (int i = 0; i < 5; i++) {
        r[i] = 0.0f;
--
        #pragma unroll
        for (int j = 0; j < 5; j++) {
            r[j] = fma(Bm[5*i + j], v, exp(-fabs(v * A[5*gid0 + j])) * r[j]);
--
        #pragma unroll
        for (int j = 0; j < 5; j++) {
            acc = fma(r[j], Cm[5*i + j], acc);
> run | grep verify
  verify  OK   3 inputs x 1 repeat
