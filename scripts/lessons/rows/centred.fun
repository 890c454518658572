let centred (X: [N][256]f32) = map (\x -> let s = reduce (+) 0 x in map (\v -> v - s / 256) x) X
