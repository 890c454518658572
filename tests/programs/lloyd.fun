# k-means to the end: centres move to the means of their points until no point changes its centre (Lloyd 1982).
let distance p c = reduce (+) 0 (map (\(x, y) -> (x - y) * (x - y)) (zip p c))
let nearer ((d, i), (e, j)) = if e < d then (e, j) else (d, i)
let nearest centres p = (reduce nearer (inf, 0) (zip (map (distance p) centres) (iota C))).1
let mean (points: [P][F]f32) (of: [P]i32) (old, c) =
  let n = reduce (+) 0 (map (\i -> if i == c then 1 else 0) of)
  in map (\(column, x) -> if n == 0 then x else reduce (+) 0 (map (\(y, i) -> if i == c then y else 0) (zip column of)) / f32 n)
         (zip (transpose points) old)
let lloyd (points: [P][F]f32) (centres: [C][F]f32) =
  loopWhile 20 (\(cs, of, moved) -> moved > 0)
    (\(cs, of, moved) ->
      let now = map (\p -> (reduce nearer (inf, 0) (zip (map (distance p) cs) (iota C))).1) points
      in (map (mean points now) (zip cs (iota C)), now,
          reduce (+) 0 (map (\(a, b) -> if a == b then 0 else 1) (zip of now))))
    (centres, replicate P (-1), 1)
