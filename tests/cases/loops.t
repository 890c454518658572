> let walk (xs: [N]i32) = loop 3 (\x i -> map (\(y, k) -> if k == i then y else y + 1) (zip x (iota N))) xs
walk : [N]i32 -> [N]i32
> data N = 4
> data xs = [0, 10, 20, 30]
> eval
@0  [4]i32    N=4
  [2, 12, 22, 33]
  hash 91b8f9c4f3b6004c
> # of so few elements one work-item is the faster; launches, if they are asked for
> lower | head -1
@1  lower                               builtin    from @0
> undo
@0  source
    loop 3 (λx i → map (λ(y, k) → if k == i then y else y + 1) (zip x (iota N))) xs
> apply hostLoop
@2  hostLoop  at /                      builtin    from @0
  - loop 3 (λx i → map (λ(y, k) → if k == i then y else y + 1) (zip x (iota N))) xs
  + reduceHost (λ(x, i) → map (λ(y, k) → if k == i then y else y + 1) (zip x (iota N))) xs (iota 3)
  type   [N]i32                       unchanged
  focus  /  ->  /                     4 moves here
> lower
@3  lower                               builtin    from @2
  - map (λ(y, k) → if k == i then y else y + 1) (zip x (iota N))
  + mapGlobal 0 (λ(y, k) → if k == i then y else y + 1) (zip x (iota N))
  type   [N]i32                       unchanged
  focus  /  ->  /                     7 moves here
> code
/* walk@3  7ff5a973611a240c
 *   @2 hostLoop at /
 *   @3 lower
 * N=4
 * loop: walk_k0, rounds: 3; x is xs first, then the last x_next
 */

__attribute__((reqd_work_group_size(4, 1, 1)))
kernel void walk_k0(const global int *restrict x, global int *restrict x_next,
                    int iteration)
{
    int gid0 = get_global_id(0);
    int y = x[gid0];
    x_next[gid0] = gid0 == iteration ? y : (int)((uint)y + 1);
}
> # what no array of any length has is a state
> let pair (xs: [N]f32) (ys: [N]f32) = iterate 5 (\(x, y) -> (map (+) (zip x y), x)) (xs, ys)
pair : [N]f32 -> [N]f32 -> ([N]f32, [N]f32)
> let wrong (xs: [N]f32) = iterate 5 (\x -> map i32 x) xs
E04 iterate: f must give an array of the same elements, found f ([p]f32 -> [p]i32) on [N]f32
  let:1:22
  | wrong (xs: [N]f32) = iterate 5 (\x -> map i32 x) xs
  |                      ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
> let uneven (xs: [N]f32) (ys: [N]f32) = iterate 5 (\(x, y) -> (y, map i32 x)) (xs, ys)
E04 iterate: f must give what it takes, ([N]f32, [N]f32), and gives ([N]f32, [N]i32)
  let:1:36
  | uneven (xs: [N]f32) (ys: [N]f32) = iterate 5 (\(x, y) -> (y, map i32 x)) (xs, ys)
  |                                    ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
