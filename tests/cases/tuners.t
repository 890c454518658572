> results --import tests/golden/kernel_tuner.json
3 results imported
> results --import tests/golden/ktt.json
2 results imported
> results --import tests/golden/ktt.json
0 results imported, 2 known before
> results --all --columns program,device,params,state,ns,min,trials,build,search,when
  program        device        params                                            state    ns   min ns   trials   build ms   search                     when
  ktt            NVIDIA A100   TILE=32 UNROLL=1                                  ok        -        -        1          -   ktt                        -
  kernel_tuner                 block_size_x=32 block_size_y=1 use_padding=0      ok        -        -        2          -   kernel_tuner -o gflops     -
  kernel_tuner                 block_size_x=16 block_size_y=1 use_padding=0      ok        -        -        3          -   kernel_tuner -o gflops     -
  kernel_tuner                 block_size_x=1024 block_size_y=32 use_padding=1   failed                                 -   kernel_tuner               -
  ktt            NVIDIA A100   TILE=64 UNROLL=1                                  wrong                                  -   ktt                        -
> search params using random --simulate --from tests/golden/kernel_tuner.json --seeds 3
simulation on 3 recorded points of kernel_tuner on   : 2 ok, best 6.375 ms; 3 seeds, at most 3 evaluations
                           over    within 2 %     within 5 %    within 10 %
  strategy          score   time     n50    n95     n50    n95     n50    n95
  random (exact)     0.00   0.00       2      3       2      3       2      3
  random             0.25  -0.17       1      3       1      3       1      3
  score: 0 as random search, 1 the best at once
  over time: the same by what building, verifying and running took
  n50, n95: evaluations until 50 %, 95 % of the searches are so close
> results --import tests/golden/convolution_t1.json
E03 tests/golden/convolution_t1.json is T1: it says what is to be tuned, and has no results
  needs   what a tuner wrote of them (T4), a result store or TSV
  try     search params --from tests/golden/convolution_t1.json
> # a problem that others have: its points, and what rejects others
> search params --from tests/golden/convolution_t1.json
space of convolution in tests/golden/convolution_t1.json   10 points
  block_size_x      3 values   16, 32, 1024
  block_size_y      3 values   1, 2, 32
  use_padding       2 values   0, 1
  rejected        4   block_size_x * block_size_y <= 1024
  rejected        4   use_padding == 0 or (block_size_x % 32 != 0)
  kernel   CUDA, convolution.cu, 4 lines
  argument out: Vector float of 16777216, WriteOnly
  argument w: Scalar int32 of ?, ReadOnly
  it is not run here, for lathe runs what it generates; what was tuned elsewhere: results --import FILE.json (T4)
> search params --from tests/golden/ktt.json
E05 --from is for --simulate, or names a T1 file, what others want tuned: search params --from FILE.json
  form    search [params|rules|fusions [using STRATEGY]] [-o OBJECTIVE] [--budget N,N%,TIME,<TIME] [--keep K] [--go] [--set OPTION=VALUE,...] [--again] [--force] [--all] [--plot] [--devices ID,ID*N] [--sizes NAME=SIZE,SIZE,...] [--transfer none|to|from|both] [--call STRATEGY] [--choices "NAME=VALUE,VALUE ..."]
  | search rules [--generate [-o FOLDER] [--budget N]]
  | search [params [using STRATEGY,...]] --simulate [--from FILE] [--seeds N] [--budget N]
  | search params --from FILE.json
  | search params|rules|fusions using STRATEGY --replay FILE ...
> search params --from tests/cases/results.tsv
E05 --from is for --simulate, or names a T1 file, what others want tuned: search params --from FILE.json
  form    search [params|rules|fusions [using STRATEGY]] [-o OBJECTIVE] [--budget N,N%,TIME,<TIME] [--keep K] [--go] [--set OPTION=VALUE,...] [--again] [--force] [--all] [--plot] [--devices ID,ID*N] [--sizes NAME=SIZE,SIZE,...] [--transfer none|to|from|both] [--call STRATEGY] [--choices "NAME=VALUE,VALUE ..."]
  | search rules [--generate [-o FOLDER] [--budget N]]
  | search [params [using STRATEGY,...]] --simulate [--from FILE] [--seeds N] [--budget N]
  | search params --from FILE.json
  | search params|rules|fusions using STRATEGY --replay FILE ...
> # Python's lists, ranges, chained comparisons; names that the list of a condition's parameters lacks
> ! printf '%s' '{"ConfigurationSpace": {"TuningParameters": [{"Name": "bx", "Values": "[1, 2] + list(range(32, 128+1, 32))"}, {"Name": "by", "Values": "[2**i for i in range(4) if i != 2]"}, {"Name": "t", "Values": "[k*x for x in (1, 3)]"}, {"Name": "k", "Values": [2]}], "Conditions": [{"Expression": "32 <= bx * by < 512", "Parameters": ["bx"]}, {"Expression": "not (bx in [32, 64] and by == 8)", "Parameters": []}]}}' > ranges.json
> search params --from ranges.json
E05 ranges.json: values of t, [k*x for x in (1, 3)]: there is no parameter k
  needs   T1 1.0.0, as `export t1`, Kernel Tuner and KTT write it
