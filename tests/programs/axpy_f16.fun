# a * x + y in single precision, of vectors that are stored as halves.
let axpy_f16 (a: f32) (xs: [N]f16) (ys: [N]f16) = map (\(x, y) -> f16 (a * f32 x + f32 y)) (zip xs ys)
