# The sum of each channel over a batch of pictures.
let channels (x: [B][C][H][W]f32) = map (\c -> reduce (+) 0 (join (map join c))) (transpose x)
