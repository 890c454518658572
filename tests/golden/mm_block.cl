#pragma OPENCL FP_CONTRACT OFF

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void mm_k0(const global float *restrict A,
                  const global float *restrict B, global float *restrict out)
{
    int gid1 = get_global_id(1);
    int gid0 = get_global_id(0);
    float acc_0 = 0.0f, acc_1 = 0.0f, acc_2 = 0.0f, acc_3 = 0.0f;
    for (int i = 0; i < 64; i++) {
        float y = B[gid0 + 64*i];
        acc_0 = fma(A[256*gid1 + i], y, acc_0);
        acc_1 = fma(A[64*(4*gid1 + 1) + i], y, acc_1);
        acc_2 = fma(A[64*(4*gid1 + 2) + i], y, acc_2);
        acc_3 = fma(A[64*(4*gid1 + 3) + i], y, acc_3);
    }
    out[gid0 + 256*gid1] = acc_0;
    out[64*(4*gid1 + 1) + gid0] = acc_1;
    out[64*(4*gid1 + 2) + gid0] = acc_2;
    out[64*(4*gid1 + 3) + gid0] = acc_3;
}
