> # what is shown before the first run is what is run
> let halves (x: [N]f32) = join (mapWorkgroup 0 (\r -> mapLocal 0 (\a -> a * 0.5) r) (split 512 x))
halves : [N]f32 -> [N]f32
> data N = 2048
> code -o before.cl
before.cl: 1 kernel of @0
> run -n 1 | wc -l
6
> code -o after.cl
after.cl: 1 kernel of @0
> !cmp before.cl after.cl && echo same
same
> # what run says of a version is by its source, whatever the version says of itself
> set silence W08
> let root (x: [N]f32) = map (\a -> sqrt (abs a)) x
root : [N]f32 -> [N]f32
> data N = 64
> rule bad: sqrt a => a * 1000 + 7
rule bad
  sqrt a  =>  a * 1000 + 7
  user; assumed
> apply bad at /f/body
@1  bad  at /f/body                     assumed    from @0
  - sqrt ∘ abs $ a
  + abs a * 1e03 + 7
  type   f32                          unchanged
  focus  /  ->  /                     15 moves here
> lower
@2  lower                               builtin    from @1
  - map (λa → abs a * 1e03 + 7) x
  + mapGlobal 0 (λa → abs a * 1e03 + 7) x
  type   [N]f32                       unchanged
  focus  /  ->  /                     4 moves here
> run
@2? *   WRONG RESULT   input 1 small integers  repeat 1 of 2
  64 of 64 elements differ; first at [0]: got 1007, want 1 (rel 1.01e+03); pattern: every element
  the version does not mean what its source means
  @2 = lower, from @1
E63 @2 does not compute what its source does
  trust   @2 rests on the assumed rule bad
  try     run @1; explain @2
> # right, and its order loses what its type does not hold
> let sum (x: [N]f32) = reduce (+) 16777216 x
sum : [N]f32 -> f32
> data N = 1000
> data x = const(1)
> lower
@1  lower                               builtin    from @0
  - reduce (+) 16777216 x
  + reduceSeq (+) 16777216 x
  type   f32                          unchanged
  focus  /  ->  /                     3 moves here
> run -n 1
@1  **   N=1000   WG 1 x 1
  build   **
  verify  OK   2 inputs x 2 repeats
          error 6e-05, 1 x the source's own; sees changes of 6e-08
          every element
  time    **
> # a decision that rounding makes
> let tenths (x: [N]f32) = mapGlobal 0 (\a -> floor (a * 10)) x
tenths : [N]f32 -> [N]f32
> data N = 64
> data x = const(0.7)
> run -n 1
@0  **   N=64   WG 64 x 1
  build   **
  verify  OK   2 inputs x 2 repeats; input 1 exact
          error 0.17, 1 x the source's own; sees changes of 6e-08
          every element
  time    **
> # what is not finite is compared as what it is
> let inverse (x: [N]f32) = mapGlobal 0 (\a -> 1 / a) x
inverse : [N]f32 -> [N]f32
> data N = 64
> data x = const(0)
> run -n 1
@0  **   N=64   WG 64 x 1
  build   **
  verify  OK   2 inputs x 2 repeats
          exact; sees changes of 6e-08
          every element
          64 values are inf or NaN in the reference: no tolerance there
  time    **
> code -o inverse.cl
inverse.cl: 1 kernel of @0
> !sed -i 's/out\[gid0\] = .*/out[gid0] = 3.0f;/' inverse.cl
> code --edit inverse.cl
@1?  code --edit        assumed    from @0
  next   run; diff @0 @1 --code
> run -n 1
@1? *   WRONG RESULT   input 1 small integers  repeat 1 of 2
  64 of 64 elements differ; first at [0]: got 3, want 1 (rel 2); pattern: every element
  the kernel does not compute what the version says
  last step before wrong: @0 was OK; @1 = code --edit
  next: diff @0 @1 --code
E63 @1 does not compute what its source does
  trust   @1 rests on the hand-edited kernel
  try     check @1
> data x = const(nan)
> undo
@0  source
    mapGlobal 0 (λa → 1 / a) x
