> # W10: a store that cannot be opened; what is measured stays in memory
> !mkdir -p "$XDG_STATE_HOME/lathe/results.db"
> let twice (xs: [N]f32) = mapGlobal 0 (\x -> x * 2.0) xs
twice : [N]f32 -> [N]f32
> data N = 64
> results
no results yet: run and search record them
W10 results are kept in memory only: * unable to open database file      (silence: set silence W10)
> run
@0  pocl0 **
  build   **
  verify  OK   3 inputs x 2 repeats; input 1 exact
          exact; sees changes of 6e-08
          every element
  time    - ms median of 20  (IQR -, min -)    - GB/s
> results --columns state,N
  state    N
  ok      64
> # W13: a device whose worker died three times in a row is paused, until somebody takes it up again
> let far (x: [N]f32) (is: [N]i32) = mapGlobal 0 (\i -> at i x) is
far : [N]f32 -> [N]i32 -> [N]f32
> data is = const(2000000000)
> data N = 64
> run --no-verify
@0 pocl0   WORKER DIED  signal 11 while running; recorded, will not be retried (run --force insists)
E62 the worker ended with signal 11 (Segmentation fault) while running kernel far_k0
  worker  the next run starts a new one
  next    device oclgrind ; run        at small sizes: it says what a kernel does wrong
> data N = 128
> run --no-verify
@0 pocl0   WORKER DIED  signal 11 while running; recorded, will not be retried (run --force insists)
E62 the worker ended with signal 11 (Segmentation fault) while running kernel far_k0
  worker  the next run starts a new one
  next    device oclgrind ; run        at small sizes: it says what a kernel does wrong
> data N = 192
> run --no-verify
@0 pocl0   WORKER DIED  signal 11 while running; recorded, will not be retried (run --force insists)
W13 pocl0 is paused: its worker died 3 times in a row      (device pocl0; silence: set silence W13)
E62 the worker ended with signal 11 (Segmentation fault) while running kernel far_k0
  worker  died 3 times in a row: pocl0 is paused until `device pocl0`
  next    device oclgrind ; run        at small sizes: it says what a kernel does wrong
> data N = 256
> run --no-verify
E62 pocl0 is paused: its worker died 3 times in a row
  try     device pocl0        takes it up again; search then goes on behind them
  or      device oclgrind        says what a kernel does wrong, at small sizes
> device | grep -o "pocl0\|paused"
pocl0
paused
> device pocl0
pocl0 **
> use twice
> data N = 128
> run
@0  pocl0 **
  build   **
  verify  OK   3 inputs x 2 repeats; input 1 exact
          exact; sees changes of 6e-08
          every element
  time    - ms median of 20  (IQR -, min -)    - GB/s
