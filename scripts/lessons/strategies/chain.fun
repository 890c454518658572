# Five maps in a row.
let chain (xs: [N]i32) =
  map (\x -> x + 1) (map (\x -> x * 2) (map (\x -> x + 3) (map abs (map (\x -> x - 4) xs))))
