# Halves are multiplied as floats, and the products are summed as floats.
let product (A: [N][K]f16) (B: [K][M]f16) =
  map (\row -> map (\col -> reduce (+) 0 (map (\(a, b) -> f32 a * f32 b) (zip row col))) (transpose B)) A
