let vectorScal (xs: [N]i32) =
  join . mapWorkgroup 0 (asScalar . mapLocal 0 (mapVec (\x -> x * 3)) . asVector 4) . split 1024 $ xs
