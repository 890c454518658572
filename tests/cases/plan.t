> load tests/programs/gemver.fun
gemver : [N][M]f32 -> [N]f32 -> [M]f32 -> [N]f32 -> [M]f32 -> [N]f32 -> [M]f32 -> f32 -> f32 -> ([N][M]f32, [M]f32, [N]f32)        2 programs; list programs
  inlined  w: used once (letDuplicate)
> data N = 97, M = 93
> lower
@1  lower                               builtin    from @0
  - let B = map (λ(..) → map (λ(..) → a + p * c + q * d) (..)) (..) in let x = map (λ(..) → beta ...
  + let B = mapGlobal 1 (λ(..) → mapGlobal 0 (λ(..) → fma q d (fma p c a)) (..)) (..) in let x = ...
  type   ([N][M]f32, [M]f32, [N]f32)  unchanged
  inner  37 steps        log --expand
  focus  /  ->  /                     3 moves here
> plan
gemver_k0   93 x 97 work-items, groups of 93x1
   A u1 v1 u2 v2 out_0
   limited by starting kernels and groups: 2.48 us of the 4.06 us expected
gemver_k1   93 work-items, groups of 93
   y z out_0 out_1
   limited by sums that wait for the step before: 5.41 us of the 8.14 us expected
gemver_k2   97 work-items, groups of 1
   out_0 out_1 out_2
   limited by starting kernels and groups: 2.48 us of the 4.7 us expected
A            9021 f32, input
u1           97 f32, input
v1           93 f32, input
u2           97 f32, input
v2           93 f32, input
y            97 f32, input
z            93 f32, input
out_0        9021 f32, output
out_1        93 f32, output
out_2        97 f32, output
> let twice (xs: [N]f32) = let y = map (\x -> x * 2) xs in (y, reduce (+) 0 y, y)
twice : [N]f32 -> ([N]f32, f32, [N]f32)
> lower
@1  lower                               builtin    from @0
  - let y = map (λx → x * 2) xs in (y, reduce (+) 0 y, y)
  + let y = mapGlobal 0 (..) xs in (y, reduceSeq (+) 0 (mapGlobal 0 (λi → slice 1 (reduceSeq (+) ...
  type   ([N]f32, f32, [N]f32)        unchanged
  inner  5 steps        log --expand
  focus  /  ->  /                     2 moves here
> plan
twice_k0   64*((N + 63) // 64) work-items, groups of 64
   xs out_0
   limited by starting kernels and groups: 2.02 us of the 2.06 us expected at default sizes
twice_k1   64 work-items, groups of 64
   out_0 tmp
   limited by starting kernels and groups: 2 us of the 2.18 us expected at default sizes
twice_k2   1 work-item, groups of 1
   out_1 tmp
   limited by starting kernels and groups: 2 us of the 2.05 us expected at default sizes
twice_k3   64*((N + 63) // 64) work-items, groups of 64
   out_0 out_2
   copies out_0 to out_2: one value in two places
   limited by starting kernels and groups: 2.02 us of the 2.05 us expected at default sizes
xs           N f32, input
out_0        N f32, output
out_1        1 f32, output
out_2        N f32, output
tmp          64 f32, temporary, made by twice_k1, read by twice_k2, 256 bytes
temporaries 256 bytes
> data N = 97
> plan
twice_k0   97 work-items, groups of 97
   xs out_0
   limited by starting kernels and groups: 2 us of the 2.03 us expected
twice_k1   64 work-items, groups of 64
   out_0 tmp
   limited by starting kernels and groups: 2 us of the 2.12 us expected
twice_k2   1 work-item, groups of 1
   out_1 tmp
   limited by starting kernels and groups: 2 us of the 2.05 us expected
twice_k3   97 work-items, groups of 97
   out_0 out_2
   copies out_0 to out_2: one value in two places
   limited by starting kernels and groups: 2 us of the 2.03 us expected
xs           97 f32, input
out_0        97 f32, output
out_1        1 f32, output
out_2        97 f32, output
tmp          64 f32, temporary, made by twice_k1, read by twice_k2, 256 bytes
temporaries 256 bytes
> let chain (xs: [N]f32) = let a = toGlobal (mapGlobal 0 (\x -> x + 1) xs) in let b = toGlobal (mapGlobal 0 (+) (zip a (reorder reverse a))) in let c = toGlobal (mapGlobal 0 (*) (zip b (reorder reverse b))) in mapGlobal 0 (-) (zip c (reorder reverse c))
chain : [N]f32 -> [N]f32
> plan
chain_k0   64*((N + 63) // 64) work-items, groups of 64
   xs a
   limited by starting kernels and groups: 2.02 us of the 2.06 us expected at default sizes
chain_k1   64*((N + 63) // 64) work-items, groups of 64
   a b
   limited by starting kernels and groups: 2.02 us of the 2.1 us expected at default sizes
chain_k2   64*((N + 63) // 64) work-items, groups of 64
   b c (in a)
   limited by starting kernels and groups: 2.02 us of the 2.1 us expected at default sizes
chain_k3   64*((N + 63) // 64) work-items, groups of 64
   out c (in a)
   limited by starting kernels and groups: 2.02 us of the 2.1 us expected at default sizes
xs           N f32, input
out          N f32, output
a            N f32, temporary, made by chain_k0 chain_k2, read by chain_k1 chain_k3, 4*N bytes
b            N f32, temporary, made by chain_k1, read by chain_k2, 4*N bytes
temporaries 8*N bytes, 12*N apart
> set sync paranoid
> plan
chain_k0   64*((N + 63) // 64) work-items, groups of 64
   xs a
   limited by starting kernels and groups: 2.02 us of the 2.06 us expected at default sizes
chain_k1   64*((N + 63) // 64) work-items, groups of 64
   a b
   limited by starting kernels and groups: 2.02 us of the 2.1 us expected at default sizes
chain_k2   64*((N + 63) // 64) work-items, groups of 64
   b c
   limited by starting kernels and groups: 2.02 us of the 2.1 us expected at default sizes
chain_k3   64*((N + 63) // 64) work-items, groups of 64
   out c
   limited by starting kernels and groups: 2.02 us of the 2.1 us expected at default sizes
xs           N f32, input
out          N f32, output
a            N f32, temporary, made by chain_k0, read by chain_k1, 4*N bytes
b            N f32, temporary, made by chain_k1, read by chain_k2, 4*N bytes
c            N f32, temporary, made by chain_k2, read by chain_k3, 4*N bytes
temporaries 12*N bytes
> set sync normal
> let phases (xs: [N]f32) = join (mapWorkgroup 0 (\r -> let a = toLocal (mapLocal 0 (\x -> x + 1) r) in let b = toLocal (mapLocal 0 (\(x, y) -> x * y) (zip a (reorder reverse a))) in let c = toLocal (mapLocal 0 (\(x, y) -> x - y) (zip b (reorder reverse b))) in mapLocal 0 (\(x, y) -> x + y) (zip c (reorder (rotate 3) c))) (split 32 xs))
phases : [N]f32 -> [N]f32
> data N = 128
> set local 32
> plan
phases_k0   128 work-items, groups of 32, 3 barriers
   xs out
   local memory 256 bytes, 384 apart
   limited by starting kernels and groups: 2.02 us of the 2.7 us expected
xs           128 f32, input
out          128 f32, output
> code
/* phases@0  de0fc56e6ced5363
 * N=128
 */

#pragma OPENCL FP_CONTRACT OFF

__attribute__((reqd_work_group_size(32, 1, 1)))
kernel void phases_k0(const global float *restrict xs,
                      global float *restrict out)
{
    local float a[32] __attribute__((aligned(64)));
    local float b[32] __attribute__((aligned(64)));
    local float *c = a;
    int wg0 = get_group_id(0);
    int l0 = get_local_id(0);
    a[l0] = xs[l0 + 32*wg0] + 1.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    b[l0] = a[l0] * a[31 - l0];
    barrier(CLK_LOCAL_MEM_FENCE);
    c[l0] = b[l0] - b[31 - l0];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l0 + 32*wg0] = c[l0] + c[(l0 + 3)%32];
}
> let steps (xs: [N]f32) = iterate 3 (\(ys, s) -> let z = map (\y -> y * 2) ys in (z, s + reduce (+) 0 z)) (xs, 0.0)
steps : [N]f32 -> ([N]f32, f32)
> lower
@1  lower                               builtin    from @0
  - loop 3 (λ(ys, s) _ → let z = map (λx → x * 2) ys in (z, s + reduce (+) 0 z)) (xs, 0)
  + reduceHost (λ((..), x) → let z = mapGlobal 0 (λx1 → x1 * 2) ys in (z, s + reduceSeq (+) 0 (ma...
  type   ([N]f32, f32)                unchanged
  inner  6 steps        log --expand
  focus  /  ->  /                     2 moves here
> plan
steps_k0   1 work-item, groups of 1
   ys_start_1
   limited by starting kernels and groups: 2 us of the 2.01 us expected at default sizes
steps_k1   32*((N + 31) // 32) work-items, groups of 32
   ys_0 ys_next_0
   limited by starting kernels and groups: 6.12 us of the 6.23 us expected at default sizes
steps_k2   64 work-items, groups of 32
   tmp2 ys_next_0
   limited by starting kernels and groups: 6.03 us of the 6.29 us expected at default sizes
steps_k3   1 work-item, groups of 1
   tmp tmp2 ys_1 ys_next_1
   joins launches that have one group each
   limited by starting kernels and groups: 6.01 us of the 6.15 us expected at default sizes
loop: steps_k1 to steps_k3, rounds: 3
   ys_0 is xs first, then ys_next_0 of the round before; ys_next_0 is out_0 and ys_spare_0 in turn
   ys_1 is ys_start_1 first, then ys_next_1 of the round before; ys_next_1 is out_1 and ys_spare_1 in turn
xs           N f32, input
out_0        N f32, output
out_1        1 f32, output
ys_start_1   1 f32, temporary, made by steps_k0, stands for ys_1, 4 bytes
ys_spare_0   N f32, temporary, stands for ys_0, 4*N bytes
ys_spare_1   1 f32, temporary, stands for ys_1, 4 bytes
tmp          1 f32, temporary, made by steps_k3, which reads it, too, 4 bytes
tmp2         64 f32, temporary, made by steps_k2, read by steps_k3, 256 bytes
temporaries 4*N + 268 bytes
> plan @0
E51 not runnable yet: 2 nodes are still high-level
  /f/body/value    map      as mapGlobal, mapWorkgroup, mapLocal, mapSeq        moves /f/body/value
  /f/body/body/1/1 reduce   as reduceSeq        moves /f/body/body/1/1
  or      lower
> # names behind one another in an output are made where they lie in it
> let behind (x: [N]f32) (y: [M]f32) = let a = map (\v -> v + 1) x in let b = map (\v -> v * 2) y in (concat a b, reduce (+) 0 a, reduce (+) 0 b)
behind : [N]f32 -> [M]f32 -> ([M + N]f32, f32, f32)
> data N = 1000, M = 513
> lower | head -1
@1  lower                               builtin    from @0
> plan
behind_k0   1024 work-items, groups of 32
   x out_0
   limited by starting kernels and groups: 2.16 us of the 2.31 us expected
behind_k1   544 work-items, groups of 32
   y out_0
   limited by starting kernels and groups: 2.08 us of the 2.17 us expected
behind_k2   64 work-items, groups of 32
   out_0 tmp
   limited by starting kernels and groups: 2.01 us of the 2.34 us expected
behind_k3   1 work-item, groups of 1
   out_1 tmp
   limited by starting kernels and groups: 2 us of the 2.04 us expected
behind_k4   64 work-items, groups of 32
   out_0 tmp2 (in tmp)
   limited by starting kernels and groups: 2.01 us of the 2.16 us expected
behind_k5   1 work-item, groups of 1
   out_2 tmp2 (in tmp)
   limited by starting kernels and groups: 2 us of the 2.04 us expected
x            1000 f32, input
y            513 f32, input
out_0        1513 f32, output
out_1        1 f32, output
out_2        1 f32, output
tmp          57 f32, temporary, made by behind_k2 behind_k4, read by behind_k3 behind_k5, 228 bytes
temporaries 228 bytes, 428 apart
> run | grep verify
  verify  OK   **
> let pairs (x: [N]f32) = let a = map (\v -> (v + 1, v)) x in (concat a a, reduce (+) 0 (map (\p -> p.0) a))
pairs : [N]f32 -> ([2*N](f32, f32), f32)
> data N = 64
> lower | head -1
@1  lower                               builtin    from @0
> plan
pairs_k0   64 work-items, groups of 32
   x out_0 out_1
   limited by starting kernels and groups: 2.01 us of the 2.02 us expected
pairs_k1   64 work-items, groups of 32
   out_0 out_1
   copies within out_0: one value in two places
   limited by starting kernels and groups: 2.01 us of the 2.03 us expected
pairs_k2   32 work-items, groups of 32
   out_0 tmp
   limited by starting kernels and groups: 2 us of the 2.06 us expected
pairs_k3   1 work-item, groups of 1
   out_2 tmp
   limited by starting kernels and groups: 2 us of the 2.03 us expected
x            64 f32, input
out_0        128 f32, output
out_1        128 f32, output
out_2        1 f32, output
tmp          32 f32, temporary, made by pairs_k2, read by pairs_k3, 128 bytes
temporaries 128 bytes
> run | grep verify
  verify  OK   **
> # why a mapLocal is a loop
> let local (x: [N][64]f32) = mapWorkgroup 0 (\r -> mapLocal 0 (\v -> v + 1) (toLocal (mapLocal 0 (\v -> v * 2) r))) x
local : [N][64]f32 -> [N][64]f32
> set local 16
> plan
local_k0   16*N work-items, groups of 16
   x out
   mapLocal 0 is a loop over 64 elements in steps of 16: `set local` asks for that many work-items
   local memory 256 bytes
   limited by loads and stores: 17.3 us of the 21.9 us expected at default sizes
x            64*N f32, input
out          64*N f32, output
> set local 64
> plan
local_k0   64*N work-items, groups of 64
   x out
   local memory 256 bytes
   limited by starting kernels and groups: 3.28 us of the 6.63 us expected at default sizes
x            64*N f32, input
out          64*N f32, output
> set local auto
> # each component of what one let names has its own name
> let both (xs: [N]f32) (ys: [N]f32) = let (up, twice) = (toGlobal (mapGlobal 0 (\x -> x + 1) xs), toGlobal (mapGlobal 0 (\x -> x * 2) ys)) in mapGlobal 0 (\(a, b, c, d) -> a * b + c * d) (zip up (reorder reverse up) twice (reorder reverse twice))
both : [N]f32 -> [N]f32 -> [N]f32
> plan
both_k0   64*((N + 63) // 64) work-items, groups of 64
   xs up
   limited by starting kernels and groups: 2.02 us of the 2.06 us expected at default sizes
both_k1   64*((N + 63) // 64) work-items, groups of 64
   ys twice
   limited by starting kernels and groups: 2.02 us of the 2.06 us expected at default sizes
both_k2   64*((N + 63) // 64) work-items, groups of 64
   out up twice
   limited by starting kernels and groups: 2.02 us of the 2.14 us expected at default sizes
xs           N f32, input
ys           N f32, input
out          N f32, output
up           N f32, temporary, made by both_k0, read by both_k2, 4*N bytes
twice        N f32, temporary, made by both_k1, read by both_k2, 4*N bytes
temporaries 8*N bytes
> # rounds that a compiler writes out are not rounds of long loops: no kernel takes less than its launch
> let sorted (x: [30]f32) = map (\r -> (loop 30 (\(s, q) k -> (generate 30 (\i -> if (i + q) % 2 == 0 then min s[i] s[min 29 (i + 1)] else max s[max 0 (i - 1)] s[i]), q + 1)) (r, 0)).0) (split 30 x)
sorted : [30]f32 -> [1][30]f32
> set target tests/targets/little.target
> lower | head -1
@1  lower                               builtin    from @0
> plan | grep limited
   limited by starting kernels and groups: 2 us of the 2.16 us expected
