# The sum of the squares of what is left of a signal.
let norm (xs: [N]f32) = reduce (+) 0 (map (\x -> x * x) (map (\x -> x - 1) xs))