> run -n 1
@0  **   N=64   WG 64 x 1
  build   **
  verify  OK   2 inputs x 2 repeats
          exact; sees changes of 6e-08
          every element
          64 values are inf or NaN in the reference: no tolerance there
  time    **
> # an edited kernel that writes to its input is named, and the next run has the input as it was
> let twice (x: [N]f32) = mapGlobal 0 (\a -> a * 2) x
twice : [N]f32 -> [N]f32
> data N = 64
> code -o twice.cl
twice.cl: 1 kernel of @0
> !sed -i 's/out\[gid0\].*/& ((global float *)x)[gid0] = 7;/' twice.cl
> code --edit twice.cl
@1?  code --edit        assumed    from @0
  next   run; diff @0 @1 --code
> run -n 1
@1 *   RACE OR FORBIDDEN ACCESS
  @1 = code --edit, from @0
  next: diff @0 @1 --code
E64 kernel twice_k0: writes to input x, first at byte 2 of 256
> undo
@0  source
    mapGlobal 0 (λa → a * 2) x
> run -n 1
@0  **   N=64   WG 64 x 1
  build   **
  verify  OK   3 inputs x 2 repeats; input 1 exact
          exact; sees changes of 6e-08
          every element
  time    **
> let next (x: [N]i32) = map (\a -> a + 1) x
next : [N]i32 -> [N]i32
> data N = 4
> data x = const(nan)
> eval
E37 const(nan) is no value of type i32
  needs   -2147483648 to 2147483647
  input   x
> # the last element of a scan has all before it, the first one none: in f64 its order shows
> let products (x: [N]f64) = scan (*) 1 x
products : [N]f64 -> [N]f64
> data N = 4096
> lower
@1  lower                               builtin    from @0
  - scan (*) 1 x
  + **
  type   [N]f64                       unchanged
  inner **
  focus  /  ->  /                     4 moves here
> run -n 1
@1  **
  build   **
  verify  OK   3 inputs x 2 repeats; input 1 exact
          error 3.4e-16, 0.14 x the source's own; sees changes of 1.1e-16
          every element
  time    **
> # products of small integers, in another order, overflow and then meet a zero
> let product (x: [N]f32) = reduce (*) 1 x
product : [N]f32 -> f32
> data N = 8192
> lower
@1  lower                               builtin    from @0
  - reduce (*) 1 x
  + **
  type   f32                          unchanged
  inner **
  focus  /  ->  /                     3 moves here
> run -n 1
@1  **
  build   **
  verify  OK   3 inputs x 2 repeats; input 1 exact
          exact; sees changes of 6e-08
          every element
  time    **
> # a device whose divisions are all a little too near 0 is right; elimination without pivots makes much of that
> let lu (A: [N][N]f32) = loop N (\x s -> generate N (\i -> generate N (\j -> let f = x[i][s] / x[s][s] in if i > s && j > s then x[i][j] - f * x[s][j] else if i > s && j == s then f else x[i][j]))) A
lu : [N][N]f32 -> [N][N]f32
> data N = 48
> lower | head -1
@1  lower                               builtin    from @0
> code -o lu.cl
lu.cl: 1 kernel of @1
> !sed -i 's, / , * 0.99999994f / ,' lu.cl
> code --edit lu.cl
@2?  code --edit        assumed    from @1
  next   run; diff @1 @2 --code
> run -n 1 | grep -e verify -e WRONG
  verify  OK   3 inputs x 2 repeats
> # a value of a kind that no input changes is said to show nothing
> let vanishing (x: [N]f32) = reduce (*) 1 (map (\a -> 0.5 * sin a) x)
vanishing : [N]f32 -> f32
> data N = 3000
> lower | head -1
@1  lower                               builtin    from @0
> run -n 1 | grep -A4 verify
  verify  OK   3 inputs x 2 repeats
          exact
          every element
          every value is 0, inf or NaN: other sizes or inputs (`data`) show more of what makes it
  time    - ms median of 1  (IQR -, min -)    - GB/s
