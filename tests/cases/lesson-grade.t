> ! cp -r tests/lessons/graded .
> lesson grade
E82 no lesson is on: grade which file?
  try     lesson grade FILE
> lesson submit x.session
E82 no lesson is on
  try     list lessons
> lesson graded
Graded
For the tests of grading: three parts without an inventory.

part 1 of 3: Fuse
  now     twice@0 = map (λx → x * 2) ∘ map (λx → x + 1) $ xs
  goal    the whole term is of the form  map _ xs
  par     1 step
  help    lesson check: what is missing; lesson hint: 1 of 1 left
> lesson submit
E05 submit to which file?
  try     lesson submit graded.session
> rule drop: map f (map g x) => map f x
rule drop
  map f (map g x)  =>  map f x
  user; assumed
> apply drop
@1  drop  at /                          assumed    from @0
  - map (λx → x * 2) ∘ map (λx → x + 1) $ xs
  + map (λx → x * 2) xs
  type   [N]i32                       unchanged
  focus  /  ->  /                     15 moves here
W08 rule drop is "assumed": versions built with it are marked ?      (check drop; silence: set silence W08)
> lesson check
  yes     the whole term is of the form  map _ xs
  no      equal to @0
          element [0] is 2 on the left, 0 on the right        check @1
E84 part 1 is not reached yet: 1 thing is missing
  try     lesson hint
> lesson submit false.session
submitted graded to false.session: 0 of 3 parts are done
> lesson submit false.session
E17 false.session is there already
  try     lesson submit false.session --force
> goto @0
@0  source
    map (λx → x * 2) ∘ map (λx → x + 1) $ xs
> apply mapFusion
@2  mapFusion  at /                     builtin    from @0
  - map (λx → x * 2) ∘ map (λx → x + 1) $ xs
  + map (λx → (x + 1) * 2) xs
  type   [N]i32                       unchanged
  focus  /  ->  /                     15 moves here
goal reached in 1 step (par 1)        lesson next
> lesson next
part 2 of 3: Go on
This part goes on where the last one ended.

  now     twice@2 = map (λx → (x + 1) * 2) xs
  goal    somewhere in the term is  split s0 _
  and     s0 = 4
  par     2 steps
  asked   How many maps are left?
  answer  a number from 0 to 9
  help    lesson check: what is missing; lesson skip: go on without it
> lesson hint
1 step from @2 to the goal: apply splitJoin at /
> lesson check 1
right
  no      somewhere in the term is  split s0 _
          nothing in @2 is split s0 _
  no      s0 = 4
          @2 has no parameter s0
  yes     the question is answered
  yes     equal to @0
> apply splitJoin
@3  splitJoin{n=s0}  at /               builtin    from @2
  - map (λx → (x + 1) * 2) xs
  + join ∘ map (map (λx → (x + 1) * 2)) ∘ split s0 $ xs
  type   [N]i32                       unchanged
  param  s0 : int    1 <= s0 <= N, s0 divides N        9 legal values for N = 256
  focus  /  ->  /                     5 moves here
> lesson submit half.session
submitted graded to half.session: 1 of 3 parts are done
> lesson grade
graded: Graded
  1  done         1 step (par 1)              Fuse
  2  not reached                              Go on
       param s0 = 4: s0 is not bound        param s0
  3  not begun                                A rule
E87 1 of 3 parts of graded are done
> param s0 = 4
@4  param s0 = 4        from @3
goal reached in 2 steps (par 2)        lesson next
> lesson next
part 3 of 3: A rule
  now     again@0 = map (λx → x * 2) ∘ map (λx → x + 1) $ xs
  goal    check has found a counterexample to flip
  help    lesson check: what is missing; lesson skip: go on without it
> check flip
# a counterexample to flip, of seed 1
rule flip: map f (map g x) => map g (map f x)
let counterexample (x: [1]i32) = map (\x1 -> x1 + x1) . map (\x1 -> x1 - -2) $ x
data x = [0]
eval
apply flip at /
eval
E31 flip does not hold
  rule    map f (map g x)  =>  map g (map f x)
  found   element [0] is 4 on the left, 2 on the right
  try     check flip > flip.lathe        keeps these commands
  next    source flip.lathe
goal reached        that was the last part: 3 of 3 done        lesson leave
> lesson submit all.session
submitted graded to all.session: all parts are done
> lesson leave
left graded: done        lesson graded goes on
> lesson grade all.session
graded: Graded
  1  done         1 step (par 1)              Fuse
  2  done         2 steps (par 2)             Go on
  3  done                                     A rule
> lesson grade half.session
graded: Graded
  1  done         1 step (par 1)              Fuse
  2  not reached                              Go on
       param s0 = 4: s0 is not bound        param s0
  3  not begun                                A rule
E87 1 of 3 parts of graded are done
> lesson grade false.session
graded: Graded
  1  wrong                                    Fuse
       step @1 rests on drop, which does not hold: map f (map g x)  =>  map f x
       it computes something else than the program: element [0] is 2 on the left, 0 on the right
  2  not begun                                Go on
  3  not begun                                A rule
E88 1 part of graded computes something else
> ! sed '/^step twice @2/s/trust=[a-z]*/trust=checked/' all.session >forged.session
> lesson grade forged.session
graded: Graded
     line 16 of the file: its checksum does not fit
     line 18 of the file: step twice@3: it comes after @2, which is lost
     line 20 of the file: step twice@4: it comes after @3, which is lost
     twice@2: it could not be rebuilt
  1  diverged                                 Fuse
       twice@2 is not in the file, or does not repeat
  2  diverged                                 Go on
       twice@2 is not in the file, or does not repeat
  3  done                                     A rule
E89 2 parts of graded do not repeat
> lesson grade nosuch.session
E06 cannot read nosuch.session: No such file or directory
> load tests/programs/scal.fun
scal : f32 -> [N]f32 -> [N]f32
> save mine.session
saved mine.session: 1 program, 0 versions
> lesson grade mine.session
E82 mine.session is no work on a lesson
  hint    lesson submit FILE writes it, while the lesson is on
> source scripts/grade.lua half.session
graded: Graded
  1  done         1 step (par 1)              Fuse
  2  not reached                              Go on
       param s0 = 4: s0 is not bound        param s0
  3  not begun                                A rule
E87 1 of 3 parts of graded are done
> source scripts/grade.lua
E24 usage: lathe --restricted --json -f scripts/grade.lua SUBMISSION.session [LESSON]
