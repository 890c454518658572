# The sum of a vector of whole numbers, beginning with ten.
let count (xs: [N]i32) = reduce (+) 10 xs
