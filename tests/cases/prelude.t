> help sum
let sum xs = reduce (+) 0 xs
  all added up
> help softmax
let softmax xs =
  let m = reduce max (-inf) xs
  let e = map (\x -> exp (x - m)) xs
  let s = reduce (+) 0 e
  in map (\v -> v / s) e
  exp of each, less the largest, by their sum
> help slideDilated
let slideDilated (k: size) (d: size) (s: size) x = map (every d) (slideFloor ((k - 1) * d + 1) s x)
  the same, with elements d apart in a window: PyTorch's dilation
> help padConst2
let padConst2 l r v x = transpose . map (padConst l r v) . transpose $ map (padConst l r v) x
  padConst l r v in each of 2 dimensions
> let one (xs: [N]f32) = (sum xs, product xs, mean xs, maximum xs, minimum xs)
one : [N]f32 -> (f32, f32, f32, f32, f32)
> show
(reduce (+) 0 xs, reduce (*) 1 xs, reduce (+) 0 xs / N, reduce max (-inf) xs, reduce min inf xs)
> let whole (xs: [N]u8) = (maximum xs, minimum xs)
whole : [N]u8 -> (u8, u8)
> show
(reduce max 0 xs, reduce min 255 xs)
> let f (xs: [N]f64) = map gelu (map sigmoid (map relu xs))
f : [N]f64 -> [N]f64
> show
map (λx → x * 0.5 * (1 + erf (x * 0.7071067811865476))) ∘
  map (λx → 1 / (1 + exp (-x))) ∘
  map (λx → if x < 0 then 0 else x) $ xs
> let transposed x = x
transposed : helper, typed where it is used
> let dot a b = a - b
dot : helper, typed where it is used
> let mm (A: [N][K]f32) (B: [K][M]f32) = matmul A B
mm : [N][K]f32 -> [K][M]f32 -> [N][M]f32
> show
map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) A
> let soft (A: [N][M]f32) = map softmax A
soft : [N][M]f32 -> [N][M]f32
> show
map
  (λxs →
    let m = reduce max (-inf) xs
    in let e = map (λx → exp (x - m)) xs in let s = reduce (+) 0 e in map (λv → v / s) e)
  A
> let spelled (A: [N][M]f32) = map (\x -> let m = reduce max (-inf) x let e = map (\v -> exp (v - m)) x let s = reduce (+) 0 e in map (\v -> v / s) e) A
spelled : [N][M]f32 -> [N][M]f32
> show
map
  (λxs →
    let m = reduce max (-inf) xs
    in let e = map (λx → exp (x - m)) xs in let s = reduce (+) 0 e in map (λv → v / s) e)
  A
> let both (xs: [N]f32) = (reduce max lowest xs, reduce maxNaN lowest xs, map relu xs, map isnan xs, map isinf xs)
both : [N]f32 -> (f32, f32, [N]f32, [N]bool, [N]bool)
> data xs = [1, nan, -2, inf]
> eval
@0  (f32, f32, [4]f32, [4]bool, [4]bool)    N=4
  (inf, nan, [1, nan, 0, inf], [false, true, ...], [...])
  hash 8733b9827160afa2
> let m (xs: [N]f32) = reduce maxNaN lowest xs
m : [N]f32 -> f32
> data N = 4096
> apply reducePartIntro(64) at /
@1  reducePartIntro(64)  at /           builtin    from @0
  - reduce (λ(a, b) → if a > b || a != a then a else b) (-inf) xs
  + reduce (..) (-inf) ∘ reducePart 64 (λ(a, b) → if a > b || a != a then a else b) (-inf) $ xs
  type   f32                          unchanged
  focus  /  ->  /                     12 moves here
> show
reduce (λ(a, b) → if a > b || a != a then a else b) (-inf) ∘
  reducePart 64 (λ(a, b) → if a > b || a != a then a else b) (-inf) $ xs
