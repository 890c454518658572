# Discounted sums of what is still to come, for every column: a scan from the end, of affine maps.
let disc ((a, b), (c, d)) = (a * c, b * c + d) with associative neutral (1, 0)
let discounted (R: [T][B]f32) = reorder reverse (transpose (map (\c -> map (\(g, v) -> v) (scan disc (1, 0) (map (\r -> (0.99, r)) c))) (transpose (reorder reverse R))))
