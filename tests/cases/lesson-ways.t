> lesson machine | tail -7
  now     scal@0 = map (λx → alpha * x) xs
  goal    every part of the term is an OpenCL primitive
  and     give the map to the global work-items
  par     1 step
  asked   How many work-items run the kernel for N = 4096?
  answer  a number from 1 to 100000
  help    lesson check: what is missing; lesson hint: 4 of 4 left
> check 64
E85 64: that is not it
  because That is the number of work-items in a group, or of groups.
  try     lesson hint
> check 1,024.0
E85 1024: that is not it
  try     lesson hint
> 64
E85 64: that is not it
  because That is the number of work-items in a group, or of groups.
  try     lesson hint
> 1 024
E85 1024: that is not it
  try     lesson hint
> N
E01 no command "N"
  try     data N
> check '4 096'
right
One for each element of the map. Which of them make a group is left to lathe here; run shows it as
WG 64 x 64: 64 groups of 64.
  yes     the question is answered
  no      every part of the term is an OpenCL primitive
          / is still map: high-level pattern
  no      give the map to the global work-items
> check 4,096.0
right
One for each element of the map. Which of them make a group is left to lathe here; run shows it as
WG 64 x 64: 64 groups of 64.
  yes     the question is answered
  no      every part of the term is an OpenCL primitive
          / is still map: high-level pattern
  no      give the map to the global work-items
> apply mapGlobal(0)
@1  mapGlobal(0)  at /                  builtin    from @0
  - map (λx → alpha * x) xs
  + mapGlobal 0 (λx → alpha * x) xs
  type   [N]f32                       unchanged
  focus  /  ->  /                     0 moves here
goal reached in 1 step (par 1)        lesson next
> next | head -1
part 2 of 6: Groups
> apply splitJoin(64)
@1  splitJoin(64)  at /                 builtin    from @0
  - map (λx → alpha * x) xs
  + join ∘ map (map (λx → alpha * x)) ∘ split 64 $ xs
  type   [N]f32                       unchanged
  focus  /  ->  /                     0 moves here
> undo
@0  source
    map (λx → alpha * x) xs
> apply mapGlobal(0)
@2  mapGlobal(0)  at /                  builtin    from @0
  - map (λx → alpha * x) xs
  + mapGlobal 0 (λx → alpha * x) xs
  type   [N]f32                       unchanged
  focus  /  ->  /                     0 moves here
No rule of this part applies here any more. Was a map given to the machine before it was cut? `undo`
goes back.
> undo
@0  source
    map (λx → alpha * x) xs
> hint
hint 1 of 4: Cut, then map from outside to inside.
> skip | head -1
part 3 of 6: Where does that line come from?
> check 3
E85 /f/body/f/body: that is not it
  because That is what the loop does each time: it adds a magnitude.
  try     lesson hint
> skip | head -1
part 4 of 6: A derivation that stops
> check READ IT
right
After the reversal, work-item 0 reads what work-item 63 has made. Private memory cannot be read by
others.
  yes     the question is answered
  no      the array between the two maps has to be in memory that the group shares, the faster kind
  yes     every part of the term is an OpenCL primitive
  yes     equal to @0
> skip | tail -7
  goal    it ran on a device, and its result was verified
  asked   What is missing in the edited kernel, between writing and reading the tile?
          1  a loop
          2  a barrier
          3  an index check
  answer  1 .. 3
  help    lesson check: what is missing; lesson hint: 4 of 4 left
> check An
E05 "An" is none of the choices
  1       a loop
  2       a barrier
  3       an index check
> check barrier
right
Work-item 0 reads the element that work-item 63 writes. Without a barrier nothing says that it has
been written by then.
  yes     the question is answered
  not yet it ran on a device, and its result was verified
          a version of this program has to run, with the right result
  no      equal to @0
          its kernel was edited: what it computes, a run will say        run
> check
  yes     the question is answered
  not yet it ran on a device, and its result was verified
          a version of this program has to run, with the right result
  no      equal to @0
          its kernel was edited: what it computes, a run will say        run
E84 part 5 is not reached yet: 2 things are missing
  try     lesson hint
> skip | head -1
part 6 of 6: A sum for the machine
> skip
5. To the machine: that was the last part: 1 of 6 done, some skipped        lesson measuring
> lesson splitting | tail -5
  now     scale@0 = map (λx → x * 3) xs
  goal    split the map and leave the size open: apply splitJoin
  and     s0: four chunks of 96 elements: how long is each?
  par     2 steps
  help    lesson check: what is missing; lesson hint: 4 of 4 left
