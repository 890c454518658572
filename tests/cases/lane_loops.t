> # a function with folds, choices and indices of its own on all lanes of a vector: one loop, not one a lane
> load tests/unit/lane_loops.fun
nested : [N]f32 -> [M]f32 -> [N]f32        11 programs; list programs
> use least
> apply mapVectorise(8)
@1  mapVectorise(8)  at /               builtin    from @0
  - map (λx → (reduce (λ((d, i), (e, j)) → if e < d then (e, j) else (d, i)) (inf, 0) (zip (map (...
  + asScalar ∘ map (mapVec (λx → (reduce (λ((d, i), (e, j)) → if e < d then (e, j) else (d, i)) (...
  type   [N]i32                       unchanged
  focus  /  ->  /                     4 moves here
> lower
@2  lower                               builtin    from @1
  - map (mapVec (λx → (reduce (λ((d, i), (e, j)) → if e < d then (e, j) else (d, i)) (inf, 0) (zi...
  + mapGlobal 0 (mapVec (λx → (reduceSeq (λ((acc0, acc1), (y0, y1)) → let t = (x - y0) * (x - y0)...
  type   [N/8]<8>i32                  unchanged
  inner  4 steps        log --expand
  focus  /  ->  /                     4 moves here
> code
/* least@2  b709ce2b3b472cc4
 *   @1 mapVectorise(8) at /
 *   @2 lower
 * needs 8 divides N  (asVector 8 at /in/in)
 */

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void least_k0(const global float *restrict xs, const global float *restrict ys, global int *restrict out,
                     int N, int M)
{
    int gid0 = get_global_id(0);
    if (gid0 < N/8) {
        float8 x = vload8(gid0, xs);
        float8 acc;
        int8 acc2;
        acc = (float8)(INFINITY);
        acc2 = (int8)(0);
        for (int i = 0; i < M; i++) {
            float y = ys[i];
            float8 t = (x - y) * (x - y);
            int8 next = t < acc ? (int8)(i) : acc2;
            acc = t < acc ? t : acc;
            acc2 = next;
        }
        vstore8(acc2, gid0, out);
    }
}
> use own
> apply mapVectorise(4)
@1  mapVectorise(4)  at /               builtin    from @0
  - map (λx → reduce (+) 0 ∘ map (λy → y + ys[abs (x % M)]) $ ys) xs
  + asScalar ∘ map (mapVec (λx → reduce (+) 0 ∘ map (λy → y + ys[abs (x % M)]) $ ys)) ∘ asVector ...
  type   [N]f32                       unchanged
  focus  /  ->  /                     4 moves here
> lower
@2  lower                               builtin    from @1
  - map (mapVec (λx → reduce (+) 0 ∘ map (λy → y + ys[abs (x % M)]) $ ys)) ∘ asVector 4 $ xs
  + mapGlobal 0 (mapVec (λx → reduceSeq (λ(acc, y) → acc + (y + ys[abs (x % M)])) 0 ys)) ∘ asVect...
  type   [N/4]<4>f32                  unchanged
  inner  3 steps        log --expand
  focus  /  ->  /                     4 moves here
> code
/* own@2  277990d50e4f1235
 *   @1 mapVectorise(4) at /
 *   @2 lower
 * needs 4 divides N  (asVector 4 at /in/in)
 */

static int lathe_floor_mod(int a, int b)
{
    int r = a % b;
    return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void own_k0(const global int *restrict xs, const global float *restrict ys, global float *restrict out,
                   int N, int M)
{
    int gid0 = get_global_id(0);
    if (gid0 < N/4) {
        int4 x = vload4(gid0, xs);
        float4 acc = (float4)(0.0f);
        for (int i = 0; i < M; i++) {
            int4 at = convert_int4(abs((int4)(lathe_floor_mod(x.s0, M), lathe_floor_mod(x.s1, M), lathe_floor_mod(x.s2, M), lathe_floor_mod(x.s3, M))));
            int at2 = at.s0;
            int at3 = at.s1;
            int at4 = at.s2;
            int at5 = at.s3;
            acc += ys[i] + (float4)(ys[at2], ys[at3], ys[at4], ys[at5]);
        }
        vstore4(acc, gid0, out);
    }
}
> # each lane by itself where a choice keeps it from going wrong
> use risky
> apply mapVectorise(2)
@1  mapVectorise(2)  at /               builtin    from @0
  - map (λx → reduce (+) 0 ∘ map (λy → let t = y / x in if x == 0 then 7 else t + t * x) $ ys) xs
  + asScalar ∘ map (mapVec (λx → reduce (+) 0 ∘ map (λy → let t = y / x in if x == 0 then 7 else ...
  type   [N]i32                       unchanged
  focus  /  ->  /                     4 moves here
> lower
@2  lower                               builtin    from @1
  - map (mapVec (λx → reduce (+) 0 ∘ map (λy → let t = y / x in if x == 0 then 7 else t + t * x) ...
  + mapGlobal 0 (mapVec (λx → reduceSeq (λ(acc, y) → acc + (let t = y / x in if x == 0 then 7 els...
  type   [N/2]<2>i32                  unchanged
  inner  3 steps        log --expand
  focus  /  ->  /                     4 moves here
> code
/* risky@2  668179d1604540ab
 *   @1 mapVectorise(2) at /
 *   @2 lower
 * needs 2 divides N  (asVector 2 at /in/in)
 */

static int lathe_floor_div(int a, int b)
{
    int q = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void risky_k0(const global int *restrict xs, const global int *restrict ys, global int *restrict out,
                     int N, int M)
{
    int gid0 = get_global_id(0);
    if (gid0 < N/2) {
        int x = xs[2*gid0];
        int acc = 0;
        for (int i = 0; i < M; i++) {
            int t2;
            if (x == 0) {
                t2 = 7;
            } else {
                int t = lathe_floor_div(ys[i], x);
                t2 = t + t * x;
            }
            acc += t2;
        }
        int x2 = xs[2*gid0 + 1];
        int acc2 = 0;
        for (int i = 0; i < M; i++) {
            int t4;
            if (x2 == 0) {
                t4 = 7;
            } else {
                int t3 = lathe_floor_div(ys[i], x2);
                t4 = t3 + t3 * x2;
            }
            acc2 += t4;
        }
        vstore2((int2)(acc, acc2), gid0, out);
    }
}
> load tests/programs/nbody.fun
nbody : [N](f32, f32, f32, f32) -> [N](f32, f32, f32) -> f32 -> f32 -> [N]((f32, f32, f32, f32), (f32, f32, f32))
> apply mapVectorise(16)
@1  mapVectorise(16)  at /              builtin    from @0
  - map (λ((p0, p1, p2, p3), (v0, v1, v2)) → let (ax, ay, az) = reduce (λ((a, b, c), (d, e, f)) →...
  + asScalar (map (mapVec (λ((p0, p1, p2, p3), (v0, v1, v2)) → let (ax, ay, az) = reduce (λ((a, b...
  type   [N]((f32, f32, f32, f32), (f32, f32, f32))  unchanged
  focus  /  ->  /                     4 moves here
> lower
@2  lower                               builtin    from @1
  - map (mapVec (λ((p0, p1, p2, p3), (v0, v1, v2)) → let (ax, ay, az) = reduce (λ((a, b, c), (d, ...
  + mapGlobal 0 (mapVec (λ((p0, p1, p2, p3), (v0, v1, v2)) → let (ax, ay, az) = reduceSeq (λ((acc...
  type   [N/16]((<16>f32, <16>f32, <16>f32, <16>f32), (<16>f32, <16>f32, <16>f32))  unchanged
  inner  3 steps        log --expand
  focus  /  ->  /                     4 moves here
> code
/* nbody@2  b59c91a6adba55bb
 *   @1 mapVectorise(16) at /
 *   @2 lower
 * needs 16 divides N  (asVector 16 at /in/in)
 */

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void nbody_k0(const global float *restrict pos_0, const global float *restrict pos_1,
                     const global float *restrict pos_2, const global float *restrict pos_3,
                     const global float *restrict vel_0, const global float *restrict vel_1,
                     const global float *restrict vel_2, float eps, float dt, global float *restrict out_0,
                     global float *restrict out_1, global float *restrict out_2, global float *restrict out_3,
                     global float *restrict out_4, global float *restrict out_5, global float *restrict out_6,
                     int N)
{
    int gid0 = get_global_id(0);
    if (gid0 < N/16) {
        float16 p = vload16(gid0, pos_0);
        float16 p2 = vload16(gid0, pos_1);
        float16 p3 = vload16(gid0, pos_2);
        float16 v = vload16(gid0, vel_0);
        float16 v2 = vload16(gid0, vel_1);
        float16 v3 = vload16(gid0, vel_2);
        float16 acc;
        float16 acc2;
        float16 acc3;
        acc = (float16)(0.0f);
        acc2 = (float16)(0.0f);
        acc3 = (float16)(0.0f);
        for (int i = 0; i < N; i++) {
            float16 dx = pos_0[i] - p;
            float16 dy = pos_1[i] - p2;
            float16 dz = pos_2[i] - p3;
            float16 i2 = rsqrt(dx * dx + dy * dy + dz * dz + eps);
            float16 s = pos_3[i] * i2 * i2 * i2;
            acc += dx * s;
            acc2 += dy * s;
            acc3 += dz * s;
        }
        vstore16(p + v * dt + acc * dt * dt / 2.0f, gid0, out_0);
        vstore16(p2 + v2 * dt + acc2 * dt * dt / 2.0f, gid0, out_1);
        vstore16(p3 + v3 * dt + acc3 * dt * dt / 2.0f, gid0, out_2);
        vstore16(vload16(gid0, pos_3), gid0, out_3);
        vstore16(v + acc * dt, gid0, out_4);
        vstore16(v2 + acc2 * dt, gid0, out_5);
        vstore16(v3 + acc3 * dt, gid0, out_6);
    }
}
