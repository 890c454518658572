> help mapWarp
rule mapWarp
  map f x  =>  mapWarp f x  when under mapWorkgroup and not under mapLocal 0 and not under mapLocal 1 and not contains mapGlobal f and not contains mapWorkgroup f and not contains mapLocal 1 f
  one warp of the group an element
  lower; builtin; from RISE mapWarp
  for example  map (\x2 -> -x2) x  =>  mapWarp (\x2 -> -x2) x      x: [2]f32, us: [2]i32
mapWarp : (a -> b) -> [n]a -> [n]b
  map over the warps of a group: mapLocal 1, where a row of work-items is a warp
  slots: f in
> help toLanes
toLanes : a -> a
  materialise what a warp's lanes make in their registers, which its other lanes read by shuffles; in local memory where that cannot be
  slots: in
> help reduceInWarp
reduceInWarp(n)
  a reduction by n lanes of a warp, a power of two, each of every n-th element; their results are combined by shuffles, after which each lane has that of all
> let sums (X: [N][64]f32) = map (\r -> reduce (+) 0 r) X
sums : [N][64]f32 -> [N]f32
> data N = 8
> apply splitJoin(4) * slot("in", mapWorkgroup(0))
@1  splitJoin(4) * slot("in", mapWorkgroup(0))  at /  builtin    from @0
  - map (reduce (+) 0) X
  + join ∘ mapWorkgroup 0 (map (reduce (+) 0)) ∘ split 4 $ X
  type   [N]f32                       unchanged
  inner  2 steps        log --expand
  focus  /  ->  /                     7 moves here
> apply mapLane at /in/f/body
E21 mapLane does not apply at /in/f/body
  rule    map f x  =>  mapLane f x  when under mapWarp and not under mapLocal 0 and not contains mapGlobal f and not contains mapWorkgroup f and not contains mapLocal 0 f
  needs   under mapWarp
  found   not under mapWarp
  when    under mapWarp: no, not under mapWarp
  when    not under mapLocal 0: yes, not under mapLocal 0
  when    not contains mapGlobal f: yes, it does not contain mapGlobal
  when    not contains mapWorkgroup f: yes, it does not contain mapWorkgroup
  when    not contains mapLocal 0 f: yes, it does not contain mapLocal 0
  try     moves /in/f/body
> apply mapWarp at /in/f/body
@2  mapWarp  at /in/f/body              builtin    from @1
  - map (reduce (+) 0) rs
  + mapWarp (reduce (+) 0) rs
  type   [4]f32                       unchanged
  focus  /  ->  /                     7 moves here
> apply mapLocal(1) at /in/f/body/f/body
E21 mapLocal does not apply at /in/f/body/f/body
  rule    map f x  =>  mapLocal d f x  when ...        help mapLocal
  needs   map f x
  found   reduce (+) 0 r
  try     moves /in/f/body/f/body
> apply reduceStrided(32) * slot("in", slot("f", reduceSeq) * mapLane) at /in/f/body/f/body
@3  reduceStrided(32) * slot("in", slot("f", reduceSeq) * mapLane)  at /in/f/body/f/body
                                        builtin    from @2
  - reduce (+) 0 r
  + reduce (+) 0 ∘ mapLane (reduceSeq (+) 0) ∘ transpose ∘ split 32 $ r
  type   f32                          unchanged
  inner  3 steps        log --expand
  focus  /  ->  /                     7 moves here
> apply reduceByLanes at /in/f/body/f/body
@4  reduceByLanes  at /in/f/body/f/body  builtin    from @3
  - reduce (+) 0 ∘ mapLane (reduceSeq (+) 0) ∘ transpose ∘ split 32 $ r
  + reduce (+) 0 ∘ take 32 ∘ mapLane (reduceSeq (+) 0) ∘ transpose ∘ split 32 $ r
  type   f32                          unchanged
  focus  /  ->  /                     7 moves here
