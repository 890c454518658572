# A tridiagonal system by Thomas's algorithm, two loops over its unknowns.
let put i v x = map (\(e, j) -> if j == i then v else e) (zip x (iota (length x)))
let thomas (a: [N]f32) (b: [N]f32) (c: [N]f32) (d: [N]f32) =
  let (p, q) = loop (N - 1) (\(p, q) s ->
      let i = s + 1
      let m = b[i] - a[i] * p[s]
      in (put i (c[i] / m) p, put i ((d[i] - a[i] * q[s]) / m) q))
    (put 0 (c[0] / b[0]) (replicate N 0.0), put 0 (d[0] / b[0]) (replicate N 0.0))
  in loop (N - 1) (\x s -> let i = N - 2 - s in put i (q[i] - p[i] * x[i + 1]) x) (put (N - 1) q[N - 1] (replicate N 0.0))
