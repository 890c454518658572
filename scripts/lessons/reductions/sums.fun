# The example of the text.
let sums (xs: [N]f32) = reduce (+) 0 xs
