> mark acc
E10 no program is loaded
  try     load tests/programs/dot.fun        or a file .fun of your own
> load tests/programs/mm.fun
mm : [N][K]f32 -> [K][M]f32 -> [N][M]f32
> mark
no marks in mm
> list marks
no marks
> mark acc 'reduce'
  $acc  /f/body/f/body            reduce (+) 0 (map (*) (zip row col))
> mark $sums 'map _ (zip _ _)'
  $sums  /f/body/f/body/in         map (*) (zip row col)
> mark cols 'map'[2]
  $cols  /f/body                   map (λcol → reduce (+) 0 (map (*) (zip row col)))...
> mark inner /f/body/f
  $inner  /f/body/f                 λcol → reduce (+) 0 (map (*) (zip row col))
> mark bad-name /
E05 "bad-name" is not a mark: letters, digits and _
> mark acc2 /nowhere
E11 there is no slot "nowhere" at /
  slots   f, in
> mark -d
E05 which mark?
  form    mark [-d] [NAME [PLACE]]
> mark -d nothing
E02 no mark "nothing"
  try     list marks
> mark a b c
E05 "c" is one argument too many for mark
  form    mark [-d] [NAME [PLACE]]
> show $acc/in
map (*) (zip row col)
> show $summs
E02 no mark "summs"; did you mean sums?
  try     show $sums
> # outside the redex nothing moves; what a metavariable matched moves with it, and so does the focus
> cd $sums
> apply splitJoin(4) at $cols
@1  splitJoin(4)  at /f/body            builtin    from @0
  - map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B
  + join ∘ map (map (λcol → reduce (+) 0 (map (*) (zip row col)))) ∘ split 4 ∘ transpose $ B
  type   [M]f32                       unchanged
  focus  /f/body/f/body/in  ->  /f/body/in/f/body/f/body/in  * moves here
