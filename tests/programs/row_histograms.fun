# A histogram for each row of a picture, of 16 shades.
let row_histograms (rows: [H][W]i32) = map (\row -> reduceByIndex (+) (replicate 16 0) (map (\x -> (x + 8, 1)) row)) rows
