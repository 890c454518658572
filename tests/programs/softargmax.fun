# The place that the softmax of each picture expects.
let sum x = reduce (+) 0 x
let most x = reduce max (-inf) x
let softargmax (X: [B][H][W]f32) = map (\x ->
    let m = most (map most x)
    let e = map (map (\v -> exp (v - m))) x
    let s = sum (map sum e)
    in (sum (map (\(r, i) -> f32 i * sum r) (zip e (iota H))) / s,
        sum (map (\r -> sum (map (\(v, j) -> f32 j * v) (zip r (iota W)))) e) / s)) X
