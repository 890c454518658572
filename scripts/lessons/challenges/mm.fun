# The product of two matrices, both given by rows.
let mm (A: [N][K]f32) (B: [K][M]f32) =
  map (\row -> map (\col -> reduce (+) 0 (map (*) (zip row col))) (transpose B)) A
