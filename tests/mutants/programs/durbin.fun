# Durbin's algorithm for the system of Yule and Walker (PolyBench).
let durbin (r: [N]f64) =
  let (y, a, b) = loop (N - 1) (\(y, a, b) s ->
      let beta = b * (1 - a * a)
      let sum = reduce (+) 0 (map (\(v, i) -> if i <= s then r[max 0 (s - i)] * v else 0) (zip y (iota N)))
      let alpha = -(r[s + 1] + sum) / beta
      in (map (\(v, i) -> if i <= s then v + alpha * y[max 0 (s - i)] else if i == s + 1 then alpha else 0) (zip y (iota N)), alpha, beta))
    (map (\i -> if i == 0 then -r[0] else 0) (iota N), -r[0], 1.0f64)
  in y
