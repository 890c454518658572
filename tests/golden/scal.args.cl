#pragma OPENCL FP_CONTRACT OFF

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void scal_k0(float alpha, const global float *restrict xs,
                    global float *restrict out, int N)
{
    int gid0 = get_global_id(0);
    if (gid0 < N) {
        out[gid0] = xs[gid0] * alpha;
    }
}
