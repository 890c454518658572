# Pictures of a batch, each channel of mean 0 and variance 1 over all of them, written plane by plane.
let sum a = reduce (+) 0 a
let nrm x = let p = join (map join x) let m = sum p / length p let v = sum (map (\x -> (x - m) * (x - m)) p) / length p in map (map (map (\x -> (x - m) * rsqrt (v + 1e-5)))) x
let planenorm (X: [B][C][H][W]f32) = transpose (map nrm (transpose X))
