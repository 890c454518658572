> param
E10 no program is loaded
  try     load tests/programs/dot.fun        or a file .fun of your own
> load tests/programs/mm.fun
mm : [N][K]f32 -> [K][M]f32 -> [N][M]f32
> param
@0 has no tuning parameters: a rule whose size is left out makes one
> apply splitJoin
@1  splitJoin{n=s0}  at /               builtin    from @0
  - map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) A
  + join ∘ map (map (λrow → map (λcol → reduce (+) 0 (..)) ∘ transpose $ B)) ∘ split s0 $ A
  type   [N][M]f32                    unchanged
  param  s0 : int    1 <= s0 <= N, s0 divides N        9 legal values for N = 256
  focus  /  ->  /                     5 moves here
> param
  s0 : int    1 <= s0 <= N, s0 divides N        9 legal values for N = 256
  9 points in all        for N = 256, K = 256, M = 256
> param s0
  s0 : int    1 <= s0 <= N, s0 divides N        9 legal values for N = 256
  legal  1, 2, 4, 8, 16, 32, 64, 128, 256        for N = 256
> param s0 = 48
@2  param s0 = 48        from @1
> data
  N = 288    (default)
  K = 256    (default)
  M = 256    (default)
  A : [N][K]f32             (default; random)
  B : [K][M]f32             (default; random)
> data N = 4096
warning: now s0 divides N does not hold for split s0 at /in/in; @2 cannot be run
> param s0 = 48
E34 s0 = 48 is not legal: s0 must divide N = 4096 (constraint from @1 splitJoin{n=s0})
  nearest legal: 32, 64        all: param s0
> param s0 = 64
@3  param s0 = 64        from @2
> param s0 = 0
E34 s0 = 0 is not legal: it must be at least 1 (constraint from @1 splitJoin{n=s0})
  nearest legal: 1        all: param s0
> param s0 = -3
E34 s0 = -3 is not legal: it must be at least 1 (constraint from @1 splitJoin{n=s0})
  nearest legal: 1        all: param s0
> param s0 = many
E05 s0 must be a whole number, not "many"
> param s1 = 4
E02 @3 has no tuning parameter "s1"
  has     s0
> param s0 =
E05 param takes NAME = VALUE
  form    param [NAME [--all | = VALUE | = ? [, NAME = ...]]]
> data N = 100
warning: now s0 divides N does not hold for split s0 at /in/in; @3 cannot be run
> eval
E36 s0 divides N does not hold for N=100  s0=64
  from    split s0 at /in/in
  rule    @1 splitJoin{n=s0}
  try     data N = 128
> data N = ?
> data K = 3; data M = 2; data N = 64
> param s0 = ?
@4  param s0 = ?        from @3
  same   as @1        goto @1
> eval
E35 parameter s0 of @4 is not bound
  legal   1, 2, 4, 8, 16, 32, 64        for N = 64
  try     param s0 = 64
