> diff
E10 no program is loaded
  try     load tests/programs/dot.fun        or a file .fun of your own
> load tests/programs/mm.fun
mm : [N][K]f32 -> [K][M]f32 -> [N][M]f32
> diff
E13 @0 is the source: it has no parent to compare with
  try     log        shows versions; diff @A @B compares two
> set verbose 0
> apply splitJoin
@1  splitJoin{n=s0}  at /               builtin    from @0
> diff
/
  - map (λrow → ①) A
  + join ∘ map (map (λrow → ①)) ∘ split s0 $ A
    where ① = map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B
> apply mapInterchange at /in/f/body
@2  mapInterchange  at /in/f/body       builtin    from @1
> diff
/in/f/body
  - map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) rows
  + transpose ∘ map (λcol → map (λrow → reduce (+) 0 (map (*) (zip row col))) rows) ∘ transpose $ B
> diff @0
/
  - map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) A
  + join ∘
      map
        (λrows →
          transpose ∘
            map (λcol → map (λrow → reduce (+) 0 (map (*) (zip row col))) rows) ∘
            transpose $ B) ∘
      split s0 $ A
> apply topdown(reduceSeq)
@3  topdown(reduceSeq)  at /in/f/body/in/f/body/f/body  builtin    from @2
> diff @1 @3
/in/f/body
  - map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) rows
  + transpose ∘
      map (λcol → map (λrow → reduceSeq (+) 0 (map (*) (zip row col))) rows) ∘
      transpose $ B
> diff @1 @3 --side
@1  splitJoin{n=s0}                                 @3  topdown(reduceSeq)
join ∘                                              join ∘
  map                                                 map
    (map                                          |     (λrows →
      (λrow →                                     |       transpose ∘
        map                                                 map
            (λcol →                               |           (λcol →
              reduce                              |             map
                (+)                               |               (λrow →
                0                                 |                 reduceSeq
                (map (*) (zip row col))) ∘        |                   (+)
          transpose $ B)) ∘                       |                   0
                                                  >                   (map (*) (zip row col)))
                                                  >               rows) ∘
                                                  >         transpose $ B) ∘
  split s0 $ A                                        split s0 $ A
> diff @0 @3 --side
@0  source                                          @3  topdown(reduceSeq)
map                                               | join ∘
  (λrow →                                         |   map
    map                                           |     (λrows →
        (λcol →                                   |       transpose ∘
          reduce (+) 0 (map (*) (zip row col)...  |         map
      transpose $ B)                              |           (λcol →
  A                                               |             map
                                                  >               (λrow →
                                                  >                 reduceSeq
                                                  >                   (+)
                                                  >                   0
                                                  >                   (map (*) (zip row col)))
                                                  >               rows) ∘
                                                  >         transpose $ B) ∘
                                                  >   split s0 $ A
> param s0 = 8
@4  param s0 = 8        from @3
> diff
param
  - s0 not bound
  + s0 = 8
> diff @3 @4
param
  - s0 not bound
  + s0 = 8
> diff @2
/in/f/body/in/f/body/f/body
  - reduce (+) 0 (map (*) (zip row col))
  + reduceSeq (+) 0 (map (*) (zip row col))
param
  - s0 not bound
  + s0 = 8
> diff @2 @2
@2 and @2 are the same term
> diff @9
E13 mm has no version @9; the newest is @4
  try     log
> diff @1 @2 @3
E05 "@3" is one argument too many for diff
  form    diff [@A] [@B] [--side] [--code]
> diff @3.1
E13 @3 is a single step: topdown(reduceSeq)
  try     log @3 --expand
> goto @0; apply splitJoin(8)
@0  source
@5  splitJoin(8)  at /                  builtin    from @0
> diff @1 @5
/
  - join ∘ map (map (λrow → ①)) ∘ split s0 $ A
  + join ∘ map (map (λrow → ①)) ∘ split 8 $ A
    where ① = map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B
> # the kernels
> diff --code
E51 not runnable yet: 4 nodes are still high-level
  /                 map      as mapGlobal, mapWorkgroup, mapLocal, mapSeq        moves /
  /f/body           map      as mapGlobal, mapWorkgroup, mapLocal, mapSeq        moves /f/body
  /f/body/f/body    reduce   as reduceSeq        moves /f/body/f/body
  /f/body/f/body/in map      as mapGlobal, mapWorkgroup, mapLocal, mapSeq        moves /f/body/f/body/in
  or      lower
  of      @0
> load tests/programs/scal.fun
scal : f32 -> [N]f32 -> [N]f32
> apply splitJoin(64)
@1  splitJoin(64)  at /                 builtin    from @0
> lower
@2  lower                               builtin    from @1
> goto @1
@1  splitJoin(64)
> apply mapWorkgroup(0) at /in
@3  mapWorkgroup(0)  at /in             builtin    from @1
> apply mapLocal(0) at /in/f/body
@4  mapLocal(0)  at /in/f/body          builtin    from @3
> diff @2 @4 --code | sed 's/^/  /'
  @@ -4,7 +4,7 @@
   kernel void scal_k0(float alpha, const global float *restrict xs,
                       global float *restrict out)
   {
  -    int gid1 = get_global_id(1);
  -    int gid0 = get_global_id(0);
  -    out[gid0 + 64*gid1] = alpha * xs[gid0 + 64*gid1];
  +    int wg0 = get_group_id(0);
  +    int l0 = get_local_id(0);
  +    out[l0 + 64*wg0] = alpha * xs[l0 + 64*wg0];
   }
> diff @2 @4 --code --side
..                                                  ..
                    global float *restrict out)                         global float *restrict out)
{                                                   {
    int gid1 = get_global_id(1);                  |     int wg0 = get_group_id(0);
    int gid0 = get_global_id(0);                  |     int l0 = get_local_id(0);
    out[gid0 + 64*gid1] = alpha * xs[gid0 + 6...  |     out[l0 + 64*wg0] = alpha * xs[l0 + 64*wg0];
}                                                   }
> diff @2 @2 --code
@2 and @2 have the same kernels
> diff @1 @4 --code
E51 not runnable yet: 2 nodes are still high-level
  /in        map      as mapGlobal, mapWorkgroup, mapLocal, mapSeq        moves /in
  /in/f/body map      as mapGlobal, mapWorkgroup, mapLocal, mapSeq        moves /in/f/body
  or      lower
  of      @1
> set unicode off; diff @0 @4
/
  - map (\x -> alpha * x) xs
  + join . mapWorkgroup 0 (mapLocal 0 (\x -> alpha * x)) . split 64 $ xs
> # functions and where both sides share something long
> let f(xs: [N]f32): f32 = xs |> map (\x -> x * x + 1) |> map (\x -> min x 3 * max x 2 + x) |> reduce (+) 0
f : [N]f32 -> f32
> apply mapFusion at /in
@1  mapFusion  at /in                   builtin    from @0
> diff
/in
  - map (\x -> min x 3 * max x 2 + x) . map (\x -> x * x + 1) $ xs
  + map (\x -> let x1 = x * x + 1 in min x1 3 * max x1 2 + x1) xs
> set width 50; diff; set width 100
/in
  - map (\x -> min x 3 * max x 2 + x) .
      map (\x -> x * x + 1) $ xs
  + map
      (\x ->
        let x1 = x * x + 1
        in min x1 3 * max x1 2 + x1)
      xs
