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
> # Searches, too: their times are known to those with the same transfers alone.
> goto @0
@0  source
    map (λx → alpha * x) xs
> apply splitJoin
@2  splitJoin{n=s0}  at /               builtin    from @0
  - map (λx → alpha * x) xs
  + join ∘ map (map (λx → alpha * x)) ∘ split s0 $ xs
  type   [N]f32                       unchanged
  param  s0 : int    1 <= s0 <= N, s0 divides N        11 legal values for N = 1024
  focus  /  ->  /                     5 moves here
> apply splitJoin at /in/f/body
@3  splitJoin{n=s1}  at /in/f/body      builtin    from @2
  - map (λx → alpha * x) xs1
  + join ∘ map (map (λx → alpha * x)) ∘ split s1 $ xs1
  type   [s0]f32                      unchanged
  param  s1 : int    1 <= s1 <= s0, s1 divides s0        11 legal values for N = 1024
  focus  /  ->  /                     4 moves here
> lower
@4  lower                               builtin    from @3
  - map (join ∘ map (map (λx → alpha * x)) ∘ split s1) ∘ split s0 $ xs
  + mapGlobal 2 (join ∘ mapGlobal 1 (mapGlobal 0 (λx → alpha * x)) ∘ split s1) ∘ split s0 $ xs
  type   [N/s0][s0]f32                unchanged
  inner  3 steps        log --expand
  focus  /  ->  /                     4 moves here
> search params using exhaustive --budget 2 --transfer both
search params using exhaustive on pocl0   66 points   with transfers both
      1  @5     s0=1 s1=1                     ok
      2  @6     s0=2 s1=1                     ok
  2 of 66 tried: 2 ok
  the budget of evaluations is spent
> search params using exhaustive --budget 2 --transfer both
search params using exhaustive on pocl0   66 points   with transfers both
      1  @5     s0=1 s1=1                     ok   known
      2  @6     s0=2 s1=1                     ok   known
  2 of 66 tried: 2 ok, 2 known before
  the budget of evaluations is spent
> search params using exhaustive --budget 2
search params using exhaustive on pocl0   66 points
      1  @5     s0=1 s1=1                     ok
      2  @6     s0=2 s1=1                     ok
  2 of 66 tried: 2 ok
  the budget of evaluations is spent
> results --columns transfer,state,s0,s1 --sort transfer
  transfer   state   s0   s1
  both       ok
  both       ok       1    1
  both       ok       2    1
  from       ok
  none       ok
  none       ok       1    1
  none       ok       2    1
  to         ok
> search params using random --transfer up
E05 --transfer is one of none, to, from, both, not "up"
