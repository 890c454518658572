let dot x y = reduce (+) 0 (zipWith (*) x y)

let cg (b: [N]f32) =
  loopWhile 50 (\(x, r, p, rr) -> rr > 1e-6)
    (\(x, r, p, rr) ->
      let q = map (\w -> 2.5 * w[1] - w[0] - w[2]) (slide 3 1 (padConst 1 1 0.0 p))
      in let alpha = rr / dot p q
      in let x2 = map (\(a, b) -> a + alpha * b) (zip x p)
      in let r2 = map (\(a, b) -> a - alpha * b) (zip r q)
      in let rr2 = dot r2 r2
      in (x2, r2, map (\(a, b) -> a + (rr2 / rr) * b) (zip r2 p), rr2))
    (replicate N 0.0, b, b, dot b b)
