# The same on pieces of eight.
let pieces (xs: [N]f32) = join (map (map (\x -> x * x)) (split 8 (map (\x -> x + 3) xs)))
