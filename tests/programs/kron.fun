# The Kronecker product of two matrices.
let kron (x: [A][B]f32) (y: [C][D]f32) = join (map (\r -> map (\s -> join (map (\a -> map (\b -> a * b) s) r)) y) x)
