let mean (a: [N]f32) = reduce (+) 0 a / N
let batchnorm (X: [N][C]f32) (g: [C]f32) (b: [C]f32) =
  let ms = map mean (transpose X) in
  let vs = map (\(c, m) -> mean (map (\x -> (x - m) * (x - m)) c)) (zip (transpose X) ms) in
  map (\row -> map (\(x, m, v, gg, bb) -> gg * (x - m) / sqrt (v + 0.00001) + bb) (zip row ms vs g b)) X
