# A signal under a filter of five; its ends are repeated.
let smooth (xs: [N]f32) (w: [5]f32) =
  map (\nb -> reduce (+) 0 (map (*) (zip nb w))) (slide 5 1 (pad 2 2 clamp xs))
