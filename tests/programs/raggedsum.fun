let raggedsum (o: [M+1]i32) (x: [N]f32) = mapSegments (reduce (+) 0) o x
