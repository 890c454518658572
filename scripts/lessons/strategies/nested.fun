# Rows, and the elements of rows, in several maps.
let nested (A: [N][M]f32) =
  map (\row -> map (\x -> x + 1) (map (\x -> x * 2) row)) (map (\row -> map abs (map (\x -> x - 1) row)) A)
