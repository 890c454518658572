let axpydot (w: [N]f32) (v: [N]f32) (u: [N]f32) (alpha: f32) =
  let z = map (\(a, b) -> a - alpha * b) (zip w v) in
  let r = reduce (+) 0 (map (*) (zip z u)) in
  (z, r)
