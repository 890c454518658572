# A step of gradient descent with momentum: new weights and velocities in one pass.
let momentum (w: [N][M]f32) (g: [N][M]f32) (v: [N][M]f32) =
  (map (\(ws, gs, vs) -> map (\(a, b, c) -> a - 0.01 * (0.9 * c + b)) (zip ws gs vs)) (zip w g v),
   map (\(gs, vs) -> map (\(b, c) -> 0.9 * c + b) (zip gs vs)) (zip g v))
