> set view
  view            normal                lecture: for a projector: room between the lines, equations with the rules, no hashes, colours that everybody can tell apart
  one of: normal lecture; initially normal
> set view dark
E05 "dark" is not a value of view
  needs   one of: normal lecture
> load tests/programs/dot.fun
dot : [N]f32 -> [N]f32 -> f32
> data N = 256
> moves /in --kind split
  1  splitJoin              join (map (map (*)) (split s0 (zip xs ys)))
  2  mapPeel                concat (map (*) (take s0 (zip xs ys))) (map (*) (drop s0 (zip xs ys)))
  3  mapPeelLast            concat (map (*) (take (N - s0) (..))) (map (*) (drop (N - s0) (..)))
> set view lecture
> moves /in --kind fusion
no fusion rule applies at /in

> moves /in --kind split
  1  splitJoin              join (map (map (*)) (split s0 (zip xs ys)))
     map f x  =>  join (map (map f) (split n x))  when n divides (length x)

  2  mapPeel                concat (map (*) (take s0 (zip xs ys))) (map (*) (drop s0 (zip xs ys)))
     map f x  =>  concat (map f (take n x)) (map f (drop n x))  when n < length x

  3  mapPeelLast            concat (map (*) (take (N - s0) (..))) (map (*) (drop (N - s0) (..)))
     map f x  =>  concat (map f (take (length x - n) x)) (map f (drop (length x - n) x))  when n <
         length x

> apply splitJoin(16) at /in as chunks
@1  splitJoin(16)  at /in               builtin    from @0
  map f x  =>  join (map (map f) (split n x))  when n divides (length x)

  - map (*) (zip xs ys)
  + join (map (map (*)) (split 16 (zip xs ys)))

  type   [N]f32                       unchanged
  focus  /  ->  /                     7 moves here

> apply topdown(reduceSeq) * try(mapFusion)
@2  topdown(reduceSeq) * try(mapFusion)  at /  builtin    from @1
  reduceSeq:  reduce f z x  =>  reduceSeq f z x  when not contains mapGlobal f and not contains
      mapWorkgroup f
  mapFusion:  map f (map g x)  =>  map (f . g) x

  - reduce (+) 0 (join (map (map (*)) (split 16 (zip xs ys))))
  + reduceSeq (+) 0 (join (map (map (*)) (split 16 (zip xs ys))))

  type   f32                          unchanged
  focus  /  ->  /                     4 moves here

> undo
@1  splitJoin(16)
    reduce (+) 0 (join (map (map (*)) (split 16 (zip xs ys))))

> why mapSeq at /in/in
mapSeq applies at /in/in
  rule    map f x  =>  mapSeq f x  when not contains mapGlobal f and not contains mapWorkgroup f
  where   x = split 16 (zip xs ys)
          f = map (*)
  when    not contains mapGlobal f: yes, it does not contain mapGlobal
  when    not contains mapWorkgroup f: yes, it does not contain mapWorkgroup
  gives   mapSeq (map (*)) (split 16 (zip xs ys))
  try     apply mapSeq at /in/in

> why topdown(reduceSeq)
topdown(reduceSeq) applies at /: 1 step
      1   reduceSeq at /
          reduce f z x  =>  reduceSeq f z x  when not contains mapGlobal f and not contains
              mapWorkgroup f
  gives   reduceSeq (+) 0 (join (map (map (*)) (split 16 (zip xs ys))))
  try     apply topdown(reduceSeq) at /

> apply reduceMapFusion
E21 reduceMapFusion does not apply at /
  rule    reduceSeq f z (map g x)  =>  reduceSeq (\(acc, y) -> f (acc, g y)) z x
  needs   reduceSeq f z (map g x)
  found   reduce (+) 0 (join (map (map (*)) (split 16 (zip xs ys))))
  try     apply reduceSeq at / ; apply reduceJoin at / ; apply reduceMapFusion at /
> undo
@0  source
    reduce (+) 0 (map (*) (zip xs ys))

