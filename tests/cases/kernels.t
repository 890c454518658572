> load tests/programs/mm.fun
mm : [N][K]f32 -> [K][M]f32 -> [N][M]f32
> data N = 16
> data K = 8
> data M = 16
> set verbose 0
> apply registerBlock(4)
@1  registerBlock(4)  at /              builtin    from @0
> lower
@2  lower                               builtin    from @1
> code
/* mm@2  d649a54138aea86f
 *   @1 registerBlock(4) at /
 *   @2 lower
 * N=16  K=8  M=16
 */

#pragma OPENCL FP_CONTRACT OFF

__attribute__((reqd_work_group_size(16, 1, 1)))
kernel void mm_k0(const global float *restrict A,
                  const global float *restrict B, global float *restrict out)
{
    int gid1 = get_global_id(1);
    int gid0 = get_global_id(0);
    float acc_0 = 0.0f, acc_1 = 0.0f, acc_2 = 0.0f, acc_3 = 0.0f;
    for (int i = 0; i < 8; i++) {
        float y = B[gid0 + 16*i];
        acc_0 = fma(A[32*gid1 + i], y, acc_0);
        acc_1 = fma(A[8*(4*gid1 + 1) + i], y, acc_1);
        acc_2 = fma(A[8*(4*gid1 + 2) + i], y, acc_2);
        acc_3 = fma(A[8*(4*gid1 + 3) + i], y, acc_3);
    }
    out[gid0 + 64*gid1] = acc_0;
    out[16*(4*gid1 + 1) + gid0] = acc_1;
    out[16*(4*gid1 + 2) + gid0] = acc_2;
    out[16*(4*gid1 + 3) + gid0] = acc_3;
}
> goto @0
@0  source
> apply gemmCpu{mb=8, nb=8, kb=4, mr=2, w=4}
@3  gemmCpu{mb=8, nb=8, kb=4, mr=2, w=4}  at /  builtin    from @0
> code
/* mm@3  d94abc3bb1670c40
 *   @3 gemmCpu{mb=8, nb=8, kb=4, mr=2, w=4} at /
 * N=16  K=8  M=16
 */

#pragma OPENCL FP_CONTRACT OFF

__attribute__((reqd_work_group_size(1, 1, 1)))
kernel void mm_k0(const global float *restrict A,
                  const global float *restrict B, global float *restrict out)
{
    local float tileB[32] __attribute__((aligned(64)));
    int wg1 = get_group_id(1);
    int wg0 = get_group_id(0);
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 2; j++) {
            for (int k = 0; k < 8; k++) {
                out[16*(2*(i + 4*wg1) + j) + k + 8*wg0] = 0.0f;
            }
        }
    }
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 4; j++) {
            vstore4(vload4(0, B + 16*(4*i + j) + 8*wg0), 0, tileB + 8*j);
            vstore4(vload4(0, B + 16*(4*i + j) + 8*wg0 + 4), 0, tileB + 8*j + 4);
        }
        for (int j = 0; j < 4; j++) {
            float4 acc_0 = vload4(0, out + 32*(j + 4*wg1) + 8*wg0);
            float4 acc_1 = vload4(0, out + 32*(j + 4*wg1) + 8*wg0 + 4);
            float4 acc_2 = vload4(0, out + 16*(2*(j + 4*wg1) + 1) + 8*wg0);
            float4 acc_3 = vload4(0, out + 16*(2*(j + 4*wg1) + 1) + 8*wg0 + 4);
            for (int k = 0; k < 4; k++) {
                float cs = A[16*(j + 4*wg1) + 4*i + k];
                acc_0 = fma((float4)(cs), vload4(0, tileB + 8*k), acc_0);
                acc_1 = fma((float4)(cs), vload4(0, tileB + 8*k + 4), acc_1);
                float cs2 = A[8*(2*(j + 4*wg1) + 1) + 4*i + k];
                acc_2 = fma((float4)(cs2), vload4(0, tileB + 8*k), acc_2);
                acc_3 = fma((float4)(cs2), vload4(0, tileB + 8*k + 4), acc_3);
            }
            vstore4(acc_0, 0, out + 32*(j + 4*wg1) + 8*wg0);
            vstore4(acc_1, 0, out + 32*(j + 4*wg1) + 8*wg0 + 4);
            vstore4(acc_2, 0, out + 16*(2*(j + 4*wg1) + 1) + 8*wg0);
            vstore4(acc_3, 0, out + 16*(2*(j + 4*wg1) + 1) + 8*wg0 + 4);
        }
    }
}
> goto @0
@0  source
> apply fuseReduce
@4  fuseReduce  at /f/body/f/body       builtin    from @0
> apply tile(8, 8)
@5  tile(8, 8)  at /                    builtin    from @4
> apply blockFold(2, 2)
@6  blockFold(2, 2)  at /in/f/body/in/in/f/body/in  builtin    from @5
> apply tileFold(4)
@7  tileFold(4)  at /in/f/body/in/in/f/body/in/in/f/body/in/in/f/body/in  builtin    from @6
> apply foldOutOfMap
@8  foldOutOfMap  at /in/f/body/in/in/f/body/in/in/f/body/in/in  builtin    from @7
> apply foldOutOfMap
@9  foldOutOfMap  at /in/f/body/in/in/f/body/in/in  builtin    from @8
> apply wholeTiles(false, true)
@10  wholeTiles(false, true)  at /in/f/body/in/in/f/body/in/in/in/in/in  builtin    from @9
> apply itemsOf
@11  itemsOf  at /in                    builtin    from @10
> apply gpuMemory(2, 4)
@12  gpuMemory(2, 4)  at /in/f/body/in/in/f/body/in/in/in/in/in  builtin    from @11
> code
/* mm@12  0e5e1e608cfdce3e
 *   @4 fuseReduce at /
 *   @5 tile(8, 8) at /
 *   @6 blockFold(2, 2) at /
 *   @7 tileFold(4) at /
 *   @8 foldOutOfMap at /
 *   @9 foldOutOfMap at /
 *   @10 wholeTiles(false, true) at /
 *   @11 itemsOf at /
 *   @12 gpuMemory(2, 4) at /
 * N=16  K=8  M=16
 */

