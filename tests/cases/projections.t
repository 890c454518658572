> # components of unzip that are results: alone, under a name, in a tuple, of an input, in an outer map; with a size that nothing divides
> device oclgrind
oclgrind    Oclgrind Simulator
> let p0 (x: [N]f32) (y: [N]f32) = (unzip (map (\(a, b) -> (a + b, a * b)) (zip x y))).1
p0 : [N]f32 -> [N]f32 -> [N]f32
> data N = 97
> lower | head -1
@1  lower                               builtin    from @0
> run | grep -o 'verify *[A-Z]*'
verify  OK
> let p1 (x: [N]f32) (y: [N]f32) = let (a, b) = unzip (map (\(a, b) -> (a + b, a * b)) (zip x y)) in (map (\v -> v + 1) a, b)
p1 : [N]f32 -> [N]f32 -> ([N]f32, [N]f32)
> data N = 97
> lower | head -1
@1  lower                               builtin    from @0
> run | grep -o 'verify *[A-Z]*'
verify  OK
> let p2 (x: [N](f32, f32)) = (unzip x).0
p2 : [N](f32, f32) -> [N]f32
> data N = 97
> lower | head -1
@1  lower                               builtin    from @0
> run | grep -o 'verify *[A-Z]*'
verify  OK
> let p3 (x: [N](f32, f32)) = ((unzip x).1, reduce (+) 0 (unzip x).0)
p3 : [N](f32, f32) -> ([N]f32, f32)
> data N = 97
> lower | head -1
@1  lower                               builtin    from @0
> run | grep -o 'verify *[A-Z]*'
verify  OK
> let p4 (x: [N][M](f32, f32)) = map (\r -> (unzip r).1) x
p4 : [N][M](f32, f32) -> [N][M]f32
> data N = 97 M = 5
> lower | head -1
@1  lower                               builtin    from @0
> run | grep -o 'verify *[A-Z]*'
verify  OK
> let p5 (x: [N](f32, i32)) = let u = unzip x in (u.1, map (\v -> v * 2) u.0)
p5 : [N](f32, i32) -> ([N]i32, [N]f32)
> data N = 97
> lower | head -1
@1  lower                               builtin    from @0
> run | grep -o 'verify *[A-Z]*'
verify  OK
> let p6 (x: [N](f32, f32)) = let s = map (\(a, b) -> (a * 2, b)) x in ((unzip s).0, unzip s)
p6 : [N](f32, f32) -> ([N]f32, ([N]f32, [N]f32))
> data N = 97
> lower | head -1
@1  lower                               builtin    from @0
> run | grep -o 'verify *[A-Z]*'
verify  OK
> let p7 (x: [N](f32, (f32, i32))) = let u = unzip x in ((unzip u.1).1, u.0)
p7 : [N](f32, (f32, i32)) -> ([N]i32, [N]f32)
> data N = 97
> lower | head -1
@1  lower                               builtin    from @0
> run | grep -o 'verify *[A-Z]*'
verify  OK
> device cpu
pocl0    pthread-skylake-avx512-AMD EPYC
> let p0 (x: [N]f32) (y: [N]f32) = (unzip (map (\(a, b) -> (a + b, a * b)) (zip x y))).1
p0 : [N]f32 -> [N]f32 -> [N]f32
> data N = 97
> lower | head -1
@1 is in lowered form already
> run | grep -o 'verify *[A-Z]*'
verify  OK
> let p1 (x: [N]f32) (y: [N]f32) = let (a, b) = unzip (map (\(a, b) -> (a + b, a * b)) (zip x y)) in (map (\v -> v + 1) a, b)
p1 : [N]f32 -> [N]f32 -> ([N]f32, [N]f32)
> data N = 97
> lower | head -1
@1 is in lowered form already
> run | grep -o 'verify *[A-Z]*'
verify  OK
> let p2 (x: [N](f32, f32)) = (unzip x).0
p2 : [N](f32, f32) -> [N]f32
> data N = 97
> lower | head -1
@1 is in lowered form already
> run | grep -o 'verify *[A-Z]*'
verify  OK
> let p3 (x: [N](f32, f32)) = ((unzip x).1, reduce (+) 0 (unzip x).0)
p3 : [N](f32, f32) -> ([N]f32, f32)
> data N = 97
> lower | head -1
@1 is in lowered form already
> run | grep -o 'verify *[A-Z]*'
verify  OK
> let p4 (x: [N][M](f32, f32)) = map (\r -> (unzip r).1) x
p4 : [N][M](f32, f32) -> [N][M]f32
> data N = 97 M = 5
> lower | head -1
@1 is in lowered form already
> run | grep -o 'verify *[A-Z]*'
verify  OK
> let p5 (x: [N](f32, i32)) = let u = unzip x in (u.1, map (\v -> v * 2) u.0)
p5 : [N](f32, i32) -> ([N]i32, [N]f32)
> data N = 97
> lower | head -1
@1 is in lowered form already
> run | grep -o 'verify *[A-Z]*'
verify  OK
> let p6 (x: [N](f32, f32)) = let s = map (\(a, b) -> (a * 2, b)) x in ((unzip s).0, unzip s)
p6 : [N](f32, f32) -> ([N]f32, ([N]f32, [N]f32))
> data N = 97
> lower | head -1
@1 is in lowered form already
> run | grep -o 'verify *[A-Z]*'
verify  OK
> let p7 (x: [N](f32, (f32, i32))) = let u = unzip x in ((unzip u.1).1, u.0)
p7 : [N](f32, (f32, i32)) -> ([N]i32, [N]f32)
> data N = 97
> lower | head -1
@1 is in lowered form already
> run | grep -o 'verify *[A-Z]*'
verify  OK
