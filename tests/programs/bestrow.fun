# the place of the largest of each row, the first of equal ones
let better ((a, i), (b, j)) = if b > a || (b == a && j < i) then (b, j) else (a, i)
let bestrow (X: [N][K]f32) = map (\x -> let (v, i) = reduce better (-inf, 0) (zip x (iota K)) in i) X
