# The product of two matrices, the first given transposed.
let mm_tn (At: [K][N]f32) (B: [K][M]f32) =
  map (\row -> map (\col -> reduce (+) 0 (map (*) (zip row col))) (transpose B)) (transpose At)
