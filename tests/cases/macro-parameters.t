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
