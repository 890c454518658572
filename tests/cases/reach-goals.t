> # vector scaling by groups, and by vectors in them (ICFP'15, figure 3)
> load tests/programs/scal.fun
scal : f32 -> [N]f32 -> [N]f32
> reach 'join (mapWorkgroup 0 (\c -> asScalar (mapLocal 0 _ (asVector 4 c))) (split 1024 xs))'
@1    splitJoin(1024)  at /
@2    mapWorkgroup(0)  at /in
@3    mapVectorise(4)  at /in/f/body
@4    mapLocal(0)  at /in/f/body/in
> # softmax in one pass: the sketch says what the fold brings in, a comparison and a choice
> let soft (x: [M]f32) = let m = reduce max (-inf) x in let e = map (\v -> exp (v - m)) x in let s = reduce (+) 0 e in map (\v -> v / s) e
soft : [M]f32 -> [M]f32
> reach 'contains (reduceSeq (\((m, s), y) -> let n = max m _ in let c = (if _ == _ then _ else _) in _) (-inf, 0) (zip x _))' through 'let m = reduce max _ x in let s = reduce _ _ (map (\(v, w) -> _ * w) (zip x _)) in _'
@1    letIntoLet  at /body
@2    sumWeighted  at /body/value
@3    onlineLet  at /
> # attention in one pass, from the program as it is written; tests/bench/bench_reach.sh does with three shapes between
> load tests/programs/attention.fun
attention : [N][D]f32 -> [M][D]f32 -> [M][D]f32 -> [N][D]f32        3 programs; list programs
> reach 'map (\q -> let x = _ in let m = reduce max _ x in let e = _ in let s = _ in let p = _ in _) Q'
@1    letLetOut  at /f/body
@2    letLetOut  at /f/body/body
@3    letLetOut  at /f/body/body/body
@4    letLetOut  at /f/body/body/body/body
> reach 'map (\q -> let x = _ in let m = reduce max _ x in let e = _ in let s = _ in map (\col -> reduce (+) 0 (map _ (zip e col)) / s) (transpose V)) Q'
@5    letIntoMap  at /f/body/body/body/body/body
@6    zipMap  at /f/body/body/body/body/body/f/body/in/in
@7    mapFusion  at /f/body/body/body/body/body/f/body/in
@8    sumQuotientOut  at /f/body/body/body/body/body/f/body
> reach 'map (\q -> let x = _ in let m = reduce max _ x in let e = _ in let s = _ in map (\v -> v / s) (map (\col -> reduce (+) 0 (map _ (zip e col))) (transpose V))) Q'
@9    reduceOut  at /f/body/body/body/body/body
@10   zipDrop  at /f/body/body/body/body/body
> reach 'map (\q -> let x = _ in let m = reduce max _ x in let e = _ in let s = _ in map (\v -> v / s) (reduce _ _ (map _ (zip e V)))) Q'
@11   reduceFission  at /f/body/body/body/body/body/in
@12   mapReduceInterchange  at /f/body/body/body/body/body/in
@13   mapInterchangeZipIn  at /f/body/body/body/body/body/in/in/in
@14   transposeTranspose  at /f/body/body/body/body/body/in/in
@15   transposeTranspose  at /f/body/body/body/body/body/in/in/in/1
> reach 'map (\q -> let x = _ in let m = reduce max _ x in let s = reduce (+) 0 (map (\(v, w) -> _ * w) (zip x _)) in map (\v -> v / s) (reduce _ _ (map _ (zip x V)))) Q'
@16   letIntoLet  at /f/body/body/body
@17   sumWeighted  at /f/body/body/body/value
@18   zipMap  at /f/body/body/body/body/in/in/in
@19   mapFusion  at /f/body/body/body/body/in/in
> reach 'map (\q -> let x = _ in let m = reduce max _ x in let r = reduce (\((s, t), (u, v)) -> _) _ (map _ (zip x _)) in _) Q'
@20   reduceBoth  at /f/body/body/body
> reach 'contains (reduceSeq (\((m, s), y) -> let n = max m _ in let c = (if _ == _ then _ else _) in _) _ (zip _ _))'
@21   letBodyOut  at /
@22   onlineLet  at /f/body
> show
map
    (λx →
      let (r0, (r1, vs)) = let (m, (r0, r1)) = reduceSeq
        (λ((m, (r0, r1)), (y, (s, cs))) →
          let n = max m y
          in let c = if n == -inf then 0 else n
          in let t = if m == -inf then c else m
          in (n,
            (exp (t - c) * r0 + exp (y - c) * s,
              map
                (+)
                (zip
                  (let y1 = exp (t - c) in map (λcs1 → y1 * cs1) r1)
                  (let y1 = exp (y - c) in map (λcs1 → y1 * cs1) cs)))))
        (-inf, (0, generate D (λi → 0)))
        (zip x (zip (generate M (λi → 1.0)) V))
      in (m,
        let t = if m == -inf then 0 else m
        in (exp (t - m) * r0, let y = exp (t - m) in map (λcs → y * cs) r1))
      in map (λv → v / r1) vs) ∘
  map (λq → map (λk → 0.125 * reduce (+) 0 (map (*) (zip q k))) Kt) $ Q
