> replay
E05 replay what?
  form    replay FILE|@A..@B [@A..@B] [on PROGRAM|@V] [--verify] [--keep-going]
> replay @0..@1
E10 no program is loaded
  try     load tests/programs/dot.fun        or a file .fun of your own
> set verbose 0
> load tests/programs/dot.fun
dot : [N]f32 -> [N]f32 -> f32
> apply splitJoin at /in as chunks
@1  splitJoin{n=s0}  at /in             builtin    from @0
> apply topdown(mapSeq) at /in/in
@2  topdown(mapSeq)  at /in/in          builtin    from @1
> param s0 = 32
@3  param s0 = 32        from @2
> replay @0..@3
0 of 3 steps replayed; now dot@3
E42 step @1 splitJoin{n=s0} at /in: node is now join (was map); 1 candidate
  here    /in/in/f/body: map (*) xs1
  try     apply splitJoin at /in/in/f/body
  or      replay @0..@3 --keep-going
> goto @0
@0  source
> replay @0..@3
@4  splitJoin{n=s0}  at /in             exact         from @1 of dot
@5  mapSeq  at /in/in                   exact         from @2 of dot
@6  param s0 = 32                       exact         from @3 of dot
3 of 3 steps replayed: 3 exact; now dot@6
> replay @1..@3 on @chunks --verify
@7  mapSeq  at /in/in                   exact         from @2 of dot
@8  param s0 = 32                       exact         from @3 of dot
2 of 2 steps replayed: 2 exact; verified; now dot@8
> undo 9
E15 cannot undo 9 steps: @8 is 3 from the source
  try     undo 3
> goto @0
@0  source
> apply reducePartIntro(8)
@9  reducePartIntro(8)  at /            builtin    from @0
> replay @0..@1
@10  splitJoin{n=s0}  at /in/in         forwarded     from @1 of dot
  splitJoin{n=s0} at /in/in, was /in
1 of 1 step replayed: 1 forwarded; now dot@10
> replay @0..@3 on @chunks
0 of 3 steps replayed; now dot@1
E42 step @1 splitJoin{n=s0} at /in: node is now join (was map); 2 candidates
  here    /in/in: map (map (*)) (split s0 (zip xs ys))
  here    /in/in/f/body: map (*) xs1
  try     apply splitJoin at /in/in
  or      replay @0..@3 on @chunks --keep-going
> save steps.session
saved steps.session: 1 program, 10 versions
> let dot (xs: [N]f32) (ys: [N]f32) = 2 * (reduce (+) 0 (map (*) (zip xs ys)))
dot changed; its earlier derivation is kept as dot.1
dot : [N]f32 -> [N]f32 -> f32
> replay steps.session @0..@3
@1  splitJoin{n=s0}  at /1/in           by pattern    from @1 of dot
  splitJoin{n=s0} at /1/in, was /in, by 'map _ (zip _ _)'
@2  mapSeq  at /1/in/in                 forwarded     from @2 of dot
  mapSeq at /1/in/in, was /in/in
@3  param s0 = 32                       same place    from @3 of dot
3 of 3 steps replayed: 1 same place, 1 forwarded, 1 by pattern; now dot@3
> show
2 * reduce (+) 0 (join (mapSeq (map (*)) (split s0 (zip xs ys))))
> let dots (xs: [N]f32) (ys: [N]f32) = reduce (+) 0 (map (+ 1) (map (*) (zip xs ys)))
dots : [N]f32 -> [N]f32 -> f32
> replay steps.session @0..@chunks on dots
@1  splitJoin{n=s0}  at /in             same place    from @1 of dot
1 of 1 step replayed: 1 same place; now dots@1
> goto @0
@0  source
> apply splitJoin(4) * topdown(mapSeq) * toGlobal at /in as macro
@2  splitJoin(4) * topdown(mapSeq) * toGlobal  at /in  builtin    from @0
> goto @0
@0  source
> apply mapFusion at /in
@3  mapFusion  at /in                   builtin    from @0
> replay @0..@macro
@4  splitJoin(4) * topdown(mapSeq) * toGlobal  at /in  same place  from @2 of dots
1 of 1 step replayed: 1 same place; now dots@4
> let other (xs: [N]f32) = reduce (+) 0 (mapSeq (* 2) (map abs (map (* 3) xs)))
other : [N]f32 -> f32
> replay steps.session @0..@3
0 of 3 steps replayed; now other@0
E42 step @1 splitJoin{n=s0} at /in: node is now mapSeq (was map); 2 candidates
  here    /in/in: map abs . map (\x -> x * 3) $ xs
  here    /in/in/in: map (\x -> x * 3) xs
  try     apply splitJoin at /in/in
  or      replay steps.session @0..@3 --keep-going
