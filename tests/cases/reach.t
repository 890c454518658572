> load tests/programs/dot.fun
dot : [N]f32 -> [N]f32 -> f32
> reach 'reduceSeq _ _ (zip xs ys)'
@1    reduceSeq  at /
@2    reduceMapFusion  at /
> log
  @0  source
  @1  reduceSeq  at /
* @2  reduceMapFusion  at /
> reach 'reduceSeq _ _ (zip xs ys)'
@2 has that shape already
> reach --help
reach SKETCH [through SKETCH ...] [using RULE|KIND,...] [--budget SECONDS[,NODES]]
  derive a term of a given shape
  SKETCH is a pattern in quotes, as of find, of the whole term: _ is anything, contains p what has p
    in it, p or q either; names that the program has not stand for anything, sizes among them, the
    same each time.
  The derivation is made a version a step.
  through: shapes on the way, in their order.
  using: these rules and kinds alone; else those that bring in nothing but what the program or the
    sketch has.
  --budget: 10 s and 200000 e-nodes for each sketch.
  If the last is not reached, what the one before it was reached by is there all the same.
  example  reach 'reduceSeq _ _ (zip xs ys)'
           reach 'contains (split 4 _)' using split,simplify
> # a size that the shape names is a parameter, another one for each name
> goto @0
@0  source
    reduce (+) 0 (map (*) (zip xs ys))
> reach 'contains (split n (split m _))'
@3    splitJoin{n=s0}  at /in
@4    splitJoin{n=s1}  at /in/in
> show
reduce (+) 0 (join (join (map (map (map (*))) (split s1 (split s0 (zip xs ys))))))
> goto @0
@0  source
    reduce (+) 0 (map (*) (zip xs ys))
> reach 'contains (split 4 _)' using splitJoin
@5    splitJoin(4)  at /in
> # either of two shapes
> goto @0
@0  source
    reduce (+) 0 (map (*) (zip xs ys))
> reach 'reduce _ _ (mapSeq _ _) or reduceSeq _ _ (map _ _)'
@6    mapSeq  at /in
> find 'mapSeq _ _ or reduce _ _ _'
  :1    /                       reduce (+) 0 (mapSeq (*) (zip xs ys))
  :2    /in                     mapSeq (*) (zip xs ys)
2 places
> # through another shape; parts that are held, and missing
> goto @0
@0  source
    reduce (+) 0 (map (*) (zip xs ys))
> reach 'contains (split 4 _)' through 'contains (split 8 _)' using splitJoin,fusion
@7    splitJoin(8)  at /in
@8    splitJoin(4)  at /in/in/f/body
> explain @0 @
@0 => @7  splitJoin(8)  at /in
      map (*) (zip xs ys)
    = join (map (map (*)) (split 8 (zip xs ys)))
@7 => @8  splitJoin(4)  at /in/in/f/body
      map (*) xs1
    = join ∘ map (map (*)) ∘ split 4 $ xs1
> goto @0
@0  source
    reduce (+) 0 (map (*) (zip xs ys))
> reach 'contains (scan _ _ _)' using simplify,fusion
E28 'contains (scan _ _ _)' was not reached: no rule has more to add
  graph   12 e-nodes in 12 classes after 1 round of 26 rules
  missing (scan _ _ _)
  hint    other rules: using .. names some, or kinds of them
> reach 'map _ (split 4 _)' through 'contains (split 8 _)' using splitJoin
@9    splitJoin(8)  at /in
E28 'map _ (split 4 _)' was not reached: no rule has more to add
  graph   44 e-nodes in 38 classes after 9 rounds of 1 rule
  held    (split 4 _)
  most    splitJoin, 12 rewrites
  reached 'contains (split 8 _)', the sketch before it: @9
  hint    other rules: using .. names some, or kinds of them
  try     goto @9
> # what the sketch before it was reached by is there
> log
* @0  source
  ├─ @1  reduceSeq  at /
  │  @2  reduceMapFusion  at /
  ├─ @3  splitJoin{n=s0}  at /in
  │  @4  splitJoin{n=s1}  at /in/in
  ├─ @5  splitJoin(4)  at /in
  ├─ @6  mapSeq  at /in
  ├─ @9  splitJoin(8)  at /in  = @7
  @7  splitJoin(8)  at /in
  @8  splitJoin(4)  at /in/in/f/body
> goto @9
@9  splitJoin(8)
    reduce (+) 0 (join (map (map (*)) (split 8 (zip xs ys))))
> goto @0
@0  source
    reduce (+) 0 (map (*) (zip xs ys))
