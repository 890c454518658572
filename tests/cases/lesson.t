> lesson nosuch
E81 no lesson "nosuch"
  try     list lessons
> lesson tests/nosuch
E81 tests/nosuch is no lesson: it holds no lesson.md
  try     list lessons
> lesson next
E82 no lesson is on
  try     list lessons
> lesson tests/lessons/bad-pattern
E80 expected an operator, `,` or `)`, found the end of the input
  bad-pattern/lesson.md:7:11
  | has map (_ -- words
  |           ^
> lesson tests/lessons/bad-directive
E80 no directive "gaol"; did you mean goal?
  bad-directive/lesson.md:5:4
  | ```gaol
  |    ^~~~
> lesson tests/lessons/bad-empty
E80 a part has a goal or asks something
  bad-empty/lesson.md:3:4
  | ## One
  |    ^~~
> lesson tests/lessons/bad-fence
E80 this fence is not closed
  bad-fence/lesson.md:5:1
  | ```goal
  | ^~~~~~~
> lesson tests/lessons/bad-answer
E80 the answer is none of the choices
  bad-answer/lesson.md:8:8
  | answer three
  |        ^~~~~
> load tests/programs/scal.fun
scal : f32 -> [N]f32 -> [N]f32
> apply splitJoin(8)
@1  splitJoin(8)  at /                  builtin    from @0
  - map (λx → alpha * x) xs
  + join ∘ map (map (λx → alpha * x)) ∘ split 8 $ xs
  type   [N]f32                       unchanged
  focus  /  ->  /                     5 moves here
> mark chunks /in
  $chunks  /in                       map (map (λx → alpha * x)) ∘ split 8 $ xs
> cd /in
> lesson tests/lessons/small
A small lesson
This lesson is for the tests of lessons. It has every directive that there is.

part 1 of 4: Cut a map
The product of two vectors is a `map` over pairs. Cut it into chunks of 16, so that **each chunk**
could go to its own processor; a line of this length is longer than the width that is set in the
tests, and so it is broken at blanks.

    > load dot.fun
    dot : [N]f32 -> [N]f32 -> f32
    > show /in
    map (*) (zip xs ys)

  now     dot@0 = reduce (+) 0 (map (*) (zip xs ys))
  goal    a map inside of a map
  and     nowhere in the term is  mapSeq
  par     2 steps
  help    lesson check: what is missing; lesson hint: 3 of 3 left
> !"/proc/$PPID/exe" -e "lesson tests/lessons/small"
E86 small is under way in another lathe
  hint    go on there, or leave it there: lesson leave
E05 the system command failed with status 1
> lesson check
  no      a map inside of a map
  yes     nowhere in the term is  mapSeq
E84 part 1 is not reached yet: 1 thing is missing
  try     lesson hint
> lesson next
E84 part 1, Cut a map, is not reached yet
  try     lesson check
  or      lesson skip
> apply reduceSplit
@1  reduceSplit{n=s0}  at /             builtin    from @0
  - reduce (+) 0 (map (*) (zip xs ys))
  + reduce (+) 0 (map (reduce (+) 0) (split s0 (map (*) (zip xs ys))))
  type   f32                          unchanged
  param  s0 : int    1 <= s0 <= N, s0 divides N        7 legal values for N = 64
  focus  /  ->  /                     6 moves here
> lesson hint
hint 1 of 3: A map over N elements is a map over chunks.
> undo
@0  source
    reduce (+) 0 (map (*) (zip xs ys))
> lesson hint
hint 2 of 3: The rule is splitJoin.
> lesson hint
hint 3 of 3:
    apply splitJoin(16) at /in
> lesson hint
1 step from @0 to the goal: apply splitJoin at /in
hint 3 of 3:
    apply splitJoin(16) at /in
> apply splitJoin(16) at /in
@2  splitJoin(16)  at /in               builtin    from @0
  - map (*) (zip xs ys)
  + join (map (map (*)) (split 16 (zip xs ys)))
  type   [N]f32                       unchanged
  focus  /  ->  /                     5 moves here
goal reached in 1 step (par 2)        lesson next
> lesson next
part 2 of 4: What does it change
The result is joined again, so the number of elements stays.

  now     dot@2 = reduce (+) 0 (join (map (map (*)) (split 16 (zip xs ys))))
  asked   How many multiplications does it do now, for N = 64?
  answer  a number from 0 to 1000
  help    lesson check: what is missing; lesson skip: go on without it
> lesson check 4
E85 4: that is not it
  because That is the number of chunks.
  try     lesson show
> lesson check many
E05 the answer must be a whole number from 0 to 1000, not "many"
> lesson check 64
right
Cutting only groups them.
  yes     the question is answered
  yes     equal to @0
goal reached        lesson next
> lesson next
part 3 of 4: Go on
Now the inner map, sequentially.

  now     dot@2 = reduce (+) 0 (join (map (map (*)) (split 16 (zip xs ys))))
  goal    somewhere in the term is  mapSeq
  and     all parameters are bound
  help    lesson check: what is missing; lesson hint: 1 of 1 left
> apply splitJoin(4) at /in/in/f/body
E83 splitJoin is not in this lesson yet
  try     lesson hint
> lower
E83 lower is not in this lesson yet
  try     lesson hint
> open some.session
E83 a lesson has its own session, and open would replace it
  try     lesson leave
> apply reduceSplit(8) at /in
E21 reduceSplit does not apply at /in
  rule    reduce f z x  =>  reduce f z (map (reduce f z) (split n x))  when associative f and restarts z f and n divides (length x)
  needs   reduce f z x
  found   join (map (map (*)) (split 16 (zip xs ys)))
  near    /: reduce (+) 0 (join (map (map (*)) (split 16 (zip xs ys))))
  try     apply reduceSplit(8) at /
A refusal is no accident: read what it needs and what it found.
> apply mapSeq at /in/in/f/body
@3  mapSeq  at /in/in/f/body            builtin    from @2
  - map (*) xs1
  + mapSeq (*) xs1
  type   [16]f32                      unchanged
  focus  /  ->  /                     5 moves here
goal reached in 1 step        lesson next
> undo
@2  splitJoin(16)
    reduce (+) 0 (join (map (map (*)) (split 16 (zip xs ys))))
> lesson check
  no      somewhere in the term is  mapSeq
          nothing in @2 is mapSeq
  yes     all parameters are bound
  yes     equal to @0
E84 part 3 is not reached by this version: 1 thing is missing
  note    it was reached by @3        lesson next
> redo
@3  mapSeq
    reduce (+) 0 (join (map (mapSeq (*)) (split 16 (zip xs ys))))
> lesson show solution
E83 solutions are hidden
  try     lesson hint
  or      set spoilers on
> set spoilers on
> lesson show solution
apply mapSeq at /in/in/f/body
> lesson reset
part 3 of 4: Go on
Now the inner map, sequentially.

  now     dot@2 = reduce (+) 0 (join (map (map (*)) (split 16 (zip xs ys))))
  goal    somewhere in the term is  mapSeq
  and     all parameters are bound
  help    lesson check: what is missing; lesson hint: 1 of 1 left
> apply mapSeq at /in/in/f/body
@4  mapSeq  at /in/in/f/body            builtin    from @2
  - map (*) xs1
  + mapSeq (*) xs1
  type   [16]f32                      unchanged
  same   term as @3        goto @3
  focus  /  ->  /                     5 moves here
goal reached in 1 step        lesson next
> lesson next
part 4 of 4: A choice
  now     scalar@0 = reduce (+) 0 (map (*) (zip xs ys))
  goal    every part of the term is an OpenCL primitive
  and     it rests on built-in rules only
  asked   Is addition of floats associative?
          1  yes
          2  no
          3  only for small numbers
  answer  1 .. 3
  help    lesson check: what is missing; lesson skip: go on without it
> show @0
reduce (+) 0 (map (*) (zip xs ys))
> lesson check y
E85 yes: that is not it
  because Try (1e8 + 1) - 1e8.
  try     lesson show
> lesson check perhaps
E05 "perhaps" is none of the choices
  1       yes
  2       no
  3       only for small numbers
> lower lowerSeq
@1  lowerSeq                            builtin    from @0
  - reduce (+) 0 (map (*) (zip xs ys))
  + reduceSeq (λ(acc, (y0, y1)) → acc + y0 * y1) 0 (zip xs ys)
  type   f32                          unchanged
  inner  2 steps        log --expand
  focus  /  ->  /                     0 moves here
> lesson check
  yes     every part of the term is an OpenCL primitive
  yes     it rests on built-in rules only
  no      the question is answered
  asked   Is addition of floats associative?
          1  yes
          2  no
          3  only for small numbers
  answer  1 .. 3
E84 part 4 is not reached yet: 1 thing is missing
  or      lesson skip
> lesson check 2
right
  yes     every part of the term is an OpenCL primitive
  yes     it rests on built-in rules only
  yes     the question is answered
goal reached in 1 step        that was the last part: 4 of 4 done        lesson leave
> lesson next
A small lesson: that was the last part: 4 of 4 done        lesson leave
> lesson leave
left small: done        lesson small goes on
back in your session: scal@1
> lesson leave
E82 no lesson is on
  try     list lessons
> show $chunks
map (map (λx → alpha * x)) ∘ split 8 $ xs
> cd
/in
> log
  @0  source
* @1  splitJoin(8)  at /
> lesson tests/lessons/small
A small lesson
going on where it was left: done
part 4 of 4: A choice
  now     scalar@1 = reduceSeq (λ(acc, (y0, y1)) → acc + y0 * y1) 0 (zip xs ys)
  goal    every part of the term is an OpenCL primitive
  and     it rests on built-in rules only
  done    in 1 step        that was the last part: 4 of 4 done        lesson leave
> log
  @0  source
* @1  lowerSeq  (2 inner steps)
> lesson reset all
part 1 of 4: Cut a map
The product of two vectors is a `map` over pairs. Cut it into chunks of 16, so that **each chunk**
could go to its own processor; a line of this length is longer than the width that is set in the
tests, and so it is broken at blanks.

    > load dot.fun
    dot : [N]f32 -> [N]f32 -> f32
    > show /in
    map (*) (zip xs ys)

  now     dot@0 = reduce (+) 0 (map (*) (zip xs ys))
  goal    a map inside of a map
  and     nowhere in the term is  mapSeq
  par     2 steps
  help    lesson check: what is missing; lesson hint: 3 of 3 left
> log
* @0  source
> lesson skip
the lesson's own steps lead to @1
part 2 of 4: What does it change
The result is joined again, so the number of elements stays.

  now     dot@1 = reduce (+) 0 (join (map (map (*)) (split 16 (zip xs ys))))
  asked   How many multiplications does it do now, for N = 64?
  answer  a number from 0 to 1000
  help    lesson check: what is missing; lesson skip: go on without it
> lesson skip
part 3 of 4: Go on
Now the inner map, sequentially.

  now     dot@1 = reduce (+) 0 (join (map (map (*)) (split 16 (zip xs ys))))
  goal    somewhere in the term is  mapSeq
  and     all parameters are bound
  help    lesson check: what is missing; lesson hint: 1 of 1 left
> lesson leave
left small: 0 of 4        lesson small goes on
back in your session: scal@1
> lua t.lesson("tests/lessons/small")
E05 a lesson begins and ends at the prompt or in a command script; Lua stays in its session
  hint    t.lesson("check"), t.lesson("hint") and t.lesson("next") work inside of a lesson
> lesson tests/lessons/small
A small lesson
going on where it was left: 0 of 4
part 3 of 4: Go on
Now the inner map, sequentially.

  now     dot@1 = reduce (+) 0 (join (map (map (*)) (split 16 (zip xs ys))))
  goal    somewhere in the term is  mapSeq
  and     all parameters are bound
  help    lesson check: what is missing; lesson hint: 1 of 1 left
> lua t.lesson("leave")
E05 a lesson begins and ends at the prompt or in a command script; Lua stays in its session
  hint    t.lesson("check"), t.lesson("hint") and t.lesson("next") work inside of a lesson
> lua print(t.lesson("check"))
nil	E84 part 3 is not reached yet: 1 thing is missing
  try     lesson hint
> =splitJoin
E83 splitJoin is not in this lesson yet
  try     lesson hint
  in      lua:1
> lua t.apply("joinMap")
E83 joinMap is not in this lesson yet
  try     lesson hint
> where joinMap
E83 joinMap is not in this lesson yet
  try     lesson hint
> moves --deep | head -5
  1  reducePartIntro        /                 reduce (+) 0 (reducePart s0 (+) 0 (join (..)))
  2  reduceReorder(reverse)  /                reduce (+) 0 (reorder reverse (join (..)))
  3  reduceSplit            /                 reduce (+) 0 (map (reduce (+) 0) (split s0 (..)))
  4  reduceColumns          /                 reduce (+) 0 (reduceSeq (λ(acc, c) → map (+) (zip a...
  5  reduceWhole            /                 at 0 (map (reduce (+) 0) (split N (join (..))))
> apply topdown(joinMap)
E83 joinMap is not in this lesson yet
  try     lesson hint
> lesson leave
left small: 0 of 4        lesson small goes on
back in your session: scal@1
