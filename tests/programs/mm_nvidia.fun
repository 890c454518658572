# Lowered as Lift did for NVIDIA's GPUs: tiles of 64 by 16 and 16 by 128 in local memory, copied four floats at a time
# by 32 by 8 work-items, each with a block of 8 by 4 in registers.
let copyTile t = asScalar (join (mapLocal 1 (mapLocal 0 id) (split 32 (asVector 4 (join t)))))
let products (acc, (as, bs)) = mapSeqUnroll (\(row, a) -> mapSeqUnroll (\(c, b) -> fma a b c) (zip row bs)) (zip acc as)
let step (acc, (a, b)) =
  let tileA = toLocal (split 16 (copyTile a))
  let tileB = toLocal (split 128 (copyTile b))
  in mapLocal 1 (\(row, as) ->
       mapLocal 0 (\(c, bs) -> reduceSeqUnroll products c (zip (transpose as) bs))
         (zip row (transpose (map (split 4) tileB))))
       (zip acc (split 8 tileA))
let zeros = generate 8 (\i -> generate 32 (\j -> generate 8 (\k -> generate 4 (\l -> 0))))
let tiles aRows bCols =
  mapLocal 1 (mapLocal 0 (mapSeqUnroll (\r -> asScalar (mapSeqUnroll id (asVector 4 r)))))
    (reduceSeq step (toPrivate (mapLocal 1 (mapLocal 0 (mapSeqUnroll (mapSeqUnroll id))) zeros)) (zip aRows bCols))
let untile block = transpose (join (map transpose (map join (map (map transpose) block))))
let mm_nvidia (A: [N][K]f32) (B: [K][M]f32) =
  join (mapWorkgroup 1 (\rows -> transpose (join (mapWorkgroup 0 (\cols -> 
      untile (tiles (transpose (map (split 16) rows)) (split 16 (transpose cols))))
    (split 128 (transpose B))))) (split 64 A))
