# The example of the text.
let loud (xs: [N]f32) = map (\x -> x * x) (map (\x -> x + 3) xs)
