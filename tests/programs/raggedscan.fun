let raggedscan (o: [M+1]i32) (xs: [N]f32) = scanSegments (+) 0 (segmentStarts o xs) xs
