> # pairs of arrays are made as pairs: an array for each part, what both read once
> set repeats 1
> set seeds 1
> set target h200
> let cell (x: [B][H]f32) (w: [K][H]f32) = map (\r -> let n = map (\c -> reduce (+) 0 (map (*) (zip c r))) w in (map (\v -> v * v) n, n, reduce (+) 0 n)) x
cell : [B][H]f32 -> [K][H]f32 -> [B]([K]f32, [K]f32, f32)
> apply elementForm
@1  elementForm  at /                   builtin    from @0
  - map (λr → let n = map (λc → reduce (+) 0 (map (*) (zip c r))) w in (map (λv → v * v) n, n, re...
  + let t = generate B (λi → generate K (λj → reduce (+) 0 (generate H (λr → w[j][r] * x[i][r])))...
  type   [B]([K]f32, [K]f32, f32)     unchanged
  focus  /  ->  /                     6 moves here
> show
let t = generate B (λi → generate K (λj → reduce (+) 0 (generate H (λr → w[j][r] * x[i][r]))))
in zip
  (generate B (λi → generate K (λj → t[i][j] * t[i][j])))
  (generate B (λi → generate K (λr → t[i][r])))
  (generate B (λi → reduce (+) 0 (generate K (λr → t[i][r]))))
  shorter  let t = map (λr → map (λc → reduce (+) 0 (map (...        apply indicesToElements
> data B = 5, H = 7, K = 3
> eval @0 | tail -1
  hash cfa3c89b3fb25526
> eval @1 | tail -1
  hash cfa3c89b3fb25526
> device oclgrind | grep -o Oclgrind
Oclgrind
> goto @0
@0  source
    map (λr → let n = map (λc → reduce (+) 0 (map (*) (zip c r))) w in (map (λv → v * v) n, n, re...
> lower lowerNests | head -1
@2  lowerNests                          builtin    from @0
> run | grep verify
  verify  OK   1 input x 1 repeat; input 1 exact
> data B = 33, H = 61, K = 40
> goto @0
@0  source
    map (λr → let n = map (λc → reduce (+) 0 (map (*) (zip c r))) w in (map (λv → v * v) n, n, re...
> lower | head -1
@3  lower                               builtin    from @0
> run | grep verify
  verify  OK   1 input x 1 repeat; input 1 exact