> lower
@3  lower                               builtin    from @0
  the default: by the shape of the program and the kind of device where sizes are known, else as
      lowerPlain

  - reduce (+) 0 (map (*) (zip xs ys))
  + reduceSeq (+) 0 (mapGlobal 0 (reduceSeq (λ(acc, (y0, y1)) → fma y0 y1 acc) 0) (split (N/64) (...

  type   f32                          unchanged
  inner  9 steps        log --expand
  focus  /  ->  /                     4 moves here

> log
  @0  source

  ├─ @1  splitJoin(16)  at /in  [chunks]
  │      map f x  =>  join (map (map f) (split n x))  when n divides (length x)

  │  @2  topdown(reduceSeq) * try(mapFusion)  at /
  │      reduceSeq:  reduce f z x  =>  reduceSeq f z x  when not contains mapGlobal f and not
  │          contains mapWorkgroup f
  │      mapFusion:  map f (map g x)  =>  map (f . g) x

* @3  lower  (9 inner steps)
      the default: by the shape of the program and the kind of device where sizes are known, else as
          lowerPlain

> log @3 --expand
* @3  lower
      the default: by the shape of the program and the kind of device where sizes are known, else as
          lowerPlain

      .1  reducePartIntro(64)  at /
          reduce f z x  =>  reduce f z (reducePart m f z x)  when associative f and restarts z f and
              m divides (length x)
      .2  reducePartToReduce  at /in
          reducePart m f z x  =>  map (reduce f z) (split ((length x)/m) x)
      .3  reduceSeq  at /
          reduce f z x  =>  reduceSeq f z x  when not contains mapGlobal f and not contains
              mapWorkgroup f
      .4  splitMap  at /in/in
          split n (map f x)  =>  map (map f) (split n x)
      .5  mapFusion  at /in
          map f (map g x)  =>  map (f . g) x
      .6  reduceSeq  at /in/f/body
          reduce f z x  =>  reduceSeq f z x  when not contains mapGlobal f and not contains
              mapWorkgroup f
      .7  reduceMapFusion  at /in/f/body
          reduceSeq f z (map g x)  =>  reduceSeq (\(acc, y) -> f (acc, g y)) z x
      .8  mapGlobal(0)  at /in
          map f x  =>  mapGlobal d f x  when not under mapGlobal d and not under mapWorkgroup and
              not under mapSeq and not under mapSeqUnroll and not under reduceSeq and not under
              reduceSeqUnroll and not under scanSeq and not contains mapGlobal d f and not contains
              mapWorkgroup f and not contains mapLocal f
      fuseSums  at /in/f/body/f/body
         .9  mulAdd  at /in/f/body/f/body
             c + a * b  =>  fma a b c  when scalar c

> explain @1 @3
@1 <= @0  splitJoin(16)  at /in
    map f x  =>  join (map (map f) (split n x))  when n divides (length x)

      join (map (map (*)) (split 16 (zip xs ys)))
    = map (*) (zip xs ys)

@0 => @3  lower  at /
    the default: by the shape of the program and the kind of device where sizes are known, else as
        lowerPlain

      reduce (+) 0 (map (*) (zip xs ys))
    = reduceSeq
        (+)
        0
        (mapGlobal 0 (reduceSeq (λ(acc, (y0, y1)) → fma y0 y1 acc) 0) (split (N/64) (zip xs ys)))

> info /
/ of dot@3
  kind    reduceSeq    left fold f(...f(f(z, x0), x1)...) in one loop
  type    f32
  bytes   4
  space   global, the result
  fact    64 divides N                split (N/64) at /in/in
  slot    f      (+)                                                  ((f32, f32) -> f32)
  slot    init   0.0                                                  f32
  slot    in     mapGlobal 0 (reduceSeq (λ(acc, (y0, y1)) → fma ...   [64]f32
  nodes   20
  trust   builtin
  origin  @3 lower

> eval
@3  f32    N=256
  -7.08453

> code
/* dot@3
 *   @3 lower
 * N=256
 */

#pragma OPENCL FP_CONTRACT OFF

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void dot_k0(const global float *restrict xs,
                   const global float *restrict ys, global float *restrict tmp)
{
    int gid0 = get_global_id(0);
    float acc = 0.0f;
    for (int i = 0; i < 4; i++) {
        acc = fma(xs[4*gid0 + i], ys[4*gid0 + i], acc);
    }
    tmp[gid0] = acc;
}

__attribute__((reqd_work_group_size(1, 1, 1)))
kernel void dot_k1(global float *restrict out, const global float *restrict tmp)
{
    float acc = 0.0f;
    for (int i = 0; i < 64; i++) {
        acc += tmp[i];
    }
    out[0] = acc;
}

> set color always
> diff @0 @1
/in
  [38;5;166m- map (*) (zip xs ys)[0m
  [1;38;5;32m+ join (map (map (*)) (split 16 (zip xs ys)))[0m

> set color never
> show
reduceSeq
  (+)
  0
  (mapGlobal 0 (reduceSeq (λ(acc, (y0, y1)) → fma y0 y1 acc) 0) (split (N/64) (zip xs ys)))

> show > /dev/null ; tag mapped
@3 is now "mapped"

> log | head -3
  @0  source

  ├─ @1  splitJoin(16)  at /in  [chunks]
> set view normal
> diff @0 @1
/in
  - map (*) (zip xs ys)
  + join (map (map (*)) (split 16 (zip xs ys)))
