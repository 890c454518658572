> lesson record rec
E10 no program is loaded
  try     load tests/programs/dot.fun        or a file .fun of your own
> load tests/programs/scal.fun
scal : f32 -> [N]f32 -> [N]f32
> lesson record rec
E13 no version has a tag: each tagged version becomes the goal of a part
  try     tag NAME
> data N = 64
> rule pieces(n): map f x => join (map (map f) (split n x)) when n divides (length x)
rule pieces(n)
  map f x  =>  join (map (map f) (split n x))  when n divides (length x)
  n: a size; left out: a fresh parameter
  user; assumed
> apply splitJoin as cut
@1  splitJoin{n=s0}  at /               builtin    from @0
  - map (λx → alpha * x) xs
  + join ∘ map (map (λx → alpha * x)) ∘ split s0 $ xs
  type   [N]f32                       unchanged
  param  s0 : int    1 <= s0 <= N, s0 divides N        7 legal values for N = 64
  focus  /  ->  /                     5 moves here
> note "said in the lecture, not typed"
@1 is noted        log, export and the page show it
> param s0 = 8
@2  param s0 = 8        from @1
> apply mapWorkgroup(0) at /in as groups
@3  mapWorkgroup(0)  at /in             builtin    from @2
  - map (map (λx → alpha * x)) ∘ split s0 $ xs
  + mapWorkgroup 0 (map (λx → alpha * x)) ∘ split s0 $ xs
  type   [N/s0][s0]f32                unchanged
  focus  /  ->  /                     4 moves here
> goto @0
@0  source
    map (λx → alpha * x) xs
> apply pieces(4)
@4  pieces(4)  at /                     assumed    from @0
  - map (λx → alpha * x) xs
  + join ∘ map (map (λx → alpha * x)) ∘ split 4 $ xs
  type   [N]f32                       unchanged
  focus  /  ->  /                     5 moves here
W08 rule pieces is "assumed": versions built with it are marked ?      (check pieces; silence: set silence W08)
> apply mapGlobal(0) at /in as flat
@5  mapGlobal(0)  at /in                builtin    from @4
  - map (map (λx → alpha * x)) ∘ split 4 $ xs
  + mapGlobal 0 (map (λx → alpha * x)) ∘ split 4 $ xs
  type   [N/4][4]f32                  unchanged
  focus  /  ->  /                     4 moves here
> let squares (xs: [N]i32) = map (\x -> x * x) xs
squares : [N]i32 -> [N]i32
> macro looped(n) = splitJoin(n) * topdown(mapSeq) -- chunks, and a loop over them
looped(n)
  chunks, and a loop over them
  macro looped(n) = splitJoin(n) * topdown(mapSeq) -- chunks, and a loop over them
> macro halved = looped(2) + pieces(2)
halved
  macro halved = looped(2) + pieces(2)
> apply halved as loop
@1  halved  at /                        builtin    from @0
  - map (λx → x * x) xs
  + join ∘ mapSeq (map (λx → x * x)) ∘ split 2 $ xs
  type   [N]i32                       unchanged
  inner  2 steps        log --expand
  focus  /  ->  /                     4 moves here
> lesson record rec
rec/lesson.md: 4 parts        lesson test ./rec
> ! cat rec/lesson.md rec/scal.fun
# rec

TODO: what this lesson is about.

## cut

TODO: what is to be done, and why. Of its goals keep the hash, which this term alone has, or the patterns, which other ways reach, too.

```load
load scal.fun
data N = 64
rule pieces(n): map f x => join (map (map f) (split n x)) when n divides (length x)
```
```goal
hash a37eb1a0bc68362e -- TODO: the goal in words
term join (map (\_ -> map _ _) (split _ _)) -- TODO: in words, or leave it out
has join _ -- TODO: in words, or leave it out
```
```steps <= 1
```
```hint
TODO: the idea.
```
```hint
What is needed: splitJoin.
```
```hint
apply splitJoin at /
```
```solution
apply splitJoin at /
```

## groups

TODO: what is to be done, and why. Of its goals keep the hash, which this term alone has, or the patterns, which other ways reach, too.

```goal
hash d11c38f0d4ebc89f -- TODO: the goal in words
term join (mapWorkgroup 0 (\_ -> map _ _) (split _ _)) -- TODO: in words, or leave it out
has mapWorkgroup 0 _ _ -- TODO: in words, or leave it out
```
```steps <= 2
```
```hint
TODO: the idea.
```
```hint
What is needed: param, mapWorkgroup.
```
```hint
The first step: param s0 = 8
```
```hint
param s0 = 8
apply mapWorkgroup(0) at /in
```
```solution
param s0 = 8
apply mapWorkgroup(0) at /in
```

## flat

TODO: what is to be done, and why. Of its goals keep the hash, which this term alone has, or the patterns, which other ways reach, too.

