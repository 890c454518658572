let vadd (w: [N]f32) (y: [N]f32) (z: [N]f32) =
  let s = map (+) (zip w y) in
  map (+) (zip s z)
