let p (x: [N][M]f32) = mapWorkgroup 0 (\r -> mapLocal 0 (\v -> v * 2) (reorder reverse (toLocal (mapLocal 0 (\v -> v + 1) r)))) x
