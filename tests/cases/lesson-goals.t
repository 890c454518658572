> lesson tests/lessons/goals
Every goal
part 1 of 5: Forms and parameters
  now     asum@1 = reduce (+) 0 ∘ join ∘ map (map abs) ∘ split s0 $ xs
  goal    somewhere in the term is  split s0
  and     s0 = 8
  and     all parameters are bound
  and     it rests on built-in rules only
  and     nowhere in the term is  mapSeq
  par     1 step
  help    lesson check: what is missing; lesson skip: go on without it
> lesson check
  yes     somewhere in the term is  split s0
  no      s0 = 8
          s0 is not bound        param s0
  no      all parameters are bound
          s0 is not bound        param s0
  yes     it rests on built-in rules only
  yes     nowhere in the term is  mapSeq
  yes     equal to @0
E84 part 1 is not reached yet: 2 things are missing
  or      lesson skip
> lesson hint
this part has no hints        lesson check says what is missing
> param s0 = 4
@2  param s0 = 4        from @1
> lesson check
  yes     somewhere in the term is  split s0
  no      s0 = 8
          s0 is 4; wanted: 8
  yes     all parameters are bound
  yes     it rests on built-in rules only
  yes     nowhere in the term is  mapSeq
  yes     equal to @0
E84 part 1 is not reached yet: 1 thing is missing
  or      lesson skip
> undo
@1  splitJoin{n=s0}
    reduce (+) 0 ∘ join ∘ map (map abs) ∘ split s0 $ xs
> param s0 = 8
@3  param s0 = 8        from @1
goal reached in 1 step (par 1)        lesson next
> undo
@1  splitJoin{n=s0}
    reduce (+) 0 ∘ join ∘ map (map abs) ∘ split s0 $ xs
> param s0 = 8
@4  param s0 = 8        from @1
  same   as @3        goto @3
That is where you have been.
> lesson next
part 2 of 5: The same term by another way
  now     asum@0 = reduce (+) 0 ∘ map abs $ xs
  goal    the whole term is of the form  reduce (+) 0 _
  and     the same term as @cut
  and     what the text asks for
  help    lesson check: what is missing; lesson skip: go on without it
> apply fuseReduce
E83 fuseReduce is not in this lesson yet
  try     lesson hint
> macro fuseAll = topdown(mapFusion)
fuseAll
  macro fuseAll = topdown(mapFusion)
> apply splitJoin(16) at /in
@5  splitJoin(16)  at /in               builtin    from @0
  - map abs xs
  + join ∘ map (map abs) ∘ split 16 $ xs
  type   [N]f32                       unchanged
  focus  /  ->  /                     7 moves here
> lesson check
  yes     the whole term is of the form  reduce (+) 0 _
  no      the same term as @cut
          not the term that this part is about
  no      what the text asks for
          1 steps were taken; 2 are wanted
  yes     equal to @0
E84 part 2 is not reached yet: 2 things are missing
  or      lesson skip
> undo
@0  source
    reduce (+) 0 ∘ map abs $ xs
> apply splitJoin at /in
@6  splitJoin{n=s0}  at /in             builtin    from @0
  - map abs xs
  + join ∘ map (map abs) ∘ split s0 $ xs
  type   [N]f32                       unchanged
  param  s0 : int    1 <= s0 <= N, s0 divides N        7 legal values for N = 64
  same   term as @1        goto @1
  focus  /  ->  /                     7 moves here
> lesson check
  yes     the whole term is of the form  reduce (+) 0 _
  yes     the same term as @cut
  no      what the text asks for
          1 steps were taken; 2 are wanted
  yes     equal to @0
E84 part 2 is not reached yet: 1 thing is missing
  or      lesson skip
> cd /in/in/in
> param s0 = 16
@7  param s0 = 16        from @6
goal reached in 2 steps        lesson next
> use nosuch
E02 no program "nosuch"
  try     list programs
> let other (xs: [N]f32) = map abs xs
other : [N]f32 -> [N]f32
> lesson check
  no      this part is about asum        use asum
E84 part 2 is not reached by this version: 1 thing is missing
  note    it was reached by @7        lesson next
> use asum
> lesson next
part 3 of 5: A rule
  now     asum@7 = reduce (+) 0 ∘ join ∘ map (map abs) ∘ split s0 $ xs
  goal    your rule half has passed check
  and     check has found a counterexample to wrong
  and     somewhere in the term is  split 2
  help    lesson check: what is missing; lesson skip: go on without it
> rule half: map f x => join (map (map f) (split 2 x)) when 2 divides (length x)
rule half
  map f x  =>  join (map (map f) (split 2 x))  when 2 divides (length x)
  user; assumed
> check half
half holds on 500 instances, seed 1
  half is checked now; it was assumed
> rule wrong: map f x => map f (map f x)
rule wrong
  map f x  =>  map f (map f x)
  user; assumed
> lesson check
  yes     your rule half has passed check
  no      check has found a counterexample to wrong
          no counterexample to wrong is known        check wrong
  no      somewhere in the term is  split 2
          /in/in/in is split s0 xs; wanted there: split 2
  yes     equal to @0
E84 part 3 is not reached yet: 2 things are missing
  or      lesson skip
> check wrong
# a counterexample to wrong, of seed 1
rule wrong: map f x => map f (map f x)
let counterexample (x: [1]f32) = map (\x1 -> x1 + 3) x
data x = [0]
eval
apply wrong at /
eval
E31 wrong does not hold
  rule    map f x  =>  map f (map f x)
  found   element [0] is 3 on the left, 6 on the right
  try     check wrong > wrong.lathe        keeps these commands
  next    source wrong.lathe
A counterexample says more than a proof that is nearly one.
> apply half at /in
E21 half does not apply at /in
  rule    map f x  =>  join (map (map f) (split 2 x))  when 2 divides (length x)
  needs   map f x
  found   join . map (map abs) . split s0 $ xs
  near    /in/in: map (map abs) . split s0 $ xs
  try     apply half at /in/in
  try     apply joinMap at /in ; apply half at /in
> goto @0
@0  source
    reduce (+) 0 ∘ map abs $ xs
> apply half at /in
@8  half  at /in                        checked    from @0
  - map abs xs
  + join ∘ map (map abs) ∘ split 2 $ xs
  type   [N]f32                       unchanged
  focus  /  ->  /                     7 moves here
goal reached in 1 step        lesson next
> lesson next
part 4 of 5: A pattern
  now     asum@0 = reduce (+) 0 ∘ map abs $ xs
  goal    the version with the hash ae9192de
  asked   Which pattern finds every map?
  answer  lesson check PATTERN        as for find: map _ (zip _ _)
  help    lesson check: what is missing; lesson skip: go on without it
> lesson check zip _ _
E85 zip _ _: that is not it
  because There is no zip.
  try     lesson show
> lesson check map (
E03 the bracket ( is not closed
  opened  line 35: lesson check map (
  needs   to be closed before line 36, which begins with a command; indent lines that continue
> lesson check 'map'
right
  yes     the question is answered
  yes     the version with the hash ae9192de
goal reached        lesson next
> save kept.session
saved kept.session: 2 programs, 8 versions
> lesson leave
left goals: 4 of 5        lesson goals goes on
> open kept.session
opened kept.session: 2 programs, 8 versions; now asum@0
  it is of lesson goals, part 4 of 5
> lesson leave
left goals: 4 of 5
> lesson next
E82 no lesson is on
  try     list lessons
