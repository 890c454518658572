let spread (xs: [N]f32) = let s = reduce (+) 0 xs in s * s / f32 N - reduce (+) 0 (map (\x -> x * x) xs)
