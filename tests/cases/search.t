> load tests/programs/scal.fun
scal : f32 -> [N]f32 -> [N]f32
> data N = 4096
> set trials 1
> apply splitJoin
@1  splitJoin{n=s0}  at /               builtin    from @0
  - map (λx → alpha * x) xs
  + join ∘ map (map (λx → alpha * x)) ∘ split s0 $ xs
  type   [N]f32                       unchanged
  param  s0 : int    1 <= s0 <= N, s0 divides N        13 legal values for N = 4096
  focus  /  ->  /                     5 moves here
> apply splitJoin at /in/f/body
@2  splitJoin{n=s1}  at /in/f/body      builtin    from @1
  - map (λx → alpha * x) xs1
  + join ∘ map (map (λx → alpha * x)) ∘ split s1 $ xs1
  type   [s0]f32                      unchanged
  param  s1 : int    1 <= s1 <= s0, s1 divides s0        13 legal values for N = 4096
  focus  /  ->  /                     4 moves here
> lower
@3  lower                               builtin    from @2
  - map (join ∘ map (map (λx → alpha * x)) ∘ split s1) ∘ split s0 $ xs
  + mapGlobal 2 (join ∘ mapGlobal 1 (mapGlobal 0 (λx → alpha * x)) ∘ split s1) ∘ split s0 $ xs
  type   [N/s0][s0]f32                unchanged
  inner  3 steps        log --expand
  focus  /  ->  /                     4 moves here
> search params using random --budget 5
search params using random on pocl0   91 points
      1  * s0=512 s1=64                  ok
      2  * s0=2048 s1=4                  ok
      3  * s0=4096 s1=1024               ok
      4  * s0=256 s1=64                  ok
      5  * s0=4 s1=1                     ok
  5 of 91 tried: 5 ok
  the budget of evaluations is spent
> =#t.version("@3").children
5
> search params using exhaustive --budget 4 --keep 1
search params using exhaustive on pocl0   91 points
      1         s0=1 s1=1                     ok
      2         s0=2 s1=1                     ok
      3         s0=2 s1=2                     ok
      4         s0=4 s1=1                     ok   known
  4 of 91 tried: 4 ok, 1 known before
  the budget of evaluations is spent
> search params using exhaustive --budget 2%,50 --keep 1
search params using exhaustive on pocl0   91 points
      1         s0=1 s1=1                     ok   known
      2         s0=2 s1=1                     ok   known
  2 of 91 tried: 2 ok, 2 known before
  the budget of evaluations is spent
> search params using exhaustive --budget 101%
E05 101% is no budget
  form    --budget 50 (evaluations), 10% (of the points), 60s or 5m (time), "<0.4ms" (good enough), or several: 50,60s
  hint    with -o gflops, ">100" (good enough)
> search params using random --set restarts=1 --budget 2
E05 random has no option restarts
  has     none
> help climb
search params|rules using climb
  hill climbing: to better neighbours, then from another random point
  options  restarts=1000000 starts=4 steepest=false        --set NAME=VALUE,...
> list strategies search | head -3
  search                      searching: heuristics, macro rules, schemes and strategies as data
  search using exhaustive     every point in order; --set from=1 step=1
  search using random         points drawn at random, none twice
> search params using randm --budget 4
E02 no search strategy called "randm"; did you mean random?
  has     exhaustive random **
  try     search params using random --budget 4
> search params using climb --set start=2
E05 climb has no option start
  has     restarts=1000000 starts=4 steepest=false
> search params using climb --budget 4 --set starts=two
E05 starts is a number, not two
> search params using random --budget many
E05 many is no budget
  form    --budget 50 (evaluations), 10% (of the points), 60s or 5m (time), "<0.4ms" (good enough), or several: 50,60s
  hint    with -o gflops, ">100" (good enough)
> search params using
E05 using which strategy? `list strategies`
  form    search [params|rules|fusions [using STRATEGY]] [-o OBJECTIVE] [--budget N,N%,TIME,<TIME] [--keep K] [--go] [--set OPTION=VALUE,...] [--again] [--force] [--all] [--plot] [--devices ID,ID*N] [--sizes NAME=SIZE,SIZE,...] [--transfer none|to|from|both] [--call STRATEGY] [--choices "NAME=VALUE,VALUE ..."]
  | search rules [--generate [-o FOLDER] [--budget N]]
  | search [params [using STRATEGY,...]] --simulate [--from FILE] [--seeds N] [--budget N]
  | search params --from FILE.json
  | search params|rules|fusions using STRATEGY --replay FILE ...
