let softmax (X: [N][256]f32) = map (\x ->
  let m = reduce max (-inf) x
  let e = map (\v -> exp (v - m)) x
  let s = reduce (+) 0 e
  in map (\v -> v / s) e) X
