#pragma OPENCL FP_CONTRACT OFF

__attribute__((reqd_work_group_size(1, 1, 1)))
kernel void mm_k0(const global float *restrict A,
                  const global float *restrict B, global float *restrict out)
{
    local float t[512] __attribute__((aligned(64)));
    int wg1 = get_group_id(1);
    int wg0 = get_group_id(0);
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 8; j++) {
            for (int k = 0; k < 32; k++) {
                out[64*(8*(i + 2*wg1) + j) + k + 32*wg0] = 0.0f;
            }
        }
    }
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 16; j++) {
            vstore16(vload16(0, B + 64*(16*i + j) + 32*wg0), 0, t + 32*j);
            vstore16(vload16(0, B + 64*(16*i + j) + 32*wg0 + 16), 0, t + 32*j + 16);
        }
        for (int j = 0; j < 2; j++) {
            float16 r_0 = vload16(0, out + 512*(j + 2*wg1) + 32*wg0);
            float16 r_1 = vload16(0, out + 512*(j + 2*wg1) + 32*wg0 + 16);
            float16 r_2 = vload16(0, out + 64*(8*(j + 2*wg1) + 1) + 32*wg0);
            float16 r_3 = vload16(0, out + 64*(8*(j + 2*wg1) + 1) + 32*wg0 + 16);
            float16 r_4 = vload16(0, out + 64*(8*(j + 2*wg1) + 2) + 32*wg0);
            float16 r_5 = vload16(0, out + 64*(8*(j + 2*wg1) + 2) + 32*wg0 + 16);
            float16 r_6 = vload16(0, out + 64*(8*(j + 2*wg1) + 3) + 32*wg0);
            float16 r_7 = vload16(0, out + 64*(8*(j + 2*wg1) + 3) + 32*wg0 + 16);
            float16 r_8 = vload16(0, out + 64*(8*(j + 2*wg1) + 4) + 32*wg0);
            float16 r_9 = vload16(0, out + 64*(8*(j + 2*wg1) + 4) + 32*wg0 + 16);
            float16 r_10 = vload16(0, out + 64*(8*(j + 2*wg1) + 5) + 32*wg0);
            float16 r_11 = vload16(0, out + 64*(8*(j + 2*wg1) + 5) + 32*wg0 + 16);
            float16 r_12 = vload16(0, out + 64*(8*(j + 2*wg1) + 6) + 32*wg0);
            float16 r_13 = vload16(0, out + 64*(8*(j + 2*wg1) + 6) + 32*wg0 + 16);
            float16 r_14 = vload16(0, out + 64*(8*(j + 2*wg1) + 7) + 32*wg0);
            float16 r_15 = vload16(0, out + 64*(8*(j + 2*wg1) + 7) + 32*wg0 + 16);
            for (int k = 0; k < 16; k++) {
                float a = A[512*(j + 2*wg1) + 16*i + k];
                r_0 = fma((float16)(a), vload16(0, t + 32*k), r_0);
                r_1 = fma((float16)(a), vload16(0, t + 32*k + 16), r_1);
                float a2 = A[64*(8*(j + 2*wg1) + 1) + 16*i + k];
                r_2 = fma((float16)(a2), vload16(0, t + 32*k), r_2);
                r_3 = fma((float16)(a2), vload16(0, t + 32*k + 16), r_3);
                float a3 = A[64*(8*(j + 2*wg1) + 2) + 16*i + k];
                r_4 = fma((float16)(a3), vload16(0, t + 32*k), r_4);
                r_5 = fma((float16)(a3), vload16(0, t + 32*k + 16), r_5);
                float a4 = A[64*(8*(j + 2*wg1) + 3) + 16*i + k];
                r_6 = fma((float16)(a4), vload16(0, t + 32*k), r_6);
                r_7 = fma((float16)(a4), vload16(0, t + 32*k + 16), r_7);
                float a5 = A[64*(8*(j + 2*wg1) + 4) + 16*i + k];
                r_8 = fma((float16)(a5), vload16(0, t + 32*k), r_8);
                r_9 = fma((float16)(a5), vload16(0, t + 32*k + 16), r_9);
                float a6 = A[64*(8*(j + 2*wg1) + 5) + 16*i + k];
                r_10 = fma((float16)(a6), vload16(0, t + 32*k), r_10);
                r_11 = fma((float16)(a6), vload16(0, t + 32*k + 16), r_11);
                float a7 = A[64*(8*(j + 2*wg1) + 6) + 16*i + k];
                r_12 = fma((float16)(a7), vload16(0, t + 32*k), r_12);
                r_13 = fma((float16)(a7), vload16(0, t + 32*k + 16), r_13);
                float a8 = A[64*(8*(j + 2*wg1) + 7) + 16*i + k];
                r_14 = fma((float16)(a8), vload16(0, t + 32*k), r_14);
                r_15 = fma((float16)(a8), vload16(0, t + 32*k + 16), r_15);
            }
            vstore16(r_0, 0, out + 512*(j + 2*wg1) + 32*wg0);
            vstore16(r_1, 0, out + 512*(j + 2*wg1) + 32*wg0 + 16);
            vstore16(r_2, 0, out + 64*(8*(j + 2*wg1) + 1) + 32*wg0);
            vstore16(r_3, 0, out + 64*(8*(j + 2*wg1) + 1) + 32*wg0 + 16);
            vstore16(r_4, 0, out + 64*(8*(j + 2*wg1) + 2) + 32*wg0);
            vstore16(r_5, 0, out + 64*(8*(j + 2*wg1) + 2) + 32*wg0 + 16);
            vstore16(r_6, 0, out + 64*(8*(j + 2*wg1) + 3) + 32*wg0);
            vstore16(r_7, 0, out + 64*(8*(j + 2*wg1) + 3) + 32*wg0 + 16);
            vstore16(r_8, 0, out + 64*(8*(j + 2*wg1) + 4) + 32*wg0);
            vstore16(r_9, 0, out + 64*(8*(j + 2*wg1) + 4) + 32*wg0 + 16);
            vstore16(r_10, 0, out + 64*(8*(j + 2*wg1) + 5) + 32*wg0);
            vstore16(r_11, 0, out + 64*(8*(j + 2*wg1) + 5) + 32*wg0 + 16);
            vstore16(r_12, 0, out + 64*(8*(j + 2*wg1) + 6) + 32*wg0);
            vstore16(r_13, 0, out + 64*(8*(j + 2*wg1) + 6) + 32*wg0 + 16);
            vstore16(r_14, 0, out + 64*(8*(j + 2*wg1) + 7) + 32*wg0);
            vstore16(r_15, 0, out + 64*(8*(j + 2*wg1) + 7) + 32*wg0 + 16);
        }
    }
}