> # register blocking of the slides
> load tests/programs/mm.fun
mm : [N][K]f32 -> [K][M]f32 -> [N][M]f32
> reach 'join (map (\rows -> transpose (map (\col -> reduceSeq (\(acc, x) -> map (\p -> _) (zip acc _)) (generate _ _) (zip (transpose rows) col)) _)) (split 4 A))' through 'join (map (\rows -> transpose (map (\col -> reduce (\p -> map _ _) _ (transpose (map (\row -> _) rows))) _)) (split 4 A))' through 'join (map (\rows -> transpose (map (\col -> reduce (\p -> map _ _) _ (map _ (zip (transpose rows) col))) _)) (split 4 A))'
@1    splitJoin(4)  at /
@2    mapInterchange  at /in/f/body
@3    reduceFission  at /in/f/body/in/f/body
@4    mapReduceInterchange  at /in/f/body/in/f/body
@5    mapInterchangeZipIn  at /in/f/body/in/f/body/in/in
@6    transposeTranspose  at /in/f/body/in/f/body/in
@7    reduceSeq  at /in/f/body/in/f/body
@8    reduceMapFusion  at /in/f/body/in/f/body
> show
join ∘
  map
    (λxss →
      transpose ∘
        map
          (λcol →
            reduceSeq
              (λ(acc, (y0, y1)) → map (+) (zip acc (map (λa → a * y1) y0)))
              (generate 4 (λi → 0))
              (zip (transpose xss) col)) ∘
        transpose $ B) ∘
  split 4 $ A
> check @0 @
@8 equals @0 on 100 trials, seed 1
> # tiles; the same from a session with other terms in it
> goto @0
@0  source
    map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) A
> reach 'join (map (\rows -> transpose (join (map (\cols -> transpose (map (\row -> map _ cols) rows)) (split m _)))) (split n A))' using splitJoin,mapInterchange
@9    splitJoin{n=s0}  at /
@10   mapInterchange  at /in/f/body
@11   splitJoin{n=s1}  at /in/f/body/in
@12   mapInterchange  at /in/f/body/in/in/f/body
> goto @0
@0  source
    map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) A
> reach 'join (map (\rows -> transpose (join (map (\cols -> transpose (map (\row -> map _ cols) rows)) (split m _)))) (split n A))' using splitJoin,mapInterchange
@13   splitJoin{n=s0}  at /
@14   mapInterchange  at /in/f/body
@15   splitJoin{n=s1}  at /in/f/body/in
@16   mapInterchange  at /in/f/body/in/in/f/body
> log
  @0  source
  ├─ @1  splitJoin(4)  at /
  │  @2  mapInterchange  at /in/f/body
  │  @3  reduceFission  at /in/f/body/in/f/body
  │  @4  mapReduceInterchange  at /in/f/body/in/f/body
  │  @5  mapInterchangeZipIn  at /in/f/body/in/f/body/in/in
  │  @6  transposeTranspose  at /in/f/body/in/f/body/in
  │  @7  reduceSeq  at /in/f/body/in/f/body
  │  @8  reduceMapFusion  at /in/f/body/in/f/body
  ├─ @9  splitJoin{n=s0}  at /
  │  @10  mapInterchange  at /in/f/body
  │  @11  splitJoin{n=s1}  at /in/f/body/in
  │  @12  mapInterchange  at /in/f/body/in/in/f/body
  @13  splitJoin{n=s0}  at /  = @9
  @14  mapInterchange  at /in/f/body  = @10
  @15  splitJoin{n=s1}  at /in/f/body/in  = @11
* @16  mapInterchange  at /in/f/body/in/in/f/body  = @12
> # register blocking within tiles
> goto @0
@0  source
    map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) A
