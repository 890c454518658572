> # errors that say what to type: tests/suggestions.c types it
> load tests/programs/mm.fun
mm : [N][K]f32 -> [K][M]f32 -> [N][M]f32
> run
E51 not runnable yet: 4 nodes are still high-level
  /                 map      as mapGlobal, mapWorkgroup, mapLocal, mapSeq        moves /
  /f/body           map      as mapGlobal, mapWorkgroup, mapLocal, mapSeq        moves /f/body
  /f/body/f/body    reduce   as reduceSeq        moves /f/body/f/body
  /f/body/f/body/in map      as mapGlobal, mapWorkgroup, mapLocal, mapSeq        moves /f/body/f/body/in
  try     apply mapGlobal(0) at /
  or      lower
> apply mapGlobal(0) at /
@1  mapGlobal(0)  at /                  builtin    from @0
  - map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) A
  + mapGlobal 0 (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) A
  type   [N][M]f32                    unchanged
  focus  /  ->  /                     11 moves here
> plan
E51 not runnable yet: 3 nodes are still high-level
  /f/body           map      as mapGlobal, mapWorkgroup, mapLocal, mapSeq        moves /f/body
  /f/body/f/body    reduce   as reduceSeq        moves /f/body/f/body
  /f/body/f/body/in map      as mapGlobal, mapWorkgroup, mapLocal, mapSeq        moves /f/body/f/body/in
  try     apply mapGlobal(1) at /f/body
  or      lower
> apply mapSeq at 'map'
E12 2 places match 'map'
  [1]     /f/body            map (\col -> reduce (+) 0 (map (*) (zip row col))) . tran...
  [2]     /f/body/f/body/in  map (*) (zip row col)
  use     'map'[k], or a path
  try     apply mapSeq at 'map'[1]
> cd 'map'
E12 2 places match 'map'
  [1]     /f/body            map (\col -> reduce (+) 0 (map (*) (zip row col))) . tran...
  [2]     /f/body/f/body/in  map (*) (zip row col)
  use     'map'[k], or a path
  try     cd 'map'[1]
> info 'map'
E12 2 places match 'map'
  [1]     /f/body            map (\col -> reduce (+) 0 (map (*) (zip row col))) . tran...
  [2]     /f/body/f/body/in  map (*) (zip row col)
  use     'map'[k], or a path
  try     info 'map'[1]
> apply transposeTwice at 'map'
E12 2 places match 'map'
  [1]     /f/body            map (\col -> reduce (+) 0 (map (*) (zip row col))) . tran...
  [2]     /f/body/f/body/in  map (*) (zip row col)
  use     'map'[k], or a path
> goto @0
@0  source
    map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) A
> lower lowerSeq
@2  lowerSeq                            builtin    from @0
  - map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) A
  + mapSeq (λrow → mapSeq (λcol → reduceSeq (λ(acc, (y0, y1)) → acc + y0 * y1) 0 (..)) ..) A
  type   [N][M]f32                    unchanged
  inner  4 steps        log --expand
  focus  /  ->  /                     11 moves here
> data N = 7
> goto @0
@0  source
    map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) A
