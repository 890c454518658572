let dot (a: [M]f32) (b: [M]f32) = reduce (+) 0 (map (*) (zip a b))
let sgemvt (A: [N][M]f32) (y: [N]f32) (z: [M]f32) (alpha: f32) (beta: f32) =
  let x = map (\(col, c) -> beta * dot col y + c) (zip (transpose A) z) in
  let w = map (\row -> alpha * dot row x) A in
  (x, w)
