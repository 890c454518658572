> moves
E10 no program is loaded
  try     load tests/programs/dot.fun        or a file .fun of your own
> load tests/programs/dot.fun
dot : [N]f32 -> [N]f32 -> f32
> moves | head -5
  1  reducePartIntro        reduce (+) 0 (reducePart s0 (+) 0 (map (*) (zip xs ys)))
  2  reduceReorder(reverse)  reduce (+) 0 (reorder reverse (map (*) (zip xs ys)))
  3  reduceSplit            reduce (+) 0 (map (reduce (+) 0) (split s0 (map (*) (zip xs ys))))
  4  reduceColumns          reduce (+) 0 (reduceSeq (λ(acc, c) → map (+) (zip acc c)) (generate s...
  5  reduceWhole            at 0 (map (reduce (+) 0) (split N (map (*) (zip xs ys))))
> apply 99
E14 there is no move 99: the list of before has 17
> apply 0
E14 there is no move 0: the list of before has 17
> moves /in | head -3
  1  splitJoin              join (map (map (*)) (split s0 (zip xs ys)))
  2  mapPeel                concat (map (*) (take s0 (zip xs ys))) (map (*) (drop s0 (zip xs ys)))
  3  mapPeelLast            concat (map (*) (take (N - s0) (..))) (map (*) (drop (N - s0) (..)))
> apply 1
@1  splitJoin{n=s0}  at /in             builtin    from @0
  - map (*) (zip xs ys)
  + join (map (map (*)) (split s0 (zip xs ys)))
  type   [N]f32                       unchanged
  param  s0 : int    1 <= s0 <= N, s0 divides N        9 legal values for N = 256
  focus  /  ->  /                     7 moves here
> apply 1
E14 move 1 belongs to the list for dot@0; version or focus changed since
  try     moves
> moves --kind lower
  1  reduceSeq              reduceSeq (+) 0 (join (map (map (*)) (split s0 (zip xs ys))))
> moves --deep --kind fusion
no fusion rule applies at or below /
> moves /nowhere
E11 there is no slot "nowhere" at /
  slots   f, init, in
> try 1
E14 the last list of moves is empty
> where splitJoin
  :1    /in/in                  map (map (*)) (split s0 (zip xs ys))
  :2    /in/in/f/body           map (*) xs1
2 places, 0 near misses
> where splitJoin in /in
  :1    /in/in                  map (map (*)) (split s0 (zip xs ys))
  :2    /in/in/f/body           map (*) xs1
2 places, 0 near misses
> where mapFusion
0 places, 2 near misses
> where mapGlobal(0)
  :1    /in/in                  map (map (*)) (split s0 (zip xs ys))
  :2    /in/in/f/body           map (*) xs1
2 places, 0 near misses
> where nosuch
E02 no rule called "nosuch"
  try     list rules
> where splitjoin
E02 no rule called "splitjoin"; did you mean splitJoin?
  try     where splitJoin
> where
E05 which rule?
  form    where RULE|MACRO [in PLACE]
> where splitJoin at /in
  :1    /in/in                  map (map (*)) (split s0 (zip xs ys))
  :2    /in/in/f/body           map (*) xs1
2 places, 0 near misses
> load tests/programs/mm.fun
mm : [N][K]f32 -> [K][M]f32 -> [N][M]f32
> apply reduceSeq
@1  reduceSeq  at /f/body/f/body        builtin    from @0
  - reduce (+) 0 (map (*) (zip row col))
  + reduceSeq (+) 0 (map (*) (zip row col))
  type   f32                          unchanged
  focus  /  ->  /                     16 moves here
> undo
@0  source
    map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) A
> apply mapInterchange as swapped
@2  mapInterchange  at /                builtin    from @0
  - map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) A
  + transpose ∘ map (λcol → map (λrow → reduce (+) 0 (map (*) (zip row col))) A) ∘ transpose $ B
  type   [N][M]f32                    unchanged
  focus  /  ->  /                     5 moves here
> undo
@0  source
    map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) A
> where blockMapIntoReduce
0 places
> where fuseReduce in /f
  :1    /f/body                 map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B
  :2    /f/body/f/body          reduce (+) 0 (map (*) (zip row col))
2 places
> where mapGlobal(7)
0 places, 3 near misses
> where lower
E05 where takes one rule or macro, not "lower"
  try     why lower
> where reduce
E02 reduce is a primitive, not a rule
  try     help /reduce
