# Two products of one matrix, the one through a gate (Shazeer 2020).
let dot a b = reduce (+) 0 (map (*) (zip a b))
let swiglu (X: [N][K]f32) (W: [M][K]f32) (V: [M][K]f32) =
  map (\x -> map (\(w, v) -> let g = dot x w in g / (1 + exp (-g)) * dot x v) (zip W V)) X
