# The scalar product of two vectors that are stored as halves, in single precision.
let dot_f16 (xs: [N]f16) (ys: [N]f16) = reduce (+) 0 (map (\(x, y) -> f32 x * f32 y) (zip xs ys))
