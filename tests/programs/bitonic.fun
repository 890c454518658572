# Batcher's bitonic sort of N numbers, N a power of 2: in the stage of runs of length k, passes at distances k/2, k/4 ... 1.
let exchange (xs: [N]i32) (k: i32) (d: i32) (i: i32) =
  let j = bxor i d
  in if (band i k == 0) == (i < j) then min xs[i] xs[j] else max xs[i] xs[j]
let stage (xs: [N]i32) (k: i32) =
  (loopWhile 30 (\(x, d) -> d > 0) (\(x, d) -> (generate N (exchange x k d), d / 2)) (xs, k / 2)).0
let bitonic (xs: [N]i32) =
  (loopWhile 30 (\(x, k) -> k <= N) (\(x, k) -> (stage x k, 2 * k)) (xs, 2)).0
