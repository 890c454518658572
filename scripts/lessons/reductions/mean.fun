let mid (a, b) = (a + b) / 2
let mean (xs: [N]f32) = reduce mid 0 xs
