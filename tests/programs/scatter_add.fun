# An array with numbers added at indices, of which some are the same.
let scatter_add (d: [K]f32) (is: [N]i32) (xs: [N]f32) = reduceByIndex (+) d (zip is xs)