> ! sed -i 's/k\*x for x in (1, 3)/x for x in range(3)/' ranges.json
> search params --from ranges.json
space of a kernel in ranges.json   24 points
  bx                6 values   1, 2, 32, 64, 96, 128
  by                3 values   1, 2, 8
  t                 3 values   0, 1, 2
  k                 1 value    2
  rejected       27   32 <= bx * by < 512
  rejected        3   not (bx in [32, 64] and by == 8)
  kernel   OpenCL, - (not there)
  it is not run here, for lathe runs what it generates; what was tuned elsewhere: results --import FILE.json (T4)
> ! sed -i 's/bx \* by < 512/bx * bz < 512/' ranges.json
> search params --from ranges.json
E05 ranges.json: condition 32 <= bx * bz < 512 has no value: there is no parameter bz
  needs   T1 1.0.0, as `export t1`, Kernel Tuner and KTT write it
> ! sed -i 's/bx \* bz < 512/bx ** (/' ranges.json
> search params --from ranges.json
E05 ranges.json: condition 32 <= bx ** ( cannot be read at its end
  needs   T1 1.0.0, as `export t1`, Kernel Tuner and KTT write it
> # a cache of Kernel Tuner, not closed yet; what a file is of that does not say so; what no file can be
> ! printf '%s\n' '{"device_name": "A100", "kernel_name": "conv", "problem_size": [4096, 2048], "tune_params_keys": ["bx", "pad"], "cache": {' '"16,1": {"bx": 16, "pad": "no", "time": 1.5, "times": [1.5, 1.25, 1.75], "compile_time": 600, "GFLOP/s": 100, "timestamp": "2023-12-22 09:54:05.5+00:00"},' '"32,1": {"bx": 32, "pad": "yes", "time": "RuntimeFailedConfig", "compile_time": 60, "timestamp": "2023-12-22 09:54:06+00:00"},' > conv.json
> results --import conv.json
2 results imported
> results program=conv --all --columns program,device,sizes,params,state,trials,search
  program   device   sizes           params          state    trials   search
  conv      A100     x=4096 y=2048   bx=16 pad=no    ok            3   conv
  conv      A100     x=4096 y=2048   bx=32 pad=yes   failed            conv
> results --from tests/golden/kernel_tuner.json --program blur --device H200 --columns program,device,params,state
  program   device   params                                            state
  blur      H200     block_size_x=32 block_size_y=1 use_padding=0      ok
  blur      H200     block_size_x=16 block_size_y=1 use_padding=0      ok
  blur      H200     block_size_x=1024 block_size_y=32 use_padding=1   failed
> results --program blur
E05 --program and --device are what results of --import or --from are of; of one's own: results device=NAME --all
  form    results [FILTER ...] [--all] [--from FILE] [--sort COLUMN,...] [--limit N] [--columns LIST] [--format FORMAT] [-o FILE] [--pivot COLUMN] [--value COLUMN] [--baseline NAME] [--matrix] [--histogram] [--plot KIND [--log]] [--forget]
  | results --import FILE [--program NAME] [--device NAME] ...
> results --from tests/golden/kernel_tuner.json -o results.parquet
E05 results are not written as .parquet: .csv, .tsv, .json, .t4, or .txt for the table
  try     results -o results.csv
> results --from tests/golden/kernel_tuner.json -o results.txt
results.txt: 3 results
> # parameters that are fractions and words
> ! for x in 0.25 0.5 0.75; do for m in rows tiles; do echo "\"$x,$m\": {\"x\": $x, \"m\": \"$m\", \"time\": $x}"; done; done | paste -sd, | sed 's/.*/{"tune_params_keys": ["x", "m"], "cache": {&}}/' > modes.json
> search params using climb,nested --simulate --from modes.json --seeds 3 | head -1
simulation on 6 recorded points of modes on   : 6 ok, best 250 us; 3 seeds, at most 6 evaluations
> # one's own, read back
> load tests/programs/scal.fun
scal : f32 -> [N]f32 -> [N]f32
> data N = 64
> apply splitJoin
@1  splitJoin{n=s0}  at /               builtin    from @0
  - map (λx → alpha * x) xs
  + join ∘ map (map (λx → alpha * x)) ∘ split s0 $ xs
  type   [N]f32                       unchanged
  param  s0 : int    1 <= s0 <= N, s0 divides N        7 legal values for N = 64
  focus  /  ->  /                     8 moves here
> apply splitJoin at /in/f/body
@2  splitJoin{n=s1}  at /in/f/body      builtin    from @1
  - map (λx → alpha * x) xs1
  + join ∘ map (map (λx → alpha * x)) ∘ split s1 $ xs1
  type   [s0]f32                      unchanged
  param  s1 : int    1 <= s1 <= s0, s1 divides s0        7 legal values for N = 64
  focus  /  ->  /                     7 moves here
> lower | head -1
@3  lower                               builtin    from @2
> search params | head -1
space of scal@3   28 points
> export t1 scal_t1.json
scal_t1.json written
scal_t1.cl written
> search params --from scal_t1.json | head -1
space of scal_k0 in scal_t1.json   28 points
> # of several kernels T1 names one
> load tests/programs/asum.fun
asum : [N]f32 -> f32
> data N = 65536
> set verbose 0
> apply reduceGpu{chunk=chunk, l=64, w=4}
@1  reduceGpu{chunk=chunk, l=64, w=4}  at /  builtin    from @0
> export t1 asum_t1.json
asum_t1.json written
asum_t1.cl written
W14 T1 names one kernel, of 3 asum_k0: the others are in the source, and a tuner does not run them      (silence: set silence W14)
