let shares (xs: [N]f32) = map (\x -> x / reduce (+) 0 xs) xs
