> # several results of one traversal: rows and columns of a matrix by tiles, a named array and a reduction of it by chunks
> device oclgrind
**
> load tests/programs/bicgk.fun
bicgk : **
  inlined  q, s: used once (letDuplicate)
> data N = 64, M = 64
> apply sumsInTilesGpu{n=32, m=32, k=8, w=4}
@1  **
  - **
  + **
  type   ([N]f32, [M]f32)             unchanged
  inner  ** steps        log --expand
  focus  /  ->  /                     ** moves here
> lower
**
  - .. reduceSeqUnroll (λ(..) → acc + y0 * y1) 0 (..)) r1, mapSeqUnroll (λr2 → reduceSeqUnroll (λ...
  + .. reduceSeqUnroll (λ(..) → fma y0 y1 acc) 0 (..)) r1, mapSeqUnroll (λr2 → reduceSeqUnroll (λ...
  type   ([N]f32, [M]f32)             unchanged
  inner  29 steps        log --expand
  focus  /  ->  /                     3 moves here
> run -n 1
**
  build   - ms        3 kernels   local 1.5 KiB/WG   private 0 B
  verify  OK   3 inputs x 1 repeat; input 1 exact
          error 4.1e-07, 0.17 x the source's own; sees changes of 6e-08
          every element
> # tiles of other sides and vectors, where those of 128 do not divide
> goto @0
@0  source
    (map (λrow → reduce (+) 0 (map (*) (zip row p))) A, map (λcol → reduce (+) 0 (map (*) (zip co...
> data N = 100, M = 222
> apply sumsInTilesGpu{n=20, m=111, k=5, w=3}
@3  sumsInTilesGpu{n=20, m=111, k=5, w=3}  at /  builtin    from @0
  - (map (λrow → reduce (+) 0 (map (*) (zip row p))) A, map (λcol → reduce (+) 0 (map (*) (zip co...
  + let r1 = toGlobal (mapWorkgroup 1 (λ(x, cs) → mapWorkgroup 0 (λ(x1, bs) → let r1 = toLocal (m...
  type   ([N]f32, [M]f32)             unchanged
  inner  104 steps        log --expand
  focus  /  ->  /                     3 moves here
> lower
@4  lower                               builtin    from @3
  - .. reduceSeqUnroll (λ(..) → acc + y0 * y1) 0 (..)) r1, mapSeqUnroll (λr2 → reduceSeqUnroll (λ...
  + .. reduceSeqUnroll (λ(..) → fma y0 y1 acc) 0 (..)) r1, mapSeqUnroll (λr2 → reduceSeqUnroll (λ...
  type   ([N]f32, [M]f32)             unchanged
  inner  29 steps        log --expand
  focus  /  ->  /                     3 moves here
> run -n 1 | grep verify
  verify  OK   3 inputs x 1 repeat; input 1 exact
> goto @0
@0  source
    (map (λrow → reduce (+) 0 (map (*) (zip row p))) A, map (λcol → reduce (+) 0 (map (*) (zip co...
> data N = 10000, M = 7770
> lower
@5  lower                               builtin    from @0
  - (map (λrow → reduce (+) 0 (map (*) (zip row p))) A, map (λcol → reduce (+) 0 (map (*) (zip co...
  + let r1 = toGlobal (mapWorkgroup 1 (λ(x, cs) → mapWorkgroup 0 (λ(x1, bs) → let r1 = toLocal (m...
  type   ([N]f32, [M]f32)             unchanged
  inner  131 steps        log --expand
  focus  /  ->  /                     3 moves here
> log --expand | grep 'sumsInTilesGpu.*w=2'
      sumsInTilesGpu{k=10, m=70, n=100, w=2}  at /
> # rows that no tile divides are left over
> data N = 10007
warning: now 100 divides N does not hold for split 100 at /value/in/in/0; @5 cannot be run        goto @0 ; lower
> goto @0
@0  source
    (map (λrow → reduce (+) 0 (map (*) (zip row p))) A, map (λcol → reduce (+) 0 (map (*) (zip co...
> lower
@6  lower                               builtin    from @0
  - (map (λrow → reduce (+) 0 (map (*) (zip row p))) A, map (λcol → reduce (+) 0 (map (*) (zip co...
  + let r1 = toGlobal (mapWorkgroup 1 (λ(x, cs) → mapWorkgroup 0 (λ(x1, bs) → let r1 = toLocal (m...
  type   ([N]f32, [M]f32)             unchanged
  inner  199 steps        log --expand
  focus  /  ->  /                     3 moves here
> log --expand | grep 'sumsInTilesGpu'
  ├─ @1  sumsInTilesGpu{n=32, m=32, k=8, w=4}  at /
  ├─ @3  sumsInTilesGpu{n=20, m=111, k=5, w=3}  at /
  │      sumsInTilesGpu{k=10, m=70, n=100, w=2}  at /
      sumsInTilesGpu{k=10, m=70, n=100, w=2}  at /
> data N = 107, M = 64
warning: now 70 divides M does not hold for split 70 at /value/in/f/body/in/0/in/f/body; @6 cannot be run        goto @0 ; lower
> goto @0
@0  source
    (map (λrow → reduce (+) 0 (map (*) (zip row p))) A, map (λcol → reduce (+) 0 (map (*) (zip co...
> apply sumsInTilesGpu{n=32, m=32, k=8, w=4}
@7  sumsInTilesGpu{n=32, m=32, k=8, w=4}  at /  builtin    from @0
  - (map (..) A, map (λcol → reduce (+) 0 (map (*) (zip col r))) ∘ transpose $ A)
  + let r1 = toGlobal (mapWorkgroup 1 (λ(x, cs) → mapWorkgroup 0 (λ(x1, bs) → let r1 = toLocal (m...
  type   ([N]f32, [M]f32)             unchanged
  inner  116 steps        log --expand
  focus  /  ->  /                     3 moves here
> lower
@8  lower                               builtin    from @7
  - .. reduceSeqUnroll (λ(..) → acc + y0 * y1) 0 (..)) r1, mapSeqUnroll (λr2 → reduceSeqUnroll (λ...
  + .. reduceSeqUnroll (λ(..) → fma y0 y1 acc) 0 (..)) r1, mapSeqUnroll (λr2 → reduceSeqUnroll (λ...
  type   ([N]f32, [M]f32)             unchanged
  inner  67 steps        log --expand
  focus  /  ->  /                     3 moves here
> run -n 1
@8  oclgrind Oclgrind Simulator   N=107  M=64   WG 8x4 x 2x3   WG 32x2 x 1x3   WG 64 x 11   WG 32x11 x 2x1   WG 64 x 1
  build   - ms        5 kernels   local 1.5 KiB/WG   private 0 B
  verify  OK   3 inputs x 1 repeat; input 1 exact
          error 4e-07, 0.18 x the source's own; sees changes of 6e-08
          every element
> # on a CPU: each tile is read by rows, then by columns
> device pocl0
pocl0 **
> goto @0
@0  source
    (map (λrow → reduce (+) 0 (map (*) (zip row p))) A, map (λcol → reduce (+) 0 (map (*) (zip co...
> apply sumsInTilesCpu{n=32, m=64, columns=64, u=2}
@9  sumsInTilesCpu{n=32, m=64, columns=64, u=2}  at /  builtin    from @0
  - (map (..) A, map (λcol → reduce (+) 0 (map (*) (zip col r))) ∘ transpose $ A)
  + let r1 = toGlobal (mapWorkgroup 1 (λ(x, cs) → mapWorkgroup 0 (λ(x1, bs) → (mapSeq (λys → redu...
  type   ([N]f32, [M]f32)             unchanged
  inner  97 steps        log --expand
  focus  /  ->  /                     3 moves here
> lower
@10  lower                              builtin    from @9
  - .. mapSeqUnroll (mapVec (λ(..) → as + y * y0)) (..)) (..) (..)))) ∘ split 64 ∘ transpose $ x1...
  + .. mapSeqUnroll (mapVec (λ(..) → fma y y0 as)) (..)) (..) (..)))) ∘ split 64 ∘ transpose $ x1...
  type   ([N]f32, [M]f32)             unchanged
  inner  42 steps        log --expand
  focus  /  ->  /                     3 moves here
> run -n 1
@10  pocl0 **
  build   - ms        6 kernels   local 0 B/WG   private 1.0 KiB
  verify  OK   3 inputs x 2 repeats; input 1 exact
          error 5.8e-07, 0.26 x the source's own; sees changes of 6e-08
          every element
  time    - ms median of 1  (IQR -, min -)    - GB/s
> data N = 4096, M = 4096
warning: now 32 divides N - 11 does not hold for split 32 at /value/in/in/0; @10 cannot be run        goto @0 ; lower
> goto @0
@0  source
    (map (λrow → reduce (+) 0 (map (*) (zip row p))) A, map (λcol → reduce (+) 0 (map (*) (zip co...
> lower
@11  lower                              builtin    from @0
  - (map (λrow → reduce (+) 0 (map (*) (zip row p))) A, map (λcol → reduce (+) 0 (map (*) (zip co...
  + let r1 = toGlobal (mapWorkgroup 1 (λ(x, cs) → mapWorkgroup 0 (λ(x1, bs) → (mapSeq (λys → redu...
  type   ([N]f32, [M]f32)             unchanged
  inner  111 steps        log --expand
  focus  /  ->  /                     3 moves here
> log --expand | grep 'sumsInTilesCpu'
  ├─ @9  sumsInTilesCpu{n=32, m=64, columns=64, u=2}  at /
      sumsInTilesCpu{columns=256, m=4096, n=64}  at /
> data N = 4099
warning: now 64 divides N does not hold for split 64 at /value/in/in/0; @11 cannot be run        goto @0 ; lower
> goto @0
@0  source
    (map (λrow → reduce (+) 0 (map (*) (zip row p))) A, map (λcol → reduce (+) 0 (map (*) (zip co...
> lower
@12  lower                              builtin    from @0
  - (map (λrow → reduce (+) 0 (map (*) (zip row p))) A, map (λcol → reduce (+) 0 (map (*) (zip co...
  + let r1 = toGlobal (mapWorkgroup 1 (λ(x, cs) → mapWorkgroup 0 (λ(x1, bs) → (mapSeq (λys → redu...
  type   ([N]f32, [M]f32)             unchanged
  inner  166 steps        log --expand
  focus  /  ->  /                     3 moves here
> log --expand | grep 'sumsInTilesCpu'
  ├─ @9  sumsInTilesCpu{n=32, m=64, columns=64, u=2}  at /
  │      sumsInTilesCpu{columns=256, m=4096, n=64}  at /
      sumsInTilesCpu{columns=256, m=4096, n=64}  at /
> device oclgrind
oclgrind    Oclgrind Simulator
> load tests/programs/axpydot.fun
axpydot : **
  inlined  r: used once (letDuplicate)
> data N = 4096
> apply keptInChunks(1024) * slot("value", rowsInGroups{items=64, rounds=1})
**
  - let z = map (λ(a, b) → a - alpha * b) (zip w v) in (z, reduce (+) 0 (map (*) (zip z u)))
  + let r = mapWorkgroup 0 (λ(p, ys) → let r = toPrivate ∘ mapLocal 0 (mapSeqUnroll (..)) ∘ trans...
  type   ([N]f32, f32)                unchanged
  inner  38 steps        log --expand
  focus  /  ->  /                     3 moves here
> lower
**
  - .. mapLocal 0 (..) $ r, reduceSeq (+) 0 (toLocal (mapLocal 0 (..) (split 16 (toLocal (mapLoca...
  + .. mapLocal 0 (..) $ r, reduceSeqUnroll (+) 0 (toLocal (mapLocal 0 (..) (split 16 (toLocal (m...
  type   ([N]f32, f32)                unchanged
  inner  9 steps        log --expand
  focus  /  ->  /                     3 moves here
> # the result is made in place: the chunks, then their sums in two steps
> code | grep -c '^kernel'
2
> run -n 1
**
  build   - ms        3 kernels   local 272 B/WG   private 0 B
  verify  OK   3 inputs x 1 repeat; input 1 exact
          error 2.7e-07, 0.036 x the source's own; sees changes of 6e-08
          every element
> # reductions of one array, and what is the same for every element of an outer map
> load tests/programs/stats.fun
stats : **
> apply reductionsTogether
**
  - (reduce (+) 0 x / N, reduce max (-inf) x, reduce min inf x, reduce (+) 0 ∘ map (λv → v * v) $ x)
  + let (((r0, x1), x2), r1) = reduce (λ((((r0, x1), r1), t), (((u0, x2), u1), v)) → (((r0 + u0, ...
  type   (f32, f32, f32, f32)         unchanged
  inner  11 steps        log --expand
  focus  /  ->  /                     3 moves here
> show
let (((r0, x1), x2), r1) = reduce
    **
    (((0, -inf), inf), 0) ∘
  map (λx1 → (((x1, x1), x1), x1 * x1)) $ x
in (r0 / N, x1, x2, r1)
> load tests/programs/cosine.fun
cosine : **
> apply reduceInnerOut * slot("body", slot("f", reduceInvariantOut))
**
  - map (λa → map (λb → reduce (+) 0 (..) / ((sqrt ∘ reduce (+) 0 ∘ map (..) $ a) * (sqrt ∘ reduc...
  + let v = map (..) B in map (λa → let s = reduce (+) 0 ∘ map (λv1 → v1 * v1) $ a in map (λ(s1, ...
  type   [N][M]f32                    unchanged
  inner  2 steps        log --expand
  focus  /  ->  /                     7 moves here
> show
**
in map
  (λa →
    let s = reduce (+) 0 ∘ map (λv1 → v1 * v1) $ a
    in map (λ(s1, b) → reduce (+) 0 (map (*) (zip a b)) / (sqrt s * sqrt s1)) (zip v B))
  A
> # a name computed where it is used, and named again
> let f (xs: [N]f32) = let v = map (\x -> x * x) xs in (v, reduce (+) 0 v)
f : [N]f32 -> ([N]f32, f32)
> apply letDuplicate
@1  letDuplicate  at /                  builtin    from @0
  - let v = map (λv → v * v) xs in (v, reduce (+) 0 v)
  + (map (λv → v * v) xs, reduce (+) 0 ∘ map (λv → v * v) $ xs)
  type   ([N]f32, f32)                unchanged
  focus  /  ->  /                     ** moves here
> apply letShare
@2  letShare  at /                      builtin    from @1
  - (map (λv → v * v) xs, reduce (+) 0 ∘ map (λv → v * v) $ xs)
  + let v = map (λv → v * v) xs in (v, reduce (+) 0 v)
  type   ([N]f32, f32)                unchanged
  same   term as @0        goto @0
  focus  /  ->  /                     ** moves here
> # reductions of one array as it is, behind a component that is none
> let three (x: [N]f32) = (map (\v -> v + 1) x, reduce (+) 0 x, reduce max (-inf) x)
three : [N]f32 -> ([N]f32, f32, f32)
> apply reductionsTogether
**
  - (map (λv → v + 1) x, reduce (+) 0 x, reduce max (-inf) x)
  + let (r0, r1) = reduce (λ((s, t), (u, v)) → (s + u, max t v)) (0, -inf) ∘ map (λx1 → (x1, x1))...
  type   ([N]f32, f32, f32)           unchanged
  inner  2 steps        log --expand
  focus  /  ->  /                     3 moves here
> show
let (r0, r1) = reduce (λ((s, t), (u, v)) → (s + u, max t v)) (0, -inf) ∘ map (λx1 → (x1, x1)) $ x
in (map (λv → v + 1) x, r0, r1)
> rule swapped: (map f x, map g y) => (map g y, map f x) when shares (zip x x) y
**
  (map f x, map g y)  =>  (map g y, map f x)  when shares (zip x x) y
  user; assumed
> let two (x: [N]f32) = (map (\v -> v + 1) x, map (\v -> v * 2) x)
two : [N]f32 -> ([N]f32, [N]f32)
> apply swapped
@1  swapped  at /                       assumed    from @0
  - (map (λv → v + 1) x, map (λv → v * 2) x)
  + (map (λv → v * 2) x, map (λv → v + 1) x)
  type   ([N]f32, [N]f32)             unchanged
  focus  /  ->  /                     4 moves here
**
> # few long columns whose sums are gone on with: in parts
> load tests/programs/gemver.fun
gemver : [N][M]f32 -> [N]f32 -> [M]f32 -> [N]f32 -> [M]f32 -> [N]f32 -> [M]f32 -> f32 -> f32 -> ([N][M]f32, [M]f32, [N]f32)        2 programs; list programs
  inlined  w: used once (letDuplicate)
> data N = 4096, M = 32
> lower
@1  lower                               builtin    from @0
  - let B = map (λ(..) → map (λ(..) → a + p * c + q * d) (..)) (..) in let x = map (λ(col, c) → b...
  + let B = mapGlobal 1 (λ(..) → asScalar (mapGlobal 0 (mapVec (λ(..) → fma q d (fma p c a))) (as...
  type   ([N][M]f32, [M]f32, [N]f32)  unchanged
  inner  47 steps        log --expand
  focus  /  ->  /                     4 moves here
> log --expand | grep reduceKept
      .5  reduceKept(4)  at /body/value/f/body/0/1
> # rows that no tile divides are padded with zeros; what tiles leave over of the rows
> load tests/programs/bicgk.fun
bicgk : [N][M]f32 -> [M]f32 -> [N]f32 -> ([N]f32, [M]f32)        2 programs; list programs
  inlined  q, s: used once (letDuplicate)
> data N = 71, M = 101
warning: now 4096 divides M does not hold for split 4096 at /value/in/f/body/in/0/in/f/body; @12 cannot be run        goto @0 ; lower
> goto @0 | head -1
@0  source
> apply padSums(48, 32) | head -1
@13  padSums(48, 32)  at /              builtin    from @0
> apply padSums(48) at /0
E23 padSums(48) failed: padSums fails at /0
  needs   rows and columns of one matrix
  found   concat (map (\row -> ..) . map (padConst 0 ((-(M % 48)) % ..
> apply sumsInTilesGpu{k=4, m=48, n=32, w=3} at /0
E23 sumsInTilesGpu{k=4, m=48, n=32, w=3} failed: sumsInTiles fails at /0
  needs   rows and columns of one matrix
  found   concat (map (\row -> ..) . map (padConst 0 ((-(M % 48)) % ..
> apply sumsInTilesGpu{k=4, m=48, n=32, w=3} at / | head -1
@14  sumsInTilesGpu{k=4, m=48, n=32, w=3}  at /  builtin    from @13
> lower | head -1
@15  lower                              builtin    from @14
> run -n 1 | grep -c 'verify  OK'
1
> # a named array of any length, and a reduction of it
> load tests/programs/axpydot.fun
axpydot : [N]f32 -> [N]f32 -> [N]f32 -> f32 -> ([N]f32, f32)
  inlined  r: used once (letDuplicate)
> device oclgrind
oclgrind    Oclgrind Simulator
> data N = 21003
warning: now 1024 divides N does not hold for split 1024 at /value/in/0; @2 cannot be run        goto @0 ; lower
> goto @0 | head -1
@0  source
> lower --explain | grep keptPeelLast
             keptPeelLast(523)
> lower | head -1
@3  lower                               builtin    from @0
> plan | grep -c '^axpydot_k'
3
> run -n 1 | grep -c 'verify  OK'
1
> # a named matrix that is a result, and sums of its columns, by tiles: it is made in its place, and read once
> device oclgrind
**
> load tests/programs/gemver.fun
gemver : **
  inlined  w: used once (letDuplicate)
> goto @0 | head -1
@0  source
> data N = 64, M = 96
> apply keptInTilesGpu{n=32, m=32, k=8, w=4} | head -1
@2  keptInTilesGpu{n=32, m=32, k=8, w=4}  at /  builtin    from @0
> lower | head -1
@3  lower                               builtin    from @2
> plan | grep gemver
gemver_k0   24 x 8 work-items, groups of 8x4, 1 barrier
gemver_k1   96 x 2 work-items, groups of 32x2, 1 barrier
gemver_k2   2048 work-items, groups of 32, 2 barriers
r_1          192 f32, temporary, made by gemver_k0, read by gemver_k1, 768 bytes
> plan | grep tmp
> run -n 1
@3  oclgrind Oclgrind Simulator   N=64  M=96   WG 8x4 x 3x2   WG 32x2 x 3x1   WG 32 x 64
  build   - ms        3 kernels   local 512 B/WG   private 0 B
  verify  OK   3 inputs x 1 repeat; input 1 exact
          error 4.3e-07, 0.21 x the source's own; sees changes of 6e-08
          every element
> goto @0 | head -1
@0  source
> data N = 42, M = 45
> apply keptInTilesGpu{n=14, m=15, k=7, w=3} | head -1
@4  keptInTilesGpu{n=14, m=15, k=7, w=3}  at /  builtin    from @0
> lower | head -1
@5  lower                               builtin    from @4
> run -n 1 | grep verify
  verify  OK   3 inputs x 1 repeat; input 1 exact
> # or of its rows
> let scaled (A: [N][M]f32) (v: [M]f32) = let B = map (\row -> map (*) (zip row v)) A in (B, map (reduce max (-inf)) B)
scaled : [N][M]f32 -> [M]f32 -> ([N][M]f32, [N]f32)
> data N = 4096, M = 4096
> lower | head -1
@1  lower                               builtin    from @0
> log --expand | grep kept
      .1  keptFusion  at /
> plan | grep scaled
scaled_k0   1048576 work-items, groups of 256, 2 barriers
