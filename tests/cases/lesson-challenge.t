> ! cp -r tests/lessons/challenge .
> lesson test challenge
  ok         challenge 1  Few and fast                      2 rewrites (par 2)
> lesson challenge
A challenge
For the tests of pars and bests.

part 1 of 1: Few and fast
  now     dot@0 = reduce (+) 0 (map (*) (zip xs ys))
  goal    every part of the term is an OpenCL primitive
  and     it ran on a device, and its result was verified
  par     2 rewrites
  and     at most 1000 x the time of @lower        run @lower @
  help    lesson check: what is missing; lesson skip: go on without it
> lesson best
  1  open                    (par 1000)                       Few and fast
> goto @lower
@1  lower
    reduceSeq (+) 0 (mapWorkgroup 0 (λ(ys1, ys2) → reduceSeqUnroll (+) 0 (asScalar (reduceSeq (λ(...
> run | tail -0
> lesson check
  yes     every part of the term is an OpenCL primitive
  yes     it ran on a device, and its result was verified
  no      made of what is in this part
          @1 uses lower, which is not in this part        goto @0
  yes     equal to @0
E84 part 1 is not reached yet: 1 thing is missing
  or      lesson skip
> lesson grade
challenge: A challenge
  1  not reached                              Few and fast
       step @1 uses lower, which is not in this part
E87 0 of 1 parts of challenge are done
> goto @0
@0  source
    reduce (+) 0 (map (*) (zip xs ys))
> apply reduceSplit(64) ; apply topdown(reduceSeq)^0 ; apply normalize(reduceMapFusion) ; apply normalize(mapSeq)
@2  reduceSplit(64)  at /               builtin    from @0
  - reduce (+) 0 (map (*) (zip xs ys))
  + reduce (+) 0 (map (reduce (+) 0) (split 64 (map (*) (zip xs ys))))
  type   f32                          unchanged
  focus  /  ->  /                     12 moves here
@3  topdown(reduceSeq)^0  at /          builtin    from @2
  - reduce (+) 0 (map (reduce (+) 0) (split 64 (map (*) (zip xs ys))))
  + reduceSeq (+) 0 (map (reduceSeq (+) 0) (split 64 (map (*) (zip xs ys))))
  type   f32                          unchanged
  inner  2 steps        log --expand
  focus  /  ->  /                     5 moves here
@4  normalize(reduceMapFusion)  at /    builtin    from @3
  - reduceSeq (+) 0 (map (reduceSeq (+) 0) (split 64 (map (*) (zip xs ys))))
  + reduceSeq (λ(acc, y) → acc + reduceSeq (+) 0 y) 0 (split 64 (map (*) (zip xs ys)))
  type   f32                          unchanged
  focus  /  ->  /                     4 moves here
@5  normalize(mapSeq)  at /in/in        builtin    from @4
  - map (*) (zip xs ys)
  + mapSeq (*) (zip xs ys)
  type   [N]f32                       unchanged
  focus  /  ->  /                     4 moves here
> show
reduceSeq (λ(acc, y) → acc + reduceSeq (+) 0 y) 0 (split 64 (mapSeq (*) (zip xs ys)))
> lesson check
  yes     every part of the term is an OpenCL primitive
  not yet it ran on a device, and its result was verified
          @5 did not run yet, its result verified        run
  yes     equal to @0
E84 part 1 is not reached yet: 1 thing is missing
  or      lesson skip
> goto @0
@0  source
    reduce (+) 0 (map (*) (zip xs ys))
> apply reduceSeq * reduceMapFusion
@6  reduceSeq * reduceMapFusion  at /   builtin    from @0
  - reduce (+) 0 (map (*) (zip xs ys))
  + reduceSeq (λ(as, (y0, y1)) → as + y0 * y1) 0 (zip xs ys)
  type   f32                          unchanged
  inner  2 steps        log --expand
  focus  /  ->  /                     4 moves here
> lesson best
  1  open                    (par 1000)                       Few and fast
> run @lower | tail -0
> run | tail -0
goal reached in 2 rewrites (par 2)        that was the last part: 1 of 1 done        lesson leave
> lesson best
  1  2 rewrites (par 2)      (par 1000)                       Few and fast
> run @lower @ | tail -0
your best: - x the time of @lower (par 1000)
> lesson best
  1  2 rewrites (par 2)     - x the time of @lower (par 1000)  Few and fast
> lesson
part 1 of 1: Few and fast
  now     dot@6 = reduceSeq (λ(as, (y0, y1)) → as + y0 * y1) 0 (zip xs ys)
  goal    every part of the term is an OpenCL primitive
  and     it ran on a device, and its result was verified
  par     2 rewrites
  and     at most 1000 x the time of @lower        run @lower @
  best    @6, - x the time of @lower
  done    in 2 rewrites        that was the last part: 1 of 1 done        lesson leave
> lesson submit done.session
submitted challenge to done.session: all parts are done
> lesson leave
left challenge: done        lesson challenge goes on
> lesson grade done.session
challenge: A challenge
  1  done         2 rewrites (par 2)          Few and fast
       @6 here: - x the time of @lower (par 1000)
> ! sed -i 's/^| fastest .*/| fastest 1/' done.session
> lesson grade done.session
challenge: A challenge
     line 65 of the file: its checksum does not fit
  1  not begun                                Few and fast
E89 done.session was changed by hand, or is damaged
