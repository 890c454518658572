#pragma OPENCL FP_CONTRACT OFF

__attribute__((reqd_work_group_size(8, 1, 1)))
kernel void p_k0(const global float *restrict x, global float *restrict out)
{
    local float acc[8] __attribute__((aligned(64)));
    int wg0 = get_group_id(0);
    int l0 = get_local_id(0);
    acc[l0] = 0.0f;
    for (int i = 0; i < 4; i++) {
        acc[l0] += x[8*(i + 4*wg0) + l0];
    }
    out[l0 + 8*wg0] = acc[l0];
}