> check @0 @
@22 equals @0 on 100 trials, seed 1; 87 of them up to rounding (help trust)
> # what all summands are divided by, out of a product
> let avg (A: [N][M]f32) (s: f32) (w: [M]f32) = map (\row -> reduce (+) 0 (map (\(a, b) -> a / s * b) (zip row w))) A
avg : [N][M]f32 -> f32 -> [M]f32 -> [N]f32
> reach 'map (\t -> t / s) (map (\row -> reduce _ _ (map (*) (zip row w))) A)' through 'map (\row -> reduce _ _ _ / s) A'
@1    sumQuotientOut  at /f/body
@2    reduceOut  at /
@3    zipDrop  at /
> # sums that round are regrouped by rules of one's own: Horner's scheme, Winograd's F(2,3)
> let poly (a: f32) (b: f32) (c: f32) (d: f32) (xs: [N]f32) = map (\x -> a * x * x * x + b * x * x + c * x + d) xs
poly : f32 -> f32 -> f32 -> f32 -> [N]f32 -> [N]f32
> rule factor: u * x + v * x => (u + v) * x
rule factor
  u * x + v * x  =>  (u + v) * x
  user; assumed
> reach 'map (\x -> ((a * x + b) * x + c) * x + d) xs' using factor
@1    factor  at /f/body/0/0
@2    factor  at /f/body/0
@3    factor  at /f/body/0/0/0
W08 rule factor is "assumed": versions built with it are marked ?      (check factor; silence: set silence W08)
> let f23 (g: [3]f32) (ds: [N](f32, f32, f32, f32)) = map (\(a, b, c, d) -> (a * g[0] + b * g[1] + c * g[2], b * g[0] + c * g[1] + d * g[2])) ds
f23 : [3]f32 -> [N](f32, f32, f32, f32) -> [N](f32, f32)
> rule first: u * a + v * b + w * c => (u - w) * a + (w * (a + c) + v * b)
rule first
  u * a + v * b + w * c  =>  (u - w) * a + (w * (a + c) + v * b)
  user; assumed
> rule second: u * a + v * b + w * c => (u * (a + c) + v * b) - (u - w) * c
rule second
  u * a + v * b + w * c  =>  (u * (a + c) + v * b) - (u - w) * c
  user; assumed
> rule both: w * g + v * h => (v + w) * (0.5 * (g + h)) + (w - v) * (0.5 * (g - h))
rule both
  w * g + v * h  =>  (v + w) * (0.5 * (g + h)) + (w - v) * (0.5 * (g - h))
  user; assumed
> rule turn: m + (u - v) * p => m - (v - u) * p
rule turn
  m + (u - v) * p  =>  m - (v - u) * p
  user; assumed
> rule sum: (u + v) * p => (v + u) * p
rule sum
  (u + v) * p  =>  (v + u) * p
  user; assumed
> reach 'map (\(a, b, c, d) -> ((a - c) * _ + ((b + c) * _ + (c - b) * _), ((b + c) * _ - (c - b) * _) - (b - d) * _)) ds' using first,second,both,turn,sum
@1    first  at /f/body/0
@2    both  at /f/body/0/1
@3    second  at /f/body/1
@4    both  at /f/body/1/0
@5    turn  at /f/body/1/0
@6    sum  at /f/body/1/0/0
W08 rule first is "assumed": versions built with it are marked ?      (check first; silence: set silence W08)
W08 rule both is "assumed": versions built with it are marked ?      (check both; silence: set silence W08)
W08 rule second is "assumed": versions built with it are marked ?      (check second; silence: set silence W08)
W08 rule turn is "assumed": versions built with it are marked ?      (check turn; silence: set silence W08)
W08 rule sum is "assumed": versions built with it are marked ?      (check sum; silence: set silence W08)
> show
map
  (λ(a, b, c, d) →
    ((a - c) * g[0] +
        ((b + c) * (0.5 * (g[0] + g[2] + g[1])) + (c - b) * (0.5 * (g[0] + g[2] - g[1]))),
      (b + c) * (0.5 * (g[0] + g[2] + g[1])) - (c - b) * (0.5 * (g[0] + g[2] - g[1])) -
        (b - d) * g[2]))
  ds
