> drop @1
E10 no program is loaded
  try     load tests/programs/dot.fun        or a file .fun of your own
> load tests/programs/scal.fun
scal : f32 -> [N]f32 -> [N]f32
> set verbose 0
> apply splitJoin
@1  splitJoin{n=s0}  at /               builtin    from @0
> apply mapSeq at /in
@2  mapSeq  at /in                      builtin    from @1
> undo
@1  splitJoin{n=s0}
> apply toGlobal
@3  toGlobal  at /                      builtin    from @1
> goto @0
@0  source
> apply toGlobal
@4  toGlobal  at /                      builtin    from @0
> log
  @0  source
  ├─ @1  splitJoin{n=s0}  at /
  │  ├─ @2  mapSeq  at /in
  │  @3  toGlobal  at /
* @4  toGlobal  at /
> drop
E05 which version?
  form    drop @VERSION [--force]
> drop @0
E16 @0 is the source: it cannot be dropped
> drop @4
E16 @4 is current
  try     drop @4 --force
> tag kept @2
@2 is now "kept"
> drop @1
E16 @2 is tagged "kept"
  try     drop @1 --force
> tag -d kept
@2 is no longer "kept"
> drop @1
dropped @1 and 2 versions below it
> log
  @0  source
* @4  toGlobal  at /
> goto @2
E13 @2 of scal was dropped
  try     log
> goto @-
@0  source
> drop @1
E13 @1 of scal was dropped
  try     log
> # numbers are not used again, and an equal term is found only in the tree
> goto @0
@0  source
> apply splitJoin
@5  splitJoin{n=s0}  at /               builtin    from @0
> log
  @0  source
  ├─ @4  toGlobal  at /
* @5  splitJoin{n=s0}  at /
> list programs
  scal            @5, 3 versions  (current)   [N]f32
> drop @5 --force
dropped @5
@0  source
> drop @4 --force
dropped @4
> apply splitJoin
@6  splitJoin{n=s0}  at /               builtin    from @0
> drop @^ --force
E16 @0 is the source: it cannot be dropped
> log
  @0  source
* @6  splitJoin{n=s0}  at /
