# Lowered as Lift did for AMD's GPUs: no local memory, blocks of 8 by 4 in registers, both operands of a step copied
# to registers, the columns as vectors. The first matrix is given transposed.
let copyRow r = asScalar (mapSeqUnroll id (asVector 4 r))
let step (acc, (as, bs)) =
  let a = toPrivate (mapSeqUnroll id as)
  let b = toPrivate (copyRow bs)
  in mapSeqUnroll (\(row, x) -> mapSeqUnroll (\(c, y) -> fma x y c) (zip row b)) (zip acc a)
let block rows cols =
  mapSeqUnroll copyRow
    (reduceSeq step (toPrivate (mapSeqUnroll (mapSeqUnroll id) (generate 8 (\i -> generate 4 (\j -> 0)))))
      (zip (transpose rows) (transpose cols)))
let mm_amd (At: [K][N]f32) (B: [K][M]f32) =
  join (mapGlobal 1 (\rows -> transpose (join (mapGlobal 0 (\cols -> transpose (block rows cols))
    (split 4 (transpose B)))))
         (split 8 (transpose At)))
