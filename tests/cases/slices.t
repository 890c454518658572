> load tests/programs/spmv.fun
spmv : [M + 1]i32 -> [N]f32 -> [N]i32 -> [K]f32 -> [M]f32
> data M = 4, N = 7, K = 4
> data o = [0, 3, 3, 5, 7], cols = [0, 1, 2, 3, 0, 1, 2]
> data vals = [1, 2, 3, 4, 5, 6, 7], x = [1, 10, 100, 1000]
> eval
@0  [4]f32    M=4  N=7  K=4
  [321, 0, 4005, 760]
  hash a66a45e0b4322652
> info /f/body
/f/body of spmv@0
  kind    slice    slice s f a b x: f of the elements a, a+s, ... below b, a size that only f knows
  type    f32
  bytes   4
  space   private
  slot    f      reduce (+) 0 ∘ map (λ(v, c) → v * x[c])              ([n](f32, i32) -> f32)
  slot    from   w[0]                                                 i32
  slot    to     w[1]                                                 i32
  slot    in     zip vals cols                                        [N](f32, i32)
  nodes   25
  origin  @0 source
> show --as typed
:1    map  : [M]f32
:2      f: λw  : ([2]i32 -> f32)
:3        body: slice 1  : f32
:4          f: λrow  : ([n](f32, i32) -> f32)
:5            body: reduce  : f32
:6              f: λ(acc, x1)  : ((f32, f32) -> f32)
:7                body: +  : f32
:8                  0: acc  : f32
:9                  1: x1  : f32
:10             init: 0  : f32
:11             in: map  : [n]f32
:12               f: λ(v, c)  : ((f32, i32) -> f32)
:13                 body: *  : f32
:14                   0: v  : f32
:15                   1: at  : f32
:16                     index: c  : i32
:17                     in: x  : [K]f32
:18               in: row  : [n](f32, i32)
:19         from: at  : i32
:20           index: 0  : i32
:21           in: w  : [2]i32
:22         to: at  : i32
:23           index: 1  : i32
:24           in: w  : [2]i32
:25         in: zip  : [N](f32, i32)
:26           0: vals  : [N]f32
:27           1: cols  : [N]i32
:28     in: slide 2 1  : [M][2]i32
:29       in: o  : [M + 1]i32
> apply reduceSlices(4) at /f/body/f/body
@1  reduceSlices(4)  at /f/body/f/body  builtin    from @0
  - reduce (+) 0 ∘ map (λ(v, c) → v * x[c]) $ row
  + reduce (+) 0 (map (λi → slice 4 (..) i (length row) ∘ map (λ(v, c) → v * x[c]) $ row) (iota 4))
  type   f32                          unchanged
  focus  /  ->  /                     15 moves here
> eval
@1  [4]f32    M=4  N=7  K=4
  [321, 0, 4005, 760]
  hash a66a45e0b4322652
> apply sliceMap at /f/body/f/body/in/f/body
@2  sliceMap  at /f/body/f/body/in/f/body  builtin    from @1
  - slice 4 (reduce (+) 0) i (length row) ∘ map (λ(v, c) → v * x[c]) $ row
  + slice 4 (reduce (+) 0 ∘ map (λ(v, c) → v * x[c])) i (length row) row
  type   f32                          unchanged
  focus  /  ->  /                     15 moves here
> show
map
    (λw →
      slice 1
        (λrow →
          reduce
            (+)
            0
            (map
              (λi → slice 4 (reduce (+) 0 ∘ map (λ(v, c) → v * x[c])) i (length row) row)
              (iota 4)))
        w[0]
        w[1]
        (zip vals cols)) ∘
  slide 2 1 $ o
