> load tests/programs/mm.fun
mm : [N][K]f32 -> [K][M]f32 -> [N][M]f32
> data N = 64
> data M = 64
> data K = 64
> lua search.heuristics.macros = 3
> lua e = search.explore(t.version(), {device = "cpu"})
> =e
structures of mm for a CPU
          95 terms     macro rules at all places, up to 3 in any order
                                   37 rejected: the same up to names of parameters
                                    8 rejected: tiling of the fold of rows fails there
                                    8 rejected: tiling of the innermost loop fails there
                                    2 rejected: blocking of a map fails there
                                    1 rejected: 1D blocking fails there
                                    1 rejected: 2D blocking fails there
                                    1 rejected: 2D blocking, columns apart fails there
          95 terms     nesting depth <= 8
          73 terms     add-mul distance <= 0
                                   22 rejected: add-mul distance
          26 terms     no block of accumulators
                                   47 rejected: no block of accumulators
          64 programs  mapping and memory
                                   14 rejected: one item a group, blocks: innermost(innerFold, accPrivate2) * outermost(outerFold, accGlobal4 + accGlobal3) fails
                                   12 rejected: one item a group, blocks, vectors of 16: cpuMemory(16) fails
                                   12 rejected: one item a group, blocks, vectors of 16: cpuPanels(16) fails
                                   12 rejected: one item a group, blocks, vectors of 16: innermost(innerFold, accPrivate2) * outermost(outerFold, accGlobal4 + accGlobal3) fails
                                   12 rejected: one item a group, blocks, vectors of 4: cpuMemory(4) fails
                                   12 rejected: one item a group, blocks, vectors of 4: cpuPanels(4) fails
                                   12 rejected: one item a group, blocks, vectors of 4: innermost(innerFold, accPrivate2) * outermost(outerFold, accGlobal4 + accGlobal3) fails
                                   12 rejected: one item a group, blocks, vectors of 8: cpuMemory(8) fails
                                   80 for 10 other reasons        search rules --all
          54 programs  kernels for a legal point
                                    9 rejected: no legal point
                                    1 rejected: E53 out is written by one work-group and used by another in t...
       6,108 kernels   parameters
                               20,041 rejected: divides
                                  295 rejected: private memory
                                  268 rejected: too few groups
> =#e.structures, e.structures[1], e.structures[1].device
54	mm/c942  at("/f/body/f/body", reduceSeq * reduceMapFusion) * blockFold * groupsOf * innermost(innerFold, accPrivate2) * fuseSums	cpu
> =e.structures[1].version.hash == e.structures[1].light.hash
true
> =e:why(2)
tile
  rejected: add-mul distance: 1 between a reduction and what it adds, the limit is 0