#pragma OPENCL FP_CONTRACT OFF

__attribute__((reqd_work_group_size(4, 4, 1)))
kernel void mm_k0(const global float *restrict A,
                  const global float *restrict B, global float *restrict out)
{
    local float tileB[32] __attribute__((aligned(64)));
    local float tileA[32] __attribute__((aligned(64)));
    int wg1 = get_group_id(1);
    int wg0 = get_group_id(0);
    int l1 = get_local_id(1);
    int l0 = get_local_id(0);
    float acc_0 = 0.0f, acc_1 = 0.0f, acc_2 = 0.0f, acc_3 = 0.0f;
    for (int i = 0; i < 2; i++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        vstore2(vload2(0, B + 16*(4*i + l1) + 2*(l0 + 4*wg0)), 0, tileB + 2*(l0 + 4*l1));
        vstore2(vload2(0, A + 4*(4*(l1 + 4*wg1) + i + l0/2) + 2*l0), 0, tileA + 2*(l0 + 4*l1));
        barrier(CLK_LOCAL_MEM_FENCE);
        float y = tileA[8*l1];
        acc_0 = fma(y, tileB[2*l0], acc_0);
        acc_1 = fma(y, tileB[2*l0 + 1], acc_1);
        float y2 = tileA[4*(2*l1 + 1)];
        acc_2 = fma(y2, tileB[2*l0], acc_2);
        acc_3 = fma(y2, tileB[2*l0 + 1], acc_3);
        float y3 = tileA[8*l1 + 1];
        acc_0 = fma(y3, tileB[2*l0 + 8], acc_0);
        acc_1 = fma(y3, tileB[2*l0 + 9], acc_1);
        float y4 = tileA[4*(2*l1 + 1) + 1];
        acc_2 = fma(y4, tileB[2*l0 + 8], acc_2);
        acc_3 = fma(y4, tileB[2*l0 + 9], acc_3);
        float y5 = tileA[8*l1 + 2];
        acc_0 = fma(y5, tileB[2*l0 + 16], acc_0);
        acc_1 = fma(y5, tileB[2*l0 + 17], acc_1);
        float y6 = tileA[4*(2*l1 + 1) + 2];
        acc_2 = fma(y6, tileB[2*l0 + 16], acc_2);
        acc_3 = fma(y6, tileB[2*l0 + 17], acc_3);
        float y7 = tileA[8*l1 + 3];
        acc_0 = fma(y7, tileB[2*l0 + 24], acc_0);
        acc_1 = fma(y7, tileB[2*l0 + 25], acc_1);
        float y8 = tileA[4*(2*l1 + 1) + 3];
        acc_2 = fma(y8, tileB[2*l0 + 24], acc_2);
        acc_3 = fma(y8, tileB[2*l0 + 25], acc_3);
    }
    vstore2((float2)(acc_0, acc_1), 0, out + 32*(l1 + 4*wg1) + 2*(l0 + 4*wg0));
    vstore2((float2)(acc_2, acc_3), 0, out + 16*(2*(l1 + 4*wg1) + 1) + 2*(l0 + 4*wg0));
}
> goto @0
@0  source
> apply gemmItems{mr=2, nr=4, w=4}
@13  gemmItems{mr=2, nr=4, w=4}  at /   builtin    from @0
> code
/* mm@13  5f542d76cdfe3026
 *   @13 gemmItems{mr=2, nr=4, w=4} at /
 * N=16  K=8  M=16
 */

