# A signal is reversed, doubled and reversed again.
let mirror (xs: [N]i32) = reorder reverse (map (\x -> x * 2) (reorder reverse xs))
