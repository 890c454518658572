> # by texels: a vector is one, a scalar is a component
> let scaled (A: [N][M]f32) = mapGlobal 1 (\row -> asScalar (mapGlobal 0 (mapVec (\x -> 2 * x + 1)) (asVector 4 row))) A
scaled : [N][M]f32 -> [N][M]f32
> apply toImage at /in
@1  toImage  at /in                     builtin    from @0
  - A
  + toImage A
  type   [N][M]f32                    unchanged
  focus  /  ->  /                     4 moves here
> data N = 6, M = 8
> code
/* scaled@1  ef4bbe583c74b8c8
 *   @1 toImage at /in
 * N=6  M=8
 */

#pragma OPENCL FP_CONTRACT OFF

#ifndef LATHE_NEAREST
#define LATHE_NEAREST
constant sampler_t lathe_nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
#endif

__attribute__((reqd_work_group_size(2, 1, 1)))
kernel void scaled_k0(global float *restrict out, read_only image2d_t A_image)
{
    int gid1 = get_global_id(1);
    int gid0 = get_global_id(0);
    vstore4(2.0f * read_imagef(A_image, lathe_nearest, (int2)(gid0, gid1)) + 1.0f, 0,
            out + 4*(gid0 + 2*gid1));
}
> let turned (A: [N][M]f32) = mapGlobal 1 (mapGlobal 0 (\x -> 2 * x + 1)) (transpose (toImage A))
turned : [N][M]f32 -> [M][N]f32
> data N = 7, M = 12
> code
/* turned@0  5e11f6f3c732c39a
 * N=7  M=12
 */

#pragma OPENCL FP_CONTRACT OFF

#ifndef LATHE_NEAREST
#define LATHE_NEAREST
constant sampler_t lathe_nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
#endif

#ifndef LATHE_LANE_float
#define LATHE_LANE_float
static float lathe_lane_float4(float4 v, int i)
{
    return i < 2 ? (i ? v.s1 : v.s0) : i == 2 ? v.s2 : v.s3;
}
#endif

__attribute__((reqd_work_group_size(7, 1, 1)))
kernel void turned_k0(global float *restrict out, read_only image2d_t A_image)
{
    int gid1 = get_global_id(1);
    int gid0 = get_global_id(0);
    out[gid0 + 7*gid1] = 2.0f
            * lathe_lane_float4(read_imagef(A_image, lathe_nearest, (int2)(gid1/4, gid0)), gid1%4) + 1.0f;
}
> # f64 through its bits, vectors of two texels, integers
> let wide (x: [N]f64) = asScalar (mapGlobal 0 (mapVec (\v -> v + 1)) (asVector 4 (toImage x)))
wide : [N]f64 -> [N]f64
> code
/* wide@0  0637bd5b492b59b4
 * needs 4 divides N  (asVector 4 at /in/in)
 * needs 2 divides N  (toImage at /in/in/in)
 */

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

#ifndef LATHE_NEAREST
#define LATHE_NEAREST
constant sampler_t lathe_nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
#endif

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void wide_k0(global double *restrict out, read_only image2d_t x_image,
                    int N)
{
    int gid0 = get_global_id(0);
    if (gid0 < N/4) {
        vstore4((double4)(as_double2(read_imageui(x_image, lathe_nearest, (int2)(2*gid0, 0))),
                as_double2(read_imageui(x_image, lathe_nearest, (int2)(2*gid0 + 1, 0)))) + 1.0, gid0, out);
    }
}
> let three (x: [N]i32) (y: [N]i64) (z: [N]u32) = mapGlobal 0 (\(a, b, c) -> (a + 1, b + 2, c)) (zip (toImage x) (toImage y) (toImage z))
three : [N]i32 -> [N]i64 -> [N]u32 -> [N](i32, i64, u32)
> data N = 64
> code
/* three@0  8cb79c3135139ebd
 * N=64
 */

#ifndef LATHE_NEAREST
#define LATHE_NEAREST
constant sampler_t lathe_nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
#endif

#ifndef LATHE_LANE_int
#define LATHE_LANE_int
static int lathe_lane_int4(int4 v, int i)
{
    return i < 2 ? (i ? v.s1 : v.s0) : i == 2 ? v.s2 : v.s3;
}
#endif

#ifndef LATHE_LANE_long
#define LATHE_LANE_long
static long lathe_lane_long2(long2 v, int i)
{
    return i ? v.s1 : v.s0;
}
#endif

