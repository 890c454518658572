# The dimensions of an array the other way round.
let permute (X: [A][B][C]f32) = map transpose (transpose (map transpose X))
