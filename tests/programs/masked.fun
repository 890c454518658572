# The attention of several heads with a mask that all have, divided by the sums at the end.
let dot a b = reduce (+) 0 (map (*) (zip a b))
let masked (Q: [B][N][D]f32) (K: [B][M][D]f32) (V: [B][M][D]f32) (mask: [N][M]f32) =
  map (\(q, k, v) -> map (\(qi, mi) ->
      let s = map (\(kj, mj) -> dot qi kj * 0.125 + mj) (zip k mi)
      let m = reduce max (-inf) s
      let e = map (\x -> exp (x - m)) s
      let t = reduce (+) 0 e
      in map (\c -> dot e c / t) (transpose v)) (zip q mask)) (zip3 Q K V)