#ifndef LATHE_LANE_uint
#define LATHE_LANE_uint
static uint lathe_lane_uint4(uint4 v, int i)
{
    return i < 2 ? (i ? v.s1 : v.s0) : i == 2 ? v.s2 : v.s3;
}
#endif

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void three_k0(global int *restrict out_0, global long *restrict out_1,
                     global uint *restrict out_2, read_only image2d_t x_image,
                     read_only image2d_t y_image, read_only image2d_t z_image)
{
    int gid0 = get_global_id(0);
    out_0[gid0] = (int)((uint)lathe_lane_int4(read_imagei(x_image, lathe_nearest, (int2)(gid0/4, 0)),
            gid0%4) + 1);
    out_1[gid0] = (long)((ulong)lathe_lane_long2(as_long2(read_imageui(y_image, lathe_nearest,
            (int2)(gid0/2, 0))), gid0%2) + 2L);
    out_2[gid0] = lathe_lane_uint4(read_imageui(z_image, lathe_nearest, (int2)(gid0/4, 0)), gid0%4);
}
> # a temporary: the plan has a buffer and its image
> let later (A: [N][M]f32) = let t = toGlobal (mapGlobal 1 (mapGlobal 0 (\x -> x + 1)) A) in mapGlobal 1 (mapGlobal 0 (\v -> v * 2)) (transpose (toImage t))
later : [N][M]f32 -> [M][N]f32
  inlined  t: used once (letDuplicate)
> data N = 7, M = 12
> plan
later_k0   12 x 7 work-items, groups of 12x1
   A tmp
   limited by starting kernels and groups: 2.04 us of the 2.05 us expected
later_k1   7 x 12 work-items, groups of 7x1
   out tmp_image
   limited by starting kernels and groups: 2.06 us of the 2.49 us expected
A            84 f32, input
out          84 f32, output
tmp          84 f32, temporary, made by later_k0, 336 bytes
tmp_image    84 f32, image of tmp, 7 rows of 3 texels
temporaries 336 bytes
> # the state of a loop
> let steps (A: [N][M]f32) = reduceHost (\(s, k) -> mapGlobal 1 (mapGlobal 0 (\v -> v * 0.5 + 1)) (toImage s)) A (iota 5)
steps : [N][M]f32 -> [N][M]f32
> data N = 8, M = 8
> plan
steps_k0   8 x 8 work-items, groups of 8x1
   s_next s_image
   limited by starting kernels and groups: 10.2 us of the 11.8 us expected
loop: steps_k0, rounds: 5
   s is A first, then s_next of the round before; s_next is out and s_spare in turn
A            64 f32, input
out          64 f32, output
s_spare      64 f32, temporary, stands for s, 256 bytes
s_image      64 f32, image of s, 8 rows of 2 texels
temporaries 256 bytes
> # what has none
> let narrow (A: [N][M]i16) = toImage A
E04 toImage: no image holds elements of [N][M]i16
  let:1:25
  | narrow (A: [N][M]i16) = toImage A
  |                         ^~~~~~~~~
  needs   numbers of 4 or 8 bytes, or vectors of them; of tuples, an image for each component
> let pairs (A: [N][M](f32, f32)) = toImage A
E04 toImage: no image holds elements of [N][M](f32, f32)
  let:1:31
  | pairs (A: [N][M](f32, f32)) = toImage A
  |                               ^~~~~~~~~
  needs   numbers of 4 or 8 bytes, or vectors of them; of tuples, an image for each component
> let odd (A: [N][7]f32) = map (map (\x -> x + 1)) A
odd : [N][7]f32 -> [N][7]f32
> why toImage at /in
toImage does not apply at /in
  rule    x  =>  toImage x  when image x
  needs   image x
  found   a texel holds 4 elements, and a row 7
  try     apply flattenMaps at / ; apply toImage at /in/in
> let plain (A: [N][M]f32) = map (map (\x -> x + 1)) (map (map (\x -> x * 2)) A)
plain : [N][M]f32 -> [N][M]f32
> why toImage at /in
toImage does not apply at /in
  rule    x  =>  toImage x  when image x
  needs   image x
  found   it is neither an input, whole, nor under toGlobal
  near    /in/in: A
  try     apply toImage at /in/in
> apply toImage at /in/in
@1  toImage  at /in/in                  builtin    from @0
  - A
  + toImage A
  type   [N][M]f32                    unchanged
  focus  /  ->  /                     17 moves here
> why toImage at /in/in/in
toImage does not apply at /in/in/in
  rule    x  =>  toImage x  when image x
  needs   image x
  found   it is read as an image already
  try     moves /in/in/in
> let within (A: [N][M]f32) = mapGlobal 0 (\r -> reduceSeq (+) 0 (toImage r)) A
within : [N][M]f32 -> [N]f32
> code
E53 toImage takes a whole input, or what toGlobal makes: copy what is to be read, toGlobal (mapGlobal ...)
  at      /f/body/in
