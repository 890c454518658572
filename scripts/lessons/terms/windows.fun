# The sums of three neighbours.
let windows (xs: [N]i32) = map (\w -> reduce (+) 0 w) (slide 3 1 xs)
