# The squared norm of A - B C, which is never asked for itself.
let dot a b = reduce (+) 0 (map (*) (zip a b))
let frobenius (A: [N][M]f32) (B: [N][K]f32) (C: [K][M]f32) =
  reduce (+) 0 (map (\(a, b) -> reduce (+) 0 (map (\(x, c) -> let d = x - dot b c in d * d) (zip a (transpose C)))) (zip A B))
