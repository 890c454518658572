# A fold over tiles with one tile: no zeros are stored first and read again.
let mm (A: [N][K]f32) (B: [K][M]f32) =
  mapGlobal 0 (\row ->
    reduceSeq (\(acc, (as, bs)) ->
        mapSeq (\(r, col) ->
            reduceSeq (\(s, (a, b)) -> fma a b s) r (zip as col))
          (zip acc (transpose bs)))
      (toGlobal (mapSeq (\v -> v) (generate M (\i -> 0))))
      (zip (split 16 row) (split 16 B)))
    A
