> # programs, expressions and data as people write them who come from other languages
> let
E05 nothing is defined
  form    let NAME PARAM ... = EXPR
> let x
E03 expected a parameter, `:` or `=`, found the end of the input
  let:1:2
  | x
  |  ^
> let f (x: f32) = x +
E03 expected an expression, found the end of the input
  let:1:17
  | f (x: f32) = x +
  |                 ^
> let f (x: f32) = y
E02 no definition, primitive or variable called "y"
  let:1:14
  | f (x: f32) = y
  |              ^
> let f (x: f23) = x
E03 expected a type, found the name `f23`
  let:1:7
  | f (x: f23) = x
  |       ^~~
  needs   bf16 f16 f32 f64 i8 i16 i32 i64 u8 u16 u32 u64 bool size, [N]type, <4>scalar, (type, type), type -> type
> let f (x: [N]) = x
E03 expected a type, found `)`
  let:1:10
  | f (x: [N]) = x
  |          ^
> let f (xs: [N]float) = xs
E03 expected a type, found the name `float`
  let:1:11
  | f (xs: [N]float) = xs
  |           ^~~~~
  needs   bf16 f16 f32 f64 i8 i16 i32 i64 u8 u16 u32 u64 bool size, [N]type, <4>scalar, (type, type), type -> type
  hint    f32
> let f (xs: float[N]) = xs
E03 expected a type, found the name `float`
  let:1:8
  | f (xs: float[N]) = xs
  |        ^~~~~
  needs   bf16 f16 f32 f64 i8 i16 i32 i64 u8 u16 u32 u64 bool size, [N]type, <4>scalar, (type, type), type -> type
  hint    f32
> let f (xs: [N]f32) -> f32 = xs
E03 expected a parameter, `:` or `=`, found `->`
  let:1:16
  | f (xs: [N]f32) -> f32 = xs
  |                ^~
  hint    the type of a result stands behind a colon: f (x: f32): f32 = ...
> let f (xs: [N]f32) (xs: [N]f32) = xs
E04 two parameters are called "xs"
  let:1:16
  | f (xs: [N]f32) (xs: [N]f32) = xs
  |                ^~~~~~~~~~~~
> let f (xs: [0]f32) = xs
E04 an array length must be at least 1, not 0
  let:1:8
  | f (xs: [0]f32) = xs
  |        ^~~~~~
> let map (xs: [N]f32) = xs
E04 "map" is a primitive and cannot be redefined
  let:1:1
  | map (xs: [N]f32) = xs
  | ^~~
  needs   another name: map_ or my_map; help map says what it does
> let f (xs: [N]f32) = map xs
E04 map takes 2 arguments, it is given 1
  let:1:18
  | f (xs: [N]f32) = map xs
  |                  ^~~~~~
  needs   map : (a -> b) -> [n]a -> [n]b
> let f (xs: [N]f32) = map (\x -> x) ys
E02 no definition, primitive or variable called "ys"
  let:1:32
  | f (xs: [N]f32) = map (\x -> x) ys
  |                                ^~
  hint    did you mean xs?
  try     let f (xs: [N]f32) = map (\x -> x) xs
> let f (xs: [N]f32) = mpa abs xs
E02 no definition, primitive or variable called "mpa"
  let:1:18
  | f (xs: [N]f32) = mpa abs xs
  |                  ^~~
  hint    did you mean map?
  try     let f (xs: [N]f32) = map abs xs
> let f (xs: [N]f32) = reduce + 0 xs
E04 a function stands where a value is needed
  let:1:18
  | f (xs: [N]f32) = reduce + 0 xs
  |                  ^~~~~~
  hint    an operator that is an argument stands in brackets: (+)
> let f (xs: [N]f32) = sum xs
f : [N]f32 -> f32
> let f (xs: [N]f32) = foldl (+) 0 xs
E02 no definition, primitive or variable called "foldl"
  let:1:18
  | f (xs: [N]f32) = foldl (+) 0 xs
  |                  ^~~~~
  hint    reduceSeq f z xs goes from the left, reduce f z xs in any order
