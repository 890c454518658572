> # the four forms of the GPGPU'16 slides, each a nest that only one rule swaps
> let outer (A: [N]f32) (B: [M]f32) = map (\a -> map (\b -> a * b + a) B) A
outer : [N]f32 -> [M]f32 -> [N][M]f32
> apply interchange; show
@1  interchange  at /                   builtin    from @0
  - map (λa → map (λb → a * b + a) B) A
  + transpose ∘ map (λb → map (λa → a * b + a) A) $ B
  type   [N][M]f32                    unchanged
  focus  /  ->  /                     4 moves here
transpose ∘ map (λb → map (λa → a * b + a) A) $ B
> let rows (A: [N][M]f32) = map (map (\x -> x * 2 + 1)) A
rows : [N][M]f32 -> [N][M]f32
> apply interchange; show
@1  interchange  at /                   builtin    from @0
  - map (map (λx → x * 2 + 1)) A
  + transpose ∘ map (map (λx → x * 2 + 1)) ∘ transpose $ A
  type   [N][M]f32                    unchanged
  focus  /  ->  /                     5 moves here
transpose ∘ map (map (λx → x * 2 + 1)) ∘ transpose $ A
> let zipIn (A: [N][M]f32) (v: [M]f32) = map (\r -> map (\(x, y) -> x * y) (zip r v)) A
zipIn : [N][M]f32 -> [M]f32 -> [N][M]f32
> apply interchange; show
@1  interchange  at /                   builtin    from @0
  - map (λr → map (*) (zip r v)) A
  + transpose (map (λ(c, y) → map (λx → x * y) c) (zip (transpose A) v))
  type   [N][M]f32                    unchanged
  focus  /  ->  /                     4 moves here
transpose (map (λ(c, y) → map (λx → x * y) c) (zip (transpose A) v))
> let zipOut (A: [N][M]f32) (v: [N]f32) = map (\(r, y) -> map (\x -> x * y) r) (zip A v)
zipOut : [N][M]f32 -> [N]f32 -> [N][M]f32
> apply interchange; show
@1  interchange  at /                   builtin    from @0
  - map (λ(r, y) → map (λx → x * y) r) (zip A v)
  + transpose ∘ map (λy → map (*) (zip y v)) ∘ transpose $ A
  type   [N][M]f32                    unchanged
  focus  /  ->  /                     4 moves here
