let dot (a: [M]f32) (b: [M]f32) = reduce (+) 0 (map (*) (zip a b))
let sgemv (A: [N][M]f32) (x: [M]f32) (y: [N]f32) (alpha: f32) (beta: f32) =
  let p = map (\row -> dot row x) A in
  map (\(a, b) -> alpha * a + beta * b) (zip p y)
