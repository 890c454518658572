# The largest fall below the highest value so far.
let drawdown (x: [N]f32) = reduce max 0 (map (-) (zip (scan max (-inf) x) x))
