# Rows without the mean of their class.
let labelcenter (X: [N][D]f32) (l: [N]i32) =
  let sums = reduceByIndex (\(a, b) -> map (+) (zip a b)) (replicate 64 (replicate D 0)) (zip l X)
  let cnt = reduceByIndex (+) (replicate 64 0) (map (\i -> (i, 1)) l)
  in map (\(x, i) -> let n = f32 (max 1 cnt[i]) in map (\(v, s) -> v - s / n) (zip x sums[i])) (zip X l)
