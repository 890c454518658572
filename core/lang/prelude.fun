# The prelude: ordinary helpers, inlined where they are used. The comment before a definition is what `help NAME` says of it.
# Families over ranks (map2, pad2, slide2 ...) are added by defs.c.

# what it is given
let id x = x
# c, whatever the other is
let const c x = c
# the first of a pair
let fst (a, b) = a
# the second of a pair
let snd (a, b) = b
# n times x
let replicate (n: size) x = generate n (\i -> x)
# 0, 1 ... n-1
let iota (n: size) = generate n (\i -> i)
# f (state, number of the step) k times from x
let loop (k: size) f x = reduceSeq (\(s, i) -> f s i) x (iota k)
# f while p of the state holds, k times at most
let loopWhile (k: size) p f x = reduceSeq (\(s, i) -> if p s then f s else s) x (iota k)
# f (state, number of the step) n times from x, k times at most
let loopUpTo (k: size) n f x = slice 1 (reduceSeq (\(s, i) -> f s i) x) 0 n (iota k)
# f of the elements from each offset to the next
let mapSegments f o x = map (\w -> slice 1 f (at 0 w) (at 1 w) x) (slide 2 1 o)
# flags that are true where a segment begins, from offsets; those of segments without elements are written behind the others and dropped
let segmentStarts o xs =
  let rows = slide 2 1 o
  in take (length xs) (scatter (generate (length xs + length o) (\i -> false))
    (map (\(j, w) -> if at 0 w < at 1 w then at 0 w else length xs + j) (zip (iota (length rows)) rows))
    (map (\w -> true) rows))
# a scan that begins anew where starts is true
let scanSegments f z starts xs =
  map snd (scan (\((a, v), (b, w)) -> (a || b, if b then w else f (v, w))) (false, z)
    (map (\(b, x) -> (b, if b then f (z, x) else x)) (zip starts xs)))
# the elements for which p holds, in order, then fill; and their number
let filter p fill xs =
  let ends = scan (+) 0 (map (\x -> if p x then 1 else 0) xs)
  let count = at (length xs - 1) ends
  in (scatter xs
    (map (\(i, x, e) -> if p x then e - 1 else count + i - e) (zip (iota (length xs)) xs ends))
    (map (\x -> if p x then x else fill) xs), count)
# the first element
let head xs = at 0 xs
# the last element
let last xs = at (length xs - 1) xs
# all but the first element
let tail xs = drop 1 xs
# all but the last element
let init xs = take (length xs - 1) xs
# does one of the truths hold?
let any xs = reduce (||) false xs
# do all of them?
let all xs = reduce (&&) true xs
# f of each two elements
let zipWith f xs ys = map f (zip xs ys)
# -x
let negate x = -x
# x - y
let subtract y x = x - y

# x * x
let square x = x * x

# all added up
let sum xs = reduce (+) 0 xs
# all multiplied
let product xs = reduce (*) 1 xs
# the sum by the length; of integers the floor
let mean xs = reduce (+) 0 xs / length xs
# the largest; elements that are NaN are skipped
let maximum xs = reduce max lowest xs
# the smallest; elements that are NaN are skipped
let minimum xs = reduce min highest xs
# the larger; NaN when one side is NaN, where max returns the number
let maxNaN (a, b) = if a > b || a != a then a else b with associative commutative neutral lowest
# the smaller; NaN when one side is NaN, where min returns the number
let minNaN (a, b) = if a < b || a != a then a else b with associative commutative neutral highest
# the number of the first of the largest
let argmax xs = snd (reduce (\((a, i), (b, j)) -> if b > a then (b, j) else (a, i)) (lowest, 0) (zip xs (iota (length xs))))
# the number of the first of the smallest
let argmin xs = snd (reduce (\((a, i), (b, j)) -> if b < a then (b, j) else (a, i)) (highest, 0) (zip xs (iota (length xs))))
# 0 where x is below 0, else x; NaN stays, as in PyTorch
let relu x = if x < 0 then 0 else x
# 1 / (1 + exp (-x))
let sigmoid x = 1 / (1 + exp (-x))
# by erf, as PyTorch has it unless it is told otherwise
let gelu x = x * 0.5 * (1 + erf (x * 0.7071067811865476))
# exp of each, less the largest, by their sum
let softmax xs =
  let m = reduce max (-inf) xs
  let e = map (\x -> exp (x - m)) xs
  let s = reduce (+) 0 e
  in map (\v -> v / s) e