> list marks
  $acc            /f/body/in/f/body/f/body  reduce (+) 0 (map (*) (zip row col))
  $sums           /f/body/in/f/body/f/body/in  map (*) (zip row col)
  $cols           /f/body                   join ∘ map (map (λcol → reduce (+) 0 (map (*) (zi...
  $inner          /f/body/in/f/body/f       λcol → reduce (+) 0 (map (*) (zip row col))
> apply splitJoin(8) at /
@2  splitJoin(8)  at /                  builtin    from @1
  - map (λrow → join ∘ map (map (λcol → reduce (+) 0 (map (*) (..)))) ∘ split 4 ∘ transpose $ B) A
  + join ∘ map (map (λrow → join ∘ map (map (..)) ∘ split 4 ∘ transpose $ B)) ∘ split 8 $ A
  type   [N][M]f32                    unchanged
  focus  /f/body/in/f/body/f/body/in  ->  /in/f/body/f/body/in/f/body/f/body/in  * moves here
> list marks
  $acc            /in/f/body/f/body/in/f/body/f/body  reduce (+) 0 (map (*) (zip row col))
  $sums           /in/f/body/f/body/in/f/body/f/body/in  map (*) (zip row col)
  $cols           /in/f/body/f/body         join ∘ map (map (λcol → reduce (+) 0 (map (*) (zi...
  $inner          /in/f/body/f/body/in/f/body/f  λcol → reduce (+) 0 (map (*) (zip row col))
> # what a rule consumes is gone; the focus goes to what is left
> apply topdown(reduceSeq) * topdown(reduceMapFusion) at /
@3  topdown(reduceSeq) * topdown(reduceMapFusion)  at /in/f/body/f/body/in/f/body/f/body
                                        builtin    from @2
  - reduce (+) 0 (map (*) (zip row col))
  + reduceSeq (λ(acc, (y0, y1)) → acc + y0 * y1) 0 (zip row col)
  type   f32                          unchanged
  inner  2 steps        log --expand
  focus  /in/f/body/f/body/in/f/body/f/body/in  ->  /in/f/body/f/body/in/f/body/f/body  * moves here
  marks lost: $sums
> cd
/in/f/body/f/body/in/f/body/f/body
> list marks
  $acc            /in/f/body/f/body/in/f/body/f/body  reduceSeq (λ(acc, (y0, y1)) → acc + y0 * y1) 0 (z...
  $sums           gone since @3 reduceMapFusion at /in/f/body/f/body/in/f/body/f/body
  $cols           /in/f/body/f/body         join ∘ map (map (λcol → reduceSeq (λ(acc, (y0, y1...
  $inner          /in/f/body/f/body/in/f/body/f  λcol → reduceSeq (λ(acc, (y0, y1)) → acc + y0 * y...
> list marks sums
  $sums           gone since @3 reduceMapFusion at /in/f/body/f/body/in/f/body/f/body
> show $sums
E19 mark $sums is not in mm@3: gone since @3 reduceMapFusion at /in/f/body/f/body/in/f/body/f/body
  near    /in/f/body/f/body/in/f/body/f/body: reduceSeq (\(acc, (y0, y1)) -> acc + y0 * y1) 0 (zip row ...
  try     goto @0        where it was set
> # before that step it is there, and on a branch without it
> undo
@2  splitJoin(8)        focus /in/f/body/f/body/in/f/body/f/body/in
    join ∘ map (map (λrow → join ∘ map (map (λcol → reduce (+) 0 (map (*) (zip row col)))) ∘ spli...
> list marks
  $acc            /in/f/body/f/body/in/f/body/f/body  reduce (+) 0 (map (*) (zip row col))
  $sums           /in/f/body/f/body/in/f/body/f/body/in  map (*) (zip row col)
  $cols           /in/f/body/f/body         join ∘ map (map (λcol → reduce (+) 0 (map (*) (zi...
  $inner          /in/f/body/f/body/in/f/body/f  λcol → reduce (+) 0 (map (*) (zip row col))
> apply topdown(reduceSeq) at /
@4  topdown(reduceSeq)  at /in/f/body/f/body/in/f/body/f/body  builtin    from @2
  - reduce (+) 0 (map (*) (zip row col))
  + reduceSeq (+) 0 (map (*) (zip row col))
  type   f32                          unchanged
  focus  /in/f/body/f/body/in/f/body/f/body/in  ->  /in/f/body/f/body/in/f/body/f/body/in  * moves here
> show $sums
map (*) (zip row col)
> # a place that a step of this branch made is on no other
> mark tile 'split'[last]
  $tile  /in/in                    split 8 A
> goto @0
@0  source        focus /f/body/f/body/in
    map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) A
> list marks
  $acc            /f/body/f/body            reduce (+) 0 (map (*) (zip row col))
  $sums           /f/body/f/body/in         map (*) (zip row col)
  $cols           /f/body                   map (λcol → reduce (+) 0 (map (*) (zip row col)))...
  $inner          /f/body/f                 λcol → reduce (+) 0 (map (*) (zip row col))
  $tile           made by @2 splitJoin(8) at /, which is not part of this version
> show $tile
E19 mark $tile is not in mm@0: made by @2 splitJoin(8) at /, which is not part of this version
  near    /: map (\row -> map (\col -> reduce (+) 0 (map (*) (zip row ...
  try     goto @4        where it was set
> # one place, several copies
> let norms (xs: [N]f32) = reduce (+) 0 (map (\x -> x * x) xs)
norms : [N]f32 -> f32
> mark f /f/body
  $f  /f/body                   acc + x
> mark sq /in/f/body
  $sq  /in/f/body                x * x
> apply reduceSplit(16)
@1  reduceSplit(16)  at /               builtin    from @0
  - reduce (+) 0 ∘ map (λx → x * x) $ xs
  + reduce (+) 0 ∘ map (reduce (+) 0) ∘ split 16 ∘ map (λx → x * x) $ xs
  type   f32                          unchanged
  focus  /  ->  /                     * moves here
> list marks
  $f              /f/body                   acc + x  (the first of 2 copies)
  $sq             /in/in/in/f/body          x * x
> undo ; list marks
@0  source
    reduce (+) 0 ∘ map (λx → x * x) $ xs
  $f              /f/body                   acc + x
  $sq             /in/f/body                x * x
> mark -d sq
> list marks
  $f              /f/body                   acc + x
> use mm ; list marks
  $acc            /f/body/f/body            reduce (+) 0 (map (*) (zip row col))
  $sums           /f/body/f/body/in         map (*) (zip row col)
  $cols           /f/body                   map (λcol → reduce (+) 0 (map (*) (zip row col)))...
  $inner          /f/body/f                 λcol → reduce (+) 0 (map (*) (zip row col))
  $tile           made by @2 splitJoin(8) at /, which is not part of this version
> # macros and lowerings are followed through their inner steps
> mark row 'zip row _'/0
  $row  /f/body/f/body/in/in/0    row
> apply everywhere(reduceSeq) * everywhere(reduceMapFusion) at /
@5  everywhere(reduceSeq) * everywhere(reduceMapFusion)  at /f/body/f/body  builtin    from @0
  - reduce (+) 0 (map (*) (zip row col))
  + reduceSeq (λ(acc, (y0, y1)) → acc + y0 * y1) 0 (zip row col)
  type   f32                          unchanged
  inner  2 steps        log --expand
  focus  /f/body/f/body/in  ->  /f/body/f/body  * moves here
  marks lost: $sums
> list marks
  $acc            /f/body/f/body            reduceSeq (λ(acc, (y0, y1)) → acc + y0 * y1) 0 (z...
  $sums           gone since @5 reduceMapFusion at /f/body/f/body
  $cols           /f/body                   map (λcol → reduceSeq (λ(acc, (y0, y1)) → acc + y...
  $inner          /f/body/f                 λcol → reduceSeq (λ(acc, (y0, y1)) → acc + y0 * y...
  $tile           made by @2 splitJoin(8) at /, which is not part of this version
  $row            /f/body/f/body/in/0       row
> lower
@6  lower                               builtin    from @5
  - map (λrow → map (λcol → reduceSeq (λ(acc, (y0, y1)) → acc + y0 * y1) 0 (..)) ∘ transpose $ B) A
  + mapGlobal 1 (λrow → mapGlobal 0 (λcol → reduceSeq (λ(..) → fma y0 y1 acc) 0 (..)) ..) A
  type   [N][M]f32                    unchanged
  inner  3 steps        log --expand
  focus  /f/body/f/body  ->  /f/body/f/body  * moves here
> list marks row
  $row            /f/body/f/body/in/0       row
