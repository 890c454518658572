> load tests/programs/dot.fun
dot : [N]f32 -> [N]f32 -> f32
> apply fuseReduce
@1  fuseReduce  at /                    builtin    from @0
  - reduce (+) 0 (map (*) (zip xs ys))
  + reduceSeq (λ(acc, (y0, y1)) → acc + y0 * y1) 0 (zip xs ys)
  type   f32                          unchanged
  inner  2 steps        log --expand
  focus  /  ->  /                     3 moves here
> save fused.session
saved fused.session: 1 program, 1 version
> lesson tests/lessons/inventory
What is there
This lesson is for the tests of what a part allows.

part 1 of 2: Little
Few rules, one macro, few commands.

  now     dot@0 = reduce (+) 0 (map (*) (zip xs ys))
  goal    somewhere in the term is  split
  help    lesson check: what is missing; lesson skip: go on without it
> list rules
  splitJoin               map f x  =>  join (map (map f) (split n x))  when n divides (length x)
  mapSeq                  map f x  =>  mapSeq f x  when not contains mapGlobal f and not contains mapWorkgroup f
  reduceSeq               reduce f z x  =>  reduceSeq f z x  when not contains mapGlobal f and not contains mapWorkgroup f
149 more are not in this lesson yet
> list rules mapF
no rules with mapF in this lesson yet
> list rules zzz
no rules with zzz
> list rules Seq
  mapSeq                  map f x  =>  mapSeq f x  when not contains mapGlobal f and not contains mapWorkgroup f
  reduceSeq               reduce f z x  =>  reduceSeq f z x  when not contains mapGlobal f and not contains mapWorkgroup f
51 more are not in this lesson yet
> list macros
  lowerSeq                    everything in one work-item: loops only
72 more are not in this lesson yet
> list strategies low
  lowerSeq                    everything in one work-item: loops only
  somebu(a)                   a at the lowest places where it succeeds, at least one
  allTopdown(a)               a here, then everywhere below; all must succeed
  allBottomup(a)              a everywhere below, then here; all must succeed
  at(path, a)                 a at a path below, as in at("in/f/body", a)
  search using tune           from what lower chooses to other shapes and options of its nests; then guided, over all structures; --set batch=4 gain=0.99 patience=3 rest=0
2 more are not in this lesson yet
> list commands programs
no commands with programs in this lesson yet
> list commands version
  show [@VERSION] [PLACE] [--as expr|tree|typed|json|dot] [--depth N] [--full] [--labels] [--tree yes|no]  print the term, the focus marked
  eval [@VERSION | EXPR] [--trace] [--full] [--save FILE | --save COMPONENT=FILE,...]  run the reference interpreter on the inputs
  check RULE | @VERSION [@VERSION] [--trials N] [--seed S]  try a rule on random instances, or compare two versions
  goto @VERSION                                             go to any version
  log [@VERSION] [--tree | --path | --expand [--depth N]] [--results] [--full]  the derivation tree with the current position
  apply [--trace [--depth N]] STRATEGY|NUMBER [at PLACE] [as TAG]  rewrite; success makes one new version
8 more are not in this lesson yet
> help
session    help,h  list  set  source  save  lua  serve  lesson  quit,q
programs   show,s  data  eval
rewriting  moves,m  apply,a  where  why,w  rule  macro  check
history    undo,u  goto  log  replay
24 more are not in this lesson yet
topics     language types primitives prelude rules stages decisions walkthrough syntax places
           versions trust strategies macros lowering fusion papers sketches proofs scripts lua-api
           kernels files measurements exploration searching sessions lessons course batch json
           editors errors
list commands: a line each        help COMMAND, TOPIC, RULE or E21: all of it
help /WORD searches everything    lesson terms: learn by doing
> help /fuseCopies
nothing in this lesson yet mentions "fuseCopies"
> help /mapFusion | tail -1
3 more are not in this lesson yet
> help mapFusion
E83 mapFusion is not in this lesson yet
  try     lesson hint
> help splitJoin
rule splitJoin(n)
  map f x  =>  join (map (map f) (split n x))  when n divides (length x)
  a map over chunks of n elements
  n: a size; left out: a fresh parameter
  split; builtin; from ICFP'15 fig. 6c
  for example  map f32 x  =>  join . map (map f32) . split 2 $ x      x: [2]i32
