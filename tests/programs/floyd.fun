let floyd (D: [N][N]f32) =
  loop N (\d k -> map (\row -> map (\(x, y) -> min x (row[k] + y)) (zip row d[k])) d) D
