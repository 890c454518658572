# The deepest fall from the highest sum so far, of each row.
let drawdowns (R: [N][T]f32) = map (\r -> let e = scan (+) 0 r let m = scan max (-inf) e in reduce max 0 (map (\(a, b) -> a - b) (zip m e))) R
