# Somebody worked on chunks of four; then all were shifted.
let chunked (xs: [N]f32) = map (\x -> x + 1) (join (map (map (\x -> x * 2)) (split 4 xs)))
