> # rules to choose among, and what lower makes
> let votes (cast: [N]i32) = reduceByIndex (+) (replicate 4 0) (map (\i -> (i, 1)) cast)
votes : [N]i32 -> [4]i32
> data N = 12
> data cast = [3, 1, 1, -1, 9, 1, 0, 0, 2, 3, 3, 3]
> eval
@0  [4]i32    N=12
  [2, 3, 1, 4]
  hash 0cdb0682e53cef35
> moves / | head -5
  1  reduceByIndexParts     map (reduce (+) 0) ∘ transpose ∘ map (..) ∘ split s0 ∘ map (..) $ cast
  2  reduceByIndexTwice     reduceByIndex (+) (..) ∘ join ∘ map (λc → zip (iota s1) (reduceByInde...
  3  reduceByIndexStrided   reduceByIndex (+) (..) ∘ join ∘ transpose ∘ split s0 ∘ map (..) $ cast
  4  reduceByIndexPeel      reduceByIndex (+) (reduceByIndex (+) (..) ∘ take (N - s0) ∘ map (..) ...
  5  reduceByIndexPad       take 4 ∘ reduceByIndex (+) (generate s0 (..)) ∘ map (λi → (i, 1)) $ cast
> why reduceByIndexAtomic
reduceByIndexAtomic applies at /
  rule    reduceByIndex f d x  =>  reduceByIndexAtomic f d x  when associative f and commutative f and atomic f
  where   d = generate 4 (\i -> 0)
          x = map (\i -> (i, 1)) cast
          f = (+)
  when    associative f: yes, known of +
  when    commutative f: yes, known of +
  when    atomic f: yes, each scalar by itself
  gives   reduceByIndexAtomic (+) (generate 4 (\i -> 0)) . map (\i -> (i, 1)) $ cast
  try     apply reduceByIndexAtomic at /
> apply reduceByIndexParts(3)
@1  reduceByIndexParts(3)  at /         builtin    from @0
  - reduceByIndex (+) (generate 4 (λi → 0)) ∘ map (λi → (i, 1)) $ cast
  + map (reduce (+) 0) ∘ transpose ∘ map (..) ∘ split 3 ∘ map (λi → (i, 1)) $ cast
  type   [4]i32                       unchanged
  focus  /  ->  /                     21 moves here
> apply reduceByIndexTwice(3, 8) at /in/in/f/body
@2  reduceByIndexTwice{n=3, m=8}  at /in/in/f/body  builtin    from @1
  - reduceByIndex (+) (generate 4 (λi → 0)) c
  + reduceByIndex (+) (..) ∘ join ∘ map (λc1 → zip (iota 8) (reduceByIndex (+) (generate 8 (..)) ...
  type   [4]i32                       unchanged
  focus  /  ->  /                     21 moves here
> goto @0
@0  source
    reduceByIndex (+) (generate 4 (λi → 0)) ∘ map (λi → (i, 1)) $ cast
> apply reduceByIndexPeel(5)
@3  reduceByIndexPeel(5)  at /          builtin    from @0
  - reduceByIndex (+) (generate 4 (λi → 0)) ∘ map (λi → (i, 1)) $ cast
  + .. (reduceByIndex (+) (..) ∘ take (N - 5) ∘ map (..) $ cast) ∘ drop (N - 5) ∘ map (..) $ cast
  type   [4]i32                       unchanged
  focus  /  ->  /                     12 moves here
> goto @0
@0  source
    reduceByIndex (+) (generate 4 (λi → 0)) ∘ map (λi → (i, 1)) $ cast
> apply reduceByIndexStrided(4)
@4  reduceByIndexStrided(4)  at /       builtin    from @0
  - reduceByIndex (+) (generate 4 (λi → 0)) ∘ map (λi → (i, 1)) $ cast
  + reduceByIndex (+) (generate 4 (λi → 0)) ∘ join ∘ transpose ∘ split 4 ∘ map (λi → (i, 1)) $ cast
  type   [4]i32                       unchanged
  focus  /  ->  /                     15 moves here
> goto @0
@0  source
    reduceByIndex (+) (generate 4 (λi → 0)) ∘ map (λi → (i, 1)) $ cast
> lower
@5  lower                               builtin    from @0
  - reduceByIndex (+) (generate 4 (λi → 0)) ∘ map (λi → (i, 1)) $ cast
  + reduceByIndexSeq (+) (toGlobal (mapSeq id (generate 4 (λi → 0)))) ∘ mapSeq (λi → (i, 1)) $ cast
  type   [4]i32                       unchanged
  inner  4 steps        log --expand
  focus  /  ->  /                     7 moves here
> code
/* votes@5  3a842ffa8181d3f7
 *   @5 lower
 * N=12
 */

__attribute__((reqd_work_group_size(1, 1, 1)))
kernel void votes_k0(const global int *restrict cast, global int *restrict out)
{
    for (int i = 0; i < 4; i++) {
        out[i] = 0;
    }
    for (int i = 0; i < 12; i++) {
        int at = cast[i];
        if ((uint)at < 4) {
            out[at] += (uint)1;
        }
    }
}
> goto @0
@0  source
    reduceByIndex (+) (generate 4 (λi → 0)) ∘ map (λi → (i, 1)) $ cast
> apply reduceByIndexAtomic ; apply copyGlobal(0) at /init ; apply mapGlobal(0) at /in
@6  reduceByIndexAtomic  at /           builtin    from @0
  - reduceByIndex (+) (generate 4 (λi → 0)) ∘ map (λi → (i, 1)) $ cast
  + reduceByIndexAtomic (+) (generate 4 (λi → 0)) ∘ map (λi → (i, 1)) $ cast
  type   [4]i32                       unchanged
  focus  /  ->  /                     7 moves here
@7  copyGlobal(0)  at /init             builtin    from @6
  - generate 4 (λi → 0)
  + mapGlobal 0 id (generate 4 (λi → 0))
  type   [4]i32                       unchanged
  focus  /  ->  /                     7 moves here
@8  mapGlobal(0)  at /in                builtin    from @7
  - map (λi → (i, 1)) cast
  + mapGlobal 0 (λi → (i, 1)) cast
  type   [N](i32, i32)                unchanged
  focus  /  ->  /                     7 moves here
> code
/* votes@8  88b45f29f3677610
 *   @6 reduceByIndexAtomic at /
 *   @7 copyGlobal(0) at /init
 *   @8 mapGlobal(0) at /in
 * N=12
 */

__attribute__((reqd_work_group_size(4, 1, 1)))
kernel void votes_k0(global int *restrict out)
{
    int gid0 = get_global_id(0);
    out[gid0] = 0;
}

__attribute__((reqd_work_group_size(12, 1, 1)))
kernel void votes_k1(const global int *restrict cast, global int *restrict out)
{
    int gid0 = get_global_id(0);
    int at = cast[gid0];
    if ((uint)at < 4) {
        atomic_add(&out[at], 1);
    }
}
> code --dialect cuda
/* votes@8  88b45f29f3677610
 *   @6 reduceByIndexAtomic at /
 *   @7 copyGlobal(0) at /init
 *   @8 mapGlobal(0) at /in
 * N=12
 */

/* CUDA C, for nvcc -O3 -fmad=false -prec-div=false -prec-sqrt=false: a kernel says itself where a product and a sum are one
 * fma, and OpenCL C asks for no more of / and sqrt. */

extern "C" __global__ __launch_bounds__(12)
void votes_k0(const int *__restrict__ cast, int *__restrict__ out)
{
    int l0 = threadIdx.x;
    if (l0 < 4) {
        out[l0] = 0;
    }
    int at = cast[l0];
    __syncthreads();
    if ((unsigned)at < 4) {
        atomicAdd(&out[at], 1);
    }
}
> # what is not associative, or starts from an array, is not cut into parts
> let last (is: [N]i32) (xs: [N]f32) = reduceByIndex (\(a, b) -> b) (replicate 3 0.0) (zip is xs)
last : [N]i32 -> [N]f32 -> [3]f32
> why reduceByIndexParts(2)
reduceByIndexParts does not apply at /
  rule    reduceByIndex f (generate k (\i -> z)) x  =>  map (reduce f z) (transpose (map (\c -> reduceByIndex f (generate k (\i -> z)) c) (split n x)))  when associative f and restarts z f and n divides (length x)
  needs   restarts z f
  found   unknown, + declares it, this function does not (let f (a, b) = ... with neutral ...)
  when    associative f: yes, known by calculation
  when    restarts z f: unknown, + declares it, this function does not (let f (a, b) = ... with neutral ...)
  when    n divides (length x): yes, 2 divides N is a fact from now on
  instead reduceByIndexPeel, reduceByIndexPad, reduceByIndexPairs at /
> let from (d: [K]i32) (is: [N]i32) = reduceByIndex (+) d (zip is is)
from : [K]i32 -> [N]i32 -> [K]i32
> why reduceByIndexParts(2)
reduceByIndexParts does not apply at /
  rule    reduceByIndex f (generate k (\i -> z)) x  =>  map (reduce f z) (transpose (map (\c -> reduceByIndex f (generate k (\i -> z)) c) (split n x)))  when associative f and restarts z f and n divides (length x)
  needs   generate k (\i -> z) at /init
  found   d
  instead reduceByIndexStrided, reduceByIndexPeel, reduceByIndexPairs at /
> apply reduceByIndexSum
@1  reduceByIndexSum  at /              builtin    from @0
  - reduceByIndex (+) d (zip is is)
  + map (+) (zip d (reduceByIndex (+) (generate K (λi → 0)) (zip is is)))
  type   [K]i32                       unchanged
  focus  /  ->  /                     18 moves here
> # the first of the largest is associative, but not commutative, and no scalar by itself
> let later ((x, i), (y, j)) = if y > x then (y, j) else (x, i)
later : helper, typed where it is used
> let latest (is: [N]i32) (xs: [N]f32) = reduceByIndex later (replicate 3 (-inf, -1)) (zip is (zip xs (iota N)))
latest : [N]i32 -> [N]f32 -> [3](f32, i32)
> why reduceByIndexAtomic
reduceByIndexAtomic does not apply at /
  rule    reduceByIndex f d x  =>  reduceByIndexAtomic f d x  when associative f and commutative f and atomic f
  needs   commutative f
  found   unknown, + declares it, this function does not (let f (a, b) = ... with commutative)
  when    associative f: yes, known by its form
  when    commutative f: unknown, + declares it, this function does not (let f (a, b) = ... with commutative)
  when    atomic f: no, a component is made of several
  try     moves /
> why reduceByIndexParts(2)
reduceByIndexParts applies at /
  rule    reduceByIndex f (generate k (\i -> z)) x  =>  map (reduce f z) (transpose (map (\c -> reduceByIndex f (generate k (\i -> z)) c) (split n x)))  when associative f and restarts z f and n divides (length x)
  where   n = 2
          k = 3
          z = (-inf, -1)
          x = zip is (zip xs (iota N))
          f = \((x, i), (y, j)) -> if y > x then (y, j) else (x, i)
  when    associative f: yes, known by its form
  when    restarts z f: yes, known by its form
  when    n divides (length x): yes, 2 divides N is a fact from now on
  gives   map (reduce (\((x, i), (y, j)) -> if y > x then (y, j) else (x, i)) (-inf, -1)) (transp...
  try     apply reduceByIndexParts(2) at /
> # updates of floats are rounds of compare and exchange; so are those of numbers of 64 bits by most functions
> let sums (is: [N]i32) (xs: [N]f32) = reduceByIndexAtomic (+) (mapGlobal 0 id (generate 3 (\i -> 0.0))) (mapGlobal 0 id (zip is xs))
sums : [N]i32 -> [N]f32 -> [3]f32
> code
/* sums@0  844b2cb83c2d475c
 */

#pragma OPENCL FP_CONTRACT OFF

#ifndef lathe_add_global
#define lathe_add_global lathe_add_global
static void lathe_add_global(volatile global float *at, float x)
{
#if defined(__NV_CL_C_VERSION)
    asm volatile("red.global.add.f32 [%0], %1;" : : "l"((ulong)at), "f"(x) : "memory");
#else
    volatile global uint *word = (volatile global uint *)at;
    uint held, next, seen = atomic_cmpxchg(word, 0, 0);
    do {
        held = seen;
        next = as_uint(as_float(held) + x);
        seen = next == held ? held : atomic_cmpxchg(word, held, next);
    } while (seen != held);
#endif
}
#endif

__attribute__((reqd_work_group_size(3, 1, 1)))
kernel void sums_k0(global float *restrict out)
{
    int gid0 = get_global_id(0);
    out[gid0] = 0.0f;
}

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void sums_k1(const global int *restrict is,
                    const global float *restrict xs, global float *restrict out,
                    int N)
{
    int gid0 = get_global_id(0);
    if (gid0 < N) {
        int at = is[gid0];
        if ((uint)at < 3) {
            lathe_add_global(&out[at], xs[gid0]);
        }
    }
}
> code --dialect cuda
/* sums@0  844b2cb83c2d475c
 */

/* CUDA C, for nvcc -O3 -fmad=false -prec-div=false -prec-sqrt=false: a kernel says itself where a product and a sum are one
 * fma, and OpenCL C asks for no more of / and sqrt. */

extern "C" __global__ __launch_bounds__(3)
void sums_k0(float *__restrict__ out)
{
    int gid0 = blockIdx.x * 3 + threadIdx.x;
    out[gid0] = 0.0f;
}

extern "C" __global__ __launch_bounds__(256)
void sums_k1(const int *__restrict__ is, const float *__restrict__ xs,
             float *__restrict__ out, int N)
{
    int gid0 = blockIdx.x * 256 + threadIdx.x;
    if (gid0 < N) {
        int at = is[gid0];
        if ((unsigned)at < 3) {
            atomicAdd(&out[at], xs[gid0]);
        }
    }
}
> let most (is: [N]i32) (xs: [N]i64) = reduceByIndexAtomic max (mapGlobal 0 id (generate 3 (\i -> 0i64))) (mapGlobal 0 id (zip is xs))
most : [N]i32 -> [N]i64 -> [3]i64
> code
/* most@0  fffb3759a2652560
 */

#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable

__attribute__((reqd_work_group_size(3, 1, 1)))
kernel void most_k0(global long *restrict out)
{
    int gid0 = get_global_id(0);
    out[gid0] = 0L;
}

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void most_k1(const global int *restrict is,
                    const global long *restrict xs, global long *restrict out,
                    int N)
{
    int gid0 = get_global_id(0);
    if (gid0 < N) {
        int at = is[gid0];
        if ((uint)at < 3) {
            long old;
            ulong held, next, seen = atom_cmpxchg((volatile global ulong *)&out[at], 0, 0);
            do {
                held = seen;
                old = as_long(held);
                next = as_ulong(max(old, xs[gid0]));
                seen = next == held ? held : atom_cmpxchg((volatile global ulong *)&out[at], held, next);
            } while (seen != held);
        }
    }
}
> # an index that is in range by its form needs no guard
> let low (xs: [N]i32) = reduceByIndexSeq (+) (mapSeq id (generate 16 (\i -> 0))) (mapSeq (\x -> (band x 15, min 1 x)) xs)
low : [N]i32 -> [16]i32
> code
/* low@0  f8deacd63ba0133f
 */

__attribute__((reqd_work_group_size(1, 1, 1)))
kernel void low_k0(const global int *restrict xs, global int *restrict out,
                   int N)
{
    for (int i = 0; i < 16; i++) {
        out[i] = 0;
    }
    for (int i = 0; i < N; i++) {
        int x = xs[i];
        int at = x & 15;
        out[at] += (uint)min(1, x);
    }
}
> # errors
> let t (xs: [N]i32) = reduceByIndex (+) (replicate 8 0) xs
E04 reduceByIndex: "in" must be [n](i32, i32), found [N]i32
  let:1:18
  | t (xs: [N]i32) = reduceByIndex (+) (replicate 8 0) xs
  |                  ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
  needs   [n](i32, i32)
  found   [N]i32
> let t (xs: [N]i32) = reduceByIndex (+) 0 (zip xs xs)
E04 reduceByIndex: "init" must be [k]a, found i32
  let:1:18
  | t (xs: [N]i32) = reduceByIndex (+) 0 (zip xs xs)
  |                  ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
  needs   [k]a
  found   i32
> let t (xs: [N]i32) = reduceByIndex (+) (replicate 8 0.0) (zip xs xs)
E04 "0.0" is a float, where i32 is needed
  let:1:49
  | t (xs: [N]i32) = reduceByIndex (+) (replicate 8 0.0) (zip xs xs)
  |                                                 ^~~
  hint    f32 x is x as a float
  for     reduceByIndex: "in" must be [n](i32, f32), found [N](i32, i32)
> let t (xs: [N]i32) = reduceByIndexSeq (+) (mapSeq id (generate 8 (\i -> 0))) (mapGlobal 0 (\x -> (x, 1)) xs)
t : [N]i32 -> [8]i32
> code
E53 reduceByIndexSeq takes its pairs from one work-item, and several make them: mapSeq for them, or reduceByIndexAtomic
  at      /
> let t (xs: [N]i32) = reduceByIndexSeq (+) (mapSeq id (generate 8 (\i -> 0))) (reorder reverse (mapSeq (\x -> (x, 1)) xs))
t : [N]i32 -> [8]i32
> code
E53 reduceByIndexSeq takes the pairs in their order, and reorder has them made in another: move it to what they are made of
  at      /in
  try     lower
> let t (xs: [N]i32) = reduceByIndexAtomic (+) (mapSeq id (generate 8 (\i -> 0))) (zip xs xs)
t : [N]i32 -> [8]i32
> code
E52 the array zip at /in has to be copied to its place: write mapSeq id (or another mapped copy) around it
  producer /in : [N](i32, i32)
  choose  mapSeq, mapSeqUnroll, mapLocal or mapGlobal of id, or another memory for it
  try     apply copySeq at /in
  or      lower
> let t (xs: [N][4]i32) = mapGlobal 0 (\r -> mapSeq id (reduceByIndexAtomic (+) (toPrivate (mapSeq id (generate 8 (\i -> 0)))) (mapSeq (\x -> (x, 1)) r))) xs
t : [N][4]i32 -> [N][8]i32
> code
E53 reduceByIndexAtomic works on what work-items share: toLocal or toGlobal around its start, or reduceByIndexSeq
  at      /f/body/in
> let t (is: [N]i32) (xs: [N]bool) = reduceByIndexAtomic (||) (mapSeq id (generate 8 (\i -> false))) (mapGlobal 0 id (zip is xs))
t : [N]i32 -> [N]bool -> [8]bool
> code
E53 reduceByIndexAtomic cannot make this update in one step: no type but i32, u32, f32, i64 and f64 has atomic operations; use reduceByIndexSeq, with parts of the pairs for each work-item (reduceByIndexParts)
  at      /
> let t (is: [N]i32) (xs: [N]f32) = reduceByIndexAtomic later (mapSeq id (generate 8 (\i -> (-inf, -1)))) (mapGlobal 0 (\(i, x) -> (i, (x, i))) (zip is xs))
t : [N]i32 -> [N]f32 -> [8](f32, i32)
> code
E53 reduceByIndexAtomic cannot make this update in one step: a component is made of several; use reduceByIndexSeq, with parts of the pairs for each work-item (reduceByIndexParts)
  at      /
> let sq (a, b) = a + b * b
sq : helper, typed where it is used
> let t (xs: [N]i32) = reduceByIndex sq (replicate 8 0) (zip xs xs)
t : [N]i32 -> [8]i32
> why reduceByIndexAtomic
reduceByIndexAtomic does not apply at /
  rule    reduceByIndex f d x  =>  reduceByIndexAtomic f d x  when associative f and commutative f and atomic f
  needs   associative f
  found   unknown, + declares it, this function does not (let f (a, b) = ... with associative)
  when    associative f: unknown, + declares it, this function does not (let f (a, b) = ... with associative)
  when    commutative f: unknown, + declares it, this function does not (let f (a, b) = ... with commutative)
  when    atomic f: yes, each scalar by itself
  try     moves /
