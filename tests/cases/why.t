> load tests/programs/mm.fun
mm : [N][K]f32 -> [K][M]f32 -> [N][M]f32
> why mapFusion
mapFusion does not apply at /
  rule    map f (map g x)  =>  map (f . g) x
  needs   map g x at /in
  found   A
  try     moves /
> why splitJoin
splitJoin applies at /
  rule    map f x  =>  join (map (map f) (split n x))  when n divides (length x)
  where   n = s0
          x = A
          f = \row -> map (\col -> reduce (+) 0 (map (*) ..)) . transpose $ B
  when    n divides (length x): yes, s0 divides N is a fact from now on
  gives   join . map (map (\row -> map (\col -> reduce (+) 0 (map (*) (zip row col))) . transpose...
  try     apply splitJoin at /
> why splitJoin(4)
splitJoin applies at /
  rule    map f x  =>  join (map (map f) (split n x))  when n divides (length x)
  where   n = 4
          x = A
          f = \row -> map (\col -> reduce (+) 0 (map (*) ..)) . transpose $ B
  when    n divides (length x): yes, 4 divides N is a fact from now on
  gives   join . map (map (\row -> map (\col -> reduce (+) 0 (map (*) (zip row col))) . transpose...
  try     apply splitJoin(4) at /
> data N = 4096
> why splitJoin(4)
splitJoin applies at /
  rule    map f x  =>  join (map (map f) (split n x))  when n divides (length x)
  where   n = 4
          x = A
          f = \row -> map (\col -> reduce (+) 0 (map (*) ..)) . transpose $ B
  when    n divides (length x): yes, 4 divides N is a fact from now on; at present 4096 mod 4 = 0
  gives   join . map (map (\row -> map (\col -> reduce (+) 0 (map (*) (zip row col))) . transpose...
  try     apply splitJoin(4) at /
> why splitJoin(48)
splitJoin applies at / with other sizes
  rule    map f x  =>  join (map (map f) (split n x))  when n divides (length x)
  where   n = 48
          x = A
          f = \row -> map (\col -> reduce (+) 0 (map (*) ..)) . transpose $ B
  when    n divides (length x): yes, 48 divides N is a fact from now on; at present it does not hold: 4096 mod 48 = 16
  gives   join . map (map (\row -> map (\col -> reduce (+) 0 (map (*) (zip row col))) . transpose...
  try     apply splitJoin at /        leaves it open, and says what is legal
> apply splitJoin
@1  splitJoin{n=s0}  at /               builtin    from @0
  - map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) A
  + join ∘ map (map (λrow → map (λcol → reduce (+) 0 (..)) ∘ transpose $ B)) ∘ split s0 $ A
  type   [N][M]f32                    unchanged
  param  s0 : int    1 <= s0 <= N, s0 divides N        13 legal values for N = 4096
  focus  /  ->  /                     5 moves here
> why splitJoin at /in/f/body
splitJoin applies at /in/f/body
  rule    map f x  =>  join (map (map f) (split n x))  when n divides (length x)
  where   n = s1
          x = rows
          f = \row -> map (\col -> reduce (+) 0 (map (*) ..)) . transpose $ B
  when    n divides (length x): yes, s1 divides s0 is a fact from now on
  gives   join . map (map (\row -> map (\col -> reduce (+) 0 (map (*) (zip row col))) . transpose...
  try     apply splitJoin at /in/f/body
> param s0 = 32
@2  param s0 = 32        from @1
> why mapGlobal at /in
mapGlobal applies at /in
  rule    map f x  =>  mapGlobal d f x  when not under mapGlobal d and not under mapWorkgroup and not under mapSeq and not under mapSeqUnroll and not under reduceSeq and not under reduceSeqUnroll and not under scanSeq and not contains mapGlobal d f and not contains mapWorkgroup f and not contains mapLocal f
  where   d = 0
          x = split s0 A
          f = map (\row -> map (\col -> reduce (+) 0 ..) . transpose $ B)
  when    all 10 conditions on what is around it and in it hold
  gives   mapGlobal 0 (map (\row -> map (\col -> reduce (+) 0 (map (*) (zip row col))) . transpos...
  try     apply mapGlobal(0) at /in
> why mapGlobal(1) at /in/f
E11 rules apply to values; /in/f is a function
  hint    what it computes is at /in/f/body
> why mapInterchange at /in/f/body
mapInterchange applies at /in/f/body
  rule    map (\a -> map (\b -> e a b) ys) xs  =>  transpose (map (\b -> map (\a -> e a b) xs) ys)
  where   xs = rows
          ys = transpose B
          e = \(xs, xs1) -> reduce (+) 0 (map (*) (zip xs xs1))
  gives   transpose . map (\col -> map (\row -> reduce (+) 0 (map (*) (zip row col))) rows) . tra...
  try     apply mapInterchange at /in/f/body
> why fuse
fuse applies at /: 0 steps
  changes nothing
> why fuseReduce
fuseReduce applies at /: 2 steps
      1   reduceSeq at /in/f/body/f/body/f/body
      2   reduceMapFusion at /in/f/body/f/body/f/body
  gives   join . map (map (\row -> map (\col -> reduceSeq (\(acc, (y0, y1)) -> acc + y0 * y1) 0 (...
  try     apply fuseReduce at /
> why fuseReduce at /in/in
fuseReduce failed: reduceMapFusion does not apply at /in/in
  place   /in/in
  rule    reduceSeq f z (map g x)  =>  reduceSeq (\(acc, y) -> f (acc, g y)) z x
  needs   reduceSeq f z (map g x)
  found   split s0 A
  try     moves /in/in
> why splitJoin(4) * mapFusion
splitJoin(4) * mapFusion failed: splitJoin does not apply at /
  place   /
  rule    map f x  =>  join (map (map f) (split n x))  when n divides (length x)
  needs   map f x
  found   join . map (map (\row -> ..)) . split s0 $ A
  near    /in: map (map (\row -> ..)) . split s0 $ A
  try     apply splitJoin(4) at /in
  try     apply joinMap at / ; apply splitJoin(4) at /
> why reducePartIntro(4) at /in/f/body/f/body/f/body
reducePartIntro applies at /in/f/body/f/body/f/body
  rule    reduce f z x  =>  reduce f z (reducePart m f z x)  when associative f and restarts z f and m divides (length x)
  where   m = 4
          z = 0.0
          x = map (*) (zip row col)
          f = (+)
  when    associative f: yes, known of +
  when    restarts z f: yes, known of +
  when    m divides (length x): yes, 4 divides K is a fact from now on
  gives   reduce (+) 0 (reducePart 4 (+) 0 (map (*) (zip row col)))
  try     apply reducePartIntro(4) at /in/f/body/f/body/f/body
> why reduceReorder at /in/f/body/f/body/f/body
reduceReorder applies at /in/f/body/f/body/f/body
  rule    reduce f z x  =>  reduce f z (reorder p x)  when associative f and commutative f
  where   z = 0.0
          x = map (*) (zip row col)
          f = (+)
  when    associative f: yes, known of +
  when    commutative f: yes, known of +
  gives   reduce (+) 0 (reorder reverse (map (*) (zip row col)))
  try     apply reduceReorder(reverse) at /in/f/body/f/body/f/body
> why nosuch
E02 no rule, macro or Lua value called "nosuch"
  try     list rules
> why
E05 which rule or macro?
  form    why STRATEGY|NUMBER|'PATTERN' [at PLACE]
  try     moves
> why 1
E14 no moves were listed yet
  try     moves
> let avg (a, b) = (a + b) / 2
avg : helper, typed where it is used
> let q (xs: [N]f32) = reduce avg 0 xs
q : [N]f32 -> f32
> why reducePartIntro(4)
reducePartIntro does not apply at /
  rule    reduce f z x  =>  reduce f z (reducePart m f z x)  when associative f and restarts z f and m divides (length x)
  needs   associative f
  found   unknown, + declares it, this function does not (let f (a, b) = ... with associative)
  when    associative f: unknown, + declares it, this function does not (let f (a, b) = ... with associative)
  when    restarts z f: unknown, + declares it, this function does not (let f (a, b) = ... with neutral ...)
  when    m divides (length x): yes, 4 divides N is a fact from now on
  instead reduceWhole at /
> apply reduceSplit(4)
E21 reduceSplit does not apply at /
  rule    reduce f z x  =>  reduce f z (map (reduce f z) (split n x))  when associative f and restarts z f and n divides (length x)
  needs   associative f
  found   unknown, + declares it, this function does not (let f (a, b) = ... with associative)
  when    associative f: unknown, + declares it, this function does not (let f (a, b) = ... with associative)
  when    restarts z f: unknown, + declares it, this function does not (let f (a, b) = ... with neutral ...)
  when    n divides (length x): yes, 4 divides N is a fact from now on
  instead reduceWhole at /
> moves
  1  reduceWhole            at 0 (map (reduce (λ(a, b) → (a + b) / 2) 0) ∘ split N $ xs)
  2  toGlobal               toGlobal ∘ reduce (λ(a, b) → (a + b) / 2) 0 $ xs
  3  toPrivate              toPrivate ∘ reduce (λ(a, b) → (a + b) / 2) 0 $ xs
  4  reduceSeq              reduceSeq (λ(a, b) → (a + b) / 2) 0 xs
> w 1
reduceWhole applies at /
  rule    reduce f z x  =>  (map (reduce f z) (split (length x) x))[0]  when 0 < length x
  where   z = 0.0
          x = xs
          f = \(a, b) -> (a + b) / 2
  when    0 < length x: yes, they are 0 and N
  gives   at 0 (map (reduce (\(a, b) -> (a + b) / 2) 0) . split N $ xs)
  try     apply reduceWhole at /
> why topdown(mapFusion)
topdown(mapFusion) failed: mapFusion does not apply at /
  place   /
  rule    map f (map g x)  =>  map (f . g) x
  needs   map f (map g x)
  found   reduce (\(a, b) -> (a + b) / 2) 0 xs
  try     moves /
> why mapLocal
mapLocal does not apply at /
  rule    map f x  =>  mapLocal d f x  when ...        help mapLocal
  needs   map f x
  found   reduce (\(a, b) -> (a + b) / 2) 0 xs
  try     moves /
> let p (xs: [N]f32) = map (\x -> x + 1) (join (map (map (\x -> x * 2)) (split 4 xs)))
p : [N]f32 -> [N]f32
> apply mapFusion
E21 mapFusion does not apply at /
  rule    map f (map g x)  =>  map (f . g) x
  needs   map g x at /in
  found   join . map (map (\x -> x * 2)) . split 4 $ xs
  try     apply joinMap at /in ; apply mapFusion at /
> apply joinMap at /in ; apply mapFusion at /
@1  joinMap  at /in                     builtin    from @0
  - join ∘ map (map (λx → x * 2)) ∘ split 4 $ xs
  + map (λx → x * 2) ∘ join ∘ split 4 $ xs
  type   [N]f32                       unchanged
  focus  /  ->  /                     16 moves here
@2  mapFusion  at /                     builtin    from @1
  - map (λx → x + 1) ∘ map (λx → x * 2) ∘ join ∘ split 4 $ xs
  + map (λx → x * 2 + 1) ∘ join ∘ split 4 $ xs
  type   [N]f32                       unchanged
  focus  /  ->  /                     16 moves here
> let r (xs: [30]f32) = map (\x -> x + 1) xs
r : [30]f32 -> [30]f32
> why splitJoin(4)
splitJoin does not apply at /
  rule    map f x  =>  join (map (map f) (split n x))  when n divides (length x)
  needs   n divides (length x)
  found   30 mod 4 = 2
  try     apply padMap(4) at / ; apply splitJoin(4) at /in
> apply padMap(4) at / ; apply splitJoin(4) at /in
@1  padMap(4)  at /                     builtin    from @0
  - map (λx → x + 1) xs
  + take 30 ∘ map (λx → x + 1) ∘ pad 0 2 clamp $ xs
  type   [30]f32                      unchanged
  focus  /  ->  /                     5 moves here
@2  splitJoin(4)  at /in                builtin    from @1
  - map (λx → x + 1) ∘ pad 0 2 clamp $ xs
  + join ∘ map (map (λx → x + 1)) ∘ split 4 ∘ pad 0 2 clamp $ xs
  type   [32]f32                      unchanged
  focus  /  ->  /                     5 moves here
> undo 2
@0  source
    map (λx → x + 1) xs
> why mapLocal(0)
mapLocal does not apply at /
  rule    map f x  =>  mapLocal d f x  when under mapWorkgroup and not under mapLocal d and not contains mapGlobal f and not contains mapWorkgroup f and not contains mapLocal d f
  needs   under mapWorkgroup
  found   not under mapWorkgroup
  when    under mapWorkgroup: no, not under mapWorkgroup
  when    not under mapLocal d: yes, not under mapLocal 0
  when    not contains mapGlobal f: yes, it does not contain mapGlobal
  when    not contains mapWorkgroup f: yes, it does not contain mapWorkgroup
  when    not contains mapLocal d f: yes, it does not contain mapLocal 0
  try     moves /
> apply mapSeqUnroll * mapSeq
E23 mapSeqUnroll * mapSeq failed: mapSeq does not apply at /
  place   /
  after   mapSeqUnroll at /
  rule    map f x  =>  mapSeq f x  when not contains mapGlobal f and not contains mapWorkgroup f
  needs   map f x
  found   mapSeqUnroll (\x -> x + 1) xs
> rule twice: map f x => map (f . f) x
rule twice
  map f x  =>  map (f . f) x
  user; assumed
> why twice
twice applies at /
  rule    map f x  =>  map (f . f) x
  where   x = xs
          f = \x -> x + 1
  trust   assumed        check twice
  gives   map (\x -> x + 1 + 1) xs
  try     apply twice at /
> let s (A: [N][M]f32) (ys: [N]f32) = map (\(row, y) -> map (\x -> x + y) row) (zip A ys)
s : [N][M]f32 -> [N]f32 -> [N][M]f32
> why mapInterchange
mapInterchange does not apply at /
  rule    map (\a -> map (\b -> e a b) ys) xs  =>  transpose (map (\b -> map (\a -> e a b) xs) ys)
  needs   ys at /f/body/in
  found   row
  because ys would mention a, which the rule binds
  instead mapInterchangeZipOut at /
> why mapInterchangeInner
mapInterchangeInner does not apply at /
  rule    map (map f) x  =>  transpose (map (map f) (transpose x))
  needs   map f at /f/body/in
  found   row
  instead mapInterchangeZipOut at /
  try     apply splitJoin at / ; apply mapInterchangeInner at /in
> apply transposeMaps.rev
E21 transposeMaps.rev does not apply at /
  rule    map (map f) (transpose x)  =>  transpose (map (map f) x)
  needs   transpose x at /in
  found   zip A ys
  try     moves /
> macro both = splitJoin(4) * mapFusion
both
  macro both = splitJoin(4) * mapFusion
> why both
both failed: mapFusion does not apply at /
  place   /
  after   splitJoin(4) at /
  rule    map f (map g x)  =>  map (f . g) x
  needs   map f (map g x)
  found   join (map (map (\(row, y) -> ..)) (split 4 (zip A ys)))
  near    /in: map (map (\(row, y) -> ..)) (split 4 (zip A ys)), but it needs map g x at /in/in
> set trace mapFusion
> apply both
  trace   mapFusion at /: needs map f (map g x), found join (map (map (\(row, y) -> ..)) (split 4 (zip A ys)))
E23 both failed: mapFusion does not apply at /
  place   /
  after   splitJoin(4) at /
  rule    map f (map g x)  =>  map (f . g) x
  needs   map f (map g x)
  found   join (map (map (\(row, y) -> ..)) (split 4 (zip A ys)))
  near    /in: map (map (\(row, y) -> ..)) (split 4 (zip A ys)), but it needs map g x at /in/in
> why topdown(mapSeq) * mapSeq
topdown(mapSeq) * mapSeq failed: mapSeq does not apply at /
  place   /
  after   mapSeq at /
  rule    map f x  =>  mapSeq f x  when not contains mapGlobal f and not contains mapWorkgroup f
  needs   map f x
  found   mapSeq (\(row, y) -> map (\x -> x + y) row) (zip A ys)
  near    /f/body: map (\x -> x + y) row
> set trace nosuch
E05 "nosuch" is not a value of trace
  needs   none, or the name of a rule; list rules
> set trace none
> lower topdown(mapSeq) * reduceSeq
E23 topdown(mapSeq) * reduceSeq failed: reduceSeq does not apply at /
  place   /
  after   mapSeq at /
  rule    reduce f z x  =>  reduceSeq f z x  when not contains mapGlobal f and not contains mapWorkgroup f
  needs   reduce f z x
  found   mapSeq (\(row, y) -> map (\x -> x + y) row) (zip A ys)
> lower topdown(mapGlobal(0))
E51 topdown(mapGlobal(0)) leaves high-level nodes; nothing was kept
  /f/body map      as mapGlobal, mapWorkgroup, mapLocal, mapSeq  
  try     lower (topdown(mapGlobal(0))) * lower
> load tests/programs/mm.fun
mm : [N][K]f32 -> [K][M]f32 -> [N][M]f32
> goto @0
@0  source
    map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) A
> why mapReduceInterchange at /f/body
mapReduceInterchange does not apply at /f/body
  rule    map (reduce f z) x  =>  reduce (\(acc, r) -> map f (zip acc r)) (generate (length x) (\i -> z)) (transpose x)
  needs   reduce f z at /f/body/f/body/in
  found   map (*) (zip row col)
  try     apply reduceFission at /f/body ; apply mapReduceInterchange at /f/body
> apply reduceFission at /f/body ; apply mapReduceInterchange at /f/body
@3  reduceFission  at /f/body           builtin    from @0
  - map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B
  + map (reduce (+) 0) ∘ map (λcol → map (*) (zip row col)) ∘ transpose $ B
  type   [M]f32                       unchanged
  focus  /  ->  /                     15 moves here
@4  mapReduceInterchange  at /f/body    builtin    from @3
  - map (reduce (+) 0) ∘ map (λcol → map (*) (zip row col)) ∘ transpose $ B
  + reduce (λ(acc, r) → map (+) (zip acc r)) (generate M (λi → 0)) ∘ transpose ..
  type   [M]f32                       unchanged
  focus  /  ->  /                     15 moves here
> goto @0
@0  source
    map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) A
> why toLocal at /f/body/in
toLocal does not apply at /f/body/in
  rule    x  =>  toLocal x  when under mapWorkgroup
  needs   under mapWorkgroup
  found   not under mapWorkgroup
  try     apply mapWorkgroup(0) at / ; apply toLocal at /f/body/in
> why mapInterchangeInner
mapInterchangeInner does not apply at /
  rule    map (map f) x  =>  transpose (map (map f) (transpose x))
  needs   map f at /f/body/in
  found   transpose B
  instead mapInterchange at /
  try     apply splitJoin at / ; apply mapInterchangeInner at /in
> apply tile(4,4)
@5  tile(4,4)  at /                     builtin    from @0
  - map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) A
  + join ∘ map (λrows → transpose ∘ join ∘ map (λcols → transpose ∘ map (λrow → map (..) cols) $ ...
  type   [N][M]f32                    unchanged
  inner  4 steps        log --expand
  focus  /  ->  /                     4 moves here
> why mapLocal(0) at /in/f/body/in/in/f/body/in/f/body
mapLocal does not apply at /in/f/body/in/in/f/body/in/f/body
  rule    map f x  =>  mapLocal d f x  when under mapWorkgroup and not under mapLocal d and not contains mapGlobal f and not contains mapWorkgroup f and not contains mapLocal d f
  needs   under mapWorkgroup
  found   not under mapWorkgroup
  when    under mapWorkgroup: no, not under mapWorkgroup
  when    not under mapLocal d: yes, not under mapLocal 0
  when    not contains mapGlobal f: yes, it does not contain mapGlobal
  when    not contains mapWorkgroup f: yes, it does not contain mapWorkgroup
  when    not contains mapLocal d f: yes, it does not contain mapLocal 0
  try     apply mapWorkgroup(0) at /in/f/body/in/in/f/body/in ; apply mapLocal(0) at /in/f/body/in/in/f/body/in/f/body
> load tests/programs/asum.fun
asum : [N]f32 -> f32
> why mapSeqUnroll at /in
mapSeqUnroll does not apply at /in
  rule    map f x  =>  mapSeqUnroll f x  when constant (length x) and not contains mapGlobal f and not contains mapWorkgroup f
  needs   constant (length x)
  found   it is N, no number
  when    constant (length x): no, it is N, no number
  when    not contains mapGlobal f: yes, it does not contain mapGlobal
  when    not contains mapWorkgroup f: yes, it does not contain mapWorkgroup
  try     apply splitJoin at /in ; apply mapSeqUnroll at /in/in/f/body
> why reducePartSplit(4)
reducePartSplit does not apply at /
  rule    reducePart m f z x  =>  join (map (reducePart (n*m/(length x)) f z) (split n x))  when (length x)/m divides n and n divides (length x)
  needs   reducePart m f z x
  found   reduce (+) 0 . map abs $ xs
  instead reducePartIntro, reduceReorder(reverse), reduceSplit at /
  try     apply reducePartIntro at / ; apply reducePartSplit(4) at /in
> load tests/programs/blur.fun
blur : [N][M]f32 -> [3][3]f32 -> [N][M]f32        2 programs; list programs
> why mapSlideInterchange
mapSlideInterchange does not apply at /
  rule    map (\w -> map f (transpose w)) (slide k s x)  =>  transpose (map (\c -> map f (slide k s c)) (transpose x))
  needs   slide k s x at /in
  found   slide2 3 1 . pad2 1 1 clamp $ img
  near    /in: slide2 3 1 . pad2 1 1 clamp $ img, but it needs map f (transpose w) at /in/f/body
  instead mapInterchangeInner at /
  try     apply mapFusion at / ; apply mapSlideInterchange at /
> load tests/programs/smooth.fun
smooth : [N]f32 -> [5]f32 -> [N]f32
> apply slideTiling(4) at /
E21 slideTiling does not apply at /
  rule    slide k s x  =>  join (map (slide k s) (slide (u + k - s) u x))  when s divides u and u divides ((length x) - k + s)
  needs   slide k s x
  found   map (\nb -> reduce (+) 0 ..) . slide 5 1 . pad 2 2 clamp $ xs
  near    /in: slide 5 1 . pad 2 2 clamp $ xs
  try     apply slideTiling(4) at /in
> why slideMap at /in
slideMap does not apply at /in
  rule    slide k s (map f x)  =>  map (map f) (slide k s x)
  needs   map f x at /in/in
  found   pad 2 2 clamp xs
  try     moves /in
> let seq (xs: [N]f32) = reduceSeq (+) 0 (map abs xs)
seq : [N]f32 -> f32
> why reduceSeqMapSeqFusion
reduceSeqMapSeqFusion does not apply at /
  rule    reduceSeq f z (mapSeq g x)  =>  reduceSeq (\(acc, y) -> f (acc, g y)) z x
  needs   mapSeq g x at /in
  found   map abs xs
  instead reduceMapFusion at /
  try     apply mapSeq at /in ; apply reduceSeqMapSeqFusion at /
> lua v, failure = t.apply("reduceSeqMapSeqFusion"); print(failure.try); print(failure)
apply mapSeq at /in ; apply reduceSeqMapSeqFusion at /
E21 reduceSeqMapSeqFusion does not apply at /
  rule    reduceSeq f z (mapSeq g x)  =>  reduceSeq (\(acc, y) -> f (acc, g y)) z x
  needs   mapSeq g x at /in
  found   map abs xs
  instead reduceMapFusion at /
  try     apply mapSeq at /in ; apply reduceSeqMapSeqFusion at /
> let cancels (xs: [N][M]f32) = map (\r -> map abs r) (transpose (transpose (join (split 4 (map (\r -> map (\x -> x * 2) r) xs)))))
cancels : [N][M]f32 -> [N][M]f32
> why mapFusion
mapFusion does not apply at /
  rule    map f (map g x)  =>  map (f . g) x
  needs   map g x at /in
  found   transpose . transpose . join . split 4 . map (map (\x -> x * 2)) $ xs
  try     apply simplify at / ; apply mapFusion at /
> apply mapFusion
E21 mapFusion does not apply at /
  rule    map f (map g x)  =>  map (f . g) x
  needs   map g x at /in
  found   transpose . transpose . join . split 4 . map (map (\x -> x * 2)) $ xs
  try     apply simplify at / ; apply mapFusion at /
> apply simplify at / ; apply mapFusion at /
@1  simplify  at /in                    builtin    from @0
  - transpose ∘ transpose ∘ join ∘ split 4 ∘ map (map (λx → x * 2)) $ xs
  + map (map (λx → x * 2)) xs
  type   [N][M]f32                    unchanged
  inner  2 steps        log --expand
  focus  /  ->  /                     18 moves here
@2  mapFusion  at /                     builtin    from @1
  - map (map abs) ∘ map (map (λx → x * 2)) $ xs
  + map (map abs ∘ map (λx → x * 2)) xs
  type   [N][M]f32                    unchanged
  focus  /  ->  /                     16 moves here
> lua local v, why = t.apply("reduceSeqMapSeqFusion") print(v, why.id, why.try)
nil	E21	moves /
> load tests/programs/asum.fun
asum : [N]f32 -> f32
> why reduceSeqMapSeqFusion
reduceSeqMapSeqFusion does not apply at /
  rule    reduceSeq f z (mapSeq g x)  =>  reduceSeq (\(acc, y) -> f (acc, g y)) z x
  needs   reduceSeq f z (mapSeq g x)
  found   reduce (+) 0 . map abs $ xs
  try     apply reduceSeq at / ; apply mapSeq at /in ; apply reduceSeqMapSeqFusion at /
> lua local v, why = t.apply("reduceSeqMapSeqFusion") print(v, why.id, why.try)
nil	E21	apply reduceSeq at / ; apply mapSeq at /in ; apply reduceSeqMapSeqFusion at /
> apply reduceSeq at / ; apply mapSeq at /in ; apply reduceSeqMapSeqFusion at /
@1  reduceSeq  at /                     builtin    from @0
  - reduce (+) 0 ∘ map abs $ xs
  + reduceSeq (+) 0 ∘ map abs $ xs
  type   f32                          unchanged
  focus  /  ->  /                     4 moves here
@2  mapSeq  at /in                      builtin    from @1
  - map abs xs
  + mapSeq abs xs
  type   [N]f32                       unchanged
  focus  /  ->  /                     4 moves here
@3  reduceSeqMapSeqFusion  at /         builtin    from @2
  - reduceSeq (+) 0 ∘ mapSeq abs $ xs
  + reduceSeq (λ(acc, y) → acc + abs y) 0 xs
  type   f32                          unchanged
  focus  /  ->  /                     3 moves here
> # a macro that can do without its argument is tried, too
> set silence W08
> let chain (xs: [64]f32) = map (\x -> x + 1) xs
chain : [64]f32 -> [64]f32
> rule blocks: join (mapSeq (mapSeq f) (split n x)) => join (mapSeq (mapSeqUnroll f) (split n x))
rule blocks
  join (mapSeq (mapSeq f) (split n x))  =>  join (mapSeq (mapSeqUnroll f) (split n x))
  user; assumed
> macro cut(n) = splitJoin(n) * topdown(mapSeq) * topdown(mapSeq)
cut(n)
  macro cut(n) = splitJoin(n) * topdown(mapSeq) * topdown(mapSeq)
> apply blocks
E21 blocks does not apply at /
  rule    join (mapSeq (mapSeq f) (split n x))  =>  join (mapSeq (mapSeqUnroll f) (split n x))
  needs   join (mapSeq (mapSeq f) (split n x))
  found   map (\x -> x + 1) xs
  try     apply cut at / ; apply blocks at /
> why blocks
blocks does not apply at /
  rule    join (mapSeq (mapSeq f) (split n x))  =>  join (mapSeq (mapSeqUnroll f) (split n x))
  needs   join (mapSeq (mapSeq f) (split n x))
  found   map (\x -> x + 1) xs
  try     apply cut at / ; apply blocks at /
> apply cut at / ; apply blocks at /
@1  cut  at /                           builtin    from @0
  - map (λx → x + 1) xs
  + join ∘ mapSeq (mapSeq (λx → x + 1)) ∘ split s0 $ xs
  type   [64]f32                      unchanged
  param  s0 : int    1 <= s0 <= 64, s0 divides 64        7 legal values
  inner  3 steps        log --expand
  focus  /  ->  /                     6 moves here
@2  blocks  at /                        assumed    from @1
  - join ∘ mapSeq (mapSeq (λx → x + 1)) ∘ split s0 $ xs
  + join ∘ mapSeq (mapSeqUnroll (λx → x + 1)) ∘ split s0 $ xs
  type   [64]f32                      unchanged
  focus  /  ->  /                     5 moves here
> goto @0
@0  source
    map (λx → x + 1) xs
> macro -d cut
macro cut is gone
> lua register("cutBy", {params = "{n=8}", doc = "cut"}, function(o) return seq(splitJoin(o and o.n or 8), topdown(mapSeq), topdown(mapSeq)) end)
> apply blocks
E21 blocks does not apply at /
  rule    join (mapSeq (mapSeq f) (split n x))  =>  join (mapSeq (mapSeqUnroll f) (split n x))
  needs   join (mapSeq (mapSeq f) (split n x))
  found   map (\x -> x + 1) xs
  try     apply cutBy at / ; apply blocks at /
> set silence none
