# Derivation (c): both tiles in local memory, 4x4 registers, accumulators spread over the work-items. 16x16 tile, K-tile 8.
let mm (A: [N][K]f32) (B: [K][M]f32) =
  join (mapWorkgroup 1 (\c -> transpose (join (mapWorkgroup 0 (\c1 -> transpose (join (
    map (\y -> transpose y) (map (\y1 -> join y1) (map (\y2 -> map transpose y2)
      (mapLocal 1 (\a -> mapLocal 0 (mapSeqUnroll (\r -> asScalar (mapSeqUnroll (\v -> v) (asVector 4 r)))) a)
        (reduceSeq (\(acc, (as, bs)) ->
          let tileA = toLocal (split 8 (asScalar (join (mapLocal 1 (mapLocal 0 (\v -> v)) (split 4 (asVector 4 (join as)))))))
          in let tileB = toLocal (split 16 (asScalar (join (mapLocal 1 (mapLocal 0 (\v -> v)) (split 4 (asVector 4 (join bs)))))))
          in mapLocal 1 (\(rs, rows) ->
            mapLocal 0 (\(r, cols) ->
              reduceSeqUnroll (\(acc1, (as1, bs1)) ->
                mapSeqUnroll (\(r1, a1) -> mapSeqUnroll (\(r2, b2) -> fma a1 b2 r2) (zip r1 bs1)) (zip acc1 as1))
                r (zip rows cols))
              (zip rs (transpose (map (split 4) tileB))))
            (zip acc (map transpose (split 4 tileA))))
          (toPrivate (mapLocal 1 (\a1 -> mapLocal 0 (mapSeqUnroll (mapSeqUnroll id)) a1)
            (generate 4 (\i -> generate 4 (\i1 -> generate 4 (\i2 -> generate 4 (\i3 -> 0)))))))
          (zip (transpose (map (split 8) c)) (split 8 (transpose c1))))))))))
    (split 16 (transpose B))))) (split 16 A))
