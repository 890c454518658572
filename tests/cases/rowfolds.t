> # rows that are reduced, and columns of the same matrix that read what comes out, in one pass: a fold over the rows
> device oclgrind
oclgrind    Oclgrind Simulator
> load tests/programs/atax.fun
atax : [N][M]f32 -> [M]f32 -> [M]f32        2 programs; list programs
> data N = 64, M = 96
> apply rowFoldsGpu{rows=8, each=3, side=2, rounds=1}
@1  rowFoldsGpu{rows=8, each=3, side=2, rounds=1}  at /  builtin    from @0
  - let y = map (λrow → reduce (+) 0 (map (*) (zip row x))) A in map (λcol → reduce (+) 0 (map (*...
  + map (..) ∘ transpose ∘ join ∘ mapWorkgroup 0 (mapLocal 1 (join ∘ transpose ∘ mapLocal 0 (mapS...
  type   [M]f32                       unchanged
  inner  57 steps        log --expand
  focus  /  ->  /                     24 moves here
> show
map (reduce (+) 0) ∘
  transpose ∘
  join ∘
  mapWorkgroup 0
    (mapLocal 1
      (join ∘
      transpose ∘
      mapLocal 0 (mapSeqUnroll id) ∘
      reduceSeq
        (λ(acc, y) →
          let r = toPrivate ∘ mapLocal 0 (mapSeqUnroll id) ∘ transpose ∘ split (M/3) $ y
          in let bs = reduceSeq
            (+)
            0
            (toLocal
              (mapLocal 0
                (reduceSeq (+) 0)
                (split 16
                  (toLocal
                    (mapLocal 0
                      (λ(ys, ys1) →
                        reduceSeqUnroll
                          (λ(acc1, (y0, y1)) → acc1 + y0 * y1)
                          0
                          (toPrivate (mapSeqUnroll id (zip ys ys1))))
                      (zip r (transpose ∘ split (M/3) $ x)))))))
          in mapLocal 0
            (λ(ys, ys1) → mapSeqUnroll (λ(as, y1) → as + y1 * bs) (zip ys ys1))
            (zip acc r))
        (toPrivate (mapLocal 0 (mapSeqUnroll id) (transpose (split (M/3) (generate M (λi → 0.0)))))))) ∘
  split 2 ∘
  split 8 $ A
> lower
@2  lower                               builtin    from @1
  - map (reduce (+) 0) ∘ transpose ∘ join ∘ mapWorkgroup 0 (mapLocal 1 (join ∘ transpose ∘ mapLoc...
  + mapGlobal 0 (..) ∘ transpose ∘ join ∘ mapWorkgroup 0 (mapLocal 1 (join ∘ transpose ∘ mapLocal...
  type   [M]f32                       unchanged
  inner  4 steps        log --expand
  focus  /  ->  /                     7 moves here
> run -n 1
@2  oclgrind Oclgrind Simulator   N=64  M=96   WG 32x2 x 4x1   WG 48 x 2
  build   - ms        2 kernels   local 272 B/WG   private 0 B
  verify  OK   3 inputs x 1 repeat; input 1 exact
          error 4.3e-07, 0.18 x the source's own; sees changes of 6e-08
          every element
> # rows that are left over are a chunk of their own; chunks of all rows, one
> goto @0
@0  source
    let y = map (λrow → reduce (+) 0 (map (*) (zip row x))) A in map (λcol → reduce (+) 0 (map (*...
> data N = 37, M = 45
> apply rowFoldsGpu{rows=5, each=9, side=3, rounds=0}
@3  rowFoldsGpu{rows=5, each=9, side=3, rounds=0}  at /  builtin    from @0
  - let y = map (λrow → reduce (+) 0 (map (*) (zip row x))) A in map (λcol → reduce (+) 0 (map (*...
  + map (+) (zip (map (..) ∘ transpose ∘ join ∘ mapWorkgroup 0 (mapLocal 1 (join ∘ transpose ∘ ma...
  type   [M]f32                       unchanged
  inner  101 steps        log --expand
  focus  /  ->  /                     20 moves here
> lower
@4  lower                               builtin    from @3
  - map (+) (zip (map (reduce (+) 0) ∘ transpose ∘ join ∘ mapWorkgroup 0 (mapLocal 1 (join ∘ tran...
  + let t = mapWorkgroup 0 (mapLocal 1 (join ∘ transpose ∘ mapLocal 0 (..) ∘ reduceSeq (λ(..) → l...
  type   [M]f32                       unchanged
  inner  27 steps        log --expand
  focus  /  ->  /                     7 moves here
> run -n 1 | grep verify
  verify  OK   3 inputs x 1 repeat; input 1 exact
> goto @0
@0  source
    let y = map (λrow → reduce (+) 0 (map (*) (zip row x))) A in map (λcol → reduce (+) 0 (map (*...
> apply rowFoldsGpu{rows=64, each=5, side=4, rounds=0}
@5  rowFoldsGpu{rows=64, each=5, side=4, rounds=0}  at /  builtin    from @0
  - let y = map (λrow → reduce (+) 0 (map (*) (zip row x))) A in map (λcol → reduce (+) 0 (map (*...
  + map (..) ∘ transpose ∘ mapWorkgroup 0 (join ∘ transpose ∘ mapLocal 0 (mapSeqUnroll id) ∘ redu...
  type   [M]f32                       unchanged
  inner  51 steps        log --expand
  focus  /  ->  /                     24 moves here
> lower
@6  lower                               builtin    from @5
  - map (reduce (+) 0) ∘ transpose ∘ mapWorkgroup 0 (join ∘ transpose ∘ mapLocal 0 (..) ∘ reduceS...
  + mapGlobal 0 (..) ∘ transpose ∘ mapWorkgroup 0 (join ∘ transpose ∘ mapLocal 0 (..) ∘ reduceSeq...
  type   [M]f32                       unchanged
  inner  4 steps        log --expand
  focus  /  ->  /                     7 moves here
> run -n 1 | grep verify
  verify  OK   3 inputs x 1 repeat; input 1 exact
> # on a CPU
> goto @0
@0  source
    let y = map (λrow → reduce (+) 0 (map (*) (zip row x))) A in map (λcol → reduce (+) 0 (map (*...
> apply rowFoldsCpu{rows=4, w=8, u=2}
@7  rowFoldsCpu{rows=4, w=8, u=2}  at /  builtin    from @0
  - let y = map (λrow → reduce (+) 0 (map (*) (zip row x))) A in map (λcol → reduce (+) 0 (map (*...
  + map (+) (zip (map (..) ∘ transpose ∘ mapWorkgroup 0 (reduceSeq (λ(acc, y) → let bs = reduceSe...
  type   [M]f32                       unchanged
  inner  91 steps        log --expand
  focus  /  ->  /                     20 moves here
> lower
@8  lower                               builtin    from @7
  - map (+) (zip (map (reduce (+) 0) ∘ transpose ∘ mapWorkgroup 0 (reduceSeq (λ(..) → let bs = re...
  + let t = mapWorkgroup 0 (mapSeqUnroll id ∘ reduceSeq (λ(..) → let bs = reduceSeqUnroll (+) 0 (...
  type   [M]f32                       unchanged
  inner  35 steps        log --expand
  focus  /  ->  /                     7 moves here
> run -n 1 | grep verify
  verify  OK   3 inputs x 1 repeat; input 1 exact
> # rows shorter than a vector
> goto @0
@0  source
    let y = map (λrow → reduce (+) 0 (map (*) (zip row x))) A in map (λcol → reduce (+) 0 (map (*...
> data N = 37, M = 7
> apply rowFoldsCpu{rows=4, w=16, u=4}
@9  rowFoldsCpu{rows=4, w=16, u=4}  at /  builtin    from @0
  - let y = map (λrow → reduce (+) 0 (map (*) (zip row x))) A in map (λcol → reduce (+) 0 (map (*...
  + map (+) (zip (map (..) ∘ transpose ∘ mapWorkgroup 0 (reduceSeq (λ(acc, y) → let bs = reduce (...
  type   [M]f32                       unchanged
  inner  35 steps        log --expand
  focus  /  ->  /                     20 moves here
> lower
@10  lower                              builtin    from @9
  - map (+) (zip (map (reduce (+) 0) ∘ transpose ∘ mapWorkgroup 0 (reduceSeq (λ(..) → let bs = re...
  + mapGlobal 0 (+) (zip (mapGlobal 0 (reduceSeq (+) 0) ∘ transpose ∘ mapWorkgroup 0 (mapSeqUnrol...
  type   [M]f32                       unchanged
  inner  16 steps        log --expand
  focus  /  ->  /                     7 moves here
> run -n 1 | grep verify
  verify  OK   3 inputs x 1 repeat; input 1 exact
> # what is done with the results stays, and what goes with a row or a column
> load tests/programs/logreg.fun
logreg : [N][D]f32 -> [D]f32 -> [N]f32 -> [D]f32
> data N = 40, D = 64
> apply rowFoldsGpu{rows=5, each=8, side=2, rounds=0}
@1  rowFoldsGpu{rows=5, each=8, side=2, rounds=0}  at /body  builtin    from @0
  - let e = map (λ(x, t) → 1 / (1 + exp (-reduce (+) 0 (map (*) (zip x w)))) - t) (zip X y) in ma...
  + map (λs → s / N) (map (..) (transpose (join (mapWorkgroup 0 (mapLocal 1 (λ(ys, ys1) → join (t...
  type   [D]f32                       unchanged
  inner  59 steps        log --expand
  focus  /  ->  /                     19 moves here
> lower
@2  lower                               builtin    from @1
  - map (λs → s / N) (map (reduce (+) 0) (transpose (join (mapWorkgroup 0 (mapLocal 1 (λ(..) → jo...
  + let t = mapWorkgroup 0 (mapLocal 1 (λ(..) → join (transpose (mapLocal 0 (..) (reduceSeq (λ(.....
  type   [D]f32                       unchanged
  inner  6 steps        log --expand
  focus  /  ->  /                     7 moves here
> run -n 1 | grep verify
  verify  OK   3 inputs x 1 repeat
> let step (X: [N][D]f32) (y: [N]f32) (w: [D]f32) (m: [D]f32) (rate: f32) = let e = map (\(x, t) -> reduce (+) 0 (map (*) (zip x w)) - t) (zip X y) in map (\(c, v, a) -> v - rate * reduce (+) 0 (map (\(x, s) -> (x - a) * s) (zip c e))) (zip (transpose X) w m)
step : [N][D]f32 -> [N]f32 -> [D]f32 -> [D]f32 -> f32 -> [D]f32
> apply rowFoldsGpu{rows=5, each=8, side=2, rounds=0}
@1  rowFoldsGpu{rows=5, each=8, side=2, rounds=0}  at /body  builtin    from @0
  - let e = map (λ(x, t) → reduce (+) 0 (map (*) (zip x w)) - t) (zip X y) in map (λ(c, v, a) → v...
  + map (λ(s, v) → v - rate * s) (zip (map (..) (transpose (join (mapWorkgroup 0 (mapLocal 1 (λ(y...
  type   [D]f32                       unchanged
  inner  63 steps        log --expand
  focus  /  ->  /                     18 moves here
> lower
@2  lower                               builtin    from @1
  - map (..) (zip (map (reduce (+) 0) (transpose (join (mapWorkgroup 0 (mapLocal 1 (λ(..) → join ...
  + mapGlobal 0 (..) (zip (mapGlobal 0 (..) (transpose (join (mapWorkgroup 0 (mapLocal 1 (λ(..) →...
  type   [D]f32                       unchanged
  inner  5 steps        log --expand
  focus  /  ->  /                     7 moves here
> data N = 40, D = 64
> run -n 1 | grep verify
  verify  OK   3 inputs x 1 repeat; input 1 exact
> # as lower has it: what is done with the sums, where they are made
> goto @0
@0  source
    let e = map (λ(x, t) → reduce (+) 0 (map (*) (zip x w)) - t) (zip X y) in map (λ(c, v, a) → v...
> data N = 100000, D = 300
> lower --explain | grep -v '^ *[tbho]'
#1 /         let e = map (\(x, t) -> ..) .. in map (\(c, v, a) -> ..) ..
  row folds  237 us   0.12 of the bound
             rowFoldsGpu{each=30, rounds=0, rows=16, side=25}
             zipMap
             mapFusion
             padMap(32)
             rowsInGroups{dim=1, items=25, rounds=0, side=32}
in all       237 us on a GPU   0.12 of the bound: 28.7 us, memory
> lower
@3  lower                               builtin    from @0
  - let e = map (λ(x, t) → reduce (+) 0 (map (*) (zip x w)) - t) (zip X y) in map (λ(c, v, a) → v...
  + take D (join (mapWorkgroup 0 (mapLocal 0 (λ(y1, cs) → cs - rate * (reduceSeq (+) 0 ∘ join ∘ t...
  type   [D]f32                       unchanged
  inner  77 steps        log --expand
  focus  /  ->  /                     7 moves here
> show
take D
  (join
    (mapWorkgroup 0
      (mapLocal 0
        (λ(y1, cs) →
          cs -
            rate *
              (reduceSeq (+) 0 ∘
                join ∘
                toLocalPadded 1 ∘
                split 25 ∘
                mapLocal 1 (reduceSeq (+) 0) ∘
                transpose ∘
                split 25 $ y1)))
      (split 32
        (pad 0 ((-(D % 32)) % 32) clamp
          (zip
            (transpose
              (join
                (mapWorkgroup 0
                  (mapLocal 1
                    (λ(ys, ys1) →
                      join
                        (transpose
                          (mapLocal 0
                            (mapSeqUnroll id)
                            (reduceSeq
                              (λ(acc, (xs, x)) →
                                let r = toPrivate ∘
                                  mapLocal 0 (mapSeqUnroll id) ∘
                                  transpose ∘
                                  split (D/30) $ xs
                                in let s = reduceSeq
                                  (+)
          0
                                  (toLocal
                                    (mapLocal 0
                                      (λ(ys2, ys3) →
                                        reduceSeqUnroll
                                          (λ(acc1, (y0, y1)) → fma y0 y1 acc1)
                                          0
                                          (toPrivate (mapSeqUnroll id (zip ys2 ys3))))
                                      (zip r (transpose ∘ split (D/30) $ w)))) -
                                  x
                                in mapLocal 0
                                  (λ(ys2, ys3, ys4) →
                                    mapSeqUnroll
                                      (λ(as, bs, bs1) → fma (bs - bs1) s as)
                                      (zip ys2 ys3 ys4))
                                  (zip acc r (transpose ∘ split (D/30) $ m)))
                              (toPrivate
                                (mapLocal 0
                                  (mapSeqUnroll id)
                                  (transpose (split (D/30) (generate D (λi → 0.0))))))
                              (zip ys ys1))))))
                  (split 25 (zip (split 16 X) (split 16 y))))))
            w)))))
> # a row more
> goto @0
@0  source
    let e = map (λ(x, t) → reduce (+) 0 (map (*) (zip x w)) - t) (zip X y) in map (λ(c, v, a) → v...
> data N = 100001
> lower --explain | grep -v '^ *[tbho]'
#1 /         let e = map (\(x, t) -> ..) .. in map (\(c, v, a) -> ..) ..
  row folds  244 us   0.12 of the bound
             rowFoldsGpu{each=30, rounds=0, rows=16, side=25}
             padMap(32)
             rowsInGroups{dim=1, items=25, rounds=0, side=32}
             zipMap
             mapFusion
             zipZip
             mapFusion
             zipMap
             mapFusion
in all       244 us on a GPU   0.12 of the bound: 28.7 us, memory
> # the name is read elsewhere, too
> let both (A: [N][M]f32) (x: [M]f32) = let y = map (\row -> reduce (+) 0 (map (*) (zip row x))) A in (y, map (\col -> reduce (+) 0 (map (*) (zip col y))) (transpose A))
both : [N][M]f32 -> [M]f32 -> ([N]f32, [M]f32)
> apply rowFoldsGpu
E23 rowFoldsGpu fails at /
  needs   columns that read what is reduced of rows
  found   let y = map (\row -> ..) A in (y, ..)
> # rows that no items share are padded: what zeros add to a sum is nothing, and what is summed up of them is not stored
> load tests/programs/atax.fun
atax : [N][M]f32 -> [M]f32 -> [M]f32        2 programs; list programs
> goto @0 | head -1
@0  source
> device oclgrind
oclgrind    Oclgrind Simulator
> data N = 67, M = 61
> apply rowFoldsGpu{rows=16, each=8, rounds=0, pad=64} | head -1
@11  rowFoldsGpu{rows=16, each=8, rounds=0, pad=64}  at /  builtin    from @0
> lower | head -1
@12  lower                              builtin    from @11
> run -n 1 | grep verify
  verify  OK   3 inputs x 1 repeat; input 1 exact
> code | grep -c '? A'
2
> goto @0 | head -1
@0  source
> data N = 8191, M = 8191
> lower --explain | grep rowFolds
             rowFoldsGpu{each=32, pad=8192, rounds=1, rows=35, side=1}
> lower | head -1
@13  lower                              builtin    from @0
> plan | grep '^atax_k'
atax_k0   59904 work-items, groups of 256, 2 barriers
atax_k1   8192 x 26 work-items, groups of 32x26, 1 barrier
atax_k2   256 work-items, groups of 256, 2 barriers
atax_k3   8192 work-items, groups of 64
> let graded (X: [N][M]f32) (y: [N]f32) (w: [M]f32) (r: f32) = let e = map (\(x, t) -> reduce (+) 0 (map (*) (zip x w)) - t) (zip X y) in map (\(c, v) -> v - r * reduce (+) 0 (map (*) (zip c e))) (zip (transpose X) w)
graded : [N][M]f32 -> [N]f32 -> [M]f32 -> f32 -> [M]f32
> data N = 67, M = 61
> apply rowFoldsGpu{rows=16, each=8, rounds=0, pad=64} | head -1
@1  rowFoldsGpu{rows=16, each=8, rounds=0, pad=64}  at /  builtin    from @0
> lower | head -1
@2  lower                               builtin    from @1
> run -n 1 | grep verify
  verify  OK   3 inputs x 1 repeat; input 1 exact
