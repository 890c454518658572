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
pocl0 **
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
> # a component that is laid out again in the result, as tiles of a matrix, is made there
> let tiled (A: [N][M]f32) = let r = unzip (map (\b -> unzip (map (\t -> let s = map (map (\x -> 2 * x)) t in (s, map (reduce (+) 0) (transpose s))) (transpose (map (split 4) b)))) (split 8 A)) in (join (map (\b -> map join (transpose b)) r.0), r.1)
tiled : [N][M]f32 -> ([N][M]f32, [N/8][M/4][4]f32)
> device oclgrind
oclgrind    Oclgrind Simulator
> data N = 24, M = 12
> lower | head -1
@1  lower                               builtin    from @0
> plan | grep -v '^A'
tiled_k0   3 x 3 work-items, groups of 3x1
   A out_0 out_1
   limited by starting kernels and groups: 3.3 us of the 4.25 us expected
   31 groups a unit at once: their registers fill it
out_0        288 f32, output
out_1        36 f32, output
> run -n 1 | grep verify
  verify  OK   3 inputs x 1 repeat; input 1 exact
> # also when rows are reversed, and where it is used besides
> let turned (A: [N][M]f32) = let r = unzip (map (\row -> (map (\x -> x + 1) row, reduce (+) 0 row)) A) in (reorder reverse r.0, r.1, map (reduce max (-inf)) r.0)
turned : [N][M]f32 -> ([N][M]f32, [N]f32, [N]f32)
> data N = 24, M = 12
> lower | head -1
@1  lower                               builtin    from @0
> plan | grep -v '^A'
turned_k0   24 work-items, groups of 24
   A out_0 out_1 out_2
   joins launches that have one group each
   limited by memory: 4.5 us of the 7.97 us expected
   32 groups a unit at once: a unit takes no more
out_0        288 f32, output
out_1        24 f32, output
out_2        24 f32, output
> run -n 1 | grep verify
  verify  OK   3 inputs x 1 repeat; input 1 exact
> # and arrays behind one another
> let three (x: [N]f32) (y: [N]f32) = let a = map (\v -> v * 2) x in let b = map (\v -> v + 1) y in let c = map (\v -> v - 1) y in (concat (concat a b) c, reduce (+) 0 a + reduce (+) 0 b + reduce (+) 0 c)
three : [N]f32 -> [N]f32 -> ([3*N]f32, f32)
> data N = 100
> lower | head -1
@1  lower                               builtin    from @0
> plan | grep -c copies
0
> run -n 1 | grep verify
  verify  OK   3 inputs x 1 repeat; input 1 exact
