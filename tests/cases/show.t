> show
E10 no program is loaded
  try     load tests/programs/dot.fun        or a file .fun of your own
> load tests/programs/mm.fun
mm : [N][K]f32 -> [K][M]f32 -> [N][M]f32
> show
map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) A
> show --as tree
:1    map
:2      f: λrow
:3        body: map
:4          f: λcol
:5            body: reduce
:6              f: λ(acc, x)
:7                body: +
:8                  0: acc
:9                  1: x
:10             init: 0
:11             in: map
:12               f: λ(x, x1)
:13                 body: *
:14                   0: x
:15                   1: x1
:16               in: zip
:17                 0: row
:18                 1: col
:19         in: transpose
:20           in: B
:21     in: A
> show --as typed
:1    map  : [N][M]f32
:2      f: λrow  : ([K]f32 -> [M]f32)
:3        body: map  : [M]f32
:4          f: λcol  : ([K]f32 -> f32)
:5            body: reduce  : f32
:6              f: λ(acc, x)  : ((f32, f32) -> f32)
:7                body: +  : f32
:8                  0: acc  : f32
:9                  1: x  : f32
:10             init: 0  : f32
:11             in: map  : [K]f32
:12               f: λ(x, x1)  : ((f32, f32) -> f32)
:13                 body: *  : f32
:14                   0: x  : f32
:15                   1: x1  : f32
:16               in: zip  : [K](f32, f32)
:17                 0: row  : [K]f32
:18                 1: col  : [K]f32
:19         in: transpose  : [M][K]f32
:20           in: B  : [K][M]f32
:21     in: A  : [N][K]f32
> show --as svg
E05 --as is one of expr, tree, typed, json, dot, not "svg"
> show /f/body/in --as dot
digraph "@0" {
  node [shape=box, fontname="Helvetica", fontsize=11, style=rounded];
  edge [fontname="Helvetica", fontsize=9];
  n0 [label="transpose\n[M][K]f32"];
  n1 [label="B\n[K][M]f32", shape=plaintext];
  n0 -> n1 [label="in"];
}
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
/
> cd
/
> cd -
/f/body/in
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
  length  K
  bytes   4*K = 1024
  space   that of what it is an element of
  nodes   1
  origin  @0 source
> info /
/ of mm@0
  kind    map    apply f to every element
  type    [N][M]f32
  length  N
  bytes   4*M*N = 262144
  space   global, the result
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
> cd $acc
E02 no mark "acc"
  try     help mark
> cd 'map _'
E12 3 places match 'map _'
  [1]     /                  map (\row -> map (\col -> reduce (+) 0 (map (*) (zip row ...
  [2]     /f/body            map (\col -> reduce (+) 0 (map (*) (zip row col))) . tran...
  [3]     /f/body/f/body/in  map (*) (zip row col)
  use     'map _'[k], or a path
  try     cd 'map _'[1]
> cd / /
E05 "/" is one argument too many for cd
  form    cd [PLACE | .. | / | -]
> show --bogus
E05 show has no flag "--bogus"
  form    show [@VERSION] [PLACE] [--as expr|tree|typed|json|dot] [--depth N] [--full] [--labels] [--tree yes|no]
> show --depth
E05 --depth needs a value
  form    show [@VERSION] [PLACE] [--as expr|tree|typed|json|dot] [--depth N] [--full] [--labels] [--tree yes|no]
> show --full=1
E05 --full takes no value
  form    show [@VERSION] [PLACE] [--as expr|tree|typed|json|dot] [--depth N] [--full] [--labels] [--tree yes|no]
> # minus signs before numbers and brackets read back
> let w (x: [N]i32) = map (\v -> v / - -0 + -(3) - -4) x
w : [N]i32 -> [N]i32
> show
map (λv → v / -(0) + -(3) - -4) x
> let w (x: [N]i32) = map (\v -> v / -(0) + -(3) - -4) x
w : [N]i32 -> [N]i32
> # the values on the way to a result
> let chain (xs: [4]i32) (ys: [4]i32) = reduce (+) 0 (map (\(x, y) -> 12 / x * y) (zip xs ys))
chain : [4]i32 -> [4]i32 -> i32
> data xs = [1, 2, 3, 4] ; data ys = iota
> eval --trace
@0  i32
  23
  hash eec6e59815edb4b3
  /in/in      zip xs ys                             [(1, 0), (2, 1), (3, 2), (4, 3)]
  /in         map (λ(x, y) → 12 / x * y) (zip x...  [0, 6, 8, 9]
  /           reduce (+) 0 (map (λ(x, y) → 12 /...  23
> data xs = [1, 2, 0, 4]
> eval --trace
  /in/in      zip xs ys                             [(1, 0), (2, 1), (0, 2), (4, 3)]
  /in         map (λ(x, y) → 12 / x * y) (zip x...  E38 / in /f/body/0: integer division of 12 by zero
  /           reduce (+) 0 (map (λ(x, y) → 12 /...  E38 / in /in/f/body/0: integer division of 12 by zero
E38 / in /in/f/body/0: integer division of 12 by zero
  needs   a divisor other than 0
  found   12 / 0