#pragma OPENCL FP_CONTRACT OFF

__attribute__((reqd_work_group_size(4, 1, 1)))
kernel void mm_k0(const global float *restrict A,
                  const global float *restrict B, global float *restrict out)
{
    int gid1 = get_global_id(1);
    int gid0 = get_global_id(0);
    float acc_0 = 0.0f, acc_1 = 0.0f, acc_2 = 0.0f, acc_3 = 0.0f, acc_4 = 0.0f, acc_5 = 0.0f,
        acc_6 = 0.0f, acc_7 = 0.0f;
    for (int i = 0; i < 8; i++) {
        float4 v = vload4(0, B + 4*(gid0 + 4*i));
        float b_0 = v.s0;
        float b_1 = v.s1;
        float b_2 = v.s2;
        float b_3 = v.s3;
        float r_0 = A[16*gid1 + i];
        float r_1 = A[8*(2*gid1 + 1) + i];
        acc_0 = fma(r_0, b_0, acc_0);
        acc_1 = fma(r_0, b_1, acc_1);
        acc_2 = fma(r_0, b_2, acc_2);
        acc_3 = fma(r_0, b_3, acc_3);
        acc_4 = fma(r_1, b_0, acc_4);
        acc_5 = fma(r_1, b_1, acc_5);
        acc_6 = fma(r_1, b_2, acc_6);
        acc_7 = fma(r_1, b_3, acc_7);
    }
    vstore4((float4)(acc_0, acc_1, acc_2, acc_3), 0, out + 4*(gid0 + 8*gid1));
    vstore4((float4)(acc_4, acc_5, acc_6, acc_7), 0, out + 16*(2*gid1 + 1) + 4*gid0);
}
> load tests/programs/gemm_nt.fun
gemm_nt : [N][K]f32 -> [M][K]f32 -> [N][M]f32 -> f32 -> f32 -> [N][M]f32
> data N = 16
> data K = 8
> data M = 16
> apply fuseReduce
@1  fuseReduce  at /in/0/f/body/f/body  builtin    from @0
> apply tile(8, 8) at /in/0
@2  tile(8, 8)  at /in/0                builtin    from @1
> apply blockFold(2, 2)
@3  blockFold(2, 2)  at /in/0/in/f/body/in/in  builtin    from @2
> apply tileFold(4)
@4  tileFold(4)  at /in/0/in/f/body/in/in/f/body/in/in/f/body/in/in/f/body/in  builtin    from @3
> apply foldOutOfMap
@5  foldOutOfMap  at /in/0/in/f/body/in/in/f/body/in/in/f/body/in/in  builtin    from @4
> apply foldOutOfMap
@6  foldOutOfMap  at /in/0/in/f/body/in/in/f/body/in/in  builtin    from @5
> apply wholeTiles(false, false)
@7  wholeTiles(false, false)  at /in/0/in/f/body/in/in/f/body/in/in/in/in/in  builtin    from @6
> apply fuseEpilogue
@8  fuseEpilogue  at /                  builtin    from @7
> apply itemsOf
@9  itemsOf  at /in                     builtin    from @8
> apply epilogueItems(2)
@10  epilogueItems(2)  at /in/f/body/in/in/f/body/in/in/in/in  builtin    from @9
> apply gpuMemory(2, 4, true)
@11  gpuMemory(2, 4, true)  at /in/f/body/in/in/f/body/in/in/in/in  builtin    from @10
> code
/* gemm_nt@11  c67f6fc66548a23b
 *   @1 fuseReduce at /
 *   @2 tile(8, 8) at /in/0
 *   @3 blockFold(2, 2) at /
 *   @4 tileFold(4) at /
 *   @5 foldOutOfMap at /
 *   @6 foldOutOfMap at /
 *   @7 wholeTiles(false, false) at /
 *   @8 fuseEpilogue at /
 *   @9 itemsOf at /
 *   @10 epilogueItems(2) at /
 *   @11 gpuMemory(2, 4, true) at /
 * N=16  K=8  M=16
 */

