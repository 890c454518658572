let asum (xs: [N]f32) = reduceSeq (+) 0 (mapGlobal 0 (\c -> reduceSeq (\(acc, x) -> acc + abs x) 0 c) (split 64 xs))
