> load tests/programs/softmax.fun
softmax : [N][M]f32 -> [N][M]f32        2 programs; list programs
> data N = 64 M = 256
> set trials 1
> tune --budget 4
search rules using tune on pocl0   411 points
      1         lower                         ok
      2         lowerAs("rows reduceInItem.u=2")  ok
      3         lowerAs("rows reduceInItem.w=8")  ok
      4         lowerAs("rows rowsInVectors.u=2")  ok   same source as 2
      5         lowerAs("rows rowsInVectors.w=8")  ok
  4 of 415 tried: 4 ok; 1 more the same source as another
  the budget of evaluations is spent
  the best is not measured again in turns: times are off (set times on)
tuned to *   **
> # the version that was fastest is the current one; with what is lowered already, there is nothing beside it
> lua print(t.version().n > 0)
true
> run | grep verify
  verify  OK   **
> tune --budget 2 | grep 'tried\|every'
  1 of 1 tried: 1 ok, 1 known before
  every point was tried
> undo | head -1
@0  source
> set times on
> tune --budget 4 | tail -6
  the best again, in turns
  * * * **
  * * * **
  * * * **
  * * * **
tuned to * * x over lower, * of the bound
> set times off
> tune 5
E05 "5" is one argument too many for tune
  form    tune [--budget N,TIME,<TIME] [--keep K] [--again] [--force] [--all]
> # a script does it again; sizes that nothing divides
> load tests/programs/mm.fun
mm : [N][K]f32 -> [K][M]f32 -> [N][M]f32
> data N = 31 K = 20 M = 37
> tune --budget 3 | grep tried
  3 of 341 tried: 3 ok
> lua for _, n in ipairs{1, 30} do t["goto"]("@0") t.data("N = " .. n .. " K = " .. n .. " M = " .. n) local r, why = t.tune{budget = 2} print(n, r and r.evaluations, why) end
1	1	nil
30	2	nil
> # what is lowered already
> let products (A: [N][K]f32) (B: [K][M]f32) = map (\r -> map (\c -> reduce (+) 0 (map (*) (zip r c))) (transpose B)) A
products : [N][K]f32 -> [K][M]f32 -> [N][M]f32
> data N = 64 K = 64 M = 64
> lower | head -1
@1  lower                               builtin    from @0
> tune --budget 2
search rules using tune on pocl0   0 points
  0 of 0 tried
  every point was tried
E66 none of 0 candidates is valid
  hint    this version is lowered already and has no parameters: search from the program it was made of
  try     goto @0
> # a source of loops alone has nothing to map, and is not lowered for all that
> let halves (x: [N]f32) = (loop 4 (\(s, k) i -> if i < k then (generate N (\j -> s[j] / 2), k) else (s, k)) (x, 3)).0
halves : [N]f32 -> [N]f32
> data N = 64
> cd /in/in
> tune --budget 2 | grep -v trial
search rules using tune on pocl0   0 points
      1         lower                         ok
  1 of 1 tried: 1 ok
  every point was tried
  the best is not measured again in turns: times are off (set times on)
tuned to @1   lower