> let f (xs: [N]f32) = mean xs
f : [N]f32 -> f32
> let f (xs: [N]f32) = len xs
E02 no definition, primitive or variable called "len"
  let:1:18
  | f (xs: [N]f32) = len xs
  |                  ^~~
  hint    length xs
> let f (xs: [N]f32) = reverse xs
E02 no definition, primitive or variable called "reverse"
  let:1:18
  | f (xs: [N]f32) = reverse xs
  |                  ^~~~~~~
  hint    reorder reverse xs
> let f (xs: [N]f32) = map (lambda x: x) xs
E03 expected a type, found the name `x`
  let:1:33
  | f (xs: [N]f32) = map (lambda x: x) xs
  |                                 ^
  hint    a lambda is \x -> ...
> let f (xs: [N]f32) = map (fn x => x) xs
E03 expected an operator, `,` or `)`, found `=>`
  let:1:28
  | f (xs: [N]f32) = map (fn x => x) xs
  |                            ^~
  hint    a lambda is \x -> ...
  opened  `(` at let:1:22
> let f (xs: [N]f32) = map (x -> x + 1) xs
E03 expected an operator, `,` or `)`, found `->`
  let:1:25
  | f (xs: [N]f32) = map (x -> x + 1) xs
  |                         ^~
  hint    a lambda starts with a backslash: \x -> ...
  opened  `(` at let:1:22
> let f (xs: [N]f32) = map (\x y -> x + y) (zip xs xs)
f : [N]f32 -> [N]f32
> let f (xs: [N]f32) = map (\x -> x ** 2) xs
f : [N]f32 -> [N]f32
> let f (xs: [N]f32) = map (\x -> x^2) xs
f : [N]f32 -> [N]f32
> let f (xs: [N]f32) = map (\x -> x % 2) xs
E04 %: argument 1 must be an integer, found f32
  let:1:29
  | f (xs: [N]f32) = map (\x -> x % 2) xs
  |                             ^~~~~
  needs   an integer
  found   f32
  hint    of floats: floor (x / y), and x - y * floor (x / y), or fmod x y towards zero
> let f (xs: [N]i32) = map sqrt xs
E04 sqrt: argument 1 must be a float, found i32
  let:1:22
  | f (xs: [N]i32) = map sqrt xs
  |                      ^~~~
  needs   a float
  found   i32
  hint    f32 x makes a float of it
> let f (xs: [N]f32) = map (\x -> x == 1 or x == 2) xs
E03 comparisons do not chain
  let:1:41
  | f (xs: [N]f32) = map (\x -> x == 1 or x == 2) xs
  |                                         ^~
  hint    a < b && b < c, or with ||
> let f (xs: [N]f32) = map (\x -> not (x == 1)) xs
E02 no definition, primitive or variable called "not"
  let:1:29
  | f (xs: [N]f32) = map (\x -> not (x == 1)) xs
  |                             ^~~
  hint    !x
> let f (xs: [N]f32) = xs + 1
E04 + is of numbers, and does not lift to arrays
  let:1:18
  | f (xs: [N]f32) = xs + 1
  |                  ^~~~~~
  found   [N]f32 and i32
  hint    map (+ 1) xs
> let f (xs: [N]f32) = if xs then 1 else 2
E04 if: "cond" must be bool, found [N]f32
  let:1:18
  | f (xs: [N]f32) = if xs then 1 else 2
  |                  ^~~~~~~~~~~~~~~~~~~
  needs   bool
  found   [N]f32
  hint    map: scalar operations do not lift to arrays
> let f (xs: [N]f32) = zip xs
E04 zip takes 2 arrays, or one tuple of 2; found [N]f32
  let:1:18
  | f (xs: [N]f32) = zip xs
  |                  ^~~~~~
