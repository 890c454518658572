let maxpool (X: [C][2*H][2*W]f32) =
  map (\img -> map (\rows -> map (\w -> reduce max (-inf) (join w)) (transpose (map (split 2) rows))) (split 2 img)) X