#pragma OPENCL FP_CONTRACT OFF

__attribute__((reqd_work_group_size(4, 4, 1)))
kernel void gemm_nt_k0(const global float *restrict A,
                       const global float *restrict Bt,
                       const global float *restrict C, float alpha, float beta,
                       global float *restrict out)
{
    local float tileBt[32] __attribute__((aligned(64)));
    local float tileA[32] __attribute__((aligned(64)));
    int wg1 = get_group_id(1);
    int wg0 = get_group_id(0);
    int l1 = get_local_id(1);
    int l0 = get_local_id(0);
    float acc_0 = 0.0f, acc_1 = 0.0f, acc_2 = 0.0f, acc_3 = 0.0f;
    for (int i = 0; i < 2; i++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        vstore2(vload2(0, Bt + 4*(4*(l1 + 4*wg0) + i + l0/2) + 2*l0), 0, tileBt + 2*(l0 + 4*l1));
        vstore2(vload2(0, A + 4*(4*(l1 + 4*wg1) + i + l0/2) + 2*l0), 0, tileA + 2*(l0 + 4*l1));
        barrier(CLK_LOCAL_MEM_FENCE);
        float y = tileA[8*l1];
        acc_0 = fma(y, tileBt[8*l0], acc_0);
        acc_1 = fma(y, tileBt[4*(2*l0 + 1)], acc_1);
        float y2 = tileA[4*(2*l1 + 1)];
        acc_2 = fma(y2, tileBt[8*l0], acc_2);
        acc_3 = fma(y2, tileBt[4*(2*l0 + 1)], acc_3);
        float y3 = tileA[8*l1 + 1];
        acc_0 = fma(y3, tileBt[8*l0 + 1], acc_0);
        acc_1 = fma(y3, tileBt[4*(2*l0 + 1) + 1], acc_1);
        float y4 = tileA[4*(2*l1 + 1) + 1];
        acc_2 = fma(y4, tileBt[8*l0 + 1], acc_2);
        acc_3 = fma(y4, tileBt[4*(2*l0 + 1) + 1], acc_3);
        float y5 = tileA[8*l1 + 2];
        acc_0 = fma(y5, tileBt[8*l0 + 2], acc_0);
        acc_1 = fma(y5, tileBt[4*(2*l0 + 1) + 2], acc_1);
        float y6 = tileA[4*(2*l1 + 1) + 2];
        acc_2 = fma(y6, tileBt[8*l0 + 2], acc_2);
        acc_3 = fma(y6, tileBt[4*(2*l0 + 1) + 2], acc_3);
        float y7 = tileA[8*l1 + 3];
        acc_0 = fma(y7, tileBt[8*l0 + 3], acc_0);
        acc_1 = fma(y7, tileBt[4*(2*l0 + 1) + 3], acc_1);
        float y8 = tileA[4*(2*l1 + 1) + 3];
        acc_2 = fma(y8, tileBt[8*l0 + 3], acc_2);
        acc_3 = fma(y8, tileBt[4*(2*l0 + 1) + 3], acc_3);
    }
    vstore2(fma((float2)(beta), vload2(0, C + 32*(l1 + 4*wg1) + 2*(l0 + 4*wg0)),
            alpha * (float2)(acc_0, acc_1)), 0, out + 32*(l1 + 4*wg1) + 2*(l0 + 4*wg0));
    vstore2(fma((float2)(beta), vload2(0, C + 16*(2*(l1 + 4*wg1) + 1) + 2*(l0 + 4*wg0)),
            alpha * (float2)(acc_2, acc_3)), 0, out + 16*(2*(l1 + 4*wg1) + 1) + 2*(l0 + 4*wg0));
}
> load tests/programs/dot.fun
dot : [N]f32 -> [N]f32 -> f32
> data N = 512
> apply reduceCpu{chunk=64, w=4, u=2}
@1  reduceCpu{chunk=64, w=4, u=2}  at /  builtin    from @0
> code
/* dot@1  9b6c3ee313623454
 *   @1 reduceCpu{chunk=64, w=4, u=2} at /
 * N=512
 */

#pragma OPENCL FP_CONTRACT OFF

