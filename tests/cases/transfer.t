> set times off
> load tests/programs/scal.fun
scal : f32 -> [N]f32 -> [N]f32
> data N = 1024
> lower
@1  lower                               builtin    from @0
  - map (λx → alpha * x) xs
  + mapGlobal 0 (λx → alpha * x) xs
  type   [N]f32                       unchanged
  focus  /  ->  /                     4 moves here
> run -n 2 --no-verify --transfer both
@1  pocl0 **
  build   - ms        local 0 B/WG   private 1.0 KiB
  verify  off
  time    - ms median of 2  (IQR -, min -)    - GB/s
          with the inputs' way to the device and the results' from it
> run -n 2 --no-verify --transfer to
@1  pocl0 **
  build   - ms        local 0 B/WG   private 1.0 KiB
  verify  off
  time    - ms median of 2  (IQR -, min -)    - GB/s
          with the inputs' way to the device
> run -n 2 --no-verify --transfer from
@1  pocl0 **
  build   - ms        local 0 B/WG   private 1.0 KiB
  verify  off
  time    - ms median of 2  (IQR -, min -)    - GB/s
          with the results' way from the device
> run -n 2 --no-verify
@1  pocl0 **
  build   - ms        local 0 B/WG   private 1.0 KiB
  verify  off
  time    - ms median of 2  (IQR -, min -)    - GB/s
> run --transfer slowly
E05 --transfer is one of none, to, from, both, not "slowly"
> # What was timed with transfers is a result of its own, and no version's best time.
> results --columns transfer,state --sort transfer
  transfer   state
  both       ok
  from       ok
  none       ok
  to         ok
> log
  @0  source
* @1  lower
