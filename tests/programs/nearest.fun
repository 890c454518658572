# The squared distance from each of N points to the nearest of M others, in K coordinates.
let dist p q = reduce (+) 0 (map (\(a, b) -> (a - b) * (a - b)) (zip p q))
let nearest (x: [N][K]f32) (y: [M][K]f32) = map (\p -> reduce min inf (map (\q -> dist p q) y)) x
