# The difference of every element and its right neighbour.
let pairs (xs: [N]i32) = map (\w -> w[1] - w[0]) (slide 2 1 xs)