```load
load scal.fun as scal_2
data N = 64
```
```goal
hash b1f45986afded619 -- TODO: the goal in words
term join (mapGlobal 0 (\_ -> map _ _) (split 4 _)) -- TODO: in words, or leave it out
has join _ -- TODO: in words, or leave it out
```
```steps <= 2
```
```hint
TODO: the idea.
```
```hint
What is needed: pieces, mapGlobal.
```
```hint
The first step: apply pieces(4) at /
```
```hint
apply pieces(4) at /
apply mapGlobal(0) at /in
```
```solution
apply pieces(4) at /
apply mapGlobal(0) at /in
```

## loop

TODO: what is to be done, and why. Of its goals keep the hash, which this term alone has, or the patterns, which other ways reach, too.

```load
load squares.fun
rule pieces(n): map f x => join (map (map f) (split n x)) when n divides (length x)
macro looped(n) = splitJoin(n) * topdown(mapSeq) -- chunks, and a loop over them
macro halved = looped(2) + pieces(2)
```
```goal
hash 533b52e4081593b2 -- TODO: the goal in words
term join (mapSeq (\_ -> map _ _) (split 2 _)) -- TODO: in words, or leave it out
has join _ -- TODO: in words, or leave it out
```
```steps <= 1
```
```hint
TODO: the idea.
```
```hint
What is needed: halved.
```
```hint
apply halved at /
```
```solution
apply halved at /
```
let scal (alpha: f32) (xs: [N]f32) = map (\x -> alpha * x) xs
> lesson record rec
E17 rec/scal.fun is there already
  try     lesson record rec --force
> lesson record rec --force
rec/lesson.md: 4 parts        lesson test ./rec
> lesson ./rec
rec
TODO: what this lesson is about.

part 1 of 4: cut
TODO: what is to be done, and why. Of its goals keep the hash, which this term alone has, or the
patterns, which other ways reach, too.

  now     scal@0 = map (λx → alpha * x) xs
  goal    TODO: the goal in words
  and     TODO: in words, or leave it out
  and     TODO: in words, or leave it out
  par     1 step
  help    lesson check: what is missing; lesson hint: 3 of 3 left
> lesson check
  no      TODO: the goal in words
  no      TODO: in words, or leave it out
  no      TODO: in words, or leave it out
E84 part 1 is not reached yet: 3 things are missing
  try     lesson hint
> apply splitJoin
@1  splitJoin{n=s0}  at /               builtin    from @0
  - map (λx → alpha * x) xs
  + join ∘ map (map (λx → alpha * x)) ∘ split s0 $ xs
  type   [N]f32                       unchanged
  param  s0 : int    1 <= s0 <= N, s0 divides N        7 legal values for N = 64
  focus  /  ->  /                     5 moves here
goal reached in 1 step (par 1)        lesson next
> lesson next
part 2 of 4: groups
TODO: what is to be done, and why. Of its goals keep the hash, which this term alone has, or the
patterns, which other ways reach, too.

  now     scal@1 = join ∘ map (map (λx → alpha * x)) ∘ split s0 $ xs
  goal    TODO: the goal in words
  and     TODO: in words, or leave it out
  and     TODO: in words, or leave it out
  par     2 steps
  help    lesson check: what is missing; lesson hint: 4 of 4 left
> lesson leave
left rec: 1 of 4        lesson rec goes on
back in your session: squares@1
> export script -
# squares, @0 to @1
let squares (xs: [N]i32) = map (\x -> x * x) xs
rule pieces(n): map f x => join (map (map f) (split n x)) when n divides (length x)
macro looped(n) = splitJoin(n) * topdown(mapSeq) -- chunks, and a loop over them
macro halved = looped(2) + pieces(2)
expect ea739ba897a479ed
apply halved at /
expect 533b52e4081593b2
tag loop
> # goals as patterns; what else was tried as wrong answers
> load tests/programs/mm.fun
mm : [N][K]f32 -> [K][M]f32 -> [N][M]f32
> data N = 64, M = 64, K = 64
> apply splitJoin(2) at /f/body
@1  splitJoin(2)  at /f/body            builtin    from @0
  - map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B
  + join ∘ map (map (λcol → reduce (+) 0 (map (*) (zip row col)))) ∘ split 2 ∘ transpose $ B
  type   [M]f32                       unchanged
  focus  /  ->  /                     25 moves here
> goto @0
@0  source
    map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) A
> apply fuseReduce at /f/body/f/body as fused
@2  fuseReduce  at /f/body/f/body       builtin    from @0
  - reduce (+) 0 (map (*) (zip row col))
  + reduceSeq (λ(acc, (y0, y1)) → acc + y0 * y1) 0 (zip row col)
  type   f32                          unchanged
  inner  2 steps        log --expand
  focus  /  ->  /                     25 moves here
> apply splitJoin(8) at /
@3  splitJoin(8)  at /                  builtin    from @2
  - map (λrow → map (λcol → reduceSeq (λ(acc, (y0, y1)) → acc + y0 * y1) 0 (..)) ∘ transpose $ B) A
  + join ∘ map (map (λrow → map (..) ∘ transpose $ B)) ∘ split 8 $ A
  type   [N][M]f32                    unchanged
  focus  /  ->  /                     12 moves here
