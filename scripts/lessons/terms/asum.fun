# The sum of magnitudes.
let asum (xs: [N]f32) = reduce (+) 0 (map abs xs)
