__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void turn_k0(const global float *restrict xs, global float *restrict out)
{
    local float tile[64] __attribute__((aligned(64)));
    int wg0 = get_group_id(0);
    int l0 = get_local_id(0);
    tile[l0] = xs[l0 + 64*wg0] * 2.0f;
    out[l0 + 64*wg0] = tile[63 - l0] + 1.0f;
}
