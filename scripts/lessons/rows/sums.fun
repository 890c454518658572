let sums (X: [N][256]f32) = map (\x -> reduce (+) 0 x) X
