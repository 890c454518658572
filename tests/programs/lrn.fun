# Local response normalisation: windows over channels.
let sum a = reduce (+) 0 a
let lrn (X: [B][C][H][W]f32) = map (\x -> map (\(win, c) -> map (\(ws, r) -> map (\(vs, v) -> v / pow (1 + 0.0001 * sum (map (\u -> u * u) vs)) 0.75) (zip (transpose ws) r)) (zip (transpose win) c))
   (zip (slide 5 1 (padConst 2 2 (replicate H (replicate W 0.0)) x)) x)) X