> goto @fused
@2  fuseReduce
    map (λrow → map (λcol → reduceSeq (λ(acc, (y0, y1)) → acc + y0 * y1) 0 (zip row col)) ∘ trans...
> apply mapSeq at /
@4  mapSeq  at /                        builtin    from @2
  - map (λrow → map (λcol → reduceSeq (λ(acc, (y0, y1)) → acc + y0 * y1) 0 (..)) ∘ transpose $ B) A
  + mapSeq (λrow → map (λcol → reduceSeq (λ(..) → acc + y0 * y1) 0 (zip row col)) ∘ transpose $ B) A
  type   [N][M]f32                    unchanged
  focus  /  ->  /                     11 moves here
> goto @fused
@2  fuseReduce
    map (λrow → map (λcol → reduceSeq (λ(acc, (y0, y1)) → acc + y0 * y1) 0 (zip row col)) ∘ trans...
> apply blockMapIntoReduce at /f/body as blocked
@5  blockMapIntoReduce  at /f/body      builtin    from @2
  - map (λcol → reduceSeq (λ(acc, (y0, y1)) → acc + y0 * y1) 0 (zip row col)) ∘ transpose $ B
  + reduceSeq (λ(..) → map (λ(as, y) → as + y0 * y) (zip acc y1)) (generate M (λi → 0)) (zip row B)
  type   [M]f32                       unchanged
  inner  7 steps        log --expand
  focus  /  ->  /                     24 moves here
> use mm
> lesson record rec4
rec4/lesson.md: 6 parts        lesson test ./rec4
> ! sed -n '/^```ask/,/^```steps/p' rec4/lesson.md
```ask
TODO: Which step leads to fused?
choice splitJoin(2) | fuseReduce
answer fuseReduce
because TODO: why.
not splitJoin(2): TODO: why not? It makes  map (\row -> join . map (map (\col -> reduce (+) 0 (map (...
```
```goal
hash 96287bf7e9064ab3 -- TODO: the goal in words
term map (\_ -> map (\_ -> reduceSeq _ _ (zip _ _)) (transpose _)) _ -- TODO: in words, or leave it out
has reduceSeq _ _ _ -- TODO: in words, or leave it out
no reduce _ _ _ -- TODO: in words, or leave it out
```
```steps <= 1
```ask
TODO: Which step leads to blocked?
choice splitJoin(8) | blockMapIntoReduce | mapSeq
answer blockMapIntoReduce
because TODO: why.
not splitJoin(8): TODO: why not? It makes  join . map (map (\row -> map (\col -> reduceSeq (\(acc, (...
not mapSeq: TODO: why not? It makes  mapSeq (\row -> map (\col -> reduceSeq (\(acc, (y0, y1)) ...
```
```goal
hash 2e57d3eec3d72d8d -- TODO: the goal in words
term map (\_ -> reduceSeq (\_ -> map _ (zip _ _)) (generate _ _) (zip _ _)) _ -- TODO: in words, or leave it out
has generate _ _ -- TODO: in words, or leave it out
no transpose _ -- TODO: in words, or leave it out
```
```steps <= 1
> # a pattern holds of what is bound to that number, too
> let rows (xs: [N]f32) = map (\x -> x + 1) xs
rows : [N]f32 -> [N]f32
> apply splitJoin(4) as cut4
@1  splitJoin(4)  at /                  builtin    from @0
  - map (λx → x + 1) xs
  + join ∘ map (map (λx → x + 1)) ∘ split 4 $ xs
  type   [N]f32                       unchanged
  focus  /  ->  /                     8 moves here
> lesson record rec5
rec5/lesson.md: 7 parts        lesson test ./rec5
> ! sed -i -e '/^hash/d' -e 's/TODO: //' rec5/lesson.md
> lesson ./rec5 | head -1
rec5
> lesson skip | tail -1
  help    lesson check: what is missing; lesson hint: 4 of 4 left
> lesson skip | tail -1
  help    lesson check: what is missing; lesson hint: 4 of 4 left
> lesson skip | tail -1
  help    lesson check: what is missing; lesson hint: 3 of 3 left
> lesson skip | tail -1
  help    lesson check: what is missing; lesson hint: 3 of 3 left
> lesson skip | tail -1
  help    lesson check: what is missing; lesson hint: 3 of 3 left
> lesson skip | tail -1
  help    lesson check: what is missing; lesson hint: 3 of 3 left
> apply splitJoin
@1  splitJoin{n=s0}  at /               builtin    from @0
  - map (λx → x + 1) xs
  + join ∘ map (map (λx → x + 1)) ∘ split s0 $ xs
  type   [N]f32                       unchanged
  param  s0 : int    1 <= s0 <= N, s0 divides N        9 legal values for N = 256
  focus  /  ->  /                     8 moves here
> param s0 = 8
@2  param s0 = 8        from @1
> param s0 = 4
@3  param s0 = 4        from @2
goal reached in 3 steps (par 1)        that was the last part: 1 of 7 done, some skipped        lesson leave
