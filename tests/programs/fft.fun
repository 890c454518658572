# The discrete Fourier transform of N complex numbers, N a power of 2 (Stockham: no bit reversal).
let add ((a, b), (c, d)) = (a + c, b + d)
let times ((a, b), (c, d)) = (a * c - b * d, a * d + b * c)
let turn (j: i32) (l: i32) = let angle = -pi * f32 j / f32 l in (cos angle, sin angle)
let butterfly (x: [N](f32, f32)) (l: i32) (i: i32) =
  let at = i / (2 * l) * l + i % l
  let (c, s) = times (turn (i % l) l, x[at + N // 2])
  in if i % (2 * l) < l then add (x[at], (c, s)) else add (x[at], (-c, -s))
let fft (xs: [N](f32, f32)) =
  (loopWhile 30 (\(x, l) -> l < N) (\(x, l) -> (generate N (butterfly x l), 2 * l)) (xs, 1)).0
