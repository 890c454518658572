> # sums in sums that windows share: what two numbers add up to counts them, so that a window of n by n takes 2 n steps
> set silence W16
> device pocl0
pocl0    **
> set target pocl
> let p1 (a: [A][B]f32) = map2 (\w -> reduce max (-inf) (map (reduce max (-inf)) w)) (slide2 5 2 (padConst2 2 2 (-inf) a))
p1 : [A][B]f32 -> [(A + 1)/2][(B + 1)/2]f32
> data A = 23, B = 37
> apply elementsKept
@1  elementsKept  at /                  builtin    from @0
  - map2 (reduce max (-inf) ∘ map (reduce max (-inf))) ∘ slide2 5 2 ∘ padConst2 2 2 (-inf) $ a
  + let t = generate (A + 4) (λi → generate ((B + 1)/2) (λj → reduce max (..) (generate 5 (λs → i...
  type   [(A + 1)/2][(B + 1)/2]f32    unchanged
  focus  /  ->  /                     11 moves here
> show
let t = generate (A + 4)
  (λi →
    generate ((B + 1)/2)
      (λj →
        reduce
          max
          (-inf)
          (generate 5
            (λs →
              if i >= 2 && i < (A + 2 : size)
                then if j * 2 + s >= 2 && j * 2 + s < (B + 2 : size)
                  then a[i - 2][j * 2 + s - 2]
                  else -inf
                else -inf))))
in generate ((A + 1)/2)
  (λi → generate ((B + 1)/2) (λj → reduce max (-inf) (generate 5 (λr → t[i * 2 + r][j]))))
  shorter  let t = generate (A + 4) (λi → generate ((B + 1...        apply indicesToElements
> lower lowerNests
@2  lowerNests                          builtin    from @1
  - let t = generate (A + 4) (λi → generate (..) (λj → reduce max (..) (generate 5 (λs → if i >= ...
  + let t = split (..) (take ((A*B + A)/2 + 2*B + 2) (join (mapWorkgroup 0 (λis → reduceSeq (λ(ss...
  type   [(A + 1)/2][(B + 1)/2]f32    unchanged
  inner  21 steps        log --expand
  focus  /  ->  /                     13 moves here
> run -n 1 | grep verify
  verify  OK   3 inputs x 2 repeats, 49 x 1; input 1 exact
> let p2 (a: [A][B]f32) (v: [5]f32) (h: [7]f32) = generate A (\i -> generate B (\j -> sum (generate 5 (\r -> v[r] * sum (generate 7 (\s -> h[s] * a[min (A - 1) (max 0 (i + r - 2))][min (B - 1) (max 0 (j + s - 3))]))))))
p2 : [A][B]f32 -> [5]f32 -> [7]f32 -> [A][B]f32
> data A = 23, B = 37
> apply elementsKept
@1  elementsKept  at /                  builtin    from @0
  - generate .. 5 (λr → v[r] * reduce (+) 0 (generate 7 (.. + r - 2[min (..) (..)])))
  + let t = generate (A + 4) (λi → generate B (λj → reduce (+) 0 (generate 7 (λs → h[s] * a[min (...
  type   [A][B]f32                    unchanged
  focus  /  ->  /                     11 moves here
> show
let t = generate (A + 4)
  (λi →
    generate B
      (λj →
        reduce
          (+)
          0
          (generate 7
            (λs →
              h[s] * a[min (A - 1 : size) (max 0 (i - 2))][min (B - 1 : size) (max 0 (j + s - 3))]))))
in generate A (λi → generate B (λj → reduce (+) 0 (generate 5 (λr → v[r] * t[i + r][j]))))
> lower lowerNests
@2  lowerNests                          builtin    from @1
  - let t = generate (A + 4) (λi → generate B (λj → reduce (+) 0 (generate 7 (λs → h[s] * a[min (...
  + let t = split B (take (A*B + 4*B) (join (mapWorkgroup 0 (mapSeq (λi → reduceSeqUnroll (λ(acc,...
  type   [A][B]f32                    unchanged
  inner  19 steps        log --expand
  focus  /  ->  /                     13 moves here
> run -n 1 | grep verify
  verify  OK   3 inputs x 2 repeats; input 1 exact
> let p3 (a: [A+2][B+2][C+2]f32) = map (map2 (\w -> sum (map sum (map (map sum) w)))) (slide3 3 1 a)
p3 : [A + 2][B + 2][C + 2]f32 -> [A][B][C]f32
> data A = 5, B = 6, C = 7
> apply elementsKept
@1  elementsKept  at /                  builtin    from @0
  - map (map2 (reduce (+) 0 ∘ map (reduce (+) 0) ∘ map (map (reduce (+) 0)))) ∘ slide3 3 1 $ a
  + let t = generate (A + 2) (λi → generate (B + 2) (λj → generate C (λk → reduce (+) 0 (generate...
  type   [A][B][C]f32                 unchanged
  focus  /  ->  /                     15 moves here
> show
let t = generate (A + 2)
  (λi → generate (B + 2) (λj → generate C (λk → reduce (+) 0 (generate 3 (λt → a[i][j][k + t])))))
in let v = generate (A + 2)
  (λi → generate B (λj → generate C (λk → reduce (+) 0 (generate 3 (λs → t[i][j + s][k])))))
in generate A
  (λi → generate B (λj → generate C (λk → reduce (+) 0 (generate 3 (λr → v[i + r][j][k])))))
  shorter  map (map (map (reduce (+) 0))) ∘ map (map trans...        apply indicesToElements
> lower lowerNests
@2  lowerNests                          builtin    from @1
  - let t = generate (A + 2) (λi → generate (..) (λj → generate C (λk → reduce (+) 0 (generate 3 ...
  + let t = split (..) (split C (take (A*B*C + 2*A*C + 2*B*C + 4*C) (join (mapWorkgroup 0 (mapSeq...
  type   [A][B][C]f32                 unchanged
  inner  28 steps        log --expand
  focus  /  ->  /                     16 moves here
> run -n 1 | grep verify
  verify  OK   3 inputs x 2 repeats; input 1 exact
> device oclgrind
oclgrind    Oclgrind Simulator
  kernels are made for pocl: set target
> run -n 1 | grep verify
  verify  OK   3 inputs x 1 repeat; input 1 exact
> device pocl0
pocl0    **
  kernels are made for pocl: set target
> let p4 (a: [A+4][B+4]f32) = generate A (\i -> generate B (\j -> sum (generate 3 (\r -> exp (sum (generate 3 (\s -> a[i + 2*r][j + 2*s])))))))
p4 : [A + 4][B + 4]f32 -> [A][B]f32
> data A = 15, B = 16
> apply elementsKept
@1  elementsKept  at /                  builtin    from @0
  - generate .. (λr → exp (reduce (+) 0 (generate 3 (λs → a[i + 2 * r][j + 2 * s]))))
  + let t = generate (A + 4) (λi → generate B (λj → reduce (+) 0 (generate 3 (λs → a[i][j + s * 2...
  type   [A][B]f32                    unchanged
  focus  /  ->  /                     12 moves here
> show
let t = generate (A + 4) (λi → generate B (λj → reduce (+) 0 (generate 3 (λs → a[i][j + s * 2]))))
in generate A (λi → generate B (λj → reduce (+) 0 (generate 3 (λr → exp t[i + r * 2][j]))))
  shorter  map (map (reduce (+) 0 ∘ map exp)) ∘ map (trans...        apply indicesToElements
> lower lowerNests
@2  lowerNests                          builtin    from @1
  - let t = generate (A + 4) (λi → generate B (λj → reduce (+) 0 (generate 3 (λs → a[i][j + s * 2...
  + let t = split B (join (mapWorkgroup 0 (mapSeq (λi → reduceSeqUnroll (λ(acc, y) → acc + a[i //...
  type   [A][B]f32                    unchanged
  inner  17 steps        log --expand
  focus  /  ->  /                     14 moves here
> run -n 1 | grep verify
  verify  OK   3 inputs x 2 repeats
> let p5 (a: [K][2*A+4][B+4]f32) = sum (join (generate A (\i -> generate B (\j -> sum (generate 4 (\r -> sum (generate K (\c -> sum (generate 5 (\s -> a[c][2*i + r][j + s]))))))))))
p5 : [K][2*A + 4][B + 4]f32 -> f32
> data A = 15, B = 16, K = 3
> apply elementsKept
@1  elementsKept  at /                  builtin    from @0
  - reduce (+) 0 (join (generate A (λi → generate B (λj → reduce (+) 0 (generate 4 (λr → reduce (...
  + let t = generate (2*A + 2) (λr → generate B (λs → reduce (+) 0 (generate K (λu → reduce (+) 0...
  type   f32                          unchanged
  focus  /  ->  /                     4 moves here
> show
let t = generate (2*A + 2)
  (λr →
    generate B
      (λs → reduce (+) 0 (generate K (λu → reduce (+) 0 (generate 5 (λv → a[u][r][s + v]))))))
in reduce
  (+)
  0
  (generate A
    (λr → reduce (+) 0 (generate B (λs → reduce (+) 0 (generate 4 (λt1 → t[r * 2 + t1][s]))))))
  shorter  reduce (+) 0 ∘ map (reduce (+) 0 ∘ map (reduce ...        apply indicesToElements
> lower lowerNests
@2  lowerNests                          builtin    from @1
  - let t = generate (2*A + 2) (λr → generate B (λs → reduce (+) 0 (generate K (λu → reduce (+) 0...
  + let t = split B (join (mapWorkgroup 0 (λis → reduceSeq (λ(ss, y) → mapSeq (λ(acc, i) → acc + ...
  type   f32                          unchanged
  inner  20 steps        log --expand
  focus  /  ->  /                     4 moves here
> run -n 1 | grep verify
  verify  OK   3 inputs x 2 repeats; input 1 exact
