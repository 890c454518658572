let tree (xs: [N]f32) =
  reduceSeq (+) 0 . join $ mapWorkgroup 0 (\c -> mapLocal 0 (\x -> x) (toLocal (iterate 6 (\v -> mapLocal 0 (\q -> reduceSeq (+) 0 q) (split 2 v)) c))) (split 64 xs)
