> # integers of every width: each wraps at its own ends, whatever C would make of it
> let ends (xs: [N]i8) = mapGlobal 0 (\x -> (x + 1, x * x - 3, -x, x / 3, shl x (x + 1), min x 5)) xs
ends : [N]i8 -> [N](i8, i8, i8, i8, i8, i8)
> data N = 3
> data xs = [-128, 127, 5]
> eval
@0  [3](i8, i8, i8, i8, i8, i8)    N=3
  [(-127, -3, -128, -43, 0, -128), (-128, -2, -127, 42, 127, 5), ...]
  hash b05bac2df6a4cd18
> code
/* ends@0  c8f34bf53ace9ef1
 * N=3
 */

static int lathe_div_int(int a, int b)
{
    if (b == -1) return (int)-(uint)a;
    int q = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

__attribute__((reqd_work_group_size(3, 1, 1)))
kernel void ends_k0(const global char *restrict xs, global char *restrict out_0,
                    global char *restrict out_1, global char *restrict out_2,
                    global char *restrict out_3, global char *restrict out_4,
                    global char *restrict out_5)
{
    int gid0 = get_global_id(0);
    char x = xs[gid0];
    out_0[gid0] = (char)((uint)x + 1);
    out_1[gid0] = (char)((uint)x * x - 3);
    out_2[gid0] = (char)(-(uint)x);
    out_3[gid0] = (char)lathe_div_int(x, (char)3);
    out_4[gid0] = (char)((uint)x << ((char)((uint)x + 1) & 7));
    out_5[gid0] = min(x, (char)5);
}
> # in vectors, with a scalar beside them
> let lanes (a: u8) (xs: [N]u8) (ys: [N]i8) = asScalar (mapGlobal 0 (mapVec (\(x, y) -> (x + a * 3, select (x > a) y (y + 1), i32 y * i32 x))) (zip (asVector 4 xs) (asVector 4 ys)))
lanes : u8 -> [N]u8 -> [N]i8 -> [N](u8, i8, i32)
> data N = 64
> code
/* lanes@0  27a0b64535be0224
 * N=64
 */

__attribute__((reqd_work_group_size(16, 1, 1)))
kernel void lanes_k0(uchar a, const global uchar *restrict xs,
                     const global char *restrict ys,
                     global uchar *restrict out_0, global char *restrict out_1,
                     global int *restrict out_2)
{
    int gid0 = get_global_id(0);
    uchar4 x = vload4(gid0, xs);
    char4 y = vload4(gid0, ys);
    vstore4(x + (uchar)((uint)a * 3), gid0, out_0);
    vstore4(select(as_char4(as_uchar4(y) + (uchar)1), y, x > (uchar4)(a)), gid0, out_1);
    vstore4(convert_int4(y) * convert_int4(x), gid0, out_2);
}
> # 64 bits without a sign
> let words (xs: [N]u64) = mapGlobal 0 (\x -> (bxor x (shr x 33) * 18397679294719823053u64, x > 9223372036854775807, max x 3)) xs
words : [N]u64 -> [N](u64, bool, u64)
> data N = 2
> data xs = [18446744073709551615, 1]
> eval
@0  [2](u64, bool, u64)    N=2
  [(672507050802020352, true, 18446744073709551615), (18397679294719823053, false, 3)]
  hash f081bea72cc91fe8
> code
/* words@0  f468576aa3518c27
 * N=2
 */

__attribute__((reqd_work_group_size(2, 1, 1)))
kernel void words_k0(const global ulong *restrict xs,
                     global ulong *restrict out_0, global uchar *restrict out_1,
                     global ulong *restrict out_2)
{
    int gid0 = get_global_id(0);
    ulong x = xs[gid0];
    out_0[gid0] = (x ^ (x >> 33uL)) * 18397679294719823053uL;
    out_1[gid0] = x > 9223372036854775807uL;
    out_2[gid0] = max(x, 3uL);
}
> save types.session
saved types.session: 3 programs, 0 versions
> open types.session
opened types.session: 3 programs, 0 versions; now words@0
> data
  N = 2
  xs : [N]u64               [18446744073709551615, 1]
> eval
@0  [2](u64, bool, u64)    N=2
  [(672507050802020352, true, 18446744073709551615), (18397679294719823053, false, 3)]
  hash f081bea72cc91fe8
> # what does not fit
> let f (xs: [N]u8) = map (\x -> x + 300) xs
E04 300 is out of range for u8
  let:1:32
  | f (xs: [N]u8) = map (\x -> x + 300) xs
  |                                ^~~
  needs   0 to 255
> let f (xs: [N]u8) = map (\x -> x - (-1)) xs
E04 -1 is out of range for u8
  let:1:32
  | f (xs: [N]u8) = map (\x -> x - (-1)) xs
  |                                ^~~~
  needs   0 to 255
> let f (xs: [N]u8) = map (\x -> x + 1i8) xs
E04 +: argument 2 must be u8, found i8
  let:1:28
  | f (xs: [N]u8) = map (\x -> x + 1i8) xs
  |                            ^~~~~~~
  needs   u8
  found   i8
  hint    no value changes its type by itself: u8 x is x as u8
> let f (xs: [N]u64) = map (\x -> x + 18446744073709551615) xs
E08 the number `18446744073709551615` is too large: the most is 2^63 - 1
  let:1:33
  | f (xs: [N]u64) = map (\x -> x + 18446744073709551615) xs
  |                                 ^~~~~~~~~~~~~~~~~~~~
  needs   the suffix u64 above 9223372036854775807
> let f (xs: [N]u64) = map (\x -> x + 18446744073709551616u64) xs
E08 the number `18446744073709551616u64` is too large: the most is 2^64 - 1
  let:1:33
  | f (xs: [N]u64) = map (\x -> x + 18446744073709551616u64) xs
  |                                 ^~~~~~~~~~~~~~~~~~~~~~~
> let f (xs: [N]u64) = map (\x -> x + (-3u64)) xs
E04 -3 is out of range for u64
  let:1:35
  | f (xs: [N]u64) = map (\x -> x + (-3u64)) xs
  |                                   ^~~~
  needs   0 to 18446744073709551615
> let f (xs: [N]u8) = map (\x -> 3.5u8) xs
E03 the float `3.5u8` has an integer suffix
  let:1:28
  | f (xs: [N]u8) = map (\x -> 3.5u8) xs
  |                            ^~~~~
  needs   bf16, f16, f32 or f64
> let f (xs: [N]byte) = xs
E03 expected a type, found the name `byte`
  let:1:11
  | f (xs: [N]byte) = xs
  |           ^~~~
  needs   bf16 f16 f32 f64 i8 i16 i32 i64 u8 u16 u32 u64 bool size, [N]type, <4>scalar, (type, type), type -> type
  hint    u8
> let f (xs: [N]u8) = map i8 xs
f : [N]u8 -> [N]i8
> data N = 2
> data xs = [1, 256]
> eval
E37 the values do not fit: expected a whole number, 0 to 255, at "256]"
  needs   [2]u8
  input   xs
> data xs = const(-1)
> eval
E37 const(-1) is no value of type u8
  needs   0 to 255
  input   xs
> data xs = const(200)
> eval
E38 i8 in /f/body: 200 is out of range
  needs   a value that i8 can hold: -128 to 127
  found   200
> # random values lie in the type
> let f (xs: [N]u8) = xs
f : [N]u8 -> [N]u8
> data xs = random(1, -1000, 1000)
> eval
@0  [256]u8    N=256 (default; data N = ...)
  [199, 5, 155, 192, 86, 83, 25, 100, ...]
  hash edc6909a73416fc6
> # halves as storage: floats between load and store
> let stored (a: f16) (xs: [N]f16) = mapGlobal 0 (\x -> (f16 (f32 x * f32 a), max x 0.5, f32 (f16 (f32 x / 3)))) xs
stored : f16 -> [N]f16 -> [N](f16, f16, f32)
> data N = 3
> data a = 0.1
> data xs = [1, 0.333, 65504]
> eval
@0  [3](f16, f16, f32)    N=3
  [(0.1, 1, 0.33325195), (0.0333, 0.5, 0.11102295), (6548, 65504, 21840)]
  hash ab22cc5c6e466aec
> code
/* stored@0  0ef3bbd1faee5964
 * N=3
 */

#pragma OPENCL FP_CONTRACT OFF

static float lathe_half_float1(float x)
{
    ushort h[1];
    vstore_half_rte(x, 0, (half *)h);
    return vload_half(0, (const half *)h);
}

__attribute__((reqd_work_group_size(3, 1, 1)))
kernel void stored_k0(ushort a, const global half *restrict xs,
                      global half *restrict out_0, global half *restrict out_1,
                      global float *restrict out_2)
{
    int gid0 = get_global_id(0);
    float x = vload_half(gid0, xs);
    vstore_half_rte(x * vload_half(0, (const half *)&a), gid0, out_0);
    vstore_half_rte(fmax(x, 0.5f), gid0, out_1);
    out_2[gid0] = lathe_half_float1(x / 3.0f);
}
> let local16 (xs: [N]f16) = join (mapWorkgroup 0 (\p -> mapLocal 0 (\x -> f32 x) (toLocal (mapLocal 0 (\x -> -x) p))) (split 16 xs))
local16 : [N]f16 -> [N]f32
> data N = 64
> code
/* local16@0  2cdb1f688141c182
 * N=64
 */

#pragma OPENCL FP_CONTRACT OFF

__attribute__((reqd_work_group_size(16, 1, 1)))
kernel void local16_k0(const global half *restrict xs,
                       global float *restrict out)
{
    local ushort lathe_bits_tile[16] __attribute__((aligned(64)));
    local half *tile = (local half *)lathe_bits_tile;
    int wg0 = get_group_id(0);
    int l0 = get_local_id(0);
    vstore_half_rte(-vload_half(l0 + 16*wg0, xs), l0, tile);
    out[l0 + 16*wg0] = vload_half(l0, tile);
}
> # a device that computes with halves
> let rounded (xs: [N]f16) = mapGlobal 0 (\x -> x * x) xs
rounded : [N]f16 -> [N]f16
> code
/* rounded@0  661da18603cce2cf
 */

#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL FP_CONTRACT OFF

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void rounded_k0(const global half *restrict xs,
                       global half *restrict out, int N)
{
    int gid0 = get_global_id(0);
    if (gid0 < N) {
        half x = xs[gid0];
        out[gid0] = x * x;
    }
}
> # a vector of what one pair of brackets holds is a value wherever one is, also behind `let`
> let swapped (x: f32) = let v = vec (x, 2 * x) in vec (v[1], v[0])
swapped : f32 -> <2>f32
> data x = 3
> eval
@0  <2>f32
  <6, 3>
  hash d69afade0e638657
