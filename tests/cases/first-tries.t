> # what people type first, and what they hear: literals
> let prepend (xs: [N]f64) = concat [0] xs
prepend : [N]f64 -> [N + 1]f64
> let split2 (v: [N]f32) = map (\x -> if x > 0 then (x, 0) else (0, x)) v
split2 : [N]f32 -> [N](f32, f32)
> let power (v: f64) = iterate 3 (\s -> s * v) 1
power : f64 -> f64
> data v = 1.5
> eval
@0  f64
  3.375
  hash 04dbe4ce0637330c
> let argmax (xs: [N]f64) = reduceSeq (\((m, j), (x, i)) -> if x > m then (x, i) else (m, j)) (-inf, 0) (zip xs (iota N))
argmax : [N]f64 -> (f64, i32)
> let centre (xs: [N]f64) = let m = 2.0 * N / 5 in map (\x -> x - m) xs
centre : [N]f64 -> [N]f64
> let zeros (xs: [N]u8) = zipWith (+) xs (replicate N 200)
zeros : [N]u8 -> [N]u8
> let scale (a: [N]f64) = let by k x = k * x in map (by (-1)) a
scale : [N]f64 -> [N]f64
> let votes (xs: [N]i32) = reduceByIndex (+) (replicate 4 0) (map (\x -> (x, 1)) xs)
votes : [N]i32 -> [4]i32
> info
/ of votes@0
  kind    reduceByIndex    z with out[i] = f(out[i], x) for every pair (i, x); an i without element is skipped; lowering may re-associate
  type    [4]i32
  length  4
  bytes   16
  space   global, the result
  slot    f      (+)                                                  ((i32, i32) -> i32)
  slot    init   generate 4 (λi → 0)                                  [4]i32
  slot    in     map (λx → (x, 1)) xs                                 [N](i32, i32)
  literal 0 is i32, 1 is i32: nothing else decides
  nodes   14
  trust   builtin
  hash    79a18a1d33e85086
  origin  @0 source
> let bad (xs: [N]i32) = map (\x -> x + 0.5) xs
E04 "0.5" is a float, where i32 is needed
  let:1:35
  | bad (xs: [N]i32) = map (\x -> x + 0.5) xs
  |                                   ^~~
  hint    f32 x is x as a float
  for     +: argument 2 must be i32, found f32
> let bad (xs: [N]i32) = reduceSeq (\(s, x) -> s * x) 1.5 xs
E04 "1.5" is a float, where i32 is needed
  let:1:49
  | bad (xs: [N]i32) = reduceSeq (\(s, x) -> s * x) 1.5 xs
  |                                                 ^~~
  hint    f32 x is x as a float
  for     *: argument 2 must be f32, found i32
> let bad (xs: [N]u8) = map (\x -> x + 300) xs
E04 300 is out of range for u8
  let:1:34
  | bad (xs: [N]u8) = map (\x -> x + 300) xs
  |                                  ^~~
  needs   0 to 255
> let bad (xs: [N]f32) = reduce (+) 0 (map (\x -> x > 0) xs)
E04 "0" is a number, where bool is needed
  let:1:31
  | bad (xs: [N]f32) = reduce (+) 0 (map (\x -> x > 0) xs)
  |                               ^
  for     reduce: "in" must be [n]i32, found [N]bool
> let bad (A: [N][M]f32) = map (\r -> if r[0] > 0 then r else 0) A
E04 "0" is a number, where [M]f32 is needed
  let:1:57
  | : [N][M]f32) = map (\r -> if r[0] > 0 then r else 0) A
  |                                                   ^
  for     if: "else" must be [M]f32, found i32
> let bad (x: f32) (y: f64) = (iterate 3 (\(a, b) -> (a * x, b * y)) (1, 1)).0 + y
E04 +: argument 2 must be f32, found f64
  let:1:25
  | bad (x: f32) (y: f64) = (iterate 3 (\(a, b) -> (a * x, b * y)) (1, 1)).0 + y
  |                         ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
  needs   f32
  found   f64
  hint    no value changes its type by itself: f64 x is x as f64
> let bad (x: [N]f32) = zipWith (+) x 1
E04 zip: argument 2 must be an array, found i32
  let:1:19
  | bad (x: [N]f32) = zipWith (+) x 1
  |                   ^~~~~~~~~~~~~~~
  within  let zipWith f xs ys = map f (zip xs ys)
> let bad (x: [N]f32) = loop 3 (\s -> map (* 2) s) x
E04 map: argument 3 must be an array, found i32
  let:1:26
  | bad (x: [N]f32) = loop 3 (\s -> map (* 2) s) x
  |                          ^~~~~~~~~~~~~~~~~~~
  needs   an array, or several
  hint    one value for all: a function of it, as in map (+ 1) xs; the f of loop takes a state and a number, \s i -> ...
> let bad (x: [N]f32) = slide 3 x
E04 "x" is a value, not a size
  let:1:27
  | bad (x: [N]f32) = slide 3 x
  |                           ^
  needs   a number, a length in a type, or a size that the program is given: (K: size)
  for     slide : k:size -> s:size -> [n]a -> [(n-k)/s+1][k]a {1 <= k, k <= n, s divides n-k}
> let bad (x: [N]f32) = x[1:3]
E03 a range is no index
  let:1:22
  | bad (x: [N]f32) = x[1:3]
  |                      ^
  hint    elements a to b-1 are take (b - a) (drop a x), or slice 1 f a b x of bounds that are values; scatter x is vs sets many
> let bad (x: [N]f32) = let x[0] = 1 in x
E03 expected `=`, found `[`
  let:1:24
  | bad (x: [N]f32) = let x[0] = 1 in x
  |                        ^
  hint    an array with another element: let y = x with [i] = v in ...
> let column (A: [N][M]f32) = A[:, 0]
column : [N][M]f32 -> [N]f32
> # functions
> let dist (xs: [N]f32) (ys: [N]f32) = let sq (x: f32) = x * x in reduce (+) 0 (map (\(a: f32, b: f32) -> sq (a - b)) (zip xs ys))
dist : [N]f32 -> [N]f32 -> f32
> let both (A: [N][M]f32) (B: [N][M]f32) = map2 (+) A B
both : [N][M]f32 -> [N][M]f32 -> [N][M]f32
> let both (A: [N][M]f32) (B: [N][M]f32) = zipWith (zipWith (\a b -> a * b)) A B
both : [N][M]f32 -> [N][M]f32 -> [N][M]f32
> let rank1 (x: [N]f32) (y: [N]f32) = map2 (+) x y
rank1 : [N]f32 -> [N]f32 -> [N]f32
> let norm x = sqrt (reduce (+) 0 (map (\v -> v * v) x))
norm : helper, typed where it is used
> let rows (A: [N][M]i32) = map norm A
E04 sqrt: argument 1 must be a float, found i32
  let:1:10
  | norm x = sqrt (reduce (+) 0 (map (\v -> v * v) x))
  |          ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
  needs   a float
  found   i32
  hint    f32 x makes a float of it
  call    norm at let:1:27, x: [M]i32
> let scaled k r = map (\x -> k * x) (norm r)
scaled : helper, typed where it is used
> let rows (A: [N][M]f32) = map (scaled 2) A
E04 map: "in" must be [n]a, found f32
  let:1:14
  | scaled k r = map (\x -> k * x) (norm r)
  |              ^~~~~~~~~~~~~~~~~~~~~~~~~~
  needs   [n]a
  found   f32
  call    scaled at let:1:27, r: [M]f32
