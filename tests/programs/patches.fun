# The windows of a picture of some channels as the rows of a matrix (im2col).
let patches (X: [C][H][W]f32) = map join (transpose (map (\c -> join (map (map join) (slide2 3 1 c))) X))
