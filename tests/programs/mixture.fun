# The logarithm of the density of a mixture of Gaussians with diagonal covariances: means, inverse variances, logarithms of weights.
let sum a = reduce (+) 0 a
let mixture (X: [N][D]f32) (mu: [K][D]f32) (iv: [K][D]f32) (lw: [K]f32) =
  map (\x -> let l = map (\(m, s, w) -> w - 0.5 * sum (map (\(a, b, c) -> (a - b) * (a - b) * c) (zip3 x m s))) (zip3 mu iv lw)
             let t = reduce max (-inf) l
             in t + log (sum (map (\v -> exp (v - t)) l))) X
