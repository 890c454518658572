> # nest by nest: what lower chooses, what that would take, what the device needs at least, what else fits
> let parts (xs: [N]f32) (A: [M][K]f32) (B: [K][L]f32) = (reduce (+) 0 xs, map (\row -> map (\col -> reduce (+) 0 (map (*) (zip row col))) (transpose B)) A)
parts : [N]f32 -> [M][K]f32 -> [K][L]f32 -> (f32, [M][L]f32)
> lower --explain
#1 /0        reduce (+) 0 xs
  plain      * *   * of the bound
  takes      **
  bound      * * **
  near       no reduction: a length is not known: `data` gives it
  helps      **
  helps      **
#2 /1        map (\row -> map (\col -> ..) . transpose $ B) A
  plain      * *   * of the bound
  takes      **
  bound      * * **
  near       no product: a length is not known: `data` gives it
  near       no rows: no step of a row is a reduction to a scalar
  helps      **
sizes by default: N = 256, M = 256, K = 256, L = 256
in all       * * on a CPU   * of the bound: **
> data N = 65536 M = 128 K = 128 L = 128
> lower --explain
#1 /0        reduce (+) 0 xs
  reduction  * *   * of the bound
             reduceCpu{chunk=1024, u=4, w=16}
  takes      **
  bound      * * **
  or         * *   elements    lower lowerAs("elements")
  or         * *   plain       lower lowerAs("plain")
  helps      2 kernels: fewer, larger ones
#2 /1        map (\row -> map (\col -> ..) . transpose $ B) A
  elements   * *   * of the bound
             elementForm
             elementGroups{g=192, a=1, b=1, c=1}
             generateProductPad(128)
             generateTurned
             gemmCpu{kb=128, mb=128, mr=8, nb=32, nr=32, w=16}
  takes      **
  bound      * * **
  or         * *   product     lower lowerAs("", "product")
  or         * *    plain       lower lowerAs("", "plain")
  near       no rows: no step of a row is a reduction to a scalar
in all       * * on a CPU   * of the bound: **
> lower --explain at /1
#1 /1        map (\row -> map (\col -> ..) . transpose $ B) A
  elements   * *   * of the bound
             elementForm
             elementGroups{g=192, a=1, b=1, c=1}
             generateProductPad(128)
             generateTurned
             gemmCpu{kb=128, mb=128, mr=8, nb=32, nr=32, w=16}
  takes      **
  bound      * * **
  or         48.7 us   product     apply lowerAs("product") at /1
  or         860 us    plain       apply lowerAs("plain") at /1
  near       no rows: no step of a row is a reduction to a scalar
