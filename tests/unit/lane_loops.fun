# What a vector's lanes do by themselves: folds, choices, indices (tests/oclgrind.sh, tests/cases/lane_loops.t).
let nested (xs: [N]f32) (ys: [M]f32) =
  map (\x -> reduce (+) 0 (map (\y -> x * y + reduce max 0 (map (\z -> z - x * y) ys)) ys)) xs
let picked (xs: [N]f32) (ys: [M]f32) =
  map (\x -> reduce (+) x (map (\(y, i) -> y * at (M - 1 - i) ys + at 3 ys) (zip ys (iota M)))) xs
let own (xs: [N]i32) (ys: [M]f32) = map (\x -> reduce (+) 0 (map (\y -> y + at (abs (x % M)) ys) ys)) xs
let nearer ((d, i), (e, j)) = if e < d then (e, j) else (d, i)
let least (xs: [N]f32) (ys: [M]f32) =
  map (\x -> (reduce nearer (inf, 0) (zip (map (\y -> (x - y) * (x - y)) ys) (iota M))).1) xs
let sides (xs: [N]f32) (ys: [M]f32) =
  map (\x -> reduce (+) 0 (map (\y -> if x < y then sqrt (y - x) else 1 / (x - y + 1)) ys)) xs
let divided (xs: [N]i32) (ys: [M]i32) =
  map (\x -> reduce (+) 0 (map (\y -> if x == 0 then y else y / x) ys)) xs
let twice (xs: [N]f32) (ys: [M]f32) =
  map (\x -> let s = reduce (+) 0 (map (\y -> abs (x - y)) ys) in s + reduce max 0 (map (\y -> y * s) (reorder reverse ys))) xs
let windows (xs: [N]f32) (ys: [M]f32) = map (\x -> reduce max 0 (map (\nb -> x * reduce (+) 0 nb) (slide 3 1 (pad 1 1 clamp ys)))) xs
let uniform (xs: [N]f32) (ys: [M]f32) = map (\x -> reduce (+) 0 ys) xs
let wide (xs: [N]f64) (ys: [M]f32) = map (\x -> f64 (reduce (+) 0 (map (\y -> if y < 0 then 1i64 else 0i64) ys)) * x) xs
let risky (xs: [N]i32) (ys: [M]i32) =
  map (\x -> reduce (+) 0 (map (\y -> let t = y / x in if x == 0 then 7 else t + t * x) ys)) xs
let columns (xss: [M][N]f32) (ys: [M]f32) = map (\c -> reduce (+) 0 (map (\(x, y) -> x * y) (zip c ys))) (transpose xss)
let count (xs: [N]f32) (ys: [M]f32) = map (\x -> reduce (+) 0 (map (\y -> if x < y then 1 else 0) ys)) xs
let bits (xs: [N]f32) (ys: [M]f32) = map (\x -> reduce (+) 0 (map (\y -> i32 (x < y)) ys)) xs
let steps (xs: [N]i32) (ys: [M]i32) = map (\x -> reduce (+) 0 (map (\y -> if x < y then x + 1 else x) ys)) xs
let both (xs: [N](f32, i32)) (ys: [M]f32) =
  map (\(x, k) -> reduce (\((a, b), (c, d)) -> (a + c, max b d)) (0, 0) (map (\y -> (x * y, if y < x then k else 1)) ys)) xs
let alls (xs: [N]f32) (ys: [M]f32) = map (\x -> reduce (\(a, b) -> a && b) true (map (\y -> x < y + 2) ys)) xs
let either (xs: [N]f32) (ys: [M]f32) = map (\x -> reduce (\(a, b) -> if x < 0 then a && b else a || b) true (map (\y -> x < y) ys)) xs
let numbers (xs: [N]f32) (ys: [M]f32) =
  map (\i -> reduce (+) 0 (map (\(y, j) -> y * at i xs + at (min (i + j) (N - 1)) xs) (zip ys (iota M)))) (iota N)
