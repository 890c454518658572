# Three normalisations of rows, one after the other.
let norm (x: [M]f32) =
  let mean = reduce (+) 0 x / M
  let s = reduce (+) 0 (map (\v -> (v - mean) * (v - mean)) x) / M
  in map (\v -> (v - mean) / sqrt (s + 0.00001)) x
let norms (X: [N][M]f32) = map (\r -> norm (norm (norm r))) X
