# The product of two matrices, the second given transposed.
let mm_nt (A: [N][K]f32) (Bt: [M][K]f32) =
  map (\row -> map (\col -> reduce (+) 0 (map (*) (zip row col))) Bt) A
