# A step of k-means: the mean of the points of each cluster, given the cluster of each point; one without points stays.
let add ((a, n), (b, m)) = (map (+) (zip a b), n + m)
let mean ((s, n), o) = map (\(x, y) -> if n > 0 then x / f32 n else y) (zip s o)
let centroids (points: [P][F]f32) (of: [P]i32) (old: [C][F]f32) =
  map mean (zip (reduceByIndex add (replicate C (replicate F 0.0, 0)) (map (\(i, p) -> (i, (p, 1))) (zip of points))) old)
