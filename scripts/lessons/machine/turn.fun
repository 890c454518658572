# Each chunk of 64 backwards, twice.
let turn (xs: [N]f32) = join (map (\c -> map (\x -> x + 1) (reorder reverse (map (\x -> x * 2) c))) (split 64 xs))