? @6 rests on the assumed rules sum, turn, both, second, first
> check @0 @
@6 equals @0 on 100 trials, seed 1; 68 of them up to rounding (help trust)
> # a filter of a row and a column, by columns first, whose sums pass through three registers
> let dot (xs: [N]f32) (ys: [N]f32) = reduce (+) 0 (map (*) (zip xs ys))
dot : [N]f32 -> [N]f32 -> f32
> let binomial (img: [N][M]f32) (h: [3]f32) (v: [3]f32) = map (map (\nb -> dot (join nb) (join (map (\a -> map (\b -> a * b) h) v)))) (slide2 3 1 (pad2 1 1 clamp img))
binomial : [N][M]f32 -> [3]f32 -> [3]f32 -> [N][M]f32
> rule separate: reduce (+) 0.0 (map (*) (zip (join x) (join (map (\a -> map (\b -> a * b) h) v)))) => reduce (+) 0.0 (map (*) (zip (map (\c -> reduce (+) 0.0 (map (*) (zip c v))) (transpose x)) h))
rule separate
  reduce (+) 0.0 (map (*) (zip (join x) (join (map (\a -> map (\b -> a * b) h) v))))  =>  reduce (+) 0.0 (map (*) (zip (map (\c -> reduce (+) 0.0 (map (*) (zip c v))) (transpose x)) h))
  user; assumed
> rule slideBack: map (\w -> e (map f w)) (slide k s x) => map (\w -> e w) (slide k s (map f x))
rule slideBack
  map (\w -> e (map f w)) (slide k s x)  =>  map (\w -> e w) (slide k s (map f x))
  user; assumed
> rule registers: map (\w -> e w) (slide 3 1 x) => map (\(a, (b, c)) -> e (generate 3 (\i -> if i == 0 then a else (if i == 1 then b else c)))) (scanSeq (\((a, (b, c)), y) -> (b, (c, y))) (x[0], (x[0], x[1])) (drop 2 x)) when 2 < length x
rule registers
  map (\w -> e w) (slide 3 1 x)  =>  map (\(a, (b, c)) -> e (generate 3 (\i -> if i == 0 then a else (if i == 1 then b else c)))) (scanSeq (\((a, (b, c)), y) -> (b, (c, y))) (x[0], (x[0], x[1])) (drop 2 x))  when 2 < length x
  user; assumed
> check slideBack
slideBack holds on 500 instances, seed 1; it applied itself to 76 of them
  slideBack is checked now; it was assumed
> check registers
registers holds on 500 instances, seed 1
  registers is checked now; it was assumed
> use binomial
> reach 'map (\rows -> map (\w -> reduce _ _ (map _ (zip (map (\c -> reduce _ _ (map _ (zip c v))) w) h))) (slide 3 1 (transpose rows))) (slide 3 1 _)' using separate,slideMap,mapFusion,transposeSlide,transposeTranspose
@1    mapFusion  at /
@2    slideMap  at /in
@3    mapFusion  at /
@4    transposeSlide  at /f/body/in
@5    mapFusion  at /f/body
@6    separate  at /f/body/f/body
@7    transposeTranspose  at /f/body/f/body/in/in/0/in
W08 rule separate is "assumed": versions built with it are marked ?      (check separate; silence: set silence W08)
> reach 'map (\rows -> map (\w -> reduce _ _ (map _ (zip w h))) (slide 3 1 (map (\c -> reduce _ _ (map _ (zip c v))) (transpose rows)))) (slide 3 1 _)' using slideBack
@8    slideBack  at /f/body
> reach 'map (\rows -> map _ (scanSeq _ _ _)) (slide 3 1 _)' using registers
@9    registers  at /f/body
> show
map
    (λxss →
      map
          (λ(a, (b, c)) →
            reduce
              (+)
              0
              (map (*) (zip (generate 3 (λi → if i == 0 then a else if i == 1 then b else c)) h))) ∘
        scanSeq
          (λ((a, (b, c)), y) → (b, (c, y)))
          (at 0 (map (λc → reduce (+) 0 (map (*) (zip c v))) ∘ transpose $ xss),
            (at 0 (map (λc → reduce (+) 0 (map (*) (zip c v))) ∘ transpose $ xss),
              at 1 (map (λc → reduce (+) 0 (map (*) (zip c v))) ∘ transpose $ xss))) ∘
        drop 2 ∘
        map (λc → reduce (+) 0 (map (*) (zip c v))) ∘
        transpose $ xss) ∘
  slide 3 1 ∘
  pad2 1 1 clamp $ img
