> # numbers of macro calls as parameters, by the names they are given
> load tests/programs/mm.fun
mm : [N][K]f32 -> [K][M]f32 -> [N][M]f32
> data N = 64, K = 64, M = 64
> set verbose 0
> apply gemmGpu{mb=mb, nb=nb, kb=kb, mr=mr, nr=nr, u=4}
@1  gemmGpu{mb=mb, nb=nb, kb=kb, mr=mr, nr=nr, u=4}  at /  builtin    from @0
> search params
space of mm@1   2044 points
  kb        5 values   4, 8, 16, 32, 64
  mb        7 values   1, 2, 4, 8, 16, 32, 64
  mr        7 values   1, 2, 4, 8, 16, 32, 64
  nb        5 values   4, 8, 16, 32, 64
  nr        5 values   4, 8, 16, 32, 64
  rejected    14763   divides: nr/4 divides nb/4, 4 divides nr, 4 divides nb, nb/nr divides kb*nb/4, nr divides nb, 4 divides kb*nb, 4 divides kb, nb/nr divides nb/4, mr divides mb, nb/nr divides kb*mb/4, 4 divides kb*mb, kb divides 64, nb divides 64, mb divides 64, 4*nb/nr divides nb, 4*nb/nr divides kb*nb, 4*nb/nr divides kb*mb
> param mb = 16, nb = 16, kb = 8, mr = 4, nr = 4
@2  param mb = 16, nb = 16, kb = 8, mr = 4, nr = 4        from @1
> code | tail -5
            vstore4((float4)(acc[16*(4*i + j) + 12], acc[16*(4*i + j) + 13], acc[16*(4*i + j) + 14],
                    acc[16*(4*i + j) + 15]), 0, out + 64*(4*(i + 4*wg1) + 3) + 4*(j + 4*wg0));
        }
    }
}
> # one number twice
> goto @0
@0  source
> apply gemmCpu{mb=b, nb=b, kb=64, mr=mr, w=8}
@3  gemmCpu{mb=b, nb=b, kb=64, mr=mr, w=8}  at /  builtin    from @0
> search params
space of mm@3   22 points
  b         4 values   8, 16, 32, 64
  mr        7 values   1, 2, 4, 8, 16, 32, 64
  rejected       27   divides: 8 divides b, mr divides b, b divides 64
> # a session has them
> save named.session ; open named.session ; log
saved named.session: 1 program, 3 versions
opened named.session: 1 program, 3 versions; now mm@3
  @0  source
  ├─ @1  gemmGpu{mb=mb, nb=nb, kb=kb, mr=mr, nr=nr, u=4}  at /  (64 inner steps)
  │  @2  param mb = 16, nb = 16, kb = 8, mr = 4, nr = 4
* @3  gemmCpu{mb=b, nb=b, kb=64, mr=mr, w=8}  at /  (43 inner steps)
> # what chooses a structure is a number
> goto @0
@0  source
> apply gemmGpu{mb=mb, stages=stages}
E22 stages of gemmGpu chooses a structure: it is a number, not stages
> apply gemmGpuu{mb=mb}
E02 no rule, macro or Lua value called "gemmGpuu"; did you mean gemmGpu?
  try     apply gemmGpu{mb=mb}
> apply gemmGpu{mb=s5}
E02 no rule, macro or Lua value called "s5"
  try     list rules
> apply splitJoin{n=width}
@4  splitJoin{n=width}  at /            builtin    from @0
> search params
space of mm@4   7 points
  width     7 values   1, 2, 4, 8, 16, 32, 64
> # which number of a macro does not fit the sizes, which would, and a call that does
> load tests/programs/mm.fun as fitted
fitted : [N][K]f32 -> [K][M]f32 -> [N][M]f32
> data N = 8; data K = 8; data M = 8
> apply gemmCpu
E36 256 divides N does not hold for N=8  K=8  M=8
  from    gemmCpu
  legal   mb = 8
  legal   nb = 8
  legal   kb = 1, 2, 4, 8
  try     apply gemmCpu{mb=8, nb=8, kb=8, w=8} at /
> apply gemmCpu{mb=3}
E23 gemmCpu{mb=3} failed: splitJoin does not apply at /in/f/body/in/in/f/body/in
  place   /in/f/body/in/in/f/body/in
  after   2 steps, then splitJoin(3) at / ; mapInterchange at /in/f/body ; splitJoin(32) at /in/f/body/in ; mapInterchange at /in/f/body/in/in/f/body
  rule    map f x  =>  join (map (map f) (split n x))  when n divides (length x)
  needs   n divides (length x)
  found   3 mod 8 = 3
  near    /in/f/body/in/in/f/body/in/f/body: map (\col -> reduceSeq (\(acc, (y0, y1)) -> ..) 0 ..) cols
  legal   mb = 2, 4, 8
  legal   nb = 8
  legal   kb = 1, 2, 4, 8
  legal   mr = 1, 2
  try     apply gemmCpu{mb=2, nb=8, kb=8, mr=2, w=8} at /
