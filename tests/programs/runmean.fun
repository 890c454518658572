# The mean of all elements so far.
let runmean (x: [N]f32) = map (\(i, s) -> s / f32 (i + 1)) (zip (iota N) (scan (+) 0 x))
