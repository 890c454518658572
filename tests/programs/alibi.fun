# Attention that looks back, with a penalty for distance that each head has for itself.
let dot a b = reduce (+) 0 (map (*) (zip a b))
let softmax1 x = let m = reduce max (-inf) x let e = map (\v -> exp (v - m)) x let s = reduce (+) 0 e in map (\v -> v / s) e
let alibi (Q: [H][N][D]f32) (K: [H][N][D]f32) (V: [H][N][D]f32) = map (\(q, k, v, h) -> map (\(r, i) ->
   let p = softmax1 (map (\(c, j) -> if j > i then -inf else dot r c * 0.125 - exp2 (-0.5 * f32 (h + 1)) * f32 (i - j)) (zip k (iota N)))
   in map (\c -> dot p c) (transpose v)) (zip q (iota N))) (zip4 Q K V (iota H))