? @9 rests on the assumed rule separate
> check @0 @
@9 equals @0 on 100 trials, seed 1; 80 of them up to rounding (help trust)
> # tiles, whose sums are taken in chunks, those of columns in local memory
> load tests/programs/mm.fun
mm : [N][K]f32 -> [K][M]f32 -> [N][M]f32
> reach 'join (map (\rows -> transpose (join (map (\cols -> transpose (map (\row -> map _ cols) rows)) (split 8 _)))) (split 4 A))'
@1    splitJoin(4)  at /
@2    mapInterchange  at /in/f/body
@3    splitJoin(8)  at /in/f/body/in
@4    mapInterchange  at /in/f/body/in/in/f/body
> reach 'contains (map (\row -> reduce (\p -> map _ _) _ (map _ (zip (split 4 row) _))) _)' using reduceSplit,reduceFission,mapReduceInterchange,mapMapOut,transposeMaps,transposeMapZip,splitMap,splitZip,mapFusion,mapId
@5    reduceSplit(4)  at /in/f/body/in/in/f/body/in/f/body/f/body
@6    reduceFission  at /in/f/body/in/in/f/body/in/f/body
@7    mapReduceInterchange  at /in/f/body/in/in/f/body/in/f/body
@8    splitMap  at /in/f/body/in/in/f/body/in/f/body/in/in/f/body/in
@9    mapFusion  at /in/f/body/in/in/f/body/in/f/body/in/in/f/body
@10   splitZip  at /in/f/body/in/in/f/body/in/f/body/in/in/f/body/in
@11   mapFusion  at /in/f/body/in/in/f/body/in/f/body/in/in/f/body
@12   mapMapOut  at /in/f/body/in/in/f/body/in/f/body/in/in
@13   transposeMaps  at /in/f/body/in/in/f/body/in/f/body/in
@14   transposeMapZip  at /in/f/body/in/in/f/body/in/f/body/in/in
@15   mapFusion  at /in/f/body/in/in/f/body/in/f/body/in
> reach 'contains (transpose (reduce (\p -> map _ _) _ (map _ (zip _ _))))' using reduceFission,mapReduceInterchange,mapMapOut,transposeMaps,transposeMapZip,mapFusion,mapId
@16   reduceFission  at /in/f/body/in/in/f/body/in
@17   mapReduceInterchange  at /in/f/body/in/in/f/body/in
@18   mapMapOut  at /in/f/body/in/in/f/body/in/in/in
@19   transposeMaps  at /in/f/body/in/in/f/body/in/in
@20   transposeMapZip  at /in/f/body/in/in/f/body/in/in/in
@21   mapFusion  at /in/f/body/in/in/f/body/in/in
> reach 'join (mapWorkgroup 1 (\rows -> transpose (join (mapWorkgroup 0 (\cols -> transpose (reduceSeq (\(acc, (p, q)) -> let t = toLocal (split 4 (asScalar (join (mapLocal 1 (mapLocal 0 (\v -> v)) (split 8 (asVector 2 _)))))) in mapLocal 1 (\(x, y) -> mapLocal 0 _ _) _) _ _)) (split 8 _)))) (split 4 A))' using mapWorkgroup,mapLocal,reduceSeq,reduceMapFusion,tileLocalSecond
@22   mapWorkgroup(1)  at /in
@23   mapWorkgroup(0)  at /in/f/body/in/in
@24   reduceSeq  at /in/f/body/in/in/f/body/in
@25   reduceMapFusion  at /in/f/body/in/in/f/body/in
@26   tileLocalSecond{w=2, l=8}  at /in/f/body/in/in/f/body/in
@27   mapLocal(1)  at /in/f/body/in/in/f/body/in/f/body/body
@28   mapLocal(0)  at /in/f/body/in/in/f/body/in/f/body/body/f/body
> check @0 @
@28 equals @0 on 100 trials, seed 1; 46 of them up to rounding (help trust)
> show
join ∘
  mapWorkgroup 1
    (λcols →
      transpose ∘
        join ∘
        mapWorkgroup 0
          (λcols1 →
            transpose
              (reduceSeq
                (λ(acc, (ys, xss)) →
                  let tile = toLocal ∘
                    split 4 ∘
                    asScalar ∘
                    join ∘
                    mapLocal 1 (mapLocal 0 id) ∘
                    split 8 ∘
                    asVector 2 ∘
                    join $ xss
                  in mapLocal 1
                    (λ(acc1, r) → mapLocal 0 (+) (zip acc1 r))
                    (zip
                      acc
                      (map
                          (λ(as, ys1) →
                            map (λ(ys2, ys3) → reduce (+) 0 (map (*) (zip ys2 ys3))) ∘
                              map (λy → (as, y)) $ ys1) ∘
                        map (λy → (y, tile)) $ ys)))
                (generate 4 (λi → generate 8 (λi1 → 0)))
                (zip (transpose ∘ map (split 4) $ cols) (transpose ∘ map (split 4) $ cols1)))) ∘
        split 8 ∘
        transpose $ B) ∘
  split 4 $ A
