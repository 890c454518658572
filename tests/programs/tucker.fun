# A matrix from its small core and the bases of its rows and columns, as a sum over both.
let sum x = reduce (+) 0 x
let tucker (G: [A][B]f32) (U: [N][A]f32) (V: [M][B]f32) = map (\u -> map (\v -> sum (map (\(g, a) -> a * sum (map (*) (zip g v))) (zip G u))) V) U
