# The prefix sums of each row.
let rowscan (x: [N][M]f32) = map (scan (+) 0) x
