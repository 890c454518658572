# The attention of several heads.
let dot a b = reduce (+) 0 (map (*) (zip a b))
let softmax1 x =
  let m = reduce max (-inf) x
  let e = map (\v -> exp (v - m)) x
  let s = reduce (+) 0 e
  in map (\v -> v / s) e
let attention q k v = map (\r -> let p = softmax1 (map (\s -> 0.125 * dot r s) k) in map (\c -> dot p c) (transpose v)) q
let multihead (Q: [B][N][D]f32) (K: [B][M][D]f32) (V: [B][M][D]f32) = map (\(q, k, v) -> attention q k v) (zip Q K V)
