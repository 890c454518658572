# A filter of every channel, then sums of channels for each place.
let dot a b = reduce (+) 0 (map (*) (zip a b))
let win img = map transpose (slide 3 1 (map (slide 3 1) img))
let filtered (img, k) = map (map (\w -> dot (join w) (join k))) (win img)
let pointwise (X: [C][H][W]f32) (K: [C][3][3]f32) (V: [O][C]f32) =
  let D = map filtered (zip X K) in map (\v -> map (map (dot v)) (map transpose (transpose D))) V
