# The largest of every two, by pairs.
let chunks (xs: [N]i32) = map (reduce max 0) (split 2 xs)
