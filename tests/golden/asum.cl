#pragma OPENCL FP_CONTRACT OFF

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void asum_k0(const global float *restrict xs, global float *restrict tmp)
{
    int gid0 = get_global_id(0);
    float acc = 0.0f;
    for (int i = 0; i < 64; i++) {
        acc += fabs(xs[64*gid0 + i]);
    }
    tmp[gid0] = acc;
}

__attribute__((reqd_work_group_size(1, 1, 1)))
kernel void asum_k1(global float *restrict out,
                    const global float *restrict tmp)
{
    float acc = 0.0f;
    for (int i = 0; i < 64; i++) {
        acc += tmp[i];
    }
    out[0] = acc;
}
