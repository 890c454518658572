> load tests/programs/mm.fun
mm : [N][K]f32 -> [K][M]f32 -> [N][M]f32
> data N = 16
> data K = 12
> data M = 16
> set verbose 0
> apply gemmGpu{mb=8, nb=8, kb=4, mr=2, nr=4, u=4}
@1  gemmGpu{mb=8, nb=8, kb=4, mr=2, nr=4, u=4}  at /  builtin    from @0
> code
/* mm@1  96b150e2473c9d07
 *   @1 gemmGpu{mb=8, nb=8, kb=4, mr=2, nr=4, u=4} at /
 * N=16  K=12  M=16
 */

#pragma OPENCL FP_CONTRACT OFF

__attribute__((reqd_work_group_size(2, 4, 1)))
kernel void mm_k0(const global float *restrict A,
                  const global float *restrict B, global float *restrict out)
{
    local float tileB[64] __attribute__((aligned(64)));
    local float tileA[64] __attribute__((aligned(64)));
    int wg1 = get_group_id(1);
    int wg0 = get_group_id(0);
    int l1 = get_local_id(1);
    int l0 = get_local_id(0);
    float acc_0 = 0.0f, acc_1 = 0.0f, acc_2 = 0.0f, acc_3 = 0.0f, acc_4 = 0.0f, acc_5 = 0.0f,
        acc_6 = 0.0f, acc_7 = 0.0f;
    float4 ahead = vload4(0, A + 12*(2*(l1 + 4*wg1) + l0));
    vstore4(vload4(0, B + 8*(2*l1 + wg0) + 4*l0), 0, tileB + 4*(l0 + 2*l1));
    tileA[l0 + 2*l1] = ahead.s0;
    tileA[l0 + 2*l1 + 8] = ahead.s1;
    tileA[l0 + 2*l1 + 16] = ahead.s2;
    tileA[l0 + 2*l1 + 24] = ahead.s3;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 3; i++) {
        int next = min(2, i + 1);
        float4 ahead2 = vload4(0, A + 12*(2*(l1 + 4*wg1) + l0) + 4*next);
        float4 ahead3 = vload4(0, B + 16*(l1 + 4*next) + 4*(l0 + 2*wg0));
        barrier(CLK_LOCAL_MEM_FENCE);
        float y = tileA[2*(l1 + 16*(i%2))];
        acc_0 = fma(y, tileB[4*(l0 + 8*(i%2))], acc_0);
        acc_1 = fma(y, tileB[4*(l0 + 8*(i%2)) + 1], acc_1);
        acc_2 = fma(y, tileB[4*(l0 + 8*(i%2)) + 2], acc_2);
        acc_3 = fma(y, tileB[4*(l0 + 8*(i%2)) + 3], acc_3);
        float y2 = tileA[2*(l1 + 16*(i%2)) + 1];
        acc_4 = fma(y2, tileB[4*(l0 + 8*(i%2))], acc_4);
        acc_5 = fma(y2, tileB[4*(l0 + 8*(i%2)) + 1], acc_5);
        acc_6 = fma(y2, tileB[4*(l0 + 8*(i%2)) + 2], acc_6);
        acc_7 = fma(y2, tileB[4*(l0 + 8*(i%2)) + 3], acc_7);
        float y3 = tileA[2*l1 + 32*(i%2) + 8];
        acc_0 = fma(y3, tileB[4*l0 + 32*(i%2) + 8], acc_0);
        acc_1 = fma(y3, tileB[4*(l0 + 8*(i%2)) + 9], acc_1);
        acc_2 = fma(y3, tileB[4*(l0 + 8*(i%2)) + 10], acc_2);
        acc_3 = fma(y3, tileB[4*(l0 + 8*(i%2)) + 11], acc_3);
        float y4 = tileA[2*(l1 + 16*(i%2)) + 9];
        acc_4 = fma(y4, tileB[4*l0 + 32*(i%2) + 8], acc_4);
        acc_5 = fma(y4, tileB[4*(l0 + 8*(i%2)) + 9], acc_5);
        acc_6 = fma(y4, tileB[4*(l0 + 8*(i%2)) + 10], acc_6);
        acc_7 = fma(y4, tileB[4*(l0 + 8*(i%2)) + 11], acc_7);
        float y5 = tileA[16*(2*(i%2) + 1) + 2*l1];
        acc_0 = fma(y5, tileB[16*(2*(i%2) + 1) + 4*l0], acc_0);
        acc_1 = fma(y5, tileB[16*(2*(i%2) + 1) + 4*l0 + 1], acc_1);
        acc_2 = fma(y5, tileB[16*(2*(i%2) + 1) + 4*l0 + 2], acc_2);
        acc_3 = fma(y5, tileB[16*(2*(i%2) + 1) + 4*l0 + 3], acc_3);
        float y6 = tileA[16*(2*(i%2) + 1) + 2*l1 + 1];
        acc_4 = fma(y6, tileB[16*(2*(i%2) + 1) + 4*l0], acc_4);
        acc_5 = fma(y6, tileB[16*(2*(i%2) + 1) + 4*l0 + 1], acc_5);
        acc_6 = fma(y6, tileB[16*(2*(i%2) + 1) + 4*l0 + 2], acc_6);
        acc_7 = fma(y6, tileB[16*(2*(i%2) + 1) + 4*l0 + 3], acc_7);
        float y7 = tileA[16*(2*(i%2) + 1) + 2*l1 + 8];
        acc_0 = fma(y7, tileB[16*(2*(i%2) + 1) + 4*l0 + 8], acc_0);
        acc_1 = fma(y7, tileB[16*(2*(i%2) + 1) + 4*l0 + 9], acc_1);
        acc_2 = fma(y7, tileB[16*(2*(i%2) + 1) + 4*l0 + 10], acc_2);
        acc_3 = fma(y7, tileB[16*(2*(i%2) + 1) + 4*l0 + 11], acc_3);
        float y8 = tileA[16*(2*(i%2) + 1) + 2*l1 + 9];
        acc_4 = fma(y8, tileB[16*(2*(i%2) + 1) + 4*l0 + 8], acc_4);
        acc_5 = fma(y8, tileB[16*(2*(i%2) + 1) + 4*l0 + 9], acc_5);
        acc_6 = fma(y8, tileB[16*(2*(i%2) + 1) + 4*l0 + 10], acc_6);
        acc_7 = fma(y8, tileB[16*(2*(i%2) + 1) + 4*l0 + 11], acc_7);
        vstore4(ahead3, 0, tileB + 8*(l1 + 4*((i + 1)%2)) + 4*l0);
        tileA[2*(l1 + 16*((i + 1)%2)) + l0] = ahead2.s0;
        tileA[l0 + 2*l1 + 32*((i + 1)%2) + 8] = ahead2.s1;
        tileA[16*(2*((i + 1)%2) + 1) + l0 + 2*l1] = ahead2.s2;
        tileA[16*(2*((i + 1)%2) + 1) + l0 + 2*l1 + 8] = ahead2.s3;
    }
    vstore4((float4)(acc_0, acc_1, acc_2, acc_3), 0, out + 32*(l1 + 4*wg1) + 4*(l0 + 2*wg0));
    vstore4((float4)(acc_4, acc_5, acc_6, acc_7), 0, out + 16*(2*(l1 + 4*wg1) + 1) + 4*(l0 + 2*wg0));
}
> eval
@1  [16][16]f32    N=16  K=12  M=16
  [[0.95522606, 0.73496103, 0.5185087, 0.64663893, -1.4919783, 1.3309491, 1.1793685, -0.81556904, ...], ...]
  hash 03ce574d6449d16d
> let rows (A: [N][M]f32) = map (\r -> reduce (+) 0 r) A
rows : [N][M]f32 -> [N]f32
> apply mapWorkgroup(0)
@1  mapWorkgroup(0)  at /               builtin    from @0
> apply reduceSeq at 'reduce'
@2  reduceSeq  at /f/body               builtin    from @1
> apply prefetch at 'reduceSeq'
@3  prefetch  at /f/body                builtin    from @2
> data N = 4
> data M = 8
> code
/* rows@3  88dfdb9becd94eba
 *   @1 mapWorkgroup(0) at /
 *   @2 reduceSeq at /f/body
 *   @3 prefetch at /f/body
 * N=4  M=8
 */

#pragma OPENCL FP_CONTRACT OFF

__attribute__((reqd_work_group_size(1, 1, 1)))
kernel void rows_k0(const global float *restrict A, global float *restrict out)
{
    int wg0 = get_group_id(0);
    float acc = 0.0f;
    for (int i = 0; i < 8; i++) {
        acc += A[i + 8*wg0];
    }
    out[wg0] = acc;
}
