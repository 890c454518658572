# One step of a long short-term memory (Hochreiter and Schmidhuber 1997): the new output and the new cell.
let dot a b = reduce (+) 0 (map (*) (zip a b))
let sig v = 1 / (1 + exp (0 - v))
let lstm (x: [B][I]f32) (h: [B][H]f32) (c: [B][H]f32) (wx: [4][H][I]f32) (wh: [4][H][H]f32) (b: [4][H]f32) =
  generate B (\n -> generate H (\j ->
    let g = generate 4 (\q -> dot x[n] wx[q][j] + dot h[n] wh[q][j] + b[q][j])
    let cn = sig g[1] * c[n][j] + sig g[0] * tanh g[2]
    in (sig g[3] * tanh cn, cn)))