> reach 'contains (reduceSeq (\(acc, x) -> map _ (zip acc _)) _ (zip _ _))' through 'join (map (\rows -> transpose (join (map (\cols -> transpose (map (\row -> map _ cols) rows)) (split 32 _)))) (split 64 A))' through 'join (map (\rows -> transpose (join (map (\cols -> transpose (join (map (\r -> transpose (map (\c -> map _ r) cols)) (split 4 rows)))) (split 32 _)))) (split 64 A))' through 'contains (reduce _ _ (transpose (map _ _)))'
@17   splitJoin(64)  at /
@18   mapInterchange  at /in/f/body
@19   splitJoin(32)  at /in/f/body/in
@20   mapInterchange  at /in/f/body/in/in/f/body
@21   splitJoin(4)  at /in/f/body/in/in/f/body/in
@22   mapInterchange  at /in/f/body/in/in/f/body/in/in/f/body
@23   reduceFission  at /in/f/body/in/in/f/body/in/in/f/body/in/f/body
@24   mapReduceInterchange  at /in/f/body/in/in/f/body/in/in/f/body/in/f/body
@25   reduceSeq  at /in/f/body/in/in/f/body/in/in/f/body/in/f/body
@26   mapInterchangeZipIn  at /in/f/body/in/in/f/body/in/in/f/body/in/f/body/in/in
@27   transposeTranspose  at /in/f/body/in/in/f/body/in/in/f/body/in/f/body/in
@28   reduceMapFusion  at /in/f/body/in/in/f/body/in/in/f/body/in/f/body
> show
join ∘
  map
    (λxss →
      transpose ∘
        join ∘
        map
          (λcols →
            transpose ∘
              join ∘
              map
                (λxss1 →
                  transpose ∘
                    map
                      (λcol →
                        reduceSeq
                          (λ(acc, (y0, y1)) → map (+) (zip acc (map (λa → a * y1) y0)))
                          (generate 4 (λi → 0))
                          (zip (transpose xss1) col)) $ cols) ∘
              split 4 $ xss) ∘
        split 32 ∘
        transpose $ B) ∘
  split 64 $ A
> # a chain of derivations of asum (ICFP'15, equation 7)
> load tests/programs/asum.fun
asum : [N]f32 -> f32
> reach 'reduceSeq (\(acc, y) -> acc + abs y) 0 xs'
@1    reduceSeq  at /
@2    reduceMapFusion  at /
> goto @0
@0  source
    reduce (+) 0 ∘ map abs $ xs
> # its parallel version (figure 10), and what its search found for Nvidia (figure 11a)
> reach 'reduce (+) 0 (join (map (\c -> map (reduceSeq (\(acc, a) -> acc + abs a) 0) (split n c)) (split n xs)))'
@3    splitJoin{n=s0}  at /in
@4    reduceReduce.rev  at /
@5    reduceSplit{n=s0}  at /in/f/body
@6    reduceFission  at /in
@7    reduceReduce  at /
@8    mapFusion  at /in/in
@9    splitMap  at /in/in/f/body/in
@10   mapFusion  at /in/in/f/body
@11   reduceSeq  at /in/in/f/body/f/body
@12   reduceMapFusion  at /in/in/f/body/f/body
> goto @0
@0  source
    reduce (+) 0 ∘ map abs $ xs
> reach 'reduceSeq (+) 0 (join (mapWorkgroup 0 (\g -> toGlobal (mapLocal 0 (reduceSeq (\(acc, a) -> acc + abs a) 0) (split 2048 (reorder (stride 128) g)))) (split 262144 xs)))' through 'reduce (+) 0 (join (map (\g -> map (reduce (+) 0) (split 2048 (reorder (stride 128) g))) (split 262144 (map abs xs))))' through 'reduce (+) 0 (join (map (\g -> map (\c -> reduce (+) 0 (map abs c)) (split 2048 (reorder (stride 128) g))) (split 262144 xs)))'
@13   splitJoin(262144)  at /in
@14   reduceReduce.rev  at /
@15   reduceReorder(stride(128))  at /in/f/body
@16   reduceSplit(2048)  at /in/f/body
@17   reduceFission  at /in
@18   reduceReduce  at /
@19   mapFusion  at /in/in
@20   mapReorder.rev  at /in/in/f/body/in/in
@21   splitMap  at /in/in/f/body/in
@22   mapFusion  at /in/in/f/body
@23   reduceSeq  at /
@24   mapWorkgroup(0)  at /in/in
@25   toGlobal  at /in/in/f/body
@26   mapLocal(0)  at /in/in/f/body/in
@27   reduceSeq  at /in/in/f/body/in/f/body
@28   reduceMapFusion  at /in/in/f/body/in/f/body
> show
reduceSeq (+) 0 ∘
  join ∘
  mapWorkgroup 0
    (toGlobal ∘
    mapLocal 0 (reduceSeq (λ(acc, y) → acc + abs y) 0) ∘
    split 2048 ∘
    reorder (stride 128)) ∘
  split 262144 $ xs
> # the permutation is the one of the shape
> goto @0
@0  source
    reduce (+) 0 ∘ map abs $ xs
> reach 'reduce (+) 0 (reorder (rotate 3) (map abs xs))'
@29   reduceReorder(rotate(3))  at /
> goto @0
@0  source
    reduce (+) 0 ∘ map abs $ xs
