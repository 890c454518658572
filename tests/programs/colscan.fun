# The sums of each column so far.
let colscan (X: [N][M]f32) = transpose (map (scan (+) 0) (transpose X))
