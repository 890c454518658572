# Columns of mean 0 and variance 1, written column by column.
let mean a = reduce (+) 0 a / length a
let std1 c = let m = mean c let v = mean (map (\x -> (x - m) * (x - m)) c) in map (\x -> (x - m) / sqrt (v + 1e-6)) c
let zcols (X: [N][M]f32) = transpose (map std1 (transpose X))
