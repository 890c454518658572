# Lowered as Lift did for ARM's Mali: no local memory, blocks of 2 by 2 in registers, four products at a time with
# dot. The second matrix is given transposed.
let step (acc, (as, bs)) =
  mapSeqUnroll (\(row, a) -> mapSeqUnroll (\(c, b) -> c + vdot a b) (zip row bs)) (zip acc as)
let block rows cols =
  mapSeqUnroll (mapSeqUnroll id)
    (reduceSeq step (toPrivate (mapSeqUnroll (mapSeqUnroll id) (generate 2 (\i -> generate 2 (\j -> 0)))))
      (zip (transpose (map (asVector 4) rows)) (transpose (map (asVector 4) cols))))
let mm_mali (A: [N][K]f32) (Bt: [M][K]f32) =
  join (mapGlobal 1 (\rows -> transpose (join (mapGlobal 0 (\cols -> transpose (block rows cols)) (split 2 Bt))))
    (split 2 A))
