let cdf (X: [N][M]f32) = map (\x -> let t = reduce (+) 0 x in map (\v -> v / t) (scan (+) 0 x)) X
