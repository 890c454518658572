> # nests that lower cuts, or makes one of several, before each gets its shape
> device oclgrind
oclgrind    Oclgrind Simulator
> # what another nest makes for each row is a product; what is the same for each row is made once
> load tests/programs/bilinear.fun
bilinear : [B][N]f32 -> [N][M]f32 -> [B][M]f32 -> [B]f32
> data B = 4096 N = 1024 M = 1024
> lower --explain | grep '^#\|^  [a-z]* *[0-9]' | grep -v 'takes\|bound\|  or\|near\|helps'
#1 /in/0     map (\y -> map (\row -> reduce (+) 0 ..) A) Y
#2 /         map (\(r, x) -> reduce (+) 0 (map (*) (zip x r))) (zip #1 X)
> load tests/programs/twomv.fun
twomv : [N][N]f32 -> [N][N]f32 -> [N]f32 -> [N]f32 -> [N]f32
> data N = 4096
> lower --explain | grep '^#'
#1 /value    map (\s -> reduce (+) 0 (map (*) (zip s x))) B
#2 /body     map (\(r, zi) -> reduce (+) 0 (map (*) ..) + zi) (zip A z)
> load tests/programs/swiglu.fun
swiglu : [N][K]f32 -> [M][K]f32 -> [M][K]f32 -> [N][M]f32
> data N = 1024 M = 1024 K = 512
> lower --explain | grep '^#'
#1 /in/1     map (\x -> map (\w -> reduce (+) 0 (map (*) (zip x w))) W) X
#2 /         map (\(r, r1) -> ..) (zip .. #1)
> load tests/programs/resnorm.fun
resnorm : [N][K]f32 -> [K][K]f32 -> [N][K]f32
> data N = 1024 K = 1024
> lower --explain | grep '^#'
#1 /in       map (\(r, x) -> ..) (zip .. X)
#2 /         map (\r -> let m = .. / K in let v = .. in ..) #1
> # batches of batches are products
> load tests/programs/scores.fun
scores : [B][H][N][D]f32 -> [B][H][M][D]f32 -> [B][H][N][M]f32
> data B = 8 H = 16 N = 512 M = 512 D = 64
> lower --explain | grep '^#\|product  '
#1           generate B (\i -> generate H (\j -> generate N (\k -> ..)))
  product    131 us   0.56 of the bound: blocks of sums in registers, of what rows and columns give
> # columns after a name that is used once and goes
> load tests/programs/logreg.fun
logreg : [N][D]f32 -> [D]f32 -> [N]f32 -> [D]f32
> data N = 65536 D = 1024
> lower --explain | grep '^#\|row folds '
#1 /         let e = map (\(x, t) -> ..) .. in map (\c -> ..) . transpo..
  row folds  * * * of the bound
> # layouts alone, by columns and in rows
> load tests/programs/permute.fun
permute : [A][B][C]f32 -> [C][B][A]f32
> data A = 256 B = 512 C = 512
> lower --explain | grep '^#\|tiles\|copy'
#1 /         map transpose . transpose . map transpose $ X
  tiles      * * * of the bound
             copyGroups(2)
             copyTiles{u=32, v=32}
> let flip (X: [N][M]f32) = map (\r -> reorder reverse r) X
flip : [N][M]f32 -> [N][M]f32
> data N = 1024 M = 1024
> lower --explain | grep '^#\|vectors\|copy'
#1 /         map (reorder reverse) X
  vectors    * * * of the bound
             copyGlobal(1)
             copyVectorsGlobal{w=4, d=0}
