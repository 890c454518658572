let scale (a: f32) (xs: [N]f32) = map (\x -> a * x) xs
let waxpby (x: [N]f32) (y: [N]f32) (alpha: f32) (beta: f32) =
  let ax = scale alpha x in
  let by = scale beta y in
  map (+) (zip ax by)
