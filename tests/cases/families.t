> # several structures as one search space: choices of numbers that choose them, and how kernels get sizes
> set times off
> load tests/programs/mm.fun
mm : [N][K]f32 -> [K][M]f32 -> [N][M]f32
> data N = 64, K = 64, M = 64
> search params --call "gemmItems{mr=mr, nr=nr, w=4, u=4, order=order, image=image}" --choices "order=0,1,4 image=0,1 sizes=constant,argument"
space of gemmItems{mr=mr, nr=nr, w=4, u=4, order=order, image=image} of mm@0   280 points
  mr        7 values   1, 2, 4, 8, 16, 32, 64
  nr        5 values   4, 8, 16, 32, 64
  order     3 values   0, 1, 4
  image     2 values   0, 1
  sizes     2 values   argument, constant
  rejected      168   divides: 4 divides nr, nr divides 64, mr divides 64
  rejected       60   private memory: 4*mr*nr + 4*mr + 4*nr <= 1024 bytes of private memory
  rejected       80   private memory: 4*mr*nr <= 1024 bytes of private memory
> # the blocking while the structure is fixed, then the other way round
> search params using nested --budget 4 --set most=3 --call "gemmItems{mr=mr, nr=4, w=4, u=2, order=order}" --choices "order=0,4 sizes=constant,argument"
search params using nested on pocl0   28 points
      1  @2     mr=2 order=4 sizes=constant   ok
      2  @3     mr=32 order=4 sizes=constant  ok
      3  @4     mr=64 order=4 sizes=constant  ok
      4  @5     mr=16 order=4 sizes=constant  ok
  4 of 28 tried: 4 ok
  the budget of evaluations is spent
> search params using random --budget 4 --call "gemmItems{mr=mr, nr=4, w=4, u=2, order=order}" --choices "order=0,4 sizes=constant,argument"
search params using random on pocl0   28 points
      1  @2     mr=2 order=4 sizes=constant   ok   known
      2  @7     mr=1 order=4 sizes=argument   ok
      3  @4     mr=64 order=4 sizes=argument  ok
      4  @7     mr=1 order=4 sizes=constant   ok
  4 of 28 tried: 4 ok, 1 known before
  the budget of evaluations is spent
> results --columns state,params,options,derivation --sort id | tail -8
  state   params   options          derivation
  ok      mr=2                      gemmItems{mr=mr, nr=4, w=4, u=2, order=4}
  ok      mr=32                     gemmItems{mr=mr, nr=4, w=4, u=2, order=4}
  ok      mr=64                     gemmItems{mr=mr, nr=4, w=4, u=2, order=4}
  ok      mr=16                     gemmItems{mr=mr, nr=4, w=4, u=2, order=4}
  ok      mr=1     sizes=argument   gemmItems{mr=mr, nr=4, w=4, u=2, order=4}
  ok      mr=64    sizes=argument   gemmItems{mr=mr, nr=4, w=4, u=2, order=4}
  ok      mr=1                      gemmItems{mr=mr, nr=4, w=4, u=2, order=4}
> # a structure that there is not is counted; none at all is an error
> search params --call "gemmItems{mr=mr, nr=4, w=4, u=2, order=order}" --choices "order=0,9"
space of gemmItems{mr=mr, nr=4, w=4, u=2, order=order} of mm@0   7 points
  mr        7 values   1, 2, 4, 8, 16, 32, 64
  order     1 value    0
  rejected        1   structure: E22 an order of loops is 0 to 5, not 9
> search params --call "gemmItems{mr=mr, nr=4, w=4, u=2, order=order}" --choices "order=7,9"
E22 an order of loops is 0 to 5, not 7
> # parameters of the version are there, too; without choices it is one structure
> search params --call "gemmItems{mr=mr, nr=nr, w=4}"
space of gemmItems{mr=mr, nr=nr, w=4} of mm@0   29 points
  mr        7 values   1, 2, 4, 8, 16, 32, 64
  nr        5 values   4, 8, 16, 32, 64
  rejected       14   divides: 4 divides nr, nr divides 64, mr divides 64
  rejected        6   private memory: 4*mr*nr + 4*mr + 4*nr <= 4096 bytes of private memory
> # what is wrong with a text
> search params --call "gemmItems{mr=mr}" --choices "order=0,1"
E05 gemmItems{mr=mr} has no number order
  needs   order=order in it, or another name before the =
> search params --call "gemmItems{mr=mr, order=order}" --choices "order:0"
E05 order:0 is no choice
  form    --choices "image=0,1 order=0,1,2", each a name of the call, or sizes=constant,argument
> search params --call "gemmItems{mr=mr}" --choices "sizes=inline"
E05 sizes are constant or argument, not inline
  form    --choices "image=0,1 order=0,1,2", each a name of the call, or sizes=constant,argument
> search params --call "gemmItemz{mr=mr}"
E02 no rule, macro or Lua value called "gemmItemz"; did you mean gemmItems?
  try     search params --call "gemmItems{mr=mr}"
> search params --call "tile(2, 2)"
E51 not runnable yet: 6 nodes are still high-level
  /in              map      as mapGlobal, mapWorkgroup, mapLocal, mapSeq        moves /in
  /in/f/body/in/in map      as mapGlobal, mapWorkgroup, mapLocal, mapSeq        moves /in/f/body/in/in
  /in/f/body/in/in/f/body/in map      as mapGlobal, mapWorkgroup, mapLocal, mapSeq        moves /in/f/body/in/in/f/body/in
  /in/f/body/in/in/f/body/in/f/body map      as mapGlobal, mapWorkgroup, mapLocal, mapSeq        moves /in/f/body/in/in/f/body/in/f/body
  /in/f/body/in/in/f/body/in/f/body/f/body reduce   as reduceSeq        moves /in/f/body/in/in/f/body/in/f/body/f/body
  /in/f/body/in/in/f/body/in/f/body/f/body/in map      as mapGlobal, mapWorkgroup, mapLocal, mapSeq        moves /in/f/body/in/in/f/body/in/f/body/f/body/in
  or      lower
> search rules --call "gemmItems{mr=mr}"
E05 --call is for search params, and --choices for --call
  form    search params --call "gemmGpu{mb=mb, image=image}" --choices "image=0,1"
> search params --choices "order=0,1"
E05 --call is for search params, and --choices for --call
  form    search params --call "gemmGpu{mb=mb, image=image}" --choices "image=0,1"
> # no point of which is legal: why
> data N = 130, M = 126
> search params --call "gemmItems{mr=mr, nr=nr, w=4}"
space of gemmItems{mr=mr, nr=nr, w=4} of mm@0   0 points
  mr        0 values   
  nr        0 values   
  rejected       96   divides: 4 divides nr, nr divides 126, mr divides 130
