let twice (xs: [N]i32) = map (\x -> x * 2) (map (\x -> x + 1) xs)
