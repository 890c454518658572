# Rows of each element of a batch, weighted by the softmax of how well they fit a vector (attention pooling).
let dot a b = reduce (+) 0 (map (*) (zip a b))
let sum a = reduce (+) 0 a
let attpool (X: [B][N][D]f32) (w: [D]f32) = map (\x -> let s = map (\r -> dot r w) x let m = reduce max (-inf) s let e = map (\v -> exp (v - m)) s let t = sum e in map (\c -> dot c e / t) (transpose x)) X
