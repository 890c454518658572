> # rows whose elements ask for sums over them, in one kernel: a group for a row, of any length, or a work-item for a column
> set repeats 1
> set seeds 1
> set target h200
> let magnitudes (x: [N][M]f32) = map (\row -> let m = reduce (+) 0 (map abs row) / f32 M in map (\v -> v / m) row) x
magnitudes : [N][M]f32 -> [N][M]f32
> data N = 8192; data M = 16383
> lower --explain | head -4
#1 /         map (\row -> let m = .. / .. in map (\v -> ..) row) x
  rows       342 us   0.76 of the bound
             rowsInGroups{each=63, items=256, rounds=1}
  takes      memory 297 us, chain 187 us, arithmetic 178 us, accesses 171 us
> data N = 3; data M = 1033
> goto @0
@0  source
    map (λrow → let m = (reduce (+) 0 ∘ map abs $ row) / f32 M in map (λv → v / m) row) x
> lower lowerNests("rows of sums items=256")
@1  lowerNests("rows of sums items=256")  builtin    from @0
  - map (λrow → let m = (reduce (+) 0 ∘ map abs $ row) / f32 M in map (λv → v / m) row) x
  + mapWorkgroup 0 (λi → let v = reduceSeq (+) 0 (toLocal (mapLocal 0 (reduceSeq (+) 0) (split 16...
  type   [N][M]f32                    unchanged
  inner  22 steps        log --expand
  focus  /  ->  /                     10 moves here
> code
/* magnitudes@1  18c8d1f3ae4049aa
 *   @1 lowerNests("rows of sums items=256")
 * N=3  M=1033
 */

#pragma OPENCL FP_CONTRACT OFF

__attribute__((reqd_work_group_size(256, 1, 1)))
kernel void magnitudes_k0(const global float *restrict x,
                          global float *restrict out)
{
    local float tile[16] __attribute__((aligned(64)));
    local float tile2[256] __attribute__((aligned(64)));
    int wg0 = get_group_id(0);
    int l0 = get_local_id(0);
    float acc = 0.0f;
    float acc2 = 0.0f;
    acc2 += fabs(x[l0 + 1033*wg0]);
    acc2 += fabs(x[l0 + 1033*wg0 + 256]);
    acc2 += fabs(x[l0 + 1033*wg0 + 512]);
    acc2 += fabs(x[l0 + 1033*wg0 + 768]);
    acc2 += l0 + 1024 < 1033 ? fabs(x[l0 + 1033*wg0 + 1024]) : 0.0f;
    tile2[l0] = acc2;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l0 < 16) {
        float acc3 = 0.0f;
        #pragma unroll
        for (int i = 0; i < 16; i++) {
            acc3 += tile2[i + 16*l0];
        }
        tile[l0] = acc3;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    #pragma unroll
    for (int i = 0; i < 16; i++) {
        acc += tile[i];
    }
    for (int i = 0; i < 5; i++) {
        if (256*i + l0 < 1033) {
            out[256*i + l0 + 1033*wg0] = x[256*i + l0 + 1033*wg0] / (acc / 1033.0f);
        }
    }
}
> device 1
oclgrind    Oclgrind Simulator
  kernels are made for h200: set target
> run
@1  oclgrind Oclgrind Simulator   N=3  M=1033   WG 256 x 3
  build   - ms        local 1.1 KiB/WG   private 0 B
  verify  OK   1 input x 1 repeat
          error 5.2e-08, 0.16 x the source's own; sees changes of 6e-08
          every element
> goto @0
@0  source
    map (λrow → let m = (reduce (+) 0 ∘ map abs $ row) / f32 M in map (λv → v / m) row) x
> lower lowerNests("rows of sums items=256 kept=true")
@2  lowerNests("rows of sums items=256 kept=true")  builtin    from @0
  - map (λrow → let m = (reduce (+) 0 ∘ map abs $ row) / f32 M in map (λv → v / m) row) x
  + mapWorkgroup 0 (λi → let v = reduceSeq (+) 0 (toLocal (mapLocal 0 (reduceSeq (+) 0) (split 16...
  type   [N][M]f32                    unchanged
  inner  22 steps        log --expand
  same   term as @1        goto @1
  focus  /  ->  /                     10 moves here
> run
@2  oclgrind Oclgrind Simulator   N=3  M=1033   WG 256 x 3
  build   - ms        local 1.1 KiB/WG   private 0 B
  verify  OK   1 input x 1 repeat
          error 5.2e-08, 0.16 x the source's own; sees changes of 6e-08
          every element
> # rows of two dimensions, two sums, the second of which takes the first
> let norms (x: [N][C][H][W]f32) = map (map (\p -> let m = mean (join p) in let v = mean (map (\a -> (a - m) * (a - m)) (join p)) in map (map (\a -> (a - m) / sqrt (v + 1e-5))) p)) x
norms : [N][C][H][W]f32 -> [N][C][H][W]f32
> data N = 2; data C = 3; data H = 19; data W = 23
> lower lowerNests("rows of sums")
@1  lowerNests("rows of sums")          builtin    from @0
  - map (map (λp → let m = (reduce (+) 0 ∘ join $ p) / (..) in let v = (reduce (+) 0 ∘ map (λa → ...
  + mapWorkgroup 1 (λi → mapWorkgroup 0 (λj → let v = reduceSeqUnroll (+) 0 (toLocal (mapLocal 0 ...
  type   [N][C][H][W]f32              unchanged
  inner  42 steps        log --expand
  focus  /  ->  /                     11 moves here
> run
@1  oclgrind Oclgrind Simulator   N=2  C=3  H=19  W=23   WG 128x1 x 3x2
  build   - ms        local 544 B/WG   private 0 B
  verify  OK   1 input x 1 repeat
          error 3e-07, 0.15 x the source's own; sees changes of 6e-08
          every element
> # over channels: the elements of a column lie apart, neighbours' beside each other
> let channels (x: [N][C][H][W]f32) = map (\image -> transpose (map transpose (map (map softmax) (map transpose (transpose image))))) x
channels : [N][C][H][W]f32 -> [N][C][H][W]f32
> data N = 32; data C = 48; data H = 256; data W = 256
> lower --explain | head -4
#1           generate N (\i -> transpose (generate H (\k -> ..)))
  columns of sums 216 us   0.90 of the bound: a work-item for a row, neighbours beside it: the sums that have names, then the elements that read them, written out
  takes      memory 194 us, arithmetic 143 us, accesses 63.4 us, start 3.3 us
  bound      194 us   memory
> goto @0
@0  source
    map (transpose ∘ map transpose ∘ map (map (λxs → let m = reduce max (-inf) xs in let e = map ...
> data N = 2; data C = 5; data H = 7; data W = 9
> lower lowerNests("columns of sums")
@1  lowerNests("columns of sums")       builtin    from @0
  - map (transpose ∘ map transpose ∘ map (map (λxs → let m = reduce max (..) xs in let e = map (λ...
  + mapGlobal 2 (λi → transpose (mapGlobal 1 (λk → transpose (mapGlobal 0 (λl → let v = reduceSeq...
  type   [N][C][H][W]f32              unchanged
  inner  29 steps        log --expand
  focus  /  ->  /                     11 moves here
> code
/* channels@1  389cbeecd9823157
 *   @1 lowerNests("columns of sums")
 * N=2  C=5  H=7  W=9
 */

#pragma OPENCL FP_CONTRACT OFF

__attribute__((reqd_work_group_size(9, 3, 1)))
kernel void channels_k0(const global float *restrict x,
                        global float *restrict out)
{
    int gid2 = get_global_id(2);
    int gid1 = get_global_id(1);
    int gid0 = get_global_id(0);
    if (gid1 < 7) {
        float acc = -INFINITY;
        acc = fmax(acc, x[9*(gid1 + 35*gid2) + gid0]);
        acc = fmax(acc, x[63*(5*gid2 + 1) + gid0 + 9*gid1]);
        acc = fmax(acc, x[63*(5*gid2 + 2) + gid0 + 9*gid1]);
        acc = fmax(acc, x[63*(5*gid2 + 3) + gid0 + 9*gid1]);
        acc = fmax(acc, x[63*(5*gid2 + 4) + gid0 + 9*gid1]);
        float acc2 = 0.0f;
        acc2 += exp(x[9*(gid1 + 35*gid2) + gid0] - acc);
        acc2 += exp(x[63*(5*gid2 + 1) + gid0 + 9*gid1] - acc);
        acc2 += exp(x[63*(5*gid2 + 2) + gid0 + 9*gid1] - acc);
        acc2 += exp(x[63*(5*gid2 + 3) + gid0 + 9*gid1] - acc);
        acc2 += exp(x[63*(5*gid2 + 4) + gid0 + 9*gid1] - acc);
        out[9*(gid1 + 35*gid2) + gid0] = exp(x[9*(gid1 + 35*gid2) + gid0] - acc) / acc2;
        out[63*(5*gid2 + 1) + gid0 + 9*gid1] = exp(x[63*(5*gid2 + 1) + gid0 + 9*gid1] - acc) / acc2;
        out[63*(5*gid2 + 2) + gid0 + 9*gid1] = exp(x[63*(5*gid2 + 2) + gid0 + 9*gid1] - acc) / acc2;
        out[63*(5*gid2 + 3) + gid0 + 9*gid1] = exp(x[63*(5*gid2 + 3) + gid0 + 9*gid1] - acc) / acc2;
        out[63*(5*gid2 + 4) + gid0 + 9*gid1] = exp(x[63*(5*gid2 + 4) + gid0 + 9*gid1] - acc) / acc2;
    }
}
> run
@1  oclgrind Oclgrind Simulator   N=2  C=5  H=7  W=9   WG 9x1x1 x 1x7x2
  build   - ms        local 0 B/WG   private 0 B
  verify  OK   1 input x 1 repeat
          error 8.8e-08, 0.27 x the source's own; sees changes of 6e-08
          every element
          sees a part of 1/3 that a min, max or if leaves out
> goto @0
@0  source
    map (transpose ∘ map transpose ∘ map (map (λxs → let m = reduce max (-inf) xs in let e = map ...
> data C = 1; data H = 1
> lower lowerNests("columns of sums")
@2  lowerNests("columns of sums")       builtin    from @0
  - map (transpose ∘ map transpose ∘ map (map (λxs → let m = reduce max (..) xs in let e = map (λ...
  + mapGlobal 2 (λi → transpose (mapGlobal 1 (λk → transpose (mapGlobal 0 (λl → let v = reduceSeq...
  type   [N][C][H][W]f32              unchanged
  inner  29 steps        log --expand
  focus  /  ->  /                     11 moves here
> run
@2  oclgrind Oclgrind Simulator   N=2  C=1  H=1  W=9   WG 9x1x1 x 1x1x2
  build   - ms        local 0 B/WG   private 0 B
  verify  OK   1 input x 1 repeat
          exact; sees changes of 6e-08
          every element
