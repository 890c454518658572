# The product of two matrices, both given transposed.
let mm_tt (At: [K][N]f32) (Bt: [M][K]f32) =
  map (\row -> map (\col -> reduce (+) 0 (map (*) (zip row col))) Bt) (transpose At)