> lower
@5  lower                               builtin    from @4
  - map (map (λrow → map (λcol → reduce (+) 0 (map (*) (..))) ∘ transpose $ B)) ∘ split s0 $ A
  + mapGlobal 2 (mapGlobal 1 (λrow → mapGlobal 0 (λcol → reduceSeq (λ(acc, (y0, y1)) → fma y0 y1 ...
  type   [N/s0][s0][M]f32             unchanged
  inner  6 steps        log --expand
  focus  /  ->  /                     4 moves here
> code
E35 parameter s0 of @5 is not bound
  legal   1, 2, 4, 8, 16, 32, 64        for N = 64
  try     param s0 = 64
> param s0=16
@6  param s0 = 16        from @5
> data A = iota
> data B = const(0.5)
> eval
@6  [64][2]f32    N=64  K=3  M=2  s0=16
  [[1.5, 1.5], [6, 6], [10.5, 10.5], [15, 15], ...]
  hash 36eda5fa46260a74
> # several at once: a value ends at a comma, or before the next NAME =
> # all of them or none
> data N = 16, M = foo
E05 M must be a whole number from 1 to 1099511627776, not "foo"
> data N = 16, A = iota, B = nonsense
E05 "nonsense" describes no input
  needs   random(seed,lo,hi), iota, const(v), file("x.bin"), adversarial(seed), stochastic(seed), offsets(seed,n), values: [1, 2, 3], or a number: 0.1/(N-1)
> data N = 16 Q = 3
E02 mm has no size "Q"
  has     N K M A B
> =t.data{N = 16, zz = 3}
E02 mm has no size "zz"
  has     N K M A B
> data N = 16,
E05 data takes NAME = SPEC
  form    data [NAME | NAME = SPEC [, NAME = ...]]
> param s0 = 8, s9 = 2
E02 @6 has no tuning parameter "s9"
  has     s0
> data
  N = 64
  K = 3
  M = 2
  A : [N][K]f32             iota
  B : [K][M]f32             const(0.5)
> data N=32 M = 2, K=3 A = random(7, 0, 1), B = [[1, 2], [3, 4], [5, 6]]
> data
  N = 32
  K = 3
  M = 2
  A : [N][K]f32             random(7,0,1)
  B : [K][M]f32             [[1, 2], [3, 4], [5, 6]]
> data N = 64 M
E05 N must be a whole number from 1 to 1099511627776, not "64 M"
> data M = 2 = 3
E05 data takes NAME = SPEC
  form    data [NAME | NAME = SPEC [, NAME = ...]]
> data N = 64 M = 2 A = adversarial B = const(0.5)
> data A = file("no such file.bin")
warning: cannot read no such file.bin: No such file or directory
> eval
E06 cannot read no such file.bin
  input   A
> data A = bogus(3)
E05 "bogus(3)" describes no input
  needs   random(seed,lo,hi), iota, const(v), file("x.bin"), adversarial(seed), stochastic(seed), offsets(seed,n), values: [1, 2, 3], or a number: 0.1/(N-1)
> data A = const()
E05 "const()" describes no input
  needs   random(seed,lo,hi), iota, const(v), file("x.bin"), adversarial(seed), stochastic(seed), offsets(seed,n), values: [1, 2, 3], or a number: 0.1/(N-1)
  hint    const(1)
> data A = random(1,2)
E05 "random(1,2)" describes no input
  needs   random(seed,lo,hi), iota, const(v), file("x.bin"), adversarial(seed), stochastic(seed), offsets(seed,n), values: [1, 2, 3], or a number: 0.1/(N-1)
  hint    random(1,-1,1)
> data C = iota
E02 mm has no input "C"
  has     N K M A B
> data Q = 4
E02 mm has no size "Q"
  has     N K M A B
> data N
  N = 64
> data N = 0
E05 N must be a whole number from 1 to 1099511627776, not "0"
> data N = x
E05 N must be a whole number from 1 to 1099511627776, not "x"
> data
  N = 64
  K = 3
  M = 2
  A : [N][K]f32             file("no such file.bin")
  B : [K][M]f32             const(0.5)
> data A = ?; data
  N = 64
  K = 3
  M = 2
  A : [N][K]f32             (default; random)
  B : [K][M]f32             const(0.5)
> # of many new parameters the first are shown
> load tests/programs/gemm_nt.fun
gemm_nt : [N][K]f32 -> [M][K]f32 -> [N][M]f32 -> f32 -> f32 -> [N][M]f32
> apply rep(topdown(reduceColumns), 12)
@1  rep(topdown(reduceColumns), 12)  at /in/0/f/body/f/body  builtin    from @0
  - reduce (+) 0 (map (*) (zip row col))
  + reduce (+) 0 (reduceSeq (λ(acc, c) → map (+) (zip acc c)) (generate s11 (λi → 0)) (split s11 ...
  type   f32                          unchanged
  param  s11 : int    1 <= s11 <= s10, s11 divides s10        9 legal values for K = 256
  param  s10 : int    1 <= s10 <= s9, s11 divides s10, s10 divides s9        9 legal values for K = 256
  param  s9 : int    1 <= s9 <= s8, s10 divides s9, s9 divides s8        9 legal values for K = 256
  param  s8 : int    1 <= s8 <= s7, s9 divides s8, s8 divides s7        9 legal values for K = 256
  param  s7 : int    1 <= s7 <= s6, s8 divides s7, s7 divides s6        9 legal values for K = 256
  param  s6 : int    1 <= s6 <= s5, s7 divides s6, s6 divides s5        9 legal values for K = 256
  param  s5 : int    1 <= s5 <= s4, s6 divides s5, s5 divides s4        9 legal values for K = 256
  param  s4 : int    1 <= s4 <= s3, s5 divides s4, s4 divides s3        9 legal values for K = 256
  param  and 4 more        param
  inner  12 steps        log --expand
  focus  /  ->  /                     17 moves here
> # legal values go on as many lines as they take; of many the first are shown
> load tests/programs/mm.fun; goto @1; data N = 4194304; param s0
mm : [N][K]f32 -> [K][M]f32 -> [N][M]f32
@1  splitJoin{n=s0}
    join ∘ map (map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B)) ∘...
  s0 : int    1 <= s0 <= N, s0 divides N        23 legal values for N = 4194304
  legal  1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072,
         262144, 524288, 1048576, 2097152, 4194304        for N = 4194304
> data N = 720720; param s0
  s0 : int    1 <= s0 <= N, s0 divides N        240 legal values for N = 720720
  legal  1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20, 21, 22, 24, 26, 28, 30, 33,
         35, 36, 39, 40, 42, 44, 45, 48, 52, 55, 56, 60, 63, 65, 66, 70, 72, 77, 78, 80, 84, 88, 90,
         91, 99, 104, 105, 110, 112, 117, 120, 126, 130, 132, 140, 143, 144, 154, 156, ...
         for N = 720720
         and 176 more, up to 720720        param s0 --all
> param s0 --all | tail -n 2
         36036, 40040, 45045, 48048, 51480, 55440, 60060, 65520, 72072, 80080, 90090, 102960,
         120120, 144144, 180180, 240240, 360360, 720720        for N = 720720
> set width 60; param s0; set width 100
  s0 : int    1 <= s0 <= N, s0 divides N        240 legal values for N = 720720
  legal  1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
         16, 18, 20, 21, 22, 24, 26, 28, 30, 33, 35, 36, 39,
         40, 42, 44, 45, 48, 52, 55, 56, 60, 63, 65, 66, 70,
         72, 77, 78, 80, 84, 88, 90, 91, 99, 104, 105, 110,
         112, 117, 120, 126, 130, 132, 140, 143, 144, 154,
         156, ...        for N = 720720
         and 176 more, up to 720720        param s0 --all
> param --all
E05 --all lists the legal values of one parameter: which?
  form    param [NAME [--all | = VALUE | = ? [, NAME = ...]]]
> param s0 = 4 --all
E05 --all lists legal values: it binds none
  form    param [NAME [--all | = VALUE | = ? [, NAME = ...]]]
> param s0 s1
E05 "s1" is one argument too many for param
  form    param [NAME [--all | = VALUE | = ? [, NAME = ...]]]
> load tests/programs/scal.fun
scal : f32 -> [N]f32 -> [N]f32
> goto @best
E13 no version of scal has run yet
  sizes   N: not set; `data N = 1024` sets one, `run` takes small ones
  try     lower ; run
> apply splitJoin
@1  splitJoin{n=s0}  at /               builtin    from @0
  - map (λx → alpha * x) xs
  + join ∘ map (map (λx → alpha * x)) ∘ split s0 $ xs
  type   [N]f32                       unchanged
  param  s0 : int    1 <= s0 <= N, s0 divides N        9 legal values for N = 256
  focus  /  ->  /                     8 moves here
> data N = 64
> goto @best
E13 no version of scal has run yet
  try     lower ; run
> lower
@2  lower                               builtin    from @1
  - map (map (λx → alpha * x)) ∘ split s0 $ xs
  + mapGlobal 1 (mapGlobal 0 (λx → alpha * x)) ∘ split s0 $ xs
  type   [N/s0][s0]f32                unchanged
  inner  2 steps        log --expand
  focus  /  ->  /                     7 moves here
> param s0 = 32
@3  param s0 = 32        from @2
> goto @2
@2  lower
    join ∘ mapGlobal 1 (mapGlobal 0 (λx → alpha * x)) ∘ split s0 $ xs
> run
E35 parameter s0 of @2 is not bound
  legal   1, 2, 4, 8, 16, 32, 64        for N = 64
  try     param s0 = 32
