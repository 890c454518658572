# Pictures of a batch, each channel of each of mean 0 and variance 1.
let sum a = reduce (+) 0 a
let inorm img = let p = join img let m = sum p / length p let v = sum (map (\x -> (x - m) * (x - m)) p) / length p in map (map (\x -> (x - m) * rsqrt (v + 1e-5))) img
let instnorm (X: [B][C][H][W]f32) = map (map inorm) X
