# One step of heat in three dimensions: each cell goes by the second differences to its six neighbours; the edges are repeated.
let heat3d (t: [D][N][M]f32) =
  map3 (\w -> let c = w[1][1][1]
              in c + 0.1 * (w[0][1][1] + w[2][1][1] + w[1][0][1] + w[1][2][1] + w[1][1][0] + w[1][1][2] - 6 * c))
       (slide3 3 1 (pad3 1 1 clamp t))
