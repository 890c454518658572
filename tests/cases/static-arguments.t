> # numbers that a primitive gives no meaning: refused where they are written
> let f (x: [N]f32) = drop (-1) x
E04 drop: k must be at least 0, not -1
  let:1:17
  | f (x: [N]f32) = drop (-1) x
  |                 ^~~~~~~~~~~
> let f (x: [N]f32) = take 0 x
E04 an array length must be at least 1, not 0
  let:1:17
  | f (x: [N]f32) = take 0 x
  |                 ^~~~~~~~
> let f (x: [N]f32) = pad (-1) 0 clamp x
E04 pad: l must be at least 0, not -1
  let:1:17
  | f (x: [N]f32) = pad (-1) 0 clamp x
  |                 ^~~~~~~~~~~~~~~~~~
> let f (x: [N]f32) = padConst 0 (-2) 0 x
E04 padConst: r must be at least 0, not -2
  let:1:17
  | f (x: [N]f32) = padConst 0 (-2) 0 x
  |                 ^~~~~~~~~~~~~~~~~~~
> let f (x: [N]f32) = slide 0 1 x
E04 slide: k must be at least 1, not 0
  let:1:17
  | f (x: [N]f32) = slide 0 1 x
  |                 ^~~~~~~~~~~
> let f (x: [N]f32) = slide 3 0 x
E04 slide: s must be at least 1, not 0
  let:1:17
  | f (x: [N]f32) = slide 3 0 x
  |                 ^~~~~~~~~~~
> let f (x: [N]f32) = split (-2) x
E04 split: k must be at least 1, not -2
  let:1:17
  | f (x: [N]f32) = split (-2) x
  |                 ^~~~~~~~~~~~
> let f (x: [N]f32) = reducePart 0 (+) 0 x
E04 reducePart: m must be at least 1, not 0
  let:1:17
  | f (x: [N]f32) = reducePart 0 (+) 0 x
  |                 ^~~~~~~~~~~~~~~~~~~~
> let f (x: [N]f32) = reorder (stride 0) x
E04 reorder: the stride must be at least 1, not 0
  let:1:17
  | f (x: [N]f32) = reorder (stride 0) x
  |                 ^~~~~~~~~~~~~~~~~~~~
> let f (x: [N]f32) = slice (-1) (reduce (+) 0) 0 4 x
E04 slice: the step must be at least 1, not -1
  let:1:17
  | f (x: [N]f32) = slice (-1) (reduce (+) 0) 0 4 x
  |                 ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
> let f (x: [N]f32) = iterate 0 (map (\v -> v + 1)) x
E04 iterate: k must be at least 1, not 0
  let:1:17
  | f (x: [N]f32) = iterate 0 (map (\v -> v + 1)) x
  |                 ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
> let f (x: [N]f32) = iterate (-1) (\y -> map (reduce (+) 0) (split 2 y)) x
E04 iterate: k must be at least 1, not -1
  let:1:17
  | f (x: [N]f32) = iterate (-1) (\y -> map (reduce (+) 0) (split 2 y)) x
  |                 ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
> let f (x: [N][M]f32) = toLocalPadded (-1) x
E04 toLocalPadded: k must be at least 0, not -1
  let:1:20
  | f (x: [N][M]f32) = toLocalPadded (-1) x
  |                    ^~~~~~~~~~~~~~~~~~~~
> let f (x: [N]f32) = iota (-1)
E04 generate: n must be at least 0, not -1
  let:1:17
  | f (x: [N]f32) = iota (-1)
  |                 ^~~~~~~~~
  within  let iota (n: size) = generate n (\i -> i)
> # as sizes: a fact of the version, refused where the sizes that are set break it
> set verbose 0
> data N = 8
E10 no program is loaded
  try     load tests/programs/dot.fun        or a file .fun of your own
> let f (x: [N]f32) (y: [K]f32) = drop (K - 2) x
f : [N]f32 -> [K]f32 -> [N + 2 - K]f32
> data K = 1
warning: now 0 <= K - 2 does not hold for drop (K - 2) at /; @0 cannot be run
> eval
E36 0 <= K - 2 does not hold for K=1
  from    drop (K - 2) at /
  rule    the program itself
  try     data K = 2
> lower
@1  lower                               builtin    from @0
> run
E36 0 <= K - 2 does not hold for K=1
  from    drop (K - 2) at /
  rule    the program itself
  try     data K = 2
> data K = 2
> eval
@1  [256]f32    N=256 (default; data N = ...)  K=2
  [-0.64912224, 0.18101203, -0.88867086, -0.5085838, 0.157309, 0.9625242, 0.044096235, -0.6274365, ...]
  hash 25b3a7f04f17b0c6
> set sizes argument
> code | grep needs
 * needs 0 <= K - 2  (drop (K - 2) at /in)
 * needs K - 2 < N  (drop (K - 2) at /in)
 * needs K + N + 2 < 2147483648  (int indices)
> set sizes constant
> let f (x: [N]f32) (y: [K]f32) = pad 0 (K - 2) clamp x
f changed; its earlier derivation is kept as f.1
f : [N]f32 -> [K]f32 -> [K + N - 2]f32
> data K = 1
warning: now 0 <= K - 2 does not hold for pad 0 (K - 2) clamp at /; @0 cannot be run
> eval
E36 0 <= K - 2 does not hold for K=1
  from    pad 0 (K - 2) clamp at /
  rule    the program itself
  try     data K = 2
