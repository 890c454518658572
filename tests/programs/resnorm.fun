# A layer whose result is added to what it read, each row then of mean 0 and variance 1.
let dot a b = reduce (+) 0 (map (*) (zip a b))
let norm r = let m = reduce (+) 0 r / length r let v = reduce (+) 0 (map (\x -> (x - m) * (x - m)) r) / length r in map (\x -> (x - m) * rsqrt (v + 1e-5)) r
let resnorm (X: [N][K]f32) (W: [K][K]f32) = map (\x -> norm (map (\(y, w) -> y + dot x w) (zip x W))) X
