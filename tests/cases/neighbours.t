> # by indices, neighbours of several rows are read once for all: an item makes elements of rows beside each other
> set target h200
> let heat (A: [X][Y][Z]f32) = iterate 2 (\a -> generate X (\i -> generate Y (\j -> generate Z (\l -> if i == 0 || i == X - 1 || j == 0 || j == Y - 1 || l == 0 || l == Z - 1 then a[i][j][l] else (a[i][j][l+1] + a[i][j][l-1] + a[i][j-1][l] + a[i][j+1][l] + a[i-1][j][l] + a[i+1][j][l]) / 36 + a[i][j][l] / 6)))) A
heat : [X][Y][Z]f32 -> [X][Y][Z]f32
> data X = 9, Y = 184, Z = 173
> lower --explain | grep elements
  or         4.73 us   elements    lower lowerAs("elements")
> lower lowerAs("elements") | head -1
@1  lowerAs("elements")                 builtin    from @0
> run | grep verify
  verify  OK   3 inputs x 2 repeats
> code | grep "a_next\["
        a_next[346*(gid1 + 92*gid2) + gid0] = gid2 == 0
        a_next[173*(2*(gid1 + 92*gid2) + 1) + gid0] = gid2 == 0
> # a name above a nest that the nest's new form uses once is gone: the nest is found all the same
> set target pocl
> let unsharp (img: [3][H][W]f32) = let gray = generate H (\y -> generate W (\x -> 0.3 * img[0][y][x] + 0.6 * img[1][y][x] + 0.1 * img[2][y][x])) let g = \x -> map (\w -> 0.25 * w[0] + 0.5 * w[1] + 0.25 * w[2]) (slide 3 1 (pad 1 1 clamp x)) let blur = map g (transpose (map g (transpose gray))) let ratio = zipWith2 (\a b -> (2 * a - b) / (a + 0.001)) gray blur in map (\c -> zipWith2 (*) c ratio) img
unsharp : [3][H][W]f32 -> [3][H][W]f32
  inlined  blur: used once (letDuplicate)
> data H = 2560
> data W = 1536
> lower
@1  lower                               builtin    from @0
  - let gray = generate H (λy → generate W (λx → 0.3 * img[0][y][x] + 0.6 * img[1][y][x] + 0.1 * ...
  + let t = mapWorkgroup 0 (λy → mapSeq (λx → fma 0.1 img[2][y][x] (fma 0.6 img[1][y][x] (..))) (...
  type   [3][H][W]f32                 unchanged
  inner  57 steps        log --expand
  focus  /  ->  /                     16 moves here
> # sums of windows of a batch's planes, whose rows nothing divides; in a tuple, under a name; with inf and NaN, too
> set target h200
> let pools (x: [A][B][C][D]f32) = let y = map3 (map abs) x in (generate A (\a -> generate B (\b -> generate (C - 2) (\i -> generate (D - 2) (\j -> reduce max (-inf) (join (generate 3 (\p -> generate 3 (\q -> y[a][b][i + p][j + q])))))))), reduce (+) 0 (join (join (join x))))
pools : [A][B][C][D]f32 -> ([A][B][C - 2][D - 2]f32, f32)
> data A = 3, B = 5, C = 127, D = 250
> lower --explain | grep neighbours
  or         6.09 us   neighbours  lower lowerNests("neighbours")
> lower lowerNests("neighbours") | head -1
@1  lowerNests("neighbours")            builtin    from @0
> run -n 1 | grep verify
  verify  OK   3 inputs x 2 repeats; input 1 exact
> code | grep -A 3 "out_0\["
        out_0[248*(2*gid1 + 125*gid2) + gid0] = acc;
        float acc2 = -INFINITY;
        acc2 = fmax(acc2, fabs(x[250*(127*gid2 + min(124, 2*gid1 + 1)) + gid0]));
        acc2 = fmax(acc2, fabs(x[250*(127*gid2 + min(124, 2*gid1 + 1)) + gid0 + 1]));
--
            out_0[248*(2*gid1 + 125*gid2 + 1) + gid0] = acc2;
        }
    }
}
> data x = const(nan)
> run -n 1 | grep verify
  verify  OK   2 inputs x 2 repeats; input 1 exact
> data x = const(inf)
> run -n 1 | grep verify
  verify  OK   2 inputs x 2 repeats; input 1 exact
> # of a row whose sums are not associative in any order, the items' parts are in registers
> let better ((v, i), (w, j)) = if w > v then (w, j) else (v, i)
better : helper, typed where it is used
> let first (A: [N][M]f32) = map (\r -> (reduce better (-inf, 0) (zip r (iota M))).1) A
first : [N][M]f32 -> [N]i32
> data N = 3, M = 1000
> lower lowerNests("group kept=true") | head -1
@1  lowerNests("group kept=true")       builtin    from @0
> run -n 1 | grep verify
  verify  OK   3 inputs x 2 repeats, 61 x 1; input 1 exact
> data M = 97
warning: now 4 divides (M + (-(M % 256)) % 256)/256 does not hold for split 4 at /f/body/in/in/in/in/in/in/f/body/in; @1 cannot be run        goto @0 ; lower
> goto @0
@0  source
    map (λr → (reduce (λ((v, i), (w, j)) → if w > v then (w, j) else (v, i)) (-inf, 0) (zip r (io...
> lower
@2  lower                               builtin    from @0
  - map (λr → (reduce (λ(..) → if w > v then (w, j) else (v, i)) (-inf, 0) (zip r (iota M))).1) A
  + mapWorkgroup 0 (λr → (let (..) = reduceSeqUnroll (..) (..) (toLocal (mapLocal 0 (reduceSeq (....
  type   [N]i32                       unchanged
  inner  18 steps        log --expand
  focus  /  ->  /                     5 moves here
> run -n 1 | grep verify
  verify  OK   3 inputs x 2 repeats, 61 x 1; input 1 exact
