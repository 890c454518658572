# The product of two matrices of halves, whose products are summed as floats: what the matrix units of a GPU do.
let mm_f16 (A: [N][K]f16) (B: [K][M]f16) =
  map (\row -> map (\col -> reduce (+) 0 (map (\(a, b) -> f32 a * f32 b) (zip row col))) (transpose B)) A
