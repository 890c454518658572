let lengths (V: [N][4]f32) (W: [N][4]f32) =
  map (\v -> sqrt (reduce (+) 0 v)) (map (\v -> map (\x -> x * x) v) (map (\(v, w) -> map (-) (zip v w)) (zip V W)))
