# Loops over states of several kinds whose results are exact in any order: for random rewriting.
let loops (xs: [N]i32) (ys: [N]i32) =
  loopWhile 6 (\(a, b, s) -> s < 1000)
    (\(a, b, s) -> (map (\(x, y) -> 2 * x + y) (zip a ys), reorder reverse a, reduce max 0 (map (\(x, y) -> x - y) (zip a b))))
    (xs, map (\y -> y + 1) ys, 0)
