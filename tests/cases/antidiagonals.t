> # a square matrix by its antidiagonals, each of which holds its own mirror images
> let m (A: [N][N]i32) = antidiagonals A
m : [N][N]i32 -> [N][N]i32
> data N = 4
> data A = iota
> eval A
[4][4]i32    N=4
  [[0, 1, 2, 3], [4, 5, 6, 7], ...]
  hash 5fe2392cb38dea21
> eval
@0  [4][4]i32    N=4
  [[12, 9, 6, 3], [8, 5, 2, 15], ...]
  hash 3acb1efa191916d5
> eval antidiagonals (m A)
[4][4]i32    N=4
  [[0, 1, 2, 3], [4, 5, 6, 7], ...]
  hash 5fe2392cb38dea21
> check mapAntidiagonals
mapAntidiagonals holds on 500 instances, seed 1
> check antidiagonalsTwice
antidiagonalsTwice holds on 500 instances, seed 1
> let p (A: [N][M]f32) = map (map (\x -> x * x)) A
p : [N][M]f32 -> [N][M]f32
> why mapAntidiagonals
mapAntidiagonals does not apply at /
  rule    map (map f) x  =>  antidiagonals (map (map f) (antidiagonals x))
  needs   a right side that fits
  found   antidiagonals: "in" must be [n][n]a, found [N][M]f32
  try     moves /
> let p (A: [N][N]f32) = map (map (\x -> x * x)) A
p : [N][N]f32 -> [N][N]f32
> apply mapAntidiagonals
@1  mapAntidiagonals  at /              builtin    from @0
  - map (map (λx → x * x)) A
  + antidiagonals ∘ map (map (λx → x * x)) ∘ antidiagonals $ A
  type   [N][N]f32                    unchanged
  focus  /  ->  /                     9 moves here
> device oclgrind
**
> data N = 5
> lower
@2  lower                               builtin    from @1
  - map (map (λx → x * x)) ∘ antidiagonals $ A
  + split N ∘ mapGlobal 0 (λx → x * x) ∘ join ∘ antidiagonals $ A
  type   [N][N]f32                    unchanged
  inner  2 steps        log --expand
  focus  /  ->  /                     9 moves here
> code | tail -7
__attribute__((reqd_work_group_size(25, 1, 1)))
kernel void p_k0(const global float *restrict A, global float *restrict out)
{
    int gid0 = get_global_id(0);
    float x = A[5*(4 - (gid0 + gid0/5)%5) + gid0%5];
    out[5*(4 - (gid0 + gid0/5)%5) + gid0%5] = x * x;
}
> run -n 1
@2  oclgrind Oclgrind Simulator   N=5   WG 25 x 1
  build   - ms        local 0 B/WG   private 0 B
  verify  OK   3 inputs x 1 repeat; input 1 exact
          error 3.4e-08, 0.43 x the source's own; sees changes of 6e-08
          every element
