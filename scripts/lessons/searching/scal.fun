# A scaled vector.
let scal (alpha: f32) (xs: [N]f32) = map (\x -> alpha * x) xs
