# The example of the text.
let double (xs: [N]f32) = map (\x -> x + x) xs
