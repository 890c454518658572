let stats (x: [N]f32) = (reduce (+) 0 x / N, reduce max (-inf) x, reduce min inf x, reduce (+) 0 (map (\v -> v * v) x))
