# Groups of channels, each of mean 0 and variance 1. inv: 1 / (C * S).
let norm x inv =
  let m = reduce (+) 0 x * inv
  let v = reduce (+) 0 (map (\a -> (a - m) * (a - m)) x) * inv
  in map (\a -> (a - m) * rsqrt (v + 1e-5)) x
let groupnorm (x: [B][G][C][S]f32) (inv: f32) = map (map (\g -> split S (norm (join g) inv))) x
