let life (board: [N][M]i32) =
  iterate 20 (\b -> map (map (\w ->
      let n = reduce (+) 0 (join w) - w[1][1]
      in if n == 3 || (n == 2 && w[1][1] == 1) then 1 else 0)) (slide2 3 1 (pad2 1 1 wrap b))) (map (map (\x -> if x > 0 then 1 else 0)) board)
