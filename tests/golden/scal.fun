let scal (alpha: f32) (xs: [N]f32) = mapGlobal 0 (\x -> x * alpha) xs
