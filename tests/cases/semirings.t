> # functions whose laws are calculated: the laws of a semiring say that they are associative
> set target h200
> set repeats 1
> let linear (a: [N]f32) (b: [N]f32) = scan (\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (zip a b)
linear : [N]f32 -> [N]f32 -> [N](f32, f32)
> data N = 1000000
> lower --explain | grep "scan  \|plain\|in all"
  scan       11.3 us   0.29 of the bound
  or         156 ms    plain       lower lowerAs("plain")
in all       11.3 us on a GPU   0.29 of the bound: 3.3 us, launches
> data N = 1003
> lower | head -1
@1  lower                               builtin    from @0
> run -n 1 | grep verify
  verify  OK   3 inputs x 1 repeat; input 1 exact
> # products of matrices; sums, products and differences in another order
> let matrices (A: [N][2][2]i32) = reduce (\(a, b, c, d) (e, f, g, h) -> (b * g + e * a, a * f + b * h, c * e + d * g, let x = d * h in x + c * f)) (1, 0, 0, 1) (map (\m -> (m[0][0], m[0][1], m[1][0], m[1][1])) A)
matrices : [N][2][2]i32 -> (i32, i32, i32, i32)
  inlined  x: used once (letDuplicate)
> why reduceSplit(17) at /
reduceSplit applies at /
  rule    reduce f z x  =>  reduce f z (map (reduce f z) (split n x))  when associative f and restarts z f and n divides (length x)
  where   n = 17
          z = (1, 0, 0, 1)
          x = map (\m -> (m[0][0], m[0][1], m[1][0], m[1][1])) A
          f = \((a, b, c, d), (e, f, g, h)) -> (.. + .., .. + .., .. + .., .. + ..)
  when    associative f: yes, known by calculation
  when    restarts z f: yes, known by calculation
  when    n divides (length x): yes, 17 divides N is a fact from now on
  gives   reduce (\((a, b, c, d), (e, f, g, h)) -> (b * g + e * a, a * f + b * h, c * e + d * g, ...
  try     apply reduceSplit(17) at /
> lower | head -1
@1  lower                               builtin    from @0
> run -n 1 | grep verify
  verify  OK   3 inputs x 1 repeat; input 1 exact
> # of floats max and +, and the best two of several
> let best (x: [N]f32) = reduce (\(a, b) (c, d) -> (a + c, max (b + c) d)) (0, -inf) (map (\v -> (v, v)) x)
best : [N]f32 -> (f32, f32)
> lower | head -1
@1  lower                               builtin    from @0
> run -n 1 | grep verify
  verify  OK   3 inputs x 1 repeat, 61 x 1; input 1 exact
> let two (x: [N]i32) = reduce (\(a, b) (c, d) -> (min a c, min (max a c) (min b d))) (2147483647, 2147483647) (map (\v -> (v, 2147483647)) x)
two : [N]i32 -> (i32, i32)
> lower | head -1
@1  lower                               builtin    from @0
> run -n 1 | grep verify
  verify  OK   3 inputs x 1 repeat, 61 x 1; input 1 exact
> # sums of integers wrap, so that the largest need not be largest behind one; these are not associative
> let wraps (x: [N]i32) = reduce (\(a, b) (c, d) -> (a + c, max (b + c) d)) (0, 0) (map (\v -> (v, v)) x)
wraps : [N]i32 -> (i32, i32)
> why reduceSplit(17) at /
reduceSplit does not apply at /
  rule    reduce f z x  =>  reduce f z (map (reduce f z) (split n x))  when associative f and restarts z f and n divides (length x)
  needs   associative f
  found   unknown, + declares it, this function does not (let f (a, b) = ... with associative)
  when    associative f: unknown, + declares it, this function does not (let f (a, b) = ... with associative)
  when    restarts z f: unknown, + declares it, this function does not (let f (a, b) = ... with neutral ...)
  when    n divides (length x): yes, 17 divides N is a fact from now on
  instead reduceWhole at /
> let mean (x: [N]f32) = reduce (\a b -> 0.5 * (a + b)) 0 x
mean : [N]f32 -> f32
> why reduceSplit(17) at /
reduceSplit does not apply at /
  rule    reduce f z x  =>  reduce f z (map (reduce f z) (split n x))  when associative f and restarts z f and n divides (length x)
  needs   associative f
  found   unknown, + declares it, this function does not (let f (a, b) = ... with associative)
  when    associative f: unknown, + declares it, this function does not (let f (a, b) = ... with associative)
  when    restarts z f: unknown, + declares it, this function does not (let f (a, b) = ... with neutral ...)
  when    n divides (length x): yes, 17 divides N is a fact from now on
  instead reduceWhole at /
> # elements of another type than the sum
> let rolling (s: [N][M]i32) = map (\v -> reduceSeq (\h c -> 31 * h + f32 c) 0 v) s
rolling : [N][M]i32 -> [N]f32
> data N = 33, M = 17
> lower | head -1
@1  lower                               builtin    from @0
> run -n 1 | grep verify
  verify  OK   3 inputs x 1 repeat
