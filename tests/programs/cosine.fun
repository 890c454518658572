let norm (a: [K]f32) = sqrt (reduce (+) 0 (map (\x -> x * x) a))
let dot (a: [K]f32) (b: [K]f32) = reduce (+) 0 (map (*) (zip a b))
let cosine (A: [N][K]f32) (B: [M][K]f32) =
  map (\a -> map (\b -> dot a b / (norm a * norm b)) B) A
