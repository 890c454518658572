> let f (x: [N]f32) = (reduce (+) 0 x + 1) * 2
f : [N]f32 -> f32
> data N = 64; set verbose 0
> lower; check @1 @0 --trials 5
@1  lower                               builtin    from @0
@0 equals @1 on 5 trials, seed 1; 3 of them up to rounding (help trust)
> let g (x: [N]f32) = sqrt (abs (reduce (+) 0 x))
g : [N]f32 -> f32
> lower; check @1 @0 --trials 5
@1  lower                               builtin    from @0
@0 equals @1 on 5 trials, seed 1; 1 of them up to rounding (help trust)
> let h (x: [N]f32) = log (reduce (+) 0 (map exp x)) + 1
h : [N]f32 -> f32
> lower; check @1 @0 --trials 5
@1  lower                               builtin    from @0
@0 equals @1 on 5 trials, seed 1
> let p (A: [N]f32) = map (\x -> x + 1) A
p : [N]f32 -> [N]f32
> data N = 12
> apply padMap at /
@1  padMap{n=s0}  at /                  builtin    from @0
> apply mapStrideChunks at /in
@2  mapStrideChunks{s=s1, w=s2}  at /in  builtin    from @1
> param
  s0 : int    1 <= s0, s1*s2 divides N + (-(N % s0)) % s0, s2 divides N + (-(N % s0)) % s0, s1 divides (N + (-(N % s0)) % s0)/s2
  s1 : int    1 <= s1 <= (N + (-(N % s0)) % s0)/s2, s1*s2 divides N + (-(N % s0)) % s0, s1 divides (N + (-(N % s0)) % s0)/s2
  s2 : int    1 <= s2 <= N + (-(N % s0)) % s0, s1*s2 divides N + (-(N % s0)) % s0, s2 divides N + (-(N % s0)) % s0, s1 divides (N + (-(N % s0)) % s0)/s2
  168848 points in all        for N = 12
> let i (A: [N][M]f32) (x: [N]f32) = let t = map (\a -> a + 1) x in map (\c -> map (*) (zip c t)) (transpose A)
i : [N][M]f32 -> [N]f32 -> [M][N]f32
> data M = 8; set verbose 1
> moves --deep > moves.txt
> try mapInterchangeZipIn at /body
try  mapInterchangeZipIn  at /body      builtin    from @0
  - let t = map (λx1 → x1 + 1) x in map (λc → map (*) (zip c t)) ∘ transpose $ A
  + transpose (map (λ(c, bs) → map (λa → a * bs) c) (zip (transpose ∘ transpose $ A) (map (..) x)))
  type   [M][N]f32                    unchanged
  inlined  t: used once (letDuplicate)
> apply mapInterchangeZipIn at /body
@1  mapInterchangeZipIn  at /body       builtin    from @0
  - let t = map (λx1 → x1 + 1) x in map (λc → map (*) (zip c t)) ∘ transpose $ A
  + transpose (map (λ(c, bs) → map (λa → a * bs) c) (zip (transpose ∘ transpose $ A) (map (..) x)))
  type   [M][N]f32                    unchanged
  inlined  t: used once (letDuplicate)
  focus  /  ->  /                     4 moves here
> check @1 @0
@0 equals @1 on 100 trials, seed 1
> let j (A: [N][M]f32) (x: [M]f32) = let t = map (\a -> a + 1) x in map (\c -> reduce (+) 0 (map (*) (zip c t))) A
j : [N][M]f32 -> [M]f32 -> [N]f32
> moves --deep > moves.txt
> where reduceFission
  :1    /body                   map (λc → reduce (+) 0 (map (*) (zip c t))) A
1 place, 2 near misses
> let k (x: [N]f32) = iterate 2 (\xs -> join (split 4 xs)) x
k : [N]f32 -> [N]f32
> data N = 6
warning: now 4 divides N does not hold for split 4 at /f/body/in; @0 cannot be run
> eval
E36 4 divides N does not hold for N=6
  from    split 4 at /f/body/in
  rule    the program itself
  try     data N = 8
> let l (x: [N]f32) = iterate 2 (\xs -> map (reduce (+) 0) (split 2 (join (split 4 xs)))) x
l : [N]f32 -> [N/4]f32
> data N = 12
warning: now 4 divides N/2 does not hold for split 4 at /f/body/in/in/in; @0 cannot be run
> eval
E36 4 divides N/2 does not hold for N=12
  from    split 4 at /f/body/in/in/in
  rule    the program itself
  try     data N = 16
> let m (x: [N]f32) = iterate 256 (\a -> iterate 256 (\b -> iterate 256 (\c -> map (\e -> e + 1) c) b) a) x
m : [N]f32 -> [N]f32
> moves --deep > moves.txt
> lower
@1  lower                               builtin    from @0
  - iterate 256 (iterate 256 (iterate 256 (map (λx1 → x1 + 1)))) x
  + reduceHost (λ(s, i) → reduceHost (λ(s1, i1) → reduceHost (λ(s2, i2) → mapGlobal 0 (..) s2) s1...
  type   [N]f32                       unchanged
  inner  7 steps        log --expand
  focus  /  ->  /                     4 moves here
> let n (A: [N][M]f32) = map (\(a, b) -> reorder reverse (map (\v -> v) b)) (zip (transpose (map (\c -> c) (transpose A))) (map (\d -> map (\(x, y) -> y) (zip (transpose A) d)) (map (\e -> e) A)))
n : [N][M]f32 -> [N][M]f32
> data N = 4, M = 1024; moves --cost > moves.txt
