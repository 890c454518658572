> let even (xs: [8]f32) (w: f32) = mapGlobal 0 (mapSeqUnroll (\x -> let y = x * w in y * y + x)) (split 4 xs)
even : [8]f32 -> f32 -> [2][4]f32
> code
/* even@0  36a52a90083537b5
 */

#pragma OPENCL FP_CONTRACT OFF

__attribute__((reqd_work_group_size(2, 1, 1)))
kernel void even_k0(const global float *restrict xs, float w,
                    global float *restrict out)
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
    out[4*gid0 + 2] = x3 < 3 ? (int)((uint)x3 * 2) : 2;
    int x4 = xs[4*gid0 + 3];
    out[4*gid0 + 3] = x4 < 3 ? (int)((uint)x4 * 3) : 3;
}
> let squares (xs: [8]f32) = mapGlobal 0 (\c -> mapSeqUnroll (\i -> at (i * i / 3) c) (generate 4 (\i -> i))) (split 4 xs)
squares : [8]f32 -> [2][4]f32
> code
/* squares@0  2de5a89652c28ade
 */

#pragma OPENCL FP_CONTRACT OFF

__attribute__((reqd_work_group_size(2, 1, 1)))
kernel void squares_k0(const global float *restrict xs,
                       global float *restrict out)
{
    int gid0 = get_global_id(0);
    out[4*gid0] = xs[4*gid0];
    out[4*gid0 + 1] = xs[4*gid0];
    out[4*gid0 + 2] = xs[4*gid0 + 1];
    out[4*gid0 + 3] = xs[4*gid0 + 3];
}
> # what failed before an unrolled body stays failed
> set verbose 0
> load tests/programs/mm_tn.fun
mm_tn : [K][N]f32 -> [K][M]f32 -> [N][M]f32
> apply reducePartIntro(3) at /f/body/f/body
@1  reducePartIntro(3)  at /f/body/f/body  builtin    from @0
> apply reduceSeq at /f/body/f/body
@2  reduceSeq  at /f/body/f/body        builtin    from @1
> apply reduceUnroll at /f/body/f/body
@3  reduceUnroll  at /f/body/f/body     builtin    from @2
> apply mapStride at /f/body
@4  mapStride{s=s0}  at /f/body         builtin    from @3
> apply mapWorkgroup(1) at /
@5  mapWorkgroup(1)  at /               builtin    from @4
> apply mapStrideChunks{s=8, w=2} at /f/body/in/f/body/in/in
@6  mapStrideChunks{s=8, w=2}  at /f/body/in/f/body/in/in  builtin    from @5
> apply splitJoin(2) at /f/body/in/f/body/in/in/in/in/in
@7  splitJoin(2)  at /f/body/in/f/body/in/in/in/in/in  builtin    from @6
> apply mapLocal(2) at /f/body/in/f/body/in/in/in/in/in/in
@8  mapLocal(2)  at /f/body/in/f/body/in/in/in/in/in/in  builtin    from @7
> param s0 = 3
@9  param s0 = 3        from @8
> data M = 3
> data N = 1
> data K = 48
> lower
@10  lower                              builtin    from @9
> set sizes argument
> code
E53 a local array needs a constant size, and K of [24*(K/48)][2]f32 is not a number
  at      /f/body/in/f/body/in/in/in/in/in/in/in/in
  try     data K = 64 ; set sizes constant
  or      goto @9 ; lower
