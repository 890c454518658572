> load tests/programs/scal.fun
scal : f32 -> [N]f32 -> [N]f32
> data N = 64
> lower lowerSeq
@1  lowerSeq                            builtin    from @0
  - map (λx → alpha * x) xs
  + mapSeq (λx → alpha * x) xs
  type   [N]f32                       unchanged
  focus  /  ->  /                     4 moves here
> run
@1  pocl0 **
  build   **
  verify  OK   3 inputs x 2 repeats; input 1 exact
          error 4e-08, 0.46 x the source's own; sees changes of 6e-08
          every element
  time    - ms median of 20  (IQR -, min -)    - GB/s
> results --columns program,at,sizes,state
  program    @   sizes   state
  scal      @1   N=64    ok
> lesson tests/lessons/inventory
What is there
This lesson is for the tests of what a part allows.

part 1 of 2: Little
Few rules, one macro, few commands.

  now     dot@0 = reduce (+) 0 (map (*) (zip xs ys))
  goal    somewhere in the term is  split
  help    lesson check: what is missing; lesson skip: go on without it
> lesson skip
the lesson's own steps lead to @1
part 2 of 2: More
The commands are all there now, and another rule.

  now     dot@1 = reduce (+) 0 (join (map (map (*)) (split 4 (zip xs ys))))
  goal    every part of the term is an OpenCL primitive
  help    lesson check: what is missing; lesson skip: go on without it
> lower lowerSeq
@2  lowerSeq                            builtin    from @1
  - reduce (+) 0 (join (map (map (*)) (split 4 (zip xs ys))))
  + reduceSeq (+) 0 (join (toGlobal (mapSeq (mapSeq (*)) (split 4 (zip xs ys)))))
  type   f32                          unchanged
  inner  4 steps        log --expand
  focus  /  ->  /                     0 moves here
goal reached in 1 step        that was the last part: 1 of 2 done, some skipped        lesson leave
> run
@2  pocl0 **
  build   **
  verify  OK   3 inputs x 2 repeats; input 1 exact
          error 7.7e-08, 1 x the source's own; sees changes of 6e-08
          every element
  time    - ms median of 20  (IQR -, min -)    - GB/s
> results --columns program,at,sizes,state
  program    @   sizes   state
  dot       @2   N=8     ok
> log --results
  @0  source
  @1  splitJoin(4)  at /in
* @2  lowerSeq  (4 inner steps)  pocl0 ok - ms
> lesson leave
left inventory: 1 of 2        lesson inventory goes on
back in your session: scal@1
> results --columns program,at,sizes,state
  program    @   sizes   state
  scal      @1   N=64    ok
> lesson inventory
What is there
going on where it was left: 1 of 2
part 2 of 2: More
The commands are all there now, and another rule.

  now     dot@2 = reduceSeq (+) 0 (join (toGlobal (mapSeq (mapSeq (*)) (split 4 (zip xs ys)))))
  goal    every part of the term is an OpenCL primitive
  done    in 1 step        that was the last part: 1 of 2 done, some skipped        lesson leave
> results --columns program,at,sizes,state
  program    @   sizes   state
  dot       @2   N=8     ok
> lesson grade
inventory: What is there
  1  skipped                                  Little
  2  done         1 step                      More
E87 1 of 2 parts of inventory are done
> lesson test tests/lessons/small
  ok         small 1  Cut a map                             1 step (par 2)
  ok         small 2  What does it change                   0 steps
  ok         small 3  Go on                                 1 step
  ok         small 4  A choice                              1 step
> results --columns program,at,sizes,state
  program    @   sizes   state
  dot       @2   N=8     ok
> save kept.session
saved kept.session: 1 program, 2 versions
> lesson leave
left inventory: 1 of 2        lesson inventory goes on
back in your session: scal@1
> save mine.session
saved mine.session: 1 program, 1 version
> open kept.session
opened kept.session: 1 program, 2 versions; now dot@2
  it is of lesson inventory, part 2 of 2
> results --columns program,at,sizes,state
  program    @   sizes   state
  dot       @2   N=8     ok
> lesson leave
left inventory: 1 of 2
back in your session: scal@1
> lesson inventory
What is there
going on where it was left: 1 of 2
part 2 of 2: More
The commands are all there now, and another rule.

  now     dot@2 = reduceSeq (+) 0 (join (toGlobal (mapSeq (mapSeq (*)) (split 4 (zip xs ys)))))
  goal    every part of the term is an OpenCL primitive
  done    in 1 step        that was the last part: 1 of 2 done, some skipped        lesson leave
> lesson reset all
part 1 of 2: Little
Few rules, one macro, few commands.

  now     dot@0 = reduce (+) 0 (map (*) (zip xs ys))
  goal    somewhere in the term is  split
  help    lesson check: what is missing; lesson skip: go on without it
> lesson skip
the lesson's own steps lead to @1
part 2 of 2: More
The commands are all there now, and another rule.

  now     dot@1 = reduce (+) 0 (join (map (map (*)) (split 4 (zip xs ys))))
  goal    every part of the term is an OpenCL primitive
  help    lesson check: what is missing; lesson skip: go on without it
> results
no results yet: run and search record them
> lesson leave
left inventory: 0 of 2        lesson inventory goes on
back in your session: scal@1
> results --columns program,at,sizes,state
  program    @   sizes   state
  scal      @1   N=64    ok