> search param using random
E05 search params, search rules or search fusions?
  form    search [params|rules|fusions [using STRATEGY]] [-o OBJECTIVE] [--budget N,N%,TIME,<TIME] [--keep K] [--go] [--set OPTION=VALUE,...] [--again] [--force] [--all] [--plot] [--devices ID,ID*N] [--sizes NAME=SIZE,SIZE,...] [--transfer none|to|from|both] [--call STRATEGY] [--choices "NAME=VALUE,VALUE ..."]
  | search rules [--generate [-o FOLDER] [--budget N]]
  | search [params [using STRATEGY,...]] --simulate [--from FILE] [--seeds N] [--budget N]
  | search params --from FILE.json
  | search params|rules|fusions using STRATEGY --replay FILE ...
> search params random
E05 `using` and a strategy are expected there
  form    search [params|rules|fusions [using STRATEGY]] [-o OBJECTIVE] [--budget N,N%,TIME,<TIME] [--keep K] [--go] [--set OPTION=VALUE,...] [--again] [--force] [--all] [--plot] [--devices ID,ID*N] [--sizes NAME=SIZE,SIZE,...] [--transfer none|to|from|both] [--call STRATEGY] [--choices "NAME=VALUE,VALUE ..."]
  | search rules [--generate [-o FOLDER] [--budget N]]
  | search [params [using STRATEGY,...]] --simulate [--from FILE] [--seeds N] [--budget N]
  | search params --from FILE.json
  | search params|rules|fusions using STRATEGY --replay FILE ...
> goto @0
@0  source
    map (λx → alpha * x) xs
> search params using random
E05 @0 has no unbound parameter: there is nothing to search
  hint    rules without their sizes make parameters, as apply splitJoin does
  try     search rules
> set silence W08
> rule backwards: map f x => map f (reorder reverse x)
rule backwards
  map f x  =>  map f (reorder reverse x)
  user; assumed
> apply backwards * topdown(splitJoin)
* backwards * topdown(splitJoin)  at /  assumed    from *
  - map (λx → alpha * x) xs
  + join ∘ map (map (λx → alpha * x)) ∘ split s0 ∘ reorder reverse $ xs
  type   [N]f32                       unchanged
  param  s0 : int    1 <= s0 <= N, s0 divides N        13 legal values for N = 4096
  inner  2 steps        log --expand
  focus  /  ->  /                     5 moves here
> lower
* lower                              builtin    from *
  - map (map (λx → alpha * x)) ∘ split s0 ∘ reorder reverse $ xs
  + mapGlobal 1 (mapGlobal 0 (λx → alpha * x)) ∘ split s0 ∘ reorder reverse $ xs
  type   [N/s0][s0]f32                unchanged
  inner  2 steps        log --expand
  focus  /  ->  /                     4 moves here
> search params using random --budget 3
search params using random on pocl0   13 points
      1  * s0=128                        wrong: 3874 of 4096 elements differ; first at [0]: got 5, want 7 (rel 0.29)
      2  * s0=512                        wrong: 3874 of 4096 elements differ; first at [0]: got 5, want 7 (rel 0.29)
      3  * s0=4096                       wrong: 3874 of 4096 elements differ; first at [0]: got 5, want 7 (rel 0.29)
  3 of 13 tried: 3 wrong
  the budget of evaluations is spent
E66 none of 3 candidates is valid
  wrong   s0=128  3874 of 4096 elements differ; first at [0]: got 5, want 7 (rel 0.29)
  wrong   s0=512  3874 of 4096 elements differ; first at [0]: got 5, want 7 (rel 0.29)
  wrong   s0=4096  3874 of 4096 elements differ; first at [0]: got 5, want 7 (rel 0.29)
  hint    a larger --budget, or another strategy
  try     list strategies
> search
search params using random on pocl0   13 points
      1  * s0=128                        wrong: 3874 of 4096 elements differ; first at [0]: got 5, want 7 (rel 0.29)   known
      2  * s0=512                        wrong: 3874 of 4096 elements differ; first at [0]: got 5, want 7 (rel 0.29)   known
      3  * s0=4096                       wrong: 3874 of 4096 elements differ; first at [0]: got 5, want 7 (rel 0.29)   known
  3 of 13 tried: 3 wrong, 3 known before
  the budget of evaluations is spent
E66 none of 3 candidates is valid
  wrong   s0=128  3874 of 4096 elements differ; first at [0]: got 5, want 7 (rel 0.29)
  wrong   s0=512  3874 of 4096 elements differ; first at [0]: got 5, want 7 (rel 0.29)
  wrong   s0=4096  3874 of 4096 elements differ; first at [0]: got 5, want 7 (rel 0.29)
  hint    a larger --budget, or another strategy
  try     list strategies