> let f (xs: [N]f32) = xs [0]
E04 "xs" is a value, it cannot be applied
  let:1:18
  | f (xs: [N]f32) = xs [0]
  |                  ^~~~~~
  found   xs : [N]f32
  hint    an index follows its array without a space: xs[0]
> let f (xs: [N]f32) = -- all of them
E02 no definition, primitive or variable called "of"
  let:1:25
  | f (xs: [N]f32) = -- all of them
  |                         ^~
  hint    a comment begins with #
> eval 1 +
E03 expected an expression, found the end of the input
  eval:1:4
  | 1 +
  |    ^
> eval 1/0
E38 / in /: integer division of 1 by zero
  needs   a divisor other than 0
  found   1 / 0
> eval 1 == 1.0
bool
  true
  hash 9c12cfdc04c74584
> eval [1, 2, 3][5]
E38 x[i] in /: index 5 is out of range
  needs   0 <= index < 3
  found   5
> eval [1, 2, 3] + 1
E04 + is of numbers, and does not lift to arrays
  eval:1:1
  | [1, 2, 3] + 1
  | ^~~~~~~~~~~~~
  found   [3]i32 and i32
  hint    map (+ 1) [1, 2, 3]
> eval map (+) [1, 2]
E04 + takes 2 arguments, or one tuple of 2; found i32
  eval:1:5
  | map (+) [1, 2]
  |     ^~~
> eval reduce (+) [1, 2, 3]
E04 reduce takes 3 arguments, it is given 2
  eval:1:1
  | reduce (+) [1, 2, 3]
  | ^~~~~~~~~~~~~~~~~~~~
  needs   reduce : ((a, a) -> a) -> a -> [n]a -> a
  hint    between the function and the array stands what it starts from: reduce f z xs
> eval reduce + 0 [1, 2, 3]
E04 a function stands where a value is needed
  eval:1:1
  | reduce + 0 [1, 2, 3]
  | ^~~~~~
  hint    an operator that is an argument stands in brackets: (+)
> eval zip [1, 2] [3]
E04 zip: the lengths differ: [2]i32 and [1]i32
  eval:1:1
  | zip [1, 2] [3]
  | ^~~~~~~~~~~~~~
  needs   equal lengths, as polynomials
> eval split 2 [1, 2, 3]
E04 split: 2 must divide 3
  eval:1:1
  | split 2 [1, 2, 3]
  | ^~~~~~~~~~~~~~~~~
> eval transpose [1, 2, 3]
E04 transpose: "in" must be [n][m]a, found [3]i32
  eval:1:1
  | transpose [1, 2, 3]
  | ^~~~~~~~~~~~~~~~~~~
  needs   [n][m]a
  found   [3]i32
> eval sqrt 2
f32
  1.4142135
  hash 5d76d2ad53d3be22
> eval iota
E04 "iota" is a function; a value is needed here
  eval:1:1
  | iota
  | ^~~~
> eval \x -> x
E04 a function stands where a value is needed
  eval:1:1
  | \x -> x
  | ^~~~~~~
  hint    one with a name: let f x = ..., or let f (x: f32) = ...
> eval if true then 1 else 2.0
f32
  1
  hash 3f811f344b5ae81a
> eval "hello"
E02 no definition, primitive or variable called "hello"
  eval:1:1
  | hello
  | ^~~~~
> eval 3 > 2
E03 a > in an expression stands in brackets: (x > 2)
  hint    a file that is called so is ./2
> eval (1, 2).2
E04 there is no component .2 in (i32, i32)
  eval:1:1
  | (1, 2).2
  | ^~~~~~~~
  hint    the first is .0, the last .1
> eval reduce max 0 []
E03 an array has one element at least
  eval:1:14
  | reduce max 0 []
  |              ^~
> load tests/programs/mm.fun
mm : [N][K]f32 -> [K][M]f32 -> [N][M]f32
> data N
  N = 256    (default)
> data A
  A : [N][K]f32             (default; random)
> data N=
E05 data takes NAME = SPEC
  form    data [NAME | NAME = SPEC [, NAME = ...]]
