# the norm of what is above the diagonal: each row makes of its elements more than it could of them alone
let triangle (A: [N][N]f32) =
  sqrt (reduce (+) 0 (join (map (\(r, i) -> map (\(v, j) -> if j > i then v * v else 0) (zip r (iota N))) (zip A (iota N)))))
