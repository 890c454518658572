> undo
E10 no program is loaded
  try     load FILE
> redo
E10 no program is loaded
  try     load FILE
> goto @0
E10 no program is loaded
  try     load FILE
> log
E10 no program is loaded
  try     load FILE
> load tests/programs/scal.fun
scal : f32 -> [N]f32 -> [N]f32
> undo
E15 nothing to undo: @0 is the source
> redo
E15 nothing to redo: @0 is the last on its branch
> apply splitJoin as one
@1  splitJoin{n=s0}  at /               builtin    from @0
  - map (λx → alpha * x) xs
  + join ∘ map (map (λx → alpha * x)) ∘ split s0 $ xs
  type   [N]f32                       unchanged
  param  s0 : int    1 <= s0 <= N, s0 divides N        9 legal values for N = 256
  focus  /  ->  /                     5 moves here
> apply topdown(mapSeq) as two
@2  topdown(mapSeq)  at /in             builtin    from @1
  - map (map (λx → alpha * x)) ∘ split s0 $ xs
  + mapSeq (map (λx → alpha * x)) ∘ split s0 $ xs
  type   [N/s0][s0]f32                unchanged
  focus  /  ->  /                     4 moves here
> undo
@1  splitJoin{n=s0}
    join ∘ map (map (λx → alpha * x)) ∘ split s0 $ xs
> apply toGlobal
@3  toGlobal  at /                      builtin    from @1
  - join ∘ map (map (λx → alpha * x)) ∘ split s0 $ xs
  + toGlobal ∘ join ∘ map (map (λx → alpha * x)) ∘ split s0 $ xs
  type   [N]f32                       unchanged
  focus  /  ->  /                     4 moves here
> log
  @0  source
  @1  splitJoin{n=s0}  at /  [one]
  ├─ @2  topdown(mapSeq)  at /in  [two]
* @3  toGlobal  at /
> undo; redo
@1  splitJoin{n=s0}
    join ∘ map (map (λx → alpha * x)) ∘ split s0 $ xs
@3  toGlobal
    toGlobal ∘ join ∘ map (map (λx → alpha * x)) ∘ split s0 $ xs
> redo
E15 nothing to redo: @3 is the last on its branch
> undo 2
@0  source
    map (λx → alpha * x) xs
> redo 2
@3  toGlobal
    toGlobal ∘ join ∘ map (map (λx → alpha * x)) ∘ split s0 $ xs
> undo 9
E15 cannot undo 9 steps: @3 is 2 from the source
  try     undo 2
> undo x
E05 undo must be a whole number from 1 to 2147483647, not "x"
> goto @two
@2  topdown(mapSeq)
    join ∘ mapSeq (map (λx → alpha * x)) ∘ split s0 $ xs
> goto @^
@1  splitJoin{n=s0}
    join ∘ map (map (λx → alpha * x)) ∘ split s0 $ xs
> goto @-
@2  topdown(mapSeq)
    join ∘ mapSeq (map (λx → alpha * x)) ∘ split s0 $ xs
> goto @9
E13 scal has no version @9; the newest is @3
  try     log
> goto @nosuch
E13 scal has no version tagged "nosuch"
  try     list tags
> goto @2.1
E13 @2 is a single step: topdown(mapSeq)
  try     log @2 --expand
> goto one
@1  splitJoin{n=s0}
    join ∘ map (map (λx → alpha * x)) ∘ split s0 $ xs
> goto
E05 which version?
  form    goto @VERSION
> redo @2
@2  topdown(mapSeq)
    join ∘ mapSeq (map (λx → alpha * x)) ∘ split s0 $ xs
> goto @0; redo @2
@0  source
    map (λx → alpha * x) xs
E15 @2 is no child of @0
  try     goto @2
> log --path
* @0  source
> log @1
  @1  splitJoin{n=s0}  at /  [one]
  ├─ @3  toGlobal  at /
  @2  topdown(mapSeq)  at /in  [two]
> log --expand
* @0  source
  @1  splitJoin{n=s0}  at /  [one]
  ├─ @3  toGlobal  at /
  @2  topdown(mapSeq)  at /in  [two]
> log @99
E13 scal has no version @99; the newest is @3
  try     log
> apply splitJoin
@4  splitJoin{n=s0}  at /               builtin    from @0
  - map (λx → alpha * x) xs
  + join ∘ map (map (λx → alpha * x)) ∘ split s0 $ xs
  type   [N]f32                       unchanged
  param  s0 : int    1 <= s0 <= N, s0 divides N        9 legal values for N = 256
  same   term as @1        goto @1
  focus  /  ->  /                     5 moves here
