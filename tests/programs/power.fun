let power (A: [N][N]f32) (v: [N]f32) =
  iterate 20 (\x ->
    let y = map (\row -> reduce (+) 0 (zipWith (*) row x)) A
    in let norm = sqrt (reduce (+) 0 (map (\e -> e * e) y)) in map (\e -> e / norm) y) v
