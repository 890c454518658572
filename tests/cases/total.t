> # every program lowers, on any device: what users wrote and was refused once
> lua dofile("tests/total.lua")
> set seeds 1
> set repeats 1
> device oclgrind
oclgrind    Oclgrind Simulator
> =refused({N = 7, M = 5}, true)
none
> =refused({N = 7, M = 5}, true, true)
none
> =refused({N = 1000, M = 64})
none
> device pocl0
pocl0    **
> =refused({N = 97, M = 6})
none
> # what a kernel moves to memory of its own and back: PoCL 3.1 has it wrong where it is a restrict pointer
> let moved (A: [N][M]f32) (z: [K]f32) = reduceSeq (\(s, v) -> toGlobal (drop 1 (pad 0 1 clamp s))) (toGlobal A[N - 1]) z
moved : [N][M]f32 -> [K]f32 -> [M]f32
> data N = 9, M = 5, K = 5
> run -n 1 | grep verify
  verify  OK   1 input x 1 repeat; input 1 exact
> let moved (A: [N][4]f32) (z: [K]f32) = reduceSeq (\(s, v) -> mapSeq id (toPrivate (mapSeq id (drop 1 (pad 0 1 clamp s))))) (toGlobal A[N - 1]) z
moved : [N][4]f32 -> [K]f32 -> [4]f32
> run -n 1 | grep verify
  verify  OK   1 input x 1 repeat; input 1 exact
> # rounds over what a kernel makes, each the same; an element that a scatter puts where another array says
> let rounds (x: [N]i32) = let t = if x[0] > 1 then x[0] else 1 in reduceSeq (\(s, v) -> map (+ v) s) x (replicate 3 t)
rounds : [N]i32 -> [N]i32
> lower | head -1
@1  lower                               builtin    from @0
> run -n 1 | grep verify
  verify  OK   1 input x 1 repeat; input 1 exact
> let put (x: [N]f32) (A: [N][M]f32) = reduceSeq (\(l, d) -> scatter (toGlobal l) [i32 d % N] (toGlobal [d])) (toGlobal x) (generate 3 (\c -> abs A[c][0]))
put : [N]f32 -> [N][M]f32 -> [N]f32
> run -n 1 | grep verify
  verify  OK   1 input x 1 repeat; input 1 exact