> data N = 64; data K = 64; data M = 64
> lower gemmCpu{mb=8, nb=16, kb=8}
@3  gemmCpu{mb=8, nb=16, kb=8}          builtin    from @0
  - map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) A
  + join ∘ mapWorkgroup 1 (λxss → transpose ∘ join ∘ mapWorkgroup 0 (λxss1 → transpose (join (red...
  type   [N][M]f32                    unchanged
  inner  43 steps        log --expand
  focus  /  ->  /                     11 moves here
> data N = 60
warning: now 8 divides N does not hold for split 8 at /in/in; @3 cannot be run        goto @0 ; lower
> run
E36 8 divides N does not hold for N=60  K=64  M=64
  from    split 8 at /in/in
  rule    @3 gemmCpu{mb=8, nb=16, kb=8}
  try     data N = 64
  or      goto @0 ; lower
> eval
E36 8 divides N does not hold for N=60  K=64  M=64
  from    split 8 at /in/in
  rule    @3 gemmCpu{mb=8, nb=16, kb=8}
  try     data N = 64
  or      goto @0 ; lower
> let rows (x: [N]f32) = mapGlobal 0 (reduceSeq (+) 0) (mapGlobal 0 (mapSeq (\v -> v + 1)) (split 4 x))
rows : [N]f32 -> [N/4]f32
> code
/* rows@0  aabd3a55329d8150
 * needs 4 divides N  (split 4 at /in/in)
 */

#pragma OPENCL FP_CONTRACT OFF

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void rows_k0(const global float *restrict x, global float *restrict tmp,
                    int N)
{
    int gid0 = get_global_id(0);
    if (gid0 < N/4) {
        for (int i = 0; i < 4; i++) {
            tmp[4*gid0 + i] = x[4*gid0 + i] + 1.0f;
        }
    }
}

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void rows_k1(global float *restrict out,
                    const global float *restrict tmp, int N)
{
    int gid0 = get_global_id(0);
    if (gid0 < N/4) {
        float acc = 0.0f;
        for (int i = 0; i < 4; i++) {
            acc += tmp[4*gid0 + i];
        }
        out[gid0] = acc;
    }
}
> let twice (x: [N][4]f32) = mapGlobal 0 (\r -> reduceSeq (+) 0 (reorder reverse (mapSeq (\v -> v + 1) r))) x
twice : [N][4]f32 -> [N]f32
> code
E52 mapSeq at /f/body/in/in makes an array that reduceSeq at /f/body reads: it needs toPrivate, toLocal or toGlobal
  producer /f/body/in/in  mapSeq : [4]f32
  reader  /f/body  reduceSeq
  choose  toPrivate (one work-item), toLocal (a work-group), toGlobal (all)
  try     apply toPrivate at /f/body/in/in
  or      lower
> let shared (x: [N][4]f32) = mapWorkgroup 0 (\r -> reduceSeq (+) 0 (mapLocal 0 (\v -> v + 1) r)) x
shared : [N][4]f32 -> [N]f32
> code
E52 mapLocal at /f/body/in makes an array that reduceSeq at /f/body reads: it needs toPrivate, toLocal or toGlobal
  producer /f/body/in  mapLocal : [4]f32
  reader  /f/body  reduceSeq
  choose  toPrivate (one work-item), toLocal (a work-group), toGlobal (all)
  try     apply toLocal at /f/body/in
  or      lower
> let pairs (x: [N]f32) (y: [N]f32) = mapGlobal 0 (\v -> v) (zip x y)
pairs : [N]f32 -> [N]f32 -> [N](f32, f32)
> code
/* pairs@0  34a15ed09d075737
 */

#pragma OPENCL FP_CONTRACT OFF

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void pairs_k0(const global float *restrict x,
                     const global float *restrict y,
                     global float *restrict out_0, global float *restrict out_1,
                     int N)
{
    int gid0 = get_global_id(0);
    if (gid0 < N) {
        out_0[gid0] = x[gid0];
        out_1[gid0] = y[gid0];
    }
}
> let copied (x: [N][8]f32) = mapGlobal 0 (\r -> zip r r) x
copied : [N][8]f32 -> [N][8](f32, f32)
> code
E52 the array value at /f/body/0 has to be copied to its place: write mapSeq id (or another mapped copy) around it
  producer /f/body/0 : [8]f32
  choose  mapSeq, mapSeqUnroll, mapLocal or mapGlobal of id, or another memory for it
  try     apply toPrivate at /f/body
  or      lower
> let two (x: [N]f32) = (mapSeq (\v -> v + 1) x, mapSeq (\v -> v * 2) x)
two : [N]f32 -> ([N]f32, [N]f32)
> code
/* two@0  f62fdac2da9d6f1c
 */

#pragma OPENCL FP_CONTRACT OFF

__attribute__((reqd_work_group_size(1, 1, 1)))
kernel void two_k0(const global float *restrict x, global float *restrict out_0,
                   global float *restrict out_1, int N)
{
    for (int i = 0; i < N; i++) {
        out_0[i] = x[i] + 1.0f;
    }
    for (int i = 0; i < N; i++) {
        out_1[i] = x[i] * 2.0f;
    }
}
> let left (x: [N]f32) = mapGlobal 0 (\v -> reduceSeq (+) v (mapSeq (\w -> w) x)) x
left : [N]f32 -> [N]f32
> code
E52 mapSeq at /f/body/in makes an array that reduceSeq at /f/body reads: it needs toPrivate, toLocal or toGlobal
  producer /f/body/in  mapSeq : [N]f32
  reader  /f/body  reduceSeq
  choose  toPrivate (one work-item), toLocal (a work-group), toGlobal (all)
  try     apply toPrivate at /f/body/in
  or      lower
> let inner (x: [N][8]f32) = mapWorkgroup 0 (\r -> mapLocal 0 (\v -> v + 1) (mapLocal 0 (\v -> v * 2) r)) x
inner : [N][8]f32 -> [N][8]f32
> code
E52 mapLocal at /f/body/in makes an array that mapLocal at /f/body reads: it needs toPrivate, toLocal or toGlobal
  producer /f/body/in  mapLocal : [8]f32
  reader  /f/body  mapLocal
  choose  toPrivate (one work-item), toLocal (a work-group), toGlobal (all)
  try     apply toPrivate at /f/body/in
  or      lower
> # what a work-item makes and folds itself is a loop: other items' elements it could not read
> let dots (A: [N][K]f32) (B: [N][K]f32) = zipWith dot A B
dots : [N][K]f32 -> [N][K]f32 -> [N]f32
> apply reduceSeq
@1  reduceSeq  at /f/body               builtin    from @0
  - reduce (+) 0 (map (*) (zip xs ys))
  + reduceSeq (+) 0 (map (*) (zip xs ys))
  type   f32                          unchanged
  focus  /  ->  /                     20 moves here
> apply mapGlobal(0) at /
@2  mapGlobal(0)  at /                  builtin    from @1
  - map (λ(xs, ys) → reduceSeq (+) 0 (map (*) (zip xs ys))) (zip A B)
  + mapGlobal 0 (λ(xs, ys) → reduceSeq (+) 0 (map (*) (zip xs ys))) (zip A B)
  type   [N]f32                       unchanged
  focus  /  ->  /                     7 moves here
> run
E51 not runnable yet: 1 node is still high-level
  /f/body/in map      as mapGlobal, mapWorkgroup, mapLocal, mapSeq        moves /f/body/in
  try     apply mapSeq at /f/body/in
  or      lower
> apply mapSeq at /f/body/in
@3  mapSeq  at /f/body/in               builtin    from @2
  - map (*) (zip xs ys)
  + mapSeq (*) (zip xs ys)
  type   [K]f32                       unchanged
  focus  /  ->  /                     7 moves here
> run
E52 mapSeq at /f/body/in makes an array that reduceSeq at /f/body reads: it needs toPrivate, toLocal or toGlobal
  producer /f/body/in  mapSeq : [256]f32
  reader  /f/body  reduceSeq
  choose  toPrivate (one work-item), toLocal (a work-group), toGlobal (all)
  try     apply toPrivate at /f/body/in
  or      lower
> apply toPrivate at /f/body/in
@4  toPrivate  at /f/body/in            builtin    from @3
  - mapSeq (*) (zip xs ys)
  + toPrivate (mapSeq (*) (zip xs ys))
  type   [K]f32                       unchanged
  focus  /  ->  /                     7 moves here
> plan
E53 the private array r needs a constant size, and K is not a number
  at      /
  try     data K = 64 ; set sizes constant
  or      goto @2 ; lower
> # of a strategy of several steps there is no name to be asked about
> let doubled (x: [N]f32) = map (\v -> 2 * v) x
doubled : [N]f32 -> [N]f32
> data N = 33
> lower | head -1
@1  lower                               builtin    from @0
> apply mapSeqUnroll * mapSeq
E23 mapSeqUnroll * mapSeq failed: mapSeqUnroll does not apply at /
  place   /
  rule    map f x  =>  mapSeqUnroll f x  when constant (length x) and not contains mapGlobal f and not contains mapWorkgroup f
  needs   map f x
  found   mapGlobal 0 (\v -> 2 * v) x
  try     moves /
