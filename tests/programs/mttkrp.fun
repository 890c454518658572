# A matricised tensor times a Khatri-Rao product.
let sum a = reduce (+) 0 a
let mttkrp (X: [I][J][K]f32) (B: [J][R]f32) (C: [K][R]f32) =
  map (\x -> map (\(b, c) -> sum (map (\(xj, bj) -> bj * sum (map (*) (zip xj c))) (zip x b))) (zip (transpose B) (transpose C))) X
