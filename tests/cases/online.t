> let softmax (x: [M]f32) = let m = reduce max (-inf) x in let e = map (\v -> exp (v - m)) x in let s = reduce (+) 0 e in map (\v -> v / s) e
softmax : [M]f32 -> [M]f32
> apply letIntoLet at 'let e = _ in _'
@1  letIntoLet  at /body                builtin    from @0
  - let e = map (λv → exp (v - m)) x in let s = reduce (+) 0 e in map (λv → v / s) e
  + let s = reduce (+) 0 ∘ map (λv → exp (..)) $ x in map (λv → v / s) ∘ map (λv → exp (v - m)) $ x
  type   [M]f32                       unchanged
  focus  /  ->  /                     5 moves here
> apply topdown(sumWeighted)
@2  topdown(sumWeighted)  at /body/value  builtin    from @1
  - reduce (+) 0 ∘ map (λv → exp (v - m)) $ x
  + reduce (+) 0 (map (λ(v, s) → exp (v - m) * s) (zip x (generate M (λi → 1.0))))
  type   f32                          unchanged
  focus  /  ->  /                     8 moves here
> apply onlineLet as fold
@3  onlineLet  at /                     builtin    from @2
  - let m = reduce max (..) x in let s = reduce (+) 0 (map (λ(..) → exp (v - m) * s) (..)) in map...
  + let (r0, r1) = let (m, s) = reduceSeq (λ((m, s), (v, s1)) → let n = max m v in let c = if n =...
  type   [M]f32                       unchanged
  focus  /  ->  /                     5 moves here
> show
let (r0, r1) = let (m, s) = reduceSeq
  (λ((m, s), (v, s1)) →
    let n = max m v
    in let c = if n == -inf then 0 else n
    in (n, exp ((if m == -inf then c else m) - c) * s + exp (v - c) * s1))
  (-inf, 0)
  (zip x (generate M (λi → 1.0)))
in (m, exp ((if m == -inf then 0 else m) - m) * s)
in map (λv → v / r1) ∘ map (λv → exp (v - r0)) $ x
> data M = 5
> data x = [-inf, -300, -inf, -200, -201]
> eval
@3  [5]f32    M=5
  [0, 2.8e-44, 0, 0.7310586, 0.26894143]
  hash 53a37e2ad72d298b
> goto @0
@0  source
    let m = reduce max (-inf) x in let e = map (λv → exp (v - m)) x in let s = reduce (+) 0 e in ...
> eval
@0  [5]f32    M=5
  [0, 2.8e-44, 0, 0.7310586, 0.26894143]
  hash 53a37e2ad72d298b
> goto @fold
@3  onlineLet
    let (r0, r1) = let (m, s) = reduceSeq (λ((m, s), (v, s1)) → let n = max m v in let c = if n =...
> data x = [-inf, -inf, -inf, -inf, -inf]
> eval
@3  [5]f32    M=5
  [nan, nan, nan, nan, nan]
  hash 08e1c5d0e680c1c6
> goto @0
@0  source
    let m = reduce max (-inf) x in let e = map (λv → exp (v - m)) x in let s = reduce (+) 0 e in ...
> eval
@0  [5]f32    M=5
  [nan, nan, nan, nan, nan]
  hash 08e1c5d0e680c1c6
> goto @2
@2  topdown(sumWeighted)
    let m = reduce max (-inf) x in let s = reduce (+) 0 (map (λ(v, s) → exp (v - m) * s) (zip x (...
> data x = random(1)
> data M = ?
> apply onlineLetBlocks(8)
@4  onlineLetBlocks(8)  at /            builtin    from @2
  - let m = reduce max (..) x in let s = reduce (+) 0 (map (λ(..) → exp (v - m) * s) (zip x (..))...
  + let (r0, r1) = let (m, s) = reduceSeq (λ((m, s), (kb, xb)) → let n = max m (reduce max (..) k...
  type   [M]f32                       unchanged
  focus  /  ->  /                     5 moves here
> show
let (r0, r1) = let (m, s) = reduceSeq
  (λ((m, s), (kb, xb)) →
    let n = max m (reduce max (-inf) kb)
    in let c = if n == -inf then 0 else n
    in (n,
      reduceSeq
        (+)
        (exp ((if m == -inf then c else m) - c) * s)
        (map (λ(v, s1) → exp (v - c) * s1) (zip kb xb))))
  (-inf, 0)
  (zip (split 8 x) (split 8 (generate M (λi → 1.0))))
in (m, exp ((if m == -inf then 0 else m) - m) * s)
in map (λv → v / r1) ∘ map (λv → exp (v - r0)) $ x
> goto @2
@2  topdown(sumWeighted)
    let m = reduce max (-inf) x in let s = reduce (+) 0 (map (λ(v, s) → exp (v - m) * s) (zip x (...
> apply onlineLetParts("M/4", 8)
@5  onlineLetParts{l=M/4, n=8}  at /    builtin    from @2
  - let m = reduce max (..) x in let s = reduce (+) 0 (map (λ(..) → exp (v - m) * s) (zip x (..))...
  + let (r0, r1) = let parts = map (λ(ks, xs) → reduceSeq (λ((m, s), (kb, xb)) → let n = max m (r...
  type   [M]f32                       unchanged
  focus  /  ->  /                     6 moves here
> show
let (r0, r1) = let parts = map
  (λ(ks, xs) →
    reduceSeq
      (λ((m, s), (kb, xb)) →
        let n = max m (reduce max (-inf) kb)
        in let c = if n == -inf then 0 else n
        in (n,
          reduceSeq
            (+)
            (exp ((if m == -inf then c else m) - c) * s)
            (map (λ(v, s1) → exp (v - c) * s1) (zip kb xb))))
      (-inf, 0)
      (zip (split 8 ks) (split 8 xs)))
  (zip (split (M/4) x) (split (M/4) (generate M (λi → 1.0))))
in let m = reduce max (-inf) ∘ map (λ(m, s) → m) $ parts
in let c = if m == -inf then 0 else m
in (m,
  exp (c - m) *
    (reduce (+) 0 ∘ map (λ(m1, s) → exp ((if m1 == -inf then c else m1) - c) * s) $ parts))
in map (λv → v / r1) ∘ map (λv → exp (v - r0)) $ x
> check onlineLetBlocks
onlineLetBlocks holds on 500 instances, seed 1; it applied itself to 84 of them; 2 of them up to rounding (help trust)
> let other (x: [M]f32) = let m = reduce min inf x in let s = reduce (+) 0 (map (\(k, v) -> exp (k - m) * v) (zip x x)) in m + s * s
other : [M]f32 -> f32
> why onlineLet
onlineLet does not apply at /
  rule    let m = reduce f z ks in let s = reduce g w (map (\(k, x) -> e k x m) (zip ks xs)) in b m s  =>  let r = (let (m, s) = reduceSeq (\((m, s), (k, x)) -> let n = f (m, k) in let c = (if n == z then 0 else n) in let t = (if m == z then c else m) in (n, g (e t s c, e k x c))) (z, w) (zip ks xs) in (m, e (if m == z then 0 else m) s m)) in b r.0 r.1  when neutral z f and rescales e f g w and 1 <= length ks
  needs   rescales e f g w
  found   unknown, not every part is times exp or exp2 of m - k
  when    neutral z f: yes, known of min
  when    rescales e f g w: unknown, not every part is times exp or exp2 of m - k
  when    1 <= length ks: yes, they are 1 and M
  try     moves /
> let bound (x: [M]f32) = let m = reduce max 0 x in let s = reduce (+) 0 (map (\(k, v) -> exp2 ((k - m) * 3) * v) (zip x x)) in m + s * s
bound : [M]f32 -> f32
> why onlineLet
onlineLet does not apply at /
  rule    let m = reduce f z ks in let s = reduce g w (map (\(k, x) -> e k x m) (zip ks xs)) in b m s  =>  let r = (let (m, s) = reduceSeq (\((m, s), (k, x)) -> let n = f (m, k) in let c = (if n == z then 0 else n) in let t = (if m == z then c else m) in (n, g (e t s c, e k x c))) (z, w) (zip ks xs) in (m, e (if m == z then 0 else m) s m)) in b r.0 r.1  when neutral z f and rescales e f g w and 1 <= length ks
  needs   neutral z f
  found   unknown, it is not the neutral element of max
  when    neutral z f: unknown, it is not the neutral element of max
  when    rescales e f g w: yes, by its form
  when    1 <= length ks: yes, they are 1 and M
  try     moves /
> let logsumexp (x: [M]f32) = let m = reduce max (-inf) x in m + log (reduce (+) 0 (map (\(k, v) -> exp (k - m) * v) (zip x (generate M (\i -> 1.0)))))
logsumexp : [M]f32 -> f32
> apply online
@1  online  at /                        builtin    from @0
  - let m = reduce max (-inf) x in m + log (reduce (+) 0 (map (λ(v, s) → exp (v - m) * s) (..)))
  + let (r0, r1) = let (m, s) = reduceSeq (λ((m, s), (v, s1)) → let n = max m v in let c = if n =...
  type   f32                          unchanged
  focus  /  ->  /                     2 moves here
> rule wrong: let m = reduce f z ks in let s = reduce g w (map (\(k, x) -> e k x m) (zip ks xs)) in b m s => let r = reduceSeq (\((m, s), (k, x)) -> let n = f (m, k) in (n, g (s, e k x n))) (z, w) (zip ks xs) in b r.0 r.1 when neutral z f and rescales e f g w
rule wrong
  let m = reduce f z ks in let s = reduce g w (map (\(k, x) -> e k x m) (zip ks xs)) in b m s  =>  let r = reduceSeq (\((m, s), (k, x)) -> let n = f (m, k) in (n, g (s, e k x n))) (z, w) (zip ks xs) in b r.0 r.1  when neutral z f and rescales e f g w
  user; assumed
> check wrong
# a counterexample to wrong, of seed 1
rule wrong: let m = reduce f z ks in let s = reduce g w (map (\(k, x) -> e k x m) (zip ks xs)) in b m s => let r = reduceSeq (\((m, s), (k, x)) -> let n = f (m, k) in (n, g (s, e k x n))) (z, w) (zip ks xs) in b r.0 r.1 when neutral z f and rescales e f g w
let counterexample (ks: [2]f32) (xs: [2]f32) = let m = reduce max (-inf) ks in let s = reduce (+) 0 (map (\(k, x) -> x * exp2 ((k - m) * 0.5)) (zip ks xs)) in if bool s then s else s
data ks = [-4, 0]
data xs = [1, 0]
eval
apply wrong at /
eval
E31 wrong does not hold
  rule    let m = reduce f z ks in let s = reduce g w (map (\(k, x) -> e k x m) (zip ks xs)) in b m s  =>  let r = reduceSeq (\((m, s), (k, x)) -> let n = f (m, k) in (n, g (s, e k x n))) (z, w) (zip ks xs) in b r.0 r.1  when neutral z f and rescales e f g w
  found   the result is 0.25 on the left, 1 on the right
  try     check wrong > wrong.lathe        keeps these commands
  next    source wrong.lathe
