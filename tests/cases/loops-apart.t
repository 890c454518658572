> # loops over arrays in the elements of a map: one loop over all of them, wherever the element takes its result
> set target h200
> let settle (x: [N][M]f32) (w: [N]f32) (c: f32) = map (\(row, v) -> let k = map (\u -> u * c) w let end = loop 5 (\s i -> map (\(p, q) -> p * k[i] + q) (zip s row)) (map (\u -> u + v) row) in map (\e -> e - end[0]) end) (zip x w)
settle : [N][M]f32 -> [N]f32 -> f32 -> [N][M]f32
> data N = 7, M = 333
> lower --explain
#1 /         map (\(row, v) -> let k = .. in ..) (zip x w)
  group loops 4.02 us   0.82 of the bound
             loopInGroup
  takes      start 3.3 us, arithmetic 454 ns, memory 386 ns, chain 265 ns
  bound      3.3 us   launches
  or         426 us    plain       lower lowerAs("plain")
in all       4.02 us on a GPU   0.82 of the bound: 3.3 us, launches
> lower | head -1
@1  lower                               builtin    from @0
> run | tail -4
  verify  OK   3 inputs x 2 repeats; input 1 exact
          error 7.7e-08, 0.46 x the source's own; sees changes of 6e-08
          every element
  time    - ms median of 20  (IQR -, min -)    - GFLOP/s   - GB/s
> # a state of several arrays and numbers
> let passes (x: [N][N]f32) = transpose (map (\row -> (loopWhile 6 (\(v, s) -> s < N) (\(v, s) -> (map (\i -> v[i] + v[(i + s) % N]) (iota N), 2 * s)) (row, 1)).0) (transpose (map (\row -> (loop 3 (\(v, s) i -> (map (\u -> u * s) v, s + 0.5)) (row, 1.0)).0) x)))
passes : [N][N]f32 -> [N][N]f32
> data N = 301
> lower --explain | grep "^#"
#1 /in/in/in/f/body/0 map (\(v, s) -> (if s < N then (.., ..) else (v, s)).0) ss
#2 /in/in/in/f/body/1 map (\(v, s) -> (if s < N then (.., ..) else (v, s)).1) ss
#3 /in/in/in/init/in/in/in/in/f/body/0 map (\(v, s) -> map (\u -> u * s) v) ss
#4 /in/in/in/init/in/in/in/in/f/body/1 map (\(v, s) -> s + 0.5) ss
> lower | head -1
@1  lower                               builtin    from @0
> run | tail -4
  verify  OK   3 inputs x 2 repeats
          error 3.1e-07, 0.57 x the source's own; sees changes of 1.9e-06
          every element
  time    - ms median of 20  (IQR -, min -)    - GB/s
> # under Oclgrind
> use settle ; goto @0
@0  source
    map (λ(row, v) → let k = map (λu → u * c) w in let end = loop 5 (λs i → map (λ(p, q) → p * k[...
> data N = 7, M = 333
> device oclgrind
oclgrind    Oclgrind Simulator
  kernels are made for h200: set target
> lower | head -1
@2  lower                               builtin    from @0
> run | tail -4
  build   - ms        local 2.6 KiB/WG   private 0 B
  verify  OK   3 inputs x 1 repeat; input 1 exact
          error 7.7e-08, 0.46 x the source's own; sees changes of 6e-08
          every element
> # a few numbers that a work-item changes in a loop are its own, also where they begin as the element that it gets
> let sorted (x: [N][5]f32) = map (\r -> loop 5 (\s t -> generate 5 (\i -> if (i + t) % 2 == 0 then min s[i] s[min 4 (i + 1)] else max s[i] s[max 0 (i - 1)])) r) x
sorted : [N][5]f32 -> [N][5]f32
> data N = 1003
> set target h200
> lower | head -1
@1  lower                               builtin    from @0
> code | grep "float s\["
        float s[5];
> run -n 1
@1  oclgrind Oclgrind Simulator   N=1003   WG 59 x 17
  build   - ms        local 0 B/WG   private 0 B
  verify  OK   3 inputs x 1 repeat; input 1 exact
          exact; sees changes of 6e-08
          every element
> # conditions on both sides of a loop's number tell what other rows have apart, in sizes that are not known, too
> let drift (x: [N][M]f32) = map (\r -> loop M (\s k -> generate M (\i -> if 0 < i && k > 2 then s[i - 1] else if i <= M - 2 then s[i + 1] else s[i])) r) x
drift : [N][M]f32 -> [N][M]f32
> data N = 96, M = 30
> set sizes argument
> lower | head -1
@1  lower                               builtin    from @0
> plan | grep work-item
drift_k0   256*((N + 255) // 256) work-items, groups of 256
next         M*N f32, temporary of the work-items of drift_k0, M*N/(64*((N + 255) // 256)) bytes each, 4*M*N bytes
> run -n 1 | grep verify
  verify  OK   3 inputs x 1 repeat; input 1 exact
