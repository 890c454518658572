> # strategies of a user's own, on the modules that guided and descent are made of: help searching
> ! printf '%s\n' 'search.strategy("modest", "the best predicted, a few at a time", {first = 4}, function(run, options)' '  local pool = search.pool(run)' '  pool:sample(100, 2)' '  while pool:descend(8, 2) do end' '  pool:try(search.take({}, pool:ranked(), options.first))' '  while pool:ranked()[1] do' '    pool:near(pool:fastest()[1])' '    pool:try({pool:ranked()[1]})' '  end' 'end)' > modest.lua
> source modest.lua
> list strategies modest
  search using modest         the best predicted, a few at a time; --set first=4
> search params using modest,random --simulate --seeds 10 --from tests/bench/recorded/mm-forms-pocl.tsv
simulation on 215 recorded points of mm on pocl0  N=256 K=256 M=256: 215 ok, best 268.7 us; 10 seeds, at most 200 evaluations
the cost model's order of them and the measured one correlate with 0.87 (Spearman)
                           over    within 2 %     within 5 %    within 10 %
  strategy          score   time     n50    n95     n50    n95     n50    n95
  random (exact)     0.00      -     108    205      63    167      28     96
  modest             0.99      -       9     17       2     13       1      1
  random             0.13      -      98      -      52    144      32    115
  score: 0 as random search, 1 the best at once
  n50, n95: evaluations until 50 %, 95 % of the searches are so close
> search params using modest --set first=1 --simulate --seeds 3 --from tests/bench/recorded/mm-forms-pocl.tsv | grep modest
  modest             1.00      -       6     13       2      3       1      1
> # on a device; a walk is a version
> set trials 1; set times off
> load tests/programs/scal.fun
scal : f32 -> [N]f32 -> [N]f32
> data N = 4096
> search rules using modest --budget 3
search rules using modest on pocl0   524 points
      1  @2     scal/0dc9 s0=2048 s1=2        ok
      2  @4     scal/be5d s0=2048 s1=128      ok
      3  @5     scal/0dc9 s0=2048 s1=8        ok
  3 of 524 tried: 3 ok
  the budget of evaluations is spent
> lua search.strategy("stroll", "walks that remember what came first", {}, function(run) local walks, root = search.walks(run), search.derivations(run.version, 1) while true do local path, v = walks:down({root}) if not v then return end walks:learn(path, run:try(v).n) end end)
> search rules using stroll --budget 4
search rules using stroll on pocl0   524 points
      1  @8     outermost(computes, toGlobalStream); innermost(computes, mapVectorise(8)) at /in; outermost(computes, mapWorkgroup(0)) at /in/in  ok
      2  @9     lower                         ok
      3  @14    splitJoin{n=s0}; innermost(computes, mapVectorise(8)) at /in/f/body; innermost(computes, splitJoin * slot("in", mapInterchangeInner * slot("in", slot("f", mapSeqUnroll) * mapSeq))); outermost(computes, mapWorkgroup(0)) at /in s0=128 s1=8  ok
      4  @15    mapSeq                        ok
  4 of 528 tried: 4 ok
  the budget of evaluations is spent
> # what is no point is said
> lua search.strategy("beyond", "", {}, function(run) run:try(run.points:at(1000)) end)
> search rules using beyond
search rules using beyond on pocl0   524 points
E24 a strategy tries points of run.points and versions, not nothing
> # a line through three points, and where it is
> lua f = search.regression({{x = {1}, y = 2}, {x = {2}, y = 4}, {x = {3}, y = 6}}, {{1}, {2}, {3}}, 0) print(("%.3f %.3f"):format(f({4}), f({1.5})))
8.000 3.000
> lua f = search.regression({}, {{1}}, 1) print(f({5}))
0.0
> # over a list of sizes, with one table; then the sizes are what they were
> load tests/programs/scal.fun ; goto @0
scal : f32 -> [N]f32 -> [N]f32
@0  source
    map (λx → alpha * x) xs
> data N = 512
> lua v = assert(t.apply(splitJoin * topdown(mapGlobal(1)) * topdown(splitJoin) * topdown(mapGlobal(0)) * topdown(mapSeq)))
> search params using exhaustive --budget 1 --sizes N=64,256
N=64
search params using exhaustive on * 28 points
      1  @17    s0=1 s1=1                     ok
  1 of 28 tried: 1 ok
  the budget of evaluations is spent
N=256
search params using exhaustive on * 45 points
      1  @17    s0=1 s1=1                     ok
  1 of 45 tried: 1 ok
  the budget of evaluations is spent
the best at each size
  N=64    -                             s0=1 s1=1
  N=256   -                             s0=1 s1=1
> data | head -1
  N = 512
> search params using exhaustive --budget 1 --sizes "N=64,256 M=1,2"
E02 scal has no size "M"
  has     N alpha xs
> search params using exhaustive --budget 1 --sizes "N=64,256 M=1"
E05 --sizes: each list has as many sizes as the others
> search params using exhaustive --budget 1 --sizes N=64,192..320/128 | tail -4
the best at each size
  N=64    -                             s0=1 s1=1
  N=192   -                             s0=1 s1=1
  N=320   -                             s0=1 s1=1
> search params using exhaustive --budget 1 --sizes N=64..320
E05 --sizes: 64..320 is no size
  form    --sizes NAME=SIZE,SIZE,...; a SIZE is a number, or several: 128..5632/64
  hint    as in --sizes N=K=M=256,512,1024
> search params using exhaustive --budget 1 --sizes N=big
E05 --sizes: big is no size
  form    --sizes NAME=SIZE,SIZE,...; a SIZE is a number, or several: 128..5632/64
  hint    as in --sizes N=K=M=256,512,1024
> search params --sizes N=64
E05 --sizes is for a search with a strategy, on one device
  form    search [params|rules|fusions [using STRATEGY]] [-o OBJECTIVE] [--budget N,N%,TIME,<TIME] [--keep K] [--go] [--set OPTION=VALUE,...] [--again] [--force] [--all] [--plot] [--devices ID,ID*N] [--sizes NAME=SIZE,SIZE,...] [--transfer none|to|from|both] [--call STRATEGY] [--choices "NAME=VALUE,VALUE ..."]
  | search rules [--generate [-o FOLDER] [--budget N]]
  | search [params [using STRATEGY,...]] --simulate [--from FILE] [--seeds N] [--budget N]
  | search params --from FILE.json
  | search params|rules|fusions using STRATEGY --replay FILE ...
> data | head -1
  N = 512
