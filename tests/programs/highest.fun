# The largest of the values with each of twelve numbers.
let highest (is: [N]i32) (xs: [N]f32) = reduceByIndex max (replicate 12 (-inf)) (zip is xs)
