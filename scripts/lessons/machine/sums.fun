# The sums of chunks of 64.
let sums (xs: [N]f32) = map (\c -> reduce (+) 0 (map abs c)) (split 64 xs)
