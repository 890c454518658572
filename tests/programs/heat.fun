# Steps of Jacobi's iteration on a plate whose edges repeat.
let average w = 0.2 * (w[1][1] + w[0][1] + w[2][1] + w[1][0] + w[1][2])
let heat (A: [N][M]f32) = iterate 100 (\x -> map (map average) (slide2 3 1 (pad2 1 1 clamp x))) A