> cd /f/body
> apply mapSeq
@3  mapSeq  at /f/body                  builtin    from @0
  - map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B
  + mapSeq (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B
  type   [M]f32                       unchanged
  focus  /f/body  ->  /f/body         4 moves here
> apply mapSeq
@4  mapSeq  at /f/body/f/body/in        builtin    from @3
  - map (*) (zip row col)
  + mapSeq (*) (zip row col)
  type   [K]f32                       unchanged
  focus  /f/body  ->  /f/body         4 moves here
> apply mapGlobal 0
E21 mapGlobal does not apply at /f/body
  rule    map f x  =>  mapGlobal d f x  when ...        help mapGlobal
  needs   map f x
  found   mapSeq (\col -> reduce (+) 0 (mapSeq (*) ..)) . transpose $ B
  near    /: map (\row -> mapSeq (\col -> ..) . transpose $ B) A
  try     apply mapGlobal(0) at /
> apply splitJoin(
> )
E21 splitJoin does not apply at /f/body
  rule    map f x  =>  join (map (map f) (split n x))  when n divides (length x)
  needs   map f x
  found   mapSeq (\col -> reduce (+) 0 (mapSeq (*) ..)) . transpose $ B
  near    /: map (\row -> mapSeq (\col -> ..) . transpose $ B) A
  try     apply splitJoin at /
> apply splitJoin at /f/body
E21 splitJoin does not apply at /f/body
  rule    map f x  =>  join (map (map f) (split n x))  when n divides (length x)
  needs   map f x
  found   mapSeq (\col -> reduce (+) 0 (mapSeq (*) ..)) . transpose $ B
  near    /: map (\row -> mapSeq (\col -> ..) . transpose $ B) A
  try     apply splitJoin at /
> cd /f
> apply reduceSeq
@5  reduceSeq  at /f/body/f/body        builtin    from @4
  - reduce (+) 0 (mapSeq (*) (zip row col))
  + reduceSeq (+) 0 (mapSeq (*) (zip row col))
  type   f32                          unchanged
  focus  /f  ->  /f                   0 moves here
> let three (xs: [N]f32) = map (\x -> x + 1) (join (map (map (\x -> x * 2)) (split 4 xs)))
three : [N]f32 -> [N]f32
> cd /in
> apply mapSeq
E12 mapSeq applies at 2 places below /in, not there
  :1      /in/in         map (map (\x -> x * 2)) . split 4 $ xs
  :2      /in/in/f/body  map (\x -> x * 2) xs1
  try     apply mapSeq at :1
> apply mapSeq at :1
@1  mapSeq  at /in/in                   builtin    from @0
  - map (map (λx → x * 2)) ∘ split 4 $ xs
  + mapSeq (map (λx → x * 2)) ∘ split 4 $ xs
  type   [N/4][4]f32                  unchanged
  focus  /in  ->  /in                 4 moves here
> apply mapSeq at :1
E14 label :1 belongs to the display of @0; at @1 that node is /in/in (label :7)
  try     show --as tree        prints fresh labels
> apply mapFusion
E21 mapFusion does not apply at /in
  rule    map f (map g x)  =>  map (f . g) x
  needs   map f (map g x)
  found   join . mapSeq (map (\x -> x * 2)) . split 4 $ xs
  near    /: map (\x -> ..) . join . mapSeq (map (\x -> ..)) . split 4 .., but it needs map g x at /in
  try     moves /in
> try reduceSeq
E21 reduceSeq does not apply at /in
  rule    reduce f z x  =>  reduceSeq f z x  when not contains mapGlobal f and not contains mapWorkgroup f
  needs   reduce f z x
  found   join . mapSeq (map (\x -> x * 2)) . split 4 $ xs
  try     moves /in
> use mm@0
> set width 80
> moves --deep | head -4
  reduceFission           1 /f/body
  splitJoin               2 /f/body   3 /f/body/f/body/in
  mapPeel                 4 /f/body   5 /f/body/f/body/in
  mapPeelLast             6 /f/body   7 /f/body/f/body/in
> moves --deep --kind lower --full
  1  mapGlobal(0)           /f/body           mapGlobal 0 (..) ∘ transpose $ B
  2  mapWorkgroup(0)        /f/body           mapWorkgroup 0 ..
  3  mapSeq                 /f/body           mapSeq (..) ∘ transpose $ B
  4  reduceSeq              /f/body/f/body    reduceSeq (+) 0 (map (*) (..))
  5  mapGlobal(0)           /f/body/f/body/in  mapGlobal 0 (*) (zip row col)
  6  mapWorkgroup(0)        /f/body/f/body/in  mapWorkgroup 0 (*) (zip row col)
  7  mapSeq                 /f/body/f/body/in  mapSeq (*) (zip row col)
> apply 79
E14 there is no move 79: the list of before has 7
> moves /f
no rule applies at /f
  :1     * moves at /f/body
  :2     * moves at /f/body/f/body
  :3      2 moves at /f/body/f/body/f/body
  :4      2 moves at /f/body/f/body/f/body/0
  :5      2 moves at /f/body/f/body/f/body/1
  moves :1 lists them
> moves /f --kind fusion
no fusion rule applies at /f
> set width auto
> data N = 100, M = 30
> apply splitJoin(7) at /
E36 7 divides N does not hold for N=100  M=30
  from    splitJoin(7)
  try     apply splitJoin at /        leaves it open, and says what is legal
> apply splitJoin(7) at /f/body
E36 7 divides M does not hold for N=100  M=30
  from    splitJoin(7)
  try     apply splitJoin at /f/body        leaves it open, and says what is legal
> apply splitJoin(7)
E36 7 divides M does not hold for N=100  M=30
  from    splitJoin(7)
  try     apply splitJoin at /f/body        leaves it open, and says what is legal
> apply splitJoin(6)
@6  splitJoin(6)  at /f/body            builtin    from @0
  - map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B
  + join ∘ map (map (λcol → reduce (+) 0 (map (*) (zip row col)))) ∘ split 6 ∘ transpose $ B
  type   [M]f32                       unchanged
  focus  /f/body  ->  /f/body         5 moves here
> apply splitJoin(10) at /
@7  splitJoin(10)  at /                 builtin    from @6
  - map (λrow → join ∘ map (map (λcol → reduce (+) 0 (map (*) (..)))) ∘ split 6 ∘ transpose $ B) A
  + join ∘ map (map (λrow → join ∘ map (map (..)) ∘ split 6 ∘ transpose $ B)) ∘ split 10 $ A
  type   [N][M]f32                    unchanged
  focus  /f/body  ->  /in/f/body/f/body  5 moves here
> data N = ?, M = ?
> goto @0
@0  source        focus /f/body
    map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) A
