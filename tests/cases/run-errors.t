> # what can go wrong when a version runs: each ends with what is known, and the prompt comes back
> lua local _, f = t.device("no_such_device") print(f.id .. " " .. f.message)
E60 no device matches "no_such_device"
> let twice (x: [N]f32) = map (\v -> v * 2) x
twice : [N]f32 -> [N]f32
> # an assumed rule that is false
> rule wrong: map f x => mapGlobal 0 (\v -> v) x
rule wrong
  map f x  =>  mapGlobal 0 (\v -> v) x
  user; assumed
> set silence W08
> apply wrong
@1  wrong  at /                         assumed    from @0
  - map (λv → v * 2) x
  + mapGlobal 0 id x
  type   [N]f32                       unchanged
  focus  /  ->  /                     4 moves here
> data N = 64
> run
@1? *   WRONG RESULT   input 1 small integers, compared exactly  repeat 1 of 2
  60 of 64 elements differ; first at [0]: got 1, want 2 (rel 0.5)
  the version does not mean what its source means
  @1 = wrong at /, from @0
E63 @1 does not compute what its source does
  trust   @1 rests on the assumed rule wrong
  try     check @1
> # a kernel that no compiler takes
> let bad (x: [N]f32) = mapGlobal 0 (\v -> v) x
bad : [N]f32 -> [N]f32
> lua t.code{source = (t.code().source:gsub("%[gid0%]", "[gid9]"))}
@1?  code --edit        assumed    from @0
  next   run; diff @0 @1 --code
> run --no-verify
@1 *   BUILD FAILED
E61 kernel bad_k0 does not build: **
  log     **
          **
          **
          the program does not build (CL_BUILD_PROGRAM_FAILURE, -11)
> # private arrays that are too large for a processor's stack: before a worker dies of them
> let stack (x: [N]f32) = mapGlobal 0 (\v -> reduceSeq (+) 0 (toPrivate (mapSeq (\i -> v) (generate 2000000 (\i -> i))))) x
stack : [N]f32 -> [N]f32
> run
E56 stack_k0 has a private array of 8000000 bytes in each of 64 work-items a group, and * has room for 8388608 in all
  hint    toGlobal instead of toPrivate, or a smaller piece at a time (split)
> # one that does not end in time; what it computes is not read, so that the interpreter ends
> let slow (x: [N]f32) = let t = toGlobal (mapGlobal 0 (\i -> if i == 1 then reduceSeq (\(a, k) -> a * 0.5 + f32 k) 0.0 (join (generate 2000000000 (\i -> generate 1000 (\j -> 1)))) else 0.0) (generate 64 id)) in mapGlobal 0 (\v -> v + t[0]) x
slow : [N]f32 -> [N]f32
> set run_timeout 1
> run --no-verify
@0 *   RUN TIMED OUT after 1.0 s (limit: run_timeout)   worker killed and restarted; recorded, will not be retried with this limit
E62 kernels slow_k0, slow_k1 timed out after 1.0 s (limit: run_timeout)
  worker  killed; the next run starts a new one
  next    set run_timeout 4
> run --no-verify
E62 @0 was not run: it did not end before on *
  found   kernels slow_k0, slow_k1 timed out after 1.0 s (limit: run_timeout)
  try     run @0 --force
> set run_timeout 10
> # an index out of range is found by the interpreter, unless nothing is verified
> let far (x: [N]f32) (is: [N]i32) = mapGlobal 0 (\i -> at i x) is
far : [N]f32 -> [N]i32 -> [N]f32
> data is = const(2000000000)
> run
E38 x[i] in /f/body: index 2000000000 is out of range
  needs   0 <= index < 256
  found   2000000000
  try     data is = random(1, 0, 255)
> run --no-verify
@0 *   WORKER DIED  signal 11 while running; recorded, will not be retried (run --force insists)
E62 the worker ended with signal 11 (Segmentation fault) while running kernel far_k0
  worker  the next run starts a new one
  next    device oclgrind ; run        at small sizes: it says what a kernel does wrong
