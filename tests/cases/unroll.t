> let even (xs: [8]f32) (w: f32) = mapGlobal 0 (mapSeqUnroll (\x -> let y = x * w in y * y + x)) (split 4 xs)
even : [8]f32 -> f32 -> [2][4]f32
> code
/* even@0  36a52a90083537b5
 */

__attribute__((reqd_work_group_size(2, 1, 1)))
kernel void even_k0(const global float *restrict xs, float w, global float *restrict out)
{
    int gid0 = get_global_id(0);
    float x = xs[4*gid0];
    float y = x * w;
    out[4*gid0] = y * y + x;
    float x2 = xs[4*gid0 + 1];
    float y2 = x2 * w;
    out[4*gid0 + 1] = y2 * y2 + x2;
    float x3 = xs[4*gid0 + 2];
    float y3 = x3 * w;
    out[4*gid0 + 2] = y3 * y3 + x3;
    float x4 = xs[4*gid0 + 3];
    float y4 = x4 * w;
    out[4*gid0 + 3] = y4 * y4 + x4;
}
> let odd (xs: [8]i32) = mapGlobal 0 (\c -> mapSeqUnroll (\(x, i) -> if x < 3 then x * i else i) (zip c (generate 4 (\i -> i)))) (split 4 xs)
odd : [8]i32 -> [2][4]i32
> code
/* odd@0  d08f630a3ddb7723
 */

__attribute__((reqd_work_group_size(2, 1, 1)))
kernel void odd_k0(const global int *restrict xs, global int *restrict out)
{
    int gid0 = get_global_id(0);
    int x = xs[4*gid0];
    out[4*gid0] = x < 3 ? x * 0 : 0;
    int x2 = xs[4*gid0 + 1];
    out[4*gid0 + 1] = x2 < 3 ? x2 * 1 : 1;
    int x3 = xs[4*gid0 + 2];
    out[4*gid0 + 2] = x3 < 3 ? x3 * 2 : 2;
    int x4 = xs[4*gid0 + 3];
    out[4*gid0 + 3] = x4 < 3 ? x4 * 3 : 3;
}
> let squares (xs: [8]f32) = mapGlobal 0 (\c -> mapSeqUnroll (\i -> at (i * i / 3) c) (generate 4 (\i -> i))) (split 4 xs)
squares : [8]f32 -> [2][4]f32
> code
/* squares@0  2de5a89652c28ade
 */

__attribute__((reqd_work_group_size(2, 1, 1)))
kernel void squares_k0(const global float *restrict xs, global float *restrict out)
{
    int gid0 = get_global_id(0);
    out[4*gid0] = xs[4*gid0];
    out[4*gid0 + 1] = xs[4*gid0];
    out[4*gid0 + 2] = xs[4*gid0 + 1];
    out[4*gid0 + 3] = xs[4*gid0 + 3];
}
