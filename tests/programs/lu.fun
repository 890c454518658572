let lu (A: [N][N]f32) =
  loop (N - 1) (\a k -> map (\(row, i) -> let f = row[k] / a[k][k] in
      map (\((x, y), j) -> if i > k && j > k then x - f * y else if i > k && j == k then f else x) (zip (zip row a[k]) (iota N)))
    (zip a (iota N))) A
