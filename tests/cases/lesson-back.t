> lesson tests/lessons/back
The other way
For the tests of rules that are there in one direction, and of parts that load a program again.

part 1 of 2: Backwards
  now     rows@0 = map (map abs) ∘ split 4 $ xs
  goal    the whole term is of the form  split _ (map _ _)
  par     1 step
  help    lesson check: what is missing; lesson skip: go on without it
> apply splitMap
E83 splitMap is not in this lesson yet
  try     lesson hint
> apply topdown(splitMap)
E83 splitMap is not in this lesson yet
  try     lesson hint
> help splitMap
E83 splitMap is not in this lesson yet
  try     lesson hint
> why splitMap.rev
splitMap.rev applies at /
  rule    map (map f) (split n x)  =>  split n (map f x)
  where   n = 4
          x = xs
          f = abs
  gives   split 4 . map abs $ xs
  try     apply splitMap.rev at /
> moves
  1  splitMap.rev           split 4 ∘ map abs $ xs
> apply splitMap.rev
@1  splitMap.rev  at /                  builtin    from @0
  - map (map abs) ∘ split 4 $ xs
  + split 4 ∘ map abs $ xs
  type   [N/4][4]f32                  unchanged
  focus  /  ->  /                     0 moves here
goal reached in 1 step (par 1)        lesson next
> next
part 2 of 2: Once more
The same program again, from its source.

  now     rows@0 = map (map abs) ∘ split 4 $ xs
  goal    somewhere in the term is  mapSeq
  and     nowhere in the term is  map
  par     2 steps
  help    lesson check: what is missing; lesson skip: go on without it
> apply mapSeq
@2  mapSeq  at /                        builtin    from @0
  - map (map abs) ∘ split 4 $ xs
  + mapSeq (map abs) ∘ split 4 $ xs
  type   [N/4][4]f32                  unchanged
  focus  /  ->  /                     0 moves here
> goto @1
@1  splitMap.rev
    split 4 ∘ map abs $ xs
> apply mapSeq at /in
@3  mapSeq  at /in                      builtin    from @1
  - map abs xs
  + mapSeq abs xs
  type   [N]f32                       unchanged
  focus  /  ->  /                     0 moves here
> check
  yes     somewhere in the term is  mapSeq
  yes     nowhere in the term is  map
  no      made of what is in this part
          @1 uses splitMap.rev, which is not in this part        goto @0
  yes     equal to @0
E84 part 2 is not reached yet: 1 thing is missing
  or      lesson skip
> goto @2
@2  mapSeq
    mapSeq (map abs) ∘ split 4 $ xs
> apply mapSeq at /f/body
@4  mapSeq  at /f/body                  builtin    from @2
  - map abs xs1
  + mapSeq abs xs1
  type   [4]f32                       unchanged
  focus  /  ->  /                     0 moves here
goal reached in 2 steps (par 2)        that was the last part: 2 of 2 done        lesson leave
> lesson grade
back: The other way
  1  done         1 step (par 1)              Backwards
  2  done         2 steps (par 2)             Once more
> lesson test tests/lessons/back
  ok         back 1  Backwards                              1 step (par 1)
  ok         back 2  Once more                              2 steps (par 2)
> lesson leave
left back: done        lesson back goes on
