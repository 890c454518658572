> show
E10 no program is loaded
  try     load FILE
> load tests/programs/mm.fun
mm : [N][K]f32 -> [K][M]f32 -> [N][M]f32
> show
map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) A
> show --as tree
map
  f: λrow
    body: map
      f: λcol
        body: reduce
          f: λ(acc, x)
            body: +
              0: acc
              1: x
          init: 0
          in: map
            f: λ(x, x1)
              body: *
                0: x
                1: x1
            in: zip
              0: row
              1: col
      in: transpose
        in: B
  in: A
> show --as typed
map  : [N][M]f32
  f: λrow  : ([K]f32 -> [M]f32)
    body: map  : [M]f32
      f: λcol  : ([K]f32 -> f32)
        body: reduce  : f32
          f: λ(acc, x)  : ((f32, f32) -> f32)
            body: +  : f32
              0: acc  : f32
              1: x  : f32
          init: 0  : f32
          in: map  : [K]f32
            f: λ(x, x1)  : ((f32, f32) -> f32)
              body: *  : f32
                0: x  : f32
                1: x1  : f32
            in: zip  : [K](f32, f32)
              0: row  : [K]f32
              1: col  : [K]f32
      in: transpose  : [M][K]f32
        in: B  : [K][M]f32
  in: A  : [N][K]f32
> show --as dot
E05 --as is one of expr, tree, typed, json
  form    show [@VERSION] [PLACE] [--as expr|tree|typed|json] [--depth N] [--full]
> show --depth 2
map (λrow → map (λcol → ..) ∘ transpose $ B) A
> show --depth -1
E05 --depth must be a whole number from 0 to 1000, not "-1"
> show /in
A
> show /in/f
E11 there is no slot "f" at /in
  found   a leaf: A
> show /f/body
map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B
> cd /f/body/in
> cd
/f/body/in
> show
map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ►(transpose B)) A
> show in
B
> show .
transpose B
> show ..
map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B
> set unicode off; show; set unicode auto
map (\row -> map (\col -> reduce (+) 0 (map (*) (zip row col))) >(transpose B)) A
> cd -
> cd
/
> cd -
> cd ../..
> cd
/f
> cd nowhere
E11 there is no slot "nowhere" at /f
  slots   body
> cd /f/body/f/body/in/1
E11 there is no slot "1" at /f/body/f/body/in
  slots   f, in
> cd /f/body/f/body/in/in/0
> show
map (λrow → map (λcol → reduce (+) 0 (map (*) (zip ►row col))) (transpose B)) A
> info
/f/body/f/body/in/in/0 of mm@0
  kind    variable
  type    [K]f32
  nodes   1
  origin  @0 source
> info /
/ of mm@0
  kind    map    apply f to every element
  type    [N][M]f32
  slot    f      λrow → map (λcol → reduce (+) 0 (map (*) (zip r...   ([K]f32 -> [M]f32)
  slot    in     A                                                    [N][K]f32
  nodes   21
  trust   builtin
  hash    24fb0479645f3f95
  origin  @0 source
> info /f
/f of mm@0
  kind    function
  type    ([K]f32 -> [M]f32)
  slot    body   map (λcol → reduce (+) 0 (map (*) (zip row col)...   [M]f32
  nodes   19
  origin  @0 source
> cd :3
E05 :3: labels cannot be used yet; point with a path such as /in/f
> cd $acc
E05 $acc: marks cannot be used yet; point with a path such as /in/f
> cd 'map _'
E05 'map _': patterns cannot be used yet; point with a path such as /in/f
> cd / /
E05 "/" is one argument too many for cd
  form    cd [PLACE | .. | / | -]
> show --bogus
E05 show has no flag "--bogus"
  form    show [@VERSION] [PLACE] [--as expr|tree|typed|json] [--depth N] [--full]
> show --depth
E05 --depth needs a value
  form    show [@VERSION] [PLACE] [--as expr|tree|typed|json] [--depth N] [--full]
> show --full=1
E05 --full takes no value
  form    show [@VERSION] [PLACE] [--as expr|tree|typed|json] [--depth N] [--full]
