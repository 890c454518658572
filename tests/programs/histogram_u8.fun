# How often each byte occurs.
let histogram_u8 (xs: [N]u8) = reduceByIndex (+) (replicate 256 0) (map (\x -> (i32 x, 1)) xs)
