__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void mm_k0(const global float *restrict A, const global float *restrict B, global float *restrict out)
{
    int gid1 = get_global_id(1);
    int gid0 = get_global_id(0);
    float r_0, r_1, r_2, r_3;
    r_0 = 0.0f;
    r_1 = 0.0f;
    r_2 = 0.0f;
    r_3 = 0.0f;
    for (int i = 0; i < 64; i++) {
        float y = B[gid0 + 64*i];
        r_0 = fma(A[256*gid1 + i], y, r_0);
        r_1 = fma(A[64*(4*gid1 + 1) + i], y, r_1);
        r_2 = fma(A[64*(4*gid1 + 2) + i], y, r_2);
        r_3 = fma(A[64*(4*gid1 + 3) + i], y, r_3);
    }
    out[gid0 + 256*gid1] = r_0;
    out[64*(4*gid1 + 1) + gid0] = r_1;
    out[64*(4*gid1 + 2) + gid0] = r_2;
    out[64*(4*gid1 + 3) + gid0] = r_3;
}
