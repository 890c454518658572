# The example of the text.
let square (xs: [N]f32) = map (\x -> x * x) xs
