# Rows divided by their sums: what is the same for every element of a row stands where it is used.
let rownorm (x: [N][M]f32) = map (\r -> map (\v -> v / reduce (+) 0 (map abs r)) r) x