> apply halveLanes at /in/f/body/f/body
@5  halveLanes  at /in/f/body/f/body    builtin    from @4
  - reduce (+) 0 ∘ take 32 ∘ mapLane (reduceSeq (+) 0) ∘ transpose ∘ split 32 $ r
  + reduce (+) 0 (take 16 (let l = toLanes .. in mapLane (+) (zip l (reorder (rotate 16) l))))
  type   f32                          unchanged
  focus  /  ->  /                     7 moves here
> apply firstLane at /in/f/body/f/body
E21 firstLane does not apply at /in/f/body/f/body
  rule    reduce f z (take 1 y)  =>  f z ((toLanes y)[0])  when under mapWarp and not under mapLocal 0
  needs   take 1 y at /in/f/body/f/body/in
  found   take 16 (let l = .. in ..)
  instead reducePartIntro, reduceReorder(reverse), reduceSplit at /in/f/body/f/body
> apply rep(halveLanes) * firstLane at /in/f/body/f/body
@6  rep(halveLanes) * firstLane  at /in/f/body/f/body  builtin    from @5
  - reduce (+) 0 (take 16 (..))
  + 0 + at 0 (toLanes (let l = toLanes (let l = toLanes (let l = toLanes (let l = toLanes (..) in...
  type   f32                          unchanged
  inner  5 steps        log --expand
  focus  /  ->  /                     7 moves here
> show
join ∘
  mapWorkgroup 0
    (mapWarp
      (λr →
        0 +
          at
            0
            (toLanes
              (let l = toLanes
                (let l = toLanes
                  (let l = toLanes
                    (let l = toLanes
                      (let l = toLanes ∘ mapLane (reduceSeq (+) 0) ∘ transpose ∘ split 32 $ r
                      in mapLane (+) (zip l (reorder (rotate 16) l)))
                    in mapLane (+) (zip l (reorder (rotate 8) l)))
                  in mapLane (+) (zip l (reorder (rotate 4) l)))
                in mapLane (+) (zip l (reorder (rotate 2) l)))
              in mapLane (+) (zip l (reorder (rotate 1) l)))))) ∘
  split 4 $ X
> run
@6  pocl0 **
  build   - ms        local 1.0 KiB/WG   private 1.0 KiB
  verify  OK   3 inputs x 2 repeats; input 1 exact
          error 2.4e-07, 0.07 x the source's own; sees changes of 6e-08
          every element
  time    - ms median of 20  (IQR -, min -)    - GB/s
> device oclgrind
oclgrind    Oclgrind Simulator
> set local 32x2
> code | sed -n '/^kernel/,$p'
kernel void sums_k0(const global float *restrict X, global float *restrict out)
{
    LATHE_LANES(float, tile, 128);
    LATHE_LANES(float, l, 128);
    LATHE_LANES(float, l3, 128);
    LATHE_LANES(float, l4, 128);
    LATHE_LANES(float, l5, 128);
    LATHE_LANES(float, l6, 128);
    int wg0 = get_group_id(0);
    int l1 = get_local_id(1);
    int l0 = get_local_id(0);
    for (int i = 0; i < 2; i++) {
        float acc = 0.0f;
        for (int j = 0; j < 2; j++) {
            acc += X[64*(2*(i + 2*wg0) + l1) + 32*j + l0];
        }
        lathe_lane(l6, 32*(2*i + l1) + l0) = acc;
        lathe_lanes_barrier(CLK_LOCAL_MEM_FENCE);
        lathe_lane(l5, 32*(2*i + l1) + l0) = lathe_lane(l6, 32*(2*i + l1) + l0)
                + lathe_lane_of_f32(l6, 32*(2*i + l1) + (l0 + 16)%32);
        lathe_lanes_barrier(CLK_LOCAL_MEM_FENCE);
        lathe_lane(l4, 32*(2*i + l1) + l0) = lathe_lane(l5, 32*(2*i + l1) + l0)
                + lathe_lane_of_f32(l5, 32*(2*i + l1) + (l0 + 8)%32);
        lathe_lanes_barrier(CLK_LOCAL_MEM_FENCE);
        lathe_lane(l3, 32*(2*i + l1) + l0) = lathe_lane(l4, 32*(2*i + l1) + l0)
                + lathe_lane_of_f32(l4, 32*(2*i + l1) + (l0 + 4)%32);
        lathe_lanes_barrier(CLK_LOCAL_MEM_FENCE);
        lathe_lane(l, 32*(2*i + l1) + l0) = lathe_lane(l3, 32*(2*i + l1) + l0)
                + lathe_lane_of_f32(l3, 32*(2*i + l1) + (l0 + 2)%32);
        lathe_lanes_barrier(CLK_LOCAL_MEM_FENCE);
        lathe_lane(tile, 32*(2*i + l1) + l0) = lathe_lane(l, 32*(2*i + l1) + l0)
                + lathe_lane_of_f32(l, 32*(2*i + l1) + (l0 + 1)%32);
        lathe_lanes_barrier(CLK_LOCAL_MEM_FENCE);
        float lane = lathe_lane_of_f32(tile, 32*(2*i + l1));
        if (l0 == 0) {
            out[2*(i + 2*wg0) + l1] = 0.0f + lane;
        }
    }
}
> run
@6  oclgrind Oclgrind Simulator   N=8   WG 32x2 x 2x1
  build   - ms        local 3.0 KiB/WG   private 0 B
  verify  OK   3 inputs x 1 repeat; input 1 exact
          error 2.4e-07, 0.07 x the source's own; sees changes of 6e-08
          every element
> set local auto
> code
/* sums@6  4806bd49ad93cf85
 *   @1 splitJoin(4) * slot("in", mapWorkgroup(0)) at /
 *   @2 mapWarp at /in/f/body
 *   @3 reduceStrided(32) * slot("in", slot("f", reduceSeq) * mapLane) at /in/f/body/f/body
 *   @4 reduceByLanes at /in/f/body/f/body
 *   @5 halveLanes at /in/f/body/f/body
 *   @6 rep(halveLanes) * firstLane at /in/f/body/f/body
 * N=8
 */

#pragma OPENCL FP_CONTRACT OFF

#ifndef LATHE_LANES
#if defined(__NV_CL_C_VERSION)
#define LATHE_LANES(type, name, n) type name
#define lathe_lane(name, i) name
#define lathe_lanes_barrier(fence)
#else
#define LATHE_LANES(type, name, n) local type name[n]
#define lathe_lane(name, i) name[i]
#define lathe_lanes_barrier(fence) barrier(fence)
#endif
#endif
#ifndef LATHE_LANE_OF_f32
#define LATHE_LANE_OF_f32
#if defined(__NV_CL_C_VERSION)
static float lathe_lane_of_f32(float x, int lane)
{
    float r;
    asm volatile("shfl.sync.idx.b32 %0, %1, %2, 31, 0xffffffff;" : "=f"(r) : "f"(x), "r"(lane) : "memory");
    return r;
}
#else
#define lathe_lane_of_f32(name, i) name[i]
#endif
#endif

__attribute__((reqd_work_group_size(32, 4, 1)))
kernel void sums_k0(const global float *restrict X, global float *restrict out)
{
    LATHE_LANES(float, tile, 128);
    LATHE_LANES(float, l, 128);
    LATHE_LANES(float, l3, 128);
    LATHE_LANES(float, l4, 128);
    LATHE_LANES(float, l5, 128);
    LATHE_LANES(float, l6, 128);
    int wg0 = get_group_id(0);
    int l1 = get_local_id(1);
    int l0 = get_local_id(0);
    float acc = 0.0f;
    for (int i = 0; i < 2; i++) {
        acc += X[64*(l1 + 4*wg0) + 32*i + l0];
    }
    lathe_lane(l6, l0 + 32*l1) = acc;
    lathe_lanes_barrier(CLK_LOCAL_MEM_FENCE);
    lathe_lane(l5, l0 + 32*l1) = lathe_lane(l6, l0 + 32*l1) + lathe_lane_of_f32(l6, 32*l1 + (l0 + 16)%32);
    lathe_lanes_barrier(CLK_LOCAL_MEM_FENCE);
    lathe_lane(l4, l0 + 32*l1) = lathe_lane(l5, l0 + 32*l1) + lathe_lane_of_f32(l5, 32*l1 + (l0 + 8)%32);
    lathe_lanes_barrier(CLK_LOCAL_MEM_FENCE);
    lathe_lane(l3, l0 + 32*l1) = lathe_lane(l4, l0 + 32*l1) + lathe_lane_of_f32(l4, 32*l1 + (l0 + 4)%32);
    lathe_lanes_barrier(CLK_LOCAL_MEM_FENCE);
    lathe_lane(l, l0 + 32*l1) = lathe_lane(l3, l0 + 32*l1) + lathe_lane_of_f32(l3, 32*l1 + (l0 + 2)%32);
    lathe_lanes_barrier(CLK_LOCAL_MEM_FENCE);
    lathe_lane(tile, l0 + 32*l1) = lathe_lane(l, l0 + 32*l1) + lathe_lane_of_f32(l, 32*l1 + (l0 + 1)%32);
    lathe_lanes_barrier(CLK_LOCAL_MEM_FENCE);
    float lane = lathe_lane_of_f32(tile, 32*l1);
    if (l0 == 0) {
        out[l1 + 4*wg0] = 0.0f + lane;
    }
}
> run
@6  oclgrind Oclgrind Simulator   N=8   WG 32x4 x 2x1
  build   - ms        local 3.0 KiB/WG   private 0 B
  verify  OK   3 inputs x 1 repeat; input 1 exact
          error 2.4e-07, 0.07 x the source's own; sees changes of 6e-08
          every element
> code --dialect cuda | sed -n '/^extern/,$p'
extern "C" __global__ __launch_bounds__(128)
void sums_k0(const float *__restrict__ X, float *__restrict__ out)
{
    LATHE_LANES(float, tile, 128);
    LATHE_LANES(float, l, 128);
    LATHE_LANES(float, l3, 128);
    LATHE_LANES(float, l4, 128);
    LATHE_LANES(float, l5, 128);
    LATHE_LANES(float, l6, 128);
    int wg0 = blockIdx.x;
    int l1 = threadIdx.y;
    int l0 = threadIdx.x;
    float acc = 0.0f;
    for (int i = 0; i < 2; i++) {
        acc += X[64*(l1 + 4*wg0) + 32*i + l0];
    }
    lathe_lane(l6, l0 + 32*l1) = acc;
    lathe_lanes_barrier();
    lathe_lane(l5, l0 + 32*l1) = lathe_lane(l6, l0 + 32*l1) + lathe_lane_of_f32(l6, 32*l1 + (l0 + 16)%32);
    lathe_lanes_barrier();
    lathe_lane(l4, l0 + 32*l1) = lathe_lane(l5, l0 + 32*l1) + lathe_lane_of_f32(l5, 32*l1 + (l0 + 8)%32);
    lathe_lanes_barrier();
    lathe_lane(l3, l0 + 32*l1) = lathe_lane(l4, l0 + 32*l1) + lathe_lane_of_f32(l4, 32*l1 + (l0 + 4)%32);
    lathe_lanes_barrier();
    lathe_lane(l, l0 + 32*l1) = lathe_lane(l3, l0 + 32*l1) + lathe_lane_of_f32(l3, 32*l1 + (l0 + 2)%32);
    lathe_lanes_barrier();
    lathe_lane(tile, l0 + 32*l1) = lathe_lane(l, l0 + 32*l1) + lathe_lane_of_f32(l, 32*l1 + (l0 + 1)%32);
    lathe_lanes_barrier();
    float lane = lathe_lane_of_f32(tile, 32*l1);
    if (l0 == 0) {
        out[l1 + 4*wg0] = 0.0f + lane;
    }
}
> set target h200
> code | sed -n '/^kernel/,$p' | head -3
kernel void sums_k0(const global float *restrict X, global float *restrict out)
{
    LATHE_LANES(float, tile, 128);
> set target auto
> set sync paranoid
> code | grep -c 'barrier(CLK'
6
> set sync normal
> let scans (X: [N][32]i32) = map (\r -> scan (+) 0 r) X
scans : [N][32]i32 -> [N][32]i32
> data N = 8
> apply splitJoin(4) * slot("in", mapWorkgroup(0) * slot("f", mapWarp))
@1  splitJoin(4) * slot("in", mapWorkgroup(0) * slot("f", mapWarp))  at /  builtin    from @0
  - map (scan (+) 0) X
  + join ∘ mapWorkgroup 0 (mapWarp (scan (+) 0)) ∘ split 4 $ X
  type   [N][32]i32                   unchanged
  inner  3 steps        log --expand
  focus  /  ->  /                     11 moves here
> apply scanByLanes at /in/f/body/f/body
@2  scanByLanes  at /in/f/body/f/body   builtin    from @1
  - scan (+) 0 r
  + join ∘ transpose ∘ map (scan (+) 0) ∘ transpose ∘ split 1 $ r
  type   [32]i32                      unchanged
  focus  /  ->  /                     11 moves here
> apply copyLanes at /in/f/body/f/body/in/in/in/in/in
@3  copyLanes  at /in/f/body/f/body/in/in/in/in/in  builtin    from @2
  - r
  + mapLane id r
  type   [32]i32                      unchanged
  focus  /  ->  /                     11 moves here
> apply doubleLanes at /in/f/body/f/body
@4  doubleLanes  at /in/f/body/f/body   builtin    from @3
  - join ∘ transpose ∘ map (scan (+) 0) ∘ transpose ∘ split 1 ∘ mapLane id $ r
  + join (transpose (map (..) (transpose (split 2 (let l = toLanes ∘ mapLane id $ r in mapLane (λ...
  type   [32]i32                      unchanged
  focus  /  ->  /                     11 moves here
> apply eachLane at /in/f/body/f/body
E21 eachLane does not apply at /in/f/body/f/body
  rule    join (transpose (map (\c -> scan f z c) (transpose (split d y))))  =>  mapLane (\v -> f (z, v)) (toLanes y)  when d == length y and under mapWarp and not under mapLocal 0
  needs   d == length y
  found   they are 2 and 32
  when    d == length y: no, they are 2 and 32
  when    under mapWarp: yes, under mapWarp
  when    not under mapLocal 0: yes, not under mapLocal 0
  instead doubleLanes at /in/f/body/f/body
> apply rep(doubleLanes) * eachLane at /in/f/body/f/body
@5  rep(doubleLanes) * eachLane  at /in/f/body/f/body  builtin    from @4
  - join (transpose (map (scan (+) 0) (transpose (split 2 (..)))))
  + mapLane (λv → 0 + v) (toLanes (let l = toLanes (let l = toLanes (let l = toLanes (let l = toL...
  type   [32]i32                      unchanged
  inner  5 steps        log --expand
  focus  /  ->  /                     11 moves here
> code | sed -n '/^kernel/,$p'
kernel void scans_k0(const global int *restrict X, global int *restrict out)
{
    LATHE_LANES(int, tile, 128);
    LATHE_LANES(int, l, 128);
    LATHE_LANES(int, l3, 128);
    LATHE_LANES(int, l4, 128);
    LATHE_LANES(int, l5, 128);
    LATHE_LANES(int, l6, 128);
    int wg0 = get_group_id(0);
    int l1 = get_local_id(1);
    int l0 = get_local_id(0);
    lathe_lane(l6, l0 + 32*l1) = X[32*(l1 + 4*wg0) + l0];
    int a = lathe_lane(l6, l0 + 32*l1);
    lathe_lanes_barrier(CLK_LOCAL_MEM_FENCE);
    int lane = lathe_lane_of_i32(l6, 32*l1 + (l0 + 31)%32);
    lathe_lane(l5, l0 + 32*l1) = l0 < 1 ? a : (int)((uint)lane + a);
    int a2 = lathe_lane(l5, l0 + 32*l1);
    lathe_lanes_barrier(CLK_LOCAL_MEM_FENCE);
    int lane2 = lathe_lane_of_i32(l5, 32*l1 + (l0 + 30)%32);
    lathe_lane(l4, l0 + 32*l1) = l0 < 2 ? a2 : (int)((uint)lane2 + a2);
    int a3 = lathe_lane(l4, l0 + 32*l1);
    lathe_lanes_barrier(CLK_LOCAL_MEM_FENCE);
    int lane3 = lathe_lane_of_i32(l4, 32*l1 + (l0 + 28)%32);
    lathe_lane(l3, l0 + 32*l1) = l0 < 4 ? a3 : (int)((uint)lane3 + a3);
    int a4 = lathe_lane(l3, l0 + 32*l1);
    lathe_lanes_barrier(CLK_LOCAL_MEM_FENCE);
    int lane4 = lathe_lane_of_i32(l3, 32*l1 + (l0 + 24)%32);
    lathe_lane(l, l0 + 32*l1) = l0 < 8 ? a4 : (int)((uint)lane4 + a4);
    int a5 = lathe_lane(l, l0 + 32*l1);
    lathe_lanes_barrier(CLK_LOCAL_MEM_FENCE);
    int lane5 = lathe_lane_of_i32(l, 32*l1 + (l0 + 16)%32);
    lathe_lane(tile, l0 + 32*l1) = l0 < 16 ? a5 : (int)((uint)lane5 + a5);
    out[32*(l1 + 4*wg0) + l0] = 0 + lathe_lane(tile, l0 + 32*l1);
}
> run
@5  oclgrind Oclgrind Simulator   N=8   WG 32x4 x 2x1
  build   - ms        local 2.5 KiB/WG   private 0 B
  verify  OK   3 inputs x 1 repeat; input 1 exact
          exact
          every element
> load tests/programs/softmax.fun
softmax : [N][M]f32 -> [N][M]f32        2 programs; list programs
> data N = 8, M = 64
> apply rowsInWarps
@1  rowsInWarps  at /                   builtin    from @0
  - map (λx → let m = reduce max (..) x in let e = map (..) x in let s = reduce (+) 0 e in map (....
  + join ∘ mapWorkgroup 0 (mapWarp (λx → let m = max (..) (at 0 (toLanes (let l = toLanes (let l ...
  type   [N][M]f32                    unchanged
  inner  35 steps        log --expand
  focus  /  ->  /                     11 moves here
> show
join ∘
  mapWorkgroup 0
    (mapWarp
      (λx →
        let m = max
          (-inf)
          (at
            0
            (toLanes
              (let l = toLanes
                (let l = toLanes
                  (let l = toLanes
                    (let l = toLanes
                      (let l = toLanes ∘ mapLane (reduceSeq max (-inf)) ∘ transpose ∘ split 32 $ x
                      in mapLane max (zip l (reorder (rotate 16) l)))
                    in mapLane max (zip l (reorder (rotate 8) l)))
                  in mapLane max (zip l (reorder (rotate 4) l)))
                in mapLane max (zip l (reorder (rotate 2) l)))
              in mapLane max (zip l (reorder (rotate 1) l)))))
        in let r = toLocal ∘ mapLocal 0 (mapSeq (λv → exp (v - m))) ∘ transpose ∘ split 32 $ x
        in let s = 0 +
          at
            0
            (toLanes
              (let l = toLanes
                (let l = toLanes
                  (let l = toLanes
                    (let l = toLanes
                      (let l = toLanes ∘ mapLane (reduceSeq (+) 0) $ r
                      in mapLane (+) (zip l (reorder (rotate 16) l)))
                    in mapLane (+) (zip l (reorder (rotate 8) l)))
                  in mapLane (+) (zip l (reorder (rotate 4) l)))
                in mapLane (+) (zip l (reorder (rotate 2) l)))
              in mapLane (+) (zip l (reorder (rotate 1) l))))
        in join ∘ transpose ∘ mapLocal 0 (mapSeq (λv → v / s)) $ r)) ∘
  split 4 $ X
> run
@1  oclgrind Oclgrind Simulator   N=8  M=64   WG 32x4 x 2x1
  build   - ms        local 7.0 KiB/WG   private 0 B
  verify  OK   3 inputs x 1 repeat
          error 8.9e-08, 0.15 x the source's own; sees changes of 6e-08
          every element
          sees a part of 1/8 that a min, max or if leaves out
> device pocl0
pocl0    **
> set local 32x4
> run
@1  pocl0 **
  build   - ms        local 7.0 KiB/WG   private 1.0 KiB
  verify  OK   3 inputs x 2 repeats, 29 x 1
          error 9e-08, 0.15 x the source's own; sees changes of 6e-08
          every element
          sees a part of 1/85 that a min, max or if leaves out
  time    - ms median of 20  (IQR -, min -)    - GB/s
> set local auto
> device oclgrind
oclgrind    Oclgrind Simulator
> let few (X: [N][16]f32) = map (\r -> reduce max (-inf) r) X
few : [N][16]f32 -> [N]f32
> data N = 8
> apply rowsInWarps{lanes=16}
@1  rowsInWarps{lanes=16}  at /         builtin    from @0
  - map (reduce max (-inf)) X
  + join ∘ mapWorkgroup 0 (mapWarp (λr → max (..) (at 0 (toLanes (let l = toLanes (let l = toLane...
  type   [N]f32                       unchanged
  inner  14 steps        log --expand
  focus  /  ->  /                     7 moves here
> code | sed -n '/^kernel/,$p'
kernel void few_k0(const global float *restrict X, global float *restrict out)
{
    local float l4[64] __attribute__((aligned(64)));
    local float l5[64] __attribute__((aligned(64)));
    local float *tile = l5;
    local float *l = l4;
    local float *l3 = l5;
    int wg0 = get_group_id(0);
    int l1 = get_local_id(1);
    int l0 = get_local_id(0);
    if (l0 < 16) {
        float acc = -INFINITY;
        float r = X[16*(l1 + 4*wg0) + l0];
        acc = fmax(acc, r);
        l5[l0 + 16*l1] = acc;
    }
    lathe_warp_barrier(CLK_LOCAL_MEM_FENCE);
    if (l0 < 16) {
        l4[l0 + 16*l1] = fmax(l5[l0 + 16*l1], l5[16*l1 + (l0 + 8)%16]);
    }
    lathe_warp_barrier(CLK_LOCAL_MEM_FENCE);
    if (l0 < 16) {
        l3[l0 + 16*l1] = fmax(l4[l0 + 16*l1], l4[16*l1 + (l0 + 4)%16]);
    }
    lathe_warp_barrier(CLK_LOCAL_MEM_FENCE);
    if (l0 < 16) {
        l[l0 + 16*l1] = fmax(l3[l0 + 16*l1], l3[16*l1 + (l0 + 2)%16]);
    }
    lathe_warp_barrier(CLK_LOCAL_MEM_FENCE);
    if (l0 < 16) {
        tile[l0 + 16*l1] = fmax(l[l0 + 16*l1], l[16*l1 + (l0 + 1)%16]);
    }
    lathe_warp_barrier(CLK_LOCAL_MEM_FENCE);
    if (l0 == 0) {
        out[l1 + 4*wg0] = fmax(-INFINITY, tile[16*l1]);
    }
}
> run
@1  oclgrind Oclgrind Simulator   N=8   WG 32x4 x 2x1
  build   - ms        local 512 B/WG   private 0 B
  verify  OK   3 inputs x 1 repeat; input 1 exact
          exact; sees changes of 6e-08
          every element
          sees a part of 1/8 that a min, max or if leaves out
> let wide (X: [N][64]f64) = map (\r -> reduce (+) 0 r) X
wide : [N][64]f64 -> [N]f64
> data N = 8
> apply rowsInWarps
@1  rowsInWarps  at /                   builtin    from @0
  - map (reduce (+) 0) X
  + join ∘ mapWorkgroup 0 (mapWarp (λr → 0 + at 0 (toLanes (let l = toLanes (let l = toLanes (let...
  type   [N]f64                       unchanged
  inner  15 steps        log --expand
  focus  /  ->  /                     7 moves here
> code | grep 'local \|LANES'
    local double l5[128] __attribute__((aligned(64)));
    local double l6[128] __attribute__((aligned(64)));
    local double *tile = l5;
    local double *l = l6;
    local double *l3 = l5;
    local double *l4 = l6;
> let turned (X: [N][32]f32) = mapWorkgroup 0 (mapWarp (\r -> let l = toLanes (mapLane (\v -> v * 2) r) in mapLane (\(v, i) -> if i % 2 == 0 then l[31 - i] else v) (zip l (iota 32)))) (split 4 X)
turned : [N][32]f32 -> [N/4][4][32]f32
> data N = 8
> code | sed -n '/^kernel/,$p'
kernel void turned_k0(const global float *restrict X,
                      global float *restrict out)
{
    LATHE_LANES(float, l, 128);
    int wg0 = get_group_id(0);
    int l1 = get_local_id(1);
    int l0 = get_local_id(0);
    lathe_lane(l, l0 + 32*l1) = X[32*(l1 + 4*wg0) + l0] * 2.0f;
    lathe_lanes_barrier(CLK_LOCAL_MEM_FENCE);
    float lane = lathe_lane_of_f32(l, 32*l1 + 31 - l0);
    out[32*(l1 + 4*wg0) + l0] = l0%2 == 0 ? lane : lathe_lane(l, l0 + 32*l1);
}
> run
@0  oclgrind Oclgrind Simulator   N=8   WG 32x4 x 2x1
  build   - ms        local 512 B/WG   private 0 B
  verify  OK   3 inputs x 1 repeat; input 1 exact
          exact; sees changes of 6e-08
          every element
> let counted (X: [N][32]f32) (k: [32]i32) = mapWorkgroup 0 (mapWarp (\r -> let l = toLanes (mapLane (\v -> v * 2) r) in mapLane (\i -> l[i]) k)) (split 4 X)
counted : [N][32]f32 -> [32]i32 -> [N/4][4][32]f32
> data N = 8, k = random(1, 0, 31)
> code | grep 'local \|LANES'
    local float l[128] __attribute__((aligned(64)));
> run
@0  oclgrind Oclgrind Simulator   N=8   WG 32x4 x 2x1
  build   - ms        local 512 B/WG   private 0 B
  verify  OK   3 inputs x 1 repeat; input 1 exact
          exact; sees changes of 6e-08
          every element
> let alone (X: [N][32]f32) = mapWorkgroup 0 (mapLane (\v -> v + 1)) X
alone : [N][32]f32 -> [N][32]f32
> data N = 8
> run
E53 mapLane at /f/body: mapLane stands under mapWarp only
  found   /f/body : [32]f32
> let within (X: [N][32]f32) = mapWorkgroup 0 (mapLocal 1 (\r -> mapWarp (\v -> v + 1) r)) (split 4 X)
within : [N][32]f32 -> [N/4][4][32]f32
> data N = 8
> run
E53 mapWarp at /f/body/f/body: it takes dimensions 0 and 1 of a group, and an enclosing mapLocal has one of them
  found   /f/body/f/body : [32]f32
> let outside (X: [N][32]f32) = mapWorkgroup 0 (\r -> mapLocal 0 (\v -> v + 1) (toLanes (mapLocal 0 (\v -> v + 1) r))) X
outside : [N][32]f32 -> [N][32]f32
> data N = 8
> run
E53 toLanes at /f/body/in: toLanes outside mapWarp: there is no warp to share it
  found   /f/body/in : [32]f32
