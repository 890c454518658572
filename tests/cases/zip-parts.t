> # a rule that divides a list may match in several ways: `part` says which, and moves lists each
> let z (a: [N]f32) (b: [N]f32) (c: [N]f32) = map (\(x, y, w) -> x * y + w) (zip3 (map (\x -> x + 1) a) b (map (\x -> x * 2) c))
z : [N]f32 -> [N]f32 -> [N]f32 -> [N]f32
> moves /in --kind fusion
  1  zipMap(0)              map (λ(y, cs, cs1) → (y + 1, cs, cs1)) (zip a b (map (λx → x * 2) c))
  2  zipMap(2)              map (λ(as, as1, y) → (as, as1, y * 2)) (zip (map (λx → x + 1) a) b c)
> apply 2
@1  zipMap(2)  at /in                   builtin    from @0
  - zip (map (λx → x + 1) a) b (map (λx → x * 2) c)
  + map (λ(as, as1, y) → (as, as1, y * 2)) (zip (map (λx → x + 1) a) b c)
  type   [N](f32, f32, f32)           unchanged
  focus  /  ->  /                     16 moves here
> undo
@0  source
    map (λ(x, y, w) → x * y + w) (zip (map (λx → x + 1) a) b (map (λx → x * 2) c))
> apply zipMap at /in
@2  zipMap  at /in                      builtin    from @0
  - zip (map (λx → x + 1) a) b (map (λx → x * 2) c)
  + map (λ(y, cs, cs1) → (y + 1, cs, cs1)) (zip a b (map (λx → x * 2) c))
  type   [N](f32, f32, f32)           unchanged
  focus  /  ->  /                     16 moves here
> moves --deep --kind fusion
  1  mapFusion              /                 map (λ(y, cs, cs1) → (y + 1) * cs + cs1) (..)
  2  zipMap                 /in/in            map (λ(as, as1, y) → (as, as1, y * 2)) (zip a b c)
> undo
@0  source
    map (λ(x, y, w) → x * y + w) (zip (map (λx → x + 1) a) b (map (λx → x * 2) c))
> apply zipMap{part = 2} at /in
@3  zipMap(2)  at /in                   builtin    from @0
  - zip (map (λx → x + 1) a) b (map (λx → x * 2) c)
  + map (λ(as, as1, y) → (as, as1, y * 2)) (zip (map (λx → x + 1) a) b c)
  type   [N](f32, f32, f32)           unchanged
  same   term as @1        goto @1
  focus  /  ->  /                     16 moves here
> undo
@0  source
    map (λ(x, y, w) → x * y + w) (zip (map (λx → x + 1) a) b (map (λx → x * 2) c))
> apply zipMap(1) at /in
E21 zipMap does not apply at /in
  rule    zip as.. (map g b) cs..  =>  map (\(as.., y, cs..) -> (as.., g y, cs..)) (zip as.. b cs..)
  needs   part as asked
  found   it matches at part 0, part 2
  try     apply mapZipRotate at / ; apply zipMap(1) at /in
> why zipMap(2) at /in
zipMap applies at /in
  rule    zip as.. (map g b) cs..  =>  map (\(as.., y, cs..) -> (as.., g y, cs..)) (zip as.. b cs..)
  where   part = 2
          b = c
          g = \x -> x * 2
  gives   map (\(as, as1, y) -> (as, as1, y * 2)) (zip (map (\x -> x + 1) a) b c)
  try     apply zipMap(2) at /in
> help zipMap
rule zipMap(part)
  zip as.. (map g b) cs..  =>  map (\(as.., y, cs..) -> (as.., g y, cs..)) (zip as.. b cs..)
  a map on one side of a zip moves behind it
  part: a size; which of several, from 0; left out: the first
  fusion; builtin; from GPGPU'16
  for example  zip (map abs b) cs  =>  map (\(y, cs1) -> (abs y, cs1)) (zip b cs)      cs: [5]i32, b: [5]i32
> # so do its sisters, and a user's own
> let nest (x: [N]f32) (y: [N]f32) (u: [N]f32) = map (\((a, b), (c, d)) -> a * b + c * d) (zip (zip x y) (zip u x))
nest : [N]f32 -> [N]f32 -> [N]f32 -> [N]f32
> moves /in --kind fusion
  1  zipZip(0)              map (λ(bs, bs1, cs) → ((bs, bs1), cs)) (zip x y (zip u x))
  2  zipZip(1)              map (λ(as, bs, bs1) → (as, (bs, bs1))) (zip (zip x y) u x)
> rule twice: zip as.. (map f (map g b)) cs.. => map (\(as.., y, cs..) -> (as.., f (g y), cs..)) (zip as.. b cs..)
rule twice(part)
  zip as.. (map f (map g b)) cs..  =>  map (\(as.., y, cs..) -> (as.., f (g y), cs..)) (zip as.. b cs..)
  part: a size; which of several, from 0; left out: the first
  user; assumed
> let w (a: [N]f32) (b: [N]f32) = zip (map (\x -> x + 1) (map (\x -> x * 2) a)) (map (\x -> x + 3) (map (\x -> x * 4) b))
w : [N]f32 -> [N]f32 -> [N](f32, f32)
> moves --kind user
  1  twice(0)               map (λ(y, cs) → (y * 2 + 1, cs)) (zip a (..))
  2  twice(1)               map (λ(as, y) → (as, y * 4 + 3)) (zip (..) b)
> apply twice(1)
@1  twice(1)  at /                      assumed    from @0
  - zip (map (λx → x + 1) ∘ map (λx → x * 2) $ a) (map (λx → x + 3) ∘ map (λx → x * 4) $ b)
  + map (λ(as, y) → (as, y * 4 + 3)) (zip (map (λx → x + 1) ∘ map (λx → x * 2) $ a) b)
  type   [N](f32, f32)                unchanged
  focus  /  ->  /                     17 moves here
W08 rule twice is "assumed": versions built with it are marked ?      (check twice; silence: set silence W08)
> check twice
twice holds on 500 instances, seed 1
  twice is checked now; it was assumed
  so this version does not rest on an assumed rule any more: @1
> # zip of a tuple, and as a function
> let rows (a: [N][M]f32) (b: [N][M]f32) = zipWith zip a b
rows : [N][M]f32 -> [N][M]f32 -> [N][M](f32, f32)
> let same (a: [N][M]f32) (b: [N][M]f32) = map zip (zip a b)
same : [N][M]f32 -> [N][M]f32 -> [N][M](f32, f32)
> let both (a: [N]f32) (b: [N]f32) = (a, b) |> zip |> map (+)
both : [N]f32 -> [N]f32 -> [N]f32
> let three (a: [N]f32) = zip3 (a, a)
E04 zip3 takes 3 arrays, or one tuple of 3; found ([N]f32, [N]f32)
  let:1:21
  | three (a: [N]f32) = zip3 (a, a)
  |                     ^~~~~~~~~~~
