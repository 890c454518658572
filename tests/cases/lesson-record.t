> lesson record rec
E10 no program is loaded
  try     load FILE
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

TODO: what is to be done, and why.

```load
load scal.fun
data N = 64
rule pieces(n): map f x => join (map (map f) (split n x)) when n divides (length x)
```
```goal
hash a37eb1a0bc68362e -- TODO: the goal in words
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

TODO: what is to be done, and why.

```goal
hash d11c38f0d4ebc89f -- TODO: the goal in words
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

TODO: what is to be done, and why.

```load
load scal.fun as scal_2
data N = 64
```
```goal
hash b1f45986afded619 -- TODO: the goal in words
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

TODO: what is to be done, and why.

```load
load squares.fun
rule pieces(n): map f x => join (map (map f) (split n x)) when n divides (length x)
macro looped(n) = splitJoin(n) * topdown(mapSeq) -- chunks, and a loop over them
macro halved = looped(2) + pieces(2)
```
```goal
hash 533b52e4081593b2 -- TODO: the goal in words
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
TODO: what is to be done, and why.

  now     scal@0 = map (λx → alpha * x) xs
  goal    TODO: the goal in words
  par     1 step
  help    lesson check: what is missing; lesson hint: 3 of 3 left
> lesson check
  no      TODO: the goal in words
E84 part 1 is not reached yet: 1 thing is missing
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
TODO: what is to be done, and why.

  now     scal@1 = join ∘ map (map (λx → alpha * x)) ∘ split s0 $ xs
  goal    TODO: the goal in words
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
