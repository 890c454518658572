let sobel (P: [H][W]f32) =
  map (\rows -> map (\w ->
      let gx = w[0][2] + 2 * w[1][2] + w[2][2] - w[0][0] - 2 * w[1][0] - w[2][0] in
      let gy = w[2][0] + 2 * w[2][1] + w[2][2] - w[0][0] - 2 * w[0][1] - w[0][2] in
      sqrt (gx * gx + gy * gy)) (map transpose (slide 3 1 (transpose rows))))
    (slide 3 1 (map (pad 1 1 clamp) (pad 1 1 clamp P)))
