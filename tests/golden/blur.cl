#pragma OPENCL FP_CONTRACT OFF

__attribute__((reqd_work_group_size(32, 1, 1)))
kernel void p_k0(const global float *restrict img,
                 const global float *restrict w, global float *restrict out)
{
    int gid1 = get_global_id(1);
    int gid0 = get_global_id(0);
    float acc = 0.0f;
    for (int i = 0; i < 9; i++) {
        acc += img[clamp(gid0 + i%3 - 1, 0, 31) + 32*clamp(gid1 + i/3 - 1, 0, 63)] * w[i];
    }
    out[gid0 + 32*gid1] = acc;
}