in all       * * on a CPU   * of the bound: **
> # another shape, by its name; the i-th name is of the i-th nest
> lower lowerAs("", "plain")
@1  lowerAs("", "plain")                builtin    from @0
  - (reduce (+) 0 xs, map (λrow → map (λcol → reduce (+) 0 (map (*) (..))) ∘ transpose $ B) A)
  + (reduceSeq (+) 0 ∘ mapWorkgroup 0 (reduceSeqUnroll (+) 0 ∘ asScalar ∘ reduceSeq (λ(acc, c) → ...
  type   (f32, [M][L]f32)             unchanged
  inner  17 steps        log --expand
  focus  /  ->  /                     2 moves here
> lower --explain
#1 /         (reduceSeq (+) 0 . mapWorkgroup 0 (reduceSeqUnroll (+) 0 ...
  as it is   * *   * of the bound
  takes      **
  bound      * * **
  helps      **
in all       * * on a CPU   * of the bound: **
> goto @0
@0  source
    (reduce (+) 0 xs, map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $...
> apply lowerAs("plain") at /0
@2  lowerAs("plain")  at /0             builtin    from @0
  - reduce (+) 0 xs
  + reduceSeq (+) 0 ∘ mapGlobal 0 (reduceSeq (+) 0) ∘ split (N/64) $ xs
  type   f32                          unchanged
  inner  5 steps        log --expand
  focus  /  ->  /                     2 moves here
> lower --explain
#1 /1        map (\row -> map (\col -> ..) . transpose $ B) A
  elements   * *   * of the bound
             elementForm
             elementGroups{g=192, a=1, b=1, c=1}
             generateProductPad(128)
             generateTurned
             gemmCpu{kb=128, mb=128, mr=8, nb=32, nr=32, w=16}
  takes      **
  bound      * * **
  or         * *   product     lower lowerAs("product")
  or         * *    plain       lower lowerAs("plain")
  near       no rows: no step of a row is a reduction to a scalar
in all       * * on a CPU   * of the bound: **
> lower --explain at /0
#1 /0        reduceSeq (+) 0 . mapGlobal 0 (reduceSeq (+) 0) . split (N..
  as it is   * *   * of the bound
  takes      **
  bound      * * **
  helps      **
  helps      **
in all       * * on a CPU   * of the bound: **
> goto @0
@0  source
    (reduce (+) 0 xs, map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $...
> lower lowerAs("rows")
E23 lowerAs('rows') failed: lowerAs fails at /0
  needs   rows: map (\row -> .. reduce or scan over row ..) rows
  found   reduce (+) 0 xs
> lower lowerAs("", "", "")
E23 lowerAs('', '', '') failed: lowerAs fails at /
  needs   3 nests
  found   2 in all
> lower lowerAs(1)
E24 a shape is a text, as lower --explain says it
> lower --explain lowerPlain
E05 `at PLACE` is expected there
  form    lower [--trace [--depth N]] [STRATEGY] [as TAG] | lower --explain [at PLACE]
> # nests that make what others read; one in a function is looked at by itself
> load tests/programs/attention.fun
attention : [N][D]f32 -> [M][D]f32 -> [M][D]f32 -> [N][D]f32        3 programs; list programs
> data N = 256 M = 256 D = 64
> lower --explain | grep '^#\|^in all'
#1 /in/in    map (map (\s -> ..)) . map (\q -> map (\k -> ..) Kt) $ Q
#2 /in       map (\x -> let m = .. in ..) #1
#3 /         map (\p -> map (\col -> reduce (+) 0 ..) . transpose $ V) #2
in all       * * on a CPU   * of the bound: **
> lower --explain at /f/body | grep '^#1\|^by itself'
#1           generate M (\i -> 0.125 * reduce (+) 0 ..)
by itself    * * on a CPU   * of the bound: **
> # what is as long as its slice
> load tests/programs/raggedmax.fun
raggedmax : [M + 1]i32 -> [N]f32 -> [M]f32
> lower --explain at /f/body/f/body
#1 /f/body/f/body reduce max (-inf) xs
  total      no prediction
  slow       with memory wherever it is asked for; without, its length is known
             only where it is sliced
  near       no reduction: a length is not known: `data` gives it
sizes by default: M = 256, N = 256
> # where several fit, the first in order, unless another is predicted to be twice as fast
> load tests/programs/kmeans.fun
kmeans : [F][P]f32 -> [C][F]f32 -> [P]i32
> data P = 4096 F = 32 C = 64
> lower --explain | grep '^#\|^  or\|loops'
#1 /         map (\p -> ...1) . transpose $ features
  long loops * *   * of the bound
  or         * *   elements    lower lowerAs("elements")
  or         * *   columns     lower lowerAs("columns")
  or         3.83 ms   plain       lower lowerAs("plain")
> # on a GPU
> device oclgrind
oclgrind    Oclgrind Simulator
> load tests/programs/atax.fun
atax : [N][M]f32 -> [M]f32 -> [M]f32        2 programs; list programs
> data N = 1024 M = 1024
> lower --explain
#1 /value    map (\row -> reduce (+) 0 (map (*) (zip row x))) A
  rows       * *   * of the bound
             rowsInGroups{each=4, items=M/4, keep=true, rounds=1}
  takes      **
  bound      * * **
  or         * *   elements    lower lowerAs("elements")
  or         * *    plain       lower lowerAs("plain")
#2 /body     map (\col -> reduce (+) 0 (map (*) ..)) . transpose $ A
  rows       * *   * of the bound
             rowsInGroups{dim=1, items=N/32, keep=true, rounds=0, side=32}
  takes      **
  bound      * * **
  or         * *   elements    lower lowerAs("", "elements")
  or         * *    plain       lower lowerAs("", "plain")
  helps      32 groups for 132 units
  helps      **
in all       * * on a GPU   * of the bound: **
> # near misses: which part of a nest differs from the form of a shape
> let own (A: [N][K]f32) (B: [N][M][K]f32) = map (\(a, bs) -> map (\b -> reduce (+) 0 (map (*) (zip a b))) bs) (zip A B)
own : [N][K]f32 -> [N][M][K]f32 -> [N][M]f32
> data N = 97 M = 97 K = 97
> lower --explain | grep near
  near       no product: what the inner map takes is made for each row
> let two (A: [N][K]f32) (B: [M][K]f32) = map (\a -> map (\b -> sqrt (reduce (+) 0 (map (*) (zip a b)) * reduce max 0 a)) B) A
two : [N][K]f32 -> [M][K]f32 -> [N][M]f32
> data N = 97 M = 97 K = 97
> lower --explain | grep near
> let less (xs: [N]f32) = reduce (\(a, b) -> a - b) 0 xs
less : [N]f32 -> f32
> data N = 10000
> lower --explain | grep -A1 near
  near       no reduction: the order of its steps counts: the function is not
             known to be associative
> why lowerAs("reduction")
lowerAs('reduction') failed: lowerAs fails at /
  needs   reduction: reduce f z xs to a scalar or a tuple, f associative
  found   the order of its steps counts: the function is not known to be associative
> let odd (xs: [N]f32) = map (\x -> x * x) xs
odd : [N]f32 -> [N]f32
> data N = 9997
> lower --explain | grep near
> load tests/programs/mm.fun
mm : [N][K]f32 -> [K][M]f32 -> [N][M]f32
> data N = 7 M = 50 K = 50
> lower --explain | grep near
  near       no product: no block divides 7 x 50 x 50, and none is worth
> # nothing is faster than the bound: columns that the caches hold, and that they do not; nor does what a way does twice count as needed
> device cpu | head -0
> let columns (A: [N][M]f32) = map (reduce (+) 0) (transpose A)
columns : [N][M]f32 -> [M]f32
> data N = 1024 M = 1024
> lower --explain | grep bound
  columns    47.5 us   0.75 of the bound
  bound      35.7 us   memory
in all       47.5 us on a CPU   0.75 of the bound: 35.7 us, memory
> data N = 4096 M = 4096
> lower --explain | grep bound
  columns    2.66 ms   0.90 of the bound
  bound      2.4 ms   memory
in all       2.66 ms on a CPU   0.90 of the bound: 2.4 ms, memory
> let twice (A: [N][M]f32) = map (\w -> reduce (+) 0 (map exp (join w))) (slide 3 1 A)
twice : [N][M]f32 -> [N - 2]f32
> data N = 1024 M = 64
> lower --explain | grep bound
  rows       102 us   0.39 of the bound
  bound      39.6 us   arithmetic
in all       102 us on a CPU   0.39 of the bound: 39.6 us, arithmetic