> cd /
> apply splitJoin, mapSeq
E24 one strategy is expected, not several
  hint    a * b does one behind the other
> apply mapSeq in /f/body/in
E21 mapSeq does not apply at /f/body/in
  rule    map f x  =>  mapSeq f x  when not contains mapGlobal f and not contains mapWorkgroup f
  needs   map f x
  found   transpose B
  near    /f/body: map (\col -> reduce (+) 0 (map (*) ..)) . transpose $ B
  try     apply mapSeq at /f/body
> apply splitJoin 4 on /f/body
@8  splitJoin(4)  at /f/body            builtin    from @0
  - map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B
  + join ∘ map (map (λcol → reduce (+) 0 (map (*) (zip row col)))) ∘ split 4 ∘ transpose $ B
  type   [M]f32                       unchanged
  focus  /  ->  /                     15 moves here
> mapFusion
E01 no command "mapFusion"
  hint    apply mapFusion applies it, where it may be
  try     where mapFusion
> fuseReduce
E01 no command "fuseReduce"
  hint    apply fuseReduce applies it, where it may be
  try     where fuseReduce
> splitJoin(4)
E01 no command "splitJoin"
  hint    apply splitJoin applies it, where it may be
  try     where splitJoin
> topdown(mapFusion)
E01 no command "topdown"
  try     help
> mm
E01 no command "mm"
  try     use mm
> map (\x -> x) A
E01 no command "map"
  hint    eval EXPR works out an expression, let NAME = EXPR makes it a program
  try     help
> tree
E01 no command "tree"
  try     show --as tree
> challenges
E01 no command "challenges"
  try     lesson challenges
> what next
E01 no command "what"
  try     next
> optimise
E01 no command "optimise"
  try     next
> cost
E01 no command "cost"
  try     moves --cost
> compare
E01 no command "compare"
  try     diff @0
> sessions
E01 no command "sessions"
  try     open --old
> pwd
/
> print /f/body/f/body
E11 there is no slot "f" at /f/body
  slots   in
> @1
E01 no command "@1"
  try     goto @1
> history | head -1
  @0  source
> # what a line has no room for is what both terms have
> load tests/programs/mm.fun as narrow
narrow : [N][K]f32 -> [K][M]f32 -> [N][M]f32
> set width 64
> moves --kind split
  1  splitJoin              join ∘ map (map (..)) ∘ split s0 $ A
  2  mapPeel                concat (map (..) ∘ take s0 $ A) (...
  3  mapPeelLast            concat (map (..) ∘ take (N - s0) ...
  4  tiles                  join ∘ map (map join ∘ transpose)...
> apply mapPeelLast
@1  mapPeelLast{n=s0}  at /             builtin    from @0
  - map (λrow → map (..) ∘ transpose $ B) A
  + concat (map (..) ∘ take (N - s0) $ A) (map (..) ∘ drop (N...
  type   [N][M]f32                    unchanged
  param  s0 : int    1 <= s0, s0 < N        255 legal values for N = 256
  focus  /  ->  /                     11 moves here
> goto @0
@0  source
    map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row co...
> apply mapSeq at /f/body/f/body/in
@2  mapSeq  at /f/body/f/body/in        builtin    from @0
  - map (*) (zip row col)
  + mapSeq (*) (zip row col)
  type   [K]f32                       unchanged
  focus  /  ->  /                     24 moves here
> set width auto
> # what apply would refuse for the sizes that are set is no move
> let odd (x: [N]f32) = map (\v -> v + 1) x
odd : [N]f32 -> [N]f32
> data N = 7
> moves | grep -c 'Vector'
0
> moves /in | grep -c 'Image'
0
> apply mapVectorise(4)
E36 4 divides N does not hold for N=7
  from    mapVectorise(4)
  try     data        shows and sets the sizes
> data N = 8
> moves | grep -c 'Vector'
2
> moves /in | grep -c 'Image'
2