> # what is not taken
> reach
E05 which shape is wanted?
  form    reach SKETCH [through SKETCH ...] [using RULE|KIND,...] [--budget SECONDS[,NODES]]
> reach map _ _ using fusion
E05 a sketch stands in quotes, '..'; `through` or `using` is expected behind it
  form    reach SKETCH [through SKETCH ...] [using RULE|KIND,...] [--budget SECONDS[,NODES]]
> reach 'map _ _' using nothing
E02 no rule and no kind of rules "nothing"
  try     list rules
> reach 'map _ _' using toImage
E22 toImage asks more of its place than a graph of terms knows
> reach 'map _ _' --budget soon
E05 "soon" is no budget: seconds, and e-nodes behind a comma
  try     reach --budget 10s,200000 SKETCH
> reach 'foo (x'
E03 expected an operator, `,` or `)`, found the end of the input
  sketch:1:7
  | foo (x
  |       ^
  opened  `(` at sketch:1:5
> reach 'contains (mop _ _)'
E02 no primitive "mop"; did you mean map?
  sketch:1:11
  | contains (mop _ _)
  |           ^~~
  try     reach 'contains (map _ _)'
> # an assumed rule is used where it is named
> goto @0
@0  source
    reduce (+) 0 ∘ map abs $ xs
> rule sumTwice: reduceSeq f z x => reduceSeq f z (join (split 1 x))
rule sumTwice
  reduceSeq f z x  =>  reduceSeq f z (join (split 1 x))
  user; assumed
> reach 'reduceSeq _ _ (join _)' using reduceSeq,sumTwice
@30   reduceSeq  at /
@31   sumTwice  at /
W08 rule sumTwice is "assumed": versions built with it are marked ?      (check sumTwice; silence: set silence W08)
> reach 'map (\r -> contains (map _ r)) _'
E05 "r" is bound around `contains`, which looks for what stands anywhere
  hint    _ in its place, or the whole way down to it
> # the smallest term
> let long (x : [N][M]f32) = map (map (\v -> v * 1)) (transpose (map (\r -> map (\v -> v + 1) r) (transpose (transpose (transpose x)))))
long : [N][M]f32 -> [N][M]f32
> simplify
@1    timesOne  at /f/body/f/body
@2    mapId  at /f/body
@3    transposeMaps  at /in
@4    transposeTranspose  at /in/in/in/in
@5    transposeTranspose  at /in/in
@6    mapFusion  at /
@7    flattenMaps  at /
8 nodes, 21 before
> show
split M ∘ map (λv → v + 1) ∘ join $ x
> simplify
@7 is the smallest: there is no smaller one among 8 e-nodes
> simplify using nothing
E02 no rule and no kind of rules "nothing"
  try     list rules
> simplify now
E05 `using` is expected
  form    simplify [using RULE|KIND,...] [--budget SECONDS[,NODES]]
> simplify --budget 5,3000 using simplify
@7 is the smallest: there is no smaller one among 8 e-nodes
> goto @0
@0  source
    map (map (λv → v * 1)) ∘ transpose ∘ map (map (λv → v + 1)) ∘ transpose ∘ transpose ∘ transpo...
> simplify --budget 5s,3000 using simplify
@8    timesOne  at /f/body/f/body
@9    mapId  at /f/body
@10   transposeTranspose  at /in/in/in/in
@11   mapId  at /
11 nodes, 21 before
> # vectors of a width; what stands within binders that the shape does not name
> use mm@0
> reach 'contains (map _ (asVector 4 (zip _ _)))'
@29   mapVectorise(4)  at /f/body/f/body/in
> goto @0
@0  source
    map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) A
