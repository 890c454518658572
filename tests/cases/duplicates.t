> # points with the source of another cost no evaluation, in any search, and a search with a budget ends all the same
> load tests/programs/scal.fun
scal : f32 -> [N]f32 -> [N]f32
> data N = 720720
> set trials 1; set verbose 0; set silence W08
> rule hide(n): map f x => map f (join (split n x)) when n divides (length x)
rule hide(n)
  map f x  =>  map f (join (split n x))  when n divides (length x)
  n: a size; left out: a fresh parameter
  user; assumed
> apply hide
@1  hide{n=s0}  at /                    assumed    from @0
> apply splitJoin
@2  splitJoin{n=s1}  at /               builtin    from @1
> lower
@3  lower                               builtin    from @2
> search params
space of scal@3   57600 points
  s0      240 values   1, 2, 3, 4, 5, 6, 7, 8, 9, 10, ... 720720
  s1      240 values   1, 2, 3, 4, 5, 6, 7, 8, 9, 10, ... 720720
> lua search.strategy("rows", "", {}, function(run) for s1 = 2, 5 do for s0 = 1, 4 do run:try(run.points:point(run.points.structures[1], {s0 = s0, s1 = s1})) end end end)
> search params using rows --budget 3
search params using rows on pocl0   57600 points
      1  @4     s0=1 s1=2                     ok
      2  @5     s0=2 s1=2                     ok   same source as 1
      3  @6     s0=3 s1=2                     ok   same source as 1
      4  @7     s0=4 s1=2                     ok   same source as 1
      5  @8     s0=1 s1=3                     ok
      6  @9     s0=2 s1=3                     ok   same source as 5
      7  @10    s0=3 s1=3                     ok   same source as 5
      8  @11    s0=4 s1=3                     ok   same source as 5
      9  @12    s0=1 s1=4                     ok
  3 of 57600 tried: 3 ok; 6 more the same source as another
  the budget of evaluations is spent
> search params using rows --budget 2 --again
search params using rows on pocl0   57600 points
      1  @4     s0=1 s1=2                     ok
      2  @5     s0=2 s1=2                     ok   same source as 1
      3  @6     s0=3 s1=2                     ok   same source as 1
      4  @7     s0=4 s1=2                     ok   same source as 1
      5  @8     s0=1 s1=3                     ok
  2 of 57600 tried: 2 ok; 3 more the same source as another
  the budget of evaluations is spent
> goto @1
@1?  hide{n=s0}
> apply hide
@13  hide{n=s1}  at /                   assumed    from @1
> lower
@14  lower                              builtin    from @13
> lua r = t.search{what = "params", using = "random", budget = 2, keep = 1}; print(r.evaluations, r.same, #r.trials, r.reason, r.trials[1001].same_as)
1	1000	1001	repeats	1
> # a recording knows sources, too
> lua io.open("dups.tsv", "w"):write("params\tstate\tns\tderivation\tsource\ns0=1\tok\t30\tx\t01\ns0=2\tok\t30\tx\t01\ns0=3\tok\t30\tx\t01\ns0=4\tok\t20\tx\t02\ns0=5\tok\t20\tx\t02\ns0=6\tok\t10\tx\t03\n"):close()
true
> search params using exhaustive --simulate --from dups.tsv --seeds 1
simulation on 6 recorded points of ? on ?  : 6 ok, best 0.01 us; 1 seeds, at most 6 evaluations
                           over    within 2 %     within 5 %    within 10 %
  strategy          score   time     n50    n95     n50    n95     n50    n95
  random (exact)     0.00      -       3      6       3      6       3      6
  exhaustive         0.47      -       3      3       3      3       3      3
  score: 0 as random search, 1 the best at once
  n50, n95: evaluations until 50 %, 95 % of the searches are so close
