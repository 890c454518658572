> lower
E10 no program is loaded
  try     load FILE
> code
E10 no program is loaded
  try     load FILE
> load tests/programs/asum.fun
asum : [N]f32 -> f32
> code
E51 not runnable yet: 2 nodes are still high-level
  /       reduce   choose reduceSeq      moves /
  /in     map      choose one of mapGlobal, mapWorkgroup, mapLocal, mapSeq      moves /in
  or      lower
> lower
@1  lower                               builtin    from @0
  - reduce (+) 0 ∘ map abs $ xs
  + reduceSeq (+) 0 ∘ mapGlobal 0 (reduceSeq (λ(acc, y) → acc + abs y) 0) ∘ split (N/64) $ xs
  type   f32                          unchanged
  inner  8 steps        log --expand
  focus  /  ->  /                     4 moves here
> show
reduceSeq (+) 0 ∘ mapGlobal 0 (reduceSeq (λ(acc, y) → acc + abs y) 0) ∘ split (N/64) $ xs
> lower
@1 is in lowered form already
> code
/* asum@1  1a487ce1ba8bdfd8
 *   @1 lower
 * needs 64 divides N  (split (N/64) at /in/in)
 */

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void asum_k0(const global float *restrict xs, global float *restrict tmp, int N)
{
    int gid0 = get_global_id(0);
    float acc = 0.0f;
    for (int i = 0; i < N/64; i++) {
        acc += fabs(xs[(N/64)*gid0 + i]);
    }
    tmp[gid0] = acc;
}

__attribute__((reqd_work_group_size(1, 1, 1)))
kernel void asum_k1(global float *restrict out, const global float *restrict tmp)
{
    float acc = 0.0f;
    for (int i = 0; i < 64; i++) {
        acc += tmp[i];
    }
    out[0] = acc;
}
> data N = 1024
> set sizes argument
> code
/* asum@1  1a487ce1ba8bdfd8
 *   @1 lower
 * N=1024
 * needs 64 divides N  (split (N/64) at /in/in)
 */

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void asum_k0(const global float *restrict xs, global float *restrict tmp, int N)
{
    int gid0 = get_global_id(0);
    float acc = 0.0f;
    for (int i = 0; i < N/64; i++) {
        acc += fabs(xs[(N/64)*gid0 + i]);
    }
    tmp[gid0] = acc;
}

__attribute__((reqd_work_group_size(1, 1, 1)))
kernel void asum_k1(global float *restrict out, const global float *restrict tmp)
{
    float acc = 0.0f;
    for (int i = 0; i < 64; i++) {
        acc += tmp[i];
    }
    out[0] = acc;
}
> code @0
E51 not runnable yet: 2 nodes are still high-level
  /       reduce   choose reduceSeq      moves /
  /in     map      choose one of mapGlobal, mapWorkgroup, mapLocal, mapSeq      moves /in
  or      lower
> code @7
E13 asum has no version @7; the newest is @1
  try     log
> code -o
E05 -o needs a value
  form    code [@VERSION] [-o FILE]
> code --host
E05 code has no flag "--host"
  form    code [@VERSION] [-o FILE]
> run -n many
E05 -n must be a whole number from 0 to 100000, not "many"
> run @9
E13 asum has no version @9; the newest is @1
  try     log
