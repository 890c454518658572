# alpha * A B + beta * C, where B is given transposed
let product A B = map (\row -> map (\col -> reduce (+) 0 (map (*) (zip row col))) (transpose B)) A
let gemm_nt (A: [N][K]f32) (Bt: [M][K]f32) (C: [N][M]f32) (alpha: f32) (beta: f32) =
  map (\(ps, cs) -> map (\(p, c) -> alpha * p + beta * c) (zip ps cs)) (zip (product A (transpose Bt)) C)
