# A picture of smoothed noise: at each point of a grid the fraction of a large multiple of a sine.
let random (x: f32) (y: f32) = let v = 43758.547 * sin (x * 12.9898 + y * 78.233) in v - floor v
let ease (t: f32) = t * t * (3 - 2 * t)
let value (x: f32) (y: f32) =
  let i = floor x
  let j = floor y
  let u = ease (x - i)
  let v = ease (y - j)
  let top = random i j * (1 - u) + random (i + 1) j * u
  let bottom = random i (j + 1) * (1 - u) + random (i + 1) (j + 1) * u
  in top * (1 - v) + bottom * v
let noise (shift: f32) = generate 32 (\r -> generate 32 (\c ->
  let x = f32 c / 32 + shift
  let y = f32 r / 32
  in i32 (255 * (0.5 * value (4 * x) (4 * y) + 0.25 * value (8 * x) (8 * y) + 0.25 * value (16 * x) (16 * y)))))
