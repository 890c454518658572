# Products of a matrix and of its transpose with vectors, added to others (PolyBench).
let dot a b = reduce (+) 0 (map (*) (zip a b))
let mvt (A: [N][M]f32) (x: [N]f32) (y: [M]f32) (u: [M]f32) (v: [N]f32) =
  (map (\(a, c) -> c + dot a u) (zip A x), map (\(a, c) -> c + dot a v) (zip (transpose A) y))
