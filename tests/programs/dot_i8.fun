# The scalar product of two vectors of small integers, summed in 32 bits.
let dot_i8 (xs: [N]i8) (ys: [N]i8) = reduce (+) 0 (map (\(x, y) -> i32 x * i32 y) (zip xs ys))
