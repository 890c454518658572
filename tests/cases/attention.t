> load tests/programs/attention_f16.fun
attention_f16 : [B][N][D]f16 -> [B][M][D]f16 -> [B][M][D]f16 -> [B][N][D]f32
> set target h200
> data B = 16 N = 4096 M = 4096 D = 64
> lower
@1  lower                               builtin    from @0
  - map (λ(q, k, v) → map (λr → let p = let x = map (λs → 0.125 * reduce (+) 0 (map (λ(x, y) → f3...
  + mapWorkgroup 1 (λi → join (join (mapWorkgroup 0 (λj → let Q1 = split 16 (toLocalSwizzled 8 (s...
  type   [B][N][D]f32                 unchanged
  inner  132 steps        log --expand
  focus  /  ->  /                     12 moves here
> plan | grep -E "work-items|local memory"
attention_f16_k0   256 x 128 x 4 work-items, groups of 4x8x4, 5 barriers
   local memory 29696 bytes, 30720 apart
> lower --explain at / | grep -E "attention|in all"
in all       505 us on a GPU   0.53 of the bound: 267 us, arithmetic
> goto @0 | head -1
@0  source
> lower --explain | grep -E "attention |or "
  attention  505 us   0.53 of the bound: rows of weights relative to their largest key, and what they weigh, in one pass by matrix units
> # the template, by its name and with a parameter
> lower lowerNests("attention keys=32") | head -1
@2  lowerNests("attention keys=32")     builtin    from @0
> plan | grep "local memory"
   local memory 29696 bytes, 30720 apart
> # roundings move: not where strict is on
> set strict on
> goto @0 | head -1
@0  source
> apply flashUnits
E26 generateQuotientOutF16 is approximate, and strict is on
  rule    reduce (+) 0.0 (generate m (\j -> f32 (f16 (a j / s)) * v j))  =>  reduce (+) 0.0 (generate m (\j -> f32 (f16 (a j)) * v j)) / s  when 1 <= m
  found   the same of factors that are rounded to f16: they are rounded before they are divided, wrong by 2^-11 of themselves as before; none may be larger than f16 holds
  try     set strict off
> lower | head -1
@3  lower                               builtin    from @0
> plan | grep -c "work-items"
4
> set strict off
> # any sizes, here and on a device without matrix units: what mma means
> set target auto
> device oclgrind
oclgrind    Oclgrind Simulator
> goto @0 | head -1
@0  source
> data B = 2 N = 20 M = 37 D = 24
> apply flashUnits{rows=16, warps=2, keys=32} | head -1
@4  flashUnits{rows=16, warps=2, keys=32}  at /  builtin    from @0
> run -n 1 | grep -E "verify|error"
  verify  OK   3 inputs x 1 repeat
          error 0.001, 0.23 x the roundings' own; sees changes of 0.0079
> data B = 1 N = 1 M = 1 D = 8
> run -n 1 | grep -E "verify"
  verify  OK   3 inputs x 1 repeat
> # floats, rounded to TF32; or by three products for one
> load tests/programs/multihead.fun | head -1
multihead : [B][N][D]f32 -> [B][M][D]f32 -> [B][M][D]f32 -> [B][N][D]f32
> data B = 1 N = 33 M = 40 D = 16
> apply flashUnits{warps=2, keys=16, w=4, tf32=1} | head -1
@1  flashUnits{warps=2, keys=16, w=4, tf32=1}  at /  builtin    from @0
> run -n 1 | grep -E "verify"
  verify  OK   3 inputs x 1 repeat
> goto @0 | head -1
@0  source
> apply flashUnits{warps=2, keys=16, w=4, tf32=3} | head -1
@2  flashUnits{warps=2, keys=16, w=4, tf32=3}  at /  builtin    from @0
> run -n 1 | grep -E "verify"
  verify  OK   3 inputs x 1 repeat
> apply flashUnits{tf32=2}
E22 tf32 is 0, 1 or 3, not 2
