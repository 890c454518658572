# Square roots by Newton's method: every work-item iterates for itself.
let newton (xs: [N]f32) = map (\x -> let a = 1 + abs x in iterate 10 (\y -> 0.5 * (y + a / y)) a) xs
