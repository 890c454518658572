let mirror (xs: [N]f32) = map (+) (zip (map (\x -> sqrt (abs x)) xs) (reorder reverse (map (\x -> sqrt (abs x)) xs)))
