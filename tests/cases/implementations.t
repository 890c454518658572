> # how a function can be made: so many work-items an instance
> load tests/programs/elements.fun
elements : [N][3][3]f32 -> [N][3][3]f32 -> [N][3]f32 -> [N][5][5]f32 -> [N][5][5]f32 -> [N][5][5]f32
  inlined  T1, T2, n, T3, T4: used once (letDuplicate)
> data N = 100
> fuse --implementations --best 1 --set device=gpu
functions              of            reads     makes  predicted
  #1  map (\(A1, B1) .. A, B         7.2 kB    3.6 kB    3.56 us
  #2  map (\(A, v1) -.. #1, v        4.8 kB    1.2 kB    3.56 us
  #3  map (\v -> sqrt.. #2           1.2 kB     400 B    3.56 us
  #4  map (\(A, B) ->.. C, D          20 kB     10 kB    3.56 us
  #5  map (\(A, B) ->.. #4, C         20 kB     10 kB    3.56 us
  #6  map (\(s, A) ->.. #3, #5      10.4 kB     10 kB    3.56 us
combinations of 21 fusions     reads    makes  predicted    inst./s
  1  (1 2 3 4 5 6)           28.4 kB    10 kB    4.84 us    20.67 M
implementations            items                      predicted
  #1:1                         1                        3.56 us
  #1:3                         3                        3.56 us
  #1:9                         9                        3.56 us
  #2:1                         1                        3.56 us
  #2:3                         3                        3.56 us
  #3:1                         1                        3.56 us
  #4:1                         1                        3.56 us
  #4:5                         5                        3.56 us
  #4:25                       25                        3.56 us
  #5:1                         1                        3.56 us
  #5:5                         5                        3.56 us
  #5:25                       25                        3.56 us
  #6:1                         1                        3.56 us
  #6:5                         5                        3.56 us
  #6:25                       25                        3.56 us
fusions         ways  the best by prediction              predicted
  (1)              3  1:9 n=32                              3.56 us
  (2)              2  2:3 n=64                              3.56 us
  (1 2)            6  1:3 2:3 n=64                          3.81 us
  (3)              1  3:1 n=64                              3.56 us
  (2 3)            2  2:1 3:1 n=64                          3.81 us
  (1 2 3)          6  1:1 2:1 3:1 n=64                      4.07 us
  (4)              3  4:25 n=16                             3.56 us
  (5)              3  5:25 n=16                             3.56 us
  (4 5)            9  4:25 5:25 n=16                        3.81 us
  (6)              3  6:25 n=16                             3.56 us
  (3 6)            3  3:1 6:25 n=16                         3.81 us
  (2 3 6)          6  2:3 3:1 6:25 n=32                     4.07 us
  (1 2 3 6)       18  1:9 2:3 3:1 6:25 n=32                 4.33 us
  (5 6)            9  5:25 6:25 n=16                        3.81 us
  (3 5 6)          9  3:1 5:25 6:25 n=16                    4.07 us
  (2 3 5 6)       18  2:3 3:1 5:25 6:25 n=16                4.33 us
  (1 2 3 5 6)     54  1:9 2:3 3:1 5:25 6:25 n=32            4.58 us
  (4 5 6)         27  4:25 5:25 6:25 n=16                   4.07 us
  (3 4 5 6)       27  3:1 4:25 5:25 6:25 n=16               4.33 us
  (2 3 4 5 6)     54  2:3 3:1 4:25 5:25 6:25 n=16           4.58 us
  (1 2 3 4 5 6)  162  1:9 2:3 3:1 4:25 5:25 6:25 n=16       4.84 us
  425 implementations
