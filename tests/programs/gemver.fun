let dot (a: [M]f32) (b: [M]f32) = reduce (+) 0 (map (*) (zip a b))
let gemver (A: [N][M]f32) (u1: [N]f32) (v1: [M]f32) (u2: [N]f32) (v2: [M]f32) (y: [N]f32) (z: [M]f32) (alpha: f32) (beta: f32) =
  let B = map (\(row, p, q) -> map (\(a, c, d) -> a + p * c + q * d) (zip row v1 v2)) (zip A u1 u2) in
  let x = map (\(col, c) -> beta * dot col y + c) (zip (transpose B) z) in
  let w = map (\row -> alpha * dot row x) B in
  (B, x, w)