> let f (x: [N]f32) (y: [K]f32) = padConst (K - 2) 0 1 x
f : [N]f32 -> [K]f32 -> [K + N - 2]f32
> data K = 1
warning: now 0 <= K - 2 does not hold for padConst (K - 2) 0 at /; @0 cannot be run
> eval
E36 0 <= K - 2 does not hold for K=1
  from    padConst (K - 2) 0 at /
  rule    the program itself
  try     data K = 2
> let f (x: [N]f32) (y: [K]f32) = slide (K - 2) 1 x
f : [N]f32 -> [K]f32 -> [N + 3 - K][K - 2]f32
> data K = 2
warning: now 1 <= K - 2 does not hold for slide (K - 2) 1 at /; @0 cannot be run
> eval
E36 1 <= K - 2 does not hold for K=2
  from    slide (K - 2) 1 at /
  rule    the program itself
  try     data K = 3
> let f (x: [N]f32) (y: [K]f32) = slice (K - 2) (reduce (+) 0) 0 4 x
f : [N]f32 -> [K]f32 -> f32
> data K = 2
warning: now 1 <= K - 2 does not hold for slice (K - 2) at /; @0 cannot be run
> eval
E36 1 <= K - 2 does not hold for K=2
  from    slice (K - 2) at /
  rule    the program itself
  try     data K = 3
> let f (x: [N]f32) (y: [K]f32) = iterate (K - 2) (map (\v -> v + 1)) x
f : [N]f32 -> [K]f32 -> [N]f32
> data K = 2
warning: now 1 <= K - 2 does not hold for iterate (K - 2) at /; @0 cannot be run
> eval
E36 1 <= K - 2 does not hold for K=2
  from    iterate (K - 2) at /
  rule    the program itself
  try     data K = 3
> data K = 4
> eval | tail -2
  [1.3508778, 2.1810122, 1.1113291, 1.4914162, 2.157309, 2.9625242, 2.0440962, 1.3725635, ...]
  hash bcb46fa8db988410
> # a rotation has no end
> let f (x: [N]i32) (y: [K]i32) = reorder (rotate (K - 4)) x
f : [N]i32 -> [K]i32 -> [N]i32
> data K = 1
> data x = iota
> eval | tail -2
  [253, 254, 255, 0, 1, 2, 3, 4, ...]
  hash b5e73d3554c79491
> # what the program asks is asked of what lower makes of it, where nothing says drop any more
> let behind (x: [N]f32) (y: [M]f32) = drop (N - M) x
behind : [N]f32 -> [M]f32 -> [M]f32
> data N = 3 M = 5
warning: now 0 <= N - M does not hold for drop (N - M) at /; @0 cannot be run
> lower
@1  lower                               builtin    from @0
> code
E36 0 <= N - M does not hold for N=3  M=5
  from    drop (N - M) at /
  rule    the program itself
  try     data N = 5
> run
E36 0 <= N - M does not hold for N=3  M=5
  from    drop (N - M) at /
  rule    the program itself
  try     data N = 5
> # with sizes as arguments, what is 2^31 elements for two sizes or for one twice is asked of the caller
> set sizes argument
> let turned (x: [N][N]f32) = map (map abs) (transpose x)
turned : [N][N]f32 -> [N][N]f32
> data N = 50000
> lower | head -1
@1  lower                               builtin    from @0
> code | grep needs
 * needs 50 divides N  (split 50 at /in/f/body/in/in/in)
 * needs N*N < 2147483648  (int indices)
> let cubed (x: [N][N][N]f32) = map (map (map abs)) x
cubed : [N][N][N]f32 -> [N][N][N]f32
> data N = 1000
> lower | head -1
@1  lower                               builtin    from @0
> code | grep needs
 * needs 20000000 divides N*N*N  (split 20000000 at /in/in/in/in/in)
 * needs N*N*N < 2147483648  (int indices)
> # kernels made for numbers may need them: the way to such that do not
> set sizes constant
> load tests/programs/softmax.fun
softmax : [N][M]f32 -> [N][M]f32        2 programs; list programs
> data N = 3, M = 1001
> lower | head -1
@1  lower                               builtin    from @0
> set sizes argument
> code
E53 a local array needs a constant size, and M of [M]f32 is not a number
  at      /in/f/body/f/body/body/value
  try     data M = 64 ; set sizes constant
  or      goto @0 ; lower
> goto @0 ; lower | head -1
@0  source
@2  lower                               builtin    from @0
> code | grep needs
 * needs 64 divides M - 41  (split 64 at /in/f/body/f/body/value/0/in/in/in)
 * needs 0 <= M - 41  (take (M - 41) at /in/f/body/f/body/value/0/in/in/in/in)
 * needs 16 divides M - 9  (asVector 16 at /in/f/body/f/body/body/value/in/0/in/in)
 * needs 0 <= M - 9  (take (M - 9) at /in/f/body/f/body/body/value/in/0/in/in/in)
 * needs M*N + 81 < 2147483648  (int indices)
> let piece (x: [N][M]f32) = mapGlobal 0 (\r -> let p = toPrivate (mapSeq abs r) in reduceSeq (\a i -> a + p[M - 1 - i]) 0 (iota M)) x
piece : [N][M]f32 -> [N]f32
> code
E53 the private array p needs a constant size, and M is not a number
  at      /
  try     data M = 64 ; set sizes constant
