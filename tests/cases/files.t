> # values in files: written by eval and run, taken by inputs, and what does not fit
> let two (A: [N][M]f32) (k: f32) = map2 (* k) A
two : [N][M]f32 -> f32 -> [N][M]f32
> eval map2 f32 [[1, 2, 3], [4, 5, 6]] --save a.npy
[2][3]f32
  [[1, 2, 3], [4, 5, 6]]
  hash e0fc5b2d41456fa2
  saved   a.npy    f32 [2][3]
> data A = file("a.npy"), k = const(2)
> data
  N = 2    (of A)
  M = 3    (of A)
  A : [N][M]f32             file("a.npy")    f32 [2][3]
  k : f32                   const(2)
> info /in
/in of two@0
  kind    input A
  type    [N][M]f32
  length  N
  bytes   4*M*N = 24
  data    file("a.npy")    f32 [2][3]
  space   global, an input
  nodes   1
  origin  @0 source
> eval --save b.npy
@0  [2][3]f32    N=2  M=3
  [[2, 4, 6], [8, 10, 12]]
  hash 455e2ac40ebb75a3
  saved   b.npy    f32 [2][3]
> !od -An -c -N 80 b.npy
 223   N   U   M   P   Y 001  \0   v  \0   {   '   d   e   s   c
   r   '   :       '   <   f   4   '   ,       '   f   o   r   t
   r   a   n   _   o   r   d   e   r   '   :       F   a   l   s
   e   ,       '   s   h   a   p   e   '   :       (   2   ,    
   3   )   ,       }                                            
> lower
@1  lower                               builtin    from @0
  - map2 (λx → x * k) A
  + split M ∘ mapGlobal 0 (λx → x * k) ∘ join $ A
  type   [N][M]f32                    unchanged
  inner  2 steps        log --expand
  focus  /  ->  /                     4 moves here
> run --save c.npy
@1  pocl0 **
  build   - ms        local 0 B/WG   private 1.0 KiB
  verify  OK   2 inputs x 2 repeats; input 1 exact
          exact; sees changes of 6e-08
          every element
  time    - ms median of 20  (IQR -, min -)    - GB/s
  saved   c.npy    f32 [2][3]
> !cmp b.npy c.npy && echo the same
the same
> run @0 @1 --save c.npy
E05 --save takes the result of one version
  form    run [@VERSION ...] [-n TRIALS] [--transfer none|to|from|both] [--kernels] [--show | --full] [--no-verify] [--force] [--save FILE | --save COMPONENT=FILE,...]
> run --save c.ppm
E05 c.ppm is a picture, and [2][3]f32 is none
  needs   [height][width] for .pgm, [height][width][3] for .ppm, either for .pnm
> data --json
E05 data has no flag "--json"
  form    data [NAME | NAME = SPEC [, NAME = ...]]
> # sizes: the file's, unless one is set; then a file that does not fit is refused, and one that was there is warned of
> data N = 2, M = 4
warning: a.npy holds f32 [2][3], not [N][M]f32 with N = 2, M = 4
> data M = ?
> data N = 3 A = file("b.npy")
E37 b.npy holds f32 [2][3], not [N][M]f32 with N = 3
  try     data N = ?, A = file("b.npy")
  input   A
> data N = ?, A = file("b.npy")
> data
  N = 2    (of A)
  M = 3    (of A)
  A : [N][M]f32             file("b.npy")    f32 [2][3]
  k : f32                   const(2)
> eval map2 f32 [[1, 2], [3, 4], [5, 6]] --save a.npy
[3][2]f32
  [[1, 2], [3, 4], [5, 6]]
  hash e0fc5b2d41456fa2
  saved   a.npy    f32 [3][2]
> data A = file("a.npy")
> data
  N = 3    (of A)
  M = 2    (of A)
  A : [N][M]f32             file("a.npy")    f32 [3][2]
  k : f32                   const(2)
> eval
@1  [3][2]f32    N=3  M=2
  [[2, 4], [6, 8], [10, 12]]
  hash 455e2ac40ebb75a3
> # other types: what loses nothing
> eval map2 (% 4) [[1, 2], [3, 4], [5, 6]] --save whole.npy
[3][2]i32
  [[1, 2], [3, 0], [1, 2]]
  hash c67ff63f5ad5d294
  saved   whole.npy    i32 [3][2]
> data A = file("whole.npy")
E37 whole.npy holds i32 [3][2], not [N][M]f32
  hint    in NumPy: numpy.save("x.npy", a.astype(numpy.float32))
  input   A
> eval map2 f64 [[1, 2], [3, 4], [5, 6]] --save wide.npy
[3][2]f64
  [[1, 2], [3, 4], [5, 6]]
  hash a14a8c11ed2e0f39
  saved   wide.npy    f64 [3][2]
