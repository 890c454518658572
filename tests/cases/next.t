> # what is expected to be faster: the present first, then the moves, and pairs of them where no move is
> next
E10 no program is loaded
  try     load tests/programs/dot.fun        or a file .fun of your own
> load tests/programs/mm.fun
mm : [N][K]f32 -> [K][M]f32 -> [N][M]f32
> next --kind vector --budget 600
     6.85 ms         is expected of what lower makes of it
     chain 5.03 ms, control 3.97 ms, caches 1.72 ms, accesses 1.01 ms
  1  1.73 ms    4.0 x  vectoriseColumns(4)  at /f/body
     apply f to w columns at a time, which are taken by their numbers
     chain 5.03 ms -> 1.26 ms, control 3.97 ms -> 993 us        1 step
     of 3 moves
  try     apply 1
> apply 1
@1  vectoriseColumns(4)  at /f/body     builtin    from @0
  - map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B
  + asScalar (map (mapVec (λi .. (map (λr → r[i]) B))) (asVector 4 (iota M)))
  type   [M]f32                       unchanged
  focus  /  ->  /                     24 moves here
> next /f/body/in --kind vector --budget 600
     1.73 ms         is expected of what lower makes of it
     chain 1.26 ms, control 993 us, caches 435 us, accesses 251 us
     none of 2 moves is expected to be 5 % faster
  try     lower
> moves --deep --from icfp15 --kind reduce
  1  reducePartIntro        /f/body/in/f/body/f/body  reduce (+) 0 (reducePart s0 (+) 0 (..))
  2  reduceReorder(reverse)  /f/body/in/f/body/f/body  reduce (+) 0 (reorder reverse (map (*) (..)))
  3  reduceSplit            /f/body/in/f/body/f/body  reduce (+) 0 (map (..) (split s0 (..)))
> moves --from mine
no rule of your own applies at /
> rule twice: transpose x => transpose (transpose (transpose x))
rule twice
  transpose x  =>  transpose (transpose (transpose x))
  user; assumed
> moves --deep --from mine
no rule of your own applies at or below /
> moves --from nobody
E05 no rule comes from "nobody"
  hint    icfp15, gpgpu16, lift, mine, or any word of where rules come from
  try     list rules -v
> next --from nobody
E05 no rule comes from "nobody"
  hint    icfp15, gpgpu16, lift, mine, or any word of where rules come from
  try     list rules -v
> next --budget 0
E05 --budget, in seconds, must be a whole number from 1 to 3600, not "0"
> # the second of two moves is there because of the first; both are one step
> load tests/programs/colsum.fun
colsum : [N][M]f32 -> [M]f32
> next --kind split --budget 600
     30.2 us         is expected of what lower makes of it
     chain 19.7 us, control 12.2 us, caches 8.16 us, accesses 2.03 us
  1  22.7 us    1.3 x  splitJoin  at /   then mapPeelLast  at /in/f/body
     a map over chunks of n elements
     a map over all but the last n elements, then one over these
     chain 19.7 us -> 9.83 us        2 steps, 502 points: s0=2 s1=1
     of 5 moves and 55 pairs of moves
  try     apply 1
> apply 1
@1  splitJoin * at("in/f/body", mapPeelLast)  at /  builtin    from @0
  - map (reduce (+) 0) ∘ transpose $ A
  + join ∘ map (λy → concat (map (..) ∘ take (s0 - s1) $ y) (map (..) ∘ drop (s0 - s1) $ y)) ∘ sp...
  type   [M]f32                       unchanged
  param  s0 : int    1 <= s0 <= M, s0 divides M, s1 < s0        8 legal values for M = 256
  param  s1 : int    1 <= s1, s1 < s0        255 legal values for M = 256
  inner  2 steps        log --expand
  focus  /  ->  /                     8 moves here
