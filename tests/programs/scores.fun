# The scores of several heads of a batch.
let dot a b = reduce (+) 0 (map (*) (zip a b))
let scores (A: [B][H][N][D]f32) (C: [B][H][M][D]f32) = map (\(x, y) -> map (\(p, q) -> map (\r -> map (\s -> 0.125 * dot r s) q) p) (zip x y)) (zip A C)