> data A = file("wide.npy")
E37 wide.npy holds f64 [3][2], not [N][M]f32
  hint    in NumPy: numpy.save("x.npy", a.astype(numpy.float32))
  input   A
> eval [[0, 100.5], [-5, nan], [254.5, 1000]] --save grey.pgm
[3][2]f32
  [[0, 100.5], [-5, nan], [254.5, 1000]]
  hash 9e174cf40a2a37ce
  saved   grey.pgm    u8 [3][2]
> data A = file("grey.pgm"), k = const(1)
> eval
@1  [3][2]f32    N=3  M=2
  [[0, 101], [0, 0], [255, 255]]
  hash 92c75748127526e6
> data A = file("grey.bin")
warning: cannot read grey.bin: No such file or directory
> eval
E06 cannot read grey.bin
  input   A
> eval [[[0, 1, 2], [3, 4, 5]]] --save colours.ppm
[1][2][3]i32
  [[[0, 1, 2], [3, 4, 5]]]
  hash 31f6af655a9dfc1d
  saved   colours.ppm    u8 [1][2][3]
> data A = file("colours.ppm")
E37 colours.ppm holds u8 [1][2][3], not [N][M]f32
  input   A
> eval [1, 2] --save grey.pgm
E05 grey.pgm is a picture, and [2]i32 is none
  needs   [height][width] for .pgm, [height][width][3] for .ppm, either for .pnm
> eval [[1, 2]] --save colours.ppm
E05 colours.ppm is a picture, and [1][2]i32 is none
  needs   [height][width] for .pgm, [height][width][3] for .ppm, either for .pnm
> !head -c 20 a.npy > cut.npy
> data A = file("cut.npy")
E06 cut.npy is cut short in its header
  input   A
> !head -c 130 a.npy > cut.npy
> data A = file("cut.npy")
E06 cut.npy is cut short: its header asks for 24 bytes of elements, 2 are there
  input   A
> data A = file("tests")
E06 cannot read tests: Is a directory
  input   A
> # raw: the size that is left open
> eval [1.0, 2, 3, 4, 5, 6] --save six.bin
[6]f32
  [1, 2, 3, 4, 5, 6]
  hash e0fc5b2d41456fa2
  saved   six.bin    24 bytes
> data A = file("six.bin")
> data M = 3
> data
  N = 2    (of A)
  M = 3
  A : [N][M]f32             file("six.bin")    24 bytes
  k : f32                   const(1)
> eval
@1  [2][3]f32    N=2  M=3
  [[1, 2, 3], [4, 5, 6]]
  hash e0fc5b2d41456fa2
> data M = 4
warning: six.bin holds 24 bytes, which [N][M]f32 with M = 4 has for no N
> eval
E06 six.bin has the wrong size
  found   24 bytes
  needs   4096 bytes: raw little-endian, component after component
  input   A
  hint    N is not given: data N = ...
> data M = 4, A = file("a.npy")
E37 a.npy holds f32 [3][2], not [N][M]f32 with M = 4
  try     data M = ?, A = file("a.npy")
  input   A
> # several components
> let pairs (xs: [N]f32) = map (\x -> (x, [x, 2])) xs
pairs : [N]f32 -> [N](f32, [2]f32)
> data xs = iota, N = 3
> eval --save 0=x.npy,out_1=y.npy --save all.raw
@0  [3](f32, [2]f32)    N=3
  [(0, [0, 2]), (1, [1, 2]), (2, [2, ...])]
  hash cbbcd87623b87341
  saved   x.npy    f32 [3]
  saved   y.npy    f32 [3][2]
  saved   all.raw    36 bytes
> eval --save 2=z.npy
E05 [3](f32, [2]f32) has no component 2
  has     0 to 1
> eval --save z.npy
E05 z.npy holds one array, and [3](f32, [2]f32) has 2
  form    --save 0=z.npy,...    for component 0, and so on
> eval --save 0=
E05 --save needs a file behind 0=
> eval --save
E05 --save needs a value
  form    eval [@VERSION | EXPR] [--trace] [--full] [--save FILE | --save COMPONENT=FILE,...]
> data xs = file("all.raw")
E37 all.raw holds 36 bytes, and [N]f32 with N = 3 is 12
  try     data N = ?, xs = file("all.raw")
  input   xs
> let both (ps: [N](f32, i32)) = map (\(x, n) -> x + f32 n) ps
both : [N](f32, i32) -> [N]f32
> eval zip [1.0, 2] [3, 4] --save ps.raw
[2](f32, i32)
  [(1, 3), (2, 4)]
  hash f187049b1614029d
  saved   ps.raw    16 bytes
> data ps = file("ps.raw")
> data
  N = 2    (of ps)
  ps : [N](f32, i32)        file("ps.raw")    16 bytes
> eval
@0  [2]f32    N=2
  [4, 6]
  hash 2d5c20527b0cc24d
