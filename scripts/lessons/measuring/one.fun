# The example of the text.
let one (xs: [N]f32) = reduce (+) 0 (map abs xs)