> check
  no      split the map and leave the size open: apply splitJoin
  no      s0: four chunks of 96 elements: how long is each?
          @0 has no parameter s0
E84 part 1 is not reached yet: 2 things are missing
  try     lesson hint
> apply splitJoin(24)
@1  splitJoin(24)  at /                 builtin    from @0
  - map (λx → x * 3) xs
  + join ∘ map (map (λx → x * 3)) ∘ split 24 $ xs
  type   [N]f32                       unchanged
  focus  /  ->  /                     0 moves here
> check
  no      split the map and leave the size open: apply splitJoin
  no      s0: four chunks of 96 elements: how long is each?
          @1 has no parameter s0
  yes     equal to @0
E84 part 1 is not reached yet: 2 things are missing
  try     lesson hint
> goto @0
@0  source
    map (λx → x * 3) xs
> apply splitJoin ; param s0 = 12
@2  splitJoin{n=s0}  at /               builtin    from @0
  - map (λx → x * 3) xs
  + join ∘ map (map (λx → x * 3)) ∘ split s0 $ xs
  type   [N]f32                       unchanged
  param  s0 : int    1 <= s0 <= N, s0 divides N        12 legal values for N = 96
  focus  /  ->  /                     0 moves here
@3  param s0 = 12        from @2
> check
  yes     split the map and leave the size open: apply splitJoin
  no      s0: four chunks of 96 elements: how long is each?
          s0 is 12
  yes     equal to @0
E84 part 1 is not reached yet: 1 thing is missing
  try     lesson hint
> check mapFusion
E83 mapFusion is not in this lesson yet
  try     lesson hint
> lesson leave
left splitting: 0 of 6        lesson splitting goes on
> hint
E82 no lesson is on
  try     list lessons
> check
E05 which rule or version is to be checked?
  form    check RULE | @VERSION [@VERSION] [--trials N] [--seed S]
> lesson test tests/lessons/bad-left
  BAD        bad-left 1  One                                1 step
             line 3: to be written: TODO: what this lesson is about.
             line 7: no directive "note"; ```text shows a block as it is
             line 20: to be written: has mapSeq _ _ -- TODO: the goal in words
             there is no rule or macro mapSequence, which it allows
             there is no rule or macro joinMap.rev, which it allows
E80 1 part is not well made
> # an answer by itself, by its number or in words; what is a command is one
> lesson tests/lessons/goals | tail -3
  and     nowhere in the term is  mapSeq
  par     1 step
  help    lesson check: what is missing; lesson skip: go on without it
> 99
E01 no command "99"
  try     help
> lesson skip | tail -0
> leave
left goals: 0 of 5        lesson goals goes on
> leave
E82 no lesson is on
  try     list lessons
> 2
E01 no command "2"
  try     help
> lesson machine | tail -0
> lesson reset all | tail -0
> 4096 elements
right
One for each element of the map. Which of them make a group is left to lathe here; run shows it as
WG 64 x 64: 64 groups of 64.
  yes     the question is answered
  no      every part of the term is an OpenCL primitive
          / is still map: high-level pattern
  no      give the map to the global work-items
> 64
E85 64: that is not it
  because That is the number of work-items in a group, or of groups.
  try     lesson hint
> next | tail -0
E84 part 1, One work-item an element, is not reached yet
  try     lesson check
  or      lesson skip
> leave
left machine: 0 of 6        lesson machine goes on
> # what is set of the display holds behind the lesson, and when it is begun again
> lesson machine | tail -0
> set unicode off
> set seeds 2
> leave
left machine: 0 of 6        lesson machine goes on
> set unicode
  unicode         off                   print λ ∘ → rather than \ . ->; auto: in a UTF-8 locale
  one of: auto on off; initially auto
> set seeds
  seeds           3                     different inputs of a verification
  from 1 to 100, initially 3
> set unicode on
> lesson machine | tail -0
> set unicode
  unicode         off                   print λ ∘ → rather than \ . ->; auto: in a UTF-8 locale
  one of: auto on off; initially auto
> leave
left machine: 0 of 6        lesson machine goes on
> # what a transcript of a lesson uses is a file beside it
> lesson terms | tail -0
> use asum
E02 no program "asum"
  try     load asum.fun
> load asum.fun
asum : [N]f32 -> f32
> use nosuch
E02 no program "nosuch"
  try     list programs
> leave
left terms: 0 of 7        lesson terms goes on
