> load tests/programs/blur.fun
blur : [N][M]f32 -> [3][3]f32 -> [N][M]f32        2 programs; list programs
> apply tileStencil2(8, 32)
@1  tileStencil2(8, 32)  at /           builtin    from @0
  - map (map (λnb → reduce (+) 0 (map (*) (zip (..) (join w))))) ∘ slide2 3 1 ∘ pad2 1 1 clamp $ img
  + join ∘ map (transpose ∘ join ∘ map (map (map (..) ∘ slide 3 1 ∘ transpose) ∘ slide 3 1) ∘ sli...
  type   [N][M]f32                    unchanged
  inner  12 steps        log --expand
  focus  /  ->  /                     4 moves here
> show
join ∘
  map
    (transpose ∘
    join ∘
    map
      (map (map (λnb → reduce (+) 0 (map (*) (zip (join nb) (join w)))) ∘ slide 3 1 ∘ transpose) ∘
      slide 3 1) ∘
    slide 34 32 ∘
    transpose) ∘
  slide 10 8 ∘
  pad2 1 1 clamp $ img
> goto @0
@0  source
    map (map (λnb → reduce (+) 0 (map (*) (zip (join nb) (join w))))) ∘ slide2 3 1 ∘ pad2 1 1 cla...
> apply stencilGroups2{u=4, v=8}
@2  stencilGroups2{u=4, v=8}  at /      builtin    from @0
  - map (map (λnb → reduce (+) 0 (map (*) (zip (..) (join w))))) ∘ slide2 3 1 ∘ pad2 1 1 clamp $ img
  + join ∘ mapWorkgroup 1 (transpose ∘ join ∘ mapWorkgroup 0 (mapLocal 0 (mapLocal 1 (λnb → reduc...
  type   [N][M]f32                    unchanged
  inner  20 steps        log --expand
  focus  /  ->  /                     4 moves here
> data N = 32
> data M = 64
> code
/* blur@2  8f401b48f332f041
 *   @2 stencilGroups2{u=4, v=8} at /
 * N=32  M=64
 */

#pragma OPENCL FP_CONTRACT OFF

__attribute__((reqd_work_group_size(10, 6, 1)))
kernel void blur_k0(const global float *restrict img,
                    const global float *restrict w, global float *restrict out)
{
    local float tile_img[60] __attribute__((aligned(64)));
    int wg1 = get_group_id(1);
    int wg0 = get_group_id(0);
    int l1 = get_local_id(1);
    int l0 = get_local_id(0);
    tile_img[l0 + 10*l1] = img[64*clamp(l1 + 4*wg1 - 1, 0, 31) + clamp(l0 + 8*wg0 - 1, 0, 63)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l0 < 8 && l1 < 4) {
        float acc = 0.0f;
        acc += tile_img[l0 + 10*l1] * w[0];
        acc += tile_img[l0 + 10*l1 + 1] * w[1];
        acc += tile_img[l0 + 10*l1 + 2] * w[2];
        acc += tile_img[10*(l1 + 1) + l0] * w[3];
        acc += tile_img[10*(l1 + 1) + l0 + 1] * w[4];
        acc += tile_img[10*(l1 + 1) + l0 + 2] * w[5];
        acc += tile_img[10*(l1 + 2) + l0] * w[6];
        acc += tile_img[10*(l1 + 2) + l0 + 1] * w[7];
        acc += tile_img[10*(l1 + 2) + l0 + 2] * w[8];
        out[64*(l1 + 4*wg1) + l0 + 8*wg0] = acc;
    }
}
> load tests/programs/smooth.fun
smooth : [N]f32 -> [5]f32 -> [N]f32
> apply stencilGroups(64)
@1  stencilGroups(64)  at /             builtin    from @0
  - map (λnb → reduce (+) 0 (map (*) (zip nb w))) ∘ slide 5 1 ∘ pad 2 2 clamp $ xs
  + join ∘ mapWorkgroup 0 (mapLocal 0 (λnb → reduceSeqUnroll (λ(acc, (y0, y1)) → acc + y0 * y1) 0...
  type   [N]f32                       unchanged
  inner  9 steps        log --expand
  focus  /  ->  /                     4 moves here
> code
/* smooth@1  0058592ea1701f8f
 *   @1 stencilGroups(64) at /
 * needs 68 <= N + 4  (slide 68 64 at /in/in)
 * needs 64 divides N - 64  (slide 68 64 at /in/in)
 * needs N + 5 < 2147483648  (int indices)
 */

#pragma OPENCL FP_CONTRACT OFF

__attribute__((reqd_work_group_size(68, 1, 1)))
kernel void smooth_k0(const global float *restrict xs,
                      const global float *restrict w,
                      global float *restrict out, int N)
{
    local float tile_xs[68] __attribute__((aligned(64)));
    int wg0 = get_group_id(0);
    int l0 = get_local_id(0);
    tile_xs[l0] = xs[clamp(l0 + 64*wg0 - 2, 0, N - 1)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l0 < 64) {
        float acc = 0.0f;
        acc += tile_xs[l0] * w[0];
        acc += tile_xs[l0 + 1] * w[1];
        acc += tile_xs[l0 + 2] * w[2];
        acc += tile_xs[l0 + 3] * w[3];
        acc += tile_xs[l0 + 4] * w[4];
        out[l0 + 64*wg0] = acc;
    }
}
> undo
@0  source
    map (λnb → reduce (+) 0 (map (*) (zip nb w))) ∘ slide 5 1 ∘ pad 2 2 clamp $ xs
> lower
@2  lower                               builtin    from @0
  - map (λnb → reduce (+) 0 (map (*) (zip nb w))) ∘ slide 5 1 ∘ pad 2 2 clamp $ xs
  + mapGlobal 0 (λnb → reduceSeqUnroll (λ(acc, (y0, y1)) → fma y0 y1 acc) 0 (..)) ..
  type   [N]f32                       unchanged
  inner  5 steps        log --expand
  focus  /  ->  /                     4 moves here
> # on a CPU: loops that read no padding, which compilers make vectors of; where no number divides the length, the rest apart
> data N = 65536
> goto @0
@0  source
    map (λnb → reduce (+) 0 (map (*) (zip nb w))) ∘ slide 5 1 ∘ pad 2 2 clamp $ xs
> lower
@3  lower                               builtin    from @0
  - map (λnb → reduce (+) 0 (map (*) (zip nb w))) ∘ slide 5 1 ∘ pad 2 2 clamp $ xs
  + join ∘ mapWorkgroup 0 (λxss → concat (mapSeq (λnb → reduceSeqUnroll (λ(acc, (y0, y1)) → fma y...
  type   [N]f32                       unchanged
  inner  13 steps        log --expand
  focus  /  ->  /                     4 moves here
> code
/* smooth@3  d82bcf7cf92931f6
 *   @3 lower
 * N=65536
 */

#pragma OPENCL FP_CONTRACT OFF

__attribute__((reqd_work_group_size(1, 1, 1)))
kernel void smooth_k0(const global float *restrict xs,
                      const global float *restrict w,
                      global float *restrict out)
{
    int wg0 = get_group_id(0);
    for (int i = 0; i < 2; i++) {
        float acc = 0.0f;
        acc = fma(xs[max(0, i + 1024*wg0 - 2)], w[0], acc);
        acc = fma(xs[max(0, i + 1024*wg0 - 1)], w[1], acc);
        acc = fma(xs[i + 1024*wg0], w[2], acc);
        acc = fma(xs[i + 1024*wg0 + 1], w[3], acc);
        acc = fma(xs[i + 1024*wg0 + 2], w[4], acc);
        out[i + 1024*wg0] = acc;
    }
    for (int i = 0; i < 1020; i++) {
        float acc2 = 0.0f;
        acc2 = fma(xs[i + 1024*wg0], w[0], acc2);
        acc2 = fma(xs[i + 1024*wg0 + 1], w[1], acc2);
        acc2 = fma(xs[i + 1024*wg0 + 2], w[2], acc2);
        acc2 = fma(xs[i + 1024*wg0 + 3], w[3], acc2);
        acc2 = fma(xs[i + 1024*wg0 + 4], w[4], acc2);
        out[i + 1024*wg0 + 2] = acc2;
    }
    for (int i = 0; i < 2; i++) {
        float acc3 = 0.0f;
        acc3 = fma(xs[i + 1024*wg0 + 1020], w[0], acc3);
        acc3 = fma(xs[i + 1024*wg0 + 1021], w[1], acc3);
        acc3 = fma(xs[i + 1024*wg0 + 1022], w[2], acc3);
        acc3 = fma(xs[min(65535, i + 1024*wg0 + 1023)], w[3], acc3);
        acc3 = fma(xs[min(65535, i + 1024*wg0 + 1024)], w[4], acc3);
        out[i + 1024*wg0 + 1022] = acc3;
    }
}
> data N = 65537
warning: now 1024 divides N does not hold for split 1024 at /in/in; @3 cannot be run        goto @0 ; lower
> goto @0
@0  source
    map (λnb → reduce (+) 0 (map (*) (zip nb w))) ∘ slide 5 1 ∘ pad 2 2 clamp $ xs
> lower
@4  lower                               builtin    from @0
  - map (λnb → reduce (+) 0 (map (*) (zip nb w))) ∘ slide 5 1 ∘ pad 2 2 clamp $ xs
  + concat (join ∘ mapWorkgroup 0 (λxss → concat (mapSeq (λnb → reduceSeqUnroll (λ(acc, (y0, y1))...
  type   [N]f32                       unchanged
  inner  19 steps        log --expand
  focus  /  ->  /                     4 moves here
> show
concat
  (join ∘
    mapWorkgroup 0
      (λxss →
        concat
          (mapSeq (λnb → reduceSeqUnroll (λ(acc, (y0, y1)) → fma y0 y1 acc) 0 (zip nb w)) ∘
            take 2 $ xss)
          (concat
            (mapSeq (λnb → reduceSeqUnroll (λ(acc, (y0, y1)) → fma y0 y1 acc) 0 (zip nb w)) ∘
              take 1020 ∘
              drop 2 $ xss)
            (mapSeq (λnb → reduceSeqUnroll (λ(acc, (y0, y1)) → fma y0 y1 acc) 0 (zip nb w)) ∘
              drop 1020 ∘
              drop 2 $ xss))) ∘
    split 1024 ∘
    take (N - 1) ∘
    slide 5 1 ∘
    pad 2 2 clamp $ xs)
  (mapGlobal 0 (λnb → reduceSeqUnroll (λ(acc, (y0, y1)) → fma y0 y1 acc) 0 (zip nb w)) ∘
    drop (N - 1) ∘
    slide 5 1 ∘
    pad 2 2 clamp $ xs)
> load tests/programs/blur.fun
blur : [N][M]f32 -> [3][3]f32 -> [N][M]f32        2 programs; list programs
> goto @0
@0  source
    map (map (λnb → reduce (+) 0 (map (*) (zip (join nb) (join w))))) ∘ slide2 3 1 ∘ pad2 1 1 cla...
> data N = 67
> data M = 131
> lower
@3  lower                               builtin    from @0
  - map (map (λnb → reduce (+) 0 (map (*) (zip (..) (join w))))) ∘ slide2 3 1 ∘ pad2 1 1 clamp $ img
  + mapWorkgroup 0 (λxss → concat (mapSeq (λnb → reduceSeqUnroll (λ(acc, (y0, y1)) → fma y0 y1 ac...
  type   [N][M]f32                    unchanged
  inner  12 steps        log --expand
  focus  /  ->  /                     4 moves here
> show
mapWorkgroup 0
    (λxss →
      concat
        (mapSeq
            (λnb → reduceSeqUnroll (λ(acc, (y0, y1)) → fma y0 y1 acc) 0 (zip (join nb) (join w))) ∘
          take 1 $ xss)
        (concat
          (mapSeq
              (λnb → reduceSeqUnroll (λ(acc, (y0, y1)) → fma y0 y1 acc) 0 (zip (join nb) (join w))) ∘
            take (M - 2) ∘
            drop 1 $ xss)
          (mapSeq
              (λnb → reduceSeqUnroll (λ(acc, (y0, y1)) → fma y0 y1 acc) 0 (zip (join nb) (join w))) ∘
            drop (M - 2) ∘
            drop 1 $ xss))) ∘
  slide2 3 1 ∘
  pad2 1 1 clamp $ img
> goto @0
@0  source
    map (map (λnb → reduce (+) 0 (map (*) (zip (join nb) (join w))))) ∘ slide2 3 1 ∘ pad2 1 1 cla...
> apply peelEdges(2, 3)
@4  peelEdges(2, 3)  at /f/body         builtin    from @0
  - map (λnb → reduce (+) 0 (map (*) (zip (join nb) (join w)))) nbs
  + concat (map (..) ∘ take 2 $ xss) (concat (map (..) ∘ take (M - 5) ∘ drop 2 $ xss) (map (..) ∘...
  type   [M]f32                       unchanged
  inner  2 steps        log --expand
  focus  /  ->  /                     15 moves here
> show
map
    (λxss →
      concat
        (map (λnb → reduce (+) 0 (map (*) (zip (join nb) (join w)))) ∘ take 2 $ xss)
        (concat
          (map (λnb → reduce (+) 0 (map (*) (zip (join nb) (join w)))) ∘ take (M - 5) ∘ drop 2 $ xss)
          (map (λnb → reduce (+) 0 (map (*) (zip (join nb) (join w)))) ∘ drop (M - 5) ∘ drop 2 $ xss))) ∘
  slide2 3 1 ∘
  pad2 1 1 clamp $ img
> load tests/programs/scal.fun
scal : f32 -> [N]f32 -> [N]f32
> apply peelEdges
E23 peelEdges fails at /
  needs   a map, and padding
  found   map (\x -> alpha * x) xs
> # padding in two dimensions; a mode is an argument of a helper like any other
> let sum2 (x: [N][M]f32) = map (map (\w -> reduce (+) 0 (join w))) (slide2 3 1 (pad2 1 1 clamp x))
sum2 : [N][M]f32 -> [N][M]f32
> show
map (map (reduce (+) 0 ∘ join)) ∘ slide2 3 1 ∘ pad2 1 1 clamp $ x
> let edged m x = pad 1 1 m x
edged : helper, typed where it is used
> let both (x: [N]f32) = zip (edged mirror x) (edged wrap x)
both : [N]f32 -> [N + 2](f32, f32)
> show
zip (pad 1 1 mirror x) (pad 1 1 wrap x)
> let clamp y = y + 1
clamp : helper, typed where it is used
> let plus (x: [N]f32) = map clamp x
plus : [N]f32 -> [N]f32
