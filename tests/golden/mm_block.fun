# Derivation (a) of the walk-through: register blocks of 4 rows, lowered.
let mm (A: [N][K]f32) (B: [K][M]f32) =
  join (mapGlobal 1 (\c -> transpose (mapGlobal 0 (\col ->
    mapSeqUnroll (\v -> v)
      (reduceSeq (\(acc, (as, y)) -> mapSeqUnroll (\(r, a) -> fma a y r) (zip acc as))
        (toPrivate (mapSeqUnroll (\v -> v) (generate 4 (\i -> 0))))
        (zip (transpose c) col)))
    (transpose B))) (split 4 A))
