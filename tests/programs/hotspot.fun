# Temperatures of a chip that its parts heat (Rodinia): explicit steps of the heat equation.
let step (w, p) = w[1][1] + 0.1 * (p + w[0][1] + w[2][1] + w[1][0] + w[1][2] - 4.0 * w[1][1] + 0.05 * (80.0 - w[1][1]))
let hotspot (t: [N][M]f32) (power: [N][M]f32) =
  iterate 20 (\x -> map (\(ws, ps) -> map step (zip ws ps)) (zip (slide2 3 1 (pad2 1 1 clamp x)) power)) t
