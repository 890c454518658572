> # sizes that the vectors, tiles and copies of structures do not divide: those are rejected, each by its reason
> set trials 1; set times off; set silence W08
> load tests/programs/mm.fun
mm : [N][K]f32 -> [K][M]f32 -> [N][M]f32
> data N = 30
> data K = 20
> data M = 30
> search rules | grep 'no legal point\|kernels '
         139 programs  kernels for a legal point
                                  549 rejected: no legal point
      15,080 kernels   parameters
> search rules using random --budget 3
search rules using random on pocl0   27104 points
      1  @2     mm/dbc9 s0=6 s1=6 s2=6 s3=2 s4=5  ok
      2  @4     mm/2c1d s0=30 s1=2 s2=30 s3=1  ok
      3  @6     mm/40d6 s0=5 s1=5 s2=5        ok
  3 of 27104 tried: 3 ok
  the budget of evaluations is spent
> data N = 97
> data K = 97
> data M = 97
> search rules using guided --budget 2
search rules using guided on pocl0   180 points
      1  @7     lower                         ok
      2  @7     mm/9c2f                       ok   same source as 1
      3  @8     mm/ae30                       ok
  2 of 181 tried: 2 ok; 1 more the same source as another
  the budget of evaluations is spent
> # no strategy ends on what cannot be made: of a product with a vector, 17 of 19 programs
> load tests/programs/gemv.fun
gemv : [N][M]f32 -> [M]f32 -> [N]f32 -> f32 -> f32 -> [N]f32        2 programs; list programs
> data N = 30
> data M = 20
> lua for _, using in ipairs{"exhaustive", "climb", "anneal", "genetic", "nested", "guided", "descent"} do local r, why = t.search{what = "rules", using = using, budget = 1} print(using, r and r.evaluations, why) end
exhaustive	1	nil
climb	1	nil
anneal	1	nil
genetic	1	nil
nested	1	nil
guided	1	nil
descent	1	nil
> use mm
> # points that make no kernel are counted by reason, and cost no evaluation
> data N = 64
> data K = 64
> data M = 64
> apply tile * at("/in/f/body/in/in/f/body/in/f/body/f/body", reduceSeq * reduceMapFusion) * at("/in/f/body/in/in/f/body/in", blockFold) * (tileFold * foldOutOfMap * foldOutOfMap * wholeTiles(false, true)) * groupsOf * innermost(innerFold, accPrivate2) * outermost(outerFold, accGlobal3) * normalize(mulAdd)
@9  tile * at("/in/f/body/in/in/f/body/in/f/body/f/body", reduceSeq * reduceMapFusion) * at("/in/f/body/in/in/f/body/in", blockFold) * (tileFold * foldOutOfMap * foldOutOfMap * wholeTiles(false, true)) * groupsOf * innermost(innerFold, accPrivate2) * outermost(outerFold, accGlobal3) * normalize(mulAdd)  at /
                                        builtin    from @0
  - map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) A
  + join ∘ mapWorkgroup 1 (λcols → transpose ∘ join ∘ mapWorkgroup 0 (λxss → transpose (join (map...
  type   [N][M]f32                    unchanged
  param  s3 : int    1 <= s3 <= s1, s3 divides s1        7 legal values for M = 64
  param  s2 : int    1 <= s2 <= s0, s2 divides s0        7 legal values for N = 64
  param  s0 : int    1 <= s0 <= N, s2 divides s0, s0 divides N        7 legal values for N = 64
  param  s1 : int    1 <= s1 <= M, s3 divides s1, s1 divides M        7 legal values for M = 64
  param  s4 : int    1 <= s4 <= K, s4 divides K        7 legal values for K = 64
  inner  56 steps        log --expand
  focus  /  ->  /                     4 moves here
> search params using random --budget 2
search params using random on pocl0   5488 points
      7  @10    s0=64 s1=16 s2=32 s3=16 s4=64  ok
     15  @11    s0=16 s1=16 s2=4 s3=4 s4=64   ok
  2 of 5488 tried: 2 ok; 13 more made no kernel
  rejected       13   the array value has to be copied to its place: write mapSeq id (or another mapped copy) around it
  the budget of evaluations is spent
> lua r = t.search{what = "params", using = "random", budget = 2} print(r.evaluations, r.refused > 0, r.rejected[1].count == r.refused, #r.trials == r.evaluations + r.refused)
2	true	true	true
