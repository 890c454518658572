__attribute__((reqd_work_group_size(256, 1, 1)))
kernel void vectorScal_k0(const global int *restrict xs,
                          global int *restrict out)
{
    int wg0 = get_group_id(0);
    int l0 = get_local_id(0);
    vstore4(as_int4(as_uint4(vload4(l0 + 256*wg0, xs)) * 3), l0 + 256*wg0, out);
}
