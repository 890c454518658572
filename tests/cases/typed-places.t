> # places, patterns, marks and versions as people type them
> load tests/programs/mm.fun
mm : [N][K]f32 -> [K][M]f32 -> [N][M]f32
> show /f/bod
E11 there is no slot "bod" at /f
  slots   body
> show body
E11 there is no slot "body" at /
  slots   f, in
> show @9
E13 mm has no version @9; the newest is @0
  try     log
> show 'mapp'
E12 17 places match 'mapp'
  [1]     /                        map (\row -> map (\col -> reduce (+) 0 (map (*) (zip row ...
  [2]     /f/body                  map (\col -> reduce (+) 0 (map (*) (zip row col))) . tran...
  [3]     /f/body/f/body           reduce (+) 0 (map (*) (zip row col))
  [4]     /f/body/f/body/f/body    acc + x
  [5]     /f/body/f/body/f/body/0  acc
  [6]     /f/body/f/body/f/body/1  x
  [7]     /f/body/f/body/init      0.0
  [8]     /f/body/f/body/in        map (*) (zip row col)
  ...     9 more; find 'mapp' lists them
  note    "mapp" is no name there: it matches anything, the same each time
  use     'mapp'[k], or a path
  try     show 'mapp'[1]
> show 'foo _'
E02 no primitive "foo" to look for
  pattern:1:1
  | foo _
  | ^~~
  try     list functions
> show [0]
E11 there is no slot "[0]" at /
  slots   f, in
> show --as xml
E05 --as is one of expr, tree, typed, json, dot, not "xml"
> show --depth two
E05 --depth must be a whole number from 0 to 1000, not "two"
> show -full
map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) A
> show --Full
E05 show has no flag "--Full"
  form    show [@VERSION] [PLACE] [--as expr|tree|typed|json|dot] [--depth N] [--full] [--labels] [--tree yes|no]
> info @1
E11 there is no slot "@1" at /
  slots   f, in
  hint    @1 is a version, not a place in one
> info reduce
E11 there is no slot "reduce" at /
  slots   f, in
  hint    a pattern stands in quotes: 'reduce'
> info f g
E05 "g" is one argument too many for info
  form    info [PLACE]
> info --deep
E05 info has no flag "--deep"
  form    info [PLACE]
> cd nowhere
E11 there is no slot "nowhere" at /
  slots   f, in
> cd 'map'
E12 3 places match 'map'
  [1]     /                  map (\row -> map (\col -> reduce (+) 0 (map (*) (zip row ...
  [2]     /f/body            map (\col -> reduce (+) 0 (map (*) (zip row col))) . tran...
  [3]     /f/body/f/body/in  map (*) (zip row col)
  use     'map'[k], or a path
  try     cd 'map'[1]
> cd ...
E11 there is no slot "..." at /
  slots   f, in
> cd ~
E11 there is no slot "~" at /
  slots   f, in
> cd :99
E14 label :99: no display with labels was printed yet
  try     show --as tree        prints fresh labels
> cd :0
E05 ":0" is no label: write :7
  try     show --as tree        prints labels
> cd $acc
E02 no mark "acc"
  try     help mark
> cd /f
> apply mapSeq
E12 mapSeq applies at 2 places below /f, not there
  :1      /f/body            map (\col -> reduce (+) 0 (map (*) (zip row col))) . transpose $ B
  :2      /f/body/f/body/in  map (*) (zip row col)
  try     apply mapSeq at :1
> apply splitjoin(4)
E11 rules apply to values; /f is a function
  hint    what it computes is at /f/body
> cd body
> moves --kind lower
  1  mapGlobal(0)           mapGlobal 0 (λcol → reduce (+) 0 (map (*) (..))) ∘ transpose $ B
  2  mapWorkgroup(0)        mapWorkgroup 0 (λcol → reduce (+) 0 (map (*) (..))) ∘ transpose $ B
  3  mapSeq                 mapSeq (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B
> cd ..
> cd -
/f/body
> cd /
> find
E05 find what? as in find 'map _ (zip _ _)'
  form    find PATTERN [in PLACE]
> find reduce
  :1    /f/body/f/body          reduce (+) 0 (map (*) (zip row col))
1 place
> find map(_)
  :1    /                       map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ t...
  :2    /f/body                 map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B
  :3    /f/body/f/body/in       map (*) (zip row col)
3 places
> find "map _ _"
  :1    /                       map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ t...
  :2    /f/body                 map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B
  :3    /f/body/f/body/in       map (*) (zip row col)
3 places
> find 'map _ _' in /f
  :1    /f/body                 map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B
  :2    /f/body/f/body/in       map (*) (zip row col)
2 places
> find 'map (\x -> _)'
E11 no place in mm@0 matches 'map (\x -> _)'
  near    /: map (\row -> map (\col -> reduce (+) 0 (map (*) (zip row ...
  needs   (\x -> _) at /f
  found   \row -> map (\col -> reduce (+) 0 ..) . transpose $ B
  try     find 'map'        3 places
> find 'reduce (+) 1 _'
E11 no place in mm@0 matches 'reduce (+) 1 _'
  near    /f/body/f/body: reduce (+) 0 (map (*) (zip row col))
  needs   1 at /f/body/f/body/init
  found   0.0
  try     find 'reduce'        1 place
> find '(+)'
E11 no place in mm@0 matches '(+)'
  near    /f/body/f/body/f/body: acc + x
  needs   (+) at /f/body/f/body/f/body
  found   acc + x
  try     find '_ + _'        1 place
> find *
E03 expected an expression, found `*`
  pattern:1:1
  | *
  | ^
  hint    an operator by itself stands in brackets, (*); a product is _ * _
> find 'scan _ _ _'
E11 no place in mm@0 matches 'scan _ _ _'
  note    there is no scan at all
  try     show --as tree
> find 'map _ _'[1]
E05 find lists every match: nothing may stand behind the pattern but `in PLACE`
  form    find PATTERN [in PLACE]
> mark
no marks in mm
> mark acc
  $acc  /                         map (λrow → map (λcol → reduce (+) 0 (map (*) (zi...
> mark acc 'reduce'
  $acc  /f/body/f/body            reduce (+) 0 (map (*) (zip row col))
> mark here /nowhere
E11 there is no slot "nowhere" at /
  slots   f, in
> mark a b c
E05 "c" is one argument too many for mark
  form    mark [-d] [NAME [PLACE]]
> mark -d zzz
E02 no mark "zzz"
  try     list marks
> moves $nope
E02 no mark "nope"
  try     list marks
> moves 5
E11 there is no slot "5" at /
  slots   f, in
> moves --kind foo
E05 --kind is one of simplify, fusion, fission, split, reduce, interchange, layout, vector, memory, lower, user, not "foo"
> moves --kind
E05 --kind needs a value: simplify, fusion, fission, split, reduce, interchange, layout, vector, memory, lower, user
> where
E05 which rule?
  form    where RULE|MACRO [in PLACE]
> where foo
E02 no rule called "foo"
  try     list rules
> where 'map'
E05 where takes one rule or macro, not "'map'"
  try     find 'map'
> where mapSeq at /f
  :1    /f/body                 map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B
  :2    /f/body/f/body/in       map (*) (zip row col)
2 places, 0 near misses
> where mapSeq on /f
E05 a place is given with: in PLACE
  form    where RULE|MACRO [in PLACE]
> where everywhere(mapSeq)
E05 where takes one rule or macro, not "everywhere(mapSeq)"
  try     why everywhere(mapSeq)
> undo
E15 nothing to undo: @0 is the source
> tag
mm has no tags
> tag 7
E05 "7" is not a tag: letters, digits, _ and -, not starting with a digit
> tag best
@0 is now "best"
> tag a b
E13 mm has no version tagged "b"
  try     list tags
> tag x y z
E05 "z" is one argument too many for tag
  form    tag [NAME [@VERSION]] | tag -d NAME
> tag -d zzz
E13 mm has no version tagged "zzz"
  try     list tags
> goto
E05 which version?
  form    goto @VERSION
> goto 1
E13 mm has no version @1; the newest is @0
  try     log
> goto best
@0  source
    map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) A
> goto @foo
E13 mm has no version tagged "foo"
  try     list tags
> goto @0.3
E13 @0 is a single step: source
  try     log @0 --expand
> goto -1
E13 mm has no version tagged "-1"
  try     list tags
> log foo
E13 mm has no version tagged "foo"
  try     list tags
> log --foo
E05 log has no flag "--foo"
  form    log [@VERSION] [--tree | --path | --expand [--depth N]] [--results] [--full]
> log --expand --depth x
E05 --depth must be a whole number from 0 to 1000, not "x"
> explain @9
E13 mm has no version @9; the newest is @0
  try     log
> diff
E13 @0 is the source: it has no parent to compare with
  try     log        shows versions; diff @A @B compares two
> diff @0 @1 @2
E05 "@2" is one argument too many for diff
  form    diff [@A] [@B] [--side] [--code]
> drop
E05 which version?
  form    drop @VERSION [--force]
> drop @0
E16 @0 is the source: it cannot be dropped
> replay
E05 replay what?
  form    replay FILE|@A..@B [@A..@B] [on PROGRAM|@V] [--verify] [--keep-going]
> replay @0
E05 a range has two ends, as @0..@4
  form    replay FILE|@A..@B [@A..@B] [on PROGRAM|@V] [--verify] [--keep-going]
> replay @0..@9
E13 mm has no version @9; the newest is @0
  try     log
> export
E05 export as what? One of script, html, md, tex, dot, cl, cuda, t1, t4, library, python
  form    export script|html|md|tex|dot|cl|cuda|t1|t4 FILE [@A..@B | @B] [--expand] [--term | --step] [--force] | library DIR | python FILE.py [@V ...] [--target opencl|cuda|c] [--pyopencl] [--cuda] [--torch] [--sizes NAME=SIZE,...] [--name NAME] [--force]
> export html
E05 export to which file? - is standard output
  form    export script|html|md|tex|dot|cl|cuda|t1|t4 FILE [@A..@B | @B] [--expand] [--term | --step] [--force] | library DIR | python FILE.py [@V ...] [--target opencl|cuda|c] [--pyopencl] [--cuda] [--torch] [--sizes NAME=SIZE,...] [--name NAME] [--force]
> export foo x.foo
E05 "foo" is no format: one of script, html, md, tex, dot, cl, cuda, t1, t4, library, python
  form    export script|html|md|tex|dot|cl|cuda|t1|t4 FILE [@A..@B | @B] [--expand] [--term | --step] [--force] | library DIR | python FILE.py [@V ...] [--target opencl|cuda|c] [--pyopencl] [--cuda] [--torch] [--sizes NAME=SIZE,...] [--name NAME] [--force]
> export pdf x.pdf
E05 "pdf" is no format: one of script, html, md, tex, dot, cl, cuda, t1, t4, library, python
  try     export dot x.pdf
> export html /nowhere/x.html
E06 cannot write /nowhere/x.html: No such file or directory
> export script - @9
E13 mm has no version @9; the newest is @0
  try     log
