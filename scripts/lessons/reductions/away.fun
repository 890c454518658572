# What is left when everything is taken away.
let away (xs: [N]i32) = reduce (-) 100 xs
