# A linear layer for each of some groups of features.
let dot a b = reduce (+) 0 (map (*) (zip a b))
let grouplin (X: [N][G][D]f32) (W: [G][E][D]f32) (b: [G][E]f32) = map (\x -> map (\(r, w, c) -> map (\(k, s) -> dot r k + s) (zip w c)) (zip3 x W b)) X
