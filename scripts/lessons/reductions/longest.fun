# The larger magnitude wins.
let far (a, b) = if abs a < abs b then b else a
let longest (xs: [N]i32) = reduce far 0 xs
