# The integral of y over x by trapezoids.
let trapezoid (x: [N]f32) (y: [N]f32) =
  reduce (+) 0 (map (\(a, b) -> (a[1] - a[0]) * 0.5 * (b[0] + b[1])) (zip (slide 2 1 x) (slide 2 1 y)))