> goto @3
@3  lower
    join ∘ mapGlobal 2 (join ∘ mapGlobal 1 (mapGlobal 0 (λx → alpha * x)) ∘ split s1) ∘ split s0 ...
> search params using random --budget 2 --devices ,
E05 which devices? --devices pocl0,nvidia0; list devices
> search --budget 4 -o gbps
search params using random of * on pocl0   13 points   for gbps
      1  * s0=128                        wrong: 3874 of 4096 elements differ; first at [0]: got 5, want 7 (rel 0.29)   known
      2  * s0=512                        wrong: 3874 of 4096 elements differ; first at [0]: got 5, want 7 (rel 0.29)   known
      3  * s0=4096                       wrong: 3874 of 4096 elements differ; first at [0]: got 5, want 7 (rel 0.29)   known
      4  * s0=1                          wrong: 3874 of 4096 elements differ; first at [0]: got 5, want 7 (rel 0.29)
  4 of 13 tried: 4 wrong, 3 known before
  the budget of evaluations is spent
E66 none of 4 candidates is valid
  wrong   s0=128  3874 of 4096 elements differ; first at [0]: got 5, want 7 (rel 0.29)
  wrong   s0=512  3874 of 4096 elements differ; first at [0]: got 5, want 7 (rel 0.29)
  wrong   s0=4096  3874 of 4096 elements differ; first at [0]: got 5, want 7 (rel 0.29)
  wrong   s0=1  3874 of 4096 elements differ; first at [0]: got 5, want 7 (rel 0.29)
  hint    a larger --budget, or another strategy
  try     list strategies
> # measured anew, and going on with that
> search params using random --budget 2 --again
search params using random on pocl0   91 points
      1  * s0=512 s1=64                  ok
      2  * s0=2048 s1=4                  ok
  2 of 91 tried: 2 ok
  the budget of evaluations is spent
> search --budget 3
search params using random on pocl0   91 points
      1  * s0=512 s1=64                  ok   known
      2  * s0=2048 s1=4                  ok   known
      3  * s0=4096 s1=1024               ok
  3 of 91 tried: 3 ok, 2 known before
  the budget of evaluations is spent
> # what is best, as -o says
> search params using random -o speed --budget 2
E05 no objective "speed"
  has     gbps: bytes of inputs and output, once each, a second
          gflops: floating-point operations of the program a second
          min: shortest time
          time: median time
> search params -o gflops
E05 -o OBJECTIVE is what a search on a device is for
  try     search params using random -o gflops --budget 50
> search params using random --budget <5
E05 <5 is no budget
  form    --budget 50 (evaluations), 10% (of the points), 60s or 5m (time), "<0.4ms" (good enough), or several: 50,60s
  hint    with -o gflops, ">100" (good enough)
> search params using random --budget ">5"
E05 >5 is no budget
  form    --budget 50 (evaluations), 10% (of the points), 60s or 5m (time), "<0.4ms" (good enough), or several: 50,60s
  hint    with -o gflops, ">100" (good enough)
> search params using random -o gbps --budget 3 --keep 1
search params using random on pocl0   91 points   for gbps
      1         s0=512 s1=64                  ok   known
      2         s0=2048 s1=4                  ok   known
      3         s0=4096 s1=1024               ok   known
  3 of 91 tried: 3 ok, 3 known before
  the budget of evaluations is spent
