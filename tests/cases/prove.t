> prove
E05 which rule, equation or versions?
  form    prove RULE | LHS => RHS [when COND] | @VERSION = @VERSION
> prove mapFusionn
E02 no rule called "mapFusionn"; did you mean mapFusion?
  try     prove mapFusion
> prove map f (map g (map h x)) => map (f . g . h) x
this is proved, by 2 rewrites
      map (\x1 -> f[x1]) . map (\x1 -> g[x1]) . map (\x1 -> h[x1]) $ x
  =>  map (\x1 -> f[x1]) . map (\x1 -> g[h[x1]]) $ x
      mapFusion  at /in
  =>  map (\x1 -> f[g[h[x1]]]) x
      mapFusion  at /
> prove joinMap
joinMap is proved, by 1 rewrite
      join . map (map (\x1 -> f[x1])) $ x
  <=  map (\x1 -> f[x1]) . join $ x
      mapJoin  at /
> prove reduceReduce
reduceReduce is proved, by 9 rewrites
      reduce (\(acc, x1) -> f[acc][x1]) z . map (reduce (\(acc, x1) -> f[acc][x1]) z) $ x
  =>  reduce (\(x1, ys) -> f[x1][ys]) z . reduce (\(acc, r) -> map (\(x1, ys) -> f[x1][ys]) (zip acc r)) (generate N (\i -> z)) . transpose $ x
      mapReduceInterchange  at /in
  =>  reduce (\(x1, ys) -> f[x1][ys]) z (map (\(c, s) -> reduce (\(x1, ys) -> f[x1][ys]) s c) (zip (transpose . transpose $ x) (generate N (\i -> z))))
      reduceByColumns  at /in
  =>  reduce (\(x1, ys) -> f[x1][ys]) z (map (\(c, s) -> reduce (\(x1, ys) -> f[x1][ys]) s c) (zip (transpose . transpose $ x) (map (\i -> z) (iota N))))
      generateMap  at /in/in/1
  =>  reduce (\(x1, ys) -> f[x1][ys]) z (map (\(c, s) -> reduce (\(x1, ys) -> f[x1][ys]) s c) (map (\(as, y) -> (as, z)) (zip (transpose . transpose $ x) (iota N))))
      zipMap  at /in/in
  =>  reduce (\(x1, ys) -> f[x1][ys]) z (map (\(c, s) -> reduce (\(x1, ys) -> f[x1][ys]) s c) (map (\(as, y) -> (as, z)) (zip x (iota N))))
      transposeTranspose  at /in/in/in/0
  =>  reduce (\(x1, ys) -> f[x1][ys]) z (map (\(as, y) -> reduce (\(x1, ys) -> f[x1][ys]) z as) (zip x (iota N)))
      mapFusion  at /in
  =>  reduce (\(x1, ys) -> f[x1][ys]) z (join (map (\(as, y) -> as) (zip x (iota N))))
      reduceNested  at /
  =>  reduce (\(x1, ys) -> f[x1][ys]) z . join . map id $ x
      zipDrop  at /in/in
  =>  reduce (\(x1, ys) -> f[x1][ys]) z . join $ x
      mapId  at /in/in
> # of the sides one is derived from the other by two rules
> prove transpose (map (map f) (transpose x)) => map (map f) x
this is proved, by 1 rewrite
      transpose . map (map (\x1 -> f[x1])) . transpose $ x
  <=  map (map (\x1 -> f[x1])) x
      mapInterchangeInner  at /
> # conditions are assumed of the unknown function; without them there is no proof
> prove reduce f z (map (reduce f z) (split n x)) => reduce f z x when associative f and restarts z f and n divides (length x)
this is proved, by 1 rewrite
      reduce (\(acc, x1) -> f[acc][x1]) z . map (reduce (\(acc, x1) -> f[acc][x1]) z) . split n $ x
  <=  reduce (\(acc, x1) -> f[acc][x1]) z x
      reduceSplit{n=n}  at /
> # what asks more of sizes than is said
> prove map f x => join (map (map f) (split 2 x))
E31 this does not hold
  found   the rule does not apply: it needs a right side that fits, found split: 2 must divide 1
  try     rule this: map f x => join (map (map f) (split 2 x))
  next    check this
> # what is refuted
> prove reduceSeq f z (map g x) => reduceSeq f z x
E31 this does not hold
  found   the result is 0 on the left, 1 on the right
  try     rule this: reduceSeq f z (map g x) => reduceSeq f z x
  next    check this
> # floats that differ are not rounded to one
> prove a * 1.0000000001 => a
E31 this does not hold
  found   the result is 1.0000000001 on the left, 1 on the right
  try     rule this: a * 1.0000000001 => a
  next    check this