# the sum of the products
let dot xs ys = reduce (+) 0 (map (*) (zip xs ys))
# the product of two matrices, both by rows
let matmul A B = map (\row -> map (\col -> dot row col) (transpose B)) A
# (how many, their mean, the sum of squares about it) of two parts, from those of each (Chan, Golub and LeVeque 1979)
let moments ((n, a, s), (k, b, t)) =
  let m = n + k
  let w = if m == 0 then 0 else k / m
  let d = b - a
  in (m, a + d * w, s + t + d * d * n * w) with assumed associative commutative neutral (0, 0, 0)
# the remainder of x / y, towards zero as C has it, up to rounding
let fmod x y = x - y * trunc (x / y)
# is it NaN?
let isnan x = x != x
# is it inf or -inf?
let isinf x = abs x == inf

# every k-th element from the first on: x[::k]
let every (k: size) x = join (slideFloor 1 k x)
# windows of k elements, step s, as many as there are whole ones: PyTorch's floor
let slideFloor (k: size) (s: size) x = slide k s (take ((length x - k) // s * s + k) x)
# the same, with elements d apart in a window: PyTorch's dilation
let slideDilated (k: size) (d: size) (s: size) x = map (every d) (slideFloor ((k - 1) * d + 1) s x)
# x with k-1 times v between each two elements
let spread (k: size) v x = take ((length x - 1) * k + 1) (join (map (padConst 0 (k - 1) v) (split 1 x)))

# (re, im) and (re, im) added
let cadd ((a, b), (c, d)) = (a + c, b + d) with associative commutative neutral (0, 0)
# subtracted
let csub ((a, b), (c, d)) = (a - c, b - d)
# multiplied
let cmul ((a, b), (c, d)) = (a * c - b * d, a * d + b * c) with associative commutative neutral (1, 0)
# divided; |z|^2 of the divisor must be a number of the type
let cdiv ((a, b), (c, d)) =
  let s = c * c + d * d
  in ((a * c + b * d) / s, (b * c - a * d) / s)
# the negative
let cneg (a, b) = (-a, -b)
# the conjugate; .re and .im are parts of pairs by it
let conj (a, b) = {re = a, im = -b}
# k times (a, b), k being real
let cscale k (a, b) = (k * a, k * b)
# the magnitude
let cabs (a, b) = sqrt (a * a + b * b)
# the square of the magnitude
let cabs2 (a, b) = a * a + b * b
# the angle
let carg (a, b) = atan2 b a
# the number of magnitude 1 at that angle: exp (i t)
let cis t = (cos t, sin t)
# e to the power
let cexp (a, b) =
  let e = exp a
  in (e * cos b, e * sin b)
# the logarithm, its angle from -pi to pi
let clog (a, b) = (log (sqrt (a * a + b * b)), atan2 b a)
# the root whose real part is not negative
let csqrt (a, b) =
  let m = sqrt (a * a + b * b)
  let q = sqrt (max 0 ((m - a) / 2))
  in (sqrt (max 0 ((m + a) / 2)), if b < 0 then -q else q)
# all added up
let csum xs = reduce cadd (0, 0) xs
# the sum of the products, neither conjugated
let cdot xs ys = reduce cadd (0, 0) (map cmul (zip xs ys))

# axis d behind all others
let lastAxis d x = repeated (axis d x) (rank x - 1) (\i -> nest i transpose) x
# axis d before all others
let firstAxis d x = let k = axis d x in repeated 0 k (\i -> nest (k - 1 - i) transpose) x
# the last axis to place d
let fromLast d x = repeated 0 (rank x - 1 - axis d x) (\i -> nest (rank x - 2 - i) transpose) x
# f of the elements along axis d, which is gone then: overAxis 0 sum A, overAxis H sum A, overAxis (-1) sum A
let overAxis d f x = let y = lastAxis d x in nest (rank y - 1) f y
# f of the elements along axis d, which stays where it is: alongAxis 0 softmax A
let alongAxis d f x = let k = axis d x in fromLast k (nest (rank x - 1) f (lastAxis k x))
# f (b, e) of v's element b and each element e of x that has b's place on axis d: zipAxis 1 (+) bias x
let zipAxis d f v x = nest (axis d x) (\y -> map (\(b, part) -> nest (rank y - 1) (\e -> f (b, e)) part) (zip v y)) x
# x n times along a new axis d of what it makes
let broadcast d (n: size) x = nest (axis d (replicate 1 x)) (replicate n) x
# [C][H][W] to [H][W][C]
let channelsLast x = map transpose (transpose x)
# [H][W][C] to [C][H][W]
let channelsFirst x = transpose (map transpose x)
