> # every strategy of search, over the parameters of a version
> set times off
> load tests/programs/scal.fun
scal : f32 -> [N]f32 -> [N]f32
> data N = 4096
> apply splitJoin
@1  splitJoin{n=s0}  at /               builtin    from @0
  - map (λx → alpha * x) xs
  + join ∘ map (map (λx → alpha * x)) ∘ split s0 $ xs
  type   [N]f32                       unchanged
  param  s0 : int    1 <= s0 <= N, s0 divides N        13 legal values for N = 4096
  focus  /  ->  /                     8 moves here
> apply splitJoin at /in/f/body
@2  splitJoin{n=s1}  at /in/f/body      builtin    from @1
  - map (λx → alpha * x) xs1
  + join ∘ map (map (λx → alpha * x)) ∘ split s1 $ xs1
  type   [s0]f32                      unchanged
  param  s1 : int    1 <= s1 <= s0, s1 divides s0        13 legal values for N = 4096
  focus  /  ->  /                     7 moves here
> lower
@3  lower                               builtin    from @2
  - map (join ∘ map (map (λx → alpha * x)) ∘ split s1) ∘ split s0 $ xs
  + mapGlobal 2 (join ∘ mapGlobal 1 (mapGlobal 0 (λx → alpha * x)) ∘ split s1) ∘ split s0 $ xs
  type   [N/s0][s0]f32                unchanged
  inner  3 steps        log --expand
  focus  /  ->  /                     7 moves here
> search params using random --budget 4 | grep tried
  4 of 91 tried: 4 ok
> search params using exhaustive --budget 4 --again | grep tried
  4 of 91 tried: 4 ok
> search params using climb --budget 4 --again | grep tried
  4 of 91 tried: 4 ok
> search params using anneal --budget 4 --again | grep tried
  4 of 91 tried: 4 ok
> search params using genetic --budget 4 --again | grep tried
  4 of 91 tried: 4 ok
> search params using guided --budget 4 --again | grep tried
  4 of 91 tried: 4 ok
> search params using nested --budget 4 --again | grep tried
  4 of 91 tried: 4 ok
