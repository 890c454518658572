#pragma OPENCL FP_CONTRACT OFF

__attribute__((reqd_work_group_size(32, 1, 1)))
kernel void p_k0(const global float *restrict x, global float *restrict out)
{
    local float tile[32] __attribute__((aligned(64)));
    int wg0 = get_group_id(0);
    int l0 = get_local_id(0);
    tile[l0] = x[l0 + 32*wg0] + 1.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l0 + 32*wg0] = tile[31 - l0] * 2.0f;
}