> let open (xs: [N]f32) = let half x = x / 2 in map half
E04 map takes 2 arguments, it is given 1
  let:1:43
  | open (xs: [N]f32) = let half x = x / 2 in map half
  |                                           ^~~~~~~~
  needs   map : (a -> b) -> [n]a -> [n]b
> let open (xs: [N]f32) =
>   let half x = x / 2
>
E03 expected an operator, `in` or the next `let`, found the end of the input
  let:2:21
  |   let half x = x / 2
  |                     ^
  hint    the `let` of line 2 has no `in`
> # sizes
> let stage (y: [R*Q]f32) = map (\r -> reduce (+) 0 r) (split Q y)
stage : [Q*R]f32 -> [R]f32
> let use (x: [R*Q]f32) = stage x
use : [Q*R]f32 -> [R]f32
> let use (x: [A]f32) = stage x
E02 the sizes in [R*Q] do not follow from [A]
  let:1:12
  | stage (y: [R*Q]f32) = map (\r -> reduce (+) 0 r) (split Q y)
  |            ^~~
  needs   one unknown size at a time, or a program that has sizes of these names
  hint    a helper takes others as parameters: f (k: size) (x: [k]f32)
  call    stage at let:1:19
> let steps (e: [K+1]f32) = zipWith (-) (drop 1 e) (take K e)
steps : [K + 1]f32 -> [K]f32
> let use (x: [N]f32) = steps x
use : [N]f32 -> [N - 1]f32
> let hist (B: size) (xs: [N]i32) = reduceByIndex (+) (replicate B 0) (map (\x -> (x, 1)) xs)
hist : [N]i32 -> [B]i32
> data N = 5 B = 4
> data xs = [0, 3, 3, 1, 9]
> eval
@0  [4]i32    B=4  N=5
  [1, 1, 0, 2]
  hash 59111f949632acf8
> let hist (bins: i32) (xs: [N]i32) = reduceByIndex (+) (replicate bins 0) (map (\x -> (x, 1)) xs)
E04 "bins" is a value, not a size
  let:1:62
  |  i32) (xs: [N]i32) = reduceByIndex (+) (replicate bins 0) (map (\x -> (x, 1)) xs)
  |                                                   ^~~~
  needs   a number, a length in a type, or a size that the program is given: (K: size)
  hint    make K of them, and take as many as the value says: slice 1 f 0 bins (iota K)
> let decay (x: f32) (n: i32) = iterate n (\s -> s * 0.5) x
E04 "n" is a value, not a size
  let:1:35
  | decay (x: f32) (n: i32) = iterate n (\s -> s * 0.5) x
  |                                   ^
  needs   a number, a length in a type, or a size that the program is given: (K: size)
  hint    loopUpTo K n (\s i -> ...) x makes as many steps as the value says, K at most
> let decay (x: f32) (n: i32) = loopUpTo 100 n (\s i -> s * 0.5) x
decay : f32 -> i32 -> f32
> data x = 8 n = 3
> eval
@0  f32
  1
  hash 3f811f344b5ae81a
> let first (xs: [N]f32) (k: i32) = reduce (+) 0 (take k xs)
E04 "k" is a value, not a size
  let:1:50
  | first (xs: [N]f32) (k: i32) = reduce (+) 0 (take k xs)
  |                                                  ^
  needs   a number, a length in a type, or a size that the program is given: (K: size)
  hint    slice 1 f 0 k xs is f of the first elements, as many as the value says
> let first (xs: [N]f32) (k: i32) = slice 1 (reduce (+) 0) 0 k xs
first : [N]f32 -> i32 -> f32
> let halves (xs: [N]f32) = let half = N / 2 in zipWith (+) (take half xs) (drop half xs)
halves : [N]f32 -> [N/2]f32
> let part n x = take n x
part : helper, typed where it is used
> let use (xs: [N]f32) = part (N - 1) xs
use : [N]f32 -> [N - 1]f32
> # derived forms, however they were written, and in rules
> let around (A: [N][M]f32) = map transpose (slide 3 1 (map (slide 3 1) (pad 1 1 clamp (map (pad 1 1 clamp) A))))
around : [N][M]f32 -> [N][M][3][3]f32
> show
slide2 3 1 ∘ pad2 1 1 clamp $ A
> apply toGlobal at 'pad2 1 1 clamp _'
@1  toGlobal  at /in/in/in              builtin    from @0
  - pad2 1 1 clamp A
  + toGlobal ∘ pad2 1 1 clamp $ A
  type   [N + 2][M + 2]f32            unchanged
  focus  /  ->  /                     23 moves here
> rule apart: map f (iota n) => map f (reorder reverse (iota n))
rule apart
  map f (iota n)  =>  map f (reorder reverse (iota n))
  user; assumed
> let numbers (xs: [N]i32) = map (\i -> i + 1) (generate N (\i -> i))
numbers : [N]i32 -> [N]i32
> show
map (λi → i + 1) (iota N)
> why apart at /
apart applies at /
  rule    map f (iota n)  =>  map f (reorder reverse (iota n))
  where   n = N
          f = \i -> i + 1
  trust   assumed        check apart
  gives   map (\i -> i + 1) (reorder reverse (iota N))
  try     apply apart at /
> # sizes that nothing in reach satisfies
> let far (x: [N]f32) (y: [M]f32) = zip (take (N - M*M*M*M*M*M*M*M*M) x) (take (N - M*M*M*M*M*M*M*M*M) y)
far : [N]f32 -> [M]f32 -> [N - M*M*M*M*M*M*M*M*M](f32, f32)
> eval
E36 no sizes >= 256 in reach satisfy all facts; set them with data
  fact    0 <= N - M*M*M*M*M*M*M*M*M
  fact    N - M*M*M*M*M*M*M*M*M <= M
  needs   a size N: data N = ...
  needs   a size M: data M = ...
> # updates
> let set (A: [N][M]f32) (i: i32) (j: i32) (r: [M]f32) (c: [N]f32) = ((A with [i, :] = r) with [:, j] = c) with [i, j] = 1
set : [N][M]f32 -> i32 -> i32 -> [M]f32 -> [N]f32 -> [N][M]f32
> show
let t = (A with [i] = r) with [:, j] = c in t with [i, j] = 1
> data N = 2 M = 3 i = 1 j = 0
> data A = [[1, 2, 3], [4, 5, 6]], r = [7, 8, 9], c = [10, 11]
> eval
@0  [2][3]f32    N=2  M=3
  [[10, 2, 3], [1, 8, 9]]
  hash 8964e536b66f010e
