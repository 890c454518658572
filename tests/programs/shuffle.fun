# Four channels as one picture of twice the height and width (pixel shuffle).
let pairs a b = join (map (\(x, y) -> [x, y]) (zip a b))
let shuffle (X: [C][4][H][W]f32) = map (\q -> join (map (\(r, s) -> [pairs r[0] r[1], pairs s[0] s[1]]) (zip (transpose (take 2 q)) (transpose (drop 2 q))))) X
