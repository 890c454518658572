> # what a filter makes of each row is made once, whatever is read of it
> let passing (A: [N][M]f32) = map (\r -> let p = filter (\v -> v > 0) 0 r in (p.0, p.1, reduce (+) 0 p.0)) A
passing : [N][M]f32 -> [N]([M]f32, i32, f32)
> set target h200
> data N = 1000, M = 97
> lower | head -1
@1  lower                               builtin    from @0
> code | grep -c 'kernel void'
1
> set target auto
> device oclgrind
oclgrind    Oclgrind Simulator
> set seeds 1
> set repeats 1
> data N = 7, M = 9
> run | grep verify
  verify  OK   1 input x 1 repeat; input 1 exact
