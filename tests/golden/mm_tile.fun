# Derivation (b): row block 16, column panel 32, K-tile 16, 8 rows x 2 vectors of 16 in registers. One work-item a group on a CPU.
let mm (A: [N][K]f32) (B: [K][M]f32) =
  join (mapWorkgroup 1 (\c -> transpose (join (mapWorkgroup 0 (\c1 -> transpose (join (
    reduceSeq (\(acc, (as, bs)) ->
      let t = toLocal (mapSeq (\r2 -> asScalar (mapSeqUnroll (\v -> v) (asVector 16 r2))) bs)
      in mapSeq (\(block, rows) ->
        map (\r -> asScalar r)
          (mapSeqUnroll (\v -> mapSeqUnroll (\w -> w) v)
            (reduceSeq (\(r, (col, row)) ->
              mapSeqUnroll (\(rs, a) ->
                mapSeqUnroll (\(r1, b1) -> mapVec (\(x, y) -> fma a y x) (r1, b1)) (zip rs (asVector 16 row)))
                (zip r col))
              (toPrivate (mapSeqUnroll (\v -> mapSeqUnroll (\w -> w) v) (map (asVector 16) block)))
              (zip rows t))))
        (zip acc as))
      (toGlobal (mapSeq (mapSeq (mapSeq id)) (generate 2 (\i -> generate 8 (\i1 -> generate 32 (\i2 -> 0))))))
      (zip (transpose (map (\c2 -> split 16 (transpose c2)) (split 8 c))) (split 16 (transpose c1))))))
    (split 32 (transpose B))))) (split 16 A))