> set times on
> search params using random -o gflops --budget 2 --all
search params using random on pocl0   91 points   for gflops
      1  * s0=512 s1=64                  * GFLOP/s   * *   known
      2  * s0=2048 s1=4                  * GFLOP/s   * *   known
  2 of 91 tried: 2 ok, 2 known before
  the best again, in turns
  * * * * *
  * * * * *
  best * * * * GFLOP/s   * *   (trial *    goto *
  the budget of evaluations is spent
> search params using random -o gbps --budget "9,>0.000001" --all
search params using random on pocl0   91 points   for gbps
      1  * s0=512 s1=64                  * GB/s   * *   known
      2  * s0=2048 s1=4                  * GB/s   * *   known
      3  * s0=4096 s1=1024               * GB/s   * *   known
      4  * s0=256 s1=64                  * GB/s   * *   known
      5  * s0=4 s1=1                     * GB/s   * *   known
      6  * s0=2048 s1=16                 * GB/s   * *
      7  * s0=4096 s1=4                  * GB/s   * *
      8  * s0=512 s1=32                  * GB/s   * *
  8 of 91 tried: 8 ok, 5 known before
  the best again, in turns
  * * * * *
  * * * * *
  * * * * *
  * * * * *
  * * * * *
  best * * * * GB/s   * *   (trial *    goto *
  that is good enough
> lua r = t.search{what = "params", using = "climb", o = "gbps", budget = 1}; print(r.objective, r.best.gbps == r.trials[1].gbps, r.best.gbps > 0)
gbps	true	true
> lua search.objectives.steady = {doc = "little scatter", unit = "%", cost = function(trial) return trial.iqr_ns / trial.ns * 100 end}
> search params using random -o steady --budget 1 --all
search params using random on pocl0   91 points   for steady
      1  * s0=512 s1=64                  * %   * *   known
  1 of 91 tried: 1 ok, 1 known before
  best * * * * %   * *   (trial *    goto *
  the budget of evaluations is spent
> lua search.objectives.small = {cost = function(trial) return trial.point.params.s0 end}
> lua r = t.search{what = "params", using = "random", o = "small", budget = 5}; print(r.best.point)
scal s0=4 s1=1
> lua search.objectives.nothing = {cost = function() end}
> search params using random -o nothing --budget 1
search params using random on pocl0   91 points   for nothing
E05 -o nothing: its cost is no number
  hint    -o time
> let count (xs : [N]i32) = map (\x -> x + 1) xs
count : [N]i32 -> [N]i32
> apply splitJoin ; lower
@1  splitJoin{n=s0}  at /               builtin    from @0
  - map (λx → x + 1) xs
  + join ∘ map (map (λx → x + 1)) ∘ split s0 $ xs
  type   [N]i32                       unchanged
  param  s0 : int    1 <= s0 <= N, s0 divides N        9 legal values for N = 256
  focus  /  ->  /                     5 moves here
@2  lower                               builtin    from @1
  - map (map (λx → x + 1)) ∘ split s0 $ xs
  + mapGlobal 1 (mapGlobal 0 (λx → x + 1)) ∘ split s0 $ xs
  type   [N/s0][s0]i32                unchanged
  inner  2 steps        log --expand
  focus  /  ->  /                     4 moves here
> search params using random -o gflops --budget 1
search params using random on pocl0   9 points   for gflops
E05 -o gflops: the program has no floating-point operations that could be counted
  hint    -o time
> # saturation: the default lowering, then what is apart from it and from each other
> set times off
> let mags (xs: [N]f32) = reduce (+) 0 (map (\x -> x * 2) (map abs xs))
mags : [N]f32 -> f32
> data N = 4096
> search rules using saturation --budget 3
search rules using saturation on pocl0   736 points
      1  @1     lower                         ok
      2  @4     mags/3aa3 open0=64            ok   same source as 1
      3  @7     mags/a7cf open0=1             ok
      4  @10    mags/531a open0=4096          ok   same source as 1
      5  @11    mags/3aa3 open0=16            ok   same source as 1
      6  @12    mags/a7cf open0=32            ok   same source as 3
      7  @13    mags/531a open0=1             ok   same source as 1
      8  @15    mags/ea22                     ok
  3 of 737 tried: 3 ok; 5 more the same source as another
  the budget of evaluations is spent
> log
* @0  source
  ├─ @1  lower  (22 inner steps)
  ├─ @2  reduceSplit{n=open0} * at("/in/in", splitMap) * at("/in/i...  at /  (8 inner steps)
  │  @3  lower  (23 inner steps)
  │  ├─ @4  param open0 = 64
  │  @11  param open0 = 16
  ├─ @5  sumWeighted * at("/in", mapZipRotate) * at("/in/in/0", ge...  at /  (3 inner steps)
  │  @6  lower  (30 inner steps)
  │  ├─ @7  param open0 = 1
  │  @12  param open0 = 32
  ├─ @8  reduceStrided{n=open0} * at("/in/in/in/in", mapFusion) * ...  at /  (5 inner steps)
  │  @9  lower  (22 inner steps)
  │  ├─ @10  param open0 = 4096
  │  @13  param open0 = 1
  @14  at("/in", mapFusion) * sumWeighted * sumWeighted  at /  (3 inner steps)
  @15  lower  (32 inner steps)
> # the descent: the default lowering, then walks
> set times off
> load tests/programs/asum.fun
asum : [N]f32 -> f32
> data N = 4096
> search rules using descent --budget 4
search rules using descent on pocl0   736 points
      1  @1     lower                         ok
      2  @4     reduceLanes; lower s0=64      ok
      3  @5     reduceSeq * reduceMapFusion   ok
      4  @9     reduceChunks; reduceSeq * reduceMapFusion at /in/f/body; lower s0=2  ok
  4 of 740 tried: 4 ok
  the budget of evaluations is spent
> # the version of each trial, though it was kept after it had been tried
> results state=ok --columns trial,at --limit 3
  *   *
  *   *
  *   *
  *   *