> fuse --set device=disk
E05 --set device=cpu or device=gpu, not device=disk
> # each fusion in groups of n, each function by an implementation
> device oclgrind
oclgrind    Oclgrind Simulator
> apply fuseAs("1:3 2:3 3:1 n=8", "4:5 5:25 6:1 n=4")
@1  fuseAs("1:3 2:3 3:1 n=8", "4:5 5:25 6:1 n=4")  at /  builtin    from @0
  - map (λ(..) → map2 (λx → s * x) A1) (zip (map (..) (map (λ(..) → map (..) A1) (zip (map (λ(..)...
  + join (mapWorkgroup 0 (λ(as, x, bs) → mapLocal 2 (λ(..) → map2 (λx1 → s * x1) A1) (zip as (map...
  type   [N][5][5]f32                 unchanged
  inner  44 steps        log --expand
  focus  /  ->  /                     4 moves here
> lower
@2  lower                               builtin    from @1
  - mapWorkgroup 0 (λ(..) → mapLocal 2 (λ(..) → map2 (..) A1) (zip as (mapLocal 2 (..) (zip (mapL...
  + mapWorkgroup 0 (λ(..) → mapLocal 2 (λ(..) → mapSeq (mapSeq (..)) A1) (zip as (toLocal (mapLoc...
  type   [N/4][4][5][5]f32            unchanged
  inner  24 steps        log --expand
  focus  /  ->  /                     4 moves here
> code | grep -o 'reqd_work_group_size.*'
reqd_work_group_size(1, 3, 5)))
reqd_work_group_size(5, 5, 4)))
> run | grep verify
  verify  OK   3 inputs x 1 repeat
> # the page of a derivation draws them
> export html page.html
page.html written
> lua local s = io.open("page.html"):read("a") print(s:match("%d functions in %d kernels"), select(2, s:gsub('class="function"', "")), select(2, s:gsub('class="inside"', "")), select(2, s:gsub('class="between"', "")))
6 functions in 2 kernels	6	4	1
> goto @0
@0  source
    map (λ(s, A1) → map2 (λx → s * x) A1) (zip (map (λv1 → sqrt (reduce (+) 0 (map (*) (zip v1 v1...
> apply fuseAs("1:1 2:1 3:1 4:25 5:25 6:25 n=8")
@3  fuseAs("1:1 2:1 3:1 4:25 5:25 6:25 n=8")  at /  builtin    from @0
  - map (λ(..) → map2 (λx → s * x) A1) (zip (map (..) (map (..) (zip (map (..) (zip A B)) v))) (m...
  + join (mapWorkgroup 0 (λ(as, as1, as2, x, bs) → mapLocal 2 (λ(..) → mapLocal 1 (mapLocal 0 (λx...
  type   [N][5][5]f32                 unchanged
  inner  47 steps        log --expand
  focus  /  ->  /                     4 moves here
> lower
@4  lower                               builtin    from @3
  - zip (mapLocal 2 (λv1 → sqrt (reduce (+) 0 (map (*) (..)))) (mapLocal 2 (λ(..) → map (λrow → r...
  + zip (toLocal (mapLocal 2 (λv1 → sqrt (reduceSeqUnroll (λ(acc, (y0, y1)) → fma y0 y1 acc) 0 (....
  type   [5](f32, [5][5]f32)          unchanged
  inner  24 steps        log --expand
  focus  /  ->  /                     4 moves here
> run | grep verify
  verify  OK   3 inputs x 1 repeat
> goto @0
@0  source
    map (λ(s, A1) → map2 (λx → s * x) A1) (zip (map (λv1 → sqrt (reduce (+) 0 (map (*) (zip v1 v1...
> apply fuseAs("1:2 2:3")
E23 fuseAs('1:2 2:3') failed: functionsInGroups fails at /in/0/in
  needs   an implementation 2
  found   map (\(A1, v1) -> ..) (zip .. v)
> apply fuseAs("1:3 2")
E24 1:3 2: each function of a fusion has an implementation, as 1:3, or none has
> apply fuseAs("1:3 2:3 n=0")
E24 n=0: functions have numbers, and groups n=SIZE
> apply functionsInGroups{n=4, each="9 3 1 25 25"}
E12 functionsInGroups{n=4, each="9 3 1 25 25"} applies at 3 places below /, not there
  :1      /in/0          map (\v1 -> sqrt (reduce (+) 0 (map (*) (zip v1 v1)))) (map (\(A1, v1) -...
  :2      /in/0/in       map (\(A1, v1) -> map (\row -> reduce (+) 0 (map (*) (zip row v1))) A1) ...
  :3      /in/0/in/in/0  map (\(A1, B1) -> map (\row -> map (\col -> reduce (+) 0 (map (*) (zip r...
  try     apply functionsInGroups{n=4, each="9 3 1 25 25"} at :1
> # one of a user's: rows by work-items, their elements unrolled
> lua table.insert(search.implementations, {name = "rows", text = "mapLocal(2) * slot('f', mapLocal(1) * slot('f', mapSeqUnroll))", fits = function(f) return f.rank == 2 and not f:contains("reduce") end})
> fuse --implementations --best 100 | grep rows | head -3
  #5:rows                      5                        3.56 us
  #6:rows                      5                        3.56 us
> apply fuseAs("1:3 2:3 3:1 n=8", "4:5 5:rows 6:rows n=4")
@5  fuseAs("1:3 2:3 3:1 n=8", "4:5 5:rows 6:rows n=4")  at /  builtin    from @0
  - map (λ(..) → map2 (λx → s * x) A1) (zip (map (..) (map (λ(..) → map (..) A1) (zip (map (λ(..)...
  + join (mapWorkgroup 0 (λ(as, x, bs) → mapLocal 2 (λ(..) → mapLocal 1 (mapSeqUnroll (λx1 → s * ...
  type   [N][5][5]f32                 unchanged
  inner  46 steps        log --expand
  focus  /  ->  /                     4 moves here
> lower
@6  lower                               builtin    from @5
  - .. → mapLocal 1 (λrow → map (λcol → reduce (+) 0 (map (*) (..))) ∘ transpose $ B1) A1) (..)) ...
  + mapWorkgroup 0 (λ(..) → mapLocal 2 (..) (zip as (toLocal (mapLocal 2 (..) (zip (toLocal (mapL...
  type   [N/4][4][5][5]f32            unchanged
  inner  22 steps        log --expand
  focus  /  ->  /                     4 moves here
> run | grep verify
  verify  OK   3 inputs x 1 repeat
> goto @0
@0  source
    map (λ(s, A1) → map2 (λx → s * x) A1) (zip (map (λv1 → sqrt (reduce (+) 0 (map (*) (zip v1 v1...
> lua search.implementations[1].text = nil
> fuse
E24 search.implementations[1] needs a name, which is a word, and a text, which is a strategy
> lua search.implementations[1] = nil
> # all of them, tried once each; what was tried is known
> search fusions
fusions of elements   451 points
       425   implementations of 21 fusions of 6 functions
        32   combinations, the best predicted
> set seeds 1
> set repeats 1
> search fusions using exhaustive --budget 3 | grep tried
  3 of 451 tried: 3 ok
> search fusions using exhaustive --budget 4 | grep tried
  4 of 451 tried: 4 ok, 3 known before; 1 more the same source as another
> search | grep tried
  4 of 451 tried: 4 ok, 4 known before; 1 more the same source as another
> # routines, timed one by one: none is without a time
> device cpu
pocl0 **
> data N = 256
> lua local r = t.fuse{routines = true} local n = 0 for _, x in ipairs(r.times) do n = n + (x.message and 1 or 0) end print(#r.times, n)
21	0
> fuse --routines --best 1 | tail -1
  1  (1 2 3 4 5 6)           72.7 kB  25.6 kB    18.8 us    13.62 M          -
> fuse --implementations --measure --budget 2 | grep tried
  2 of 32 tried: 2 ok
> # nothing here has functions
> load tests/programs/dot.fun
dot : [N]f32 -> [N]f32 -> f32
> data N = 64
> search fusions
E05 there are no functions here that could share a kernel
  needs   maps over instances that make small arrays of them, and maps of what they make
