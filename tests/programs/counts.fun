# How many of the bytes begin with each of the sixteen digits.
let counts (xs: [N]u8) = generate 16 (\d -> reduce (+) 0 (map (\x -> if i32 (shr x 4) == d then 1 else 0) xs))
