> search params using guided --simulate --seeds 10 --from tests/bench/recorded/asum-forms-pocl.tsv
simulation on 68 recorded points of asum on pocl0  N=1048576: 68 ok, best 148.4 us; 10 seeds, at most 68 evaluations
the cost model's order of them and the measured one correlate with 0.20 (Spearman)
                           over    within 2 %     within 5 %    within 10 %
  strategy          score   time     n50    n95     n50    n95     n50    n95
  random (exact)     0.00      -      20     53      11     36       8     26
  guided             0.85      -      10     10       4      4       4      4
  score: 0 as random search, 1 the best at once
  n50, n95: evaluations until 50 %, 95 % of the searches are so close
> search params using guided,descent,tune --simulate --seeds 4 --from tests/bench/recorded/mm-forms-pocl.tsv
simulation on 215 recorded points of mm on pocl0  N=256 K=256 M=256: 215 ok, best 268.7 us; 4 seeds, at most 200 evaluations
the cost model's order of them and the measured one correlate with 0.87 (Spearman)
                           over    within 2 %     within 5 %    within 10 %
  strategy          score   time     n50    n95     n50    n95     n50    n95
  random (exact)     0.00      -     108    205      63    167      28     96
  guided             0.98      -      24     29       7      7       1      1
  descent          cannot be simulated: it makes versions of its own, which no recording has
  tune             cannot be simulated: it makes versions of its own, which no recording has
  score: 0 as random search, 1 the best at once
  n50, n95: evaluations until 50 %, 95 % of the searches are so close
> search params using guided --simulate --seeds 4 --from tests/golden/times.tsv
simulation on 23 recorded points of asum on pocl0  N=1048576: 23 ok, best 151.4 us; 4 seeds, at most 23 evaluations
                           over    within 2 %     within 5 %    within 10 %
  strategy          score   time     n50    n95     n50    n95     n50    n95
  random (exact)     0.00      -      12     22       7     18       2      7
  guided            -0.01      -      16     17       5     15       2      4
  score: 0 as random search, 1 the best at once
  n50, n95: evaluations until 50 %, 95 % of the searches are so close
> search params using guided --simulate --seeds 4 --set prior=0 --from tests/bench/recorded/mm-forms-pocl.tsv
simulation on 215 recorded points of mm on pocl0  N=256 K=256 M=256: 215 ok, best 268.7 us; 4 seeds, at most 200 evaluations
the cost model's order of them and the measured one correlate with 0.87 (Spearman)
                           over    within 2 %     within 5 %    within 10 %
  strategy          score   time     n50    n95     n50    n95     n50    n95
  random (exact)     0.00      -     108    205      63    167      28     96
  guided             0.94      -      24     29      15     20      15     20
  score: 0 as random search, 1 the best at once
  n50, n95: evaluations until 50 %, 95 % of the searches are so close
> search params using guided --simulate --seeds 4 --from tests/bench/recorded/mm-h200.tsv
simulation on 601 recorded points of mm on nvidia0  N=2048 K=2048 M=2048: 584 ok, best 386 us; 4 seeds, at most 571 evaluations
the cost model's order of them and the measured one correlate with 0.79 (Spearman)
                           over    within 2 %     within 5 %    within 10 %
  strategy          score   time     n50    n95     n50    n95     n50    n95
  random (exact)     0.00      -     301    571     301    571      37    143
  guided             0.98      -       7     57       7     57       7     19
  score: 0 as random search, 1 the best at once
  n50, n95: evaluations until 50 %, 95 % of the searches are so close
> search params using guided --simulate --seeds 2 --from tests/bench/recorded/asum-h200.tsv
simulation on 436 recorded points of asum on nvidia0  N=16777216: 436 ok, best 28.22 us; 2 seeds, at most 200 evaluations
the cost model's order of them and the measured one correlate with 0.39 (Spearman)
                           over    within 2 %     within 5 %    within 10 %
  strategy          score   time     n50    n95     n50    n95     n50    n95
  random (exact)     0.00      -      14     57       2      7       1      3
  guided            -0.19      -       8     13       3      4       1      1
  score: 0 as random search, 1 the best at once
  n50, n95: evaluations until 50 %, 95 % of the searches are so close
> # within 10 %: the same as in results --histogram
> set times on
> results --from tests/bench/recorded/mm-forms-pocl.tsv --histogram --all | grep within
  within 10 %        5     28     96
  within  5 %        2     63    167
> # on a device the default lowering comes first
> set times off; set trials 1
> load tests/programs/smooth.fun
smooth : [N]f32 -> [5]f32 -> [N]f32
> data N = 4096
> search rules using guided --budget 2
search rules using guided on pocl0   290 points
      1  @1     lower                         ok
      2  @3     smooth/b70a s0=2048           ok
  2 of 291 tried: 2 ok
  the budget of evaluations is spent
> # numbers alone
> search params using bayes,genetic --simulate --seeds 4 --budget 60 --from tests/bench/recorded/mm-h200.tsv
simulation on 601 recorded points of mm on nvidia0  N=2048 K=2048 M=2048: 584 ok, best 386 us; 4 seeds, at most 60 evaluations
the cost model's order of them and the measured one correlate with 0.79 (Spearman)
                           over    within 2 %     within 5 %    within 10 %
  strategy          score   time     n50    n95     n50    n95     n50    n95
  random (exact)     0.00      -     301    571     301    571      37    143
  bayes              0.29      -       -      -       -      -      22     25
  genetic            0.17      -       -      -       -      -      26     49
  score: 0 as random search, 1 the best at once
  n50, n95: evaluations until 50 %, 95 % of the searches are so close
