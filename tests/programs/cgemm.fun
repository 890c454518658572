# A product of complex matrices.
let cadd ((a, b), (c, d)) = (a + c, b + d) with associative commutative
let cmul ((a, b), (c, d)) = (a * c - b * d, a * d + b * c)
let cgemm (A: [N][K](f32, f32)) (B: [K][M](f32, f32)) = map (\a -> map (\b -> reduce cadd (0, 0) (map cmul (zip a b))) (transpose B)) A
