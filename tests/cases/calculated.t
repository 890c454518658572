> let f (x: [N][M]f32) (dt: f32) (dx: f32) (k: [N]i32) (w: [M]f32) = (dt, dx, map sum x, k, w)
f : [N][M]f32 -> f32 -> f32 -> [N]i32 -> [M]f32 -> (f32, f32, [N]f32, [N]i32, [M]f32)
> data N = 11 M = 3
> data dt = 0.1/((N-1)*(M-1)), dx = 2*sqrt(dt), k = random(2, 0, N-1), w = const(20/N)
> data x = stochastic(3)
> data
  N = 11
  M = 3
  x : [N][M]f32             stochastic(3)
  dt : f32                  const(0.1/((N-1)*(M-1)))
  dx : f32                  const(2*sqrt(dt))
  k : [N]i32                random(2,0,N-1)
  w : [M]f32                const(20/N)
> eval --full
@0  (f32, f32, [11]f32, [11]i32, [3]f32)    N=11  M=3
  (0.005, 0.14142136, [1, 1, 1, 1, 1, 0.99999994, 1, 1, 1, 1, 1],
   [1, 2, 0, 10, 2, 2, 5, 4, 0, 5, 5],
   [1.8181819, 1.8181819, 1.8181819])
  hash 5f6955012f7c57c8
> data N = 21
> eval dt
f32    N=21  M=3
  0.0025
  hash eebd8a364be5297a
> data M = 2*N + 1
> data M
  M = 43
> data k = offsets(1, N/2)
> eval
E37 offsets go up to a whole number
  found   10.5
  input   k
> data k = offsets(1, N//2), x = random(1, 0, 5-N)
> eval
E37 there are no numbers from 0 to -16
  input   x
> data x = ?, dt = dx/2
> eval dt
E37 dx is calculated from itself
  try     data dx = 1
  input   dt
> data dt = foo/2
E02 no size and no scalar input called "foo"
  data:1:1
  | foo/2
  | ^~~
  needs   random(seed,lo,hi), iota, const(v), file("x.bin"), adversarial(seed), stochastic(seed), offsets(seed,n), values: [1, 2, 3], or a number: 0.1/(N-1)
> data dt = sum(2)
E05 "sum(2)" describes no input
  needs   random(seed,lo,hi), iota, const(v), file("x.bin"), adversarial(seed), stochastic(seed), offsets(seed,n), values: [1, 2, 3], or a number: 0.1/(N-1)
> data dt = "a"
E05 ""a"" describes no input
  needs   random(seed,lo,hi), iota, const(v), file("x.bin"), adversarial(seed), stochastic(seed), offsets(seed,n), values: [1, 2, 3], or a number: 0.1/(N-1)
  hint    file("a")
> data M = N/2
E05 M must be a whole number from 1 to 1099511627776, not "N/2"
> data dt = const(1/3)
> data dt = 1/(N-1), x = bad
E05 "bad" describes no input
  needs   random(seed,lo,hi), iota, const(v), file("x.bin"), adversarial(seed), stochastic(seed), offsets(seed,n), values: [1, 2, 3], or a number: 0.1/(N-1)
> data dt
  dt : f32                  const(1/3)
> save calculated.session
saved calculated.session: 1 program, 0 versions
> open calculated.session
opened calculated.session: 1 program, 0 versions; now f@0
> data
  N = 21
  M = 43
  x : [N][M]f32             (default; random)
  dt : f32                  const(1/3)
  dx : f32                  const(2*sqrt(dt))
  k : [N]i32                offsets(1,N//2)
  w : [M]f32                const(20/N)
> data x = const(0.25)
> lower ; run -n 0
@1  lower                               builtin    from @0
  - (dt, dx, map (reduce (+) 0) x, k, w)
  + (dt, dx, mapGlobal 0 (reduceSeq (+) 0) x, mapGlobal 0 id k, mapGlobal 0 id w)
  type   (f32, f32, [N]f32, [N]i32, [M]f32)  unchanged
  inner  4 steps        log --expand
  focus  /  ->  /                     2 moves here
@1  pocl0 **
  build **
  verify  OK **
          exact; sees changes of 6e-08
          every element
> let spmv (o: [M+1]i32) (cols: [N]i32) (vals: [N]f32) (x: [K]f32) = mapSegments (\row -> sum (map (\(c, v) -> v * x[c]) row)) o (zip cols vals)
spmv : [M + 1]i32 -> [N]i32 -> [N]f32 -> [K]f32 -> [M]f32
> data M = 3 N = 5 K = 4
> data o = [0, 2, 2, 5]
> eval
E38 x[i] in /f/body/f/body/in/f/body/1: index -8 is out of range
  needs   0 <= index < 4
  found   -8
  try     data cols = random(1, 0, 3)
> data cols = [0, 1, 2, 3, 3], o = ?
> eval
E38 slice in /f/body: elements -7 to -6 of an array of 5
  needs   0 <= from and to <= 5, or from >= to, which are no elements
  try     data o = offsets(1, 5)
> let g (x: [2^K]f32) = x
E03 this is no size
  let:1:8
  | g (x: [2^K]f32) = x
  |        ^~~
  needs   a name for the power: [N], and data N = 2^12 sets it
> # what others call it
> let f (x: [N]f32) (w: [N][M]f32) = map (+ w[0, 0]) x
f changed; its earlier derivation is kept as f.1
f : [N]f32 -> [N][M]f32 -> [N]f32
> data x = zeros
E05 "zeros" describes no input
  needs   random(seed,lo,hi), iota, const(v), file("x.bin"), adversarial(seed), stochastic(seed), offsets(seed,n), values: [1, 2, 3], or a number: 0.1/(N-1)
  hint    const(0)
> data w = softmax(1)
E05 "softmax(1)" describes no input
  needs   random(seed,lo,hi), iota, const(v), file("x.bin"), adversarial(seed), stochastic(seed), offsets(seed,n), values: [1, 2, 3], or a number: 0.1/(N-1)
  hint    stochastic(1)
> data x = uniform(0, 1)
E05 "uniform(0, 1)" describes no input
  needs   random(seed,lo,hi), iota, const(v), file("x.bin"), adversarial(seed), stochastic(seed), offsets(seed,n), values: [1, 2, 3], or a number: 0.1/(N-1)
  hint    random(1,0,1)
> data x = "x.npy"
E05 ""x.npy"" describes no input
  needs   random(seed,lo,hi), iota, const(v), file("x.bin"), adversarial(seed), stochastic(seed), offsets(seed,n), values: [1, 2, 3], or a number: 0.1/(N-1)
  hint    file("x.npy")
> data x = file(x.npy)
E05 "file(x.npy)" describes no input
  needs   random(seed,lo,hi), iota, const(v), file("x.bin"), adversarial(seed), stochastic(seed), offsets(seed,n), values: [1, 2, 3], or a number: 0.1/(N-1)
  hint    file("x.npy")
> data x = random()
E05 "random()" describes no input
  needs   random(seed,lo,hi), iota, const(v), file("x.bin"), adversarial(seed), stochastic(seed), offsets(seed,n), values: [1, 2, 3], or a number: 0.1/(N-1)
  hint    random(1,-1,1)