transpose ∘ map (λy → map (*) (zip y v)) ∘ transpose $ A
> # through zips on both sides, with partners of either
> let both (A: [N][M]f32) (B: [N][M]f32) (u: [M]f32) (v: [N]f32) = map (\(y, r, s) -> map (\(p, q, w) -> p * w + y * q) (zip r s u)) (zip v A B)
both : [N][M]f32 -> [N][M]f32 -> [M]f32 -> [N]f32 -> [N][M]f32
> apply interchange; show
@1  interchange  at /                   builtin    from @0
  - map (λ(y, r, s) → map (λ(p, q, w) → p * w + y * q) (zip r s u)) (zip v A B)
  + transpose (map (λ(..) → map (λ(y, p1, q1) → p1 * w + y * q1) (zip v p q)) (zip (transpose A) ...
  type   [N][M]f32                    unchanged
  focus  /  ->  /                     4 moves here
transpose
  (map
    (λ(p, q, w) → map (λ(y, p1, q1) → p1 * w + y * q1) (zip v p q))
    (zip (transpose A) (transpose B) u))
> lower; data N = 3; data M = 5; data v = [1, 2, 3]; data u = [1, 2, 3, 4, 5]; eval @0; eval
@2  lower                               builtin    from @1
  - map (λ(p, q, w) → map (λ(..) → p1 * w + y * q1) (zip v p q)) (zip (transpose A) (transpose B) u)
  + mapGlobal 1 (λ(p, q, w) → mapGlobal 0 (λ(y, p1, q1) → fma y q1 (p1 * w)) (zip v p q)) (..)
  type   [M][N]f32                    unchanged
  inner  3 steps        log --expand
  focus  /  ->  /                     4 moves here
@0  [3][5]f32    N=3  M=5
  [[-1.6351209, -0.6201846, -3.3940496, -1.6883986, 0.8252692], [1.522757, -0.8263559, -2.3088634, ...], ...]
  hash dd33f3d42600b4f6
@2  [3][5]f32    N=3  M=5
  [[-1.6351209, -0.6201846, -3.3940496, -1.6883986, 0.8252692], [1.522757, -0.8263559, -2.3088634, ...], ...]
  hash a4a99b8ddc180009
> # the zips are in another order: what is zipped comes first
> let crossed (A: [N][M]f32) (B: [N][M]f32) = map (\(r, s) -> map (\(x, y) -> x - y) (zip s r)) (zip A B)
crossed : [N][M]f32 -> [N][M]f32 -> [N][M]f32
> why mapInterchangeZips
mapInterchangeZips does not apply at /
  rule    map (\(as.., x, xs.., bs..) -> map (\(cs.., x, xs.., ds..) -> e as.. bs.. cs.. x xs.. ds..) (zip cs.. x xs.. ds..)) (zip as.. x xs.. bs..)  =>  transpose (map (\(cs.., x, xs.., ds..) -> map (\(as.., x, xs.., bs..) -> e as.. bs.. cs.. x xs.. ds..) (zip as.. x xs.. bs..)) (zip cs.. (transpose x) (transpose xs).. ds..))
  needs   zip cs.. x xs.. ds.. at /f/body/in
  found   zip s r
  try     apply mapZipRotate at / ; apply mapInterchangeZips at /
> apply interchange; show
@1  interchange  at /                   builtin    from @0
  - map (λ(r, s) → map (-) (zip s r)) (zip A B)
  + transpose (map (map (-)) (transpose (map (λ(r, s) → zip s r) (zip A B))))
  type   [N][M]f32                    unchanged
  inner  2 steps        log --expand
  focus  /  ->  /                     5 moves here
transpose (map (map (-)) (transpose (map (λ(r, s) → zip s r) (zip A B))))
> # where nothing is nested
> let flat (v: [M]f32) = map (\x -> x + 1) v
flat : [M]f32 -> [M]f32
> apply interchange
E23 interchange failed: mapInterchange does not apply at /
  place   /
  rule    map (\a -> map (\b -> e a b) ys) xs  =>  transpose (map (\b -> map (\a -> e a b) xs) ys)
  needs   map (\b -> e a b) ys at /f/body
  found   x + 1
  try     moves /
> apply tile(4, 4)
E23 tile(4, 4) failed: computes fails at /in/f/body/f/body
  after   splitJoin(4) at /
  needs   a map that computes
  found   x + 1
> # tiles of rows, through zips, and in three dimensions
> use both@0
> data N = 4; data M = 8; data v = iota; data u = iota
> apply tile(2, 4)
@3  tile(2, 4)  at /                    builtin    from @0
  - map (λ(y, r, s) → map (λ(p, q, w) → p * w + y * q) (zip r s u)) (zip v A B)
  + join (map (λ(ys, ys1, ys2) → transpose (join (map (λ(ys3, ys4, ys5) → transpose (map (λ(y, p,...
  type   [N][M]f32                    unchanged
  inner  8 steps        log --expand
  focus  /  ->  /                     4 moves here
> show; log @ --expand
join
  (map
    (λ(ys, ys1, ys2) →
      transpose
        (join
          (map
            (λ(ys3, ys4, ys5) →
              transpose
                (map
                  (λ(y, p, q) → map (λ(p1, q1, w) → p1 * w + y * q1) (zip p q ys5))
                  (zip ys (transpose ys3) (transpose ys4))))
            (zip (split 4 ∘ transpose $ ys1) (split 4 ∘ transpose $ ys2) (split 4 u)))))
    (zip (split 2 v) (split 2 A) (split 2 B)))
* @3  tile(2, 4)  at /
      .1  splitJoin(2)  at /
      .2  splitZip  at /in/in
      .3  mapFusion  at /in
      .4  mapInterchangeZips  at /in/f/body
      .5  splitJoin(4)  at /in/f/body/in
      .6  splitZip  at /in/f/body/in/in/in
      .7  mapFusion  at /in/f/body/in/in
      .8  mapInterchangeZips  at /in/f/body/in/in/f/body
> eval @0; lower; eval
@0  [4][8]f32    N=4  M=8
  [[-0, 0.18101203, -1.7773417, -1.5257514, 0.629236, 4.812621, 0.26457742, -4.3920555], ...]
  hash ec014bab2c483d94
@4  lower                               builtin    from @3
  - map .. (map (λ(..) → transpose (map (λ(..) → map .. + y * q1 (..)) (..))) (..)) (..)
  + mapGlobal 2 (λ(..) → transpose (join (mapGlobal 1 (λ(..) → transpose (mapGlobal 0 (λ(..) → ma...
  type   [N/2][2][M]f32               unchanged
  inner  5 steps        log --expand
  focus  /  ->  /                     4 moves here
@4  [4][8]f32    N=4  M=8
  [[-0, 0.18101203, -1.7773417, -1.5257514, 0.629236, 4.812621, 0.26457742, -4.3920555], ...]
  hash bb6a739ffd452761
> let cube (A: [N][M][K]f32) (B: [N][M][K]f32) = map (\(a, b) -> map (\(r, s) -> map (\(x, y) -> x * y) (zip r s)) (zip a b)) (zip A B)
cube : [N][M][K]f32 -> [N][M][K]f32 -> [N][M][K]f32
> apply tile(2, 2, 3); show
@1  tile(2, 2, 3)  at /                 builtin    from @0
  - map (λ(a, b) → map (λ(r, s) → map (*) (zip r s)) (zip a b)) (zip A B)
  + join (map (λ(ys, ys1) → transpose (join (map (λ(ys2, ys3) → transpose (map transpose (transpo...
  type   [N][M][K]f32                 unchanged
  inner  16 steps        log --expand
  focus  /  ->  /                     4 moves here
join
  (map
    (λ(ys, ys1) →
      transpose
        (join
          (map
            (λ(ys2, ys3) →
              transpose
                (map
                  transpose
                  (transpose
                    (join
                      (map
                        (transpose ∘
                        map (transpose ∘ map (map (*)) ∘ transpose ∘ map (λ(x, y) → zip x y)) ∘
                        transpose)
                        (split 3
                          (transpose
                            (map
                              (λ(r, s) → zip (transpose r) (transpose s))
                              (zip (transpose ys2) (transpose ys3))))))))))
            (zip (split 2 ∘ transpose $ ys) (split 2 ∘ transpose $ ys1)))))
    (zip (split 2 A) (split 2 B)))
> data N = 2; data M = 4; data K = 6; data A = iota; data B = iota; eval @0; lower; eval
@0  [2][4][6]f32    N=2  M=4  K=6
  [[[0, 1, 4, 9, 16, 25], [36, 49, ...], ...], ...]
  hash d166dc3b399aa9c1
@2  lower                               builtin    from @1
  - map (λ(..) → transpose (join (map (λ(..) → transpose (map transpose (transpose (join (map (tr...
  + mapGlobal 1 (λ(..) → transpose (join (mapGlobal 0 (λ(..) → transpose (map transpose (transpos...
  type   [N/2][2][M][K]f32            unchanged
  inner  6 steps        log --expand
  focus  /  ->  /                     4 moves here
@2  [2][4][6]f32    N=2  M=4  K=6
  [[[0, 1, 4, 9, 16, 25], [36, 49, ...], ...], ...]
  hash d166dc3b399aa9c1
> # of a pattern, the size of a permutation may be a number
> let turned (x: [N]f32) = reorder (stride 3) (reorder (stride 2) x)
turned : [N]f32 -> [N]f32
> find reorder (stride 3) _
  :1    /                       reorder (stride 3) ∘ reorder (stride 2) $ x
1 place
> find reorder (stride 4) _
E11 no place in turned@0 matches 'reorder (stride 4) _'
  near    /: reorder (stride 3) . reorder (stride 2) $ x
  needs   reorder (stride 4) _ at /
  found   reorder (stride 3) . reorder (stride 2) $ x
  try     find 'reorder'        2 places
> find reorder (stride _) _
  :1    /                       reorder (stride 3) ∘ reorder (stride 2) $ x
  :2    /in                     reorder (stride 2) x
2 places
> rule still: reorder (stride 2) x => x
rule still
  reorder (stride 2) x  =>  x
  user; assumed
> apply still at /in
@1  still  at /in                       assumed    from @0
  - reorder (stride 2) x
  + x
  type   [N]f32                       unchanged
  focus  /  ->  /                     4 moves here
W08 rule still is "assumed": versions built with it are marked ?      (check still; silence: set silence W08)
> rule wrong: reorder (strid 2) x => x
E30 a permutation is reverse, (rotate k), (stride s) or a parameter
  rule:1:16
  | wrong: reorder (strid 2) x => x
  |                ^~~~~~~~~
