# Signals are made positive, scaled and shifted.
let clean (xs: [N]f32) = map (\x -> x + 1) (map (\x -> x * 2) (map abs xs))
