let segscan (starts: [N]bool) (xs: [N]f32) = scanSegments (+) 0 starts xs
