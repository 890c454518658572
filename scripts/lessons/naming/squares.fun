let squares (xs: [N]f32) = let y = map (\x -> x + 1) xs in map (\(v, w) -> v * w) (zip y y)
