let spmv (o: [M+1]i32) (vals: [N]f32) (cols: [N]i32) (x: [K]f32) =
  mapSegments (\row -> reduce (+) 0 (map (\(v, c) -> v * at c x) row)) o (zip vals cols)
