> # nothing to fuse is said with what would be
> load tests/programs/dot.fun
dot : [N]f32 -> [N]f32 -> f32
> fuse
E37 what shares a kernel depends on sizes that are not set
  try     data N = 256
> apply fuseAs("1 2")
E23 fuseAs('1 2') failed: fuseAs fails at /
  needs   a function 1
  found   none; fuse says which sizes they need
> # functions that share an input, one of which makes a scalar
> let shade (D: [N][3]f32) (M: [N][3]f32) = zipWith (\(r, d) -> reduce (+) 0 (zipWith (*) r d)) (map (\v -> let l = sqrt (reduce (+) 0 (zipWith (*) v v)) in map (\x -> x / l) v) M) D
shade : [N][3]f32 -> [N][3]f32 -> [N]f32
> data N = 97
> fuse --best 9
functions              of            reads     makes  predicted
  #1  map (\v -> let .. M           1.16 kB   1.15 kB    * *
  #2  map (\(r, d) ->.. #1, D        2.3 kB     384 B    * *
combinations of 3 fusions      reads    makes  predicted    inst./s
  1  (1 2)                   2.32 kB    384 B    2.57 us     37.8 M
  2  (1) (2)                 3.47 kB  1.54 kB    4.65 us    20.84 M
> lower
@1  lower                               builtin    from @0
  - map (λ(..) → reduce (+) 0 (map (*) (..))) (zip (map (λv → let l = sqrt (reduce (+) 0 (map (*)...
  + concat (join (mapWorkgroup 0 (λ(y, cs) → mapLocal 2 (λ(..) → reduceSeqUnroll (λ(acc, (y0, y1)...
  type   [N]f32                       unchanged
  inner  43 steps        log --expand
  focus  /  ->  /                     4 moves here
> run | grep verify
  verify  OK   **
> # an unfused one: memory between the two
> goto @0
@0  source
    map (λ(r, d) → reduce (+) 0 (map (*) (zip r d))) (zip (map (λv → let l = sqrt (reduce (+) 0 (...
> apply fuseAs()
@2  fuseAs()  at /in/0                  builtin    from @0
  - map (λv → let l = sqrt (reduce (+) 0 (map (*) (zip v v))) in map (λx → x / l) v) M
  + toGlobal ∘ map (λv → let l = sqrt (reduce (+) 0 (map (*) (zip v v))) in map (λx → x / l) v) $ M
  type   [N][3]f32                    unchanged
  focus  /  ->  /                     16 moves here
> lower
@3  lower                               builtin    from @2
  - map (λ(..) → reduce (+) 0 (map (*) (..))) (zip (toGlobal ∘ map (λv → let l = sqrt (reduce (+)...
  + mapGlobal 0 (λ(..) → reduceSeqUnroll (λ(acc, (y0, y1)) → fma y0 y1 acc) 0 (..)) (zip (toGloba...
  type   [N]f32                       unchanged
  inner  22 steps        log --expand
  focus  /  ->  /                     4 moves here
> code | grep -c '^kernel'
3
> run | grep verify
  verify  OK   **
> goto @0
@0  source
    map (λ(r, d) → reduce (+) 0 (map (*) (zip r d))) (zip (map (λv → let l = sqrt (reduce (+) 0 (...
> apply functionsInGroups{n=1, levels="01"}
@4  functionsInGroups{n=1, levels="01"}  at /  builtin    from @0
  - map (λ(r, d) → reduce (+) 0 (map (*) (zip r d))) (zip (map (..) M) D)
  + join (mapWorkgroup 0 (λ(y, cs) → mapLocal 2 (..) (zip (mapLocal 2 (..) y) cs)) (zip (split 1 ...
  type   [N]f32                       unchanged
  inner  9 steps        log --expand
  focus  /  ->  /                     4 moves here
> lower
@5  lower                               builtin    from @4
  - mapLocal 2 (λ(..) → reduce (+) 0 (map (*) (..))) (zip (mapLocal 2 (λv → let l = sqrt (reduce ...
  + mapLocal 2 (λ(..) → reduceSeqUnroll (λ(acc, (y0, y1)) → fma y0 y1 acc) 0 (..)) (zip (toLocal ...
  type   [1]f32                       unchanged
  inner  10 steps        log --expand
  focus  /  ->  /                     4 moves here
> run | grep verify
  verify  OK   **
> apply functionsInGroups
E23 functionsInGroups fails at /
  needs   a map whose function makes small arrays
  found   join (mapWorkgroup 0 (\(y, cs) -> ..) (zip .. ..))
> # what is made by something else is no function of instances
> let far (A: [N][3]f32) (w: [N]f32) = map (\v -> map (\x -> reduce (+) 0 (map (\y -> x * y) w)) v) A
far : [N][3]f32 -> [N]f32 -> [N][3]f32
> data N = 8
> fuse
E05 there are no functions here that could share a kernel
  needs   maps over instances that make small arrays of them, and maps of what they make
> # measured in turns
> use shade
> goto @0
@0  source
    map (λ(r, d) → reduce (+) 0 (map (*) (zip r d))) (zip (map (λv → let l = sqrt (reduce (+) 0 (...
> fuse --measure | grep -c '@'
2
> # names that several functions use, layouts between functions
> load tests/programs/chain.fun
chain : [N][4][4]f32 -> [N][4][4]f32 -> [N][4][4]f32
  inlined  R: used once (letDuplicate)
> data N = 1000
> fuse | grep '#\|(1 2 3 4 5)'
  #1  map (\(A1, B1) .. A, B         128 kB     64 kB    * *
  #2  map (map (map (.. #1            64 kB     64 kB    * *
  #3  map (\(A, B) ->.. #2, #1       128 kB     64 kB    * *
  #4  map (\(A, B) ->.. #1, #2       128 kB     64 kB    * *
  #5  map (\(A, B) ->.. #3, #4       128 kB     64 kB    * *
  1  (1 2 3 4 5)              128 kB    64 kB    68.1 us    14.67 M
> lower
@1  lower                               builtin    from @0
  - let P = map (λ(..) → map (λr → map (λc → reduce (+) 0 (map (*) (..))) ∘ transpose $ B1) A1) (...
  + join (mapWorkgroup 0 (λ(ys, ys1) → let x = toLocal (mapLocal 2 (λ(..) → mapLocal 1 (λr → mapL...
  type   [N][4][4]f32                 unchanged
  inner  65 steps        log --expand
  focus  /  ->  /                     4 moves here
> run | grep verify
  verify  OK   **
> # as many as no group divides: what is left over, names and all, is a kernel of its own
> data N = 1003
warning: now 10 divides N does not hold for split 10 at /in/in/0; @1 cannot be run        goto @0 ; lower
> goto @0
@0  source
    let P = map (λ(A1, B1) → map (λr → map (λc → reduce (+) 0 (map (*) (zip r c))) ∘ transpose $ ...
> apply functionsPeelLast(3)
@2  functionsPeelLast(3)  at /          builtin    from @0
  - let P = map (..) (zip A B) in let Q = map (map (map (λy → y + 1))) P in map (..) (..)
  + concat (let P = map (..) (zip (take (N - 3) A) (take (N - 3) B)) in let Q = map (..) P in map...
  type   [N][4][4]f32                 unchanged
  inner  33 steps        log --expand
  focus  /  ->  /                     4 moves here
> goto @0
@0  source
    let P = map (λ(A1, B1) → map (λr → map (λc → reduce (+) 0 (map (*) (zip r c))) ∘ transpose $ ...
> fuse --best 1 | grep '1 2 3 4 5'
  1  (1 2 3 4 5)              128 kB  63.5 kB    67.4 us    14.88 M
> lower
@3  lower                               builtin    from @0
  - let P = map (λ(..) → map (λr → map (λc → reduce (+) 0 (map (*) (..))) ∘ transpose $ B1) A1) (...
  + concat (join (mapWorkgroup 0 (λ(ys, ys1) → let x = toLocal (mapLocal 2 (λ(..) → mapLocal 1 (λ...
  type   [N][4][4]f32                 unchanged
  inner  163 steps        log --expand
  focus  /  ->  /                     4 moves here
> code | grep -c '^kernel'
2
> run | grep verify
  verify  OK   3 inputs x 2 repeats; input 1 exact
> # functions of several granularities, one behind the other, through names
> device oclgrind
oclgrind    Oclgrind Simulator
> data N = 51
warning: now 16 divides N - 11 does not hold for split 16 at /0/in/in/0; @3 cannot be run        goto @0 ; lower
> goto @0
@0  source
    let P = map (λ(A1, B1) → map (λr → map (λc → reduce (+) 0 (map (*) (zip r c))) ∘ transpose $ ...
> apply functionsInGroups{n=17, each="16 4 1 4 4"}
@4  functionsInGroups{n=17, each="16 4 1 4 4"}  at /  builtin    from @0
  - let P = map (..) (zip A B) in let Q = map (map (..)) P in map (..) (zip (map transpose (map (...
  + join (mapWorkgroup 0 (λ(ys, ys1) → let x = mapLocal 2 (λ(..) → mapLocal 1 (λr → mapLocal 0 (....
  type   [N][4][4]f32                 unchanged
  inner  40 steps        log --expand
  focus  /  ->  /                     4 moves here
> lower
@5  lower                               builtin    from @4
  - let x = mapLocal 2 (λ(..) → mapLocal 1 (λr → mapLocal 0 (λc → reduce (+) 0 (map (*) (..))) ∘ ...
  + let x = toLocal (mapLocal 2 (λ(..) → mapLocal 1 (λr → mapLocal 0 (λc → reduceSeqUnroll (λ(acc...
  type   [17][4][4]f32                unchanged
  inner  25 steps        log --expand
  focus  /  ->  /                     4 moves here
> run | grep verify
  verify  OK   3 inputs x 1 repeat; input 1 exact
> # sizes that are not set
> goto @0
@0  source
    let P = map (λ(A1, B1) → map (λr → map (λc → reduce (+) 0 (map (*) (zip r c))) ∘ transpose $ ...
> data N = ?
> fuse
E37 what shares a kernel depends on sizes that are not set
  try     data N = 256
> # a name that is used once stands where it is used: who wrote it is told, and the step that left it so says it, by the rule that it is
> let twice (xs: [N]f32) = let y = map (\x -> x * 2) xs in zip y y
twice : [N]f32 -> [N](f32, f32)
> apply zipSame
@1  zipSame  at /body                   builtin    from @0
  - let y = map (λx → x * 2) xs in zip y y
  + map (λx → (x, x)) ∘ map (λx → x * 2) $ xs
  type   [N](f32, f32)                unchanged
  inlined  y: used once (letDuplicate)
  focus  /  ->  /                     18 moves here
> log --expand
  @0  source
* @1  zipSame  at /body  inlined y: used once (letDuplicate)
1 rewrite in 1 step to @1
> let once (xs: [N]f32) = let y = map (\x -> x * 2) xs let z = map (\x -> x + 1) y in map (\a -> a * a) z
once : [N]f32 -> [N]f32
  inlined  y, z: used once (letDuplicate)
> log --expand
* @0  source
      .1  letDuplicate  at /  inlined y
      .2  letDuplicate  at /  inlined z
> # a function is in one fusion, and those of a fusion read one another
> load tests/programs/elements.fun
elements : [N][3][3]f32 -> [N][3][3]f32 -> [N][3]f32 -> [N][5][5]f32 -> [N][5][5]f32 -> [N][5][5]f32
  inlined  T1, T2, n, T3, T4: used once (letDuplicate)
> data N = 64
> apply fuseAs("1", "1")
E24 function 1 is in one fusion only: it stands in "1" twice, or in two
> apply fuseAs("1 4")
E23 fuseAs('1 4') failed: fuseAs fails at /
  needs   functions that read one another in a fusion
  found   functions 1 and 4, which in "1 4" read nothing of one another, by others either
> apply fuseAs("2 3", "1 4 5")
E23 fuseAs('2 3', '1 4 5') failed: fuseAs fails at /
  needs   functions that read one another in a fusion
  found   functions 1 and 4, which in "1 4 5" read nothing of one another, by others either
> # the order that needs least local memory is found, however the arguments stand; one fusion of all functions can be asked for, too
> device oclgrind
oclgrind    Oclgrind Simulator
> data N = 64
> apply fuseAs("1 2 3 4 5 6")
@1  fuseAs("1 2 3 4 5 6")  at /         builtin    from @0
  - map (λ(..) → map2 (λx → s * x) A1) (zip (map (..) (map (λ(..) → map (..) A1) (zip (map (λ(..)...
  + join (mapWorkgroup 0 (λ(as, as1, as2, x, bs) → mapLocal 2 (λ(..) → mapLocal 1 (map (λx1 → s *...
  type   [N][5][5]f32                 unchanged
  inner  46 steps        log --expand
  focus  /  ->  /                     11 moves here
> lower
@2  lower                               builtin    from @1
  - mapLocal 2 (λ(..) → mapLocal 1 (map (..)) A1) (zip (mapLocal 2 (λv1 → sqrt (reduce (+) 0 (map...
  + mapLocal 2 (λ(..) → mapLocal 1 (mapSeq (..)) A1) (zip (toLocal (mapLocal 2 (λv1 → sqrt (reduc...
  type   [32][5][5]f32                unchanged
  inner  25 steps        log --expand
  focus  /  ->  /                     11 moves here
> plan | grep local
   local memory 6784 bytes, 8064 apart
> run | grep verify
  verify  OK   3 inputs x 1 repeat
> let mmul (A, B) = map (\row -> map (\col -> reduce (+) 0 (zipWith (*) row col)) (transpose B)) A
mmul : helper, typed where it is used
> let madd (A, B) = zipWith (\(a, b) -> zipWith (+) a b) A B
madd : helper, typed where it is used
> let mvmul (A, v) = map (\row -> reduce (+) 0 (zipWith (*) row v)) A
mvmul : helper, typed where it is used
> let norm v = sqrt (reduce (+) 0 (zipWith (*) v v))
norm : helper, typed where it is used
> let scaled (A, s) = map2 (\x -> s * x) A
scaled : helper, typed where it is used
> let swapped (A: [N][3][3]f32) (B: [N][3][3]f32) (v: [N][3]f32) (C: [N][5][5]f32) (D: [N][5][5]f32) = zipWith scaled (zipWith madd (zipWith mmul C D) C) (map norm (zipWith mvmul (zipWith mmul A B) v))
swapped : [N][3][3]f32 -> [N][3][3]f32 -> [N][3]f32 -> [N][5][5]f32 -> [N][5][5]f32 -> [N][5][5]f32
> data N = 64
> fuse --best 2
functions              of            reads     makes  predicted
  #1  map (\(A, B) ->.. C, D        12.8 kB    6.4 kB    3.56 us
  #2  map (\(A, B) ->.. #1, C       12.8 kB    6.4 kB    3.56 us
  #3  map (\(A1, B1) .. A, B        4.61 kB    2.3 kB    3.56 us
  #4  map (\(A, v1) -.. #3, v       3.07 kB     768 B    3.56 us
  #5  map (\v -> sqrt.. #4            768 B     256 B    3.56 us
  #6  map (\(A, s) ->.. #2, #5      6.66 kB    6.4 kB    3.56 us
combinations of 21 fusions     reads    makes  predicted    inst./s
  1  (1 2 3 4 5 6)           18.2 kB   6.4 kB    4.84 us    13.23 M
  2  (1 2 5 6) (3 4)         18.9 kB  7.17 kB    8.14 us    7.864 M
> apply functionsInGroups{n=16, each="25 25 9 3 1 25"}
@1  functionsInGroups{n=16, each="25 25 9 3 1 25"}  at /  builtin    from @0
  - map (λ(..) → map2 (λx → s * x) A1) (zip (map (λ(..) → map (λ(..) → map (+) (..)) (..)) (zip (...
  + join (mapWorkgroup 0 (λ(x, bs, cs, cs1, cs2) → mapLocal 2 (λ(..) → mapLocal 1 (mapLocal 0 (λx...
  type   [N][5][5]f32                 unchanged
  inner  50 steps        log --expand
  focus  /  ->  /                     11 moves here
> lower
@2  lower                               builtin    from @1
  - .. → mapLocal 0 (λcol → reduce (+) 0 (map (*) (..))) ∘ transpose $ B1) A1) (..)) x)) (mapLoca...
  + zip (toLocal (mapLocal 2 (..) (zip (toLocal (mapLocal 2 (λ(..) → mapLocal 1 (λrow → mapLocal ...
  type   [16]([5][5]f32, f32)         unchanged
  inner  21 steps        log --expand
  focus  /  ->  /                     11 moves here
> plan | grep local
   local memory 3392 bytes, 4032 apart
> run | grep verify
  verify  OK   3 inputs x 1 repeat
> # fusions with several results: what two functions read is made with one of them, or both, in one kernel
> let products (A: [N][3][3]f32) (B: [N][3][3]f32) (v: [N][3]f32) (w: [N][3]f32) = let T = map (\(a, b) -> map (\r -> map (dot r) (transpose b)) a) (zip A B) in let u = map (\(t, x) -> map (dot x) t) (zip T v) in let z = map (\(t, x) -> map (dot x) t) (zip T w) in zipWith2 (+) u z
products : [N][3][3]f32 -> [N][3][3]f32 -> [N][3]f32 -> [N][3]f32 -> [N][3]f32
  inlined  u, z: used once (letDuplicate)
> data N = 98
> fuse --best 20
functions              of            reads     makes  predicted
  #1  map (\(A1, B1) .. A, B        7.06 kB   3.46 kB    * *
  #2  map (\(t, x) ->.. #1, v       4.63 kB   1.15 kB    * *
  #3  map (\(t, x) ->.. #1, w       4.63 kB   1.15 kB    * *
  #4  map2 (+) (zip #.. #2, #3       2.3 kB   1.15 kB    * *
combinations of 11 fusions     reads    makes  predicted    inst./s
  1  (1 2 3 4)               9.37 kB  1.15 kB    * *    * *
  2  (1 2 3) (4)             11.7 kB  3.46 kB    * *    * *
  3  (1) (2 3 4)             12.8 kB  4.61 kB    * *    * *
  4  (1 2) (3 4)               14 kB  5.76 kB    * *    * *
  5  (1 3) (2 4)               14 kB  5.76 kB    * *    * *
  6  (1) (2) (3 4)           17.5 kB  5.76 kB    * *    * *
  7  (1) (2 4) (3)           17.5 kB  5.76 kB    * *    * *
  8  (1 2) (3) (4)           15.2 kB  6.91 kB    * *    * *
  9  (1 3) (2) (4)           15.2 kB  6.91 kB    * *    * *
  10 (1) (2) (3) (4)         18.6 kB  6.91 kB    * *    * *
> apply fuseAs("1 3", "2 4")
@1  fuseAs("1 3", "2 4")  at /          builtin    from @0
  - let T = map (..) (zip A B) in map2 (+) (zip (map (..) (zip T v)) (map (..) (zip T w)))
  + let p = toGlobal (map (λ(x, t) → (t, map (..) t)) (zip w (..))) in map2 (+) (zip (map (..) (z...
  type   [N][3]f32                    unchanged
  inner  5 steps        log --expand
  focus  /  ->  /                     12 moves here
> show
let p = toGlobal
  (map
    (λ(x, t) → (t, map (λcol → reduce (+) 0 (map (*) (zip x col))) t))
    (zip
      w
      (map
        (λ(A1, B1) →
          map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B1) A1)
        (zip A B))))
in map2
  (+)
  (zip
    (map (λ(t, x) → map (λcol → reduce (+) 0 (map (*) (zip x col))) t) (zip (map (λ(t, u) → t) p) v))
    (map (λ(t, u) → u) p))
> lower
@2  lower                               builtin    from @1
  - let p = toGlobal (map (λ(..) → (t, map (λcol → reduce (+) 0 (map (*) (..))) t)) (zip w (map (...
  + join (mapWorkgroup 0 (λ(x, bs) → mapLocal 2 (λ(xs, xs1) → mapLocal 1 (+) (zip xs xs1)) (zip (...
  type   [N][3]f32                    unchanged
  inner  54 steps        log --expand
  focus  /  ->  /                     10 moves here
> code | grep -c '^kernel'
2
> run | grep verify
  verify  OK   3 inputs x 1 repeat; input 1 exact
> goto @0
@0  source
    let T = map (λ(A1, B1) → map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ tran...
> apply fuseAs("1 2 3")
@3  fuseAs("1 2 3")  at /               builtin    from @0
  - let T = map (..) (..) in map2 (+) (zip (map (λ(t, x) → map (..) t) (zip T v)) (map (λ(t, x) →...
  + let p = toGlobal (map (λ(cs, (y0, y1)) → (y1, map (λcol → reduce (+) 0 (map (*) (zip cs col))...
  type   [N][3]f32                    unchanged
  inner  10 steps        log --expand
  focus  /  ->  /                     12 moves here
> lower
@4  lower                               builtin    from @3
  - let p = toGlobal (map (λ(..) → (y1, map (λcol → reduce (+) 0 (map (*) (..))) y0)) (zip w (map...
  + join (mapWorkgroup 0 (λx → mapLocal 2 (λ(xs, xs1) → mapLocal 1 (+) (zip xs xs1)) (zip (map (....
  type   [N][3]f32                    unchanged
  inner  55 steps        log --expand
  focus  /  ->  /                     10 moves here
> code | grep -c '^kernel'
2
> run | grep verify
  verify  OK   3 inputs x 1 repeat; input 1 exact
> goto @0
@0  source
    let T = map (λ(A1, B1) → map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ tran...
> apply fuseAs("1 2 4")
E23 fuseAs('1 2 4') failed: fuseAs fails at /
  needs   a fusion without a path that leaves it and comes back
  found   "1 2 4"
> apply fuseAs("1:1 2:1 n=8")
E23 fuseAs('1:1 2:1 n=8') failed: fuseAs fails at /
  needs   numbers without implementations, for a fusion with several results
  found   1:1 2:1 n=8
> # names in a row, one of which is read by all: three results
> let chain (A: [N][3][3]f32) (B: [N][3][3]f32) (v: [N][3]f32) = let T = map (\(a, b) -> map (\r -> map (dot r) (transpose b)) a) (zip A B) in let u = map (\(x, t) -> map (dot x) t) (zip v T) in let s = map (\x -> sqrt (dot x x)) u in let y = map (\(k, t) -> map (map (* k)) t) (zip s T) in map (\(t, x, k) -> map (\(r, a) -> map (+ (a * k)) r) (zip t x)) (zip y u s)
chain changed; its earlier derivation is kept as chain.1
chain : [N][3][3]f32 -> [N][3][3]f32 -> [N][3]f32 -> [N][3][3]f32
  inlined  y: used once (letDuplicate)
> data N = 98
> fuse --best 1
functions              of            reads     makes  predicted
  #1  map (\(A1, B1) .. A, B        7.06 kB   3.46 kB    * *
  #2  map (\(x, t) ->.. v, #1       4.63 kB   1.15 kB    * *
  #3  map (\v -> sqrt.. #2          1.18 kB     384 B    * *
  #4  map (\(k, t) ->.. #3, #1      3.84 kB   3.46 kB    * *
  #5  map (\(t, x, k).. #4, #2,..   4.99 kB   3.46 kB    * *
combinations of 15 fusions     reads    makes  predicted    inst./s
  1  (1 2 3 4 5)             8.21 kB  3.46 kB    * *    * *
> apply fuseAs("1 2 3 4")
@1  fuseAs("1 2 3 4")  at /             builtin    from @0
  - let T = map (..) (..) in let u = map (λ(..) → map (..) t) (zip v T) in let s = map (λv1 → sqr...
  + let p = toGlobal (map (λ((y0, y1), cs) → (((y0, y1), cs), map (map (λx → x * cs)) y0)) (map (...
  type   [N][3][3]f32                 unchanged
  inner  14 steps        log --expand
  focus  /  ->  /                     13 moves here
> lower
@2  lower                               builtin    from @1
  - let p = toGlobal (map (λ(..) → ((..), map (map (..)) y0)) (map (λ(..) → ((..), sqrt (reduce (...
  + join (mapWorkgroup 0 (λx → mapLocal 2 (λ(x1, k, t) → mapLocal 1 (λ(..) → mapSeq (λx2 → fma a ...
  type   [N][3][3]f32                 unchanged
  inner  72 steps        log --expand
  focus  /  ->  /                     11 moves here
> code | grep -c '^kernel'
2
> run | grep verify
  verify  OK   3 inputs x 1 repeat
