# A layer with a bias and GELU, by tanh.
let dot a b = reduce (+) 0 (map (*) (zip a b))
let geglu (X: [N][K]f32) (W: [M][K]f32) (b: [M]f32) =
  map (\x -> map (\(w, c) -> let z = dot x w + c in 0.5 * z * (1 + tanh (0.79788456 * (z + 0.044715 * z * z * z)))) (zip W b)) X
