> # filters of filters: what is computed and read again in windows is made once, and is read where it lies; rows apart from their ends
> device pocl0
pocl0    **
> set silence W16
> set target pocl
> let blur x = map (\w -> (w[0] + 4 * w[1] + 6 * w[2] + 4 * w[3] + w[4]) / 16) (slide 5 1 (pad 2 2 mirror x))
blur : helper, typed where it is used
> let both (img: [H][W]f32) = alongAxis 0 blur (map blur img)
both : [H][W]f32 -> [H][W]f32
> apply elementsKept
@1  elementsKept  at /                  builtin    from @0
  - transpose ∘ map (map (λw → (w[0] + 4 * w[1] + 6 * w[2] + 4 * w[3] + w[4]) / 16) ∘ slide 5 1 ∘...
  + let t = generate H (λi → generate W (λj → (img[i][min (max (1 - j) (j - 2)) ((2*W : size) - m...
  type   [H][W]f32                    unchanged
  focus  /  ->  /                     12 moves here
> undo
@0  source
    transpose ∘ map (map (λw → (w[0] + 4 * w[1] + 6 * w[2] + 4 * w[3] + w[4]) / 16) ∘ slide 5 1 ∘...
> data H = 1211, W = 2333
> lower --explain | grep '^#\|^  runs\|^   .*ends'
#1           generate H (\i -> generate W (\j -> .. / 16))
  runs       1.91 ms   0.42 of the bound: an item for neighbours of which a compiler makes vectors, their sums written out, `ends` of a row apart
             ends=2, first=2, n=2333, parts=1
#2           generate H (\i -> generate W (\j -> (.. + .. + ..[j]) / 16))
  runs       1.58 ms   0.51 of the bound: an item for neighbours of which a compiler makes vectors, their sums written out, `ends` of a row apart
> lower
@2  lower                               builtin    from @0
  - transpose ∘ map (map (λw → (w[0] + 4 * w[1] + 6 * w[2] + 4 * w[3] + w[4]) / 16) ∘ slide 5 1 ∘...
  + let t = mapWorkgroup 0 (λi → concat (concat (mapSeq (λj → (fma 4 img[i][min (j + 1) ((2*W : s...
  type   [H][W]f32                    unchanged
  inner  27 steps        log --expand
  focus  /  ->  /                     11 moves here
> code | grep 'min(\|max('
                fma(4.0f, img[2333*wg0 + max(-i, i - 1)], img[2333*wg0 + 1 - i])))
                + 2331] = (fma(4.0f, img[2333*wg0 + min(2333 - i, i + 2332)],
                + 2333*wg0] = (fma(4.0f, tmp[i + 2333*min(2420 - wg0, wg0 + 1)],
                fma(4.0f, tmp[i + 2333*max(-wg0, wg0 - 1)], tmp[i + 2333*max(1 - wg0, wg0 - 2)])))
                + tmp[i + 2333*min(2419 - wg0, wg0 + 2)]) / 16.0f;
> data H = 203, W = 331
> goto @0
@0  source
    transpose ∘ map (map (λw → (w[0] + 4 * w[1] + 6 * w[2] + 4 * w[3] + w[4]) / 16) ∘ slide 5 1 ∘...
> lower lowerNests("runs ends=2", "runs")
@3  lowerNests("runs ends=2", "runs")   builtin    from @0
  - transpose ∘ map (map (λw → (w[0] + 4 * w[1] + 6 * w[2] + 4 * w[3] + w[4]) / 16) ∘ slide 5 1 ∘...
  + let t = mapWorkgroup 0 (λi → concat (concat (mapSeq (λj → (fma 4 img[i][min (j + 1) ((2*W : s...
  type   [H][W]f32                    unchanged
  inner  27 steps        log --expand
  same   term as @2        goto @2
  focus  /  ->  /                     11 moves here
> run -n 1 | grep verify
  verify  OK   3 inputs x 2 repeats
> device oclgrind
oclgrind    Oclgrind Simulator
  kernels are made for pocl: set target
> data H = 7, W = 61
> goto @0
@0  source
    transpose ∘ map (map (λw → (w[0] + 4 * w[1] + 6 * w[2] + 4 * w[3] + w[4]) / 16) ∘ slide 5 1 ∘...
> lower
@4  lower                               builtin    from @0
  - map (map (λw → (w[0] + 4 * w[1] + 6 * w[2] + 4 * w[3] + w[4]) / 16) ∘ slide 5 1 ∘ pad 2 2 mir...
  + mapGlobal 1 (mapGlobal 0 (λw → (fma 4 w[3] (fma 6 w[2] (fma 4 w[1] w[0])) + w[4]) / 16) ∘ sli...
  type   [W][H]f32                    unchanged
  inner  10 steps        log --expand
  focus  /  ->  /                     10 moves here
> run -n 1 | grep verify
  verify  OK   3 inputs x 1 repeat
> device pocl0
pocl0    **
  kernels are made for pocl: set target
> # several results, of which every second element alone is read: they are made as they lie in memory, and no others
> let down x = every 2 (map (every 2) (alongAxis 0 blur (map blur x)))
down : helper, typed where it is used
> let pyramid (img: [4*H][4*W]f32) = let a = down img in (a, down a)
pyramid : [4*H][4*W]f32 -> ([2*H][2*W]f32, [H][W]f32)
> data H = 53, W = 79
> lower --explain | grep '^#\|^  elements'
#1 /value    every2 2 . transpose . map (map (\w -> ..) . slide 5 1 . p..
  elements   36.1 us   0.42 of the bound
#2 /body/1   every2 2 . transpose . map (map (\w -> ..) . slide 5 1 . p..
  elements   12.7 us   0.30 of the bound
> lower
@1  lower                               builtin    from @0
  - let a = every2 2 ∘ transpose ∘ map (map (λw → (w[0] + 4 * w[1] + 6 * w[2] + 4 * w[3] + w[4]) ...
  + let a = mapWorkgroup 0 (λi → concat (concat (mapSeq (λj → (fma 4 ((fma 4 img[i * 2 + 1][j * 2...
  type   ([2*H][2*W]f32, [H][W]f32)   unchanged
  inner  91 steps        log --expand
  focus  /  ->  /                     3 moves here
> run -n 1 | grep verify
  verify  OK   3 inputs x 2 repeats
> # ends that begin again at the other side
> let ring (x: [R][N]f32) = generate R (\i -> generate N (\j -> x[i][(j + 1) % N] - x[i][(j + N - 1) % N]))
ring : [R][N]f32 -> [R][N]f32
> data R = 65, N = 301
> lower lowerNests("runs ends=1")
@1  lowerNests("runs ends=1")           builtin    from @0
  - generate R (λi → generate N (λj → x[i][(j + 1) % N] - x[i][(j + N - 1) % N]))
  + mapWorkgroup 0 (λi → concat (concat (mapSeq (λj → x[i][(..) % N] - x[i][(j - 1) % N]) (take 1...
  type   [R][N]f32                    unchanged
  inner  10 steps        log --expand
  focus  /  ->  /                     10 moves here
> show
mapWorkgroup 0
  (λi →
    concat
      (concat
        (mapSeq (λj → x[i][(j + 1) % N] - x[i][(j - 1) % N]) (take 1 (take (N - 1) (iota N))))
        (mapSeq (λj → x[i][(j + 1) % N] - x[i][(j - 1) % N]) (drop 1 (take (N - 1) (iota N)))))
      (mapSeq (λj → x[i][(j + 1) % N] - x[i][(j - 1) % N]) (drop (N - 1) (iota N))))
  (iota R)
> run -n 1 | grep verify
  verify  OK   3 inputs x 2 repeats; input 1 exact
> # what is read beyond an end by more than that is still right
> goto @0
@0  source
    generate R (λi → generate N (λj → x[i][(j + 1) % N] - x[i][(j + N - 1) % N]))
> lower lowerNests("runs ends=2")
@2  lowerNests("runs ends=2")           builtin    from @0
  - generate R (λi → generate N (λj → x[i][(j + 1) % N] - x[i][(j + N - 1) % N]))
  + mapWorkgroup 0 (λi → concat (concat (mapSeq (λj → x[i][(..) % N] - x[i][(j - 1) % N]) (take 2...
  type   [R][N]f32                    unchanged
  inner  10 steps        log --expand
  focus  /  ->  /                     10 moves here
> run -n 1 | grep verify
  verify  OK   3 inputs x 2 repeats; input 1 exact
> goto @0
@0  source
    generate R (λi → generate N (λj → x[i][(j + 1) % N] - x[i][(j + N - 1) % N]))
> data N = 5
> lower lowerNests("runs ends=1")
E23 lowerNests('runs ends=1') failed: lowerNests fails at /
  needs   an array that runs ends=1 makes
  found   generate R (\i -> generate N (\j -> .. - ..))
> # an array that is made by columns and read by rows lies in memory as it is read
> let integral (img: [H][W]f32) = let s = alongAxis 0 (scan (+) 0) (map (scan (+) 0) img) in generate (H - 1) (\i -> generate (W - 1) (\j -> s[i + 1][j + 1] - s[i][j + 1] - s[i + 1][j] + s[i][j]))
integral : [H][W]f32 -> [H - 1][W - 1]f32
> data H = 2048, W = 2048
> lower
@1  lower                               builtin    from @0
  - let s = transpose ∘ map (scan (+) 0) ∘ transpose ∘ map (scan (+) 0) $ img in generate (H - 1)...
  + join ∘ mapWorkgroup 0 (mapSeq (mapSeq (λr → r[1][1] - r[0][1] - r[1][0] + r[0][0]))) ∘ split ...
  type   [H - 1][W - 1]f32            unchanged
  inner  43 steps        log --expand
  focus  /  ->  /                     10 moves here
> show
join ∘
  mapWorkgroup 0 (mapSeq (mapSeq (λr → r[1][1] - r[0][1] - r[1][0] + r[0][0]))) ∘
  split 89 ∘
  slide2 2 1 ∘
  toGlobal ∘
  transpose ∘
  transpose ∘
  map asScalar ∘
  transpose ∘
  mapWorkgroup 0 (scanSeq (mapVec (+)) (at 0 (asVector 16 (generate 16 (λi → 0.0))))) ∘
  transpose ∘
  map (asVector 16) ∘
  mapGlobal 0 (scanSeq (+) 0) $ img
> goto @0
@0  source
    let s = transpose ∘ map (scan (+) 0) ∘ transpose ∘ map (scan (+) 0) $ img in generate (H - 1)...
> data H = 64, W = 96
> lower
@2  lower                               builtin    from @0
  - let s = transpose ∘ map (scan (+) 0) ∘ transpose ∘ map (scan (+) 0) $ img in generate (H - 1)...
  + join ∘ mapWorkgroup 0 (mapSeq (mapSeq (λr → r[1][1] - r[0][1] - r[1][0] + r[0][0]))) ∘ split ...
  type   [H - 1][W - 1]f32            unchanged
  inner  43 steps        log --expand
  focus  /  ->  /                     10 moves here
> run -n 1 | grep verify
  verify  OK   3 inputs x 2 repeats; input 1 exact
> device oclgrind
oclgrind    Oclgrind Simulator
  kernels are made for pocl: set target
> run -n 1 | grep verify
  verify  OK   3 inputs x 1 repeat; input 1 exact
> # arrays between others lie so that what reads and what makes them run along memory
> device pocl0
pocl0    **
  kernels are made for pocl: set target
> let opening (img: [H][W]i32) = let erode x = map (\w -> reduce min 1000 w) (slide 3 1 (padConst 1 1 1000 x)) in let dilate x = map (\w -> reduce max (-1000) w) (slide 3 1 (padConst 1 1 (-1000) x)) in alongAxis 0 dilate (alongAxis 1 dilate (alongAxis 0 erode (alongAxis 1 erode img)))
opening : [H][W]i32 -> [H][W]i32
> data H = 21, W = 34
> apply elementForm
@1  elementForm  at /                   builtin    from @0
  - transpose ∘ map (map (..) ∘ slide 3 1 ∘ padConst 1 1 (..)) ∘ transpose ∘ map (map (..) ∘ slid...
  + let t = generate W (λi → generate H (λj → reduce min 1000 (generate 3 (λr → if i + r >= 1 && ...
  type   [H][W]i32                    unchanged
  focus  /  ->  /                     14 moves here
> show
let t = generate W
  (λi →
    generate H
      (λj →
        reduce
          min
          1000
          (generate 3
            (λr → if i + r >= 1 && i + r < (W + 1 : size) then img[j][i + r - 1] else 1000))))
in let v = generate H
  (λi →
    generate W
      (λj →
        reduce
          min
          1000
          (generate 3 (λr → if i + r >= 1 && i + r < (H + 1 : size) then t[j][i + r - 1] else 1000))))
in let t1 = generate W
  (λi →
    generate H
      (λj →
        reduce
          max
          (-1000)
          (generate 3 (λr → if i + r >= 1 && i + r < (W + 1 : size) then v[j][i + r - 1] else -1000))))
in generate H
  (λi →
    generate W
      (λj →
        reduce
          max
          (-1000)
          (generate 3
            (λr → if i + r >= 1 && i + r < (H + 1 : size) then t1[j][i + r - 1] else -1000))))
> undo
@0  source
    transpose ∘ map (map (reduce max (-1000)) ∘ slide 3 1 ∘ padConst 1 1 (-1000)) ∘ transpose ∘ m...
> apply elementsKept
@2  elementsKept  at /                  builtin    from @0
  - transpose ∘ map (map (..) ∘ slide 3 1 ∘ padConst 1 1 (..)) ∘ transpose ∘ map (map (..) ∘ slid...
  + let t = generate H (λj → generate W (λi → reduce min 1000 (generate 3 (λr → if i + r >= 1 && ...
  type   [H][W]i32                    unchanged
  focus  /  ->  /                     14 moves here
> show
let t = generate H
  (λj →
    generate W
      (λi →
        reduce
          min
          1000
          (generate 3
            (λr → if i + r >= 1 && i + r < (W + 1 : size) then img[j][i + r - 1] else 1000))))
in let v = generate H
  (λi →
    generate W
      (λj →
        reduce
          min
          1000
          (generate 3 (λr → if i + r >= 1 && i + r < (H + 1 : size) then t[i + r - 1][j] else 1000))))
in let t1 = generate H
  (λj →
    generate W
      (λi →
        reduce
          max
          (-1000)
          (generate 3 (λr → if i + r >= 1 && i + r < (W + 1 : size) then v[j][i + r - 1] else -1000))))
in generate H
  (λi →
    generate W
      (λj →
        reduce
          max
          (-1000)
          (generate 3
            (λr → if i + r >= 1 && i + r < (H + 1 : size) then t1[i + r - 1][j] else -1000))))
> lower
@3  lower                               builtin    from @2
  - let t = generate H (λj → generate W (λi → reduce min 1000 (generate 3 (λr → if i + r >= 1 && ...
  + let t = split W (mapGlobal 0 (λi → reduceSeqUnroll min 1000 (generate 3 (λr → if i % W + r >=...
  type   [H][W]i32                    unchanged
  inner  21 steps        log --expand
  focus  /  ->  /                     15 moves here
> run -n 1 | grep verify
  verify  OK   3 inputs x 2 repeats, 10 x 1; input 1 exact
