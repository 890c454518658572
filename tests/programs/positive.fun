let positive (xs: [N]f32) = filter (\x -> x > 0) 0 xs
