let p (x: [N][M]f32) = mapWorkgroup 0 (\r -> reduceSeq (\(acc, v) -> mapLocal 0 (\(a, b) -> a + b) (zip acc v)) (toLocal (mapLocal 0 (\i -> 0.0) (iota 8))) (split 8 r) |> mapLocal 0 (\v -> v)) x
