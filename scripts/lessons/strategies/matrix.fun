# Somebody turned the matrix back and forth.
let matrix (A: [N][M]f32) = map (\row -> map (\x -> x * x) (map (\x -> x + 1) row)) (transpose (transpose A))
