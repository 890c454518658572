# what each node of a graph gets from K others: their features, each times a weight
let messages (X: [N][D]f32) (from: [N][K]i32) (W: [N][K]f32) =
  map (\(js, ws) -> map (reduce (+) 0) (transpose (map (\(j, w) -> map (\v -> w * v) X[j]) (zip js ws)))) (zip from W)