> # a loop over an array in a map: each work-item has its own part of the memory
> device oclgrind
oclgrind    Oclgrind Simulator
> let halves (A: [N][M]f32) = map (\r -> loop 3 (\s i -> take M (padConst 1 0 0 s)) r) A
halves : [N][M]f32 -> [N][M]f32
> data N = 300, M = 1000
> lower
@1  lower                               builtin    from @0
  - map (λr → loop 3 (λs _ → take M ∘ padConst 1 0 0 $ s) r) A
  + mapWorkgroup 0 (λr → mapLocal 0 id (loop 3 (λs _ → mapLocal 0 id (toLocal (mapLocal 0 (λj → i...
  type   [N][M]f32                    unchanged
  inner  14 steps        log --expand
  focus  /  ->  /                     22 moves here
> plan
halves_k0   300000 work-items, groups of 1000, 3 barriers
   A out
   local memory 8000 bytes
   limited by starting kernels and groups: 3.3 us of the 4.62 us expected
   8 groups a unit at once: their work-items are as many as it takes
A            300000 f32, input
out          300000 f32, output
> code | tail -20
#pragma OPENCL FP_CONTRACT OFF

__attribute__((reqd_work_group_size(1000, 1, 1)))
kernel void halves_k0(const global float *restrict A,
                      global float *restrict out)
{
    local float s[1000] __attribute__((aligned(64)));
    local float tile[1000] __attribute__((aligned(64)));
    int wg0 = get_group_id(0);
    int l0 = get_local_id(0);
    s[l0] = A[l0 + 1000*wg0];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 3; i++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        tile[l0] = l0 >= 1 ? s[l0 - 1] : 0.0f;
        barrier(CLK_LOCAL_MEM_FENCE);
        s[l0] = tile[l0];
    }
    out[l0 + 1000*wg0] = s[l0];
}
> run -n 1 | grep verify
  verify  OK   1 input x 1 repeat; input 1 exact
> # a memory primitive around what has no code of its own copies it
> let turned (A: [N][M]f32) = mapGlobal 0 (\r -> toGlobal (reorder reverse r)) A
turned : [N][M]f32 -> [N][M]f32
> run -n 1 | grep verify
  verify  OK   1 input x 1 repeat; input 1 exact
> let kept (x: [N]f32) = let y = toGlobal (padConst 1 0 0 x) in mapGlobal 0 (\(a, b) -> a + b) (zip (take N y) x)
kept : [N]f32 -> [N]f32
  inlined  y: used once (letDuplicate)
> plan
kept_k0   64*(N // 64) + 64 work-items, groups of 64
   x tmp
   limited by starting kernels and groups: 3.3 us of the 3.62 us expected at default sizes
   32 groups a unit at once: a unit takes no more
kept_k1   64*((N + 63) // 64) work-items, groups of 64
   x out tmp
   limited by starting kernels and groups: 3.3 us of the 3.64 us expected at default sizes
   32 groups a unit at once: a unit takes no more
x            N f32, input
out          N f32, output
tmp          N + 1 f32, temporary, made by kept_k0, read by kept_k1, 4*N + 4 bytes
temporaries 4*N + 4 bytes
> # scans over arrays
> let rows (A: [N][M]f32) = scanSeq (\(s, r) -> mapSeq (\(p, q) -> p / 2 + q) (zip s r)) (toGlobal A[0]) A
rows : [N][M]f32 -> [N][M]f32
> data N = 3, M = 4
> code | tail -14
                    global float *tmp)
{
    for (int i = 0; i < 4; i++) {
        tmp[i] = A[i];
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 4; j++) {
            tmp[j] = tmp[j] / 2.0f + A[4*i + j];
        }
        for (int j = 0; j < 4; j++) {
            out[4*i + j] = tmp[j];
        }
    }
}
> run -n 1 | grep verify
  verify  OK   1 input x 1 repeat
> # remainders, quotients and minima say nothing of other rows
> let marked (A: [N][M]f32) = mapGlobal 0 (\r -> scatter (toGlobal r) (generate M (\j -> (j + 1) % M)) (toGlobal r)) A
marked : [N][M]f32 -> [N][M]f32
> run -n 1 | grep verify
  verify  OK   1 input x 1 repeat; input 1 exact
> # a step that hands on what it was given, after it wrote over it
> let kept (A: [N][M]i32) = mapGlobal 0 (\r -> reduceSeq (\(s, i) -> reduceSeq (\(u, k) -> toGlobal s) (toGlobal (mapSeq (\q -> q + 1) s)) (generate 2 id)) (toGlobal r) (generate 3 id)) A
kept : [N][M]i32 -> [N][M]i32
> run -n 1 | grep verify
  verify  OK   1 input x 1 repeat; input 1 exact
> # rows that are scanned or reduced element by element are columns
> let sums (A: [N][M]f32) = scan (\(a, b) -> map (+) (zip a b)) (replicate M 0) A
sums : [N][M]f32 -> [N][M]f32
> lower
@1  lower                               builtin    from @0
  - scan (λ(a, b) → map (+) (zip a b)) (generate M (λi → 0)) A
  + transpose ∘ mapGlobal 0 (scanSeq (+) 0) ∘ transpose $ A
  type   [N][M]f32                    unchanged
  inner  5 steps        log --expand
  focus  /  ->  /                     11 moves here
> run -n 1 | grep verify
  verify  OK   1 input x 1 repeat; input 1 exact
> let most (A: [N][M]f32) = reduce (\(s, r) -> map max (zip s r)) A[0] A
most : [N][M]f32 -> [M]f32
> lower
@1  lower                               builtin    from @0
  - reduce (λ(s, r) → map max (zip s r)) A[0] A
  + mapGlobal 0 (λ(c, s) → reduceSeq max s c) (zip (transpose A) A[0])
  type   [M]f32                       unchanged
  inner  3 steps        log --expand
  focus  /  ->  /                     7 moves here
> run -n 1 | grep verify
  verify  OK   1 input x 1 repeat; input 1 exact
> # steps of an iterate, and those that only lay out, are launches
> let doubled (x: [N]f32) = iterate 5 (\v -> map (\e -> e * 2) v) x
doubled : [N]f32 -> [N]f32
> lower
@1  lower                               builtin    from @0
  - iterate 5 (map (λv → v * 2)) x
  + reduceHost (λ(s, i) → mapGlobal 0 (λv → v * 2) s) x (iota 5)
  type   [N]f32                       unchanged
  inner  3 steps        log --expand
  focus  /  ->  /                     7 moves here
> let turns (x: [N]f32) = loop 3 (\s i -> reorder reverse s) x
turns : [N]f32 -> [N]f32
> lower
@1  lower                               builtin    from @0
  - reduceSeq (λ(s, i) → reorder reverse s) x (iota 3)
  + reduceHost (λ(s, i) → mapGlobal 0 id ∘ reorder reverse $ s) x (iota 3)
  type   [N]f32                       unchanged
  inner  2 steps        log --expand
  focus  /  ->  /                     7 moves here
> run -n 1 | grep verify
  verify  OK   1 input x 1 repeat; input 1 exact
> # what lower --explain says of it
> let turns3 (A: [N][M]f32) = map (\r -> (loop 3 (\(a, b, c) i -> (map (\(x, y) -> x + y) (zip a c), reorder reverse a, b)) (r, r, r)).2) A
turns3 : [N][M]f32 -> [N][M]f32
> lower --explain | head -6
#1 /in/0/f/body/0 map (\(a, b, c) -> map (+) (zip a c)) ss
  plain      3.66 us   0.90 of the bound
  takes      start 3.3 us, memory 190 ns, control 150 ns, chain 131 ns
  bound      3.3 us   launches
  near       no long map: a length is not known: `data` gives it
sizes by default: N = 256, M = 256
> # what is the same in every round is made once, and what is made of a row before its loop
> let again (A: [N][M]f32) = map (\r -> loop 9 (\s i -> zipWith (+) s r) r) (map (\r -> scan (+) 0 r) A)
again : [N][M]f32 -> [N][M]f32
> data N = 16, M = 8
> device oclgrind
oclgrind    Oclgrind Simulator
> lower
@1  lower                               builtin    from @0
  - map (λr → loop 9 (λs _ → map (+) (zip s r)) r) ∘ map (scan (+) 0) $ A
  + mapGlobal 0 (λr → mapSeqUnroll id (loop 9 (λs _ → mapSeq (+) (..)) (toPrivate ∘ mapSeqUnroll ...
  type   [N][M]f32                    unchanged
  inner  5 steps        log --expand
  focus  /  ->  /                     12 moves here
> show
mapGlobal 0
    (λr → mapSeqUnroll id (loop 9 (λs _ → mapSeq (+) (zip s r)) (toPrivate ∘ mapSeqUnroll id $ r))) ∘
  mapGlobal 0 (scanSeq (+) 0) $ A
> run -n 1 | grep verify
  verify  OK   1 input x 1 repeat; input 1 exact
> let weights (A: [N][M]f32) (x: [N]f32) = loop 9 (\s i -> zipWith (\(a, b) -> a / (1 + b)) s (map (\r -> reduce (+) 0 (map abs r)) A)) x
weights : [N][M]f32 -> [N]f32 -> [N]f32
> lower | head -1
@1  lower                               builtin    from @0
> plan | grep loop
loop: weights_k1, rounds: 9
> # a component of what long rows' loops make, and what is done with it: all rows' loops are launches together
> let powers (A: [N][M]f32) = map (\r -> (loop 3 (\(v, s) i -> let w = map (\q -> q * s) v in (w, reduce (+) 0 w)) (r, 0.01)).0) A
powers : [N][M]f32 -> [N][M]f32
> data N = 4, M = 300
> lower | head -1
@1  lower                               builtin    from @0
> plan | grep loop
loop: powers_k2, rounds: 3
> run -n 1 | grep verify
  verify  OK   1 input x 1 repeat
> let scaled (A: [N][M]f32) = map (\r -> let (v, s) = loop 3 (\(v, s) i -> let w = map (\q -> q * s) v in (w, reduce max 1 w)) (r, 0.5) in map (\q -> q / s + r[0]) v) A
scaled : [N][M]f32 -> [N][M]f32
> lower | head -1
@1  lower                               builtin    from @0
> plan | grep loop
loop: scaled_k2, rounds: 3
> run -n 1 | grep verify
  verify  OK   1 input x 1 repeat
> # an array made by its numbers that is read in many places is made once, where an element takes much
> let edges (u: [G][G]f32) = let side = \f i j -> (if i == 0 then 0.0 - f[1][j] else if i == G - 1 then 0.0 - f[G - 2][j] else if j == 0 then f[i][1] else if j == G - 1 then f[i][G - 2] else f[i][j]) let p = generate G (\i -> generate G (\j -> 0.5 * (side u i j + side u (G - 1 - i) j))) in generate G (\i -> generate G (\j -> side p i j + side p (G - 1 - i) (G - 1 - j)))
edges : [G][G]f32 -> [G][G]f32
> data G = 70
> lower | head -1
@1  lower                               builtin    from @0
> plan | grep work-item
edges_k0   70 x 70 work-items, groups of 35x1
edges_k1   70 x 70 work-items, groups of 35x1
> run -n 1 | grep verify
  verify  OK   1 input x 1 repeat
> # what work-items have of their own is no more than the device has: fewer of them, each of which takes several elements in turn
> let sorted (A: [N][2][3][M]f32) = map (\r -> loop M (\s k -> generate 2 (\a -> generate 3 (\b -> generate M (\i -> if (i + k) % 2 == 0 then (if i + 1 < M then min s[a][b][i] s[a][b][i + 1] else s[a][b][i]) else if i > 0 then max s[a][b][i - 1] s[a][b][i] else s[a][b][i])))) r) A
sorted : [N][2][3][M]f32 -> [N][2][3][M]f32
> set target tests/targets/little.target
> device pocl0
pocl0    **
  kernels are made for little: set target
> data N = 96, M = 5
> lower
@1  lower                               builtin    from @0
  - map (λr → loop M (λs k → generate 2 (λa → generate 3 (λb → generate M (λi → if (..) % 2 == 0 ...
  + join ∘ mapGlobal 0 (mapSeq (λr → loop M (λs k → mapSeq (mapSeq (λr1 → mapSeq (λ(r2, i) → if (...
  type   [N][2][3][M]f32              unchanged
  inner  49 steps        log --expand
  focus  /  ->  /                     10 moves here
> show
join ∘
  mapGlobal 0
    (mapSeq
      (λr →
        loop M
          (λs k →
            mapSeq
                (mapSeq
                  (λr1 →
                    mapSeq
                      (λ(r2, i) →
                        if (i + k) % 2 == 0
                          then if i + 1 < M then min r2[1] r2[2] else r2[1]
                          else if i > 0 then max r2[0] r2[1] else r2[1])
                      (zip r1 (iota M)))) ∘
              map (map (slide 3 1 ∘ pad 1 1 clamp)) $ s)
          (toGlobal r))) ∘
  split 2 $ A
> plan | tail -4
A            2880 f32, input
out          2880 f32, output
next         1440 f32, temporary of the work-items of sorted_k0, 120 bytes each, 5760 bytes
temporaries 5760 bytes
> run -n 1 | grep verify
  verify  OK   1 input x 1 repeat; input 1 exact
> data N = 97
warning: now 2 divides N does not hold for split 2 at /in/in; @1 cannot be run        goto @0 ; lower
> goto @0
@0  source
    map (λr → loop M (λs k → generate 2 (λa → generate 3 (λb → generate M (λi → if (i + k) % 2 ==...
> lower | head -1
@2  lower                               builtin    from @0
> plan | grep -e items -e bytes
sorted_k0   48 work-items, groups of 48
next         1440 f32, temporary of the work-items of sorted_k0 sorted_k1, 5760 bytes
temporaries 5760 bytes, 5880 apart
> run -n 1 | grep verify
  verify  OK   1 input x 1 repeat; input 1 exact
> set target auto
> device oclgrind
oclgrind    Oclgrind Simulator
> # whether a loop's steps were launches in what was lowered before says nothing of another lowering
> let third (x: [N]f32) = loop 3 (\s i -> map (\v -> v / 2 + s[N - 1]) s) x
third : [N]f32 -> [N]f32
> data N = 8
> lower | head -1
@1  lower                               builtin    from @0
> goto @0
@0  source
    loop 3 (λs _ → map (λv → v / 2 + s[N - 1]) s) x
> lower lowerPlain | head -1
@2  lowerPlain                          builtin    from @0
> plan | grep loop
