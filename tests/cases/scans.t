> # scans as users write them
> device oclgrind
oclgrind    Oclgrind Simulator
> # what is before each element of a row, in plain form: a guard says that no row reads its neighbour's
> let behind (A: [N][M]f32) = map (\r -> drop 1 (padConst 0 1 0 (scan (+) 0 r))) A
behind : [N][M]f32 -> [N][M]f32
> data N = 9, M = 300
> lower lowerAs("plain")
@1  lowerAs("plain")                    builtin    from @0
  - map (drop 1 ∘ padConst 0 1 0 ∘ scan (+) 0) A
  + mapGlobal 0 (mapSeq id ∘ drop 1 ∘ padConst 0 1 0 ∘ toGlobalInterleaved ∘ scanSeq (+) 0) A
  type   [N][M]f32                    unchanged
  inner  4 steps        log --expand
  focus  /  ->  /                     10 moves here
> code | grep 'tmp\['
        tmp[gid0 + 9*i] = a;
        out[300*gid0 + i] = i + 1 < 300 ? tmp[9*(i + 1) + gid0] : 0.0f;
> run -n 1 | grep verify
  verify  OK   3 inputs x 1 repeat; input 1 exact
> # it is a scan of its own
> let before (x: [N]f32) = take N (padConst 1 0 0 (scan (+) 0 x))
before : [N]f32 -> [N]f32
> apply scanShift
@1  scanShift  at /                     builtin    from @0
  - take N ∘ padConst 1 0 0 ∘ scan (+) 0 $ x
  + scan (+) 0 ∘ take N ∘ padConst 1 0 0 $ x
  type   [N]f32                       unchanged
  focus  /  ->  /                     16 moves here
> # what is made of the elements is made in the loop of the scan
> let means (A: [N][M]f32) = map (\r -> map (\(i, s) -> s / f32 (i + 1)) (zip (iota M) (scan (+) 0 r))) A
means : [N][M]f32 -> [N][M]f32
> data N = 9, M = 37
> lower lowerAs("plain")
@1  lowerAs("plain")                    builtin    from @0
  - map (λr → map (λ(i, s) → s / f32 (i + 1)) (zip (iota M) (scan (+) 0 r))) A
  + mapGlobal 0 (λr → mapSeq (λ(i, s) → s / f32 (i + 1)) (zip (iota M) (scanSeq (+) 0 r))) A
  type   [N][M]f32                    unchanged
  inner  3 steps        log --expand
  focus  /  ->  /                     10 moves here
> code | tail -10
__attribute__((reqd_work_group_size(9, 1, 1)))
kernel void means_k0(const global float *restrict A, global float *restrict out)
{
    int gid0 = get_global_id(0);
    float a = 0.0f;
    for (int i = 0; i < 37; i++) {
        a += A[37*gid0 + i];
        out[37*gid0 + i] = a / (float)(i + 1);
    }
}
> run -n 1 | grep verify
  verify  OK   3 inputs x 1 repeat