> let w (x: [N]f32) = (slideFloor 3 2 x, slideDilated 2 3 1 x, spread 3 0 x, every 4 x)
w : [N]f32 -> ([(N + 1) // 2 - 1][3]f32, [N - 3][2]f32, [3*N - 2]f32, [(N + 3) // 4]f32)
> data N = 8
> data x = iota
> eval --full
@0  ([3][3]f32, [5][2]f32, [22]f32, [2]f32)    N=8
  ([[0, 1, 2],
   [2, 3, 4],
   [4, 5, 6]],
   [[0, 3],
   [1, 4],
   [2, 5],
   [3, 6],
   [4, 7]],
   [0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 4, 0, 0, 5, 0, 0, 6, 0, 0, 7],
   [0, 4])
  hash ad2bed4478518af3
> let w2 (x: [H][W]f32) = windows2 (slide 3 1) (slideFloor 5 2) x
w2 : [H][W]f32 -> [H - 2][(W + 1) // 2 - 2][3][5]f32
> let p2 (x: [H][W]f32) = padConst2 1 2 0 x
p2 : [H][W]f32 -> [H + 3][W + 3]f32
> let p3 (x: [A][B][C]f64) = padConst3 1 1 (-1) x
p3 : [A][B][C]f64 -> [A + 2][B + 2][C + 2]f64
> let z2 (x: [H][W]f32) = spread2 2 0 x
z2 : [H][W]f32 -> [2*H - 1][2*W - 1]f32
> data H = 2 W = 3
> data x = iota
> eval --full
@0  [3][5]f32    H=2  W=3
  [[0, 0, 1, 0, 2],
   [0, 0, 0, 0, 0],
   [3, 0, 4, 0, 5]]
  hash e618ad1bdc7157bf
> let q2 (x: [H][W]f32) = dims2 (padConst 0 1 9) (spread 2 0) x
q2 : [H][W]f32 -> [H + 1][2*W - 1]f32
> data H = 2 W = 3
> data x = iota
> eval --full
@0  [3][5]f32    H=2  W=3
  [[0, 0, 1, 0, 2],
   [3, 0, 4, 0, 5],
   [9, 9, 9, 9, 9]]
  hash 69205dd62b644965
> let a0 (A: [N][M][K]f32) = overAxis 0 sum A
a0 : [N][M][K]f32 -> [M][K]f32
> show
map (map (reduce (+) 0)) ∘ map transpose ∘ transpose $ A
> let a1 (A: [N][M][K]f32) = overAxis 1 sum A
a1 : [N][M][K]f32 -> [N][K]f32
> show
map (map (reduce (+) 0)) ∘ map transpose $ A
> let a2 (A: [N][M][K]f32) = overAxis 2 sum A
a2 : [N][M][K]f32 -> [N][M]f32
> show
map (map (reduce (+) 0)) A
> let s1 (A: [N][M][K]f32) = alongAxis 1 softmax A
s1 : [N][M][K]f32 -> [N][M][K]f32
> let b (x: [N][C][H][W]f32) (bias: [C]f32) = zipAxis 1 (+) bias x
b : [N][C][H][W]f32 -> [C]f32 -> [N][C][H][W]f32
> show
map (λy → map (λ(b, part) → map (map (λe → b + e)) part) (zip bias y)) x
> let l (x: [C][H][W]f32) = channelsLast x
l : [C][H][W]f32 -> [H][W][C]f32
> show
map transpose ∘ transpose $ x
> let k (x: [H][W][C]f32) = channelsFirst x
k : [H][W][C]f32 -> [C][H][W]f32
> let r (x: [N]f32) = (broadcast 0 3 x, broadcast 1 3 x)
r : [N]f32 -> ([3][N]f32, [N][3]f32)
> let n (x: [N][M]f32) = map (\v -> v * f32 (rank x)) (join x)
n : [N][M]f32 -> [M*N]f32
> let bad (x: [N][M]f32) = overAxis 2 sum x
E04 [N][M]f32 has no axis 2
  let:1:22
  | bad (x: [N][M]f32) = overAxis 2 sum x
  |                      ^~~~~~~~~~~~~~~~
  needs   0 to 1
  hint    an axis is its number from 0, or from the end, -1, -2 ...; or the name of its length, if no other has it
  within  let lastAxis d x = repeated (axis d x) (rank x - 1) (\i -> nest i transpose) x
> let bad (x: [N][M]f32) = overAxis N sum x
bad : [N][M]f32 -> [M]f32
> let bad (x: [N][M]f32) = nest 1 sum
E04 nest takes 3 arguments, it is given 2
  let:1:22
  | bad (x: [N][M]f32) = nest 1 sum
  |                      ^~~~~~~~~~
  needs   nest d f x: f under d dimensions of x
> let c (z: [N](f64, f64)) = (map (\x -> cmul x (0, 1)) z, csum z, reduce cmul (1, 0) z, map conj z, map cabs z, map carg z)
c : [N](f64, f64) -> ([N](f64, f64), (f64, f64), (f64, f64), [N](f64, f64), [N]f64, [N]f64)
> data z = [(3, 4), (0, -2)]
> eval --full
@0  ([2](f64, f64), (f64, f64), (f64, f64), [2](f64, f64), [2]f64, [2]f64)    N=2
  ([(-4, 3), (2, 0)], (3, 2), (8, -6), [(3, -4), (0, 2)],
   [5, 2],
   [0.9272952180016122, -1.5707963267948966])
  hash 4f7b62846c77b26f
> let d (z: [N](f64, f64)) = (map (\x -> cdiv (1, 0) x) z, map csqrt z, map (\x -> cexp (clog x)) z, map (cscale 2) z, cdot z z)
d : [N](f64, f64) -> ([N](f64, f64), [N](f64, f64), [N](f64, f64), [N](f64, f64), (f64, f64))
> data z = [(3, 4), (0, -2)]
> eval --full
@0  ([2](f64, f64), [2](f64, f64), [2](f64, f64), [2](f64, f64), (f64, f64))    N=2
  ([(0.12, -0.16), (0, 0.5)],
   [(2, 1), (1, -1)],
   [(3, 3.999999999999999), (1.2246467991473532e-16, -2)],
   [(6, 8), (0, -4)], (-11, 24))
  hash 1eae2c41b80fbc15
> let p (z: [N](f64, f64)) = reduce cmul (1, 0) z
p : [N](f64, f64) -> (f64, f64)
> data N = 4096
> apply reducePartIntro(64) at /
@1  reducePartIntro(64)  at /           builtin    from @0
  - reduce (λ((a, b), (c, d)) → (a * c - b * d, a * d + b * c)) (1, 0) z
  + reduce (..) (..) ∘ reducePart 64 (λ((a, b), (c, d)) → (a * c - b * d, a * d + b * c)) (1, 0) $ z
  type   (f64, f64)                   unchanged
  focus  /  ->  /                     12 moves here
> let f (x: [N]f32) = map (\v -> (expm1 v, log1p (abs v), lgamma (3 * v), trunc (5 * v), isnan v, isinf v)) x
f : [N]f32 -> [N](f32, f32, f32, f32, bool, bool)
> data N = 64
> lower ; run -n 0
@1  lower                               builtin    from @0
  - map (λv → (expm1 v, log1p ∘ abs $ v, lgamma (3 * v), trunc (5 * v), v != v, abs v == inf)) x
  + mapGlobal 0 (λv → (..)) x
  type   [N](f32, f32, f32, f32, bool, bool)  unchanged
  focus  /  ->  /                     6 moves here
@1  pocl0 **
  build **
  verify  OK **
          error 4.2e-07, 0.021 x the source's own; sees changes of 0.00016
          every element
**
> let g (x: [N]u32) = map (\v -> (popcount v, clz v, asI32 v, asF32 (band v 0x3fffffff))) x
g : [N]u32 -> [N](u32, u32, i32, f32)
> data N = 64
> lower ; run -n 0
@1  lower                               builtin    from @0
  - map (λv → (popcount v, clz v, asI32 v, asF32 (band v 1073741823))) x
  + mapGlobal 0 (λv → (popcount v, clz v, asI32 v, asF32 (band v 1073741823))) x
  type   [N](u32, u32, i32, f32)      unchanged
  focus  /  ->  /                     6 moves here
@1  pocl0 **
  build **
  verify  OK **
          exact; sees changes of 6e-08
          every element
> code
/* g@1  494dfd76f4981ec4
 *   @1 lower
 * N=64
 */

#pragma OPENCL FP_CONTRACT OFF

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void g_k0(const global uint *restrict x, global uint *restrict out_0,
                 global uint *restrict out_1, global int *restrict out_2,
                 global float *restrict out_3)
{
    int gid0 = get_global_id(0);
    uint v = x[gid0];
    out_0[gid0] = popcount(v);
    out_1[gid0] = clz(v);
    out_2[gid0] = as_int(v);
    out_3[gid0] = as_float(v & 1073741823u);
}
> code --dialect cuda
/* g@1  494dfd76f4981ec4
 *   @1 lower
 * N=64
 */

/* CUDA C, for nvcc -O3 -fmad=false -prec-div=false -prec-sqrt=false: a kernel says itself where a product and a sum are one
 * fma, and OpenCL C asks for no more of / and sqrt. */

template <class T> static __device__ T lathe_popcount(T x) { return (T)__popcll((unsigned long long)x << (64 - 8 * sizeof(T))); }
template <class T> static __device__ T lathe_clz(T x)
{ return (T)(x ? __clzll((long long)((unsigned long long)x << (64 - 8 * sizeof(T)))) : 8 * (int)sizeof(T)); }
template <class T, class From> static __device__ T lathe_bits(From x) { T r; memcpy(&r, &x, sizeof r); return r; }

extern "C" __global__ __launch_bounds__(32)
void g_k0(const unsigned *__restrict__ x, unsigned *__restrict__ out_0,
          unsigned *__restrict__ out_1, int *__restrict__ out_2,
          float *__restrict__ out_3)
{
    int gid0 = blockIdx.x * 32 + threadIdx.x;
    unsigned v = x[gid0];
    out_0[gid0] = lathe_popcount(v);
    out_1[gid0] = lathe_clz(v);
    out_2[gid0] = lathe_bits<int>(v);
    out_3[gid0] = lathe_bits<float>(v & 1073741823u);
}
> let nans (x: [N]f32) = (map (\v -> maxNaN v 0) x, map relu x, map (\v -> max v 0) x)
nans : [N]f32 -> ([N]f32, [N]f32, [N]f32)
> data x = [1, nan, -2, 3]
> lower ; run -n 0 --show
@1  lower                               builtin    from @0
  - (map (λv → if v > 0 || v != v then v else 0) x, map (..) x, map (λv → max v 0) x)
  + (mapGlobal 0 (..) x, mapGlobal 0 (λx1 → if x1 < 0 then 0 else x1) x, mapGlobal 0 (..) x)
  type   ([N]f32, [N]f32, [N]f32)     unchanged
  inner  3 steps        log --expand
  focus  /  ->  /                     2 moves here
@1  pocl0 **
  build **
  verify  OK **
          exact; sees changes of 6e-08
          every element
**
  result  ([1, nan, 0, 3], [1, nan, 0, 3], [...])
> let bad (x: [N]f64) = map asI32 x
E04 asI32: argument 1 must be a scalar of 32 bits, found f64
  let:1:23
  | bad (x: [N]f64) = map asI32 x
  |                       ^~~~~
  needs   a scalar of 32 bits
  found   f64
> let bad (x: [N]i32) = map (\v -> v >> 2) x
E03 expected an expression, found `>`
  let:1:33
  | bad (x: [N]i32) = map (\v -> v >> 2) x
  |                                 ^
  hint    `shr a b` shifts a right by b
> let bad (x: [N]i32) = map (\v -> v << 2) x
E03 expected an expression, found `<`
  let:1:33
  | bad (x: [N]i32) = map (\v -> v << 2) x
  |                                 ^
  hint    `shl a b` shifts a left by b
> let bad (x: [N]i32) = map (\v -> ~v) x
E03 `~` starts nothing in this language
  let:1:30
  | bad (x: [N]i32) = map (\v -> ~v) x
  |                              ^
  needs   `bxor a (-1)` has every bit of an integer the other way, `!a` negates a bool
> let bad (x: [N]f32) = map (\v -> if v ? 1 then 2 else 3) x
E03 `?` starts nothing in this language
  let:1:35
  | bad (x: [N]f32) = map (\v -> if v ? 1 then 2 else 3) x
  |                                   ^
  needs   `if c then a else b`
> let bad (x: [N]f32) = map (\v -> v % 2) x
E04 %: argument 1 must be an integer, found f32
  let:1:30
  | bad (x: [N]f32) = map (\v -> v % 2) x
  |                              ^~~~~
  needs   an integer
  found   f32
  hint    of floats: floor (x / y), and x - y * floor (x / y), or fmod x y towards zero
> let bad (x: [N]i32) = map (\v -> v + 0xFFFFFFFF) x
E04 4294967295 is out of range for i32
  let:1:34
  | bad (x: [N]i32) = map (\v -> v + 0xFFFFFFFF) x
  |                                  ^~~~~~~~~~
  needs   -2147483648 to 2147483647
> help nest
nest d f x
  f under d dimensions of x: map (map f) x where d is 2
> help lowest
lowest
  the least number of whatever type is wanted; -inf of floats
> let bad (A: [N][M]f32) = sum A
E04 "0" is a number, where [M]f32 is needed
  let:1:22
  | bad (A: [N][M]f32) = sum A
  |                      ^~~~~
  for     reduce: "in" must be [n]i32, found [N][M]f32
  hint    of each row: map f x; along axis 0: overAxis 0 f x; of all: f (join x)
  within  let sum xs = reduce (+) 0 xs
> let bad (z: [N](f32, f32)) = map abs z
E04 abs: argument 1 must be a number, found (f32, f32)
  let:1:30
  | bad (z: [N](f32, f32)) = map abs z
  |                              ^~~
  needs   a number
  found   (f32, f32)
  hint    pairs as complex numbers: cadd, csub, cmul, cdiv, cabs ... (help prelude)
> let bad (x: [N]f32) = std x
E02 no definition, primitive or variable called "std"
  let:1:19
  | bad (x: [N]f32) = std x
  |                   ^~~
  hint    sqrt of mean (map (\x -> (x - m) * (x - m)) xs)
> let picks (x: [N]f32) = (argmax x, argmin x)
picks : [N]f32 -> (i32, i32)
> data x = [1, 5, -2, 5, -2]
> eval
@0  (i32, i32)    N=5
  (1, 2)
  hash d036460068b5638f
> let dot xs ys = sum (zipWith (*) xs ys)
dot : helper, typed where it is used
> let attention (q: [N][D]f32) (k: [M][D]f32) (v: [M][E]f32) = matmul (map softmax (map2 (\s -> s / sqrt (f32 D)) (matmul q (transpose k)))) v
attention : [N][D]f32 -> [M][D]f32 -> [M][E]f32 -> [N][E]f32
> let layer (x: [N][D]f32) (w: [D][E]f32) (b: [E]f32) = map2 relu (zipAxis 1 (+) b (matmul x w))
layer : [N][D]f32 -> [D][E]f32 -> [E]f32 -> [N][E]f32
> let transposed (x: [H][W]f32) (k: [3][3]f32) = map2 (\w -> dot (join w) (join k)) (slide2 3 1 (padConst2 2 2 0 (spread2 2 0 x)))
transposed : [H][W]f32 -> [3][3]f32 -> [2*H + 1][2*W + 1]f32
> data H = 6 W = 7
> lower ; run -n 0
@1  lower                               builtin    from @0
  - map2 (λw → reduce (+) 0 (map (*) (..))) ∘ slide2 3 1 ∘ padConst2 2 2 0 ∘ spread2 2 0 $ x
  + mapGlobal 1 (mapGlobal 0 (λw → reduceSeqUnroll (λ(acc, (y0, y1)) → fma y0 y1 acc) 0 (..))) ..
  type   [2*H + 1][2*W + 1]f32        unchanged
  inner  6 steps        log --expand
  focus  /  ->  /                     11 moves here
@1  pocl0 **
  build **
  verify  OK **
          error 7.7e-08, 0.15 x the source's own; sees changes of 6e-08
          every element
> let unlike (x: [H][W]f32) (k: [3][5]f32) = map2 (\w -> dot (join w) (join k)) (windows2 (slide 3 1) (slideFloor 5 2) x)
unlike : [H][W]f32 -> [3][5]f32 -> [H - 2][(W + 1) // 2 - 2]f32
> data H = 9 W = 16
> lower ; run -n 0
@1  lower                               builtin    from @0
  - map2 (λw → reduce (+) 0 (map (*) (zip (join w) (join k)))) ∘ windows2 (..) (slideFloor 5 2) $ x
  + mapGlobal 1 (mapGlobal 0 (λw → reduceSeq (λ(acc, (y0, y1)) → fma y0 y1 acc) 0 (..))) ..
  type   [H - 2][(W + 1) // 2 - 2]f32  unchanged
  inner  5 steps        log --expand
  focus  /  ->  /                     10 moves here
@1  pocl0 **
  build **
  verify  OK **
          error 2e-07, 0.18 x the source's own; sees changes of 6e-08
          every element
> let product2 (A: [N][K](f32, f32)) (B: [K][M](f32, f32)) = map (\r -> map (cdot r) (transpose B)) A
product2 : [N][K](f32, f32) -> [K][M](f32, f32) -> [N][M](f32, f32)
> data N = 8 K = 8 M = 8
> lower ; run -n 0
@1  lower                               builtin    from @0
  - map (λr → map (λys → reduce (λ((a, b), (c, d)) → (a + c, b + d)) (..) (map (λ((a, b), (c, d))...
  + join ∘ mapWorkgroup 1 (λxss → transpose ∘ join ∘ mapWorkgroup 0 (λxss1 → transpose (join (red...
  type   [N][M](f32, f32)             unchanged
  inner  48 steps        log --expand
  focus  /  ->  /                     10 moves here
@1  pocl0 **
  build **
  verify  OK **
          error 3.6e-07, 0.35 x the source's own; sees changes of 6e-08
          every element
> # borders of a value in patterns and rules, as pad2 and slide2
> let cube (x: [A][B][C]f32) = map3 abs (padConst3 1 1 0 x)
cube : [A][B][C]f32 -> [A + 2][B + 2][C + 2]f32
> find 'padConst3 1 1 0 _'
  :1    /in                     padConst3 1 1 0 x
1 place
> find padConst2
  :1    /in/in/in/in/f/body     padConst2 1 1 0 x1
1 place
> rule padTwice: padConst2 a b v (padConst2 c d v x) => padConst2 (a + c) (b + d) v x
rule padTwice
  padConst2 a b v (padConst2 c d v x)  =>  padConst2 (a + c) (b + d) v x
  user; assumed
> let twice (x: [A][B]f32) = padConst2 1 1 0 (padConst2 1 2 0 x)
twice : [A][B]f32 -> [A + 5][B + 5]f32
> apply padTwice
@1  padTwice  at /                      assumed    from @0
  - padConst2 1 1 0 ∘ padConst2 1 2 0 $ x
  + padConst2 2 3 0 x
  type   [A + 5][B + 5]f32            unchanged
  focus  /  ->  /                     11 moves here
W08 rule padTwice is "assumed": versions built with it are marked ?      (check padTwice; silence: set silence W08)
