> apply mapFusion
E10 no program is loaded
  try     load tests/programs/dot.fun        or a file .fun of your own
> load tests/programs/mm.fun
mm : [N][K]f32 -> [K][M]f32 -> [N][M]f32
> apply mapFusion
E21 mapFusion does not apply at /
  rule    map f (map g x)  =>  map (f . g) x
  needs   map g x at /in
  found   A
  try     moves /
> apply splitJoin
@1  splitJoin{n=s0}  at /               builtin    from @0
  - map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) A
  + join ∘ map (map (λrow → map (λcol → reduce (+) 0 (..)) ∘ transpose $ B)) ∘ split s0 $ A
  type   [N][M]f32                    unchanged
  param  s0 : int    1 <= s0 <= N, s0 divides N        9 legal values for N = 256
  focus  /  ->  /                     5 moves here
> apply mapInterchange at /in/f
E11 rules apply to values; /in/f is a function
  hint    what it computes is at /in/f/body
> apply mapInterchange at /in/f/body
@2  mapInterchange  at /in/f/body       builtin    from @1
  - map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) rows
  + transpose ∘ map (λcol → map (λrow → reduce (+) 0 (map (*) (zip row col))) rows) ∘ transpose $ B
  type   [s0][M]f32                   unchanged
  focus  /  ->  /                     4 moves here
> apply nosuch
E02 no rule, macro or Lua value called "nosuch"
  try     list rules
> apply splitjion
E02 no rule, macro or Lua value called "splitjion"; did you mean splitJoin?
  try     apply splitJoin
> apply splitJoin at /nowhere
E11 there is no slot "nowhere" at /
  slots   in
> apply splitJoin at :4
E14 label :4: no display with labels was printed yet
  try     show --as tree        prints fresh labels
> apply splitJoin at
E05 the form is not complete
  form    apply [--trace [--depth N]] STRATEGY|NUMBER [at PLACE] [as TAG]
> apply splitJoin as
E05 the form is not complete
  form    apply [--trace [--depth N]] STRATEGY|NUMBER [at PLACE] [as TAG]
> apply splitJoin bogus
E02 no rule, macro or Lua value called "bogus"
  try     list rules
> apply
E05 which rule or macro?
  form    apply [--trace [--depth N]] STRATEGY|NUMBER [at PLACE] [as TAG]
  try     moves
> apply splitJoin as 3
E05 "3" is not a tag: letters, digits, _ and -, not starting with a digit
> goto @0
@0  source
    map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) A
> apply splitJoin(4) as tiled
@3  splitJoin(4)  at /                  builtin    from @0
  - map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) A
  + join ∘ map (map (λrow → map (λcol → reduce (+) 0 (map (*) (..))) ∘ transpose $ B)) ∘ split 4 $ A
  type   [N][M]f32                    unchanged
  focus  /  ->  /                     5 moves here
> apply splitJoin(8) at / as tiled
E05 the tag "tiled" already names @3
  try     tag -d tiled
> goto @tiled
@3  splitJoin(4)
    join ∘ map (map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B)) ∘...
> list tags
  tiled           @3  splitJoin(4)
> try splitJoin at /in/f/body
try  splitJoin{n=s0}  at /in/f/body     builtin    from @3
  - map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) rows
  + join ∘ map (map (λrow → map (λcol → reduce (+) 0 (..)) ∘ transpose $ B)) ∘ split s0 $ xss
  type   [4][M]f32                    unchanged
  param  s0 : int
> try topdown(reduceSeq)
try  topdown(reduceSeq)  at /in/f/body/f/body/f/body  builtin    from @3
  - reduce (+) 0 (map (*) (zip row col))
  + reduceSeq (+) 0 (map (*) (zip row col))
  type   f32                          unchanged
> apply topdown(reduceSeq) * topdown(reduceMapFusion)
@4  topdown(reduceSeq) * topdown(reduceMapFusion)  at /in/f/body/f/body/f/body  builtin    from @3
  - reduce (+) 0 (map (*) (zip row col))
  + reduceSeq (λ(acc, (y0, y1)) → acc + y0 * y1) 0 (zip row col)
  type   f32                          unchanged
  inner  2 steps        log --expand
  focus  /  ->  /                     5 moves here
> apply mapFusion^0
mapFusion^0 changed nothing; still @4
> apply splitJoin(0)
E21 splitJoin does not apply at /
  rule    map f x  =>  join (map (map f) (split n x))  when n divides (length x)
  needs   map f x
  found   join . map (map (\row -> ..)) . split 4 $ A
  near    /in: map (map (\row -> ..)) . split 4 $ A, but it needs n divides (length x) (0 does not divide N/4)
  try     moves /
> apply splitJoin(
> )
E12 splitJoin( ) applies at 3 places below /, not there
  :1      /in                map (map (\row -> map (\col -> reduceSeq (\(acc, (y0, y1)) -> acc + ...
  :2      /in/f/body         map (\row -> map (\col -> reduceSeq (\(acc, (y0, y1)) -> acc + y0 * ...
  :3      /in/f/body/f/body  map (\col -> reduceSeq (\(acc, (y0, y1)) -> acc + y0 * y1) 0 (zip ro...
  try     apply splitJoin( ) at :1
> apply syntax error
E02 no rule, macro or Lua value called "syntax"
  try     list rules
> set verbose 0
> apply topdown(mapSeq)
@5  topdown(mapSeq)  at /in             builtin    from @4
> set verbose 2
> undo; apply topdown(mapSeq)
@4  topdown(reduceSeq) * topdown(reduceMapFusion)
    join ∘ map (map (λrow → map (λcol → reduceSeq (λ(acc, (y0, y1)) → acc + y0 * y1) 0 (zip row c...
@6  topdown(mapSeq)  at /in             builtin    from @4
  - map (map (λrow → map (λcol → reduceSeq (..) 0 (zip row col)) ∘ transpose $ B)) ∘ split 4 $ A
  + mapSeq (map (λrow → map (λcol → reduceSeq (..) 0 (zip row col)) ∘ transpose $ B)) ∘ split 4 $ A
  type   [N/4][4][M]f32               unchanged
  same   term as @5        goto @5
  focus  /  ->  /                     4 moves here
join ∘
  mapSeq
    (map
      (λrow →
        map (λcol → reduceSeq (λ(acc, (y0, y1)) → acc + y0 * y1) 0 (zip row col)) ∘ transpose $ B)) ∘
  split 4 $ A
> # the other direction of a rule that has one only
> let chunks (x: [N]f32) = join (map (map (\v -> v * 2)) (split 4 x))
chunks : [N]f32 -> [N]f32
> apply joinMap.rev
E24 joinMap has no other direction: it is a rule with =>, not <=>
  hint    `rule joinMap` shows it
