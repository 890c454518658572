#pragma OPENCL FP_CONTRACT OFF

__attribute__((reqd_work_group_size(32, 1, 1)))
kernel void tree_k0(const global float *restrict xs, global float *restrict tmp)
{
    local float tile2[32] __attribute__((aligned(64)));
    local float tile3[16] __attribute__((aligned(64)));
    local float *tile = tile3;
    local float *tile4 = tile2;
    local float *tile5 = tile3;
    local float *tile6 = tile2;
    int wg0 = get_group_id(0);
    int l0 = get_local_id(0);
    float acc = 0.0f;
    for (int i = 0; i < 2; i++) {
        acc += xs[2*(l0 + 32*wg0) + i];
    }
    tile2[l0] = acc;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l0 < 16) {
        float acc2 = 0.0f;
        for (int i = 0; i < 2; i++) {
            acc2 += tile2[i + 2*l0];
        }
        tile3[l0] = acc2;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l0 < 8) {
        float acc3 = 0.0f;
        for (int i = 0; i < 2; i++) {
            acc3 += tile3[i + 2*l0];
        }
        tile4[l0] = acc3;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l0 < 4) {
        float acc4 = 0.0f;
        for (int i = 0; i < 2; i++) {
            acc4 += tile4[i + 2*l0];
        }
        tile5[l0] = acc4;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l0 < 2) {
        float acc5 = 0.0f;
        for (int i = 0; i < 2; i++) {
            acc5 += tile5[i + 2*l0];
        }
        tile6[l0] = acc5;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l0 == 0) {
        float acc6 = 0.0f;
        for (int i = 0; i < 2; i++) {
            acc6 += tile6[i];
        }
        tile[0] = acc6;
    }
    if (l0 == 0) {
        tmp[wg0] = tile[0];
    }
}

__attribute__((reqd_work_group_size(1, 1, 1)))
kernel void tree_k1(global float *restrict out,
                    const global float *restrict tmp)
{
    float acc = 0.0f;
    for (int i = 0; i < 16; i++) {
        acc += tmp[i];
    }
    out[0] = acc;
}
