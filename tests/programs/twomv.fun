# A product with what another product makes, the same for each row.
let dot a b = reduce (+) 0 (map (*) (zip a b))
let twomv (A: [N][N]f32) (B: [N][N]f32) (x: [N]f32) (z: [N]f32) = map (\(r, zi) -> dot r (map (\s -> dot s x) B) + zi) (zip A z)
