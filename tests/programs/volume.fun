# Volume rendering: the colours along a ray, each weighed by its opacity and by what light comes past those before it.
let add3 ((a, b, c), (d, e, f)) = (a + d, b + e, c + f) with associative commutative
let volume (S: [R][N]f32) (C: [R][N](f32, f32, f32)) = map (\(s, c) ->
   let a = map (\v -> 1 - exp (- abs v * 0.1)) s
   let t = scan (*) 1 (map (\v -> 1 - v) a)
   let w = map (\(x, y) -> x * y) (zip a (take N (padConst 1 0 1 t)))
   in reduce add3 (0, 0, 0) (map (\(w, (r, g, b)) -> (w * r, w * g, w * b)) (zip w c))) (zip S C)
