# How many numbers lie in each of 100 intervals from 0 to 1; others are not counted.
let bin x = i32 (floor (x * 100))
let bins (xs: [N]f32) = reduceByIndex (+) (replicate 100 0) (map (\x -> (bin x, 1)) xs)