> # a neutral element by calculation, and one that is none
> load tests/programs/toptwo.fun
toptwo : [N][M]f32 -> [N](f32, f32)
> why reduceSplit(8) at /f/body | grep 'restarts\|gives'
  rule    reduce f z x  =>  reduce f z (map (reduce f z) (split n x))  when associative f and restarts z f and n divides (length x)
  when    restarts z f: yes, known by calculation
  gives   reduce (\((a, b), (c, d)) -> (max a c, max (min a c) (max b d))) (-inf, -inf) . map (re...
> let sums (X: [N][M]f32) = map (\r -> reduce (\((a, b), (c, d)) -> (a + c, max b d)) (1, 0) (map (\x -> (x, x)) r)) X
sums : [N][M]f32 -> [N](f32, f32)
> why reduceSplit(8) at /f/body | grep restarts
  rule    reduce f z x  =>  reduce f z (map (reduce f z) (split n x))  when associative f and restarts z f and n divides (length x)
  needs   restarts z f
  when    restarts z f: unknown, + declares it, this function does not (let f (a, b) = ... with neutral ...)
> data N = 64 M = 512
> lower --explain | grep near
  near       no rows: (1.0, 0.0), where its reduce begins, is not known to be
> # what a product's elements are made with besides, scalars for a row too; sums of what contractions make; pictures as long rows
> load tests/programs/affine.fun
affine : **
> data N = 1024, M = 1024, K = 512
> lower --explain | grep '^#\|^  product'
#1 /         map (\(r, c) -> ..) (zip .. ..)
  product    * * * of the bound
> load tests/programs/frobenius.fun
frobenius : **
> data N = 1024, M = 1024, K = 256
> lower --explain | grep '^#\|^  product\|^  rows\|^  reduction'
#1 /in/in    map (\(r, a) -> ..) (zip .. A)
  product    * * * of the bound
#2 /in       map (reduce (+) 0) #1
  rows       * * * of the bound
#3 /         reduce (+) 0 #2
  reduction  * * * of the bound
> load tests/programs/instnorm.fun
instnorm : **
> data B = 8, C = 64, H = 32, W = 32
> lower --explain | grep '^#\|^  rows'
#1 /in       map (map (\img -> let m = .. in ..)) X
  rows       * * * of the bound
> # attention of a batch, whose rows are divided by what follows from them
> load tests/programs/masked.fun
masked : [B][N][D]f32 -> [B][M][D]f32 -> [B][M][D]f32 -> [N][M]f32 -> [B][N][D]f32
> data B = 16, N = 1024, M = 1024, D = 64
> lower --explain | grep '^#\|^  [a-z]* *[0-9]' | grep -v 'takes\|bound  \|  or\|near\|helps'
#1           generate B (\i -> generate N (\j -> generate M (\k -> ..)))
  product    73.1 us   0.50 of the bound: blocks of sums in registers, of what rows and columns give
#2           generate B (\i -> generate N (\j -> reduce max (-inf) ..))
  group      20.5 us   0.79 of the bound: the work-items of a group for a sum, or for some side by side
#3           generate B (\i -> generate N (\j -> reduce (+) 0 ..))
  group      20.9 us   0.78 of the bound: the work-items of a group for a sum, or for some side by side
#4           generate B (\i -> generate N (\j -> generate D (\k -> ..)))
  parts      91.8 us   0.43 of the bound: long sums that are few, in parts that are sums of their own
> # contractions of several arrays, of sizes that no block divides
> load tests/programs/mixture.fun
mixture : [N][D]f32 -> [K][D]f32 -> [K][D]f32 -> [K]f32 -> [N]f32
> data N = 262144, D = 30, K = 250
> lower --explain | grep '^#\|^  product\|padNest'
#1 /in       map (\(r, cs) -> ..) (zip .. ..)
  product    * * * of the bound
             padNest(128, 128, 16)
#2 /         map (\l -> let t = reduce max (-inf) l in t + ..) #1
> # rows and columns of one matrix, with what is added
> load tests/programs/mvt.fun
mvt : [N][M]f32 -> [N]f32 -> [M]f32 -> [M]f32 -> [N]f32 -> ([N]f32, [M]f32)
> data N = 4096, M = 4096
> lower --explain | grep '^#\|together '
#1 /         (map (\(a, c) -> ..) .., map (\(a, c) -> ..) ..)
  together   * * * of the bound
#2 /body/0/in/0/in map (\r1 -> map (reduce (+) 0) (transpose (unzip r1).0)) r
#3 /body/0   map (\(s, y) -> y + s) (zip (join #2) x)
#4 /body/1   map (\(y1, cs) -> ..) (zip .. y)
> # tuples are taken apart after the maps
> load tests/programs/haar.fun
haar : [N][M]f32 -> ([N][M/2]f32, [N][M/2]f32)
> data N = 4096, M = 4096
> lower --explain | grep '^#\|long map '
#1 /in/in    map (map (\w -> (.., ..)) . split 2) X
  long map   * * * of the bound
> # reductions of one expression are one
> let sum a = reduce (+) 0 a
sum : helper, typed where it is used
> let r2 (y: [N]f32) (f: [N]f32) = let m = sum y / N in 1 - sum (map (\(a, b) -> (a - b) * (a - b)) (zip y f)) / sum (map (\a -> (a - m) * (a - m)) y)
r2 : [N]f32 -> [N]f32 -> f32
> data N = 1048576
> lower --explain | grep '^#\|together '
#1 /         let m = reduce (+) 0 y / N in 1 - .. / ..
  together   * * * of the bound
#2 /body/body/1/1 reduce (+) 0 . map (\x -> (x - m) * (x - m)) $ y
> # names come out of expressions, to where contractions are looked for
> let dot a b = reduce (+) 0 (map (*) (zip a b))
dot : helper, typed where it is used
> let lse r = let m = reduce max (-inf) r in m + log (sum (map (\x -> exp (x - m)) r))
lse : helper, typed where it is used
> let contrast (A: [N][D]f32) (B: [N][D]f32) = map (\(a, b) -> lse (map (\c -> 10 * dot a c) B) - 10 * dot a b) (zip A B)
contrast : [N][D]f32 -> [N][D]f32 -> [N]f32
> data N = 4096, D = 256
> lower --explain | grep '^#\|product '
#1 /in/0     map (map (\s -> 10 * s)) . map (\a -> map (\s -> ..) B) $ A
  product    * * * of the bound
#2 /         map (\(r, a, b) -> .. - ..) (zip #1 A B)
> # folds of one array for more elements than keep a GPU busy
> load tests/programs/coulomb.fun
coulomb : **
> data N = 262144, M = 4096
> lower --explain | grep '^#\|^  plain'
#1 /         map (\g -> reduce (+) 0 . map (\a -> ..) $ A) G
  plain      2.35 ms   0.25 of the bound
> # blocks of rows, transposed: the groups write apart
> device pocl0
**
> let dot (a: [K]f32) (b: [K]f32) = reduce (+) 0 (map (*) (zip a b))
dot : [K]f32 -> [K]f32 -> f32
> let blocks (A: [N][K]f32) (B: [M][K]f32) = map transpose (split 64 (map (\a -> map (dot a) B) A))
blocks : [N][K]f32 -> [M][K]f32 -> [N/64][M][64]f32
> data N = 128 M = 64 K = 32
> lower | head -1
@1  lower                               builtin    from @0
> run -n 1 | grep verify
  verify  OK **
> # what several folds of a version read is made for the row that each is at, in whatever order elements are looked at again
> let forms (X: [N][D]f32) (W: [O][D][D]f32) (Y: [N][D]f32) = map (\(x, y) -> map (\w -> dot x (map (\r -> dot r y) w)) W) (zip X Y)
forms : [N][D]f32 -> [O][D][D]f32 -> [N][D]f32 -> [N][O]f32
> data N = 512, D = 64, O = 2
> lower | head -1
@1  lower                               builtin    from @0
> run -n 1 | grep verify
  verify  OK **
> # a name that a choice guards stays behind it
> device oclgrind
oclgrind    Oclgrind Simulator
> let guarded (E: [V][D]f32) (ids: [N]i32) (W: [M][D]f32) = map (\i -> (if i >= 0 then (let r = map (\w -> reduce (+) 0 (map (*) (zip E[i] w))) W in reduce max (-inf) r + reduce (+) 0 r) else 0) + 1) ids
guarded : [V][D]f32 -> [N]i32 -> [M][D]f32 -> [N]f32
> data V = 9, D = 8, N = 40, M = 12
> data ids = random(1,-3,8)
> lower | head -1
@1  lower                               builtin    from @0
> run -n 1 | grep verify
  verify  OK **
> # rows that share an operand are all the rows of one product
> load tests/programs/grouped.fun
grouped : [G][R][N][D]f32 -> [G][M][D]f32 -> [G][M][D]f32 -> [G][R][N][D]f32
> data G = 4 R = 4 N = 1024 M = 1024 D = 64
> lower --explain | grep '^#\|product  '
#1           generate G (\i -> generate R (\j -> generate N (\k -> ..)))
  product    67.5 us   0.54 of the bound: blocks of sums in registers, of what rows and columns give
#2           generate G (\i -> generate R (\j -> generate N (\k -> ..)))
#3           generate G (\i -> generate R (\j -> generate N (\k -> ..)))
#4           generate G (\i -> generate R (\j -> generate N (\k -> ..)))
  or         102 us    product     lower lowerNests("", "", "", "product")
> # inner reductions, and what is made of one operand alone, come before the nest
> load tests/programs/tucker.fun
tucker : [A][B]f32 -> [N][A]f32 -> [M][B]f32 -> [N][M]f32
> data N = 4096 M = 4096 A = 64 B = 64
> lower --explain | grep '^#\|product '
#1 /value    map (\v -> map (\g -> reduce (+) 0 (map (*) (zip g v))) G) V
  product    * * * of the bound
#2 /body     map (\u -> map (\r -> reduce (+) 0 ..) v) U
  product    * * * of the bound
> load tests/programs/wgram.fun
wgram : [N][D]f32 -> [N]f32 -> [D][D]f32
> data N = 65536 D = 512
> lower --explain | grep '^#'
#1 /value    map (map (*)) . map (\b -> zip b w) . transpose $ X
#2 /in/in    map (\(y, cs) -> ..) (zip .. ..)
#3 /         map (map (reduce (+) 0) . transpose) . transpose $ #2
> # arrays of which one or the other is taken, element by element
> load tests/programs/shuffle.fun
shuffle : [C][4][H][W]f32 -> [C][2*H][2*W]f32
> data C = 64 H = 512 W = 512
> lower --explain | grep '^#'
#1 /in/in/in map (\q -> map (\(r, s) -> ..) (zip .. ..)) X
> # what rows are made with besides is paired with them where that makes a product, and not where sums would stay in one work-item
> load tests/programs/lloyd.fun
lloyd : [P][F]f32 -> [C][F]f32 -> ([C][F]f32, [P]i32, i32)
> data P = 65536 F = 8 C = 4
> lower --explain | grep '^#2\|elements *[0-9.]* [mu]s *[0-9]'
#2 /f/body/then/body/0/in/0 map (\c -> ..) (iota C)
  elements   * * * of the bound
> # a picture that is reduced row by row is one long row
> load tests/programs/softargmax.fun
softargmax : [B][H][W]f32 -> [B](f32, f32)
> data B = 1024 H = 64 W = 64
> lower --explain | grep '^#\|rowsInGroups'
#1 /         map (\x -> let m = .. in ..) X
             rowsInGroups{each=16, items=H*W/16, keep=true, rounds=1}
> # columns that are scanned
> load tests/programs/colscan.fun
colscan : [N][M]f32 -> [N][M]f32
> data N = 8192 M = 8192
> lower --explain | grep '^#\|column scans\|scanChunks'
#1 /in       map (scan (+) 0) . transpose $ X
  column scans * * * of the bound
             scanChunks(256)
> # batches of products that no block divides are padded, what is done with their elements comes after it; a convolution shares its kernel
> let scores (Q: [S][N][K]f32) (P: [S][M][K]f32) (R: [S][N][M]f32) = map (\(q, p, r) -> map (\(row, rs) -> map (\(col, x) -> x + 0.125 * reduce (+) 0 (map (*) (zip row col))) (zip p rs)) (zip q r)) (zip Q P R)
scores : [S][N][K]f32 -> [S][M][K]f32 -> [S][N][M]f32 -> [S][N][M]f32
> data S = 7 N = 255 M = 127 K = 63
> lower --explain | grep '^#\|^  parts'
#1           generate S (\i -> generate N (\j -> generate M (\k -> ..)))
> load tests/programs/conv2d.fun
conv2d : [C][H][W]f32 -> [O][C][3][3]f32 -> [O][H - 2][W - 2]f32        2 programs; list programs
  inlined  per: used once (letDuplicate)
> data C = 31 H = 65 W = 65 O = 60
> lower --explain | grep '^#\|mb='
#1           generate O (\i -> generate (H - 2) (\j -> ..))
             kb=16, mb=64, mr=4, nb=32, nr=4, pad=4, u=16, w=4
> # a long reduction for few elements is in parts, whatever divides it
> let tall (A: [K][N]f32) (B: [K][M]f32) = map (\a -> map (\b -> reduce (+) 0 (map (*) (zip a b))) (transpose B)) (transpose A)
tall : [K][N]f32 -> [K][M]f32 -> [N][M]f32
> data K = 65536 N = 64 M = 64
> lower --explain | grep '^#\|^  parts'
#1 /in/in    map (\(as, y) -> ..) (zip .. ..)
#2 /         map (map (reduce (+) 0) . transpose) . transpose $ #1
> data K = 99991 N = 63 M = 33
> lower --explain | grep '^#\|parts'
#1           generate N (\i -> generate M (\j -> reduce (+) 0 ..))
  parts      * * * of the bound: long sums that are few, in parts that are sums of their own
> # a convolution is one product, however many maps make its columns, and however short they are
> load tests/programs/conv3d.fun
conv3d : [C][D][H][W]f32 -> [O][C][3][3][3]f32 -> [O]f32 -> [O][D - 2][H - 2][W - 2]f32
> data C = 16 D = 34 H = 66 W = 66 O = 32
> lower --explain | grep '^#\|mb='
#1           generate O (\i -> generate (D - 2) (\j -> ..))
             kb=16, mb=32, mr=4, nb=128, nr=8, pad=4, u=16, w=4
> data C = 3 D = 5 H = 6 W = 7 O = 4
> lower
@1  lower                               builtin    from @0
  - map (λ(k, bo) → map3 (λw → bo + reduce (+) 0 (map (*) (zip (join ∘ join ∘ join $ w) (join ∘ j...
  + split (D - 2) (split (H - 2) (split (W - 2) (join (mapWorkgroup 0 (mapLocal 1 (λi → b[i // ((...
  type   [O][D - 2][H - 2][W - 2]f32  unchanged
  inner  12 steps        log --expand
  focus  /  ->  /                     13 moves here
> run -n 1
**
  build   **
  verify  OK **
          error 4.3e-07, 0.29 x the source's own; sees changes of 6e-08
          every element
> load tests/programs/conv2d.fun
conv2d : [C][H][W]f32 -> [O][C][3][3]f32 -> [O][H - 2][W - 2]f32        2 programs; list programs
  inlined  per: used once (letDuplicate)
> data C = 512 H = 16 W = 16 O = 512
> lower --explain | grep '^#\|parts'
#1           generate O (\i -> generate (H - 2) (\j -> ..))
  parts      * * * of the bound: long sums that are few, in parts that are sums of their own
> device pocl
**
> load tests/programs/conv3d.fun
conv3d : [C][D][H][W]f32 -> [O][C][3][3][3]f32 -> [O]f32 -> [O][D - 2][H - 2][W - 2]f32
> goto @0
@0  source
    map (λ(k, bo) → map3 (λw → bo + reduce (+) 0 (map (*) (zip (join ∘ join ∘ join $ w) (join ∘ j...
> lower
@2  lower                               builtin    from @0
  - map (λ(k, bo) → map3 (λw → bo + reduce (+) 0 (map (*) (zip (join ∘ join ∘ join $ w) (join ∘ j...
  + map (split (H - 2)) (map (split (W - 2)) (map (take (D*H*W + 4*D + 4*H + 4*W - 2*D*H - 2*D*W ...
  type   [O][D - 2][H - 2][W - 2]f32  unchanged
  inner  63 steps        log --expand
  focus  /  ->  /                     13 moves here
> run -n 1
**
  build   **
  verify  OK **
          error 6.8e-07, 0.46 x the source's own; sees changes of 6e-08
          every element
  time    **
> # elements that are read one by one and lie beside each other are vectors, whole rows of windows a product each
> load tests/programs/conv2d.fun
conv2d : [C][H][W]f32 -> [O][C][3][3]f32 -> [O][H - 2][W - 2]f32        2 programs; list programs
  inlined  per: used once (letDuplicate)
> data C = 16 H = 18 W = 66 O = 16
> lower | head -1
@1  lower                               builtin    from @0
> code | grep -c 'vload16(0, img'
2
> run -n 1
**
  build   **
  verify  OK **
          error 5.9e-07, 0.45 x the source's own; sees changes of 2.1e-06
          every element
  time    **
> # what a choice makes of parts that were reduced apart, outside of every kernel, is computed where it is read
> let least ((d, i), (e, j)) = if d < e then (d, i) else (e, j) with associative neutral (inf, 0)
least : helper, typed where it is used
> let nearest (d: [N]f32) = let (best, at) = reduce least (inf, 0) (zip d (iota N)) in map (\x -> x + best) d
nearest : [N]f32 -> [N]f32
> data N = 150000
> device pocl
**
> lower
@1  lower                               builtin    from @0
  - let (best, at1) = reduce (..) (inf, 0) (zip d (iota N)) in map (λx → x + best) d
  + let (..) = let (..) = reduceSeq (..) (..) (mapGlobal 0 (reduceSeq (..) (..)) (split ((N - 48)...
  type   [N]f32                       unchanged
  inner  22 steps        log --expand
  focus  /  ->  /                     9 moves here
> code | grep -c '<.*?'
2
> run -n 1
@1 **
  build **
  verify  OK **
          error 4.1e-08, 0.7 x the source's own; sees changes of 6e-08
          every element
          sees a part of 1/5 that a min, max or if leaves out
  time    **
