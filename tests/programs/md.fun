# Lennard-Jones forces on N atoms from M neighbours each (SHOC's MD, ICFP'15 figure 13).
let add ((a, b, c), (d, e, f)) = (a + d, b + e, c + f) with associative commutative
let force (x, y, z) (u, v, w) =
  let dx = x - u let dy = y - v let dz = z - w
  let r2 = dx * dx + dy * dy + dz * dz
  let i2 = if r2 < 16.0 then 1 / (r2 + 0.1) else 0.0
  let i6 = i2 * i2 * i2
  let f = i2 * i6 * (1.5 * i6 - 2.0)
  in (dx * f, dy * f, dz * f)
let md (atoms: [N](f32, f32, f32)) (neighbours: [N][M]i32) =
  map (\(p, list) -> reduce add (0, 0, 0) (map (force p) (gather (map (\i -> i % N) list) atoms))) (zip atoms neighbours)
