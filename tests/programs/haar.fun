# One step of the Haar wavelet transform of each row: averages and differences of neighbours.
let haar (X: [N][M]f32) = unzip (map (\r -> unzip (map (\w -> ((w[0] + w[1]) * 0.70710678, (w[0] - w[1]) * 0.70710678)) (split 2 r))) X)
