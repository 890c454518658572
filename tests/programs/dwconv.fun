let dwconv (X: [C][H][W]f32) (K: [C][3][3]f32) =
  map (\(img, k) -> map (\rows -> map (\w -> reduce (+) 0 (map (*) (zip (join w) (join k)))) (map transpose (slide 3 1 (transpose rows))))
    (slide 3 1 img)) (zip X K)
