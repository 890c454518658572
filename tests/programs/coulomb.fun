# The potential of point charges at places.
let coulomb (G: [N][3]f32) (A: [M][4]f32) =
  map (\g -> reduce (+) 0 (map (\a -> let dx = g[0] - a[0] let dy = g[1] - a[1] let dz = g[2] - a[2] in a[3] * rsqrt (dx * dx + dy * dy + dz * dz + 0.01)) A)) G
