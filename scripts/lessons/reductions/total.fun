# The sum of a vector.
let total (xs: [N]f32) = reduce (+) 0 xs
