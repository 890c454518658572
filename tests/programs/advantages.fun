# Generalised advantage estimates: a scan from the end of each row, of what neighbours in another array make.
let disc ((a, b), (c, d)) = (a * c, b * c + d) with associative neutral (1, 0)
let advantages (R: [B][T]f32) (V: [B][T+1]f32) = map (\(r, v) ->
   let d = map (\(x, a, b) -> x + 0.99 * b - a) (zip3 r (take T v) (drop 1 v))
   in reorder reverse (map (\(g, y) -> y) (scan disc (1, 0) (map (\e -> (0.9405, e)) (reorder reverse d))))) (zip R V)
