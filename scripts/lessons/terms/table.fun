# The largest sum of a row.
let table (A: [N][M]f32) = reduce max 0 (map (\row -> reduce (+) 0 row) A)
