# The sum of the weights with each of ten numbers.
let weighted (is: [N]i32) (ws: [N]f32) = reduceByIndex (+) (replicate 10 0.0) (zip is ws)
