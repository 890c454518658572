# h_t = a_t h_(t-1) + b_t along time, for each channel of each element of a batch.
let comb ((a, b), (c, d)) = (a * c, c * b + d) with associative neutral (1, 0)
let recurrence (A: [B][T][D]f32) (X: [B][T][D]f32) = map (\(P, Q) -> transpose (map (\(a, b) -> map (\(p, q) -> q) (scan comb (1, 0) (zip (map (\v -> 1 / (1 + exp v)) a) b))) (zip (transpose P) (transpose Q)))) (zip A X)
