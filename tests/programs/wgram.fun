# X' W X for weights on the diagonal of W.
let wgram (X: [N][D]f32) (w: [N]f32) = map (\a -> map (\b -> reduce (+) 0 (map (\(x, y, v) -> x * y * v) (zip3 a b w))) (transpose X)) (transpose X)
