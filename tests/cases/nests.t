> # the element form: what is computed once has a name, with the dimensions that it depends on
> set repeats 1
> set seeds 1
> let softmax (x: [N][M]f32) = map (\row -> let m = reduce max (-inf) row in let e = map (\v -> exp (v - m)) row in let s = reduce (+) 0 e in map (\v -> v / s) e) x
softmax : [N][M]f32 -> [N][M]f32
> apply elementForm
@1  elementForm  at /                   builtin    from @0
  - map (λrow → let m = reduce max (..) row in let e = map (λv → exp (v - m)) row in let s = redu...
  + let t = generate N (λi → reduce max (..) (generate M (λr → x[i][r]))) in let t1 = generate N ...
  type   [N][M]f32                    unchanged
  focus  /  ->  /                     15 moves here
> show
let t = generate N (λi → reduce max (-inf) (generate M (λr → x[i][r])))
in let t1 = generate N (λi → reduce (+) 0 (generate M (λr → exp (x[i][r] - t[i]))))
in generate N (λi → generate M (λj → exp (x[i][j] - t[i]) / t1[i]))
  shorter  let t = map (reduce max (-inf)) x in map (λ(r, ...        apply indicesToElements
> # a mean over groups of channels has a dimension of groups
> let groups (x: [N][8*G][S]f32) (w: [8*G]f32) = map (\image -> map (\(c, a) -> map (\v -> v * a) c) (zip (join (map (\g -> split S (let a = join g in let m = reduce (+) 0 a / f32 (length a) in map (\v -> v - m) a)) (split G image))) w)) x
groups : [N][8*G][S]f32 -> [8*G]f32 -> [N][8*G][S]f32
> apply elementForm
@1  elementForm  at /                   builtin    from @0
  - map (λimage → map (λ(c, a) → map (λv → v * a) c) (zip (join ∘ map (λg → split S (let m = (red...
  + let t = generate N (λi → generate 8 (λj → reduce (+) 0 (generate (..) (λr → x[i][j * G + r //...
  type   [N][8*G][S]f32               unchanged
  focus  /  ->  /                     14 moves here
> show
let t = generate N
  (λi → generate 8 (λj → reduce (+) 0 (generate (G*S) (λr → x[i][j * G + r // S][r % S]))))
in generate N
  (λi →
    generate (8*G) (λj → generate S (λk → (x[i][j][k] - t[i][j // G] / f32 (G*S : size)) * w[j])))
  shorter  let t = map (map (reduce (+) 0)) ∘ map (map joi...        apply indicesToElements
> data N = 3, G = 2, S = 700
> # a CPU's templates, then a GPU's
> lower lowerNests | head -1
@2  lowerNests                          builtin    from @1
> run
@2  pocl0 **
  build   - ms        2 kernels   local 0 B/WG   private 1.0 KiB
  warning private array acc2 stays an array because of loop j; use the unrolled form for registers
  verify  OK   1 input x 1 repeat
          error 3.3e-07, 0.14 x the source's own; sees changes of 6e-08
          every element
  time    - ms median of 20  (IQR -, min -)    - GB/s
> goto @1
@1  elementForm
    let t = generate N (λi → generate 8 (λj → reduce (+) 0 (generate (G*S) (λr → x[i][j * G + r /...
> device oclgrind
oclgrind    Oclgrind Simulator
> lower lowerNests | head -1
@3  lowerNests                          builtin    from @1
> run
@3  oclgrind Oclgrind Simulator   N=3  G=2  S=700   WG 256 x 24   WG 64 x 525
  build   - ms        2 kernels   local 2.1 KiB/WG   private 0 B
  verify  OK   1 input x 1 repeat
          error 3.4e-07, 0.18 x the source's own; sees changes of 6e-08
          every element
> # spellings of one thing: windows, and numbers with a choice
> let windows (x: [N][L]f32) = map (\row -> map (reduce (+) 0) (slide 3 1 (padConst 1 1 0 row))) x
windows : [N][L]f32 -> [N][L]f32
> apply elementForm
@1  elementForm  at /                   builtin    from @0
  - map (map (reduce (+) 0) ∘ slide 3 1 ∘ padConst 1 1 0) x
  + generate N (λi → generate L (λj → reduce (+) 0 (generate 3 (λr → if j + r >= 1 && j + r < (L ...
  type   [N][L]f32                    unchanged
  focus  /  ->  /                     17 moves here
> show
generate N
  (λi →
    generate L
      (λj →
        reduce
          (+)
          0
          (generate 3 (λr → if j + r >= 1 && j + r < (L + 1 : size) then x[i][j + r - 1] else 0))))
> # a convolution and what is done with its elements: one product of what rows and columns give
> let conv (x: [N][C][H][W]f32) (w: [O][C][3][3]f32) (b: [O]f32) = generate N (\n -> generate O (\o -> generate (H - 2) (\i -> generate (W - 2) (\j -> max 0 (b[o] + reduce (+) 0 (generate C (\c -> reduce (+) 0 (generate 3 (\p -> reduce (+) 0 (generate 3 (\q -> x[n][c][i + p][j + q] * w[o][c][p][q])))))))))))
conv : [N][C][H][W]f32 -> [O][C][3][3]f32 -> [O]f32 -> [N][O][H - 2][W - 2]f32
> data N = 2, C = 3, H = 11, W = 13, O = 21
> lower lowerNests | head -1
@1  lowerNests                          builtin    from @0
> run
@1  oclgrind Oclgrind Simulator   N=2  C=3  H=11  W=13  O=21   WG 63 x 66
  build   - ms        local 8.0 KiB/WG   private 0 B
  verify  OK   1 input x 1 repeat; input 1 exact
          exact; sees changes of 6e-08
          every element
> log --expand | grep -c .
14
> # a sum that leaves products out where a border is
> let border (x: [C][L]f32) (w: [O][C][3]f32) = generate O (\o -> generate L (\i -> reduce (+) 0 (generate C (\c -> reduce (+) 0 (generate 3 (\j -> if i + j >= 1 && i + j <= L then x[c][i + j - 1] * w[o][c][j] else 0))))))
border : [C][L]f32 -> [O][C][3]f32 -> [O][L]f32
> data C = 7, L = 37, O = 33
> lower lowerNests | head -1
@1  lowerNests                          builtin    from @0
> run
@1  oclgrind Oclgrind Simulator   C=7  L=37  O=33   WG 37 x 33
  build   - ms        local 8.0 KiB/WG   private 0 B
  verify  OK   1 input x 1 repeat; input 1 exact
          exact; sees changes of 6e-08
          every element
> # few long sums: parts
> let thin (x: [N][M]f32) = map (\row -> reduce (+) 0 (map (\v -> v * v) row)) x
thin : [N][M]f32 -> [N]f32
> data N = 3, M = 20011
> lower lowerNests | head -1
@1  lowerNests                          builtin    from @0
> run
@1  oclgrind Oclgrind Simulator   N=3  M=20011   WG 256 x 57   WG 3 x 1
  build   - ms        2 kernels   local 1.1 KiB/WG   private 0 B
  verify  OK   1 input x 1 repeat; input 1 exact
          exact; sees changes of 6e-08
          every element
> # sums of sums: the inner ones are an array of their own
> let means (x: [N][K]f32) (w: [M][K]f32) (b: [M]f32) = map (\row -> reduce max (-inf) (map (\(f, c) -> reduce (+) 0 (map (*) (zip row f)) + c) (zip w b))) x
means : [N][K]f32 -> [M][K]f32 -> [M]f32 -> [N]f32
> data N = 5, K = 67, M = 70
> lower lowerNests | head -1
@1  lowerNests                          builtin    from @0
> run
@1  oclgrind Oclgrind Simulator   N=5  K=67  M=70   WG 32x4 x 88x1   WG 32x4 x 2x1
  build   - ms        2 kernels   local 512 B/WG   private 0 B
  verify  OK   1 input x 1 repeat; input 1 exact
          exact; sees changes of 6e-08
          every element
          sees a part of 1/2 that a min, max or if leaves out
> # names of names: what each depends on is worked out once
> let twice v = let a = v * v + v in let b = a * a + a in let c = b * b - b in let d = c * c + c in d * d - d
twice : helper, typed where it is used
> let chain (x: [N]f32) = map (\v -> twice (twice (twice (twice (twice (twice v)))))) x
chain : [N]f32 -> [N]f32
> apply elementForm | head -1
@1  elementForm  at /                   builtin    from @0
> # what has no element form
> let prefix (x: [N]f32) = scan (+) 0 x
prefix : [N]f32 -> [N]f32
> why elementForm
elementForm applies at /
  rule    x  =>  elements x
  where   x = scan (+) 0 x
  gives   scan (+) 0 (generate N (\r -> x[r]))
  try     apply elementForm at /
> lower lowerNests
E23 lowerNests fails at /
  found   scan (+) 0 x
> why elementGroups(2) at /
elementGroups does not apply at /
  rule    x  =>  elements x
  needs   a right side that fits
  found   groups and steps are numbers
  try     moves /
> why elementGroups(91, 1, 1, 1) at /
elementGroups does not apply at /
  rule    x  =>  elements x
  needs   a right side that fits
  found   groups are the dimensions 1 to 1 in an order, each once, with a 9 between groups
  try     moves /
> why elementGroups(19, 1, 1, 1) at /
elementGroups does not apply at /
  rule    x  =>  elements x
  needs   a right side that fits
  found   groups are the dimensions 1 to 1 in an order, each once, with a 9 between groups
  try     moves /
> # what lower would take on a large GPU, and why
> use border ; goto @0
@0  source
    generate O (λo → generate L (λi → reduce (+) 0 (generate C (λc → reduce (+) 0 (generate 3 (λj...
> data C = 64, L = 65536, O = 128
> lower --explain
#1           generate O (\o -> generate L (\i -> reduce (+) 0 ..))
  product    93.8 us   0.58 of the bound: blocks of sums in registers, of what rows and columns give
             kb=16, mb=128, mr=8, nb=64, nr=8, pad=4, u=16, w=4
  takes      arithmetic 88 us, accesses 38.9 us, memory 33.4 us, start 3.3 us
  bound      54.8 us   arithmetic
  or         2.16 ms   items       lower lowerNests("items")
  or         5.58 ms   group       lower lowerNests("group")
in all       93.8 us on a GPU   0.58 of the bound: 54.8 us, arithmetic
> # two products for an element: each an array of its own
> load tests/programs/lstm.fun
lstm : [B][I]f32 -> [B][H]f32 -> [B][H]f32 -> [4][H][I]f32 -> [4][H][H]f32 -> [4][H]f32 -> [B][H](f32, f32)
> set target h200
> data B = 512; data I = 512; data H = 512
> lower --explain | head -4
#1           generate B (\i -> generate H (\j -> generate 4 (\k -> ..)))
  sums apart 85.4 us   0.43 of the bound: several sums of products for an element, all but one in arrays of their own, as products
  takes      arithmetic 62.7 us, accesses 27.5 us, memory 23.6 us, start 13.2 us
  bound      36.4 us   arithmetic
> # a row in heads, of which each has sums of its own: numbers in parts
> let dot a b = reduce (+) 0 (map (*) (zip a b))
dot : helper, typed where it is used
> let softmax s = let m = reduce max (-inf) s in let e = map (\u -> exp (u - m)) s in let t = reduce (+) 0 e in map (\u -> u / t) e
softmax : helper, typed where it is used
> let attended (q, (k, v)) = map (\r -> let p = softmax (map (dot r) k) in map (dot p) (transpose v)) q
attended : helper, typed where it is used
> let parted (z: [T][D]f32) = map transpose (split 64 (transpose z))
parted : [T][D]f32 -> [D/64][T][64]f32
> let heads (x: [T][D]f32) (w: [D][D]f32) = map (\r -> map (dot r) w) (map join (transpose (map attended (zip (parted x) (zip (parted x) (parted x))))))
heads : [T][D]f32 -> [D][D]f32 -> [T][D]f32
> apply elementForm
@1  elementForm  at /                   builtin    from @0
  - map (λr → map (λb → reduce (+) 0 (map (*) (zip r b))) w) (map join (transpose (map (λ(q, (k, ...
  + let t = generate T (λi → generate (D/64) (λj → generate T (λk → reduce (+) 0 (generate 64 (λr...
  type   [T][D]f32                    unchanged
  focus  /  ->  /                     14 moves here
> show | sed -n '1,20p'
let t = generate T
  (λi →
    generate (D/64)
      (λj → generate T (λk → reduce (+) 0 (generate 64 (λr → x[i][j * 64 + r] * x[k][j * 64 + r])))))
in let t1 = generate T
  (λi → generate (D/64) (λj → reduce max (-inf) (generate T (λk → t[i][j][k]))))
in let t2 = generate T
  (λi → generate (D/64) (λj → reduce (+) 0 (generate T (λk → exp (t[i][j][k] - t1[i][j])))))
in let t3 = generate T
  (λi →
    generate D
      (λj →
        let t3 = t1[i][j // 64]
        in let t4 = t2[i][j // 64]
        in reduce (+) 0 (generate T (λr → exp (t[i][j // 64][r] - t3) / t4 * x[r][j]))))
in generate T (λi → generate D (λj → reduce (+) 0 (generate D (λr → t3[i][r] * w[j][r]))))
  shorter  let t = map (λr → map (λ(r1, r2) → map (λr3 → r...        apply indicesToElements
> # zeros between elements and around them, in windows: numbers of sums that only ask for zeros are not counted
> let wide (b: size) row = padConst b (b + 1) 0 (drop 1 (join (map (\a -> [0, a]) row)))
wide : helper, typed where it is used
> let columns (b: size) s = transpose (map (wide b) (transpose s))
columns : helper, typed where it is used
> let squares (q: size) (r: size) s = map transpose (slide q 1 (map (slide r 1) s))
squares : helper, typed where it is used
> let dilated (x: [H][W]i32) (w: [Q][R]i32) = map2 (\b -> reduce (+) 0 (map (*) (zip (join b) (join w)))) (squares Q R (columns (Q - 3) (map (wide (R - 4)) x)))
dilated : [H][W]i32 -> [Q][R]i32 -> [2*H + Q - 5][R + 2*W - 7]i32
> data H = 6; data W = 9; data Q = 5; data R = 7
> eval | grep hash
  hash a29d066da2ab7e86
> apply elementForm
@1  elementForm  at /                   builtin    from @0
  - map2 (λb → reduce (+) 0 (map (*) (zip (join b) (join w)))) ∘ windows2 (slide Q 1) (slide R 1)...
  + generate (2*H + Q - 5) (λi → generate (R + 2*W - 7) (λj → reduce (+) 0 (generate (Q*R) (λr → ...
  type   [2*H + Q - 5][R + 2*W - 7]i32  unchanged
  focus  /  ->  /                     15 moves here
> apply elementParts
@2  elementParts  at /                  builtin    from @1
  - generate (..) (λi → generate (..) (λj → reduce (+) 0 (generate (Q*R) (λr → (if i + r // R >= ...
  + map (take (..)) (map join (take (..) (join (map (map transpose) (transpose (map transpose (ge...
  type   [2*H + Q - 5][R + 2*W - 7]i32  unchanged
  focus  /  ->  /                     22 moves here
> show | grep -o 'generate ((. + 1) // 2)'
generate ((Q + 1) // 2)
generate ((R + 1) // 2)
> eval | grep hash
  hash a29d066da2ab7e86
> # a sum over rows whose elements have sums of their own is a sum of each row's: what a row's elements share is made once for a row
> let spread (x: [N][8*G][S]f32) = map (\image -> mean (join (join (map (\g -> split S (let a = join g in map (\v -> v / mean a) a)) (split G image))))) x
spread : [N][8*G][S]f32 -> [N]f32
> apply elementForm
@1  elementForm  at /                   builtin    from @0
  - map (λimage → (reduce (+) 0 ∘ join ∘ join ∘ map (λg → split S ∘ map (λv → v / ((reduce (+) 0 ...
  + generate N (λi → reduce (+) 0 (generate 8 (λr → let t = reduce (+) 0 (generate (..) (λr1 → x[...
  type   [N]f32                       unchanged
  focus  /  ->  /                     11 moves here
> show
generate N
  (λi →
    reduce
      (+)
      0
      (generate 8
        (λr →
          let t = reduce (+) 0 (generate (G*S) (λr1 → x[i][r * G + r1 // S][r1 % S]))
          in reduce
            (+)
            0
            (generate G
              (λs → reduce (+) 0 (generate S (λt1 → x[i][r * G + s][t1] / (t / (G*S : size)))))))) /
      (8*G*S : size))
  shorter  map (λ(r, r1) → reduce (+) 0 (map (λ(r2, r3) → ...        apply indicesToElements
> data N = 3, G = 2, S = 70
> device oclgrind
oclgrind    Oclgrind Simulator
  kernels are made for h200: set target
> lower | head -1
@2  lower                               builtin    from @1
> run | grep verify
  verify  OK   1 input x 1 repeat
> # a choice of two sides goes into both factors
> let tri (A: [N][N]f32) (B: [N][N]f32) = generate N (\i -> generate N (\j -> sum (generate N (\l -> if l <= i && l >= j then A[i, l] * B[l, j] else 0))))
tri : [N][N]f32 -> [N][N]f32 -> [N][N]f32
> data N = 67
> lower lowerNests("product") | head -1
@1  lowerNests("product")               builtin    from @0
> run | grep verify
  verify  OK   1 input x 1 repeat; input 1 exact
> # a matrix by a few rows reads it once for all of them
> let thin (x: [R][K]f32) (W: [M][K]f32) = map (\r -> map (dot r) W) x
thin changed; its earlier derivation is kept as thin.1
thin : [R][K]f32 -> [M][K]f32 -> [R][M]f32
> set target h200
> data R = 3, K = 8192, M = 8192
> lower --explain | grep 'product\|parts'
  sliced product 77.6 us   0.84 of the bound: blocks of a product of few rows, or columns, by groups: each work-item has every so many-th number of all sums of a block (sliced k)
  or         81.5 us   parts       lower lowerNests("parts")
  or         331 us    product     lower lowerNests("product")
> # a sum of two products
> let syr2k (C: [N][N]f32) (A: [N][M]f32) (B: [N][M]f32) = generate N (\i -> generate N (\j -> if j <= i then C[i, j] + sum (generate M (\q -> A[j, q] * B[i, q] + B[j, q] * A[i, q])) else C[i, j]))
syr2k : [N][N]f32 -> [N][M]f32 -> [N][M]f32 -> [N][N]f32
> data N = 768, M = 512
> lower --explain | grep "apart\|items"
  terms apart 77.7 us   0.26 of the bound: a sum of two products, as two sums of products
  or         1.4 ms    items       lower lowerNests("items")
> data N = 53, M = 37
> apply lowerNests("terms apart") | head -1
@1  lowerNests("terms apart")  at /     builtin    from @0
> run -n 1 | grep verify
  verify  OK   1 input x 1 repeat; input 1 exact
