> tag here
E10 no program is loaded
  try     load tests/programs/dot.fun        or a file .fun of your own
> load tests/programs/scal.fun
scal : f32 -> [N]f32 -> [N]f32
> tag
scal has no tags
> apply splitJoin
@1  splitJoin{n=s0}  at /               builtin    from @0
  - map (λx → alpha * x) xs
  + join ∘ map (map (λx → alpha * x)) ∘ split s0 $ xs
  type   [N]f32                       unchanged
  param  s0 : int    1 <= s0 <= N, s0 divides N        9 legal values for N = 256
  focus  /  ->  /                     5 moves here
> tag split
@1 is now "split"
> tag first @0
@0 is now "first"
> tag split @0
E05 the tag "split" already names @1
  try     tag -d split
> tag again
@1 is now "again", no longer "split"
> tag 3
E05 "3" is not a tag: letters, digits, _ and -, not starting with a digit
> tag a b c
E05 "c" is one argument too many for tag
  form    tag [NAME [@VERSION]] | tag -d NAME
> tag nosuch @9
E13 scal has no version @9; the newest is @1
  try     log
> tag
  first           @0  source
  again           @1  splitJoin{n=s0}
> list tags
  first           @0  source
  again           @1  splitJoin{n=s0}
> goto @first
@0  source
    map (λx → alpha * x) xs
> tag -d again
@1 is no longer "again"
> tag -d again
E13 scal has no version tagged "again"
  try     list tags
> tag -d
E05 -d needs a value
  form    tag [NAME [@VERSION]] | tag -d NAME
> goto @again
E13 scal has no version tagged "again"
  try     list tags
> tag last @-
@1 is now "last"
> log
* @0  source  [first]
  @1  splitJoin{n=s0}  at /  [last]
> # what lower makes is named as it is made, as a step is
> let total (xs: [N]f32) = reduce (+) 0 xs
total : [N]f32 -> f32
> lower as fast | head -1
@1  lower                               builtin    from @0
> lower lowerSeq as fast
E05 the tag "fast" already names @1
  try     tag -d fast
> goto @0
@0  source
    reduce (+) 0 xs
> lower lowerSeq as seq | head -1
@2  lowerSeq                            builtin    from @0
> list tags
  fast            @1  lower
  seq             @2  lowerSeq
> apply as seq
E05 the form is not complete
  form    apply [--trace [--depth N]] STRATEGY|NUMBER [at PLACE] [as TAG]
