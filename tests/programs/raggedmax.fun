let raggedmax (o: [M+1]i32) (x: [N]f32) = mapSegments (reduce max (-inf)) o x
