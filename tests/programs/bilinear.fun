# x A y for each pair of rows.
let dot a b = reduce (+) 0 (map (*) (zip a b))
let bilinear (X: [B][N]f32) (A: [N][M]f32) (Y: [B][M]f32) = map (\(x, y) -> dot x (map (\row -> dot row y) A)) (zip X Y)
