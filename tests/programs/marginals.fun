let marginals (X: [N][M]f32) = (map (\r -> reduce (+) 0 r) X, map (\c -> reduce (+) 0 c) (transpose X))
