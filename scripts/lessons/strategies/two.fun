# The example of the text.
let two (A: [N][M]f32) = map (\row -> map (\x -> x * 3) (map abs row)) (map (\row -> map (\x -> x + 2) row) A)
