let scal (alpha: f32) (xs: [N]f32) = map (\x -> alpha * x) xs
let asum (xs: [N]f32) = xs |> map abs |> reduce (+) 0
let dot (xs: [N]f32) (ys: [N]f32) = reduce (+) 0 . map (*) $ zip xs ys
let gemv (A: [N][M]f32) (x: [M]f32) (y: [N]f32) (alpha: f32) (beta: f32) =
  map (\(row, yi) -> alpha * dot row x + beta * yi) (zip A y)
let mm (A: [N][K]f32) (B: [K][M]f32) =
  map (\row -> map (\col -> reduce (+) 0 (map (*) (zip row col))) (transpose B)) A

let add3 ((ax, ay, az), (bx, by, bz)) = (ax + bx, ay + by, az + bz) with associative commutative neutral (0, 0, 0)
let force (px, py, pz) cut lj1 lj2 (qx, qy, qz) =
  let dx = px - qx let dy = py - qy let dz = pz - qz
  let r2 = dx*dx + dy*dy + dz*dz
  let i2 = 1 / r2
  let i6 = i2 * i2 * i2
  let f = i2 * i6 * (lj1 * i6 - lj2)
  in if r2 < cut then (f*dx, f*dy, f*dz) else (0, 0, 0)
let md (ps: [N](f32, f32, f32)) (near: [J][N]i32) (cut: f32) (lj1: f32) (lj2: f32) =
  map (\(p, is) -> gather is ps |> map (force p cut lj1 lj2) |> reduce add3 (0, 0, 0)) (zip ps (transpose near))

let phi x =
  let l = abs x
  let k = 1 / (1 + 0.2316419 * l)
  let poly = k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))))
  let w = 1 - 0.39894228 * exp (-l * l / 2) * poly
  in select (x < 0) (1 - w) w
let option r v (s, x, t) =
  let d1 = (log (s / x) + (r + v * v / 2) * t) / (v * sqrt t)
  let d2 = d1 - v * sqrt t
  let e = x * exp (-r * t)
  in (s * phi d1 - e * phi d2, e * phi (-d2) - s * phi (-d1))
let blackScholes (s: [N]f32) (x: [N]f32) (t: [N]f32) (r: f32) (v: f32) = map (option r v) (zip3 s x t)

let around x = map transpose . slide 3 1 . map (slide 3 1) $ x            # [n][m]a -> [n-2][m-2][3][3]a
let edges x = pad 1 1 clamp (map (pad 1 1 clamp) x)
let blur (img: [N][M]f32) (w: [3][3]f32) =
  map (map (\nb -> dot (join nb) (join w))) . around . edges $ img

let dist p c = reduce (+) 0 (map (\(x, y) -> (x - y) * (x - y)) (zip p c))
let nearer ((d, i), (e, j)) = if e < d then (e, j) else (d, i)
let kmeans (features: [F][P]f32) (clusters: [C][F]f32) =
  map (\p -> (reduce nearer (inf, 0) (zip (map (dist p) clusters) (iota C))).1) (transpose features)

let pull eps (px, py, pz, pm) (qx, qy, qz, qm) =
  let dx = qx - px let dy = qy - py let dz = qz - pz
  let i = rsqrt (dx*dx + dy*dy + dz*dz + eps)
  let s = qm * i * i * i
  in (dx * s, dy * s, dz * s)
let move dt (px, py, pz, pm) (vx, vy, vz) (ax, ay, az) =
  ((px + vx*dt + ax*dt*dt/2, py + vy*dt + ay*dt*dt/2, pz + vz*dt + az*dt*dt/2, pm), (vx + ax*dt, vy + ay*dt, vz + az*dt))
let nbody (pos: [N](f32, f32, f32, f32)) (vel: [N](f32, f32, f32)) (eps: f32) (dt: f32) =
  map (\(p, v) -> move dt p v (reduce add3 (0, 0, 0) (map (pull eps p) pos))) (zip pos vel)
let vectorScal (xs: [N]i32) =
  join . mapWorkgroup 0 (asScalar . mapLocal 0 (mapVec (\x -> x * 3)) . asVector 4) . split 1024 $ xs
