> # rows that are scanned one element after the other, on a GPU: tiles of them in local memory
> set target h200
> set repeats 1
> let smooth (A: [N][M]f32) = map (scanSeq (\h x -> 0.9 * h + max x 0.1 * x) 0) A
smooth : [N][M]f32 -> [N][M]f32
> data N = 65536, M = 256
> lower --explain | grep "rows\|plain\|in all"
  rows in tiles 37.9 us   0.85 of the bound: a work-item for a row that is scanned, a tile of some rows at a time in local memory
  or         127 us    rows        lower lowerNests("rows")
in all       37.9 us on a GPU   0.85 of the bound: 32.4 us, memory
> data N = 37, M = 70
> apply lowerNests("rows in tiles")
@1  lowerNests("rows in tiles")  at /   builtin    from @0
  - map (scanSeq (λ(h, x) → 0.9 * h + max x 0.1 * x) 0) A
  + take N (join (mapWorkgroup 0 (λxs → map (take M) (map join (transpose (mapSeq (λt → mapSeqUnr...
  type   [N][M]f32                    unchanged
  inner  28 steps        log --expand
  focus  /  ->  /                     10 moves here
> code
/* smooth@1  2e603feefcf5af5b
 *   @1 lowerNests("rows in tiles") at /
 * N=37  M=70
 */

#pragma OPENCL FP_CONTRACT OFF

__attribute__((reqd_work_group_size(32, 1, 1)))
kernel void smooth_k0(const global float *restrict A,
                      global float *restrict out)
{
    local float tile[1056] __attribute__((aligned(64)));
    local float tile2[1056] __attribute__((aligned(64)));
    int wg0 = get_group_id(0);
    int l0 = get_local_id(0);
    #pragma unroll
    for (int i = 0; i < 32; i++) {
        tile[i + 33*l0] = 0.0f;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 3; i++) {
        tile2[l0] = A[2240*wg0 + min(69, 32*i + l0)];
        tile2[l0 + 33] = A[70*(32*wg0 + 1) + min(69, 32*i + l0)];
        tile2[l0 + 66] = A[70*(32*wg0 + 2) + min(69, 32*i + l0)];
        tile2[l0 + 99] = A[70*(32*wg0 + 3) + min(69, 32*i + l0)];
        tile2[l0 + 132] = A[70*(32*wg0 + 4) + min(69, 32*i + l0)];
        tile2[l0 + 165] = A[70*min(36, 32*wg0 + 5) + min(69, 32*i + l0)];
        tile2[l0 + 198] = A[70*min(36, 32*wg0 + 6) + min(69, 32*i + l0)];
        tile2[l0 + 231] = A[70*min(36, 32*wg0 + 7) + min(69, 32*i + l0)];
        tile2[l0 + 264] = A[70*min(36, 32*wg0 + 8) + min(69, 32*i + l0)];
        tile2[l0 + 297] = A[70*min(36, 32*wg0 + 9) + min(69, 32*i + l0)];
        tile2[l0 + 330] = A[70*min(36, 32*wg0 + 10) + min(69, 32*i + l0)];
        tile2[l0 + 363] = A[70*min(36, 32*wg0 + 11) + min(69, 32*i + l0)];
        tile2[l0 + 396] = A[70*min(36, 32*wg0 + 12) + min(69, 32*i + l0)];
        tile2[l0 + 429] = A[70*min(36, 32*wg0 + 13) + min(69, 32*i + l0)];
        tile2[l0 + 462] = A[70*min(36, 32*wg0 + 14) + min(69, 32*i + l0)];
        tile2[l0 + 495] = A[70*min(36, 32*wg0 + 15) + min(69, 32*i + l0)];
        tile2[l0 + 528] = A[70*min(36, 32*wg0 + 16) + min(69, 32*i + l0)];
        tile2[l0 + 561] = A[70*min(36, 32*wg0 + 17) + min(69, 32*i + l0)];
        tile2[l0 + 594] = A[70*min(36, 32*wg0 + 18) + min(69, 32*i + l0)];
        tile2[l0 + 627] = A[70*min(36, 32*wg0 + 19) + min(69, 32*i + l0)];
        tile2[l0 + 660] = A[70*min(36, 32*wg0 + 20) + min(69, 32*i + l0)];
        tile2[l0 + 693] = A[70*min(36, 32*wg0 + 21) + min(69, 32*i + l0)];
        tile2[l0 + 726] = A[70*min(36, 32*wg0 + 22) + min(69, 32*i + l0)];
        tile2[l0 + 759] = A[70*min(36, 32*wg0 + 23) + min(69, 32*i + l0)];
        tile2[l0 + 792] = A[70*min(36, 32*wg0 + 24) + min(69, 32*i + l0)];
        tile2[l0 + 825] = A[70*min(36, 32*wg0 + 25) + min(69, 32*i + l0)];
        tile2[l0 + 858] = A[70*min(36, 32*wg0 + 26) + min(69, 32*i + l0)];
        tile2[l0 + 891] = A[70*min(36, 32*wg0 + 27) + min(69, 32*i + l0)];
        tile2[l0 + 924] = A[70*min(36, 32*wg0 + 28) + min(69, 32*i + l0)];
        tile2[l0 + 957] = A[70*min(36, 32*wg0 + 29) + min(69, 32*i + l0)];
        tile2[l0 + 990] = A[70*min(36, 32*wg0 + 30) + min(69, 32*i + l0)];
        tile2[l0 + 1023] = A[70*min(36, 32*wg0 + 31) + min(69, 32*i + l0)];
        float h = tile[33*l0 + 31];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < 32; j++) {
            float x = tile2[j + 33*l0];
            h = fma(fmax(x, 0.1f), x, 0.9f * h);
            tile[j + 33*l0] = h;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (32*i + l0 < 70) {
            out[32*(i + 70*wg0) + l0] = tile[l0];
        }
        if (32*i + l0 < 70) {
            out[32*(i + 70*wg0) + l0 + 70] = tile[l0 + 33];
        }
        if (32*i + l0 < 70) {
            out[32*(i + 70*wg0) + l0 + 140] = tile[l0 + 66];
        }
        if (32*i + l0 < 70) {
            out[32*(i + 70*wg0) + l0 + 210] = tile[l0 + 99];
        }
        if (32*i + l0 < 70) {
            out[32*(i + 70*wg0) + l0 + 280] = tile[l0 + 132];
        }
        if (32*i + l0 < 70 && 32*wg0 + 5 < 37) {
            out[32*(i + 70*wg0) + l0 + 350] = tile[l0 + 165];
        }
        if (32*i + l0 < 70 && 32*wg0 + 6 < 37) {
            out[32*(i + 70*wg0) + l0 + 420] = tile[l0 + 198];
        }
        if (32*i + l0 < 70 && 32*wg0 + 7 < 37) {
            out[32*(i + 70*wg0) + l0 + 490] = tile[l0 + 231];
        }
        if (32*i + l0 < 70 && 32*wg0 + 8 < 37) {
            out[32*(i + 70*wg0) + l0 + 560] = tile[l0 + 264];
        }
        if (32*i + l0 < 70 && 32*wg0 + 9 < 37) {
            out[32*(i + 70*wg0) + l0 + 630] = tile[l0 + 297];
        }
        if (32*i + l0 < 70 && 32*wg0 + 10 < 37) {
            out[32*(i + 70*wg0) + l0 + 700] = tile[l0 + 330];
        }
        if (32*i + l0 < 70 && 32*wg0 + 11 < 37) {
            out[32*(i + 70*wg0) + l0 + 770] = tile[l0 + 363];
        }
        if (32*i + l0 < 70 && 32*wg0 + 12 < 37) {
            out[32*(i + 70*wg0) + l0 + 840] = tile[l0 + 396];
        }
        if (32*i + l0 < 70 && 32*wg0 + 13 < 37) {
            out[32*(i + 70*wg0) + l0 + 910] = tile[l0 + 429];
        }
        if (32*i + l0 < 70 && 32*wg0 + 14 < 37) {
            out[32*(i + 70*wg0) + l0 + 980] = tile[l0 + 462];
        }
        if (32*i + l0 < 70 && 32*wg0 + 15 < 37) {
            out[32*(i + 70*wg0) + l0 + 1050] = tile[l0 + 495];
        }
        if (32*i + l0 < 70 && 32*wg0 + 16 < 37) {
            out[32*i + l0 + 2240*wg0 + 1120] = tile[l0 + 528];
        }
        if (32*i + l0 < 70 && 32*wg0 + 17 < 37) {
            out[32*(i + 70*wg0) + l0 + 1190] = tile[l0 + 561];
        }
        if (32*i + l0 < 70 && 32*wg0 + 18 < 37) {
            out[32*(i + 70*wg0) + l0 + 1260] = tile[l0 + 594];
        }
        if (32*i + l0 < 70 && 32*wg0 + 19 < 37) {
            out[32*(i + 70*wg0) + l0 + 1330] = tile[l0 + 627];
        }
        if (32*i + l0 < 70 && 32*wg0 + 20 < 37) {
            out[32*(i + 70*wg0) + l0 + 1400] = tile[l0 + 660];
        }
        if (32*i + l0 < 70 && 32*wg0 + 21 < 37) {
            out[32*(i + 70*wg0) + l0 + 1470] = tile[l0 + 693];
        }
        if (32*i + l0 < 70 && 32*wg0 + 22 < 37) {
            out[32*(i + 70*wg0) + l0 + 1540] = tile[l0 + 726];
        }
        if (32*i + l0 < 70 && 32*wg0 + 23 < 37) {
            out[32*(i + 70*wg0) + l0 + 1610] = tile[l0 + 759];
        }
        if (32*i + l0 < 70 && 32*wg0 + 24 < 37) {
            out[32*(i + 70*wg0) + l0 + 1680] = tile[l0 + 792];
        }
        if (32*i + l0 < 70 && 32*wg0 + 25 < 37) {
            out[32*(i + 70*wg0) + l0 + 1750] = tile[l0 + 825];
        }
        if (32*i + l0 < 70 && 32*wg0 + 26 < 37) {
            out[32*(i + 70*wg0) + l0 + 1820] = tile[l0 + 858];
        }
        if (32*i + l0 < 70 && 32*wg0 + 27 < 37) {
            out[32*(i + 70*wg0) + l0 + 1890] = tile[l0 + 891];
        }
        if (32*i + l0 < 70 && 32*wg0 + 28 < 37) {
            out[32*(i + 70*wg0) + l0 + 1960] = tile[l0 + 924];
        }
        if (32*i + l0 < 70 && 32*wg0 + 29 < 37) {
            out[32*(i + 70*wg0) + l0 + 2030] = tile[l0 + 957];
        }
        if (32*i + l0 < 70 && 32*wg0 + 30 < 37) {
            out[32*(i + 70*wg0) + l0 + 2100] = tile[l0 + 990];
        }
        if (32*i + l0 < 70 && 32*wg0 + 31 < 37) {
            out[32*(i + 70*wg0) + l0 + 2170] = tile[l0 + 1023];
        }
    }
}
> run -n 1 | grep verify
  verify  OK   3 inputs x 1 repeat
> # of even rows nothing is left over
> goto @0
@0  source
    map (scanSeq (λ(h, x) → 0.9 * h + max x 0.1 * x) 0) A
> data N = 64, M = 96
> apply lowerNests("rows in tiles") | head -1
@2  lowerNests("rows in tiles")  at /   builtin    from @0
> run -n 1 | grep verify
  verify  OK   3 inputs x 1 repeat
> # a state of two numbers, of which one is wanted; where it starts and what it does differ by row
> let filter2 (A: [N][M]f32) (c: [N]f32) = map (\(r, c) -> map (\(y, z) -> y / (2 + z * z)) (scanSeq (\(y, z) x -> (x - 0.25 * c * y - 0.125 * z, y)) (r[0], c) r)) (zip A c)
filter2 : [N][M]f32 -> [N]f32 -> [N][M]f32
> data N = 97, M = 65
> apply lowerNests("rows in tiles") | head -1
@1  lowerNests("rows in tiles")  at /   builtin    from @0
> run -n 1 | grep verify
  verify  OK   3 inputs x 1 repeat
> # rows of matrices, and a scan that is no scanSeq
> let hash (A: [B][N][M]i32) = map (map (scan (\a b -> (a * 31 + b) % 1000) 7)) A
hash : [B][N][M]i32 -> [B][N][M]i32
> data B = 3, N = 5, M = 50
> apply lowerNests("rows in tiles") | head -1
@1  lowerNests("rows in tiles")  at /   builtin    from @0
> run -n 1 | grep verify
  verify  OK   3 inputs x 1 repeat; input 1 exact
> # few work-items, in groups that reach all units
> let few (A: [N][M]f32) = map (\r -> reduceSeq (\h x -> 0.5 * h + sin x) 0 r) A
few : [N][M]f32 -> [N]f32
> data N = 4096, M = 100
> apply lowerPlain | head -1
@1  lowerPlain  at /                    builtin    from @0
> plan | head -1
few_k0   4096 work-items, groups of 32
