# Exponential moving averages of each row, as a scan of linear functions.
let step (a1, b1) (a2, b2) = (a1 * a2, b1 * a2 + b2)
let comb ((a1, b1), (a2, b2)) = (a1 * a2, b1 * a2 + b2) with associative
let ema (X: [N][M]f32) (al: f32) = map (\r -> map (\q -> q.1) (scan comb (1, 0) (map (\x -> (1 - al, al * x)) r))) X
