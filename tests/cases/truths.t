> # all and any of a long array, whatever its length: what a group makes together stands before the && that would ask for it
> device oclgrind
oclgrind    Oclgrind Simulator
> set target h200
> let whole (s: [N]i32) = all (map (\c -> c >= 0) s)
whole : [N]i32 -> bool
> data N = 1000000
> lower --explain | head -2
#1 /         reduce (&&) true . map (\c -> c >= 0) $ s
  reduction  9.01 us   0.37 of the bound
> data N = 40001
> lower | head -1
@1  lower                               builtin    from @0
> run -n 1 | grep verify
  verify  OK   3 inputs x 1 repeat; input 1 exact
> data s = const(1)
> run -n 1 | grep verify
  verify  OK   2 inputs x 1 repeat; input 1 exact
> let paired (s: [N]i32) = let d = scan (+) 0 s in last d != 0 || any (map (\c -> c < 0) d)
paired : [N]i32 -> bool
> lower | head -1
@1  lower                               builtin    from @0
> run -n 1 | grep verify
  verify  OK   3 inputs x 1 repeat; input 1 exact
