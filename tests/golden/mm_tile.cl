__attribute__((reqd_work_group_size(1, 1, 1)))
kernel void mm_k0(const global float *restrict A, const global float *restrict B, global float *restrict out)
{
    local float t[512] __attribute__((aligned(64)));
    int wg1 = get_group_id(1);
    int wg0 = get_group_id(0);
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 8; j++) {
            for (int k = 0; k < 32; k++) {
                out[512*(i + 2*wg1) + 32*(2*j + wg0) + k] = 0.0f;
            }
        }
    }
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 16; j++) {
            vstore16(vload16(4*(16*i + j) + 2*wg0, B), 2*j, t);
            vstore16(vload16(4*(16*i + j) + 2*wg0 + 1, B), 2*j + 1, t);
        }
        for (int j = 0; j < 2; j++) {
            float16 r_0, r_1, r_2, r_3, r_4, r_5, r_6, r_7, r_8, r_9, r_10, r_11, r_12, r_13,
                r_14, r_15;
            r_0 = vload16(32*(j + 2*wg1) + 2*wg0, out);
            r_1 = vload16(32*(j + 2*wg1) + 2*wg0 + 1, out);
            r_2 = vload16(32*(j + 2*wg1) + 2*wg0 + 4, out);
            r_3 = vload16(32*(j + 2*wg1) + 2*wg0 + 5, out);
            r_4 = vload16(32*(j + 2*wg1) + 2*wg0 + 8, out);
            r_5 = vload16(32*(j + 2*wg1) + 2*wg0 + 9, out);
            r_6 = vload16(32*(j + 2*wg1) + 2*wg0 + 12, out);
            r_7 = vload16(32*(j + 2*wg1) + 2*wg0 + 13, out);
            r_8 = vload16(32*(j + 2*wg1) + 2*wg0 + 16, out);
            r_9 = vload16(32*(j + 2*wg1) + 2*wg0 + 17, out);
            r_10 = vload16(32*(j + 2*wg1) + 2*wg0 + 20, out);
            r_11 = vload16(32*(j + 2*wg1) + 2*wg0 + 21, out);
            r_12 = vload16(32*(j + 2*wg1) + 2*wg0 + 24, out);
            r_13 = vload16(32*(j + 2*wg1) + 2*wg0 + 25, out);
            r_14 = vload16(32*(j + 2*wg1) + 2*wg0 + 28, out);
            r_15 = vload16(32*(j + 2*wg1) + 2*wg0 + 29, out);
            for (int k = 0; k < 16; k++) {
                float a = A[512*(j + 2*wg1) + 16*i + k];
                r_0 = fma((float16)(a), vload16(2*k, t), r_0);
                r_1 = fma((float16)(a), vload16(2*k + 1, t), r_1);
                float a2 = A[512*(j + 2*wg1) + 16*i + k + 64];
                r_2 = fma((float16)(a2), vload16(2*k, t), r_2);
                r_3 = fma((float16)(a2), vload16(2*k + 1, t), r_3);
                float a3 = A[512*(j + 2*wg1) + 16*i + k + 128];
                r_4 = fma((float16)(a3), vload16(2*k, t), r_4);
                r_5 = fma((float16)(a3), vload16(2*k + 1, t), r_5);
                float a4 = A[512*(j + 2*wg1) + 16*i + k + 192];
                r_6 = fma((float16)(a4), vload16(2*k, t), r_6);
                r_7 = fma((float16)(a4), vload16(2*k + 1, t), r_7);
                float a5 = A[512*(j + 2*wg1) + 16*i + k + 256];
                r_8 = fma((float16)(a5), vload16(2*k, t), r_8);
                r_9 = fma((float16)(a5), vload16(2*k + 1, t), r_9);
                float a6 = A[512*(j + 2*wg1) + 16*i + k + 320];
                r_10 = fma((float16)(a6), vload16(2*k, t), r_10);
                r_11 = fma((float16)(a6), vload16(2*k + 1, t), r_11);
                float a7 = A[512*(j + 2*wg1) + 16*i + k + 384];
                r_12 = fma((float16)(a7), vload16(2*k, t), r_12);
                r_13 = fma((float16)(a7), vload16(2*k + 1, t), r_13);
                float a8 = A[512*(j + 2*wg1) + 16*i + k + 448];
                r_14 = fma((float16)(a8), vload16(2*k, t), r_14);
                r_15 = fma((float16)(a8), vload16(2*k + 1, t), r_15);
            }
            vstore16(r_0, 32*(j + 2*wg1) + 2*wg0, out);
            vstore16(r_1, 32*(j + 2*wg1) + 2*wg0 + 1, out);
            vstore16(r_2, 32*(j + 2*wg1) + 2*wg0 + 4, out);
            vstore16(r_3, 32*(j + 2*wg1) + 2*wg0 + 5, out);
            vstore16(r_4, 32*(j + 2*wg1) + 2*wg0 + 8, out);
            vstore16(r_5, 32*(j + 2*wg1) + 2*wg0 + 9, out);
            vstore16(r_6, 32*(j + 2*wg1) + 2*wg0 + 12, out);
            vstore16(r_7, 32*(j + 2*wg1) + 2*wg0 + 13, out);
            vstore16(r_8, 32*(j + 2*wg1) + 2*wg0 + 16, out);
            vstore16(r_9, 32*(j + 2*wg1) + 2*wg0 + 17, out);
            vstore16(r_10, 32*(j + 2*wg1) + 2*wg0 + 20, out);
            vstore16(r_11, 32*(j + 2*wg1) + 2*wg0 + 21, out);
            vstore16(r_12, 32*(j + 2*wg1) + 2*wg0 + 24, out);
            vstore16(r_13, 32*(j + 2*wg1) + 2*wg0 + 25, out);
            vstore16(r_14, 32*(j + 2*wg1) + 2*wg0 + 28, out);
            vstore16(r_15, 32*(j + 2*wg1) + 2*wg0 + 29, out);
        }
    }
}
