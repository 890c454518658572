# Every element three times.
let scale (xs: [N]f32) = map (\x -> x * 3) xs
