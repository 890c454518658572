# A matrix is turned, scaled, turned back and shifted.
let turned (A: [N][M]f32) = map (map (\x -> x + 1)) (transpose (map (map (\x -> x * 2)) (transpose A)))
