> cd 'map'
E10 no program is loaded
  try     load tests/programs/dot.fun        or a file .fun of your own
> load tests/programs/mm.fun
mm : [N][K]f32 -> [K][M]f32 -> [N][M]f32
> cd :1
E14 label :1: no display with labels was printed yet
  try     show --as tree        prints fresh labels
> show --as tree --depth 3
:1    map
:2      f: λrow
:3        body: map
:4          f: λcol
              ..
:5          in: transpose
              ..
:6      in: A
> show :4
λcol → reduce (+) 0 (map (*) (zip row col))
> cd :3/in
> cd
/f/body/in
> show :99
E14 label :99: the last display, of @0, has labels :1 to :6
  try     show --as tree        prints fresh labels
> show :0
E05 ":0" is no label: write :7
  try     show --as tree        prints labels
> show :x
E05 ":x" is no label: write :7
  try     show --as tree        prints labels
> show :4x
E05 "x" behind a place: only a path may follow, as in :4/in
> show --labels
map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ►(transpose B)) A
  :1    /                       map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ t...
  :2    /f/body                 map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B
  :3    /f/body/f/body          reduce (+) 0 (map (*) (zip row col))
  :4    /f/body/f/body/in       map (*) (zip row col)
  :5    /f/body/f/body/in/in    zip row col
  :6    /f/body/in              transpose B
