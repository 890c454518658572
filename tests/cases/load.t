> load tests/programs/dot.fun
dot : [N]f32 -> [N]f32 -> f32
> load tests/programs/gemv.fun
gemv : [N][M]f32 -> [M]f32 -> [N]f32 -> f32 -> f32 -> [N]f32        2 programs; list programs
> list programs
  dot             @0, 1 version               f32
  gemv            @0, 1 version  (current)    [N]f32
> use gemv
> use dot; show
reduce (+) 0 (map (*) (zip xs ys))
> use gemv@0
> use dto
E02 no program "dto"; did you mean dot?
  try     use dot
> use nothing
E02 no program "nothing"
  try     list programs
> load tests/programs/dot.fun as inner
inner : [N]f32 -> [N]f32 -> f32
> list programs
  dot             @0, 1 version               f32
  gemv            @0, 1 version               [N]f32
  inner           @0, 1 version  (current)    f32
> load no_such.fun
E06 cannot read no_such.fun: No such file or directory
  hint    a program is a file .fun, or defined here: let NAME PARAM ... = EXPR
  hint    programs to begin with are in tests/programs/: load tests/programs/dot.fun
> load tests
E06 cannot read tests: Is a directory
  hint    a program is a file .fun, or defined here: let NAME PARAM ... = EXPR
> load tests/programs/dot.fun as 3x
E05 "3x" is not a name for a program
> load tests/programs/dot.fun as
E05 a name is given with: as NAME
  form    load FILE [as NAME]
> load
E05 which file?
  form    load FILE [as NAME]
> let two (xs: [N]f32) =
>   map (\x -> x * 2) xs
two : [N]f32 -> [N]f32
> show
map (λx → x * 2) xs
> let half x = x / 2
half : helper, typed where it is used
> let halves (xs: [N]f32) = map half xs
halves : [N]f32 -> [N]f32
> show
map (λx → x / 2) xs
> let broken (xs: [N]f32) = map (\x -> x +
>
E03 expected an expression, found the end of the input
  let:1:37
  | broken (xs: [N]f32) = map (\x -> x +
  |                                     ^
> let broken (xs: [N]f32) = map undefined xs
E02 no definition, primitive or variable called "undefined"
  let:1:27
  | broken (xs: [N]f32) = map undefined xs
  |                           ^~~~~~~~~
> let dot (xs: [N]f32) (ys: [N]f32) = reduce (+) 0 (map (*) (zip ys xs))
dot : [N]f32 -> [N]f32 -> f32
> show
reduce (+) 0 (map (*) (zip ys xs))
> use dot; apply reduceSeq at /
@1  reduceSeq  at /                     builtin    from @0
  - reduce (+) 0 (map (*) (zip ys xs))
  + reduceSeq (+) 0 (map (*) (zip ys xs))
  type   f32                          unchanged
  focus  /  ->  /                     4 moves here
> let dot (xs: [N]f32) = reduce (+) 0 xs
dot changed; its earlier derivation is kept as dot.1
dot : [N]f32 -> f32
> list programs
  dot.1           @1, 2 versions              f32
  gemv            @0, 1 version               [N]f32
  inner           @0, 1 version               f32
  two             @0, 1 version               [N]f32
  halves          @0, 1 version               [N]f32
  dot             @0, 1 version  (current)    f32
> let
E05 nothing is defined
  form    let NAME PARAM ... = EXPR
> load gemv
E06 cannot read gemv: No such file or directory
  try     load tests/programs/gemv.fun
> load gemv.fun
E06 cannot read gemv.fun: No such file or directory
  try     load tests/programs/gemv.fun
