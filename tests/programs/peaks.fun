let peaks (x: [N]f32) = map (\((a, b), v) -> (a / b, v - a)) (zip (scan (\((a, b), (c, d)) -> (a + c, max b d)) (0, 0.5) (zip x x)) x)