> help mapSeq
rule mapSeq
  map f x  =>  mapSeq f x  when not contains mapGlobal f and not contains mapWorkgroup f
  a loop of one work-item
  lower; builtin; from ICFP'15 fig. 7a
  for example  map abs x  =>  mapSeq abs x      x: [5]i32
mapSeq : (a -> b) -> [n]a -> [n]b
  map as a sequential loop of one work-item
  slots: f in
> help lower
E83 lower is not in this lesson yet
  try     lesson hint
> lower --help
E83 lower is not in this lesson yet
  try     lesson hint
> rule mapFusion
E83 mapFusion is not in this lesson yet
  try     lesson hint
> rule mapFusio
E02 no rule called "mapFusio"
  try     list rules
  form    rule NAME[(PARAMS)]: LHS => RHS [when COND]
> rule splitJoim
E02 no rule called "splitJoim"; did you mean splitJoin?
  try     rule splitJoin
  form    rule NAME[(PARAMS)]: LHS => RHS [when COND]
> macro fuse
E83 fuse is not in this lesson yet
  try     lesson hint
> apply fuse
E83 fuse is not in this lesson yet
  try     lesson hint
> help fuse
E83 fuse is not in this lesson yet
  try     lesson hint
> macro lowerSe
E02 no macro called "lowerSe"; did you mean lowerSeq?
  try     macro lowerSeq
  form    macro NAME[(P, ...)] = STRATEGY
> where mapFusion
E83 mapFusion is not in this lesson yet
  try     lesson hint
> why mapFusion at /in
E83 mapFusion is not in this lesson yet
  try     lesson hint
> check mapFusion
E83 mapFusion is not in this lesson yet
  try     lesson hint
> apply mapFusio at /in
E02 no rule, macro or Lua value called "mapFusio"
  try     list rules map
> apply splitJoim(4) at /in
E02 no rule, macro or Lua value called "splitJoim"; did you mean splitJoin?
  try     apply splitJoin(4) at /in
> apply mapReorder.rev at /in
E83 mapReorder is not in this lesson yet
  try     lesson hint
> apply joinSplit + mapSeq at /in
E83 joinSplit is not in this lesson yet
  try     lesson hint
> moves --deep
  1  reduceSeq              /                 reduceSeq (+) 0 (map (*) (zip xs ys))
  2  splitJoin              /in               join (map (map (*)) (split s0 (zip xs ys)))
  3  mapSeq                 /in               mapSeq (*) (zip xs ys)
> lua for _, m in ipairs(t.version():moves("/in")) do print(m.rule) end
splitJoin
mapSeq
> replay fused.session on dot
0 of 1 step replayed; now dot@0
E83 fuseReduce is not in this lesson yet
  try     lesson hint
> lowr
E01 no command "lowr"
  try     help
> lower
E83 lower is not in this lesson yet
  try     lesson hint
> lo
* @0  source
> ru
no rules of your own; rule NAME: LHS => RHS defines one, list rules shows all
> rule mine: map f (map g x) => map (\y -> f (g y)) x
rule mine
  map f (map g x)  =>  map (\y -> f (g y)) x
  user; assumed
> list rules mine
  mine                    map f (map g x)  =>  map (\y -> f (g y)) x
> rule mine
rule mine
  map f (map g x)  =>  map (\y -> f (g y)) x
  user; assumed
> apply splitJoin(4) at /in
@1  splitJoin(4)  at /in                builtin    from @0
  - map (*) (zip xs ys)
  + join (map (map (*)) (split 4 (zip xs ys)))
  type   [N]f32                       unchanged
  focus  /  ->  /                     1 move here
goal reached in 1 step        lesson next
> lesson next
part 2 of 2: More
The commands are all there now, and another rule.

  now     dot@1 = reduce (+) 0 (join (map (map (*)) (split 4 (zip xs ys))))
  goal    every part of the term is an OpenCL primitive
  help    lesson check: what is missing; lesson skip: go on without it
> list rules
  splitJoin               map f x  =>  join (map (map f) (split n x))  when n divides (length x)
  joinMap                 join (map (map f) x)  =>  map f (join x)
  mapSeq                  map f x  =>  mapSeq f x  when not contains mapGlobal f and not contains mapWorkgroup f
  reduceSeq               reduce f z x  =>  reduceSeq f z x  when not contains mapGlobal f and not contains mapWorkgroup f
  mine                    map f (map g x)  =>  map (\y -> f (g y)) x
