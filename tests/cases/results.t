> load tests/programs/scal.fun
scal : f32 -> [N]f32 -> [N]f32
> set verbose 0
> data N = 64
> apply mapGlobal(0) as global
@1  mapGlobal(0)  at /                  builtin    from @0
> undo; apply mapSeq
@0  source
@2  mapSeq  at /                        builtin    from @0
> run -n 3 | sed -n 's/ inputs.*//p'
  verify  OK   3
> run @global -n 0 | sed -n 's/ inputs.*//p'
  verify  OK   3
> log --results
  @0  source
  ├─ @1  mapGlobal(0)  at /  [global]  * ok
* @2  mapSeq  at /  * ok - ms
> run @global -n 2 | sed -n 's/ inputs.*//p'
  verify  OK   3
> log --results
  @0  source
  ├─ @1  mapGlobal(0)  at /  [global]  * ok - ms
* @2  mapSeq  at /  * ok - ms
> log
  @0  source
  ├─ @1  mapGlobal(0)  at /  [global]
* @2  mapSeq  at /
