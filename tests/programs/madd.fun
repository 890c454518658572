let madd (A: [N][M]f32) (B: [N][M]f32) = map (\(r, s) -> map (+) (zip r s)) (zip A B)