> let both (A: [N][M]f32) = mapGlobal 0 (\r -> reduceSeq (+) 0 r) (toImage A)
both : [N][M]f32 -> [N]f32
> code --dialect cuda
E53 both_k0 has A_image, and kernels in CUDA C have no images: take toImage and toGlobalImage away
  at      /
> data N = 4, M = 8
> export cl both.cl ; ! head -6 both.cl
both.cl written
/* To run: build this text with clBuildProgram; launch the kernels in this order on one queue.
 * both_k0   global (4, 1, 1)   local (4, 1, 1)
 *    0  out          buffer, output: 4 f32 of 4 bytes
 *    1  A_image      image of CL_RGBA, CL_FLOAT: the content of A, 4 rows of 2 texels
 */
/* both@0  724d1c8be24877f9
> # written: all of a texel at a time
> let made (A: [N][M]f64) = mapGlobal 1 (\r -> asScalar (mapGlobal 0 (mapVec (\x -> x + 1)) (asVector 4 r))) A
made : [N][M]f64 -> [N][M]f64
> apply toGlobalImage
@1  toGlobalImage  at /                 builtin    from @0
  - mapGlobal 1 (asScalar ∘ mapGlobal 0 (mapVec (λv → v + 1)) ∘ asVector 4) A
  + toGlobalImage ∘ mapGlobal 1 (asScalar ∘ mapGlobal 0 (mapVec (λv → v + 1)) ∘ asVector 4) $ A
  type   [N][M]f64                    unchanged
  focus  /  ->  /                     5 moves here
> code | tail -12
kernel void made_k0(const global double *restrict A,
                    write_only image2d_t out_image, int M)
{
    int gid1 = get_global_id(1);
    int gid0 = get_global_id(0);
    if (gid0 < M/4) {
        write_imageui(out_image, (int2)(2*gid0, gid1),
                as_uint4((vload4(0, A + M*gid1 + 4*gid0) + 1.0).s01)),
                write_imageui(out_image, (int2)(2*gid0 + 1, gid1),
                as_uint4((vload4(0, A + M*gid1 + 4*gid0) + 1.0).s23));
    }
}
> plan
made_k0   64*((M/4 + 63) // 64) x N work-items, groups of 64x1
   A out_image
   limited by loads and stores: 9.03 us of the 21.4 us expected at default sizes
A            M*N f64, input
out          M*N f64, output
out_image    M*N f64, image of out, N rows of M/2 texels
> export cl made.cl ; ! head -5 made.cl
made.cl written
/* To run: build this text with clBuildProgram; launch the kernels in this order on one queue.
 * made_k0   global (64*((M/4 + 63) // 64), N, 1)   local (64, 1, 1)
 *    0  A            buffer, input: M*N f64 of 8 bytes
 *    1  out_image    image of CL_RGBA, CL_UNSIGNED_INT32: the content of out, copied there after the launch, N rows of M/2 texels
 *    2  M            i32 by value, the size
> why toGlobalImage
toGlobalImage does not apply at /
  rule    x  =>  toGlobalImage x  when imageOut x and not under map and not under mapGlobal and not under mapWorkgroup and not under reduceHost
  needs   imageOut x
  found   it is written to an image already
  when    imageOut x: no, it is written to an image already
  when    not under map: yes, not under map
  when    not under mapGlobal: yes, not under mapGlobal
  when    not under mapWorkgroup: yes, not under mapWorkgroup
  when    not under reduceHost: yes, not under reduceHost
  near    /in/in: A
  try     apply toGlobalImage at /in/in
> why toGlobalImage at /in
toGlobalImage does not apply at /in
  rule    x  =>  toGlobalImage x  when imageOut x and not under map and not under mapGlobal and not under mapWorkgroup and not under reduceHost
  needs   imageOut x
  found   it is written to an image already
  when    imageOut x: no, it is written to an image already
  when    not under map: yes, not under map
  when    not under mapGlobal: yes, not under mapGlobal
  when    not under mapWorkgroup: yes, not under mapWorkgroup
  when    not under reduceHost: yes, not under reduceHost
  near    /in/in: A
  try     apply toGlobalImage at /in/in
> why toGlobalImage at /in/f/body
toGlobalImage does not apply at /in/f/body
  rule    x  =>  toGlobalImage x  when imageOut x and not under map and not under mapGlobal and not under mapWorkgroup and not under reduceHost
  needs   not under mapGlobal
  found   under mapGlobal
  when    imageOut x: yes, 2 divides M is a fact from now on
  when    not under map: yes, not under map
  when    not under mapGlobal: no, under mapGlobal
  when    not under mapWorkgroup: yes, not under mapWorkgroup
  when    not under reduceHost: yes, not under reduceHost
  near    /in/in: A
  try     apply toGlobalImage at /in/in
> # what the next kernel reads, without a copy between them; and as a buffer besides, which is a copy of it
> let passed (A: [N][M]i32) = mapGlobal 1 (\r -> asScalar (mapGlobal 0 (mapVec (\x -> x * 2)) (asVector 4 r))) (toImage (toGlobalImage (mapGlobal 1 (\r -> asScalar (mapGlobal 0 (mapVec (\x -> x + 1)) (asVector 4 r))) A)))
passed : [N][M]i32 -> [N][M]i32
> code | grep -A 8 'kernel void'
kernel void passed_k0(const global int *restrict A,
                      write_only image2d_t tmp_image, int M)
{
    int gid1 = get_global_id(1);
    int gid0 = get_global_id(0);
    if (gid0 < M/4) {
        write_imagei(tmp_image, (int2)(gid0, gid1), as_int4(as_uint4(vload4(0, A + M*gid1 + 4*gid0)) + 1));
    }
}
--
kernel void passed_k1(global int *restrict out, read_only image2d_t tmp_image,
                      int M)
{
    int gid1 = get_global_id(1);
    int gid0 = get_global_id(0);
    if (gid0 < M/4) {
        vstore4(as_int4(as_uint4(read_imagei(tmp_image, lathe_nearest, (int2)(gid0, gid1))) * 2), 0,
                out + M*gid1 + 4*gid0);
    }
> let besides (A: [N][M]f32) = (\t -> mapGlobal 1 (\(p, q) -> mapGlobal 0 (\(x, y) -> x * y) (zip p q)) (zip t (toImage t))) (toGlobalImage (mapGlobal 1 (\r -> asScalar (mapGlobal 0 (mapVec (\x -> x + 1)) (asVector 4 r))) A))
besides : [N][M]f32 -> [N][M]f32
> # another image of it, with other rows
> let folded (A: [N][M]f32) = mapGlobal 0 (\r -> reduceSeq (+) 0 r) (toImage (split 16 (join (toGlobalImage (mapGlobal 1 (\r -> asScalar (mapGlobal 0 (mapVec (\x -> x + 1)) (asVector 4 r))) A)))))
folded : [N][M]f32 -> [M*N/16]f32
> plan | grep image
   A tmp_image
   out tmp_image2
tmp_image    M*N f32, image of tmp, N rows of M/4 texels
tmp_image2   M*N f32, image of tmp, M*N/16 rows of 4 texels
> # what cannot be
> let parts (A: [N][M]f32) = toGlobalImage (mapGlobal 1 (mapGlobal 0 (\x -> x + 1)) A)
parts : [N][M]f32 -> [N][M]f32
> code
E53 out_image is written in parts of a texel: an image takes whole ones, vectors of 4 elements (asScalar (mapSeq ... (asVector 4 ...)))
  at      /in/f/body/f/body
> let inner (A: [N][M]f32) = mapGlobal 0 (\r -> toGlobalImage (mapSeq (\x -> x + 1) r)) A
inner : [N][M]f32 -> [N][M]f32
> code
E53 toGlobalImage takes all of a result, or of what another kernel reads: it stands outside of every parallel map and of every loop of launches
  at      /f/body
> let again (A: [N][M]f32) = reduceHost (\(s, i) -> toGlobalImage (mapGlobal 1 (\r -> asScalar (mapGlobal 0 (mapVec (\x -> x + 1)) (asVector 4 r))) s)) A (iota 3)
again : [N][M]f32 -> [N][M]f32
> code | head -3
E53 toGlobalImage takes all of a result, or of what another kernel reads: it stands outside of every parallel map and of every loop of launches
  at      /f/body
> let fed (A: [N][M]f32) = mapGlobal 0 (\r -> reduceSeq (\(a, x) -> mapSeq (\(p, q) -> p + q) (zip a x)) (toGlobal (mapSeq id (generate 4 (\i -> 0.0)))) (split 4 r)) A |> toGlobalImage
fed : [N][M]f32 -> [N][4]f32
> code
E53 out_image is written in parts of a texel: an image takes whole ones, vectors of 4 elements (asScalar (mapSeq ... (asVector 4 ...)))
  at      /in/f/body/f/body/f/body/1
> use made ; goto @1 ; code --dialect cuda
@1  toGlobalImage
    toGlobalImage ∘ mapGlobal 1 (asScalar ∘ mapGlobal 0 (mapVec (λv → v + 1)) ∘ asVector 4) $ A
E53 made_k0 has out_image, and kernels in CUDA C have no images: take toImage and toGlobalImage away
  at      /in
