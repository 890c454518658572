# The first of the largest values with each of seven numbers, and where it stands.
let later ((x, i), (y, j)) = if y > x then (y, j) else (x, i)
let latest (is: [N]i32) (xs: [N]f32) = reduceByIndex later (replicate 7 (-inf, -1)) (zip is (zip xs (iota N)))
