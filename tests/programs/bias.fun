# A channel's bias added to each picture of a batch, what is negative left out.
let bias (x: [B][C][H][W]f32) (b: [C]f32) = map (\a -> map (\(c, bi) -> map (map (\v -> max 0 (v + bi))) c) (zip a b)) x