> data N 5
E05 data takes NAME = SPEC
  form    data [NAME | NAME = SPEC [, NAME = ...]]
  try     data N = 5
> data N = ten
E05 N must be a whole number from 1 to 1099511627776, not "ten"
> data N = -4
E05 N must be a whole number from 1 to 1099511627776, not "-4"
> data N = 3.5
E05 N must be a whole number from 1 to 1099511627776, not "3.5"
> data N = 2^10, K = 4*1024, M = 1e3
> data M = 4Ki
> data
  N = 1024
  K = 4096
  M = 4096
  A : [N][K]f32             (default; random)
  B : [K][M]f32             (default; random)
> data Q = 5
E02 mm has no size "Q"
  has     N K M A B
> data n = 5
E02 mm has no size "n"
  has     N K M A B
> data A = random
> data A = zeros
E05 "zeros" describes no input
  needs   random(seed,lo,hi), iota, const(v), file("x.bin"), adversarial(seed), stochastic(seed), offsets(seed,n), values: [1, 2, 3], or a number: 0.1/(N-1)
  hint    const(0)
> data A = file(a.npy)
E05 "file(a.npy)" describes no input
  needs   random(seed,lo,hi), iota, const(v), file("x.bin"), adversarial(seed), stochastic(seed), offsets(seed,n), values: [1, 2, 3], or a number: 0.1/(N-1)
  hint    file("a.npy")
> data A = const(x)
E05 "x" describes no input
  needs   random(seed,lo,hi), iota, const(v), file("x.bin"), adversarial(seed), stochastic(seed), offsets(seed,n), values: [1, 2, 3], or a number: 0.1/(N-1)
> data N=64, K=64,
E05 data takes NAME = SPEC
  form    data [NAME | NAME = SPEC [, NAME = ...]]
> data A = [[1, 2], [3]]
> eval @9
E13 mm has no version @9; the newest is @0
  try     log
> eval A[0][0][0]
E04 at: "in" must be [n]a, found f32
  eval:1:1
  | A[0][0][0]
  | ^~~~~~~~~~
  needs   [n]a
  found   f32
> eval row
E02 no definition, primitive or variable called "row"
  eval:1:1
  | row
  | ^~~
  hint    did you mean pow?
  try     eval pow
