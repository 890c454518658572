# The gradient of logistic regression.
let dot a b = reduce (+) 0 (map (*) (zip a b))
let logreg (X: [N][D]f32) (w: [D]f32) (y: [N]f32) =
  let e = map (\(x, t) -> 1 / (1 + exp (-(dot x w))) - t) (zip X y) in map (\c -> dot c e / N) (transpose X)
