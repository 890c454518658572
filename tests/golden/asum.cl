#pragma OPENCL FP_CONTRACT OFF

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void asum_k0(const global float *restrict xs, global float *restrict out,
                    global float *tmp)
{
    int l0 = get_local_id(0);
    float acc = 0.0f;
    for (int i = 0; i < 64; i++) {
        acc += fabs(xs[i + 64*l0]);
    }
    tmp[l0] = acc;
    float acc2 = 0.0f;
    barrier(CLK_GLOBAL_MEM_FENCE);
    for (int i = 0; i < 64; i++) {
        acc2 += tmp[i];
    }
    if (l0 == 0) {
        out[0] = acc2;
    }
}