> data ps = file("x.npy")
E37 x.npy holds one array, and [N](f32, i32) has 2 components
  hint    raw bytes, component after component, in a file called x.bin
  input   ps
> # nan and inf are values like others
> eval [1.0, nan, inf, -inf, 0, 3] --save odd.npy
[6]f32
  [1, nan, inf, -inf, 0, 3]
  hash 1bfde6dbe89e0366
  saved   odd.npy    f32 [6]
> let root (xs: [N]f32) = map sqrt xs
root : [N]f32 -> [N]f32
> data xs = file("odd.npy")
> lower
@1  lower                               builtin    from @0
  - map sqrt xs
  + mapGlobal 0 sqrt xs
  type   [N]f32                       unchanged
  focus  /  ->  /                     4 moves here
> run --save root.npy
@1  pocl0 **
  build   - ms        local 0 B/WG   private 1.0 KiB
  verify  OK   2 inputs x 2 repeats
          error 1.4e-08, 0.12 x the source's own; sees changes of 6e-08
          every element
          3 values are inf or NaN in the reference: no tolerance there
  time    - ms median of 20  (IQR -, min -)    - GB/s
  saved   root.npy    f32 [6]
> eval root [1.0]
[1]f32
  [1]
  hash 3f811f344b5ae81a
> !od -An -t f4 -j 128 root.npy
               1             nan             inf *
               0       1.7320508
> # values that are written out say sizes, too
> let cut (A: [N][M](f32, i32)) (xs: [2*M]f32) = map2 (\(x, n) -> x) A
cut : [N][M](f32, i32) -> [2*M]f32 -> [N][M]f32
> data A = [[(1, 2), (3, 4)], [(1, 2), (3, 4)], [(5, 6), (7, 8)]]
> data
  N = 3    (of A)
  M = 2    (of A)
  A : [N][M](f32, i32)      [[(1, 2), (3, 4)], [(1, 2), (3, 4)], [(5, 6), (7, 8)]]
  xs : [2*M]f32             (default; random)
> eval
@0  [3][2]f32    N=3  M=2
  [[1, 3], [1, 3], [5, 7]]
  hash b2ecf88baa009402
> data A = ?, xs = [1, 2, 3]
> data
  N = 256    (default)
  M = 256    (default)
  A : [N][M](f32, i32)      (default; random)
  xs : [2*M]f32             [1, 2, 3]
> use root
> # sessions and scripts know the file
> save files.session
saved files.session: 5 programs, 2 versions
> open files.session --force
opened files.session: 5 programs, 2 versions; now root@1
> data
  N = 6    (of xs)
  xs : [N]f32               file("odd.npy")    f32 [6]
> export script files.lathe --force
files.lathe written
> !grep file files.lathe
data xs = file("odd.npy")
> !rm odd.npy
> eval
E06 cannot read odd.npy
  input   xs
> data xs = file("odd.npy")
warning: cannot read odd.npy: No such file or directory
> code --host -o host.c
E06 cannot read odd.npy
  input   xs
> # looked at
> let grid (A: [N][M]i32) = map (\row -> map (\x -> x + 1) row) A
grid : [N][M]i32 -> [N][M]i32
> data A = iota, N = 3, M = 4
> eval
@0  [3][4]i32    N=3  M=4
  [[1, 2, 3, 4], [5, 6, 7, 8], ...]
  hash 1d1492a4a60015e8
> eval --full
@0  [3][4]i32    N=3  M=4
  [[1, 2, 3, 4],
   [5, 6, 7, 8],
   [9, 10, 11, 12]]
  hash 1d1492a4a60015e8
> lower
@1  lower                               builtin    from @0
  - map (map (λx → x + 1)) A
  + mapGlobal 1 (mapGlobal 0 (λx → x + 1)) A
  type   [N][M]i32                    unchanged
  inner  2 steps        log --expand
  focus  /  ->  /                     8 moves here
> run -n 0 --show
@1  pocl0 **
  build **
  verify  OK **
          exact
          every element
  result  [[1, 2, 3, 4], [5, 6, 7, 8], ...]
> run -n 0 --full
@1  pocl0 **
  build **
  verify  OK **
          exact
          every element
  result
  [[1, 2, 3, 4],
   [5, 6, 7, 8],
   [9, 10, 11, 12]]
> run -n 0 --show=yes
E05 --show takes no value
  form    run [@VERSION ...] [-n TRIALS] [--transfer none|to|from|both] [--kernels] [--show | --full] [--no-verify] [--force] [--save FILE | --save COMPONENT=FILE,...]
> eval --full iota 20
[20]i32
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19]
  hash 361b1849932eba89
> eval --full (1, [2, 3])
(i32, [2]i32)
  (1, [2, 3])
  hash 919237be4d90ac70
