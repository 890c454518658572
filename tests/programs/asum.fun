# The sum of absolute values.
let asum (xs: [N]f32) = xs |> map abs |> reduce (+) 0
