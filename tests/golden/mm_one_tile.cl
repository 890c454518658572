#pragma OPENCL FP_CONTRACT OFF

__attribute__((reqd_work_group_size(32, 1, 1)))
kernel void mm_k0(const global float *restrict A,
                  const global float *restrict B, global float *restrict out)
{
    int gid0 = get_global_id(0);
    for (int i = 0; i < 8; i++) {
        float s = 0.0f;
        for (int j = 0; j < 16; j++) {
            s = fma(A[16*gid0 + j], B[i + 8*j], s);
        }
        out[8*gid0 + i] = s;
    }
}
