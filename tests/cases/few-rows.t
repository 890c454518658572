> # few rows times many: a group's work-items each have their part of the sums of some rows and columns, which go through local memory
> set repeats 1
> set seeds 1
> let linear (x: [N][K]f32) (w: [M][K]f32) (b: [M]f32) = generate N (\i -> generate M (\j -> reduce (+) 0 (map (*) (zip x[i] w[j])) + b[j]))
linear : [N][K]f32 -> [M][K]f32 -> [M]f32 -> [N][M]f32
> set target h200
> data N = 4; data M = 8192; data K = 8192
> lower --explain | head -5
#1           generate N (\i -> generate M (\j -> .. + ..))
  sliced product 85.1 us   0.76 of the bound: blocks of a product of few rows, or columns, by groups: each work-item has every so many-th number of all sums of a block (sliced k)
             items=64, n=32
  takes      memory 75.5 us, accesses 53.1 us, chain 21.4 us, arithmetic 20.9 us
  bound      64.8 us   memory
> lower lowerNests("sliced product n=16 items=64")
@1  lowerNests("sliced product n=16 items=64")  builtin    from @0
  - generate N (λi → generate M (λj → reduce (+) 0 (map (*) (zip x[i] w[j])) + b[j]))
  + transpose (split N (join (mapWorkgroup 0 (λis → mapLocal 0 (λ(y, cs) → reduceSeq (+) 0 y + b[...
  type   [N][M]f32                    unchanged
  inner  26 steps        log --expand
  focus  /  ->  /                     11 moves here
> code
/* linear@1  5fbb7bfb52358a5f
 *   @1 lowerNests("sliced product n=16 items=64")
 * N=4  K=8192  M=8192
 */

#pragma OPENCL FP_CONTRACT OFF

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void linear_k0(const global float *restrict x,
                      const global float *restrict w,
                      const global float *restrict b,
                      global float *restrict out)
{
    local float tile[1024] __attribute__((aligned(64)));
    int wg0 = get_group_id(0);
    int l0 = get_local_id(0);
    float ss_0 = 0.0f, ss_1 = 0.0f, ss_2 = 0.0f, ss_3 = 0.0f, ss_4 = 0.0f, ss_5 = 0.0f, ss_6 = 0.0f,
        ss_7 = 0.0f, ss_8 = 0.0f, ss_9 = 0.0f, ss_10 = 0.0f, ss_11 = 0.0f, ss_12 = 0.0f, ss_13 = 0.0f,
        ss_14 = 0.0f, ss_15 = 0.0f;
    for (int i = 0; i < 128; i++) {
        ss_0 = fma(x[64*i + l0], w[64*(i + 512*wg0) + l0], ss_0);
        ss_1 = fma(x[64*i + l0 + 8192], w[64*(i + 512*wg0) + l0], ss_1);
        ss_2 = fma(x[64*i + l0 + 16384], w[64*(i + 512*wg0) + l0], ss_2);
        ss_3 = fma(x[64*i + l0 + 24576], w[64*(i + 512*wg0) + l0], ss_3);
        ss_4 = fma(x[64*i + l0], w[8192*(4*wg0 + 1) + 64*i + l0], ss_4);
        ss_5 = fma(x[64*i + l0 + 8192], w[8192*(4*wg0 + 1) + 64*i + l0], ss_5);
        ss_6 = fma(x[64*i + l0 + 16384], w[8192*(4*wg0 + 1) + 64*i + l0], ss_6);
        ss_7 = fma(x[64*i + l0 + 24576], w[8192*(4*wg0 + 1) + 64*i + l0], ss_7);
        ss_8 = fma(x[64*i + l0], w[8192*(4*wg0 + 2) + 64*i + l0], ss_8);
        ss_9 = fma(x[64*i + l0 + 8192], w[8192*(4*wg0 + 2) + 64*i + l0], ss_9);
        ss_10 = fma(x[64*i + l0 + 16384], w[8192*(4*wg0 + 2) + 64*i + l0], ss_10);
        ss_11 = fma(x[64*i + l0 + 24576], w[8192*(4*wg0 + 2) + 64*i + l0], ss_11);
        ss_12 = fma(x[64*i + l0], w[8192*(4*wg0 + 3) + 64*i + l0], ss_12);
        ss_13 = fma(x[64*i + l0 + 8192], w[8192*(4*wg0 + 3) + 64*i + l0], ss_13);
        ss_14 = fma(x[64*i + l0 + 16384], w[8192*(4*wg0 + 3) + 64*i + l0], ss_14);
        ss_15 = fma(x[64*i + l0 + 24576], w[8192*(4*wg0 + 3) + 64*i + l0], ss_15);
    }
    tile[16*l0] = ss_0;
    tile[16*l0 + 1] = ss_1;
    tile[16*l0 + 2] = ss_2;
    tile[16*l0 + 3] = ss_3;
    tile[16*l0 + 4] = ss_4;
    tile[16*l0 + 5] = ss_5;
    tile[16*l0 + 6] = ss_6;
    tile[16*l0 + 7] = ss_7;
    tile[16*l0 + 8] = ss_8;
    tile[16*l0 + 9] = ss_9;
    tile[16*l0 + 10] = ss_10;
    tile[16*l0 + 11] = ss_11;
    tile[16*l0 + 12] = ss_12;
    tile[16*l0 + 13] = ss_13;
    tile[16*l0 + 14] = ss_14;
    tile[16*l0 + 15] = ss_15;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l0 < 16) {
        float s = 0.0f;
        for (int i = 0; i < 64; i++) {
            s += tile[16*i + l0];
        }
        out[4*(wg0 + 2048*(l0%4)) + l0/4] = s + b[4*wg0 + l0/4];
    }
}
> # any number of rows up to eight, of columns, and of what is summed
> goto @0
@0  source
    generate N (λi → generate M (λj → reduce (+) 0 (map (*) (zip x[i] w[j])) + b[j]))
> data N = 5; data M = 37; data K = 101
> lower lowerNests("sliced product n=20 items=32")
@2  lowerNests("sliced product n=20 items=32")  builtin    from @0
  - generate N (λi → generate M (λj → reduce (+) 0 (map (*) (zip x[i] w[j])) + b[j]))
  + transpose (split N (take (M*N) (join (mapWorkgroup 0 (λis → mapLocal 0 (λ(y, cs) → reduceSeq ...
  type   [N][M]f32                    unchanged
  inner  26 steps        log --expand
  focus  /  ->  /                     10 moves here
> device 1
oclgrind    Oclgrind Simulator
  kernels are made for h200: set target
> run
@2  oclgrind Oclgrind Simulator   N=5  K=101  M=37   WG 32 x 10
  build   - ms        local 2.5 KiB/WG   private 0 B
  verify  OK   1 input x 1 repeat; input 1 exact
          exact; sees changes of 6e-08
          every element
> goto @0
@0  source
    generate N (λi → generate M (λj → reduce (+) 0 (map (*) (zip x[i] w[j])) + b[j]))
> data N = 1; data M = 9; data K = 259
> lower lowerNests("sliced product n=8 items=64")
@3  lowerNests("sliced product n=8 items=64")  builtin    from @0
  - generate N (λi → generate M (λj → reduce (+) 0 (map (*) (zip x[i] w[j])) + b[j]))
  + transpose (split N (take (M*N) (join (mapWorkgroup 0 (λis → mapLocal 0 (λ(y, cs) → reduceSeq ...
  type   [N][M]f32                    unchanged
  inner  26 steps        log --expand
  focus  /  ->  /                     10 moves here
> run
@3  oclgrind Oclgrind Simulator   N=1  K=259  M=9   WG 64 x 2
  build   - ms        local 2.0 KiB/WG   private 0 B
  verify  OK   1 input x 1 repeat; input 1 exact
          exact; sees changes of 6e-08
          every element
> # columns that are few: what is read along the sum, and across it
> let tall (a: [M][K]f32) (b: [K][N]f32) = map (\r -> map (\c -> reduce (+) 0 (map (*) (zip r c))) (transpose b)) a
tall : [M][K]f32 -> [K][N]f32 -> [M][N]f32
> data N = 3; data M = 21; data K = 130
> lower lowerNests("sliced product items=64")
@1  lowerNests("sliced product items=64")  builtin    from @0
  - map (λr → map (λr1 → reduce (+) 0 (map (*) (zip r r1))) ∘ transpose $ b) a
  + split N (take (M*N) (join (mapWorkgroup 0 (λis → mapLocal 0 (reduceSeq (+) 0) (transpose (toL...
  type   [M][N]f32                    unchanged
  inner  23 steps        log --expand
  focus  /  ->  /                     10 moves here
> run
@1  oclgrind Oclgrind Simulator   M=21  K=130  N=3   WG 64 x 6
  build   - ms        local 3.0 KiB/WG   private 0 B
  verify  OK   1 input x 1 repeat; input 1 exact
          exact; sees changes of 6e-08
          every element
> # more rows than that are a product
> data N = 9
> lower lowerNests("sliced product")
E23 lowerNests('sliced product') failed: lowerNests fails at /
  needs   an array that sliced product makes
  found   split N (take (M*N) (join (mapWorkgroup 0 (\is -> ..) ..)))
