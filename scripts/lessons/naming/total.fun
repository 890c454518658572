let total (xs: [N]f32) (ws: [N]f32) =
  let m = reduce max (-inf) xs in m + log (reduce (+) 0 (map (\(x, w) -> exp (x - m) * w) (zip xs ws)))