__attribute__((reqd_work_group_size(1, 1, 1)))
kernel void dot_k0(const global float *restrict xs,
                   const global float *restrict ys, global float *restrict tmp)
{
    int wg0 = get_group_id(0);
    float acc = 0.0f;
    float4 acc2_0 = (float4)(0.0f), acc2_1 = (float4)(0.0f);
    for (int i = 0; i < 8; i++) {
        acc2_0 = fma(vload4(2*(i + 8*wg0), xs), vload4(2*(i + 8*wg0), ys), acc2_0);
        acc2_1 = fma(vload4(2*(i + 8*wg0) + 1, xs), vload4(2*(i + 8*wg0) + 1, ys), acc2_1);
    }
    acc += acc2_0.s0;
    acc += acc2_0.s1;
    acc += acc2_0.s2;
    acc += acc2_0.s3;
    acc += acc2_1.s0;
    acc += acc2_1.s1;
    acc += acc2_1.s2;
    acc += acc2_1.s3;
    tmp[wg0] = acc;
}

__attribute__((reqd_work_group_size(1, 1, 1)))
kernel void dot_k1(global float *restrict out, const global float *restrict tmp)
{
    float acc = 0.0f;
    for (int i = 0; i < 8; i++) {
        acc += tmp[i];
    }
    out[0] = acc;
}
> goto @0
@0  source
> apply reduceGpu{chunk=128, l=16, w=4, again=false}
@2  reduceGpu{chunk=128, l=16, w=4, again=false}  at /  builtin    from @0
> code
/* dot@2  4efd398eb6fbdca2
 *   @2 reduceGpu{chunk=128, l=16, w=4, again=false} at /
 * N=512
 */

#pragma OPENCL FP_CONTRACT OFF

__attribute__((reqd_work_group_size(16, 1, 1)))
kernel void dot_k0(const global float *restrict xs,
                   const global float *restrict ys, global float *restrict tmp)
{
    local float tile[1] __attribute__((aligned(64)));
    local float tile2[16] __attribute__((aligned(64)));
    int wg0 = get_group_id(0);
    int l0 = get_local_id(0);
    float acc = 0.0f;
    float4 acc2 = (float4)(0.0f);
    for (int i = 0; i < 2; i++) {
        acc2 = fma(vload4(16*(i + 2*wg0) + l0, xs), vload4(16*(i + 2*wg0) + l0, ys), acc2);
    }
    float acc3 = 0.0f;
    acc3 += acc2.s0;
    acc3 += acc2.s1;
    acc3 += acc2.s2;
    acc3 += acc2.s3;
    tile2[l0] = acc3;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l0 == 0) {
        float acc4 = 0.0f;
        acc4 += tile2[0];
        acc4 += tile2[1];
        acc4 += tile2[2];
        acc4 += tile2[3];
        acc4 += tile2[4];
        acc4 += tile2[5];
        acc4 += tile2[6];
        acc4 += tile2[7];
        acc4 += tile2[8];
        acc4 += tile2[9];
        acc4 += tile2[10];
        acc4 += tile2[11];
        acc4 += tile2[12];
        acc4 += tile2[13];
        acc4 += tile2[14];
        acc4 += tile2[15];
        tile[0] = acc4;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    acc += tile[0];
    if (l0 == 0) {
        tmp[wg0] = acc;
    }
}

__attribute__((reqd_work_group_size(1, 1, 1)))
kernel void dot_k1(global float *restrict out, const global float *restrict tmp)
{
    float acc = 0.0f;
    for (int i = 0; i < 4; i++) {
        acc += tmp[i];
    }
    out[0] = acc;
}
> load tests/programs/gemv.fun
gemv : [N][M]f32 -> [M]f32 -> [N]f32 -> f32 -> f32 -> [N]f32        2 programs; list programs
> data N = 8
> data M = 256
> apply gemvGpu{l=16, w=4}
@1  gemvGpu{l=16, w=4}  at /            builtin    from @0
> code
/* gemv@1  e46b0c50b8a13fd5
 *   @1 gemvGpu{l=16, w=4} at /
 * N=8  M=256
 */

#pragma OPENCL FP_CONTRACT OFF

