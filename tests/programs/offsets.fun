# Where each positive element goes when they are put together.
let offsets (x: [N]f32) = take N (padConst 1 0 0 (scan (+) 0 (map (\v -> if v > 0 then 1 else 0) x)))
