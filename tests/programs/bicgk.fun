let dot (a: [M]f32) (b: [M]f32) = reduce (+) 0 (map (*) (zip a b))
let bicgk (A: [N][M]f32) (p: [M]f32) (r: [N]f32) =
  let q = map (\row -> dot row p) A in
  let s = map (\col -> dot col r) (transpose A) in
  (q, s)
