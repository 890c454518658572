let covariance (X: [N][D]f32) =
  let mu = map (\c -> reduce (+) 0 c / N) (transpose X) in
  let Z = map (\row -> map (\(x, m) -> x - m) (zip row mu)) X in
  map (\a -> map (\b -> reduce (+) 0 (map (*) (zip a b)) / (N - 1)) (transpose Z)) (transpose Z)
