# How often each of 256 values of eight bits occurs.
let histogram (xs: [N]i32) = reduceByIndex (+) (replicate 256 0) (map (\x -> (band x 255, 1)) xs)
