> # a function with folds, choices and indices of its own on all lanes of a vector: one loop, not one a lane
> load tests/unit/lane_loops.fun
nested : [N]f32 -> [M]f32 -> [N]f32        19 programs; list programs
> use least
> apply mapVectorise(8)
@1  mapVectorise(8)  at /               builtin    from @0
  - map (λx → (reduce (λ((d, i), (e, j)) → if e < d then (e, j) else (d, i)) (inf, 0) (..)).1) xs
  + asScalar ∘ map (mapVec (λx → (..).1)) ∘ asVector 8 $ xs
  type   [N]i32                       unchanged
  focus  /  ->  /                     4 moves here
> lower
@2  lower                               builtin    from @1
  - map (mapVec (λx → (reduce (λ((d, i), (e, j)) → if e < d then (e, j) else (d, i)) (..) (zip (m...
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

#pragma OPENCL FP_CONTRACT OFF

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void least_k0(const global float *restrict xs,
                     const global float *restrict ys, global int *restrict out,
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
            int8 next = select(acc2, (int8)(i), t < acc);
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
  + asScalar ∘ map (mapVec (λx → reduce (+) 0 ∘ map (λy → y + ys[abs (..)]) $ ys)) ∘ asVector 4 $ xs
  type   [N]f32                       unchanged
  focus  /  ->  /                     4 moves here
> lower
@2  lower                               builtin    from @1
  - map (mapVec (λx → reduce (+) 0 ∘ map (λy → y + ys[abs (x % M)]) $ ys)) ∘ asVector 4 $ xs
  + mapGlobal 0 (mapVec (λx → reduceSeq (λ(acc, y) → acc + (..)) 0 ys)) ∘ asVector 4 $ xs
  type   [N/4]<4>f32                  unchanged
  inner  3 steps        log --expand
  focus  /  ->  /                     4 moves here
> code
/* own@2  277990d50e4f1235
 *   @1 mapVectorise(4) at /
 *   @2 lower
 * needs 4 divides N  (asVector 4 at /in/in)
 */

#pragma OPENCL FP_CONTRACT OFF

static int lathe_mod_int(int a, int b)
{
    if (b == -1) return 0;
    int r = a % b;
    return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void own_k0(const global int *restrict xs,
                   const global float *restrict ys, global float *restrict out,
                   int N, int M)
{
    int gid0 = get_global_id(0);
    if (gid0 < N/4) {
        int4 x = vload4(gid0, xs);
        float4 acc = (float4)(0.0f);
        for (int i = 0; i < M; i++) {
            int4 at = as_int4(abs((int4)(lathe_mod_int(x.s0, M), lathe_mod_int(x.s1, M), lathe_mod_int(x.s2, M), lathe_mod_int(x.s3, M))));
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
  + asScalar ∘ map (mapVec (λx → reduce (+) 0 ∘ map (..) $ ys)) ∘ asVector 2 $ xs
  type   [N]i32                       unchanged
  focus  /  ->  /                     4 moves here
> lower
@2  lower                               builtin    from @1
  - map (mapVec (λx → reduce (+) 0 ∘ map .. $ ys)) ∘ asVector 2 $ xs
  + mapGlobal 0 (mapVec (λx → reduceSeq (λ(acc, y) → acc + (..)) 0 ys)) ∘ asVector 2 $ xs
  type   [N/2]<2>i32                  unchanged
  inner  3 steps        log --expand
  focus  /  ->  /                     4 moves here
> code
/* risky@2  668179d1604540ab
 *   @1 mapVectorise(2) at /
 *   @2 lower
 * needs 2 divides N  (asVector 2 at /in/in)
 */

static int lathe_div_int(int a, int b)
{
    if (b == -1) return (int)-(uint)a;
    int q = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void risky_k0(const global int *restrict xs,
                     const global int *restrict ys, global int *restrict out,
                     int N, int M)
{
    int gid0 = get_global_id(0);
    if (gid0 < N/2) {
        int x2 = xs[2*gid0];
        int acc2 = 0;
        for (int i = 0; i < M; i++) {
            int t4;
            if (x2 == 0) {
                t4 = 7;
            } else {
                int t3 = lathe_div_int(ys[i], x2);
                t4 = (int)((uint)t3 + (uint)t3 * x2);
            }
            acc2 += (uint)t4;
        }
        int x3 = xs[2*gid0 + 1];
        int acc3 = 0;
        for (int i = 0; i < M; i++) {
            int t6;
            if (x3 == 0) {
                t6 = 7;
            } else {
                int t5 = lathe_div_int(ys[i], x3);
                t6 = (int)((uint)t5 + (uint)t5 * x3);
            }
            acc3 += (uint)t6;
        }
        vstore2((int2)(acc2, acc3), gid0, out);
    }
}
> load tests/programs/nbody.fun
nbody : [N](f32, f32, f32, f32) -> [N](f32, f32, f32) -> f32 -> f32 -> [N]((f32, f32, f32, f32), (f32, f32, f32))
> apply mapVectorise(16)
@1  mapVectorise(16)  at /              builtin    from @0
  - map (..) (zip pos vel)
  + asScalar (map (mapVec (..)) (asVector 16 (zip pos vel)))
  type   [N]((f32, f32, f32, f32), (f32, f32, f32))  unchanged
  focus  /  ->  /                     4 moves here
> lower
@2  lower                               builtin    from @1
  - map (mapVec (λ(..) → let (..) = reduce (λ((a, b, c), (..)) → (a + d, b + e, c + f)) (..) ∘ ma...
  + mapGlobal 0 (mapVec (λ(..) → let (..) = reduceSeq (λ((acc0, acc1, acc2), (y0, y1, y2, y3)) → ...
  type   [N/16]((<16>f32, <16>f32, <16>f32, <16>f32), (<16>f32, <16>f32, <16>f32))  unchanged
  inner  11 steps        log --expand
  focus  /  ->  /                     4 moves here
> code
/* nbody@2  034338350b78699e
 *   @1 mapVectorise(16) at /
 *   @2 lower
 * needs 16 divides N  (asVector 16 at /in/in)
 */

#pragma OPENCL FP_CONTRACT OFF

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void nbody_k0(const global float *restrict pos_0,
                     const global float *restrict pos_1,
                     const global float *restrict pos_2,
                     const global float *restrict pos_3,
                     const global float *restrict vel_0,
                     const global float *restrict vel_1,
                     const global float *restrict vel_2, float eps, float dt,
                     global float *restrict out_0, global float *restrict out_1,
                     global float *restrict out_2, global float *restrict out_3,
                     global float *restrict out_4, global float *restrict out_5,
                     global float *restrict out_6, int N)
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
            float16 i2 = rsqrt(fma(dz, dz, fma(dy, dy, dx * dx)) + eps);
            float16 s = pos_3[i] * i2 * i2 * i2;
            acc += dx * s;
            acc2 += dy * s;
            acc3 += dz * s;
        }
        vstore16(fma(v, (float16)(dt), p) + acc * dt * dt / 2.0f, gid0, out_0);
        vstore16(fma(v2, (float16)(dt), p2) + acc2 * dt * dt / 2.0f, gid0, out_1);
        vstore16(fma(v3, (float16)(dt), p3) + acc3 * dt * dt / 2.0f, gid0, out_2);
        vstore16(vload16(gid0, pos_3), gid0, out_3);
        vstore16(fma(acc, (float16)(dt), v), gid0, out_4);
        vstore16(fma(acc2, (float16)(dt), v2), gid0, out_5);
        vstore16(fma(acc3, (float16)(dt), v3), gid0, out_6);
    }
}
> load tests/programs/mm.fun
mm : [N][K]f32 -> [K][M]f32 -> [N][M]f32
> apply vectoriseColumns(8) at /f/body
@1  vectoriseColumns(8)  at /f/body     builtin    from @0
  - map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B
  + asScalar (map (mapVec (λi .. (map (λr → r[i]) B))) (asVector 8 (iota M)))
  type   [M]f32                       unchanged
  focus  /  ->  /                     15 moves here
> lower
@2  lower                               builtin    from @1
  - map (λrow → asScalar (map (mapVec (λi → reduce (+) 0 (map (*) (..)))) (asVector 8 (iota M)))) A
  + mapGlobal 1 .. (mapGlobal 0 .. reduceSeq (λ(acc, (y0, y1)) → fma y0 y1 acc) 0 (..) (..)) A
  type   [N][M]f32                    unchanged
  inner  5 steps        log --expand
  focus  /  ->  /                     4 moves here
> code
/* mm@2  35fe58917283ac3b
 *   @1 vectoriseColumns(8) at /f/body
 *   @2 lower
 * needs 8 divides M  (asVector 8 at /f/body/in/in)
 * needs K*N, K*M, M*N < 2147483648  (int indices)
 */

#pragma OPENCL FP_CONTRACT OFF

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void mm_k0(const global float *restrict A,
                  const global float *restrict B, global float *restrict out,
                  int K, int M)
{
    int gid1 = get_global_id(1);
    int gid0 = get_global_id(0);
    if (gid0 < M/8) {
        float8 acc = (float8)(0.0f);
        for (int i = 0; i < K; i++) {
            acc = fma((float8)(A[K*gid1 + i]), vload8(0, B + M*i + 8*gid0), acc);
        }
        vstore8(acc, 0, out + M*gid1 + 8*gid0);
    }
}
> goto @0
@0  source
    map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) A
> apply vectoriseColumns(8) at /
E21 vectoriseColumns does not apply at /
  rule    map f (transpose x)  =>  asScalar (map (mapVec (\i -> f (map (\r -> r[i]) x))) (asVector w (generate (length (transpose x)) (\i -> i))))  when w divides (length (transpose x)) and scalar (f _)
  needs   transpose x at /in
  found   A
  near    /f/body: map (\col -> reduce (+) 0 (map (*) ..)) . transpose $ B
  try     apply vectoriseColumns(8) at /f/body
> load tests/programs/kmeans.fun
kmeans : [F][P]f32 -> [C][F]f32 -> [P]i32
> apply vectoriseColumns(16)
@1  vectoriseColumns(16)  at /          builtin    from @0
  - map (λp → (reduce (λ((..), (..)) → if e < d then (..) else (..)) (..) (zip (map (λc → reduce ...
  + asScalar (map (mapVec (λi → (reduce (λ((d, i1), (..)) → if e < d then (..) else (d, i1)) (..)...
  type   [P]i32                       unchanged
  focus  /  ->  /                     4 moves here
> lower
@2  lower                               builtin    from @1
  - map (mapVec (λi → (reduce (λ((d, i1), (e, j)) → if e < d then (e, j) else (d, i1)) (..) (zip ...
  + mapGlobal 0 (mapVec (λi → (reduceSeq (λ((acc0, acc1), (y0, y1)) → let t = reduceSeq (λ(acc, (...
  type   [P/16]<16>i32                unchanged
  inner  7 steps        log --expand
  focus  /  ->  /                     4 moves here
> code
/* kmeans@2  06f6a578f251d4bf
 *   @1 vectoriseColumns(16) at /
 *   @2 lower
 * needs 16 divides P  (asVector 16 at /in/in)
 * needs F*P, C*F < 2147483648  (int indices)
 */

#pragma OPENCL FP_CONTRACT OFF

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void kmeans_k0(const global float *restrict features,
                      const global float *restrict clusters,
                      global int *restrict out, int F, int P, int C)
{
    int gid0 = get_global_id(0);
    if (gid0 < P/16) {
        float16 acc;
        int16 acc2;
        acc = (float16)(INFINITY);
        acc2 = (int16)(0);
        for (int i = 0; i < C; i++) {
            float16 acc3 = (float16)(0.0f);
            for (int j = 0; j < F; j++) {
                float16 y = vload16(0, features + P*j + 16*gid0);
                float y2 = clusters[F*i + j];
                acc3 = fma(y - y2, y - y2, acc3);
            }
            int16 next = select(acc2, (int16)(i), acc3 < acc);
            acc = acc3 < acc ? acc3 : acc;
            acc2 = next;
        }
        vstore16(acc2, gid0, out);
    }
}
> check vectoriseColumns
vectoriseColumns holds on 500 instances, seed 1
