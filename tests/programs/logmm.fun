# A product in the logarithmic domain.
let sum a = reduce (+) 0 a
let logmm (X: [B][S]f32) (A: [S][T]f32) = map (\x -> map (\a -> let v = map (\(p, q) -> p + q) (zip x a) let m = reduce max (-inf) v in m + log (sum (map (\u -> exp (u - m)) v))) (transpose A)) X