> prove a * 1 => a
this is proved, by 1 rewrite
      a * 1
  =>  a
      timesOne  at /
> # what is not tried
> prove zip as.. (map g b) cs.. => map (\(as.., y, cs..) -> (as.., g y, cs..)) (zip as.. b cs..)
this is proved: both sides are the same elements, in each of 8 cases
      element [i] is (as_0[i], as_1[i], g[b[i]], cs_0[i], cs_1[i])
> prove mapReorder
mapReorder is proved: both sides are the same elements, in each of 4 cases
      element [i] is f[x[p[i]]]
> prove iterateSplit
E33 iterateSplit is not proved: how often iterate goes round was chosen, not any
  note    that says nothing against it
  try     check iterateSplit
> prove mapLocal
mapLocal is proved: both sides are the same elements, in each of 3 cases
      element [i] is f[x[i]]
> # trust
> rule mine: map f (map g x) => map (f . g) x
rule mine
  map f (map g x)  =>  map (f . g) x
  user; assumed
> prove mine
mine is proved, by 1 rewrite
      map (\x1 -> f[x1]) . map (\x1 -> g[x1]) $ x
  =>  map (\x1 -> f[g[x1]]) x
      mapFusion  at /
  it was assumed
> rule mine
rule mine
  map f (map g x)  =>  map (f . g) x
  user; proved; checked by 60 instances, seed 1
> load tests/programs/dot.fun
dot : [N]f32 -> [N]f32 -> f32
> let twice (xs : [N]f32) = map (\x -> x + 1) (map (\x -> x * 2) xs)
twice : [N]f32 -> [N]f32
> apply mine
@1  mine  at /                          proved     from @0
  - map (λx → x + 1) ∘ map (λx → x * 2) $ xs
  + map (λx → x * 2 + 1) xs
  type   [N]f32                       unchanged
  focus  /  ->  /                     18 moves here
> log
  @0  source
* @1  mine  at /  proved
> info
/ of twice@1
  kind    map    apply f to every element
  type    [N]f32
  length  N
  bytes   4*N = 1024
  space   global, the result
  slot    f      λx → x * 2 + 1                                       (f32 -> f32)
  slot    in     xs                                                   [N]f32
  nodes   8
  trust   proved
  hash    3982253a84816ae6
  origin  @1 mine
> # two versions
> goto @0
@0  source
    map (λx → x + 1) ∘ map (λx → x * 2) $ xs
> apply mapFusion
@2  mapFusion  at /                     builtin    from @0
  - map (λx → x + 1) ∘ map (λx → x * 2) $ xs
  + map (λx → x * 2 + 1) xs
  type   [N]f32                       unchanged
  same   term as @1        goto @1
  focus  /  ->  /                     18 moves here
> apply splitJoin(4)
@3  splitJoin(4)  at /                  builtin    from @2
  - map (λx → x * 2 + 1) xs
  + join ∘ map (map (λx → x * 2 + 1)) ∘ split 4 $ xs
  type   [N]f32                       unchanged
  focus  /  ->  /                     8 moves here
> prove @0 = @3
@0 = @3, by 2 rewrites
      map (\x -> x + 1) . map (\x -> x * 2) $ xs
  =>  map (\x -> x * 2 + 1) xs
      mapFusion  at /
  =>  join . map (map (\x -> x * 2 + 1)) . split 4 $ xs
      splitJoin(4)  at /
> prove @1 = @2
@1 = @2, by 0 rewrites
      map (\x -> x * 2 + 1) xs
> prove @0 = @9
E13 twice has no version @9; the newest is @3
  try     log
> prove @0
E05 two versions stand on the sides of =
  form    prove RULE | LHS => RHS [when COND] | @VERSION = @VERSION
> use dot
> apply reduceSeq
@1  reduceSeq  at /                     builtin    from @0
  - reduce (+) 0 (map (*) (zip xs ys))
  + reduceSeq (+) 0 (map (*) (zip xs ys))
  type   f32                          unchanged
  focus  /  ->  /                     5 moves here
> prove @0 = @1
@0 = @1, by 1 rewrite
      reduce (+) 0 (map (*) (zip xs ys))
  =>  reduceSeq (+) 0 (map (*) (zip xs ys))
      reduceSeq  at /
> # a rule that is not proved keeps the trust it had
> rule other: min a b => min b a
rule other
  min a b  =>  min b a
  user; assumed
> prove other
other is proved: both sides are the same elements
      min a b
  it was assumed
> rule other
rule other
  min a b  =>  min b a
  user; proved; checked by 60 instances, seed 1
