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
                            within 2 %        within 5 %       within 10 %
  strategy          score     n50     n95      n50     n95      n50     n95
  random (exact)     0.00        2       3        2       3        2       3
  random             0.25        1       3        1       3        1       3
  score: 0 as random search, 1 the best at once
  n50, n95: evaluations until 50 %, 95 % of the searches are so close
> results --import tests/golden/convolution_t1.json
E03 tests/golden/convolution_t1.json is T1: it says what is to be tuned, and has no results
  needs   what a tuner wrote of them (T4), a result store or TSV