> let comb ((a, b), (c, d)) = (a * c, c * b + d) with associative neutral (1, 0)
comb : helper, typed where it is used
> let states (A: [N][M]f32) (B: [N][M]f32) = map (\(a, b) -> map (\(p, q) -> q) (scan comb (1, 0) (zip (map (\v -> 1 / (1 + exp v)) a) b))) (zip A B)
states : [N][M]f32 -> [N][M]f32 -> [N][M]f32
> data N = 9, M = 37
> lower lowerAs("plain")
@1  lowerAs("plain")                    builtin    from @0
  - map (λ(..) → map (..) (scan (λ((a1, b1), (c, d)) → (a1 * c, c * b1 + d)) (..) (zip (map (λv →...
  + mapGlobal 0 (λ(..) → mapSeq (..) (scanSeq (λ((acc0, acc1), (y0, y1)) → let t = 1 / (1 + exp y...
  type   [N][M]f32                    unchanged
  inner  5 steps        log --expand
  focus  /  ->  /                     10 moves here
> code | tail -13
{
    int gid0 = get_global_id(0);
    float acc;
    float acc2;
    acc = 1.0f;
    acc2 = 0.0f;
    for (int i = 0; i < 37; i++) {
        float t = 1.0f / (1.0f + exp(A[37*gid0 + i]));
        acc *= t;
        acc2 = t * acc2 + B[37*gid0 + i];
        out[37*gid0 + i] = acc2;
    }
}
> run -n 1 | grep verify
  verify  OK   3 inputs x 1 repeat
> # or by the groups, and so is what they scan; backwards, in vectors
> let mean (x: [N]f32) = map (\(i, s) -> s / f32 (i + 1)) (zip (iota N) (scan (+) 0 (map (\v -> v * v) x)))
mean : [N]f32 -> [N]f32
> data N = 512
> apply scanInGroups{n=128, each=4, rounds=1, beside=2}
@1  scanInGroups{n=128, each=4, rounds=1, beside=2}  at /  builtin    from @0
  - map (λ(i, s) → s / f32 (i + 1)) (zip (iota N) (scan (+) 0 ∘ map (λv → v * v) $ x))
  + join (mapWorkgroup 0 (λ(as, (y0, (y1, xs))) → join (join (mapSeqUnroll (λ(ys, ys1, ys2) → map...
  type   [N]f32                       unchanged
  inner  61 steps        log --expand
  focus  /  ->  /                     7 moves here
> code | grep ' x\|out\[\|out)'
kernel void mean_k1(const global float *restrict x, global float *restrict out,
    float4 r = vload4(l0 + 32*wg0, x);
    float4 r2 = vload4(l0 + 32*wg0 + 16, x);
            4*(l0 + 32*wg0) + 1, 4*(l0 + 32*wg0) + 2, 4*(l0 + 32*wg0) + 3) + 1), l0 + 32*wg0, out);
            4*(l0 + 32*wg0) + 65, 4*(l0 + 32*wg0) + 66, 4*(l0 + 32*wg0) + 67) + 1), l0 + 32*wg0 + 16, out);
> run -n 1 | grep verify
  verify  OK   3 inputs x 1 repeat
> let rest (x: [N]f32) = reorder reverse (scan max 0 (reorder reverse x))
rest : [N]f32 -> [N]f32
> data N = 512
> apply scanInGroups{n=128, each=4, rounds=1, beside=2} at /in
@1  scanInGroups{n=128, each=4, rounds=1, beside=2}  at /in  builtin    from @0
  - scan max 0 ∘ reorder reverse $ x
  + join (mapWorkgroup 0 (λ(o, (p, s)) → join (join (mapSeqUnroll (λ(ys, ys1) → mapLocal 0 (λ(c, ...
  type   [N]f32                       unchanged
  inner  40 steps        log --expand
  focus  /  ->  /                     7 moves here
> code | grep ' x\|back\|out)'
kernel void rest_k1(const global float *restrict x, global float *restrict out,
    float4 back = vload4(127 - l0 - 32*wg0, x);
    float4 r = (float4)(back.s3, back.s2, back.s1, back.s0);
    float4 back2 = vload4(111 - l0 - 32*wg0, x);
    float4 r2 = (float4)(back2.s3, back2.s2, back2.s1, back2.s0);
            for (int back3 = 0; more && back3 < 16; back3++) {
                seen = as_float((uint)told[back3]);
                more = told[back3] >> 32 == 1;
    vstore4((float4)(v.s3, v.s2, v.s1, v.s0), 127 - l0 - 32*wg0, out);
    vstore4((float4)(v2.s3, v2.s2, v2.s1, v2.s0), 111 - l0 - 32*wg0, out);
> run -n 1 | grep verify
  verify  OK   3 inputs x 1 repeat; input 1 exact
> # a reduction of them
> let fall (x: [N]f32) = reduce max 0 (map (-) (zip (scan max (-inf) x) x))
fall : [N]f32 -> f32
> data N = 512
> apply reduceScanInGroups{n=128, each=4, rounds=1, beside=2}
@1  reduceScanInGroups{n=128, each=4, rounds=1, beside=2}  at /  builtin    from @0
  - reduce max 0 (map (-) (zip (scan max (-inf) x) x))
  + at 0 (mapWorkgroup 0 (..) (split (N/128) (mapWorkgroup 0 (λ((y0, (y1, xs)), cs) → reduceSeq m...
  type   f32                          unchanged
  inner  71 steps        log --expand
  focus  /  ->  /                     2 moves here
> lower | head -1
@2  lower                               builtin    from @1
> run -n 1 | grep verify
  verify  OK   3 inputs x 1 repeat; input 1 exact
> # rows, by the items of groups
> use means
> goto @0
@0  source
    map (λr → map (λ(i, s) → s / f32 (i + 1)) (zip (iota M) (scan (+) 0 r))) A
> data N = 3, M = 512
> lower --explain | grep 'rows'
  rows       4.02 us   0.82 of the bound
             rowsInGroups{beside=1, each=4, items=M/4, rounds=1}
> lower
@2  lower                               builtin    from @0
  - map (λr → map (λ(i, s) → s / f32 (i + 1)) (zip (iota M) (scan (+) 0 r))) A
  + mapWorkgroup 0 (λr → let p = toPrivate ∘ mapLocal 0 (scanSeqUnroll (+) 0 ∘ asScalar ∘ toPriva...
  type   [N][M]f32                    unchanged
  inner  39 steps        log --expand
  focus  /  ->  /                     10 moves here
> run -n 1 | grep verify
  verify  OK   3 inputs x 1 repeat
> use states
> goto @0
@0  source
    map (λ(a, b) → map (λ(p, q) → q) (scan (λ((a1, b1), (c, d)) → (a1 * c, c * b1 + d)) (1, 0) (z...
> data N = 3, M = 512
> lower
@2  lower                               builtin    from @0
  - map (λ(a, b) → map (λ(p, q) → q) (scan (..) (1, 0) (zip (map (λv → 1 / (1 + exp v)) a) b))) (..)
  + mapWorkgroup 0 (λ(..) → let p = toPrivate (mapLocal 0 (λ(x, bs) → scanSeqUnroll (λ((acc0, acc...
  type   [N][M]f32                    unchanged
  inner  39 steps        log --expand
  focus  /  ->  /                     10 moves here
> run -n 1 | grep verify
  verify  OK   3 inputs x 1 repeat
> # arrays made of each element
> let outer (A: [N][M]f32) (w: [K]f32) = map (\r -> map (\s -> map (\v -> v * s) w) (scan (+) 0 r)) A
outer : [N][M]f32 -> [K]f32 -> [N][M][K]f32
> data N = 5, M = 37, K = 3
> lower | head -1
@1  lower                               builtin    from @0
> run -n 1 | grep verify
  verify  OK   3 inputs x 1 repeat; input 1 exact
> # columns, in chunks; those of a batch, together
> let columns (A: [N][M]f32) (B: [N][M]f32) = transpose (map (\(a, b) -> map (\(p, q) -> q) (scan comb (1, 0) (zip a b))) (zip (transpose A) (transpose B)))
columns : [N][M]f32 -> [N][M]f32 -> [N][M]f32
> data N = 48, M = 7
> apply scanChunks(16) at /in
@1  scanChunks(16)  at /in              builtin    from @0
  - map (λ(a, b) → map (λ(p, q) → q) (scan (..) (1, 0) (zip a b))) (zip (transpose A) (transpose B))
  + mapGlobal 0 (λ(s, a, b) → join (mapGlobal 1 (λ(c, o) → map (..) ∘ scan (λ((..), (c1, d)) → (a...
  type   [M][N]f32                    unchanged
  inner  17 steps        log --expand
  focus  /  ->  /                     10 moves here
> show
transpose
  (mapGlobal 0
    (λ(s, a, b) →
      join
        (mapGlobal 1
          (λ(c, o) → map (λ(p, q) → q) ∘ scan (λ((a1, b1), (c1, d)) → (a1 * c1, c1 * b1 + d)) o $ c)
          (map
            (λ((y0, y1), cs) → (zip y0 y1, cs))
            (map (λ(bs, bs1, cs) → ((bs, bs1), cs)) (zip (split 16 a) (split 16 b) s)))))
    (zip
      (transpose
        (toGlobal
          (transpose
            (mapGlobal 0
              (scan (λ((a, b), (c, d)) → (a * c, c * b + d)) (1, 0) ∘
              take (N/16) ∘
              padConst 1 0 (1, 0))
              (transpose
                (toGlobal
                  (transpose
                    (mapGlobal 0
                      (λ(a, b) →
                        mapGlobal 1
                          (reduce (λ((a1, b1), (c, d)) → (a1 * c, c * b1 + d)) (1, 0))
                          (map (λ(ys, ys1) → zip ys ys1) (zip (split 16 a) (split 16 b))))
                      (zip (transpose A) (transpose B))))))))))
      (transpose A)
      (transpose B)))
> lower
@2  lower                               builtin    from @1
  - mapGlobal 0 (λ(..) → join (mapGlobal 1 (λ(..) → map (..) ∘ scan (..) o $ c) (..))) (zip (tran...
  + mapGlobal 0 (λ(..) → join (mapGlobal 1 (λ(..) → mapSeq (..) ∘ scanSeq (..) o $ c) (..))) (zip...
  type   [M][N]f32                    unchanged
  inner  4 steps        log --expand
  focus  /  ->  /                     10 moves here
> code | grep kernel | cut -c1-40
kernel void columns_k0(const global floa
kernel void columns_k1(global float *res
kernel void columns_k2(const global floa
> run -n 1 | grep verify
  verify  OK   3 inputs x 1 repeat; input 1 exact
> data N = 53, M = 7
warning: now 16 divides N does not hold for split 16 at /in/f/body/in/in/in/in/0; @2 cannot be run        goto @0 ; lower
> goto @0
@0  source
    transpose (map (λ(a, b) → map (λ(p, q) → q) (scan (λ((a1, b1), (c, d)) → (a1 * c, c * b1 + d)...
> apply scanChunks(16) at /in
@3  scanChunks(16)  at /in              builtin    from @0
  - map (λ(a, b) → map (λ(p, q) → q) (scan (..) (1, 0) (zip a b))) (zip (transpose A) (transpose B))
  + mapGlobal 0 (λ(o, a, b) → concat (join (mapGlobal 1 (λ(c, o1) → map (..) ∘ scan (λ((..), (c1,...
  type   [M][N]f32                    unchanged
  inner  21 steps        log --expand
  focus  /  ->  /                     10 moves here
> lower
@4  lower                               builtin    from @3
  - mapGlobal 0 (λ(..) → concat (join (mapGlobal 1 (λ(..) → map (..) ∘ scan (..) o1 $ c) (..))) (...
  + mapGlobal 0 (λ(..) → concat (join (mapGlobal 1 (λ(..) → mapSeq (..) ∘ scanSeq (..) o1 $ c) (....
  type   [M][N]f32                    unchanged
  inner  6 steps        log --expand
  focus  /  ->  /                     10 moves here
> code | tail -22
    float a2;
    a = tmp_0[gid0 + 7*gid1];
    a2 = tmp_1[gid0 + 7*gid1];
    for (int i = 0; i < 16; i++) {
        float c = A[7*(16*gid1 + i) + gid0];
        a *= c;
        a2 = c * a2 + B[7*(16*gid1 + i) + gid0];
        out[7*(16*gid1 + i) + gid0] = a2;
    }
    if (gid1 == 0) {
        float a3;
        float a4;
        a3 = tmp_0[gid0 + 21];
        a4 = tmp_1[gid0 + 21];
        for (int i = 0; i < 5; i++) {
            float c2 = A[7*(i + 48) + gid0];
            a3 *= c2;
            a4 = c2 * a4 + B[7*(i + 48) + gid0];
            out[7*(i + 48) + gid0] = a4;
        }
    }
}
> run -n 1 | grep verify
  verify  OK   3 inputs x 1 repeat; input 1 exact
> let batch (A: [B][N][M]f32) = map (\X -> transpose (map (\c -> map (\(i, s) -> s / f32 (i + 1)) (zip (iota N) (scan (+) 0 c))) (transpose X))) A
batch : [B][N][M]f32 -> [B][N][M]f32
> data B = 3, N = 4096, M = 65
> lower --explain | grep '#\|column scans\|scanChunks'
#1 /in/in    map (\c -> ..) . join . map transpose $ A
  or         53.5 us   column scans lower lowerAs("column scans")
> data B = 3, N = 331, M = 9
> lower
@1  lower                               builtin    from @0
  - map (transpose ∘ map (λc → map (λ(i, s) → s / f32 (i + 1)) (zip (..) (scan (+) 0 c))) ∘ trans...
  + map transpose (split M (let t = mapWorkgroup 0 (λt → mapLocal 0 id (take N (let p = toPrivate...
  type   [B][N][M]f32                 unchanged
  inner  45 steps        log --expand
  focus  /  ->  /                     23 moves here
> run -n 1 | grep verify
  verify  OK   3 inputs x 1 repeat
> # lengths that nothing divides
> load tests/programs/prefix.fun
prefix : [N]f32 -> [N]f32
> data N = 997
> lower
@1  lower                               builtin    from @0
  - scan (+) 0 x
  + let p = join ∘ mapWorkgroup 0 (λxs → let p = toPrivate ∘ mapLocal 0 (scanSeqUnroll (+) 0 ∘ as...
  type   [N]f32                       unchanged
  inner  34 steps        log --expand
  focus  /  ->  /                     9 moves here
> run -n 1 | grep verify
  verify  OK   3 inputs x 1 repeat; input 1 exact
> goto @0
@0  source
    scan (+) 0 x
> data N = 40961
> lower
@2  lower                               builtin    from @0
  - scan (+) 0 x
  + let p = join (mapWorkgroup 0 (λ(o, (p, s)) → join (join (mapSeqUnroll (λ(ys, ys1) → mapLocal ...
  type   [N]f32                       unchanged
  inner  57 steps        log --expand
  focus  /  ->  /                     9 moves here
> code | grep 'kernel void' | cut -c1-40
kernel void prefix_k0(global ulong *rest
kernel void prefix_k1(const global float
kernel void prefix_k2(const global float
> run -n 1 | grep verify
  verify  OK   3 inputs x 1 repeat; input 1 exact
> goto @0
@0  source
    scan (+) 0 x
> data N = 66666667
> lower --explain | grep -v '^ *[to]'
#1 /         scan (+) 0 x
  scan       159 us   0.81 of the bound
             scanPeelLast(171)
             scanInGroups{beside=16, each=4, n=8192, rounds=2}
             scanWhole
             mapWorkgroup(0)
             scanSeq
             copyLocal
  bound      129 us   memory
in all       159 us on a GPU   0.81 of the bound: 129 us, memory
> # groups tell each other nothing of halves: chunks' maxima, their scan, and each chunk from what is before it
> let highest (xs: [N]f16) = scan max (-inf) xs
highest : [N]f16 -> [N]f16
> data N = 65536
> lower
@1  lower                               builtin    from @0
  - scan max (-inf) xs
  + join (mapWorkgroup 0 (λ(c, o) → let p = toPrivate ∘ mapLocal 0 (scanSeqUnroll max (..) ∘ asSc...
  type   [N]f16                       unchanged
  inner  76 steps        log --expand
  focus  /  ->  /                     6 moves here
> code | grep 'kernel void' | cut -c1-40
kernel void highest_k0(const global half
kernel void highest_k1(global half *rest
kernel void highest_k2(const global half
> run -n 1 | grep verify
  verify  OK   3 inputs x 1 repeat
> # columns that become rows are scanned as rows, of a copy in tiles
> let turned (A: [N][M]f32) = map (scan (+) 0) (transpose A)
turned : [N][M]f32 -> [M][N]f32
> data N = 512, M = 66
> lower --explain | grep '^#\|InGroups\|Tiles'
#1           generate M (\i -> scan (+) 0 (generate N (\r -> A[r][i])))
> lower
@1  lower                               builtin    from @0
  - map (scan (+) 0) ∘ transpose $ A
  + mapWorkgroup 0 (λi → let p = toPrivate (mapSeqUnroll (mapLocal 0 (scanSeqUnroll (λ(acc, y) → ...
  type   [M][N]f32                    unchanged
  inner  47 steps        log --expand
  focus  /  ->  /                     11 moves here
> code | grep 'kernel void' | cut -c1-40
kernel void turned_k0(const global float
> run -n 1 | grep verify
  verify  OK   3 inputs x 1 repeat; input 1 exact
> # columns that are scanned and have a name are kept as the matrix lies: neighbours write, and read, side by side
> set target h200
> let means3 (img: [H][W]f32) = let s = transpose (map (scan (+) 0) (transpose img)) in generate H (\i -> generate W (\j -> s[min (H - 1) (i + 2)][j] - (if i < 3 then 0 else s[max 0 (i - 3)][j])))
means3 : [H][W]f32 -> [H][W]f32
> data H = 160
> data W = 33
> lower lowerAs("column scans") | head -1
@1  lowerAs("column scans")             builtin    from @0
> code | grep -e ' s\[.*=' -e 'out\['
        out[gid0 + 33*gid1] = tmp[gid0 + 33*min(159, gid1 + 2)]
> run -n 1 | grep verify
  verify  OK   3 inputs x 1 repeat; input 1 exact
