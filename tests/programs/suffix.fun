# The sums of each row from every element to the last.
let suffix (A: [N][M]f32) = map (\r -> reorder reverse (scan (+) 0 (reorder reverse r))) A
