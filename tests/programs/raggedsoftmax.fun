let raggedsoftmax (o: [M+1]i32) (x: [N]f32) =
  mapSegments (\row -> let m = reduce max (-inf) row in (m, reduce (+) 0 (map (\v -> exp (v - m)) row))) o x
