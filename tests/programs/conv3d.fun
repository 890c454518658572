# Filters of 3 by 3 by 3 over the channels of a volume, with a bias.
let sum a = reduce (+) 0 a
let conv3d (X: [C][D][H][W]f32) (K: [O][C][3][3][3]f32) (b: [O]f32) =
  map (\(k, bo) -> map3 (\w -> bo + sum (map (*) (zip (join (join (join w))) (join (join (join k)))))) (map (map (map (map transpose))) (map (map (map transpose)) (map (map transpose) (map transpose (transpose (map (slide3 3 1) X))))))) (zip K b)
