> lesson
  terms           -         7 parts  1. Terms, types and the interpreter
  rules           -         7 parts  2. One rule at a time
  splitting       -         6 parts  3. Splitting and joining
  reductions      -         7 parts  4. Reductions
  machine         -         6 parts  5. To the machine
  measuring       -         6 parts  6. Measuring
  strategies      -         6 parts  7. Macros and strategies
  searching       -         6 parts  8. Searching
  naming          -         6 parts  9. Fusion and named values
  rows            -         6 parts  10. A kernel for rows
  practice        -        30 parts  11. Practice
  challenges      -         3 parts  12. Challenges
  units           -         6 parts  13. A matrix unit
lesson NAME begins one, or goes on where it was left
> list lessons searching
  searching       -         6 parts  8. Searching
> !mkdir mine && cp tests/lessons/inventory/* mine
> lesson mine
What is there
This lesson is for the tests of what a part allows.

part 1 of 2: Little
Few rules, one macro, few commands.

  now     dot@0 = reduce (+) 0 (map (*) (zip xs ys))
  goal    somewhere in the term is  split
  help    lesson check: what is missing; lesson skip: go on without it
> data
  N = 8
  xs : [N]f32               **
  ys : [N]f32               (default; random)
> data ys = file("fours.bin")
> data ys = file("nowhere.bin")
warning: cannot read nowhere.bin: No such file or directory
> data ys = file("fours.bin")
> eval
@0  f32    N=8
  2240
  hash cf14504e7af213c8
> lesson reset all
part 1 of 2: Little
Few rules, one macro, few commands.

  now     dot@0 = reduce (+) 0 (map (*) (zip xs ys))
  goal    somewhere in the term is  split
  help    lesson check: what is missing; lesson skip: go on without it
> data ys = file("fours.bin")
> data xs = file("./fours.bin")
warning: cannot read ./fours.bin: No such file or directory
> eval
E06 cannot read ./fours.bin
  input   xs
> !cp mine/fours.bin eights.bin
> data xs = file("eights.bin")
> data
  N = 8
  xs : [N]f32               file("eights.bin")    32 bytes
  ys : [N]f32               **
> eval
@0  f32    N=8
  2240
  hash cf14504e7af213c8
> data xs = file("fours.bin")
> !printf 'return 7' > mine/seven.lua
> lua print(dofile("seven.lua"))
7
> =io.open("seven.lua") ~= nil, io.lines("seven.lua")(), io.open("nowhere.lua")
true	return 7	nil	nowhere.lua: No such file or directory	2
> lua io.open("written.txt", "w"):close()
true
> !ls written.txt
written.txt
> apply splitJoin(4) at /in
@1  splitJoin(4)  at /in                builtin    from @0
  - map (*) (zip xs ys)
  + join (map (map (*)) (split 4 (zip xs ys)))
  type   [N]f32                       unchanged
  focus  /  ->  /                     1 move here
goal reached in 1 step        lesson next
> save kept.session
saved kept.session: 1 program, 1 version
> !cp kept.session mine/kept2.session
> undo
@0  source
    reduce (+) 0 (map (*) (zip xs ys))
> replay kept2.session @0..@1
@2  splitJoin(4)  at /in                exact         from @1 of dot
1 of 1 step replayed: 1 exact; now dot@2
> lesson leave
left mine: 1 of 2        lesson mine goes on
> lua print(dofile("seven.lua"))
E24 cannot open seven.lua: No such file or directory
> list lessons mine
  mine            1 of 2    2 parts  What is there
> lesson mine
What is there
going on where it was left: 1 of 2
the lesson has changed since        lesson reset begins this part anew
part 1 of 2: Little
Few rules, one macro, few commands.

  now     dot@2 = reduce (+) 0 (join (map (map (*)) (split 4 (zip xs ys))))
  goal    somewhere in the term is  split
  done    in 1 step        lesson next
> lesson leave
left mine: 1 of 2        lesson mine goes on
> !mv mine yours
> list lessons mine
no lessons with mine
> lesson mine
E81 the lesson mine was in * and is not there any more
  hint    lesson FOLDER, where it is now, goes on with what was done in it
> open kept.session
opened kept.session: 1 program, 1 version; now dot@1
  it is of lesson mine, which was in * and is not there any more; save would leave its progress out
> show
reduce (+) 0 (join (map (map (*)) (split 4 (zip xs ys))))
> lesson
  terms           -         7 parts  1. Terms, types and the interpreter
  rules           -         7 parts  2. One rule at a time
  splitting       -         6 parts  3. Splitting and joining
  reductions      -         7 parts  4. Reductions
  machine         -         6 parts  5. To the machine
  measuring       -         6 parts  6. Measuring
  strategies      -         6 parts  7. Macros and strategies
  searching       -         6 parts  8. Searching
  naming          -         6 parts  9. Fusion and named values
  rows            -         6 parts  10. A kernel for rows
  practice        -        30 parts  11. Practice
  challenges      -         3 parts  12. Challenges
  units           -         6 parts  13. A matrix unit
lesson NAME begins one, or goes on where it was left
> !mkdir new && mv yours new/mine
> lesson new/mine
What is there
going on where it was left: 1 of 2
part 1 of 2: Little
Few rules, one macro, few commands.

  now     dot@2 = reduce (+) 0 (join (map (map (*)) (split 4 (zip xs ys))))
  goal    somewhere in the term is  split
  done    in 1 step        lesson next
> data
  N = 8
  xs : [N]f32               **
  ys : [N]f32               **
> lesson leave
left mine: 1 of 2        lesson mine goes on
back in your session: dot@1
> open kept.session
opened kept.session: 1 program, 1 version; now dot@1
  it is of lesson mine, part 1 of 2; it has changed since
> eval
@1  f32    N=8
  2240
  hash cf14504e7af213c8
> lesson leave
left mine: 1 of 2
back in your session: dot@1
> lesson mine
What is there
going on where it was left: 1 of 2
part 1 of 2: Little
Few rules, one macro, few commands.

  now     dot@2 = reduce (+) 0 (join (map (map (*)) (split 4 (zip xs ys))))
  goal    somewhere in the term is  split
  done    in 1 step        lesson next
> lesson grade
mine: What is there
  1  done         1 step                      Little
  2  not begun                                More
E87 1 of 2 parts of mine are done
> lesson leave
left mine: 1 of 2        lesson mine goes on
back in your session: dot@1
> lesson test 9 | head -1
  ok         naming 1  Once for all                         1 step (par 1)
> lesson 99
E81 no lesson "99"
  try     list lessons
