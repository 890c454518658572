# A layer of halves: rows times weights as floats, a bias, and what is above zero.
let linear_f16 (X: [N][K]f16) (W: [M][K]f16) (bias: [M]f32) =
  map (\x -> map (\(w, b) -> max 0 (reduce (+) 0 (map (\(p, q) -> f32 p * f32 q) (zip x w)) + b)) (zip W bias)) X