> show :2
map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B
> cd 'map'
E12 3 places match 'map'
  [1]     /                  map (\row -> map (\col -> reduce (+) 0 (map (*) (zip row ...
  [2]     /f/body            map (\col -> reduce (+) 0 (map (*) (zip row col))) . tran...
  [3]     /f/body/f/body/in  map (*) (zip row col)
  use     'map'[k], or a path
  try     cd 'map'[1]
> cd 'map'[2]
> cd
/f/body
> cd 'map'[last]/in
> cd
/f/body/f/body/in/in
> show 'map'[4]
E11 'map'[4]: only 3 places match
> show 'map'[0]
E05 "[0]" is no index of a match: [1] is the first, [last] the last
> cd 'map (\col -> _)'
> cd
/f/body
> cd 'map (\cool -> _)'
E11 no place in mm@0 matches 'map (\cool -> _)'
  near    /: map (\row -> map (\col -> reduce (+) 0 (map (*) (zip row ...
  needs   (\cool -> _) at /f
  found   \row -> map (\col -> reduce (+) 0 ..) . transpose $ B
  try     find 'map'        3 places
> info 'zip row _'
/f/body/f/body/in/in of mm@0
  kind    zip    arrays of equal length to an array of tuples
  type    [K](f32, f32)
  length  K
  bytes   8*K = 2048
  space   none of its own, a view
  slot    0      row                                                  [K]f32
  slot    1      col                                                  [K]f32
  nodes   3
  origin  @0 source
> find 'map (\_ -> reduce _ _ _)'
  :1    /f/body                 map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B
1 place
> find 'map (not contains map)'
  :1    /f/body/f/body/in       map (*) (zip row col)
1 place
> find 'map (not contains map)' in 'map'[2]/in
E11 no place in mm@0 below /f/body/in matches 'map (not contains map)'
  note    there is no map below /f/body/in at all
  try     show --as tree
> find map (computes f) _
  :1    /                       map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ t...
  :2    /f/body                 map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B
  :3    /f/body/f/body/in       map (*) (zip row col)
3 places        "f" is no name there: it matches anything
> find map layout
E11 no place in mm@0 matches 'map layout'
  near    /: map (\row -> map (\col -> reduce (+) 0 (map (*) (zip row ...
  needs   layout at /f
  found   \row -> map (\col -> reduce (+) 0 ..) . transpose $ B
  try     find 'map'        3 places
> find 'contains transpose'
  :1    /                       map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ t...
  :2    /f/body                 map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B
  :3    /f/body/in              transpose B
3 places
> find 'map f (zip p p)'
E11 no place in mm@0 matches 'map f (zip p p)'
  near    /f/body/f/body/in: map (*) (zip row col)
  needs   p at /f/body/f/body/in/in/0
  found   row
  because p already stands for something else
  note    "f" is no name there: it matches anything, the same each time
  try     find 'map'        3 places
> find 'map g (transpose B)'
  :1    /f/body                 map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B
1 place        "g" is no name there: it matches anything
> find 'reduce (*) _'
E11 no place in mm@0 matches 'reduce (*) _'
  near    /f/body/f/body: reduce (+) 0 (map (*) (zip row col))
  needs   (*) at /f/body/f/body/f/body
  found   acc + x
  try     find 'reduce'        1 place
> find 'split'
E11 no place in mm@0 matches 'split'
  note    there is no split at all
  try     show --as tree
> find 'mapp _ _'
E02 no primitive "mapp"; did you mean map?
  pattern:1:1
  | mapp _ _
  | ^~~~
  try     find 'map _ _'
> find 'map ('
E03 expected an expression, found the end of the input
  pattern:1:6
  | map (
  |      ^
> find 'row + _'
E11 no place in mm@0 matches 'row + _'
  near    /f/body/f/body/f/body: acc + x
  needs   row at /f/body/f/body/f/body/0
  found   acc
  try     find '_ + _'        1 place
> find
E05 find what? as in find 'map _ (zip _ _)'
  form    find PATTERN [in PLACE]
> find 'map'[1]
E05 find lists every match: nothing may stand behind the pattern but `in PLACE`
  form    find PATTERN [in PLACE]
> find 'map' in 'reduce'
  :1    /f/body/f/body/in       map (*) (zip row col)
1 place
> find 'map' in 'split'
E11 no place in mm@0 matches 'split'
  note    there is no split at all
  try     show --as tree
> moves 'reduce' --kind lower
  1  reduceSeq              reduceSeq (+) 0 (map (*) (zip row col))
> where splitJoin in 'map'[2]
  :1    /f/body                 map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B
  :2    /f/body/f/body/in       map (*) (zip row col)
2 places, 0 near misses
> apply splitJoin(4) at :2
@1  splitJoin(4)  at /f/body/f/body/in  builtin    from @0
  - map (*) (zip row col)
  + join (map (map (*)) (split 4 (zip row col)))
  type   [K]f32                       unchanged
  focus  /f/body  ->  /f/body         * moves here
> show --as tree --depth 2
:1    map
:2      f: λrow
:3        body: map
            ..
:4      in: A
> apply splitJoin at :2
E11 rules apply to values; /f is a function
  hint    what it computes is at /f/body
> show :2
λrow → map (λcol → reduce (+) 0 (join (map (map (*)) (split 4 (zip row col))))) ∘ transpose $ B
> show :5
E14 label :5: the last display, of @1, has labels :1 to :4
  try     show --as tree        prints fresh labels
> apply mapJoin at 'join'
E21 mapJoin does not apply at /f/body/f/body/in
  rule    map f (join x)  =>  join (map (map f) x)
  needs   map f (join x)
  found   join (map (map (*)) (split 4 (zip row col)))
  near    /f/body/f/body/in/in: map (map (*)) (split 4 (zip row col)), but it needs join x at /f/body/f/body/in/in/in
  try     apply flattenMaps at /f/body/f/body/in/in ; apply mapJoin at /f/body/f/body/in/in/in
> apply reduceSeq at 'reduce'
@2  reduceSeq  at /f/body/f/body        builtin    from @1
  - reduce (+) 0 (join (map (map (*)) (split 4 (zip row col))))
  + reduceSeq (+) 0 (join (map (map (*)) (split 4 (zip row col))))
  type   f32                          unchanged
  focus  /f/body  ->  /f/body         * moves here
> show :5
E14 label :5: the last display, of @1, has labels :1 to :4
  try     show --as tree        prints fresh labels
> find 'map'
  :1    /                       map (λrow → map (λcol → reduceSeq (+) 0 (join (map (map (*)) (spl...
  :2    /f/body                 map (λcol → reduceSeq (+) 0 (join (map (map (*)) (split 4 (zip ro...
  :3    /f/body/f/body/in/in    map (map (*)) (split 4 (zip row col))
  :4    /f/body/f/body/in/in/f/body  map (*) xs
4 places
> apply reduceMapFusion at 'reduceSeq'
E21 reduceMapFusion does not apply at /f/body/f/body
  rule    reduceSeq f z (map g x)  =>  reduceSeq (\(acc, y) -> f (acc, g y)) z x
  needs   map g x at /f/body/f/body/in
  found   join (map (map (*)) (split 4 (zip row col)))
  try     apply reduceJoin at /f/body/f/body ; apply reduceMapFusion at /f/body/f/body
> show :4
map (*) xs
> undo
@1  splitJoin(4)        focus /f/body
    map (λrow → map (λcol → reduce (+) 0 (join (map (map (*)) (split 4 (zip row col))))) ∘ transp...
> show :4
E14 label :4 belongs to the display of @2; at @1 that node is /f/body/f/body/in/in/f/body (label :14)
  try     show /f/body/f/body/in/in/f/body
> find split 4
  :1    /f/body/f/body/in/in/in  split 4 (zip row col)
1 place
> find split 8
E11 no place in mm@1 matches 'split 8'
  near    /f/body/f/body/in/in/in: split 4 (zip row col)
  needs   split 8 at /f/body/f/body/in/in/in
  found   split 4 (zip row col)
  try     find 'split'        1 place
> let asum (xs: [N]f32) = reduce (+) 0 (map abs xs)
asum : [N]f32 -> f32
> show :1
E14 label :1 belongs to the display of mm@1, another program
  try     show --as tree        prints fresh labels
> use mm
> cd $none
E02 no mark "none"
  try     help mark
> # a place or a version is no command
> /in
E01 no command "/in"
  try     cd /in
> 'map _ _'[2] ; show
E01 no command "'map _ _'[2]"
  try     cd 'map _ _'[2]
> :1
E01 no command ":1"
  try     cd :1
> @1 > x
E01 no command "@1"
  try     goto @1
> ..
E01 no command ".."
  try     cd ..
> let lying (x: [N][M]f32) = mapWorkgroup 0 (\b -> transpose (toLocalPadded 1 b)) (split 4 x)
lying : [N][M]f32 -> [N/4][M][4]f32
> info /f/body/in
/f/body/in of lying@0
  kind    toLocalPadded    toLocal with k elements of room behind each row: those of a column lie in other banks
  type    [4][M]f32
  length  4
  bytes   16*M = 4096
  space   local
  slot    in     b                                                    [4][M]f32
  nodes   2
  origin  @0 source
