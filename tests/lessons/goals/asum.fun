# The sum of the magnitudes of a vector.
let asum (xs: [N]f32) = reduce (+) 0 (map abs xs)
