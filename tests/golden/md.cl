#pragma OPENCL FP_CONTRACT OFF

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void p_k0(const global float *restrict ps_0,
                 const global float *restrict ps_1,
                 const global float *restrict ps_2,
                 const global int *restrict near, float cut,
                 global float *restrict out_0, global float *restrict out_1,
                 global float *restrict out_2)
{
    int gid0 = get_global_id(0);
    float px = ps_0[gid0];
    float py = ps_1[gid0];
    float pz = ps_2[gid0];
    float ax;
    float ax2;
    float ax3;
    ax = 0.0f;
    ax2 = 0.0f;
    ax3 = 0.0f;
    for (int i = 0; i < 4; i++) {
        int at = near[gid0 + 64*i];
        float dx = px - ps_0[at];
        float dy = py - ps_1[at];
        float dz = pz - ps_2[at];
        if (dx * dx + dy * dy + dz * dz < cut) {
            ax += dx;
            ax2 += dy;
            ax3 += dz;
        }
    }
    out_0[gid0] = ax;
    out_1[gid0] = ax2;
    out_2[gid0] = ax3;
}