> let sweep (A: [N][M]f32) = map (\r -> loop (M - 1) (\s i -> s with [i + 1] = s[i] + s[i + 1]) r) A
sweep : [N][M]f32 -> [N][M]f32
> lower
@1  lower                               builtin    from @0
  - map (λr → loop (M - 1) (λs i → s with [i + 1] = s[i] + s[i + 1]) r) A
  + mapGlobal 0 (λr → loop (..) (λs i → scatter (toGlobal s) (generate 1 (λi1 → i + 1)) (mapSeq (...
  type   [N][M]f32                    unchanged
  inner  5 steps        log --expand
  focus  /  ->  /                     11 moves here
> code
/* sweep@1  4c215b2084b8753f
 *   @1 lower
 * needs M*N, M + 1 < 2147483648  (int indices)
 */

#pragma OPENCL FP_CONTRACT OFF

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void sweep_k0(const global float *restrict A, global float *restrict out,
                     int N, int M)
{
    int gid0 = get_global_id(0);
    if (gid0 < N) {
        for (int i = 0; i < M; i++) {
            out[M*gid0 + i] = A[M*gid0 + i];
        }
        for (int i = 0; i < M - 1; i++) {
            out[M*gid0 + i + 1] = out[M*gid0 + i] + out[M*gid0 + i + 1];
        }
    }
}
> let set (A: [N][M]f32) = A with [0] = 7
E04 "7" is a number, where [M]f32 is needed
  let:1:35
  | set (A: [N][M]f32) = A with [0] = 7
  |                                   ^
  for     scatter: "in" must be [1][M]f32, found [1]i32
> let set (x: [N]f32) = x with [2:4] = 0
E03 a range is no index
  let:1:28
  | set (x: [N]f32) = x with [2:4] = 0
  |                            ^
  hint    elements a to b-1 are take (b - a) (drop a x), or slice 1 f a b x of bounds that are values; scatter x is vs sets many
> let set (x: [N]f32) = x with [0] 1
E03 expected `=` and the new value, found the number `1`
  let:1:30
  | set (x: [N]f32) = x with [0] 1
  |                              ^
> data N = 3
> let set (x: [N]f32) = x with [5] = 1
set : [N]f32 -> [N]f32
> data N = 3
> eval
E38 scatter in /: index 5 is out of range
  needs   0 <= index < 3
  found   5
> # a part of a tuple that a function lacks; axes by number, from the end, and by the name of their length
> let turned (z: [N](f32, f32)) = map (cmul (0, 1)) z
turned : [N](f32, f32) -> [N](f32, f32)
> let around (z: [N](f32, f32)) (w: (f32, f32)) = map2 (cmul w) (split 2 z)
around changed; its earlier derivation is kept as around.1
around : [N](f32, f32) -> (f32, f32) -> [N/2][2](f32, f32)
> let rows (A: [N][M]f32) = overAxis (-1) sum A
rows : [N][M]f32 -> [N]f32
> let channels (x: [N][C][H][W]f32) (b: [C]f32) = overAxis W sum (zipAxis C (+) b x)
channels : [N][C][H][W]f32 -> [C]f32 -> [N][C][H]f32
> let square (A: [N][N]f32) = overAxis N sum A
E04 N is the length of 2 axes of [N][N]f32
  let:1:25
  | square (A: [N][N]f32) = overAxis N sum A
  |                         ^~~~~~~~~~~~~~~~
  hint    an axis has a number, too: 0 is the first, -1 the last
  within  let lastAxis d x = repeated (axis d x) (rank x - 1) (\i -> nest i transpose) x
> let rows (A: [N][M]f32) = overAxis 2 sum A
E04 [N][M]f32 has no axis 2
  let:1:23
  | rows (A: [N][M]f32) = overAxis 2 sum A
  |                       ^~~~~~~~~~~~~~~~
  needs   0 to 1
  hint    an axis is its number from 0, or from the end, -1, -2 ...; or the name of its length, if no other has it
  within  let lastAxis d x = repeated (axis d x) (rank x - 1) (\i -> nest i transpose) x
> let rows (A: [N][M]f32) (k: i32) = overAxis k sum A
E04 "k" is a value, not a size
  let:1:32
  | rows (A: [N][M]f32) (k: i32) = overAxis k sum A
  |                                ^~~~~~~~~~~~~~~~
  needs   a number, a length in a type, or a size that the program is given: (K: size)
  hint    the number of an axis is known when the program is read, as is the name of its length
  within  let lastAxis d x = repeated (axis d x) (rank x - 1) (\i -> nest i transpose) x
> let rows (x: f32) = overAxis 0 sum x
E04 f32 has no axes: it is no array
  let:1:17
  | rows (x: f32) = overAxis 0 sum x
  |                 ^~~~~~~~~~~~~~~~
  within  let lastAxis d x = repeated (axis d x) (rank x - 1) (\i -> nest i transpose) x
> # arrays where numbers are needed
> let f (A: [N][M]f32) (b: [M]f32) = A + b
E04 + is of numbers, and does not lift to arrays
  let:1:32
  | f (A: [N][M]f32) (b: [M]f32) = A + b
  |                                ^~~~~
  found   [N][M]f32 and [M]f32
  hint    zipAxis 1 (+) b A
> let f (A: [N][M]f32) (b: [N]f32) = A / b
E04 / is of numbers, and does not lift to arrays
  let:1:32
  | f (A: [N][M]f32) (b: [N]f32) = A / b
  |                                ^~~~~
  found   [N][M]f32 and [N]f32
  hint    zipAxis 0 (\y x -> x / y) b A
> let f (A: [N][M]f32) (B: [N][M]f32) = sum (join (A * B))
E04 * is of numbers, and does not lift to arrays
  let:1:45
  | f (A: [N][M]f32) (B: [N][M]f32) = sum (join (A * B))
  |                                             ^~~~~~~
  found   [N][M]f32 and [N][M]f32
  hint    map2 (*) A B
> let f (A: [N]f32) = A - sum A
E04 - is of numbers, and does not lift to arrays
  let:1:17
  | f (A: [N]f32) = A - sum A
  |                 ^~~~~~~~~
  found   [N]f32 and f32
  hint    map (subtract (sum A)) A
> let f (A: [N]f32) = max A 0
E04 max is of numbers, and does not lift to arrays
  let:1:17
  | f (A: [N]f32) = max A 0
  |                 ^~~~~~~
  found   [N]f32 and i32
  hint    map (\x -> max x 0) A
> let f (A: [N]f32) = 1 / A
E04 / is of numbers, and does not lift to arrays
  let:1:17
  | f (A: [N]f32) = 1 / A
  |                 ^~~~~
  found   i32 and [N]f32
  hint    map (1 /) A
> # records
> let mass (p: [N]{x: f32, m: f32}) = sum (map (\b -> b.x * b.m) p)
mass : [N](f32, f32) -> f32
> data N = 2, p = [(1, 2), (3, 4)]
> eval
@0  f32    N=2
  14
  hash 172fdedd02a60a17
> eval p[1].m
f32    N=2
  4
  hash e1833fe60ef4be87
> eval p[1].q
E04 no part of (f32, f32) is called "q"
  eval:1:1
  | p[1].q
  | ^~~~~~
  hint    parts of a tuple t are t.0, t.1 ...; a type gives them names: {x: f32, y: f32}
> let moved (p: [N]{x: f32, m: f32}) = map (\b -> {m = b.m, x = b.x + 1}) p
moved : [N](f32, f32) -> [N](f32, f32)
> show
map (λ(b0, b1) → (b0 + 1, b1)) p
> let squares (z: [N](f32, f32)) = map (\z -> z.re * z.re + z.im * z.im) z
squares : [N](f32, f32) -> [N]f32
> let other (p: [N]{m: f32, x: f32}) = map (\b -> b.m) p
other : [N](f32, f32) -> [N]f32
> let m (p: {m: {re: f32, im: f32}, x: f32}) = p.m.im + p.m.0
m : ((f32, f32), f32) -> f32
> eval {a = 1, b = 2}.b
i32
  2
  hash f9e00e3113f3bfd7
> let bad (p: [N]{m: f32}) = p
E03 a record has two parts at least
  let:1:12
  | bad (p: [N]{m: f32}) = p
  |            ^~~~~~~~
> let bad (p: [N]{m: f32, m: f32}) = p
E03 two parts of a record have one name
  let:1:21
  | bad (p: [N]{m: f32, m: f32}) = p
  |                     ^
> let bad (x: f32) = {a: x, b: 1}
E03 expected `=` behind the name of a part, found `:`
  let:1:18
  | bad (x: f32) = {a: x, b: 1}
  |                  ^
  hint    a part's type stands behind `:`, its value behind `=`
> let bad (x: [N]f32) = x.foo
E04 no part of [N]f32 is called "foo"
  let:1:19
  | bad (x: [N]f32) = x.foo
  |                   ^~~~~
  hint    a composition has blanks around its point: f . g
> let roots (x: [N]f32) = map sqrt.abs x
roots : [N]f32 -> [N]f32
> # what is lacking, where
> let f (A: [N][M]f32) (B: [N][M]f32) = map2 relu (zipWith3 (+) A B)
E04 zipWith3 takes 4 arguments, it is given 3; a value is needed here
  let:1:45
  | f (A: [N][M]f32) (B: [N][M]f32) = map2 relu (zipWith3 (+) A B)
  |                                             ^~~~~~~~~~~~~~~~~~
> let f (x: [N](f32, f32, f32)) = map fst x
E04 a pattern of 2 parts cannot take (f32, f32, f32) apart
  let:1:33
  | f (x: [N](f32, f32, f32)) = map fst x
  |                                 ^~~
  hint    t.0, t.1 ... are the parts of any tuple t
  within  let fst (a, b) = a
> let f (src: [E]i32) = reduceByIndex (+) (replicate N 0) (map (\s -> (s, 1)) src)
f : [E]i32 -> [N]i32
  size     N, which is the length of no input: data N = ...
> let f (x: [N]f32) = let step = 2.0 / T in iterate T (map (* step)) x
f : [N]f32 -> [N]f32
  size     T, which is the length of no input: data T = ...
> data N = 2, T = 4, x = [16, 32]
> eval
@0  [2]f32    N=2  T=4
  [1, 2]
  hash fd4d85d36b835307
> let grow x = iterate K (map (+ 1)) x
grow : helper, typed where it is used
> let f (x: [N]f32) = grow x
f : [N]f32 -> [N]f32
  size     K, which is the length of no input: data K = ...
> let f (x: [N]f32) = map (\v -> v * A) x
E02 no definition, primitive or variable called "A"
  let:1:32
  | f (x: [N]f32) = map (\v -> v * A) x
  |                                ^
  hint    a size that no input has is a parameter: (A: size)
> let f (a: [N]f32) = let k = take K A in a
E02 no definition, primitive or variable called "A"
  let:1:32
  | f (a: [N]f32) = let k = take K A in a
  |                                ^
  hint    did you mean a?
  try     let f (a: [N]f32) = let k = take K a in a
> let f (x: [M]f32) = let s = 1.0 / T in iterate T (map (\v -> v * s + misspelt)) x
E02 no definition, primitive or variable called "misspelt"
  let:1:66
  |  let s = 1.0 / T in iterate T (map (\v -> v * s + misspelt)) x
  |                                                   ^~~~~~~~
> let each x = map (\v -> v / T) x
each : helper, typed where it is used
> let f (x: [M]f32) = each x
E02 no definition, primitive or variable called "T"
  let:1:25
  | each x = map (\v -> v / T) x
  |                         ^
  hint    a size that no input has is a parameter: (T: size)
  call    each at let:1:17, x: [M]f32
> let f (x: [N]f32) = let down v = if v > 1 then down (v / 2) else v in map down x
E07 recursion is not possible: down uses down
  let:1:21
  | f (x: [N]f32) = let down v = if v > 1 then down (v / 2) else v in map down x
  |                     ^~~~
  hint    loopWhile K p f x goes on while p holds of the state, K steps at most
> let f (x: [n]f32) = x
E02 no size called "n"
  let:1:8
  | f (x: [n]f32) = x
  |        ^
  hint    sizes in types have upper-case names; a tuning parameter is declared: param n
> let f (x: [N]f32) (k: size) = take k x
f : helper, typed where it is used
  f is no program: a size that it is given has an upper-case name, (K: size), not (k: size)
> let f (x: [N]f32) (k: i32) = sum (drop k x)
E04 "k" is a value, not a size
  let:1:36
  | f (x: [N]f32) (k: i32) = sum (drop k x)
  |                                    ^
  needs   a number, a length in a type, or a size that the program is given: (K: size)
  hint    slice 1 f k (length xs) xs is f of the elements from that one on
> let f (n: i32) = sum (iota n)
E04 "n" is a value, not a size
  let:1:24
  | f (n: i32) = sum (iota n)
  |                        ^
  needs   a number, a length in a type, or a size that the program is given: (K: size)
  hint    make K of them, and take as many as the value says: slice 1 f 0 n (iota K)
> let f (x: f32) (n: i32) = loop n (\s i -> s * 0.5) x
E04 "n" is a value, not a size
  let:1:28
  | f (x: f32) (n: i32) = loop n (\s i -> s * 0.5) x
  |                            ^
  needs   a number, a length in a type, or a size that the program is given: (K: size)
  hint    loopUpTo K n f x makes as many steps as the value says, K at most
> # as it was written
> let f (A: [N][M]f32) (B: [N][M]f32) = map2 (\x -> x * x) (zipWith2 (-) A B)
f : [N][M]f32 -> [N][M]f32 -> [N][M]f32
> show
map2 (λx → x * x) (map2 (-) (zip A B))
> let f (A: [N][M]f32) = map (map abs) A
f : [N][M]f32 -> [N][M]f32
> show
map (map abs) A
> let f (x: [N]f32) (y: [N]f32) = loop N (\(q, r) k -> (q + x[k], r * y[k])) (0, 1)
f : [N]f32 -> [N]f32 -> (f32, f32)
> show
loop N (λ(q, r) k → (q + x[k], r * y[k])) (0, 1)
> let f (x: [N]f32) = iterate 10 (\s -> zipWith (+) s x) x
f : [N]f32 -> [N]f32
> show
loop 10 (λs _ → map (+) (zip s x)) x
> let f (x: f32) = loopWhile 9 (\(v, n) -> v > 1) (\(v, n) -> (v / 2, n + 1)) (x, 0)
f : f32 -> (f32, i32)
> show
loop 9 (λ(v, n) _ → if v > 1 then (v / 2, n + 1) else (v, n)) (x, 0)
> let f (x: f32) = reduceSeq (\(s, i) -> s + f32 i) x (iota 5)
f : f32 -> f32
> show
reduceSeq (λ(s, i) → s + f32 i) x (iota 5)
> # what other languages write
> let f (xs: [N]f64) (n: i32) = map (\x -> x / n) xs
E04 /: argument 2 must be f64, found i32
  let:1:38
  | f (xs: [N]f64) (n: i32) = map (\x -> x / n) xs
  |                                      ^~~~~
  needs   f64
  found   i32
  hint    no value changes its type by itself: f64 x is x as f64
> let f (x: i32) (y: f32) = x * y
E04 *: argument 2 must be i32, found f32
  let:1:23
  | f (x: i32) (y: f32) = x * y
  |                       ^~~~~
  needs   i32
  found   f32
  hint    no value changes its type by itself: f32 x is x as f32
> let f (xs: [N]f32) = sum xs / i32 2
E04 /: argument 2 must be f32, found i32
  let:1:18
  | f (xs: [N]f32) = sum xs / i32 2
  |                  ^~~~~~~~~~~~~~
  needs   f32
  found   i32
  hint    no value changes its type by itself: f32 x is x as f32
> let f (A: [N][M]f32) (x: [M]f32) = A @ x
E03 `@` starts nothing in this language
  let:1:34
  | f (A: [N][M]f32) (x: [M]f32) = A @ x
  |                                  ^
  needs   `matmul A B` of matrices, `map (dot x) A` of a matrix and a vector
> let f (xs: f32[N]) = xs
E03 expected `,` or `)` behind the type, found `[`
  let:1:11
  | f (xs: f32[N]) = xs
  |           ^
  hint    lengths stand in front: [N]f32
> let f (xs: []f32) = xs
E03 expected a length, found `]`
  let:1:9
  | f (xs: []f32) = xs
  |         ^
  hint    every length has a name or is a number: [N]f32
> let f (xs: [N]f32) = xs.map(abs)
E04 a point composes functions, and "xs" is a value
  let:1:18
  | f (xs: [N]f32) = xs.map(abs)
  |                  ^~~~~~
  found   xs : [N]f32
  hint    a function stands in front of what it takes: map f xs, or xs |> map f
> let f (xs: [N]f32) = if sum xs > 0 then 1
E03 expected an operator or `else`, found the end of the input
  let:1:38
  | f (xs: [N]f32) = if sum xs > 0 then 1
  |                                      ^
  hint    an `if` is a value and has an `else`; a further case is `else if`
> let f (xs: [N]f32) = if sum xs > 0 then 1 else if sum xs < -1 then 2 elif 3
E03 expected an operator or `else`, found the end of the input
  let:1:72
  | um xs > 0 then 1 else if sum xs < -1 then 2 elif 3
  |                                                   ^
  hint    an `if` is a value and has an `else`; a further case is `else if`
> let f (x: f32) = x <> 1
E03 expected an expression, found `>`
  let:1:17
  | f (x: f32) = x <> 1
  |                 ^
  hint    `!=` is unequal
> let f (xs: [N]f32) = sum [x * x for x in xs]
E03 expected an operator, `,` or `]`, found the keyword `in`
  let:1:35
  | f (xs: [N]f32) = sum [x * x for x in xs]
  |                                   ^~
  hint    `in` stands behind a `let`; e for each x of xs is map (\x -> e) xs
  opened  `[` at let:1:22
> let f (xs: [N]f32) = let twice f = f . f in map (twice (* 2)) xs
f : [N]f32 -> [N]f32
> let f (xs: [N]f32) = let add x = \y -> x + y in map (add 1) xs
f : [N]f32 -> [N]f32
> let f (xs: [N]f32) = let flip f x y = f y x in map (flip (-) 1) xs
f : [N]f32 -> [N]f32
> let f (xs: [N]f32) = let app f = f in map (app sqrt) xs
E04 map needs a function here
  let:1:39
  | f (xs: [N]f32) = let app f = f in map (app sqrt) xs
  |                                       ^~~~~~~~~~
> let f (xs: [N]f32) = let f: f32 -> f32 = \x -> x + 1 in map f xs
E04 a function stands where a value is needed
  let:1:38
  | f (xs: [N]f32) = let f: f32 -> f32 = \x -> x + 1 in map f xs
  |                                      ^~~~~~~~~~~
  hint    one with a name: let f x = ..., or let f (x: f32) = ...
> let f (x: [H][W]f32) = map2 (\w -> maximum (join w)) (slideFloor2 (3, 2) (2, 1) x)
E04 "k" is a tuple, not a size
  let:1:50
  | f (x: [H][W]f32) = map2 (\w -> maximum (join w)) (slideFloor2 (3, 2) (2, 1) x)
  |                                                  ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~
  hint    where dimensions differ, each has a function: windows2 (slideFloor 3 2) (slide 2 1) x, dims2 (pad 1 1 clamp) id x
  within  let slideFloor2 k s x = map transpose (slideFloor k s (map (slideFloor k s) x))
> let f (x: [N][C][H][W]f32) = overAxis (C, H) sum x
E04 "d" is a tuple, not a size
  let:1:26
  | f (x: [N][C][H][W]f32) = overAxis (C, H) sum x
  |                          ^~~~~~~~~~~~~~~~~~~~~
  hint    one axis after the other: overAxis C f (overAxis H f x)
  within  let lastAxis d x = repeated (axis d x) (rank x - 1) (\i -> nest i transpose) x
> let f (x: [A][B][C][D]f32) = map padConst2 1 1 0 x
E04 map: argument 2 must be an array, found i32
  let:1:26
  | f (x: [A][B][C][D]f32) = map padConst2 1 1 0 x
  |                          ^~~~~~~~~~~~~~~~~~~~~
  needs   an array, or several
  hint    what padConst2 takes itself stands with it: map (padConst2 ...) x
> let f (x: [N]f32) = pad 1 clamp x
E02 no size called "clamp"
  let:1:23
  | f (x: [N]f32) = pad 1 clamp x
  |                       ^~~~~
  hint    sizes in types have upper-case names; a tuning parameter is declared: param clamp
  for     pad : l:size -> r:size -> m:mode -> [n]a -> [l+n+r]a {0 <= l, 0 <= r}
> let f (x: [N]f32) = slide 3 x
E04 "x" is a value, not a size
  let:1:25
  | f (x: [N]f32) = slide 3 x
  |                         ^
  needs   a number, a length in a type, or a size that the program is given: (K: size)
  for     slide : k:size -> s:size -> [n]a -> [(n-k)/s+1][k]a {1 <= k, k <= n, s divides n-k}
> let f (A: [N][M]f32) = A with [0][1] = 3
E03 expected `=` and the new value, found `[`
  let:1:30
  | f (A: [N][M]f32) = A with [0][1] = 3
  |                              ^
  hint    indices stand together: x with [i, j] = v
> let f (x: [N]f32) = x with [-1] = 3
E03 no element has a negative number
  let:1:25
  | f (x: [N]f32) = x with [-1] = 3
  |                         ^~
  hint    the last one is xs[length xs - 1]
> let f (x: [N]f32) = x[-1]
E03 no element has a negative number
  let:1:19
  | f (x: [N]f32) = x[-1]
  |                   ^~
  hint    the last one is xs[length xs - 1]
> let f (A: [N][N]f64) = [0..10]
E03 expected an operator, `,` or `]`, found `..`
  let:1:22
  | f (A: [N][N]f64) = [0..10]
  |                      ^~
  hint    iota n is 0, 1 ... n-1
  opened  `[` at let:1:20
> let f (x: [N]{a: i32, b: f32}) = map (\r -> {r with a = 1}) x
E03 expected `=` behind the name of a part, found the keyword `with`
  let:1:44
  | f (x: [N]{a: i32, b: f32}) = map (\r -> {r with a = 1}) x
  |                                            ^~~~
  hint    x with [i] = v sets an element; parts of a record are all written: {a = 1, b = r.b}
> let f (A: [N][M]f64) = A.T
E04 no part of [N][M]f64 is called "T"
  let:1:20
  | f (A: [N][M]f64) = A.T
  |                    ^~~
  hint    transpose A
> let f (x: [N]c64) = x
E03 expected a type, found the name `c64`
  let:1:10
  | f (x: [N]c64) = x
  |          ^~~
  needs   bf16 f16 f32 f64 i8 i16 i32 i64 u8 u16 u32 u64 bool size, [N]type, <4>scalar, (type, type), type -> type
  hint    (f32, f32)
> let f (n: i64) = loopUpTo 10 n (\s i -> s + i) 0
E04 slice: takes i32 from, i32 to and an array, found i32, i64 and [10]i32
  let:1:14
  | f (n: i64) = loopUpTo 10 n (\s i -> s + i) 0
  |              ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
  hint    bounds are i32: i32 n is n as one
  within  let loopUpTo (k: size) n f x = slice 1 (reduceSeq (\(s, i) -> f s i) x) 0 n (iota k)
> let f (x: [N]f32) = x with [0] = 5 with [1] = 6
E04 scatter: "dest" must be [n]a, found i32
  let:1:30
  | f (x: [N]f32) = x with [0] = 5 with [1] = 6
  |                              ^~~~~~~~~~~~~~
  needs   [n]a
  found   i32
  hint    two elements: (x with [i] = a) with [j] = b
> let f (x: [N]f64) = map log10 x
E02 no definition, primitive or variable called "log10"
  let:1:21
  | f (x: [N]f64) = map log10 x
  |                     ^~~~~
  hint    log x / log 10
> let f (x: [N]float32) = x
E03 expected a type, found the name `float32`
  let:1:10
  | f (x: [N]float32) = x
  |          ^~~~~~~
  needs   bf16 f16 f32 f64 i8 i16 i32 i64 u8 u16 u32 u64 bool size, [N]type, <4>scalar, (type, type), type -> type
  hint    f32
> let f (x: [N]f32) (n: i32) = loop (min n 10) (\s i -> map (* 2) s) x
E04 "n" is a value, not a size
  let:1:36
  | f (x: [N]f32) (n: i32) = loop (min n 10) (\s i -> map (* 2) s) x
  |                                    ^
  needs   a number, a length in a type, or a size that the program is given: (K: size)
  hint    loopUpTo K n f x makes as many steps as the value says, K at most
> let f (x: [N]f32) (n: i32) = sum (take (i32 x[0]) x)
E04 a size is needed here: numbers, size names, + - * / // %, length x
  let:1:36
  | f (x: [N]f32) (n: i32) = sum (take (i32 x[0]) x)
  |                                    ^~~~~~~~~~
  hint    slice 1 f 0 (i32 x[0]) xs is f of the first elements, as many as the value says
> let f (x: [N]f32) = map (\v -> sum (map f32 (iota (i32 v)))) x
E04 a size is needed here: numbers, size names, + - * / // %, length x
  let:1:47
  | f (x: [N]f32) = map (\v -> sum (map f32 (iota (i32 v)))) x
  |                                               ^~~~~~~
  hint    make K of them, and take as many as the value says: slice 1 f 0 (i32 v) (iota K)
> let f (x: [N]f32) = > x
E03 expected an expression, found `>`
  let:1:17
  | f (x: [N]f32) = > x
  |                 ^
  hint    `shr a b` shifts a right by b
> let f (xs: [N]i32) = map (\x -> x mod 2) xs
E04 "x" is a value, it cannot be applied
  let:1:29
  | f (xs: [N]i32) = map (\x -> x mod 2) xs
  |                             ^~~~~~~
  found   x : i32
  hint    a % b of integers
> let f (xs: [N]f32) = map (\x -> x max 0) xs
E04 "x" is a value, it cannot be applied
  let:1:29
  | f (xs: [N]f32) = map (\x -> x max 0) xs
  |                             ^~~~~~~
  found   x : f32
  hint    a function stands in front of what it takes: max x ...
> let f (xs: [N]i32) = map (\x -> x xor 1) xs
E04 "x" is a value, it cannot be applied
  let:1:29
  | f (xs: [N]i32) = map (\x -> x xor 1) xs
  |                             ^~~~~~~
  found   x : i32
  hint    bxor a b of integers, a != b of bools
> # what is right stays: values of the user's own are never replaced by random ones
> let f (i: [N]i32) (x: [M]f32) = gather i x
f : [N]i32 -> [M]f32 -> [N]f32
> data N = 4, M = 3, i = [0, 1, 2, 3]
> eval
E38 gather in /: index 3 is out of range
  needs   0 <= index < 3
  found   3
> data i = random(1, 0, 9)
> eval
E38 gather in /: index 7 is out of range
  needs   0 <= index < 3
  found   7
  try     data i = random(1, 0, 2)
> let f (x: [N]f32) (k: i32) = x[k]
f : [N]f32 -> i32 -> f32
> data N = 4
> eval
E38 x[i] in /: index -8 is out of range
  needs   0 <= index < 4
  found   -8
  try     data k = random(1, 0, 3)
> data k = -2
> eval
E38 x[i] in /: index -2 is out of range
  needs   0 <= index < 4
  found   -2
> # what is of other sizes is no sum, and two matrices may be meant as a product
> let f (A: [N][M]f32) (B: [M][K]f32) = A * B
E04 * is of numbers, and does not lift to arrays
  let:1:35
  | f (A: [N][M]f32) (B: [M][K]f32) = A * B
  |                                   ^~~~~
  found   [N][M]f32 and [M][K]f32
  hint    matmul A B
> let f (A: [N]f32) (B: [M]f32) = A * B
E04 * is of numbers, and does not lift to arrays
  let:1:29
  | f (A: [N]f32) (B: [M]f32) = A * B
  |                             ^~~~~
  found   [N]f32 and [M]f32
  hint    zipWith (*) A B, of arrays of one size
> # Python's lambda, a float beside an integer
> let f (xs: [N]f32) = map (lambda x: x + 1) xs
E03 expected a type, found the name `x`
  let:1:33
  | f (xs: [N]f32) = map (lambda x: x + 1) xs
  |                                 ^
  hint    a lambda is \x -> ...
> let f (xs: [N]i32) = map (\x -> x / 2.0) xs
E04 "2.0" is a float, where i32 is needed
  let:1:33
  | f (xs: [N]i32) = map (\x -> x / 2.0) xs
  |                                 ^~~
  hint    f32 x is x as a float
  for     /: argument 2 must be i32, found f32
> # a sketch without its quotes, a range as data, a size as a setting
> let f (xs: [N]f32) = map (\x -> x + 1) xs
f : [N]f32 -> [N]f32
> reach contains (mapGlobal 0 _ _)
E05 a sketch of several words stands in quotes
  try     reach 'contains (mapGlobal 0 _ _)'
> data xs = 1..10
E05 "1..10" describes no input
  needs   random(seed,lo,hi), iota, const(v), file("x.bin"), adversarial(seed), stochastic(seed), offsets(seed,n), values: [1, 2, 3], or a number: 0.1/(N-1)
> set N=64
E02 no setting "N=64"
  try     data N = 64
> set N = 64
E02 no setting "N"
  try     data N = 64
> set times=off
E02 no setting "times=off"
  try     set times off
> # a file instead of a format, a dialect instead of a version, a picture instead of a filter
> export x.svg
E05 "x.svg" is no format: one of script, html, md, tex, dot, cl, cuda, t1, t4, library, python
  try     export dot x.svg
> export svg x.pdf
E05 "svg" is no format: one of script, html, md, tex, dot, cl, cuda, t1, t4, library, python
  try     export dot x.pdf
> lower | head -1
@1  lower                               builtin    from @0
> export kernel.cl
E05 "kernel.cl" is no format: one of script, html, md, tex, dot, cl, cuda, t1, t4, library, python
  try     export cl kernel.cl
> code cuda
E05 "cuda" is no version, but what kernels may be written in
  try     code --dialect cuda
> results --from tests/cases/results.tsv N=256 device=pocl0 --plot bars b.svg
E05 "b.svg" is no filter of results
  try     results --from tests/cases/results.tsv N=256 device=pocl0 --plot bars -o b.svg
> # a command as Lua has it, and the one that Lua has for itself
> help t.undo
undo [N]
  go to the N-th ancestor
  short: u
  Nothing is deleted.
  example  apply splitJoin(4) at /in ; undo
> lua t.goto("@0")
E24 lua:1: <name> expected near 'goto'
  hint    goto is a word of Lua's own: t.goto_("@1")
> # a number behind the last
> moves
  1  toGlobal               toGlobal ∘ mapGlobal 0 (λx → x + 1) $ xs
  2  toPrivate              toPrivate ∘ mapGlobal 0 (λx → x + 1) $ xs
  3  toGlobalImage          toGlobalImage ∘ mapGlobal 0 (λx → x + 1) $ xs
  4  copySeq                mapSeq id ∘ mapGlobal 0 (λx → x + 1) $ xs
  5  copyGlobal(0)          mapGlobal 0 id ∘ mapGlobal 0 (λx → x + 1) $ xs
  6  copyVectorsGlobal{w=4, d=0}  asScalar ∘ mapGlobal 0 id ∘ asVector 4 ∘ mapGlobal 0 (..) $ xs
  7  copyGroups(0)          mapWorkgroup 0 id ∘ mapGlobal 0 (λx → x + 1) $ xs
> apply 400
E14 there is no move 400: the list of before has 7
> # a program's file by its name
> ./tests/programs/mm.fun
E01 no command "./tests/programs/mm.fun"
  try     load ./tests/programs/mm.fun
> # what does not hold, with the way to its counterexample
> prove map f (map g x) => map (g . f) x
E31 this does not hold
  found   element [0] is 4 on the left, 2 on the right
  try     rule this: map f (map g x) => map (g . f) x
  next    check this
> rule this: map f (map g x) => map (g . f) x
rule this
  map f (map g x)  =>  map (g . f) x
  user; assumed
> check this | tail -4
data x = [0]
eval
apply this at /
eval
E31 this does not hold
  rule    map f (map g x)  =>  map (g . f) x
  found   element [0] is 4 on the left, 2 on the right
  try     check this > this.lathe        keeps these commands
  next    source this.lathe
> rule twice: map f x => mapSeq f x ; show
E03 `;` starts nothing in this language
  rule:1:30
  | twice: map f x => mapSeq f x ; show
  |                              ^
  needs   nothing: declarations and rules have no mark at their end; a `let` in an expression ends with `in`
> # words and marks of other languages
> let f (N: size) = for i < N do i
E02 no definition, primitive or variable called "for"
  let:1:15
  | f (N: size) = for i < N do i
  |               ^~~
  hint    map f xs, or in turn: loop n (\s i -> e) z
> let f (x: bool) = while x do x
E02 no definition, primitive or variable called "while"
  let:1:15
  | f (x: bool) = while x do x
  |               ^~~~~
  hint    loopWhile n (\s -> p) (\s -> e) z, for n steps at most
> let f (xs: [N]f32) = argsort xs
E02 no definition, primitive or variable called "argsort"
  let:1:18
  | f (xs: [N]f32) = argsort xs
  |                  ^~~~~~~
  hint    none is built in; the rank of each is map (\x -> sum (map (\y -> i32 (y < x)) xs)) xs
> let f (s: [N]u8) = map (\c -> c == 'a') s
E03 `'` starts nothing in this language
  let:1:32
  | f (s: [N]u8) = map (\c -> c == 'a') s
  |                                ^
  needs   names of letters, digits and `_`; a character is its number, 97 for a; primes quote patterns in the shell
> let f (xs: [N]f32) = let y = sum xs; y + 1
E03 `;` starts nothing in this language
  let:1:32
  | f (xs: [N]f32) = let y = sum xs; y + 1
  |                                ^
  needs   nothing: declarations and rules have no mark at their end; a `let` in an expression ends with `in`
> let f (xs: [N]f32) = xs with [0] <- 3
E03 `<-` sets nothing
  let:1:30
  | f (xs: [N]f32) = xs with [0] <- 3
  |                              ^~
  needs   `x with [i] = v` for x with another element i, `let x = e in` for a name; x < -1 compares
> let f (xs: [N]f32) = reduce (+) xs
E04 reduce takes 3 arguments, it is given 2
  let:1:18
  | f (xs: [N]f32) = reduce (+) xs
  |                  ^~~~~~~~~~~~~
  needs   reduce : ((a, a) -> a) -> a -> [n]a -> a
  hint    between the function and the array stands what it starts from: reduce f z xs
> let f (xs: [N]f32) = map (.0) (zip xs xs)
E03 `.0` is neither a float nor a projection
  let:1:23
  | f (xs: [N]f32) = map (.0) (zip xs xs)
  |                       ^~
  needs   digits on both sides of a float's point, or a projection right behind its tuple: p.0, as a function \p -> p.0
> let f (p: (f32, f32)) = p.2
E04 there is no component .2 in (f32, f32)
  let:1:21
  | f (p: (f32, f32)) = p.2
  |                     ^~~
  hint    the first is .0, the last .1
> let f (p: (f32, f32)) = p[0]
E04 at: "in" must be [n]a, found (f32, f32)
  let:1:21
  | f (p: (f32, f32)) = p[0]
  |                     ^~~~
  needs   [n]a
  found   (f32, f32)
  hint    a part of a tuple is t.0, t.1 ...
> let f (k: i64) (xs: [N]f32) = xs[k]
E04 at: "index" must be i32, found i64
  let:1:27
  | f (k: i64) (xs: [N]f32) = xs[k]
  |                           ^~~~~
  needs   i32
  found   i64
  hint    no value changes its type by itself: i32 x is x as i32
> def f (x: f32) = x
E01 no command "def"
  try     help let
> # parts of pairs, windows of five numbers, names for elements
> let f (x: [N](f32, i32)) = reduce (+) (0, 0) x
E04 +: argument 1 must be a number, found (f32, i32)
  let:1:31
  | f (x: [N](f32, i32)) = reduce (+) (0, 0) x
  |                               ^~~
  needs   a number
  found   (f32, i32)
  hint    part by part: \((a, b), (c, d)) -> (a + c, b + d); pairs as complex numbers: cadd, csub, cmul, cdiv, cabs ... (help prelude)
> let f (x: [N](f32, i32)) = reduce max (0, 0) x
E04 max: argument 1 must be a number, found (f32, i32)
  let:1:31
  | f (x: [N](f32, i32)) = reduce max (0, 0) x
  |                               ^~~
  needs   a number
  found   (f32, i32)
  hint    part by part: \((a, b), (c, d)) -> (max a c, max b d); pairs as complex numbers: cadd, csub, cmul, cdiv, cabs ... (help prelude)
> let f (x: [N](f32, f32)) = map abs x
E04 abs: argument 1 must be a number, found (f32, f32)
  let:1:28
  | f (x: [N](f32, f32)) = map abs x
  |                            ^~~
  needs   a number
  found   (f32, f32)
  hint    pairs as complex numbers: cadd, csub, cmul, cdiv, cabs ... (help prelude)
> let f (x: [H][W]f32) = map2 (\w -> sum (join w)) (slide2 3 5 2 1 x)
E04 map: "in" must be [n]a, found i32
  let:1:46
  | f (x: [H][W]f32) = map2 (\w -> sum (join w)) (slide2 3 5 2 1 x)
  |                                              ^~~~~~~~~~~~~~~~~~
  needs   [n]a
  found   i32
  within  let slide2 k s x = map transpose (slide k s (map (slide k s) x))
  hint    slide2 takes 3: slide2 k s x
> let f (x: [N][2]f32) = map (\[a, b] -> a + b) x
E03 expected a name, `_` or a bracketed pattern, found `[`
  let:1:26
  | f (x: [N][2]f32) = map (\[a, b] -> a + b) x
  |                          ^
  hint    an array has one name, and its elements are xs[0], xs[1]
> let f (x: [N]f32) = minmax x
E02 no definition, primitive or variable called "minmax"
  let:1:17
  | f (x: [N]f32) = minmax x
  |                 ^~~~~~
  hint    (minimum xs, maximum xs)
> let f (x: [N]f32) = map (+ 1_000) x
E03 `1_000` is neither a number nor a name
  let:1:24
  | f (x: [N]f32) = map (+ 1_000) x
  |                        ^~~~~
  needs   its digits alone: 1000 for 1_000
> let f (x: [N]f64) (u: f64) = map (\v -> v + u % 1) x
E04 %: argument 1 must be an integer, found f64
  let:1:41
  | f (x: [N]f64) (u: f64) = map (\v -> v + u % 1) x
  |                                         ^~~~~
  needs   an integer
  found   f64
  hint    of floats: floor (x / y), and x - y * floor (x / y), or fmod x y towards zero
> # a cast of a literal loses no digits: it decides what the literal is, as far as that is of its kind
> eval (f64 0.1, f64 (-0.1), f64 (2 * pi), f64 (1.0 / 3), i64 3000000000, i64 (-3000000000), u32 4000000000, f64 7)
(f64, f64, f64, f64, i64, i64, u32, f64)
  (0.1, -0.1, 6.283185307179586, 0.3333333333333333, 3000000000, -3000000000, 4000000000, 7)
  hash 3c96f788eebfe2b8
> eval u8 300
E04 300 is out of range for u8
  eval:1:4
  | u8 300
  |    ^~~
  needs   0 to 255
> let scaled (x: [N]f64) = let c = 0.1 in map (\v -> v * f64 c + f64 0.1f32 + f64 (0.1 * 2 + 1) + f64 (0.1f32 + 2) + f64 (N / 2)) x
scaled : [N]f64 -> [N]f64
> show
map
  (λv → v * f64 0.1 + f64 0.1f32 + f64 (0.1f64 * 2.0f64 + 1) + f64 (0.1f32 + 2.0f32) + f64 (N / 2))
  x
> info | grep literal
> let narrow (x: [N]f64) = map (\v -> (u8 3, u8 3i32, f64 (sqrt (reduceSeq (\(a, b) -> a + 0.5f32) 0.0 [1.0, 2.0])))) x
narrow : [N]f64 -> [N](u8, u8, f64)
> show
map
  (λv →
    (u8 3,
      u8 3i32,
      f64
        (sqrt
          (reduceSeq (λ(a, b) → a + 0.5) 0.0f32 (generate 2 (λi → if i < 1 then 1.0f32 else 2.0f32))))))
  x
> # an axis that an array does not have, patterns and brackets of other languages
> let total (x: [B][C]f32) = overAxis D sum x
E04 [B][C]f32 has no axis D
  let:1:24
  | total (x: [B][C]f32) = overAxis D sum x
  |                        ^~~~~~~~~~~~~~~~
  needs   0 to 1
  hint    an axis is its number from 0, or from the end, -1, -2 ...; or the name of its length, if no other has it
  within  let lastAxis d x = repeated (axis d x) (rank x - 1) (\i -> nest i transpose) x
> let total (x: [B][C]f32) = let r = replicate K x in overAxis K sum (overAxis C sum r)
total : [B][C]f32 -> [B]f32
  size     K, which is the length of no input: data K = ...
> let pairs (x: [N](f32, f32)) = map (\(a b) -> a + b) x
E03 expected `,` or `)` in a pattern, found the name `b`
  let:1:37
  | pairs (x: [N](f32, f32)) = map (\(a b) -> a + b) x
  |                                     ^
  hint    the parts of a tuple have commas, (a, b); a lambda of two is \a b -> ...
> let three () = 3
E03 expected a name, `_` or a bracketed pattern, found `)`
  let:1:8
  | three () = 3
  |        ^
  hint    what takes nothing has no brackets: let c = 3
> data w = softmax(3)
E05 "softmax(3)" describes no input
  needs   random(seed,lo,hi), iota, const(v), file("x.bin"), adversarial(seed), stochastic(seed), offsets(seed,n), values: [1, 2, 3], or a number: 0.1/(N-1)
  hint    stochastic(1)
> # a state that is another type than the elements
> let fwd (a: [N]f32) (b: [N]f32) (c: [N]f32) = scan (\(s, t) (x, y, z) -> (s + x, t * y + z)) (0, 0) (zip a b c)
E04 scan: "in" must be [n](i32, i32), found [N](f32, f32, f32)
  let:1:43
  | fwd (a: [N]f32) (b: [N]f32) (c: [N]f32) = scan (\(s, t) (x, y, z) -> (s + x, t * y + z)) (0, 0) (zip
  |                                           ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
  needs   [n](i32, i32)
  found   [N](f32, f32, f32)
  hint    scan combines elements with one another; a state of another type takes one after the other: scanSeq f z x
> let sums (a: [N]f32) (b: [N]f32) = reduce (\s (x, y) -> s + x * y) 0 (zip a b)
E04 "0" is a number, where (f32, f32) is needed
  let:1:64
  | 32) (b: [N]f32) = reduce (\s (x, y) -> s + x * y) 0 (zip a b)
  |                                                   ^
  for     reduce: "in" must be [n]i32, found [N](f32, f32)
  hint    reduce combines elements with one another; a state of another type takes one after the other: reduceSeq f z x
> let fwd (a: [N]f32) (b: [N]f32) (c: [N]f32) = scanSeq (\(s, t) (x, y, z) -> (s + x, t * y + z)) (0, 0) (zip a b c)
fwd : [N]f32 -> [N]f32 -> [N]f32 -> [N](f32, f32)
> # map2 and map3 of as many arrays, as Futhark has them; functions of one parameter after another
> let distances (xs: [N][D]f32) (cs: [N]f32) (ks: [N]i32) = map3 (\x c k -> dot x x - c * f32 k) xs cs ks
distances : [N][D]f32 -> [N]f32 -> [N]i32 -> [N]f32
> show
map (λ(x, c, k) → reduce (+) 0 (map (*) (zip x x)) - c * f32 k) (zip xs cs ks)
> let dense W b x = map2 (\row bias -> dot row x + bias) W b
dense : helper, typed where it is used
> let layer (W: [H][I]f32) (b: [H]f32) (x: [I]f32) = map relu (dense W b x)
layer : [H][I]f32 -> [H]f32 -> [I]f32 -> [H]f32
> show
map
  (λx1 → if x1 < 0 then 0 else x1)
  (map (λ(row, bias) → reduce (+) 0 (map (*) (zip row x)) + bias) (zip W b))
> let four (a: [N]f32) = map2 (\x y -> x) a a a
E04 map: "in" must be an array, found (f32, f32, f32)
  let:1:20
  | four (a: [N]f32) = map2 (\x y -> x) a a a
  |                    ^~~~~~~~~~~~~~~~~~~~~~
  needs   an array, or several
  hint    arrays of rank one go together by zipWith f xs ys
  within  let map2 f x = map (map f) x
> let newton (ps: [N]f32) (cs: [N]f32) = zipWith (\p -> \c -> iterate 5 (\y -> y - (y * y - p) / (2 * c)) 1) ps cs
newton : [N]f32 -> [N]f32 -> [N]f32
> let scaled k = \x -> k * x
scaled : helper, typed where it is used
> let both (xs: [N]f32) = let f a = \b -> a * b in (map (scaled 2) xs, zipWith f xs xs, reduce (\a -> \b -> a + b) 0 xs)
both : [N]f32 -> ([N]f32, [N]f32, f32)
> show
(map (λx → 2 * x) xs, map (*) (zip xs xs), reduce (+) 0 xs)
> let count (xs: [N]bool) = sum (map (\b -> if b then 1 else 0) xs)
count : [N]bool -> i32
> data N = 3, xs = const(true)
> eval
@0  i32    N=3
  3
  hash 9953051d0daf3639
> data xs = const(false)
> data
  N = 3
  xs : [N]bool              const(0)
> eval
@0  i32    N=3
  0
  hash 8cb9012517c817fe
