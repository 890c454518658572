> moves
E10 no program is loaded
  try     load FILE
> load tests/programs/dot.fun
dot : [N]f32 -> [N]f32 -> f32
> moves
  1  reducePartIntro        reduce (+) 0 (reducePart s0 (+) 0 (map (*) (zip xs ys)))
  2  reduceReorder(reverse)  reduce (+) 0 (reorder reverse (map (*) (zip xs ys)))
  3  reduceSplit            reduce (+) 0 (map (reduce (+) 0) (split s0 (map (*) (zip xs ys))))
  4  reduceColumns          reduce (+) 0 (reduceSeq (λ(acc, c) → map (+) (zip acc c)) (generate s...
  5  reducePeelLast         reduce (+) 0 (take (N - s0) (map (*) (zip xs ys))) + reduce (+) 0 (dr...
  6  reduceStrided          reduce (+) 0 (map (reduce (+) 0) (transpose (split s0 (map (*) (zip x...
  7  reduceSlices           reduce (+) 0 (map (λi → slice s0 (reduce (+) 0) i N (map (*) (zip xs ...
  8  sumWeighted            reduce (+) 0 (map (λ((x0, x1), s) → x0 * x1 * s) (zip (zip xs ys) (ge...
  9  toGlobal               toGlobal (reduce (+) 0 (map (*) (zip xs ys)))
 10  toPrivate              toPrivate (reduce (+) 0 (map (*) (zip xs ys)))
 11  reduceSeq              reduceSeq (+) 0 (map (*) (zip xs ys))
> apply 99
E05 a move must be a whole number from 1 to 11, not "99"
> apply 0
E05 a move must be a whole number from 1 to 11, not "0"
> moves /in
  1  splitJoin              join (map (map (*)) (split s0 (zip xs ys)))
  2  mapPeel                concat (map (*) (take s0 (zip xs ys))) (map (*) (drop s0 (zip xs ys)))
  3  mapPeelLast            concat (map (*) (take (N - s0) (zip xs ys))) (map (*) (drop (N - s0) ...
  4  padMap                 take N (map (*) (pad 0 ((-(N % s0)) % s0) clamp (zip xs ys)))
  5  mapZipSwap             map (λ(b, a) → a * b) (zip ys xs)
  6  mapStride              reorder (stride (N/s0)) (map (*) (reorder (stride s0) (zip xs ys)))
  7  mapStrideChunks        join (reorder (stride (N/(s0*s1))) (split s1 (map (*) (join (reorder ...
  8  mapVectorise(4)        asScalar (map (mapVec (*)) (asVector 4 (zip xs ys)))
  9  vectorise(4)           asScalar (map (mapVec (*)) (zip (asVector 4 xs) (asVector 4 ys)))
 10  toGlobal               toGlobal (map (*) (zip xs ys))
 11  toGlobalStream         toGlobalStream (map (*) (zip xs ys))
 12  toPrivate              toPrivate (map (*) (zip xs ys))
 13  copySeq                mapSeq id (map (*) (zip xs ys))
 14  copyGlobal(0)          mapGlobal 0 id (map (*) (zip xs ys))
 15  mapGlobal(0)           mapGlobal 0 (*) (zip xs ys)
 16  mapWorkgroup(0)        mapWorkgroup 0 (*) (zip xs ys)
 17  mapSeq                 mapSeq (*) (zip xs ys)
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
  /in/in                    map (map (*)) (split s0 (zip xs ys))
  /in/in/f/body             map (*) xs1
2 places, 0 near misses
> where splitJoin in /in
  /in/in                    map (map (*)) (split s0 (zip xs ys))
  /in/in/f/body             map (*) xs1
2 places, 0 near misses
> where mapFusion
0 places, 2 near misses
> where mapGlobal(0)
  /in/in                    map (map (*)) (split s0 (zip xs ys))
  /in/in/f/body             map (*) xs1
2 places, 0 near misses
> where nosuch
E02 no rule called "nosuch"
  try     list rules
> where splitjoin
E02 no rule called "splitjoin"; did you mean splitJoin?
  try     list rules
> where
E05 which rule?
  form    where RULE [in PLACE]
> where splitJoin at /in
E05 a place is given with: in PLACE
  form    where RULE [in PLACE]