148 more are not in this lesson yet
> list commands low
  lower [--trace [--depth N]] [STRATEGY] [as TAG] | lower --explain [at PLACE]  finish to OpenCL primitives
  drop @VERSION [--force]                                   take a version and all below it out of the tree
  tune [--budget N,TIME,<TIME] [--keep K] [--again] [--force] [--all]  search what is faster than lower, measure the best again, go to it
> help joinMap
rule joinMap
  join (map (map f) x)  =>  map f (join x)
  a map over chunks is a map over their elements
  split; builtin; from ICFP'15 fig. 6c, backwards
  for example  join . map (map abs) $ x  =>  map abs . join $ x      x: [3][2]f32
> rule -d mine
rule mine is gone
> list rules mine
no rules with mine
> lesson leave
left inventory: 1 of 2        lesson inventory goes on
back in your session: dot@1
> list rules mapFusion
  mapFusion               map f (map g x)  =>  map (f . g) x
  reduceMapFusion         reduceSeq f z (map g x)  =>  reduceSeq (\(acc, y) -> f (acc, g y)) z x
  scanMapFusion           scanSeq f z (map g x)  =>  scanSeq (\(acc, y) -> f (acc, g y)) z x
  scanGroupsMapFusion     scanGroups f z (\c -> g c) (map h x)  =>  scanGroups f z (\c -> g (h c)) x
> !mkdir -p free/inventory && cp tests/lessons/inventory/* free/inventory && sed -i 's/^rules.*/rules */' free/inventory/lesson.md
> lesson free/inventory
What is there
going on where it was left: 1 of 2
it was another one of that name, in *
the lesson has changed since        lesson reset begins this part anew
part 2 of 2: More
The commands are all there now, and another rule.

  now     dot@1 = reduce (+) 0 (join (map (map (*)) (split 4 (zip xs ys))))
  goal    every part of the term is an OpenCL primitive
  help    lesson check: what is missing; lesson skip: go on without it
> lesson reset all
part 1 of 2: Little
Few rules, one macro, few commands.

  now     dot@0 = reduce (+) 0 (map (*) (zip xs ys))
  goal    somewhere in the term is  split
  help    lesson check: what is missing; lesson skip: go on without it
> apply reduceSplit(4)
@1  reduceSplit(4)  at /                builtin    from @0
  - reduce (+) 0 (map (*) (zip xs ys))
  + reduce (+) 0 (map (reduce (+) 0) (split 4 (map (*) (zip xs ys))))
  type   f32                          unchanged
  focus  /  ->  /                     8 moves here
goal reached in 1 step        lesson next
> lesson submit free.session
submitted inventory to free.session: 1 of 2 parts are done
> lesson grade
inventory: What is there
  1  done         1 step                      Little
  2  not begun                                More
E87 1 of 2 parts of inventory are done
> lesson leave
left inventory: 1 of 2        lesson inventory goes on
back in your session: dot@1
> lesson tests/lessons/inventory
What is there
going on where it was left: 1 of 2
it was another one of that name, in *
the lesson has changed since        lesson reset begins this part anew
part 1 of 2: Little
Few rules, one macro, few commands.

  now     dot@1 = reduce (+) 0 (map (reduce (+) 0) (split 4 (map (*) (zip xs ys))))
  goal    somewhere in the term is  split
  done    in 1 step        lesson next
> lesson reset all
part 1 of 2: Little
Few rules, one macro, few commands.

  now     dot@0 = reduce (+) 0 (map (*) (zip xs ys))
  goal    somewhere in the term is  split
  help    lesson check: what is missing; lesson skip: go on without it
> apply splitJoin(4) at /in
@1  splitJoin(4)  at /in                builtin    from @0
  - map (*) (zip xs ys)
  + join (map (map (*)) (split 4 (zip xs ys)))
  type   [N]f32                       unchanged
  focus  /  ->  /                     1 move here
goal reached in 1 step        lesson next
> lesson next
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
goal reached in 1 step        that was the last part: 2 of 2 done        lesson leave
> lesson grade
inventory: What is there
  1  done         1 step                      Little
  2  done         1 step                      More
> replay free.session
0 of 1 step replayed; now dot@2
E83 reduceSplit is not in this lesson yet
  try     lesson hint
> lesson grade free.session
inventory: What is there
     the lesson was another one when this was done
  1  not reached                              Little
       step @1 uses reduceSplit, which is not in this part
  2  not begun                                More
E87 0 of 2 parts of inventory are done
> lesson leave
left inventory: done        lesson inventory goes on
back in your session: dot@1