> reach 'join (map (\rows -> transpose (map (\col -> map _ rows) _)) (split 4 A))'
@30   splitJoin(4)  at /
@31   mapInterchange  at /in/f/body
> reach 'contains (map (\row -> reduceSeq (\(acc, c) -> reduceSeq _ acc c) _ (split 4 (zip row _))) rows)'
@32   reduceSeq  at /in/f/body/in/f/body/f/body
@33   reduceMapFusion  at /in/f/body/in/f/body/f/body
@34   splitReduce(4)  at /in/f/body/in/f/body/f/body
> find 'contains (map _ rows)'
  :1    /                       join ∘ map (λrows → transpose ∘ map (λcol → map (λrow → reduceSeq...
  :2    /in                     map (λrows → transpose ∘ map (λcol → map (λrow → reduceSeq (λ(acc...
  :3    /in/f/body              transpose ∘ map (λcol → map (λrow → reduceSeq (λ(acc, c) → reduce...
  :4    /in/f/body/in           map (λcol → map (λrow → reduceSeq (λ(acc, c) → reduceSeq (λ(acc1,...
  :5    /in/f/body/in/f/body    map (λrow → reduceSeq (λ(acc, c) → reduceSeq (λ(acc1, (y0, y1)) →...
5 places        "rows" is no name there: it matches anything
> # which shape it has, and what is there of one that it has not
> use dot@0
> why 'reduceSeq _ _ (zip xs ys)'
/ has not the shape 'reduceSeq _ _ (zip xs ys)'
  needs   reduceSeq _ _ (zip xs ys) at /
  found   reduce (+) 0 (map (*) (zip xs ys))
  held    (zip xs ys) at /in/in
  try     reach 'reduceSeq _ _ (zip xs ys)'
> why 'reduce _ _ (map _ (zip xs ys))'
/ has the shape 'reduce _ _ (map _ (zip xs ys))'
> why 'map _ (split 4 _)' at /in
/in has not the shape 'map _ (split 4 _)'
  needs   (split 4 _) at /in/in
  found   zip xs ys
  missing (split 4 _)
> why 'contains (reduceSeq (\(acc, x) -> _) _ (split n _))'
/ has not the shape 'contains (reduceSeq (\(acc, x) -> _) _ (split n _))'
  needs   contains (reduceSeq (\(acc, x) -> _) _ (split n _)) at /
  found   reduce (+) 0 (map (*) (zip xs ys))
  missing (split n _)
  missing (reduceSeq (\(acc, x) -> _) _ (split n _))
  try     reach 'contains (reduceSeq (\(acc, x) -> _) _ (split n _))'
> why 'mop _'
E02 no primitive "mop"; did you mean map?
  pattern:1:1
  | mop _
  | ^~~
  try     why 'map _'
> why 'map _ _' at /nosuch
E11 there is no slot "nosuch" at /
  slots   f, init, in
> # work-items and memory: what a rule asks to be around its place is asked when it is derived
> use asum@0
> reach 'contains (mapWorkgroup 0 (\c -> mapLocal 0 _ c) (split 64 xs))'
@32   splitJoin(64)  at /in
@33   mapWorkgroup(0)  at /in/in
@34   mapLocal(0)  at /in/in/f/body
> goto @0
@0  source
    reduce (+) 0 ∘ map abs $ xs
> reach 'contains (mapWorkgroup 0 (\c -> toLocal _) _)'
@35   mapWorkgroup(0)  at /in
@36   toLocal  at /in/f/body
> goto @0
@0  source
    reduce (+) 0 ∘ map abs $ xs
> reach 'contains (mapGlobal 1 _ _)'
@37   mapGlobal(1)  at /in
> # a name that goes
> let named (xs: [N]f32) = let s = map exp xs in map (\(x, y) -> x * y) (zip s s)
named : [N]f32 -> [N]f32
> reach 'map _ xs'
@1    letDuplicate  at /
@2    zipTwice  at /
@3    mapFusion  at /
> # a step too early: the version before it is named, and the goal is reached from there
> let total (xs: [N]f32) = reduce (+) 0 xs
total : [N]f32 -> f32
> apply reduceSeq
@1  reduceSeq  at /                     builtin    from @0
  - reduce (+) 0 xs
  + reduceSeq (+) 0 xs
  type   f32                          unchanged
  focus  /  ->  /                     5 moves here
> apply splitReduce(256)
@2  splitReduce(256)  at /              builtin    from @1
  - reduceSeq (+) 0 xs
  + reduceSeq (λ(acc, c) → reduceSeq (+) acc c) 0 ∘ split 256 $ xs
  type   f32                          unchanged
  focus  /  ->  /                     6 moves here
> reach 'contains (map (reduce _ _) (split 256 xs))'
E28 'contains (map (reduce _ _) (split 256 xs))' was not reached: no rule has more to add
  graph   27 e-nodes in 22 classes after 8 rounds of 200 rules
  held    (split 256 xs)
  missing (reduce _ _)
  missing (map (reduce _ _) (split 256 xs))
  most    splitReduce, 9 rewrites
  try     goto @0 ; reach 'contains (map (reduce _ _) (split 256 xs))'
> goto @0 ; reach 'contains (map (reduce _ _) (split 256 xs))'
@0  source
    reduce (+) 0 xs
@3    reduceSplit(256)  at /
