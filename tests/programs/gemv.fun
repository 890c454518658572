# alpha * A x + beta * y
let gemv (A: [N][M]f32) (x: [M]f32) (y: [N]f32) (alpha: f32) (beta: f32) =
  map (\(row, yi) -> alpha * dot row x + beta * yi) (zip A y)
let dot (xs: [N]f32) (ys: [N]f32) = reduce (+) 0 . map (*) $ zip xs ys
