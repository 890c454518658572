> search params using guided --simulate --seeds 10 --from tests/bench/recorded/asum-forms-pocl.tsv
simulation on 68 recorded points of asum on pocl0  N=1048576: 68 ok, best 148.4 us; 10 seeds, at most 68 evaluations
                            within 2 %        within 5 %       within 10 %
  strategy          score     n50     n95      n50     n95      n50     n95
  random (exact)     0.00       20      53       11      36        8      26
  guided             0.61       10      10        9       9        9       9
> search params using guided,descent --simulate --seeds 4 --from tests/bench/recorded/mm-forms-pocl.tsv
simulation on 215 recorded points of mm on pocl0  N=256 K=256 M=256: 215 ok, best 268.7 us; 4 seeds, at most 200 evaluations
                            within 2 %        within 5 %       within 10 %
  strategy          score     n50     n95      n50     n95      n50     n95
  random (exact)     0.00      108     205       63     167       45     136
  guided             1.00        1       1        1       1        1       1
  descent          cannot be simulated: it makes versions of its own, which no recording has