> undo
@1  reduceSlices(4)
    map (λw → slice 1 (λrow → reduce (+) 0 (map (λi → slice 4 (reduce (+) 0) i (length row) ∘ map...
> undo
@0  source
    map (λw → slice 1 (reduce (+) 0 ∘ map (λ(v, c) → v * x[c])) w[0] w[1] (zip vals cols)) ∘ slid...
> apply slicesInItems{items=2, side=2}
@3  slicesInItems{items=2, side=2}  at /  builtin    from @0
  - map (λw → slice 1 (reduce (+) 0 ∘ map (λ(v, c) → v * x[c])) w[0] w[1] (..)) ∘ slide 2 1 $ o
  + join ∘ mapWorkgroup 0 (mapLocal 1 (λw → slice 1 (λrow → reduceSeq (+) 0 (toLocal (mapLocal 0 ...
  type   [M]f32                       unchanged
  inner  10 steps        log --expand
  focus  /  ->  /                     4 moves here
> lower
@4  lower                               builtin    from @3
  - reduceSeq (+) 0 (toLocal (mapLocal 0 (λi → slice 2 (.. acc + y0 * x[y1] 0) i (..) row) (..)))
  + reduceSeqUnroll (+) 0 (toLocal (.. (λi → slice 2 (.. fma y0 x[y1] acc 0) i (..) row) (..)))
  type   f32                          unchanged
  inner  2 steps        log --expand
  focus  /  ->  /                     4 moves here
> show
join ∘
  mapWorkgroup 0
    (mapLocal 1
      (λw →
        slice 1
          (λrow →
            reduceSeqUnroll
              (+)
              0
              (toLocal
                (mapLocal 0
                  (λi →
                    slice 2 (reduceSeq (λ(acc, (y0, y1)) → fma y0 x[y1] acc) 0) i (length row) row)
                  (iota 2))))
          w[0]
          w[1]
          (zip vals cols))) ∘
  split 2 ∘
  slide 2 1 $ o
> code
/* spmv@4  bb31d9743c16fea9
 *   @3 slicesInItems{items=2, side=2} at /
 *   @4 lower
 * M=4  N=7  K=4
 */

#pragma OPENCL FP_CONTRACT OFF

__attribute__((reqd_work_group_size(2, 2, 1)))
kernel void spmv_k0(const global int *restrict o,
                    const global float *restrict vals,
                    const global int *restrict cols,
                    const global float *restrict x, global float *restrict out)
{
    local float tile[4] __attribute__((aligned(64)));
    int wg0 = get_group_id(0);
    int l1 = get_local_id(1);
    int l0 = get_local_id(0);
    int from = max(o[l1 + 2*wg0], 0);
    int n = max((int)((uint)min(o[l1 + 2*wg0 + 1], 7) - from), 0);
    float acc = 0.0f;
    int n2 = (max(0, n - l0) + 1)/2;
    float acc2 = 0.0f;
    for (int i = 0; i < n2; i++) {
        int at = cols[from + 2*i + l0];
        acc2 = fma(vals[from + 2*i + l0], x[at], acc2);
    }
    tile[l0 + 2*l1] = acc2;
    barrier(CLK_LOCAL_MEM_FENCE);
    acc += tile[2*l1];
    acc += tile[2*l1 + 1];
    if (l0 == 0) {
        out[l1 + 2*wg0] = acc;
    }
}
> goto @0
@0  source
    map (λw → slice 1 (reduce (+) 0 ∘ map (λ(v, c) → v * x[c])) w[0] w[1] (zip vals cols)) ∘ slid...
> lower lowerPlain
@5  lowerPlain                          builtin    from @0
  - map (λw → slice 1 (reduce (+) 0 ∘ map (λ(v, c) → v * x[c])) w[0] w[1] (..)) ∘ slide 2 1 $ o
  + mapGlobal 0 (λw → slice 1 (reduceSeq (λ(acc, (y0, y1)) → acc + y0 * x[y1]) 0) w[0] w[1] (..)) ..
  type   [M]f32                       unchanged
  inner  3 steps        log --expand
  focus  /  ->  /                     4 moves here
> code
/* spmv@5  0d75f398d580dae2
 *   @5 lowerPlain
 * M=4  N=7  K=4
 */

#pragma OPENCL FP_CONTRACT OFF

__attribute__((reqd_work_group_size(4, 1, 1)))
kernel void spmv_k0(const global int *restrict o,
                    const global float *restrict vals,
                    const global int *restrict cols,
                    const global float *restrict x, global float *restrict out)
{
    int gid0 = get_global_id(0);
    int from = max(o[gid0], 0);
    int n = max((int)((uint)min(o[gid0 + 1], 7) - from), 0);
    float acc = 0.0f;
    for (int i = 0; i < n; i++) {
        int at = cols[from + i];
        acc += vals[from + i] * x[at];
    }
    out[gid0] = acc;
}
> goto @0
@0  source
    map (λw → slice 1 (reduce (+) 0 ∘ map (λ(v, c) → v * x[c])) w[0] w[1] (zip vals cols)) ∘ slid...
> data o = [0, 3, 3, 5, 8]
> eval
E38 slice in /f/body: elements 5 to 8 of an array of 7
  needs   0 <= from and to <= 7, or from >= to, which are no elements
> data o = [0, 3, 3, -5, 7]
> eval
E38 slice in /f/body: elements -5 to 7 of an array of 7
  needs   0 <= from and to <= 7, or from >= to, which are no elements
> data o = [5, 3, 3, 1, 0]
> eval
@0  [4]f32    M=4  N=7  K=4
  [0, 0, 0, 0]
  hash 81fc492561da5683
> data o = offsets(0, 7)
> data
  M = 4
  N = 7
  K = 4
  o : [M + 1]i32            offsets(0,7)
  vals : [N]f32             [1, 2, 3, 4, 5, 6, 7]
  cols : [N]i32             [0, 1, 2, 3, 0, 1, 2]
  x : [K]f32                [1, 10, 100, 1000]
> eval
@0  [4]f32    M=4  N=7  K=4
  [1, 320, 4005, 760]
  hash a3c738d3938243ce
> data o = offsets(1)
E05 "offsets(1)" describes no input
  needs   random(seed,lo,hi), iota, const(v), file("x.bin"), adversarial(seed), stochastic(seed), offsets(seed,n), values: [1, 2, 3], or a number: 0.1/(N-1)
> data o = offsets(1, 2.5)
E05 "offsets(1, 2.5)" describes no input
  needs   random(seed,lo,hi), iota, const(v), file("x.bin"), adversarial(seed), stochastic(seed), offsets(seed,n), values: [1, 2, 3], or a number: 0.1/(N-1)
> let every (x: [N]f32) = (slice 2 (reduce (+) 0) 1 6 x, slice 3 (reduce (+) 0) 0 7 x, slice 1 (reduce (+) 0) 7 0 x)
every : [N]f32 -> (f32, f32, f32)
> data N = 7, x = [1, 2, 3, 4, 5, 6, 7]
> eval
@0  (f32, f32, f32)    N=7
  (12, 12, 0)
  hash 25472a319e567306
> let bad (x: [N]f32) = slice 1 (map (\v -> v * 2)) 0 3 x
E04 slice: f gives [n]f32, of a length known only when it runs
  let:1:19
  | bad (x: [N]f32) = slice 1 (map (\v -> v * 2)) 0 3 x
  |                   ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
  needs   a result without n in its type: reductions, known lengths
> let bad (x: [N]f32) = slice 1 (\r -> reduce (+) 0 (join (split 4 r))) 0 3 x
E04 slice: split needs 4 divides n, and n may be any number of elements, 0 among them
  let:1:19
  | bad (x: [N]f32) = slice 1 (\r -> reduce (+) 0 (join (split 4 r))) 0 3 x
  |                   ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
  hint    map, zip, reduce, scan, gather, at, transpose and slice take arrays of any length
> let bad (x: [N]f32) = slice 1 (\r -> reduce (+) 0 (pad 1 1 clamp r)) 0 3 x
E04 slice: pad needs one element at least, and n may be any number of elements, 0 among them
  let:1:19
  | bad (x: [N]f32) = slice 1 (\r -> reduce (+) 0 (pad 1 1 clamp r)) 0 3 x
  |                   ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
  hint    map, zip, reduce, scan, gather, at, transpose and slice take arrays of any length
> let bad (x: [N]f32) = slice 1 (\r -> reduce (+) 0 (take (length r - 2) r)) 0 3 x
E04 slice: take needs 0 <= n - 2, and n may be any number of elements, 0 among them
  let:1:19
  | bad (x: [N]f32) = slice 1 (\r -> reduce (+) 0 (take (length r - 2) r)) 0 3 x
  |                   ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
  hint    map, zip, reduce, scan, gather, at, transpose and slice take arrays of any length
> let bad (x: [N]f32) = slice 1 (\r -> slice 1 (\s -> reduce (+) 0 (map (*) (zip r s))) 0 3 x) 0 3 x
E04 zip: the lengths differ: [n]f32 and [n]f32
  let:1:71
  | ice 1 (\r -> slice 1 (\s -> reduce (+) 0 (map (*) (zip r s))) 0 3 x) 0 3 x
  |                                                   ^~~~~~~~~
  needs   one length: each slice has its own
> let bad (x: [N]f32) = slice 0 (reduce (+) 0) 0 3 x
E04 slice: the step must be at least 1, not 0
  let:1:19
  | bad (x: [N]f32) = slice 0 (reduce (+) 0) 0 3 x
  |                   ^~~~~~~~~~~~~~~~~~~~~~~~~~~~
> let bad (x: [N]f32) = slice (reduce (+) 0) 0 3 x
E04 a size is needed here: numbers, size names, + - * / // %, length x
  let:1:25
  | bad (x: [N]f32) = slice (reduce (+) 0) 0 3 x
  |                         ^~~~~~~~~~~~~~
> let bad (x: [N]f32) = slice 1 (reduce (+) 0) 0.5 3 x
E04 "0.5" is a float, where i32 is needed
  let:1:42
  | bad (x: [N]f32) = slice 1 (reduce (+) 0) 0.5 3 x
  |                                          ^~~
  hint    f32 x is x as a float
> let bad (x: [N]f32) = slice 1 (reduce (+) 0) 0 3 4
E04 slice: "in" must be an array, found i32
  let:1:19
  | bad (x: [N]f32) = slice 1 (reduce (+) 0) 0 3 4
  |                   ^~~~~~~~~~~~~~~~~~~~~~~~~~~~
> let fine (x: [N]f32) = slice 1 (\r -> slice 1 (\s -> reduce (+) 0 (map (\a -> a + f32 (length r)) s)) 0 2 r) 0 3 x
fine : [N]f32 -> f32
> eval
@0  f32    N=256 (default; data N = ...)
  5.53189
  hash a8769edaa55f83de
> show
slice 1 (λr → slice 1 (reduce (+) 0 ∘ map (λa → a + f32 (length r))) 0 2 r) 0 3 x
> let sums (x: [N]f32) = slice 1 (\r -> reduce (+) 0 r) 0 3 x
sums : [N]f32 -> f32
> why reduceSplit at /f/body
reduceSplit does not apply at /f/body
  rule    reduce f z x  =>  reduce f z (map (reduce f z) (split n x))  when associative f and restarts z f and n divides (length x)
  needs   n divides (length x)
  found   it cannot be a fact: a slice may have any number of elements, 0 among them
  when    associative f: yes, known of +
  when    restarts z f: yes, known of +
  when    n divides (length x): no, it cannot be a fact: a slice may have any number of elements, 0 among them
  instead reduceReorder(reverse), reduceSlices, reduceRanges at /f/body
> why reducePeelLast at /f/body
reducePeelLast does not apply at /f/body
  rule    reduce f z x  =>  f (reduce f z (take (length x - n) x), reduce f z (drop (length x - n) x))  when associative f and restarts z f and n < length x
  needs   n < length x
  found   it cannot be a fact: a slice may have any number of elements, 0 among them
  when    associative f: yes, known of +
  when    restarts z f: yes, known of +
  when    n < length x: no, it cannot be a fact: a slice may have any number of elements, 0 among them
  instead reduceReorder(reverse), reduceSlices, reduceRanges at /f/body
> let starts (b: [N]bool) (x: [N]f32) = scanSegments (+) 0 b x
starts : [N]bool -> [N]f32 -> [N]f32
> data N = 7, b = [false, false, true, false, true, true, false], x = [1, 2, 3, 4, 5, 6, 7]
> eval
@0  [7]f32    N=7
  [1, 3, 3, 7, 5, 6, 13]
  hash 8716e3521780c5ce
> why scanFrom(7) at /in
scanFrom applies at /in
  rule    scan f z x  =>  join (map (\(c, o) -> scan f o c) (zip (split n x) (take ((length x)/n) (padConst 1 0 z (scan f z (map (reduce f z) (split n x)))))))  when associative f and restarts z f and n divides (length x)
  where   n = 7
          z = (false, 0.0)
          x = map (\(b1, x1) -> (b1, if b1 then 0 + x1 else x1)) (zip b x)
          f = \((a, v), (b1, w)) -> (a || b1, if b1 then w else v + w)
  when    associative f: yes, known by its form
  when    restarts z f: yes, known by its form
  when    n divides (length x): yes, 7 divides N is a fact from now on; at present 7 mod 7 = 0
  gives   join (map (\(c, o) -> scan (\((a, v), (b1, w)) -> (a || b1, if b1 then w else v + w)) o...
  try     apply scanFrom(7) at /in
