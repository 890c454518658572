# alpha * A x + beta * y, the product and the sum as maps of their own
let gemv (A: [N][M]f32) (x: [M]f32) (y: [N]f32) (alpha: f32) (beta: f32) =
  map (\(p, yi) -> alpha * p + beta * yi) (zip (map (\row -> dot row x) A) y)
let dot (xs: [N]f32) (ys: [N]f32) = reduce (+) 0 . map (*) $ zip xs ys
