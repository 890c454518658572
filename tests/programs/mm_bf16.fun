# The product of two matrices of bf16, whose products are summed as floats: what the matrix units of a GPU do.
let mm_bf16 (A: [N][K]bf16) (B: [K][M]bf16) =
  map (\row -> map (\col -> reduce (+) 0 (map (\(a, b) -> f32 a * f32 b) (zip row col))) (transpose B)) A