> replay steps.session @0..@3 --keep-going
    diverged: step @1 splitJoin{n=s0} at /in: node is now mapSeq (was map); 2 candidates
@1  mapSeq  at /in/in                   same place    from @2 of dot
    diverged: step @3 param s0 = 32: @1 has no tuning parameter "s0"
1 of 3 steps replayed: 1 same place; now other@1
E42 2 of 3 steps of steps.session diverged
> replay steps.session @2..@1
E13 @2 of dot does not lead to @1, or steps between them are not readable
> replay nosuch.session
E06 cannot read nosuch.session: No such file or directory
  has     steps.session
> replay steps.session @0..@77
E13 @0 of dot does not lead to @77, or steps between them are not readable
> replay steps.session on nosuch
E02 no program "nosuch"
  try     list programs
> replay steps.session on
E05 on which program or version?
  form    replay FILE|@A..@B [@A..@B] [on PROGRAM|@V] [--verify] [--keep-going]
> replay steps.session more words
E05 "more" is one argument too many for replay
  form    replay FILE|@A..@B [@A..@B] [on PROGRAM|@V] [--verify] [--keep-going]
> use dots
> goto @0
@0  source
> rule wrong: map f x => map f (reorder reverse x)
rule wrong
  map f x  =>  map f (reorder reverse x)
  user; assumed
> apply wrong at /in
@5  wrong  at /in                       assumed    from @0
W08 rule wrong is "assumed": versions built with it are marked ?      (check wrong; silence: set silence W08)
> replay @0..@1 on @0
@6  splitJoin{n=s0}  at /in             exact         from @1 of dots
1 of 1 step replayed: 1 exact; now dots@6
> let scal (x: [N]f32) = map (* 2) x
scal : [N]f32 -> [N]f32
> apply wrong
@1  wrong  at /                         assumed    from @0
> replay @0..@1 on @0
@2?  wrong  at /                        exact         from @1 of scal
1 of 1 step replayed: 1 exact; now scal@2
> replay @0..@1 on @0 --verify
@3?  wrong  at /                        exact         from @1 of scal
1 of 1 step replayed: 1 exact; now scal@3
E31 @3 differs from @0: element [0] is 0 on the left, 2 on the right
  try     check @3
> !sed 's/splitJoin{n=s0} at/splitJoin{n=s1} at/' steps.session > damaged.session
> use dot
> replay damaged.session @0..@3 on @0
E13 @0 of dot does not lead to @3, or steps between them are not readable
> replay damaged.session @1..@3 on @1
E13 @1 of dot does not lead to @3, or steps between them are not readable
> set strict on
> use scal@0
> replay @0..@1
0 of 1 step replayed; now scal@0
E26 wrong is only assumed, and strict is on
  rule    map f x  =>  map f (reorder reverse x)
  try     check wrong
  try     set strict off
> set strict off
> let macros (x: [N]f32) = map abs (map (* 2) x)
macros : [N]f32 -> [N]f32
> apply splitJoin(4) * topdown(mapSeq) as steps
@1  splitJoin(4) * topdown(mapSeq)  at /  builtin    from @0
> use macros
> save macros.session
saved macros.session: 6 programs, 24 versions
> let macros (x: [N]f32) = reduce (+) 0 (map abs (map (* 2) x))
macros changed; its earlier derivation is kept as macros.1
macros : [N]f32 -> f32
> replay macros.session
@1  splitJoin(4) * topdown(mapSeq)  at /in  by pattern  from @1 of macros
  splitJoin(4) at /in, was /, by 'map _ (map _ _)'; mapSeq at /in/in, was /in
1 of 1 step replayed: 1 by pattern; now macros@1
> let macros (x: [N]f32) = scan (+) 0 x
macros changed; its earlier derivation is kept as macros.2
macros : [N]f32 -> [N]f32
> replay macros.session
0 of 1 step replayed; now macros@0
E42 step @1 splitJoin(4) * topdown(mapSeq), inner step 1 of 2, splitJoin(4) at /: node is now scan (was map); 0 candidates
  try     why splitJoin at /
  or      replay macros.session --keep-going
