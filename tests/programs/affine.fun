# A layer scaled row by row, with a bias, added to another matrix.
let dot a b = reduce (+) 0 (map (*) (zip a b))
let affine (X: [N][K]f32) (s: [N]f32) (W: [M][K]f32) (b: [M]f32) (H: [N][M]f32) =
  map (\(x, t, h) -> map (\(w, c, y) -> t * dot w x + c + y) (zip W b h)) (zip X s H)
