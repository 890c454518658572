> load tests/programs/mm.fun
mm : [N][K]f32 -> [K][M]f32 -> [N][M]f32
> data N = 64; data K = 32; data M = 64
> set verbose 0
> apply fuseReduce
@1  fuseReduce  at /f/body/f/body       builtin    from @0
> apply tile
@2  tile  at /                          builtin    from @1
> apply blockFold
@3  blockFold  at /in/f/body/in/in/f/body/in  builtin    from @2
> param
  s1 : int    1 <= s1 <= M, s3 divides s1, s1 divides M        7 legal values for M = 64
  s0 : int    1 <= s0 <= N, s2 divides s0, s0 divides N        7 legal values for N = 64
  s2 : int    1 <= s2 <= s0, s2 divides s0        7 legal values for N = 64
  s3 : int    1 <= s3 <= s1, s3 divides s1        7 legal values for M = 64
  784 points in all        for N = 64, K = 32, M = 64
> param s0 = 32, s1 = 4
@4  param s0 = 32, s1 = 4        from @3
> param s2 = 64
E34 s2 = 64 is not legal: s2 must divide s0 = 32 (constraint from @3 blockFold)
  nearest legal: 32        all: param s2
> param s2
  s2 : int    1 <= s2 <= s0, s2 divides s0        6 legal values
  legal  1, 2, 4, 8, 16, 32
  not    64        s2 divides s0
> param s3
  s3 : int    1 <= s3 <= s1, s3 divides s1        3 legal values
  legal  1, 2, 4
  not    8, 16, 32, 64        s3 divides s1
> param s0 = 5, s1 = 8
E34 s0 = 5 is not legal: s0 must divide N = 64 (constraint from @2 tile)
  nearest legal: 4, 8        all: param s0
> param s2 = 16, s0 = 8
E34 s2 = 16 is not legal: s2 must divide s0 = 8 (constraint from @3 blockFold)
  nearest legal: 8        all: param s2
> param s2 = 16
@5  param s2 = 16        from @4
> param s0 = 8
E34 s0 = 8 is not legal: s2 must divide s0 = 8 (constraint from @3 blockFold)
  nearest legal: 16        all: param s0
> param s0 = 8, s2 = 4
@6  param s0 = 8, s2 = 4        from @5
> log
  @0  source
  @1  fuseReduce  at /f/body/f/body  (2 inner steps)
  @2  tile  at /  (4 inner steps)
  @3  blockFold  at /in/f/body/in/in/f/body/in  (16 inner steps)
  @4  param s0 = 32, s1 = 4
  @5  param s2 = 16
* @6  param s0 = 8, s2 = 4  s1=4 s0=8 s2=4
> undo
@5  param s2 = 16
> param s0 = 64, s1 = ?
@7  param s0 = 64, s1 = ?        from @5
> param s0 = 8, s0 = 4
E05 s0 is there twice
  form    param [NAME [--all | = VALUE | = ? [, NAME = ...]]]
> param s0 = 8, s1
E05 param takes NAME = VALUE
  form    param [NAME [--all | = VALUE | = ? [, NAME = ...]]]
> param s0 = 8, s9 = 4
E02 @7 has no tuning parameter "s9"
  has     s1 s0 s2 s3
> param s0 = 8 s1 = 4
E34 s0 = 8 is not legal: s2 must divide s0 = 8 (constraint from @3 blockFold)
  nearest legal: 16        all: param s0
> param s0 = 8,
E05 param takes NAME = VALUE
  form    param [NAME [--all | = VALUE | = ? [, NAME = ...]]]
> save params.session --force
saved params.session: 1 program, 7 versions
> open params.session --force
opened params.session: 1 program, 7 versions; now mm@7
> log
  @0  source
  @1  fuseReduce  at /f/body/f/body  (2 inner steps)
  @2  tile  at /  (4 inner steps)
  @3  blockFold  at /in/f/body/in/in/f/body/in  (16 inner steps)
  @4  param s0 = 32, s1 = 4
  @5  param s2 = 16
  ├─ @6  param s0 = 8, s2 = 4
* @7  param s0 = 64, s1 = ?  s0=64 s2=16
> replay @3..@6 on @3
@8  param s0 = 32, s1 = 4               exact         from @4 of mm
@9  param s2 = 16                       exact         from @5 of mm
@10  param s0 = 8, s2 = 4               exact         from @6 of mm
3 of 3 steps replayed: 3 exact; now mm@10
> lua v = t.version("@3"):with{s2 = 8, s0 = 16}; print(v, v.parent.n, v.params.s0, v.params.s1)
(not kept)  param s0 = 16, s2 = 8	3	16	false
> lua print(t.version("@3"):with{s2 = 8, s0 = 12})
nil	E34 s0 = 12 is not legal: s2 must divide s0 = 12 (constraint from @3 blockFold)
  nearest legal: 8, 16        all: param s0
> lua print(t.param{s1 = 8, s0 = 16})
@11  param s0 = 16, s1 = 8
> # who asks for it, whichever of both is bound first
> goto @3
@3  blockFold
> param s2 = 16
@12  param s2 = 16        from @3
> param s0 = 8
E34 s0 = 8 is not legal: s2 must divide s0 = 8 (constraint from @3 blockFold)
  nearest legal: 16        all: param s0
> # a place in a version is one of that version: where a fact comes from stays the same
> let f (x: [N]f32) (k: [K]f32) = drop (K - 2) x
f : [N]f32 -> [K]f32 -> [N + 2 - K]f32
> data K = 1
warning: now 0 <= K - 2 does not hold for drop (K - 2) at /; @0 cannot be run
> lower
@1  lower                               builtin    from @0
> data K = 1
warning: now 0 <= K - 2 does not hold for drop (K - 2) at /; @1 cannot be run
> run -n 1
E36 0 <= K - 2 does not hold for K=1
  from    drop (K - 2) at /
  rule    the program itself
  try     data K = 2
