> undo
E10 no program is loaded
  try     load tests/programs/dot.fun        or a file .fun of your own
> redo
E10 no program is loaded
  try     load tests/programs/dot.fun        or a file .fun of your own
> goto @0
E10 no program is loaded
  try     load tests/programs/dot.fun        or a file .fun of your own
> log
E10 no program is loaded
  try     load tests/programs/dot.fun        or a file .fun of your own
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
> # the program as it is written, and names that are used once inlined one after the other
> let named (x: [N]f32) = let y = map (\a -> a + 1) x let z = map (\a -> a * 2) y in map (\a -> a - 3) z
named : [N]f32 -> [N]f32
  inlined  y, z: used once (letDuplicate)
> show @0.0
let y = map (λa → a + 1) x in let z = map (λa → a * 2) y in map (λa → a - 3) z
> show @0.1
let z = map (λa → a * 2) ∘ map (λa → a + 1) $ x in map (λa → a - 3) z
> show @0.2
map (λa → a - 3) ∘ map (λa → a * 2) ∘ map (λa → a + 1) $ x
> show @0.3
E13 @0.0 is the program as it is written; names are inlined up to @0.2
  try     log @0 --expand
> log --expand
* @0  source
      .1  letDuplicate  at /  inlined y
      .2  letDuplicate  at /  inlined z
> explain @0.0 @0 --expand
@0.0 => @0.1  letDuplicate  at /
      let y = map (λa → a + 1) x in let z = map (λa → a * 2) y in map (λa → a - 3) z
    = let z = map (λa → a * 2) ∘ map (λa → a + 1) $ x in map (λa → a - 3) z
@0.1 => @0  letDuplicate  at /
      let z = map (λa → a * 2) ∘ map (λa → a + 1) $ x in map (λa → a - 3) z
    = map (λa → a - 3) ∘ map (λa → a * 2) ∘ map (λa → a + 1) $ x
> explain @0 @0.1
@0 <= @0.1  letDuplicate  at /
      map (λa → a - 3) ∘ map (λa → a * 2) ∘ map (λa → a + 1) $ x
    = let z = map (λa → a * 2) ∘ map (λa → a + 1) $ x in map (λa → a - 3) z
> diff @0.1 @0
/
  - let z = map (λa → a * 2) ∘ map (λa → a + 1) $ x in map (λa → a - 3) z
  + map (λa → a - 3) ∘ map (λa → a * 2) ∘ map (λa → a + 1) $ x
> data N = 2, x = [1, 2]
> eval @0.0
@0.0  [2]f32    N=2
  [1, 3]
  hash 743da4ec88e90ecd
> undo
E15 nothing to undo: @0 is the source
  try     show @0.0        the program as it is written
> goto @0.1
E15 steps are made from @0, where names that are used once are inlined
  try     show @0.1
> tag first @0.1
E13 @0.1 is an inner step of @0 and no version of its own yet
  try     show @0.1
> apply mapFusion
@1  mapFusion  at /                     builtin    from @0
  - map (λa → a - 3) ∘ map (λa → a * 2) ∘ map (λa → a + 1) $ x
  + map (λa → a * 2 - 3) ∘ map (λa → a + 1) $ x
  type   [N]f32                       unchanged
  focus  /  ->  /                     19 moves here
> explain @0.1 @1
@0.1 => @0  letDuplicate  at /
      let z = map (λa → a * 2) ∘ map (λa → a + 1) $ x in map (λa → a - 3) z
    = map (λa → a - 3) ∘ map (λa → a * 2) ∘ map (λa → a + 1) $ x
@0 => @1  mapFusion  at /
      map (λa → a - 3) ∘ map (λa → a * 2) ∘ map (λa → a + 1) $ x
    = map (λa → a * 2 - 3) ∘ map (λa → a + 1) $ x
> let plain (x: [N]f32) = map (\a -> a + 1) x
plain : [N]f32 -> [N]f32
> show @0.0
E13 @0 is a single step: source
  try     log @0 --expand
