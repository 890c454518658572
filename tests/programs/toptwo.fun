# The two largest of each row.
let ins ((a, b), (c, d)) = (max a c, max (min a c) (max b d)) with associative commutative
let toptwo (X: [N][M]f32) = map (\r -> reduce ins (-inf, -inf) (map (\x -> (x, -inf)) r)) X
