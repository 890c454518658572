> # the loops over steps l, rows i and columns j of a block in registers, in their six orders
> let block (xs: [8][2]f32) (ys: [8][3]f32) (z: [2][3]f32) = reduceSeq (\(acc, (p, q)) -> map (\(as, x) -> map (\(a, y) -> a + x * y) (zip as q)) (zip acc p)) z (zip xs ys)
block : [8][2]f32 -> [8][3]f32 -> [2][3]f32 -> [2][3]f32
> set verbose 0
> apply reduceSeqRowsOut
@1  reduceSeqRowsOut  at /              builtin    from @0
> apply slot("f", reduceSeqColumnsOut)
@2  slot("f", reduceSeqColumnsOut)  at /f/body  builtin    from @1
> show
map
  (λ(z1, p) →
    map (λ(z2, q) → reduceSeq (λ(a, (x, y)) → a + x * y) z2 (zip p q)) (zip z1 (transpose ys)))
  (zip z (transpose xs))
> goto @0
@0  source
> apply slot("f", interchange) * accTransposed * normalize(transposeTranspose)
@3  slot("f", interchange) * accTransposed * normalize(transposeTranspose)  at /  builtin    from @0
> apply slot("in", reduceSeqColumnsOut * slot("f", reduceSeqRowsOut))
@4  slot("in", reduceSeqColumnsOut * slot("f", reduceSeqRowsOut))  at /in  builtin    from @3
> show
transpose
  (map
    (λ(z1, q) →
      map (λ(z2, p) → reduceSeq (λ(a, (x, y)) → a + x * y) z2 (zip p q)) (zip z1 (transpose xs)))
    (zip (transpose z) (transpose ys)))
> load tests/programs/mm.fun
mm : [N][K]f32 -> [K][M]f32 -> [N][M]f32
> data N = 8, M = 8, K = 8
> apply gemmItems{mr=2, nr=2, w=2, u=2, order=2}
@1  gemmItems{mr=2, nr=2, w=2, u=2, order=2}  at /  builtin    from @0
> code | grep fma
        acc_0 = fma(A[2*(8*gid1 + i)], B[2*(gid0 + 8*i)], acc_0);
        acc_0 = fma(A[2*(8*gid1 + i) + 1], B[8*(2*i + 1) + 2*gid0], acc_0);
        acc_1 = fma(A[2*(8*gid1 + i)], B[2*(gid0 + 8*i) + 1], acc_1);
        acc_1 = fma(A[2*(8*gid1 + i) + 1], B[8*(2*i + 1) + 2*gid0 + 1], acc_1);
        acc_2 = fma(A[8*(2*gid1 + 1) + 2*i], B[2*(gid0 + 8*i)], acc_2);
        acc_2 = fma(A[8*(2*gid1 + 1) + 2*i + 1], B[8*(2*i + 1) + 2*gid0], acc_2);
        acc_3 = fma(A[8*(2*gid1 + 1) + 2*i], B[2*(gid0 + 8*i) + 1], acc_3);
        acc_3 = fma(A[8*(2*gid1 + 1) + 2*i + 1], B[8*(2*i + 1) + 2*gid0 + 1], acc_3);
> goto @0
@0  source
> apply gemmItems{mr=2, nr=2, w=2, u=2, order=4}
@2  gemmItems{mr=2, nr=2, w=2, u=2, order=4}  at /  builtin    from @0
> code | grep fma
        acc_0 = fma(A[2*(8*gid1 + i)], y, acc_0);
        acc_2 = fma(A[8*(2*gid1 + 1) + 2*i], y, acc_2);
        acc_0 = fma(A[2*(8*gid1 + i) + 1], y2, acc_0);
        acc_2 = fma(A[8*(2*gid1 + 1) + 2*i + 1], y2, acc_2);
        acc_1 = fma(A[2*(8*gid1 + i)], y3, acc_1);
        acc_3 = fma(A[8*(2*gid1 + 1) + 2*i], y3, acc_3);
        acc_1 = fma(A[2*(8*gid1 + i) + 1], y4, acc_1);
        acc_3 = fma(A[8*(2*gid1 + 1) + 2*i + 1], y4, acc_3);
> goto @0
@0  source
> apply gemmItems{mr=2, nr=2, w=2, u=2, order=6}
E22 an order of loops is 0 to 5, not 6
> apply gemmItems{mr=2, nr=2, w=2, u=2, order=o}
E22 order of gemmItems chooses a structure: it is a number, not o
