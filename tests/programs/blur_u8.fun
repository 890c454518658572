# A picture of bytes under a 3 by 3 filter: the sums are rounded and kept in range; the edges are repeated.
let edges x = pad 1 1 clamp (map (pad 1 1 clamp) x)
let pixel v = u8 (max 0 (min 255 (round v)))
let blur_u8 (img: [N][M]u8) (w: [3][3]f32) =
  map (map (\nb -> pixel (reduce (+) 0 (map (\(p, k) -> f32 p * k) (zip (join nb) (join w)))))) (slide2 3 1 (edges img))