> # groups in that order: an element and its mirror image are read by groups that run together
> load tests/programs/addt.fun
addt : [N][N]f32 -> [N][N]f32
> apply tilesInItems{u=4, v=4, m=2, mirrored=true}
@1  tilesInItems{u=4, v=4, m=2, mirrored=true}  at /  builtin    from @0
  - map (λ(r, c) → map (+) (zip r c)) (zip A (transpose A))
  + join (map transpose (map join (antidiagonals (mapWorkgroup 1 (mapWorkgroup 0 (λ(ys, ys1) → tr...
  type   [N][N]f32                    unchanged
  inner  28 steps        log --expand
  focus  /  ->  /                     9 moves here
> show
join
  (map
    transpose
    (map
      join
      (antidiagonals
        (mapWorkgroup 1
          (mapWorkgroup 0
            (λ(ys, ys1) →
              transpose
                (join
                  (mapLocal 1
                    (λ(ys2, ys3) →
                      transpose
                        (join
                          (mapLocal 0
                            (λ(ys4, ys5) →
                              transpose
                                (mapSeqUnroll
                                  (λ(x, xs) → mapSeqUnroll (+) (zip x xs))
                                  (zip (transpose ys4) (transpose ys5))))
                            (zip (split 1 ∘ transpose $ ys2) (split 1 ∘ transpose $ ys3)))))
                    (zip
                      (split 2 ∘ transpose $ ys)
                      (split 2 ∘
                        transpose ∘
                        toLocalPadded 1 ∘
                        join ∘
                        mapLocal 1 (transpose ∘ mapLocal 0 (mapSeqUnroll id) ∘ transpose) ∘
                        split 2 ∘
                        transpose ∘
                        transpose $ ys1))))))
          (antidiagonals
            (map
              (λ(ys, ys1) → zip (split 4 ∘ transpose $ ys) (split 4 ∘ transpose $ ys1))
              (zip (split 4 A) (split 4 ∘ transpose $ A))))))))
> data N = 12
> code | tail -18
#pragma OPENCL FP_CONTRACT OFF

__attribute__((reqd_work_group_size(4, 2, 1)))
kernel void addt_k0(const global float *restrict A, global float *restrict out)
{
    local float tileA[20] __attribute__((aligned(64)));
    int wg1 = get_group_id(1);
    int wg0 = get_group_id(0);
    int l1 = get_local_id(1);
    int l0 = get_local_id(0);
    tileA[l0 + 10*l1] = A[24*(l1 + 2*wg0) + l0 + 8 - 4*((wg0 + wg1)%3)];
    tileA[5*(2*l1 + 1) + l0] = A[12*(2*(l1 + 2*wg0) + 1) + l0 + 8 - 4*((wg0 + wg1)%3)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[12*(2*l1 + 8 - 4*((wg0 + wg1)%3)) + l0 + 4*wg0] = A[12*(2*l1 + 8 - 4*((wg0 + wg1)%3)) + l0
            + 4*wg0] + tileA[5*l0 + 2*l1];
    out[12*(2*(l1 - 2*((wg0 + wg1)%3)) + 9) + l0 + 4*wg0] = A[12*(2*(l1 - 2*((wg0 + wg1)%3)) + 9)
            + l0 + 4*wg0] + tileA[5*l0 + 2*l1 + 1];
}
> run -n 1
@1  oclgrind Oclgrind Simulator   N=12   WG 4x2 x 3x3
  build   - ms        local 80 B/WG   private 0 B
  verify  OK   3 inputs x 1 repeat; input 1 exact
          error 4.5e-08, 0.74 x the source's own; sees changes of 6e-08
          every element
> undo
@0  source
    map (λ(r, c) → map (+) (zip r c)) (zip A (transpose A))
> apply tilesInItems{u=4, v=2, mirrored=true}
E23 tilesInItems{mirrored=true, u=4, v=2} failed: mapAntidiagonals does not apply at /in/in/in
  place   /in/in/in
  after   7 steps, then mapInterchangeZips at /in/f/body/in/in/f/body ; mapTransposeOut at /in ; mapJoinOut at /in/in ; mapMapOut at /in/in/in
  rule    map (map f) x  =>  antidiagonals (map (map f) (antidiagonals x))
  needs   a right side that fits
  found   antidiagonals: "in" must be [n][n]a, found [N/4][N/2]([2][4]f32, [2][4]f32)
> # lower takes it where a large matrix is read both ways, whatever is done with its elements and what else is read
> data N = 4096
> lower
@2  lower                               builtin    from @0
  - map (λ(r, c) → map (+) (zip r c)) (zip A (transpose A))
  + join (map transpose (map join (antidiagonals (mapWorkgroup 1 (mapWorkgroup 0 (λ(ys, ys1) → tr...
  type   [N][N]f32                    unchanged
  inner  28 steps        log --expand
  focus  /  ->  /                     9 moves here
> let antisymmetric (A: [N][N]f32) = map (map (\x -> x / 2)) (map (\(r, c) -> map (-) (zip r c)) (zip A (transpose A)))
antisymmetric : [N][N]f32 -> [N][N]f32
> data N = 4096
> lower
@1  lower                               builtin    from @0
  - map (map (λx → x / 2)) (map (λ(r, c) → map (-) (zip r c)) (zip A (transpose A)))
  + join (map transpose (map join (antidiagonals (mapWorkgroup 1 (mapWorkgroup 0 (λ(ys, ys1) → tr...
  type   [N][N]f32                    unchanged
  inner  30 steps        log --expand
  focus  /  ->  /                     9 moves here
> let beside (w: [N]f32) (A: [N][N]f32) (B: [N][N]f32) = map (\(a, b, c, s) -> map (\(x, y, z) -> s * x * y + z) (zip a b c)) (zip A (transpose A) (transpose B) w)
beside : [N]f32 -> [N][N]f32 -> [N][N]f32 -> [N][N]f32
> data N = 4096
> lower
@1  lower                               builtin    from @0
  - map (λ(a, b, c, s) → map (λ(..) → s * x * y + z) (zip a b c)) (zip A (transpose A) (transpose...
  + join (map transpose (map join (antidiagonals (mapWorkgroup 1 (mapWorkgroup 0 (λ(ys, ys1, ys2,...
  type   [N][N]f32                    unchanged
  inner  34 steps        log --expand
  focus  /  ->  /                     9 moves here
> undo
@0  source
    map (λ(a, b, c, s) → map (λ(x, y, z) → s * x * y + z) (zip a b c)) (zip A (transpose A) (tran...
> data N = 64
> lower
@2  lower                               builtin    from @0
  - map (λ(a, b, c, s) → map (λ(..) → s * x * y + z) (zip a b c)) (zip A (transpose A) (transpose...
  + join (mapWorkgroup 1 (λ(ys, ys1, ys2, ys3) → transpose (join (mapWorkgroup 0 (λ(ys4, ys5, ys6...
  type   [N][N]f32                    unchanged
  inner  26 steps        log --expand
  focus  /  ->  /                     9 moves here
> run -n 1
@2  oclgrind Oclgrind Simulator   N=64   WG 64x8 x 1x1
  build   - ms        local 32.5 KiB/WG   private 0 B
  verify  OK   3 inputs x 1 repeat; input 1 exact
          error 5.8e-08, 0.48 x the source's own; sees changes of 6e-08
          every element
> # pairs of pairs, a scalar for each row: the tile that is read by columns lies in local memory, rows of it in different banks
> let pairs (A: [N][N]f32) (d: [N]f32) = map (\(r, (c, s)) -> map (\(x, y) -> s * (x + y)) (zip r c)) (zip A (zip (transpose A) d))
pairs : [N][N]f32 -> [N]f32 -> [N][N]f32
> data N = 4096
> lower
@1  lower                               builtin    from @0
  - map (λ(r, (c, s)) → map (λ(x, y) → s * (x + y)) (zip r c)) (zip A (zip (transpose A) d))
  + join (map transpose (map join (antidiagonals (mapWorkgroup 1 (mapWorkgroup 0 (λ(ys, ys1, ys2)...
  type   [N][N]f32                    unchanged
  inner  33 steps        log --expand
  focus  /  ->  /                     9 moves here
> log @1 --expand | grep "tilesInItems\|mapZipBroadcast\|copyLocalBlocks\|padLocal"
      .5  mapZipBroadcast  at /
      tilesInItems{m=8, mirrored=true, u=64, v=64}  at /
         .20  copyLocalBlocks(8)  at /in/in/in/in/f/body/f/body/in/in/1
         .21  padLocal(1)  at /in/in/in/in/f/body/f/body/in/in/1/in
> data N = 128
> run -n 1
@1  oclgrind Oclgrind Simulator   N=128   WG 64x8 x 2x2
  build   - ms        local 16.2 KiB/WG   private 0 B
  verify  OK   3 inputs x 1 repeat; input 1 exact
          error 5.3e-08, 0.46 x the source's own; sees changes of 6e-08
          every element
> let batch (A: [B][N][M]f32) = map (\a -> map (\r -> map (\x -> 2.0 * x) r) (transpose a)) A
batch : [B][N][M]f32 -> [B][M][N]f32
> data B = 3 N = 1536 M = 1200
> lower --explain | head -4
#1 /         map (map (map (\x -> 2 * x)) . transpose) A
  transposition 14.5 us   0.56 of the bound
             mapWorkgroup(2)
             tilesInItems{m=8, u=48, v=64}
> lower
@1  lower                               builtin    from @0
  - map (map (map (λx → 2 * x)) ∘ transpose) A
  + mapWorkgroup 2 (join ∘ mapWorkgroup 1 (transpose ∘ join ∘ mapWorkgroup 0 (transpose ∘ join ∘ ...
  type   [B][M][N]f32                 unchanged
  inner  17 steps        log --expand
  focus  /  ->  /                     10 moves here
> data N = 128 M = 96
> run -n 1
@1  oclgrind Oclgrind Simulator   B=3  N=128  M=96   WG 64x8x1 x 2x2x3
  build   - ms        local 12.2 KiB/WG   private 0 B
  verify  OK   3 inputs x 1 repeat; input 1 exact
          exact; sees changes of 6e-08
          every element
> # another matrix: as it was
> let other (A: [N][N]f32) (B: [N][N]f32) = map (\(r, c) -> map (*) (zip r c)) (zip A (transpose B))
other : [N][N]f32 -> [N][N]f32 -> [N][N]f32
> data N = 4096
> lower
@1  lower                               builtin    from @0
  - map (λ(r, c) → map (*) (zip r c)) (zip A (transpose B))
  + join (mapWorkgroup 1 (λ(ys, ys1) → transpose (join (mapWorkgroup 0 (λ(ys2, ys3) → transpose (...
  type   [N][N]f32                    unchanged
  inner  24 steps        log --expand
  focus  /  ->  /                     9 moves here
> # a cell stays with one work-item where all go to it by antidiagonals, and not where some do
> let sum (x: [M][N][N]f32) = reduceSeq (\(acc, c) -> antidiagonals (mapGlobal 1 (mapGlobal 0 (\(a, b) -> a + b)) (map (\(r, s) -> zip r s) (zip (antidiagonals acc) (antidiagonals c))))) (toGlobal (antidiagonals (mapGlobal 1 (mapGlobal 0 id) (generate N (\i -> generate N (\j -> 0.0)))))) x
sum : [M][N][N]f32 -> [N][N]f32
> data N = 6 M = 3
> code | tail -9
kernel void sum_k0(const global float *restrict x, global float *restrict out)
{
    int gid1 = get_global_id(1);
    int gid0 = get_global_id(0);
    out[6*(5 - (gid0 + gid1)%6) + gid0] = 0.0f;
    for (int i = 0; i < 3; i++) {
        out[6*(5 - (gid0 + gid1)%6) + gid0] += x[6*(6*i + 5 - (gid0 + gid1)%6) + gid0];
    }
}
> run -n 1
@0  oclgrind Oclgrind Simulator   M=3  N=6   WG 6x1 x 1x6
  build   - ms        local 0 B/WG   private 0 B
  verify  OK   3 inputs x 1 repeat; input 1 exact
          error 1.2e-07, 0.56 x the source's own; sees changes of 6e-08
          every element
> let sum (x: [M][N][N]f32) = reduceSeq (\(acc, c) -> antidiagonals (mapGlobal 1 (mapGlobal 0 (\(a, b) -> a + b)) (map (\(r, s) -> zip r s) (zip acc (antidiagonals c))))) (toGlobal (antidiagonals (mapGlobal 1 (mapGlobal 0 id) (generate N (\i -> generate N (\j -> 0.0)))))) x
sum : [M][N][N]f32 -> [N][N]f32
> data N = 6 M = 3
> code
E53 out is written by one work-group and used by another in the same kernel; make the value a parallel nest of its own (toGlobal at the top) so that it gets its own kernel
  at      /