> apply gemmGpu{mb=64, nb=64}
E36 64 divides N does not hold for N=8  K=8  M=8
  from    gemmGpu{mb=64, nb=64}
  legal   mb = 8
  legal   nb = 8
  legal   kb = 8
  legal   u = 1, 2, 4, 8
  try     apply gemmGpu{mb=8, nb=8, kb=8, u=8} at /
> apply gemmItems{mr=3, w=8}
E23 gemmItems{mr=3, w=8} failed: operandsPrivate does not apply at /in/f/body/in/in/f/body/in
  place   /in/f/body/in/in/f/body/in
  after   18 steps, then mapGlobal(1) at /in ; mapGlobal(0) at /in/f/body/in/in ; mapSeqUnroll at /in/f/body/in/in/f/body/in/f/body ; mapSeqUnroll at /in/f/body/in/in/f/body/in/f/body/f/body
  rule    reduceSeq (\(acc, (p, q)) -> e acc p q) z x  =>  reduceSeq (\(acc, (p, q)) -> let a = toPrivate (mapSeqUnroll (\v -> v) p) in let b = toPrivate (asScalar (mapSeqUnroll (\v -> v) (asVector w q))) in e acc a b) z x  when w divides (length (x[0].1)) and constant (length (x[0].0)) and constant (length (x[0].1))
  needs   w divides (length (x[0].1))
  found   4 mod 8 = 4
  when    w divides (length (x[0].1)): no, 4 mod 8 = 4
  when    constant (length (x[0].0)): yes, it is 3
  when    constant (length (x[0].1)): yes, it is 4
  legal   mr = 1, 2, 4, 8
  legal   nr = 8
  try     apply gemmItems{mr=2, nr=8, w=8} at /
> apply gemmCpu{mb=8, nb=8, kb=8, w=8} at /
@1  gemmCpu{mb=8, nb=8, kb=8, w=8}  at /  builtin    from @0
> run | tail -0
> goto @0
@0  source
> data N = 100; data K = 100; data M = 100
> apply gemmGpu
E36 128 divides N does not hold for N=100  K=100  M=100
  from    gemmGpu
  legal   mb = 10, 20, 50, 100
  legal   nb = 4, 20, 100
  legal   kb = 20, 100
  legal   mr = 1, 2, 4, 5, 10, 20, 25, 50, 100
  legal   nr = 4, 20, 100
  legal   u = 1, 2, 4, 5, 10, 20
  try     apply gemmGpu{mb=100, nb=100, kb=20, mr=10, nr=4, u=20} at /
> apply gemmGpu{mb=100, nb=100, kb=20, mr=10, nr=4, u=20} at /
@2  gemmGpu{mb=100, nb=100, kb=20, mr=10, nr=4, u=20}  at /  builtin    from @0
> goto @0
@0  source
> apply gemmCpu at /f/body
E23 gemmCpu failed: no place at or under /f/body is two nested maps around a reduction
  needs   two nested maps around a reduction
  found   map (\col -> reduce (+) 0 (map (*) ..)) . transpose $ B
> apply gemmCpu{mb=8, nosuch=3}
E22 gemmCpu has no argument nosuch
  try     help gemmCpu
> load tests/programs/gemm.fun
gemm : [N][K]f32 -> [K][M]f32 -> [N][M]f32 -> f32 -> f32 -> [N][M]f32
> data N = 64, K = 64, M = 64
> lower
@1  lower                               builtin    from @0
> apply gemmCpu
E23 gemmCpu failed: no place at or under / is two nested maps around a reduction
  needs   two nested maps around a reduction
  found   join (mapWorkgroup 1 (\(y, cs) -> ..) (zip .. ..))
  try     goto @0 ; apply gemmCpu{mb=64, kb=64} at /
> apply gemmCpu(64, 64, 8)
E22 gemmCpu takes its arguments by name, in {}
  needs   gemmCpu{mb=64, nb=64, kb=8}
  try     help gemmCpu
> apply mapFusion
E21 mapFusion does not apply at /
  rule    map f (map g x)  =>  map (f . g) x
  needs   map f (map g x)
  found   join (mapWorkgroup 1 (\(y, cs) -> ..) (zip .. ..))
  near    /in/f/body/in/in/f/body/in/in/in/0/in/0/in: map (split 64 . transpose) . split 4 $ y, but it needs map g x at /in/f/body/in/in/f/body/in/in/in/0/in/0/in/in
  try     moves /
> apply images(2)
E22 images takes its arguments by name, in {}
  needs   images{image=2}
  try     help images
