# The attention of several heads in halves: scores and their softmax in floats, its weights rounded to halves.
let softmax1 x =
  let m = reduce max (-inf) x
  let e = map (\v -> exp (v - m)) x
  let s = reduce (+) 0 e
  in map (\v -> v / s) e
let dot a b = reduce (+) 0 (map (\(x, y) -> f32 x * f32 y) (zip a b))
let attend q k v = map (\r -> let p = softmax1 (map (\s -> 0.125 * dot r s) k) in map (\c -> dot (map f16 p) c) (transpose v)) q
let attention_f16 (Q: [B][N][D]f16) (K: [B][M][D]f16) (V: [B][M][D]f16) = map (\(q, k, v) -> attend q k v) (zip Q K V)
