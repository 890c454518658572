# Worked on in chunks of four.
let fours (xs: [N]f32) = join (map (map (\x -> x * 3)) (split 4 xs))