> run --no-verify
E62 @0 was not run: it died before on *
  found   the worker ended with signal 11 (Segmentation fault) while running kernel far_k0
  try     run @0 --force
> run --no-verify --force
@0 *   WORKER DIED  signal 11 while running; recorded, will not be retried (run --force insists)
E62 the worker ended with signal 11 (Segmentation fault) while running kernel far_k0
  worker  the next run starts a new one
  next    device oclgrind ; run        at small sizes: it says what a kernel does wrong
> # more local memory than there is
> let room (x: [N]f32) = join (mapWorkgroup 0 (\c -> let t = toLocal (mapLocal 0 (\v -> v) (generate 1000000000 (\i -> 1.5))) in mapLocal 0 (\v -> v + t[7]) c) (split 64 x))
room : [N]f32 -> [N]f32
> run --no-verify
@0 *   LAUNCH REFUSED
E65 kernel room_k0 needs 4000000000 bytes of local memory; the device has *
> # the checking device sees each access
> use far
> device oclgrind
oclgrind    Oclgrind Simulator
> data N = 64
> data is = const(64)
> run --no-verify
@0 oclgrind   RACE OR FORBIDDEN ACCESS
E64 kernel far_k0: Invalid read of size 4 at global memory address *
  log     Kernel: far_k0
          Entity: Global(0,0,0) Local(0,0,0) Group(0,0,0)
          %2 = **
          At line **
          out[gid0] = x[at];
          Invalid read of size 4 at global memory address *
          Kernel: far_k0
          Entity: Global(1,0,0) Local(1,0,0) Group(0,0,0)
          %2 = **
> # a type that the device does not have is named before anything is compiled
> let halves (x: [N]f16) = mapGlobal 0 (\a -> a * 2) x
halves : [N]f16 -> [N]f16
> run
E56 halves computes in f16, which oclgrind does not
  found   * of f16
  needs   halves that are only loaded, stored, cast, compared and chosen: f16 (f32 x * f32 y)
  try     list devices -v     says which have it
> let rows (A: [N][M]f32) = mapWorkgroup 0 (\r -> mapLocal 0 (\a -> a + 1) r) A
rows : [N][M]f32 -> [N][M]f32
> info /f/body
/f/body of rows@0
  kind    mapLocal    map over the work-items of a group, dimension d
  type    [M]f32
  length  M
  bytes   4*M = 1024
  space   global, in the result
  slot    f      λa → a + 1                                           (f32 -> f32)
  slot    in     r                                                    [M]f32
  nodes   6
  origin  @0 source
> # a result that no memory holds
> load tests/programs/kron.fun
kron : [A][B]f32 -> [C][D]f32 -> [A*C][B*D]f32
> data A = 512, B = 512, C = 256, D = 256
> eval
E08 [131072][131072]f32 is too large: the most is 2^40 bytes, and what memory there is
> data A = 2, B = 1, C = 1, D = 2
> eval
@0  [2][2]f32    A=2  B=1  C=1  D=2
  [[0.6400336, 0.6375735], [-0.1784776, -0.1777916]]
  hash 078fabe9736a69cb
> # a run that was refused made no kernel: nothing is kept of it
> let refused (x: [N]f32) = map (\v -> v + 1) x
refused : [N]f32 -> [N]f32
> data N = 64
> run
E51 not runnable yet: 1 node is still high-level
  /       map      as mapGlobal, mapWorkgroup, mapLocal, mapSeq        moves /
  try     apply mapGlobal(0) at /
  or      lower
> lower | head -1
@1  lower                               builtin    from @0
> data x = file("nothing.npy")
warning: cannot read nothing.npy: No such file or directory
> run
E06 cannot read nothing.npy
> results
no results of refused; 7 of other programs        results --all
> # the size that a local array lacks
> let tiles (x: [N][M]f32) = mapWorkgroup 0 (\r -> mapLocal 0 (\v -> v) (toLocal (mapLocal 0 (\v -> v) r))) x
tiles : [N][M]f32 -> [N][M]f32
> code
E53 a local array needs a constant size, and M of [M]f32 is not a number
  at      /f/body/in
  try     data M = 64 ; set sizes constant