__attribute__((reqd_work_group_size(16, 1, 1)))
kernel void gemv_k0(const global float *restrict A,
                    const global float *restrict x,
                    const global float *restrict y, float alpha, float beta,
                    global float *restrict out)
{
    local float tile[1] __attribute__((aligned(64)));
    local float tile2[16] __attribute__((aligned(64)));
    int wg0 = get_group_id(0);
    int l0 = get_local_id(0);
    float acc = 0.0f;
    float4 acc2 = (float4)(0.0f);
    for (int i = 0; i < 4; i++) {
        acc2 = fma(vload4(0, A + 64*(i + 4*wg0) + 4*l0), vload4(16*i + l0, x), acc2);
    }
    float acc3 = 0.0f;
    acc3 += acc2.s0;
    acc3 += acc2.s1;
    acc3 += acc2.s2;
    acc3 += acc2.s3;
    tile2[l0] = acc3;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l0 == 0) {
        float acc4 = 0.0f;
        acc4 += tile2[0];
        acc4 += tile2[1];
        acc4 += tile2[2];
        acc4 += tile2[3];
        acc4 += tile2[4];
        acc4 += tile2[5];
        acc4 += tile2[6];
        acc4 += tile2[7];
        acc4 += tile2[8];
        acc4 += tile2[9];
        acc4 += tile2[10];
        acc4 += tile2[11];
        acc4 += tile2[12];
        acc4 += tile2[13];
        acc4 += tile2[14];
        acc4 += tile2[15];
        tile[0] = acc4;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    acc += tile[0];
    if (l0 == 0) {
        out[wg0] = fma(beta, y[wg0], alpha * acc);
    }
}
> let pairs (xs: [N]f32) (ys: [N]f32) = mapGlobal 0 (\c -> let t = toPrivate (mapSeqUnroll id c) in reduceSeqUnroll (\(s, (a, b)) -> s + a * b) 0 t + at 0 (map (\(a, b) -> a) t)) (split 4 (zip xs ys))
pairs : [N]f32 -> [N]f32 -> [N/4]f32
> code
/* pairs@0  f8982883db71199e
 * needs 4 divides N  (split 4 at /in)
 */

#pragma OPENCL FP_CONTRACT OFF

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void pairs_k0(const global float *restrict xs,
                     const global float *restrict ys,
                     global float *restrict out, int N)
{
    int gid0 = get_global_id(0);
    if (gid0 < N/4) {
        float t_0 = xs[4*gid0];
        float t2_0 = ys[4*gid0];
        float t_1 = xs[4*gid0 + 1];
        float t2_1 = ys[4*gid0 + 1];
        float t_2 = xs[4*gid0 + 2];
        float t2_2 = ys[4*gid0 + 2];
        float t_3 = xs[4*gid0 + 3];
        float t2_3 = ys[4*gid0 + 3];
        float acc = 0.0f;
        acc += t_0 * t2_0;
        acc += t_1 * t2_1;
        acc += t_2 * t2_2;
        acc += t_3 * t2_3;
        out[gid0] = acc + t_0;
    }
}
> # what the arms of a choice read is told apart by its condition, whatever the factor: each row is its work-item's alone
> let windows (x: [N]f32) (y: [M]f32) = mapGlobal 0 (\v -> loop 3 (\s k -> mapSeq (\w -> v * w[0] + w[1]) (slide 2 2 (concat s s))) (toGlobal y)) x
windows : [N]f32 -> [M]f32 -> [N][M]f32
> data N = 1003, M = 7
> code | grep "? "
            next[7*gid0 + j] = v * (2*j < 7 ? out[7*gid0 + 2*j] : out[7*gid0 + 2*j - 7])
                    + (2*j + 1 < 7 ? out[7*gid0 + 2*j + 1] : out[7*gid0 + 2*j - 6]);
> set sizes argument
> code | grep "? "
                next[M*gid0 + j] = v * (2*j < M ? out[M*gid0 + 2*j] : out[M*gid0 + 2*j - M])
                        + (2*j + 1 < M ? out[M*gid0 + 2*j + 1] : out[M*gid0 + 2*j + 1 - M]);
> # and where the condition begins at another loop's number, what bounds the address without it still does
> let column (X: [B][6][4]f32) = mapGlobal 0 (\x -> loop 4 (\s k -> let c = toPrivate (mapSeq (\i -> if i < k then 0 else s[i][k]) (iota 6)) in mapSeq (\(r, v) -> mapSeq (\w -> w - v) r) (zip s c)) (toGlobal x)) X
column : [B][6][4]f32 -> [B][6][4]f32
  inlined  c: used once (letDuplicate)
> set sizes constant
> data B = 33
> code | grep "? "
            r[j] = j < i ? 0.0f : out[4*(6*gid0 + j) + i];