> # a number of steps that has a name, and a test
> let named (xs: [N][M]f32) = loopWhile N (\(x, e) -> e > 0.5) (\(x, e) -> let y = map (map (\v -> v / 2)) x in (y, reduce max 0 (map abs (join y)))) (xs, 1e9)
named : [N][M]f32 -> ([N][M]f32, f32)
> data M = 4
> lower
@1  lower                               builtin    from @0
  - loop N (λ(..) _ → if e > 0.5 then let y = map (map (..)) x in (y, reduce max 0 ∘ map abs ∘ jo...
  + reduceHost (λ((..), i) → if e > 0.5 then let y = mapGlobal 1 (mapGlobal 0 (..)) x in (y, redu...
  type   ([N][M]f32, f32)             unchanged
  inner  9 steps        log --expand
  focus  /  ->  /                     2 moves here
> code
/* named@1  6980e1d2c959aa34
 *   @1 lower
 * M=4
 * loop: named_k1 to named_k4, rounds: N at most, while goes_on; x_0 is xs first, then the last x_next_0, x_1 is x_start_1 first, then the last x_next_1
 * needs 4*N + 127*((N + 15) // 16) + 127 < 2147483648  (int indices)
 */

#pragma OPENCL FP_CONTRACT OFF

__attribute__((reqd_work_group_size(1, 1, 1)))
kernel void named_k0(global float *restrict x_start_1)
{
    x_start_1[0] = 1e+09f;
}

__attribute__((reqd_work_group_size(1, 1, 1)))
kernel void named_k1(global uchar *restrict goes_on,
                     const global float *restrict x_1)
{
    goes_on[0] = x_1[0] > 0.5f;
}

__attribute__((reqd_work_group_size(4, 1, 1)))
kernel void named_k2(const global float *restrict x_0,
                     global float *restrict x_next_0)
{
    int gid1 = get_global_id(1);
    int gid0 = get_global_id(0);
    x_next_0[gid0 + 4*gid1] = x_0[gid0 + 4*gid1] / 2.0f;
}

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void named_k3(global float *restrict tmp,
                     const global float *restrict x_next_0, int N)
{
    int gid0 = get_global_id(0);
    int n = max(0, min(4*N, gid0*((N + 15)/16) + (N + 15)/16) - min(gid0*((N + 15)/16), 4*N));
    float acc = 0.0f;
    for (int i = 0; i < n; i++) {
        acc = fmax(acc, fabs(x_next_0[i + min(gid0*((N + 15)/16), 4*N)]));
    }
    tmp[gid0] = acc;
}

__attribute__((reqd_work_group_size(1, 1, 1)))
kernel void named_k4(const global float *restrict tmp,
                     global float *restrict x_next_1)
{
    float acc = 0.0f;
    for (int i = 0; i < 64; i++) {
        acc = fmax(acc, tmp[i]);
    }
    x_next_1[0] = acc;
}
> # outside kernels only
> let inner (xs: [N][M]f32) = mapGlobal 0 (\row -> reduceHost (\(x, i) -> mapSeq (\y -> y + 1) x) row (iota 3)) xs
inner : [N][M]f32 -> [N][M]f32
> code
E53 reduceHost at /f/body: its steps are launches, so it stands outside every parallel map; inside one a fold is reduceSeq
  found   /f/body : [M]f32
> # what a rule asks of the length in a step is asked of the loop's array; of a loop that halves it, of each length
> let smooth (A: [N]f32) = iterate 3 (\x -> map (\r -> r + 1) x) A
smooth : [N]f32 -> [N]f32
> apply mapPeelLast(4) at /f/body
@1  mapPeelLast(4)  at /f/body          builtin    from @0
  - map (λy → y + 1) x
  + concat (map (..) ∘ take ((length x) - 4) $ x) (map (λy → y + 1) ∘ drop ((length x) - 4) $ x)
  type   [p]f32                       unchanged
  focus  /  ->  /                     6 moves here
> info | grep fact
  fact    0 <= N - 4                  take (p - 4) at /f/body/0/in
  fact    4 < N
> let halve (A: [N]f32) = iterate 2 (\x -> map (\(a, b) -> a + b) (zip (take (length x / 2) x) (drop (length x / 2) x))) A
halve : [N]f32 -> [N/4]f32
> apply splitJoin(4) at /f/body
@1  splitJoin(4)  at /f/body            builtin    from @0
  - map (+) (zip (take ((length x)/2) x) (drop ((length x)/2) x))
  + join (map (map (+)) (split 4 (zip (take ((length x)/2) x) (drop ((length x)/2) x))))
  type   [p/2]f32                     unchanged
  focus  /  ->  /                     4 moves here
> info | grep fact
  fact    4 divides N                 iterate 2 at /
  fact    4 divides N/2               split 4 at /f/body/in/in
  fact    4 divides N/4               split 4 at /f/body/in/in
> # what is wrong inside a helper of the prelude is wrong with its call
> let wrong (xs: [N]f32) = loop 3 (\s i -> map (\x -> x > 0) s) xs
E04 reduceSeq: "f" must be ([N]f32, i32) -> [N]f32, found (([N]f32, i32) -> [N]bool)
  let:1:22
  | wrong (xs: [N]f32) = loop 3 (\s i -> map (\x -> x > 0) s) xs
  |                      ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
  needs   ([N]f32, i32) -> [N]f32
  found   (([N]f32, i32) -> [N]bool)
  within  let loop (k: size) f x = reduceSeq (\(s, i) -> f s i) x (iota k)
> let wrong (xs: [N]f32) = filter (\x -> x + 1) 0 xs
E04 if: "cond" must be bool, found f32
  let:1:22
  | wrong (xs: [N]f32) = filter (\x -> x + 1) 0 xs
  |                      ^~~~~~~~~~~~~~~~~~~~~~~~~
  needs   bool
  found   f32
  hint    x != 0 is a bool
  within  let ends = scan (+) 0 (map (\x -> if p x then 1 else 0) xs)
> # rows that are replaced: the state stays where it is, and arms that are not taken do nothing
> let halve (A: [N][M]f32) (x: [K]f32) = loop K (\B k -> if x[k] > 0 then B with [k % N] = map (\v -> v / 2) B[0] else B) A
halve changed; its earlier derivation is kept as halve.1
halve : [N][M]f32 -> [K]f32 -> [N][M]f32
> data N = 3, M = 5, K = 7
> apply hostLoop
@1  hostLoop  at /                      builtin    from @0
  - loop K (λB k → if x[k] > 0 then B with [k % N] = map (λv → v / 2) B[0] else B) A
  + reduceHost (λ(B, k) → if x[k] > 0 then B with [k % N] = map (λv → v / 2) B[0] else B) A (iota K)
  type   [N][M]f32                    unchanged
  focus  /  ->  /                     10 moves here
> lower | head -1
@2  lower                               builtin    from @1
> code
/* halve@2  c362c6d4fc3c6771
 *   @1 hostLoop at /
 *   @2 lower
 * N=3  M=5  K=7
 * loop: halve_k1 to halve_k2, rounds: 7
 */

#pragma OPENCL FP_CONTRACT OFF

__attribute__((reqd_work_group_size(5, 1, 1)))
kernel void halve_k0(const global float *restrict A, global float *restrict out)
{
    int gid1 = get_global_id(1);
    int gid0 = get_global_id(0);
    out[gid0 + 5*gid1] = A[gid0 + 5*gid1];
}

__attribute__((reqd_work_group_size(5, 1, 1)))
kernel void halve_k1(const global float *restrict x,
                     const global float *restrict out,
                     global float *restrict B_new, int iteration)
{
    int gid0 = get_global_id(0);
    if (x[iteration] > 0.0f) {
        B_new[gid0] = out[gid0] / 2.0f;
    }
}

__attribute__((reqd_work_group_size(5, 1, 1)))
kernel void halve_k2(const global float *restrict x, global float *restrict out,
                     const global float *restrict B_new, int iteration)
{
    int gid0 = get_global_id(0);
    if (x[iteration] > 0.0f) {
        out[gid0 + 5*(iteration%3)] = B_new[gid0];
    }
}
> run -n 1 | grep verify
  verify  OK   3 inputs x 2 repeats, 15 x 1
> # a row that is made of the whole state: the row alone goes by way of other memory; two that change places need the whole state
> let f (A: [N][M]f32) = loop N (\A i -> A with [i, :] = map (+ A[i, i]) A[i]) A
f : [N][M]f32 -> [N][M]f32
> data N = 9, M = 9
> lower | head -1
@1  lower                               builtin    from @0
> code | tail -16
                 global float *next)
{
    for (int i = 0; i < 9; i++) {
        for (int j = 0; j < 9; j++) {
            out[9*i + j] = A[9*i + j];
        }
    }
    for (int i = 0; i < 9; i++) {
        for (int j = 0; j < 9; j++) {
            next[j] = out[9*i + j] + out[10*i];
        }
        for (int j = 0; j < 9; j++) {
            out[9*i + j] = next[j];
        }
    }
}
> run | sed -n 3p
  verify  OK   3 inputs x 2 repeats; input 1 exact
> let f (A: [N][M]f32) = loop (N-1) (\A i -> (A with [i, :] = A[i+1]) with [i+1, :] = A[i]) A
f changed; its earlier derivation is kept as f.1
f : [N][M]f32 -> [N][M]f32
> data N = 9, M = 9
> lower | head -1
@1  lower                               builtin    from @0
> plan | grep next
   A out next3
next3        81 f32, temporary of the work-items of f_k0, 324 bytes each, 324 bytes
> run | sed -n 3p
  verify  OK   3 inputs x 2 repeats; input 1 exact
> let f (A: [N][M][K]f32) = map (\R -> loop M (\R i -> R with [i, :] = map (\x -> x * R[(i+1) % M, 0] + R[i, K-1]) (reorder reverse R[i])) R) A
f changed; its earlier derivation is kept as f.2
f : [N][M][K]f32 -> [N][M][K]f32
> data N = 9, M = 7, K = 300
> lower | head -1
@1  lower                               builtin    from @0
> plan | grep next
   A out next
next         300 f32, temporary of the work-items of f_k0, 1200 bytes each, 1200 bytes
> run | sed -n 3p
  verify  OK   3 inputs x 2 repeats; input 1 exact
> # a loop of a work-item ends where its state stays as it is, whatever it is asked; not where the round decides
> let halvings (A: [N][M]f32) = map (\r -> (loopWhile 40 (\(v, i) -> reduce (+) 0 v > 1) (\(v, i) -> (map (\a -> a * 0.5) v, i + 1)) (r, 0)).1) A
halvings : [N][M]f32 -> [N]i32
> data N = 50, M = 64
> lower | head -1
@1  lower                               builtin    from @0
> code | grep -B6 break
        if (a > 1.0f) {
            for (int j = 0; j < 64; j++) {
                v[j] *= 0.5f;
            }
            v2 += (uint)1;
        } else {
            break;
> run -n 1 | grep verify
  verify  OK   3 inputs x 2 repeats, 3 x 1
> let growing (x: [N]f32) = map (\a -> (loopWhile 1000000 (\(v, k) -> k < 5) (\(v, k) -> (v * 1.5, k + 1)) (a, 0)).0) x
growing : [N]f32 -> [N]f32
> data N = 65
> lower | head -1
@1  lower                               builtin    from @0
> code | grep -A6 "for ("
    for (int i = 0; i < 1000000; i++) {
        if (v2 < 5) {
            v *= 1.5f;
            v2 += (uint)1;
        } else {
            break;
        }
> run -n 1 | grep verify
  verify  OK   3 inputs x 2 repeats
> let begun (x: [N]f32) = map (\a -> loop 40 (\v i -> if i < 5 then v * 1.5 else v) a) x
begun : [N]f32 -> [N]f32
> lower | head -1
@1  lower                               builtin    from @0
> code | grep break
> run -n 1 | grep verify
  verify  OK   3 inputs x 2 repeats
> # what a choice alone changes is asked for with each round, of vectors in any lane; not where a round is soon run, or decides
> let grown (x: [N]f32) = map (\a -> loopWhile 1000000 (\v -> abs v < 5) (\v -> v * 1.5) (abs a + 0.1)) x
grown : [N]f32 -> [N]f32
> lower | head -1
@1  lower                               builtin    from @0
> code | grep -A1 "for ("
        for (int i = 0; i < 1000000 && fabs(v) < 5.0f; i++) {
            v = fabs(v) < 5.0f ? v * 1.5f : v;
> run -n 1 | grep verify
  verify  OK   3 inputs x 2 repeats
> data N = 100003
> run -n 1 | grep verify
  verify  OK   3 inputs x 2 repeats
> let escapes (x: [N]f32) = map (\a -> (loopWhile 300 (\(v, c) -> abs v < 2) (\(v, c) -> (v * v + a, c + 1)) (0, 0)).1) x
escapes : [N]f32 -> [N]i32
> data N = 160000
> lower | head -1
@1  lower                               builtin    from @0
> code | grep -A3 "300"
        for (int j = 0; j < 300 && any(fabs(v) < (float16)(2.0f)); j++) {
            int16 next = select(v2, as_int16(as_uint16(v2) + 1), fabs(v) < (float16)(2.0f));
            v = fabs(v) < (float16)(2.0f) ? v * v + a : v;
            v2 = next;
> run -n 1 | grep verify
  verify  OK   3 inputs x 2 repeats; input 1 exact
> let soon (x: [N]f32) = map (\a -> loopWhile 9 (\v -> abs v < 5) (\v -> v * 1.5) (abs a + 0.1)) x
soon : [N]f32 -> [N]f32
> data N = 65
> lower | head -1
@1  lower                               builtin    from @0
> code | grep "for ("
> let odd (x: [N]f32) = map (\a -> loop 300 (\v i -> if abs v < f32 (i % 7) then v * 1.5 else v) (abs a + 0.1)) x
odd : [N]f32 -> [N]f32
> lower | head -1
@1  lower                               builtin    from @0
> code | grep "for ("
        for (int i = 0; i < 300; i++) {
> run -n 1 | grep verify
  verify  OK   3 inputs x 2 repeats