> = 1 +
E24 lua:1: unexpected symbol near <eof>
> =
E24 an expression is missing behind =
> = foo.bar
E24 lua:1: attempt to index a nil value (global 'foo')
> lua
E05 lua needs a chunk; `help lua`
> lua x
nil
> lua print("a"
E24 lua:1: ')' expected near <eof>
> lua error("boom")
E24 lua:1: boom
> lua t.apply("foo")
E02 no rule, macro or Lua value called "foo"
  try     list rules
> lua t.foo()
E01 no command "foo"
  try     help
> # a power, of floats: as Haskell, Julia, Fortran and Python write it
> let f (xs: [N]f32) = map (\x -> -x ** 2 * 3 + x^2^1.5) xs
f : [N]f32 -> [N]f32
> show
map (λx → -pow x 2 * 3 + pow x (pow 2 1.5)) xs
> let f (xs: [N]f32) = map (^ 2) (map (2 **) xs)
f : [N]f32 -> [N]f32
> show
map (λx → pow x 2) ∘ map (λx → pow 2 x) $ xs
> let bad (n: [N]i32) = map (^ 2) n
E04 pow: argument 1 must be a float, found i32
  let:1:23
  | bad (n: [N]i32) = map (^ 2) n
  |                       ^~~~~
  needs   a float
  found   i32
  hint    of integers: x * x is a square, shl 1 k a power of 2, bxor a b the exclusive or
> let bad (xs: [N]f32) = split (2 ^ 2) xs
E04 "pow" is no operator of sizes; sizes have + - * / // %
  let:1:26
  | bad (xs: [N]f32) = split (2 ^ 2) xs
  |                          ^~~~~~~
  hint    a power has a name: N, and data N = 2^12 sets it
> # three arrays, and the ends of one
> let f (x: [N][M]f32) (y: [N][M]f32) = zipWith (zipWith fma) x y x
f : [N][M]f32 -> [N][M]f32 -> [N][M]f32
> show
map (λ(xs, xs1, xs2) → map fma (zip xs xs1 xs2)) (zip x y x)
> let f (x: [N][M]f32) (y: [N][M]f32) = zipWith zip3 x y x
f : [N][M]f32 -> [N][M]f32 -> [N][M](f32, f32, f32)
> let f (x: [N]f32) = zipWith (-) (tail x) (init x)
f : [N]f32 -> [N - 1]f32
> show
map (-) (zip (drop 1 x) (take (N - 1) x))
> let f (x: [N]f32) = if any (map (> 3) x) && all (map (< 9) x) then head x else square (last x)
f : [N]f32 -> f32
> show
if (reduce (||) false ∘ map (λx1 → x1 > 3) $ x) && (reduce (&&) true ∘ map (λx1 → x1 < 9) $ x)
  then x[0]
  else let x1 = x[N - 1] in x1 * x1
> # of Python, Haskell and others: what to type instead
> let f (x: [N]f32) = x[:-1]
E03 a range is no index
  let:1:20
  | f (x: [N]f32) = x[:-1]
  |                    ^
  hint    the first n are take n x, all but the last init x
> let f (x: [N]f32) = [a * a | a <- x]
E03 `|` starts nothing in this language
  let:1:24
  | f (x: [N]f32) = [a * a | a <- x]
  |                        ^
  needs   `||` (or), `|>` (pipe), or `bor a b` on integers; an element for each of xs is map (\x -> e) xs
> let f (x: [N]f32) = x.sum()
E03 there is no empty tuple `()`: a function takes what stands behind it, sum x
  let:1:22
  | f (x: [N]f32) = x.sum()
  |                      ^~
> let f (x: [N]f32) = np.sum(x)
E02 no definition, primitive or variable called "np"
  let:1:17
  | f (x: [N]f32) = np.sum(x)
  |                 ^~
  hint    functions stand by themselves: sum x, exp x; help prelude
> let f (x: [N]f32) = map (\a. a + 1) x
E03 expected a parameter or `->`, found `.`
  let:1:24
  | f (x: [N]f32) = map (\a. a + 1) x
  |                        ^
  hint    a lambda is \x -> ...
> let f (x: [N]f32) = map (uncurry (+)) (zip x x)
E02 no definition, primitive or variable called "uncurry"
  let:1:22
  | f (x: [N]f32) = map (uncurry (+)) (zip x x)
  |                      ^~~~~~~
  hint    f takes a pair as well: map (+) (zip xs ys)
> let f (x: [N]f32) = x |> map (_ + 1)
E04 map needs a function here
  let:1:26
  | f (x: [N]f32) = x |> map (_ + 1)
  |                          ^~~~~~~
  hint    a function of one argument is \x -> ..., or (+ 1)
> let f (x: [N]f32) = concat x x x
E04 concat takes 2 arguments, it is given 3
  let:1:17
  | f (x: [N]f32) = concat x x x
  |                 ^~~~~~~~~~~~
  needs   concat : [n]a -> [m]a -> [n+m]a
  hint    concat a (concat b c)
> let f (x: [N]f32) = 1:x
E03 expected an operator, `with` or the end of the declaration, found `:`
  let:1:18
  | f (x: [N]f32) = 1:x
  |                  ^
  hint    `concat [a] xs` has a in front; a lambda with a type is \(x: f32) -> ...
> let f (x: [N]f32) = x !! 0
E03 an argument that starts with `!` needs brackets
  let:1:19
  | f (x: [N]f32) = x !! 0
  |                   ^
  hint    an element is xs[0]
> let f (n: i32) = n /= 3
E03 expected an expression, found `=`
  let:1:17
  | f (n: i32) = n /= 3
  |                 ^
  hint    `!=` is unequal
> # a chain of calls is shown up to the program
> let root x = sqrt x
root : helper, typed where it is used
> let shifted x = root (x + 1)
shifted : helper, typed where it is used
> let f (xs: [N]i32) = map shifted xs
E04 sqrt: argument 1 must be a float, found i32
  let:1:10
  | root x = sqrt x
  |          ^~~~~~
  needs   a float
  found   i32
  hint    f32 x makes a float of it
  call    root at let:1:13, x: i32
  call    shifted at let:1:22, x: i32
> let f (xs: [N]f32) (A: [N][M]f32) = map (zipWith shifted) (zip xs A)
E04 zip: argument 1 must be an array, found f32
  let:1:37
  | f (xs: [N]f32) (A: [N][M]f32) = map (zipWith shifted) (zip xs A)
  |                                     ^~~~~~~~~~~~~~~~~
  within  let zipWith f xs ys = map f (zip xs ys)
> # what lacks arguments or has too many says its form
> let f (xs: [N]f32) = filter (> 0) xs
E04 filter takes 3 arguments one by one, or the last as one tuple; it is given 2
  let:1:18
  | f (xs: [N]f32) = filter (> 0) xs
  |                  ^~~~~~~~~~~~~~~
  needs   filter p fill xs
> let f (A: [N][M]f32) = sum 0 A
E04 reduce takes 3 arguments, it is given 4
  let:1:20
  | f (A: [N][M]f32) = sum 0 A
  |                    ^~~~~~~
  needs   reduce : ((a, a) -> a) -> a -> [n]a -> a
  within  let sum xs = reduce (+) 0 xs
  hint    sum takes 1: sum xs
> let f (img: [H][W]f32) = slide2 3 5 2 1 img
E04 map: "in" must be [n]a, found i32
  let:1:22
  | f (img: [H][W]f32) = slide2 3 5 2 1 img
  |                      ^~~~~~~~~~~~~~~~~~
  needs   [n]a
  found   i32
  within  let slide2 k s x = map transpose (slide k s (map (slide k s) x))
  hint    slide2 takes 3: slide2 k s x
> let f (A: [N][M]f32) (B: [N][M]f32) (C: [N][M]f32) = zipWith2 (\a b c -> a * b + c) A B C
f : [N][M]f32 -> [N][M]f32 -> [N][M]f32 -> [N][M]f32
> let f (A: [N][M]f32) (B: [N][M]f32) (C: [N][M]f32) = zipWith (zipWith fma) A B C
f : [N][M]f32 -> [N][M]f32 -> [N][M]f32 -> [N][M]f32
> # names
> let x' (a: f32) = a
E03 a name has no primes
  let:1:2
  | x' (a: f32) = a
  |  ^
  needs   letters, digits and `_`: x2, x_next
> let round (xs: [N]f32) = map (\v -> v) xs
E04 "round" is a primitive and cannot be redefined
  let:1:1
  | round (xs: [N]f32) = map (\v -> v) xs
  | ^~~~~
  needs   another name: round_ or my_round; help round says what it does
> let sum (xs: [N]f32) = reduce max 0 xs
sum : [N]f32 -> f32
> let f (xs: [N]f32) = sum xs
f : [N]f32 -> f32
> let f (xs: [N]f32) = let round y = y + 1 in map round xs
f : [N]f32 -> [N]f32
> let f (xs: [N]f32) = map (* K) xs
E02 no definition, primitive or variable called "K"
  let:1:25
  | f (xs: [N]f32) = map (* K) xs
  |                         ^
  hint    a size that no input has is a parameter: (K: size)
> let f (img: [H][W]f32) = maxPool 2 img
E02 no definition, primitive or variable called "maxPool"
  let:1:22
  | f (img: [H][W]f32) = maxPool 2 img
  |                      ^~~~~~~
  hint    map2 (\w -> maximum (join w)) (slideFloor2 k s xs)
> # words and marks of other languages
> let f (xs: [N]i32) = map (\v -> match v with 0 -> 1) xs
E03 expected an operator, `,` or `)`, found the keyword `with`
  let:1:37
  | f (xs: [N]i32) = map (\v -> match v with 0 -> 1) xs
  |                                     ^~~~
  hint    if x == a then e else ...
  opened  `(` at let:1:22
> let f (xs: [N]i32) = map (\v -> case v of { 0 -> 1 }) xs
E03 expected the name of a part, found the number `0`
  let:1:41
  | f (xs: [N]i32) = map (\v -> case v of { 0 -> 1 }) xs
  |                                         ^
  hint    if x == a then e else ...
> let f (xs: [N]i32) = y where y = xs
E03 expected an operator, `with` or the end of the declaration, found `=`
  let:1:28
  | f (xs: [N]i32) = y where y = xs
  |                            ^
  hint    let x = e in ..., or of each element: zipWith3 (\c a b -> if c then a else b) cs xs ys
> let f (xs: [N]f32) = map (fun v -> v + 1) xs
E03 expected an operator, `,` or `)`, found `->`
  let:1:29
  | f (xs: [N]f32) = map (fun v -> v + 1) xs
  |                             ^~
  hint    a lambda is \x -> ...
  opened  `(` at let:1:22
> let f (xs: [N]f32) = xs[0] <- 1
E03 `<-` sets nothing
  let:1:24
  | f (xs: [N]f32) = xs[0] <- 1
  |                        ^~
  needs   `x with [i] = v` for x with another element i, `let x = e in` for a name; x < -1 compares
> let f (xs: [N]f32) = map (\v -> v < -1 && v<-2) xs
f : [N]f32 -> [N]bool
> let f (xs: [N]f32) = let a, b = (1, 2) in xs
E03 expected `=`, found `,`
  let:1:23
  | f (xs: [N]f32) = let a, b = (1, 2) in xs
  |                       ^
  hint    several stand in brackets, (a, b); a lambda of two is \a b -> ...
> let f (xs: [N]f32) = map (\a, b -> a + b) xs
E03 expected a parameter or `->`, found `,`
  let:1:25
  | f (xs: [N]f32) = map (\a, b -> a + b) xs
  |                         ^
  hint    several stand in brackets, (a, b); a lambda of two is \a b -> ...
> let f (ps: [N]{x: f32, y: f32}) = map (\{x, y} -> x + y) ps
E03 expected a name, `_` or a bracketed pattern, found `{`
  let:1:37
  | f (ps: [N]{x: f32, y: f32}) = map (\{x, y} -> x + y) ps
  |                                     ^
  hint    parts of a record r are r.x, r.y; as a tuple it is (x, y)
> let f (xs: [N]f32) = map (\v -> v + 0b101 + 1_000) xs
E03 `0b101` is neither a number nor a name
  let:1:33
  | f (xs: [N]f32) = map (\v -> v + 0b101 + 1_000) xs
  |                                 ^~~~~
  needs   hexadecimal digits: 0b1010 is 0xA
> let f (xs: [N]f32) = map (\v -> v + 1_000) xs
E03 `1_000` is neither a number nor a name
  let:1:33
  | f (xs: [N]f32) = map (\v -> v + 1_000) xs
  |                                 ^~~~~
  needs   its digits alone: 1000 for 1_000
> let f (s: String) = s
E03 expected a type, found the name `String`
  let:1:7
  | f (s: String) = s
  |       ^~~~~~
  needs   bf16 f16 f32 f64 i8 i16 i32 i64 u8 u16 u32 u64 bool size, [N]type, <4>scalar, (type, type), type -> type
  hint    [N]u8
> let f (xs: [N]f32) = mapi (\i v -> v) xs
E02 no definition, primitive or variable called "mapi"
  let:1:18
  | f (xs: [N]f32) = mapi (\i v -> v) xs
  |                  ^~~~
  hint    zipWith f (iota N) xs
