> # what runs leave behind, for log and for results
> load tests/programs/scal.fun
scal : f32 -> [N]f32 -> [N]f32
> set verbose 0
> results
no results yet: run and search record them
> results --columns at,ms
no results yet: run and search record them
> results --columns at,foo
E05 results have no column "foo"
  try     list columns
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
> results --sort id --columns id,at,N,state,trials,ms,flops,bytes,derivation,inputs
  id    @    N   state   trials   ms   flops   bytes   derivation     inputs
   1   @2   64   ok           3    -      64     516   mapSeq         alpha=default xs=default
   2   @1   64   ok                                    mapGlobal(0)   alpha=default xs=default
   3   @1   64   ok           2    -      64     516   mapGlobal(0)   alpha=default xs=default
> results @global trials=2 --columns at,trials,when
   @   trials   when
  @1        2   -
> set times on
> lua print(#t.results("@2").items[1].times, #t.results("@global", "trials=2").items[1].times, t.results("@global", "trials=2").items[1].verify > 0)
3	2	true
> set times off
> lua for i, r in ipairs(t.version("@global").results) do print(i, r.state, r.sizes.N, r.trials) end
1	ok	64	false
2	ok	64	2
> save r.session; open r.session; log --results
saved r.session: 1 program, 2 versions
opened r.session: 1 program, 2 versions; now scal@2
  @0  source
  ├─ @1  mapGlobal(0)  at /  [global]  * ok - ms
* @2  mapSeq  at /  * ok - ms
> results --format csv --columns at | head -1 | cut -d, -f1-14
id,program,version,at,params,sizes,device,state,ns,ms,min,iqr,mean,deviation
> set times on
> results -o all.tsv
all.tsv: 3 results
> results mapGlobal --forget
2 results forgotten
> set times off
> results --import all.tsv
2 results imported, 1 known before
> results --import all.tsv
0 results imported, 3 known before
> results state=ok --import all.tsv
E05 --import takes all results of a file, without filters
  try     results --import all.tsv
> results --import nowhere.tsv
E06 cannot read nowhere.tsv: No such file or directory
> results mapGlobal --forget
2 results forgotten
> results --columns at,derivation
   @   derivation
  @2   mapSeq
> results --forget
E05 --forget needs filters that say which results, or --all
  try     results state=died --forget
> load tests/programs/dot.fun
dot : [N]f32 -> [N]f32 -> f32
> results
no results of dot; 1 of other programs        results --all
> results nothing --all
none of 1 results
> # operations of a program are those of its source
> data N = 64
> lower ; run -n 1 | wc -l
@1  lower                               builtin    from @0
6
> load tests/programs/mm.fun
mm : [N][K]f32 -> [K][M]f32 -> [N][M]f32
> data N = 4; data K = 8; data M = 16
> lower ; run -n 1 | wc -l
@1  lower                               builtin    from @0
6
> let waves (xs : [N]f32) = map (\x -> if x < 0.0 then sin x else fma x x 1.0) xs
waves : [N]f32 -> [N]f32
> data N = 64
> lower ; run -n 1 | wc -l
@1  lower                               builtin    from @0
6
> results program~ --sort id --columns program,sizes,flops,bytes
  program   sizes          flops   bytes
  scal      N=64              64     516
  dot       N=64             128     516
  mm        N=4 K=8 M=16    1024     896
  waves     N=64             128     512
> # results of others (made up: tests/cases/results.tsv)
> set times on
> results --from tests/cases/results.tsv N=512 device=pocl0 --limit 5
mm   N=512 K=512 M=512   pocl0   random-1
   #   s0   s1   state        ms   GFLOP/s    GB/s   derivation
   3    8    4   ok      0.04664      5756   67.45   blockFold; tile; lowerGpu
  23    2    4   ok      0.09851      2725   31.93   blockFold; tile; lowerGpu
   8   32    4   ok        0.112      2398    28.1   blockFold; tile; lowerGpu
  13    8    1   ok       0.1219      2203   25.81   blockFold; tile; lowerGpu
  18    8    4   ok       0.1625      1652   19.35   tile; lowerGpu
> results --from tests/cases/results.tsv state!=ok N=256 --sort trial --columns device,s0,s1,state,message
  device    s0   s1   state       message
  nvidia0   64   32   refused     local memory: 65536 bytes are more than 49152
  nvidia0   64    4   died        signal 11
  nvidia0   64   32   refused     local memory: 65536 bytes are more than 49152
  nvidia0    2    1   wrong       12 of 4096 elements differ
  nvidia0   32    1   timed out   kernel mm_k0 timed out
> results --from tests/cases/results.tsv state=ok s1=4 N=256 --sort device,-s0,ms --columns device,s0,ms
  device    s0          ms
  nvidia0   64   0.0005784
  nvidia0   32   0.0003969
  nvidia0   32   0.0004424
  nvidia0    8   0.0008433
  nvidia0    8    0.001013
  nvidia0    2    0.002442
  nvidia0    2    0.002937
  pocl0     64     0.02278
  pocl0     64     0.08594
  pocl0     32     0.01338
  pocl0     32     0.05577
  pocl0      8    0.005881
  pocl0      8     0.02232
  pocl0      2     0.01202
  pocl0      2     0.05051
> results --from tests/cases/results.tsv --sort device,speed
E05 results have no column "speed", and none has a parameter of that name
  try     list columns
> results --from tests/cases/results.tsv state=wrong --format t4
{
 "schema_version": "1.0.0",
 "metadata": {
  "compute_api": "OpenCL",
  "autotuner": "lathe",
  "autotuner_version": "0.1",
  "timeunit": "milliseconds",
  "program": "mm",
  "device": "nvidia0"
 },
 "results": [
  {
   "timestamp": "1970-01-01T00:00:01Z",
   "configuration": {
    "s0": 2,
    "s1": 1,
    "sizes": "N=256 K=256 M=256",
    "derivation": "blockFold; tile; lowerGpu"
   },
   "times": {
    "compilation_time": 232.22,
    "runtimes": []
   },
   "invalidity": "correctness",
   "correctness": 0.0,
   "measurements": [],
   "objectives": [
    "time"
   ]
  },
  {
   "timestamp": "1970-01-01T00:00:01Z",
   "configuration": {
    "s0": 32,
    "s1": 32,
    "sizes": "N=512 K=512 M=512",
    "derivation": "tile; lowerGpu"
   },
   "times": {
    "compilation_time": 95.36,
    "runtimes": []
   },
   "invalidity": "correctness",
   "correctness": 0.0,
   "measurements": [],
   "objectives": [
    "time"
   ]
  }
 ]
}
> results --from tests/cases/results.tsv --pivot s0,device --value ms N=256
ms by s0
  device           2           8          32          64
  nvidia0   0.002442   0.0008433   0.0003969   0.0005784
  pocl0      0.01202    0.005881     0.01338     0.02278

s1 by s0
  device    2   8   32   64
  nvidia0   4   4    4    4
  pocl0     4   4    4    4
> results --from tests/cases/results.tsv --pivot N,device --format tsv
GFLOP/s	256	512
nvidia0	84541	85790
pocl0	5705	5756

s0	256	512
nvidia0	32	32
pocl0	8	8

s1	256	512
nvidia0	4	4
pocl0	4	4
> results --from tests/cases/results.tsv --matrix
mm: share of the best performance there, %
  best for        nvidia0 N=256   nvidia0 N=512   pocl0 N=256   pocl0 N=512
  nvidia0 N=256             100             100            44            42
  nvidia0 N=512             100             100            44            42
  pocl0 N=256                47              45           100           100
  pocl0 N=512                47              45           100           100
  nvidia0 N=256: s0=32 s1=4   blockFold; tile; lowerGpu
  nvidia0 N=512: s0=32 s1=4   blockFold; tile; lowerGpu
  pocl0 N=256: s0=8 s1=4   blockFold; tile; lowerGpu
  pocl0 N=512: s0=8 s1=4   blockFold; tile; lowerGpu
> # a matrix that is wider than the line has numbers for its columns, and goes on below
> set width 40
> results --from tests/cases/results.tsv --matrix
mm: share of the best performance there, %
  best for             1     2     3
  1  nvidia0 N=256   100   100    44
  2  nvidia0 N=512   100   100    44
  3  pocl0 N=256      47    45   100
  4  pocl0 N=512      47    45   100
  best for             4
  1  nvidia0 N=256    42
  2  nvidia0 N=512    42
  3  pocl0 N=256     100
  4  pocl0 N=512     100
  1  nvidia0 N=256: s0=32 s1=4   blockFold; tile; lowerGpu
  2  nvidia0 N=512: s0=32 s1=4   blockFold; tile; lowerGpu
  3  pocl0 N=256: s0=8 s1=4   blockFold; tile; lowerGpu
  4  pocl0 N=512: s0=8 s1=4   blockFold; tile; lowerGpu
> results --from tests/cases/results.tsv --histogram device=pocl0 N=512 | tail -7
    quartiles 4.7 % and 26.4 %
  of the best  kernels    n50    n95
  within 10 %        1     12     23
  within  5 %        1     12     23
  n50, n95: evaluations in which random
    search finds one with 50 %, 95 %
    confidence
> set width 80
> results --from tests/cases/results.tsv --histogram device=pocl0 N=512
mm   N=512 K=512 M=512   pocl0
  kernels by their share of the best performance (0.04664 ms)
   95 - 100 %  ██████▊                                   1
   90 -  95 %
   85 -  90 %
   80 -  85 %
   75 -  80 %
   70 -  75 %
   65 -  70 %
   60 -  65 %
   55 -  60 %
   50 -  55 %
   45 -  50 %  ██████▊                                   1
   40 -  45 %  ██████▊                                   1
   35 -  40 %  ██████▊                                   1
   30 -  35 %
   25 -  30 %  █████████████▍                            2
   20 -  25 %  ██████▊                                   1
   15 -  20 %
   10 -  15 %  █████████████████████████████████▍        5
    5 -  10 %  █████████████████████████████████▍        5
    0 -   5 %  ████████████████████████████████████████  6
  24 kernels, 23 valid; median 10.4 %, quartiles 4.7 % and 26.4 %
  of the best  kernels    n50    n95
  within 10 %        1     12     23
  within  5 %        1     12     23
  n50, n95: evaluations in which random search finds one with 50 %, 95 %
    confidence
> set unicode off
> results --from tests/cases/results.tsv --histogram device=pocl0 N=512 "ns<1000000" | head -4
mm   N=512 K=512 M=512   pocl0
  kernels by their share of the best performance (0.04664 ms)
   95 - 100 %  ########                                  1
   90 -  95 %
> results --from tests/cases/results.tsv device=nvidia0 N=256 --limit 2 --format csv -o two.csv ; ! cut -d, -f2,5-9,19 two.csv
two.csv: 2 results
program,params,sizes,device,state,ns,flops
mm,s0=32 s1=4,N=256 K=256 M=256,nvidia0,ok,396.9,33554432
mm,s0=32 s1=4,N=256 K=256 M=256,nvidia0,ok,442.4,33554432
> results --from tests/cases/results.tsv -o all.tsv ; results --from all.tsv --sort trial --limit 1
all.tsv: 96 results
mm   N=256 K=256 M=256   nvidia0   random-1   tile; lowerGpu
  #   s0   s1   state         ms   GFLOP/s    GB/s
  1    8    1   ok      0.003292     10192   238.9
> results --from tests/cases/results.tsv --plot matrix -o m.svg ; ! test -s m.svg && echo drawn
m.svg written
drawn
> results --from tests/cases/results.tsv device=pocl0 N=256 --plot matrix -o one.svg ; ! grep -c "polygon fill = 'rgb(  8,  48, 107)'" one.svg
one.svg written
1
> # what failed stands below the axis; ticks are whole numbers, legends are below the picture
> results --from tests/cases/results.tsv device=nvidia0 N=512 --plot progress -o p.svg ; ! grep -o "failed (.*)" p.svg | head -1; grep -c "use xlink:href='#gpPt1'" p.svg
p.svg written
failed (5 of 24)
6
> results --from tests/cases/results.tsv device=nvidia0 N=512 --plot distribution -o d.svg ; ! grep -o "kernels (.*)\|median .* %\|quartiles .* %" d.svg
d.svg written
kernels (19 valid of 24)
median 25.2 %
quartiles 11.1 % and 41.6 %
> results --from tests/cases/results.tsv device=nvidia0 N=512 --plot evolution -o e.svg ; ! grep -o "95 % confidence: [^<]*" e.svg | head -1
e.svg written
95 % confidence: 90 % of the best in 19, 95 % in 23
> # pictures of a pivot: groups of bars, and lines; the baseline is the line at 1, a cross what was tried and did not run
> ! printf 'program\tparams\tsizes\tdevice\tstate\tns\tderivation\nscal\t\tN=16\tpocl0\tok\t200\tlathe\nscal\t\tN=16\tpocl0\tok\t300\topenblas\nscal\t\tN=128\tpocl0\tok\t2000\tlathe\nscal\t\tN=128\tpocl0\tok\t1000\topenblas\nscal\t\tN=16\tpocl0\tfailed\t0\tclblast\nasum\t\tN=16\tpocl0\tok\t10\tlathe\nasum\t\tN=16\tpocl0\tok\t45\topenblas\nasum\t\tN=16\tpocl0\tok\t90\tclblast\n' > rivals.tsv
> results --from rivals.tsv --pivot derivation,program,N --value ns --baseline openblas
speedup over openblas by derivation
  program,N   clblast   lathe   openblas
  asum 16         0.5     4.5          1
  scal 16                 1.5          1
  scal 128                0.5          1
> results --from rivals.tsv --pivot derivation,program,N --value ns --baseline openblas --format csv
speedup over openblas,clblast,lathe,openblas
asum 16,0.5,4.5,1
scal 16,,1.5,1
scal 128,,0.5,1
> results --from rivals.tsv --pivot derivation,program,N --value ns --baseline openblas --plot bars -o bars.svg ; ! grep -o ">\(4.50\|1.50\|0.50\|×\|openblas = 1\|speedup over openblas\)<" bars.svg | tr -d "<>"
bars.svg written
speedup over openblas
0.50
×
4.50
1.50
0.50
openblas = 1
> results --from rivals.tsv --pivot derivation,program,N --value ns --plot bars --log -o bars.png ; ! test -s bars.png && echo drawn
bars.png written
drawn
> results --from tests/cases/results.tsv --pivot device,N --value gflops --plot lines -o lines.svg ; ! grep -o ">\(pocl0\|nvidia0\|GFLOP/s\)<" lines.svg | tr -d "<>"
lines.svg written
GFLOP/s
nvidia0
pocl0
> results --from rivals.tsv --pivot derivation,program --baseline mkl
E05 --baseline: no derivation is "mkl"
  found   clblast, lathe, openblas
> results --from rivals.tsv --plot bars -o x.svg
x.svg written
> # of one name: told apart by parameters
> results --from tests/cases/results.tsv N=256 device=pocl0 "derivation=tile; lowerGpu" state=ok --plot bars -o named.svg ; ! grep -o ">[a-zA-Z]* s0=[^<]*<" named.svg | tr -d "<>"
named.svg written
lowerGpu s0=32 s1=1
lowerGpu s0=32 s1=32
lowerGpu s0=64 s1=1
lowerGpu s0=2 s1=1
lowerGpu s0=32 s1=4
lowerGpu s0=8 s1=1
lowerGpu s0=8 s1=4
lowerGpu s0=8 s1=32
lowerGpu s0=64 s1=4
lowerGpu s0=64 s1=32
lowerGpu s0=2 s1=4
lowerGpu s0=2 s1=32
> results --from rivals.tsv --pivot derivation,speed
E05 results have no column "speed"
  try     list columns
> # what is no result is not counted; what differs is part of the configurations
> results --from tests/cases/results.tsv trial=1 --format t4 | grep -c '"device": '
4
> results --from tests/cases/results.tsv trial=1 N=256 device=pocl0 --format t4 | grep -A9 '"metadata"'
 "metadata": {
  "compute_api": "OpenCL",
  "autotuner": "lathe",
  "autotuner_version": "0.1",
  "timeunit": "milliseconds",
  "program": "mm",
  "sizes": "N=256 K=256 M=256",
  "device": "pocl0"
 },
 "results": [
> results --from tests/cases/results.tsv --matrix --format t4
E05 t4 is a list of results, not of what is made of them
  hint    --format json or csv here; t4 lists the results themselves, without --pivot and --matrix
> # parameters by their number; a long message leaves room for what is behind it
> ! printf 'program\tparams\tsizes\tdevice\tstate\tns\tderivation\tmessage\tfixed\tsearch\nmm\ts1=2 s0=4 s10=1\tN=8\tpocl0\tok\t10\ta\t\t0\tdescent-1\nmm\ts2=2 s0=8\tN=8\tpocl0\trefused\t0\tb\tthe array value at /in/f/body/in/in/f/body/in/f/body has to be copied to its place\t1\tdescent-1\n' > odd.tsv
> results --from odd.tsv
mm   N=8   pocl0   descent-1
  s0   s1   s2   s10   state        ms   message                      derivation
   4    2          1   ok        1e-05                                a
   8         2         refused           the array value at /in/...   b
> results --from odd.tsv fixed=1 --columns s0,fixed
  s0   fixed
   8       1
> results --from odd.tsv --plot progress -o o.svg ; ! grep -o "a choice is fixed" o.svg
o.svg written
a choice is fixed
> results --from tests/cases/results.tsv state=wrong --format t4 -o four.json ; ! grep -c invalidity four.json ; grep '"nvidia0"' four-metadata.json
four.json: 2 results
2
    "nvidia0": {
> # numbers of a macro call are columns, too: what a search chose between
> ! printf 'program\tparams\tsizes\tdevice\tstate\tns\tderivation\nmm\tmb=8\tN=8\tpocl0\tok\t20\tgemmGpu{mb=mb, image=0}\nmm\tmb=16\tN=8\tpocl0\tok\t10\tgemmGpu{mb=mb, image=1}\nmm\tmb=16\tN=16\tpocl0\tok\t30\tgemmGpu{mb=mb, image=1}; images{image=2}\n' > calls.tsv
> results --from calls.tsv image=1 --columns N,image,mb
  N   image   mb
  8       1   16
> results --from calls.tsv --pivot image,N --value ns
ns by image
  N     0    1    2
  8    20   10
  16             30

mb by image
  N    0    1    2
  8    8   16
  16            16
> results --from calls.tsv --sort -image,N --columns N,image
   N   image
  16       2
   8       1
   8       0
> results --from calls.tsv order=1
E05 results have no column "order", and none has a parameter of that name
  try     list columns
> # the average and the deviation of the times of single executions
> ! printf 'program\tparams\tsizes\tdevice\tstate\tns\tderivation\ttimes\nmm\ts0=1\tN=8\tpocl0\tok\t20\ta\t10 20 30\nmm\ts0=2\tN=8\tpocl0\tok\t20\ta\t20\nmm\ts0=4\tN=8\tpocl0\tfailed\t0\ta\t\nmm\ts0=8\tN=8\tpocl0\tok\t10\ta\t7 9 11 13\n' > spread.tsv
> results --from spread.tsv --columns s0,ns,mean,deviation --sort s0
  s0   ns   mean   deviation
   1   20     20          10
   2   20     20
   4
   8   10     10       2.582
> results --from spread.tsv "deviation>5" --columns s0 --sort -mean
  s0
   1
> # what is wrong is said
> results colour=red
E05 results have no column "colour", and none has a parameter of that name
  try     list columns
> results stat=ok
E05 results have no column "stat", and none has a parameter of that name
  near    state
  try     list columns
> results state=good
E05 no state "good"
  needs   building, built, running, ok, wrong, refused, build failed, failed, timed out, died, stopped
> results ms=fast
E05 ms is a number: "fast" is none
> results --sort speed
E05 results have no column "speed", and none has a parameter of that name
  try     list columns
> results --from nowhere.tsv
E06 cannot read nowhere.tsv: No such file or directory
> results --from README.md
E03 README.md: its first line has no column "state"
  needs   what `results --format tsv -o FILE` writes, or a result store
> results --from tests/cases/results.tsv --plot pie -o x.svg
E05 --plot is one of distribution, progress, evolution, matrix, bars, lines, dots, not "pie"
> results --from tests/cases/results.tsv --plot matrix
E05 --plot needs a file to write
  try     results --plot matrix -o matrix.svg
> results --from tests/cases/results.tsv --plot matrix -o x.gif
E05 a plot is written to a .svg, .png or .pdf file, not to x.gif
> results --format xml
E05 --format is one of table, csv, tsv, json, t4, not "xml"
> results --histogram state=died
no result was timed
> results --matrix state=died
E05 there is no result to compare
  try     results --all
> results --pivot N state=died
E05 there is no result to tabulate
  try     results --all
> # for other tuners
> load tests/programs/scal.fun
scal : f32 -> [N]f32 -> [N]f32
> export t1 -
E05 @2 has no tuning parameter: there is nothing to tune
> goto @0; data N = 1024
@0  source
> apply splitJoin; apply splitJoin at /in/f/body; apply topdown(mapWorkgroup(0)); apply topdown(mapLocal(0)); apply topdown(mapSeq)
@3  splitJoin{n=s0}  at /               builtin    from @0
@4  splitJoin{n=s1}  at /in/f/body      builtin    from @3
@5  topdown(mapWorkgroup(0))  at /in    builtin    from @4
@6  topdown(mapLocal(0))  at /in/f/body/in  builtin    from @5
@7  topdown(mapSeq)  at /in/f/body/in/f/body  builtin    from @6
> export t1 -
{
 "ConfigurationSpace": {
  "TuningParameters": [
   {
    "Name": "s0",
    "Type": "int",
    "Values": "[1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]"
   },
   {
    "Name": "s1",
    "Type": "int",
    "Values": "[1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]"
   }
  ],
  "Conditions": [
   {
    "Parameters": [
     "s1",
     "s0"
    ],
    "Expression": "(s0) % (s1) == 0"
   },
   {
    "Parameters": [
     "s0"
    ],
    "Expression": "(1024) % (s0) == 0"
   },
   {
    "Parameters": [
     "s0",
     "s1"
    ],
    "Expression": "s0//s1 <= *
   }
  ]
 },
 "General": {
  "FormatVersion": 1,
  "TimeUnit": "Milliseconds",
  "OutputFormat": "JSON",
  "LoggingLevel": "Info"
 },
 "KernelSpecification": {
  "Language": "OpenCL",
  "KernelName": "scal_k0",
  "KernelFile": "scal.cl",
  "Derivation": "splitJoin{n=s0}; splitJoin{n=s1} at /in/f/body; topdown(mapWorkgroup(0)) at /in; topdown(mapLocal(0)) at /in/f/body/in; topdown(mapSeq) at /in/f/body/in/f/body",
  "GlobalSizeType": "OpenCL",
  "GlobalSize": {
   "X": "1024//s1",
   "Y": "1",
   "Z": "1"
  },
  "LocalSize": {
   "X": "s0//s1",
   "Y": "1",
   "Z": "1"
  },
  "Arguments": [
   {
    "Name": "alpha",
    "Type": "float",
    "MemoryType": "Scalar",
    "AccessType": "ReadOnly",
    "Size": 1,
    "FillType": "Random"
   },
   {
    "Name": "xs",
    "Type": "float",
    "MemoryType": "Vector",
    "AccessType": "ReadOnly",
    "Size": 1024,
    "FillType": "Random"
   },
   {
    "Name": "out",
    "Type": "float",
    "MemoryType": "Vector",
    "AccessType": "WriteOnly",
    "Size": 1024,
    "FillType": "Constant"
   }
  ]
 }
}
> export t4 - | head -3
{
 "schema_version": "1.0.0",
 "metadata": {
