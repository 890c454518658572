# alpha * A B + beta * C, where A and B are given transposed
let product A B = map (\row -> map (\col -> reduce (+) 0 (map (*) (zip row col))) (transpose B)) A
let gemm_tt (At: [K][N]f32) (Bt: [M][K]f32) (C: [N][M]f32) (alpha: f32) (beta: f32) =
  map (\(ps, cs) -> map (\(p, c) -> alpha * p + beta * c) (zip ps cs)) (zip (product (transpose At) (transpose Bt)) C)
