> # a scan over several arrays by launches: what it gives is written where it lies, a row a round, and not copied
> device oclgrind
oclgrind    Oclgrind Simulator
> set target h200
> let pairs (x: [T][S]f32) = scanSeq (\((h, c), r) -> let g = map (\(p, a, b) -> p + a * b) (zip r h c) in (map tanh g, g)) (replicate S 0, replicate S 1) x
pairs : [T][S]f32 -> [T]([S]f32, [S]f32)
> data T = 9, S = 65536
> lower | head -1
@1  lower                               builtin    from @0
> plan | grep -cE 'stands for s_[23]'
0
> data T = 3, S = 64
> run -n 1 | grep verify
  verify  OK   3 inputs x 1 repeat
