> load tests/programs/scal.fun
scal : f32 -> [N]f32 -> [N]f32
> data N = 4096
> =t.version():cost()
E51 not runnable yet: 1 node is still high-level
  /       map      as mapGlobal, mapWorkgroup, mapLocal, mapSeq        moves /
  or      lower
> lower mapGpu{w=4}
@1  mapGpu{w=4}                         builtin    from @0
  - map (λx → alpha * x) xs
  + asScalar ∘ mapGlobal 0 (mapVec (λx → alpha * x)) ∘ asVector 4 $ xs
  type   [N]f32                       unchanged
  inner  2 steps        log --expand
  focus  /  ->  /                     4 moves here
> lua local f = t.version():features({}, "gpu") print(f.flops, f.global_load_w4, f.global_load_coalesced, f.items, f.launches)
4096.0	16384.0	16384.0	1024.0	1.0
> =t.version():cost({}, "gpu")
* us predicted: **
> =t.version():cost({}, "disk")
E24 a model is cpu or gpu, not disk
> load tests/programs/mm.fun
mm : [N][K]f32 -> [K][M]f32 -> [N][M]f32
> data N = 1024
> data K = 1024
> data M = 1024
> lower gemmCpu{mb=256,nb=64,kb=512,mr=4,w=16}
@1  gemmCpu{mb=256,nb=64,kb=512,mr=4,w=16}  builtin    from @0
  - map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) A
  + join ∘ mapWorkgroup 1 (λxss → transpose ∘ join ∘ mapWorkgroup 0 (λxss1 → transpose (join (red...
  type   [N][M]f32                    unchanged
  inner  43 steps        log --expand
  focus  /  ->  /                     4 moves here
> lua cpu = t.version() print(cpu:features({}, "cpu").group_size, cpu:features({}, "cpu").flops)
1.0	2147483648.0
> goto 0
@0  source
    map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) A
> lower gemmGpu{mb=128,nb=128,kb=8,mr=16,nr=8,u=8,w=4}
@2  gemmGpu{mb=128,nb=128,kb=8,mr=16,nr=8,u=8,w=4}  builtin    from @0
  - map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) A
  + join ∘ mapWorkgroup 1 (λxss → transpose ∘ join ∘ mapWorkgroup 0 (λxss1 → transpose (map (join...
  type   [N][M]f32                    unchanged
  inner  61 steps        log --expand
  focus  /  ->  /                     4 moves here
> # what a group reads of A and B: items two a row copy its tiles, so l0 and l0/2 are in one index and do not move apart
> lua function read(call) return t.version():try(call):features({}, "gpu").footprint_bytes end
> goto @0
@0  source
    map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) A
> =read("gemmGpu{mb=64, nb=64, kb=8, mr=4, nr=8, w=4, turn=0, stages=1}") == (64 + 64) * 1024 * 4
true
> =read("gemmGpu{mb=128, nb=64, kb=8, mr=8, nr=8, w=4, turn=0, stages=1}") == (128 + 64) * 1024 * 4
true
> =read("gemmGpu{mb=64, nb=64, kb=16, mr=8, nr=4, w=4, turn=0, stages=1}") == (64 + 64) * 1024 * 4
true
> goto @2
@2  gemmGpu{mb=128,nb=128,kb=8,mr=16,nr=8,u=8,w=4}
    join ∘ mapWorkgroup 1 (λxss → transpose ∘ join ∘ mapWorkgroup 0 (λxss1 → transpose (map (join...
> lua gpu = t.version() print(gpu:features({}, "gpu").group_size, gpu:features({}, "gpu").flops)
128.0	2147483648.0
> =t.cost(gpu, {}, "gpu").ns == gpu:cost({}, "gpu").ns, t.cost().text
true	* ms predicted: **
> =cpu:cost({}, "cpu").ns < gpu:cost({}, "cpu").ns, gpu:cost({}, "gpu").ns < cpu:cost({}, "gpu").ns
true	true
> goto 0
@0  source
    map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) A
> apply splitJoin
@3  splitJoin{n=s0}  at /               builtin    from @0
  - map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) A
  + join ∘ map (map (λrow → map (λcol → reduce (+) 0 (..)) ∘ transpose $ B)) ∘ split s0 $ A
  type   [N][M]f32                    unchanged
  param  s0 : int    1 <= s0 <= N, s0 divides N        11 legal values for N = 1024
  focus  /  ->  /                     5 moves here
> apply lowerPlain
@4  lowerPlain  at /in                  builtin    from @3
  - map (map (λrow → map (λcol → reduce (+) 0 (map (*) (..))) ∘ transpose $ B)) ∘ split s0 $ A
  + mapGlobal 2 (mapGlobal 1 (λrow → mapGlobal 0 (λcol → reduceSeq (λ(acc, (y0, y1)) → acc + y0 *...
  type   [N/s0][s0][M]f32             unchanged
  inner  5 steps        log --expand
  focus  /  ->  /                     4 moves here
> =t.version():features({s0 = 64}).groups, t.version():features({s1 = 64})
16384.0	nil	E02 this version has no parameter s1
> =t.version():features({s0 = 0.5})
E05 s0 must be a positive integer
> lua search.model.gpu.units, units = 66, search.model.gpu.units
> =gpu:cost({}, "gpu").ns > 100000
true
> load tests/programs/asum.fun
asum : [N]f32 -> f32
> data N = 1048576
> moves --cost | head -5
  1  111 us    reduceWhole            at 0 (map (reduce (+) 0) ∘ split N ∘ map abs $ xs)
  2  155 us    reduceReorder(reverse)  reduce (+) 0 ∘ reorder reverse ∘ map abs $ xs
  3  279 us    reduceSplit            reduce (+) 0 ∘ map (reduce (+) 0) ∘ split s0 ∘ map abs $ xs
  4  279 us    reduceStrided          reduce (+) 0 ∘ map (..) ∘ transpose ∘ split s0 ∘ map abs $ xs
  5  443 us    reducePartIntro        reduce (+) 0 ∘ reducePart s0 (+) 0 ∘ map abs $ xs
> =t.version():estimate().ns > 0, t.version():estimate().version.text
true	reduceSeq **
> # of a deep list what a screen shows
> load tests/programs/mm.fun as small
small : [N][K]f32 -> [K][M]f32 -> [N][M]f32
> data N = 16; data K = 16; data M = 16
> moves --deep --cost | wc -l
22
> moves --deep --cost --kind memory | tail -2
* more are worse        moves --deep --cost --full
* more change nothing: * * is expected without them, too        moves --deep --cost --full
