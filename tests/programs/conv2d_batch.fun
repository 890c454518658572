# Every picture of a batch under filters of 3 by 3 over its channels, with a bias, what is negative left out.
let dot a b = reduce (+) 0 (map (*) (zip a b))
let windows img = map transpose (transpose (map (slide2 3 1) img))
let conv2d_batch (x: [N][C][H][W]f32) (k: [O][C][3][3]f32) (b: [O]f32) =
  map (\img -> map (\(ko, bo) -> map (map (\nb -> max 0 (bo + dot (join (map join nb)) (join (map join ko))))) (windows img)) (zip k b)) x
