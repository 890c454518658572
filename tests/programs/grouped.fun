# Attention whose heads share keys and values by groups.
let dot a b = reduce (+) 0 (map (*) (zip a b))
let softmax1 x =
  let m = reduce max (-inf) x
  let e = map (\v -> exp (v - m)) x
  let s = reduce (+) 0 e
  in map (\v -> v / s) e
let attention q k v = map (\r -> let p = softmax1 (map (\s -> dot r s * 0.125) k) in map (\c -> dot p c) (transpose v)) q
let grouped (Q: [G][R][N][D]f32) (K: [G][M][D]f32) (V: [G][M][D]f32) = map (\(qs, k, v) -> map (\q -> attention q k v) qs) (zip3 Q K V)