> =e:why(#e.algorithms)
at("/f/body/f/body", reduceSeq * reduceMapFusion) * at("/f/body/f/body", tileFold) * blockFoldRows
  rejected: no block of accumulators: an innermost fold keeps accumulators of rank 0, the limit is 1
> =e:why(e.structures[1].label)
mm/c942  at("/f/body/f/body", reduceSeq * reduceMapFusion) * blockFold * groupsOf * innermost(innerFold, accPrivate2) * fuseSums
  kept: one item a group, blocks, 46 points
> =e:why("mm/none")
nil	no structure and no variant is called mm/none
> lua c = search.union(e.structures)
> =c.count, c:at(1), c:index(c:at(c.count)) == c.count, #c:near(c:at(1)) > 0
6108	mm/c942 s0=1 s1=1	true	true
> lua search.heuristics.depth, search.heuristics.accumulators = 4, 0
> =search.explore(t.version(), {device = "cpu"})
structures of mm for a CPU
          64 terms     macro rules at all places, up to 3 in any order
                                   18 rejected: the same up to names of parameters
                                    5 rejected: tiling of the innermost loop fails there
                                    3 rejected: tiling of the fold of rows fails there
                                    2 rejected: blocking of a map fails there
                                    1 rejected: 1D blocking fails there
                                    1 rejected: 2D blocking fails there
                                    1 rejected: 2D blocking, columns apart fails there
          29 terms     nesting depth <= 4
                                   35 rejected: nesting depth
          24 terms     add-mul distance <= 0
                                    5 rejected: add-mul distance
          24 terms     no block of accumulators
          83 programs  mapping and memory
                                   31 rejected: the same as another
                                   16 rejected: one item a group, blocks, vectors of 16: vectoriseBlock(16) fails
                                   16 rejected: one item a group, blocks, vectors of 4: vectoriseBlock(4) fails
                                   16 rejected: one item a group, blocks, vectors of 8: vectoriseBlock(8) fails
                                   14 rejected: one item a group, blocks: groupsOf fails
                                    6 rejected: loops in vectors in global items: innermost(computes, mapVectorise(16)) fails
                                    6 rejected: loops in vectors in global items: innermost(computes, mapVectorise(4)) fails
                                    6 rejected: loops in vectors in global items: innermost(computes, mapVectorise(8)) fails
                                   45 for 10 other reasons        search rules --all
          74 programs  kernels for a legal point
                                    9 rejected: no legal point
         644 kernels   parameters
                                   81 rejected: divides
                                   69 rejected: too few groups
> load tests/programs/asum.fun
asum : [N]f32 -> f32
> data N = 65536
> =search.explore(t.version(), {device = "gpu"})
structures of asum for a GPU
           7 terms     macro rules at all places, up to 3 in any order
           7 terms     nesting depth <= 4
           5 terms     add-mul distance <= 0
                                    2 rejected: add-mul distance
           5 terms     no block of accumulators
          18 programs  mapping and memory
                                    3 rejected: a block an item, no local memory: globalItemsOf fails
                                    1 rejected: a chunk a group, sums in vectors of 2: outermost(computes, mapWorkgroup(0)) fails
                                    1 rejected: a chunk a group, sums in vectors of 4: outermost(computes, mapWorkgroup(0)) fails
          18 programs  kernels for a legal point
       1,717 kernels   parameters
                              667,924 rejected: divides
                                  748 rejected: small groups
                                  138 rejected: too few groups
                                  138 rejected: too many groups
                                  121 rejected: group size
> load tests/programs/mm.fun
mm : [N][K]f32 -> [K][M]f32 -> [N][M]f32
> =search.measures(t.version():term())
{accumulators = 0, depth = 3, distance = 1}
> apply fuseReduce * tile * at("/in/f/body/in/in/f/body/in", blockFold)
@1  fuseReduce * tile * at("/in/f/body/in/in/f/body/in", blockFold)  at /  builtin    from @0
  - map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) A
  + join ∘ map (λxss → transpose ∘ join ∘ map (λxss1 → transpose ∘ join ∘ map (λxss2 → transpose ...
  type   [N][M]f32                    unchanged
  param  s2 : int    1 <= s2 <= s0, s2 divides s0        7 legal values for N = 64
  param  s3 : int    1 <= s3 <= s1, s3 divides s1        7 legal values for M = 64
  param  s1 : int    1 <= s1 <= M, s3 divides s1, s1 divides M        7 legal values for M = 64
  param  s0 : int    1 <= s0 <= N, s2 divides s0, s0 divides N        7 legal values for N = 64
  inner  22 steps        log --expand
  focus  /  ->  /                     4 moves here
> =search.measures(t.version():term())
{accumulators = 2, depth = 7, distance = 0}
> apply tileFold * foldOutOfMap * foldOutOfMap * wholeTiles(false, true)
@2  tileFold * foldOutOfMap * foldOutOfMap * wholeTiles(false, true)  at /in/f/body/in/in/f/body/in/in
                                        builtin    from @1
  - map (λxss2 → transpose ∘ join ∘ map (λxss3 → transpose (reduceSeq (λ(..) → map (λ(..) → map (...
  + map transpose (map join (map (map transpose) (reduceSeq (λ(..) → map (λ(..) → map (λ(..) → re...
  type   [s0/s2][s2][s1]f32           unchanged
  param  s4 : int    1 <= s4 <= K, s4 divides K        7 legal values for K = 64
  inner  25 steps        log --expand
  focus  /  ->  /                     4 moves here
> =search.measures(t.version():term())
{accumulators = 2, depth = 8, distance = 0}
> load tests/programs/asum.fun
asum : [N]f32 -> f32
> =search.measures(t.version():term())
{accumulators = 0, depth = 1, distance = 1}
> apply reduceLanes
@1  reduceLanes  at /                   builtin    from @0
  - reduce (+) 0 ∘ map abs $ xs
  + reduce (+) 0 ∘ reduceSeq (λ(acc, y) → map (λ(acc1, y1) → acc1 + abs y1) (zip acc y)) (generat...
  type   f32                          unchanged
  param  s0 : int    1 <= s0 <= N, s0 divides N        17 legal values for N = 65536
  inner  5 steps        log --expand
  focus  /  ->  /                     7 moves here
> =search.measures(t.version():term())
{accumulators = 0, depth = 2, distance = 0}
> load tests/programs/scal.fun
scal : f32 -> [N]f32 -> [N]f32
> =search.measures(t.version():term())
{depth = 1, distance = 0}
> load tests/unit/ten.fun
scal : f32 -> [N]f32 -> [N]f32        11 programs; list programs
> lua search.heuristics.depth, search.heuristics.accumulators = 8, 1
> lua for _, name in ipairs({"scal", "asum", "dot", "gemv", "md", "blackScholes", "blur", "kmeans", "nbody"}) do
>   t.use(name)
>   for _, device in ipairs({"cpu", "gpu"}) do
>     local e = search.explore(t.version(), {device = device})
>     print(name, device, #e.structures, search.union(e.structures).count)
>   end
> end
scal	cpu	25	219
scal	gpu	7	28
asum	cpu	2	147
asum	gpu	1	153
dot	cpu	10	238
dot	gpu	3	55
gemv	cpu	12	262
gemv	gpu	19	137
md	cpu	12	262
md	gpu	19	137
blackScholes	cpu	25	219
blackScholes	gpu	7	28
blur	cpu	116	25346
blur	gpu	92	13640
kmeans	cpu	21	283
kmeans	gpu	22	140
nbody	cpu	24	301
nbody	gpu	23	154
>
> use dot
> search rules
structures of dot for a GPU
           7 terms     macro rules at all places, up to 3 in any order
           7 terms     nesting depth <= 8
           5 terms     add-mul distance <= 0
                                    2 rejected: add-mul distance
           5 terms     no block of accumulators
          18 programs  mapping and memory
                                    3 rejected: a block an item, no local memory: globalItemsOf fails
                                    1 rejected: a chunk a group, sums in vectors of 2: outermost(computes, mapWorkgroup(0)) fails
                                    1 rejected: a chunk a group, sums in vectors of 4: outermost(computes, mapWorkgroup(0)) fails
           3 programs  kernels for a legal point
                                   15 rejected: no legal point
          55 kernels   parameters
                                6,592 rejected: divides
                                    4 rejected: small groups
sizes by default: N = 256
> search rules --set device=cpu
structures of dot for a CPU
           7 terms     macro rules at all places, up to 3 in any order
           7 terms     nesting depth <= 8
           5 terms     add-mul distance <= 0
                                    2 rejected: add-mul distance
           5 terms     no block of accumulators
          10 programs  mapping and memory
                                    5 rejected: one item a group, chunks in one fold: chunksInItem fails
                                    4 rejected: one item a group, sums side by side: outermost(computes, mapWorkgroup(0)) fails
                                    3 rejected: one item a group, blocks, vectors of 16: vectoriseBlock(16) fails
                                    3 rejected: one item a group, blocks, vectors of 4: vectoriseBlock(4) fails
                                    3 rejected: one item a group, blocks, vectors of 8: vectoriseBlock(8) fails
                                    3 rejected: one item a group, blocks: groupsOf fails
          10 programs  kernels for a legal point
         238 kernels   parameters
                                2,263 rejected: divides
                                  101 rejected: too few groups
sizes by default: N = 256
> search rules --set device=fpga
E05 a kind of device is cpu or gpu, not fpga
> lua r = t.search{what = "rules", generate = true, budget = 20, set = "device=cpu"}
> =r.generated.generated, r.generated.distinct, #r.generated.failed, #r.structures, r.funnel[#r.funnel].left
20	20	0	10	238
> # what is changed must have the right form
> load tests/programs/dot.fun
dot : [N]f32 -> [N]f32 -> f32
> lua search.heuristics.macros = "x"
> search rules
E24 search.heuristics.macros is a number, not 'x'
> lua search.heuristics.macros = 2; search.macros[#search.macros + 1] = {name = "mine", text = "splitJoin(4)", fits = function(t) return t.prim == "map" end, most = 1}
> search rules --set device=gpu | head -2
structures of dot for a GPU
          13 terms     macro rules at all places, up to 2 in any order
> lua search.macros[#search.macros].text = "nonsense"
> search rules
E02 no rule, macro or Lua value called "nonsense"
  in      search.macros[18], mine: nonsense
  try     list rules
> lua search.macros[#search.macros].text = "splitJoin(4"
> search rules
E24 the strategy ends where more is expected
  in      search.macros[18], mine: splitJoin(4
  hint    a * b does one behind the other, a + b the first that applies
> lua search.macros[#search.macros] = {name = "mine"}
> search rules using random --budget 1
E24 search.macros[18] needs a name, a text, fits (a function of a term) and most (a number)
> # the data of a paper under a name, and what was there before
> load tests/programs/mm.fun ; goto @0
mm : [N][K]f32 -> [K][M]f32 -> [N][M]f32
@0  source
    map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) A
> data N = 64, K = 64, M = 64
> lua search.presets.gpgpu16.heuristics.macros = 3
> search rules --set preset=gpgpu16,device=gpu | grep -v rejected
structures of mm for a GPU
         263 terms     macro rules at all places, up to 3 in any order
          59 terms     nesting depth <= 5
          45 terms     add-mul distance <= 0
          45 terms     no block of accumulators
          96 programs  mapping and memory
                                   24 for 5 other reasons        search rules --all
          86 programs  kernels for a legal point
       2,199 kernels   parameters
> =search.heuristics.depth, #search.macros > 5
8	true
> # the derivation of each makes that one
> lua v, kept, made = t.version(), 0, {} search.with_preset("gpgpu16", function() e = search.explore(v) end)
> lua for _, a in ipairs(e.algorithms) do if not a.reason then kept = kept + 1 made[assert(v:apply(table.concat(a.calls, " * "))).text] = true end end
> lua count = 0 for _ in pairs(made) do count = count + 1 end
> =kept, count
45	45
> search rules --set preset=nothing
E05 there is no preset nothing
  known   gpgpu16
