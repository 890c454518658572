# Lowered as RISE's sgemm for NVIDIA's Kepler: alpha * A B + beta * C in one kernel, A given transposed. Tiles of 8 by 64
# and 8 by 128 in local memory, 32 by 8 work-items, 8 rows and 4 columns each; the columns of one are 32 apart, so that
# neighbours read and write neighbours.
let copyTile t = asScalar (join (mapLocal 1 (mapLocal 0 id) (split 32 (asVector 4 (join t)))))
let columnsApart t = transpose (map (split 4 . reorder (stride 32)) t)
let products (acc, (as, bs)) = mapSeqUnroll (\(row, a) -> mapSeqUnroll (\(c, b) -> fma a b c) (zip row bs)) (zip acc as)
let step (acc, (a, b)) =
  let tileA = toLocal (split 64 (copyTile a))
  let tileB = toLocal (split 128 (copyTile b))
  in mapLocal 1 (\(row, as) ->
       mapLocal 0 (\(c, bs) -> reduceSeqUnroll products c (zip as bs)) (zip row (columnsApart tileB)))
       (zip acc (transpose (map (split 8) tileA)))
let zeros = generate 8 (\i -> generate 32 (\j -> generate 8 (\k -> generate 4 (\l -> 0))))
let tiles as bs =
  reduceSeq step (toPrivate (mapLocal 1 (mapLocal 0 (mapSeqUnroll (mapSeqUnroll id))) zeros)) (zip (split 8 as) (split 8 bs))
let withC alpha beta (ps, cs) =
  mapLocal 1 (\(prow, crow) ->
    mapLocal 0 (\(p, c) -> mapSeqUnroll (\(rp, rc) -> mapSeqUnroll (\(x, y) -> fma beta y (alpha * x)) (zip rp rc)) (zip p c))
      (zip prow (columnsApart crow)))
    (zip ps cs)
let untile block = join (map (\rows -> map (reorder (stride 4) . join) (transpose rows)) block)
let mm_kepler (At: [K][N]f32) (B: [K][M]f32) (C: [N][M]f32) (alpha: f32) (beta: f32) =
  join (mapWorkgroup 1 (\(as, cs) -> transpose (join (mapWorkgroup 0 (\(bs, c) ->
      transpose (untile (withC alpha beta (tiles (transpose as) (transpose bs), split 8 (transpose c)))))
    (zip (split 128 (transpose B)) (split 128 (transpose cs))))))
    (zip (split 64 (transpose At)) (split 64 C)))
